//! The one live journal of an OS user: where it is, and how one of an earlier build becomes it.
//!
//! Two journals would not see each other's withdrawals, and the same payment could leave from both.
//! So there is one, in one place, whatever address or login it is about. Earlier builds kept one
//! for each address. Where exactly one of those has anything in it, it becomes the live one, by a
//! rename of its directory; of several, the seller picks one.
//!
//! Every window holds a lock on the place while it has the journal open, and only a window that
//! holds that lock alone moves it: no window goes on writing in a journal that is not the live one
//! any more.

use std::fs::{self, DirBuilder};
use std::io::{self, ErrorKind};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use super::history::History;
use super::lock::{self, LockGuard};
use super::money::{self, MoneyJournal};
use super::trouble::io_trouble;
use crate::trade::{JournalTrouble, OtherJournal, Wall};

/// The number of tries while another window moves a journal there.
const TRIES: usize = 3;

/// The state directory of an OS user, and the other places in which a journal may be.
#[derive(Debug, Clone)]
pub struct Home {
    /// The state directory.
    pub state: PathBuf,
    /// Where an earlier build may have kept the live journal of an address, beside its usual place.
    pub earlier: Vec<PathBuf>,
    /// Where a live journal was last, when that is somewhere else.
    pub elsewhere: Option<PathBuf>,
}

/// The live journal's directory, which no window moves while this is held.
#[derive(Debug)]
pub struct PinnedDir {
    /// The directory; there may be nothing in it yet.
    pub dir: PathBuf,
    _held: LockGuard,
}

impl Home {
    /// The live journal's directory.
    pub fn dir(&self) -> PathBuf {
        self.state.join("journal")
    }

    /// Returns the directory of the live journal for a reader; nothing is moved for that.
    pub fn dir_to_read(&self, now: Wall) -> Result<PathBuf, JournalTrouble> {
        if is_anything(&self.dir()) {
            return Ok(self.dir());
        }
        match self.others(now).as_slice() {
            [] => Ok(self.dir()),
            [one] => Ok(one.dir.clone()),
            several => Err(JournalTrouble::Several(several.into())),
        }
    }

    /// Finds the live journal and keeps it where it is; the only one of an earlier build is moved
    /// there.
    pub fn pin(&self, now: Wall) -> Result<PinnedDir, JournalTrouble> {
        make(&self.state).map_err(|error| io_trouble(&self.state, &error))?;
        for _ in 0..TRIES {
            if is_anything(&self.dir()) || self.others(now).is_empty() {
                let held = lock::hold_place(&self.state)?.ok_or_else(|| self.is_moving())?;
                if is_anything(&self.dir()) || self.others(now).is_empty() {
                    return Ok(PinnedDir { dir: self.dir(), _held: held });
                }
                continue;
            }
            // Others that have the place have settled it by now.
            let Some(_alone) = lock::hold_place_alone(&self.state)? else { continue };
            if !is_anything(&self.dir()) {
                self.move_the_only_one(now)?;
            }
        }
        Err(self.is_moving())
    }

    /// Moves the only journal of an earlier build in; the place is held alone.
    fn move_the_only_one(&self, now: Wall) -> Result<(), JournalTrouble> {
        let others = self.others(now);
        match others.as_slice() {
            [] => Ok(()),
            // Where it was is not where it is looked for now: whether that is meant, a person says.
            [one] if self.elsewhere.as_ref() != Some(&one.dir) => self.move_in(&one.dir),
            several => Err(JournalTrouble::Several(several.into())),
        }
    }

    /// Makes another journal the live one, by the seller's word.
    ///
    /// The one before stays as another, and those that hold nothing back are set aside.
    pub fn pick(&self, picked: &Path, now: Wall) -> Result<(), JournalTrouble> {
        let _alone = lock::hold_place_alone(&self.state)?.ok_or_else(|| {
            let text = format!("{}: another window has it open", self.dir().display());
            JournalTrouble::Busy(text)
        })?;
        if !self.others(now).iter().any(|other| other.dir == picked) {
            return Err(JournalTrouble::Missing);
        }
        not_in_flight(picked)?;
        if is_anything(&self.dir()) {
            not_in_flight(&self.dir())?;
            let to = free_name(&self.state.join("live"), "journal", now);
            rename(&self.dir(), &to)?;
        }
        self.move_in(picked)?;
        let done_with = self.others(now);
        for other in done_with.iter().filter(|other| !other.holds_back()) {
            let name = other.dir.file_name().unwrap_or_default().to_string_lossy();
            rename(&other.dir, &free_name(&self.state.join("set-aside"), &name, now))?;
        }
        Ok(())
    }

    /// The journals beside the live one that have anything in them, by their directories.
    pub fn others(&self, now: Wall) -> Vec<OtherJournal> {
        let mut dirs: Vec<PathBuf> = match fs::read_dir(self.state.join("live")) {
            Ok(dirs) => dirs.flatten().map(|entry| entry.path()).collect(),
            Err(_) => Vec::new(),
        };
        dirs.extend(self.earlier.iter().cloned());
        dirs.extend(self.elsewhere.iter().cloned());
        dirs.sort();
        dirs.dedup();
        dirs.retain(|dir| *dir != self.dir());
        dirs.iter().filter_map(|dir| look_into(dir, now)).collect()
    }

    fn move_in(&self, from: &Path) -> Result<(), JournalTrouble> {
        not_in_flight(from)?;
        rename(from, &self.dir())
    }

    fn is_moving(&self) -> JournalTrouble {
        let text = format!("{}: another window is moving it", self.dir().display());
        JournalTrouble::Busy(text)
    }
}

/// Moves what an earlier build kept in another place, where nothing was begun in this one.
pub fn take_over(earlier: &Path, dir: &Path) -> Result<(), JournalTrouble> {
    if !is_anything(earlier) || is_anything(dir) {
        return Ok(());
    }
    not_in_flight(earlier)?;
    match rename(earlier, dir) {
        // Another window was quicker.
        Err(_) if is_anything(dir) => Ok(()),
        moved => moved,
    }
}

/// Returns true when a journal or a history was begun in a directory.
fn is_anything(dir: &Path) -> bool {
    money::is_there(dir) || dir.join("history.db").try_exists().unwrap_or(true)
}

/// Summarises the journal in a directory; `None` where nothing was ever written.
fn look_into(dir: &Path, now: Wall) -> Option<OtherJournal> {
    let has_history = History::holds_anything(dir);
    let bare = |trouble| OtherJournal {
        dir: dir.to_owned(),
        owners: Vec::new(),
        withdrawals: 0,
        open: 0,
        prepared: 0,
        recent: 0,
        last: None,
        trouble,
    };
    let reading = JournalTrouble::ReadOnly("it was opened to be read".into());
    let other = match MoneyJournal::open_to_read(dir, reading) {
        Ok(read) => read.journal.summary(dir, now),
        Err(JournalTrouble::Missing) => bare(None),
        // A first start that was cut short: nothing ever stood in it.
        Err(_) if is_unbegun(dir) => bare(None),
        Err(trouble) => bare(Some(Box::new(trouble))),
    };
    (other.withdrawals > 0 || other.trouble.is_some() || has_history).then_some(other)
}

fn is_unbegun(dir: &Path) -> bool {
    let is_empty = fs::metadata(dir.join("money.db")).is_ok_and(|file| file.len() == 0);
    is_empty && !money::has_head(dir)
}

/// Refuses to move a journal in which an earlier build is sending something in this moment.
fn not_in_flight(dir: &Path) -> Result<(), JournalTrouble> {
    if dir.is_dir() && lock::is_any_held(dir)? {
        let text = format!("{}: a withdrawal in it is being sent", dir.display());
        return Err(JournalTrouble::Busy(text));
    }
    Ok(())
}

/// Moves a directory, durably.
fn rename(from: &Path, to: &Path) -> Result<(), JournalTrouble> {
    let moved = || {
        if let Some(parent) = to.parent() {
            make(parent)?;
        }
        // An empty directory of that name would be in the way on some systems.
        match fs::remove_dir(to) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        fs::rename(from, to)?;
        [from.parent(), to.parent()].into_iter().flatten().try_for_each(sync)
    };
    moved().map_err(|error| io_trouble(to, &error))
}

/// Makes the names in a directory durable.
fn sync(dir: &Path) -> io::Result<()> {
    fs::File::open(dir)?.sync_all()
}

/// Makes a directory that only its owner can look into, where there is none.
fn make(dir: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    builder.mode(0o700);
    builder.create(dir)
}

/// `journal-2026-11-21T054219Z`, with a number where that is taken.
fn free_name(parent: &Path, name: &str, now: Wall) -> PathBuf {
    let when = jiff::Timestamp::from_millisecond(now.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    let when = when.strftime("%Y-%m-%dT%H%M%SZ");
    let mut path = parent.join(format!("{name}-{when}"));
    let mut number = 2;
    while path.exists() {
        path = parent.join(format!("{name}-{when}-{number}"));
        number += 1;
    }
    path
}

#[cfg(test)]
mod tests;
