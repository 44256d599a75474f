//! Tests of the fee quote of a withdrawal, which depends only on the amount.

use super::*;

/// Creates an app with a withdrawal form in which only this amount was typed.
fn form_with_amount(amount: &str) -> App {
    let mut app = App::logged_in();
    app.press("3 n");
    app.type_text(amount);
    app
}

#[test]
fn quote_is_requested_after_pause_in_typing() {
    let mut app = App::logged_in();
    app.press("3 n");
    assert_eq!(app.type_text("100"), vec![]);
    assert_eq!(next_deadline(&app.model), Some(Duration::from_millis(300)));
    assert_eq!(app.pulse_after_ms(299), vec![]);
    assert_eq!(app.type_text("0"), vec![]);
    assert_eq!(app.pulse_after_ms(299), vec![]);
    let ticket = app.last_ticket().next();
    assert_eq!(
        app.pulse_after_ms(1),
        vec![Effect::Quote {
            ticket,
            amount: brl(1_000),
            has_probe: true
        }]
    );
    assert_eq!(app.pulse_after_ms(10_000), vec![]);
}

#[test]
fn other_amount_cancels_request_and_drops_answer() {
    let mut app = form_with_amount("1000");
    let (old, _) = app.expect_quote_request();
    assert_eq!(app.type_text("0"), vec![Effect::Cancel(old)]);
    let late = quote(brl(1_000), app.now.wall);
    app.deliver(Msg::Quoted {
        ticket: old,
        result: Ok(late.clone()),
    });
    assert!(matches!(app.draft().quote, QuoteState::Due { .. }));
    let (ticket, _) = app.expect_quote_request();
    app.deliver(Msg::Quoted {
        ticket: old,
        result: Ok(late.clone()),
    });
    assert!(matches!(app.draft().quote, QuoteState::Asking { .. }));
    // A fee quote for another amount is rejected, even with the right ticket.
    app.deliver(Msg::Quoted {
        ticket,
        result: Ok(late),
    });
    let fault = QuoteFault::OtherAmount {
        amount: brl(10_000),
        replied_amount: Some(brl(1_000)),
    };
    let why = NoQuote::Fault(fault);
    assert_eq!(
        app.draft().quote,
        QuoteState::Failed {
            amount: brl(10_000),
            why
        }
    );
}

#[test]
fn failed_quote_is_requested_again_by_key() {
    let mut app = form_with_amount("1000");
    assert!(!app.offers(Action::AskFee));
    let (ticket, _) = app.expect_quote_request();
    app.time_out_quote(ticket);
    assert_eq!(app.pulse_after_ms(10_000), vec![]);
    assert!(app.offers(Action::AskFee));
    app.press("Ctrl-R");
    let ticket = app.last_ticket().next();
    assert_eq!(
        app.pulse_after_ms(1),
        vec![Effect::Quote {
            ticket,
            amount: brl(1_000),
            has_probe: true
        }]
    );
}

#[test]
fn faulty_quote_blocks_the_review() {
    let amount = brl(10_010);
    let faults = [
        QuoteFault::Unreadable(QuoteFigure::Fee),
        QuoteFault::Unreadable(QuoteFigure::Net),
        QuoteFault::OtherAmount {
            amount,
            replied_amount: Some(brl(1)),
        },
        QuoteFault::OtherAmount {
            amount,
            replied_amount: None,
        },
        QuoteFault::DoesNotAddUp {
            amount,
            fee: brl(1),
            net: brl(2),
        },
    ];
    for fault in faults {
        let mut app = App::logged_in();
        app.fill_withdrawal_form("10010");
        let (ticket, _) = app.expect_quote_request();
        let why = NoQuote::Fault(fault.clone());
        app.deliver(Msg::Quoted {
            ticket,
            result: Err(why.clone()),
        });
        assert_eq!(
            app.offered_actions()[0],
            Action::AskFee,
            "and not the key of the review"
        );
        assert_eq!(app.press("Ctrl-S"), vec![], "{fault:?}");
        assert_eq!(
            app.draft().refusal,
            Some(Refused::QuoteBlocks { amount, why })
        );
    }
}

#[test]
fn closing_the_form_cancels_quote_request() {
    let mut app = form_with_amount("1000");
    let (ticket, _) = app.expect_quote_request();
    assert_eq!(app.press("Esc Tab Enter"), vec![Effect::Cancel(ticket)]);
    assert!(app.model.layers.is_empty());
}

#[test]
fn empty_amount_requests_no_quote() {
    let mut app = form_with_amount("1");
    app.press("Backspace");
    assert_eq!(app.draft().quote, QuoteState::None);
    assert_eq!(next_deadline(&app.model), None);
}

#[test]
fn other_fields_keep_the_quote() {
    let mut app = form_with_amount("1000");
    app.deliver_quote();
    let quote_before = app.draft().quote.clone();
    app.press("Tab Right Tab");
    assert_eq!(app.type_text("ana@loja.example"), vec![]);
    assert_eq!(app.draft().quote, quote_before);
}

#[test]
fn stale_quote_is_requested_again_in_form() {
    let mut app = form_with_amount("1000");
    app.deliver_quote();
    assert_eq!(next_deadline(&app.model), Some(Duration::from_secs(1)));
    assert_eq!(app.pulse_after_ms(119_999), vec![]);
    let ticket = app.last_ticket().next();
    assert_eq!(
        app.pulse_after_ms(1),
        vec![Effect::Quote {
            ticket,
            amount: brl(1_000),
            has_probe: true
        }]
    );
}

#[test]
fn review_submitted_before_the_quote_opens_with_it() {
    let mut app = App::logged_in();
    app.fill_withdrawal_form("10010");
    assert_eq!(app.press("Ctrl-S"), vec![]);
    assert_eq!(app.draft().refusal, Some(Refused::QuoteNotThere));
    let (ticket, amount) = app.expect_quote_request();
    let quoted = Ok(quote(amount, app.now.wall));
    app.deliver(Msg::Quoted {
        ticket,
        result: quoted.clone(),
    });
    assert_eq!(app.review().agreement.quote, quoted.ok());
    // A form that was edited after it was submitted stays open.
    let mut app = App::logged_in();
    app.fill_withdrawal_form("10010");
    app.press("Ctrl-S Tab Tab");
    app.type_text("x");
    app.deliver_quote();
    assert_eq!(app.draft().refusal, None);
}

#[test]
fn refused_token_requested_on_submit_not_while_typing() {
    let mut app = App::logged_in();
    app.deliver_exchange(exchange(Operation::FeePreview, 200, "{}"));
    app.fill_withdrawal_form("10010");
    let (ticket, amount) = app.expect_quote_request();
    let failure = unauthorized(CredentialKind::ApiToken);
    app.deliver(Msg::Quoted {
        ticket,
        result: Err(NoQuote::Failure(failure)),
    });
    assert_eq!(app.draft().form.value("key"), "11144477735");
    assert!(matches!(
        app.model.session.api_token,
        Credential::Refused(_)
    ));
    assert_eq!(app.press("Ctrl-S"), vec![]);
    assert!(matches!(app.top(), Layer::Login(_)));
    // After the login, the typed text is still in the form, and the fee quote is requested again.
    app.log_in_again();
    assert_eq!(app.draft().form.value("key"), "11144477735");
    let ticket = app.last_ticket().next();
    assert_eq!(
        app.pulse_after_ms(0),
        vec![Effect::Quote {
            ticket,
            amount,
            has_probe: true
        }]
    );
}

#[test]
fn quote_failure_arrives_under_the_help() {
    let mut app = form_with_amount("1000");
    let (ticket, amount) = app.expect_quote_request();
    app.press("F1");
    let result = Err(NoQuote::Failure(Failure::NoAnswer(NoAnswer::Cut)));
    app.deliver(Msg::Quoted { ticket, result });
    app.press("Esc");
    assert!(matches!(app.draft().quote, QuoteState::Failed { amount: a, .. } if a == amount));
}

#[test]
fn key_error_rechecked_when_kind_changes() {
    let mut app = form_with_amount("1000");
    app.press("Tab Tab Right Shift-Tab");
    app.type_text("ana@loja.example");
    app.deliver_quote();
    assert_eq!(app.press("Ctrl-S"), vec![]);
    assert!(app.draft().form.field("key").unwrap().error.is_some());
    app.press("Down Right Right Right");
    assert_eq!(
        app.submit_form().destination.unwrap().as_str(),
        "ana@loja.example"
    );
}

fn refused_quote(status: u16) -> NoQuote {
    let message = Some("valor mínimo: R$ 200,00".into());
    NoQuote::Failure(Failure::Refused(Refusal {
        status,
        message,
        hint: None,
        retry_after: None,
    }))
}

#[test]
fn amount_refused_by_service_opens_no_review() {
    for status in [400, 402, 422] {
        let mut app = App::logged_in();
        app.fill_withdrawal_form("10010");
        let (ticket, amount) = app.expect_quote_request();
        app.deliver(Msg::Quoted {
            ticket,
            result: Err(refused_quote(status)),
        });
        assert_eq!(app.offered_actions()[0], Action::AskFee);
        assert!(!app.offers(Action::Submit));
        for keys in ["Left", "Ctrl-S"] {
            assert_eq!(app.press(keys), vec![]);
            let page = format!("{:?}", chrome::page(&app.model, app.model.size).items);
            assert!(
                page.contains("valor mínimo") && page.contains("Mude o valor"),
                "{page}"
            );
            assert!(!page.contains("continue"), "{page}");
            assert!(page.contains("5 Solicitações mostra a resposta"), "{page}");
        }
        let why = refused_quote(status);
        assert_eq!(
            app.draft().refusal,
            Some(Refused::QuoteBlocks { amount, why })
        );
        // After the amount is changed, the app requests a fee quote for the new amount.
        app.press("Shift-Tab");
        app.type_text("0");
        app.deliver_quote();
        assert_eq!(app.submit_form().amount, brl(100_100));
    }
}

#[test]
fn unavailable_fee_still_opens_the_review() {
    for why in [
        refused_quote(404),
        refused_quote(429),
        refused_quote(503),
        NoQuote::Failure(Failure::NoAnswer(NoAnswer::Timeout)),
    ] {
        let mut app = App::logged_in();
        app.fill_withdrawal_form("10010");
        let (ticket, _) = app.expect_quote_request();
        app.deliver(Msg::Quoted {
            ticket,
            result: Err(why.clone()),
        });
        let page = format!("{:?}", chrome::page(&app.model, app.model.size).items);
        assert!(
            page.contains("Ctrl-R consulta de novo. Ou continue"),
            "{page}"
        );
        assert_eq!(app.submit_form().quote, None, "{why:?}");
    }
}

#[test]
fn review_without_fee_requests_it_again_by_key() {
    let mut app = App::logged_in();
    app.fill_withdrawal_form("10010");
    let (ticket, amount) = app.expect_quote_request();
    app.time_out_quote(ticket);
    let key = app.submit_form().key;
    app.deliver_no_similar_withdrawals(key);
    assert!(app.offers(Action::AskFee));
    assert_eq!(app.press("Ctrl-R"), vec![]);
    let ticket = app.last_ticket().next();
    assert_eq!(
        app.pulse_after_ms(0),
        vec![Effect::Quote {
            ticket,
            amount,
            has_probe: true
        }]
    );
    // The service now refuses the amount, so it cannot be confirmed.
    app.deliver(Msg::Quoted {
        ticket,
        result: Err(refused_quote(400)),
    });
    app.advance_ms(500);
    assert!(!app.offers(Action::NextButton), "the only button goes back");
    app.press("Tab");
    assert_eq!(app.review().final_review.buttons.focus, Focus::Back);
    app.type_text("10010");
    assert!(app.offers(Action::AskFee));
    app.press("Ctrl-R");
    let ticket = app.last_ticket().next();
    app.pulse_after_ms(0);
    let new_quote = quote(amount, app.now.wall);
    app.deliver(Msg::Quoted {
        ticket,
        result: Ok(new_quote.clone()),
    });
    assert_eq!(app.review().agreement.quote, Some(new_quote));
    assert!(app.review().final_review.retype.is_none() && !app.offers(Action::AskFee));
}
