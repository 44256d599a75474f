//! Withdrawals: the pane, and the details of one.

use ratatui::Frame;

use super::Look;
use super::parts::empty;
use crate::app::Model;
use crate::app::geometry::Area;
use crate::trade::Withdrawal;

/// Draws the pane.
pub(super) fn pane(_model: &Model, look: &Look, area: Area, frame: &mut Frame) {
    empty(look, &[look.say("pane-withdrawals")], area, frame);
}

/// One withdrawal.
pub(super) fn details(
    _model: &Model,
    look: &Look,
    withdrawal: &Withdrawal,
    area: Area,
    frame: &mut Frame,
) {
    empty(look, &[withdrawal.agreement.key.to_string()], area, frame);
}
