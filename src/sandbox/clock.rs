//! The sandbox's clock, and the type for points in time.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The clock of the sandbox, as a function. A test can use a different clock.
pub type TimeSource = Arc<dyn Fn() -> Moment + Send + Sync>;

/// A clock that reads the system time.
pub fn system_clock() -> TimeSource {
    Arc::new(Moment::system_now)
}

/// A point in time, in milliseconds since 1970-01-01 UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Moment(pub i64);

impl Moment {
    #[expect(
        clippy::disallowed_methods,
        reason = "the sandbox shares nothing with the program, not even its clocks"
    )]
    pub fn system_now() -> Moment {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Moment(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    pub fn plus(self, time: Duration) -> Moment {
        Moment(
            self.0
                .saturating_add(i64::try_from(time.as_millis()).unwrap_or(i64::MAX)),
        )
    }

    /// The whole seconds since 1970-01-01 UTC.
    pub fn seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// The time in the format of the API's replies, such as `2026-11-21T05:22:00Z`.
    pub fn to_iso(self) -> String {
        self.format("%Y-%m-%dT%H:%M:%SZ")
    }

    /// The time in UTC in the format of OFX files, such as `20261121052200[0:GMT]`.
    pub fn to_ofx(self) -> String {
        self.format("%Y%m%d%H%M%S[0:GMT]")
    }

    /// The time in the format of the HTTP `Date` header.
    pub fn to_http_date(self) -> String {
        self.format("%a, %d %b %Y %H:%M:%S GMT")
    }

    fn format(self, pattern: &str) -> String {
        // If the time is outside the library's range, use the first or last time of that range.
        let last = if self.0 < 0 {
            Timestamp::MIN
        } else {
            Timestamp::MAX
        };
        Timestamp::from_second(self.seconds())
            .unwrap_or(last)
            .strftime(pattern)
            .to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_formatted_as_iso_and_http_dates() {
        assert_eq!(Moment(0).to_iso(), "1970-01-01T00:00:00Z");
        assert_eq!(Moment(0).to_http_date(), "Thu, 01 Jan 1970 00:00:00 GMT");
        assert_eq!(Moment(951_782_399_999).to_iso(), "2000-02-28T23:59:59Z");
        assert_eq!(Moment(951_782_400_000).to_iso(), "2000-02-29T00:00:00Z");
        assert_eq!(
            Moment(784_111_777_000).to_http_date(),
            "Sun, 06 Nov 1994 08:49:37 GMT"
        );
        assert_eq!(Moment(-1).to_iso(), "1969-12-31T23:59:59Z");
    }

    #[test]
    fn time_out_of_range_is_the_last_valid_time() {
        assert_eq!(Moment(i64::MAX).to_iso(), "9999-12-30T22:00:00Z");
        assert_eq!(
            Moment(i64::MAX).to_http_date(),
            "Thu, 30 Dec 9999 22:00:00 GMT"
        );
    }
}
