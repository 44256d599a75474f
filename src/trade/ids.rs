//! Names of things: keys, tickets, origins, accounts.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The idempotency key of one agreed withdrawal, which is also the withdrawal's own name.
///
/// One agreement has one key for its whole life, minted when the review opens and never again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct IdempotencyKey(pub Uuid);

/// The format of a key in its header; the contract names the one a service wants.
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

/// The number of a question, by which an answer to an older question is recognised.
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

/// The owner of money: an origin and the identity logged in there; never a credential.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Account {
    /// The service.
    pub origin: Origin,
    /// The login's identity (or the JWT's `sub`).
    pub identity: Arc<str>,
}

impl Account {
    /// The owner as locks and warnings compare it: one for all spellings of a place and a login.
    ///
    /// Never a place to send a credential to: that is the origin as it is written.
    pub fn owner(&self) -> Account {
        let identity = self.identity.trim().to_lowercase().into();
        Account { origin: self.origin.folded(), identity }
    }

    /// Returns true when both are of one owner.
    pub fn has_owner_of(&self, other: &Account) -> bool {
        self == other || self.owner() == other.owner()
    }
}

impl Origin {
    /// The origin in lower case, without a default port or a dot at the host's end, and with one
    /// name for this machine.
    fn folded(&self) -> Origin {
        let text = self.0.trim().to_lowercase();
        let Some((scheme, rest)) = text.split_once("://") else { return Origin(text.into()) };
        let (host, port) = match rest.rsplit_once(':') {
            // The last colon of a bare IPv6 address is inside its brackets.
            Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => (host, port),
            _ => (rest, ""),
        };
        let host = match host.trim_end_matches('.') {
            host if is_this_machine(host) => "localhost",
            host => host,
        };
        let is_default = matches!((scheme, port), ("https", "443") | ("http", "80") | (_, ""));
        let port = if is_default { String::new() } else { format!(":{port}") };
        Origin(format!("{scheme}://{host}{port}").into())
    }
}

/// Returns true when a host is a name of this machine: `localhost`, 127.0.0.0/8 or `[::1]`.
fn is_this_machine(host: &str) -> bool {
    let is_v4 = |rest: &str| rest.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    matches!(host, "localhost" | "[::1]") || host.strip_prefix("127.").is_some_and(is_v4)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(origin: &str, identity: &str) -> Account {
        Account { origin: Origin(origin.into()), identity: identity.into() }
    }

    #[test]
    fn owner_is_equal_for_any_spelling() {
        for (one, other) in [
            ("http://127.0.0.1:8787", "http://localhost:8787"),
            ("http://127.0.0.1:8787", "http://[::1]:8787"),
            ("http://127.1.2.3:8787", "http://localhost.:8787"),
            ("https://api.example.com", "https://API.Example.com.:443"),
            ("https://api.example.com.", "https://api.example.com"),
            ("http://localhost", "http://127.0.0.1:80"),
            ("https://[2001:db8::1]", "https://[2001:DB8::1]:443"),
        ] {
            assert!(account(one, "ana").has_owner_of(&account(other, " ANA ")), "{one} {other}");
        }
        for (one, other) in [
            ("http://127.0.0.1:8787", "http://127.0.0.1:8788"),
            ("https://localhost", "http://localhost"),
            ("https://api.example.com", "https://api.example.com:8443"),
            ("https://api.example.com", "https://apixexample.com"),
            ("https://localhost.example.com", "https://localhost"),
            ("https://127.0.0.1.example.com", "https://localhost"),
            ("https://[2001:db8::1]", "https://[2001:db8::2]"),
        ] {
            assert!(!account(one, "ana").has_owner_of(&account(other, "ana")), "{one} {other}");
        }
        let (ana, bia) = (account("https://a.example", "ana"), account("https://a.example", "bia"));
        assert!(!ana.has_owner_of(&bia));
    }

    #[test]
    fn a_key_has_three_spellings() {
        let key = IdempotencyKey(Uuid::from_u128(0x3f0e6c1c7c554a8e9d5a2f1b6f1e0c9a));
        assert_eq!(key.header(KeyFormat::Plain), "3f0e6c1c-7c55-4a8e-9d5a-2f1b6f1e0c9a");
        assert_eq!(key.header(KeyFormat::Quoted), "\"3f0e6c1c-7c55-4a8e-9d5a-2f1b6f1e0c9a\"");
        assert_eq!(key.header(KeyFormat::Simple), "3f0e6c1c7c554a8e9d5a2f1b6f1e0c9a");
    }
}
