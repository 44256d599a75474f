//! The marker: what remembers that there was a journal, and how it forgets.
//!
//! It is forgotten only by a person's own command, never by the app.

use std::path::Path;

use super::place::Place;
use crate::journal::money;
use crate::trade::{JournalTrouble, VaultTrouble};

/// What became of the marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Forgotten {
    /// It is gone: the next start begins a new journal.
    Done,
    /// There was none.
    NotKnown,
    /// Files of the journal are there, so that nothing is missing that could be forgotten.
    StillThere,
}

impl Place {
    /// Whether there must be a journal: a beginning would take the place of another.
    ///
    /// A database without a head is what a first start leaves that was cut short, and what is left
    /// of a journal that somebody emptied. Only what remembers it can tell the two apart.
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

    /// Whether anything remembers a journal of which nothing is left.
    pub async fn is_missing(&self) -> Result<bool, VaultTrouble> {
        if money::is_there(&self.named_dir()) {
            return Ok(false);
        }
        Ok(self.is_in_marker_file().unwrap_or(true) || self.is_in_vault().await?)
    }

    /// Whether the vault remembers a journal.
    ///
    /// A machine without a keyring remembers none. One that is locked or does not answer may: who
    /// asks must not take that for a no.
    async fn is_in_vault(&self) -> Result<bool, VaultTrouble> {
        for name in self.names() {
            match self.vault.has_marker(&name).await {
                Ok(false) => {}
                Err(VaultTrouble::Absent) => return Ok(false),
                answer => return answer,
            }
        }
        Ok(false)
    }

    /// Takes both markers away of a journal of which nothing is left.
    pub async fn forget_missing(&self) -> Result<Forgotten, VaultTrouble> {
        if money::is_there(&self.named_dir()) {
            return Ok(Forgotten::StillThere);
        }
        if !self.is_missing().await? {
            return Ok(Forgotten::NotKnown);
        }
        let in_file = self.forget_in_file();
        for name in self.names() {
            match self.vault.delete_marker(&name).await {
                // Nothing was ever remembered there.
                Ok(()) | Err(VaultTrouble::Absent) => {}
                Err(trouble) => return Err(trouble),
            }
        }
        in_file.map_err(|error| VaultTrouble::Other(error.to_string()))?;
        Ok(Forgotten::Done)
    }
}
