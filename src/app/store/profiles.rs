//! The way to another profile: everything of this one ends with its run.

pub mod switching;

use std::sync::Arc;

use crate::trade::{Ticket, Untrusted};

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
