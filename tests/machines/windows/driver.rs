//! The child process: a window that confirms, sends and discards withdrawals in random order.

use std::path::PathBuf;
use std::sync::Mutex;

use balcao::cashier::{self, Report};
use balcao::journal::Disk;
use balcao::journal::money::{MoneyJournal, WriteRefused};
use balcao::runtime::clocks::MachineClocks;
use balcao::trade::withdrawal::{Decision, Retyped, WithdrawalState};
use balcao::trade::{IdempotencyKey, JournalTrouble};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::chance::Random;
use crate::death::{DeadlyDisk, Death, Point};
use crate::headless::{Watched, WatchedClocks, wire};
use crate::process::{answer, wait_to_go_on};
use crate::samples::{AT_ONCE, account, agreement};

/// The orders that a window process gets from the test.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Orders {
    pub dir: PathBuf,
    pub bank: String,
    pub window: String,
    pub seed: u64,
    pub actions: u32,
    /// The point at which the process kills itself, and which visit of this point it is.
    pub dies: Option<(Point, u32)>,
}

/// The number of a window's actions by result.
#[derive(Debug, Default, Clone, Copy, Serialize, Deserialize)]
pub struct Done {
    pub prepared: u64,
    pub sent: u64,
    /// The number of sends that were refused because another window had an attempt in flight.
    pub busy: u64,
    /// The number of actions that were refused for other reasons.
    pub refused: u64,
}

/// The journal's content at the end of the test, as one window (process) reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// The number of events in the journal, as counted by `verify`.
    pub events: u64,
    /// The key and the state of each withdrawal.
    pub states: Vec<(IdempotencyKey, String)>,
}

struct Window<'a> {
    orders: &'a Orders,
    chance: Random,
    clocks: MachineClocks,
    death: Death,
    journal: Mutex<MoneyJournal<DeadlyDisk>>,
    done: Done,
}

/// Performs random actions and prints how many had each result. Then waits for the test's signal,
/// and prints the content of the journal.
pub fn live(orders: &Orders) {
    wait_to_go_on();
    let mut chance = Random::of(orders.seed);
    let death = Death::planned(orders.dies, chance.below(20_000) as u32);
    let disk = DeadlyDisk(death.clone());
    let journal = MoneyJournal::open(&orders.dir, disk, false).expect("it opens");
    let clocks = MachineClocks::new();
    let journal = Mutex::new(journal);
    let mut window = Window { orders, chance, clocks, death, journal, done: Done::default() };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    for _ in 0..orders.actions {
        match window.chance.below(100) {
            0..30 => window.confirm(),
            30..92 => runtime.block_on(window.send()),
            _ => window.discard(),
        }
    }
    answer(&window.done);
    wait_to_go_on();
    let mut journal = window.journal.into_inner().expect("one thread");
    answer(&seen(&mut journal));
}

/// Verifies a journal. Returns the number of its events, and the states of its withdrawals.
pub fn seen<D: Disk>(journal: &mut MoneyJournal<D>) -> Seen {
    let events = journal.verify().expect("it is whole");
    let now = MachineClocks::new().now();
    let rows = journal.page(None, "", 0, 1_000).expect("it can be read").rows;
    let state =
        |row: &balcao::trade::Withdrawal| row.state(&now, &AT_ONCE, false).name().to_owned();
    let mut states: Vec<_> = rows.iter().map(|row| (row.agreement.key, state(row))).collect();
    states.sort();
    Seen { events, states }
}

impl Window<'_> {
    /// Confirms a withdrawal. If there is a similar withdrawal, the journal requires that the
    /// amount is typed again. The simulated seller usually does this.
    fn confirm(&mut self) {
        let who = self.chance.one_of(&["ana", "bia"]);
        let centavos = self.chance.one_of(&[1_010, 2_020, 3_030, 4_040]);
        let (key, account) = (IdempotencyKey(Uuid::new_v4()), account(&self.orders.bank, who));
        let now = self.clocks.now();
        let paper = agreement(key, account, centavos, now, &self.orders.window);
        let mut told = Vec::new();
        loop {
            let retyped =
                (!told.is_empty()).then(|| Retyped { amount: paper.amount, told: told.clone() });
            let made = self.journal.lock().expect("one thread").prepare(paper.clone(), retyped);
            match made {
                Ok(_) => break self.done.prepared += 1,
                Err(WriteRefused::Objection(objection)) => match objection.answered_by_retyping() {
                    Some(other) if self.chance.percent(70) => told.push(other),
                    _ => break self.done.refused += 1,
                },
                Err(WriteRefused::Journal(trouble)) => panic!("{trouble:?}"),
                Err(_) => break self.done.refused += 1,
            }
        }
    }

    /// Returns a random withdrawal whose state satisfies `wanted`, if there is such a withdrawal.
    fn any(&mut self, wanted: impl Fn(&WithdrawalState) -> bool) -> Option<IdempotencyKey> {
        let mut journal = self.journal.lock().expect("one thread");
        let now = self.clocks.now();
        let page = journal.page(None, "", 0, 1_000).expect("it can be read");
        let found = page.rows.iter().filter(|row| wanted(&row.state(&now, &AT_ONCE, false)));
        let found: Vec<_> = found.map(|row| row.agreement.key).collect();
        drop(journal);
        (!found.is_empty()).then(|| self.chance.one_of(&found))
    }

    async fn send(&mut self) {
        let sendable = |state: &WithdrawalState| {
            matches!(state, WithdrawalState::Prepared | WithdrawalState::Unknown)
        };
        let Some(key) = self.any(sendable) else { return self.confirm() };
        let death = &self.death;
        let at = |done| death.pass(if done { Point::Answered } else { Point::Permitted });
        let wire = Watched { wire: wire(&self.orders.window), at };
        let at = || death.pass(Point::Locked);
        let clock = WatchedClocks { clocks: self.clocks.clone(), at };
        let mut reports = Vec::new();
        let report = |report| reports.push(report);
        cashier::attempt((key, None), &AT_ONCE, &self.journal, &wire, &clock, report).await;
        match reports.pop().expect("it says something") {
            Report::Settled(_) => self.done.sent += 1,
            Report::NotBegun { why: WriteRefused::Busy, .. } => self.done.busy += 1,
            Report::NotBegun { why: WriteRefused::Journal(trouble), .. } => trouble_is(&trouble),
            Report::NotBegun { .. } => self.done.refused += 1,
            other => panic!("{other:?}"),
        }
    }

    fn discard(&mut self) {
        let Some(key) = self.any(|state| *state == WithdrawalState::Prepared) else { return };
        let now = self.clocks.now();
        let mut journal = self.journal.lock().expect("one thread");
        match journal.decide(key, Decision::Discarded, &now, &AT_ONCE) {
            Err(WriteRefused::Journal(trouble)) => trouble_is(&trouble),
            Err(_) => self.done.refused += 1,
            Ok(_) => {}
        }
    }
}

/// Fails the test, because no journal error may happen here. The disk works, and other windows must
/// not cause errors.
fn trouble_is(trouble: &JournalTrouble) {
    panic!("{trouble:?}");
}
