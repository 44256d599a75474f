//! App models of the withdrawal screens: the list, the details for every outcome, and the forms in
//! which the seller decides about a withdrawal.

use balcao::app::cx::{Question, Route};
use balcao::app::screen::{Buttons, Focus};
use balcao::app::screens::Layer;
use balcao::app::screens::dialog::Dialog;
use balcao::app::screens::make_live::MakeLive;
use balcao::app::screens::withdrawals::{Details, Flow, NotPaidForm};
use balcao::app::store::session::Credential;
use balcao::app::ui::form::FieldError;
use balcao::app::ui::list::List;
use balcao::app::{Model, Pane};
use balcao::contract::Contract;
use balcao::trade::withdrawal::{ClashKind, Decision, NotSent};
use balcao::trade::{
    Agreement, AmountField, Attempt, Clocks, Failure, IdempotencyKey, JournalTrouble, ListPage,
    Nickname, NoAnswer, PixKey, PixKeyKind, Quote, VaultTrouble, Wall, Withdrawal,
};
use balcao::words::Lang;
use std::sync::Arc;
use uuid::Uuid;

use super::forms::{another, another_login, clash, other_address, pay_to, with_members};
use super::payments::{account, brl};
use super::replies::{
    Back, built_in, end, endless, not_sent, said, silent, taken, vouched, with_header, with_message,
};
use crate::models::{
    NOW, altered, buffer, on, press, push, push_attempts, push_details, push_guide, text,
};
use crate::said::{held_up, unrecorded_ones};

const KEY: u128 = 0x3f0e6c1c_7c55_4a8e_9d5a_2f1b6f1e0c9a;

fn ago(seconds: i64) -> Clocks {
    let boot_ms = 600_000_u64.saturating_sub(seconds as u64 * 1_000);
    Clocks { wall: Wall(NOW.0 - seconds * 1_000), boot_ms, boot_id: "boot".into() }
}

pub fn quote(ago_s: i64, fee: Option<i64>, net: Option<i64>) -> Quote {
    let wall = Wall(NOW.0 - ago_s * 1_000);
    Quote::new(brl(100_000), fee.map(brl), net.map(brl), wall).unwrap()
}

pub fn agreement(n: u128) -> Agreement {
    let key = IdempotencyKey(Uuid::from_u128(KEY + n));
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
        agreed: ago(190),
    }
}

/// Returns an attempt with this result. The built-in API contract determines its class.
pub fn tried(n: u32, ago_s: i64, back: Back) -> Attempt {
    tried_under(built_in(), n, ago_s, back)
}

fn tried_under(contract: &Contract, n: u32, ago_s: i64, back: Back) -> Attempt {
    let took = if matches!(back, Err(Failure::NoAnswer(NoAnswer::Timeout))) { 30 } else { 1 };
    let end = end(&back, &agreement(0), contract, n > 1, &ago(ago_s - took));
    Attempt { n, began: ago(ago_s), end: Some(end) }
}

pub fn lost(n: u32, ago_s: i64) -> Attempt {
    tried(n, ago_s, silent(NoAnswer::Timeout))
}

pub fn refused(n: u32, ago_s: i64) -> Attempt {
    tried(n, ago_s, with_message(400, "Saldo insuficiente."))
}

pub fn confirmed(n: u32, ago_s: i64) -> Attempt {
    tried(n, ago_s, taken(201))
}

fn worded() -> Withdrawal {
    let words = "O processamento deste pedido está temporariamente indisponível; tente mais tarde.";
    let lost = |n| tried(n, 200, with_message(503, words));
    made(0, vec![lost(1), lost(2), lost(3), confirmed(4, 120), refused(5, 80), refused(6, 40)])
}

/// Returns an idempotency key that no withdrawal in these app models has.
pub fn other_key() -> IdempotencyKey {
    agreement(99).key
}

/// Returns a withdrawal with these attempts. The seller has made no decision about it.
pub fn made(n: u128, attempts: Vec<Attempt>) -> Withdrawal {
    Withdrawal { agreement: agreement(n), attempts, decision: None }
}

fn chosen(attempts: Vec<Attempt>, choice: Decision) -> Withdrawal {
    Withdrawal { decision: Some((choice, Wall(NOW.0 - 60_000))), ..made(0, attempts) }
}

pub fn alarm() -> Attempt {
    let body = r#"{"id":"wd_51","status":"processing","amount":10000.00}"#;
    tried_under(vouched(), 1, 60, said(201, body))
}

/// Returns an HTTP reply that contains only a Pix key. This Pix key differs from the one in the
/// request.
fn destination_alarm() -> Back {
    said(201, r#"{"pixKey":"529.982.247-25"}"#)
}

/// Returns a withdrawal with one attempt, which began a minute ago. `back` is its result.
fn once(back: Back) -> Withdrawal {
    made(0, vec![tried(1, 60, back)])
}

/// Returns a withdrawal with one attempt, which began 9 seconds ago. `back` is its result.
fn not_yet(back: Back) -> Withdrawal {
    made(0, vec![tried(1, 9, back)])
}

/// Returns a withdrawal in each state. If the screens distinguish several causes of a state, there
/// is a withdrawal for each cause.
pub fn each() -> Vec<(&'static str, Withdrawal)> {
    let worded = vec![("accepted-worded", worded())];
    [prepared_ones(), unknown_ones(), for_a_person(), decided_ones(), worded].concat()
}

fn prepared_ones() -> Vec<(&'static str, Withdrawal)> {
    vec![
        ("prepared", made(0, vec![])),
        ("prepared-not-sent", not_yet(not_sent(NotSent::Dns))),
        ("prepared-no-entry", not_yet(said(401, ""))),
        ("prepared-forbidden", not_yet(said(403, ""))),
        ("prepared-early", not_yet(said(425, ""))),
        ("prepared-throttled", not_yet(with_header("retry-after", "30", said(429, "")))),
        ("prepared-too-many", {
            let tried = |n| tried(n, 10 - i64::from(n), said(429, ""));
            made(0, (1..=4).map(tried).collect())
        }),
        ("prepared-too-late", made(0, vec![tried(1, 590, said(403, ""))])),
    ]
}

fn unknown_ones() -> Vec<(&'static str, Withdrawal)> {
    let many = vec![
        tried(1, 300, not_sent(NotSent::Dns)),
        tried(2, 290, not_sent(NotSent::Connect)),
        lost(3, 280),
        tried(4, 240, with_message(409, "Em processamento.")),
        refused(5, 100),
    ];
    let endless_words = "Erro interno, tente mais tarde. ".repeat(40);
    vec![
        ("unknown", made(0, vec![lost(1, 131), refused(2, 20)])),
        ("unknown-nearly-over", made(0, vec![lost(1, 567)])),
        ("unknown-killed", made(0, vec![Attempt { n: 1, began: ago(90), end: None }])),
        ("unknown-many", made(0, many)),
        ("unknown-cut", once(silent(NoAnswer::Cut))),
        ("unknown-too-large", once(endless(200))),
        ("unknown-status", once(with_message(500, "Erro interno."))),
        ("unknown-endless", once(with_message(500, &endless_words))),
        ("unknown-conflict", once(with_message(409, "Em processamento."))),
        ("unknown-other-success", once(taken(208))),
        ("unknown-echo", once(said(200, r#"{"id":"wd_51","amount":900.00}"#))),
        ("unknown-echo-destination", once(destination_alarm())),
        ("unknown-no-sign", once(said(200, r#"{"ok":true}"#))),
        // The last attempt timed out only 8 seconds ago. It is too early to send the withdrawal
        // again.
        ("waiting", made(0, vec![lost(1, 131), lost(2, 38)])),
        ("unknown-unreadable", once(said(200, "<html>ok</html>"))),
    ]
}

fn for_a_person() -> Vec<(&'static str, Withdrawal)> {
    let mut doubted = lost(1, 60);
    doubted.began.boot_id = "another".into();
    let mut ahead = lost(1, 60);
    ahead.began.wall = Wall(NOW.0 + 60_000);
    let elsewhere = tried_under(vouched(), 1, 60, destination_alarm());
    let against_itself = r#"{"status":"failed","message":"Saldo insuficiente."}"#;
    vec![
        ("person-window", made(0, vec![lost(1, 590)])),
        ("person-sends", made(0, (1..=4).map(|n| lost(n, 200 - 40 * i64::from(n))).collect())),
        ("person-boot", made(0, vec![doubted])),
        ("person-clock", made(0, vec![ahead])),
        ("person-redirected", once(said(302, ""))),
        ("person-key-reused", made(0, vec![lost(1, 100), tried(2, 9, said(422, ""))])),
        ("person-says-failed", once(said(202, against_itself))),
        ("mismatch", made(0, vec![alarm()])),
        ("mismatch-destination", made(0, vec![elsewhere])),
    ]
}

fn decided_ones() -> Vec<(&'static str, Withdrawal)> {
    vec![
        ("accepted", made(0, vec![confirmed(1, 9)])),
        ("accepted-later", made(0, vec![lost(1, 131), confirmed(2, 60), refused(3, 20)])),
        ("rejected", made(0, vec![refused(1, 9)])),
        ("discarded", chosen(vec![], Decision::Discarded)),
        ("resolved-paid", chosen(vec![lost(1, 590)], Decision::FoundPaid)),
        ("resolved-paid-mismatch", chosen(vec![alarm()], Decision::FoundPaid)),
        ("resolved-not-paid", chosen(vec![lost(1, 590)], Decision::StatedNotPaid)),
        ("resolved-not-paid-mismatch", chosen(vec![alarm()], Decision::StatedNotPaid)),
    ]
}

pub fn named(name: &str) -> Withdrawal {
    each().into_iter().find(|(other, _)| *other == name).unwrap().1
}

/// Returns the details of a withdrawal to a Pix key that has a nickname. Also returns two forms:
/// one edits this nickname, and the other gives a nickname to a phone number.
fn nicknamed(lang: Lang) -> [(&'static str, Model); 3] {
    let one = named("accepted");
    let (account, key) =
        (one.agreement.account.clone(), one.agreement.destination.clone().unwrap());
    let name = Nickname::parse("Conta PJ").unwrap();
    let mut model = details(lang, one);
    model.nicknames = Arc::new([(account.clone(), key.clone(), name)].into_iter().collect());
    let mut form = model.clone();
    push(&mut form, Route::Nickname(Box::new((account.clone(), key))));
    let mut phone = model.clone();
    let key = PixKey::parse(PixKeyKind::Phone, "+5511987654321").unwrap();
    push(&mut phone, Route::Nickname(Box::new((account, key))));
    [("withdrawal-nicknamed", model), ("nickname", form), ("nickname-phone", phone)]
}

/// Returns an accepted withdrawal with a long request body. It contains more than the amount and
/// the Pix key.
pub fn with_more() -> Withdrawal {
    let mut one = named("accepted");
    let more = r#""description":"aluguel de novembro","webhook":"https://loja.example/aviso""#;
    one.agreement.body = with_members(more);
    one.agreement.untyped = vec!["/webhook".into()];
    one
}

/// Returns the details of an accepted live withdrawal, and the form in which the seller enters the
/// amount that arrived. This amount shows whether the API counts in reais or in centavos.
fn arrived(lang: Lang) -> Vec<(&'static str, Model)> {
    let live = altered(details(lang, named("accepted")), |model| {
        model.store.sandbox = false;
        model.setup.this_machine = false;
        model.setup.demo = None;
    });
    let typed = |name, digits: &[&str]| {
        let mut model = live.clone();
        push(&mut model, Route::Arrived(Box::new(named("accepted"))));
        for key in digits {
            press(&mut model, key);
        }
        (name, model)
    };
    vec![
        ("withdrawal-live", live.clone()),
        typed("arrived", &[]),
        typed("arrived-other", &["9", "0", "0", "0", "0", "Ctrl-S"]),
        typed("arrived-other-unit", &["1", "0", "0", "0", "0", "0", "0", "0", "Ctrl-S"]),
    ]
}

/// Returns the guide for finding out whether a withdrawal was paid. It was opened from the details
/// of the withdrawal.
pub fn guide(lang: Lang, withdrawal: Withdrawal, cursor: usize) -> Model {
    let mut model = details(lang, withdrawal);
    push_guide(&mut model, cursor);
    model
}

/// Returns the form in which the seller declares that a withdrawal was not paid. It was opened from
/// the guide.
pub fn statement(lang: Lang, withdrawal: Withdrawal, focus: Focus, typed: i64) -> Model {
    let mut model = guide(lang, withdrawal.clone(), 0);
    let mut field = AmountField::default();
    field.set(brl(typed));
    let statement = NotPaidForm {
        key: withdrawal.agreement.key,
        amount: withdrawal.agreement.amount,
        field,
        buttons: Buttons { focus, armed_at_ms: 0 },
    };
    model.layers.push(Layer::NotPaid(Box::new(statement)));
    model
}

/// Returns the screens on which the seller checks whether a withdrawal was paid and enters the
/// result. Also returns the list of all attempts.
pub fn persons(lang: Lang) -> Vec<(&'static str, Model)> {
    let mut bare = named("person-window");
    bare.agreement.quote = None;
    bare.agreement.destination = None;
    bare.agreement.body = r#"{"amount":1000.00}"#.into();
    let mut between = named("person-sends");
    between.agreement.key_header = format!("\"{}\"", between.agreement.key).into();
    let mut locked = guide(lang, named("person-window"), 0);
    locked.withdrawals.trouble = Some(JournalTrouble::Io("disk full".into()));
    let mut found = guide(lang, named("mismatch"), 0);
    let question = Question::Found(agreement(0).key);
    found.layers.push(Layer::Dialog(Box::new(Dialog::new(question))));
    let mut all = details(lang, named("unknown-many"));
    push_attempts(&mut all);
    let mut endless = details(lang, named("unknown-endless"));
    push_attempts(&mut endless);
    let not_paid = |name, focus, typed| statement(lang, named(name), focus, typed);
    vec![
        ("guide-unknown", guide(lang, named("unknown"), 0)),
        ("guide-unknown-echo", guide(lang, named("unknown-echo"), 2)),
        ("guide-person", guide(lang, named("person-window"), 0)),
        ("guide-person-bare", guide(lang, bare, 1)),
        ("guide-person-sends", guide(lang, between, 4)),
        ("guide-mismatch", guide(lang, named("mismatch"), 2)),
        ("guide-mismatch-destination", guide(lang, named("mismatch-destination"), 2)),
        ("guide-locked", locked),
        ("ask-found-mismatch", found),
        ("not-paid", not_paid("person-window", Focus::Back, 0)),
        ("not-paid-typing", not_paid("person-window", Focus::Amount, 10_000)),
        ("not-paid-typed", not_paid("person-window", Focus::Confirm, 100_000)),
        ("not-paid-mismatch", not_paid("mismatch", Focus::Back, 0)),
        ("attempts", all),
        ("attempts-endless", endless),
    ]
}

/// Returns the details of a withdrawal. If the withdrawal is open, the banner above the details
/// mentions it, too.
pub fn details(lang: Lang, withdrawal: Withdrawal) -> Model {
    let mut model = on(lang, Pane::Withdrawals);
    if model.state_of(&withdrawal).is_open() {
        model.withdrawals.open = vec![withdrawal.clone()];
    }
    push_details(&mut model, withdrawal);
    model
}

pub fn outcomes(lang: Lang) -> Vec<(&'static str, Model)> {
    let mut all: Vec<_> =
        each().into_iter().map(|(name, one)| (snapshot(name), details(lang, one))).collect();

    let under_way = |n| Attempt { n, began: ago(3), end: None };
    let mut sending = details(lang, made(0, vec![lost(1, 131), under_way(2)]));
    sending.withdrawals.in_flight = Some(agreement(0).key);
    sending.withdrawals.open.push(made(1, vec![lost(1, 50)]));
    all.push(("withdrawal-sending", sending));
    let mut first = details(lang, made(0, vec![under_way(1)]));
    first.withdrawals.in_flight = Some(agreement(0).key);
    all.push(("withdrawal-sending-first", first));
    all.push(("withdrawal-members", details(lang, with_more())));
    all.extend(nicknamed(lang));
    all.extend(arrived(lang));
    let mut busy = details(lang, named("person-window"));
    busy.withdrawals.in_flight = Some(other_key());
    all.push(("withdrawal-busy", busy));
    let mut again = details(lang, named("prepared-no-entry"));
    again.session.api_token = Credential::Absent;
    all.push(("withdrawal-prepared-logged-out", again));

    let sent = made(0, vec![lost(1, 131), Attempt { n: 2, began: ago(3), end: None }]);
    let mut elsewhere = details(lang, sent.clone());
    elsewhere.withdrawals.elsewhere = vec![agreement(0).key];
    elsewhere.withdrawals.open = vec![sent];
    all.push(("withdrawal-sending-elsewhere", elsewhere));

    let trouble = unrecorded_ones().into_iter().next();
    let killed = made(0, vec![Attempt { n: 1, began: ago(90), end: None }]);
    let mut unwritten = details(lang, killed.clone());
    let outcome = Details { withdrawal: killed.clone(), trouble };
    unwritten.layers = vec![Layer::Withdraw(Flow::Outcome(Box::new(outcome)))];
    unwritten.withdrawals.trouble = Some(JournalTrouble::Full("disk full".into()));
    all.push(("outcome-unwritten", unwritten));
    let mut held = details(lang, killed.clone());
    let outcome = Details { withdrawal: killed, trouble: Some(held_up()) };
    held.layers = vec![Layer::Withdraw(Flow::Outcome(Box::new(outcome)))];
    held.withdrawals.trouble = Some(JournalTrouble::Busy("database is locked".into()));
    all.push(("outcome-held-up", held));

    for (name, one) in
        [("of-other-login", another_login(0)), ("of-other-address", other_address(0))]
    {
        all.push((name, details(lang, one)));
    }

    let waiting = made(0, vec![tried(1, 9, said(401, ""))]);
    let mut clashing = details(lang, waiting.clone());
    let trouble = Some(Failure::Clash(clash(ClashKind::OtherOpen)));
    let outcome = Details { withdrawal: waiting, trouble };
    clashing.layers = vec![Layer::Withdraw(Flow::Outcome(Box::new(outcome)))];
    clashing.withdrawals.open = vec![another(7)];
    all.push(("outcome-other-open", clashing));
    all
}

fn snapshot(name: &'static str) -> &'static str {
    Box::leak(format!("withdrawal-{name}").into_boxed_str())
}

pub fn pane(lang: Lang) -> Model {
    let some = ["mismatch", "person-window", "unknown", "prepared", "prepared-throttled"];
    let some = some.into_iter().map(named).chain(decided_ones().into_iter().map(|(_, one)| one));
    with_rows(on(lang, Pane::Withdrawals), some.collect())
}

pub fn with_rows(mut model: Model, rows: Vec<Withdrawal>) -> Model {
    let rows = (0..).zip(rows).map(|(n, mut one)| {
        one.agreement.key = agreement(n).key;
        one.agreement.amount = brl(100_000 / (n as i64 + 1));
        one
    });
    let rows: Vec<_> = rows.collect();
    model.withdrawals.open =
        rows.iter().filter(|one| model.state_of(one).is_open()).cloned().collect();
    let mut list = List { loaded: true, ..List::default() };
    list.page = ListPage { total: Some(rows.len() as u64), first: 0, rows: rows.into() };
    model.withdrawals.list = list;
    model
}

pub fn panes(lang: Lang) -> Vec<(&'static str, Model)> {
    let mut empty = on(lang, Pane::Withdrawals);
    empty.withdrawals.list.loaded = true;
    let mut none = empty.clone();
    none.withdrawals.list.query = "999".into();
    let damaged = || Some(JournalTrouble::Damaged("event 3 of money.db".into()));
    let mut locked = empty.clone();
    locked.withdrawals.trouble = damaged();
    let mut locked_rows = pane(lang);
    locked_rows.withdrawals.trouble = damaged();
    let mut all = troubles(lang);
    all.extend(elsewhere(lang));
    all.extend([
        ("withdrawals-empty", empty),
        ("withdrawals-none-found", none),
        ("withdrawals", pane(lang)),
        ("withdrawals-scrolled", {
            let many = (0..30).map(|_| named("accepted"));
            let rows = ["unknown", "prepared"].into_iter().map(named).chain(many).collect();
            let mut model = with_rows(on(lang, Pane::Withdrawals), rows);
            model.withdrawals.list.cursor = 20;
            model.withdrawals.list.top = 3;
            model
        }),
        ("withdrawals-older", older(lang)),
        ("withdrawals-lately", lately(lang)),
        ("withdrawals-locked", locked),
        ("withdrawals-locked-rows", locked_rows),
    ]);
    all
}

/// The details beside the list must show the attempts as a table, but only if each attempt fits
/// into one row.
#[test]
fn attempts_are_a_table_where_all_of_them_fit() {
    let in_list = |one: Withdrawal| with_rows(on(Lang::Pt, Pane::Withdrawals), vec![one]);
    let accepted = in_list(named("accepted"));
    let said = text(&buffer(&accepted, 132, 40));
    let row = said.lines().find(|line| line.contains("✓ 1")).unwrap();
    assert!(row.contains("201") && row.contains("confirmada: o serviço aceitou"), "{said}");
    let many = in_list(named("unknown-many"));
    // Find the rows of attempts, because only these rows contain a time with seconds.
    let is_attempt = |line: &&str| line.contains(" 10:") && line.matches(':').count() >= 2;
    for (columns, rows) in [(120, 40), (132, 40), (200, 60)] {
        let said = text(&buffer(&many, columns, rows));
        let attempts: Vec<_> = said.lines().filter(is_attempt).collect();
        let is_whole = |line: &&&str| line.contains(": ");
        let whole = attempts.iter().filter(is_whole).count();
        assert!(whole == 0 || whole == attempts.len(), "{said}");
    }
}

/// Returns a list of three finished withdrawals from an earlier month. Their Pix keys have
/// different lengths, and the first has a long nickname.
fn older(lang: Lang) -> Model {
    let keys = [
        (PixKeyKind::Cpf, "11144477735"),
        (PixKeyKind::Email, "ana@loja-da-ana.example"),
        (PixKeyKind::Random, "123e4567-e12b-12d1-a456-426655440000"),
    ];
    let one = |(n, (kind, key)): (usize, (PixKeyKind, &str))| {
        let mut one = named(["accepted", "resolved-paid", "resolved-not-paid"][n]);
        one.agreement.key = IdempotencyKey(Uuid::from_u128(KEY + n as u128));
        one.agreement.agreed = ago(40 * 86_400 + n as i64 * 3_600);
        pay_to(&mut one.agreement, PixKey::parse(kind, key).unwrap());
        one
    };
    let rows: Vec<_> = keys.into_iter().enumerate().map(one).collect();
    let (whose, key) = (rows[0].agreement.account.clone(), rows[0].agreement.destination.clone());
    let name = Nickname::parse("Conta PJ da loja rua Direita").unwrap();
    let mut model = with_rows(on(lang, Pane::Withdrawals), rows);
    model.nicknames = Arc::new([(whose, key.unwrap(), name)].into_iter().collect());
    model
}

/// Returns a list of withdrawals from the last two weeks, to Pix keys of every kind. The CNPJ
/// (company tax id) key has a nickname.
pub fn lately(lang: Lang) -> Model {
    let rows = [
        ("accepted", 1, 62_000, PixKeyKind::Phone, "+5511987654321"),
        ("accepted", 2, 27_490, PixKeyKind::Cnpj, "11222333000181"),
        ("rejected", 4, 1_800_000, PixKeyKind::Cnpj, "11222333000181"),
        ("accepted", 7, 120_000, PixKeyKind::Cpf, "52998224725"),
        ("accepted", 9, 35_000, PixKeyKind::Email, "contador@contas-certas.example"),
        ("accepted", 13, 48_000, PixKeyKind::Random, "123e4567-e12b-12d1-a456-426655440000"),
    ];
    let made = |(state, days, amount, kind, key): (&str, i64, i64, PixKeyKind, &str)| {
        let mut one = named(state);
        one.agreement.agreed = ago(days * 86_400);
        let (reais, centavos) = (amount / 100, amount % 100);
        let sent = format!("{reais}.{centavos:02}");
        one.agreement.body = one.agreement.body.replace("1000.00", &sent).into();
        pay_to(&mut one.agreement, PixKey::parse(kind, key).unwrap());
        (one, brl(amount))
    };
    let (rows, amounts): (Vec<_>, Vec<_>) = rows.into_iter().map(made).unzip();
    let (whose, key) = (rows[1].agreement.account.clone(), rows[1].agreement.destination.clone());
    let mut model = with_rows(on(lang, Pane::Withdrawals), rows);
    let mut rows = model.withdrawals.list.page.rows.to_vec();
    rows.iter_mut().zip(amounts).for_each(|(one, amount)| one.agreement.amount = amount);
    model.withdrawals.list.page.rows = rows.into();
    let name = Nickname::parse("Conta PJ").unwrap();
    model.nicknames = Arc::new([(whose, key.unwrap(), name)].into_iter().collect());
    model
}

#[test]
fn row_shows_whole_state_and_key_if_it_fits() {
    for (columns, rows) in [(80, 24), (100, 30), (160, 45)] {
        let said = text(&buffer(&older(Lang::Pt), columns, rows));
        for state in ["✓ aceito pelo serviço", "✓ pago (declarado por você)", "× não pago"]
        {
            assert!(said.contains(state), "{state} at {columns}x{rows}: {said}");
        }
    }
    // The row omits the year, because the Pix key and a part of its nickname need the room.
    let said = text(&buffer(&older(Lang::Pt), 80, 24));
    assert!(said.contains("▌12/10  R$ 1.000,00  111.444.777-35 · Conta P…  "), "{said}");
    let said = text(&buffer(&older(Lang::Pt), 94, 24));
    assert!(said.contains("  111.444.777-35 · Conta PJ"), "{said}");
    let row = said.lines().find(|line| line.contains("Conta PJ")).unwrap();
    assert!(row.contains('…') && !row.contains("Direita"), "{row}");
}

/// Returns the withdrawals pane, locked because the live journal is in another directory. Also
/// returns the form that makes this directory's journal the live journal.
fn elsewhere(lang: Lang) -> Vec<(&'static str, Model)> {
    let mut locked = on(lang, Pane::Withdrawals);
    locked.withdrawals.list.loaded = true;
    let live = "/srv/ana/.local/state/balcao/journal".into();
    locked.withdrawals.trouble = Some(JournalTrouble::Elsewhere(live));
    let mut asked = locked.clone();
    let mut form = MakeLive::open();
    asked.layers.push(Layer::MakeLive(Box::new(form.clone())));
    form.sent.form.fault("path", FieldError::NotAsRequired);
    let mut refused = locked.clone();
    refused.layers.push(Layer::MakeLive(Box::new(form)));
    vec![
        ("withdrawals-locked-elsewhere", locked),
        ("make-live", asked),
        ("make-live-differs", refused),
    ]
}

/// Returns an app model for each failure of the journal. If the journal was readable before the
/// failure, the app model still contains its withdrawals.
fn troubles(lang: Lang) -> Vec<(&'static str, Model)> {
    let unread = |trouble| {
        let mut model = on(lang, Pane::Withdrawals);
        model.withdrawals.list.loaded = true;
        model.withdrawals.trouble = Some(trouble);
        model
    };
    let read = |trouble, withdrawals: Vec<Withdrawal>| {
        let mut model = unread(trouble);
        model.withdrawals.was_read = true;
        let state = &mut model.withdrawals;
        state.list.page = ListPage {
            total: Some(withdrawals.len() as u64),
            first: 0,
            rows: withdrawals.clone().into(),
        };
        model.withdrawals.open =
            withdrawals.into_iter().filter(|one| model.state_of(one).is_open()).collect();
        model
    };
    let open = || made(0, vec![lost(1, 131)]);
    let decided = || made(1, vec![refused(1, 590)]);
    let at_file = |what: &str| format!("/srv/balcao/live/x/money.db: {what}");
    let read_only = || JournalTrouble::ReadOnly(at_file("Read-only file system (os error 30)"));
    let full = || JournalTrouble::Full(at_file("database or disk is full"));
    let on_network = |rows: Vec<Withdrawal>| {
        let mut model = read(JournalTrouble::Missing, rows);
        model.withdrawals.trouble = None;
        model.withdrawals.network = Some("NFS");
        model
    };
    vec![
        ("withdrawals-network", on_network(vec![open(), decided()])),
        ("withdrawals-network-none", on_network(vec![])),
        (
            "withdrawals-locked-not-private",
            unread(JournalTrouble::NotPrivate("/srv/balcao/live/x: others may write in it".into())),
        ),
        ("withdrawals-locked-missing", unread(JournalTrouble::Missing)),
        (
            "withdrawals-locked-maybe-missing",
            unread(JournalTrouble::MaybeMissing(VaultTrouble::Locked)),
        ),
        ("withdrawals-locked-older", unread(JournalTrouble::Older { missing: 3 })),
        (
            "withdrawals-locked-other-version",
            unread(JournalTrouble::OtherVersion { found: 2, known: 3 }),
        ),
        ("withdrawals-locked-read-only", unread(read_only())),
        ("withdrawals-locked-read-only-open", read(read_only(), vec![open(), decided()])),
        ("withdrawals-locked-full", read(full(), vec![decided()])),
        ("withdrawals-locked-full-open", read(full(), vec![open(), decided()])),
        (
            "withdrawals-locked-busy",
            read(JournalTrouble::Busy(at_file("another window has held it too long")), vec![]),
        ),
        ("withdrawals-locked-io", unread(JournalTrouble::Io(at_file("disk I/O error")))),
    ]
}
