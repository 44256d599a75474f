//! Tests of two accounts that use the same journal. Their service addresses are different.

use balcao::sandbox::{Fault, Scene};
use balcao::trade::Withdrawal;

use crate::test_env::TestEnv;

const BIA: &str = "bia@loja-da-bia.example";

/// Creates the environment of a second account. It is on the same computer, but uses another
/// service address.
async fn bia(ana: &TestEnv) -> TestEnv {
    let scene = Scene {
        email: BIA.into(),
        store: "Loja da Bia".into(),
        ..Scene::default()
    };
    TestEnv::with_scene(scene).await.sharing_computer_with(ana)
}

/// Returns only the withdrawals that were made with the login `identity`.
fn with_login<'a>(withdrawals: &'a [Withdrawal], identity: &str) -> Vec<&'a Withdrawal> {
    withdrawals
        .iter()
        .filter(|withdrawal| &*withdrawal.agreement.account.identity == identity)
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_account_sees_open_one_but_cannot_send_it() {
    let ana = TestEnv::new().await;
    let bia = bia(&ana).await;
    let mut app = ana.open_logged_in().await;
    ana.inject_withdrawal_fault(Fault::DropAfter);
    app.withdraw(&ana, "10000").await;
    app.assert_shows_localized("state-unknown");
    app.close().await;

    let mut app = bia.open_logged_in().await;
    app.press("3 Enter").await;
    app.wait_for_localized("state-unknown").await;
    app.assert_shows(&format!("ana@loja-da-ana.example em {}", ana.base_url));
    app.assert_shows_localized("step-other-address");
    app.press("s").await;
    app.settle().await;
    assert_eq!(
        app.attempt_count(),
        0,
        "its credential goes nowhere else, and no other comes here"
    );
    app.press("Esc").await;

    // The review screen must warn that this withdrawal may pay twice, because the other account has
    // an identical open withdrawal.
    app.review(&bia, "10000").await;
    app.assert_shows_localized("review-retype-same-open-elsewhere");
    app.assert_shows("ana@loja-da-ana.example");
    app.press("Tab Tab Enter").await;
    app.settle().await;
    assert_eq!(
        (app.attempt_count(), bia.ledger().requests.len()),
        (0, 0),
        "nothing is typed yet"
    );
    app.type_text("10000").await;
    app.confirm().await;
    app.assert_shows_localized("state-accepted");
    app.close().await;
    assert_eq!(ana.ledger().requests.len(), 1);

    // The first account's withdrawal can be sent again with this account's login and service
    // address. Its idempotency key and body stay the same.
    let mut app = ana.open().await;
    app.wait_for_localized("state-unknown").await;
    app.ask_to_send().await;
    app.assert_shows_localized("review-retype-same");
    app.assert_shows(BIA);
    app.press("Tab").await;
    app.type_text("10000").await;
    app.confirm().await;
    app.assert_shows_localized("state-accepted");
    app.close().await;
    let withdrawals = ana.withdrawals();
    assert_eq!(withdrawals.len(), 2, "in one journal");
    for (env, login) in [(&ana, "ana@loja-da-ana.example"), (&bia, BIA)] {
        let ledger = env.ledger();
        let own_withdrawals = with_login(&withdrawals, login);
        let [withdrawal] = own_withdrawals[..] else {
            panic!("{own_withdrawals:#?}")
        };
        let [payout] = &ledger.payouts[..] else {
            panic!("{ledger:#?}")
        };
        assert_eq!(payout.key, *withdrawal.agreement.key_header, "{login}");
        for request in &ledger.requests {
            assert_eq!(
                request.body.0,
                withdrawal.agreement.body.as_bytes(),
                "{login}"
            );
        }
    }
}
