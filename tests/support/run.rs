//! The program without a terminal: what it prints, and with which code it ends.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::in_play;
use super::place::Place;

/// The program, about to run in this place and nowhere else, with nothing to read.
pub fn command(place: &Place, args: &[&str]) -> Command {
    program(env!("CARGO_BIN_EXE_balcao"), place, args)
}

/// The same for any program.
pub fn program(path: &str, place: &Place, args: &[&str]) -> Command {
    let mut command = Command::new(path);
    command.env_clear().envs(place.environment()).current_dir(place.home());
    command.args(args).stdin(Stdio::null());
    command
}

/// Runs it to its end.
#[track_caller]
pub fn run(place: &Place, args: &[&str]) -> Output {
    output(&mut command(place, args))
}

/// Runs a command to its end; no secret may be in what it prints.
#[track_caller]
pub fn output(command: &mut Command) -> Output {
    said(start(command))
}

/// The same with this on its standard input.
#[track_caller]
pub fn fed(command: &mut Command, input: impl AsRef<[u8]>) -> Output {
    let mut child = start(command.stdin(Stdio::piped()));
    // One that does not read it says by its end what it wanted.
    let _ = child.stdin.take().expect("its input").write_all(input.as_ref());
    said(child)
}

fn start(command: &mut Command) -> Child {
    for (name, value) in command.get_envs() {
        let text = |text: &OsStr| text.to_string_lossy().into_owned();
        in_play::add_variable(&text(name), &value.map(text).unwrap_or_default());
    }
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

#[track_caller]
fn said(child: Child) -> Output {
    let output = child.wait_with_output().expect("an end");
    for (what, bytes) in [("its output", &output.stdout), ("its errors", &output.stderr)] {
        in_play::expect_none_in(what, bytes);
    }
    output
}

/// Runs it and reads one JSON object from each line.
#[track_caller]
pub fn json_lines(place: &Place, args: &[&str]) -> Vec<Value> {
    let output = run(place, args);
    assert!(output.status.success(), "{args:?}: {output:?}");
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// A program that runs beside the test, and what it prints; it is killed with the test.
///
/// That is not searched for secrets: `balcao sandbox` tells its own to whoever starts it.
pub struct Running {
    child: Child,
    /// The lines of its standard output.
    pub lines: Lines<BufReader<ChildStdout>>,
}

impl Running {
    /// Starts it.
    pub fn start(mut command: Command) -> Running {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
        let stdout = child.stdout.take().expect("its output");
        Running { child, lines: BufReader::new(stdout).lines() }
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("the signal can be sent");
    }

    /// Waits for its end.
    pub fn wait(&mut self) -> ExitStatus {
        self.child.wait().expect("the program can be waited for")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
