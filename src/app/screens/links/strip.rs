//! The strip above the links of a large terminal: what they come to lately, and day by day.

use crate::app::Store;
use crate::app::ui::parts::{put, rule};
use crate::app::ui::table::{self, Column};
use crate::app::ui::text::columns;
use crate::app::ui::{Area, Line, Page, Role, Span};
use crate::trade::{FoundTotals, LinkFigures, LinkTotals, Money};

/// From so many columns and rows on it leaves the list room enough.
const FROM_COLUMNS: u16 = 100;
const FROM_ROWS: u16 = 34;

/// A heading, three times, the days, and the line below them.
const ROWS: u16 = 6;

/// The columns of a day in the chart.
const DAY: usize = 2;

/// The time, the links made in it, what they come to, and of that what is marked as paid and what
/// is not: each cell as it is, and as it is in fewer columns.
type StripRow = [[Span; 2]; 5];

const COLUMNS: [Column<(), StripRow>; 5] = [
    Column::new(0, &[cell::<0, 0>]),
    Column { is_right: true, ..Column::new(1, &[cell::<1, 0>]) },
    Column { is_right: true, ..Column::new(2, &[cell::<2, 0>, cell::<2, 1>]) },
    Column { is_right: true, ..Column::new(3, &[cell::<3, 0>, cell::<3, 1>]) },
    Column { is_right: true, ..Column::new(4, &[cell::<4, 0>, cell::<4, 1>]) },
];

fn cell<const COLUMN: usize, const WAY: usize>((): &(), row: &StripRow, _: usize) -> Span {
    row[COLUMN][WAY].clone()
}

fn heading(store: &Store) -> StripRow {
    let ids = [
        [None, None],
        [Some("strip-links"); 2],
        [Some("strip-sum"), Some("strip-sum-unit")],
        [Some("strip-marked"); 2],
        [Some("strip-others"); 2],
    ];
    let text = |id: Option<_>| id.map(|id| store.text(id)).unwrap_or_default();
    ids.map(|ids| ids.map(|id| Span::of(Role::Dim, text(id))))
}

/// The name of a time and what was counted in it; a sum that cannot be told is a question mark.
fn time_row(store: &Store, (id, totals): (&str, FoundTotals)) -> StripRow {
    let both = totals.together();
    let sums = |role, sum: Option<Money>| {
        let text = |text: fn(Money) -> String| sum.map_or_else(|| "?".to_owned(), text);
        [text(|sum| sum.to_string()), text(|sum| sum.figure())].map(|text| Span::of(role, text))
    };
    let time = Span::of(Role::Dim, store.text(id));
    let count = both.as_ref().map_or_else(|| "?".to_owned(), |both| both.count.to_string());
    let count = Span::of(Role::Text, count);
    [
        [time, Span::plain("")],
        [count, Span::plain("")],
        sums(Role::Money, both.map(|both| both.sum)),
        sums(Role::Text, Some(totals.paid.sum)),
        sums(Role::Text, Some(totals.unpaid.sum)),
    ]
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

/// Draws it where it has room.
pub fn draw(store: &Store, area: Area, page: &mut Page) {
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
    let times = times.map(|time| time_row(store, time));
    let rows: Vec<_> = [heading(store)].into_iter().chain(times).collect();
    let rows: Vec<_> = rows.iter().map(|row| (row, false)).collect();
    let width = usize::from(area.width);
    let mut lines = table::lines(&(), &COLUMNS, &rows, width);
    lines.push(chart(store, figures, width.saturating_sub(2)).indented(1));
    put(lines, area, page);
}

/// The last days as bars, today's last, and what the highest stands for.
fn chart(store: &Store, figures: &LinkFigures, width: usize) -> Line {
    let most = figures.by_day.iter().copied().max().unwrap_or(Money::ZERO);
    let label = format!("{}  ", store.text("strip-days"));
    let mut line = Line::of(Role::Dim, label);
    for sum in figures.by_day {
        let (role, sign) = match bar(sum, most) {
            Some(bar) => (Role::Accent, bar),
            None => (Role::Dim, "·"),
        };
        line.push(Span::of(role, sign.repeat(DAY)));
    }
    let said = format!("  {}", store.with("strip-most", &[("sum", &most.to_string())]));
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
