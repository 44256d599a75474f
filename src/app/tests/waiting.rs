//! Tests of the wait before a withdrawal with an unknown outcome can be sent again.

use super::sending::state;
use super::*;

/// Creates an app that requires a wait of 30 seconds before it sends a withdrawal again.
fn waits() -> App {
    let mut app = App::open();
    app.model.setup.window.resend_after = Duration::from_secs(30);
    app
}

#[test]
fn send_offered_only_after_wait_other_steps_before() {
    use Action::*;
    let mut app = waits();
    let withdrawal = app.sends("10010");
    app.settles(&withdrawal, LOST);
    assert_eq!(app.offered(), [Check, Found, Copy, Open, Refresh, Nickname, Related, Back]);
    assert_eq!(next_deadline(&app.model), Some(Duration::from_secs(1)));
    app.rests(1_200);
    assert_eq!(next_deadline(&app.model), Some(Duration::from_millis(800)), "00:29 becomes 00:28");
    assert_eq!(app.keys("s"), vec![]);
    let waits = |wait| Some(Notice::SendLater(Duration::from_millis(wait)));
    assert_eq!(app.model.notice, waits(28_800));
    app.rests(28_799);
    assert_eq!(next_deadline(&app.model), Some(Duration::from_millis(1)));
    assert_eq!(app.keys("s"), vec![]);
    assert_eq!(app.model.notice, waits(1));
    let page = format!("{:?}", chrome::page(&app.model, app.model.size).items);
    assert!(page.contains("dá para enviar em 1 s"), "{page}");
    app.rests(1);
    assert_eq!(app.offered(), [Send, Check, Found, Copy, Open, Refresh, Nickname, Related, Back]);
    assert_eq!(app.resends(), attempt(withdrawal.agreement.key));
}

#[test]
fn wait_longer_than_window_needs_person_at_once() {
    let mut app = waits();
    app.model.setup.window.retention = Duration::from_secs(59);
    let withdrawal = app.sends("10010");
    app.settles(&withdrawal, LOST);
    assert_eq!(app.offered()[..2], [Action::Check, Action::Found]);
    assert_eq!(state(&app).name(), "needs-person");
}

#[test]
fn after_a_no_nobody_waits() {
    for class in [Class::NotSent(NotSent::Dns), Class::Throttled { retry_after: None }] {
        let mut app = waits();
        let withdrawal = app.sends("10010");
        app.settles(&withdrawal, class);
        assert!(app.offers(Action::Send));
    }
}

#[test]
fn outcome_deadlines_end_with_resend_window() {
    let (mut app, _) = App::settled(Class::Unauthorized);
    assert_eq!(next_deadline(&app.model), Some(Duration::from_secs(1)));
    app.rests(570_001);
    assert_eq!(next_deadline(&app.model), None);
    app.keys("1");
    app.has_unknown(7, 500);
    // The details of the withdrawal opened automatically. Close them to test the list.
    app.keys("Esc");
    assert_eq!(next_deadline(&app.model), Some(Duration::from_millis(570_001)));
    app.rests(570_001);
    assert_eq!(next_deadline(&app.model), None);
    assert_eq!(app.model.state_of(&app.model.withdrawals.open[0]).name(), "needs-person");
}
