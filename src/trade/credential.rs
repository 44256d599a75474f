//! Credentials for the service: their kinds, their names in the vault, and the vaults that store
//! them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::ids::Origin;

/// A kind of credential for the payments API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CredentialKind {
    /// The API token, which the service returns at login. It is needed for withdrawals.
    ApiToken,
    /// The JWT, which is needed to create payment links.
    Jwt,
}

/// The name under which a credential is stored in the vault.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CredentialName {
    /// The settings profile that the credential belongs to. The origin is not enough, because two
    /// profiles may belong to two sellers who use the same service.
    pub profile: Arc<str>,
    /// The only service address (scheme, host and port) to which the credential may be sent.
    pub origin: Origin,
    /// The kind of credential.
    pub kind: CredentialKind,
}

/// A kind of vault, the store for credentials.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VaultKind {
    /// The operating system's keyring. Credentials are kept after the program exits.
    Keyring,
    /// The keyring of the Linux kernel. Credentials are lost when the user logs out of the
    /// computer.
    Keyutils,
    /// A command that the seller provides, such as a script that calls `pass`.
    Helper,
    /// Environment variables of this process. Credentials can only be read, not stored.
    #[serde(rename = "env")]
    Environment,
    /// The memory of this process. Credentials are lost when the program exits.
    Memory,
}

impl VaultKind {
    /// All kinds of vault.
    pub const ALL: [VaultKind; 5] = [
        VaultKind::Keyring,
        VaultKind::Keyutils,
        VaultKind::Helper,
        VaultKind::Environment,
        VaultKind::Memory,
    ];

    /// True if the vault can keep credentials after the program exits.
    pub fn outlives_the_program(self) -> bool {
        matches!(
            self,
            VaultKind::Keyring | VaultKind::Keyutils | VaultKind::Helper
        )
    }

    /// True if the vault can keep its entries after the user logs out of the computer.
    pub fn outlives_the_session(self) -> bool {
        matches!(self, VaultKind::Keyring | VaultKind::Helper)
    }

    /// The kind of vault with this name, such as `keyring`.
    pub fn of_name(name: &str) -> Option<VaultKind> {
        VaultKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The name that settings, the command line and message ids use for this kind of vault.
    pub fn name(self) -> &'static str {
        match self {
            VaultKind::Keyring => "keyring",
            VaultKind::Keyutils => "keyutils",
            VaultKind::Helper => "helper",
            VaultKind::Environment => "env",
            VaultKind::Memory => "memory",
        }
    }
}

/// The reason the vault cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VaultTrouble {
    /// No keyring service is running on this computer, or none answers.
    Absent,
    /// The keyring is locked, or the user dismissed its password prompt.
    Locked,
    /// The keyring did not respond within the timeout.
    Hangs,
    /// The kernel or the program's container does not allow keys to be stored.
    Denied,
    /// The seller's vault command does not exist or is not executable. The text is the command.
    NoHelper(String),
    /// The seller's vault command exceeded its timeout and was killed.
    HelperHangs,
    /// The seller's vault command failed or printed invalid output. The text is its error.
    HelperFailed(String),
    /// Credentials come from environment variables, so they cannot be stored or deleted.
    ReadOnly,
    /// The keyring has several entries with the same name but different values. The text contains
    /// the name.
    Several(String),
    /// Any other error, with its text.
    Other(String),
}

impl VaultTrouble {
    /// The names of all variants.
    pub const NAMES: [&str; 10] = [
        "absent",
        "locked",
        "hangs",
        "denied",
        "no-helper",
        "helper-hangs",
        "helper-failed",
        "read-only",
        "several",
        "other",
    ];

    /// The name of the variant in message ids, such as `absent`.
    pub fn name(&self) -> &'static str {
        match self {
            VaultTrouble::Absent => "absent",
            VaultTrouble::Locked => "locked",
            VaultTrouble::Hangs => "hangs",
            VaultTrouble::Denied => "denied",
            VaultTrouble::NoHelper(_) => "no-helper",
            VaultTrouble::HelperHangs => "helper-hangs",
            VaultTrouble::HelperFailed(_) => "helper-failed",
            VaultTrouble::ReadOnly => "read-only",
            VaultTrouble::Several(_) => "several",
            VaultTrouble::Other(_) => "other",
        }
    }

    /// The command or error text that the variant contains, if any.
    pub fn detail(&self) -> Option<&str> {
        match self {
            VaultTrouble::NoHelper(detail)
            | VaultTrouble::HelperFailed(detail)
            | VaultTrouble::Several(detail)
            | VaultTrouble::Other(detail) => Some(detail),
            _ => None,
        }
    }
}
