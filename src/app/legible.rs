//! What a person agrees to was on the screen, all of it, or it cannot be agreed to.

use super::layer::Layer;
use super::withdrawals::review::DEAD_MS;
use super::withdrawals::{Flow, ReviewFocus};
use super::{Model, money_lines, seen};

/// The size changed: a button that comes into sight is dead for a moment.
pub fn resized(model: &mut Model) {
    money_lines::resized(model);
    let dead_until_ms = model.now.boot_ms + DEAD_MS;
    let armed_at_ms = match model.layers.last_mut() {
        Some(Layer::Withdraw(Flow::Review(review))) => &mut review.armed_at_ms,
        Some(Layer::Send(question)) => &mut question.armed_at_ms,
        Some(Layer::NotPaid(statement)) => &mut statement.armed_at_ms,
        Some(Layer::Ask(ask)) => &mut ask.armed_at_ms,
        _ => return,
    };
    *armed_at_ms = (*armed_at_ms).max(dead_until_ms);
}

/// Takes the focus back to the harmless button where a frame left something unread.
pub fn hold_back(model: &mut Model) {
    if is_at_harmless(model) || !seen::has_more(model) {
        return;
    }
    match model.layers.last_mut() {
        Some(Layer::Withdraw(Flow::Review(review))) => review.focus = ReviewFocus::Back,
        Some(Layer::Send(question)) => question.focus = ReviewFocus::Back,
        Some(Layer::NotPaid(statement)) => statement.focus = ReviewFocus::Back,
        Some(Layer::Ask(ask)) => ask.on_do = false,
        _ => {}
    }
}

fn is_at_harmless(model: &Model) -> bool {
    match model.layers.last() {
        Some(Layer::Withdraw(Flow::Review(review))) => review.focus == ReviewFocus::Back,
        Some(Layer::Send(question)) => question.focus == ReviewFocus::Back,
        Some(Layer::NotPaid(statement)) => statement.focus == ReviewFocus::Back,
        Some(Layer::Ask(ask)) => !ask.on_do,
        _ => true,
    }
}
