//! Tests of two windows (running instances of the app) that use the same journal.

use std::time::Duration;

use balcao::sandbox::Fault;

use crate::app::App;
use crate::test_env::TestEnv;
use crate::withdrawals::WITHDRAWALS;

impl App {
    /// Waits until the review screen warns about another open withdrawal. Then types the amount
    /// again, and confirms.
    async fn retype_and_confirm(&mut self, env: &TestEnv, centavos: &str) {
        self.wait_for_localized("review-retype-another-open").await;
        self.press("Tab").await;
        self.type_text(centavos).await;
        let ends = self.attempt_end_count();
        self.press("Tab").await;
        loop {
            let checks = self.message_count("Reviewed");
            self.settle().await;
            env.clock.advance_ms(600);
            self.press("Enter").await;
            if !self.shows("Conferir o saque") {
                break;
            }
            // Every change of the journal disables the confirm button until the app has repeated
            // the checks of the review screen. Wait for these checks, and try again.
            self.wait_for_another_message("Reviewed", checks).await;
        }
        self.wait_for_attempt_end(ends).await;
    }
}

/// The time limit within which a window must show a change that was made in another window.
const UPDATE_LIMIT: Duration = Duration::from_secs(1);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_appear_in_the_other_window_without_a_key() {
    let (env, mut first) = TestEnv::new().await.into_logged_in().await;
    let mut second = env.open().await;
    second.press("3").await;
    second.wait_for_localized("withdrawals-empty-title").await;
    let keys = second.screen().handled;
    let mut updates = Vec::new();

    // The first withdrawal stays prepared after a reply with status 429, and is discarded then.
    env.inject_withdrawal_fault(Fault::status(429));
    first.withdraw(&env, "10000").await;
    updates.push(
        second
            .wait_for_localized_within("state-prepared", UPDATE_LIMIT)
            .await,
    );
    first.press("X Tab Enter").await;
    updates.push(
        second
            .wait_for_localized_within("state-discarded", UPDATE_LIMIT)
            .await,
    );

    // The outcome of the second withdrawal is unknown at first. Then it is sent again and accepted.
    env.inject_withdrawal_fault(Fault::DropAfter);
    first.withdraw(&env, "5000").await;
    updates.push(
        second
            .wait_for_localized_within("state-unknown", UPDATE_LIMIT)
            .await,
    );
    env.proxy.hold_replies(WITHDRAWALS);
    let ends = first.attempt_end_count();
    first.resend().await;
    updates.push(
        second
            .wait_for_localized_within("state-sending-elsewhere", UPDATE_LIMIT)
            .await,
    );
    second
        .wait_for("Saque de R$ 50,00 sendo enviado em outra janela")
        .await;
    env.proxy.release_replies();
    first.wait_for_attempt_end(ends).await;
    updates.push(
        second
            .wait_for_localized_within("state-accepted", UPDATE_LIMIT)
            .await,
    );
    assert_eq!(second.screen().handled, keys, "nobody touched it");
    // Allow one late update, because the machine may be slow. If the app polled for changes, most
    // updates would be late.
    let late_count = updates.iter().filter(|in_time| !**in_time).count();
    assert!(late_count < 2, "{updates:?}");
    first.close().await;
    second.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn links_of_the_other_window_appear_too() {
    let (env, mut first) = TestEnv::new().await.into_logged_in().await;
    let mut second = env.open().await;
    second.press("1").await;
    first.create_link("4990", "Camiseta azul M").await;
    second.wait_for("Camiseta azul M").await;
    assert_eq!(
        first.message_count("HistoryChanged"),
        0,
        "its own changes are no news"
    );
    first.close().await;
    second.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn own_writes_do_not_notify_the_window() {
    let (env, mut first) = TestEnv::new().await.into_logged_in().await;
    first.withdraw(&env, "10000").await;
    first.assert_shows_localized("state-accepted");
    // Notifications arrive in order. If the first window was notified of its own writes, it would
    // receive this notification before the ones about the second window.
    let mut second = env.open().await;
    env.inject_withdrawal_fault(Fault::DropAfter);
    second.withdraw(&env, "5000").await;
    first.wait_for_message("JournalChanged").await;
    first.wait_for("Saque de R$ 50,00").await;
    let changes = first.message_count("JournalChanged");
    // The first window is notified of each event that the second window writes. It is notified once
    // more after the attempt has ended.
    assert!(
        (1..=4).contains(&changes),
        "{changes} in {:#?}",
        first.recorded_messages_and_effects()
    );
    assert_eq!(second.message_count("JournalChanged"), 0);
    first.close().await;
    second.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn windows_share_a_single_attempt_at_a_time() {
    let (env, mut first) = TestEnv::new().await.into_logged_in().await;
    let mut second = env.open().await;
    env.proxy.hold_replies(WITHDRAWALS);
    first.review(&env, "10000").await;
    second.review(&env, "5000").await;
    let ends = first.attempt_end_count();
    first.press("Tab Enter").await;
    first.wait_for_message("AttemptBegan").await;
    // The second window's review screen asks to type the amount again. Another withdrawal is being
    // sent, and this withdrawal may be a duplicate of it.
    second
        .wait_for("Saque de R$ 100,00 sendo enviado em outra janela")
        .await;
    second.retype_and_confirm(&env, "5000").await;
    assert_eq!(second.attempt_count(), 1);
    second.assert_shows_localized("not-sent-busy");
    env.proxy.release_replies();
    first.wait_for_attempt_end(ends).await;
    first.assert_shows_localized("state-accepted");
    assert_eq!(env.ledger().payouts.len(), 1);

    // The second withdrawal can be sent now, because the first has an outcome. It keeps the
    // idempotency key that its review screen created.
    second
        .wait_until("the banner to go", |frame| {
            !frame.has("sendo enviado em outra janela")
        })
        .await;
    env.clock.advance_ms(600);
    second.send_again().await;
    second.assert_shows_localized("state-accepted");
    assert_eq!(env.ledger().payouts.len(), 2);
    first.press("3").await;
    first.wait_for("R$ 50,00").await;
    first.close().await;
    second.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unknown_resent_by_both_windows_is_paid_once() {
    let (env, mut first) = TestEnv::new().await.into_logged_in().await;
    env.inject_withdrawal_fault(Fault::DropBefore);
    first.withdraw(&env, "10000").await;
    first.assert_shows_localized("state-unknown");
    let mut second = env.open().await;
    second.press("3 Enter").await;
    second.assert_shows_localized("state-unknown");
    env.proxy.hold_replies(WITHDRAWALS);
    let before = [&first, &second].map(|app| (app.attempt_count(), app.attempt_end_count()));
    // Let both windows confirm at the same moment. A window that notices the other window's attempt
    // does not offer to send any more.
    for app in [&mut first, &mut second] {
        app.ask_to_send().await;
        app.press("Tab").await;
        app.settle().await;
    }
    env.clock.advance_ms(150);
    first.press_without_waiting("Enter");
    second.press_without_waiting("Enter");
    env.proxy.wait_for_held_reply().await;
    env.proxy.release_replies();
    for (app, (attempts, ends)) in [&mut first, &mut second].into_iter().zip(before) {
        app.settle().await;
        if app.attempt_count() > attempts {
            app.wait_for_attempt_end(ends).await;
        }
    }
    assert!(env.is_paid_once());
    assert_eq!(env.state_name(&env.only_withdrawal()), "accepted");
    // Both windows must show the final state. This includes the window whose attempt was refused.
    for app in [&mut first, &mut second] {
        app.wait_for_localized("state-accepted").await;
    }
    first.close().await;
    second.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_decision_in_one_is_respected_in_the_other() {
    let (env, mut first) = TestEnv::new().await.into_logged_in().await;
    env.inject_withdrawal_fault(Fault::DropAfter);
    first.withdraw(&env, "10000").await;
    let mut second = env.open().await;
    second.press("3 Enter f Tab Enter").await;
    second.wait_for_localized("state-resolved-paid").await;
    // The key that sends must do nothing, because the first window already shows the seller's
    // decision.
    first.wait_for_localized("state-resolved-paid").await;
    first.press("s").await;
    first.settle().await;
    assert_eq!((first.attempt_count(), env.ledger().requests.len()), (1, 1));
    first.close().await;
    second.close().await;
}
