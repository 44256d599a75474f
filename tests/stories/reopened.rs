//! Tests of restarting the app with an unfinished withdrawal. The app must show the withdrawal, but
//! must not send it without a key press.

use std::time::Duration;

use balcao::sandbox::bank::ledger::RequestOutcome;
use balcao::sandbox::{Fault, Scope, Times};

use crate::test_env::TestEnv;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn restart_restores_everything_and_sends_nothing() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    app.create_link("4990", "Camiseta azul M").await;
    env.inject_withdrawal_fault(Fault::DropAfter);
    app.withdraw(&env, "10000").await;
    app.close().await;
    let requests = env.ledger().requests.len();

    let mut app = env.open().await;
    // At startup, the open withdrawal must be shown in front of the list of payment links.
    app.wait_for("RESULTADO DESCONHECIDO").await;
    app.assert_shows("Saque de R$ 100,00");
    app.press("Esc").await;
    app.wait_for("Camiseta azul M").await;
    env.clock.advance(Duration::from_secs(30));
    app.press("3").await;
    app.wait_for_localized("state-unknown").await;
    assert_eq!(
        (app.attempt_count(), env.ledger().requests.len()),
        (0, requests)
    );
    app.press("Enter").await;
    app.send_again().await;
    app.assert_shows_localized("state-accepted");
    let outcomes: Vec<_> = env
        .ledger()
        .requests
        .iter()
        .map(|request| request.outcome)
        .collect();
    assert_eq!(outcomes, [RequestOutcome::Paid, RequestOutcome::Replayed]);
    assert!(env.is_paid_once());
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn prepared_withdrawal_is_never_sent_automatically() {
    let (env, mut app) = TestEnv::new().await.without_proxy().into_logged_in().await;
    app.review(&env, "10000").await;
    env.control
        .arm(Fault::Refuse, Scope::Any, Times::Always)
        .unwrap();
    app.confirm().await;
    app.close().await;
    env.control.disarm_all().unwrap();
    let mut app = env.open().await;
    app.settle().await;
    app.assert_shows_no("reenviar por mais");
    app.assert_shows_no("PREPARADO");
    app.press("3").await;
    app.wait_for_localized("state-prepared").await;
    env.clock.advance(Duration::from_secs(3_600));
    app.press("Enter").await;
    app.settle().await;
    assert!(env.ledger().requests.is_empty());
    app.send_again().await;
    app.assert_shows_localized("state-accepted");
    assert!(env.is_paid_once());
    app.close().await;
}
