//! The way to another profile: everything of this one ends with its run.

use std::sync::Arc;

use crate::app::store::session::{Credential, Keeper};
use crate::app::{Effect, Store};
use crate::trade::{Ticket, Untrusted, VaultKind};

/// The other profile that was asked for, and what came of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ProfilesState {
    /// The one that is being made ready.
    pub asked: Option<AskedProfile>,
    /// The last one that could not be opened, and what is wrong with it.
    pub trouble: Option<(Arc<str>, Untrusted)>,
    /// The one that takes the place of this one when the run ends.
    pub next: Option<Arc<str>>,
}

/// A profile that is being made ready.
#[derive(Debug, Clone, PartialEq)]
pub struct AskedProfile {
    /// The question.
    pub ticket: Ticket,
    /// Its name.
    pub name: Arc<str>,
    /// The losses that the seller said yes to.
    pub agreed: Losses,
}

/// The things of this run that are gone with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Losses {
    /// Something was typed in a form.
    pub typed: bool,
    /// A credential is kept in memory alone.
    pub credentials: bool,
    /// A link or a charge could not be written down.
    pub records: bool,
}

impl Losses {
    /// Returns true when there is something among them that was not agreed to.
    pub fn exceed(self, agreed: Losses) -> bool {
        self.typed && !agreed.typed
            || self.credentials && !agreed.credentials
            || self.records && !agreed.records
    }
}

/// The reason for which this profile is not left.
#[derive(Debug, Clone, PartialEq)]
pub enum NotSwitched {
    /// A withdrawal is being prepared or sent.
    InFlight,
    /// Something else was asked of the service, and there is no answer yet.
    Waiting,
    /// There is no other profile, as in the demo.
    NoProfiles,
    /// Something is wrong with the other one, in the words of the command line.
    Wrong(Untrusted),
}

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
