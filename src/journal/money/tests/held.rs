//! Tests in which another program locks the database for longer than the timeout. Each test does so
//! at a different step of a write.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use rusqlite::Connection;

use crate::journal::disk::{Disk, DiskStep};
use crate::journal::money::samples::*;
use crate::journal::money::{MoneyJournal, WriteRefused};
use crate::journal::permit::Spent;
use crate::trade::JournalTrouble;
use crate::trade::withdrawal::{Class, Decision, NotSent, Unclear};

#[test]
fn write_refused_by_lock_succeeds_after_unlock() {
    // The first lock prevents a write from starting. The second lock prevents only the commit.
    for hold in ["BEGIN EXCLUSIVE", "BEGIN; SELECT count(*) FROM event"] {
        let (dir, mut journal) = fresh();
        attempted(&mut journal, 1, 100, confirmed());
        let before = fs::read(dir.path().join("money.head")).unwrap();
        let backup = rusqlite::Connection::open(dir.path().join("money.db")).unwrap();
        backup.execute_batch(hold).unwrap();
        let refused = journal.prepare(agreement(5, 500), None);
        let Err(WriteRefused::Journal(JournalTrouble::Busy(_))) = refused else {
            panic!("{hold}: {refused:?}")
        };
        assert_eq!(journal.trouble(), None, "{hold}");
        backup.execute_batch("ROLLBACK").unwrap();
        assert_eq!(journal.get(key(5)), Ok(None), "nothing of it was written: {hold}");
        assert_eq!(fs::read(dir.path().join("money.head")).unwrap(), before);
        attempted(&mut journal, 5, 500, confirmed());
        assert_eq!(open(dir.path()).last().n, 6, "{hold}");
    }
}

/// Prepares and sends withdrawal 1. Its outcome is not recorded.
fn sent<D: Disk>(journal: &mut MoneyJournal<D>) -> Spent {
    journal.prepare(agreement(1, 100), None).unwrap();
    let lock = journal.lock(key(1)).unwrap();
    journal.begin(lock, key(1), None, &clocks(2), &WINDOW).unwrap().spend().0
}

/// Returns outcomes of every class, with all optional values present.
fn classes() -> Vec<Class> {
    let Class::Alarm(differs) = alarm() else { panic!() };
    let retry_after = Some(std::time::Duration::from_millis(1_500));
    vec![
        confirmed(),
        lost(),
        alarm(),
        Class::Unclear(Unclear::EchoDiffers(differs)),
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
    for (step, fault) in
        steps.into_iter().flat_map(|s| [(s, DiskFault::Before), (s, DiskFault::After)])
    {
        for class in classes() {
            let (dir, disk, mut journal) = on_faulty_disk();
            let (spent, end) = (sent(&mut journal), end(9, class));
            disk.is_held();
            disk.fail(step, fault);
            let not_settled = journal.settle(spent, &end).unwrap_err();
            assert!(matches!(not_settled.trouble, JournalTrouble::Busy(_)), "{not_settled:?}");
            assert_eq!(journal.trouble(), None);
            let is_locked = open(dir.path()).lock(key(1)).err();
            assert_eq!(is_locked, Some(WriteRefused::Busy), "as long as nobody knows its end");

            let settled = journal.settle(not_settled.spent, &end).unwrap();
            assert_eq!(settled.attempts[0].end, Some(end), "{step:?} {fault:?}");
            let mut other = open(dir.path());
            assert_eq!(other.get(key(1)), Ok(Some(settled)));
            assert_eq!((other.verify(), journal.verify()), (Ok(3), Ok(3)), "{step:?} {fault:?}");
            assert_eq!(other.in_flight(&account("ana")), Ok(None));
        }
    }
}

#[test]
fn an_attempt_that_has_an_end_takes_no_other_one() {
    let (dir, disk, mut journal) = on_faulty_disk();
    let spent = sent(&mut journal);
    disk.is_held();
    disk.fail(DiskStep::Commit, DiskFault::After);
    let spent = journal.settle(spent, &end(9, confirmed())).unwrap_err().spent;
    let other = journal.settle(spent, &end(9, Class::DefiniteNo)).unwrap_err();
    assert!(matches!(other.trouble, JournalTrouble::Damaged(_)), "{other:?}");
    drop(other);
    let mut journal = open(dir.path());
    assert_eq!(journal.verify(), Ok(3));
    let known = journal.get(key(1)).unwrap().unwrap();
    assert_eq!(known.attempts[0].end, Some(end(9, confirmed())));
}

/// A disk on which another program locks the database right after a commit.
#[derive(Clone)]
struct TakenAtOnce(PathBuf, Arc<Mutex<Option<Connection>>>);

impl TakenAtOnce {
    fn of(dir: &Path) -> TakenAtOnce {
        TakenAtOnce(dir.join("money.db"), Arc::default())
    }

    fn let_go(&self) {
        drop(self.1.lock().unwrap().take());
    }
}

impl Disk for TakenAtOnce {
    fn step(&self, step: DiskStep, act: &mut dyn FnMut() -> io::Result<()>) -> io::Result<()> {
        act()?;
        let mut taken = self.1.lock().unwrap();
        if step == DiskStep::Commit && taken.is_none() {
            let other = Connection::open(&self.0).map_err(io::Error::other)?;
            other.execute_batch("BEGIN EXCLUSIVE").map_err(io::Error::other)?;
            *taken = Some(other);
        }
        Ok(())
    }
}

#[test]
fn durable_write_succeeds_when_read_is_locked() {
    let dir = tempfile::tempdir().unwrap();
    let disk = TakenAtOnce::of(dir.path());
    let mut journal = MoneyJournal::open(dir.path(), disk.clone(), false).unwrap();
    let told = journal.prepare(agreement(1, 100), None);
    disk.let_go();
    assert_eq!(told.map(Some), Ok(open(dir.path()).get(key(1)).unwrap()));

    let lock = journal.lock(key(1)).unwrap();
    let permit = journal.begin(lock, key(1), None, &clocks(2), &WINDOW);
    disk.let_go();
    let settled = journal.settle(permit.unwrap().spend().0, &end(9, Class::Redirected));
    disk.let_go();
    assert_eq!(Some(settled.unwrap()), open(dir.path()).get(key(1)).unwrap());

    let decided = journal.decide(key(1), Decision::FoundPaid, &clocks(10), &WINDOW);
    disk.let_go();
    assert_eq!(decided.map(Some), Ok(open(dir.path()).get(key(1)).unwrap()));
    assert_eq!(journal.verify(), Ok(4));
}
