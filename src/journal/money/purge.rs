//! Forgetting whom old withdrawals were paid to, while the chain still verifies.

use super::MoneyJournal;
use super::index::IndexEntry;
use super::rules::RECENT;
use crate::journal::disk::Disk;
use crate::trade::{IdempotencyKey, JournalTrouble, Wall};

impl<D: Disk> MoneyJournal<D> {
    /// Blanks body, destination and the service's words of what was decided before this moment.
    ///
    /// Never of what is open or prepared, and never of the last day, in which the same payment
    /// would be taken for a second one. How many withdrawals that were. Other windows still find
    /// them by destination until they start again.
    pub fn purge(&mut self, before: Wall, now: Wall) -> Result<u64, JournalTrouble> {
        if let Some(trouble) = &self.trouble {
            return Err(trouble.clone());
        }
        let _held = self.storage.hold_journal()?;
        let begun = self.begin_write();
        self.noted(begun)?;
        let old = self.decided_before(before, now);
        let purged = self.blank(&old);
        if purged.is_err() {
            self.file.roll_back();
        }
        self.noted(purged)?;
        for key in &old {
            self.index.forget_person(*key);
        }
        Ok(old.len() as u64)
    }

    /// Counts the withdrawals that still have something personal to purge.
    pub fn to_purge(&mut self, before: Wall, now: Wall) -> Result<u64, JournalTrouble> {
        self.catch_up()?;
        Ok(self.decided_before(before, now).len() as u64)
    }

    fn decided_before(&self, before: Wall, now: Wall) -> Vec<IdempotencyKey> {
        let old =
            |entry: &&IndexEntry| entry.changed < before && !entry.changed_within(RECENT, now);
        let entries = self.index.entries.iter().filter(old);
        entries
            .filter(|entry| entry.is_decided() && !entry.is_purged())
            .map(|entry| entry.key)
            .collect()
    }

    /// No event is added and no checksum changes: the head stays as it is.
    fn blank(&self, old: &[IdempotencyKey]) -> Result<(), JournalTrouble> {
        for entry in old.iter().filter_map(|key| self.index.entry(*key)) {
            self.file.blank(&entry.events, &self.disk)?;
        }
        self.file.commit(&self.disk)
    }
}
