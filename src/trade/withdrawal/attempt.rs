//! One attempt to send a withdrawal, and what its end proves.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::trade::{Clocks, Money, Untrusted, Wall};

/// One attempt; durable before name resolution, so that an attempt without an end may have paid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// 1 for the first.
    pub n: u32,
    /// The time at which it began.
    pub began: Clocks,
    /// Its end, if that is known.
    pub end: Option<AttemptEnd>,
}

/// The end of an attempt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttemptEnd {
    /// When.
    pub at: Wall,
    /// The boot clock's reading then, in the start of the machine that the attempt began in.
    pub boot_ms: u64,
    /// The class of the end: the proof it gives.
    pub class: Class,
    /// The status of the reply, if there was one.
    pub status: Option<u16>,
    /// The server's own `Date`, where it sent one that could be read.
    pub server_date: Option<Wall>,
    /// The service's own words about it.
    pub message: Option<Untrusted>,
    /// The service's hint about what to do.
    pub hint: Option<Untrusted>,
}

/// The class of an attempt's end: the proof it gives.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// It failed before a byte of the request was written.
    NotSent(NotSent),
    /// It may have paid.
    Unclear(Unclear),
    /// The service took it.
    Confirmed {
        /// The identifier the service gave it.
        id: Option<Untrusted>,
        /// The service's own status word.
        status: Option<Untrusted>,
    },
    /// A readable reply that contradicts what was sent.
    Alarm(Alarm),
    /// A definite no, for this attempt.
    DefiniteNo,
    /// 401 or 403: a definite no until somebody logs in.
    #[serde(rename = "no_entry")]
    Unauthorized,
    /// 425 or 429: a definite no for now.
    Throttled {
        /// The wait that the service asks for.
        retry_after: Option<Duration>,
    },
    /// 3xx, never followed: it may have paid, and the base URL is likely wrong.
    Redirected,
    /// 422 after an earlier attempt: this key may have been used with another body.
    KeyReused,
    /// A success whose body contradicts it; no documentation calls that a definite no.
    SaysFailed(SaysFailed),
}

/// The part of a success that contradicts it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SaysFailed {
    /// The name of the member that says it, as the contract has it.
    pub member: Arc<str>,
    /// Its value.
    pub word: Untrusted,
}

/// The reason nothing was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotSent {
    /// Another attempt of this account is in flight, here or in another window.
    Busy,
    /// The journal could not make it durable.
    Journal,
    /// No credential is stored for this operation.
    NoCredential,
    /// The stored credential belongs to another account than the withdrawal does.
    OtherAccount,
    /// The vault did not answer.
    Vault,
    /// The host's name could not be resolved.
    Dns,
    /// The host refused or did not take the connection.
    Connect,
    /// The host could not prove who it is.
    Tls,
    /// The stored bytes are not what the journal says they were.
    BodyChanged,
    /// Its state does not allow it any more, perhaps since another window did something.
    NotSafe,
    /// The finished request would not have carried its key, its credential and its own headers once
    /// each.
    Headers,
    /// Lines of the contract that steer money are not those that the seller agreed to.
    NotAgreed,
    /// The program was started to look only: nothing leaves but the login and plain GETs.
    ReadOnly,
    /// The address proved to be the sandbox once, and does not any more.
    Unproven,
}

/// The reason the outcome is unknown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unclear {
    /// No reply within the deadline.
    Timeout,
    /// The connection ended before a whole reply was there.
    Cut,
    /// A reply longer than is read.
    TooLarge,
    /// A success whose body could not be read: probably yes.
    Unreadable,
    /// A success status that the contract does not name: probably yes.
    OtherSuccess,
    /// A success in which nothing says that the withdrawal was taken.
    NoSign,
    /// A status that proves nothing.
    Status,
    /// 409: running, or known with another body, or a conflict of the business.
    Conflict,
    /// Another value in the reply, on a setting of the contract that is not confirmed yet.
    EchoDiffers(Alarm),
}

/// The value that was sent and the value in the reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Alarm {
    /// Another amount.
    Amount {
        /// The value that was sent.
        sent: Money,
        /// The value in the reply.
        got: Money,
    },
    /// Another destination.
    Destination {
        /// The value that was sent.
        sent: String,
        /// The value in the reply.
        got: Untrusted,
    },
}

impl Attempt {
    /// Returns true when a byte of it may have reached the service: all but those that ended as not
    /// sent.
    pub fn counts(&self) -> bool {
        !matches!(self.end, Some(AttemptEnd { class: Class::NotSent(_), .. }))
    }

    /// Returns true when it may have paid, and that is unknown.
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

    /// The clocks when it ended, if the end is known.
    pub fn ended(&self) -> Option<Clocks> {
        let end = self.end.as_ref()?;
        let boot_id = self.began.boot_id.clone();
        Some(Clocks { wall: end.at, boot_ms: end.boot_ms, boot_id })
    }
}
