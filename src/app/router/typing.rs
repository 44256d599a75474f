//! Typing: text goes to the field with the focus.

use super::{is_read, takes_text, try_in_front};
use crate::app::screen::{Focus, is_choice};
use crate::app::screens::Layer;
use crate::app::ui::form::{Edited, Form, Limit};
use crate::app::ui::input::{Code, Key, Pace};
use crate::app::{Effect, Model, Notice, Stamp};
use crate::trade::AmountField;

/// Gives a key to what is being typed; `None` when it is no text and no editing key there.
pub fn type_key(model: &mut Model, key: Key, at: &Stamp) -> Option<Vec<Effect>> {
    let is_seen = is_read(model);
    if at.pace == (Pace::Text { begins: true })
        && let Some(amount) = focused_amount(model)
    {
        // Characters that come at once are a paste, though the terminal does not say so.
        amount.begin_text();
    }
    if let Some(screen) = model.layers.last_mut().map(Layer::screen_mut)
        && let Some(focus) = screen.focus()
    {
        if focus != Focus::Amount {
            return None;
        }
        // An amount that is typed again answers what a frame showed, and nothing that came since.
        if !is_seen {
            return key.text().map(|_| vec![]);
        }
        let edited = edit_again(screen.amount_mut()?, key);
        if edited == Edited::Full {
            model.say(Notice::Full(Limit::Amount(AmountField::most())));
        }
        return (edited != Edited::Ignored).then(Vec::new);
    }
    if !takes_text(model) && idle_form(model).is_none_or(Form::on_button) {
        return None;
    }
    try_in_front(model, at, |screen, cx| screen.type_key(cx, key))
}

/// An amount that is typed again takes letters and is mended, and nothing more: whatever else an
/// amount's own field does is for the buttons beside this one.
fn edit_again(field: &mut AmountField, key: Key) -> Edited {
    match key.code {
        Code::Char(c) if key.text().is_some() => match field.push(c) {
            false if c.is_ascii_digit() => Edited::Full,
            _ => Edited::Taken,
        },
        Code::Backspace => {
            field.backspace();
            Edited::Taken
        }
        _ => Edited::Ignored,
    }
}

/// The amount that is being typed, in a form or again.
fn focused_amount(model: &mut Model) -> Option<&mut AmountField> {
    let is_idle = idle_form(model).is_some();
    let screen = model.layers.last_mut()?.screen_mut();
    match screen.focus() {
        Some(Focus::Amount) => screen.amount_mut(),
        Some(_) => None,
        None => screen.form_mut().filter(|_| is_idle)?.focused_mut()?.amount_mut(),
    }
}

fn idle_form(model: &Model) -> Option<&Form> {
    let screen = model.layers.last()?.screen();
    screen.form().filter(|_| screen.wait().is_none())
}

pub fn is_choosing(model: &Model) -> bool {
    idle_form(model).is_some_and(is_choice)
}
