//! Tests of the seller's decision about a withdrawal with an unknown outcome, and of showing such a
//! withdrawal at startup.

use super::*;
use crate::app::store::withdrawals::lookup_hints;

/// Starts the app with a journal that contains these open withdrawals.
fn started_with(open: Vec<Withdrawal>) -> (App, Vec<Effect>) {
    let mut app = started();
    let wanted = read(&mut app, open);
    (app, wanted)
}

/// Starts the app with a logged-in seller, before the withdrawal journal has been read.
fn started() -> App {
    let mut app = App::closed();
    app.tell(Msg::Started);
    app.tell(Msg::CredentialsRead {
        vault_status: VaultStatus::Kept(VaultKind::Keyring),
        api_token: held(SELLER),
        jwt: held("seller-1"),
    });
    app
}

/// Delivers these open withdrawals as the journal's reply.
fn read(app: &mut App, open: Vec<Withdrawal>) -> Vec<Effect> {
    let ticket = app.model.withdrawals.list.asked.expect("the journal was asked");
    app.tell(Msg::WithdrawalsLoaded { ticket, result: Ok(snapshot(open)) })
}

/// Creates an app with an open withdrawal that can no longer be sent again, so the seller must
/// decide.
fn needs_person() -> App {
    let mut app = App::open();
    app.has_unknown(7, 10_010);
    app.rests(570_001);
    app
}

fn alarm(amount: bool) -> Class {
    Class::Alarm(match amount {
        true => Alarm::Amount { sent: brl(10_010), got: brl(100_100) },
        false => Alarm::Destination { sent: "a".into(), got: "b\u{202e}".into() },
    })
}

/// Creates an app that shows a withdrawal. The attempt to send it ended with the outcome `class`.
fn met(class: Class) -> App {
    App::settled(class).0
}

fn has_guide(app: &App) -> bool {
    app.model.layers.iter().any(|layer| matches!(layer, Layer::Guide(_)))
}

fn not_paid(key: IdempotencyKey) -> Vec<Effect> {
    decide(key, Decision::StatedNotPaid)
}

#[test]
fn guide_offers_exactly_the_steps_of_each_state() {
    use Action::*;
    let table = [
        (LOST, vec![Found, Copy, Back]),
        (Class::Redirected, vec![Found, NotPaid, Copy, Back]),
        (Class::KeyReused, vec![Found, NotPaid, Copy, Back]),
        (alarm(true), vec![Found, NotPaid, Copy, Back]),
        (alarm(false), vec![Found, NotPaid, Copy, Back]),
    ];
    for (class, said) in table {
        let mut app = met(class.clone());
        app.keys("c");
        assert_eq!(app.offered(), said, "{class:?}");
    }
    for class in [Class::Unauthorized, Class::DefiniteNo, ACCEPTED, Class::NotSent(NotSent::Dns)] {
        let mut app = met(class.clone());
        assert_eq!(app.keys("c N"), vec![]);
        assert!(!has_guide(&app), "{class:?}");
    }
}

#[test]
fn not_paid_offered_only_after_safe_resend_window() {
    let mut app = met(LOST);
    app.keys("N c N");
    assert!(matches!(app.top(), Layer::Guide(_)));
    assert!(!app.offers(Action::NotPaid));
    app.passes(569_500);
    app.tell(Msg::Pulse);
    // The app wakes up exactly when the time limit for sending again ends, and then offers the next
    // step without a key press.
    assert_eq!(next_deadline(&app.model), Some(Duration::from_millis(500)));
    app.rests(500);
    assert_eq!(next_deadline(&app.model), Some(Duration::from_millis(1)));
    app.rests(1);
    assert!(app.offers(Action::NotPaid));
    assert_eq!(next_deadline(&app.model), None);
    app.keys("N");
    assert!(matches!(app.top(), Layer::NotPaid(_)));
}

#[test]
fn statement_requires_retyped_amount() {
    let mut app = needs_person();
    let key = key(7);
    app.keys("c N");
    app.passes(500);
    // The focus is on the button that goes back, so Enter only closes the form.
    assert_eq!(app.keys("Enter"), vec![]);
    assert!(matches!(app.top(), Layer::Guide(_)));
    app.keys("N");
    app.passes(500);
    assert_eq!(app.keys("Shift-Tab Enter"), vec![], "nothing is typed");
    app.keys("Shift-Tab");
    app.types("10011");
    assert_eq!(app.keys("Tab Enter"), vec![], "another amount");
    app.keys("Shift-Tab Backspace");
    app.types("0");
    assert_eq!(app.keys("Enter Enter"), not_paid(key));
    assert!(matches!(app.top(), Layer::Guide(_)));
}

#[test]
fn digit_goes_to_statement_field_from_any_focus() {
    let mut app = needs_person();
    app.keys("c N 1 0 0 1 0");
    let Layer::NotPaid(form) = app.top() else { panic!("the statement") };
    assert_eq!(form.buttons.focus, Focus::Amount);
    assert_eq!(form.field.money(), Some(form.amount));
}

#[test]
fn letters_and_pane_keys_do_not_change_statement() {
    let mut app = needs_person();
    app.keys("c N Tab");
    app.types("1x0q");
    app.keys("F1 Esc");
    let Layer::NotPaid(form) = app.top() else { panic!("{:?}", app.top()) };
    assert_eq!((form.field.money(), form.buttons.focus), (Some(brl(10)), Focus::Amount));
    app.keys("Shift-Tab 3 q");
    assert!(matches!(app.top(), Layer::NotPaid(_)));
    assert!(!app.model.leaving);
}

#[test]
fn decision_meanwhile_closes_guide_and_its_questions() {
    for keys in ["c", "c f", "c N", "f"] {
        let mut app = needs_person();
        app.keys(keys);
        let Some(shown) = app.subject().cloned() else { panic!() };
        let accepted = attempted(&shown, &app.now, ACCEPTED);
        app.tell(Msg::Settled(Box::new(accepted)));
        assert!(matches!(app.top(), Layer::Withdrawal(_)), "{keys}: {:?}", app.top());
        assert_eq!(app.model.layers.len(), 1, "{keys}");
    }
}

#[test]
fn discard_question_closed_once_no_longer_prepared() {
    let mut app = met(Class::Unauthorized);
    app.keys("X");
    let prepared = app.subject().cloned().unwrap();
    let lost = attempted(&prepared, &app.now, LOST);
    app.tell(Msg::Settled(Box::new(lost)));
    assert!(matches!(app.top(), Layer::Withdraw(Flow::Outcome(_))));
}

#[test]
fn failed_decision_is_reported_and_list_reloaded() {
    let mut app = needs_person();
    let failure = Failure::NotSent(NotSent::NotSafe);
    let wanted = app.tell(Msg::Decided { key: key(7), result: Err(failure.clone()) });
    assert!(matches!(wanted[..], [Effect::Money(MoneyCommand::Load(_))]), "{wanted:?}");
    let said = app.model.notice.as_ref();
    assert_eq!(said, Some(&Notice::NotDecided(failure)));
}

#[test]
fn every_clue_is_copied_by_itself() {
    let mut app = met(alarm(true));
    let key = app.subject().unwrap().agreement.key;
    app.keys("c");
    let mut copied = Vec::new();
    for _ in 0..7 {
        copied.extend(app.keys("y"));
        app.keys("Down");
    }
    let copy = |what, text: &str| Effect::Copy(Clip::LookupHint(what), text.into());
    let all = [
        copy(LookupHintKind::Amount, "100,10"),
        copy(LookupHintKind::Net, "98,05"),
        copy(LookupHintKind::RepliedValue, "1.001,00"),
        copy(LookupHintKind::When, "1970-01-01T00:16:40+00:00"),
        copy(LookupHintKind::Destination, "111.444.777-35"),
        copy(LookupHintKind::Key, &key.to_string()),
    ];
    assert_eq!(copied[..6], all);
    assert_eq!(copied[6], all[5], "the last one is the last");
    assert_eq!(app.keys("g y"), vec![all[0].clone()]);
}

#[test]
fn text_with_hidden_characters_is_not_copied() {
    let mut app = met(alarm(false));
    app.keys("c Down Down");
    assert_eq!(app.keys("y"), vec![]);
    let said = app.model.notice.clone();
    assert_eq!(said, Some(Notice::NotCopied(CopyTrouble::NotClean)));
    let lookup_hints = lookup_hints::lookup_hints(&app.model, app.subject().unwrap());
    assert_eq!(lookup_hints[2].text, Untrusted::from("b\u{202e}"));
}

#[test]
fn every_attempt_can_be_looked_at_and_scrolled() {
    let mut app = needs_person();
    assert_eq!(app.keys("Enter Down Down Up"), vec![]);
    assert!(matches!(app.top(), Layer::Attempts(_)));
    assert_eq!(app.model.scroll, 1);
    app.keys("Esc");
    assert!(matches!(app.top(), Layer::Withdrawal(_)));
}

#[test]
fn start_shows_worst_open_withdrawal_without_sending() {
    let now = App::closed().now;
    let (older, wrong) = (unknown(1, 100, &now), unknown(2, 200, &now));
    let wrong = attempted(&wrong, &now, alarm(true));
    let (mut app, wanted) = started_with(vec![older, wrong]);
    assert_eq!(wanted, vec![]);
    assert_eq!(app.model.pane, Pane::Links, "it lies over the pane");
    let Layer::Withdrawal(shown) = app.top() else { panic!("{:?}", app.top()) };
    assert_eq!(shown.withdrawal.agreement.key, key(2));
    // The details open automatically only at startup, not when the list is loaded later.
    app.keys("Esc 3");
    let open = app.model.withdrawals.open.clone();
    read(&mut app, open);
    assert!(app.model.layers.is_empty());
}

#[test]
fn start_without_open_withdrawals_shows_no_details() {
    let (app, wanted) = started_with(vec![]);
    assert_eq!((app.model.layers.len(), wanted), (0, vec![]));
}

#[test]
fn a_key_that_was_meant_for_the_pane_sends_nothing() {
    let now = App::closed().now;
    let (mut app, _) = started_with(vec![unknown(1, 100, &now)]);
    let wanted = app.keys("r r s Enter Enter");
    assert!(
        !wanted.iter().any(|effect| matches!(effect, Effect::Money(MoneyCommand::Attempt { .. }))),
        "{wanted:?}"
    );
    app.keys("Esc Esc Esc");
    app.keys("3 Enter");
    assert_eq!(app.resends(), attempt(key(1)));
}

#[test]
fn open_withdrawal_is_shown_after_login() {
    for login_first in [true, false] {
        let mut app = App::closed();
        app.tell(Msg::Started);
        let open = vec![unknown(1, 100, &app.now.clone())];
        let out = |app: &mut App| {
            app.tell(Msg::CredentialsRead {
                vault_status: VaultStatus::Kept(VaultKind::Keyring),
                api_token: Credential::Absent,
                jwt: Credential::Absent,
            });
        };
        if login_first {
            out(&mut app);
            read(&mut app, open);
        } else {
            read(&mut app, open);
            out(&mut app);
        }
        assert!(matches!(app.top(), Layer::Login(_)));
        let Some(Layer::Login(login)) = app.model.layers.last_mut() else { panic!() };
        login.sent.wait = Some(Wait { ticket: Ticket(99), since_ms: 0 });
        let result = Ok(vec![(CredentialKind::ApiToken, held(SELLER))]);
        app.tell(Msg::LoggedIn { ticket: Ticket(99), result });
        assert!(matches!(app.top(), Layer::Withdrawal(_)), "{login_first}");
    }
}

#[test]
fn open_withdrawal_does_not_interrupt_typing() {
    let now = App::closed().now;
    for keys in ["n", "/", "?", "Ctrl-K"] {
        let mut app = started();
        app.keys(keys);
        let before = app.model.layers.len();
        read(&mut app, vec![unknown(1, 100, &now)]);
        assert_eq!(app.model.layers.len(), before, "{keys}");
        // Closing the form does not open the details of the open withdrawal.
        app.keys("Esc");
        assert!(app.model.layers.is_empty(), "{keys}: {:?}", app.model.layers);
        assert_eq!(app.model.withdrawals.open.len(), 1);
    }
}

#[test]
fn the_countdown_ticks_only_where_it_can_be_seen() {
    let second = Some(Duration::from_secs(1));
    let to_the_end = Some(Duration::from_millis(570_001));
    let mut app = App::open();
    app.has_unknown(7, 500);
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
        app.keys(keys);
        assert_eq!(next_deadline(&app.model), due, "{keys}");
    }
    // In a wide terminal, the details beside the list show the countdown, too.
    app.model.size = Size { columns: 120, rows: 40 };
    assert_eq!(next_deadline(&app.model), second);
    // In a large terminal, the banner of every pane shows the countdown.
    app.keys("1");
    assert_eq!(next_deadline(&app.model), second);
    app.model.size = Size { columns: 80, rows: 24 };
    assert_eq!(next_deadline(&app.model), to_the_end);
}
