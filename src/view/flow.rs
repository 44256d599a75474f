//! A withdrawal on its way, from the form to the outcome.

mod attempts;
mod destinations;
pub(super) mod facts;
mod figures;
mod form;
mod outcome;
mod reasons;
mod review;
mod sending;
pub(super) mod state;
mod steps;

use ratatui::Frame;

use super::Look;
use crate::app::Model;
use crate::app::geometry::Area;
use crate::app::layer::Layer;
use crate::app::withdrawals::Flow;
use crate::trade::Withdrawal;

/// Draws the step the withdrawal is in.
pub(super) fn draw(
    model: &Model,
    look: &Look,
    flow: &Flow,
    layer: &Layer,
    area: Area,
    frame: &mut Frame,
) {
    match flow {
        Flow::Form(draft) => form::draw(model, look, draft, layer, area, frame),
        Flow::Review(review) => review::draw(model, look, review, area, frame),
        Flow::Preparing { agreement, wait, .. } => {
            sending::preparing(model, look, agreement, *wait, area, frame);
        }
        Flow::Sending { withdrawal, wait } => {
            sending::sending(model, look, withdrawal, *wait, area, frame);
        }
        Flow::Outcome(outcome) => {
            let trouble = outcome.trouble.as_ref();
            outcome::draw(model, look, &outcome.withdrawal, trouble, area, frame);
        }
    }
}

/// Draws one withdrawal with every attempt, as it is known now.
pub(super) fn details(
    model: &Model,
    look: &Look,
    withdrawal: &Withdrawal,
    area: Area,
    frame: &mut Frame,
) {
    outcome::draw(model, look, withdrawal, None, area, frame);
}

/// Draws what is known of one withdrawal beside the list; its steps are in its details.
pub(super) fn beside(
    model: &Model,
    look: &Look,
    withdrawal: &Withdrawal,
    area: Area,
    frame: &mut Frame,
) {
    outcome::beside(model, look, withdrawal, area, frame);
}
