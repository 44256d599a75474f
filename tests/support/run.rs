//! Runs the app without a terminal. Returns its output and exit status.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::in_play;
use super::place::TestHome;

/// Prepares to run `balcao` in a private environment, without any input.
pub fn command(home: &TestHome, args: &[&str]) -> Command {
    program(env!("CARGO_BIN_EXE_balcao"), home, args)
}

/// Prepares to run a program in a private environment, without any input.
pub fn program(path: &str, home: &TestHome, args: &[&str]) -> Command {
    let mut command = Command::new(path);
    command
        .env_clear()
        .envs(home.environment())
        .current_dir(home.home_dir());
    command.args(args).stdin(Stdio::null());
    command
}

/// Runs `balcao` until it exits, and checks that its output contains no secret.
#[track_caller]
pub fn run(home: &TestHome, args: &[&str]) -> Output {
    output(&mut command(home, args))
}

/// Runs a command until it exits, and checks that its output contains no secret.
#[track_caller]
pub fn output(command: &mut Command) -> Output {
    wait_for_output(start(command))
}

/// Runs a command until it exits, with `input` as its standard input.
#[track_caller]
pub fn output_with_input(command: &mut Command, input: impl AsRef<[u8]>) -> Output {
    let mut child = start(command.stdin(Stdio::piped()));
    // Ignore write errors, because the program may exit without reading its input. The caller
    // checks the output.
    let _ = child
        .stdin
        .take()
        .expect("its input")
        .write_all(input.as_ref());
    wait_for_output(child)
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
fn wait_for_output(child: Child) -> Output {
    let output = child.wait_with_output().expect("an end");
    for (what, bytes) in [
        ("its output", &output.stdout),
        ("its errors", &output.stderr),
    ] {
        in_play::assert_no_secret_in(what, bytes);
    }
    output
}

/// Runs `balcao`, and parses each line of its output as JSON.
#[track_caller]
pub fn run_json_lines(home: &TestHome, args: &[&str]) -> Vec<Value> {
    let output = run(home, args);
    assert!(output.status.success(), "{args:?}: {output:?}");
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

/// A program that runs in the background of a test. Dropping this value kills it.
///
/// Its output is not searched for secrets, because `balcao sandbox` prints its password and JWT.
pub struct BackgroundProgram {
    child: Child,
    /// The lines of the program's standard output.
    pub lines: Lines<BufReader<ChildStdout>>,
}

impl BackgroundProgram {
    pub fn start(mut command: Command) -> BackgroundProgram {
        let mut child = command
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stdout = child.stdout.take().expect("its output");
        BackgroundProgram {
            child,
            lines: BufReader::new(stdout).lines(),
        }
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("the signal can be sent");
    }

    pub fn wait(&mut self) -> ExitStatus {
        self.child.wait().expect("the program can be waited for")
    }
}

impl Drop for BackgroundProgram {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
