//! Tests in which another program locks the database for longer than the timeout. Each test does so
//! at a different step of a write.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use rusqlite::Connection;

use crate::journal::disk::{Disk, DiskStep};
use crate::journal::money::samples::*;
use crate::journal::money::{Files, MoneyJournal};
use crate::journal::permit::Spent;
use crate::trade::JournalTrouble;
use crate::trade::withdrawal::{Blocker, Class, Decision, NotDone, NotSent, Unclear};

#[test]
fn write_refused_by_lock_succeeds_after_unlock() {
    // The first lock prevents a write from starting. The second lock prevents only the commit.
    for lock_sql in ["BEGIN EXCLUSIVE", "BEGIN; SELECT count(*) FROM event"] {
        let (dir, mut journal) = new_journal();
        prepare_and_attempt(&mut journal, 1, 100, confirmed());
        let before = fs::read(dir.path().join("money.head")).unwrap();
        let backup = rusqlite::Connection::open(dir.path().join("money.db")).unwrap();
        backup.execute_batch(lock_sql).unwrap();
        let result = journal.prepare(agreement(5, 500), None);
        let Err(NotDone::Journal(JournalTrouble::Busy(_))) = result else {
            panic!("{lock_sql}: {result:?}")
        };
        assert_eq!(journal.trouble(), None, "{lock_sql}");
        backup.execute_batch("ROLLBACK").unwrap();
        assert_eq!(
            journal.get(key(5)),
            Ok(None),
            "nothing of it was written: {lock_sql}"
        );
        assert_eq!(fs::read(dir.path().join("money.head")).unwrap(), before);
        prepare_and_attempt(&mut journal, 5, 500, confirmed());
        assert_eq!(open(dir.path()).last_event().n, 6, "{lock_sql}");
    }
}

/// Prepares withdrawal 1 and begins an attempt. The outcome of the attempt is not recorded.
fn begin_without_outcome(journal: &mut MoneyJournal) -> Spent {
    journal.prepare(agreement(1, 100), None).unwrap();
    let lock = journal.lock(key(1)).unwrap();
    journal
        .begin(lock, key(1), None, &clocks(2), &WINDOW)
        .unwrap()
        .spend()
        .0
}

/// Outcomes of every class, with all optional values present.
fn classes() -> Vec<Class> {
    let Class::Alarm(alarm) = wrong_destination() else {
        panic!()
    };
    let retry_after = Some(std::time::Duration::from_millis(1_500));
    vec![
        confirmed(),
        timed_out(),
        wrong_destination(),
        Class::Unclear(Unclear::EchoDiffers(alarm)),
        Class::NotSent(NotSent::Dns),
        Class::DefiniteNo,
        Class::Unauthorized,
        Class::Throttled { retry_after },
        Class::Redirected,
        Class::KeyReused,
        says_failed(),
        Class::Unclear(Unclear::NoSign),
    ]
}

#[test]
fn delayed_end_is_written_once_after_any_fault() {
    let steps = [DiskStep::Begin, DiskStep::Append, DiskStep::Commit];
    for (step, fault) in steps
        .into_iter()
        .flat_map(|s| [(s, DiskFault::Before), (s, DiskFault::After)])
    {
        for class in classes() {
            let (dir, disk, mut journal) = journal_on_faulty_disk();
            let spent = begin_without_outcome(&mut journal);
            let end = attempt_end(9, class);
            disk.fail_as_locked();
            disk.fail_at(step, fault);
            let not_settled = journal.settle(spent, &end).unwrap_err();
            assert!(
                matches!(not_settled.trouble, JournalTrouble::Busy(_)),
                "{not_settled:?}"
            );
            assert_eq!(journal.trouble(), None);
            let lock_error = open(dir.path()).lock(key(1)).err();
            assert_eq!(
                lock_error,
                Some(NotDone::Blocked(Blocker::Busy)),
                "as long as nobody knows its end"
            );

            let settled = journal.settle(not_settled.spent, &end).unwrap();
            assert_eq!(settled.attempts[0].end, Some(end), "{step:?} {fault:?}");
            let mut other = open(dir.path());
            assert_eq!(other.get(key(1)), Ok(Some(settled)));
            assert_eq!(
                (other.verify(), journal.verify()),
                (Ok(3), Ok(3)),
                "{step:?} {fault:?}"
            );
            assert_eq!(other.in_flight(&account("ana")), Ok(None));
        }
    }
}

#[test]
fn attempt_with_an_outcome_takes_no_second_one() {
    let (dir, disk, mut journal) = journal_on_faulty_disk();
    let spent = begin_without_outcome(&mut journal);
    disk.fail_as_locked();
    disk.fail_at(DiskStep::Commit, DiskFault::After);
    let spent = journal
        .settle(spent, &attempt_end(9, confirmed()))
        .unwrap_err()
        .spent;
    let second = journal
        .settle(spent, &attempt_end(9, Class::DefiniteNo))
        .unwrap_err();
    assert!(
        matches!(second.trouble, JournalTrouble::Damaged(_)),
        "{second:?}"
    );
    drop(second);
    let mut journal = open(dir.path());
    assert_eq!(journal.verify(), Ok(3));
    let known = journal.get(key(1)).unwrap().unwrap();
    assert_eq!(known.attempts[0].end, Some(attempt_end(9, confirmed())));
}

/// A disk on which another program locks the database right after a commit.
#[derive(Clone)]
struct LockAfterCommit(PathBuf, Arc<Mutex<Option<Connection>>>);

impl LockAfterCommit {
    fn of(dir: &Path) -> LockAfterCommit {
        LockAfterCommit(dir.join("money.db"), Arc::default())
    }

    fn unlock(&self) {
        drop(self.1.lock().unwrap().take());
    }
}

impl Disk for LockAfterCommit {
    fn step(&self, step: DiskStep, act: &mut dyn FnMut() -> io::Result<()>) -> io::Result<()> {
        act()?;
        let mut lock_holder = self.1.lock().unwrap();
        if step == DiskStep::Commit && lock_holder.is_none() {
            let other = Connection::open(&self.0).map_err(io::Error::other)?;
            other
                .execute_batch("BEGIN EXCLUSIVE")
                .map_err(io::Error::other)?;
            *lock_holder = Some(other);
        }
        Ok(())
    }
}

#[test]
fn durable_write_succeeds_when_read_is_locked() {
    let dir = tempfile::tempdir().unwrap();
    let disk = LockAfterCommit::of(dir.path());
    let mut journal = MoneyJournal::open(Files::on_disk(dir.path(), disk.clone()), false).unwrap();
    let prepared = journal.prepare(agreement(1, 100), None);
    disk.unlock();
    assert_eq!(
        prepared.map(Some),
        Ok(open(dir.path()).get(key(1)).unwrap())
    );

    let lock = journal.lock(key(1)).unwrap();
    let permit = journal.begin(lock, key(1), None, &clocks(2), &WINDOW);
    disk.unlock();
    let settled = journal.settle(
        permit.unwrap().spend().0,
        &attempt_end(9, Class::Redirected),
    );
    disk.unlock();
    assert_eq!(
        Some(settled.unwrap()),
        open(dir.path()).get(key(1)).unwrap()
    );

    let decided = journal.decide(key(1), Decision::FoundPaid, &clocks(10), &WINDOW);
    disk.unlock();
    assert_eq!(decided.map(Some), Ok(open(dir.path()).get(key(1)).unwrap()));
    assert_eq!(journal.verify(), Ok(4));
}
