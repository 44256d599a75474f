//! Tests of the confirmation dialog that opens before a stored withdrawal is sent.

use super::*;
use crate::app::screens::withdrawals::{Fee, SendQuestion};
use crate::app::store::withdrawals::WhyRetype;

impl Counter {
    fn question(&self) -> &SendQuestion {
        match self.top() {
            Layer::Send(question) => question,
            other => panic!("no question but {other:?}"),
        }
    }

    /// Presses the send key and answers the look-up in the journal with `past`.
    fn asks(&mut self, past: Past) -> Vec<Effect> {
        let asked = self.keys("s");
        let [Effect::Money(MoneyCommand::LookUpPast(agreement)), ..] = &asked[..] else {
            panic!("{asked:?}")
        };
        let key = agreement.key;
        self.tell(Msg::Reviewed { key, past: Ok(past) });
        asked
    }
}

/// Creates an app that shows a stored withdrawal that the service has not accepted yet.
fn prepared_one() -> (Counter, Withdrawal) {
    Counter::settled(Class::Throttled { retry_after: None })
}

/// Creates the app of `prepared_one` two minutes later, with the confirmation dialog open. The fee
/// quote is stale, so a new quote has been requested.
fn stale_one() -> (Counter, Withdrawal, Ticket) {
    let (mut counter, known) = prepared_one();
    counter.passes(120_000);
    let asked = counter.asks(Past::default());
    let [_, Effect::Quote { ticket, amount }] = asked[..] else { panic!("{asked:?}") };
    assert_eq!(amount, brl(10_010));
    counter.passes(500);
    (counter, known, ticket)
}

fn sent(wanted: &[Effect]) -> bool {
    wanted.iter().any(|effect| matches!(effect, Effect::Money(MoneyCommand::Attempt(_))))
}

#[test]
fn s_asks_and_the_first_enter_goes_back() {
    let (mut counter, known) = prepared_one();
    assert!(!sent(&counter.asks(Past::default())));
    assert_eq!(counter.question().withdrawal, known);
    assert_eq!(counter.question().look.buttons.focus, Focus::Back);
    counter.passes(500);
    assert_eq!(counter.keys("Enter"), vec![]);
    assert!(matches!(counter.top(), Layer::Withdraw(Flow::Outcome(_))));
}

#[test]
fn button_disabled_until_500_ms_after_journal_reply() {
    let (mut counter, known) = prepared_one();
    counter.keys("s");
    counter.passes(60_000);
    assert_eq!(counter.keys("Tab Enter"), vec![]);
    let key = known.agreement.key;
    counter.is_reviewed(key);
    counter.passes(499);
    assert_eq!(counter.keys("Enter"), vec![]);
    counter.passes(1);
    assert_eq!(counter.keys("Enter"), attempt(key));
    assert!(matches!(counter.model.layers[..], [Layer::Withdraw(Flow::Sending { .. })]));
}

#[test]
fn r_reads_and_does_nothing_else_wherever_it_stands() {
    let mut counter = Counter::open();
    counter.has_unknown(7, 500);
    for keys in ["3", "Enter"] {
        counter.keys(keys);
        let wanted = counter.keys("r");
        assert!(matches!(wanted[..], [Effect::Money(MoneyCommand::Load(_))]), "{wanted:?}");
    }
    let (mut counter, _) = prepared_one();
    assert!(matches!(counter.keys("r")[..], [Effect::Money(MoneyCommand::Load(_))]));
}

#[test]
fn s_in_the_list_asks_about_the_row_under_the_cursor() {
    let mut counter = Counter::open();
    let now = counter.now.clone();
    let decided = attempted(&prepared(&unknown(8, 700, &now).agreement), &now, Class::DefiniteNo);
    counter.has_open(vec![unknown(7, 500, &now), decided]);
    counter.model.withdrawals.open.truncate(1);
    counter.keys("Esc 3");
    assert!(counter.offers(Action::Send));
    assert_eq!(counter.resends(), attempt(key(7)));
    assert!(matches!(counter.model.layers[..], [Layer::Withdraw(Flow::Sending { .. })]));
    // The next row is a decided withdrawal, which cannot be sent.
    counter.settles(&unknown(7, 500, &now), LOST);
    counter.keys("Esc Down");
    assert!(!counter.offers(Action::Send));
    assert_eq!(counter.keys("s"), vec![]);
}

#[test]
fn same_payment_within_a_day_requires_retyped_amount() {
    let (mut counter, known) = prepared_one();
    let same = attempted(&known, &counter.now.clone(), ACCEPTED);
    let same = Withdrawal { agreement: Agreement { key: key(99), ..same.agreement }, ..same };
    counter.asks(Past { similar: vec![same.clone()], used: None });
    counter.passes(500);
    let why = counter.question().look.retype.as_ref().map(|retype| retype.why.clone());
    assert_eq!(why, Some(vec![WhyRetype::SameWithinADay(Box::new(same))]));
    assert_eq!(counter.keys("Shift-Tab Enter"), vec![], "nothing is typed");
    counter.types("10011");
    assert_eq!(counter.keys("Tab Enter"), vec![], "another amount");
    counter.keys("Shift-Tab Backspace");
    counter.types("0");
    assert_eq!(counter.keys("Tab Enter"), attempt(known.agreement.key));
}

#[test]
fn a_resend_beside_another_open_one_names_it() {
    let mut counter = Counter::open();
    let now = counter.now.clone();
    let other = unknown(8, 700, &now);
    counter.has_open(vec![unknown(7, 500, &now), other.clone()]);
    counter.keys("Esc 3");
    counter.asks(Past::default());
    let why = counter.question().look.retype.as_ref().map(|retype| retype.why.clone());
    assert_eq!(why, Some(vec![WhyRetype::AnotherOpen(Box::new(other))]));
    // Opening the details of two withdrawals from each other repeatedly must not stack up screens.
    for _ in 0..20 {
        counter.keys("Ctrl-O s");
    }
    assert!(counter.model.layers.len() <= 3, "{:?}", counter.model.layers.len());
}

#[test]
fn fee_requested_only_when_stale_and_never_on_resend() {
    let (mut counter, _) = prepared_one();
    assert!(matches!(
        counter.asks(Past::default())[..],
        [Effect::Money(MoneyCommand::LookUpPast(_))]
    ));
    // The fee quote becomes stale while the dialog is open.
    let wanted = counter.rests(120_000);
    assert!(matches!(wanted[..], [Effect::Quote { .. }]), "{wanted:?}");
    let (mut counter, lost) = Counter::settled(LOST);
    counter.passes(300_000);
    assert!(matches!(
        counter.asks(Past::default())[..],
        [Effect::Money(MoneyCommand::LookUpPast(_))]
    ));
    counter.passes(500);
    assert_eq!(counter.keys("Tab Enter"), attempt(lost.agreement.key));
}

#[test]
fn a_stale_fee_that_is_the_same_lets_it_be_sent() {
    let (mut counter, known, ticket) = stale_one();
    assert_eq!(counter.keys("Tab Enter"), vec![], "before the fee is here");
    let result = Ok(quote(brl(10_010), counter.now.wall));
    counter.tell(Msg::Quoted { ticket, result });
    assert!(matches!(counter.question().fee, Fee::Same(_)));
    assert_eq!(counter.question().look.buttons.focus, Focus::Back);
    assert_eq!(counter.keys("Tab Enter"), vec![], "dead for half a second");
    counter.passes(500);
    assert_eq!(counter.keys("Enter"), attempt(known.agreement.key));
}

#[test]
fn changed_or_failed_fee_discards_and_reviews_again() {
    let failed = || Err(NoQuote::Failure(Failure::NoAnswer(NoAnswer::Cut)));
    let other = |at| Ok(Quote::new(brl(10_010), Some(brl(300)), None, at).unwrap());
    for is_other in [true, false] {
        let (mut counter, known, ticket) = stale_one();
        let result = if is_other { other(counter.now.wall) } else { failed() };
        counter.tell(Msg::Quoted { ticket, result });
        counter.passes(500);
        let key = known.agreement.key;
        let wanted = counter.keys("Tab Enter");
        assert_eq!(wanted, decide(key, Decision::Discarded));
        assert_eq!(counter.keys("Enter"), vec![], "once");
        let discarded =
            Withdrawal { decision: Some((Decision::Discarded, counter.now.wall)), ..known.clone() };
        let wanted = counter.tell(Msg::Decided { key, result: Ok(Box::new(discarded)) });
        assert!(
            wanted
                .iter()
                .any(|effect| matches!(effect, Effect::Money(MoneyCommand::LookUpPast(_)))),
            "{wanted:?}"
        );
        let review = counter.review();
        assert_ne!(review.agreement.key, key);
        assert_eq!(review.agreement.body, known.agreement.body);
        assert_eq!(review.agreement.destination, known.agreement.destination);
        assert_eq!(review.agreement.quote.is_some(), is_other);
        assert_eq!(review.draft.first_quote, known.agreement.quote, "the change is pointed out");
        assert!(matches!(review.draft.quote, QuoteState::Shown(_)) == is_other);
        assert_eq!(review.look.buttons.focus, Focus::Back);
        assert!(!sent(&counter.keys("Tab Enter Enter")));
    }
}

#[test]
fn failed_discard_keeps_question_and_withdrawal() {
    let (mut counter, known, ticket) = stale_one();
    counter.tell(Msg::Quoted {
        ticket,
        result: Ok(Quote::new(brl(10_010), Some(brl(1)), None, counter.now.wall).unwrap()),
    });
    counter.passes(500);
    counter.keys("Tab Enter");
    let key = known.agreement.key;
    let failure = Failure::NotSent(NotSent::Busy);
    counter.tell(Msg::Decided { key, result: Err(failure) });
    assert_eq!(counter.question().withdrawal, known);
    assert!(matches!(counter.keys("Enter")[..], [Effect::Money(MoneyCommand::Decide { .. })]));
}

#[test]
fn esc_while_the_fee_is_asked_for_waits_no_longer() {
    let (mut counter, _, ticket) = stale_one();
    assert_eq!(counter.keys("Esc"), vec![Effect::Cancel(ticket)]);
    let result = Ok(quote(brl(10_010), counter.now.wall));
    assert_eq!(counter.tell(Msg::Quoted { ticket, result }), vec![]);
}

#[test]
fn body_with_other_destination_is_never_sent() {
    let ana = PixKey::parse(PixKeyKind::Cpf, "11144477735").ok();
    for body in [
        r#"{"amount":5.00,"pixKeyType":"email","pixKey":"x@thief.example"}"#,
        r#"{"amount":5.00,"pixKey":"11144477735","pixKey":"x@thief.example"}"#,
        r#"{"amount":5.00,"chave":"x@thief.example"}"#,
    ] {
        let mut counter = Counter::open();
        let mut one = prepared(&unknown(7, 500, &counter.now).agreement);
        (one.agreement.body, one.agreement.destination) = (body.into(), ana.clone());
        counter.has_open(vec![one]);
        counter.model.withdrawals.open.clear();
        counter.keys("3");
        counter.asks(Past::default());
        counter.passes(500);
        counter.types("500");
        assert_eq!(counter.keys("Tab Enter Tab Enter"), vec![], "{body}");
    }
}

#[test]
fn decided_or_sent_withdrawal_closes_the_question() {
    for class in [ACCEPTED, Class::DefiniteNo, Class::Redirected] {
        let (mut counter, known) = prepared_one();
        counter.asks(Past::default());
        let now = counter.now.clone();
        counter.tell(Msg::Settled(Box::new(attempted(&known, &now, class))));
        assert!(!matches!(counter.top(), Layer::Send(_)));
    }
}

#[test]
fn new_attempt_must_be_rendered_before_enter_counts() {
    let (mut counter, known) = prepared_one();
    counter.asks(Past::default());
    counter.passes(500);
    counter.keys("Tab");
    let now = counter.now.clone();
    counter.tell(Msg::Settled(Box::new(attempted(&known, &now, LOST))));
    // The new attempt changed the dialog, so a new frame must show it before Enter counts.
    counter.eye = Some(counter.frame(10_000, counter.now.boot_ms));
    assert_eq!(counter.keys("Enter"), vec![]);
}

#[test]
fn open_question_schedules_ticks_for_fee_age() {
    let (mut counter, _) = prepared_one();
    counter.asks(Past::default());
    assert_eq!(next_deadline(&counter.model), Some(Duration::from_millis(500)));
    counter.rests(500);
    assert!(next_deadline(&counter.model).is_some_and(|due| due <= Duration::from_secs(1)));
}
