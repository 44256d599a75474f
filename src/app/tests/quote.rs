//! Tests of the fee quote of a withdrawal, which depends only on the amount.

use super::*;

/// Creates an app with a withdrawal form that has only this amount.
fn typed(amount: &str) -> App {
    let mut app = App::open();
    app.keys("3 n");
    app.types(amount);
    app
}

#[test]
fn it_is_asked_for_when_the_typing_has_rested() {
    let mut app = App::open();
    app.keys("3 n");
    assert_eq!(app.types("100"), vec![]);
    assert_eq!(next_deadline(&app.model), Some(Duration::from_millis(300)));
    assert_eq!(app.rests(299), vec![]);
    assert_eq!(app.types("0"), vec![]);
    assert_eq!(app.rests(299), vec![]);
    let ticket = app.ticket().next();
    assert_eq!(app.rests(1), vec![Effect::Quote { ticket, amount: brl(1_000) }]);
    assert_eq!(app.rests(10_000), vec![]);
}

#[test]
fn other_amount_cancels_request_and_drops_answer() {
    let mut app = typed("1000");
    let (old, _) = app.asks_fee();
    assert_eq!(app.types("0"), vec![Effect::Cancel(old)]);
    let late = quote(brl(1_000), app.now.wall);
    app.tell(Msg::Quoted { ticket: old, result: Ok(late.clone()) });
    assert!(matches!(app.draft().quote, QuoteState::Due { .. }));
    let (ticket, _) = app.asks_fee();
    app.tell(Msg::Quoted { ticket: old, result: Ok(late.clone()) });
    assert!(matches!(app.draft().quote, QuoteState::Asking { .. }));
    // A fee quote for another amount is rejected, even with the right ticket.
    app.tell(Msg::Quoted { ticket, result: Ok(late) });
    let fault = QuoteFault::OtherAmount { amount: brl(10_000), said: Some(brl(1_000)) };
    let why = NoQuote::Fault(fault);
    assert_eq!(app.draft().quote, QuoteState::Failed { amount: brl(10_000), why });
}

#[test]
fn failed_quote_is_requested_again_by_key() {
    let mut app = typed("1000");
    assert!(!app.offers(Action::AskFee));
    let (ticket, _) = app.asks_fee();
    app.gets_no_fee(ticket);
    assert_eq!(app.rests(10_000), vec![]);
    assert!(app.offers(Action::AskFee));
    app.keys("Ctrl-R");
    let ticket = app.ticket().next();
    assert_eq!(app.rests(1), vec![Effect::Quote { ticket, amount: brl(1_000) }]);
}

#[test]
fn a_fault_leaves_nothing_to_confirm() {
    let amount = brl(10_010);
    let faults = [
        QuoteFault::Unreadable(QuoteFigure::Fee),
        QuoteFault::Unreadable(QuoteFigure::Net),
        QuoteFault::OtherAmount { amount, said: Some(brl(1)) },
        QuoteFault::OtherAmount { amount, said: None },
        QuoteFault::DoesNotAddUp { amount, fee: brl(1), net: brl(2) },
    ];
    for fault in faults {
        let mut app = App::open();
        app.types_withdrawal("10010");
        let (ticket, _) = app.asks_fee();
        let why = NoQuote::Fault(fault.clone());
        app.tell(Msg::Quoted { ticket, result: Err(why.clone()) });
        assert_eq!(app.offered()[0], Action::AskFee, "and not the key of the review");
        assert_eq!(app.keys("Ctrl-S"), vec![], "{fault:?}");
        assert_eq!(app.draft().refused, Some(Refused::QuoteBlocks { amount, why }));
    }
}

#[test]
fn leaving_the_form_cancels_it() {
    let mut app = typed("1000");
    let (ticket, _) = app.asks_fee();
    assert_eq!(app.keys("Esc Tab Enter"), vec![Effect::Cancel(ticket)]);
    assert!(app.model.layers.is_empty());
}

#[test]
fn an_emptied_amount_wants_no_quote() {
    let mut app = typed("1");
    app.keys("Backspace");
    assert_eq!(app.draft().quote, QuoteState::None);
    assert_eq!(next_deadline(&app.model), None);
}

#[test]
fn other_fields_leave_it_alone() {
    let mut app = typed("1000");
    app.is_quoted();
    let shown = app.draft().quote.clone();
    app.keys("Tab Right Tab");
    assert_eq!(app.types("ana@loja.example"), vec![]);
    assert_eq!(app.draft().quote, shown);
}

#[test]
fn a_stale_one_is_asked_again_in_the_form() {
    let mut app = typed("1000");
    app.is_quoted();
    assert_eq!(next_deadline(&app.model), Some(Duration::from_secs(1)));
    assert_eq!(app.rests(119_999), vec![]);
    let ticket = app.ticket().next();
    assert_eq!(app.rests(1), vec![Effect::Quote { ticket, amount: brl(1_000) }]);
}

#[test]
fn no_review_before_quote_and_refusal_cleared_by_it() {
    let mut app = App::open();
    app.types_withdrawal("10010");
    assert_eq!(app.keys("Ctrl-S"), vec![]);
    assert_eq!(app.draft().refused, Some(Refused::QuoteNotThere));
    app.is_quoted();
    assert_eq!(app.draft().refused, None);
}

#[test]
fn refused_token_requested_on_submit_not_while_typing() {
    let mut app = App::open();
    app.types_withdrawal("10010");
    let (ticket, amount) = app.asks_fee();
    let failure = unauthorized(CredentialKind::ApiToken);
    app.tell(Msg::Quoted { ticket, result: Err(NoQuote::Failure(failure)) });
    assert_eq!(app.draft().form.value("key"), "11144477735");
    assert!(matches!(app.model.session.api_token, Credential::Refused(_)));
    assert_eq!(app.keys("Ctrl-S"), vec![]);
    assert!(matches!(app.top(), Layer::Login(_)));
    // After the login, the typed text is still in the form, and the fee quote is requested again.
    app.logs_in_again();
    assert_eq!(app.draft().form.value("key"), "11144477735");
    let ticket = app.ticket().next();
    assert_eq!(app.rests(0), vec![Effect::Quote { ticket, amount }]);
}

#[test]
fn its_answer_is_heard_under_the_help() {
    let mut app = typed("1000");
    let (ticket, amount) = app.asks_fee();
    app.keys("F1");
    let result = Err(NoQuote::Failure(Failure::NoAnswer(NoAnswer::Cut)));
    app.tell(Msg::Quoted { ticket, result });
    app.keys("Esc");
    assert!(matches!(app.draft().quote, QuoteState::Failed { amount: a, .. } if a == amount));
}

#[test]
fn key_error_rechecked_when_kind_changes() {
    let mut app = typed("1000");
    app.keys("Tab Tab Right Shift-Tab");
    app.types("ana@loja.example");
    app.is_quoted();
    assert_eq!(app.keys("Ctrl-S"), vec![]);
    assert!(app.draft().form.field("key").unwrap().error.is_some());
    app.keys("Down Right Right Right");
    assert_eq!(app.submits().destination.unwrap().as_str(), "ana@loja.example");
}

fn refused(status: u16) -> NoQuote {
    let message = Some("valor mínimo: R$ 200,00".into());
    NoQuote::Failure(Failure::Refused(Refusal { status, message, hint: None }))
}

#[test]
fn amount_refused_by_service_opens_no_review() {
    for status in [400, 402, 422] {
        let mut app = App::open();
        app.types_withdrawal("10010");
        let (ticket, amount) = app.asks_fee();
        app.tell(Msg::Quoted { ticket, result: Err(refused(status)) });
        assert_eq!(app.offered()[0], Action::AskFee);
        assert!(!app.offers(Action::Submit));
        for keys in ["Left", "Ctrl-S"] {
            assert_eq!(app.keys(keys), vec![]);
            let page = format!("{:?}", chrome::page(&app.model, app.model.size).items);
            assert!(page.contains("valor mínimo") && page.contains("Mude o valor"), "{page}");
            assert!(!page.contains("continue"), "{page}");
            assert!(page.contains("5 Requisições: lá, Ctrl-T corrige"), "{page}");
        }
        let why = refused(status);
        assert_eq!(app.draft().refused, Some(Refused::QuoteBlocks { amount, why }));
        // After the amount is changed, the app requests a fee quote for the new amount.
        app.keys("Shift-Tab");
        app.types("0");
        app.is_quoted();
        assert_eq!(app.submits().amount, brl(100_100));
    }
}

#[test]
fn fee_that_cannot_be_fetched_is_passed_by_retyping() {
    for why in [
        refused(404),
        refused(429),
        refused(503),
        NoQuote::Failure(Failure::NoAnswer(NoAnswer::Timeout)),
    ] {
        let mut app = App::open();
        app.types_withdrawal("10010");
        let (ticket, _) = app.asks_fee();
        app.tell(Msg::Quoted { ticket, result: Err(why.clone()) });
        let page = format!("{:?}", chrome::page(&app.model, app.model.size).items);
        assert!(page.contains("Ctrl-R consulta de novo. Ou continue"), "{page}");
        assert_eq!(app.submits().quote, None, "{why:?}");
    }
}

#[test]
fn review_without_fee_requests_it_again_by_key() {
    let mut app = App::open();
    app.types_withdrawal("10010");
    let (ticket, amount) = app.asks_fee();
    app.gets_no_fee(ticket);
    let key = app.submits().key;
    app.is_reviewed(key);
    assert!(app.offers(Action::AskFee));
    assert_eq!(app.keys("Ctrl-R"), vec![]);
    let ticket = app.ticket().next();
    assert_eq!(app.rests(0), vec![Effect::Quote { ticket, amount }]);
    // The service now refuses the amount, so it cannot be confirmed.
    app.tell(Msg::Quoted { ticket, result: Err(refused(400)) });
    app.passes(500);
    assert!(!app.offers(Action::NextButton), "the only button goes back");
    app.keys("Tab");
    assert_eq!(app.review().look.buttons.focus, Focus::Back);
    app.types("10010");
    assert!(app.offers(Action::AskFee));
    app.keys("Ctrl-R");
    let ticket = app.ticket().next();
    app.rests(0);
    let shown = quote(amount, app.now.wall);
    app.tell(Msg::Quoted { ticket, result: Ok(shown.clone()) });
    assert_eq!(app.review().agreement.quote, Some(shown));
    assert!(app.review().look.retype.is_none() && !app.offers(Action::AskFee));
}
