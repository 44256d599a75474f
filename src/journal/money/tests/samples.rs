//! Withdrawals, clocks and disks for the tests of this room and of the cashier.

mod lying;

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{fs, io};

use uuid::Uuid;

use crate::journal::disk::{Disk, DiskStep, OsDisk};
use crate::journal::money::{MoneyJournal, Objection, WriteRefused};
use crate::trade::withdrawal::{
    Alarm, AttemptEnd, ClashKind, Class, Retyped, SaysFailed, Unclear, Window,
};
use crate::trade::{
    Account, Agreement, Clocks, IdempotencyKey, JournalTrouble, Money, Origin, PixKey, PixKeyKind,
    Quote, Wall,
};

pub(crate) use lying::{Lie, Locks, LyingDisk};

pub(crate) const WINDOW: Window = Window {
    retention: Duration::from_secs(600),
    deadline: Duration::from_secs(30),
    resend_after: Duration::ZERO,
};

/// The same with the wait before a resend, which most tests here are not about.
pub(crate) const WAITING: Window = Window { resend_after: Duration::from_secs(30), ..WINDOW };

pub(crate) fn clocks(seconds: i64) -> Clocks {
    let boot_ms = seconds as u64 * 1_000;
    Clocks { wall: Wall(seconds * 1_000), boot_ms, boot_id: "boot".into() }
}

pub(crate) fn key(n: u128) -> IdempotencyKey {
    IdempotencyKey(Uuid::from_u128(n))
}

pub(crate) fn account(identity: &str) -> Account {
    Account { origin: Origin("https://pay.example".into()), identity: identity.into() }
}

/// Ana's withdrawal number `n`, of so many centavos, confirmed at second `n`.
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

pub(crate) fn end(at: i64, class: Class) -> AttemptEnd {
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

/// That withdrawal `n` speaks against another one.
pub(crate) fn against(kind: ClashKind, n: u128) -> WriteRefused {
    Objection { kind, other: key(n) }.into()
}

pub(crate) fn confirmed() -> Class {
    Class::Confirmed { id: Some("w-1".into()), status: Some("done".into()) }
}

pub(crate) fn lost() -> Class {
    Class::Unclear(Unclear::Timeout)
}

pub(crate) fn alarm() -> Class {
    Class::Alarm(Alarm::Destination { sent: "ana@loja.example".into(), got: "mallory".into() })
}

pub(crate) fn says_failed() -> Class {
    Class::SaysFailed(SaysFailed { member: "status".into(), word: "failed".into() })
}

pub(crate) fn open(dir: &Path) -> MoneyJournal {
    MoneyJournal::open(dir, OsDisk, false).unwrap()
}

/// A new journal, and its directory.
pub(crate) fn fresh() -> (tempfile::TempDir, MoneyJournal) {
    let dir = tempfile::tempdir().unwrap();
    let journal = open(dir.path());
    (dir, journal)
}

/// A new journal on a disk that fails on demand, and its directory.
pub(crate) fn on_faulty_disk() -> (tempfile::TempDir, FaultyDisk, MoneyJournal<FaultyDisk>) {
    let (dir, disk) = (tempfile::tempdir().unwrap(), FaultyDisk::default());
    let journal = MoneyJournal::open(dir.path(), disk.clone(), false).unwrap();
    (dir, disk, journal)
}

/// A journal with an accepted, a refused, a prepared and an unknown withdrawal: 10 events.
pub(crate) fn filled(dir: &Path) {
    let mut journal = open(dir);
    attempted(&mut journal, 1, 100, confirmed());
    attempted(&mut journal, 2, 200, Class::DefiniteNo);
    journal.prepare(agreement(3, 300), None).unwrap();
    attempted(&mut journal, 4, 400, lost());
}

/// Every file of a directory with its bytes.
pub(crate) fn files(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let all = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap());
    let files = all.filter(|entry| entry.path().is_file());
    let mut files: Vec<_> = files
        .map(|it| (it.file_name().into_string().unwrap(), fs::read(it.path()).unwrap()))
        .collect();
    files.sort();
    files
}

/// Changes the database behind the journal's back.
pub(crate) fn sql(dir: &Path, batch: &str) {
    rusqlite::Connection::open(dir.join("money.db")).unwrap().execute_batch(batch).unwrap();
}

/// The reason that a journal which is only read refuses every write with.
pub(crate) fn why() -> JournalTrouble {
    JournalTrouble::ReadOnly("the disk".into())
}

/// The amount typed again, with these named on the screen.
pub(crate) fn typed_again(centavos: i64, told: &[u128]) -> Option<Retyped> {
    let told = told.iter().map(|n| key(*n)).collect();
    Some(Retyped { amount: Money::from_centavos(centavos), told })
}

/// Begins an attempt of withdrawal `n` at a second, and drops the permit.
pub(crate) fn begin(journal: &mut MoneyJournal, n: u128, at: i64) -> Result<u32, WriteRefused> {
    let lock = journal.lock(key(n))?;
    journal.begin(lock, key(n), &clocks(at), &WINDOW).map(|permit| permit.n())
}

/// Prepares withdrawal `n` and lets one attempt of it end with this class.
pub(crate) fn attempted<D: Disk>(
    journal: &mut MoneyJournal<D>,
    n: u128,
    centavos: i64,
    class: Class,
) {
    journal.prepare(agreement(n, centavos), None).unwrap();
    attempt(journal, n, n as i64, class);
}

/// Makes one more attempt of withdrawal `n` at a second.
pub(crate) fn attempt<D: Disk>(journal: &mut MoneyJournal<D>, n: u128, at: i64, class: Class) {
    let lock = journal.lock(key(n)).unwrap();
    let permit = journal.begin(lock, key(n), &clocks(at), &WINDOW).unwrap();
    journal.settle(permit.spend().0, &end(at, class)).unwrap();
}

/// The fault that happens at a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DiskFault {
    /// The step fails and nothing is done.
    Before,
    /// The step is done, and fails all the same.
    After,
}

/// A disk that fails on demand, and remembers its steps.
#[derive(Clone, Default)]
pub(crate) struct FaultyDisk(Arc<Mutex<Faults>>);

#[derive(Default)]
struct Faults {
    next: Option<(DiskStep, DiskFault)>,
    error: Option<io::ErrorKind>,
    is_held: bool,
    seen: Vec<DiskStep>,
}

impl Faults {
    fn error(&self) -> io::Error {
        if self.is_held {
            let busy = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY);
            return io::Error::other(rusqlite::Error::SqliteFailure(busy, None));
        }
        self.error.unwrap_or(io::ErrorKind::StorageFull).into()
    }
}

impl FaultyDisk {
    /// Lets the step fail once, the next time it comes.
    pub(crate) fn fail(&self, step: DiskStep, fault: DiskFault) {
        self.0.lock().unwrap().next = Some((step, fault));
    }

    /// Lets it fail with this error from now on, in place of a full disk's.
    pub(crate) fn fails_with(&self, error: io::ErrorKind) {
        let mut faults = self.0.lock().unwrap();
        (faults.error, faults.is_held) = (Some(error), false);
    }

    /// Lets it fail from now on as SQLite does while somebody else holds the database.
    pub(crate) fn is_held(&self) {
        self.0.lock().unwrap().is_held = true;
    }

    /// Returns true when the fault has happened.
    pub(crate) fn failed(&self) -> bool {
        self.0.lock().unwrap().next.is_none()
    }

    /// The steps since this was asked last.
    pub(crate) fn seen(&self) -> Vec<DiskStep> {
        std::mem::take(&mut self.0.lock().unwrap().seen)
    }
}

impl Disk for FaultyDisk {
    fn step(&self, step: DiskStep, act: &mut dyn FnMut() -> io::Result<()>) -> io::Result<()> {
        let (fault, error) = {
            let mut faults = self.0.lock().unwrap();
            faults.seen.push(step);
            let error = faults.error();
            (faults.next.take_if(|(at, _)| *at == step), error)
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
