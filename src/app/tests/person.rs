//! Tests of the seller's decisions about a withdrawal, and of the screen that opens at the start.

use super::*;
use crate::app::store::withdrawals::clues;

/// Starts the app with these open withdrawals in the journal.
fn started_with(open: Vec<Withdrawal>) -> (Counter, Vec<Effect>) {
    let mut counter = started();
    let wanted = read(&mut counter, open);
    (counter, wanted)
}

/// Starts the app with a logged-in seller. The journal is still being read.
fn started() -> Counter {
    let mut counter = Counter::closed();
    counter.tell(Msg::Started);
    counter.tell(Msg::CredentialsRead {
        keeper: Keeper::Kept(VaultKind::Keyring),
        api_token: held(SELLER),
        jwt: held("seller-1"),
    });
    counter
}

/// Answers the running request to the journal with these open withdrawals.
fn read(counter: &mut Counter, open: Vec<Withdrawal>) -> Vec<Effect> {
    let ticket = counter.model.withdrawals.list.asked.expect("the journal was asked");
    counter.tell(Msg::WithdrawalsLoaded { ticket, result: Ok(snapshot(open)) })
}

/// Creates an app that shows an open withdrawal whose time for sending it again is over.
fn needs_person() -> Counter {
    let mut counter = Counter::open();
    counter.has_unknown(7, 10_010);
    counter.rests(570_001);
    counter
}

fn alarm(amount: bool) -> Class {
    Class::Alarm(match amount {
        true => Alarm::Amount { sent: brl(10_010), got: brl(100_100) },
        false => Alarm::Destination { sent: "a".into(), got: "b\u{202e}".into() },
    })
}

/// Creates an app that shows a withdrawal whose attempt ended with this outcome class.
fn met(class: Class) -> Counter {
    Counter::settled(class).0
}

fn has_guide(counter: &Counter) -> bool {
    counter.model.layers.iter().any(|layer| matches!(layer, Layer::Guide(_)))
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
        let mut counter = met(class.clone());
        counter.keys("c");
        assert_eq!(counter.offered(), said, "{class:?}");
    }
    for class in [Class::Unauthorized, Class::DefiniteNo, ACCEPTED, Class::NotSent(NotSent::Dns)] {
        let mut counter = met(class.clone());
        assert_eq!(counter.keys("c N"), vec![]);
        assert!(!has_guide(&counter), "{class:?}");
    }
}

#[test]
fn not_paid_offered_only_after_safe_resend_window() {
    let mut counter = met(LOST);
    counter.keys("N c N");
    assert!(matches!(counter.top(), Layer::Guide(_)));
    assert!(!counter.offers(Action::NotPaid));
    counter.passes(569_500);
    counter.tell(Msg::Pulse);
    // The app wakes up exactly when the time for sending again is over, and offers the next step
    // without a key press.
    assert_eq!(next_deadline(&counter.model), Some(Duration::from_millis(500)));
    counter.rests(500);
    assert_eq!(next_deadline(&counter.model), Some(Duration::from_millis(1)));
    counter.rests(1);
    assert!(counter.offers(Action::NotPaid));
    assert_eq!(next_deadline(&counter.model), None);
    counter.keys("N");
    assert!(matches!(counter.top(), Layer::NotPaid(_)));
}

#[test]
fn statement_requires_retyped_amount() {
    let mut counter = needs_person();
    let key = key(7);
    counter.keys("c N");
    counter.passes(500);
    // The harmless button has the focus, so Enter only closes the form.
    assert_eq!(counter.keys("Enter"), vec![]);
    assert!(matches!(counter.top(), Layer::Guide(_)));
    counter.keys("N");
    counter.passes(500);
    assert_eq!(counter.keys("Shift-Tab Enter"), vec![], "nothing is typed");
    counter.keys("Shift-Tab");
    counter.types("10011");
    assert_eq!(counter.keys("Tab Enter"), vec![], "another amount");
    counter.keys("Shift-Tab Backspace");
    counter.types("0");
    assert_eq!(counter.keys("Enter Enter"), not_paid(key));
    assert!(matches!(counter.top(), Layer::Guide(_)));
}

#[test]
fn digit_goes_to_statement_field_from_any_focus() {
    let mut counter = needs_person();
    counter.keys("c N 1 0 0 1 0");
    let Layer::NotPaid(statement) = counter.top() else { panic!("the statement") };
    assert_eq!(statement.buttons.focus, Focus::Amount);
    assert_eq!(statement.field.money(), Some(statement.amount));
}

#[test]
fn letters_and_pane_keys_do_not_change_statement() {
    let mut counter = needs_person();
    counter.keys("c N Tab");
    counter.types("1x0q");
    counter.keys("F1 Esc");
    let Layer::NotPaid(statement) = counter.top() else { panic!("{:?}", counter.top()) };
    assert_eq!((statement.field.money(), statement.buttons.focus), (Some(brl(10)), Focus::Amount));
    counter.keys("Shift-Tab 3 q");
    assert!(matches!(counter.top(), Layer::NotPaid(_)));
    assert!(!counter.model.leaving);
}

#[test]
fn decision_meanwhile_closes_guide_and_its_questions() {
    for keys in ["c", "c f", "c N", "f"] {
        let mut counter = needs_person();
        counter.keys(keys);
        let Some(shown) = counter.subject().cloned() else { panic!() };
        let accepted = attempted(&shown, &counter.now, ACCEPTED);
        counter.tell(Msg::Settled(Box::new(accepted)));
        assert!(matches!(counter.top(), Layer::Withdrawal(_)), "{keys}: {:?}", counter.top());
        assert_eq!(counter.model.layers.len(), 1, "{keys}");
    }
}

#[test]
fn discard_question_closed_once_no_longer_prepared() {
    let mut counter = met(Class::Unauthorized);
    counter.keys("X");
    let prepared = counter.subject().cloned().unwrap();
    let lost = attempted(&prepared, &counter.now, LOST);
    counter.tell(Msg::Settled(Box::new(lost)));
    assert!(matches!(counter.top(), Layer::Withdraw(Flow::Outcome(_))));
}

#[test]
fn failed_decision_is_reported_and_list_reloaded() {
    let mut counter = needs_person();
    let failure = Failure::NotSent(NotSent::NotSafe);
    let wanted = counter.tell(Msg::Decided { key: key(7), result: Err(failure.clone()) });
    assert!(matches!(wanted[..], [Effect::Money(MoneyCommand::Load(_))]), "{wanted:?}");
    let said = counter.model.notice.as_ref();
    assert_eq!(said, Some(&Notice::NotDecided(failure)));
}

#[test]
fn every_clue_is_copied_by_itself() {
    let mut counter = met(alarm(true));
    let key = counter.subject().unwrap().agreement.key;
    counter.keys("c");
    let mut copied = Vec::new();
    for _ in 0..7 {
        copied.extend(counter.keys("y"));
        counter.keys("Down");
    }
    let copy = |what, text: &str| Effect::Copy(Clip::Clue(what), text.into());
    let all = [
        copy(ClueKind::Amount, "100,10"),
        copy(ClueKind::Net, "98,05"),
        copy(ClueKind::Said, "1.001,00"),
        copy(ClueKind::When, "1970-01-01T00:16:40+00:00"),
        copy(ClueKind::Destination, "111.444.777-35"),
        copy(ClueKind::Key, &key.to_string()),
    ];
    assert_eq!(copied[..6], all);
    assert_eq!(copied[6], all[5], "the last one is the last");
    assert_eq!(counter.keys("g y"), vec![all[0].clone()]);
}

#[test]
fn text_with_hidden_characters_is_not_copied() {
    let mut counter = met(alarm(false));
    counter.keys("c Down Down");
    assert_eq!(counter.keys("y"), vec![]);
    let said = counter.model.notice.clone();
    assert_eq!(said, Some(Notice::NotCopied(CopyTrouble::NotClean)));
    let clues = clues::clues(&counter.model, counter.subject().unwrap());
    assert_eq!(clues[2].text, Untrusted::from("b\u{202e}"));
}

#[test]
fn every_attempt_can_be_looked_at_and_scrolled() {
    let mut counter = needs_person();
    assert_eq!(counter.keys("Enter Down Down Up"), vec![]);
    assert!(matches!(counter.top(), Layer::Attempts(_)));
    assert_eq!(counter.model.scroll, 1);
    counter.keys("Esc");
    assert!(matches!(counter.top(), Layer::Withdrawal(_)));
}

#[test]
fn start_shows_worst_open_withdrawal_without_sending() {
    let now = Counter::closed().now;
    let (older, wrong) = (unknown(1, 100, &now), unknown(2, 200, &now));
    let wrong = attempted(&wrong, &now, alarm(true));
    let (mut counter, wanted) = started_with(vec![older, wrong]);
    assert_eq!(wanted, vec![]);
    assert_eq!(counter.model.pane, Pane::Links, "it lies over the pane");
    let Layer::Withdrawal(shown) = counter.top() else { panic!("{:?}", counter.top()) };
    assert_eq!(shown.withdrawal.agreement.key, key(2));
    // The details open only at the start: loading the list later opens nothing.
    counter.keys("Esc 3");
    let open = counter.model.withdrawals.open.clone();
    read(&mut counter, open);
    assert!(counter.model.layers.is_empty());
}

#[test]
fn start_without_open_withdrawals_shows_no_details() {
    let (counter, wanted) = started_with(vec![]);
    assert_eq!((counter.model.layers.len(), wanted), (0, vec![]));
}

#[test]
fn a_key_that_was_meant_for_the_pane_sends_nothing() {
    let now = Counter::closed().now;
    let (mut counter, _) = started_with(vec![unknown(1, 100, &now)]);
    let wanted = counter.keys("r r s Enter Enter");
    assert!(
        !wanted.iter().any(|effect| matches!(effect, Effect::Money(MoneyCommand::Attempt(_)))),
        "{wanted:?}"
    );
    counter.keys("Esc Esc Esc");
    counter.keys("3 Enter");
    assert_eq!(counter.resends(), attempt(key(1)));
}

#[test]
fn open_withdrawal_is_shown_after_login() {
    for login_first in [true, false] {
        let mut counter = Counter::closed();
        counter.tell(Msg::Started);
        let open = vec![unknown(1, 100, &counter.now.clone())];
        let out = |counter: &mut Counter| {
            counter.tell(Msg::CredentialsRead {
                keeper: Keeper::Kept(VaultKind::Keyring),
                api_token: Credential::Absent,
                jwt: Credential::Absent,
            });
        };
        if login_first {
            out(&mut counter);
            read(&mut counter, open);
        } else {
            read(&mut counter, open);
            out(&mut counter);
        }
        assert!(matches!(counter.top(), Layer::Login(_)));
        let Some(Layer::Login(login)) = counter.model.layers.last_mut() else { panic!() };
        login.sent.wait = Some(Wait { ticket: Ticket(99), since_ms: 0 });
        let result = Ok(vec![(CredentialKind::ApiToken, held(SELLER))]);
        counter.tell(Msg::LoggedIn { ticket: Ticket(99), result });
        assert!(matches!(counter.top(), Layer::Withdrawal(_)), "{login_first}");
    }
}

#[test]
fn open_withdrawal_does_not_interrupt_typing() {
    let now = Counter::closed().now;
    for keys in ["n", "/", "?", "Ctrl-K"] {
        let mut counter = started();
        counter.keys(keys);
        let before = counter.model.layers.len();
        read(&mut counter, vec![unknown(1, 100, &now)]);
        assert_eq!(counter.model.layers.len(), before, "{keys}");
        // Closing the form does not open the withdrawal's details.
        counter.keys("Esc");
        assert!(counter.model.layers.is_empty(), "{keys}: {:?}", counter.model.layers);
        assert_eq!(counter.model.withdrawals.open.len(), 1);
    }
}

#[test]
fn the_countdown_ticks_only_where_it_can_be_seen() {
    let second = Some(Duration::from_secs(1));
    let to_the_end = Some(Duration::from_millis(570_001));
    let mut counter = Counter::open();
    counter.has_unknown(7, 500);
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
        counter.keys(keys);
        assert_eq!(next_deadline(&counter.model), due, "{keys}");
    }
    // In a wide terminal, the countdown is also visible beside the list.
    counter.model.size = Size { columns: 120, rows: 40 };
    assert_eq!(next_deadline(&counter.model), second);
    // In a large terminal the banner of every pane shows the countdown.
    counter.keys("1");
    assert_eq!(next_deadline(&counter.model), second);
    counter.model.size = Size { columns: 80, rows: 24 };
    assert_eq!(next_deadline(&counter.model), to_the_end);
}
