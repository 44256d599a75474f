//! Tests of importing a journal into the log of a team. The log is in memory.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use uuid::Uuid;

use crate::journal::money::samples::*;
use crate::journal::money::{
    Checksum, EventRow, Files, Log, LogContents, MoneyJournal, NotAppended, NotImported,
    ReadOnlyJournal,
};
use crate::trade::{Author, JournalTrouble};

/// A log in memory that is cut after some rows.
#[derive(Default)]
struct TestLog {
    rows: Vec<EventRow>,
    /// Appends only this many of the next rows, then the connection is lost.
    cut_after: Option<usize>,
    /// Another machine appends these rows before the next append.
    first: Vec<EventRow>,
    appends: usize,
}

impl Log for TestLog {
    fn after(&mut self, n: i64, most: i64) -> Result<Vec<EventRow>, JournalTrouble> {
        let rows = self.rows.iter().skip(n as usize).take(most as usize);
        Ok(rows.cloned().collect())
    }

    fn append(&mut self, rows: &[EventRow], _: &Checksum) -> Result<(), NotAppended> {
        self.rows.append(&mut self.first);
        if rows[0].n != self.rows.len() as i64 + 1 {
            return Err(NotAppended::Outrun);
        }
        self.appends += 1;
        let count = self.cut_after.take();
        self.rows
            .extend(rows.iter().take(count.unwrap_or(rows.len())).cloned());
        match count {
            Some(_) => Err(NotAppended::Doubt("cut".into())),
            None => Ok(()),
        }
    }

    fn erase_purged(&mut self) -> Result<(), JournalTrouble> {
        Ok(())
    }

    fn liveness(&self) -> Arc<AtomicBool> {
        Arc::default()
    }

    fn timeline(&self) -> Option<u32> {
        Some(1)
    }

    fn needs_approval(&self) -> bool {
        false
    }

    fn author(&self) -> Author {
        Author {
            role: "ana".into(),
            operator: "Ana".into(),
            machine: "caixa-1".into(),
        }
    }
}

/// A journal with this number of events.
fn journal(events: u128) -> (tempfile::TempDir, Files) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal");
    write_long_journal(&path, events);
    (dir, Files::new(path))
}

fn import(files: &Files, log: &mut TestLog) -> Result<(), NotImported> {
    files.append_to_log(log, &mut |_| ())
}

#[test]
fn interrupted_import_goes_on_without_repeating() {
    const EVENTS: usize = 5;
    let (_dir, files) = journal(EVENTS as u128);
    for cut_after in 0..=EVENTS {
        let mut log = TestLog {
            cut_after: Some(cut_after),
            ..TestLog::default()
        };
        let cut = NotImported::Trouble(JournalTrouble::Doubt("cut".into()));
        assert_eq!(import(&files, &mut log), Err(cut));
        let found = files.compare_with_log(&mut log).unwrap();
        assert_eq!(found, LogContents::FirstEvents(cut_after as i64));
        let mut last = 0;
        files.append_to_log(&mut log, &mut |n| last = n).unwrap();
        assert_eq!((last, log.rows.len()), (EVENTS as i64, EVENTS));
        let numbers: Vec<i64> = log.rows.iter().map(|row| row.n).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5]);
        let appends = log.appends;
        import(&files, &mut log).unwrap();
        assert_eq!(log.appends, appends, "nothing is left to append");
    }
}

#[test]
fn long_journal_is_appended_in_groups() {
    let (_dir, files) = journal(1_203);
    let mut log = TestLog::default();
    let mut reported = Vec::new();
    files
        .append_to_log(&mut log, &mut |n| reported.push(n))
        .unwrap();
    assert_eq!(log.rows.len(), 1_203);
    assert_eq!((log.appends, reported), (3, vec![500, 1_000, 1_203]));
    log.rows.truncate(700);
    let found = files.compare_with_log(&mut log).unwrap();
    assert_eq!(found, LogContents::FirstEvents(700));
    import(&files, &mut log).unwrap();
    assert_eq!(log.rows.len(), 1_203);
}

#[test]
fn late_rows_of_an_interrupted_import_are_accepted() {
    let (_dir, files) = journal(5);
    let mut whole = TestLog::default();
    import(&files, &mut whole).unwrap();
    let mut log = TestLog {
        first: whole.rows[..3].to_vec(),
        ..TestLog::default()
    };
    import(&files, &mut log).unwrap();
    assert_eq!(log.rows, whole.rows);
}

#[test]
fn other_events_of_a_team_are_never_mixed() {
    let (_dir, files) = journal(3);
    let mut log = TestLog::default();
    import(&files, &mut log).unwrap();
    let rows = log.rows.clone();
    // The first events are the same, but the log continues.
    let fourth = EventRow {
        n: 4,
        ..rows[2].clone()
    };
    log.rows.push(fourth);
    let found = files.compare_with_log(&mut log);
    assert_eq!(found, Ok(LogContents::Others));
    assert_eq!(import(&files, &mut log), Err(NotImported::Occupied));
    // Another machine is faster.
    let mut row = rows[0].clone();
    row.sum[0] ^= 1;
    let mut log = TestLog {
        first: vec![row],
        ..TestLog::default()
    };
    assert_eq!(import(&files, &mut log), Err(NotImported::Occupied));
    assert_eq!(log.rows.len(), 1);
    let found = files.compare_with_log(&mut log);
    assert_eq!(found, Ok(LogContents::Others));
}

#[test]
fn whole_directory_becomes_the_mirror() {
    let (dir, files) = journal(2);
    std::fs::write(files.dir().join("history.db"), "rows").unwrap();
    let last = ReadOnlyJournal::open(&files).unwrap().journal.last_event();
    let to = dir.path().join("teams/one");
    let mut sender = MoneyJournal::open(files.clone(), true).unwrap();
    let lock = sender.lock(key(1)).unwrap();
    let busy = files.move_to(&to);
    assert!(matches!(busy, Err(JournalTrouble::Busy(_))));
    assert!(files.dir().exists() && !to.exists());
    drop((lock, sender));
    let moved = files.move_to(&to).unwrap();
    assert!(!files.dir().exists() && to.join("history.db").exists());
    MoneyJournal::become_mirror(&moved, Uuid::nil()).unwrap();
    assert!(moved.is_mirror());
    let journal = ReadOnlyJournal::open(&moved).unwrap().journal;
    assert_eq!(journal.last_event(), last);
    // A directory with files is never replaced.
    let (_other_dir, other) = self::journal(1);
    assert!(other.move_to(&to).is_err() && other.dir().exists());
}
