//! Another profile in the place of this one: asked for, made ready, and begun.

use std::sync::Arc;

use super::open;
use crate::app::cx::{Question, Route};
use crate::app::store::profiles::{self, AskedProfile, Losses, NotSwitched};
use crate::app::{Effect, Model, Notice, Stamp};
use crate::trade::Ticket;

/// Has another profile made ready; a loss that the seller did not agree to is asked about first.
pub fn switch(model: &mut Model, to: Arc<str>, agreed: Losses, at: &Stamp) -> Vec<Effect> {
    if let Some(why) = hinders(model) {
        return refuse(model, why);
    }
    let losses = losses(model);
    match losses.exceed(agreed) {
        true => open(model, Route::Ask(Question::SwitchProfile { to, losses }), at),
        false => vec![profiles::ask(&mut model.store, to, agreed)],
    }
}

/// The other profile is ready, or not: the run ends for it, or it is said why not.
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
            model.say(Notice::NotSwitched(NotSwitched::Wrong(wrong.clone())));
            model.profiles.trouble = Some((name, wrong));
            open(model, Route::Profiles, at)
        }
        Err(why) => refuse(model, why),
        // A hand may have begun something meanwhile.
        Ok(()) if hinders(model).is_some() || losses(model).exceed(agreed) => {
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
    model.say(Notice::NotSwitched(why));
    vec![]
}

/// Returns what forbids another profile now: money on its way, or a question under way.
fn hinders(model: &Model) -> Option<NotSwitched> {
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
