//! The ways in which an operation can fail. The messages about them are built in `words::failure`.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use super::credential::{CredentialKind, VaultTrouble};
use super::journal_trouble::JournalTrouble;
use super::untrusted::Untrusted;
use super::withdrawal::{AttemptEnd, Blocker, Class, NotDone, NotSent};

/// The reason an operation failed. Only the reasons why a request has no response are serialized.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "kebab-case")]
pub enum Failure {
    /// The request was not sent.
    NotSent(NotSent),
    /// The operation needs a credential of this kind, but none is stored.
    NoCredential(CredentialKind),
    /// The text that the seller pasted does not have the format of a JWT.
    #[serde(skip)]
    NotAJwt,
    /// The request may have reached the service, but no complete response arrived.
    NoAnswer(NoAnswer),
    /// Status 401 or 403: the credential is missing, invalid or expired.
    #[serde(skip)]
    Unauthorized {
        /// The kind of the credential that was sent, if any.
        credential: Option<CredentialKind>,
        /// The service's own message.
        refusal: Refusal,
    },
    /// The service refused the request, by its status or in the body of a 2xx response.
    #[serde(skip)]
    Refused(Refusal),
    /// The body of a 2xx response says that the service refused the request, but also contains what
    /// the request should create.
    #[serde(skip)]
    Contradicted(Refusal),
    /// Status 3xx. Redirects are never followed.
    #[serde(skip)]
    Redirected {
        /// The HTTP status.
        status: u16,
        /// The target of the redirect.
        location: Option<Untrusted>,
    },
    /// The status reports success, but a value that the app needs was not found where the API
    /// contract expects it.
    #[serde(skip)]
    Unreadable {
        /// The HTTP status.
        status: u16,
        /// The names of the contract settings that should have located the missing value, such as
        /// `create_link.url`.
        expected_settings: Vec<String>,
        /// True if the seller may be able to fix this by correcting one of these settings in the
        /// app.
        can_be_taught: bool,
        /// The response body with secrets masked.
        body: Untrusted,
    },
    /// The vault, which stores the credentials, cannot be used.
    #[serde(skip)]
    Vault(VaultTrouble),
    /// The journal of withdrawals cannot be used.
    #[serde(skip)]
    Journal(JournalTrouble),
    /// An attempt to send a withdrawal ended, but its result could not be written to the journal.
    #[serde(skip)]
    Unrecorded {
        /// The number of the attempt, counted from 1.
        n: u32,
        /// The result of the attempt. It may exist only in memory and is then lost when the program
        /// exits.
        end: Box<AttemptEnd>,
        /// The reason the result could not be written.
        trouble: JournalTrouble,
    },
    /// A rule forbids to send or to decide the withdrawal now, so nothing was sent.
    #[serde(skip)]
    Blocked(Blocker),
    /// The user cancelled the operation.
    Cancelled,
}

/// The reason there is no complete response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "kebab-case")]
pub enum NoAnswer {
    /// The response was not complete before the deadline.
    Timeout,
    /// The connection ended before the response was complete.
    Cut,
    /// The response is larger than the program accepts.
    TooLarge,
    /// The response is compressed or encoded, although the request did not allow it.
    Encoded,
    /// The response is not valid HTTP, or has too many headers.
    NotHttp,
    /// The user stopped waiting.
    Left,
}

/// Whether money may have moved. Every message about a failure answers this question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoneyMoved {
    /// No money has moved, because the service did nothing.
    No,
    /// Money may have moved, because the service may have acted.
    Maybe,
}

impl Failure {
    /// True if it is certain that the operation sent nothing to the service.
    ///
    /// Returns false for a withdrawal that is blocked after an attempt that may have reached the
    /// service. For [`Failure::Unrecorded`], callers must check the class of the [`AttemptEnd`]
    /// instead.
    pub fn nothing_was_sent(&self) -> bool {
        match self {
            Failure::NotSent(_)
            | Failure::NoCredential(_)
            | Failure::NotAJwt
            | Failure::Vault(_)
            | Failure::Journal(_)
            | Failure::Cancelled => true,
            Failure::Blocked(blocker) => !blocker.may_follow_payment(),
            _ => false,
        }
    }

    /// The journal's problem, if the journal is the reason for this failure.
    pub fn journal_trouble(&self) -> Option<&JournalTrouble> {
        match self {
            Failure::Journal(trouble) | Failure::Unrecorded { trouble, .. } => Some(trouble),
            _ => None,
        }
    }

    /// Whether the service may have acted on the request, in which case money may have moved.
    pub fn may_have_acted(&self) -> MoneyMoved {
        match self {
            Failure::NoAnswer(_)
            | Failure::Contradicted(_)
            | Failure::Unreadable { .. }
            | Failure::Redirected { .. } => MoneyMoved::Maybe,
            Failure::Blocked(blocker) if blocker.may_follow_payment() => MoneyMoved::Maybe,
            Failure::Refused(refusal) if !refusal.is_definite() => MoneyMoved::Maybe,
            Failure::Unrecorded { end, .. } => match end.class {
                Class::NotSent(_)
                | Class::DefiniteNo
                | Class::Unauthorized
                | Class::Throttled { .. } => MoneyMoved::No,
                _ => MoneyMoved::Maybe,
            },
            _ => MoneyMoved::No,
        }
    }
}

impl From<NotDone> for Failure {
    fn from(not_done: NotDone) -> Failure {
        match not_done {
            NotDone::Blocked(blocker) => Failure::Blocked(blocker),
            NotDone::Journal(trouble) => Failure::Journal(trouble),
        }
    }
}

/// A refusal by the service, with the service's own message and hint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Refusal {
    /// The HTTP status of the response.
    pub status: u16,
    /// The service's message.
    pub message: Option<Untrusted>,
    /// The service's hint about what to do.
    pub hint: Option<Untrusted>,
    /// The time after which the service accepts requests again, from the `Retry-After` header. Only
    /// a sender that repeats requests needs it, so it is not stored.
    #[serde(skip)]
    pub retry_after: Option<Duration>,
}

impl Refusal {
    /// True if the refusal proves that the service did not act on the request.
    pub fn is_definite(&self) -> bool {
        // With the statuses 408, 409 and 499, the service may have acted. A 2xx response is a
        // refusal only if its body says so.
        matches!(self.status, 200..=299 | 400..=407 | 410..=498)
    }

    /// True if the service refused the values in the request, such as an amount that is too small.
    /// The API documentation (section 7) uses the status 400 for this case. Services also use 402
    /// and 422.
    pub fn is_of_input(&self) -> bool {
        matches!(self.status, 400 | 402 | 422)
    }
}

/// The reason a URL cannot be the base URL of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressFault {
    /// The text is not an absolute URL.
    NotAnAddress,
    /// The scheme is not `https` or `http`.
    Scheme,
    /// The scheme is `http` and the host is another computer, so others on the network could read
    /// the credentials.
    NotEncrypted,
    /// The URL contains a user name or password.
    UserInfo,
    /// The URL contains a query (`?`).
    Query,
    /// The URL contains a fragment (`#`).
    Fragment,
}
