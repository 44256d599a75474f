//! Decides when the next line of a batch is sent.

use std::time::Duration;

use crate::trade::{Failure, LineResult};

/// The maximum number of requests per second.
pub const MAX_PER_SECOND: u32 = 5;

/// The number of failures in a row after which a batch pauses.
const MAX_FAILURES: u32 = 3;

/// The number of times in a row that the service may ask to slow down before a batch pauses.
const MAX_THROTTLED: u32 = 8;

/// The longest pause after a reply with status 429 that names no time.
const MAX_BACKOFF: Duration = Duration::from_secs(60);

/// The pace of a batch.
#[derive(Debug, Clone)]
pub struct Pace {
    interval: Duration,
    failures: u32,
    throttled: u32,
}

/// The step after a line was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextStep {
    /// Send the next line at this time after the start of the last request.
    Go(Duration),
    /// Wait this long after the last reply, because the service asked to slow down.
    Wait(Duration),
    /// Stop sending until the seller decides.
    Pause(PauseReason),
}

/// The reason why a batch pauses by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PauseReason {
    /// The service does not accept the login, or it is missing.
    Login,
    /// Several lines in a row failed.
    Failures,
    /// The database of the seller's team is not connected.
    TeamOffline,
}

impl Pace {
    /// The pace with at most this number of requests per second.
    pub fn new(per_second: u32) -> Pace {
        let per_second = per_second.clamp(1, MAX_PER_SECOND);
        Pace {
            interval: Duration::from_secs(1) / per_second,
            failures: 0,
            throttled: 0,
        }
    }

    /// The step after a request with this result. `failure` is the failure of the request, if it
    /// failed.
    pub fn after(&mut self, result: &LineResult, failure: Option<&Failure>) -> NextStep {
        match failure {
            None => {
                self.failures = 0;
                self.throttled = 0;
                return NextStep::Go(self.interval);
            }
            Some(Failure::Unauthorized { .. } | Failure::NoCredential(_)) => {
                return NextStep::Pause(PauseReason::Login);
            }
            Some(Failure::Refused(refusal))
                if refusal.status == 429 && *result == LineResult::PutBack =>
            {
                self.throttled += 1;
                if self.throttled > MAX_THROTTLED {
                    return NextStep::Pause(PauseReason::Failures);
                }
                let backoff = Duration::from_secs(1 << self.throttled.min(6)).min(MAX_BACKOFF);
                return NextStep::Wait(refusal.retry_after.unwrap_or(backoff).max(self.interval));
            }
            Some(_) => {}
        }
        self.failures += 1;
        if self.failures >= MAX_FAILURES {
            return NextStep::Pause(PauseReason::Failures);
        }
        NextStep::Go(self.interval)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trade::{CreatedLink, LinkOutcome, NoAnswer, Refusal};

    const INTERVAL: NextStep = NextStep::Go(Duration::from_millis(200));

    fn refused(status: u16, retry_after: Option<u64>) -> Failure {
        Failure::Refused(Refusal {
            status,
            message: None,
            hint: None,
            retry_after: retry_after.map(Duration::from_secs),
        })
    }

    fn after(pace: &mut Pace, failure: &Failure) -> NextStep {
        pace.after(&LineResult::of_failure(failure), Some(failure))
    }

    fn succeed(pace: &mut Pace) -> NextStep {
        let outcome = LinkOutcome::Created(CreatedLink { url: "x".into() });
        pace.after(&LineResult::Ended(outcome), None)
    }

    #[test]
    fn pace_is_never_above_five_a_second() {
        for (per_second, ms) in [(1, 1_000), (2, 500), (5, 200), (100, 200), (0, 1_000)] {
            let step = succeed(&mut Pace::new(per_second));
            assert_eq!(
                step,
                NextStep::Go(Duration::from_millis(ms)),
                "{per_second}"
            );
        }
    }

    #[test]
    fn three_failures_in_a_row_pause() {
        let mut pace = Pace::new(5);
        let unknown = Failure::NoAnswer(NoAnswer::Timeout);
        for failure in [refused(400, None), unknown] {
            assert_eq!(after(&mut pace, &failure), INTERVAL);
        }
        assert_eq!(succeed(&mut pace), INTERVAL);
        for _ in 0..2 {
            assert_eq!(after(&mut pace, &refused(400, None)), INTERVAL);
        }
        let third = after(&mut pace, &refused(400, None));
        assert_eq!(third, NextStep::Pause(PauseReason::Failures));
    }

    #[test]
    fn service_that_asks_to_slow_down_is_waited_for() {
        let mut pace = Pace::new(5);
        let wait = |seconds| NextStep::Wait(Duration::from_secs(seconds));
        assert_eq!(after(&mut pace, &refused(429, Some(30))), wait(30));
        assert_eq!(after(&mut pace, &refused(429, None)), wait(4));
        let at_once = NextStep::Wait(Duration::from_millis(200));
        assert_eq!(after(&mut pace, &refused(429, Some(0))), at_once);
        for seconds in [16, 32, 60, 60, 60] {
            assert_eq!(after(&mut pace, &refused(429, None)), wait(seconds));
        }
        let ninth = after(&mut pace, &refused(429, None));
        assert_eq!(ninth, NextStep::Pause(PauseReason::Failures));
    }

    #[test]
    fn rejected_login_pauses_at_once() {
        let unauthorized = Failure::Unauthorized {
            credential: None,
            refusal: Refusal {
                status: 401,
                message: None,
                hint: None,
                retry_after: None,
            },
        };
        let step = after(&mut Pace::new(5), &unauthorized);
        assert_eq!(step, NextStep::Pause(PauseReason::Login));
    }
}
