//! Killed at every system call that writes, syncs, names, connects or sends.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use super::{DRIVER, Death, Life, THREADS, Tally, orders_of};
use crate::bank::Kind;
use crate::chance::Chance;
use crate::effort::{Effort, say};
use crate::paper::place;
use crate::process::Process;
use crate::socket_bank::{SocketBank, Temper};
use crate::support::tools::needs;

/// The calls by which something comes onto the disk or onto the wire.
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

/// A tracer that kills what it starts at the entrance of this call.
pub fn killing(call: &str, nth: u32) -> Command {
    let mut command = Command::new("strace");
    let inject = format!("inject={call}:signal=SIGKILL:when={nth}");
    command.args(["-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={call}"), "-e", &inject]);
    command
}

#[test]
fn no_kill_at_a_system_call_makes_a_withdrawal_leave_twice() {
    if !needs(&["strace"]) {
        return;
    }
    let deaths = calls();
    let every = if Effort::wanted() == Effort::Small { 12 } else { 1 };
    let (next, tally) = (AtomicUsize::new(0), Mutex::new(Tally::default()));
    let lead = || {
        loop {
            let at = next.fetch_add(every, Ordering::Relaxed);
            let Some(death) = deaths.get(at) else { break };
            let led = Life::that_ends(at as u64, *death, &deaths).lead();
            tally.lock().expect("no panic").add(&led);
        }
    };
    thread::scope(|scope| {
        (0..THREADS).for_each(|_| drop(scope.spawn(lead)));
    });
    let tally = tally.into_inner().expect("no panic");
    say(&format!("kills at system calls, {} of them: {tally:#?}", deaths.len()));
    assert!(tally.lives_cut_short as usize * every * 2 > deaths.len(), "{tally:?}");
}

/// Every such call of a life that nobody ends.
fn calls() -> Vec<Death> {
    let (dir, log) = (place(), place());
    let temper = Temper { silent: 0, lingers: Duration::ZERO, begins_badly: true };
    let bank = SocketBank::open(Kind::KeepsSuccesses, temper, Chance::of(0));
    let log = log.path().join("calls");
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o"]).arg(&log).args(["-e", &format!("trace={}", CALLS.join(","))]);
    let orders = orders_of(&dir, &bank, "first", None, 0);
    let end = Process::start_behind(command, DRIVER, &orders).wait();
    assert!(end.well, "{}", end.said);
    // Of each thread, as the tracer counts them; the one with the most of a call is meant.
    let mut counts: BTreeMap<(&'static str, String), u32> = BTreeMap::new();
    for line in std::fs::read_to_string(&log).expect("the trace").lines() {
        let Some((thread, said)) = line.split_once(' ') else { continue };
        let Some((name, _)) = said.trim_start().split_once('(') else { continue };
        if let Some(call) = CALLS.iter().find(|call| **call == name) {
            *counts.entry((call, thread.to_owned())).or_default() += 1;
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
    let calls: Vec<Death> = times.iter().flat_map(each).collect();
    for must in ["fsync", "pwrite64", "rename", "connect", "writev"] {
        assert!(times.contains_key(must), "no {must}: {times:?}");
    }
    say(&format!("system calls of a life: {times:?}"));
    calls
}
