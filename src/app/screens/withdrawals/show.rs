//! A withdrawal on its way, from the form to the outcome.

use super::{Flow, SendQuestion, Statement};
use crate::app::Store;
use crate::app::ui::{Area, Page};
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
pub fn draw(store: &Store, say: &Words, flow: &Flow, area: Area, page: &mut Page) {
    match flow {
        Flow::Form(draft) => form::draw(store, say, draft, area, page),
        Flow::Review(review) => review::draw(store, say, review, area, page),
        Flow::Preparing { agreement, wait, .. } => {
            sending::preparing(store, say, agreement, *wait, area, page);
        }
        Flow::Sending { withdrawal, wait } => {
            sending::sending(store, say, withdrawal, *wait, area, page);
        }
        Flow::Outcome(outcome) => {
            let trouble = outcome.trouble.as_ref();
            outcome::draw(store, say, &outcome.withdrawal, trouble, area, page);
        }
    }
}

/// Draws the question before a withdrawal is sent.
pub fn send(store: &Store, say: &Words, question: &SendQuestion, area: Area, page: &mut Page) {
    send::draw(store, say, question, area, page);
}

/// Draws one withdrawal with every attempt, as it is known now.
pub fn details(store: &Store, say: &Words, withdrawal: &Withdrawal, area: Area, page: &mut Page) {
    outcome::draw(store, say, withdrawal, None, area, page);
}

/// Draws what to look for in the account about a withdrawal.
pub fn guide(
    store: &Store,
    say: &Words,
    withdrawal: &Withdrawal,
    cursor: usize,
    area: Area,
    page: &mut Page,
) {
    guide::draw(store, say, (withdrawal, cursor), area, page);
}

/// Draws the typed statement that a withdrawal was not paid.
pub fn statement(
    store: &Store,
    say: &Words,
    statement: &Statement,
    withdrawal: &Withdrawal,
    area: Area,
    page: &mut Page,
) {
    statement::draw(store, say, (statement, withdrawal), area, page);
}

/// Draws every attempt of a withdrawal, in full.
pub fn attempts(store: &Store, say: &Words, withdrawal: &Withdrawal, area: Area, page: &mut Page) {
    history::draw(store, say, withdrawal, area, page);
}

/// Draws what is known of one withdrawal beside the list; its steps are in its details.
pub fn beside(store: &Store, say: &Words, withdrawal: &Withdrawal, area: Area, page: &mut Page) {
    outcome::beside(store, say, withdrawal, area, page);
}
