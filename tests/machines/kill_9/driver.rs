//! The child process that the tests kill. It creates a withdrawal, and resends it until the
//! withdrawal is decided.

use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use balcao::cashier::{self, Report};
use balcao::journal::Disk;
use balcao::journal::money::MoneyJournal;
use balcao::runtime::clocks::MachineClocks;
use balcao::trade::withdrawal::WithdrawalState;
use balcao::trade::{IdempotencyKey, Wall};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::death::{DeadlyDisk, Death, Point};
use crate::headless::{Watched, WatchedClocks, wire};
use crate::process::answer;
use crate::samples::{AT_ONCE, account, agreement};

/// The orders that the child process gets from the test.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Orders {
    pub dir: PathBuf,
    /// The bank's base URL.
    pub bank: String,
    /// A text in the request's body that is different in each process. If a restarted process
    /// builds the body again instead of reading it from disk, the changed text reveals this.
    pub note: String,
    /// The point at which the process kills itself, and which visit of this point it is.
    pub dies: Option<(Point, u32)>,
    /// The number of iterations of a busy loop before a kill during a disk step.
    pub spins: u32,
}

/// The result that the child process prints before it exits.
#[derive(Debug, Serialize, Deserialize)]
pub struct Answer {
    pub key: IdempotencyKey,
    pub state: String,
    /// How often the process reached each point at which it may be killed.
    pub passed: Vec<(Point, u32)>,
}

/// Runs the child process until its withdrawal is decided, or until it kills itself.
pub fn live(orders: &Orders) {
    let death = Death::planned(orders.dies, orders.spins);
    let clocks = MachineClocks::new();
    let disk = DeadlyDisk(death.clone());
    let journal = MoneyJournal::open(&orders.dir.join("journal"), disk, false).expect("it opens");
    let journal = Mutex::new(journal);
    let key = withdrawal(&journal, orders, &clocks);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    let state = loop {
        let known = journal.lock().expect("one thread").get(key).expect("read").expect("there");
        let state = known.state(&clocks.now(), &AT_ONCE, false);
        if !matches!(state, WithdrawalState::Prepared | WithdrawalState::Unknown) {
            break state;
        }
        runtime.block_on(attempt(key, &journal, &death, &clocks));
    };
    // Purge the journal as if two days had passed, because personal data is deleted from it by
    // then.
    let later = Wall(clocks.now().wall.0 + Duration::from_secs(2 * 86_400).as_millis() as i64);
    journal.lock().expect("one thread").purge(later, later).expect("purged");
    answer(&Answer { key, state: state.name().to_owned(), passed: death.passed() });
}

/// Returns the key of the journal's withdrawal. Prepares a withdrawal only if the journal is empty,
/// because a restarted process must not create a second key.
fn withdrawal<D: Disk>(
    journal: &Mutex<MoneyJournal<D>>,
    orders: &Orders,
    clocks: &MachineClocks,
) -> IdempotencyKey {
    let mut journal = journal.lock().expect("one thread");
    let page = journal.page(None, "", 0, 9).expect("it can be read");
    if let Some(known) = page.rows.first() {
        assert_eq!(page.rows.len(), 1, "one wish, one withdrawal");
        return known.agreement.key;
    }
    let (key, account) = (IdempotencyKey(Uuid::new_v4()), account(&orders.bank, "ana"));
    let agreement = agreement(key, account, 1_010, clocks.now(), &orders.note);
    journal.prepare(agreement, None).expect("prepared");
    key
}

async fn attempt<D: Disk>(
    key: IdempotencyKey,
    journal: &Mutex<MoneyJournal<D>>,
    death: &Death,
    clocks: &MachineClocks,
) {
    let at = |done| death.pass(if done { Point::Answered } else { Point::Permitted });
    let wire = Watched { wire: wire("the only"), at };
    let clock = WatchedClocks { clocks: clocks.clone(), at: || death.pass(Point::Locked) };
    let report = |report| match report {
        Report::Began { .. } => death.pass(Point::Began),
        Report::Settled(_) => death.pass(Point::Settled),
        other => panic!("{other:?}"),
    };
    cashier::attempt((key, None), &AT_ONCE, journal, &wire, &clock, report).await;
}
