//! An attempt to send a withdrawal, and the classification of its outcome.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use crate::trade::{Author, Clocks, Money, Untrusted, Wall};

/// An attempt to send a withdrawal. The attempt is stored before anything is sent, so an attempt
/// without a recorded end may have paid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// The number of the attempt within its withdrawal, counted from 1.
    pub n: u32,
    /// The clock readings at the start of the attempt.
    pub began: Clocks,
    /// The end of the attempt, if it was recorded.
    pub end: Option<AttemptEnd>,
    /// The person who began the attempt, in a team.
    pub by: Option<Author>,
}

/// The recorded end of an attempt: its time, its outcome, and parts of the response.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttemptEnd {
    /// The wall-clock time of the end.
    pub at: Wall,
    /// The reading of the boot clock at the end, in milliseconds. It can be compared with the
    /// reading at the start, because the machine was not restarted during the attempt.
    pub boot_ms: u64,
    /// The classification of the attempt's outcome.
    pub class: Class,
    /// The HTTP status of the response, if there was one.
    pub status: Option<u16>,
    /// The `Date` header of the response, if it could be read.
    pub server_date: Option<Wall>,
    /// The service's message to the seller.
    pub message: Option<Untrusted>,
    /// The service's hint about what the seller should do.
    pub hint: Option<Untrusted>,
}

/// The classification of an attempt's outcome: whether the attempt paid, may have paid or did not
/// pay.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// The attempt failed before any byte of the request was written.
    NotSent(NotSent),
    /// The attempt may have paid.
    Unclear(Unclear),
    /// The service accepted the withdrawal.
    Confirmed {
        /// The service's id of the withdrawal.
        id: Option<Untrusted>,
        /// The service's status text for the withdrawal.
        status: Option<Untrusted>,
    },
    /// The amount or destination in a response differs from the request.
    Alarm(Alarm),
    /// The service definitely refused this attempt.
    DefiniteNo,
    /// Status 401 or 403: the service refuses until the seller logs in again.
    #[serde(rename = "no_entry")]
    Unauthorized,
    /// Status 425 or 429: the service refused the request because it came too early, or because
    /// there were too many requests.
    Throttled {
        /// The time to wait, as given in the `Retry-After` header.
        retry_after: Option<Duration>,
    },
    /// Status 3xx. The program never follows redirects. The attempt may have paid, and the base URL
    /// is probably wrong.
    Redirected,
    /// Status 422 after an earlier attempt: the service may have received the idempotency key with
    /// another request body before.
    KeyReused,
    /// A reply that contradicts itself: a success status with a body that reports a failure, or an
    /// error status with a body that reports acceptance. The API documentation does not define this
    /// case, so the attempt may have paid.
    SaysFailed(SaysFailed),
}

/// The JSON member that contradicts the status of a reply, for example a failure in spite of a
/// success status.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SaysFailed {
    /// The name of the member, as configured in the API contract.
    pub member: Arc<str>,
    /// The value of the member.
    pub word: Untrusted,
}

/// The reason the request was not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "kebab-case")]
pub enum NotSent {
    /// Another attempt of this account is in flight, in this process or in another one.
    Busy,
    /// The journal could not store the attempt.
    Journal,
    /// No credential is stored for this operation.
    NoCredential,
    /// The stored credential does not belong to the account that the money is withdrawn from.
    OtherAccount,
    /// The vault, which stores the credential, did not answer.
    Vault,
    /// The host name could not be resolved.
    Dns,
    /// The connection failed or was refused.
    Connect,
    /// The TLS handshake failed, for example because of an invalid certificate.
    Tls,
    /// The stored request differs from the confirmed one.
    BodyChanged,
    /// The withdrawal's current state does not allow sending, or the time for sending it is over.
    /// Another process may have changed the state.
    NotSafe,
    /// In the finished request, the idempotency key, the credential or another header was missing
    /// or occurred twice.
    Headers,
    /// The seller has not agreed to the current settings of the API contract.
    NotAgreed,
    /// The program runs with `--read-only`, which allows only logins and plain GET requests.
    ReadOnly,
    /// The server at this address proved earlier that it is the sandbox, but could not prove it
    /// now.
    Unproven,
}

/// The reason the outcome of an attempt is unclear.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unclear {
    /// No complete response arrived before the deadline.
    Timeout,
    /// The connection ended before the response was complete.
    Cut,
    /// The response is larger than the program's limit.
    TooLarge,
    /// A success status with an unreadable body. The service probably accepted the withdrawal.
    Unreadable,
    /// A success status that the API contract does not list. The service probably accepted the
    /// withdrawal.
    OtherSuccess,
    /// A success status with a body that does not say that the withdrawal was accepted.
    NoSign,
    /// An HTTP status that does not show whether the service paid.
    Status,
    /// Status 409. The first request may still be running, or the service may have received the
    /// idempotency key with another request body.
    Conflict,
    /// A value in the response differs from the request. Does not lock the account, because the
    /// contract setting that locates the value is unconfirmed and may locate the wrong value.
    EchoDiffers(Alarm),
}

/// A value in the response that differs from the value in the request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Alarm {
    /// The amounts differ.
    Amount {
        /// The amount in the request.
        sent: Money,
        /// The amount in the response.
        got: Money,
    },
    /// The destinations differ.
    Destination {
        /// The destination in the request.
        sent: String,
        /// The destination in the response.
        got: Untrusted,
    },
}

impl Attempt {
    /// True if the attempt may have reached the service. Returns false only if it certainly was not
    /// sent.
    pub fn may_have_been_sent(&self) -> bool {
        !matches!(
            self.end,
            Some(AttemptEnd {
                class: Class::NotSent(_),
                ..
            })
        )
    }

    /// True if the attempt may have moved money but its outcome is unclear.
    pub fn is_unclear(&self) -> bool {
        match &self.end {
            None => true,
            Some(end) => matches!(
                end.class,
                Class::Unclear(_)
                    | Class::Redirected
                    | Class::KeyReused
                    | Class::SaysFailed(_)
                    | Class::Alarm(_)
            ),
        }
    }

    /// The clock readings at the end of the attempt, if the end was recorded.
    pub fn end_clocks(&self) -> Option<Clocks> {
        let end = self.end.as_ref()?;
        let boot_id = self.began.boot_id.clone();
        Some(Clocks {
            wall: end.at,
            boot_ms: end.boot_ms,
            boot_id,
        })
    }
}
