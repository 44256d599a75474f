//! Makes each system call on the journal's files fail, once and permanently.
//!
//! A durable step consists of many system calls: SQLite writes and syncs its rollback file and the
//! database, deletes the rollback file and syncs the directory. `strace` injects an error into a
//! process of the `kill_9` test. A second process then continues without errors, and the bank's
//! ledger is compared with the journal.
//!
//! The `strace` log must show that no request was sent before its data was durable, and that none
//! was sent after an error. This includes an error that only prevents a lock file from being
//! opened.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

use super::ERRORS;
use crate::effort::{
    Effort, format_thousands, print_figure, print_line, round_to_fifty, run_in_parallel,
};
use crate::kill_9::{Life, steady_bank};
use crate::support::tools::has_tools;
use crate::trace::{self, Call, Durability};

/// The system calls that change the disk.
const CALLS: [&str; 9] = [
    "openat",
    "mkdir",
    "write",
    "pwrite64",
    "ftruncate",
    "fsync",
    "fdatasync",
    "rename",
    "unlink",
];

/// The number of parallel runs. This test uses more than other tests, because a run mostly waits
/// for `strace`.
const THREADS: usize = 4;

/// An error that `strace` injects into a system call.
#[derive(Debug, Clone, Copy)]
struct SyscallError {
    call: &'static str,
    /// The number of the call that fails, counted from 1 in each thread. If the error is limited to
    /// the journal's files, only calls on these files count.
    nth: usize,
    error: &'static str,
    is_permanent: bool,
    /// The number of requests that the process sends before this call in a run without errors.
    sent_before: usize,
}

impl SyscallError {
    /// Returns true if `strace` must inject the error only into calls on the journal's files.
    ///
    /// A failing `openat` on other files would keep the test program from being loaded. A failing
    /// `write` could lose the test runner's output.
    fn is_journal_only(self) -> bool {
        self.call == "write" || (self.call == "openat" && self.is_permanent)
    }

    fn inject(self, command: &mut Command, life: &Life) {
        let SyscallError {
            call,
            nth,
            error,
            is_permanent,
            ..
        } = self;
        let suffix = if is_permanent { "+" } else { "" };
        if self.is_journal_only() {
            for file in life.files() {
                command.arg("-P").arg(file);
            }
        }
        command.args([
            "-e",
            &format!("inject={call}:error={error}:when={nth}{suffix}"),
        ]);
    }
}

/// The totals of all runs with an injected error.
#[derive(Debug, Default)]
struct Tally {
    failed: BTreeMap<&'static str, usize>,
    /// The number of runs in which the process succeeded despite the injected error.
    harmless: usize,
    /// The number of requests that were sent by processes with an injected error.
    sends: usize,
    payouts: usize,
    resends: u64,
    /// Planned errors that did not happen, because the process did not make the planned call.
    missed: Vec<SyscallError>,
}

#[test]
fn syscall_error_sends_nothing_not_on_disk() {
    if !has_tools(&["strace"]) {
        return;
    }
    let errors = match Effort::from_env() {
        Effort::Small => sample(&all_syscall_errors()),
        Effort::Usual | Effort::Long => all_syscall_errors(),
    };
    let tally = Mutex::new(Tally::default());
    run_in_parallel(THREADS, errors.iter(), |error| {
        let result = std::panic::catch_unwind(|| run_life(*error, &tally));
        assert!(result.is_ok(), "{error:?}");
    });
    let tally = tally.into_inner().expect("no panic");
    let lives = errors.len();
    print_line(&format!("{lives} errors of system calls: {tally:#?}"));
    print_figure(&format!(
        "some {} of every system call",
        format_thousands(round_to_fifty(lives) as u64)
    ));
    assert!(
        tally.missed.is_empty(),
        "these never came: {:?}",
        tally.missed
    );
    assert!(tally.harmless < lives / 2 && tally.sends > 0 && tally.payouts > 0);
}

fn run_life(error: SyscallError, tally: &Mutex<Tally>) {
    let log = tempfile::NamedTempFile::new().expect("a file");
    let mut command = trace::tracer(log.path());
    let life = Life::without_kills(steady_bank());
    error.inject(&mut command, &life);
    let dir = life.dir().to_owned();
    let (first, result) = life.run_under(command);
    let log = std::fs::read_to_string(log.path()).expect("the trace");
    let calls = trace::parse_calls(&log);
    let durability = Durability::follow(&dir, &calls);
    assert!(
        durability.sent_early.is_empty(),
        "sent, not durable: {:#?}",
        durability.sent_early
    );
    let is_injected = |call: &Call<'_>| call.text.ends_with("(INJECTED)") && call.is_below(&dir);
    let Some(index) = calls.iter().position(is_injected) else {
        tally.lock().expect("no panic").missed.push(error);
        return;
    };
    let sent_after = if error.is_journal_only() {
        // This log contains only calls on the journal's files, so use the number of requests that
        // the bank received.
        first.request_count.saturating_sub(error.sent_before)
    } else {
        Durability::follow(&dir, &calls[index..]).sends
    };
    let has_stopped = sent_after == 0 && !first.succeeded;
    assert!(
        has_stopped || calls[index].is_ignorable(&dir),
        "{sent_after} sent after {}",
        calls[index].text
    );
    let mut tally = tally.lock().expect("no panic");
    *tally.failed.entry(error.call).or_default() += 1;
    tally.harmless += usize::from(first.succeeded);
    tally.sends += durability.sends;
    tally.payouts += result.payouts;
    tally.resends += result.resends;
}

impl Call<'_> {
    /// Returns true if the call opens or syncs the journal's directory. SQLite may ignore an error
    /// of such a call.
    ///
    /// This is safe, because the journal syncs the directory again before anything is sent.
    fn is_ignorable(&self, dir: &Path) -> bool {
        matches!(self.name.as_str(), "openat" | "fsync")
            && self
                .target()
                .is_some_and(|path| Path::new(path) == dir.join("journal"))
    }
}

/// The number of different errors for each call: each error code, once and permanently.
const ERRORS_PER_CALL: usize = ERRORS.len() * 2;

/// Picks a small sample: one error for each `openat`, and one error for about every third other
/// call.
fn sample(all: &[SyscallError]) -> Vec<SyscallError> {
    let pick = |(index, errors): (usize, &[SyscallError])| match errors[0].call {
        "openat" => Some(errors[index * 2 % ERRORS_PER_CALL]),
        _ if index % 3 == 0 => Some(errors[index / 3 % ERRORS_PER_CALL]),
        _ => None,
    };
    all.chunks(ERRORS_PER_CALL)
        .enumerate()
        .filter_map(pick)
        .collect()
}

/// Returns all errors to inject. Runs the process without errors first, to find the calls that it
/// makes.
fn all_syscall_errors() -> Vec<SyscallError> {
    let log = tempfile::NamedTempFile::new().expect("a file");
    let life = Life::without_kills(steady_bank());
    let dir = life.dir().to_owned();
    let (first, _) = life.run_under(trace::tracer(log.path()));
    let log = std::fs::read_to_string(log.path()).expect("the trace");
    assert!(first.succeeded, "{log}");
    let mut counts = BTreeMap::new();
    let mut all = Vec::new();
    let mut journal_counts = BTreeMap::new();
    let mut sent_before = 0;
    for call in trace::parse_calls(&log) {
        sent_before += usize::from(call.name == "writev");
        let Some(name) = CALLS.iter().find(|name| **name == call.name) else {
            continue;
        };
        let nth: &mut usize = counts.entry((*name, call.thread)).or_default();
        *nth += 1;
        if !call.is_below(&dir) {
            continue;
        }
        let journal_nth: &mut usize = journal_counts.entry(*name).or_default();
        *journal_nth += 1;
        for (error, _) in ERRORS {
            for is_permanent in [false, true] {
                let mut syscall_error = SyscallError {
                    call: name,
                    nth: *nth,
                    error,
                    is_permanent,
                    sent_before,
                };
                if syscall_error.is_journal_only() {
                    syscall_error.nth = *journal_nth;
                }
                all.push(syscall_error);
            }
        }
    }
    for required in [
        "openat", "pwrite64", "fsync", "rename", "unlink", "write", "mkdir",
    ] {
        assert!(
            all.iter().any(|error| error.call == required),
            "no {required}"
        );
    }
    all
}
