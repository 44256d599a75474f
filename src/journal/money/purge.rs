//! Deletes the personal data of old withdrawals. The chain of checksums stays valid.

use super::MoneyJournal;
use super::event::Event;
use crate::trade::withdrawal::{Blocker, NotDone, is_recent};
use crate::trade::{IdempotencyKey, JournalTrouble, Wall};

impl MoneyJournal {
    /// Erases the request body, the destination and the service's messages of all withdrawals that
    /// were decided before this time. Returns the number of these withdrawals.
    ///
    /// Nothing is erased from undecided withdrawals, or from withdrawals decided in the last 24
    /// hours. Their data is needed to detect a second payment. Until they restart, other running
    /// processes can still find these withdrawals by the erased destination.
    pub fn purge(&mut self, before: Wall, now: Wall) -> Result<u64, JournalTrouble> {
        if let Some(trouble) = &self.trouble {
            return Err(trouble.clone());
        }
        if self.team.is_some() {
            return self.purge_in_team(before, now);
        }
        let _lock = self.storage.lock_journal()?;
        let result = self.begin_write();
        self.remember_error(result)?;
        let keys = self.decided_before(before, now);
        let purged = self.erase_personal_data(&keys);
        if purged.is_err() {
            self.file.roll_back();
        }
        self.remember_error(purged)?;
        for key in &keys {
            self.index.clear_personal_data(*key);
        }
        Ok(keys.len() as u64)
    }

    /// Checks that data may be erased. In a team, reads the events of the others first, and erases
    /// data that another purge has left in the log.
    ///
    /// # Errors
    ///
    /// Returns [`JournalTrouble::Refused`] if the role may not erase data.
    pub fn check_may_purge(&mut self) -> Result<(), JournalTrouble> {
        self.pull()?;
        match &mut self.team {
            Some(team) => team.log.erase_purged(),
            None => Ok(()),
        }
    }

    /// Appends an event for each withdrawal to purge, so that every mirror erases its data, and
    /// then erases the data in the log.
    fn purge_in_team(&mut self, before: Wall, now: Wall) -> Result<u64, JournalTrouble> {
        self.pull()?;
        let keys = self.decided_before(before, now);
        for key in &keys {
            self.append(now, |journal| {
                let entry = journal.index.entry(*key);
                let entry = entry.filter(|entry| entry.is_decided() && !entry.is_purged());
                match entry {
                    Some(_) => Ok::<_, NotDone>((*key, Event::Purged)),
                    None => Err(Blocker::State.into()),
                }
            })
            .map(drop)
            .or_else(|error| match error {
                // Another machine purged it a moment ago.
                NotDone::Blocked(Blocker::State) => Ok(()),
                NotDone::Blocked(_) => Err(JournalTrouble::Busy(
                    "another server of the team's log took over a moment ago".into(),
                )),
                NotDone::Journal(trouble) => Err(trouble),
            })?;
        }
        if let Some(team) = &mut self.team {
            team.log.erase_purged()?;
        }
        Ok(keys.len() as u64)
    }

    /// The withdrawals whose personal data [`purge`](MoneyJournal::purge) would erase.
    pub fn keys_to_purge(
        &mut self,
        before: Wall,
        now: Wall,
    ) -> Result<Vec<IdempotencyKey>, JournalTrouble> {
        self.catch_up()?;
        Ok(self.decided_before(before, now))
    }

    fn decided_before(&self, before: Wall, now: Wall) -> Vec<IdempotencyKey> {
        let entries = self
            .index
            .entries
            .iter()
            .filter(|entry| entry.changed_at < before && !is_recent(entry.changed_at, now));
        entries
            .filter(|entry| entry.is_decided() && !entry.is_purged())
            .map(|entry| entry.key)
            .collect()
    }

    /// Erases the personal data in the events of these withdrawals. `money.head` stays the same,
    /// because the numbers and checksums of the events stay the same.
    fn erase_personal_data(&self, keys: &[IdempotencyKey]) -> Result<(), JournalTrouble> {
        for entry in keys.iter().filter_map(|key| self.index.entry(*key)) {
            self.file.erase_personal_data(&entry.events)?;
        }
        self.file.commit()
    }
}
