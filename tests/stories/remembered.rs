//! A journal that vanished while the keyring, which remembers it, does not answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use balcao::trade::{CredentialName, JournalTrouble, VaultKind, VaultTrouble};
use balcao::vault::{MemoryVault, StoredCredential, Vault, VaultHandle};

use crate::shop::Shop;

/// A keyring that a person can lock.
struct Keyring {
    inside: MemoryVault,
    is_locked: Arc<AtomicBool>,
    /// Whether it looks empty while it is locked, and unlocks when something is to be stored.
    looks_empty: bool,
}

impl Keyring {
    fn open(&mut self) -> Result<&mut MemoryVault, VaultTrouble> {
        match self.is_locked.load(Ordering::SeqCst) {
            true => Err(VaultTrouble::Locked),
            false => Ok(&mut self.inside),
        }
    }
}

impl Vault for Keyring {
    fn kind(&self) -> VaultKind {
        VaultKind::Keyring
    }

    fn probe(&mut self) -> Result<(), VaultTrouble> {
        if self.looks_empty {
            self.is_locked.store(false, Ordering::SeqCst);
        }
        self.open()?.probe()
    }

    fn get(
        &mut self,
        name: &CredentialName,
    ) -> Result<Option<Arc<StoredCredential>>, VaultTrouble> {
        if self.looks_empty && self.is_locked.load(Ordering::SeqCst) {
            return Ok(None);
        }
        self.open()?.get(name)
    }

    fn put(
        &mut self,
        name: &CredentialName,
        credential: &Arc<StoredCredential>,
    ) -> Result<(), VaultTrouble> {
        self.open()?.put(name, credential)
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

/// A shop whose keyring is locked while this is true.
async fn with_keyring(looks_empty: bool) -> (Shop, Arc<AtomicBool>) {
    let is_locked = Arc::new(AtomicBool::new(false));
    let mut shop = Shop::new().await;
    let lock = is_locked.clone();
    shop.vault = VaultHandle::over(VaultKind::Keyring, move || {
        Box::new(Keyring { inside: MemoryVault::default(), is_locked: lock, looks_empty })
    });
    (shop, is_locked)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_keyring_is_no_leave_to_begin_a_vanished_journal_anew() {
    let (shop, is_locked) = with_keyring(false).await;
    let mut counter = shop.open().await;
    counter.log_in().await;
    counter.withdraw(&shop, "10000").await;
    counter.close().await;
    for name in ["money.db", "money.head"] {
        std::fs::remove_file(shop.journal_dir().join(name)).unwrap();
    }
    std::fs::remove_dir_all(shop.config()).unwrap();
    is_locked.store(true, Ordering::SeqCst);
    let mut counter = shop.open().await;
    counter.wait_for("Saques bloqueados neste computador: a tecla 3").await;
    counter.press("Esc 3").await;
    counter.wait_for_word("journal-maybe-missing").await;
    counter.press("n").await;
    let loads = counter.heard("WithdrawalsLoaded");
    counter.press("r").await;
    counter.wait_to_hear_more("WithdrawalsLoaded", loads).await;
    counter.wait_for_word("journal-maybe-missing").await;
    // Unlocked, it says what it remembers, without a new start.
    is_locked.store(false, Ordering::SeqCst);
    counter.press("r").await;
    counter.wait_for_word("journal-missing").await;
    let model = counter.close().await;
    assert_eq!(model.withdrawals.trouble, Some(JournalTrouble::Missing));
    assert!(!shop.journal_dir().join("money.db").exists(), "begun anew");
    assert_eq!(shop.ledger().requests.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_keyring_that_remembers_nothing_makes_way_once_it_is_unlocked() {
    let (shop, is_locked) = with_keyring(false).await;
    is_locked.store(true, Ordering::SeqCst);
    let mut counter = shop.open().await;
    counter.wait_for("Saques bloqueados neste computador: a tecla 3").await;
    counter.press("Esc 3").await;
    counter.wait_for_word("journal-maybe-missing").await;
    is_locked.store(false, Ordering::SeqCst);
    counter.press("r").await;
    counter.wait_for_word("withdrawals-empty-title").await;
    counter.assert_sees_no("Saques bloqueados");
    let model = counter.close().await;
    assert_eq!(model.withdrawals.trouble, None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_keyring_that_is_unlocked_late_is_read_again() {
    let (shop, is_locked) = with_keyring(false).await;
    let mut counter = shop.open().await;
    counter.log_in().await;
    counter.close().await;
    is_locked.store(true, Ordering::SeqCst);
    let mut counter = shop.open().await;
    counter.wait_for_word("keeper-locked").await;
    counter.press("Esc 6").await;
    is_locked.store(false, Ordering::SeqCst);
    counter.press("r").await;
    counter.wait_for_word("state-in").await;
    let model = counter.close().await;
    assert!(model.session.is_in());
    assert_eq!(shop.ledger().requests.len(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_keyring_that_unlocks_only_to_store_is_read_after_that() {
    let (shop, is_locked) = with_keyring(true).await;
    let mut counter = shop.open().await;
    counter.log_in().await;
    counter.close().await;
    is_locked.store(true, Ordering::SeqCst);
    let counter = shop.open().await;
    let model = counter.close().await;
    assert!(model.session.is_in());
}
