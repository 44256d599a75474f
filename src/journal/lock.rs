//! Locks of the operating system, which let go by themselves when a process dies.

use std::fmt;
use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::plain;
use super::trouble::io_trouble;
use crate::trade::{Account, JournalTrouble};

/// The longest a write waits for another window's write, which takes milliseconds.
const JOURNAL_WAIT: Duration = Duration::from_secs(5);

/// The longest an attempt waits: long enough for a glance at the lock, not for an attempt.
const ACCOUNT_WAIT: Duration = Duration::from_millis(200);

/// The pause between two tries of a lock that is held.
const AGAIN: Duration = Duration::from_millis(5);

/// A lock that is held, and let go on drop.
pub type LockGuard = Box<dyn fmt::Debug + Send>;

/// A lock of the operating system, which also lets go of it when the process dies.
#[derive(Debug)]
struct FileLock(File);

impl Drop for FileLock {
    fn drop(&mut self) {
        // Closing alone would wait for a program that is being started just now (a browser), and
        // has the file too until it runs. When even this fails, closing is what is left.
        let _ = self.0.unlock();
    }
}

/// Takes the account's lock, or nothing when somebody has it.
pub(super) fn hold_account(
    dir: &Path,
    account: &Account,
) -> Result<Option<LockGuard>, JournalTrouble> {
    hold(&account_path(dir, account), ACCOUNT_WAIT)
}

/// The end of an attempt that is in flight in another window; it can be waited for.
#[derive(Debug, Clone)]
pub struct FlightEnd(PathBuf);

impl FlightEnd {
    pub(super) fn of(dir: &Path, account: &Account) -> FlightEnd {
        FlightEnd(account_path(dir, account))
    }

    /// Waits until the account's lock is free: the attempt ended, or its window died.
    ///
    /// A dying process lets go of a lock without touching any file, and the system wakes the
    /// waiter. There is no time limit: call it from a thread that no other one waits for.
    pub fn wait(&self) -> io::Result<()> {
        let file = plain::open_to_read(&self.0)?;
        loop {
            match file.lock_shared() {
                Ok(()) => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        drop(FileLock(file));
        Ok(())
    }
}

/// Returns true when some window holds the account's lock now.
pub(super) fn is_held(dir: &Path, account: &Account) -> Result<bool, JournalTrouble> {
    is_path_held(&account_path(dir, account))
}

fn is_path_held(path: &Path) -> Result<bool, JournalTrouble> {
    let file = match plain::open_to_read(path) {
        Ok(file) => file,
        // Nobody ever sent anything.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(io_trouble(path, &error)),
    };
    // Shared, so that two who look do not see each other; let go at once.
    match file.try_lock_shared() {
        Ok(()) => {
            drop(FileLock(file));
            Ok(false)
        }
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(io_trouble(path, &error)),
    }
}

/// Returns true when an attempt of any account is in flight now.
pub(super) fn is_any_held(dir: &Path) -> Result<bool, JournalTrouble> {
    let files = std::fs::read_dir(dir).map_err(|error| io_trouble(dir, &error))?;
    for file in files {
        let path = file.map_err(|error| io_trouble(dir, &error))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("account-") && name.ends_with(".lock") && is_path_held(&path)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Locks the place of the live journal, together with other windows: it is not moved meanwhile.
///
/// Nothing when another window is moving it just now.
pub(super) fn hold_place(state: &Path) -> Result<Option<LockGuard>, JournalTrouble> {
    hold_by(&place_path(state), JOURNAL_WAIT, File::try_lock_shared)
}

/// Locks the place of the live journal alone, to move it; `None` while a window has it open.
pub(super) fn hold_place_alone(state: &Path) -> Result<Option<LockGuard>, JournalTrouble> {
    hold_by(&place_path(state), ACCOUNT_WAIT, File::try_lock)
}

fn place_path(state: &Path) -> PathBuf {
    state.join("journal.lock")
}

/// Takes the lock under which the database and its head change together.
pub(super) fn hold_journal(dir: &Path) -> Result<LockGuard, JournalTrouble> {
    let path = dir.join("money.lock");
    hold(&path, JOURNAL_WAIT)?.ok_or_else(|| {
        JournalTrouble::Busy(format!("{}: another window has held it too long", path.display()))
    })
}

/// Takes a lock, or nothing when others had it all this time.
///
/// The time is counted in tries, not by a clock: while the machine stands still, no lock is
/// released.
#[expect(
    clippy::disallowed_methods,
    reason = "no system wakes a waiter for a file lock and keeps a limit: a thread that waits for \
              it without one could not be called back, and would take the lock for nobody"
)]
fn hold_by(
    path: &Path,
    wait: Duration,
    try_lock: impl Fn(&File) -> Result<(), TryLockError>,
) -> Result<Option<LockGuard>, JournalTrouble> {
    let file = open(path)?;
    let mut waited = Duration::ZERO;
    loop {
        match try_lock(&file) {
            Ok(()) => return Ok(Some(Box::new(FileLock(file)))),
            Err(TryLockError::WouldBlock) if waited < wait => std::thread::sleep(AGAIN),
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(io_trouble(path, &error)),
        }
        waited += AGAIN;
    }
}

/// Takes a lock that no other window has.
fn hold(path: &Path, wait: Duration) -> Result<Option<LockGuard>, JournalTrouble> {
    hold_by(path, wait, File::try_lock)
}

fn open(path: &Path) -> Result<File, JournalTrouble> {
    plain::open(path, plain::private().read(true).create(true))
        .map_err(|error| io_trouble(path, &error))
}

/// A name that says nothing about whose account it is.
fn account_path(dir: &Path, account: &Account) -> PathBuf {
    let account = account.owner();
    let mut hash = Sha256::new();
    hash.update((account.origin.0.len() as u64).to_le_bytes());
    hash.update(account.origin.0.as_bytes());
    hash.update(account.identity.as_bytes());
    let name: String = hash.finalize()[..8].iter().map(|b| format!("{b:02x}")).collect();
    dir.join(format!("account-{name}.lock"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trade::Origin;

    fn account(origin: &str, identity: &str) -> Account {
        Account { origin: Origin(origin.into()), identity: identity.into() }
    }

    #[test]
    fn owner_spellings_share_a_single_lock() {
        let dir = tempfile::tempdir().unwrap();
        let ana = account("https://api.example", "ana@loja.example");
        let held = hold_account(dir.path(), &ana).unwrap();
        assert!(held.is_some() && is_held(dir.path(), &ana).unwrap());
        for same in [ana.clone(), account("https://API.example.:443", " ANA@loja.example ")] {
            assert!(hold_account(dir.path(), &same).unwrap().is_none(), "{same:?}");
        }
        for other in [
            account("https://api.example", "bia@loja.example"),
            account("https://api.example:8443", "ana@loja.example"),
            // What stands in one of the two cannot be moved into the other.
            account("https://api.exampleana", "@loja.example"),
        ] {
            assert!(!is_held(dir.path(), &other).unwrap(), "{other:?}");
            assert!(hold_account(dir.path(), &other).unwrap().is_some(), "{other:?}");
        }
        assert!(is_any_held(dir.path()).unwrap());
        drop(held);
        assert!(!is_any_held(dir.path()).unwrap());
        assert!(hold_account(dir.path(), &ana).unwrap().is_some());
    }

    #[test]
    fn is_held_does_not_lock_and_release_wakes_waiter() {
        let dir = tempfile::tempdir().unwrap();
        let ana = account("https://api.example", "ana");
        assert!(!is_held(dir.path(), &ana).unwrap(), "nobody ever sent anything");
        let held = hold_account(dir.path(), &ana).unwrap().unwrap();
        let end = FlightEnd::of(dir.path(), &ana);
        let waits = std::thread::spawn(move || end.wait());
        assert!(is_held(dir.path(), &ana).unwrap() && is_held(dir.path(), &ana).unwrap());
        drop(held);
        waits.join().unwrap().unwrap();
        assert!(hold_account(dir.path(), &ana).unwrap().is_some());
    }
}
