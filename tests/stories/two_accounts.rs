//! Tests of two accounts that use the same journal. Their service addresses are different.

use balcao::sandbox::{Fault, Scene};
use balcao::trade::Withdrawal;

use crate::test_env::TestEnv;

const BIA: &str = "bia@loja-da-bia.example";

/// Creates the environment of a second account. It is on the same computer, but uses another
/// service address.
async fn bia(ana: &TestEnv) -> TestEnv {
    let scene = Scene { email: BIA.into(), store: "Loja da Bia".into(), ..Scene::default() };
    TestEnv::with_scene(scene).await.on_the_computer_of(ana)
}

/// Returns only the withdrawals that were made with this login.
fn of<'a>(all: &'a [Withdrawal], identity: &str) -> Vec<&'a Withdrawal> {
    all.iter().filter(|one| &*one.agreement.account.identity == identity).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_account_sees_open_one_but_cannot_send_it() {
    let ana = TestEnv::new().await;
    let bia = bia(&ana).await;
    let mut app = ana.enter().await;
    ana.next_withdrawal(Fault::DropAfter);
    app.withdraw(&ana, "10000").await;
    app.assert_sees_word("state-unknown");
    app.close().await;

    let mut app = bia.enter().await;
    app.press("3 Enter").await;
    app.wait_for_word("state-unknown").await;
    app.assert_sees(&format!("ana@loja-da-ana.example em {}", ana.base_url));
    app.assert_sees_word("step-other-address");
    app.press("s").await;
    app.settle().await;
    assert_eq!(app.attempts(), 0, "its credential goes nowhere else, and no other comes here");
    app.press("Esc").await;

    // The review screen must warn that this withdrawal may pay twice, because the other account has
    // an identical open withdrawal.
    app.review(&bia, "10000").await;
    app.assert_sees_word("review-retype-same-open-elsewhere");
    app.assert_sees("ana@loja-da-ana.example");
    app.press("Tab Tab Enter").await;
    app.settle().await;
    assert_eq!((app.attempts(), bia.ledger().requests.len()), (0, 0), "nothing is typed yet");
    app.type_text("10000").await;
    app.confirm().await;
    app.assert_sees_word("state-accepted");
    app.close().await;
    assert_eq!(ana.ledger().requests.len(), 1);

    // The first account's withdrawal can be sent again with this account's login and service
    // address. Its idempotency key and body stay the same.
    let mut app = ana.open().await;
    app.wait_for_word("state-unknown").await;
    app.ask_to_send().await;
    app.assert_sees_word("review-retype-same");
    app.assert_sees(BIA);
    app.press("Tab").await;
    app.type_text("10000").await;
    app.confirm().await;
    app.assert_sees_word("state-accepted");
    app.close().await;
    let journal = ana.journal();
    assert_eq!(journal.len(), 2, "in one journal");
    for (env, login) in [(&ana, "ana@loja-da-ana.example"), (&bia, BIA)] {
        let (ledger, own) = (env.ledger(), of(&journal, login));
        let [one] = own[..] else { panic!("{own:#?}") };
        let [paid] = &ledger.payouts[..] else { panic!("{ledger:#?}") };
        assert_eq!(paid.key, *one.agreement.key_header, "{login}");
        for request in &ledger.requests {
            assert_eq!(request.body.0, one.agreement.body.as_bytes(), "{login}");
        }
    }
}
