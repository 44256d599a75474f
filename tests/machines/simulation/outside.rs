//! The simulated world outside the app: the true time, the machine's clocks, the network and the
//! bank.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use balcao::cashier::Clock;
use balcao::trade::{Clocks, Exchange, Wall};

use crate::bank::{Bank, BankKind, Fate, HOUR, MINUTE, Ms, SECOND};
use crate::chance::Random;

/// The wall clock at the start of the simulation (2026-11-21), in milliseconds.
const START_WALL_MS: i64 = 1_795_268_527_000;

/// The number of exchanges that are kept.
const MAX_KEPT: usize = 8;

/// The conditions of a run: how often faults happen, and what the machine is like.
#[derive(Debug, Clone, Copy)]
pub struct Conditions {
    /// The percentage of sends to which a fault happens.
    pub faults: u64,
    /// The percentage of simulation steps for which a disk failure is planned.
    pub disk_failures: u64,
    /// True if the wall clock is sometimes set to a wrong time.
    pub clock_jumps: bool,
    /// True if the machine has a boot id. Without it, each start of the app counts as a boot.
    pub has_boot_id: bool,
}

/// How the bank writes a reply with a success status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplyStyle {
    /// With names that the built-in contract reads.
    Known,
    /// With other names, which the seller has to teach. A refusal may have a success status, too.
    Foreign,
    /// Without a body.
    Empty,
}

impl ReplyStyle {
    /// Returns the style of a run with this seed.
    pub fn of_seed(seed: u64) -> ReplyStyle {
        match seed % 20 {
            0..15 => ReplyStyle::Known,
            15..19 => ReplyStyle::Foreign,
            _ => ReplyStyle::Empty,
        }
    }
}

/// The state of the simulated world outside the app.
pub struct Environment {
    pub random: Random,
    pub conditions: Conditions,
    pub style: ReplyStyle,
    /// The newest exchanges with a whole reply, from which the seller can teach. They are kept only
    /// if the style of the replies is not known.
    pub kept: Vec<Arc<Exchange>>,
    /// The number of requests that the bank or a gateway has given an id.
    pub requests: u64,
    /// The true time. The machine's clocks may show another time.
    pub now: Ms,
    wall_ahead: i64,
    boot_time: Ms,
    boot_count: u64,
    pub bank: Bank,
    /// Delayed requests, which will reach the bank after their client has given up.
    delayed: Vec<DelayedRequest>,
    /// The keys of paid withdrawals, each with the time at which the app learned of the payment.
    payments_seen: Vec<(u128, Ms)>,
    /// True while a request is in flight. A second request at the same time violates a rule.
    pub is_in_flight: bool,
    /// The log of the run, if the test asked for one.
    pub trace: Option<Vec<String>>,
    /// The first violation of a rule in this run, if any.
    pub violation: Option<Violation>,
    pub tally: Tally,
}

/// A delayed request, which will reach the bank after its client has given up.
struct DelayedRequest {
    arrives_at: Ms,
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
    pub disk_failures: u64,
    pub deaths: u64,
    pub unrecorded: u64,
    pub reboots: u64,
    pub payouts: u64,
    pub lessons: u64,
    pub refused_lessons: u64,
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
        self.disk_failures += other.disk_failures;
        self.deaths += other.deaths;
        self.unrecorded += other.unrecorded;
        self.reboots += other.reboots;
        self.payouts += other.payouts;
        self.lessons += other.lessons;
        self.refused_lessons += other.refused_lessons;
        self.ends
            .iter_mut()
            .zip(other.ends)
            .for_each(|(total, count)| *total += count);
    }

    pub fn count_end(&mut self, state: &str) {
        if let Some(index) = STATES.iter().position(|name| *name == state) {
            self.ends[index] += 1;
        }
    }
}

impl Environment {
    pub fn new(
        kind: BankKind,
        style: ReplyStyle,
        mut random: Random,
        with_trace: bool,
    ) -> Environment {
        let conditions = Conditions {
            faults: random.one_of(&[10, 50, 80]),
            disk_failures: random.one_of(&[0, 5, 25]),
            clock_jumps: random.percent_chance(30),
            has_boot_id: random.percent_chance(85),
        };
        let mut environment = Environment {
            random,
            conditions,
            style,
            kept: Vec::new(),
            requests: 0,
            now: 0,
            wall_ahead: 0,
            boot_time: 0,
            boot_count: 0,
            bank: Bank::new(kind),
            delayed: Vec::new(),
            payments_seen: Vec::new(),
            is_in_flight: false,
            trace: with_trace.then(Vec::new),
            violation: None,
            tally: Tally::default(),
        };
        environment.log(|| format!("a bank that is {kind:?}, {style:?}, {conditions:?}"));
        environment
    }

    /// Keeps an exchange, from which the seller can teach.
    pub fn keep(&mut self, exchange: Exchange) {
        self.kept.push(Arc::new(exchange));
        if self.kept.len() > MAX_KEPT {
            self.kept.remove(0);
        }
    }

    /// Adds a line of text to the run's log.
    pub fn log(&mut self, what: impl FnOnce() -> String) {
        if let Some(trace) = &mut self.trace {
            trace.push(format!("{:>10.1} s  {}", self.now as f64 / 1_000.0, what()));
        }
    }

    /// Records the violation of a rule. Only the first violation is kept.
    pub fn report_violation(&mut self, violation: Violation, what: impl FnOnce() -> String) {
        self.log(|| format!("VIOLATION {violation:?}: {}", what()));
        self.violation.get_or_insert(violation);
    }

    /// Advances the true time. Delayed requests that become due then reach the bank.
    pub fn advance(&mut self, duration: Ms) {
        let end = self.now + duration;
        while let Some(next) = self.next_delayed(end) {
            self.now = next.arrives_at.max(self.now);
            let status = self
                .bank
                .handle_request(next.key, &next.body, self.now, next.fate, 0);
            self.log(|| format!("bank: a late request of {}: {status}", next.key));
        }
        self.now = end;
    }

    fn next_delayed(&mut self, until: Ms) -> Option<DelayedRequest> {
        let is_due = |(_, delayed): &(usize, &DelayedRequest)| delayed.arrives_at <= until;
        let next = self
            .delayed
            .iter()
            .enumerate()
            .filter(is_due)
            .min_by_key(|(_, delayed)| delayed.arrives_at)?
            .0;
        Some(self.delayed.remove(next))
    }

    /// Schedules a request that will reach the bank after its client has given up.
    pub fn delay_request(&mut self, delay: Ms, key: u128, body: Arc<str>, fate: Fate) {
        let arrives_at = self.now + self.bank.kind.limit_delay(delay);
        self.delayed.push(DelayedRequest {
            arrives_at,
            key,
            body,
            fate,
        });
    }

    /// Records that the app learns now that this key was paid.
    pub fn record_payment_seen(&mut self, key: u128) {
        if self.payment_seen_at(key).is_none() {
            self.payments_seen.push((key, self.now));
        }
    }

    /// Returns the time at which the app first learned that this key was paid.
    pub fn payment_seen_at(&self, key: u128) -> Option<Ms> {
        self.payments_seen
            .iter()
            .find(|(paid_key, _)| *paid_key == key)
            .map(|(_, time)| *time)
    }

    /// Returns true if the bank may still pay this key, now or later.
    pub fn is_outstanding(&self, key: u128) -> bool {
        let is_delayed = self.delayed.iter().any(|delayed| delayed.key == key);
        is_delayed || self.bank.payout_count(key) > self.bank.payouts_until(key, self.now)
    }

    /// Sets the machine's wall clock to a random wrong time.
    pub fn set_clock(&mut self) {
        let duration = self.random.one_of(&[
            SECOND,
            MINUTE,
            8 * MINUTE,
            HOUR,
            25 * HOUR,
            365 * 24 * HOUR,
            50 * 365 * 24 * HOUR,
        ]) as i64;
        let ahead = if self.random.percent_chance(50) {
            duration
        } else {
            -duration
        };
        self.wall_ahead = ahead;
        self.log(|| format!("the wall clock is set {} s off", ahead / 1_000));
    }

    /// Restarts the simulated machine.
    pub fn reboot(&mut self) {
        self.tally.reboots += 1;
        self.advance(20 * SECOND);
        self.boot_time = self.now;
        self.boot_count += 1;
        self.log(|| "the machine was started again".into());
    }

    pub fn wall(&self) -> Wall {
        Wall(START_WALL_MS + self.wall_ahead + self.now as i64)
    }
}

/// The simulated clocks of one process of the app.
#[derive(Clone)]
pub struct ProcessClocks {
    environment: Rc<RefCell<Environment>>,
    /// The start time and the number of this process. Used only if the machine has no boot id.
    process_start: Option<(Ms, u64)>,
}

impl ProcessClocks {
    pub fn start(environment: &Rc<RefCell<Environment>>, process: u64) -> ProcessClocks {
        let now = environment.borrow().now;
        let process_start =
            (!environment.borrow().conditions.has_boot_id).then_some((now, process));
        ProcessClocks {
            environment: environment.clone(),
            process_start,
        }
    }
}

impl Clock for ProcessClocks {
    fn now(&self) -> Clocks {
        let environment = self.environment.borrow();
        let (since, boot) = match self.process_start {
            Some((since, process)) => (since, format!("process {process}")),
            None => (
                environment.boot_time,
                format!("boot {}", environment.boot_count),
            ),
        };
        Clocks {
            wall: environment.wall(),
            boot_ms: environment.now - since,
            boot_id: boot.into(),
        }
    }
}

pub fn http_date(wall: Wall) -> String {
    let at = jiff::Timestamp::from_millisecond(wall.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    at.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}
