//! The journal opened only to be read: on a disk that takes no writes, or by somebody who asks.
//!
//! Nothing is written, also no lock: reading must work where writing does not, and must never make
//! a window wait that is about to send.

use std::path::{Path, PathBuf};

use super::chain::{self, ChainLink, EventRow};
use super::file::{self, EventFile, SCHEMA};
use super::files::Files;
use super::index::{IndexEntry, Status, WithdrawalIndex};
use super::{MoneyJournal, Rows, copy, head};
use crate::journal::disk::OsDisk;
use crate::trade::JournalTrouble;

/// The number of tries to find the end while other windows write.
const TRIES: usize = 4;

/// A journal that was read whole and verified, and that takes no writes.
pub struct ReadOnlyJournal {
    /// The journal.
    pub journal: MoneyJournal,
    /// True when it holds one event more than its head: a window ended between the two writes, or
    /// is between them now. Harmless: the next write or start writes the head anew.
    pub is_ahead: bool,
    /// True when its last write was cut short and a copy is read in which it was undone: later
    /// writes are not in it.
    pub is_copy: bool,
}

impl ReadOnlyJournal {
    /// Opens a journal that nobody here writes to.
    pub fn open(dir: &Path) -> Result<ReadOnlyJournal, JournalTrouble> {
        let why = JournalTrouble::ReadOnly("it was opened to be read".into());
        MoneyJournal::open_to_read(dir, why)
    }
}

/// The description of files in which there is nothing: a reader cannot know which of the two it is.
const NOTHING: &str = "nothing is in it: a first start was cut short, which the next one mends, or \
                       somebody emptied it, which the next one says";

/// Returns true when there is a journal in the directory, or a part of one.
pub fn is_there(dir: &Path) -> bool {
    // A file that nobody lets us see is there for all we know.
    [file::path(dir), head::path(dir)].iter().any(|path| path.try_exists().unwrap_or(true))
}

/// Returns true when the directory has a head file: no other journal begins there.
pub fn has_head(dir: &Path) -> bool {
    head::path(dir).try_exists().unwrap_or(true)
}

impl MoneyJournal {
    /// Opens a journal that is there, verifies all of it and changes nothing, not even its locks.
    ///
    /// `why` is the trouble that every write is refused with.
    pub fn open_to_read(
        dir: &Path,
        why: JournalTrouble,
    ) -> Result<ReadOnlyJournal, JournalTrouble> {
        if !is_there(dir) {
            return Err(JournalTrouble::Missing);
        }
        let OpenedFile { file, head, is_copy } = open_file(dir)?;
        file.check_whole()?;
        let (disk, index) = (OsDisk, WithdrawalIndex::new());
        let storage = Box::new(Files::with_head_in(dir, &head));
        let dir = dir.to_owned();
        let mut journal =
            MoneyJournal { dir, storage, disk, file, index, trouble: Some(why), marker: None };
        let is_ahead = journal.meet_head()?;
        journal.needs_bodies()?;
        Ok(ReadOnlyJournal { journal, is_ahead, is_copy })
    }

    /// Counts the withdrawals, and those that are open.
    pub fn counts(&self) -> (u64, u64) {
        let is_open = |entry: &&IndexEntry| matches!(entry.status, Status::Open | Status::Mismatch);
        let entries = &self.index.entries;
        (entries.len() as u64, entries.iter().filter(is_open).count() as u64)
    }

    /// The schema of its file.
    pub fn schema(&self) -> Result<u32, JournalTrouble> {
        self.file.schema()
    }

    /// Reads to the end that the head names; returns true when there is one event more.
    fn meet_head(&mut self) -> Result<bool, JournalTrouble> {
        let mut head = None;
        for _ in 0..TRIES {
            // The head first: what is written meanwhile comes into the database before it.
            head = self.storage.head()?;
            self.read_on()?;
            match head {
                Some(head) if head == self.index.last => return Ok(false),
                Some(head) if head == self.index.before_last => return Ok(self.index.last.n > 0),
                _ => {}
            }
        }
        if head.is_none() && self.index.last.n == 0 {
            return Err(self.file.damaged(NOTHING));
        }
        // Neither of the two that are healthy, so this says what is wrong.
        self.agree_with_head(head, false).map(|()| false)
    }
}

/// A file opened to read it.
struct OpenedFile {
    pub file: Box<dyn Rows>,
    /// Where the head is that belongs to it.
    pub head: PathBuf,
    pub is_copy: bool,
}

/// Opens the file to read it, where it is one that this program can read.
fn open_file(dir: &Path) -> Result<OpenedFile, JournalTrouble> {
    if file::is_gone(dir) {
        return Err(file::gone(dir));
    }
    let opened = open_as_it_is(dir)?;
    let file = &opened.file;
    match file.schema()? {
        SCHEMA => Ok(opened),
        0 => Err(file.damaged(if has_head(dir) { "it is empty" } else { NOTHING })),
        found => Err(JournalTrouble::OtherVersion { found, known: SCHEMA }),
    }
}

/// The file itself, or a copy of one whose last write was cut short.
fn open_as_it_is(dir: &Path) -> Result<OpenedFile, JournalTrouble> {
    for _ in 0..TRIES {
        if let Some(file) = EventFile::open_to_read(dir)? {
            return Ok(OpenedFile { file: Box::new(file), head: dir.to_owned(), is_copy: false });
        }
        if let Some(copy) = copy::of(dir)? {
            let head = copy.path().to_owned();
            let file = EventFile::open_copy(dir, copy)?;
            return Ok(OpenedFile { file: Box::new(file), head, is_copy: true });
        }
    }
    let path = file::path(dir);
    Err(JournalTrouble::Busy(format!("{}: it is being mended all the time", path.display())))
}

/// The number of events that are read at once: a slow reader holds no lock in between.
const AT_ONCE: i64 = 500;

/// The events of a journal from the first on, each checked against the one before.
pub struct Export {
    file: Box<dyn Rows>,
    last: ChainLink,
    /// True when a copy is read, in which a write that was cut short is undone.
    pub is_copy: bool,
}

impl Export {
    /// Opens a journal that is there; nothing is written.
    pub fn open(dir: &Path) -> Result<Export, JournalTrouble> {
        if !is_there(dir) {
            return Err(JournalTrouble::Missing);
        }
        let OpenedFile { file, is_copy, .. } = open_file(dir)?;
        Ok(Export { file, last: chain::start(), is_copy })
    }

    /// The next events, none at the end; beside them what is wrong behind the last of them.
    pub fn read_more(&mut self) -> (Vec<EventRow>, Option<JournalTrouble>) {
        let mut records = Vec::new();
        let mut last = self.last;
        let read = self.file.some_after(self.last, AT_ONCE, |row| {
            last = row.link();
            records.push(row);
            Ok(())
        });
        self.last = last;
        (records, read.err())
    }
}
