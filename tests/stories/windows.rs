//! Tests two instances (windows) of the app that use the same journal at the same time.

use std::time::Duration;

use balcao::sandbox::Fault;

use crate::app::App;
use crate::test_env::TestEnv;
use crate::withdrawals::WITHDRAWALS;

impl App {
    /// Waits for the review to warn about another open withdrawal, then retypes the amount and
    /// confirms.
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
            // Every change of the journal makes the app repeat its checks, and the confirm button
            // is disabled meanwhile. Wait for the checks and retry.
            self.wait_to_hear_more("Reviewed", checks).await;
        }
        self.wait_for_end(ends).await;
    }
}

/// The maximum time for one instance to show a change made by another instance.
const SOON: Duration = Duration::from_secs(1);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_appear_in_the_other_window_without_a_key() {
    let (env, mut one) = TestEnv::new().await.entered().await;
    let mut other = env.open().await;
    other.press("3").await;
    other.wait_for_word("withdrawals-empty-title").await;
    let (keys, mut soon) = (other.screen().handled, Vec::new());

    // The first withdrawal stays prepared after a reply with status 429, and is then discarded.
    env.next_withdrawal(Fault::status(429));
    one.withdraw(&env, "10000").await;
    soon.push(other.wait_for_word_within("state-prepared", SOON).await);
    one.press("X Tab Enter").await;
    soon.push(other.wait_for_word_within("state-discarded", SOON).await);

    // The second withdrawal has an unknown outcome at first. It is sent again and accepted.
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
    // Allow one late update on a slow machine. If the instances polled for changes, most updates
    // would be late.
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
    // Notifications arrive in order. If the first instance were notified of its own writes, those
    // notifications would arrive before the one caused by the second instance.
    let mut other = env.open().await;
    env.next_withdrawal(Fault::DropAfter);
    other.withdraw(&env, "5000").await;
    one.wait_to_hear("JournalChanged").await;
    one.wait_for("Saque de R$ 50,00").await;
    let changes = one.heard("JournalChanged");
    // The first instance is notified of every event that the second instance writes, and once more
    // when the second instance's attempt ends.
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
    one.wait_to_hear("AttemptBegan").await;
    // The review in the second window now asks the user to retype the amount, because another
    // withdrawal is being sent and this one may be a duplicate.
    other.wait_for("Saque de R$ 100,00 sendo enviado em outra janela").await;
    other.confirms_typed(&env, "5000").await;
    assert_eq!(other.attempts(), 1);
    other.assert_sees_word("not-sent-busy");
    env.tap.let_go();
    one.wait_for_end(ends).await;
    one.assert_sees_word("state-accepted");
    assert_eq!(env.ledger().payouts.len(), 1);

    // The outcome of the first withdrawal is now known, so the second withdrawal can be sent. It
    // keeps the idempotency key from its review.
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
    // Both instances must confirm at the same moment, because an instance that notices the other's
    // attempt no longer offers to send the withdrawal again.
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
    // Both instances show the final state, including the instance whose attempt was refused.
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
    // The first instance now shows the seller's decision, so the key that sends the withdrawal
    // again must have no effect.
    one.wait_for_word("state-resolved-paid").await;
    one.press("s").await;
    one.settle().await;
    assert_eq!((one.attempts(), env.ledger().requests.len()), (1, 1));
    one.close().await;
    other.close().await;
}
