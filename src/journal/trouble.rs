//! Errors of files and of SQLite, as the trouble they mean for the journal.

use std::io;
use std::path::Path;

use rusqlite::ErrorCode;

use crate::trade::JournalTrouble;

/// A file that cannot be opened, read or written.
pub(super) fn io_trouble(path: &Path, error: &io::Error) -> JournalTrouble {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<rusqlite::Error>()) {
        Some(error) => sql_trouble(path, error),
        None => JournalTrouble::Io(format!("{}: {error}", path.display())),
    }
}

/// What SQLite says: the disk's fault, or contents that the program cannot have written.
pub(super) fn sql_trouble(path: &Path, error: &rusqlite::Error) -> JournalTrouble {
    let text = format!("{}: {error}", path.display());
    match error {
        rusqlite::Error::SqliteFailure(failure, _) => match failure.code {
            // "Unknown" is SQLite's plain error: a table or a column is not what it was.
            ErrorCode::DatabaseCorrupt
            | ErrorCode::NotADatabase
            | ErrorCode::ConstraintViolation
            | ErrorCode::TypeMismatch
            | ErrorCode::Unknown => JournalTrouble::Damaged(text),
            _ => JournalTrouble::Io(text),
        },
        // Asked for by a number that was pruned meanwhile.
        rusqlite::Error::QueryReturnedNoRows => JournalTrouble::Io(text),
        _ => JournalTrouble::Damaged(text),
    }
}
