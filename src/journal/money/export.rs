//! All events as they stand in the file, for somebody who takes them elsewhere.

use std::path::Path;

use super::chain::{self, ChainLink, EventRow};
use super::{Rows, read_only};
use crate::trade::JournalTrouble;

/// The number of events that are read at once: a slow reader holds no lock in between.
const AT_ONCE: i64 = 500;

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
    pub fn read_more(&mut self) -> (Vec<EventRow>, Option<JournalTrouble>) {
        let mut records = Vec::new();
        let mut last = self.last;
        let read = self.file.some_after(self.last, AT_ONCE, |row| {
            last = row.link();
            records.push(row);
            Ok(())
        });
        self.last = last;
        (records, read.err())
    }
}
