//! The directory of the one live journal of an OS user, and the windows that have it open.
//!
//! Two journals would not see each other's withdrawals, and the same payment could leave from both.
//! So there is one, in one place, whatever address or login it is about. Each window holds a lock
//! on the place while it has the journal open: another journal becomes the live one only when no
//! window has this one open.

use std::path::{Path, PathBuf};

use super::lock::{self, LockGuard};
use super::{directory, trouble};
use crate::trade::JournalTrouble;

/// The live journal's directory in a state directory.
pub fn dir(state: &Path) -> PathBuf {
    state.join("journal")
}

/// Makes the state directory, and marks its journal as open in this window.
pub fn pin(state: &Path) -> Result<LockGuard, JournalTrouble> {
    directory::make(state).map_err(|error| trouble::io_trouble(state, &error))?;
    lock::hold_place(state)?.ok_or_else(|| {
        let text = format!("{}: another journal is being made the live one", dir(state).display());
        JournalTrouble::Busy(text)
    })
}

/// Keeps all windows from opening the journal in a directory, until the result is dropped.
///
/// It is trouble when a window has it open. A place that cannot be locked by this user cannot be
/// written by a window of this user either.
pub fn close(journal: &Path) -> Result<Option<LockGuard>, JournalTrouble> {
    let Some(state) = journal.parent() else { return Ok(None) };
    match lock::hold_place_alone(state) {
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
        let (one, other) = (pin(state.path()).unwrap(), pin(state.path()).unwrap());
        drop(one);
        assert!(matches!(close(&journal), Err(JournalTrouble::Busy(_))));
        drop(other);
        let closed = close(&journal).unwrap();
        assert!(closed.is_some());
        assert!(!journal.exists(), "nothing is made before it is wanted");
    }
}
