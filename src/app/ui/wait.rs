//! A request that is waiting for its result, and how long it has been waiting.

use std::time::Duration;

use crate::trade::Ticket;

/// A request that is waiting for its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    pub ticket: Ticket,
    /// When the request was made, in milliseconds of the boot clock.
    pub since_ms: u64,
}

/// Returns the time until the displayed number of seconds changes and the screen needs a new frame.
pub fn to_next_second(since_ms: u64, now_ms: u64) -> Duration {
    Duration::from_millis(1_000 - now_ms.saturating_sub(since_ms) % 1_000)
}

impl Wait {
    /// Creates a `Wait` for a request that is made now.
    pub fn new(ticket: Ticket, now_ms: u64) -> Wait {
        Wait { ticket, since_ms: now_ms }
    }

    /// Returns the time until the displayed number of seconds changes.
    pub fn to_next_second(self, now_ms: u64) -> Duration {
        to_next_second(self.since_ms, now_ms)
    }

    /// Returns the whole seconds since the request was made.
    pub fn seconds(&self, now_ms: u64) -> u64 {
        now_ms.saturating_sub(self.since_ms) / 1_000
    }
}
