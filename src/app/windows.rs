//! What other windows of the program do, seen in this one.
//!
//! They share the journal and the history. A change there is read again at once; nothing here asks
//! from time to time.

use super::layer::Layer;
use super::update::{reload_withdrawals, say};
use super::withdrawals::{Flow, flow, send};
use super::{Effect, Model, Pane, Said, act};
use crate::trade::{Untrusted, Withdrawal};

/// Another window wrote to the money journal, or its attempt ended: everything is read again.
pub fn journal_changed(model: &mut Model) -> Vec<Effect> {
    let mut effects = reload_withdrawals(model);
    model.withdrawals.list.keeps_row = true;
    // What stands in the way of this agreement may be another thing now.
    if let Some(agreement) = flow::agreement_in_review(model) {
        effects.push(Effect::LookUpPast(Box::new(agreement.clone())));
    }
    effects
}

/// Another window wrote to the history; what is not in front is read when it comes there.
pub fn history_changed(model: &mut Model) -> Vec<Effect> {
    let effects = match model.pane {
        Pane::Links | Pane::Charges => act::reload(model),
        Pane::Domains | Pane::Withdrawals | Pane::Exchanges | Pane::Account => vec![],
    };
    match model.pane {
        Pane::Links => model.links.list.keeps_row = true,
        Pane::Charges => model.charges.keeps_row = true,
        _ => {}
    }
    effects
}

/// The history was damaged, and is at this path now: the lists begin anew, and that is said.
pub fn history_moved_aside(model: &mut Model, to: Untrusted) -> Vec<Effect> {
    model.history_aside = Some(to);
    say(model, Said::HistoryAnew)
}

/// Shows withdrawals that changed as they are now, where one of them is in front.
pub fn show(model: &mut Model, changed: Vec<Withdrawal>) {
    for now in changed {
        send::follow(model, &now);
        let key = now.agreement.key;
        for layer in &mut model.layers {
            match layer {
                Layer::Withdrawal(shown) if shown.agreement.key == key => **shown = now.clone(),
                Layer::Withdraw(Flow::Outcome(outcome))
                    if outcome.withdrawal.agreement.key == key && outcome.withdrawal != now =>
                {
                    // What went wrong here is not the last that happened to it any more.
                    (outcome.withdrawal, outcome.trouble) = (now.clone(), None);
                }
                _ => {}
            }
        }
    }
}
