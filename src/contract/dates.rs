//! Dates in replies, as moments.

use std::str::FromStr;

use jiff::civil::DateTime;

use crate::trade::Wall;

const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

/// The moment of a date and time in UTC; `None` when there is no such date.
fn wall_of_utc(
    (year, month, day): (i16, i8, i8),
    (hour, minute, second): (i8, i8, i8),
) -> Option<Wall> {
    // A leap second is taken as the next one's beginning. The year 0 is nobody's.
    let leap = i8::from(second == 60);
    let moment = DateTime::new(year, month, day, hour, minute, second - leap, 0).ok()?;
    let since = moment.duration_since(EPOCH).as_secs();
    (year > 0).then_some(Wall((since + i64::from(leap)) * 1_000))
}

/// Reads `2026-11-21`.
fn year_month_day(text: &str) -> Option<(i16, i8, i8)> {
    let mut parts = text.split('-');
    let date = (number(parts.next()?, 4)?, number(parts.next()?, 2)?, number(parts.next()?, 2)?);
    parts.next().is_none().then_some(date)
}

/// Reads `2026-11-21T10:20:30.5-03:00` (RFC 3339).
///
/// Without an offset the moment is not known, and is not guessed.
pub fn rfc3339(text: &str) -> Option<Wall> {
    if !text.is_ascii() || text.len() > 40 {
        return None;
    }
    let (date, rest) = text.split_once(['T', 't', ' '])?;
    let (clock, offset_minutes) = if let Some(clock) = rest.strip_suffix(['Z', 'z']) {
        (clock, 0)
    } else {
        let at = rest.rfind(['+', '-'])?;
        let (hours, minutes) = rest[at + 1..].split_once(':')?;
        let minutes = number::<i64>(hours, 2)? * 60 + number::<i64>(minutes, 2)?;
        (&rest[..at], if rest[at..].starts_with('-') { -minutes } else { minutes })
    };
    let clock = match clock.split_once('.') {
        Some((_, fraction)) if !fraction.bytes().all(|b| b.is_ascii_digit()) => return None,
        Some((clock, _)) => clock,
        None => clock,
    };
    let wall = wall_of_utc(year_month_day(date)?, hours_minutes_seconds(clock)?)?;
    Some(Wall(wall.0 - offset_minutes * 60_000))
}

/// Reads `10:20:30`.
fn hours_minutes_seconds(text: &str) -> Option<(i8, i8, i8)> {
    let mut parts = text.split(':');
    let time = (number(parts.next()?, 2)?, number(parts.next()?, 2)?, number(parts.next()?, 2)?);
    parts.next().is_none().then_some(time)
}

fn number<N: FromStr>(text: &str, digits: usize) -> Option<N> {
    let fits = text.len() == digits && text.bytes().all(|b| b.is_ascii_digit());
    fits.then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moments() {
        assert_eq!(wall_of_utc((1970, 1, 1), (0, 0, 0)), Some(Wall(0)));
        assert_eq!(wall_of_utc((1994, 11, 6), (8, 49, 37)), Some(Wall(784_111_777_000)));
        assert_eq!(wall_of_utc((2000, 2, 29), (0, 0, 0)), Some(Wall(951_782_400_000)));
        assert_eq!(wall_of_utc((2026, 11, 21), (5, 41, 35)), Some(Wall(1_795_239_695_000)));
        assert_eq!(wall_of_utc((1969, 12, 31), (23, 59, 59)), Some(Wall(-1_000)));
        assert_eq!(wall_of_utc((1969, 12, 31), (23, 59, 60)), Some(Wall(0)));
        assert_eq!(wall_of_utc((1, 1, 1), (0, 0, 0)), Some(Wall(-62_135_596_800_000)));
        assert_eq!(wall_of_utc((9999, 12, 31), (23, 59, 60)), Some(Wall(253_402_300_800_000)));
    }

    #[test]
    fn no_such_date() {
        for (date, time) in [
            ((2025, 2, 29), (0, 0, 0)),
            ((2026, 13, 1), (0, 0, 0)),
            ((2026, 0, 1), (0, 0, 0)),
            ((2026, 1, 0), (0, 0, 0)),
            ((2026, 1, 1), (24, 0, 0)),
            ((2026, 1, 1), (0, 60, 0)),
            ((2026, 1, 1), (0, 0, 61)),
            ((0, 12, 31), (0, 0, 0)),
            ((10_000, 1, 1), (0, 0, 0)),
        ] {
            assert_eq!(wall_of_utc(date, time), None, "{date:?} {time:?}");
        }
    }

    #[test]
    fn a_date_with_its_offset() {
        let utc = rfc3339("2026-11-21T05:41:35Z");
        assert_eq!(utc, Some(Wall(1_795_239_695_000)));
        assert_eq!(rfc3339("2026-11-21T02:41:35.123-03:00"), utc);
        assert_eq!(rfc3339("2026-11-21 05:41:35+00:00"), utc);
        for wrong in
            ["2026-11-21T05:41:35", "2026-11-21", "", "2026-11-21T5:41:35Z", "T", "é-11-21T0Z"]
        {
            assert_eq!(rfc3339(wrong), None, "{wrong}");
        }
    }
}
