//! The steps that are safe now, each with its key and one sentence.

use ratatui::text::Line;

use crate::app::action::Action;
use crate::app::{Model, offers};
use crate::trade::Withdrawal;
use crate::trade::withdrawal::State;
use crate::view::text::{columns, exactly, wrap};
use crate::view::{Look, Role};

/// Columns of a key and the space behind it.
const KEY: usize = 4;

/// Columns of what a step is called.
const NAME: usize = 31;

/// The steps as lines, and what is said where there are fewer than one would expect.
pub(super) fn lines(
    model: &Model,
    look: &Look,
    withdrawal: &Withdrawal,
    width: usize,
) -> Vec<Line<'static>> {
    let state = model.state_of(withdrawal);
    let mut lines = vec![look.line(Role::Strong, look.say("outcome-steps"))];
    for action in offers::with_withdrawal(model, withdrawal) {
        if let Some((name, why)) = words(action, &state) {
            let key = model.setup.keys.keys(action).first().map(ToString::to_string);
            lines.extend(step(look, &key.unwrap_or_default(), [name, why], width));
        }
    }
    for id in remarks(model, withdrawal, &state) {
        let said = wrap(&look.say(id), width);
        lines.extend(said.into_iter().map(|line| look.line(Role::Dim, line)));
    }
    lines
}

fn words(action: Action, state: &State) -> Option<(&'static str, &'static str)> {
    match action {
        Action::Refresh if *state == State::Prepared => Some(("step-send", "step-send-why")),
        Action::Refresh => Some(("step-send-again", "step-send-again-why")),
        Action::Discard => Some(("step-discard", "step-discard-why")),
        Action::Found => Some(("step-found", "step-found-why")),
        Action::Copy => Some(("step-copy-key", "step-copy-key-why")),
        _ => None,
    }
}

fn remarks(model: &Model, withdrawal: &Withdrawal, state: &State) -> Vec<&'static str> {
    if state.is_decided() {
        return Vec::new();
    }
    let mut remarks = Vec::new();
    let beside_open = offers::another_open(model, withdrawal).is_some();
    if model.withdrawals.trouble.is_some() {
        remarks.push("step-locked");
    } else if model.withdrawals.in_flight.is_some() && !matches!(state, State::Sending(_)) {
        remarks.push("step-busy");
    } else if model.withdrawals.is_busy_elsewhere(&withdrawal.agreement.account)
        && !matches!(state, State::Sending(_))
    {
        remarks.push("step-busy-elsewhere");
    } else if *state == State::Prepared && beside_open {
        remarks.push("step-other-open");
    } else if matches!(state, State::NeedsPerson(_) | State::Mismatch(_)) {
        remarks.push("step-not-found");
    }
    remarks
}

/// A step on one line where its sentence fits beside it, on two otherwise.
fn step(look: &Look, key: &str, [name, why]: [&str; 2], width: usize) -> Vec<Line<'static>> {
    let (name, why) = (look.say(name), look.say(why));
    let key = look.span(Role::Key, exactly(key, KEY));
    if KEY + NAME + columns(&why) <= width {
        let name = look.span(Role::Text, exactly(&name, NAME));
        return vec![Line::from(vec![key, name, look.span(Role::Dim, why)])];
    }
    let room = width.saturating_sub(KEY);
    let mut lines = vec![Line::from(vec![key, look.span(Role::Text, name)])];
    for line in wrap(&why, room) {
        lines.push(look.line(Role::Dim, format!("{}{line}", " ".repeat(KEY))));
    }
    lines
}
