//! The database file of the history: `history.db` with its schema.

use std::path::Path;

use crate::journal::database::Database;
use crate::trade::JournalTrouble;

/// The schema version. A file with a different version is refused.
pub const SCHEMA: u32 = 8;

pub(super) const FILE: Database = Database {
    name: "history",
    schema: include_str!("schema.sql"),
    version: SCHEMA,
    synchronous: "FULL",
};

/// Returns the schema version of the history in a directory without locking or changing anything.
/// Returns `None` if there is no file, and `Some(None)` if the file has no schema yet.
///
/// # Errors
///
/// Returns [`JournalTrouble::OtherVersion`] if the schema has a different version.
pub fn schema_on_disk(dir: &Path) -> Result<Option<Option<u32>>, JournalTrouble> {
    FILE.schema_on_disk(dir)
}
