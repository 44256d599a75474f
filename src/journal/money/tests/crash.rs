//! Tests with a disk that fails at each step of a journal write.

use crate::journal::disk::DiskStep;
use crate::journal::money::samples::*;
use crate::journal::money::{Files, MoneyJournal};
use crate::trade::withdrawal::NotDone;
use crate::trade::{JournalTrouble, Wall};

const WRITE_STEPS: [DiskStep; 7] = [
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
    let (_dir, disk, mut journal) = journal_on_faulty_disk();
    disk.take_steps();
    journal.prepare(agreement(1, 100), None).unwrap();
    assert_eq!(disk.take_steps(), WRITE_STEPS);
}

#[test]
fn failed_write_blocks_writes_until_restart() {
    for step in WRITE_STEPS {
        for fault in [DiskFault::Before, DiskFault::After] {
            let (dir, disk, mut journal) = journal_on_faulty_disk();
            journal.prepare(agreement(1, 100), None).unwrap();
            let lock = journal.lock(key(1)).unwrap();
            disk.fail_at(step, fault);
            let begun = journal.begin(lock, key(1), None, &clocks(2), &WINDOW);
            assert!(disk.has_failed());
            let is_disk_full = matches!(begun, Err(NotDone::Journal(JournalTrouble::Full(_))));
            assert!(is_disk_full, "{step:?} {fault:?}: {begun:?}");
            assert!(journal.trouble().is_some());
            let later_result = journal.prepare(agreement(2, 200), None);
            assert!(matches!(later_result, Err(NotDone::Journal(_))));
            assert!(journal.lock(key(1)).is_err());
            assert!(
                journal.get(key(1)).unwrap().is_some(),
                "it can still be read"
            );
            drop(journal);
            let mut journal = open(dir.path());
            let begun = journal.get(key(1)).unwrap().unwrap().attempts.len();
            assert!(begun <= 1);
            make_attempt(&mut journal, 1, 3, confirmed());
        }
    }
}

#[test]
fn failed_purge_erases_all_or_nothing() {
    for step in [DiskStep::Begin, DiskStep::Purge, DiskStep::Commit] {
        for fault in [DiskFault::Before, DiskFault::After] {
            let (dir, disk, mut journal) = journal_on_faulty_disk();
            prepare_and_attempt(&mut journal, 1, 100, confirmed());
            prepare_and_attempt(&mut journal, 2, 200, confirmed());
            disk.fail_at(step, fault);
            let later = Wall(90_000_000);
            assert!(matches!(
                journal.purge(later, later),
                Err(JournalTrouble::Full(_))
            ));
            assert!(disk.has_failed() && journal.trouble().is_some());
            drop(journal);
            let mut journal = open(dir.path());
            assert_eq!(journal.verify(), Ok(6));
            let mut body_lengths = |n| journal.get(key(n)).unwrap().unwrap().agreement.body.len();
            let body_lengths: Vec<usize> = [1, 2].map(&mut body_lengths).to_vec();
            let is_purged = step == DiskStep::Commit && fault == DiskFault::After;
            assert_eq!(
                body_lengths.iter().all(|length| *length == 0),
                is_purged,
                "{step:?} {fault:?}"
            );
            assert_eq!(
                body_lengths.iter().all(|length| *length > 0),
                !is_purged,
                "{step:?} {fault:?}"
            );
        }
    }
}

#[test]
fn failed_first_start_can_be_repeated() {
    for step in DiskStep::ALL {
        let dir = tempfile::tempdir().unwrap();
        let inner = dir.path().join("state");
        let disk = FaultyDisk::default();
        disk.fail_at(step, DiskFault::Before);
        let result = MoneyJournal::open(Files::on_disk(&inner, disk.clone()), false);
        assert_eq!(result.is_err(), disk.has_failed(), "{step:?}");
        open(&inner).prepare(agreement(1, 100), None).unwrap();
    }
}
