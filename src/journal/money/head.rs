//! `money.head`: a small text file with the number and checksum of the last event.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::chain::{ChainLink, Sum};
use crate::journal::disk::{Disk, DiskStep};
use crate::journal::safe_open;
use crate::journal::trouble::io_trouble;
use crate::trade::JournalTrouble;

/// The maximum size of `money.head` in bytes. A larger file is not read.
const LONGEST: u64 = 256;

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
    let read = file.take(LONGEST + 1).read_to_end(&mut bytes);
    read.map_err(|error| io_trouble(&path, &error))?;
    if bytes.len() as u64 > LONGEST {
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
    let beside = dir.join("money.head.new");
    replace(dir, &beside, &path, &text(link), disk).map_err(|error| io_trouble(&path, &error))
}

fn replace(dir: &Path, beside: &Path, path: &Path, text: &str, disk: &dyn Disk) -> io::Result<()> {
    let mut new: Option<File> = None;
    disk.step(DiskStep::HeadWrite, &mut || {
        let mut file =
            safe_open::open(beside, safe_open::private_options().create(true).truncate(true))?;
        file.write_all(text.as_bytes())?;
        new = Some(file);
        Ok(())
    })?;
    // A test disk may skip the write and still report success, so check that the file was opened.
    let unwritten = || io::Error::other("the new head was not written");
    let file = new.ok_or_else(unwritten)?;
    disk.step(DiskStep::HeadSync, &mut || file.sync_all())?;
    disk.step(DiskStep::HeadRename, &mut || fs::rename(beside, path))?;
    sync_dir(dir, disk)
}

/// Syncs a directory, so that new and renamed files in it are durable.
pub(super) fn sync_dir(dir: &Path, disk: &dyn Disk) -> io::Result<()> {
    disk.step(DiskStep::DirSync, &mut || File::open(dir)?.sync_all())
}

fn text(link: &ChainLink) -> String {
    let sum: String = link.sum.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("balcao money.head 1\n{} {sum}\n", link.n)
}

/// Parses the format that [`text`] writes. A single different byte makes the file invalid.
fn parse(found: &str) -> Option<ChainLink> {
    let (n, hex) = found.strip_prefix("balcao money.head 1\n")?.trim_end().split_once(' ')?;
    let mut sum = Sum::default();
    for (i, byte) in sum.iter_mut().enumerate() {
        *byte = u8::from_str_radix(hex.get(2 * i..2 * i + 2)?, 16).ok()?;
    }
    let link = ChainLink { n: n.parse().ok()?, sum };
    (text(&link) == found).then_some(link)
}
