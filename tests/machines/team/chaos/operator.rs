//! An operator with a machine: a connection of its own to the server, a mirror, and payments to
//! make. Mishaps happen at random.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use balcao::journal::Spent;
use balcao::journal::money::{Log as _, MoneyJournal};
use balcao::runtime::clocks::{self, MachineClocks};
use balcao::team::TeamConnection;
use balcao::trade::withdrawal::{
    AttemptEnd, Blocker, Clash, ClashKind, Class, Decision, NotDone, NotSent, Retyped, Unclear,
    Window, WithdrawalState,
};
use balcao::trade::{Clocks, IdempotencyKey, JournalTrouble, Money, Withdrawal};

use super::world::{Answer, World};
use crate::chance::Random;
use crate::relay::{Relay, Relaying, wait_until};
use crate::samples::{account, agreement};
use crate::team::database::{Database, boot_time, is_online, open_mirror, wait_until_online};

/// The limits of a send. The bank answers within half of the deadline.
pub const WINDOW: Window = Window {
    retention: Duration::from_millis(1_700),
    deadline: Duration::from_millis(240),
    resend_after: Duration::from_millis(100),
};

/// The wait for another machine: the time until the first byte, the deadline of a request, and a
/// quarter of both, as in the app.
pub const TAKEOVER_WAIT: Duration = Duration::from_millis(600);

/// The time for which a request is held that arrives late.
const HOLD: Duration = Duration::from_millis(700);

/// The wait before the next try after a failure.
const RETRY_AFTER: Duration = Duration::from_millis(30);

/// The number of times that an operator overrides a conflict of one withdrawal.
const MAX_OVERRIDES: usize = 5;

pub struct Operator<'r> {
    number: usize,
    world: &'r World,
    database: &'r Database,
    dir: PathBuf,
    relay: Relay,
    random: Random,
    /// `None` while the app is closed.
    app: Option<App>,
    /// The withdrawals that this operator prepared and wants to send.
    own: Vec<(IdempotencyKey, u64)>,
    /// For each withdrawal, the conflicting ones that the operator accepted.
    accepted: BTreeMap<IdempotencyKey, Vec<IdempotencyKey>>,
}

/// The running app of an operator.
struct App {
    journal: MoneyJournal,
    connection: TeamConnection,
    clocks: MachineClocks,
}

/// The next step with a withdrawal that the journal refused.
#[derive(PartialEq, Eq)]
enum Next {
    /// The operator overrides the conflict.
    Again,
    /// The operator tries again later.
    Later,
    /// The operator does not want this withdrawal any more.
    Never,
}

fn amount_of(payment: u64) -> i64 {
    1_000 + i64::try_from(payment).expect("a small number")
}

fn payment_of(withdrawal: &Withdrawal) -> u64 {
    let amount = withdrawal.agreement.amount;
    let found = (0..100_000).find(|payment| Money::from_centavos(amount_of(*payment)) == amount);
    found.expect("an amount of a payment")
}

impl<'r> Operator<'r> {
    pub fn new(number: usize, world: &'r World, database: &'r Database, dir: PathBuf) -> Self {
        Operator {
            number,
            world,
            database,
            dir,
            relay: Relay::open(database.server.port()),
            random: Random::from_seed(number as u64),
            app: None,
            own: Vec::new(),
            accepted: BTreeMap::new(),
        }
    }

    /// Works until the run is over.
    pub fn run(&mut self) {
        while !self.world.is_over() {
            self.start_app();
            if !self.is_online() {
                self.world.count("offline");
                self.world.is_over_within(RETRY_AFTER);
                continue;
            }
            if self.random.percent_chance(50) {
                let pulled = self.app().journal.pull();
                self.check(pulled.map_err(NotDone::Journal));
            }
            self.resolve_open();
            match self.own.first().copied() {
                Some((key, payment)) if self.random.percent_chance(70) => {
                    self.own.rotate_left(1);
                    self.send(key, payment);
                }
                _ if self.own.len() < 3 => self.prepare(),
                _ => {}
            }
            let pause = self.random.below(40);
            self.world.is_over_within(Duration::from_millis(pause));
        }
    }

    /// Brings the mirror up to date after the run. Returns its head and its number of events.
    pub fn finish(&mut self) -> (String, u64) {
        self.app = None;
        self.relay.cut();
        self.start_app();
        wait_until_online(&self.app().connection);
        let journal = &mut self.app().journal;
        journal.pull().expect("the events of the others");
        journal.flush_ends().expect("the ends in the outbox");
        self.read_end()
    }

    /// Reads the events that others appended in the end.
    pub fn read_end(&mut self) -> (String, u64) {
        let journal = &mut self.app().journal;
        journal.pull().expect("the events of the others");
        let count = journal.verify().expect("an intact mirror");
        let head = std::fs::read_to_string(self.dir.join("money.head")).expect("a head");
        (head, count)
    }

    fn start_app(&mut self) {
        if self.app.is_some() {
            return;
        }
        let role = &self.database.roles[self.number];
        let access = self.database.access(role, self.relay.port());
        let connection = TeamConnection::open(access, |_| ());
        if !self.dir.exists() {
            wait_until_online(&connection);
        }
        let mut journal = open_mirror(&self.dir, &connection);
        journal.attach_log(connection.log(), Box::new(boot_time), TAKEOVER_WAIT);
        let clocks = MachineClocks::for_journal(&self.dir);
        self.app = Some(App {
            journal,
            connection,
            clocks,
        });
    }

    fn app(&mut self) -> &mut App {
        self.app.as_mut().expect("the app was started")
    }

    fn is_online(&mut self) -> bool {
        is_online(&self.app().connection)
    }

    fn now(&mut self) -> Clocks {
        self.app().clocks.now()
    }

    /// Ends the process like `kill -9`. It is started again later than any of its requests ends.
    fn kill(&mut self, kind: &'static str) {
        self.world.count(kind);
        self.app = None;
        self.relay.cut();
        let pause = Duration::from_millis(self.random.below(1_000));
        self.world.is_over_within(pause);
        wait_until(clocks::instant() + WINDOW.deadline);
        self.start_app();
    }

    /// Lets something happen to the next call of the log, sometimes.
    fn maybe_disturb(&mut self) {
        let (kind, relaying) = match self.random.below(120) {
            0 => ("request lost", Relaying::CutAtRequest),
            1 => ("answer lost", Relaying::CutAtAnswer),
            2 => ("answers swallowed", Relaying::SwallowAnswers),
            3 => ("request held", Relaying::HoldRequest(HOLD)),
            _ => return,
        };
        self.world.count(kind);
        self.relay.set(relaying);
    }

    /// Counts a failure. Reports one that must not happen.
    fn check<T>(&mut self, result: Result<T, NotDone>) -> Option<T> {
        self.relay.set(Relaying::Pass);
        let why = match result {
            Ok(value) => return Some(value),
            Err(why) => why,
        };
        match &why {
            NotDone::Journal(JournalTrouble::Doubt(_)) => self.world.count("append in doubt"),
            NotDone::Journal(trouble) if trouble.passes() => self.world.count("journal offline"),
            NotDone::Blocked(Blocker::SentElsewhere { .. }) => self.world.count("wait"),
            NotDone::Journal(_) | NotDone::Blocked(Blocker::ServerChanged { .. }) => {
                let text = format!("operator {}: {why:?}", self.number);
                self.world.violation(text);
            }
            NotDone::Blocked(_) => {}
        }
        None
    }

    /// Prepares a withdrawal for the next payment.
    fn prepare(&mut self) {
        let (key, payment) = self.world.lock().next_payment();
        let terms = agreement(
            key,
            account("https://pay.example", "loja"),
            amount_of(payment),
            self.now(),
            &format!("operator {}", self.number),
        );
        for _ in 0..MAX_OVERRIDES {
            let retyped = self.retyped(key, payment);
            self.maybe_disturb();
            let prepared = self.app().journal.prepare(terms.clone(), retyped);
            let next = match &prepared {
                Ok(_) => {
                    self.world.acknowledge((key, "prepared", 0));
                    self.world.count("prepared");
                    self.own.push((key, payment));
                    Next::Later
                }
                Err(NotDone::Journal(JournalTrouble::Doubt(_))) => {
                    self.own.push((key, payment));
                    Next::Later
                }
                Err(why) => self.read_refusal(key, why),
            };
            self.check(prepared);
            if next != Next::Again {
                return;
            }
        }
    }

    fn retyped(&self, key: IdempotencyKey, payment: u64) -> Option<Retyped> {
        let shown_keys = self.accepted.get(&key)?.clone();
        Some(Retyped {
            amount: Money::from_centavos(amount_of(payment)),
            shown_keys,
        })
    }

    /// Lets the operator read why a withdrawal is not stored or sent.
    fn read_refusal(&mut self, key: IdempotencyKey, why: &NotDone) -> Next {
        let clash: &Clash = match why {
            NotDone::Blocked(Blocker::Clash(clash)) => clash,
            NotDone::Blocked(Blocker::State | Blocker::NoSuchKey | Blocker::Window(_)) => {
                return Next::Never;
            }
            NotDone::Journal(_) => {
                self.world.is_over_within(RETRY_AFTER);
                return Next::Later;
            }
            NotDone::Blocked(_) => return Next::Later,
        };
        let other = clash.other.agreement.key;
        let state = clash.other.state(&self.now(), &WINDOW, false);
        let is_accepted = match clash.kind {
            ClashKind::SamePrepared => {
                self.world.count("same payment prepared elsewhere");
                if self.random.percent_chance(30) {
                    self.discard(other);
                }
                return Next::Later;
            }
            ClashKind::SameDecided => {
                if state != WithdrawalState::ResolvedNotPaid {
                    self.world.count("already paid");
                    return Next::Never;
                }
                true
            }
            ClashKind::OtherOpen => self.random.percent_chance(50),
            _ => return Next::Later,
        };
        if !is_accepted {
            return Next::Later;
        }
        self.accepted.entry(key).or_default().push(other);
        Next::Again
    }

    fn discard(&mut self, key: IdempotencyKey) {
        let now = self.now();
        let journal = &mut self.app().journal;
        let discarded = journal.decide(key, Decision::Discarded, &now, &WINDOW);
        if self.check(discarded).is_some() {
            self.world.acknowledge((key, "discarded", 0));
            self.world.count("discarded");
        }
    }

    /// Sends a withdrawal, again if it was sent before.
    fn send(&mut self, key: IdempotencyKey, payment: u64) {
        for _ in 0..MAX_OVERRIDES {
            let next = match self.begin_and_send(key, payment) {
                Ok(()) => Next::Later,
                Err(why) => self.read_refusal(key, &why),
            };
            match next {
                Next::Again => continue,
                Next::Later => {}
                Next::Never => {
                    self.own.retain(|(own, _)| *own != key);
                    self.discard(key);
                }
            }
            return;
        }
    }

    fn begin_and_send(&mut self, key: IdempotencyKey, payment: u64) -> Result<(), NotDone> {
        let lock = self.app().journal.lock(key)?;
        let now = self.now();
        let retyped = self.retyped(key, payment);
        self.maybe_disturb();
        let journal = &mut self.app().journal;
        let begun = journal.begin(lock, key, retyped.as_ref(), &now, &WINDOW);
        let refusal = begun.as_ref().err().cloned();
        let Some(permit) = self.check(begun) else {
            return refusal.map_or(Ok(()), Err);
        };
        let n = permit.n();
        self.world.acknowledge((key, "attempt_began", n));
        self.check_other_attempts(key);
        let liveness = self.app().connection.log().liveness();
        let (spent, request) = permit.spend();
        let is_cut = self.random.percent_chance(10);
        match self.random.below(100) {
            0..5 => {
                drop(spent);
                self.kill("killed before a send");
                return Ok(());
            }
            5..14 => wait_until(clocks::instant() + WINDOW.deadline),
            _ => {}
        }
        if is_cut {
            self.relay.cut();
            wait_until(clocks::instant() + WINDOW.deadline / 4);
        }
        let start = clocks::instant();
        let is_known_lost = !liveness.load(std::sync::atomic::Ordering::SeqCst);
        let is_late = self.now().boot_ms > now.boot_ms + WINDOW.deadline.as_millis() as u64;
        let class = if request.send_limit().allows(&self.now()) {
            if is_known_lost || is_late {
                let why = format!("lost: {is_known_lost}, late: {is_late}");
                self.world.violation(format!("{key:?} was sent ({why})"));
            }
            if n > 1 {
                self.world.count("sent again");
            }
            let sender = (self.number, key, payment);
            let random = &mut self.random;
            let mut world = self.world.lock();
            let flight = world.send(sender, start, WINDOW.deadline, random);
            drop(world);
            if self.random.percent_chance(6) {
                wait_until(start + flight.duration / 4);
                drop(spent);
                self.kill("killed during a send");
                return Ok(());
            }
            wait_until(start + flight.duration);
            self.world.lock().land(&flight, WINDOW.deadline);
            match flight.answer {
                Answer::Accepts => Class::Confirmed {
                    id: None,
                    status: None,
                },
                Answer::Refuses => Class::DefiniteNo,
                Answer::Nothing => Class::Unclear(Unclear::Timeout),
            }
        } else {
            self.world.count(if is_known_lost {
                "not sent: connection lost"
            } else {
                "not sent: too late"
            });
            Class::NotSent(NotSent::NotSafe)
        };
        if self.random.percent_chance(6) {
            drop(spent);
            self.kill("killed after a send");
            return Ok(());
        }
        self.settle(key, spent, class);
        Ok(())
    }

    /// Checks that an attempt began only after the wait for the attempts of others without an end.
    fn check_other_attempts(&mut self, key: IdempotencyKey) {
        let now = self.now();
        let open = self.app().journal.open_withdrawals();
        for other in open.expect("a readable mirror") {
            if other.agreement.key != key {
                self.check_takeover(&other, &now, "begin");
            }
        }
    }

    /// Checks that this operator waited, if another's attempt of this withdrawal has no end.
    fn check_takeover(&self, withdrawal: &Withdrawal, now: &Clocks, what: &str) {
        let Some(last) = withdrawal.attempts.last() else {
            return;
        };
        if last.end.is_some() || last.began.boot_id == now.boot_id {
            return;
        }
        let waited = Duration::from_millis(now.boot_ms.saturating_sub(last.began.boot_ms));
        self.world.count("takeover");
        if waited < TAKEOVER_WAIT {
            self.world.violation(format!(
                "operator {}: {what} after {waited:?}, while another may send",
                self.number
            ));
        }
    }

    fn settle(&mut self, key: IdempotencyKey, mut spent: Spent, class: Class) {
        let now = self.now();
        let end = AttemptEnd {
            at: now.wall,
            boot_ms: now.boot_ms,
            class,
            status: None,
            server_date: None,
            message: None,
            hint: None,
        };
        let n = spent.n();
        loop {
            self.maybe_disturb();
            let trouble = match self.app().journal.settle(spent, &end) {
                Ok(withdrawal) => {
                    self.world.acknowledge((key, "settled", n));
                    self.world.count("settled");
                    if !withdrawal.state(&now, &WINDOW, false).is_open() {
                        self.own.retain(|(own, _)| *own != key);
                    }
                    self.relay.set(Relaying::Pass);
                    return;
                }
                Err(not_settled) => {
                    spent = not_settled.spent;
                    not_settled.trouble
                }
            };
            // The outbox keeps the end.
            self.world.acknowledge((key, "settled", n));
            self.world.count("end kept in the outbox");
            self.check::<()>(Err(NotDone::Journal(trouble)));
            if self.random.percent_chance(20) || self.world.is_over_within(RETRY_AFTER * 5) {
                return;
            }
        }
    }

    /// Sends open withdrawals again, or looks for them in the bank account.
    fn resolve_open(&mut self) {
        let now = self.now();
        let open = self.app().journal.open_withdrawals();
        for withdrawal in open.expect("a readable mirror") {
            let key = withdrawal.agreement.key;
            let last = withdrawal.attempts.last();
            let is_own = last.is_some_and(|last| last.began.boot_id == now.boot_id);
            let state = withdrawal.state(&self.now(), &WINDOW, false);
            if is_own && state == WithdrawalState::Unknown {
                let payment = payment_of(&withdrawal);
                return self.send(key, payment);
            }
            if !is_own && self.random.percent_chance(60) {
                continue;
            }
            let waits = self.app().journal.waits_for_others(&now.boot_id);
            if waits.is_empty() {
                return self.decide(&withdrawal);
            }
            self.world.count("wait");
        }
    }

    /// Looks whether the bank paid a withdrawal, and says so.
    fn decide(&mut self, withdrawal: &Withdrawal) {
        let key = withdrawal.agreement.key;
        let is_paid = self.world.lock().is_paid(key);
        let decision = if is_paid {
            Decision::FoundPaid
        } else {
            Decision::StatedNotPaid
        };
        let now = self.now();
        self.maybe_disturb();
        let decided = self.app().journal.decide(key, decision, &now, &WINDOW);
        // Another attempt may have begun after the look.
        let is_stale = match &decided {
            Ok(decided) => decided.attempts.len() != withdrawal.attempts.len(),
            Err(why) => matches!(why, NotDone::Journal(JournalTrouble::Doubt(_))),
        };
        if is_stale && !is_paid {
            let mut world = self.world.lock();
            world.excused.insert(payment_of(withdrawal));
        }
        if let Some(decided) = self.check(decided) {
            self.world.acknowledge((key, "person_said", 0));
            self.world.count("decided");
            if !is_stale {
                self.check_takeover(&decided, &now, "decision");
            }
            self.own.retain(|(own, _)| *own != key);
        }
    }
}
