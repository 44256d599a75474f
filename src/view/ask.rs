//! Questions: what is asked before it is done.

use ratatui::Frame;

use super::Look;
use super::parts::boxed;
use crate::app::Model;
use crate::app::geometry::{self, Area};
use crate::app::layer::Ask;

/// Draws the question over what is there.
pub(super) fn draw(_model: &Model, look: &Look, _ask: &Ask, area: Area, frame: &mut Frame) {
    boxed(look, &look.say("palette-title"), geometry::dialog(area), frame);
}
