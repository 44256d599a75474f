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
use crate::effort::{Effort, each, grouped, promised, say, some};
use crate::kill_9::{Life, steady_bank};
use crate::support::tools::needs;
use crate::trace::{self, Call, Durability};

/// The system calls that change the disk.
const CALLS: [&str; 9] =
    ["openat", "mkdir", "write", "pwrite64", "ftruncate", "fsync", "fdatasync", "rename", "unlink"];

/// The number of parallel runs. This test uses more than other tests, because a run mostly waits
/// for `strace`.
const THREADS: usize = 4;

/// An error that `strace` injects into a system call.
#[derive(Debug, Clone, Copy)]
struct Trouble {
    call: &'static str,
    /// The number of the call that fails, counted from 1 in each thread. If the error is limited to
    /// the journal's files, only calls on these files count.
    nth: usize,
    error: &'static str,
    for_ever: bool,
    /// The number of requests that the process sends before this call in a run without errors.
    sent_before: usize,
}

impl Trouble {
    /// Returns true if `strace` must inject the error only into calls on the journal's files.
    ///
    /// A failing `openat` on other files would keep the test program from being loaded. A failing
    /// `write` could lose the test runner's output.
    fn is_of_the_journal_alone(self) -> bool {
        self.call == "write" || (self.call == "openat" && self.for_ever)
    }

    fn inject(self, command: &mut Command, life: &Life) {
        let Trouble { call, nth, error, for_ever, .. } = self;
        let on = if for_ever { "+" } else { "" };
        if self.is_of_the_journal_alone() {
            for file in life.files() {
                command.arg("-P").arg(file);
            }
        }
        command.args(["-e", &format!("inject={call}:error={error}:when={nth}{on}")]);
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
    missed: Vec<Trouble>,
}

#[test]
fn syscall_error_sends_nothing_not_on_disk() {
    if !needs(&["strace"]) {
        return;
    }
    let all = match Effort::wanted() {
        Effort::Small => few(&troubles()),
        Effort::Usual | Effort::Long => troubles(),
    };
    let tally = Mutex::new(Tally::default());
    each(THREADS, all.iter(), |trouble| {
        let led = std::panic::catch_unwind(|| live(*trouble, &tally));
        assert!(led.is_ok(), "{trouble:?}");
    });
    let (tally, lives) = (tally.into_inner().expect("no panic"), all.len());
    say(&format!("{lives} errors of system calls: {tally:#?}"));
    promised(&format!("some {} of every system call", grouped(some(lives) as u64)));
    assert!(tally.missed.is_empty(), "these never came: {:?}", tally.missed);
    assert!(tally.harmless < lives / 2 && tally.sends > 0 && tally.payouts > 0);
}

fn live(trouble: Trouble, tally: &Mutex<Tally>) {
    let log = tempfile::NamedTempFile::new().expect("a file");
    let mut command = trace::tracer(log.path());
    let life = Life::whole(steady_bank());
    trouble.inject(&mut command, &life);
    let dir = life.dir().to_owned();
    let (first, led) = life.lead_behind(command);
    let log = std::fs::read_to_string(log.path()).expect("the trace");
    let calls = trace::calls(&log);
    let followed = Durability::follow(&dir, &calls);
    assert!(followed.sent_early.is_empty(), "sent, not durable: {:#?}", followed.sent_early);
    let met = |call: &Call<'_>| call.told.ends_with("(INJECTED)") && call.is_below(&dir);
    let Some(at) = calls.iter().position(met) else {
        tally.lock().expect("no panic").missed.push(trouble);
        return;
    };
    let sent_after = match trouble.is_of_the_journal_alone() {
        // This log contains only calls on the journal's files, so use the number of requests that
        // the bank received.
        true => first.heard.saturating_sub(trouble.sent_before),
        false => Durability::follow(&dir, &calls[at..]).sends,
    };
    let stopped = sent_after == 0 && !first.well;
    assert!(stopped || calls[at].is_spared(&dir), "{sent_after} sent after {}", calls[at].told);
    let mut tally = tally.lock().expect("no panic");
    *tally.failed.entry(trouble.call).or_default() += 1;
    tally.harmless += usize::from(first.well);
    tally.sends += followed.sends;
    tally.payouts += led.payouts;
    tally.resends += led.resends;
}

impl Call<'_> {
    /// Returns true if the call opens or syncs the journal's directory. SQLite may ignore an error
    /// of such a call.
    ///
    /// This is safe, because the journal syncs the directory again before anything is sent.
    fn is_spared(&self, dir: &Path) -> bool {
        matches!(self.name.as_str(), "openat" | "fsync")
            && self.target().is_some_and(|path| Path::new(path) == dir.join("journal"))
    }
}

/// The number of different errors for each call: each error code, once and permanently.
const WAYS: usize = ERRORS.len() * 2;

/// Picks a small sample: one error for each `openat`, and one error for about every third other
/// call.
fn few(all: &[Trouble]) -> Vec<Trouble> {
    let of_call = |(at, ways): (usize, &[Trouble])| match ways[0].call {
        "openat" => Some(ways[at * 2 % WAYS]),
        _ if at % 3 == 0 => Some(ways[at / 3 % WAYS]),
        _ => None,
    };
    all.chunks(WAYS).enumerate().filter_map(of_call).collect()
}

/// Returns all errors to inject. Runs the process without errors first, to find the calls that it
/// makes.
fn troubles() -> Vec<Trouble> {
    let log = tempfile::NamedTempFile::new().expect("a file");
    let life = Life::whole(steady_bank());
    let dir = life.dir().to_owned();
    let (first, _) = life.lead_behind(trace::tracer(log.path()));
    let log = std::fs::read_to_string(log.path()).expect("the trace");
    assert!(first.well, "{log}");
    let (mut counts, mut all) = (BTreeMap::new(), Vec::new());
    let (mut ours, mut sent_before) = (BTreeMap::new(), 0);
    for call in trace::calls(&log) {
        sent_before += usize::from(call.name == "writev");
        let Some(name) = CALLS.iter().find(|name| **name == call.name) else { continue };
        let nth: &mut usize = counts.entry((*name, call.thread)).or_default();
        *nth += 1;
        if !call.is_below(&dir) {
            continue;
        }
        let nth_of_ours: &mut usize = ours.entry(*name).or_default();
        *nth_of_ours += 1;
        for (error, _) in ERRORS {
            for for_ever in [false, true] {
                let mut trouble = Trouble { call: name, nth: *nth, error, for_ever, sent_before };
                if trouble.is_of_the_journal_alone() {
                    trouble.nth = *nth_of_ours;
                }
                all.push(trouble);
            }
        }
    }
    for must in ["openat", "pwrite64", "fsync", "rename", "unlink", "write", "mkdir"] {
        assert!(all.iter().any(|trouble| trouble.call == must), "no {must}");
    }
    all
}
