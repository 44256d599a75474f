//! Replays the events of a journal: verifies each event, applies it to its withdrawal, and adds the
//! result to an index.

use std::collections::HashMap;

use super::Rows;
use super::chain::{self, ChainLink, Written};
use super::event::Event;
use super::progress::Progress;
use crate::trade::{IdempotencyKey, JournalTrouble, Wall, Withdrawal};

/// An index of the withdrawals whose events have been replayed.
pub(super) trait ReplayIndex {
    fn replayed(&self) -> &Replayed;

    /// The numbers of the events of a withdrawal, or `None` if the index does not contain it.
    fn events(&self, key: IdempotencyKey) -> Option<&[i64]>;

    /// Adds an event to the index. `withdrawal` already includes the event. `link` is the event's
    /// position in the chain.
    fn add_event(&mut self, link: ChainLink, at: Wall, withdrawal: Withdrawal);
}

/// The part of an index that every index has.
pub(super) struct Replayed {
    /// The position of the last event that was read.
    pub last: ChainLink,
    /// The position of the second to last event that was read.
    pub before_last: ChainLink,
    undecided: HashMap<IdempotencyKey, Withdrawal>,
}

impl Replayed {
    pub fn new() -> Replayed {
        let start = chain::start();
        Replayed {
            last: start,
            before_last: start,
            undecided: HashMap::new(),
        }
    }

    /// The withdrawal with this key, if it is undecided.
    pub fn undecided(&self, key: IdempotencyKey) -> Option<&Withdrawal> {
        self.undecided.get(&key)
    }

    /// All undecided withdrawals, in any order.
    pub fn all_undecided(&self) -> impl Iterator<Item = &Withdrawal> {
        self.undecided.values()
    }

    /// The key of an undecided withdrawal without a request body, if there is one. A missing body
    /// is damage.
    pub fn key_without_body(&self) -> Option<IdempotencyKey> {
        let mut undecided = self
            .undecided
            .values()
            .map(|withdrawal| &withdrawal.agreement);
        undecided
            .find(|agreement| agreement.body.is_empty())
            .map(|agreement| agreement.key)
    }

    /// Records the position of the next event, and keeps its withdrawal while it is undecided.
    pub fn add(&mut self, link: ChainLink, withdrawal: Withdrawal, is_decided: bool) {
        let key = withdrawal.agreement.key;
        if is_decided {
            self.undecided.remove(&key);
        } else {
            self.undecided.insert(key, withdrawal);
        }
        self.before_last = self.last;
        self.last = link;
    }
}

/// Reads the events that are not in the index yet.
pub(super) fn read_new_events(
    file: &dyn Rows,
    index: &mut dyn ReplayIndex,
    progress: &mut Progress,
) -> Result<(), JournalTrouble> {
    file.rows_after(index.replayed().last, |row| {
        let damaged = |text: String| file.damaged(&format!("event {}: {text}", row.n));
        let event = Event::decode(&row.kind, &row.plain, row.personal.as_deref());
        let before = match (index.replayed().undecided(row.key), index.events(row.key)) {
            (Some(withdrawal), _) => Some(withdrawal.clone()),
            (None, Some(events)) => Some(replay(file, events)?),
            (None, None) => None,
        };
        let result = event.and_then(|event| event.apply_to(before, row.written()));
        let withdrawal = result.map_err(damaged)?;
        if withdrawal.agreement.key != row.key {
            return Err(damaged("it names another withdrawal".into()));
        }
        index.add_event(row.link(), row.at, withdrawal);
        progress.on_event(row.n);
        Ok(())
    })
}

/// Checks that every undecided withdrawal has its request body. A missing body is damage, because
/// only the bodies of decided withdrawals are ever deleted.
pub(super) fn check_bodies(file: &dyn Rows, replayed: &Replayed) -> Result<(), JournalTrouble> {
    match replayed.key_without_body() {
        Some(key) => Err(file.damaged(&format!("the body of {key} is gone"))),
        None => Ok(()),
    }
}

/// Reads a withdrawal from its events on disk, and verifies each event again.
pub(super) fn replay(file: &dyn Rows, events: &[i64]) -> Result<Withdrawal, JournalTrouble> {
    let mut withdrawal = None;
    for &n in events {
        let (event, written) = read_event(file, n)?;
        withdrawal = Some(
            event
                .apply_to(withdrawal, written)
                .map_err(|text| file.damaged(&text))?,
        );
    }
    withdrawal.ok_or_else(|| file.damaged("a withdrawal has no events"))
}

/// Reads an event, and verifies it against the event before it.
pub(super) fn read_event(file: &dyn Rows, n: i64) -> Result<(Event, Written), JournalTrouble> {
    let row = file.row(n, file.link(n - 1)?)?;
    let event = Event::decode(&row.kind, &row.plain, row.personal.as_deref());
    let event = event.map_err(|text| file.damaged(&text))?;
    Ok((event, row.written()))
}
