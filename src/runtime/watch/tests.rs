use std::path::PathBuf;
use std::time::Duration;

use notify::event::{AccessKind, AccessMode, CreateKind, ModifyKind, RemoveKind, RenameMode};

use super::*;
use crate::journal::OsDisk;
use crate::journal::history::History;
use crate::journal::money::MoneyJournal;
use crate::journal::money::samples;
use crate::trade::{LinkRequest, Money, Wall};

/// Long enough for a loaded machine.
const LIMIT: Duration = Duration::from_secs(10);

async fn rings(bell: &Notify) {
    tokio::time::timeout(LIMIT, bell.notified()).await.expect("it rings");
}

fn is_silent(bell: &Notify) -> bool {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};
    let mut notified = pin!(bell.notified());
    notified.as_mut().poll(&mut Context::from_waker(Waker::noop())) == Poll::Pending
}

fn heard(kind: EventKind, name: &str) -> (bool, bool) {
    let bells = Bells::default();
    bells.ring(&Event::new(kind).add_path(PathBuf::from("/state").join(name)));
    (!is_silent(&bells.money), !is_silent(&bells.history))
}

#[test]
fn only_what_is_written_at_its_end_rings() {
    let written = EventKind::Modify(ModifyKind::Any);
    let renamed = EventKind::Modify(ModifyKind::Name(RenameMode::To));
    assert_eq!(heard(renamed, "money.head"), (true, false));
    assert_eq!(heard(EventKind::Create(CreateKind::File), "money.head"), (true, false));
    assert_eq!(heard(written, "history.db-wal"), (false, true));
    for name in [
        "money.db",
        "money.db-journal",
        "money.head.new",
        "money.lock",
        "account-0123456789abcdef.lock",
        "history.db-shm",
        "",
    ] {
        assert_eq!(heard(written, name), (false, false), "{name}");
    }
    for kind in [
        EventKind::Access(AccessKind::Open(AccessMode::Any)),
        EventKind::Access(AccessKind::Close(AccessMode::Write)),
        EventKind::Remove(RemoveKind::File),
        EventKind::Other,
    ] {
        assert_eq!(heard(kind, "money.head"), (false, false), "{kind:?}");
    }
}

#[tokio::test]
async fn another_window_that_writes_is_heard_and_one_that_reads_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let mut one = MoneyJournal::open(folder.path(), OsDisk, false).unwrap();
    let mut history = History::open(folder.path(), Wall(0)).unwrap().0;
    let mut other = History::open(folder.path(), Wall(0)).unwrap().0;
    let bells = Arc::new(Bells::default());
    let _watch = Watch::start(folder.path(), bells.clone()).unwrap();

    // Opening a second time, reading, verifying and looking at locks.
    let mut two = MoneyJournal::open(folder.path(), OsDisk, true).unwrap();
    two.verify().unwrap();
    two.page(None, "", 0, 10).unwrap();
    let agreement = samples::agreement(1, 10_000);
    two.in_flight(&agreement.account).unwrap();
    history.links(None, "", 0, 10).unwrap();
    assert!(!history.changed_elsewhere().unwrap());
    // The system tells in order: once this is heard, everything before it was.
    other.begin_link(&link(), Wall(1)).unwrap();
    rings(&bells.history).await;
    assert!(is_silent(&bells.money));
    assert!(history.changed_elsewhere().unwrap());
    assert!(!history.changed_elsewhere().unwrap());
    history.begin_link(&link(), Wall(2)).unwrap();
    assert!(!history.changed_elsewhere().unwrap(), "its own changes are no news");

    one.prepare(agreement, None).unwrap();
    rings(&bells.money).await;
    assert!(two.catch_up().unwrap());
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
async fn a_directory_that_is_not_there_cannot_be_listened_to() {
    let folder = tempfile::tempdir().unwrap();
    assert!(Watch::start(&folder.path().join("gone"), Arc::default()).is_err());
}
