//! Model checking: tries every short schedule of sends of a withdrawal, and counts double payouts.
//!
//! The seller wants one payment. A schedule is a sequence of sends. Before each send, some time
//! passes, and the program or the machine may restart. One of [`FAULTS`] happens to each send. Then
//! the seller acts on the state of the withdrawal: sends it again, makes another withdrawal, checks
//! the account, or is done. Checking the account always gives the truth, including payouts that are
//! still being processed. All schedules up to a given depth are tried with all nine kinds of bank.
//! A schedule ends early when the withdrawal is decided or paid twice.
//!
//! The states come from the production `Withdrawal::state`, `settle`, `Window::time_left` and
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

mod lessons;
mod policy;

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

use self::policy::{LACKING_ONE_RULE, Policy, REAL, WEAKER};
use crate::bank::{Bank, BankKind, Fate, HOUR, MINUTE, Ms, SECOND};
use crate::effort::{Effort, format_thousands, print_figure, print_line};
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
    /// The bank refuses the payment with a success status.
    RefusedAsSuccess,
    /// A gateway replies with a success status, and the request never reaches the bank.
    GatewaySuccess,
    /// Like [`GatewaySuccess`](Fault::GatewaySuccess), but the body reports a failure.
    GatewayFailure,
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
    fn needs_new_key(self) -> bool {
        use Fault::{PaidAndFailed, PaidLate, Refused, RefusedAsSuccess};
        matches!(self, Refused | PaidAndFailed | PaidLate | RefusedAsSuccess)
    }
}

/// The maximum duration of one send.
const DEADLINE: Ms = 30 * SECOND;

/// The latest time at which a send may start, counted from the start of the first send.
const MAX_SEND_START: Ms = 10 * MINUTE - DEADLINE;

/// The time that passes before the next send.
#[derive(Debug, Clone, Copy)]
enum Gap {
    For(Ms),
    /// The gap ends this long after the start of the first send. It is skipped if that time has
    /// already passed.
    UntilAfterFirst(Ms),
}

/// The gaps to try: one second, until the end of the resend window, until one second after it, and
/// much longer.
const GAPS: [Gap; 5] = [
    Gap::For(SECOND),
    Gap::UntilAfterFirst(MAX_SEND_START),
    Gap::UntilAfterFirst(MAX_SEND_START + SECOND),
    Gap::For(31 * MINUTE),
    Gap::For(25 * HOUR),
];

/// The kinds of bank in [`BankKind::REAL`], and a kind that forgets keys after ten minutes. The app
/// supports no bank that forgets keys sooner.
const BANK_KINDS: [BankKind; BankKind::REAL.len() + 1] = {
    let mut kinds = [BankKind::ForgetsAfterTenMinutes; BankKind::REAL.len() + 1];
    let mut index = 0;
    while index < BankKind::REAL.len() {
        kinds[index] = BankKind::REAL[index];
        index += 1;
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

/// The seller's next action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Send,
    /// Wait before resending, because the service may still be processing the last attempt.
    Wait,
    CreateAnother,
    CheckAccount,
    Finish,
}

/// The totals of all schedules of one policy.
#[derive(Debug, Clone, Copy, Default)]
struct Totals {
    schedules: u64,
    /// The number of schedules in which the payment was made twice.
    double: u64,
    /// How often the withdrawal's state contradicted the bank's ledger.
    wrong_states: u64,
    /// For each kind of bank, how often it showed the behavior that distinguishes it from the
    /// others.
    special_cases: [u64; BANK_KINDS.len()],
    /// For each kind of bank, the number of schedules in which the payment was made twice.
    double_by_kind: [u64; BANK_KINDS.len()],
}

/// Returns the smallest and the largest number of double payouts in these totals.
fn double_range(all_totals: &[Totals]) -> (u64, u64) {
    let double = || all_totals.iter().map(|totals| totals.double);
    (
        double().min().unwrap_or_default(),
        double().max().unwrap_or_default(),
    )
}

/// A node of the search: the state of the withdrawal and the bank, and the time.
#[derive(Clone)]
struct Node {
    withdrawal: Withdrawal,
    bank: Bank,
    now: Ms,
    boot_time: Ms,
    boot_count: usize,
    /// How far the wall clock is behind the true time, in milliseconds.
    clock_lag: Ms,
    /// The start of the first send with the current key that may have reached the network.
    first_send: Option<Ms>,
    keys: u128,
    /// True if the bank refused the current key or replied with an error to it.
    key_refused: bool,
    sends_left: u32,
    /// The index of the contract that reads the replies: 0, or that of a taught one.
    contract: usize,
}

impl Node {
    fn key(&self) -> u128 {
        self.withdrawal.agreement.key.0.as_u128()
    }
}

/// A search through all schedules of one policy, with its totals.
struct Search {
    policy: Policy,
    window: Window,
    /// For each contract, the class that the production `classify` returned for each reply. The
    /// flag is true if the reply was to a resend.
    classes: Vec<Vec<(Reply, bool, Class)>>,
    boots: Vec<Arc<str>>,
    model: Model,
    /// The request bodies. Most policies use only the first. A policy that rebuilds the body uses a
    /// different body for each send.
    bodies: Vec<Arc<str>>,
    totals: Totals,
}

/// The HTTP status of a reply, or the reason why no reply arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reply {
    Status(u16),
    /// A success with this body.
    Success(&'static str),
    NotSent,
    Cut,
}

#[test]
fn only_weaker_rules_have_schedules_paying_twice() {
    let depth = match Effort::from_env() {
        Effort::Small => 3,
        Effort::Usual => 4,
        Effort::Long => 5,
    };
    let [first, second, third] = WEAKER;
    let [fourth, fifth, sixth] = LACKING_ONE_RULE.map(|(policy, _)| (policy, depth - 1));
    let policies = [
        (REAL, depth),
        (first, depth),
        (second, depth),
        (third, depth),
        fourth,
        fifth,
        sixth,
    ];
    let all_totals: Vec<Totals> = thread::scope(|scope| {
        let searches = policies.map(|(policy, depth)| scope.spawn(move || search(policy, depth)));
        searches
            .into_iter()
            .map(|search| search.join().expect("a walk panicked"))
            .collect()
    });
    for ((Policy { name, .. }, depth), totals) in policies.iter().zip(&all_totals) {
        print_line(&format!(
            "depth {depth}, {name}: {} schedules, {} double payouts, {} untrue, typical: {:?}",
            totals.schedules, totals.double, totals.wrong_states, totals.special_cases
        ));
    }
    let (real, weaker) = all_totals.split_first().expect("the real one");
    print_figure(&format!(
        "{} schedules, 0 double payouts",
        format_thousands(real.schedules)
    ));
    let (min, max) = double_range(&weaker[..3]);
    print_figure(&format!(
        "{:.1} to {:.1} million",
        min as f64 / 1e6,
        max as f64 / 1e6
    ));
    let (min, max) = double_range(&weaker[3..]);
    print_figure(&format!(
        "in {} to {}",
        format_thousands(min),
        format_thousands(max)
    ));
    assert!(real.schedules > 1_000);
    assert_eq!(real.double, 0, "double payouts under the real rules");
    assert_eq!(
        real.wrong_states, 0,
        "states that say what is not so, under the real rules"
    );
    assert!(weaker.iter().all(|totals| totals.double > 0));
    // Each of these policies has one rule more than the previous policy, so it must have fewer
    // double payouts.
    assert!(
        weaker[..3]
            .windows(2)
            .all(|pair| pair[0].double > pair[1].double)
    );
    for ((Policy { name, .. }, kinds), totals) in LACKING_ONE_RULE.iter().zip(&weaker[3..]) {
        // A policy without its rule must pay twice with the listed kinds of bank, and only with
        // those.
        for kind in BANK_KINDS {
            let pays_twice = totals.double_by_kind[kind_index(kind)] > 0;
            assert_eq!(pays_twice, kinds.contains(&kind), "{name}, {kind:?}");
        }
    }
    for (index, kind) in BANK_KINDS.into_iter().enumerate() {
        // With the real rules, these kinds of bank never show their special behavior. The app stops
        // resending before the bank forgets the key, waits until the bank knows the key, and
        // repeats the same body.
        let is_avoided = matches!(
            kind,
            BankKind::ForgetsAfterHalfAnHour
                | BankKind::ForgetsAfterTenMinutes
                | BankKind::RemembersOncePaid
                | BankKind::ConflictOnOtherBody
                | BankKind::IgnoresKeyOnOtherBody
        );
        assert_eq!(
            real.special_cases[index] == 0,
            is_avoided,
            "{kind:?} under the real rules"
        );
        let was_seen = all_totals
            .iter()
            .any(|totals| totals.special_cases[index] > 0);
        assert!(was_seen, "no schedule in which the bank is {kind:?}");
    }
}

fn search(policy: Policy, depth: u32) -> Totals {
    let mut search = Search::new(policy);
    for kind in BANK_KINDS {
        let node = Node {
            withdrawal: withdrawal(1, &search.bodies[0]),
            bank: Bank::new(kind),
            now: 0,
            boot_time: 0,
            boot_count: 0,
            clock_lag: 0,
            first_send: None,
            keys: 1,
            key_refused: false,
            sends_left: depth,
            contract: 0,
        };
        for fault in policy.faults() {
            search.send(&node, *fault);
        }
    }
    search.totals
}

impl Search {
    fn new(policy: Policy) -> Search {
        let contract = Contract::built_in();
        let mut window = service::window(&contract, &Limits::default());
        window.retention += Duration::from_millis(policy.extra_window);
        if policy.no_wait {
            window.resend_after = Duration::ZERO;
        }
        let body = |n| format!(r#"{{"amount":10.00,"note":"{n}"}}"#).into();
        let bodies: Vec<Arc<str>> = (0..8).map(body).collect();
        let agreement = withdrawal(1, &bodies[0]).agreement;
        let replies = [200, 201, 208, 400, 402, 409, 422, 500, 502, 503].map(Reply::Status);
        let replies = replies.into_iter().chain([Reply::NotSent, Reply::Cut]);
        let replies: Vec<Reply> = if policy.teaches {
            replies
                .chain(lessons::REPLIES.map(Reply::Success))
                .collect()
        } else {
            replies.collect()
        };
        let contracts = if policy.teaches {
            lessons::teachable_contracts(&agreement)
        } else {
            vec![contract.clone()]
        };
        let class_of = |(reply, resend), contract| {
            (
                reply,
                resend,
                class(reply, &agreement, contract, resend, policy),
            )
        };
        let resends = |reply: &Reply| [(*reply, false), (*reply, true)];
        let classes = contracts.iter().map(|contract| {
            replies
                .iter()
                .flat_map(resends)
                .map(|reply| class_of(reply, contract))
                .collect()
        });
        let classes = classes.collect();
        let boots = (0..8).map(|n| format!("boot {n}").into()).collect();
        let model = seller::model(contract, window.clone());
        Search {
            policy,
            window,
            classes,
            boots,
            model,
            bodies,
            totals: Totals::default(),
        }
    }

    fn clocks(&self, node: &Node) -> Clocks {
        let boot_id = self.boots[node.boot_count].clone();
        let wall = Wall((node.now - node.clock_lag) as i64);
        Clocks {
            wall,
            boot_ms: node.now - node.boot_time,
            boot_id,
        }
    }

    /// Tries one send with this fault, and every continuation of the schedule.
    fn send(&mut self, before: &Node, fault: Fault) {
        let mut node = before.clone();
        let n = node.withdrawal.attempts.len() as u32 + 1;
        let is_resend = node
            .withdrawal
            .attempts
            .iter()
            .any(Attempt::may_have_been_sent);
        let began = self.clocks(&node);
        let start = node.now;
        if self.policy.rebuilds_body {
            node.withdrawal.agreement.body = self.bodies[n as usize].clone();
        }
        let reply = self.apply_fault(&mut node, fault);
        node.now += if fault == Fault::LostAfter {
            DEADLINE
        } else {
            SECOND
        };
        if reply != Some(Reply::NotSent) {
            node.first_send.get_or_insert(start);
        }
        let ended = self.clocks(&node);
        let end = reply.map(|reply| AttemptEnd {
            at: ended.wall,
            boot_ms: ended.boot_ms,
            class: self.class(reply, is_resend, node.contract),
            status: match reply {
                Reply::Status(status) => Some(status),
                Reply::Success(_) => Some(201),
                Reply::NotSent | Reply::Cut => None,
            },
            server_date: None,
            message: None,
            hint: None,
        });
        node.withdrawal.attempts.push(Attempt {
            n,
            began,
            end,
            by: None,
        });
        node.sends_left -= 1;
        if fault == Fault::Killed {
            self.restart(&mut node, Restart::Program, 0);
        }
        self.continue_schedule(&node);
    }

    /// Applies a fault to a send. Returns the reply, or `None` if the app was killed before the
    /// reply arrived.
    fn apply_fault(&mut self, node: &mut Node, fault: Fault) -> Option<Reply> {
        Some(match fault {
            Fault::None => Reply::Status(self.deliver(node, Fate::Pays, 0, 0)),
            Fault::Refused => Reply::Status(self.deliver(node, Fate::Refuses(402), 0, 0)),
            Fault::PaidAndFailed => Reply::Status(self.deliver(node, Fate::PaysAndFails, 0, 0)),
            Fault::RefusedAsSuccess => {
                self.deliver(node, Fate::Refuses(402), 0, 0);
                Reply::Success(lessons::REFUSED)
            }
            Fault::GatewaySuccess => Reply::Success(lessons::GATEWAY),
            Fault::GatewayFailure => Reply::Success(lessons::GATEWAY_FAILURE),
            Fault::NotSent => Reply::NotSent,
            Fault::LostBefore => Reply::Cut,
            Fault::LostAfter => {
                self.deliver(node, Fate::Pays, DEADLINE - 1, 0);
                Reply::Cut
            }
            Fault::PaidLate => {
                self.deliver(node, Fate::Pays, 0, 5 * MINUTE);
                Reply::Cut
            }
            Fault::DownBefore => Reply::Status(503),
            Fault::DownAfter => {
                self.deliver(node, Fate::Pays, 0, 0);
                Reply::Status(502)
            }
            Fault::NoMoney => Reply::Status(400),
            Fault::Killed => {
                self.deliver(node, Fate::Pays, 0, 0);
                return None;
            }
        })
    }

    /// Delivers the request to the bank after `delay` milliseconds. Returns the HTTP status of its
    /// reply.
    fn deliver(&mut self, node: &mut Node, fate: Fate, delay: Ms, processing_time: Ms) -> u16 {
        let key = node.key();
        let body = node.withdrawal.agreement.body.clone();
        let now = node.now + delay;
        let known = node.bank.remembers(key, &body, now);
        let paid_before = node.bank.payout_count(key) > 0;
        let key_refused = node.key_refused;
        let status = node
            .bank
            .handle_request(key, &body, now, fate, processing_time);
        node.key_refused |= !known && status >= 400;
        let is_special_case = match node.bank.kind {
            BankKind::ReplaysEverything => known && matches!(status, 402 | 500),
            BankKind::KeepsSuccesses => !known && key_refused && !paid_before,
            BankKind::ForgetsAfterHalfAnHour
            | BankKind::ForgetsAfterTenMinutes
            | BankKind::RemembersOncePaid => !known && paid_before,
            BankKind::ConflictOnOtherBody => self.policy.rebuilds_body && known && status == 409,
            BankKind::IgnoresKeyOnOtherBody => self.policy.rebuilds_body && !known && paid_before,
            BankKind::SaysRunning => status == 208,
            BankKind::RefusesDuplicates => known && status == 400,
            _ => unreachable!("a broken bank"),
        };
        self.totals.special_cases[kind_index(node.bank.kind)] += u64::from(is_special_case);
        status
    }

    fn class(&self, reply: Reply, is_resend: bool, contract: usize) -> Class {
        let classes = &self.classes[contract];
        let found = classes
            .iter()
            .find(|(known, resend, _)| (*known, *resend) == (reply, is_resend));
        found.expect("every reply is classified").2.clone()
    }

    /// Continues a schedule after a send: tries every gap and every restart. Each time, the seller
    /// acts on the resulting state.
    fn continue_schedule(&mut self, node: &Node) {
        if payout_count(node) > 1 {
            self.totals.schedules += 1;
            return self.paid_twice(node);
        }
        if node.sends_left == 0 {
            self.finish_schedule(node);
            return;
        }
        for gap in GAPS.into_iter().filter_map(|gap| gap.from(node)) {
            for restart in RESTARTS {
                let mut later = node.clone();
                later.now += gap;
                self.restart(&mut later, restart, gap);
                self.act(later);
            }
        }
    }

    /// Simulates a restart. If the machine restarts, it was off for `off` milliseconds.
    fn restart(&self, node: &mut Node, restart: Restart, off: Ms) {
        if restart == Restart::Machine {
            node.clock_lag += off;
            node.boot_time = node.now;
            node.boot_count += 1;
        }
        if restart != Restart::No && self.policy.forgets_keys {
            self.create_another(node);
        }
    }

    fn act(&mut self, mut node: Node) {
        let now = self.clocks(&node);
        let state = self.policy.state(&node.withdrawal, &now, &self.window);
        self.check_state(&node, &state);
        self.teach(&node, &state);
        let action = self.next(&state, &node, &now);
        match action {
            Next::Finish => return self.finish_schedule(&node),
            Next::CheckAccount if payout_count(&node) > 0 => {
                node.withdrawal.decision = Some((Decision::FoundPaid, now.wall));
                return self.finish_schedule(&node);
            }
            Next::CheckAccount | Next::CreateAnother => self.create_another(&mut node),
            Next::Wait => {
                let wait = self.window.remaining_wait(&node.withdrawal.attempts, &now);
                node.now += wait.as_millis() as Ms;
                return self.act(node);
            }
            Next::Send => {}
        }
        let body = &node.withdrawal.agreement.body;
        let is_known =
            !self.policy.rebuilds_body && node.bank.remembers(node.key(), body, node.now);
        for fault in self.policy.faults() {
            // Skip a fault that needs a new key if the bank already knows this key, because the
            // reply would be the same as without the fault.
            if !(is_known && fault.needs_new_key()) {
                self.send(&node, *fault);
            }
        }
    }

    /// Returns the seller's next action, and checks that the app offers it.
    fn next(&mut self, state: &WithdrawalState, node: &Node, now: &Clocks) -> Next {
        let wait = self.window.remaining_wait(&node.withdrawal.attempts, now);
        let may_send = self
            .window
            .time_left(&node.withdrawal.attempts, now)
            .is_ok();
        let action = match state {
            WithdrawalState::Unknown if !wait.is_zero() => Next::Wait,
            WithdrawalState::Unknown => Next::Send,
            WithdrawalState::Prepared if may_send || self.policy.no_window => Next::Send,
            WithdrawalState::Prepared
            | WithdrawalState::Rejected
            | WithdrawalState::Discarded
            | WithdrawalState::ResolvedNotPaid => Next::CreateAnother,
            WithdrawalState::NeedsPerson(_) | WithdrawalState::Mismatch(_) => Next::CheckAccount,
            WithdrawalState::Accepted
            | WithdrawalState::ResolvedPaid
            | WithdrawalState::Sending(_) => Next::Finish,
        };
        if !(self.policy.forgets_keys || self.policy.any_4xx_is_final || self.policy.no_window) {
            self.model.now.clone_from(now);
            let offered = rules::safe_actions(&self.model, &node.withdrawal);
            assert_eq!(
                offered.contains(&Action::Send),
                action == Next::Send,
                "{state:?}"
            );
            let offers_discard = *state == WithdrawalState::Prepared;
            assert_eq!(
                offered.contains(&Action::Discard),
                offers_discard,
                "{state:?}"
            );
            let offers_found = action == Next::CheckAccount || *state == WithdrawalState::Unknown;
            assert_eq!(offered.contains(&Action::Found), offers_found, "{state:?}");
        }
        action
    }

    fn create_another(&self, node: &mut Node) {
        node.keys += 1;
        node.withdrawal.agreement.key = key(node.keys);
        node.withdrawal.attempts.clear();
        node.withdrawal.decision = None;
        node.key_refused = false;
        node.first_send = None;
    }

    fn paid_twice(&mut self, node: &Node) {
        self.totals.double += 1;
        self.totals.double_by_kind[kind_index(node.bank.kind)] += 1;
    }

    /// Adds a finished schedule to the totals.
    fn finish_schedule(&mut self, node: &Node) {
        self.totals.schedules += 1;
        if payout_count(node) > 1 {
            self.paid_twice(node);
        }
        let state = self
            .policy
            .state(&node.withdrawal, &self.clocks(node), &self.window);
        self.check_state(node, &state);
    }

    /// Counts the withdrawal's state as wrong if it contradicts the bank's ledger.
    fn check_state(&mut self, node: &Node, state: &WithdrawalState) {
        let paid = node.bank.payout_count(node.key());
        let is_correct = match state {
            WithdrawalState::Accepted | WithdrawalState::ResolvedPaid => paid > 0,
            WithdrawalState::Prepared | WithdrawalState::Rejected | WithdrawalState::Discarded => {
                paid == 0
            }
            _ => true,
        };
        self.totals.wrong_states += u64::from(!is_correct);
    }
}

impl Gap {
    /// Returns how long the gap lasts from now on, or `None` if the gap's end has already passed.
    fn from(self, node: &Node) -> Option<Ms> {
        match self {
            Gap::For(duration) => Some(duration),
            Gap::UntilAfterFirst(duration) => (node.first_send? + duration).checked_sub(node.now),
        }
    }
}

fn kind_index(kind: BankKind) -> usize {
    BANK_KINDS
        .iter()
        .position(|listed| *listed == kind)
        .expect("one of them")
}

/// Returns how often the bank paid the seller's one payment, counting all of its keys.
fn payout_count(node: &Node) -> usize {
    (1..=node.keys).map(|key| node.bank.payout_count(key)).sum()
}

fn class(
    reply: Reply,
    agreement: &Agreement,
    contract: &Contract,
    is_resend: bool,
    policy: Policy,
) -> Class {
    let (status, body) = match reply {
        Reply::NotSent => {
            let failure = Failure::NotSent(NotSent::Connect);
            return classify(Err(&failure), agreement, contract, is_resend, Wall(0));
        }
        Reply::Cut => {
            let failure = Failure::NoAnswer(NoAnswer::Cut);
            return classify(Err(&failure), agreement, contract, is_resend, Wall(0));
        }
        Reply::Status(status @ 200..300) if policy.teaches => (status, lessons::PAID),
        Reply::Status(status) => (status, r#"{"id":"w-1","message":"..."}"#),
        Reply::Success(body) => (201, body),
    };
    let body = body.as_bytes().to_vec();
    let reply = RawReply {
        status,
        headers: Vec::new(),
        body,
        end: BodyEnd::Whole,
    };
    classify(Ok(&reply), agreement, contract, is_resend, Wall(0))
}

fn key(n: u128) -> IdempotencyKey {
    IdempotencyKey(uuid::Uuid::from_u128(n))
}

fn withdrawal(n: u128, body: &Arc<str>) -> Withdrawal {
    let origin = Origin("https://pay.example".into());
    let agreement = Agreement {
        key: key(n),
        account: Account {
            origin,
            identity: "ana@loja.example".into(),
        },
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
        agreed: Clocks {
            wall: Wall(0),
            boot_ms: 0,
            boot_id: "boot 0".into(),
        },
    };
    Withdrawal {
        agreement,
        attempts: Vec::new(),
        decision: None,
        prepared_by: None,
        decided_by: None,
        approvals: Default::default(),
    }
}
