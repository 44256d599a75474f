//! Identifiers: idempotency keys, tickets, origins and accounts.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The idempotency key of a withdrawal. It is also the withdrawal's id in the journal.
///
/// The key is created when a new withdrawal is shown for review. All attempts to send the
/// withdrawal use it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct IdempotencyKey(pub Uuid);

/// The format of the idempotency key in the request header. A setting of the API contract selects
/// it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyFormat {
    /// The UUID with dashes, such as `3f0e6c1c-7c55-4a8e-9d5a-2f1b6f1e0c9a`.
    #[default]
    Plain,
    /// The UUID in double quotes, as in the IETF draft about idempotency keys.
    Quoted,
    /// The 32 hexadecimal digits of the UUID without dashes.
    Simple,
}

impl IdempotencyKey {
    /// The key in this format, as the value of the request header.
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

/// The number of a request from the user interface to a background task. A response is ignored if a
/// newer request was made in the meantime.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Ticket(pub u64);

impl Ticket {
    /// The ticket for the next request.
    #[must_use]
    pub fn next(self) -> Ticket {
        Ticket(self.0 + 1)
    }
}

/// The scheme, host and port of a service, such as `https://api.example.com`. Each credential and
/// each account belongs to one origin.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Origin(pub Arc<str>);

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An account at a service: the origin of the service and the identity that logs in there. It
/// contains no credential.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Account {
    /// The origin of the service.
    pub origin: Origin,
    /// The identity from the login, or the `sub` claim of the JWT.
    pub identity: Arc<str>,
}

impl Account {
    /// The account with its origin and identity in a normalised spelling. Locks and warnings
    /// compare this form, so that a different spelling is not taken for another account.
    ///
    /// Credentials are sent only to the origin in its original spelling.
    pub fn normalized(&self) -> Account {
        let identity = self.identity.trim().to_lowercase().into();
        Account {
            origin: self.origin.normalized(),
            identity,
        }
    }

    /// True if both accounts are the same, apart from their spelling.
    pub fn is_same_account(&self, other: &Account) -> bool {
        self == other || self.normalized() == other.normalized()
    }
}

impl Origin {
    /// The origin in lower case, without a default port and without a final dot. All loopback names
    /// become `localhost`.
    fn normalized(&self) -> Origin {
        let text = self.0.trim().to_lowercase();
        let Some((scheme, rest)) = text.split_once("://") else {
            return Origin(text.into());
        };
        let (host, port) = match rest.rsplit_once(':') {
            // Check that the text after the colon is a number, because an IPv6 address contains
            // colons too.
            Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => (host, port),
            _ => (rest, ""),
        };
        let host = match host.trim_end_matches('.') {
            host if is_loopback(host) => "localhost",
            host => host,
        };
        let is_default = matches!((scheme, port), ("https", "443") | ("http", "80") | (_, ""));
        let port = if is_default {
            String::new()
        } else {
            format!(":{port}")
        };
        Origin(format!("{scheme}://{host}{port}").into())
    }
}

/// True if the host is this machine: `localhost`, an address in 127.0.0.0/8, or `[::1]`.
fn is_loopback(host: &str) -> bool {
    matches!(host, "localhost" | "[::1]")
        || host
            .strip_prefix("127.")
            .is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(origin: &str, identity: &str) -> Account {
        Account {
            origin: Origin(origin.into()),
            identity: identity.into(),
        }
    }

    #[test]
    fn owner_is_equal_for_any_spelling() {
        for (first, other) in [
            ("http://127.0.0.1:8787", "http://localhost:8787"),
            ("http://127.0.0.1:8787", "http://[::1]:8787"),
            ("http://127.1.2.3:8787", "http://localhost.:8787"),
            ("https://api.example.com", "https://API.Example.com.:443"),
            ("https://api.example.com.", "https://api.example.com"),
            ("http://localhost", "http://127.0.0.1:80"),
            ("https://[2001:db8::1]", "https://[2001:DB8::1]:443"),
        ] {
            assert!(
                account(first, "ana").is_same_account(&account(other, " ANA ")),
                "{first} {other}"
            );
        }
        for (first, other) in [
            ("http://127.0.0.1:8787", "http://127.0.0.1:8788"),
            ("https://localhost", "http://localhost"),
            ("https://api.example.com", "https://api.example.com:8443"),
            ("https://api.example.com", "https://apixexample.com"),
            ("https://localhost.example.com", "https://localhost"),
            ("https://127.0.0.1.example.com", "https://localhost"),
            ("https://[2001:db8::1]", "https://[2001:db8::2]"),
        ] {
            assert!(
                !account(first, "ana").is_same_account(&account(other, "ana")),
                "{first} {other}"
            );
        }
        let ana = account("https://a.example", "ana");
        let bia = account("https://a.example", "bia");
        assert!(!ana.is_same_account(&bia));
    }

    #[test]
    fn key_header_has_three_formats() {
        let key = IdempotencyKey(Uuid::from_u128(0x3f0e6c1c7c554a8e9d5a2f1b6f1e0c9a));
        assert_eq!(
            key.header(KeyFormat::Plain),
            "3f0e6c1c-7c55-4a8e-9d5a-2f1b6f1e0c9a"
        );
        assert_eq!(
            key.header(KeyFormat::Quoted),
            "\"3f0e6c1c-7c55-4a8e-9d5a-2f1b6f1e0c9a\""
        );
        assert_eq!(
            key.header(KeyFormat::Simple),
            "3f0e6c1c7c554a8e9d5a2f1b6f1e0c9a"
        );
    }
}
