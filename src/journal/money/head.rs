//! `money.head`: a small text file with the number and checksum of the last event.

use super::chain::ChainLink;
use super::files::Files;
use super::small_file::MAX_BYTES;
use crate::trade::JournalTrouble;

pub(super) const NAME: &str = "money.head";

/// Reads `money.head`. Returns `None` if the file does not exist.
pub(super) fn read(files: &Files) -> Result<Option<ChainLink>, JournalTrouble> {
    let Some(text) = files.read_small(NAME, MAX_BYTES)? else {
        return Ok(None);
    };
    match text.as_deref().and_then(parse) {
        Some(link) => Ok(Some(link)),
        None => {
            let path = files.path_to_read(NAME);
            Err(JournalTrouble::Damaged(format!(
                "{}: not a head",
                path.display()
            )))
        }
    }
}

/// Replaces `money.head` atomically and durably.
pub(super) fn write(files: &Files, link: &ChainLink) -> Result<(), JournalTrouble> {
    files.replace_small(NAME, &format_head(link))
}

fn format_head(link: &ChainLink) -> String {
    format!("balcao money.head 1\n{link}\n")
}

/// Parses the text of `money.head`. Returns `None` if a single byte differs from what
/// [`format_head`] writes.
fn parse(text: &str) -> Option<ChainLink> {
    ChainLink::parse(
        text.strip_prefix("balcao money.head 1\n")?
            .strip_suffix('\n')?,
    )
}
