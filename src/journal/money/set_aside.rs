//! Moves the files of a damaged journal to a new directory when the user requests it. Nothing is
//! deleted.

use std::fs::{self, DirBuilder};
use std::io::{self, ErrorKind};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use super::{ChainLink, EventLookup, Files, MoneyJournal, Storage};
use crate::journal::trouble::io_trouble;
use crate::journal::{directory, lock};
use crate::trade::{JournalTrouble, Wall};

/// The files of a journal, in the order in which they are moved. The database is moved first. If
/// the move is interrupted, the remaining `money.head` still shows that there was a journal.
const FILES: [&str; 8] = [
    "money.db",
    "money.db-journal",
    "money.db-wal",
    "money.db-shm",
    "money.head",
    "money.head.new",
    "money.machine",
    "money.machine.new",
];

/// The reason why a journal was not moved to a new directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotSetAside {
    /// The journal is not damaged, so there is no reason to move it.
    Healthy,
    /// A withdrawal is being sent, and its outcome must be recorded first.
    InFlight,
    /// The move failed, or the journal has a problem that moving it would not solve.
    Trouble(JournalTrouble),
}

impl Files {
    /// Moves the files of a damaged journal to a new directory inside their own. Returns the path
    /// of the new directory.
    ///
    /// `marked` contains the events that the journal's markers record. No new journal is created
    /// here. The program creates one at a later start, when all markers of the old journal have
    /// been deleted.
    ///
    /// # Errors
    ///
    /// Fails if the journal is not damaged, if a withdrawal is being sent, or if the files cannot
    /// be moved.
    pub fn set_aside(&self, marked: &[ChainLink], now: Wall) -> Result<PathBuf, NotSetAside> {
        self.check_damaged(marked)?;
        let _lock = self.lock_journal().map_err(NotSetAside::Trouble)?;
        if lock::is_any_account_locked(&self.dir).map_err(NotSetAside::Trouble)? {
            return Err(NotSetAside::InFlight);
        }
        let to = directory::unused_path(&self.dir, ["money.damaged", ""], now, Path::exists);
        match self.move_all(&to) {
            Ok(()) => Ok(to),
            Err(error) => Err(NotSetAside::Trouble(io_trouble(&to, &error))),
        }
    }

    /// Checks that the journal is damaged, in the same way as the next start of the program will. A
    /// journal with a different problem must not be moved.
    ///
    /// # Errors
    ///
    /// Returns the reason if the journal must not be moved.
    pub fn check_damaged(&self, marked: &[ChainLink]) -> Result<(), NotSetAside> {
        let result = MoneyJournal::open(self.clone(), true);
        match result.and_then(|journal| journal.check_contains_all(marked)) {
            Ok(()) => Err(NotSetAside::Healthy),
            Err(trouble) if trouble.is_damage() => Ok(()),
            Err(other) => Err(NotSetAside::Trouble(other)),
        }
    }

    fn move_all(&self, to: &Path) -> io::Result<()> {
        let mut builder = DirBuilder::new();
        builder.mode(0o700);
        builder.create(to)?;
        for name in FILES {
            match fs::rename(self.path(name), to.join(name)) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        self.sync_dir(to)?;
        self.sync_dir(&self.dir)
    }
}
