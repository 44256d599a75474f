//! Tests that `--redact` masks the personal data in everything that a command prints.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use balcao::journal::history::History;
use balcao::journal::requests::{RequestOwner, Requests};
use balcao::trade::{
    ChargeOutcome, ChargeRequest, CreatedCharge, CreatedLink, Exchange, LinkOutcome, LinkRequest,
    MaskedReply, Money, Nickname, Operation, Origin, Refusal,
};
use serde_json::Value;

use super::support::bank::Bank;
use super::support::journal::{
    DISCARDED_CPF, MARCH_NOON, OPEN_CPF, agreement, create_sample_journal,
};
use super::support::place::TestHome;
use super::support::run;

/// A part of every personal text of these tests, in lower case.
const CANARY: &str = "canário";

/// The telephone number of the buyer.
const PHONE: &str = "11912345678";

const SERVICE: &str = "https://pay.example";

/// The names in the JSON of each command, except in objects that the names of a buyer's fields. A
/// name is listed after somebody has decided how `--redact` masks its value.
const LISTED_NAMES: [(&str, &[&str]); 8] = [
    (
        "links",
        &[
            "account",
            "amount",
            "at",
            "checkoutDomain",
            "description",
            "format",
            "markedPaid",
            "message",
            "note",
            "outcome",
            "putAway",
            "sandboxPaid",
            "state",
            "url",
        ],
    ),
    (
        "charges",
        &[
            "account",
            "amount",
            "at",
            "buyer",
            "buyer.document",
            "buyer.email",
            "buyer.name",
            "buyer.phone",
            "buyer.•••1",
            "customer",
            "description",
            "expires",
            "format",
            "id",
            "markedPaid",
            "message",
            "outcome",
            "pixCode",
            "serviceState",
            "state",
            "status",
        ],
    ),
    (
        "withdrawals",
        &[
            "account",
            "agreed",
            "amount",
            "approvedBy",
            "attempts",
            "attempts.began",
            "attempts.by",
            "attempts.class",
            "attempts.ended",
            "attempts.n",
            "attempts.status",
            "decidedBy",
            "description",
            "destination",
            "fee",
            "format",
            "key",
            "net",
            "nickname",
            "open",
            "origin",
            "preparedBy",
            "serviceState",
            "state",
        ],
    ),
    (
        "requests",
        &[
            "at",
            "format",
            "httpStatus",
            "method",
            "operation",
            "replyBody",
            "replyBytes",
            "requestBody",
            "requestBytes",
            "requestId",
            "requestUrl",
            "state",
            "tookMs",
            "withdrawal",
        ],
    ),
    (
        "domains",
        &["default", "domain", "format", "serviceState", "state"],
    ),
    (
        "whoami",
        &[
            "credentials",
            "credentials.account",
            "credentials.expires",
            "credentials.kind",
            "credentials.state",
            "format",
            "loggedIn",
            "profile",
            "service",
            "vault",
        ],
    ),
    (
        "contract",
        &["file", "format", "line", "name", "source", "state", "value"],
    ),
    (
        "doctor",
        &[
            "counts",
            "counts.broken",
            "counts.fine",
            "counts.note",
            "findings",
            "findings.facts",
            "findings.facts.arch",
            "findings.facts.answered",
            "findings.facts.aside",
            "findings.facts.balcao",
            "findings.facts.certificate",
            "findings.facts.chosenBy",
            "findings.facts.colours",
            "findings.facts.differing",
            "findings.facts.expires",
            "findings.facts.fault",
            "findings.facts.files",
            "findings.facts.historySchema",
            "findings.facts.kept",
            "findings.facts.kind",
            "findings.facts.letters",
            "findings.facts.lookup",
            "findings.facts.missing",
            "findings.facts.mode",
            "findings.facts.moneySchema",
            "findings.facts.origin",
            "findings.facts.os",
            "findings.facts.owner",
            "findings.facts.part",
            "findings.facts.path",
            "findings.facts.pending",
            "findings.facts.presets",
            "findings.facts.read",
            "findings.facts.sqlite",
            "findings.facts.ssh",
            "findings.facts.state",
            "findings.facts.stores",
            "findings.facts.term",
            "findings.facts.terminal",
            "findings.facts.thisMachine",
            "findings.facts.tmux",
            "findings.facts.trouble",
            "findings.facts.way",
            "findings.facts.works",
            "findings.id",
            "findings.verdict",
            "format",
            "verdict",
        ],
    ),
];

fn text(kind: &str) -> String {
    format!("Canário {kind}")
}

/// Creates a journal and a history in which every personal text contains the canary.
fn create_personal_journal(home: &Path) -> PathBuf {
    let dir = create_sample_journal(home);
    let account = agreement(1, 1, DISCARDED_CPF).account;
    let mut history = History::open(&dir, MARCH_NOON).expect("a history").0;
    let refusal = || Refusal {
        status: 400,
        message: Some(text("recusa").into()),
        hint: None,
        retry_after: None,
    };
    let link = LinkRequest {
        account: account.clone(),
        amount: Money::from_centavos(100),
        description: format!("Bolo, canário@loja.example, fone {PHONE}"),
        domain: None,
    };
    let created = LinkOutcome::Created(CreatedLink {
        url: "https://loja.example/l-1".into(),
    });
    for outcome in [created, LinkOutcome::Refused(refusal())] {
        let id = history.begin(&link, MARCH_NOON).expect("a row");
        history
            .settle::<LinkRequest>(id, &outcome)
            .expect("settled");
    }
    let buyer = [
        ("name", text("nome")),
        ("email", "canário@comprador.example".to_owned()),
        ("document", OPEN_CPF.to_owned()),
        ("phone", PHONE.to_owned()),
        ("canário", text("apelido")),
    ];
    let charge = ChargeRequest {
        account: account.clone(),
        amount: Money::from_centavos(100),
        description: link.description,
        customer: Some(text("nome")),
        buyer: buyer.map(|(id, value)| (id.to_owned(), value)).into(),
    };
    let created = ChargeOutcome::Created(CreatedCharge {
        id: Some(text("id").into()),
        status: Some(text("estado").into()),
        pix_code: Some("00020126".into()),
        expires: Some(text("prazo").into()),
    });
    for outcome in [created, ChargeOutcome::Refused(refusal())] {
        let id = history.begin(&charge, MARCH_NOON).expect("a row");
        history
            .settle::<ChargeRequest>(id, &outcome)
            .expect("settled");
    }
    let pix_key = agreement(2, 1, OPEN_CPF).destination.expect("a Pix key");
    let nickname = Nickname::parse(&text("chave")).expect("a nickname");
    history
        .set_nickname(&account, &pix_key, Some(&nickname), MARCH_NOON)
        .expect("stored");
    dir
}

/// Returns the standard output and the standard error of `balcao` with these arguments. It may exit
/// with an error.
fn print(home: &TestHome, args: &[&str]) -> [String; 2] {
    let mut command = run::command(home, args);
    let variables = [
        ("BALCAO_TOKEN", "tok-redact-1"),
        ("BALCAO_LOGIN", "canário@login.example"),
    ];
    let output = run::output(command.envs(variables).env("BALCAO_ORIGIN", SERVICE));
    [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("text"))
}

/// Returns the personal data in a text.
fn personal_data(text: &str) -> Vec<&'static str> {
    let text = text.to_lowercase();
    [CANARY, DISCARDED_CPF, OPEN_CPF, PHONE]
        .into_iter()
        .filter(|part| text.contains(part))
        .collect()
}

/// Adds the names of all members of a value, with the names of the objects around them.
fn add_names(around: &str, value: &Value, names: &mut BTreeSet<String>) {
    for item in value.as_array().into_iter().flatten() {
        add_names(around, item, names);
    }
    for (name, member) in value.as_object().into_iter().flatten() {
        let name = if around.is_empty() {
            name.clone()
        } else {
            format!("{around}.{name}")
        };
        add_names(&name, member, names);
        names.insert(name);
    }
}

/// Checks that a command prints personal data only without `--redact`. Returns its JSON, if it can
/// print any.
fn check_command(home: &TestHome, args: &[&str], has_json: bool) -> Option<String> {
    let plain = print(home, args).concat();
    assert!(
        !personal_data(&plain).is_empty(),
        "{args:?} has nothing to mask: {plain}"
    );
    let text = &["--redact"][..];
    let json = &["--redact", "--json"];
    let masked = print(home, &[args, text].concat()).concat();
    assert_eq!(
        personal_data(&masked),
        Vec::<&str>::new(),
        "{args:?}: {masked}"
    );
    if !has_json {
        return None;
    }
    let masked = print(home, &[args, json].concat());
    assert_eq!(
        personal_data(&masked.concat()),
        Vec::<&str>::new(),
        "{args:?}: {masked:?}"
    );
    Some(masked[0].clone())
}

#[test]
fn redacted_list_has_no_personal_data_or_new_name() {
    let home = TestHome::new();
    let dir = create_personal_journal(&home.home_dir());
    let dir = dir.to_str().expect("a path");
    for list in ["links", "charges", "withdrawals"] {
        let json = check_command(&home, &[list, "list", "--journal", dir], true);
        assert_eq!(
            unlisted_names(list, &json.expect("JSON")),
            BTreeSet::new(),
            "{list}"
        );
    }
}

#[test]
fn redacted_report_has_no_personal_data_or_new_name() {
    let home = TestHome::new();
    let folder = home.home_dir().join("canário");
    let dir = create_personal_journal(&folder);
    let verify = [
        "journal",
        "verify",
        "--journal",
        dir.to_str().expect("a path"),
    ];
    assert_eq!(check_command(&home, &verify, false), None);
    let whoami = ["whoami", "--vault", "env", "--base-url", SERVICE];
    let json = check_command(&home, &whoami, true).expect("JSON");
    assert_eq!(unlisted_names("whoami", &json), BTreeSet::new());
    home.write_config("config.toml", "theme = 'canário@tema.example'\n");
    let doctor = [
        "doctor",
        "--vault",
        "env",
        "--base-url",
        "http://127.0.0.1:9",
    ];
    let json = check_command(&home, &doctor, true).expect("JSON");
    assert_eq!(unlisted_names("doctor", &json), BTreeSet::new());
}

#[test]
fn redacted_requests_and_contract_are_masked() {
    let home = TestHome::new();
    let owner = RequestOwner {
        profile: "default".into(),
        origin: Origin(SERVICE.into()),
    };
    let url = format!("{SERVICE}/canário@loja.example/{OPEN_CPF}");
    let reply = Ok(MaskedReply::new(
        400,
        vec![("x-request-id".into(), text("id").into())],
        text("resposta"),
    ));
    let exchange = Exchange {
        request_body: Some(text("pedido")),
        ..Exchange::new(Operation::Withdrawal, "POST", url, reply)
    };
    let journal = home.state_dir().join("journal");
    let mut requests = Requests::open(&journal, MARCH_NOON).expect("a file");
    requests.store(&owner, &exchange).expect("stored");
    let list = ["requests", "list", "--base-url", SERVICE];
    let json = check_command(&home, &list, true).expect("JSON");
    assert_eq!(unlisted_names("requests", &json), BTreeSet::new());

    home.write_config(
        "config.toml",
        &format!("[profiles.default]\nbase-url = '{SERVICE}'\ncontract = 'own.toml'\n"),
    );
    home.write_config(
        "own.toml",
        "withdrawal.field.key.default = 'canário@loja.example'\n",
    );
    let show = ["contract", "show", "--vault", "env"];
    let json = check_command(&home, &show, true).expect("JSON");
    assert_eq!(unlisted_names("contract", &json), BTreeSet::new());
}

#[test]
fn redacted_domain_has_no_service_word_or_new_name() {
    let home = TestHome::new();
    let bank = Bank::open();
    let list = ["domains", "list", "--json", "--vault", "env"];
    let mut command = run::command(&home, &list);
    command
        .args(["--redact", "--base-url", &bank.url()])
        .env("BALCAO_JWT", bank.jwt())
        .env("BALCAO_LOGIN", "ana@loja.example")
        .env("BALCAO_ORIGIN", bank.url());
    let json = String::from_utf8(run::output(&mut command).stdout).expect("text");
    assert_eq!(unlisted_names("domains", &json), BTreeSet::new());
    assert!(json.contains(r#""serviceState":"•••""#), "{json}");
    assert!(!json.contains("pending_dns"), "{json}");
}

/// Returns the names in lines of JSON that are not in `LISTED_NAMES`.
fn unlisted_names(command: &str, lines: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for line in lines.lines() {
        add_names("", &serde_json::from_str(line).expect("JSON"), &mut names);
    }
    assert!(!names.is_empty(), "{command} printed no JSON");
    let listed = BTreeMap::from(LISTED_NAMES)[command];
    names.retain(|name| !listed.contains(&name.as_str()));
    names
}
