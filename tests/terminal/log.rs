//! Tests of the log: what the app writes to it, and who deletes it.

use std::fs;
use std::os::unix::fs::MetadataExt;

use rustix::process::Signal;

use super::seller::{
    create_link, launch_with_bank, paste_jwt, start_demo, submit_login, type_login,
};
use super::support::bank::Bank;
use super::support::place::TestHome;
use super::support::pty::Launch;
use super::support::run::{command, output};
use super::support::secrets::SecretSearch;

const BUYER: &str = "Maria Canário da Silva";

fn log_text(home: &TestHome) -> String {
    fs::read_to_string(home.state_dir().join("balcao.log")).unwrap_or_default()
}

/// The part of each line from the level on, without the id of the process.
fn events(log: &str) -> Vec<String> {
    let events = log.lines().map(|line| {
        let (_, event) = line.split_once(' ').unwrap();
        let (name, values) = event.split_once(" pid=").unwrap();
        format!("{name} {}", values.split_once(' ').unwrap().1)
    });
    events.collect()
}

#[test]
fn log_has_what_happened_and_no_personal_data() {
    let home = TestHome::new();
    let bank = Bank::open();
    let mut tui = launch_with_bank(&home, &bank)
        .env("BALCAO_LOG", "debug")
        .start();
    type_login(&mut tui, &bank);
    paste_jwt(&mut tui, &bank);
    create_link(&mut tui, BUYER);
    tui.quit();
    let log = log_text(&home);
    let found = events(&log);
    for event in [
        "info start version=",
        "info vault kind=memory",
        "info request id=1 operation=login status=200 ms=",
        "info request id=2 operation=domains status=200 ms=",
        "info request id=3 operation=create_link status=201 ms=",
        "debug message name=sale-made",
        "debug effect name=make-link",
        "info end reason=quit",
    ] {
        assert!(
            found.iter().any(|it| it.starts_with(event)),
            "{event}: {log}"
        );
    }
    assert!(found[0].starts_with("info start"), "{log}");
    assert!(!log.contains("error "), "{log}");
    let (email, _) = bank.credentials();
    let host = bank.url().replace("http://", "");
    let personal = SecretSearch::for_personal_data([BUYER, &email, &host]);
    assert_eq!(personal.find_in(log.as_bytes()), None, "{log}");
    let mode = fs::metadata(home.state_dir().join("balcao.log"))
        .unwrap()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn log_of_failures_exists_only_after_one() {
    let home = TestHome::new();
    let bank = Bank::open();
    let mut tui = launch_with_bank(&home, &bank).env("BALCAO_LOG", "").start();
    type_login(&mut tui, &bank);
    tui.quit();
    assert_eq!(log_text(&home), "");
    let mut tui = launch_with_bank(&home, &bank).env("BALCAO_LOG", "").start();
    submit_login(
        &mut tui,
        ("ana@loja.example".into(), "another password".into()),
    );
    tui.wait_for("não aceitou este login");
    // Ctrl-C would ask about the typed password.
    tui.signal(Signal::TERM);
    tui.wait_exit();
    let log = log_text(&home);
    let found = events(&log);
    assert!(
        found[0].starts_with("error request id=1 operation=login status=401"),
        "{log}"
    );
    assert_eq!(
        found[1],
        "error failed message=logged-in failure=unauthorized status=401"
    );
    assert_eq!(found.len(), 2, "{log}");
    drop(
        launch_with_bank(&home, &bank)
            .env("BALCAO_LOG", "off")
            .start(),
    );
    assert_eq!(log_text(&home), log);
}

#[test]
fn lost_terminal_is_in_the_log() {
    let home = TestHome::new();
    let bank = Bank::open();
    let mut tui = launch_with_bank(&home, &bank)
        .env("BALCAO_LOG", "error")
        .start();
    type_login(&mut tui, &bank);
    tui.hang_up();
    tui.wait_exit();
    assert_eq!(events(&log_text(&home)), ["error end reason=terminal-gone"]);
}

#[test]
fn demo_writes_no_log() {
    let home = TestHome::new();
    let mut tui = start_demo(&home);
    create_link(&mut tui, BUYER);
    tui.quit();
    for wrong in ["debug", "loud"] {
        let launch = Launch::new(&home).args(&["demo"]).env("BALCAO_LOG", wrong);
        let mut tui = launch.start();
        tui.wait_for("[ Entrar ]");
        tui.quit();
    }
    assert_eq!(fs::read_dir(home.state_dir()).unwrap().count(), 0);
}

#[test]
fn unknown_level_is_refused_with_all_levels() {
    let home = TestHome::new();
    let mut launch = command(&home, &["--base-url", "http://127.0.0.1:1"]);
    launch.env("BALCAO_LOG", "loud");
    let stderr = String::from_utf8(output(&mut launch).stderr).unwrap();
    let expected = "BALCAO_LOG tem o valor “loud”, que não é um nível: use off, error, info, debug";
    assert!(stderr.contains(expected), "{stderr}");
}

#[test]
fn doctor_names_the_log_and_its_level() {
    let home = TestHome::new();
    for (level, code, finding) in [
        ("", 0, "nível do log: error: só falhas"),
        ("debug", 0, "nível do log: debug: tudo"),
        ("off", 0, "nível do log: off: nada é gravado"),
        ("loud", 1, "BALCAO_LOG tem o valor “loud”"),
    ] {
        let mut doctor = command(&home, &["doctor", "--vault", "memory"]);
        doctor.env("BALCAO_LOG", level);
        let output = output(&mut doctor);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(finding), "{level}: {text}");
        assert!(text.contains("balcao.log"), "{level}: {text}");
        assert_eq!(output.status.code(), Some(code), "{text}");
    }
    assert_eq!(log_text(&home), "", "the command writes none");
}

#[test]
fn purge_lists_and_deletes_the_log() {
    let home = TestHome::new();
    let files = ["balcao.log", "balcao.log.1"].map(|name| home.state_dir().join(name));
    for file in &files {
        fs::write(file, "line\n").unwrap();
    }
    let dir = home.state_dir().join("journal");
    fs::create_dir(&dir).unwrap();
    let dir = dir.display().to_string();
    let purge = ["data", "purge", "--before", "2001-01-01", "--journal", &dir];
    let asked = output(&mut command(&home, &purge));
    let text = String::from_utf8(asked.stdout).unwrap();
    assert!(
        text.contains("balcao.log, o log: tudo.") && text.contains("balcao.log.1, o log"),
        "{text}"
    );
    assert!(files.iter().all(|file| file.exists()), "nobody was asked");
    let done = output(&mut command(&home, &[&purge[..], &["--yes"]].concat()));
    assert!(done.status.success(), "{done:?}");
    assert!(!files.iter().any(|file| file.exists()));
}
