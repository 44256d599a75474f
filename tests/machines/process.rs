//! Starts this test binary as a child process, gives it orders, and reads its answers.
//!
//! Orders are JSON in an environment variable. Answers are JSON on the child's standard output.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The environment variable that contains the child's orders.
const ORDERS: &str = "BALCAO_MACHINE_ORDERS";

/// The prefix of an answer on standard output. It distinguishes answers from the test runner's
/// lines.
const ANSWER: &str = "@answer ";

/// Returns the orders of the parent process, or `None` if this is not a child process.
pub fn orders<T: DeserializeOwned>() -> Option<T> {
    let text = std::env::var(ORDERS).ok()?;
    Some(serde_json::from_str(&text).expect("orders that can be read"))
}

/// Prints an answer for the parent process.
pub fn answer(answer: &impl Serialize) {
    let text = serde_json::to_string(answer).expect("an answer");
    // Do not use `println!`, because the test runner captures its output.
    writeln!(io::stdout(), "\n{ANSWER}{text}").expect("somebody listens");
}

/// Waits until the parent process calls [`Process::go_on`].
pub fn wait_to_go_on() {
    io::stdin().read_line(&mut String::new()).expect("somebody is there");
}

pub fn die() -> ! {
    use rustix::process::{Signal, getpid, kill_process};
    kill_process(getpid(), Signal::KILL).expect("the signal");
    loop {
        std::thread::park();
    }
}

pub struct Process {
    child: Mutex<Child>,
    out: Mutex<Out>,
}

struct Out {
    lines: BufReader<ChildStdout>,
    said: String,
}

/// How a child process ended, and its output.
#[derive(Debug)]
pub struct End {
    /// True if the child was killed by SIGKILL.
    pub killed: bool,
    /// True if the child exited successfully.
    pub well: bool,
    /// Everything that the child printed to standard output and standard error.
    pub said: String,
}

impl Process {
    /// Starts this test binary as a child process. It runs one test function with these orders.
    pub fn start(test: &str, orders: &impl Serialize) -> Process {
        let program = std::env::current_exe().expect("this program");
        Process::run(Command::new(program), test, orders)
    }

    /// Like [`Process::start`], but under another program such as `strace`.
    pub fn start_behind(mut command: Command, test: &str, orders: &impl Serialize) -> Process {
        command.arg(std::env::current_exe().expect("this program"));
        Process::run(command, test, orders)
    }

    fn run(mut command: Command, test: &str, orders: &impl Serialize) -> Process {
        let mut child = command
            .args(["--exact", test, "--nocapture", "--test-threads=1"])
            .env(ORDERS, serde_json::to_string(orders).expect("orders"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a process");
        let lines = BufReader::new(child.stdout.take().expect("a pipe"));
        let out = Out { lines, said: String::new() };
        Process { child: Mutex::new(child), out: Mutex::new(out) }
    }

    pub fn kill(&self) {
        // This never kills another process with the same id, because the standard library remembers
        // that a child has exited.
        self.child().kill().expect("it can be killed");
    }

    /// Lets a child continue that waits in [`wait_to_go_on`]. Does nothing if the child is dead.
    pub fn go_on(&self) {
        if let Some(input) = &mut self.child().stdin {
            let _ = writeln!(input);
        }
    }

    /// Waits for the child's next answer. Returns `None` if the child's output ends first.
    pub fn answer<T: DeserializeOwned>(&self) -> Option<T> {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let mut line = String::new();
            // Do not lock the child while waiting for output, so that another thread can kill the
            // child.
            if out.lines.read_line(&mut line).expect("text") == 0 {
                return None;
            }
            out.said.push_str(&line);
            if let Some(answer) = line.strip_prefix(ANSWER) {
                return Some(serde_json::from_str(answer).expect("an answer that can be read"));
            }
        }
    }

    /// Waits until the child exits, and returns how it ended.
    pub fn wait(&self) -> End {
        let err = self.child().stderr.take();
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let mut said = std::mem::take(&mut out.said);
        out.lines.read_to_string(&mut said).expect("text");
        err.expect("waited for once").read_to_string(&mut said).expect("text");
        let status = self.child().wait().expect("its end");
        End { killed: status.signal() == Some(9), well: status.success(), said }
    }

    fn child(&self) -> MutexGuard<'_, Child> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
