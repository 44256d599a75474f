//! The files of the log: the newest lines, and those before them.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::journal::{self, safe_open};

/// The maximum size of a file, in bytes.
pub(super) const MAX_BYTES: u64 = 1024 * 1024;

/// The paths of the log and of the file before it.
pub fn paths(state: &Path) -> [PathBuf; 2] {
    ["balcao.log", "balcao.log.1"].map(|name| state.join(name))
}

/// Appends a line to the log. If the file is full, it first takes the place of the older one.
///
/// The file is opened for each line, because other processes write to it too, and may rename or
/// delete it.
pub(super) fn append(state: &Path, line: &str) -> io::Result<()> {
    journal::make_dir(state).map_err(io::Error::other)?;
    let [path, older] = paths(state);
    let mut options = OpenOptions::new();
    options.append(true).create(true).mode(0o600);
    let mut file = safe_open::open(&path, &mut options)?;
    let metadata = file.metadata()?;
    if metadata.len() + line.len() as u64 > MAX_BYTES {
        // The lock is of the file, not of its name. With it, a second process does not rename the
        // file that the first one has just created.
        if file.try_lock().is_ok() && fs::symlink_metadata(&path)?.ino() == metadata.ino() {
            fs::rename(&path, older)?;
        }
        file = safe_open::open(&path, &mut options)?;
    }
    if metadata.mode() & 0o077 != 0 {
        file.set_permissions(Permissions::from_mode(0o600))?;
    }
    file.write_all(line.as_bytes())
}
