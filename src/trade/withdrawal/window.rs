//! The time window for sending a withdrawal again with the same idempotency key.
//!
//! Sending again is safe only while the service remembers the key. The API does not document how
//! long that is.

use std::time::Duration;

use super::attempt::Attempt;
use crate::trade::{ClockDoubt, Clocks};

/// The maximum number of times that one withdrawal may be sent.
pub const MAX_SENDS: usize = 4;

/// The rules for sending a withdrawal again with the same idempotency key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// How long the service is assumed to remember an idempotency key.
    pub retention: Duration,
    /// The time within which an attempt must send its first byte, and the timeout of its request.
    /// The last attempt must start early enough to end within `retention`.
    pub deadline: Duration,
    /// The minimum time between the end of an attempt that may have paid and the next attempt. Zero
    /// means that no wait is required.
    ///
    /// Some services store the idempotency key only after they have paid. Such a service would pay
    /// twice if the second request arrived too early.
    pub resend_after: Duration,
}

/// The time limit for sending the first byte of an attempt.
///
/// The machine may sleep between the start of an attempt and its first byte. Timers do not run
/// during sleep, so the clocks are read again just before sending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendDeadline {
    /// The clock readings at the start of the attempt.
    pub began: Clocks,
    /// The first byte may be sent only within this time after the start.
    pub limit: Duration,
}

impl SendDeadline {
    /// True if the first byte may be sent now. Returns false if the clock readings contradict each
    /// other.
    pub fn allows(&self, now: &Clocks) -> bool {
        now.elapsed_since(&self.began)
            .is_ok_and(|elapsed| elapsed <= self.limit)
    }
}

/// The reason why a withdrawal may not be sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoSend {
    /// The service may have forgotten the idempotency key, because too much time has passed.
    WindowOver,
    /// The withdrawal was already sent the maximum number of times.
    TooManySends,
    /// The time since the first attempt is unknown, because the clock readings cannot be compared.
    ClockInDoubt(ClockDoubt),
}

impl Window {
    /// The time that is left for starting another attempt, or the reason why no attempt may start.
    ///
    /// The window starts with the first attempt that may have reached the service.
    pub fn time_left(&self, attempts: &[Attempt], now: &Clocks) -> Result<Duration, NoSend> {
        let window = self.retention.saturating_sub(self.deadline);
        let sent: Vec<&Attempt> = attempts
            .iter()
            .filter(|attempt| attempt.may_have_been_sent())
            .collect();
        let Some(first) = sent.first() else {
            return Ok(window);
        };
        if sent.len() >= MAX_SENDS {
            return Err(NoSend::TooManySends);
        }
        check_clock_order(&sent, now).map_err(NoSend::ClockInDoubt)?;
        let elapsed = now
            .elapsed_since(&first.began)
            .map_err(NoSend::ClockInDoubt)?;
        let elapsed = elapsed.max(server_elapsed(&sent, now));
        let remaining = window.checked_sub(elapsed).ok_or(NoSend::WindowOver)?;
        // If the required wait ends after the window, no further attempt is possible.
        let wait = self.remaining_wait(attempts, now);
        if wait > remaining {
            Err(NoSend::WindowOver)
        } else {
            Ok(remaining)
        }
    }

    /// The time to wait before another attempt may start; zero if it may start now.
    ///
    /// The wait starts at the end of the last attempt that may have paid. If this end was not
    /// recorded, the attempt is assumed to have ended at its deadline.
    ///
    /// The wait is measured by the clock that advanced less. The other clock may have been set
    /// forward.
    pub fn remaining_wait(&self, attempts: &[Attempt], now: &Clocks) -> Duration {
        let Some(last) = attempts.iter().rfind(|attempt| attempt.is_unclear()) else {
            return Duration::ZERO;
        };
        if self.resend_after.is_zero() {
            return Duration::ZERO;
        }
        let (start, wait) = match last.end_clocks() {
            Some(ended) => (ended, self.resend_after),
            None => (
                last.began.clone(),
                self.deadline.saturating_add(self.resend_after),
            ),
        };
        wait.saturating_sub(now.minimum_since(&start))
    }
}

impl Window {
    /// The time limit for sending the first byte of the last attempt, which has just started.
    /// Returns `None` if the attempt may not be sent.
    ///
    /// The limit is never longer than the deadline of one attempt, because
    /// [`Window::remaining_wait`] counts from that deadline if an attempt has no recorded end. The
    /// first attempt always gets the full deadline, because no earlier attempt can have paid.
    pub fn send_deadline(&self, attempts: &[Attempt]) -> Option<SendDeadline> {
        let (last, earlier) = attempts.split_last()?;
        let remaining = self.time_left(earlier, &last.began).ok()?;
        let is_first = !earlier.iter().any(Attempt::may_have_been_sent);
        let limit = if is_first {
            self.deadline
        } else {
            remaining.min(self.deadline)
        };
        Some(SendDeadline {
            began: last.began.clone(),
            limit,
        })
    }
}

/// An error if a clock went backwards from one reading to the next, or if the machine was
/// restarted.
fn check_clock_order(sent: &[&Attempt], now: &Clocks) -> Result<(), ClockDoubt> {
    let mut previous: Option<Clocks> = None;
    for attempt in sent {
        for reading in [Some(attempt.began.clone()), attempt.end_clocks()]
            .into_iter()
            .flatten()
        {
            previous.map_or(Ok(Duration::ZERO), |previous| {
                reading.elapsed_since(&previous)
            })?;
            previous = Some(reading);
        }
    }
    previous.map_or(Ok(()), |previous| now.elapsed_since(&previous).map(drop))
}

/// The time since the first attempt, measured mainly by the `Date` headers of the responses to two
/// attempts.
///
/// The local clocks measure only the time before the first of these two attempts and the time since
/// the second. Wrong dates from the service are harmless, because the result can only shorten the
/// resend window.
fn server_elapsed(sent: &[&Attempt], now: &Clocks) -> Duration {
    let mut dated = sent
        .iter()
        .filter_map(|attempt| Some((*attempt, attempt.end.as_ref()?.server_date?)));
    let (Some(first), Some((first_dated, first_date))) = (sent.first(), dated.next()) else {
        return Duration::ZERO;
    };
    let before_first_date = first_dated
        .began
        .elapsed_since(&first.began)
        .unwrap_or_default();
    dated
        .filter_map(|(later, date)| Some((later, date.since(first_date)?)))
        .map(|(later, between_dates)| {
            before_first_date
                .saturating_add(between_dates)
                .saturating_add(now.elapsed_since(&later.began).unwrap_or_default())
        })
        .max()
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    mod clocks;

    use super::super::attempt::{AttemptEnd, Class, NotSent, Unclear};
    use super::*;
    use crate::trade::Wall;

    const WINDOW: Window = Window {
        retention: Duration::from_secs(600),
        deadline: Duration::from_secs(30),
        resend_after: Duration::ZERO,
    };

    /// Like [`WINDOW`], but with a minimum wait of 30 seconds before a resend.
    const WINDOW_WITH_WAIT: Window = Window {
        resend_after: Duration::from_secs(30),
        ..WINDOW
    };

    fn clocks(seconds: i64) -> Clocks {
        Clocks {
            wall: Wall(seconds * 1_000),
            boot_ms: seconds as u64 * 1_000,
            boot_id: "b".into(),
        }
    }

    fn attempt(n: u32, began: i64, class: Class, date: Option<i64>) -> Attempt {
        let end = AttemptEnd {
            at: Wall(began * 1_000),
            boot_ms: began as u64 * 1_000,
            class,
            status: None,
            server_date: date.map(|seconds| Wall(seconds * 1_000)),
            message: None,
            hint: None,
        };
        Attempt {
            n,
            began: clocks(began),
            end: Some(end),
            by: None,
        }
    }

    fn timed_out(n: u32, began: i64) -> Attempt {
        attempt(n, began, Class::Unclear(Unclear::Timeout), None)
    }

    #[test]
    fn last_send_starts_a_deadline_before_key_expiry() {
        let sent = [timed_out(1, 100)];
        assert_eq!(
            WINDOW.time_left(&sent, &clocks(100)),
            Ok(Duration::from_secs(570))
        );
        assert_eq!(WINDOW.time_left(&sent, &clocks(670)), Ok(Duration::ZERO));
        assert_eq!(
            WINDOW.time_left(&sent, &clocks(671)),
            Err(NoSend::WindowOver)
        );
    }

    #[test]
    fn unsent_attempts_do_not_start_the_window() {
        let unsent: Vec<_> = (1..9)
            .map(|n| attempt(n, 1, Class::NotSent(NotSent::Dns), None))
            .collect();
        assert_eq!(
            WINDOW.time_left(&unsent, &clocks(90_000)),
            Ok(Duration::from_secs(570))
        );
    }

    #[test]
    fn bytes_are_sent_only_before_the_window_ends() {
        let may_send = |attempts: &[Attempt], now: &Clocks| {
            WINDOW
                .send_deadline(attempts)
                .is_some_and(|send_deadline| send_deadline.allows(now))
        };
        let resent = [timed_out(1, 100), timed_out(2, 660)];
        assert!(may_send(&resent, &clocks(660)) && may_send(&resent, &clocks(670)));
        assert!(!may_send(&resent, &clocks(671)));
        // The limit applies even if only one of the two clocks advanced.
        let mut wall = clocks(661);
        let mut boot = clocks(661);
        (wall.wall, boot.boot_ms) = (Wall(671_000), 671_000);
        assert!(!may_send(&resent, &wall) && !may_send(&resent, &boot));
        assert!(
            !may_send(&resent, &clocks(659)),
            "a clock that went backwards"
        );
        assert!(!may_send(&[], &clocks(1)));
        assert!(
            !may_send(&[timed_out(1, 100), timed_out(2, 671)], &clocks(671)),
            "it may not begin"
        );
    }

    #[test]
    fn bytes_are_sent_only_within_attempt_deadline() {
        for attempts in [
            &[timed_out(1, 100)][..],
            &[timed_out(1, 10), timed_out(2, 100)],
        ] {
            let send_deadline = WINDOW_WITH_WAIT.send_deadline(attempts).unwrap();
            assert!(send_deadline.allows(&clocks(130)) && !send_deadline.allows(&clocks(131)));
        }
        // The program was killed, so the end of the attempt was not recorded. The full wait then
        // begins at the attempt's deadline, second 130.
        let mut interrupted = timed_out(1, 100);
        interrupted.end = None;
        assert_eq!(
            WINDOW_WITH_WAIT.remaining_wait(&[interrupted], &clocks(130)),
            WINDOW_WITH_WAIT.resend_after
        );
    }

    #[test]
    fn first_send_is_allowed_without_retention() {
        let window = Window {
            retention: Duration::ZERO,
            ..WINDOW
        };
        let unsent = attempt(1, 40, Class::NotSent(NotSent::Dns), None);
        let send_deadline = window.send_deadline(&[unsent, timed_out(2, 100)]).unwrap();
        assert!(send_deadline.allows(&clocks(100)) && send_deadline.allows(&clocks(130)));
        assert!(!send_deadline.allows(&clocks(131)));
        let resend = window.send_deadline(&[timed_out(1, 100), timed_out(2, 100)]);
        assert!(resend.is_none_or(|send_deadline| !send_deadline.allows(&clocks(101))));
    }

    #[test]
    fn fifth_send_is_not_allowed() {
        let sent: Vec<_> = (1..5).map(|n| timed_out(n, i64::from(n))).collect();
        assert!(WINDOW.time_left(&sent[..3], &clocks(5)).is_ok());
        assert_eq!(
            WINDOW.time_left(&sent, &clocks(5)),
            Err(NoSend::TooManySends)
        );
    }

    #[test]
    fn clock_doubt_between_attempts_ends_the_window() {
        let doubt = |doubt| Err(NoSend::ClockInDoubt(doubt));
        let backwards = [timed_out(1, 100), timed_out(2, 50)];
        assert_eq!(
            WINDOW.time_left(&backwards, &clocks(200)),
            doubt(ClockDoubt::WallBackwards)
        );
        let mut restarted = clocks(200);
        restarted.boot_id = "c".into();
        assert_eq!(
            WINDOW.time_left(&[timed_out(1, 100)], &restarted),
            doubt(ClockDoubt::AnotherBoot)
        );
        assert_eq!(
            WINDOW.time_left(&[timed_out(1, 100)], &clocks(99)),
            doubt(ClockDoubt::WallBackwards)
        );
    }

    #[test]
    fn server_dates_can_only_shorten_the_window() {
        let unclear_class = || Class::Unclear(Unclear::Status);
        let sent = [
            attempt(1, 0, unclear_class(), Some(0)),
            attempt(2, 10, unclear_class(), Some(560)),
        ];
        assert_eq!(
            WINDOW.time_left(&sent, &clocks(10)),
            Ok(Duration::from_secs(10))
        );
        let sent = [
            attempt(1, 0, unclear_class(), Some(0)),
            attempt(2, 10, unclear_class(), Some(-90)),
        ];
        assert_eq!(
            WINDOW.time_left(&sent, &clocks(20)),
            Ok(Duration::from_secs(550))
        );
    }

    #[test]
    fn local_clocks_continue_from_the_server_date() {
        let unclear_class = || Class::Unclear(Unclear::Status);
        let sent = [
            attempt(1, 0, unclear_class(), Some(0)),
            attempt(2, 10, unclear_class(), Some(400)),
        ];
        assert_eq!(
            WINDOW.time_left(&sent, &clocks(10)),
            Ok(Duration::from_secs(170))
        );
        assert_eq!(
            WINDOW.time_left(&sent, &clocks(110)),
            Ok(Duration::from_secs(70))
        );
        assert_eq!(
            WINDOW.time_left(&sent, &clocks(181)),
            Err(NoSend::WindowOver)
        );
        // A third response with an earlier date does not make the resend window longer.
        let mut three_attempts = sent.to_vec();
        three_attempts.push(attempt(3, 60, unclear_class(), Some(100)));
        assert_eq!(
            WINDOW.time_left(&three_attempts, &clocks(110)),
            Ok(Duration::from_secs(70))
        );
        // The local clocks measure the time until the first response with a date.
        let dated = |n, began, date| attempt(n, began, unclear_class(), Some(date));
        let late_dates = [timed_out(1, 0), dated(2, 50, 0), dated(3, 60, 400)];
        assert_eq!(
            WINDOW.time_left(&late_dates, &clocks(60)),
            Ok(Duration::from_secs(120))
        );
    }

    /// An attempt that ended at second `ended` according to both clocks.
    fn attempt_ending_at(n: u32, began: i64, ended: i64, class: Class) -> Attempt {
        let mut attempt = attempt(n, began, class, None);
        let end = attempt.end.as_mut().unwrap();
        (end.at, end.boot_ms) = (clocks(ended).wall, clocks(ended).boot_ms);
        attempt
    }

    fn unclear_attempt(n: u32, began: i64, at: i64) -> Attempt {
        attempt_ending_at(n, began, at, Class::Unclear(Unclear::Timeout))
    }

    #[test]
    fn resend_wait_starts_at_last_possible_payment() {
        let wait = |attempts: &[Attempt], at| {
            WINDOW_WITH_WAIT
                .remaining_wait(attempts, &clocks(at))
                .as_secs()
        };
        let attempts = [unclear_attempt(1, 100, 110)];
        assert_eq!(
            [110, 118, 139, 140, 141].map(|at| wait(&attempts, at)),
            [30, 22, 1, 0, 0]
        );
        // No wait is required after an attempt that was refused or not sent. Such an attempt also
        // does not change the wait after an earlier one.
        let refused = attempt_ending_at(2, 120, 121, Class::DefiniteNo);
        let not_sent = attempt_ending_at(3, 122, 123, Class::NotSent(NotSent::Dns));
        assert_eq!(
            wait(
                &[attempts[0].clone(), refused.clone(), not_sent.clone()],
                130
            ),
            10
        );
        assert_eq!(wait(&[refused, not_sent], 123), 0);
        assert_eq!(
            wait(&[attempts[0].clone(), unclear_attempt(2, 150, 151)], 160),
            21
        );
        assert_eq!(wait(&[], 1), 0);
        assert_eq!(
            WINDOW.remaining_wait(&attempts, &clocks(110)),
            Duration::ZERO,
            "where there is no such rule"
        );
    }

    #[test]
    fn unrecorded_end_counts_as_end_at_the_deadline() {
        let wait = |attempt: &Attempt, at| {
            WINDOW_WITH_WAIT
                .remaining_wait(std::slice::from_ref(attempt), &clocks(at))
                .as_secs()
        };
        let mut interrupted = timed_out(1, 100);
        interrupted.end = None;
        assert_eq!([100, 159, 160].map(|at| wait(&interrupted, at)), [60, 1, 0]);
    }

    #[test]
    fn both_clocks_must_have_waited() {
        let attempts = [unclear_attempt(1, 100, 110)];
        let mut wall = clocks(115);
        let mut boot = clocks(115);
        (wall.wall, boot.boot_ms) = (Wall(200_000), 200_000);
        assert_eq!(
            WINDOW_WITH_WAIT.remaining_wait(&attempts, &wall),
            Duration::from_secs(25),
            "the wall clock was set on"
        );
        assert_eq!(
            WINDOW_WITH_WAIT.remaining_wait(&attempts, &boot),
            Duration::from_secs(25),
            "the boot clock ran on"
        );
        let mut interrupted = timed_out(1, 100);
        interrupted.end = None;
        assert_eq!(
            WINDOW_WITH_WAIT.remaining_wait(&[interrupted], &wall),
            Duration::from_secs(45)
        );
    }

    #[test]
    fn clock_behind_the_attempt_end_is_in_doubt() {
        let attempts = [unclear_attempt(1, 100, 110)];
        let doubt = |at: &Clocks| WINDOW_WITH_WAIT.time_left(&attempts, at).unwrap_err();
        let mut backwards = clocks(112);
        backwards.wall = Wall(109_000);
        assert_eq!(
            doubt(&backwards),
            NoSend::ClockInDoubt(ClockDoubt::WallBackwards)
        );
        let mut backwards = clocks(112);
        backwards.boot_ms = 109_000;
        assert_eq!(
            doubt(&backwards),
            NoSend::ClockInDoubt(ClockDoubt::BootBackwards)
        );
        // The end of the first attempt is also compared with the start of the second.
        let attempts = [unclear_attempt(1, 100, 110), unclear_attempt(2, 105, 120)];
        let left = WINDOW_WITH_WAIT.time_left(&attempts, &clocks(130));
        assert_eq!(left, Err(NoSend::ClockInDoubt(ClockDoubt::WallBackwards)));
    }

    #[test]
    fn wait_beyond_the_window_ends_the_window() {
        // The window ends at second 670, and no attempt may start later.
        let attempts = [unclear_attempt(1, 100, 101), unclear_attempt(2, 630, 640)];
        assert_eq!(
            WINDOW_WITH_WAIT.time_left(&attempts, &clocks(641)),
            Ok(Duration::from_secs(29))
        );
        assert_eq!(
            WINDOW_WITH_WAIT.time_left(&attempts, &clocks(670)),
            Ok(Duration::ZERO)
        );
        let late = [unclear_attempt(1, 100, 101), unclear_attempt(2, 630, 641)];
        assert_eq!(
            WINDOW_WITH_WAIT.time_left(&late, &clocks(641)),
            Err(NoSend::WindowOver)
        );
        let short = Window {
            retention: Duration::from_secs(59),
            ..WINDOW_WITH_WAIT
        };
        assert_eq!(
            short.time_left(&attempts[..1], &clocks(101)),
            Err(NoSend::WindowOver)
        );
        assert!(
            Window {
                resend_after: Duration::ZERO,
                ..short
            }
            .time_left(&attempts[..1], &clocks(101))
            .is_ok()
        );
    }
}
