//! The directory of the live journal, and the lock that prevents a second live journal.
//!
//! Each OS user has a single live journal for all service addresses and logins. If there were two
//! live journals, neither would know the other's withdrawals, and a payment could be sent twice.
//! Every running process holds a shared lock on the state directory, so another journal can become
//! the live one only when no process has the current one open.

use std::path::{Path, PathBuf};

use super::lock::{self, LockGuard};
use super::{directory, trouble};
use crate::trade::JournalTrouble;

/// Returns the directory of the live journal inside a state directory.
pub fn dir(state: &Path) -> PathBuf {
    state.join("journal")
}

/// Creates the state directory, and takes a shared lock to tell other processes that the journal is
/// in use.
///
/// # Errors
///
/// Returns [`JournalTrouble::Busy`] if another process is replacing the live journal.
pub fn hold_open(state: &Path) -> Result<LockGuard, JournalTrouble> {
    directory::make(state).map_err(|error| trouble::io_trouble(state, &error))?;
    lock::lock_state_shared(state)?.ok_or_else(|| {
        let text = format!("{}: another journal is being made the live one", dir(state).display());
        JournalTrouble::Busy(text)
    })
}

/// Prevents every process from opening the journal in a directory until the returned guard is
/// dropped.
///
/// Returns `None` if the state directory cannot be locked, which means that this user's processes
/// cannot write to it.
///
/// # Errors
///
/// Returns [`JournalTrouble::Busy`] if a process has the journal open.
pub fn close(journal: &Path) -> Result<Option<LockGuard>, JournalTrouble> {
    let Some(state) = journal.parent() else { return Ok(None) };
    match lock::lock_state_exclusive(state) {
        Ok(Some(alone)) => Ok(Some(alone)),
        Ok(None) => {
            let text = format!("{}: another window has it open", journal.display());
            Err(JournalTrouble::Busy(text))
        }
        Err(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn journal_that_a_window_has_open_is_not_closed() {
        let state = tempfile::tempdir().unwrap();
        let journal = dir(state.path());
        let (one, other) = (hold_open(state.path()).unwrap(), hold_open(state.path()).unwrap());
        drop(one);
        assert!(matches!(close(&journal), Err(JournalTrouble::Busy(_))));
        drop(other);
        let closed = close(&journal).unwrap();
        assert!(closed.is_some());
        assert!(!journal.exists(), "nothing is made before it is wanted");
    }
}
