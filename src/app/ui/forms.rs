//! Forms: labels, fields, what is wrong with them, and the submitting button.

use tui_input::Input as TextField;

use crate::app::ui::form::{Choice, ChoiceLabel, Entry, Field, FieldError, Form, Hint, Label};
use crate::app::ui::form_rows::FormAreas;
use crate::app::ui::parts::{self, LABEL, put};
use crate::app::ui::text::{columns, exactly, fit, split_at};
use crate::app::ui::{Area, Line, Page, Role, Span, Target, failure};
use crate::contract::FieldFault;
use crate::trade::personal::{looks_personal, masked_typing};
use crate::trade::{Money, Untrusted};
use crate::words::{Lang, Words};

/// The label in the language of the run.
pub fn label(say: &Words, label: &Label) -> String {
    match label {
        Label::Word(id) => say.text(id),
        Label::Said { pt, en } => {
            let said = if say.lang() == Lang::Pt { pt } else { en };
            // A contract is a file that anybody may have written.
            Untrusted::from(&**said).shown()
        }
    }
}

/// Returns the name of a choice.
pub fn choice_label(say: &Words, choice: &Choice) -> String {
    match &choice.label {
        ChoiceLabel::Label(said) => label(say, said),
        ChoiceLabel::Theirs(text) => text.shown(),
    }
}

/// Draws a form at its places; gives what is left below its button.
pub fn draw(say: &Words, form: &Form, submit: &str, areas: &FormAreas, page: &mut Page) -> Area {
    page.target(areas.button, Target::Submit);
    for (n, field) in areas.fields.iter().enumerate() {
        page.target(*field, Target::Field(n));
    }
    let labels = label_columns(say, form, areas.body);
    for (n, (field, area)) in form.fields.iter().zip(&areas.fields).enumerate() {
        if area.height > 0 {
            let focused = n == form.focus;
            draw_field(say, field, focused, area.split_left(labels), areas.said[n], page);
        }
    }
    if areas.button.height > 0 {
        let (_, button) = areas.button.split_left(labels);
        let room = usize::from(button.width);
        put(vec![parts::button_line(submit, form.on_button(), room)], button, page);
        if form.on_button() && button.width > 2 {
            page.set_cursor(button.x + 2, button.y);
        }
    }
    put_hidden(areas, page);
    areas.below
}

/// Says in the last column of the screen that fields have no room above those that are shown, or
/// that fields or the button have none below.
fn put_hidden(areas: &FormAreas, page: &mut Page) {
    let is_shown = |area: &&Area| area.height > 0;
    let mut shown = areas.fields.iter().chain([&areas.button]).filter(is_shown);
    let Some(first) = shown.next() else { return };
    let last = shown.next_back().unwrap_or(first);
    let x = areas.body.right().saturating_sub(1);
    let mut sign = |text, row: &Area| {
        put(vec![Line::of(Role::Dim, text)], Area { x, width: 1, ..*row }, page);
    };
    if areas.fields.first().is_some_and(|field| field.height == 0) {
        sign("↑", first);
    }
    if areas.button.height == 0 {
        sign("↓", last);
    }
}

/// The labels' column: as wide as the widest of them wants, and never more than half the room.
pub fn label_columns(say: &Words, form: &Form, area: Area) -> u16 {
    let widest = form.fields.iter().map(|field| columns(&label(say, &field.label)) + 2).max();
    let wanted = widest.unwrap_or(0).max(LABEL);
    u16::try_from(wanted).unwrap_or(u16::MAX).min(area.width / 2)
}

fn draw_field(
    say: &Words,
    field: &Field,
    focused: bool,
    (label_area, value_area): (Area, Area),
    below: Area,
    page: &mut Page,
) {
    let name = label(say, &field.label);
    let role = if focused { Role::Strong } else { Role::Dim };
    let name = fit(&name, usize::from(label_area.width).saturating_sub(1));
    put(vec![Line::of(role, name)], label_area, page);
    let room = usize::from(value_area.width);
    let said = beside(say, field);
    let aside = said.as_ref().filter(|_| below.height == 0);
    // Room is kept for the word beside a field that may stay empty, or for what is said there, and
    // never so much that nothing is left of the field.
    let optional = if field.required { 0 } else { columns(&say.text("field-optional")) + 2 };
    let kept = aside.map_or(optional, |(_, said)| (columns(said) + 2).max(optional).min(room / 2));
    let (spans, cursor) = value(say, field, focused, room.saturating_sub(kept));
    let mut line = Line::from(spans);
    if !field.required && field.is_empty() && aside.is_none() {
        line.push(Span::of(Role::Dim, format!(" {}", say.text("field-optional"))));
    }
    if let Some((role, said)) = aside {
        let left = room.saturating_sub(line.width() + 2);
        line.push(Span::of(*role, format!("  {}", fit(said, left))));
    }
    put(vec![line], value_area, page);
    if let Some((role, said)) = &said {
        let said = fit(said, usize::from(below.width));
        // Under the value, and further to the left where it needs the room.
        let width = u16::try_from(columns(&said)).unwrap_or(u16::MAX).max(value_area.width);
        let (_, place) = below.split_left(below.width.saturating_sub(width));
        put(vec![Line::of(*role, said)], place, page);
    }
    if let (true, Some(cursor)) = (focused, cursor) {
        let last = value_area.right().saturating_sub(1);
        let x = value_area.x.saturating_add(u16::try_from(cursor).unwrap_or(u16::MAX)).min(last);
        page.set_cursor(x, value_area.y);
    }
}

/// Returns the error of a field, or its hint.
fn beside(say: &Words, field: &Field) -> Option<(Role, String)> {
    match (&field.error, &field.hint) {
        // Why it is no key of this kind helps nobody who typed one of another.
        (Some(FieldError::Fault(FieldFault::Key(_))), Some(hint @ Hint::OtherKind(_))) => {
            Some((Role::Bad, failure::field_hint(say, hint)))
        }
        (Some(error), _) => Some((Role::Bad, failure::field_error(say, error))),
        (None, Some(hint @ Hint::Called(_))) => Some((Role::Dim, failure::field_hint(say, hint))),
        (None, Some(hint)) => Some((Role::Warn, failure::field_hint(say, hint))),
        (None, None) => None,
    }
}

/// The value as it is shown, and the column of the text cursor in it.
fn value(say: &Words, field: &Field, focused: bool, room: usize) -> (Vec<Span>, Option<usize>) {
    let mark = if focused { Role::Strong } else { Role::Field };
    match &field.entry {
        Entry::Text { input, .. } => {
            let room = room.min(46);
            let is_masked = say.masks() && (field.personal || looks_personal(input.value()));
            let masked = is_masked.then(|| masked(input));
            let input = masked.as_ref().unwrap_or(input);
            // Whoever is elsewhere reads it from its beginning.
            let skip = if focused { input.visual_scroll(room.saturating_sub(1)) } else { 0 };
            let (before, text) = visible(input.value(), skip);
            let room_left = room.saturating_sub(columns(before));
            let text = Untrusted::from(text);
            // It is masked letter by letter already, so that the cursor stands where it stood.
            let shown = Untrusted::in_full(|| text.shown_within(room_left));
            let shown = format!("{before}{shown}");
            let cursor = input.visual_cursor().saturating_sub(skip);
            (vec![Span::of(mark, exactly(&shown, room))], Some(cursor))
        }
        Entry::Amount(amount) => {
            let (text, role) = match amount.money() {
                Some(money) => (money.to_string(), Role::Money),
                None if amount.fault().is_some() => (format!("R$ {amount}"), Role::Bad),
                None => (Money::ZERO.to_string(), Role::Dim),
            };
            let end = columns(&text);
            (vec![Span::of(role, text)], Some(end))
        }
        Entry::Choice { options, chosen } => {
            let text = options.get(*chosen).map(|choice| choice_label(say, choice));
            let text = fit(&text.unwrap_or_default(), room.saturating_sub(12));
            let role = if focused { Role::Focus } else { Role::Text };
            let place = format!("  {}/{}", chosen + 1, options.len());
            (vec![Span::of(role, format!("‹ {text} ›")), Span::of(Role::Dim, place)], None)
        }
        Entry::Secret { len, .. } => {
            let room = room.min(46);
            let dots = "•".repeat((*len).min(room.saturating_sub(1)));
            let end = columns(&dots);
            (vec![Span::of(mark, exactly(&dots, room))], Some(end))
        }
    }
}

/// What is typed, masked; the cursor stays at its character.
fn masked(typed: &TextField) -> TextField {
    TextField::new(masked_typing(typed.value())).with_cursor(typed.cursor())
}

/// The text from column `skip` on, and before it the sign that it begins further to the left.
fn visible(text: &str, skip: usize) -> (&'static str, &str) {
    if skip == 0 {
        return ("", text);
    }
    let (hidden, rest) = split_at(text, skip + 1);
    match columns(hidden) > skip {
        true => ("…", rest),
        // A wide sign stands in the column of the mark, and in the next one.
        false => ("… ", split_at(text, skip + 2).1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_further_to_the_left_has_a_sign_for_that() {
        assert_eq!(visible("abcdef", 0), ("", "abcdef"));
        assert_eq!(visible("abcdef", 2), ("…", "def"));
        // Columns stay where they are, for the cursor is counted in them.
        assert_eq!(visible("a日bcd", 1), ("… ", "bcd"));
        assert_eq!(visible("a日bcd", 2), ("…", "bcd"));
    }
}
