//! The money journal: every withdrawal and every attempt, on disk before a request is sent.
//!
//! The journal consists of two files. `money.db` contains append-only events, each with a checksum
//! chained to the event before it. It is an SQLite database with a rollback journal. A WAL is not
//! used, because SQLite opens a truncated WAL without an error. `money.head` contains the number
//! and checksum of the last event, so that missing events at the end of the database are detected.
//!
//! The database is written first, then the head. If the database is exactly one event ahead, the
//! process was killed between the two writes, and the head is written again. Any other difference
//! is damage. Damage is reported and never repaired silently.

mod chain;
mod copy;
mod event;
mod file;
mod files;
mod head;
mod index;
mod marker;
mod open;
mod purge;
mod read;
mod read_only;
mod rules;
mod set_aside;
pub(super) mod storage;
mod write;

use std::path::PathBuf;
use std::time::Duration;

use super::disk::{Disk, OsDisk};
use super::permit::Spent;
use crate::trade::JournalTrouble;
use crate::trade::withdrawal::NoSend;

pub use chain::{ChainLink, EventRow, Sum};
pub use file::SCHEMA;
pub use files::Files;
pub use marker::Marker;
pub use read_only::{Export, ReadOnlyJournal, has_head, is_there};
pub use rules::Objection;
pub use set_aside::{NotSetAside, is_damaged, set_aside};
pub use storage::{Rows, Storage};

use index::WithdrawalIndex;

/// The money journal of one directory.
///
/// Several instances may use the same directory, in one or more processes. Before answering a query
/// or writing, an instance reads the events that others appended.
pub struct MoneyJournal<D: Disk = OsDisk> {
    dir: PathBuf,
    storage: Box<dyn Storage>,
    disk: D,
    file: Box<dyn Rows>,
    index: WithdrawalIndex,
    trouble: Option<JournalTrouble>,
    /// The marker, which stores the number and checksum of the last event outside the directory.
    /// Only the live journal has a marker.
    marker: Option<Box<dyn Marker>>,
}

/// The reason why the journal refused to prepare a withdrawal, begin an attempt or store a
/// decision. Nothing was written, and no request may be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WriteRefused {
    /// Another withdrawal already has this key.
    KeyKnown,
    /// No withdrawal has this key.
    NoSuchKey,
    /// The request body is empty. Every valid body contains at least the amount.
    EmptyBody,
    /// The amount that the seller retyped differs from the withdrawal's amount.
    RetypedDiffers,
    /// Another attempt of the same account is in flight, in this process or in another process.
    Busy,
    /// The withdrawal's state does not allow the change. For example, the withdrawal is already
    /// decided, or the seller must decide it first.
    NotNow,
    /// Sending the withdrawal again with the same key is no longer safe.
    NoSend(NoSend),
    /// The service may still be processing the previous attempt. If the service stores an
    /// idempotency key only after it paid, another request now would be paid again.
    TooSoon {
        /// The time to wait before the next attempt.
        wait: Duration,
    },
    /// This withdrawal conflicts with another withdrawal, perhaps one created after the seller's
    /// confirmation.
    Objection(Objection),
    /// The stored request differs from the request that the seller confirmed.
    BodyChanged,
    /// The change could not be made durable.
    Journal(JournalTrouble),
}

/// The error for an attempt whose outcome may not be on disk.
#[derive(Debug)]
#[must_use = "how the attempt ended must be written down"]
pub struct NotSettled {
    /// The right to record the outcome, together with the account's lock. Dropping this value gives
    /// up both.
    pub spent: Spent,
    /// The reason why the outcome was not recorded.
    pub trouble: JournalTrouble,
}

impl From<Objection> for WriteRefused {
    fn from(objection: Objection) -> WriteRefused {
        WriteRefused::Objection(objection)
    }
}

impl From<JournalTrouble> for WriteRefused {
    fn from(trouble: JournalTrouble) -> WriteRefused {
        WriteRefused::Journal(trouble)
    }
}

impl<D: Disk> MoneyJournal<D> {
    /// Returns the name of the network file system that contains the journal; `None` on a local
    /// disk. On a network file system no new withdrawal can be prepared.
    pub fn network(&self) -> Option<&'static str> {
        self.storage.network()
    }

    /// Returns the error that blocks all further writes, if one occurred.
    pub fn trouble(&self) -> Option<&JournalTrouble> {
        self.trouble.as_ref()
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use tests::samples;
