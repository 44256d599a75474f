//! The sentences about failures that several commands print, in the seller's language.
//!
//! All text from outside, a path too, is shown in a form that cannot command a terminal.

use crate::trade::withdrawal::NotSent;
use crate::trade::{Failure, JournalTrouble, Untrusted, VaultTrouble};
use crate::words::Words;
use crate::words::failure::{self, Doing, FailureText};

/// The trouble with a journal, and the ways out.
pub fn trouble(words: &Words, dir: &Untrusted, trouble: &JournalTrouble) -> String {
    let FailureText { what, quotes, .. } = failure::journal(words, trouble);
    let mut lines = vec![what, format!("  {} {}", words.text("locked-folder"), dir.shown())];
    lines.extend(quotes.iter().map(|(label, text)| format!("  {label} {}", text.shown())));
    lines.extend(failure::ways_out(words, trouble));
    lines.push(words.text("verify-backup"));
    lines.join("\n")
}

/// The sentences about a failure, one below the other.
pub fn failure(words: &Words, failed: &Failure, doing: Doing) -> String {
    let FailureText { what, moved, next, quotes } = failure::describe(words, failed, doing);
    let next = next_in_command(failed).map_or(next, |id| words.text(id));
    let quotes = quotes.iter().map(|(label, text)| format!("  {label} {}", text.shown()));
    let lines = [what].into_iter().chain(quotes).chain([moved, next]);
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// The advice for a command, if that for a screen names a place that commands do not have.
fn next_in_command(failed: &Failure) -> Option<&'static str> {
    match failed {
        Failure::NotSent(NotSent::Dns) => Some("not-sent-dns.command"),
        Failure::Redirected { .. } => Some("redirected.command"),
        Failure::Unreadable { .. } => Some("unreadable.command"),
        Failure::Vault(
            VaultTrouble::Absent
            | VaultTrouble::Locked
            | VaultTrouble::Hangs
            | VaultTrouble::Other(_),
        ) => Some("vault-next.command"),
        _ => None,
    }
}
