//! A life (random run) of a team: operators at two machines, with two windows each, want to make
//! the same payments, while the log, the network, the disks, the clocks and the processes fail at
//! random. Start reading at `run_life`.

use std::cell::{RefCell, RefMut};
use std::rc::Rc;
use std::time::Duration;

use balcao::cashier::Report;
use balcao::journal::money::TAKEOVER_WAIT;
use balcao::trade::withdrawal::{
    Blocker, Clash, ClashKind, Decision, NotDone, Withdrawal, WithdrawalState,
};
use balcao::trade::{IdempotencyKey, JournalTrouble};
use uuid::Uuid;

use super::outside::{MachineClocks, Outside, TeamWire};
use super::server::{MACHINES, MemoryLog, Server};
use super::tally::{Tally, Violation};
use super::window::Window;
use crate::bank::{MINUTE, Ms, SECOND};
use crate::chance::Random;
use crate::memory::{DiskFailure, MemoryDisk, SharedDisk};
use crate::samples::{WINDOW, account, agreement};

/// The number of windows of each machine.
const WINDOWS: usize = 2;

/// The rules of a team. All but one are weaker than the production rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    Production,
    /// No machine waits for another. Instead, the sender holds a lock of the database, which the
    /// database releases when it loses the connection.
    DatabaseLock,
    /// A row that is read after a doubt counts as durable.
    ReadIsProof,
    /// The database loses acknowledged rows, and not every machine notices that before it writes.
    UnnoticedRewind,
}

/// A payment that every operator wants to be made exactly once.
struct IntendedPayment {
    centavos: i64,
    /// The idempotency keys of all withdrawals that were confirmed for this payment.
    keys: Vec<IdempotencyKey>,
    /// True if an operator has stated "not paid" while the bank could still pay.
    is_operators_fault: bool,
}

struct Machine {
    shared_disk: SharedDisk,
    windows: [Option<Window>; WINDOWS],
    /// True if the log has other events than the machine's mirror, so that it is locked.
    is_forked: bool,
}

/// The state of one life.
struct Life {
    policy: Policy,
    outside: Rc<RefCell<Outside>>,
    server: Server,
    machines: [Machine; MACHINES],
    payments: Vec<IntendedPayment>,
    keys: u128,
    disk_failures: u64,
}

/// The result of one life.
pub struct LifeResult {
    pub violations: Vec<Violation>,
    pub tally: Tally,
    pub trace: Vec<String>,
}

/// Simulates the life of a seed.
pub fn run_life(policy: Policy, seed: u64, with_trace: bool) -> LifeResult {
    let mut random = Random::from_seed(seed);
    let server = Server::new(Random::from_seed(seed ^ 0x7465_616d));
    let disk_failures = random.one_of(&[0, 0, 5]);
    let payments = match policy {
        Policy::Production => 1 + random.below(4),
        _ => 1,
    };
    let outside = Rc::new(RefCell::new(Outside::new(random, with_trace)));
    let mut life = Life {
        policy,
        outside,
        server,
        machines: [0, 1].map(|_| Machine {
            shared_disk: SharedDisk::default(),
            windows: [None, None],
            is_forked: false,
        }),
        payments: (1..=payments as i64)
            .map(|n| IntendedPayment {
                centavos: 1_000 * n,
                keys: Vec::new(),
                is_operators_fault: false,
            })
            .collect(),
        keys: 0,
        disk_failures,
    };
    let steps = 15 + life.outside().random.below(25);
    for _ in 0..steps {
        life.step();
    }
    life.finish();
    let mut outside = life.outside();
    let mut tally = outside.tally.clone();
    tally.log = life.server.state().tally;
    LifeResult {
        violations: outside.violations.clone(),
        tally,
        trace: outside.trace.take().unwrap_or_default(),
    }
}

impl Life {
    fn outside(&self) -> RefMut<'_, Outside> {
        self.outside.borrow_mut()
    }

    /// Performs one random event, such as a key press of an operator or a restart.
    fn step(&mut self) {
        let machine = self.outside().random.below(MACHINES as u64) as usize;
        let index = self.outside().random.below(WINDOWS as u64) as usize;
        if !self.start(machine, index) {
            return;
        }
        self.maybe_reconnect(machine);
        self.plan_disk_failure(machine, index);
        if self.outside().random.percent_chance(15) {
            self.provoke(machine, index);
        }
        let chance = self.outside().random.below(100);
        match chance {
            0..13 => self.confirm(machine, index),
            13..45 => self.press_send(machine, index),
            45..54 => self.pull(machine, index),
            54..66 => self.check_bank_account(machine, index),
            66..69 => self.discard_any(machine, index),
            69..84 => self.wait(),
            84..88 => self.kill(machine, index),
            88..89 => self.reboot(machine),
            89..92 => self.disconnect(machine),
            92..98 => self.take_over(),
            98.. => self.rewind(),
        }
        self.remove_broken_windows();
    }

    /// Lets the mishap happen more often that a weaker rule does not survive.
    fn provoke(&mut self, machine: usize, index: usize) {
        match self.policy {
            Policy::Production => {}
            Policy::DatabaseLock => {
                let other = MACHINES - 1 - machine;
                let mut windows = self.machines[machine].windows.iter().flatten();
                if windows.any(Window::is_sending) && self.start(other, index) {
                    self.disconnect(machine);
                    self.pull(other, index);
                    for _ in 0..4 {
                        self.check_bank_account(other, index);
                    }
                    self.advance(40 * SECOND);
                    self.press_send(other, index);
                }
            }
            Policy::ReadIsProof => self.take_over(),
            Policy::UnnoticedRewind => self.rewind(),
        }
    }

    /// Starts a window if it is closed. Returns false if it cannot be used.
    fn start(&mut self, machine: usize, index: usize) -> bool {
        let policy = self.policy;
        if self.machines[machine].is_forked {
            return false;
        }
        if self.machines[machine].windows[index].is_some() {
            return true;
        }
        let log = MemoryLog::new(&self.server, machine, policy == Policy::ReadIsProof);
        let clocks = MachineClocks {
            outside: self.outside.clone(),
            machine,
        };
        let wire = TeamWire {
            clocks,
            window: index,
            log,
            due: Rc::default(),
        };
        let takeover_wait = match policy {
            Policy::DatabaseLock => Duration::ZERO,
            _ => TAKEOVER_WAIT,
        };
        let disk = MemoryDisk::new(&self.machines[machine].shared_disk);
        match Window::start(disk, wire, takeover_wait) {
            Ok(window) => {
                self.machines[machine].windows[index] = Some(window);
                true
            }
            Err(trouble) => {
                let mut outside = self.outside();
                outside.report_violation(Violation::NoJournal, || trouble.to_string());
                false
            }
        }
    }

    fn window(&self, machine: usize, index: usize) -> &Window {
        let window = self.machines[machine].windows[index].as_ref();
        window.expect("the window was started")
    }

    fn plan_disk_failure(&self, machine: usize, index: usize) {
        let mut outside = self.outside();
        if outside.random.percent_chance(self.disk_failures) {
            let steps = outside.random.below(20);
            let failure = outside.random.one_of(&DiskFailure::ALL);
            outside.tally.disk_failures += 1;
            self.window(machine, index).disk.plan(steps, failure);
        }
    }

    /// Confirms a new withdrawal for a random payment. The operator does not look at the list
    /// before, so only the journal prevents a second payment.
    fn confirm(&mut self, machine: usize, index: usize) {
        let payment = self.outside().random.below(self.payments.len() as u64) as usize;
        let identity = self
            .outside()
            .random
            .one_of(&["ana@loja", "ana@loja", "bia@loja"]);
        self.keys += 1;
        let key = IdempotencyKey(Uuid::from_u128(self.keys));
        let window = self.window(machine, index);
        let terms = agreement(
            key,
            account("https://pay.example", identity),
            self.payments[payment].centavos,
            window.now(),
            &format!("machine {machine}"),
        );
        self.payments[payment].keys.push(key);
        loop {
            let window = self.window(machine, index);
            let retyped = window.retyped(key, terms.amount);
            let prepared = window.journal(|journal| journal.prepare(terms.clone(), retyped));
            let result = match &prepared {
                Ok(_) => "Ok".to_owned(),
                Err(why) => describe(why),
            };
            self.outside()
                .log(|| format!("{key:?} prepared by {machine}: {result}"));
            let Err(why) = prepared else { return };
            if !self.accept(machine, index, key, &why) {
                return;
            }
        }
    }

    /// Lets the operator read why a withdrawal is not stored or sent. Returns true if the operator
    /// types the amount again, because the other withdrawal is no payment of the same.
    fn accept(&mut self, machine: usize, index: usize, key: IdempotencyKey, why: &NotDone) -> bool {
        let clash = match why {
            NotDone::Blocked(Blocker::Clash(clash)) => clash,
            NotDone::Blocked(Blocker::SentElsewhere { .. }) => {
                self.outside().tally.waits += 1;
                return false;
            }
            NotDone::Journal(JournalTrouble::Doubt(_)) => {
                self.outside().tally.doubts += 1;
                return false;
            }
            _ => return false,
        };
        if clash.kind == ClashKind::SamePrepared {
            self.outside().tally.prepared_clashes += 1;
            // Sometimes the operator discards the other one instead.
            return self.outside().random.percent_chance(30)
                && self.discard(machine, index, clash.other.agreement.key);
        }
        let is_accepted =
            self.is_harmless(machine, index, clash) && self.outside().random.percent_chance(70);
        if let Some(window) = &mut self.machines[machine].windows[index]
            && is_accepted
        {
            let accepted = window.accepted.entry(key).or_default();
            accepted.push(clash.other.agreement.key);
        }
        is_accepted
    }

    /// Returns true if an honest operator accepts a conflict with this withdrawal.
    fn is_harmless(&self, machine: usize, index: usize, clash: &Clash) -> bool {
        match clash.kind {
            ClashKind::OtherOpen => true,
            // Another operator has looked, and it was not paid.
            ClashKind::SameDecided => {
                let now = self.window(machine, index).now();
                clash.other.state(&now, &WINDOW, false) == WithdrawalState::ResolvedNotPaid
            }
            ClashKind::Mismatch
            | ClashKind::SameOpen
            | ClashKind::SameOpenElsewhere
            | ClashKind::SamePrepared => false,
        }
    }

    /// A random withdrawal, with the position of its payment.
    fn random_withdrawal(&self) -> Option<(usize, IdempotencyKey)> {
        let payments = self.payments.iter().enumerate();
        let all: Vec<_> = payments
            .flat_map(|(payment, intended)| intended.keys.iter().map(move |key| (payment, *key)))
            .collect();
        if all.is_empty() {
            return None;
        }
        Some(self.outside().random.one_of(&all))
    }

    /// Takes the lock of the database for this machine. Returns false if the other machine has it.
    /// Without such a lock, does nothing.
    fn takes_lock(&self, machine: usize) -> bool {
        let holder = &mut self.server.state().lock_holder;
        if self.policy != Policy::DatabaseLock {
            return true;
        }
        *holder.get_or_insert(machine) == machine
    }

    /// A random withdrawal that this window offers to send.
    fn undecided_withdrawal(&self, machine: usize, index: usize) -> Option<IdempotencyKey> {
        let window = self.window(machine, index);
        for _ in 0..3 {
            let (_, key) = self.random_withdrawal()?;
            let state = window
                .get(key)
                .map(|it| it.state(&window.now(), &WINDOW, false));
            if let Some(WithdrawalState::Prepared | WithdrawalState::Unknown) = state {
                return Some(key);
            }
        }
        None
    }

    fn press_send(&mut self, machine: usize, index: usize) {
        let Some(key) = self.undecided_withdrawal(machine, index) else {
            return self.confirm(machine, index);
        };
        loop {
            let window = self.window(machine, index);
            let Some(withdrawal) = window.get(key).filter(|_| !window.is_sending()) else {
                return;
            };
            let retyped = window.retyped(key, withdrawal.agreement.amount);
            if !self.takes_lock(machine) {
                return;
            }
            if let Some(window) = &mut self.machines[machine].windows[index] {
                window.send(key, retyped);
            }
            let refusal = self.handle_reports(machine, index);
            if !refusal.is_some_and(|why| self.accept(machine, index, key, &why)) {
                return;
            }
        }
    }

    /// Handles the cashier's reports of a window. Returns the reason why an attempt did not begin.
    fn handle_reports(&mut self, machine: usize, index: usize) -> Option<NotDone> {
        let window = self.machines[machine].windows[index].as_ref()?;
        let mut refusal = None;
        for report in window.take_reports() {
            match report {
                Report::AttemptBegan { .. } => {}
                Report::Settled(withdrawal) => self.check_state(&withdrawal, window),
                Report::NotBegun { key, why } => {
                    let why_text = describe(&why);
                    let text = format!("{key:?} is not sent by {machine}: {why_text}");
                    self.outside().log(|| text);
                    refusal = Some(why);
                }
                Report::Unrecorded { key, trouble, .. } => {
                    let mut outside = self.outside();
                    outside.tally.kept_ends += 1;
                    outside.log(|| format!("{key:?} unrecorded: {trouble:?}"));
                }
            }
        }
        self.release_lock(machine);
        refusal
    }

    /// Checks that a withdrawal's state agrees with the bank's ledger. The state in a mirror that
    /// is behind the log may be older.
    fn check_state(&self, withdrawal: &Withdrawal, window: &Window) {
        if window.journal(|journal| journal.events()) != self.server.end().0 {
            return;
        }
        let key = withdrawal.agreement.key.0.as_u128();
        let state = withdrawal.state(&window.now(), &WINDOW, false);
        let mut outside = self.outside();
        let paid = outside.bank.payout_count(key);
        let is_consistent = match state {
            WithdrawalState::Accepted | WithdrawalState::ResolvedPaid => paid > 0,
            WithdrawalState::Rejected | WithdrawalState::Discarded | WithdrawalState::Prepared => {
                paid == 0 && !outside.is_outstanding(key)
            }
            _ => true,
        };
        outside.log(|| format!("{key} is {}, paid {paid} times", state.name()));
        if !is_consistent {
            outside.report_violation(Violation::Untrue, || format!("{key} is {state:?}"));
        }
    }

    fn pull(&mut self, machine: usize, index: usize) {
        let pulled = self
            .window(machine, index)
            .journal(|journal| journal.pull());
        self.outside()
            .log(|| format!("machine {machine} pulls: {pulled:?}"));
        if pulled.is_ok() && self.outside().random.percent_chance(50) {
            let flushed = self
                .window(machine, index)
                .journal(|journal| journal.flush_ends());
            self.outside()
                .log(|| format!("machine {machine} flushes: {flushed:?}"));
        }
    }

    /// Simulates that an operator checks the bank account, and truthfully states whether a
    /// withdrawal was paid.
    fn check_bank_account(&mut self, machine: usize, index: usize) {
        let stale_now = self.window(machine, index).now();
        let is_late = self.outside().random.percent_chance(15);
        if is_late {
            // The decision waits for the thread of the journal, while the other machine sends.
            let other = MACHINES - 1 - machine;
            if self.start(other, index) {
                self.press_send(other, index);
            }
            self.advance(40 * SECOND);
        }
        let Some((payment, key)) = self.random_withdrawal() else {
            return;
        };
        let (paid, outstanding) = {
            let outside = self.outside();
            let key = key.0.as_u128();
            let paid = outside.bank.payouts_until(key, outside.now) > 0;
            (paid, outside.is_outstanding(key))
        };
        let decision = if paid {
            Decision::FoundPaid
        } else {
            Decision::StatedNotPaid
        };
        if !self.takes_lock(machine) {
            return;
        }
        let window = self.window(machine, index);
        let now = if is_late { stale_now } else { window.now() };
        let decided = window.journal(|journal| journal.decide(key, decision, &now, &WINDOW));
        let outcome = decided.as_ref().map(drop).map_err(Clone::clone);
        self.outside()
            .log(|| format!("{decision:?} of {key:?} by {machine}: {outcome:?}"));
        let may_be_written = matches!(decided, Ok(_) | Err(NotDone::Journal(_)));
        match decided {
            Ok(withdrawal) => {
                let last = withdrawal.attempts.last();
                let is_takeover = last.is_some_and(|last| last.began.boot_id != now.boot_id);
                self.outside().tally.takeovers += u64::from(is_takeover);
                self.check_state(&withdrawal, self.window(machine, index));
            }
            Err(why) => _ = self.accept(machine, index, key, &why),
        }
        self.handle_reports(machine, index);
        self.payments[payment].is_operators_fault |= may_be_written && !paid && outstanding;
    }

    /// Discards a withdrawal. Returns true if the journal allowed it.
    fn discard(&self, machine: usize, index: usize, key: IdempotencyKey) -> bool {
        if !self.takes_lock(machine) {
            return false;
        }
        let window = self.window(machine, index);
        let now = window.now();
        let discarded = Decision::Discarded;
        let decided = window.journal(|journal| journal.decide(key, discarded, &now, &WINDOW));
        self.release_lock(machine);
        if let Ok(withdrawal) = &decided {
            self.check_state(withdrawal, window);
        }
        decided.is_ok()
    }

    fn discard_any(&self, machine: usize, index: usize) {
        if let Some((_, key)) = self.random_withdrawal() {
            self.discard(machine, index, key);
        }
    }

    fn wait(&mut self) {
        let duration = self.outside().random.one_of(&[
            5 * SECOND,
            20 * SECOND,
            40 * SECOND,
            80 * SECOND,
            90 * SECOND,
            2 * MINUTE,
            11 * MINUTE,
        ]);
        self.advance(duration);
    }

    /// Advances the time, and continues the attempts in flight at their times.
    fn advance(&mut self, duration: Ms) {
        let end = self.outside().now + duration;
        loop {
            let windows = self.machines.iter().enumerate().flat_map(|(machine, it)| {
                let windows = it.windows.iter().enumerate();
                windows.filter_map(move |(index, window)| {
                    Some((window.as_ref()?.due()?, machine, index))
                })
            });
            let Some((due, machine, index)) = windows.min().filter(|(due, ..)| *due <= end) else {
                break;
            };
            self.outside().advance_to(due);
            if let Some(window) = &mut self.machines[machine].windows[index] {
                window.resume();
            }
            self.handle_reports(machine, index);
        }
        self.outside().advance_to(end);
    }

    fn kill(&mut self, machine: usize, index: usize) {
        if self.machines[machine].windows[index].take().is_some() {
            let mut outside = self.outside();
            outside.tally.deaths += 1;
            outside.end_flight(machine, index);
            outside.log(|| format!("window {index} of {machine} is killed"));
        }
        self.release_lock(machine);
    }

    fn reboot(&mut self, machine: usize) {
        for index in 0..WINDOWS {
            self.kill(machine, index);
        }
        let keeps_last_rename = self.outside().random.percent_chance(50);
        self.machines[machine]
            .shared_disk
            .lose_power(keeps_last_rename);
        self.outside().reboot(machine);
    }

    /// Releases the lock of the database, unless a window of this machine is sending.
    fn release_lock(&self, machine: usize) {
        let mut windows = self.machines[machine].windows.iter().flatten();
        if !windows.any(Window::is_sending) {
            let holder = &mut self.server.state().lock_holder;
            holder.take_if(|holder| *holder == machine);
        }
    }

    /// Disconnects a machine from the log. It learns of that only sometimes.
    fn disconnect(&self, machine: usize) {
        self.server.state().is_offline[machine] = true;
        let holder = &mut self.server.state().lock_holder;
        holder.take_if(|holder| *holder == machine);
        if self.outside().random.percent_chance(50) {
            for window in self.machines[machine].windows.iter().flatten() {
                window.wire.log.cut();
            }
        }
        self.outside()
            .log(|| format!("machine {machine} is offline"));
    }

    fn maybe_reconnect(&self, machine: usize) {
        if self.outside().random.percent_chance(25) {
            self.server.state().is_offline[machine] = false;
        }
    }

    fn take_over(&mut self) {
        self.server.take_over();
        self.outside().log(|| "the standby takes over".into());
    }

    /// Restores an earlier state of the database. The team notices it: each machine reads the log
    /// before anything is written.
    ///
    /// That heals the log only if no mirror has a row that the log lost before: such a row could
    /// take the place of an acknowledged one.
    fn rewind(&mut self) {
        let is_noticed = self.policy != Policy::UnnoticedRewind;
        let is_healable = self.machines.iter().all(|machine| {
            let is_mirror = machine.shared_disk.inspect(|rows, _| {
                rows.last()
                    .is_none_or(|last| self.server.contains(last.n, &last.sum))
            });
            is_mirror && !machine.is_forked
        });
        if is_noticed && !is_healable || !self.server.rewind() {
            return;
        }
        self.outside().log(|| "the database is rewound".into());
        if is_noticed {
            let faults = std::mem::take(&mut self.server.state().faults);
            let is_offline = std::mem::take(&mut self.server.state().is_offline);
            self.pull_everywhere();
            self.server.state().faults = faults;
            self.server.state().is_offline = is_offline;
        }
    }

    /// Lets each machine read the log, and append what the log has lost.
    fn pull_everywhere(&mut self) {
        for machine in 0..MACHINES {
            for _ in 0..4 {
                self.kill(machine, 0);
                if !self.start(machine, 0) {
                    break;
                }
                if self
                    .window(machine, 0)
                    .journal(|journal| journal.pull())
                    .is_ok()
                {
                    break;
                }
                self.remove_broken_windows();
            }
        }
    }

    /// Closes the windows that died at a disk step, or whose journal had an error.
    fn remove_broken_windows(&mut self) {
        for machine in 0..MACHINES {
            for index in 0..WINDOWS {
                let Some(window) = &self.machines[machine].windows[index] else {
                    continue;
                };
                let trouble = window.journal(|journal| journal.trouble().cloned());
                let is_dead = window.disk.is_dead();
                match &trouble {
                    None | Some(JournalTrouble::Io(_)) => {}
                    Some(JournalTrouble::Forked { .. }) => {
                        self.machines[machine].is_forked = true;
                        let mut outside = self.outside();
                        outside.tally.forks += 1;
                        outside.log(|| format!("machine {machine} is locked: {trouble:?}"));
                    }
                    Some(trouble) => {
                        let text = trouble.to_string();
                        let mut outside = self.outside();
                        outside.report_violation(Violation::NoJournal, || text);
                    }
                }
                if is_dead || trouble.is_some() {
                    self.kill(machine, index);
                }
            }
            if self.machines[machine].is_forked {
                self.machines[machine].windows = [None, None];
            }
        }
    }

    /// Ends the life: lets all replies and delayed requests arrive, and checks and decides every
    /// withdrawal.
    fn finish(&mut self) {
        self.advance(MINUTE);
        self.server.state().faults = 0;
        self.server.state().is_offline = [false; MACHINES];
        self.advance(20 * MINUTE);
        self.remove_broken_windows();
        for machine in &mut self.machines {
            machine.windows = [None, None];
        }
        self.pull_everywhere();
        self.remove_broken_windows();
        self.outside().log(|| "time is over".into());
        for machine in 0..MACHINES {
            if self.machines[machine].windows[0].is_some() {
                self.check_mirror(machine);
                self.finish_withdrawals(machine);
            }
        }
        for payment in &self.payments {
            let mut outside = self.outside();
            let bank = &outside.bank;
            let paid: Vec<_> = payment
                .keys
                .iter()
                .map(|key| bank.payout_count(key.0.as_u128()))
                .collect();
            let count: usize = paid.iter().sum();
            outside.tally.payouts += count as u64;
            if count > 1 && !payment.is_operators_fault {
                let keys = &payment.keys;
                outside.report_violation(Violation::PaidTwice, || format!("{keys:?}: {paid:?}"));
            }
        }
    }

    /// Checks that the mirror of a machine is whole and equals the log.
    fn check_mirror(&mut self, machine: usize) {
        let window = self.window(machine, 0);
        let end = window.journal(|journal| {
            journal.pull()?;
            journal.verify()?;
            Ok::<_, JournalTrouble>(journal.last_event())
        });
        let (n, sum) = self.server.end();
        let is_equal = end
            .as_ref()
            .is_ok_and(|end| end.n == n && sum.is_none_or(|sum| sum == end.sum));
        if !is_equal {
            let text = format!("machine {machine}: {end:?}, the log has {n}");
            self.outside()
                .report_violation(Violation::NoJournal, || text);
        }
    }

    /// Checks each withdrawal, and decides every open one.
    fn finish_withdrawals(&mut self, machine: usize) {
        let keys: Vec<_> = self
            .payments
            .iter()
            .flat_map(|payment| payment.keys.clone())
            .collect();
        for key in keys {
            // The first try starts the wait for attempts of other machines.
            for _ in 0..3 {
                if self.is_finished(machine, key) {
                    break;
                }
                self.advance(90 * SECOND);
            }
            if !self.is_finished(machine, key) {
                let mut outside = self.outside();
                outside.report_violation(Violation::LeftOpen, || format!("{key:?}"));
            }
        }
    }

    /// Checks a withdrawal, and decides it if it is open. Returns false if it stays open.
    fn is_finished(&self, machine: usize, key: IdempotencyKey) -> bool {
        let window = self.window(machine, 0);
        let Some(withdrawal) = window.get(key) else {
            return true;
        };
        self.check_state(&withdrawal, window);
        let now = window.now();
        if !withdrawal.state(&now, &WINDOW, false).is_open() {
            return true;
        }
        let decision = match self.outside().bank.payout_count(key.0.as_u128()) {
            0 => Decision::StatedNotPaid,
            _ => Decision::FoundPaid,
        };
        let decided = window.journal(|journal| journal.decide(key, decision, &now, &WINDOW));
        decided.is_ok_and(|decided| {
            self.check_state(&decided, window);
            true
        })
    }
}

/// The reason why a withdrawal was not stored or sent, without values that differ in each run.
fn describe(why: &NotDone) -> String {
    match why {
        NotDone::Blocked(Blocker::Clash(clash)) => {
            format!("{:?} with {:?}", clash.kind, clash.other.agreement.key)
        }
        why => format!("{why:?}"),
    }
}
