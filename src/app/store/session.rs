//! The session: who is logged in, the credentials that are held, and the vault that keeps them.

use crate::trade::Failure;
use std::sync::Arc;
use std::time::Duration;

use crate::trade::{CredentialKind, VaultKind, VaultTrouble, Wall};

/// The place where credentials are kept.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Keeper {
    /// The vault has not answered yet.
    #[default]
    Asking,
    /// There; in memory where the seller (or the demo) chose so.
    Kept(VaultKind),
    /// Nowhere: the vault is in trouble, and the seller has not chosen memory.
    Trouble(VaultTrouble),
}

impl Keeper {
    /// The message that says it in a few words.
    pub fn message(&self) -> String {
        match self {
            Keeper::Asking => "keeper-asking".to_owned(),
            Keeper::Kept(kind) => format!("keeper-{}", kind.name()),
            Keeper::Trouble(trouble) => format!("keeper-{}", trouble.name()),
        }
    }
}

/// The state of one credential; never the credential itself.
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
    /// The identity it stands for.
    pub identity: Arc<str>,
    /// From when, where that is known.
    pub since: Option<Wall>,
    /// Until when, where that is known.
    pub expires: Option<Wall>,
    /// True when the demo put it there.
    pub from_demo: bool,
}

impl Held {
    /// Returns how much of its life is left, and all of that life, where both are known.
    pub fn life(&self, now: Wall) -> Option<(Duration, Duration)> {
        let (since, expires) = (self.since?, self.expires?);
        Some((expires.since(now)?, expires.since(since)?))
    }

    /// Returns true when it is known to be past its time.
    pub fn is_expired(&self, now: Wall) -> bool {
        self.expires.is_some_and(|expires| now >= expires)
    }
}

/// Both credentials and their keeper.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Session {
    /// The place where they are kept.
    pub keeper: Keeper,
    /// The credential for withdrawals.
    pub api_token: Credential,
    /// The credential for payment links.
    pub jwt: Credential,
}

impl Session {
    /// Returns the state of this credential.
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

    /// Remembers what a failure says about a credential, and which one it was.
    pub fn note(&mut self, failure: Option<&Failure>) -> Option<CredentialKind> {
        match failure? {
            Failure::Unauthorized { credential: Some(kind), .. } => {
                self.credential_mut(*kind).refuse();
                Some(*kind)
            }
            Failure::NoCredential(kind) => {
                *self.credential_mut(*kind) = Credential::Absent;
                Some(*kind)
            }
            _ => None,
        }
    }

    /// Returns true when a seller is logged in: the documented login's token is held.
    pub fn is_in(&self) -> bool {
        matches!(self.api_token, Credential::Held(_))
    }

    /// Returns the name of the account: the login's identity, else the JWT's.
    pub fn identity(&self) -> Option<Arc<str>> {
        let mut credentials = [&self.api_token, &self.jwt].into_iter();
        credentials.find_map(|credential| Some(credential.held()?.identity.clone()))
    }
}

impl Credential {
    /// Returns the identity it stands for, held or refused.
    pub fn identity(&self) -> Option<&str> {
        self.held().map(|held| &*held.identity)
    }

    /// Returns what is kept, held or refused.
    pub fn held(&self) -> Option<&Held> {
        match self {
            Credential::Held(held) | Credential::Refused(held) => Some(held),
            Credential::Unknown | Credential::Absent => None,
        }
    }

    /// Returns true when it is held, and not known to be past its time.
    pub fn is_good(&self, now: Wall) -> bool {
        matches!(self, Credential::Held(held) if !held.is_expired(now))
    }

    /// The service did not take it.
    pub fn refuse(&mut self) {
        if let Credential::Held(held) = self {
            *self = Credential::Refused(held.clone());
        }
    }

    /// Takes a refusal back: it is sent once more.
    pub fn try_again(&mut self) {
        if let Credential::Refused(held) = self {
            *self = Credential::Held(held.clone());
        }
    }
}
