//! A simulated disk in memory. Tests can make its steps fail. They can also simulate a power cut,
//! which loses data that was not synced.
//!
//! The simulation assumes that SQLite's transactions are atomic. The `kill_9` tests check this
//! assumption by killing real processes that use real files.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use balcao::journal::money::{
    ChainLink, Checksum, EventRow, MirroredTeam, MoneyJournal, Rows, SCHEMA, Storage,
};
use balcao::journal::{AttemptWaiter, Disk, DiskStep, LockGuard};
use balcao::trade::{Account, JournalTrouble};

/// The content of the simulated disk. All simulated processes ("windows") of the app share it.
#[derive(Debug, Clone, Default)]
pub struct SharedDisk(Arc<Mutex<DiskContent>>);

#[derive(Debug, Default)]
struct DiskContent {
    has_directory: bool,
    /// The rows of the database, or `None` if there is no database file.
    rows: Option<Vec<EventRow>>,
    schema: u32,
    /// The content of the temporary file that will replace the head file. The head file contains
    /// the journal's last event.
    new_head: Option<ChainLink>,
    head: Option<ChainLink>,
    /// The head file's content when its directory was last synced. A power cut may restore this
    /// content.
    durable_head: Option<ChainLink>,
    outbox: String,
    team: Option<MirroredTeam>,
    journal_locked: bool,
    locked_accounts: Vec<Account>,
}

impl SharedDisk {
    fn content(&self) -> MutexGuard<'_, DiskContent> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the journal on this disk the mirror of a team's log.
    pub fn join_team(&self) {
        self.content().team.get_or_insert(MirroredTeam {
            id: uuid::Uuid::nil(),
            timeline: None,
        });
    }

    /// Simulates a power cut. The disk loses the last rename of the head file, unless
    /// `keeps_last_rename` is true.
    pub fn lose_power(&self, keeps_last_rename: bool) {
        let mut content = self.content();
        if !keeps_last_rename {
            content.head = content.durable_head;
        }
        content.durable_head = content.head;
        content.new_head = None;
    }

    /// Returns true if the disk contains any of the journal's files.
    pub fn has_journal(&self) -> bool {
        let content = self.content();
        content.rows.is_some() || content.head.is_some()
    }

    /// Calls `read` with all durable events, and with the content that the head file would have
    /// after a power cut.
    pub fn inspect<T>(&self, read: impl FnOnce(&[EventRow], Option<ChainLink>) -> T) -> T {
        let content = self.content();
        read(
            content.rows.as_deref().unwrap_or_default(),
            content.durable_head,
        )
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
    shared_disk: SharedDisk,
    failure_plan: Arc<Mutex<FailurePlan>>,
}

#[derive(Debug, Default)]
struct FailurePlan {
    /// The planned failure, and the number of steps that succeed before the failure.
    plan: Option<(u64, DiskFailure)>,
    dead: bool,
}

impl MemoryDisk {
    pub fn new(shared_disk: &SharedDisk) -> MemoryDisk {
        MemoryDisk {
            shared_disk: shared_disk.clone(),
            failure_plan: Arc::default(),
        }
    }

    /// Opens or creates the journal on this disk.
    pub fn open(&self, expected: bool) -> Result<MoneyJournal, JournalTrouble> {
        MoneyJournal::open(MemoryStorage(self.clone()), expected)
    }

    /// Makes the journal on this disk the mirror of a team's log.
    pub fn join_team(&self) {
        self.shared_disk.join_team();
    }

    fn failure_plan(&self) -> MutexGuard<'_, FailurePlan> {
        self.failure_plan
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Plans a failure: the next `steps` disk steps succeed, and then one fails.
    pub fn plan(&self, steps: u64, failure: DiskFailure) {
        self.failure_plan().plan = Some((steps, failure));
    }

    /// Returns true if the process died at a disk step. The test must then ignore its later
    /// reports.
    pub fn is_dead(&self) -> bool {
        self.failure_plan().dead
    }

    fn next_failure(&self) -> io::Result<Option<DiskFailure>> {
        let mut failure_plan = self.failure_plan();
        if failure_plan.dead {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let Some((steps_left, failure)) = &mut failure_plan.plan else {
            return Ok(None);
        };
        if *steps_left > 0 {
            *steps_left -= 1;
            return Ok(None);
        }
        let failure = *failure;
        if failure != DiskFailure::FailsForEver {
            failure_plan.plan = None;
        }
        failure_plan.dead = matches!(failure, DiskFailure::DiesBefore | DiskFailure::DiesAfter);
        Ok(Some(failure))
    }
}

impl Disk for MemoryDisk {
    fn step(&self, step: DiskStep, act: &mut dyn FnMut() -> io::Result<()>) -> io::Result<()> {
        let Some(failure) = self.next_failure()? else {
            return act();
        };
        if failure == DiskFailure::Held {
            let is_database_step =
                matches!(step, DiskStep::Begin | DiskStep::Append | DiskStep::Commit);
            return if is_database_step {
                Err(io::ErrorKind::ResourceBusy.into())
            } else {
                act()
            };
        }
        if matches!(failure, DiskFailure::FailsAfter | DiskFailure::DiesAfter) {
            act()?;
        }
        Err(io::ErrorKind::StorageFull.into())
    }
}

fn journal_trouble(error: io::Error) -> JournalTrouble {
    match error.kind() {
        io::ErrorKind::ResourceBusy => JournalTrouble::Busy(error.to_string()),
        _ => JournalTrouble::Io(error.to_string()),
    }
}

/// The journal's storage on the simulated disk.
struct MemoryStorage(MemoryDisk);

impl MemoryStorage {
    fn content(&self) -> MutexGuard<'_, DiskContent> {
        self.0.shared_disk.content()
    }

    fn step(&self, step: DiskStep, act: impl Fn(&mut DiskContent)) -> Result<(), JournalTrouble> {
        let mut run_step = || {
            act(&mut self.content());
            Ok(())
        };
        self.0.step(step, &mut run_step).map_err(journal_trouble)
    }
}

impl MemoryStorage {
    /// Replaces a small file beside the head, in the same steps as the head.
    fn replace_beside_head(&self, rename: impl Fn(&mut DiskContent)) -> Result<(), JournalTrouble> {
        self.step(DiskStep::HeadWrite, |_| ())?;
        self.step(DiskStep::HeadSync, |_| ())?;
        self.step(DiskStep::HeadRename, rename)?;
        self.step(DiskStep::DirSync, |_| ())
    }
}

impl Storage for MemoryStorage {
    fn exists(&self) -> bool {
        self.content().has_directory
    }

    fn create_directory(&self) -> Result<(), JournalTrouble> {
        if self.exists() {
            return Ok(());
        }
        self.step(DiskStep::MakeDir, |content| content.has_directory = true)?;
        self.step(DiskStep::DirSync, |_| ())
    }

    fn open_rows(&self, may_be_new: bool) -> Result<Box<dyn Rows>, JournalTrouble> {
        let is_missing = self.content().rows.is_none();
        if is_missing && !may_be_new {
            return Err(JournalTrouble::Missing);
        }
        if is_missing {
            self.step(DiskStep::CreateDatabase, |content| {
                content.rows = Some(Vec::new())
            })?;
        }
        Ok(Box::new(MemoryRows {
            disk: self.0.clone(),
            changes: Mutex::default(),
        }))
    }

    fn head(&self) -> Result<Option<ChainLink>, JournalTrouble> {
        Ok(self.content().head)
    }

    fn replace_head(&self, link: &ChainLink) -> Result<(), JournalTrouble> {
        self.step(DiskStep::HeadWrite, |content| {
            content.new_head = Some(*link)
        })?;
        self.step(DiskStep::HeadSync, |_| ())?;
        self.step(DiskStep::HeadRename, |content| {
            content.head = content.new_head.take()
        })?;
        self.step(DiskStep::DirSync, |content| {
            content.durable_head = content.head
        })
    }

    fn team(&self) -> Result<Option<MirroredTeam>, JournalTrouble> {
        Ok(self.content().team)
    }

    fn replace_team(&self, team: &MirroredTeam) -> Result<(), JournalTrouble> {
        self.replace_beside_head(|content| content.team = Some(*team))
    }

    fn outbox(&self) -> Result<String, JournalTrouble> {
        Ok(self.content().outbox.clone())
    }

    fn replace_outbox(&self, text: &str) -> Result<(), JournalTrouble> {
        self.replace_beside_head(|content| text.clone_into(&mut content.outbox))
    }

    fn lock_journal(&self) -> Result<LockGuard, JournalTrouble> {
        let mut content = self.content();
        if std::mem::replace(&mut content.journal_locked, true) {
            return Err(JournalTrouble::Busy(
                "another window has held it too long".into(),
            ));
        }
        Ok(Box::new(JournalLock(self.0.shared_disk.clone())))
    }

    fn lock_account(&self, account: &Account) -> Result<Option<LockGuard>, JournalTrouble> {
        if self.is_account_locked(account)? {
            return Ok(None);
        }
        self.content().locked_accounts.push(account.clone());
        Ok(Some(Box::new(AccountLock(
            self.0.shared_disk.clone(),
            account.clone(),
        ))))
    }

    fn is_account_locked(&self, account: &Account) -> Result<bool, JournalTrouble> {
        Ok(self.content().locked_accounts.contains(account))
    }

    fn attempt_waiter(&self, _: &Account) -> AttemptWaiter {
        Box::new(|| Err(io::ErrorKind::Unsupported.into()))
    }
}

#[derive(Debug)]
struct JournalLock(SharedDisk);

impl Drop for JournalLock {
    fn drop(&mut self) {
        self.0.content().journal_locked = false;
    }
}

#[derive(Debug)]
struct AccountLock(SharedDisk, Account);

impl Drop for AccountLock {
    fn drop(&mut self) {
        self.0
            .content()
            .locked_accounts
            .retain(|account| *account != self.1);
    }
}

/// The journal's rows, including the uncommitted changes of the open transaction.
struct MemoryRows {
    disk: MemoryDisk,
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

    fn change(&self, step: DiskStep, change: Change) -> Result<(), JournalTrouble> {
        let mut keep = || {
            self.changes().push(change.clone());
            Ok(())
        };
        self.disk.step(step, &mut keep).map_err(journal_trouble)
    }

    /// Calls `read` with row `n` (counted from 1), which may be uncommitted.
    fn with<T>(&self, n: i64, read: impl FnOnce(&EventRow) -> T) -> Option<T> {
        let changes = self.changes();
        let added = changes.iter().find_map(|change| match change {
            Change::Append(row) if row.n == n => Some(row),
            _ => None,
        });
        if let Some(row) = added {
            return Some(read(row));
        }
        let index = usize::try_from(n).ok()?.checked_sub(1)?;
        self.disk
            .shared_disk
            .content()
            .rows
            .as_ref()?
            .get(index)
            .map(read)
    }
}

impl Rows for MemoryRows {
    fn schema(&self) -> Result<u32, JournalTrouble> {
        Ok(self.disk.shared_disk.content().schema)
    }

    fn create(&self) -> Result<(), JournalTrouble> {
        let mut create = || {
            self.disk.shared_disk.content().schema = SCHEMA;
            Ok(())
        };
        self.disk
            .step(DiskStep::CreateSchema, &mut create)
            .map_err(journal_trouble)
    }

    fn check_structure(&self) -> Result<(), JournalTrouble> {
        Ok(())
    }

    fn begin(&self) -> Result<(), JournalTrouble> {
        self.roll_back();
        self.disk
            .step(DiskStep::Begin, &mut || Ok(()))
            .map_err(journal_trouble)
    }

    fn append(&self, row: &EventRow) -> Result<(), JournalTrouble> {
        self.change(DiskStep::Append, Change::Append(row.clone()))
    }

    fn erase_personal_data(&self, events: &[i64]) -> Result<(), JournalTrouble> {
        self.change(DiskStep::Purge, Change::Blank(events.to_vec()))
    }

    fn commit(&self) -> Result<(), JournalTrouble> {
        let mut commit = || {
            let mut content = self.disk.shared_disk.content();
            // A commit also makes the renamed head file durable, because SQLite with `synchronous =
            // EXTRA` syncs the directory. Without this, a kill before the head file's own sync,
            // followed by a power cut, would look like damage.
            content.durable_head = content.head;
            let rows = content.rows.get_or_insert_default();
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
        self.disk
            .step(DiskStep::Commit, &mut commit)
            .map_err(journal_trouble)
    }

    fn roll_back(&self) {
        self.changes().clear();
    }

    fn for_each_row_from(
        &self,
        n: i64,
        limit: i64,
        each: &mut dyn FnMut(EventRow) -> Result<(), JournalTrouble>,
    ) -> Result<(), JournalTrouble> {
        let first = n.max(1);
        for n in first..first.saturating_add(limit) {
            let Some(row) = self.with(n, EventRow::clone) else {
                break;
            };
            each(row)?;
        }
        Ok(())
    }

    fn find(&self, n: i64) -> Result<Option<EventRow>, JournalTrouble> {
        Ok(self.with(n, EventRow::clone))
    }

    fn sum(&self, n: i64) -> Result<Option<Checksum>, JournalTrouble> {
        Ok(self.with(n, |row| row.sum))
    }

    fn damaged(&self, text: &str) -> JournalTrouble {
        JournalTrouble::Damaged(format!("money.db in memory: {text}"))
    }
}
