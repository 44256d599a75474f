//! Who is logged in, what credentials are held, and where they are kept.

use std::sync::Arc;
use std::time::Duration;

use crate::trade::{CredentialKind, Ticket, VaultKind, VaultTrouble, Wall};

/// Where credentials are kept.
#[derive(Debug, Clone, PartialEq)]
pub enum Keeper {
    /// The vault has not answered yet.
    Asking,
    /// There; in memory where the seller (or the demo) chose so.
    Kept(VaultKind),
    /// Nowhere: the vault is in trouble, and the seller has not chosen memory.
    Trouble(VaultTrouble),
}

/// What is known of one credential; never the credential.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Credential {
    /// The vault has not answered yet.
    #[default]
    Unknown,
    /// There is none.
    Absent,
    /// It is kept.
    Held(Held),
    /// It is kept, but the service did not take it.
    Refused(Held),
}

/// A credential that is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    /// Who it stands for.
    pub identity: Arc<str>,
    /// Until when, where that is known.
    pub expires: Option<Wall>,
    /// Whether the demo put it there.
    pub from_demo: bool,
}

impl Held {
    /// Whether it is known to be past its time.
    pub fn is_expired(&self, now: Wall) -> bool {
        self.expires.is_some_and(|expires| now >= expires)
    }
}

/// Both credentials and their keeper.
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    /// Where they are kept.
    pub keeper: Keeper,
    /// For withdrawals.
    pub api_token: Credential,
    /// For payment links.
    pub jwt: Credential,
}

impl Default for Session {
    fn default() -> Self {
        Session { keeper: Keeper::Asking, api_token: Credential::Unknown, jwt: Credential::Unknown }
    }
}

impl Session {
    /// What is known of this credential.
    pub fn credential(&self, kind: CredentialKind) -> &Credential {
        match kind {
            CredentialKind::ApiToken => &self.api_token,
            CredentialKind::Jwt => &self.jwt,
        }
    }

    /// The same, to change it.
    pub fn credential_mut(&mut self, kind: CredentialKind) -> &mut Credential {
        match kind {
            CredentialKind::ApiToken => &mut self.api_token,
            CredentialKind::Jwt => &mut self.jwt,
        }
    }

    /// Whether somebody is logged in: the documented login's token is held.
    pub fn is_in(&self) -> bool {
        matches!(self.api_token, Credential::Held(_))
    }

    /// Whose account this is: the login's identity, else the JWT's.
    pub fn identity(&self) -> Option<Arc<str>> {
        [&self.api_token, &self.jwt].into_iter().find_map(|credential| match credential {
            Credential::Held(held) | Credential::Refused(held) => Some(held.identity.clone()),
            Credential::Unknown | Credential::Absent => None,
        })
    }
}

impl Credential {
    /// Who it stands for, whether or not the service takes it.
    pub fn identity(&self) -> Option<&str> {
        match self {
            Credential::Held(held) | Credential::Refused(held) => Some(&held.identity),
            Credential::Unknown | Credential::Absent => None,
        }
    }

    /// Whether it is held, and not known to be past its time.
    pub fn is_good(&self, now: Wall) -> bool {
        matches!(self, Credential::Held(held) if !held.is_expired(now))
    }

    /// The service did not take it.
    pub fn refuse(&mut self) {
        if let Credential::Held(held) = self {
            *self = Credential::Refused(held.clone());
        }
    }
}

/// Something is under way: which question, and since when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// The question.
    pub ticket: Ticket,
    /// The boot clock when it was asked.
    pub since_ms: u64,
}

/// Seconds are shown as whole ones: the next frame is due when the figure changes.
pub fn to_next_second(since_ms: u64, now_ms: u64) -> Duration {
    Duration::from_millis(1_000 - now_ms.saturating_sub(since_ms) % 1_000)
}

impl Wait {
    /// A wait that begins now.
    pub fn new(ticket: Ticket, now_ms: u64) -> Wait {
        Wait { ticket, since_ms: now_ms }
    }

    /// How long until its next whole second.
    pub fn to_next_second(self, now_ms: u64) -> Duration {
        to_next_second(self.since_ms, now_ms)
    }

    /// Whole seconds since it was asked.
    pub fn seconds(&self, now_ms: u64) -> u64 {
        now_ms.saturating_sub(self.since_ms) / 1_000
    }
}
