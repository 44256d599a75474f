//! What is outside of the program: true time, the machine's clocks, the network and the bank.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use balcao::cashier::Clock;
use balcao::trade::{Clocks, Wall};

use crate::bank::{Bank, Fate, HOUR, Kind, MINUTE, Ms, SECOND};
use crate::chance::Chance;

/// 2026-11-21, when true time is 0.
const BEGINNING: i64 = 1_795_268_527_000;

/// How a life is: how much goes wrong in it, and what its machine is.
#[derive(Debug, Clone, Copy)]
pub struct Weather {
    /// How many sends of a hundred meet something else than an answer.
    pub faults: u64,
    /// How many steps of a hundred have a mishap of the disk before them.
    pub mishaps: u64,
    /// Whether the wall clock is set to something else now and then.
    pub jumps: bool,
    /// Whether the platform names its starts; if not, every process is a start of its own.
    pub names_boots: bool,
}

/// Everything outside of the program.
pub struct Outside {
    pub chance: Chance,
    pub weather: Weather,
    /// True time.
    pub now: Ms,
    wall_ahead: i64,
    booted: Ms,
    boots: u64,
    pub bank: Bank,
    /// Requests that are still under way when the client has given up.
    late: Vec<Late>,
    /// When the program first heard of a payment, by key.
    heard: Vec<(u128, Ms)>,
    /// Whether somebody's request is being waited for: one at a time.
    pub waiting: bool,
    /// What is told of this life, when somebody wants to read it.
    pub trace: Option<Vec<String>>,
    /// What must never happen, and did.
    pub violation: Option<Violation>,
    pub tally: Tally,
}

/// A request that reaches the bank after all.
struct Late {
    at: Ms,
    key: u128,
    body: Arc<str>,
    fate: Fate,
}

/// What must never happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Violation {
    /// One agreement was paid twice.
    PaidTwice,
    /// The seller wanted one payment, confirmed it anew in good faith, and it was paid twice.
    PaidAgain,
    /// The journal says something else than the ledger.
    Untrue,
    /// Two attempts of one account were in flight at once.
    TwoInFlight,
    /// An attempt left that is not on the disk.
    NotDurable,
    /// The journal took a crash for damage, or did not open after one.
    NoJournal,
    /// A withdrawal was open for ever.
    LeftOpen,
    /// Somebody got what the rules refuse.
    Allowed,
}

/// How often what happened, so that one can see that it did.
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
    /// By the name of the state in which a withdrawal was when time was over.
    pub ends: [u64; STATES.len()],
}

/// The states in which a withdrawal can be when time is over.
///
/// Two of them are neither decided nor called `needs-person`, and are no less an end. `prepared` is
/// one that was never sent: not a byte left, none leaves by itself, and who made it may discard it.
/// `mismatch` is for a person too: the service took another withdrawal than was agreed. Both are
/// decided afterwards by what the program offers there, which must work.
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
    pub fn new(kind: Kind, mut chance: Chance, traced: bool) -> Outside {
        let weather = Weather {
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

    /// Tells something of this life.
    pub fn say(&mut self, what: impl FnOnce() -> String) {
        if let Some(trace) = &mut self.trace {
            trace.push(format!("{:>10.1} s  {}", self.now as f64 / 1_000.0, what()));
        }
    }

    /// Something that must never happen; the first one counts.
    pub fn violated(&mut self, violation: Violation, what: impl FnOnce() -> String) {
        self.say(|| format!("VIOLATION {violation:?}: {}", what()));
        self.violation.get_or_insert(violation);
    }

    /// Time passes, and what was late arrives.
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

    /// Lets a request reach the bank later than its client waits.
    pub fn delay(&mut self, after: Ms, key: u128, body: Arc<str>, fate: Fate) {
        let at = self.now + self.bank.kind.latest(after);
        self.late.push(Late { at, key, body, fate });
    }

    /// The program hears that this key was paid.
    pub fn hear_paid(&mut self, key: u128) {
        if self.heard_paid(key).is_none() {
            self.heard.push((key, self.now));
        }
    }

    /// When the program first heard that this key was paid.
    pub fn heard_paid(&self, key: u128) -> Option<Ms> {
        self.heard.iter().find(|(heard, _)| *heard == key).map(|(_, at)| *at)
    }

    /// Whether a payment of this key may still come.
    pub fn is_outstanding(&self, key: u128) -> bool {
        let late = self.late.iter().any(|late| late.key == key);
        late || self.bank.paid(key) > self.bank.paid_by(key, self.now)
    }

    /// Somebody sets the wall clock.
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

    /// The machine starts again.
    pub fn reboot(&mut self) {
        self.tally.reboots += 1;
        self.pass(20 * SECOND);
        self.booted = self.now;
        self.boots += 1;
        self.say(|| "the machine was started again".into());
    }

    /// The wall clock.
    pub fn wall(&self) -> Wall {
        Wall(BEGINNING + self.wall_ahead + self.now as i64)
    }
}

/// The clocks as a process reads them.
#[derive(Clone)]
pub struct ProcessClocks {
    outside: Rc<RefCell<Outside>>,
    /// Where the platform does not name its starts: since when this process runs, and its number.
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

/// A wall clock's reading as a server writes it in its `Date`.
pub fn http_date(wall: Wall) -> String {
    let at = jiff::Timestamp::from_millisecond(wall.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    at.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}
