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
//!
//! In a team, the journal is the mirror of a [log](Log) that several machines share. `money.team`
//! names the team, and `money.outbox` contains the ends of attempts that the log does not have yet.

mod chain;
mod copy;
mod event;
mod file;
mod files;
mod head;
mod import;
mod index;
mod log;
mod machine;
mod marker;
mod mirror;
mod open;
mod outbox;
mod overview;
mod progress;
mod purge;
mod read;
mod read_only;
mod replay;
mod set_aside;
mod small_file;
pub(super) mod storage;
pub(super) mod team;
mod write;

use super::permit::Spent;
use crate::trade::JournalTrouble;

pub use chain::{ChainLink, Checksum, EventRow};
pub use file::SCHEMA;
#[cfg(test)]
pub(super) use file::STEPS;
pub use files::Files;
pub use import::{LogContents, NotImported};
pub use log::{LOG_FORMAT, Log, NotAppended};
pub use marker::{EventLookup, Marker};
pub use mirror::MirroredTeam;
pub use overview::JournalOverview;
pub use read_only::{Export, ReadOnlyJournal};
pub use set_aside::NotSetAside;
pub use storage::{Rows, Storage};
pub use team::{BootClock, LEASH, Leash, TAKEOVER_WAIT};

use index::WithdrawalIndex;
use team::Team;

/// The journal of withdrawals in one storage.
///
/// Several instances, in one or more processes, may use the same storage. Before a query or a
/// write, each instance reads the events that the others appended.
pub struct MoneyJournal {
    storage: Box<dyn Storage>,
    file: Box<dyn Rows>,
    index: WithdrawalIndex,
    /// The number of the last event that this instance wrote, or 0.
    last_own_event: i64,
    trouble: Option<JournalTrouble>,
    /// Stores the number and checksum of the last event outside the journal's directory. If the
    /// directory is replaced with an older copy, this record reveals it. Only the live journal has
    /// a marker.
    marker: Option<Box<dyn Marker>>,
    /// True if this journal is the mirror of a team's log. Without the log, it can only be read.
    is_mirror: bool,
    /// The team's log that this journal mirrors, or `None` if it is not attached.
    team: Option<Team>,
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

impl MoneyJournal {
    /// The name of the network file system that contains the journal, such as `NFS`, or `None` on a
    /// local disk. On a network file system, new withdrawals are refused, because its locks may not
    /// work.
    pub fn network(&self) -> Option<&'static str> {
        self.storage.network()
    }

    /// The earlier error that blocks all further writes, if any.
    pub fn trouble(&self) -> Option<&JournalTrouble> {
        self.trouble.as_ref()
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use tests::samples;
