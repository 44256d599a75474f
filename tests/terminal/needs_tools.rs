//! Tests the app inside tmux: a copied link must arrive in tmux's paste buffer.

use std::process::Output;

use super::seller::{make_link, paste_jwt, type_login};
use super::support::bank::Bank;
use super::support::place::TestHome;
use super::support::pty::{LIMIT, Launch};
use super::support::run::program;
use super::support::tools::{find, needs};

/// A running tmux server, stopped on drop even if the test fails.
struct Server<'a> {
    tmux: &'a str,
    socket: &'a str,
    place: &'a TestHome,
}

impl Server<'_> {
    fn ask(&self, question: &str) -> Output {
        let args = ["-S", self.socket, question];
        program(self.tmux, self.place, &args).output().expect("tmux starts")
    }
}

impl Drop for Server<'_> {
    fn drop(&mut self) {
        self.ask("kill-server");
    }
}

#[test]
fn link_copied_in_tmux_is_exact_in_its_buffer() {
    if !needs(&["tmux"]) {
        return;
    }
    let (place, bank) = (TestHome::new(), Bank::open());
    let tmux = find("tmux").expect("tmux");
    let tmux = tmux.to_str().expect("a path");
    let socket = place.home().join("tmux");
    let socket = socket.to_str().expect("a path");
    place.configure("tmux.conf", "set -g status off\nset -g default-terminal screen-256color\n");
    let conf = place.config().join("tmux.conf");
    let conf = conf.to_str().expect("a path");
    let app =
        format!("exec {} --base-url {} --vault memory", env!("CARGO_BIN_EXE_balcao"), bank.url());
    let session = ["-u", "-S", socket, "-f", conf, "new-session", &app];
    let server = Server { tmux, socket, place: &place };
    // The app must find `tmux` in `PATH`.
    let mut tui = Launch::program(tmux, &place)
        .args(&session)
        .env("PATH", "/usr/bin:/bin")
        .env("SHELL", "/bin/sh")
        .start();
    type_login(&mut tui, &bank);
    paste_jwt(&mut tui, &bank);
    make_link(&mut tui, "Bolo de açaí");
    tui.press("y");
    tui.wait_for("Copiado pelo tmux");
    let url = bank.ledger().links[0].url.clone();
    assert_eq!(String::from_utf8(server.ask("show-buffer").stdout).unwrap(), url);
    tui.wait_for(&url);
    tui.press("\x03");
    assert!(tui.wait_exit_within(LIMIT).success());
}
