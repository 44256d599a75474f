//! An overview of a journal for commands that only read: the state of each withdrawal, and the
//! numbers of its events. A withdrawal is read from disk when it is printed, so even a long journal
//! needs little memory.

use std::collections::HashMap;

use super::chain::ChainLink;
use super::index::{group, lasting_state};
use super::replay::{self, ReplayIndex, Replayed};
use super::team::account_of_rules;
use super::{Rows, Storage};
use crate::trade::withdrawal::{Standing, WithdrawalState};
use crate::trade::{Account, IdempotencyKey, JournalContents, JournalTrouble, Wall, Withdrawal};

/// The number of withdrawals that are read under a single lock.
const WITHDRAWALS_PER_READ: usize = 200;

/// The withdrawals of a journal that is open only for reading. All events were verified.
pub struct JournalOverview {
    pub(super) file: Box<dyn Rows>,
    pub(super) storage: Box<dyn Storage>,
    pub(super) index: OverviewIndex,
}

/// All withdrawals, in the order in which the seller confirmed them.
pub(super) struct OverviewIndex {
    entries: Vec<OverviewEntry>,
    positions: HashMap<IdempotencyKey, u32>,
    /// The time at which the seller confirmed the newest withdrawal.
    last_confirmed: Option<Wall>,
    replayed: Replayed,
}

struct OverviewEntry {
    key: IdempotencyKey,
    standing: Standing,
    /// The name of the state. If the withdrawal is undecided, its state also depends on the time.
    state_name: &'static str,
    /// The numbers of the withdrawal's events in the journal.
    events: Vec<i64>,
    /// The time at which the seller confirmed the withdrawal.
    confirmed_at: Wall,
}

impl OverviewIndex {
    pub fn new() -> OverviewIndex {
        OverviewIndex {
            entries: Vec::new(),
            positions: HashMap::new(),
            last_confirmed: None,
            replayed: Replayed::new(),
        }
    }

    /// The withdrawal with this key, if it is undecided.
    #[cfg(test)]
    pub fn undecided(&self, key: IdempotencyKey) -> Option<&Withdrawal> {
        self.replayed.undecided(key)
    }

    /// The size of an entry, without the numbers of its events.
    #[cfg(test)]
    pub fn bytes_per_withdrawal(&self) -> usize {
        size_of::<OverviewEntry>()
    }

    pub fn contents(&self) -> JournalContents {
        let open = self
            .entries
            .iter()
            .filter(|entry| entry.standing.is_open())
            .count();
        JournalContents {
            withdrawals: self.entries.len() as u64,
            open: open as u64,
            last: self.last_confirmed,
        }
    }

    /// The withdrawals in the order of the app's list: first open ones, then prepared ones, then
    /// decided ones, each group from newest to oldest.
    fn in_list_order(&self) -> impl Iterator<Item = &OverviewEntry> {
        (0..3).flat_map(|group| {
            self.entries
                .iter()
                .rev()
                .filter(move |entry| self::group(entry.standing) == group)
        })
    }
}

impl ReplayIndex for OverviewIndex {
    fn replayed(&self) -> &Replayed {
        &self.replayed
    }

    fn events(&self, key: IdempotencyKey) -> Option<&[i64]> {
        self.positions
            .get(&key)
            .map(|&position| &*self.entries[position as usize].events)
    }

    fn add_event(&mut self, link: ChainLink, _: Wall, withdrawal: Withdrawal) {
        let key = withdrawal.agreement.key;
        let state = lasting_state(&withdrawal);
        let standing = state.standing();
        let state_name = state.name();
        let is_decided = standing.is_decided();
        match self.positions.get(&key) {
            Some(&position) => {
                let entry = &mut self.entries[position as usize];
                entry.events.push(link.n);
                entry.standing = standing;
                entry.state_name = state_name;
            }
            None => {
                self.positions.insert(key, self.entries.len() as u32);
                self.last_confirmed = Some(withdrawal.agreement.agreed.wall);
                let mut events = Vec::with_capacity(3);
                events.push(link.n);
                self.entries.push(OverviewEntry {
                    key,
                    standing,
                    state_name,
                    events,
                    confirmed_at: withdrawal.agreement.agreed.wall,
                });
            }
        }
        self.replayed.add(link, withdrawal, is_decided);
    }
}

impl JournalOverview {
    /// The schema version of the file.
    pub fn schema(&self) -> Result<u32, JournalTrouble> {
        self.file.schema()
    }

    /// The number and checksum of the last event.
    pub fn last_event(&self) -> ChainLink {
        self.index.replayed.last
    }

    /// The name of each withdrawal's state, in the order of the app's list. `state_of` computes the
    /// state of an undecided withdrawal.
    pub fn state_names(
        &self,
        state_of: impl Fn(&Withdrawal) -> WithdrawalState,
    ) -> impl Iterator<Item = &'static str> {
        self.index.in_list_order().map(move |entry| {
            let undecided = self.index.replayed.undecided(entry.key);
            undecided.map_or(entry.state_name, |withdrawal| state_of(withdrawal).name())
        })
    }

    /// All withdrawals, in the order of the app's list. They are read from disk in batches, and
    /// each event is verified again.
    pub fn withdrawals(&self) -> impl Iterator<Item = Result<Withdrawal, JournalTrouble>> {
        self.read(self.index.in_list_order())
    }

    /// All withdrawals, from the one that the seller confirmed last to the first. They are read in
    /// the same way.
    pub fn newest_withdrawals(&self) -> impl Iterator<Item = Result<Withdrawal, JournalTrouble>> {
        self.read(self.index.entries.iter().rev())
    }

    /// The withdrawals that the seller confirmed in a period, in the same order. Only these are
    /// read from disk. The end of the period is exclusive.
    pub fn withdrawals_between(
        &self,
        [since, until]: [Wall; 2],
    ) -> impl Iterator<Item = Result<Withdrawal, JournalTrouble>> {
        let entries = self.index.entries.iter().rev();
        self.read(entries.filter(move |entry| (since..until).contains(&entry.confirmed_at)))
    }

    fn read<'e>(
        &'e self,
        mut entries: impl Iterator<Item = &'e OverviewEntry>,
    ) -> impl Iterator<Item = Result<Withdrawal, JournalTrouble>> {
        let batches = std::iter::from_fn(move || {
            let batch: Vec<_> = entries.by_ref().take(WITHDRAWALS_PER_READ).collect();
            (!batch.is_empty()).then_some(batch)
        });
        batches.flat_map(|batch| {
            let mut withdrawals = Vec::with_capacity(batch.len());
            let read = self.file.in_read_transaction(&mut || {
                for entry in &batch {
                    withdrawals.push(Ok(replay::replay(&*self.file, &entry.events)?));
                }
                Ok(())
            });
            withdrawals.extend(read.err().map(Err));
            withdrawals
        })
    }

    /// The keys of the withdrawals that are being sent now. Each account's lock is checked only
    /// once.
    pub fn in_flight(&self) -> Result<Vec<IdempotencyKey>, JournalTrouble> {
        let is_mirror = self.storage.team()?.is_some();
        let mut last_unfinished: HashMap<Account, (i64, IdempotencyKey)> = HashMap::new();
        for entry in self
            .index
            .entries
            .iter()
            .filter(|entry| entry.standing == Standing::Open)
        {
            let Some(withdrawal) = self.index.replayed.undecided(entry.key) else {
                continue;
            };
            let Some(last) = entry.events.last() else {
                continue;
            };
            if withdrawal
                .attempts
                .last()
                .is_some_and(|attempt| attempt.end.is_none())
            {
                let owner = account_of_rules(is_mirror, &withdrawal.agreement.account);
                let known = last_unfinished.entry(owner).or_insert((*last, entry.key));
                *known = (*known).max((*last, entry.key));
            }
        }
        let mut keys = Vec::new();
        for (owner, (_, key)) in last_unfinished {
            if self.storage.is_account_locked(&owner)? {
                keys.push(key);
            }
        }
        Ok(keys)
    }
}
