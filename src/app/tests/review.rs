//! Tests of the review screen, on which the seller confirms a withdrawal.

use super::*;
use crate::app::store::withdrawals::WhyRetype;

/// Presses the confirm button and returns the effects, if the button is enabled.
fn confirms(app: &mut App) -> Vec<Effect> {
    while app.review().look.buttons.focus != Focus::Confirm {
        app.keys("Tab");
    }
    app.keys("Enter")
}

impl App {
    /// Returns the reasons why the amount must be typed again, in short form, such as "open 7".
    pub(super) fn reasons(&self) -> Vec<String> {
        let why = self.review().look.retype.iter().flat_map(|retype| &retype.why);
        let number = |other: &Withdrawal| other.agreement.key.0.as_u128();
        why.map(|why| match why {
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

fn is_prepare(wanted: &[Effect]) -> bool {
    matches!(wanted, [Effect::Money(MoneyCommand::Prepare { .. })])
}

#[test]
fn a_review_shows_what_will_be_sent_byte_for_byte() {
    let mut app = App::open();
    let agreement = app.reviews("10010");
    assert_eq!(&*agreement.body, r#"{"amount":100.10,"pixKeyType":"cpf","pixKey":"11144477735"}"#);
    assert_eq!(agreement.amount, brl(10_010));
    assert_eq!(&*agreement.key_header_name, "Idempotency-Key");
    assert_eq!(agreement.account, seller());
    assert_eq!(&*agreement.url, "https://api.example/api/v1/integrations/withdrawals");
    assert_eq!(agreement.quote, Some(quote(brl(10_010), Wall(1_000_300))));
    assert_eq!(app.review().look.buttons.focus, Focus::Back);
}

#[test]
fn key_in_body_is_the_minted_one_and_is_shown() {
    for (lines, wanted) in [
        ("withdrawal.key_in_body = '/requestId'", r#""requestId":"{}"}"#),
        ("withdrawal.key_in_body = '/request'\nwithdrawal.encoding = 'form'", "&request={}"),
    ] {
        let contract = Contract::own(&[("own.toml", lines)]).unwrap();
        let mut app = App::with_contract(contract);
        app.log_in();
        let agreement = app.reviews("10010");
        let wanted = wanted.replace("{}", &agreement.key.to_string());
        assert!(agreement.body.ends_with(&wanted), "{}", agreement.body);
        let pointer = if lines.contains("form") { "/request" } else { "/requestId" };
        assert!(agreement.untyped.iter().any(|untyped| **untyped == *pointer));
    }
}

#[test]
fn the_amount_that_is_agreed_is_the_one_in_the_bytes() {
    let own = "[withdrawal]\nunit = \"centavos\"\n\
               [withdrawal.field.amount]\nrequired = false";
    let open = || {
        let mut app = App::with_contract(Contract::own(&[("own.toml", own)]).unwrap());
        app.log_in();
        app
    };
    let mut app = open();
    let agreement = app.reviews("10010");
    assert!(agreement.body.starts_with(r#"{"amount":10010,"#), "{}", agreement.body);
    assert_eq!(agreement.amount, brl(10_010));
    // A request body without an amount is refused, even if the API contract allows it.
    let mut app = open();
    app.types_withdrawal("");
    assert_eq!(app.keys("Ctrl-S"), vec![]);
    let amount = app.draft().form.field("amount").unwrap();
    assert_eq!(amount.error, Some(FieldError::Missing));
}

#[test]
fn the_first_enter_goes_back_and_keeps_the_draft() {
    let mut app = App::open();
    app.reviews("10010");
    assert_eq!(app.keys("Enter"), vec![]);
    assert_eq!(app.draft().form.value("key"), "11144477735");
    assert_eq!(app.draft().form.money(), Some(brl(10_010)));
}

#[test]
fn confirming_makes_it_durable_and_sends_nothing() {
    let mut app = App::open();
    let agreement = app.reviews("10010");
    let (agreed, retyped) = agreed(confirms(&mut app));
    assert_eq!(retyped, None);
    assert_eq!(agreed.key, agreement.key);
    assert_eq!(agreed.body, agreement.body);
    assert_eq!(agreed.agreed, app.now);
}

#[test]
fn button_disabled_until_500_ms_after_journal_reply() {
    let mut app = App::open();
    let agreement = app.drafts("10010");
    app.passes(60_000);
    assert_eq!(confirms(&mut app), vec![]);
    app.tell(Msg::Reviewed { key: key(999), past: Ok(Past::default()) });
    app.passes(1_000);
    assert_eq!(confirms(&mut app), vec![]);
    app.is_reviewed(agreement.key);
    app.passes(499);
    assert_eq!(confirms(&mut app), vec![]);
    app.passes(1);
    assert!(is_prepare(&confirms(&mut app)));
}

#[test]
fn journal_reply_accepted_under_help() {
    let mut app = App::open();
    let agreement = app.drafts("10010");
    app.keys("F1");
    app.is_reviewed(agreement.key);
    app.keys("Esc");
    app.passes(500);
    assert!(is_prepare(&confirms(&mut app)));
}

#[test]
fn letters_do_nothing_and_lead_nowhere() {
    let mut app = App::open();
    app.reviews("10010");
    let before = format!("{:?}", app.review());
    assert_eq!(app.types("123456?:qyrfXLOJngG/ "), vec![]);
    assert_eq!(format!("{:?}", app.review()), before);
    assert!(!app.model.leaving);
}

#[test]
fn every_review_gets_a_new_key() {
    let mut app = App::open();
    let first = app.reviews("10010");
    app.keys("Esc");
    let second = app.submits();
    assert_ne!(first.key, second.key);
    app.keys("Esc Shift-Tab");
    app.types("1");
    app.is_quoted();
    let third = app.submits();
    assert_eq!(third.amount, brl(100_101));
    assert!(third.key != second.key && third.key != first.key);
}

#[test]
fn stale_quote_renewed_and_new_one_is_confirmed() {
    let mut app = App::open();
    app.reviews("10010");
    app.keys("Tab");
    app.passes(120_000);
    assert_eq!(app.keys("Enter"), vec![]);
    let asked = app.rests(0);
    let [Effect::Quote { ticket, amount }] = asked[..] else { panic!("{asked:?}") };
    assert_eq!(confirms(&mut app), vec![]);
    let fresh = Quote::new(amount, Some(brl(300)), None, app.now.wall).unwrap();
    app.tell(Msg::Quoted { ticket, result: Ok(fresh.clone()) });
    assert_eq!(app.review().look.buttons.focus, Focus::Back);
    assert_eq!(confirms(&mut app), vec![]);
    app.passes(500);
    let (agreement, _) = agreed(confirms(&mut app));
    assert_eq!(agreement.quote, Some(fresh));
}

#[test]
fn inconsistent_quote_in_review_cannot_be_confirmed() {
    let mut app = App::open();
    app.reviews("10010");
    let (ticket, amount) = app.asks_fee_after(120_000);
    let fault = QuoteFault::DoesNotAddUp { amount, fee: brl(1), net: brl(2) };
    app.tell(Msg::Quoted { ticket, result: Err(NoQuote::Fault(fault)) });
    app.passes(1_000);
    app.keys("Tab");
    app.types("10010");
    assert!(!app.review().may_confirm(app.now.boot_ms, app.now.wall));
    assert_eq!(app.keys("Tab Enter"), vec![]);
}

/// Opens the review screen for R$ 100,10 after the fee quote failed.
fn reviews_without_a_quote() -> App {
    let mut app = App::open();
    app.types_withdrawal("10010");
    let (ticket, _) = app.asks_fee();
    app.gets_no_fee(ticket);
    let agreement = app.submits();
    app.is_reviewed(agreement.key);
    app
}

#[test]
fn without_a_quote_the_amount_is_typed_again() {
    let mut app = reviews_without_a_quote();
    app.passes(500);
    assert_eq!(app.review().look.retype.as_ref().unwrap().why, vec![WhyRetype::NoQuote]);
    assert_eq!(confirms(&mut app), vec![]);
    app.keys("Shift-Tab");
    assert_eq!(app.types("10011"), vec![]);
    assert_eq!(app.keys("Enter Enter"), vec![]);
    app.keys("Shift-Tab Backspace");
    app.types("0");
    // The amount was retyped only because there is no fee quote, so the journal gets no retyped
    // amount.
    let (agreement, retyped) = agreed(app.keys("Enter Enter"));
    assert_eq!(retyped, None);
    assert_eq!(agreement.quote, None);
}

#[test]
fn digit_goes_to_amount_from_any_focus() {
    let mut app = reviews_without_a_quote();
    assert_eq!(app.review().look.buttons.focus, Focus::Back);
    app.keys("1 0 0 1 0");
    let review = app.review();
    assert_eq!(review.look.buttons.focus, Focus::Amount);
    assert_eq!(review.look.retype.as_ref().unwrap().field.money(), Some(brl(10_010)));
}

#[test]
fn failed_quote_in_review_requires_retyped_amount() {
    let mut app = App::open();
    app.has_unknown(7, 500);
    app.reviews("10010");
    app.keys("Tab");
    app.types("10010");
    let (ticket, _) = app.asks_fee_after(120_000);
    app.gets_no_fee(ticket);
    app.passes(500);
    assert_eq!(confirms(&mut app), vec![]);
}

#[test]
fn retyped_amount_for_other_open_sent_to_journal() {
    let mut app = App::open();
    app.has_unknown(7, 500);
    app.reviews("10010");
    assert_eq!(app.reasons(), ["open 7"]);
    assert_eq!(confirms(&mut app), vec![]);
    app.keys("Shift-Tab");
    app.types("10010");
    let (_, retyped) = agreed(app.keys("Enter Enter"));
    assert_eq!(retyped, Some(Retyped { amount: brl(10_010), told: vec![key(7)] }));
}

#[test]
fn all_reasons_listed_and_one_typing_answers_them() {
    let mut app = App::open();
    app.has_unknown(7, 500);
    app.types_withdrawal("10010");
    let (ticket, _) = app.asks_fee();
    app.gets_no_fee(ticket);
    let agreement = app.submits();
    assert_eq!(app.reasons(), ["open 7", "no quote"]);
    let mut same = prepared(&agreement);
    same.agreement.key = key(77);
    let past = Past { similar: vec![same], used: None };
    app.tell(Msg::Reviewed { key: agreement.key, past: Ok(past) });
    app.passes(500);
    assert_eq!(app.reasons(), ["open 7", "same 77", "no quote"]);
    assert_eq!(confirms(&mut app), vec![]);
    app.keys("Shift-Tab");
    app.types("10010");
    let (_, retyped) = agreed(app.keys("Enter Enter"));
    let retyped = retyped.unwrap();
    assert_eq!(retyped.told, [key(7), key(77)]);
}

#[test]
fn new_reason_after_typing_requires_retyped_amount() {
    let mut app = App::open();
    app.has_unknown(7, 500);
    app.reviews("10010");
    app.keys("Tab");
    app.types("10010");
    // The review screen does not change if the same list of withdrawals is loaded again.
    app.has_unknown(7, 500);
    assert_eq!(app.review().look.retype.as_ref().unwrap().field.money(), Some(brl(10_010)));
    let now = app.now.clone();
    app.has_open(vec![unknown(7, 500, &now), unknown(8, 600, &now)]);
    assert_eq!(app.reasons(), ["open 7", "open 8"]);
    assert_eq!(app.review().look.buttons.focus, Focus::Back);
    app.passes(500);
    assert_eq!(confirms(&mut app), vec![]);
    // A withdrawal that is no longer open is no longer a reason to type the amount again.
    app.has_open(vec![]);
    assert_eq!(app.review().look.retype, None);
    assert_eq!(confirms(&mut app), vec![], "the screen is new again");
    app.passes(500);
    assert!(is_prepare(&confirms(&mut app)));
}

/// Creates an open withdrawal with the same amount and destination that these tests type.
fn same_open(n: u128, now: &Clocks) -> Withdrawal {
    let mut open = unknown(n, 10_010, now);
    let cpf = PixKey::parse(PixKeyKind::Cpf, "11144477735");
    open.agreement.destination = Some(cpf.unwrap());
    open.agreement.body = r#"{"amount":100.10,"pixKey":"11144477735"}"#.into();
    open
}

#[test]
fn same_payment_opened_elsewhere_returns_to_form() {
    let mut app = App::open();
    app.reviews("10010");
    app.keys("F1");
    app.has_open(vec![same_open(7, &app.now.clone())]);
    app.keys("Esc");
    let Some(Refused::LookAgain(Some(clash))) = app.draft().refused.clone() else { panic!() };
    assert_eq!((clash.kind, clash.other.agreement.key), (ClashKind::SameOpen, key(7)));
    assert_eq!(app.draft().form.value("key"), "11144477735");
    assert_eq!(app.draft().form.money(), Some(brl(10_010)));
}

#[test]
fn journal_refusal_names_other_for_the_next_review() {
    let mut app = App::open();
    let agreement = app.reviews("10010");
    app.keys("Tab Enter");
    let other = Box::new(unknown(7, 500, &app.now));
    let clash = Clash { kind: ClashKind::OtherOpen, other };
    let refused = Refused::LookAgain(Some(clash.clone()));
    app.tell(Msg::Prepared { key: agreement.key, result: Err(refused.clone()) });
    assert_eq!(app.draft().refused, Some(refused));
    assert_eq!(app.draft().form.value("key"), "11144477735");
    // The next review screen mentions the other withdrawal, even before the list is loaded again.
    app.submits();
    assert_eq!(app.reasons(), ["open 7"]);
}

#[test]
fn unreadable_journal_returns_to_form() {
    let mut app = App::open();
    let agreement = app.drafts("10010");
    let trouble = JournalTrouble::Io("gone".into());
    app.tell(Msg::Reviewed { key: agreement.key, past: Err(trouble.clone()) });
    assert_eq!(app.draft().refused, Some(Refused::Journal(trouble)));
}

#[test]
fn busy_journal_on_lookup_can_be_retried_from_form() {
    let mut app = App::open();
    let agreement = app.drafts("10010");
    let held = JournalTrouble::Busy("by a backup".into());
    let asks = |wanted: Vec<Effect>| match &wanted[..] {
        [Effect::Money(MoneyCommand::Load(ask))] => ask.ticket,
        other => panic!("{other:?}"),
    };
    let past = Err(held.clone());
    let asked = asks(app.tell(Msg::Reviewed { key: agreement.key, past }));
    // The journal is still busy. Submitting the form requests the list of withdrawals again.
    app.tell(Msg::WithdrawalsLoaded { ticket: asked, result: Err(held.clone()) });
    let asked = asks(app.keys("Ctrl-S"));
    assert_eq!(app.draft().refused, Some(Refused::Journal(held)));
    app.tell(Msg::WithdrawalsLoaded { ticket: asked, result: Ok(Snapshot::default()) });
    app.submits();
}

#[test]
fn key_shows_other_withdrawal_and_keeps_typed_form() {
    let mut app = App::open();
    app.has_open(vec![same_open(7, &app.now.clone())]);
    app.types_withdrawal("10010");
    app.is_quoted();
    app.keys("Ctrl-S Ctrl-O");
    let Layer::Withdrawal(shown) = app.top() else { panic!("{:?}", app.top()) };
    assert_eq!(shown.withdrawal.agreement.key, key(7));
    // The seller sends the other withdrawal again from its details. Once accepted, it no longer
    // blocks the new withdrawal.
    assert_eq!(app.resends(), attempt(key(7)));
    let open = same_open(7, &app.now);
    app.settles(&open, ACCEPTED);
    app.keys("Esc");
    assert_eq!(app.draft().refused, None);
    assert_eq!(app.draft().form.value("key"), "11144477735");
    // On the review screen, Ctrl-O opens the first withdrawal that the screen names.
    app.has_unknown(9, 500);
    app.rests(0);
    app.submits();
    app.keys("Tab Ctrl-O");
    assert!(matches!(app.top(), Layer::Withdrawal(it) if it.withdrawal.agreement.key == key(9)));
    app.keys("Esc");
    assert_eq!(app.reasons(), ["open 9"]);
}

#[test]
fn other_figures_when_asked_again_are_pointed_out() {
    let mut app = App::open();
    app.reviews("10010");
    assert_eq!(app.review().draft.other_quote_before(), None);
    let (ticket, amount) = app.asks_fee_after(120_000);
    let dearer = Quote::new(amount, Some(brl(300)), None, app.now.wall).unwrap();
    app.tell(Msg::Quoted { ticket, result: Ok(dearer) });
    let before = app.review().draft.other_quote_before().cloned().unwrap();
    assert_eq!(before.fee, brl(205));
    // Quotes for different amounts are not compared.
    app.keys("Esc Shift-Tab");
    app.types("1");
    app.is_quoted();
    assert_eq!(app.draft().other_quote_before(), None);
}

#[test]
fn same_amount_and_destination_refused_in_form() {
    let mut app = App::open();
    app.has_open(vec![same_open(7, &app.now.clone())]);
    app.types_withdrawal("10010");
    app.is_quoted();
    // Load the list again, because another instance of the program may have settled the withdrawal.
    assert!(matches!(app.keys("Ctrl-S")[..], [Effect::Money(MoneyCommand::Load(_))]));
    let Some(Refused::Clash(clash)) = app.draft().refused.clone() else { panic!() };
    assert_eq!((clash.kind, clash.other.agreement.key), (ClashKind::SameOpen, key(7)));
}

#[test]
fn a_mismatch_locks_the_account_and_only_that_account() {
    let mut app = App::open();
    let alarm = Alarm::Amount { sent: brl(100), got: brl(200) };
    let now = app.now.clone();
    let mut alarming = attempted(&unknown(7, 500, &now), &now, Class::Alarm(alarm));
    app.has_open(vec![alarming.clone()]);
    app.types_withdrawal("10010");
    app.is_quoted();
    // Load the list again, because another instance of the program may have settled the withdrawal.
    assert!(matches!(app.keys("Ctrl-S")[..], [Effect::Money(MoneyCommand::Load(_))]));
    let Some(Refused::Clash(clash)) = app.draft().refused.clone() else { panic!() };
    assert_eq!((clash.kind, clash.other.agreement.key), (ClashKind::Mismatch, key(7)));
    alarming.agreement.account.identity = "another".into();
    app.has_open(vec![alarming]);
    app.submits();
}

/// Opens the review screen for R$ 100,10 with this fee in its quote.
fn reviews_with_a_fee(fee: &str) -> App {
    let mut app = App::open();
    app.types_withdrawal("10010");
    let (ticket, _) = app.asks_fee();
    app.tell(Msg::Quoted { ticket, result: Ok(with_a_fee(fee, app.now.wall)) });
    let agreement = app.submits();
    app.is_reviewed(agreement.key);
    app.passes(500);
    app
}

fn with_a_fee(fee: &str, at: Wall) -> Quote {
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
        let mut app = reviews_with_a_fee(fee);
        assert_eq!(app.reasons(), reasons, "{fee}");
        if !reasons.is_empty() {
            assert_eq!(confirms(&mut app), vec![], "{fee}");
            app.keys("Shift-Tab");
            app.types("10010");
        }
        let (agreement, retyped) = agreed(confirms(&mut app));
        assert_eq!(retyped, None);
        assert_eq!(agreement.quote.as_ref().map(|quote| quote.fee), Money::parse_wire(fee));
    }
}

#[test]
fn amount_typed_before_new_fee_does_not_confirm() {
    let mut app = reviews_with_a_fee("2.005");
    app.keys("Tab");
    app.types("10010");
    let (ticket, _) = app.asks_fee_after(120_000);
    let other = with_a_fee("90.005", app.now.wall);
    app.tell(Msg::Quoted { ticket, result: Ok(other) });
    app.passes(1_000);
    assert_eq!(app.reasons(), ["finer 90.005"]);
    assert_eq!(confirms(&mut app), vec![]);
}
