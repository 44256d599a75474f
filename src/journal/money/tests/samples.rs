//! Sample withdrawals, clocks and disks for tests of the journal and of `cashier`, which sends
//! withdrawals.

mod lying;

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{fs, io};

use uuid::Uuid;

use crate::journal::disk::{Disk, DiskStep};
use crate::journal::money::chain::{self, Checksum, EventRow};
use crate::journal::money::event::{Event, Prepared};
use crate::journal::money::{Files, MoneyJournal, Storage};
use crate::trade::withdrawal::{
    Alarm, AttemptEnd, Blocker, Clash, ClashKind, Class, NotDone, Retyped, SaysFailed, Unclear,
    Window,
};
use crate::trade::{
    Account, Agreement, Clocks, IdempotencyKey, JournalTrouble, Money, Origin, PixKey, PixKeyKind,
    Quote, Wall, Withdrawal,
};

pub(crate) use lying::{Lie, Locks, LyingDisk};

pub(crate) const WINDOW: Window = Window {
    retention: Duration::from_secs(600),
    deadline: Duration::from_secs(30),
    resend_after: Duration::ZERO,
};

/// The usual time limits of these tests, except that a resend must wait 30 seconds.
pub(crate) const WINDOW_WITH_WAIT: Window = Window {
    resend_after: Duration::from_secs(30),
    ..WINDOW
};

pub(crate) fn clocks(seconds: i64) -> Clocks {
    let boot_ms = seconds as u64 * 1_000;
    Clocks {
        wall: Wall(seconds * 1_000),
        boot_ms,
        boot_id: "boot".into(),
    }
}

pub(crate) fn key(n: u128) -> IdempotencyKey {
    IdempotencyKey(Uuid::from_u128(n))
}

pub(crate) fn account(identity: &str) -> Account {
    Account {
        origin: Origin("https://pay.example".into()),
        identity: identity.into(),
    }
}

/// The terms of withdrawal `n`, as the seller confirmed them at second `n`.
pub(crate) fn agreement(n: u128, centavos: i64) -> Agreement {
    let amount = Money::from_centavos(centavos);
    let destination = PixKey::parse(PixKeyKind::Email, "ana@loja.example").unwrap();
    let body = format!(
        r#"{{ "amount": {}, "pixKey": "{}" , "note":"á\u0000" }}"#,
        amount.wire(),
        destination.as_str()
    );
    Agreement {
        key: key(n),
        account: account("ana"),
        profile: "loja".into(),
        method: "POST".into(),
        url: "https://pay.example/api/v1/integrations/withdrawals".into(),
        key_header: key(n).to_string().into(),
        key_header_name: "Idempotency-Key".into(),
        untyped: vec![],
        body: body.into(),
        amount,
        destination: Some(destination),
        quote: Quote::new(amount, Some(Money::from_centavos(1)), None, Wall(0)).ok(),
        agreed: clocks(n as i64),
    }
}

pub(crate) fn attempt_end(at: i64, class: Class) -> AttemptEnd {
    AttemptEnd {
        at: Wall(at * 1_000),
        boot_ms: at as u64 * 1_000,
        class,
        status: Some(400),
        server_date: None,
        message: Some("Saldo de ana@loja.example insuficiente.".into()),
        hint: None,
    }
}

/// The error because of a conflict with withdrawal `n`, as [`bare`] returns it.
pub(crate) fn conflict_error(kind: ClashKind, n: u128) -> NotDone {
    let other = Box::new(Withdrawal {
        agreement: agreement(n, 100),
        attempts: vec![],
        decision: None,
        prepared_by: None,
        decided_by: None,
        approvals: Default::default(),
    });
    Blocker::Clash(Clash { kind, other }).into()
}

/// Replaces the other withdrawal in a conflict with a sample that has the same key. The error can
/// then be compared with [`conflict_error`].
pub(crate) fn bare<T>(result: Result<T, NotDone>) -> Result<T, NotDone> {
    result.map_err(|error| match error {
        NotDone::Blocked(Blocker::Clash(clash)) => {
            conflict_error(clash.kind, clash.other.agreement.key.0.as_u128())
        }
        other => other,
    })
}

pub(crate) fn confirmed() -> Class {
    Class::Confirmed {
        id: Some("w-1".into()),
        status: Some("done".into()),
    }
}

pub(crate) fn timed_out() -> Class {
    Class::Unclear(Unclear::Timeout)
}

pub(crate) fn wrong_destination() -> Class {
    Class::Alarm(Alarm::Destination {
        sent: "ana@loja.example".into(),
        got: "mallory".into(),
    })
}

pub(crate) fn says_failed() -> Class {
    Class::SaysFailed(SaysFailed {
        member: "status".into(),
        word: "failed".into(),
    })
}

pub(crate) fn open(dir: &Path) -> MoneyJournal {
    MoneyJournal::open(Files::new(dir), false).unwrap()
}

pub(crate) fn new_journal() -> (tempfile::TempDir, MoneyJournal) {
    let dir = tempfile::tempdir().unwrap();
    let journal = open(dir.path());
    (dir, journal)
}

/// Creates a journal on a disk that can be made to fail.
pub(crate) fn journal_on_faulty_disk() -> (tempfile::TempDir, FaultyDisk, MoneyJournal) {
    let dir = tempfile::tempdir().unwrap();
    let disk = FaultyDisk::default();
    let journal = MoneyJournal::open(Files::on_disk(dir.path(), disk.clone()), false).unwrap();
    (dir, disk, journal)
}

/// Writes 10 events about four withdrawals: one accepted, one refused, one prepared and one with an
/// unknown outcome.
pub(crate) fn fill_journal(dir: &Path) {
    let mut journal = open(dir);
    prepare_and_attempt(&mut journal, 1, 100, confirmed());
    prepare_and_attempt(&mut journal, 2, 200, Class::DefiniteNo);
    journal.prepare(agreement(3, 300), None).unwrap();
    prepare_and_attempt(&mut journal, 4, 400, timed_out());
}

/// Writes a journal with `n` prepared withdrawals in a single transaction. Preparing them one by
/// one would take much longer.
pub(crate) fn write_long_journal(dir: &Path, n: u128) {
    drop(open(dir));
    let files = Files::new(dir);
    let rows = files.open_rows(false).unwrap();
    rows.begin().unwrap();
    let mut last = chain::start();
    for number in 1..=n {
        let agreement = agreement(number, 100);
        let key = agreement.key;
        let at = agreement.agreed.wall;
        let event = Event::Prepared(Box::new(Prepared {
            agreement,
            beside: vec![],
        }));
        let encoded = event.encode().unwrap();
        let mut row = EventRow {
            n: last.n + 1,
            at,
            key,
            kind: encoded.kind.to_owned(),
            plain: encoded.plain,
            personal_sum: encoded.personal.as_deref().map(chain::checksum_of),
            personal: encoded.personal,
            who: None,
            written_by: None,
            sum: Checksum::default(),
        };
        row.sum = row.compute_sum(&last.sum);
        rows.append(&row).unwrap();
        last = row.link();
    }
    rows.commit().unwrap();
    files.replace_head(&last).unwrap();
}

/// The name and content of each file in a directory.
pub(crate) fn file_contents(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap());
    let files = entries.filter(|entry| entry.path().is_file());
    let mut files: Vec<_> = files
        .map(|entry| {
            (
                entry.file_name().into_string().unwrap(),
                fs::read(entry.path()).unwrap(),
            )
        })
        .collect();
    files.sort();
    files
}

/// Runs SQL statements directly on `money.db`, without the journal.
pub(crate) fn execute_sql(dir: &Path, batch: &str) {
    rusqlite::Connection::open(dir.join("money.db"))
        .unwrap()
        .execute_batch(batch)
        .unwrap();
}

/// The error for writes to a journal that is open only for reading.
pub(crate) fn read_only_error() -> JournalTrouble {
    JournalTrouble::ReadOnly("the disk".into())
}

/// The amount that the seller typed again after a warning about the withdrawals `shown`.
pub(crate) fn retyped_amount(centavos: i64, shown: &[u128]) -> Option<Retyped> {
    let shown = shown.iter().map(|n| key(*n)).collect();
    Some(Retyped {
        amount: Money::from_centavos(centavos),
        shown_keys: shown,
    })
}

/// Begins an attempt of withdrawal `n` at second `at`, and drops the permit without sending.
pub(crate) fn begin_attempt(journal: &mut MoneyJournal, n: u128, at: i64) -> Result<u32, NotDone> {
    let lock = journal.lock(key(n))?;
    bare(journal.begin(lock, key(n), None, &clocks(at), &WINDOW)).map(|permit| permit.n())
}

/// Prepares withdrawal `n` and makes one attempt with this outcome.
pub(crate) fn prepare_and_attempt(
    journal: &mut MoneyJournal,
    n: u128,
    centavos: i64,
    class: Class,
) {
    journal.prepare(agreement(n, centavos), None).unwrap();
    make_attempt(journal, n, n as i64, class);
}

/// Makes another attempt of withdrawal `n` at second `at`, with this outcome.
pub(crate) fn make_attempt(journal: &mut MoneyJournal, n: u128, at: i64, class: Class) {
    let lock = journal.lock(key(n)).unwrap();
    let permit = journal
        .begin(lock, key(n), None, &clocks(at), &WINDOW)
        .unwrap();
    journal
        .settle(permit.spend().0, &attempt_end(at, class))
        .unwrap();
}

/// The way in which a disk step fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DiskFault {
    /// The step fails before it takes effect.
    Before,
    /// The step takes effect but still returns an error.
    After,
}

/// A test disk that records its steps and can make one of them fail.
#[derive(Clone, Default)]
pub(crate) struct FaultyDisk(Arc<Mutex<Faults>>);

#[derive(Default)]
struct Faults {
    next_fault: Option<(DiskStep, DiskFault)>,
    error: Option<io::ErrorKind>,
    is_locked: bool,
    steps: Vec<DiskStep>,
}

impl Faults {
    fn error(&self) -> io::Error {
        if self.is_locked {
            let busy = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY);
            return io::Error::other(rusqlite::Error::SqliteFailure(busy, None));
        }
        self.error.unwrap_or(io::ErrorKind::StorageFull).into()
    }
}

impl FaultyDisk {
    /// Makes the next occurrence of this step fail.
    pub(crate) fn fail_at(&self, step: DiskStep, fault: DiskFault) {
        self.0.lock().unwrap().next_fault = Some((step, fault));
    }

    /// Sets the error that failing steps return. The default is a full disk.
    pub(crate) fn set_error(&self, error: io::ErrorKind) {
        let mut faults = self.0.lock().unwrap();
        (faults.error, faults.is_locked) = (Some(error), false);
    }

    /// Makes failing steps return SQLite's error for a database that another program has locked.
    pub(crate) fn fail_as_locked(&self) {
        self.0.lock().unwrap().is_locked = true;
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.0.lock().unwrap().next_fault.is_none()
    }

    /// The disk steps that were performed since the last call.
    pub(crate) fn take_steps(&self) -> Vec<DiskStep> {
        std::mem::take(&mut self.0.lock().unwrap().steps)
    }
}

impl Disk for FaultyDisk {
    fn step(&self, step: DiskStep, act: &mut dyn FnMut() -> io::Result<()>) -> io::Result<()> {
        let (fault, error) = {
            let mut faults = self.0.lock().unwrap();
            faults.steps.push(step);
            let error = faults.error();
            (faults.next_fault.take_if(|(at, _)| *at == step), error)
        };
        match fault {
            None => act(),
            Some((_, DiskFault::Before)) => Err(error),
            Some((_, DiskFault::After)) => {
                act()?;
                Err(error)
            }
        }
    }
}

pub(crate) fn search_keys(journal: &mut MoneyJournal, query: &str) -> Vec<IdempotencyKey> {
    let page = journal.page(None, query, 0, 100).unwrap();
    assert_eq!(page.total, Some(page.rows.len() as u64));
    page.rows
        .iter()
        .map(|withdrawal| withdrawal.agreement.key)
        .collect()
}
