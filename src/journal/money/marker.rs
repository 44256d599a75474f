//! The marker is a record of the live journal's last event. It is stored outside the journal's
//! directory.
//!
//! If the directory is replaced with an older copy, the copy looks complete. Only a record
//! elsewhere can show that events are missing. The marker is written after `money.db` and
//! `money.head`, so it may be behind the journal, but never ahead of it. (A new journal's marker is
//! written with event 0 before the first event.)

use std::io;

use super::chain::ChainLink;
use super::{JournalOverview, MoneyJournal, Rows};
use crate::trade::{JournalContents, JournalTrouble};

/// Stores the number and checksum of a journal's last event, outside the journal's directory.
pub trait Marker: Send {
    /// The last stored event, or `None` if no event was stored yet.
    ///
    /// # Errors
    ///
    /// Fails if another journal has become the live one.
    fn last_event(&self) -> Result<Option<ChainLink>, JournalTrouble>;

    /// Stores the number and checksum of the journal's last event.
    fn store(&self, last: &ChainLink) -> io::Result<()>;
}

impl MoneyJournal {
    /// Compares the journal with its marker. From now on, every write to the journal updates the
    /// marker.
    ///
    /// # Errors
    ///
    /// Fails if the journal does not contain the marker's event, or if another journal is the live
    /// one.
    pub fn attach_marker(&mut self, marker: Box<dyn Marker>) -> Result<(), JournalTrouble> {
        let _lock = self.storage.lock_journal()?;
        self.read_new_events()?;
        self.marker = Some(marker);
        self.check_against_marker()?;
        // An empty journal needs no marker, because nothing can be lost.
        if self.index.last.n > 0 {
            self.update_marker();
        }
        Ok(())
    }

    /// The number and checksum of the last event.
    pub fn last_event(&self) -> ChainLink {
        self.index.last
    }

    /// Checks that this is still the live journal, and that it contains the event that the marker
    /// records.
    pub(super) fn check_against_marker(&self) -> Result<(), JournalTrouble> {
        let Some(marker) = &self.marker else {
            return Ok(());
        };
        marker
            .last_event()?
            .map_or(Ok(()), |event| self.check_contains(&event))
    }

    /// Stores the last event in the marker. The caller must hold the journal's lock.
    ///
    /// Errors are ignored, so that withdrawals work although the configuration directory cannot be
    /// written. Until the next successful write, an older copy of the journal goes unnoticed. The
    /// marker stays the same if this journal is not the live one, or does not contain the marker's
    /// event.
    pub(super) fn update_marker(&self) {
        if let (Some(marker), Ok(())) = (&self.marker, self.check_against_marker()) {
            let _ = marker.store(&self.index.last);
        }
    }
}

/// A verified journal that can be compared with its markers.
pub trait EventLookup {
    /// Summarizes the withdrawals in the journal.
    fn contents(&self) -> JournalContents;

    /// Checks that the journal contains this event.
    ///
    /// # Errors
    ///
    /// Returns [`JournalTrouble::Older`] if the journal ends before the event, and
    /// [`JournalTrouble::Damaged`] if the journal has a different event with the same number.
    fn check_contains(&self, event: &ChainLink) -> Result<(), JournalTrouble>;

    /// Checks that the journal contains all these events.
    ///
    /// # Errors
    ///
    /// Fails like [`check_contains`](EventLookup::check_contains).
    fn check_contains_all(&self, events: &[ChainLink]) -> Result<(), JournalTrouble> {
        events
            .iter()
            .try_for_each(|event| self.check_contains(event))
    }
}

impl EventLookup for MoneyJournal {
    fn contents(&self) -> JournalContents {
        let entries = &self.index.entries;
        let open = entries
            .iter()
            .filter(|entry| entry.standing.is_open())
            .count();
        JournalContents {
            withdrawals: entries.len() as u64,
            open: open as u64,
            last: entries.last().map(|entry| entry.confirmed_at),
        }
    }

    fn check_contains(&self, event: &ChainLink) -> Result<(), JournalTrouble> {
        check_contains(&*self.file, self.last_event(), event)
    }
}

impl EventLookup for JournalOverview {
    fn contents(&self) -> JournalContents {
        self.index.contents()
    }

    fn check_contains(&self, event: &ChainLink) -> Result<(), JournalTrouble> {
        check_contains(&*self.file, self.last_event(), event)
    }
}

/// Checks that a journal with this last event contains another event.
fn check_contains(
    file: &dyn Rows,
    last: ChainLink,
    event: &ChainLink,
) -> Result<(), JournalTrouble> {
    let missing = event.n - last.n;
    if missing > 0 {
        return Err(JournalTrouble::Older {
            missing: missing.unsigned_abs(),
        });
    }
    if file.link(event.n)? == *event {
        return Ok(());
    }
    let text = format!("event {} is not the one that the marker records", event.n);
    Err(file.damaged(&text))
}
