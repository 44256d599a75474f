//! Property tests of the resend window (the time in which a withdrawal may be sent again) with
//! wrong clocks. In true time, no attempt may be sent too late, or too soon after an unclear
//! attempt.
//!
//! [`ClockWorld`] simulates the true time, the bank and the machine's clocks. In the first test, at
//! most one clock is wrong: the wall clock jumps or stops, or the boot clock stops while the
//! machine sleeps. Machine and app may restart, the platform may have no boot id, and the dates in
//! the bank's replies are arbitrary.
//!
//! The second test shows a case that no client can detect: both clocks show too little time within
//! one boot, as on a virtual machine that was paused or restored from a snapshot.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::WAITING;
use crate::trade::withdrawal::{Attempt, AttemptEnd, Class, NoSend, NotSent, Unclear, Window};
use crate::trade::{Clocks, Wall};

type Ms = u64;

const SECOND: Ms = 1_000;
const MINUTE: Ms = 60 * SECOND;
const HOUR: Ms = 60 * MINUTE;
const YEAR: Ms = 365 * 24 * HOUR;

/// The longest time between a request and its response.
const DEADLINE: Ms = 30 * SECOND;
/// How long the bank remembers an idempotency key.
const RETENTION: Ms = 10 * MINUTE;
/// The latest time at which another attempt may be sent, counted from the first attempt.
const LAST: Ms = RETENTION - DEADLINE;
/// The shortest wait after an attempt that may have paid.
const WAIT: Ms = 30 * SECOND;

const CASES: u32 = 2_000;

const WINDOW: Window = WAITING;

/// The clock that differs from the true time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WrongClock {
    Nobody,
    Wall,
    Boot,
    Both,
}

#[derive(Debug, Clone)]
enum Step {
    Send {
        /// True if the seller waits until the app offers to send the withdrawal again.
        waits: bool,
        /// The time for which the computer is suspended before the attempt sends its first byte.
        /// The flag is true if the computer's inaccurate clock also stops during that time.
        sleeps: Option<(Ms, bool)>,
        reply: Reply,
        takes: Ms,
    },
    Pass(Ms),
    /// The computer is suspended for this time. The flag is true if its inaccurate clock stops too.
    Sleep(Ms, bool),
    /// The wall clock jumps by this many milliseconds, unless the test case has a correct wall
    /// clock.
    Jump(i64),
    RestartProgram,
    RestartMachine,
}

#[derive(Debug, Clone)]
enum Reply {
    /// The attempt failed before its first byte.
    NotSent,
    /// The request did not reach the bank.
    Lost,
    /// The bank paid, but no response arrived.
    NoAnswer,
    /// The bank paid, but an error response arrived. The value is the error of its `Date` header in
    /// milliseconds, or `None` if it has no such header.
    Error(Option<i64>),
}

fn step() -> impl Strategy<Value = Step> {
    let pick = |spans: &'static [Ms]| prop::sample::select(spans);
    let before = pick(&[SECOND, 20 * SECOND, 3 * MINUTE, LAST, HOUR]);
    let off = pick(&[0, 0, SECOND, 5 * MINUTE, 25 * HOUR, 50 * YEAR]);
    let signed = |span: Ms, back: bool| if back { -(span as i64) } else { span as i64 };
    let date = (off, any::<bool>()).prop_map(move |(off, back)| signed(off, back));
    let reply = prop_oneof![
        12 => Just(Reply::NotSent),
        12 => Just(Reply::Lost),
        26 => Just(Reply::NoAnswer),
        50 => prop::option::weighted(0.8, date).prop_map(Reply::Error),
    ];
    let sleeps = prop::option::weighted(0.25, (before, any::<bool>()));
    let send = (prop::bool::weighted(0.6), sleeps, reply, 0..DEADLINE)
        .prop_map(|(waits, sleeps, reply, takes)| Step::Send { waits, sleeps, reply, takes });
    let pass =
        pick(&[SECOND, 20 * SECOND, WAIT, MINUTE, 3 * MINUTE, 5 * MINUTE, LAST, HOUR, 24 * HOUR]);
    let jump = pick(&[SECOND, MINUTE, 8 * MINUTE, 9 * MINUTE, HOUR, 25 * HOUR, YEAR, 50 * YEAR]);
    prop_oneof![
        45 => send,
        20 => pass.prop_map(Step::Pass),
        15 => (pick(&[MINUTE, 9 * MINUTE, 11 * MINUTE, 8 * HOUR]), prop::bool::weighted(0.7))
            .prop_map(|(span, unnoticed)| Step::Sleep(span, unnoticed)),
        10 => (jump, any::<bool>())
            .prop_map(move |(span, back)| Step::Jump(signed(span, back))),
        8 => Just(Step::RestartProgram),
        4 => Just(Step::RestartMachine),
    ]
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(step(), 6..20)
}

/// The first attempt that was sent to the bank.
#[derive(Debug, Clone)]
struct First {
    began: Ms,
    left: Ms,
    clocks: Clocks,
}

/// The simulated machine, clocks and bank.
struct ClockWorld {
    liar: WrongClock,
    names_boots: bool,
    now: Ms,
    wall_ahead: i64,
    boot_behind: Ms,
    booted: Ms,
    boots: u64,
    process: u64,
    attempts: Vec<Attempt>,
    first: Option<First>,
    /// The true time at which the last attempt that may have paid ended.
    unclear: Option<Ms>,
    sends: u64,
    /// How long the machine slept, in total, between the start of an attempt and its first byte.
    slept: Ms,
    /// True if the boot id changed. Clock readings from before and after the change cannot be
    /// compared.
    restarted: bool,
    /// The time of the last payment. After another `RETENTION`, the bank forgets the idempotency
    /// key.
    paid_at: Option<Ms>,
    paid: u64,
}

impl ClockWorld {
    fn new(liar: WrongClock, names_boots: bool) -> ClockWorld {
        ClockWorld {
            liar,
            names_boots,
            now: 5 * HOUR,
            wall_ahead: 0,
            boot_behind: 0,
            booted: 0,
            boots: 0,
            process: 0,
            attempts: Vec::new(),
            first: None,
            unclear: None,
            sends: 0,
            slept: 0,
            restarted: false,
            paid_at: None,
            paid: 0,
        }
    }

    fn true_wall(&self) -> i64 {
        1_795_268_527_000 + self.now as i64
    }

    fn read(&self) -> Clocks {
        let boot_id = match self.names_boots {
            true => format!("boot {}", self.boots),
            false => format!("process {}", self.process),
        };
        let boot_ms = self.now - self.booted - self.boot_behind;
        let wall = Wall(self.true_wall() + self.wall_ahead);
        Clocks { wall, boot_ms, boot_id: boot_id.into() }
    }

    fn pass(&mut self, span: Ms, unnoticed: bool) {
        self.now += span;
        if unnoticed && matches!(self.liar, WrongClock::Wall | WrongClock::Both) {
            self.wall_ahead -= span as i64;
        }
        if unnoticed && matches!(self.liar, WrongClock::Boot | WrongClock::Both) {
            self.boot_behind += span;
        }
    }

    fn restart_program(&mut self) {
        self.process += 1;
        self.restarted |= !self.names_boots;
    }

    fn take(&mut self, step: Step) -> Result<(), String> {
        match step {
            Step::Send { waits, sleeps, reply, takes } => {
                if waits {
                    let wait = WINDOW.wait(&self.attempts, &self.read());
                    self.pass(wait.as_millis() as Ms, false);
                }
                return self.send(sleeps, &reply, takes);
            }
            Step::Pass(span) => self.pass(span, false),
            Step::Sleep(span, unnoticed) => self.pass(span, unnoticed),
            Step::Jump(span) if matches!(self.liar, WrongClock::Wall | WrongClock::Both) => {
                self.wall_ahead += span;
            }
            Step::Jump(_) => {}
            Step::RestartProgram => self.restart_program(),
            Step::RestartMachine => {
                (self.booted, self.boot_behind, self.restarted) = (self.now, 0, true);
                self.boots += 1;
                self.restart_program();
            }
        }
        Ok(())
    }

    /// Sends an attempt if the app would send one: within the resend window, after the required
    /// wait, and before the time limit for the first byte.
    fn send(&mut self, sleeps: Option<(Ms, bool)>, reply: &Reply, takes: Ms) -> Result<(), String> {
        let began = self.read();
        if let Err(no_send) = WINDOW.left(&self.attempts, &began) {
            return self.refused(no_send);
        }
        if !WINDOW.wait(&self.attempts, &began).is_zero() {
            return self.too_soon();
        }
        let n = self.attempts.len() as u32 + 1;
        self.attempts.push(Attempt { n, began: began.clone(), end: None });
        let leave_by = WINDOW.send_deadline(&self.attempts).expect("it may begin");
        let began_at = self.now;
        if let Some((span, unnoticed)) = sleeps {
            self.slept += span;
            self.pass(span, unnoticed);
        }
        let (class, server_date) = match reply {
            _ if !leave_by.allows(&self.read()) => (Class::NotSent(NotSent::NotSafe), None),
            Reply::NotSent => (Class::NotSent(NotSent::Connect), None),
            reply => {
                self.sent(began_at, began)?;
                if !matches!(reply, Reply::Lost) {
                    self.reach_bank();
                }
                self.pass(takes, false);
                self.unclear = Some(self.now);
                match reply {
                    Reply::Error(off) => {
                        let off =
                            off.map(|off| if self.liar == WrongClock::Nobody { 0 } else { off });
                        let date = off.map(|off| Wall(self.true_wall() + off));
                        (Class::Unclear(Unclear::Status), date)
                    }
                    _ => (Class::Unclear(Unclear::Timeout), None),
                }
            }
        };
        let Clocks { wall: at, boot_ms, .. } = self.read();
        let (status, message, hint) = (None, None, None);
        let end = AttemptEnd { at, boot_ms, class, status, server_date, message, hint };
        self.attempts.last_mut().expect("pushed").end = Some(end);
        Ok(())
    }

    /// Records an attempt that is sent now. Returns an error if the attempt comes too late or too
    /// soon.
    fn sent(&mut self, began: Ms, at_begin: Clocks) -> Result<(), String> {
        self.sends += 1;
        let Some(first) = &self.first else {
            self.first = Some(First { began, left: self.now, clocks: at_begin });
            return Ok(());
        };
        if let Some(waited) = self.unclear.map(|ended| began - ended).filter(|it| *it < WAIT) {
            return Err(format!("TOO SOON: {waited} ms after the one before"));
        }
        let since = self.now - first.left;
        if since <= LAST && self.sends <= 4 {
            return Ok(());
        }
        let seen = self.read().elapsed_since(&first.clocks).map(|seen| seen.as_millis() as Ms);
        match (self.liar, seen) {
            // If both clocks show too little time, accept an attempt that is too late, because no
            // client could detect it.
            (WrongClock::Both, Ok(..=LAST)) => Ok(()),
            (_, Ok(..=LAST)) => Err(format!("TOO LATE: {since} ms after the first")),
            _ => Err(format!("not even the clocks allow it: {seen:?}, {since} ms in truth")),
        }
    }

    fn reach_bank(&mut self) {
        if self.paid_at.is_none_or(|paid| self.now - paid > RETENTION) {
            (self.paid_at, self.paid) = (Some(self.now), self.paid + 1);
        }
    }

    /// Returns an error if the resend window refused an attempt although all clocks are right and
    /// no rule forbids the attempt.
    ///
    /// A refusal shortly before the end of the window is accepted, because the service's dates may
    /// shorten the window by up to the duration of an attempt.
    fn refused(&self, no_send: NoSend) -> Result<(), String> {
        let since = self.first.as_ref().map(|first| self.now - first.began);
        let takes = self.slept + DEADLINE + WAIT + SECOND;
        let is_late = since.is_some_and(|since| since + takes > LAST);
        let by_rule = is_late || self.restarted || no_send == NoSend::TooManySends;
        match self.liar == WrongClock::Nobody && !by_rule {
            true => Err(format!("Nobody lies: {no_send:?}, {since:?} ms after the first")),
            false => Ok(()),
        }
    }

    fn too_soon(&self) -> Result<(), String> {
        let waited = self.unclear.map(|ended| self.now - ended);
        match self.liar == WrongClock::Nobody && waited.is_none_or(|waited| waited >= WAIT) {
            true => Err(format!("Nobody lies: TooSoon, {waited:?} ms after the one before")),
            false => Ok(()),
        }
    }

    /// Performs the steps, then waits an hour. If anything was sent, checks that the window allows
    /// no further attempt.
    fn lead(&mut self, steps: Vec<Step>) -> Result<(), String> {
        steps.into_iter().try_for_each(|step| self.take(step))?;
        self.pass(HOUR, false);
        let may_send = WINDOW.left(&self.attempts, &self.read()).is_ok();
        if self.liar == WrongClock::Both {
            return Ok(());
        }
        if may_send != self.first.is_none() {
            return Err(format!("at the end it may be sent: {may_send}"));
        }
        if self.paid > 1 { Err(format!("paid {} times", self.paid)) } else { Ok(()) }
    }
}

#[test]
fn single_wrong_clock_causes_no_late_send() {
    let liar = prop_oneof![
        1 => Just(WrongClock::Nobody),
        2 => Just(WrongClock::Wall),
        1 => Just(WrongClock::Boot),
    ];
    let config =
        ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(liar in liar, names in prop::bool::weighted(0.85), steps in steps())| {
        prop_assert_eq!(ClockWorld::new(liar, names).lead(steps), Ok(()));
    });
}

#[test]
fn two_clocks_lying_together_can() {
    let mut runner = TestRunner::deterministic();
    // Double payments are rare, so try random cases until one happens.
    for _ in 0..5 * CASES {
        let steps = steps().new_tree(&mut runner).expect("steps").current();
        let mut world = ClockWorld::new(WrongClock::Both, true);
        assert_eq!(world.lead(steps), Ok(()));
        if world.paid > 1 {
            return;
        }
    }
    panic!("no case pays twice");
}
