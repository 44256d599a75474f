//! The database file of the history: `history.db` with its schema.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rusqlite::Connection;

use super::History;
use crate::journal::database::Database;
use crate::journal::trouble::sql_trouble;
use crate::journal::update::Schema;
use crate::trade::checkup::DatabaseContents;
use crate::trade::{JournalTrouble, Wall};

/// The schema version. A file with a newer version is refused.
pub const SCHEMA: u32 = 10;

/// The steps from older versions. The first version with a step is 8.
pub(in crate::journal) const STEPS: &[&str] =
    &[include_str!("batches.sql"), include_str!("notes.sql")];

pub(super) const FILE: Database = Database {
    name: "history",
    // The tables of version 8, and what each step has added.
    tables: concat!(
        include_str!("schema.sql"),
        include_str!("batches.sql"),
        include_str!("notes.sql")
    ),
    schema: Schema {
        version: SCHEMA,
        steps: STEPS,
    },
    synchronous: "FULL",
};

impl History {
    /// Opens the history in a directory for reading, or returns `None` if it does not exist yet. A
    /// damaged history is an error, and its file is not changed.
    ///
    /// # Errors
    ///
    /// Returns [`JournalTrouble::Missing`] if there is no history although balcão was used in this
    /// directory before.
    pub fn open_if_any(dir: &Path, now: Wall) -> Result<Option<History>, JournalTrouble> {
        match FILE.open_to_read(dir)? {
            Some(connection) => History::with_connection(dir, connection).map(Some),
            None if is_missing(dir, now) => Err(JournalTrouble::Missing),
            None => Ok(None),
        }
    }
}

/// Opens the database file, and creates it if it does not exist.
pub(super) fn open(dir: &Path, is_temporary: bool) -> Result<Connection, JournalTrouble> {
    let connection = FILE.open(dir, is_temporary)?;
    // Move every write into the database file at once. A copy of this file is then complete, even
    // if the program runs or was killed.
    let set = connection.pragma_update(None, "wal_autocheckpoint", 1);
    set.map_err(|error| sql_trouble(&FILE.path(dir), &error))?;
    Ok(connection)
}

/// Checks the whole history in a directory without changing anything, and counts its links and
/// direct payments. Returns `None` if it does not exist yet.
///
/// # Errors
///
/// Fails if [`History::open_if_any`] would fail, or if a page of the file is damaged.
pub fn examine(dir: &Path, now: Wall) -> Result<Option<DatabaseContents>, JournalTrouble> {
    match FILE.examine(dir, &[("links", "link"), ("charges", "charge")])? {
        None if is_missing(dir, now) => Err(JournalTrouble::Missing),
        contents => Ok(contents),
    }
}

/// The names of the damaged histories that were renamed, in alphabetical order.
pub fn list_renamed_files(dir: &Path) -> Vec<String> {
    FILE.renamed_files(dir)
}

/// The files that show that balcão was used in this directory before.
const OTHER_FILES: [&str; 3] = ["money.db", "money.head", "requests/requests.db"];

/// The minimum age of another file, in milliseconds. Younger files may be from the same first
/// start, which creates the history at the same time.
const MIN_AGE_MS: i64 = 2_000;

/// True if the directory contains no history, although it contains other files that are older than
/// `now`.
pub fn is_missing(dir: &Path, now: Wall) -> bool {
    let is_old = |name: &&str| {
        let changed = fs::metadata(dir.join(name)).map(|metadata| metadata.mtime());
        changed.is_ok_and(|at_s| at_s.saturating_mul(1_000) + MIN_AGE_MS <= now.0)
    };
    FILE.path(dir).symlink_metadata().is_err() && OTHER_FILES.iter().any(is_old)
}
