//! A short motion: a sign or a line that is drawn in a few frames. The words beside it are complete
//! from the first frame on, and no key waits for it.

use std::time::Duration;

use super::Store;

/// The number of unfinished frames. After them, the screen is still.
pub const FRAMES: usize = 2;

/// When each unfinished frame ends, in milliseconds since the start.
const ENDS_MS: [u64; FRAMES] = [130, 260];

/// A motion that began at this time, in milliseconds of the boot clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Motion(pub u64);

impl Motion {
    /// The number of the unfinished frame, from 0. `None` after the motion, if motions are turned
    /// off, and while another window has the focus.
    pub fn frame(self, store: &Store) -> Option<usize> {
        let elapsed_ms = store.now.boot_ms.saturating_sub(self.0);
        let mut ends = ENDS_MS.iter();
        ends.position(|end_ms| elapsed_ms < *end_ms && store.setup.motion && store.has_focus)
    }

    /// The time until the next frame.
    pub fn time_left(self, store: &Store) -> Option<Duration> {
        let end_ms = self.0 + ENDS_MS[self.frame(store)?];
        Some(Duration::from_millis(
            end_ms.saturating_sub(store.now.boot_ms),
        ))
    }
}
