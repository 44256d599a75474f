//! Tests two instances of the app that use the same journal at the same time.

use std::time::Duration;

use balcao::sandbox::Fault;

use crate::counter::Counter;
use crate::shop::Shop;
use crate::withdrawals::WITHDRAWALS;

impl Counter {
    /// Waits for a review that warns about another open withdrawal, types the amount again, and
    /// confirms.
    async fn confirms_typed(&mut self, shop: &Shop, centavos: &str) {
        self.wait_for_word("review-retype-another-open").await;
        self.press("Tab").await;
        self.type_text(centavos).await;
        let ends = self.ends();
        self.press("Tab").await;
        loop {
            let checks = self.heard("Reviewed");
            self.settle().await;
            shop.clock.forward_ms(600);
            self.press("Enter").await;
            if !self.sees("Conferir o saque") {
                break;
            }
            // Each change of the journal makes the app check the withdrawal again, which disables
            // the button for a moment. Wait for the result and retry.
            self.wait_to_hear_more("Reviewed", checks).await;
        }
        self.wait_for_end(ends).await;
    }
}

/// The maximum time until one instance shows a change made by the other instance.
const SOON: Duration = Duration::from_secs(1);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_appear_in_the_other_window_without_a_key() {
    let (shop, mut one) = Shop::new().await.entered().await;
    let mut other = shop.open().await;
    other.press("3").await;
    other.wait_for_word("withdrawals-empty-title").await;
    let (keys, mut soon) = (other.screen().handled, Vec::new());

    // Make one withdrawal that is prepared and then discarded.
    shop.next_withdrawal(Fault::status(429));
    one.withdraw(&shop, "10000").await;
    soon.push(other.wait_for_word_within("state-prepared", SOON).await);
    one.press("X Tab Enter").await;
    soon.push(other.wait_for_word_within("state-discarded", SOON).await);

    // Make a withdrawal with an unknown outcome, which is then sent again and accepted.
    shop.next_withdrawal(Fault::DropAfter);
    one.withdraw(&shop, "5000").await;
    soon.push(other.wait_for_word_within("state-unknown", SOON).await);
    shop.tap.hold(WITHDRAWALS);
    let ends = one.ends();
    one.resend().await;
    soon.push(other.wait_for_word_within("state-sending-elsewhere", SOON).await);
    other.wait_for("Saque de R$ 50,00 sendo enviado em outra janela").await;
    shop.tap.let_go();
    one.wait_for_end(ends).await;
    soon.push(other.wait_for_word_within("state-accepted", SOON).await);
    assert_eq!(other.screen().handled, keys, "nobody touched it");
    // A slow machine may delay one update. If the instances polled for changes, most updates would
    // be late.
    let late = soon.iter().filter(|soon| !**soon).count();
    assert!(late < 2, "{soon:?}");
    one.close().await;
    other.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn links_of_the_other_window_appear_too() {
    let (shop, mut one) = Shop::new().await.entered().await;
    let mut other = shop.open().await;
    other.press("1").await;
    one.make_link("4990", "Camiseta azul M").await;
    other.wait_for("Camiseta azul M").await;
    assert_eq!(one.heard("HistoryChanged"), 0, "its own changes are no news");
    one.close().await;
    other.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn own_writes_do_not_notify_the_window() {
    let (shop, mut one) = Shop::new().await.entered().await;
    one.withdraw(&shop, "10000").await;
    one.assert_sees_word("state-accepted");
    // Changes are reported in order. If the first instance were also notified of its own writes,
    // those notifications would arrive before the one for the second instance's change.
    let mut other = shop.open().await;
    shop.next_withdrawal(Fault::DropAfter);
    other.withdraw(&shop, "5000").await;
    one.wait_to_hear("JournalChanged").await;
    one.wait_for("Saque de R$ 50,00").await;
    let changes = one.heard("JournalChanged");
    // The first instance is notified of each event that the second one writes, and once of the end
    // of its attempt.
    assert!((1..=4).contains(&changes), "{changes} in {:#?}", one.everything_said());
    assert_eq!(other.heard("JournalChanged"), 0);
    one.close().await;
    other.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn windows_share_a_single_attempt_at_a_time() {
    let (shop, mut one) = Shop::new().await.entered().await;
    let mut other = shop.open().await;
    shop.tap.hold(WITHDRAWALS);
    one.review(&shop, "10000").await;
    other.review(&shop, "5000").await;
    let ends = one.ends();
    one.press("Tab Enter").await;
    one.wait_to_hear("AttemptBegan").await;
    // The review in the other window now asks for the amount again, because this may be a duplicate
    // payment.
    other.wait_for("Saque de R$ 100,00 sendo enviado em outra janela").await;
    other.confirms_typed(&shop, "5000").await;
    assert_eq!(other.attempts(), 1);
    other.assert_sees_word("not-sent-busy");
    shop.tap.let_go();
    one.wait_for_end(ends).await;
    one.assert_sees_word("state-accepted");
    assert_eq!(shop.ledger().payouts.len(), 1);

    // The first withdrawal is now decided, so the second one can be sent, with the idempotency key
    // from its review.
    other.wait_until("the banner to go", |frame| !frame.has("sendo enviado em outra janela")).await;
    shop.clock.forward_ms(600);
    other.send_again().await;
    other.assert_sees_word("state-accepted");
    assert_eq!(shop.ledger().payouts.len(), 2);
    one.press("3").await;
    one.wait_for("R$ 50,00").await;
    one.close().await;
    other.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unknown_resent_by_both_windows_is_paid_once() {
    let (shop, mut one) = Shop::new().await.entered().await;
    shop.next_withdrawal(Fault::DropBefore);
    one.withdraw(&shop, "10000").await;
    one.assert_sees_word("state-unknown");
    let mut other = shop.open().await;
    other.press("3 Enter").await;
    other.assert_sees_word("state-unknown");
    shop.tap.hold(WITHDRAWALS);
    let before = [&one, &other].map(|counter| (counter.attempts(), counter.ends()));
    // Both instances confirm at the same time. If one notices the attempt of the other before it
    // confirms, it no longer offers to send the withdrawal again.
    for counter in [&mut one, &mut other] {
        counter.ask_to_send().await;
        counter.press("Tab").await;
        counter.settle().await;
    }
    shop.clock.forward_ms(150);
    one.press_unseen("Enter");
    other.press_unseen("Enter");
    shop.tap.wait_held().await;
    shop.tap.let_go();
    for (counter, (attempts, ends)) in [&mut one, &mut other].into_iter().zip(before) {
        counter.settle().await;
        if counter.attempts() > attempts {
            counter.wait_for_end(ends).await;
        }
    }
    assert!(shop.paid_once_or_never());
    assert_eq!(shop.state(&shop.only_withdrawal()), "accepted");
    // Both instances show the correct state, including the one whose attempt was refused.
    for counter in [&mut one, &mut other] {
        counter.wait_for_word("state-accepted").await;
    }
    one.close().await;
    other.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_decision_in_one_is_respected_in_the_other() {
    let (shop, mut one) = Shop::new().await.entered().await;
    shop.next_withdrawal(Fault::DropAfter);
    one.withdraw(&shop, "10000").await;
    let mut other = shop.open().await;
    other.press("3 Enter f Tab Enter").await;
    other.wait_for_word("state-resolved-paid").await;
    // The first instance shows the seller's decision, so the key for sending the withdrawal again
    // must do nothing.
    one.wait_for_word("state-resolved-paid").await;
    one.press("s").await;
    one.settle().await;
    assert_eq!((one.attempts(), shop.ledger().requests.len()), (1, 1));
    one.close().await;
    other.close().await;
}
