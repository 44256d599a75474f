//! A withdrawal on its way, from the form to the outcome.

pub(super) mod attempts;
mod destinations;
pub(super) mod facts;
mod figures;
mod form;
mod guide;
mod history;
mod members;
mod outcome;
mod reasons;
mod review;
mod send;
mod sending;
pub(super) mod state;
mod statement;
mod steps;
mod terms;

use ratatui::Frame;

use super::Look;
use super::scrolled::Text;
use crate::app::Model;
use crate::app::geometry::Area;
use crate::app::layer::Layer;
use crate::app::scroll::Overflow;
use crate::app::withdrawals::Flow;
use crate::app::withdrawals::guide::subject;
use crate::app::withdrawals::send::SendQuestion;
use crate::app::withdrawals::statement::Statement;
use crate::trade::Withdrawal;

/// Draws the step the withdrawal is in.
pub(super) fn draw(
    model: &Model,
    look: &Look,
    flow: &Flow,
    layer: &Layer,
    scroll: u16,
    area: Area,
    frame: &mut Frame,
) {
    match flow {
        Flow::Form(draft) => form::draw(model, look, draft, layer, area, frame),
        Flow::Review(review) => review::draw(model, look, review, scroll, area, frame),
        Flow::Preparing { agreement, wait, .. } => {
            sending::preparing(model, look, agreement, *wait, scroll, area, frame);
        }
        Flow::Sending { withdrawal, wait } => {
            sending::sending(model, look, withdrawal, *wait, scroll, area, frame);
        }
        Flow::Outcome(outcome) => {
            let trouble = outcome.trouble.as_ref();
            outcome::draw(model, look, &outcome.withdrawal, trouble, scroll, area, frame);
        }
    }
}

/// The text of the step the withdrawal is in, where it can be scrolled.
pub(super) fn text(model: &Model, look: &Look, flow: &Flow, area: Area) -> Option<Text> {
    Some(match flow {
        Flow::Form(_) => return None,
        Flow::Review(review) => review::text(model, look, review, area),
        Flow::Preparing { agreement, .. } => sending::preparing_text(model, look, agreement, area),
        Flow::Sending { withdrawal, .. } => sending::sending_text(look, withdrawal, area),
        Flow::Outcome(outcome) => {
            let trouble = outcome.trouble.as_ref();
            outcome::text(model, look, &outcome.withdrawal, trouble, area)
        }
    })
}

/// Draws the question before a withdrawal is sent.
pub(super) fn send(
    model: &Model,
    look: &Look,
    question: &SendQuestion,
    scroll: u16,
    area: Area,
    frame: &mut Frame,
) {
    send::draw(model, look, question, scroll, area, frame);
}

/// All of what that question would send.
pub(super) fn send_text(model: &Model, look: &Look, question: &SendQuestion, area: Area) -> Text {
    send::text(model, look, question, area)
}

/// Draws one withdrawal with every attempt, as it is known now.
pub(super) fn details(
    model: &Model,
    look: &Look,
    withdrawal: &Withdrawal,
    scroll: u16,
    area: Area,
    frame: &mut Frame,
) {
    outcome::draw(model, look, withdrawal, None, scroll, area, frame);
}

/// What is known of one withdrawal.
pub(super) fn details_text(
    model: &Model,
    look: &Look,
    withdrawal: &Withdrawal,
    area: Area,
) -> Text {
    outcome::text(model, look, withdrawal, None, area)
}

/// Draws what to look for in the account about the withdrawal below.
pub(super) fn guide(
    model: &Model,
    look: &Look,
    cursor: usize,
    scroll: u16,
    area: Area,
    frame: &mut Frame,
) {
    guide::draw(model, look, cursor, scroll, area, frame);
}

/// What of that has no room below the clue under the cursor.
pub(super) fn guide_overflow(
    model: &Model,
    look: &Look,
    cursor: usize,
    area: Area,
) -> Option<Overflow> {
    guide::overflow(model, look, cursor, area)
}

/// Draws the typed statement that the withdrawal below was not paid.
pub(super) fn statement(
    model: &Model,
    look: &Look,
    statement: &Statement,
    scroll: u16,
    area: Area,
    frame: &mut Frame,
) {
    statement::draw(model, look, statement, scroll, area, frame);
}

/// All of what would be stated.
pub(super) fn statement_text(
    model: &Model,
    look: &Look,
    statement: &Statement,
    area: Area,
) -> Text {
    statement::text(model, look, statement, area)
}

/// Draws every attempt of the withdrawal below, in full.
pub(super) fn all_attempts(model: &Model, look: &Look, scroll: u16, area: Area, frame: &mut Frame) {
    history::draw(model, look, scroll, area, frame);
}

/// What is said of every attempt of the withdrawal below.
pub(super) fn attempts_text(model: &Model, look: &Look, area: Area) -> Option<Text> {
    subject(model).map(|withdrawal| history::text(model, look, withdrawal, area))
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
