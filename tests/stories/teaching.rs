//! Tests of unreadable replies to a payment link and a direct payment. After the seller has
//! corrected the API contract, the app reads the same replies again, and nothing is created twice.

use balcao::contract::Contract;
use balcao::trade::{ChargeOutcome, LinkOutcome};

use crate::test_env::TestEnv;

/// An API contract with wrong places for two values in replies: a link's URL, and a direct
/// payment's Pix code.
const BLIND: &str = "create_link.url = ['/nada']\ndirect_payment.pix_code = ['/nada']\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn taught_reply_is_read_again_and_nothing_made_twice() {
    let mut env = TestEnv::new().await;
    env.contract = Contract::from_program_files(&[("own.toml", BLIND)]).unwrap();
    let mut app = env.open_logged_in().await;

    app.request_link("4990", "Camiseta azul M").await;
    app.wait_for_localized("unreadable-link").await;
    app.press("Ctrl-T Enter Enter").await;
    app.wait_for_localized("link-host").await;
    let (links, ledger) = (env.links(), env.ledger());
    let [link] = &links[..] else { panic!("{links:?}") };
    let LinkOutcome::Created { url } = &link.outcome else { panic!("{link:?}") };
    assert_eq!((ledger.links.len(), url.raw()), (1, &*ledger.links[0].url));

    app.press("Esc").await;
    app.request_charge("12345", "Conserto").await;
    app.wait_for_localized("charge-code-none").await;
    app.press("t Enter Enter").await;
    app.wait_for_localized("charge-in-code").await;
    let (charges, ledger) = (env.charges(), env.ledger());
    let [charge] = &charges[..] else { panic!("{charges:?}") };
    let ChargeOutcome::Created { pix_code: Some(code), .. } = &charge.outcome else {
        panic!("{charge:?}")
    };
    assert_eq!((ledger.charges.len(), code.raw()), (1, &*ledger.charges[0].qr_code));
    app.close().await;
}
