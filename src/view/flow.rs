//! A withdrawal on its way, from the form to the outcome.

pub(super) mod attempts;
mod destinations;
pub(super) mod facts;
mod figures;
mod form;
mod guide;
mod history;
mod outcome;
mod reasons;
mod review;
mod sending;
pub(super) mod state;
mod statement;
mod steps;

use ratatui::Frame;
use ratatui::text::Line;

use super::Look;
use crate::app::Model;
use crate::app::geometry::Area;
use crate::app::layer::Layer;
use crate::app::withdrawals::Flow;
use crate::app::withdrawals::statement::Statement;
use crate::trade::Withdrawal;

/// What somebody agrees to, as it stands on the screen.
struct Laid {
    /// Between the title and the buttons.
    room: Area,
    /// What is put there.
    lines: Vec<Line<'static>>,
    /// The row of the field.
    field: Option<usize>,
    /// How many rows are missing for what must be read.
    missing: usize,
}

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

/// Whether all of what would be agreed to in this step is on the screen.
pub(super) fn is_legible(model: &Model, look: &Look, flow: &Flow, area: Area) -> bool {
    match flow {
        Flow::Review(review) => review::is_legible(model, look, review, area),
        _ => true,
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

/// Draws what to look for in the account about the withdrawal below.
pub(super) fn guide(model: &Model, look: &Look, cursor: usize, area: Area, frame: &mut Frame) {
    guide::draw(model, look, cursor, area, frame);
}

/// Draws the typed statement that the withdrawal below was not paid.
pub(super) fn statement(
    model: &Model,
    look: &Look,
    statement: &Statement,
    area: Area,
    frame: &mut Frame,
) {
    statement::draw(model, look, statement, area, frame);
}

/// Whether all of what would be stated is on the screen.
pub(super) fn statement_is_legible(
    model: &Model,
    look: &Look,
    statement: &Statement,
    area: Area,
) -> bool {
    statement::is_legible(model, look, statement, area)
}

/// Draws every attempt of the withdrawal below, in full.
pub(super) fn all_attempts(model: &Model, look: &Look, scroll: u16, area: Area, frame: &mut Frame) {
    history::draw(model, look, scroll, area, frame);
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
