//! Credentials: the purpose of each, where it belongs, and the vault that keeps it.

use std::sync::Arc;

use super::ids::Origin;

/// A credential, by what it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CredentialKind {
    /// The token the documented login yields; withdrawals are sent with it.
    ApiToken,
    /// The JWT payment links are created with.
    Jwt,
}

/// Where a credential belongs.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VaultKind {
    /// The operating system's keyring: they are there at the next start.
    Keyring,
    /// This process: they are gone when it ends.
    Memory,
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
    /// Any other error, in its words.
    Other(String),
}
