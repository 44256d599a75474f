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
use balcao::journal::DiskStep;
use balcao::journal::money::{Files, MoneyJournal};
use balcao::runtime::clocks::MachineClocks;
use balcao::trade::withdrawal::WithdrawalState;
use tempfile::TempDir;

use self::driver::{Done, JournalSnapshot, Orders, read_snapshot, run_driver};
use crate::bank::BankKind;
use crate::chance::Random;
use crate::death::KillPoint;
use crate::effort::{
    Effort, format_thousands, print_figure, print_line, run_in_parallel, seed_from_env,
};
use crate::headless::http_wire;
use crate::process::{Process, ProcessEnd, read_orders};
use crate::samples::{IMMEDIATE_RESEND, temp_dir};
use crate::socket_bank::{Behaviour, Moment, Plan, SocketBank};

const THREADS: usize = 2;

/// The test function that each child process runs.
const DRIVER: &str = "windows::a_window_of_many";

fn round_count() -> u64 {
    match Effort::from_env() {
        Effort::Small => 6,
        Effort::Usual => 300,
        Effort::Long => 5_000,
    }
}

/// The entry point of the child processes. Does nothing in an ordinary test run, because a parent
/// process gave no orders.
#[test]
fn a_window_of_many() {
    if let Some(orders) = read_orders::<Orders>() {
        run_driver(&orders);
    }
}

#[test]
fn parallel_windows_never_send_together_or_pay_twice() {
    if let Some(seed) = seed_from_env() {
        print_line(&format!("{:?}", Round::of(seed).run()));
        return;
    }
    let tally = Mutex::new(Tally::default());
    run_in_parallel(THREADS, 0..round_count(), |seed| {
        let result = Round::of(seed).run();
        tally.lock().expect("no panic").add(&result);
    });
    let tally = tally.into_inner().expect("no panic");
    print_line(&format!(
        "windows, seeds 0 to {}: {tally:?}",
        round_count() - 1
    ));
    print_figure(&format!(
        "{} rounds of 2 to 8 windows",
        format_thousands(round_count())
    ));
    assert!(
        tally.killed > 0 && tally.requests > 0 && tally.payouts > 0,
        "{tally:?}"
    );
    let is_small_run = Effort::from_env() == Effort::Small;
    assert!(
        is_small_run || tally.results.busy > 0,
        "nobody was ever turned away: {tally:?}"
    );
}

#[derive(Debug, Default)]
struct Tally {
    windows: u64,
    killed: u64,
    /// The actions of the windows (processes) that were not killed, counted by result.
    results: Done,
    requests: u64,
    withdrawals: u64,
    payouts: u64,
    /// The number of requests that overlapped with a request of a killed window (process).
    overlaps_with_killed: u64,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.windows += other.windows;
        self.killed += other.killed;
        self.add_results(&other.results);
        self.requests += other.requests;
        self.withdrawals += other.withdrawals;
        self.payouts += other.payouts;
        self.overlaps_with_killed += other.overlaps_with_killed;
    }

    fn add_results(&mut self, results: &Done) {
        self.results.prepared += results.prepared;
        self.results.sent += results.sent;
        self.results.busy += results.busy;
        self.results.refused += results.refused;
    }
}

struct Round {
    seed: u64,
    random: Random,
    dir: TempDir,
    bank: SocketBank,
}

impl Round {
    fn of(seed: u64) -> Round {
        let mut random = Random::from_seed(seed);
        let kind = random.one_of(BankKind::REMEMBERS_ON_ARRIVAL);
        let silent_percent = random.one_of(&[0, 20]);
        // In some rounds, the bank replies so slowly that a window stops waiting for the account's
        // lock.
        let reply_delay = if random.percent_chance(8) {
            250
        } else {
            random.one_of(&[0, 2, 5])
        };
        let reply_delay = Duration::from_millis(reply_delay);
        let behaviour = Behaviour {
            silent_percent,
            reply_delay,
            first_reply_fails: false,
        };
        let bank = SocketBank::open(kind, behaviour, random.clone());
        Round {
            seed,
            random,
            dir: temp_dir(),
            bank,
        }
    }

    fn run(mut self) -> Tally {
        let windows = self.start();
        let mut tally = Tally {
            windows: windows.len() as u64,
            ..Tally::default()
        };
        windows.iter().for_each(|(_, process)| process.resume());
        let results: Vec<Option<Done>> = windows
            .iter()
            .map(|(_, process)| process.read_answer())
            .collect();
        results
            .iter()
            .flatten()
            .for_each(|result| tally.add_results(result));
        self.bank.plan(None);
        self.bank.wait_until_idle();
        // Every window has finished or was killed, so the journal does not change any more. Let the
        // surviving windows read it.
        windows.iter().for_each(|(_, process)| process.resume());
        let snapshots: Vec<Option<JournalSnapshot>> = windows
            .iter()
            .map(|(_, process)| process.read_answer())
            .collect();
        let ends: Vec<ProcessEnd> = windows.iter().map(|(_, process)| process.wait()).collect();
        let windows_and_ends = || {
            windows
                .iter()
                .zip(&ends)
                .map(|((name, _), end)| (name, end))
        };
        let killed: Vec<_> = windows_and_ends()
            .filter(|(_, end)| end.killed)
            .map(|(name, _)| name.clone())
            .collect();
        // Check for violations that the bank detected first, because they can explain other
        // failures.
        let violations = self.bank.violations(&killed);
        if !violations.is_empty() {
            self.fail(&violations.join("\n"));
        }
        if let Some((name, end)) = windows_and_ends().find(|(_, end)| !end.killed && !end.succeeded)
        {
            self.fail(&format!("{name}: {}", end.output));
        }
        tally.killed = killed.len() as u64;
        self.resolve_outcomes(
            snapshots.into_iter().flatten().collect(),
            &killed,
            &mut tally,
        );
        tally.overlaps_with_killed = self.bank.overlaps_with_killed();
        tally
    }

    fn start(&mut self) -> Vec<(String, Arc<Process>)> {
        let window_count = 2 + self.random.below(7);
        let mut windows = Vec::new();
        for n in 0..window_count {
            let dies = self.random.percent_chance(25).then(|| self.random_kill());
            let orders = Orders {
                dir: self.dir.path().join("journal"),
                bank: self.bank.url(),
                window: format!("window-{n}"),
                seed: self.random.next(),
                actions: 4 + self.random.below(5) as u32,
                dies,
            };
            windows.push((
                orders.window.clone(),
                Arc::new(Process::start(DRIVER, &orders)),
            ));
        }
        if self.random.percent_chance(60) {
            let moments = [
                Moment::Request,
                Moment::Acted,
                Moment::HalfReply,
                Moment::Reply,
            ];
            let moment = self.random.one_of(&moments);
            let nth = 1 + self.random.below(6) as u32;
            let victims: HashMap<_, _> = windows.iter().cloned().collect();
            self.bank.plan(Some(Plan {
                moment,
                nth,
                victims,
            }));
        }
        windows
    }

    fn random_kill(&mut self) -> (KillPoint, u32) {
        let step = self.random.below(DiskStep::ALL.len() as u64) as usize;
        let points = [
            KillPoint::Before(step),
            KillPoint::During(step),
            KillPoint::After(step),
            KillPoint::Locked,
            KillPoint::Permitted,
            KillPoint::Answered,
        ];
        (self.random.one_of(&points), 1 + self.random.below(8) as u32)
    }

    /// Checks that all windows (processes) read the same final states. Then resends each withdrawal
    /// with an unknown outcome, at most four times, and compares its state with the bank's payouts.
    fn resolve_outcomes(
        &self,
        snapshots: Vec<JournalSnapshot>,
        killed: &[String],
        tally: &mut Tally,
    ) {
        let journal = MoneyJournal::open(Files::new(self.dir.path().join("journal")), false);
        let mut journal = journal.unwrap_or_else(|trouble| self.fail(&trouble.to_string()));
        let fresh = read_snapshot(&mut journal);
        if let Some(other) = snapshots.iter().find(|snapshot| **snapshot != fresh) {
            self.fail(&format!(
                "a survivor sees {other:?}, a fresh start {fresh:?}"
            ));
        }
        let clocks = MachineClocks::new();
        let journal = Mutex::new(journal);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let runtime = runtime.expect("a runtime");
        let wire = http_wire("the last");
        for (key, _) in &fresh.states {
            let withdrawal = || {
                let withdrawal = journal.lock().expect("no panic").get(*key);
                withdrawal.expect("read").expect("there")
            };
            for _ in 0..4 {
                if withdrawal().state(&clocks.now(), &IMMEDIATE_RESEND, false)
                    == WithdrawalState::Unknown
                {
                    let send = cashier::attempt(
                        (*key, None),
                        &IMMEDIATE_RESEND,
                        &journal,
                        &wire,
                        &clocks,
                        async |_| (),
                    );
                    runtime.block_on(send);
                }
            }
            let withdrawal = withdrawal();
            let paid = self.bank.payout_count(key.0.as_u128());
            let state = withdrawal.state(&clocks.now(), &IMMEDIATE_RESEND, false);
            let is_consistent = match state {
                WithdrawalState::Accepted => paid == 1,
                WithdrawalState::Prepared
                | WithdrawalState::Rejected
                | WithdrawalState::Discarded => paid == 0,
                WithdrawalState::NeedsPerson(_) => paid <= 1,
                _ => false,
            };
            let requests = self.bank.requests();
            let requests = requests
                .iter()
                .filter(|request| request.key == key.to_string())
                .count();
            let on_disk = withdrawal
                .attempts
                .iter()
                .filter(|attempt| attempt.may_have_been_sent())
                .count();
            if !is_consistent || requests > on_disk {
                self.fail(&format!(
                    "{withdrawal:?}: {state:?}, paid {paid}, heard {requests} times"
                ));
            }
            tally.payouts += paid as u64;
        }
        let is_known = |key: &str| {
            fresh
                .states
                .iter()
                .any(|(stored, _)| stored.to_string() == key)
        };
        if let Some(request) = self
            .bank
            .requests()
            .iter()
            .find(|request| !is_known(&request.key))
        {
            self.fail(&format!("{request:?} is in no journal"));
        }
        if let Some(violation) = self.bank.violations(killed).first() {
            self.fail(violation);
        }
        tally.requests += self.bank.requests().len() as u64;
        tally.withdrawals += fresh.states.len() as u64;
    }

    fn fail(&self, what: &str) -> ! {
        panic!("BALCAO_SEED={}: {what}", self.seed);
    }
}
