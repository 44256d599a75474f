//! Tests of problems with the journal. The screen must show each problem, nothing may be sent, and
//! no file may change.

use std::path::Path;
use std::time::Duration;

use balcao::journal::money::{self, Files, MoneyJournal};
use balcao::sandbox::Fault;

use crate::app::App;
use crate::test_env::TestEnv;

/// Creates an environment with an open withdrawal in the journal. Also returns how many requests
/// were sent.
async fn env_with_open_withdrawal() -> (TestEnv, usize) {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    env.inject_withdrawal_fault(Fault::DropAfter);
    app.withdraw(&env, "10000").await;
    app.assert_shows_localized("state-unknown");
    app.close().await;
    let requests = env.ledger().requests.len();
    (env, requests)
}

fn journal_files(dir: &Path) -> Vec<(&'static str, Option<Vec<u8>>)> {
    ["money.db", "money.head", "money.db-journal"]
        .map(|name| (name, std::fs::read(dir.join(name)).ok()))
        .to_vec()
}

type Damage = fn(&Path);

fn sql(dir: &Path, batch: &str) {
    rusqlite::Connection::open(dir.join("money.db"))
        .unwrap()
        .execute_batch(batch)
        .unwrap();
}

fn remove(dir: &Path, names: &[&str]) {
    for name in names {
        std::fs::remove_file(dir.join(name)).unwrap();
    }
}

/// Presses every key that could create, send or decide a withdrawal.
async fn try_everything(app: &mut App) {
    app.press("3 n Esc Enter r f X Esc r").await;
    app.settle().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_startup_trouble_has_a_screen_and_a_way_out() {
    let troubles: [(&str, &str, Damage); 5] = [
        ("journal-damaged", "journal set-aside", |dir| {
            sql(dir, "UPDATE event SET at = at + 1 WHERE n = 2");
        }),
        ("journal-damaged", "journal set-aside", |dir| {
            remove(dir, &["money.db"])
        }),
        ("journal-damaged", "journal set-aside", |dir| {
            remove(dir, &["money.head"])
        }),
        ("journal-missing", "journal forget-missing", |dir| {
            remove(dir, &["money.db", "money.head"]);
        }),
        ("other version", "a versão do balcão que o gravou", |dir| {
            sql(dir, "PRAGMA user_version = 2")
        }),
    ];
    for (word, way_out, damage) in troubles {
        let (env, requests) = env_with_open_withdrawal().await;
        damage(&env.journal_dir());
        let before = journal_files(&env.journal_dir());
        let mut app = env.open().await;
        app.wait_for("Saques bloqueados neste computador: a tecla 3")
            .await;
        app.press("3").await;
        app.wait_for_localized("withdrawals-locked").await;
        let is_other_version = word == "other version";
        if !is_other_version {
            app.assert_shows_localized(word);
        }
        let text = app
            .screen()
            .text()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        assert!(text.contains(way_out), "{word}: {text}");
        let version = format!("(formato 2; esta usa o {})", money::SCHEMA);
        assert_eq!(text.contains(&version), is_other_version, "{text}");
        assert!(
            text.contains("Daqui não dá para saber se há saque em aberto"),
            "{text}"
        );
        app.assert_shows("Pasta:");
        try_everything(&mut app).await;
        assert_eq!(app.attempt_count(), 0, "{word}");
        app.create_link("4990", "Camiseta azul M").await;
        app.close().await;
        assert_eq!(
            env.ledger().requests.len(),
            requests,
            "{word}: a request left"
        );
        assert_eq!(
            journal_files(&env.journal_dir()),
            before,
            "{word}: a file was touched"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn locked_journal_accepts_nothing_until_released() {
    let (env, requests) = env_with_open_withdrawal().await;
    let before = journal_files(&env.journal_dir());
    let holder = std::fs::File::open(env.journal_dir().join("money.lock")).unwrap();
    holder.lock().unwrap();
    let mut app = env.open().await;
    app.press("3").await;
    app.wait_for_localized("withdrawals-locked").await;
    app.assert_shows_localized("journal-busy");
    // The list and the banner must show the open withdrawal, because a locked journal can still be
    // read.
    app.assert_shows_localized("state-unknown");
    app.assert_shows("Saque de R$ 100,00");
    try_everything(&mut app).await;
    assert_eq!(app.attempt_count(), 0);
    app.assert_shows_localized("withdrawals-locked");
    assert_eq!(env.ledger().requests.len(), requests);
    assert_eq!(journal_files(&env.journal_dir()), before);

    // Reloading the list is enough after the other process has unlocked the journal.
    holder.unlock().unwrap();
    app.press("r Enter").await;
    app.wait_for_localized("step-send-again").await;
    app.send_again().await;
    app.assert_shows_localized("state-accepted");
    assert!(env.is_paid_once());
    assert_eq!(app.close().await.withdrawals.trouble, None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn journal_damage_keeps_open_withdrawal_visible() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    env.inject_withdrawal_fault(Fault::DropAfter);
    app.withdraw(&env, "10000").await;
    app.assert_shows_localized("state-unknown");
    std::fs::write(env.journal_dir().join("money.head"), b"somebody wrote here").unwrap();
    let before = journal_files(&env.journal_dir());
    let requests = env.ledger().requests.len();
    let ends = app.attempt_end_count();
    app.resend().await;
    app.wait_for_attempt_end(ends).await;
    app.press("Esc 3").await;
    app.wait_for_localized("withdrawals-locked").await;
    app.assert_shows_localized("journal-damaged");
    app.assert_shows_localized("state-unknown");
    try_everything(&mut app).await;
    assert_eq!(
        app.attempt_count(),
        2,
        "the first, and the one that was not begun"
    );
    let model = app.close().await;
    assert_eq!(model.withdrawals.open.len(), 1);
    assert_eq!(env.ledger().requests.len(), requests);
    assert_eq!(journal_files(&env.journal_dir()), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn purge_keeps_open_withdrawal_bytes_for_resend() {
    let (env, _) = env_with_open_withdrawal().await;
    let agreement = env.only_withdrawal().agreement;
    let mut app = env.open().await;
    app.press("3 Enter").await;
    app.wait_for_localized("state-unknown").await;
    env.clock.advance(Duration::from_secs(60));
    let mut journal = MoneyJournal::open(Files::new(env.journal_dir()), true).unwrap();
    let later = balcao::cashier::Clock::now(&env.clock)
        .wall
        .plus(Duration::from_secs(400_000));
    assert_eq!(journal.purge(later, later), Ok(0));
    app.send_again().await;
    app.assert_shows_localized("state-accepted");
    assert!(env.is_paid_once());
    assert_eq!(env.only_withdrawal().agreement, agreement);
    // `purge` deletes the personal data of the withdrawal, because the withdrawal is old and its
    // outcome is known. It does so even while the app has the journal open.
    assert_eq!(journal.purge(later, later), Ok(1));
    app.press("Esc r").await;
    app.wait_for_localized("state-accepted").await;
    app.close().await;
    let purged = env.only_withdrawal().agreement;
    assert_eq!(
        (&*purged.body, purged.destination, purged.amount),
        ("", None, agreement.amount)
    );
}
