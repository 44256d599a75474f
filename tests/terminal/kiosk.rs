//! Tests of `balcao demo --kiosk`. It reads no files or settings of the user's account, and leaves
//! no files behind.

mod needs_tools;

use std::fs;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use super::seller::{logged_in, make_link};
use super::support::place::TestHome;
use super::support::pty::{Launch, Tui};
use super::support::run::run;

/// Environment variables that change any other run of the program, or cause an error in it.
const VARIABLES: [&str; 8] = [
    "BALCAO_TOKEN=not a token",
    "BALCAO_PROFILE=nobody",
    "BALCAO_BASE_URL=https://api.example",
    "LC_ALL=C",
    "NO_COLOR=1",
    "TMPDIR=/nonexistent",
    "TZ=/dev/zero",
    "TMUX=/nonexistent,1,0",
];

/// Writes configuration files with errors in them. Any other run of the program refuses them.
fn break_settings(place: &TestHome) {
    place.configure("config.toml", "theem = 'dark'\n");
    place.configure("keys.toml", "[lists\n");
    let home = place.home().join(".config/balcao");
    fs::create_dir_all(&home).unwrap();
    fs::write(home.join("config.toml"), "theem = 'dark'\n").unwrap();
}

/// Returns the parent directory of the directories of all kiosks of this user.
fn parent() -> PathBuf {
    format!("/tmp/balcao-kiosk-{}", rustix::process::geteuid().as_raw()).into()
}

/// Returns the directory of a running kiosk. The kiosk keeps this directory open.
fn directory(tui: &Tui) -> PathBuf {
    let open = fs::read_dir(format!("/proc/{}/fd", tui.process())).unwrap();
    let open = open.filter_map(|file| fs::read_link(file.unwrap().path()).ok());
    let mut own = open.filter(|path| path.parent() == Some(&parent()));
    own.next().expect("its directory")
}

#[test]
fn kiosk_ignores_settings_and_environment() {
    let place = TestHome::new();
    break_settings(&place);
    let args = [&VARIABLES[..], &[env!("CARGO_BIN_EXE_balcao"), "demo", "--kiosk"]].concat();
    let mut tui = logged_in(Launch::program("/usr/bin/env", &place).args(&args).start());
    tui.wait_for("loja da ana");
    make_link(&mut tui, "Bolo de açaí");
    tui.wait_for(".localhost/checkout/link-");
    tui.leave();
    assert!(String::from_utf8_lossy(&tui.written()).contains("\x1b[38;5;"), "it has colours");
    let english = Launch::new(&place).args(&["demo", "--kiosk", "--room"]);
    let mut tui = english.env("LANG", "en_GB.UTF-8").start();
    tui.wait_for("[ Log in ]");
    tui.leave();
    assert_eq!(fs::read_dir(place.state()).unwrap().count(), 0);
    assert_eq!(fs::read_dir(place.temporary()).unwrap().count(), 0);
}

#[test]
fn kiosk_refuses_flags_that_reach_outside() {
    let place = TestHome::new();
    break_settings(&place);
    let said = |args: &[&str]| {
        let output = run(&place, args);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(!said.contains("theem"), "{args:?}: {said}");
        said
    };
    for flag in ["--keep", "--faults", "--script", "--profile", "--theme"] {
        for args in [["demo", "--kiosk", flag, "x"], [flag, "x", "demo", "--kiosk"]] {
            if matches!(flag, "--profile" | "--theme") || args[0] == "demo" {
                let said = said(&args);
                assert!(said.contains(&format!("{flag} não vale com --kiosk")), "{said}");
            }
        }
    }
    for (flag, value) in
        [("--share", "127.0.0.2"), ("--base-url", "http://127.0.0.1:1"), ("--vault", "keyring")]
    {
        let said = said(&["demo", "--kiosk", flag, value]);
        assert!(said.contains(&format!("{flag} não vale com --kiosk")), "{said}");
    }
    assert!(said(&["demo", "--room"]).contains("--kiosk"));
    assert!(said(&["demo", "--kiosk", "--lang", "en", "--vault", "memory"]).contains("cannot be"));
    assert!(said(&["login", "--kiosk"]).contains("--kiosk"), "only a demo is one");
}

#[test]
fn killed_kiosk_is_removed_by_the_next() {
    let place = TestHome::new();
    let start = || logged_in(Launch::new(&place).args(&["demo", "--kiosk"]).start());
    let (killed, mut other) = (start(), start());
    let [left, kept] = [&killed, &other].map(directory);
    assert!(left.join("journal/history.db").exists() && kept != left);
    killed.kill();
    killed.wait_exit();
    assert!(left.exists());
    let mut next = start();
    assert!(!left.exists(), "the next start removes it");
    assert!(kept.join("journal/history.db").exists(), "one that runs is kept");
    let own = directory(&next);
    next.leave();
    other.leave();
    assert!(!own.exists() && !kept.exists());
}

#[test]
fn kiosk_socket_serves_no_other_process() {
    let place = TestHome::new();
    let mut tui = logged_in(Launch::new(&place).args(&["demo", "--kiosk"]).start());
    let mut stranger = UnixStream::connect(directory(&tui).join("socket")).unwrap();
    // Ignore errors, because the kiosk may close the connection before this write.
    let request = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
    let _ = stranger.write_all(request.as_bytes());
    let mut reply = Vec::new();
    let _ = stranger.read_to_end(&mut reply);
    assert!(reply.is_empty(), "{}", String::from_utf8_lossy(&reply));
    make_link(&mut tui, "Bolo");
    tui.leave();
}

#[test]
fn demo_that_starts_over_keeps_one_journal() {
    let place = TestHome::new();
    let mut tui = logged_in(Launch::new(&place).args(&["demo"]).start());
    let folders = || {
        let demo = fs::read_dir(place.temporary()).unwrap().next().unwrap().unwrap().path();
        let mut names: Vec<_> =
            fs::read_dir(demo).unwrap().map(|entry| entry.unwrap().file_name()).collect();
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
        tui.pause();
        assert_eq!(folders(), [name]);
    }
    tui.leave();
}
