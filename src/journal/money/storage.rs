//! The storage interface of a money journal. A storage contains rows with events, a head, and
//! locks. The head is the number and checksum of the last event. Rows are verified when they are
//! read.
//!
//! The real storage is [`Files`](super::Files). Simulations use a storage in memory instead, to run
//! the journal through millions of random schedules.

use super::chain::{self, ChainLink, Checksum, EventRow};
use super::mirror::MirroredTeam;
use crate::journal::lock::{AttemptWaiter, LockGuard};
use crate::trade::{Account, JournalTrouble};

/// The storage of one money journal. Several processes may share it.
pub trait Storage: Send {
    /// True if the storage already exists.
    fn exists(&self) -> bool;

    /// Creates the storage if it does not exist. An existing directory must belong to the current
    /// user, and other users must not be able to write to it.
    fn create_directory(&self) -> Result<(), JournalTrouble>;

    /// Opens the storage of the event rows. If it is missing, it is created only if `may_be_new` is
    /// true.
    fn open_rows(&self, may_be_new: bool) -> Result<Box<dyn Rows>, JournalTrouble>;

    /// The head (the number and checksum of the last event), or `None` if there is no head.
    fn head(&self) -> Result<Option<ChainLink>, JournalTrouble>;

    /// Atomically replaces the head (the number and checksum of the last event).
    fn replace_head(&self, link: &ChainLink) -> Result<(), JournalTrouble>;

    /// Takes the lock that is required for changing the event rows and the head.
    fn lock_journal(&self) -> Result<LockGuard, JournalTrouble>;

    /// Takes the lock that is required for sending a withdrawal of the account. Returns `None` if
    /// another attempt holds the lock.
    fn lock_account(&self, account: &Account) -> Result<Option<LockGuard>, JournalTrouble>;

    /// True if any process holds the account's lock.
    fn is_account_locked(&self, account: &Account) -> Result<bool, JournalTrouble>;

    /// A function that waits until the attempt that this account is sending ends.
    fn attempt_waiter(&self, account: &Account) -> AttemptWaiter;

    /// The team whose log this storage mirrors, or `None` if it is not a mirror.
    fn team(&self) -> Result<Option<MirroredTeam>, JournalTrouble>;

    /// Atomically replaces the record of the team.
    fn replace_team(&self, team: &MirroredTeam) -> Result<(), JournalTrouble>;

    /// The text in the outbox of a team's mirror, or an empty text.
    fn outbox(&self) -> Result<String, JournalTrouble>;

    /// Atomically replaces the text in the outbox.
    fn replace_outbox(&self, text: &str) -> Result<(), JournalTrouble>;

    /// The name of the network file system that contains the storage, or `None` for a local one.
    fn network(&self) -> Option<&'static str> {
        None
    }
}

/// The rows that contain the events. Only one write transaction can be open at a time.
pub trait Rows: Send {
    /// The schema version, or 0 if nothing was written yet.
    fn schema(&self) -> Result<u32, JournalTrouble>;

    /// Creates the table for the rows.
    fn create(&self) -> Result<(), JournalTrouble>;

    /// Checks the internal structures of the storage for damage.
    fn check_structure(&self) -> Result<(), JournalTrouble>;

    /// Begins a write transaction. No other process can write until `commit` or `roll_back`.
    fn begin(&self) -> Result<(), JournalTrouble>;

    /// Inserts a row in the open transaction.
    fn append(&self, row: &EventRow) -> Result<(), JournalTrouble>;

    /// Erases the personal data of these events, and overwrites it on disk.
    fn erase_personal_data(&self, events: &[i64]) -> Result<(), JournalTrouble>;

    /// Commits the transaction and makes it durable.
    fn commit(&self) -> Result<(), JournalTrouble>;

    /// Rolls back the transaction, if one is open.
    fn roll_back(&self);

    /// Calls `each` for up to `limit` rows in order, starting with row number `n`.
    fn for_each_row_from(
        &self,
        n: i64,
        limit: i64,
        each: &mut dyn FnMut(EventRow) -> Result<(), JournalTrouble>,
    ) -> Result<(), JournalTrouble>;

    /// A row by its number.
    fn find(&self, n: i64) -> Result<Option<EventRow>, JournalTrouble>;

    /// The checksum of a row by its number.
    fn sum(&self, n: i64) -> Result<Option<Checksum>, JournalTrouble>;

    /// Runs several reads under a single lock, so that all of them see the same state of the rows.
    ///
    /// The default implementation takes no lock. It is for storage in memory, which has no locks.
    fn in_read_transaction(
        &self,
        read: &mut dyn FnMut() -> Result<(), JournalTrouble>,
    ) -> Result<(), JournalTrouble> {
        read()
    }

    /// An error that describes damage in this storage.
    fn damaged(&self, text: &str) -> JournalTrouble;
}

impl dyn Rows + '_ {
    /// Calls `each` for all rows after the position `after` in the chain. Each row is verified
    /// against the row before it.
    ///
    /// The row at `after` must not have changed. If it has changed, the database was damaged or
    /// replaced.
    pub(super) fn rows_after(
        &self,
        after: ChainLink,
        each: impl FnMut(EventRow) -> Result<(), JournalTrouble>,
    ) -> Result<(), JournalTrouble> {
        self.rows_after_limited(after, i64::MAX, each)
    }

    /// Works like `rows_after`, but reads at most `limit` rows. A slow reader therefore does not
    /// block writers.
    pub(super) fn rows_after_limited(
        &self,
        after: ChainLink,
        limit: i64,
        mut each: impl FnMut(EventRow) -> Result<(), JournalTrouble>,
    ) -> Result<(), JournalTrouble> {
        // Also read the row at `after`, to check that it is unchanged. The start of the chain has
        // no row.
        let limit = limit.saturating_add(i64::from(after.n > 0));
        let mut last = after;
        let mut is_start_checked = after.n == 0;
        self.for_each_row_from(after.n, limit, &mut |row| {
            if !is_start_checked {
                if row.link() != after {
                    return Err(self.damaged(&format!("event {} is another one now", after.n)));
                }
                is_start_checked = true;
                return Ok(());
            }
            row.check(&last).map_err(|text| self.damaged(&text))?;
            last = row.link();
            each(row)
        })?;
        if is_start_checked {
            Ok(())
        } else {
            Err(self.damaged(&format!("event {} is gone", after.n)))
        }
    }

    /// Reads the row with number `n`, and verifies it against the row before it.
    pub(super) fn row(&self, n: i64, before: ChainLink) -> Result<EventRow, JournalTrouble> {
        let row = self
            .find(n)?
            .ok_or_else(|| self.damaged(&format!("event {n} is gone")))?;
        row.check(&before).map_err(|text| self.damaged(&text))?;
        Ok(row)
    }

    /// The position of event `n` in the chain.
    pub(super) fn link(&self, n: i64) -> Result<ChainLink, JournalTrouble> {
        if n == 0 {
            return Ok(chain::start());
        }
        let sum = self
            .sum(n)?
            .ok_or_else(|| self.damaged(&format!("event {n} is gone")))?;
        Ok(ChainLink { n, sum })
    }
}
