//! The small pieces that every screen is put together from.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Clear;

use super::text::{columns, exactly, wrap};
use super::{Look, Role};
use crate::app::action::Action;
use crate::app::geometry::{self, Area};
use crate::app::input::{Code, Key};
use crate::app::{Model, Wait};
use crate::trade::Untrusted;

/// Columns of an amount: `R$ 9.999.999.999,99`.
pub(super) const MONEY: usize = 19;

/// Lines that somebody else's words may fill: they must not push ours off the screen.
const MOST_QUOTED: usize = 4;

/// Columns of the labels in details.
pub(super) const LABEL: usize = 18;

/// Puts lines into an area, from its top.
///
/// Without the library's paragraph: that takes each line apart twice, a quarter of a frame's time.
pub(super) fn put(lines: Vec<Line<'static>>, area: Area, frame: &mut Frame) {
    let area = Rect::from(area).intersection(frame.area());
    for (line, y) in lines.iter().zip(area.top()..area.bottom()) {
        put_line(line, (area.x, y), area.right(), frame.buffer_mut());
    }
}

/// Puts a line into a row, up to a column.
fn put_line(line: &Line, (mut x, y): (u16, u16), end: u16, buffer: &mut Buffer) {
    for span in line {
        x = put_text(&span.content, (x, y), end, line.style.patch(span.style), buffer);
    }
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

/// Whether a character takes one cell, whatever of its like stands beside it: the letters of
/// Western Europe without the soft hyphen, and the line that our rules are made of.
fn is_one_cell(c: char) -> bool {
    matches!(c, ' '..='~' | '\u{a0}'..='\u{ac}' | '\u{ae}'..='\u{ff}' | '─')
}

/// Puts lines into an area; where they do not fit, the empty ones go first.
pub(super) fn put_tight(mut lines: Vec<Line<'static>>, area: Area, frame: &mut Frame) {
    if lines.len() > usize::from(area.height) {
        lines.retain(|line| line.width() > 0);
    }
    put(lines, area, frame);
}

/// The same, and where they still do not fit it says so in the place of what is not shown.
pub(super) fn put_or_say(
    look: &Look,
    mut lines: Vec<Line<'static>>,
    area: Area,
    frame: &mut Frame,
) {
    let rows = usize::from(area.height);
    if lines.len() > rows {
        lines.retain(|line| line.width() > 0);
    }
    if lines.len() > rows {
        lines.truncate(rows.saturating_sub(1));
        let more = super::text::fit(&look.say("more-below"), usize::from(area.width));
        lines.push(look.line(Role::Warn, more));
    }
    put(lines, area, frame);
}

/// Puts a line at the right end of an area.
pub(super) fn put_right(line: Line<'static>, area: Area, frame: &mut Frame) {
    let width = u16::try_from(line.width()).unwrap_or(u16::MAX);
    let (_, end) = area.split_left(area.width.saturating_sub(width));
    put(vec![line], end, frame);
}

/// A text in as many lines as it needs.
pub(super) fn wrapped(look: &Look, role: Role, text: &str, width: usize) -> Vec<Line<'static>> {
    wrap(text, width).into_iter().map(|line| look.line(role, line)).collect()
}

/// A label and its value; a value that is longer than the line goes on below itself, and a label
/// that would run into it stands on a line of its own.
pub(super) fn pair(look: &Look, label: &str, value: &str, width: usize) -> Vec<Line<'static>> {
    if columns(label) + 2 > LABEL {
        let mut lines = wrapped(look, Role::Dim, label, width);
        lines.extend(pair(look, "", value, width));
        return lines;
    }
    let room = width.saturating_sub(LABEL).max(1);
    let values = wrap(value, room);
    let labels = std::iter::once(label).chain(std::iter::repeat(""));
    values
        .into_iter()
        .zip(labels)
        .map(|(value, label)| {
            Line::from(vec![
                look.span(Role::Dim, exactly(label, LABEL)),
                look.span(Role::Text, value),
            ])
        })
        .collect()
}

/// A row of a list: the bar and the bold words say where the cursor is.
pub(super) fn row(look: &Look, under_cursor: bool, mut spans: Vec<Span<'static>>) -> Line<'static> {
    if !under_cursor {
        spans.insert(0, Span::raw(" "));
        return Line::from(spans);
    }
    let style = look.style(Role::Cursor);
    for span in &mut spans {
        span.style = span.style.patch(style);
    }
    spans.insert(0, look.span(Role::Accent, "▌"));
    Line::from(spans).style(style)
}

/// What is under way, for how long, and how to end the waiting.
pub(super) fn waiting(model: &Model, look: &Look, what: &str, wait: Wait) -> Line<'static> {
    let seconds = wait.seconds(model.now.boot_ms).to_string();
    let key = first_key(model, look, Action::Back);
    let values = [("what", what), ("seconds", &seconds), ("key", &key)];
    let text = look.words.with("wait-line", &values);
    look.line(Role::Dim, text)
}

/// Somebody else's words, labelled as theirs: `label` in ours, the words between their own marks.
pub(super) fn quoted(
    look: &Look,
    label: &str,
    words: &Untrusted,
    width: usize,
) -> Vec<Line<'static>> {
    let mut lines = vec![look.line(Role::Dim, label)];
    let room = width.saturating_sub(2);
    let shown = format!("\u{201c}{}\u{201d}", words.shown_within(room * MOST_QUOTED));
    for line in wrap(&shown, room).into_iter().take(MOST_QUOTED + 1) {
        lines.push(Line::from(vec![look.span(Role::Rule, "│ "), look.span(Role::Quote, line)]));
    }
    lines
}

/// One button in the middle of its area; brackets say that it has the focus, not only the colour.
pub(super) fn button(look: &Look, label: &str, focused: bool, area: Area, frame: &mut Frame) {
    let line = button_line(look, label, focused, usize::from(area.width));
    put_button(line, focused, area, frame);
}

/// A button that cannot be pressed yet.
pub(super) fn dead_button(look: &Look, label: &str, focused: bool, area: Area, frame: &mut Frame) {
    let label = super::text::fit(label, usize::from(area.width).saturating_sub(4));
    put_button(look.line(Role::Dim, format!("( {label} )")), focused, area, frame);
}

/// The cursor stands on the button with the focus, so that a screen reader does too.
fn put_button(line: Line<'static>, focused: bool, area: Area, frame: &mut Frame) {
    let width = u16::try_from(line.width()).unwrap_or(u16::MAX);
    let (_, place) = area.split_left(area.width.saturating_sub(width) / 2);
    put(vec![line], place, frame);
    if focused && area.height > 0 {
        let x = place.x.saturating_add(2).min(area.right().saturating_sub(1));
        frame.set_cursor_position((x, area.y));
    }
}

/// A button as a line.
pub(super) fn button_line(look: &Look, label: &str, focused: bool, width: usize) -> Line<'static> {
    let label = super::text::fit(label, width.saturating_sub(4));
    if focused {
        look.line(Role::Focus, format!("[ {label} ]"))
    } else {
        look.line(Role::Text, format!("  {label}  "))
    }
}

/// A box with a title over whatever is there; gives its inside.
pub(super) fn boxed(look: &Look, title: &str, area: Area, frame: &mut Frame) -> Area {
    use ratatui::widgets::Block;
    // The rows are cleared in their whole width: half words beside a box are noise.
    let whole = frame.area().width;
    frame.render_widget(Clear, Rect::from(Area { x: 0, width: whole, ..area }));
    let title = super::text::fit(title, usize::from(area.width).saturating_sub(4));
    let block = Block::bordered()
        .border_style(look.style(Role::Rule))
        .title(look.span(Role::Title, format!(" {title} ")));
    frame.render_widget(block, Rect::from(area));
    geometry::inside(area)
}

/// A key as it is shown: arrows are arrows where the font has them.
pub(super) fn key_name(look: &Look, key: Key) -> String {
    let arrow = match key.code {
        Code::Up => "↑",
        Code::Down => "↓",
        Code::Left => "←",
        Code::Right => "→",
        _ => return key.to_string(),
    };
    if look.ascii || key.ctrl || key.alt { key.to_string() } else { arrow.to_owned() }
}

/// The first key of an action; empty when it has none.
pub(super) fn first_key(model: &Model, look: &Look, action: Action) -> String {
    let key = model.setup.keys.keys(action).first();
    key.map(|key| key_name(look, *key)).unwrap_or_default()
}

/// A line across an area.
pub(super) fn rule(look: &Look, area: Area, frame: &mut Frame) {
    let line = look.line(Role::Rule, "─".repeat(usize::from(area.width)));
    put(vec![line], area, frame);
}

/// The first line of a screen: what it is, and something about it at the right.
pub(super) fn title(look: &Look, text: &str, aside: Line<'static>, area: Area, frame: &mut Frame) {
    let text = super::text::fit(text, usize::from(area.width).saturating_sub(2));
    first_line(look.line(Role::Title, format!(" {text}")), aside, area, frame);
}

/// A first line and something at its right; in the empty line below, where both have no room.
pub(super) fn first_line(line: Line<'static>, aside: Line<'static>, area: Area, frame: &mut Frame) {
    let has_room = line.width() + 2 + aside.width() < usize::from(area.width);
    put(vec![line], area.row(0), frame);
    put_right(aside, area.row(u16::from(!has_room)).without_right(1), frame);
}

/// Text of many lines where nothing is: what a pane is for, while it is empty.
pub(super) fn empty(look: &Look, paragraphs: &[String], area: Area, frame: &mut Frame) {
    let area = area.narrowed(2);
    let mut lines = Vec::new();
    for paragraph in paragraphs {
        lines.push(Line::default());
        lines.extend(wrapped(look, Role::Text, paragraph, usize::from(area.width)));
    }
    put(lines, area, frame);
}

/// The search field of a list, and at the right how many rows there are.
pub(super) fn search(
    look: &Look,
    query: &tui_input::Input,
    searching: bool,
    count: &str,
    area: Area,
    frame: &mut Frame,
) {
    let field = area.row(0);
    let room = usize::from(field.width).saturating_sub(columns(count) + 6);
    let typed = Untrusted::from(query.value()).shown_within(room);
    let line = if !searching && query.value().is_empty() {
        look.line(Role::Dim, format!(" / {}", look.say("search-hint")))
    } else {
        Line::from(vec![look.span(Role::Key, " / "), look.span(Role::Field, typed)])
    };
    put(vec![line], field, frame);
    put_right(look.line(Role::Dim, count.to_owned()), field.without_right(1), frame);
    if searching && field.height > 0 {
        let cursor = query.visual_cursor().min(room);
        frame.set_cursor_position((field.x + 3 + u16::try_from(cursor).unwrap_or(0), field.y));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ratatui::style::Color;

    use super::*;

    /// Letters, what combines with them, wide ones, invisible ones, and parts of one picture.
    const TEXT: &str = "([ -~]|[\u{a0}-\u{ff}]|[─á日\u{301}\u{200d}\u{fe0f}\u{ad}\n👩🏽🇧©])*";

    proptest! {
        #[test]
        fn lines_are_put_as_the_library_puts_them(
            texts in prop::collection::vec((TEXT, 0_u8..4), 0..4),
            width in 0_u16..24,
        ) {
            let styled = |(text, color): (String, u8)| {
                Span::styled(text, Style::new().fg(Color::Indexed(color)))
            };
            let line = Line::from_iter(texts.into_iter().map(styled)).style(Color::Red);
            let (mut ours, mut theirs) = (buffer(), buffer());
            put_line(&line, (2, 1), 2 + width, &mut ours);
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
