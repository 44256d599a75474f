//! Which attempts are in flight, counted from the order on, for those who wait for the last.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::trade::{IdempotencyKey, Withdrawal};

/// The attempts in flight, for those who wait for the last of them.
#[derive(Default)]
pub(super) struct InFlight {
    flights: Mutex<Flights>,
    pub changed: Condvar,
}

#[derive(Default)]
pub(super) struct Flights {
    pub keys: Vec<IdempotencyKey>,
    /// As the journal has it, the one whose attempt ended last.
    pub ended: Option<Withdrawal>,
    /// Nobody waits any more.
    pub given_up: bool,
}

impl InFlight {
    pub fn begins(&self, key: IdempotencyKey) {
        self.change(|flights| {
            flights.keys.push(key);
            flights.ended = None;
        });
    }

    pub fn ends(&self, key: IdempotencyKey) {
        self.change(|flights| flights.keys.retain(|flying| *flying != key));
    }

    pub fn change(&self, change: impl FnOnce(&mut Flights)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    pub fn lock(&self) -> MutexGuard<'_, Flights> {
        self.flights.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Notes that an attempt is in flight no more, also when it panics.
pub(super) struct Ends(pub IdempotencyKey, pub Arc<InFlight>);

impl Drop for Ends {
    fn drop(&mut self) {
        self.1.ends(self.0);
    }
}
