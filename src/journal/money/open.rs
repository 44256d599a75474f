//! Opens the money journal and verifies every event. If the journal is damaged or incomplete,
//! opening fails: no new journal is created in its place.

use super::chain::ChainLink;
use super::file::SCHEMA;
use super::index::WithdrawalIndex;
use super::progress::Progress;
use super::replay;
use super::{MoneyJournal, Rows, Storage};
use crate::trade::JournalTrouble;

impl MoneyJournal {
    /// Opens the journal in a storage. A new journal is created if there is no trace of an earlier
    /// one.
    ///
    /// If `expected` is true, a missing journal is an error, because the storage contained one
    /// before.
    ///
    /// # Errors
    ///
    /// Fails if the journal is missing or damaged, if another process holds its lock, or if it
    /// cannot be written. The files then stay as they are.
    pub fn open(storage: impl Storage + 'static, expected: bool) -> Result<Self, JournalTrouble> {
        Self::open_reporting(storage, expected, &mut |_| ())
    }

    /// Opens a journal like [`open`](MoneyJournal::open), and reports how much of it has been
    /// verified. If that takes noticeable time, `report` is called with each percent.
    pub fn open_reporting(
        storage: impl Storage + 'static,
        expected: bool,
        report: &mut dyn FnMut(u8),
    ) -> Result<Self, JournalTrouble> {
        if expected && !storage.exists() {
            return Err(JournalTrouble::Missing);
        }
        storage.create_directory()?;
        let _lock = storage.lock_journal()?;
        let head = storage.head()?;
        let may_be_new = !expected && head.is_none();
        let file = storage.open_rows(may_be_new)?;
        match file.schema()? {
            SCHEMA => file.check_structure()?,
            0 if may_be_new => file.create()?,
            0 => return Err(file.damaged("it is empty")),
            found => {
                return Err(JournalTrouble::OtherVersion {
                    found,
                    known: SCHEMA,
                });
            }
        }
        let is_mirror = storage.team()?.is_some();
        let mut journal = MoneyJournal {
            storage: Box::new(storage),
            file,
            index: WithdrawalIndex::new(),
            last_own_event: 0,
            trouble: None,
            marker: None,
            is_mirror,
            team: None,
        };
        let events = head.map_or(0, |head| head.n);
        journal.read_events(&mut Progress::new(events, report))?;
        if !is_mirror {
            replay::check_bodies(&*journal.file, &journal.index)?;
        }
        journal.check_head(head, may_be_new)?;
        if is_mirror {
            journal.trouble = Some(JournalTrouble::Offline("the log is not attached".into()));
        }
        Ok(journal)
    }

    /// Compares `money.head` with the last event in the database.
    ///
    /// If the database is exactly one event ahead, writes `money.head`. The database is ahead if
    /// the process was killed between the two writes. The database of a mirror may be more events
    /// ahead. `money.head` is also written in a new journal.
    pub(super) fn check_head(
        &self,
        head: Option<ChainLink>,
        may_be_new: bool,
    ) -> Result<(), JournalTrouble> {
        let last = self.index.last;
        let before = self.index.before_last;
        match head {
            Some(head) if head == last => Ok(()),
            Some(head) if last.n == head.n + 1 && before == head => self.write_head(last),
            Some(head) if self.is_mirror && last.n > head.n && self.file.link(head.n)? == head => {
                self.write_head(last)
            }
            None if may_be_new && last.n == 0 => self.write_head(last),
            head => Err(head_error(&*self.file, last, head)),
        }
    }

    pub(super) fn write_head(&self, link: ChainLink) -> Result<(), JournalTrouble> {
        self.storage.replace_head(&link)
    }
}

/// The error for a `money.head` that differs from the last event in the database.
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
