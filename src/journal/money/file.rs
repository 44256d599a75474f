//! `money.db`: the SQLite database with the events of the money journal.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{CachedStatement, Connection, OpenFlags, OptionalExtension, ffi, params};
use tempfile::TempDir;
use uuid::Uuid;

use super::chain::{EventRow, Sum};
use super::storage::Rows;
use crate::journal::disk::{Disk, DiskStep};
use crate::journal::safe_open;
use crate::journal::trouble::{io_trouble, sql_trouble};
use crate::trade::{IdempotencyKey, JournalTrouble, Wall};

/// The schema version. A file with a different version is refused.
pub const SCHEMA: u32 = 3;

/// The application id of `money.db`: "balc" in ASCII. It distinguishes the file from other SQLite
/// databases.
const APPLICATION: i64 = 0x6261_6c63;

/// The maximum time to wait while another program, such as a backup, locks the database.
const BUSY: Duration = Duration::from_secs(5);

// The table has no index, because a damaged index could hide events.
const TABLES: &str = "CREATE TABLE event (
    n INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    key TEXT NOT NULL,
    kind TEXT NOT NULL,
    plain TEXT NOT NULL,
    personal TEXT,
    personal_sum BLOB,
    sum BLOB NOT NULL
) STRICT;";

const COLUMNS: &str = "n, at, key, kind, plain, personal, personal_sum, sum";

pub(super) struct EventFile {
    path: PathBuf,
    connection: Connection,
    /// The temporary directory of the copy, if this is a copy of the database. Declared last,
    /// because the connection must be closed before the directory is deleted.
    _copy: Option<TempDir>,
}

pub(super) fn path(dir: &Path) -> PathBuf {
    dir.join("money.db")
}

/// Returns the path of SQLite's rollback journal. After an interrupted write, it contains the pages
/// as they were before the write.
pub(super) fn old_pages(dir: &Path) -> PathBuf {
    dir.join("money.db-journal")
}

/// Checks that each file that SQLite may open is a regular file or does not exist.
fn are_plain(dir: &Path) -> Result<(), JournalTrouble> {
    for name in ["money.db", "money.db-journal", "money.db-wal", "money.db-shm"] {
        let path = dir.join(name);
        safe_open::is_there(&path).map_err(|error| io_trouble(&path, &error))?;
    }
    Ok(())
}

/// Returns true if `money.db` does not exist.
pub(super) fn is_gone(dir: &Path) -> bool {
    matches!(path(dir).try_exists(), Ok(false))
}

/// Returns the error for a `money.db` that is missing although `money.head` exists.
pub(super) fn gone(dir: &Path) -> JournalTrouble {
    let path = path(dir);
    JournalTrouble::Damaged(format!("{}: it is gone, and money.head is there", path.display()))
}

impl EventFile {
    /// Opens the existing database for reading and writing.
    pub fn open(dir: &Path) -> Result<EventFile, JournalTrouble> {
        are_plain(dir)?;
        let path = path(dir);
        let wrong = |error: rusqlite::Error| sql_trouble(&path, &error);
        let connection = connect(&path, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(wrong)?;
        let mode: String = connection
            .query_row("PRAGMA journal_mode = DELETE", [], |row| row.get(0))
            .map_err(wrong)?;
        if mode != "delete" {
            let text = format!("{}: its journal mode stays {mode}", path.display());
            return Err(JournalTrouble::Damaged(text));
        }
        // With `EXTRA`, SQLite also syncs the directory after a commit. Otherwise the deleted
        // rollback journal could reappear after a power failure, and SQLite would roll back the
        // last event. `secure_delete` overwrites purged data.
        connection
            .execute_batch("PRAGMA synchronous = EXTRA; PRAGMA secure_delete = ON;")
            .map_err(wrong)?;
        Ok(EventFile { path, connection, _copy: None })
    }

    /// Turns off durable writes, because the file is deleted when the program ends.
    pub fn end_with_program(&self) -> Result<(), JournalTrouble> {
        let off = self.connection.execute_batch("PRAGMA synchronous = OFF;");
        off.map_err(|error| sql_trouble(&self.path, &error))
    }

    /// Opens the existing database for reading, even on a read-only disk.
    ///
    /// Returns `None` if the last write was interrupted, because SQLite would have to change the
    /// file to roll it back. A write that is still in progress in another process does no harm,
    /// because SQLite detects the locks of that process.
    pub fn open_to_read(dir: &Path) -> Result<Option<EventFile>, JournalTrouble> {
        are_plain(dir)?;
        let path = path(dir);
        let wrong = |error: rusqlite::Error| sql_trouble(&path, &error);
        let connection = connect(&path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(wrong)?;
        match probe(&connection) {
            Err(error) if is_cut_short(&error) => Ok(None),
            looked => {
                looked.map_err(wrong)?;
                Ok(Some(EventFile { path, connection, _copy: None }))
            }
        }
    }

    /// Opens a copy of the database, in which SQLite rolls back the interrupted write.
    pub fn open_copy(dir: &Path, copy: TempDir) -> Result<EventFile, JournalTrouble> {
        // Name the original file in errors, because damage in the copy is damage in the original.
        let path = path(dir);
        let wrong = |error: rusqlite::Error| sql_trouble(&path, &error);
        let copied = self::path(copy.path());
        let connection = connect(&copied, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(wrong)?;
        probe(&connection).map_err(wrong)?;
        Ok(EventFile { path, connection, _copy: Some(copy) })
    }

    fn wrong(&self, error: &rusqlite::Error) -> JournalTrouble {
        sql_trouble(&self.path, error)
    }

    fn prepare(&self, rest: &str) -> Result<CachedStatement<'_>, JournalTrouble> {
        self.connection
            .prepare_cached(&format!("SELECT {COLUMNS} FROM event {rest}"))
            .map_err(|error| self.wrong(&error))
    }

    fn number(&self, question: &str) -> Result<i64, JournalTrouble> {
        self.connection
            .query_row(question, [], |row| row.get(0))
            .map_err(|error| self.wrong(&error))
    }

    fn step(
        &self,
        disk: &dyn Disk,
        step: DiskStep,
        act: &dyn Fn(&Connection) -> rusqlite::Result<()>,
    ) -> Result<(), JournalTrouble> {
        disk.step(step, &mut || act(&self.connection).map_err(std::io::Error::other))
            .map_err(|error| io_trouble(&self.path, &error))
    }
}

impl Rows for EventFile {
    fn schema(&self) -> Result<u32, JournalTrouble> {
        let tables = self.number("SELECT count(*) FROM sqlite_schema")?;
        let application = self.number("PRAGMA application_id")?;
        let found = self.number("PRAGMA user_version")?;
        match (u32::try_from(found), application, tables) {
            (Ok(0), 0, 0) => Ok(0),
            (Ok(found), APPLICATION, 1..) if found > 0 => Ok(found),
            _ => Err(self.damaged("not a journal of this program")),
        }
    }

    fn create(&self, disk: &dyn Disk) -> Result<(), JournalTrouble> {
        let batch = format!(
            "BEGIN IMMEDIATE; {TABLES} PRAGMA application_id = {APPLICATION};
             PRAGMA user_version = {SCHEMA}; COMMIT;"
        );
        self.step(disk, DiskStep::CreateSchema, &|c| c.execute_batch(&batch))
    }

    fn check_whole(&self) -> Result<(), JournalTrouble> {
        let said: String = self
            .connection
            .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
            .map_err(|error| self.wrong(&error))?;
        if said == "ok" { Ok(()) } else { Err(self.damaged(&said)) }
    }

    fn begin(&self, disk: &dyn Disk) -> Result<(), JournalTrouble> {
        // Roll back a transaction that an earlier panic may have left open.
        self.roll_back();
        self.step(disk, DiskStep::Begin, &|c| c.execute_batch("BEGIN IMMEDIATE"))
    }

    fn append(&self, row: &EventRow, disk: &dyn Disk) -> Result<(), JournalTrouble> {
        let insert = format!("INSERT INTO event ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
        self.step(disk, DiskStep::Append, &|c| {
            let values = params![
                row.n,
                row.at.0,
                row.key.to_string(),
                row.kind,
                row.plain,
                row.personal,
                row.personal_sum,
                row.sum
            ];
            c.execute(&insert, values).map(|_| ())
        })
    }

    fn blank(&self, events: &[i64], disk: &dyn Disk) -> Result<(), JournalTrouble> {
        self.step(disk, DiskStep::Purge, &|c| {
            let mut blank = c.prepare_cached("UPDATE event SET personal = NULL WHERE n = ?")?;
            events.iter().try_for_each(|n| blank.execute([n]).map(|_| ()))
        })
    }

    fn commit(&self, disk: &dyn Disk) -> Result<(), JournalTrouble> {
        self.step(disk, DiskStep::Commit, &|c| c.execute_batch("COMMIT"))
    }

    fn roll_back(&self) {
        if !self.connection.is_autocommit() {
            // Ignore errors. SQLite has already rolled back, or it will do so when it next opens
            // the file.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
    }

    fn each_from(
        &self,
        n: i64,
        most: i64,
        each: &mut dyn FnMut(EventRow) -> Result<(), JournalTrouble>,
    ) -> Result<(), JournalTrouble> {
        let mut statement = self.prepare("WHERE n >= ? ORDER BY n LIMIT ?")?;
        let mut rows = statement.query([n, most]).map_err(|error| self.wrong(&error))?;
        while let Some(row) = rows.next().map_err(|error| self.wrong(&error))? {
            each(read_row(row).map_err(|error| self.wrong(&error))?)?;
        }
        Ok(())
    }

    fn find(&self, n: i64) -> Result<Option<EventRow>, JournalTrouble> {
        let mut statement = self.prepare("WHERE n = ?")?;
        statement.query_row([n], read_row).optional().map_err(|error| self.wrong(&error))
    }

    fn sum(&self, n: i64) -> Result<Option<Sum>, JournalTrouble> {
        self.connection
            .prepare_cached("SELECT sum FROM event WHERE n = ?")
            .and_then(|mut statement| statement.query_row([n], |row| row.get(0)).optional())
            .map_err(|error| self.wrong(&error))
    }

    fn in_one_read(
        &self,
        read: &mut dyn FnMut() -> Result<(), JournalTrouble>,
    ) -> Result<(), JournalTrouble> {
        // In a write transaction, no other process can write, so no read transaction is necessary.
        if !self.connection.is_autocommit() {
            return read();
        }
        let run = |batch| self.connection.execute_batch(batch).map_err(|error| self.wrong(&error));
        run("BEGIN")?;
        let was_read = read();
        let ended = run("ROLLBACK");
        was_read.and(ended)
    }

    fn damaged(&self, text: &str) -> JournalTrouble {
        JournalTrouble::Damaged(format!("{}: {text}", self.path.display()))
    }
}

fn connect(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(BUSY)?;
    connection.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;")?;
    Ok(connection)
}

/// Reads from the database once, so that SQLite checks for an interrupted write.
fn probe(connection: &Connection) -> rusqlite::Result<()> {
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))
}

fn is_cut_short(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map(|error| error.extended_code);
    code == Some(ffi::SQLITE_READONLY_ROLLBACK)
}

fn read_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<EventRow> {
    let key: String = row.get(2)?;
    // Accept a key only in the spelling that this program writes. A different spelling means that
    // another program changed the row.
    let key = Uuid::parse_str(&key)
        .ok()
        .filter(|uuid| uuid.hyphenated().to_string() == key)
        .ok_or_else(|| rusqlite::Error::InvalidColumnName("key".into()))?;
    Ok(EventRow {
        n: row.get(0)?,
        at: Wall(row.get(1)?),
        key: IdempotencyKey(key),
        kind: row.get(3)?,
        plain: row.get(4)?,
        personal: row.get(5)?,
        personal_sum: row.get(6)?,
        sum: row.get(7)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_file_that_ends_with_program_is_not_synced() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(path(dir.path()), "").unwrap();
        let file = EventFile::open(dir.path()).unwrap();
        let synchronous = || -> i64 {
            file.connection.query_row("PRAGMA synchronous", [], |row| row.get(0)).unwrap()
        };
        assert_eq!(synchronous(), 3, "EXTRA");
        file.end_with_program().unwrap();
        assert_eq!(synchronous(), 0, "OFF");
    }
}
