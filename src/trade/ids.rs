//! Names of things: keys, tickets, origins, accounts.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The idempotency key of one agreed withdrawal, and so the withdrawal's own name.
///
/// One agreement has one key for its whole life, minted when the review opens and never again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct IdempotencyKey(pub Uuid);

/// How a key is written in its header; which one a service wants is a line of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyFormat {
    /// `3f0e6c1c-7c55-4a8e-9d5a-2f1b6f1e0c9a`
    #[default]
    Plain,
    /// The same between double quotes, as the IETF draft has it.
    Quoted,
    /// 32 hex digits.
    Simple,
}

impl IdempotencyKey {
    /// The key as its header carries it.
    pub fn header(self, format: KeyFormat) -> String {
        match format {
            KeyFormat::Plain => self.0.hyphenated().to_string(),
            KeyFormat::Quoted => format!("\"{}\"", self.0.hyphenated()),
            KeyFormat::Simple => self.0.simple().to_string(),
        }
    }
}

impl fmt::Display for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

/// The number on a question, so that an answer to an older question is told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Ticket(pub u64);

impl Ticket {
    /// The next number; every question takes a new one.
    #[must_use]
    pub fn next(self) -> Ticket {
        Ticket(self.0 + 1)
    }
}

/// Scheme, host and port of a service: what a credential belongs to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Origin(pub Arc<str>);

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whose money it is: an origin and who is logged in there; never a credential.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Account {
    /// The service.
    pub origin: Origin,
    /// The login's identity (or the JWT's `sub`).
    pub identity: Arc<str>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_three_spellings() {
        let key = IdempotencyKey(Uuid::from_u128(0x3f0e6c1c7c554a8e9d5a2f1b6f1e0c9a));
        assert_eq!(key.header(KeyFormat::Plain), "3f0e6c1c-7c55-4a8e-9d5a-2f1b6f1e0c9a");
        assert_eq!(key.header(KeyFormat::Quoted), "\"3f0e6c1c-7c55-4a8e-9d5a-2f1b6f1e0c9a\"");
        assert_eq!(key.header(KeyFormat::Simple), "3f0e6c1c7c554a8e9d5a2f1b6f1e0c9a");
    }
}
