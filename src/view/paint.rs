//! Draws the items of a page row by row, using the colours of a theme.
//!
//! A [`RowPiece`] is the part of an item, such as a dialog box, that lies in one row. A row is
//! redrawn only if its pieces have changed, because nothing else affects how it looks.

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Span as Styled;
use ratatui::widgets::{Block, Widget};

use super::theme::{ColourDepth, Theme, is_light};
use super::{LinkedCells, PicturedCells, SpecialCells};
use crate::app::ui::picture::Picture;
use crate::app::ui::text::is_one_cell;
use crate::app::ui::{Area, Line, PageItem, Role, Span};

/// The part of a page item that lies in one row.
#[derive(Debug, Clone, Copy, PartialEq)]
enum RowPiece<'a> {
    Line(&'a Line, Area),
    Box(&'a Line, Area),
    Blank(Area),
    Faded(Area),
    Picture(&'a Picture),
}

impl<'a> RowPiece<'a> {
    /// The part of `item` in row `y`. Returns `None` if the item has no part there.
    fn of(item: &'a PageItem, y: u16) -> Option<RowPiece<'a>> {
        let row = |area: &Area| {
            Some(area.row(y.checked_sub(area.y)?)).filter(|row_area| row_area.height > 0)
        };
        Some(match item {
            PageItem::Lines(lines, area) => {
                let row = row(area)?;
                RowPiece::Line(lines.get(usize::from(y - area.y))?, row)
            }
            PageItem::Box(title, area) => row(area).map(|_| RowPiece::Box(title, *area))?,
            PageItem::Blank(area) => RowPiece::Blank(row(area)?),
            PageItem::Faded(area) => RowPiece::Faded(row(area)?),
            PageItem::Picture(picture) => row(&picture.area).map(|_| RowPiece::Picture(picture))?,
        })
    }
}

/// The numbers of the rows that differ between two pages. `rows` is the height of the pages.
pub(super) fn changed_rows(before: &[PageItem], after: &[PageItem], rows: u16) -> Vec<u16> {
    if before.len() != after.len() {
        return (0..rows)
            .filter(|y| !pieces(before, *y).eq(pieces(after, *y)))
            .collect();
    }
    // Compare only changed items row by row. Most items are unchanged and have the same index in
    // both pages.
    let changed: Vec<_> = before
        .iter()
        .zip(after)
        .filter(|(before, after)| before != after)
        .collect();
    (0..rows)
        .filter(|y| {
            let mut pairs = changed.iter();
            pairs.any(|(before, after)| RowPiece::of(before, *y) != RowPiece::of(after, *y))
        })
        .collect()
}

fn pieces(items: &[PageItem], y: u16) -> impl Iterator<Item = RowPiece<'_>> {
    items.iter().filter_map(move |item| RowPiece::of(item, y))
}

/// Draws one row of the page: the parts of all items that lie in the row of the buffer. Later items
/// cover earlier ones.
pub(super) fn row(
    items: &[PageItem],
    theme: &Theme,
    buffer: &mut Buffer,
    special: &mut SpecialCells,
) {
    let y = buffer.area.y;
    let mut own_links = Vec::new();
    let mut own_pictures = Vec::new();
    let blank = Style::reset().patch(theme.blank());
    buffer.set_style(buffer.area, blank);
    for piece in pieces(items, y) {
        if !matches!(piece, RowPiece::Line(..)) {
            // A text that another item covers, such as a box in front of the page, leads nowhere.
            own_links.clear();
        }
        match piece {
            RowPiece::Line(line, row) => {
                put_line_in_row(line, row, theme, buffer);
                own_links.extend(links_of(line, row));
            }
            RowPiece::Box(title, area) => {
                // A box clears the whole row.
                own_pictures.clear();
                draw_box_row(title, area, y, theme, buffer);
            }
            RowPiece::Blank(row) => clear_row(row, blank, buffer),
            RowPiece::Faded(row) => fade_row(row, theme, buffer),
            RowPiece::Picture(picture) => {
                draw_picture_row(picture, y, theme, buffer);
                own_pictures.push(PicturedCells {
                    row: y,
                    columns: picture.area.x..picture.area.right(),
                });
            }
        }
    }
    remove_blank_styles(&mut buffer.content, blank);
    special.links.extend(own_links);
    special.pictures.extend(own_pictures);
}

/// The cells of the texts in a line that lead to an address.
fn links_of(line: &Line, row: Area) -> impl Iterator<Item = LinkedCells> {
    let mut x = row.x;
    line.spans.iter().filter_map(move |span| {
        let start = x;
        let width = u16::try_from(span.width()).unwrap_or(u16::MAX);
        x = x.saturating_add(width).min(row.right());
        Some(LinkedCells {
            row: row.y,
            columns: start..x,
            address: span.link.clone()?,
        })
    })
}

/// Draws a line of text on its row.
///
/// Ratatui's `Paragraph` is not used, because it splits each line twice. That took a quarter of the
/// time for drawing a frame.
fn put_line_in_row(line: &Line, row: Area, theme: &Theme, buffer: &mut Buffer) {
    let row = Rect::from(row).intersection(buffer.area);
    let background = line_background(line, theme);
    if background.bg.is_some() {
        buffer.set_style(row, background);
    }
    put_line(line, (row.x, row.y), row.right(), theme, buffer);
}

/// Draws the spans of a line from a start position up to, but not including, column `end`.
fn put_line(line: &Line, (mut x, y): (u16, u16), end: u16, theme: &Theme, buffer: &mut Buffer) {
    let background = line_background(line, theme);
    for span in &line.spans {
        x = put_text(
            &span.text,
            (x, y),
            end,
            background.patch(style(span, theme)),
            buffer,
        );
    }
}

/// The background of a line as a style: a colour, or reverse video. Without both, the style
/// leaves the background of its cells unchanged.
fn line_background(line: &Line, theme: &Theme) -> Style {
    let style = role_style(line.under, theme);
    Style {
        bg: style.bg,
        // A theme without colours marks the row in reverse video.
        add_modifier: style.add_modifier & Modifier::REVERSED,
        ..Style::new()
    }
}

fn style(span: &Span, theme: &Theme) -> Style {
    role_style(span.role, theme).patch(role_style(span.over, theme))
}

fn role_style(role: Option<Role>, theme: &Theme) -> Style {
    role.map(|role| theme.style(role)).unwrap_or_default()
}

/// Draws a text from a start position up to, but not including, column `end`. Returns the column
/// after the text.
///
/// If every character takes one cell, ratatui's search for grapheme boundaries is skipped. That
/// search took a third of the time for drawing a frame.
fn put_text(text: &str, (x, y): (u16, u16), end: u16, style: Style, buffer: &mut Buffer) -> u16 {
    if !text.chars().all(is_one_cell) {
        return buffer
            .set_stringn(x, y, text, usize::from(end.saturating_sub(x)), style)
            .0;
    }
    let mut after = x;
    for (x, c) in (x..end).zip(text.chars()) {
        buffer[(x, y)].set_char(c).set_style(style);
        after = x + 1;
    }
    after
}

fn clear_row(row: Area, blank: Style, buffer: &mut Buffer) {
    let row = Rect::from(row).intersection(buffer.area);
    for x in row.left()..row.right() {
        buffer[(x, row.y)].set_symbol(" ").set_style(blank);
    }
}

/// Dims one row, so that the dialog box in front of it is easier to see.
fn fade_row(row: Area, theme: &Theme, buffer: &mut Buffer) {
    let faded = Style::reset()
        .patch(theme.blank())
        .patch(theme.style(Role::Dim));
    buffer.set_style(Rect::from(row).intersection(buffer.area), faded);
}

/// Draws one row of a dialog box, with its border and title. The box hides the page behind it.
fn draw_box_row(title: &Line, area: Area, y: u16, theme: &Theme, buffer: &mut Buffer) {
    let title = title
        .spans
        .iter()
        .map(|span| Styled::styled(&*span.text, style(span, theme)));
    let block = Block::bordered()
        .border_style(theme.style(Role::Rule))
        .title(ratatui::text::Line::from_iter(title));
    let area = Rect::from(area);
    let blank = Style::reset().patch(theme.blank());
    let mut whole_box = Buffer::empty(area);
    whole_box.set_style(area, blank);
    block.render(area, &mut whole_box);
    // Clear the row over its whole width, because parts of words beside the box would distract.
    clear_row(
        Area {
            x: 0,
            y,
            width: buffer.area.width,
            height: 1,
        },
        blank,
        buffer,
    );
    let row = Rect {
        y,
        height: 1,
        ..area
    }
    .intersection(buffer.area);
    for x in row.left()..row.right() {
        buffer[(x, y)] = whole_box[(x, y)].clone();
    }
}

/// The minimum length of a run of blank cells whose style is removed. For a shorter run, moving the
/// cursor past it would cost more than sending its cells.
const MIN_BLANK_RUN: usize = 3;

/// Removes invisible styles, such as bold, from runs of blank cells in a row. These cells then stay
/// the same when the cursor moves to another row, and need not be sent to the terminal.
fn remove_blank_styles(row: &mut [Cell], blank: Style) {
    let is_blank = |cell: &Cell| is_blank(cell, blank);
    for blanks in row.chunk_by_mut(|cell, next_cell| is_blank(cell) && is_blank(next_cell)) {
        if blanks.len() >= MIN_BLANK_RUN {
            for cell in blanks {
                cell.set_style(blank);
            }
        }
    }
}

/// True if the cell looks empty, so that the style of its text is invisible.
fn is_blank(cell: &Cell, blank: Style) -> bool {
    let visible = Modifier::UNDERLINED | Modifier::REVERSED | Modifier::CROSSED_OUT;
    cell.symbol() == " " && Some(cell.bg) == blank.bg && !cell.modifier.intersects(visible)
}

/// Black and white from the fixed part of the 256-colour palette. Users can redefine the first 16
/// colours, and terminals with only 256 colours show RGB colours incorrectly.
const BLACK: Color = Color::Indexed(16);
const WHITE: Color = Color::Indexed(231);

/// Draws one row of a QR code in black on white, because cameras cannot read other colours
/// reliably.
///
/// A terminal without colours shows the white parts in its text colour. If that colour is dark,
/// because the terminal reported a light background, the black parts are drawn instead. Without a
/// report the code may be inverted, and some cameras cannot read it.
fn draw_picture_row(picture: &Picture, y: u16, theme: &Theme, buffer: &mut Buffer) {
    let area = picture.area;
    let (white, black) = match theme.depth() {
        ColourDepth::Monochrome => (Color::Reset, Color::Reset),
        ColourDepth::Sixteen => (Color::White, Color::Black),
        ColourDepth::Indexed | ColourDepth::True => (WHITE, BLACK),
    };
    let draws_black =
        theme.depth() == ColourDepth::Monochrome && theme.ground().is_some_and(is_light);
    for column in 0..area.width {
        let Some(cell) = buffer.cell_mut((area.x + column, y)) else {
            continue;
        };
        let (upper, lower) = picture.halves(column, y - area.y);
        let (symbol, ink, paper) = match (upper != draws_black, lower != draws_black) {
            (true, true) if picture.is_ascii() => ("#", white, white),
            (true, true) => ("█", white, white),
            (true, false) => ("▀", white, black),
            (false, true) => ("▄", white, black),
            (false, false) => (" ", white, black),
        };
        cell.set_symbol(symbol)
            .set_style(Style::new().fg(ink).bg(paper));
    }
}

impl From<Area> for Rect {
    fn from(area: Area) -> Rect {
        Rect {
            x: area.x,
            y: area.y,
            width: area.width,
            height: area.height,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A regular expression for test texts: letters, the program's symbols, combining, wide and
    /// invisible characters, and parts of emoji.
    const TEXT: &str = "([ -~]|[\u{a0}-\u{ff}]|[─│▌●○✓…–↑↓]|\
        [á日\u{301}\u{200d}\u{fe0f}\u{ad}\n👩🏽🇧©])*";

    const ROLES: [Role; 4] = [Role::Text, Role::Money, Role::Badge, Role::Focus];

    proptest! {
        #[test]
        fn lines_are_drawn_as_ratatui_draws_them(
            texts in prop::collection::vec((TEXT, 0_usize..4), 0..4),
            width in 0_u16..24,
        ) {
            let theme = Theme::named("dark").unwrap();
            let styled = texts.iter().map(|(text, n)| Styled::styled(text, theme.style(ROLES[*n])));
            let background = Style::new().bg(theme.style(Role::Badge).bg.unwrap());
            let line = ratatui::text::Line::from_iter(styled).style(background);
            let spans = texts.iter().map(|(text, n)| Span::of(ROLES[*n], text));
            let spans = Line { spans: spans.collect(), under: Some(Role::Badge) };
            let mut actual = buffer();
            let mut expected = buffer();
            put_line(&spans, (2, 1), 2 + width, &theme, &mut actual);
            expected.set_line(2, 1, &line, width);
            prop_assert_eq!(actual, expected);
        }
    }

    fn buffer() -> Buffer {
        Buffer::filled(Rect::new(0, 0, 28, 3), ratatui::buffer::Cell::new("x"))
    }
}
