//! The small text files beside `money.db`. Each is read whole and replaced atomically.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use super::files::Files;
use crate::journal::disk::DiskStep;
use crate::journal::safe_open;
use crate::journal::trouble::io_trouble;
use crate::trade::JournalTrouble;

/// The maximum size in bytes of a small file that contains a line or two.
pub(super) const MAX_BYTES: u64 = 256;

impl Files {
    /// Reads a small file. Returns `None` if the file does not exist, and `Some(None)` if it
    /// contains what this program cannot have written: too many bytes, or bytes that are not UTF-8.
    pub(super) fn read_small(
        &self,
        name: &str,
        max_bytes: u64,
    ) -> Result<Option<Option<String>>, JournalTrouble> {
        let path = self.path_to_read(name);
        let file = match safe_open::open_to_read(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(io_trouble(&path, &error)),
        };
        let mut bytes = Vec::new();
        let read = file.take(max_bytes + 1).read_to_end(&mut bytes);
        read.map_err(|error| io_trouble(&path, &error))?;
        if bytes.len() as u64 > max_bytes {
            return Ok(Some(None));
        }
        Ok(Some(String::from_utf8(bytes).ok()))
    }

    /// Replaces a small file atomically: writes a new file, syncs it, renames it, and syncs the
    /// directory.
    pub(super) fn replace_small(&self, name: &str, text: &str) -> Result<(), JournalTrouble> {
        let path = self.path(name);
        self.write_and_rename(&path, text)
            .map_err(|error| io_trouble(&path, &error))
    }

    fn write_and_rename(&self, path: &Path, text: &str) -> io::Result<()> {
        let new_path = path.with_added_extension("new");
        let mut new_file: Option<File> = None;
        self.disk.step(DiskStep::HeadWrite, &mut || {
            let mut options = safe_open::private_options();
            let mut file = safe_open::open(&new_path, options.create(true).truncate(true))?;
            file.write_all(text.as_bytes())?;
            new_file = Some(file);
            Ok(())
        })?;
        // A test disk may skip the write and still report success, so check that the file was
        // opened.
        let file = new_file.ok_or_else(|| io::Error::other("the new file was not written"))?;
        self.disk
            .step(DiskStep::HeadSync, &mut || file.sync_all())?;
        self.disk
            .step(DiskStep::HeadRename, &mut || fs::rename(&new_path, path))?;
        self.sync_dir(&self.dir)
    }

    /// Syncs a directory, so that new and renamed files in it are durable.
    pub(super) fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        self.disk
            .step(DiskStep::DirSync, &mut || File::open(dir)?.sync_all())
    }
}
