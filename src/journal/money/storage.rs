//! The storage of a money journal: rows, a head beside them, and the locks around both; and how
//! every reading of the rows is checked.
//!
//! Money depends on [`Files`](super::Files). Something else may be given to the journal, so that a
//! simulation can lead this very journal through a million lives on a disk in memory.

use super::chain::{self, ChainLink, EventRow, Sum};
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

/// Keeps the rows of the events, and changes them in one transaction at a time.
pub trait Rows: Send {
    /// The schema they are kept in; 0 when nothing was ever written.
    fn schema(&self) -> Result<u32, JournalTrouble>;

    /// Makes a place for them where nothing was ever written.
    fn create(&self, disk: &dyn Disk) -> Result<(), JournalTrouble>;

    /// Checks that the storage finds its own structures whole.
    fn check_whole(&self) -> Result<(), JournalTrouble>;

    /// Keeps all others from writing until `commit` or `roll_back`.
    fn begin(&self, disk: &dyn Disk) -> Result<(), JournalTrouble>;

    /// Adds a row.
    fn append(&self, row: &EventRow, disk: &dyn Disk) -> Result<(), JournalTrouble>;

    /// Blanks what is personal in these events; what it was is overwritten.
    fn blank(&self, events: &[i64], disk: &dyn Disk) -> Result<(), JournalTrouble>;

    /// Makes what was changed durable.
    fn commit(&self, disk: &dyn Disk) -> Result<(), JournalTrouble>;

    /// Gives up what was changed since `begin`, if that is still possible.
    fn roll_back(&self);

    /// Reads so many rows from this number on, in their order.
    fn each_from(
        &self,
        n: i64,
        most: i64,
        each: &mut dyn FnMut(EventRow) -> Result<(), JournalTrouble>,
    ) -> Result<(), JournalTrouble>;

    /// Reads one row.
    fn find(&self, n: i64) -> Result<Option<EventRow>, JournalTrouble>;

    /// Reads the sum of one row.
    fn sum(&self, n: i64) -> Result<Option<Sum>, JournalTrouble>;

    /// Does several readings of one state of the rows, which are locked once.
    ///
    /// Storage without locks does them as they are.
    fn at_once(
        &self,
        read: &mut dyn FnMut() -> Result<(), JournalTrouble>,
    ) -> Result<(), JournalTrouble> {
        read()
    }

    /// Describes damage of these rows, with the name of their storage.
    fn damaged(&self, text: &str) -> JournalTrouble;
}

impl dyn Rows + '_ {
    /// Reads all rows that follow a link, checking each against the one before.
    ///
    /// The link itself must still be there: a database that went back in time is damage.
    pub(super) fn rows_after(
        &self,
        after: ChainLink,
        each: impl FnMut(EventRow) -> Result<(), JournalTrouble>,
    ) -> Result<(), JournalTrouble> {
        self.some_after(after, i64::MAX, each)
    }

    /// The same for the first `most`: a slow reader keeps no window from writing meanwhile.
    pub(super) fn some_after(
        &self,
        after: ChainLink,
        most: i64,
        mut each: impl FnMut(EventRow) -> Result<(), JournalTrouble>,
    ) -> Result<(), JournalTrouble> {
        // The link itself is read too, where it is an event.
        let most = most.saturating_add(i64::from(after.n > 0));
        let (mut last, mut seen) = (after, after.n == 0);
        self.each_from(after.n, most, &mut |row| {
            if !seen {
                if row.link() != after {
                    return Err(self.damaged(&format!("event {} is another one now", after.n)));
                }
                seen = true;
                return Ok(());
            }
            row.check(&last).map_err(|text| self.damaged(&text))?;
            last = row.link();
            each(row)
        })?;
        if seen { Ok(()) } else { Err(self.damaged(&format!("event {} is gone", after.n))) }
    }

    /// Reads one row, checked against the one before.
    pub(super) fn row(&self, n: i64, before: ChainLink) -> Result<EventRow, JournalTrouble> {
        let row = self.find(n)?.ok_or_else(|| self.damaged(&format!("event {n} is gone")))?;
        row.check(&before).map_err(|text| self.damaged(&text))?;
        Ok(row)
    }

    /// Where the chain stands after event `n`.
    pub(super) fn link(&self, n: i64) -> Result<ChainLink, JournalTrouble> {
        if n == 0 {
            return Ok(chain::start());
        }
        let sum = self.sum(n)?.ok_or_else(|| self.damaged(&format!("event {n} is gone")))?;
        Ok(ChainLink { n, sum })
    }
}
