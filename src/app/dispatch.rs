//! From what a person does to what they ask for.
//!
//! Text goes to the field with the focus; every other key is looked up in the one table of keys.

use super::action::{Action, Place};
use super::form::{Edited, Limit};
use super::input::{Code, Input, Key};
use super::layer::Layer;
use super::list::List;
use super::one_line::one_line;
use super::ui::Target;
use super::withdrawals::{Flow, ReviewFocus};
use super::{
    Effect, Model, Pane, Said, Stamp, act, buttons, geometry, legible, offers, palette, seen,
    withdrawals,
};
use crate::trade::{AmountField, Untrusted};

/// The most characters that are searched for in a list.
const MOST_SEARCHED: usize = 80;

/// Hears what a person did.
pub fn input(model: &mut Model, input: Input, stamp: &Stamp) -> Vec<Effect> {
    match input {
        Input::Resize(size) => {
            model.size = size;
            legible::resized(model);
            vec![]
        }
        Input::Key(key) => {
            model.notice = None;
            on_key(model, key, stamp)
        }
        Input::Paste(text) => on_paste(model, &text),
        Input::Click { column, row } => on_click(model, column, row, stamp),
        Input::Wheel(notches) => on_wheel(model, notches, stamp),
    }
}

fn on_key(model: &mut Model, key: Key, stamp: &Stamp) -> Vec<Effect> {
    if key.is_digit() && offers::can_agree(model) {
        focus_retyped(model);
    }
    if let Some(effects) = type_into_focus(model, key) {
        return effects;
    }
    // Where something is being typed or agreed, a letter beside the field must not wander off.
    let guarded = key.text().is_some()
        && model.layers.last().is_some_and(|layer| {
            layer.form().is_some()
                || matches!(layer, Layer::Ask(_) | Layer::NotPaid(_) | Layer::Palette(_))
                || matches!(layer, Layer::MoneyLines(reading) if reading.has_button())
                || matches!(layer, Layer::Send(_) | Layer::Withdraw(Flow::Review(_)))
        });
    let places: Vec<Place> = offers::places(model)
        .iter()
        .copied()
        .filter(|place| !(guarded && *place == Place::Anywhere))
        .collect();
    match model.setup.keys.action(&places, key) {
        Some(action) => act::act(model, action, stamp),
        None if offers::takes_text(model) && key.text().is_none() => {
            // Function and control keys work while text is typed, as nothing else could mean them.
            let anywhere = model.setup.keys.action(&[Place::Anywhere], key);
            anywhere.map(|action| act::act(model, action, stamp)).unwrap_or_default()
        }
        None => vec![],
    }
}

/// A digit is for the amount that is to be typed again, wherever the focus stands.
fn focus_retyped(model: &mut Model) {
    match model.layers.last_mut() {
        Some(Layer::Withdraw(Flow::Review(review))) if review.retype.is_some() => {
            review.focus = ReviewFocus::Amount;
        }
        Some(Layer::Send(question)) if question.retype.is_some() => {
            question.focus = ReviewFocus::Amount;
        }
        Some(Layer::NotPaid(statement)) => statement.focus = ReviewFocus::Amount,
        _ => {}
    }
}

/// Gives a key to what is being typed; `None` when it is no text and no editing key there.
fn type_into_focus(model: &mut Model, key: Key) -> Option<Vec<Effect>> {
    if !offers::takes_text(model) && !choice_has_focus(model) {
        return None;
    }
    let rows = geometry::page_rows(model);
    let is_seen = offers::can_agree(model);
    match model.layers.last_mut() {
        Some(Layer::Palette(palette)) => {
            let typed = palette::type_key(palette, rows, key);
            match typed {
                Edited::Changed => palette::find(model),
                Edited::Full => model.notice = Some(Said::Full(Limit::Characters(palette::MOST))),
                Edited::Taken | Edited::Ignored => {}
            }
            (typed != Edited::Ignored).then(Vec::new)
        }
        // An amount that is typed again answers what a frame showed, and nothing that came since.
        Some(Layer::Withdraw(Flow::Review(_)) | Layer::Send(_) | Layer::NotPaid(_)) if !is_seen => {
            key.text().map(|_| vec![])
        }
        Some(Layer::Withdraw(Flow::Review(review))) if review.focus == ReviewFocus::Amount => {
            let edited = edit_retyped(&mut review.retype.as_mut()?.field, key);
            typed_amount(model, edited)
        }
        Some(Layer::Send(question)) if question.focus == ReviewFocus::Amount => {
            let edited = edit_retyped(&mut question.retype.as_mut()?.field, key);
            typed_amount(model, edited)
        }
        Some(Layer::NotPaid(statement)) => {
            let edited = edit_retyped(&mut statement.field, key);
            typed_amount(model, edited)
        }
        Some(layer) => {
            let edited = layer.form_mut()?.edit(key);
            let effects = match layer {
                Layer::Withdraw(Flow::Form(_)) if edited == Edited::Changed => {
                    withdrawals::flow::edited(model)
                }
                _ => vec![],
            };
            (edited != Edited::Ignored).then_some(effects)
        }
        None => match type_into_search(model, key) {
            Edited::Ignored => None,
            Edited::Taken => Some(vec![]),
            Edited::Full => {
                model.notice = Some(Said::Full(Limit::Characters(MOST_SEARCHED)));
                Some(vec![])
            }
            Edited::Changed => Some(act::reload(model)),
        },
    }
}

/// An amount that is typed again takes letters and is mended, and nothing more: whatever else an
/// amount's own field does is for the buttons beside this one.
fn edit_retyped(field: &mut AmountField, key: Key) -> Edited {
    match key.code {
        Code::Char(c) if key.text().is_some() => match field.push_digit(c) {
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

/// What follows from a key in it; the notice names the limit, as beside the field there may be no
/// room for it.
fn typed_amount(model: &mut Model, edited: Edited) -> Option<Vec<Effect>> {
    if edited == Edited::Full {
        model.notice = Some(Said::Full(Limit::Amount(AmountField::most())));
    }
    (edited != Edited::Ignored).then(Vec::new)
}

/// Chooses the next or the one before in the choice that has the focus.
pub fn choose(model: &mut Model, forward: bool) -> Vec<Effect> {
    if !offers::is_choosing(model) {
        return vec![];
    }
    let code = if forward { Code::Right } else { Code::Left };
    type_into_focus(model, Key::plain(code)).unwrap_or_default()
}

fn choice_has_focus(model: &Model) -> bool {
    let form = model.layers.last().filter(|layer| layer.wait().is_none()).and_then(Layer::form);
    form.is_some_and(|form| form.focused().is_some())
}

fn type_into_search(model: &mut Model, key: Key) -> Edited {
    fn into<T>(list: &mut List<T>, key: Key) -> Edited {
        let edited = super::form::edit_text(&mut list.query, MOST_SEARCHED, key);
        if edited == Edited::Changed {
            list.cursor = 0;
        }
        edited
    }
    match model.pane {
        Pane::Links => into(&mut model.links.list, key),
        Pane::Withdrawals => into(&mut model.withdrawals.list, key),
        Pane::Charges => into(&mut model.charges, key),
        Pane::Domains | Pane::Exchanges | Pane::Account => Edited::Ignored,
    }
}

/// A paste is text and nothing else: it never presses, submits or confirms.
fn on_paste(model: &mut Model, text: &Untrusted) -> Vec<Effect> {
    let now_ms = model.now.boot_ms;
    if model.layers.is_empty() {
        return paste_into_search(model, text);
    }
    match model.layers.last_mut() {
        Some(Layer::Withdraw(Flow::Review(review))) => {
            review.armed_at_ms = review.armed_at_ms.max(now_ms + withdrawals::review::DEAD_MS);
            vec![]
        }
        Some(Layer::Send(question)) => {
            question.armed_at_ms = question.armed_at_ms.max(now_ms + withdrawals::review::DEAD_MS);
            vec![]
        }
        Some(Layer::NotPaid(statement)) => {
            withdrawals::statement::pasted(statement, now_ms);
            vec![]
        }
        Some(Layer::MoneyLines(reading)) => {
            let dead_until_ms = now_ms + withdrawals::review::DEAD_MS;
            reading.armed_at_ms = reading.armed_at_ms.max(dead_until_ms);
            vec![]
        }
        Some(layer) if layer.wait().is_some() => vec![],
        Some(layer) => {
            if let Some(form) = layer.form_mut() {
                form.paste(text);
            }
            match layer {
                Layer::Withdraw(Flow::Form(_)) => withdrawals::flow::edited(model),
                _ => vec![],
            }
        }
        None => vec![],
    }
}

fn paste_into_search(model: &mut Model, text: &Untrusted) -> Vec<Effect> {
    if !offers::is_searching(model) {
        return vec![];
    }
    for c in one_line(text.raw()).chars() {
        if type_into_search(model, Key::plain(Code::Char(c))) == Edited::Full {
            model.notice = Some(Said::Full(Limit::Characters(MOST_SEARCHED)));
            break;
        }
    }
    act::reload(model)
}

fn on_click(model: &mut Model, column: u16, row: u16, stamp: &Stamp) -> Vec<Effect> {
    match clicked(model, column, row) {
        Some(Target::Tab(pane)) => act::go_to(model, pane),
        Some(Target::Row(row)) => act::select_row(model, row, stamp),
        Some(Target::Field(field)) => {
            let layer = model.layers.last_mut().filter(|layer| layer.wait().is_none());
            if let Some(form) = layer.and_then(Layer::form_mut) {
                form.focus = field;
            }
            vec![]
        }
        Some(Target::Submit) => act::act(model, Action::Submit, stamp),
        Some(Target::Button(button)) => buttons::click(model, button, stamp),
        None => vec![],
    }
}

/// What the last frame had under this cell, as long as that is still in front.
fn clicked(model: &Model, column: u16, row: u16) -> Option<Target> {
    let targets = &seen::in_front(model)?.targets;
    targets.iter().find(|(area, _)| area.contains(column, row)).map(|(_, target)| *target)
}

fn on_wheel(model: &mut Model, notches: i16, stamp: &Stamp) -> Vec<Effect> {
    let (action, times) = match notches {
        0 => return vec![],
        down if down > 0 => (Action::Down, down),
        up => (Action::Up, up.saturating_neg()),
    };
    (0..times.min(20)).flat_map(|_| act::act(model, action, stamp)).collect()
}
