//! The child process: a window that confirms, sends and discards withdrawals in random order.

use std::path::PathBuf;
use std::sync::Mutex;

use balcao::cashier::{self, Report};
use balcao::journal::money::{Files, MoneyJournal};
use balcao::runtime::clocks::MachineClocks;
use balcao::trade::withdrawal::{Blocker, Decision, NotDone, Retyped, WithdrawalState};
use balcao::trade::{IdempotencyKey, JournalTrouble};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::chance::Random;
use crate::death::{DeadlyDisk, KillPoint, PlannedKill};
use crate::headless::{WatchedClocks, WatchedWire, http_wire};
use crate::process::{print_answer, wait_for_resume};
use crate::samples::{IMMEDIATE_RESEND, account, agreement};

/// The orders that a window process gets from the test.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Orders {
    pub dir: PathBuf,
    pub bank: String,
    pub window: String,
    pub seed: u64,
    pub actions: u32,
    /// If set, the process kills itself when it reaches this point for the nth time (counted from
    /// 1).
    pub dies: Option<(KillPoint, u32)>,
}

/// How many of a window's actions had each result.
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
pub struct JournalSnapshot {
    /// The number of events in the journal, as counted by `verify`.
    pub events: u64,
    /// The key and the state of each withdrawal.
    pub states: Vec<(IdempotencyKey, String)>,
}

struct Window<'a> {
    orders: &'a Orders,
    random: Random,
    clocks: MachineClocks,
    planned_kill: PlannedKill,
    journal: Mutex<MoneyJournal>,
    results: Done,
}

/// Performs random actions, and prints how many had each result. After the test's signal, prints
/// the content of the journal.
pub fn run_driver(orders: &Orders) {
    wait_for_resume();
    let mut random = Random::from_seed(orders.seed);
    let planned_kill = PlannedKill::new(orders.dies, random.below(20_000) as u32);
    let disk = DeadlyDisk(planned_kill.clone());
    let journal = MoneyJournal::open(Files::on_disk(&orders.dir, disk), false).expect("it opens");
    let clocks = MachineClocks::new();
    let journal = Mutex::new(journal);
    let mut window = Window {
        orders,
        random,
        clocks,
        planned_kill,
        journal,
        results: Done::default(),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.expect("a runtime");
    for _ in 0..orders.actions {
        match window.random.below(100) {
            0..30 => window.confirm(),
            30..92 => runtime.block_on(window.send()),
            _ => window.discard(),
        }
    }
    print_answer(&window.results);
    wait_for_resume();
    let mut journal = window.journal.into_inner().expect("one thread");
    print_answer(&read_snapshot(&mut journal));
}

/// Verifies a journal. Returns the number of its events, and the states of its withdrawals.
pub fn read_snapshot(journal: &mut MoneyJournal) -> JournalSnapshot {
    let events = journal.verify().expect("it is whole");
    let now = MachineClocks::new().now();
    let rows = journal
        .page(None, "", 0, 1_000)
        .expect("it can be read")
        .rows;
    let state_name = |row: &balcao::trade::Withdrawal| {
        row.state(&now, &IMMEDIATE_RESEND, false).name().to_owned()
    };
    let mut states: Vec<_> = rows
        .iter()
        .map(|row| (row.agreement.key, state_name(row)))
        .collect();
    states.sort();
    JournalSnapshot { events, states }
}

impl Window<'_> {
    /// Confirms a withdrawal. If there is a similar withdrawal, the journal requires that the
    /// amount is typed again. The simulated seller usually does this.
    fn confirm(&mut self) {
        let identity = self.random.one_of(&["ana", "bia"]);
        let centavos = self.random.one_of(&[1_010, 2_020, 3_030, 4_040]);
        let key = IdempotencyKey(Uuid::new_v4());
        let account = account(&self.orders.bank, identity);
        let now = self.clocks.now();
        let terms = agreement(key, account, centavos, now, &self.orders.window);
        let mut similar_keys = Vec::new();
        loop {
            let retyped = (!similar_keys.is_empty()).then(|| Retyped {
                amount: terms.amount,
                shown_keys: similar_keys.clone(),
            });
            let result = self
                .journal
                .lock()
                .expect("one thread")
                .prepare(terms.clone(), retyped);
            match result {
                Ok(_) => break self.results.prepared += 1,
                Err(NotDone::Blocked(Blocker::Clash(clash)))
                    if clash.kind.can_be_overridden_by_retyping()
                        && self.random.percent_chance(70) =>
                {
                    similar_keys.push(clash.other.agreement.key);
                }
                Err(NotDone::Journal(trouble)) => panic!("{trouble:?}"),
                Err(_) => break self.results.refused += 1,
            }
        }
    }

    /// Returns a random withdrawal whose state satisfies a condition, if there is one.
    fn random_withdrawal(
        &mut self,
        condition: impl Fn(&WithdrawalState) -> bool,
    ) -> Option<IdempotencyKey> {
        let mut journal = self.journal.lock().expect("one thread");
        let now = self.clocks.now();
        let page = journal.page(None, "", 0, 1_000).expect("it can be read");
        let keys = page
            .rows
            .iter()
            .filter(|row| condition(&row.state(&now, &IMMEDIATE_RESEND, false)));
        let keys: Vec<_> = keys.map(|row| row.agreement.key).collect();
        drop(journal);
        (!keys.is_empty()).then(|| self.random.one_of(&keys))
    }

    async fn send(&mut self) {
        let may_send = |state: &WithdrawalState| {
            matches!(state, WithdrawalState::Prepared | WithdrawalState::Unknown)
        };
        let Some(key) = self.random_withdrawal(may_send) else {
            return self.confirm();
        };
        let planned_kill = &self.planned_kill;
        let on_send = |is_done| {
            planned_kill.visit(if is_done {
                KillPoint::Answered
            } else {
                KillPoint::Permitted
            })
        };
        let wire = WatchedWire {
            wire: http_wire(&self.orders.window),
            on_send,
        };
        let on_read = || planned_kill.visit(KillPoint::Locked);
        let clock = WatchedClocks {
            clocks: self.clocks.clone(),
            on_read,
        };
        let mut reports = Vec::new();
        let on_report = async |report| reports.push(report);
        cashier::attempt(
            (key, None),
            &IMMEDIATE_RESEND,
            &self.journal,
            &wire,
            &clock,
            on_report,
        )
        .await;
        match reports.pop().expect("it says something") {
            Report::Settled(_) => self.results.sent += 1,
            Report::NotBegun {
                why: NotDone::Blocked(Blocker::Busy),
                ..
            } => self.results.busy += 1,
            Report::NotBegun {
                why: NotDone::Journal(trouble),
                ..
            } => fail_on_trouble(&trouble),
            Report::NotBegun { .. } => self.results.refused += 1,
            other => panic!("{other:?}"),
        }
    }

    fn discard(&mut self) {
        let Some(key) = self.random_withdrawal(|state| *state == WithdrawalState::Prepared) else {
            return;
        };
        let now = self.clocks.now();
        let mut journal = self.journal.lock().expect("one thread");
        match journal.decide(key, Decision::Discarded, &now, &IMMEDIATE_RESEND) {
            Err(NotDone::Journal(trouble)) => fail_on_trouble(&trouble),
            Err(_) => self.results.refused += 1,
            Ok(_) => {}
        }
    }
}

/// Fails the test. No journal error may happen here, because the disk works.
fn fail_on_trouble(trouble: &JournalTrouble) {
    panic!("{trouble:?}");
}
