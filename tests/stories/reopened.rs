//! Tests a restart with an open or a prepared withdrawal: the app shows the withdrawal, and sends
//! nothing without a key press.

use std::time::Duration;

use balcao::sandbox::bank::ledger::RequestOutcome;
use balcao::sandbox::{Fault, Scope, Times};

use crate::shop::Shop;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn restart_restores_everything_and_sends_nothing() {
    let (shop, mut counter) = Shop::new().await.entered().await;
    counter.make_link("4990", "Camiseta azul M").await;
    shop.next_withdrawal(Fault::DropAfter);
    counter.withdraw(&shop, "10000").await;
    counter.close().await;
    let requests = shop.ledger().requests.len();

    let mut counter = shop.open().await;
    // The app first shows the open withdrawal, which covers the list of links.
    counter.wait_for("RESULTADO DESCONHECIDO").await;
    counter.assert_sees("Saque de R$ 100,00");
    counter.press("Esc").await;
    counter.wait_for("Camiseta azul M").await;
    shop.clock.forward(Duration::from_secs(30));
    counter.press("3").await;
    counter.wait_for_word("state-unknown").await;
    assert_eq!((counter.attempts(), shop.ledger().requests.len()), (0, requests));
    counter.press("Enter").await;
    counter.send_again().await;
    counter.assert_sees_word("state-accepted");
    let outcomes: Vec<_> = shop.ledger().requests.iter().map(|request| request.outcome).collect();
    assert_eq!(outcomes, [RequestOutcome::Paid, RequestOutcome::Replayed]);
    assert!(shop.paid_once_or_never());
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn prepared_withdrawal_is_never_sent_automatically() {
    let (shop, mut counter) = Shop::new().await.untapped().entered().await;
    counter.review(&shop, "10000").await;
    shop.control.arm(Fault::Refuse, Scope::Any, Times::Always).unwrap();
    counter.confirm().await;
    counter.close().await;
    shop.control.disarm_all().unwrap();
    let mut counter = shop.open().await;
    counter.settle().await;
    counter.assert_sees_no("reenviar por mais");
    counter.assert_sees_no("PREPARADO");
    counter.press("3").await;
    counter.wait_for_word("state-prepared").await;
    shop.clock.forward(Duration::from_secs(3_600));
    counter.press("Enter").await;
    counter.settle().await;
    assert!(shop.ledger().requests.is_empty());
    counter.send_again().await;
    counter.assert_sees_word("state-accepted");
    assert!(shop.paid_once_or_never());
    counter.close().await;
}
