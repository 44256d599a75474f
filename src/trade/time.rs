//! Times and clock readings as plain values. This module reads no clock.

use std::sync::Arc;
use std::time::Duration;

use jiff::civil::{Date, DateTime};
use jiff::fmt::temporal::Pieces;
use jiff::{SignedDuration, Span};
use serde::{Deserialize, Serialize};

/// A wall-clock time in milliseconds since the Unix epoch, in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Wall(pub i64);

const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

impl Wall {
    /// The time elapsed since `earlier`; `None` if `earlier` is later than `self`.
    pub fn since(self, earlier: Wall) -> Option<Duration> {
        u64::try_from(self.0.checked_sub(earlier.0)?)
            .ok()
            .map(Duration::from_millis)
    }

    /// This time plus `span`, limited to the largest representable time.
    pub fn plus(self, span: Duration) -> Wall {
        let span = i64::try_from(span.as_millis()).unwrap_or(i64::MAX);
        Wall(self.0.saturating_add(span))
    }

    /// The local day of this time, counted in days since 1970-01-01. `utc_offset_s` is the time
    /// zone's offset in seconds east of UTC.
    pub fn local_day(self, utc_offset_s: i32) -> i64 {
        (self.0.div_euclid(1_000) + i64::from(utc_offset_s)).div_euclid(86_400)
    }

    /// The times at which a local day and the day after it start, limited to the range of
    /// representable times.
    pub fn span_of_local_day(day: i64, utc_offset_s: i32) -> [Wall; 2] {
        [day, day.saturating_add(1)].map(|day| {
            let seconds = day
                .saturating_mul(86_400)
                .saturating_sub(utc_offset_s.into());
            Wall(seconds.saturating_mul(1_000))
        })
    }

    /// The local date and time; `None` outside the years 1 to 9999.
    pub fn local(self, utc_offset_s: i32) -> Option<DateTime> {
        let offset = SignedDuration::from_secs(utc_offset_s.into());
        let since_epoch = SignedDuration::from_millis(self.0).checked_add(offset)?;
        let local = EPOCH.checked_add(since_epoch).ok()?;
        (local.year() > 0).then_some(local)
    }

    /// The local time in RFC 3339 format, such as `2026-11-21T10:32:17-03:00`; `None` outside the
    /// years 1 to 9999.
    pub fn rfc3339(self, utc_offset_s: i32) -> Option<String> {
        let local = self.local(utc_offset_s)?.strftime("%Y-%m-%dT%H:%M:%S");
        let sign = if utc_offset_s < 0 { '-' } else { '+' };
        let offset = utc_offset_s.unsigned_abs();
        Some(format!(
            "{local}{sign}{:02}:{:02}",
            offset / 3_600,
            offset / 60 % 60
        ))
    }

    /// Parses a date such as `2026-11-21T10:20:30.5-03:00` (RFC 3339).
    ///
    /// Returns `None` for a date without a UTC offset, because its time zone is unknown. The year
    /// 9999 is accepted, because some services use it for a token that does not expire.
    pub fn parse_rfc3339(text: &str) -> Option<Wall> {
        let pieces = Pieces::parse(text).ok()?;
        let local = DateTime::from_parts(pieces.date(), pieces.time()?);
        let offset = i64::from(pieces.to_numeric_offset()?.seconds());
        Some(Wall(
            (local.duration_since(EPOCH).as_secs() - offset) * 1_000,
        ))
    }

    /// Parses a date in the current format of HTTP, such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC
    /// 9110). The weekday must be correct.
    ///
    /// The two obsolete formats are rejected, because one of them has a year of only two digits.
    pub fn parse_http_date(text: &str) -> Option<Wall> {
        const FORMAT: &str = "%a, %d %b %Y %H:%M:%S GMT";
        let text = text.trim();
        let date = DateTime::strptime(FORMAT, text).ok()?;
        // The parser also accepts other spellings of a month, and fewer digits.
        let is_exact = date.strftime(FORMAT).to_string() == text;
        is_exact.then(|| Wall(date.duration_since(EPOCH).as_secs() * 1_000))
    }
}

/// Converts a number of days since 1970-01-01 to a date; `None` outside the years 1 to 9999.
pub fn date_of(day: i64) -> Option<Date> {
    let date = Date::constant(1970, 1, 1)
        .checked_add(Span::new().try_days(day).ok()?)
        .ok()?;
    (date.year() > 0).then_some(date)
}

/// Converts a date to the number of days since 1970-01-01.
pub fn day_of(date: Date) -> i64 {
    date.duration_since(Date::constant(1970, 1, 1)).as_hours() / 24
}

/// Readings of the wall clock, the boot clock and the boot id, taken at the same moment. Decisions
/// about money use all three, because no single clock is reliable.
///
/// The user can set the wall clock but not the boot clock. On each boot, the boot clock restarts
/// from zero and the boot id changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clocks {
    /// The reading of the wall clock.
    pub wall: Wall,
    /// The reading of the boot clock: the milliseconds since the machine started, including sleep.
    pub boot_ms: u64,
    /// The id of the current boot of the machine. On a platform without boot ids, the id of the
    /// process.
    pub boot_id: Arc<str>,
}

/// The reason why two clock readings cannot be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockDoubt {
    /// The machine was restarted between the readings.
    AnotherBoot,
    /// The wall clock went backwards.
    WallBackwards,
    /// The boot clock went backwards.
    BootBackwards,
}

impl Clocks {
    /// The time elapsed since `earlier`, measured by the clock that advanced more. Returns an error
    /// if the two readings cannot be compared.
    pub fn elapsed_since(&self, earlier: &Clocks) -> Result<Duration, ClockDoubt> {
        if self.boot_id != earlier.boot_id {
            return Err(ClockDoubt::AnotherBoot);
        }
        let wall = self
            .wall
            .since(earlier.wall)
            .ok_or(ClockDoubt::WallBackwards)?;
        let boot = self
            .boot_ms
            .checked_sub(earlier.boot_ms)
            .ok_or(ClockDoubt::BootBackwards)?;
        Ok(wall.max(Duration::from_millis(boot)))
    }

    /// The minimum time that has elapsed since `earlier`, measured by the clock that advanced less.
    /// Returns zero if the clock readings cannot be compared.
    pub fn minimum_since(&self, earlier: &Clocks) -> Duration {
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
        Clocks {
            wall: Wall(wall),
            boot_ms,
            boot_id: id.into(),
        }
    }

    #[test]
    fn rfc3339_text_has_local_time_and_offset() {
        for (wall, offset_s, text) in [
            (0, 0, "1970-01-01T00:00:00+00:00"),
            (-1, 0, "1969-12-31T23:59:59+00:00"),
            (1_795_311_000_999, -3 * 3_600, "2026-11-21T22:30:00-03:00"),
            (
                1_709_164_800_000,
                5 * 3_600 + 1_800,
                "2024-02-29T05:30:00+05:30",
            ),
            (1_709_251_199_000, 0, "2024-02-29T23:59:59+00:00"),
            (951_868_800_000, 0, "2000-03-01T00:00:00+00:00"),
            (4_107_542_400_000, 0, "2100-03-01T00:00:00+00:00"),
            (4_107_456_000_000, 0, "2100-02-28T00:00:00+00:00"),
        ] {
            assert_eq!(Wall(wall).rfc3339(offset_s).as_deref(), Some(text));
        }
    }

    #[test]
    fn date_is_parsed_only_with_an_offset() {
        for (text, wall) in [
            ("1970-01-01T00:00:00Z", 0),
            ("1994-11-06T08:49:37z", 784_111_777_000),
            ("2000-02-29T00:00:00Z", 951_782_400_000),
            ("2026-11-21T05:41:35Z", 1_795_239_695_000),
            ("2026-11-21T02:41:35.123-03:00", 1_795_239_695_000),
            ("2026-11-21 05:41:35+00:00", 1_795_239_695_000),
            ("1969-12-31T23:59:59Z", -1_000),
            ("9999-12-31T23:59:59Z", 253_402_300_799_000),
            // A leap second (`:60`) is read as the second before it (`:59`).
            ("9999-12-31T23:59:60Z", 253_402_300_799_000),
        ] {
            assert_eq!(Wall::parse_rfc3339(text), Some(Wall(wall)), "{text}");
        }
        for text in [
            "2026-11-21T05:41:35",
            "2026-11-21",
            "",
            "T",
            "2026-11-21T5:41:35Z",
            "é-11-21T0Z",
            "2025-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-01-01T24:00:00Z",
            "2026-01-01T00:60:00Z",
            "10000-01-01T00:00:00Z",
            "0001-01-01T00:00:00+99:99",
        ] {
            assert_eq!(Wall::parse_rfc3339(text), None, "{text}");
        }
    }

    #[test]
    fn a_day_begins_at_the_sellers_midnight() {
        const HOUR_MS: i64 = 60 * 60 * 1_000;
        let brasilia = -3 * 60 * 60;
        let span = |at: i64, offset| Wall::span_of_local_day(Wall(at).local_day(offset), offset);
        assert_eq!(
            span(2 * HOUR_MS, brasilia),
            [Wall(-21 * HOUR_MS), Wall(3 * HOUR_MS)]
        );
        assert_eq!(span(3 * HOUR_MS, brasilia)[0], Wall(3 * HOUR_MS));
        assert_eq!(span(-1, 0), [Wall(-24 * HOUR_MS), Wall(0)]);
        for (at, offset) in [
            (i64::MAX, brasilia),
            (i64::MIN, brasilia),
            (i64::MAX, 1),
            (0, i32::MIN),
        ] {
            let [starts, ends] = span(at, offset);
            assert!(starts < ends, "{at}");
        }
    }

    #[test]
    fn a_date_as_servers_write_it() {
        assert_eq!(
            Wall::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT"),
            Some(Wall(784_111_777_000))
        );
        for wrong in [
            "",
            "06 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT",
            "Mon, 06 Nov 1994 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
            "Sun, 31 Feb 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun, 06 Nov +994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMT more",
        ] {
            assert_eq!(Wall::parse_http_date(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn date_outside_the_years_1_to_9999_is_none() {
        let first = -719_162;
        let last = 2_932_896;
        assert_eq!(date_of(first), Some(Date::constant(1, 1, 1)));
        assert_eq!(date_of(last), Some(Date::constant(9999, 12, 31)));
        for day in [first - 1, last + 1, i64::MIN, i64::MAX] {
            assert_eq!(date_of(day), None, "{day}");
        }
        for (wall, offset_s) in [(i64::MIN, i32::MIN), (i64::MAX, i32::MAX)] {
            assert_eq!(Wall(wall).rfc3339(offset_s), None);
        }
    }

    #[test]
    fn elapsed_time_is_that_of_the_faster_clock() {
        let first = clocks(1_000, 1_000, "a");
        assert_eq!(
            clocks(6_000, 3_000, "a").elapsed_since(&first),
            Ok(Duration::from_secs(5))
        );
        assert_eq!(
            clocks(2_000, 9_000, "a").elapsed_since(&first),
            Ok(Duration::from_secs(8))
        );
    }

    #[test]
    fn incomparable_readings_give_no_elapsed_time() {
        let first = clocks(1_000, 1_000, "a");
        let elapsed = |wall, boot, id| clocks(wall, boot, id).elapsed_since(&first);
        assert_eq!(elapsed(2_000, 2_000, "b"), Err(ClockDoubt::AnotherBoot));
        assert_eq!(elapsed(999, 2_000, "a"), Err(ClockDoubt::WallBackwards));
        assert_eq!(elapsed(2_000, 999, "a"), Err(ClockDoubt::BootBackwards));
    }
}
