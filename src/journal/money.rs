//! The money journal: every withdrawal and every attempt to send one. Each is on disk before the
//! request is sent.
//!
//! The journal consists of two files. `money.db` is an SQLite database of append-only events. Each
//! event has a checksum that includes the checksum of the event before it. The database has a
//! rollback journal, not a write-ahead log, because SQLite opens a truncated write-ahead log
//! without an error. `money.head` contains the number and checksum of the last event, so that
//! missing events at the end of the database are detected. Beside the live journal, `money.machine`
//! names the machine that uses it.
//!
//! The database is written first, then `money.head`. If the database is exactly one event ahead,
//! the process was killed between the two writes or the second one failed, so `money.head` is
//! written again. Any other difference is damage, which is reported and never repaired silently.

mod chain;
mod copy;
mod event;
mod file;
mod files;
mod head;
mod index;
mod machine;
mod marker;
mod open;
mod overview;
mod progress;
mod purge;
mod read;
mod read_only;
mod replay;
mod rules;
mod set_aside;
mod small_file;
pub(super) mod storage;
mod write;

use std::path::PathBuf;
use std::time::Duration;

use super::disk::{Disk, OsDisk};
use super::permit::Spent;
use crate::trade::JournalTrouble;
use crate::trade::withdrawal::NoSend;

pub use chain::{ChainLink, Checksum, EventRow};
pub use file::SCHEMA;
pub use files::Files;
pub use machine::{names_other_machine, record_machine};
pub use marker::{EventLookup, Marker};
pub use overview::JournalOverview;
pub use read_only::{Export, ReadOnlyJournal, has_head, journal_exists};
pub use rules::Conflict;
pub use set_aside::{NotSetAside, check_damaged, set_aside};
pub use storage::{Rows, Storage};

use index::WithdrawalIndex;

/// The journal of withdrawals in one directory.
///
/// Several instances, in one or more processes, may use the same directory. Before a query or a
/// write, each instance reads the events that the others appended.
pub struct MoneyJournal<D: Disk = OsDisk> {
    dir: PathBuf,
    storage: Box<dyn Storage>,
    disk: D,
    file: Box<dyn Rows>,
    index: WithdrawalIndex,
    trouble: Option<JournalTrouble>,
    /// Stores the number and checksum of the last event outside the journal's directory. If the
    /// directory is replaced with an older copy, this record reveals it. Only the live journal has
    /// a marker.
    marker: Option<Box<dyn Marker>>,
}

/// The reason why the journal refused to store a withdrawal, the start of an attempt, or a decision
/// of the seller. After such an error, no request may be sent. Usually nothing was written. If the
/// error occurred after the event was stored, the withdrawal's outcome counts as unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WriteRefused {
    /// There is already a withdrawal with this idempotency key.
    KeyKnown,
    /// There is no withdrawal with this idempotency key.
    NoSuchKey,
    /// The request body is empty. A valid body always contains an amount.
    EmptyBody,
    /// The seller had to type the amount again, and typed a different amount.
    RetypedDiffers,
    /// Another attempt of the same account is being sent, by this process or another.
    Busy,
    /// The current state of the withdrawal does not allow the change. For example, a discarded
    /// withdrawal cannot be sent.
    NotNow,
    /// Sending the withdrawal again with the same idempotency key is no longer safe.
    NoSend(NoSend),
    /// The service may still be processing the previous attempt. A second request could be paid
    /// too, if the service stores idempotency keys only after paying.
    TooSoon {
        /// The time to wait before the next attempt.
        wait: Duration,
    },
    /// This withdrawal conflicts with another one. The other withdrawal may have been created after
    /// the seller confirmed this one.
    Conflict(Conflict),
    /// The request on disk differs from the request that the seller confirmed.
    BodyChanged,
    /// The journal failed: the change could not be made durable.
    Journal(JournalTrouble),
}

/// The error that the outcome of an attempt could not be recorded.
#[derive(Debug)]
#[must_use = "how the attempt ended must be written down"]
pub struct NotSettled {
    /// The used permit, with which the caller can try again to record the outcome. Dropping it
    /// releases the account's lock.
    pub spent: Spent,
    /// The reason why the outcome was not recorded.
    pub trouble: JournalTrouble,
}

impl From<Conflict> for WriteRefused {
    fn from(conflict: Conflict) -> WriteRefused {
        WriteRefused::Conflict(conflict)
    }
}

impl From<JournalTrouble> for WriteRefused {
    fn from(trouble: JournalTrouble) -> WriteRefused {
        WriteRefused::Journal(trouble)
    }
}

impl<D: Disk> MoneyJournal<D> {
    /// Returns the name of the network file system that contains the journal, such as `NFS`, or
    /// `None` on a local disk. On a network file system, new withdrawals are refused, because its
    /// locks may not work.
    pub fn network(&self) -> Option<&'static str> {
        self.storage.network()
    }

    /// Returns the earlier error that blocks all further writes, if any.
    pub fn trouble(&self) -> Option<&JournalTrouble> {
        self.trouble.as_ref()
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use tests::samples;
