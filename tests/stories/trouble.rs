//! Trouble with the journal: each has its screen, nothing is sent, and no file is touched.

use std::path::{Path, PathBuf};
use std::time::Duration;

use balcao::journal::OsDisk;
use balcao::journal::money::{self, MoneyJournal};
use balcao::sandbox::{BankOperation, Fault, Times};
use balcao::trade::JournalTrouble;

use crate::counter::Counter;
use crate::shop::Shop;

/// A shop with an open withdrawal; how many requests its service had.
async fn with_open_one() -> (Shop, usize) {
    let shop = Shop::new().await;
    let mut counter = shop.open().await;
    counter.log_in().await;
    shop.control.arm(Fault::DropAfter, BankOperation::Withdrawal, Times::Next(1)).unwrap();
    counter.withdraw(&shop, "10000").await;
    counter.assert_sees_word("state-unknown");
    counter.close().await;
    let requests = shop.ledger().requests.len();
    (shop, requests)
}

/// The journal's own files with their bytes.
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

/// Presses whatever could send, decide or begin one.
async fn try_everything(counter: &mut Counter) {
    counter.press("3 n Esc Enter r f X Esc r").await;
    counter.settle().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_trouble_found_at_the_start_has_its_screen_and_its_way_out() {
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
async fn a_journal_that_is_held_takes_nothing_until_it_is_free() {
    let (shop, requests) = with_open_one().await;
    let before = journal_files(&shop.journal_dir());
    let holder = std::fs::File::open(shop.journal_dir().join("money.lock")).unwrap();
    holder.lock().unwrap();
    let mut counter = shop.open().await;
    counter.press("3").await;
    counter.wait_for_word("withdrawals-locked").await;
    counter.assert_sees_word("journal-busy");
    // It could be read: what is open is in the list and in the banner.
    counter.assert_sees_word("state-unknown");
    counter.assert_sees("Saque de R$ 100,00");
    try_everything(&mut counter).await;
    assert_eq!(counter.attempts(), 0);
    counter.assert_sees_word("withdrawals-locked");
    assert_eq!(shop.ledger().requests.len(), requests);
    assert_eq!(journal_files(&shop.journal_dir()), before);

    // Free again, the list only has to be asked for.
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
    let shop = Shop::new().await;
    let mut counter = shop.open().await;
    counter.log_in().await;
    shop.control.arm(Fault::DropAfter, BankOperation::Withdrawal, Times::Next(1)).unwrap();
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
async fn a_missing_journal_is_forgotten_by_command_only_and_then_another_begins() {
    let (shop, _) = with_open_one().await;
    remove(&shop.journal_dir(), &["money.db", "money.head"]);
    // However often the app is opened, it is missed.
    for _ in 0..2 {
        let model = shop.open().await.close().await;
        assert_eq!(model.withdrawals.trouble, Some(JournalTrouble::Missing));
    }
    assert_eq!(shop.location().liveness().await.unwrap().check(None), Err(JournalTrouble::Missing));
    assert_eq!(shop.location().make_live().await, Ok(()));
    let mut counter = shop.open().await;
    counter.press("3").await;
    counter.wait_for_word("withdrawals-empty-title").await;
    assert_eq!(counter.close().await.withdrawals.trouble, None);
    assert!(shop.journal().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_journal_that_was_emptied_is_no_first_start() {
    let (shop, _) = with_open_one().await;
    let dir = shop.journal_dir();
    remove(&dir, &["money.head"]);
    std::fs::write(dir.join("money.db"), "").unwrap();
    let before = journal_files(&dir);
    // However often the app is opened, nothing begins in its place.
    for _ in 0..2 {
        let model = shop.open().await.close().await;
        let trouble = model.store.withdrawals.trouble;
        assert!(matches!(trouble, Some(JournalTrouble::Damaged(_))), "{trouble:?}");
        assert_eq!(journal_files(&dir), before);
    }
    let mut counter = shop.open().await;
    counter.press("3").await;
    counter.wait_for_word("withdrawals-locked").await;
    try_everything(&mut counter).await;
    assert_eq!(counter.attempts(), 0);
    counter.close().await;
    assert_eq!(journal_files(&dir), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_first_start_that_was_cut_short_goes_on() {
    let shop = Shop::new().await;
    std::fs::create_dir_all(shop.journal_dir()).unwrap();
    std::fs::write(shop.journal_dir().join("money.db"), "").unwrap();
    let mut counter = shop.open().await;
    counter.log_in().await;
    counter.press("3").await;
    counter.wait_for_word("withdrawals-empty-title").await;
    assert_eq!(counter.close().await.withdrawals.trouble, None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_journal_that_was_set_aside_is_whole_beside_the_new_one() {
    let (shop, _) = with_open_one().await;
    let dir = shop.journal_dir();
    let head = std::fs::read(dir.join("money.head")).unwrap();
    std::fs::write(dir.join("money.head"), "somebody wrote here").unwrap();
    let now = balcao::cashier::Clock::now(&shop.clock).wall;
    let to = money::set_aside(&dir, None, now).unwrap();
    // Cut short here, the journal is missed and no other begins.
    let model = shop.open().await.close().await;
    assert_eq!(model.withdrawals.trouble, Some(JournalTrouble::Missing));
    assert_eq!(shop.location().make_live().await, Ok(()));
    let mut counter = shop.open().await;
    counter.press("3").await;
    counter.wait_for_word("withdrawals-empty-title").await;
    counter.close().await;
    // Support can still read the old one.
    std::fs::write(to.join("money.head"), head).unwrap();
    let mut old = MoneyJournal::open(&to, OsDisk, true).unwrap();
    assert_eq!(old.open_ones().unwrap().len(), 1);
}

/// Makes a shop whose journal was copied before its open withdrawal; the copy is in `copy/journal`.
async fn with_older_copy() -> (Shop, PathBuf, usize) {
    let shop = Shop::new().await;
    let mut counter = shop.open().await;
    counter.log_in().await;
    counter.withdraw(&shop, "5000").await;
    counter.assert_sees_word("state-accepted");
    let copy = shop.dir.path().join("copy/journal");
    std::fs::create_dir_all(&copy).unwrap();
    for name in ["money.db", "money.head"] {
        std::fs::copy(shop.journal_dir().join(name), copy.join(name)).unwrap();
    }
    shop.control.arm(Fault::DropAfter, BankOperation::Withdrawal, Times::Next(1)).unwrap();
    counter.press("Esc").await;
    counter.withdraw(&shop, "10000").await;
    counter.assert_sees_word("state-unknown");
    counter.close().await;
    let requests = shop.ledger().requests.len();
    (shop, copy, requests)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn copied_journal_is_locked_and_made_live_by_its_path() {
    let (mut shop, copy, requests) = with_older_copy().await;
    shop.state = copy.parent().unwrap().to_owned();
    let mut counter = shop.open().await;
    counter.press("3").await;
    counter.wait_for_word("journal-elsewhere").await;
    let text = counter.screen().text().split_whitespace().collect::<Vec<_>>().join("");
    for dir in [shop.dir.path().canonicalize().unwrap().join("journal"), copy.clone()] {
        assert!(text.contains(dir.to_str().unwrap()), "{text}");
    }
    try_everything(&mut counter).await;
    assert_eq!((counter.attempts(), shop.ledger().requests.len()), (0, requests));
    counter.press("R").await;
    counter.wait_for_word("make-live-title").await;
    counter.type_text("/somewhere/else").await;
    counter.press("Ctrl-S").await;
    counter.wait_for_word("field-differs").await;
    counter.press("Ctrl-U").await;
    counter.type_text(copy.to_str().unwrap()).await;
    counter.press("Ctrl-S").await;
    counter.wait_for_word("said-made-live").await;
    counter.wait_for_word("state-accepted").await;
    assert_eq!(counter.close().await.withdrawals.trouble, None);
    // The one before is locked now.
    shop.state = shop.dir.path().to_owned();
    let trouble = shop.open().await.close().await.store.withdrawals.trouble;
    let copy = copy.canonicalize().unwrap();
    assert_eq!(trouble, Some(JournalTrouble::Elsewhere(copy)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn older_copy_put_back_sends_nothing() {
    let (shop, copy, requests) = with_older_copy().await;
    for name in ["money.db", "money.head"] {
        std::fs::copy(copy.join(name), shop.journal_dir().join(name)).unwrap();
    }
    let before = journal_files(&shop.journal_dir());
    let mut counter = shop.open().await;
    counter.press("3").await;
    counter.wait_for("3 eventos").await;
    let text = counter.screen().text().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("journal set-aside"), "{text}");
    try_everything(&mut counter).await;
    assert_eq!((counter.attempts(), shop.ledger().requests.len()), (0, requests));
    let trouble = counter.close().await.store.withdrawals.trouble;
    assert_eq!(trouble, Some(JournalTrouble::Older { missing: 3 }));
    assert_eq!(journal_files(&shop.journal_dir()), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_purge_beside_an_open_window_leaves_the_open_one_to_be_sent_with_its_bytes() {
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
    // Decided, it is old enough then: its person is forgotten, also with the window open.
    assert_eq!(journal.purge(later, later), Ok(1));
    counter.press("Esc r").await;
    counter.wait_for_word("state-accepted").await;
    counter.close().await;
    let purged = shop.only_withdrawal().agreement;
    assert_eq!((&*purged.body, purged.destination, purged.amount), ("", None, sent.amount));
}
