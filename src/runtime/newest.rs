//! Slots for queries. A slot contains one waiting query. A newer query of the same kind replaces
//! it.
//!
//! Searching or scrolling a list sends a query for each key press. In a queue, these queries would
//! pile up, and on a slow disk the program would read pages that are no longer needed.

use tokio::sync::Notify;

use crate::app::MoneyCommand;
use crate::locked::Locked;

/// A slot for one waiting query. A newer query replaces it.
#[derive(Debug)]
pub struct Newest<T>(Locked<Slot<T>>);

#[derive(Debug)]
struct Slot<T> {
    waiting: Option<T>,
    /// The number of queries that were put into the slot so far. It is also the number of the
    /// newest query, which may have been taken.
    newest: u64,
}

/// The number of a query in its slot, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueryNumber(u64);

impl<T> Default for Newest<T> {
    fn default() -> Self {
        Newest(Locked::new(Slot {
            waiting: None,
            newest: 0,
        }))
    }
}

impl<T> Newest<T> {
    /// Puts a query into the slot. Returns true if the slot was empty.
    pub fn put(&self, query: T) -> bool {
        let mut slot = self.0.lock();
        slot.newest += 1;
        slot.waiting.replace(query).is_none()
    }

    /// Begins a query that does not wait in this slot. The number is the newest from then on.
    pub fn begin(&self) -> QueryNumber {
        let mut slot = self.0.lock();
        slot.newest += 1;
        QueryNumber(slot.newest)
    }

    /// Acts if the query with this number is still the newest. Until the act is done, no newer one
    /// can begin.
    pub fn act_if_newest<R>(&self, number: QueryNumber, act: impl FnOnce() -> R) -> Option<R> {
        let slot = self.0.lock();
        (slot.newest == number.0).then(act)
    }

    /// Takes the waiting query out of the slot, if there is one.
    pub fn take(&self) -> Option<T> {
        self.0.lock().waiting.take()
    }

    /// Takes the waiting query out of the slot, if there is one, together with its number.
    pub fn take_numbered(&self) -> Option<(QueryNumber, T)> {
        let mut slot = self.0.lock();
        let query = slot.waiting.take()?;
        Some((QueryNumber(slot.newest), query))
    }

    /// False if a newer query was put into the slot after this one, even if the newer one was taken
    /// since.
    pub fn is_newest(&self, number: QueryNumber) -> bool {
        self.0.lock().newest == number.0
    }
}

/// Slots for the app's queries to the money journal, one for each kind of query.
#[derive(Default)]
pub struct QuerySlots {
    lists: Newest<MoneyCommand>,
    pasts: Newest<MoneyCommand>,
    destinations: Newest<MoneyCommand>,
    reports: Newest<MoneyCommand>,
    /// Notified whenever a query is put into a slot.
    pub added: Notify,
}

impl QuerySlots {
    /// The slot for a query of this kind, or `None` if the command is not a query.
    pub fn slot_for(&self, command: &MoneyCommand) -> Option<&Newest<MoneyCommand>> {
        match command {
            MoneyCommand::Load(_) => Some(&self.lists),
            MoneyCommand::LookUpPast(_) => Some(&self.pasts),
            MoneyCommand::LoadDestinations { .. } => Some(&self.destinations),
            MoneyCommand::Report(_) => Some(&self.reports),
            MoneyCommand::Find { .. }
            | MoneyCommand::Prepare { .. }
            | MoneyCommand::Attempt { .. }
            | MoneyCommand::Decide { .. }
            | MoneyCommand::Approve { .. }
            | MoneyCommand::TakeApprovalBack { .. } => None,
        }
    }

    /// Waits for a query in any slot, and takes it.
    pub async fn next(&self) -> MoneyCommand {
        loop {
            if let Some(query) = self.take_any() {
                return query;
            }
            self.added.notified().await;
        }
    }

    /// Takes a waiting query from any slot, if there is one.
    pub fn take_any(&self) -> Option<MoneyCommand> {
        let kinds = [&self.lists, &self.pasts, &self.destinations, &self.reports];
        kinds.into_iter().find_map(Newest::take)
    }
}
