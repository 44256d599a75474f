//! Something that is under way, and since when.

use std::time::Duration;

use crate::trade::Ticket;

/// Something is under way: which question, and since when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// The question.
    pub ticket: Ticket,
    /// The boot clock when it was asked.
    pub since_ms: u64,
}

/// Seconds are shown as whole ones: the next frame is due when the figure changes.
pub fn to_next_second(since_ms: u64, now_ms: u64) -> Duration {
    Duration::from_millis(1_000 - now_ms.saturating_sub(since_ms) % 1_000)
}

impl Wait {
    /// A wait that begins now.
    pub fn new(ticket: Ticket, now_ms: u64) -> Wait {
        Wait { ticket, since_ms: now_ms }
    }

    /// Returns the time until its next whole second.
    pub fn to_next_second(self, now_ms: u64) -> Duration {
        to_next_second(self.since_ms, now_ms)
    }

    /// Whole seconds since it was asked.
    pub fn seconds(&self, now_ms: u64) -> u64 {
        now_ms.saturating_sub(self.since_ms) / 1_000
    }
}
