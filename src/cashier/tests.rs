//! Tests that sending a withdrawal happens in this order: take the lock, write to the journal, send
//! the request, write the outcome. Most tests inspect the journal during the request.

mod lying;

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use futures_util::FutureExt;

use super::{Clock, Report, UnrecordedOutcome, Wire, attempt};
use crate::journal::money::samples::*;
use crate::journal::money::{Files, MoneyJournal};
use crate::journal::{DiskStep, Permit, Spent};
use crate::trade::Withdrawal;
use crate::trade::withdrawal::{
    AttemptEnd, Blocker, Class, NoSend, NotDone, NotSent, SendDeadline,
};
use crate::trade::{Clocks, JournalTrouble};

struct FixedClock(i64);

impl Clock for FixedClock {
    fn now(&self) -> Clocks {
        clocks(self.0)
    }
}

/// A fake `Wire`. While it "sends" a request, it opens the journal a second time to see which
/// events are already on disk.
struct WatchingWire {
    dir: PathBuf,
    class: Class,
    sent: RefCell<Vec<String>>,
    deadlines: RefCell<Vec<SendDeadline>>,
}

impl Wire for WatchingWire {
    async fn send(&self, permit: Permit) -> (Spent, AttemptEnd) {
        let (spent, request) = permit.spend();
        let key = spent.key();
        let mut second_journal = open(&self.dir);
        let on_disk = second_journal.get(key).unwrap().unwrap();
        let last = on_disk
            .attempts
            .last()
            .expect("the attempt must be on disk");
        assert_eq!((last.n, &last.end), (spent.n(), &None));
        assert_eq!(on_disk.agreement, *request.agreement());
        assert_eq!(second_journal.in_flight(&account("ana")), Ok(Some(key)));
        assert_eq!(
            second_journal.lock(key).err(),
            Some(NotDone::Blocked(Blocker::Busy))
        );
        self.sent
            .borrow_mut()
            .push(request.agreement().body.to_string());
        self.deadlines
            .borrow_mut()
            .push(request.send_limit().deadline.clone());
        let began = request.send_limit().deadline.began.wall.0 / 1_000;
        (spent, attempt_end(began, self.class.clone()))
    }
}

fn watching_wire(dir: &Path, class: Class) -> WatchingWire {
    WatchingWire {
        dir: dir.to_owned(),
        class,
        sent: RefCell::default(),
        deadlines: RefCell::default(),
    }
}

/// Makes one attempt to send withdrawal 1 at second `at`, and returns all reports.
fn run(journal: &Mutex<MoneyJournal>, wire: &impl Wire, at: i64) -> Vec<Report> {
    let mut reports = Vec::new();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let record = async |report| reports.push(report);
    runtime.block_on(attempt(
        (key(1), None),
        &WINDOW,
        journal,
        wire,
        &FixedClock(at),
        record,
    ));
    reports
}

#[test]
fn attempt_on_disk_before_send_outcome_before_report() {
    let dir = tempfile::tempdir().unwrap();
    let journal = Mutex::new(open(dir.path()));
    journal
        .lock()
        .unwrap()
        .prepare(agreement(1, 100), None)
        .unwrap();
    let losing_wire = watching_wire(dir.path(), timed_out());
    let reports = run(&journal, &losing_wire, 2);
    assert_eq!(reports[0], Report::AttemptBegan { key: key(1), n: 1 });
    let Report::Settled(first) = &reports[1] else {
        panic!("{reports:?}")
    };
    assert_eq!(
        open(dir.path()).get(key(1)),
        Ok(Some(Withdrawal::clone(first)))
    );
    assert_eq!(first.state(&clocks(3), &WINDOW, false).name(), "unknown");

    let accepting_wire = watching_wire(dir.path(), confirmed());
    let reports = run(&journal, &accepting_wire, 4);
    assert_eq!(reports[0], Report::AttemptBegan { key: key(1), n: 2 });
    assert_eq!(
        *losing_wire.sent.borrow(),
        *accepting_wire.sent.borrow(),
        "the same bytes"
    );

    let reports = run(&journal, &accepting_wire, 5);
    let why = NotDone::Blocked(Blocker::State);
    assert_eq!(reports, [Report::NotBegun { key: key(1), why }]);
    assert_eq!(accepting_wire.sent.borrow().len(), 1);
}

#[test]
fn nothing_sent_if_attempt_cannot_be_made_durable() {
    let steps = DiskStep::ALL
        .into_iter()
        .skip_while(|step| *step != DiskStep::Begin);
    let steps = steps.filter(|step| *step != DiskStep::Purge);
    for (step, fault) in
        steps.flat_map(|step| [(step, DiskFault::Before), (step, DiskFault::After)])
    {
        let dir = tempfile::tempdir().unwrap();
        let disk = FaultyDisk::default();
        let journal = MoneyJournal::open(Files::on_disk(dir.path(), disk.clone()), false).unwrap();
        let journal = Mutex::new(journal);
        journal
            .lock()
            .unwrap()
            .prepare(agreement(1, 100), None)
            .unwrap();
        let wire = watching_wire(dir.path(), confirmed());
        disk.fail_at(step, fault);
        let reports = run(&journal, &wire, 2);
        assert!(disk.has_failed());
        let [
            Report::NotBegun {
                why: NotDone::Journal(_),
                ..
            },
        ] = &reports[..]
        else {
            panic!("{step:?} {fault:?}: {reports:?}");
        };
        // The failed write made the journal read-only, so another attempt sends nothing.
        run(&journal, &wire, 3);
        assert_eq!(wire.sent.borrow().len(), 0, "{step:?} {fault:?}");
    }
}

/// A fake `Wire`. After it "sends" a request, the given disk step fails.
struct DiskFaultWire(FaultyDisk, DiskStep, DiskFault);

impl Wire for DiskFaultWire {
    async fn send(&self, permit: Permit) -> (Spent, AttemptEnd) {
        self.0.fail_at(self.1, self.2);
        (permit.spend().0, attempt_end(9, confirmed()))
    }
}

#[test]
fn unrecorded_outcome_reported_and_never_a_refusal() {
    for step in [
        DiskStep::Begin,
        DiskStep::Append,
        DiskStep::Commit,
        DiskStep::HeadRename,
        DiskStep::DirSync,
    ] {
        for fault in [DiskFault::Before, DiskFault::After] {
            let dir = tempfile::tempdir().unwrap();
            let disk = FaultyDisk::default();
            let journal =
                MoneyJournal::open(Files::on_disk(dir.path(), disk.clone()), false).unwrap();
            let journal = Mutex::new(journal);
            journal
                .lock()
                .unwrap()
                .prepare(agreement(1, 100), None)
                .unwrap();
            let reports = run(&journal, &DiskFaultWire(disk, step, fault), 2);
            let Report::Unrecorded {
                n: 1,
                end: reported_end,
                trouble,
                ..
            } = &reports[1]
            else {
                panic!("{step:?} {fault:?}: {reports:?}");
            };
            assert_eq!(*reported_end, attempt_end(9, confirmed()));
            assert!(matches!(trouble, JournalTrouble::Full(_)));
            drop(journal);
            let mut journal = open(dir.path());
            let state = journal
                .get(key(1))
                .unwrap()
                .unwrap()
                .state(&clocks(9), &WINDOW, false);
            // A failed write may still have reached the disk, so two states are possible.
            assert!(
                matches!(state.name(), "unknown" | "accepted"),
                "{step:?} {fault:?}"
            );
            assert_eq!(
                journal.in_flight(&account("ana")),
                Ok(None),
                "the lock is free"
            );
        }
    }
}

#[test]
fn delayed_outcome_reported_once_and_settled_later() {
    for (step, fault) in [
        (DiskStep::Begin, DiskFault::Before),
        (DiskStep::Commit, DiskFault::After),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let disk = FaultyDisk::default();
        disk.fail_as_locked();
        let journal = MoneyJournal::open(Files::on_disk(dir.path(), disk.clone()), false).unwrap();
        let journal = Mutex::new(journal);
        journal
            .lock()
            .unwrap()
            .prepare(agreement(1, 100), None)
            .unwrap();
        let mut reports = Vec::new();
        let mut unrecorded = attempt_once(
            &journal,
            &DiskFaultWire(disk.clone(), step, fault),
            &mut reports,
        );
        let [
            Report::AttemptBegan { .. },
            Report::Unrecorded {
                n: 1,
                end: reported_end,
                trouble,
                ..
            },
        ] = &reports[..]
        else {
            panic!("{reports:?}")
        };
        assert_eq!(*reported_end, attempt_end(9, confirmed()));
        assert!(matches!(trouble, JournalTrouble::Busy(_)));
        for tries in 1..=3 {
            disk.fail_at(DiskStep::Begin, DiskFault::Before);
            unrecorded = record(unrecorded.unwrap(), &journal, &mut reports);
            assert_eq!(
                reports.len(),
                2,
                "told only once, also after {tries} tries more"
            );
            let second_attempt = attempt(
                (key(1), None),
                &WINDOW,
                &journal,
                &SilentWire,
                &FixedClock(3),
                async |report| {
                    let why = NotDone::Blocked(Blocker::Busy);
                    assert_eq!(
                        report,
                        Report::NotBegun { key: key(1), why },
                        "its lock is held"
                    );
                },
            );
            assert!(second_attempt.now_or_never().is_some());
        }
        unrecorded = record(unrecorded.unwrap(), &journal, &mut reports);
        assert!(unrecorded.is_none());
        let Some(Report::Settled(settled)) = reports.last() else {
            panic!("{reports:?}")
        };
        let mut other = open(dir.path());
        assert_eq!(other.get(key(1)), Ok(Some(Withdrawal::clone(settled))));
        assert_eq!(
            (other.verify(), other.in_flight(&account("ana"))),
            (Ok(3), Ok(None))
        );
        assert_eq!(settled.state(&clocks(9), &WINDOW, false).name(), "accepted");
    }
}

#[test]
fn delayed_outcome_reported_again_if_never_written() {
    let dir = tempfile::tempdir().unwrap();
    let disk = FaultyDisk::default();
    let journal = MoneyJournal::open(Files::on_disk(dir.path(), disk.clone()), false).unwrap();
    let journal = Mutex::new(journal);
    journal
        .lock()
        .unwrap()
        .prepare(agreement(1, 100), None)
        .unwrap();
    let mut reports = Vec::new();
    disk.fail_as_locked();
    let wire = DiskFaultWire(disk.clone(), DiskStep::Begin, DiskFault::Before);
    let unrecorded = attempt_once(&journal, &wire, &mut reports).unwrap();
    disk.set_error(std::io::ErrorKind::StorageFull);
    disk.fail_at(DiskStep::HeadRename, DiskFault::Before);
    assert!(record(unrecorded, &journal, &mut reports).is_none());
    let Some(Report::Unrecorded { trouble, .. }) = reports.last() else {
        panic!("{reports:?}")
    };
    assert!(matches!(trouble, JournalTrouble::Full(_)), "{trouble:?}");
    assert_eq!(
        open(dir.path()).in_flight(&account("ana")),
        Ok(None),
        "the lock is free"
    );
}

/// Makes one attempt to send withdrawal 1. Returns the outcome if the journal could not store it.
fn attempt_once(
    journal: &Mutex<MoneyJournal>,
    wire: &impl Wire,
    reports: &mut Vec<Report>,
) -> Option<UnrecordedOutcome> {
    let record = async |report| {
        assert!(
            journal.try_lock().is_ok(),
            "whoever hears it may ask the journal"
        );
        reports.push(report);
    };
    let future = attempt(
        (key(1), None),
        &WINDOW,
        journal,
        wire,
        &FixedClock(2),
        record,
    );
    future.now_or_never().expect("nothing is waited for")
}

/// Tries again to write the outcome of an attempt.
fn record(
    unrecorded: UnrecordedOutcome,
    journal: &Mutex<MoneyJournal>,
    reports: &mut Vec<Report>,
) -> Option<UnrecordedOutcome> {
    let future = unrecorded.record(journal, async |report| reports.push(report));
    future.now_or_never().expect("nothing is waited for")
}

/// A fake `Wire` that sends the request but never gets a response.
struct SilentWire;

impl Wire for SilentWire {
    async fn send(&self, permit: Permit) -> (Spent, AttemptEnd) {
        let spent = permit.spend().0;
        std::future::pending::<()>().await;
        (spent, attempt_end(9, confirmed()))
    }
}

#[test]
fn dropped_attempt_is_unknown_and_can_be_resent() {
    let dir = tempfile::tempdir().unwrap();
    let journal = Mutex::new(open(dir.path()));
    journal
        .lock()
        .unwrap()
        .prepare(agreement(1, 100), None)
        .unwrap();
    let mut reports = Vec::new();
    let record = async |report| reports.push(report);
    let result = attempt(
        (key(1), None),
        &WINDOW,
        &journal,
        &SilentWire,
        &FixedClock(2),
        record,
    )
    .now_or_never();
    assert!(result.is_none());
    assert_eq!(reports, [Report::AttemptBegan { key: key(1), n: 1 }]);
    let wire = watching_wire(dir.path(), confirmed());
    assert_eq!(
        run(&journal, &wire, 3)[0],
        Report::AttemptBegan { key: key(1), n: 2 }
    );
}

#[test]
fn clock_is_read_for_every_attempt() {
    let dir = tempfile::tempdir().unwrap();
    let journal = Mutex::new(open(dir.path()));
    journal
        .lock()
        .unwrap()
        .prepare(agreement(1, 100), None)
        .unwrap();
    let wire = watching_wire(dir.path(), timed_out());
    run(&journal, &wire, 2);
    let reports = run(&journal, &wire, 573);
    let why = NotDone::Blocked(Blocker::Window(NoSend::WindowOver));
    assert_eq!(reports, [Report::NotBegun { key: key(1), why }]);
    assert_eq!(wire.sent.borrow().len(), 1);
}

#[test]
fn every_permit_has_a_send_deadline() {
    let dir = tempfile::tempdir().unwrap();
    let journal = Mutex::new(open(dir.path()));
    journal
        .lock()
        .unwrap()
        .prepare(agreement(1, 100), None)
        .unwrap();
    // Each attempt must be sent within 30 seconds, and all must end within 10 minutes. These 10
    // minutes began at second 200, so the last attempt must be sent by second 770.
    let ends = [
        (100, Class::NotSent(NotSent::Dns), 30),
        (200, timed_out(), 30),
        (760, timed_out(), 10),
    ];
    for (at, class, left) in ends {
        let wire = watching_wire(dir.path(), class);
        run(&journal, &wire, at);
        let left = Duration::from_secs(left);
        assert_eq!(
            *wire.deadlines.borrow(),
            [SendDeadline {
                began: clocks(at),
                limit: left
            }],
            "{at}"
        );
    }
}
