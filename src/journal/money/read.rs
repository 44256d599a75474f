//! Queries of the money journal. Each query first reads the events that other processes have
//! appended.

use std::collections::HashMap;

use super::MoneyJournal;
use super::event::Event;
use super::index::IndexEntry;
use super::progress::Progress;
use super::replay::{self, read_event, replay};
use super::team::account_of_rules;
use crate::journal::lock::AttemptWaiter;
use crate::trade::report::WithdrawalFigures;
use crate::trade::withdrawal::{Destination, Standing, is_recent};
use crate::trade::{
    Account, IdempotencyKey, JournalTrouble, ListPage, Money, PixKey, Search, Wall, Withdrawal,
};

impl MoneyJournal {
    /// Reads the events that other processes have appended. Returns true if there were any.
    pub fn catch_up(&mut self) -> Result<bool, JournalTrouble> {
        if let Some(damage) = self.trouble.as_ref().filter(|trouble| trouble.is_damage()) {
            return Err(damage.clone());
        }
        let before = self.index.last;
        let result = self.read_new_events();
        if let Err(damage @ JournalTrouble::Damaged(_)) = &result {
            self.trouble.get_or_insert_with(|| damage.clone());
        }
        result.map(|()| self.index.last != before)
    }

    /// A withdrawal by its key.
    pub fn get(&mut self, key: IdempotencyKey) -> Result<Option<Withdrawal>, JournalTrouble> {
        self.catch_up()?;
        self.load(key)
    }

    /// All open withdrawals, oldest first. A withdrawal is open if money may have moved but the
    /// outcome is unknown.
    pub fn open_withdrawals(&mut self) -> Result<Vec<Withdrawal>, JournalTrouble> {
        self.catch_up()?;
        let entries = self
            .index
            .entries
            .iter()
            .filter(|entry| entry.standing.is_open());
        Ok(entries
            .filter_map(|entry| self.index.undecided(entry.key).cloned())
            .collect())
    }

    /// Up to `n` withdrawals that a search finds, starting at position `first` of the list. Open
    /// withdrawals come first, then prepared ones, then decided ones. Each group is sorted from
    /// newest to oldest.
    ///
    /// Each search term must match the withdrawal's amount, destination, key or description, or the
    /// status, nickname or time in its table row. Case and accents are ignored.
    pub fn page(
        &mut self,
        account: Option<&Account>,
        search: impl Into<Search>,
        first: u64,
        n: u64,
    ) -> Result<ListPage<Withdrawal>, JournalTrouble> {
        self.catch_up()?;
        let keys = self.index.find_keys(account, &search.into());
        let skip = usize::try_from(first).unwrap_or(usize::MAX);
        let take = usize::try_from(n).unwrap_or(usize::MAX);
        let rows = self.load_all(keys.iter().skip(skip).take(take).copied())?;
        Ok(ListPage {
            rows: rows.into(),
            total: Some(keys.len() as u64),
            first,
        })
    }

    /// The keys of all withdrawals that a search finds, in the order of [`page`](Self::page).
    pub fn find(&mut self, search: &Search) -> Result<Vec<IdempotencyKey>, JournalTrouble> {
        self.catch_up()?;
        Ok(self.index.find_keys(None, search))
    }

    /// The withdrawals with these keys, in their order.
    pub fn withdrawals(&self, keys: &[IdempotencyKey]) -> Result<Vec<Withdrawal>, JournalTrouble> {
        self.load_all(keys.iter().copied())
    }

    /// The figures of the withdrawals that a search finds. Returns `None` if the search finds all
    /// of them.
    pub fn found_figures(
        &mut self,
        search: &Search,
    ) -> Result<Option<WithdrawalFigures>, JournalTrouble> {
        self.catch_up()?;
        Ok(search
            .is_narrowed()
            .then(|| self.index.found_figures(search)))
    }

    /// The figures of the withdrawals that the seller confirmed in a period. The end of the period
    /// is exclusive.
    pub fn figures(&mut self, period: [Wall; 2]) -> Result<WithdrawalFigures, JournalTrouble> {
        self.catch_up()?;
        Ok(self.index.figures_between(period))
    }

    /// The withdrawals with this amount and destination that were decided in the last 24 hours,
    /// newest first.
    ///
    /// All logins and service addresses are included, because a withdrawal from any of them could
    /// pay the same receiver twice. Refused and discarded withdrawals are included too, because the
    /// seller may have forgotten that no money moved.
    pub fn similar_decided(
        &mut self,
        amount: Money,
        destination: Option<&PixKey>,
        now: Wall,
    ) -> Result<Vec<Withdrawal>, JournalTrouble> {
        self.catch_up()?;
        let similar = self.index.with_amount_and_destination(amount, destination);
        let mut recent: Vec<_> = similar
            .filter(|entry| entry.is_decided() && is_recent(entry.changed_at, now))
            .map(|entry| (entry.changed_at, entry.key))
            .collect();
        recent.sort_by_key(|(changed_at, _)| std::cmp::Reverse(*changed_at));
        self.load_all(recent.into_iter().map(|(_, key)| key))
    }

    /// Up to `limit` Pix keys to which the account's withdrawals were paid. The most frequent
    /// destination comes first. Equally frequent destinations are sorted by their last use, the
    /// latest first.
    ///
    /// Deleted destinations are omitted, even if another process deleted them a moment ago.
    pub fn destinations(
        &mut self,
        account: &Account,
        limit: usize,
    ) -> Result<Vec<Destination>, JournalTrouble> {
        self.catch_up()?;
        let mut destinations = self.paid_destinations(account, |_| true);
        destinations.sort_by_key(|(destination, _)| {
            (
                std::cmp::Reverse(destination.count),
                std::cmp::Reverse(destination.last),
            )
        });
        destinations.truncate(limit);
        self.omit_deleted(destinations)
    }

    /// Returns how often and when the account's withdrawals were paid to this Pix key. Returns
    /// `None` if that never happened.
    pub fn destination(
        &mut self,
        account: &Account,
        key: &PixKey,
    ) -> Result<Option<Destination>, JournalTrouble> {
        self.catch_up()?;
        let known = self.paid_destinations(account, |paid_to| paid_to == key);
        Ok(self.omit_deleted(known)?.pop())
    }

    /// The destinations of the account's paid withdrawals for which `is_included` returns true.
    /// Each destination is paired with the idempotency key of the last withdrawal to it.
    fn paid_destinations(
        &self,
        account: &Account,
        is_included: impl Fn(&PixKey) -> bool,
    ) -> Vec<(Destination, IdempotencyKey)> {
        let owner = account.normalized();
        let mut positions: HashMap<&PixKey, usize> = HashMap::new();
        let mut destinations: Vec<(Destination, IdempotencyKey)> = Vec::new();
        for entry in &self.index.entries {
            let is_paid = entry.standing == Standing::Paid;
            let Some(key) = entry
                .destination
                .as_ref()
                .filter(|key| is_paid && is_included(key))
            else {
                continue;
            };
            if *entry.owner != owner {
                continue;
            }
            let position = *positions.entry(key).or_insert(destinations.len());
            if position == destinations.len() {
                let last = entry.changed_at;
                let last_amount = entry.amount;
                let destination = Destination {
                    key: key.clone(),
                    count: 0,
                    last,
                    last_amount,
                };
                destinations.push((destination, entry.key));
            }
            let (destination, last_used_by) = &mut destinations[position];
            destination.count += 1;
            if entry.changed_at >= destination.last {
                (destination.last, destination.last_amount) = (entry.changed_at, entry.amount);
                *last_used_by = entry.key;
            }
        }
        destinations
    }

    /// Omits destinations that were deleted on disk. A destination was deleted if the last
    /// withdrawal to this Pix key no longer contains the key.
    fn omit_deleted(
        &self,
        destinations: Vec<(Destination, IdempotencyKey)>,
    ) -> Result<Vec<Destination>, JournalTrouble> {
        let withdrawals = self.load_all(destinations.iter().map(|(_, key)| *key))?;
        let pairs = destinations.into_iter().zip(withdrawals);
        let remaining = pairs.filter(|((destination, _), withdrawal)| {
            withdrawal.agreement.destination.as_ref() == Some(&destination.key)
        });
        Ok(remaining.map(|((destination, _), _)| destination).collect())
    }

    /// The withdrawal of this account that is being sent now, by this process or another.
    ///
    /// An attempt whose process died before recording an outcome does not count as being sent. Its
    /// outcome is unknown.
    pub fn in_flight(
        &mut self,
        account: &Account,
    ) -> Result<Option<IdempotencyKey>, JournalTrouble> {
        let owner = account_of_rules(self.is_mirror, account);
        if !self.storage.is_account_locked(&owner)? {
            return Ok(None);
        }
        self.catch_up()?;
        let is_own = |entry: &&IndexEntry| account_of_rules(self.is_mirror, &entry.owner) == owner;
        let sending = self
            .index
            .entries
            .iter()
            .filter(|entry| entry.standing == Standing::Open)
            .filter(is_own)
            .filter_map(|entry| {
                let last = self.index.undecided(entry.key)?.attempts.last()?;
                last.end
                    .is_none()
                    .then_some((entry.events.last(), entry.key))
            })
            .max_by_key(|(began, _)| *began);
        Ok(sending.map(|(_, key)| key))
    }

    /// A function that waits until the attempt that this account is sending ends.
    pub fn attempt_waiter(&self, account: &Account) -> AttemptWaiter {
        let owner = account_of_rules(self.is_mirror, account);
        self.storage.attempt_waiter(&owner)
    }

    /// The number of events that this journal has read from disk.
    pub fn events(&self) -> i64 {
        self.index.last.n
    }

    /// The number of the last event that this instance wrote, or 0.
    pub fn last_own_event(&self) -> i64 {
        self.last_own_event
    }

    /// The withdrawals that changed after event number `n`, in their current state.
    pub fn changed_since(&mut self, n: i64) -> Result<Vec<Withdrawal>, JournalTrouble> {
        self.catch_up()?;
        let entries = self.index.entries.iter();
        let changed = entries.filter(|entry| entry.events.last().is_some_and(|last| *last > n));
        self.load_all(changed.map(|entry| entry.key))
    }

    /// Reads all events on disk again, and verifies them. Returns the number of events.
    ///
    /// # Errors
    ///
    /// Fails if the files are damaged, or if their events differ from the events read earlier.
    pub fn verify(&mut self) -> Result<u64, JournalTrouble> {
        let _lock = self.storage.lock_journal()?;
        self.file.check_structure()?;
        let mut last = super::chain::start();
        let mut before = super::chain::start();
        self.file.rows_after(last, |row| {
            Event::decode(&row.kind, &row.plain, row.personal.as_deref())
                .map_err(|text| self.file.damaged(&text))?;
            before = last;
            last = row.link();
            Ok(())
        })?;
        match self.storage.head()? {
            Some(head) if head == last || (head == before && last.n > 0) => {}
            _ => return Err(self.file.damaged("money.head says that it ends elsewhere")),
        }
        self.catch_up()?;
        if self.index.last != last {
            return Err(self
                .file
                .damaged("it is not what it was when it was opened"));
        }
        Ok(last.n.unsigned_abs())
    }

    /// Reads the events that are not in the index yet.
    pub(super) fn read_new_events(&mut self) -> Result<(), JournalTrouble> {
        self.read_events(&mut Progress::new(0, &mut |_| ()))
    }

    /// Reads the events that are not in the index yet, and reports the progress.
    pub(super) fn read_events(&mut self, progress: &mut Progress) -> Result<(), JournalTrouble> {
        replay::read_new_events(&*self.file, &mut self.index, progress)
    }

    /// Reads a withdrawal from its events on disk, and verifies each event again.
    pub(super) fn load(&self, key: IdempotencyKey) -> Result<Option<Withdrawal>, JournalTrouble> {
        self.index
            .entry(key)
            .map(|entry| replay(&*self.file, &entry.events))
            .transpose()
    }

    /// Reads these withdrawals in one transaction.
    fn load_all(
        &self,
        keys: impl Iterator<Item = IdempotencyKey>,
    ) -> Result<Vec<Withdrawal>, JournalTrouble> {
        let keys: Vec<_> = keys.collect();
        let mut withdrawals = Vec::with_capacity(keys.len());
        self.file.in_read_transaction(&mut || {
            for key in &keys {
                withdrawals.extend(self.load(*key)?);
            }
            Ok(())
        })?;
        Ok(withdrawals)
    }

    /// The conflicts that the seller accepted earlier, by typing the amount again. They are stored
    /// in the events of this withdrawal.
    pub(super) fn recorded_conflicts(
        &self,
        key: IdempotencyKey,
    ) -> Result<Vec<IdempotencyKey>, JournalTrouble> {
        let events = self
            .index
            .entry(key)
            .map(|entry| entry.events.clone())
            .unwrap_or_default();
        let mut keys = Vec::new();
        for (position, n) in events.into_iter().enumerate() {
            match (read_event(&*self.file, n)?.0, position) {
                (Event::Prepared(prepared), 0) => keys.extend(prepared.beside),
                (_, 0) => {
                    return Err(self
                        .file
                        .damaged("a withdrawal does not begin with its agreement"));
                }
                (Event::AttemptBegan { beside, .. }, _) => keys.extend(beside),
                _ => {}
            }
        }
        Ok(keys)
    }
}
