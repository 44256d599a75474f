//! A life (random run): a seller acts in two windows (processes) of the app, while disk, network,
//! clocks and processes fail at random. Start reading at `live`.

use std::cell::{RefCell, RefMut};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use balcao::cashier::Report;
use balcao::contract::Contract;
use balcao::journal::money::WriteRefused;
use balcao::service::{self, Limits};
use balcao::trade::withdrawal::{Decision, Retyped, Window as Sending, WithdrawalState};
use balcao::trade::{Account, Agreement, IdempotencyKey, JournalTrouble, Money, Withdrawal};

use super::outside::{Outside, ProcessClocks, STATES, Tally, Violation};
use super::window::Window;
use super::wire::SimulatedWire;
use crate::bank::{HOUR, Kind, MINUTE, Ms, SECOND};
use crate::chance::Random;
use crate::memory::{DiskFailure, MemoryDisk, SharedDisk};
use crate::samples::{account, agreement};

/// How long after a payment the journal must warn about a repeated one. The journal does so for 24
/// hours; the test relies on an hour less, so as not to depend on the exact limit.
const RECENT: Ms = 23 * HOUR;

/// A payment that the seller wants to make exactly once.
struct IntendedPayment {
    amount: Money,
    /// The idempotency keys of all withdrawals that were confirmed for this payment.
    keys: Vec<IdempotencyKey>,
    /// The time at which the seller first saw that the payment was made, if ever.
    seen_paid: Option<Ms>,
    /// True if a second payment would be the seller's own fault. This is the case after retyping
    /// the amount despite a warning, or after stating "not paid" during the payment.
    knowingly: bool,
}

/// The inputs of all lives (random runs).
pub struct World {
    contracts: [Arc<Contract>; 3],
    account: Account,
    /// True if a resend may follow at once, which the production rules forbid.
    at_once: bool,
}

impl World {
    pub fn new() -> World {
        let with = |text| Arc::new(Contract::own(&[("own.toml", text)]).expect("a contract"));
        World {
            contracts: [
                Arc::new(Contract::built_in()),
                with("confirmed = ['withdrawal.echo_amount', 'withdrawal.echo_destination']"),
                with("withdrawal.empty_success = true"),
            ],
            account: account("https://pay.example", "ana@loja.example"),
            at_once: false,
        }
    }

    /// Creates inputs with which a resend may follow immediately, against the production rules.
    pub fn hasty() -> World {
        World { at_once: true, ..World::new() }
    }

    fn sending(&self, contract: &Contract) -> Sending {
        let sending = service::window(contract, &Limits::default());
        let resend_after = if self.at_once { Duration::ZERO } else { sending.resend_after };
        Sending { resend_after, ..sending }
    }
}

/// The state of one life (random run).
pub struct Life<'a> {
    world: &'a World,
    outside: Rc<RefCell<Outside>>,
    platter: SharedDisk,
    contract: Arc<Contract>,
    sending: Rc<Sending>,
    windows: [Option<Window>; 2],
    wishes: Vec<IntendedPayment>,
    processes: u64,
    keys: u128,
}

/// The result of one life (random run).
pub struct Ended {
    pub violation: Option<Violation>,
    pub tally: Tally,
    pub trace: Vec<String>,
}

/// Simulates the life (random run) of a seed. If `kind` is `None`, the bank imitates a random one
/// of the real banks.
pub fn live(world: &World, seed: u64, kind: Option<Kind>, traced: bool) -> Ended {
    let mut chance = Random::of(seed);
    let drawn = chance.one_of(&Kind::REAL);
    let contract = chance.below(world.contracts.len() as u64) as usize;
    let contract = world.contracts[contract].clone();
    let outside = Outside::new(kind.unwrap_or(drawn), chance, traced);
    let mut life = Life {
        world,
        outside: Rc::new(RefCell::new(outside)),
        platter: SharedDisk::default(),
        sending: Rc::new(world.sending(&contract)),
        contract,
        windows: [None, None],
        wishes: Vec::new(),
        processes: 0,
        keys: 0,
    };
    let steps = 8 + life.outside().chance.below(16);
    for _ in 0..steps {
        life.step();
        if life.outside().violation.is_some() {
            break;
        }
    }
    life.come_to_an_end();
    let mut outside = life.outside();
    let (violation, tally) = (outside.violation, outside.tally.clone());
    Ended { violation, tally, trace: outside.trace.take().unwrap_or_default() }
}

impl Life<'_> {
    fn outside(&self) -> RefMut<'_, Outside> {
        self.outside.borrow_mut()
    }

    fn violated(&self, violation: Violation, what: impl FnOnce() -> String) {
        self.outside().violated(violation, what);
    }

    /// Performs one random event, such as a key press of the seller or a restart.
    fn step(&mut self) {
        let at = usize::from(self.outside().chance.percent(25));
        if self.windows[at].is_none() {
            self.start(at);
        }
        self.plan_a_mishap(at);
        let what = self.outside().chance.below(100);
        match what {
            0..14 => self.confirm(at),
            14..52 => self.press_send(at),
            52..66 => self.wait(),
            66..76 => self.look(at),
            76..82 => self.kill(at),
            82..86 => self.reboot(),
            86..90 => self.discard(at),
            90..93 => self.decide_carelessly(at),
            93..96 => self.restart_bank(),
            _ => self.set_clock(),
        }
        self.let_time_pass(SECOND);
        // Usually, let the bank's reply arrive before the seller acts again.
        if self.outside().chance.percent(75) {
            self.let_replies_come();
        }
        self.bury_the_dead();
    }

    fn start(&mut self, at: usize) {
        self.processes += 1;
        let disk = MemoryDisk::new(&self.platter);
        let confirmed = self.wishes.iter().any(|wish| !wish.keys.is_empty());
        let expected = confirmed && !self.platter.has_journal();
        if self.outside().chance.percent(5) {
            self.mishap(&disk, 8);
        }
        let wire = self.wire(self.processes);
        match Window::start(disk, wire, &self.sending, expected) {
            Ok(window) => self.windows[at] = Some(window),
            Err(JournalTrouble::Io(_)) => {}
            Err(trouble) => self.violated(Violation::NoJournal, || trouble.to_string()),
        }
        let open = self.windows[at].is_some();
        self.outside().say(|| format!("window {at} starts, open: {open}"));
    }

    /// Creates the simulated connection and clocks of a process.
    fn wire(&self, process: u64) -> SimulatedWire {
        SimulatedWire {
            outside: self.outside.clone(),
            platter: self.platter.clone(),
            contract: self.contract.clone(),
            clocks: ProcessClocks::start(&self.outside, process),
        }
    }

    fn plan_a_mishap(&self, at: usize) {
        let Some(window) = &self.windows[at] else { return };
        let percent = self.outside().weather.mishaps;
        if self.outside().chance.percent(percent) {
            self.mishap(&window.disk, 16);
        }
    }

    fn mishap(&self, disk: &MemoryDisk, steps: u64) {
        let mut outside = self.outside();
        let (steps, mishap) =
            (outside.chance.below(steps), outside.chance.one_of(&DiskFailure::ALL));
        outside.tally.mishaps += 1;
        outside.say(|| format!("the disk: {mishap:?} after {steps} more steps"));
        disk.plan(steps, mishap);
    }

    /// Confirms a withdrawal for a new or an existing wish (an intended payment).
    ///
    /// Sometimes the wish has already been paid, and the journal must refuse.
    fn confirm(&mut self, at: usize) {
        let anew = self.wishes.is_empty() || self.outside().chance.percent(40);
        if anew && self.wishes.len() < 3 {
            let amount = Money::from_centavos(1_000 + self.wishes.len() as i64);
            let wish =
                IntendedPayment { amount, keys: Vec::new(), seen_paid: None, knowingly: false };
            self.wishes.push(wish);
        }
        let most = self.wishes.len() as u64;
        let wish =
            if anew { self.wishes.len() - 1 } else { self.outside().chance.below(most) as usize };
        self.look_through(at);
        if self.may_be_careless(wish) {
            self.prepare(at, wish);
        }
    }

    fn prepare(&mut self, at: usize, wish: usize) {
        let Some(window) = &self.windows[at] else { return };
        self.keys += 1;
        let agreement = self.agreement(self.keys, self.wishes[wish].amount, window);
        let key = agreement.key;
        let mut made = window.journal(|journal| journal.prepare(agreement.clone(), None));
        let mut told = Vec::new();
        while let Err(WriteRefused::Objection(objection)) = made
            && let Some(other) = objection.answered_by_retyping()
        {
            if self.outside().chance.percent(30) {
                break;
            }
            // The journal warned about a similar payment, and the seller retypes the amount. If the
            // seller has already seen the payment, a second one is now intended.
            told.push(other);
            self.wishes[wish].knowingly |= self.wishes[wish].seen_paid.is_some();
            let retyped = Retyped { amount: agreement.amount, told: told.clone() };
            made = window.journal(|journal| journal.prepare(agreement.clone(), Some(retyped)));
        }
        let said = made.as_ref().map(|_| "prepared").map_err(|why| format!("{why:?}"));
        self.outside()
            .say(|| format!("window {at} confirms {} for wish {wish}: {said:?}", key.0.as_u128()));
        self.outside().tally.refused += u64::from(made.is_err());
        // Keep the key even after a disk error, because the withdrawal may be on disk.
        if !matches!(made, Err(ref why) if !matches!(why, WriteRefused::Journal(_))) {
            self.wishes[wish].keys.push(key);
        }
    }

    fn agreement(&self, n: u128, amount: Money, window: &Window) -> Agreement {
        let key = IdempotencyKey(uuid::Uuid::from_u128(n));
        let centavos = amount.centavos().expect("whole centavos");
        agreement(key, self.world.account.clone(), centavos, window.now(), "")
    }

    /// Returns true if the seller may confirm or send this wish again although the app shows it as
    /// paid.
    ///
    /// The journal warns about a repeated payment only for a day of wall-clock time. The seller is
    /// therefore not careless later, or if the wall clock may jump.
    fn may_be_careless(&self, wish: usize) -> bool {
        let outside = self.outside();
        match self.wishes[wish].seen_paid {
            None => true,
            Some(seen) => !outside.weather.jumps && outside.now < seen + RECENT,
        }
    }

    /// The simulated seller reads the list of withdrawals, and sees which wishes are paid.
    fn look_through(&mut self, at: usize) {
        let Some(window) = &self.windows[at] else { return };
        let outside = self.outside.borrow();
        for wish in self.wishes.iter_mut().filter(|wish| wish.seen_paid.is_none()) {
            let paid = |key: &&IdempotencyKey| {
                let known = window.get(**key);
                known.is_some_and(|known| {
                    let state = known.state(&window.now(), window.sending(), false);
                    matches!(state, WithdrawalState::Accepted | WithdrawalState::ResolvedPaid)
                })
            };
            let paid = wish.keys.iter().find(paid);
            wish.seen_paid = paid.and_then(|key| outside.heard_paid(key.0.as_u128()));
        }
    }

    /// Returns a random withdrawal and the number of its wish (the intended payment).
    fn any(&self) -> Option<(usize, IdempotencyKey)> {
        let all = |wish: usize| self.wishes[wish].keys.iter().map(move |key| (wish, *key));
        let all: Vec<_> = (0..self.wishes.len()).flat_map(all).collect();
        // Usually pick the newest withdrawal, as a real seller would.
        match all.last() {
            Some(last) if self.outside().chance.percent(75) => Some(*last),
            Some(_) => Some(self.outside().chance.one_of(&all)),
            None => None,
        }
    }

    /// Returns the newest undecided withdrawal in this window. Sometimes returns `None`, and the
    /// caller picks any withdrawal, which the app may have to refuse.
    fn undecided(&self, at: usize) -> Option<(usize, IdempotencyKey)> {
        let window = self.windows[at].as_ref().filter(|_| self.outside().chance.percent(85))?;
        let open = |key: IdempotencyKey| {
            let known = window.get(key)?;
            let state = known.state(&window.now(), window.sending(), false);
            matches!(state, WithdrawalState::Prepared | WithdrawalState::Unknown).then_some(key)
        };
        let wishes = self.wishes.iter().enumerate().rev();
        wishes
            .flat_map(|(wish, it)| it.keys.iter().rev().map(move |key| (wish, *key)))
            .find_map(|(wish, key)| Some((wish, open(key)?)))
    }

    fn press_send(&mut self, at: usize) {
        if self.wishes.iter().all(|wish| wish.keys.is_empty()) {
            self.confirm(at);
        }
        self.look_through(at);
        let Some((wish, key)) = self.undecided(at).or_else(|| self.any()) else { return };
        if self.outside().chance.percent(60) {
            self.wait_until_it_may(at, key);
        }
        let careful = self.may_be_careless(wish);
        let Some(window) = self.windows[at].as_mut().filter(|window| !window.is_sending()) else {
            return;
        };
        if careful {
            self.outside.borrow_mut().say(|| format!("window {at} sends {}", key.0.as_u128()));
            window.send(key);
            self.receive(at);
        }
    }

    /// Advances the time until the app allows this withdrawal to be sent again.
    fn wait_until_it_may(&mut self, at: usize, key: IdempotencyKey) {
        let Some(window) = &self.windows[at] else { return };
        let Some(known) = window.get(key) else { return };
        let wait = window.sending().wait(&known.attempts, &window.now());
        self.let_time_pass(wait.as_millis() as Ms);
    }

    /// Handles the cashier's reports about the withdrawals that a window sends.
    fn receive(&mut self, at: usize) {
        let Some(window) = &self.windows[at] else { return };
        for report in window.reports() {
            match report {
                Report::Began { .. } => {}
                Report::Settled(withdrawal) => self.is_true(&withdrawal, window),
                Report::NotBegun { key, why } => {
                    let mut outside = self.outside();
                    outside.tally.refused += 1;
                    outside.say(|| format!("{} is not sent: {why:?}", key.0.as_u128()));
                    if let WriteRefused::Journal(JournalTrouble::Damaged(_))
                    | WriteRefused::BodyChanged = why
                    {
                        outside.violated(Violation::NoJournal, || format!("{why:?}"));
                    }
                }
                Report::Unrecorded { key, trouble, .. } => {
                    let mut outside = self.outside();
                    outside.tally.unrecorded += 1;
                    outside.say(|| format!("{} unrecorded: {trouble:?}", key.0.as_u128()));
                }
            }
        }
    }

    /// Checks that a withdrawal's state agrees with the bank's ledger.
    fn is_true(&self, withdrawal: &Withdrawal, window: &Window) {
        let key = withdrawal.agreement.key.0.as_u128();
        let state = withdrawal.state(&window.now(), window.sending(), false);
        let mut outside = self.outside();
        let (paid, outstanding) = (outside.bank.paid(key), outside.is_outstanding(key));
        let true_of_it = match state {
            WithdrawalState::Accepted | WithdrawalState::ResolvedPaid => paid > 0,
            WithdrawalState::Rejected | WithdrawalState::Discarded | WithdrawalState::Prepared => {
                paid == 0 && !outstanding
            }
            _ => true,
        };
        outside.say(|| format!("{key} is {}, paid {paid} times", state.name()));
        if paid > 1 {
            outside.violated(Violation::PaidTwice, || key.to_string());
        }
        if !true_of_it {
            outside
                .violated(Violation::Untrue, || format!("{key} is {state:?}, paid {paid} times"));
        }
    }

    /// The simulated seller checks the bank account, and truthfully states whether a withdrawal was
    /// paid.
    fn look(&mut self, at: usize) {
        let Some((wish, key)) = self.any() else { return };
        let Some(window) = &self.windows[at] else { return };
        let (paid, outstanding) = {
            let outside = self.outside();
            let key = key.0.as_u128();
            (outside.bank.paid_by(key, outside.now) > 0, outside.is_outstanding(key))
        };
        let choice = if paid { Decision::FoundPaid } else { Decision::StatedNotPaid };
        if paid {
            self.outside().hear_paid(key.0.as_u128());
        }
        let decided =
            window.journal(|journal| journal.decide(key, choice, &window.now(), window.sending()));
        let said = decided.as_ref().map(|_| "written").map_err(|why| format!("{why:?}"));
        self.outside()
            .say(|| format!("the seller says {choice:?} of {}: {said:?}", key.0.as_u128()));
        if let Ok(withdrawal) = &decided {
            self.is_true(withdrawal, window);
        }
        let may_be_written = matches!(decided, Ok(_) | Err(WriteRefused::Journal(_)));
        self.wishes[wish].knowingly |= may_be_written && !paid && outstanding;
    }

    fn discard(&mut self, at: usize) {
        let (Some((_, key)), Some(window)) = (self.any(), &self.windows[at]) else { return };
        let decided = window.journal(|journal| {
            journal.decide(key, Decision::Discarded, &window.now(), window.sending())
        });
        self.outside().say(|| format!("{} discarded: {}", key.0.as_u128(), decided.is_ok()));
        if let Ok(withdrawal) = &decided {
            self.is_true(withdrawal, window);
        }
    }

    /// The simulated seller states "not paid" for a withdrawal whose state does not allow that. The
    /// journal must refuse.
    fn decide_carelessly(&mut self, at: usize) {
        let (Some((_, key)), Some(window)) = (self.any(), &self.windows[at]) else { return };
        let Some(known) = window.get(key) else { return };
        let state = known.state(&window.now(), window.sending(), false);
        if matches!(state, WithdrawalState::NeedsPerson(_) | WithdrawalState::Mismatch(_)) {
            return;
        }
        let decided = window.journal(|journal| {
            journal.decide(key, Decision::StatedNotPaid, &window.now(), window.sending())
        });
        if decided.is_ok() {
            self.violated(Violation::Allowed, || format!("not paid, of one that is {state:?}"));
        }
    }

    fn wait(&mut self) {
        let span = self.outside().chance.one_of(&[
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
        if span > 20 * SECOND {
            // No attempt lasts longer than its deadline, so let one in flight end before more time
            // passes.
            self.let_time_pass(20 * SECOND);
            self.let_replies_come();
        }
        self.outside().say(|| format!("{} s pass", span / 1_000));
        self.let_time_pass(span);
    }

    fn let_time_pass(&self, span: Ms) {
        self.outside().pass(span);
    }

    fn let_replies_come(&mut self) {
        for at in 0..self.windows.len() {
            if let Some(window) = &mut self.windows[at] {
                window.go_on();
                self.receive(at);
            }
        }
    }

    fn kill(&mut self, at: usize) {
        if self.windows[at].take().is_some() {
            let mut outside = self.outside();
            outside.tally.deaths += 1;
            outside.say(|| format!("window {at} is killed"));
        }
    }

    fn reboot(&mut self) {
        self.windows = [None, None];
        let new_name_kept = self.outside().chance.percent(50);
        self.platter.lose_power(new_name_kept);
        self.outside().reboot();
    }

    fn restart_bank(&self) {
        let mut outside = self.outside();
        outside.bank.restart();
        outside.say(|| "the bank starts again".into());
    }

    fn set_clock(&self) {
        let mut outside = self.outside();
        if outside.weather.jumps {
            outside.set_clock();
        }
    }

    /// Removes the windows (processes) that died at a disk step, with their unread reports.
    fn bury_the_dead(&mut self) {
        for at in 0..self.windows.len() {
            let dead = self.windows[at].as_ref().is_some_and(|window| window.disk.is_dead());
            // Sooner or later, the seller restarts a window whose journal had a disk error.
            let troubled = self.windows[at]
                .as_ref()
                .is_some_and(|window| window.journal(|journal| journal.trouble().is_some()));
            let damaged = self.windows[at].as_ref().and_then(|window| {
                window.journal(|journal| match journal.trouble() {
                    Some(JournalTrouble::Io(_)) | None => None,
                    other => other.cloned(),
                })
            });
            if let Some(trouble) = damaged {
                self.violated(Violation::NoJournal, || trouble.to_string());
            }
            if dead || (troubled && self.outside().chance.percent(40)) {
                self.kill(at);
            }
        }
    }

    /// Ends the life (random run): lets all replies and delayed requests arrive, and checks and
    /// decides every withdrawal.
    fn come_to_an_end(&mut self) {
        self.let_time_pass(20 * SECOND);
        self.let_replies_come();
        self.windows = [None, None];
        self.let_time_pass(26 * HOUR);
        self.outside().say(|| "time is over".into());
        let disk = MemoryDisk::new(&self.platter);
        let last = Window::start(disk, self.wire(0), &self.sending, false);
        let window = match last {
            Ok(window) => window,
            Err(trouble) => return self.violated(Violation::NoJournal, || trouble.to_string()),
        };
        if let Err(trouble) = window.journal(|journal| journal.verify()) {
            self.violated(Violation::NoJournal, || trouble.to_string());
        }
        for wish in &self.wishes {
            let paid: usize = wish.keys.iter().map(|key| self.end(*key, &window)).sum();
            self.outside().tally.payouts += paid as u64;
            if paid > 1 && !wish.knowingly {
                self.violated(Violation::PaidAgain, || format!("{} of {:?}", paid, wish.keys));
            }
        }
        let open = window.journal(|journal| journal.open_withdrawals());
        if open.as_ref().is_ok_and(|open| !open.is_empty()) {
            self.violated(Violation::LeftOpen, || format!("{open:?}"));
        }
    }

    /// Checks a withdrawal at the end of a life, and decides it if necessary. Returns how often it
    /// was paid.
    fn end(&self, key: IdempotencyKey, window: &Window) -> usize {
        let paid = self.outside().bank.paid(key.0.as_u128());
        let Some(known) = window.get(key) else { return paid };
        self.is_true(&known, window);
        let state = known.state(&window.now(), window.sending(), false);
        self.outside().tally.ended(state.name());
        if !STATES.contains(&state.name()) {
            self.violated(Violation::LeftOpen, || format!("{key} is {state:?}"));
        }
        if !state.is_decided() {
            let choice = match state {
                WithdrawalState::Prepared => Decision::Discarded,
                _ if paid > 0 => Decision::FoundPaid,
                _ => Decision::StatedNotPaid,
            };
            let now = window.now();
            let decided =
                window.journal(|journal| journal.decide(key, choice, &now, window.sending()));
            match decided {
                Ok(decided) => self.is_true(&decided, window),
                Err(why) => self.violated(Violation::LeftOpen, || format!("{key}: {why:?}")),
            }
        }
        paid
    }
}
