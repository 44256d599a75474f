//! kill -9: the program is killed at every point of a withdrawal's way, and started again.
//!
//! A process has the production cashier, wire and journal, on real files and a real socket. It is
//! killed before, during and after each durable step, between the steps of the cashier, and by the
//! bank in each moment of a request; then it is started again, up to three times more, and sends
//! by order until the withdrawal is decided. Afterwards the bank's ledger is held against the
//! journal, and what it heard of a key against what it heard of that key before.

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
use crate::chance::Chance;
use crate::death::Point;
use crate::effort::{Effort, each, grouped, promised, say, seed};
use crate::paper::{account, place};
use crate::process::{End, Process, orders};
use crate::socket_bank::{Moment, Plan, SocketBank, Temper};

const THREADS: usize = 2;

/// The test that is the process.
const DRIVER: &str = "kill_9::a_process_that_is_killed";

/// In how many lives something is killed.
fn wanted() -> u64 {
    match Effort::wanted() {
        Effort::Small => 24,
        Effort::Usual => 1_000,
        Effort::Long => 10_000,
    }
}

/// Where somebody is killed: by their own hand, or by the bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Death {
    Own(Point, u32),
    Bank(Moment, u32),
    /// At the entrance of a system call, for the how manieth time.
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

/// Runs in a process of its own, when it is started with orders.
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

/// What came of the lives.
#[derive(Debug, Default)]
struct Tally {
    lives_cut_short: u64,
    kills: BTreeMap<String, u64>,
    payouts: u64,
    resends: u64,
    ends: BTreeMap<String, u64>,
}

impl Tally {
    fn add(&mut self, led: &Led) {
        self.lives_cut_short += u64::from(!led.deaths.is_empty());
        for death in &led.deaths {
            *self.kills.entry(death.to_string()).or_default() += 1;
        }
        self.payouts += led.payouts as u64;
        self.resends += led.resends;
        *self.ends.entry(led.state.clone()).or_default() += 1;
    }
}

/// Every point of a life that nobody ends, as often as it comes: the deaths there are.
fn deaths() -> Vec<Death> {
    let quiet = Temper { silent: 0, lingers: Duration::ZERO, begins_badly: true };
    // The first request fails and the second is paid: one more attempt, by order.
    let seeds = || (0..).map(Chance::of);
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

/// A bank whose first reply is none, so that a life has several requests, and every one the same.
pub fn steady_bank() -> SocketBank {
    let temper = Temper { silent: 0, lingers: Duration::ZERO, begins_badly: true };
    SocketBank::open(Kind::KeepsSuccesses, temper, Chance::of(0))
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

/// One life: whose it is, and how it will be cut short.
pub struct Life {
    seed: u64,
    chance: Chance,
    plan: Vec<Death>,
    dir: TempDir,
    bank: SocketBank,
}

/// How a life was.
#[derive(Debug)]
pub struct Led {
    deaths: Vec<Death>,
    pub payouts: usize,
    pub resends: u64,
    state: String,
}

/// How a process ended that another program did harm to.
pub struct First {
    /// Whether it came to a good end.
    pub well: bool,
    /// How many requests the bank heard of it.
    pub heard: usize,
}

impl Life {
    /// The first death goes through all there are, evenly; the others are by chance.
    fn of(seed: u64, deaths: &[Death]) -> Life {
        // Small numbers take a stride, so that a few lives already see all kinds of points.
        Life::that_ends(seed, deaths[(seed as usize).wrapping_mul(37) % deaths.len()], deaths)
    }

    fn that_ends(seed: u64, first: Death, deaths: &[Death]) -> Life {
        let mut chance = Chance::of(seed);
        let mut plan = vec![first];
        while plan.len() < 3 && chance.percent(45) {
            plan.push(chance.one_of(deaths));
        }
        let kind = chance.one_of(Kind::PROMPT);
        let silent = chance.one_of(&[0, 0, 30]);
        let temper = Temper { silent, lingers: Duration::ZERO, begins_badly: true };
        let bank = SocketBank::open(kind, temper, chance.clone());
        Life { seed, chance, plan, dir: place(), bank }
    }

    fn lead(mut self) -> Led {
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

    /// One more process, which nobody ends.
    fn end_in_peace(mut self, deaths: Vec<Death>) -> Led {
        let (answer, end) = self.process(9, None);
        let answer = self.came_to_its_end(answer, &end);
        let payouts = self.check();
        self.is_true(&answer, payouts);
        let resends = self.bank.heard().len().saturating_sub(1) as u64;
        Led { deaths, payouts, resends, state: answer.state }
    }

    /// One that nobody kills.
    pub fn whole(bank: SocketBank) -> Life {
        Life { seed: 0, chance: Chance::of(0), plan: Vec::new(), dir: place(), bank }
    }

    /// Where its files are.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Every file that the journal may open there, and the directories.
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

    /// A process behind another program, which may do it harm, and one in peace; how the first
    /// ended, and how all was.
    pub fn lead_behind(self, command: Command) -> (First, Led) {
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

    /// What must hold after every death; how often was paid.
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

    /// The journal opens, verifies, and holds one withdrawal at most.
    fn journal(&self) -> Option<Withdrawal> {
        let dir = self.dir.path().join("journal");
        // Looked at in a copy: the next process must meet what the dead one left.
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
