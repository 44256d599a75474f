//! The marker: the last event of the live journal, kept outside the journal's directory.
//!
//! An older copy of the directory is whole in itself. Only something that was not copied with it
//! shows that events are missing. The marker is written after the database and the head, so it may
//! lag behind the journal and never leads.

use std::io;

use super::MoneyJournal;
use super::chain::ChainLink;
use crate::journal::disk::Disk;
use crate::trade::JournalTrouble;

/// Remembers the last event of a journal, outside its directory.
pub trait Marker: Send {
    /// Returns the last event that was stored, or nothing when none was.
    ///
    /// It is trouble when another journal is the live one by now.
    fn event(&self) -> Result<Option<ChainLink>, JournalTrouble>;

    /// Stores the last event.
    fn put(&self, last: &ChainLink) -> io::Result<()>;
}

impl<D: Disk> MoneyJournal<D> {
    /// Compares the journal with its marker, and keeps the marker up to date from now on.
    pub fn follow(&mut self, marker: Box<dyn Marker>) -> Result<(), JournalTrouble> {
        let _held = self.storage.hold_journal()?;
        self.read_on()?;
        self.marker = Some(marker);
        self.agrees_with_marker()?;
        // A journal without events has nothing to lose.
        if self.index.last.n > 0 {
            self.note_in_marker();
        }
        Ok(())
    }

    /// Checks that the journal contains an event that was remembered of it.
    pub fn holds(&self, event: &ChainLink) -> Result<(), JournalTrouble> {
        let missing = event.n - self.index.last.n;
        if missing > 0 {
            return Err(JournalTrouble::Older { missing: missing.unsigned_abs() });
        }
        if self.file.link(event.n)? == *event {
            return Ok(());
        }
        let text = format!("event {} is not the one that live-journal.toml remembers", event.n);
        Err(self.file.damaged(&text))
    }

    /// The last event: its number and its checksum.
    pub fn last(&self) -> ChainLink {
        self.index.last
    }

    /// Checks that this is still the live journal, and that it has no event less than before.
    pub(super) fn agrees_with_marker(&self) -> Result<(), JournalTrouble> {
        let Some(marker) = &self.marker else { return Ok(()) };
        marker.event()?.map_or(Ok(()), |event| self.holds(&event))
    }

    /// Stores the last event in the marker; the journal's lock is held.
    ///
    /// A marker that cannot be written stops nothing: it lags then. One that remembers more than
    /// this journal contains, or another journal, stays as it is.
    pub(super) fn note_in_marker(&self) {
        if let (Some(marker), Ok(())) = (&self.marker, self.agrees_with_marker()) {
            let _ = marker.put(&self.index.last);
        }
    }
}
