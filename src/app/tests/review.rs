//! The last look before money moves.

use super::*;
use crate::app::withdrawals::{NoQuote, QuoteState, Refused, ReviewFocus, WhyRetype};
use crate::trade::withdrawal::{Alarm, Class};
use crate::trade::{Failure, NoAnswer, QuoteFault};

/// What the confirming button wants done; nothing while it is dead.
fn confirms(counter: &mut Counter) -> Vec<Effect> {
    while counter.review().focus != ReviewFocus::Confirm {
        counter.keys("Tab");
    }
    counter.keys("Enter")
}

fn is_prepare(wanted: &[Effect]) -> bool {
    matches!(wanted, [Effect::Prepare { .. }])
}

#[test]
fn a_review_shows_what_will_be_sent_byte_for_byte() {
    let mut counter = Counter::open();
    let agreement = counter.reviews("10010");
    assert_eq!(&*agreement.body, r#"{"amount":100.10,"pixKeyType":"cpf","pixKey":"11144477735"}"#);
    assert_eq!(agreement.account, seller());
    assert_eq!(&*agreement.url, "https://api.example/api/v1/integrations/withdrawals");
    assert_eq!(agreement.quote, Some(quote(brl(10_010), Wall(1_000_300))));
    assert_eq!(counter.review().focus, ReviewFocus::Back);
}

#[test]
fn the_first_enter_goes_back_and_keeps_the_draft() {
    let mut counter = Counter::open();
    counter.reviews("10010");
    assert_eq!(counter.keys("Enter"), vec![]);
    assert_eq!(counter.draft().form.value("key"), "11144477735");
    assert_eq!(counter.draft().form.money(), Some(brl(10_010)));
}

#[test]
fn confirming_makes_it_durable_and_sends_nothing() {
    let mut counter = Counter::open();
    let agreement = counter.reviews("10010");
    let wanted = confirms(&mut counter);
    let [Effect::Prepare { agreement: agreed, retyped: None }] = &wanted[..] else {
        panic!("{wanted:?}")
    };
    assert_eq!(agreed.key, agreement.key);
    assert_eq!(agreed.body, agreement.body);
    assert_eq!(agreed.agreed, counter.now);
}

#[test]
fn the_button_is_dead_until_the_journal_answered_and_half_a_second_after() {
    let mut counter = Counter::open();
    counter.types_withdrawal("10010");
    counter.is_quoted();
    let agreement = counter.submits();
    counter.passes(60_000);
    assert_eq!(confirms(&mut counter), vec![]);
    counter.tell(Msg::Reviewed { key: key(999), similar: None });
    counter.passes(1_000);
    assert_eq!(confirms(&mut counter), vec![]);
    counter.tell(Msg::Reviewed { key: agreement.key, similar: None });
    counter.passes(499);
    assert_eq!(confirms(&mut counter), vec![]);
    counter.passes(1);
    assert!(is_prepare(&confirms(&mut counter)));
}

#[test]
fn the_answer_is_heard_while_the_help_lies_over_the_review() {
    let mut counter = Counter::open();
    counter.types_withdrawal("10010");
    counter.is_quoted();
    let agreement = counter.submits();
    counter.keys("F1");
    counter.tell(Msg::Reviewed { key: agreement.key, similar: None });
    counter.keys("Esc");
    counter.passes(500);
    assert!(is_prepare(&confirms(&mut counter)));
}

#[test]
fn a_paste_never_confirms_and_makes_the_button_dead() {
    let mut counter = Counter::open();
    counter.reviews("10010");
    counter.keys("Tab");
    assert_eq!(counter.pastes("\r\n"), vec![]);
    assert_eq!(counter.keys("Enter"), vec![]);
    counter.passes(499);
    assert_eq!(counter.keys("Enter"), vec![]);
    counter.passes(1);
    assert!(is_prepare(&counter.keys("Enter")));
}

#[test]
fn letters_do_nothing_and_lead_nowhere() {
    let mut counter = Counter::open();
    counter.reviews("10010");
    let before = format!("{:?}", counter.review());
    assert_eq!(counter.types("123456?:qyrfXLOJngG/ "), vec![]);
    assert_eq!(format!("{:?}", counter.review()), before);
    assert!(!counter.model.leaving);
}

#[test]
fn every_review_has_a_new_key_also_of_an_unchanged_draft() {
    let mut counter = Counter::open();
    let first = counter.reviews("10010");
    counter.keys("Esc");
    let second = counter.submits();
    assert_ne!(first.key, second.key);
    counter.keys("Esc Shift-Tab Shift-Tab");
    counter.types("1");
    counter.is_quoted();
    let third = counter.submits();
    assert_eq!(third.amount, brl(100_101));
    assert!(third.key != second.key && third.key != first.key);
}

#[test]
fn a_stale_quote_is_asked_again_in_view_and_the_new_one_is_what_is_confirmed() {
    let mut counter = Counter::open();
    counter.reviews("10010");
    counter.keys("Tab");
    counter.passes(120_000);
    assert_eq!(counter.keys("Enter"), vec![]);
    let asked = counter.rests(0);
    let [Effect::Quote { ticket, amount }] = asked[..] else { panic!("{asked:?}") };
    assert_eq!(confirms(&mut counter), vec![]);
    let fresh = Quote::new(amount, Some(brl(300)), None, counter.now.wall).unwrap();
    counter.tell(Msg::Quoted { ticket, result: Ok(fresh.clone()) });
    assert_eq!(counter.review().focus, ReviewFocus::Back);
    assert_eq!(confirms(&mut counter), vec![]);
    counter.passes(500);
    let wanted = confirms(&mut counter);
    let [Effect::Prepare { agreement, .. }] = &wanted[..] else { panic!("{wanted:?}") };
    assert_eq!(agreement.quote, Some(fresh));
}

#[test]
fn a_quote_that_stops_adding_up_in_the_review_cannot_be_confirmed_even_by_typing() {
    let mut counter = Counter::open();
    counter.reviews("10010");
    let [Effect::Quote { ticket, amount }] = counter.rests(120_000)[..] else { panic!() };
    let fault = QuoteFault::DoesNotAddUp { amount, fee: brl(1), net: brl(2) };
    counter.tell(Msg::Quoted { ticket, result: Err(NoQuote::Fault(fault)) });
    counter.passes(1_000);
    counter.keys("Tab");
    counter.types("10010");
    assert_eq!(confirms(&mut counter), vec![]);
}

#[test]
fn without_a_quote_the_amount_is_typed_again() {
    let mut counter = Counter::open();
    counter.types_withdrawal("10010");
    let [Effect::Quote { ticket, .. }] = counter.rests(300)[..] else { panic!() };
    let failure = NoQuote::Failure(Failure::NoAnswer(NoAnswer::Timeout));
    counter.tell(Msg::Quoted { ticket, result: Err(failure) });
    let agreement = counter.submits();
    counter.tell(Msg::Reviewed { key: agreement.key, similar: None });
    counter.passes(500);
    assert_eq!(counter.review().retype.as_ref().unwrap().why, WhyRetype::NoQuote);
    assert_eq!(confirms(&mut counter), vec![]);
    counter.keys("Shift-Tab");
    assert_eq!(counter.types("10011"), vec![]);
    assert_eq!(counter.keys("Enter Enter"), vec![]);
    counter.keys("Shift-Tab Backspace");
    counter.types("0");
    // Nobody was told of another withdrawal, so the journal is not told that they were.
    let wanted = counter.keys("Enter Enter");
    let [Effect::Prepare { agreement, retyped: None }] = &wanted[..] else { panic!("{wanted:?}") };
    assert_eq!(agreement.quote, None);
}

#[test]
fn a_quote_that_fails_in_the_review_wants_the_amount_typed_after_that() {
    let mut counter = Counter::open();
    counter.has_open(vec![unknown(7, 500, &counter.now.clone())]);
    counter.reviews("10010");
    counter.keys("Tab");
    counter.types("10010");
    let [Effect::Quote { ticket, .. }] = counter.rests(120_000)[..] else { panic!() };
    let failure = NoQuote::Failure(Failure::NoAnswer(NoAnswer::Cut));
    counter.tell(Msg::Quoted { ticket, result: Err(failure) });
    counter.passes(500);
    assert_eq!(confirms(&mut counter), vec![]);
}

#[test]
fn with_another_one_open_the_amount_is_typed_again_and_the_journal_is_told_so() {
    let mut counter = Counter::open();
    counter.has_open(vec![unknown(7, 500, &counter.now.clone())]);
    counter.reviews("10010");
    assert_eq!(counter.review().retype.as_ref().unwrap().why, WhyRetype::AnotherOpen(key(7)));
    assert_eq!(confirms(&mut counter), vec![]);
    counter.keys("Shift-Tab");
    counter.types("10010");
    let wanted = counter.keys("Enter Enter");
    let [Effect::Prepare { retyped, .. }] = &wanted[..] else { panic!("{wanted:?}") };
    assert_eq!(*retyped, Some(brl(10_010)));
}

#[test]
fn the_same_within_a_day_is_named_whatever_else_is_the_matter() {
    for open in [vec![], vec![unknown(7, 500, &Counter::open().now)]] {
        let mut counter = Counter::open();
        counter.has_open(open);
        counter.types_withdrawal("10010");
        counter.is_quoted();
        let agreement = counter.submits();
        let similar = Box::new(prepared(&agreement));
        let said = Msg::Reviewed { key: agreement.key, similar: Some(similar.clone()) };
        counter.tell(said);
        counter.passes(500);
        let why = counter.review().retype.as_ref().unwrap().why.clone();
        assert_eq!(why, WhyRetype::SameWithinADay(similar));
        assert_eq!(confirms(&mut counter), vec![]);
    }
}

#[test]
fn the_same_amount_and_destination_as_an_open_one_is_refused_in_the_form() {
    let mut counter = Counter::open();
    let mut open = unknown(7, 10_010, &counter.now);
    let cpf = crate::trade::PixKey::parse(crate::trade::PixKeyKind::Cpf, "11144477735");
    open.agreement.destination = Some(cpf.unwrap());
    counter.has_open(vec![open]);
    counter.types_withdrawal("10010");
    counter.is_quoted();
    assert_eq!(counter.keys("Ctrl-S"), vec![]);
    assert_eq!(counter.draft().refused, Some(Refused::SameOpen(key(7))));
}

#[test]
fn a_mismatch_locks_the_account_and_only_that_account() {
    let mut counter = Counter::open();
    let alarm = Alarm::Amount { sent: brl(100), got: brl(200) };
    let now = counter.now.clone();
    let mut alarming = attempted(&unknown(7, 500, &now), &now, Class::Alarm(alarm));
    counter.has_open(vec![alarming.clone()]);
    counter.types_withdrawal("10010");
    counter.is_quoted();
    assert_eq!(counter.keys("Ctrl-S"), vec![]);
    assert_eq!(counter.draft().refused, Some(Refused::Mismatch(key(7))));
    alarming.agreement.account.identity = "another".into();
    counter.has_open(vec![alarming]);
    counter.submits();
}

#[test]
fn the_figures_on_the_screen_are_those_of_the_quote_that_was_confirmed() {
    let mut counter = Counter::open();
    counter.reviews("10010");
    let QuoteState::Shown(shown) = counter.review().draft.quote.clone() else { panic!() };
    assert_eq!(counter.review().agreement.quote, Some(shown));
}
