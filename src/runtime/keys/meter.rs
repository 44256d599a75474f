//! Counts the terminal's input, for the limits of a kiosk. A process has only one terminal, so the
//! counts belong to the process.

use std::sync::atomic::{AtomicU64, Ordering};

static BYTES: AtomicU64 = AtomicU64::new(0);
static EVENTS: AtomicU64 = AtomicU64::new(0);

/// Returns the number of bytes read from the terminal, including replies of the terminal.
pub fn bytes() -> u64 {
    BYTES.load(Ordering::Relaxed)
}

/// Returns the number of key presses, clicks and pastes. Replies of the terminal do not count.
pub fn events() -> u64 {
    EVENTS.load(Ordering::Relaxed)
}

pub(super) fn count_bytes(count: usize) {
    BYTES.fetch_add(count as u64, Ordering::Relaxed);
}

pub(super) fn count_event() {
    EVENTS.fetch_add(1, Ordering::Relaxed);
}
