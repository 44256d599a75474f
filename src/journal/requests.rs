//! The HTTP requests of this and earlier runs, with their replies. Secrets are already masked.
//!
//! `requests/requests.db` contains the newest [`MAX_ROWS`] requests, or as many as fit into
//! [`MAX_BYTES`]. No money is lost with it, so a damaged file is simply renamed and replaced.
//!
//! The file is in its own directory inside the journal's directory. Every process watches the
//! journal's directory but not the directories inside it, so a stored request wakes no other
//! process.

mod query;
mod record;

use std::collections::{HashMap, VecDeque};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, params};

use super::database::{Database, RenamedFile};
use super::safe_open::UnsafePath;
use super::trouble::{io_trouble, sql_trouble};
use super::update::Schema;
use crate::trade::checkup::DatabaseContents;
use crate::trade::{
    Exchange, ExchangeId, ExchangeSubject, IdempotencyKey, JournalTrouble, Operation, Origin,
    RequestQuery, RequestResult, RequestRow, RequestsPage, RowId, Untrusted, Wall,
};

/// The schema version. A file with a newer version is refused.
pub const SCHEMA: u32 = 2;

/// The steps from older versions. The first version with a step is 2.
pub(super) const STEPS: &[&str] = &[];

/// The maximum number of stored requests.
pub const MAX_ROWS: u64 = 2_000;

/// The maximum number of successful requests that are kept of one batch of links.
const MAX_OF_BATCH: usize = 50;

/// The maximum total size of the stored requests, in bytes. The newest request is stored even if it
/// is larger.
pub const MAX_BYTES: u64 = 50 * 1024 * 1024;

const FILE: Database = Database {
    name: "requests",
    tables: include_str!("requests/schema.sql"),
    schema: Schema {
        version: SCHEMA,
        steps: STEPS,
    },
    synchronous: "NORMAL",
};

fn requests_dir(journal: &Path) -> PathBuf {
    journal.join("requests")
}

/// Returns the directory of the stored requests, and checks that it is not a symbolic link.
///
/// # Errors
///
/// Fails if the directory is a symbolic link, because other users may be able to read its target.
fn checked_requests_dir(journal: &Path) -> Result<PathBuf, JournalTrouble> {
    let dir = requests_dir(journal);
    if fs::symlink_metadata(&dir).is_ok_and(|found| found.is_symlink()) {
        Err(io_trouble(&dir, &io::Error::other(UnsafePath::Link)))
    } else {
        Ok(dir)
    }
}

/// The stored HTTP requests, in an open file or in memory. Several processes may have the same file
/// open.
///
/// If an operation finds that the file is damaged, it renames the file and continues with a new
/// one, unless the file was opened with [`Requests::open_to_read`].
pub struct Requests {
    /// The directory of the file. `None` if the requests are in memory.
    dir: Option<PathBuf>,
    /// The time when the file was opened. `None` if a damaged file is not renamed.
    opened_at: Option<Wall>,
    connection: Connection,
    moved: Option<RenamedFile>,
    /// The exchanges of this run, by their rows.
    own: HashMap<RowId, ExchangeId>,
    /// The problem with the file, if the requests are in memory for this reason.
    trouble: Option<JournalTrouble>,
}

/// The profile and the service to which a request belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestOwner {
    /// The name of the profile.
    pub profile: Arc<str>,
    /// The origin of the service.
    pub origin: Origin,
}

/// Checks the whole file in the journal's directory without changing anything, and returns its
/// schema version. Returns `None` if there is no file.
///
/// # Errors
///
/// Fails if the file is damaged, cannot be opened, or has a different schema version.
pub fn examine(journal: &Path) -> Result<Option<DatabaseContents>, JournalTrouble> {
    FILE.examine(&checked_requests_dir(journal)?, &[("requests", "request")])
}

/// The names of the damaged files that were renamed, in alphabetical order.
pub fn list_renamed_files(journal: &Path) -> Vec<String> {
    FILE.renamed_files(&requests_dir(journal))
}

impl Requests {
    /// Opens the requests in the journal's directory, and creates the file if it does not exist.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be opened. A file with a different schema version is not changed.
    pub fn open(journal: &Path, now: Wall) -> Result<Requests, JournalTrouble> {
        let dir = checked_requests_dir(journal)?;
        // Read a row now, because this finds most damage at once.
        let (connection, _, moved) = open_and_run(&dir, now, |connection| {
            let select = format!("SELECT {COLUMNS} FROM request LIMIT 1");
            connection.query_row(&select, [], |_| Ok(())).optional()
        })?;
        let dir = Some(dir);
        let opened_at = Some(now);
        Ok(Requests {
            dir,
            opened_at,
            moved,
            ..Requests::on(connection)
        })
    }

    /// Opens the requests in the journal's directory for reading, if the file exists. A damaged
    /// file is an error, and is not changed.
    pub fn open_to_read(journal: &Path) -> Result<Option<Requests>, JournalTrouble> {
        let dir = checked_requests_dir(journal)?;
        let Some(connection) = FILE.open_to_read(&dir)? else {
            return Ok(None);
        };
        Ok(Some(Requests {
            dir: Some(dir),
            ..Requests::on(connection)
        }))
    }

    /// Opens the requests in the journal's directory, if the file exists.
    pub fn open_if_any(journal: &Path, now: Wall) -> Result<Option<Requests>, JournalTrouble> {
        let is_there = FILE
            .path(&checked_requests_dir(journal)?)
            .symlink_metadata()
            .is_ok();
        is_there.then(|| Requests::open(journal, now)).transpose()
    }

    /// Creates an empty store of requests that exists only in memory.
    pub fn in_memory() -> Result<Requests, JournalTrouble> {
        Ok(Requests::on(FILE.open_in_memory()?))
    }

    fn on(connection: Connection) -> Requests {
        let moved = None;
        let own = HashMap::new();
        Requests {
            dir: None,
            opened_at: None,
            connection,
            moved,
            own,
            trouble: None,
        }
    }

    /// Creates an empty store of requests in memory, because the file cannot be used.
    pub fn in_memory_instead(trouble: JournalTrouble) -> Result<Requests, JournalTrouble> {
        Ok(Requests {
            trouble: Some(trouble),
            ..Requests::in_memory()?
        })
    }

    /// The damaged file that was renamed when or after the requests were opened, if any.
    pub fn renamed_file(&self) -> Option<&RenamedFile> {
        self.moved.as_ref()
    }

    /// Stores a request with its reply. The oldest requests are deleted if there are too many.
    pub fn store(
        &mut self,
        owner: &RequestOwner,
        exchange: &Exchange,
    ) -> Result<RowId, JournalTrouble> {
        let row = self.run(|connection| insert(connection, owner, exchange))?;
        self.own.insert(row, exchange.id);
        Ok(row)
    }

    /// Stores a request of a batch like [`store`](Requests::store). All failed requests are kept,
    /// but only the newest of the others. `kept` has the rows of these, and is empty at first.
    pub fn store_of_batch(
        &mut self,
        owner: &RequestOwner,
        exchange: &Exchange,
        kept: &mut VecDeque<RowId>,
    ) -> Result<(), JournalTrouble> {
        let row = self.store(owner, exchange)?;
        let reply = exchange.reply.as_ref();
        if !reply.is_ok_and(|reply| (200..300).contains(&reply.status)) {
            return Ok(());
        }
        kept.push_back(row);
        if kept.len() <= MAX_OF_BATCH {
            return Ok(());
        }
        let Some(oldest) = kept.pop_front() else {
            return Ok(());
        };
        self.own.remove(&oldest);
        let delete = "DELETE FROM request WHERE id = ?";
        self.run(|connection| connection.execute(delete, [oldest.0]).map(drop))
    }

    /// The newest rows that are older than the row `before`. Skips every row that this program
    /// cannot have written.
    pub fn rows(
        &mut self,
        before: Option<RowId>,
        limit: u64,
    ) -> Result<Vec<RequestRow>, JournalTrouble> {
        self.run(|connection| {
            let mut statement = connection.prepare_cached(&format!(
                "SELECT {COLUMNS} FROM request WHERE id < ?1 ORDER BY id DESC LIMIT ?2"
            ))?;
            let before = before.map_or(i64::MAX, |id| id.0);
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let rows = statement.query_map(params![before, limit], |row| Ok(read_row(row)))?;
            rows.filter_map(|row| row.and_then(skip_invalid).transpose())
                .collect()
        })
    }

    /// A page of the requests that a query finds for this profile and service, newest first.
    pub fn page(
        &mut self,
        owner: &RequestOwner,
        query: &RequestQuery,
    ) -> Result<RequestsPage, JournalTrouble> {
        let mut read = self.run(|connection| query::page(connection, owner, query))?;
        for row in Arc::make_mut(&mut read.page.rows) {
            row.exchange = self.exchange_id(row.id);
        }
        let is_kept = self.connection.path().is_some_and(|path| !path.is_empty());
        Ok(RequestsPage {
            is_persistent: is_kept,
            is_replaced: self.moved.is_some(),
            trouble: self.trouble.clone(),
            ..read
        })
    }

    /// A stored request with its reply. Returns `None` if the request was deleted, or if this
    /// program cannot have written it.
    pub fn exchange(&mut self, id: RowId) -> Result<Option<Exchange>, JournalTrouble> {
        let found = self.run(|connection| {
            let select = "SELECT withdrawal, sale, exchange FROM request WHERE id = ?";
            let row = connection.query_row(select, [id.0], |row| {
                Ok((read_subject(row, 0)?, row.get::<_, String>(2)?))
            });
            skip_invalid(row.optional())
        })?;
        let Some((subject, text)) = found.flatten() else {
            return Ok(None);
        };
        let exchange = record::from_json(&text).ok();
        let id = self.exchange_id(id);
        Ok(exchange.map(|exchange| Exchange {
            id,
            subject,
            ..exchange
        }))
    }

    fn exchange_id(&self, row: RowId) -> ExchangeId {
        self.own.get(&row).copied().unwrap_or(ExchangeId::Row(row))
    }

    /// The number of requests that [`purge`](Requests::purge) would delete.
    pub fn count_to_purge(
        &mut self,
        before: Wall,
        keys: &[IdempotencyKey],
    ) -> Result<u64, JournalTrouble> {
        let count = format!("SELECT count(*) FROM request WHERE {PURGE_CONDITION}");
        let values = params![before.0, json_array(keys)];
        self.run(|connection| connection.query_row(&count, values, |row| row.get::<_, i64>(0)))
            .map(i64::unsigned_abs)
    }

    /// Deletes the requests older than `before`, and all requests for the withdrawals with these
    /// keys. The deletion is synced to disk, unlike other writes to this file.
    pub fn purge(&mut self, before: Wall, keys: &[IdempotencyKey]) -> Result<(), JournalTrouble> {
        self.run(|connection| {
            connection.pragma_update(None, "synchronous", "FULL")?;
            let delete = format!("DELETE FROM request WHERE {PURGE_CONDITION}");
            connection
                .execute(&delete, params![before.0, json_array(keys)])
                .map(drop)
        })
    }

    /// Rewrites the database so that its files contain no deleted data. Returns false if some
    /// deleted data may remain, because another connection was using the files.
    pub fn overwrite_deleted(&mut self) -> Result<bool, JournalTrouble> {
        let result = self.run(|connection| {
            connection.execute_batch("VACUUM")?;
            let truncate = "PRAGMA wal_checkpoint(TRUNCATE)";
            connection.query_row(truncate, [], |row| Ok(row.get::<_, i64>(0)? == 0))
        });
        match result {
            Err(JournalTrouble::Busy(_)) => Ok(false),
            result => result,
        }
    }

    /// Runs `work` on the database. If the file is damaged, renames it and runs `work` on a new
    /// file.
    fn run<T>(
        &mut self,
        work: impl Fn(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, JournalTrouble> {
        let error = match work(&mut self.connection) {
            Ok(value) => return Ok(value),
            Err(error) => error,
        };
        let Some(dir) = &self.dir else {
            return Err(sql_trouble(Path::new(FILE.name), &error));
        };
        let trouble = sql_trouble(&FILE.path(dir), &error);
        let (JournalTrouble::Damaged(_), Some(opened_at)) = (&trouble, self.opened_at) else {
            return Err(trouble);
        };
        // Another process may already have replaced the damaged file. Therefore close it here, and
        // open the file at this path again.
        self.connection = FILE.open_in_memory()?;
        let (connection, value, moved) = open_and_run(dir, opened_at, work)?;
        (self.connection, self.moved) = (connection, moved.or(self.moved.take()));
        self.own.clear();
        Ok(value)
    }
}

/// Opens the file and runs `work` on it. If the file is damaged, it is renamed and replaced with a
/// new one.
fn open_and_run<T>(
    dir: &Path,
    now: Wall,
    work: impl Fn(&mut Connection) -> rusqlite::Result<T>,
) -> Result<(Connection, T, Option<RenamedFile>), JournalTrouble> {
    let result = FILE.open_replacing_damaged(dir, now, || {
        let mut connection = FILE.open(dir, false)?;
        let value = work(&mut connection).map_err(|error| sql_trouble(&FILE.path(dir), &error))?;
        Ok((connection, value))
    });
    result.map(|((connection, value), moved)| (connection, value, moved))
}

/// The SQL condition for the requests to delete. The keys are in one JSON array, because the number
/// of parameters of a statement is fixed.
const PURGE_CONDITION: &str = "at < ?1 OR withdrawal IN (SELECT value FROM json_each(?2))";

fn json_array(keys: &[IdempotencyKey]) -> String {
    serde_json::to_string(keys).unwrap_or_default()
}

fn insert(
    connection: &mut Connection,
    owner: &RequestOwner,
    exchange: &Exchange,
) -> rusqlite::Result<RowId> {
    let text = record::to_json(exchange);
    let text = text.map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
    let words = query::searchable_text(exchange);
    let (status, failure) = match &exchange.reply {
        Ok(reply) => (Some(reply.status), None),
        Err(failure) => (None, RequestResult::of(failure).failure_name()),
    };
    let (withdrawal, sale) = match exchange.subject {
        Some(ExchangeSubject::Withdrawal(key)) => (Some(key.to_string()), None),
        Some(ExchangeSubject::Sale(id)) => (None, Some(id.0)),
        None => (None, None),
    };
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    tx.execute(
        "INSERT INTO request (at, profile, origin, operation, method, url, status, failure,
             took_ms, request_bytes, reply_bytes, withdrawal, sale, request_id, clock_ms, bytes,
             words, exchange)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        params![
            exchange.at.0,
            owner.profile,
            owner.origin.0,
            exchange.operation.name(),
            exchange.method,
            exchange.url,
            status,
            failure,
            i64::try_from(exchange.took.as_millis()).unwrap_or(i64::MAX),
            to_i64(exchange.request_bytes),
            exchange
                .reply
                .as_ref()
                .ok()
                .map(|reply| to_i64(reply.received)),
            withdrawal,
            sale,
            exchange.request_id().map(Untrusted::raw),
            exchange.clock_difference_ms(),
            to_i64((text.len() + words.len()) as u64),
            words,
            text,
        ],
    )?;
    let id = tx.last_insert_rowid();
    tx.execute(
        "DELETE FROM request WHERE id <= (
             SELECT id FROM (
                 SELECT id, row_number() OVER newest AS n, sum(bytes) OVER newest AS total
                 FROM request WINDOW newest AS (ORDER BY id DESC)
             ) WHERE n > 1 AND (n > ?1 OR total > ?2) ORDER BY id DESC LIMIT 1)",
        params![to_i64(MAX_ROWS), to_i64(MAX_BYTES)],
    )?;
    tx.commit()?;
    Ok(RowId(id))
}

fn to_i64(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// The columns for a row in the list of requests.
const COLUMNS: &str = "id, at, profile, origin, operation, method, url, status, failure, took_ms,
    request_bytes, reply_bytes, withdrawal, sale, request_id, clock_ms";

fn read_row(row: &Row<'_>) -> rusqlite::Result<RequestRow> {
    let operation: String = row.get(4)?;
    let mut operations = Operation::ALL.into_iter();
    let operation = operations
        .find(|known| known.name() == operation)
        .ok_or_else(|| conversion_error(4, format!("`{operation}` is no operation")))?;
    let failure: Option<String> = row.get(8)?;
    let result = match row.get(7)? {
        Some(status) => RequestResult::Reply(status),
        None => RequestResult::FAILURES
            .into_iter()
            .find(|known| known.failure_name() == failure.as_deref())
            .unwrap_or(RequestResult::Failed),
    };
    let id = RowId(row.get(0)?);
    Ok(RequestRow {
        id,
        exchange: ExchangeId::Row(id),
        at: Wall(row.get(1)?),
        profile: row.get(2)?,
        origin: Origin(row.get(3)?),
        operation,
        method: row.get(5)?,
        url: row.get(6)?,
        result,
        took: Duration::from_millis(read_u64(row, 9)?.unwrap_or(0)),
        request_bytes: read_u64(row, 10)?.unwrap_or(0),
        reply_bytes: read_u64(row, 11)?,
        subject: read_subject(row, 12)?,
        request_id: row.get::<_, Option<String>>(14)?.map(Untrusted::from),
        clock_ms: row.get(15)?,
    })
}

fn read_u64(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<u64>> {
    Ok(row.get::<_, Option<i64>>(column)?.map(i64::unsigned_abs))
}

/// Reads the idempotency key in this column, or the row id of a link or charge in the next one.
fn read_subject(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<ExchangeSubject>> {
    if let Some(key) = row.get::<_, Option<String>>(column)? {
        let key = key
            .parse()
            .map_err(|error| conversion_error(column, error))?;
        return Ok(Some(ExchangeSubject::Withdrawal(IdempotencyKey(key))));
    }
    let sale: Option<i64> = row.get(column + 1)?;
    Ok(sale.map(|id| ExchangeSubject::Sale(RowId(id))))
}

/// `None` instead of an error if a row has a value that this program cannot have written. The other
/// rows of the list may still be valid.
fn skip_invalid<T>(row: rusqlite::Result<T>) -> rusqlite::Result<Option<T>> {
    match row {
        Err(error @ rusqlite::Error::SqliteFailure(..)) => Err(error),
        row => Ok(row.ok()),
    }
}

/// The error for a value that this program cannot have written.
fn conversion_error(
    column: usize,
    error: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, error.into())
}

#[cfg(test)]
mod tests;
