//! Credentials kept until this process ends.

use std::collections::HashMap;
use std::sync::Arc;

use super::{StoredCredential, Vault, VaultHandle};
use crate::trade::{CredentialName, VaultKind, VaultTrouble};

/// A vault that is gone with the process.
#[derive(Debug, Default)]
pub struct MemoryVault {
    credentials: HashMap<CredentialName, Arc<StoredCredential>>,
    texts: HashMap<String, String>,
}

impl VaultHandle {
    /// A vault that is gone with this process.
    pub fn memory() -> VaultHandle {
        VaultHandle::immediate(VaultKind::Memory, MemoryVault::default())
    }
}

impl Vault for MemoryVault {
    fn kind(&self) -> VaultKind {
        VaultKind::Memory
    }

    fn probe(&mut self) -> Result<(), VaultTrouble> {
        Ok(())
    }

    fn get(
        &mut self,
        name: &CredentialName,
    ) -> Result<Option<Arc<StoredCredential>>, VaultTrouble> {
        Ok(self.credentials.get(name).cloned())
    }

    fn put(
        &mut self,
        name: &CredentialName,
        credential: &Arc<StoredCredential>,
    ) -> Result<(), VaultTrouble> {
        self.credentials.insert(name.clone(), Arc::clone(credential));
        Ok(())
    }

    fn delete(&mut self, name: &CredentialName) -> Result<(), VaultTrouble> {
        self.credentials.remove(name);
        Ok(())
    }

    fn put_text(&mut self, name: &str, text: &str) -> Result<(), VaultTrouble> {
        self.texts.insert(name.to_owned(), text.to_owned());
        Ok(())
    }

    fn get_text(&mut self, name: &str) -> Result<Option<String>, VaultTrouble> {
        Ok(self.texts.get(name).cloned())
    }

    fn delete_text(&mut self, name: &str) -> Result<(), VaultTrouble> {
        self.texts.remove(name);
        Ok(())
    }
}
