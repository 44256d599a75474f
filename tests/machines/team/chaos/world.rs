//! The state that all operators share: the bank, the records to check at the end, and the tally.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use balcao::runtime::clocks;
use balcao::trade::IdempotencyKey;
use uuid::Uuid;

use crate::chance::Random;

/// The number of operators who want to make the same payment.
const RIVALS: u64 = 4;

/// An event that was acknowledged: its key, its kind and the number of its attempt.
pub type Acknowledged = (IdempotencyKey, &'static str, u32);

/// How the bank answers a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    Accepts,
    Refuses,
    /// There is no answer in time.
    Nothing,
}

/// A request that is being sent.
pub struct Flight {
    pub index: usize,
    pub duration: Duration,
    pub answer: Answer,
}

#[derive(Clone, Copy)]
struct Span {
    operator: usize,
    key: IdempotencyKey,
    start: Instant,
    end: Instant,
}

#[derive(Default)]
pub struct State {
    pub tally: BTreeMap<&'static str, u64>,
    pub violations: Vec<String>,
    pub acknowledged: BTreeSet<Acknowledged>,
    /// The payments that an operator may have made twice, because the account was looked at before
    /// another attempt.
    pub excused: BTreeSet<u64>,
    spans: Vec<Span>,
    /// The time of the payout of each key.
    payouts: BTreeMap<IdempotencyKey, (u64, Instant)>,
    keys: u128,
    picks: u64,
    is_over: bool,
}

#[derive(Default)]
pub struct World {
    state: Mutex<State>,
    ended: Condvar,
}

impl World {
    pub fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn count(&self, kind: &'static str) {
        *self.lock().tally.entry(kind).or_default() += 1;
    }

    pub fn violation(&self, text: String) {
        self.lock().violations.push(text);
    }

    pub fn acknowledge(&self, event: Acknowledged) {
        self.lock().acknowledged.insert(event);
    }

    /// Ends the run.
    pub fn end(&self) {
        self.lock().is_over = true;
        self.ended.notify_all();
    }

    pub fn is_over(&self) -> bool {
        self.lock().is_over
    }

    /// Waits for the end of the run, at most for this time. Returns true if it is over.
    pub fn is_over_within(&self, time: Duration) -> bool {
        let state = self.lock();
        let waited = self
            .ended
            .wait_timeout_while(state, time, |state| !state.is_over);
        waited.unwrap_or_else(PoisonError::into_inner).0.is_over
    }
}

impl State {
    /// A new key, for the next payment that an operator wants to make.
    pub fn next_payment(&mut self) -> (IdempotencyKey, u64) {
        self.keys += 1;
        self.picks += 1;
        (
            IdempotencyKey(Uuid::from_u128(self.keys)),
            self.picks / RIVALS,
        )
    }

    /// Begins to send a request. The bank decides at once whether and when it pays. `limit` is the
    /// deadline of the sender.
    pub fn send(
        &mut self,
        (operator, key, payment): (usize, IdempotencyKey, u64),
        start: Instant,
        limit: Duration,
        random: &mut Random,
    ) -> Flight {
        let duration = (limit / 20) * u32::try_from(1 + random.below(10)).expect("a small number");
        let is_paid = self.payouts.contains_key(&key);
        let (pays, answer) = match random.below(10) {
            0..5 => (true, Answer::Accepts),
            5..7 => (true, Answer::Nothing),
            7..8 => (false, Answer::Nothing),
            _ if is_paid => (true, Answer::Accepts),
            _ => (false, Answer::Refuses),
        };
        if pays {
            let paid_at = start + duration / 2;
            self.payouts.entry(key).or_insert((payment, paid_at));
        }
        let end = start + duration;
        let index = self.spans.len();
        self.spans.push(Span {
            operator,
            key,
            start,
            end,
        });
        Flight {
            index,
            duration,
            answer,
        }
    }

    /// Ends a request that took longer than planned. Its sender gives up at the deadline.
    pub fn land(&mut self, flight: &Flight, limit: Duration) {
        let span = &mut self.spans[flight.index];
        span.end = span.end.max(clocks::instant().min(span.start + limit));
    }

    /// True if the bank account shows the payment of this key now.
    pub fn is_paid(&self, key: IdempotencyKey) -> bool {
        let payout = self.payouts.get(&key);
        payout.is_some_and(|(_, at)| *at <= clocks::instant())
    }

    pub fn payouts(&self) -> usize {
        self.payouts.len()
    }

    pub fn sends(&self) -> usize {
        self.spans.len()
    }

    /// The payments that were made twice, and the requests that were sent at the same time.
    pub fn misdeeds(&self) -> Vec<String> {
        let mut misdeeds = Vec::new();
        let mut paid = BTreeMap::<u64, Vec<IdempotencyKey>>::new();
        for (key, (payment, _)) in &self.payouts {
            paid.entry(*payment).or_default().push(*key);
        }
        for (payment, keys) in paid {
            if keys.len() > 1 && !self.excused.contains(&payment) {
                misdeeds.push(format!("payment {payment} was made with each of {keys:?}"));
            }
        }
        let mut spans = self.spans.clone();
        spans.sort_by_key(|span| span.start);
        for pair in spans.windows(2) {
            if pair[1].start < pair[0].end {
                misdeeds.push(format!(
                    "operator {} sent {:?} beside operator {}, who sent {:?}",
                    pair[1].operator, pair[1].key, pair[0].operator, pair[0].key
                ));
            }
        }
        misdeeds
    }
}
