//! Which attempts are in flight, counted from the order on, for those who wait for the last.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Order;
use crate::app::Msg;
use crate::trade::{Failure, IdempotencyKey, JournalTrouble, Withdrawal};

/// The attempts in flight, for those who wait for the last of them.
#[derive(Default)]
pub(super) struct InFlight {
    flights: Mutex<Flights>,
    changed: Condvar,
}

#[derive(Default)]
pub(super) struct Flights {
    pub keys: Vec<IdempotencyKey>,
    /// As the journal has it, the one whose attempt ended last.
    pub ended: Option<Withdrawal>,
    /// How an attempt ended that the journal does not have.
    pub unrecorded: Option<(IdempotencyKey, Failure)>,
    /// The screen was left: who asks to end from now on does not want to wait.
    is_left: bool,
    /// Nobody waits any more.
    given_up: bool,
}

impl InFlight {
    pub fn begins(&self, key: IdempotencyKey) {
        self.change(|flights| {
            flights.keys.push(key);
            flights.ended = None;
        });
    }

    /// Notes what the app hears of an attempt.
    pub fn hear(&self, msg: &Msg) {
        self.change(|flights| match msg {
            Msg::Settled(ended) => {
                flights.ended = Some(Withdrawal::clone(ended));
                flights.unrecorded.take_if(|(key, _)| *key == ended.agreement.key);
            }
            Msg::AttemptTrouble { key, withdrawal, trouble } => {
                if let Some(ended) = withdrawal {
                    flights.ended = Some(Withdrawal::clone(ended));
                }
                if matches!(trouble, Failure::Unrecorded { .. }) {
                    flights.unrecorded = Some((*key, trouble.clone()));
                }
            }
            _ => {}
        });
    }

    /// Who holds the journal, while the end of an attempt waits for it.
    pub fn held_up(&self) -> Option<JournalTrouble> {
        let flights = self.lock();
        let (key, end) = flights.unrecorded.as_ref()?;
        let trouble = end.journal_trouble().filter(|trouble| trouble.may_pass());
        trouble.filter(|_| flights.keys.contains(key)).cloned()
    }

    /// One attempt of this withdrawal is over; the next may be ordered already, and stays.
    pub fn ends(&self, key: IdempotencyKey) {
        self.change(|flights| {
            if let Some(at) = flights.keys.iter().position(|flying| *flying == key) {
                flights.keys.swap_remove(at);
            }
        });
    }

    /// Notes that the screen was left.
    pub fn leave(&self) {
        self.change(|flights| flights.is_left = true);
    }

    /// Ends the waiting, also one that has yet to begin; nothing before the screen was left.
    pub fn give_up(&self) {
        self.change(|flights| flights.given_up |= flights.is_left);
    }

    /// Waits until none is in flight, at most so long; whether that is so now.
    pub fn wait(&self, limit: Duration) -> bool {
        let waits = |flights: &mut Flights| !flights.keys.is_empty() && !flights.given_up;
        let waited = self.changed.wait_timeout_while(self.lock(), limit, waits);
        let (flights, _) = waited.unwrap_or_else(PoisonError::into_inner);
        flights.keys.is_empty()
    }

    fn change(&self, change: impl FnOnce(&mut Flights)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    pub fn lock(&self) -> MutexGuard<'_, Flights> {
        self.flights.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Notes that an attempt is in flight no more, also when it panics.
pub(super) struct Ends(pub IdempotencyKey, pub Arc<InFlight>);

impl Ends {
    /// The end of what was ordered, where that is an attempt.
    pub fn of(order: &Order, in_flight: &Arc<InFlight>) -> Option<Ends> {
        match order {
            Order::Attempt(key) => Some(Ends(*key, in_flight.clone())),
            _ => None,
        }
    }
}

impl Drop for Ends {
    fn drop(&mut self) {
        self.1.ends(self.0);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use uuid::Uuid;

    use super::*;

    const LIMIT: Duration = Duration::from_secs(20);

    fn one() -> Arc<InFlight> {
        let in_flight = Arc::new(InFlight::default());
        in_flight.begins(IdempotencyKey(Uuid::from_u128(1)));
        in_flight
    }

    /// Whether a waiting without a limit ends, and how.
    fn waited(in_flight: &Arc<InFlight>) -> Option<bool> {
        let (done, is_done) = mpsc::sync_channel(1);
        let waiting = in_flight.clone();
        thread::spawn(move || done.send(waiting.wait(30 * LIMIT)));
        is_done.recv_timeout(LIMIT).ok()
    }

    #[test]
    fn an_attempt_that_ends_takes_only_itself_away() {
        let flights = InFlight::default();
        let key = IdempotencyKey(Uuid::from_u128(1));
        // The next one is ordered by a quick key, before the end of the last is noted.
        flights.begins(key);
        flights.begins(key);
        flights.ends(key);
        assert_eq!(flights.lock().keys, [key]);
        flights.ends(key);
        assert!(flights.wait(Duration::ZERO));
    }

    #[test]
    fn who_gives_up_after_leaving_is_heard_also_before_the_waiting_begins() {
        let in_flight = one();
        in_flight.leave();
        in_flight.give_up();
        assert_eq!(waited(&in_flight), Some(false));
    }

    #[test]
    fn what_made_the_screen_be_left_does_not_end_the_waiting() {
        let in_flight = one();
        in_flight.give_up();
        in_flight.leave();
        assert!(!in_flight.wait(Duration::ZERO) && !in_flight.lock().given_up);
        in_flight.ends(IdempotencyKey(Uuid::from_u128(1)));
        assert_eq!(waited(&in_flight), Some(true));
    }
}
