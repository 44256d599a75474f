//! Tests of watching a directory: writes cause a notification, but reading, opening or locking a
//! file does not.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use super::*;
use crate::journal::history::History;
use crate::journal::money::samples;
use crate::journal::money::{Files, MoneyJournal};
use crate::journal::requests::{RequestOwner, Requests};
use crate::trade::{Exchange, Failure, LinkRequest, Money, Operation, Origin, PagePosition, Wall};

/// A time limit that is never reached, even on a busy machine.
const LIMIT: Duration = Duration::from_secs(10);

async fn wait_for(change: &Notify) {
    tokio::time::timeout(LIMIT, change.notified())
        .await
        .expect("it is told");
}

fn is_not_notified(change: &Notify) -> bool {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};
    let mut notified = pin!(change.notified());
    notified
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()))
        == Poll::Pending
}

/// Two flags: whether a change of the journal of withdrawals was reported, and whether a change of
/// the history was reported.
pub(super) fn take_notifications(changes: &ChangeNotifier) -> (bool, bool) {
    (
        !is_not_notified(&changes.money),
        !is_not_notified(&changes.history),
    )
}

#[test]
fn only_money_head_and_history_files_notify() {
    let notify = |name: &str| {
        let changes = ChangeNotifier::default();
        changes.notify(name);
        take_notifications(&changes)
    };
    assert_eq!(notify("money.head"), (true, false));
    assert_eq!(notify("history.db"), (false, true));
    assert_eq!(notify("history.db-wal"), (false, true));
    for name in [
        "money.db",
        "money.db-journal",
        "money.head.new",
        "money.machine",
        "money.lock",
        "account-0123456789abcdef.lock",
        "history.db-shm",
        "requests",
        "",
    ] {
        assert_eq!(notify(name), (false, false), "{name}");
    }
}

#[tokio::test]
async fn only_written_or_renamed_files_notify() {
    let folder = tempfile::tempdir().unwrap();
    let head = folder.path().join("money.head");
    let new = folder.path().join("money.head.new");
    let wal = folder.path().join("history.db-wal");
    fs::write(&head, "1").unwrap();
    let changes = Arc::new(ChangeNotifier::default());
    let watch = Watch::start(folder.path(), changes.clone()).unwrap();

    // File events arrive in order, so once the last of them (the write to the history) is reported,
    // all earlier events have arrived.
    fs::read(&head).unwrap();
    fs::File::options().write(true).open(&head).unwrap();
    fs::remove_file(&head).unwrap();
    fs::write(&new, "2").unwrap();
    fs::write(&wal, "1").unwrap();
    wait_for(&changes.history).await;
    assert!(is_not_notified(&changes.money));

    fs::rename(&new, &head).unwrap();
    wait_for(&changes.money).await;
    drop(watch);
}

#[tokio::test]
async fn only_writes_of_another_window_notify() {
    let folder = tempfile::tempdir().unwrap();
    let mut writing_journal = MoneyJournal::open(Files::new(folder.path()), false).unwrap();
    let mut history = History::open(folder.path(), Wall(0)).unwrap().0;
    let mut other_history = History::open(folder.path(), Wall(0)).unwrap().0;
    let changes = Arc::new(ChangeNotifier::default());
    let _watch = Watch::start(folder.path(), changes.clone()).unwrap();

    // Opening, reading and verifying the journal and checking its locks must not be reported as
    // changes.
    let mut reading_journal = MoneyJournal::open(Files::new(folder.path()), true).unwrap();
    reading_journal.verify().unwrap();
    reading_journal.page(None, "", 0, 10).unwrap();
    let agreement = samples::agreement(1, 10_000);
    reading_journal.in_flight(&agreement.account).unwrap();
    history
        .sales::<LinkRequest>("", PagePosition::Top, 10)
        .unwrap();
    // Every HTTP request is stored, so storing one must not be reported as a change either.
    let owner = RequestOwner {
        profile: "loja".into(),
        origin: Origin("https://x".into()),
    };
    let reply = Err(Failure::Cancelled);
    let exchange = Exchange::new(Operation::Domains, "GET", "https://x/", reply);
    let mut requests = Requests::open(folder.path(), Wall(0)).unwrap();
    requests.store(&owner, &exchange).unwrap();
    assert!(!history.changed_elsewhere().unwrap());
    // File events arrive in order, so once this write is reported, all earlier events have arrived.
    other_history.begin(&link(), Wall(1)).unwrap();
    wait_for(&changes.history).await;
    assert!(is_not_notified(&changes.money));
    assert!(history.changed_elsewhere().unwrap());
    assert!(!history.changed_elsewhere().unwrap());
    history.begin(&link(), Wall(2)).unwrap();
    assert!(
        !history.changed_elsewhere().unwrap(),
        "its own changes are no news"
    );

    writing_journal.prepare(agreement, None).unwrap();
    wait_for(&changes.money).await;
    assert!(reading_journal.catch_up().unwrap());
}

fn link() -> LinkRequest {
    LinkRequest {
        account: samples::account("ana"),
        amount: Money::from_centavos(4_990),
        description: "Bolo".into(),
        domain: None,
    }
}

#[tokio::test]
async fn missing_directory_cannot_be_watched() {
    let folder = tempfile::tempdir().unwrap();
    assert!(Watch::start(&folder.path().join("gone"), Arc::default()).is_err());
}
