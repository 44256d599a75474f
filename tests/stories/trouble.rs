//! Tests problems with the journal: a screen reports the problem, the app sends nothing, and no
//! file is changed.

use std::path::Path;
use std::time::Duration;

use balcao::journal::OsDisk;
use balcao::journal::money::MoneyJournal;
use balcao::sandbox::Fault;

use crate::counter::Counter;
use crate::shop::Shop;

/// Creates an environment whose journal contains an open withdrawal. Also returns the number of
/// requests sent so far.
async fn with_open_one() -> (Shop, usize) {
    let (shop, mut counter) = Shop::new().await.entered().await;
    shop.next_withdrawal(Fault::DropAfter);
    counter.withdraw(&shop, "10000").await;
    counter.assert_sees_word("state-unknown");
    counter.close().await;
    let requests = shop.ledger().requests.len();
    (shop, requests)
}

/// Returns the names and contents of the journal's files.
fn journal_files(dir: &Path) -> Vec<(&'static str, Option<Vec<u8>>)> {
    ["money.db", "money.head", "money.db-journal"]
        .map(|name| (name, std::fs::read(dir.join(name)).ok()))
        .to_vec()
}

type Harm = fn(&Path);

fn sql(dir: &Path, batch: &str) {
    rusqlite::Connection::open(dir.join("money.db")).unwrap().execute_batch(batch).unwrap();
}

fn remove(dir: &Path, names: &[&str]) {
    for name in names {
        std::fs::remove_file(dir.join(name)).unwrap();
    }
}

/// Presses every key that could send, decide or create a withdrawal.
async fn try_everything(counter: &mut Counter) {
    counter.press("3 n Esc Enter r f X Esc r").await;
    counter.settle().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_startup_trouble_has_a_screen_and_a_way_out() {
    let troubles: [(&str, &str, Harm); 5] = [
        ("journal-damaged", "journal set-aside", |dir| {
            sql(dir, "UPDATE event SET at = at + 1 WHERE n = 2");
        }),
        ("journal-damaged", "journal set-aside", |dir| remove(dir, &["money.db"])),
        ("journal-damaged", "journal set-aside", |dir| remove(dir, &["money.head"])),
        ("journal-missing", "journal forget-missing", |dir| {
            remove(dir, &["money.db", "money.head"]);
        }),
        ("other version", "a versão do balcão que o gravou", |dir| {
            sql(dir, "PRAGMA user_version = 2")
        }),
    ];
    for (word, way, harm) in troubles {
        let (shop, requests) = with_open_one().await;
        harm(&shop.journal_dir());
        let before = journal_files(&shop.journal_dir());
        let mut counter = shop.open().await;
        counter.wait_for("Saques bloqueados neste computador: a tecla 3").await;
        counter.press("3").await;
        counter.wait_for_word("withdrawals-locked").await;
        match word {
            "other version" => counter.assert_sees("(formato 2; esta usa o 3)"),
            word => counter.assert_sees_word(word),
        }
        let text = counter.screen().text().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(way), "{word}: {text}");
        assert!(text.contains("Daqui não dá para saber se há saque em aberto"), "{text}");
        counter.assert_sees("Pasta:");
        try_everything(&mut counter).await;
        assert_eq!(counter.attempts(), 0, "{word}");
        counter.make_link("4990", "Camiseta azul M").await;
        counter.close().await;
        assert_eq!(shop.ledger().requests.len(), requests, "{word}: a request left");
        assert_eq!(journal_files(&shop.journal_dir()), before, "{word}: a file was touched");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn locked_journal_accepts_nothing_until_released() {
    let (shop, requests) = with_open_one().await;
    let before = journal_files(&shop.journal_dir());
    let holder = std::fs::File::open(shop.journal_dir().join("money.lock")).unwrap();
    holder.lock().unwrap();
    let mut counter = shop.open().await;
    counter.press("3").await;
    counter.wait_for_word("withdrawals-locked").await;
    counter.assert_sees_word("journal-busy");
    // The journal can still be read, so the list and the banner show the open withdrawal.
    counter.assert_sees_word("state-unknown");
    counter.assert_sees("Saque de R$ 100,00");
    try_everything(&mut counter).await;
    assert_eq!(counter.attempts(), 0);
    counter.assert_sees_word("withdrawals-locked");
    assert_eq!(shop.ledger().requests.len(), requests);
    assert_eq!(journal_files(&shop.journal_dir()), before);

    // After the other process releases the journal, reloading the list is enough.
    holder.unlock().unwrap();
    counter.press("r Enter").await;
    counter.wait_for_word("step-send-again").await;
    counter.send_again().await;
    counter.assert_sees_word("state-accepted");
    assert!(shop.paid_once_or_never());
    assert_eq!(counter.close().await.withdrawals.trouble, None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn trouble_while_running_leaves_what_is_open_in_sight() {
    let (shop, mut counter) = Shop::new().await.entered().await;
    shop.next_withdrawal(Fault::DropAfter);
    counter.withdraw(&shop, "10000").await;
    counter.assert_sees_word("state-unknown");
    std::fs::write(shop.journal_dir().join("money.head"), b"somebody wrote here").unwrap();
    let before = journal_files(&shop.journal_dir());
    let requests = shop.ledger().requests.len();
    let ends = counter.ends();
    counter.resend().await;
    counter.wait_for_end(ends).await;
    counter.press("Esc 3").await;
    counter.wait_for_word("withdrawals-locked").await;
    counter.assert_sees_word("journal-damaged");
    counter.assert_sees_word("state-unknown");
    try_everything(&mut counter).await;
    assert_eq!(counter.attempts(), 2, "the first, and the one that was not begun");
    let model = counter.close().await;
    assert_eq!(model.withdrawals.open.len(), 1);
    assert_eq!(shop.ledger().requests.len(), requests);
    assert_eq!(journal_files(&shop.journal_dir()), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn purge_keeps_open_withdrawal_bytes_for_resend() {
    let (shop, _) = with_open_one().await;
    let sent = shop.only_withdrawal().agreement;
    let mut counter = shop.open().await;
    counter.press("3 Enter").await;
    counter.wait_for_word("state-unknown").await;
    shop.clock.forward(Duration::from_secs(60));
    let mut journal = MoneyJournal::open(&shop.journal_dir(), OsDisk, true).unwrap();
    let later = balcao::cashier::Clock::now(&shop.clock).wall.plus(Duration::from_secs(400_000));
    assert_eq!(journal.purge(later, later), Ok(0));
    counter.send_again().await;
    counter.assert_sees_word("state-accepted");
    assert!(shop.paid_once_or_never());
    assert_eq!(shop.only_withdrawal().agreement, sent);
    // The withdrawal is now decided and old enough, so `purge` removes its personal data although
    // the app has the journal open.
    assert_eq!(journal.purge(later, later), Ok(1));
    counter.press("Esc r").await;
    counter.wait_for_word("state-accepted").await;
    counter.close().await;
    let purged = shop.only_withdrawal().agreement;
    assert_eq!((&*purged.body, purged.destination, purged.amount), ("", None, sent.amount));
}
