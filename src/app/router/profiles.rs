//! Switches to another profile: checks what would be lost, such as typed text, prepares the other
//! profile and ends the current run.

use std::sync::Arc;

use super::open;
use crate::app::cx::{Question, Route};
use crate::app::store::profiles::{self, AskedProfile, Losses, NotSwitched};
use crate::app::{Effect, Model, Notice, Stamp};
use crate::trade::Ticket;

/// Switches to another profile. A dialog asks first if something would be lost, such as typed text.
/// It does not ask about a loss that the seller has already accepted in `agreed`.
pub fn switch(model: &mut Model, to: Arc<str>, agreed: Losses, at: &Stamp) -> Vec<Effect> {
    if let Some(why) = switch_blocker(model) {
        return refuse(model, why);
    }
    let losses = losses(model);
    match losses.exceed(agreed) {
        true => open(model, Route::Ask(Question::SwitchProfile { to, losses }), at),
        false => vec![profiles::ask(&mut model.store, to, agreed)],
    }
}

/// Handles the result of preparing the other profile. Ends the current run so that the other
/// profile starts, or shows why it could not be opened.
pub fn opened(
    model: &mut Model,
    ticket: Ticket,
    result: Result<(), NotSwitched>,
    at: &Stamp,
) -> Vec<Effect> {
    let asked = model.profiles.asked.take_if(|asked| asked.ticket == ticket);
    let Some(AskedProfile { name, agreed, .. }) = asked else { return vec![] };
    match result {
        Err(NotSwitched::Wrong(wrong)) => {
            model.notify(Notice::NotSwitched(NotSwitched::Wrong(wrong.clone())));
            model.profiles.trouble = Some((name, wrong));
            open(model, Route::Profiles, at)
        }
        Err(why) => refuse(model, why),
        // Check again, because the user may have typed something or started a request in the
        // meantime.
        Ok(()) if switch_blocker(model).is_some() || losses(model).exceed(agreed) => {
            switch(model, name, agreed, at)
        }
        Ok(()) => {
            model.profiles.next = Some(name);
            model.leaving = true;
            vec![Effect::Leave]
        }
    }
}

fn refuse(model: &mut Model, why: NotSwitched) -> Vec<Effect> {
    model.notify(Notice::NotSwitched(why));
    vec![]
}

/// Returns why the profile cannot be switched now: a withdrawal is being sent, or a request is
/// pending.
fn switch_blocker(model: &Model) -> Option<NotSwitched> {
    if profiles::money_moves(&model.store) {
        return Some(NotSwitched::InFlight);
    }
    let waits = model.layers.iter().any(|layer| layer.screen().wait().is_some());
    waits.then_some(NotSwitched::Waiting)
}

fn losses(model: &Model) -> Losses {
    let typed = model.layers.iter().any(|layer| layer.screen().was_typed());
    profiles::losses(&model.store, typed)
}
