//! App models of the withdrawal screens: the list, the details for every outcome, and the forms in
//! which the seller decides about a withdrawal.

use balcao::app::cx::{Question, Route};
use balcao::app::screen::{Buttons, Focus};
use balcao::app::screens::Layer;
use balcao::app::screens::dialog::Dialog;
use balcao::app::screens::withdrawals::{Details, Flow, NotPaidForm};
use balcao::app::store::session::Credential;
use balcao::app::store::unit::UnitDoubt;
use balcao::app::store::withdrawals::SentByTeam;
use balcao::app::ui::list::List;
use balcao::app::{Model, Pane};
use balcao::contract::Contract;
use balcao::trade::withdrawal::{Approval, Blocker, ClashKind, Decision, NotSent};
use balcao::trade::{
    Agreement, AmountField, Attempt, Author, Clocks, Failure, IdempotencyKey, JournalTrouble,
    ListPage, MaskedReply, Nickname, NoAnswer, Operation, PixKey, PixKeyKind, Quote, Team,
    TeamStatus, Wall, Withdrawal,
};
use balcao::words::Lang;
use std::sync::Arc;
use uuid::Uuid;

use super::forms::{
    body_with_members, clash_of_kind, open_at_other_address, open_with_other_login, other_open,
    set_pix_key,
};
use super::journals;
use super::payments::{account, brl};
use super::replies::{
    AttemptResult, accepted_reply, attempt_end, built_in_contract, echoing_contract, no_answer,
    not_sent, reply, reply_with_message, too_large_reply, with_header,
};
use crate::models::{
    NOW, buffer, open_attempts, open_details, open_guide, open_screen, operators, pane_model,
    press, read_search, text, with_change,
};
use crate::models_requests::exchange;
use crate::said::{journal_busy_failure, unrecorded_failures};

const FIRST_KEY: u128 = 0x3f0e6c1c_7c55_4a8e_9d5a_2f1b6f1e0c9a;

fn clocks(seconds_ago: i64) -> Clocks {
    let boot_ms = 600_000_u64.saturating_sub(seconds_ago as u64 * 1_000);
    Clocks {
        wall: Wall(NOW.0 - seconds_ago * 1_000),
        boot_ms,
        boot_id: "boot".into(),
    }
}

pub fn quote(seconds_ago: i64, fee: Option<i64>, net: Option<i64>) -> Quote {
    let wall = Wall(NOW.0 - seconds_ago * 1_000);
    Quote::new(brl(100_000), fee.map(brl), net.map(brl), wall).unwrap()
}

pub fn agreement(n: u128) -> Agreement {
    let key = IdempotencyKey(Uuid::from_u128(FIRST_KEY + n));
    Agreement {
        key,
        account: account(),
        profile: "demo".into(),
        method: "POST".into(),
        url: "http://127.0.0.1:41873/api/v1/integrations/withdrawals".into(),
        key_header: key.to_string().into(),
        key_header_name: "Idempotency-Key".into(),
        untyped: vec![],
        body: r#"{"amount":1000.00,"pixKeyType":"cpf","pixKey":"11144477735"}"#.into(),
        amount: brl(100_000),
        destination: Some(PixKey::parse(PixKeyKind::Cpf, "11144477735").unwrap()),
        quote: Some(quote(200, Some(1_150), None)),
        agreed: clocks(190),
    }
}

/// Returns an attempt with this result. The built-in API contract determines its class.
pub fn attempt(n: u32, seconds_ago: i64, result: AttemptResult) -> Attempt {
    attempt_under(built_in_contract(), n, seconds_ago, result)
}

fn attempt_under(contract: &Contract, n: u32, seconds_ago: i64, result: AttemptResult) -> Attempt {
    let seconds = if matches!(result, Err(Failure::NoAnswer(NoAnswer::Timeout))) {
        30
    } else {
        1
    };
    let end = attempt_end(
        &result,
        &agreement(0),
        contract,
        n > 1,
        &clocks(seconds_ago - seconds),
    );
    Attempt {
        n,
        began: clocks(seconds_ago),
        end: Some(end),
        by: None,
    }
}

pub fn timeout(n: u32, seconds_ago: i64) -> Attempt {
    attempt(n, seconds_ago, no_answer(NoAnswer::Timeout))
}

pub fn rejection(n: u32, seconds_ago: i64) -> Attempt {
    attempt(
        n,
        seconds_ago,
        reply_with_message(400, "Saldo insuficiente."),
    )
}

pub fn acceptance(n: u32, seconds_ago: i64) -> Attempt {
    attempt(n, seconds_ago, accepted_reply(201))
}

fn accepted_after_long_messages() -> Withdrawal {
    let words = "O processamento deste pedido está temporariamente indisponível; tente mais tarde.";
    let unavailable = |n| attempt(n, 200, reply_with_message(503, words));
    withdrawal_with(
        0,
        vec![
            unavailable(1),
            unavailable(2),
            unavailable(3),
            acceptance(4, 120),
            rejection(5, 80),
            rejection(6, 40),
        ],
    )
}

/// Returns an idempotency key that no withdrawal in these app models has.
pub fn other_key() -> IdempotencyKey {
    agreement(99).key
}

/// Returns a withdrawal with these attempts. The seller has made no decision about it.
pub fn withdrawal_with(n: u128, attempts: Vec<Attempt>) -> Withdrawal {
    Withdrawal {
        agreement: agreement(n),
        attempts,
        decision: None,
        prepared_by: None,
        decided_by: None,
        approvals: Default::default(),
    }
}

fn decided_withdrawal(attempts: Vec<Attempt>, choice: Decision) -> Withdrawal {
    Withdrawal {
        decision: Some((choice, Wall(NOW.0 - 60_000))),
        ..withdrawal_with(0, attempts)
    }
}

pub fn mismatch() -> Attempt {
    let body = r#"{"id":"wd_51","status":"processing","amount":10000.00}"#;
    attempt_under(echoing_contract(), 1, 60, reply(201, body))
}

/// Returns an HTTP reply that contains only a Pix key. This Pix key differs from the one in the
/// request.
fn wrong_destination_reply() -> AttemptResult {
    reply(201, r#"{"pixKey":"529.982.247-25"}"#)
}

/// Returns a withdrawal with one attempt, which began a minute ago and had this result.
fn tried_once(result: AttemptResult) -> Withdrawal {
    withdrawal_with(0, vec![attempt(1, 60, result)])
}

/// Returns a withdrawal with one attempt, which began 9 seconds ago and had this result.
fn tried_recently(result: AttemptResult) -> Withdrawal {
    withdrawal_with(0, vec![attempt(1, 9, result)])
}

/// Returns a withdrawal in each state. If the screens distinguish several causes of a state, there
/// is a withdrawal for each cause.
pub fn all_withdrawals() -> Vec<(&'static str, Withdrawal)> {
    let worded = vec![("accepted-worded", accepted_after_long_messages())];
    [
        prepared_withdrawals(),
        unknown_withdrawals(),
        needs_person_withdrawals(),
        decided_withdrawals(),
        worded,
    ]
    .concat()
}

fn prepared_withdrawals() -> Vec<(&'static str, Withdrawal)> {
    vec![
        ("prepared", withdrawal_with(0, vec![])),
        ("prepared-not-sent", tried_recently(not_sent(NotSent::Dns))),
        ("prepared-no-entry", tried_recently(reply(401, ""))),
        ("prepared-forbidden", tried_recently(reply(403, ""))),
        ("prepared-early", tried_recently(reply(425, ""))),
        (
            "prepared-throttled",
            tried_recently(with_header("retry-after", "30", reply(429, ""))),
        ),
        ("prepared-too-many", {
            let throttled = |n| attempt(n, 10 - i64::from(n), reply(429, ""));
            withdrawal_with(0, (1..=4).map(throttled).collect())
        }),
        (
            "prepared-too-late",
            withdrawal_with(0, vec![attempt(1, 590, reply(403, ""))]),
        ),
    ]
}

fn unknown_withdrawals() -> Vec<(&'static str, Withdrawal)> {
    let many_attempts = vec![
        attempt(1, 300, not_sent(NotSent::Dns)),
        attempt(2, 290, not_sent(NotSent::Connect)),
        timeout(3, 280),
        attempt(4, 240, reply_with_message(409, "Em processamento.")),
        rejection(5, 100),
    ];
    let long_message = "Erro interno, tente mais tarde. ".repeat(40);
    vec![
        (
            "unknown",
            withdrawal_with(0, vec![timeout(1, 131), rejection(2, 20)]),
        ),
        (
            "unknown-nearly-over",
            withdrawal_with(0, vec![timeout(1, 567)]),
        ),
        (
            "unknown-killed",
            withdrawal_with(
                0,
                vec![Attempt {
                    n: 1,
                    began: clocks(90),
                    end: None,
                    by: None,
                }],
            ),
        ),
        ("unknown-many", withdrawal_with(0, many_attempts)),
        ("unknown-cut", tried_once(no_answer(NoAnswer::Cut))),
        ("unknown-too-large", tried_once(too_large_reply(200))),
        (
            "unknown-status",
            tried_once(reply_with_message(500, "Erro interno.")),
        ),
        (
            "unknown-endless",
            tried_once(reply_with_message(500, &long_message)),
        ),
        (
            "unknown-conflict",
            tried_once(reply_with_message(409, "Em processamento.")),
        ),
        ("unknown-other-success", tried_once(accepted_reply(208))),
        (
            "unknown-echo",
            tried_once(reply(200, r#"{"id":"wd_51","amount":900.00}"#)),
        ),
        (
            "unknown-echo-destination",
            tried_once(wrong_destination_reply()),
        ),
        ("unknown-no-sign", tried_once(reply(200, r#"{"ok":true}"#))),
        // The last attempt timed out only 8 seconds ago. It is too early to send the withdrawal
        // again.
        (
            "waiting",
            withdrawal_with(0, vec![timeout(1, 131), timeout(2, 38)]),
        ),
        (
            "unknown-unreadable",
            tried_once(reply(200, "<html>ok</html>")),
        ),
    ]
}

fn needs_person_withdrawals() -> Vec<(&'static str, Withdrawal)> {
    let mut before_reboot = timeout(1, 60);
    before_reboot.began.boot_id = "another".into();
    let mut in_the_future = timeout(1, 60);
    in_the_future.began.wall = Wall(NOW.0 + 60_000);
    let wrong_destination = attempt_under(echoing_contract(), 1, 60, wrong_destination_reply());
    let contradictory_body = r#"{"status":"failed","message":"Saldo insuficiente."}"#;
    vec![
        ("person-window", withdrawal_with(0, vec![timeout(1, 590)])),
        (
            "person-sends",
            withdrawal_with(
                0,
                (1..=4)
                    .map(|n| timeout(n, 200 - 40 * i64::from(n)))
                    .collect(),
            ),
        ),
        ("person-boot", withdrawal_with(0, vec![before_reboot])),
        ("person-clock", withdrawal_with(0, vec![in_the_future])),
        ("person-redirected", tried_once(reply(302, ""))),
        (
            "person-key-reused",
            withdrawal_with(0, vec![timeout(1, 100), attempt(2, 9, reply(422, ""))]),
        ),
        (
            "person-says-failed",
            tried_once(reply(202, contradictory_body)),
        ),
        (
            "person-says-accepted",
            tried_once(reply(400, r#"{"id":"wd_51","status":"accepted"}"#)),
        ),
        ("mismatch", withdrawal_with(0, vec![mismatch()])),
        (
            "mismatch-destination",
            withdrawal_with(0, vec![wrong_destination]),
        ),
    ]
}

fn decided_withdrawals() -> Vec<(&'static str, Withdrawal)> {
    vec![
        ("accepted", withdrawal_with(0, vec![acceptance(1, 9)])),
        (
            "accepted-later",
            withdrawal_with(
                0,
                vec![timeout(1, 131), acceptance(2, 60), rejection(3, 20)],
            ),
        ),
        ("rejected", withdrawal_with(0, vec![rejection(1, 9)])),
        ("discarded", decided_withdrawal(vec![], Decision::Discarded)),
        (
            "resolved-paid",
            decided_withdrawal(vec![timeout(1, 590)], Decision::FoundPaid),
        ),
        (
            "resolved-paid-mismatch",
            decided_withdrawal(vec![mismatch()], Decision::FoundPaid),
        ),
        (
            "resolved-not-paid",
            decided_withdrawal(vec![timeout(1, 590)], Decision::StatedNotPaid),
        ),
        (
            "resolved-not-paid-mismatch",
            decided_withdrawal(vec![mismatch()], Decision::StatedNotPaid),
        ),
    ]
}

pub fn find_withdrawal(name: &str) -> Withdrawal {
    all_withdrawals()
        .into_iter()
        .find(|(state_name, _)| *state_name == name)
        .unwrap()
        .1
}

/// Returns the details of a withdrawal to a Pix key that has a nickname. Also returns two forms:
/// one edits this nickname, and the other gives a nickname to a phone number.
fn nickname_models(lang: Lang) -> [(&'static str, Model); 3] {
    let withdrawal = find_withdrawal("accepted");
    let account = withdrawal.agreement.account.clone();
    let key = withdrawal.agreement.destination.clone().unwrap();
    let name = Nickname::parse("Conta PJ").unwrap();
    let mut model = details(lang, withdrawal);
    model.nicknames = Arc::new([(account.clone(), key.clone(), name)].into_iter().collect());
    let mut form = model.clone();
    open_screen(&mut form, Route::Nickname(Box::new((account.clone(), key))));
    let mut phone = model.clone();
    let key = PixKey::parse(PixKeyKind::Phone, "+5511987654321").unwrap();
    open_screen(&mut phone, Route::Nickname(Box::new((account, key))));
    [
        ("withdrawal-nicknamed", model),
        ("nickname", form),
        ("nickname-phone", phone),
    ]
}

/// Returns an accepted withdrawal whose request body contains more than the amount and the Pix key.
pub fn accepted_with_members() -> Withdrawal {
    let mut withdrawal = find_withdrawal("accepted");
    let members = r#""description":"aluguel de novembro","webhook":"https://loja.example/aviso""#;
    withdrawal.agreement.body = body_with_members(members);
    withdrawal.agreement.untyped = vec!["/webhook".into()];
    withdrawal
}

/// Returns two answers of a service that seems to read R$ 10,00 instead of R$ 1.000,00.
pub fn unit_doubt() -> UnitDoubt {
    let answer = r#"{"fee":0.10,"netAmount":9.90}"#;
    let refusal = r#"{"error":{"code":"INVALID","message":"amount deve ser um inteiro"}}"#;
    let exchange = |status, body: &str| {
        exchange(
            Operation::FeePreview,
            Ok(MaskedReply::new(status, vec![], body)),
        )
    };
    UnitDoubt {
        amount: brl(100_000),
        other_amount: brl(1_000),
        exchanges: [exchange(200, answer), exchange(400, refusal)],
    }
}

/// Returns the details of an accepted live withdrawal, and the form in which the seller enters the
/// amount that arrived. This amount shows whether the API counts in reais or in centavos.
fn arrived_amount_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let live = with_change(details(lang, find_withdrawal("accepted")), |model| {
        model.store.sandbox = false;
        model.setup.this_machine = false;
        model.setup.demo = None;
    });
    let form_with_digits = |name, keys: &[&str]| {
        let mut model = live.clone();
        open_screen(
            &mut model,
            Route::Arrived {
                withdrawal: Box::new(find_withdrawal("accepted")),
                is_before_review: false,
            },
        );
        for key in keys {
            press(&mut model, key);
        }
        (name, model)
    };
    let before_review = with_change(live.clone(), |model| {
        let withdrawal = Box::new(find_withdrawal("accepted"));
        open_screen(
            model,
            Route::Arrived {
                withdrawal,
                is_before_review: true,
            },
        );
    });
    let doubted = with_change(live.clone(), |model| {
        model.unit.doubt = Some(unit_doubt());
        open_screen(model, Route::UnitDoubt);
    });
    vec![
        ("withdrawal-live", live.clone()),
        form_with_digits("arrived", &[]),
        form_with_digits("arrived-other", &["9", "0", "0", "0", "0", "Ctrl-S"]),
        form_with_digits(
            "arrived-other-unit",
            &["1", "0", "0", "0", "0", "0", "0", "0", "Ctrl-S"],
        ),
        ("arrived-before-review", before_review),
        ("unit-doubt", doubted),
    ]
}

/// Returns the guide for finding out whether a withdrawal was paid. It was opened from the details
/// of the withdrawal.
pub fn guide(lang: Lang, withdrawal: Withdrawal, cursor: usize) -> Model {
    let mut model = details(lang, withdrawal);
    open_guide(&mut model, cursor);
    model
}

/// Returns the form in which the seller declares that a withdrawal was not paid. It was opened from
/// the guide.
pub fn not_paid_form(lang: Lang, withdrawal: Withdrawal, focus: Focus, typed: i64) -> Model {
    let mut model = guide(lang, withdrawal.clone(), 0);
    let mut field = AmountField::default();
    field.set(brl(typed));
    let statement = NotPaidForm {
        key: withdrawal.agreement.key,
        amount: withdrawal.agreement.amount,
        field,
        buttons: Buttons {
            focus,
            armed_at_ms: 0,
        },
    };
    model.layers.push(Layer::NotPaid(Box::new(statement)));
    model
}

/// Returns the screens on which the seller checks whether a withdrawal was paid and enters the
/// result. Also returns the list of all attempts.
pub fn check_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let mut minimal = find_withdrawal("person-window");
    minimal.agreement.quote = None;
    minimal.agreement.destination = None;
    minimal.agreement.body = r#"{"amount":1000.00}"#.into();
    let mut quoted_key = find_withdrawal("person-sends");
    quoted_key.agreement.key_header = format!("\"{}\"", quoted_key.agreement.key).into();
    let mut locked = guide(lang, find_withdrawal("person-window"), 0);
    locked.withdrawals.trouble = Some(JournalTrouble::Io("disk full".into()));
    let mut found_dialog = guide(lang, find_withdrawal("mismatch"), 0);
    let question = Question::Found(agreement(0).key);
    found_dialog
        .layers
        .push(Layer::Dialog(Box::new(Dialog::new(question))));
    let mut attempts = details(lang, find_withdrawal("unknown-many"));
    open_attempts(&mut attempts);
    let mut long_attempts = details(lang, find_withdrawal("unknown-endless"));
    open_attempts(&mut long_attempts);
    let form_model = |name, focus, typed| not_paid_form(lang, find_withdrawal(name), focus, typed);
    vec![
        ("guide-unknown", guide(lang, find_withdrawal("unknown"), 0)),
        (
            "guide-unknown-echo",
            guide(lang, find_withdrawal("unknown-echo"), 2),
        ),
        (
            "guide-person",
            guide(lang, find_withdrawal("person-window"), 0),
        ),
        ("guide-person-bare", guide(lang, minimal, 1)),
        ("guide-person-sends", guide(lang, quoted_key, 4)),
        (
            "guide-mismatch",
            guide(lang, find_withdrawal("mismatch"), 2),
        ),
        (
            "guide-mismatch-destination",
            guide(lang, find_withdrawal("mismatch-destination"), 2),
        ),
        ("guide-locked", locked),
        ("ask-found-mismatch", found_dialog),
        ("not-paid", form_model("person-window", Focus::Back, 0)),
        (
            "not-paid-typing",
            form_model("person-window", Focus::Amount, 10_000),
        ),
        (
            "not-paid-typed",
            form_model("person-window", Focus::Confirm, 100_000),
        ),
        ("not-paid-mismatch", form_model("mismatch", Focus::Back, 0)),
        ("attempts", attempts),
        ("attempts-endless", long_attempts),
    ]
}

/// Returns the details of a withdrawal. If the withdrawal is open, the banner above the details
/// mentions it, too.
pub fn details(lang: Lang, withdrawal: Withdrawal) -> Model {
    let mut model = pane_model(lang, Pane::Withdrawals);
    if model.state_of(&withdrawal).is_open() {
        model.withdrawals.open = vec![withdrawal.clone()];
    }
    open_details(&mut model, withdrawal);
    model
}

pub fn outcome_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let mut models: Vec<_> = all_withdrawals()
        .into_iter()
        .map(|(name, withdrawal)| (snapshot_name(name), details(lang, withdrawal)))
        .collect();

    let running_attempt = |n| Attempt {
        n,
        began: clocks(3),
        end: None,
        by: None,
    };
    let mut sending = details(
        lang,
        withdrawal_with(0, vec![timeout(1, 131), running_attempt(2)]),
    );
    sending.withdrawals.in_flight = Some(agreement(0).key);
    sending
        .withdrawals
        .open
        .push(withdrawal_with(1, vec![timeout(1, 50)]));
    models.push(("withdrawal-sending", sending));
    let mut first_sending = details(lang, withdrawal_with(0, vec![running_attempt(1)]));
    first_sending.withdrawals.in_flight = Some(agreement(0).key);
    models.push(("withdrawal-sending-first", first_sending));
    models.push(("withdrawal-members", details(lang, accepted_with_members())));
    models.extend(nickname_models(lang));
    models.extend(arrived_amount_models(lang));
    let mut with_other_in_flight = details(lang, find_withdrawal("person-window"));
    with_other_in_flight.withdrawals.in_flight = Some(other_key());
    models.push(("withdrawal-busy", with_other_in_flight));
    let mut logged_out = details(lang, find_withdrawal("prepared-no-entry"));
    logged_out.session.api_token = Credential::Absent;
    models.push(("withdrawal-prepared-logged-out", logged_out));

    let resent = withdrawal_with(
        0,
        vec![
            timeout(1, 131),
            Attempt {
                n: 2,
                began: clocks(3),
                end: None,
                by: None,
            },
        ],
    );
    let mut elsewhere = details(lang, resent.clone());
    elsewhere.withdrawals.sent_elsewhere = vec![agreement(0).key];
    elsewhere.withdrawals.open = vec![resent];
    models.push(("withdrawal-sending-elsewhere", elsewhere));
    models.push(("withdrawal-sending-team", sent_by_bia(lang)));
    models.push(("withdrawal-to-approve", prepared_by_ana(lang, None)));
    let [_, bia] = operators();
    models.push(("withdrawal-approved", prepared_by_ana(lang, Some(bia))));
    let mut waiting = prepared_by_ana(lang, None);
    waiting.withdrawals.team.as_mut().unwrap().own_role = "ana".into();
    models.push(("withdrawal-unapproved", waiting));

    let trouble = unrecorded_failures().into_iter().next();
    let interrupted = withdrawal_with(
        0,
        vec![Attempt {
            n: 1,
            began: clocks(90),
            end: None,
            by: None,
        }],
    );
    let mut unwritten = details(lang, interrupted.clone());
    let outcome = Details {
        trouble,
        ..Details::of(interrupted.clone())
    };
    unwritten.layers = vec![Layer::Withdraw(Flow::Outcome(Box::new(outcome)))];
    unwritten.withdrawals.trouble = Some(JournalTrouble::Full("disk full".into()));
    models.push(("outcome-unwritten", unwritten));
    let mut journal_busy = details(lang, interrupted.clone());
    let outcome = Details {
        trouble: Some(journal_busy_failure()),
        ..Details::of(interrupted)
    };
    journal_busy.layers = vec![Layer::Withdraw(Flow::Outcome(Box::new(outcome)))];
    journal_busy.withdrawals.trouble = Some(JournalTrouble::Busy("database is locked".into()));
    models.push(("outcome-held-up", journal_busy));

    for (name, withdrawal) in [
        ("of-other-login", open_with_other_login(0)),
        ("of-other-address", open_at_other_address(0)),
    ] {
        models.push((name, details(lang, withdrawal)));
    }

    let unsent = withdrawal_with(0, vec![attempt(1, 9, reply(401, ""))]);
    let mut with_clash = details(lang, unsent.clone());
    let clash = clash_of_kind(ClashKind::OtherOpen);
    let trouble = Some(Failure::Blocked(Blocker::Clash(clash)));
    let outcome = Details {
        trouble,
        ..Details::of(unsent)
    };
    with_clash.layers = vec![Layer::Withdraw(Flow::Outcome(Box::new(outcome)))];
    with_clash.withdrawals.open = vec![other_open(7)];
    models.push(("outcome-other-open", with_clash));
    models
}

fn snapshot_name(name: &'static str) -> &'static str {
    Box::leak(format!("withdrawal-{name}").into_boxed_str())
}

pub fn pane(lang: Lang) -> Model {
    let states = [
        "mismatch",
        "person-window",
        "unknown",
        "prepared",
        "prepared-throttled",
    ];
    let states = states
        .into_iter()
        .map(find_withdrawal)
        .chain(decided_withdrawals().into_iter().map(|(_, one)| one));
    with_rows(pane_model(lang, Pane::Withdrawals), states.collect())
}

pub fn with_rows(mut model: Model, rows: Vec<Withdrawal>) -> Model {
    let rows = (0..).zip(rows).map(|(n, mut withdrawal)| {
        withdrawal.agreement.key = agreement(n).key;
        withdrawal.agreement.amount = brl(100_000 / (n as i64 + 1));
        withdrawal
    });
    let rows: Vec<_> = rows.collect();
    model.withdrawals.open = rows
        .iter()
        .filter(|withdrawal| model.state_of(withdrawal).is_open())
        .cloned()
        .collect();
    let mut list = List {
        loaded: true,
        ..List::default()
    };
    list.page = ListPage {
        total: Some(rows.len() as u64),
        first: 0,
        rows: rows.into(),
    };
    model.withdrawals.list = list;
    model
}

pub fn pane_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let mut empty_pane = pane_model(lang, Pane::Withdrawals);
    empty_pane.withdrawals.list.loaded = true;
    let mut none_found = empty_pane.clone();
    none_found.withdrawals.list.query = "999".into();
    let mut verifying = pane_model(lang, Pane::Withdrawals);
    verifying.withdrawals.verified_percent = Some(43);
    let damaged = || Some(JournalTrouble::Damaged("event 3 of money.db".into()));
    let mut locked = empty_pane.clone();
    locked.withdrawals.trouble = damaged();
    let mut locked_rows = pane(lang);
    locked_rows.withdrawals.trouble = damaged();
    let mut models = journals::models(lang);
    models.extend([
        ("withdrawals-empty", empty_pane),
        ("withdrawals-none-found", none_found),
        ("withdrawals-verifying", verifying),
        ("withdrawals", pane(lang)),
        (
            "withdrawals-search-period",
            with_change(pane(lang), |model| {
                read_search(&mut model.withdrawals.list, "16/11-22/11 >=100");
            }),
        ),
        ("withdrawals-scrolled", {
            let many = (0..30).map(|_| find_withdrawal("accepted"));
            let rows = ["unknown", "prepared"]
                .into_iter()
                .map(find_withdrawal)
                .chain(many)
                .collect();
            let mut model = with_rows(pane_model(lang, Pane::Withdrawals), rows);
            model.withdrawals.list.cursor = 20;
            model.withdrawals.list.top = 3;
            model
        }),
        ("withdrawals-team", team_pane(lang)),
        (
            "withdrawals-team-offline",
            with_change(team_pane(lang), |model| {
                model.withdrawals.team = team(TeamStatus::Offline(clocks(2_400).wall));
                let why = "the server does not answer".into();
                model.withdrawals.trouble = Some(JournalTrouble::Offline(why));
            }),
        ),
        ("withdrawals-older", older_withdrawals(lang)),
        ("withdrawals-lately", recent_withdrawals(lang)),
        ("withdrawals-locked", locked),
        ("withdrawals-locked-rows", locked_rows),
    ]);
    models
}

/// The details beside the list must show the attempts as a table, but only if each attempt fits
/// into one row.
#[test]
fn attempts_are_a_table_where_all_of_them_fit() {
    let pane_with = |withdrawal: Withdrawal| {
        with_rows(pane_model(Lang::Pt, Pane::Withdrawals), vec![withdrawal])
    };
    let accepted = pane_with(find_withdrawal("accepted"));
    let screen = text(&buffer(&accepted, 132, 40));
    let row = screen.lines().find(|line| line.contains("✓ 1")).unwrap();
    assert!(
        row.contains("201") && row.contains("confirmada: o serviço aceitou"),
        "{screen}"
    );
    let many_attempts = pane_with(find_withdrawal("unknown-many"));
    // Recognize the rows of attempts by their time with seconds, which has two colons.
    let is_time = |word: &str| word.starts_with("10:") && word.matches(':').count() == 2;
    let is_attempt = |line: &&str| line.split(' ').any(is_time);
    for (columns, rows) in [(120, 40), (132, 40), (200, 60)] {
        let screen = text(&buffer(&many_attempts, columns, rows));
        let attempts: Vec<_> = screen.lines().filter(is_attempt).collect();
        let is_whole = |line: &&&str| line.contains(": ");
        let whole_count = attempts.iter().filter(is_whole).count();
        assert!(
            whole_count == 0 || whole_count == attempts.len(),
            "{screen}"
        );
    }
}

/// Returns the details of a withdrawal that Ana prepared and Bia may be sending.
fn sent_by_bia(lang: Lang) -> Model {
    let [ana, bia] = operators();
    let mut withdrawal = withdrawal_with(
        0,
        vec![Attempt {
            n: 1,
            began: clocks(27),
            end: None,
            by: Some(bia),
        }],
    );
    withdrawal.prepared_by = Some(ana);
    let mut model = details(lang, withdrawal.clone());
    model.withdrawals.sent_by_team = vec![SentByTeam {
        key: withdrawal.agreement.key,
        until_ms: model.now.boot_ms + 48_000,
    }];
    model.withdrawals.open = vec![withdrawal];
    model.withdrawals.team = team(TeamStatus::Connected);
    model
}

/// Returns the details of a withdrawal that Ana prepared, on Bia's machine. The team has the
/// two-person rule.
fn prepared_by_ana(lang: Lang, approved_by: Option<Author>) -> Model {
    let [ana, _] = operators();
    let mut withdrawal = find_withdrawal("prepared");
    withdrawal.approvals.preparers = vec![ana.role.clone()];
    withdrawal.prepared_by = Some(ana);
    withdrawal.approvals.given = approved_by
        .into_iter()
        .map(|by| Approval {
            n: 1,
            by: Some(by),
            at: withdrawal.agreement.agreed.wall,
            counts: true,
            is_taken_back: false,
        })
        .collect();
    let mut model = details(lang, withdrawal);
    model.withdrawals.team = team_with_approvals();
    model
}

/// Returns the team as Bia's machine knows it.
fn team(status: TeamStatus) -> Option<Team> {
    Some(Team {
        status,
        own_role: "bia".into(),
        needs_approval: false,
    })
}

/// Returns Bia's team with the two-person rule.
pub fn team_with_approvals() -> Option<Team> {
    let team = team(TeamStatus::Connected);
    team.map(|team| Team {
        needs_approval: true,
        ..team
    })
}

/// Returns the list of a team, in which two operators prepared and sent withdrawals.
fn team_pane(lang: Lang) -> Model {
    let [ana, bia] = operators().map(Some);
    let states = ["unknown", "prepared", "accepted", "resolved-not-paid"];
    let mut rows = states.map(find_withdrawal);
    for (row, by) in rows.iter_mut().zip([&bia, &ana, &ana, &bia]) {
        row.prepared_by.clone_from(by);
        for attempt in &mut row.attempts {
            attempt.by.clone_from(&bia);
        }
    }
    rows[3].decided_by = ana;
    let mut model = with_rows(pane_model(lang, Pane::Withdrawals), rows.into());
    model.withdrawals.team = team(TeamStatus::Connected);
    model
}

/// Returns a list of three finished withdrawals from an earlier month. Their Pix keys have
/// different lengths, and the first has a long nickname.
fn older_withdrawals(lang: Lang) -> Model {
    let keys = [
        (PixKeyKind::Cpf, "11144477735"),
        (PixKeyKind::Email, "ana@loja-da-ana.example"),
        (PixKeyKind::Random, "123e4567-e12b-12d1-a456-426655440000"),
    ];
    let build_withdrawal = |(n, (kind, key)): (usize, (PixKeyKind, &str))| {
        let mut withdrawal = find_withdrawal(["accepted", "resolved-paid", "resolved-not-paid"][n]);
        withdrawal.agreement.key = IdempotencyKey(Uuid::from_u128(FIRST_KEY + n as u128));
        withdrawal.agreement.agreed = clocks(40 * 86_400 + n as i64 * 3_600);
        set_pix_key(&mut withdrawal.agreement, PixKey::parse(kind, key).unwrap());
        withdrawal
    };
    let rows: Vec<_> = keys.into_iter().enumerate().map(build_withdrawal).collect();
    let account = rows[0].agreement.account.clone();
    let key = rows[0].agreement.destination.clone();
    let nickname = Nickname::parse("Conta PJ da loja rua Direita").unwrap();
    let mut model = with_rows(pane_model(lang, Pane::Withdrawals), rows);
    model.nicknames = Arc::new([(account, key.unwrap(), nickname)].into_iter().collect());
    model
}

/// Returns a list of withdrawals from the last two weeks, to Pix keys of every kind. The CNPJ
/// (company tax id) key has a nickname.
pub fn recent_withdrawals(lang: Lang) -> Model {
    let rows = [
        ("accepted", 1, 62_000, PixKeyKind::Phone, "+5511987654321"),
        ("accepted", 2, 27_490, PixKeyKind::Cnpj, "11222333000181"),
        ("rejected", 4, 1_800_000, PixKeyKind::Cnpj, "11222333000181"),
        ("accepted", 7, 120_000, PixKeyKind::Cpf, "52998224725"),
        (
            "accepted",
            9,
            35_000,
            PixKeyKind::Email,
            "contador@contas-certas.example",
        ),
        (
            "accepted",
            13,
            48_000,
            PixKeyKind::Random,
            "123e4567-e12b-12d1-a456-426655440000",
        ),
    ];
    let build_withdrawal =
        |(state, days, amount, kind, key): (&str, i64, i64, PixKeyKind, &str)| {
            let mut withdrawal = find_withdrawal(state);
            withdrawal.agreement.agreed = clocks(days * 86_400);
            let reais = amount / 100;
            let centavos = amount % 100;
            let sent_amount = format!("{reais}.{centavos:02}");
            withdrawal.agreement.body = withdrawal
                .agreement
                .body
                .replace("1000.00", &sent_amount)
                .into();
            set_pix_key(&mut withdrawal.agreement, PixKey::parse(kind, key).unwrap());
            (withdrawal, brl(amount))
        };
    let (rows, amounts): (Vec<_>, Vec<_>) = rows.into_iter().map(build_withdrawal).unzip();
    let account = rows[1].agreement.account.clone();
    let key = rows[1].agreement.destination.clone();
    let mut model = with_rows(pane_model(lang, Pane::Withdrawals), rows);
    let mut rows = model.withdrawals.list.page.rows.to_vec();
    rows.iter_mut()
        .zip(amounts)
        .for_each(|(withdrawal, amount)| withdrawal.agreement.amount = amount);
    model.withdrawals.list.page.rows = rows.into();
    let nickname = Nickname::parse("Conta PJ").unwrap();
    model.nicknames = Arc::new([(account, key.unwrap(), nickname)].into_iter().collect());
    model
}

#[test]
fn row_shows_whole_state_and_key_if_it_fits() {
    for (columns, rows) in [(80, 24), (100, 30), (160, 45)] {
        let screen = text(&buffer(&older_withdrawals(Lang::Pt), columns, rows));
        for state in [
            "✓ aceito pelo serviço",
            "✓ pago (declarado por você)",
            "× não pago",
        ] {
            assert!(
                screen.contains(state),
                "{state} at {columns}x{rows}: {screen}"
            );
        }
    }
    // The row omits the year, because the Pix key and a part of its nickname need the room.
    let screen = text(&buffer(&older_withdrawals(Lang::Pt), 80, 24));
    assert!(
        screen.contains("▌12/10  R$ 1.000,00  111.444.777-35 · Conta P…  "),
        "{screen}"
    );
    let screen = text(&buffer(&older_withdrawals(Lang::Pt), 94, 24));
    assert!(screen.contains("  111.444.777-35 · Conta PJ"), "{screen}");
    let row = screen
        .lines()
        .find(|line| line.contains("Conta PJ"))
        .unwrap();
    assert!(row.contains('…') && !row.contains("Direita"), "{row}");
}
