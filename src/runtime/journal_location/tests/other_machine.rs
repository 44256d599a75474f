//! Tests of `money.machine`, which names the machine on which the journal is in use.

use super::*;
use crate::journal::money::{EventLookup, ReadOnlyJournal};

/// The location of the same directories on another machine, as if they had been copied.
fn location_elsewhere(machine: &Machine) -> JournalLocation {
    let dirs = Dirs {
        config: machine.path("config"),
        state: machine.path("state"),
    };
    JournalLocation::live(LiveJournal::for_machine(&dirs, "another one"), no_keyring())
}

fn other_machine(machine: &Machine) -> JournalTrouble {
    let opened = ReadOnlyJournal::open(&Files::new(machine.path("state/journal"))).unwrap();
    JournalTrouble::OtherMachine(opened.journal.contents())
}

#[tokio::test]
async fn copied_journal_is_locked_until_it_is_made_live() {
    let machine = Machine::new();
    Machine::record_withdrawal(&machine.location(&no_keyring()), 1).await;
    let copy = location_elsewhere(&machine);
    let trouble = other_machine(&machine);
    assert_eq!(open_error(&copy).await, trouble);
    let files = copy.files();
    let read_only = MoneyJournal::open_to_read(&files, trouble.clone()).unwrap();
    assert_eq!(
        check(&copy, Some(&read_only.journal)).await,
        Err(trouble.clone())
    );
    drop(read_only);
    assert_eq!(copy.make_live().await, Ok(()));
    Machine::record_withdrawal(&copy, 2).await;
    drop(copy);
    // The journal is now the other machine's, so it is locked on the first one.
    assert_eq!(
        open_error(&machine.location(&no_keyring())).await,
        other_machine(&machine)
    );
}

#[tokio::test]
async fn synced_journal_with_known_event_is_locked_too() {
    let machine = Machine::new();
    // Both machines have used the journal and remember an event of it.
    Machine::record_withdrawal(&machine.location(&no_keyring()), 1).await;
    let copy = location_elsewhere(&machine);
    assert_eq!(copy.make_live().await, Ok(()));
    Machine::record_withdrawal(&copy, 2).await;
    drop(copy);
    let here = machine.location(&no_keyring());
    assert_eq!(open_error(&here).await, other_machine(&machine));
    assert_eq!(here.make_live().await, Ok(()));
    Machine::record_withdrawal(&here, 3).await;
    drop(here);
    assert_eq!(
        open_error(&location_elsewhere(&machine)).await,
        other_machine(&machine)
    );
}

#[tokio::test]
async fn live_journal_without_machine_file_gets_it() {
    let machine = Machine::new();
    Machine::record_withdrawal(&machine.location(&no_keyring()), 1).await;
    let file = machine.path("state/journal/money.machine");
    let text = fs::read_to_string(&file).unwrap();
    fs::remove_file(&file).unwrap();
    Machine::record_withdrawal(&machine.location(&no_keyring()), 2).await;
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    assert!(
        !text.contains("this one"),
        "the name itself is not stored: {text}"
    );
}

#[tokio::test]
async fn empty_journal_of_another_machine_is_taken_over() {
    let machine = Machine::new();
    assert!(
        machine
            .location(&no_keyring())
            .open(&closed_inbox(), &Arc::default())
            .await
            .is_ok()
    );
    Machine::record_withdrawal(&location_elsewhere(&machine), 1).await;
    assert_eq!(
        open_error(&machine.location(&no_keyring())).await,
        other_machine(&machine)
    );
}

#[tokio::test]
async fn unreadable_machine_file_locks_until_made_live() {
    let machine = Machine::new();
    Machine::record_withdrawal(&machine.location(&no_keyring()), 1).await;
    let file = machine.path("state/journal/money.machine");
    for text in [
        &b""[..],
        b"balcao money.machine 2\n",
        b"\xff",
        &[b'0'; 5_000],
    ] {
        fs::write(&file, text).unwrap();
        let location = machine.location(&no_keyring());
        assert_eq!(open_error(&location).await, other_machine(&machine));
        assert_eq!(location.make_live().await, Ok(()));
        assert!(
            location
                .open(&closed_inbox(), &Arc::default())
                .await
                .is_ok()
        );
    }
}

#[tokio::test]
async fn older_copy_on_another_machine_stays_older() {
    let machine = machine_with_older_copy(&no_keyring()).await;
    // Sync the older copy back, with the name of another machine in it.
    Files::new(machine.path("copy/journal"))
        .record_machine("another one")
        .unwrap();
    machine.delete_dir("state");
    machine.move_dir("copy", "state");
    let location = machine.location(&no_keyring());
    assert_eq!(
        open_error(&location).await,
        JournalTrouble::Older { missing: 3 }
    );
}

#[tokio::test]
async fn make_live_cut_short_never_unlocks_a_copy() {
    let machine = Machine::new();
    Machine::record_withdrawal(&machine.location(&no_keyring()), 1).await;
    let copy = location_elsewhere(&machine);
    // Make the write of `money.machine` fail, as if the program was killed just before it.
    let temporary = machine.path("state/journal/money.machine.new");
    fs::create_dir(&temporary).unwrap();
    assert!(copy.make_live().await.is_err());
    assert_eq!(open_error(&copy).await, other_machine(&machine));
    fs::remove_dir(&temporary).unwrap();
    // The first machine can still use its journal.
    assert!(
        machine
            .location(&no_keyring())
            .open(&closed_inbox(), &Arc::default())
            .await
            .is_ok()
    );
    assert_eq!(copy.make_live().await, Ok(()));
    assert!(copy.open(&closed_inbox(), &Arc::default()).await.is_ok());
}
