//! `money.db`: the SQLite database with the events of the money journal.

use std::path::Path;
use std::time::Duration;

use rusqlite::{CachedStatement, Connection, OpenFlags, OptionalExtension, ffi, params};
use uuid::Uuid;

use super::chain::{Checksum, EventRow};
use super::files::Files;
use super::storage::Rows;
use crate::journal::disk::DiskStep;
use crate::journal::lock::{self, LockGuard};
use crate::journal::safe_open;
use crate::journal::trouble::{io_trouble, sql_trouble};
use crate::journal::update::Schema;
use crate::trade::{IdempotencyKey, JournalTrouble, Wall};

/// The schema version. A file with a newer version is refused.
pub const SCHEMA: u32 = 4;

/// The steps from older versions. The first version with a step is 3.
pub(in crate::journal) const STEPS: &[&str] =
    &["ALTER TABLE event ADD COLUMN who TEXT; ALTER TABLE event ADD COLUMN written_by TEXT;"];

/// The application id of `money.db`: "balc" in ASCII. It distinguishes the file from other SQLite
/// databases.
const APPLICATION_ID: i64 = 0x6261_6c63;

/// The maximum time to wait while another program, such as a backup, locks the database.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

// The table has no index, because a damaged index could hide events.
const TABLES: &str = "CREATE TABLE event (
    n INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    key TEXT NOT NULL,
    kind TEXT NOT NULL,
    plain TEXT NOT NULL,
    personal TEXT,
    personal_sum BLOB,
    sum BLOB NOT NULL,
    who TEXT,
    written_by TEXT
) STRICT;";

const COLUMNS: &str = "n, at, key, kind, plain, personal, personal_sum, sum, who, written_by";

/// The version of the schema before the one of today. Such a file can be read without an update,
/// because a reader must not change it.
pub(super) const OLDER_SCHEMA: u32 = 3;

/// [`COLUMNS`] of a file with the older schema.
const OLDER_COLUMNS: &str = "n, at, key, kind, plain, personal, personal_sum, sum, NULL, NULL";

pub(super) struct EventFile {
    connection: Connection,
    columns: &'static str,
    /// Shows other processes that the file is in use. `None` for a reader.
    _use_lock: Option<LockGuard>,
    /// Declared last, because the connection must be closed before a temporary copy is deleted.
    pub(super) files: Files,
}

pub(super) const NAME: &str = "money.db";

/// The name of SQLite's rollback journal. After an interrupted write, this file contains the old
/// pages of the database.
pub(super) const ROLLBACK_JOURNAL: &str = "money.db-journal";

/// Checks that the four files of SQLite are regular files or do not exist.
fn check_regular_files(files: &Files) -> Result<(), JournalTrouble> {
    for name in [NAME, ROLLBACK_JOURNAL, "money.db-wal", "money.db-shm"] {
        let path = files.path(name);
        safe_open::regular_file_exists(&path).map_err(|error| io_trouble(&path, &error))?;
    }
    Ok(())
}

pub(super) fn is_missing(files: &Files) -> bool {
    matches!(files.path(NAME).try_exists(), Ok(false))
}

/// The error for a `money.db` that is missing although `money.head` exists.
pub(super) fn missing_error(files: &Files) -> JournalTrouble {
    damage(files, "it is gone, and money.head is there")
}

fn damage(files: &Files, text: &str) -> JournalTrouble {
    JournalTrouble::Damaged(format!("{}: {text}", files.path(NAME).display()))
}

impl EventFile {
    /// Opens the existing database for reading and writing. A database of an older version is
    /// updated.
    pub fn open(files: &Files) -> Result<EventFile, JournalTrouble> {
        EventFile::open_updated(
            files,
            Schema {
                version: SCHEMA,
                steps: STEPS,
            },
        )
    }

    fn open_updated(files: &Files, schema: Schema) -> Result<EventFile, JournalTrouble> {
        let file = EventFile::open_any(files)?;
        if schema.steps_from(file.schema()?).is_none() {
            return Ok(file);
        }
        drop(file);
        // Between two writes, a process that uses the file holds no lock of SQLite.
        let update_lock = lock::lock_unused_dir(&files.dir)?;
        schema.update(&files.path(NAME))?;
        drop(update_lock);
        EventFile::open_any(files)
    }

    /// Opens the existing database of any version for reading and writing.
    fn open_any(files: &Files) -> Result<EventFile, JournalTrouble> {
        let use_lock = lock::share_dir(&files.dir)?;
        check_regular_files(files)?;
        let file = EventFile::open_with_flags(files, OpenFlags::SQLITE_OPEN_READ_WRITE, use_lock)?;
        let mode: String = file
            .connection
            .query_row("PRAGMA journal_mode = DELETE", [], |row| row.get(0))
            .map_err(|error| file.to_trouble(&error))?;
        if mode != "delete" {
            return Err(file.damaged(&format!("its journal mode stays {mode}")));
        }
        // With `EXTRA`, SQLite also syncs the directory after a commit. Otherwise the deleted
        // rollback journal could reappear after a power failure, and SQLite would roll back the
        // last event. `secure_delete` overwrites purged data.
        file.execute("PRAGMA synchronous = EXTRA; PRAGMA secure_delete = ON;")?;
        Ok(file)
    }

    /// Turns off durable writes. Used for a file that is deleted when the program ends.
    pub fn disable_sync(&self) -> Result<(), JournalTrouble> {
        self.execute("PRAGMA synchronous = OFF;")
    }

    fn execute(&self, batch: &str) -> Result<(), JournalTrouble> {
        let result = self.connection.execute_batch(batch);
        result.map_err(|error| self.to_trouble(&error))
    }

    /// Opens the existing database for reading, even on a read-only disk.
    ///
    /// Returns `None` if the last write was interrupted, because SQLite would have to change the
    /// file to roll it back. A write that is still in progress in another process does no harm,
    /// because SQLite detects the locks of that process.
    pub fn open_to_read(files: &Files) -> Result<Option<EventFile>, JournalTrouble> {
        check_regular_files(files)?;
        let file = EventFile::open_with_flags(files, OpenFlags::SQLITE_OPEN_READ_ONLY, None)?;
        match probe(&file.connection) {
            Err(error) if is_interrupted_write(&error) => Ok(None),
            result => {
                // Commands that only read go through the file once, so a large page cache is of no
                // use.
                result
                    .and_then(|()| file.connection.execute_batch("PRAGMA cache_size = -256;"))
                    .map_err(|error| file.to_trouble(&error))?;
                Ok(Some(file))
            }
        }
    }

    /// Opens a copy of the database, in which SQLite rolls back the interrupted write.
    pub fn open_copy(files: &Files) -> Result<EventFile, JournalTrouble> {
        let file = EventFile::open_with_flags(files, OpenFlags::SQLITE_OPEN_READ_WRITE, None)?;
        probe(&file.connection).map_err(|error| file.to_trouble(&error))?;
        Ok(file)
    }

    fn open_with_flags(
        files: &Files,
        flags: OpenFlags,
        use_lock: Option<LockGuard>,
    ) -> Result<EventFile, JournalTrouble> {
        let connection = connect(&files.path_to_read(NAME), flags);
        let connection = connection.map_err(|error| sql_trouble(&files.path(NAME), &error))?;
        // An error, for example because of an interrupted write, is reported by the first read.
        let version = connection.query_row("PRAGMA user_version", [], |row| row.get(0));
        Ok(EventFile {
            columns: match version {
                Ok(OLDER_SCHEMA) => OLDER_COLUMNS,
                _ => COLUMNS,
            },
            connection,
            _use_lock: use_lock,
            files: files.clone(),
        })
    }

    pub fn is_copy(&self) -> bool {
        self.files.copy.is_some()
    }

    /// The error with the path of the original file, because damage in a copy is damage in the
    /// original.
    fn to_trouble(&self, error: &rusqlite::Error) -> JournalTrouble {
        sql_trouble(&self.files.path(NAME), error)
    }

    fn prepare(&self, clause: &str) -> Result<CachedStatement<'_>, JournalTrouble> {
        self.connection
            .prepare_cached(&format!("SELECT {} FROM event {clause}", self.columns))
            .map_err(|error| self.to_trouble(&error))
    }

    fn query_number(&self, sql: &str) -> Result<i64, JournalTrouble> {
        self.connection
            .query_row(sql, [], |row| row.get(0))
            .map_err(|error| self.to_trouble(&error))
    }

    fn step(
        &self,
        step: DiskStep,
        act: &dyn Fn(&Connection) -> rusqlite::Result<()>,
    ) -> Result<(), JournalTrouble> {
        let mut act = || act(&self.connection).map_err(std::io::Error::other);
        let result = self.files.disk.step(step, &mut act);
        result.map_err(|error| io_trouble(&self.files.path(NAME), &error))
    }
}

impl Rows for EventFile {
    fn schema(&self) -> Result<u32, JournalTrouble> {
        let tables = self.query_number("SELECT count(*) FROM sqlite_schema")?;
        let application = self.query_number("PRAGMA application_id")?;
        let found = self.query_number("PRAGMA user_version")?;
        match (u32::try_from(found), application, tables) {
            (Ok(0), 0, 0) => Ok(0),
            (Ok(found), APPLICATION_ID, 1..) if found > 0 => Ok(found),
            _ => Err(self.damaged("not a journal of this program")),
        }
    }

    fn create(&self) -> Result<(), JournalTrouble> {
        let batch = format!(
            "BEGIN IMMEDIATE; {TABLES} PRAGMA application_id = {APPLICATION_ID};
             PRAGMA user_version = {SCHEMA}; COMMIT;"
        );
        self.step(DiskStep::CreateSchema, &|c| c.execute_batch(&batch))
    }

    fn check_structure(&self) -> Result<(), JournalTrouble> {
        let report: String = self
            .connection
            .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
            .map_err(|error| self.to_trouble(&error))?;
        if report == "ok" {
            Ok(())
        } else {
            Err(self.damaged(&report))
        }
    }

    fn begin(&self) -> Result<(), JournalTrouble> {
        // Roll back a transaction that an earlier panic may have left open.
        self.roll_back();
        self.step(DiskStep::Begin, &|c| c.execute_batch("BEGIN IMMEDIATE"))
    }

    fn append(&self, row: &EventRow) -> Result<(), JournalTrouble> {
        let insert = format!("INSERT INTO event ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        self.step(DiskStep::Append, &|c| {
            let values = params![
                row.n,
                row.at.0,
                row.key.to_string(),
                row.kind,
                row.plain,
                row.personal,
                row.personal_sum,
                row.sum,
                row.who,
                row.written_by
            ];
            c.execute(&insert, values).map(|_| ())
        })
    }

    fn erase_personal_data(&self, events: &[i64]) -> Result<(), JournalTrouble> {
        self.step(DiskStep::Purge, &|c| {
            let mut erase = c.prepare_cached("UPDATE event SET personal = NULL WHERE n = ?")?;
            events
                .iter()
                .try_for_each(|n| erase.execute([n]).map(|_| ()))
        })
    }

    fn commit(&self) -> Result<(), JournalTrouble> {
        self.step(DiskStep::Commit, &|c| c.execute_batch("COMMIT"))
    }

    fn roll_back(&self) {
        if !self.connection.is_autocommit() {
            // Ignore errors. SQLite has already rolled back, or it will do so when it next opens
            // the file.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
    }

    fn for_each_row_from(
        &self,
        n: i64,
        limit: i64,
        each: &mut dyn FnMut(EventRow) -> Result<(), JournalTrouble>,
    ) -> Result<(), JournalTrouble> {
        let mut statement = self.prepare("WHERE n >= ? ORDER BY n LIMIT ?")?;
        let mut rows = statement
            .query([n, limit])
            .map_err(|error| self.to_trouble(&error))?;
        while let Some(row) = rows.next().map_err(|error| self.to_trouble(&error))? {
            each(read_row(row).map_err(|error| self.to_trouble(&error))?)?;
        }
        Ok(())
    }

    fn find(&self, n: i64) -> Result<Option<EventRow>, JournalTrouble> {
        let mut statement = self.prepare("WHERE n = ?")?;
        statement
            .query_row([n], read_row)
            .optional()
            .map_err(|error| self.to_trouble(&error))
    }

    fn sum(&self, n: i64) -> Result<Option<Checksum>, JournalTrouble> {
        self.connection
            .prepare_cached("SELECT sum FROM event WHERE n = ?")
            .and_then(|mut statement| statement.query_row([n], |row| row.get(0)).optional())
            .map_err(|error| self.to_trouble(&error))
    }

    fn in_read_transaction(
        &self,
        read: &mut dyn FnMut() -> Result<(), JournalTrouble>,
    ) -> Result<(), JournalTrouble> {
        // A write transaction is open, so no other process can write. No read transaction is
        // necessary.
        if !self.connection.is_autocommit() {
            return read();
        }
        self.execute("BEGIN")?;
        let result = read();
        let end_result = self.execute("ROLLBACK");
        result.and(end_result)
    }

    fn damaged(&self, text: &str) -> JournalTrouble {
        damage(&self.files, text)
    }
}

fn connect(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;")?;
    Ok(connection)
}

/// Reads from the database once, so that SQLite checks for an interrupted write.
fn probe(connection: &Connection) -> rusqlite::Result<()> {
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))
}

fn is_interrupted_write(error: &rusqlite::Error) -> bool {
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
        who: row.get(8)?,
        written_by: row.get(9)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::kept_copies;
    use crate::journal::money::samples;

    #[test]
    fn older_file_is_updated_unless_a_window_uses_it() {
        let (dir, journal) = samples::new_journal();
        let newer = Schema {
            version: SCHEMA + 1,
            steps: &["ALTER TABLE event ADD COLUMN tag TEXT"],
        };
        let opened = EventFile::open_updated(&Files::new(dir.path()), newer);
        assert!(matches!(opened, Err(JournalTrouble::Busy(_))));
        assert_eq!(kept_copies(dir.path()).len(), 0);
        drop(journal);
        let file = EventFile::open_updated(&Files::new(dir.path()), newer).unwrap();
        assert_eq!(file.schema(), Ok(SCHEMA + 1));
        assert_eq!(
            kept_copies(dir.path()),
            [dir.path().join("money-before-update.db")]
        );
        let again = EventFile::open_updated(&Files::new(dir.path()), newer).unwrap();
        assert_eq!(again.query_number("SELECT count(tag) FROM event"), Ok(0));
        assert_eq!(file.query_number("SELECT count(*) FROM event"), Ok(0));
    }

    #[test]
    fn only_temporary_file_is_not_synced() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(NAME), "").unwrap();
        let file = EventFile::open(&Files::new(dir.path())).unwrap();
        let synchronous = || -> i64 {
            file.connection
                .query_row("PRAGMA synchronous", [], |row| row.get(0))
                .unwrap()
        };
        assert_eq!(synchronous(), 3, "EXTRA");
        file.disable_sync().unwrap();
        assert_eq!(synchronous(), 0, "OFF");
    }
}
