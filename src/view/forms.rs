//! Forms: labels, fields, what is wrong with them, and the submitting button.

use ratatui::Frame;
use ratatui::text::{Line, Span};

use super::parts::{self, LABEL, put};
use super::text::{columns, exactly, fit};
use super::{Look, Role, failure};
use crate::app::form::{Choice, ChoiceLabel, Entry, Field, FieldError, Form, Hint, Label};
use crate::app::geometry::{self, Area};
use crate::app::layer::Layer;
use crate::contract::FieldFault;
use crate::trade::{Money, Untrusted};
use crate::words::Lang;

/// The label in the language of the run.
pub(super) fn label(look: &Look, label: &Label) -> String {
    match label {
        Label::Word(id) => look.say(id),
        Label::Said { pt, en } => {
            let said = if look.words.lang() == Lang::Pt { pt } else { en };
            // A contract is a file that anybody may have written.
            Untrusted::from(&**said).shown()
        }
    }
}

/// What a choice is called.
pub(super) fn choice_label(look: &Look, choice: &Choice) -> String {
    match &choice.label {
        ChoiceLabel::Label(said) => label(look, said),
        ChoiceLabel::Theirs(text) => text.shown(),
    }
}

/// Draws the form of a layer; gives what is left below its button.
pub(super) fn draw(
    look: &Look,
    layer: &Layer,
    form: &Form,
    submit: &str,
    body: Area,
    frame: &mut Frame,
) -> Area {
    let areas = geometry::form(layer, form, body);
    let labels = label_columns(look, form, body);
    for (n, (field, area)) in form.fields.iter().zip(&areas.fields).enumerate() {
        if area.height > 0 {
            let focused = n == form.focus;
            draw_field(look, field, focused, area.split_left(labels), areas.said[n], frame);
        }
    }
    if areas.button.height > 0 {
        let (_, button) = areas.button.split_left(labels);
        let room = usize::from(button.width);
        put(vec![parts::button_line(look, submit, form.on_button(), room)], button, frame);
        if form.on_button() && button.width > 2 {
            frame.set_cursor_position((button.x + 2, button.y));
        }
    }
    areas.below
}

/// The labels' column: as wide as the widest of them wants, and never more than half the room.
fn label_columns(look: &Look, form: &Form, area: Area) -> u16 {
    let widest = form.fields.iter().map(|field| columns(&label(look, &field.label)) + 2).max();
    let wanted = widest.unwrap_or(0).max(LABEL);
    u16::try_from(wanted).unwrap_or(u16::MAX).min(area.width / 2)
}

fn draw_field(
    look: &Look,
    field: &Field,
    focused: bool,
    (label_area, value_area): (Area, Area),
    below: Area,
    frame: &mut Frame,
) {
    let name = label(look, &field.label);
    let role = if focused { Role::Strong } else { Role::Dim };
    let name = fit(&name, usize::from(label_area.width).saturating_sub(1));
    put(vec![look.line(role, name)], label_area, frame);
    let room = usize::from(value_area.width);
    let said = beside(look, field);
    let aside = said.as_ref().filter(|_| below.height == 0);
    // Room is kept for the word beside a field that may stay empty, or for what is said there, and
    // never so much that nothing is left of the field.
    let optional = if field.required { 0 } else { columns(&look.say("field-optional")) + 2 };
    let kept = aside.map_or(optional, |(_, said)| (columns(said) + 2).max(optional).min(room / 2));
    let (spans, cursor) = value(look, field, focused, room.saturating_sub(kept));
    let mut line = Line::from(spans);
    if !field.required && field.is_empty() && aside.is_none() {
        line.push_span(look.span(Role::Dim, format!(" {}", look.say("field-optional"))));
    }
    if let Some((role, said)) = aside {
        let left = room.saturating_sub(line.width() + 2);
        line.push_span(look.span(*role, format!("  {}", fit(said, left))));
    }
    put(vec![line], value_area, frame);
    if let Some((role, said)) = &said {
        let said = fit(said, usize::from(below.width));
        // Under the value, and further to the left where it needs the room.
        let width = u16::try_from(columns(&said)).unwrap_or(u16::MAX).max(value_area.width);
        let (_, place) = below.split_left(below.width.saturating_sub(width));
        put(vec![look.line(*role, said)], place, frame);
    }
    if let (true, Some(cursor)) = (focused, cursor) {
        let last = value_area.right().saturating_sub(1);
        let x = value_area.x.saturating_add(u16::try_from(cursor).unwrap_or(u16::MAX)).min(last);
        frame.set_cursor_position((x, value_area.y));
    }
}

/// What is said of a field: what is wrong with it, or a hint.
fn beside(look: &Look, field: &Field) -> Option<(Role, String)> {
    match (&field.error, &field.hint) {
        // Why it is no key of this kind helps nobody who typed one of another.
        (Some(FieldError::Fault(FieldFault::Key(_))), Some(hint @ Hint::OtherKind(_))) => {
            Some((Role::Bad, failure::field_hint(look, hint)))
        }
        (Some(error), _) => Some((Role::Bad, failure::field_error(look, error))),
        (None, Some(hint)) => Some((Role::Warn, failure::field_hint(look, hint))),
        (None, None) => None,
    }
}

/// The value as it is shown, and the column of the text cursor in it.
fn value(
    look: &Look,
    field: &Field,
    focused: bool,
    room: usize,
) -> (Vec<Span<'static>>, Option<usize>) {
    let mark = if focused { Role::Strong } else { Role::Field };
    match &field.entry {
        Entry::Text { input, .. } => {
            let room = room.min(46);
            let skip = input.visual_scroll(room.saturating_sub(1));
            let text = visible(input.value(), skip);
            let shown = Untrusted::from(text).shown_within(room);
            let cursor = input.visual_cursor().saturating_sub(skip);
            (vec![look.span(mark, exactly(&shown, room))], Some(cursor))
        }
        Entry::Amount(amount) => {
            let text = amount.money().unwrap_or(Money::ZERO).to_string();
            let role = if amount.is_empty() { Role::Dim } else { Role::Money };
            let end = columns(&text);
            (vec![look.span(role, text)], Some(end))
        }
        Entry::Choice { options, chosen } => {
            let text = options.get(*chosen).map(|choice| choice_label(look, choice));
            let text = fit(&text.unwrap_or_default(), room.saturating_sub(12));
            let role = if focused { Role::Focus } else { Role::Text };
            let place = format!("  {}/{}", chosen + 1, options.len());
            (vec![look.span(role, format!("‹ {text} ›")), look.span(Role::Dim, place)], None)
        }
        Entry::Secret { len, .. } => {
            let room = room.min(46);
            let dots = "•".repeat((*len).min(room.saturating_sub(1)));
            let end = columns(&dots);
            (vec![look.span(mark, exactly(&dots, room))], Some(end))
        }
    }
}

/// The text from column `skip` on.
fn visible(text: &str, skip: usize) -> &str {
    super::text::split_at(text, skip).1
}
