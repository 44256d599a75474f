//! All events as they stand in the file, for somebody who takes them elsewhere.

use std::path::Path;

use super::chain::{self, ChainLink, EventRow, Sum};
use super::{Rows, read_only};
use crate::trade::{IdempotencyKey, JournalTrouble, Wall};

/// The number of events that are read at once: a slow reader holds no lock in between.
const AT_ONCE: i64 = 500;

/// One event, with everything that is in its row.
#[derive(Debug, Clone, PartialEq)]
pub struct ExportedEvent {
    /// Its number; the first is 1.
    pub n: u64,
    /// The time at which it was written.
    pub at: Wall,
    /// Of which withdrawal.
    pub key: IdempotencyKey,
    /// The kind of event.
    pub kind: String,
    /// The part that is kept for ever: JSON, as it was written.
    pub plain: String,
    /// The part that can be purged: JSON, as it was written, or nothing once it was purged.
    pub personal: Option<String>,
    /// The checksum of what can be purged.
    pub personal_sum: Option<Sum>,
    /// The checksum of this event and all before it.
    pub sum: Sum,
}

/// The events of a journal from the first on, each checked against the one before.
pub struct Export {
    file: Box<dyn Rows>,
    last: ChainLink,
    /// True when a copy is read, in which a write that was cut short is undone.
    pub is_copy: bool,
}

impl Export {
    /// Opens a journal that is there; nothing is written.
    pub fn open(dir: &Path) -> Result<Export, JournalTrouble> {
        if !read_only::is_there(dir) {
            return Err(JournalTrouble::Missing);
        }
        let read_only::OpenedFile { file, is_copy, .. } = read_only::open_file(dir)?;
        Ok(Export { file, last: chain::start(), is_copy })
    }

    /// The next events, none at the end; beside them what is wrong behind the last of them.
    pub fn read_more(&mut self) -> (Vec<ExportedEvent>, Option<JournalTrouble>) {
        let mut records = Vec::new();
        let mut last = self.last;
        let read = self.file.some_after(self.last, AT_ONCE, |row| {
            last = row.link();
            records.push(row.into());
            Ok(())
        });
        self.last = last;
        (records, read.err())
    }
}

impl From<EventRow> for ExportedEvent {
    fn from(row: EventRow) -> ExportedEvent {
        let EventRow { n, at, key, kind, plain, personal, personal_sum, sum } = row;
        ExportedEvent { n: n.unsigned_abs(), at, key, kind, plain, personal, personal_sum, sum }
    }
}
