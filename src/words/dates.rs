//! Formats dates and times in the seller's time zone, which is given as a UTC offset in seconds
//! east.

use std::time::Duration;

use compact_str::CompactString;

use super::{Catalogue, Lang};
use crate::trade::search::Period;
use crate::trade::{Wall, date_of};

/// The English abbreviations of the months.
pub const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// Formats a date as `21/11/2026`. The format is the same in every language, because searches
/// compare with it.
pub fn figures(at: Wall, utc_offset_s: i32) -> Option<String> {
    format_date(Lang::Pt, at.local_day(utc_offset_s))
}

/// Formats a time of day as `10:42`.
pub fn time(at: Wall, utc_offset_s: i32) -> CompactString {
    // Format without `strftime` for speed: every list row shows a time, and `strftime` would parse
    // its pattern each time.
    let Some(at) = at.local(utc_offset_s) else {
        return "--:--".into();
    };
    let [hour, minute] =
        [at.hour(), at.minute()].map(|n| [n / 10, n % 10].map(|digit| b'0' + digit.unsigned_abs()));
    CompactString::from_utf8([hour[0], hour[1], b':', minute[0], minute[1]]).unwrap_or_default()
}

/// Formats a time of day as `10:42:07`.
pub fn time_exact(at: Wall, utc_offset_s: i32) -> String {
    at.local(utc_offset_s)
        .map_or("--:--:--".into(), |at| at.strftime("%H:%M:%S").to_string())
}

/// The word for today (`hoje`) or yesterday (`ontem`), or the date of any other day. Days are
/// numbered as in [`Wall::local_day`].
pub fn day(words: &Catalogue, today: i64, day: i64) -> String {
    match today.saturating_sub(day) {
        0 => words.text("day-today"),
        1 => words.text("day-yesterday"),
        _ => format_date(words.lang(), day)
            .unwrap_or_else(|| words.text(if day > 0 { "day-beyond" } else { "day-before" })),
    }
}

/// A single day, or the first and the last date.
pub fn days(words: &Catalogue, today: i64, Period { first, last }: Period) -> String {
    if first == last {
        return day(words, today, first);
    }
    let [first, last] = [first, last].map(|at| day(words, i64::MAX, at));
    words.with("report-days", &[("first", &first), ("last", &last)])
}

/// Like [`day`], but without the year if it is the current year.
pub fn short_day(words: &Catalogue, today: i64, day: i64) -> String {
    let year = |day| date_of(day).map(|date| date.year());
    let text = self::day(words, today, day);
    match text.rsplit_once(['/', ' ']) {
        Some((short, _)) if year(day) == year(today) => short.to_owned(),
        _ => text,
    }
}

/// Formats a date as `21/11` or `21 Nov`; `None` outside the years 1 to 9999.
pub fn without_year(words: &Catalogue, at: Wall, utc_offset_s: i32) -> Option<String> {
    let date = format_date(words.lang(), at.local_day(utc_offset_s))?;
    date.rsplit_once(['/', ' ']).map(|(day, _)| day.to_owned())
}

/// Formats a time with its day relative to `now`: `hoje, 10:42:07` (today) or `21/11/2026,
/// 10:42:07`.
///
/// Outside the years 1 to 9999, the result contains no time of day.
pub fn moment(words: &Catalogue, (now, utc_offset_s): (Wall, i32), at: Wall) -> String {
    let [today, day_number] = [now, at].map(|at| at.local_day(utc_offset_s));
    let date = day(words, today, day_number);
    if date_of(day_number).is_some() {
        format!("{date}, {}", time_exact(at, utc_offset_s))
    } else {
        date
    }
}

/// Formats a time as `21/11/2026 10:42` or `21 Nov 2026 10:42`.
///
/// Outside the years 1 to 9999, the result contains no time of day.
pub fn to_the_minute(words: &Catalogue, at: Wall, utc_offset_s: i32) -> String {
    let day = at.local_day(utc_offset_s);
    match format_date(words.lang(), day) {
        Some(date) => format!("{date} {}", time(at, utc_offset_s)),
        None => self::day(words, 0, day),
    }
}

/// Formats a time with its UTC offset: `21/11/2026, 10:42:07 (UTC-03:00)`. Use this in documents,
/// because they may be read in another time zone.
pub fn exactly(words: &Catalogue, at: Wall, utc_offset_s: i32) -> String {
    let day = at.local_day(utc_offset_s);
    let date_and_timestamp = format_date(words.lang(), day).zip(at.rfc3339(utc_offset_s));
    let Some((date, timestamp)) = date_and_timestamp else {
        return self::day(words, 0, day);
    };
    let zone = timestamp.get(19..).unwrap_or_default();
    format!("{date}, {} (UTC{zone})", time_exact(at, utc_offset_s))
}

/// Formats a duration as minutes and seconds, rounded down, such as `07:12`.
fn minutes(span: Duration) -> String {
    let seconds = span.as_secs();
    format!("{:02}:{:02}", seconds / 60, seconds % 60)
}

/// Formats a remaining time as `9 min 28 s` or `28 s`.
pub fn spelled(left: Duration) -> String {
    match (left.as_secs() / MINUTE, left.as_secs() % MINUTE) {
        (0, seconds) => format!("{seconds} s"),
        (minutes, seconds) => format!("{minutes} min {seconds:02} s"),
    }
}

/// Formats a lifetime by its two largest units, such as `1 h 30 min` or `7 d`.
pub fn lifetime(span: Duration) -> String {
    let seconds = span.as_secs();
    let units = [
        (seconds / (24 * HOUR), "d"),
        (seconds / HOUR % 24, "h"),
        (seconds / MINUTE % 60, "min"),
        (seconds % MINUTE, "s"),
    ];
    let parts = units.iter().filter(|(count, _)| *count > 0).take(2);
    parts
        .map(|(count, unit)| format!("{count} {unit}"))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Like [`spelled`], but rounded up, so that `0 s` always means that no time is left.
pub fn spelled_rounded_up(wait: Duration) -> String {
    spelled(wait.saturating_add(Duration::from_millis(999)))
}

/// Formats a short remaining time as `22 s`, and a longer one like [`left`].
pub fn seconds_left(wait: Duration) -> String {
    match seconds_rounded_up(wait) {
        seconds @ ..=90 => format!("{seconds} s"),
        _ => left(wait),
    }
}

/// Formats a remaining time as `12:34` (minutes and seconds), `1 h 05 min` or `2 d 03 h`, depending
/// on its length.
///
/// The time is rounded up, so `00:00` always means that no time is left.
pub fn left(left: Duration) -> String {
    let seconds = seconds_rounded_up(left);
    match seconds {
        ..HOUR => minutes(Duration::from_secs(seconds)),
        HOUR..MIN_SECONDS_SHOWN_IN_DAYS => {
            let minutes = seconds.div_ceil(MINUTE);
            format!("{} h {:02} min", minutes / 60, minutes % 60)
        }
        _ => {
            let hours = seconds.div_ceil(HOUR);
            format!("{} d {:02} h", hours / 24, hours % 24)
        }
    }
}

/// The time until the text of [`left`] changes.
pub fn left_changes_in(left: Duration) -> Duration {
    let seconds = seconds_rounded_up(left);
    let next_seconds = match seconds {
        ..HOUR => seconds.saturating_sub(1),
        HOUR..MIN_SECONDS_SHOWN_IN_DAYS => ((seconds.div_ceil(MINUTE) - 1) * MINUTE).max(HOUR - 1),
        _ => ((seconds.div_ceil(HOUR) - 1) * HOUR).max(MIN_SECONDS_SHOWN_IN_DAYS - 1),
    };
    left.saturating_sub(Duration::from_secs(next_seconds))
}

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;

const MIN_SECONDS_SHOWN_IN_DAYS: u64 = 48 * HOUR;

fn seconds_rounded_up(span: Duration) -> u64 {
    span.as_secs()
        .saturating_add(u64::from(span.subsec_nanos() > 0))
}

/// Formats a date in the style of the language, such as `21/11/2026` or `21 Nov 2026`; `None`
/// outside the years 1 to 9999.
fn format_date(lang: Lang, day: i64) -> Option<String> {
    let date = date_of(day)?;
    let day = date.day();
    let month = date.month();
    let year = date.year();
    // Format without `strftime` for speed, as in [`time`].
    Some(match lang {
        Lang::Pt => format!("{day:02}/{month:02}/{year:04}"),
        // Use the English name of the month, because 03/04 can mean 3 April or March 4.
        Lang::En => format!(
            "{day} {} {year:04}",
            MONTHS[usize::from(month.unsigned_abs()) - 1]
        ),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn zone_decides_the_day_and_language_the_format() {
        let late = Wall(1_795_311_000_000); // 2026-11-22 01:30 UTC
        assert_eq!(time_exact(late, -3 * 3_600), "22:30:00");
        let day = late.local_day(-3 * 3_600);
        assert_eq!(format_date(Lang::Pt, day).as_deref(), Some("21/11/2026"));
        assert_eq!(format_date(Lang::En, day).as_deref(), Some("21 Nov 2026"));
        assert_eq!(late.local_day(0), day + 1);
        assert_eq!(Wall(-1).local_day(0), -1);
    }

    #[test]
    fn far_moment_is_shown_or_named_beyond_calendar() {
        let words = [Lang::Pt, Lang::En].map(Catalogue::of);
        let moments =
            |at: i64, offset: i32| [0, 1].map(|n| moment(words[n], (Wall(0), offset), Wall(at)));
        let last_second = 253_402_300_799_000;
        assert_eq!(
            moments(last_second, 0),
            ["31/12/9999, 23:59:59", "31 Dec 9999, 23:59:59"]
        );
        let beyond = ["o ano 10000 ou depois", "the year 10000 or later"];
        assert_eq!(moments(last_second + 1_000, 0), beyond);
        assert_eq!(moments(i64::MAX, 0), beyond);
        // In this time zone, the local time is already in the year 10000.
        assert_eq!(moments(last_second, 3 * 3_600), beyond);
        let first_second = -62_135_596_800_000;
        assert_eq!(
            moments(first_second, 0),
            ["01/01/0001, 00:00:00", "1 Jan 0001, 00:00:00"]
        );
        let before = ["o ano 0 ou antes", "the year 0 or earlier"];
        assert_eq!(moments(first_second - 1, 0), before);
        assert_eq!(moments(i64::MIN, i32::MIN), before);
    }

    #[test]
    fn exact_time_has_its_zone() {
        let late = Wall(1_795_311_000_000); // 2026-11-22 01:30 UTC
        let exact_time = |lang, at, offset| exactly(Catalogue::of(lang), at, offset);
        assert_eq!(
            exact_time(Lang::Pt, late, -3 * 3_600),
            "21/11/2026, 22:30:00 (UTC-03:00)"
        );
        assert_eq!(
            exact_time(Lang::En, late, 0),
            "22 Nov 2026, 01:30:00 (UTC+00:00)"
        );
        assert_eq!(
            exact_time(Lang::En, Wall(i64::MAX), 0),
            "the year 10000 or later"
        );
        assert_eq!(
            exact_time(Lang::En, Wall(i64::MIN), 0),
            "the year 0 or earlier"
        );
    }

    #[test]
    fn remaining_time_is_shown_with_fitting_precision() {
        let time_left = |ms| left(Duration::from_millis(ms));
        assert_eq!(
            (time_left(1), time_left(1_000), time_left(1_001)),
            ("00:01".into(), "00:01".into(), "00:02".into())
        );
        assert_eq!(
            (time_left(754_000), time_left(3_599_000)),
            ("12:34".into(), "59:59".into())
        );
        assert_eq!(
            (time_left(3_599_001), time_left(3_900_000)),
            ("1 h 00 min".into(), "1 h 05 min".into())
        );
        assert_eq!(
            (time_left(3_900_001), time_left(172_799_000)),
            ("1 h 06 min".into(), "48 h 00 min".into())
        );
        assert_eq!(
            (time_left(172_800_000), time_left(183_600_000)),
            ("2 d 00 h".into(), "2 d 03 h".into())
        );
        assert_eq!(
            left_changes_in(Duration::from_millis(754_321)),
            Duration::from_millis(321)
        );
        assert_eq!(
            left_changes_in(Duration::from_secs(754)),
            Duration::from_secs(1)
        );
        assert_eq!(
            left_changes_in(Duration::from_secs(3_900)),
            Duration::from_secs(60)
        );
        let _ = left_changes_in(Duration::MAX);
    }

    proptest! {
        #[test]
        fn remaining_time_changes_exactly_when_predicted(ms in 1_u64..400_000_000) {
            let span = Duration::from_millis(ms);
            let change = left_changes_in(span);
            let ms = Duration::from_millis(1);
            prop_assert!(change >= ms && change <= span);
            prop_assert_eq!(left(span - (change - ms)), left(span));
            prop_assert_ne!(left(span - change), left(span));
        }
    }

    #[test]
    fn time_beyond_the_calendar_has_no_day_or_time() {
        for at in [i64::MIN, i64::MAX].map(Wall) {
            for offset in [i32::MIN, i32::MAX] {
                assert_eq!(figures(at, offset), None);
                assert_eq!(
                    (time(at, offset), time_exact(at, offset)),
                    ("--:--".into(), "--:--:--".into())
                );
            }
        }
    }
}
