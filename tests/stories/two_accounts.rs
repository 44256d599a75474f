//! Tests two accounts at two service addresses that share one journal.

use balcao::sandbox::{Fault, Scene};
use balcao::trade::Withdrawal;

use crate::shop::Shop;

const BIA: &str = "bia@loja-da-bia.example";

/// Creates the environment of a second account on the same computer, at a different service
/// address.
async fn bia(ana: &Shop) -> Shop {
    let scene = Scene { email: BIA.into(), store: "Loja da Bia".into(), ..Scene::default() };
    Shop::with_scene(scene).await.on_the_computer_of(ana)
}

/// Returns the withdrawals that were made with this login.
fn of<'a>(all: &'a [Withdrawal], identity: &str) -> Vec<&'a Withdrawal> {
    all.iter().filter(|one| &*one.agreement.account.identity == identity).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_account_sees_open_one_but_cannot_send_it() {
    let ana = Shop::new().await;
    let bia = bia(&ana).await;
    let mut counter = ana.enter().await;
    ana.next_withdrawal(Fault::DropAfter);
    counter.withdraw(&ana, "10000").await;
    counter.assert_sees_word("state-unknown");
    counter.close().await;

    let mut counter = bia.enter().await;
    counter.press("3 Enter").await;
    counter.wait_for_word("state-unknown").await;
    counter.assert_sees(&format!("ana@loja-da-ana.example em {}", ana.base_url));
    counter.assert_sees_word("step-other-address");
    counter.press("s").await;
    counter.settle().await;
    assert_eq!(counter.attempts(), 0, "its credential goes nowhere else, and no other comes here");
    counter.press("Esc").await;

    // The review warns that an identical withdrawal of the other account exists, so this may be a
    // second payment.
    counter.review(&bia, "10000").await;
    counter.assert_sees_word("review-retype-same-open-elsewhere");
    counter.assert_sees("ana@loja-da-ana.example");
    counter.press("Tab Tab Enter").await;
    counter.settle().await;
    assert_eq!((counter.attempts(), bia.ledger().requests.len()), (0, 0), "nothing is typed yet");
    counter.type_text("10000").await;
    counter.confirm().await;
    counter.assert_sees_word("state-accepted");
    counter.close().await;
    assert_eq!(ana.ledger().requests.len(), 1);

    // After switching back to its own login and address, the first withdrawal can be sent again,
    // with its original idempotency key and request body.
    let mut counter = ana.open().await;
    counter.wait_for_word("state-unknown").await;
    counter.ask_to_send().await;
    counter.assert_sees_word("review-retype-same");
    counter.assert_sees(BIA);
    counter.press("Tab").await;
    counter.type_text("10000").await;
    counter.confirm().await;
    counter.assert_sees_word("state-accepted");
    counter.close().await;
    let journal = ana.journal();
    assert_eq!(journal.len(), 2, "in one journal");
    for (shop, login) in [(&ana, "ana@loja-da-ana.example"), (&bia, BIA)] {
        let (ledger, own) = (shop.ledger(), of(&journal, login));
        let [one] = own[..] else { panic!("{own:#?}") };
        let [paid] = &ledger.payouts[..] else { panic!("{ledger:#?}") };
        assert_eq!(paid.key, *one.agreement.key_header, "{login}");
        for request in &ledger.requests {
            assert_eq!(request.body.0, one.agreement.body.as_bytes(), "{login}");
        }
    }
}
