//! The acts of a person: keys, pastes, clicks and the wheel.

use super::press::{click_button, press, select_row, show_pane};
use super::{act_in_front, front, is_read, is_searching, key_context, takes_text, try_in_front};
use crate::app::router::sight;
use crate::app::screen::{Focus, KeyContext, ScreenEvent, is_choice};
use crate::app::screens::Layer;
use crate::app::ui::action::Place;
use crate::app::ui::form::{Edited, Form, Limit, one_line};
use crate::app::ui::input::{Code, Input, Key, Pace};
use crate::app::ui::list::MOST_SEARCHED;
use crate::app::ui::{Action, Target};
use crate::app::{Effect, Model, Notice, Stamp};
use crate::trade::{AmountField, Untrusted};

/// Hears what a person did.
pub fn input(model: &mut Model, input: Input, at: &Stamp) -> Vec<Effect> {
    // What was said was about what was done before, and may stand where the keys do.
    if !matches!(input, Input::Resize(_)) {
        model.notice = None;
    }
    match input {
        Input::Resize(size) => {
            model.size = size;
            act_in_front(model, at, |screen, cx| screen.resize(cx))
        }
        Input::Key(key) => on_key(model, key, at),
        Input::Paste(text) => on_paste(model, &text, at),
        Input::Click { column, row } => on_click(model, column, row, at),
        Input::Wheel(notches) => on_wheel(model, notches, at),
    }
}

fn on_key(model: &mut Model, key: Key, at: &Stamp) -> Vec<Effect> {
    if key.is_digit() && is_read(model) {
        focus_amount(model);
    }
    // Before a choice, or an amount out of reach, takes it for its own.
    if is_next_key(model, key) {
        return press(model, Action::StoryNext, at);
    }
    if let Some(effects) = type_key(model, key, at) {
        return effects;
    }
    // Where something is being typed or agreed, a letter beside the field must not wander off.
    let context = key_context(model);
    let is_guarded = key.text().is_some() && context != KeyContext::List;
    let places = context.places().iter().copied();
    let places: Vec<_> =
        places.filter(|place| !(is_guarded && *place == Place::Anywhere)).collect();
    match model.setup.keys.action(&places, key) {
        Some(action) => press(model, action, at),
        None if takes_text(model) && key.text().is_none() => {
            // Function and control keys work while text is typed, as nothing else could mean them.
            let anywhere = model.setup.keys.action(&[Place::Anywhere], key);
            anywhere.map(|action| press(model, action, at)).unwrap_or_default()
        }
        None => vec![],
    }
}

/// A digit is for the amount that is to be typed again, wherever the focus stands.
fn focus_amount(model: &mut Model) {
    let Some(screen) = model.layers.last_mut().map(Layer::screen_mut) else { return };
    if screen.amount_mut().is_some()
        && let Some(buttons) = screen.buttons_mut()
    {
        buttons.focus = Focus::Amount;
    }
}

/// A paste is text and nothing else: it never presses, submits or confirms.
fn on_paste(model: &mut Model, text: &Untrusted, at: &Stamp) -> Vec<Effect> {
    if !model.layers.is_empty() {
        return act_in_front(model, at, |screen, cx| screen.paste(cx, text));
    }
    if !is_searching(model) {
        return vec![];
    }
    let pane = model.store.pane.screen();
    let store = &mut model.store;
    for c in one_line(text.raw()).chars() {
        let list = pane.list_mut(store);
        let edited = list.map(|list| list.type_key(Key::plain(Code::Char(c))));
        if edited == Some(Edited::Full) {
            store.say(Notice::Full(Limit::Characters(MOST_SEARCHED)));
            break;
        }
    }
    act_in_front(model, at, |screen, cx| _ = screen.on_event(cx, ScreenEvent::Load))
}

fn on_click(model: &mut Model, column: u16, row: u16, at: &Stamp) -> Vec<Effect> {
    // What the last frame had under this cell, as long as that is still in front.
    let targets = sight::in_front(model).map_or(&[][..], |seen| &seen.targets);
    let clicked = targets.iter().find(|(area, _)| area.contains(column, row));
    match clicked.map(|(_, target)| *target) {
        Some(Target::Tab(pane)) => show_pane(model, pane, at),
        Some(Target::Row(row)) => select_row(model, row, at),
        Some(Target::Field(field)) => {
            let screen = model.layers.last_mut().map(Layer::screen_mut);
            let idle = screen.filter(|screen| screen.wait().is_none());
            if let Some(form) = idle.and_then(|screen| screen.form_mut()) {
                form.focus = field;
            }
            vec![]
        }
        Some(Target::Submit) => press(model, Action::Submit, at),
        Some(Target::Button(button)) => click_button(model, button, at),
        Some(Target::Hint(action)) => press(model, action, at),
        None => vec![],
    }
}

fn on_wheel(model: &mut Model, notches: i16, at: &Stamp) -> Vec<Effect> {
    let (action, times) = match notches {
        0 => return vec![],
        down if down > 0 => (Action::Down, down),
        up => (Action::Up, up.saturating_neg()),
    };
    (0..times.min(20)).flat_map(|_| press(model, action, at)).collect()
}

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

/// The key that goes on with the story on the screen in front, if one does.
pub fn next_key(model: &Model) -> Option<Key> {
    let keys = model.setup.keys.keys(Action::StoryNext);
    keys.iter().copied().find(|key| goes_on(model, *key))
}

/// Returns true when this key goes on with the story now.
pub fn is_next_key(model: &Model, key: Key) -> bool {
    model.setup.keys.keys(Action::StoryNext).contains(&key) && goes_on(model, key)
}

/// Whoever presents has an eye on the audience: the key means the same on every screen. A page has
/// another key; whatever else the key is bound to here, it still does. Nobody goes on to a caption
/// that is not seen.
fn goes_on(model: &Model, key: Key) -> bool {
    let is_typed = key.text().is_some() && takes_text(model);
    let does = model.setup.keys.action(key_context(model).places(), key);
    model.story.can_go_on()
        && !is_typed
        && !front(model, |screen, store| screen.links(store).hides_caption)
        && matches!(does, None | Some(Action::StoryNext | Action::PageDown))
}
