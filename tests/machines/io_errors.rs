//! I/O error tests: makes each disk step of a withdrawal fail in every way, once and permanently.
//!
//! The journal uses real files. The disk layer below it returns EIO, ENOSPC or EROFS at one step,
//! before or after the step took effect, either once or from then on. In every case:
//!
//! * No attempt is sent unless it is durable on disk.
//! * The journal refuses further writes until it is opened again.
//! * When the journal is open again on a working disk, the withdrawals can be completed.
//!
//! The submodule `needs_tools` injects the same errors into single system calls, below SQLite.

mod needs_tools;

use std::cell::RefCell;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use balcao::cashier::{self, Clock, Report, Wire};
use balcao::journal::money::{Files, MoneyJournal};
use balcao::journal::{Disk, DiskStep, Permit, Spent};
use balcao::trade::withdrawal::{
    AttemptEnd, Blocker, Class, Decision, NotDone, Unclear, WithdrawalState,
};
use balcao::trade::{Clocks, IdempotencyKey, JournalTrouble, Wall};
use uuid::Uuid;

use crate::bank::{Bank, BankKind, Fate, SECOND};
use crate::effort::{Effort, format_thousands, print_figure, print_line, run_in_parallel};
use crate::samples::{IMMEDIATE_RESEND, account, agreement, temp_dir};

const ERRORS: [(&str, i32); 3] = [("EIO", 5), ("ENOSPC", 28), ("EROFS", 30)];

const THREADS: usize = 2;

/// An error that the test injects into a disk step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct DiskError {
    /// The index of the disk step that fails, counted from 0 over the whole run.
    step: usize,
    error: (&'static str, i32),
    takes_effect: bool,
    is_permanent: bool,
}

/// A disk that records its steps, and fails at a planned step.
#[derive(Clone, Default)]
struct FailingDisk(Arc<Mutex<DiskRecord>>);

#[derive(Default)]
struct DiskRecord {
    steps: Vec<DiskStep>,
    planned_error: Option<DiskError>,
    has_failed: bool,
}

impl FailingDisk {
    fn state(&self) -> MutexGuard<'_, DiskRecord> {
        self.0.lock().expect("no panic")
    }

    fn has_failed(&self) -> bool {
        self.state().has_failed
    }

    fn steps(&self) -> Vec<DiskStep> {
        self.state().steps.clone()
    }
}

impl Disk for FailingDisk {
    fn step(&self, step: DiskStep, act: &mut dyn FnMut() -> io::Result<()>) -> io::Result<()> {
        let error = {
            let mut state = self.state();
            let index = state.steps.len();
            state.steps.push(step);
            let is_due = |error: &DiskError| {
                index == error.step || (index > error.step && error.is_permanent)
            };
            let error = state.planned_error.filter(is_due);
            state.has_failed |= error.is_some();
            error
        };
        let Some(error) = error else { return act() };
        // If the error is permanent, only the first failing step may still take effect, as on a
        // disk that has just become full.
        let is_first = self.state().steps.len() == error.step + 1;
        if error.takes_effect && is_first {
            act()?;
        }
        Err(io::Error::from_raw_os_error(error.error.1))
    }
}

struct FixedClock(u64);

impl Clock for FixedClock {
    fn now(&self) -> Clocks {
        let ms = self.0 * 1_000;
        Clocks {
            wall: Wall(1_795_268_527_000 + ms as i64),
            boot_ms: ms,
            boot_id: "boot".into(),
        }
    }
}

/// A connection to the simulated bank that checks, before each send, that the withdrawal is on
/// disk.
struct CheckingWire<'a> {
    dir: &'a Path,
    disk: FailingDisk,
    bank: &'a RefCell<Bank>,
    sent: RefCell<usize>,
    seconds: u64,
    class: Class,
}

impl Wire for CheckingWire<'_> {
    async fn send(&self, permit: Permit) -> (Spent, AttemptEnd) {
        let (spent, request) = permit.spend();
        assert!(!self.disk.has_failed(), "sent after an error of the disk");
        let key = spent.key();
        let snapshot = MoneyJournal::open_to_read(&Files::new(self.dir), JournalTrouble::Missing);
        let mut snapshot = snapshot.expect("it can be read");
        assert!(!snapshot.is_ahead, "sent before the head was durable");
        let withdrawal = snapshot.journal.get(key).expect("read").expect("on disk");
        let last = withdrawal.attempts.last().expect("on disk");
        assert_eq!((last.n, &last.end), (spent.n(), &None));
        assert_eq!(withdrawal.agreement, *request.agreement());
        *self.sent.borrow_mut() += 1;
        let body = &withdrawal.agreement.body;
        let now = self.seconds * SECOND;
        self.bank
            .borrow_mut()
            .handle_request(key.0.as_u128(), body, now, Fate::Pays, 0);
        let Clocks {
            wall: at, boot_ms, ..
        } = FixedClock(self.seconds).now();
        let class = self.class.clone();
        let status = None;
        let server_date = None;
        let message = None;
        let hint = None;
        (
            spent,
            AttemptEnd {
                at,
                boot_ms,
                class,
                status,
                server_date,
                message,
                hint,
            },
        )
    }
}

fn key(n: u128) -> IdempotencyKey {
    IdempotencyKey(Uuid::from_u128(n))
}

/// A test run that processes three withdrawals on a failing disk.
struct Life<'a> {
    dir: &'a Path,
    disk: FailingDisk,
    bank: &'a RefCell<Bank>,
    /// The number of writes that the journal refused after the disk error.
    refusals: usize,
}

impl Life<'_> {
    /// Opens the journal, and processes three withdrawals as far as the disk allows.
    fn run(&mut self) -> Result<(), JournalTrouble> {
        let dir = self.dir.join("journal");
        let journal = Mutex::new(MoneyJournal::open(
            Files::on_disk(&dir, self.disk.clone()),
            false,
        )?);
        let unclear = || Class::Unclear(Unclear::Timeout);
        let confirmed = || Class::Confirmed {
            id: None,
            status: None,
        };
        self.prepare(&journal, 1);
        self.attempt(&journal, 1, 2, unclear());
        self.attempt(&journal, 1, 3, confirmed());
        self.prepare(&journal, 2);
        self.attempt(&journal, 2, 4, Class::Redirected);
        self.decide(&journal, 2, Decision::FoundPaid, 5);
        self.prepare(&journal, 3);
        self.decide(&journal, 3, Decision::Discarded, 6);
        let later = FixedClock(3 * 86_400).now().wall;
        let purged = journal.lock().expect("no panic").purge(later, later);
        self.assert_writes_refused(&journal, purged.is_err());
        Ok(())
    }

    fn prepare(&mut self, journal: &Mutex<MoneyJournal>, n: u128) {
        let account = account("https://pay.example", &format!("seller {n}"));
        // Give each withdrawal its own amount, because the journal would refuse a second withdrawal
        // of the same amount to the same Pix key.
        let amount = 1_000 + i64::try_from(n).expect("a small number");
        let terms = agreement(key(n), account, amount, FixedClock(1).now(), "");
        let prepared = journal.lock().expect("no panic").prepare(terms, None);
        if let Err(error) = &prepared {
            // An earlier run with the same files may already have stored this withdrawal.
            let is_expected = matches!(
                error,
                NotDone::Journal(_) | NotDone::Blocked(Blocker::KeyKnown)
            );
            assert!(is_expected, "{error:?}");
        }
        let is_refused = matches!(prepared, Err(NotDone::Journal(_)));
        self.assert_writes_refused(journal, is_refused);
    }

    fn attempt(&mut self, journal: &Mutex<MoneyJournal>, n: u128, seconds: u64, class: Class) {
        let withdrawal = journal
            .lock()
            .expect("no panic")
            .get(key(n))
            .expect("it can be read");
        let state = withdrawal.map(|withdrawal| {
            withdrawal.state(&FixedClock(seconds).now(), &IMMEDIATE_RESEND, false)
        });
        if !matches!(
            state,
            Some(WithdrawalState::Prepared | WithdrawalState::Unknown)
        ) {
            return;
        }
        let dir = self.dir.join("journal");
        let disk = self.disk.clone();
        let sent = RefCell::default();
        let wire = CheckingWire {
            dir: &dir,
            disk,
            bank: self.bank,
            sent,
            seconds,
            class,
        };
        let mut reports = Vec::new();
        let failed_before = self.disk.has_failed();
        let on_report = async |report| reports.push(report);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .expect("a runtime");
        let clock = FixedClock(seconds);
        runtime.block_on(cashier::attempt(
            (key(n), None),
            &IMMEDIATE_RESEND,
            journal,
            &wire,
            &clock,
            on_report,
        ));
        let sent = *wire.sent.borrow();
        let is_refused = !matches!(reports.last(), Some(Report::Settled(_)));
        match reports.last().expect("it says something") {
            Report::NotBegun { .. } => assert_eq!(sent, 0, "sent, and not begun"),
            _ => assert_eq!(sent, 1),
        }
        assert!(
            !failed_before || sent == 0,
            "sent while the journal was in trouble"
        );
        self.assert_writes_refused(journal, is_refused);
    }

    fn decide(&mut self, journal: &Mutex<MoneyJournal>, n: u128, choice: Decision, seconds: u64) {
        let now = FixedClock(seconds).now();
        let decided =
            journal
                .lock()
                .expect("no panic")
                .decide(key(n), choice, &now, &IMMEDIATE_RESEND);
        if let Err(error) = &decided {
            use NotDone::{Blocked, Journal};
            let is_expected = matches!(
                error,
                Journal(_) | Blocked(Blocker::NoSuchKey | Blocker::State)
            );
            assert!(is_expected, "{error:?}");
        }
        self.assert_writes_refused(journal, matches!(decided, Err(NotDone::Journal(_))));
    }

    /// Checks that after a disk error the journal refuses every write, and does not even try to
    /// write.
    fn assert_writes_refused(&mut self, journal: &Mutex<MoneyJournal>, is_refused: bool) {
        if !self.disk.has_failed() {
            assert!(!is_refused, "refused without a reason");
            return;
        }
        self.refusals += usize::from(is_refused);
        let mut journal = journal.lock().expect("no panic");
        assert!(
            journal.trouble().is_some(),
            "an error of the disk was forgotten"
        );
        let steps = self.disk.steps().len();
        let other = account("https://pay.example", "another seller");
        let terms = agreement(key(99), other, 5_050, FixedClock(9).now(), "");
        let result = journal.prepare(terms, None);
        assert!(matches!(result, Err(NotDone::Journal(_))), "{result:?}");
        assert!(journal.lock(key(1)).is_err());
        assert_eq!(self.disk.steps().len(), steps, "the disk was touched again");
        journal.page(None, "", 0, 9).expect("it can still be read");
    }
}

/// Runs three withdrawals with this disk error, then again on a working disk, and checks the
/// result.
///
/// Returns the disk steps of the first run, whether its disk failed, and the number of refused
/// writes.
fn run_lives(planned_error: Option<DiskError>) -> (Vec<DiskStep>, bool, usize) {
    // Use a bank that pays twice if a resend has a different body, so that the test detects such a
    // resend.
    let dir = temp_dir();
    let bank = RefCell::new(Bank::new(BankKind::IgnoresKeyOnOtherBody));
    let disk = FailingDisk::default();
    disk.state().planned_error = planned_error;
    let mut life = Life {
        dir: dir.path(),
        disk: disk.clone(),
        bank: &bank,
        refusals: 0,
    };
    let result = life.run();
    assert!(result.is_ok() || disk.has_failed(), "{result:?}");
    let steps = disk.steps();
    let has_failed = disk.has_failed();
    let refusals = life.refusals;
    let payouts = |n| bank.borrow().payout_count(key(n).0.as_u128());
    let paid_before = [1, 2, 3].map(payouts);
    let mut second_life = Life {
        dir: dir.path(),
        disk: FailingDisk::default(),
        bank: &bank,
        refusals: 0,
    };
    second_life.run().expect("on a disk that is well it opens");
    let mut journal =
        MoneyJournal::open(Files::new(dir.path().join("journal")), true).expect("open");
    journal.verify().expect("whole");
    let now = FixedClock(9).now();
    let mut final_state = |n| {
        let withdrawal = journal.get(key(n)).expect("read").expect("there");
        let state = withdrawal.state(&now, &IMMEDIATE_RESEND, false);
        assert!(withdrawal.attempts.len() <= 4, "{withdrawal:?}");
        (state, payouts(n))
    };
    for n in [1, 2, 3] {
        match final_state(n) {
            (WithdrawalState::Accepted | WithdrawalState::ResolvedPaid, 1)
            | (WithdrawalState::Discarded, 0) => {}
            // The bank paid this withdrawal, but the app leaves the decision to a person. The test
            // does not simulate this decision.
            (WithdrawalState::NeedsPerson(_), 1) if paid_before[n as usize - 1] == 1 => {}
            (state, payouts) => panic!("{n} is {state:?}, paid {payouts} times"),
        }
    }
    (steps, has_failed, refusals)
}

/// Returns every combination of a failing step, an error code and a way to fail.
fn all_disk_errors(steps: usize) -> Vec<DiskError> {
    let mut all = Vec::new();
    for step in 0..steps {
        for error in ERRORS {
            for (takes_effect, is_permanent) in
                [(false, false), (false, true), (true, false), (true, true)]
            {
                all.push(DiskError {
                    step,
                    error,
                    takes_effect,
                    is_permanent,
                });
            }
        }
    }
    all
}

#[test]
fn io_error_stops_writes_and_undurable_sends() {
    let (steps, has_failed, refusals) = run_lives(None);
    assert!(!has_failed && refusals == 0);
    for step in DiskStep::ALL {
        assert!(steps.contains(&step), "a life without {step:?}");
    }
    let errors = all_disk_errors(steps.len());
    // Test only every seventh case in a small run. Each step has 12 cases, and 7 shares no factor
    // with 12, so the sample still contains every error code and every way to fail.
    let stride = if Effort::from_env() == Effort::Small {
        7
    } else {
        1
    };
    let refusals = AtomicUsize::new(0);
    run_in_parallel(THREADS, errors.iter().step_by(stride), |error| {
        let result = std::panic::catch_unwind(|| run_lives(Some(*error)));
        let Ok((steps_before_end, has_failed, refused)) = result else {
            panic!("{:?} of the steps {steps:?}: {error:?}", steps[error.step])
        };
        assert!(has_failed, "{error:?} never came");
        assert_eq!(steps_before_end[..=error.step], steps[..=error.step]);
        refusals.fetch_add(refused, Ordering::Relaxed);
    });
    let lives = errors.len().div_ceil(stride);
    print_line(&format!(
        "I/O errors: {lives} lives of {} steps each, {} writes refused afterwards",
        steps.len(),
        refusals.into_inner()
    ));
    print_figure(&format!(
        "{} lives of {} durable steps",
        format_thousands(lives as u64),
        steps.len()
    ));
}
