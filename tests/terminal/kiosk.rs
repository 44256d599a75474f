//! Tests of `balcao demo --kiosk`. It reads no files or settings of the user's account, and leaves
//! no files behind.

mod needs_tools;

use std::fs;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use super::seller::{create_link, log_in_to_demo};
use super::support::place::TestHome;
use super::support::pty::{Launch, Tui};
use super::support::run::{command, output, run};

/// Environment variables that change any other run of the program, or cause an error in it.
const VARIABLES: [&str; 9] = [
    "BALCAO_TOKEN=not a token",
    "BALCAO_LOG=debug",
    "BALCAO_PROFILE=nobody",
    "BALCAO_BASE_URL=https://api.example",
    "LC_ALL=C",
    "NO_COLOR=1",
    "TMPDIR=/nonexistent",
    "TZ=/dev/zero",
    "TMUX=/nonexistent,1,0",
];

/// Writes configuration files with errors in them. Any other run of the program refuses them.
fn break_settings(home: &TestHome) {
    home.write_config("config.toml", "theem = 'dark'\n");
    home.write_config("keys.toml", "[lists\n");
    let config_dir = home.home_dir().join(".config/balcao");
    fs::create_dir_all(&config_dir).unwrap();
    fs::write(config_dir.join("config.toml"), "theem = 'dark'\n").unwrap();
}

/// Returns the parent directory of the directories of all kiosks of this user.
fn kiosks_dir() -> PathBuf {
    format!("/tmp/balcao-kiosk-{}", rustix::process::geteuid().as_raw()).into()
}

/// Returns the directory of a running kiosk. The kiosk keeps this directory open.
fn kiosk_dir(tui: &Tui) -> PathBuf {
    let open_files = fs::read_dir(format!("/proc/{}/fd", tui.process_id())).unwrap();
    let open_files = open_files.filter_map(|file| fs::read_link(file.unwrap().path()).ok());
    let mut kiosk_dirs = open_files.filter(|path| path.parent() == Some(&kiosks_dir()));
    kiosk_dirs.next().expect("its directory")
}

#[test]
fn kiosk_ignores_settings_and_environment() {
    let home = TestHome::new();
    break_settings(&home);
    let args = [
        &VARIABLES[..],
        &[env!("CARGO_BIN_EXE_balcao"), "demo", "--kiosk"],
    ]
    .concat();
    let mut tui = log_in_to_demo(Launch::program("/usr/bin/env", &home).args(&args).start());
    tui.wait_for("loja da ana");
    create_link(&mut tui, "Bolo de açaí");
    tui.wait_for(".localhost/checkout/link-");
    tui.quit();
    assert!(
        String::from_utf8_lossy(&tui.output_bytes()).contains("\x1b[38;5;"),
        "it has colours"
    );
    let english = Launch::new(&home).args(&["demo", "--kiosk", "--room"]);
    let mut tui = english.env("LANG", "en_GB.UTF-8").start();
    tui.wait_for("[ Log in ]");
    tui.quit();
    assert_eq!(fs::read_dir(home.state_dir()).unwrap().count(), 0);
    assert_eq!(fs::read_dir(home.temp_dir()).unwrap().count(), 0);
}

#[test]
fn kiosk_refuses_flags_that_reach_outside() {
    let home = TestHome::new();
    break_settings(&home);
    let error_output = |args: &[&str]| {
        let output = run(&home, args);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(!stderr.contains("theem"), "{args:?}: {stderr}");
        stderr
    };
    for flag in ["--keep", "--faults", "--script", "--profile", "--theme"] {
        for args in [
            ["demo", "--kiosk", flag, "x"],
            [flag, "x", "demo", "--kiosk"],
        ] {
            if matches!(flag, "--profile" | "--theme") || args[0] == "demo" {
                let stderr = error_output(&args);
                assert!(
                    stderr.contains(&format!("{flag} não vale com --kiosk")),
                    "{stderr}"
                );
            }
        }
    }
    for (flag, value) in [
        ("--share", "127.0.0.2"),
        ("--base-url", "http://127.0.0.1:1"),
        ("--vault", "keyring"),
    ] {
        let stderr = error_output(&["demo", "--kiosk", flag, value]);
        assert!(
            stderr.contains(&format!("{flag} não vale com --kiosk")),
            "{stderr}"
        );
    }
    assert!(error_output(&["demo", "--room"]).contains("--kiosk"));
    assert!(error_output(&["demo", "--time-zone", "UTC"]).contains("--kiosk"));
    assert!(
        error_output(&["demo", "--kiosk", "--lang", "en", "--vault", "memory"])
            .contains("cannot be")
    );
    assert!(
        error_output(&["login", "--kiosk"]).contains("--kiosk"),
        "only a demo is one"
    );
}

/// The time zone is an argument of the wrapper, because a visitor could set `TZ`.
#[test]
fn kiosk_takes_its_time_zone_from_its_argument() {
    let wrapper = include_str!("../../assets/kiosk/balcao-kiosk");
    assert!(
        wrapper.contains("set -- demo --kiosk --time-zone America/Sao_Paulo\n"),
        "{wrapper}"
    );
    let home = TestHome::new();
    let error_output = |zone: &str| {
        let mut command = command(&home, &["demo", "--kiosk", "--time-zone", zone]);
        let output = output(command.env("TZ", "Nowhere/Visitor"));
        String::from_utf8(output.stderr).unwrap()
    };
    let unknown = error_output("Nowhere/Kiosk");
    assert!(
        unknown.contains("não conhece o fuso horário Nowhere/Kiosk"),
        "{unknown}"
    );
    let known = error_output("<-03>3");
    assert!(known.contains("precisa de um terminal"), "{known}");
}

#[test]
fn kiosk_without_terminal_explains_in_both_languages() {
    let home = TestHome::new();
    let output = run(&home, &["demo", "--kiosk"]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    for text in ["precisa de um terminal", "needs a terminal", "ssh -t"] {
        assert!(stderr.contains(text), "{stderr}");
    }
}

#[test]
fn killed_kiosk_is_removed_by_the_next() {
    let home = TestHome::new();
    let start = || log_in_to_demo(Launch::new(&home).args(&["demo", "--kiosk"]).start());
    let killed = start();
    let mut other = start();
    let [killed_dir, other_dir] = [&killed, &other].map(kiosk_dir);
    assert!(killed_dir.join("journal/history.db").exists() && other_dir != killed_dir);
    killed.kill();
    killed.wait_exit();
    assert!(killed_dir.exists());
    let mut next = start();
    assert!(!killed_dir.exists(), "the next start removes it");
    assert!(
        other_dir.join("journal/history.db").exists(),
        "one that runs is kept"
    );
    let next_dir = kiosk_dir(&next);
    next.quit();
    other.quit();
    assert!(!next_dir.exists() && !other_dir.exists());
}

#[test]
fn kiosk_socket_serves_no_other_process() {
    let home = TestHome::new();
    let mut tui = log_in_to_demo(Launch::new(&home).args(&["demo", "--kiosk"]).start());
    let mut stranger = UnixStream::connect(kiosk_dir(&tui).join("socket")).unwrap();
    // Ignore errors, because the kiosk may close the connection before this write.
    let request = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
    let _ = stranger.write_all(request.as_bytes());
    let mut reply = Vec::new();
    let _ = stranger.read_to_end(&mut reply);
    assert!(reply.is_empty(), "{}", String::from_utf8_lossy(&reply));
    create_link(&mut tui, "Bolo");
    tui.quit();
}

#[test]
fn demo_that_starts_over_keeps_one_journal() {
    let home = TestHome::new();
    let mut tui = log_in_to_demo(Launch::new(&home).args(&["demo"]).start());
    let folders = || {
        let demo = fs::read_dir(home.temp_dir())
            .unwrap()
            .next()
            .unwrap()
            .unwrap()
            .path();
        let mut names: Vec<_> = fs::read_dir(demo)
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        names.sort();
        names
    };
    tui.wait_for("links");
    assert_eq!(folders(), ["journal"]);
    for name in ["journal-2", "journal-3"] {
        tui.press("\x0b");
        tui.wait_for("Esc");
        tui.type_text("recomeçar do zero");
        tui.wait_for("recomeçar do zero");
        tui.press("\r");
        tui.wait_for("Tudo novo");
        tui.wait_until_idle();
        assert_eq!(folders(), [name]);
    }
    tui.quit();
}
