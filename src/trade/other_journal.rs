//! A journal of withdrawals beside the live one: of an earlier build, or kept somewhere else.

use std::path::PathBuf;

use super::{Account, JournalTrouble, Wall};

/// A journal that is not the live one, and what is in it.
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
    /// When the last of them changed.
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
