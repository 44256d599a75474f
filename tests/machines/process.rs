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
pub fn read_orders<T: DeserializeOwned>() -> Option<T> {
    let text = std::env::var(ORDERS).ok()?;
    Some(serde_json::from_str(&text).expect("orders that can be read"))
}

/// Prints an answer for the parent process.
pub fn print_answer(answer: &impl Serialize) {
    let text = serde_json::to_string(answer).expect("an answer");
    // Do not use `println!`, because the test runner captures its output.
    writeln!(io::stdout(), "\n{ANSWER}{text}").expect("somebody listens");
}

/// Waits until the parent process calls [`Process::resume`].
pub fn wait_for_resume() {
    io::stdin()
        .read_line(&mut String::new())
        .expect("somebody is there");
}

pub fn kill_self() -> ! {
    use rustix::process::{Signal, getpid, kill_process};
    kill_process(getpid(), Signal::KILL).expect("the signal");
    loop {
        std::thread::park();
    }
}

pub struct Process {
    child: Mutex<Child>,
    child_output: Mutex<ChildOutput>,
}

struct ChildOutput {
    lines: BufReader<ChildStdout>,
    text: String,
}

/// How a child process ended, and its output.
#[derive(Debug)]
pub struct ProcessEnd {
    /// True if the child was killed by SIGKILL.
    pub killed: bool,
    /// True if the child exited successfully.
    pub succeeded: bool,
    /// Everything that the child printed to standard output and standard error.
    pub output: String,
}

impl Process {
    /// Starts this test binary as a child process. It runs one test function with these orders.
    pub fn start(test: &str, orders: &impl Serialize) -> Process {
        let program = std::env::current_exe().expect("this program");
        Process::run(Command::new(program), test, orders)
    }

    /// Like [`Process::start`], but under another program such as `strace`.
    pub fn start_under(mut command: Command, test: &str, orders: &impl Serialize) -> Process {
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
        let child_output = ChildOutput {
            lines,
            text: String::new(),
        };
        Process {
            child: Mutex::new(child),
            child_output: Mutex::new(child_output),
        }
    }

    pub fn kill(&self) {
        // This never kills another process with the same id, because the standard library remembers
        // that a child has exited.
        self.child().kill().expect("it can be killed");
    }

    /// Lets a child continue that waits in [`wait_for_resume`]. Does nothing if the child is dead.
    pub fn resume(&self) {
        if let Some(input) = &mut self.child().stdin {
            let _ = writeln!(input);
        }
    }

    /// Waits for the child's next answer. Returns `None` if the child's output ends first.
    pub fn read_answer<T: DeserializeOwned>(&self) -> Option<T> {
        let mut child_output = self
            .child_output
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        loop {
            let mut line = String::new();
            // Do not lock the child while waiting for output, so that another thread can kill the
            // child.
            if child_output.lines.read_line(&mut line).expect("text") == 0 {
                return None;
            }
            child_output.text.push_str(&line);
            if let Some(answer) = line.strip_prefix(ANSWER) {
                return Some(serde_json::from_str(answer).expect("an answer that can be read"));
            }
        }
    }

    /// Waits until the child exits, and returns how it ended.
    pub fn wait(&self) -> ProcessEnd {
        let stderr = self.child().stderr.take();
        let mut child_output = self
            .child_output
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let mut output = std::mem::take(&mut child_output.text);
        child_output
            .lines
            .read_to_string(&mut output)
            .expect("text");
        stderr
            .expect("waited for once")
            .read_to_string(&mut output)
            .expect("text");
        let status = self.child().wait().expect("its end");
        ProcessEnd {
            killed: status.signal() == Some(9),
            succeeded: status.success(),
            output,
        }
    }

    fn child(&self) -> MutexGuard<'_, Child> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
