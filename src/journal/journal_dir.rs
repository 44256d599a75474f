//! The directory of the live journal, and the lock that prevents a second live journal.
//!
//! The live journal is the journal of real withdrawals. Each OS user has only one, for all services
//! and logins. With two of them, a withdrawal could be paid twice, because neither journal would
//! contain the other's withdrawals. Every process holds a shared lock on the state directory.
//! Therefore the live journal can be replaced only when no process has it open.

use std::path::{Path, PathBuf};

use super::lock::{self, LockGuard};
use super::{directory, trouble};
use crate::trade::JournalTrouble;

/// The path of the live journal's directory, which is inside the state directory.
pub fn path_in(state: &Path) -> PathBuf {
    state.join("journal")
}

/// Creates the state directory and takes a shared lock on it. The lock shows other processes that
/// the journal is in use.
///
/// # Errors
///
/// Returns [`JournalTrouble::Busy`] if another process is replacing the live journal.
pub fn lock_shared(state: &Path) -> Result<LockGuard, JournalTrouble> {
    directory::create(state).map_err(|error| trouble::io_trouble(state, &error))?;
    lock::lock_state_shared(state)?.ok_or_else(|| {
        let text = format!(
            "{}: another journal is being made the live one",
            path_in(state).display()
        );
        JournalTrouble::Busy(text)
    })
}

/// Prevents every process from opening the journal in this directory, until the returned guard is
/// dropped.
///
/// Returns `None` if the lock file in the state directory cannot be used, usually because this user
/// cannot write there. The caller then continues without the lock.
///
/// # Errors
///
/// Returns [`JournalTrouble::Busy`] if a process has the journal open.
pub fn lock_exclusive(journal: &Path) -> Result<Option<LockGuard>, JournalTrouble> {
    let Some(state) = journal.parent() else {
        return Ok(None);
    };
    match lock::lock_state_exclusive(state) {
        Ok(Some(guard)) => Ok(Some(guard)),
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
    fn open_journal_cannot_be_locked_for_replacement() {
        let state = tempfile::tempdir().unwrap();
        let journal = path_in(state.path());
        let first = lock_shared(state.path()).unwrap();
        let second = lock_shared(state.path()).unwrap();
        drop(first);
        assert!(matches!(
            lock_exclusive(&journal),
            Err(JournalTrouble::Busy(_))
        ));
        drop(second);
        let guard = lock_exclusive(&journal).unwrap();
        assert!(guard.is_some());
        assert!(!journal.exists(), "nothing is made before it is wanted");
    }
}
