//! Tests that the app creates no new journal while the keyring is locked. The keyring records
//! whether there was a journal before.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use balcao::trade::{JournalTrouble, VaultKind, VaultTrouble};

use crate::guarded_vault::open_guarded_vault;
use crate::test_env::TestEnv;

/// Creates an environment with a keyring. The keyring is locked while the returned flag is true.
async fn with_keyring() -> (TestEnv, Arc<AtomicBool>) {
    let is_locked = Arc::new(AtomicBool::new(false));
    let mut env = TestEnv::new().await;
    let lock = is_locked.clone();
    env.vault = open_guarded_vault(VaultKind::Keyring, move |_| {
        if lock.load(Ordering::SeqCst) {
            Err(VaultTrouble::Locked)
        } else {
            Ok(())
        }
    });
    (env, is_locked)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn locked_keyring_does_not_allow_a_new_journal() {
    let (env, is_locked) = with_keyring().await;
    let mut app = env.open_logged_in().await;
    app.withdraw(&env, "10000").await;
    app.close().await;
    for name in ["money.db", "money.head"] {
        std::fs::remove_file(env.journal_dir().join(name)).unwrap();
    }
    std::fs::remove_dir_all(env.config_dir()).unwrap();
    is_locked.store(true, Ordering::SeqCst);
    let mut app = env.open().await;
    app.wait_for("Saques bloqueados neste computador: a tecla 3")
        .await;
    app.press("Esc 3").await;
    app.wait_for_localized("journal-maybe-missing").await;
    app.press("n").await;
    let loads = app.message_count("WithdrawalsLoaded");
    app.press("r").await;
    app.wait_for_another_message("WithdrawalsLoaded", loads)
        .await;
    app.wait_for_localized("journal-maybe-missing").await;
    // After the keyring is unlocked, the app must report the missing journal as soon as the list is
    // reloaded. No restart is needed.
    is_locked.store(false, Ordering::SeqCst);
    app.press("r").await;
    app.wait_for_localized("journal-missing").await;
    let model = app.close().await;
    assert_eq!(model.withdrawals.trouble, Some(JournalTrouble::Missing));
    assert!(!env.journal_dir().join("money.db").exists(), "begun anew");
    assert_eq!(env.ledger().requests.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unlocking_a_blank_keyring_unblocks_withdrawals() {
    let (env, is_locked) = with_keyring().await;
    is_locked.store(true, Ordering::SeqCst);
    let mut app = env.open().await;
    app.wait_for("Saques bloqueados neste computador: a tecla 3")
        .await;
    app.press("Esc 3").await;
    app.wait_for_localized("journal-maybe-missing").await;
    is_locked.store(false, Ordering::SeqCst);
    app.press("r").await;
    app.wait_for_localized("withdrawals-empty-title").await;
    app.assert_shows_no("Saques bloqueados");
    let model = app.close().await;
    assert_eq!(model.withdrawals.trouble, None);
}
