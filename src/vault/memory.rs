//! Credentials kept until this process ends: in memory, or as the environment gave them.

use std::collections::HashMap;

use super::{PROBE, StoredCredential, TEXT, Vault, VaultHandle};
use crate::trade::{CredentialName, VaultKind, VaultTrouble};

/// A vault that is gone with the process.
#[derive(Debug, Default)]
pub struct MemoryVault {
    /// Set where the credentials came with the environment.
    is_read_only: bool,
    entries: HashMap<(String, String), Vec<u8>>,
}

impl MemoryVault {
    /// Checks that what came with the environment stays as it came.
    ///
    /// Texts, such as the consent to a contract, are no secrets: they are kept as in memory.
    fn may_change(&self, service: &str) -> Result<(), VaultTrouble> {
        match self.is_read_only && ![TEXT, PROBE].contains(&service) {
            true => Err(VaultTrouble::ReadOnly),
            false => Ok(()),
        }
    }
}

impl VaultHandle {
    /// A vault that is gone with this process.
    pub fn memory() -> VaultHandle {
        VaultHandle::immediate(VaultKind::Memory, MemoryVault::default())
    }

    /// The credentials that came with the environment of this one run; none is ever stored.
    pub fn environment(
        credentials: impl IntoIterator<Item = (CredentialName, StoredCredential)>,
    ) -> VaultHandle {
        let mut memory = MemoryVault::default();
        let vault: &mut dyn Vault = &mut memory;
        for (name, credential) in credentials {
            // Memory takes all there is.
            let _ = vault.put(&name, &credential);
        }
        memory.is_read_only = true;
        VaultHandle::immediate(VaultKind::Environment, memory)
    }
}

impl Vault for MemoryVault {
    fn value(&mut self, service: &str, user: &str) -> Result<Option<Vec<u8>>, VaultTrouble> {
        Ok(self.entries.get(&(service.to_owned(), user.to_owned())).cloned())
    }

    fn set(&mut self, service: &str, user: &str, value: &[u8]) -> Result<(), VaultTrouble> {
        self.may_change(service)?;
        self.entries.insert((service.to_owned(), user.to_owned()), value.to_vec());
        Ok(())
    }

    fn remove(&mut self, service: &str, user: &str) -> Result<(), VaultTrouble> {
        self.may_change(service)?;
        self.entries.remove(&(service.to_owned(), user.to_owned()));
        Ok(())
    }
}
