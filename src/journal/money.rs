//! The money journal: every withdrawal, every attempt, durable before a byte leaves.
//!
//! Two files. `money.db` (SQLite with its rollback journal, never a WAL, which opens as healthy
//! when it is cut) holds events that are only ever appended, each with a checksum chained to the
//! one before. `money.head` holds the number and the sum of the last event, so that a database that
//! lost its end is seen. The database is written first, then the head: a database exactly one event
//! ahead is a kill between the two and the head is written anew; any other difference is damage,
//! and damage is reported, never mended in silence.

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
/// Several of them, in one process or in many, may have the same directory: each catches up with
/// what the others appended before it reads or writes.
pub struct MoneyJournal<D: Disk = OsDisk> {
    dir: PathBuf,
    storage: Box<dyn Storage>,
    disk: D,
    file: Box<dyn Rows>,
    index: WithdrawalIndex,
    trouble: Option<JournalTrouble>,
    /// Remembers the last event elsewhere; only of the live journal.
    marker: Option<Box<dyn Marker>>,
}

/// The reason a withdrawal was not prepared, an attempt not begun or a decision not taken.
///
/// Nothing was written and nothing was sent, and nothing may be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WriteRefused {
    /// This key names a withdrawal already.
    KeyKnown,
    /// No withdrawal has this key.
    NoSuchKey,
    /// There is nothing to send: every withdrawal's body says its amount.
    EmptyBody,
    /// The amount typed again is another one.
    RetypedDiffers,
    /// Another attempt of the account is in flight, here or in another window.
    Busy,
    /// The withdrawal's state does not allow it: it is decided, or a person has to decide it.
    NotNow,
    /// The same key is not safe any more.
    NoSend(NoSend),
    /// The attempt before may still be worked on: a service that remembers a key only once it has
    /// paid would pay again.
    TooSoon {
        /// The time to wait.
        wait: Duration,
    },
    /// Another withdrawal speaks against it, perhaps one that was not known when it was confirmed.
    Objection(Objection),
    /// The stored bytes are not those that were confirmed.
    BodyChanged,
    /// The journal could not make it durable.
    Journal(JournalTrouble),
}

/// An attempt's end is not on disk, or it is uncertain that it is.
#[derive(Debug)]
#[must_use = "how the attempt ended must be written down"]
pub struct NotSettled {
    /// The right to write it down, with the account's lock: dropping it gives up both.
    pub spent: Spent,
    /// The trouble that prevented it.
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
    /// The network file system it is on, where no new withdrawal is begun.
    pub fn network(&self) -> Option<&'static str> {
        self.storage.network()
    }

    /// Returns the trouble, if any: while there is trouble nothing is written any more.
    pub fn trouble(&self) -> Option<&JournalTrouble> {
        self.trouble.as_ref()
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use tests::samples;
