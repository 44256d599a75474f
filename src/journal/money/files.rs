//! Stores a money journal in files: `money.db`, `money.head`, and the lock files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;

use super::chain::ChainLink;
use super::file::{self, EventFile};
use super::head;
use super::mirror::{self, MirroredTeam};
use super::storage::{Rows, Storage};
use crate::journal::directory;
use crate::journal::disk::{Disk, DiskStep, OsDisk, UnsyncedDisk};
use crate::journal::lock::{self, AttemptWaiter, LockGuard};
use crate::journal::safe_open;
use crate::journal::trouble::io_trouble;
use crate::trade::{Account, JournalTrouble};

/// The file with the ends of attempts that a team's log does not contain yet.
const OUTBOX: &str = "money.outbox";

/// The maximum size of the outbox in bytes. It has at most one end for each account.
const MAX_OUTBOX_BYTES: u64 = 1024 * 1024;

/// The files of a journal of withdrawals in one directory, and the disk to which they are written.
#[derive(Clone)]
pub struct Files {
    pub(super) dir: PathBuf,
    pub(super) disk: Arc<dyn Disk>,
    /// True if the directory is deleted when the program ends, so writes need not be durable.
    pub(super) is_temporary: bool,
    /// The directory of a temporary copy of the database and `money.head`. The copy is read if the
    /// last write to the originals was interrupted.
    pub(super) copy: Option<Arc<TempDir>>,
}

impl Files {
    /// The files of the journal in this directory.
    pub fn new(dir: impl Into<PathBuf>) -> Files {
        Files::on_disk(dir, OsDisk)
    }

    /// Returns the files of the journal in this directory, and writes them to another disk.
    pub fn on_disk(dir: impl Into<PathBuf>, disk: impl Disk + 'static) -> Files {
        Files {
            dir: dir.into(),
            disk: Arc::new(disk),
            is_temporary: false,
            copy: None,
        }
    }

    /// The files of a journal in a directory that is deleted when the program ends, such as the
    /// demo's directory. Their writes are not durable.
    pub fn temporary(dir: impl Into<PathBuf>) -> Files {
        Files {
            is_temporary: true,
            ..Files::on_disk(dir, UnsyncedDisk)
        }
    }

    /// The directory. The history and the requests are in it, too.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// True if the directory is deleted when the program ends.
    pub fn is_temporary(&self) -> bool {
        self.is_temporary
    }

    /// True if a process is sending a withdrawal of any account.
    pub fn is_sending(&self) -> Result<bool, JournalTrouble> {
        lock::is_any_account_locked(&self.dir)
    }

    /// Prevents other processes from opening the journal, until the returned guard is dropped.
    ///
    /// # Errors
    ///
    /// Returns [`JournalTrouble::Busy`] if a process has it open.
    pub fn lock_unused(&self) -> Result<LockGuard, JournalTrouble> {
        lock::lock_unused_dir(&self.dir)
    }

    /// The path of a file of the journal.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// The path at which a file of the journal is read.
    pub(super) fn path_to_read(&self, name: &str) -> PathBuf {
        self.copy
            .as_ref()
            .map_or(&*self.dir, |copy| copy.path())
            .join(name)
    }

    /// Checks that the database exists. An empty one is created only if `may_be_new` is true and
    /// there is no `money.head`. A `money.head` would show that an earlier database is missing.
    fn create_database(&self, may_be_new: bool) -> Result<(), JournalTrouble> {
        let path = self.path(file::NAME);
        let result = match safe_open::regular_file_exists(&path) {
            Ok(true) => Ok(()),
            Ok(false) => {
                if self.head()?.is_some() {
                    return Err(file::missing_error(self));
                }
                if !may_be_new {
                    return Err(JournalTrouble::Missing);
                }
                self.disk.step(DiskStep::CreateDatabase, &mut || {
                    safe_open::private_options()
                        .create(true)
                        .open(&path)
                        .map(drop)
                })
            }
            Err(error) => Err(error),
        };
        // Restrict the permissions of this file to the owner, because SQLite creates its other
        // files with the same permissions.
        result
            .and_then(|()| directory::restrict_to_owner(&path))
            .map_err(|error| io_trouble(&path, &error))
    }
}

impl Storage for Files {
    fn exists(&self) -> bool {
        self.dir.exists()
    }

    fn create_directory(&self) -> Result<(), JournalTrouble> {
        let dir = &*self.dir;
        let result = if dir.is_dir() {
            Ok(())
        } else {
            self.disk
                .step(DiskStep::MakeDir, &mut || directory::create(dir))
                .and_then(|()| match dir.parent() {
                    Some(parent) if !parent.as_os_str().is_empty() => self.sync_dir(parent),
                    _ => Ok(()),
                })
        };
        result
            .and_then(|()| directory::check_private(dir))
            .map_err(|error| io_trouble(dir, &error))
    }

    fn open_rows(&self, may_be_new: bool) -> Result<Box<dyn Rows>, JournalTrouble> {
        self.create_database(may_be_new)?;
        let file = EventFile::open(self)?;
        if self.is_temporary {
            file.disable_sync()?;
        }
        Ok(Box::new(file))
    }

    fn head(&self) -> Result<Option<ChainLink>, JournalTrouble> {
        head::read(self)
    }

    fn replace_head(&self, link: &ChainLink) -> Result<(), JournalTrouble> {
        head::write(self, link)
    }

    fn team(&self) -> Result<Option<MirroredTeam>, JournalTrouble> {
        mirror::read(self)
    }

    fn replace_team(&self, team: &MirroredTeam) -> Result<(), JournalTrouble> {
        mirror::write(self, team)
    }

    fn outbox(&self) -> Result<String, JournalTrouble> {
        match self.read_small(OUTBOX, MAX_OUTBOX_BYTES)? {
            Some(Some(text)) => Ok(text),
            Some(None) => Err(JournalTrouble::Damaged(format!(
                "{}: not an outbox",
                self.path(OUTBOX).display()
            ))),
            None => Ok(String::new()),
        }
    }

    fn replace_outbox(&self, text: &str) -> Result<(), JournalTrouble> {
        self.replace_small(OUTBOX, text)
    }

    fn lock_journal(&self) -> Result<LockGuard, JournalTrouble> {
        lock::lock_journal(&self.dir)
    }

    fn lock_account(&self, account: &Account) -> Result<Option<LockGuard>, JournalTrouble> {
        lock::lock_account(&self.dir, account)
    }

    fn is_account_locked(&self, account: &Account) -> Result<bool, JournalTrouble> {
        lock::is_held(&self.dir, account)
    }

    fn attempt_waiter(&self, account: &Account) -> AttemptWaiter {
        lock::attempt_waiter(&self.dir, account)
    }

    fn network(&self) -> Option<&'static str> {
        directory::network_file_system(&self.dir)
    }
}
