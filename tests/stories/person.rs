//! Tests of a seller who declares that a withdrawal was paid or not paid, for example after a reply
//! that contradicts the request.

use std::time::Duration;

use balcao::app::{Effect, MoneyCommand};
use balcao::contract::Contract;
use balcao::sandbox::Fault;
use balcao::trade::withdrawal::Decision;

use crate::app::App;
use crate::faults::withdraw_with_fault;
use crate::test_env::TestEnv;

/// A time after which a withdrawal can no longer be sent again.
const PAST_RESEND_WINDOW: Duration = Duration::from_secs(600);

/// Creates an environment with an API contract which declares that replies repeat the amount of a
/// withdrawal.
async fn env_with_confirmed_echo() -> TestEnv {
    let mut env = TestEnv::new().await;
    let confirmed = "confirmed = ['withdrawal.echo_amount']";
    env.contract = Contract::from_program_files(&[("own.toml", confirmed)]).unwrap();
    env
}

impl App {
    /// Opens the "not paid" form from the details of a withdrawal, and fills in its required
    /// fields.
    async fn declare_not_paid(&mut self, env: &TestEnv, digits: &str) {
        self.press("c N").await;
        self.assert_shows_localized("not-paid-title");
        env.clock.advance_ms(600);
        self.press("Tab").await;
        self.type_text(digits).await;
        self.press("Tab").await;
        let decided = self.message_count("Decided");
        self.press("Enter").await;
        self.wait_for_another_message("Decided", decided).await;
    }

    fn decisions(&self) -> Vec<Decision> {
        let effects = self.effects();
        let choice = |effect: &Effect| match effect {
            Effect::Money(MoneyCommand::Decide { choice, .. }) => Some(*choice),
            _ => None,
        };
        effects.iter().filter_map(choice).collect()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn not_paid_needs_the_amount_and_allows_another() {
    let env = TestEnv::new().await;
    let mut app = withdraw_with_fault(&env, Fault::DropBefore).await;
    let first = env.only_withdrawal().agreement.key;
    // The seller cannot declare a withdrawal as not paid while it can still be sent again.
    app.press("c N").await;
    app.assert_shows("Ainda não é possível declarar");
    env.clock.advance(PAST_RESEND_WINDOW);
    // The screen must change without a key press when the withdrawal can no longer be sent again.
    app.wait_for_localized("step-not-paid-why").await;
    app.press("Esc").await;
    app.assert_shows("CONFIRA NA SUA CONTA");

    // The withdrawal must not be declared as not paid if the amount that was typed again is wrong.
    app.press("c N").await;
    env.clock.advance_ms(600);
    app.press("Tab").await;
    app.type_text("10001").await;
    app.press("Tab Enter").await;
    app.settle().await;
    assert_eq!(app.decisions(), []);
    app.press("Esc Esc").await;

    app.declare_not_paid(&env, "10000").await;
    app.wait_for("NÃO PAGO (DECLARADO POR VOCÊ)").await;
    assert_eq!(app.decisions(), [Decision::StatedNotPaid]);
    assert_eq!(env.state_name(&env.only_withdrawal()), "resolved-not-paid");
    assert!(env.ledger().payouts.is_empty());

    // A second withdrawal of this amount must cause a warning. The seller must type the amount
    // again, and the withdrawal gets a new idempotency key.
    app.review(&env, "10000").await;
    app.assert_shows("Já existe um saque igual");
    app.press("Tab").await;
    app.type_text("10000").await;
    app.confirm().await;
    app.assert_shows_localized("state-accepted");
    let ledger = env.ledger();
    assert_eq!(ledger.payouts.len(), 1);
    assert_ne!(ledger.payouts[0].key, first.to_string());
    assert!(app.close().await.withdrawals.open.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn confirmed_mismatch_locks_account_until_resolved() {
    let env = env_with_confirmed_echo().await;
    let mut app = withdraw_with_fault(&env, Fault::OtherAmount).await;
    app.assert_shows("RESPOSTA CONTRADITÓRIA");
    app.assert_shows("resposta não bate, saques bloqueados");
    app.assert_shows("R$ 101,00");
    app.press("s").await;
    app.settle().await;
    assert_eq!(app.attempt_count(), 1);

    // Instead of a new withdrawal, the one that locks opens.
    app.press("Esc 3 n").await;
    app.settle().await;
    app.assert_shows("RESPOSTA CONTRADITÓRIA");
    app.assert_shows_no("Novo saque");
    app.press("Esc").await;

    app.press("3 g Enter f").await;
    app.assert_shows("R$ 101,00");
    app.press("Tab Enter").await;
    app.wait_for_message("Decided").await;
    app.wait_for("PAGO (DECLARADO POR VOCÊ)").await;
    app.withdraw(&env, "5000").await;
    app.assert_shows_localized("state-accepted");
    assert_eq!(env.ledger().payouts.len(), 2);
    app.close().await;
}
