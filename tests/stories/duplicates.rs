//! Tests of possible duplicates of a withdrawal. The app must refuse them or show a warning.

use balcao::sandbox::{BankOperation, Fault, Times};
use std::collections::BTreeSet;

use crate::app::App;
use crate::test_env::TestEnv;
use crate::withdrawals::WITHDRAWALS;

impl TestEnv {
    /// Checks that the sandbox made this number of payouts. Each must have a different idempotency
    /// key, and the body that the journal contains for this key.
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

impl App {
    /// Submits the withdrawal form. The form must show this message, and the review screen must not
    /// open.
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
    let (env, mut app) = TestEnv::new().await.entered().await;
    env.next_withdrawal(Fault::DropAfter);
    app.withdraw(&env, "10000").await;
    app.type_withdrawal(&env, "10000").await;
    app.is_refused("clash-same-open.refused").await;
    app.assert_sees("R$ 100,00 para CPF 111.444.777-35");
    app.assert_sees("resultado desconhecido");
    app.assert_sees_word("beside-not-sent");
    let first = env.only_withdrawal();
    assert_eq!(env.ledger().requests.len(), 1);

    app.press("Ctrl-O").await;
    app.assert_sees(&first.agreement.key.to_string());
    app.send_again().await;
    app.assert_sees_word("state-accepted");
    assert!(env.paid_once_or_never(), "sent again with its own key and bytes");

    // Esc leads back to the form, which still contains the typed text. The refusal is gone, because
    // the first withdrawal is not open any more.
    app.press("Esc").await;
    app.assert_sees("111.444.777-35");
    app.assert_sees_no("está em aberto");
    app.open_review().await;
    app.assert_sees_word("review-retype-same");
    app.press("Esc Esc Tab Enter").await;
    assert!(env.paid_once_or_never());
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn repeat_of_decided_one_is_named_and_retyped() {
    let (env, mut app) = TestEnv::new().await.entered().await;
    env.next_withdrawal(Fault::status(400));
    app.withdraw(&env, "10000").await;
    app.assert_sees_word("state-rejected");

    // The review screen must mention an identical earlier withdrawal, even if that withdrawal was
    // rejected.
    app.review(&env, "10000").await;
    app.assert_sees_word("review-retype-same");
    app.assert_sees("R$ 100,00 para CPF 111.444.777-35 (hoje, 12:00:");
    app.assert_sees("recusado)");
    app.press("Tab").await;
    app.type_text("10000").await;
    app.confirm().await;
    app.assert_sees_word("state-accepted");
    env.paid_each_once(1);

    app.review(&env, "10000").await;
    app.assert_sees("aceito pelo serviço)");
    app.assert_sees("Há mais 1.");
    // The confirm button is disabled until the seller types the correct amount again.
    app.press("Tab Tab Enter Shift-Tab").await;
    app.type_text("1000").await;
    app.press("Tab Enter").await;
    app.settle().await;
    assert_eq!((env.journal().len(), env.ledger().requests.len()), (2, 2));
    app.press("Shift-Tab").await;
    app.type_text("0").await;
    app.confirm().await;
    app.assert_sees_word("state-accepted");
    env.paid_each_once(2);
    let states: Vec<_> = env.journal().iter().map(|one| env.state(one)).collect();
    assert_eq!(states, ["accepted", "accepted", "rejected"]);
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn open_one_and_missing_quote_need_a_single_retype() {
    let (env, mut app) = TestEnv::new().await.entered().await;
    env.next_withdrawal(Fault::DropBefore);
    app.withdraw(&env, "10000").await;
    app.assert_sees_word("state-unknown");
    env.control.arm(Fault::status(500), BankOperation::FeePreview, Times::Always).unwrap();
    app.review(&env, "5000").await;
    app.assert_sees_word("review-retype-another-open");
    app.assert_sees("R$ 100,00 para CPF 111.444.777-35");
    app.assert_sees_word("review-retype-no-quote");
    app.press("Tab Tab Enter").await;
    app.settle().await;
    assert_eq!(env.journal().len(), 1);
    app.press("Shift-Tab").await;
    app.type_text("5000").await;
    app.confirm().await;
    app.assert_sees_word("state-accepted");
    env.paid_each_once(1);
    let states: Vec<_> = env.journal().iter().map(|one| env.state(one)).collect();
    assert_eq!(states, ["unknown", "accepted"]);
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_destination_is_new_once_and_offered_from_then_on() {
    let (env, mut app) = TestEnv::new().await.entered().await;
    app.review(&env, "10000").await;
    app.assert_sees_word("review-first-time");
    app.confirm().await;
    app.assert_sees_word("state-accepted");

    let loads = app.heard("DestinationsLoaded");
    app.press("3 n").await;
    app.wait_for_another_message("DestinationsLoaded", loads).await;
    let quotes = app.type_amount(&env, "5000").await;
    app.press("Tab").await;
    app.wait_for_another_message("Quoted", quotes).await;
    app.assert_sees("CPF 111.444.777-35");
    app.assert_sees("1 vez, hoje");
    app.press("Ctrl-N").await;
    app.open_review().await;
    env.clock.forward_ms(600);
    app.assert_sees("CPF 111.444.777-35");
    app.assert_sees("usada 1 vez, hoje");
    app.assert_sees_no("primeira vez");
    app.confirm().await;
    app.assert_sees_word("state-accepted");
    env.paid_each_once(2);
    let to: Vec<_> = env.journal().iter().map(|one| one.agreement.destination.clone()).collect();
    assert_eq!(to[0], to[1]);
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn same_review_in_two_windows_names_the_other() {
    let (env, mut one) = TestEnv::new().await.entered().await;
    let mut other = env.open().await;
    env.tap.hold(WITHDRAWALS);
    one.review(&env, "10000").await;
    other.review(&env, "10000").await;
    let ends = one.ends();
    one.press("Tab Enter").await;
    // The second window goes back from its review screen to the form by itself, because the first
    // window has sent an identical withdrawal.
    other.wait_for_word("withdraw-refused-look-again").await;
    other.assert_sees_word("clash-same-open.refused");
    other.assert_sees("R$ 100,00 para CPF 111.444.777-35");
    other.assert_sees_word("beside-not-sent");
    env.tap.let_go();
    one.wait_for_end(ends).await;
    one.assert_sees_word("state-accepted");
    assert_eq!(other.attempts(), 0);
    assert!(env.paid_once_or_never());

    // The form in the second window still contains the typed text. Submit it again. The review
    // screen then shows that the first withdrawal was accepted.
    other.press("Ctrl-S").await;
    other.wait_until("it is open no more", |frame| !frame.has("está em aberto")).await;
    if !other.sees("Conferir o saque") {
        other.open_review().await;
    }
    other.wait_for("aceito pelo serviço)").await;
    assert!(env.paid_once_or_never());
    one.close().await;
    other.close().await;
}
