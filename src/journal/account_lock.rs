//! The lock under which one attempt of an account is made.

use super::lock::LockGuard;
use super::money::storage::Storage;
use crate::trade::{Account, JournalTrouble};

/// The one attempt in flight of an account, across all windows of the program; let go on drop.
///
/// It is the owner's: one however place and login are written.
#[derive(Debug)]
pub struct AccountLock {
    owner: Account,
    _held: LockGuard,
}

impl AccountLock {
    /// Returns the account whose attempts are locked.
    pub fn owner(&self) -> &Account {
        &self.owner
    }

    /// Takes the lock, or nothing when an attempt of the account is in flight elsewhere.
    pub(super) fn take(
        storage: &dyn Storage,
        account: &Account,
    ) -> Result<Option<AccountLock>, JournalTrouble> {
        let owner = account.owner();
        let held = storage.hold_account(&owner)?;
        Ok(held.map(|held| AccountLock { owner, _held: held }))
    }
}
