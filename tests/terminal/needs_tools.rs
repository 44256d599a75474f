//! Tests of copying a payment link inside tmux and in real terminals. The link must be in tmux's
//! paste buffer, or in the clipboard of an X server.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Output, Stdio};

use balcao::runtime::clocks;

use super::clipboard::{clipboard_sequence_for, clipboard_sequences};
use super::seller::{create_link, launch_with_bank, paste_jwt, type_login};
use super::support::bank::Bank;
use super::support::place::TestHome;
use super::support::pty::{Launch, Tui, WAIT_TIMEOUT};
use super::support::run::program;
use super::support::tools::{has_tools, program_path};

/// A running tmux server. It is stopped when this value is dropped, even if the test fails.
struct TmuxServer<'a> {
    socket: String,
    home: &'a TestHome,
}

impl TmuxServer<'_> {
    fn run(&self, command: &str) -> Output {
        let args = ["-S", &self.socket, command];
        program(&program_path("tmux"), self.home, &args)
            .output()
            .expect("tmux starts")
    }
}

impl Drop for TmuxServer<'_> {
    fn drop(&mut self) {
        self.run("kill-server");
    }
}

/// Starts the app inside tmux. `command_prefix` is the beginning of the command
/// that starts the app.
fn start_in_tmux<'a>(
    home: &'a TestHome,
    bank: &Bank,
    command_prefix: &str,
) -> (TmuxServer<'a>, Tui) {
    let socket = home.home_dir().join("tmux").display().to_string();
    home.write_config(
        "tmux.conf",
        "set -g status off\nset -g default-terminal screen-256color\nset -s set-clipboard on\n",
    );
    let conf = home.config_dir().join("tmux.conf");
    let conf = conf.to_str().expect("a path");
    let program = env!("CARGO_BIN_EXE_balcao");
    let app = format!(
        "{command_prefix} {program} --base-url {} --vault memory",
        bank.url()
    );
    let server = TmuxServer { socket, home };
    let session = ["-u", "-S", &server.socket, "-f", conf, "new-session", &app];
    // The app must find `tmux` in `PATH`.
    let mut tui = Launch::program(&program_path("tmux"), home)
        .args(&session)
        .env("PATH", "/usr/bin:/bin")
        .env("SHELL", "/bin/sh")
        .start();
    type_login(&mut tui, bank);
    paste_jwt(&mut tui, bank);
    create_link(&mut tui, "Bolo de açaí");
    (server, tui)
}

#[test]
fn link_copied_in_tmux_is_exact_in_its_buffer() {
    if !has_tools(&["tmux"]) {
        return;
    }
    let home = TestHome::new();
    let bank = Bank::open();
    let (server, mut tui) = start_in_tmux(&home, &bank, "exec");
    tui.press("y");
    tui.wait_for("Copiado pelo tmux");
    let url = bank.ledger().links[0].url.clone();
    assert_eq!(
        String::from_utf8(server.run("show-buffer").stdout).unwrap(),
        url
    );
    tui.wait_for(&url);
    tui.quit();
}

/// Without `TMUX`, as over SSH from inside a local tmux, the app cannot detect tmux.
#[test]
fn terminal_copy_reaches_far_tmux_and_its_terminal() {
    if !has_tools(&["tmux"]) {
        return;
    }
    let home = TestHome::new();
    let bank = Bank::open();
    let (server, mut tui) = start_in_tmux(&home, &bank, "exec env -u TMUX TERM=screen-256color");
    tui.wait_for("enviado à área de transferência do terminal");
    let url = bank.ledger().links[0].url.clone();
    let is_there = |written: &[u8]| !clipboard_sequences(written).is_empty();
    tui.wait_for_output("the copy", is_there);
    assert_eq!(
        String::from_utf8(server.run("show-buffer").stdout).unwrap(),
        url
    );
    let forwarded = clipboard_sequences(&tui.output_bytes());
    let text = clipboard_sequence_for(&url);
    assert!(
        matches!(&forwarded[..], [sequence] if sequence.ends_with(&text[1..])),
        "{forwarded:?}"
    );
    tui.quit();
}

/// A process that is killed when this value is dropped, even if the test fails.
struct KillOnDrop(Child);

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts an X server without a screen. Also returns the name of its display.
fn start_x_server(home: &TestHome) -> (KillOnDrop, String) {
    let mut command = program(&program_path("Xvfb"), home, &["-displayfd", "1"]);
    command
        .args(["-nolisten", "tcp"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut server = KillOnDrop(command.spawn().expect("Xvfb starts"));
    let mut number = String::new();
    let stdout = server.0.stdout.take().expect("its output");
    BufReader::new(stdout)
        .read_line(&mut number)
        .expect("the number of its display");
    (server, format!(":{}", number.trim()))
}

fn on_display(home: &TestHome, display: &str, tool: &str, args: &[&str]) -> Command {
    let mut command = program(&program_path(tool), home, args);
    command
        .env("DISPLAY", display)
        .env("PATH", "/usr/bin:/bin")
        .stderr(Stdio::null());
    command
}

/// The beginning of the sequence that copies a text to the terminal's clipboard.
const COPY_SEQUENCE: &[u8] = b"\x1b]52;";

#[test]
fn copy_through_xterm_is_read_back_by_xclip() {
    if !has_tools(&["Xvfb", "xterm", "xclip"]) {
        return;
    }
    let home = TestHome::new();
    let bank = Bank::open();
    let mut tui = launch_with_bank(&home, &bank).start();
    type_login(&mut tui, &bank);
    paste_jwt(&mut tui, &bank);
    create_link(&mut tui, "Bolo de açaí");
    tui.wait_for("enviado à área de transferência do terminal");
    // Let xterm show what the app has written.
    let fifo = home.home_dir().join("written");
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    let (_server, display) = start_x_server(&home);
    let cat = format!("exec cat {}", fifo.to_str().expect("a path"));
    let args = [
        "-xrm",
        "XTerm*disallowedWindowOps:",
        "-e",
        "/bin/sh",
        "-c",
        &cat,
    ];
    let _xterm = KillOnDrop(
        on_display(&home, &display, "xterm", &args)
            .spawn()
            .expect("it starts"),
    );
    let mut xterm_input = File::options()
        .write(true)
        .open(&fifo)
        .expect("xterm reads it");
    // Begin with the copy: xterm decodes it wrongly if it is split between two reads.
    let output = tui.output_bytes();
    let copy = output
        .windows(COPY_SEQUENCE.len())
        .position(|bytes| bytes == COPY_SEQUENCE);
    xterm_input
        .write_all(&output[copy.expect("a copy")..])
        .expect("xterm reads it");
    let url = bank.ledger().links[0].url.clone();
    let read_clipboard = || {
        let args = ["-out", "-selection", "clipboard"];
        on_display(&home, &display, "xclip", &args)
            .output()
            .expect("xclip starts")
            .stdout
    };
    let start = clocks::instant();
    let mut pasted = read_clipboard();
    while pasted.is_empty() && start.elapsed() < WAIT_TIMEOUT {
        pasted = read_clipboard();
    }
    assert_eq!(String::from_utf8(pasted).unwrap(), url);
    tui.quit();
}
