//! Opens the money journal and verifies every event. If the journal is damaged or incomplete,
//! opening fails: no new journal is created in its place.

use std::path::Path;

use super::chain::ChainLink;
use super::file::SCHEMA;
use super::files::Files;
use super::index::WithdrawalIndex;
use super::progress::Progress;
use super::replay;
use super::{MoneyJournal, Rows, Storage};
use crate::journal::disk::{Disk, OsDisk};
use crate::trade::JournalTrouble;

impl MoneyJournal {
    /// Opens a journal in a directory that is deleted when the program ends, such as the demo's
    /// directory. Its writes are not durable.
    pub fn open_temporary(dir: &Path, expected: bool) -> Result<Self, JournalTrouble> {
        Self::open_in(Box::new(Files::temporary(dir)), dir, OsDisk, expected)
    }
}

impl<D: Disk> MoneyJournal<D> {
    /// Opens the journal in a directory. A new journal is created if there is no trace of an
    /// earlier one.
    ///
    /// If `expected` is true, a missing journal is an error, because the directory contained one
    /// before.
    ///
    /// # Errors
    ///
    /// Fails if the journal is missing or damaged, if another process holds its lock, or if it
    /// cannot be written. The files then stay as they are.
    pub fn open(dir: &Path, disk: D, expected: bool) -> Result<Self, JournalTrouble> {
        Self::open_in(Box::new(Files::new(dir)), dir, disk, expected)
    }

    /// Opens a journal like [`open`](MoneyJournal::open), and reports how much of it has been
    /// verified. If that takes noticeable time, `report` is called with each percent.
    pub fn open_reporting(
        dir: &Path,
        disk: D,
        expected: bool,
        report: &mut dyn FnMut(u8),
    ) -> Result<Self, JournalTrouble> {
        Self::open_storage(Box::new(Files::new(dir)), dir, disk, expected, report)
    }

    /// Opens a journal in any storage, for example in memory. Otherwise, this function works like
    /// [`open`](MoneyJournal::open).
    pub fn open_in(
        storage: Box<dyn Storage>,
        dir: &Path,
        disk: D,
        expected: bool,
    ) -> Result<Self, JournalTrouble> {
        Self::open_storage(storage, dir, disk, expected, &mut |_| ())
    }

    fn open_storage(
        storage: Box<dyn Storage>,
        dir: &Path,
        disk: D,
        expected: bool,
        report: &mut dyn FnMut(u8),
    ) -> Result<Self, JournalTrouble> {
        if expected && !storage.exists() {
            return Err(JournalTrouble::Missing);
        }
        storage.create_directory(&disk)?;
        let _lock = storage.lock_journal()?;
        let head = storage.head()?;
        let may_be_new = !expected && head.is_none();
        let file = storage.open_rows(may_be_new, &disk)?;
        match file.schema()? {
            SCHEMA => file.check_structure()?,
            0 if may_be_new => file.create(&disk)?,
            0 => return Err(file.damaged("it is empty")),
            found => return Err(JournalTrouble::OtherVersion { found, known: SCHEMA }),
        }
        let dir = dir.to_owned();
        let mut journal = MoneyJournal {
            dir,
            storage,
            disk,
            file,
            index: WithdrawalIndex::new(),
            last_own_event: 0,
            trouble: None,
            marker: None,
        };
        let events = head.map_or(0, |head| head.n);
        journal.read_events(&mut Progress::new(events, report))?;
        replay::check_bodies(&*journal.file, &journal.index)?;
        journal.check_head(head, may_be_new)?;
        Ok(journal)
    }

    /// Compares `money.head` with the last event in the database.
    ///
    /// If the database is exactly one event ahead, writes `money.head`. The database is ahead if
    /// the process was killed between the two writes. `money.head` is also written in a new
    /// journal.
    pub(super) fn check_head(
        &self,
        head: Option<ChainLink>,
        may_be_new: bool,
    ) -> Result<(), JournalTrouble> {
        let (last, before) = (self.index.last, self.index.before_last);
        match head {
            Some(head) if head == last => Ok(()),
            Some(head) if last.n == head.n + 1 && before == head => self.write_head(last),
            None if may_be_new && last.n == 0 => self.write_head(last),
            head => Err(head_error(&*self.file, last, head)),
        }
    }

    pub(super) fn write_head(&self, link: ChainLink) -> Result<(), JournalTrouble> {
        self.storage.replace_head(&link, &self.disk)
    }
}

/// Returns the error for a `money.head` that differs from the last event in the database.
pub(super) fn head_error(
    file: &dyn Rows,
    last: ChainLink,
    head: Option<ChainLink>,
) -> JournalTrouble {
    match head {
        None => file.damaged("money.head beside it is gone"),
        Some(head) => file.damaged(&format!(
            "it ends with event {}, and money.head says it ends with another event {}",
            last.n, head.n
        )),
    }
}
