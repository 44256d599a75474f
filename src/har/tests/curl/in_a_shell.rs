//! Runs copied commands in a shell. Its `curl` is a script that writes down its arguments, one a
//! line, and sends nothing.

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use super::*;

const VARIABLES: [(&str, &str); 4] = [
    ("WITHDRAWAL_CODE", "code-1"),
    ("DESTINATION", "ana@loja.example"),
    ("BALCAO_TOKEN", "api-token"),
    ("BALCAO_JWT", "the-jwt"),
];

/// Runs a command with these environment variables. Returns the arguments of `curl`, or `None` if
/// the shell did not run it, with the shell's messages.
fn run(command: &str, variables: &[(&str, &str)]) -> (Option<String>, String) {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let script = "#!/bin/sh\nprintf '%s\\n' \"$@\" >\"$0.arguments\"\n";
    std::fs::write(path("curl"), script).unwrap();
    std::fs::set_permissions(path("curl"), std::fs::Permissions::from_mode(0o700)).unwrap();
    let mut shell = Command::new("/bin/sh");
    shell
        .env_clear()
        .env("PATH", dir.path())
        .envs(variables.iter().copied());
    let output = shell.arg("-c").arg(command).output().unwrap();
    let messages = String::from_utf8(output.stderr).unwrap();
    (
        std::fs::read_to_string(path("curl.arguments")).ok(),
        messages,
    )
}

/// A withdrawal in each form that a contract allows, with its contract.
fn withdrawals() -> Vec<(Exchange, Contract)> {
    let without_key = Exchange {
        request_headers: vec![],
        ..withdrawal()
    };
    let on_file = Exchange {
        request_body: Some(r#"{"amount":10.10}"#.into()),
        ..withdrawal()
    };
    let form = Exchange {
        request_body: Some("amount=10.10&pixKey=529".into()),
        ..withdrawal()
    };
    let no_body = Exchange {
        request_body: None,
        ..without_key.clone()
    };
    let all = [withdrawal(), without_key, on_file, form, no_body];
    all.into_iter()
        .map(|withdrawal| (withdrawal, Contract::built_in()))
        .collect()
}

#[test]
fn copied_withdrawal_does_not_run_unchanged() {
    for (withdrawal, contract) in withdrawals() {
        let curl = command(&withdrawal, &contract, &mut mask(), WORDS);
        let (arguments, messages) = run(&curl, &VARIABLES[2..]);
        assert_eq!(arguments, None, "{curl}");
        assert!(
            messages.contains("WITHDRAWAL_CODE") && messages.contains("KEY"),
            "{messages}"
        );
        // A part of a command may be copied too.
        let without_guard = &curl[curl.find("curl --globoff").unwrap()..];
        if without_guard.contains("WITHDRAWAL_CODE") {
            assert_eq!(run(without_guard, &VARIABLES[1..]).0, None, "{curl}");
        }
        if curl.contains("DESTINATION") {
            let (arguments, messages) = run(&curl, &[&VARIABLES[..1], &VARIABLES[2..]].concat());
            assert_eq!(arguments, None, "{curl}");
            assert!(messages.contains("DESTINATION"), "{messages}");
        }
    }
}

#[test]
fn withdrawal_with_its_variables_is_sent() {
    let (arguments, messages) = run(&command_of(&withdrawal()), &VARIABLES);
    let arguments = arguments.unwrap_or_else(|| panic!("{messages}"));
    let lines: Vec<&str> = arguments.lines().collect();
    for expected in [
        "authorization: Bearer api-token",
        "idempotency-key: code-1",
        r#"{"amount":10.10,"pixKeyType":"cpf","pixKey":"ana@loja.example"}"#,
    ] {
        assert!(lines.contains(&expected), "{expected} in {arguments}");
    }
}

#[test]
fn hostile_withdrawal_stays_in_its_quotes() {
    let hostile = "\u{f0000}'$(: >hit)`: >hit`\"}";
    let body = json!({ "amount": hostile, "pixKey": hostile }).to_string();
    let withdrawal = Exchange {
        request_headers: vec![(hostile.into(), hostile.into())],
        request_body: Some(body),
        ..withdrawal()
    };
    let words = CurlWords {
        warning: hostile,
        key: hostile,
        destination: hostile,
    };
    let curl = command(&withdrawal, &CONTRACT, &mut mask(), words);
    let (arguments, messages) = run(&curl, &VARIABLES);
    assert!(
        arguments.is_some() && messages.is_empty(),
        "{messages}\n{curl}"
    );
    assert!(!std::path::Path::new("hit").exists());
}

#[test]
fn each_request_takes_its_own_credential() {
    for (operation, credential) in [
        (Operation::CreateLink, "the-jwt"),
        (Operation::DirectPayment, "the-jwt"),
        (Operation::Domains, "the-jwt"),
        (Operation::FeePreview, "api-token"),
    ] {
        let request = Exchange {
            request_headers: vec![("authorization".into(), "Bearer …".into())],
            ..exchange(operation, "https://api.example/x")
        };
        let (arguments, messages) = run(&command_of(&request), &VARIABLES);
        let expected = format!("authorization: Bearer {credential}");
        assert!(
            arguments.is_some_and(|text| text.contains(&expected)),
            "{operation:?} {messages}"
        );
    }
}
