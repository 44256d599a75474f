//! Direct payments: the pane, a new one, the details of one.

use ratatui::Frame;

use super::parts::empty;
use super::{Look, forms};
use crate::app::Model;
use crate::app::geometry::Area;
use crate::app::layer::{Layer, NewCharge};
use crate::trade::Charge;

/// Draws the pane.
pub(super) fn pane(_model: &Model, look: &Look, area: Area, frame: &mut Frame) {
    empty(look, &[look.say("pane-charges")], area, frame);
}

/// A new direct payment.
pub(super) fn new(
    _model: &Model,
    look: &Look,
    new: &NewCharge,
    layer: &Layer,
    area: Area,
    frame: &mut Frame,
) {
    forms::draw(look, layer, &new.form, &look.say("action-submit"), area, frame);
}

/// One direct payment.
pub(super) fn details(_model: &Model, look: &Look, charge: &Charge, area: Area, frame: &mut Frame) {
    empty(look, std::slice::from_ref(&charge.request.description), area, frame);
}
