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
mod export;
mod file;
mod files;
mod head;
mod index;
mod marker;
mod open;
mod purge;
mod read;
mod read_only;
mod rows;
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
pub use export::{Export, ExportedEvent};
pub use file::SCHEMA;
pub use files::Files;
pub use marker::Marker;
pub use read_only::{ReadOnlyJournal, has_head, is_there};
pub use rows::Rows;
pub use rules::Objection;
pub use set_aside::{NotSetAside, is_damaged, set_aside};
pub use storage::Storage;

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

/// The reason a withdrawal was not prepared; nothing was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PrepareRefused {
    /// This key names a withdrawal already.
    KeyKnown,
    /// Another withdrawal speaks against it.
    Objection(Objection),
    /// The amount typed again is another one.
    RetypedDiffers,
    /// There is nothing to send: every withdrawal's body says its amount.
    EmptyBody,
    /// The journal could not make it durable.
    Journal(JournalTrouble),
}

/// The reason no attempt was begun; nothing was sent, and nothing may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BeginRefused {
    /// No withdrawal has this key.
    NoSuchKey,
    /// Another attempt of the account is in flight, here or in another window.
    Busy,
    /// It is decided, or only a person can decide it.
    NotSendable,
    /// The same key is not safe any more.
    NoSend(NoSend),
    /// The attempt before may still be worked on: a service that remembers a key only once it has
    /// paid would pay again.
    TooSoon {
        /// The time to wait.
        wait: Duration,
    },
    /// Another withdrawal speaks against it, which was not known when this one was confirmed.
    Objection(Objection),
    /// The stored bytes are not those that were confirmed.
    BodyChanged,
    /// The journal could not make the attempt durable.
    Journal(JournalTrouble),
}

/// The reason a person's decision was not taken; nothing was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecideRefused {
    /// No withdrawal has this key.
    NoSuchKey,
    /// An attempt of the account is in flight: its reply comes first.
    Busy,
    /// The withdrawal's state does not allow this choice.
    NotNow,
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

impl From<Objection> for PrepareRefused {
    fn from(objection: Objection) -> PrepareRefused {
        PrepareRefused::Objection(objection)
    }
}

impl From<Objection> for BeginRefused {
    fn from(objection: Objection) -> BeginRefused {
        BeginRefused::Objection(objection)
    }
}

impl From<JournalTrouble> for PrepareRefused {
    fn from(trouble: JournalTrouble) -> PrepareRefused {
        PrepareRefused::Journal(trouble)
    }
}

impl From<JournalTrouble> for BeginRefused {
    fn from(trouble: JournalTrouble) -> BeginRefused {
        BeginRefused::Journal(trouble)
    }
}

impl From<JournalTrouble> for DecideRefused {
    fn from(trouble: JournalTrouble) -> DecideRefused {
        DecideRefused::Journal(trouble)
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
pub(crate) mod samples;
#[cfg(test)]
mod tests;
