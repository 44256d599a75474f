//! Dates in headers.

use std::time::{Duration, SystemTime};

use httpdate::parse_http_date;

use crate::trade::Wall;

/// A wait longer than this is not believed.
const LONGEST_WAIT: Duration = Duration::from_secs(86_400);

/// The length of `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that is still written (RFC 9110).
const LENGTH: usize = 29;

/// Reads a date in that form, with the weekday that it was.
///
/// The two older forms have other lengths and are left out: one of them does not say the century.
pub(super) fn read(text: &str) -> Option<Wall> {
    let text = text.trim();
    let date = parse_http_date(text).ok().filter(|_| text.len() == LENGTH)?;
    let since_1970 = date.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Some(Wall(i64::try_from(since_1970.as_millis()).ok()?))
}

/// Reads a `Retry-After`: seconds, or a date seen from `now`.
pub(super) fn retry_after(text: &str, now: Wall) -> Option<Duration> {
    let text = text.trim();
    if text.is_empty() || !text.is_ascii() {
        return None;
    }
    if text.bytes().all(|b| b.is_ascii_digit()) {
        let seconds = text.parse().map_or(LONGEST_WAIT, Duration::from_secs);
        return Some(seconds.min(LONGEST_WAIT));
    }
    let until = read(text)?;
    Some(until.since(now).unwrap_or_default().min(LONGEST_WAIT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_as_servers_write_it() {
        assert_eq!(read("Sun, 06 Nov 1994 08:49:37 GMT"), Some(Wall(784_111_777_000)));
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
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_wait_is_seconds_or_a_date() {
        let now = Wall(784_111_777_000);
        assert_eq!(retry_after("30", now), Some(Duration::from_secs(30)));
        assert_eq!(retry_after(" 0 ", now), Some(Duration::ZERO));
        assert_eq!(
            retry_after("Sun, 06 Nov 1994 08:50:37 GMT", now),
            Some(Duration::from_secs(60))
        );
        assert_eq!(retry_after("Sun, 06 Nov 1994 08:00:00 GMT", now), Some(Duration::ZERO));
        assert_eq!(retry_after("99999999999999999999999", now), Some(LONGEST_WAIT));
        for wrong in ["", "soon", "-1", "1.5", "٣"] {
            assert_eq!(retry_after(wrong, now), None, "{wrong}");
        }
    }
}
