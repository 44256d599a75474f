//! What a person agrees to is on the screen, all of it, or it cannot be agreed to.

use std::fmt;
use std::sync::Arc;

use super::Model;
use super::layer::Layer;
use super::withdrawals::review::DEAD_MS;
use super::withdrawals::{Flow, ReviewFocus};

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
    let armed_at_ms = model.now.boot_ms + DEAD_MS;
    if let Some((_, armed)) = agreement(model) {
        *armed = (*armed).max(armed_at_ms);
    }
}

/// Takes the focus back to the harmless button where not all can be read.
pub fn hold_back(model: &mut Model) {
    let stands_elsewhere = agreement(model).is_some_and(|(at, _)| *at != ReviewFocus::Back);
    if stands_elsewhere
        && !super::offers::can_agree(model)
        && let Some((focus, _)) = agreement(model)
    {
        *focus = ReviewFocus::Back;
    }
}

/// The focus of what could be agreed to in front, and since when its button can be pressed.
fn agreement(model: &mut Model) -> Option<(&mut ReviewFocus, &mut u64)> {
    match model.layers.last_mut()? {
        Layer::Withdraw(Flow::Review(review)) => Some((&mut review.focus, &mut review.armed_at_ms)),
        Layer::NotPaid(statement) => Some((&mut statement.focus, &mut statement.armed_at_ms)),
        _ => None,
    }
}
