//! Moments in time, handed to the bank from outside.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// Where the HTTP side reads the time; tests hand in their own.
pub type TimeSource = Arc<dyn Fn() -> Moment + Send + Sync>;

/// The machine's own clock.
pub fn system_clock() -> TimeSource {
    Arc::new(Moment::of_system)
}

/// A moment, in milliseconds since 1970 in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Moment(pub i64);

impl Moment {
    /// The machine's present moment.
    #[expect(
        clippy::disallowed_methods,
        reason = "the sandbox shares nothing with the program, not even its clocks"
    )]
    pub fn of_system() -> Moment {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Moment(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    /// This moment moved forward.
    pub fn plus(self, time: Duration) -> Moment {
        Moment(self.0.saturating_add(i64::try_from(time.as_millis()).unwrap_or(i64::MAX)))
    }

    /// Whole seconds since 1970.
    pub fn seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// The moment as replies carry it, such as `2026-11-21T05:22:00Z`.
    pub fn in_iso(self) -> String {
        let (year, month, day) = self.date();
        let (hour, minute, second) = self.time_of_day();
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }

    /// The moment as the HTTP `Date` header carries it.
    pub fn in_http(self) -> String {
        const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
        const MONTHS: [&str; 12] =
            ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
        let (year, month, day) = self.date();
        let (hour, minute, second) = self.time_of_day();
        let weekday = DAYS[usize::try_from(self.days().rem_euclid(7)).unwrap_or(0)];
        let month = MONTHS[usize::try_from(month - 1).unwrap_or(0)];
        format!("{weekday}, {day:02} {month} {year:04} {hour:02}:{minute:02}:{second:02} GMT")
    }

    fn days(self) -> i64 {
        self.seconds().div_euclid(86_400)
    }

    fn time_of_day(self) -> (i64, i64, i64) {
        let second = self.seconds().rem_euclid(86_400);
        (second / 3600, second / 60 % 60, second % 60)
    }

    /// Year, month and day by Howard Hinnant's `civil_from_days`.
    fn date(self) -> (i64, i64, i64) {
        let shifted = self.days() + 719_468;
        let era = shifted.div_euclid(146_097);
        let day_of_era = shifted.rem_euclid(146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
        let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        (year, month, day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_agree_with_known_ones() {
        assert_eq!(Moment(0).in_iso(), "1970-01-01T00:00:00Z");
        assert_eq!(Moment(0).in_http(), "Thu, 01 Jan 1970 00:00:00 GMT");
        assert_eq!(Moment(951_782_399_999).in_iso(), "2000-02-28T23:59:59Z");
        assert_eq!(Moment(951_782_400_000).in_iso(), "2000-02-29T00:00:00Z");
        assert_eq!(Moment(784_111_777_000).in_http(), "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(Moment(-1).in_iso(), "1969-12-31T23:59:59Z");
    }
}
