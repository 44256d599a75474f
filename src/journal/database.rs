//! Opens an SQLite file that may be lost without losing money, and creates its schema. A damaged
//! file is renamed, so that a new one can replace it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use super::trouble::{io_trouble, sql_trouble};
use super::{directory, safe_open};
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
    /// The SQL statements that create the schema.
    pub(super) schema: &'static str,
    /// The schema version. A file with a different version is refused.
    pub(super) version: u32,
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

    /// Opens the file, and creates it if it does not exist. If `is_temporary` is true, writes are
    /// not synced to disk.
    pub(super) fn open(
        &self,
        dir: &Path,
        is_temporary: bool,
    ) -> Result<Connection, JournalTrouble> {
        let path = self.path(dir);
        create_file(dir, &path).map_err(|error| io_trouble(&path, &error))?;
        let to_trouble = |error: rusqlite::Error| sql_trouble(&path, &error);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(&path, flags).map_err(to_trouble)?;
        connection.busy_timeout(BUSY_TIMEOUT).map_err(to_trouble)?;
        let synchronous = if is_temporary { "OFF" } else { self.synchronous };
        connection.pragma_update(None, "synchronous", synchronous).map_err(to_trouble)?;
        connection
            .query_row("PRAGMA journal_mode = WAL", [], |row| row.get::<_, String>(0))
            .map_err(to_trouble)?;
        connection.execute_batch("PRAGMA secure_delete = ON;").map_err(to_trouble)?;
        match schema_version(&connection).map_err(to_trouble)? {
            0 => self.create_schema(&mut connection).map_err(to_trouble)?,
            found if found == self.version => {}
            found => return Err(JournalTrouble::OtherVersion { found, known: self.version }),
        }
        Ok(connection)
    }

    /// Opens a new database in memory.
    pub(super) fn open_in_memory(&self) -> Result<Connection, JournalTrouble> {
        let connection = Connection::open_in_memory().and_then(|mut connection| {
            self.create_schema(&mut connection)?;
            Ok(connection)
        });
        connection.map_err(|error| sql_trouble(Path::new(self.name), &error))
    }

    /// Returns the schema version of the file in a directory without locking or changing anything.
    /// Returns `None` if there is no file, and `Some(None)` if the file has no schema yet.
    ///
    /// Data that is only in the write-ahead log is ignored. The file is opened only through SQLite:
    /// if other code opened and closed it, this process would lose SQLite's locks on it.
    ///
    /// # Errors
    ///
    /// Returns [`JournalTrouble::OtherVersion`] if the schema has a different version.
    pub(super) fn schema_on_disk(&self, dir: &Path) -> Result<Option<Option<u32>>, JournalTrouble> {
        let path = self.path(dir);
        if !safe_open::regular_file_exists(&path).map_err(|error| io_trouble(&path, &error))? {
            return Ok(None);
        }
        let to_trouble = |error: rusqlite::Error| sql_trouble(&path, &error);
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_URI
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let address = immutable_uri(&path).map_err(|error| io_trouble(&path, &error))?;
        let connection = Connection::open_with_flags(address, flags).map_err(to_trouble)?;
        match schema_version(&connection).map_err(to_trouble)? {
            // The version is 0 if another process has just created the file. Its schema is then
            // only in the write-ahead log.
            0 => Ok(Some(None)),
            found if found == self.version => Ok(Some(Some(found))),
            found => Err(JournalTrouble::OtherVersion { found, known: self.version }),
        }
    }

    /// Checks the structure of the whole file without changing it.
    ///
    /// Unlike [`schema_on_disk`](Database::schema_on_disk), this function locks the file, because a
    /// simultaneous write by another process would look like damage.
    ///
    /// # Errors
    ///
    /// Returns [`JournalTrouble::Damaged`] if a page of the file is damaged.
    pub(super) fn check(&self, dir: &Path) -> Result<(), JournalTrouble> {
        let path = self.path(dir);
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let report = Connection::open_with_flags(&path, flags).and_then(|connection| {
            connection.busy_timeout(BUSY_TIMEOUT)?;
            connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0))
        });
        match report.map_err(|error| sql_trouble(&path, &error))? {
            text if text == "ok" => Ok(()),
            text => Err(JournalTrouble::Damaged(format!("{}: {text}", path.display()))),
        }
    }

    /// Creates the schema, unless another process has just created it. Takes the write lock first,
    /// so that only one process creates the schema.
    fn create_schema(&self, connection: &mut Connection) -> rusqlite::Result<()> {
        let tx: Transaction<'_> =
            connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if schema_version(&tx)? == 0 {
            tx.execute_batch(self.schema)?;
            tx.pragma_update(None, "user_version", self.version)?;
        }
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
        let (from, name) = (self.path(dir), self.damaged_name_prefix());
        let is_taken =
            |name: &Path| SUFFIXES.iter().any(|suffix| with_suffix(name, suffix).exists());
        let to = directory::unused_path(dir, [&name, ".db"], now, is_taken);
        for suffix in SUFFIXES {
            let (from, to) = (with_suffix(&from, suffix), with_suffix(&to, suffix));
            match fs::rename(&from, &to) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(io_trouble(&from, &error));
                }
                _ => {}
            }
        }
        Ok(RenamedFile { new_path: to, reason: why })
    }

    pub(super) fn damaged_name_prefix(&self) -> String {
        format!("{}-damaged", self.name)
    }
}

/// Returns a URI with SQLite's option `immutable=1`. With this option, SQLite assumes that the file
/// never changes, and takes no locks.
fn immutable_uri(path: &Path) -> io::Result<String> {
    let mut url = url::Url::from_file_path(std::path::absolute(path)?)
        .map_err(|()| io::ErrorKind::InvalidFilename)?;
    url.set_query(Some("immutable=1"));
    Ok(url.into())
}

fn schema_version(connection: &Connection) -> rusqlite::Result<u32> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Creates an empty database file with mode 0600, if it does not exist.
fn create_file(dir: &Path, path: &Path) -> io::Result<()> {
    directory::create(dir)?;
    directory::check_private(dir)?;
    // SQLite opens the write-ahead log and its index by name. Check both without opening them,
    // because opening them here could release SQLite's locks (see
    // `safe_open::regular_file_exists`).
    for suffix in &SUFFIXES[1..] {
        safe_open::regular_file_exists(&with_suffix(path, suffix))?;
    }
    match safe_open::regular_file_exists(path)? {
        true => Ok(()),
        false => safe_open::open(path, safe_open::private_options().create(true)).map(drop),
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}
