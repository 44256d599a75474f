//! Stores a money journal in files: `money.db`, `money.head`, and the lock files.

use std::path::{Path, PathBuf};

use super::chain::ChainLink;
use super::file::{self, EventFile};
use super::head;
use super::storage::{Rows, Storage};
use crate::journal::directory;
use crate::journal::disk::{Disk, DiskStep, NotDurable};
use crate::journal::lock::{self, LockGuard};
use crate::journal::safe_open;
use crate::journal::trouble::io_trouble;
use crate::trade::{Account, JournalTrouble};

/// The files of a journal of withdrawals in one directory.
pub struct Files {
    dir: PathBuf,
    /// The directory of `money.head`. When a temporary copy of the database is read, this is the
    /// directory of the copy.
    head: PathBuf,
    /// True if the directory is deleted when the program ends, so writes need not be durable.
    is_temporary: bool,
}

impl Files {
    /// Returns the files of the journal in this directory.
    pub fn new(dir: &Path) -> Files {
        Files::with_head_in(dir, dir)
    }

    /// Returns the files of a journal whose `money.head` is in the directory `head`.
    pub(super) fn with_head_in(dir: &Path, head: &Path) -> Files {
        Files { dir: dir.to_owned(), head: head.to_owned(), is_temporary: false }
    }

    /// Returns the files of a journal in a directory that is deleted when the program ends.
    pub(super) fn temporary(dir: &Path) -> Files {
        Files { is_temporary: true, ..Files::new(dir) }
    }

    /// Returns the disk to use for writing. If the files are temporary, this is a disk that skips
    /// syncs. Otherwise, it is `disk`.
    fn disk<'d>(&self, disk: &'d dyn Disk) -> &'d dyn Disk {
        if self.is_temporary { &NotDurable } else { disk }
    }
}

impl Storage for Files {
    fn exists(&self) -> bool {
        self.dir.exists()
    }

    fn make(&self, disk: &dyn Disk) -> Result<(), JournalTrouble> {
        make_dir(&self.dir, self.disk(disk))
    }

    fn open_rows(
        &self,
        may_be_new: bool,
        disk: &dyn Disk,
    ) -> Result<Box<dyn Rows>, JournalTrouble> {
        make_database(&self.dir, may_be_new, disk)?;
        let file = EventFile::open(&self.dir)?;
        if self.is_temporary {
            file.end_with_program()?;
        }
        Ok(Box::new(file))
    }

    fn head(&self) -> Result<Option<ChainLink>, JournalTrouble> {
        head::read(&self.head)
    }

    fn replace_head(&self, link: &ChainLink, disk: &dyn Disk) -> Result<(), JournalTrouble> {
        head::write(&self.dir, link, self.disk(disk))
    }

    fn hold_journal(&self) -> Result<LockGuard, JournalTrouble> {
        lock::hold_journal(&self.dir)
    }

    fn hold_account(&self, account: &Account) -> Result<Option<LockGuard>, JournalTrouble> {
        lock::hold_account(&self.dir, account)
    }

    fn is_held(&self, account: &Account) -> Result<bool, JournalTrouble> {
        lock::is_held(&self.dir, account)
    }

    fn network(&self) -> Option<&'static str> {
        directory::network(&self.dir)
    }
}

/// Creates the directory. If it already exists, it must belong to the current user, and other users
/// must not be able to write to it.
fn make_dir(dir: &Path, disk: &dyn Disk) -> Result<(), JournalTrouble> {
    let made = if dir.is_dir() {
        Ok(())
    } else {
        disk.step(DiskStep::MakeDir, &mut || directory::make(dir)).and_then(|()| {
            match dir.parent() {
                Some(parent) if !parent.as_os_str().is_empty() => head::sync_dir(parent, disk),
                _ => Ok(()),
            }
        })
    };
    made.and_then(|()| directory::is_ours(dir)).map_err(|error| io_trouble(dir, &error))
}

/// Checks that the database exists. An empty one is created only if `may_be_new` is true and there
/// is no `money.head`. A `money.head` would show that an earlier database is missing.
fn make_database(dir: &Path, may_be_new: bool, disk: &dyn Disk) -> Result<(), JournalTrouble> {
    let path = file::path(dir);
    let made = match safe_open::is_there(&path) {
        Ok(true) => Ok(()),
        Ok(false) => {
            if head::read(dir)?.is_some() {
                return Err(file::gone(dir));
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
    // Check the permissions of this file, because SQLite creates its other files with the same
    // permissions.
    made.and_then(|()| directory::keep_private(&path)).map_err(|error| io_trouble(&path, &error))
}
