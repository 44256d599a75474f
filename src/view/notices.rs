//! What was just done, in the last line but one.

use ratatui::Frame;

use super::Look;
use crate::app::Model;
use crate::app::geometry::Area;

/// Draws the notice, if there is one.
pub(super) fn draw(_model: &Model, _look: &Look, _area: Area, _frame: &mut Frame) {}
