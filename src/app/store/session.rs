//! The state of the two credentials (API token and JWT), and of the vault that stores them. The
//! app's state never contains the credentials themselves.

use crate::trade::Failure;
use std::sync::Arc;
use std::time::Duration;

use crate::trade::{CredentialKind, VaultKind, VaultTrouble, Wall};

/// The state of the vault that stores the credentials.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum VaultStatus {
    /// The program is waiting for the vault's reply.
    #[default]
    Asking,
    /// A vault of this kind stores the credentials. Memory is also a kind of vault, if the seller
    /// or the demo chose it.
    Kept(VaultKind),
    /// The vault failed, so it does not store the credentials. The seller has not chosen to keep
    /// them in memory instead.
    Trouble(VaultTrouble),
}

impl VaultStatus {
    /// The id of the message that names the vault or describes its error.
    pub fn message(&self) -> String {
        match self {
            VaultStatus::Asking => "keeper-asking".to_owned(),
            VaultStatus::Kept(kind) => format!("keeper-{}", kind.name()),
            VaultStatus::Trouble(trouble) => format!("keeper-{}", trouble.name()),
        }
    }
}

/// The state of a credential (API token or JWT). The secret itself is never part of this state.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Credential {
    /// The state is not known yet, because the vault has not replied.
    #[default]
    Unknown,
    /// No credential is stored.
    Absent,
    /// A credential is stored.
    Stored(CredentialDetails),
    /// A credential is stored, but the service refused it.
    Refused(CredentialDetails),
}

/// The details of a stored credential, without the secret.
#[derive(Debug, Clone, PartialEq)]
pub struct CredentialDetails {
    /// The name of the account that the credential belongs to, such as an e-mail address.
    pub identity: Arc<str>,
    /// When the credential becomes valid, if known.
    pub since: Option<Wall>,
    /// When the credential expires, if known.
    pub expires: Option<Wall>,
    /// True if the demo provided the credential.
    pub from_demo: bool,
}

impl CredentialDetails {
    /// Returns how long the credential is still valid, and how long it is valid in total. Returns
    /// `None` if its times are not known.
    pub fn life(&self, now: Wall) -> Option<(Duration, Duration)> {
        let since = self.since?;
        let expires = self.expires?;
        Some((expires.since(now)?, expires.since(since)?))
    }

    /// True if the credential has expired. If its expiry is not known, returns false.
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
    /// The state of the credential of this kind.
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

    /// If a credential caused this failure, updates the state of that credential and returns its
    /// kind.
    pub fn note(&mut self, failure: Option<&Failure>) -> Option<CredentialKind> {
        match failure? {
            Failure::Unauthorized {
                credential: Some(kind),
                ..
            } => {
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

    /// True if a seller is logged in: an API token is stored.
    pub fn is_logged_in(&self) -> bool {
        matches!(self.api_token, Credential::Stored(_))
    }

    /// The account name that is stored with the API token or, if there is no API token, with the
    /// JWT.
    pub fn identity(&self) -> Option<Arc<str>> {
        let mut credentials = [&self.api_token, &self.jwt].into_iter();
        credentials.find_map(|credential| Some(credential.held()?.identity.clone()))
    }
}

impl Credential {
    /// The account name that is stored with the credential, even if the service has refused the
    /// credential.
    pub fn identity(&self) -> Option<&str> {
        self.held().map(|stored| &*stored.identity)
    }

    /// The details of a stored credential, even if the service has refused the credential.
    pub fn held(&self) -> Option<&CredentialDetails> {
        match self {
            Credential::Stored(stored) | Credential::Refused(stored) => Some(stored),
            Credential::Unknown | Credential::Absent => None,
        }
    }

    /// True if the credential is stored, and is not known to have expired.
    pub fn is_good(&self, now: Wall) -> bool {
        matches!(self, Credential::Stored(stored) if !stored.is_expired(now))
    }

    /// Marks the credential as refused by the service.
    pub fn refuse(&mut self) {
        if let Credential::Stored(stored) = self {
            *self = Credential::Refused(stored.clone());
        }
    }

    /// Removes the mark that the service refused the credential. Requests then use the credential
    /// again.
    pub fn try_again(&mut self) {
        if let Credential::Refused(stored) = self {
            *self = Credential::Stored(stored.clone());
        }
    }
}
