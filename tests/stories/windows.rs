//! Tests of two windows (running instances of the app) that use the same journal.

use std::time::Duration;

use balcao::sandbox::Fault;

use crate::app::App;
use crate::test_env::TestEnv;
use crate::withdrawals::WITHDRAWALS;

impl App {
    /// Waits until the review screen warns about another open withdrawal. Then types the amount
    /// again, and confirms.
    async fn confirms_typed(&mut self, env: &TestEnv, centavos: &str) {
        self.wait_for_word("review-retype-another-open").await;
        self.press("Tab").await;
        self.type_text(centavos).await;
        let ends = self.ends();
        self.press("Tab").await;
        loop {
            let checks = self.heard("Reviewed");
            self.settle().await;
            env.clock.forward_ms(600);
            self.press("Enter").await;
            if !self.sees("Conferir o saque") {
                break;
            }
            // Every change of the journal disables the confirm button until the app has repeated
            // the checks of the review screen. Wait for these checks, and try again.
            self.wait_for_another_message("Reviewed", checks).await;
        }
        self.wait_for_end(ends).await;
    }
}

/// The time limit within which a window must show a change that was made in another window.
const SOON: Duration = Duration::from_secs(1);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_appear_in_the_other_window_without_a_key() {
    let (env, mut one) = TestEnv::new().await.entered().await;
    let mut other = env.open().await;
    other.press("3").await;
    other.wait_for_word("withdrawals-empty-title").await;
    let (keys, mut soon) = (other.screen().handled, Vec::new());

    // The first withdrawal stays prepared after a reply with status 429, and is discarded then.
    env.next_withdrawal(Fault::status(429));
    one.withdraw(&env, "10000").await;
    soon.push(other.wait_for_word_within("state-prepared", SOON).await);
    one.press("X Tab Enter").await;
    soon.push(other.wait_for_word_within("state-discarded", SOON).await);

    // The outcome of the second withdrawal is unknown at first. Then it is sent again and accepted.
    env.next_withdrawal(Fault::DropAfter);
    one.withdraw(&env, "5000").await;
    soon.push(other.wait_for_word_within("state-unknown", SOON).await);
    env.tap.hold(WITHDRAWALS);
    let ends = one.ends();
    one.resend().await;
    soon.push(other.wait_for_word_within("state-sending-elsewhere", SOON).await);
    other.wait_for("Saque de R$ 50,00 sendo enviado em outra janela").await;
    env.tap.let_go();
    one.wait_for_end(ends).await;
    soon.push(other.wait_for_word_within("state-accepted", SOON).await);
    assert_eq!(other.screen().handled, keys, "nobody touched it");
    // Allow one late update, because the machine may be slow. Most updates would be late if the app
    // polled.
    let late = soon.iter().filter(|soon| !**soon).count();
    assert!(late < 2, "{soon:?}");
    one.close().await;
    other.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn links_of_the_other_window_appear_too() {
    let (env, mut one) = TestEnv::new().await.entered().await;
    let mut other = env.open().await;
    other.press("1").await;
    one.make_link("4990", "Camiseta azul M").await;
    other.wait_for("Camiseta azul M").await;
    assert_eq!(one.heard("HistoryChanged"), 0, "its own changes are no news");
    one.close().await;
    other.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn own_writes_do_not_notify_the_window() {
    let (env, mut one) = TestEnv::new().await.entered().await;
    one.withdraw(&env, "10000").await;
    one.assert_sees_word("state-accepted");
    // Notifications arrive in order. A notification of the first window's own writes would arrive
    // before those about the second window.
    let mut other = env.open().await;
    env.next_withdrawal(Fault::DropAfter);
    other.withdraw(&env, "5000").await;
    one.wait_for_message("JournalChanged").await;
    one.wait_for("Saque de R$ 50,00").await;
    let changes = one.heard("JournalChanged");
    // The first window is notified of each event that the second window writes. It is notified once
    // more after the attempt has ended.
    assert!((1..=4).contains(&changes), "{changes} in {:#?}", one.everything_said());
    assert_eq!(other.heard("JournalChanged"), 0);
    one.close().await;
    other.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn windows_share_a_single_attempt_at_a_time() {
    let (env, mut one) = TestEnv::new().await.entered().await;
    let mut other = env.open().await;
    env.tap.hold(WITHDRAWALS);
    one.review(&env, "10000").await;
    other.review(&env, "5000").await;
    let ends = one.ends();
    one.press("Tab Enter").await;
    one.wait_for_message("AttemptBegan").await;
    // The second window's review screen asks to type the amount again. Another withdrawal is being
    // sent, and this withdrawal may be a duplicate of it.
    other.wait_for("Saque de R$ 100,00 sendo enviado em outra janela").await;
    other.confirms_typed(&env, "5000").await;
    assert_eq!(other.attempts(), 1);
    other.assert_sees_word("not-sent-busy");
    env.tap.let_go();
    one.wait_for_end(ends).await;
    one.assert_sees_word("state-accepted");
    assert_eq!(env.ledger().payouts.len(), 1);

    // The second withdrawal can be sent now, because the first has an outcome. It keeps the
    // idempotency key that its review screen created.
    other.wait_until("the banner to go", |frame| !frame.has("sendo enviado em outra janela")).await;
    env.clock.forward_ms(600);
    other.send_again().await;
    other.assert_sees_word("state-accepted");
    assert_eq!(env.ledger().payouts.len(), 2);
    one.press("3").await;
    one.wait_for("R$ 50,00").await;
    one.close().await;
    other.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unknown_resent_by_both_windows_is_paid_once() {
    let (env, mut one) = TestEnv::new().await.entered().await;
    env.next_withdrawal(Fault::DropBefore);
    one.withdraw(&env, "10000").await;
    one.assert_sees_word("state-unknown");
    let mut other = env.open().await;
    other.press("3 Enter").await;
    other.assert_sees_word("state-unknown");
    env.tap.hold(WITHDRAWALS);
    let before = [&one, &other].map(|app| (app.attempts(), app.ends()));
    // Let both windows confirm at the same moment. A window that notices the other window's attempt
    // does not offer to send any more.
    for app in [&mut one, &mut other] {
        app.ask_to_send().await;
        app.press("Tab").await;
        app.settle().await;
    }
    env.clock.forward_ms(150);
    one.press_unseen("Enter");
    other.press_unseen("Enter");
    env.tap.wait_held().await;
    env.tap.let_go();
    for (app, (attempts, ends)) in [&mut one, &mut other].into_iter().zip(before) {
        app.settle().await;
        if app.attempts() > attempts {
            app.wait_for_end(ends).await;
        }
    }
    assert!(env.paid_once_or_never());
    assert_eq!(env.state(&env.only_withdrawal()), "accepted");
    // Both windows must show the final state. This includes the window whose attempt was refused.
    for app in [&mut one, &mut other] {
        app.wait_for_word("state-accepted").await;
    }
    one.close().await;
    other.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_decision_in_one_is_respected_in_the_other() {
    let (env, mut one) = TestEnv::new().await.entered().await;
    env.next_withdrawal(Fault::DropAfter);
    one.withdraw(&env, "10000").await;
    let mut other = env.open().await;
    other.press("3 Enter f Tab Enter").await;
    other.wait_for_word("state-resolved-paid").await;
    // The key that sends must do nothing, because the first window already shows the seller's
    // decision.
    one.wait_for_word("state-resolved-paid").await;
    one.press("s").await;
    one.settle().await;
    assert_eq!((one.attempts(), env.ledger().requests.len()), (1, 1));
    one.close().await;
    other.close().await;
}
