//! Moments and clocks as plain values; nothing here reads a clock.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A moment on the wall clock: milliseconds since the Unix epoch, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Wall(pub i64);

impl Wall {
    /// The time that has passed since `earlier`, or `None` when the clock went backwards.
    pub fn since(self, earlier: Wall) -> Option<Duration> {
        u64::try_from(self.0.checked_sub(earlier.0)?).ok().map(Duration::from_millis)
    }

    /// This moment moved forward; stands still at the end of time.
    pub fn plus(self, span: Duration) -> Wall {
        let span = i64::try_from(span.as_millis()).unwrap_or(i64::MAX);
        Wall(self.0.saturating_add(span))
    }
}

/// Three clocks read at once, because no single one can be trusted with money.
///
/// The wall clock can be set; the boot clock only runs forward but starts again at a restart;
/// the boot id tells two starts of the machine apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clocks {
    /// The wall clock.
    pub wall: Wall,
    /// Milliseconds since the machine started, sleep included.
    pub boot_ms: u64,
    /// Names this start of the machine (or of the program, where the platform cannot say).
    pub boot_id: Arc<str>,
}

/// Why two readings of the clocks cannot be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockDoubt {
    /// The machine was started again in between.
    AnotherBoot,
    /// The wall clock went backwards.
    WallBackwards,
    /// The boot clock went backwards.
    BootBackwards,
}

impl Clocks {
    /// The time since `earlier` by the clock that says more, or why that cannot be told.
    pub fn elapsed_since(&self, earlier: &Clocks) -> Result<Duration, ClockDoubt> {
        if self.boot_id != earlier.boot_id {
            return Err(ClockDoubt::AnotherBoot);
        }
        let wall = self.wall.since(earlier.wall).ok_or(ClockDoubt::WallBackwards)?;
        let boot = self.boot_ms.checked_sub(earlier.boot_ms).ok_or(ClockDoubt::BootBackwards)?;
        Ok(wall.max(Duration::from_millis(boot)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clocks(wall: i64, boot_ms: u64, id: &str) -> Clocks {
        Clocks { wall: Wall(wall), boot_ms, boot_id: id.into() }
    }

    #[test]
    fn the_clock_that_says_more_wins() {
        let first = clocks(1_000, 1_000, "a");
        assert_eq!(clocks(6_000, 3_000, "a").elapsed_since(&first), Ok(Duration::from_secs(5)));
        assert_eq!(clocks(2_000, 9_000, "a").elapsed_since(&first), Ok(Duration::from_secs(8)));
    }

    #[test]
    fn a_clock_in_doubt_gives_no_time() {
        let first = clocks(1_000, 1_000, "a");
        let later = |wall, boot, id| clocks(wall, boot, id).elapsed_since(&first);
        assert_eq!(later(2_000, 2_000, "b"), Err(ClockDoubt::AnotherBoot));
        assert_eq!(later(999, 2_000, "a"), Err(ClockDoubt::WallBackwards));
        assert_eq!(later(2_000, 999, "a"), Err(ClockDoubt::BootBackwards));
    }
}
