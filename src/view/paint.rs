//! Paints a page into the terminal's buffer, with a theme.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::text::Span as Styled;
use ratatui::widgets::{Block, Clear};

use super::theme::Theme;
use crate::app::ui::picture::Picture;
use crate::app::ui::{Area, Line, Page, PageItem, Role, Span};

/// Paints everything on a page, one thing over the other.
pub(super) fn page(page: &Page, theme: &Theme, frame: &mut Frame) {
    for item in &page.items {
        match item {
            PageItem::Lines(lines, area) => put(lines, *area, theme, frame),
            PageItem::Box(title, area) => boxed(title, *area, theme, frame),
            PageItem::Blank(area) => frame.render_widget(Clear, Rect::from(*area)),
            PageItem::Faded(area) => fade(*area, theme, frame.buffer_mut()),
            PageItem::Picture(picture) => draw(picture, frame.buffer_mut()),
        }
    }
    if let Some(cell) = page.cursor {
        frame.set_cursor_position(cell);
    }
}

/// Puts lines into an area, from its top.
///
/// Without the library's paragraph: that takes each line apart twice, a quarter of a frame's time.
fn put(lines: &[Line], area: Area, theme: &Theme, frame: &mut Frame) {
    let area = Rect::from(area).intersection(frame.area());
    for (line, y) in lines.iter().zip(area.top()..area.bottom()) {
        ground(line, Rect { y, height: 1, ..area }, theme, frame.buffer_mut());
        put_line(line, (area.x, y), area.right(), theme, frame.buffer_mut());
    }
}

/// Gives a line that has a ground of its own that ground up to the end of its place.
///
/// Without a colour nothing is to be seen there, and nothing is sent.
fn ground(line: &Line, row: Rect, theme: &Theme, buffer: &mut Buffer) {
    if let Some(ground) = role_style(line.under, theme).bg {
        buffer.set_style(row, Style::new().bg(ground));
    }
}

/// Puts a line into a row, up to a column.
fn put_line(line: &Line, (mut x, y): (u16, u16), end: u16, theme: &Theme, buffer: &mut Buffer) {
    let under = role_style(line.under, theme);
    for span in &line.spans {
        x = put_text(&span.text, (x, y), end, under.patch(style(span, theme)), buffer);
    }
}

fn style(span: &Span, theme: &Theme) -> Style {
    role_style(span.role, theme).patch(role_style(span.over, theme))
}

fn role_style(role: Option<Role>, theme: &Theme) -> Style {
    role.map(|role| theme.style(role)).unwrap_or_default()
}

/// Puts a text into a row, up to a column; gives the column after it.
///
/// The library looks where each character that a person sees begins and ends. Where all are one
/// cell by themselves that is known, and looking for it was a third of a frame's work.
fn put_text(text: &str, (x, y): (u16, u16), end: u16, style: Style, buffer: &mut Buffer) -> u16 {
    if !text.chars().all(is_one_cell) {
        return buffer.set_stringn(x, y, text, usize::from(end.saturating_sub(x)), style).0;
    }
    let mut after = x;
    for (x, c) in (x..end).zip(text.chars()) {
        buffer[(x, y)].set_char(c).set_style(style);
        after = x + 1;
    }
    after
}

/// Returns true when a character takes one cell, whatever stands beside it: the letters of Western
/// Europe without the soft hyphen, and the line that our rules are made of.
fn is_one_cell(c: char) -> bool {
    matches!(c, ' '..='~' | '\u{a0}'..='\u{ac}' | '\u{ae}'..='\u{ff}' | '─')
}

/// Takes weight and colour from what is there: the eye goes to what lies over it.
fn fade(area: Area, theme: &Theme, buffer: &mut Buffer) {
    let faded = Style::reset().patch(theme.style(Role::Dim));
    buffer.set_style(Rect::from(area).intersection(buffer.area), faded);
}

/// A border with a title over whatever is there.
fn boxed(title: &Line, area: Area, theme: &Theme, frame: &mut Frame) {
    // The rows are cleared in their whole width: half words beside a box are noise.
    let whole = frame.area().width;
    frame.render_widget(Clear, Rect::from(Area { x: 0, width: whole, ..area }));
    let title = title.spans.iter().map(|span| Styled::styled(&*span.text, style(span, theme)));
    let block = Block::bordered()
        .border_style(theme.style(Role::Rule))
        .title(ratatui::text::Line::from_iter(title));
    frame.render_widget(block, Rect::from(area));
}

/// Of the 256 colours: the first 16 are what the terminal's owner wants them to be, and a terminal
/// that knows no more than 256 makes anything of others.
const BLACK: Color = Color::Indexed(16);
const WHITE: Color = Color::Indexed(231);

/// A QR code: always black on white, whatever the theme, or cameras do not read it.
///
/// The characters show the code too, white as ink: where a terminal has no colours, or is asked for
/// none, it is still there. On a light terminal its ink is dark then: the code is inverted, and not
/// every camera reads it.
fn draw(picture: &Picture, buffer: &mut Buffer) {
    let place = picture.area;
    for row in 0..place.height {
        for column in 0..place.width {
            let at = (place.x + column, place.y + row);
            let Some(cell) = buffer.cell_mut(at) else { continue };
            let (symbol, ink, paper) = match picture.halves(column, row) {
                (true, true) if picture.is_ascii() => ("#", WHITE, WHITE),
                (true, true) => ("█", WHITE, WHITE),
                (true, false) => ("▀", WHITE, BLACK),
                (false, true) => ("▄", WHITE, BLACK),
                (false, false) => (" ", WHITE, BLACK),
            };
            cell.set_symbol(symbol).set_style(Style::new().fg(ink).bg(paper));
        }
    }
}

impl From<Area> for Rect {
    fn from(area: Area) -> Rect {
        Rect { x: area.x, y: area.y, width: area.width, height: area.height }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Letters, what combines with them, wide ones, invisible ones, and parts of one picture.
    const TEXT: &str = "([ -~]|[\u{a0}-\u{ff}]|[─á日\u{301}\u{200d}\u{fe0f}\u{ad}\n👩🏽🇧©])*";

    const ROLES: [Role; 4] = [Role::Text, Role::Money, Role::Badge, Role::Focus];

    proptest! {
        #[test]
        fn lines_are_put_as_the_library_puts_them(
            texts in prop::collection::vec((TEXT, 0_usize..4), 0..4),
            width in 0_u16..24,
        ) {
            let theme = Theme::named("dark").unwrap();
            let styled = texts.iter().map(|(text, n)| Styled::styled(text, theme.style(ROLES[*n])));
            let line = ratatui::text::Line::from_iter(styled).style(theme.style(Role::Bad));
            let spans = texts.iter().map(|(text, n)| Span::of(ROLES[*n], text));
            let spans = Line { spans: spans.collect(), under: Some(Role::Bad) };
            let (mut ours, mut theirs) = (buffer(), buffer());
            put_line(&spans, (2, 1), 2 + width, &theme, &mut ours);
            theirs.set_line(2, 1, &line, width);
            prop_assert_eq!(ours, theirs);
        }
    }

    fn buffer() -> Buffer {
        Buffer::filled(Rect::new(0, 0, 28, 3), ratatui::buffer::Cell::new("x"))
    }

    #[test]
    fn what_is_one_cell_is_one_column() {
        use unicode_width::UnicodeWidthChar;
        let all = ('\0'..='\u{ffff}').filter(|c| is_one_cell(*c));
        assert!(all.clone().count() > 180);
        assert!(all.into_iter().all(|c| c.width() == Some(1)));
    }
}
