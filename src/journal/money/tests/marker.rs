//! Tests of the marker. The marker records the journal's last event outside the journal's
//! directory, and is never ahead of the journal.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use crate::journal::disk::DiskStep;
use crate::journal::money::samples::*;
use crate::journal::money::{ChainLink, Files, Marker, MoneyJournal, Storage};
use crate::trade::JournalTrouble;

/// A marker in memory. Before it stores an event, it asserts that the journal already has that
/// event on disk.
struct MemoryMarker {
    dir: PathBuf,
    stored: Arc<Mutex<Option<ChainLink>>>,
}

impl Marker for MemoryMarker {
    fn last_event(&self) -> Result<Option<ChainLink>, JournalTrouble> {
        Ok(*self.stored.lock().unwrap())
    }

    fn store(&self, last: &ChainLink) -> io::Result<()> {
        let last_event = "SELECT coalesce(max(n), 0) FROM event";
        let db = rusqlite::Connection::open(self.dir.join("money.db")).unwrap();
        let in_database: i64 = db.query_row(last_event, [], |row| row.get(0)).unwrap();
        let head = Files::new(&self.dir).head().unwrap();
        assert_eq!(
            (in_database, head),
            (last.n, Some(*last)),
            "database and head come first"
        );
        *self.stored.lock().unwrap() = Some(*last);
        Ok(())
    }
}

#[test]
fn marker_never_leads_whatever_step_fails() {
    for step in DiskStep::ALL {
        for fault in [DiskFault::Before, DiskFault::After] {
            let dir = tempfile::tempdir().unwrap();
            let disk = FaultyDisk::default();
            let stored = Arc::<Mutex<Option<ChainLink>>>::default();
            let marker = || {
                Box::new(MemoryMarker {
                    dir: dir.path().into(),
                    stored: stored.clone(),
                })
            };
            let mut journal =
                MoneyJournal::open(Files::on_disk(dir.path(), disk.clone()), false).unwrap();
            journal.attach_marker(marker()).unwrap();
            prepare_and_attempt(&mut journal, 1, 100, confirmed());
            assert_eq!(stored.lock().unwrap().unwrap(), journal.last_event());
            disk.fail_at(step, fault);
            let _ = journal.prepare(agreement(2, 200), None);
            drop(journal);
            let mut journal = open(dir.path());
            let marked = stored.lock().unwrap().unwrap();
            assert!(marked.n <= journal.last_event().n, "{step:?} {fault:?}");
            journal.attach_marker(marker()).unwrap();
            assert_eq!(
                stored.lock().unwrap().unwrap(),
                journal.last_event(),
                "it catches up"
            );
        }
    }
}

#[test]
fn journal_without_the_marked_event_refuses_writes() {
    let dir = tempfile::tempdir().unwrap();
    let older = tempfile::tempdir().unwrap();
    let stored = Arc::<Mutex<Option<ChainLink>>>::default();
    let marker = |dir: &tempfile::TempDir| {
        Box::new(MemoryMarker {
            dir: dir.path().into(),
            stored: stored.clone(),
        })
    };
    let mut journal = open(dir.path());
    journal.attach_marker(marker(&dir)).unwrap();
    prepare_and_attempt(&mut journal, 1, 100, confirmed());
    prepare_and_attempt(&mut open(older.path()), 1, 100, confirmed());
    // `idle` still has the older journal open, although another process has continued with a newer
    // one.
    let mut idle = open(older.path());
    let result = idle.attach_marker(marker(&older));
    assert!(
        matches!(result, Err(JournalTrouble::Damaged(_))),
        "{result:?}"
    );
    *stored.lock().unwrap() = Some(idle.last_event());
    let mut idle = open(older.path());
    idle.attach_marker(marker(&older)).unwrap();
    *stored.lock().unwrap() = Some(ChainLink { n: 9, sum: [9; 32] });
    let result = idle.prepare(agreement(2, 200), None);
    assert_eq!(result, Err(JournalTrouble::Older { missing: 6 }.into()));
    assert_eq!(
        stored.lock().unwrap().unwrap().n,
        9,
        "the marker stays as it is"
    );
    assert_eq!(open(older.path()).last_event().n, 3);
}

#[test]
fn machine_is_recorded_whole_whatever_step_fails() {
    let steps = [
        DiskStep::HeadWrite,
        DiskStep::HeadSync,
        DiskStep::HeadRename,
        DiskStep::DirSync,
    ];
    for step in steps {
        for fault in [DiskFault::Before, DiskFault::After] {
            let dir = tempfile::tempdir().unwrap();
            let disk = FaultyDisk::default();
            let files = Files::on_disk(dir.path(), disk.clone());
            files.record_machine("one").unwrap();
            assert_eq!(disk.take_steps(), steps, "it is durable");
            files.record_machine("one").unwrap();
            assert_eq!(
                disk.take_steps(),
                [],
                "the same machine is not written again"
            );
            disk.fail_at(step, fault);
            assert!(files.record_machine("two").is_err(), "{step:?} {fault:?}");
            let is_other = |machine| files.names_other_machine(machine).unwrap();
            assert_ne!(
                is_other("one"),
                is_other("two"),
                "{step:?} {fault:?}: one is named"
            );
            files.record_machine("two").unwrap();
            assert!(is_other("one") && !is_other("two"));
        }
    }
}
