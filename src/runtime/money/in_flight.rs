//! Counts the withdrawal attempts in flight, and waits until all of them have ended. An attempt is
//! counted as soon as its command is submitted.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::app::{MoneyCommand, Msg};
use crate::trade::{Failure, IdempotencyKey, JournalTrouble, Withdrawal};

#[derive(Default)]
pub(super) struct InFlight {
    flights: Mutex<FlightState>,
    changed: Condvar,
}

#[derive(Default)]
pub(super) struct FlightState {
    pub keys: Vec<IdempotencyKey>,
    /// The withdrawal whose attempt was the last to end, as recorded in the journal.
    pub ended: Option<Withdrawal>,
    /// The outcome that could not be written to the journal, with the key of its withdrawal.
    pub unrecorded: Option<(IdempotencyKey, Failure)>,
    /// True after the screen was closed. From then on, a request to quit ends the wait for
    /// attempts.
    is_left: bool,
    /// True if the user asked to quit without waiting for the attempts in flight.
    given_up: bool,
}

impl InFlight {
    pub fn begins(&self, key: IdempotencyKey) {
        self.change(|flights| {
            flights.keys.push(key);
            flights.ended = None;
        });
    }

    /// Records the outcome of an attempt, which `msg` also reports to the app.
    pub fn observe(&self, msg: &Msg) {
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

    /// Returns the problem of the journal if it may be temporary and delays the write of an
    /// outcome.
    pub fn held_up(&self) -> Option<JournalTrouble> {
        let flights = self.lock();
        let (key, end) = flights.unrecorded.as_ref()?;
        let trouble = end.journal_trouble().filter(|trouble| trouble.may_pass());
        trouble.filter(|_| flights.keys.contains(key)).cloned()
    }

    /// Removes one attempt of this withdrawal. A second command to send it may still be queued; the
    /// journal will refuse that command.
    pub fn ends(&self, key: IdempotencyKey) {
        self.change(|flights| {
            if let Some(at) = flights.keys.iter().position(|flying| *flying == key) {
                flights.keys.swap_remove(at);
            }
        });
    }

    pub fn leave(&self) {
        self.change(|flights| flights.is_left = true);
    }

    /// Ends the current or next call of [`wait`](Self::wait) early. Has an effect only after the
    /// screen was closed.
    pub fn give_up(&self) {
        self.change(|flights| flights.given_up |= flights.is_left);
    }

    /// Waits until no attempt is in flight, but at most for `limit`. Returns false if attempts are
    /// still in flight.
    pub fn wait(&self, limit: Duration) -> bool {
        let waits = |flights: &mut FlightState| !flights.keys.is_empty() && !flights.given_up;
        let waited = self.changed.wait_timeout_while(self.lock(), limit, waits);
        let (flights, _) = waited.unwrap_or_else(PoisonError::into_inner);
        flights.keys.is_empty()
    }

    fn change(&self, change: impl FnOnce(&mut FlightState)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    pub fn lock(&self) -> MutexGuard<'_, FlightState> {
        self.flights.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A guard for an attempt in flight. Dropping it removes the attempt from the count, even after a
/// panic.
pub(super) struct FlightGuard(pub IdempotencyKey, pub Arc<InFlight>);

impl FlightGuard {
    /// Returns a guard if the command starts a withdrawal attempt; `None` for other commands.
    pub fn of(command: &MoneyCommand, in_flight: &Arc<InFlight>) -> Option<FlightGuard> {
        match command {
            MoneyCommand::Attempt { key, .. } => Some(FlightGuard(*key, in_flight.clone())),
            _ => None,
        }
    }
}

impl Drop for FlightGuard {
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

    /// Calls `wait` with a very long limit. Returns its result, or `None` if the call does not
    /// return.
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
        // Two quick key presses can queue a second command, which the journal refuses. Until then,
        // it is counted.
        flights.begins(key);
        flights.begins(key);
        flights.ends(key);
        assert_eq!(flights.lock().keys, [key]);
        flights.ends(key);
        assert!(flights.wait(Duration::ZERO));
    }

    #[test]
    fn give_up_after_exit_ends_a_later_wait() {
        let in_flight = one();
        in_flight.leave();
        in_flight.give_up();
        assert_eq!(waited(&in_flight), Some(false));
    }

    #[test]
    fn give_up_before_exit_does_not_end_the_wait() {
        let in_flight = one();
        in_flight.give_up();
        in_flight.leave();
        assert!(!in_flight.wait(Duration::ZERO) && !in_flight.lock().given_up);
        in_flight.ends(IdempotencyKey(Uuid::from_u128(1)));
        assert_eq!(waited(&in_flight), Some(true));
    }
}
