//! Counts the bytes and events of the terminal's input, for the limits of a kiosk. The counters are
//! global, because a process has only one terminal.

use std::sync::atomic::{AtomicU64, Ordering};

static BYTES: AtomicU64 = AtomicU64::new(0);
static EVENTS: AtomicU64 = AtomicU64::new(0);

/// The number of bytes that the terminal has sent, including its replies to queries.
pub fn bytes() -> u64 {
    BYTES.load(Ordering::Relaxed)
}

/// The number of key presses, clicks and pastes.
pub fn events() -> u64 {
    EVENTS.load(Ordering::Relaxed)
}

pub(super) fn count_bytes(count: usize) {
    BYTES.fetch_add(count as u64, Ordering::Relaxed);
}

pub(super) fn count_event() {
    EVENTS.fetch_add(1, Ordering::Relaxed);
}
