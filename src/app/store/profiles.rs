//! Switches to another profile: the program ends the current run, and starts a new run with the
//! other profile. The seller is asked first if the switch would lose data.

use std::sync::Arc;

use crate::app::store::session::{Credential, VaultStatus};
use crate::app::{Effect, Store};
use crate::trade::{Ticket, Untrusted, VaultKind};

/// The state of a switch to another profile.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ProfilesState {
    /// The other profile that is being opened for the switch, if any.
    pub pending: Option<PendingSwitch>,
    /// The name of the last profile that could not be opened, and the error text.
    pub trouble: Option<(Arc<str>, Untrusted)>,
    /// The profile for the next run, which starts after this run has ended.
    pub next: Option<Arc<str>>,
}

/// A profile that is being opened for a switch.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingSwitch {
    /// The ticket of the request that opens the profile.
    pub ticket: Ticket,
    pub name: Arc<str>,
    /// The data that the seller has already agreed to lose by the switch.
    pub agreed: UnsavedWork,
}

/// The kinds of data of this run that a switch to another profile would lose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UnsavedWork {
    /// True if a form contains typed text.
    pub typed: bool,
    /// True if a credential is stored only in memory.
    pub credentials: bool,
    /// True if a payment link or a direct payment could not be written to the history database.
    pub records: bool,
}

impl UnsavedWork {
    /// True if the switch would lose any data that the seller has not agreed to lose.
    pub fn exceed(self, accepted: UnsavedWork) -> bool {
        self.typed && !accepted.typed
            || self.credentials && !accepted.credentials
            || self.records && !accepted.records
    }
}

/// The reason the program cannot switch to another profile now.
#[derive(Debug, Clone, PartialEq)]
pub enum SwitchRefusal {
    /// A withdrawal is being prepared or sent.
    InFlight,
    /// A request is pending.
    Waiting,
    /// There is no other profile, for example in the demo.
    NoProfiles,
    /// The settings of the other profile are invalid. Contains the error text.
    Wrong(Untrusted),
}

/// True while this instance of the program is preparing or sending a withdrawal.
pub fn is_withdrawal_in_progress(store: &Store) -> bool {
    store.withdrawals.in_flight.is_some() || store.withdrawals.preparing.is_some()
}

/// Returns which data a switch to another profile would lose. `typed` is true if a screen contains
/// typed text.
pub fn losses(store: &Store, typed: bool) -> UnsavedWork {
    let session = &store.session;
    let has_credential = matches!(&session.api_token, Credential::Stored(_))
        || matches!(&session.jwt, Credential::Stored(_));
    let is_only_in_memory = matches!(
        session.vault_status,
        VaultStatus::Kept(VaultKind::Memory) | VaultStatus::Trouble(_)
    );
    UnsavedWork {
        typed,
        credentials: has_credential && is_only_in_memory,
        records: !store.links.unsaved.is_empty() || !store.charges.unsaved.is_empty(),
    }
}

/// Records that a switch to this profile is pending. Returns the effect that opens the profile.
pub fn ask(store: &mut Store, name: Arc<str>, agreed: UnsavedWork) -> Effect {
    let ticket = store.next_ticket();
    store.profiles.pending = Some(PendingSwitch {
        ticket,
        name: name.clone(),
        agreed,
    });
    Effect::OpenProfile { ticket, name }
}
