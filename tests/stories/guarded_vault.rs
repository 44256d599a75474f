//! A vault in memory that a test can make fail, hang or panic.

use balcao::trade::{VaultKind, VaultTrouble};
use balcao::vault::{MemoryVault, Vault, VaultHandle};

/// The name of the vault entry that a call stores, or `None` if the call does not store anything.
pub type StoredEntry<'a> = Option<&'a str>;

/// Opens a vault in memory. Each operation on the vault first calls `before`, and fails if `before`
/// returns an error.
pub fn open_guarded_vault(
    kind: VaultKind,
    before: impl FnMut(StoredEntry) -> Result<(), VaultTrouble> + Send + 'static,
) -> VaultHandle {
    VaultHandle::on_thread(kind, move || {
        Box::new(GuardedVault {
            inner: MemoryVault::default(),
            before,
        })
    })
}

struct GuardedVault<F> {
    inner: MemoryVault,
    before: F,
}

impl<F: FnMut(StoredEntry) -> Result<(), VaultTrouble>> Vault for GuardedVault<F> {
    fn value(&mut self, service: &str, user: &str) -> Result<Option<Vec<u8>>, VaultTrouble> {
        (self.before)(None)?;
        self.inner.value(service, user)
    }

    fn set(&mut self, service: &str, user: &str, value: &[u8]) -> Result<(), VaultTrouble> {
        (self.before)(Some(service))?;
        self.inner.set(service, user, value)
    }

    fn remove(&mut self, service: &str, user: &str) -> Result<(), VaultTrouble> {
        (self.before)(None)?;
        self.inner.remove(service, user)
    }
}
