//! The steps that are safe now, each with its key and one sentence.

use crate::app::Store;
use crate::app::screens::withdrawals::show::facts;
use crate::app::store::withdrawals::rules::{self, Against};
use crate::app::ui::action::Action;
use crate::app::ui::parts::wrapped;
use crate::app::ui::text::{columns, exactly, wrap};
use crate::app::ui::{Line, Role, Span};
use crate::trade::Withdrawal;
use crate::trade::withdrawal::WithdrawalState;
use crate::words::Words;

/// Columns of a key and the space behind it.
const KEY: usize = 4;

/// Columns of a step's name.
const NAME: usize = 28;

/// The steps as lines, and the reason where there are fewer than one would expect.
pub fn lines(store: &Store, withdrawal: &Withdrawal, width: usize) -> Vec<Line> {
    of(store, withdrawal, &rules::with_withdrawal(store, withdrawal), words, width)
}

/// The answers after a look at the account, as lines.
pub fn in_guide(store: &Store, withdrawal: &Withdrawal, width: usize) -> Vec<Line> {
    of(store, withdrawal, &rules::in_guide(store, withdrawal), words_in_guide, width)
}

type StepWords = fn(Action, &WithdrawalState) -> Option<[&'static str; 2]>;

fn of(
    store: &Store,
    withdrawal: &Withdrawal,
    steps: &[Action],
    step_words: StepWords,
    width: usize,
) -> Vec<Line> {
    let state = store.state_of(withdrawal);
    let mut lines = vec![Line::of(Role::Strong, store.text("outcome-steps"))];
    for action in steps {
        if let Some(said) = step_words(*action, &state) {
            let key = store.setup.keys.keys(*action).first().map(ToString::to_string);
            lines.extend(step(store.words(), &key.unwrap_or_default(), said, width));
        }
    }
    lines.extend(remarks(store, withdrawal, width));
    lines
}

fn words(action: Action, state: &WithdrawalState) -> Option<[&'static str; 2]> {
    match (action, state) {
        (Action::Send, WithdrawalState::Prepared) => Some(["step-send", "step-send-why"]),
        (Action::Send, _) => Some(["step-send-again", "step-send-again-why"]),
        (Action::LogIn, _) => Some(["step-log-in", "step-entry-why"]),
        (Action::PasteJwt, _) => Some(["step-paste-jwt", "step-entry-why"]),
        (Action::Discard, _) => Some(["step-discard", "step-discard-why"]),
        (Action::Check, WithdrawalState::Unknown) => Some(["step-check", "step-check-why"]),
        (Action::Check, _) => Some(["step-check", "step-check-decide-why"]),
        (Action::Found, WithdrawalState::Mismatch(_)) => {
            Some(["step-found", "step-found-unlocks-why"])
        }
        (Action::Found, _) => Some(["step-found", "step-found-why"]),
        (Action::Copy, _) => Some(["step-copy-key", "step-copy-key-why"]),
        _ => None,
    }
}

fn words_in_guide(action: Action, state: &WithdrawalState) -> Option<[&'static str; 2]> {
    match action {
        Action::NotPaid => Some(["step-not-paid", "step-not-paid-why"]),
        Action::Copy => Some(["step-copy-clue", "step-copy-clue-why"]),
        _ => words(action, state),
    }
}

/// Lays out why there are fewer steps than one would expect.
fn remarks(store: &Store, withdrawal: &Withdrawal, width: usize) -> Vec<Line> {
    let state = store.state_of(withdrawal);
    if state.is_decided() || matches!(state, WithdrawalState::Sending(_)) {
        return Vec::new();
    }
    let said = match rules::against(store, withdrawal) {
        // In a state that nothing is sent in, the journal's trouble still hides steps.
        Some(Against::State) if store.withdrawals.trouble.is_some() => Some(Against::Locked),
        Some(Against::State) if store.withdrawals.in_flight.is_some() => Some(Against::Busy),
        Some(Against::State)
            if store.withdrawals.is_busy_elsewhere(&withdrawal.agreement.account) =>
        {
            Some(Against::BusyElsewhere)
        }
        said => said,
    };
    said.map(|why| against(store, withdrawal, &why, width)).unwrap_or_default()
}

/// Says what speaks against sending it, where the state's own sentences do not.
pub fn against(store: &Store, one: &Withdrawal, why: &Against, width: usize) -> Vec<Line> {
    let (role, id) = match why {
        Against::Locked => (Role::Dim, "step-locked"),
        Against::Busy => (Role::Dim, "step-busy"),
        Against::BusyElsewhere => (Role::Dim, "step-busy-elsewhere"),
        Against::OtherLogin(_) => (Role::Dim, "step-other-login"),
        Against::OtherAddress => (Role::Dim, "step-other-address"),
        Against::OtherOpen => (Role::Dim, "step-other-open"),
        Against::Wait => (Role::Dim, "step-wait-again"),
        Against::OtherDestination => (Role::Bad, "step-other-destination"),
        Against::State | Against::Window(_) | Against::Later(_) | Against::Entry(_) => {
            return Vec::new();
        }
    };
    let whose = facts::whose(store, one).unwrap_or_default();
    wrapped(role, &store.with(id, &[("who", &whose)]), width)
}

/// A step on one line where its sentence fits beside it, on two otherwise.
fn step(say: &Words, key: &str, [name, why]: [&str; 2], width: usize) -> Vec<Line> {
    let (name, why) = (say.text(name), say.text(why));
    let key = Span::of(Role::Key, exactly(key, KEY));
    if KEY + NAME + columns(&why) <= width {
        let name = Span::of(Role::Text, exactly(&name, NAME));
        return vec![Line::from(vec![key, name, Span::of(Role::Dim, why)])];
    }
    let room = width.saturating_sub(KEY);
    let mut lines = vec![Line::from(vec![key, Span::of(Role::Text, name)])];
    for line in wrap(&why, room) {
        lines.push(Line::of(Role::Dim, format!("{}{line}", " ".repeat(KEY))));
    }
    lines
}
