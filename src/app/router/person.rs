//! The acts of a person: keys, pastes, clicks and the wheel.

use super::press::{click_button, press, select_row, show_pane};
use super::typing::type_key;
use super::{act_in_front, is_read, is_searching, key_context, story, takes_text};
use crate::app::router::sight;
use crate::app::screen::{Focus, ScreenEvent};
use crate::app::screens::Layer;
use crate::app::ui::action::Place;
use crate::app::ui::form::{Edited, Limit};
use crate::app::ui::input::{Code, Input, Key};
use crate::app::ui::list::MOST_SEARCHED;
use crate::app::ui::one_line::one_line;
use crate::app::ui::{Action, Target};
use crate::app::{Effect, Model, Notice, Stamp};
use crate::trade::Untrusted;

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
    if story::is_next_key(model, key) {
        return press(model, Action::StoryNext, at);
    }
    if let Some(effects) = type_key(model, key, at) {
        return effects;
    }
    // Where something is being typed or agreed, a letter beside the field must not wander off.
    let context = key_context(model);
    let is_guarded = key.text().is_some() && context.keeps_letters();
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
    match clicked(model, column, row) {
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

/// Returns what the last frame had under this cell, as long as that is still in front.
fn clicked(model: &Model, column: u16, row: u16) -> Option<Target> {
    let targets = &sight::in_front(model)?.targets;
    targets.iter().find(|(area, _)| area.contains(column, row)).map(|(_, target)| *target)
}

fn on_wheel(model: &mut Model, notches: i16, at: &Stamp) -> Vec<Effect> {
    let (action, times) = match notches {
        0 => return vec![],
        down if down > 0 => (Action::Down, down),
        up => (Action::Up, up.saturating_neg()),
    };
    (0..times.min(20)).flat_map(|_| press(model, action, at)).collect()
}
