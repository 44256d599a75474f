//! The log of a team: the events that the machines of several operators share.
//!
//! The log is append-only, and its rows are those of `money.db`. Each append is a compare-and-swap:
//! it succeeds only if the log ends with the row before the new ones. Each machine has a verified
//! mirror of the log, which is an ordinary journal ([`MoneyJournal::attach_log`]).
//!
//! [`MoneyJournal::attach_log`]: super::MoneyJournal::attach_log

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::chain::{Checksum, EventRow};
use crate::trade::{Author, JournalTrouble};

/// The version of the rows in a team's log. A program does not read rows of a newer version.
pub const LOG_FORMAT: i32 = 1;

/// A connection to the log of a team. Each call takes at most one round trip and has a time limit.
/// If the log is not connected, a call fails at once.
pub trait Log: Send {
    /// The rows after row number `n`, in order, at most `most` of them.
    ///
    /// A row that was read may still be lost, because it may not be durable yet. Only an append
    /// after this row proves that it is durable.
    ///
    /// # Errors
    ///
    /// Returns [`JournalTrouble::Offline`] if the log cannot be reached.
    fn after(&mut self, n: i64, most: i64) -> Result<Vec<EventRow>, JournalTrouble>;

    /// Appends consecutive rows, all or none. `before` is the checksum of the row before the first
    /// one. When the call returns without an error, the rows and all rows before them are durable.
    ///
    /// # Errors
    ///
    /// Returns [`NotAppended::Outrun`] if the log does not end with the row before.
    fn append(&mut self, rows: &[EventRow], before: &Checksum) -> Result<(), NotAppended>;

    /// Deletes the personal data of each withdrawal that a `purged` event names.
    fn erase_purged(&mut self) -> Result<(), JournalTrouble>;

    /// A flag that is true until the current connection is known to be lost. Reading it runs no
    /// query.
    fn liveness(&self) -> Arc<AtomicBool>;

    /// The number of the log's timeline, or `None` without a connection. The number changes when
    /// another server takes over. Reading it runs no query.
    fn timeline(&self) -> Option<u32>;

    /// True if the team requires that a second person approves each withdrawal. Reading it runs no
    /// query, so it may be somewhat old. The log itself refuses an attempt without the approval.
    fn needs_approval(&self) -> bool;

    /// The person and the machine that use this connection.
    fn author(&self) -> Author;
}

/// The reason why rows were not appended to the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotAppended {
    /// Something changed that the caller does not know of yet, so it must check the rules again.
    /// Nothing was written. Usually the log ends with another row than the one before: another
    /// machine appended first, or the log lost rows. Or the log now
    /// [needs an approval](Log::needs_approval).
    Outrun,
    /// The connection was lost before the log answered. The rows may be in the log, or may still
    /// arrive there. Reading proves nothing. Once the log has a row with this number, it refuses a
    /// late one.
    Doubt(String),
    /// The rows were not written for any other reason.
    Trouble(JournalTrouble),
}

impl NotAppended {
    /// The error to report when the append is not tried again.
    pub fn into_trouble(self) -> JournalTrouble {
        match self {
            NotAppended::Outrun => JournalTrouble::Busy(
                "other machines append to the team's log all the time".to_owned(),
            ),
            NotAppended::Doubt(text) => JournalTrouble::Doubt(text),
            NotAppended::Trouble(trouble) => trouble,
        }
    }
}

impl From<JournalTrouble> for NotAppended {
    fn from(trouble: JournalTrouble) -> NotAppended {
        NotAppended::Trouble(trouble)
    }
}
