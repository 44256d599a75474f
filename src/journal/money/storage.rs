//! The storage of a money journal: rows, a head beside them, and the locks around both.
//!
//! Money depends on [`Files`](super::Files). Something else may be given to the journal, so that a
//! simulation can lead this very journal through a million lives on a disk in memory.

use super::chain::ChainLink;
use super::rows::Rows;
use crate::journal::disk::Disk;
use crate::journal::lock::LockGuard;
use crate::trade::{Account, JournalTrouble};

/// The place of one money journal, which several windows may share.
pub trait Storage: Send {
    /// Returns true when the place is there.
    fn exists(&self) -> bool;

    /// Makes the place where there is none; one that is there must be ours alone to write.
    fn make(&self, disk: &dyn Disk) -> Result<(), JournalTrouble>;

    /// Opens the rows; a place for them is made only where there may be none.
    fn open_rows(&self, may_be_new: bool, disk: &dyn Disk)
    -> Result<Box<dyn Rows>, JournalTrouble>;

    /// The head, or nothing when there is none.
    fn head(&self) -> Result<Option<ChainLink>, JournalTrouble>;

    /// Replaces the head, whole or not at all.
    fn replace_head(&self, link: &ChainLink, disk: &dyn Disk) -> Result<(), JournalTrouble>;

    /// Takes the lock under which rows and head change together.
    fn hold_journal(&self) -> Result<LockGuard, JournalTrouble>;

    /// Takes the lock of an account's one attempt, or nothing when somebody has it.
    fn hold_account(&self, account: &Account) -> Result<Option<LockGuard>, JournalTrouble>;

    /// Returns true when some window has the account's lock now.
    fn is_held(&self, account: &Account) -> Result<bool, JournalTrouble>;

    /// The network file system it is on, by its name.
    fn network(&self) -> Option<&'static str> {
        None
    }
}
