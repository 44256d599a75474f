//! Tests of the review, the screen on which the seller confirms a withdrawal.

use super::*;
use crate::app::store::withdrawals::WhyRetype;

/// Presses the confirming button, and returns the effects. There are no effects if the button is
/// disabled.
fn confirms(counter: &mut Counter) -> Vec<Effect> {
    while counter.review().look.buttons.focus != Focus::Confirm {
        counter.keys("Tab");
    }
    counter.keys("Enter")
}

impl Counter {
    /// Returns the reasons why the amount must be typed again, each in a few words.
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
    let mut counter = Counter::open();
    let agreement = counter.reviews("10010");
    assert_eq!(&*agreement.body, r#"{"amount":100.10,"pixKeyType":"cpf","pixKey":"11144477735"}"#);
    assert_eq!(agreement.amount, brl(10_010));
    assert_eq!(&*agreement.key_header_name, "Idempotency-Key");
    assert_eq!(agreement.account, seller());
    assert_eq!(&*agreement.url, "https://api.example/api/v1/integrations/withdrawals");
    assert_eq!(agreement.quote, Some(quote(brl(10_010), Wall(1_000_300))));
    assert_eq!(counter.review().look.buttons.focus, Focus::Back);
}

#[test]
fn key_in_body_is_the_minted_one_and_is_shown() {
    for (lines, wanted) in [
        ("withdrawal.key_in_body = '/requestId'", r#""requestId":"{}"}"#),
        ("withdrawal.key_in_body = '/request'\nwithdrawal.encoding = 'form'", "&request={}"),
    ] {
        let contract = Contract::own(&[("own.toml", lines)]).unwrap();
        let mut counter = Counter::with_contract(contract);
        counter.log_in();
        let agreement = counter.reviews("10010");
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
        let mut counter = Counter::with_contract(Contract::own(&[("own.toml", own)]).unwrap());
        counter.log_in();
        counter
    };
    let mut counter = open();
    let agreement = counter.reviews("10010");
    assert!(agreement.body.starts_with(r#"{"amount":10010,"#), "{}", agreement.body);
    assert_eq!(agreement.amount, brl(10_010));
    // A request body without an amount is refused, even if the contract allows it.
    let mut counter = open();
    counter.types_withdrawal("");
    assert_eq!(counter.keys("Ctrl-S"), vec![]);
    let amount = counter.draft().form.field("amount").unwrap();
    assert_eq!(amount.error, Some(FieldError::Missing));
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
    let (agreed, retyped) = agreed(confirms(&mut counter));
    assert_eq!(retyped, None);
    assert_eq!(agreed.key, agreement.key);
    assert_eq!(agreed.body, agreement.body);
    assert_eq!(agreed.agreed, counter.now);
}

#[test]
fn button_disabled_until_500_ms_after_journal_reply() {
    let mut counter = Counter::open();
    let agreement = counter.drafts("10010");
    counter.passes(60_000);
    assert_eq!(confirms(&mut counter), vec![]);
    counter.tell(Msg::Reviewed { key: key(999), past: Ok(Past::default()) });
    counter.passes(1_000);
    assert_eq!(confirms(&mut counter), vec![]);
    counter.is_reviewed(agreement.key);
    counter.passes(499);
    assert_eq!(confirms(&mut counter), vec![]);
    counter.passes(1);
    assert!(is_prepare(&confirms(&mut counter)));
}

#[test]
fn journal_reply_accepted_under_help() {
    let mut counter = Counter::open();
    let agreement = counter.drafts("10010");
    counter.keys("F1");
    counter.is_reviewed(agreement.key);
    counter.keys("Esc");
    counter.passes(500);
    assert!(is_prepare(&confirms(&mut counter)));
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
fn every_review_gets_a_new_key() {
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
fn stale_quote_renewed_and_new_one_is_confirmed() {
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
    assert_eq!(counter.review().look.buttons.focus, Focus::Back);
    assert_eq!(confirms(&mut counter), vec![]);
    counter.passes(500);
    let (agreement, _) = agreed(confirms(&mut counter));
    assert_eq!(agreement.quote, Some(fresh));
}

#[test]
fn inconsistent_quote_in_review_cannot_be_confirmed() {
    let mut counter = Counter::open();
    counter.reviews("10010");
    let (ticket, amount) = counter.asks_fee_after(120_000);
    let fault = QuoteFault::DoesNotAddUp { amount, fee: brl(1), net: brl(2) };
    counter.tell(Msg::Quoted { ticket, result: Err(NoQuote::Fault(fault)) });
    counter.passes(1_000);
    counter.keys("Tab");
    counter.types("10010");
    assert_eq!(confirms(&mut counter), vec![]);
}

/// Opens a review of R$ 100,10 whose fee quote failed.
fn reviews_without_a_quote() -> Counter {
    let mut counter = Counter::open();
    counter.types_withdrawal("10010");
    let (ticket, _) = counter.asks_fee();
    counter.gets_no_fee(ticket);
    let agreement = counter.submits();
    counter.is_reviewed(agreement.key);
    counter
}

#[test]
fn without_a_quote_the_amount_is_typed_again() {
    let mut counter = reviews_without_a_quote();
    counter.passes(500);
    assert_eq!(counter.review().look.retype.as_ref().unwrap().why, vec![WhyRetype::NoQuote]);
    assert_eq!(confirms(&mut counter), vec![]);
    counter.keys("Shift-Tab");
    assert_eq!(counter.types("10011"), vec![]);
    assert_eq!(counter.keys("Enter Enter"), vec![]);
    counter.keys("Shift-Tab Backspace");
    counter.types("0");
    // The amount was typed again because of the missing fee quote, not because of another
    // withdrawal, so the journal receives no retyped amount.
    let (agreement, retyped) = agreed(counter.keys("Enter Enter"));
    assert_eq!(retyped, None);
    assert_eq!(agreement.quote, None);
}

#[test]
fn digit_goes_to_amount_from_any_focus() {
    let mut counter = reviews_without_a_quote();
    assert_eq!(counter.review().look.buttons.focus, Focus::Back);
    counter.keys("1 0 0 1 0");
    let review = counter.review();
    assert_eq!(review.look.buttons.focus, Focus::Amount);
    assert_eq!(review.look.retype.as_ref().unwrap().field.money(), Some(brl(10_010)));
}

#[test]
fn failed_quote_in_review_requires_retyped_amount() {
    let mut counter = Counter::open();
    counter.has_unknown(7, 500);
    counter.reviews("10010");
    counter.keys("Tab");
    counter.types("10010");
    let (ticket, _) = counter.asks_fee_after(120_000);
    counter.gets_no_fee(ticket);
    counter.passes(500);
    assert_eq!(confirms(&mut counter), vec![]);
}

#[test]
fn retyped_amount_for_other_open_sent_to_journal() {
    let mut counter = Counter::open();
    counter.has_unknown(7, 500);
    counter.reviews("10010");
    assert_eq!(counter.reasons(), ["open 7"]);
    assert_eq!(confirms(&mut counter), vec![]);
    counter.keys("Shift-Tab");
    counter.types("10010");
    let (_, retyped) = agreed(counter.keys("Enter Enter"));
    assert_eq!(retyped, Some(Retyped { amount: brl(10_010), told: vec![key(7)] }));
}

#[test]
fn all_reasons_listed_and_one_typing_answers_them() {
    let mut counter = Counter::open();
    counter.has_unknown(7, 500);
    counter.types_withdrawal("10010");
    let (ticket, _) = counter.asks_fee();
    counter.gets_no_fee(ticket);
    let agreement = counter.submits();
    assert_eq!(counter.reasons(), ["open 7", "no quote"]);
    let mut same = prepared(&agreement);
    same.agreement.key = key(77);
    let past = Past { similar: vec![same], used: None };
    counter.tell(Msg::Reviewed { key: agreement.key, past: Ok(past) });
    counter.passes(500);
    assert_eq!(counter.reasons(), ["open 7", "same 77", "no quote"]);
    assert_eq!(confirms(&mut counter), vec![]);
    counter.keys("Shift-Tab");
    counter.types("10010");
    let (_, retyped) = agreed(counter.keys("Enter Enter"));
    let retyped = retyped.unwrap();
    assert_eq!(retyped.told, [key(7), key(77)]);
}

#[test]
fn new_reason_after_typing_requires_retyped_amount() {
    let mut counter = Counter::open();
    counter.has_unknown(7, 500);
    counter.reviews("10010");
    counter.keys("Tab");
    counter.types("10010");
    // Loading the same list again changes nothing in the review.
    counter.has_unknown(7, 500);
    assert_eq!(counter.review().look.retype.as_ref().unwrap().field.money(), Some(brl(10_010)));
    let now = counter.now.clone();
    counter.has_open(vec![unknown(7, 500, &now), unknown(8, 600, &now)]);
    assert_eq!(counter.reasons(), ["open 7", "open 8"]);
    assert_eq!(counter.review().look.buttons.focus, Focus::Back);
    counter.passes(500);
    assert_eq!(confirms(&mut counter), vec![]);
    // A withdrawal that is no longer open is not named as a reason.
    counter.has_open(vec![]);
    assert_eq!(counter.review().look.retype, None);
    assert_eq!(confirms(&mut counter), vec![], "the screen is new again");
    counter.passes(500);
    assert!(is_prepare(&confirms(&mut counter)));
}

/// Creates an open withdrawal with the same amount and destination as these tests type.
fn same_open(n: u128, now: &Clocks) -> Withdrawal {
    let mut open = unknown(n, 10_010, now);
    let cpf = PixKey::parse(PixKeyKind::Cpf, "11144477735");
    open.agreement.destination = Some(cpf.unwrap());
    open.agreement.body = r#"{"amount":100.10,"pixKey":"11144477735"}"#.into();
    open
}

#[test]
fn same_payment_opened_elsewhere_returns_to_form() {
    let mut counter = Counter::open();
    counter.reviews("10010");
    counter.keys("F1");
    counter.has_open(vec![same_open(7, &counter.now.clone())]);
    counter.keys("Esc");
    let Some(Refused::LookAgain(Some(clash))) = counter.draft().refused.clone() else { panic!() };
    assert_eq!((clash.kind, clash.other.agreement.key), (ClashKind::SameOpen, key(7)));
    assert_eq!(counter.draft().form.value("key"), "11144477735");
    assert_eq!(counter.draft().form.money(), Some(brl(10_010)));
}

#[test]
fn journal_refusal_names_other_for_the_next_review() {
    let mut counter = Counter::open();
    let agreement = counter.reviews("10010");
    counter.keys("Tab Enter");
    let other = Box::new(unknown(7, 500, &counter.now));
    let clash = Clash { kind: ClashKind::OtherOpen, other };
    let refused = Refused::LookAgain(Some(clash.clone()));
    counter.tell(Msg::Prepared { key: agreement.key, result: Err(refused.clone()) });
    assert_eq!(counter.draft().refused, Some(refused));
    assert_eq!(counter.draft().form.value("key"), "11144477735");
    // The next review names the other withdrawal before the list is loaded again.
    counter.submits();
    assert_eq!(counter.reasons(), ["open 7"]);
}

#[test]
fn unreadable_journal_returns_to_form() {
    let mut counter = Counter::open();
    let agreement = counter.drafts("10010");
    let trouble = JournalTrouble::Io("gone".into());
    counter.tell(Msg::Reviewed { key: agreement.key, past: Err(trouble.clone()) });
    assert_eq!(counter.draft().refused, Some(Refused::Journal(trouble)));
}

#[test]
fn busy_journal_on_lookup_can_be_retried_from_form() {
    let mut counter = Counter::open();
    let agreement = counter.drafts("10010");
    let held = JournalTrouble::Busy("by a backup".into());
    let asks = |wanted: Vec<Effect>| match &wanted[..] {
        [Effect::Money(MoneyCommand::Load(ask))] => ask.ticket,
        other => panic!("{other:?}"),
    };
    let past = Err(held.clone());
    let asked = asks(counter.tell(Msg::Reviewed { key: agreement.key, past }));
    // The journal is still busy. Submitting the form requests the list again.
    counter.tell(Msg::WithdrawalsLoaded { ticket: asked, result: Err(held.clone()) });
    let asked = asks(counter.keys("Ctrl-S"));
    assert_eq!(counter.draft().refused, Some(Refused::Journal(held)));
    counter.tell(Msg::WithdrawalsLoaded { ticket: asked, result: Ok(Snapshot::default()) });
    counter.submits();
}

#[test]
fn key_shows_other_withdrawal_and_keeps_typed_form() {
    let mut counter = Counter::open();
    counter.has_open(vec![same_open(7, &counter.now.clone())]);
    counter.types_withdrawal("10010");
    counter.is_quoted();
    counter.keys("Ctrl-S Ctrl-O");
    let Layer::Withdrawal(shown) = counter.top() else { panic!("{:?}", counter.top()) };
    assert_eq!(shown.withdrawal.agreement.key, key(7));
    // The seller sends the other withdrawal again from its details. The service accepts it, so it
    // no longer blocks the new withdrawal.
    assert_eq!(counter.resends(), attempt(key(7)));
    let open = same_open(7, &counter.now);
    counter.settles(&open, ACCEPTED);
    counter.keys("Esc");
    assert_eq!(counter.draft().refused, None);
    assert_eq!(counter.draft().form.value("key"), "11144477735");
    // In a review, the key shows the withdrawal that the review names first.
    counter.has_unknown(9, 500);
    counter.rests(0);
    counter.submits();
    counter.keys("Tab Ctrl-O");
    assert!(
        matches!(counter.top(), Layer::Withdrawal(it) if it.withdrawal.agreement.key == key(9))
    );
    counter.keys("Esc");
    assert_eq!(counter.reasons(), ["open 9"]);
}

#[test]
fn other_figures_when_asked_again_are_pointed_out() {
    let mut counter = Counter::open();
    counter.reviews("10010");
    assert_eq!(counter.review().draft.other_quote_before(), None);
    let (ticket, amount) = counter.asks_fee_after(120_000);
    let dearer = Quote::new(amount, Some(brl(300)), None, counter.now.wall).unwrap();
    counter.tell(Msg::Quoted { ticket, result: Ok(dearer) });
    let before = counter.review().draft.other_quote_before().cloned().unwrap();
    assert_eq!(before.fee, brl(205));
    // Quotes for a different amount are not compared.
    counter.keys("Esc Shift-Tab Shift-Tab");
    counter.types("1");
    counter.is_quoted();
    assert_eq!(counter.draft().other_quote_before(), None);
}

#[test]
fn same_amount_and_destination_refused_in_form() {
    let mut counter = Counter::open();
    counter.has_open(vec![same_open(7, &counter.now.clone())]);
    counter.types_withdrawal("10010");
    counter.is_quoted();
    // The list is loaded again, because another window may have settled the withdrawal.
    assert!(matches!(counter.keys("Ctrl-S")[..], [Effect::Money(MoneyCommand::Load(_))]));
    let Some(Refused::Clash(clash)) = counter.draft().refused.clone() else { panic!() };
    assert_eq!((clash.kind, clash.other.agreement.key), (ClashKind::SameOpen, key(7)));
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
    // The list is loaded again, because another window may have settled the withdrawal.
    assert!(matches!(counter.keys("Ctrl-S")[..], [Effect::Money(MoneyCommand::Load(_))]));
    let Some(Refused::Clash(clash)) = counter.draft().refused.clone() else { panic!() };
    assert_eq!((clash.kind, clash.other.agreement.key), (ClashKind::Mismatch, key(7)));
    alarming.agreement.account.identity = "another".into();
    counter.has_open(vec![alarming]);
    counter.submits();
}

/// Opens a review of R$ 100,10 with a quote of this fee.
fn reviews_with_a_fee(fee: &str) -> Counter {
    let mut counter = Counter::open();
    counter.types_withdrawal("10010");
    let (ticket, _) = counter.asks_fee();
    counter.tell(Msg::Quoted { ticket, result: Ok(with_a_fee(fee, counter.now.wall)) });
    let agreement = counter.submits();
    counter.is_reviewed(agreement.key);
    counter.passes(500);
    counter
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
        let mut counter = reviews_with_a_fee(fee);
        assert_eq!(counter.reasons(), reasons, "{fee}");
        if !reasons.is_empty() {
            assert_eq!(confirms(&mut counter), vec![], "{fee}");
            counter.keys("Shift-Tab");
            counter.types("10010");
        }
        let (agreement, retyped) = agreed(confirms(&mut counter));
        assert_eq!(retyped, None);
        assert_eq!(agreement.quote.as_ref().map(|quote| quote.fee), Money::parse_wire(fee));
    }
}

#[test]
fn amount_typed_before_new_fee_does_not_confirm() {
    let mut counter = reviews_with_a_fee("2.005");
    counter.keys("Tab");
    counter.types("10010");
    let (ticket, _) = counter.asks_fee_after(120_000);
    let other = with_a_fee("90.005", counter.now.wall);
    counter.tell(Msg::Quoted { ticket, result: Ok(other) });
    counter.passes(1_000);
    assert_eq!(counter.reasons(), ["finer 90.005"]);
    assert_eq!(confirms(&mut counter), vec![]);
}
