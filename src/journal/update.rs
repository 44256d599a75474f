//! Updates a database file that an older version of the program wrote.
//!
//! Each database has a list of SQL texts, its steps. Each step updates the schema by one version,
//! and the last one leads to the current version. All steps run in one transaction, so a process
//! that is killed leaves the old or the new version, whole. The file is copied before, so that the
//! user can go back to the older version of the program.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use super::database::{connect, length_of, schema_version, uri, with_suffix};
use super::safe_open;
use super::trouble::{io_trouble, sql_trouble};
use crate::trade::JournalTrouble;

/// Keeps every other connection out of the file until this one is closed. In particular, this fails
/// while another process has a database with a write-ahead log open.
const LOCK: &str = "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT;
    PRAGMA synchronous = EXTRA; PRAGMA secure_delete = ON;";

/// The schema version of a database, and the steps to it from older versions.
#[derive(Clone, Copy)]
pub(super) struct Schema {
    /// The current version. A file with another version is refused, unless it can be updated.
    pub(super) version: u32,
    /// The SQL texts that update a file, each by one version.
    pub(super) steps: &'static [&'static str],
}

impl Schema {
    /// The steps that update a file with this version. Returns `None` if the version is the current
    /// one, or one that this program does not know.
    pub(super) fn steps_from(&self, found: u32) -> Option<&'static [&'static str]> {
        let count = self
            .version
            .checked_sub(found)
            .filter(|count| found > 0 && *count > 0)?;
        let first = self.steps.len().checked_sub(usize::try_from(count).ok()?)?;
        Some(&self.steps[first..])
    }

    /// Updates a file to the current version, after a copy was made. The caller must close its own
    /// connection first.
    ///
    /// # Errors
    ///
    /// Returns [`JournalTrouble::Busy`] if another process has the file open, and
    /// [`JournalTrouble::Full`] if there is no room for the copy. The file is then unchanged.
    pub(super) fn update(&self, path: &Path) -> Result<(), JournalTrouble> {
        let to_trouble = |error: rusqlite::Error| sql_trouble(path, &error);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_URI;
        let mut connection = connect(path, flags).map_err(to_trouble)?;
        connection.execute_batch(LOCK).map_err(to_trouble)?;
        // Another process may have updated the file in the meantime.
        let found = schema_version(&connection).map_err(to_trouble)?;
        let Some(steps) = self.steps_from(found) else {
            return Ok(());
        };
        keep_copy(&connection, path)?;
        self.run(&mut connection, steps)
            .map_err(|error| match error.sqlite_error_code() {
                Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => to_trouble(error),
                // A step that fails for another reason is no sign of damage. A damaged file would
                // be replaced.
                _ => match to_trouble(error) {
                    JournalTrouble::Damaged(text) => JournalTrouble::Io(text),
                    trouble => trouble,
                },
            })
    }

    fn run(&self, connection: &mut Connection, steps: &[&str]) -> rusqlite::Result<()> {
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        steps.iter().try_for_each(|step| tx.execute_batch(step))?;
        tx.pragma_update(None, "user_version", self.version)?;
        tx.commit()
    }
}

/// Copies the database, including its write-ahead log. The copy replaces an earlier one.
fn keep_copy(connection: &Connection, path: &Path) -> Result<(), JournalTrouble> {
    let copy = copy_path(path);
    let new = unfinished_copy_path(path);
    replace_copy(connection, path, &new, &copy).map_err(|error| {
        let _ = fs::remove_file(&new);
        io_trouble(path, &error)
    })
}

/// Writes the copy under the name `new`, and then renames it to `copy`.
fn replace_copy(connection: &Connection, path: &Path, new: &Path, copy: &Path) -> io::Result<()> {
    let dir = path.parent().unwrap_or(Path::new("."));
    check_room(path, dir)?;
    // SQLite writes into an existing file if it is empty, and keeps its mode.
    safe_open::open(
        new,
        safe_open::private_options().create(true).truncate(true),
    )?;
    connection
        .execute("VACUUM INTO ?", [uri(new, true)?])
        .map_err(io::Error::other)?;
    File::open(new)?.sync_all()?;
    fs::rename(new, copy)?;
    File::open(dir)?.sync_all()
}

/// Checks that there is room for the copy, and for the pages that the steps write.
fn check_room(path: &Path, dir: &Path) -> io::Result<()> {
    let needed = 2 * (length_of(path) + length_of(&with_suffix(path, "-wal")));
    let disk = rustix::fs::statvfs(dir)?;
    if disk.f_bavail.saturating_mul(disk.f_frsize) < needed {
        return Err(io::ErrorKind::StorageFull.into());
    }
    Ok(())
}

/// The path of the copy, such as `history-before-update.db`.
fn copy_path(path: &Path) -> PathBuf {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{name}-before-update.db"))
}

/// The path of the copy while it is written.
fn unfinished_copy_path(path: &Path) -> PathBuf {
    with_suffix(&copy_path(path), ".new")
}

/// The copies that were kept before a file in the journal's directory was updated. Also returns a
/// copy that was not finished.
pub fn kept_copies(journal: &Path) -> Vec<PathBuf> {
    let files = ["money.db", "history.db", "requests/requests.db"].map(|name| journal.join(name));
    let copies = files
        .iter()
        .flat_map(|file| [copy_path(file), unfinished_copy_path(file)]);
    copies
        .filter(|copy| copy.symlink_metadata().is_ok())
        .collect()
}

#[cfg(test)]
mod tests;
