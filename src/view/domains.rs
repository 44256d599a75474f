//! The domains pane.

use ratatui::Frame;

use super::Look;
use super::parts::empty;
use crate::app::Model;
use crate::app::geometry::Area;

/// Draws the pane.
pub(super) fn pane(_model: &Model, look: &Look, area: Area, frame: &mut Frame) {
    empty(look, &[look.say("pane-domains")], area, frame);
}
