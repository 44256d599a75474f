//! Tests of nicknames for Pix keys. Every screen must show a nickname beside its Pix key, and a
//! restart must not lose it.

use crate::test_env::TestEnv;

const KEY: &str = "111.444.777-35";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nickname_is_kept_in_every_window_and_after_restart() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    app.withdraw(&env, "10000").await;
    app.press("Esc").await;
    let mut other = env.open().await;
    app.press("3 a").await;
    app.wait_for(KEY).await;
    app.type_text("Conta PJ").await;
    app.press("Ctrl-S").await;
    app.wait_for_localized("said-nicknamed").await;
    app.press("Enter").await;
    app.wait_for("35 · Conta PJ").await;
    // The other instance of the app must load the new nickname, and offer it in its next withdrawal
    // form.
    other.press("3 n Tab").await;
    other.wait_for("Conta PJ").await;
    other.close().await;
    app.close().await;
    let mut again = env.open().await;
    again.press("3 Enter").await;
    again.wait_for("35 · Conta PJ").await;
    // The search must find withdrawals by nickname.
    again.press("Esc /").await;
    again.type_text("conta PZ").await;
    again.wait_for("Nenhum saque com “conta PZ”.").await;
    again.press("Backspace").await;
    again.type_text("J").await;
    again.wait_for(KEY).await;
    again.close().await;
}
