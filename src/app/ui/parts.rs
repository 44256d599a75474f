//! The small pieces that every screen is put together from.

use crate::app::Wait;
use crate::app::ui::text::{columns, exactly, fit, widest_word, wrap};
use crate::app::ui::{Action, Area, Line, Page, PageItem, Reader, Role, Span, geometry};
use crate::trade::Untrusted;
use crate::trade::personal::looks_personal;
use crate::words::{Words, personal};

/// Columns of an amount: `R$ 9.999.999.999,99`.
pub const MONEY: usize = 19;

/// Lines that the words of others may fill: they must not push ours off the screen.
const MOST_QUOTED: usize = 4;

/// Columns of the labels in details.
pub const LABEL: usize = 18;

/// Puts lines into an area, from its top; where they do not fit, the last one says so.
pub fn put(mut lines: Vec<Line>, area: Area, page: &mut Page) {
    let rows = usize::from(area.height);
    if rows > 0 && lines.iter().skip(rows).any(|line| line.width() > 0) {
        lines.truncate(rows);
        if let Some(last) = lines.last_mut() {
            last.goes_on(usize::from(area.width));
        }
    }
    page.put(lines, area);
}

/// Puts a line at the right end of an area.
pub fn put_right(line: Line, area: Area, page: &mut Page) {
    let width = u16::try_from(line.width()).unwrap_or(u16::MAX);
    let (_, end) = area.split_left(area.width.saturating_sub(width));
    put(vec![line], end, page);
}

/// A text in as many lines as it needs.
pub fn wrapped(role: Role, text: &str, width: usize) -> Vec<Line> {
    wrap(text, width).into_iter().map(|line| Line::of(role, line)).collect()
}

/// A text beside its label, which is in the first row; the rows below begin where the text does.
pub fn hanging(label: Span, role: Role, text: &str, width: usize) -> Vec<Line> {
    let columns = label.width();
    let below = Span { text: " ".repeat(columns).into(), ..label };
    let labels = std::iter::once(label).chain(std::iter::repeat(below));
    let line = |(row, label)| Line::from(vec![label, Span::of(role, row)]);
    wrap(text, width.saturating_sub(columns).max(1)).into_iter().zip(labels).map(line).collect()
}

/// A point of several, each behind a sign; what goes on below it hangs under its words.
pub fn point(role: Role, text: &str, width: usize) -> Vec<Line> {
    hanging(Span::of(role, "• "), role, text, width)
}

/// A text below an empty line.
pub fn paragraph(role: Role, text: &str, width: usize) -> Vec<Line> {
    let mut lines = vec![Line::default()];
    lines.extend(wrapped(role, text, width));
    lines
}

/// A label and its value.
pub fn pair(label: &str, value: &str, width: usize) -> Vec<Line> {
    labelled((label, LABEL), value, width)
}

/// A label in so many columns, and its value; a value that is longer than the line goes on below
/// itself. A label that would run into it stands on a line of its own, and so it does where the
/// value is an id or a figure that has no room beside it.
pub fn labelled((label, columns_of): (&str, usize), value: &str, width: usize) -> Vec<Line> {
    let room = width.saturating_sub(columns_of).max(1);
    let word = widest_word(value);
    if word > room && word <= width {
        return above(label, value, width);
    }
    if columns(label) + 2 > columns_of {
        let mut lines = wrapped(Role::Dim, label, width);
        lines.extend(labelled(("", columns_of), value, width));
        return lines;
    }
    hanging(Span::of(Role::Dim, exactly(label, columns_of)), Role::Text, value, width)
}

/// A label on a row of its own above its value, which stands a little further in where it can.
pub fn above(label: &str, value: &str, width: usize) -> Vec<Line> {
    let indent = " ".repeat(width.saturating_sub(widest_word(value)).min(2));
    let mut lines = wrapped(Role::Dim, label, width);
    lines.extend(wrapped(Role::Text, &format!("{indent}{value}"), width));
    lines
}

/// A row of a list: the bar and the bold words say where the cursor is.
pub fn row(under_cursor: bool, spans: impl IntoIterator<Item = Span>) -> Line {
    let (bar, over) = match under_cursor {
        true => (Span::of(Role::Accent, "▌"), Some(Role::Cursor)),
        false => (Span::plain(" "), None),
    };
    // With room for the bar, a row's columns and its tag: made once, and never moved.
    let mut line = Line { spans: Vec::with_capacity(7), under: over };
    line.push(bar);
    line.spans.extend(spans.into_iter().map(|span| Span { over: over.or(span.over), ..span }));
    line
}

/// Says what is under way, for how long, and how to end the waiting.
pub fn waiting(to: Reader<'_>, what: &str, wait: Wait) -> Line {
    let (seconds, key) = (wait.seconds(to.boot_ms).to_string(), to.first_key(Action::Back));
    let values = [("what", what), ("seconds", &seconds), ("key", key)];
    Line::of(Role::Dim, to.words.with("wait-line", &values))
}

/// The words of others, labelled as theirs: `label` in ours, the words between their own marks.
pub fn quoted(label: &str, words: &Untrusted, width: usize) -> Vec<Line> {
    let mut lines = vec![Line::of(Role::Dim, label)];
    let room = width.saturating_sub(2);
    let shown = format!("\u{201c}{}\u{201d}", words.shown_within(room * MOST_QUOTED));
    for line in wrap(&shown, room).into_iter().take(MOST_QUOTED + 1) {
        lines.push(Line::from(vec![Span::of(Role::Rule, "│ "), Span::of(Role::Quote, line)]));
    }
    lines
}

/// The words of others below each other, each behind its label.
pub fn all_quoted(quotes: &[(String, Untrusted)], width: usize) -> Vec<Line> {
    quotes.iter().flat_map(|(label, words)| quoted(label, words, width)).collect()
}

/// The state of the place where a button that agrees to something may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confirm {
    /// It can be pressed.
    Live,
    /// It is in sight, and dead: the screen is too new, or the amount is not typed yet.
    Dead,
    /// There is none: what it would confirm is not what the service says now, or was not read.
    Absent,
}

/// The areas of two buttons at the left of a row, as wide as their labels.
pub fn button_places(row: Area, labels: [&str; 2]) -> [Area; 2] {
    let [left, right] =
        labels.map(|label| u16::try_from(columns(label)).unwrap_or(u16::MAX).saturating_add(4));
    let (first, rest) = row.split_left(left);
    [first, rest.split_left(2).1.split_left(right).0]
}

/// Puts a button into its place. The cursor stands on the one with the focus, so that a screen
/// reader does too.
pub fn put_button(label: &str, focused: bool, state: Confirm, place: Area, page: &mut Page) {
    let width = usize::from(place.width);
    let line = match state {
        Confirm::Live => button_line(label, focused, width),
        Confirm::Dead => {
            Line::of(Role::Dim, format!("( {} )", fit(label, width.saturating_sub(4))))
        }
        Confirm::Absent => return,
    };
    put(vec![line], place, page);
    if focused && place.height > 0 {
        let x = place.x.saturating_add(2).min(place.right().saturating_sub(1));
        page.set_cursor(x, place.y);
    }
}

/// A button as a line; brackets say that it has the focus, not only the colour.
pub fn button_line(label: &str, focused: bool, width: usize) -> Line {
    let label = fit(label, width.saturating_sub(4));
    if focused {
        Line::of(Role::Focus, format!("[ {label} ]"))
    } else {
        Line::of(Role::Text, format!("  {label}  "))
    }
}

/// A box with a title over whatever is there; gives its inside.
pub fn boxed(title: &str, area: Area, page: &mut Page) -> Area {
    let title = fit(title, usize::from(area.width).saturating_sub(4));
    page.items.push(PageItem::Box(Line::of(Role::Title, format!(" {title} ")), area));
    geometry::inside(area)
}

/// A line across an area.
pub fn rule(area: Area, page: &mut Page) {
    let line = Line::of(Role::Rule, "─".repeat(usize::from(area.width)));
    put(vec![line], area, page);
}

/// The first line of a screen: what it is, and something about it at the right.
pub fn title(text: &str, aside: Line, area: Area, page: &mut Page) {
    first_line(title_line(text, area), aside, area, page);
}

fn title_line(text: &str, area: Area) -> Line {
    let text = fit(text, usize::from(area.width).saturating_sub(2));
    Line::of(Role::Title, format!(" {text}"))
}

/// Returns the rows that a title needs with what stands at its right.
pub fn title_rows(text: &str, aside: &Line, area: Area) -> u16 {
    if stand_together(&title_line(text, area), aside, area) { 1 } else { 2 }
}

/// A first line and something at its right; in the empty line below, where both have no room.
pub fn first_line(line: Line, aside: Line, area: Area, page: &mut Page) {
    let has_room = stand_together(&line, &aside, area);
    put(vec![line], area.row(0), page);
    put_right(aside, area.row(u16::from(!has_room)).without_right(1), page);
}

fn stand_together(line: &Line, aside: &Line, area: Area) -> bool {
    aside.width() == 0 || line.width() + 2 + aside.width() < usize::from(area.width)
}

/// The search field of a list.
pub struct SearchField<'a> {
    /// What was typed.
    pub query: &'a tui_input::Input,
    /// True while it has the focus.
    pub searching: bool,
    /// True where a key or a name may stand in it, which is masked where others look.
    pub is_personal: bool,
}

impl SearchField<'_> {
    /// Returns true where nothing was typed, and nothing is now.
    pub fn is_idle(&self) -> bool {
        !self.searching && self.query.value().is_empty()
    }

    /// What was typed, as it is shown in so many columns.
    pub fn typed(&self, say: &Words, columns: usize) -> String {
        let typed = Untrusted::from(self.query.value());
        match self.is_personal || looks_personal(self.query.value()) {
            true => personal::typed_within(say, &typed, columns),
            false => Untrusted::in_full(|| typed.shown_within(columns)),
        }
    }

    /// Draws it, and at the right how many rows there are.
    pub fn draw(&self, say: &Words, count: &str, area: Area, page: &mut Page) {
        let field = area.row(0);
        let room = usize::from(field.width).saturating_sub(columns(count) + 6);
        let line = if self.is_idle() {
            Line::of(Role::Dim, format!(" / {}", say.text("search-hint")))
        } else {
            let typed = self.typed(say, room);
            Line::from(vec![Span::of(Role::Key, " / "), Span::of(Role::Field, typed)])
        };
        put(vec![line], field, page);
        put_right(Line::of(Role::Dim, count.to_owned()), field.without_right(1), page);
        if self.searching && field.height > 0 {
            let cursor = self.query.visual_cursor().min(room);
            page.set_cursor(field.x + 3 + u16::try_from(cursor).unwrap_or(0), field.y);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_too_wide_for_label_line_goes_below_indented() {
        let id = "3f0e6c1c-7c55-4a8e-9d5a-2f1b6f1e0c9a";
        let shown = |width| -> Vec<String> {
            labelled(("Código", 18), id, width).iter().map(Line::to_string).collect()
        };
        assert_eq!(shown(60), [format!("{:18}{id}", "Código")]);
        assert_eq!(shown(44), ["Código".to_owned(), format!("  {id}")]);
        assert_eq!(shown(37), ["Código".to_owned(), format!(" {id}")], "as far as there is room");
        let above: Vec<String> = above("Código", id, 44).iter().map(Line::to_string).collect();
        assert_eq!(above, shown(44), "one way of indenting");
    }
}
