//! Everything that can go wrong, as values; their words live in one place, the view.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::credential::{CredentialKind, VaultTrouble};
use super::journal_trouble::JournalTrouble;
use super::untrusted::Untrusted;
use super::withdrawal::{AttemptEnd, Clash, Class, NotSent};

/// The reason an operation did not do what was asked.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// Nothing left this machine.
    NotSent(NotSent),
    /// The operation's credential is not there.
    NoCredential(CredentialKind),
    /// The pasted text does not have the shape of a JWT.
    NotAJwt,
    /// The request may have reached the service, and no whole reply came back.
    NoAnswer(NoAnswer),
    /// 401 or 403: the credential is not taken (any more).
    Unauthorized {
        /// Which one was sent, if any.
        credential: Option<CredentialKind>,
        /// The service's own words.
        refusal: Refusal,
    },
    /// The service refused, in its own words.
    Refused(Refusal),
    /// 3xx: the service sends us elsewhere; nothing is ever followed.
    Redirected {
        /// The status.
        status: u16,
        /// The target.
        location: Option<Untrusted>,
    },
    /// A success whose body does not hold what the contract looks for.
    Unreadable {
        /// The status.
        status: u16,
        /// The lines of the contract that were looked for.
        looked_for: Vec<String>,
        /// The body, secrets masked.
        body: Untrusted,
    },
    /// The vault could not do it.
    Vault(VaultTrouble),
    /// The journal could not do it.
    Journal(JournalTrouble),
    /// An attempt ended, and how it ended could not be written down.
    Unrecorded {
        /// Which attempt; 1 for the first.
        n: u32,
        /// The end of the attempt; perhaps nothing but this program knows it, and only while it
        /// runs.
        end: Box<AttemptEnd>,
        /// The reason it is not on disk.
        trouble: JournalTrouble,
    },
    /// Another withdrawal speaks against sending this one: nothing was sent.
    Clash(Clash),
    /// The attempt before may still be worked on: nothing was sent.
    TooSoon {
        /// The time to wait until it may be.
        wait: Duration,
    },
    /// The seller cancelled it.
    Cancelled,
}

/// The way in which a reply failed to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoAnswer {
    /// Nothing within the deadline.
    Timeout,
    /// The connection ended too early.
    Cut,
    /// More than is read of any reply.
    TooLarge,
    /// It is compressed or otherwise encoded, which was not asked for.
    Encoded,
    /// Its head has more lines than are read, or is not HTTP.
    NotHttp,
    /// The seller stopped waiting.
    Left,
}

/// The answer to "has money moved?", for the sentence every failure owes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moved {
    /// Nothing happened at the service.
    No,
    /// It is unknown.
    Maybe,
}

impl Failure {
    /// Returns true when it is certain that no byte reached the service.
    ///
    /// For an end that was not recorded, [its class](AttemptEnd) answers this.
    pub fn nothing_was_sent(&self) -> bool {
        matches!(
            self,
            Failure::NotSent(_)
                | Failure::NoCredential(_)
                | Failure::NotAJwt
                | Failure::Vault(_)
                | Failure::Journal(_)
                | Failure::Clash(_)
                | Failure::Cancelled
        )
    }

    /// Returns the journal's trouble, if that is the reason.
    pub fn journal_trouble(&self) -> Option<&JournalTrouble> {
        match self {
            Failure::Journal(trouble) | Failure::Unrecorded { trouble, .. } => Some(trouble),
            _ => None,
        }
    }

    /// Returns true when the service may have acted on the request.
    pub fn may_have_acted(&self) -> Moved {
        match self {
            // It was not sent now; the attempt before is why.
            Failure::NoAnswer(_)
            | Failure::Unreadable { .. }
            | Failure::Redirected { .. }
            | Failure::TooSoon { .. } => Moved::Maybe,
            Failure::Refused(refusal) if !refusal.is_definite() => Moved::Maybe,
            Failure::Unrecorded { end, .. } => match end.class {
                Class::NotSent(_)
                | Class::DefiniteNo
                | Class::Unauthorized
                | Class::Throttled { .. } => Moved::No,
                _ => Moved::Maybe,
            },
            _ => Moved::No,
        }
    }
}

/// A refusal in the service's own words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Refusal {
    /// The status of the reply.
    pub status: u16,
    /// Its message.
    pub message: Option<Untrusted>,
    /// Its hint about what to do.
    pub hint: Option<Untrusted>,
}

impl Refusal {
    /// Returns true when this status is a definite no, rather than one that proves nothing.
    pub fn is_definite(&self) -> bool {
        // 408, 409 and 499 say nothing about what was done before they were said.
        matches!(self.status, 400..=407 | 410..=498)
    }
}

/// The reason an address cannot be a service's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressFault {
    /// It is not an absolute address.
    NotAnAddress,
    /// It is neither https nor http.
    Scheme,
    /// It is http, and not to this machine: everybody on the way could read the credentials.
    NotEncrypted,
    /// It holds a user name or a password.
    UserInfo,
    /// It has a query (`?`).
    Query,
    /// It has a fragment (`#`).
    Fragment,
}
