//! Tests of the fee quote, which depends only on the amount.

use super::*;

#[test]
fn it_is_asked_for_when_the_typing_has_rested() {
    let mut counter = Counter::open();
    counter.keys("3 n");
    assert_eq!(counter.types("100"), vec![]);
    assert_eq!(next_deadline(&counter.model), Some(Duration::from_millis(300)));
    assert_eq!(counter.rests(299), vec![]);
    assert_eq!(counter.types("0"), vec![]);
    assert_eq!(counter.rests(299), vec![]);
    let ticket = counter.ticket().next();
    assert_eq!(counter.rests(1), vec![Effect::Quote { ticket, amount: brl(1_000) }]);
    assert_eq!(counter.rests(10_000), vec![]);
}

#[test]
fn other_amount_cancels_request_and_drops_answer() {
    let mut counter = Counter::open();
    counter.keys("3 n");
    counter.types("1000");
    let (old, _) = counter.asks_fee();
    assert_eq!(counter.types("0"), vec![Effect::Cancel(old)]);
    let late = quote(brl(1_000), counter.now.wall);
    counter.tell(Msg::Quoted { ticket: old, result: Ok(late.clone()) });
    assert!(matches!(counter.draft().quote, QuoteState::Due { .. }));
    let (ticket, _) = counter.asks_fee();
    counter.tell(Msg::Quoted { ticket: old, result: Ok(late.clone()) });
    assert!(matches!(counter.draft().quote, QuoteState::Asking { .. }));
    // A quote for another amount is not accepted, even with the right ticket.
    counter.tell(Msg::Quoted { ticket, result: Ok(late) });
    assert!(matches!(counter.draft().quote, QuoteState::Failed { .. }));
}

#[test]
fn failed_quote_is_requested_again_by_key() {
    let mut counter = Counter::open();
    counter.keys("3 n");
    counter.types("1000");
    assert!(!counter.offers(Action::AskFee));
    let (ticket, _) = counter.asks_fee();
    counter.gets_no_fee(ticket);
    assert_eq!(counter.rests(10_000), vec![]);
    assert!(counter.offers(Action::AskFee));
    counter.keys("Ctrl-R");
    let ticket = counter.ticket().next();
    assert_eq!(counter.rests(1), vec![Effect::Quote { ticket, amount: brl(1_000) }]);
}

#[test]
fn a_fault_leaves_nothing_to_confirm() {
    let amount = brl(10_010);
    let faults = [
        QuoteFault::Unreadable(Part::Fee),
        QuoteFault::Unreadable(Part::Net),
        QuoteFault::OtherAmount { amount, said: Some(brl(1)) },
        QuoteFault::OtherAmount { amount, said: None },
        QuoteFault::DoesNotAddUp { amount, fee: brl(1), net: brl(2) },
    ];
    for fault in faults {
        let mut counter = Counter::open();
        counter.types_withdrawal("10010");
        let (ticket, _) = counter.asks_fee();
        counter.tell(Msg::Quoted { ticket, result: Err(NoQuote::Fault(fault.clone())) });
        assert_eq!(counter.keys("Ctrl-S"), vec![], "{fault:?}");
        assert_eq!(counter.draft().refused, Some(Refused::QuoteWrong(fault)));
    }
}

#[test]
fn leaving_the_form_cancels_it() {
    let mut counter = Counter::open();
    counter.keys("3 n");
    counter.types("1000");
    let (ticket, _) = counter.asks_fee();
    assert_eq!(counter.keys("Esc Tab Enter"), vec![Effect::Cancel(ticket)]);
    assert!(counter.model.layers.is_empty());
}

#[test]
fn an_emptied_amount_wants_no_quote() {
    let mut counter = Counter::open();
    counter.keys("3 n");
    counter.types("1");
    counter.keys("Backspace");
    assert_eq!(counter.draft().quote, QuoteState::None);
    assert_eq!(next_deadline(&counter.model), None);
}

#[test]
fn other_fields_leave_it_alone() {
    let mut counter = Counter::open();
    counter.keys("3 n");
    counter.types("1000");
    counter.is_quoted();
    let shown = counter.draft().quote.clone();
    counter.keys("Tab Right Tab");
    assert_eq!(counter.types("ana@loja.example"), vec![]);
    assert_eq!(counter.draft().quote, shown);
}

#[test]
fn a_stale_one_is_asked_again_in_the_form() {
    let mut counter = Counter::open();
    counter.keys("3 n");
    counter.types("1000");
    counter.is_quoted();
    assert_eq!(next_deadline(&counter.model), Some(Duration::from_secs(1)));
    assert_eq!(counter.rests(119_999), vec![]);
    let ticket = counter.ticket().next();
    assert_eq!(counter.rests(1), vec![Effect::Quote { ticket, amount: brl(1_000) }]);
}

#[test]
fn no_review_before_quote_and_refusal_cleared_by_it() {
    let mut counter = Counter::open();
    counter.types_withdrawal("10010");
    assert_eq!(counter.keys("Ctrl-S"), vec![]);
    assert_eq!(counter.draft().refused, Some(Refused::QuoteNotThere));
    counter.is_quoted();
    assert_eq!(counter.draft().refused, None);
}

#[test]
fn refused_token_requested_on_submit_not_while_typing() {
    let mut counter = Counter::open();
    counter.types_withdrawal("10010");
    let (ticket, amount) = counter.asks_fee();
    let failure = unauthorized(CredentialKind::ApiToken);
    counter.tell(Msg::Quoted { ticket, result: Err(NoQuote::Failure(failure)) });
    assert_eq!(counter.draft().form.value("key"), "11144477735");
    assert!(matches!(counter.model.session.api_token, Credential::Refused(_)));
    assert_eq!(counter.keys("Ctrl-S"), vec![]);
    assert!(matches!(counter.top(), Layer::Login(_)));
    // After the login, the form still contains the typed text, and the fee quote is requested
    // again.
    counter.tell(Msg::SecretEdited { slot: "login/password".into(), len: 8 });
    counter.keys("Ctrl-S");
    let ticket = counter.ticket();
    let held = vec![(CredentialKind::ApiToken, held(SELLER))];
    counter.tell(Msg::LoggedIn { ticket, result: Ok(held) });
    assert_eq!(counter.draft().form.value("key"), "11144477735");
    let ticket = counter.ticket().next();
    assert_eq!(counter.rests(0), vec![Effect::Quote { ticket, amount }]);
}

#[test]
fn its_answer_is_heard_under_the_help() {
    let mut counter = Counter::open();
    counter.keys("3 n");
    counter.types("1000");
    let (ticket, amount) = counter.asks_fee();
    counter.keys("F1");
    let result = Err(NoQuote::Failure(Failure::NoAnswer(NoAnswer::Cut)));
    counter.tell(Msg::Quoted { ticket, result });
    counter.keys("Esc");
    assert!(matches!(counter.draft().quote, QuoteState::Failed { amount: a, .. } if a == amount));
}

#[test]
fn key_error_rechecked_when_kind_changes() {
    let mut counter = Counter::open();
    counter.keys("3 n");
    counter.types("1000");
    counter.keys("Tab Tab");
    counter.types("ana@loja.example");
    counter.is_quoted();
    assert_eq!(counter.keys("Ctrl-S"), vec![]);
    assert!(counter.draft().form.field("key").unwrap().error.is_some());
    counter.keys("Up Right Right Right");
    assert_eq!(counter.submits().destination.unwrap().as_str(), "ana@loja.example");
}
