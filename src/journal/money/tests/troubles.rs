//! Tests of each journal error, of reading on a read-only disk, and of moving a damaged journal to
//! a new directory.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::journal::disk::{DiskStep, OsDisk};
use crate::journal::money::samples::*;
use crate::journal::money::{Export, MoneyJournal, NotSetAside, WriteRefused, is_there, set_aside};
use crate::trade::withdrawal::Decision;
use crate::trade::{JournalTrouble, Wall};

type Harm = fn(&Path);

#[test]
fn each_step_that_fails_says_what_the_disk_said() {
    for (kind, is_it) in [
        (ErrorKind::StorageFull, (|t| matches!(t, JournalTrouble::Full(_))) as fn(&_) -> bool),
        (ErrorKind::QuotaExceeded, |t| matches!(t, JournalTrouble::Full(_))),
        (ErrorKind::ReadOnlyFilesystem, |t| matches!(t, JournalTrouble::ReadOnly(_))),
        (ErrorKind::PermissionDenied, |t| matches!(t, JournalTrouble::ReadOnly(_))),
        (ErrorKind::Other, |t| matches!(t, JournalTrouble::Io(_))),
    ] {
        for step in DiskStep::ALL {
            let dir = tempfile::tempdir().unwrap();
            let inner = dir.path().join("state");
            let disk = FaultyDisk::default();
            disk.fails_with(kind);
            disk.fail(step, DiskFault::Before);
            let mut journal = match MoneyJournal::open(&inner, disk.clone(), false) {
                Err(trouble) => {
                    assert!(disk.failed() && is_it(&trouble), "{step:?} {kind:?}: {trouble:?}");
                    continue;
                }
                Ok(journal) => journal,
            };
            let prepared = journal.prepare(agreement(1, 100), None);
            if let (Err(WriteRefused::Journal(trouble)), true) = (&prepared, disk.failed()) {
                assert!(is_it(trouble), "{step:?} {kind:?}: {trouble:?}");
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
fn a_lock_that_is_not_let_go_is_a_trouble_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    filled(dir.path());
    let _held = crate::journal::lock::hold_journal(dir.path()).unwrap();
    let opened = MoneyJournal::open(dir.path(), OsDisk, true);
    assert!(matches!(opened.err(), Some(JournalTrouble::Busy(_))));
    let look = MoneyJournal::open_to_read(dir.path(), why()).unwrap();
    assert_eq!(look.journal.last().n, 10, "it can be read meanwhile");
}

#[test]
fn open_withdrawals_are_read_without_write_access() {
    let dir = tempfile::tempdir().unwrap();
    filled(dir.path());
    fs::remove_file(dir.path().join("money.lock")).unwrap();
    let before = files(dir.path());
    let look = MoneyJournal::open_to_read(dir.path(), why()).unwrap();
    let mut journal = look.journal;
    assert!(!look.is_ahead);
    assert_eq!(journal.trouble(), Some(&why()));
    let open: Vec<_> =
        journal.open_withdrawals().unwrap().iter().map(|w| w.agreement.key).collect();
    assert_eq!(open, [key(4)]);
    assert_eq!(journal.page(None, "", 0, 9).unwrap().total, Some(4));
    assert_eq!(journal.prepare(agreement(5, 500), None), Err(WriteRefused::Journal(why())));
    assert_eq!(journal.lock(key(4)).err(), Some(WriteRefused::Journal(why())));
    assert_eq!(journal.purge(Wall(9_000), Wall(90_000_000)), Err(why()));
    assert_eq!(files(dir.path()), before, "not a byte, and no lock");
    // A journal that is open only for reading sees events that another process writes later.
    attempt(&mut open_again(dir.path()), 4, 5, confirmed());
    assert!(journal.open_withdrawals().unwrap().is_empty());
}

fn open_again(dir: &Path) -> MoneyJournal {
    MoneyJournal::open(dir, OsDisk, true).unwrap()
}

#[test]
fn reading_sees_the_damage_that_opening_sees() {
    let damage: [(&str, Harm); 4] = [
        ("a changed row", |dir| sql(dir, "UPDATE event SET at = 1 WHERE n = 2")),
        ("a lost end", |dir| sql(dir, "DELETE FROM event WHERE n = 10")),
        ("no head", |dir| fs::remove_file(dir.join("money.head")).unwrap()),
        ("no database", |dir| fs::remove_file(dir.join("money.db")).unwrap()),
    ];
    for (what, harm) in damage {
        let dir = tempfile::tempdir().unwrap();
        filled(dir.path());
        harm(dir.path());
        let before = files(dir.path());
        let looked = MoneyJournal::open_to_read(dir.path(), why()).err();
        assert!(matches!(looked, Some(JournalTrouble::Damaged(_))), "{what}: {looked:?}");
        assert_eq!(looked, MoneyJournal::open(dir.path(), OsDisk, true).err(), "{what}");
        assert_eq!(files(dir.path()), before, "{what}");
    }
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(MoneyJournal::open_to_read(dir.path(), why()).err(), Some(JournalTrouble::Missing));
    filled(dir.path());
    sql(dir.path(), "PRAGMA user_version = 2");
    let refused = Some(JournalTrouble::OtherVersion { found: 2, known: 3 });
    assert_eq!(MoneyJournal::open_to_read(dir.path(), why()).err(), refused);
}

#[test]
fn empty_files_report_a_cut_short_first_start() {
    let says = |dir: &Path| match MoneyJournal::open_to_read(dir, why()).err() {
        Some(JournalTrouble::Damaged(why)) => why,
        other => panic!("{other:?}"),
    };
    let dir = tempfile::tempdir().unwrap();
    drop(open(dir.path()));
    let (db, head) = (dir.path().join("money.db"), dir.path().join("money.head"));
    let whole = fs::read(&head).unwrap();
    // If the first start of the program was interrupted, `money.head` is missing or the database is
    // empty.
    fs::remove_file(&head).unwrap();
    assert!(says(dir.path()).contains("a first start was cut short"), "{}", says(dir.path()));
    fs::write(&db, "").unwrap();
    assert!(says(dir.path()).contains("a first start was cut short"), "{}", says(dir.path()));
    // `money.head` shows that the journal is not new, so an empty database is damage.
    fs::write(&head, whole).unwrap();
    assert!(says(dir.path()).ends_with("it is empty"), "{}", says(dir.path()));
    // A journal that contains a withdrawal never counts as new, even if `money.head` is missing.
    let dir = tempfile::tempdir().unwrap();
    filled(dir.path());
    fs::remove_file(dir.path().join("money.head")).unwrap();
    assert!(says(dir.path()).ends_with("money.head beside it is gone"), "{}", says(dir.path()));
}

#[test]
fn single_event_ahead_is_reported_and_not_repaired() {
    let (dir, mut journal) = fresh();
    journal.prepare(agreement(1, 100), None).unwrap();
    let head = fs::read(dir.path().join("money.head")).unwrap();
    journal.prepare(agreement(2, 200), None).unwrap();
    attempt(&mut journal, 1, 2, lost());
    assert!(MoneyJournal::open_to_read(dir.path(), why()).is_ok_and(|look| !look.is_ahead));
    fs::write(dir.path().join("money.head"), &head).unwrap();
    // A `money.head` that is two events behind is damage, because killing a process cannot cause
    // that.
    let looked = MoneyJournal::open_to_read(dir.path(), why()).err();
    assert!(matches!(looked, Some(JournalTrouble::Damaged(_))), "{looked:?}");

    let (dir, mut journal) = fresh();
    let head = fs::read(dir.path().join("money.head")).unwrap();
    journal.prepare(agreement(1, 100), None).unwrap();
    fs::write(dir.path().join("money.head"), &head).unwrap();
    let before = files(dir.path());
    assert!(MoneyJournal::open_to_read(dir.path(), why()).unwrap().is_ahead);
    assert_eq!(files(dir.path()), before);
}

#[test]
fn an_export_has_every_event_and_stops_at_the_damage() {
    let (dir, mut journal) = fresh();
    for n in 0..400 {
        journal.prepare(agreement(n, 100 + n as i64), None).unwrap();
    }
    attempt(&mut journal, 7, 500, lost());
    let mut export = Export::open(dir.path()).unwrap();
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

    sql(dir.path(), "UPDATE event SET plain = replace(plain, '1', '2') WHERE n = 300");
    let (records, trouble) = Export::open(dir.path()).unwrap().read_more();
    assert_eq!(records.len(), 299);
    assert!(matches!(trouble, Some(JournalTrouble::Damaged(why)) if why.contains("event 300")));
    let body = agreement(0, 100).body;
    let escaped = serde_json::to_string(&*body).unwrap();
    assert!(records[0].personal.as_deref().unwrap().contains(&escaped), "whole");
}

#[test]
fn directory_writable_by_others_is_refused_unchanged() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    let set = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    let dir = tempfile::tempdir().unwrap();
    for wide in [0o777, 0o1777, 0o770] {
        set(dir.path(), wide);
        let opened = MoneyJournal::open(dir.path(), OsDisk, false).err();
        let is_said = matches!(&opened, Some(JournalTrouble::NotPrivate(why))
            if why.contains("others may write"));
        assert!(is_said, "{wide:o}: {opened:?}");
        assert_eq!((mode(dir.path()), fs::read_dir(dir.path()).unwrap().count()), (wide, 0));
    }
    // Other users may list the directory, because they cannot read the files in it.
    set(dir.path(), 0o755);
    filled(dir.path());
    let db = dir.path().join("money.db");
    assert_eq!((mode(dir.path()), mode(&db)), (0o755, 0o600));
    // If a restored database has wider permissions, they are set back to 0600.
    set(&db, 0o644);
    drop(open(dir.path()));
    assert_eq!(mode(&db), 0o600);
    // If other users can write to the directory, the journal can be opened only for reading.
    set(dir.path(), 0o777);
    let opened = MoneyJournal::open(dir.path(), OsDisk, true).err();
    assert!(matches!(opened, Some(JournalTrouble::NotPrivate(_))), "{opened:?}");
    assert!(MoneyJournal::open_to_read(dir.path(), why()).is_ok());
    // New directories get mode 0700.
    set(dir.path(), 0o755);
    let inner = dir.path().join("state/live");
    drop(open(&inner));
    assert_eq!((mode(&inner), mode(inner.parent().unwrap())), (0o700, 0o700));
    filled(&inner);
    let all = fs::read_dir(&inner).unwrap();
    assert!(all.into_iter().all(|file| mode(&file.unwrap().path()) == 0o600));
    // A symbolic link in place of the database is refused.
    fs::rename(&db, dir.path().join("elsewhere.db")).unwrap();
    symlink(dir.path().join("elsewhere.db"), &db).unwrap();
    let opened = MoneyJournal::open(dir.path(), OsDisk, true).err();
    let is_said = matches!(&opened, Some(JournalTrouble::Io(why)) if why.contains("a link"));
    assert!(is_said, "{opened:?}");
}

#[test]
fn network_disk_blocks_only_new_withdrawals() {
    let dir = tempfile::tempdir().unwrap();
    filled(dir.path());
    let mut journal = LyingDisk::default().open_on_network(dir.path());
    assert_eq!(journal.network(), Some("NFS"));
    let refused = WriteRefused::Journal(JournalTrouble::Network("NFS".into()));
    let before = journal.events();
    assert_eq!(journal.prepare(agreement(5, 500), None), Err(refused.clone()));
    assert_eq!((journal.events(), journal.trouble()), (before, None), "nothing else is locked");
    // On a network file system, withdrawals that already exist can still be sent and decided.
    attempt(&mut journal, 4, 5, lost());
    journal.decide(key(4), Decision::FoundPaid, &clocks(6), &WINDOW).unwrap();
    attempt(&mut journal, 3, 7, confirmed());
    assert_eq!(journal.prepare(agreement(6, 600), None), Err(refused));
    drop(journal);
    // On a local disk, new withdrawals are allowed again.
    assert_eq!(open(dir.path()).network(), None);
    open(dir.path()).prepare(agreement(5, 500), None).unwrap();
}

#[test]
fn only_damaged_journal_is_set_aside_without_loss() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(
        set_aside(dir.path(), None, Wall(0)),
        Err(NotSetAside::Trouble(JournalTrouble::Missing))
    );
    filled(dir.path());
    assert_eq!(set_aside(dir.path(), None, Wall(0)), Err(NotSetAside::Healthy));
    sql(dir.path(), "PRAGMA user_version = 2");
    let refused = NotSetAside::Trouble(JournalTrouble::OtherVersion { found: 2, known: 3 });
    assert_eq!(set_aside(dir.path(), None, Wall(0)), Err(refused));
    sql(dir.path(), "PRAGMA user_version = 3");
    let lock = open(dir.path()).lock(key(4)).unwrap();
    fs::write(dir.path().join("money.head"), "somebody").unwrap();
    assert_eq!(set_aside(dir.path(), None, Wall(0)), Err(NotSetAside::InFlight));
    drop(lock);
    let kept = |dir: &Path| {
        let mut files = files(dir);
        files.retain(|(name, _)| name == "money.db" || name == "money.head");
        files
    };
    let before = kept(dir.path());
    let to = set_aside(dir.path(), None, Wall(1_795_273_200_000)).unwrap();
    assert_eq!(to, dir.path().join("money.damaged-2026-11-21T150000Z"));
    assert_eq!(kept(&to), before);
    assert!(!is_there(dir.path()));
    // As long as the marker exists, no new journal is created.
    let expected = MoneyJournal::open(dir.path(), OsDisk, true);
    assert_eq!(expected.err(), Some(JournalTrouble::Missing));
    filled(dir.path());
    fs::remove_file(dir.path().join("money.db")).unwrap();
    let again = set_aside(dir.path(), None, Wall(1_795_273_200_000)).unwrap();
    assert!(again.ends_with("money.damaged-2026-11-21T150000Z-2"), "{again:?}");
    assert_eq!(kept(&again).len(), 1, "half a journal is a damaged one");
}
