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

    /// The day of this moment on a clock so far east of UTC, as days since 1970-01-01.
    pub fn local_day(self, utc_offset_s: i32) -> i64 {
        (self.0.div_euclid(1_000) + i64::from(utc_offset_s)).div_euclid(86_400)
    }

    /// `2026-11-21T10:32:17-03:00`: this second on a clock so far east of UTC.
    pub fn rfc3339(self, utc_offset_s: i32) -> String {
        let local = self.0.div_euclid(1_000) + i64::from(utc_offset_s);
        let (year, month, day) = date_of(local.div_euclid(86_400));
        let second = local.rem_euclid(86_400);
        let (sign, minutes) = (if utc_offset_s < 0 { '-' } else { '+' }, utc_offset_s.abs() / 60);
        format!(
            "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}{sign}{:02}:{:02}",
            second / 3_600,
            second / 60 % 60,
            second % 60,
            minutes / 60,
            minutes % 60,
        )
    }
}

/// Year, month and day so many days after 1970-01-01.
///
/// Counted in years that begin in March: then the day that comes and goes is the last one.
pub fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let march_month = (5 * of_year + 2) / 153;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    (year, month, of_year - (153 * march_month + 2) / 5 + 1)
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

/// The reason two readings of the clocks cannot be compared.
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
    /// Returns the time since `earlier` by the clock that shows more, or the reason it is unknown.
    pub fn elapsed_since(&self, earlier: &Clocks) -> Result<Duration, ClockDoubt> {
        if self.boot_id != earlier.boot_id {
            return Err(ClockDoubt::AnotherBoot);
        }
        let wall = self.wall.since(earlier.wall).ok_or(ClockDoubt::WallBackwards)?;
        let boot = self.boot_ms.checked_sub(earlier.boot_ms).ok_or(ClockDoubt::BootBackwards)?;
        Ok(wall.max(Duration::from_millis(boot)))
    }

    /// Returns the time since `earlier` by the clock that shows less; `None` where it is unknown.
    pub fn surely_since(&self, earlier: &Clocks) -> Duration {
        if self.boot_id != earlier.boot_id {
            return Duration::ZERO;
        }
        let wall = self.wall.since(earlier.wall).unwrap_or_default();
        let boot = Duration::from_millis(self.boot_ms.saturating_sub(earlier.boot_ms));
        wall.min(boot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clocks(wall: i64, boot_ms: u64, id: &str) -> Clocks {
        Clocks { wall: Wall(wall), boot_ms, boot_id: id.into() }
    }

    #[test]
    fn a_moment_is_written_as_any_clock_on_earth_has_it() {
        for (wall, offset_s, text) in [
            (0, 0, "1970-01-01T00:00:00+00:00"),
            (-1, 0, "1969-12-31T23:59:59+00:00"),
            (1_795_311_000_999, -3 * 3_600, "2026-11-21T22:30:00-03:00"),
            (1_709_164_800_000, 5 * 3_600 + 1_800, "2024-02-29T05:30:00+05:30"),
            (1_709_251_199_000, 0, "2024-02-29T23:59:59+00:00"),
            (951_868_800_000, 0, "2000-03-01T00:00:00+00:00"),
            (4_107_542_400_000, 0, "2100-03-01T00:00:00+00:00"),
            (4_107_456_000_000, 0, "2100-02-28T00:00:00+00:00"),
        ] {
            assert_eq!(Wall(wall).rfc3339(offset_s), text);
        }
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
