//! Tests of `balcao sandbox` as scripts use it. The address and the credentials that it prints must
//! work.

use std::collections::BTreeMap;

use rustix::process::Signal;
use serde_json::json;

use super::support::http::send_request;
use super::support::place::TestHome;
use super::support::run::{self, BackgroundProgram};

#[test]
fn sandbox_prints_working_credentials_and_stops() {
    let home = TestHome::new();
    let start = run::command(&home, &["sandbox", "--listen", "127.0.0.1:0"]);
    let mut sandbox = BackgroundProgram::start(start);
    let mut printed = BTreeMap::new();
    while !printed.contains_key("ledger") {
        let line = sandbox.lines.next().expect("a line").expect("text");
        let (name, value) = line.split_once(' ').expect("a name and a value");
        printed.insert(name.to_owned(), value.trim().to_owned());
    }
    let names: Vec<&str> = printed.keys().map(String::as_str).collect();
    assert_eq!(names, ["email", "jwt", "ledger", "password", "url"]);
    let address = printed["url"].strip_prefix("http://").expect("http");

    let login = json!({ "email": printed["email"], "password": printed["password"] });
    let (status, token) = send_request(
        address,
        "POST",
        "/api/v1/api-auth/login",
        None,
        Some(&login),
    );
    assert!(matches!(status, 200 | 201), "{status}: {token}");
    let link = json!({ "amount": 1, "description": "Bolo" });
    let jwt = Some(printed["jwt"].as_str());
    let (status, link) = send_request(address, "POST", "/api/v1/payment-links", jwt, Some(&link));
    assert_eq!(status, 201, "{link}");
    assert_eq!(
        printed["ledger"],
        format!("{}/_sandbox/ledger", printed["url"])
    );
    let (status, ledger) = send_request(address, "GET", "/_sandbox/ledger", None, None);
    assert_eq!(status, 200);
    assert_eq!(ledger["links"][0]["url"], link["url"]);

    sandbox.signal(Signal::TERM);
    let status = sandbox.wait();
    assert!(status.success(), "{status}");
}

#[test]
fn a_taken_port_is_a_clear_error() {
    let home = TestHome::new();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let output = run::run(&home, &["sandbox", "--listen", &address]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(
        stderr.contains(&address) && stderr.contains("atender"),
        "{stderr}"
    );
}

#[test]
fn armed_faults_are_listed_at_start() {
    let home = TestHome::new();
    let file = home.home_dir().join("faults.toml");
    let faults = "[[fault]]\noperation = 'withdrawal'\nfault = 'drop_after'\ntimes = 2\n\
                  [[fault]]\nfault = 'delay'\nmilliseconds = 1500\ntimes = 'always'\n";
    std::fs::write(&file, faults).unwrap();
    let arguments = [
        "sandbox",
        "--listen",
        "127.0.0.1:0",
        "--faults",
        file.to_str().unwrap(),
    ];
    let mut sandbox = BackgroundProgram::start(run::command(&home, &arguments));
    let mut printed_lines = Vec::new();
    // Read until a line begins with `ledger`, because this is the last line that the sandbox
    // prints.
    while !printed_lines
        .last()
        .is_some_and(|line: &String| line.starts_with("ledger "))
    {
        printed_lines.push(sandbox.lines.next().expect("a line").expect("text"));
    }
    let faults: Vec<_> = printed_lines
        .iter()
        .filter_map(|line| line.strip_prefix("fault     "))
        .collect();
    assert_eq!(
        faults,
        [
            "withdrawal: drop_after, 2 times",
            "any: delay of 1500 ms, always"
        ]
    );
    sandbox.signal(Signal::TERM);
    assert!(sandbox.wait().success());
}
