//! Tests that the kiosk copies a payment link by sending the escape sequence OSC 52 to the
//! visitor's terminal. Nothing else may be copied.

use base64::prelude::{BASE64_STANDARD, Engine};

use crate::seller::{create_link, log_in_to_demo};
use crate::sshd::{Sshd, has_sshd, write_script};
use crate::support::place::TestHome;
use crate::support::pty::Tui;
use crate::support::tools::has_tools;

/// Returns the texts that a terminal would copy to its clipboard after receiving these bytes.
fn clipboard_texts(written: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(written);
    let sequences = text.split("\x1b]52;").skip(1);
    let base64 = sequences.map(|rest| rest.split(['\x07', '\x1b']).next().unwrap_or_default());
    let decode = |sequence: &str| BASE64_STANDARD.decode(sequence.split_once(';')?.1).ok();
    base64
        .map(|sequence| String::from_utf8(decode(sequence).expect("base64")).expect("a text"))
        .collect()
}

/// Logs in, creates a payment link, and checks that only its URL is copied: first by the app
/// itself, then with the key `y`. The app must then show `notice`.
#[track_caller]
fn assert_copies_link(tui: Tui, notice: &str) {
    let mut tui = log_in_to_demo(tui);
    create_link(&mut tui, "Bolo de açaí");
    tui.wait_for_output("the copy of a new link", |written| {
        clipboard_texts(written).len() == 1
    });
    tui.press("y");
    tui.wait_for(notice);
    tui.wait_for_output("the copy with the key", |written| {
        clipboard_texts(written).len() == 2
    });
    tui.quit();
    let copied = clipboard_texts(&tui.output_bytes());
    assert_eq!(copied.len(), 2, "{copied:?}");
    assert_eq!(copied[0], copied[1]);
    assert!(
        copied[0].starts_with("http") && copied[0].contains("/link-"),
        "{copied:?}"
    );
}

#[test]
fn link_of_kiosk_is_copied_through_ssh() {
    if has_sshd() {
        let sshd = Sshd::start();
        let home = TestHome::new();
        assert_copies_link(sshd.ssh(&home, &[]).size(120, 40).start(), "terminal");
    }
}

#[test]
fn link_of_demo_in_tmux_is_copied_through_ssh() {
    if !has_sshd() || !has_tools(&["tmux"]) {
        return;
    }
    let home = TestHome::new();
    let session = home.home_dir().join("session");
    let variables: String = home
        .environment()
        .iter()
        .filter(|(name, _)| !matches!(*name, "TERM" | "PATH"))
        .map(|(name, value)| format!(" {name}='{}'", value.display()))
        .collect();
    let socket = home.home_dir().join("tmux");
    let tmux = format!(
        "tmux -u -S {} -f /dev/null new '{} demo'",
        socket.display(),
        env!("CARGO_BIN_EXE_balcao")
    );
    let environment = "TERM=\"$TERM\" SSH_TTY=\"$SSH_TTY\" PATH=/usr/bin:/bin SHELL=/bin/sh";
    write_script(
        &session,
        &format!("#!/bin/sh\nexec env -i {environment}{variables} {tmux}\n"),
    );
    let sshd = Sshd::with(&[("ForceCommand", session.to_str().expect("a path"))]);
    assert_copies_link(
        sshd.ssh(&home, &[]).size(120, 40).start(),
        "Copiado pelo tmux",
    );
}
