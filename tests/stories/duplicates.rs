//! Tests that the app warns about a withdrawal that may be a duplicate, or refuses it.

use balcao::sandbox::{BankOperation, Fault, Times};
use std::collections::BTreeSet;

use crate::counter::Counter;
use crate::shop::Shop;
use crate::withdrawals::WITHDRAWALS;

impl Shop {
    /// Checks that the sandbox made this number of payouts, each with its own idempotency key and
    /// with the request body that the journal contains for that key.
    fn paid_each_once(&self, payouts: usize) {
        let (ledger, journal) = (self.ledger(), self.journal());
        let keys: BTreeSet<_> = ledger.payouts.iter().map(|paid| &paid.key).collect();
        assert_eq!((ledger.payouts.len(), keys.len()), (payouts, payouts), "{ledger:#?}");
        for paid in &ledger.payouts {
            let made = journal.iter().find(|one| *one.agreement.key_header == *paid.key);
            assert_eq!(paid.body.0, made.expect("prepared").agreement.body.as_bytes());
        }
    }
}

impl Counter {
    /// Submits the withdrawal form, and checks that it shows this message and opens no review.
    async fn is_refused(&mut self, word: &str) {
        let reviews = self.heard("Reviewed");
        self.press("Ctrl-S").await;
        self.settle().await;
        self.assert_sees_word(word);
        assert_eq!(self.heard("Reviewed"), reviews);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn repeat_of_open_one_is_refused_with_a_key_to_it() {
    let (shop, mut counter) = Shop::new().await.entered().await;
    shop.next_withdrawal(Fault::DropAfter);
    counter.withdraw(&shop, "10000").await;
    counter.type_withdrawal(&shop, "10000").await;
    counter.is_refused("clash-same-open.refused").await;
    counter.assert_sees("R$ 100,00 para CPF 111.444.777-35");
    counter.assert_sees("resultado desconhecido");
    counter.assert_sees_word("beside-not-sent");
    let first = shop.only_withdrawal();
    assert_eq!(shop.ledger().requests.len(), 1);

    counter.press("Ctrl-O").await;
    counter.assert_sees(&first.agreement.key.to_string());
    counter.send_again().await;
    counter.assert_sees_word("state-accepted");
    assert!(shop.paid_once_or_never(), "sent again with its own key and bytes");

    // Esc closes the refusal and shows the form with the typed text. The refusal no longer applies,
    // because the first withdrawal has been decided.
    counter.press("Esc").await;
    counter.assert_sees("111.444.777-35");
    counter.assert_sees_no("está em aberto");
    counter.open_review().await;
    counter.assert_sees_word("review-retype-same");
    counter.press("Esc Esc Tab Enter").await;
    assert!(shop.paid_once_or_never());
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn repeat_of_decided_one_is_named_and_retyped() {
    let (shop, mut counter) = Shop::new().await.entered().await;
    shop.next_withdrawal(Fault::status(400));
    counter.withdraw(&shop, "10000").await;
    counter.assert_sees_word("state-rejected");

    // The review mentions an identical earlier withdrawal even if it was refused and moved no
    // money.
    counter.review(&shop, "10000").await;
    counter.assert_sees_word("review-retype-same");
    counter.assert_sees("R$ 100,00 para CPF 111.444.777-35 (hoje, 12:00:");
    counter.assert_sees("recusado)");
    counter.press("Tab").await;
    counter.type_text("10000").await;
    counter.confirm().await;
    counter.assert_sees_word("state-accepted");
    shop.paid_each_once(1);

    counter.review(&shop, "10000").await;
    counter.assert_sees("aceito pelo serviço)");
    counter.assert_sees("Há mais 1.");
    // The confirm button is disabled until the seller has typed the correct amount again.
    counter.press("Tab Tab Enter Shift-Tab").await;
    counter.type_text("1000").await;
    counter.press("Tab Enter").await;
    counter.settle().await;
    assert_eq!((shop.journal().len(), shop.ledger().requests.len()), (2, 2));
    counter.press("Shift-Tab").await;
    counter.type_text("0").await;
    counter.confirm().await;
    counter.assert_sees_word("state-accepted");
    shop.paid_each_once(2);
    let states: Vec<_> = shop.journal().iter().map(|one| shop.state(one)).collect();
    assert_eq!(states, ["accepted", "accepted", "rejected"]);
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn open_one_and_missing_quote_need_a_single_retype() {
    let (shop, mut counter) = Shop::new().await.entered().await;
    shop.next_withdrawal(Fault::DropBefore);
    counter.withdraw(&shop, "10000").await;
    counter.assert_sees_word("state-unknown");
    shop.control.arm(Fault::status(500), BankOperation::FeePreview, Times::Always).unwrap();
    counter.review(&shop, "5000").await;
    counter.assert_sees_word("review-retype-another-open");
    counter.assert_sees("R$ 100,00 para CPF 111.444.777-35");
    counter.assert_sees_word("review-retype-no-quote");
    counter.press("Tab Tab Enter").await;
    counter.settle().await;
    assert_eq!(shop.journal().len(), 1);
    counter.press("Shift-Tab").await;
    counter.type_text("5000").await;
    counter.confirm().await;
    counter.assert_sees_word("state-accepted");
    shop.paid_each_once(1);
    let states: Vec<_> = shop.journal().iter().map(|one| shop.state(one)).collect();
    assert_eq!(states, ["unknown", "accepted"]);
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_destination_is_new_once_and_offered_from_then_on() {
    let (shop, mut counter) = Shop::new().await.entered().await;
    counter.review(&shop, "10000").await;
    counter.assert_sees_word("review-first-time");
    counter.confirm().await;
    counter.assert_sees_word("state-accepted");

    let loads = counter.heard("DestinationsLoaded");
    counter.press("3 n").await;
    counter.wait_to_hear_more("DestinationsLoaded", loads).await;
    let quotes = counter.type_amount(&shop, "5000").await;
    counter.press("Tab").await;
    counter.wait_to_hear_more("Quoted", quotes).await;
    counter.assert_sees("CPF •••.444.777-••");
    counter.assert_sees("1 vez, hoje");
    counter.assert_sees_no("111.444");
    counter.press("Ctrl-N").await;
    counter.open_review().await;
    shop.clock.forward_ms(600);
    counter.assert_sees("CPF 111.444.777-35");
    counter.assert_sees("usada 1 vez, hoje");
    counter.assert_sees_no("primeira vez");
    counter.confirm().await;
    counter.assert_sees_word("state-accepted");
    shop.paid_each_once(2);
    let to: Vec<_> = shop.journal().iter().map(|one| one.agreement.destination.clone()).collect();
    assert_eq!(to[0], to[1]);
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn same_review_in_two_windows_names_the_other() {
    let (shop, mut one) = Shop::new().await.entered().await;
    let mut other = shop.open().await;
    shop.tap.hold(WITHDRAWALS);
    one.review(&shop, "10000").await;
    other.review(&shop, "10000").await;
    let ends = one.ends();
    one.press("Tab Enter").await;
    // The review in the other window can no longer be confirmed, so that window returns to its form
    // without a key press.
    other.wait_for_word("withdraw-refused-look-again").await;
    other.assert_sees_word("clash-same-open.refused");
    other.assert_sees("R$ 100,00 para CPF 111.444.777-35");
    other.assert_sees_word("beside-not-sent");
    shop.tap.let_go();
    one.wait_for_end(ends).await;
    one.assert_sees_word("state-accepted");
    assert_eq!(other.attempts(), 0);
    assert!(shop.paid_once_or_never());

    // The form still contains the typed text and can be submitted again. Its review now shows the
    // first withdrawal as accepted, not as open.
    other.press("Ctrl-S").await;
    other.wait_until("it is open no more", |frame| !frame.has("está em aberto")).await;
    if !other.sees("Conferir o saque") {
        other.open_review().await;
    }
    other.wait_for("aceito pelo serviço)").await;
    assert!(shop.paid_once_or_never());
    one.close().await;
    other.close().await;
}
