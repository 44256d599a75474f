//! Tests that damage, loss and tampering are always detected, and never repaired silently.

use std::fs;
use std::path::Path;

use crate::journal::money::samples::*;
use crate::journal::money::{Files, MoneyJournal};
use crate::trade::withdrawal::{Blocker, Class, Decision, NotDone, SaysFailed};
use crate::trade::{JournalTrouble, Wall};

fn try_open(dir: &Path) -> Result<MoneyJournal, JournalTrouble> {
    MoneyJournal::open(Files::new(dir), true)
}

fn trouble(dir: &Path) -> JournalTrouble {
    try_open(dir).err().expect("the damage must be seen")
}

fn assert_damaged(dir: &Path, what: &str) {
    let before = (
        fs::read(dir.join("money.db")).ok(),
        fs::read(dir.join("money.head")).ok(),
    );
    assert!(
        matches!(trouble(dir), JournalTrouble::Damaged(_)),
        "{what}: {:?}",
        trouble(dir)
    );
    let after = (
        fs::read(dir.join("money.db")).ok(),
        fs::read(dir.join("money.head")).ok(),
    );
    assert_eq!(before, after, "{what}: the files must stay as they are");
}

#[test]
fn every_changed_column_is_detected() {
    let changes = [
        "UPDATE event SET at = at + 1 WHERE n = 2",
        "UPDATE event SET key = (SELECT key FROM event WHERE n = 4) WHERE n = 2",
        "UPDATE event SET key = upper(replace(key, '0', 'a')) WHERE n = 10",
        "UPDATE event SET kind = 'discarded' WHERE n = 7",
        "UPDATE event SET plain = replace(plain, '3.00', '9.00') WHERE n = 7",
        "UPDATE event SET personal = replace(personal, 'ana', 'eve') WHERE n = 7",
        "UPDATE event SET personal_sum = zeroblob(32) WHERE n = 7",
        "UPDATE event SET personal_sum = NULL WHERE n = 7",
        "UPDATE event SET personal_sum = NULL, personal = NULL WHERE n = 7",
        "UPDATE event SET personal = NULL WHERE n = 7",
        "UPDATE event SET personal = NULL WHERE n = 8",
        "UPDATE event SET sum = zeroblob(32) WHERE n = 10",
        "UPDATE event SET sum = zeroblob(31) WHERE n = 5",
        "UPDATE event SET n = 11 WHERE n = 10",
        "DELETE FROM event WHERE n = 10",
        "DELETE FROM event WHERE n = 5",
        "DELETE FROM event",
        "DROP TABLE event",
        "ALTER TABLE event RENAME TO events",
        "ALTER TABLE event RENAME COLUMN plain TO plane",
        "PRAGMA user_version = 0",
        "PRAGMA application_id = 7",
    ];
    for change in changes {
        let dir = tempfile::tempdir().unwrap();
        fill_journal(dir.path());
        execute_sql(dir.path(), change);
        assert_damaged(dir.path(), change);
    }
}

#[test]
fn decided_rows_are_purged_and_chain_verifies() {
    let dir = tempfile::tempdir().unwrap();
    fill_journal(dir.path());
    let count_on_disk = |text: &str| {
        let bytes = fs::read(dir.path().join("money.db")).unwrap();
        String::from_utf8_lossy(&bytes).matches(text).count()
    };
    assert_eq!(count_on_disk("ana@loja.example"), 11);
    let mut journal = try_open(dir.path()).unwrap();
    let later = Wall(90_000_000);
    assert_eq!(journal.purge(Wall(1_000), later), Ok(0));
    assert_eq!(
        journal.purge(later, Wall(9_000)),
        Ok(0),
        "the last day is kept"
    );
    assert_eq!(journal.purge(later, later), Ok(2));
    // The personal data of the prepared withdrawal and of the withdrawal with an unknown outcome is
    // not deleted.
    assert_eq!(count_on_disk("ana@loja.example"), 5);
    assert_eq!(
        journal.page(None, "accepted ana", 0, 9).unwrap().total,
        Some(0)
    );
    let reopened = try_open(dir.path()).unwrap();
    for mut journal in [journal, reopened] {
        assert_eq!(journal.verify(), Ok(10));
        let purged = journal.get(key(1)).unwrap().unwrap();
        assert_eq!(
            (&*purged.agreement.body, purged.agreement.destination),
            ("", None)
        );
        let end = purged.attempts[0].end.as_ref().unwrap();
        assert_eq!((&end.message, &end.class), (&None, &confirmed()));
        let open = journal.get(key(4)).unwrap().unwrap();
        assert_eq!(open.agreement, agreement(4, 400));
    }
    make_attempt(&mut open(dir.path()), 4, 5, confirmed());
}

#[test]
fn purge_clears_failure_word_but_keeps_class() {
    let dir = tempfile::tempdir().unwrap();
    let failure = SaysFailed {
        member: "error".into(),
        word: "for ana@loja.example".into(),
    };
    let mut journal = open(dir.path());
    prepare_and_attempt(&mut journal, 1, 100, Class::SaysFailed(failure.clone()));
    let class = |journal: &mut MoneyJournal| {
        let known = journal.get(key(1)).unwrap().unwrap();
        known.attempts[0].end.as_ref().unwrap().class.clone()
    };
    assert_eq!(class(&mut open(dir.path())), Class::SaysFailed(failure));
    journal
        .decide(key(1), Decision::StatedNotPaid, &clocks(2), &WINDOW)
        .unwrap();
    let later = Wall(90_000_000);
    assert_eq!(journal.purge(later, later), Ok(1));
    let bytes = fs::read(dir.path().join("money.db")).unwrap();
    assert!(!String::from_utf8_lossy(&bytes).contains("ana@loja.example"));
    let blank = SaysFailed {
        member: "error".into(),
        word: "".into(),
    };
    assert_eq!(class(&mut open(dir.path())), Class::SaysFailed(blank));
}

#[test]
fn sending_a_purged_withdrawal_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    fill_journal(dir.path());
    let mut journal = open(dir.path());
    let later = Wall(90_000_000);
    assert_eq!(journal.purge(later, later), Ok(2));
    let lock = journal.lock(key(1)).unwrap();
    let result = journal.begin(lock, key(1), None, &clocks(5), &WINDOW);
    assert_eq!(result.err(), Some(NotDone::Blocked(Blocker::State)));
    assert_eq!(journal.trouble(), None);
    make_attempt(&mut journal, 4, 5, confirmed());
}

#[test]
fn a_destination_in_an_alarm_is_personal() {
    let dir = tempfile::tempdir().unwrap();
    prepare_and_attempt(&mut open(dir.path()), 1, 100, wrong_destination());
    execute_sql(
        dir.path(),
        "PRAGMA secure_delete = ON; UPDATE event SET personal = NULL WHERE n = 3",
    );
    assert!(
        !String::from_utf8_lossy(&fs::read(dir.path().join("money.db")).unwrap())
            .contains("mallory")
    );
    let stored = open(dir.path()).get(key(1)).unwrap().unwrap();
    assert_eq!(stored.state(&clocks(2), &WINDOW, false).name(), "mismatch");
}

#[test]
fn rollback_of_a_single_file_is_detected() {
    let dir = tempfile::tempdir().unwrap();
    let db = dir.path().join("money.db");
    let head = dir.path().join("money.head");
    let mut journal = open(dir.path());
    let mut copies = vec![(fs::read(&db).unwrap(), fs::read(&head).unwrap())];
    for n in 1..4 {
        journal.prepare(agreement(n, n as i64), None).unwrap();
        copies.push((fs::read(&db).unwrap(), fs::read(&head).unwrap()));
    }
    drop(journal);
    for (old_db, _) in &copies[..3] {
        fs::write(&db, old_db).unwrap();
        assert_damaged(dir.path(), "an older database");
    }
    fs::write(&db, &copies[3].0).unwrap();
    for (_, old_head) in &copies[..2] {
        fs::write(&head, old_head).unwrap();
        assert_damaged(dir.path(), "an older head");
    }
    // A `money.head` that is one event behind is repaired. It occurs if the process is killed
    // between the two writes.
    fs::write(&head, &copies[2].1).unwrap();
    assert_eq!(try_open(dir.path()).unwrap().verify(), Ok(3));
    assert_eq!(fs::read(&head).unwrap(), copies[3].1);
    // A `money.head` with the previous event number but a wrong checksum is damage.
    let other = String::from_utf8(copies[2].1.clone()).unwrap();
    let (start, sum) = other.trim_end().split_at(other.trim_end().len() - 1);
    let flipped = if sum == "0" { "1" } else { "0" };
    fs::write(&head, format!("{start}{flipped}\n")).unwrap();
    assert_damaged(dir.path(), "a head of another chain");
}

#[test]
fn missing_partial_and_other_version_are_reported() {
    let none = tempfile::tempdir().unwrap();
    let inner = none.path().join("never");
    assert_eq!(trouble(&inner), JournalTrouble::Missing);
    assert!(!inner.exists());
    assert_eq!(trouble(none.path()), JournalTrouble::Missing);

    let dir = tempfile::tempdir().unwrap();
    fill_journal(dir.path());
    let aside = dir.path().join("aside");
    fs::rename(dir.path().join("money.db"), &aside).unwrap();
    assert_damaged(dir.path(), "half a journal");
    let unexpected = MoneyJournal::open(Files::new(dir.path()), false);
    assert!(
        matches!(unexpected.err(), Some(JournalTrouble::Damaged(_))),
        "never begun anew"
    );
    assert!(!dir.path().join("money.db").exists());
    fs::write(dir.path().join("money.db"), "").unwrap();
    assert_damaged(dir.path(), "an empty database");
    fs::rename(&aside, dir.path().join("money.db")).unwrap();
    fs::rename(dir.path().join("money.head"), &aside).unwrap();
    assert_damaged(dir.path(), "no head");
    fs::rename(&aside, dir.path().join("money.head")).unwrap();
    execute_sql(dir.path(), "PRAGMA user_version = 2");
    let bytes = fs::read(dir.path().join("money.db")).unwrap();
    assert_eq!(
        trouble(dir.path()),
        JournalTrouble::OtherVersion { found: 2, known: 4 }
    );
    assert_eq!(fs::read(dir.path().join("money.db")).unwrap(), bytes);
    execute_sql(dir.path(), "PRAGMA user_version = 4");
    assert!(try_open(dir.path()).is_ok());
}

#[test]
fn removed_file_blocks_an_open_journal() {
    for name in ["money.db", "money.head"] {
        let (dir, mut journal) = new_journal();
        journal.prepare(agreement(1, 100), None).unwrap();
        fs::remove_file(dir.path().join(name)).unwrap();
        let lock = journal.lock(key(1)).unwrap();
        let result = journal.begin(lock, key(1), None, &clocks(2), &WINDOW);
        assert!(
            matches!(result, Err(NotDone::Journal(_))),
            "{name}: {result:?}"
        );
        assert!(journal.trouble().is_some());
        assert!(try_open(dir.path()).is_err(), "{name}");
    }
}
