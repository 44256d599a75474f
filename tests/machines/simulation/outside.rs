//! The simulated world outside the app: the true time, the machine's clocks, the network and the
//! bank.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use balcao::cashier::Clock;
use balcao::trade::{Clocks, Wall};

use crate::bank::{Bank, Fate, HOUR, Kind, MINUTE, Ms, SECOND};
use crate::chance::Random;

/// The wall clock at the start of the simulation (2026-11-21), in milliseconds.
const BEGINNING: i64 = 1_795_268_527_000;

/// The conditions of a run: how often faults happen, and what the machine is like.
#[derive(Debug, Clone, Copy)]
pub struct Conditions {
    /// The percentage of sends to which a fault happens.
    pub faults: u64,
    /// The percentage of simulation steps for which a disk failure is planned.
    pub mishaps: u64,
    /// True if the wall clock is sometimes set to a wrong time.
    pub jumps: bool,
    /// True if the machine has a boot id. Without it, each start of the app counts as a boot.
    pub names_boots: bool,
}

/// The state of the simulated world outside the app.
pub struct Outside {
    pub chance: Random,
    pub weather: Conditions,
    /// The true time. The machine's clocks may show another time.
    pub now: Ms,
    wall_ahead: i64,
    booted: Ms,
    boots: u64,
    pub bank: Bank,
    /// Delayed requests, which will reach the bank after their client has given up.
    late: Vec<Late>,
    /// The keys of paid withdrawals, each with the time at which the app first learned of the
    /// payment.
    heard: Vec<(u128, Ms)>,
    /// True while a request is in flight. A second request at the same time violates a rule.
    pub waiting: bool,
    /// The log of the run, if the test asked for one.
    pub trace: Option<Vec<String>>,
    /// The first violation of a rule in this run, if any.
    pub violation: Option<Violation>,
    pub tally: Tally,
}

/// A delayed request, which will reach the bank after its client has given up.
struct Late {
    at: Ms,
    key: u128,
    body: Arc<str>,
    fate: Fate,
}

/// An event that must never happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Violation {
    /// A single withdrawal was paid twice.
    PaidTwice,
    /// The seller wanted only one payment, and made a second withdrawal because the first seemed
    /// not to be paid. Both were paid.
    PaidAgain,
    /// The withdrawal's state in the journal contradicts the bank's ledger.
    Untrue,
    /// Two attempts of an account were in flight at the same time.
    TwoInFlight,
    /// An attempt was sent before it was durable on disk.
    NotDurable,
    /// After a crash, the journal could not be opened or was reported as damaged.
    NoJournal,
    /// At the end, a withdrawal was undecided and could not be decided.
    LeftOpen,
    /// The app allowed an action that the rules forbid.
    Allowed,
}

/// How often each kind of event happened. The tests check that every kind did happen.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    pub sends: u64,
    pub resends: u64,
    pub faults: u64,
    pub refused: u64,
    pub mishaps: u64,
    pub deaths: u64,
    pub unrecorded: u64,
    pub reboots: u64,
    pub payouts: u64,
    /// For each state of [`STATES`], the number of withdrawals that ended in it.
    pub ends: [u64; STATES.len()],
}

/// The states that a withdrawal may have at the end of a run.
///
/// The undecided states `prepared` and `mismatch` are acceptable too. A `prepared` withdrawal was
/// never sent and is not sent by itself. A `mismatch` waits for a person, because the service
/// accepted terms that differ from the confirmed terms. The test then decides such withdrawals with
/// the actions that the app offers, which must work.
pub const STATES: [&str; 8] = [
    "prepared",
    "accepted",
    "rejected",
    "discarded",
    "needs-person",
    "mismatch",
    "resolved-paid",
    "resolved-not-paid",
];

impl Tally {
    pub fn add(&mut self, other: &Tally) {
        self.sends += other.sends;
        self.resends += other.resends;
        self.faults += other.faults;
        self.refused += other.refused;
        self.mishaps += other.mishaps;
        self.deaths += other.deaths;
        self.unrecorded += other.unrecorded;
        self.reboots += other.reboots;
        self.payouts += other.payouts;
        self.ends.iter_mut().zip(other.ends).for_each(|(all, one)| *all += one);
    }

    pub fn ended(&mut self, state: &str) {
        if let Some(at) = STATES.iter().position(|name| *name == state) {
            self.ends[at] += 1;
        }
    }
}

impl Outside {
    pub fn new(kind: Kind, mut chance: Random, traced: bool) -> Outside {
        let weather = Conditions {
            faults: chance.one_of(&[10, 50, 80]),
            mishaps: chance.one_of(&[0, 5, 25]),
            jumps: chance.percent(30),
            names_boots: chance.percent(85),
        };
        let mut outside = Outside {
            chance,
            weather,
            now: 0,
            wall_ahead: 0,
            booted: 0,
            boots: 0,
            bank: Bank::new(kind),
            late: Vec::new(),
            heard: Vec::new(),
            waiting: false,
            trace: traced.then(Vec::new),
            violation: None,
            tally: Tally::default(),
        };
        outside.say(|| format!("a bank that is {kind:?}, {weather:?}"));
        outside
    }

    /// Adds a line of text to the run's log.
    pub fn say(&mut self, what: impl FnOnce() -> String) {
        if let Some(trace) = &mut self.trace {
            trace.push(format!("{:>10.1} s  {}", self.now as f64 / 1_000.0, what()));
        }
    }

    /// Records the violation of a rule. Only the first violation is kept.
    pub fn violated(&mut self, violation: Violation, what: impl FnOnce() -> String) {
        self.say(|| format!("VIOLATION {violation:?}: {}", what()));
        self.violation.get_or_insert(violation);
    }

    /// Advances the true time. Delayed requests that become due then reach the bank.
    pub fn pass(&mut self, span: Ms) {
        let then = self.now + span;
        while let Some(next) = self.next_late(then) {
            self.now = next.at.max(self.now);
            let status = self.bank.take(next.key, &next.body, self.now, next.fate, 0);
            self.say(|| format!("bank: a late request of {}: {status}", next.key));
        }
        self.now = then;
    }

    fn next_late(&mut self, until: Ms) -> Option<Late> {
        let due = |(_, late): &(usize, &Late)| late.at <= until;
        let next = self.late.iter().enumerate().filter(due).min_by_key(|(_, late)| late.at)?.0;
        Some(self.late.remove(next))
    }

    /// Schedules a request that will reach the bank after its client has given up.
    pub fn delay(&mut self, after: Ms, key: u128, body: Arc<str>, fate: Fate) {
        let at = self.now + self.bank.kind.latest(after);
        self.late.push(Late { at, key, body, fate });
    }

    /// Records that the app learns now that this key was paid.
    pub fn hear_paid(&mut self, key: u128) {
        if self.heard_paid(key).is_none() {
            self.heard.push((key, self.now));
        }
    }

    /// Returns the time at which the app first learned that this key was paid.
    pub fn heard_paid(&self, key: u128) -> Option<Ms> {
        self.heard.iter().find(|(heard, _)| *heard == key).map(|(_, at)| *at)
    }

    /// Returns true if the bank may still pay this key, now or later.
    pub fn is_outstanding(&self, key: u128) -> bool {
        let late = self.late.iter().any(|late| late.key == key);
        late || self.bank.paid(key) > self.bank.paid_by(key, self.now)
    }

    /// Sets the machine's wall clock to a random wrong time.
    pub fn set_clock(&mut self) {
        let span = self.chance.one_of(&[
            SECOND,
            MINUTE,
            8 * MINUTE,
            HOUR,
            25 * HOUR,
            365 * 24 * HOUR,
            50 * 365 * 24 * HOUR,
        ]) as i64;
        let ahead = if self.chance.percent(50) { span } else { -span };
        self.wall_ahead = ahead;
        self.say(|| format!("the wall clock is set {} s off", ahead / 1_000));
    }

    /// Restarts the simulated machine.
    pub fn reboot(&mut self) {
        self.tally.reboots += 1;
        self.pass(20 * SECOND);
        self.booted = self.now;
        self.boots += 1;
        self.say(|| "the machine was started again".into());
    }

    pub fn wall(&self) -> Wall {
        Wall(BEGINNING + self.wall_ahead + self.now as i64)
    }
}

/// The simulated clocks of one process of the app.
#[derive(Clone)]
pub struct ProcessClocks {
    outside: Rc<RefCell<Outside>>,
    /// The start time and the number of this process. Used only if the machine has no boot id.
    own: Option<(Ms, u64)>,
}

impl ProcessClocks {
    pub fn start(outside: &Rc<RefCell<Outside>>, process: u64) -> ProcessClocks {
        let now = outside.borrow().now;
        let own = (!outside.borrow().weather.names_boots).then_some((now, process));
        ProcessClocks { outside: outside.clone(), own }
    }
}

impl Clock for ProcessClocks {
    fn now(&self) -> Clocks {
        let outside = self.outside.borrow();
        let (since, boot) = match self.own {
            Some((since, process)) => (since, format!("process {process}")),
            None => (outside.booted, format!("boot {}", outside.boots)),
        };
        Clocks { wall: outside.wall(), boot_ms: outside.now - since, boot_id: boot.into() }
    }
}

pub fn http_date(wall: Wall) -> String {
    let at = jiff::Timestamp::from_millisecond(wall.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    at.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}
