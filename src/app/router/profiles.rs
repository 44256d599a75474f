//! Switches to another profile: checks what would be lost, such as typed text, prepares the other
//! profile and ends the current run.

use std::sync::Arc;

use super::open;
use crate::app::cx::{Question, Route};
use crate::app::store::profiles::{self, PendingSwitch, SwitchRefusal, UnsavedWork};
use crate::app::{Effect, Model, Notice, Stamp};
use crate::trade::Ticket;

/// Switches to another profile. A dialog asks first if something would be lost, such as typed text,
/// unless the seller has already accepted the loss (`accepted`).
pub fn switch(
    model: &mut Model,
    name: Arc<str>,
    accepted: UnsavedWork,
    stamp: &Stamp,
) -> Vec<Effect> {
    if let Some(blocker) = switch_blocker(model) {
        return notify_not_switched(model, blocker);
    }
    let losses = losses(model);
    if losses.exceed(accepted) {
        open(
            model,
            Route::Ask(Question::SwitchProfile { to: name, losses }),
            stamp,
        )
    } else {
        vec![profiles::ask(&mut model.store, name, accepted)]
    }
}

/// Handles the result of preparing the other profile. Ends the current run so that the other
/// profile starts, or shows why it could not be opened.
pub fn on_opened(
    model: &mut Model,
    ticket: Ticket,
    result: Result<(), SwitchRefusal>,
    stamp: &Stamp,
) -> Vec<Effect> {
    let request = model
        .profiles
        .pending
        .take_if(|request| request.ticket == ticket);
    let Some(PendingSwitch {
        name,
        agreed: accepted,
        ..
    }) = request
    else {
        return vec![];
    };
    match result {
        Err(SwitchRefusal::Wrong(error)) => {
            model.notify(Notice::SwitchRefusal(SwitchRefusal::Wrong(error.clone())));
            model.profiles.trouble = Some((name, error));
            open(model, Route::Profiles, stamp)
        }
        Err(reason) => notify_not_switched(model, reason),
        // Check again, because the user may have typed something or started a request in the
        // meantime.
        Ok(()) if switch_blocker(model).is_some() || losses(model).exceed(accepted) => {
            switch(model, name, accepted, stamp)
        }
        Ok(()) => {
            model.profiles.next = Some(name);
            model.leaving = true;
            vec![Effect::Leave]
        }
    }
}

fn notify_not_switched(model: &mut Model, reason: SwitchRefusal) -> Vec<Effect> {
    model.notify(Notice::SwitchRefusal(reason));
    vec![]
}

/// Returns why the profile cannot be switched now: a withdrawal is being sent, or a request is
/// pending.
fn switch_blocker(model: &Model) -> Option<SwitchRefusal> {
    if profiles::is_withdrawal_in_progress(&model.store) {
        return Some(SwitchRefusal::InFlight);
    }
    if model.imports.is_busy() {
        return Some(SwitchRefusal::Waiting);
    }
    let is_waiting = model
        .layers
        .iter()
        .any(|layer| layer.screen().wait().is_some());
    is_waiting.then_some(SwitchRefusal::Waiting)
}

fn losses(model: &Model) -> UnsavedWork {
    let has_typed_text = model.layers.iter().any(|layer| layer.screen().was_typed());
    profiles::losses(&model.store, has_typed_text)
}
