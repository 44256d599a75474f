//! Opens the money journal only for reading. This is done on a read-only disk, and by commands that
//! send nothing.
//!
//! This module writes nothing, because the disk may be read-only. It takes no lock, because a
//! process that is about to send a withdrawal must never wait for a reader.

use super::chain::{self, ChainLink, EventRow};
use super::file::{self, EventFile, OLDER_SCHEMA, SCHEMA};
use super::files::Files;
use super::index::WithdrawalIndex;
use super::open::head_error;
use super::overview::{JournalOverview, OverviewIndex};
use super::progress::Progress;
use super::replay::{self, ReplayIndex, Replayed};
use super::{MoneyJournal, Rows, Storage, copy, head};
use crate::trade::JournalTrouble;

/// The maximum number of tries to read a consistent state while other processes write.
const MAX_TRIES: usize = 4;

/// A journal that is open only for reading. It was verified completely.
pub struct ReadOnlyJournal<J = JournalOverview> {
    /// An overview of the journal, or a journal that refuses writes.
    pub journal: J,
    /// True if the database is one event ahead of `money.head`. Either a process is writing the two
    /// files now, or it was killed between the two writes. The next write or start updates
    /// `money.head`.
    pub is_ahead: bool,
    /// True if this is a temporary copy of the journal. The copy is necessary if the last write to
    /// the original was interrupted. The copy lacks that write and all later ones.
    pub is_copy: bool,
}

impl ReadOnlyJournal {
    /// Opens an existing journal and verifies all of it. Changes no file and takes no lock.
    ///
    /// # Errors
    ///
    /// Fails if the journal is missing or damaged.
    pub fn open(files: &Files) -> Result<ReadOnlyJournal, JournalTrouble> {
        let file = open_existing(files)?;
        let mut index = OverviewIndex::new();
        let is_ahead = read_to_head(&file, &mut index, &mut |_| ())?;
        let is_copy = file.is_copy();
        let storage = Box::new(file.files.clone());
        let journal = JournalOverview {
            file: Box::new(file),
            storage,
            index,
        };
        Ok(ReadOnlyJournal {
            journal,
            is_ahead,
            is_copy,
        })
    }
}

/// The error text for an empty journal. The text names both possible causes, because the program
/// cannot tell which of them occurred.
const EMPTY_JOURNAL_TEXT: &str = "nothing is in it: a first start was cut short, which the \
                                  next one mends, or somebody emptied it, which the next one \
                                  says";

impl Files {
    /// True if the directory contains a journal or a part of one.
    pub fn journal_exists(&self) -> bool {
        // If it cannot be checked whether a file exists, assume that it does.
        self.path(file::NAME).try_exists().unwrap_or(true) || self.has_head()
    }

    /// True if the directory contains `money.head`. The file proves that a journal was here, so no
    /// new journal may be created.
    pub fn has_head(&self) -> bool {
        self.path(head::NAME).try_exists().unwrap_or(true)
    }
}

impl MoneyJournal {
    /// Opens an existing journal and verifies all of it. Changes no file and takes no lock.
    ///
    /// All writes to the opened journal fail with the error `write_error`.
    pub fn open_to_read(
        files: &Files,
        write_error: JournalTrouble,
    ) -> Result<ReadOnlyJournal<MoneyJournal>, JournalTrouble> {
        MoneyJournal::open_to_read_reporting(files, write_error, &mut |_| ())
    }

    /// Opens a journal like [`open_to_read`](MoneyJournal::open_to_read), and reports the progress
    /// like [`open_reporting`](MoneyJournal::open_reporting).
    pub fn open_to_read_reporting(
        files: &Files,
        write_error: JournalTrouble,
        report: &mut dyn FnMut(u8),
    ) -> Result<ReadOnlyJournal<MoneyJournal>, JournalTrouble> {
        let file = open_existing(files)?;
        let mut index = WithdrawalIndex::new();
        let is_ahead = read_to_head(&file, &mut index, report)?;
        let is_copy = file.is_copy();
        let is_mirror = file.files.team()?.is_some();
        let journal = MoneyJournal {
            storage: Box::new(file.files.clone()),
            file: Box::new(file),
            index,
            last_own_event: 0,
            trouble: Some(write_error),
            marker: None,
            is_mirror,
            team: None,
        };
        Ok(ReadOnlyJournal {
            journal,
            is_ahead,
            is_copy,
        })
    }
}

/// Opens the database of an existing journal for reading, and checks its internal structures.
fn open_existing(files: &Files) -> Result<EventFile, JournalTrouble> {
    let file = open_file(files)?;
    file.check_structure()?;
    Ok(file)
}

/// Reads all events, until `money.head` matches the last event of the database or the event before
/// it. Returns true if it matches an earlier event than the last.
fn read_to_head(
    file: &EventFile,
    index: &mut dyn ReplayIndex,
    report: &mut dyn FnMut(u8),
) -> Result<bool, JournalTrouble> {
    let mut head = None;
    for _ in 0..MAX_TRIES {
        // Read `money.head` first, because every event is written to the database before it is
        // written to `money.head`.
        head = file.files.head()?;
        let events = head.map_or(0, |head| head.n);
        replay::read_new_events(file, index, &mut Progress::new(events, report))?;
        let Replayed {
            last, before_last, ..
        } = *index.replayed();
        if head == Some(last) || head == Some(before_last) || is_head_of_mirror(file, head)? {
            if file.files.team()?.is_none() {
                replay::check_bodies(file, index.replayed())?;
            }
            return Ok(head != Some(last) && last.n > 0);
        }
    }
    let last = index.replayed().last;
    if head.is_none() && last.n == 0 {
        return Err(file.damaged(EMPTY_JOURNAL_TEXT));
    }
    // After all tries, the two files still differ.
    Err(head_error(file, last, head))
}

/// True if the journal is the mirror of a team's log, and contains the event that `head` names. The
/// head of a mirror may be many events behind.
fn is_head_of_mirror(file: &EventFile, head: Option<ChainLink>) -> Result<bool, JournalTrouble> {
    match head {
        Some(head) if file.files.team()?.is_some() => Ok(file.sum(head.n)? == Some(head.sum)),
        _ => Ok(false),
    }
}

/// Opens the database of an existing journal for reading, and checks its schema version.
fn open_file(files: &Files) -> Result<EventFile, JournalTrouble> {
    if !files.journal_exists() {
        return Err(JournalTrouble::Missing);
    }
    if file::is_missing(files) {
        return Err(file::missing_error(files));
    }
    let file = open_or_copy(files)?;
    match file.schema()? {
        SCHEMA | OLDER_SCHEMA => Ok(file),
        0 => Err(file.damaged(if files.has_head() {
            "it is empty"
        } else {
            EMPTY_JOURNAL_TEXT
        })),
        found => Err(JournalTrouble::OtherVersion {
            found,
            known: SCHEMA,
        }),
    }
}

/// Opens the database, or a temporary copy of it if the last write was interrupted.
fn open_or_copy(files: &Files) -> Result<EventFile, JournalTrouble> {
    for _ in 0..MAX_TRIES {
        if let Some(file) = EventFile::open_to_read(files)? {
            return Ok(file);
        }
        if let Some(copy) = copy::copy_journal(files)? {
            return EventFile::open_copy(&copy);
        }
    }
    let path = files.path(file::NAME);
    Err(JournalTrouble::Busy(format!(
        "{}: it is being mended all the time",
        path.display()
    )))
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
    pub fn open(files: &Files) -> Result<Export, JournalTrouble> {
        let file = open_file(files)?;
        Ok(Export {
            is_copy: file.is_copy(),
            file: Box::new(file),
            last: chain::start(),
        })
    }

    /// The next events, or an empty list at the end. If an error occurs after some events were
    /// read, returns both those events and the error.
    pub fn read_more(&mut self) -> (Vec<EventRow>, Option<JournalTrouble>) {
        let mut records = Vec::new();
        let mut last = self.last;
        let result = self
            .file
            .rows_after_limited(self.last, EVENTS_PER_READ, |row| {
                last = row.link();
                records.push(row);
                Ok(())
            });
        self.last = last;
        (records, result.err())
    }
}
