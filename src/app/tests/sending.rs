//! Tests of sending a withdrawal, from the seller's confirmation to the outcome.

use super::*;
use crate::app::MoneyCommand::Load;
use crate::app::screens::withdrawals::Details;

impl App {
    /// Sends a withdrawal, and reports that the attempt to send it has begun.
    fn begins(&mut self) -> Withdrawal {
        let sent = self.sends("10010");
        self.tell(Msg::AttemptBegan { key: sent.agreement.key, n: 1 });
        sent
    }
}

fn outcome(app: &App) -> &Details {
    match app.top() {
        Layer::Withdraw(Flow::Outcome(outcome)) => outcome,
        other => panic!("no outcome but {other:?}"),
    }
}

pub(super) fn state(app: &App) -> WithdrawalState {
    app.model.state_of(&outcome(app).withdrawal)
}

/// Returns the effects without the requests to load the list of withdrawals.
fn done(wanted: Vec<Effect>) -> Vec<Effect> {
    wanted.into_iter().filter(|effect| !matches!(effect, Effect::Money(Load(_)))).collect()
}

#[test]
fn nothing_is_sent_before_the_journal_has_it() {
    let mut app = App::open();
    app.reviews("10010");
    app.keys("Tab Enter");
    // Before the journal has stored the withdrawal, it cannot be sent by a key, or by a reply about
    // another withdrawal.
    assert_eq!(app.keys("Enter Ctrl-S s 1 Esc Tab"), vec![]);
    let other = Box::new(unknown(9, 1, &app.now));
    assert_eq!(done(app.tell(Msg::Prepared { key: key(9), result: Ok(other) })), vec![]);
    assert!(matches!(app.top(), Layer::Withdraw(Flow::Preparing { .. })));
}

#[test]
fn journal_refusal_returns_to_draft_and_reloads() {
    let trouble = JournalTrouble::Missing;
    let other = Box::new(unknown(7, 500, &App::open().now));
    let clash = |kind| Refused::LookAgain(Some(Clash { kind, other: other.clone() }));
    for refused in [
        Refused::LookAgain(None),
        clash(ClashKind::OtherOpen),
        clash(ClashKind::SameDecided),
        Refused::Journal(trouble),
    ] {
        let mut app = App::open();
        app.reviews("10010");
        let (agreement, _) = agreed(app.keys("Tab Enter"));
        let result = Err(refused.clone());
        let wanted = app.tell(Msg::Prepared { key: agreement.key, result });
        assert!(matches!(wanted[..], [Effect::Money(Load(_))]), "{wanted:?}");
        assert_eq!(app.draft().refused, Some(refused));
        assert_eq!(app.draft().form.value("key"), "11144477735");
        assert_eq!(app.model.withdrawals.in_flight, None);
    }
}

#[test]
fn settled_state_shown_in_list_before_reload() {
    for (class, known, open) in
        [(ACCEPTED, WithdrawalState::Accepted, 0), (LOST, WithdrawalState::Unknown, 1)]
    {
        let mut app = App::open();
        let sent = app.sends("10010");
        app.has_open(vec![on_its_way(&sent, &app.now)]);
        app.settles(&sent, class);
        let withdrawals = &app.model.withdrawals;
        assert_eq!(app.model.state_of(&withdrawals.list.page.rows[0]), known);
        assert_eq!(withdrawals.open.len(), open);
    }
}

#[test]
fn each_outcome_shows_state_and_safe_steps() {
    use Action::*;
    let alarm = Alarm::Amount { sent: brl(1), got: brl(2) };
    let said = SaysFailed { member: "status".into(), word: "failed".into() };
    let table = [
        (ACCEPTED, "accepted", vec![Repeat, Receipt]),
        (Class::DefiniteNo, "rejected", vec![Repeat]),
        (Class::Unauthorized, "prepared", vec![LogIn, Discard]),
        (Class::Throttled { retry_after: None }, "prepared", vec![Send, Discard]),
        (Class::NotSent(NotSent::Dns), "prepared", vec![Send, Discard]),
        (LOST, "unknown", vec![Send, Check, Found]),
        (Class::Redirected, "needs-person", vec![Check, Found]),
        (Class::KeyReused, "needs-person", vec![Check, Found]),
        (Class::SaysFailed(said), "needs-person", vec![Check, Found]),
        (Class::Unclear(Unclear::NoSign), "unknown", vec![Send, Check, Found]),
        (Class::Alarm(alarm), "mismatch", vec![Check, Found]),
    ];
    for (class, name, steps) in table {
        let (app, _) = App::settled(class.clone());
        assert_eq!(state(&app).name(), name, "{class:?}");
        // These actions are offered in every state. An accepted withdrawal adds the action that
        // records the amount that arrived.
        let arrived = if name == "accepted" { vec![Arrived] } else { vec![] };
        let always = vec![Copy, Open, Refresh, Nickname];
        assert_eq!(
            app.offered(),
            [steps, always, arrived, vec![Related, Back]].concat(),
            "{class:?}"
        );
        assert_eq!(app.model.withdrawals.in_flight, None);
    }
}

#[test]
fn same_key_resent_only_by_key_press_in_window() {
    let mut app = App::open();
    let withdrawal = app.sends("10010");
    let name = withdrawal.agreement.key;
    app.settles(&withdrawal, LOST);
    assert_eq!(app.rests(5_000), vec![]);
    assert_eq!(app.resends(), attempt(name));
    assert_eq!(app.keys("s s Enter"), vec![]);
    app.settles(&withdrawal, LOST);
    app.passes(570_001);
    app.tell(Msg::Pulse);
    assert_eq!(app.resends(), vec![]);
    assert_eq!(state(&app).name(), "needs-person");
}

#[test]
fn decided_withdrawal_is_never_resent() {
    for class in [ACCEPTED, Class::DefiniteNo] {
        let (mut app, _) = App::settled(class);
        assert_eq!(app.keys("s X f"), vec![]);
    }
}

#[test]
fn a_throttled_one_waits_as_long_as_the_service_asked() {
    let mut app = App::open();
    let withdrawal = app.sends("10010");
    let retry_after = Some(Duration::from_secs(20));
    app.settles(&withdrawal, Class::Throttled { retry_after });
    assert!(app.offers(Action::Discard) && !app.offers(Action::Send));
    assert_eq!(app.resends(), vec![]);
    assert!(next_deadline(&app.model).is_some());
    app.passes(20_000);
    assert_eq!(app.resends(), attempt(withdrawal.agreement.key));
}

#[test]
fn refused_token_resends_same_key_after_login() {
    let (mut app, withdrawal) = App::settled(Class::Unauthorized);
    assert_eq!(app.resends(), vec![]);
    assert!(!matches!(app.top(), Layer::Login(_)), "nothing is offered that cannot be sent");
    app.keys("L");
    assert!(matches!(app.top(), Layer::Login(_)));
    app.logs_in_again();
    assert_eq!(app.resends(), attempt(withdrawal.agreement.key));
}

#[test]
fn trouble_with_a_later_attempt_blames_no_fresh_token() {
    let mut app = App::open();
    let withdrawal = app.sends("10010");
    let refused = app.settles(&withdrawal, Class::Unauthorized);
    app.model.session.api_token = held(SELLER);
    app.resends();
    app.tell(Msg::AttemptTrouble {
        key: withdrawal.agreement.key,
        withdrawal: Some(Box::new(refused)),
        trouble: Failure::NotSent(NotSent::Busy),
    });
    assert!(matches!(app.model.session.api_token, Credential::Held(_)));
    assert_eq!(outcome(&app).trouble, Some(Failure::NotSent(NotSent::Busy)));
}

#[test]
fn unrecorded_outcome_is_unknown_and_never_unsent() {
    let mut app = App::open();
    let name = app.begins().agreement.key;
    let trouble = unrecorded(202, ACCEPTED);
    let told = trouble.clone();
    app.tell(Msg::AttemptTrouble { key: name, withdrawal: None, trouble: told });
    assert_eq!(state(&app), WithdrawalState::Unknown);
    assert_eq!(outcome(&app).trouble, Some(trouble));
    assert_eq!(app.keys("s X"), vec![]);
    let full = JournalTrouble::Full("no room".into());
    assert_eq!(app.model.withdrawals.trouble, Some(full));
}

#[test]
fn unrecorded_outcome_reported_after_screen_closed() {
    let mut app = App::open();
    let withdrawal = app.begins();
    let key = withdrawal.agreement.key;
    app.keys("Esc");
    let known = Box::new(on_its_way(&withdrawal, &app.now));
    let trouble = unrecorded(202, ACCEPTED);
    let told = Msg::AttemptTrouble { key, withdrawal: Some(known), trouble: trouble.clone() };
    app.tell(told);
    assert_eq!(app.model.notice, Some(Notice::Sending(trouble)));
    assert_eq!(app.model.withdrawals.open.len(), 1, "nobody knows whether it was paid");
    assert_eq!(app.model.withdrawals.in_flight, None);
}

#[test]
fn delayed_outcome_locks_withdrawals_until_written() {
    let mut app = App::open();
    let withdrawal = app.begins();
    let key = withdrawal.agreement.key;
    let held = JournalTrouble::Busy("by a backup".into());
    let Failure::Unrecorded { n, end, .. } = unrecorded(202, ACCEPTED) else { panic!() };
    let trouble = Failure::Unrecorded { n, end, trouble: held.clone() };
    let told = trouble.clone();
    let wanted = app.tell(Msg::AttemptTrouble { key, withdrawal: None, trouble: told });
    let [Effect::Money(Load(ask))] = &wanted[..] else { panic!("{wanted:?}") };
    let read = Snapshot { locked: Some(held), ..Snapshot::default() };
    app.tell(Msg::WithdrawalsLoaded { ticket: ask.ticket, result: Ok(read) });
    assert_eq!(outcome(&app).trouble, Some(trouble));
    assert_eq!((state(&app), app.keys("s X")), (WithdrawalState::Unknown, vec![]));

    let written = attempted(&withdrawal, &app.now.clone(), ACCEPTED);
    let wanted = app.tell(Msg::Settled(Box::new(written)));
    assert_eq!((state(&app), &outcome(&app).trouble), (WithdrawalState::Accepted, &None));
    let [Effect::Money(Load(ask))] = &wanted[..] else { panic!("{wanted:?}") };
    let (ticket, result) = (ask.ticket, Ok(Snapshot::default()));
    app.tell(Msg::WithdrawalsLoaded { ticket, result });
    assert_eq!(app.model.withdrawals.trouble, None);
}

#[test]
fn unrecorded_401_still_marks_credential_refused() {
    for (status, class, is_refused) in [(202, ACCEPTED, false), (401, Class::Unauthorized, true)] {
        let mut app = App::open();
        let key = app.begins().agreement.key;
        let trouble = unrecorded(status, class);
        app.tell(Msg::AttemptTrouble { key, withdrawal: None, trouble });
        let token = &app.model.session.api_token;
        assert_eq!(matches!(token, Credential::Refused(_)), is_refused, "{token:?}");
        assert_eq!(state(&app), WithdrawalState::Unknown, "what is not on disk proves nothing");
    }
}

#[test]
fn an_end_that_was_held_up_blames_no_login_made_since() {
    for class in [Class::Unauthorized, Class::NotSent(NotSent::NoCredential)] {
        let mut app = App::open();
        let withdrawal = app.begins();
        let key = withdrawal.agreement.key;
        let trouble = unrecorded(401, class.clone());
        app.tell(Msg::AttemptTrouble { key, withdrawal: None, trouble });
        assert!(!matches!(app.model.session.api_token, Credential::Held(_)));
        app.model.session.api_token = held(SELLER);
        let written = attempted(&withdrawal, &app.now.clone(), class);
        app.tell(Msg::Settled(Box::new(written)));
        assert!(matches!(app.model.session.api_token, Credential::Held(_)));
    }
}

/// Returns the failure of a send attempt whose outcome could not be stored because the disk is
/// full.
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
    let mut app = App::open();
    app.reviews("10010");
    let (agreement, _) = agreed(app.keys("Tab Enter"));
    let held = JournalTrouble::Busy("by a backup".into());
    let result = Err(Refused::Journal(held.clone()));
    app.tell(Msg::Prepared { key: agreement.key, result });
    assert!(matches!(app.top(), Layer::Withdraw(Flow::Form(_))));
    assert_eq!(done(app.keys("Ctrl-S")).len(), 1, "it looks for what the review mentions");
    assert!(matches!(app.top(), Layer::Withdraw(Flow::Review(_))));
}

#[test]
fn busy_journal_attempt_sendable_after_reload() {
    let mut app = App::open();
    let key = app.sends("10010").agreement.key;
    let trouble = Failure::Journal(JournalTrouble::Busy("by a backup".into()));
    let wanted = app.tell(Msg::AttemptTrouble { key, withdrawal: None, trouble });
    assert_eq!(app.resends(), vec![], "as long as nobody knows that it is free");
    let [Effect::Money(Load(ask))] = &wanted[..] else { panic!("{wanted:?}") };
    let result = Ok(Snapshot::default());
    app.tell(Msg::WithdrawalsLoaded { ticket: ask.ticket, result });
    assert_eq!(app.resends(), attempt(key));
}

#[test]
fn an_attempt_that_did_not_begin_is_still_prepared() {
    let mut app = App::open();
    let withdrawal = app.sends("10010");
    let key = withdrawal.agreement.key;
    let trouble = Failure::NotSent(NotSent::Busy);
    app.tell(Msg::AttemptTrouble { key, withdrawal: None, trouble });
    assert_eq!(state(&app), WithdrawalState::Prepared);
    assert_eq!(app.resends(), attempt(key));
}

#[test]
fn a_send_can_be_left_and_goes_on() {
    let mut app = App::open();
    let withdrawal = app.sends("10010");
    assert_eq!(app.keys("Esc"), vec![]);
    assert!(app.model.layers.is_empty());
    assert_eq!(app.model.withdrawals.in_flight, Some(withdrawal.agreement.key));
    let wanted = app.tell(Msg::Settled(Box::new(attempted(&withdrawal, &app.now.clone(), LOST))));
    assert!(matches!(wanted[..], [Effect::Money(Load(_))]));
    assert!(app.model.layers.is_empty());
    assert_eq!(app.model.withdrawals.in_flight, None);
}

#[test]
fn quit_with_money_in_flight_asks_stays_by_default() {
    for quit in ["Esc q", "Ctrl-C"] {
        let mut app = App::open();
        let withdrawal = app.sends("10010");
        assert_eq!(app.keys(quit), vec![]);
        assert_eq!(app.keys("Enter"), vec![]);
        assert!(!app.model.leaving);
        app.keys(quit);
        app.keys("Ctrl-C Ctrl-C F1 Ctrl-C");
        let asks = app.model.layers.iter().filter(|layer| matches!(layer, Layer::Dialog(_)));
        assert_eq!(asks.count(), 1);
        // The send attempt has ended, so the dialog that asks about quitting closes.
        app.settles(&withdrawal, LOST);
        assert!(!app.model.layers.iter().any(|layer| matches!(layer, Layer::Dialog(_))));
    }
    let mut app = App::open();
    app.sends("10010");
    assert_eq!(app.keys("Ctrl-C Tab Enter"), vec![Effect::Leave]);
    assert!(app.model.leaving);
}

#[test]
fn second_stays_prepared_while_first_in_flight() {
    let mut app = App::open();
    let first = app.sends("10010");
    app.keys("Esc");
    app.reviews("500");
    let (agreement, _) = agreed(app.keys("Tab Enter"));
    let result = Ok(Box::new(prepared(&agreement)));
    let wanted = app.tell(Msg::Prepared { key: agreement.key, result });
    assert_eq!(done(wanted), vec![]);
    assert_eq!(outcome(&app).trouble, Some(Failure::NotSent(NotSent::Busy)));
    assert_eq!(app.model.withdrawals.in_flight, Some(first.agreement.key));
    assert_eq!(app.resends(), vec![]);
}

#[test]
fn a_begun_attempt_is_seen_in_every_pane_as_open() {
    let mut app = App::open();
    let withdrawal = app.sends("10010");
    let wanted = app.tell(Msg::AttemptBegan { key: withdrawal.agreement.key, n: 1 });
    assert!(matches!(wanted[..], [Effect::Money(Load(_))]));
    let Layer::Withdraw(Flow::Sending { withdrawal, .. }) = app.top() else { panic!() };
    assert_eq!(app.model.state_of(withdrawal), WithdrawalState::Sending(1));
}

#[test]
fn decision_asks_with_harmless_first_button() {
    let mut app = App::open();
    let withdrawal = app.sends("10010");
    let name = withdrawal.agreement.key;
    let lost = app.settles(&withdrawal, LOST);
    assert_eq!(app.keys("f Enter"), vec![]);
    let wanted = app.keys("f Tab Enter");
    assert_eq!(wanted, decide(name, Decision::FoundPaid));
    let mut found = lost.clone();
    found.decision = Some((Decision::FoundPaid, app.now.wall));
    app.tell(Msg::Decided { key: name, result: Ok(Box::new(found)) });
    assert_eq!(state(&app), WithdrawalState::ResolvedPaid);
}

#[test]
fn a_prepared_one_is_discarded_only_after_a_question() {
    let (mut app, withdrawal) = App::settled(Class::Unauthorized);
    assert_eq!(app.keys("X"), vec![]);
    assert!(matches!(app.top(), Layer::Dialog(a) if matches!(a.question, Question::Discard(_))));
    let key = withdrawal.agreement.key;
    assert_eq!(app.keys("Right Enter"), decide(key, Decision::Discarded));
}

#[test]
fn journal_trouble_locks_every_step_but_looking() {
    let mut app = App::open();
    let trouble = JournalTrouble::Damaged("x".into());
    app.journal_says(Err(trouble));
    app.keys("3");
    assert!(!app.offers(Action::New));
    app.keys("n");
    assert!(app.model.layers.is_empty());
    assert_eq!(app.model.pane, Pane::Withdrawals);
}

#[test]
fn prepared_not_sendable_beside_other_open_withdrawal() {
    let (mut app, sent) = App::settled(Class::Unauthorized);
    app.log_in();
    assert!(app.offers(Action::Send));
    let now = app.now.clone();
    app.has_unknown(7, 500);
    assert!(!app.offers(Action::Send));
    assert_eq!(app.resends(), vec![]);
    // An open withdrawal of another account does not block this withdrawal.
    let mut others = unknown(7, 500, &now);
    others.agreement.account.identity = "another".into();
    app.has_open(vec![others]);
    assert_eq!(app.resends(), attempt(sent.agreement.key));
}

#[test]
fn journal_clash_names_other_withdrawal() {
    let mut app = App::open();
    let sent = app.sends("10010");
    let other = Box::new(unknown(7, 500, &app.now));
    let clash = Failure::Clash(Clash { kind: ClashKind::OtherOpen, other });
    let key_sent = sent.agreement.key;
    let withdrawal = Some(Box::new(sent));
    let said = Msg::AttemptTrouble { key: key_sent, withdrawal, trouble: clash.clone() };
    app.tell(said);
    assert_eq!(outcome(&app).trouble, Some(clash));
    assert_eq!(state(&app), WithdrawalState::Prepared);
    // The app treats the other withdrawal as open immediately, and a key opens it.
    assert!(!app.offers(Action::Send));
    app.keys("Ctrl-O");
    assert!(matches!(app.top(), Layer::Withdrawal(it) if it.withdrawal.agreement.key == key(7)));
}

#[test]
fn outcome_reported_if_other_screen_is_in_front() {
    let settles = |keys: &str, class: Class| {
        let mut app = App::open();
        let withdrawal = app.begins();
        app.keys(keys);
        app.settles(&withdrawal, class);
        app.model.notice.clone()
    };
    let said = |state| Some(Notice::Settled { amount: brl(10_010), state });
    for (class, state) in [
        (ACCEPTED, WithdrawalState::Accepted),
        (Class::DefiniteNo, WithdrawalState::Rejected),
        (Class::NotSent(NotSent::NoCredential), WithdrawalState::Prepared),
    ] {
        assert_eq!(settles("Esc 1", class.clone()), said(state.clone()));
        assert_eq!(settles("Esc", class.clone()), said(state), "its row alone is easily missed");
        assert_eq!(settles("F1 Esc", class), None, "its own screen says it");
    }
    assert_eq!(settles("Esc 1", LOST), None, "the banner has it until it is decided");
}
