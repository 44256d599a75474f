//! The user's input: key presses, pastes, clicks and the mouse wheel. Start reading at [`input`].

use super::press::{click_button, not_here, press, select_row, show_pane};
use super::{
    act_in_front, actions, is_read, is_searching, key_context, takes_text, try_in_front,
    unattended, with_front_screen,
};
use crate::app::router::read_tracker;
use crate::app::screen::{Focus, KeyContext, ScreenEvent, is_choice};
use crate::app::screens::Layer;
use crate::app::store::{kiosk, shown_keys};
use crate::app::ui::action::KeyScope;
use crate::app::ui::form::{Edited, Form, Limit, one_line, push_amount};
use crate::app::ui::input::{Code, Input, Key, Pace};
use crate::app::ui::list::MAX_SEARCHED;
use crate::app::ui::{Action, Target};
use crate::app::{Effect, Model, Notice, Stamp};
use crate::trade::{AmountField, Untrusted};

/// Handles the user's input.
pub fn input(model: &mut Model, input: Input, stamp: &Stamp) -> Vec<Effect> {
    if let Some(effects) = unattended::input(model, &input) {
        return effects;
    }
    // The notice is about the previous action and may cover the key hints, so clear it.
    if !matches!(input, Input::Resize(_)) {
        model.notice = None;
    }
    match input {
        Input::Resize(size) => {
            model.size = size;
            act_in_front(model, stamp, |screen, cx| screen.resize(cx))
        }
        Input::Key(key) => on_key(model, key, stamp),
        Input::Paste(text) => on_paste(model, &text, stamp),
        Input::Click { column, row } => on_click(model, column, row, stamp),
        Input::Wheel(notches) => on_wheel(model, notches, stamp),
        Input::Action(action) => press(model, action, stamp),
    }
}

/// Handles a key press.
pub fn on_key(model: &mut Model, key: Key, stamp: &Stamp) -> Vec<Effect> {
    show_key(model, key);
    continue_typed_text(model, key);
    if key.is_digit() && is_read(model) {
        focus_amount(model);
    }
    // Check for the key of the demo's story first. Otherwise a choice field or the amount field
    // would use the key.
    if is_story_key(model, key) {
        return press(model, Action::StoryNext, stamp);
    }
    let now_ms = model.now.boot_ms;
    if let Some(effects) = type_key(model, key, stamp) {
        if key.text().is_some() {
            model.typed_text.add_character(now_ms);
        }
        return effects;
    }
    // In a form or a dialog, a letter must not run a global action: the user may mean to type it.
    let context = key_context(model);
    let is_guarded = key.text().is_some() && context != KeyContext::List;
    let scopes = context.scopes().iter().copied();
    let scopes: Vec<_> = scopes
        .filter(|scope| !(is_guarded && *scope == KeyScope::Anywhere))
        .collect();
    let action = model.setup.keys.action(&scopes, key);
    if key.text().is_some() && !action.is_some_and(|action| has_use(model, action)) {
        model.typed_text.add_character(now_ms);
        focus_back(model);
    }
    match action {
        Some(action) => press(model, action, stamp),
        None if takes_text(model) && key.text().is_none() => {
            // Keys that cannot be text, such as F1, run global actions even while a text field has
            // the focus.
            let global_action = model.setup.keys.action(&[KeyScope::Anywhere], key);
            global_action
                .map(|action| press(model, action, stamp))
                .unwrap_or_default()
        }
        None if context == KeyContext::List => {
            // A key that works only in forms does nothing here. A notice explains the key.
            let form_action = model.setup.keys.action(&[KeyScope::Forms], key);
            form_action
                .map(|action| not_here(model, action))
                .unwrap_or_default()
        }
        None => vec![],
    }
}

/// Counts a key as part of the text that is being typed.
///
/// While no dialog is open, a key that a pasted text cannot contain, such as Esc or Ctrl-S, ends
/// the text: a person is typing. In a dialog only a pause ends it.
fn continue_typed_text(model: &mut Model, key: Key) {
    if !key.may_be_pasted() {
        end_typed_text(model);
    }
    let now_ms = model.now.boot_ms;
    model.typed_text.add_key(now_ms);
}

/// Ends the text that is being typed, unless a dialog is open.
fn end_typed_text(model: &mut Model) {
    let is_dialog_open = model
        .layers
        .iter()
        .any(|layer| layer.screen().buttons().is_some());
    if !is_dialog_open {
        model.typed_text.end();
    }
}

/// True if a key for this action does something on the front screen. Actions that belong to some
/// panes work only while they are offered.
fn has_use(model: &Model, action: Action) -> bool {
    action.panes().is_empty() || actions(model).contains(&action)
}

/// Moves the focus of a dialog to the harmless button, because a character was typed that has no
/// use there.
fn focus_back(model: &mut Model) {
    let screen = model.layers.last_mut().map(Layer::screen_mut);
    if let Some(buttons) = screen.and_then(|screen| screen.buttons_mut()) {
        buttons.focus = Focus::Back;
    }
}

/// Shows a pressed key to the audience of a demo, unless it is typed into a secret field.
///
/// Keys typed into a secret field normally stay in the runtime. While the form waits for a reply,
/// they arrive here.
fn show_key(model: &mut Model, key: Key) {
    let form = model.layers.last().and_then(|layer| layer.screen().form());
    let is_secret = key.text().is_some() && form.is_some_and(|form| form.secret_slot().is_some());
    shown_keys::press(model, Some(key).filter(|_| !is_secret));
}

/// Moves the focus to the field for retyping the amount, if the dialog has one, before a digit is
/// typed.
fn focus_amount(model: &mut Model) {
    let Some(screen) = model.layers.last_mut().map(Layer::screen_mut) else {
        return;
    };
    if screen.amount_mut().is_some()
        && let Some(buttons) = screen.buttons_mut()
    {
        buttons.focus = Focus::Amount;
    }
}

/// Handles a paste as plain text. A paste never presses a button, submits a form or confirms terms.
fn on_paste(model: &mut Model, text: &Untrusted, stamp: &Stamp) -> Vec<Effect> {
    if !model.layers.is_empty() {
        return act_in_front(model, stamp, |screen, cx| screen.paste(cx, text));
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
            store.notify(Notice::Full(Limit::Characters(MAX_SEARCHED)));
            break;
        }
    }
    act_in_front(model, stamp, |screen, cx| {
        _ = screen.on_event(cx, ScreenEvent::Load)
    })
}

fn on_click(model: &mut Model, column: u16, row: u16, stamp: &Stamp) -> Vec<Effect> {
    end_typed_text(model);
    // Use the click targets of the last frame, unless that frame showed another front screen.
    let targets = read_tracker::in_front(model).map_or(&[][..], |frame| &frame.targets);
    let clicked = targets.iter().find(|(area, _)| area.contains(column, row));
    match clicked.map(|(_, target)| *target) {
        Some(Target::Tab(pane)) => show_pane(model, pane, stamp),
        Some(Target::Row(row)) => select_row(model, row, stamp),
        Some(Target::Field(field)) => {
            let screen = model.layers.last_mut().map(Layer::screen_mut);
            let idle_screen = screen.filter(|screen| screen.wait().is_none());
            if let Some(form) = idle_screen.and_then(|screen| screen.form_mut()) {
                form.focus = field;
            }
            vec![]
        }
        Some(Target::Submit) => press(model, Action::Submit, stamp),
        Some(Target::Button(button)) => click_button(model, button, stamp),
        Some(Target::Hint(action)) => press(model, action, stamp),
        None => vec![],
    }
}

fn on_wheel(model: &mut Model, notches: i16, stamp: &Stamp) -> Vec<Effect> {
    let (action, times) = match notches {
        0 => return vec![],
        down if down > 0 => (Action::Down, down),
        up => (Action::Up, up.saturating_neg()),
    };
    (0..times.min(20))
        .flat_map(|_| press(model, action, stamp))
        .collect()
}

/// Types a key into the focused field. Returns `None` if the key does nothing in this field.
pub fn type_key(model: &mut Model, key: Key, stamp: &Stamp) -> Option<Vec<Effect>> {
    let are_terms_read = is_read(model);
    if let Some(screen) = model.layers.last_mut().map(Layer::screen_mut)
        && let Some(focus) = screen.focus()
    {
        if focus != Focus::Amount {
            return None;
        }
        // Ignore digits until all terms were rendered, because typing the amount confirms that the
        // seller has read them.
        if !are_terms_read {
            return key.text().map(|_| vec![]);
        }
        let edited = edit_retyped_amount(screen.amount_mut()?, key, stamp.pace);
        if edited == Edited::Full {
            model.notify(Notice::Full(Limit::Amount(AmountField::max_amount())));
        }
        return (edited != Edited::Ignored).then(Vec::new);
    }
    if !takes_text(model) && idle_form(model).is_none_or(Form::is_on_button) {
        return None;
    }
    try_in_front(model, stamp, |screen, cx| screen.type_key(cx, key))
}

/// Handles a key in the field where the seller retypes the amount. Only characters and Backspace
/// are handled, because all other keys belong to the buttons.
fn edit_retyped_amount(field: &mut AmountField, key: Key, pace: Pace) -> Edited {
    match key.code {
        Code::Char(c) if key.text().is_some() => {
            if !push_amount(field, c, pace) && c.is_ascii_digit() {
                Edited::Full
            } else {
                Edited::Unchanged
            }
        }
        Code::Backspace => {
            field.backspace();
            Edited::Unchanged
        }
        _ => Edited::Ignored,
    }
}

fn idle_form(model: &Model) -> Option<&Form> {
    let screen = model.layers.last()?.screen();
    screen.form().filter(|_| screen.wait().is_none())
}

pub fn is_choosing(model: &Model) -> bool {
    idle_form(model).is_some_and(is_choice)
}

/// The key that advances the demo's guided story on the front screen, if there is one.
pub fn story_key(model: &Model) -> Option<Key> {
    if kiosk::is_story_autoplaying(&model.store) {
        return None;
    }
    let keys = model.setup.keys.keys(Action::StoryNext);
    keys.iter()
        .copied()
        .find(|key| continues_story(model, *key))
}

/// True if this key advances the demo's guided story now.
pub fn is_story_key(model: &Model, key: Key) -> bool {
    model.setup.keys.keys(Action::StoryNext).contains(&key) && continues_story(model, key)
}

/// True if this key may advance the demo's guided story.
///
/// The presenter uses the same key on every screen. It takes precedence over paging down, but not
/// over typing or another action. While the story's caption is hidden, it does nothing.
fn continues_story(model: &Model, key: Key) -> bool {
    let is_typed = key.text().is_some() && takes_text(model);
    let bound_action = model.setup.keys.action(key_context(model).scopes(), key);
    model.story.can_go_on()
        && !is_typed
        && !with_front_screen(model, |screen, store| screen.links(store).hides_caption)
        && matches!(
            bound_action,
            None | Some(Action::StoryNext | Action::PageDown)
        )
}
