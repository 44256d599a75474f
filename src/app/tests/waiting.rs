//! Tests of the wait before a withdrawal with an unknown outcome can be sent again.

use super::sending::state;
use super::*;

/// Creates an app that requires a wait of 30 seconds before it sends a withdrawal again.
fn app_with_resend_wait() -> App {
    let mut app = App::logged_in();
    app.model.setup.window.resend_after = Duration::from_secs(30);
    app
}

#[test]
fn send_offered_only_after_wait_other_steps_before() {
    use Action::*;
    let mut app = app_with_resend_wait();
    let withdrawal = app.send_withdrawal("10010");
    app.settle(&withdrawal, TIMED_OUT);
    assert_eq!(
        app.offered_actions(),
        [Check, Found, Copy, Open, Refresh, Nickname, Related, Back]
    );
    assert_eq!(next_deadline(&app.model), Some(Duration::from_secs(1)));
    app.pulse_after_ms(1_200);
    assert_eq!(
        next_deadline(&app.model),
        Some(Duration::from_millis(800)),
        "00:29 becomes 00:28"
    );
    assert_eq!(app.press("s"), vec![]);
    let wait_notice = |wait| {
        Some(Notice::SendLater {
            wait: Duration::from_millis(wait),
            is_resend: true,
        })
    };
    assert_eq!(app.model.notice, wait_notice(28_800));
    app.pulse_after_ms(28_799);
    assert_eq!(next_deadline(&app.model), Some(Duration::from_millis(1)));
    assert_eq!(app.press("s"), vec![]);
    assert_eq!(app.model.notice, wait_notice(1));
    let page = format!("{:?}", chrome::page(&app.model, app.model.size).items);
    assert!(page.contains("reenviar libera em 1 s"), "{page}");
    app.pulse_after_ms(1);
    assert_eq!(
        app.offered_actions(),
        [
            Send, Check, Found, Copy, Open, Refresh, Nickname, Related, Back
        ]
    );
    app.advance_ms(QUIET_MS);
    assert_eq!(app.resend(), attempt_effects(withdrawal.agreement.key));
}

#[test]
fn wait_longer_than_window_needs_person_at_once() {
    let mut app = app_with_resend_wait();
    app.model.setup.window.retention = Duration::from_secs(59);
    let withdrawal = app.send_withdrawal("10010");
    app.settle(&withdrawal, TIMED_OUT);
    assert_eq!(app.offered_actions()[..2], [Action::Check, Action::Found]);
    assert_eq!(state(&app).name(), "needs-person");
}

#[test]
fn refused_or_unsent_withdrawal_needs_no_wait() {
    for class in [
        Class::NotSent(NotSent::Dns),
        Class::Throttled { retry_after: None },
    ] {
        let mut app = app_with_resend_wait();
        let withdrawal = app.send_withdrawal("10010");
        app.settle(&withdrawal, class);
        assert!(app.offers(Action::Send));
    }
}

#[test]
fn outcome_deadlines_end_with_resend_window() {
    let (mut app, _) = App::with_outcome(Class::Unauthorized);
    assert_eq!(next_deadline(&app.model), Some(Duration::from_secs(1)));
    app.pulse_after_ms(570_001);
    assert_eq!(next_deadline(&app.model), None);
    app.press("1");
    app.load_unknown_withdrawal(7, 500);
    // The details of the withdrawal opened automatically. Close them to test the list.
    app.press("Esc");
    assert_eq!(
        next_deadline(&app.model),
        Some(Duration::from_millis(570_001))
    );
    app.pulse_after_ms(570_001);
    assert_eq!(next_deadline(&app.model), None);
    assert_eq!(
        app.model.state_of(&app.model.withdrawals.open[0]).name(),
        "needs-person"
    );
}

#[test]
fn throttled_withdrawal_asks_to_wait_until_it_ends() {
    let retry_after = Some(Duration::from_secs(5));
    let (mut app, _) = App::with_outcome(Class::Throttled { retry_after });
    let page = |app: &App| format!("{:?}", chrome::page(&app.model, app.model.size).items);
    assert!(page(&app).contains("pediu para esperar"), "{}", page(&app));
    assert_eq!(app.press("s"), vec![]);
    assert!(
        page(&app).contains("enviar libera em 5 s"),
        "{}",
        page(&app)
    );
    app.pulse_after_ms(5_000);
    assert!(!page(&app).contains("pediu para esperar"), "{}", page(&app));
    assert!(app.offers(Action::Send));
}
