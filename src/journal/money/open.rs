//! Opening the journal: everything is verified, and nothing is taken for new that is not.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io;
use std::path::Path;

use super::book::Book;
use super::chain::Link;
use super::file::{self, EventFile, SCHEMA};
use super::{MoneyJournal, head};
use crate::journal::disk::{Disk, Step};
use crate::journal::lock;
use crate::journal::trouble::io_trouble;
use crate::trade::JournalTrouble;

impl<D: Disk> MoneyJournal<D> {
    /// Opens the journal of a directory, and makes a new one only where there never was one.
    ///
    /// `expected` says that there was one before: then its absence is trouble, not a beginning.
    /// Whatever is wrong, the files stay as they are.
    pub fn open(dir: &Path, disk: D, expected: bool) -> Result<Self, JournalTrouble> {
        if expected && !dir.exists() {
            return Err(JournalTrouble::Missing);
        }
        make_dir(dir, &disk)?;
        let _held = lock::hold_journal(dir)?;
        let head = head::read(dir)?;
        let may_be_new = !expected && head.is_none();
        if head.is_some() && file::is_gone(dir) {
            return Err(file::gone(dir));
        }
        make_database(dir, may_be_new, &disk)?;
        let file = EventFile::open(dir)?;
        match file.schema()? {
            SCHEMA => file.check_pages()?,
            0 if may_be_new => file.create(&disk)?,
            0 => return Err(file.damaged("it is empty")),
            found => return Err(JournalTrouble::Newer { found, known: SCHEMA }),
        }
        let dir = dir.to_owned();
        let mut journal = MoneyJournal { dir, disk, file, book: Book::new(), trouble: None };
        journal.read_on()?;
        journal.needs_bodies()?;
        journal.agree_with_head(head, may_be_new)?;
        Ok(journal)
    }

    /// Only what is decided is ever purged: an open one without its bytes lost them otherwise.
    pub(super) fn needs_bodies(&self) -> Result<(), JournalTrouble> {
        match self.book.without_body() {
            Some(key) => Err(self.file.damaged(&format!("the body of {key} is gone"))),
            None => Ok(()),
        }
    }

    /// Compares the head with the end of the database, and writes the one difference a kill makes.
    pub(super) fn agree_with_head(
        &self,
        head: Option<Link>,
        may_be_new: bool,
    ) -> Result<(), JournalTrouble> {
        let (last, before) = (self.book.last, self.book.before_last);
        match head {
            Some(head) if head == last => Ok(()),
            Some(head) if last.n == head.n + 1 && before == head => self.write_head(last),
            None if may_be_new && last.n == 0 => self.write_head(last),
            None => Err(self.file.damaged("money.head beside it is gone")),
            Some(head) => Err(self.file.damaged(&format!(
                "it ends with event {}, and money.head says it ends with another event {}",
                last.n, head.n
            ))),
        }
    }

    pub(super) fn write_head(&self, link: Link) -> Result<(), JournalTrouble> {
        head::write(&self.dir, &link, &self.disk)
    }
}

/// Makes the directory where there is none, and keeps others out of it.
fn make_dir(dir: &Path, disk: &dyn Disk) -> Result<(), JournalTrouble> {
    let made = if dir.is_dir() {
        Ok(())
    } else {
        disk.step(Step::MakeDir, &mut || {
            let mut builder = DirBuilder::new();
            builder.recursive(true);
            #[cfg(unix)]
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
            builder.create(dir)
        })
        .and_then(|()| match dir.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => head::sync_dir(parent, disk),
            _ => Ok(()),
        })
    };
    made.and_then(|()| keep_private(dir, 0o700)).map_err(|error| io_trouble(dir, &error))
}

/// Sees that the database is there; an empty one is made only where there may be none.
fn make_database(dir: &Path, may_be_new: bool, disk: &dyn Disk) -> Result<(), JournalTrouble> {
    let path = file::path(dir);
    let made = match fs::metadata(&path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if !may_be_new {
                return Err(JournalTrouble::Missing);
            }
            disk.step(Step::CreateDatabase, &mut || {
                let mut options = OpenOptions::new();
                options.write(true).create(true).truncate(false);
                #[cfg(unix)]
                std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
                options.open(&path).map(|_| ())
            })
        }
        Err(error) => Err(error),
    };
    // SQLite gives its own files beside the database the database's mode.
    made.and_then(|()| keep_private(&path, 0o600)).map_err(|error| io_trouble(&path, &error))
}

/// Takes away what others may do with it, where it is more than nothing.
fn keep_private(path: &Path, mode: u32) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if fs::metadata(path)?.permissions().mode() & 0o077 != 0 {
            fs::set_permissions(path, fs::Permissions::from_mode(mode))?;
        }
    }
    let _ = (path, mode);
    Ok(())
}
