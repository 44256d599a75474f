//! The strip of totals above the list of payment links: today, the last seven days, this month, and
//! a chart of the last days. Only a large terminal shows it.

use crate::app::Store;
use crate::app::store::paid;
use crate::app::ui::bars::{BAR_CHARACTERS, bar_height, bar_spans};
use crate::app::ui::parts::{put, rule};
use crate::app::ui::table::{self, Column};
use crate::app::ui::text::{columns, exactly, first_fitting};
use crate::app::ui::{Area, Line, Page, Role, Span};
use crate::trade::{ListTotals, Money, RecentTotals, SearchTotals};

/// The minimum terminal size for the strip, so that enough rows remain for the list.
const MIN_COLUMNS: u16 = 100;
const MIN_ROWS: u16 = 34;

/// The height of the strip in rows: a heading, three periods, the chart of four rows, and a
/// horizontal rule.
const STRIP_HEIGHT: u16 = 9;

const TODAY_ID: &str = "strip-day";

/// The width of a day's bar in the chart, in columns. There is one column between two bars.
const BAR_WIDTH: usize = 2;

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
    let chart = chart(store, figures, width.saturating_sub(2));
    lines.extend(chart.map(|line| line.indented(1)));
    put(lines, area, page);
}

/// Draws the sums of the last days as bars, with today at the right. The highest sum is above its
/// bar, and today's sum is beside today's bar.
fn chart(store: &Store, figures: &RecentTotals, width: usize) -> [Line; 4] {
    let sums = figures.by_day;
    let last = sums.len() - 1;
    let highest_sum = sums.iter().copied().max().unwrap_or(Money::ZERO);
    let label = format!("{}  ", store.text("strip-days"));
    let left = columns(&label);
    let mut upper = Line::from(Span::plain(" ".repeat(left)));
    let mut lower = upper.clone();
    let mut weekdays = upper.clone();
    let letters = store.text("strip-weekdays");
    let letters: Vec<_> = letters.split_whitespace().collect();
    for (n, sum) in sums.into_iter().enumerate() {
        let height = bar_height(sum, highest_sum);
        let upper_height = height.saturating_sub(BAR_CHARACTERS.len());
        upper.spans.extend(bar_spans(upper_height, BAR_WIDTH, " "));
        lower
            .spans
            .extend(bar_spans(height, BAR_WIDTH, BAR_CHARACTERS[0]));
        let role = if n == last { Role::Strong } else { Role::Dim };
        // Day 0 of the calendar, 1970-01-01, was a Thursday. The letters begin with Sunday.
        let weekday = (figures.today - (last - n) as i64 + 4).rem_euclid(7);
        let letter = letters.get(weekday as usize).copied().unwrap_or_default();
        weekdays.push(Span::of(role, exactly(letter, BAR_WIDTH + 1)));
    }
    let today = sums[last];
    let named = format!(" {} {today}", store.text(TODAY_ID));
    let room = width.saturating_sub(lower.width());
    let today = first_fitting([named, format!(" {today}")], room);
    lower.push(Span::of(Role::Strong, today));
    let mut top = Line::of(Role::Dim, label);
    if let Some(day) = sums
        .iter()
        .position(|sum| *sum == highest_sum && *sum > Money::ZERO)
    {
        let text = store.with("strip-most", &[("sum", &highest_sum.to_string())]);
        let room = width.saturating_sub(left + columns(&text));
        top.push(Span::plain(" ".repeat(room.min(day * (BAR_WIDTH + 1)))));
        top.push(Span::of(Role::Text, text));
    }
    [top, upper, lower, weekdays]
}
