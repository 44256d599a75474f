//! A disk that returns a changed agreement instead of the stored one. The checksums of the changed
//! agreement are valid.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

use crate::journal::disk::{Disk, DiskStep};
use crate::journal::lock::{AttemptWaiter, LockGuard};
use crate::journal::money::chain::{self, Checksum, EventRow};
use crate::journal::money::event::Event;
use crate::journal::money::{ChainLink, Files, MirroredTeam, MoneyJournal, Rows, Storage};
use crate::trade::{Account, Agreement, JournalTrouble};

/// Changes an agreement when it is read.
pub(crate) type Lie = fn(&mut Agreement);

/// A disk that returns a changed version of the first event. It does so from a chosen disk step on.
///
/// The changed row has valid checksums and fits into the chain. Other rows and all writes are not
/// affected.
#[derive(Clone, Default)]
pub(crate) struct LyingDisk(Arc<Mutex<Lies>>);

#[derive(Default)]
struct Lies {
    armed: Option<(DiskStep, Lie)>,
    active: Option<Lie>,
    count: usize,
    locks: Locks,
}

/// Counts how often the journal took a lock of the database or an account in order to read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Locks {
    /// The number of transactions that read more than one row.
    pub transactions: usize,
    /// The number of rows read outside a transaction.
    pub single_reads: usize,
    /// The number of checks of an account's lock.
    pub account_checks: usize,
    pub is_in_transaction: bool,
}

impl LyingDisk {
    /// Opens the journal in this directory on this disk.
    pub(crate) fn open(&self, dir: &Path) -> MoneyJournal {
        self.open_on(dir, None)
    }

    /// Like [`open`](LyingDisk::open), but on a simulated network file system.
    pub(crate) fn open_on_network(&self, dir: &Path) -> MoneyJournal {
        self.open_on(dir, Some("NFS"))
    }

    fn open_on(&self, dir: &Path, network: Option<&'static str>) -> MoneyJournal {
        let files = Files::on_disk(dir, self.clone());
        let storage = LyingStorage {
            files,
            disk: self.clone(),
            network,
        };
        MoneyJournal::open(storage, false).unwrap()
    }

    /// Makes every read return a changed first event, after the next occurrence of this step.
    pub(crate) fn lie_after(&self, step: DiskStep, lie: Lie) {
        self.0.lock().unwrap().armed = Some((step, lie));
    }

    pub(crate) fn lie_count(&self) -> usize {
        self.0.lock().unwrap().count
    }

    /// Returns the counts since the last call, and starts counting from zero.
    pub(crate) fn take_locks(&self) -> Locks {
        std::mem::take(&mut self.0.lock().unwrap().locks)
    }

    fn count(&self, count: impl FnOnce(&mut Locks)) {
        count(&mut self.0.lock().unwrap().locks);
    }

    fn maybe_lie(&self, row: EventRow) -> EventRow {
        let mut lies = self.0.lock().unwrap();
        match lies.active.filter(|_| row.n == 1) {
            Some(lie) => {
                lies.count += 1;
                altered_row(row, lie)
            }
            None => row,
        }
    }
}

/// The row as it would be stored if the seller had confirmed the changed agreement.
fn altered_row(mut row: EventRow, lie: Lie) -> EventRow {
    let event = Event::decode(&row.kind, &row.plain, row.personal.as_deref()).unwrap();
    let Event::Prepared(mut prepared) = event else {
        panic!("{event:?}")
    };
    lie(&mut prepared.agreement);
    let encoded = Event::Prepared(prepared).encode().unwrap();
    row.plain = encoded.plain;
    row.personal_sum = encoded.personal.as_deref().map(chain::checksum_of);
    row.personal = encoded.personal;
    row.sum = row.compute_sum(&chain::start().sum);
    row
}

impl Disk for LyingDisk {
    fn step(&self, step: DiskStep, act: &mut dyn FnMut() -> io::Result<()>) -> io::Result<()> {
        act()?;
        let mut lies = self.0.lock().unwrap();
        if let Some((_, lie)) = lies.armed.take_if(|(at, _)| *at == step) {
            lies.active = Some(lie);
        }
        Ok(())
    }
}

struct LyingStorage {
    files: Files,
    disk: LyingDisk,
    network: Option<&'static str>,
}

impl Storage for LyingStorage {
    fn exists(&self) -> bool {
        self.files.exists()
    }
    fn create_directory(&self) -> Result<(), JournalTrouble> {
        self.files.create_directory()
    }
    fn open_rows(&self, new: bool) -> Result<Box<dyn Rows>, JournalTrouble> {
        let rows = self.files.open_rows(new)?;
        Ok(Box::new(LyingRows {
            rows,
            disk: self.disk.clone(),
        }))
    }
    fn head(&self) -> Result<Option<ChainLink>, JournalTrouble> {
        self.files.head()
    }
    fn replace_head(&self, link: &ChainLink) -> Result<(), JournalTrouble> {
        self.files.replace_head(link)
    }
    fn team(&self) -> Result<Option<MirroredTeam>, JournalTrouble> {
        self.files.team()
    }
    fn replace_team(&self, team: &MirroredTeam) -> Result<(), JournalTrouble> {
        self.files.replace_team(team)
    }
    fn outbox(&self) -> Result<String, JournalTrouble> {
        self.files.outbox()
    }
    fn replace_outbox(&self, text: &str) -> Result<(), JournalTrouble> {
        self.files.replace_outbox(text)
    }
    fn lock_journal(&self) -> Result<LockGuard, JournalTrouble> {
        self.files.lock_journal()
    }
    fn lock_account(&self, account: &Account) -> Result<Option<LockGuard>, JournalTrouble> {
        self.files.lock_account(account)
    }
    fn is_account_locked(&self, account: &Account) -> Result<bool, JournalTrouble> {
        self.disk.count(|locks| locks.account_checks += 1);
        self.files.is_account_locked(account)
    }
    fn attempt_waiter(&self, account: &Account) -> AttemptWaiter {
        self.files.attempt_waiter(account)
    }
    fn network(&self) -> Option<&'static str> {
        self.network
    }
}

struct LyingRows {
    rows: Box<dyn Rows>,
    disk: LyingDisk,
}

impl Rows for LyingRows {
    fn schema(&self) -> Result<u32, JournalTrouble> {
        self.rows.schema()
    }
    fn create(&self) -> Result<(), JournalTrouble> {
        self.rows.create()
    }
    fn check_structure(&self) -> Result<(), JournalTrouble> {
        self.rows.check_structure()
    }
    fn begin(&self) -> Result<(), JournalTrouble> {
        self.rows.begin()
    }
    fn append(&self, row: &EventRow) -> Result<(), JournalTrouble> {
        self.rows.append(row)
    }
    fn erase_personal_data(&self, events: &[i64]) -> Result<(), JournalTrouble> {
        self.rows.erase_personal_data(events)
    }
    fn commit(&self) -> Result<(), JournalTrouble> {
        self.rows.commit()
    }
    fn roll_back(&self) {
        self.rows.roll_back();
    }
    fn for_each_row_from(
        &self,
        n: i64,
        limit: i64,
        each: &mut dyn FnMut(EventRow) -> Result<(), JournalTrouble>,
    ) -> Result<(), JournalTrouble> {
        self.rows.for_each_row_from(n, limit, each)
    }
    fn in_read_transaction(
        &self,
        read: &mut dyn FnMut() -> Result<(), JournalTrouble>,
    ) -> Result<(), JournalTrouble> {
        self.disk.count(|locks| {
            locks.transactions += 1;
            locks.is_in_transaction = true;
        });
        let result = self.rows.in_read_transaction(read);
        self.disk.count(|locks| locks.is_in_transaction = false);
        result
    }
    fn find(&self, n: i64) -> Result<Option<EventRow>, JournalTrouble> {
        self.disk
            .count(|locks| locks.single_reads += usize::from(!locks.is_in_transaction));
        Ok(self.rows.find(n)?.map(|row| self.disk.maybe_lie(row)))
    }
    fn sum(&self, n: i64) -> Result<Option<Checksum>, JournalTrouble> {
        self.rows.sum(n)
    }
    fn damaged(&self, text: &str) -> JournalTrouble {
        self.rows.damaged(text)
    }
}
