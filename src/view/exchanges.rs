//! The exchanges pane.

use ratatui::Frame;

use super::Look;
use super::parts::empty;
use crate::app::Model;
use crate::app::geometry::Area;

/// Draws the pane.
pub(super) fn pane(_model: &Model, look: &Look, area: Area, frame: &mut Frame) {
    empty(look, &[look.say("pane-exchanges")], area, frame);
}

/// One exchange.
pub(super) fn details(
    _model: &Model,
    look: &Look,
    exchange: &crate::trade::Exchange,
    _scroll: u16,
    area: Area,
    frame: &mut Frame,
) {
    empty(look, &[exchange.url.to_string()], area, frame);
}
