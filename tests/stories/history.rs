//! Tests of the lists of payment links, direct payments and withdrawals. They must be sorted by
//! time, searchable, and complete after a restart.

use std::time::Duration;

use balcao::journal::requests::Requests;
use balcao::trade::{ExchangeSubject, Operation, Untrusted, Wall};

use crate::app::App;
use crate::screen_recorder::Frame;
use crate::test_env::{PASSWORD, TestEnv};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_is_listed_newest_first_and_found_again() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    for (digits, description) in [
        ("4990", "Camiseta azul M"),
        ("14990", "Tênis 42"),
        ("7990", "Boné"),
    ] {
        app.create_link(digits, description).await;
        env.clock.advance(Duration::from_secs(60));
    }
    app.request_charge("3000", "Conserto").await;
    app.wait_for_message("ChargeMade").await;
    env.clock.advance(Duration::from_secs(60));
    app.request_charge("6000", "Ajuste").await;
    app.wait_for_another_message("ChargeMade", 1).await;
    app.withdraw(&env, "10000").await;
    env.clock.advance(Duration::from_secs(60));
    app.withdraw(&env, "25000").await;

    app.press("1").await;
    wait_for_order(&mut app, &["Boné", "Tênis 42", "Camiseta azul M"]).await;
    // The search must ignore accents and case.
    app.press("/").await;
    app.type_text("TENIS").await;
    app.wait_until("the search", |f| f.has("Tênis 42") && !f.has("Boné"))
        .await;
    app.press("Esc").await;
    app.wait_for("Boné").await;
    app.press("/").await;
    app.type_text("79,90").await;
    app.wait_until("the search", |f| f.has("Boné") && !f.has("Camiseta"))
        .await;
    app.press("Esc 4").await;
    app.wait_for("Conserto").await;
    wait_for_order(&mut app, &["Ajuste", "Conserto"]).await;
    app.press("/").await;
    app.type_text("conserto").await;
    app.wait_until("the search", |f| f.has("30,00") && !f.has("60,00"))
        .await;
    app.press("Esc 3").await;
    app.wait_for("R$ 250,00").await;
    wait_for_order(&mut app, &["R$ 250,00", "R$ 100,00"]).await;
    app.press("/").await;
    app.type_text("250").await;
    app.wait_until("the search", |f| !f.has("R$ 100,00")).await;
    app.close().await;

    let mut app = env.open().await;
    app.wait_for("Camiseta azul M").await;
    app.press("3").await;
    app.wait_for("R$ 250,00").await;
    app.press("4").await;
    app.wait_for("Ajuste").await;
    assert!(
        app.close().await.exchanges.len() <= 1,
        "a run's exchanges end with it"
    );
}

/// When the test ends, all files of this run are searched for the run's secrets.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_of_a_run_are_stored_masked() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    app.withdraw(&env, "10000").await;
    app.close().await;
    let mut requests = Requests::open(&env.journal_dir(), Wall(0)).unwrap();
    let rows = requests.rows(None, 100).unwrap();
    let withdrawal = rows
        .iter()
        .find(|row| row.operation == Operation::Withdrawal)
        .unwrap();
    assert!(matches!(
        withdrawal.subject,
        Some(ExchangeSubject::Withdrawal(_))
    ));
    let login = rows
        .iter()
        .find(|row| row.operation == Operation::Login)
        .unwrap();
    let login = requests.exchange(login.id).unwrap().unwrap();
    let body = login.request_body.unwrap();
    assert!(
        body.contains(Untrusted::MASKED) && !body.contains(PASSWORD),
        "{body}"
    );
}

/// Waits until the list shows all of these texts. Checks that they are shown in this order.
async fn wait_for_order(app: &mut App, texts: &[&str]) {
    let shows_all = |frame: &Frame| texts.iter().all(|text| frame.text().contains(text));
    app.wait_until("all of them", shows_all).await;
    let screen = app.screen();
    let positions: Vec<_> = texts
        .iter()
        .map(|text| screen.rows.iter().position(|row| row.contains(text)))
        .collect();
    assert!(
        positions.is_sorted(),
        "{texts:?} at {positions:?}\n{}",
        screen.text()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn damaged_history_is_recreated_and_money_untouched() {
    let mut env = TestEnv::new().await;
    let mut app = env.open_logged_in().await;
    app.withdraw(&env, "10000").await;
    app.close().await;
    let old_dir = env.journal_dir();
    env.journal_name = "put back";
    std::fs::create_dir(env.journal_dir()).unwrap();
    for name in ["money.db", "money.head"] {
        std::fs::copy(old_dir.join(name), env.journal_dir().join(name)).unwrap();
    }
    std::fs::write(env.journal_dir().join("history.db"), [7; 9_000]).unwrap();
    let mut app = env.open().await;
    app.press("3").await;
    app.wait_for_localized("state-accepted").await;
    app.create_link("4990", "Camiseta azul M").await;
    app.close().await;
    assert!(env.is_paid_once());
}

/// Makes the history database refuse updates but accept new rows, as if the disk became full before
/// a reply arrives.
fn block_history_updates(env: &TestEnv) {
    let file = rusqlite::Connection::open(env.journal_dir().join("history.db")).unwrap();
    for table in ["link", "charge"] {
        let refusal = "BEGIN SELECT RAISE(ABORT, 'no room'); END";
        let batch = format!("CREATE TRIGGER full_{table} BEFORE UPDATE ON {table} {refusal}");
        file.execute_batch(&batch).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unsaved_rows_stay_listed_and_are_marked() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    app.create_link("4990", "Camiseta azul M").await;
    block_history_updates(&env);
    app.press("Esc").await;
    app.create_link("7990", "Boné").await;
    app.wait_for("mas não foi gravado no").await;
    app.assert_shows("/checkout/");
    app.press("Esc").await;
    app.wait_for_localized("links-not-saved").await;
    app.press("r y").await;
    app.settle().await;
    app.assert_shows_localized("links-not-saved");
    assert!(!app.screen().has("pode existir"), "{}", app.screen().text());
    app.request_charge("3000", "Conserto").await;
    app.wait_for_message("ChargeMade").await;
    app.wait_for("mas não foi gravada no").await;
    app.press("Esc").await;
    app.wait_for_localized("links-not-saved").await;
    let model = app.close().await;
    assert!(model.links.list.page.rows[0].url().is_some());
    assert!(model.charges.list.page.rows[0].pix_code().is_some());

    // The state of the link is unknown after a restart, because the result of its request was only
    // in memory.
    let mut app = env.open().await;
    app.wait_for_localized("links-unknown").await;
    assert!(!app.screen().has("não gravado"), "{}", app.screen().text());
}
