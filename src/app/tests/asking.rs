//! Tests of the confirmation dialog that opens before a stored withdrawal is sent.

use super::*;
use crate::app::screens::withdrawals::{FeeCheck, SendQuestion};
use crate::app::store::withdrawals::WhyRetype;

impl App {
    fn question(&self) -> &SendQuestion {
        match self.top() {
            Layer::Send(question) => question,
            other => panic!("no question but {other:?}"),
        }
    }

    /// Presses the send key, and delivers `past` as the journal's reply about earlier withdrawals.
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

/// Creates an app that shows a stored withdrawal that the service has not accepted.
fn prepared_one() -> (App, Withdrawal) {
    App::settled(Class::Throttled { retry_after: None })
}

/// Like `prepared_one`, but two minutes later: the fee quote is stale, the confirmation dialog is
/// open, and the app has requested a new quote.
fn stale_one() -> (App, Withdrawal, Ticket) {
    let (mut app, known) = prepared_one();
    app.passes(120_000);
    let asked = app.asks(Past::default());
    let [_, Effect::Quote { ticket, amount }] = asked[..] else { panic!("{asked:?}") };
    assert_eq!(amount, brl(10_010));
    app.passes(500);
    (app, known, ticket)
}

fn sent(wanted: &[Effect]) -> bool {
    wanted.iter().any(|effect| matches!(effect, Effect::Money(MoneyCommand::Attempt { .. })))
}

#[test]
fn s_asks_and_the_first_enter_goes_back() {
    let (mut app, known) = prepared_one();
    assert!(!sent(&app.asks(Past::default())));
    assert_eq!(app.question().withdrawal, known);
    assert_eq!(app.question().look.buttons.focus, Focus::Back);
    app.passes(500);
    assert_eq!(app.keys("Enter"), vec![]);
    assert!(matches!(app.top(), Layer::Withdraw(Flow::Outcome(_))));
}

#[test]
fn button_disabled_until_500_ms_after_journal_reply() {
    let (mut app, known) = prepared_one();
    app.keys("s");
    app.passes(60_000);
    assert_eq!(app.keys("Tab Enter"), vec![]);
    let key = known.agreement.key;
    app.is_reviewed(key);
    app.passes(499);
    assert_eq!(app.keys("Enter"), vec![]);
    app.passes(1);
    assert_eq!(app.keys("Enter"), attempt(key));
    assert!(matches!(app.model.layers[..], [Layer::Withdraw(Flow::Sending { .. })]));
}

#[test]
fn r_reads_and_does_nothing_else_wherever_it_stands() {
    let mut app = App::open();
    app.has_unknown(7, 500);
    for keys in ["3", "Enter"] {
        app.keys(keys);
        let wanted = app.keys("r");
        assert!(matches!(wanted[..], [Effect::Money(MoneyCommand::Load(_))]), "{wanted:?}");
    }
    let (mut app, _) = prepared_one();
    assert!(matches!(app.keys("r")[..], [Effect::Money(MoneyCommand::Load(_))]));
}

#[test]
fn s_in_the_list_asks_about_the_row_under_the_cursor() {
    let mut app = App::open();
    let now = app.now.clone();
    let decided = attempted(&prepared(&unknown(8, 700, &now).agreement), &now, Class::DefiniteNo);
    app.has_open(vec![unknown(7, 500, &now), decided]);
    app.model.withdrawals.open.truncate(1);
    app.keys("Esc 3");
    assert!(app.offers(Action::Send));
    assert_eq!(app.resends(), attempt(key(7)));
    assert!(matches!(app.model.layers[..], [Layer::Withdraw(Flow::Sending { .. })]));
    // The next row is a withdrawal with a final outcome, which cannot be sent again.
    app.settles(&unknown(7, 500, &now), LOST);
    app.keys("Esc Down");
    assert!(!app.offers(Action::Send));
    assert_eq!(app.keys("s"), vec![]);
}

#[test]
fn same_payment_within_a_day_requires_retyped_amount() {
    let (mut app, known) = prepared_one();
    let same = attempted(&known, &app.now.clone(), ACCEPTED);
    let same = Withdrawal { agreement: Agreement { key: key(99), ..same.agreement }, ..same };
    app.asks(Past { similar: vec![same.clone()], used: None });
    app.passes(500);
    let why = app.question().look.retype.as_ref().map(|retype| retype.why.clone());
    assert_eq!(why, Some(vec![WhyRetype::SameWithinADay(Box::new(same))]));
    assert_eq!(app.keys("Shift-Tab Enter"), vec![], "nothing is typed");
    app.types("10011");
    assert_eq!(app.keys("Tab Enter"), vec![], "another amount");
    app.keys("Shift-Tab Backspace");
    app.types("0");
    let key = known.agreement.key;
    // The effect names the other open withdrawal that the seller accepted. Otherwise, the journal
    // would refuse to send.
    let retyped = Some(Retyped { amount: brl(10_010), told: vec![super::key(99)] });
    let sent = Effect::Money(MoneyCommand::Attempt { key, retyped });
    assert_eq!(app.keys("Tab Enter"), vec![sent]);
}

#[test]
fn a_resend_beside_another_open_one_names_it() {
    let mut app = App::open();
    let now = app.now.clone();
    let other = unknown(8, 700, &now);
    app.has_open(vec![unknown(7, 500, &now), other.clone()]);
    app.keys("Esc 3");
    app.asks(Past::default());
    let why = app.question().look.retype.as_ref().map(|retype| retype.why.clone());
    assert_eq!(why, Some(vec![WhyRetype::AnotherOpen(Box::new(other))]));
    // Switching between the details of two withdrawals must not pile up screens.
    for _ in 0..20 {
        app.keys("Ctrl-O s");
    }
    assert!(app.model.layers.len() <= 3, "{:?}", app.model.layers.len());
}

#[test]
fn fee_requested_only_when_stale_and_never_on_resend() {
    let (mut app, _) = prepared_one();
    assert!(matches!(app.asks(Past::default())[..], [Effect::Money(MoneyCommand::LookUpPast(_))]));
    // The fee quote becomes stale while the dialog is open.
    let wanted = app.rests(120_000);
    assert!(matches!(wanted[..], [Effect::Quote { .. }]), "{wanted:?}");
    let (mut app, lost) = App::settled(LOST);
    app.passes(300_000);
    assert!(matches!(app.asks(Past::default())[..], [Effect::Money(MoneyCommand::LookUpPast(_))]));
    app.passes(500);
    assert_eq!(app.keys("Tab Enter"), attempt(lost.agreement.key));
}

#[test]
fn a_stale_fee_that_is_the_same_lets_it_be_sent() {
    let (mut app, known, ticket) = stale_one();
    assert_eq!(app.keys("Tab Enter"), vec![], "before the fee is here");
    let result = Ok(quote(brl(10_010), app.now.wall));
    app.tell(Msg::Quoted { ticket, result });
    assert!(matches!(app.question().fee, FeeCheck::Same(_)));
    assert_eq!(app.question().look.buttons.focus, Focus::Back);
    assert_eq!(app.keys("Tab Enter"), vec![], "dead for half a second");
    app.passes(500);
    assert_eq!(app.keys("Enter"), attempt(known.agreement.key));
}

#[test]
fn changed_or_failed_fee_discards_and_reviews_again() {
    let failed = || Err(NoQuote::Failure(Failure::NoAnswer(NoAnswer::Cut)));
    let other = |at| Ok(Quote::new(brl(10_010), Some(brl(300)), None, at).unwrap());
    for is_other in [true, false] {
        let (mut app, known, ticket) = stale_one();
        let result = if is_other { other(app.now.wall) } else { failed() };
        app.tell(Msg::Quoted { ticket, result });
        app.passes(500);
        let key = known.agreement.key;
        let wanted = app.keys("Tab Enter");
        assert_eq!(wanted, decide(key, Decision::Discarded));
        assert_eq!(app.keys("Enter"), vec![], "once");
        let discarded =
            Withdrawal { decision: Some((Decision::Discarded, app.now.wall)), ..known.clone() };
        let wanted = app.tell(Msg::Decided { key, result: Ok(Box::new(discarded)) });
        assert!(
            wanted
                .iter()
                .any(|effect| matches!(effect, Effect::Money(MoneyCommand::LookUpPast(_)))),
            "{wanted:?}"
        );
        let review = app.review();
        assert_ne!(review.agreement.key, key);
        assert_eq!(review.agreement.body, known.agreement.body);
        assert_eq!(review.agreement.destination, known.agreement.destination);
        assert_eq!(review.agreement.quote.is_some(), is_other);
        assert_eq!(review.draft.first_quote, known.agreement.quote, "the change is pointed out");
        assert!(matches!(review.draft.quote, QuoteState::Shown(_)) == is_other);
        assert_eq!(review.look.buttons.focus, Focus::Back);
        assert!(!sent(&app.keys("Tab Enter Enter")));
    }
}

#[test]
fn failed_discard_keeps_question_and_withdrawal() {
    let (mut app, known, ticket) = stale_one();
    app.tell(Msg::Quoted {
        ticket,
        result: Ok(Quote::new(brl(10_010), Some(brl(1)), None, app.now.wall).unwrap()),
    });
    app.passes(500);
    app.keys("Tab Enter");
    let key = known.agreement.key;
    let failure = Failure::NotSent(NotSent::Busy);
    app.tell(Msg::Decided { key, result: Err(failure) });
    assert_eq!(app.question().withdrawal, known);
    assert!(matches!(app.keys("Enter")[..], [Effect::Money(MoneyCommand::Decide { .. })]));
}

#[test]
fn esc_while_the_fee_is_asked_for_waits_no_longer() {
    let (mut app, _, ticket) = stale_one();
    assert_eq!(app.keys("Esc"), vec![Effect::Cancel(ticket)]);
    let result = Ok(quote(brl(10_010), app.now.wall));
    assert_eq!(app.tell(Msg::Quoted { ticket, result }), vec![]);
}

#[test]
fn body_with_other_destination_is_never_sent() {
    let ana = PixKey::parse(PixKeyKind::Cpf, "11144477735").ok();
    for body in [
        r#"{"amount":5.00,"pixKeyType":"email","pixKey":"x@thief.example"}"#,
        r#"{"amount":5.00,"pixKey":"11144477735","pixKey":"x@thief.example"}"#,
        r#"{"amount":5.00,"chave":"x@thief.example"}"#,
    ] {
        let mut app = App::open();
        let mut one = prepared(&unknown(7, 500, &app.now).agreement);
        (one.agreement.body, one.agreement.destination) = (body.into(), ana.clone());
        app.has_open(vec![one]);
        app.model.withdrawals.open.clear();
        app.keys("3");
        app.asks(Past::default());
        app.passes(500);
        app.types("500");
        assert_eq!(app.keys("Tab Enter Tab Enter"), vec![], "{body}");
    }
}

#[test]
fn decided_or_sent_withdrawal_closes_the_question() {
    for class in [ACCEPTED, Class::DefiniteNo, Class::Redirected] {
        let (mut app, known) = prepared_one();
        app.asks(Past::default());
        let now = app.now.clone();
        app.tell(Msg::Settled(Box::new(attempted(&known, &now, class))));
        assert!(!matches!(app.top(), Layer::Send(_)));
    }
}

#[test]
fn new_attempt_must_be_rendered_before_enter_counts() {
    let (mut app, known) = prepared_one();
    app.asks(Past::default());
    app.passes(500);
    app.keys("Tab");
    let now = app.now.clone();
    app.tell(Msg::Settled(Box::new(attempted(&known, &now, LOST))));
    // The new send attempt changed the terms in the dialog, so Enter does nothing until a frame has
    // shown the change.
    app.fixed_frame = Some(app.frame(10_000, app.now.boot_ms));
    assert_eq!(app.keys("Enter"), vec![]);
}

#[test]
fn open_question_schedules_ticks_for_fee_age() {
    let (mut app, _) = prepared_one();
    app.asks(Past::default());
    assert_eq!(next_deadline(&app.model), Some(Duration::from_millis(500)));
    app.rests(500);
    assert!(next_deadline(&app.model).is_some_and(|due| due <= Duration::from_secs(1)));
}
