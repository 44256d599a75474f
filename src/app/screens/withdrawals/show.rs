//! A withdrawal on its way, from the form to the outcome.

use crate::app::Model;
use crate::app::ui::{Area, Page};
use crate::app::withdrawals::Flow;
use crate::app::withdrawals::send::SendQuestion;
use crate::app::withdrawals::statement::Statement;
use crate::trade::Withdrawal;
use crate::words::Words;

mod attempts;
mod destinations;
mod facts;
mod figures;
mod form;
mod guide;
mod history;
pub mod locked;
mod members;
mod outcome;
pub mod pane;
mod reasons;
mod review;
mod send;
mod sending;
pub mod state;
mod statement;
mod steps;
mod terms;

/// Draws the step the withdrawal is in.
pub fn draw(model: &Model, say: &Words, flow: &Flow, area: Area, page: &mut Page) {
    match flow {
        Flow::Form(draft) => form::draw(model, say, draft, area, page),
        Flow::Review(review) => review::draw(model, say, review, area, page),
        Flow::Preparing { agreement, wait, .. } => {
            sending::preparing(model, say, agreement, *wait, area, page);
        }
        Flow::Sending { withdrawal, wait } => {
            sending::sending(model, say, withdrawal, *wait, area, page);
        }
        Flow::Outcome(outcome) => {
            let trouble = outcome.trouble.as_ref();
            outcome::draw(model, say, &outcome.withdrawal, trouble, area, page);
        }
    }
}

/// Draws the question before a withdrawal is sent.
pub fn send(model: &Model, say: &Words, question: &SendQuestion, area: Area, page: &mut Page) {
    send::draw(model, say, question, area, page);
}

/// Draws one withdrawal with every attempt, as it is known now.
pub fn details(model: &Model, say: &Words, withdrawal: &Withdrawal, area: Area, page: &mut Page) {
    outcome::draw(model, say, withdrawal, None, area, page);
}

/// Draws what to look for in the account about the withdrawal below.
pub fn guide(model: &Model, say: &Words, cursor: usize, area: Area, page: &mut Page) {
    guide::draw(model, say, cursor, area, page);
}

/// Draws the typed statement that the withdrawal below was not paid.
pub fn statement(model: &Model, say: &Words, statement: &Statement, area: Area, page: &mut Page) {
    statement::draw(model, say, statement, area, page);
}

/// Draws every attempt of the withdrawal below, in full.
pub fn all_attempts(model: &Model, say: &Words, area: Area, page: &mut Page) {
    history::draw(model, say, area, page);
}

/// Draws what is known of one withdrawal beside the list; its steps are in its details.
pub fn beside(model: &Model, say: &Words, withdrawal: &Withdrawal, area: Area, page: &mut Page) {
    outcome::beside(model, say, withdrawal, area, page);
}
