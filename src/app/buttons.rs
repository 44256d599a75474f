//! The buttons of what is agreed to: which one has the focus, and what it does.

use super::action::Action;
use super::layer::{Layer, Question};
use super::withdrawals::{Flow, ReviewFocus, journals, review, send, statement};
use super::{Effect, Model, Stamp, copying, leave, links, money_lines, offers, seen};
use crate::trade::withdrawal::Decision;

/// Moves the focus to the next button, or to the one before.
pub fn next(model: &mut Model, forward: bool) -> Vec<Effect> {
    if !offers::offers(model).contains(&Action::NextButton) {
        return vec![];
    }
    match model.layers.last_mut() {
        Some(Layer::Ask(ask)) => ask.on_do = !ask.on_do,
        Some(Layer::Withdraw(Flow::Review(shown))) => review::move_focus(shown, forward),
        Some(Layer::Send(question)) => send::move_focus(question, forward),
        Some(Layer::NotPaid(statement)) => statement::move_focus(statement, forward),
        Some(Layer::MoneyLines(reading)) => reading.on_do = !reading.on_do,
        _ => {}
    }
    vec![]
}

/// Presses the button of this number, counted from the left; 0 is the harmless one.
///
/// What sends money, or decides what no key takes back, is not done by a click: that only moves
/// the focus there, and a key presses it.
pub fn click(model: &mut Model, button: usize, stamp: &Stamp) -> Vec<Effect> {
    let is_harmless = button == 0;
    match model.layers.last_mut() {
        Some(Layer::Ask(ask)) => {
            ask.on_do = !is_harmless;
            if !is_harmless && !ask.question.decides() {
                return agree(model);
            }
        }
        Some(Layer::Withdraw(Flow::Review(shown))) => shown.focus = ReviewFocus::of_button(button),
        Some(Layer::Send(question)) => question.focus = ReviewFocus::of_button(button),
        Some(Layer::NotPaid(statement)) => statement.focus = ReviewFocus::of_button(button),
        Some(Layer::MoneyLines(reading)) => reading.on_do = !is_harmless,
        _ => return vec![],
    }
    if is_harmless { press(model, stamp) } else { vec![] }
}

/// Presses the button that has the focus.
pub fn press(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    match model.layers.last() {
        Some(Layer::Withdraw(Flow::Review(_))) => review::press(model, stamp),
        Some(Layer::Send(_)) => send::press(model),
        Some(Layer::NotPaid(_)) => statement::press(model),
        Some(Layer::MoneyLines(_)) => money_lines::press(model),
        Some(Layer::Ask(ask)) if !ask.on_do => {
            model.layers.pop();
            vec![]
        }
        Some(Layer::Ask(_)) if seen::may_press(model) => agree(model),
        _ => vec![],
    }
}

/// Says yes to the question in front, where that can be said.
fn agree(model: &mut Model) -> Vec<Effect> {
    match model.layers.last() {
        Some(Layer::Ask(ask)) if ask.may_be_done(model.now.boot_ms) && offers::can_agree(model) => {
            let question = ask.question.clone();
            model.layers.pop();
            answer(model, question)
        }
        _ => vec![],
    }
}

fn answer(model: &mut Model, question: Question) -> Vec<Effect> {
    match question {
        Question::DropForm => leave::drop_top(model),
        Question::LeaveInFlight | Question::DropAndLeave => {
            model.leaving = true;
            vec![Effect::Leave]
        }
        Question::LogOut => vec![Effect::LogOut],
        Question::CopyOdd { clip, url, .. } => copying::copy(model, clip, url),
        Question::PassOdd { to, url, .. } => links::pass_on(model, url, to),
        Question::Discard(key) => vec![Effect::Decide { key, choice: Decision::Discarded }],
        Question::Found(key) => vec![Effect::Decide { key, choice: Decision::FoundPaid }],
        Question::UseMemory => vec![Effect::UseMemory],
        Question::PickJournal(dir) => journals::pick(dir),
    }
}
