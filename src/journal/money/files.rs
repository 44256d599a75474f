//! Stores a money journal in files: `money.db`, `money.head`, and the lock files.

use std::path::{Path, PathBuf};

use super::chain::ChainLink;
use super::file::{self, EventFile};
use super::head;
use super::small_file::sync_dir;
use super::storage::{Rows, Storage};
use crate::journal::directory;
use crate::journal::disk::{Disk, DiskStep, UnsyncedDisk};
use crate::journal::lock::{self, LockGuard};
use crate::journal::safe_open;
use crate::journal::trouble::io_trouble;
use crate::trade::{Account, JournalTrouble};

/// The files of a journal of withdrawals in one directory.
pub struct Files {
    dir: PathBuf,
    /// The directory that contains `money.head`. It differs from `dir` if a temporary copy of the
    /// database is read. Then it is the directory of the copy.
    head_dir: PathBuf,
    /// True if the directory is deleted when the program ends, so writes need not be durable.
    is_temporary: bool,
}

impl Files {
    /// Returns the files of the journal in this directory.
    pub fn new(dir: &Path) -> Files {
        Files::with_head_in(dir, dir)
    }

    pub(super) fn with_head_in(dir: &Path, head_dir: &Path) -> Files {
        Files { dir: dir.to_owned(), head_dir: head_dir.to_owned(), is_temporary: false }
    }

    /// Returns the files of a journal in a directory that is deleted when the program ends.
    pub(super) fn temporary(dir: &Path) -> Files {
        Files { is_temporary: true, ..Files::new(dir) }
    }

    /// Returns a disk that skips syncs if the files are temporary. Otherwise, returns `disk`.
    fn disk<'d>(&self, disk: &'d dyn Disk) -> &'d dyn Disk {
        if self.is_temporary { &UnsyncedDisk } else { disk }
    }
}

impl Storage for Files {
    fn exists(&self) -> bool {
        self.dir.exists()
    }

    fn create_directory(&self, disk: &dyn Disk) -> Result<(), JournalTrouble> {
        create_dir(&self.dir, self.disk(disk))
    }

    fn open_rows(
        &self,
        may_be_new: bool,
        disk: &dyn Disk,
    ) -> Result<Box<dyn Rows>, JournalTrouble> {
        create_database(&self.dir, may_be_new, disk)?;
        let file = EventFile::open(&self.dir)?;
        if self.is_temporary {
            file.disable_sync()?;
        }
        Ok(Box::new(file))
    }

    fn head(&self) -> Result<Option<ChainLink>, JournalTrouble> {
        head::read(&self.head_dir)
    }

    fn replace_head(&self, link: &ChainLink, disk: &dyn Disk) -> Result<(), JournalTrouble> {
        head::write(&self.dir, link, self.disk(disk))
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

    fn network(&self) -> Option<&'static str> {
        directory::network_file_system(&self.dir)
    }
}

/// Creates the directory. If it already exists, it must belong to the current user, and other users
/// must not be able to write to it.
fn create_dir(dir: &Path, disk: &dyn Disk) -> Result<(), JournalTrouble> {
    let result = if dir.is_dir() {
        Ok(())
    } else {
        disk.step(DiskStep::MakeDir, &mut || directory::create(dir)).and_then(|()| {
            match dir.parent() {
                Some(parent) if !parent.as_os_str().is_empty() => sync_dir(parent, disk),
                _ => Ok(()),
            }
        })
    };
    result.and_then(|()| directory::check_private(dir)).map_err(|error| io_trouble(dir, &error))
}

/// Checks that the database exists. An empty one is created only if `may_be_new` is true and there
/// is no `money.head`. A `money.head` would show that an earlier database is missing.
fn create_database(dir: &Path, may_be_new: bool, disk: &dyn Disk) -> Result<(), JournalTrouble> {
    let path = file::path(dir);
    let result = match safe_open::regular_file_exists(&path) {
        Ok(true) => Ok(()),
        Ok(false) => {
            if head::read(dir)?.is_some() {
                return Err(file::missing_error(dir));
            }
            if !may_be_new {
                return Err(JournalTrouble::Missing);
            }
            disk.step(DiskStep::CreateDatabase, &mut || {
                safe_open::private_options().create(true).open(&path).map(drop)
            })
        }
        Err(error) => Err(error),
    };
    // Restrict the permissions of this file to the owner, because SQLite creates its other files
    // with the same permissions.
    result
        .and_then(|()| directory::restrict_to_owner(&path))
        .map_err(|error| io_trouble(&path, &error))
}
