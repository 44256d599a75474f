//! The trouble with the journal of withdrawals.

use std::path::PathBuf;

use super::credential::VaultTrouble;

/// The trouble with the journal; withdrawals are locked while there is any.
///
/// Its text is plain English, for scripts and logs; the seller's words are in the messages.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JournalTrouble {
    /// It holds what the program cannot have written.
    #[error("the journal is damaged and was left as it is: {0}")]
    Damaged(String),
    /// There was one, and it is gone.
    #[error("the journal is gone; put it back from a backup before withdrawing")]
    Missing,
    /// There is none, and the vault that would know whether there was one does not say.
    #[error("there is no journal, and the keyring does not say whether there was one")]
    MaybeMissing(VaultTrouble),
    /// The journal in this directory is the live one: this one may be a copy of it.
    #[error("the live journal is another one: {}", .0.display())]
    Elsewhere(PathBuf),
    /// It ends before an event that is remembered of it: an older copy took its place.
    #[error("an older copy took the journal's place: {missing} events are missing")]
    Older {
        /// The number of events that are missing.
        missing: u64,
    },
    /// Another version of the program wrote it.
    #[error("another version of balcao wrote it (format {found}; this one uses {known})")]
    OtherVersion {
        /// Its schema.
        found: u32,
        /// The schema of this program.
        known: u32,
    },
    /// It may be read and not written: a disk that is read-only, or a right that is missing.
    #[error("the journal may not be written: {0}")]
    ReadOnly(String),
    /// There is no room to write it: the disk is full, or the owner's share of it.
    #[error("there is no room for the journal: {0}")]
    Full(String),
    /// Its directory is not this user's alone to write: what is read there may be anybody's.
    #[error("the journal's directory is not private: {0}")]
    NotPrivate(String),
    /// It is on a network file system of this name, where no new withdrawal is begun.
    #[error("the journal is on a network file system ({0})")]
    Network(String),
    /// Another window or another program did not let go of it in time.
    #[error("the journal is held by another: {0}")]
    Busy(String),
    /// It cannot be opened, read or written, for any other reason.
    #[error("the journal cannot be used: {0}")]
    Io(String),
}

impl JournalTrouble {
    /// Its name for scripts.
    pub fn name(&self) -> &'static str {
        match self {
            JournalTrouble::Damaged(_) => "damaged",
            JournalTrouble::Missing => "missing",
            JournalTrouble::MaybeMissing(_) => "maybe-missing",
            JournalTrouble::Elsewhere(_) => "elsewhere",
            JournalTrouble::Older { .. } => "older",
            JournalTrouble::OtherVersion { .. } => "other-version",
            JournalTrouble::ReadOnly(_) => "read-only",
            JournalTrouble::Full(_) => "full",
            JournalTrouble::NotPrivate(_) => "not-private",
            JournalTrouble::Network(_) => "network",
            JournalTrouble::Busy(_) => "busy",
            JournalTrouble::Io(_) => "io",
        }
    }

    /// Returns true when it can pass while the program runs; every other one lasts until the next
    /// start.
    pub fn may_pass(&self) -> bool {
        use JournalTrouble::{Busy, Elsewhere, MaybeMissing};
        matches!(self, MaybeMissing(_) | Busy(_) | Elsewhere(_))
    }

    /// Returns true when the files are not what the program left: they can be set aside.
    pub fn is_damage(&self) -> bool {
        matches!(self, JournalTrouble::Damaged(_) | JournalTrouble::Older { .. })
    }
}
