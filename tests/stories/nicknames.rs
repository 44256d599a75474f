//! Tests nicknames for destinations: every screen shows the nickname beside the Pix key, and the
//! nickname is still there after a restart.

use crate::shop::Shop;

const KEY: &str = "111.444.777-35";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nickname_is_kept_in_every_window_and_after_restart() {
    let (shop, mut counter) = Shop::new().await.entered().await;
    counter.withdraw(&shop, "10000").await;
    counter.press("Esc").await;
    let mut other = shop.open().await;
    counter.press("3 a").await;
    counter.wait_for(KEY).await;
    counter.type_text("Conta PJ").await;
    counter.press("Ctrl-S").await;
    counter.wait_for_word("said-nicknamed").await;
    counter.press("Enter").await;
    counter.wait_for("35 · Conta PJ").await;
    // The other instance of the app reads the new nickname from the store, and offers it in its
    // next withdrawal form.
    other.press("3 n Tab").await;
    other.wait_for("Conta PJ").await;
    other.close().await;
    counter.close().await;
    let mut again = shop.open().await;
    again.press("3 Enter").await;
    again.wait_for("35 · Conta PJ").await;
    // The search finds withdrawals by nickname.
    again.press("Esc /").await;
    again.type_text("conta PF").await;
    again.wait_for("Nenhum saque com “conta PF”.").await;
    again.press("Backspace").await;
    again.type_text("J").await;
    again.wait_for(KEY).await;
    again.close().await;
}
