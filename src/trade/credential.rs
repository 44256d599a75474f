//! Credentials: the purpose of each, where it belongs, and the vault that keeps it.

use std::sync::Arc;

use serde::Deserialize;

use super::ids::Origin;

/// A credential, by what it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CredentialKind {
    /// The token the documented login yields; withdrawals are sent with it.
    ApiToken,
    /// The JWT payment links are created with.
    Jwt,
}

/// The owner and the use of a credential.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CredentialName {
    /// The profile it was given to: two of them may be two sellers at one service.
    pub profile: Arc<str>,
    /// The only origin it is ever sent to.
    pub origin: Origin,
    /// The kind of credential.
    pub kind: CredentialKind,
}

/// The place where credentials are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VaultKind {
    /// The operating system's keyring: they are there at the next start.
    Keyring,
    /// The keyring of the Linux kernel: they are gone when the person logs out of the computer.
    Keyutils,
    /// A command of the seller's own, such as one on top of `pass`.
    Helper,
    /// The environment that the program was started in: they are never stored.
    #[serde(rename = "env")]
    Environment,
    /// This process: they are gone when it ends.
    Memory,
}

impl VaultKind {
    /// Every kind.
    pub const ALL: [VaultKind; 5] = [
        VaultKind::Keyring,
        VaultKind::Keyutils,
        VaultKind::Helper,
        VaultKind::Environment,
        VaultKind::Memory,
    ];

    /// Returns true if what is stored there can still be there at the next start.
    pub fn outlives_the_program(self) -> bool {
        matches!(self, VaultKind::Keyring | VaultKind::Keyutils | VaultKind::Helper)
    }

    /// The kind of that name.
    pub fn of_name(name: &str) -> Option<VaultKind> {
        VaultKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Its name in settings and on the command line; the words about it are found by it too.
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

/// The trouble with the vault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VaultTrouble {
    /// This machine has no keyring that answers.
    Absent,
    /// The keyring is locked, or the prompt was dismissed.
    Locked,
    /// The keyring did not answer in time.
    Hangs,
    /// The kernel, or the container around the program, does not let it keep keys.
    Denied,
    /// The seller's command is not there, or may not be run.
    NoHelper(String),
    /// The seller's command did not end in time, and was killed.
    HelperHangs,
    /// The seller's command refused, died, or answered what means nothing; in its words.
    HelperFailed(String),
    /// The credentials come with the environment, and nothing is stored or deleted.
    ReadOnly,
    /// Any other error, in its words.
    Other(String),
}

impl VaultTrouble {
    /// One of each.
    pub const NAMES: [&str; 9] = [
        "absent",
        "locked",
        "hangs",
        "denied",
        "no-helper",
        "helper-hangs",
        "helper-failed",
        "read-only",
        "other",
    ];

    /// Its name; the words about it are found by it.
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
            VaultTrouble::Other(_) => "other",
        }
    }

    /// The detail that the system gave, if there is one.
    pub fn detail(&self) -> Option<&str> {
        match self {
            VaultTrouble::NoHelper(detail)
            | VaultTrouble::HelperFailed(detail)
            | VaultTrouble::Other(detail) => Some(detail),
            _ => None,
        }
    }
}
