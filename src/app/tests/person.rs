//! Tests of the seller's decision about a withdrawal with an unknown outcome, and of showing such a
//! withdrawal at startup.

use super::*;
use crate::app::store::withdrawals::lookup_hints;

/// Starts the app with a journal that contains these open withdrawals.
fn start_with_open(open: Vec<Withdrawal>) -> (App, Vec<Effect>) {
    let mut app = start_logged_in();
    let effects = deliver_open_withdrawals(&mut app, open);
    (app, effects)
}

/// Starts the app with a logged-in seller, before the withdrawal journal has been read.
fn start_logged_in() -> App {
    let mut app = App::new();
    app.deliver(Msg::Started);
    app.deliver(Msg::CredentialsRead {
        vault_status: VaultStatus::Kept(VaultKind::Keyring),
        api_token: credential(SELLER),
        jwt: credential("seller-1"),
    });
    app
}

/// Delivers these open withdrawals as the journal's reply.
fn deliver_open_withdrawals(app: &mut App, open: Vec<Withdrawal>) -> Vec<Effect> {
    let ticket = app
        .model
        .withdrawals
        .list
        .pending_ticket
        .expect("the journal was asked");
    app.deliver(Msg::WithdrawalsLoaded {
        ticket,
        result: Ok(snapshot(open)),
    })
}

/// Creates an app with an open withdrawal that can no longer be sent again, so the seller must
/// decide.
fn app_needing_decision() -> App {
    let mut app = App::logged_in();
    app.load_unknown_withdrawal(7, 10_010);
    app.pulse_after_ms(570_001);
    app
}

fn alarm(is_amount: bool) -> Class {
    Class::Alarm(if is_amount {
        Alarm::Amount {
            sent: brl(10_010),
            got: brl(100_100),
        }
    } else {
        Alarm::Destination {
            sent: "a".into(),
            got: "b\u{202e}".into(),
        }
    })
}

fn app_with_outcome(class: Class) -> App {
    App::with_outcome(class).0
}

fn has_guide(app: &App) -> bool {
    app.model
        .layers
        .iter()
        .any(|layer| matches!(layer, Layer::Guide(_)))
}

fn not_paid_effects(key: IdempotencyKey) -> Vec<Effect> {
    decide_effects(key, Decision::StatedNotPaid)
}

#[test]
fn guide_offers_exactly_the_steps_of_each_state() {
    use Action::*;
    let table = [
        (TIMED_OUT, vec![Found, Copy, Back]),
        (Class::Redirected, vec![Found, NotPaid, Copy, Back]),
        (Class::KeyReused, vec![Found, NotPaid, Copy, Back]),
        (alarm(true), vec![Found, NotPaid, Copy, Back]),
        (alarm(false), vec![Found, NotPaid, Copy, Back]),
    ];
    for (class, actions) in table {
        let mut app = app_with_outcome(class.clone());
        app.press("c");
        assert_eq!(app.offered_actions(), actions, "{class:?}");
    }
    for class in [
        Class::Unauthorized,
        Class::DefiniteNo,
        ACCEPTED,
        Class::NotSent(NotSent::Dns),
    ] {
        let mut app = app_with_outcome(class.clone());
        assert_eq!(app.press("c N"), vec![]);
        assert!(!has_guide(&app), "{class:?}");
    }
}

#[test]
fn not_paid_offered_only_after_safe_resend_window() {
    let mut app = app_with_outcome(TIMED_OUT);
    app.press("N c N");
    assert!(matches!(app.top(), Layer::Guide(_)));
    assert!(!app.offers(Action::NotPaid));
    app.advance_ms(569_500);
    app.deliver(Msg::Pulse);
    // The app wakes up exactly when the time limit for sending again ends, and then offers the next
    // step without a key press.
    assert_eq!(next_deadline(&app.model), Some(Duration::from_millis(500)));
    app.pulse_after_ms(500);
    assert_eq!(next_deadline(&app.model), Some(Duration::from_millis(1)));
    app.pulse_after_ms(1);
    assert!(app.offers(Action::NotPaid));
    assert_eq!(next_deadline(&app.model), None);
    app.press("N");
    assert!(matches!(app.top(), Layer::NotPaid(_)));
}

#[test]
fn statement_requires_retyped_amount() {
    let mut app = app_needing_decision();
    let key = key(7);
    app.press("c N");
    app.advance_ms(500);
    // The focus is on the button that goes back, so Enter only closes the form.
    assert_eq!(app.press("Enter"), vec![]);
    assert!(matches!(app.top(), Layer::Guide(_)));
    app.press("N");
    app.advance_ms(500);
    assert_eq!(app.press("Shift-Tab Enter"), vec![], "nothing is typed");
    app.press("Shift-Tab");
    app.type_text("10011");
    assert_eq!(app.confirm_after_typing(), vec![], "another amount");
    app.press("Shift-Tab Backspace");
    app.type_text("0");
    assert_eq!(app.confirm_after_typing(), not_paid_effects(key));
    assert!(matches!(app.top(), Layer::Guide(_)));
}

#[test]
fn digit_goes_to_statement_field_from_any_focus() {
    let mut app = app_needing_decision();
    app.press("c N 1 0 0 1 0");
    let Layer::NotPaid(form) = app.top() else {
        panic!("the statement")
    };
    assert_eq!(form.buttons.focus, Focus::Amount);
    assert_eq!(form.field.money(), Some(form.amount));
}

#[test]
fn letters_and_pane_keys_do_not_change_statement() {
    let mut app = app_needing_decision();
    app.press("c N Tab");
    app.type_text("1x0q");
    app.press("F1 Esc");
    let Layer::NotPaid(form) = app.top() else {
        panic!("{:?}", app.top())
    };
    assert_eq!(
        (form.field.money(), form.buttons.focus),
        (Some(brl(10)), Focus::Amount)
    );
    app.press("Shift-Tab 3 q");
    assert!(matches!(app.top(), Layer::NotPaid(_)));
    assert!(!app.model.leaving);
}

#[test]
fn decision_meanwhile_closes_guide_and_its_questions() {
    for keys in ["c", "c f", "c N", "f"] {
        let mut app = app_needing_decision();
        app.press(keys);
        let Some(shown) = app.shown_withdrawal().cloned() else {
            panic!()
        };
        let accepted = with_attempt(&shown, &app.now, ACCEPTED);
        app.deliver(Msg::Settled(Box::new(accepted)));
        assert!(
            matches!(app.top(), Layer::Withdrawal(_)),
            "{keys}: {:?}",
            app.top()
        );
        assert_eq!(app.model.layers.len(), 1, "{keys}");
    }
}

#[test]
fn discard_question_closed_once_no_longer_prepared() {
    let mut app = app_with_outcome(Class::Unauthorized);
    app.press("X");
    let prepared = app.shown_withdrawal().cloned().unwrap();
    let lost = with_attempt(&prepared, &app.now, TIMED_OUT);
    app.deliver(Msg::Settled(Box::new(lost)));
    assert!(matches!(app.top(), Layer::Withdraw(Flow::Outcome(_))));
}

#[test]
fn failed_decision_is_reported_and_list_reloaded() {
    let mut app = app_needing_decision();
    let failure = Failure::NotSent(NotSent::NotSafe);
    let effects = app.deliver(Msg::Decided {
        key: key(7),
        result: Err(failure.clone()),
    });
    assert!(
        matches!(effects[..], [Effect::Money(MoneyCommand::Load(_))]),
        "{effects:?}"
    );
    let notice = app.model.notice.as_ref();
    assert_eq!(notice, Some(&Notice::NotDecided(failure)));
}

#[test]
fn every_lookup_hint_is_copied_by_itself() {
    let mut app = app_with_outcome(alarm(true));
    let key = app.shown_withdrawal().unwrap().agreement.key;
    app.press("c");
    let mut copied = Vec::new();
    for _ in 0..7 {
        copied.extend(app.press("y"));
        app.press("Down");
    }
    let copy = |kind, text: &str| Effect::Copy(Clip::LookupHint(kind), text.into());
    let copies = [
        copy(LookupHintKind::Amount, "100,10"),
        copy(LookupHintKind::Net, "98,05"),
        copy(LookupHintKind::RepliedValue, "1.001,00"),
        copy(LookupHintKind::When, "1970-01-01T00:16:40+00:00"),
        copy(LookupHintKind::Destination, "111.444.777-35"),
        copy(LookupHintKind::Key, &key.to_string()),
    ];
    assert_eq!(copied[..6], copies);
    assert_eq!(copied[6], copies[5], "the last one is the last");
    assert_eq!(app.press("g y"), vec![copies[0].clone()]);
}

#[test]
fn text_with_hidden_characters_is_not_copied() {
    let mut app = app_with_outcome(alarm(false));
    app.press("c Down Down");
    assert_eq!(app.press("y"), vec![]);
    let notice = app.model.notice.clone();
    assert_eq!(notice, Some(Notice::NotCopied(CopyTrouble::NotClean)));
    let lookup_hints = lookup_hints::lookup_hints(&app.model, app.shown_withdrawal().unwrap());
    assert_eq!(lookup_hints[2].text, Untrusted::from("b\u{202e}"));
}

#[test]
fn every_attempt_can_be_looked_at_and_scrolled() {
    let mut app = app_needing_decision();
    assert_eq!(app.press("Enter Down Down Up"), vec![]);
    assert!(matches!(app.top(), Layer::Attempts(_)));
    assert_eq!(app.model.scroll, 1);
    app.press("Esc");
    assert!(matches!(app.top(), Layer::Withdrawal(_)));
}

#[test]
fn start_shows_worst_open_withdrawal_without_sending() {
    let now = App::new().now;
    let older = unknown_withdrawal(1, 100, &now);
    let wrong = unknown_withdrawal(2, 200, &now);
    let wrong = with_attempt(&wrong, &now, alarm(true));
    let (mut app, effects) = start_with_open(vec![older, wrong]);
    assert_eq!(effects, vec![]);
    assert_eq!(app.model.pane, Pane::Links, "it lies over the pane");
    let Layer::Withdrawal(shown) = app.top() else {
        panic!("{:?}", app.top())
    };
    assert_eq!(shown.withdrawal.agreement.key, key(2));
    // The details open automatically only at startup, not when the list is loaded later.
    app.press("Esc 3");
    let open = app.model.withdrawals.open.clone();
    deliver_open_withdrawals(&mut app, open);
    assert!(app.model.layers.is_empty());
}

#[test]
fn start_without_open_withdrawals_shows_no_details() {
    let (app, effects) = start_with_open(vec![]);
    assert_eq!((app.model.layers.len(), effects), (0, vec![]));
}

#[test]
fn keys_typed_before_startup_details_send_nothing() {
    let now = App::new().now;
    let (mut app, _) = start_with_open(vec![unknown_withdrawal(1, 100, &now)]);
    let effects = app.press("r r s Enter Enter");
    assert!(
        !effects
            .iter()
            .any(|effect| matches!(effect, Effect::Money(MoneyCommand::Attempt { .. }))),
        "{effects:?}"
    );
    app.press("Esc Esc Esc");
    app.press("3 Enter");
    assert_eq!(app.resend(), attempt_effects(key(1)));
}

#[test]
fn open_withdrawal_is_shown_after_login() {
    for login_first in [true, false] {
        let mut app = App::new();
        app.deliver(Msg::Started);
        let open = vec![unknown_withdrawal(1, 100, &app.now.clone())];
        let deliver_no_credentials = |app: &mut App| {
            app.deliver(Msg::CredentialsRead {
                vault_status: VaultStatus::Kept(VaultKind::Keyring),
                api_token: Credential::Absent,
                jwt: Credential::Absent,
            });
        };
        if login_first {
            deliver_no_credentials(&mut app);
            deliver_open_withdrawals(&mut app, open);
        } else {
            deliver_open_withdrawals(&mut app, open);
            deliver_no_credentials(&mut app);
        }
        assert!(matches!(app.top(), Layer::Login(_)));
        let Some(Layer::Login(login)) = app.model.layers.last_mut() else {
            panic!()
        };
        login.sent.wait = Some(Wait {
            ticket: Ticket(99),
            since_ms: 0,
        });
        let result = Ok(vec![(CredentialKind::ApiToken, credential(SELLER))]);
        app.deliver(Msg::LoggedIn {
            ticket: Ticket(99),
            result,
        });
        assert!(matches!(app.top(), Layer::Withdrawal(_)), "{login_first}");
    }
}

#[test]
fn open_withdrawal_does_not_interrupt_typing() {
    let now = App::new().now;
    for keys in ["n", "/", "?", "Ctrl-K"] {
        let mut app = start_logged_in();
        app.press(keys);
        let before = app.model.layers.len();
        deliver_open_withdrawals(&mut app, vec![unknown_withdrawal(1, 100, &now)]);
        assert_eq!(app.model.layers.len(), before, "{keys}");
        // Closing the form does not open the details of the open withdrawal.
        app.press("Esc");
        assert!(
            app.model.layers.is_empty(),
            "{keys}: {:?}",
            app.model.layers
        );
        assert_eq!(app.model.withdrawals.open.len(), 1);
    }
}

#[test]
fn countdown_ticks_only_where_visible() {
    let second = Some(Duration::from_secs(1));
    let to_the_end = Some(Duration::from_millis(570_001));
    let mut app = App::logged_in();
    app.load_unknown_withdrawal(7, 500);
    for (keys, due) in [
        ("", second),
        ("f", second),
        ("Esc", second),
        ("c", second),
        ("Esc Enter", to_the_end),
        ("Esc ?", to_the_end),
        ("Esc", second),
        ("Esc", to_the_end),
        ("3", to_the_end),
    ] {
        app.press(keys);
        assert_eq!(next_deadline(&app.model), due, "{keys}");
    }
    // In a wide terminal, the details beside the list show the countdown, too.
    app.model.size = Size {
        columns: 120,
        rows: 40,
    };
    assert_eq!(next_deadline(&app.model), second);
    // In a large terminal, the banner of every pane shows the countdown.
    app.press("1");
    assert_eq!(next_deadline(&app.model), second);
    app.model.size = Size {
        columns: 80,
        rows: 24,
    };
    assert_eq!(next_deadline(&app.model), to_the_end);
}
