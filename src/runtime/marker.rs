//! The marker: a note outside the journal's directory that there is a journal.
//!
//! Only a person's own command deletes it, never the app.

use std::path::Path;

use super::journal_location::JournalLocation;
use crate::journal::money;
use crate::trade::{JournalTrouble, VaultTrouble};

/// The outcome of a wish to delete the marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Forgotten {
    /// It is gone: the next start begins a new journal.
    Done,
    /// There was none.
    NotKnown,
    /// Files of the journal are there: it is not missing.
    StillThere,
}

impl JournalLocation {
    /// Returns true if there must be a journal: a new one would take the place of another.
    ///
    /// A first start that was cut short leaves a database without a head, and a journal that was
    /// emptied does too. Only a marker tells the two apart.
    pub(super) async fn is_expected(&self, dir: &Path) -> Result<bool, JournalTrouble> {
        if money::has_head(dir) {
            return Ok(true);
        }
        let in_file = self.is_in_marker_file();
        if in_file.map_err(|error| JournalTrouble::Io(error.to_string()))? {
            return Ok(true);
        }
        self.is_in_vault().await.map_err(JournalTrouble::MaybeMissing)
    }

    /// Returns true if a marker remembers a journal of which nothing is left.
    pub async fn is_missing(&self) -> Result<bool, VaultTrouble> {
        if money::is_there(&self.named_dir()) {
            return Ok(false);
        }
        Ok(self.is_in_marker_file().unwrap_or(true) || self.is_in_vault().await?)
    }

    /// Returns true if the vault remembers a journal.
    ///
    /// A machine without a keyring remembers none. A keyring that is locked or does not answer may
    /// remember one: that is an error, never a no.
    async fn is_in_vault(&self) -> Result<bool, VaultTrouble> {
        for name in self.names() {
            match self.vault.has_marker(&name).await {
                Ok(false) => {}
                Err(VaultTrouble::Absent | VaultTrouble::Denied) => return Ok(false),
                answer => return answer,
            }
        }
        Ok(false)
    }

    /// Deletes both markers of a journal of which nothing is left.
    pub async fn forget_missing(&self) -> Result<Forgotten, VaultTrouble> {
        if money::is_there(&self.named_dir()) {
            return Ok(Forgotten::StillThere);
        }
        if !self.is_missing().await? {
            return Ok(Forgotten::NotKnown);
        }
        let in_file = self.forget_in_marker_file();
        for name in self.names() {
            match self.vault.delete_marker(&name).await {
                // Nothing was ever remembered there.
                Ok(()) | Err(VaultTrouble::Absent | VaultTrouble::Denied) => {}
                Err(trouble) => return Err(trouble),
            }
        }
        in_file.map_err(|error| VaultTrouble::Other(error.to_string()))?;
        Ok(Forgotten::Done)
    }
}
