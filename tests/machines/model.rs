//! Model checking: tries every short schedule of sends of a withdrawal, and counts double payouts.
//!
//! The seller wants one payment. A schedule is a sequence of sends. Before each send, some time
//! passes, and the program or the machine may restart. One of [`FAULTS`] happens to each send. Then
//! the seller acts on the state of the withdrawal: sends it again, makes another withdrawal, checks
//! the account, or is done. Checking the account always gives the truth, including payouts that are
//! still being processed. All schedules up to a given depth are tried with all nine kinds of bank.
//! A schedule ends early when the withdrawal is decided or paid twice.
//!
//! The states come from the production `Withdrawal::state`, `settle`, `Window::left` and
//! `classify`. The actions that the production `rules` offer must agree with the seller's choices.
//! Weaker policies reuse all of this but ignore single rules, to show that each rule is needed.
//!
//! At depth 4, the real rules give 44.9 million schedules and no double payout. Three weaker
//! policies give 100 to 137 million schedules, because their schedules end later. The payment is
//! made twice in 55.3 million of them if the key is only in memory, in 27.1 million if any 4xx is
//! final, and in 21.6 million without a time window for resends.
//!
//! Three more policies lack one rule each: the body is rebuilt for each send, a resend follows
//! immediately, or the time window for resends is a second too long. Each of these pays twice with
//! exactly one kind of bank.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use balcao::app::Model;
use balcao::app::store::withdrawals::rules;
use balcao::app::ui::action::Action;
use balcao::contract::Contract;
use balcao::service::{self, BodyEnd, Limits, RawReply, classify};
use balcao::trade::withdrawal::{
    AttemptEnd, Class, Decision, NotSent, WhyPerson, Window, WithdrawalState,
};
use balcao::trade::{
    Account, Agreement, Attempt, Clocks, Failure, IdempotencyKey, Money, NoAnswer, Origin, Wall,
    Withdrawal,
};

use crate::bank::{Bank, Fate, HOUR, Kind, MINUTE, Ms, SECOND};
use crate::effort::{Effort, grouped, promised, say};
use crate::seller;

/// A fault that happens to one send of a withdrawal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// No fault: the bank's reply arrives.
    None,
    /// No connection is established, so nothing is sent.
    NotSent,
    /// The request is lost on its way to the bank, and no reply arrives.
    LostBefore,
    /// The bank receives the request just before the client's deadline and pays. Its reply is lost.
    LostAfter,
    /// A gateway replies 503, and the request never reaches the bank.
    DownBefore,
    /// The bank pays, but a gateway replies 502.
    DownAfter,
    /// The balance is too low, so the bank replies 400 without looking at the key.
    NoMoney,
    /// The bank pays, but the app is killed before the reply arrives.
    Killed,
    /// The bank refuses the payment with a 402.
    Refused,
    /// The bank pays, but replies with a 500.
    PaidAndFailed,
    /// The bank pays five minutes later. No reply arrives.
    PaidLate,
}

const FAULTS: [Fault; 11] = [
    Fault::None,
    Fault::NotSent,
    Fault::LostBefore,
    Fault::LostAfter,
    Fault::DownBefore,
    Fault::DownAfter,
    Fault::NoMoney,
    Fault::Killed,
    Fault::Refused,
    Fault::PaidAndFailed,
    Fault::PaidLate,
];

impl Fault {
    /// Returns true if this fault is possible only with a key that the bank does not know yet. With
    /// a known key, the result would be the same as with [`Fault::None`].
    fn is_of_a_new_key(self) -> bool {
        matches!(self, Fault::Refused | Fault::PaidAndFailed | Fault::PaidLate)
    }
}

/// The maximum duration of one send.
const DEADLINE: Ms = 30 * SECOND;

/// The latest time at which a send may start, counted from the start of the first send.
const LAST: Ms = 10 * MINUTE - DEADLINE;

/// The time that passes before the next send.
#[derive(Debug, Clone, Copy)]
enum Gap {
    For(Ms),
    /// The gap ends this long after the start of the first send. If that time has already passed,
    /// this gap is not tried.
    AfterTheFirst(Ms),
}

/// The gaps to try: one second, until the end of the resend window, until one second after it, and
/// much longer.
const GAPS: [Gap; 5] = [
    Gap::For(SECOND),
    Gap::AfterTheFirst(LAST),
    Gap::AfterTheFirst(LAST + SECOND),
    Gap::For(31 * MINUTE),
    Gap::For(25 * HOUR),
];

/// All kinds of bank in [`Kind::REAL`], and a kind that forgets keys after ten minutes. With a
/// shorter memory, the app's resend window would be too long.
const KINDS: [Kind; Kind::REAL.len() + 1] = {
    let mut kinds = [Kind::ForgetsAfterTenMinutes; Kind::REAL.len() + 1];
    let mut at = 0;
    while at < Kind::REAL.len() {
        kinds[at] = Kind::REAL[at];
        at += 1;
    }
    kinds
};

/// A restart of the app or the machine before the next send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Restart {
    No,
    Program,
    /// The machine restarts. Its wall clock does not advance while it is off.
    Machine,
}

const RESTARTS: [Restart; 3] = [Restart::No, Restart::Program, Restart::Machine];

/// The rules for sending withdrawals. Each flag turns off one production rule.
#[derive(Debug, Clone, Copy)]
struct Policy {
    name: &'static str,
    /// If true, a restart loses the idempotency key and everything that was sent with it.
    forgets: bool,
    /// If true, any 4xx reply is a final refusal, even if an earlier attempt may have paid.
    any_no_is_final: bool,
    /// If true, a key may be sent again at any later time.
    no_window: bool,
    /// If true, the request's body is built again for every send.
    rebuilds: bool,
    /// If true, a resend may follow immediately.
    no_wait: bool,
    /// How much longer than the bank this policy believes that the bank remembers a key, in
    /// milliseconds.
    longer: Ms,
}

const REAL: Policy = Policy {
    name: "the real one",
    forgets: false,
    any_no_is_final: false,
    no_window: false,
    rebuilds: false,
    no_wait: false,
    longer: 0,
};

const WEAKER: [Policy; 3] = [
    Policy {
        name: "key only in memory",
        forgets: true,
        any_no_is_final: true,
        no_window: true,
        no_wait: true,
        ..REAL
    },
    Policy {
        name: "same key for ever, any 4xx is final",
        any_no_is_final: true,
        no_window: true,
        no_wait: true,
        ..REAL
    },
    Policy {
        name: "an unclear attempt outranks a later 4xx",
        no_window: true,
        no_wait: true,
        ..REAL
    },
];

/// Policies that lack one rule each, with the kinds of bank that then pay twice. A search with one
/// send less is enough to find these double payouts.
const BY_ONE: [(Policy, &[Kind]); 3] = [
    (
        Policy { name: "a body of its own for each send", rebuilds: true, ..REAL },
        &[Kind::IgnoresKeyOnOtherBody],
    ),
    (Policy { name: "a resend at once", no_wait: true, ..REAL }, &[Kind::RemembersOncePaid]),
    (
        Policy { name: "a window one second too long", longer: SECOND, ..REAL },
        &[Kind::ForgetsAfterTenMinutes],
    ),
];

impl Policy {
    /// Returns the production state of a withdrawal, without the rules that this policy ignores.
    fn state(&self, withdrawal: &Withdrawal, now: &Clocks, window: &Window) -> WithdrawalState {
        let state = withdrawal.state(now, window, false);
        let said_no = |attempt: &Attempt| {
            attempt.end.as_ref().is_some_and(|end| matches!(end.status, Some(400..=499)))
        };
        match state {
            WithdrawalState::Unknown | WithdrawalState::NeedsPerson(_)
                if self.any_no_is_final && withdrawal.attempts.iter().any(said_no) =>
            {
                WithdrawalState::Rejected
            }
            WithdrawalState::NeedsPerson(WhyPerson::NoSend(_)) if self.no_window => {
                WithdrawalState::Unknown
            }
            state => state,
        }
    }
}

/// The seller's next action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Send,
    /// Wait before resending, because the service may still be processing the last attempt.
    Wait,
    MakeAnew,
    Look,
    Content,
}

/// The totals of all schedules of one policy.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    schedules: u64,
    /// The number of schedules in which the payment was made twice.
    double: u64,
    /// How often the withdrawal's state contradicted the bank's ledger.
    untrue: u64,
    /// For each kind of bank, how often it showed the behavior that distinguishes it from the
    /// others.
    typical: [u64; KINDS.len()],
    /// For each kind of bank, the number of schedules in which the payment was made twice.
    double_of: [u64; KINDS.len()],
}

/// Returns the smallest and the largest number of double payouts in these totals.
fn of_all(counts: &[Count]) -> (u64, u64) {
    let double = || counts.iter().map(|count| count.double);
    (double().min().unwrap_or_default(), double().max().unwrap_or_default())
}

/// A position within a schedule: the state of the withdrawal and the bank, and the time.
#[derive(Clone)]
struct Place {
    withdrawal: Withdrawal,
    bank: Bank,
    now: Ms,
    booted: Ms,
    boot: usize,
    /// How far the wall clock is behind the true time, in milliseconds.
    behind: Ms,
    /// The start of the first send with the current key that may have reached the network.
    first: Option<Ms>,
    keys: u128,
    /// True if the bank refused the current key or replied with an error to it.
    turned_away: bool,
    left: u32,
}

impl Place {
    fn key(&self) -> u128 {
        self.withdrawal.agreement.key.0.as_u128()
    }
}

/// A search through all schedules of one policy, with its totals.
struct Walk {
    policy: Policy,
    window: Window,
    /// The class that the production `classify` returned for each reply. The flag is true if the
    /// reply was to a resend.
    classes: Vec<(Reply, bool, Class)>,
    boots: Vec<Arc<str>>,
    model: Model,
    /// The request bodies. Most policies use only the first. A policy that rebuilds the body uses a
    /// different body for each send.
    bodies: Vec<Arc<str>>,
    count: Count,
}

/// The HTTP status of a reply, or the reason why no reply arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reply {
    Status(u16),
    NotSent,
    Cut,
}

#[test]
fn only_weaker_rules_have_schedules_paying_twice() {
    let depth = match Effort::wanted() {
        Effort::Small => 3,
        Effort::Usual => 4,
        Effort::Long => 5,
    };
    let [none, one, two] = WEAKER;
    let [rebuilds, at_once, longer] = BY_ONE.map(|(policy, _)| (policy, depth - 1));
    let policies =
        [(REAL, depth), (none, depth), (one, depth), (two, depth), rebuilds, at_once, longer];
    let all: Vec<Count> = thread::scope(|scope| {
        let walks = policies.map(|(policy, depth)| scope.spawn(move || walk(policy, depth)));
        walks.into_iter().map(|walk| walk.join().expect("a walk panicked")).collect()
    });
    for ((Policy { name, .. }, depth), count) in policies.iter().zip(&all) {
        say(&format!(
            "depth {depth}, {name}: {} schedules, {} double payouts, {} untrue, typical: {:?}",
            count.schedules, count.double, count.untrue, count.typical
        ));
    }
    let (real, weaker) = all.split_first().expect("the real one");
    promised(&format!("{} schedules, 0 double payouts", grouped(real.schedules)));
    let (least, most) = of_all(&weaker[..3]);
    promised(&format!("{:.1} to {:.1} million", least as f64 / 1e6, most as f64 / 1e6));
    let (least, most) = of_all(&weaker[3..]);
    promised(&format!("in {} to {}", grouped(least), grouped(most)));
    assert!(real.schedules > 1_000);
    assert_eq!(real.double, 0, "double payouts under the real rules");
    assert_eq!(real.untrue, 0, "states that say what is not so, under the real rules");
    assert!(weaker.iter().all(|count| count.double > 0));
    // Each of these policies has one rule more than the previous policy, so it must have fewer
    // double payouts.
    assert!(weaker[..3].windows(2).all(|pair| pair[0].double > pair[1].double));
    for ((Policy { name, .. }, kinds), count) in BY_ONE.iter().zip(&weaker[3..]) {
        // A policy without its rule must pay twice with the listed kinds of bank, and only with
        // those.
        for kind in KINDS {
            let twice = count.double_of[at(kind)] > 0;
            assert_eq!(twice, kinds.contains(&kind), "{name}, {kind:?}");
        }
    }
    for (at, kind) in KINDS.into_iter().enumerate() {
        // With the real rules, these kinds of bank never show their special behavior. The app stops
        // resending before the bank forgets the key, waits until the bank knows the key, and
        // repeats the same body.
        let kept_from = matches!(
            kind,
            Kind::ForgetsAfterHalfAnHour
                | Kind::ForgetsAfterTenMinutes
                | Kind::RemembersOncePaid
                | Kind::ConflictOnOtherBody
                | Kind::IgnoresKeyOnOtherBody
        );
        assert_eq!(real.typical[at] == 0, kept_from, "{kind:?} under the real rules");
        let met = all.iter().any(|count| count.typical[at] > 0);
        assert!(met, "no schedule in which the bank is {kind:?}");
    }
}

fn walk(policy: Policy, depth: u32) -> Count {
    let mut walk = Walk::new(policy);
    for kind in KINDS {
        let place = Place {
            withdrawal: withdrawal(1, &walk.bodies[0]),
            bank: Bank::new(kind),
            now: 0,
            booted: 0,
            boot: 0,
            behind: 0,
            first: None,
            keys: 1,
            turned_away: false,
            left: depth,
        };
        for fault in FAULTS {
            walk.send(&place, fault);
        }
    }
    walk.count
}

impl Walk {
    fn new(policy: Policy) -> Walk {
        let contract = Contract::built_in();
        let mut window = service::window(&contract, &Limits::default());
        window.retention += Duration::from_millis(policy.longer);
        if policy.no_wait {
            window.resend_after = Duration::ZERO;
        }
        let body = |n| format!(r#"{{"amount":10.00,"note":"{n}"}}"#).into();
        let bodies: Vec<Arc<str>> = (0..8).map(body).collect();
        let agreement = withdrawal(1, &bodies[0]).agreement;
        let replies = [200, 201, 208, 400, 402, 409, 422, 500, 502, 503].map(Reply::Status);
        let replies = replies.into_iter().chain([Reply::NotSent, Reply::Cut]);
        let classes = replies
            .flat_map(|reply| [(reply, false), (reply, true)])
            .map(|(reply, again)| (reply, again, class(reply, &agreement, &contract, again)))
            .collect();
        let boots = (0..8).map(|n| format!("boot {n}").into()).collect();
        let model = seller::model(contract, window.clone());
        Walk { policy, window, classes, boots, model, bodies, count: Count::default() }
    }

    fn clocks(&self, place: &Place) -> Clocks {
        let boot_id = self.boots[place.boot].clone();
        let wall = Wall((place.now - place.behind) as i64);
        Clocks { wall, boot_ms: place.now - place.booted, boot_id }
    }

    /// Tries one send with this fault, and every continuation of the schedule.
    fn send(&mut self, before: &Place, fault: Fault) {
        let mut place = before.clone();
        let n = place.withdrawal.attempts.len() as u32 + 1;
        let again = place.withdrawal.attempts.iter().any(Attempt::counts);
        let (began, first) = (self.clocks(&place), place.now);
        if self.policy.rebuilds {
            place.withdrawal.agreement.body = self.bodies[n as usize].clone();
        }
        let reply = self.apply_fault(&mut place, fault);
        place.now += if fault == Fault::LostAfter { DEADLINE } else { SECOND };
        if reply != Some(Reply::NotSent) {
            place.first.get_or_insert(first);
        }
        let ended = self.clocks(&place);
        let end = reply.map(|reply| AttemptEnd {
            at: ended.wall,
            boot_ms: ended.boot_ms,
            class: self.class(reply, again),
            status: match reply {
                Reply::Status(status) => Some(status),
                Reply::NotSent | Reply::Cut => None,
            },
            server_date: None,
            message: None,
            hint: None,
        });
        place.withdrawal.attempts.push(Attempt { n, began, end });
        place.left -= 1;
        if fault == Fault::Killed {
            self.restart(&mut place, Restart::Program, 0);
        }
        self.go_on(&place);
    }

    /// Applies a fault to a send. Returns the reply, or `None` if the app was killed before the
    /// reply arrived.
    fn apply_fault(&mut self, place: &mut Place, fault: Fault) -> Option<Reply> {
        Some(match fault {
            Fault::None => Reply::Status(self.reach(place, Fate::Pays, 0, 0)),
            Fault::Refused => Reply::Status(self.reach(place, Fate::Refuses(402), 0, 0)),
            Fault::PaidAndFailed => Reply::Status(self.reach(place, Fate::PaysAndFails, 0, 0)),
            Fault::NotSent => Reply::NotSent,
            Fault::LostBefore => Reply::Cut,
            Fault::LostAfter => {
                self.reach(place, Fate::Pays, DEADLINE - 1, 0);
                Reply::Cut
            }
            Fault::PaidLate => {
                self.reach(place, Fate::Pays, 0, 5 * MINUTE);
                Reply::Cut
            }
            Fault::DownBefore => Reply::Status(503),
            Fault::DownAfter => {
                self.reach(place, Fate::Pays, 0, 0);
                Reply::Status(502)
            }
            Fault::NoMoney => Reply::Status(400),
            Fault::Killed => {
                self.reach(place, Fate::Pays, 0, 0);
                return None;
            }
        })
    }

    /// Delivers the request to the bank after `after` milliseconds. Returns the HTTP status of its
    /// reply.
    fn reach(&mut self, place: &mut Place, fate: Fate, after: Ms, takes: Ms) -> u16 {
        let (key, body) = (place.key(), place.withdrawal.agreement.body.clone());
        let now = place.now + after;
        let known = place.bank.knows(key, &body, now);
        let (paid_before, turned_away) = (place.bank.paid(key) > 0, place.turned_away);
        let status = place.bank.take(key, &body, now, fate, takes);
        place.turned_away |= !known && status >= 400;
        let typical = match place.bank.kind {
            Kind::ReplaysEverything => known && matches!(status, 402 | 500),
            Kind::KeepsSuccesses => !known && turned_away && !paid_before,
            Kind::ForgetsAfterHalfAnHour
            | Kind::ForgetsAfterTenMinutes
            | Kind::RemembersOncePaid => !known && paid_before,
            Kind::ConflictOnOtherBody => self.policy.rebuilds && known && status == 409,
            Kind::IgnoresKeyOnOtherBody => self.policy.rebuilds && !known && paid_before,
            Kind::SaysRunning => status == 208,
            Kind::RefusesDuplicates => known && status == 400,
            _ => unreachable!("a broken bank"),
        };
        self.count.typical[at(place.bank.kind)] += u64::from(typical);
        status
    }

    fn class(&self, reply: Reply, again: bool) -> Class {
        let known =
            self.classes.iter().find(|(known, first, _)| (*known, *first) == (reply, again));
        known.expect("every reply is classified").2.clone()
    }

    /// Continues a schedule after a send: tries every gap and every restart. Each time, the seller
    /// acts on the resulting state.
    fn go_on(&mut self, place: &Place) {
        if paid(place) > 1 {
            self.count.schedules += 1;
            return self.paid_twice(place);
        }
        if place.left == 0 {
            self.over(place);
            return;
        }
        for gap in GAPS.into_iter().filter_map(|gap| gap.from(place)) {
            for restart in RESTARTS {
                let mut later = place.clone();
                later.now += gap;
                self.restart(&mut later, restart, gap);
                self.act(later);
            }
        }
    }

    /// Simulates a restart. If the machine restarts, it was off for `off` milliseconds.
    fn restart(&self, place: &mut Place, restart: Restart, off: Ms) {
        if restart == Restart::Machine {
            place.behind += off;
            place.booted = place.now;
            place.boot += 1;
        }
        if restart != Restart::No && self.policy.forgets {
            self.make_anew(place);
        }
    }

    fn act(&mut self, mut place: Place) {
        let now = self.clocks(&place);
        let state = self.policy.state(&place.withdrawal, &now, &self.window);
        self.check(&place, &state);
        let next = self.next(&state, &place, &now);
        match next {
            Next::Content => return self.over(&place),
            Next::Look if paid(&place) > 0 => {
                place.withdrawal.decision = Some((Decision::FoundPaid, now.wall));
                return self.over(&place);
            }
            Next::Look | Next::MakeAnew => self.make_anew(&mut place),
            Next::Wait => {
                let wait = self.window.wait(&place.withdrawal.attempts, &now);
                place.now += wait.as_millis() as Ms;
                return self.act(place);
            }
            Next::Send => {}
        }
        let body = &place.withdrawal.agreement.body;
        let known = !self.policy.rebuilds && place.bank.knows(place.key(), body, place.now);
        for fault in FAULTS {
            // Skip a fault that needs a new key if the bank already knows this key, because the
            // reply would be the same as without the fault.
            if !(known && fault.is_of_a_new_key()) {
                self.send(&place, fault);
            }
        }
    }

    /// Returns the seller's next action, and checks that the app offers it.
    fn next(&mut self, state: &WithdrawalState, place: &Place, now: &Clocks) -> Next {
        let wait = self.window.wait(&place.withdrawal.attempts, now);
        let sendable = self.window.left(&place.withdrawal.attempts, now).is_ok();
        let next = match state {
            WithdrawalState::Unknown if !wait.is_zero() => Next::Wait,
            WithdrawalState::Unknown => Next::Send,
            WithdrawalState::Prepared if sendable || self.policy.no_window => Next::Send,
            WithdrawalState::Prepared
            | WithdrawalState::Rejected
            | WithdrawalState::Discarded
            | WithdrawalState::ResolvedNotPaid => Next::MakeAnew,
            WithdrawalState::NeedsPerson(_) | WithdrawalState::Mismatch(_) => Next::Look,
            WithdrawalState::Accepted
            | WithdrawalState::ResolvedPaid
            | WithdrawalState::Sending(_) => Next::Content,
        };
        if !(self.policy.forgets || self.policy.any_no_is_final || self.policy.no_window) {
            self.model.now.clone_from(now);
            let offered = rules::safe_actions(&self.model, &place.withdrawal);
            assert_eq!(offered.contains(&Action::Send), next == Next::Send, "{state:?}");
            let discards = *state == WithdrawalState::Prepared;
            assert_eq!(offered.contains(&Action::Discard), discards, "{state:?}");
            let finds = next == Next::Look || *state == WithdrawalState::Unknown;
            assert_eq!(offered.contains(&Action::Found), finds, "{state:?}");
        }
        next
    }

    fn make_anew(&self, place: &mut Place) {
        place.keys += 1;
        place.withdrawal.agreement.key = key(place.keys);
        place.withdrawal.attempts.clear();
        place.withdrawal.decision = None;
        place.turned_away = false;
        place.first = None;
    }

    fn paid_twice(&mut self, place: &Place) {
        self.count.double += 1;
        self.count.double_of[at(place.bank.kind)] += 1;
    }

    /// Adds a finished schedule to the totals.
    fn over(&mut self, place: &Place) {
        self.count.schedules += 1;
        if paid(place) > 1 {
            self.paid_twice(place);
        }
        let state = self.policy.state(&place.withdrawal, &self.clocks(place), &self.window);
        self.check(place, &state);
    }

    /// Counts the withdrawal's state as untrue if it contradicts the bank's ledger.
    fn check(&mut self, place: &Place, state: &WithdrawalState) {
        let paid = place.bank.paid(place.key());
        let is_true = match state {
            WithdrawalState::Accepted | WithdrawalState::ResolvedPaid => paid > 0,
            WithdrawalState::Prepared | WithdrawalState::Rejected | WithdrawalState::Discarded => {
                paid == 0
            }
            _ => true,
        };
        self.count.untrue += u64::from(!is_true);
    }
}

impl Gap {
    /// Returns how long the gap lasts from now on, or `None` if the gap's end has already passed.
    fn from(self, place: &Place) -> Option<Ms> {
        match self {
            Gap::For(span) => Some(span),
            Gap::AfterTheFirst(span) => (place.first? + span).checked_sub(place.now),
        }
    }
}

/// Returns the index of a kind in [`KINDS`].
fn at(kind: Kind) -> usize {
    KINDS.iter().position(|known| *known == kind).expect("one of them")
}

/// Returns how often the bank paid the seller's one payment, counting all of its keys.
fn paid(place: &Place) -> usize {
    (1..=place.keys).map(|key| place.bank.paid(key)).sum()
}

fn class(reply: Reply, agreement: &Agreement, contract: &Contract, again: bool) -> Class {
    let failed = match reply {
        Reply::NotSent => Failure::NotSent(NotSent::Connect),
        Reply::Cut => Failure::NoAnswer(NoAnswer::Cut),
        Reply::Status(status) => {
            let body = br#"{"id":"w-1","message":"..."}"#.to_vec();
            let reply = RawReply { status, headers: Vec::new(), body, end: BodyEnd::Whole };
            return classify(Ok(&reply), agreement, contract, again, Wall(0));
        }
    };
    classify(Err(&failed), agreement, contract, again, Wall(0))
}

fn key(n: u128) -> IdempotencyKey {
    IdempotencyKey(uuid::Uuid::from_u128(n))
}

fn withdrawal(n: u128, body: &Arc<str>) -> Withdrawal {
    let origin = Origin("https://pay.example".into());
    let agreement = Agreement {
        key: key(n),
        account: Account { origin, identity: "ana@loja.example".into() },
        profile: "loja".into(),
        method: "POST".into(),
        url: "https://pay.example/api/v1/integrations/withdrawals".into(),
        key_header: "".into(),
        key_header_name: "Idempotency-Key".into(),
        untyped: vec![],
        body: body.clone(),
        amount: Money::from_centavos(1_000),
        destination: None,
        quote: None,
        agreed: Clocks { wall: Wall(0), boot_ms: 0, boot_id: "boot 0".into() },
    };
    Withdrawal { agreement, attempts: Vec::new(), decision: None }
}
