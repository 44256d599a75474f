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
    fn open_send_question(&mut self, past: PastPayments) -> Vec<Effect> {
        let effects = self.press("s");
        let [Effect::Money(MoneyCommand::LookUpPast(agreement)), ..] = &effects[..] else {
            panic!("{effects:?}")
        };
        let key = agreement.key;
        self.deliver(Msg::Reviewed {
            key,
            past: Ok(past),
        });
        effects
    }
}

/// Creates an app that shows a stored withdrawal that the service has not accepted.
fn app_with_prepared() -> (App, Withdrawal) {
    App::with_outcome(Class::Throttled { retry_after: None })
}

/// Like [`app_with_prepared`], but two minutes later: the fee quote is stale, the dialog is open,
/// and the app has requested a new quote.
fn app_with_stale_quote() -> (App, Withdrawal, Ticket) {
    let (mut app, withdrawal) = app_with_prepared();
    app.advance_ms(120_000);
    let effects = app.open_send_question(PastPayments::default());
    let [_, Effect::Quote { ticket, amount, .. }] = effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!(amount, brl(10_010));
    app.advance_ms(500);
    (app, withdrawal, ticket)
}

fn sends_attempt(effects: &[Effect]) -> bool {
    effects
        .iter()
        .any(|effect| matches!(effect, Effect::Money(MoneyCommand::Attempt { .. })))
}

#[test]
fn send_key_opens_question_and_enter_goes_back() {
    let (mut app, withdrawal) = app_with_prepared();
    assert!(!sends_attempt(
        &app.open_send_question(PastPayments::default())
    ));
    assert_eq!(app.question().withdrawal, withdrawal);
    assert_eq!(app.question().final_review.buttons.focus, Focus::Back);
    app.advance_ms(500);
    assert_eq!(app.press("Enter"), vec![]);
    assert!(matches!(app.top(), Layer::Withdraw(Flow::Outcome(_))));
}

#[test]
fn button_disabled_until_500_ms_after_journal_reply() {
    let (mut app, withdrawal) = app_with_prepared();
    app.press("s");
    app.advance_ms(60_000);
    assert_eq!(app.press("Tab Enter"), vec![]);
    let key = withdrawal.agreement.key;
    app.deliver_no_similar_withdrawals(key);
    app.advance_ms(499);
    assert_eq!(app.press("Enter"), vec![]);
    app.advance_ms(1);
    assert_eq!(app.press("Enter"), attempt_effects(key));
    assert!(matches!(
        app.model.layers[..],
        [Layer::Withdraw(Flow::Sending { .. })]
    ));
}

#[test]
fn refresh_key_only_reloads_on_every_screen() {
    let mut app = App::logged_in();
    app.load_unknown_withdrawal(7, 500);
    for keys in ["3", "Enter"] {
        app.press(keys);
        let effects = app.press("r");
        assert!(
            matches!(effects[..], [Effect::Money(MoneyCommand::Load(_))]),
            "{effects:?}"
        );
    }
    let (mut app, _) = app_with_prepared();
    assert!(matches!(
        app.press("r")[..],
        [Effect::Money(MoneyCommand::Load(_))]
    ));
}

#[test]
fn send_key_in_list_uses_row_under_cursor() {
    let mut app = App::logged_in();
    let now = app.now.clone();
    let decided = with_attempt(
        &prepared_withdrawal(&unknown_withdrawal(8, 700, &now).agreement),
        &now,
        Class::DefiniteNo,
    );
    app.load_open_withdrawals(vec![unknown_withdrawal(7, 500, &now), decided]);
    app.model.withdrawals.open.truncate(1);
    app.press("Esc 3");
    assert!(app.offers(Action::Send));
    assert_eq!(app.resend(), attempt_effects(key(7)));
    assert!(matches!(
        app.model.layers[..],
        [Layer::Withdraw(Flow::Sending { .. })]
    ));
    // The next row is a withdrawal with a final outcome, which cannot be sent again.
    app.settle(&unknown_withdrawal(7, 500, &now), TIMED_OUT);
    app.press("Esc Down");
    assert!(!app.offers(Action::Send));
    assert_eq!(app.press("s"), vec![]);
}

#[test]
fn same_payment_within_a_day_requires_retyped_amount() {
    let (mut app, withdrawal) = app_with_prepared();
    let same = with_attempt(&withdrawal, &app.now.clone(), ACCEPTED);
    let same = Withdrawal {
        agreement: Agreement {
            key: key(99),
            ..same.agreement
        },
        ..same
    };
    app.open_send_question(PastPayments {
        similar: vec![same.clone()],
        known_destination: None,
    });
    app.advance_ms(500);
    let why = app
        .question()
        .final_review
        .retype
        .as_ref()
        .map(|retype| retype.why.clone());
    assert_eq!(why, Some(vec![WhyRetype::SameWithinADay(Box::new(same))]));
    assert_eq!(app.press("Shift-Tab Enter"), vec![], "nothing is typed");
    app.type_text("10011");
    assert_eq!(app.confirm_after_typing(), vec![], "another amount");
    app.press("Shift-Tab Backspace");
    app.type_text("0");
    let key = withdrawal.agreement.key;
    // The effect contains the key of the other withdrawal that the dialog showed. Without this key,
    // the journal would refuse to send.
    let retyped = Some(Retyped {
        amount: brl(10_010),
        shown_keys: vec![super::key(99)],
    });
    let sent = Effect::Money(MoneyCommand::Attempt { key, retyped });
    assert_eq!(app.confirm_after_typing(), vec![sent]);
}

#[test]
fn resend_beside_other_open_withdrawal_names_it() {
    let mut app = App::logged_in();
    let now = app.now.clone();
    let other = unknown_withdrawal(8, 700, &now);
    app.load_open_withdrawals(vec![unknown_withdrawal(7, 500, &now), other.clone()]);
    app.press("Esc 3");
    app.open_send_question(PastPayments::default());
    let why = app
        .question()
        .final_review
        .retype
        .as_ref()
        .map(|retype| retype.why.clone());
    assert_eq!(why, Some(vec![WhyRetype::AnotherOpen(Box::new(other))]));
    // Switching between the details of two withdrawals must not pile up screens.
    for _ in 0..20 {
        app.press("Ctrl-O s");
    }
    assert!(app.model.layers.len() <= 3, "{:?}", app.model.layers.len());
}

#[test]
fn fee_requested_only_when_stale_and_never_on_resend() {
    let (mut app, _) = app_with_prepared();
    assert!(matches!(
        app.open_send_question(PastPayments::default())[..],
        [Effect::Money(MoneyCommand::LookUpPast(_))]
    ));
    // The fee quote becomes stale while the dialog is open.
    let effects = app.pulse_after_ms(120_000);
    assert!(matches!(effects[..], [Effect::Quote { .. }]), "{effects:?}");
    let (mut app, withdrawal) = App::with_outcome(TIMED_OUT);
    app.advance_ms(300_000);
    assert!(matches!(
        app.open_send_question(PastPayments::default())[..],
        [Effect::Money(MoneyCommand::LookUpPast(_))]
    ));
    app.advance_ms(500);
    assert_eq!(
        app.press("Tab Enter"),
        attempt_effects(withdrawal.agreement.key)
    );
}

#[test]
fn stale_but_unchanged_fee_can_be_sent() {
    let (mut app, withdrawal, ticket) = app_with_stale_quote();
    assert_eq!(app.press("Tab Enter"), vec![], "before the fee is here");
    let result = Ok(quote(brl(10_010), app.now.wall));
    app.deliver(Msg::Quoted { ticket, result });
    assert!(matches!(app.question().fee, FeeCheck::Same(_)));
    assert_eq!(app.question().final_review.buttons.focus, Focus::Back);
    assert_eq!(app.press("Tab Enter"), vec![], "dead for half a second");
    app.advance_ms(500);
    assert_eq!(
        app.press("Enter"),
        attempt_effects(withdrawal.agreement.key)
    );
}

#[test]
fn changed_or_failed_fee_discards_and_reviews_again() {
    let failed = || Err(NoQuote::Failure(Failure::NoAnswer(NoAnswer::Cut)));
    let other = |at| Ok(Quote::new(brl(10_010), Some(brl(300)), None, at).unwrap());
    for is_other in [true, false] {
        let (mut app, withdrawal, ticket) = app_with_stale_quote();
        let result = if is_other {
            other(app.now.wall)
        } else {
            failed()
        };
        app.deliver(Msg::Quoted { ticket, result });
        app.advance_ms(500);
        let key = withdrawal.agreement.key;
        let effects = app.press("Tab Enter");
        assert_eq!(effects, decide_effects(key, Decision::Discarded));
        assert_eq!(app.press("Enter"), vec![], "once");
        let discarded = Withdrawal {
            decision: Some((Decision::Discarded, app.now.wall)),
            ..withdrawal.clone()
        };
        let effects = app.deliver(Msg::Decided {
            key,
            result: Ok(Box::new(discarded)),
        });
        assert!(
            effects
                .iter()
                .any(|effect| matches!(effect, Effect::Money(MoneyCommand::LookUpPast(_)))),
            "{effects:?}"
        );
        let review = app.review();
        assert_ne!(review.agreement.key, key);
        assert_eq!(review.agreement.body, withdrawal.agreement.body);
        assert_eq!(
            review.agreement.destination,
            withdrawal.agreement.destination
        );
        assert_eq!(review.agreement.quote.is_some(), is_other);
        assert_eq!(
            review.draft.first_quote, withdrawal.agreement.quote,
            "the change is pointed out"
        );
        assert!(matches!(review.draft.quote, QuoteState::Arrived(_)) == is_other);
        assert_eq!(review.final_review.buttons.focus, Focus::Back);
        assert!(!sends_attempt(&app.press("Tab Enter Enter")));
    }
}

#[test]
fn failed_discard_keeps_question_and_withdrawal() {
    let (mut app, withdrawal, ticket) = app_with_stale_quote();
    app.deliver(Msg::Quoted {
        ticket,
        result: Ok(Quote::new(brl(10_010), Some(brl(1)), None, app.now.wall).unwrap()),
    });
    app.advance_ms(500);
    app.press("Tab Enter");
    let key = withdrawal.agreement.key;
    let failure = Failure::NotSent(NotSent::Busy);
    app.deliver(Msg::Decided {
        key,
        result: Err(failure),
    });
    assert_eq!(app.question().withdrawal, withdrawal);
    assert!(matches!(
        app.press("Enter")[..],
        [Effect::Money(MoneyCommand::Decide { .. })]
    ));
}

#[test]
fn esc_cancels_running_fee_request() {
    let (mut app, _, ticket) = app_with_stale_quote();
    assert_eq!(app.press("Esc"), vec![Effect::Cancel(ticket)]);
    let result = Ok(quote(brl(10_010), app.now.wall));
    assert_eq!(app.deliver(Msg::Quoted { ticket, result }), vec![]);
}

#[test]
fn body_with_other_destination_is_never_sent() {
    let ana = PixKey::parse(PixKeyKind::Cpf, "11144477735").ok();
    for body in [
        r#"{"amount":5.00,"pixKeyType":"email","pixKey":"x@thief.example"}"#,
        r#"{"amount":5.00,"pixKey":"11144477735","pixKey":"x@thief.example"}"#,
        r#"{"amount":5.00,"chave":"x@thief.example"}"#,
    ] {
        let mut app = App::logged_in();
        let mut withdrawal = prepared_withdrawal(&unknown_withdrawal(7, 500, &app.now).agreement);
        (withdrawal.agreement.body, withdrawal.agreement.destination) = (body.into(), ana.clone());
        app.load_open_withdrawals(vec![withdrawal]);
        app.model.withdrawals.open.clear();
        app.press("3");
        app.open_send_question(PastPayments::default());
        app.advance_ms(500);
        app.type_text("500");
        assert_eq!(app.press("Tab Enter Tab Enter"), vec![], "{body}");
    }
}

#[test]
fn decided_or_sent_withdrawal_closes_the_question() {
    for class in [ACCEPTED, Class::DefiniteNo, Class::Redirected] {
        let (mut app, withdrawal) = app_with_prepared();
        app.open_send_question(PastPayments::default());
        let now = app.now.clone();
        app.deliver(Msg::Settled(Box::new(with_attempt(
            &withdrawal,
            &now,
            class,
        ))));
        assert!(!matches!(app.top(), Layer::Send(_)));
    }
}

#[test]
fn new_attempt_must_be_rendered_before_enter_counts() {
    let (mut app, withdrawal) = app_with_prepared();
    app.open_send_question(PastPayments::default());
    app.advance_ms(500);
    app.press("Tab");
    let now = app.now.clone();
    app.deliver(Msg::Settled(Box::new(with_attempt(
        &withdrawal,
        &now,
        TIMED_OUT,
    ))));
    // The new send attempt changed the terms in the dialog, so Enter does nothing until a frame has
    // shown the change.
    app.fixed_frame = Some(app.snapshot_frame(10_000, app.now.boot_ms));
    assert_eq!(app.press("Enter"), vec![]);
}

#[test]
fn open_question_schedules_ticks_for_fee_age() {
    let (mut app, _) = app_with_prepared();
    app.open_send_question(PastPayments::default());
    assert_eq!(next_deadline(&app.model), Some(Duration::from_millis(500)));
    app.pulse_after_ms(500);
    assert!(next_deadline(&app.model).is_some_and(|due| due <= Duration::from_secs(1)));
}
