//! Tests the case that the journal was deleted while the keyring, which records that the journal
//! exists, is locked.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use balcao::trade::{JournalTrouble, VaultKind, VaultTrouble};

use crate::guarded_vault::guarded;
use crate::shop::Shop;

/// Creates an environment whose keyring is locked while the returned flag is true.
async fn with_keyring() -> (Shop, Arc<AtomicBool>) {
    let is_locked = Arc::new(AtomicBool::new(false));
    let mut shop = Shop::new().await;
    let lock = is_locked.clone();
    shop.vault = guarded(VaultKind::Keyring, move |_| match lock.load(Ordering::SeqCst) {
        true => Err(VaultTrouble::Locked),
        false => Ok(()),
    });
    (shop, is_locked)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn locked_keyring_does_not_allow_a_new_journal() {
    let (shop, is_locked) = with_keyring().await;
    let mut counter = shop.enter().await;
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
    // After the keyring is unlocked, the app reports the missing journal without a restart.
    is_locked.store(false, Ordering::SeqCst);
    counter.press("r").await;
    counter.wait_for_word("journal-missing").await;
    let model = counter.close().await;
    assert_eq!(model.withdrawals.trouble, Some(JournalTrouble::Missing));
    assert!(!shop.journal_dir().join("money.db").exists(), "begun anew");
    assert_eq!(shop.ledger().requests.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unlocking_a_blank_keyring_unblocks_withdrawals() {
    let (shop, is_locked) = with_keyring().await;
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
