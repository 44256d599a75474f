//! The files of a money journal: `money.db`, `money.head`, and the locks beside them.

use std::path::{Path, PathBuf};

use super::chain::ChainLink;
use super::file::{self, EventFile};
use super::head;
use super::storage::{Rows, Storage};
use crate::journal::directory;
use crate::journal::disk::{Disk, DiskStep, NotDurable};
use crate::journal::lock::{self, LockGuard};
use crate::journal::plain;
use crate::journal::trouble::io_trouble;
use crate::trade::{Account, JournalTrouble};

/// A directory with the files of a money journal.
pub struct Files {
    dir: PathBuf,
    /// Where the head is: beside the rows, also where these are a copy.
    head: PathBuf,
    /// Set where the files end with the program: a power cut leaves nobody to miss them.
    is_temporary: bool,
}

impl Files {
    /// The files in this directory.
    pub fn new(dir: &Path) -> Files {
        Files::with_head_in(dir, dir)
    }

    /// The same of which rows and head are read elsewhere.
    pub(super) fn with_head_in(dir: &Path, head: &Path) -> Files {
        Files { dir: dir.to_owned(), head: head.to_owned(), is_temporary: false }
    }

    /// The files in a directory that is removed when the program ends.
    pub(super) fn temporary(dir: &Path) -> Files {
        Files { is_temporary: true, ..Files::new(dir) }
    }

    /// The disk that these files need.
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

/// Makes the directory where there is none; one that is there must be ours alone to write.
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

/// Sees that the database is there; an empty one is made only where there may be none.
fn make_database(dir: &Path, may_be_new: bool, disk: &dyn Disk) -> Result<(), JournalTrouble> {
    let path = file::path(dir);
    let made = match plain::is_there(&path) {
        Ok(true) => Ok(()),
        Ok(false) => {
            if head::read(dir)?.is_some() {
                return Err(file::gone(dir));
            }
            if !may_be_new {
                return Err(JournalTrouble::Missing);
            }
            disk.step(DiskStep::CreateDatabase, &mut || {
                plain::private().create(true).open(&path).map(drop)
            })
        }
        Err(error) => Err(error),
    };
    // SQLite gives its own files beside the database the database's mode.
    made.and_then(|()| directory::keep_private(&path)).map_err(|error| io_trouble(&path, &error))
}
