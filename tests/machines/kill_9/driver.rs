//! The child process that the tests kill. It creates a withdrawal, and resends it until the
//! withdrawal is decided.

use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use balcao::cashier::{self, Report};
use balcao::journal::money::{Files, MoneyJournal};
use balcao::runtime::clocks::MachineClocks;
use balcao::trade::withdrawal::WithdrawalState;
use balcao::trade::{IdempotencyKey, Wall};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::death::{DeadlyDisk, KillPoint, PlannedKill};
use crate::headless::{WatchedClocks, WatchedWire, http_wire};
use crate::process::print_answer;
use crate::samples::{IMMEDIATE_RESEND, account, agreement};

/// The orders that the child process gets from the test.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Orders {
    pub dir: PathBuf,
    /// The bank's base URL.
    pub bank: String,
    /// A text in the request's body that is different in each process. If a restarted process
    /// builds the body again instead of reading it from disk, the changed text reveals this.
    pub note: String,
    /// If set, the process kills itself when it reaches this point for the nth time (counted from
    /// 1).
    pub dies: Option<(KillPoint, u32)>,
    /// The number of iterations of a busy loop before a kill during a disk step.
    pub spins: u32,
}

/// The result that the child process prints before it exits.
#[derive(Debug, Serialize, Deserialize)]
pub struct Answer {
    pub key: IdempotencyKey,
    pub state: String,
    /// How often the process reached each point at which it may be killed.
    pub passed: Vec<(KillPoint, u32)>,
}

/// Runs the child process until its withdrawal is decided, or until it kills itself.
pub fn run_driver(orders: &Orders) {
    let planned_kill = PlannedKill::new(orders.dies, orders.spins);
    let clocks = MachineClocks::new();
    let disk = DeadlyDisk(planned_kill.clone());
    let journal = MoneyJournal::open(Files::on_disk(orders.dir.join("journal"), disk), false)
        .expect("it opens");
    let journal = Mutex::new(journal);
    let key = find_or_prepare(&journal, orders, &clocks);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.expect("a runtime");
    let state = loop {
        let withdrawal = journal
            .lock()
            .expect("one thread")
            .get(key)
            .expect("read")
            .expect("there");
        let state = withdrawal.state(&clocks.now(), &IMMEDIATE_RESEND, false);
        if !matches!(state, WithdrawalState::Prepared | WithdrawalState::Unknown) {
            break state;
        }
        runtime.block_on(attempt(key, &journal, &planned_kill, &clocks));
    };
    // Purge the journal as if two days had passed, because personal data is deleted from it by
    // then.
    let later = Wall(clocks.now().wall.0 + Duration::from_secs(2 * 86_400).as_millis() as i64);
    journal
        .lock()
        .expect("one thread")
        .purge(later, later)
        .expect("purged");
    print_answer(&Answer {
        key,
        state: state.name().to_owned(),
        passed: planned_kill.visits(),
    });
}

/// Returns the key of the journal's withdrawal. Prepares a withdrawal only if the journal is empty,
/// because a restarted process must not create a second key.
fn find_or_prepare(
    journal: &Mutex<MoneyJournal>,
    orders: &Orders,
    clocks: &MachineClocks,
) -> IdempotencyKey {
    let mut journal = journal.lock().expect("one thread");
    let page = journal.page(None, "", 0, 9).expect("it can be read");
    if let Some(stored) = page.rows.first() {
        assert_eq!(page.rows.len(), 1, "one wish, one withdrawal");
        return stored.agreement.key;
    }
    let key = IdempotencyKey(Uuid::new_v4());
    let account = account(&orders.bank, "ana");
    let agreement = agreement(key, account, 1_010, clocks.now(), &orders.note);
    journal.prepare(agreement, None).expect("prepared");
    key
}

async fn attempt(
    key: IdempotencyKey,
    journal: &Mutex<MoneyJournal>,
    planned_kill: &PlannedKill,
    clocks: &MachineClocks,
) {
    let on_send = |is_done| {
        planned_kill.visit(if is_done {
            KillPoint::Answered
        } else {
            KillPoint::Permitted
        })
    };
    let wire = WatchedWire {
        wire: http_wire("the only"),
        on_send,
    };
    let clock = WatchedClocks {
        clocks: clocks.clone(),
        on_read: || planned_kill.visit(KillPoint::Locked),
    };
    let on_report = async |report| match report {
        Report::AttemptBegan { .. } => planned_kill.visit(KillPoint::Began),
        Report::Settled(_) => planned_kill.visit(KillPoint::Settled),
        other => panic!("{other:?}"),
    };
    cashier::attempt(
        (key, None),
        &IMMEDIATE_RESEND,
        journal,
        &wire,
        &clock,
        on_report,
    )
    .await;
}
