//! A vault in memory that a test can make fail, hang or panic.

use balcao::trade::{VaultKind, VaultTrouble};
use balcao::vault::{MemoryVault, Vault, VaultHandle};

/// The name of the vault entry that a call stores, or `None` if the call does not store anything.
pub type Stored<'a> = Option<&'a str>;

/// Opens a vault in memory. Each call first calls `before`, and fails if `before` returns an error.
pub fn guarded(
    kind: VaultKind,
    before: impl FnMut(Stored) -> Result<(), VaultTrouble> + Send + 'static,
) -> VaultHandle {
    VaultHandle::over(kind, move || Box::new(Guarded { inside: MemoryVault::default(), before }))
}

struct Guarded<F> {
    inside: MemoryVault,
    before: F,
}

impl<F: FnMut(Stored) -> Result<(), VaultTrouble>> Vault for Guarded<F> {
    fn value(&mut self, service: &str, user: &str) -> Result<Option<Vec<u8>>, VaultTrouble> {
        (self.before)(None)?;
        self.inside.value(service, user)
    }

    fn set(&mut self, service: &str, user: &str, value: &[u8]) -> Result<(), VaultTrouble> {
        (self.before)(Some(service))?;
        self.inside.set(service, user, value)
    }

    fn remove(&mut self, service: &str, user: &str) -> Result<(), VaultTrouble> {
        (self.before)(None)?;
        self.inside.remove(service, user)
    }
}
