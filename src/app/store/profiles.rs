//! Switching to another profile: the pending switch, and the data that the switch would lose. To
//! switch, the program ends the current run and starts a new run with the other profile.

use std::sync::Arc;

use crate::app::store::session::{Credential, VaultStatus};
use crate::app::{Effect, Store};
use crate::trade::{Ticket, Untrusted, VaultKind};

/// The state of a switch to another profile.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ProfilesState {
    /// The other profile that is being opened for the switch, if any.
    pub asked: Option<AskedProfile>,
    /// The name of the last profile that could not be opened, and the error text.
    pub trouble: Option<(Arc<str>, Untrusted)>,
    /// The profile for the next run, which starts after this run has ended.
    pub next: Option<Arc<str>>,
}

/// A profile that is being opened for a switch.
#[derive(Debug, Clone, PartialEq)]
pub struct AskedProfile {
    /// The ticket of the request that opens the profile.
    pub ticket: Ticket,
    pub name: Arc<str>,
    /// The data that the seller has already agreed to lose by the switch.
    pub agreed: Losses,
}

/// The kinds of data of this run that a switch to another profile would lose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Losses {
    /// True if a form contains typed text.
    pub typed: bool,
    /// True if a credential is stored only in memory.
    pub credentials: bool,
    /// True if a payment link or a direct payment could not be written to the history database.
    pub records: bool,
}

impl Losses {
    /// Returns true if the switch would lose any data that the seller has not agreed to lose.
    pub fn exceed(self, agreed: Losses) -> bool {
        self.typed && !agreed.typed
            || self.credentials && !agreed.credentials
            || self.records && !agreed.records
    }
}

/// The reason the program cannot switch to another profile now.
#[derive(Debug, Clone, PartialEq)]
pub enum NotSwitched {
    /// A withdrawal is being prepared or sent.
    InFlight,
    /// A request is pending.
    Waiting,
    /// There is no other profile, for example in the demo.
    NoProfiles,
    /// The settings of the other profile are invalid. Contains the error text.
    Wrong(Untrusted),
}

/// Returns true while this instance of the program is preparing or sending a withdrawal.
pub fn money_moves(store: &Store) -> bool {
    store.withdrawals.in_flight.is_some() || store.withdrawals.preparing.is_some()
}

/// Returns which data a switch to another profile would lose. `typed` is true if a screen contains
/// typed text.
pub fn losses(store: &Store, typed: bool) -> Losses {
    let session = &store.session;
    let is_held = |credential: &Credential| matches!(credential, Credential::Held(_));
    let holds = is_held(&session.api_token) || is_held(&session.jwt);
    let forgets = matches!(
        session.vault_status,
        VaultStatus::Kept(VaultKind::Memory) | VaultStatus::Trouble(_)
    );
    Losses { typed, credentials: holds && forgets, records: !store.unsaved.is_empty() }
}

/// Records that a switch to this profile is pending. Returns the effect that opens the profile.
pub fn ask(store: &mut Store, name: Arc<str>, agreed: Losses) -> Effect {
    let ticket = store.ticket();
    store.profiles.asked = Some(AskedProfile { ticket, name: name.clone(), agreed });
    Effect::OpenProfile { ticket, name }
}
