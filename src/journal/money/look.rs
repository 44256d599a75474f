//! The journal opened only to be read: on a disk that takes no writes, or by somebody who asks.
//!
//! Nothing is written, also no lock: reading must work where writing does not, and must never make
//! a window wait that is about to send.

use std::path::{Path, PathBuf};

use super::book::{Book, Line, Standing};
use super::file::{self, EventFile, OLDEST, SCHEMA};
use super::files::Files;
use super::rules::RECENT;
use super::{MoneyJournal, Rows, copy, head};
use crate::journal::disk::OsDisk;
use crate::trade::{JournalTrouble, OtherJournal, Wall};

/// How often the end is looked for again while other windows write.
const LOOKS: usize = 4;

/// A journal that was read whole and verified, and that takes no writes.
pub struct Look {
    /// The journal.
    pub journal: MoneyJournal,
    /// Whether it holds one event more than its head says: a window that ended between the two,
    /// or one that is between them now. Harmless: the next write or start writes the head anew.
    pub is_ahead: bool,
    /// Whether its last write was cut short, so that a copy is read in which it was undone: what
    /// others write from now on is not in it.
    pub is_copy: bool,
}

/// What is said of files in which there is nothing: who only reads them cannot tell which it is.
const NOTHING: &str = "nothing is in it: a first start was cut short, which the next one mends, or \
                       somebody emptied it, which the next one says";

/// Whether there is a journal in the directory, or a part of one.
pub fn is_there(dir: &Path) -> bool {
    // A file that nobody lets us see is there for all we know.
    [file::path(dir), head::path(dir)].iter().any(|path| path.try_exists().unwrap_or(true))
}

/// Whether something says how far the journal in the directory went: no other begins there.
pub fn has_head(dir: &Path) -> bool {
    head::path(dir).try_exists().unwrap_or(true)
}

impl MoneyJournal {
    /// Opens a journal that is there, verifies all of it and changes nothing, not even its locks.
    ///
    /// `why` is the trouble that every write is refused with.
    pub fn open_to_read(dir: &Path, why: JournalTrouble) -> Result<Look, JournalTrouble> {
        if !is_there(dir) {
            return Err(JournalTrouble::Missing);
        }
        let Opened { file, head, is_copy } = open_file(dir)?;
        file.check_whole()?;
        let (disk, book) = (OsDisk, Book::new());
        let storage = Box::new(Files::with_head_in(dir, &head));
        let dir = dir.to_owned();
        let mut journal = MoneyJournal { dir, storage, disk, file, book, trouble: Some(why) };
        let is_ahead = journal.meet_head()?;
        journal.needs_bodies()?;
        Ok(Look { journal, is_ahead, is_copy })
    }

    /// What is in it, for somebody who has another one open.
    pub fn summary(&self, dir: &Path, now: Wall) -> OtherJournal {
        let count = |is: &dyn Fn(&Line) -> bool| {
            self.book.lines.iter().filter(|line| is(line)).count() as u64
        };
        let open = |line: &Line| matches!(line.standing, Standing::Open | Standing::Mismatch);
        OtherJournal {
            dir: dir.to_owned(),
            owners: self.book.owners(),
            withdrawals: count(&|_| true),
            open: count(&open),
            prepared: count(&|line| line.standing == Standing::Prepared),
            recent: count(&|line| line.is_decided() && line.changed_within(RECENT, now)),
            last: self.book.lines.iter().map(|line| line.changed).max(),
            trouble: None,
        }
    }

    /// The number of the last event and the checksum of all.
    pub fn end(&self) -> (u64, [u8; 32]) {
        (self.book.last.n.unsigned_abs(), self.book.last.sum)
    }

    /// Reads to the end that the head names; whether there is one event more.
    fn meet_head(&mut self) -> Result<bool, JournalTrouble> {
        let mut head = None;
        for _ in 0..LOOKS {
            // The head first: what is written meanwhile comes into the database before it.
            head = self.storage.head()?;
            self.read_on()?;
            match head {
                Some(head) if head == self.book.last => return Ok(false),
                Some(head) if head == self.book.before_last => return Ok(self.book.last.n > 0),
                _ => {}
            }
        }
        if head.is_none() && self.book.last.n == 0 {
            return Err(self.file.damaged(NOTHING));
        }
        // Neither of the two that are healthy, so this says what is wrong.
        self.agree_with_head(head, false).map(|()| false)
    }
}

/// A file opened to read it.
pub(super) struct Opened {
    pub file: Box<dyn Rows>,
    /// Where the head is that belongs to it.
    pub head: PathBuf,
    pub is_copy: bool,
}

/// Opens the file to read it, where it is one that this program can read.
pub(super) fn open_file(dir: &Path) -> Result<Opened, JournalTrouble> {
    if file::is_gone(dir) {
        return Err(file::gone(dir));
    }
    let opened = open_as_it_is(dir)?;
    let file = &opened.file;
    match file.schema()? {
        OLDEST..=SCHEMA => Ok(opened),
        0 => Err(file.damaged(if has_head(dir) { "it is empty" } else { NOTHING })),
        found => Err(JournalTrouble::Newer { found, known: SCHEMA }),
    }
}

/// The file itself, or a copy of one whose last write was cut short.
fn open_as_it_is(dir: &Path) -> Result<Opened, JournalTrouble> {
    for _ in 0..LOOKS {
        if let Some(file) = EventFile::open_to_read(dir)? {
            return Ok(Opened { file: Box::new(file), head: dir.to_owned(), is_copy: false });
        }
        if let Some(copy) = copy::of(dir)? {
            let head = copy.path().to_owned();
            let file = EventFile::open_copy(dir, copy)?;
            return Ok(Opened { file: Box::new(file), head, is_copy: true });
        }
    }
    let path = file::path(dir);
    Err(JournalTrouble::Busy(format!("{}: it is being mended all the time", path.display())))
}
