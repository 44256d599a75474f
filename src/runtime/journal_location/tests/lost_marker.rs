//! Tests of a journal whose marker file was deleted, for example when a dotfiles repository was
//! cleaned. The journal may then be an older state.

use super::*;
use crate::journal::money::{EventLookup, ReadOnlyJournal};
use crate::runtime::marker::VaultEntry;
use crate::trade::JournalContents;
use crate::vault::MemoryVault;

/// A keyring that keeps its entries as long as a clone of the handle exists.
fn keyring() -> VaultHandle {
    VaultHandle::on_thread(VaultKind::Keyring, || Box::new(MemoryVault::default()))
}

fn contents(machine: &Machine) -> JournalContents {
    ReadOnlyJournal::open(&Files::new(machine.path("state/journal")))
        .unwrap()
        .journal
        .contents()
}

fn vault_entry_name(machine: &Machine) -> String {
    MarkerFile::new(&machine.path("config"), "this one").name_in_vault()
}

/// The marker in the vault.
async fn vault_entry(machine: &Machine, vault: &VaultHandle) -> Option<VaultEntry> {
    let text = vault.get_text(&vault_entry_name(machine)).await.unwrap();
    text.map(|text| VaultEntry::parse(&text))
}

/// A machine whose configuration directory cannot be created.
fn machine_without_config() -> Machine {
    let machine = Machine::new();
    fs::write(machine.path("config"), "no directory").unwrap();
    machine
}

#[tokio::test]
async fn older_state_without_its_marker_file_is_locked() {
    for (vault, is_in_vault) in [(no_keyring(), false), (keyring(), true)] {
        let machine = machine_with_older_copy(&vault).await;
        machine.delete_dir("state");
        machine.move_dir("copy", "state");
        machine.delete_dir("config");
        let location = machine.location(&vault);
        let trouble = if is_in_vault {
            JournalTrouble::Older { missing: 3 }
        } else {
            JournalTrouble::Unmarked(contents(&machine))
        };
        assert_eq!(open_error(&location).await, trouble);
        let files = location.files();
        let read_only = MoneyJournal::open_to_read(&files, trouble.clone()).unwrap();
        assert_eq!(
            check(&location, Some(&read_only.journal)).await,
            Err(trouble)
        );
        assert_eq!(machine.marker_entry(), None, "nothing is repaired");
    }
}

#[tokio::test]
async fn older_state_noticed_by_the_vault_can_be_set_aside() {
    let vault = keyring();
    let machine = machine_with_older_copy(&vault).await;
    machine.delete_dir("state");
    machine.move_dir("copy", "state");
    machine.delete_dir("config");
    let older = JournalTrouble::Older { missing: 3 };
    assert_eq!(open_error(&machine.location(&vault)).await, older);
    let location = machine.location(&vault);
    let marked = location.marked_events().await.unwrap();
    let files = location.files();
    let aside = files.set_aside(&marked, crate::trade::Wall(0)).unwrap();
    assert!(aside.join("money.machine").exists() && !files.dir().join("money.machine").exists());
    assert_eq!(location.delete_markers_of_set_aside().await, Ok(()));
    Machine::record_withdrawal(&machine.location(&vault), 1).await;
}

#[tokio::test]
async fn vault_without_the_newest_event_is_enough() {
    let vault = keyring();
    let machine = Machine::new();
    Machine::record_withdrawal(&machine.location(&vault), 1).await;
    let location = machine.location(&vault);
    let mut journal = location
        .open(&closed_inbox(), &Arc::default())
        .await
        .unwrap();
    prepare_and_attempt(&mut journal, 2, 200, confirmed());
    drop((journal, location));
    assert_eq!(
        vault_entry(&machine, &vault)
            .await
            .unwrap()
            .event
            .unwrap()
            .n,
        3
    );
    for config in ["config", "config-2"] {
        let location = machine.location_in(config, "state", &vault);
        let journal = location
            .open(&closed_inbox(), &Arc::default())
            .await
            .unwrap();
        assert_eq!(journal.last_event().n, 6);
        Machine::mark_in_vault(&location, &journal).await;
        let entry = vault_entry(&machine, &vault).await.unwrap();
        assert_eq!(entry.event, Some(journal.last_event()));
    }
}

#[tokio::test]
async fn earlier_marker_is_read_and_gets_an_event() {
    let vault = keyring();
    let machine = Machine::new();
    Machine::record_withdrawal(&machine.location(&vault), 1).await;
    machine.delete_dir("config");
    let path = machine.path("state/journal").display().to_string();
    vault
        .put_marker(&vault_entry_name(&machine), &path)
        .await
        .unwrap();
    Machine::record_withdrawal(&machine.location(&vault), 2).await;
    let entry = vault_entry(&machine, &vault).await.unwrap();
    assert_eq!(
        (entry.journal, entry.event.unwrap().n),
        (machine.path("state/journal"), 6)
    );
}

#[tokio::test]
async fn vault_marker_of_another_journal_is_not_replaced() {
    let vault = keyring();
    let machine = machine_with_older_copy(&vault).await;
    let location = machine.location(&vault);
    let journal = location
        .open(&closed_inbox(), &Arc::default())
        .await
        .unwrap();
    let other = VaultEntry {
        journal: machine.path("copy/journal"),
        event: None,
    };
    vault
        .put_marker(&vault_entry_name(&machine), &other.to_text())
        .await
        .unwrap();
    Machine::mark_in_vault(&location, &journal).await;
    assert_eq!(vault_entry(&machine, &vault).await, Some(other));
}

#[tokio::test]
async fn journal_without_markers_is_used_after_make_live() {
    let machine = Machine::new();
    Machine::record_withdrawal(&machine.location(&no_keyring()), 1).await;
    machine.delete_dir("config");
    let location = machine.location(&no_keyring());
    let unmarked = contents(&machine);
    assert_eq!((unmarked.withdrawals, unmarked.open), (1, 0));
    assert_eq!(
        open_error(&location).await,
        JournalTrouble::Unmarked(unmarked)
    );
    assert_eq!(location.make_live().await, Ok(()));
    assert_eq!(machine.marker_entry().unwrap().event.n, 3);
    Machine::record_withdrawal(&machine.location(&no_keyring()), 2).await;
}

#[tokio::test]
async fn empty_journal_needs_no_marker() {
    let machine = Machine::new();
    for _ in 0..2 {
        let location = machine.location(&keyring());
        let journal = location
            .open(&closed_inbox(), &Arc::default())
            .await
            .unwrap();
        assert_eq!(journal.events(), 0);
        Machine::mark_in_vault(&location, &journal).await;
    }
    assert_eq!(machine.marker_entry(), None);
}

#[tokio::test]
async fn journal_that_nothing_can_mark_starts_as_before() {
    for vault in [no_keyring(), VaultHandle::memory()] {
        let machine = machine_without_config();
        let location = machine.location(&vault);
        let mut journal = location
            .open(&closed_inbox(), &Arc::default())
            .await
            .unwrap();
        prepare_and_attempt(&mut journal, 1, 100, confirmed());
        assert!(!location.liveness().await.unwrap().can_be_marked);
        drop((journal, location));
        assert!(
            machine
                .location(&vault)
                .open(&closed_inbox(), &Arc::default())
                .await
                .is_ok()
        );
        // Once a marker is possible, its absence may mean that it was deleted.
        fs::remove_file(machine.path("config")).unwrap();
        let location = machine.location(&vault);
        assert_eq!(
            open_error(&location).await,
            JournalTrouble::Unmarked(contents(&machine))
        );
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
async fn vault_alone_marks_a_journal_before_its_first_event() {
    let vault = keyring();
    let machine = machine_without_config();
    let location = machine.location(&vault);
    let mut journal = location
        .open(&closed_inbox(), &Arc::default())
        .await
        .unwrap();
    Machine::mark_in_vault(&location, &journal).await;
    journal.prepare(agreement(1, 100), None).unwrap();
    drop((journal, location));
    // The program was killed before it updated the marker, which still names event 0.
    assert_eq!(
        vault_entry(&machine, &vault)
            .await
            .unwrap()
            .event
            .unwrap()
            .n,
        0
    );
    assert!(
        machine
            .location(&vault)
            .open(&closed_inbox(), &Arc::default())
            .await
            .is_ok()
    );
    vault
        .delete_marker(&vault_entry_name(&machine))
        .await
        .unwrap();
    let unmarked = JournalTrouble::Unmarked(contents(&machine));
    assert_eq!(open_error(&machine.location(&vault)).await, unmarked);
}
