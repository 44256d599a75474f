//! The files of a money journal: `money.db`, `money.head`, and the locks beside them.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::chain::Link;
use super::file::{self, EventFile};
use super::head;
use super::rows::Rows;
use super::storage::Storage;
use crate::journal::disk::{Disk, Step};
use crate::journal::lock::{self, Held};
use crate::journal::trouble::io_trouble;
use crate::trade::{Account, JournalTrouble};

/// A directory with the files of a money journal.
pub struct Files {
    dir: PathBuf,
}

impl Files {
    /// The files in this directory.
    pub fn new(dir: &Path) -> Files {
        Files { dir: dir.to_owned() }
    }
}

impl Storage for Files {
    fn exists(&self) -> bool {
        self.dir.exists()
    }

    fn make(&self, disk: &dyn Disk) -> Result<(), JournalTrouble> {
        make_dir(&self.dir, disk)
    }

    fn open_rows(
        &self,
        may_be_new: bool,
        disk: &dyn Disk,
    ) -> Result<Box<dyn Rows>, JournalTrouble> {
        make_database(&self.dir, may_be_new, disk)?;
        Ok(Box::new(EventFile::open(&self.dir)?))
    }

    fn head(&self) -> Result<Option<Link>, JournalTrouble> {
        head::read(&self.dir)
    }

    fn replace_head(&self, link: &Link, disk: &dyn Disk) -> Result<(), JournalTrouble> {
        head::write(&self.dir, link, disk)
    }

    fn hold_journal(&self) -> Result<Held, JournalTrouble> {
        lock::hold_journal(&self.dir)
    }

    fn hold_account(&self, account: &Account) -> Result<Option<Held>, JournalTrouble> {
        lock::hold_account(&self.dir, account)
    }

    fn is_held(&self, account: &Account) -> Result<bool, JournalTrouble> {
        lock::is_held(&self.dir, account)
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
            if head::read(dir)?.is_some() {
                return Err(file::gone(dir));
            }
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
