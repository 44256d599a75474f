//! The reasons the journal of withdrawals cannot be used.

use std::path::PathBuf;

use super::Wall;
use super::credential::VaultTrouble;
use super::untrusted::Untrusted;

/// A summary of the withdrawals in a journal, with which the seller can recognize an old copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JournalContents {
    /// The number of all withdrawals.
    pub withdrawals: u64,
    /// The number of open withdrawals.
    pub open: u64,
    /// The time at which the seller confirmed the last withdrawal.
    pub last: Option<Wall>,
}

/// The reason the journal of withdrawals cannot be used. Withdrawals are blocked until the problem
/// is solved.
///
/// The `Display` text is English, for scripts and logs. The screens use the messages in
/// `words::failure` instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JournalTrouble {
    /// The journal contains data that the program cannot have written.
    #[error("the journal is damaged and was left as it is: {0}")]
    Damaged(String),
    /// The journal is missing although it existed earlier.
    #[error("the journal is gone; put it back from a backup before withdrawing")]
    Missing,
    /// The journal does not exist. The vault, which records whether it existed earlier, cannot be
    /// read.
    #[error("there is no journal, and the keyring does not say whether there was one")]
    MaybeMissing(VaultTrouble),
    /// The journal in use is in another directory, so the opened journal may be a copy. The value
    /// is the path of the other directory.
    #[error("the live journal is another one: {}", .0.display())]
    Elsewhere(PathBuf),
    /// The journal contains withdrawals, but no record outside it names it as the one in use on
    /// this machine. The record may have been deleted, and the journal may be an old copy.
    #[error("nothing outside the journal remembers it; it may be an old copy")]
    Unmarked(JournalContents),
    /// The journal was last in use on another machine.
    #[error("the journal was in use on another machine")]
    OtherMachine(JournalContents),
    /// Events that are recorded elsewhere are missing in the journal, so it was probably replaced
    /// by an older copy.
    #[error("an older copy took the journal's place: {missing} events are missing")]
    Older {
        /// The number of missing events.
        missing: u64,
    },
    /// Another version of the program wrote the journal.
    #[error("another version of balcao wrote it (format {found}; this one uses {known})")]
    OtherVersion {
        /// The schema version of the journal.
        found: u32,
        /// The schema version that this program uses.
        known: u32,
    },
    /// The journal can be read but not written: the disk is read-only, or a permission is missing.
    #[error("the journal may not be written: {0}")]
    ReadOnly(String),
    /// The disk or the user's quota is full.
    #[error("there is no room for the journal: {0}")]
    Full(String),
    /// Other users can write to the journal's directory, so the journal cannot be trusted.
    #[error("the journal's directory is not private: {0}")]
    NotPrivate(String),
    /// The journal is on a network file system of this type, where new withdrawals are not allowed.
    #[error("the journal is on a network file system ({0})")]
    Network(String),
    /// Another process has locked the journal and did not unlock it within the timeout.
    #[error("the journal is held by another: {0}")]
    Busy(String),
    /// The team's log cannot be reached. Nothing was written.
    #[error("the team's log cannot be reached: {0}")]
    Offline(String),
    /// The connection to the team's log was lost during a write, which may still take effect.
    #[error("the connection to the team's log was lost during a write: {0}")]
    Doubt(String),
    /// The team's log refused a request, for example because a right is missing. Nothing was
    /// written.
    #[error("the team's log refused: {0}")]
    Refused(String),
    /// The team's log lost an attempt with its approval. It does not accept the attempt again,
    /// because nobody can approve a withdrawal for somebody else.
    #[error("the team's log lost an approved attempt: {0}")]
    LostApproval(String),
    /// The team's log has other events in the place of events that this machine has seen.
    #[error("the team's log lost {lost} events that this machine has seen")]
    Forked {
        /// The number of lost events.
        lost: u64,
    },
    /// The journal cannot be opened, read or written for any other reason.
    #[error("the journal cannot be used: {0}")]
    Io(String),
}

/// The reason the history of payment links and direct payments lacks earlier rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LostHistory {
    /// An earlier history was damaged, and is kept at this path.
    Aside(Untrusted),
    /// The history was missing, although there was a journal of withdrawals or stored requests.
    Missing,
}

impl JournalTrouble {
    /// The name of the variant for scripts, such as `damaged`.
    pub fn name(&self) -> &'static str {
        match self {
            JournalTrouble::Damaged(_) => "damaged",
            JournalTrouble::Missing => "missing",
            JournalTrouble::MaybeMissing(_) => "maybe-missing",
            JournalTrouble::Elsewhere(_) => "elsewhere",
            JournalTrouble::Unmarked(_) => "unmarked",
            JournalTrouble::OtherMachine(_) => "other-machine",
            JournalTrouble::Older { .. } => "older",
            JournalTrouble::OtherVersion { .. } => "other-version",
            JournalTrouble::ReadOnly(_) => "read-only",
            JournalTrouble::Full(_) => "full",
            JournalTrouble::NotPrivate(_) => "not-private",
            JournalTrouble::Network(_) => "network",
            JournalTrouble::Busy(_) => "busy",
            JournalTrouble::Offline(_) => "offline",
            JournalTrouble::Doubt(_) => "doubt",
            JournalTrouble::Refused(_) => "refused",
            JournalTrouble::LostApproval(_) => "lost-approval",
            JournalTrouble::Forked { .. } => "forked",
            JournalTrouble::Io(_) => "io",
        }
    }

    /// True if the problem may go away while the program runs. Any other problem lasts at least
    /// until the program is restarted.
    pub fn is_transient(&self) -> bool {
        matches!(self, JournalTrouble::MaybeMissing(_))
            || self.passes()
            || self.ends_with_make_live()
    }

    /// True if the journal itself is fine, and the next try may succeed.
    pub fn passes(&self) -> bool {
        matches!(
            self,
            JournalTrouble::Busy(_)
                | JournalTrouble::Offline(_)
                | JournalTrouble::Doubt(_)
                | JournalTrouble::Refused(_)
                | JournalTrouble::LostApproval(_)
        )
    }

    /// True if the journal can be used again once the user makes it the live one.
    pub fn ends_with_make_live(&self) -> bool {
        matches!(self, JournalTrouble::Elsewhere(_)) || self.contents().is_some()
    }

    /// The summary of an intact journal that is not known to be the live one.
    pub fn contents(&self) -> Option<&JournalContents> {
        match self {
            JournalTrouble::Unmarked(contents) | JournalTrouble::OtherMachine(contents) => {
                Some(contents)
            }
            _ => None,
        }
    }

    /// True if the journal's files were changed or replaced by something other than the program. In
    /// this case, the user may move the files out of the way.
    pub fn is_damage(&self) -> bool {
        matches!(
            self,
            JournalTrouble::Damaged(_) | JournalTrouble::Older { .. }
        )
    }
}
