//! Two vaults in memory. One is empty at first. The other contains credentials from environment
//! variables. Their entries are lost when the process ends.

use std::collections::HashMap;

use super::{PROBE_SERVICE, StoredCredential, TEXT_SERVICE, Vault, VaultHandle};
use crate::trade::{CredentialName, VaultKind, VaultTrouble};

/// A vault in memory. Its entries are lost when the process ends.
#[derive(Debug, Default)]
pub struct MemoryVault {
    /// True if the credentials come from environment variables.
    is_read_only: bool,
    entries: HashMap<(String, String), Vec<u8>>,
}

impl MemoryVault {
    /// An error if the entries of `service` come from environment variables, which cannot be
    /// changed here.
    ///
    /// Texts that are not secret, such as the consent to an API contract, can always be stored.
    fn check_writable(&self, service: &str) -> Result<(), VaultTrouble> {
        if self.is_read_only && ![TEXT_SERVICE, PROBE_SERVICE].contains(&service) {
            Err(VaultTrouble::ReadOnly)
        } else {
            Ok(())
        }
    }
}

impl VaultHandle {
    /// An empty vault in memory. Its entries are lost when the process ends.
    pub fn memory() -> VaultHandle {
        VaultHandle::immediate(VaultKind::Memory, MemoryVault::default())
    }

    /// A read-only vault with the given credentials, which come from environment variables.
    pub fn environment(
        credentials: impl IntoIterator<Item = (CredentialName, StoredCredential)>,
    ) -> VaultHandle {
        let mut memory = MemoryVault::default();
        let vault: &mut dyn Vault = &mut memory;
        for (name, credential) in credentials {
            // Ignore the result, because storing in memory cannot fail here.
            let _ = vault.put(&name, &credential);
        }
        memory.is_read_only = true;
        VaultHandle::immediate(VaultKind::Environment, memory)
    }
}

impl Vault for MemoryVault {
    fn value(&mut self, service: &str, user: &str) -> Result<Option<Vec<u8>>, VaultTrouble> {
        Ok(self
            .entries
            .get(&(service.to_owned(), user.to_owned()))
            .cloned())
    }

    fn set(&mut self, service: &str, user: &str, value: &[u8]) -> Result<(), VaultTrouble> {
        self.check_writable(service)?;
        self.entries
            .insert((service.to_owned(), user.to_owned()), value.to_vec());
        Ok(())
    }

    fn remove(&mut self, service: &str, user: &str) -> Result<(), VaultTrouble> {
        self.check_writable(service)?;
        self.entries.remove(&(service.to_owned(), user.to_owned()));
        Ok(())
    }
}
