//! Tests copying a payment link in two ways: through a desktop's clipboard program, which a script
//! simulates, and through the terminal.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use base64::prelude::{BASE64_STANDARD, Engine};

use super::seller::{create_link, launch_with_bank, paste_jwt, type_login};
use super::support::bank::Bank;
use super::support::place::TestHome;
use super::support::pty::Tui;

/// Installs a script under the name of a desktop program. Returns the script's directory, which the
/// test must add to `PATH`.
fn install_desktop_program(home: &TestHome, name: &str, script: &str) -> PathBuf {
    let folder = home.home_dir().join("programs");
    fs::create_dir_all(&folder).unwrap();
    let program = folder.join(name);
    fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

/// Starts the app on a simulated Wayland desktop with these programs. Creates a payment link, and
/// presses the copy key.
fn copy_a_link(home: &TestHome, bank: &Bank, programs: PathBuf) -> Tui {
    let path = format!("{}:/usr/bin:/bin", programs.to_str().expect("a path"));
    let mut tui = launch_with_bank(home, bank)
        .env("PATH", &path)
        .env("WAYLAND_DISPLAY", "wayland-7")
        .start();
    type_login(&mut tui, bank);
    paste_jwt(&mut tui, bank);
    create_link(&mut tui, "Bolo");
    // Wait for the notice of the new link, which is copied automatically. Only then press the copy
    // key.
    tui.wait_for("✓ Link criado e");
    tui.press("y");
    tui
}

#[test]
fn desktop_gets_exact_link_and_holder_keeps_running() {
    let home = TestHome::new();
    let bank = Bank::open();
    // This script leaves a process in the background, as the real `wl-copy` does. Its error output
    // must not appear on the screen.
    let script = "cat > copied.new; echo $WAYLAND_DISPLAY > display; \
                  (while [ -d \"$PWD\" ] && ! [ -e gone ]; do sleep 0.1; done) & \
                  echo noise >&2; mv copied.new copied";
    let mut tui = copy_a_link(
        &home,
        &bank,
        install_desktop_program(&home, "wl-copy", script),
    );
    tui.wait_for("✓ Endereço copiado.");
    let url = bank.ledger().links[0].url.clone();
    assert_eq!(
        fs::read_to_string(home.home_dir().join("copied")).unwrap(),
        url
    );
    assert_eq!(
        fs::read_to_string(home.home_dir().join("display")).unwrap(),
        "wayland-7\n"
    );
    assert!(!tui.text().contains("noise"), "{}", tui.text());
    tui.quit();
    fs::write(home.home_dir().join("gone"), "").unwrap();
}

#[test]
fn refused_desktop_copy_falls_back_to_terminal() {
    let home = TestHome::new();
    let bank = Bank::open();
    let script = "cat > /dev/null; echo 'no compositor' >&2; exit 1";
    let mut tui = copy_a_link(
        &home,
        &bank,
        install_desktop_program(&home, "wl-copy", script),
    );
    tui.wait_for("Enviado à área de transferência do terminal: endereço do link.");
    assert!(!tui.text().contains("compositor"), "{}", tui.text());
    tui.quit();
}

/// Returns the escape sequences (OSC 52) in these bytes that copy text to the clipboard.
pub fn clipboard_sequences(written: &[u8]) -> Vec<String> {
    let written = String::from_utf8_lossy(written);
    let end_of = |text: &str| text.find(['\x07', '\x1b']).unwrap_or(text.len());
    written
        .split("\x1b]52;")
        .skip(1)
        .map(|text| text[..end_of(text)].to_owned())
        .collect()
}

/// Returns the content of the escape sequence (OSC 52) that copies this text to the clipboard.
pub fn clipboard_sequence_for(text: &str) -> String {
    format!("c;{}", BASE64_STANDARD.encode(text))
}

#[test]
fn terminal_gets_one_exact_sequence_per_copy() {
    let home = TestHome::new();
    let bank = Bank::open();
    let mut tui = launch_with_bank(&home, &bank).start();
    type_login(&mut tui, &bank);
    paste_jwt(&mut tui, &bank);
    create_link(&mut tui, "Bolo de açaí");
    tui.wait_for("Se não chegou");
    tui.press("y");
    tui.wait_for("Enviado à área de transferência do terminal: endereço do link.");
    assert!(!tui.text().contains("Se não chegou"), "{}", tui.text());
    let url = bank.ledger().links[0].url.clone();
    assert_eq!(
        clipboard_sequences(&tui.output_bytes()),
        [clipboard_sequence_for(&url), clipboard_sequence_for(&url)]
    );
    tui.quit();
}
