//! `money.head`: where the chain ends.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::chain::{ChainLink, Sum};
use crate::journal::disk::{Disk, DiskStep};
use crate::journal::plain;
use crate::journal::trouble::io_trouble;
use crate::trade::JournalTrouble;

/// No head is longer; a file that is does not get read into memory.
const LONGEST: u64 = 256;

pub(super) fn path(dir: &Path) -> PathBuf {
    dir.join("money.head")
}

/// The head, or nothing when there is no such file.
pub(super) fn read(dir: &Path) -> Result<Option<ChainLink>, JournalTrouble> {
    let path = path(dir);
    let file = match plain::open_to_read(&path) {
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

/// Replaces the head: write beside it, sync, rename, sync the directory.
pub(super) fn write(dir: &Path, link: &ChainLink, disk: &dyn Disk) -> Result<(), JournalTrouble> {
    let path = path(dir);
    let beside = dir.join("money.head.new");
    replace(dir, &beside, &path, &text(link), disk).map_err(|error| io_trouble(&path, &error))
}

fn replace(dir: &Path, beside: &Path, path: &Path, text: &str, disk: &dyn Disk) -> io::Result<()> {
    let mut new: Option<File> = None;
    disk.step(DiskStep::HeadWrite, &mut || {
        let mut file = plain::open(beside, plain::private().create(true).truncate(true))?;
        file.write_all(text.as_bytes())?;
        new = Some(file);
        Ok(())
    })?;
    // A disk that only said it had written leaves nothing to sync, and that is an error too.
    let unwritten = || io::Error::other("the new head was not written");
    let file = new.ok_or_else(unwritten)?;
    disk.step(DiskStep::HeadSync, &mut || file.sync_all())?;
    disk.step(DiskStep::HeadRename, &mut || fs::rename(beside, path))?;
    sync_dir(dir, disk)
}

/// Makes the names in a directory durable.
pub(super) fn sync_dir(dir: &Path, disk: &dyn Disk) -> io::Result<()> {
    disk.step(DiskStep::DirSync, &mut || {
        // Other systems cannot open a directory, and make renames durable on their own.
        File::open(dir)?.sync_all()
    })
}

fn text(link: &ChainLink) -> String {
    let sum: String = link.sum.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("balcao money.head 1\n{} {sum}\n", link.n)
}

/// Reads what [`text`] writes and nothing else: a head with any byte changed is no head.
fn parse(found: &str) -> Option<ChainLink> {
    let (n, hex) = found.strip_prefix("balcao money.head 1\n")?.trim_end().split_once(' ')?;
    let mut sum = Sum::default();
    for (i, byte) in sum.iter_mut().enumerate() {
        *byte = u8::from_str_radix(hex.get(2 * i..2 * i + 2)?, 16).ok()?;
    }
    let link = ChainLink { n: n.parse().ok()?, sum };
    (text(&link) == found).then_some(link)
}
