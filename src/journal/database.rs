//! Opens an SQLite file that may be lost without losing money, and creates or updates its tables. A
//! damaged file is renamed, so that a new one can replace it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use super::trouble::{io_trouble, sql_trouble};
use super::update::Schema;
use super::{directory, safe_open};
use crate::trade::checkup::DatabaseContents;
use crate::trade::{JournalTrouble, Wall};

/// The maximum time to wait while another process writes to the file. A write usually takes a few
/// milliseconds.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The suffixes of SQLite's three files: the database, its write-ahead log, and the index of that
/// log.
const SUFFIXES: [&str; 3] = ["", "-wal", "-shm"];

/// Describes a database file, such as the history. A directory contains at most one file of each
/// kind.
pub(super) struct Database {
    /// The name of the file, without its extension.
    pub(super) name: &'static str,
    /// The SQL statements that create the tables of the current version.
    pub(super) tables: &'static str,
    pub(super) schema: Schema,
    /// SQLite's setting `synchronous`. `FULL` makes every write durable. With `NORMAL`, the last
    /// writes may be lost in a power failure, but the file stays consistent.
    pub(super) synchronous: &'static str,
}

/// A damaged database that was renamed to make room for a new one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenamedFile {
    /// The new path of the damaged file.
    pub new_path: PathBuf,
    /// The description of the damage.
    pub reason: String,
}

impl Database {
    pub(super) fn path(&self, dir: &Path) -> PathBuf {
        dir.join(self.name).with_extension("db")
    }

    /// Opens the file, and creates it if it does not exist. A file of an older version is updated.
    /// If `is_temporary` is true, writes are not synced to disk.
    ///
    /// # Errors
    ///
    /// Returns [`JournalTrouble::Damaged`] for a file that is empty, has no schema, or is shorter
    /// than its header says. Such a file is not changed.
    pub(super) fn open(
        &self,
        dir: &Path,
        is_temporary: bool,
    ) -> Result<Connection, JournalTrouble> {
        let path = self.path(dir);
        directory::create(dir).map_err(|error| io_trouble(&path, &error))?;
        if !check_files(dir, &path)? {
            self.create(dir, &path, is_temporary)?;
        }
        let to_trouble = |error: rusqlite::Error| sql_trouble(&path, &error);
        let mut connection = self
            .connect_to_write(&path, is_temporary)
            .map_err(to_trouble)?;
        if self.verify(&path, &connection)? < self.schema.version {
            drop(connection);
            self.schema.update(&path)?;
            connection = self
                .connect_to_write(&path, is_temporary)
                .map_err(to_trouble)?;
        }
        connection
            .execute_batch("PRAGMA secure_delete = ON;")
            .map_err(to_trouble)?;
        Ok(connection)
    }

    /// Opens an existing file for reading, and leaves a damaged file as it is. Returns `None` if
    /// there is no file.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`open`](Database::open). A file of an older version is refused,
    /// because it cannot be updated without changing it.
    pub(super) fn open_to_read(&self, dir: &Path) -> Result<Option<Connection>, JournalTrouble> {
        let path = self.path(dir);
        if !dir.exists() || !check_files(dir, &path)? {
            return Ok(None);
        }
        // When a writable connection is closed, SQLite moves the write-ahead log into the file.
        // Without a log, a read-only connection would leave an empty one behind.
        let access = if with_suffix(&path, "-wal").exists() {
            OpenFlags::SQLITE_OPEN_READ_ONLY
        } else {
            OpenFlags::SQLITE_OPEN_READ_WRITE
        };
        let connection = connect(&path, access).map_err(|error| sql_trouble(&path, &error))?;
        match self.verify(&path, &connection)? {
            found if found < self.schema.version => Err(self.other_version(found)),
            _ => Ok(Some(connection)),
        }
    }

    /// Creates the file with its schema. The file gets its name only when it is complete, so an
    /// empty file is always damage. If another process creates the file first, that one is kept.
    fn create(&self, dir: &Path, path: &Path, is_temporary: bool) -> Result<(), JournalTrouble> {
        let new_file = tempfile::Builder::new().prefix(".new-").tempfile_in(dir);
        let new_path = new_file
            .map_err(|error| io_trouble(path, &error))?
            .into_temp_path();
        let created = self
            .connect_to_write(&new_path, is_temporary)
            .and_then(|mut connection| {
                self.create_schema(&mut connection)?;
                connection.close().map_err(|(_, error)| error)
            });
        created.map_err(|error| sql_trouble(path, &error))?;
        match new_path.persist_noclobber(path) {
            Err(error) if error.error.kind() != io::ErrorKind::AlreadyExists => {
                Err(io_trouble(path, &error.error))
            }
            _ => Ok(()),
        }
    }

    fn connect_to_write(&self, path: &Path, is_temporary: bool) -> rusqlite::Result<Connection> {
        let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let synchronous = if is_temporary {
            "OFF"
        } else {
            self.synchronous
        };
        connection.pragma_update(None, "synchronous", synchronous)?;
        connection.query_row("PRAGMA journal_mode = WAL", [], |row| {
            row.get::<_, String>(0)
        })?;
        Ok(connection)
    }

    /// The schema version of an open file. Checks that the version is the current one or can be
    /// updated, and that the file is not cut short.
    fn verify(&self, path: &Path, connection: &Connection) -> Result<u32, JournalTrouble> {
        let found = schema_version(connection).map_err(|error| sql_trouble(path, &error))?;
        if found == 0 {
            return Err(damaged(path, "it has no tables"));
        }
        if found != self.schema.version && self.schema.steps_from(found).is_none() {
            return Err(self.other_version(found));
        }
        if is_cut_short(path, connection).map_err(|error| sql_trouble(path, &error))? {
            Err(damaged(path, "its end is missing"))
        } else {
            Ok(found)
        }
    }

    fn other_version(&self, found: u32) -> JournalTrouble {
        JournalTrouble::OtherVersion {
            found,
            known: self.schema.version,
        }
    }

    /// Opens a new database in memory.
    pub(super) fn open_in_memory(&self) -> Result<Connection, JournalTrouble> {
        let connection = Connection::open_in_memory().and_then(|mut connection| {
            self.create_schema(&mut connection)?;
            Ok(connection)
        });
        connection.map_err(|error| sql_trouble(Path::new(self.name), &error))
    }

    /// Checks the whole file without changing anything, and counts the rows of the tables, which
    /// have a name for the report. Returns `None` if there is no file.
    ///
    /// # Errors
    ///
    /// Returns the same error as [`open`](Database::open). Also returns
    /// [`JournalTrouble::Damaged`] if any page of the file is damaged.
    pub(super) fn examine(
        &self,
        dir: &Path,
        tables: &[(&'static str, &str)],
    ) -> Result<Option<DatabaseContents>, JournalTrouble> {
        let path = self.path(dir);
        if !dir.exists() || !check_files(dir, &path)? {
            return Ok(None);
        }
        // Without a write-ahead log, no process is using the file. It is then read without locks,
        // because SQLite would leave the files for its locks behind.
        let log = with_suffix(&path, "-wal");
        let was_used = log.exists();
        match self.examine_pages(&path, tables, was_used) {
            // A write by a process that has just opened the file looks like damage.
            Err(JournalTrouble::Damaged(_)) if !was_used && log.exists() => {
                self.examine_pages(&path, tables, true).map(Some)
            }
            result => result.map(Some),
        }
    }

    fn examine_pages(
        &self,
        path: &Path,
        tables: &[(&'static str, &str)],
        takes_locks: bool,
    ) -> Result<DatabaseContents, JournalTrouble> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let address = uri(path, takes_locks).map_err(|error| io_trouble(path, &error))?;
        let connection =
            connect(Path::new(&address), flags).map_err(|error| sql_trouble(path, &error))?;
        let schema = self.verify(path, &connection)?;
        let check = "PRAGMA quick_check(1)";
        let report = connection.query_row(check, [], |row| row.get::<_, String>(0));
        let report = report.map_err(|error| sql_trouble(path, &error))?;
        if report != "ok" {
            return Err(damaged(path, &report));
        }
        let rows = tables.iter().map(|(name, table)| {
            let query = format!("SELECT count(*) FROM {table}");
            let count = connection.query_row(&query, [], |row| row.get::<_, u32>(0));
            count.map(|count| (*name, count.into()))
        });
        let rows = rows.collect::<rusqlite::Result<_>>();
        Ok(DatabaseContents {
            schema,
            rows: rows.map_err(|error| sql_trouble(path, &error))?,
        })
    }

    fn create_schema(&self, connection: &mut Connection) -> rusqlite::Result<()> {
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        tx.execute_batch(self.tables)?;
        tx.pragma_update(None, "user_version", self.schema.version)?;
        tx.commit()
    }

    /// Opens a file by calling `open`. If the file is damaged, it is renamed, and a new file is
    /// created and opened.
    pub(super) fn open_replacing_damaged<T>(
        &self,
        dir: &Path,
        now: Wall,
        open: impl Fn() -> Result<T, JournalTrouble>,
    ) -> Result<(T, Option<RenamedFile>), JournalTrouble> {
        match open() {
            Err(JournalTrouble::Damaged(why)) => {
                let moved = self.rename_damaged(dir, now, why)?;
                Ok((open()?, Some(moved)))
            }
            result => result.map(|value| (value, None)),
        }
    }

    /// Renames a damaged file to a name such as `history-damaged-2026-11-21T054219Z.db`. The caller
    /// must close the file first.
    fn rename_damaged(
        &self,
        dir: &Path,
        now: Wall,
        why: String,
    ) -> Result<RenamedFile, JournalTrouble> {
        let from = self.path(dir);
        let name = self.damaged_name_prefix();
        let to = directory::unused_path(dir, [&name, ".db"], now, |name| {
            SUFFIXES
                .iter()
                .any(|suffix| with_suffix(name, suffix).exists())
        });
        for suffix in SUFFIXES {
            let from = with_suffix(&from, suffix);
            let to = with_suffix(&to, suffix);
            match fs::rename(&from, &to) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(io_trouble(&from, &error));
                }
                _ => {}
            }
        }
        Ok(RenamedFile {
            new_path: to,
            reason: why,
        })
    }

    /// The names of the damaged files that were renamed, in alphabetical order.
    pub(super) fn renamed_files(&self, dir: &Path) -> Vec<String> {
        let names = fs::read_dir(dir).into_iter().flatten().flatten();
        let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let prefix = self.damaged_name_prefix();
        let mut names: Vec<_> = names
            .filter(|name| name.starts_with(&prefix) && name.ends_with(".db"))
            .collect();
        names.sort();
        names
    }

    fn damaged_name_prefix(&self) -> String {
        format!("{}-damaged", self.name)
    }
}

pub(super) fn connect(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    Ok(connection)
}

/// True if the file is shorter than its header says.
fn is_cut_short(path: &Path, connection: &Connection) -> rusqlite::Result<bool> {
    // Within a transaction, no other process can move its writes into the file.
    let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Deferred)?;
    let pages: u32 = transaction.query_row("PRAGMA page_count", [], |row| row.get(0))?;
    let page_size: u32 = transaction.query_row("PRAGMA page_size", [], |row| row.get(0))?;
    // The last pages may be only in the write-ahead log.
    let has_log = length_of(&with_suffix(path, "-wal")) > 0;
    Ok(!has_log && length_of(path) < u64::from(pages) * u64::from(page_size))
}

/// The length of a file in bytes. 0 if it does not exist.
pub(super) fn length_of(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}

fn damaged(path: &Path, reason: &str) -> JournalTrouble {
    JournalTrouble::Damaged(format!("{}: {reason}", path.display()))
}

/// A URI for SQLite. If `takes_locks` is false, SQLite assumes that the file never changes (the
/// option `immutable=1`).
pub(super) fn uri(path: &Path, takes_locks: bool) -> io::Result<String> {
    let mut url = url::Url::from_file_path(std::path::absolute(path)?)
        .map_err(|()| io::ErrorKind::InvalidFilename)?;
    if !takes_locks {
        url.set_query(Some("immutable=1"));
    }
    Ok(url.into())
}

pub(super) fn schema_version(connection: &Connection) -> rusqlite::Result<u32> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// The size of the header of an SQLite file, in bytes.
const HEADER_BYTES: u64 = 100;

/// Checks the directory, the file and SQLite's related files. Returns false if the file does not
/// exist.
///
/// # Errors
///
/// Fails if a file is not a regular file, or if other users can write to the directory. A file
/// without a whole header is damage: SQLite would take it for a new database.
fn check_files(dir: &Path, path: &Path) -> Result<bool, JournalTrouble> {
    let length = length_if_regular(dir, path);
    match length.map_err(|error| io_trouble(path, &error))? {
        Some(0) => Err(damaged(path, "it is empty")),
        Some(length) if length < HEADER_BYTES => Err(damaged(path, "its end is missing")),
        length => Ok(length.is_some()),
    }
}

/// The length of the database in bytes. `None` if it does not exist. Fails if the directory or a
/// file of the database is not safe to use.
fn length_if_regular(dir: &Path, path: &Path) -> io::Result<Option<u64>> {
    directory::check_private(dir)?;
    // SQLite opens the write-ahead log and its index by name. Check both without opening them,
    // because opening them here could release SQLite's locks (see
    // `safe_open::regular_file_exists`).
    for suffix in &SUFFIXES[1..] {
        safe_open::regular_file_exists(&with_suffix(path, suffix))?;
    }
    if safe_open::regular_file_exists(path)? {
        fs::metadata(path).map(|metadata| Some(metadata.len()))
    } else {
        Ok(None)
    }
}

pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}
