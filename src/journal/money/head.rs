//! `money.head`: a small text file with the number and checksum of the last event.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::chain::{ChainLink, Checksum};
use crate::journal::disk::{Disk, DiskStep};
use crate::journal::safe_open;
use crate::journal::trouble::io_trouble;
use crate::trade::JournalTrouble;

/// The maximum size of `money.head` in bytes. A larger file is not read.
const MAX_BYTES: u64 = 256;

pub(super) fn path(dir: &Path) -> PathBuf {
    dir.join("money.head")
}

/// Reads `money.head`. Returns `None` if the file does not exist.
pub(super) fn read(dir: &Path) -> Result<Option<ChainLink>, JournalTrouble> {
    let path = path(dir);
    let file = match safe_open::open_to_read(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(io_trouble(&path, &error)),
    };
    let damaged = || JournalTrouble::Damaged(format!("{}: not a head", path.display()));
    let mut bytes = Vec::new();
    let read = file.take(MAX_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| io_trouble(&path, &error))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(damaged());
    }
    let text = String::from_utf8(bytes).map_err(|_| damaged())?;
    let link = parse(&text).ok_or_else(damaged)?;
    Ok(Some(link))
}

/// Replaces `money.head` atomically: writes a new file, syncs it, renames it, and syncs the
/// directory.
pub(super) fn write(dir: &Path, link: &ChainLink, disk: &dyn Disk) -> Result<(), JournalTrouble> {
    let path = path(dir);
    let temp_path = dir.join("money.head.new");
    replace(dir, &temp_path, &path, &format_head(link), disk)
        .map_err(|error| io_trouble(&path, &error))
}

fn replace(
    dir: &Path,
    temp_path: &Path,
    path: &Path,
    text: &str,
    disk: &dyn Disk,
) -> io::Result<()> {
    let mut new_file: Option<File> = None;
    disk.step(DiskStep::HeadWrite, &mut || {
        let mut file =
            safe_open::open(temp_path, safe_open::private_options().create(true).truncate(true))?;
        file.write_all(text.as_bytes())?;
        new_file = Some(file);
        Ok(())
    })?;
    // A test disk may skip the write and still report success, so check that the file was opened.
    let not_written_error = || io::Error::other("the new head was not written");
    let file = new_file.ok_or_else(not_written_error)?;
    disk.step(DiskStep::HeadSync, &mut || file.sync_all())?;
    disk.step(DiskStep::HeadRename, &mut || fs::rename(temp_path, path))?;
    sync_dir(dir, disk)
}

/// Syncs a directory, so that new and renamed files in it are durable.
pub(super) fn sync_dir(dir: &Path, disk: &dyn Disk) -> io::Result<()> {
    disk.step(DiskStep::DirSync, &mut || File::open(dir)?.sync_all())
}

fn format_head(link: &ChainLink) -> String {
    let sum: String = link.sum.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("balcao money.head 1\n{} {sum}\n", link.n)
}

/// Parses the text of `money.head`. Returns `None` if a single byte differs from what
/// [`format_head`] writes.
fn parse(text: &str) -> Option<ChainLink> {
    let (n, hex) = text.strip_prefix("balcao money.head 1\n")?.trim_end().split_once(' ')?;
    let mut sum = Checksum::default();
    for (i, byte) in sum.iter_mut().enumerate() {
        *byte = u8::from_str_radix(hex.get(2 * i..2 * i + 2)?, 16).ok()?;
    }
    let link = ChainLink { n: n.parse().ok()?, sum };
    (format_head(&link) == text).then_some(link)
}
