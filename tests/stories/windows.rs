//! Two counters on one journal at once.

use std::time::Duration;

use balcao::sandbox::{Fault, Operation, Times};

use crate::shop::Shop;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_attempt_at_a_time_across_both() {
    let shop = Shop::new().await;
    let mut one = shop.open().await;
    one.log_in().await;
    let mut other = shop.open().await;
    let slow = Fault::Delay(Duration::from_millis(1_500));
    shop.control.arm(slow, Operation::Withdrawal, Times::Next(1)).unwrap();
    one.review(&shop, "10000").await;
    other.review(&shop, "5000").await;
    let ends = one.ends();
    one.press("Tab Enter").await;
    one.wait_to_hear("AttemptBegan").await;
    // The other knows nothing of it yet: its journal does.
    let prepared = other.heard("Prepared");
    other.press("Tab Enter").await;
    other.wait_to_hear_more("Prepared", prepared).await;
    one.wait_for_end(ends).await;
    one.assert_sees_word("state-accepted");
    assert_eq!(other.attempts(), 0, "another one is open: look again");
    other.wait_for_word("withdraw-refused-look-again").await;
    assert_eq!(shop.ledger().payouts.len(), 1);

    // Looked at again, with the amount typed once more, it goes.
    other.open_review().await;
    other.assert_sees_word("review-retype-another-open");
    shop.clock.forward_ms(600);
    other.press("Tab").await;
    other.type_text("5000").await;
    other.confirm().await;
    other.assert_sees_word("state-accepted");
    assert_eq!(shop.ledger().payouts.len(), 2);
    one.press("3 r").await;
    one.wait_for("R$ 50,00").await;
    one.close().await;
    other.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_unknown_one_sent_again_by_both_is_paid_once() {
    let shop = Shop::new().await;
    let mut one = shop.open().await;
    one.log_in().await;
    shop.control.arm(Fault::DropBefore, Operation::Withdrawal, Times::Next(1)).unwrap();
    one.withdraw(&shop, "10000").await;
    one.assert_sees_word("state-unknown");
    let mut other = shop.open().await;
    other.press("3 Enter").await;
    other.assert_sees_word("state-unknown");
    let slow = Fault::Delay(Duration::from_millis(800));
    shop.control.arm(slow, Operation::Withdrawal, Times::Next(1)).unwrap();
    let (ends, others) = (one.ends(), other.ends());
    one.press("r").await;
    other.press("r").await;
    one.wait_for_end(ends).await;
    other.wait_for_end(others).await;
    assert!(shop.paid_once_or_never());
    assert_eq!(shop.state(&shop.only_withdrawal()), "accepted");
    // Whoever was turned away sees the truth after looking again.
    for counter in [&mut one, &mut other] {
        counter.press("Esc 3 r").await;
        counter.wait_for_word("state-accepted").await;
    }
    one.close().await;
    other.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_decision_in_one_is_respected_in_the_other() {
    let shop = Shop::new().await;
    let mut one = shop.open().await;
    one.log_in().await;
    shop.control.arm(Fault::DropAfter, Operation::Withdrawal, Times::Next(1)).unwrap();
    one.withdraw(&shop, "10000").await;
    let mut other = shop.open().await;
    other.press("3 Enter f Tab Enter").await;
    other.wait_for_word("state-resolved-paid").await;
    // The first still shows it as unknown; its key press sends nothing.
    one.send_again().await;
    assert_eq!(shop.ledger().requests.len(), 1);
    one.wait_for_word("state-resolved-paid").await;
    one.close().await;
    other.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_other_left_open_is_seen_when_the_journal_says_look_again() {
    let shop = Shop::new().await;
    let mut one = shop.open().await;
    one.log_in().await;
    let mut other = shop.open().await;
    other.review(&shop, "5000").await;
    shop.control.arm(Fault::DropAfter, Operation::Withdrawal, Times::Next(1)).unwrap();
    one.withdraw(&shop, "10000").await;
    one.assert_sees_word("state-unknown");

    other.press("Tab Enter").await;
    other.wait_to_hear("Prepared").await;
    other.assert_sees_word("withdraw-refused-look-again");
    other.wait_to_hear_more("WithdrawalsLoaded", 2).await;
    other.open_review().await;
    other.assert_sees_word("review-retype-another-open");
    shop.clock.forward_ms(600);
    other.press("Tab").await;
    other.type_text("5000").await;
    other.confirm().await;
    other.assert_sees_word("state-accepted");
    assert_eq!(shop.ledger().payouts.len(), 2);
    one.close().await;
    other.close().await;
}
