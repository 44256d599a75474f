//! Tests of copying a payment link inside tmux and in real terminals. The link must be in tmux's
//! paste buffer, or in the clipboard of an X server.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Output, Stdio};

use balcao::runtime::clocks;

use super::clipboard::{sequences, setting};
use super::seller::{at, make_link, paste_jwt, type_login};
use super::support::bank::Bank;
use super::support::place::TestHome;
use super::support::pty::{LIMIT, Launch, Tui};
use super::support::run::program;
use super::support::tools::{needs, path_of};

/// A running tmux server. It is stopped when this value is dropped, even if the test fails.
struct Server<'a> {
    socket: String,
    place: &'a TestHome,
}

impl Server<'_> {
    fn ask(&self, question: &str) -> Output {
        let args = ["-S", &self.socket, question];
        program(&path_of("tmux"), self.place, &args).output().expect("tmux starts")
    }
}

impl Drop for Server<'_> {
    fn drop(&mut self) {
        self.ask("kill-server");
    }
}

/// Starts the app inside tmux. `begin` is the beginning of the command that starts the app.
fn start_in_tmux<'a>(place: &'a TestHome, bank: &Bank, begin: &str) -> (Server<'a>, Tui) {
    let socket = place.home().join("tmux").display().to_string();
    place.configure(
        "tmux.conf",
        "set -g status off\nset -g default-terminal screen-256color\nset -s set-clipboard on\n",
    );
    let conf = place.config().join("tmux.conf");
    let conf = conf.to_str().expect("a path");
    let program = env!("CARGO_BIN_EXE_balcao");
    let app = format!("{begin} {program} --base-url {} --vault memory", bank.url());
    let server = Server { socket, place };
    let session = ["-u", "-S", &server.socket, "-f", conf, "new-session", &app];
    // The app must find `tmux` in `PATH`.
    let mut tui = Launch::program(&path_of("tmux"), place)
        .args(&session)
        .env("PATH", "/usr/bin:/bin")
        .env("SHELL", "/bin/sh")
        .start();
    type_login(&mut tui, bank);
    paste_jwt(&mut tui, bank);
    make_link(&mut tui, "Bolo de açaí");
    (server, tui)
}

#[test]
fn link_copied_in_tmux_is_exact_in_its_buffer() {
    if !needs(&["tmux"]) {
        return;
    }
    let (place, bank) = (TestHome::new(), Bank::open());
    let (server, mut tui) = start_in_tmux(&place, &bank, "exec");
    tui.press("y");
    tui.wait_for("Copiado pelo tmux");
    let url = bank.ledger().links[0].url.clone();
    assert_eq!(String::from_utf8(server.ask("show-buffer").stdout).unwrap(), url);
    tui.wait_for(&url);
    tui.leave();
}

/// Without `TMUX`, as over SSH from inside a local tmux, the app cannot detect tmux.
#[test]
fn terminal_copy_reaches_far_tmux_and_its_terminal() {
    if !needs(&["tmux"]) {
        return;
    }
    let (place, bank) = (TestHome::new(), Bank::open());
    let (server, mut tui) = start_in_tmux(&place, &bank, "exec env -u TMUX TERM=screen-256color");
    tui.wait_for("enviado à área de transferência do terminal");
    let url = bank.ledger().links[0].url.clone();
    let is_there = |written: &[u8]| !sequences(written).is_empty();
    tui.wait_written("the copy", is_there);
    assert_eq!(String::from_utf8(server.ask("show-buffer").stdout).unwrap(), url);
    let passed_on = sequences(&tui.written());
    let text = setting(&url);
    assert!(matches!(&passed_on[..], [one] if one.ends_with(&text[1..])), "{passed_on:?}");
    tui.leave();
}

/// A process that is killed when this value is dropped, even if the test fails.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts an X server without a screen. Also returns the name of its display.
fn x_server(place: &TestHome) -> (Killed, String) {
    let mut command = program(&path_of("Xvfb"), place, &["-displayfd", "1"]);
    command.args(["-nolisten", "tcp"]).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut server = Killed(command.spawn().expect("Xvfb starts"));
    let mut number = String::new();
    let out = server.0.stdout.take().expect("its output");
    BufReader::new(out).read_line(&mut number).expect("the number of its display");
    (server, format!(":{}", number.trim()))
}

fn on_display(place: &TestHome, display: &str, tool: &str, args: &[&str]) -> Command {
    let mut command = program(&path_of(tool), place, args);
    command.env("DISPLAY", display).env("PATH", "/usr/bin:/bin").stderr(Stdio::null());
    command
}

#[test]
fn copy_through_xterm_is_read_back_by_xclip() {
    if !needs(&["Xvfb", "xterm", "xclip"]) {
        return;
    }
    let (place, bank) = (TestHome::new(), Bank::open());
    let mut tui = at(&place, &bank).start();
    type_login(&mut tui, &bank);
    paste_jwt(&mut tui, &bank);
    make_link(&mut tui, "Bolo de açaí");
    tui.wait_for("enviado à área de transferência do terminal");
    // Let xterm show everything that the app has written.
    let fifo = place.home().join("written");
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    let (_server, display) = x_server(&place);
    let cat = format!("exec cat {}", fifo.to_str().expect("a path"));
    let args = ["-xrm", "XTerm*disallowedWindowOps:", "-e", "/bin/sh", "-c", &cat];
    let _xterm = Killed(on_display(&place, &display, "xterm", &args).spawn().expect("it starts"));
    let mut shown = File::options().write(true).open(&fifo).expect("xterm reads it");
    shown.write_all(&tui.written()).expect("xterm reads it");
    let url = bank.ledger().links[0].url.clone();
    let read = || {
        let args = ["-out", "-selection", "clipboard"];
        on_display(&place, &display, "xclip", &args).output().expect("xclip starts").stdout
    };
    let start = clocks::instant();
    let mut pasted = read();
    while pasted.is_empty() && start.elapsed() < LIMIT {
        pasted = read();
    }
    assert_eq!(String::from_utf8(pasted).unwrap(), url);
    tui.leave();
}
