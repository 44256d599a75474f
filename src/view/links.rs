//! Payment links: the pane, a new one, the details of one.

use ratatui::Frame;

use super::parts::empty;
use super::{Look, forms};
use crate::app::Model;
use crate::app::geometry::Area;
use crate::app::layer::{Layer, NewLink};
use crate::trade::PaymentLink;

/// Draws the pane.
pub(super) fn pane(_model: &Model, look: &Look, area: Area, frame: &mut Frame) {
    empty(look, &[look.say("pane-links")], area, frame);
}

/// A new link.
pub(super) fn new(
    _model: &Model,
    look: &Look,
    new: &NewLink,
    layer: &Layer,
    area: Area,
    frame: &mut Frame,
) {
    forms::draw(look, layer, &new.form, &look.say("action-submit"), area, frame);
}

/// One link.
pub(super) fn details(
    _model: &Model,
    look: &Look,
    link: &PaymentLink,
    area: Area,
    frame: &mut Frame,
) {
    empty(look, std::slice::from_ref(&link.request.description), area, frame);
}
