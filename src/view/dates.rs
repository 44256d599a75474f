//! Dates and times by language, where the seller is.

use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::Offset;

use super::{Lang, Look};
use crate::app::{Model, geometry};
use crate::trade::Wall;

/// The months in English, three letters each.
pub(super) const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";

/// `21/11/2026`, whatever the language: how a search knows a day.
pub(super) fn figures(at: Wall, utc_offset_s: i32) -> Option<String> {
    local(at, utc_offset_s).map(|at| in_figures(Lang::Pt, at.date()))
}

/// The moment on the seller's own clock.
fn local(at: Wall, utc_offset_s: i32) -> Option<DateTime> {
    let offset = Offset::from_seconds(utc_offset_s).ok()?;
    Some(offset.to_datetime(Timestamp::from_millisecond(at.0).ok()?))
}

/// `10:42`
pub fn time(model: &Model, at: Wall) -> String {
    local(at, model.setup.utc_offset_s)
        .map(|at| format!("{:02}:{:02}", at.hour(), at.minute()))
        .unwrap_or_default()
}

/// `10:42:07`
pub fn time_exact(model: &Model, at: Wall) -> String {
    local(at, model.setup.utc_offset_s)
        .map(|at| format!("{:02}:{:02}:{:02}", at.hour(), at.minute(), at.second()))
        .unwrap_or_default()
}

/// `hoje`, `ontem`, or the date; `day` is as [`geometry::local_day`] has it.
pub fn day(model: &Model, look: &Look, day: i64) -> String {
    let today = geometry::local_day(model.now.wall, model.setup.utc_offset_s);
    match today - day {
        0 => look.say("day-today"),
        1 => look.say("day-yesterday"),
        _ => epoch_day(day).map(|date| in_figures(look.words.lang(), date)).unwrap_or_default(),
    }
}

/// The day of a moment, in words where it is near.
pub fn day_of(model: &Model, look: &Look, at: Wall) -> String {
    day(model, look, geometry::local_day(at, model.setup.utc_offset_s))
}

/// `hoje, 10:42:07` or `21/11/2026, 10:42:07`
pub fn moment(model: &Model, look: &Look, at: Wall) -> String {
    format!("{}, {}", day_of(model, look, at), time_exact(model, at))
}

fn epoch_day(day: i64) -> Option<Date> {
    let second = day.checked_mul(86_400)?;
    Some(Offset::UTC.to_datetime(Timestamp::from_second(second).ok()?).date())
}

fn in_figures(lang: Lang, date: Date) -> String {
    let (day, month, year) = (date.day(), date.month(), date.year());
    match lang {
        Lang::Pt => format!("{day:02}/{month:02}/{year}"),
        // The month in letters: 03/04 is two dates to two readers of English.
        Lang::En => {
            let at = usize::from(month.unsigned_abs().saturating_sub(1)) * 3;
            format!("{day} {} {year}", &MONTHS[at..at + 3])
        }
    }
}

/// `07:12`: whole minutes and seconds.
pub fn minutes(span: Duration) -> String {
    let seconds = span.as_secs();
    format!("{:02}:{:02}", seconds / 60, seconds % 60)
}

/// The same of what must be waited for, rounded up: at `00:00` it is over.
pub fn minutes_left(wait: Duration) -> String {
    minutes(wait.saturating_add(Duration::from_millis(999)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sellers_zone_decides_the_day_and_the_language_its_spelling() {
        let late = Wall(1_795_311_000_000); // 2026-11-22 01:30 UTC
        let at = local(late, -3 * 3_600).unwrap();
        assert_eq!((at.hour(), at.minute()), (22, 30));
        assert_eq!(in_figures(Lang::Pt, at.date()), "21/11/2026");
        assert_eq!(in_figures(Lang::En, at.date()), "21 Nov 2026");
        let day = geometry::local_day(late, -3 * 3_600);
        assert_eq!(epoch_day(day), Some(at.date()));
        assert_eq!(geometry::local_day(late, 0), day + 1);
        assert_eq!(geometry::local_day(Wall(-1), 0), -1);
    }

    #[test]
    fn a_moment_beyond_the_calendar_is_no_moment() {
        assert_eq!(local(Wall(i64::MAX), 0), None);
        assert_eq!(local(Wall(0), i32::MAX), None);
        assert_eq!(epoch_day(i64::MAX), None);
        for at in [i64::MIN, i64::MAX] {
            for offset in [i32::MIN, i32::MAX] {
                let day = geometry::local_day(Wall(at), offset);
                assert_eq!(figures(Wall(at), offset), None);
                assert_eq!(epoch_day(day), None);
            }
        }
    }
}
