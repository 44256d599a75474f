//! Makes a history the mirror of a team's history.
//!
//! A mirror has a few tables more (`shared.sql`). Triggers write each changed part of a row into
//! the table `shared_pending`, so the functions that change the history need no code for teams. A
//! pending part is sent as a [`Record`] with its current state. The module
//! [`apply`](super::apply) applies records.
//!
//! The id of a row in the file differs between machines, so each row also has a global id. In a
//! mirror, the id in the file begins with the time of the row and ends with bits of the global id.
//! The lists, which are sorted by it, therefore have the same order on every machine.

use std::collections::HashMap;

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::log::{MAX_AUTHOR_BYTES, MAX_STATE_BYTES, Record};
use super::table::{parse_json, to_json};
use super::{History, map_error};
use crate::trade::{Author, JournalTrouble, Wall};

/// The part of a record that deletes a row.
pub(super) const DELETED: &str = "deleted";

/// The tables whose rows get a random global id.
pub(super) const TABLES: [&str; 3] = ["link", "charge", "batch"];

impl History {
    /// Makes this history a mirror of a team's history, and stores who uses it. Every row that it
    /// already has becomes pending. If it is a mirror already, only the author is stored.
    ///
    /// # Errors
    ///
    /// Fails if the history cannot be written. It is then unchanged.
    pub fn share(&mut self, author: &Author) -> Result<(), JournalTrouble> {
        map_error(&self.path, share(&mut self.connection, author))
    }

    /// True if this history is a mirror of a team's history.
    pub fn is_shared(&self) -> Result<bool, JournalTrouble> {
        map_error(&self.path, is_shared(&self.connection))
    }

    /// The number of the last record of the log that this mirror contains, or 0.
    pub fn last_record(&self) -> Result<i64, JournalTrouble> {
        map_error(&self.path, last(&self.connection))
    }

    /// The number and the change of the last record of the log that this mirror contains. `None`
    /// without a record.
    pub fn last_change(&self) -> Result<Option<(i64, Uuid)>, JournalTrouble> {
        map_error(&self.path, last_change(&self.connection))
    }

    /// Begins to read the log again, because it has lost records that this mirror contains. The
    /// next record to read is the first one. After the last one, call
    /// [`share_lost`](History::share_lost).
    ///
    /// # Errors
    ///
    /// Fails if the history is not a mirror, or cannot be written.
    pub fn read_again(&mut self) -> Result<(), JournalTrouble> {
        map_error(&self.path, read_again(&mut self.connection))
    }

    /// True if the log is being read again.
    pub fn is_reading_again(&self) -> Result<bool, JournalTrouble> {
        map_error(&self.path, has_lost(&self.connection))
    }

    /// Ends to read the log again: makes each part pending whose last record the log has lost,
    /// unless the log has a newer record of this part.
    ///
    /// # Errors
    ///
    /// Fails if the history is not a mirror, or cannot be written.
    pub fn share_lost(&mut self) -> Result<(), JournalTrouble> {
        map_error(&self.path, share_lost(&mut self.connection))
    }

    /// The number of changes of this machine that are not in the log yet. A history that is not a
    /// mirror has none.
    pub fn count_pending(&self) -> Result<u64, JournalTrouble> {
        map_error(&self.path, count_pending(&self.connection))
    }

    /// The changes of this machine that are not in the log yet, as records that follow the last
    /// one, in order. Returns at most `most_rows` records, and stops after the record with which
    /// their states have more than `most_bytes` bytes.
    ///
    /// # Errors
    ///
    /// Fails if the history is not a mirror, or cannot be read or written.
    pub fn pending_records(
        &mut self,
        most_rows: usize,
        most_bytes: usize,
    ) -> Result<Vec<Record>, JournalTrouble> {
        let records = pending_records(&mut self.connection, most_rows, most_bytes);
        map_error(&self.path, records)
    }

    /// Stores that the log now contains these records, which [`pending_records`] returned. A part
    /// that changed again since then stays pending.
    ///
    /// # Errors
    ///
    /// Fails if the history is not a mirror, or cannot be written.
    ///
    /// [`pending_records`]: History::pending_records
    pub fn appended(&mut self, records: &[Record]) -> Result<(), JournalTrouble> {
        map_error(&self.path, appended(&mut self.connection, records))
    }
}

/// Another process may have shared the history since this connection was opened, so the file is
/// read.
pub(super) fn is_shared(connection: &Connection) -> rusqlite::Result<bool> {
    let select = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'shared_log')";
    let mut statement = connection.prepare_cached(select)?;
    statement.query_row([], |row| row.get(0))
}

pub(super) fn last(connection: &Connection) -> rusqlite::Result<i64> {
    let select = "SELECT coalesce(max(n), 0) FROM shared_record";
    connection.query_row(select, [], |row| row.get(0))
}

fn last_change(connection: &Connection) -> rusqlite::Result<Option<(i64, Uuid)>> {
    let select = "SELECT n, change FROM shared_record ORDER BY n DESC LIMIT 1";
    let last = connection.query_row(select, [], |row| {
        Ok((row.get(0)?, Uuid::from_bytes(row.get(1)?)))
    });
    last.optional()
}

fn share(connection: &mut Connection, author: &Author) -> rusqlite::Result<()> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let who = to_json(author)?;
    if is_shared(&tx)? {
        tx.execute(
            "UPDATE shared_log SET who = ?1 WHERE who <> ?1 AND length(?1) <= ?2",
            params![who, MAX_AUTHOR_BYTES.cast_signed()],
        )?;
        return tx.commit();
    }
    tx.execute_batch(include_str!("shared.sql"))?;
    let triggers = include_str!("shared_sale.sql");
    tx.execute_batch(triggers)?;
    tx.execute_batch(&triggers.replace("link", "charge"))?;
    tx.execute("INSERT INTO shared_log VALUES (1, ?, 0)", [who])?;
    tx.execute_batch("INSERT INTO shared_change SELECT * FROM shared_part")?;
    tx.commit()
}

fn read_again(connection: &mut Connection) -> rusqlite::Result<()> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    tx.execute_batch(
        "INSERT OR IGNORE INTO shared_lost SELECT * FROM shared_record;
         DELETE FROM shared_record;",
    )?;
    tx.commit()
}

fn has_lost(connection: &Connection) -> rusqlite::Result<bool> {
    let select = "SELECT EXISTS (SELECT 1 FROM shared_lost)";
    connection.query_row(select, [], |row| row.get(0))
}

/// Stores that this history contains a record. Returns true if it contained the record before the
/// log was read again.
pub(super) fn remember(tx: &Connection, record: &Record) -> rusqlite::Result<bool> {
    let change = record.change.as_bytes().as_slice();
    tx.prepare_cached("INSERT INTO shared_record VALUES (?, ?, ?, ?, ?)")?
        .execute(params![
            record.n,
            change,
            record.kind,
            record.row.as_bytes().as_slice(),
            record.part
        ])?;
    let mut found = tx.prepare_cached("DELETE FROM shared_lost WHERE n = ? AND change = ?")?;
    Ok(found.execute(params![record.n, change])? > 0)
}

/// Forgets lost records of the part that a record of the log changes, because the log's record is
/// newer. A row that can be deleted and made again is one part.
pub(super) fn forget_lost(tx: &Connection, record: &Record) -> rusqlite::Result<()> {
    tx.prepare_cached(
        "DELETE FROM shared_lost
         WHERE id = ? AND (part = ? OR kind IN ('nickname', 'statement_line'))",
    )?
    .execute(params![record.row.as_bytes().as_slice(), record.part])
    .map(drop)
}

/// Lost parts become pending before all others, because those may need their rows. Lines are after
/// the batches and links that they need. A lost link that is settled here keeps its creator.
fn share_lost(connection: &mut Connection) -> rusqlite::Result<()> {
    if !has_lost(connection)? {
        return Ok(());
    }
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let lines = batch_lines(&tx)?;
    let first = "SELECT coalesce(min(n), 0) FROM shared_pending";
    let mut place: i64 = tx.query_row(first, [], |row| row.get(0))?;
    let mut select = tx.prepare(
        "SELECT kind, id, part FROM shared_lost
         ORDER BY kind IN ('batch_line', 'statement_line') DESC, n DESC",
    )?;
    let mut lost = select.query([])?;
    while let Some(record) = lost.next()? {
        let kind: String = record.get(0)?;
        let id = Uuid::from_bytes(record.get(1)?);
        let part: String = record.get(2)?;
        let row = match &*kind {
            _ if part == DELETED => Some(Value::Blob(id.as_bytes().to_vec())),
            "batch_line" => lines.get(&id).cloned().map(Value::Text),
            "statement_line" => Some(Value::Text(id.simple().to_string())),
            _ => local_row(&tx, &kind, id)?,
        };
        let Some(row) = row else {
            continue;
        };
        place -= 1;
        tx.prepare_cached(
            "INSERT INTO shared_pending (n, kind, row, part, change, who)
             SELECT ?1, ?2, ?3, ?4, randomblob(16), coalesce(shared_author.who, shared_log.who)
             FROM shared_log LEFT JOIN shared_author ON (kind, row, part) = (?2, ?3, ?4)
             WHERE true
             ON CONFLICT (kind, row, part) DO UPDATE SET n = excluded.n, who = excluded.who
             WHERE kind NOT IN ('batch_line', 'statement_line')",
        )?
        .execute(params![place, kind, row, part])?;
    }
    drop(lost);
    drop(select);
    tx.execute("DELETE FROM shared_lost", [])?;
    tx.commit()
}

/// The row in this file of a global id, unless it was deleted.
fn local_row(tx: &Connection, kind: &str, id: Uuid) -> rusqlite::Result<Option<Value>> {
    let select = "SELECT row FROM shared_row WHERE id = ? AND kind = ? AND row IS NOT NULL";
    let mut select = tx.prepare_cached(select)?;
    select
        .query_row(params![id.as_bytes().as_slice(), kind], |row| row.get(0))
        .optional()
}

/// The lines of all batches, as rows of `shared_pending`, by their global ids.
fn batch_lines(tx: &Connection) -> rusqlite::Result<HashMap<Uuid, String>> {
    let mut select = tx.prepare(
        "SELECT shared_row.id, number, json_array(batch, number)
         FROM batch_line JOIN shared_row ON kind = 'batch' AND row = batch",
    )?;
    let lines = select.query_map([], |row| {
        let batch = Uuid::from_bytes(row.get(0)?);
        Ok((line_id(batch, row.get(1)?), row.get(2)?))
    })?;
    lines.collect()
}

fn count_pending(connection: &Connection) -> rusqlite::Result<u64> {
    if !is_shared(connection)? {
        return Ok(0);
    }
    let count = "SELECT count(*) FROM shared_pending";
    connection.query_row(count, [], |row| Ok(row.get::<_, i64>(0)?.unsigned_abs()))
}

/// A part that changed, as a row of `shared_pending`.
struct Pending {
    n: i64,
    kind: String,
    row: Value,
    part: String,
    change: [u8; 16],
    who: String,
}

fn pending_records(
    connection: &mut Connection,
    most_rows: usize,
    most_bytes: usize,
) -> rusqlite::Result<Vec<Record>> {
    // Without a change, nothing is written: every write wakes all other processes.
    let has_any = "SELECT EXISTS (SELECT 1 FROM shared_pending)";
    if !connection.query_row(has_any, [], |row| row.get(0))? {
        return Ok(Vec::new());
    }
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut records: Vec<Record> = Vec::new();
    let mut n = last(&tx)?;
    let mut bytes = 0;
    let mut after = i64::MIN;
    while records.len() < most_rows && bytes <= most_bytes {
        let Some(pending) = next_pending(&tx, after)? else {
            break;
        };
        after = pending.n;
        // The state of a line contains the id of its batch.
        let row = id_of(&tx, &pending.kind, &pending.row, &pending.part)?;
        let state = state_of(&tx, &pending)?;
        let is_whole = pending.part == DELETED || state.is_some();
        let length = state.as_ref().map_or(0, String::len);
        if !is_whole || length > MAX_STATE_BYTES {
            tx.execute("DELETE FROM shared_pending WHERE n = ?", [pending.n])?;
            continue;
        }
        n += 1;
        bytes += length;
        records.push(Record {
            n,
            change: Uuid::from_bytes(pending.change),
            row,
            kind: pending.kind,
            part: pending.part,
            who: pending.who,
            state,
            written_by: None,
        });
    }
    tx.commit()?;
    Ok(records)
}

fn next_pending(tx: &Connection, after: i64) -> rusqlite::Result<Option<Pending>> {
    let mut statement = tx.prepare_cached(
        "SELECT n, kind, row, part, change, who FROM shared_pending WHERE n > ?
         ORDER BY n LIMIT 1",
    )?;
    let pending = statement.query_row([after], |row| {
        Ok(Pending {
            n: row.get(0)?,
            kind: row.get(1)?,
            row: row.get(2)?,
            part: row.get(3)?,
            change: row.get(4)?,
            who: row.get(5)?,
        })
    });
    pending.optional()
}

/// The current state of a part as JSON. `None` if the part or its row was deleted.
fn state_of(tx: &Connection, pending: &Pending) -> rusqlite::Result<Option<String>> {
    let Pending {
        kind, row, part, ..
    } = pending;
    let is_sale = kind == "link" || kind == "charge";
    let (state, rows) = match &**part {
        "sale" if is_sale => (SALE_STATE, "id = ?"),
        "paid" if is_sale => (PAID_STATE, "id = ?"),
        "note" if is_sale => ("json_quote(note)", "id = ?"),
        "put_away" if is_sale => ("json_quote(put_away_at)", "id = ?"),
        "batch" => (BATCH_STATE, "id = ?"),
        "batch_line" => (
            LINE_STATE,
            "(batch, number) = (?1 ->> '$[0]', ?1 ->> '$[1]')",
        ),
        "nickname" => (
            NICKNAME_STATE,
            "(origin, identity, destination)
                 = (?1 ->> '$[0]', ?1 ->> '$[1]', ?1 ->> '$[2]')",
        ),
        "statement_line" => (STATEMENT_STATE, "id = ?"),
        _ => return Ok(None),
    };
    let select = format!("SELECT {state} FROM {kind} WHERE {rows}");
    let mut statement = tx.prepare_cached(&select)?;
    statement.query_row([row], |row| row.get(0)).optional()
}

const SALE_STATE: &str =
    "json_object('at', at, 'request', json(request), 'outcome', json(outcome))";
const PAID_STATE: &str =
    "json_object('paid_at', paid_at, 'sandbox', json(iif(sandbox_paid, 'true', 'false')),
         'day', statement_day)";
const BATCH_STATE: &str =
    "json_object('at', at, 'origin', origin, 'identity', identity, 'source', json(source))";
const LINE_STATE: &str = "json_object(
    'batch', (SELECT hex(id) FROM shared_row WHERE kind = 'batch' AND row = batch),
    'number', number, 'state', state, 'cells', json(cells), 'request', json(request),
    'note', note, 'reason', reason,
    'link', (SELECT hex(id) FROM shared_row WHERE kind = 'link' AND row = link))";
const NICKNAME_STATE: &str = "json_object('at', at, 'origin', origin, 'identity', identity,
    'destination', json(destination), 'name', name)";
const STATEMENT_STATE: &str = "json_object('import', import, 'sale', sale,
    'row', (SELECT hex(id) FROM shared_row s WHERE s.kind = sale AND s.row = statement_line.row),
    'day', day, 'centavos', centavos, 'paid_at', paid_at)";

/// The global id of a row. A link, charge or batch that has none gets one.
fn id_of(tx: &Connection, kind: &str, row: &Value, part: &str) -> rusqlite::Result<Uuid> {
    match (kind, row) {
        // The row of a deleted link, charge or batch.
        (_, Value::Blob(id)) => Uuid::from_slice(id).map_err(|_| rusqlite::Error::InvalidQuery),
        ("statement_line", Value::Text(id)) => {
            Uuid::parse_str(id).map_err(|_| rusqlite::Error::InvalidQuery)
        }
        ("nickname", Value::Text(key)) => {
            let id = nickname_id(&parse_json(key)?)?;
            if part != DELETED {
                store_id(tx, id, kind, row)?;
            }
            Ok(id)
        }
        ("batch_line", Value::Text(line)) => {
            let (batch, number): (i64, i64) = parse_json(line)?;
            let batch = id_of(tx, "batch", &Value::Integer(batch), "batch")?;
            Ok(line_id(batch, number))
        }
        _ => {
            let known: Option<[u8; 16]> = tx
                .prepare_cached("SELECT id FROM shared_row WHERE kind = ? AND row = ?")?
                .query_row(params![kind, row], |row| row.get(0))
                .optional()?;
            let id = known.map_or_else(|| random_id(tx), |id| Ok(Uuid::from_bytes(id)))?;
            store_id(tx, id, kind, row)?;
            Ok(id)
        }
    }
}

fn store_id(tx: &Connection, id: Uuid, kind: &str, row: &Value) -> rusqlite::Result<()> {
    tx.prepare_cached("INSERT INTO shared_row VALUES (?, ?, ?, 0) ON CONFLICT DO NOTHING")?
        .execute(params![id.as_bytes().as_slice(), kind, row])
        .map(drop)
}

/// The global id of a nickname. It depends on the account and the Pix key, so two machines that
/// give a nickname to the same key change the same row.
pub(super) fn nickname_id(key: &[String; 3]) -> rusqlite::Result<Uuid> {
    Ok(hashed_id(&to_json(&("nickname", key))?))
}

/// The global id of a line of a batch.
pub(super) fn line_id(batch: Uuid, number: i64) -> Uuid {
    hashed_id(&format!("batch_line {batch} {number}"))
}

fn hashed_id(text: &str) -> Uuid {
    let mut id = [0; 16];
    id.copy_from_slice(&Sha256::digest(text)[..16]);
    Uuid::from_bytes(id)
}

fn random_id(tx: &Connection) -> rusqlite::Result<Uuid> {
    let mut select = tx.prepare_cached("SELECT randomblob(16)")?;
    select.query_row([], |row| row.get(0).map(Uuid::from_bytes))
}

/// The number of row ids for each millisecond, as a power of two. Such ids are exact in JSON until
/// the year 2248.
const ID_BITS: u32 = 10;

/// The greatest time in a row id, in milliseconds: the year 2109.
const MAX_ID_MS: i64 = 1 << 42;

/// Returns the id of a new row in the table `kind`, which happened at this time. Returns `None`
/// outside a mirror: SQLite then chooses the id.
pub(super) fn new_row(tx: &Connection, kind: &str, at: Wall) -> rusqlite::Result<Option<i64>> {
    if !is_shared(tx)? {
        return Ok(None);
    }
    add_row(tx, kind, random_id(tx)?, at, false)
}

/// Stores the global id of a new row in the table `kind`. Returns the id of the row in this file,
/// or `None` if too many rows have the same time.
pub(super) fn add_row(
    tx: &Connection,
    kind: &str,
    id: Uuid,
    at: Wall,
    is_foreign: bool,
) -> rusqlite::Result<Option<i64>> {
    let Some(row) = free_row(tx, kind, id, at)? else {
        return Ok(None);
    };
    tx.prepare_cached("INSERT INTO shared_row VALUES (?, ?, ?, ?)")?
        .execute(params![id.as_bytes().as_slice(), kind, row, is_foreign])?;
    Ok(Some(row))
}

/// An unused id for a row. It depends on the time and on the global id only, unless two rows of the
/// same millisecond have the same last bits. Each further attempt uses other bits and a span of
/// time twice as long.
fn free_row(tx: &Connection, kind: &str, id: Uuid, at: Wall) -> rusqlite::Result<Option<i64>> {
    let is_used = format!("SELECT EXISTS (SELECT 1 FROM {kind} WHERE id = ?)");
    let mut is_used = tx.prepare_cached(&is_used)?;
    let first = at.0.clamp(0, MAX_ID_MS) << ID_BITS;
    for attempt in 0..20 {
        let span = 1 << (ID_BITS + attempt);
        let bits = id.as_u128().rotate_right(5 * attempt) & (span - 1);
        // The row id 0 means that a row was not stored yet.
        let row = first + i64::try_from(bits).unwrap_or_default().max(1);
        if !is_used.query_row([row], |row| row.get(0))? {
            return Ok(Some(row));
        }
    }
    Ok(None)
}

fn appended(connection: &mut Connection, records: &[Record]) -> rusqlite::Result<()> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for record in records {
        confirm(&tx, record)?;
        // Another process may have read the record before this one.
        if record.n == last(&tx)? + 1 {
            remember(&tx, record)?;
        }
    }
    tx.commit()
}

/// Removes the pending part that this record contains. Returns false if no part is pending with it.
pub(super) fn confirm(tx: &Connection, record: &Record) -> rusqlite::Result<bool> {
    let mut delete = tx.prepare_cached("DELETE FROM shared_pending WHERE change = ?")?;
    Ok(delete.execute([record.change.as_bytes().as_slice()])? > 0)
}

/// True if another machine began this batch. Only the machine that began a batch continues it,
/// because its lines may be being sent there.
pub(super) fn is_foreign_batch(connection: &Connection, batch: i64) -> rusqlite::Result<bool> {
    if !is_shared(connection)? {
        return Ok(false);
    }
    connection.query_row(FOREIGN_BATCH, [batch], |row| row.get(0))
}

const FOREIGN_BATCH: &str = "SELECT EXISTS (SELECT 1 FROM shared_row
     WHERE kind = 'batch' AND row = ? AND is_foreign)";
