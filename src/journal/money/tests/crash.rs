//! A disk that fails, and a process that dies, at each step.

use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus};

use crate::journal::disk::{Disk, DiskStep};
use crate::journal::money::samples::*;
use crate::journal::money::{BeginRefused, MoneyJournal, PrepareRefused};
use crate::trade::withdrawal::Decision;
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
    let dir = tempfile::tempdir().unwrap();
    let disk = FaultyDisk::default();
    let mut journal = MoneyJournal::open(dir.path(), disk.clone(), false).unwrap();
    disk.seen();
    journal.prepare(agreement(1, 100), None).unwrap();
    assert_eq!(disk.seen(), WRITE);
}

#[test]
fn after_any_failed_write_nothing_is_written_until_a_restart() {
    for step in WRITE {
        for fault in [DiskFault::Before, DiskFault::After] {
            let dir = tempfile::tempdir().unwrap();
            let disk = FaultyDisk::default();
            let mut journal = MoneyJournal::open(dir.path(), disk.clone(), false).unwrap();
            journal.prepare(agreement(1, 100), None).unwrap();
            let lock = journal.lock(key(1)).unwrap();
            disk.fail(step, fault);
            let begun = journal.begin(lock, key(1), &clocks(2), &WINDOW);
            assert!(disk.failed());
            let told = matches!(begun, Err(BeginRefused::Journal(JournalTrouble::Full(_))));
            assert!(told, "{step:?} {fault:?}: {begun:?}");
            assert!(journal.trouble().is_some());
            let after = journal.prepare(agreement(2, 200), None);
            assert!(matches!(after, Err(PrepareRefused::Journal(_))));
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
            let dir = tempfile::tempdir().unwrap();
            let disk = FaultyDisk::default();
            let mut journal = MoneyJournal::open(dir.path(), disk.clone(), false).unwrap();
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

/// Ends the process at a step, as a kill would.
struct DeadlyDisk {
    step: DiskStep,
    after: bool,
    /// The number of times the step succeeds before the fault.
    skip: std::sync::atomic::AtomicU32,
}

impl Disk for DeadlyDisk {
    fn step(&self, step: DiskStep, act: &mut dyn FnMut() -> io::Result<()>) -> io::Result<()> {
        use std::sync::atomic::Ordering::SeqCst;
        let dies = step == self.step && self.skip.fetch_sub(1, SeqCst) == 0;
        if dies && !self.after {
            std::process::abort();
        }
        act()?;
        if dies {
            std::process::abort();
        }
        Ok(())
    }
}

/// The life that is cut short: prepared, sent twice, found.
fn live<D: Disk>(journal: &mut MoneyJournal<D>) {
    journal.prepare(agreement(1, 100), None).unwrap();
    attempt(journal, 1, 2, lost());
    attempt(journal, 1, 3, lost());
    journal.decide(key(1), Decision::FoundPaid, &clocks(4), &WINDOW).unwrap();
}

/// Runs in a process of its own, started by the test below.
#[test]
fn dying_process() {
    let Ok(order) = std::env::var("BALCAO_TEST_DIES_AT") else { return };
    let parts: Vec<&str> = order.splitn(4, ' ').collect();
    let step = DiskStep::ALL[parts[0].parse::<usize>().unwrap()];
    let disk = DeadlyDisk {
        step,
        after: parts[1] == "after",
        skip: parts[2].parse::<u32>().unwrap().into(),
    };
    let mut journal = MoneyJournal::open(Path::new(parts[3]), disk, false).unwrap();
    live(&mut journal);
}

/// Runs the process above.
fn die(program: &Path, order: &str) -> ExitStatus {
    Command::new(program)
        .args(["--exact", "journal::money::tests::crash::dying_process"])
        .env("BALCAO_TEST_DIES_AT", order)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .status()
        .unwrap()
}

#[test]
fn a_process_that_dies_at_any_step_leaves_a_whole_journal() {
    let program = std::env::current_exe().unwrap();
    let not_lived = [DiskStep::MakeDir, DiskStep::Purge];
    let lived = DiskStep::ALL.into_iter().enumerate().filter(|(_, step)| !not_lived.contains(step));
    for (number, step) in lived {
        for (when, skip) in [("before", 0), ("after", 0), ("before", 2), ("after", 3)] {
            let dir = tempfile::tempdir().unwrap();
            let status = die(&program, &format!("{number} {when} {skip} {}", dir.path().display()));
            let created_once = matches!(step, DiskStep::CreateDatabase | DiskStep::CreateSchema);
            assert_eq!(status.success(), created_once && skip > 0, "{step:?} {when} {skip}");
            let mut journal = open(dir.path());
            let events = journal.verify().unwrap();
            if let Some(withdrawal) = journal.get(key(1)).unwrap() {
                assert_eq!(withdrawal.agreement, agreement(1, 100));
            }
            // A commit that was survived is never forgotten.
            if step == DiskStep::Commit {
                assert_eq!(events, skip + u64::from(when == "after"), "{when} {skip}");
            }
        }
    }
}
