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

use super::WINDOW_WITH_WAIT;
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
const LAST_SEND: Ms = RETENTION - DEADLINE;
/// The shortest wait after an attempt that may have paid.
const RESEND_WAIT: Ms = 30 * SECOND;

const CASES: u32 = 2_000;

const WINDOW: Window = WINDOW_WITH_WAIT;

/// The clock that differs from the true time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WrongClock {
    None,
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
        /// The flag is true if the wrong clock also stops during that time.
        sleep: Option<(Ms, bool)>,
        reply: Reply,
        reply_time: Ms,
    },
    Pass(Ms),
    /// The computer is suspended for this time. The flag is true if the wrong clock also stops.
    Sleep(Ms, bool),
    /// The wall clock jumps by this many milliseconds. Ignored if the wall clock is correct.
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
    let choose = |durations: &'static [Ms]| prop::sample::select(durations);
    let sleep_time = choose(&[SECOND, 20 * SECOND, 3 * MINUTE, LAST_SEND, HOUR]);
    let date_error = choose(&[0, 0, SECOND, 5 * MINUTE, 25 * HOUR, 50 * YEAR]);
    let with_sign = |duration: Ms, is_negative: bool| {
        if is_negative {
            -(duration as i64)
        } else {
            duration as i64
        }
    };
    let date = (date_error, any::<bool>())
        .prop_map(move |(date_error, is_negative)| with_sign(date_error, is_negative));
    let reply = prop_oneof![
        12 => Just(Reply::NotSent),
        12 => Just(Reply::Lost),
        26 => Just(Reply::NoAnswer),
        50 => prop::option::weighted(0.8, date).prop_map(Reply::Error),
    ];
    let sleep = prop::option::weighted(0.25, (sleep_time, any::<bool>()));
    let send = (prop::bool::weighted(0.6), sleep, reply, 0..DEADLINE).prop_map(
        |(waits, sleep, reply, reply_time)| Step::Send {
            waits,
            sleep,
            reply,
            reply_time,
        },
    );
    let pass = choose(&[
        SECOND,
        20 * SECOND,
        RESEND_WAIT,
        MINUTE,
        3 * MINUTE,
        5 * MINUTE,
        LAST_SEND,
        HOUR,
        24 * HOUR,
    ]);
    let jump = choose(&[
        SECOND,
        MINUTE,
        8 * MINUTE,
        9 * MINUTE,
        HOUR,
        25 * HOUR,
        YEAR,
        50 * YEAR,
    ]);
    prop_oneof![
        45 => send,
        20 => pass.prop_map(Step::Pass),
        15 => (choose(&[MINUTE, 9 * MINUTE, 11 * MINUTE, 8 * HOUR]), prop::bool::weighted(0.7))
            .prop_map(|(duration, stops_clock)| Step::Sleep(duration, stops_clock)),
        10 => (jump, any::<bool>())
            .prop_map(move |(duration, is_negative)| Step::Jump(with_sign(duration, is_negative))),
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
    sent_at: Ms,
    clocks: Clocks,
}

/// The simulated machine, clocks and bank.
struct ClockWorld {
    wrong_clock: WrongClock,
    has_boot_ids: bool,
    now: Ms,
    wall_ahead: i64,
    boot_behind: Ms,
    booted: Ms,
    boots: u64,
    process: u64,
    attempts: Vec<Attempt>,
    first: Option<First>,
    /// The true time at which the last attempt that may have paid ended.
    unclear_end: Option<Ms>,
    sends: u64,
    /// How long the machine slept, in total, between the start of an attempt and its first byte.
    total_sleep: Ms,
    /// True if the boot id changed. Clock readings from before and after the change cannot be
    /// compared.
    restarted: bool,
    /// The time of the last payment. After another `RETENTION`, the bank forgets the idempotency
    /// key.
    paid_at: Option<Ms>,
    payments: u64,
}

impl ClockWorld {
    fn new(wrong_clock: WrongClock, has_boot_ids: bool) -> ClockWorld {
        ClockWorld {
            wrong_clock,
            has_boot_ids,
            now: 5 * HOUR,
            wall_ahead: 0,
            boot_behind: 0,
            booted: 0,
            boots: 0,
            process: 0,
            attempts: Vec::new(),
            first: None,
            unclear_end: None,
            sends: 0,
            total_sleep: 0,
            restarted: false,
            paid_at: None,
            payments: 0,
        }
    }

    fn true_wall(&self) -> i64 {
        1_795_268_527_000 + self.now as i64
    }

    fn read_clocks(&self) -> Clocks {
        let boot_id = if self.has_boot_ids {
            format!("boot {}", self.boots)
        } else {
            format!("process {}", self.process)
        };
        let boot_ms = self.now - self.booted - self.boot_behind;
        let wall = Wall(self.true_wall() + self.wall_ahead);
        Clocks {
            wall,
            boot_ms,
            boot_id: boot_id.into(),
        }
    }

    fn pass(&mut self, duration: Ms, stops_clock: bool) {
        self.now += duration;
        if stops_clock && matches!(self.wrong_clock, WrongClock::Wall | WrongClock::Both) {
            self.wall_ahead -= duration as i64;
        }
        if stops_clock && matches!(self.wrong_clock, WrongClock::Boot | WrongClock::Both) {
            self.boot_behind += duration;
        }
    }

    fn restart_program(&mut self) {
        self.process += 1;
        self.restarted |= !self.has_boot_ids;
    }

    fn perform_step(&mut self, step: Step) -> Result<(), String> {
        match step {
            Step::Send {
                waits,
                sleep,
                reply,
                reply_time,
            } => {
                if waits {
                    let wait = WINDOW.remaining_wait(&self.attempts, &self.read_clocks());
                    self.pass(wait.as_millis() as Ms, false);
                }
                return self.send(sleep, &reply, reply_time);
            }
            Step::Pass(duration) => self.pass(duration, false),
            Step::Sleep(duration, stops_clock) => self.pass(duration, stops_clock),
            Step::Jump(duration)
                if matches!(self.wrong_clock, WrongClock::Wall | WrongClock::Both) =>
            {
                self.wall_ahead += duration;
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
    fn send(
        &mut self,
        sleep: Option<(Ms, bool)>,
        reply: &Reply,
        reply_time: Ms,
    ) -> Result<(), String> {
        let began = self.read_clocks();
        if let Err(no_send) = WINDOW.time_left(&self.attempts, &began) {
            return self.check_refusal(no_send);
        }
        if !WINDOW.remaining_wait(&self.attempts, &began).is_zero() {
            return self.check_wait();
        }
        let n = self.attempts.len() as u32 + 1;
        self.attempts.push(Attempt {
            n,
            began: began.clone(),
            end: None,
            by: None,
        });
        let send_deadline = WINDOW.send_deadline(&self.attempts).expect("it may begin");
        let began_at = self.now;
        if let Some((duration, stops_clock)) = sleep {
            self.total_sleep += duration;
            self.pass(duration, stops_clock);
        }
        let (class, server_date) = match reply {
            _ if !send_deadline.allows(&self.read_clocks()) => {
                (Class::NotSent(NotSent::NotSafe), None)
            }
            Reply::NotSent => (Class::NotSent(NotSent::Connect), None),
            reply => {
                self.record_send(began_at, began)?;
                if !matches!(reply, Reply::Lost) {
                    self.reach_bank();
                }
                self.pass(reply_time, false);
                self.unclear_end = Some(self.now);
                match reply {
                    Reply::Error(date_error) => {
                        let date_error = date_error.map(|date_error| {
                            if self.wrong_clock == WrongClock::None {
                                0
                            } else {
                                date_error
                            }
                        });
                        let date = date_error.map(|date_error| Wall(self.true_wall() + date_error));
                        (Class::Unclear(Unclear::Status), date)
                    }
                    _ => (Class::Unclear(Unclear::Timeout), None),
                }
            }
        };
        let Clocks {
            wall: at, boot_ms, ..
        } = self.read_clocks();
        let status = None;
        let message = None;
        let hint = None;
        let end = AttemptEnd {
            at,
            boot_ms,
            class,
            status,
            server_date,
            message,
            hint,
        };
        self.attempts.last_mut().expect("pushed").end = Some(end);
        Ok(())
    }

    /// Records an attempt that is sent now. Returns an error if the attempt comes too late or too
    /// soon.
    fn record_send(&mut self, began: Ms, clocks: Clocks) -> Result<(), String> {
        self.sends += 1;
        let Some(first) = &self.first else {
            self.first = Some(First {
                began,
                sent_at: self.now,
                clocks,
            });
            return Ok(());
        };
        if let Some(waited) = self
            .unclear_end
            .map(|ended| began - ended)
            .filter(|it| *it < RESEND_WAIT)
        {
            return Err(format!("TOO SOON: {waited} ms after the one before"));
        }
        let since = self.now - first.sent_at;
        if since <= LAST_SEND && self.sends <= 4 {
            return Ok(());
        }
        let measured = self
            .read_clocks()
            .elapsed_since(&first.clocks)
            .map(|measured| measured.as_millis() as Ms);
        match (self.wrong_clock, measured) {
            // If both clocks show too little time, accept an attempt that is too late, because no
            // client could detect it.
            (WrongClock::Both, Ok(..=LAST_SEND)) => Ok(()),
            (_, Ok(..=LAST_SEND)) => Err(format!("TOO LATE: {since} ms after the first")),
            _ => Err(format!(
                "not even the clocks allow it: {measured:?}, {since} ms in truth"
            )),
        }
    }

    fn reach_bank(&mut self) {
        if self.paid_at.is_none_or(|paid| self.now - paid > RETENTION) {
            (self.paid_at, self.payments) = (Some(self.now), self.payments + 1);
        }
    }

    /// An error if the resend window refused an attempt although all clocks are right and no rule
    /// forbids the attempt.
    ///
    /// A refusal shortly before the end of the window is accepted. The dates in the bank's replies
    /// may shorten the window by the duration of an attempt.
    fn check_refusal(&self, no_send: NoSend) -> Result<(), String> {
        let since = self.first.as_ref().map(|first| self.now - first.began);
        let attempt_time = self.total_sleep + DEADLINE + RESEND_WAIT + SECOND;
        let is_near_the_end = since.is_some_and(|since| since + attempt_time > LAST_SEND);
        let is_allowed = is_near_the_end || self.restarted || no_send == NoSend::TooManySends;
        if self.wrong_clock == WrongClock::None && !is_allowed {
            Err(format!(
                "Nobody lies: {no_send:?}, {since:?} ms after the first"
            ))
        } else {
            Ok(())
        }
    }

    fn check_wait(&self) -> Result<(), String> {
        let waited = self.unclear_end.map(|ended| self.now - ended);
        if self.wrong_clock == WrongClock::None && waited.is_none_or(|waited| waited >= RESEND_WAIT)
        {
            Err(format!(
                "Nobody lies: TooSoon, {waited:?} ms after the one before"
            ))
        } else {
            Ok(())
        }
    }

    /// Performs the steps, then waits an hour. If anything was sent, checks that the window allows
    /// no further attempt.
    fn run(&mut self, steps: Vec<Step>) -> Result<(), String> {
        steps
            .into_iter()
            .try_for_each(|step| self.perform_step(step))?;
        self.pass(HOUR, false);
        let may_send = WINDOW
            .time_left(&self.attempts, &self.read_clocks())
            .is_ok();
        if self.wrong_clock == WrongClock::Both {
            return Ok(());
        }
        if may_send != self.first.is_none() {
            return Err(format!("at the end it may be sent: {may_send}"));
        }
        if self.payments > 1 {
            Err(format!("paid {} times", self.payments))
        } else {
            Ok(())
        }
    }
}

#[test]
fn single_wrong_clock_causes_no_late_send() {
    let wrong_clock = prop_oneof![
        1 => Just(WrongClock::None),
        2 => Just(WrongClock::Wall),
        1 => Just(WrongClock::Boot),
    ];
    let config = ProptestConfig {
        cases: CASES,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let has_boot_ids = prop::bool::weighted(0.85);
    proptest!(config, |(clock in wrong_clock, has_boot_ids in has_boot_ids, steps in steps())| {
        prop_assert_eq!(ClockWorld::new(clock, has_boot_ids).run(steps), Ok(()));
    });
}

#[test]
fn two_wrong_clocks_can_pay_twice() {
    let mut runner = TestRunner::deterministic();
    // Double payments are rare, so try random cases until one happens.
    for _ in 0..5 * CASES {
        let steps = steps().new_tree(&mut runner).expect("steps").current();
        let mut world = ClockWorld::new(WrongClock::Both, true);
        assert_eq!(world.run(steps), Ok(()));
        if world.payments > 1 {
            return;
        }
    }
    panic!("no case pays twice");
}
