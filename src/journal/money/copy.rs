//! A copy of a journal whose last write was cut short: SQLite undoes that write there.
//!
//! A reader must not mend the original. Its files are copied into a directory that only its owner
//! can enter, and read there; the directory is removed with the reader.

use std::fs::Metadata;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use tempfile::TempDir;

use super::{file, head};
use crate::journal::plain;
use crate::journal::trouble::io_trouble;
use crate::trade::JournalTrouble;

/// Copies the files; nothing where the write was undone, by somebody else, meanwhile.
///
/// No lock is taken, so that no window that is about to send waits for a reader. The list of old
/// pages shows which copies belong together: as long as it is there, and the same, a copy of the
/// database together with it is the state before the write, however far another window is with
/// undoing it.
pub(super) fn of(dir: &Path) -> Result<Option<TempDir>, JournalTrouble> {
    let owner_only = std::fs::Permissions::from_mode(0o700);
    let copy = tempfile::Builder::new().prefix("balcao-").permissions(owner_only).tempdir();
    let copy = copy.map_err(|error| JournalTrouble::Io(format!("TMPDIR: {error}")))?;
    let old_pages = file::old_pages(dir);
    let before = match copy_file(&old_pages, copy.path()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        copied => copied.map_err(|error| io_trouble(&old_pages, &error))?,
    };
    for path in [head::path(dir), file::path(dir)] {
        match copy_file(&path, copy.path()) {
            // A journal without its head is damaged, which is for the reader to say.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            copied => _ = copied.map_err(|error| io_trouble(&path, &error))?,
        }
    }
    let after = old_pages.symlink_metadata();
    Ok(after.is_ok_and(|after| is_same(&before, &after)).then_some(copy))
}

/// Copies one file under its name; what is known of the original.
fn copy_file(from: &Path, to: &Path) -> io::Result<Metadata> {
    let mut original = plain::open_to_read(from)?;
    let known = original.metadata()?;
    let name = from.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let mut copy = plain::private().create_new(true).open(to.join(name))?;
    io::copy(&mut original, &mut copy)?;
    Ok(known)
}

/// Returns true when both are the same file, unchanged.
fn is_same(before: &Metadata, after: &Metadata) -> bool {
    let known = |it: &Metadata| (it.dev(), it.ino(), it.ctime(), it.ctime_nsec());
    if known(before) != known(after) {
        return false;
    }
    (before.len(), before.modified().ok()) == (after.len(), after.modified().ok())
}
