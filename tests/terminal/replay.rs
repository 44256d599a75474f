//! Tests of `balcao sandbox --from-har`, which replays a seller's exported HTTP requests.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use rustix::process::Signal;
use serde_json::json;

use super::seller::{send_withdrawal, submit_login};
use super::support::http::send_request;
use super::support::journal::create_live_journal;
use super::support::place::TestHome;
use super::support::pty::{Launch, Tui};
use super::support::run::{self, BackgroundProgram};

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
        entry(
            "login",
            "POST",
            "/api/v1/api-auth/login",
            login,
            200,
            r#"{"token":"…"}"#,
        ),
        entry(
            "fee_preview",
            "GET",
            fee,
            "",
            200,
            r#"{"fee":2.05,"net":97.95}"#,
        ),
        entry(
            "withdrawal",
            "POST",
            "/api/v1/integrations/withdrawals",
            sent,
            400,
            "{}",
        ),
    ];
    // This setting of the API contract changes only a text on the screen.
    let contract = ["withdrawal.field.key.label.pt-BR = \"Chave de quem recebe\""];
    json!({ "log": { "version": "1.2", "entries": entries, "_contract": contract } }).to_string()
}

/// A running replay, with the lines that it has printed.
struct Replay {
    program: BackgroundProgram,
    lines: Vec<String>,
}

impl Replay {
    /// Starts a replay of this file with these additional arguments. Waits until it has printed the
    /// command that opens the app.
    fn start(home: &TestHome, har: &str, more: &[&str]) -> Replay {
        Replay::start_at("127.0.0.1:0", home, har, more)
    }

    fn start_at(listen: &str, home: &TestHome, har: &str, more: &[&str]) -> Replay {
        let file = home.home_dir().join("a.har");
        fs::write(&file, har).unwrap();
        let file = file.to_str().unwrap();
        let args = [&["sandbox", "--listen", listen, "--from-har", file], more].concat();
        let mut program = BackgroundProgram::start(run::command(home, &args));
        let mut lines: Vec<String> = Vec::new();
        while !lines.last().is_some_and(|line| line.starts_with("open ")) {
            lines.push(program.lines.next().expect("a line").expect("text"));
        }
        Replay { program, lines }
    }

    /// Returns the value on the printed line that begins with this name.
    fn value(&self, name: &str) -> &str {
        let mut pairs = self.lines.iter().filter_map(|line| line.split_once(' '));
        pairs
            .find(|(other, _)| *other == name)
            .expect(name)
            .1
            .trim()
    }

    /// Returns the value of a variable in the command that opens the app.
    fn variable(&self, name: &str) -> PathBuf {
        let mut words = self.value("open").split(' ');
        words
            .find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
            .expect(name)
            .into()
    }

    /// Runs the printed command in a shell. The shell's variables are for a live service.
    fn open_app(&self, home: &TestHome, state: &Path) -> Tui {
        let program = home.bin_dir().join("balcao");
        if !program.exists() {
            symlink(env!("CARGO_BIN_EXE_balcao"), program).unwrap();
        }
        let shell = Launch::program("/bin/sh", home).env("BALCAO_BASE_URL", "http://127.0.0.1:9");
        let shell = shell.env("BALCAO_PROFILE", "loja");
        let shell = shell.env("BALCAO_STATE_DIR", state.to_str().unwrap());
        shell.args(&["-c", self.value("open")]).start()
    }

    fn stop(mut self) {
        self.program.signal(Signal::TERM);
        assert!(self.program.wait().success());
    }
}

/// Returns the content of each file below a directory.
fn files_below(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
    {
        if entry.is_dir() {
            files.append(&mut files_below(&entry));
        } else {
            files.insert(entry.clone(), fs::read(&entry).unwrap());
        }
    }
    files
}

#[test]
fn printed_command_is_not_live_in_any_shell() {
    let home = TestHome::new();
    let replay = Replay::start(&home, &recording(), &[]);
    assert_eq!(
        (
            replay.value("email"),
            replay.value("password"),
            replay.value("requests")
        ),
        ("a@b.co", "any", "3")
    );
    let contract = fs::read_to_string(replay.value("contract")).unwrap();
    assert_eq!(
        contract,
        "withdrawal.field.key.label.pt-BR = \"Chave de quem recebe\"\n"
    );

    // The shell has another state directory, with the journal of a live service.
    let live = TestHome::new();
    create_live_journal(&live);
    let before = files_below(&live.state_dir());
    let mut tui = replay.open_app(&home, &live.state_dir());
    let login = (
        replay.value("email").to_owned(),
        replay.value("password").to_owned(),
    );
    submit_login(&mut tui, login);
    tui.wait_for("Você entrou na conta.");
    tui.wait_for("SANDBOX");
    send_withdrawal(&mut tui);
    tui.wait_for("recusad");
    assert!(files_below(&replay.variable("BALCAO_STATE_DIR")).len() > 3);
    tui.press("\x03");
    assert!(tui.wait_exit().success());
    // The sandbox proves itself, so nothing has to be agreed to.
    let output = String::from_utf8_lossy(&tui.output_bytes()).into_owned();
    assert!(
        !output.contains("Formato do serviço"),
        "the consent page was shown"
    );
    assert_eq!(
        files_below(&live.state_dir()),
        before,
        "the live journal was changed"
    );
    assert_eq!(files_below(&home.state_dir()), BTreeMap::new());

    let directory = replay.variable("BALCAO_STATE_DIR");
    replay.stop();
    assert!(!directory.exists(), "the directory is temporary");
}

#[test]
fn second_replay_does_not_see_the_first() {
    let home = TestHome::new();
    let mut listen = "127.0.0.1:0".to_owned();
    for _ in 0..2 {
        let replay = Replay::start_at(&listen, &home, &recording(), &[]);
        listen = replay
            .value("url")
            .strip_prefix("http://")
            .unwrap()
            .to_owned();
        let mut tui = replay.open_app(&home, &home.state_dir());
        submit_login(&mut tui, ("a@b.co".to_owned(), "any".to_owned()));
        tui.wait_for("Você entrou na conta.");
        send_withdrawal(&mut tui);
        tui.wait_for("recusad");
        tui.quit();
        replay.stop();
    }
}

#[test]
fn killed_replay_leaves_a_directory_until_the_next() {
    let home = TestHome::new();
    let mut killed = Replay::start(&home, &recording(), &[]);
    let running = Replay::start(&home, &recording(), &[]);
    let [leftover, used] = [&killed, &running].map(|replay| replay.variable("BALCAO_STATE_DIR"));
    for dir in [
        leftover.parent().unwrap(),
        &leftover,
        leftover.parent().unwrap().parent().unwrap(),
    ] {
        assert_eq!(
            fs::metadata(dir).unwrap().permissions().mode() & 0o777,
            0o700,
            "{dir:?}"
        );
    }
    killed.program.signal(Signal::KILL);
    killed.program.wait();
    assert!(leftover.exists());
    Replay::start(&home, &recording(), &[]).stop();
    assert!(!leftover.exists() && used.exists());
    running.stop();
}

#[test]
fn guide_lists_requests_and_reports_each_one() {
    let home = TestHome::new();
    let mut replay = Replay::start(&home, &recording(), &["--lang", "en"]);
    let steps: Vec<&String> = replay
        .lines
        .iter()
        .skip_while(|line| !line.starts_with("What was recorded"))
        .collect();
    assert_eq!(
        steps[1..4],
        [
            ">   1  21 Nov 12:00:00  Login                      200  log in with the values above",
            "    2  21 Nov 12:00:00  Withdrawal fee  R$ 100,00  200  comes while you type the \
             amount of a withdrawal",
            " !  3  21 Nov 12:00:00  Withdrawal      R$ 100,00  400  3, n, R$ 100,00",
        ]
    );
    let address = replay
        .value("url")
        .strip_prefix("http://")
        .unwrap()
        .to_owned();
    let mut answer_to = |amount: &str| {
        let body = format!(r#"{{"amount":{amount},"pixKeyType":"cpf","pixKey":"11144477735"}}"#);
        let body = serde_json::from_str(&body).unwrap();
        send_request(
            &address,
            "POST",
            "/api/v1/integrations/withdrawals",
            None,
            Some(&body),
        );
        replay.program.lines.next().expect("a line").expect("text")
    };
    let nearest = "Withdrawal R$ 10,00: nothing like it; the nearest is 3, with R$ 100,00";
    assert_eq!(answer_to("10.00"), nearest);
    assert_eq!(answer_to("100.00"), "Withdrawal R$ 100,00: matched 3");
    let played = "Withdrawal R$ 100,00: nothing like it is left; 3 was answered already";
    assert_eq!(answer_to("100.00"), played);
    replay.stop();
}

#[test]
fn replay_starts_at_number_or_last_failure() {
    let home = TestHome::new();
    for flags in [&["--at", "3"][..], &["--last-failure"]] {
        let replay = Replay::start(&home, &recording(), flags);
        let start: Vec<_> = replay
            .lines
            .iter()
            .filter(|line| line.starts_with('>'))
            .collect();
        assert!(
            start.len() == 1 && start[0].starts_with(">!  3"),
            "{start:?}"
        );
        replay.stop();
    }
    let file = home.home_dir().join("a.har");
    let without_failure = recording().replace("400", "201");
    for (har, flags, expected) in [
        (recording(), &["--at", "4"][..], "--at 4: em"),
        (
            without_failure,
            &["--last-failure"],
            "nenhuma solicitação falhou",
        ),
    ] {
        fs::write(&file, har).unwrap();
        let args = [
            "sandbox",
            "--listen",
            "127.0.0.1:0",
            "--from-har",
            file.to_str().unwrap(),
        ];
        let output = run::run(&home, &[&args[..], flags].concat());
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(
            output.status.code() == Some(2) && text.contains(expected),
            "{text}"
        );
    }
}

#[test]
fn unusable_file_gets_fitting_advice() {
    let home = TestHome::new();
    let file = home.home_dir().join("a.har");
    let entries = vec![json!({}); 20_001];
    let many = json!({ "log": { "entries": entries } })
        .to_string()
        .into_bytes();
    let bare_log: serde_json::Value = serde_json::from_str(&recording()).unwrap();
    let bare_log = bare_log["log"].to_string().into_bytes();
    for (content, advice) in [
        (many, &["20001", "--last", "clear the list"][..]),
        (
            bare_log,
            &["log.entries", "balcao requests export", "Save all as HAR"],
        ),
        (
            b"GET / HTTP/1.1".to_vec(),
            &["balcao requests export", "Save all as HAR"],
        ),
    ] {
        fs::write(&file, content).unwrap();
        let from_har = [
            "--lang",
            "en",
            "sandbox",
            "--from-har",
            file.to_str().unwrap(),
        ];
        let output = run::run(&home, &from_har);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(advice.iter().all(|words| text.contains(words)), "{text}");
        assert!(
            !text.contains("missing field") && !text.contains("invalid length"),
            "{text}"
        );
    }
}

/// Moves the app's clock forward with the command palette.
fn move_clock(tui: &mut Tui) {
    tui.press("\x0b");
    tui.type_text("adiantar");
    tui.wait_for("adiantar o relógio 10 min");
    tui.press("\r");
}

#[test]
fn clock_moves_while_the_replay_proves_itself() {
    let home = TestHome::new();
    let replay = Replay::start(&home, &recording(), &[]);
    let mut tui = replay.open_app(&home, &home.state_dir());
    submit_login(&mut tui, ("a@b.co".to_owned(), "any".to_owned()));
    tui.wait_for("Você entrou na conta.");
    tui.wait_for("SANDBOX");
    send_withdrawal(&mut tui);
    tui.wait_for("recusad");
    move_clock(&mut tui);
    tui.wait_for("o relógio foi adiantado 10 min");
    replay.stop();
    move_clock(&mut tui);
    tui.wait_for("não é possível agora");
    tui.quit();
}
