//! A temporary copy of a journal whose last write was interrupted. SQLite rolls that write back in
//! the copy.
//!
//! A process that only reads must not change the original files. The copy is in a private
//! directory, and is deleted when its reader is dropped.

use std::fs::Metadata;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::sync::Arc;

use super::files::Files;
use super::{file, head};
use crate::journal::safe_open;
use crate::journal::trouble::io_trouble;
use crate::trade::JournalTrouble;

/// Copies the files of a journal with an interrupted write. Returns `None` if another process has
/// already rolled back that write.
///
/// This function takes no lock, so a process that is about to send a withdrawal never waits for it.
/// Instead, it checks that SQLite's rollback journal does not change during copying. An unchanged
/// rollback journal can restore the copied database, even if another process was rolling back at
/// that time.
pub(super) fn copy_journal(files: &Files) -> Result<Option<Files>, JournalTrouble> {
    let owner_only = std::fs::Permissions::from_mode(0o700);
    let copy = tempfile::Builder::new()
        .prefix("balcao-")
        .permissions(owner_only)
        .tempdir();
    let copy = copy.map_err(|error| JournalTrouble::Io(format!("TMPDIR: {error}")))?;
    let rollback_journal = files.path(file::ROLLBACK_JOURNAL);
    let before = match copy_file(&rollback_journal, copy.path()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        result => result.map_err(|error| io_trouble(&rollback_journal, &error))?,
    };
    for path in [head::NAME, file::NAME].map(|name| files.path(name)) {
        match copy_file(&path, copy.path()) {
            // A missing `money.head` is damage, which is reported later when the copy is read.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            result => _ = result.map_err(|error| io_trouble(&path, &error))?,
        }
    }
    let after = rollback_journal.symlink_metadata();
    let is_unchanged = after.is_ok_and(|after| is_same(&before, &after));
    Ok(is_unchanged.then(|| Files {
        copy: Some(Arc::new(copy)),
        ..files.clone()
    }))
}

/// Copies a file into a directory. Returns the metadata of the original file.
fn copy_file(from: &Path, to: &Path) -> io::Result<Metadata> {
    let mut original = safe_open::open_to_read(from)?;
    let metadata = original.metadata()?;
    let name = from.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let mut copy = safe_open::private_options()
        .create_new(true)
        .open(to.join(name))?;
    io::copy(&mut original, &mut copy)?;
    Ok(metadata)
}

/// True if `before` and `after` describe the same file, and the file was not changed between the
/// two readings.
fn is_same(before: &Metadata, after: &Metadata) -> bool {
    if identity(before) != identity(after) {
        return false;
    }
    (before.len(), before.modified().ok()) == (after.len(), after.modified().ok())
}

fn identity(metadata: &Metadata) -> (u64, u64, i64, i64) {
    (
        metadata.dev(),
        metadata.ino(),
        metadata.ctime(),
        metadata.ctime_nsec(),
    )
}
