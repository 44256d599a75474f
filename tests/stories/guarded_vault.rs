//! A vault in memory that a story can lock, hang or break.

use std::sync::Arc;

use balcao::trade::{CredentialName, VaultKind, VaultTrouble};
use balcao::vault::{MemoryVault, StoredCredential, Vault, VaultHandle};

/// The credential that a call stores; `None` for every other call.
pub type Stored<'a> = Option<(&'a CredentialName, &'a Arc<StoredCredential>)>;

/// Opens a vault whose every call runs this function first, and fails as it does.
pub fn guarded(
    kind: VaultKind,
    before: impl FnMut(Stored) -> Result<(), VaultTrouble> + Send + 'static,
) -> VaultHandle {
    VaultHandle::over(kind, move || {
        Box::new(Guarded { kind, inside: MemoryVault::default(), before })
    })
}

struct Guarded<F> {
    kind: VaultKind,
    inside: MemoryVault,
    before: F,
}

impl<F: FnMut(Stored) -> Result<(), VaultTrouble>> Guarded<F> {
    fn open(&mut self) -> Result<&mut MemoryVault, VaultTrouble> {
        (self.before)(None)?;
        Ok(&mut self.inside)
    }
}

impl<F: FnMut(Stored) -> Result<(), VaultTrouble>> Vault for Guarded<F> {
    fn kind(&self) -> VaultKind {
        self.kind
    }

    fn probe(&mut self) -> Result<(), VaultTrouble> {
        self.open()?.probe()
    }

    fn get(
        &mut self,
        name: &CredentialName,
    ) -> Result<Option<Arc<StoredCredential>>, VaultTrouble> {
        self.open()?.get(name)
    }

    fn put(
        &mut self,
        name: &CredentialName,
        credential: &Arc<StoredCredential>,
    ) -> Result<(), VaultTrouble> {
        (self.before)(Some((name, credential)))?;
        self.inside.put(name, credential)
    }

    fn delete(&mut self, name: &CredentialName) -> Result<(), VaultTrouble> {
        self.open()?.delete(name)
    }

    fn put_text(&mut self, name: &str, text: &str) -> Result<(), VaultTrouble> {
        self.open()?.put_text(name, text)
    }

    fn get_text(&mut self, name: &str) -> Result<Option<String>, VaultTrouble> {
        self.open()?.get_text(name)
    }

    fn delete_text(&mut self, name: &str) -> Result<(), VaultTrouble> {
        self.open()?.delete_text(name)
    }
}
