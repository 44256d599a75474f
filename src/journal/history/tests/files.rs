//! The file of the history: damaged, incomplete, missing, or of another version.

use super::*;

#[test]
fn a_damaged_history_is_moved_aside_and_kept() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("history.db");
    for (number, expected) in [
        (1, "history-damaged-2026-11-21T05:42:19Z.db"),
        (2, "history-damaged-2026-11-21T05:42:19Z-2.db"),
    ] {
        let expected = expected.replace("05:42:19", "054219");
        let noise = format!("this is no database, number {number}").repeat(99);
        fs::write(&path, &noise).unwrap();
        let now = Wall(1_795_239_739_000);
        let (mut history, moved) = History::open(dir.path(), now).unwrap();
        let moved = moved.unwrap();
        assert_eq!(moved.new_path, dir.path().join(expected));
        assert_eq!(fs::read(&moved.new_path).unwrap(), noise.as_bytes());
        history.begin(&link("Boné", 1), Wall(0)).unwrap();
        drop(history);
        assert_eq!(find_ids(&mut open(dir.path()), "bone"), [1]);
    }
}

#[test]
fn empty_or_cut_history_is_damage_and_read_unchanged() {
    for length in [0, 1, 50, 99, 2_000, 4_096, 100_000] {
        let dir = tempfile::tempdir().unwrap();
        open(dir.path()).begin(&link("Boné", 1), Wall(0)).unwrap();
        let path = dir.path().join("history.db");
        let whole = fs::metadata(&path).unwrap().len();
        assert!(whole > length, "{whole}");
        fs::File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_len(length)
            .unwrap();
        let damaged = fs::read(&path).unwrap();
        let opened = History::open_if_any(dir.path(), Wall(0)).err();
        assert!(
            matches!(opened, Some(JournalTrouble::Damaged(_))),
            "{length}: {opened:?}"
        );
        let examined = super::super::examine(dir.path(), Wall(0));
        assert!(
            matches!(examined, Err(JournalTrouble::Damaged(_))),
            "{length}: {examined:?}"
        );
        assert_eq!(fs::read(&path).unwrap(), damaged, "{length}");
        assert!(super::super::list_renamed_files(dir.path()).is_empty());
        let (history, moved) = History::open(dir.path(), Wall(0)).unwrap();
        assert_eq!(
            fs::read(moved.unwrap().new_path).unwrap(),
            damaged,
            "{length}"
        );
        assert_eq!(history.is_empty(), Ok(true));
        assert_eq!(super::super::list_renamed_files(dir.path()).len(), 1);
    }
}

#[test]
fn damaged_history_with_a_log_is_read_unchanged() {
    let dir = tempfile::tempdir().unwrap();
    let copy = tempfile::tempdir().unwrap();
    let mut history = open(dir.path());
    history
        .connection
        .pragma_update(None, "wal_autocheckpoint", 0)
        .unwrap();
    history.begin(&link("Boné", 1), Wall(0)).unwrap();
    // Copy the files as they would be after the program was killed.
    let paths = ["history.db", "history.db-wal"].map(|name| copy.path().join(name));
    for path in &paths {
        fs::copy(dir.path().join(path.file_name().unwrap()), path).unwrap();
    }
    let read = || paths.clone().map(|path| fs::read(path).unwrap());
    assert_eq!(
        History::open_if_any(copy.path(), Wall(0))
            .unwrap()
            .unwrap()
            .all::<LinkRequest>()
            .count(),
        1,
        "the link is in the log"
    );
    let mut damaged = fs::read(&paths[0]).unwrap();
    damaged[4_096..].fill(7);
    fs::write(&paths[0], damaged).unwrap();
    let before = read();
    let opened = History::open_if_any(copy.path(), Wall(0)).err();
    assert!(
        matches!(opened, Some(JournalTrouble::Damaged(_))),
        "{opened:?}"
    );
    assert!(read() == before);
}

#[test]
fn new_history_appears_only_when_it_is_complete() {
    let dir = tempfile::tempdir().unwrap();
    let histories: Vec<_> = std::thread::scope(|scope| {
        let open = || scope.spawn(|| History::open(dir.path(), Wall(0)).unwrap());
        let threads: Vec<_> = (0..8).map(|_| open()).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    for (mut history, moved) in histories {
        assert_eq!(moved, None);
        history.begin(&link("Boné", 1), Wall(0)).unwrap();
    }
    assert_eq!(find_ids(&mut open(dir.path()), "bone").len(), 8);
    let rows = vec![("links", 8), ("charges", 0)];
    let contents = DatabaseContents {
        schema: super::super::SCHEMA,
        rows,
    };
    assert_eq!(
        super::super::examine(dir.path(), Wall(0)),
        Ok(Some(contents))
    );
    let names = fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    assert!(
        names
            .into_iter()
            .all(|name| name.to_str().unwrap().starts_with("history.db"))
    );
}

#[test]
fn database_file_alone_has_every_write_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let copy = tempfile::tempdir().unwrap();
    let mut history = open(dir.path());
    history.begin(&link("Boné", 1), Wall(0)).unwrap();
    fs::copy(
        dir.path().join("history.db"),
        copy.path().join("history.db"),
    )
    .unwrap();
    assert_eq!(find_ids(&mut open(copy.path()), "bone"), [1]);
}

#[test]
fn history_is_missing_beside_older_files_only() {
    let dir = tempfile::tempdir().unwrap();
    let now = Wall(1_795_239_739_000);
    let open = || History::open_if_any(dir.path(), now).map(|history| history.is_some());
    assert_eq!(
        (open(), super::super::examine(dir.path(), now)),
        (Ok(false), Ok(None))
    );
    let other = fs::File::create(dir.path().join("money.head")).unwrap();
    let at = |ms: i64| std::time::UNIX_EPOCH + std::time::Duration::from_millis(ms as u64);
    other.set_modified(at(now.0 - 1_000)).unwrap();
    assert_eq!(open(), Ok(false), "the file may be from the same start");
    other.set_modified(at(now.0 - 60_000)).unwrap();
    assert_eq!(open(), Err(JournalTrouble::Missing));
    assert_eq!(
        super::super::examine(dir.path(), now),
        Err(JournalTrouble::Missing)
    );
    History::open(dir.path(), now).unwrap();
    assert_eq!(open(), Ok(true));
}

#[test]
fn history_of_another_version_is_not_changed() {
    for found in [6, 7, super::super::SCHEMA + 1] {
        let dir = tempfile::tempdir().unwrap();
        open(dir.path()).begin(&link("Boné", 1), Wall(0)).unwrap();
        let path = dir.path().join("history.db");
        let file = || Connection::open(&path).unwrap();
        file().pragma_update(None, "user_version", found).unwrap();
        let error = History::open(dir.path(), Wall(0)).err();
        assert_eq!(
            error,
            Some(JournalTrouble::OtherVersion {
                found,
                known: super::super::SCHEMA
            })
        );
        assert_eq!(super::super::examine(dir.path(), Wall(0)).err(), error);
        let rows = file().query_row("SELECT count(*) FROM link", [], |row| row.get(0));
        assert_eq!(rows, Ok(1));
    }
}
