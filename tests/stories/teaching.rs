//! Tests of unreadable replies to a payment link and a direct payment. After the seller has
//! corrected the API contract, the app reads the same replies again, and nothing is created twice.
//!
//! The reply to a withdrawal is never read again: the seller decides that withdrawal, and the next
//! one is recognized.

use balcao::contract::{Contract, Preset};
use balcao::sandbox::{Dialect, Scene};
use balcao::trade::{ChargeOutcome, CreatedCharge, CreatedLink, LinkOutcome};

use crate::app::App;
use crate::test_env::{PASSWORD, TestEnv};

/// An API contract with wrong places for two values in replies: a link's URL, and a direct
/// payment's Pix code.
const BLIND: &str = "create_link.url = ['/nada']\ndirect_payment.pix_code = ['/nada']\n";

/// Opens the page that teaches, which appears when the stored request has been read.
async fn open_teaching(app: &mut App) {
    app.press("Ctrl-T").await;
    app.wait_for("Ensinar: ").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn taught_reply_is_read_again_and_nothing_made_twice() {
    let mut env = TestEnv::new().await;
    env.contract = Contract::from_program_files(&[("own.toml", BLIND)]).unwrap();
    let mut app = env.open_logged_in().await;

    app.request_link("4990", "Camiseta azul M").await;
    app.wait_for_localized("unreadable-link").await;
    open_teaching(&mut app).await;
    app.press("Enter Enter").await;
    app.wait_for_localized("link-host").await;
    let links = env.links();
    let ledger = env.ledger();
    let [link] = &links[..] else {
        panic!("{links:?}")
    };
    let LinkOutcome::Created(CreatedLink { url }) = &link.outcome else {
        panic!("{link:?}")
    };
    assert_eq!((ledger.links.len(), url.raw()), (1, &*ledger.links[0].url));

    app.press("Esc").await;
    app.request_charge("12345", "Conserto").await;
    app.wait_for_localized("charge-code-none").await;
    app.press("t Enter Enter").await;
    app.wait_for_localized("charge-in-code").await;
    let charges = env.charges();
    let ledger = env.ledger();
    let [charge] = &charges[..] else {
        panic!("{charges:?}")
    };
    let ChargeOutcome::Created(CreatedCharge {
        pix_code: Some(code),
        ..
    }) = &charge.outcome
    else {
        panic!("{charge:?}")
    };
    assert_eq!(
        (ledger.charges.len(), code.raw()),
        (1, &*ledger.charges[0].qr_code)
    );
    app.close().await;
}

/// An API contract that reads nothing in the reply to a withdrawal.
const NO_SIGN: &str = "[withdrawal]\nid = ['/nada']\nstatus = ['/nada']\n\
                       echo_amount = []\necho_destination = []\n";

/// Records that the open withdrawal was found in the account.
async fn find_withdrawal(app: &mut App) {
    app.press("f Tab Enter").await;
    app.wait_for_message("Decided").await;
    app.settle().await;
}

fn state_names(env: &TestEnv) -> Vec<&'static str> {
    env.withdrawals()
        .iter()
        .map(|withdrawal| env.state_name(withdrawal))
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn code_taught_while_open_makes_next_one_accepted() {
    let mut env = TestEnv::new().await;
    env.contract = Contract::from_program_files(&[("own.toml", NO_SIGN)]).unwrap();
    let mut app = env.open_logged_in().await;
    app.withdraw(&env, "150000").await;
    app.assert_shows("Onde está o código do saque?");
    open_teaching(&mut app).await;
    app.press("Enter Enter").await;
    app.wait_for("não prova que pagou").await;
    assert_eq!(state_names(&env), ["unknown"]);
    find_withdrawal(&mut app).await;
    assert_eq!(state_names(&env), ["resolved-paid"]);
    app.press("Esc").await;
    app.withdraw(&env, "5000").await;
    app.assert_shows_localized("state-accepted");
    assert_eq!(env.ledger().payouts.len(), 2);
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn empty_reply_stated_as_usual_is_accepted_next() {
    let mut env = TestEnv::with_dialect(Preset::named("no-content")).await;
    env.contract = Contract::built_in();
    let mut app = env.open_logged_in().await;
    app.withdraw(&env, "150000").await;
    app.assert_shows_localized("state-unknown");
    find_withdrawal(&mut app).await;
    app.assert_shows_localized("ask-always-empty.title");
    app.press("Tab Enter").await;
    app.wait_for_message("Taught").await;
    app.press("Esc").await;
    app.withdraw(&env, "5000").await;
    app.assert_shows_localized("state-accepted");
    assert_eq!(
        (state_names(&env), env.ledger().payouts.len()),
        (vec!["accepted", "resolved-paid"], 2)
    );
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn jwt_taught_on_its_page_leads_to_the_link() {
    let login = "login.reply = { token = 'token', chave_web = 'jwt' }";
    let dialect = Dialect::read(login).unwrap();
    let env = TestEnv::with_service(dialect, Scene::default()).await;
    let mut app = env.open().await;
    app.type_login().await;
    app.press("1 n").await;
    app.wait_for_localized("jwt-title").await;
    open_teaching(&mut app).await;
    app.press("Enter Enter").await;
    app.wait_for_localized("login-brings-jwt").await;
    app.type_text(PASSWORD).await;
    app.press("Enter").await;
    app.wait_for_localized("new-link-title").await;
    app.fill_in_link("4990", "Camiseta azul M").await;
    app.wait_for_localized("link-host").await;
    assert_eq!(env.ledger().links.len(), 1);
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn login_taught_in_its_form_is_sent_with_enter() {
    let mut env = TestEnv::new().await;
    env.is_demo = false;
    let blind = "login.token = ['/nada']\nlogin.jwt = ['/nada']\n";
    env.contract = Contract::from_program_files(&[("own.toml", blind)]).unwrap();
    let mut app = env.open().await;
    app.submit_login().await;
    app.wait_for("Ctrl-T").await;
    open_teaching(&mut app).await;
    app.press("Enter Enter").await;
    app.wait_for_localized("login-taught").await;
    // The focus is on the button, so no key is added to the password.
    app.press("x Enter").await;
    app.wait_for_localized("said-logged-in").await;
    app.close().await;
}
