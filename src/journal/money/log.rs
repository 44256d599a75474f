//! The log of a team: the events that the machines of several operators share.
//!
//! The log is append-only, and its rows are those of `money.db`. Each append is a compare-and-swap:
//! it succeeds only if the log ends with the row before the new one. Each machine has a verified
//! mirror of the log, which is an ordinary journal ([`MoneyJournal::attach_log`]).
//!
//! [`MoneyJournal::attach_log`]: super::MoneyJournal::attach_log

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::chain::{Checksum, EventRow};
use crate::trade::JournalTrouble;

/// A connection to the log of a team. Each call takes at most one round trip and has a time limit.
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

    /// Appends a row. `before` is the checksum of the row before it. When the call returns without
    /// an error, the row and all rows before it are durable.
    ///
    /// # Errors
    ///
    /// Returns [`NotAppended::Outrun`] if the log does not end with the row before.
    fn append(&mut self, row: &EventRow, before: &Checksum) -> Result<(), NotAppended>;

    /// A flag that is true until the current connection is known to be lost. Reading it runs no
    /// query.
    fn liveness(&self) -> Arc<AtomicBool>;
}

/// The reason why a row was not appended to the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotAppended {
    /// The log ends with another row than the one before: another machine appended first, or the
    /// log lost rows. Nothing was written.
    Outrun,
    /// The connection was lost before the log answered. The row may be in the log, or may still
    /// arrive there. Reading proves nothing. Once the log has a row with this number, it refuses a
    /// late one.
    Doubt(String),
    /// The row was not written for any other reason.
    Trouble(JournalTrouble),
}

impl NotAppended {
    /// The error to report when the append is not tried again.
    pub(super) fn into_trouble(self) -> JournalTrouble {
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
