//! `money.head`: a small text file with the number and checksum of the last event.

use std::path::{Path, PathBuf};

use super::chain::ChainLink;
use super::small_file;
use crate::journal::disk::Disk;
use crate::trade::JournalTrouble;

pub(super) fn path(dir: &Path) -> PathBuf {
    dir.join("money.head")
}

/// Reads `money.head`. Returns `None` if the file does not exist.
pub(super) fn read(dir: &Path) -> Result<Option<ChainLink>, JournalTrouble> {
    let path = path(dir);
    let Some(text) = small_file::read(&path)? else { return Ok(None) };
    match text.as_deref().and_then(parse) {
        Some(link) => Ok(Some(link)),
        None => Err(JournalTrouble::Damaged(format!("{}: not a head", path.display()))),
    }
}

/// Replaces `money.head` atomically and durably.
pub(super) fn write(dir: &Path, link: &ChainLink, disk: &dyn Disk) -> Result<(), JournalTrouble> {
    small_file::replace(&path(dir), &format_head(link), disk)
}

fn format_head(link: &ChainLink) -> String {
    format!("balcao money.head 1\n{link}\n")
}

/// Parses the text of `money.head`. Returns `None` if a single byte differs from what
/// [`format_head`] writes.
fn parse(text: &str) -> Option<ChainLink> {
    ChainLink::parse(text.strip_prefix("balcao money.head 1\n")?.strip_suffix('\n')?)
}
