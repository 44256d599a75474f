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

use balcao::journal::money::{Files, MoneyJournal, Storage};
use balcao::trade::Withdrawal;
use tempfile::TempDir;

use self::driver::{Answer, Orders, run_driver};
use crate::bank::BankKind;
use crate::chance::Random;
use crate::death::KillPoint;
use crate::effort::{
    Effort, format_thousands, print_figure, print_line, run_in_parallel, seed_from_env,
};
use crate::process::{Process, ProcessEnd, read_orders};
use crate::samples::{account, temp_dir};
use crate::socket_bank::{Behaviour, Moment, Plan, SocketBank};

const THREADS: usize = 2;

/// The test function that each child process runs.
const DRIVER: &str = "kill_9::a_process_that_is_killed";

/// Returns the number of runs to complete. Only runs with at least one killed process count.
fn run_count() -> u64 {
    match Effort::from_env() {
        Effort::Small => 24,
        Effort::Usual => 1_000,
        Effort::Long => 10_000,
    }
}

/// A planned kill. It happens when a process reaches the point for the nth time (counted from 1).
///
/// The process kills itself (`Own`), the bank kills it during a request (`Bank`), or `strace` kills
/// it (`Call`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kill {
    Own(KillPoint, u32),
    Bank(Moment, u32),
    /// `strace` kills the process when it enters this system call.
    Call(&'static str, u32),
}

impl std::fmt::Display for Kill {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Kill::Own(point, _) => write!(f, "{point}"),
            Kill::Bank(moment, _) => write!(f, "bank: {moment:?}"),
            Kill::Call(call, _) => write!(f, "call: {call}"),
        }
    }
}

/// The entry point of the child process. Does nothing in an ordinary test run, because a parent
/// process gave no orders.
#[test]
fn a_process_that_is_killed() {
    if let Some(orders) = read_orders::<Orders>() {
        run_driver(&orders);
    }
}

#[test]
fn no_kill_makes_a_withdrawal_leave_twice() {
    let kills = all_kills();
    if let Some(seed) = seed_from_env() {
        print_line(&format!("{:?}", Life::of(seed, &kills).run()));
        return;
    }
    let tally = Mutex::new(Tally::default());
    let is_needed = |_: &u64| tally.lock().expect("no panic").killed_lives < run_count();
    run_in_parallel(THREADS, (0..).take_while(is_needed), |seed| {
        let result = Life::of(seed, &kills).run();
        tally.lock().expect("no panic").add(&result);
    });
    let tally = tally.into_inner().expect("no panic");
    print_line(&format!("kills at {} points: {tally:#?}", kills.len()));
    print_figure(&format!(
        "{} lives over {} points",
        format_thousands(run_count()),
        kills.len()
    ));
    assert!(tally.payouts > 0 && tally.resends > 0, "{tally:?}");
    if run_count() >= 2 * kills.len() as u64 {
        for kill in &kills {
            let name = kill.to_string();
            assert!(tally.kills.contains_key(&name), "nobody died {name}");
        }
    }
}

/// The totals of all runs in which a process was killed.
#[derive(Debug, Default)]
struct Tally {
    killed_lives: u64,
    kills: BTreeMap<String, u64>,
    payouts: u64,
    resends: u64,
    ends: BTreeMap<String, u64>,
}

impl Tally {
    fn add(&mut self, result: &RunResult) {
        self.killed_lives += u64::from(!result.kills.is_empty());
        for kill in &result.kills {
            *self.kills.entry(kill.to_string()).or_default() += 1;
        }
        self.payouts += result.payouts as u64;
        self.resends += result.resends;
        *self.ends.entry(result.state.clone()).or_default() += 1;
    }
}

/// Returns all kills to test. If a run without kills reaches a point twice, there are two kills at
/// this point.
fn all_kills() -> Vec<Kill> {
    let behaviour = Behaviour {
        silent_percent: 0,
        reply_delay: Duration::ZERO,
        first_reply_fails: true,
    };
    // Find a seed with which the bank's first reply fails and its second request is paid. The run
    // then contains a resend.
    let seeds = || (0..).map(Random::from_seed);
    let answer = seeds().find_map(|random| {
        let dir = temp_dir();
        let bank = SocketBank::open(BankKind::KeepsSuccesses, behaviour, random);
        let process = Process::start(DRIVER, &build_orders(&dir, &bank, "first", None, 0));
        let answer: Option<Answer> = process.read_answer();
        let end = process.wait();
        let answer = answer.filter(|_| end.succeeded).expect(&end.output);
        (bank.requests().len() == 2 && answer.state == "accepted").then_some(answer)
    });
    let mut visits = answer.expect("one of many").passed;
    visits.sort_by_key(|(point, _)| format!("{point:?}"));
    let own_kills = |(point, times): &(KillPoint, u32)| {
        let point = *point;
        (1..=*times)
            .map(move |nth| Kill::Own(point, nth))
            .collect::<Vec<_>>()
    };
    let mut kills: Vec<Kill> = visits.iter().flat_map(own_kills).collect();
    let bank_kills = |moment: &Moment| [Kill::Bank(*moment, 1), Kill::Bank(*moment, 2)];
    kills.extend(Moment::ALL.iter().flat_map(bank_kills));
    kills
}

/// Starts a bank that always behaves the same. Its first reply is missing or an error, so each run
/// sends several requests.
pub fn steady_bank() -> SocketBank {
    let behaviour = Behaviour {
        silent_percent: 0,
        reply_delay: Duration::ZERO,
        first_reply_fails: true,
    };
    SocketBank::open(BankKind::KeepsSuccesses, behaviour, Random::from_seed(0))
}

fn build_orders(
    dir: &TempDir,
    bank: &SocketBank,
    note: &str,
    dies: Option<(KillPoint, u32)>,
    spins: u32,
) -> Orders {
    let dir = dir.path().to_owned();
    let bank = bank.url();
    Orders {
        dir,
        bank,
        note: note.into(),
        dies,
        spins,
    }
}

/// A test run of one withdrawal, with its bank, its files and the planned kills.
pub struct Life {
    seed: u64,
    random: Random,
    plan: Vec<Kill>,
    dir: TempDir,
    bank: SocketBank,
}

#[derive(Debug)]
pub struct RunResult {
    kills: Vec<Kill>,
    pub payouts: usize,
    pub resends: u64,
    state: String,
}

/// The result of a run's first process, which ran under `strace`.
pub struct FirstProcess {
    pub succeeded: bool,
    /// The number of requests that the bank received from this process.
    pub request_count: usize,
}

impl Life {
    /// Creates a run. The seed selects the first kill, so that consecutive seeds cover all kills in
    /// `kills`. Further kills are random.
    fn of(seed: u64, kills: &[Kill]) -> Life {
        // Multiply by 37, so that consecutive seeds select different kinds of kills.
        Life::with_first_kill(
            seed,
            kills[(seed as usize).wrapping_mul(37) % kills.len()],
            kills,
        )
    }

    fn with_first_kill(seed: u64, first: Kill, kills: &[Kill]) -> Life {
        let mut random = Random::from_seed(seed);
        let mut plan = vec![first];
        while plan.len() < 3 && random.percent_chance(45) {
            plan.push(random.one_of(kills));
        }
        let kind = random.one_of(BankKind::REMEMBERS_ON_ARRIVAL);
        let silent_percent = random.one_of(&[0, 0, 30]);
        let behaviour = Behaviour {
            silent_percent,
            reply_delay: Duration::ZERO,
            first_reply_fails: true,
        };
        let bank = SocketBank::open(kind, behaviour, random.clone());
        Life {
            seed,
            random,
            plan,
            dir: temp_dir(),
            bank,
        }
    }

    fn run(mut self) -> RunResult {
        let mut kills = Vec::new();
        for (n, kill) in self.plan.clone().into_iter().enumerate() {
            let (answer, end) = self.run_process(n, Some(kill));
            if !end.killed {
                self.expect_answer(answer, &end);
                break;
            }
            kills.push(kill);
            self.check();
        }
        self.run_to_the_end(kills)
    }

    /// Runs a last process that is not killed, and checks the withdrawal's final state.
    fn run_to_the_end(mut self, kills: Vec<Kill>) -> RunResult {
        let (answer, end) = self.run_process(9, None);
        let answer = self.expect_answer(answer, &end);
        let payouts = self.check();
        self.check_state(&answer, payouts);
        let resends = self.bank.requests().len().saturating_sub(1) as u64;
        RunResult {
            kills,
            payouts,
            resends,
            state: answer.state,
        }
    }

    /// Creates a run in which no process is killed.
    pub fn without_kills(bank: SocketBank) -> Life {
        Life {
            seed: 0,
            random: Random::from_seed(0),
            plan: Vec::new(),
            dir: temp_dir(),
            bank,
        }
    }

    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Returns the journal's directories, and all files that the journal may open in them.
    pub fn files(&self) -> Vec<PathBuf> {
        let dir = self.dir().join("journal");
        let other_dir = temp_dir();
        let account = account(&self.bank.url(), "ana");
        let guard = Files::new(other_dir.path())
            .lock_account(&account)
            .expect("a lock");
        let lock_file = std::fs::read_dir(other_dir.path())
            .expect("a directory")
            .next();
        let lock_file = lock_file
            .expect("the lock's file")
            .expect("its name")
            .file_name();
        drop(guard);
        let names = [
            "money.db",
            "money.db-journal",
            "money.head",
            "money.head.new",
            "money.lock",
            "money.team",
        ];
        let mut files: Vec<PathBuf> = names.iter().map(|name| dir.join(name)).collect();
        files.extend([dir.join(lock_file), dir, self.dir().to_owned()]);
        files
    }

    /// Runs a first process under another program such as `strace`, then a second process without
    /// it. Returns the results of the first process and of the whole run.
    pub fn run_under(self, command: Command) -> (FirstProcess, RunResult) {
        let orders = build_orders(&self.dir, &self.bank, "first", None, 0);
        let end = Process::start_under(command, DRIVER, &orders).wait();
        self.bank.wait_until_idle();
        self.check();
        let requests = self.bank.requests().len();
        let first = FirstProcess {
            succeeded: end.succeeded,
            request_count: requests,
        };
        (first, self.run_to_the_end(Vec::new()))
    }

    fn run_process(&mut self, n: usize, kill: Option<Kill>) -> (Option<Answer>, ProcessEnd) {
        let own_kill = match kill {
            Some(Kill::Own(point, nth)) => Some((point, nth)),
            _ => None,
        };
        let spins = self.random.below(20_000) as u32;
        let orders = build_orders(
            &self.dir,
            &self.bank,
            &format!("process {n}"),
            own_kill,
            spins,
        );
        let process = match kill {
            Some(Kill::Call(call, nth)) => {
                Process::start_under(needs_tools::strace_that_kills(call, nth), DRIVER, &orders)
            }
            _ => Process::start(DRIVER, &orders),
        };
        let process = Arc::new(process);
        self.bank.plan(match kill {
            Some(Kill::Bank(moment, nth)) => {
                let victims = HashMap::from([("the only".to_owned(), process.clone())]);
                Some(Plan {
                    moment,
                    nth,
                    victims,
                })
            }
            _ => None,
        });
        let answer = process.read_answer();
        let end = process.wait();
        self.bank.plan(None);
        self.bank.wait_until_idle();
        (answer, end)
    }

    fn expect_answer(&self, answer: Option<Answer>, end: &ProcessEnd) -> Answer {
        match answer {
            Some(answer) if end.succeeded => answer,
            _ => self.fail(&format!("killed: {}\n{}", end.killed, end.output)),
        }
    }

    /// Compares the bank's records with the journal after a process has ended. Returns the number
    /// of payouts.
    fn check(&self) -> usize {
        let violations = self.bank.violations(&["the only".to_owned()]);
        if !violations.is_empty() {
            self.fail(&violations.join("\n"));
        }
        let withdrawal = self.journal();
        let requests = self.bank.requests();
        let Some(withdrawal) = withdrawal else {
            if !requests.is_empty() {
                self.fail("the bank heard of a withdrawal that no journal knows");
            }
            return 0;
        };
        let key = withdrawal.agreement.key.to_string();
        if requests.iter().any(|request| request.key != key) {
            self.fail(&format!("{requests:?}, and the journal knows {key}"));
        }
        let counting = withdrawal
            .attempts
            .iter()
            .filter(|attempt| attempt.may_have_been_sent())
            .count();
        if counting < requests.len() {
            self.fail(&format!(
                "{} requests, and {counting} on disk",
                requests.len()
            ));
        }
        self.bank.payout_count(withdrawal.agreement.key.0.as_u128())
    }

    /// Opens and verifies the journal. Returns the only withdrawal in it, if there is one.
    fn journal(&self) -> Option<Withdrawal> {
        let dir = self.dir.path().join("journal");
        // Open a copy, because the next process must find the files exactly as the killed process
        // left them.
        let copy = temp_dir();
        for name in [
            "money.db",
            "money.db-journal",
            "money.head",
            "money.head.new",
        ] {
            let _ = std::fs::copy(dir.join(name), copy.path().join(name));
        }
        let journal = MoneyJournal::open(Files::new(copy.path()), false);
        let mut journal = journal.unwrap_or_else(|trouble| self.fail(&trouble.to_string()));
        let result = journal.verify();
        result.unwrap_or_else(|trouble| self.fail(&trouble.to_string()));
        let page = journal.page(None, "", 0, 9).expect("it was verified");
        if page.rows.len() > 1 {
            self.fail(&format!("{} withdrawals of one wish", page.rows.len()));
        }
        page.rows.first().cloned()
    }

    fn check_state(&self, answer: &Answer, payouts: usize) {
        let is_consistent = match answer.state.as_str() {
            "accepted" => payouts == 1,
            "rejected" => payouts == 0,
            "needs-person" => payouts <= 1,
            _ => false,
        };
        if !is_consistent {
            self.fail(&format!(
                "{} is {}, paid {payouts} times",
                answer.key, answer.state
            ));
        }
    }

    fn fail(&self, what: &str) -> ! {
        let describe = |kill: &Kill| match kill {
            Kill::Own(_, nth) | Kill::Bank(_, nth) | Kill::Call(_, nth) => {
                format!("{kill} (time {nth})")
            }
        };
        let plan: Vec<String> = self.plan.iter().map(describe).collect();
        panic!(
            "BALCAO_SEED={}, killed {}: {what}",
            self.seed,
            plan.join(", then ")
        );
    }
}
