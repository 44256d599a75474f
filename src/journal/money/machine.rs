//! `money.machine`: a small text file that names the machine on which the live journal is in use.
//!
//! The name is the machine's hash, as in the marker file. A copy of the journal's directory on
//! another machine contains the file too, so the copy is noticed there.

use super::small_file::MAX_BYTES;
use super::{Files, Storage};
use crate::trade::JournalTrouble;

const NAME: &str = "money.machine";

impl Files {
    /// True if `money.machine` names another machine. A text that this program did not write counts
    /// as the name of another machine. Without the file, no machine is named.
    pub fn names_other_machine(&self, machine: &str) -> Result<bool, JournalTrouble> {
        let text = self.read_small(NAME, MAX_BYTES)?;
        Ok(text.is_some_and(|text| text != Some(format_machine(machine))))
    }

    /// Names this machine in `money.machine`. The file is replaced atomically and durably, but only
    /// if it does not name this machine yet.
    pub fn record_machine(&self, machine: &str) -> Result<(), JournalTrouble> {
        let text = format_machine(machine);
        if self.read_small(NAME, MAX_BYTES)? == Some(Some(text.clone())) {
            return Ok(());
        }
        // Hold the journal's lock, because two processes would use the same temporary file.
        let _lock = self.lock_journal()?;
        self.replace_small(NAME, &text)
    }
}

fn format_machine(machine: &str) -> String {
    format!("balcao money.machine 1\n{machine}\n")
}
