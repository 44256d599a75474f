//! The strip above the links of a large terminal: what they come to lately, and day by day.

use crate::app::Store;
use crate::app::ui::geometry::WIDE;
use crate::app::ui::parts::{put, rule};
use crate::app::ui::text::{columns, exactly, right};
use crate::app::ui::{Area, Line, Page, Role, Span};
use crate::trade::{FoundTotals, LinkFigures, LinkTotals, Money};
use crate::words::Words;

/// From so many rows on it leaves the list room enough.
const FROM_ROWS: u16 = 34;

/// A heading, three times, the days, and the line below them.
const ROWS: u16 = 6;

/// The columns of a day in the chart.
const DAY: usize = 2;

/// The ways in which the figures are written, each in fewer columns than the one before.
const WAYS: [FigureWriting; 3] = [
    FigureWriting { sum: |sum| sum.to_string(), heading: "strip-sum", gap: 2 },
    FigureWriting { sum: Money::figure, heading: "strip-sum-unit", gap: 2 },
    FigureWriting { sum: Money::figure, heading: "strip-sum-unit", gap: 1 },
];

/// One of them: what a sum looks like, the message above the first of them, and the columns between
/// two figures.
#[derive(Clone, Copy)]
struct FigureWriting {
    sum: fn(Money) -> String,
    heading: &'static str,
    gap: usize,
}

/// From nothing to the most, each higher than the one before.
const BARS: [&str; 8] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// Returns the rows it takes above the list; none without room for them, or figures of today.
///
/// It keeps them while figures are counted: the list below it must not jump with each letter.
pub fn rows(store: &Store, list: Area) -> u16 {
    let has_room = store.size.columns >= WIDE && store.size.rows >= FROM_ROWS;
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
    let inner = area.narrowed(1);
    let mut lines = table(say, figures, usize::from(inner.width));
    lines.push(chart(say, figures, usize::from(inner.width)));
    put(lines, inner, page);
}

/// The three times, a line each, below a heading: count and sum, and of that what is marked as
/// paid and what is not; in the first way that has room for all of it.
fn table(say: &Words, figures: &LinkFigures, width: usize) -> Vec<Line> {
    let rows = [
        ("strip-day", &figures.on_day),
        ("strip-week", &figures.on_week),
        ("strip-month", &figures.on_month),
    ];
    let names = rows.map(|(id, _)| say.text(id));
    let label = names.iter().map(|name| columns(name)).max().unwrap_or(0);
    let written = |way: FigureWriting| {
        let heads = ["strip-links", way.heading, "strip-marked", "strip-others"];
        let heads = heads.map(|id| say.text(id));
        let cells = rows.map(|(_, totals)| figures_of(totals, way));
        let wide = std::array::from_fn(|n| {
            let all = cells.iter().chain([&heads]).map(|cells| columns(&cells[n]));
            all.max().unwrap_or(0) + way.gap
        });
        StripTable { heads, cells, wide }
    };
    // Mostly the first: what is not looked at is not put together.
    let fits = |table: &StripTable| label + table.wide.iter().sum::<usize>() <= width;
    let mut tables = WAYS.into_iter().map(written);
    let table = tables.find(fits).unwrap_or_else(|| written(WAYS[WAYS.len() - 1]));
    let shown = table.shown(width.saturating_sub(label));
    let line = |name: &str, cells: &[String; 4], [first, others]: [Role; 2]| {
        let mut line = Line::of(Role::Dim, exactly(name, label));
        for (n, cell) in cells.iter().enumerate().take(shown) {
            let role = if n == 1 { first } else { others };
            line.push(Span::of(role, right(cell, table.wide[n])));
        }
        line
    };
    let mut heading = line("", &table.heads, [Role::Dim; 2]);
    if shown < table.heads.len() {
        heading.push(Span::of(Role::Dim, MORE));
    }
    let rows = names.iter().zip(&table.cells);
    let rows = rows.map(|(name, cells)| line(name, cells, [Role::Money, Role::Text]));
    std::iter::once(heading).chain(rows).collect()
}

/// The sign that some figures have no room.
const MORE: &str = " …";

/// The figures as they are written in one way, and the columns they take.
struct StripTable {
    heads: [String; 4],
    cells: [[String; 4]; 3],
    wide: [usize; 4],
}

impl StripTable {
    /// Counts the columns of figures that are shown in so much room; where that is not all of them,
    /// a sign behind them has room too.
    fn shown(&self, room: usize) -> usize {
        if self.wide.iter().sum::<usize>() <= room {
            return self.wide.len();
        }
        let ends = self.wide.iter().scan(columns(MORE), |end, wide| {
            *end += wide;
            Some(*end)
        });
        ends.take_while(|end| *end <= room).count()
    }
}

/// Count, sum, and what of it is marked and what is not.
fn figures_of(totals: &FoundTotals, way: FigureWriting) -> [String; 4] {
    let (count, sum) = match totals.together() {
        Some(all) => (all.count.to_string(), (way.sum)(all.sum)),
        None => ("?".to_owned(), "?".to_owned()),
    };
    [count, sum, (way.sum)(totals.paid.sum), (way.sum)(totals.unpaid.sum)]
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
