//! Processes of the program without a screen: this very test binary, started again with orders.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Where a process finds its orders.
const ORDERS: &str = "BALCAO_MACHINE_ORDERS";

/// What stands before an answer of a process, to tell it from what the test runner says.
const ANSWER: &str = "@answer ";

/// The orders of this process, if it is one that was started with some.
pub fn orders<T: DeserializeOwned>() -> Option<T> {
    let text = std::env::var(ORDERS).ok()?;
    Some(serde_json::from_str(&text).expect("orders that can be read"))
}

/// Answers who started this process.
pub fn answer(answer: &impl Serialize) {
    let text = serde_json::to_string(answer).expect("an answer");
    // Not `println!`: the test runner would keep it to itself.
    writeln!(io::stdout(), "\n{ANSWER}{text}").expect("somebody listens");
}

/// Waits until whoever started this process tells it to go on.
pub fn wait_to_go_on() {
    io::stdin().read_line(&mut String::new()).expect("somebody is there");
}

/// Kills this very process, as `kill -9` does.
pub fn die() -> ! {
    use rustix::process::{Signal, getpid, kill_process};
    kill_process(getpid(), Signal::KILL).expect("the signal");
    loop {
        std::thread::park();
    }
}

/// A process that was started here.
pub struct Process {
    child: Mutex<Child>,
    out: Mutex<Out>,
}

/// What a process says.
struct Out {
    lines: BufReader<ChildStdout>,
    said: String,
}

/// How a process ended.
#[derive(Debug)]
pub struct End {
    /// Whether it was killed.
    pub killed: bool,
    /// Whether it came to its own end, and well.
    pub well: bool,
    /// All that it said, for a person to read.
    pub said: String,
}

impl Process {
    /// Starts this test of the binary as a process of its own, with these orders.
    pub fn start(test: &str, orders: &impl Serialize) -> Process {
        let program = std::env::current_exe().expect("this program");
        Process::run(Command::new(program), test, orders)
    }

    /// The same behind another program, which is told what to start.
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

    /// Kills it, if it lives.
    pub fn kill(&self) {
        // The library knows whether it is over: nobody else's process is ever meant.
        self.child().kill().expect("it can be killed");
    }

    /// Tells it to go on; one that is dead does not hear it.
    pub fn go_on(&self) {
        if let Some(input) = &mut self.child().stdin {
            let _ = writeln!(input);
        }
    }

    /// Waits for its next answer; without one it is over.
    pub fn answer<T: DeserializeOwned>(&self) -> Option<T> {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let mut line = String::new();
            // Nobody holds the child meanwhile: it can still be killed.
            if out.lines.read_line(&mut line).expect("text") == 0 {
                return None;
            }
            out.said.push_str(&line);
            if let Some(answer) = line.strip_prefix(ANSWER) {
                return Some(serde_json::from_str(answer).expect("an answer that can be read"));
            }
        }
    }

    /// Waits for its end.
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
