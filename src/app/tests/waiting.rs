//! Tests of the wait before a withdrawal with an unknown outcome can be sent again.

use super::sending::state;
use super::*;

/// Creates an app that requires a wait of 30 seconds before a withdrawal is sent again.
fn waits() -> Counter {
    let mut counter = Counter::open();
    counter.model.setup.window.resend_after = Duration::from_secs(30);
    counter
}

#[test]
fn send_offered_only_after_wait_other_steps_before() {
    use Action::*;
    let mut counter = waits();
    let withdrawal = counter.sends("10010");
    counter.settles(&withdrawal, LOST);
    assert_eq!(counter.offered(), [Check, Found, Copy, Open, Refresh, Nickname, Back]);
    assert_eq!(next_deadline(&counter.model), Some(Duration::from_secs(1)));
    counter.rests(1_200);
    assert_eq!(
        next_deadline(&counter.model),
        Some(Duration::from_millis(800)),
        "00:29 becomes 00:28"
    );
    assert_eq!(counter.keys("s"), vec![]);
    counter.rests(28_799);
    assert_eq!(next_deadline(&counter.model), Some(Duration::from_millis(1)));
    assert_eq!(counter.keys("s"), vec![]);
    counter.rests(1);
    assert_eq!(counter.offered(), [Send, Check, Found, Copy, Open, Refresh, Nickname, Back]);
    assert_eq!(counter.resends(), [Effect::Money(MoneyCommand::Attempt(withdrawal.agreement.key))]);
}

#[test]
fn wait_longer_than_window_needs_person_at_once() {
    let mut counter = waits();
    counter.model.setup.window.retention = Duration::from_secs(59);
    let withdrawal = counter.sends("10010");
    counter.settles(&withdrawal, LOST);
    assert_eq!(counter.offered()[..2], [Action::Check, Action::Found]);
    assert_eq!(state(&counter).name(), "needs-person");
}

#[test]
fn after_a_no_nobody_waits() {
    for class in [Class::NotSent(NotSent::Dns), Class::Throttled { retry_after: None }] {
        let mut counter = waits();
        let withdrawal = counter.sends("10010");
        counter.settles(&withdrawal, class);
        assert!(counter.offers(Action::Send));
    }
}

#[test]
fn outcome_deadlines_end_with_resend_window() {
    let (mut counter, _) = Counter::settled(Class::Unauthorized);
    assert_eq!(next_deadline(&counter.model), Some(Duration::from_secs(1)));
    counter.rests(570_001);
    assert_eq!(next_deadline(&counter.model), None);
    counter.keys("1");
    counter.has_unknown(7, 500);
    // The app opened the withdrawal's details by itself. Close them, so that the withdrawal is
    // shown only in the list.
    counter.keys("Esc");
    assert_eq!(next_deadline(&counter.model), Some(Duration::from_millis(570_001)));
    counter.rests(570_001);
    assert_eq!(next_deadline(&counter.model), None);
    assert_eq!(counter.model.state_of(&counter.model.withdrawals.open[0]).name(), "needs-person");
}
