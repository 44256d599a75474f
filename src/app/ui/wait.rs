//! A pending request, and how long it has been pending.

use std::time::Duration;

use crate::trade::Ticket;

/// A request that was sent and has no result yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    pub ticket: Ticket,
    /// When the request was sent, in milliseconds of the boot clock.
    pub since_ms: u64,
}

/// The time until the number of seconds on the screen changes. The screen then needs a new frame.
pub fn to_next_second(since_ms: u64, now_ms: u64) -> Duration {
    Duration::from_millis(1_000 - now_ms.saturating_sub(since_ms) % 1_000)
}

impl Wait {
    /// Creates a `Wait` for a request that is made now.
    pub fn new(ticket: Ticket, now_ms: u64) -> Wait {
        Wait {
            ticket,
            since_ms: now_ms,
        }
    }

    /// The time until the number of seconds that the screen shows changes.
    pub fn to_next_second(self, now_ms: u64) -> Duration {
        to_next_second(self.since_ms, now_ms)
    }

    /// Returns how many whole seconds have passed since the request was sent.
    pub fn seconds(&self, now_ms: u64) -> u64 {
        now_ms.saturating_sub(self.since_ms) / 1_000
    }
}
