//! The strip of totals above the list of payment links: today, the last seven days, this month, and
//! a chart of the last days. Only a large terminal shows it.

use crate::app::Store;
use crate::app::store::paid;
use crate::app::ui::parts::{put, rule};
use crate::app::ui::table::{self, Column};
use crate::app::ui::text::columns;
use crate::app::ui::{Area, Line, Page, Role, Span};
use crate::trade::{ListTotals, Money, RecentTotals, SearchTotals};

/// The minimum terminal size for the strip, so that enough rows remain for the list.
const MIN_COLUMNS: u16 = 100;
const MIN_ROWS: u16 = 34;

/// The height of the strip in rows: a heading, three periods, the chart, and a horizontal rule.
const STRIP_HEIGHT: u16 = 6;

const TODAY_ID: &str = "strip-day";

/// The width of one day in the chart, in columns.
const DAY_WIDTH: usize = 2;

/// A row of the table of totals: period, number of links, sum, paid sum, and unpaid sum. Each cell
/// has two texts, a normal and a shorter one.
type StripRow = [[Span; 2]; 5];

const COLUMNS: [Column<(), StripRow>; 5] = [
    Column::new(0, &[cell::<0, 0>]),
    Column {
        is_right: true,
        ..Column::new(1, &[cell::<1, 0>])
    },
    Column {
        is_right: true,
        ..Column::new(2, &[cell::<2, 0>, cell::<2, 1>])
    },
    Column {
        is_right: true,
        ..Column::new(3, &[cell::<3, 0>, cell::<3, 1>])
    },
    Column {
        is_right: true,
        ..Column::new(4, &[cell::<4, 0>, cell::<4, 1>])
    },
];

fn cell<const COLUMN: usize, const VARIANT: usize>((): &(), row: &StripRow, _: usize) -> Span {
    row[COLUMN][VARIANT].clone()
}

fn heading_row(store: &Store) -> StripRow {
    let ids = [
        [None, None],
        [Some("strip-links"); 2],
        [Some("strip-sum"), Some("strip-sum-unit")],
        [Some("strip-marked"); 2],
        [Some("strip-others"); 2],
    ];
    ids.map(|ids| {
        ids.map(|id| {
            let text = id.map(|id| store.text(id));
            Span::of(Role::Dim, text.unwrap_or_default())
        })
    })
}

/// Lays out the totals of one period. A sum that overflows is shown as a question mark. Today's
/// paid sum is highlighted right after one of today's links is paid.
fn period_row(store: &Store, (id, totals): (&str, SearchTotals)) -> StripRow {
    let today = store.now.wall.local_day(store.setup.utc_offset_s);
    let is_highlighted = id == TODAY_ID && paid::is_day_highlighted(store, today);
    let combined = totals.total();
    let period = Span::of(Role::Dim, store.text(id));
    let count = combined
        .as_ref()
        .map_or_else(|| "?".to_owned(), |combined| combined.count.to_string());
    let count = Span::of(Role::Text, count);
    [
        [period, Span::plain("")],
        [count, Span::plain("")],
        sums(Role::Money, combined.map(|combined| combined.sum)),
        sums(
            if is_highlighted {
                Role::Badge
            } else {
                Role::Text
            },
            Some(totals.paid.sum),
        ),
        sums(Role::Text, Some(totals.unpaid.sum)),
    ]
}

/// A sum with and without its currency, or `?` if the sum is not known.
fn sums(role: Role, sum: Option<Money>) -> [Span; 2] {
    let Some(sum) = sum else {
        return [Span::of(role, "?"), Span::of(role, "?")];
    };
    [
        Span::of(role, sum.to_string()),
        Span::of(role, sum.format_number()),
    ]
}

/// The characters for the bars of the chart, from the lowest to the highest.
const BAR_CHARACTERS: [&str; 8] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// The height of the strip in rows, or 0 if there is no room or there are no totals for today.
///
/// The strip keeps its height while totals are being counted. Otherwise the list would jump while
/// the seller types a search.
pub fn rows(store: &Store, list: Area) -> u16 {
    let has_room = store.size.columns >= MIN_COLUMNS && store.size.rows >= MIN_ROWS;
    // The strip has the sums of all links, so it is not shown above some of them. An empty pane
    // shows an introduction instead.
    let shows_all = !store.links.list.is_empty() && !store.links.is_narrowed();
    let fits = has_room && shows_all && list.height > 2 * STRIP_HEIGHT;
    let links = &store.links;
    let has_figures = match &links.last_totals {
        Some(totals) if links.is_counted => todays_totals(store, totals).is_some(),
        Some(totals) => totals.figures.is_some(),
        None => true,
    };
    if fits && has_figures { STRIP_HEIGHT } else { 0 }
}

/// The totals if they were counted today, because older totals are outdated.
fn todays_totals<'t>(store: &Store, totals: &'t ListTotals) -> Option<&'t RecentTotals> {
    let today = store.now.wall.local_day(store.setup.utc_offset_s);
    totals
        .figures
        .as_deref()
        .filter(|figures| figures.today == today)
}

pub fn draw(store: &Store, area: Area, page: &mut Page) {
    if area.height != STRIP_HEIGHT {
        return;
    }
    rule(area.row(STRIP_HEIGHT - 1).narrowed(1), page);
    let totals = store.links.totals();
    let Some(figures) = totals.and_then(|totals| todays_totals(store, totals)) else {
        return;
    };
    let periods = [
        (TODAY_ID, figures.on_day),
        ("strip-week", figures.on_week),
        ("strip-month", figures.on_month),
    ];
    let periods = periods.map(|period| period_row(store, period));
    let rows: Vec<_> = [heading_row(store)].into_iter().chain(periods).collect();
    let rows: Vec<_> = rows.iter().map(|row| (row, false)).collect();
    let width = usize::from(area.width);
    let mut lines = table::lines(&(), &COLUMNS, &rows, width);
    lines.push(chart(store, figures, width.saturating_sub(2)).indented(1));
    put(lines, area, page);
}

/// Draws the sums of the last days as bars, with today at the right, and the highest sum as a
/// number.
fn chart(store: &Store, figures: &RecentTotals, width: usize) -> Line {
    let highest_sum = figures.by_day.iter().copied().max().unwrap_or(Money::ZERO);
    let label = format!("{}  ", store.text("strip-days"));
    let mut line = Line::of(Role::Dim, label);
    for sum in figures.by_day {
        let (role, character) = match bar_character(sum, highest_sum) {
            Some(bar) => (Role::Accent, bar),
            None => (Role::Dim, "·"),
        };
        line.push(Span::of(role, character.repeat(DAY_WIDTH)));
    }
    let highest_text = format!(
        "  {}",
        store.with("strip-most", &[("sum", &highest_sum.to_string())])
    );
    if line.width() + columns(&highest_text) <= width {
        line.push(Span::of(Role::Dim, highest_text));
    }
    line
}

/// The bar character for a day's sum; `None` if the sum is zero.
fn bar_character(sum: Money, highest_sum: Money) -> Option<&'static str> {
    let sum = sum.centavos()?;
    let highest_sum = highest_sum.centavos()?;
    let steps = i128::try_from(BAR_CHARACTERS.len()).ok()?;
    // Round up, so that even the smallest sum has a bar.
    let step =
        (i128::from(sum) * steps + i128::from(highest_sum) - 1) / i128::from(highest_sum).max(1);
    usize::try_from(step - 1)
        .ok()
        .and_then(|step| BAR_CHARACTERS.get(step))
        .copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bar_height_is_proportional_to_sum() {
        let bar =
            |sum, highest| bar_character(Money::from_centavos(sum), Money::from_centavos(highest));
        assert_eq!(bar(0, 800), None);
        assert_eq!(bar(0, 0), None, "no link in all the days");
        assert_eq!(bar(1, 800), Some("▁"), "the least is seen");
        assert_eq!((bar(100, 800), bar(101, 800)), (Some("▁"), Some("▂")));
        assert_eq!((bar(799, 800), bar(800, 800)), (Some("█"), Some("█")));
        assert_eq!(bar(i64::MAX, i64::MAX), Some("█"));
    }
}
