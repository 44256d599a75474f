//! Tables: the rows of a list, in columns that adapt to the available width.
//!
//! Each column first gets its minimum width. The remaining width is given to the columns by
//! priority: first to the name and the customer, then to the state, then to the time. If even the
//! minimum widths do not fit, the columns with the lowest priority are left out.

use std::ops::Range;

use compact_str::CompactString;

use super::hits;
use super::list::{List, ListLine, ShownRows};
use super::list_pane::row_at;
use super::parts::{put, row};
use super::text::{align_right, columns as columns_of, exactly, fit};
use super::{Area, Line, Page, Role, Span, Target};
use crate::trade::search::reading;

/// The minimum width of a wide list, in columns. It has a separate column for the buyer, the domain
/// or the fee.
pub const MIN_WIDE_LIST: usize = 97;

/// The gap between amounts and the descriptions after them, in columns.
pub const TEXT_GAP: usize = 3;

/// A function that returns the text of a table cell. The last argument is the maximum width of the
/// text, in columns.
pub type CellText<C, R> = fn(&C, &R, usize) -> Span;

/// A column of a table. `R` is the type of a row, and `C` is the data that is needed to format it.
pub struct Column<C: 'static, R: 'static> {
    /// The possible formats of a cell, from the widest to the narrowest. Only a text in the
    /// narrowest format may be cut.
    pub alternatives: &'static [CellText<C, R>],
    /// The priority of the column. Remaining width is given to columns with priority 0 first.
    pub priority: u8,
    /// The minimum width of the column. Cells that are not wider are never cut. If the minimum is
    /// 0, the column is shown only if it fits completely.
    pub min_width: usize,
    /// The column is padded to this width if there is room, so that most lists look alike.
    pub padded_width: usize,
    /// The number of empty columns before this column.
    pub gap: usize,
    /// The column is shown only in tables whose width is in this range.
    pub widths: Range<usize>,
    /// True if the cells are right-aligned, as is usual for figures.
    pub is_right: bool,
    /// True if the column takes all the width that is left.
    pub fills: bool,
}

impl<C, R> Column<C, R> {
    /// Creates a column whose cells are never cut.
    pub const fn new(priority: u8, alternatives: &'static [CellText<C, R>]) -> Self {
        let least = usize::MAX;
        let widths = 0..usize::MAX;
        let is_right = false;
        let fills = false;
        Column {
            alternatives,
            priority,
            min_width: least,
            padded_width: 0,
            gap: 2,
            widths,
            is_right,
            fills,
        }
    }
}

/// A column, with the texts of its cells in the format that fits the column's current width.
struct FittedColumn<'t, C: 'static, R: 'static> {
    column: &'t Column<C, R>,
    cells: Vec<Span>,
    /// The width of the widest cell.
    widest: usize,
    width: usize,
}

impl<'t, C, R> FittedColumn<'t, C, R> {
    /// The column at its minimum width, with its cells in the narrowest format. Returns `None` if
    /// all cells are empty.
    fn at_min_width(cx: &C, column: &'t Column<C, R>, rows: &[(&R, bool)]) -> Option<Self> {
        let mut fitted = FittedColumn {
            column,
            cells: vec![],
            widest: 0,
            width: 0,
        };
        fitted.write_cells(cx, rows, *column.alternatives.last()?, usize::MAX);
        fitted.width = fitted.widest.min(column.min_width);
        (fitted.widest > 0).then_some(fitted)
    }

    fn write_cells(
        &mut self,
        cx: &C,
        rows: &[(&R, bool)],
        format: CellText<C, R>,
        max_width: usize,
    ) {
        self.cells = rows
            .iter()
            .map(|(row, _)| format(cx, row, max_width))
            .collect();
        self.widest = self.cells.iter().map(Span::width).max().unwrap_or(0);
    }

    /// Makes the column as wide as its cells need, but at most `left` columns wider than before.
    fn grow(&mut self, cx: &C, rows: &[(&R, bool)], left: &mut usize) {
        if self.width == 0 {
            let needed = self.widest + self.column.gap;
            if let Some(left_over) = left.checked_sub(needed) {
                (self.width, *left) = (self.widest, left_over);
            }
            return;
        }
        let room = self.width + *left;
        if let [wider_formats @ .., narrowest] = self.column.alternatives {
            let has_fitting_format = wider_formats.iter().any(|format| {
                self.write_cells(cx, rows, *format, usize::MAX);
                self.widest <= room
            });
            if !has_fitting_format && (!wider_formats.is_empty() || self.widest > room) {
                self.write_cells(cx, rows, *narrowest, room);
            }
        }
        self.width = self.widest.min(room);
        *left = room - self.width;
    }
}

/// The prominence of a row among the other rows of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowWeight {
    /// Nothing is left to do. The row is dim, except for the sign of its state.
    Done,
    Plain,
    /// The seller may have to do something. The row is bold.
    Strong,
    /// The row has just changed.
    New,
}

impl RowWeight {
    fn apply(self, span: &mut Span) {
        match self {
            RowWeight::Done => (span.role, span.over) = (Some(Role::Dim), None),
            RowWeight::Strong if span.role != Some(Role::Dim) => {
                span.over.get_or_insert(Role::Strong);
            }
            RowWeight::Plain | RowWeight::Strong | RowWeight::New => {}
        }
    }

    /// The cell with the state of a row: a sign and words.
    fn state(self, mut state: Span) -> Vec<Span> {
        if self == RowWeight::Done {
            return dim_after_sign(state).into();
        }
        self.apply(&mut state);
        vec![state]
    }
}

/// Divides a text into its sign, such as `✓`, and its words, which become dim.
pub fn dim_after_sign(text: Span) -> [Span; 2] {
    let start = text.text.len() - text.text.trim_start().len();
    let sign_len = text.text[start..].find(' ').unwrap_or(0);
    let (sign, words) = text.text.split_at(start + sign_len);
    let words = Span::of(Role::Dim, words);
    let sign = Span {
        text: sign.into(),
        ..text
    };
    [sign, words]
}

/// The heading of a day or of a group of rows. Its figures are placed under those of the rows.
#[derive(Debug, Default)]
pub struct Heading {
    pub name: Span,
    /// The sum of the rows, which ends where the first right-aligned column ends.
    pub sum: Option<Span>,
    /// The number of rows, which begins [`TEXT_GAP`] columns after the sum.
    pub count: CompactString,
    /// The text at the right edge.
    pub end: Line,
}

/// The minimum gap between two texts of a heading, in columns.
const HEADING_GAP: usize = 2;

impl Heading {
    /// The number of columns that the name and the sum need.
    fn width_to_sum(&self) -> usize {
        let sum = self.sum.as_ref();
        sum.map_or(0, |sum| self.name.width() + HEADING_GAP + sum.width())
    }

    /// Lays out the heading for a table in which the sum ends at column `sum_end`. A text without
    /// room is left out.
    fn line(self, sum_end: usize, width: usize) -> Line {
        let count_start = sum_end + TEXT_GAP;
        let mut line = Line::from(vec![Span::plain(" "), self.name]);
        let end_start = width.saturating_sub(self.end.width());
        if let Some(sum) = self.sum {
            put_at(&mut line, sum_end.saturating_sub(sum.width()), vec![sum]);
        }
        if count_start + columns_of(&self.count) + HEADING_GAP <= end_start {
            put_at(
                &mut line,
                count_start,
                vec![Span::of(Role::Dim, self.count)],
            );
        }
        put_at(&mut line, end_start, self.end.spans);
        line
    }
}

/// Appends texts at this column of a line, if there is a gap before it.
fn put_at(line: &mut Line, column: usize, spans: Vec<Span>) {
    let gap = column.saturating_sub(line.width());
    if gap >= HEADING_GAP {
        line.push(Span::plain(" ".repeat(gap)));
        line.spans.extend(spans);
    }
}

/// The lines of a table. The flag of each row is true if the cursor is on the row.
pub fn lines<C, R>(
    cx: &C,
    columns: &[Column<C, R>],
    rows: &[(&R, bool)],
    width: usize,
) -> Vec<Line> {
    let fitted = fit_columns(cx, columns, rows, (0, width));
    rows.iter()
        .enumerate()
        .map(|(index, (_, under_cursor))| line(&fitted, index, *under_cursor, RowWeight::Plain))
        .collect()
}

/// Computes the widths of the columns. The first right-aligned column ends after at least
/// `width_to_sum` columns, so that a heading has room for its name and the sum in this column. Its
/// padding does not depend on the other cells, so that figures stay in place when a list scrolls.
fn fit_columns<'t, C, R>(
    cx: &C,
    columns: &'t [Column<C, R>],
    rows: &[(&R, bool)],
    (width_to_sum, width): (usize, usize),
) -> Vec<FittedColumn<'t, C, R>> {
    // The cursor bar takes the column before the first column of the table.
    let width = width.saturating_sub(1);
    let columns_shown = columns
        .iter()
        .filter(|column| column.widths.contains(&width));
    let mut fitted: Vec<_> = columns_shown
        .filter_map(|column| FittedColumn::at_min_width(cx, column, rows))
        .collect();
    while used_width(&fitted) > width
        && fitted.len() > 1
        && let Some(lowest_priority) = fitted.iter().map(|entry| entry.column.priority).max()
    {
        fitted.retain(|entry| entry.column.priority < lowest_priority);
    }
    let mut left = width.saturating_sub(used_width(&fitted));
    let sum_column = fitted.iter().position(|entry| entry.column.is_right);
    let widening = sum_column.map_or(0, |index| {
        let FittedColumn { column, width, .. } = &fitted[index];
        let padding = column.padded_width.saturating_sub(*width);
        let needed = width_to_sum.saturating_sub(used_width(&fitted[..=index]));
        needed.max(padding).min(left)
    });
    left -= widening;
    let mut order: Vec<usize> = (0..fitted.len()).collect();
    order.sort_by_key(|index| fitted[*index].column.priority);
    for index in &order {
        fitted[*index].grow(cx, rows, &mut left);
    }
    if let Some(index) = sum_column {
        fitted[index].width += widening;
    }
    for index in order {
        let entry = &mut fitted[index];
        let padding = entry
            .column
            .padded_width
            .saturating_sub(entry.width)
            .min(left);
        (entry.width, left) = (entry.width + padding, left - padding);
    }
    if let Some(entry) = fitted.iter_mut().find(|entry| entry.column.fills) {
        entry.width += left;
    }
    fitted.retain(|entry| entry.width > 0);
    fitted
}

/// The width of the shown columns with the gaps between them.
fn used_width<C, R>(fitted: &[FittedColumn<'_, C, R>]) -> usize {
    let shown_columns = fitted.iter().filter(|entry| entry.width > 0);
    let first_gap = fitted.first().map_or(0, |entry| entry.column.gap);
    shown_columns
        .map(|entry| entry.width + entry.column.gap)
        .sum::<usize>()
        .saturating_sub(first_gap)
}

/// The line of a row. The last cell shows the state of an item, so it keeps its own style even
/// under the cursor.
fn line<C, R>(
    fitted: &[FittedColumn<'_, C, R>],
    row_index: usize,
    under_cursor: bool,
    weight: RowWeight,
) -> Line {
    let mut spans = Vec::with_capacity(fitted.len() + 1);
    for (entry, number) in fitted.iter().zip(1..) {
        let column = entry.column;
        let cell = &entry.cells[row_index];
        let is_padded = !column.is_right && number < fitted.len();
        let pad = if is_padded { exactly } else { fit };
        let text = pad(&cell.text, entry.width);
        let gap = if number > 1 { column.gap } else { 0 };
        let end = if column.is_right {
            entry.width
        } else {
            columns_of(&text)
        };
        spans.push(Span {
            text: align_right(&text, gap + end),
            ..cell.clone()
        });
    }
    let state = spans.pop();
    if !under_cursor {
        spans.iter_mut().for_each(|span| weight.apply(span));
    }
    let mut line = row(under_cursor, spans);
    line.spans
        .extend(state.into_iter().flat_map(|state| weight.state(state)));
    if weight == RowWeight::New {
        return line.in_role(Role::Badge);
    }
    line
}

/// Draws the visible rows of a list, and their headings.
pub fn put_list<C, R>(
    cx: &C,
    (list, columns): (&List<R>, &[Column<C, R>]),
    ShownRows {
        area,
        lines: visible_lines,
        ..
    }: ShownRows,
    (heading, weight): (impl Fn(ListLine) -> Heading, impl Fn(&R) -> RowWeight),
    page: &mut Page,
) {
    // Leave the last column of the screen empty.
    let width = usize::from(area.width).saturating_sub(1);
    let rows = visible_lines.iter().filter_map(|line| {
        let n = line.row()?;
        Some((row_at(list, n)?, n == list.cursor))
    });
    let rows: Vec<_> = rows.collect();
    let headings = visible_lines.iter().filter(|line| line.row().is_none());
    let headings: Vec<_> = headings.map(|line| heading(*line)).collect();
    let widths_to_sum = headings.iter().map(Heading::width_to_sum);
    let width_to_sum = widths_to_sum.max().unwrap_or(0);
    let fitted = fit_columns(cx, columns, &rows, (width_to_sum, width));
    let sum_end = sum_end(&fitted);
    let mut headings = headings
        .into_iter()
        .map(|heading| heading.line(sum_end, width));
    let mut rows = rows
        .iter()
        .enumerate()
        .map(|(n, (row, under_cursor))| line(&fitted, n, *under_cursor, weight(row)));
    // A number of a period or amount is no hit in other texts.
    let words = if list.reading.is_empty() {
        hits::words(list.query.value())
    } else {
        hits::words(&reading::words(list.query.value()))
    };
    row_targets(&visible_lines, area, page);
    let drawn_lines = visible_lines.into_iter().map(|line| {
        let line = match line.row() {
            Some(n) => row_at(list, n)
                .and_then(|_| rows.next())
                .unwrap_or_default(),
            None => headings.next().unwrap_or_default(),
        };
        hits::underline_hits(line, &words)
    });
    put(drawn_lines.collect(), area, page);
}

/// The column of the screen at which the sum of a heading ends.
fn sum_end<C, R>(fitted: &[FittedColumn<'_, C, R>]) -> usize {
    let sum_column = fitted.iter().position(|entry| entry.column.is_right);
    sum_column.map_or(0, |index| 1 + used_width(&fitted[..=index]))
}

/// Draws the visible rows of a short list that is fully loaded. The words of its search are
/// underlined.
pub fn put_short_list<'r, C, R>(
    cx: &C,
    (columns, row): (&[Column<C, R>], impl Fn(usize) -> Option<(&'r R, bool)>),
    shown: ShownRows,
    words: &[String],
    page: &mut Page,
) {
    let rows: Vec<_> = shown.rows().filter_map(row).collect();
    row_targets(&shown.lines, shown.area, page);
    let width = usize::from(shown.area.width).saturating_sub(1);
    let rows = lines(cx, columns, &rows, width).into_iter();
    put(
        rows.map(|line| hits::underline_hits(line, words)).collect(),
        shown.area,
        page,
    );
}

/// Makes the rows of a list clickable.
fn row_targets(lines: &[ListLine], area: Area, page: &mut Page) {
    for (line, n) in lines.iter().zip(0..) {
        if let Some(row) = line.row() {
            page.add_click_target(area.row(n), Target::Row(row));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Row = (&'static str, &'static str, &'static str);

    fn when(_: &(), sale: &Row, _: usize) -> Span {
        Span::of(Role::Dim, sale.0)
    }

    fn hour(_: &(), sale: &Row, _: usize) -> Span {
        Span::of(Role::Dim, &sale.0[..2])
    }

    fn amount(_: &(), sale: &Row, _: usize) -> Span {
        Span::of(Role::Money, sale.1)
    }

    fn customer(_: &(), sale: &Row, room: usize) -> Span {
        Span::of(Role::Text, fit(sale.2, room))
    }

    const COLUMNS: [Column<(), Row>; 3] = [
        Column::new(2, &[when, hour]),
        Column {
            is_right: true,
            ..Column::new(0, &[amount])
        },
        Column {
            min_width: 4,
            fills: true,
            ..Column::new(1, &[customer])
        },
    ];

    #[test]
    fn room_goes_to_the_most_important_column_first() {
        let rows = [("10:42", "9,90", "Ana Maria"), ("09:12", "10,00", "Rui")];
        let table_text = |width| {
            let rows = [(&rows[0], true), (&rows[1], false)];
            lines(&(), &COLUMNS, &rows, width)
                .iter()
                .map(Line::to_string)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            table_text(24),
            ["▌10:42   9,90  Ana Maria", " 09:12  10,00  Rui"]
        );
        assert_eq!(table_text(23), ["▌10   9,90  Ana Maria", " 09  10,00  Rui"]);
        assert_eq!(
            table_text(17),
            ["▌10   9,90  Ana …", " 09  10,00  Rui"],
            "as much as there is"
        );
        assert_eq!(
            table_text(15),
            ["▌ 9,90  Ana Ma…", " 10,00  Rui"],
            "the time goes"
        );
        assert_eq!(table_text(10), ["▌ 9,90", " 10,00"], "and then who");
    }

    fn style(span: &Span) -> (Option<Role>, Option<Role>) {
        (span.role, span.over)
    }

    /// The styles of the cells of a row in this list. The last cell is a paid state.
    fn row_styles(weight: RowWeight, under_cursor: bool) -> Vec<(Option<Role>, Option<Role>)> {
        const STATES: [Column<(), Row>; 3] = [
            Column::new(2, &[when]),
            Column {
                fills: true,
                ..Column::new(1, &[customer])
            },
            Column::new(0, &[|_, sale, _| Span::of(Role::Good, sale.1)]),
        ];
        let row = ("10:42", "✓ pago (sandbox)", "Ana");
        let rows = [(&row, under_cursor)];
        let fitted = fit_columns(&(), &STATES, &rows, (0, 60));
        let line = line(&fitted, 0, under_cursor, weight);
        assert!(line.to_string().ends_with("  ✓ pago (sandbox)"), "{line}");
        line.spans[1..].iter().map(style).collect()
    }

    #[test]
    fn weight_styles_all_cells_of_a_row() {
        let [dim, text, good] = [Role::Dim, Role::Text, Role::Good].map(Some);
        let strong = Some(Role::Strong);
        let badge = Some(Role::Badge);
        assert_eq!(
            row_styles(RowWeight::Plain, false),
            [(dim, None), (text, None), (good, None)]
        );
        assert_eq!(
            row_styles(RowWeight::Done, false),
            [(dim, None), (dim, None), (good, None), (dim, None)],
            "only the sign keeps its colour"
        );
        assert_eq!(
            row_styles(RowWeight::Strong, false),
            [(dim, None), (text, strong), (good, strong)]
        );
        assert_eq!(
            row_styles(RowWeight::New, false),
            [(dim, badge), (text, badge), (good, badge)]
        );
        let cursor = Some(Role::Cursor);
        assert_eq!(
            row_styles(RowWeight::Done, true),
            [(dim, cursor), (text, cursor), (good, None), (dim, None)],
            "the row under the cursor stays bright"
        );
    }

    #[test]
    fn heading_makes_room_for_its_sum() {
        const SALES: [Column<(), Row>; 3] = {
            let [_, amounts, mut customers] = COLUMNS;
            customers.gap = TEXT_GAP;
            [Column::new(2, &[when]), amounts, customers]
        };
        let rows = [("10:42", "9,90", "Ana Maria")];
        let rows = [(&rows[0], false)];
        let heading = |name: &str, sum: &str| Heading {
            sum: Some(Span::plain(sum)),
            count: "1 link".into(),
            end: Line::of(Role::Good, "✓ pago"),
            name: Span::plain(name),
        };
        let table_text = |heading: Heading, width| {
            let fitted = fit_columns(&(), &SALES, &rows, (heading.width_to_sum(), width));
            let heading = heading.line(sum_end(&fitted), width);
            [heading, line(&fitted, 0, false, RowWeight::Plain)].map(|line| line.to_string())
        };
        assert_eq!(
            table_text(heading("hoje", "8,50"), 40),
            [
                " hoje   8,50   1 link             ✓ pago",
                " 10:42  9,90   Ana Maria"
            ]
        );
        assert_eq!(
            table_text(heading("28/11/2025", "1.234,56"), 40),
            [
                " 28/11/2025  1.234,56   1 link    ✓ pago",
                " 10:42           9,90   Ana Maria"
            ]
        );
        assert_eq!(
            table_text(heading("hoje", "8,50"), 27),
            [" hoje   8,50         ✓ pago", " 10:42  9,90   Ana Maria"],
            "no room for the number of links"
        );
    }
}
