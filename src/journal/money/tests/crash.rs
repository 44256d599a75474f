//! Tests with a disk that fails at each step of a journal write.

use crate::journal::disk::DiskStep;
use crate::journal::money::samples::*;
use crate::journal::money::{MoneyJournal, WriteRefused};
use crate::trade::{JournalTrouble, Wall};

const WRITE: [DiskStep; 7] = [
    DiskStep::Begin,
    DiskStep::Append,
    DiskStep::Commit,
    DiskStep::HeadWrite,
    DiskStep::HeadSync,
    DiskStep::HeadRename,
    DiskStep::DirSync,
];

#[test]
fn a_write_takes_its_steps_in_this_order() {
    let (_dir, disk, mut journal) = on_faulty_disk();
    disk.seen();
    journal.prepare(agreement(1, 100), None).unwrap();
    assert_eq!(disk.seen(), WRITE);
}

#[test]
fn failed_write_blocks_writes_until_restart() {
    for step in WRITE {
        for fault in [DiskFault::Before, DiskFault::After] {
            let (dir, disk, mut journal) = on_faulty_disk();
            journal.prepare(agreement(1, 100), None).unwrap();
            let lock = journal.lock(key(1)).unwrap();
            disk.fail(step, fault);
            let begun = journal.begin(lock, key(1), None, &clocks(2), &WINDOW);
            assert!(disk.failed());
            let told = matches!(begun, Err(WriteRefused::Journal(JournalTrouble::Full(_))));
            assert!(told, "{step:?} {fault:?}: {begun:?}");
            assert!(journal.trouble().is_some());
            let after = journal.prepare(agreement(2, 200), None);
            assert!(matches!(after, Err(WriteRefused::Journal(_))));
            assert!(journal.lock(key(1)).is_err());
            assert!(journal.get(key(1)).unwrap().is_some(), "it can still be read");
            drop(journal);
            let mut journal = open(dir.path());
            let begun = journal.get(key(1)).unwrap().unwrap().attempts.len();
            assert!(begun <= 1);
            attempt(&mut journal, 1, 3, confirmed());
        }
    }
}

#[test]
fn a_purge_that_fails_leaves_all_or_nothing() {
    for step in [DiskStep::Begin, DiskStep::Purge, DiskStep::Commit] {
        for fault in [DiskFault::Before, DiskFault::After] {
            let (dir, disk, mut journal) = on_faulty_disk();
            attempted(&mut journal, 1, 100, confirmed());
            attempted(&mut journal, 2, 200, confirmed());
            disk.fail(step, fault);
            let later = Wall(90_000_000);
            assert!(matches!(journal.purge(later, later), Err(JournalTrouble::Full(_))));
            assert!(disk.failed() && journal.trouble().is_some());
            drop(journal);
            let mut journal = open(dir.path());
            assert_eq!(journal.verify(), Ok(6));
            let mut kept = |n| journal.get(key(n)).unwrap().unwrap().agreement.body.len();
            let kept: Vec<usize> = [1, 2].map(&mut kept).to_vec();
            let done = step == DiskStep::Commit && fault == DiskFault::After;
            assert_eq!(kept.iter().all(|length| *length == 0), done, "{step:?} {fault:?}");
            assert_eq!(kept.iter().all(|length| *length > 0), !done, "{step:?} {fault:?}");
        }
    }
}

#[test]
fn a_failed_beginning_can_be_begun_again() {
    for step in DiskStep::ALL {
        let dir = tempfile::tempdir().unwrap();
        let inner = dir.path().join("state");
        let disk = FaultyDisk::default();
        disk.fail(step, DiskFault::Before);
        let opened = MoneyJournal::open(&inner, disk.clone(), false);
        assert_eq!(opened.is_err(), disk.failed(), "{step:?}");
        open(&inner).prepare(agreement(1, 100), None).unwrap();
    }
}
