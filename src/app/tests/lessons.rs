//! Tests of teaching from the reply to a withdrawal that is still open: where its code and its
//! state are. The withdrawal stays open, and only the next one is recognized.

use super::*;
use crate::app::message::TaughtContract;
use crate::app::store::requests;
use crate::app::store::teaching::{TeachScope, may_save};
use crate::contract::{SettingValue, TaughtSetting};

/// The reply of a service whose names no default reads.
const REPLY: &str = r#"{"data":{"payout_code":"po_123","state":"QUEUED"},
    "meta":{"request_id":"req_9","served_at":"2026-11-21T13:42:07Z"}}"#;

/// Creates the HTTP exchange that sent this withdrawal.
fn exchange_of(withdrawal: &Withdrawal, status: u16, body: &str) -> Exchange {
    let header = (
        "idempotency-key".into(),
        withdrawal.agreement.key_header.to_string(),
    );
    Exchange {
        request_headers: vec![header],
        request_body: Some(withdrawal.agreement.body.to_string()),
        ..exchange(Operation::Withdrawal, status, body)
    }
}

/// The withdrawal with one more attempt, which got a reply with this status.
fn with_reply(withdrawal: &Withdrawal, now: &Clocks, class: Class, status: u16) -> Withdrawal {
    let mut withdrawal = with_attempt(withdrawal, now, class);
    let end = withdrawal
        .attempts
        .last_mut()
        .and_then(|attempt| attempt.end.as_mut());
    end.unwrap().status = Some(status);
    withdrawal
}

/// Creates an app that shows a withdrawal whose only attempt got this reply.
fn app_with_reply(class: Class, status: u16, body: &str) -> (App, Withdrawal) {
    let mut app = App::logged_in();
    let sent = app.send_withdrawal("10000");
    app.deliver_exchange(exchange_of(&sent, status, body));
    let settled = with_reply(&sent, &app.now, class, status);
    app.deliver(Msg::Settled(Box::new(settled.clone())));
    (app, settled)
}

const NO_SIGN: Class = Class::Unclear(Unclear::NoSign);
const OTHER_SUCCESS: Class = Class::Unclear(Unclear::OtherSuccess);

fn is_teaching(app: &App) -> bool {
    matches!(app.model.layers.last(), Some(Layer::Teach(_)))
}

/// The text of the front screen without line breaks.
fn text(app: &App) -> String {
    let lines = exchange_rows::lines(app).join(" ");
    lines.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn taught_lines(effects: &[Effect]) -> (Ticket, Vec<TaughtSetting>) {
    let [Effect::Teach { ticket, lines, .. }] = effects else {
        panic!("{effects:?}")
    };
    (*ticket, lines.clone())
}

fn deliver_taught(app: &mut App, ticket: Ticket, lines: &[TaughtSetting]) {
    let before = app.model.setup.contract.clone();
    let agreed = Some(before.agreed_after_teaching(app.model.agreed_settings.as_ref(), lines));
    let contract = Arc::new(before.with_taught(lines).unwrap());
    let result = Ok(TaughtContract {
        contract,
        agreed,
        file: Some("/srv/loja.toml".into()),
    });
    app.deliver(Msg::Taught { ticket, result });
}

#[test]
fn code_of_an_open_withdrawal_is_taught_and_shown() {
    let (mut app, withdrawal) = app_with_reply(NO_SIGN, 201, REPLY);
    let question = "O serviço respondeu 201. Onde está o código do saque? Ctrl-T mostra";
    assert!(text(&app).contains(question), "{}", text(&app));
    app.press("Ctrl-T");
    assert!(
        text(&app).contains("Onde está o código do saque?"),
        "{}",
        text(&app)
    );
    app.press("Enter");
    // Only one value can be the state.
    assert!(text(&app).contains("o estado: QUEUED"), "{}", text(&app));
    let (ticket, lines) = taught_lines(&app.press("Enter"));
    let names: Vec<_> = lines.iter().map(|line| &*line.name).collect();
    assert_eq!(
        names,
        ["withdrawal.id", "withdrawal.not_ids", "withdrawal.status"]
    );
    deliver_taught(&mut app, ticket, &lines);
    // The outcome is as unknown as before.
    assert_eq!(app.model.state_of(&withdrawal), WithdrawalState::Unknown);
    assert!(
        !is_teaching(&app) && !text(&app).contains(question),
        "{}",
        text(&app)
    );
    assert!(
        text(&app).contains("po_123 (QUEUED: não prova que pagou)"),
        "{}",
        text(&app)
    );
    app.press("c");
    assert!(
        text(&app).contains("po_123 (QUEUED: não prova que pagou)"),
        "{}",
        text(&app)
    );
    let copies = (0..5).flat_map(|_| [app.press("y"), app.press("Down")].concat());
    let copies: Vec<_> = copies.collect();
    let copy = Effect::Copy(
        Clip::LookupHint(LookupHintKind::UnprovenCode),
        "po_123".into(),
    );
    assert!(copies.contains(&copy), "{copies:?}");
    app.press("f");
    assert!(
        text(&app).contains("Código no serviço: po_123"),
        "{}",
        text(&app)
    );
    app.press("Esc");
    assert_eq!(found(&mut app, &withdrawal), None);
    assert!(
        text(&app).contains("po_123 (QUEUED: não prova que pagou)"),
        "{}",
        text(&app)
    );
}

#[test]
fn only_code_and_state_are_taught_while_open() {
    let (mut app, _) = app_with_reply(NO_SIGN, 201, REPLY);
    app.press("Ctrl-T Esc");
    let shown = text(&app);
    assert!(
        is_teaching(&app) && shown.contains("Este saque continua em aberto."),
        "{shown}"
    );
    for locked in [
        "Na solicitação vai",
        "campo novo",
        "o comprovante",
        "o valor repetido",
    ] {
        assert!(!shown.contains(locked), "{locked}: {shown}");
    }
}

#[test]
fn lesson_without_a_sign_is_refused_in_words() {
    for (body, words) in [
        (
            r#"{"request_id":"r-100"}"#,
            "o código da solicitação, não o do saque",
        ),
        (r#"{"codigo":"***4711"}"#, "não veio inteiro"),
        (
            r#"{"codigo":"po_123","x":{"state":"REJECTED"}}"#,
            "diz “REJECTED”",
        ),
        (r#"{"message":"ok"}"#, "não é um código"),
        (r#"{"total":100.00}"#, "enviado por você"),
    ] {
        let (mut app, _) = app_with_reply(NO_SIGN, 201, body);
        app.press("Ctrl-T g Down");
        assert_eq!(app.press("Enter"), vec![], "{body}");
        assert!(
            is_teaching(&app) && text(&app).contains(words),
            "{body}: {}",
            text(&app)
        );
    }
    // The state can be left out only if the reply has none.
    let two_states = r#"{"payout_code":"po_123","state":"QUEUED","batch":{"state":"OPEN"}}"#;
    let (mut app, _) = app_with_reply(NO_SIGN, 201, two_states);
    app.press("Ctrl-T Enter");
    assert!(text(&app).contains("Onde está o estado?"), "{}", text(&app));
    app.press("Esc");
    assert_eq!(app.press("Enter"), vec![]);
    assert!(
        text(&app).contains("Falta escolher o estado, em state"),
        "{}",
        text(&app)
    );
}

#[test]
fn reply_of_another_withdrawal_does_not_teach() {
    let open_reply = |is_own: bool, status, body| {
        let (mut app, withdrawal) = app_with_reply(NO_SIGN, 201, REPLY);
        let mut sender = withdrawal.clone();
        if !is_own {
            sender.agreement.key_header = key(9).to_string().into();
        }
        app.deliver_exchange(exchange_of(&sender, status, body));
        app.press("5 g Enter t");
        app
    };
    for (is_own, status, body) in [
        (false, 201, REPLY),
        (true, 422, r#"{"campo":"centro_custo"}"#),
        (true, 200, REPLY),
    ] {
        let app = open_reply(is_own, status, body);
        assert!(!is_teaching(&app), "{is_own} {status}");
        assert_eq!(
            shown_notice(&app),
            Some(&Notice::warn("said-not-taught-open"))
        );
    }
    // Its own reply does, from the list of requests too.
    assert!(is_teaching(&open_reply(true, 201, REPLY)));
}

#[test]
fn reply_from_before_a_restart_teaches_from_requests() {
    let (mut app, withdrawal) = app_with_reply(NO_SIGN, 201, REPLY);
    let stored = app.model.exchanges.pop_front().unwrap();
    assert!(!app.offers(Action::Teach));
    assert!(
        text(&app).contains("Onde está o código do saque? i mostra"),
        "{}",
        text(&app)
    );
    assert_eq!(
        requests::usable_for_teaching(&app.model, &stored),
        Some(stored.clone())
    );
    let other = Arc::new(exchange(Operation::FeePreview, 200, r#"{"sobra":97.95}"#));
    assert_eq!(requests::usable_for_teaching(&app.model, &other), None);
    // Once the withdrawal is decided, its reply is only shown.
    app.load_open_withdrawals(vec![]);
    assert_eq!(requests::usable_for_teaching(&app.model, &stored), None);
    assert_eq!(app.model.state_of(&withdrawal), WithdrawalState::Unknown);
}

#[test]
fn contradicted_withdrawal_is_not_taught_from() {
    let says_failed = SaysFailed {
        member: "status".into(),
        word: "failed".into(),
    };
    let got = brl(1);
    let alarm = Alarm::Amount {
        sent: brl(10_000),
        got,
    };
    for class in [
        Class::SaysFailed(says_failed),
        Class::Alarm(alarm.clone()),
        Class::Unclear(Unclear::EchoDiffers(alarm)),
        Class::Unclear(Unclear::Unreadable),
        OTHER_SUCCESS,
        Class::Redirected,
        TIMED_OUT,
    ] {
        let (mut app, _) = app_with_reply(class.clone(), 201, REPLY);
        assert!(!app.offers(Action::Teach), "{class:?}");
        assert!(!text(&app).contains("Onde está o código"), "{class:?}");
        app.press("5 g Enter t");
        assert!(!is_teaching(&app), "{class:?}");
    }
    // Once it is too late to send it again, its reply can still be taught from.
    let (mut app, withdrawal) = app_with_reply(NO_SIGN, 201, REPLY);
    app.advance_ms(60 * 60 * 1_000);
    app.deliver(Msg::Pulse);
    assert!(matches!(
        app.model.state_of(&withdrawal),
        WithdrawalState::NeedsPerson(_)
    ));
    app.press("Ctrl-T");
    assert!(is_teaching(&app), "{:?}", app.top());
}

#[test]
fn lesson_ends_when_the_withdrawal_is_sent_again() {
    let (mut app, withdrawal) = app_with_reply(NO_SIGN, 201, REPLY);
    app.press("Ctrl-T");
    assert!(is_teaching(&app));
    // Another window sends it: its reply may confirm it.
    let running = with_running_attempt(&withdrawal, &app.now);
    let elsewhere = vec![running.agreement.key];
    app.deliver_withdrawals(Ok(Snapshot {
        elsewhere,
        ..snapshot(vec![running])
    }));
    assert!(!is_teaching(&app), "{:?}", app.top());
}

/// Reports that the seller found the withdrawal in the account. Returns the question that follows.
fn found(app: &mut App, withdrawal: &Withdrawal) -> Option<Question> {
    let mut found = withdrawal.clone();
    found.decision = Some((Decision::FoundPaid, app.now.wall));
    app.deliver(Msg::Decided {
        key: found.agreement.key,
        result: Ok(Box::new(found)),
    });
    match app.top() {
        Layer::Dialog(dialog) => Some(dialog.question.clone()),
        _ => None,
    }
}

#[test]
fn found_after_empty_reply_asks_if_it_is_always_so() {
    let (mut app, withdrawal) = app_with_reply(OTHER_SUCCESS, 204, "");
    assert!(
        !app.offers(Action::Teach),
        "an empty reply has nothing to choose"
    );
    assert!(matches!(
        found(&mut app, &withdrawal),
        Some(Question::AlwaysEmpty { .. })
    ));
    assert!(
        text(&app).contains("O serviço respondeu 204, sem mais nada"),
        "{}",
        text(&app)
    );
    // The first button is no.
    assert_eq!(app.press("Enter"), vec![]);
    assert!(!matches!(app.top(), Layer::Dialog(_)));
    let (mut app, withdrawal) = app_with_reply(OTHER_SUCCESS, 204, "");
    found(&mut app, &withdrawal);
    app.advance_ms(1_000);
    let (ticket, lines) = taught_lines(&app.press("Tab Enter"));
    let value = SettingValue::Wholes(vec![204]);
    assert_eq!(
        lines,
        [TaughtSetting {
            name: "withdrawal.empty_success".into(),
            value
        }]
    );
    deliver_taught(&mut app, ticket, &lines);
    assert_eq!(found(&mut app, &withdrawal), None, "it is known now");
    // The question is withdrawn if another window opens a withdrawal.
    let (mut app, withdrawal) = app_with_reply(OTHER_SUCCESS, 204, "");
    assert!(found(&mut app, &withdrawal).is_some());
    app.load_unknown_withdrawal(7, 100);
    assert!(!matches!(app.top(), Layer::Dialog(_)), "{:?}", app.top());
}

#[test]
fn unclear_empty_reply_asks_nothing() {
    let unreadable = Class::Unclear(Unclear::Unreadable);
    for (class, status, body) in [
        (NO_SIGN, 200, "{}"),
        (OTHER_SUCCESS, 204, " "),
        (unreadable.clone(), 200, "<html>"),
    ] {
        let (mut app, withdrawal) = app_with_reply(class, status, body);
        assert_eq!(found(&mut app, &withdrawal), None, "{status} {body}");
    }
    // A gateway may have given one of two different replies.
    let (mut app, withdrawal) = app_with_reply(OTHER_SUCCESS, 204, "");
    app.deliver_exchange(exchange_of(&withdrawal, 200, ""));
    let twice = with_reply(&withdrawal, &app.now, unreadable, 200);
    assert_eq!(found(&mut app, &twice), None);
    // Nothing is locked open while another withdrawal may still be sent again.
    let (mut app, withdrawal) = app_with_reply(OTHER_SUCCESS, 204, "");
    let other = unknown_withdrawal(7, 100, &app.now);
    app.load_open_withdrawals(vec![withdrawal.clone(), other]);
    assert_eq!(found(&mut app, &withdrawal), None);
}

#[test]
fn withdrawal_settings_are_locked_while_one_is_open() {
    let unit = |operation: &str| {
        let value = SettingValue::Text("centavos".into());
        vec![TaughtSetting {
            name: format!("{operation}.unit"),
            value,
        }]
    };
    let app = App::logged_in();
    assert!(may_save(
        &app.model,
        TeachScope::Operation,
        &unit("withdrawal")
    ));
    let (app, _) = app_with_reply(Class::Unclear(Unclear::NoSign), 201, REPLY);
    assert!(!may_save(
        &app.model,
        TeachScope::Operation,
        &unit("withdrawal")
    ));
    assert!(may_save(
        &app.model,
        TeachScope::Operation,
        &unit("fee_preview")
    ));
    assert!(may_save(
        &app.model,
        TeachScope::OpenWithdrawal,
        &unit("withdrawal")
    ));
}
