//! Tests of each journal error, of reading on a read-only disk, and of moving a damaged journal to
//! a new directory.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::journal::disk::DiskStep;
use crate::journal::money::samples::*;
use crate::journal::money::{Export, Files, MoneyJournal, NotSetAside};
use crate::trade::withdrawal::{Decision, NotDone};
use crate::trade::{JournalTrouble, Wall};

type Damage = fn(&Path);

#[test]
fn failed_step_reports_the_error_of_the_disk() {
    for (kind, is_expected) in [
        (
            ErrorKind::StorageFull,
            (|t| matches!(t, JournalTrouble::Full(_))) as fn(&_) -> bool,
        ),
        (ErrorKind::QuotaExceeded, |t| {
            matches!(t, JournalTrouble::Full(_))
        }),
        (ErrorKind::ReadOnlyFilesystem, |t| {
            matches!(t, JournalTrouble::ReadOnly(_))
        }),
        (ErrorKind::PermissionDenied, |t| {
            matches!(t, JournalTrouble::ReadOnly(_))
        }),
        (ErrorKind::Other, |t| matches!(t, JournalTrouble::Io(_))),
    ] {
        for step in DiskStep::ALL {
            let dir = tempfile::tempdir().unwrap();
            let inner = dir.path().join("state");
            let disk = FaultyDisk::default();
            disk.set_error(kind);
            disk.fail_at(step, DiskFault::Before);
            let mut journal = match MoneyJournal::open(Files::on_disk(&inner, disk.clone()), false)
            {
                Err(trouble) => {
                    assert!(
                        disk.has_failed() && is_expected(&trouble),
                        "{step:?} {kind:?}: {trouble:?}"
                    );
                    continue;
                }
                Ok(journal) => journal,
            };
            let prepared = journal.prepare(agreement(1, 100), None);
            if let (Err(NotDone::Journal(trouble)), true) = (&prepared, disk.has_failed()) {
                assert!(is_expected(trouble), "{step:?} {kind:?}: {trouble:?}");
                assert_eq!(journal.trouble(), Some(trouble));
                continue;
            }
            prepared.unwrap();
            let purged = journal.purge(Wall(9_000), Wall(90_000_000));
            assert_eq!(step, DiskStep::Purge, "every other step was taken before");
            assert_eq!(purged, Ok(0), "nothing was there to blank");
        }
    }
}

#[test]
fn lock_held_too_long_is_reported_as_busy() {
    let dir = tempfile::tempdir().unwrap();
    fill_journal(dir.path());
    let _lock = crate::journal::lock::lock_journal(dir.path()).unwrap();
    let result = MoneyJournal::open(Files::new(dir.path()), true);
    assert!(matches!(result.err(), Some(JournalTrouble::Busy(_))));
    let opened_to_read =
        MoneyJournal::open_to_read(&Files::new(dir.path()), read_only_error()).unwrap();
    assert_eq!(
        opened_to_read.journal.last_event().n,
        10,
        "it can be read meanwhile"
    );
}

#[test]
fn open_withdrawals_are_read_without_write_access() {
    let dir = tempfile::tempdir().unwrap();
    fill_journal(dir.path());
    fs::remove_file(dir.path().join("money.lock")).unwrap();
    let before = file_contents(dir.path());
    let opened = MoneyJournal::open_to_read(&Files::new(dir.path()), read_only_error()).unwrap();
    let mut journal = opened.journal;
    assert!(!opened.is_ahead);
    assert_eq!(journal.trouble(), Some(&read_only_error()));
    let open: Vec<_> = journal
        .open_withdrawals()
        .unwrap()
        .iter()
        .map(|w| w.agreement.key)
        .collect();
    assert_eq!(open, [key(4)]);
    assert_eq!(journal.page(None, "", 0, 9).unwrap().total, Some(4));
    assert_eq!(
        journal.prepare(agreement(5, 500), None),
        Err(NotDone::Journal(read_only_error()))
    );
    assert_eq!(
        journal.lock(key(4)).err(),
        Some(NotDone::Journal(read_only_error()))
    );
    assert_eq!(
        journal.purge(Wall(9_000), Wall(90_000_000)),
        Err(read_only_error())
    );
    assert_eq!(file_contents(dir.path()), before, "not a byte, and no lock");
    // A journal that is open only for reading sees events that another process writes later.
    make_attempt(&mut open_existing(dir.path()), 4, 5, confirmed());
    assert!(journal.open_withdrawals().unwrap().is_empty());
}

fn open_existing(dir: &Path) -> MoneyJournal {
    MoneyJournal::open(Files::new(dir), true).unwrap()
}

#[test]
fn reading_reports_the_same_damage_as_opening() {
    let cases: [(&str, Damage); 4] = [
        ("a changed row", |dir| {
            execute_sql(dir, "UPDATE event SET at = 1 WHERE n = 2")
        }),
        ("a lost end", |dir| {
            execute_sql(dir, "DELETE FROM event WHERE n = 10")
        }),
        ("no head", |dir| {
            fs::remove_file(dir.join("money.head")).unwrap()
        }),
        ("no database", |dir| {
            fs::remove_file(dir.join("money.db")).unwrap()
        }),
    ];
    for (what, apply_damage) in cases {
        let dir = tempfile::tempdir().unwrap();
        fill_journal(dir.path());
        apply_damage(dir.path());
        let before = file_contents(dir.path());
        let error = MoneyJournal::open_to_read(&Files::new(dir.path()), read_only_error()).err();
        assert!(
            matches!(error, Some(JournalTrouble::Damaged(_))),
            "{what}: {error:?}"
        );
        assert_eq!(
            error,
            MoneyJournal::open(Files::new(dir.path()), true).err(),
            "{what}"
        );
        assert_eq!(file_contents(dir.path()), before, "{what}");
    }
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(
        MoneyJournal::open_to_read(&Files::new(dir.path()), read_only_error()).err(),
        Some(JournalTrouble::Missing)
    );
    fill_journal(dir.path());
    execute_sql(dir.path(), "PRAGMA user_version = 2");
    let expected = Some(JournalTrouble::OtherVersion { found: 2, known: 4 });
    assert_eq!(
        MoneyJournal::open_to_read(&Files::new(dir.path()), read_only_error()).err(),
        expected
    );
}

#[test]
fn empty_files_report_a_cut_short_first_start() {
    let damage_text =
        |dir: &Path| match MoneyJournal::open_to_read(&Files::new(dir), read_only_error()).err() {
            Some(JournalTrouble::Damaged(why)) => why,
            other => panic!("{other:?}"),
        };
    let dir = tempfile::tempdir().unwrap();
    drop(open(dir.path()));
    let db = dir.path().join("money.db");
    let head = dir.path().join("money.head");
    let original_head = fs::read(&head).unwrap();
    // If the first start of the program was interrupted, `money.head` is missing or the database is
    // empty.
    fs::remove_file(&head).unwrap();
    assert!(
        damage_text(dir.path()).contains("a first start was cut short"),
        "{}",
        damage_text(dir.path())
    );
    fs::write(&db, "").unwrap();
    assert!(
        damage_text(dir.path()).contains("a first start was cut short"),
        "{}",
        damage_text(dir.path())
    );
    // `money.head` shows that the journal is not new, so an empty database is damage.
    fs::write(&head, original_head).unwrap();
    assert!(
        damage_text(dir.path()).ends_with("it is empty"),
        "{}",
        damage_text(dir.path())
    );
    // A journal that contains a withdrawal never counts as new, even if `money.head` is missing.
    let dir = tempfile::tempdir().unwrap();
    fill_journal(dir.path());
    fs::remove_file(dir.path().join("money.head")).unwrap();
    assert!(
        damage_text(dir.path()).ends_with("money.head beside it is gone"),
        "{}",
        damage_text(dir.path())
    );
}

#[test]
fn single_event_ahead_is_reported_and_not_repaired() {
    let (dir, mut journal) = new_journal();
    journal.prepare(agreement(1, 100), None).unwrap();
    let head = fs::read(dir.path().join("money.head")).unwrap();
    journal.prepare(agreement(2, 200), None).unwrap();
    make_attempt(&mut journal, 1, 2, timed_out());
    assert!(
        MoneyJournal::open_to_read(&Files::new(dir.path()), read_only_error())
            .is_ok_and(|opened| !opened.is_ahead)
    );
    fs::write(dir.path().join("money.head"), &head).unwrap();
    // A `money.head` that is two events behind is damage, because killing a process cannot cause
    // that.
    let error = MoneyJournal::open_to_read(&Files::new(dir.path()), read_only_error()).err();
    assert!(
        matches!(error, Some(JournalTrouble::Damaged(_))),
        "{error:?}"
    );

    let (dir, mut journal) = new_journal();
    let head = fs::read(dir.path().join("money.head")).unwrap();
    journal.prepare(agreement(1, 100), None).unwrap();
    fs::write(dir.path().join("money.head"), &head).unwrap();
    let before = file_contents(dir.path());
    assert!(
        MoneyJournal::open_to_read(&Files::new(dir.path()), read_only_error())
            .unwrap()
            .is_ahead
    );
    assert_eq!(file_contents(dir.path()), before);
}

#[test]
fn an_export_has_every_event_and_stops_at_the_damage() {
    let (dir, mut journal) = new_journal();
    for n in 0..400 {
        journal.prepare(agreement(n, 100 + n as i64), None).unwrap();
    }
    make_attempt(&mut journal, 7, 500, timed_out());
    let mut export = Export::open(&Files::new(dir.path())).unwrap();
    let mut numbers = Vec::new();
    loop {
        let (records, trouble) = export.read_more();
        assert_eq!(trouble, None);
        if records.is_empty() {
            break;
        }
        numbers.extend(records.iter().map(|record| record.n));
    }
    assert_eq!(numbers, (1..=402).collect::<Vec<i64>>());

    execute_sql(
        dir.path(),
        "UPDATE event SET plain = replace(plain, '1', '2') WHERE n = 300",
    );
    let (records, trouble) = Export::open(&Files::new(dir.path())).unwrap().read_more();
    assert_eq!(records.len(), 299);
    assert!(matches!(trouble, Some(JournalTrouble::Damaged(why)) if why.contains("event 300")));
    let body = agreement(0, 100).body;
    let escaped = serde_json::to_string(&*body).unwrap();
    assert!(
        records[0].personal.as_deref().unwrap().contains(&escaped),
        "whole"
    );
}

#[test]
fn directory_writable_by_others_is_refused_unchanged() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    let set_mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    let dir = tempfile::tempdir().unwrap();
    for wide_mode in [0o777, 0o1777, 0o770] {
        set_mode(dir.path(), wide_mode);
        let error = MoneyJournal::open(Files::new(dir.path()), false).err();
        let is_expected = matches!(&error, Some(JournalTrouble::NotPrivate(why))
            if why.contains("others may write"));
        assert!(is_expected, "{wide_mode:o}: {error:?}");
        assert_eq!(
            (mode(dir.path()), fs::read_dir(dir.path()).unwrap().count()),
            (wide_mode, 0)
        );
    }
    // Other users may list the directory, because they cannot read the files in it.
    set_mode(dir.path(), 0o755);
    fill_journal(dir.path());
    let db = dir.path().join("money.db");
    assert_eq!((mode(dir.path()), mode(&db)), (0o755, 0o600));
    // If a restored database has wider permissions, they are set back to 0600.
    set_mode(&db, 0o644);
    drop(open(dir.path()));
    assert_eq!(mode(&db), 0o600);
    // If other users can write to the directory, the journal can be opened only for reading.
    set_mode(dir.path(), 0o777);
    let error = MoneyJournal::open(Files::new(dir.path()), true).err();
    assert!(
        matches!(error, Some(JournalTrouble::NotPrivate(_))),
        "{error:?}"
    );
    assert!(MoneyJournal::open_to_read(&Files::new(dir.path()), read_only_error()).is_ok());
    // New directories get mode 0700.
    set_mode(dir.path(), 0o755);
    let inner = dir.path().join("state/live");
    drop(open(&inner));
    assert_eq!(
        (mode(&inner), mode(inner.parent().unwrap())),
        (0o700, 0o700)
    );
    fill_journal(&inner);
    let all = fs::read_dir(&inner).unwrap();
    assert!(
        all.into_iter()
            .all(|file| mode(&file.unwrap().path()) == 0o600)
    );
    // A symbolic link in place of the database is refused.
    fs::rename(&db, dir.path().join("elsewhere.db")).unwrap();
    symlink(dir.path().join("elsewhere.db"), &db).unwrap();
    let error = MoneyJournal::open(Files::new(dir.path()), true).err();
    let is_expected = matches!(&error, Some(JournalTrouble::Io(why)) if why.contains("a link"));
    assert!(is_expected, "{error:?}");
}

#[test]
fn network_disk_blocks_only_new_withdrawals() {
    let dir = tempfile::tempdir().unwrap();
    fill_journal(dir.path());
    let mut journal = LyingDisk::default().open_on_network(dir.path());
    assert_eq!(journal.network(), Some("NFS"));
    let error = NotDone::Journal(JournalTrouble::Network("NFS".into()));
    let before = journal.events();
    assert_eq!(journal.prepare(agreement(5, 500), None), Err(error.clone()));
    assert_eq!(
        (journal.events(), journal.trouble()),
        (before, None),
        "nothing else is locked"
    );
    // On a network file system, withdrawals that already exist can still be sent and decided.
    make_attempt(&mut journal, 4, 5, timed_out());
    journal
        .decide(key(4), Decision::FoundPaid, &clocks(6), &WINDOW)
        .unwrap();
    make_attempt(&mut journal, 3, 7, confirmed());
    assert_eq!(journal.prepare(agreement(6, 600), None), Err(error));
    drop(journal);
    // On a local disk, new withdrawals are allowed again.
    assert_eq!(open(dir.path()).network(), None);
    open(dir.path()).prepare(agreement(5, 500), None).unwrap();
}

#[test]
fn only_damaged_journal_is_set_aside_without_loss() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(
        Files::new(dir.path()).set_aside(&[], Wall(0)),
        Err(NotSetAside::Trouble(JournalTrouble::Missing))
    );
    fill_journal(dir.path());
    assert_eq!(
        Files::new(dir.path()).set_aside(&[], Wall(0)),
        Err(NotSetAside::Healthy)
    );
    execute_sql(dir.path(), "PRAGMA user_version = 2");
    let error = NotSetAside::Trouble(JournalTrouble::OtherVersion { found: 2, known: 4 });
    assert_eq!(Files::new(dir.path()).set_aside(&[], Wall(0)), Err(error));
    execute_sql(dir.path(), "PRAGMA user_version = 4");
    let lock = open(dir.path()).lock(key(4)).unwrap();
    fs::write(dir.path().join("money.head"), "somebody").unwrap();
    assert_eq!(
        Files::new(dir.path()).set_aside(&[], Wall(0)),
        Err(NotSetAside::InFlight)
    );
    drop(lock);
    let read_journal = |dir: &Path| {
        let mut files = file_contents(dir);
        files.retain(|(name, _)| name == "money.db" || name == "money.head");
        files
    };
    let before = read_journal(dir.path());
    let to = Files::new(dir.path())
        .set_aside(&[], Wall(1_795_273_200_000))
        .unwrap();
    assert_eq!(to, dir.path().join("money.damaged-2026-11-21T150000Z"));
    assert_eq!(read_journal(&to), before);
    assert!(!Files::new(dir.path()).journal_exists());
    // As long as the marker exists, no new journal is created.
    let result = MoneyJournal::open(Files::new(dir.path()), true);
    assert_eq!(result.err(), Some(JournalTrouble::Missing));
    fill_journal(dir.path());
    fs::remove_file(dir.path().join("money.db")).unwrap();
    let again = Files::new(dir.path())
        .set_aside(&[], Wall(1_795_273_200_000))
        .unwrap();
    assert!(
        again.ends_with("money.damaged-2026-11-21T150000Z-2"),
        "{again:?}"
    );
    assert_eq!(
        read_journal(&again).len(),
        1,
        "half a journal is a damaged one"
    );
}
