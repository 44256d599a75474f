//! The marker: what remembers that there was a journal, and how it forgets.
//!
//! It is forgotten only by a person's own command, never by the app.

use super::money::Place;
use crate::journal::money;
use crate::trade::VaultTrouble;

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
    /// of a journal that somebody emptied. Only the vault can tell the two apart.
    pub(super) async fn is_expected(&self) -> Result<bool, VaultTrouble> {
        if money::has_head(&self.dir) { Ok(true) } else { self.is_marked().await }
    }

    /// Whether the vault remembers a journal of which nothing is left.
    pub async fn is_missing(&self) -> Result<bool, VaultTrouble> {
        if money::is_there(&self.dir) { Ok(false) } else { self.is_marked().await }
    }

    /// Whether the vault remembers a journal.
    ///
    /// A machine without a keyring remembers none. One that is locked or does not answer may: who
    /// asks must not take that for a no.
    async fn is_marked(&self) -> Result<bool, VaultTrouble> {
        match self.vault.has_marker(&self.marker()).await {
            Err(VaultTrouble::Absent) => Ok(false),
            answer => answer,
        }
    }

    /// Takes the marker away of a journal of which nothing is left.
    pub async fn forget_missing(&self) -> Result<Forgotten, VaultTrouble> {
        if money::is_there(&self.dir) {
            return Ok(Forgotten::StillThere);
        }
        let (vault, marker) = (&self.vault, self.marker());
        if !vault.has_marker(&marker).await? {
            return Ok(Forgotten::NotKnown);
        }
        vault.delete_marker(&marker).await?;
        Ok(Forgotten::Done)
    }
}
