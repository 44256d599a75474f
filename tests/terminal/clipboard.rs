//! Tests copying a link with the desktop's clipboard program. A script takes the place of that
//! program.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use super::seller::{at, make_link, paste_jwt, type_login};
use super::support::bank::Bank;
use super::support::place::TestHome;
use super::support::pty::Tui;

/// Installs a script under the name of a desktop program. Returns its directory, which must be
/// added to `PATH`.
fn desktop(place: &TestHome, name: &str, script: &str) -> PathBuf {
    let folder = place.home().join("programs");
    fs::create_dir_all(&folder).unwrap();
    let program = folder.join(name);
    fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

/// Starts the app on a simulated Wayland desktop with these programs, creates a link, and copies it
/// with a key.
fn copy_a_link(place: &TestHome, bank: &Bank, programs: PathBuf) -> Tui {
    let path = format!("{}:/usr/bin:/bin", programs.to_str().expect("a path"));
    let mut tui = at(place, bank).env("PATH", &path).env("WAYLAND_DISPLAY", "wayland-7").start();
    type_login(&mut tui, bank);
    paste_jwt(&mut tui, bank);
    make_link(&mut tui, "Bolo");
    // A new link is copied automatically. Wait for that notice before pressing the copy key.
    tui.wait_for("✓ Link criado e");
    tui.press("y");
    tui
}

#[test]
fn desktop_gets_exact_link_and_holder_keeps_running() {
    let (place, bank) = (TestHome::new(), Bank::open());
    // Like the real `wl-copy`, this script reads its input and leaves a process in the background.
    // Its error output must not appear on the screen.
    let script = "cat > copied.new; echo $WAYLAND_DISPLAY > display; \
                  (while [ -d \"$PWD\" ] && ! [ -e gone ]; do sleep 0.1; done) & \
                  echo noise >&2; mv copied.new copied";
    let mut tui = copy_a_link(&place, &bank, desktop(&place, "wl-copy", script));
    tui.wait_for("✓ Endereço copiado.");
    let url = bank.ledger().links[0].url.clone();
    assert_eq!(fs::read_to_string(place.home().join("copied")).unwrap(), url);
    assert_eq!(fs::read_to_string(place.home().join("display")).unwrap(), "wayland-7\n");
    assert!(!tui.text().contains("noise"), "{}", tui.text());
    tui.leave();
    fs::write(place.home().join("gone"), "").unwrap();
}

#[test]
fn refused_desktop_copy_falls_back_to_terminal() {
    let (place, bank) = (TestHome::new(), Bank::open());
    let script = "cat > /dev/null; echo 'no compositor' >&2; exit 1";
    let mut tui = copy_a_link(&place, &bank, desktop(&place, "wl-copy", script));
    tui.wait_for("Enviado à área de transferência do terminal: endereço do link.");
    assert!(!tui.text().contains("compositor"), "{}", tui.text());
    tui.leave();
}
