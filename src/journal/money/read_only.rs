//! Opens the money journal only for reading. This is done on a read-only disk, and by commands that
//! send nothing.
//!
//! This module writes nothing, because the disk may be read-only. It takes no lock, because a
//! process that is about to send a withdrawal must never wait for a reader.

use std::path::{Path, PathBuf};

use super::chain::{self, ChainLink, EventRow};
use super::file::{self, EventFile, SCHEMA};
use super::files::Files;
use super::index::{IndexEntry, Status, WithdrawalIndex};
use super::{MoneyJournal, Rows, copy, head};
use crate::journal::disk::OsDisk;
use crate::trade::{JournalContents, JournalTrouble};

/// The maximum number of tries to read a consistent state while other processes write.
const MAX_TRIES: usize = 4;

/// A journal that is open only for reading. It was verified completely, and refuses all writes.
pub struct ReadOnlyJournal {
    /// The journal, which refuses writes.
    pub journal: MoneyJournal,
    /// True if the database is one event ahead of `money.head`. Either a process is writing the two
    /// files now, or it was killed between the two writes. The next write or start updates
    /// `money.head`.
    pub is_ahead: bool,
    /// True if this is a temporary copy of the journal. The copy is necessary if the last write to
    /// the original was interrupted. The copy lacks that write and all later ones.
    pub is_copy: bool,
}

impl ReadOnlyJournal {
    /// Opens the journal in a directory for reading.
    ///
    /// # Errors
    ///
    /// Fails if the journal is missing or damaged. Writes to the opened journal fail with
    /// [`JournalTrouble::ReadOnly`].
    pub fn open(dir: &Path) -> Result<ReadOnlyJournal, JournalTrouble> {
        let write_error = JournalTrouble::ReadOnly("it was opened to be read".into());
        MoneyJournal::open_to_read(dir, write_error)
    }
}

/// The error text for an empty journal. The text names both possible causes, because the program
/// cannot tell which of them occurred.
const EMPTY_JOURNAL_TEXT: &str = "nothing is in it: a first start was cut short, which the \
                                  next one mends, or somebody emptied it, which the next one \
                                  says";

/// Returns true if the directory contains a journal or a part of one.
pub fn journal_exists(dir: &Path) -> bool {
    // If it cannot be checked whether a file exists, assume that it does.
    [file::path(dir), head::path(dir)].iter().any(|path| path.try_exists().unwrap_or(true))
}

/// Returns true if the directory contains `money.head`. The file proves that a journal was here, so
/// no new journal may be created.
pub fn has_head(dir: &Path) -> bool {
    head::path(dir).try_exists().unwrap_or(true)
}

impl MoneyJournal {
    /// Opens an existing journal and verifies all of it. Changes no file and takes no lock.
    ///
    /// All writes to the opened journal fail with the error `write_error`.
    pub fn open_to_read(
        dir: &Path,
        write_error: JournalTrouble,
    ) -> Result<ReadOnlyJournal, JournalTrouble> {
        if !journal_exists(dir) {
            return Err(JournalTrouble::Missing);
        }
        let OpenedFile { file, head_dir, is_copy } = open_file(dir)?;
        file.check_structure()?;
        let (disk, index) = (OsDisk, WithdrawalIndex::new());
        let storage = Box::new(Files::with_head_in(dir, &head_dir));
        let dir = dir.to_owned();
        let mut journal = MoneyJournal {
            dir,
            storage,
            disk,
            file,
            index,
            trouble: Some(write_error),
            marker: None,
        };
        let is_ahead = journal.read_to_head()?;
        journal.check_bodies()?;
        Ok(ReadOnlyJournal { journal, is_ahead, is_copy })
    }

    /// Summarizes the withdrawals in the journal.
    pub fn contents(&self) -> JournalContents {
        let is_open = |entry: &&IndexEntry| matches!(entry.status, Status::Open | Status::Mismatch);
        let entries = &self.index.entries;
        JournalContents {
            withdrawals: entries.len() as u64,
            open: entries.iter().filter(is_open).count() as u64,
            last: entries.last().map(|entry| entry.confirmed_at),
        }
    }

    /// Returns the schema version of the file.
    pub fn schema(&self) -> Result<u32, JournalTrouble> {
        self.file.schema()
    }

    /// Reads new events until `money.head` matches the last event of the database or the event
    /// before it. Returns true if it matches the event before.
    fn read_to_head(&mut self) -> Result<bool, JournalTrouble> {
        let mut head = None;
        for _ in 0..MAX_TRIES {
            // Read `money.head` first, because every event is written to the database before it is
            // written to `money.head`.
            head = self.storage.head()?;
            self.read_new_events()?;
            match head {
                Some(head) if head == self.index.last => return Ok(false),
                Some(head) if head == self.index.before_last => return Ok(self.index.last.n > 0),
                _ => {}
            }
        }
        if head.is_none() && self.index.last.n == 0 {
            return Err(self.file.damaged(EMPTY_JOURNAL_TEXT));
        }
        // After all tries, the two files still differ. `check_head` returns an error that describes
        // the difference.
        self.check_head(head, false).map(|()| false)
    }
}

/// A database that is open for reading.
struct OpenedFile {
    pub file: Box<dyn Rows>,
    /// The directory of the `money.head` that belongs to this database. For a copy, this is the
    /// temporary directory.
    pub head_dir: PathBuf,
    pub is_copy: bool,
}

/// Opens the database for reading, and checks its schema version.
fn open_file(dir: &Path) -> Result<OpenedFile, JournalTrouble> {
    if file::is_missing(dir) {
        return Err(file::missing_error(dir));
    }
    let opened = open_or_copy(dir)?;
    let file = &opened.file;
    match file.schema()? {
        SCHEMA => Ok(opened),
        0 => Err(file.damaged(if has_head(dir) { "it is empty" } else { EMPTY_JOURNAL_TEXT })),
        found => Err(JournalTrouble::OtherVersion { found, known: SCHEMA }),
    }
}

/// Opens the database, or a temporary copy of it if the last write was interrupted.
fn open_or_copy(dir: &Path) -> Result<OpenedFile, JournalTrouble> {
    for _ in 0..MAX_TRIES {
        if let Some(file) = EventFile::open_to_read(dir)? {
            return Ok(OpenedFile {
                file: Box::new(file),
                head_dir: dir.to_owned(),
                is_copy: false,
            });
        }
        if let Some(copy) = copy::copy_journal(dir)? {
            let head_dir = copy.path().to_owned();
            let file = EventFile::open_copy(dir, copy)?;
            return Ok(OpenedFile { file: Box::new(file), head_dir, is_copy: true });
        }
    }
    let path = file::path(dir);
    Err(JournalTrouble::Busy(format!("{}: it is being mended all the time", path.display())))
}

/// The number of events in each read. The database is unlocked between two reads, so a slow reader
/// does not block writers.
const EVENTS_PER_READ: i64 = 500;

/// Reads all events of a journal in order, and verifies each against the event before it.
pub struct Export {
    file: Box<dyn Rows>,
    last: ChainLink,
    /// True if the events are read from a temporary copy, because the last write to the original
    /// was interrupted.
    pub is_copy: bool,
}

impl Export {
    /// Opens an existing journal without changing any file.
    pub fn open(dir: &Path) -> Result<Export, JournalTrouble> {
        if !journal_exists(dir) {
            return Err(JournalTrouble::Missing);
        }
        let OpenedFile { file, is_copy, .. } = open_file(dir)?;
        Ok(Export { file, last: chain::start(), is_copy })
    }

    /// Returns the next events, or an empty list at the end. If an error occurs after some events
    /// were read, returns both those events and the error.
    pub fn read_more(&mut self) -> (Vec<EventRow>, Option<JournalTrouble>) {
        let mut records = Vec::new();
        let mut last = self.last;
        let result = self.file.rows_after_limited(self.last, EVENTS_PER_READ, |row| {
            last = row.link();
            records.push(row);
            Ok(())
        });
        self.last = last;
        (records, result.err())
    }
}
