//! Tables: the rows of a list, in columns that adapt to the available width.
//!
//! Each column first gets its minimum width. The remaining width is given to the columns by
//! priority: first to the name and the customer, then to the state, then to the time. If even the
//! minimum widths do not fit, the columns with the lowest priority are left out.

use std::ops::Range;

use super::hits;
use super::list::{List, ListLine, ShownRows};
use super::list_pane::row_at;
use super::parts::{put, row};
use super::text::{align_right, columns as columns_of, exactly, fit};
use super::{Area, Line, Page, Role, Span, Target};

/// The minimum width of a wide list, in columns. It has a separate column for the buyer, the domain
/// or the fee.
pub const MIN_WIDE_LIST: usize = 97;

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

/// The lines of a table. The flag of each row is true if the cursor is on the row.
pub fn lines<C, R>(
    cx: &C,
    columns: &[Column<C, R>],
    rows: &[(&R, bool)],
    width: usize,
) -> Vec<Line> {
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
    let mut order: Vec<usize> = (0..fitted.len()).collect();
    order.sort_by_key(|index| fitted[*index].column.priority);
    for index in &order {
        fitted[*index].grow(cx, rows, &mut left);
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
    rows.iter()
        .enumerate()
        .map(|(index, (_, under_cursor))| line(&fitted, index, *under_cursor))
        .collect()
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
fn line<C, R>(fitted: &[FittedColumn<'_, C, R>], row_index: usize, under_cursor: bool) -> Line {
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
            ..*cell
        });
    }
    let state = spans.pop();
    let mut line = row(under_cursor, spans);
    line.spans.extend(state);
    line
}

/// Draws the visible rows of a list, and their headings. `row_role` returns the style of a
/// highlighted row, or `None`.
pub fn put_list<C, R>(
    cx: &C,
    (list, columns): (&List<R>, &[Column<C, R>]),
    ShownRows {
        area,
        lines: visible_lines,
        ..
    }: ShownRows,
    (heading, row_role): (
        impl Fn(ListLine, usize) -> Line,
        impl Fn(&R) -> Option<Role>,
    ),
    page: &mut Page,
) {
    // Leave the last column of the screen empty.
    let width = usize::from(area.width).saturating_sub(1);
    let rows = visible_lines.iter().filter_map(|line| {
        let n = line.row()?;
        Some((row_at(list, n)?, n == list.cursor))
    });
    let rows: Vec<_> = rows.collect();
    let row_lines = lines(cx, columns, &rows, width).into_iter().zip(&rows);
    let mut rows = row_lines.map(|(line, (row, _))| match row_role(row) {
        Some(role) => line.in_role(role),
        None => line,
    });
    let words = hits::words(list.query.value());
    row_targets(&visible_lines, area, page);
    let drawn_lines = visible_lines.into_iter().map(|line| {
        let line = match line.row() {
            Some(n) => row_at(list, n)
                .and_then(|_| rows.next())
                .unwrap_or_default(),
            None => heading(line, width + 1),
        };
        hits::underline_hits(line, &words)
    });
    put(drawn_lines.collect(), area, page);
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
}
