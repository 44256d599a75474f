//! Where the history is: its file, its schema, and the way aside for a damaged one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use crate::journal::trouble::{io_trouble, sql_trouble};
use crate::journal::{directory, plain};
use crate::trade::{JournalTrouble, Wall};

/// Another window may write; its writes take milliseconds.
const BUSY: Duration = Duration::from_secs(5);

/// SQLite's files: the database, its log, and the index of that log.
const SUFFIXES: [&str; 3] = ["", "-wal", "-shm"];

/// The schema number. A file with another number is refused.
pub const SCHEMA: u32 = 6;

/// A damaged history that was moved aside; a new one has begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovedAside {
    /// Where it is now.
    pub to: PathBuf,
    /// The damage that was found.
    pub why: String,
}

pub(super) fn path(dir: &Path) -> PathBuf {
    dir.join("history.db")
}

/// Opens the file, or makes it. Nothing is made durable where it ends with the program.
pub(super) fn open(dir: &Path, is_temporary: bool) -> Result<Connection, JournalTrouble> {
    let path = path(dir);
    make(dir, &path).map_err(|error| io_trouble(&path, &error))?;
    let wrong = |error: rusqlite::Error| sql_trouble(&path, &error);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(&path, flags).map_err(wrong)?;
    connection.busy_timeout(BUSY).map_err(wrong)?;
    let synchronous = if is_temporary { "OFF" } else { "FULL" };
    connection.pragma_update(None, "synchronous", synchronous).map_err(wrong)?;
    connection
        .query_row("PRAGMA journal_mode = WAL", [], |row| row.get::<_, String>(0))
        .map_err(wrong)?;
    connection.execute_batch("PRAGMA secure_delete = ON;").map_err(wrong)?;
    let found = version(&connection).map_err(wrong)?;
    match found {
        0 => begin(&mut connection).map_err(wrong)?,
        SCHEMA => {}
        found => return Err(JournalTrouble::OtherVersion { found, known: SCHEMA }),
    }
    Ok(connection)
}

/// The schema of the history in a directory, if there is one, as far as its file alone says;
/// nothing is locked, made or written.
///
/// SQLite opens it, and no other code: a file that is closed by its name would let go of the locks
/// that this process has on it. What stands in SQLite's log alone is not seen.
pub fn schema_on_disk(dir: &Path) -> Result<Option<Option<u32>>, JournalTrouble> {
    let path = path(dir);
    if !plain::is_there(&path).map_err(|error| io_trouble(&path, &error))? {
        return Ok(None);
    }
    let wrong = |error: rusqlite::Error| sql_trouble(&path, &error);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let address = unchanging(&path).map_err(|error| io_trouble(&path, &error))?;
    let connection = Connection::open_with_flags(address, flags).map_err(wrong)?;
    match version(&connection).map_err(wrong)? {
        // A first window has it open, and all of it is in the log.
        0 => Ok(Some(None)),
        SCHEMA => Ok(Some(Some(SCHEMA))),
        found => Err(JournalTrouble::OtherVersion { found, known: SCHEMA }),
    }
}

/// The address by which SQLite reads a file as one that does not change.
fn unchanging(path: &Path) -> io::Result<String> {
    let mut url = url::Url::from_file_path(std::path::absolute(path)?)
        .map_err(|()| io::ErrorKind::InvalidFilename)?;
    url.set_query(Some("immutable=1"));
    Ok(url.into())
}

fn version(connection: &Connection) -> rusqlite::Result<u32> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Begins an empty file; the version is read again once no other window can write.
fn begin(connection: &mut Connection) -> rusqlite::Result<()> {
    let tx: Transaction<'_> =
        connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if version(&tx)? == 0 {
        tx.execute_batch(include_str!("schema.sql"))?;
        tx.pragma_update(None, "user_version", SCHEMA)?;
    }
    tx.commit()
}

/// An empty file that only its owner can read, where there is none.
fn make(dir: &Path, path: &Path) -> io::Result<()> {
    directory::make(dir)?;
    directory::is_ours(dir)?;
    // SQLite opens them by their names; see `plain` for why they are not opened here as well.
    for suffix in &SUFFIXES[1..] {
        plain::is_there(&with(path, suffix))?;
    }
    match plain::is_there(path)? {
        true => Ok(()),
        false => plain::open(path, plain::private().create(true)).map(drop),
    }
}

/// Moves a damaged history aside, under a name that says when; nothing is deleted.
///
/// The caller must close it before.
pub fn set_aside(dir: &Path, now: Wall, why: String) -> Result<MovedAside, JournalTrouble> {
    let from = path(dir);
    let is_taken = |name: &Path| SUFFIXES.iter().any(|suffix| with(name, suffix).exists());
    let to = directory::free_name(dir, ["history-damaged", ".db"], now, is_taken);
    for suffix in SUFFIXES {
        let (from, to) = (with(&from, suffix), with(&to, suffix));
        match fs::rename(&from, &to) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(io_trouble(&from, &error));
            }
            _ => {}
        }
    }
    Ok(MovedAside { to, why })
}

fn with(path: &Path, suffix: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}
