//! Dates in replies, as moments.

use crate::trade::Wall;

/// The moment of a date and time in UTC; `None` when there is no such date.
fn wall_of_utc(date: (i64, u32, u32), time: (u32, u32, u32)) -> Option<Wall> {
    let (hour, minute, second) = time;
    // A leap second is taken as the next one's beginning.
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let seconds = days(date)? * 86_400 + i64::from(hour * 3_600 + minute * 60 + second);
    Some(Wall(seconds * 1_000))
}

/// Days from 1970-01-01 to a date of the Gregorian calendar.
fn days((year, month, day): (i64, u32, u32)) -> Option<i64> {
    if !(1..=9999).contains(&year) || !(1..=12).contains(&month) {
        return None;
    }
    if day < 1 || day > month_length(year, month) {
        return None;
    }
    let before = |year: i64| 365 * year + year.div_euclid(4) - year.div_euclid(100) + year / 400;
    let in_year: u32 = (1..month).map(|month| month_length(year, month)).sum::<u32>() + day - 1;
    Some(before(year - 1) - before(1969) + i64::from(in_year))
}

fn month_length(year: i64, month: u32) -> u32 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Reads `2026-11-21`.
fn year_month_day(text: &str) -> Option<(i64, u32, u32)> {
    let mut parts = text.split('-');
    let date = (number(parts.next()?, 4)?, number(parts.next()?, 2)?, number(parts.next()?, 2)?);
    parts.next().is_none().then_some((i64::from(date.0), date.1, date.2))
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
        let minutes = i64::from(number(hours, 2)? * 60 + number(minutes, 2)?);
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
fn hours_minutes_seconds(text: &str) -> Option<(u32, u32, u32)> {
    let mut parts = text.split(':');
    let time = (number(parts.next()?, 2)?, number(parts.next()?, 2)?, number(parts.next()?, 2)?);
    parts.next().is_none().then_some(time)
}

fn number(text: &str, digits: usize) -> Option<u32> {
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
    }

    #[test]
    fn days_follow_one_another() {
        let mut last = None;
        for year in 1895..2105 {
            for month in 1..=12 {
                for day in 1..=month_length(year, month) {
                    let now = days((year, month, day));
                    assert!(last.is_none() || now == last.map(|day| day + 1), "{year}-{month}");
                    last = now;
                }
            }
        }
    }

    #[test]
    fn no_such_date() {
        for (date, time) in [
            ((2025, 2, 29), (0, 0, 0)),
            ((2026, 13, 1), (0, 0, 0)),
            ((2026, 0, 1), (0, 0, 0)),
            ((2026, 1, 0), (0, 0, 0)),
            ((2026, 1, 1), (24, 0, 0)),
            ((99_999, 1, 1), (0, 0, 0)),
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
