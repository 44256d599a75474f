//! The counter opened again: what was left open, and what became of the journal meanwhile.

use std::time::Duration;

use balcao::sandbox::bank::ledger::RequestOutcome;
use balcao::sandbox::{BankOperation, Fault, Scope, Times};

use crate::shop::Shop;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn opened_again_everything_is_there_and_nothing_is_sent_by_itself() {
    let shop = Shop::new().await;
    let mut counter = shop.open().await;
    counter.log_in().await;
    counter.make_link("4990", "Camiseta azul M").await;
    shop.control.arm(Fault::DropAfter, BankOperation::Withdrawal, Times::Next(1)).unwrap();
    counter.withdraw(&shop, "10000").await;
    counter.close().await;
    let requests = shop.ledger().requests.len();

    let mut counter = shop.open().await;
    // What is open is shown first, over the pane.
    counter.wait_for("RESULTADO DESCONHECIDO").await;
    counter.assert_sees("Saque de R$ 100,00");
    counter.press("Esc").await;
    counter.wait_for("Camiseta azul M").await;
    shop.clock.forward(Duration::from_secs(30));
    counter.press("3").await;
    counter.wait_for_word("state-unknown").await;
    assert_eq!((counter.attempts(), shop.ledger().requests.len()), (0, requests));
    counter.press("Enter").await;
    counter.send_again().await;
    counter.assert_sees_word("state-accepted");
    let outcomes: Vec<_> = shop.ledger().requests.iter().map(|request| request.outcome).collect();
    assert_eq!(outcomes, [RequestOutcome::Paid, RequestOutcome::Replayed]);
    assert!(shop.paid_once_or_never());
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn when_the_window_is_over_only_a_person_decides() {
    let shop = Shop::new().await;
    let mut counter = shop.open().await;
    counter.log_in().await;
    shop.control.arm(Fault::DropAfter, BankOperation::Withdrawal, Times::Next(1)).unwrap();
    counter.withdraw(&shop, "10000").await;
    counter.assert_sees_word("state-unknown");
    shop.clock.forward(Duration::from_secs(600));
    counter.press("s").await;
    counter.settle().await;
    counter.assert_sees_word("state-needs-person");
    assert_eq!(counter.attempts(), 1);
    counter.press("f Enter").await;
    assert_eq!(counter.heard("Decided"), 0, "the harmless button has the focus");
    counter.press("f Tab Enter").await;
    counter.wait_to_hear("Decided").await;
    counter.wait_for_word("state-resolved-paid").await;
    assert_eq!(shop.state(&shop.only_withdrawal()), "resolved-paid");
    assert!(counter.close().await.withdrawals.open.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_the_machine_started_again_only_a_person_decides() {
    let shop = Shop::new().await;
    let mut counter = shop.open().await;
    counter.log_in().await;
    shop.control.arm(Fault::DropAfter, BankOperation::Withdrawal, Times::Next(1)).unwrap();
    counter.withdraw(&shop, "10000").await;
    counter.close().await;
    shop.clock.start_machine_again();
    let mut counter = shop.open().await;
    counter.press("3 Enter").await;
    counter.wait_for_word("state-needs-person").await;
    counter.press("s").await;
    counter.settle().await;
    assert_eq!((counter.attempts(), shop.ledger().requests.len()), (0, 1));
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_journal_that_vanished_locks_withdrawals_and_nothing_else() {
    let shop = Shop::new().await;
    let mut counter = shop.open().await;
    counter.log_in().await;
    counter.withdraw(&shop, "10000").await;
    counter.close().await;
    for name in ["money.db", "money.head"] {
        std::fs::remove_file(shop.journal_dir().join(name)).unwrap();
    }
    let mut counter = shop.open().await;
    counter.press("3").await;
    counter.wait_for_word("withdrawals-locked").await;
    counter.press("n").await;
    counter.make_link("4990", "Camiseta azul M").await;
    let model = counter.close().await;
    assert_eq!(model.withdrawals.trouble, Some(balcao::trade::JournalTrouble::Missing));
    assert!(!shop.journal_dir().join("money.db").exists(), "never begun anew in silence");
    assert_eq!(shop.ledger().payouts.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_journal_sends_nothing() {
    let shop = Shop::new().await;
    let mut counter = shop.open().await;
    counter.log_in().await;
    counter.withdraw(&shop, "10000").await;
    counter.close().await;
    let path = shop.journal_dir().join("money.head");
    let head = std::fs::read(&path).unwrap();
    std::fs::write(&path, b"somebody wrote here").unwrap();
    let mut counter = shop.open().await;
    counter.press("3").await;
    counter.wait_for_word("withdrawals-locked").await;
    let model = counter.close().await;
    assert!(model.withdrawals.trouble.is_some());
    // Put right, it opens as if nothing had been.
    std::fs::write(&path, head).unwrap();
    assert_eq!(shop.state(&shop.only_withdrawal()), "accepted");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_journal_damaged_while_open_is_said_and_nothing_is_sent() {
    let shop = Shop::new().await;
    let mut counter = shop.open().await;
    counter.log_in().await;
    counter.review(&shop, "10000").await;
    std::fs::write(shop.journal_dir().join("money.head"), b"somebody wrote here").unwrap();
    counter.press("Tab Enter").await;
    counter.wait_to_hear("Prepared").await;
    counter.settle().await;
    assert_eq!(counter.attempts(), 0);
    assert!(shop.ledger().requests.is_empty());
    let model = counter.close().await;
    let refused = format!("{:?}", model.layers);
    assert!(refused.contains("Journal("), "{refused}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_only_prepared_is_never_sent_by_itself() {
    let shop = Shop::new().await.untapped();
    let mut counter = shop.open().await;
    counter.log_in().await;
    counter.review(&shop, "10000").await;
    shop.control.arm(Fault::Refuse, Scope::Any, Times::Always).unwrap();
    counter.confirm().await;
    counter.close().await;
    shop.control.disarm_all().unwrap();
    let mut counter = shop.open().await;
    counter.settle().await;
    counter.assert_sees_no("reenviar por mais");
    counter.assert_sees_no("PREPARADO");
    counter.press("3").await;
    counter.wait_for_word("state-prepared").await;
    shop.clock.forward(Duration::from_secs(3_600));
    counter.press("Enter").await;
    counter.settle().await;
    assert!(shop.ledger().requests.is_empty());
    counter.send_again().await;
    counter.assert_sees_word("state-accepted");
    assert!(shop.paid_once_or_never());
    counter.close().await;
}
