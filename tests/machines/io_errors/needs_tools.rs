//! Every single system call on the journal's files fails, once and for ever.
//!
//! A step of the journal is many of them: a commit alone writes and syncs the rollback journal and
//! the database, unlinks and syncs the directory. The process is that of `kill_9`: after the one
//! that met the error another one comes, in peace, and the bank's ledger is held against the
//! journal. What the tracer wrote down tells that nothing left that was not durable, and nothing
//! at all after an error, be it only that a lock could not be opened.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

use super::ERRORS;
use crate::effort::{Effort, each, grouped, promised, say, some};
use crate::kill_9::{Life, steady_bank};
use crate::support::tools::needs;
use crate::trace::{self, Call, Durability};

/// The calls by which something comes onto the disk.
const CALLS: [&str; 9] =
    ["openat", "mkdir", "write", "pwrite64", "ftruncate", "fsync", "fdatasync", "rename", "unlink"];

/// Most of the time each of them waits for the tracer.
const THREADS: usize = 4;

/// What goes wrong, and where.
#[derive(Debug, Clone, Copy)]
struct Trouble {
    call: &'static str,
    /// The how manieth of its thread; on the journal's files alone, where others open files too.
    nth: usize,
    error: &'static str,
    for_ever: bool,
    /// How many requests leave before it in a life without trouble.
    sent_before: usize,
}

impl Trouble {
    /// For ever no file could be opened, also none that the program is loaded from; and a write
    /// may be a test runner's word.
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

/// What came of the lives.
#[derive(Debug, Default)]
struct Tally {
    /// How often each call failed.
    failed: BTreeMap<&'static str, usize>,
    /// The program went on all the same, and well.
    harmless: usize,
    /// How often something was sent in a process that met an error.
    sends: usize,
    payouts: usize,
    resends: u64,
    /// The call never came.
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

/// Leads a life with this trouble.
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
        // The tracer saw nothing but files.
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
    /// Whether SQLite goes on without it: a directory that it could not sync once. Before anything
    /// is sent the same directory is synced once more, for the head.
    fn is_spared(&self, dir: &Path) -> bool {
        matches!(self.name.as_str(), "openat" | "fsync")
            && self.target().is_some_and(|path| Path::new(path) == dir.join("journal"))
    }
}

/// How many troubles each call may meet.
const WAYS: usize = ERRORS.len() * 2;

/// A few of them: each file or lock that cannot be opened once, and of the other calls each third.
/// The errors take turns.
fn few(all: &[Trouble]) -> Vec<Trouble> {
    let of_call = |(at, ways): (usize, &[Trouble])| match ways[0].call {
        "openat" => Some(ways[at * 2 % WAYS]),
        _ if at % 3 == 0 => Some(ways[at / 3 % WAYS]),
        _ => None,
    };
    all.chunks(WAYS).enumerate().filter_map(of_call).collect()
}

/// Every call on the journal's files in a life without trouble: each error, once and for ever.
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
