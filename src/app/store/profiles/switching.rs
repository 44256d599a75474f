//! The rules by which this profile is left for another one.

use std::sync::Arc;

use super::{AskedProfile, Losses};
use crate::app::store::session::{Credential, Keeper};
use crate::app::{Effect, Store};
use crate::trade::VaultKind;

/// Returns true while money moves, as far as is known here.
pub fn money_moves(store: &Store) -> bool {
    store.withdrawals.in_flight.is_some() || store.withdrawals.preparing.is_some()
}

/// Returns what is gone with this run; whether something was `typed` the screens know.
pub fn losses(store: &Store, typed: bool) -> Losses {
    let session = &store.session;
    let is_held = |credential: &Credential| matches!(credential, Credential::Held(_));
    let holds = is_held(&session.api_token) || is_held(&session.jwt);
    let forgets = matches!(session.keeper, Keeper::Kept(VaultKind::Memory) | Keeper::Trouble(_));
    Losses { typed, credentials: holds && forgets, records: !store.unsaved.is_empty() }
}

/// Has another profile made ready.
pub fn ask(store: &mut Store, name: Arc<str>, agreed: Losses) -> Effect {
    let ticket = store.ticket();
    store.profiles.asked = Some(AskedProfile { ticket, name: name.clone(), agreed });
    Effect::OpenProfile { ticket, name }
}
