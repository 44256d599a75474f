//! Tests decisions that only the seller can make: declaring a withdrawal as paid or not paid, also
//! after a reply that contradicts the request.

use std::time::Duration;

use balcao::app::{Effect, MoneyCommand};
use balcao::contract::Contract;
use balcao::sandbox::Fault;
use balcao::trade::withdrawal::Decision;

use crate::counter::Counter;
use crate::faults::met;
use crate::shop::Shop;

const OVER: Duration = Duration::from_secs(600);

/// Creates an environment whose contract confirms that replies repeat the withdrawal's amount.
async fn sure_of_the_echo() -> Shop {
    let mut shop = Shop::new().await;
    let confirmed = "confirmed = ['withdrawal.echo_amount']";
    shop.contract = Contract::own(&[("own.toml", confirmed)]).unwrap();
    shop
}

impl Counter {
    /// Opens the "not paid" form from the withdrawal's details, and fills in all required fields.
    async fn states_not_paid(&mut self, shop: &Shop, digits: &str) {
        self.press("c N").await;
        self.assert_sees_word("not-paid-title");
        shop.clock.forward_ms(600);
        self.press("Tab").await;
        self.type_text(digits).await;
        self.press("Tab").await;
        let decided = self.heard("Decided");
        self.press("Enter").await;
        self.wait_to_hear_more("Decided", decided).await;
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
    let shop = Shop::new().await;
    let mut counter = met(&shop, Fault::DropBefore).await;
    let first = shop.only_withdrawal().agreement.key;
    // While the withdrawal can still be sent again, the seller cannot declare it as not paid.
    counter.press("c N").await;
    counter.assert_sees("Ainda não é possível declarar");
    shop.clock.forward(OVER);
    // When the time for sending the withdrawal again is over, the screen changes without a key
    // press.
    counter.wait_for_word("step-not-paid-why").await;
    counter.press("Esc").await;
    counter.assert_sees("CONFIRA NA SUA CONTA");

    // If the seller types a wrong amount, the withdrawal is not declared as not paid.
    counter.press("c N").await;
    shop.clock.forward_ms(600);
    counter.press("Tab").await;
    counter.type_text("10001").await;
    counter.press("Tab Enter").await;
    counter.settle().await;
    assert_eq!(counter.decisions(), []);
    counter.press("Esc Esc").await;

    counter.states_not_paid(&shop, "10000").await;
    counter.wait_for("NÃO PAGO (DECLARADO POR VOCÊ)").await;
    assert_eq!(counter.decisions(), [Decision::StatedNotPaid]);
    assert_eq!(shop.state(&shop.only_withdrawal()), "resolved-not-paid");
    assert!(shop.ledger().payouts.is_empty());

    // A second withdrawal of the same amount shows a warning, asks for the amount again, and uses a
    // new idempotency key.
    counter.review(&shop, "10000").await;
    counter.assert_sees("Já existe um saque igual");
    counter.press("Tab").await;
    counter.type_text("10000").await;
    counter.confirm().await;
    counter.assert_sees_word("state-accepted");
    let ledger = shop.ledger();
    assert_eq!(ledger.payouts.len(), 1);
    assert_ne!(ledger.payouts[0].key, first.to_string());
    assert!(counter.close().await.withdrawals.open.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn confirmed_mismatch_locks_account_until_resolved() {
    let shop = sure_of_the_echo().await;
    let mut counter = met(&shop, Fault::OtherAmount).await;
    counter.assert_sees("RESPOSTA CONTRADITÓRIA");
    counter.assert_sees("resposta não bate, saques bloqueados");
    counter.assert_sees("R$ 101,00");
    counter.press("s").await;
    counter.settle().await;
    assert_eq!(counter.attempts(), 1);

    counter.type_withdrawal(&shop, "5000").await;
    counter.press("Ctrl-S").await;
    counter.settle().await;
    counter.assert_sees("Resolva aquele saque primeiro");
    counter.press("Esc Tab Enter").await;

    counter.press("3 g Enter f").await;
    counter.assert_sees("R$ 101,00");
    counter.press("Tab Enter").await;
    counter.wait_to_hear("Decided").await;
    counter.wait_for("PAGO (DECLARADO POR VOCÊ)").await;
    counter.withdraw(&shop, "5000").await;
    counter.assert_sees_word("state-accepted");
    assert_eq!(shop.ledger().payouts.len(), 2);
    counter.close().await;
}
