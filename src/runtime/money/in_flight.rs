//! Counts the withdrawal attempts in flight, and waits until all of them have ended. An attempt is
//! counted as soon as its command is submitted.

use std::sync::{Arc, Condvar, PoisonError};
use std::time::Duration;

use crate::app::{MoneyCommand, Msg};
use crate::locked::Locked;
use crate::trade::{Failure, IdempotencyKey, JournalTrouble, Withdrawal};

#[derive(Default)]
pub(super) struct InFlight {
    pub flights: Locked<FlightState>,
    changed: Condvar,
}

#[derive(Default)]
pub(super) struct FlightState {
    pub keys: Vec<IdempotencyKey>,
    /// The withdrawal whose attempt was the last to end, as recorded in the journal.
    pub last_ended: Option<Withdrawal>,
    /// The outcome that could not be written to the journal, with the key of its withdrawal.
    pub unrecorded: Option<(IdempotencyKey, Failure)>,
    /// True if the screen was closed. Only after that can [`InFlight::stop_waiting`] end the wait
    /// for attempts in flight.
    is_screen_closed: bool,
    /// True if the user asked to quit without waiting for the attempts in flight.
    is_wait_abandoned: bool,
}

impl InFlight {
    pub fn add(&self, key: IdempotencyKey) {
        self.change(|flights| {
            flights.keys.push(key);
            flights.last_ended = None;
        });
    }

    /// Records the outcome of an attempt, which `msg` also reports to the app.
    pub fn record(&self, msg: &Msg) {
        self.change(|flights| match msg {
            Msg::Settled(ended) => {
                flights.last_ended = Some(Withdrawal::clone(ended));
                flights
                    .unrecorded
                    .take_if(|(key, _)| *key == ended.agreement.key);
            }
            Msg::AttemptTrouble {
                key,
                withdrawal,
                trouble,
            } => {
                if let Some(ended) = withdrawal {
                    flights.last_ended = Some(Withdrawal::clone(ended));
                }
                if matches!(trouble, Failure::Unrecorded { .. }) {
                    flights.unrecorded = Some((*key, trouble.clone()));
                }
            }
            _ => {}
        });
    }

    /// The temporary problem of the journal, such as a lock, that delays the write of an outcome.
    /// Returns `None` if no write is delayed.
    pub fn blocked_write(&self) -> Option<JournalTrouble> {
        let flights = self.flights.lock();
        let (key, end) = flights.unrecorded.as_ref()?;
        let trouble = end
            .journal_trouble()
            .filter(|trouble| trouble.is_transient());
        trouble.filter(|_| flights.keys.contains(key)).cloned()
    }

    /// Removes only one attempt of this withdrawal. A second command to send the withdrawal may
    /// still be queued. The journal will refuse that command.
    pub fn remove(&self, key: IdempotencyKey) {
        self.change(|flights| {
            if let Some(index) = flights.keys.iter().position(|other| *other == key) {
                flights.keys.swap_remove(index);
            }
        });
    }

    pub fn on_screen_closed(&self) {
        self.change(|flights| flights.is_screen_closed = true);
    }

    /// Ends the current or next call of [`wait`](Self::wait) early. Has an effect only after the
    /// screen was closed.
    pub fn stop_waiting(&self) {
        self.change(|flights| flights.is_wait_abandoned |= flights.is_screen_closed);
    }

    /// Waits until no attempt is in flight, but at most for `limit`. Returns false if attempts are
    /// still in flight.
    pub fn wait(&self, limit: Duration) -> bool {
        let result = self
            .changed
            .wait_timeout_while(self.flights.lock(), limit, |flights| {
                !flights.keys.is_empty() && !flights.is_wait_abandoned
            });
        let (flights, _) = result.unwrap_or_else(PoisonError::into_inner);
        flights.keys.is_empty()
    }

    fn change(&self, change: impl FnOnce(&mut FlightState)) {
        change(&mut self.flights.lock());
        self.changed.notify_all();
    }
}

/// A guard for an attempt in flight. Dropping it removes the attempt from the count, even after a
/// panic.
pub(super) struct FlightGuard(pub IdempotencyKey, pub Arc<InFlight>);

impl FlightGuard {
    /// A guard if the command starts a withdrawal attempt; `None` for other commands.
    pub fn for_command(command: &MoneyCommand, in_flight: &Arc<InFlight>) -> Option<FlightGuard> {
        match command {
            MoneyCommand::Attempt { key, .. } => Some(FlightGuard(*key, in_flight.clone())),
            _ => None,
        }
    }
}

impl Drop for FlightGuard {
    fn drop(&mut self) {
        self.1.remove(self.0);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use uuid::Uuid;

    use super::*;

    const TEST_TIMEOUT: Duration = Duration::from_secs(20);

    fn one_attempt() -> Arc<InFlight> {
        let in_flight = Arc::new(InFlight::default());
        in_flight.add(IdempotencyKey(Uuid::from_u128(1)));
        in_flight
    }

    /// Calls `wait` with a very long limit. Returns its result, or `None` if the call does not
    /// return.
    fn wait_result(in_flight: &Arc<InFlight>) -> Option<bool> {
        let (sender, result) = mpsc::sync_channel(1);
        let waiting = in_flight.clone();
        thread::spawn(move || sender.send(waiting.wait(30 * TEST_TIMEOUT)));
        result.recv_timeout(TEST_TIMEOUT).ok()
    }

    #[test]
    fn ended_attempt_removes_only_its_own_entry() {
        let flights = InFlight::default();
        let key = IdempotencyKey(Uuid::from_u128(1));
        // Two quick key presses can queue the same command twice. The second command is counted
        // until the journal refuses it.
        flights.add(key);
        flights.add(key);
        flights.remove(key);
        assert_eq!(flights.flights.lock().keys, [key]);
        flights.remove(key);
        assert!(flights.wait(Duration::ZERO));
    }

    #[test]
    fn give_up_after_exit_ends_a_later_wait() {
        let in_flight = one_attempt();
        in_flight.on_screen_closed();
        in_flight.stop_waiting();
        assert_eq!(wait_result(&in_flight), Some(false));
    }

    #[test]
    fn give_up_before_exit_does_not_end_the_wait() {
        let in_flight = one_attempt();
        in_flight.stop_waiting();
        in_flight.on_screen_closed();
        assert!(!in_flight.wait(Duration::ZERO) && !in_flight.flights.lock().is_wait_abandoned);
        in_flight.remove(IdempotencyKey(Uuid::from_u128(1)));
        assert_eq!(wait_result(&in_flight), Some(true));
    }
}
