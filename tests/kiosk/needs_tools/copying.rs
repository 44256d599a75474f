//! Tests that the kiosk copies a payment link by sending the escape sequence OSC 52 to the
//! visitor's terminal. Nothing else may be copied.

use base64::prelude::{BASE64_STANDARD, Engine};

use crate::seller::{logged_in, make_link};
use crate::sshd::{Sshd, has_sshd, script};
use crate::support::place::TestHome;
use crate::support::pty::Tui;
use crate::support::tools::needs;

/// Returns the texts that a terminal would copy to its clipboard after receiving these bytes.
fn copied(written: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(written);
    let sequences = text.split("\x1b]52;").skip(1);
    let base64 = sequences.map(|rest| rest.split(['\x07', '\x1b']).next().unwrap_or_default());
    let decode = |set: &str| BASE64_STANDARD.decode(set.split_once(';')?.1).ok();
    base64.map(|set| String::from_utf8(decode(set).expect("base64")).expect("a text")).collect()
}

/// Logs in, creates a payment link, and checks that only its URL is copied. The app copies it by
/// itself, and again when `again` is pressed.
#[track_caller]
fn copies_its_link(tui: Tui, again: &str) {
    let mut tui = logged_in(tui);
    make_link(&mut tui, "Bolo de açaí");
    tui.wait_written("the copy of a new link", |written| copied(written).len() == 1);
    tui.press("y");
    tui.wait_for(again);
    tui.wait_written("the copy with the key", |written| copied(written).len() == 2);
    tui.leave();
    let copied = copied(&tui.written());
    assert_eq!(copied.len(), 2, "{copied:?}");
    assert_eq!(copied[0], copied[1]);
    assert!(copied[0].starts_with("http") && copied[0].contains("/link-"), "{copied:?}");
}

#[test]
fn link_of_kiosk_is_copied_through_ssh() {
    if has_sshd() {
        let (sshd, place) = (Sshd::start(), TestHome::new());
        copies_its_link(sshd.ssh(&place, &[]).size(120, 40).start(), "terminal");
    }
}

#[test]
fn link_of_demo_in_tmux_is_copied_through_ssh() {
    if !has_sshd() || !needs(&["tmux"]) {
        return;
    }
    let place = TestHome::new();
    let session = place.home().join("session");
    let variables: String = place
        .environment()
        .iter()
        .filter(|(name, _)| !matches!(*name, "TERM" | "PATH"))
        .map(|(name, value)| format!(" {name}='{}'", value.display()))
        .collect();
    let socket = place.home().join("tmux");
    let tmux = format!(
        "tmux -u -S {} -f /dev/null new '{} demo'",
        socket.display(),
        env!("CARGO_BIN_EXE_balcao")
    );
    let environment = "TERM=\"$TERM\" SSH_TTY=\"$SSH_TTY\" PATH=/usr/bin:/bin SHELL=/bin/sh";
    script(&session, &format!("#!/bin/sh\nexec env -i {environment}{variables} {tmux}\n"));
    let sshd = Sshd::with(&[("ForceCommand", session.to_str().expect("a path"))]);
    copies_its_link(sshd.ssh(&place, &[]).size(120, 40).start(), "Copiado pelo tmux");
}
