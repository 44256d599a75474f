//! The deliberate way on when a journal is damaged for good: its files are moved, never deleted.

use std::fs::{self, DirBuilder};
use std::io::{self, ErrorKind};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use super::{ChainLink, MoneyJournal, head};
use crate::journal::disk::{Disk, OsDisk};
use crate::journal::trouble::io_trouble;
use crate::journal::{directory, lock};
use crate::trade::{JournalTrouble, Wall};

/// The files that may belong to a journal. The database first: should this be cut short, the head
/// that is left alone still shows that there was a journal.
const FILES: [&str; 6] = [
    "money.db",
    "money.db-journal",
    "money.db-wal",
    "money.db-shm",
    "money.head",
    "money.head.new",
];

/// The reason a journal stays where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotSetAside {
    /// Nothing is wrong with it.
    Healthy,
    /// An attempt is in flight: its reply comes first.
    InFlight,
    /// Its trouble has another way out, or it could not be moved.
    Trouble(JournalTrouble),
}

/// Moves a damaged journal into a new directory beside it, and only a damaged one.
///
/// Nothing is begun in its place; the next start does that, once no window expects the old one.
///
/// `event` is the last event that is remembered of it.
pub fn set_aside(dir: &Path, event: Option<ChainLink>, now: Wall) -> Result<PathBuf, NotSetAside> {
    is_damaged(dir, event)?;
    let _held = lock::hold_journal(dir).map_err(NotSetAside::Trouble)?;
    if lock::is_any_held(dir).map_err(NotSetAside::Trouble)? {
        return Err(NotSetAside::InFlight);
    }
    let to = directory::free_name(dir, ["money.damaged", ""], now, Path::exists);
    match move_all(dir, &to) {
        Ok(()) => Ok(to),
        Err(error) => Err(NotSetAside::Trouble(io_trouble(&to, &error))),
    }
}

/// Returns true when a start would find the journal damaged: nothing else is reason enough to move
/// it.
pub fn is_damaged(dir: &Path, event: Option<ChainLink>) -> Result<(), NotSetAside> {
    let opened = MoneyJournal::open(dir, OsDisk, true);
    match opened.and_then(|journal| event.map_or(Ok(()), |event| journal.holds(&event))) {
        Ok(()) => Err(NotSetAside::Healthy),
        Err(trouble) if trouble.is_damage() => Ok(()),
        Err(other) => Err(NotSetAside::Trouble(other)),
    }
}

fn move_all(dir: &Path, to: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.mode(0o700);
    builder.create(to)?;
    for name in FILES {
        match fs::rename(dir.join(name), to.join(name)) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    let disk: &dyn Disk = &OsDisk;
    head::sync_dir(to, disk)?;
    head::sync_dir(dir, disk)
}
