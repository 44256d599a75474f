//! Kills the test process at every system call that changes the disk or uses the network.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::sync::Mutex;

use tempfile::TempDir;

use super::{DRIVER, Death, Life, THREADS, Tally, orders_of, steady_bank};
use crate::effort::{Effort, each, promised, say, some};
use crate::process::Process;
use crate::samples::place;
use crate::support::tools::needs;
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
pub fn killing(call: &str, nth: u32) -> Command {
    let mut command = Command::new("strace");
    let inject = format!("inject={call}:signal=SIGKILL:when={nth}");
    command.args(["-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={call}"), "-e", &inject]);
    command
}

#[test]
fn kill_at_any_syscall_never_pays_twice() {
    if !needs(&["strace"]) {
        return;
    }
    let deaths = deaths();
    let every = if Effort::wanted() == Effort::Small { 12 } else { 1 };
    let tally = Mutex::new(Tally::default());
    let survived = Mutex::new(BTreeSet::new());
    each(THREADS, deaths.iter().enumerate().step_by(every), |(at, death)| {
        let mut life = Life::that_ends(at as u64, *death, &deaths);
        // Use the same bank as the run that recorded the system calls, because the calls depend on
        // the bank.
        life.bank = steady_bank();
        let led = life.lead();
        if led.deaths.first() != Some(death) {
            survived.lock().expect("no panic").insert(format!("{death:?}"));
        }
        tally.lock().expect("no panic").add(&led);
    });
    let tally = tally.into_inner().expect("no panic");
    let survived = survived.into_inner().expect("no panic");
    let tried = deaths.len().div_ceil(every);
    say(&format!("kills at {tried} of {} system calls: {tally:#?}", deaths.len()));
    say(&format!("calls that never came, so that nobody died there: {survived:?}"));
    promised(&format!("each of some {} system calls", some(deaths.len())));
    assert!(survived.len() * 20 <= tried, "{} of {tried}: {survived:?}", survived.len());
}

#[test]
fn requests_are_sent_only_after_data_is_on_disk() {
    if !needs(&["strace"]) {
        return;
    }
    let log = tempfile::NamedTempFile::new().expect("a file");
    let dir = life_behind(trace::tracer(log.path()));
    let log = std::fs::read_to_string(log.path()).expect("the trace");
    let calls = trace::calls(&log);
    let followed = Durability::follow(dir.path(), &calls);
    assert!(followed.sent_early.is_empty(), "sent too early: {:#?}", followed.sent_early);
    assert!(followed.out_of_order.is_empty(), "too early: {:#?}", followed.out_of_order);
    // The run sends two requests, and each makes at least two network calls: a connect and a send.
    assert!(followed.sends >= 4, "{log}");
}

/// Runs the child process under another program such as `strace`, without a kill. Returns the
/// directory with the run's files.
fn life_behind(command: Command) -> TempDir {
    let (dir, bank) = (place(), steady_bank());
    let orders = orders_of(&dir, &bank, "first", None, 0);
    let end = Process::start_behind(command, DRIVER, &orders).wait();
    assert!(end.well, "{}", end.said);
    dir
}

/// Returns all kills to test: one for every system call in [`CALLS`] that an undisturbed run makes.
fn deaths() -> Vec<Death> {
    let log = tempfile::NamedTempFile::new().expect("a file");
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o"]).arg(log.path());
    command.args(["-e", &format!("trace={}", CALLS.join(","))]);
    life_behind(command);
    let log = std::fs::read_to_string(log.path()).expect("the trace");
    // `strace` counts calls in each thread separately. For each system call, use the thread that
    // makes it most often.
    let mut counts: BTreeMap<(&'static str, String), u32> = BTreeMap::new();
    for call in trace::calls(&log) {
        if let Some(name) = CALLS.iter().find(|name| **name == call.name) {
            *counts.entry((name, call.thread.to_owned())).or_default() += 1;
        }
    }
    let mut times: BTreeMap<&'static str, u32> = BTreeMap::new();
    for ((call, _), count) in counts {
        let most = times.entry(call).or_default();
        *most = count.max(*most);
    }
    let each = |(call, most): (&&'static str, &u32)| {
        let call = *call;
        (1..=*most).map(move |nth| Death::Call(call, nth)).collect::<Vec<_>>()
    };
    let deaths: Vec<Death> = times.iter().flat_map(each).collect();
    for must in ["fsync", "pwrite64", "rename", "connect", "writev"] {
        assert!(times.contains_key(must), "no {must}: {times:?}");
    }
    say(&format!("system calls of a life: {times:?}"));
    deaths
}
