//! What a person agrees to is on the screen, all of it, or it cannot be agreed to.

use std::fmt;
use std::sync::Arc;

use super::layer::Layer;
use super::withdrawals::review::DEAD_MS;
use super::withdrawals::{Flow, ReviewFocus};
use super::{Model, offers};

/// Whether all of what would be agreed to in front is on the screen.
///
/// How many rows words take depends on the language and is the view's to say; it comes in with the
/// setup, as a function of the model and of nothing else.
#[derive(Clone)]
pub struct Legible(Arc<dyn Fn(&Model) -> bool + Send + Sync>);

impl Legible {
    /// What this says of a model.
    pub fn new(is_legible: impl Fn(&Model) -> bool + Send + Sync + 'static) -> Legible {
        Legible(Arc::new(is_legible))
    }

    /// Whether it is so now.
    pub fn holds(&self, model: &Model) -> bool {
        (self.0)(model)
    }
}

impl fmt::Debug for Legible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Legible")
    }
}

/// The size changed: a button that comes into sight is dead for a moment.
pub fn resized(model: &mut Model) {
    let dead_until_ms = model.now.boot_ms + DEAD_MS;
    let armed_at_ms = match model.layers.last_mut() {
        Some(Layer::Withdraw(Flow::Review(review))) => &mut review.armed_at_ms,
        Some(Layer::NotPaid(statement)) => &mut statement.armed_at_ms,
        Some(Layer::Ask(ask)) => &mut ask.armed_at_ms,
        _ => return,
    };
    *armed_at_ms = (*armed_at_ms).max(dead_until_ms);
}

/// Takes the focus back to the harmless button where not all can be read.
pub fn hold_back(model: &mut Model) {
    if is_at_harmless(model) || offers::can_agree(model) {
        return;
    }
    match model.layers.last_mut() {
        Some(Layer::Withdraw(Flow::Review(review))) => review.focus = ReviewFocus::Back,
        Some(Layer::NotPaid(statement)) => statement.focus = ReviewFocus::Back,
        Some(Layer::Ask(ask)) => ask.on_do = false,
        _ => {}
    }
}

fn is_at_harmless(model: &Model) -> bool {
    match model.layers.last() {
        Some(Layer::Withdraw(Flow::Review(review))) => review.focus == ReviewFocus::Back,
        Some(Layer::NotPaid(statement)) => statement.focus == ReviewFocus::Back,
        Some(Layer::Ask(ask)) => !ask.on_do,
        _ => true,
    }
}
