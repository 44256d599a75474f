//! The vault of a run: the one that is named, and no other in its place.

use super::GlobalArgs;
use crate::trade::VaultKind;
use crate::vault::VaultHandle;

impl GlobalArgs {
    /// The vault for this run.
    pub(super) fn vault(&self) -> VaultHandle {
        match self.vault.unwrap_or(VaultKind::Keyring) {
            VaultKind::Keyring => VaultHandle::keyring(),
            VaultKind::Keyutils => VaultHandle::keyutils(),
            VaultKind::Memory => VaultHandle::memory(),
        }
    }
}
