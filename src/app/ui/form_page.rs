//! Draws forms: labels, fields, errors, hints, and the submit button.
//!
//! The state of a form is in [`form`](crate::app::ui::form).

use tui_input::Input as TextField;

use crate::app::ui::block::{self, Block, Gap, Placed};
use crate::app::ui::form::{Choice, ChoiceLabel, Entry, Field, FieldError, Form, Hint, Label};
use crate::app::ui::parts::{self, LABEL_WIDTH, MAX_AMOUNT_WIDTH, input_spans, put};
use crate::app::ui::text::{columns, exactly, fit, split_at};
use crate::app::ui::{Area, Line, Page, Role, Span, Target, failure};
use crate::contract::FieldFault;
use crate::trade::personal::{looks_personal, masked_typing};
use crate::trade::{Money, Untrusted};
use crate::words::{Catalogue, Lang};

pub fn label(words: &Catalogue, label: &Label) -> String {
    match label {
        Label::Word(id) => words.text(id),
        Label::ContractText { pt, en } => {
            let text = if words.lang() == Lang::Pt { pt } else { en };
            // The label comes from the API contract, which is a file from outside the program, so
            // it is untrusted.
            Untrusted::from(&**text).shown()
        }
    }
}

/// A page that shows a form with its title, and texts above and below the form.
pub struct FormPage<'a> {
    pub title: String,
    /// The text that is shown to the right of the title.
    pub aside: Line,
    /// The text that is shown between the title and the fields.
    pub head: Vec<Block>,
    pub form: &'a Form,
    /// The label of the form's submit button.
    pub submit: String,
    /// The text that is shown below the submit button.
    pub below: Vec<Block>,
}

/// The priority number ([`Block::priority`]) of the text above the fields. This text is cut only
/// after all fields without the focus were cut.
pub const HEAD_PRIORITY: usize = 2;
const FIELD_PRIORITY: usize = 3;

/// The priority number ([`Block::priority`]) of the text below the button. This text is cut before
/// everything else, but keeps its minimum number of lines.
pub const BELOW_PRIORITY: usize = 100;

/// True if the area has room for the title, the text above the form, all fields, and the button.
pub fn has_room(head: &[Block], form: &Form, area: Area) -> bool {
    let note_count = form
        .fields
        .iter()
        .filter(|field| field.error.is_some() || field.hint.is_some())
        .count();
    let rows = block::total_rows(head) + form.fields.len() + note_count + 1;
    // The title needs one more row.
    rows < usize::from(area.height)
}

/// The width that is available to the text above and below the fields.
pub fn inner_width(area: Area) -> usize {
    usize::from(area.text().width)
}

impl<'a> FormPage<'a> {
    /// Creates a page that shows only a form, a title and a button. The title and the button's
    /// label are given as message ids.
    pub fn new(words: &Catalogue, [title, submit]: [&str; 2], form: &'a Form) -> Self {
        let title = words.text(title);
        let submit = words.text(submit);
        FormPage {
            title,
            aside: Line::default(),
            head: vec![],
            form,
            submit,
            below: vec![],
        }
    }

    /// Draws the form. If fields do not fit, arrows in the last column of the screen show that they
    /// are hidden.
    pub fn draw(self, words: &Catalogue, area: Area, page: &mut Page) {
        let FormPage {
            title,
            aside,
            head,
            form,
            submit,
            below,
        } = self;
        let title_height = parts::title_rows(&title, &aside, area);
        parts::title(&title, aside, area, page);
        let area = area.split_top(title_height).1;
        let inner = area.text();
        let labels = label_columns(words, form, area);
        let width = usize::from(inner.width);
        let first_field = head.len();
        let mut parts = head;
        let (field_blocks, cursor) = field_blocks(words, form, (labels, width));
        parts.extend(field_blocks);
        let button = parts::button_line(&submit, form.is_on_button(), width.saturating_sub(labels));
        let button_width = u16::try_from(button.width()).unwrap_or(u16::MAX);
        parts.push(field_block(
            form,
            form.fields.len(),
            vec![button.indented(labels)],
        ));
        parts.extend(below);
        if let Some(block) = parts.first_mut() {
            // If the title takes two rows, there is no empty row between the title and the first
            // block.
            block.gap = if title_height > 1 {
                Gap::None
            } else {
                Gap::Own
            };
        }
        let placed = block::fit(parts, usize::from(inner.height), width);
        let areas: Vec<Area> = placed
            .iter()
            .map(|Placed { row, lines }| {
                let [row, rows] =
                    [*row, lines.len()].map(|index| u16::try_from(index).unwrap_or(u16::MAX));
                inner.split_top(row).1.split_top(rows).0
            })
            .collect();
        let fields = &areas[first_field..=first_field + form.fields.len()];
        for (index, field) in fields.iter().enumerate() {
            let row = field.split_top(1).0;
            if index < form.fields.len() {
                page.add_click_target(row, Target::Field(index));
            } else {
                let labels = u16::try_from(labels).unwrap_or(u16::MAX);
                let button = row.split_left(labels).1.split_left(button_width).0;
                page.add_click_target(button, Target::Submit);
            }
        }
        if let (Some(column), Some(field_area)) = (cursor, fields.get(form.focus)) {
            let x = field_area
                .x
                .saturating_add(u16::try_from(column).unwrap_or(u16::MAX));
            page.set_cursor(x.min(field_area.right().saturating_sub(1)), field_area.y);
        }
        put_hidden_arrows(fields, area, page);
        let focused_field = first_field + form.focus;
        for (n, (Placed { lines, .. }, area)) in placed.into_iter().zip(areas).enumerate() {
            if n == focused_field && !form.is_on_button() {
                put_with_bar(lines, area, page);
            } else {
                put(lines, area, page);
            }
        }
    }
}

/// The blocks of all fields. Also returns the column of the text cursor.
fn field_blocks(
    words: &Catalogue,
    form: &Form,
    (labels, width): (usize, usize),
) -> (Vec<Block>, Option<usize>) {
    let mut blocks = vec![];
    let mut cursor = form.is_on_button().then_some(labels + 2);
    for (index, field) in form.fields.iter().enumerate() {
        let is_focused = index == form.focus;
        let (lines, column) = field_lines(words, field, is_focused, (labels, width), true);
        cursor = cursor.or(column);
        // The seller must see this hint, because the next submit accepts the amount in it.
        let must_show = matches!(field.hint, Some(Hint::CheckAmount { .. }));
        let mut block = if must_show {
            Block::new(lines)
        } else {
            field_block(form, index, lines)
        };
        block.gap = if index == 0 { Gap::Own } else { Gap::All };
        if !is_focused && !must_show {
            block = block.or(field_lines(words, field, false, (labels, width), false).0);
        }
        blocks.push(block);
    }
    (blocks, cursor)
}

/// If there are too few rows, hides the fields that are farthest from the focused field first.
fn field_block(form: &Form, index: usize, lines: Vec<Line>) -> Block {
    match index.abs_diff(form.focus) {
        0 => Block::new(lines),
        distance => Block::cut(FIELD_PRIORITY + distance, 0, lines),
    }
}

/// Puts the lines of the field with the focus, with a bar to the left of its first line.
fn put_with_bar(lines: Vec<Line>, area: Area, page: &mut Page) {
    let bar = Span::of(Role::Accent, "▎");
    let margins = std::iter::once(bar).chain(std::iter::repeat(Span::plain(" ")));
    let lines = lines.into_iter().zip(margins).map(|(mut line, margin)| {
        line.spans.insert(0, margin);
        line
    });
    let area = Area {
        x: area.x.saturating_sub(1),
        width: area.width + 1,
        ..area
    };
    put(lines.collect(), area, page);
}

/// Draws arrows in the last column of the screen: `↑` if fields above are hidden, and `↓` if fields
/// or the button below are hidden.
fn put_hidden_arrows(fields: &[Area], area: Area, page: &mut Page) {
    let mut visible = fields.iter().filter(|field| field.height > 0);
    let Some(first) = visible.next() else { return };
    let last = visible.next_back().unwrap_or(first);
    let x = area.right().saturating_sub(1);
    let mut put_arrow = |text, row: &Area| {
        put(
            vec![Line::of(Role::Dim, text)],
            Area {
                x,
                width: 1,
                height: 1,
                y: row.y,
            },
            page,
        );
    };
    if fields.first().is_some_and(|field| field.height == 0) {
        put_arrow("↑", first);
    }
    if fields.last().is_some_and(|button| button.height == 0) {
        put_arrow("↓", last);
    }
}

/// The width of the column with the labels. It is as wide as the widest label, but at most half as
/// wide as the form.
pub fn label_columns(words: &Catalogue, form: &Form, area: Area) -> usize {
    let widest = form
        .fields
        .iter()
        .map(|field| columns(&label(words, &field.label)) + columns(&optional(words, field)) + 2)
        .max();
    widest
        .unwrap_or(0)
        .max(LABEL_WIDTH)
        .min(inner_width(area) / 2)
}

/// The text to the right of the label of a field that may stay empty.
pub fn optional(words: &Catalogue, field: &Field) -> String {
    if field.required {
        return String::new();
    }
    format!(" ({})", words.text("field-optional"))
}

/// The lines of a field, with its error or hint below it (if `is_below` is true) or beside it. Also
/// returns the column of the text cursor, if the field has the focus.
fn field_lines(
    words: &Catalogue,
    field: &Field,
    focused: bool,
    (labels, width): (usize, usize),
    is_below: bool,
) -> (Vec<Line>, Option<usize>) {
    let role = if focused { Role::Strong } else { Role::Dim };
    let optional = optional(words, field);
    let name_width = labels.saturating_sub(columns(&optional) + 2);
    let name = format!("{}{optional}", fit(&label(words, &field.label), name_width));
    let room = width.saturating_sub(labels);
    let note = field_note(words, field);
    let aside = note.as_ref().filter(|_| !is_below);
    // Reserve columns beside the field for its hint, but at most half of the row.
    let reserved = aside.map_or(0, |(_, note)| (columns(note) + 2).min(room / 2));
    let (spans, cursor) = value_spans(words, field, focused, room.saturating_sub(reserved));
    let mut line = Line::from(Span::of(role, exactly(&name, labels)));
    line.spans.extend(spans);
    if let Some((role, note)) = aside {
        let note_width = width.saturating_sub(line.width() + 2);
        line.push(Span::of(*role, format!("  {}", fit(note, note_width))));
    }
    let mut lines = vec![line];
    if let Some((role, note)) = note.filter(|_| is_below) {
        let note = fit(&note, width);
        // Align the hint with the field's value. If the hint is too long, start further left.
        let indent = labels.min(width - columns(&note));
        lines.push(Line::of(role, note).indented(indent));
    }
    (
        lines,
        cursor.filter(|_| focused).map(|column| labels + column),
    )
}

/// The text that is shown beside a field, with its style: the error or, if there is no error, the
/// hint.
fn field_note(words: &Catalogue, field: &Field) -> Option<(Role, String)> {
    match (&field.error, &field.hint) {
        // The text is a valid Pix key, but not of the chosen kind. Naming its kind helps more than
        // explaining why it does not fit the chosen kind.
        (Some(FieldError::Fault(FieldFault::Key(_))), Some(hint @ Hint::OtherKind(_))) => {
            Some((Role::Bad, failure::field_hint(words, hint)))
        }
        (Some(FieldError::Missing), Some(hint @ Hint::ChooseKind(_))) => {
            Some((Role::Bad, failure::field_hint(words, hint)))
        }
        (Some(error), _) => Some((Role::Bad, failure::field_error(words, error))),
        (None, Some(hint @ (Hint::Nickname(_) | Hint::ReadAs(_) | Hint::KindAsBefore { .. }))) => {
            Some((Role::Dim, failure::field_hint(words, hint)))
        }
        (None, Some(hint)) => Some((Role::Warn, failure::field_hint(words, hint))),
        (None, None) => None,
    }
}

pub fn choice_label(words: &Catalogue, option: &Choice) -> String {
    match &option.label {
        ChoiceLabel::Label(text) => label(words, text),
        ChoiceLabel::External(text) => text.shown(),
    }
}

/// The field's value as shown on the screen, but in full.
pub fn value_text(words: &Catalogue, field: &Field) -> String {
    let spans = match &field.entry {
        Entry::Choice { .. } => {
            return field
                .chosen()
                .map(|chosen| choice_label(words, chosen))
                .unwrap_or_default();
        }
        _ => value_spans(words, field, false, usize::from(u16::MAX)).0,
    };
    spans
        .first()
        .map(|span| span.text.trim_end().to_owned())
        .unwrap_or_default()
}

/// The field's value as shown on the screen, and the column of the text cursor within that value.
/// The field is as wide as its longest value, but at most `room` columns.
fn value_spans(
    words: &Catalogue,
    field: &Field,
    focused: bool,
    room: usize,
) -> (Vec<Span>, Option<usize>) {
    let text_role = if focused { Role::Strong } else { Role::Text };
    let mut position = None;
    let (role, text, width, cursor) = match &field.entry {
        Entry::Text { input, max } => {
            // The cursor needs a column after the last character.
            let room = room.min(max.saturating_add(1));
            let is_masked = words.masks() && (field.personal || looks_personal(input.value()));
            // A masked text has as many characters as the original, so the cursor stays at the same
            // character.
            let masked = is_masked
                .then(|| TextField::new(masked_typing(input.value())).with_cursor(input.cursor()));
            let (text, cursor) = visible_text(masked.as_ref().unwrap_or(input), focused, room);
            (text_role, text, room, Some(cursor))
        }
        Entry::Amount(amount) => {
            let (text, role) = match amount.money() {
                // The digits look selected, because typing replaces them.
                Some(money) if focused && amount.is_proposed() => (money.to_string(), Role::Focus),
                Some(money) => (money.to_string(), Role::Money),
                None if amount.fault().is_some() => (format!("R$ {amount}"), Role::Bad),
                None => (Money::ZERO.to_string(), Role::Dim),
            };
            let end = columns(&text);
            (role, text, room.min(MAX_AMOUNT_WIDTH), Some(end))
        }
        Entry::Choice { options, chosen } => {
            let choose = if matches!(field.hint, Some(Hint::ChooseKind(_))) {
                words.text("field-choose")
            } else {
                words.text("field-by-key")
            };
            let text = |option: &Choice| choice_label(words, option);
            let room = room.saturating_sub(12);
            let widest = options.iter().map(|option| columns(&text(option))).max();
            let chosen_text = field.chosen().map_or(choose, text);
            let shown = fit(&chosen_text, room);
            let role = if chosen.is_some() {
                text_role
            } else {
                Role::Dim
            };
            position = chosen.map(|at| format!("  {}/{}", at + 1, options.len()));
            let width = widest.unwrap_or(0).min(room) + 4;
            (role, format!("‹ {shown} ›"), width, None)
        }
        Entry::Secret { len, .. } => {
            let dots = "•".repeat((*len).min(room.saturating_sub(1)));
            let end = columns(&dots);
            (text_role, dots, room, Some(end))
        }
    };
    let mut spans = input_spans(Span::of(role, text), focused, width).to_vec();
    spans.extend(position.map(|position| Span::of(Role::Dim, position)));
    (spans, cursor)
}

/// The part of the text that fits into the field, and the column of the text cursor within it. The
/// text is already masked.
fn visible_text(input: &TextField, focused: bool, room: usize) -> (String, usize) {
    // Only the focused field scrolls its text. All other fields show the beginning of their text.
    let skip = if focused {
        input.visual_scroll(room.saturating_sub(1))
    } else {
        0
    };
    let (before, text) = text_from_column(input.value(), skip);
    let room_left = room.saturating_sub(columns(before));
    let text = Untrusted::from(text);
    // Do not mask the text here: it was already masked, character by character, so that the cursor
    // stays in its column.
    let text = Untrusted::without_masking(|| text.shown_within(room_left));
    let cursor = input.visual_cursor().saturating_sub(skip);
    (format!("{before}{text}"), cursor)
}

/// The text without its first `skip` columns. If `skip` is not 0, also returns an ellipsis to show
/// before it.
fn text_from_column(text: &str, skip: usize) -> (&'static str, &str) {
    if skip == 0 {
        return ("", text);
    }
    let (hidden, rest) = split_at(text, skip + 1);
    if columns(hidden) > skip {
        ("…", rest)
    } else {
        // The cut would split a character that is two columns wide, so skip both of its columns.
        ("… ", split_at(text, skip + 2).1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of the field's line, with the ground of the field between bars.
    fn line_with_ground(field: &Field, focused: bool, ground: Role) -> String {
        let words = Catalogue::of(Lang::Pt);
        let (lines, _) = field_lines(words, field, focused, (24, 76), true);
        let spans = lines[0].spans.iter();
        let runs: Vec<(bool, String)> = spans
            .map(|span| (span.over == Some(ground), span.text.to_string()))
            .collect();
        runs.chunk_by(|run, next_run| run.0 == next_run.0)
            .map(|runs| {
                let text: String = runs.iter().map(|(_, text)| &**text).collect();
                if runs[0].0 { format!("|{text}|") } else { text }
            })
            .collect()
    }

    #[test]
    fn field_has_a_ground_as_wide_as_its_longest_value() {
        let word = Label::Word("field-description");
        let mut text = Field::text("d", word.clone(), false, 5);
        text.fill("abc");
        let label = format!("{:24}", "Descrição (opcional)");
        let expected = format!("{label}|abc   |");
        assert_eq!(line_with_ground(&text, false, Role::Input), expected);
        assert_eq!(line_with_ground(&text, true, Role::InputFocus), expected);
        assert_eq!(
            line_with_ground(&text, true, Role::Input),
            expected.replace('|', ""),
            "the focused field looks different"
        );
        let long = Field::text("d", word.clone(), true, 500);
        let expected = format!("{:24}|{}|", "Descrição", " ".repeat(52));
        assert_eq!(line_with_ground(&long, false, Role::Input), expected);
        let amount = Field::amount("a", Label::Word("field-amount"));
        let expected = format!("{:24}|{:19}|", "Valor", "R$ 0,00");
        assert_eq!(line_with_ground(&amount, false, Role::Input), expected);
        let options = ["loja.example", "a.example"].map(Choice::from_external_text);
        let mut choice = Field::choice("c", word, options.to_vec());
        choice.choose_value(Some("a.example"));
        let expected = format!("{:24}|{:16}|  2/2", "Descrição", "‹ a.example ›");
        assert_eq!(line_with_ground(&choice, false, Role::Input), expected);
    }

    #[test]
    fn text_cut_on_the_left_shows_an_ellipsis() {
        assert_eq!(text_from_column("abcdef", 0), ("", "abcdef"));
        assert_eq!(text_from_column("abcdef", 2), ("…", "def"));
        // The visible text does not move, because the position of the cursor is counted in columns.
        assert_eq!(text_from_column("a日bcd", 1), ("… ", "bcd"));
        assert_eq!(text_from_column("a日bcd", 2), ("…", "bcd"));
    }
}
