//! The flags that select the rows of a list.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use jiff::ToSpan;
use jiff::civil::DateTime;

use super::complaint::Complaint;
use super::data::{local_time, midnight, parse_date};
use crate::trade::Wall;

/// The flags of a list of payment links, direct payments or withdrawals.
#[derive(Debug, Clone, Args)]
pub struct ListArgs {
    #[arg(long)]
    pub json: bool,
    #[arg(long, value_name = "DIR")]
    pub journal: Option<PathBuf>,
    #[command(flatten)]
    pub filter: RowFilter,
}

/// The rows that a list shows. The words of `--state` differ between the lists, so the commands set
/// them.
#[derive(Debug, Clone, Default, PartialEq, Args)]
pub struct RowFilter {
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    since: Option<Wall>,
    /// The end, which is exclusive.
    #[arg(long, value_name = "TIME", value_parser = parse_end)]
    until: Option<Wall>,
    #[arg(long, value_name = "STATE")]
    state: Option<String>,
    #[arg(long, value_name = "N")]
    limit: Option<NonZeroUsize>,
}

impl RowFilter {
    /// The first time of the rows, and the first time after them.
    pub fn period(&self) -> [Wall; 2] {
        [
            self.since.unwrap_or(Wall(i64::MIN)),
            self.until.unwrap_or(Wall(i64::MAX)),
        ]
    }

    /// True if no flag excludes a row.
    pub fn is_open(&self) -> bool {
        *self == RowFilter::default()
    }

    pub fn has_limit(&self) -> bool {
        self.limit.is_some()
    }

    /// Keeps the rows that the flags select. Reads no further row after the last one. Keeps errors.
    pub fn select<T>(
        &self,
        rows: impl Iterator<Item = Result<T, Complaint>>,
        facts: impl Fn(&T) -> (Wall, &'static str),
    ) -> impl Iterator<Item = Result<T, Complaint>> {
        let [since, until] = self.period();
        let selected = rows.filter(move |row| {
            row.as_ref().map(&facts).map_or(true, |(at, state)| {
                (since..until).contains(&at)
                    && self.state.as_deref().is_none_or(|word| word == state)
            })
        });
        selected.take(self.limit.map_or(usize::MAX, NonZeroUsize::get))
    }
}

/// Parses a date, or a date with a time of day, in the user's time zone.
pub(super) fn parse_time(text: &str) -> Result<Wall, String> {
    parse_time_or_day(text, 0)
}

/// Parses an exclusive end. A date without a time means the end of that day.
fn parse_end(text: &str) -> Result<Wall, String> {
    parse_time_or_day(text, 1)
}

/// Parses a date with a time of day, or a date, to which `days` are added.
fn parse_time_or_day(text: &str, days: i64) -> Result<Wall, String> {
    let spaced = text.replacen('T', " ", 1);
    let formats = ["%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S"];
    let time = formats
        .iter()
        .find_map(|format| DateTime::strptime(format, &spaced).ok());
    match time {
        Some(time) => Ok(local_time(time)),
        None => parse_date(text).map(|date| midnight(date.saturating_add(days.days()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(since: Option<&str>, until: Option<&str>) -> RowFilter {
        RowFilter {
            since: since.map(|text| parse_time(text).unwrap()),
            until: until.map(|text| parse_end(text).unwrap()),
            state: None,
            limit: None,
        }
    }

    /// The hours of a list with a row for each hour of two days, newest first.
    fn hours(filter: &RowFilter, read: &mut usize) -> Vec<String> {
        let start = parse_time("2026-11-21").unwrap().0;
        let rows = (0..48).rev().map(|hour| {
            *read += 1;
            Ok((hour, Wall(start + hour * 3_600_000)))
        });
        let state = |hour| if hour % 2 == 0 { "even" } else { "odd" };
        let rows = filter.select(rows, |(hour, at)| (*at, state(*hour)));
        rows.map(|row| row.ok().unwrap().0.to_string()).collect()
    }

    #[test]
    fn day_is_whole_and_end_is_exclusive() {
        let hours = |since, until| hours(&filter(since, until), &mut 0);
        assert_eq!(hours(None, None).len(), 48);
        assert_eq!(
            hours(Some("2026-11-21"), Some("2026-11-21"))[..2],
            ["23", "22"]
        );
        assert_eq!(hours(None, Some("2026-11-21")).len(), 24);
        assert_eq!(hours(Some("2026-11-22"), None).last().unwrap(), "24");
        assert_eq!(
            hours(Some("2026-11-21 10:00"), Some("2026-11-21T12:00")),
            ["11", "10"]
        );
        assert!(hours(Some("2026-11-22"), Some("2026-11-21")).is_empty());
    }

    #[test]
    fn limit_reads_no_row_after_the_last() {
        let mut read = 0;
        let filter = RowFilter {
            state: Some("even".into()),
            limit: NonZeroUsize::new(3),
            ..filter(None, None)
        };
        assert_eq!(hours(&filter, &mut read), ["46", "44", "42"]);
        assert_eq!(read, 6);
    }

    #[test]
    fn error_is_kept_by_every_filter() {
        let filter = filter(Some("2026-11-21"), Some("2026-11-21"));
        let rows = [Err(Complaint::text("x".into())), Ok(Wall(0))];
        let rows = filter.select(rows.into_iter(), |at| (*at, "x"));
        assert_eq!(rows.map(|row| row.is_err()).collect::<Vec<_>>(), [true]);
    }

    #[test]
    fn wrong_time_is_refused() {
        for text in ["21/11/2026", "2026-11-31", "2026-11-21 25:00", ""] {
            assert!(
                parse_time(text).is_err() && parse_end(text).is_err(),
                "{text}"
            );
        }
    }
}
