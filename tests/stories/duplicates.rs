//! Tests of possible duplicates of a withdrawal. The app must refuse them or show a warning.

use balcao::sandbox::{BankOperation, Fault, Times};
use std::collections::BTreeSet;

use crate::app::App;
use crate::test_env::TestEnv;
use crate::withdrawals::WITHDRAWALS;

impl TestEnv {
    /// Checks that the sandbox made this number of payouts. Each must have a different idempotency
    /// key, and the body that the journal contains for this key.
    fn assert_paid_each_once(&self, payouts: usize) {
        let ledger = self.ledger();
        let withdrawals = self.withdrawals();
        let keys: BTreeSet<_> = ledger.payouts.iter().map(|payout| &payout.key).collect();
        assert_eq!(
            (ledger.payouts.len(), keys.len()),
            (payouts, payouts),
            "{ledger:#?}"
        );
        for payout in &ledger.payouts {
            let withdrawal = withdrawals
                .iter()
                .find(|candidate| *candidate.agreement.key_header == *payout.key);
            assert_eq!(
                payout.body.0,
                withdrawal.expect("prepared").agreement.body.as_bytes()
            );
        }
    }
}

impl App {
    /// Submits the withdrawal form. The form must show the message with this id, and the review
    /// screen must not open.
    async fn submit_and_assert_refused(&mut self, id: &str) {
        let reviews = self.message_count("Reviewed");
        self.press("Ctrl-S").await;
        self.settle().await;
        self.assert_shows_localized(id);
        assert_eq!(self.message_count("Reviewed"), reviews);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn repeat_of_open_withdrawal_is_refused() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    env.inject_withdrawal_fault(Fault::DropAfter);
    app.withdraw(&env, "10000").await;
    app.type_withdrawal(&env, "10000").await;
    app.submit_and_assert_refused("clash-same-open.refused")
        .await;
    app.assert_shows("R$ 100,00 para CPF 111.444.777-35");
    app.assert_shows("resultado desconhecido");
    app.assert_shows_localized("beside-not-sent");
    let first = env.only_withdrawal();
    assert_eq!(env.ledger().requests.len(), 1);

    app.press("Ctrl-O").await;
    app.assert_shows(&first.agreement.key.to_string());
    app.send_again().await;
    app.assert_shows_localized("state-accepted");
    assert!(env.is_paid_once(), "sent again with its own key and bytes");

    // Esc leads back to the form, which still contains the typed text. The refusal is gone, because
    // the first withdrawal is not open any more.
    app.press("Esc").await;
    app.assert_shows("111.444.777-35");
    app.assert_shows_no("está em aberto");
    app.open_review().await;
    app.assert_shows_localized("review-retype-same");
    app.press("Esc Esc Tab Enter").await;
    assert!(env.is_paid_once());
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn repeat_of_decided_withdrawal_needs_retyping() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    env.inject_withdrawal_fault(Fault::status(400));
    app.withdraw(&env, "10000").await;
    app.assert_shows_localized("state-rejected");

    // The review screen must mention an identical earlier withdrawal, even if that withdrawal was
    // rejected.
    app.review(&env, "10000").await;
    app.assert_shows_localized("review-retype-same");
    app.assert_shows("R$ 100,00 para CPF 111.444.777-35 (hoje, 12:00:");
    app.assert_shows("recusado)");
    app.press("Tab").await;
    app.type_text("10000").await;
    app.confirm().await;
    app.assert_shows_localized("state-accepted");
    env.assert_paid_each_once(1);

    app.review(&env, "10000").await;
    app.assert_shows("aceito pelo serviço)");
    app.assert_shows("Há mais 1.");
    // The confirm button is disabled until the seller types the correct amount again.
    app.press("Tab Tab Enter Shift-Tab").await;
    app.type_text("1000").await;
    app.press("Tab Enter").await;
    app.settle().await;
    assert_eq!(
        (env.withdrawals().len(), env.ledger().requests.len()),
        (2, 2)
    );
    app.press("Shift-Tab").await;
    app.type_text("0").await;
    app.confirm().await;
    app.assert_shows_localized("state-accepted");
    env.assert_paid_each_once(2);
    let states: Vec<_> = env
        .withdrawals()
        .iter()
        .map(|withdrawal| env.state_name(withdrawal))
        .collect();
    assert_eq!(states, ["accepted", "accepted", "rejected"]);
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn open_one_and_missing_quote_need_a_single_retype() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    env.inject_withdrawal_fault(Fault::DropBefore);
    app.withdraw(&env, "10000").await;
    app.assert_shows_localized("state-unknown");
    env.control
        .arm(Fault::status(500), BankOperation::FeePreview, Times::Always)
        .unwrap();
    app.review(&env, "5000").await;
    app.assert_shows_localized("review-retype-another-open");
    app.assert_shows("R$ 100,00 para CPF 111.444.777-35");
    app.assert_shows_localized("review-retype-no-quote");
    app.press("Tab Tab Enter").await;
    app.settle().await;
    assert_eq!(env.withdrawals().len(), 1);
    app.press("Shift-Tab").await;
    app.type_text("5000").await;
    app.confirm().await;
    app.assert_shows_localized("state-accepted");
    env.assert_paid_each_once(1);
    let states: Vec<_> = env
        .withdrawals()
        .iter()
        .map(|withdrawal| env.state_name(withdrawal))
        .collect();
    assert_eq!(states, ["unknown", "accepted"]);
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn known_destination_is_offered_in_the_form() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    app.review(&env, "10000").await;
    app.assert_shows_localized("review-first-time");
    app.confirm().await;
    app.assert_shows_localized("state-accepted");

    let loads = app.message_count("DestinationsLoaded");
    app.press("3 n").await;
    app.wait_for_another_message("DestinationsLoaded", loads)
        .await;
    let quotes = app.type_amount(&env, "5000").await;
    app.press("Tab").await;
    app.wait_for_another_message("Quoted", quotes).await;
    app.assert_shows("CPF 111.444.777-35");
    app.assert_shows("1 vez, hoje");
    app.press("Ctrl-N").await;
    app.open_review().await;
    env.clock.advance_ms(600);
    app.assert_shows("CPF 111.444.777-35");
    app.assert_shows("usada 1 vez, hoje");
    app.assert_shows_no("primeira vez");
    app.confirm().await;
    app.assert_shows_localized("state-accepted");
    env.assert_paid_each_once(2);
    let to: Vec<_> = env
        .withdrawals()
        .iter()
        .map(|withdrawal| withdrawal.agreement.destination.clone())
        .collect();
    assert_eq!(to[0], to[1]);
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn same_review_in_two_windows_names_the_other() {
    let (env, mut first) = TestEnv::new().await.into_logged_in().await;
    let mut second = env.open().await;
    env.proxy.hold_replies(WITHDRAWALS);
    first.review(&env, "10000").await;
    second.review(&env, "10000").await;
    let ends = first.attempt_end_count();
    first.press("Tab Enter").await;
    // The second window goes back from its review screen to the form by itself, because the first
    // window has sent an identical withdrawal.
    second
        .wait_for_localized("withdraw-refused-look-again")
        .await;
    second.assert_shows_localized("clash-same-open.refused");
    second.assert_shows("R$ 100,00 para CPF 111.444.777-35");
    second.assert_shows_localized("beside-not-sent");
    env.proxy.release_replies();
    first.wait_for_attempt_end(ends).await;
    first.assert_shows_localized("state-accepted");
    assert_eq!(second.attempt_count(), 0);
    assert!(env.is_paid_once());

    // The form in the second window still contains the typed text. Submit it again. The review
    // screen then shows that the first withdrawal was accepted.
    second.press("Ctrl-S").await;
    second
        .wait_until("it is open no more", |frame| !frame.has("está em aberto"))
        .await;
    if !second.shows("Conferir o saque") {
        second.open_review().await;
    }
    second.wait_for("aceito pelo serviço)").await;
    assert!(env.is_paid_once());
    first.close().await;
    second.close().await;
}
