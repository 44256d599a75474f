//! File locks. If a process dies, the operating system releases its locks.

use std::fmt;
use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::safe_open;
use super::trouble::io_trouble;
use crate::trade::{Account, BatchId, JournalTrouble};

/// The timeout for the locks of the journal's files and of the state directory. Other processes
/// hold them for only a few milliseconds.
const JOURNAL_LOCK_TIMEOUT: Duration = Duration::from_secs(5);

/// The timeout for the lock of an account. It is long enough for another process to check whether
/// the lock is free, but shorter than a withdrawal attempt.
const ACCOUNT_LOCK_TIMEOUT: Duration = Duration::from_millis(200);

/// The pause between two tries to take a lock.
const RETRY_INTERVAL: Duration = Duration::from_millis(5);

/// A lock that is released on drop.
pub type LockGuard = Box<dyn fmt::Debug + Send>;

/// A locked file. The lock is released on drop, or when the process dies.
#[derive(Debug)]
struct FileLock(File);

impl Drop for FileLock {
    fn drop(&mut self) {
        // Unlock explicitly. Closing the handle is not enough while a child process, such as a
        // browser, still has a copy of the handle. Ignore errors, because the handle is closed
        // next.
        let _ = self.0.unlock();
    }
}

/// Takes the lock of an account, so that only one withdrawal attempt of the account runs at a time.
/// Returns `None` if another attempt holds the lock.
pub(super) fn lock_account(
    dir: &Path,
    account: &Account,
) -> Result<Option<LockGuard>, JournalTrouble> {
    lock_exclusive(&account_path(dir, account), ACCOUNT_LOCK_TIMEOUT)
}

/// A function that blocks until a withdrawal attempt in another process ends.
///
/// There is no timeout, so call this function only on a thread for which no other thread waits.
pub type AttemptWaiter = Box<dyn FnOnce() -> io::Result<()> + Send>;

/// A function that blocks until the account's lock is free. Then either the attempt has ended, or
/// its process has died, because the operating system frees the lock of a dead process.
pub(super) fn attempt_waiter(dir: &Path, account: &Account) -> AttemptWaiter {
    let path = account_path(dir, account);
    Box::new(move || {
        let file = safe_open::open_to_read(&path)?;
        loop {
            match file.lock_shared() {
                Ok(()) => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        drop(FileLock(file));
        Ok(())
    })
}

/// True if any process holds the account's lock, usually for a withdrawal attempt.
pub(super) fn is_held(dir: &Path, account: &Account) -> Result<bool, JournalTrouble> {
    is_file_locked(&account_path(dir, account))
}

fn is_file_locked(path: &Path) -> Result<bool, JournalTrouble> {
    let file = match safe_open::open_to_read(path) {
        Ok(file) => file,
        // A missing lock file means that no withdrawal was ever sent from this account.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(io_trouble(path, &error)),
    };
    // Take a shared lock, so that two simultaneous checks do not block each other. The lock is
    // released at once.
    match file.try_lock_shared() {
        Ok(()) => {
            drop(FileLock(file));
            Ok(false)
        }
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(io_trouble(path, &error)),
    }
}

/// True if a withdrawal attempt is in flight for any account.
pub(super) fn is_any_account_locked(dir: &Path) -> Result<bool, JournalTrouble> {
    let files = std::fs::read_dir(dir).map_err(|error| io_trouble(dir, &error))?;
    for file in files {
        let path = file.map_err(|error| io_trouble(dir, &error))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("account-") && name.ends_with(".lock") && is_file_locked(&path)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Takes a shared lock on the state directory. While it is held, no other process can replace the
/// live journal. Returns `None` if a process is replacing the live journal now.
pub(super) fn lock_state_shared(state: &Path) -> Result<Option<LockGuard>, JournalTrouble> {
    lock_path(
        &state_lock_path(state),
        JOURNAL_LOCK_TIMEOUT,
        File::try_lock_shared,
    )
}

/// Takes the exclusive lock on the state directory, for replacing the live journal. Returns `None`
/// if any process has the journal open.
pub(super) fn lock_state_exclusive(state: &Path) -> Result<Option<LockGuard>, JournalTrouble> {
    lock_path(
        &state_lock_path(state),
        ACCOUNT_LOCK_TIMEOUT,
        File::try_lock,
    )
}

fn state_lock_path(state: &Path) -> PathBuf {
    state.join("journal.lock")
}

/// Takes the lock of a batch, so that only one process sends its lines. Returns `None` if another
/// process holds the lock. `process` is the id of this process, which the file names to the others.
///
/// # Errors
///
/// Returns an error if the lock file cannot be used.
pub fn lock_batch(
    dir: &Path,
    batch: BatchId,
    process: u32,
) -> Result<Option<LockGuard>, JournalTrouble> {
    let path = batch_path(dir, batch);
    let lock = lock_exclusive(&path, ACCOUNT_LOCK_TIMEOUT)?;
    if lock.is_some() {
        let process = format!("{process}\n");
        std::fs::write(&path, process).map_err(|error| io_trouble(&path, &error))?;
    }
    Ok(lock)
}

/// The id of the process that took the lock of a batch last, or `None` if it cannot be read.
pub fn batch_process(dir: &Path, batch: BatchId) -> Option<u32> {
    let text = std::fs::read_to_string(batch_path(dir, batch)).ok()?;
    text.trim().parse().ok()
}

fn batch_path(dir: &Path, batch: BatchId) -> PathBuf {
    dir.join(format!("batch-{}.lock", batch.0))
}

/// Takes the lock for changing `money.db` and `money.head`.
///
/// # Errors
///
/// Returns [`JournalTrouble::Busy`] if another process still holds the lock after the timeout.
pub(super) fn lock_journal(dir: &Path) -> Result<LockGuard, JournalTrouble> {
    let path = dir.join("money.lock");
    lock_exclusive(&path, JOURNAL_LOCK_TIMEOUT)?.ok_or_else(|| {
        JournalTrouble::Busy(format!(
            "{}: another window has held it too long",
            path.display()
        ))
    })
}

/// Opens a lock file and locks it. Returns `None` if another process still holds the lock after the
/// timeout.
fn lock_path(
    path: &Path,
    timeout: Duration,
    try_lock: impl Fn(&File) -> Result<(), TryLockError>,
) -> Result<Option<LockGuard>, JournalTrouble> {
    let file = open_lock_file(path)?;
    lock_open_file(file, timeout, try_lock).map_err(|error| io_trouble(path, &error))
}

/// Takes the exclusive lock on an open directory. Returns `None` if another process still holds the
/// lock after a few seconds.
pub(super) fn lock_dir(dir: File) -> io::Result<Option<LockGuard>> {
    lock_open_file(dir, JOURNAL_LOCK_TIMEOUT, File::try_lock)
}

/// Takes a shared lock on the journal's directory, to show other processes that `money.db` is in
/// use. Returns `None` if the directory cannot be locked, as on some network file systems.
///
/// # Errors
///
/// Returns [`JournalTrouble::Busy`] if another process is updating the file.
pub(super) fn share_dir(dir: &Path) -> Result<Option<LockGuard>, JournalTrouble> {
    let lock = File::open(dir)
        .and_then(|dir| lock_open_file(dir, JOURNAL_LOCK_TIMEOUT, File::try_lock_shared));
    match lock {
        Ok(None) => Err(in_use_error(dir)),
        result => Ok(result.ok().flatten()),
    }
}

/// Takes the exclusive lock on the journal's directory, for updating `money.db`.
///
/// # Errors
///
/// Returns [`JournalTrouble::Busy`] if another process uses the file.
pub(super) fn lock_unused_dir(dir: &Path) -> Result<LockGuard, JournalTrouble> {
    let locked = File::open(dir)
        .and_then(|dir| lock_open_file(dir, ACCOUNT_LOCK_TIMEOUT, File::try_lock))
        .map_err(|error| io_trouble(dir, &error))?;
    locked.ok_or_else(|| in_use_error(dir))
}

fn in_use_error(dir: &Path) -> JournalTrouble {
    JournalTrouble::Busy(format!("{}: another window has it open", dir.display()))
}

/// Locks an open file, or returns `None` after the timeout.
///
/// The timeout counts the pauses between tries, not clock time. While the machine is suspended,
/// clock time passes, but no process can release a lock.
#[expect(
    clippy::disallowed_methods,
    reason = "no system wakes a waiter for a file lock and keeps a limit: a thread that waits for \
              it without one could not be called back, and would take the lock for nobody"
)]
fn lock_open_file(
    file: File,
    timeout: Duration,
    try_lock: impl Fn(&File) -> Result<(), TryLockError>,
) -> io::Result<Option<LockGuard>> {
    let mut waited = Duration::ZERO;
    loop {
        match try_lock(&file) {
            Ok(()) => return Ok(Some(Box::new(FileLock(file)))),
            Err(TryLockError::WouldBlock) if waited < timeout => std::thread::sleep(RETRY_INTERVAL),
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        waited += RETRY_INTERVAL;
    }
}

fn lock_exclusive(path: &Path, timeout: Duration) -> Result<Option<LockGuard>, JournalTrouble> {
    lock_path(path, timeout, File::try_lock)
}

fn open_lock_file(path: &Path) -> Result<File, JournalTrouble> {
    safe_open::open(path, safe_open::private_options().read(true).create(true))
        .map_err(|error| io_trouble(path, &error))
}

/// The path of an account's lock file. Its name is a hash, so that it does not reveal the account.
fn account_path(dir: &Path, account: &Account) -> PathBuf {
    let account = account.normalized();
    let mut hash = Sha256::new();
    hash.update((account.origin.0.len() as u64).to_le_bytes());
    hash.update(account.origin.0.as_bytes());
    hash.update(account.identity.as_bytes());
    let name: String = hash.finalize()[..8]
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect();
    dir.join(format!("account-{name}.lock"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trade::Origin;

    fn account(origin: &str, identity: &str) -> Account {
        Account {
            origin: Origin(origin.into()),
            identity: identity.into(),
        }
    }

    #[test]
    fn owner_spellings_share_a_single_lock() {
        let dir = tempfile::tempdir().unwrap();
        let ana = account("https://api.example", "ana@loja.example");
        let guard = lock_account(dir.path(), &ana).unwrap();
        assert!(guard.is_some() && is_held(dir.path(), &ana).unwrap());
        for spelling in [
            ana.clone(),
            account("https://API.example.:443", " ANA@loja.example "),
        ] {
            assert!(
                lock_account(dir.path(), &spelling).unwrap().is_none(),
                "{spelling:?}"
            );
        }
        for other in [
            account("https://api.example", "bia@loja.example"),
            account("https://api.example:8443", "ana@loja.example"),
            // Moving a character from the address to the login must change the hash.
            account("https://api.exampleana", "@loja.example"),
        ] {
            assert!(!is_held(dir.path(), &other).unwrap(), "{other:?}");
            assert!(
                lock_account(dir.path(), &other).unwrap().is_some(),
                "{other:?}"
            );
        }
        assert!(is_any_account_locked(dir.path()).unwrap());
        drop(guard);
        assert!(!is_any_account_locked(dir.path()).unwrap());
        assert!(lock_account(dir.path(), &ana).unwrap().is_some());
    }

    #[test]
    fn is_held_does_not_lock_and_release_wakes_waiter() {
        let dir = tempfile::tempdir().unwrap();
        let ana = account("https://api.example", "ana");
        assert!(
            !is_held(dir.path(), &ana).unwrap(),
            "nobody ever sent anything"
        );
        let guard = lock_account(dir.path(), &ana).unwrap().unwrap();
        let waiter = std::thread::spawn(attempt_waiter(dir.path(), &ana));
        assert!(is_held(dir.path(), &ana).unwrap() && is_held(dir.path(), &ana).unwrap());
        drop(guard);
        waiter.join().unwrap().unwrap();
        assert!(lock_account(dir.path(), &ana).unwrap().is_some());
    }
}
