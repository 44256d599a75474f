//! Tests of `balcao sandbox` as scripts use it. The address and the credentials that it prints must
//! work.

use std::collections::BTreeMap;

use rustix::process::Signal;
use serde_json::json;

use super::support::http::exchange;
use super::support::place::TestHome;
use super::support::pty::Launch;
use super::support::run::{self, Running};

#[test]
fn the_sandbox_prints_what_works_and_ends_when_asked() {
    let place = TestHome::new();
    let start = run::command(&place, &["sandbox", "--listen", "127.0.0.1:0"]);
    let mut sandbox = Running::start(start);
    let mut said = BTreeMap::new();
    while !said.contains_key("ledger") {
        let line = sandbox.lines.next().expect("a line").expect("text");
        let (name, value) = line.split_once(' ').expect("a name and a value");
        said.insert(name.to_owned(), value.trim().to_owned());
    }
    let names: Vec<&str> = said.keys().map(String::as_str).collect();
    assert_eq!(names, ["email", "jwt", "ledger", "password", "url"]);
    let address = said["url"].strip_prefix("http://").expect("http");

    let login = json!({ "email": said["email"], "password": said["password"] });
    let (status, token) = exchange(address, "POST", "/api/v1/api-auth/login", None, Some(&login));
    assert!(matches!(status, 200 | 201), "{status}: {token}");
    let link = json!({ "amount": 1, "description": "Bolo" });
    let jwt = Some(said["jwt"].as_str());
    let (status, made) = exchange(address, "POST", "/api/v1/payment-links", jwt, Some(&link));
    assert_eq!(status, 201, "{made}");
    assert_eq!(said["ledger"], format!("{}/_sandbox/ledger", said["url"]));
    let (status, ledger) = exchange(address, "GET", "/_sandbox/ledger", None, None);
    assert_eq!(status, 200);
    assert_eq!(ledger["links"][0]["url"], made["url"]);

    sandbox.signal(Signal::TERM);
    let status = sandbox.wait();
    assert!(status.success(), "{status}");
}

#[test]
fn a_taken_port_is_a_clear_error() {
    let place = TestHome::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = run::run(&place, &["sandbox", "--listen", &address]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains(&address) && said.contains("atender"), "{said}");
}

#[test]
fn armed_faults_are_listed_at_start() {
    let place = TestHome::new();
    let file = place.home().join("faults.toml");
    let faults = "[[fault]]\noperation = 'withdrawal'\nfault = 'drop_after'\ntimes = 2\n\
                  [[fault]]\nfault = 'delay'\nmilliseconds = 1500\ntimes = 'always'\n";
    std::fs::write(&file, faults).unwrap();
    let arguments = ["sandbox", "--listen", "127.0.0.1:0", "--faults", file.to_str().unwrap()];
    let mut sandbox = Running::start(run::command(&place, &arguments));
    let mut said = Vec::new();
    // Read until a line begins with `ledger`, because this is the last line that the sandbox
    // prints.
    while !said.last().is_some_and(|line: &String| line.starts_with("ledger ")) {
        said.push(sandbox.lines.next().expect("a line").expect("text"));
    }
    let faults: Vec<_> = said.iter().filter_map(|line| line.strip_prefix("fault     ")).collect();
    assert_eq!(faults, ["withdrawal: drop_after, 2 times", "any: delay of 1500 ms, always"]);
    sandbox.signal(Signal::TERM);
    assert!(sandbox.wait().success());
}

/// Returns the content of an exported file with three HTTP requests: a login, a fee preview and a
/// withdrawal.
fn recording() -> String {
    let entry =
        |operation: &str, method: &str, path: &str, sent: &str, status: u16, reply: &str| {
            json!({
                "startedDateTime": "2026-11-21T15:00:00.000Z", "time": 100, "_operation": operation,
                "request": {
                    "method": method, "url": format!("https://api.example{path}"), "headers": [],
                    "postData": { "mimeType": "application/json", "text": sent },
                },
                "response": {
                    "status": status,
                    "headers": [{ "name": "content-type", "value": "application/json" }],
                    "content": { "text": reply },
                },
            })
        };
    let login = r#"{"email":"‹email 1›","password":"…"}"#;
    let sent = r#"{"amount":100.00,"pixKeyType":"cpf","pixKey":"‹cpf 1›"}"#;
    let fee = "/api/v1/withdrawals/fee-preview?amount=100.00";
    let entries = [
        entry("login", "POST", "/api/v1/api-auth/login", login, 200, r#"{"token":"…"}"#),
        entry("fee_preview", "GET", fee, "", 200, r#"{"fee":2.05,"net":97.95}"#),
        entry("withdrawal", "POST", "/api/v1/integrations/withdrawals", sent, 400, "{}"),
    ];
    // This setting of the API contract changes only a text on the screen.
    let contract = ["withdrawal.field.key.label.pt-BR = \"Chave de quem recebe\""];
    json!({ "log": { "version": "1.2", "entries": entries, "_contract": contract } }).to_string()
}

#[test]
fn replay_prints_what_works_and_is_no_live_account() {
    let place = TestHome::new();
    let file = place.home().join("a.har");
    std::fs::write(&file, recording()).unwrap();
    let arguments = ["sandbox", "--listen", "127.0.0.1:0", "--from-har", file.to_str().unwrap()];
    let mut replay = Running::start(run::command(&place, &arguments));
    let mut said = BTreeMap::new();
    while !said.contains_key("open") {
        let line = replay.lines.next().expect("a line").expect("text");
        let (name, value) = line.split_once(' ').expect("a name and a value");
        said.insert(name.to_owned(), value.trim().to_owned());
    }
    assert_eq!((&*said["email"], &*said["password"], &*said["requests"]), ("a@b.co", "any", "3"));
    let contract = std::fs::read_to_string(&said["contract"]).unwrap();
    assert_eq!(contract, "withdrawal.field.key.label.pt-BR = \"Chave de quem recebe\"\n");

    // The printed command opens the app with the API contract of the recording.
    let command: Vec<&str> = said["open"].split(' ').collect();
    let (variable, config) = command[0].split_once('=').unwrap();
    assert_eq!((variable, command[1]), ("BALCAO_CONFIG_DIR", "balcao"));
    // These variables point to a live service. The flags must override them.
    let variables =
        [(variable, config), ("BALCAO_BASE_URL", "http://127.0.0.1:9"), ("BALCAO_PROFILE", "loja")];
    let tui = variables.iter().fold(Launch::new(&place), |it, (name, value)| it.env(name, value));
    let mut tui = tui.args(&command[2..]).start();
    tui.wait_for("Formato do serviço");
    tui.wait_for("SANDBOX");
    tui.press("\x1b");
    tui.wait_for("Nenhum link por aqui ainda");
    tui.press("q");
    assert!(tui.wait_exit().success());
    assert!(!place.state().join("journal").exists(), "there is a live journal");
    let journals = std::fs::read_dir(place.state().join("sandbox/journals")).unwrap();
    assert_eq!(journals.filter(|one| one.as_ref().unwrap().path().is_dir()).count(), 1);

    replay.signal(Signal::TERM);
    assert!(replay.wait().success());
    assert!(!std::path::Path::new(config).exists(), "the directory is temporary");
}
