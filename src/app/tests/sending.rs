//! Tests of sending a withdrawal, from the seller's confirmation to the outcome.

use super::*;
use crate::app::MoneyCommand::Load;
use crate::app::screens::withdrawals::Details;

impl App {
    /// Sends a withdrawal, and reports that the attempt to send it has begun.
    fn begin_attempt(&mut self) -> Withdrawal {
        let sent = self.send_withdrawal("10010");
        self.deliver(Msg::AttemptBegan {
            key: sent.agreement.key,
            n: 1,
        });
        sent
    }
}

fn outcome_details(app: &App) -> &Details {
    match app.top() {
        Layer::Withdraw(Flow::Outcome(outcome)) => outcome,
        other => panic!("no outcome but {other:?}"),
    }
}

pub(super) fn state(app: &App) -> WithdrawalState {
    app.model.state_of(&outcome_details(app).withdrawal)
}

/// The effects without the requests to load the list of withdrawals.
fn without_list_loads(effects: Vec<Effect>) -> Vec<Effect> {
    effects
        .into_iter()
        .filter(|effect| !matches!(effect, Effect::Money(Load(_))))
        .collect()
}

#[test]
fn nothing_is_sent_before_the_journal_has_it() {
    let mut app = App::logged_in();
    app.open_review("10010");
    app.press("Tab Enter");
    // Before the journal has stored the withdrawal, it cannot be sent by a key, or by a reply about
    // another withdrawal.
    assert_eq!(app.press("Enter Ctrl-S s 1 Esc Tab"), vec![]);
    let other = Box::new(unknown_withdrawal(9, 1, &app.now));
    assert_eq!(
        without_list_loads(app.deliver(Msg::Prepared {
            key: key(9),
            result: Ok(other)
        })),
        vec![]
    );
    assert!(matches!(app.top(), Layer::Withdraw(Flow::Preparing { .. })));
}

#[test]
fn journal_refusal_returns_to_draft_and_reloads() {
    let trouble = JournalTrouble::Missing;
    let other = Box::new(unknown_withdrawal(7, 500, &App::logged_in().now));
    let clash = |kind| Clash {
        kind,
        other: other.clone(),
    };
    let review_again = |kind| {
        let error = NotDone::Blocked(Blocker::Clash(clash(kind)));
        (error, Refused::ReviewAgain(Some(clash(kind))))
    };
    for (error, refusal) in [
        (
            Blocker::KeyKnown.into(),
            Refused::Blocked(Blocker::KeyKnown),
        ),
        review_again(ClashKind::OtherOpen),
        review_again(ClashKind::SameDecided),
        (trouble.clone().into(), Refused::Journal(trouble)),
    ] {
        let mut app = App::logged_in();
        app.open_review("10010");
        let (agreement, _) = expect_prepare(app.press("Tab Enter"));
        let result = Err(error);
        let effects = app.deliver(Msg::Prepared {
            key: agreement.key,
            result,
        });
        assert!(
            matches!(effects[..], [Effect::Money(Load(_))]),
            "{effects:?}"
        );
        assert_eq!(app.draft().refusal, Some(refusal));
        assert_eq!(app.draft().form.value("key"), "11144477735");
        assert_eq!(app.model.withdrawals.in_flight, None);
    }
}

#[test]
fn settled_state_shown_in_list_before_reload() {
    for (class, expected, open_count) in [
        (ACCEPTED, WithdrawalState::Accepted, 0),
        (TIMED_OUT, WithdrawalState::Unknown, 1),
    ] {
        let mut app = App::logged_in();
        let sent = app.send_withdrawal("10010");
        app.load_open_withdrawals(vec![with_running_attempt(&sent, &app.now)]);
        app.settle(&sent, class);
        let withdrawals = &app.model.withdrawals;
        assert_eq!(app.model.state_of(&withdrawals.list.page.rows[0]), expected);
        assert_eq!(withdrawals.open.len(), open_count);
    }
}

#[test]
fn each_outcome_shows_state_and_safe_steps() {
    use Action::*;
    let alarm = Alarm::Amount {
        sent: brl(1),
        got: brl(2),
    };
    let says_failed = SaysFailed {
        member: "status".into(),
        word: "failed".into(),
    };
    let cases = [
        (ACCEPTED, "accepted", vec![Repeat, Receipt]),
        (Class::DefiniteNo, "rejected", vec![Repeat]),
        (Class::Unauthorized, "prepared", vec![LogIn, Discard]),
        (
            Class::Throttled { retry_after: None },
            "prepared",
            vec![Send, Discard],
        ),
        (
            Class::NotSent(NotSent::Dns),
            "prepared",
            vec![Send, Discard],
        ),
        (TIMED_OUT, "unknown", vec![Send, Check, Found]),
        (Class::Redirected, "needs-person", vec![Check, Found]),
        (Class::KeyReused, "needs-person", vec![Check, Found]),
        (
            Class::SaysFailed(says_failed),
            "needs-person",
            vec![Check, Found],
        ),
        (
            Class::Unclear(Unclear::NoSign),
            "unknown",
            vec![Send, Check, Found],
        ),
        (Class::Alarm(alarm), "mismatch", vec![Check, Found]),
    ];
    for (class, name, steps) in cases {
        let (app, _) = App::with_outcome(class.clone());
        assert_eq!(state(&app).name(), name, "{class:?}");
        // The actions in `always` are offered in every state. An accepted withdrawal also offers
        // the action `Arrived`, which records the amount that arrived.
        let arrived = if name == "accepted" {
            vec![Arrived]
        } else {
            vec![]
        };
        let always = vec![Copy, Open, Refresh, Nickname];
        assert_eq!(
            app.offered_actions(),
            [steps, always, arrived, vec![Related, Back]].concat(),
            "{class:?}"
        );
        assert_eq!(app.model.withdrawals.in_flight, None);
    }
}

#[test]
fn same_key_resent_only_by_key_press_in_window() {
    let mut app = App::logged_in();
    let withdrawal = app.send_withdrawal("10010");
    let key = withdrawal.agreement.key;
    app.settle(&withdrawal, TIMED_OUT);
    assert_eq!(app.pulse_after_ms(5_000), vec![]);
    assert_eq!(app.resend(), attempt_effects(key));
    assert_eq!(app.press("s s Enter"), vec![]);
    app.settle(&withdrawal, TIMED_OUT);
    app.advance_ms(570_001);
    app.deliver(Msg::Pulse);
    assert_eq!(app.resend(), vec![]);
    assert_eq!(state(&app).name(), "needs-person");
}

#[test]
fn decided_withdrawal_is_never_resent() {
    for class in [ACCEPTED, Class::DefiniteNo] {
        let (mut app, _) = App::with_outcome(class);
        assert_eq!(app.press("s X f"), vec![]);
    }
}

#[test]
fn throttled_withdrawal_waits_for_retry_after() {
    let mut app = App::logged_in();
    let withdrawal = app.send_withdrawal("10010");
    let retry_after = Some(Duration::from_secs(20));
    app.settle(&withdrawal, Class::Throttled { retry_after });
    assert!(app.offers(Action::Discard) && !app.offers(Action::Send));
    assert_eq!(app.resend(), vec![]);
    assert!(next_deadline(&app.model).is_some());
    app.advance_ms(20_000);
    assert_eq!(app.resend(), attempt_effects(withdrawal.agreement.key));
}

#[test]
fn refused_token_resends_same_key_after_login() {
    let (mut app, withdrawal) = App::with_outcome(Class::Unauthorized);
    assert_eq!(app.resend(), vec![]);
    assert!(
        !matches!(app.top(), Layer::Login(_)),
        "nothing is offered that cannot be sent"
    );
    app.press("L");
    assert!(matches!(app.top(), Layer::Login(_)));
    app.log_in_again();
    assert_eq!(app.resend(), attempt_effects(withdrawal.agreement.key));
}

#[test]
fn attempt_trouble_does_not_refuse_new_token() {
    let mut app = App::logged_in();
    let withdrawal = app.send_withdrawal("10010");
    let settled = app.settle(&withdrawal, Class::Unauthorized);
    app.model.session.api_token = credential(SELLER);
    app.resend();
    app.deliver(Msg::AttemptTrouble {
        key: withdrawal.agreement.key,
        withdrawal: Some(Box::new(settled)),
        trouble: Failure::NotSent(NotSent::Busy),
    });
    assert!(matches!(app.model.session.api_token, Credential::Stored(_)));
    assert_eq!(
        outcome_details(&app).trouble,
        Some(Failure::NotSent(NotSent::Busy))
    );
}

#[test]
fn unrecorded_outcome_is_unknown_and_never_unsent() {
    let mut app = App::logged_in();
    let key = app.begin_attempt().agreement.key;
    let trouble = unrecorded(202, ACCEPTED);
    let reported = trouble.clone();
    app.deliver(Msg::AttemptTrouble {
        key,
        withdrawal: None,
        trouble: reported,
    });
    assert_eq!(state(&app), WithdrawalState::Unknown);
    assert_eq!(outcome_details(&app).trouble, Some(trouble));
    assert_eq!(app.press("s X"), vec![]);
    let full = JournalTrouble::Full("no room".into());
    assert_eq!(app.model.withdrawals.trouble, Some(full));
}

#[test]
fn unrecorded_outcome_reported_after_screen_closed() {
    let mut app = App::logged_in();
    let withdrawal = app.begin_attempt();
    let key = withdrawal.agreement.key;
    app.press("Esc");
    let running = Box::new(with_running_attempt(&withdrawal, &app.now));
    let trouble = unrecorded(202, ACCEPTED);
    let msg = Msg::AttemptTrouble {
        key,
        withdrawal: Some(running),
        trouble: trouble.clone(),
    };
    app.deliver(msg);
    assert_eq!(app.model.notice, Some(Notice::Sending(trouble)));
    assert_eq!(
        app.model.withdrawals.open.len(),
        1,
        "nobody knows whether it was paid"
    );
    assert_eq!(app.model.withdrawals.in_flight, None);
}

#[test]
fn delayed_outcome_locks_withdrawals_until_written() {
    let mut app = App::logged_in();
    let withdrawal = app.begin_attempt();
    let key = withdrawal.agreement.key;
    let busy = JournalTrouble::Busy("by a backup".into());
    let Failure::Unrecorded { n, end, .. } = unrecorded(202, ACCEPTED) else {
        panic!()
    };
    let trouble = Failure::Unrecorded {
        n,
        end,
        trouble: busy.clone(),
    };
    let reported = trouble.clone();
    let effects = app.deliver(Msg::AttemptTrouble {
        key,
        withdrawal: None,
        trouble: reported,
    });
    let [Effect::Money(Load(request))] = &effects[..] else {
        panic!("{effects:?}")
    };
    let locked = Snapshot {
        locked: Some(busy),
        ..Snapshot::default()
    };
    app.deliver(Msg::WithdrawalsLoaded {
        ticket: request.ticket,
        result: Ok(locked),
    });
    assert_eq!(outcome_details(&app).trouble, Some(trouble));
    assert_eq!(
        (state(&app), app.press("s X")),
        (WithdrawalState::Unknown, vec![])
    );

    let stored = with_attempt(&withdrawal, &app.now.clone(), ACCEPTED);
    let effects = app.deliver(Msg::Settled(Box::new(stored)));
    assert_eq!(
        (state(&app), &outcome_details(&app).trouble),
        (WithdrawalState::Accepted, &None)
    );
    let [Effect::Money(Load(request))] = &effects[..] else {
        panic!("{effects:?}")
    };
    let ticket = request.ticket;
    let result = Ok(Snapshot::default());
    app.deliver(Msg::WithdrawalsLoaded { ticket, result });
    assert_eq!(app.model.withdrawals.trouble, None);
}

#[test]
fn slip_closes_once_on_the_page_of_the_send() {
    let frame = |app: &App| outcome_details(app).motion?.frame(&app.model.store);
    for (class, moves, expected) in [
        (ACCEPTED, true, [Some(0), Some(1), None]),
        (ACCEPTED, false, [None; 3]),
        (Class::DefiniteNo, true, [None; 3]),
    ] {
        let mut app = App::logged_in();
        app.model.setup.motion = moves;
        let sent = app.begin_attempt();
        let settled = with_attempt(&sent, &app.now.clone(), class);
        app.deliver(Msg::Settled(Box::new(settled.clone())));
        let mut frames = vec![frame(&app)];
        for _ in 0..2 {
            let is_moving = frames.last() != Some(&None);
            let due = is_moving.then_some(Duration::from_millis(130));
            assert_eq!(next_deadline(&app.model), due);
            app.pulse_after_ms(130);
            frames.push(frame(&app));
        }
        assert_eq!(frames, expected);
        assert_eq!(next_deadline(&app.model), None, "asleep again");
        app.deliver(Msg::Settled(Box::new(settled)));
        assert_eq!(frame(&app), None, "it was shown before");
    }
}

#[test]
fn unrecorded_401_still_marks_credential_refused() {
    for (status, class, is_refused) in [(202, ACCEPTED, false), (401, Class::Unauthorized, true)] {
        let mut app = App::logged_in();
        let key = app.begin_attempt().agreement.key;
        let trouble = unrecorded(status, class);
        app.deliver(Msg::AttemptTrouble {
            key,
            withdrawal: None,
            trouble,
        });
        let token = &app.model.session.api_token;
        assert_eq!(
            matches!(token, Credential::Refused(_)),
            is_refused,
            "{token:?}"
        );
        assert_eq!(
            state(&app),
            WithdrawalState::Unknown,
            "what is not on disk proves nothing"
        );
    }
}

#[test]
fn delayed_outcome_does_not_refuse_newer_login() {
    for class in [Class::Unauthorized, Class::NotSent(NotSent::NoCredential)] {
        let mut app = App::logged_in();
        let withdrawal = app.begin_attempt();
        let key = withdrawal.agreement.key;
        let trouble = unrecorded(401, class.clone());
        app.deliver(Msg::AttemptTrouble {
            key,
            withdrawal: None,
            trouble,
        });
        assert!(!matches!(
            app.model.session.api_token,
            Credential::Stored(_)
        ));
        app.model.session.api_token = credential(SELLER);
        let stored = with_attempt(&withdrawal, &app.now.clone(), class);
        app.deliver(Msg::Settled(Box::new(stored)));
        assert!(matches!(app.model.session.api_token, Credential::Stored(_)));
    }
}

/// The failure of a send attempt whose outcome could not be stored because the disk is full.
fn unrecorded(status: u16, class: Class) -> Failure {
    let end = AttemptEnd {
        at: Wall(0),
        boot_ms: 0,
        class,
        status: Some(status),
        server_date: None,
        message: None,
        hint: None,
    };
    Failure::Unrecorded {
        n: 1,
        end: Box::new(end),
        trouble: JournalTrouble::Full("no room".into()),
    }
}

#[test]
fn busy_journal_on_confirm_retried_by_new_confirm() {
    let mut app = App::logged_in();
    app.open_review("10010");
    let (agreement, _) = expect_prepare(app.press("Tab Enter"));
    let busy = JournalTrouble::Busy("by a backup".into());
    let result = Err(NotDone::Journal(busy.clone()));
    app.deliver(Msg::Prepared {
        key: agreement.key,
        result,
    });
    assert!(matches!(app.top(), Layer::Withdraw(Flow::Form(_))));
    assert_eq!(
        without_list_loads(app.press("Ctrl-S")).len(),
        1,
        "it looks for what the review mentions"
    );
    assert!(matches!(app.top(), Layer::Withdraw(Flow::Review(_))));
}

#[test]
fn busy_journal_attempt_sendable_after_reload() {
    let mut app = App::logged_in();
    let key = app.send_withdrawal("10010").agreement.key;
    let trouble = Failure::Journal(JournalTrouble::Busy("by a backup".into()));
    let effects = app.deliver(Msg::AttemptTrouble {
        key,
        withdrawal: None,
        trouble,
    });
    assert_eq!(
        app.resend(),
        vec![],
        "as long as nobody knows that it is free"
    );
    app.advance_ms(QUIET_MS);
    let [Effect::Money(Load(request))] = &effects[..] else {
        panic!("{effects:?}")
    };
    let result = Ok(Snapshot::default());
    app.deliver(Msg::WithdrawalsLoaded {
        ticket: request.ticket,
        result,
    });
    assert_eq!(app.resend(), attempt_effects(key));
}

#[test]
fn attempt_that_did_not_begin_is_still_prepared() {
    let mut app = App::logged_in();
    let withdrawal = app.send_withdrawal("10010");
    let key = withdrawal.agreement.key;
    let trouble = Failure::NotSent(NotSent::Busy);
    app.deliver(Msg::AttemptTrouble {
        key,
        withdrawal: None,
        trouble,
    });
    assert_eq!(state(&app), WithdrawalState::Prepared);
    assert_eq!(app.resend(), attempt_effects(key));
}

#[test]
fn closed_sending_screen_does_not_stop_attempt() {
    let mut app = App::logged_in();
    let withdrawal = app.send_withdrawal("10010");
    assert_eq!(app.press("Esc"), vec![]);
    assert!(app.model.layers.is_empty());
    assert_eq!(
        app.model.withdrawals.in_flight,
        Some(withdrawal.agreement.key)
    );
    let effects = app.deliver(Msg::Settled(Box::new(with_attempt(
        &withdrawal,
        &app.now.clone(),
        TIMED_OUT,
    ))));
    assert!(matches!(effects[..], [Effect::Money(Load(_))]));
    assert!(app.model.layers.is_empty());
    assert_eq!(app.model.withdrawals.in_flight, None);
}

#[test]
fn quit_with_money_in_flight_asks_stays_by_default() {
    for quit in ["Esc q", "Ctrl-C"] {
        let mut app = App::logged_in();
        let withdrawal = app.send_withdrawal("10010");
        assert_eq!(app.press(quit), vec![]);
        assert_eq!(app.press("Enter"), vec![]);
        assert!(!app.model.leaving);
        app.press(quit);
        app.press("Ctrl-C Ctrl-C F1 Ctrl-C");
        let asks = app
            .model
            .layers
            .iter()
            .filter(|layer| matches!(layer, Layer::Dialog(_)));
        assert_eq!(asks.count(), 1);
        // The send attempt has ended, so the dialog that asks about quitting closes.
        app.settle(&withdrawal, TIMED_OUT);
        assert!(
            !app.model
                .layers
                .iter()
                .any(|layer| matches!(layer, Layer::Dialog(_)))
        );
    }
    let mut app = App::logged_in();
    app.send_withdrawal("10010");
    assert_eq!(app.press("Ctrl-C Tab Enter"), vec![Effect::Leave]);
    assert!(app.model.leaving);
}

#[test]
fn second_stays_prepared_while_first_in_flight() {
    let mut app = App::logged_in();
    let first = app.send_withdrawal("10010");
    app.press("Esc");
    app.open_review("500");
    let (agreement, _) = expect_prepare(app.press("Tab Enter"));
    let result = Ok(Box::new(prepared_withdrawal(&agreement)));
    let effects = app.deliver(Msg::Prepared {
        key: agreement.key,
        result,
    });
    assert_eq!(without_list_loads(effects), vec![]);
    assert_eq!(
        outcome_details(&app).trouble,
        Some(Failure::NotSent(NotSent::Busy))
    );
    assert_eq!(app.model.withdrawals.in_flight, Some(first.agreement.key));
    assert_eq!(app.resend(), vec![]);
}

#[test]
fn begun_attempt_is_shown_as_sending() {
    let mut app = App::logged_in();
    let withdrawal = app.send_withdrawal("10010");
    let effects = app.deliver(Msg::AttemptBegan {
        key: withdrawal.agreement.key,
        n: 1,
    });
    assert!(matches!(effects[..], [Effect::Money(Load(_))]));
    let Layer::Withdraw(Flow::Sending { withdrawal, .. }) = app.top() else {
        panic!()
    };
    assert_eq!(app.model.state_of(withdrawal), WithdrawalState::Sending(1));
}

#[test]
fn decision_asks_with_harmless_first_button() {
    let mut app = App::logged_in();
    let withdrawal = app.send_withdrawal("10010");
    let key = withdrawal.agreement.key;
    let lost = app.settle(&withdrawal, TIMED_OUT);
    assert_eq!(app.press("f Enter"), vec![]);
    let effects = app.press("f Tab Enter");
    assert_eq!(effects, decide_effects(key, Decision::FoundPaid));
    let mut found = lost.clone();
    found.decision = Some((Decision::FoundPaid, app.now.wall));
    app.deliver(Msg::Decided {
        key,
        result: Ok(Box::new(found)),
    });
    assert_eq!(state(&app), WithdrawalState::ResolvedPaid);
}

#[test]
fn prepared_withdrawal_is_discarded_after_question() {
    let (mut app, withdrawal) = App::with_outcome(Class::Unauthorized);
    assert_eq!(app.press("X"), vec![]);
    assert!(matches!(app.top(), Layer::Dialog(a) if matches!(a.question, Question::Discard(_))));
    let key = withdrawal.agreement.key;
    assert_eq!(
        app.press("Right Enter"),
        decide_effects(key, Decision::Discarded)
    );
}

#[test]
fn journal_trouble_allows_only_looking() {
    let mut app = App::logged_in();
    let trouble = JournalTrouble::Damaged("x".into());
    app.deliver_withdrawals(Err(trouble));
    app.press("3");
    assert!(!app.offers(Action::New));
    app.press("n");
    assert!(app.model.layers.is_empty());
    assert_eq!(app.model.pane, Pane::Withdrawals);
}

#[test]
fn prepared_not_sendable_beside_other_open_withdrawal() {
    let (mut app, sent) = App::with_outcome(Class::Unauthorized);
    app.log_in();
    assert!(app.offers(Action::Send));
    let now = app.now.clone();
    app.load_unknown_withdrawal(7, 500);
    assert!(!app.offers(Action::Send));
    assert_eq!(app.resend(), vec![]);
    // An open withdrawal of another account does not block this withdrawal.
    let mut others = unknown_withdrawal(7, 500, &now);
    others.agreement.account.identity = "another".into();
    app.load_open_withdrawals(vec![others]);
    app.advance_ms(QUIET_MS);
    assert_eq!(app.resend(), attempt_effects(sent.agreement.key));
}

#[test]
fn journal_clash_names_other_withdrawal() {
    let mut app = App::logged_in();
    let sent = app.send_withdrawal("10010");
    let other = Box::new(unknown_withdrawal(7, 500, &app.now));
    let clash = Failure::Blocked(Blocker::Clash(Clash {
        kind: ClashKind::OtherOpen,
        other,
    }));
    let key_sent = sent.agreement.key;
    let withdrawal = Some(Box::new(sent));
    let msg = Msg::AttemptTrouble {
        key: key_sent,
        withdrawal,
        trouble: clash.clone(),
    };
    app.deliver(msg);
    assert_eq!(outcome_details(&app).trouble, Some(clash));
    assert_eq!(state(&app), WithdrawalState::Prepared);
    // The app treats the other withdrawal as open immediately, and a key opens it.
    assert!(!app.offers(Action::Send));
    app.press("Ctrl-O");
    assert!(matches!(app.top(), Layer::Withdrawal(it) if it.withdrawal.agreement.key == key(7)));
}

#[test]
fn outcome_reported_if_other_screen_is_in_front() {
    let notice_after = |keys: &str, class: Class| {
        let mut app = App::logged_in();
        let withdrawal = app.begin_attempt();
        app.press(keys);
        app.settle(&withdrawal, class);
        app.model.notice.clone()
    };
    let settled_notice = |state| {
        Some(Notice::Settled {
            amount: brl(10_010),
            state,
        })
    };
    for (class, state) in [
        (ACCEPTED, WithdrawalState::Accepted),
        (Class::DefiniteNo, WithdrawalState::Rejected),
        (
            Class::NotSent(NotSent::NoCredential),
            WithdrawalState::Prepared,
        ),
    ] {
        assert_eq!(
            notice_after("Esc 1", class.clone()),
            settled_notice(state.clone())
        );
        assert_eq!(
            notice_after("Esc", class.clone()),
            settled_notice(state),
            "its row alone is easily missed"
        );
        assert_eq!(
            notice_after("F1 Esc", class),
            None,
            "its own screen says it"
        );
    }
    assert_eq!(
        notice_after("Esc 1", TIMED_OUT),
        None,
        "the banner has it until it is decided"
    );
}
