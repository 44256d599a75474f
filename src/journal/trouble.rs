//! Converts file and SQLite errors to a [`JournalTrouble`].

use std::io::{self, ErrorKind};
use std::path::Path;

use rusqlite::ErrorCode;

use super::safe_open::UnsafePath;
use crate::trade::JournalTrouble;

/// Converts an error from opening, reading or writing a file.
pub(super) fn io_trouble(path: &Path, error: &io::Error) -> JournalTrouble {
    if let Some(error) = error.get_ref().and_then(|inner| inner.downcast_ref()) {
        return sql_trouble(path, error);
    }
    let text = format!("{}: {error}", path.display());
    match error.get_ref().and_then(|inner| inner.downcast_ref()) {
        // Any other type of file is damage, because this program creates only regular files. A
        // symbolic link is not damage: the user may have created it on purpose.
        Some(UnsafePath::NotAFile) => return JournalTrouble::Damaged(text),
        Some(UnsafePath::OthersWrite | UnsafePath::NotOurs) => {
            return JournalTrouble::NotPrivate(text);
        }
        Some(UnsafePath::Link) | None => {}
    }
    match error.kind() {
        ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied => {
            JournalTrouble::ReadOnly(text)
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => JournalTrouble::Full(text),
        _ => JournalTrouble::Io(text),
    }
}

/// Converts an SQLite error. The cause may be a failed disk, or a file that was changed by another
/// program.
pub(super) fn sql_trouble(path: &Path, error: &rusqlite::Error) -> JournalTrouble {
    let text = format!("{}: {error}", path.display());
    match error {
        rusqlite::Error::SqliteFailure(failure, _) => match failure.code {
            // `Unknown` is SQLite's general error, for example for a missing table or column.
            ErrorCode::DatabaseCorrupt
            | ErrorCode::NotADatabase
            | ErrorCode::ConstraintViolation
            | ErrorCode::TypeMismatch
            | ErrorCode::Unknown => JournalTrouble::Damaged(text),
            ErrorCode::ReadOnly | ErrorCode::PermissionDenied => JournalTrouble::ReadOnly(text),
            // SQLite reports an exceeded quota as a general write error, so it becomes `Io`.
            ErrorCode::DiskFull => JournalTrouble::Full(text),
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => JournalTrouble::Busy(text),
            _ => JournalTrouble::Io(text),
        },
        // The row was deleted after the caller received its id.
        rusqlite::Error::QueryReturnedNoRows => JournalTrouble::Io(text),
        _ => JournalTrouble::Damaged(text),
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::ffi;

    use super::*;

    fn variant_name(trouble: &JournalTrouble) -> &'static str {
        match trouble {
            JournalTrouble::Damaged(_) => "damaged",
            JournalTrouble::ReadOnly(_) => "read-only",
            JournalTrouble::Full(_) => "full",
            JournalTrouble::Busy(_) => "busy",
            JournalTrouble::Io(_) => "io",
            other => panic!("no file is the cause of {other:?}"),
        }
    }

    #[test]
    fn io_error_kinds_convert_to_journal_troubles() {
        for (kind, expected) in [
            (ErrorKind::ReadOnlyFilesystem, "read-only"),
            (ErrorKind::PermissionDenied, "read-only"),
            (ErrorKind::StorageFull, "full"),
            (ErrorKind::QuotaExceeded, "full"),
            (ErrorKind::NotFound, "io"),
            (ErrorKind::Other, "io"),
        ] {
            let trouble = io_trouble(Path::new("/j/money.db"), &io::Error::from(kind));
            assert_eq!(variant_name(&trouble), expected, "{kind:?}");
            assert!(
                trouble.to_string().contains("/j/money.db"),
                "it names the file: {trouble}"
            );
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn linux_errno_values_convert_to_journal_troubles() {
        for (errno, expected) in [
            (1, "read-only"),
            (13, "read-only"),
            (30, "read-only"),
            (28, "full"),
            (122, "full"),
        ] {
            let error = io::Error::from_raw_os_error(errno);
            assert_eq!(
                variant_name(&io_trouble(Path::new("x"), &error)),
                expected,
                "errno {errno}"
            );
        }
    }

    #[test]
    fn sqlite_error_codes_convert_to_journal_troubles() {
        for (code, expected) in [
            (ffi::SQLITE_READONLY, "read-only"),
            (ffi::SQLITE_READONLY_ROLLBACK, "read-only"),
            (ffi::SQLITE_READONLY_DIRECTORY, "read-only"),
            (ffi::SQLITE_PERM, "read-only"),
            (ffi::SQLITE_FULL, "full"),
            (ffi::SQLITE_BUSY, "busy"),
            (ffi::SQLITE_LOCKED, "busy"),
            (ffi::SQLITE_IOERR, "io"),
            (ffi::SQLITE_IOERR_WRITE, "io"),
            (ffi::SQLITE_CANTOPEN, "io"),
            (ffi::SQLITE_NOMEM, "io"),
            (ffi::SQLITE_CORRUPT, "damaged"),
            (ffi::SQLITE_NOTADB, "damaged"),
            (ffi::SQLITE_ERROR, "damaged"),
            (ffi::SQLITE_CONSTRAINT, "damaged"),
        ] {
            let failure = || rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
            let path = Path::new("money.db");
            assert_eq!(
                variant_name(&sql_trouble(path, &failure())),
                expected,
                "{code}"
            );
            // The disk of the money journal returns SQLite errors that are wrapped in I/O errors.
            let wrapped = io::Error::other(failure());
            assert_eq!(
                variant_name(&io_trouble(path, &wrapped)),
                expected,
                "{code}, wrapped"
            );
        }
    }
}
