//! Two to eight processes share a journal and act at the same time. Some of them are killed.
//!
//! Each process, called a window, confirms, sends and discards withdrawals with the production
//! code. The bank delays its replies, so that requests overlap if a window sends a second request
//! for an account too early. Afterwards, the surviving windows and a new window must read the same
//! events from the journal.
//!
//! Withdrawals with an unknown outcome are resent until the outcome is known, and no withdrawal may
//! be paid twice. A seed reproduces the actions and kills, but not the scheduling by the operating
//! system.

mod driver;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use balcao::cashier;
use balcao::journal::money::MoneyJournal;
use balcao::journal::{DiskStep, OsDisk};
use balcao::runtime::clocks::MachineClocks;
use balcao::trade::withdrawal::WithdrawalState;
use tempfile::TempDir;

use self::driver::{Done, Orders, Seen, live, seen};
use crate::bank::Kind;
use crate::chance::Random;
use crate::death::Point;
use crate::effort::{Effort, each, grouped, promised, say, seed};
use crate::headless::wire;
use crate::process::{End, Process, orders};
use crate::samples::{AT_ONCE, place};
use crate::socket_bank::{Behaviour, Moment, Plan, SocketBank};

const THREADS: usize = 2;

/// The test function that each child process runs.
const DRIVER: &str = "windows::a_window_of_many";

fn rounds() -> u64 {
    match Effort::wanted() {
        Effort::Small => 6,
        Effort::Usual => 300,
        Effort::Long => 5_000,
    }
}

/// The entry point of the child processes. Does nothing in an ordinary test run, because a parent
/// process gave no orders.
#[test]
fn a_window_of_many() {
    if let Some(orders) = orders::<Orders>() {
        live(&orders);
    }
}

#[test]
fn parallel_windows_never_send_together_or_pay_twice() {
    if let Some(seed) = seed() {
        say(&format!("{:?}", Round::of(seed).play()));
        return;
    }
    let tally = Mutex::new(Tally::default());
    each(THREADS, 0..rounds(), |seed| {
        let played = Round::of(seed).play();
        tally.lock().expect("no panic").add(&played);
    });
    let tally = tally.into_inner().expect("no panic");
    say(&format!("windows, seeds 0 to {}: {tally:?}", rounds() - 1));
    promised(&format!("{} rounds of 2 to 8 windows", grouped(rounds())));
    assert!(tally.killed > 0 && tally.requests > 0 && tally.payouts > 0, "{tally:?}");
    let few = Effort::wanted() == Effort::Small;
    assert!(few || tally.done.busy > 0, "nobody was ever turned away: {tally:?}");
}

#[derive(Debug, Default)]
struct Tally {
    windows: u64,
    killed: u64,
    /// The actions of the windows (processes) that were not killed, counted by result.
    done: Done,
    requests: u64,
    withdrawals: u64,
    payouts: u64,
    /// The number of requests that overlapped with a request of a killed window (process).
    beside_the_dead: u64,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.windows += other.windows;
        self.killed += other.killed;
        self.add_done(&other.done);
        self.requests += other.requests;
        self.withdrawals += other.withdrawals;
        self.payouts += other.payouts;
        self.beside_the_dead += other.beside_the_dead;
    }

    fn add_done(&mut self, done: &Done) {
        self.done.prepared += done.prepared;
        self.done.sent += done.sent;
        self.done.busy += done.busy;
        self.done.refused += done.refused;
    }
}

struct Round {
    seed: u64,
    chance: Random,
    dir: TempDir,
    bank: SocketBank,
}

impl Round {
    fn of(seed: u64) -> Round {
        let mut chance = Random::of(seed);
        let kind = chance.one_of(Kind::PROMPT);
        let silent = chance.one_of(&[0, 20]);
        // In some rounds, the bank replies so slowly that a window stops waiting for the account's
        // lock.
        let lingers = if chance.percent(8) { 250 } else { chance.one_of(&[0, 2, 5]) };
        let lingers = Duration::from_millis(lingers);
        let temper = Behaviour { silent, lingers, begins_badly: false };
        let bank = SocketBank::open(kind, temper, chance.clone());
        Round { seed, chance, dir: place(), bank }
    }

    fn play(mut self) -> Tally {
        let windows = self.start();
        let mut tally = Tally { windows: windows.len() as u64, ..Tally::default() };
        windows.iter().for_each(|(_, process)| process.go_on());
        let done: Vec<Option<Done>> = windows.iter().map(|(_, one)| one.answer()).collect();
        done.iter().flatten().for_each(|done| tally.add_done(done));
        self.bank.plan(None);
        self.bank.come_to_rest();
        // Every window has finished or was killed, so the journal does not change any more. Let the
        // surviving windows read it.
        windows.iter().for_each(|(_, process)| process.go_on());
        let seen: Vec<Option<Seen>> = windows.iter().map(|(_, one)| one.answer()).collect();
        let ends: Vec<End> = windows.iter().map(|(_, process)| process.wait()).collect();
        let all = || windows.iter().zip(&ends).map(|((name, _), end)| (name, end));
        let killed: Vec<_> =
            all().filter(|(_, end)| end.killed).map(|(name, _)| name.clone()).collect();
        // Check for violations that the bank detected first, because they can explain other
        // failures.
        let wrong = self.bank.wrong(&killed);
        if !wrong.is_empty() {
            self.failed(&wrong.join("\n"));
        }
        if let Some((name, end)) = all().find(|(_, end)| !end.killed && !end.well) {
            self.failed(&format!("{name}: {}", end.said));
        }
        tally.killed = killed.len() as u64;
        self.settle(seen.into_iter().flatten().collect(), &killed, &mut tally);
        tally.beside_the_dead = self.bank.overlaps_with_the_dead();
        tally
    }

    fn start(&mut self) -> Vec<(String, Arc<Process>)> {
        let (most, mut windows) = (2 + self.chance.below(7), Vec::new());
        for n in 0..most {
            let dies = self.chance.percent(25).then(|| self.death());
            let orders = Orders {
                dir: self.dir.path().join("journal"),
                bank: self.bank.url(),
                window: format!("window-{n}"),
                seed: self.chance.next(),
                actions: 4 + self.chance.below(5) as u32,
                dies,
            };
            windows.push((orders.window.clone(), Arc::new(Process::start(DRIVER, &orders))));
        }
        if self.chance.percent(60) {
            let at = [Moment::Request, Moment::Acted, Moment::HalfReply, Moment::Reply];
            let (moment, nth) = (self.chance.one_of(&at), 1 + self.chance.below(6) as u32);
            let victims: HashMap<_, _> = windows.iter().cloned().collect();
            self.bank.plan(Some(Plan { moment, nth, victims }));
        }
        windows
    }

    fn death(&mut self) -> (Point, u32) {
        let step = self.chance.below(DiskStep::ALL.len() as u64) as usize;
        let points = [
            Point::Before(step),
            Point::During(step),
            Point::After(step),
            Point::Locked,
            Point::Permitted,
            Point::Answered,
        ];
        (self.chance.one_of(&points), 1 + self.chance.below(8) as u32)
    }

    /// Checks that all windows (processes) read the same final states. Then resends each withdrawal
    /// with an unknown outcome until its outcome is known.
    fn settle(&self, all_seen: Vec<Seen>, killed: &[String], tally: &mut Tally) {
        let opened = MoneyJournal::open(&self.dir.path().join("journal"), OsDisk, false);
        let mut journal = opened.unwrap_or_else(|trouble| self.failed(&trouble.to_string()));
        let fresh = seen(&mut journal);
        if let Some(other) = all_seen.iter().find(|seen| **seen != fresh) {
            self.failed(&format!("a survivor sees {other:?}, a fresh start {fresh:?}"));
        }
        let (clocks, journal) = (MachineClocks::new(), Mutex::new(journal));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let (runtime, wire) = (runtime.expect("a runtime"), wire("the last"));
        for (key, _) in &fresh.states {
            let known = || {
                let known = journal.lock().expect("no panic").get(*key);
                known.expect("read").expect("there")
            };
            for _ in 0..4 {
                if known().state(&clocks.now(), &AT_ONCE, false) == WithdrawalState::Unknown {
                    let send =
                        cashier::attempt((*key, None), &AT_ONCE, &journal, &wire, &clocks, |_| ());
                    runtime.block_on(send);
                }
            }
            let (known, paid) = (known(), self.bank.paid(key.0.as_u128()));
            let state = known.state(&clocks.now(), &AT_ONCE, false);
            let true_of_it = match state {
                WithdrawalState::Accepted => paid == 1,
                WithdrawalState::Prepared
                | WithdrawalState::Rejected
                | WithdrawalState::Discarded => paid == 0,
                WithdrawalState::NeedsPerson(_) => paid <= 1,
                _ => false,
            };
            let heard = self.bank.heard();
            let heard = heard.iter().filter(|heard| heard.key == key.to_string()).count();
            let on_disk = known.attempts.iter().filter(|attempt| attempt.counts()).count();
            if !true_of_it || heard > on_disk {
                self.failed(&format!("{known:?}: {state:?}, paid {paid}, heard {heard} times"));
            }
            tally.payouts += paid as u64;
        }
        let known = |key: &str| fresh.states.iter().any(|(known, _)| known.to_string() == key);
        if let Some(heard) = self.bank.heard().iter().find(|heard| !known(&heard.key)) {
            self.failed(&format!("{heard:?} is in no journal"));
        }
        if let Some(wrong) = self.bank.wrong(killed).first() {
            self.failed(wrong);
        }
        tally.requests += self.bank.heard().len() as u64;
        tally.withdrawals += fresh.states.len() as u64;
    }

    fn failed(&self, what: &str) -> ! {
        panic!("BALCAO_SEED={}: {what}", self.seed);
    }
}
