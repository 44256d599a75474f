//! A record of one HTTP request and its response. All secrets are masked before a record is
//! created.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Failure, IdempotencyKey, NoAnswer, Origin, RowId, Untrusted, Wall};

/// The operations of the payments API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// Logs in to the API.
    Login,
    /// Lists the seller's checkout domains.
    Domains,
    /// Creates a payment link.
    CreateLink,
    /// Creates a direct payment by Pix code.
    DirectPayment,
    /// Previews the fee of a withdrawal.
    FeePreview,
    /// Requests a Pix withdrawal.
    Withdrawal,
}

impl Operation {
    /// All operations.
    pub const ALL: [Operation; 6] = [
        Operation::Login,
        Operation::Domains,
        Operation::CreateLink,
        Operation::DirectPayment,
        Operation::FeePreview,
        Operation::Withdrawal,
    ];

    /// Returns the name of the operation in files.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Login => "login",
            Operation::Domains => "domains",
            Operation::CreateLink => "create_link",
            Operation::DirectPayment => "direct_payment",
            Operation::FeePreview => "fee_preview",
            Operation::Withdrawal => "withdrawal",
        }
    }

    /// Returns true if the operation creates something at the service or moves money.
    pub fn creates_or_pays(self) -> bool {
        match self {
            Operation::CreateLink | Operation::DirectPayment | Operation::Withdrawal => true,
            Operation::Login | Operation::Domains | Operation::FeePreview => false,
        }
    }
}

/// A record of an HTTP request and its result.
#[derive(Debug, Clone, PartialEq)]
pub struct Exchange {
    /// The time when the request started.
    pub at: Wall,
    /// The operation.
    pub operation: Operation,
    /// The HTTP method.
    pub method: Arc<str>,
    /// The absolute URL of the request.
    pub url: Arc<str>,
    /// The request headers as they are sent, with names in lower case. The values of secret
    /// headers are masked.
    pub request_headers: Vec<(String, String)>,
    /// The request body with secrets masked; `None` if the request has no body.
    pub request_body: Option<String>,
    /// The length of the request body as it is sent, in bytes.
    pub request_bytes: u64,
    /// The response, or the reason no complete response arrived.
    pub reply: Result<ReplySeen, Failure>,
    /// The time from the start of the request to the end of the response.
    pub took: Duration,
    /// The part of this time in which the connection was opened: the name lookup, TCP and TLS
    /// together. `None` if the request opened no connection.
    pub connecting: Option<Duration>,
}

impl Exchange {
    /// Creates a record of a request without headers and without a body. The caller sets the other
    /// facts.
    pub fn new(
        operation: Operation,
        method: impl Into<Arc<str>>,
        url: impl Into<Arc<str>>,
        reply: Result<ReplySeen, Failure>,
    ) -> Exchange {
        Exchange {
            at: Wall(0),
            operation,
            method: method.into(),
            url: url.into(),
            request_headers: vec![],
            request_body: None,
            request_bytes: 0,
            reply,
            took: Duration::ZERO,
            connecting: None,
        }
    }

    /// Returns the memory that the record's texts use, in bytes.
    pub fn bytes(&self) -> usize {
        let request: usize =
            self.request_headers.iter().map(|(name, value)| name.len() + value.len()).sum();
        let body = self.request_body.as_ref().map_or(0, String::len);
        let reply = match &self.reply {
            Ok(reply) => reply.bytes(),
            Err(Failure::Unreadable { body, .. }) => body.len(),
            Err(_) => 0,
        };
        self.url.len() + request + body + reply
    }
}

/// The object that a request created or moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExchangeSubject {
    /// The row of the payment link or direct payment in the history.
    Sale(RowId),
    /// The withdrawal with this key.
    Withdrawal(IdempotencyKey),
}

/// A stored request in a list, without its headers and bodies.
#[derive(Debug, Clone, PartialEq)]
pub struct RequestRow {
    /// The id of the row.
    pub id: RowId,
    /// The time when the request started.
    pub at: Wall,
    /// The profile that sent the request.
    pub profile: Arc<str>,
    /// The service to which the profile belonged.
    pub origin: Origin,
    /// The operation.
    pub operation: Operation,
    /// The HTTP method.
    pub method: Arc<str>,
    /// The absolute URL of the request.
    pub url: Arc<str>,
    /// The status of the response, or the reason why there is no response.
    pub result: RequestResult,
    /// The time from the start of the request to the end of the response.
    pub took: Duration,
    /// The length of the request body, in bytes.
    pub request_bytes: u64,
    /// The number of bytes of the response body that were read.
    pub reply_bytes: Option<u64>,
    /// The object that the request created or moved, if it is known.
    pub subject: Option<ExchangeSubject>,
}

/// The result of a stored request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestResult {
    /// A response with this status.
    Reply(u16),
    /// No complete response arrived.
    NoAnswer,
    /// The user cancelled the request.
    Cancelled,
    /// Nothing was sent.
    NotSent,
    /// The request failed for another reason.
    Failed,
}

/// A response with secrets masked.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplySeen {
    /// The HTTP status.
    pub status: u16,
    /// The response headers. A header's value is masked unless the header is on a list of harmless
    /// headers.
    pub headers: Vec<(String, Untrusted)>,
    /// The part of the response body that was read, with secrets masked. Of a body that is
    /// announced as too large, only the beginning is read.
    pub body: Untrusted,
    /// The reason reading the body ended.
    pub end: BodyEnd,
    /// The number of bytes of the body that were read.
    pub received: u64,
    /// The length of the body that the response announced, in bytes.
    pub announced: Option<u64>,
}

/// The reason reading a body ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BodyEnd {
    /// The body is complete.
    Whole,
    /// The connection was closed before the body was complete.
    Cut,
    /// The deadline passed before the body was complete.
    Timeout,
    /// The body is longer than the maximum length.
    TooLarge,
    /// The body is compressed or encoded, although the request did not allow it.
    Encoded,
}

impl BodyEnd {
    /// Returns the failure if the body is incomplete; `None` if the body is complete or encoded.
    pub fn no_answer(self) -> Option<NoAnswer> {
        match self {
            BodyEnd::Cut => Some(NoAnswer::Cut),
            BodyEnd::Timeout => Some(NoAnswer::Timeout),
            BodyEnd::TooLarge => Some(NoAnswer::TooLarge),
            BodyEnd::Whole | BodyEnd::Encoded => None,
        }
    }
}

impl ReplySeen {
    /// Creates a complete response.
    pub fn new(
        status: u16,
        headers: Vec<(String, Untrusted)>,
        body: impl Into<Untrusted>,
    ) -> ReplySeen {
        let body = body.into();
        let received = body.len() as u64;
        ReplySeen { status, headers, body, end: BodyEnd::Whole, received, announced: None }
    }

    fn bytes(&self) -> usize {
        let headers = self.headers.iter().map(|(name, value)| name.len() + value.len());
        headers.sum::<usize>() + self.body.len()
    }
}
