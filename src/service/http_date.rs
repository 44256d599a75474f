//! Dates in headers.

use std::time::Duration;

use crate::contract::{hours_minutes_seconds, wall_of_utc};
use crate::trade::Wall;

/// A wait longer than this is not believed.
const LONGEST_WAIT: Duration = Duration::from_secs(86_400);

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that is still written (RFC 9110).
pub(super) fn read(text: &str) -> Option<Wall> {
    let mut parts = text.trim().split(' ');
    let weekday = parts.next()?;
    if weekday.len() != 4 || !weekday.ends_with(',') {
        return None;
    }
    let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
    let (clock, zone) = (parts.next()?, parts.next()?);
    if zone != "GMT" || parts.next().is_some() {
        return None;
    }
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    let digits = |text: &str, len| text.len() == len && text.bytes().all(|b| b.is_ascii_digit());
    if !digits(day, 2) || !digits(year, 4) {
        return None;
    }
    let date = (year.parse().ok()?, u32::try_from(month).ok()?, day.parse().ok()?);
    wall_of_utc(date, hours_minutes_seconds(clock)?)
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
