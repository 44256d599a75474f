//! A simulated disk in memory. Its steps fail as planned, and a power cut loses data that was not
//! synced.
//!
//! The simulation assumes that SQLite's transactions are atomic. The `kill_9` tests check this
//! assumption by killing real processes that use real files.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use balcao::journal::money::{ChainLink, EventRow, MoneyJournal, Rows, SCHEMA, Storage, Sum};
use balcao::journal::{Disk, DiskStep, LockGuard};
use balcao::trade::{Account, JournalTrouble};

/// The content of the simulated disk. All simulated processes ("windows") of the app share it.
#[derive(Debug, Clone, Default)]
pub struct SharedDisk(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    made: bool,
    /// The rows of the database, or `None` if there is no database file.
    rows: Option<Vec<EventRow>>,
    schema: u32,
    /// The content of the temporary file that will replace the head file. The head file contains
    /// the journal's last event.
    beside: Option<ChainLink>,
    head: Option<ChainLink>,
    /// The head file at the last sync of its directory. After a power cut, the disk may contain it
    /// again.
    durable_head: Option<ChainLink>,
    journal_held: bool,
    accounts_held: Vec<Account>,
}

impl SharedDisk {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Simulates a power cut. The disk loses the last rename of the head file, unless
    /// `new_name_kept` is true.
    pub fn lose_power(&self, new_name_kept: bool) {
        let mut kept = self.kept();
        if !new_name_kept {
            kept.head = kept.durable_head;
        }
        kept.durable_head = kept.head;
        kept.beside = None;
    }

    /// Returns true if the disk contains any of the journal's files.
    pub fn has_journal(&self) -> bool {
        let kept = self.kept();
        kept.rows.is_some() || kept.head.is_some()
    }

    /// Calls `look` with all durable events, and with the content of the head file after a power
    /// cut.
    pub fn look<T>(&self, look: impl FnOnce(&[EventRow], Option<ChainLink>) -> T) -> T {
        let kept = self.kept();
        look(kept.rows.as_deref().unwrap_or_default(), kept.durable_head)
    }
}

/// How a disk step fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiskFailure {
    /// The step has no effect and fails. Later steps succeed.
    FailsBefore,
    /// The step takes effect, but reports an error. Later steps succeed.
    FailsAfter,
    /// The step fails once without any effect, as if another process was using the database.
    /// Possible only for steps that change the database.
    Held,
    /// This step and every later step fail.
    FailsForEver,
    /// The process dies immediately before the step.
    DiesBefore,
    /// The process dies immediately after the step.
    DiesAfter,
}

impl DiskFailure {
    pub const ALL: [DiskFailure; 6] = [
        DiskFailure::FailsBefore,
        DiskFailure::FailsAfter,
        DiskFailure::Held,
        DiskFailure::FailsForEver,
        DiskFailure::DiesBefore,
        DiskFailure::DiesAfter,
    ];
}

/// The disk as one process (a "window") of the app sees it, with its own planned failure.
#[derive(Debug, Clone)]
pub struct MemoryDisk {
    platter: SharedDisk,
    luck: Arc<Mutex<Luck>>,
}

#[derive(Debug, Default)]
struct Luck {
    /// The planned failure, and the number of steps that succeed before the failure.
    plan: Option<(u64, DiskFailure)>,
    dead: bool,
}

impl MemoryDisk {
    pub fn new(platter: &SharedDisk) -> MemoryDisk {
        MemoryDisk { platter: platter.clone(), luck: Arc::default() }
    }

    /// Opens or creates the journal on this disk.
    pub fn open(&self, expected: bool) -> Result<MoneyJournal<MemoryDisk>, JournalTrouble> {
        let storage = Box::new(MemoryStorage(self.platter.clone()));
        MoneyJournal::open_in(storage, Path::new("memory"), self.clone(), expected)
    }

    fn luck(&self) -> MutexGuard<'_, Luck> {
        self.luck.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Plans a failure: the next `steps` disk steps succeed, and then one fails.
    pub fn plan(&self, steps: u64, mishap: DiskFailure) {
        self.luck().plan = Some((steps, mishap));
    }

    /// Returns true if the process died at a disk step. The test must then ignore its later
    /// reports.
    pub fn is_dead(&self) -> bool {
        self.luck().dead
    }

    fn due(&self) -> io::Result<Option<DiskFailure>> {
        let mut luck = self.luck();
        if luck.dead {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let Some((left, mishap)) = &mut luck.plan else { return Ok(None) };
        if *left > 0 {
            *left -= 1;
            return Ok(None);
        }
        let mishap = *mishap;
        if mishap != DiskFailure::FailsForEver {
            luck.plan = None;
        }
        luck.dead = matches!(mishap, DiskFailure::DiesBefore | DiskFailure::DiesAfter);
        Ok(Some(mishap))
    }
}

impl Disk for MemoryDisk {
    fn step(&self, step: DiskStep, act: &mut dyn FnMut() -> io::Result<()>) -> io::Result<()> {
        let Some(mishap) = self.due()? else { return act() };
        if mishap == DiskFailure::Held {
            let of_the_database =
                matches!(step, DiskStep::Begin | DiskStep::Append | DiskStep::Commit);
            return if of_the_database { Err(io::ErrorKind::ResourceBusy.into()) } else { act() };
        }
        if matches!(mishap, DiskFailure::FailsAfter | DiskFailure::DiesAfter) {
            act()?;
        }
        Err(io::ErrorKind::StorageFull.into())
    }
}

fn trouble(error: io::Error) -> JournalTrouble {
    match error.kind() {
        io::ErrorKind::ResourceBusy => JournalTrouble::Busy(error.to_string()),
        _ => JournalTrouble::Io(error.to_string()),
    }
}

/// The journal's storage on the simulated disk.
struct MemoryStorage(SharedDisk);

impl MemoryStorage {
    fn step(
        &self,
        disk: &dyn Disk,
        step: DiskStep,
        act: impl Fn(&mut Kept),
    ) -> Result<(), JournalTrouble> {
        let mut done = || {
            act(&mut self.0.kept());
            Ok(())
        };
        disk.step(step, &mut done).map_err(trouble)
    }
}

impl Storage for MemoryStorage {
    fn exists(&self) -> bool {
        self.0.kept().made
    }

    fn make(&self, disk: &dyn Disk) -> Result<(), JournalTrouble> {
        if self.exists() {
            return Ok(());
        }
        self.step(disk, DiskStep::MakeDir, |kept| kept.made = true)?;
        self.step(disk, DiskStep::DirSync, |_| ())
    }

    fn open_rows(
        &self,
        may_be_new: bool,
        disk: &dyn Disk,
    ) -> Result<Box<dyn Rows>, JournalTrouble> {
        let missing = self.0.kept().rows.is_none();
        if missing && !may_be_new {
            return Err(JournalTrouble::Missing);
        }
        if missing {
            self.step(disk, DiskStep::CreateDatabase, |kept| kept.rows = Some(Vec::new()))?;
        }
        Ok(Box::new(MemoryRows { platter: self.0.clone(), changes: Mutex::default() }))
    }

    fn head(&self) -> Result<Option<ChainLink>, JournalTrouble> {
        Ok(self.0.kept().head)
    }

    fn replace_head(&self, link: &ChainLink, disk: &dyn Disk) -> Result<(), JournalTrouble> {
        self.step(disk, DiskStep::HeadWrite, |kept| kept.beside = Some(*link))?;
        self.step(disk, DiskStep::HeadSync, |_| ())?;
        self.step(disk, DiskStep::HeadRename, |kept| kept.head = kept.beside.take())?;
        self.step(disk, DiskStep::DirSync, |kept| kept.durable_head = kept.head)
    }

    fn hold_journal(&self) -> Result<LockGuard, JournalTrouble> {
        let mut kept = self.0.kept();
        if std::mem::replace(&mut kept.journal_held, true) {
            return Err(JournalTrouble::Busy("another window has held it too long".into()));
        }
        Ok(Box::new(JournalHeld(self.0.clone())))
    }

    fn hold_account(&self, account: &Account) -> Result<Option<LockGuard>, JournalTrouble> {
        if self.is_held(account)? {
            return Ok(None);
        }
        self.0.kept().accounts_held.push(account.clone());
        Ok(Some(Box::new(AccountHeld(self.0.clone(), account.clone()))))
    }

    fn is_held(&self, account: &Account) -> Result<bool, JournalTrouble> {
        Ok(self.0.kept().accounts_held.contains(account))
    }
}

#[derive(Debug)]
struct JournalHeld(SharedDisk);

impl Drop for JournalHeld {
    fn drop(&mut self) {
        self.0.kept().journal_held = false;
    }
}

#[derive(Debug)]
struct AccountHeld(SharedDisk, Account);

impl Drop for AccountHeld {
    fn drop(&mut self) {
        self.0.kept().accounts_held.retain(|held| *held != self.1);
    }
}

/// The journal's rows, including the uncommitted changes of the open transaction.
struct MemoryRows {
    platter: SharedDisk,
    changes: Mutex<Vec<Change>>,
}

#[derive(Debug, Clone)]
enum Change {
    Append(EventRow),
    Blank(Vec<i64>),
}

impl MemoryRows {
    fn changes(&self) -> MutexGuard<'_, Vec<Change>> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(
        &self,
        step: DiskStep,
        change: Change,
        disk: &dyn Disk,
    ) -> Result<(), JournalTrouble> {
        disk.step(step, &mut || {
            self.changes().push(change.clone());
            Ok(())
        })
        .map_err(trouble)
    }

    /// Calls `take` with row `n` (counted from 1), which may be uncommitted.
    fn with<T>(&self, n: i64, take: impl FnOnce(&EventRow) -> T) -> Option<T> {
        let changes = self.changes();
        let added = changes.iter().find_map(|change| match change {
            Change::Append(row) if row.n == n => Some(row),
            _ => None,
        });
        if let Some(row) = added {
            return Some(take(row));
        }
        let at = usize::try_from(n).ok()?.checked_sub(1)?;
        self.platter.kept().rows.as_ref()?.get(at).map(take)
    }
}

impl Rows for MemoryRows {
    fn schema(&self) -> Result<u32, JournalTrouble> {
        Ok(self.platter.kept().schema)
    }

    fn create(&self, disk: &dyn Disk) -> Result<(), JournalTrouble> {
        let mut create = || {
            self.platter.kept().schema = SCHEMA;
            Ok(())
        };
        disk.step(DiskStep::CreateSchema, &mut create).map_err(trouble)
    }

    fn check_whole(&self) -> Result<(), JournalTrouble> {
        Ok(())
    }

    fn begin(&self, disk: &dyn Disk) -> Result<(), JournalTrouble> {
        self.roll_back();
        disk.step(DiskStep::Begin, &mut || Ok(())).map_err(trouble)
    }

    fn append(&self, row: &EventRow, disk: &dyn Disk) -> Result<(), JournalTrouble> {
        self.change(DiskStep::Append, Change::Append(row.clone()), disk)
    }

    fn blank(&self, events: &[i64], disk: &dyn Disk) -> Result<(), JournalTrouble> {
        self.change(DiskStep::Purge, Change::Blank(events.to_vec()), disk)
    }

    fn commit(&self, disk: &dyn Disk) -> Result<(), JournalTrouble> {
        let mut commit = || {
            let mut kept = self.platter.kept();
            // A commit also makes the renamed head file durable, because SQLite with `synchronous =
            // EXTRA` syncs the directory. Without this, a kill before the head file's own sync,
            // followed by a power cut, would look like damage.
            kept.durable_head = kept.head;
            let rows = kept.rows.get_or_insert_default();
            for change in self.changes().drain(..) {
                match change {
                    Change::Append(row) => rows.push(row),
                    Change::Blank(events) => rows
                        .iter_mut()
                        .filter(|row| events.contains(&row.n))
                        .for_each(|row| row.personal = None),
                }
            }
            Ok(())
        };
        disk.step(DiskStep::Commit, &mut commit).map_err(trouble)
    }

    fn roll_back(&self) {
        self.changes().clear();
    }

    fn each_from(
        &self,
        n: i64,
        most: i64,
        each: &mut dyn FnMut(EventRow) -> Result<(), JournalTrouble>,
    ) -> Result<(), JournalTrouble> {
        let first = n.max(1);
        for n in first..first.saturating_add(most) {
            let Some(row) = self.with(n, EventRow::clone) else { break };
            each(row)?;
        }
        Ok(())
    }

    fn find(&self, n: i64) -> Result<Option<EventRow>, JournalTrouble> {
        Ok(self.with(n, EventRow::clone))
    }

    fn sum(&self, n: i64) -> Result<Option<Sum>, JournalTrouble> {
        Ok(self.with(n, |row| row.sum))
    }

    fn damaged(&self, text: &str) -> JournalTrouble {
        JournalTrouble::Damaged(format!("money.db in memory: {text}"))
    }
}
