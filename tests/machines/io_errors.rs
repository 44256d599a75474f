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
use balcao::journal::money::{MoneyJournal, WriteRefused};
use balcao::journal::{Disk, DiskStep, OsDisk, Permit, Spent};
use balcao::trade::withdrawal::{AttemptEnd, Class, Decision, Unclear, WithdrawalState};
use balcao::trade::{Clocks, IdempotencyKey, JournalTrouble, Wall};
use uuid::Uuid;

use crate::bank::{Bank, Fate, Kind, SECOND};
use crate::effort::{Effort, each, grouped, promised, say};
use crate::samples::{AT_ONCE, account, agreement, place};

const ERRORS: [(&str, i32); 3] = [("EIO", 5), ("ENOSPC", 28), ("EROFS", 30)];

const THREADS: usize = 2;

/// An error that the test injects into a disk step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Trouble {
    /// The index of the disk step that fails, counted from 0 over the whole run.
    at: usize,
    error: (&'static str, i32),
    acts_first: bool,
    for_ever: bool,
}

/// A disk that records its steps, and fails at a planned step.
#[derive(Clone, Default)]
struct FailingDisk(Arc<Mutex<DiskRecord>>);

#[derive(Default)]
struct DiskRecord {
    steps: Vec<DiskStep>,
    trouble: Option<Trouble>,
    failed: bool,
}

impl FailingDisk {
    fn state(&self) -> MutexGuard<'_, DiskRecord> {
        self.0.lock().expect("no panic")
    }

    fn has_failed(&self) -> bool {
        self.state().failed
    }

    fn steps(&self) -> Vec<DiskStep> {
        self.state().steps.clone()
    }
}

impl Disk for FailingDisk {
    fn step(&self, step: DiskStep, act: &mut dyn FnMut() -> io::Result<()>) -> io::Result<()> {
        let error = {
            let mut state = self.state();
            let at = state.steps.len();
            state.steps.push(step);
            let due = |trouble: &Trouble| at == trouble.at || (at > trouble.at && trouble.for_ever);
            let trouble = state.trouble.filter(due);
            state.failed |= trouble.is_some();
            trouble
        };
        let Some(trouble) = error else { return act() };
        // If the error is permanent, only the first failing step may still take effect, as on a
        // disk that has just become full.
        let first = self.state().steps.len() == trouble.at + 1;
        if trouble.acts_first && first {
            act()?;
        }
        Err(io::Error::from_raw_os_error(trouble.error.1))
    }
}

struct Seconds(u64);

impl Clock for Seconds {
    fn now(&self) -> Clocks {
        let ms = self.0 * 1_000;
        Clocks { wall: Wall(1_795_268_527_000 + ms as i64), boot_ms: ms, boot_id: "boot".into() }
    }
}

/// A connection to the simulated bank that checks, before each send, that the withdrawal is on
/// disk.
struct CheckingWire<'a> {
    dir: &'a Path,
    disk: FailingDisk,
    bank: &'a RefCell<Bank>,
    sent: RefCell<usize>,
    at: u64,
    class: Class,
}

impl Wire for CheckingWire<'_> {
    async fn send(&self, permit: Permit) -> (Spent, AttemptEnd) {
        let (spent, request) = permit.spend();
        assert!(!self.disk.has_failed(), "sent after an error of the disk");
        let key = spent.key();
        let look = MoneyJournal::open_to_read(self.dir, JournalTrouble::Missing);
        let mut look = look.expect("it can be read");
        assert!(!look.is_ahead, "sent before the head was durable");
        let known = look.journal.get(key).expect("read").expect("on disk");
        let last = known.attempts.last().expect("on disk");
        assert_eq!((last.n, &last.end), (spent.n(), &None));
        assert_eq!(known.agreement, *request.agreement());
        *self.sent.borrow_mut() += 1;
        let (body, now) = (&known.agreement.body, self.at * SECOND);
        self.bank.borrow_mut().take(key.0.as_u128(), body, now, Fate::Pays, 0);
        let Clocks { wall: at, boot_ms, .. } = Seconds(self.at).now();
        let class = self.class.clone();
        let (status, server_date, message, hint) = (None, None, None, None);
        (spent, AttemptEnd { at, boot_ms, class, status, server_date, message, hint })
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
    /// How often the journal refused to write after the disk error.
    refused: usize,
}

impl Life<'_> {
    /// Opens the journal, and processes three withdrawals as far as the disk allows.
    fn lead(&mut self) -> Result<(), JournalTrouble> {
        let dir = self.dir.join("journal");
        let journal = Mutex::new(MoneyJournal::open(&dir, self.disk.clone(), false)?);
        let unclear = || Class::Unclear(Unclear::Timeout);
        let confirmed = || Class::Confirmed { id: None, status: None };
        self.prepare(&journal, 1);
        self.attempt(&journal, 1, 2, unclear());
        self.attempt(&journal, 1, 3, confirmed());
        self.prepare(&journal, 2);
        self.attempt(&journal, 2, 4, Class::Redirected);
        self.decide(&journal, 2, Decision::FoundPaid, 5);
        self.prepare(&journal, 3);
        self.decide(&journal, 3, Decision::Discarded, 6);
        let later = Seconds(3 * 86_400).now().wall;
        let purged = journal.lock().expect("no panic").purge(later, later);
        self.keeps_still(&journal, purged.is_err());
        Ok(())
    }

    fn prepare(&mut self, journal: &Mutex<MoneyJournal<FailingDisk>>, n: u128) {
        let account = account("https://pay.example", &format!("seller {n}"));
        // Give each withdrawal its own amount, because the journal would refuse a second withdrawal
        // of the same amount to the same Pix key.
        let amount = 1_000 + i64::try_from(n).expect("a small number");
        let paper = agreement(key(n), account, amount, Seconds(1).now(), "");
        let prepared = journal.lock().expect("no panic").prepare(paper, None);
        if let Err(why) = &prepared {
            // An earlier run with the same files may already have stored this withdrawal.
            let told = matches!(why, WriteRefused::Journal(_) | WriteRefused::KeyKnown);
            assert!(told, "{why:?}");
        }
        let refused = matches!(prepared, Err(WriteRefused::Journal(_)));
        self.keeps_still(journal, refused);
    }

    fn attempt(
        &mut self,
        journal: &Mutex<MoneyJournal<FailingDisk>>,
        n: u128,
        at: u64,
        class: Class,
    ) {
        let known = journal.lock().expect("no panic").get(key(n)).expect("it can be read");
        let state = known.map(|known| known.state(&Seconds(at).now(), &AT_ONCE, false));
        if !matches!(state, Some(WithdrawalState::Prepared | WithdrawalState::Unknown)) {
            return;
        }
        let (dir, disk) = (self.dir.join("journal"), self.disk.clone());
        let sent = RefCell::default();
        let wire = CheckingWire { dir: &dir, disk, bank: self.bank, sent, at, class };
        let (mut reports, failed_before) = (Vec::new(), self.disk.has_failed());
        let note = |report| reports.push(report);
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let clock = Seconds(at);
        runtime.block_on(cashier::attempt((key(n), None), &AT_ONCE, journal, &wire, &clock, note));
        let sent = *wire.sent.borrow();
        let refused = !matches!(reports.last(), Some(Report::Settled(_)));
        match reports.last().expect("it says something") {
            Report::NotBegun { .. } => assert_eq!(sent, 0, "sent, and not begun"),
            _ => assert_eq!(sent, 1),
        }
        assert!(!failed_before || sent == 0, "sent while the journal was in trouble");
        self.keeps_still(journal, refused);
    }

    fn decide(
        &mut self,
        journal: &Mutex<MoneyJournal<FailingDisk>>,
        n: u128,
        choice: Decision,
        at: u64,
    ) {
        let now = Seconds(at).now();
        let decided = journal.lock().expect("no panic").decide(key(n), choice, &now, &AT_ONCE);
        if let Err(why) = &decided {
            use WriteRefused::{Journal, NoSuchKey, NotNow};
            assert!(matches!(why, Journal(_) | NoSuchKey | NotNow), "{why:?}");
        }
        self.keeps_still(journal, matches!(decided, Err(WriteRefused::Journal(_))));
    }

    /// Checks that after a disk error the journal refuses every write, and does not even try to
    /// write.
    fn keeps_still(&mut self, journal: &Mutex<MoneyJournal<FailingDisk>>, refused: bool) {
        if !self.disk.has_failed() {
            assert!(!refused, "refused without a reason");
            return;
        }
        self.refused += usize::from(refused);
        let mut journal = journal.lock().expect("no panic");
        assert!(journal.trouble().is_some(), "an error of the disk was forgotten");
        let steps = self.disk.steps().len();
        let other = account("https://pay.example", "another seller");
        let paper = agreement(key(99), other, 5_050, Seconds(9).now(), "");
        let taken = journal.prepare(paper, None);
        assert!(matches!(taken, Err(WriteRefused::Journal(_))), "{taken:?}");
        assert!(journal.lock(key(1)).is_err());
        assert_eq!(self.disk.steps().len(), steps, "the disk was touched again");
        journal.page(None, "", 0, 9).expect("it can still be read");
    }
}

/// Runs three withdrawals with this disk error, then again on a working disk, and checks the
/// result.
///
/// Returns the disk steps of the first run, whether its disk failed, and how many writes were
/// refused.
fn live(trouble: Option<Trouble>) -> (Vec<DiskStep>, bool, usize) {
    // Use a bank that pays twice if a resend has a different body, so that the test detects such a
    // resend.
    let (dir, bank) = (place(), RefCell::new(Bank::new(Kind::IgnoresKeyOnOtherBody)));
    let disk = FailingDisk::default();
    disk.state().trouble = trouble;
    let mut life = Life { dir: dir.path(), disk: disk.clone(), bank: &bank, refused: 0 };
    let opened = life.lead();
    assert!(opened.is_ok() || disk.has_failed(), "{opened:?}");
    let (steps, failed, refused) = (disk.steps(), disk.has_failed(), life.refused);
    let payouts = |n| bank.borrow().paid(key(n).0.as_u128());
    let paid_before = [1, 2, 3].map(payouts);
    let mut well = Life { dir: dir.path(), disk: FailingDisk::default(), bank: &bank, refused: 0 };
    well.lead().expect("on a disk that is well it opens");
    let mut journal = MoneyJournal::open(&dir.path().join("journal"), OsDisk, true).expect("open");
    journal.verify().expect("whole");
    let now = Seconds(9).now();
    let mut paid = |n| {
        let known = journal.get(key(n)).expect("read").expect("there");
        let state = known.state(&now, &AT_ONCE, false);
        assert!(known.attempts.len() <= 4, "{known:?}");
        (state, payouts(n))
    };
    for n in [1, 2, 3] {
        match paid(n) {
            (WithdrawalState::Accepted | WithdrawalState::ResolvedPaid, 1)
            | (WithdrawalState::Discarded, 0) => {}
            // The bank paid this withdrawal, but the app leaves the decision to a person. The test
            // does not simulate this decision.
            (WithdrawalState::NeedsPerson(_), 1) if paid_before[n as usize - 1] == 1 => {}
            (state, payouts) => panic!("{n} is {state:?}, paid {payouts} times"),
        }
    }
    (steps, failed, refused)
}

/// Returns every combination of a failing step, an error code and a way to fail.
fn troubles(steps: usize) -> Vec<Trouble> {
    let mut all = Vec::new();
    for at in 0..steps {
        for error in ERRORS {
            for (acts_first, for_ever) in
                [(false, false), (false, true), (true, false), (true, true)]
            {
                all.push(Trouble { at, error, acts_first, for_ever });
            }
        }
    }
    all
}

#[test]
fn io_error_stops_writes_and_undurable_sends() {
    let (steps, failed, refused) = live(None);
    assert!(!failed && refused == 0);
    for step in DiskStep::ALL {
        assert!(steps.contains(&step), "a life without {step:?}");
    }
    let all = troubles(steps.len());
    // Test only every seventh case in a small run. Each step has 12 cases, and 7 shares no factor
    // with 12, so the sample still contains every error code and every way to fail.
    let stride = if Effort::wanted() == Effort::Small { 7 } else { 1 };
    let refused = AtomicUsize::new(0);
    each(THREADS, all.iter().step_by(stride), |trouble| {
        let told = std::panic::catch_unwind(|| live(Some(*trouble)));
        let Ok((seen, failed, times)) = told else {
            panic!("{:?} of the steps {steps:?}: {trouble:?}", steps[trouble.at])
        };
        assert!(failed, "{trouble:?} never came");
        assert_eq!(seen[..=trouble.at], steps[..=trouble.at]);
        refused.fetch_add(times, Ordering::Relaxed);
    });
    let lives = all.len().div_ceil(stride);
    say(&format!(
        "I/O errors: {lives} lives of {} steps each, {} writes refused afterwards",
        steps.len(),
        refused.into_inner()
    ));
    promised(&format!("{} lives of {} durable steps", grouped(lives as u64), steps.len()));
}
