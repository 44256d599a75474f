//! A life (random run): a seller acts in two windows (processes) of the app, while disk, network,
//! clocks and processes fail at random. Start reading at `run_life`.

mod lessons;

use std::cell::{RefCell, RefMut};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use balcao::cashier::Report;
use balcao::contract::Contract;
use balcao::service::{self, Limits};
use balcao::trade::withdrawal::{
    Blocker, Decision, NotDone, Retyped, Window as ResendLimits, WithdrawalState,
};
use balcao::trade::{Account, Agreement, IdempotencyKey, JournalTrouble, Money, Withdrawal};

use self::lessons::Lessons;
use super::outside::{Environment, ProcessClocks, ReplyStyle, STATES, Tally, Violation};
use super::window::Window;
use super::wire::SimulatedWire;
use crate::bank::{BankKind, HOUR, MINUTE, Ms, SECOND};
use crate::chance::Random;
use crate::memory::{DiskFailure, MemoryDisk, SharedDisk};
use crate::samples::{account, agreement};

/// The time after a payment in which the journal must warn about a repeated payment. It is an hour
/// less than the journal's 24 hours, so that the test does not depend on the exact limit.
const WARNING_PERIOD: Ms = 23 * HOUR;

/// A payment that the seller wants to make exactly once.
struct IntendedPayment {
    amount: Money,
    /// The idempotency keys of all withdrawals that were confirmed for this payment.
    keys: Vec<IdempotencyKey>,
    /// The time at which the seller first saw that the payment was made, if ever.
    seen_paid_at: Option<Ms>,
    /// True if a second payment would be the seller's own fault. The seller has retyped the amount
    /// after seeing that the payment was made, or has stated "not paid" while the bank could still
    /// pay.
    is_sellers_fault: bool,
}

/// The inputs of all lives (random runs).
pub struct World {
    contracts: [Arc<Contract>; 3],
    account: Account,
    lessons: Lessons,
    /// True if a resend may follow at once, which the production rules forbid.
    resends_at_once: bool,
}

impl World {
    pub fn new() -> World {
        let contract = |text| {
            Arc::new(Contract::from_program_files(&[("own.toml", text)]).expect("a contract"))
        };
        World {
            contracts: [
                Arc::new(Contract::built_in()),
                contract("confirmed = ['withdrawal.echo_amount', 'withdrawal.echo_destination']"),
                contract("withdrawal.empty_success = true"),
            ],
            account: account("https://pay.example", "ana@loja.example"),
            lessons: Lessons::new(service::window(&Contract::built_in(), &Limits::default())),
            resends_at_once: false,
        }
    }

    /// Creates inputs with which a resend may follow immediately, against the production rules.
    pub fn with_immediate_resend() -> World {
        World {
            resends_at_once: true,
            ..World::new()
        }
    }

    fn resend_limits(&self, contract: &Contract) -> ResendLimits {
        let window = service::window(contract, &Limits::default());
        let resend_after = if self.resends_at_once {
            Duration::ZERO
        } else {
            window.resend_after
        };
        ResendLimits {
            resend_after,
            ..window
        }
    }
}

/// The state of one life (random run).
pub struct Life<'a> {
    world: &'a World,
    environment: Rc<RefCell<Environment>>,
    shared_disk: SharedDisk,
    contract: Arc<Contract>,
    resend_limits: Rc<ResendLimits>,
    windows: [Option<Window>; 2],
    payments: Vec<IntendedPayment>,
    processes: u64,
    keys: u128,
    /// The withdrawals that got a contradicting reply.
    contradicted: RefCell<BTreeSet<IdempotencyKey>>,
    /// The withdrawals that the seller found in the bank account.
    looked_up: RefCell<BTreeSet<IdempotencyKey>>,
}

/// The result of one life (random run).
pub struct LifeResult {
    pub violation: Option<Violation>,
    pub tally: Tally,
    pub trace: Vec<String>,
}

/// Simulates the life (random run) of a seed. If `kind` is `None`, the bank imitates a random one
/// of the real banks.
pub fn run_life(world: &World, seed: u64, kind: Option<BankKind>, with_trace: bool) -> LifeResult {
    let mut random = Random::from_seed(seed);
    let random_kind = random.one_of(&BankKind::REAL);
    let contract_index = random.below(world.contracts.len() as u64) as usize;
    let style = ReplyStyle::of_seed(seed);
    let environment = Environment::new(kind.unwrap_or(random_kind), style, random, with_trace);
    let contract_index = match style {
        ReplyStyle::Known => contract_index,
        // The last contract reads empty replies of every bank.
        ReplyStyle::Foreign | ReplyStyle::Empty => contract_index % 2,
    };
    let contract = world.contracts[contract_index].clone();
    let mut life = Life {
        world,
        environment: Rc::new(RefCell::new(environment)),
        shared_disk: SharedDisk::default(),
        resend_limits: Rc::new(world.resend_limits(&contract)),
        contract,
        windows: [None, None],
        payments: Vec::new(),
        processes: 0,
        keys: 0,
        contradicted: RefCell::default(),
        looked_up: RefCell::default(),
    };
    let steps = 8 + life.environment().random.below(16);
    for _ in 0..steps {
        life.step();
        if life.environment().violation.is_some() {
            break;
        }
    }
    life.finish();
    let mut environment = life.environment();
    let violation = environment.violation;
    let tally = environment.tally.clone();
    LifeResult {
        violation,
        tally,
        trace: environment.trace.take().unwrap_or_default(),
    }
}

impl Life<'_> {
    fn environment(&self) -> RefMut<'_, Environment> {
        self.environment.borrow_mut()
    }

    fn report_violation(&self, violation: Violation, what: impl FnOnce() -> String) {
        self.environment().report_violation(violation, what);
    }

    /// Performs one random event, such as a key press of the seller or a restart.
    fn step(&mut self) {
        let index = usize::from(self.environment().random.percent_chance(25));
        if self.windows[index].is_none() {
            self.start(index);
        }
        self.plan_disk_failure(index);
        let style = self.environment().style;
        if style == ReplyStyle::Foreign && self.environment().random.percent_chance(25) {
            self.teach(index);
        }
        let roll = self.environment().random.below(100);
        match roll {
            0..14 => self.confirm(index),
            14..52 => self.press_send(index),
            52..66 => self.wait(),
            66..76 => self.check_bank_account(index),
            76..82 => self.kill(index),
            82..86 => self.reboot(),
            86..90 => self.discard(index),
            90..93 => self.try_forbidden_decision(index),
            93..96 => self.restart_bank(),
            _ => self.set_clock(),
        }
        self.advance_time(SECOND);
        // Usually, let the bank's reply arrive before the seller acts again.
        if self.environment().random.percent_chance(75) {
            self.receive_replies();
        }
        self.remove_dead_windows();
    }

    fn start(&mut self, index: usize) {
        self.processes += 1;
        let disk = MemoryDisk::new(&self.shared_disk);
        let has_confirmed = self.payments.iter().any(|payment| !payment.keys.is_empty());
        let expects_journal = has_confirmed && !self.shared_disk.has_journal();
        if self.environment().random.percent_chance(5) {
            self.fail_disk_later(&disk, 8);
        }
        let wire = self.wire(self.processes);
        match Window::start(disk, wire, &self.resend_limits, expects_journal) {
            Ok(window) => self.windows[index] = Some(window),
            Err(JournalTrouble::Io(_)) => {}
            Err(trouble) => self.report_violation(Violation::NoJournal, || trouble.to_string()),
        }
        let is_open = self.windows[index].is_some();
        self.environment()
            .log(|| format!("window {index} starts, open: {is_open}"));
    }

    /// Creates the simulated connection and clocks of a process.
    fn wire(&self, process: u64) -> SimulatedWire {
        SimulatedWire {
            environment: self.environment.clone(),
            shared_disk: self.shared_disk.clone(),
            contract: self.contract.clone(),
            clocks: ProcessClocks::start(&self.environment, process),
        }
    }

    fn plan_disk_failure(&self, index: usize) {
        let Some(window) = &self.windows[index] else {
            return;
        };
        let percent = self.environment().conditions.disk_failures;
        if self.environment().random.percent_chance(percent) {
            self.fail_disk_later(&window.disk, 16);
        }
    }

    fn fail_disk_later(&self, disk: &MemoryDisk, steps: u64) {
        let mut environment = self.environment();
        let steps = environment.random.below(steps);
        let failure = environment.random.one_of(&DiskFailure::ALL);
        environment.tally.disk_failures += 1;
        environment.log(|| format!("the disk: {failure:?} after {steps} more steps"));
        disk.plan(steps, failure);
    }

    /// Confirms a withdrawal for a new or an existing intended payment.
    ///
    /// Sometimes the payment has already been made, and the journal must refuse.
    fn confirm(&mut self, index: usize) {
        let is_new = self.payments.is_empty() || self.environment().random.percent_chance(40);
        if is_new && self.payments.len() < 3 {
            let amount = Money::from_centavos(1_000 + self.payments.len() as i64);
            let payment = IntendedPayment {
                amount,
                keys: Vec::new(),
                seen_paid_at: None,
                is_sellers_fault: false,
            };
            self.payments.push(payment);
        }
        let payment_count = self.payments.len() as u64;
        let payment = if is_new {
            self.payments.len() - 1
        } else {
            self.environment().random.below(payment_count) as usize
        };
        self.read_withdrawals(index);
        if self.may_confirm_again(payment) {
            self.prepare(index, payment);
        }
    }

    fn prepare(&mut self, index: usize, payment: usize) {
        let Some(window) = &self.windows[index] else {
            return;
        };
        self.keys += 1;
        let agreement = self.agreement(self.keys, self.payments[payment].amount, window);
        let key = agreement.key;
        let mut result = window.journal(|journal| journal.prepare(agreement.clone(), None));
        let mut similar_keys = Vec::new();
        while let Err(NotDone::Blocked(Blocker::Clash(clash))) = &result
            && clash.kind.can_be_overridden_by_retyping()
        {
            let other = clash.other.agreement.key;
            if self.environment().random.percent_chance(30) {
                break;
            }
            // The journal warned about a similar payment, and the seller retypes the amount. If the
            // seller has already seen that the payment was made, a second payment is now intended.
            similar_keys.push(other);
            self.payments[payment].is_sellers_fault |=
                self.payments[payment].seen_paid_at.is_some();
            let retyped = Retyped {
                amount: agreement.amount,
                shown_keys: similar_keys.clone(),
            };
            result = window.journal(|journal| journal.prepare(agreement.clone(), Some(retyped)));
        }
        let outcome = result
            .as_ref()
            .map(|_| "prepared")
            .map_err(|why| format!("{why:?}"));
        self.environment().log(|| {
            format!(
                "window {index} confirms {} for wish {payment}: {outcome:?}",
                key.0.as_u128()
            )
        });
        self.environment().tally.refused += u64::from(result.is_err());
        // Keep the key even after a disk error, because the withdrawal may be on disk.
        if !matches!(result, Err(ref why) if !matches!(why, NotDone::Journal(_))) {
            self.payments[payment].keys.push(key);
        }
    }

    fn agreement(&self, n: u128, amount: Money, window: &Window) -> Agreement {
        let key = IdempotencyKey(uuid::Uuid::from_u128(n));
        let centavos = amount.centavos().expect("whole centavos");
        agreement(key, self.world.account.clone(), centavos, window.now(), "")
    }

    /// Returns true if the simulated seller may confirm or send a withdrawal for this payment.
    ///
    /// If the seller has seen that the payment was made, this is true only while the journal must
    /// warn about a repeated payment. The journal warns for a day of wall-clock time.
    fn may_confirm_again(&self, payment: usize) -> bool {
        let environment = self.environment();
        match self.payments[payment].seen_paid_at {
            None => true,
            Some(seen_at) => {
                !environment.conditions.clock_jumps && environment.now < seen_at + WARNING_PERIOD
            }
        }
    }

    /// The simulated seller reads the list of withdrawals, and sees which payments were made.
    fn read_withdrawals(&mut self, index: usize) {
        let Some(window) = &self.windows[index] else {
            return;
        };
        let environment = self.environment.borrow();
        for payment in self
            .payments
            .iter_mut()
            .filter(|payment| payment.seen_paid_at.is_none())
        {
            let paid = |key: &&IdempotencyKey| {
                let withdrawal = window.get(**key);
                withdrawal.is_some_and(|withdrawal| {
                    let state = withdrawal.state(&window.now(), window.resend_limits(), false);
                    matches!(
                        state,
                        WithdrawalState::Accepted | WithdrawalState::ResolvedPaid
                    )
                })
            };
            let paid = payment.keys.iter().find(paid);
            payment.seen_paid_at =
                paid.and_then(|key| environment.payment_seen_at(key.0.as_u128()));
        }
    }

    /// Returns a random withdrawal, and the index of the payment for which it was confirmed.
    fn random_withdrawal(&self) -> Option<(usize, IdempotencyKey)> {
        let of_payment = |index: usize| {
            self.payments[index]
                .keys
                .iter()
                .map(move |key| (index, *key))
        };
        let withdrawals: Vec<_> = (0..self.payments.len()).flat_map(of_payment).collect();
        // Usually pick the newest withdrawal, as a real seller would.
        match withdrawals.last() {
            Some(last) if self.environment().random.percent_chance(75) => Some(*last),
            Some(_) => Some(self.environment().random.one_of(&withdrawals)),
            None => None,
        }
    }

    /// Returns the newest undecided withdrawal in this window. Sometimes returns `None`, and the
    /// caller picks any withdrawal, which the app may have to refuse.
    fn newest_undecided(&self, index: usize) -> Option<(usize, IdempotencyKey)> {
        let window = self.windows[index]
            .as_ref()
            .filter(|_| self.environment().random.percent_chance(85))?;
        let undecided = |key: IdempotencyKey| {
            let withdrawal = window.get(key)?;
            let state = withdrawal.state(&window.now(), window.resend_limits(), false);
            matches!(state, WithdrawalState::Prepared | WithdrawalState::Unknown).then_some(key)
        };
        let payments = self.payments.iter().enumerate().rev();
        payments
            .flat_map(|(payment_index, payment)| {
                payment
                    .keys
                    .iter()
                    .rev()
                    .map(move |key| (payment_index, *key))
            })
            .find_map(|(payment_index, key)| Some((payment_index, undecided(key)?)))
    }

    fn press_send(&mut self, index: usize) {
        if self.payments.iter().all(|payment| payment.keys.is_empty()) {
            self.confirm(index);
        }
        self.read_withdrawals(index);
        let Some((payment, key)) = self
            .newest_undecided(index)
            .or_else(|| self.random_withdrawal())
        else {
            return;
        };
        if self.environment().random.percent_chance(60) {
            self.wait_until_sendable(index, key);
        }
        let may_send = self.may_confirm_again(payment);
        let Some(window) = self.windows[index]
            .as_mut()
            .filter(|window| !window.is_sending())
        else {
            return;
        };
        if may_send {
            self.environment
                .borrow_mut()
                .log(|| format!("window {index} sends {}", key.0.as_u128()));
            window.send(key);
            self.handle_reports(index);
        }
    }

    /// Advances the time until the app allows this withdrawal to be sent again.
    fn wait_until_sendable(&mut self, index: usize, key: IdempotencyKey) {
        let Some(window) = &self.windows[index] else {
            return;
        };
        let Some(withdrawal) = window.get(key) else {
            return;
        };
        let wait = window
            .resend_limits()
            .remaining_wait(&withdrawal.attempts, &window.now());
        self.advance_time(wait.as_millis() as Ms);
    }

    /// Handles the cashier's reports about the withdrawals that a window sends.
    fn handle_reports(&mut self, index: usize) {
        let Some(window) = &self.windows[index] else {
            return;
        };
        for report in window.reports() {
            match report {
                Report::AttemptBegan { .. } => {}
                Report::Settled(withdrawal) => self.check_state(&withdrawal, window),
                Report::NotBegun { key, why } => {
                    let mut environment = self.environment();
                    environment.tally.refused += 1;
                    environment.log(|| format!("{} is not sent: {why:?}", key.0.as_u128()));
                    if let NotDone::Journal(JournalTrouble::Damaged(_))
                    | NotDone::Blocked(Blocker::BodyChanged) = why
                    {
                        environment.report_violation(Violation::NoJournal, || format!("{why:?}"));
                    }
                }
                Report::Unrecorded { key, trouble, .. } => {
                    let mut environment = self.environment();
                    environment.tally.unrecorded += 1;
                    environment.log(|| format!("{} unrecorded: {trouble:?}", key.0.as_u128()));
                }
            }
        }
    }

    /// Checks that a withdrawal's state agrees with the bank's ledger.
    fn check_state(&self, withdrawal: &Withdrawal, window: &Window) {
        let key = withdrawal.agreement.key.0.as_u128();
        let state = withdrawal.state(&window.now(), window.resend_limits(), false);
        let mut environment = self.environment();
        let paid = environment.bank.payout_count(key);
        let outstanding = environment.is_outstanding(key);
        let is_consistent = match state {
            WithdrawalState::Accepted | WithdrawalState::ResolvedPaid => paid > 0,
            WithdrawalState::Rejected | WithdrawalState::Discarded | WithdrawalState::Prepared => {
                paid == 0 && !outstanding
            }
            _ => true,
        };
        environment.log(|| format!("{key} is {}, paid {paid} times", state.name()));
        drop(environment);
        self.check_lessons(withdrawal, &state);
        let mut environment = self.environment();
        if paid > 1 {
            environment.report_violation(Violation::PaidTwice, || key.to_string());
        }
        if !is_consistent {
            environment.report_violation(Violation::Untrue, || {
                format!("{key} is {state:?}, paid {paid} times")
            });
        }
    }

    /// Simulates that the seller checks the bank account, and truthfully states whether a
    /// withdrawal was paid.
    fn check_bank_account(&mut self, index: usize) {
        let Some((payment, key)) = self.random_withdrawal() else {
            return;
        };
        let Some(window) = &self.windows[index] else {
            return;
        };
        let (paid, outstanding) = {
            let environment = self.environment();
            let key = key.0.as_u128();
            (
                environment.bank.payouts_until(key, environment.now) > 0,
                environment.is_outstanding(key),
            )
        };
        let decision = if paid {
            Decision::FoundPaid
        } else {
            Decision::StatedNotPaid
        };
        if paid {
            self.environment().record_payment_seen(key.0.as_u128());
            self.looked_up.borrow_mut().insert(key);
        }
        let decided = window.journal(|journal| {
            journal.decide(key, decision, &window.now(), window.resend_limits())
        });
        let outcome = decided
            .as_ref()
            .map(|_| "written")
            .map_err(|why| format!("{why:?}"));
        self.environment().log(|| {
            format!(
                "the seller says {decision:?} of {}: {outcome:?}",
                key.0.as_u128()
            )
        });
        if let Ok(withdrawal) = &decided {
            self.check_state(withdrawal, window);
        }
        let may_be_written = matches!(decided, Ok(_) | Err(NotDone::Journal(_)));
        self.payments[payment].is_sellers_fault |= may_be_written && !paid && outstanding;
        if paid {
            self.teach_empty_success(index, key);
        }
    }

    fn discard(&mut self, index: usize) {
        let (Some((_, key)), Some(window)) = (self.random_withdrawal(), &self.windows[index])
        else {
            return;
        };
        let decided = window.journal(|journal| {
            journal.decide(
                key,
                Decision::Discarded,
                &window.now(),
                window.resend_limits(),
            )
        });
        self.environment()
            .log(|| format!("{} discarded: {}", key.0.as_u128(), decided.is_ok()));
        if let Ok(withdrawal) = &decided {
            self.check_state(withdrawal, window);
        }
    }

    /// States "not paid" for a withdrawal whose state does not allow that. The journal must refuse.
    fn try_forbidden_decision(&mut self, index: usize) {
        let (Some((_, key)), Some(window)) = (self.random_withdrawal(), &self.windows[index])
        else {
            return;
        };
        let Some(withdrawal) = window.get(key) else {
            return;
        };
        let state = withdrawal.state(&window.now(), window.resend_limits(), false);
        if matches!(
            state,
            WithdrawalState::NeedsPerson(_) | WithdrawalState::Mismatch(_)
        ) {
            return;
        }
        let decided = window.journal(|journal| {
            journal.decide(
                key,
                Decision::StatedNotPaid,
                &window.now(),
                window.resend_limits(),
            )
        });
        if decided.is_ok() {
            self.report_violation(Violation::Allowed, || {
                format!("not paid, of one that is {state:?}")
            });
        }
    }

    fn wait(&mut self) {
        let duration = self.environment().random.one_of(&[
            20 * SECOND,
            35 * SECOND,
            2 * MINUTE,
            4 * MINUTE,
            9 * MINUTE,
            11 * MINUTE,
            31 * MINUTE,
            2 * HOUR,
            25 * HOUR,
        ]);
        if duration > 20 * SECOND {
            // No attempt lasts longer than its deadline, so let an attempt in flight end before
            // more time passes.
            self.advance_time(20 * SECOND);
            self.receive_replies();
        }
        self.environment()
            .log(|| format!("{} s pass", duration / 1_000));
        self.advance_time(duration);
    }

    fn advance_time(&self, duration: Ms) {
        self.environment().advance(duration);
    }

    fn receive_replies(&mut self) {
        for index in 0..self.windows.len() {
            if let Some(window) = &mut self.windows[index] {
                window.resume();
                self.handle_reports(index);
            }
        }
    }

    fn kill(&mut self, index: usize) {
        if self.windows[index].take().is_some() {
            let mut environment = self.environment();
            environment.tally.deaths += 1;
            environment.log(|| format!("window {index} is killed"));
        }
    }

    fn reboot(&mut self) {
        self.windows = [None, None];
        let keeps_last_rename = self.environment().random.percent_chance(50);
        self.shared_disk.lose_power(keeps_last_rename);
        self.environment().reboot();
    }

    fn restart_bank(&self) {
        let mut environment = self.environment();
        environment.bank.restart();
        environment.log(|| "the bank starts again".into());
    }

    fn set_clock(&self) {
        let mut environment = self.environment();
        if environment.conditions.clock_jumps {
            environment.set_clock();
        }
    }

    /// Removes the windows (processes) that died at a disk step, with their unread reports.
    fn remove_dead_windows(&mut self) {
        for index in 0..self.windows.len() {
            let is_dead = self.windows[index]
                .as_ref()
                .is_some_and(|window| window.disk.is_dead());
            // Sooner or later, the seller restarts a window whose journal had a disk error.
            let has_trouble = self.windows[index]
                .as_ref()
                .is_some_and(|window| window.journal(|journal| journal.trouble().is_some()));
            let damage = self.windows[index].as_ref().and_then(|window| {
                window.journal(|journal| match journal.trouble() {
                    Some(JournalTrouble::Io(_)) | None => None,
                    other => other.cloned(),
                })
            });
            if let Some(trouble) = damage {
                self.report_violation(Violation::NoJournal, || trouble.to_string());
            }
            if is_dead || (has_trouble && self.environment().random.percent_chance(40)) {
                self.kill(index);
            }
        }
    }

    /// Ends the life (random run): lets all replies and delayed requests arrive, and checks and
    /// decides every withdrawal.
    fn finish(&mut self) {
        self.advance_time(20 * SECOND);
        self.receive_replies();
        self.windows = [None, None];
        self.advance_time(26 * HOUR);
        self.environment().log(|| "time is over".into());
        let disk = MemoryDisk::new(&self.shared_disk);
        let result = Window::start(disk, self.wire(0), &self.resend_limits, false);
        let window = match result {
            Ok(window) => window,
            Err(trouble) => {
                return self.report_violation(Violation::NoJournal, || trouble.to_string());
            }
        };
        if let Err(trouble) = window.journal(|journal| journal.verify()) {
            self.report_violation(Violation::NoJournal, || trouble.to_string());
        }
        for payment in &self.payments {
            let paid: usize = payment
                .keys
                .iter()
                .map(|key| self.finish_withdrawal(*key, &window))
                .sum();
            self.environment().tally.payouts += paid as u64;
            if paid > 1 && !payment.is_sellers_fault {
                self.report_violation(Violation::PaidAgain, || {
                    format!("{} of {:?}", paid, payment.keys)
                });
            }
        }
        let open_withdrawals = window.journal(|journal| journal.open_withdrawals());
        if open_withdrawals
            .as_ref()
            .is_ok_and(|open_withdrawals| !open_withdrawals.is_empty())
        {
            self.report_violation(Violation::LeftOpen, || format!("{open_withdrawals:?}"));
        }
    }

    /// Checks a withdrawal at the end of a life, and decides it if necessary. Returns how often it
    /// was paid.
    fn finish_withdrawal(&self, key: IdempotencyKey, window: &Window) -> usize {
        let paid = self.environment().bank.payout_count(key.0.as_u128());
        let Some(withdrawal) = window.get(key) else {
            return paid;
        };
        self.check_state(&withdrawal, window);
        let state = withdrawal.state(&window.now(), window.resend_limits(), false);
        self.environment().tally.count_end(state.name());
        if !STATES.contains(&state.name()) {
            self.report_violation(Violation::LeftOpen, || format!("{key} is {state:?}"));
        }
        if !state.is_decided() {
            let decision = match state {
                WithdrawalState::Prepared => Decision::Discarded,
                _ if paid > 0 => {
                    self.looked_up.borrow_mut().insert(key);
                    Decision::FoundPaid
                }
                _ => Decision::StatedNotPaid,
            };
            let now = window.now();
            let decided = window
                .journal(|journal| journal.decide(key, decision, &now, window.resend_limits()));
            match decided {
                Ok(decided) => self.check_state(&decided, window),
                Err(why) => {
                    self.report_violation(Violation::LeftOpen, || format!("{key}: {why:?}"))
                }
            }
        }
        paid
    }
}
