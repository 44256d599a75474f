//! Credentials that came with the environment: there from the start, and never stored.

use std::sync::Arc;

use super::{MemoryVault, StoredCredential, Vault, VaultHandle};
use crate::trade::{CredentialName, VaultKind, VaultTrouble};

/// The vault of what somebody put into the environment of this one run.
///
/// Texts, such as the consent to a contract, are no secrets: they are kept until the process ends.
struct EnvironmentVault(MemoryVault);

impl VaultHandle {
    /// The credentials that came with the environment; nothing is ever stored.
    pub fn environment(
        credentials: impl IntoIterator<Item = (CredentialName, StoredCredential)>,
    ) -> VaultHandle {
        let mut vault = MemoryVault::default();
        for (name, credential) in credentials {
            // Memory takes all there is.
            let _ = vault.put(&name, &Arc::new(credential));
        }
        VaultHandle::immediate(VaultKind::Environment, EnvironmentVault(vault))
    }
}

impl Vault for EnvironmentVault {
    fn kind(&self) -> VaultKind {
        VaultKind::Environment
    }

    fn probe(&mut self) -> Result<(), VaultTrouble> {
        Ok(())
    }

    fn get(
        &mut self,
        name: &CredentialName,
    ) -> Result<Option<Arc<StoredCredential>>, VaultTrouble> {
        self.0.get(name)
    }

    fn put(&mut self, _: &CredentialName, _: &Arc<StoredCredential>) -> Result<(), VaultTrouble> {
        Err(VaultTrouble::ReadOnly)
    }

    fn delete(&mut self, _: &CredentialName) -> Result<(), VaultTrouble> {
        Err(VaultTrouble::ReadOnly)
    }

    fn put_text(&mut self, name: &str, text: &str) -> Result<(), VaultTrouble> {
        self.0.put_text(name, text)
    }

    fn get_text(&mut self, name: &str) -> Result<Option<String>, VaultTrouble> {
        self.0.get_text(name)
    }

    fn delete_text(&mut self, name: &str) -> Result<(), VaultTrouble> {
        self.0.delete_text(name)
    }
}
