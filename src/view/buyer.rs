//! The checkout page as the buyer sees it.

use ratatui::Frame;

use super::Look;
use super::parts::empty;
use crate::app::Model;
use crate::app::geometry::Area;
use crate::app::layer::Buyer;

/// Draws the page.
pub(super) fn draw(_model: &Model, look: &Look, buyer: &Buyer, area: Area, frame: &mut Frame) {
    empty(look, &[buyer.url.shown()], area, frame);
}
