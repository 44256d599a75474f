//! The log of a team's history: records of links, direct payments, batches, nicknames and lines of
//! statements, which the machines of several operators share.
//!
//! A record contains the whole new state of one part of a row, so the last record of each part is
//! its state on every machine. No money depends on this log: losing it loses no withdrawal.

use uuid::Uuid;

use crate::journal::money::NotAppended;
use crate::trade::JournalTrouble;

/// The maximum length of a record's state, in bytes. A longer state is not shared.
pub const MAX_STATE_BYTES: usize = 65_536;

/// The maximum length of the author of a record, in bytes.
pub const MAX_AUTHOR_BYTES: usize = 4_096;

/// A record of the shared history: the new state of one part of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The number of the record in the log, from 1.
    pub n: i64,
    /// Identifies this change, even if its append is repeated.
    pub change: Uuid,
    /// The kind of row, such as `link`.
    pub kind: String,
    /// The row, under the same id on every machine.
    pub row: Uuid,
    /// The part of the row, or `deleted`.
    pub part: String,
    /// The person and the machine, as JSON of [`Author`](crate::trade::Author).
    pub who: String,
    /// The new state as JSON. `None` for a deletion, or after a purge erased it.
    pub state: Option<String>,
    /// The database role that appended the record, according to the database. `None` before the
    /// append.
    pub written_by: Option<String>,
}

/// A connection to the log of a team's history. Each call takes at most one round trip and has a
/// time limit.
pub trait HistoryLog: Send {
    /// The records after number `n`, in order, at most `most` of them.
    ///
    /// # Errors
    ///
    /// Returns [`JournalTrouble::Offline`] if the log cannot be reached.
    fn records_after(&mut self, n: i64, most: i64) -> Result<Vec<Record>, JournalTrouble>;

    /// Appends consecutive records, all or none.
    ///
    /// # Errors
    ///
    /// Returns [`NotAppended::Outrun`] if the first number does not follow the last record of the
    /// log.
    fn append_records(&mut self, records: &[Record]) -> Result<(), NotAppended>;
}
