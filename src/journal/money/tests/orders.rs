//! Property tests with random calls from two processes. The journal must never permit a second
//! payment to which the seller has not agreed.

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;

use crate::journal::money::MoneyJournal;
use crate::journal::money::samples::*;
use crate::trade::withdrawal::{Class, Decision, NotSent, Retyped, WithdrawalState};
use crate::trade::{Money, Withdrawal};

#[derive(Debug, Clone)]
enum JournalCall {
    Prepare {
        n: u128,
        centavos: i64,
        retyped: bool,
    },
    /// Makes an attempt that ends with this outcome. If `class` is `None`, the outcome is not
    /// recorded.
    Attempt {
        n: u128,
        retyped: bool,
        class: Option<Class>,
    },
    Decide {
        n: u128,
        decision: Decision,
    },
    Wait {
        seconds: i64,
    },
}

fn class() -> impl Strategy<Value = Option<Class>> {
    prop_oneof![
        3 => Just(None),
        3 => Just(Some(timed_out())),
        2 => Just(Some(confirmed())),
        2 => Just(Some(Class::DefiniteNo)),
        2 => Just(Some(Class::Unauthorized)),
        1 => Just(Some(Class::NotSent(NotSent::Dns))),
        1 => Just(Some(Class::Redirected)),
        1 => Just(Some(wrong_destination())),
    ]
}

fn call() -> impl Strategy<Value = JournalCall> {
    let n = 1..5_u128;
    let centavos = prop_oneof![Just(100), Just(200)];
    let decision = prop_oneof![
        Just(Decision::Discarded),
        Just(Decision::FoundPaid),
        Just(Decision::StatedNotPaid)
    ];
    prop_oneof![
        4 => (n.clone(), centavos, any::<bool>())
            .prop_map(|(n, centavos, retyped)| JournalCall::Prepare { n, centavos, retyped }),
        6 => (n.clone(), any::<bool>(), class())
            .prop_map(|(n, retyped, class)| JournalCall::Attempt { n, retyped, class }),
        2 => (n, decision).prop_map(|(n, decision)| JournalCall::Decide { n, decision }),
        1 => prop_oneof![Just(1), Just(300), Just(600)]
            .prop_map(|seconds| JournalCall::Wait { seconds }),
    ]
}

/// Records all calls independently of the journal. It checks every permit that the journal gives.
#[derive(Default)]
struct Witness {
    now: i64,
    /// The open withdrawals that the seller saw when typing the amount of a withdrawal again.
    shown: HashMap<u128, HashSet<u128>>,
}

fn read_all(journal: &mut MoneyJournal) -> Vec<Withdrawal> {
    journal.page(None, "", 0, 100).unwrap().rows.to_vec()
}

fn number(withdrawal: &Withdrawal) -> u128 {
    withdrawal.agreement.key.0.as_u128()
}

/// The amount that the seller typed again after a warning about these withdrawals.
fn retyped_after(amount: Money, before: &[Withdrawal]) -> Retyped {
    Retyped {
        amount,
        shown_keys: before.iter().map(|w| w.agreement.key).collect(),
    }
}

impl Witness {
    fn make_call(&mut self, journal: &mut MoneyJournal, call: JournalCall) {
        self.now += 1;
        let now = clocks(self.now);
        match call {
            JournalCall::Wait { seconds } => self.now += seconds,
            JournalCall::Decide { n, decision } => {
                drop(journal.decide(key(n), decision, &now, &WINDOW))
            }
            JournalCall::Prepare {
                n,
                centavos,
                retyped,
            } => {
                let before = read_all(journal);
                let mut agreement = agreement(n, centavos);
                agreement.agreed = now;
                let retyped_amount =
                    retyped.then(|| retyped_after(Money::from_centavos(centavos), &before));
                if journal.prepare(agreement, retyped_amount).is_ok() && retyped {
                    self.record_shown(n, &before);
                }
            }
            JournalCall::Attempt { n, retyped, class } => {
                let before = read_all(journal);
                let own = before.iter().find(|w| number(w) == n).filter(|_| retyped);
                let retyped_amount = own.map(|own| retyped_after(own.agreement.amount, &before));
                let Ok(lock) = journal.lock(key(n)) else {
                    return;
                };
                let result = journal.begin(lock, key(n), retyped_amount.as_ref(), &now, &WINDOW);
                let Ok(permit) = result else { return };
                if retyped_amount.is_some() {
                    self.record_shown(n, &before);
                }
                self.assert_permitted(n, &before);
                if let Some(class) = class {
                    journal
                        .settle(permit.spend().0, &attempt_end(self.now, class))
                        .unwrap();
                }
            }
        }
    }

    /// Records the open withdrawals that the seller saw when typing the amount again.
    fn record_shown(&mut self, n: u128, before: &[Withdrawal]) {
        let now = clocks(self.now);
        let open = before
            .iter()
            .filter(|w| w.state(&now, &WINDOW, false).is_open());
        self.shown.entry(n).or_default().extend(open.map(number));
    }

    /// Asserts that the permit for withdrawal `n` was justified, given all withdrawals at that
    /// time.
    fn assert_permitted(&self, n: u128, before: &[Withdrawal]) {
        let state = |w: &Withdrawal| w.state(&clocks(self.now), &WINDOW, false);
        let own = before
            .iter()
            .find(|w| number(w) == n)
            .expect("it was prepared");
        assert!(
            matches!(
                state(own),
                WithdrawalState::Prepared | WithdrawalState::Unknown
            ),
            "{:?}",
            state(own)
        );
        assert!(
            own.attempts
                .iter()
                .filter(|attempt| attempt.may_have_been_sent())
                .count()
                < 4
        );
        assert!(WINDOW.time_left(&own.attempts, &clocks(self.now)).is_ok());
        for other in before
            .iter()
            .filter(|w| number(w) != n && state(w).is_open())
        {
            assert!(
                !matches!(state(other), WithdrawalState::Mismatch(_)),
                "beside a mismatch"
            );
            if state(own) == WithdrawalState::Prepared {
                let is_shown = self
                    .shown
                    .get(&n)
                    .is_some_and(|shown| shown.contains(&number(other)));
                assert!(is_shown, "{n} beside {} unasked", number(other));
                assert_ne!(
                    own.agreement.amount, other.agreement.amount,
                    "the same is open"
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 24,
        failure_persistence: None,
        ..Default::default()
    })]

    #[test]
    fn no_order_of_calls_permits_a_second_payment_unasked(
        calls in prop::collection::vec((any::<bool>(), call()), 1..24)
    ) {
        let dir = tempfile::tempdir().unwrap();
        let mut windows = [open(dir.path()), open(dir.path())];
        let mut witness = Witness::default();
        for (window, call) in calls {
            witness.make_call(&mut windows[usize::from(window)], call);
        }
        let [left, right] = &mut windows;
        prop_assert_eq!(read_all(left), read_all(right));
        prop_assert_eq!(read_all(left), read_all(&mut open(dir.path())));
        prop_assert!(left.verify().is_ok());
    }
}
