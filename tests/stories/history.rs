//! Tests the lists of links, direct payments and withdrawals: the newest item is first, the lists
//! can be searched, and they are restored after a restart.

use std::time::Duration;

use crate::counter::Counter;
use crate::glass::Frame;
use crate::shop::Shop;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_is_listed_newest_first_and_found_again() {
    let (shop, mut counter) = Shop::new().await.entered().await;
    for (digits, what) in [("4990", "Camiseta azul M"), ("14990", "Tênis 42"), ("7990", "Boné")] {
        counter.make_link(digits, what).await;
        shop.clock.forward(Duration::from_secs(60));
    }
    counter.ask_for_charge("3000", "Conserto").await;
    counter.wait_to_hear("ChargeMade").await;
    shop.clock.forward(Duration::from_secs(60));
    counter.ask_for_charge("6000", "Ajuste").await;
    counter.wait_to_hear_more("ChargeMade", 1).await;
    counter.withdraw(&shop, "10000").await;
    shop.clock.forward(Duration::from_secs(60));
    counter.withdraw(&shop, "25000").await;

    counter.press("1").await;
    in_order(&mut counter, &["Boné", "Tênis 42", "Camiseta azul M"]).await;
    // The search ignores accents and case.
    counter.press("/").await;
    counter.type_text("TENIS").await;
    counter.wait_until("the search", |f| f.has("Tênis 42") && !f.has("Boné")).await;
    counter.press("Esc").await;
    counter.wait_for("Boné").await;
    counter.press("/").await;
    counter.type_text("79,90").await;
    counter.wait_until("the search", |f| f.has("Boné") && !f.has("Camiseta")).await;
    counter.press("Esc 4").await;
    counter.wait_for("Conserto").await;
    in_order(&mut counter, &["Ajuste", "Conserto"]).await;
    counter.press("/").await;
    counter.type_text("conserto").await;
    counter.wait_until("the search", |f| f.has("30,00") && !f.has("60,00")).await;
    counter.press("Esc 3").await;
    counter.wait_for("R$ 250,00").await;
    in_order(&mut counter, &["R$ 250,00", "R$ 100,00"]).await;
    counter.press("/").await;
    counter.type_text("250").await;
    counter.wait_until("the search", |f| !f.has("R$ 100,00")).await;
    counter.close().await;

    let mut counter = shop.open().await;
    counter.wait_for("Camiseta azul M").await;
    counter.press("3").await;
    counter.wait_for("R$ 250,00").await;
    counter.press("4").await;
    counter.wait_for("Ajuste").await;
    assert!(counter.close().await.exchanges.len() <= 1, "a run's exchanges end with it");
}

/// Waits until all of these texts are in the list, and asserts that they are in this order.
async fn in_order(counter: &mut Counter, texts: &[&str]) {
    let all = |frame: &Frame| texts.iter().all(|text| frame.text().contains(text));
    counter.wait_until("all of them", all).await;
    let screen = counter.screen();
    let places: Vec<_> =
        texts.iter().map(|text| screen.rows.iter().position(|row| row.contains(text))).collect();
    assert!(places.is_sorted(), "{texts:?} at {places:?}\n{}", screen.text());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn damaged_history_is_recreated_and_money_untouched() {
    let mut shop = Shop::new().await;
    let mut counter = shop.enter().await;
    counter.withdraw(&shop, "10000").await;
    counter.close().await;
    let kept = shop.journal_dir();
    shop.journal_name = "put back";
    std::fs::create_dir(shop.journal_dir()).unwrap();
    for name in ["money.db", "money.head"] {
        std::fs::copy(kept.join(name), shop.journal_dir().join(name)).unwrap();
    }
    std::fs::write(shop.journal_dir().join("history.db"), [7; 9_000]).unwrap();
    let mut counter = shop.open().await;
    counter.press("3").await;
    counter.wait_for_word("state-accepted").await;
    counter.make_link("4990", "Camiseta azul M").await;
    counter.close().await;
    assert!(shop.paid_once_or_never());
}

/// Makes the history database accept new requests but reject their outcomes, as if the disk had
/// become full in between.
fn refuses_outcomes(shop: &Shop) {
    let file = rusqlite::Connection::open(shop.journal_dir().join("history.db")).unwrap();
    for table in ["link", "charge"] {
        let refusal = "BEGIN SELECT RAISE(ABORT, 'no room'); END";
        let batch = format!("CREATE TRIGGER full_{table} BEFORE UPDATE ON {table} {refusal}");
        file.execute_batch(&batch).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unsaved_rows_stay_listed_and_are_marked() {
    let (shop, mut counter) = Shop::new().await.entered().await;
    counter.make_link("4990", "Camiseta azul M").await;
    refuses_outcomes(&shop);
    counter.press("Esc").await;
    counter.make_link("7990", "Boné").await;
    counter.wait_for("mas não foi gravado no").await;
    counter.assert_sees("/checkout/");
    counter.press("Esc").await;
    counter.wait_for_word("links-not-saved").await;
    counter.press("r y").await;
    counter.settle().await;
    counter.assert_sees_word("links-not-saved");
    assert!(!counter.screen().has("pode existir"), "{}", counter.screen().text());
    counter.ask_for_charge("3000", "Conserto").await;
    counter.wait_to_hear("ChargeMade").await;
    counter.wait_for("mas não foi gravada no").await;
    counter.press("Esc").await;
    counter.wait_for_word("links-not-saved").await;
    let model = counter.close().await;
    assert!(model.links.list.page.rows[0].url().is_some());
    assert!(model.charges.page.rows[0].pix_code().is_some());

    // The outcome was only in memory. After the restart, the link is shown as unknown instead of as
    // not saved.
    let mut counter = shop.open().await;
    counter.wait_for_word("links-unknown").await;
    assert!(!counter.screen().has("não gravado"), "{}", counter.screen().text());
}
