//! The state of the two credentials (API token and JWT), and of the vault that stores them. The
//! credentials themselves are never in the model.

use crate::trade::Failure;
use std::sync::Arc;
use std::time::Duration;

use crate::trade::{CredentialKind, VaultKind, VaultTrouble, Wall};

/// The state of the vault that stores the credentials.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum VaultStatus {
    /// The vault has not replied yet.
    #[default]
    Asking,
    /// A vault of this kind stores the credentials. Storing them only in memory counts as a vault
    /// if the seller or the demo chose that.
    Kept(VaultKind),
    /// No vault stores the credentials: the vault failed, and the seller has not chosen memory
    /// instead.
    Trouble(VaultTrouble),
}

impl VaultStatus {
    /// Returns the message that names the vault or its error.
    pub fn message(&self) -> String {
        match self {
            VaultStatus::Asking => "keeper-asking".to_owned(),
            VaultStatus::Kept(kind) => format!("keeper-{}", kind.name()),
            VaultStatus::Trouble(trouble) => format!("keeper-{}", trouble.name()),
        }
    }
}

/// The state of a credential. The secret itself is never included.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Credential {
    /// The state is not known yet, because the vault has not replied.
    #[default]
    Unknown,
    /// No credential is stored.
    Absent,
    /// A credential is stored.
    Held(HeldCredential),
    /// A credential is stored, but the service refused it.
    Refused(HeldCredential),
}

/// The details of a stored credential.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldCredential {
    /// The account that the credential belongs to, such as the e-mail address of the login.
    pub identity: Arc<str>,
    /// When the credential becomes valid, if known.
    pub since: Option<Wall>,
    /// When the credential expires, if known.
    pub expires: Option<Wall>,
    /// True if the demo provided the credential.
    pub from_demo: bool,
}

impl HeldCredential {
    /// Returns the credential's remaining lifetime and its whole lifetime, if both are known.
    pub fn life(&self, now: Wall) -> Option<(Duration, Duration)> {
        let (since, expires) = (self.since?, self.expires?);
        Some((expires.since(now)?, expires.since(since)?))
    }

    /// Returns true if the credential is known to have expired.
    pub fn is_expired(&self, now: Wall) -> bool {
        self.expires.is_some_and(|expires| now >= expires)
    }
}

/// The state of both credentials (API token and JWT), and the vault that stores them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Session {
    /// The state of the vault that stores the credentials.
    pub vault_status: VaultStatus,
    /// The API token, the credential for withdrawals.
    pub api_token: Credential,
    /// The JWT, the credential for payment links.
    pub jwt: Credential,
}

impl Session {
    /// Returns the state of the credential of this kind.
    pub fn credential(&self, kind: CredentialKind) -> &Credential {
        match kind {
            CredentialKind::ApiToken => &self.api_token,
            CredentialKind::Jwt => &self.jwt,
        }
    }

    pub fn credential_mut(&mut self, kind: CredentialKind) -> &mut Credential {
        match kind {
            CredentialKind::ApiToken => &mut self.api_token,
            CredentialKind::Jwt => &mut self.jwt,
        }
    }

    /// If this failure was caused by a credential, updates the state of that credential and returns
    /// its kind.
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

    /// Returns true if a seller is logged in, which means that an API token is stored.
    pub fn is_in(&self) -> bool {
        matches!(self.api_token, Credential::Held(_))
    }

    /// Returns the identity of the API token, or of the JWT if no API token is stored.
    pub fn identity(&self) -> Option<Arc<str>> {
        let mut credentials = [&self.api_token, &self.jwt].into_iter();
        credentials.find_map(|credential| Some(credential.held()?.identity.clone()))
    }
}

impl Credential {
    /// Returns the identity of a stored credential, even if the service refused the credential.
    pub fn identity(&self) -> Option<&str> {
        self.held().map(|held| &*held.identity)
    }

    /// Returns the details of a stored credential, even if the service refused the credential.
    pub fn held(&self) -> Option<&HeldCredential> {
        match self {
            Credential::Held(held) | Credential::Refused(held) => Some(held),
            Credential::Unknown | Credential::Absent => None,
        }
    }

    /// Returns true if the credential is stored and not known to have expired.
    pub fn is_good(&self, now: Wall) -> bool {
        matches!(self, Credential::Held(held) if !held.is_expired(now))
    }

    /// Marks the credential as refused by the service.
    pub fn refuse(&mut self) {
        if let Credential::Held(held) = self {
            *self = Credential::Refused(held.clone());
        }
    }

    /// Clears the refusal, so that requests use the credential again.
    pub fn try_again(&mut self) {
        if let Credential::Refused(held) = self {
            *self = Credential::Held(held.clone());
        }
    }
}
