//! Small building blocks that every screen uses, such as wrapped text, labels, buttons, titles and
//! quotes.

use crate::app::Wait;
use crate::app::ui::text::{columns, exactly, fit, widest_word, wrap};
use crate::app::ui::{Action, Area, Line, Page, PageItem, RenderCx, Role, Span, geometry};
use crate::trade::Untrusted;
use crate::trade::personal::looks_personal;
use crate::words::{Catalogue, personal};

/// The width, in columns, of the widest amount, which is `R$ 9.999.999.999,99`.
pub const MAX_AMOUNT_WIDTH: usize = 19;

/// The maximum number of lines of a text that is quoted from outside the program. A longer quote
/// could push the program's own text off the screen.
const MAX_QUOTED_LINES: usize = 4;

/// The width, in columns, of the labels on details pages.
pub const LABEL_WIDTH: usize = 18;

/// Puts lines at the top of an area. If there are too many lines, the last visible line ends in
/// `…`.
pub fn put(mut lines: Vec<Line>, area: Area, page: &mut Page) {
    let rows = usize::from(area.height);
    if rows > 0 && lines.iter().skip(rows).any(|line| line.width() > 0) {
        lines.truncate(rows);
        if let Some(last) = lines.last_mut() {
            last.end_with_ellipsis(usize::from(area.width));
        }
    }
    page.put(lines, area);
}

/// Puts a line at the top of an area, aligned to the right.
pub fn put_right(line: Line, area: Area, page: &mut Page) {
    let width = u16::try_from(line.width()).unwrap_or(u16::MAX);
    let (_, right_end) = area.split_left(area.width.saturating_sub(width));
    put(vec![line], right_end, page);
}

/// Wraps a text into lines of at most `width` columns.
pub fn wrapped(role: Role, text: &str, width: usize) -> Vec<Line> {
    wrap(text, width)
        .into_iter()
        .map(|line| Line::of(role, line))
        .collect()
}

/// Wraps a text to the right of a label. The label is only on the first line; the other lines are
/// indented by the width of the label.
pub fn hanging(label: Span, role: Role, text: &str, width: usize) -> Vec<Line> {
    let columns = label.width();
    let indent = Span {
        text: " ".repeat(columns).into(),
        ..label.clone()
    };
    let labels = std::iter::once(label).chain(std::iter::repeat(indent));
    wrap(text, width.saturating_sub(columns).max(1))
        .into_iter()
        .zip(labels)
        .map(|(row, label)| Line::from(vec![label, Span::of(role, row)]))
        .collect()
}

/// Wraps a text as an item of a bulleted list.
pub fn point(role: Role, text: &str, width: usize) -> Vec<Line> {
    hanging(Span::of(role, "• "), role, text, width)
}

/// Wraps a text, and adds an empty line above it.
pub fn paragraph(role: Role, text: &str, width: usize) -> Vec<Line> {
    let mut lines = vec![Line::default()];
    lines.extend(wrapped(role, text, width));
    lines
}

/// The lines of a label and its value. The label takes [`LABEL_WIDTH`] columns.
pub fn pair(label: &str, value: &str, width: usize) -> Vec<Line> {
    labelled((label, LABEL_WIDTH), value, width)
}

/// The lines of a label and its value. The label takes `label_width` columns.
///
/// A label that is too long gets a line of its own. So does the label of a value with an
/// unbreakable word, such as an id, that does not fit beside it.
pub fn labelled((label, label_width): (&str, usize), value: &str, width: usize) -> Vec<Line> {
    let value_width = width.saturating_sub(label_width).max(1);
    let word_width = widest_word(value);
    if word_width > value_width && word_width <= width {
        return above(label, value, width);
    }
    if columns(label) + 2 > label_width {
        let mut lines = wrapped(Role::Dim, label, width);
        lines.extend(labelled(("", label_width), value, width));
        return lines;
    }
    hanging(
        Span::of(Role::Dim, exactly(label, label_width)),
        Role::Text,
        value,
        width,
    )
}

/// The lines of a label with its value below it. The value is indented by up to two columns.
pub fn above(label: &str, value: &str, width: usize) -> Vec<Line> {
    let indent = " ".repeat(width.saturating_sub(widest_word(value)).min(2));
    let mut lines = wrapped(Role::Dim, label, width);
    lines.extend(wrapped(Role::Text, &format!("{indent}{value}"), width));
    lines
}

/// A row of a list. The row under the cursor is marked with a bar and bold text.
pub fn row(under_cursor: bool, spans: impl IntoIterator<Item = Span>) -> Line {
    let (bar, over) = if under_cursor {
        (Span::of(Role::Accent, "▌"), Some(Role::Cursor))
    } else {
        (Span::plain(" "), None)
    };
    // The capacity is enough for the bar, the columns and a tag, so that the vector is allocated
    // only once.
    let mut line = Line {
        spans: Vec::with_capacity(7),
        under: over,
    };
    line.push(bar);
    line.spans.extend(spans.into_iter().map(|span| Span {
        over: over.or(span.over),
        ..span
    }));
    line
}

/// The line that is shown during a pending request. It names the operation, the seconds waited so
/// far, and the key that stops waiting.
pub fn waiting(to: RenderCx<'_>, what: &str, wait: Wait) -> Line {
    let seconds = wait.seconds(to.boot_ms).to_string();
    let key = to.first_key(Action::Back);
    let values = [("what", what), ("seconds", &seconds), ("key", key)];
    Line::of(Role::Dim, to.words.with("wait-line", &values))
}

/// The lines of a text from outside the program, in quotation marks and with a label above it.
pub fn quoted(label: &str, text: &Untrusted, width: usize) -> Vec<Line> {
    let mut lines = vec![Line::of(Role::Dim, label)];
    let room = width.saturating_sub(2);
    let quote = format!(
        "\u{201c}{}\u{201d}",
        text.shown_within(room * MAX_QUOTED_LINES)
    );
    for line in wrap(&quote, room).into_iter().take(MAX_QUOTED_LINES + 1) {
        lines.push(Line::from(vec![
            Span::of(Role::Rule, "│ "),
            Span::of(Role::Quote, line),
        ]));
    }
    lines
}

/// The lines of several quoted texts, below each other. Each text has a label above it.
pub fn all_quoted(quotes: &[(String, Untrusted)], width: usize) -> Vec<Line> {
    quotes
        .iter()
        .flat_map(|(label, words)| quoted(label, words, width))
        .collect()
}

/// The state of a button that confirms terms, such as a withdrawal's amount and fee.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConfirmButtonState {
    /// The button can be pressed.
    Enabled,
    /// The button can be pressed, and then money is sent. It has the accent colour.
    SendsMoney,
    /// The button is visible but disabled. The screen has just opened, or the user has not typed
    /// the amount yet.
    Disabled,
    /// The button is not shown. The service now reports different terms, or the user has not read
    /// the terms.
    Hidden,
}

/// The areas of two buttons at the left end of a row. The width of each button depends on its
/// label.
pub fn button_places(row: Area, labels: [&str; 2]) -> [Area; 2] {
    let [left, right] = labels.map(|label| {
        u16::try_from(columns(label))
            .unwrap_or(u16::MAX)
            .saturating_add(4)
    });
    let (first, rest) = row.split_left(left);
    [first, rest.split_left(2).1.split_left(right).0]
}

/// Shows a button. If it has the focus, the terminal's cursor is placed on the button, so that a
/// screen reader reads it aloud.
pub fn put_button(
    label: &str,
    focused: bool,
    state: ConfirmButtonState,
    area: Area,
    page: &mut Page,
) {
    let width = usize::from(area.width);
    let line = match state {
        ConfirmButtonState::Enabled => button_line(label, focused, width),
        ConfirmButtonState::SendsMoney => button_in_role(Role::Accent, label, focused, width),
        ConfirmButtonState::Disabled => dead_button_line(label, width),
        ConfirmButtonState::Hidden => return,
    };
    put(vec![line], area, page);
    if focused && area.height > 0 {
        let x = area.x.saturating_add(2).min(area.right().saturating_sub(1));
        page.set_cursor(x, area.y);
    }
}

/// A button as a line. The button with the focus is in reverse video, which every theme has.
pub fn button_line(label: &str, focused: bool, width: usize) -> Line {
    button_in_role(Role::Text, label, focused, width)
}

/// A button that cannot be pressed, as a line. Its round brackets show this without colours.
pub fn dead_button_line(label: &str, width: usize) -> Line {
    let label = fit(label, width.saturating_sub(4));
    Line::of(Role::Dim, format!("( {label} )"))
}

fn button_in_role(role: Role, label: &str, focused: bool, width: usize) -> Line {
    let label = fit(label, width.saturating_sub(4));
    let button = Span {
        over: focused.then_some(Role::Focus),
        ..Span::of(role, format!("[ {label} ]"))
    };
    button.into()
}

/// The spans of an input field: its value, on a ground of `width` columns. The ground shows how
/// much can be typed, and which field has the focus.
pub fn input_spans(value: Span, focused: bool, width: usize) -> [Span; 2] {
    // The rest of a field may be dim, because some themes only underline it.
    let (ground, rest_role) = if focused {
        (Role::InputFocus, Role::Strong)
    } else {
        (Role::Input, Role::Dim)
    };
    let rest = " ".repeat(width.saturating_sub(value.width()));
    [value, Span::of(rest_role, rest)].map(|span| Span {
        over: Some(ground),
        ..span
    })
}

/// Draws a box with a title into the area. Returns the area inside the box.
pub fn boxed(title: &str, area: Area, page: &mut Page) -> Area {
    let title = fit(title, usize::from(area.width).saturating_sub(4));
    page.items.push(PageItem::Box(
        Line::of(Role::Title, format!(" {title} ")),
        area,
    ));
    geometry::inside(area)
}

/// Draws a horizontal line across an area.
pub fn rule(area: Area, page: &mut Page) {
    let line = Line::of(Role::Rule, "─".repeat(usize::from(area.width)));
    put(vec![line], area, page);
}

/// Shows the title of a screen, with the text `aside` at the right end of the row.
pub fn title(text: &str, aside: Line, area: Area, page: &mut Page) {
    first_line(title_line(text, area), aside, area, page);
}

fn title_line(text: &str, area: Area) -> Line {
    let text = fit(text, usize::from(area.width).saturating_sub(2));
    Line::of(Role::Title, format!(" {text}"))
}

/// The number of rows that a title and the text `aside` take: one row if both fit into it,
/// otherwise two.
pub fn title_rows(text: &str, aside: &Line, area: Area) -> u16 {
    if fit_one_row(&title_line(text, area), aside, area) {
        1
    } else {
        2
    }
}

/// Shows a line with the text `aside` at the right. If both do not fit into one row, `aside` is in
/// the row below.
pub fn first_line(line: Line, aside: Line, area: Area, page: &mut Page) {
    let has_room = fit_one_row(&line, &aside, area);
    put(vec![line], area.row(0), page);
    put_right(aside, area.row(u16::from(!has_room)).without_right(1), page);
}

fn fit_one_row(line: &Line, aside: &Line, area: Area) -> bool {
    aside.width() == 0 || line.width() + 2 + aside.width() < usize::from(area.width)
}

pub struct SearchField<'a> {
    /// The typed search text.
    pub query: &'a tui_input::Input,
    /// True while the search field has the focus.
    pub searching: bool,
    /// True if users may type personal data here, such as Pix keys or names. The search text is
    /// then hidden while masking is on.
    pub is_personal: bool,
}

impl SearchField<'_> {
    /// True if the search field is empty and does not have the focus.
    pub fn is_idle(&self) -> bool {
        !self.searching && self.query.value().is_empty()
    }

    /// The search text for the screen, in at most `columns` columns. Personal data is masked while
    /// masking is on.
    pub fn typed(&self, words: &Catalogue, columns: usize) -> String {
        let typed = Untrusted::from(self.query.value());
        if self.is_personal || looks_personal(self.query.value()) {
            personal::typed_within(words, &typed, columns)
        } else {
            Untrusted::without_masking(|| typed.shown_within(columns))
        }
    }

    /// Draws the search field. The number of rows of the list is at its right.
    pub fn draw(&self, words: &Catalogue, count: &str, area: Area, page: &mut Page) {
        let field = area.row(0);
        let room = usize::from(field.width).saturating_sub(columns(count) + 6);
        let line = if self.is_idle() {
            Line::of(Role::Dim, format!(" / {}", words.text("search-hint")))
        } else {
            let typed = self.typed(words, room);
            Line::from(vec![
                Span::of(Role::Key, " / "),
                Span::of(Role::Field, typed),
            ])
        };
        put(vec![line], field, page);
        put_right(
            Line::of(Role::Dim, count.to_owned()),
            field.without_right(1),
            page,
        );
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
    fn dead_button_is_dim_and_never_filled() {
        use ConfirmButtonState::{Disabled, Enabled, SendsMoney};
        let area = Area {
            width: 20,
            height: 1,
            ..Area::default()
        };
        let button = |state, focused| {
            let mut page = Page::new(area);
            put_button("Sacar", focused, state, area, &mut page);
            let Some(PageItem::Lines(lines, _)) = page.items.pop() else {
                panic!("no button")
            };
            let span = lines[0].spans[0].clone();
            (span.text.to_string(), span.role.unwrap(), span.over)
        };
        let live = "[ Sacar ]".to_owned();
        let dead = ("( Sacar )".to_owned(), Role::Dim, None);
        for (state, role) in [(Enabled, Role::Text), (SendsMoney, Role::Accent)] {
            assert_eq!(button(state, true), (live.clone(), role, Some(Role::Focus)));
            assert_eq!(button(state, false), (live.clone(), role, None));
        }
        assert_eq!(button(Disabled, true), dead);
        assert_eq!(button(Disabled, false), dead);
    }

    #[test]
    fn value_too_wide_for_label_line_goes_below_indented() {
        let id = "3f0e6c1c-7c55-4a8e-9d5a-2f1b6f1e0c9a";
        let labelled_lines = |width| -> Vec<String> {
            labelled(("Código", 18), id, width)
                .iter()
                .map(Line::to_string)
                .collect()
        };
        assert_eq!(labelled_lines(60), [format!("{:18}{id}", "Código")]);
        assert_eq!(labelled_lines(44), ["Código".to_owned(), format!("  {id}")]);
        assert_eq!(
            labelled_lines(37),
            ["Código".to_owned(), format!(" {id}")],
            "as far as there is room"
        );
        let above: Vec<String> = above("Código", id, 44)
            .iter()
            .map(Line::to_string)
            .collect();
        assert_eq!(above, labelled_lines(44), "one way of indenting");
    }
}
