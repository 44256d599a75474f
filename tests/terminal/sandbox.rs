//! Tests `balcao sandbox` as scripts use it: the address and the credentials that it prints must
//! work.

use std::collections::BTreeMap;

use rustix::process::Signal;
use serde_json::json;

use super::support::http::exchange;
use super::support::place::TestHome;
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
    // The last line that the sandbox prints begins with `ledger`.
    while !said.last().is_some_and(|line: &String| line.starts_with("ledger ")) {
        said.push(sandbox.lines.next().expect("a line").expect("text"));
    }
    let faults: Vec<_> = said.iter().filter_map(|line| line.strip_prefix("fault     ")).collect();
    assert_eq!(faults, ["withdrawal: drop_after, 2 times", "any: delay of 1500 ms, always"]);
    sandbox.signal(Signal::TERM);
    assert!(sandbox.wait().success());
}
