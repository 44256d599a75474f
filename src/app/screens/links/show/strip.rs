//! The strip above the links of a large terminal: what they come to lately, and day by day.

use crate::app::Store;
use crate::app::ui::parts::{put, rule};
use crate::app::ui::table::{self, Column};
use crate::app::ui::text::columns;
use crate::app::ui::{Area, Line, Page, Role, Span};
use crate::trade::{FoundTotals, LinkFigures, LinkTotals, Money};
use crate::words::Words;

/// From so many columns and rows on it leaves the list room enough.
const FROM_COLUMNS: u16 = 100;
const FROM_ROWS: u16 = 34;

/// A heading, three times, the days, and the line below them.
const ROWS: u16 = 6;

/// The columns of a day in the chart.
const DAY: usize = 2;

/// The time, the links made in it, what they come to, and of that what is marked as paid and what
/// is not: each sum with its unit, or in fewer columns without.
const COLUMNS: [Column<Store, StripRow>; 5] = [
    Column::new(0, &[time]),
    Column { is_right: true, ..Column::new(1, &[count]) },
    Column { is_right: true, ..Column::new(2, &[sum, sum_in_figures]) },
    Column { is_right: true, ..Column::new(3, &[marked, marked_in_figures]) },
    Column { is_right: true, ..Column::new(4, &[others, others_in_figures]) },
];

/// The heading, or the name of a time and what was counted in it.
struct StripRow(Option<(&'static str, FoundTotals)>);

impl StripRow {
    /// The heading of a column, or its figure; a sum that cannot be told is a question mark.
    fn cell(
        &self,
        store: &Store,
        heading: &str,
        role: Role,
        figure: impl Fn(&FoundTotals) -> Option<String>,
    ) -> Span {
        match &self.0 {
            None => Span::of(Role::Dim, store.text(heading)),
            Some((_, totals)) => Span::of(role, figure(totals).unwrap_or_else(|| "?".to_owned())),
        }
    }
}

fn time(store: &Store, row: &StripRow, _: usize) -> Span {
    let name = row.0.as_ref().map(|(id, _)| store.text(id));
    Span::of(Role::Dim, name.unwrap_or_default())
}

fn count(store: &Store, row: &StripRow, _: usize) -> Span {
    let count = |totals: &FoundTotals| Some(totals.together()?.count.to_string());
    row.cell(store, "strip-links", Role::Text, count)
}

fn sum(store: &Store, row: &StripRow, _: usize) -> Span {
    row.cell(store, "strip-sum", Role::Money, |totals| Some(totals.together()?.sum.to_string()))
}

fn sum_in_figures(store: &Store, row: &StripRow, _: usize) -> Span {
    let sum = |totals: &FoundTotals| Some(totals.together()?.sum.figure());
    row.cell(store, "strip-sum-unit", Role::Money, sum)
}

fn marked(store: &Store, row: &StripRow, _: usize) -> Span {
    row.cell(store, "strip-marked", Role::Text, |totals| Some(totals.paid.sum.to_string()))
}

fn marked_in_figures(store: &Store, row: &StripRow, _: usize) -> Span {
    row.cell(store, "strip-marked", Role::Text, |totals| Some(totals.paid.sum.figure()))
}

fn others(store: &Store, row: &StripRow, _: usize) -> Span {
    row.cell(store, "strip-others", Role::Text, |totals| Some(totals.unpaid.sum.to_string()))
}

fn others_in_figures(store: &Store, row: &StripRow, _: usize) -> Span {
    row.cell(store, "strip-others", Role::Text, |totals| Some(totals.unpaid.sum.figure()))
}

/// From nothing to the most, each higher than the one before.
const BARS: [&str; 8] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// Returns the rows it takes above the list; none without room for them, or figures of today.
///
/// It keeps them while figures are counted: the list below it must not jump with each letter.
pub fn rows(store: &Store, list: Area) -> u16 {
    let has_room = store.size.columns >= FROM_COLUMNS && store.size.rows >= FROM_ROWS;
    // A pane that has no link yet says what one is good for.
    let has_links = !store.links.list.is_empty() || store.links.is_narrowed();
    let fits = has_room && has_links && list.height > 2 * ROWS;
    let links = &store.links;
    let has_figures = match &links.last_totals {
        Some(totals) if links.is_counted => of_today(store, totals).is_some(),
        Some(totals) => totals.figures.is_some(),
        None => true,
    };
    if fits && has_figures { ROWS } else { 0 }
}

/// The figures, if they were counted on this day: of another one they would not be true.
fn of_today<'t>(store: &Store, totals: &'t LinkTotals) -> Option<&'t LinkFigures> {
    let today = store.now.wall.local_day(store.setup.utc_offset_s);
    totals.figures.as_deref().filter(|figures| figures.today == today)
}

pub fn draw(store: &Store, say: &Words, area: Area, page: &mut Page) {
    if area.height != ROWS {
        return;
    }
    rule(area.row(ROWS - 1), page);
    let totals = store.links.totals();
    let Some(figures) = totals.and_then(|totals| of_today(store, totals)) else { return };
    let times = [
        ("strip-day", figures.on_day),
        ("strip-week", figures.on_week),
        ("strip-month", figures.on_month),
    ];
    let rows = [StripRow(None)].into_iter().chain(times.map(|time| StripRow(Some(time))));
    let rows: Vec<_> = rows.collect();
    let rows: Vec<_> = rows.iter().map(|row| (row, false)).collect();
    let width = usize::from(area.width);
    let mut lines = table::lines(store, &COLUMNS, &rows, width);
    lines.push(chart(say, figures, width.saturating_sub(2)).indented(1));
    put(lines, area, page);
}

/// The last days as bars, today's last, and what the highest stands for.
fn chart(say: &Words, figures: &LinkFigures, width: usize) -> Line {
    let most = figures.by_day.iter().copied().max().unwrap_or(Money::ZERO);
    let label = format!("{}  ", say.text("strip-days"));
    let mut line = Line::of(Role::Dim, label);
    for sum in figures.by_day {
        let (role, sign) = match bar(sum, most) {
            Some(bar) => (Role::Accent, bar),
            None => (Role::Dim, "·"),
        };
        line.push(Span::of(role, sign.repeat(DAY)));
    }
    let said = format!("  {}", say.with("strip-most", &[("sum", &most.to_string())]));
    if line.width() + columns(&said) <= width {
        line.push(Span::of(Role::Dim, said));
    }
    line
}

/// The bar of a day; none for a day without a link.
fn bar(sum: Money, most: Money) -> Option<&'static str> {
    let (sum, most) = (sum.centavos()?, most.centavos()?);
    let steps = i128::try_from(BARS.len()).ok()?;
    // The least that is more than nothing is seen too.
    let step = (i128::from(sum) * steps + i128::from(most) - 1) / i128::from(most).max(1);
    usize::try_from(step - 1).ok().and_then(|step| BARS.get(step)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_high_as_its_day_and_nothing_has_none() {
        let of = |sum, most| bar(Money::from_centavos(sum), Money::from_centavos(most));
        assert_eq!(of(0, 800), None);
        assert_eq!(of(0, 0), None, "no link in all the days");
        assert_eq!(of(1, 800), Some("▁"), "the least is seen");
        assert_eq!((of(100, 800), of(101, 800)), (Some("▁"), Some("▂")));
        assert_eq!((of(799, 800), of(800, 800)), (Some("█"), Some("█")));
        assert_eq!(of(i64::MAX, i64::MAX), Some("█"));
    }
}
