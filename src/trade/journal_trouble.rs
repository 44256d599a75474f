//! The trouble with the journal of withdrawals, and the journals beside it, which may be one.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::credential::VaultTrouble;
use super::{Account, Wall};

/// The trouble with the journal; withdrawals are locked while there is any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JournalTrouble {
    /// It holds what the program cannot have written.
    Damaged(String),
    /// There was one, and it is gone.
    Missing,
    /// There is none, and the vault that would know whether there was one does not say.
    MaybeMissing(VaultTrouble),
    /// Earlier builds left several, or one is kept elsewhere: the seller picks the live one.
    Several(Arc<[OtherJournal]>),
    /// A newer version of the program wrote it.
    Newer {
        /// Its schema.
        found: u32,
        /// The newest this program knows.
        known: u32,
    },
    /// It may be read and not written: a disk that is read-only, or a right that is missing.
    ReadOnly(String),
    /// There is no room to write it: the disk is full, or the owner's share of it.
    Full(String),
    /// Its directory is not this user's alone to write: what is read there may be anybody's.
    NotPrivate(String),
    /// It is on a network file system of this name, where no new withdrawal is begun.
    Network(String),
    /// Another window or another program did not let go of it in time.
    Busy(String),
    /// It cannot be opened, read or written, for any other reason.
    Io(String),
}

impl JournalTrouble {
    /// Returns true when it can pass while the program runs; every other one lasts until the next
    /// start.
    pub fn may_pass(&self) -> bool {
        use JournalTrouble::{Busy, MaybeMissing, Several};
        matches!(self, MaybeMissing(_) | Busy(_) | Several(_))
    }
}

/// Plain English, for scripts and logs; the seller's words are the view's.
impl fmt::Display for JournalTrouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JournalTrouble::Damaged(why) => {
                write!(f, "the journal is damaged and was left as it is: {why}")
            }
            JournalTrouble::Missing => {
                f.write_str("the journal is gone; put it back from a backup before withdrawing")
            }
            JournalTrouble::MaybeMissing(_) => f.write_str(
                "there is no journal, and the keyring does not say whether there was one",
            ),
            JournalTrouble::Several(all) => {
                write!(f, "there are {} journals, and one must be picked in the app:", all.len())?;
                all.iter().try_for_each(|one| write!(f, " {}", one.dir.display()))
            }
            JournalTrouble::Newer { found, known } => write!(
                f,
                "a newer balcao wrote this journal (version {found}; this one knows {known})"
            ),
            JournalTrouble::ReadOnly(why) => {
                write!(f, "the journal may not be written: {why}")
            }
            JournalTrouble::Full(why) => write!(f, "there is no room for the journal: {why}"),
            JournalTrouble::NotPrivate(why) => {
                write!(f, "the journal's directory is not private: {why}")
            }
            JournalTrouble::Network(name) => {
                write!(f, "the journal is on a network file system ({name})")
            }
            JournalTrouble::Busy(why) => write!(f, "the journal is held by another: {why}"),
            JournalTrouble::Io(why) => write!(f, "the journal cannot be used: {why}"),
        }
    }
}

/// A journal that is not the live one, and what is in it: of an earlier build, or kept elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherJournal {
    /// Its directory.
    pub dir: PathBuf,
    /// The owners of the withdrawals in it.
    pub owners: Vec<Account>,
    /// The number of withdrawals.
    pub withdrawals: u64,
    /// The number whose outcome is unknown, or that only a person can decide.
    pub open: u64,
    /// Those that were confirmed and never taken.
    pub prepared: u64,
    /// Those that were decided within a day.
    pub recent: u64,
    /// The time at which the last of them changed.
    pub last: Option<Wall>,
    /// The reason it cannot be read, if any.
    pub trouble: Option<Box<JournalTrouble>>,
}

impl OtherJournal {
    /// Returns true when a new withdrawal may be the same as one in it.
    ///
    /// A journal that cannot be read may hold anything.
    pub fn holds_back(&self) -> bool {
        self.open + self.prepared + self.recent > 0 || self.trouble.is_some()
    }
}
