//! A withdrawal on its way, from the form to the outcome.

use ratatui::Frame;

use super::{Look, forms};
use crate::app::Model;
use crate::app::geometry::Area;
use crate::app::layer::Layer;
use crate::app::withdrawals::Flow;

/// Draws the step the withdrawal is in.
pub(super) fn draw(
    _model: &Model,
    look: &Look,
    flow: &Flow,
    layer: &Layer,
    area: Area,
    frame: &mut Frame,
) {
    if let Flow::Form(draft) = flow {
        forms::draw(look, layer, &draft.form, &look.say("action-submit"), area, frame);
    }
}
