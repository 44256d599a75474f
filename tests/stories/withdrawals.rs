//! Tests of withdrawals, from filling in the form to the final state.

use balcao::app::{Effect, MoneyCommand};
use balcao::sandbox::Fault;

use crate::app::App;
use crate::screen_recorder::Frame;
use crate::test_env::{PASSWORD, TestEnv};

pub const WITHDRAWALS: &str = "/api/v1/integrations/withdrawals";

impl App {
    /// Opens the withdrawal form, and fills it in with a CPF (tax id) as the Pix key. Waits for the
    /// fee preview.
    pub async fn type_withdrawal(&mut self, env: &TestEnv, digits: &str) {
        self.press("3 n").await;
        self.fill_withdrawal(env, digits).await;
    }

    /// Fills in the withdrawal form, which is already open, and waits for the fee preview.
    pub async fn fill_withdrawal(&mut self, env: &TestEnv, digits: &str) {
        let quotes = self.type_amount(env, digits).await;
        self.press("Enter").await;
        self.type_text("111.444.777-35").await;
        self.wait_for_another_message("Quoted", quotes).await;
    }

    /// Types an amount without pauses, so that the app requests only one fee preview. Returns the
    /// number of fee previews that had arrived before.
    pub async fn type_amount(&mut self, env: &TestEnv, digits: &str) -> usize {
        let quotes = self.message_count("Quoted");
        // Stop the clock while typing. Otherwise, the app could notice a pause on a slow machine,
        // and request the fee of an incomplete amount.
        let _pause = env.clock.pause();
        self.type_text(digits).await;
        env.clock.advance_ms(400);
        quotes
    }

    /// Opens the review screen of a new withdrawal. Advances the clock until the confirm button is
    /// enabled.
    pub async fn review(&mut self, env: &TestEnv, digits: &str) {
        self.type_withdrawal(env, digits).await;
        self.open_review().await;
        env.clock.advance_ms(600);
    }

    /// Confirms a withdrawal. The proxy holds back the reply, so that the attempt stays in flight.
    pub async fn send_and_hold(&mut self, env: &TestEnv, digits: &str) {
        env.proxy.hold_replies(WITHDRAWALS);
        self.review(env, digits).await;
        self.press("Tab Enter").await;
        env.proxy.wait_for_held_reply().await;
        self.wait_for_message("AttemptBegan").await;
    }

    /// Submits the withdrawal form, and waits for the review screen.
    pub async fn open_review(&mut self) {
        let reviews = self.message_count("Reviewed");
        self.press("Ctrl-S").await;
        self.wait_for_another_message("Reviewed", reviews).await;
    }

    /// Makes a withdrawal, and waits until the attempt to send it has ended.
    pub async fn withdraw(&mut self, env: &TestEnv, digits: &str) {
        self.review(env, digits).await;
        self.confirm().await;
    }

    /// Confirms the withdrawal on the review screen, and waits until the attempt to send it has
    /// ended.
    pub async fn confirm(&mut self) {
        let ends = self.attempt_end_count();
        self.press("Tab Enter").await;
        self.wait_for_attempt_end(ends).await;
    }

    /// Sends the withdrawal again, and waits until this attempt has ended.
    pub async fn send_again(&mut self) {
        let ends = self.attempt_end_count();
        self.resend().await;
        self.wait_for_attempt_end(ends).await;
    }

    /// Opens the dialog that sends the withdrawal again. Presses its confirm button until an
    /// attempt begins.
    pub async fn resend(&mut self) {
        self.ask_to_send().await;
        let attempts = self.attempt_count();
        self.press("Tab Enter").await;
        // Press Enter repeatedly, as a user would do. Data that arrives late, such as earlier
        // withdrawals, disables the confirm button for a moment.
        for _ in 0..50 {
            if self.attempt_count() > attempts {
                break;
            }
            self.clock.advance_ms(600);
            self.press("Enter").await;
        }
    }

    /// Opens the dialog that sends the withdrawal again. Advances the clock until the confirm
    /// button is enabled.
    pub async fn ask_to_send(&mut self) {
        let reviews = self.message_count("Reviewed");
        self.press("s").await;
        self.wait_for_another_message("Reviewed", reviews).await;
        // Wait for a new fee preview, which the dialog requests if the old fee preview is too old.
        let is_loading = |frame: &Frame| frame.has("Consultando a taxa de novo");
        self.wait_until("the fee", |frame| !is_loading(frame)).await;
        self.clock.advance_ms(600);
    }

    pub fn attempt_end_count(&self) -> usize {
        self.message_count("Settled") + self.message_count("AttemptTrouble")
    }

    pub async fn wait_for_attempt_end(&mut self, previous: usize) {
        self.wait_for_end_message(previous).await;
        self.settle().await;
    }

    fn prepare_count(&self) -> usize {
        self.effects()
            .iter()
            .filter(|effect| matches!(effect, Effect::Money(MoneyCommand::Prepare { .. })))
            .count()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn confirmed_withdrawal_is_sent_and_accepted() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    app.type_withdrawal(&env, "10000").await;
    // The sandbox charges a fee of R$ 1,00 plus 1.05 % of the amount.
    app.assert_shows("2,05");
    app.assert_shows("97,95");
    app.open_review().await;
    app.assert_shows_localized("review-title");
    app.assert_shows("111.444.777-35");
    app.assert_shows("Sacar R$ 100,00");
    let reviewed = app.screen();
    assert!(
        env.withdrawals().is_empty(),
        "nothing is durable before it is confirmed"
    );
    env.clock.advance_ms(600);
    app.confirm().await;
    app.assert_shows_localized("state-accepted");
    app.assert_shows("em andamento");

    let withdrawal = env.only_withdrawal();
    let body = r#"{"amount":100.00,"pixKeyType":"cpf","pixKey":"11144477735"}"#;
    assert_eq!(&*withdrawal.agreement.body, body);
    assert!(
        reviewed.has(&withdrawal.agreement.key.to_string()),
        "the key that was shown is the one"
    );
    assert_eq!(withdrawal.attempts.len(), 1);
    assert_eq!(env.state_name(&withdrawal), "accepted");
    assert!(env.is_paid_once());
    let sent = env.proxy.requests_to(WITHDRAWALS);
    assert_eq!(sent.len(), 1);
    assert_eq!(sent[0].body, body);
    assert_eq!(
        sent[0].header("idempotency-key"),
        Some(&*withdrawal.agreement.key.to_string())
    );
    assert_eq!(
        sent[0].header("content-length"),
        Some(&*body.len().to_string())
    );
    let quote = withdrawal.agreement.quote.unwrap();
    let payout = &env.ledger().payouts[0];
    assert_eq!(
        (quote.fee.wire(), quote.net.wire()),
        ("2.05".into(), "97.95".into())
    );
    assert_eq!(payout.fee.to_string(), "2.05");
    assert_eq!(env.ledger().balance.to_string(), "4900.00");
    app.wait_for_message_with("WithdrawalsLoaded", "total: Some(1)")
        .await;
    let model = app.close().await;
    assert!(model.withdrawals.open.is_empty() && model.withdrawals.in_flight.is_none());
    assert_eq!(model.withdrawals.list.page.total, Some(1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn attempt_survives_a_crash_of_the_app() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    app.send_and_hold(&env, "10000").await;
    app.crash_and_then(|| env.proxy.release_replies()).await;
    let withdrawal = env.only_withdrawal();
    assert_eq!(env.state_name(&withdrawal), "accepted");
    assert!(env.is_paid_once());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_login_is_requested_above_the_form() {
    let env = TestEnv::new().await;
    let mut app = env.open().await;
    app.wait_for("Só quer olhar?").await;
    app.press("Esc").await;
    // The login screen opens above the withdrawal form. The user can close it, fill in the form,
    // and log in later.
    app.press("3 n").await;
    app.wait_for("Só quer olhar?").await;
    app.press("Esc").await;
    app.fill_withdrawal(&env, "10000").await;
    app.press("Ctrl-S").await;
    app.wait_for("Só quer olhar?").await;
    assert!(env.withdrawals().is_empty());
    let quotes = app.message_count("Quoted");
    app.press("Enter").await;
    app.wait_for_localized("said-logged-in").await;
    // After the login, the form must still contain its values. The app must request the fee preview
    // now, because it could not do so without a login.
    app.wait_for_another_message("Quoted", quotes).await;
    app.assert_shows("97,95");
    app.open_review().await;
    env.clock.advance_ms(600);
    app.confirm().await;
    app.assert_shows_localized("state-accepted");
    assert!(env.is_paid_once());
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn email_in_other_case_is_the_same_account() {
    let mut env = TestEnv::new().await;
    let mut app = env.open_logged_in().await;
    env.inject_withdrawal_fault(Fault::DropAfter);
    app.withdraw(&env, "10000").await;
    app.press("6 O Tab Enter").await;
    app.wait_for_message("LoggedOut").await;
    app.close().await;

    env.is_demo = false;
    let mut app = env.open().await;
    app.wait_for("Só quer olhar?").await;
    app.type_text("Ana@Loja-da-Ana.Example").await;
    app.press("Enter").await;
    app.type_text(PASSWORD).await;
    app.press("Enter").await;
    app.wait_for_localized("said-logged-in").await;
    app.type_withdrawal(&env, "10000").await;
    app.press("Ctrl-S").await;
    app.settle().await;
    app.assert_shows_localized("clash-same-open.refused");
    app.press("Esc Tab Enter 3 Enter").await;
    app.send_again().await;
    app.assert_shows_localized("state-accepted");
    assert!(env.is_paid_once());
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_that_come_all_at_once_never_confirm() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    env.clock.stop();
    app.type_withdrawal(&env, "10000").await;
    // Pasted text arrives as key presses in a terminal without bracketed paste. These may include
    // `Enter` and `Tab`.
    let keys = ["Ctrl-S", "Tab", "Enter", "Enter", "Tab", "Enter", "Enter"];
    app.press_rapidly(&keys.repeat(5)).await;
    assert_eq!(app.prepare_count(), 0);
    assert!(env.withdrawals().is_empty());
    app.close().await;
}
