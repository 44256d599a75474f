//! Tests of the review screen, on which the seller confirms a withdrawal.

use super::*;
use crate::app::store::withdrawals::WhyRetype;

/// Presses the confirm button and returns the effects, if the button is enabled.
fn press_confirm(app: &mut App) -> Vec<Effect> {
    while app.review().final_review.buttons.focus != Focus::Confirm {
        app.press("Tab");
    }
    app.press("Enter")
}

impl App {
    /// The reasons why the amount must be typed again, in short form, such as "open 7".
    pub(super) fn reasons(&self) -> Vec<String> {
        let why = self
            .review()
            .final_review
            .retype
            .iter()
            .flat_map(|retype| &retype.why);
        let number = |other: &Withdrawal| other.agreement.key.0.as_u128();
        why.map(|why| match why {
            WhyRetype::ArrivalUnknown => "not arrived".to_owned(),
            WhyRetype::NoQuote => "no quote".to_owned(),
            WhyRetype::NothingArrives { net } => format!("arrives {net}"),
            WhyRetype::FinerThanCentavos { fee, .. } => format!("finer {}", fee.wire()),
            WhyRetype::AnotherOpen(other) => format!("open {}", number(other)),
            WhyRetype::SameOpenElsewhere(other) => format!("elsewhere {}", number(other)),
            WhyRetype::SameWithinADay(other) => format!("same {}", number(other)),
        })
        .collect()
    }
}

fn is_prepare(effects: &[Effect]) -> bool {
    matches!(effects, [Effect::Money(MoneyCommand::Prepare { .. })])
}

#[test]
fn review_contains_the_exact_request_body() {
    let mut app = App::logged_in();
    let agreement = app.open_review("10010");
    assert_eq!(
        &*agreement.body,
        r#"{"amount":100.10,"pixKeyType":"cpf","pixKey":"11144477735"}"#
    );
    assert_eq!(agreement.amount, brl(10_010));
    assert_eq!(&*agreement.key_header_name, "Idempotency-Key");
    assert_eq!(agreement.account, seller());
    assert_eq!(
        &*agreement.url,
        "https://api.example/api/v1/integrations/withdrawals"
    );
    assert_eq!(agreement.quote, Some(quote(brl(10_010), Wall(1_000_300))));
    assert_eq!(app.review().final_review.buttons.focus, Focus::Back);
}

#[test]
fn key_in_body_is_the_minted_one_and_is_shown() {
    for (lines, expected) in [
        (
            "withdrawal.key_in_body = '/requestId'",
            r#""requestId":"{}"}"#,
        ),
        (
            "withdrawal.key_in_body = '/request'\nwithdrawal.encoding = 'form'",
            "&request={}",
        ),
    ] {
        let contract = Contract::from_program_files(&[("own.toml", lines)]).unwrap();
        let mut app = App::with_contract(contract);
        app.log_in();
        let agreement = app.open_review("10010");
        let expected = expected.replace("{}", &agreement.key.to_string());
        assert!(agreement.body.ends_with(&expected), "{}", agreement.body);
        let pointer = if lines.contains("form") {
            "/request"
        } else {
            "/requestId"
        };
        assert!(
            agreement
                .untyped
                .iter()
                .any(|untyped| **untyped == *pointer)
        );
    }
}

#[test]
fn agreed_amount_equals_amount_in_body() {
    let contract_text = "[withdrawal]\nunit = \"centavos\"\n\
               [withdrawal.field.amount]\nrequired = false";
    let open_app = || {
        let mut app = App::with_contract(
            Contract::from_program_files(&[("own.toml", contract_text)]).unwrap(),
        );
        app.log_in();
        app
    };
    let mut app = open_app();
    let agreement = app.open_review("10010");
    assert!(
        agreement.body.starts_with(r#"{"amount":10010,"#),
        "{}",
        agreement.body
    );
    assert_eq!(agreement.amount, brl(10_010));
    // A request body without an amount is refused, even if the API contract allows it.
    let mut app = open_app();
    app.fill_withdrawal_form("");
    assert_eq!(app.press("Ctrl-S"), vec![]);
    let amount = app.draft().form.field("amount").unwrap();
    assert_eq!(amount.error, Some(FieldError::Missing));
}

#[test]
fn the_first_enter_goes_back_and_keeps_the_draft() {
    let mut app = App::logged_in();
    app.open_review("10010");
    assert_eq!(app.press("Enter"), vec![]);
    assert_eq!(app.draft().form.value("key"), "11144477735");
    assert_eq!(app.draft().form.money(), Some(brl(10_010)));
}

#[test]
fn confirming_stores_withdrawal_without_sending() {
    let mut app = App::logged_in();
    let agreement = app.open_review("10010");
    let (agreed, retyped) = expect_prepare(press_confirm(&mut app));
    assert_eq!(retyped, None);
    assert_eq!(agreed.key, agreement.key);
    assert_eq!(agreed.body, agreement.body);
    assert_eq!(agreed.agreed, app.now);
}

#[test]
fn button_disabled_until_500_ms_after_journal_reply() {
    let mut app = App::logged_in();
    let agreement = app.open_unanswered_review("10010");
    app.advance_ms(60_000);
    assert_eq!(press_confirm(&mut app), vec![]);
    app.deliver(Msg::Reviewed {
        key: key(999),
        past: Ok(PastPayments::default()),
    });
    app.advance_ms(1_000);
    assert_eq!(press_confirm(&mut app), vec![]);
    app.deliver_no_similar_withdrawals(agreement.key);
    app.advance_ms(499);
    assert_eq!(press_confirm(&mut app), vec![]);
    app.advance_ms(1);
    assert!(is_prepare(&press_confirm(&mut app)));
}

#[test]
fn journal_reply_accepted_under_help() {
    let mut app = App::logged_in();
    let agreement = app.open_unanswered_review("10010");
    app.press("F1");
    app.deliver_no_similar_withdrawals(agreement.key);
    app.press("Esc");
    app.advance_ms(500);
    assert!(is_prepare(&press_confirm(&mut app)));
}

#[test]
fn letters_do_nothing_in_the_review() {
    let mut app = App::logged_in();
    app.open_review("10010");
    let before = format!("{:?}", app.review());
    assert_eq!(app.type_text("123456?:qyrfXLOJngG/ "), vec![]);
    assert_eq!(format!("{:?}", app.review()), before);
    assert!(!app.model.leaving);
}

#[test]
fn every_review_gets_a_new_key() {
    let mut app = App::logged_in();
    let first = app.open_review("10010");
    app.press("Esc");
    let second = app.submit_form();
    assert_ne!(first.key, second.key);
    app.press("Esc Shift-Tab");
    app.type_text("1");
    app.deliver_quote();
    let third = app.submit_form();
    assert_eq!(third.amount, brl(100_101));
    assert!(third.key != second.key && third.key != first.key);
}

#[test]
fn stale_quote_renewed_and_new_one_is_confirmed() {
    let mut app = App::logged_in();
    app.open_review("10010");
    app.press("Tab");
    app.advance_ms(120_000);
    assert_eq!(app.press("Enter"), vec![]);
    let effects = app.pulse_after_ms(0);
    let [Effect::Quote { ticket, amount, .. }] = effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!(press_confirm(&mut app), vec![]);
    let fresh = Quote::new(amount, Some(brl(300)), None, app.now.wall).unwrap();
    app.deliver(Msg::Quoted {
        ticket,
        result: Ok(fresh.clone()),
    });
    assert_eq!(app.review().final_review.buttons.focus, Focus::Back);
    assert_eq!(press_confirm(&mut app), vec![]);
    app.advance_ms(500);
    let (agreement, _) = expect_prepare(press_confirm(&mut app));
    assert_eq!(agreement.quote, Some(fresh));
}

#[test]
fn inconsistent_quote_in_review_cannot_be_confirmed() {
    let mut app = App::logged_in();
    app.open_review("10010");
    let (ticket, amount) = app.expect_quote_request_after(120_000);
    let fault = QuoteFault::DoesNotAddUp {
        amount,
        fee: brl(1),
        net: brl(2),
    };
    app.deliver(Msg::Quoted {
        ticket,
        result: Err(NoQuote::Fault(fault)),
    });
    app.advance_ms(1_000);
    app.press("Tab");
    app.type_text("10010");
    assert!(!app.review().may_confirm(app.now.boot_ms, app.now.wall));
    assert_eq!(app.press("Tab Enter"), vec![]);
}

/// Opens the review screen for R$ 100,10 after the fee quote failed.
fn app_reviewing_without_quote() -> App {
    let mut app = App::logged_in();
    app.fill_withdrawal_form("10010");
    let (ticket, _) = app.expect_quote_request();
    app.time_out_quote(ticket);
    let agreement = app.submit_form();
    app.deliver_no_similar_withdrawals(agreement.key);
    app
}

#[test]
fn without_a_quote_the_amount_is_typed_again() {
    let mut app = app_reviewing_without_quote();
    app.advance_ms(500);
    assert_eq!(
        app.review().final_review.retype.as_ref().unwrap().why,
        vec![WhyRetype::NoQuote]
    );
    assert_eq!(press_confirm(&mut app), vec![]);
    app.press("Shift-Tab");
    assert_eq!(app.type_text("10011"), vec![]);
    assert_eq!(app.confirm_after_typing(), vec![]);
    app.press("Shift-Tab Backspace");
    app.type_text("0");
    // The amount was retyped only because there is no fee quote. The journal does not check that
    // reason, so it gets no retyped amount.
    let (agreement, retyped) = expect_prepare(app.confirm_after_typing());
    assert_eq!(retyped, None);
    assert_eq!(agreement.quote, None);
}

#[test]
fn digit_goes_to_amount_from_any_focus() {
    let mut app = app_reviewing_without_quote();
    assert_eq!(app.review().final_review.buttons.focus, Focus::Back);
    app.press("1 0 0 1 0");
    let review = app.review();
    assert_eq!(review.final_review.buttons.focus, Focus::Amount);
    assert_eq!(
        review.final_review.retype.as_ref().unwrap().field.money(),
        Some(brl(10_010))
    );
}

#[test]
fn failed_quote_in_review_requires_retyped_amount() {
    let mut app = App::logged_in();
    app.load_unknown_withdrawal(7, 500);
    app.open_review("10010");
    app.press("Tab");
    app.type_text("10010");
    let (ticket, _) = app.expect_quote_request_after(120_000);
    app.time_out_quote(ticket);
    app.advance_ms(500);
    assert_eq!(press_confirm(&mut app), vec![]);
}

#[test]
fn retyped_amount_for_other_open_sent_to_journal() {
    let mut app = App::logged_in();
    app.load_unknown_withdrawal(7, 500);
    app.open_review("10010");
    assert_eq!(app.reasons(), ["open 7"]);
    assert_eq!(press_confirm(&mut app), vec![]);
    app.press("Shift-Tab");
    app.type_text("10010");
    let (_, retyped) = expect_prepare(app.confirm_after_typing());
    assert_eq!(
        retyped,
        Some(Retyped {
            amount: brl(10_010),
            shown_keys: vec![key(7)]
        })
    );
}

#[test]
fn all_reasons_listed_and_one_typing_answers_them() {
    let mut app = App::logged_in();
    app.load_unknown_withdrawal(7, 500);
    app.fill_withdrawal_form("10010");
    let (ticket, _) = app.expect_quote_request();
    app.time_out_quote(ticket);
    let agreement = app.submit_form();
    assert_eq!(app.reasons(), ["open 7", "no quote"]);
    let mut same = prepared_withdrawal(&agreement);
    same.agreement.key = key(77);
    let past = PastPayments {
        similar: vec![same],
        known_destination: None,
    };
    app.deliver(Msg::Reviewed {
        key: agreement.key,
        past: Ok(past),
    });
    app.advance_ms(500);
    assert_eq!(app.reasons(), ["open 7", "same 77", "no quote"]);
    assert_eq!(press_confirm(&mut app), vec![]);
    app.press("Shift-Tab");
    app.type_text("10010");
    let (_, retyped) = expect_prepare(app.confirm_after_typing());
    let retyped = retyped.unwrap();
    assert_eq!(retyped.shown_keys, [key(7), key(77)]);
}

#[test]
fn new_reason_after_typing_requires_retyped_amount() {
    let mut app = App::logged_in();
    app.load_unknown_withdrawal(7, 500);
    app.open_review("10010");
    app.press("Tab");
    app.type_text("10010");
    // The review screen does not change if the same list of withdrawals is loaded again.
    app.load_unknown_withdrawal(7, 500);
    assert_eq!(
        app.review()
            .final_review
            .retype
            .as_ref()
            .unwrap()
            .field
            .money(),
        Some(brl(10_010))
    );
    let now = app.now.clone();
    app.load_open_withdrawals(vec![
        unknown_withdrawal(7, 500, &now),
        unknown_withdrawal(8, 600, &now),
    ]);
    assert_eq!(app.reasons(), ["open 7", "open 8"]);
    assert_eq!(app.review().final_review.buttons.focus, Focus::Back);
    app.advance_ms(500);
    assert_eq!(press_confirm(&mut app), vec![]);
    // A withdrawal that is no longer open is no longer a reason to type the amount again.
    app.load_open_withdrawals(vec![]);
    assert_eq!(app.review().final_review.retype, None);
    assert_eq!(press_confirm(&mut app), vec![], "the screen is new again");
    app.advance_ms(QUIET_MS);
    assert!(is_prepare(&press_confirm(&mut app)));
}

/// Creates an open withdrawal with the same amount and destination that these tests type.
fn same_open_withdrawal(n: u128, now: &Clocks) -> Withdrawal {
    let mut open = unknown_withdrawal(n, 10_010, now);
    let cpf = PixKey::parse(PixKeyKind::Cpf, "11144477735");
    open.agreement.destination = Some(cpf.unwrap());
    open.agreement.body = r#"{"amount":100.10,"pixKey":"11144477735"}"#.into();
    open
}

#[test]
fn same_payment_opened_elsewhere_returns_to_form() {
    let mut app = App::logged_in();
    app.open_review("10010");
    app.press("F1");
    app.load_open_withdrawals(vec![same_open_withdrawal(7, &app.now.clone())]);
    app.press("Esc");
    let Some(Refused::ReviewAgain(Some(clash))) = app.draft().refusal.clone() else {
        panic!()
    };
    assert_eq!(
        (clash.kind, clash.other.agreement.key),
        (ClashKind::SameOpen, key(7))
    );
    assert_eq!(app.draft().form.value("key"), "11144477735");
    assert_eq!(app.draft().form.money(), Some(brl(10_010)));
}

#[test]
fn journal_refusal_names_other_for_the_next_review() {
    let mut app = App::logged_in();
    let agreement = app.open_review("10010");
    app.press("Tab Enter");
    let other = Box::new(unknown_withdrawal(7, 500, &app.now));
    let clash = Clash {
        kind: ClashKind::OtherOpen,
        other,
    };
    let result = Err(Blocker::Clash(clash.clone()).into());
    app.deliver(Msg::Prepared {
        key: agreement.key,
        result,
    });
    assert_eq!(app.draft().refusal, Some(Refused::ReviewAgain(Some(clash))));
    assert_eq!(app.draft().form.value("key"), "11144477735");
    // The next review screen mentions the other withdrawal, even before the list is loaded again.
    app.submit_form();
    assert_eq!(app.reasons(), ["open 7"]);
}

#[test]
fn unreadable_journal_returns_to_form() {
    let mut app = App::logged_in();
    let agreement = app.open_unanswered_review("10010");
    let trouble = JournalTrouble::Io("gone".into());
    app.deliver(Msg::Reviewed {
        key: agreement.key,
        past: Err(trouble.clone()),
    });
    assert_eq!(app.draft().refusal, Some(Refused::Journal(trouble)));
}

#[test]
fn busy_journal_on_lookup_can_be_retried_from_form() {
    let mut app = App::logged_in();
    let agreement = app.open_unanswered_review("10010");
    let busy = JournalTrouble::Busy("by a backup".into());
    let list_ticket = |effects: Vec<Effect>| match &effects[..] {
        [Effect::Money(MoneyCommand::Load(request))] => request.ticket,
        other => panic!("{other:?}"),
    };
    let past = Err(busy.clone());
    let ticket = list_ticket(app.deliver(Msg::Reviewed {
        key: agreement.key,
        past,
    }));
    // The journal is still busy. Submitting the form requests the list of withdrawals again.
    app.deliver(Msg::WithdrawalsLoaded {
        ticket,
        result: Err(busy.clone()),
    });
    let ticket = list_ticket(app.press("Ctrl-S"));
    assert_eq!(app.draft().refusal, Some(Refused::Journal(busy)));
    app.deliver(Msg::WithdrawalsLoaded {
        ticket,
        result: Ok(Snapshot::default()),
    });
    app.submit_form();
}

#[test]
fn key_shows_other_withdrawal_and_keeps_typed_form() {
    let mut app = App::logged_in();
    app.prove_unit();
    app.load_open_withdrawals(vec![same_open_withdrawal(7, &app.now.clone())]);
    app.fill_withdrawal_form("10010");
    app.deliver_quote();
    app.press("Ctrl-S Ctrl-O");
    let Layer::Withdrawal(details) = app.top() else {
        panic!("{:?}", app.top())
    };
    assert_eq!(details.withdrawal.agreement.key, key(7));
    // The seller sends the other withdrawal again from its details. Once accepted, it no longer
    // blocks the new withdrawal.
    assert_eq!(app.resend(), attempt_effects(key(7)));
    let open = same_open_withdrawal(7, &app.now);
    app.settle(&open, ACCEPTED);
    app.press("Esc");
    assert_eq!(app.draft().refusal, None);
    assert_eq!(app.draft().form.value("key"), "11144477735");
    // On the review screen, Ctrl-O opens the first withdrawal that the screen names.
    app.load_unknown_withdrawal(9, 500);
    app.pulse_after_ms(0);
    app.submit_form();
    app.press("Tab Ctrl-O");
    assert!(matches!(app.top(), Layer::Withdrawal(it) if it.withdrawal.agreement.key == key(9)));
    app.press("Esc");
    assert_eq!(app.reasons(), ["open 9"]);
}

#[test]
fn changed_quote_is_compared_with_previous() {
    let mut app = App::logged_in();
    app.open_review("10010");
    assert_eq!(app.review().draft.first_quote_if_changed(), None);
    let (ticket, amount) = app.expect_quote_request_after(120_000);
    let higher_quote = Quote::new(amount, Some(brl(300)), None, app.now.wall).unwrap();
    app.deliver(Msg::Quoted {
        ticket,
        result: Ok(higher_quote),
    });
    let before = app
        .review()
        .draft
        .first_quote_if_changed()
        .cloned()
        .unwrap();
    assert_eq!(before.fee, brl(205));
    // Quotes for different amounts are not compared.
    app.press("Esc Shift-Tab");
    app.type_text("1");
    app.deliver_quote();
    assert_eq!(app.draft().first_quote_if_changed(), None);
}

#[test]
fn same_amount_and_destination_refused_in_form() {
    let mut app = App::logged_in();
    app.load_open_withdrawals(vec![same_open_withdrawal(7, &app.now.clone())]);
    app.fill_withdrawal_form("10010");
    app.deliver_quote();
    // Load the list again, because another instance of the program may have settled the withdrawal.
    assert!(matches!(
        app.press("Ctrl-S")[..],
        [Effect::Money(MoneyCommand::Load(_))]
    ));
    let Some(Refused::Blocked(Blocker::Clash(clash))) = app.draft().refusal.clone() else {
        panic!()
    };
    assert_eq!(
        (clash.kind, clash.other.agreement.key),
        (ClashKind::SameOpen, key(7))
    );
}

#[test]
fn a_mismatch_locks_the_account_and_only_that_account() {
    let mut app = App::logged_in();
    let alarm = Alarm::Amount {
        sent: brl(100),
        got: brl(200),
    };
    let now = app.now.clone();
    let mut alarming = with_attempt(&unknown_withdrawal(7, 500, &now), &now, Class::Alarm(alarm));
    app.fill_withdrawal_form("10010");
    app.deliver_quote();
    app.load_open_withdrawals(vec![alarming.clone()]);
    // Load the list again, because another instance of the program may have settled the withdrawal.
    assert!(matches!(
        app.press("Ctrl-S")[..],
        [Effect::Money(MoneyCommand::Load(_))]
    ));
    let Some(Refused::Blocked(Blocker::Clash(clash))) = app.draft().refusal.clone() else {
        panic!()
    };
    assert_eq!(
        (clash.kind, clash.other.agreement.key),
        (ClashKind::Mismatch, key(7))
    );
    alarming.agreement.account.identity = "another".into();
    app.load_open_withdrawals(vec![alarming]);
    app.submit_form();
}

/// Opens the review screen for R$ 100,10 with this fee in its quote.
fn app_reviewing_with_fee(fee: &str) -> App {
    let mut app = App::logged_in();
    app.fill_withdrawal_form("10010");
    let (ticket, _) = app.expect_quote_request();
    app.deliver(Msg::Quoted {
        ticket,
        result: Ok(quote_with_fee(fee, app.now.wall)),
    });
    let agreement = app.submit_form();
    app.deliver_no_similar_withdrawals(agreement.key);
    app.advance_ms(500);
    app
}

fn quote_with_fee(fee: &str, at: Wall) -> Quote {
    Quote::new(brl(10_010), Money::parse_wire(fee), None, at).unwrap()
}

#[test]
fn zero_net_or_sub_centavo_fee_needs_retyped_amount() {
    for (fee, reasons) in [
        ("100.10", vec!["arrives R$ 0,00"]),
        ("2.005", vec!["finer 2.005"]),
        ("2.0500", vec![]),
        ("0", vec![]),
    ] {
        let mut app = app_reviewing_with_fee(fee);
        assert_eq!(app.reasons(), reasons, "{fee}");
        if !reasons.is_empty() {
            assert_eq!(press_confirm(&mut app), vec![], "{fee}");
            app.press("Shift-Tab");
            app.type_text("10010");
            app.advance_ms(QUIET_MS);
        }
        let (agreement, retyped) = expect_prepare(press_confirm(&mut app));
        assert_eq!(retyped, None);
        assert_eq!(
            agreement.quote.as_ref().map(|quote| quote.fee),
            Money::parse_wire(fee)
        );
    }
}

#[test]
fn amount_typed_before_new_fee_does_not_confirm() {
    let mut app = app_reviewing_with_fee("2.005");
    app.press("Tab");
    app.type_text("10010");
    let (ticket, _) = app.expect_quote_request_after(120_000);
    let other = quote_with_fee("90.005", app.now.wall);
    app.deliver(Msg::Quoted {
        ticket,
        result: Ok(other),
    });
    app.advance_ms(1_000);
    assert_eq!(app.reasons(), ["finer 90.005"]);
    assert_eq!(press_confirm(&mut app), vec![]);
}

#[test]
fn second_review_of_a_message_gets_no_key() {
    let mut app = App::logged_in();
    app.fill_withdrawal_form("10000");
    app.deliver_quote();
    let form = app.top().clone();
    let key = app.submit_form().key;
    app.model.layers.push(form);
    let stamp = Stamp {
        fresh_key: key,
        ..app.stamp()
    };
    router::press(&mut app.model, Action::Submit, &stamp);
    assert!(
        matches!(app.top(), Layer::Withdraw(Flow::Form(_))),
        "{:?}",
        app.top()
    );
    // The next message has a new key.
    assert_ne!(app.submit_form().key, key);
}
