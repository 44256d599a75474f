//! Kills the test process at every system call that changes the disk or uses the network.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::sync::Mutex;

use tempfile::TempDir;

use super::{DRIVER, Kill, Life, THREADS, Tally, build_orders, steady_bank};
use crate::effort::{Effort, print_figure, print_line, round_to_fifty, run_in_parallel};
use crate::process::Process;
use crate::samples::temp_dir;
use crate::support::tools::has_tools;
use crate::trace::{self, Durability};

/// The system calls that change the disk or use the network.
const CALLS: [&str; 14] = [
    "fsync",
    "fdatasync",
    "write",
    "pwrite64",
    "ftruncate",
    "rename",
    "unlink",
    "mkdir",
    "flock",
    "connect",
    "sendto",
    "sendmsg",
    "writev",
    "recvfrom",
];

/// Returns an `strace` command that kills its process when it makes this call for the nth time.
pub fn strace_that_kills(call: &str, nth: u32) -> Command {
    let mut command = Command::new("strace");
    let inject = format!("inject={call}:signal=SIGKILL:when={nth}");
    command.args([
        "-f",
        "-qq",
        "-o",
        "/dev/null",
        "-e",
        &format!("trace={call}"),
        "-e",
        &inject,
    ]);
    command
}

#[test]
fn kill_at_any_syscall_never_pays_twice() {
    if !has_tools(&["strace"]) {
        return;
    }
    let kills = syscall_kills();
    let stride = if Effort::from_env() == Effort::Small {
        12
    } else {
        1
    };
    let tally = Mutex::new(Tally::default());
    let missed = Mutex::new(BTreeSet::new());
    run_in_parallel(
        THREADS,
        kills.iter().enumerate().step_by(stride),
        |(index, kill)| {
            let mut life = Life::with_first_kill(index as u64, *kill, &kills);
            // Use the same bank as the run that recorded the system calls, because the calls depend
            // on the bank.
            life.bank = steady_bank();
            let result = life.run();
            if result.kills.first() != Some(kill) {
                missed.lock().expect("no panic").insert(format!("{kill:?}"));
            }
            tally.lock().expect("no panic").add(&result);
        },
    );
    let tally = tally.into_inner().expect("no panic");
    let missed = missed.into_inner().expect("no panic");
    let kill_count = kills.len().div_ceil(stride);
    print_line(&format!(
        "kills at {kill_count} of {} system calls: {tally:#?}",
        kills.len()
    ));
    print_line(&format!(
        "calls that never came, so that nobody died there: {missed:?}"
    ));
    print_figure(&format!(
        "each of some {} system calls",
        round_to_fifty(kills.len())
    ));
    assert!(
        missed.len() * 20 <= kill_count,
        "{} of {kill_count}: {missed:?}",
        missed.len()
    );
}

#[test]
fn requests_are_sent_only_after_data_is_on_disk() {
    if !has_tools(&["strace"]) {
        return;
    }
    let log = tempfile::NamedTempFile::new().expect("a file");
    let dir = run_under(trace::tracer(log.path()));
    let log = std::fs::read_to_string(log.path()).expect("the trace");
    let calls = trace::parse_calls(&log);
    let durability = Durability::follow(dir.path(), &calls);
    assert!(
        durability.sent_early.is_empty(),
        "sent too early: {:#?}",
        durability.sent_early
    );
    assert!(
        durability.out_of_order.is_empty(),
        "too early: {:#?}",
        durability.out_of_order
    );
    // The run sends two requests, and each makes at least two network calls: a connect and a send.
    assert!(durability.sends >= 4, "{log}");
}

/// Runs the child process under another program such as `strace`, without a kill. Returns the
/// directory with the run's files.
fn run_under(command: Command) -> TempDir {
    let dir = temp_dir();
    let bank = steady_bank();
    let orders = build_orders(&dir, &bank, "first", None, 0);
    let end = Process::start_under(command, DRIVER, &orders).wait();
    assert!(end.succeeded, "{}", end.output);
    dir
}

/// Returns all kills to test: one for every system call in [`CALLS`] that an undisturbed run makes.
fn syscall_kills() -> Vec<Kill> {
    let log = tempfile::NamedTempFile::new().expect("a file");
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o"]).arg(log.path());
    command.args(["-e", &format!("trace={}", CALLS.join(","))]);
    run_under(command);
    let log = std::fs::read_to_string(log.path()).expect("the trace");
    // `strace` counts calls in each thread separately. For each system call, use the thread that
    // makes it most often.
    let mut counts: BTreeMap<(&'static str, String), u32> = BTreeMap::new();
    for call in trace::parse_calls(&log) {
        if let Some(name) = CALLS.iter().find(|name| **name == call.name) {
            *counts.entry((name, call.thread.to_owned())).or_default() += 1;
        }
    }
    let mut max_counts: BTreeMap<&'static str, u32> = BTreeMap::new();
    for ((call, _), count) in counts {
        let max_count = max_counts.entry(call).or_default();
        *max_count = count.max(*max_count);
    }
    let kills_of_call = |(call, max_count): (&&'static str, &u32)| {
        let call = *call;
        (1..=*max_count)
            .map(move |nth| Kill::Call(call, nth))
            .collect::<Vec<_>>()
    };
    let kills: Vec<Kill> = max_counts.iter().flat_map(kills_of_call).collect();
    for call in ["fsync", "pwrite64", "rename", "connect", "writev"] {
        assert!(max_counts.contains_key(call), "no {call}: {max_counts:?}");
    }
    print_line(&format!("system calls of a life: {max_counts:?}"));
    kills
}
