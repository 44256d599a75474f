//! Kills the app with SIGKILL at every point of a withdrawal, and restarts it.
//!
//! A child process runs the production code that sends withdrawals (cashier, HTTP client and
//! journal) on real files and a real socket. It is killed before, during and after each disk step,
//! between the cashier's steps, or by the bank at each moment of a request. Then it is restarted,
//! and killed up to two more times. The last process runs until the withdrawal is decided.
//!
//! At the end, the bank's ledger must agree with the journal. All requests with the same key must
//! be equal.

mod driver;
mod needs_tools;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;

use balcao::journal::OsDisk;
use balcao::journal::money::{Files, MoneyJournal, Storage};
use balcao::trade::Withdrawal;
use tempfile::TempDir;

use self::driver::{Answer, Orders, live};
use crate::bank::Kind;
use crate::chance::Random;
use crate::death::Point;
use crate::effort::{Effort, each, grouped, promised, say, seed};
use crate::process::{End, Process, orders};
use crate::samples::{account, place};
use crate::socket_bank::{Behaviour, Moment, Plan, SocketBank};

const THREADS: usize = 2;

/// The test function that each child process runs.
const DRIVER: &str = "kill_9::a_process_that_is_killed";

/// Returns the number of runs to complete. Only runs with at least one killed process count.
fn wanted() -> u64 {
    match Effort::wanted() {
        Effort::Small => 24,
        Effort::Usual => 1_000,
        Effort::Long => 10_000,
    }
}

/// A planned kill, when a process reaches a point for the nth time.
///
/// The process kills itself (`Own`), the bank kills it during a request (`Bank`), or `strace` kills
/// it (`Call`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Death {
    Own(Point, u32),
    Bank(Moment, u32),
    /// `strace` kills the process when it enters this system call.
    Call(&'static str, u32),
}

impl std::fmt::Display for Death {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Death::Own(point, _) => write!(f, "{point}"),
            Death::Bank(moment, _) => write!(f, "bank: {moment:?}"),
            Death::Call(call, _) => write!(f, "call: {call}"),
        }
    }
}

/// The entry point of the child process. Does nothing in an ordinary test run, because a parent
/// process gave no orders.
#[test]
fn a_process_that_is_killed() {
    if let Some(orders) = orders::<Orders>() {
        live(&orders);
    }
}

#[test]
fn no_kill_makes_a_withdrawal_leave_twice() {
    let deaths = deaths();
    if let Some(seed) = seed() {
        say(&format!("{:?}", Life::of(seed, &deaths).lead()));
        return;
    }
    let tally = Mutex::new(Tally::default());
    let is_wanted = |_: &u64| tally.lock().expect("no panic").lives_cut_short < wanted();
    each(THREADS, (0..).take_while(is_wanted), |seed| {
        let led = Life::of(seed, &deaths).lead();
        tally.lock().expect("no panic").add(&led);
    });
    let tally = tally.into_inner().expect("no panic");
    say(&format!("kills at {} points: {tally:#?}", deaths.len()));
    promised(&format!("{} lives over {} points", grouped(wanted()), deaths.len()));
    assert!(tally.payouts > 0 && tally.resends > 0, "{tally:?}");
    if wanted() >= 2 * deaths.len() as u64 {
        for death in &deaths {
            let name = death.to_string();
            assert!(tally.kills.contains_key(&name), "nobody died {name}");
        }
    }
}

/// The totals of all runs in which a process was killed.
#[derive(Debug, Default)]
struct Tally {
    lives_cut_short: u64,
    kills: BTreeMap<String, u64>,
    payouts: u64,
    resends: u64,
    ends: BTreeMap<String, u64>,
}

impl Tally {
    fn add(&mut self, led: &RunResult) {
        self.lives_cut_short += u64::from(!led.deaths.is_empty());
        for death in &led.deaths {
            *self.kills.entry(death.to_string()).or_default() += 1;
        }
        self.payouts += led.payouts as u64;
        self.resends += led.resends;
        *self.ends.entry(led.state.clone()).or_default() += 1;
    }
}

/// Returns all kills to test: one for each time that an undisturbed run reaches a point.
fn deaths() -> Vec<Death> {
    let quiet = Behaviour { silent: 0, lingers: Duration::ZERO, begins_badly: true };
    // Find a seed with which the bank's first reply fails and its second request is paid. The run
    // then contains a resend.
    let seeds = || (0..).map(Random::of);
    let answer = seeds().find_map(|chance| {
        let (dir, bank) = (place(), SocketBank::open(Kind::KeepsSuccesses, quiet, chance));
        let process = Process::start(DRIVER, &orders_of(&dir, &bank, "first", None, 0));
        let answer: Option<Answer> = process.answer();
        let end = process.wait();
        let answer = answer.filter(|_| end.well).expect(&end.said);
        (bank.heard().len() == 2 && answer.state == "accepted").then_some(answer)
    });
    let mut passed = answer.expect("one of many").passed;
    passed.sort_by_key(|(point, _)| format!("{point:?}"));
    let own = |(point, times): &(Point, u32)| {
        let point = *point;
        (1..=*times).map(move |nth| Death::Own(point, nth)).collect::<Vec<_>>()
    };
    let mut deaths: Vec<Death> = passed.iter().flat_map(own).collect();
    let both = |moment: &Moment| [Death::Bank(*moment, 1), Death::Bank(*moment, 2)];
    deaths.extend(Moment::ALL.iter().flat_map(both));
    deaths
}

/// Starts a bank that always behaves the same. Its first reply is missing or an error, so each run
/// sends several requests.
pub fn steady_bank() -> SocketBank {
    let temper = Behaviour { silent: 0, lingers: Duration::ZERO, begins_badly: true };
    SocketBank::open(Kind::KeepsSuccesses, temper, Random::of(0))
}

fn orders_of(
    dir: &TempDir,
    bank: &SocketBank,
    note: &str,
    dies: Option<(Point, u32)>,
    spins: u32,
) -> Orders {
    let (dir, bank) = (dir.path().to_owned(), bank.url());
    Orders { dir, bank, note: note.into(), dies, spins }
}

/// A test run of one withdrawal, with its bank, its files and the planned kills.
pub struct Life {
    seed: u64,
    chance: Random,
    plan: Vec<Death>,
    dir: TempDir,
    bank: SocketBank,
}

#[derive(Debug)]
pub struct RunResult {
    deaths: Vec<Death>,
    pub payouts: usize,
    pub resends: u64,
    state: String,
}

/// The end of a run's first process, which ran under `strace`.
pub struct First {
    pub well: bool,
    /// The number of requests that the bank received from this process.
    pub heard: usize,
}

impl Life {
    /// Creates a run. The seed selects the first kill, so that consecutive seeds cover all kills in
    /// `deaths`. Further kills are random.
    fn of(seed: u64, deaths: &[Death]) -> Life {
        // Multiply by 37, so that consecutive seeds select different kinds of kills.
        Life::that_ends(seed, deaths[(seed as usize).wrapping_mul(37) % deaths.len()], deaths)
    }

    fn that_ends(seed: u64, first: Death, deaths: &[Death]) -> Life {
        let mut chance = Random::of(seed);
        let mut plan = vec![first];
        while plan.len() < 3 && chance.percent(45) {
            plan.push(chance.one_of(deaths));
        }
        let kind = chance.one_of(Kind::PROMPT);
        let silent = chance.one_of(&[0, 0, 30]);
        let temper = Behaviour { silent, lingers: Duration::ZERO, begins_badly: true };
        let bank = SocketBank::open(kind, temper, chance.clone());
        Life { seed, chance, plan, dir: place(), bank }
    }

    fn lead(mut self) -> RunResult {
        let mut died = Vec::new();
        for (n, death) in self.plan.clone().into_iter().enumerate() {
            let (answer, end) = self.process(n, Some(death));
            if !end.killed {
                self.came_to_its_end(answer, &end);
                break;
            }
            died.push(death);
            self.check();
        }
        self.end_in_peace(died)
    }

    /// Runs a last process that is not killed, and checks the withdrawal's final state.
    fn end_in_peace(mut self, deaths: Vec<Death>) -> RunResult {
        let (answer, end) = self.process(9, None);
        let answer = self.came_to_its_end(answer, &end);
        let payouts = self.check();
        self.is_true(&answer, payouts);
        let resends = self.bank.heard().len().saturating_sub(1) as u64;
        RunResult { deaths, payouts, resends, state: answer.state }
    }

    /// Creates a run in which no process is killed.
    pub fn whole(bank: SocketBank) -> Life {
        Life { seed: 0, chance: Random::of(0), plan: Vec::new(), dir: place(), bank }
    }

    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Returns the journal's directories, and all files that the journal may open in them.
    pub fn files(&self) -> Vec<PathBuf> {
        let (dir, beside) = (self.dir().join("journal"), place());
        let account = account(&self.bank.url(), "ana");
        let held = Files::new(beside.path()).hold_account(&account).expect("a lock");
        let lock = std::fs::read_dir(beside.path()).expect("a directory").next();
        let lock = lock.expect("the lock's file").expect("its name").file_name();
        drop(held);
        let names = ["money.db", "money.db-journal", "money.head", "money.head.new", "money.lock"];
        let mut files: Vec<PathBuf> = names.iter().map(|name| dir.join(name)).collect();
        files.extend([dir.join(lock), dir, self.dir().to_owned()]);
        files
    }

    /// Runs a first process under another program such as `strace`, then a second process without
    /// it. Returns the results of the first process and of the whole run.
    pub fn lead_behind(self, command: Command) -> (First, RunResult) {
        let orders = orders_of(&self.dir, &self.bank, "first", None, 0);
        let end = Process::start_behind(command, DRIVER, &orders).wait();
        self.bank.come_to_rest();
        self.check();
        let first = First { well: end.well, heard: self.bank.heard().len() };
        (first, self.end_in_peace(Vec::new()))
    }

    fn process(&mut self, n: usize, death: Option<Death>) -> (Option<Answer>, End) {
        let own = match death {
            Some(Death::Own(point, nth)) => Some((point, nth)),
            _ => None,
        };
        let spins = self.chance.below(20_000) as u32;
        let orders = orders_of(&self.dir, &self.bank, &format!("process {n}"), own, spins);
        let process = match death {
            Some(Death::Call(call, nth)) => {
                Process::start_behind(needs_tools::killing(call, nth), DRIVER, &orders)
            }
            _ => Process::start(DRIVER, &orders),
        };
        let process = Arc::new(process);
        self.bank.plan(match death {
            Some(Death::Bank(moment, nth)) => {
                let victims = HashMap::from([("the only".to_owned(), process.clone())]);
                Some(Plan { moment, nth, victims })
            }
            _ => None,
        });
        let answer = process.answer();
        let end = process.wait();
        self.bank.plan(None);
        self.bank.come_to_rest();
        (answer, end)
    }

    fn came_to_its_end(&self, answer: Option<Answer>, end: &End) -> Answer {
        match answer {
            Some(answer) if end.well => answer,
            _ => self.failed(&format!("killed: {}\n{}", end.killed, end.said)),
        }
    }

    /// Compares the bank's records with the journal after a process has ended. Returns the number
    /// of payouts.
    fn check(&self) -> usize {
        let wrong = self.bank.wrong(&["the only".to_owned()]);
        if !wrong.is_empty() {
            self.failed(&wrong.join("\n"));
        }
        let known = self.journal();
        let heard = self.bank.heard();
        let Some(known) = known else {
            if !heard.is_empty() {
                self.failed("the bank heard of a withdrawal that no journal knows");
            }
            return 0;
        };
        let key = known.agreement.key.to_string();
        if heard.iter().any(|heard| heard.key != key) {
            self.failed(&format!("{heard:?}, and the journal knows {key}"));
        }
        let counting = known.attempts.iter().filter(|attempt| attempt.counts()).count();
        if counting < heard.len() {
            self.failed(&format!("{} requests, and {counting} on disk", heard.len()));
        }
        self.bank.paid(known.agreement.key.0.as_u128())
    }

    /// Opens and verifies the journal. Returns the only withdrawal in it, if there is one.
    fn journal(&self) -> Option<Withdrawal> {
        let dir = self.dir.path().join("journal");
        // Open a copy, because the next process must find the files exactly as the killed process
        // left them.
        let copy = place();
        for name in ["money.db", "money.db-journal", "money.head", "money.head.new"] {
            let _ = std::fs::copy(dir.join(name), copy.path().join(name));
        }
        let opened = MoneyJournal::open(copy.path(), OsDisk, false);
        let mut journal = opened.unwrap_or_else(|trouble| self.failed(&trouble.to_string()));
        let verified = journal.verify();
        verified.unwrap_or_else(|trouble| self.failed(&trouble.to_string()));
        let page = journal.page(None, "", 0, 9).expect("it was verified");
        if page.rows.len() > 1 {
            self.failed(&format!("{} withdrawals of one wish", page.rows.len()));
        }
        page.rows.first().cloned()
    }

    fn is_true(&self, answer: &Answer, payouts: usize) {
        let true_of_it = match answer.state.as_str() {
            "accepted" => payouts == 1,
            "rejected" => payouts == 0,
            "needs-person" => payouts <= 1,
            _ => false,
        };
        if !true_of_it {
            self.failed(&format!("{} is {}, paid {payouts} times", answer.key, answer.state));
        }
    }

    fn failed(&self, what: &str) -> ! {
        let told = |death: &Death| match death {
            Death::Own(_, nth) | Death::Bank(_, nth) | Death::Call(_, nth) => {
                format!("{death} (time {nth})")
            }
        };
        let plan: Vec<String> = self.plan.iter().map(told).collect();
        panic!("BALCAO_SEED={}, killed {}: {what}", self.seed, plan.join(", then "));
    }
}
