//! Tests of the JSON that commands print for scripts: its names and types, its schemas, and the
//! filters of the lists.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::Stdio;

use balcao::journal::history::History;
use balcao::journal::requests::{RequestOwner, Requests};
use balcao::sandbox::DomainSetup;
use balcao::trade::{
    Account, ChargeOutcome, ChargeRequest, CreatedCharge, CreatedLink, Exchange, ExchangeSubject,
    Failure, LinkOutcome, LinkRequest, MaskedReply, Money, NoAnswer, Operation, Origin,
    PaymentLink, Refusal, RowId, Sale, SaleAuthors, Wall,
};
use serde_json::Value;

use super::support::bank::Bank;
use super::support::journal::{MARCH_NOON, create_live_journal, key};
use super::support::place::TestHome;
use super::support::run;

const SERVICE: &str = "https://pay.example";

const DAY_MS: i64 = 86_400_000;

fn account() -> Account {
    Account {
        origin: Origin(SERVICE.into()),
        identity: "ana".into(),
    }
}

fn refusal() -> Refusal {
    Refusal {
        status: 400,
        message: Some("Cliente bloqueado".into()),
        hint: None,
        retry_after: None,
    }
}

/// Creates a live journal with withdrawals, links, charges and stored requests. The links `link 0`
/// to `link 3` and the charges are from noon on 1, 2, 3 and 4 March, each with another outcome.
pub(super) fn create_past(home: &TestHome) -> PathBuf {
    let dir = create_live_journal(home);
    let mut history = History::open(&dir, MARCH_NOON).unwrap().0;
    history.prune(Wall(i64::MAX)).unwrap();
    for n in 0..4 {
        let at = Wall(MARCH_NOON.0 + n * DAY_MS);
        let amount = Money::from_centavos(100);
        let link = LinkRequest {
            account: account(),
            amount,
            description: format!("link {n}"),
            domain: None,
        };
        let url = format!("https://loja.example/{n}").into();
        let id = history.begin(&link, at).unwrap();
        let outcome = match n {
            0 | 1 => LinkOutcome::Created(CreatedLink { url }),
            2 => LinkOutcome::Refused(refusal()),
            _ => LinkOutcome::Unknown,
        };
        let settled = history.settle::<LinkRequest>(id, &outcome).unwrap();
        if n == 1 {
            history.mark_paid(&Sale::Link(settled), Some(at)).unwrap();
        }
        let charge = ChargeRequest {
            account: account(),
            amount,
            description: format!("charge {n}"),
            customer: Some("Bia Souza".into()),
            buyer: [("name".to_owned(), "Bia Souza".to_owned())].into(),
        };
        let id = history.begin(&charge, at).unwrap();
        let outcome = match n {
            0 => ChargeOutcome::Created(CreatedCharge {
                id: Some("c-1".into()),
                status: Some("PENDING".into()),
                pix_code: Some("00020126".into()),
                expires: None,
            }),
            1 => ChargeOutcome::NotSent,
            _ => ChargeOutcome::Refused(refusal()),
        };
        history.settle::<ChargeRequest>(id, &outcome).unwrap();
    }
    store_requests(&dir);
    dir
}

/// Stores three requests from 1, 2 and 3 March: with a reply, refused, and without an answer.
fn store_requests(dir: &std::path::Path) {
    let owner = RequestOwner {
        profile: "default".into(),
        origin: Origin(SERVICE.into()),
    };
    let mut requests = Requests::open(dir, MARCH_NOON).unwrap();
    let replies = [
        Ok(MaskedReply::new(201, vec![], r#"{"id":"wd_1"}"#)),
        Ok(MaskedReply::new(400, vec![], "{}")),
        Err(Failure::NoAnswer(NoAnswer::Timeout)),
    ];
    for (n, reply) in (0..).zip(replies) {
        let url = format!("{SERVICE}/withdrawals/{n}");
        let exchange = Exchange {
            at: Wall(MARCH_NOON.0 + n * DAY_MS),
            subject: Some(ExchangeSubject::Withdrawal(key(1))),
            request_body: Some(r#"{"amount":1}"#.into()),
            ..Exchange::new(Operation::Withdrawal, "POST", url, reply)
        };
        requests.store(&owner, &exchange).unwrap();
    }
}

/// Prints the list of the past as JSON, with these flags.
fn list(home: &TestHome, list: &str, flags: &[&str]) -> Vec<Value> {
    let args = [&["--base-url", SERVICE, list, "list", "--json"], flags].concat();
    run::run_json_lines(home, &args)
}

fn texts<'l>(lines: &'l [Value], name: &str) -> Vec<&'l str> {
    lines
        .iter()
        .map(|line| line[name].as_str().unwrap())
        .collect()
}

#[test]
fn each_filter_selects_links_and_charges() {
    let home = TestHome::new();
    create_past(&home);
    let links = |flags: &[&str]| {
        let lines = list(&home, "links", flags);
        texts(&lines, "description").join(" ").replace("link ", "")
    };
    assert_eq!(links(&[]), "3 2 1 0");
    assert_eq!(links(&["--since", "2026-03-03"]), "3 2");
    assert_eq!(links(&["--until", "2026-03-02"]), "1 0");
    assert_eq!(links(&["--since", "2026-03-02 12:00"]), "3 2 1");
    assert_eq!(links(&["--until", "2026-03-02 12:00"]), "0");
    assert_eq!(links(&["--state", "paid"]), "1");
    assert_eq!(links(&["--state", "created"]), "0");
    assert_eq!(links(&["--state", "refused"]), "2");
    assert_eq!(links(&["--state", "unknown"]), "3");
    assert_eq!(links(&["--limit", "2"]), "3 2");
    assert_eq!(links(&["--limit", "1", "--until", "2026-03-03"]), "2");
    let charges = |flags: &[&str]| {
        let lines = list(&home, "charges", flags);
        texts(&lines, "description")
            .join(" ")
            .replace("charge ", "")
    };
    assert_eq!(
        charges(&["--since", "2026-03-02", "--until", "2026-03-03"]),
        "2 1"
    );
    assert_eq!(charges(&["--state", "not-sent"]), "1");
    assert_eq!(charges(&["--state", "refused", "--limit", "1"]), "3");

    let plain = |flags: &[&str]| {
        let args = [&["--base-url", SERVICE, "links", "list"], flags].concat();
        String::from_utf8(run::run(&home, &args).stdout).unwrap()
    };
    let text = plain(&["--state", "refused"]);
    assert!(
        text.contains("link 2") && !text.contains("link 1"),
        "{text}"
    );
    assert_eq!(
        plain(&["--since", "2027-01-01"]),
        "Nada na lista com estes filtros.\n"
    );
}

#[test]
fn each_filter_selects_withdrawals() {
    let home = TestHome::new();
    create_past(&home);
    let states = |flags: &[&str]| {
        let lines = list(&home, "withdrawals", flags);
        texts(&lines, "state").join(" ")
    };
    assert_eq!(states(&[]), "needs-person discarded");
    assert_eq!(states(&["--state", "discarded"]), "discarded");
    assert_eq!(states(&["--state", "accepted"]), "");
    assert_eq!(states(&["--limit", "1"]), "needs-person");
    assert_eq!(states(&["--since", "2026-03-02"]), "");
    assert_eq!(states(&["--until", "2026-02-28"]), "");
    assert_eq!(
        states(&["--since", "2026-03-01", "--until", "2026-03-01"]),
        "needs-person discarded"
    );
}

#[test]
fn stored_requests_are_listed_and_filtered() {
    let home = TestHome::new();
    create_past(&home);
    let states = |flags: &[&str]| {
        let lines = list(&home, "requests", flags);
        texts(&lines, "state").join(" ")
    };
    assert_eq!(states(&[]), "no-answer error ok");
    assert_eq!(states(&["--state", "error"]), "error");
    assert_eq!(states(&["--since", "2026-03-02"]), "no-answer error");
    assert_eq!(states(&["--until", "2026-03-02"]), "error ok");
    assert_eq!(states(&["--limit", "1"]), "no-answer");
    let newest = &list(&home, "requests", &["--limit", "2"]);
    assert_eq!(newest[1]["httpStatus"], 400);
    assert_eq!(newest[1]["withdrawal"], key(1).to_string());
    assert_eq!(newest[1]["requestBody"], r#"{"amount":1}"#);
    assert_eq!(newest[1]["replyBody"], "{}");
    assert_eq!(newest[0]["replyBody"], Value::Null);

    let args = ["--base-url", SERVICE, "requests", "list", "--lang", "en"];
    let text = String::from_utf8(run::run(&home, &args).stdout).unwrap();
    let rows: Vec<_> = text.lines().collect();
    assert_eq!(
        rows[..3],
        [
            "Date and time                 State  Request",
            "3 Mar 2026 12:00          no answer  Withdrawal",
            "  POST https://pay.example/withdrawals/2"
        ],
        "{text}"
    );
    let nothing = TestHome::new();
    let args = ["--base-url", SERVICE, "requests", "list"];
    let text = String::from_utf8(run::run(&nothing, &args).stdout).unwrap();
    assert_eq!(text, "Nenhuma solicitação ainda.\n");
}

/// Creates a history with links only, newest last.
fn create_links(home: &TestHome, count: i64) -> PathBuf {
    let dir = home.home_dir().join("many");
    fs::create_dir(&dir).unwrap();
    let links = (0..count).map(|n| PaymentLink {
        id: RowId(0),
        at: Wall(MARCH_NOON.0 + n),
        request: LinkRequest {
            account: account(),
            amount: Money::from_centavos(100),
            description: format!("link {n}"),
            domain: None,
        },
        outcome: LinkOutcome::Unknown,
        paid: None,
        note: None,
        put_away: None,
        authors: SaleAuthors::default(),
    });
    let mut history = History::open(&dir, MARCH_NOON).unwrap().0;
    history.seed(&links.collect::<Vec<_>>(), &[]).unwrap();
    dir
}

#[test]
fn limit_does_not_read_the_whole_list() {
    let home = TestHome::new();
    let dir = create_links(&home, 1_000);
    // The oldest link cannot be read.
    let file = rusqlite::Connection::open(dir.join("history.db")).unwrap();
    let damage = "UPDATE link SET outcome = 'x' WHERE id = (SELECT min(id) FROM link)";
    assert_eq!(file.execute(damage, []), Ok(1));
    let list = [
        "links",
        "list",
        "--json",
        "--journal",
        dir.to_str().unwrap(),
    ];
    let output = run::run(&home, &list);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    for flags in [&["--limit", "10"][..], &["--since", "2026-03-01 12:00:01"]] {
        let args = [&list, flags].concat();
        let output = run::run(&home, &args);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
    let lines = run::run_json_lines(&home, &[&list[..], &["--limit", "10"]].concat());
    assert_eq!(lines.len(), 10);
    assert_eq!(lines[0]["description"], "link 999");
}

#[test]
fn closed_output_ends_a_list_quietly() {
    let home = TestHome::new();
    let dir = create_links(&home, 3_000);
    let list = [
        "links",
        "list",
        "--json",
        "--journal",
        dir.to_str().unwrap(),
    ];
    let mut command = run::command(&home, &list);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut first)
        .unwrap();
    assert!(first.contains("link 2999"), "{first}");
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), &*errors), (Some(0), ""));
}

/// Runs a command with the credentials of a sandbox.
fn run_with_bank(home: &TestHome, bank: &Bank, args: &[&str]) -> (Option<i32>, String, String) {
    let url = bank.url();
    let mut command = run::command(
        home,
        &[args, &["--base-url", &url, "--vault", "env"]].concat(),
    );
    command
        .env("BALCAO_TOKEN", bank.control().api_token().unwrap())
        .env("BALCAO_JWT", bank.jwt())
        .env("BALCAO_LOGIN", "ana@loja.example")
        .env("BALCAO_ORIGIN", &url);
    let output = run::output(&mut command);
    let [out, errors] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (output.status.code(), out, errors)
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn domains_are_asked_for_and_not_recorded() {
    let home = TestHome::new();
    let bank = Bank::open();
    let hosts: Vec<String> = bank
        .control()
        .domains()
        .into_iter()
        .map(|domain| domain.host)
        .collect();
    bank.control()
        .set_domain(&hosts[1], DomainSetup::Active)
        .unwrap();
    let domains = |flags: &[&str]| {
        let args = [&["domains", "list", "--json", "--read-only"], flags].concat();
        let (code, out, errors) = run_with_bank(&home, &bank, &args);
        assert_eq!(code, Some(0), "{errors}");
        json_lines(&out)
    };
    let all = domains(&[]);
    assert_eq!(texts(&all, "domain"), hosts);
    let active = domains(&["--state", "active"]);
    assert_eq!(texts(&active, "domain"), hosts[..2]);
    assert_eq!(active[0]["serviceState"], Value::Null);
    let pending = domains(&["--state", "pending"]);
    assert_eq!(texts(&pending, "domain"), hosts[2..]);
    assert!(pending[0]["serviceState"].is_string(), "{pending:?}");
    assert_eq!(domains(&["--limit", "1"]), all[..1]);
    let (_, plain, _) = run_with_bank(&home, &bank, &["domains", "list"]);
    assert!(
        plain.starts_with(&format!("{} · ativo · padrão\n", hosts[0]))
            && plain.ends_with("ainda não ativo: “pending_ssl”\n"),
        "{plain}"
    );
    let (_, none, _) = run_with_bank(&home, &bank, &["domains", "list", "--state", "usable"]);
    assert_eq!(none, "Nada na lista com estes filtros.\n");
    let is_stored = |name: &str| {
        let files = fs::read_dir(home.state_dir()).unwrap();
        files
            .flatten()
            .any(|file| file.path().join(name).exists() || file.file_name() == name)
    };
    assert!(!is_stored("history.db") && !is_stored("requests"));
}

#[test]
fn domains_need_agreement_credential_and_a_get() {
    let home = TestHome::new();
    let bank = Bank::open();
    let list = ["domains", "list", "--json"];
    let mut requests = bank.control().finished_requests();
    home.write_config("config.toml", "[profiles.default]\ncontract = 'own.toml'\n");
    home.write_config("own.toml", "withdrawal.field.key.label.en = 'Key'\n");
    let (code, out, errors) = run_with_bank(&home, &bank, &list);
    assert_eq!((code, &*out), (Some(2), ""), "{errors}");
    assert!(errors.contains("Nada foi enviado"), "{errors}");
    let agree = || {
        let (_, lines, _) = run_with_bank(&home, &bank, &["contract", "show", "--json"]);
        let sum = json_lines(&lines).pop().unwrap();
        assert_eq!(
            (&sum["name"], &sum["source"]),
            (&"agree".into(), &"sum".into())
        );
        sum["value"].as_str().unwrap().to_owned()
    };
    assert!(requests.try_recv().is_err(), "something was sent");
    let sum = agree();
    let agreed = [&list[..], &["--agree", &sum, "--read-only"]].concat();
    let (code, out, errors) = run_with_bank(&home, &bank, &agreed);
    assert_eq!((code, json_lines(&out).len()), (Some(0), 4), "{errors}");
    assert!(requests.try_recv().is_ok(), "nothing was sent");

    home.write_config("own.toml", "domains.method = 'POST'\n");
    let sum = agree();
    let agreed = [&list[..], &["--agree", &sum, "--read-only"]].concat();
    let (code, out, errors) = run_with_bank(&home, &bank, &agreed);
    assert_eq!(code, Some(1), "{errors}");
    assert!(out.contains("--read-only"), "{out}");

    let other = TestHome::new();
    let url = bank.url();
    let args = [&list[..], &["--vault", "env", "--base-url", &url]].concat();
    let output = run::output(run::command(&other, &args).env("BALCAO_ORIGIN", &url));
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(requests.try_recv().is_err(), "something was sent");
}

#[test]
fn whoami_is_one_object_without_a_secret() {
    let home = TestHome::new();
    let bank = Bank::open();
    let (code, out, errors) = run_with_bank(&home, &bank, &["whoami", "--json"]);
    assert_eq!(code, Some(0), "{errors}");
    let who: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(who["service"], bank.url(), "{who}");
    assert_eq!(
        (&who["loggedIn"], &who["vault"]),
        (&true.into(), &"env".into())
    );
    let credentials = who["credentials"].as_array().unwrap();
    assert_eq!(texts(credentials, "kind"), ["api-token", "jwt"]);
    assert_eq!(texts(credentials, "state"), ["good", "good"]);
    assert_eq!(credentials[0]["account"], "ana@loja.example");
    let args = ["whoami", "--json", "--vault", "env", "--base-url", SERVICE];
    let output = run::output(run::command(&home, &args).env("BALCAO_ORIGIN", SERVICE));
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let who: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(who["loggedIn"], false);
    assert_eq!(who["credentials"][0]["state"], "absent");
}

#[test]
fn contract_lines_have_their_source() {
    let home = TestHome::new();
    home.write_config(
        "config.toml",
        "[profiles.default]\nbase-url = 'https://pay.example'\n\
         contract = ['snake-case', 'loja.toml']\n",
    );
    home.write_config("loja.toml", "\nwithdrawal.unit = 'centavos'\n");
    let lines = run::run_json_lines(&home, &["contract", "show", "--json"]);
    let facts = |name: &str| {
        let line = lines.iter().find(|line| line["name"] == name).expect(name);
        ["value", "state", "source", "file", "line"].map(|member| line[member].clone())
    };
    let null = || Value::Null;
    assert_eq!(
        facts("withdrawal.unit"),
        [
            Value::from("centavos"),
            "assumed".into(),
            "file".into(),
            home.config_dir()
                .join("loja.toml")
                .display()
                .to_string()
                .into(),
            2.into()
        ]
    );
    let [_, state, source, file, line] = facts("withdrawal.field.key.name");
    assert_eq!(
        [state, source, file, line],
        [
            "assumed".into(),
            "preset".into(),
            "snake-case".into(),
            null()
        ]
    );
    let [_, state, source, file, line] = facts("withdrawal.path");
    assert_eq!(
        [state, source, file, line],
        ["documented".into(), "built-in".into(), null(), null()]
    );
    let [value, state, source, ..] = facts("profile.base-url");
    assert_eq!([state, source], [null(), "profile".into()]);
    assert!(value.as_str().unwrap().starts_with(SERVICE), "{value}");
}

/// The kind of a JSON value.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "flag",
        Value::Number(_) => "number",
        Value::String(_) => "text",
        Value::Array(_) => "list",
        Value::Object(_) => "object",
    }
}

/// The names and types of the lists before they had a format number. Scripts depend on them.
const FIRST_NAMES: [(&str, &[(&str, &str)]); 3] = [
    (
        "links",
        &[
            ("at", "text"),
            ("account", "text"),
            ("amount", "number"),
            ("description", "text"),
            ("checkoutDomain", "text"),
            ("outcome", "text"),
            ("url", "text"),
            ("message", "text"),
            ("markedPaid", "text"),
            ("sandboxPaid", "text"),
        ],
    ),
    (
        "charges",
        &[
            ("at", "text"),
            ("account", "text"),
            ("amount", "number"),
            ("description", "text"),
            ("customer", "text"),
            ("buyer", "object"),
            ("outcome", "text"),
            ("id", "text"),
            ("status", "text"),
            ("pixCode", "text"),
            ("expires", "text"),
            ("message", "text"),
            ("markedPaid", "text"),
        ],
    ),
    (
        "withdrawals",
        &[
            ("key", "text"),
            ("state", "text"),
            ("open", "flag"),
            ("agreed", "text"),
            ("account", "text"),
            ("origin", "text"),
            ("amount", "number"),
            ("fee", "number"),
            ("net", "number"),
            ("destination", "text"),
            ("nickname", "text"),
            ("description", "text"),
            ("attempts", "list"),
        ],
    ),
];

/// The values that no row of the past has.
const ABSENT: [&str; 7] = [
    "checkoutDomain",
    "sandboxPaid",
    "expires",
    "fee",
    "net",
    "nickname",
    "description",
];

#[test]
fn lists_keep_their_first_names_and_types() {
    let home = TestHome::new();
    create_past(&home);
    for (name, members) in FIRST_NAMES {
        let lines = list(&home, name, &[]);
        for (member, expected) in members {
            let kinds: BTreeSet<_> = lines.iter().map(|line| kind(&line[member])).collect();
            assert!(
                kinds.iter().all(|kind| kind == expected || *kind == "null"),
                "{name}: {member} is {kinds:?}"
            );
            assert!(
                kinds.contains(expected) || ABSENT.contains(member) || *member == "markedPaid",
                "{name}: {member}"
            );
            assert!(
                lines.iter().all(|line| line.get(member).is_some()),
                "{name}: {member} is missing"
            );
        }
        let names = lines[0].as_object().unwrap().keys();
        let added: Vec<_> = names
            .filter(|name| !members.iter().any(|(member, _)| member == name))
            .collect();
        let allowed: &[&str] = match name {
            "links" => &["format", "state", "note", "putAway"],
            "charges" => &["format", "state", "serviceState"],
            _ => &[
                "format",
                "serviceState",
                "preparedBy",
                "approvedBy",
                "decidedBy",
            ],
        };
        assert_eq!(added, allowed, "{name}");
    }
    let charges = list(&home, "charges", &[]);
    assert_eq!(charges[3]["status"], "PENDING");
    assert_eq!(charges[3]["serviceState"], "PENDING");
}

fn schema_path(kind: &str) -> String {
    format!("{}/assets/schema/{kind}.json", env!("CARGO_MANIFEST_DIR"))
}

/// The objects that each command prints, by the name of their schema. With `redact`, masked.
fn printed_objects(redact: bool) -> BTreeMap<&'static str, Vec<Value>> {
    let home = TestHome::new();
    create_past(&home);
    let bank = Bank::open();
    let flags: &[&str] = if redact { &["--redact"] } else { &[] };
    let of_past = |name| list(&home, name, flags);
    let of_bank = |args: &[&str]| {
        let (_, out, errors) = run_with_bank(&TestHome::new(), &bank, &[args, flags].concat());
        assert!(!out.is_empty(), "{args:?}: {errors}");
        json_lines(&out)
    };
    let importer = TestHome::new();
    fs::write(
        importer.home_dir().join("precos.csv"),
        "Descrição;Valor\nBoné;49,90\nMeia;9,90\n",
    )
    .unwrap();
    let import = ["links", "import", "precos.csv", "--json"];
    let (_, imported, _) = run_with_bank(&importer, &bank, &[&import[..], flags].concat());
    let create = [
        "links",
        "create",
        "--json",
        "--amount",
        "1,50",
        "--description",
        "Bolo",
    ];
    let links = [of_past("links"), of_bank(&create)].concat();
    let report = |by: &[&str]| {
        let args = [
            &[
                "--base-url",
                SERVICE,
                "report",
                "--json",
                "--from",
                "2026-03-01",
            ],
            by,
            flags,
        ];
        run::run_json_lines(&home, &args.concat())
    };
    let by = ["day", "week", "month", "domain", "description", "state"];
    let reports = by.map(|by| report(&["--by", by])).concat();
    BTreeMap::from([
        ("report", [report(&[]), reports].concat()),
        ("link", links),
        ("charge", of_past("charges")),
        ("withdrawal", of_past("withdrawals")),
        ("request", of_past("requests")),
        ("domain", of_bank(&["domains", "list", "--json"])),
        ("whoami", of_bank(&["whoami", "--json"])),
        ("contract-setting", of_bank(&["contract", "show", "--json"])),
        ("doctor", of_bank(&["doctor", "--json"])),
        ("import-line", json_lines(&imported)),
        ("reconciled", reconciled(&home, flags)),
    ])
}

/// Compares a statement with the links of the past.
fn reconciled(home: &TestHome, flags: &[&str]) -> Vec<Value> {
    let file = home.home_dir().join("extrato.csv");
    fs::write(&file, "Data;Lançamento;Valor\n05/03/2026;PIX ANA;1,00\n").unwrap();
    let command = [
        "--base-url",
        SERVICE,
        "reconcile",
        file.to_str().unwrap(),
        "--json",
    ];
    run::run_json_lines(home, &[&command, flags].concat())
}

/// Each printed object has the names that its schema has, and no others.
#[test]
fn schemas_have_every_printed_name() {
    for (name, objects) in printed_objects(false) {
        let schema = fs::read_to_string(schema_path(name)).unwrap();
        let schema: Value = serde_json::from_str(&schema).unwrap();
        let required = texts_of(&schema["required"]);
        let described: BTreeSet<_> = schema["properties"].as_object().unwrap().keys().collect();
        for (member, described) in schema["properties"].as_object().unwrap() {
            let has_type = ["type", "const", "anyOf"]
                .iter()
                .any(|word| described.get(word).is_some());
            assert!(has_type, "{name}: {member}");
        }
        assert!(!objects.is_empty(), "{name}");
        for object in objects {
            let names: BTreeSet<_> = object.as_object().unwrap().keys().collect();
            assert_eq!(names, described, "{name}");
            assert_eq!(
                names.into_iter().cloned().collect::<BTreeSet<_>>(),
                required
            );
            assert_eq!(object["format"], 1, "{name}");
        }
    }
}

fn texts_of(list: &Value) -> BTreeSet<String> {
    let items = list.as_array().unwrap().iter();
    items
        .map(|item| item.as_str().unwrap().to_owned())
        .collect()
}

mod needs_tools {
    use std::process::Command;

    use super::*;
    use crate::support::tools::{has_tools, program_path};

    /// Validates objects with a schema. Returns true if all are valid, and the errors.
    fn validate(name: &str, objects: &[Value]) -> (bool, String) {
        let dir = tempfile::tempdir().unwrap();
        let mut command = Command::new(program_path("jsonschema"));
        for (n, object) in objects.iter().enumerate() {
            let path = dir.path().join(format!("{n}.json"));
            fs::write(&path, object.to_string()).unwrap();
            command.arg("-i").arg(path);
        }
        let output = command.arg(schema_path(name)).output().unwrap();
        (
            output.status.success(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    }

    #[test]
    fn printed_objects_are_valid_by_their_schemas() {
        if !has_tools(&["jsonschema"]) {
            return;
        }
        for redact in [false, true] {
            for (name, objects) in printed_objects(redact) {
                let (is_valid, errors) = validate(name, &objects);
                assert!(is_valid, "{name}: {errors}");
                if redact {
                    continue;
                }
                let (member, _) = objects[0].as_object().unwrap().iter().next_back().unwrap();
                for (member, wrong) in [("format", 2.into()), (member, serde_json::json!({}))] {
                    let mut changed = objects[0].clone();
                    changed[member] = wrong;
                    assert!(!validate(name, &[changed]).0, "{name}: {member}");
                }
            }
        }
    }
}
