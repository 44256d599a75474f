//! Tests withdrawals, from the form to the outcome.

use balcao::app::{Effect, MoneyCommand};
use balcao::sandbox::Fault;

use crate::counter::Counter;
use crate::glass::Frame;
use crate::shop::{PASSWORD, Shop};

pub const WITHDRAWALS: &str = "/api/v1/integrations/withdrawals";

impl Counter {
    /// Opens the form, fills in a withdrawal to a CPF, and waits for the fee preview.
    pub async fn type_withdrawal(&mut self, shop: &Shop, digits: &str) {
        self.press("3 n").await;
        self.fill_withdrawal(shop, digits).await;
    }

    /// Fills in the open withdrawal form, and waits for the fee preview.
    pub async fn fill_withdrawal(&mut self, shop: &Shop, digits: &str) {
        let quotes = self.type_amount(shop, digits).await;
        self.press("Enter Enter").await;
        self.type_text("111.444.777-35").await;
        self.wait_to_hear_more("Quoted", quotes).await;
    }

    /// Types an amount in such a way that the app requests only one fee preview. Returns the number
    /// of fee previews that had arrived before.
    pub async fn type_amount(&mut self, shop: &Shop, digits: &str) -> usize {
        let quotes = self.heard("Quoted");
        // Stop the clock while typing. Otherwise a slow test could look like a pause, after which
        // the app requests the fee of the incomplete amount.
        let _still = shop.clock.stop_for_a_while();
        self.type_text(digits).await;
        shop.clock.forward_ms(400);
        quotes
    }

    /// Opens the review of a new withdrawal, and advances the clock until its confirm button is
    /// enabled.
    pub async fn review(&mut self, shop: &Shop, digits: &str) {
        self.type_withdrawal(shop, digits).await;
        self.open_review().await;
        shop.clock.forward_ms(600);
    }

    /// Confirms a withdrawal and makes the proxy hold back the reply, so that the attempt stays in
    /// progress.
    pub async fn send_and_hold(&mut self, shop: &Shop, digits: &str) {
        shop.tap.hold(WITHDRAWALS);
        self.review(shop, digits).await;
        self.press("Tab Enter").await;
        shop.tap.wait_held().await;
        self.wait_to_hear("AttemptBegan").await;
    }

    /// Submits the withdrawal form and waits for the review.
    pub async fn open_review(&mut self) {
        let reviews = self.heard("Reviewed");
        self.press("Ctrl-S").await;
        self.wait_to_hear_more("Reviewed", reviews).await;
    }

    /// Makes a withdrawal, and waits until its first attempt to send it has ended.
    pub async fn withdraw(&mut self, shop: &Shop, digits: &str) {
        self.review(shop, digits).await;
        self.confirm().await;
    }

    /// Confirms the review, and waits until the attempt to send the withdrawal has ended.
    pub async fn confirm(&mut self) {
        let ends = self.ends();
        self.press("Tab Enter").await;
        self.wait_for_end(ends).await;
    }

    /// Sends the withdrawal again, and waits until the attempt has ended.
    pub async fn send_again(&mut self) {
        let ends = self.ends();
        self.resend().await;
        self.wait_for_end(ends).await;
    }

    /// Opens the dialog for sending the withdrawal again, and presses its confirm button until an
    /// attempt starts.
    pub async fn resend(&mut self) {
        self.ask_to_send().await;
        let attempts = self.attempts();
        self.press("Tab Enter").await;
        // Data that arrives late, such as earlier withdrawals from the journal, disables the button
        // for another moment. Press the button again, as a user would do.
        for _ in 0..50 {
            if self.attempts() > attempts {
                break;
            }
            self.clock.forward_ms(600);
            self.press("Enter").await;
        }
    }

    /// Opens the dialog for sending the withdrawal again, and advances the clock until its confirm
    /// button is enabled.
    pub async fn ask_to_send(&mut self) {
        let reviews = self.heard("Reviewed");
        self.press("s").await;
        self.wait_to_hear_more("Reviewed", reviews).await;
        // If the fee preview is out of date, the app requests it again while the dialog is shown.
        let is_asked = |frame: &Frame| frame.has("Consultando a taxa de novo");
        self.wait_until("the fee", |frame| !is_asked(frame)).await;
        self.clock.forward_ms(600);
    }

    pub fn ends(&self) -> usize {
        self.heard("Settled") + self.heard("AttemptTrouble")
    }

    pub async fn wait_for_end(&mut self, than: usize) {
        self.wait_to_hear_either(than).await;
        self.settle().await;
    }

    fn prepares(&self) -> usize {
        self.effects()
            .iter()
            .filter(|effect| matches!(effect, Effect::Money(MoneyCommand::Prepare { .. })))
            .count()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn typed_quoted_reviewed_confirmed_accepted() {
    let (shop, mut counter) = Shop::new().await.entered().await;
    counter.type_withdrawal(&shop, "10000").await;
    // The fee of the sandbox is R$ 1,00 plus 1.05 %.
    counter.assert_sees("2,05");
    counter.assert_sees("97,95");
    counter.open_review().await;
    counter.assert_sees_word("review-title");
    counter.assert_sees("111.444.777-35");
    counter.assert_sees("Sacar R$ 100,00");
    let reviewed = counter.screen();
    assert!(shop.journal().is_empty(), "nothing is durable before it is confirmed");
    shop.clock.forward_ms(600);
    counter.confirm().await;
    counter.assert_sees_word("state-accepted");
    counter.assert_sees("processing");

    let one = shop.only_withdrawal();
    let body = r#"{"amount":100.00,"pixKeyType":"cpf","pixKey":"11144477735"}"#;
    assert_eq!(&*one.agreement.body, body);
    assert!(reviewed.has(&one.agreement.key.to_string()), "the key that was shown is the one");
    assert_eq!(one.attempts.len(), 1);
    assert_eq!(shop.state(&one), "accepted");
    assert!(shop.paid_once_or_never());
    let sent = shop.tap.sent_to(WITHDRAWALS);
    assert_eq!(sent.len(), 1);
    assert_eq!(sent[0].body, body);
    assert_eq!(sent[0].header("idempotency-key"), Some(&*one.agreement.key.to_string()));
    assert_eq!(sent[0].header("content-length"), Some(&*body.len().to_string()));
    let quote = one.agreement.quote.unwrap();
    let payout = &shop.ledger().payouts[0];
    assert_eq!((quote.fee.wire(), quote.net.wire()), ("2.05".into(), "97.95".into()));
    assert_eq!(payout.fee.to_string(), "2.05");
    assert_eq!(shop.ledger().balance.to_string(), "4900.00");
    let model = counter.close().await;
    assert!(model.withdrawals.open.is_empty() && model.withdrawals.in_flight.is_none());
    assert_eq!(model.withdrawals.list.page.total, Some(1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn attempt_survives_the_death_of_the_screen() {
    let (shop, mut counter) = Shop::new().await.entered().await;
    counter.send_and_hold(&shop, "10000").await;
    counter.die_and_then(|| shop.tap.let_go()).await;
    let one = shop.only_withdrawal();
    assert_eq!(shop.state(&one), "accepted");
    assert!(shop.paid_once_or_never());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_login_it_is_asked_for_in_place() {
    let shop = Shop::new().await;
    let mut counter = shop.open().await;
    counter.wait_for("Só quer olhar?").await;
    counter.press("Esc").await;
    // The login screen opens over the form. The user can close it, fill in the form first, and log
    // in later.
    counter.press("3 n").await;
    counter.wait_for("Só quer olhar?").await;
    counter.press("Esc").await;
    counter.fill_withdrawal(&shop, "10000").await;
    counter.press("Ctrl-S").await;
    counter.wait_for("Só quer olhar?").await;
    assert!(shop.journal().is_empty());
    let quotes = counter.heard("Quoted");
    counter.press("Enter").await;
    counter.wait_for_word("said-logged-in").await;
    // The form still contains the typed values. The app requests the fee preview now, after the
    // login.
    counter.wait_to_hear_more("Quoted", quotes).await;
    counter.assert_sees("97,95");
    counter.open_review().await;
    shop.clock.forward_ms(600);
    counter.confirm().await;
    counter.assert_sees_word("state-accepted");
    assert!(shop.paid_once_or_never());
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_e_mail_in_other_letters_is_the_same_account() {
    let mut shop = Shop::new().await;
    let mut counter = shop.enter().await;
    shop.next_withdrawal(Fault::DropAfter);
    counter.withdraw(&shop, "10000").await;
    counter.press("6 O Tab Enter").await;
    counter.wait_to_hear("LoggedOut").await;
    counter.close().await;

    shop.is_demo = false;
    let mut counter = shop.open().await;
    counter.wait_for("Só quer olhar?").await;
    counter.type_text("Ana@Loja-da-Ana.Example").await;
    counter.press("Enter").await;
    counter.type_text(PASSWORD).await;
    counter.press("Enter").await;
    counter.wait_for_word("said-logged-in").await;
    counter.type_withdrawal(&shop, "10000").await;
    counter.press("Ctrl-S").await;
    counter.settle().await;
    counter.assert_sees_word("clash-same-open.refused");
    counter.press("Esc Tab Enter 3 Enter").await;
    counter.send_again().await;
    counter.assert_sees_word("state-accepted");
    assert!(shop.paid_once_or_never());
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_that_come_all_at_once_never_confirm() {
    let (shop, mut counter) = Shop::new().await.entered().await;
    shop.clock.stop();
    counter.type_withdrawal(&shop, "10000").await;
    // A terminal without bracketed paste sends a pasted text as key presses, including `Enter` and
    // `Tab`.
    let keys = ["Ctrl-S", "Tab", "Enter", "Enter", "Tab", "Enter", "Enter"];
    counter.press_at_once(&keys.repeat(5)).await;
    assert_eq!(counter.prepares(), 0);
    assert!(shop.journal().is_empty());
    counter.close().await;
}
