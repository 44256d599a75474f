//! `money.machine`: a small text file that names the machine on which the live journal is in use.
//!
//! The name is the machine's hash, as in the marker file. A copy of the journal's directory on
//! another machine contains the file too, so the copy is noticed there.

use std::path::{Path, PathBuf};

use super::small_file;
use crate::journal::disk::Disk;
use crate::journal::lock;
use crate::trade::JournalTrouble;

fn path(dir: &Path) -> PathBuf {
    dir.join("money.machine")
}

/// Returns true if `money.machine` names another machine. A text that this program did not write
/// counts as the name of another machine. Without the file, no machine is named.
pub fn names_other_machine(dir: &Path, machine: &str) -> Result<bool, JournalTrouble> {
    Ok(small_file::read(&path(dir))?.is_some_and(|text| text != Some(format_machine(machine))))
}

/// Names this machine in `money.machine`. The file is replaced atomically and durably, but only if
/// it does not name this machine yet.
pub fn record_machine(dir: &Path, machine: &str, disk: &dyn Disk) -> Result<(), JournalTrouble> {
    let (path, text) = (path(dir), format_machine(machine));
    if small_file::read(&path)? == Some(Some(text.clone())) {
        return Ok(());
    }
    // Hold the journal's lock, because two processes would use the same temporary file.
    let _lock = lock::lock_journal(dir)?;
    small_file::replace(&path, &text, disk)
}

fn format_machine(machine: &str) -> String {
    format!("balcao money.machine 1\n{machine}\n")
}
