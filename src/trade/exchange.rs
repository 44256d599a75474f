//! A record of one HTTP request and its response. All secrets are masked before a record is
//! created.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{
    Failure, HeaderUse, IdempotencyKey, JournalTrouble, ListPage, NoAnswer, Origin, RowId, Search,
    Ticket, Untrusted, Wall,
};

/// A difference between the service's clock and this computer's clock is ignored if it is smaller
/// than this. The `Date` header has a resolution of only one second.
const CLOCK_TOLERANCE_MS: i64 = 2_000;

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

    /// The name that files use for the operation, such as `create_link`. Its settings in the API
    /// contract begin with this name.
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

    /// True if the operation creates a payment link or direct payment, or withdraws money.
    pub fn creates_or_pays(self) -> bool {
        match self {
            Operation::CreateLink | Operation::DirectPayment | Operation::Withdrawal => true,
            Operation::Login | Operation::Domains | Operation::FeePreview => false,
        }
    }
}

/// The identity of an HTTP exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExchangeId {
    /// The number of an exchange of this run, counted from 1. It stays the same when the exchange
    /// is stored.
    Run(u64),
    /// The row of an exchange of an earlier run or of another process.
    Row(RowId),
}

impl Default for ExchangeId {
    fn default() -> ExchangeId {
        ExchangeId::Run(0)
    }
}

/// A record of an HTTP request and its result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exchange {
    /// The number of the exchange, or its row in the database.
    #[serde(skip)]
    pub id: ExchangeId,
    /// The payment link, direct payment or withdrawal that the request was sent for, if any. In the
    /// database it has columns of its own.
    #[serde(skip)]
    pub subject: Option<ExchangeSubject>,
    /// The time when the request started.
    pub at: Wall,
    /// The API operation that the request performs.
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
    pub reply: Result<MaskedReply, Failure>,
    /// The time from the start of the request to the end of the response.
    pub took: Duration,
    /// The time spent opening the connection: DNS lookup, TCP and TLS. It is included in `took`.
    /// `None` if the request opened no connection.
    pub connecting: Option<Duration>,
}

impl Exchange {
    /// Creates a record of a request without headers or a body. The caller fills in the other
    /// fields.
    pub fn new(
        operation: Operation,
        method: impl Into<Arc<str>>,
        url: impl Into<Arc<str>>,
        reply: Result<MaskedReply, Failure>,
    ) -> Exchange {
        Exchange {
            id: ExchangeId::default(),
            subject: None,
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

    /// The id that the service gave to this request, from a header such as `x-request-id`. Returns
    /// `None` if the response has no such header or if the id is masked.
    pub fn request_id(&self) -> Option<&Untrusted> {
        let reply = self.reply.as_ref().ok()?;
        let id = HeaderUse::RequestId
            .names()
            .find_map(|name| reply.header(name))?;
        Some(id).filter(|id| !id.is_empty() && !id.is_masked())
    }

    /// Returns how many milliseconds the service's clock is ahead of this computer's clock;
    /// negative if it is behind. Returns `None` if the response has no date, or if the difference
    /// is too small to be certain.
    pub fn clock_difference_ms(&self) -> Option<i64> {
        let date = self.reply.as_ref().ok()?.header("date")?;
        let date = Wall::parse_http_date(date.raw())?;
        let began = self.at.0;
        let took = i64::try_from(self.took.as_millis()).ok()?;
        let since_start = date.0.saturating_sub(began);
        let difference = if since_start < 0 {
            since_start
        } else {
            since_start.saturating_sub(took).max(0)
        };
        (difference.abs() > CLOCK_TOLERANCE_MS).then_some(difference)
    }

    /// The memory that the texts in this record use, in bytes.
    pub fn bytes(&self) -> usize {
        let headers: usize = self
            .request_headers
            .iter()
            .map(|(name, value)| name.len() + value.len())
            .sum();
        let body = self.request_body.as_ref().map_or(0, String::len);
        let reply = match &self.reply {
            Ok(reply) => reply.bytes(),
            Err(Failure::Unreadable { body, .. }) => body.len(),
            Err(_) => 0,
        };
        self.url.len() + headers + body + reply
    }
}

/// The payment link, direct payment or withdrawal that an HTTP request was sent for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExchangeSubject {
    /// The row of the payment link or direct payment in the history.
    Sale(RowId),
    /// The withdrawal with this key.
    Withdrawal(IdempotencyKey),
}

/// A row in the list of HTTP requests: a request without its headers and bodies.
#[derive(Debug, Clone, PartialEq)]
pub struct RequestRow {
    /// The id of the row. Zero until the exchange is stored in the database.
    pub id: RowId,
    /// The id of the exchange in this row.
    pub exchange: ExchangeId,
    /// The time when the request started.
    pub at: Wall,
    /// The settings profile in use when the request was sent.
    pub profile: Arc<str>,
    /// The service address of the profile when the request was sent.
    pub origin: Origin,
    /// The API operation that the request performed.
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
    /// The payment link, direct payment or withdrawal that the request was sent for, if it is
    /// known.
    pub subject: Option<ExchangeSubject>,
    /// The id that the service gave to the request, if the response contains one.
    pub request_id: Option<Untrusted>,
    /// The number of milliseconds that the service's clock is ahead of this computer's clock, as in
    /// [`Exchange::clock_difference_ms`].
    pub clock_ms: Option<i64>,
}

impl RequestRow {
    /// Creates the list row for a request that is not stored in the database yet.
    pub fn of((profile, origin): (Arc<str>, Origin), exchange: &Exchange) -> RequestRow {
        let result = match &exchange.reply {
            Ok(reply) => RequestResult::Reply(reply.status),
            Err(failure) => RequestResult::of(failure),
        };
        RequestRow {
            id: RowId(0),
            exchange: exchange.id,
            at: exchange.at,
            profile,
            origin,
            operation: exchange.operation,
            method: exchange.method.clone(),
            url: exchange.url.clone(),
            result,
            took: Duration::from_millis(u64::try_from(exchange.took.as_millis()).unwrap_or(0)),
            request_bytes: exchange.request_bytes,
            reply_bytes: exchange.reply.as_ref().ok().map(|reply| reply.received),
            subject: exchange.subject,
            request_id: exchange.request_id().cloned(),
            clock_ms: exchange.clock_difference_ms(),
        }
    }
}

/// Selects the requests that belong to a payment link, a direct payment or a withdrawal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubjectFilter {
    /// The API operation to select, such as creating a payment link.
    pub operation: Operation,
    /// The payment link, direct payment or withdrawal whose requests are selected.
    pub subject: ExchangeSubject,
    /// The time when that link, payment or withdrawal was created. Earlier requests are excluded.
    ///
    /// If a damaged history was replaced, earlier requests may belong to an older row with this id.
    pub since: Wall,
}

/// A query for one page of the list of HTTP requests.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RequestQuery {
    /// The number of this query. The message with the result contains the same number.
    pub ticket: Ticket,
    /// The search words.
    pub search: Search,
    /// The payment link, direct payment or withdrawal whose requests are listed; `None` lists all
    /// requests.
    pub subject_filter: Option<SubjectFilter>,
    /// The position of the first requested row in the whole list.
    pub first: u64,
    /// The number of requested rows.
    pub rows: u64,
}

/// The result of a query for HTTP requests: one page of the list.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RequestsPage {
    /// The rows, newest first.
    pub page: ListPage<RequestRow>,
    /// The time of the oldest request that the query matches.
    pub since: Option<Wall>,
    /// The number of matching rows that another version of the program stored and this version
    /// cannot read. They are not listed.
    pub of_other_version: u64,
    /// True if requests are stored on disk and are still there after the program exits.
    pub is_persistent: bool,
    /// True if the database of requests was damaged and was replaced by a new one during this run.
    pub is_replaced: bool,
    /// The reason the requests of this run are not stored on disk, if any.
    pub trouble: Option<JournalTrouble>,
}

/// The result of an HTTP request: a status code, or the way in which it failed.
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

impl RequestResult {
    /// The results without a response.
    pub const FAILURES: [RequestResult; 4] = [
        RequestResult::NoAnswer,
        RequestResult::Cancelled,
        RequestResult::NotSent,
        RequestResult::Failed,
    ];

    /// Classifies the failure of an HTTP request.
    pub fn of(failure: &Failure) -> RequestResult {
        match failure {
            Failure::NoAnswer(_) => RequestResult::NoAnswer,
            Failure::Cancelled => RequestResult::Cancelled,
            failure if failure.nothing_was_sent() => RequestResult::NotSent,
            _ => RequestResult::Failed,
        }
    }

    /// The name that files use for a failure, such as `no_answer`. Returns `None` if there was a
    /// response.
    pub fn failure_name(self) -> Option<&'static str> {
        match self {
            RequestResult::Reply(_) => None,
            RequestResult::NoAnswer => Some("no_answer"),
            RequestResult::Cancelled => Some("cancelled"),
            RequestResult::NotSent => Some("not_sent"),
            RequestResult::Failed => Some("failed"),
        }
    }
}

/// A response with secrets masked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MaskedReply {
    /// The HTTP status.
    pub status: u16,
    /// The response headers. A header's value is masked unless the header is known to be harmless.
    pub headers: Vec<(String, Untrusted)>,
    /// The part of the response body that was read, with secrets masked. Only the beginning is read
    /// if the announced length is too large.
    pub body: Untrusted,
    /// The reason reading the body ended.
    pub end: BodyEnd,
    /// The number of bytes of the body that were read.
    pub received: u64,
    /// The length of the body in bytes, as announced by the response headers.
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
    /// The failure to report for an incomplete body; `None` if the body is complete or encoded.
    pub fn no_answer(self) -> Option<NoAnswer> {
        match self {
            BodyEnd::Cut => Some(NoAnswer::Cut),
            BodyEnd::Timeout => Some(NoAnswer::Timeout),
            BodyEnd::TooLarge => Some(NoAnswer::TooLarge),
            BodyEnd::Whole | BodyEnd::Encoded => None,
        }
    }
}

impl MaskedReply {
    /// Creates a complete response.
    pub fn new(
        status: u16,
        headers: Vec<(String, Untrusted)>,
        body: impl Into<Untrusted>,
    ) -> MaskedReply {
        let body = body.into();
        let received = body.len() as u64;
        MaskedReply {
            status,
            headers,
            body,
            end: BodyEnd::Whole,
            received,
            announced: None,
        }
    }

    /// The value of the header with this name.
    pub fn header(&self, name: &str) -> Option<&Untrusted> {
        self.headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }

    fn bytes(&self) -> usize {
        let headers = self
            .headers
            .iter()
            .map(|(name, value)| name.len() + value.len());
        headers.sum::<usize>() + self.body.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exchange_with_headers(at: i64, took_ms: u64, headers: &[(&str, &str)]) -> Exchange {
        let headers = headers
            .iter()
            .map(|(name, value)| ((*name).into(), (*value).into()));
        let reply = Ok(MaskedReply::new(200, headers.collect(), "{}"));
        let exchange = Exchange::new(Operation::Domains, "GET", "https://x.example/", reply);
        Exchange {
            at: Wall(at),
            took: Duration::from_millis(took_ms),
            ..exchange
        }
    }

    #[test]
    fn request_id_is_read_unless_masked() {
        let id = |headers: &[(&str, &str)]| {
            exchange_with_headers(0, 0, headers)
                .request_id()
                .map(|id| id.raw().to_owned())
        };
        assert_eq!(
            id(&[("x-trace-id", "t-1"), ("X-Request-Id", "r-1")]),
            Some("r-1".into())
        );
        assert_eq!(id(&[("x-trace-id", "t-1")]), Some("t-1".into()));
        assert_eq!(id(&[("x-request-id", Untrusted::MASKED)]), None);
        assert_eq!(id(&[("x-request-id", "")]), None);
        assert_eq!(id(&[("date", "x")]), None);
    }

    #[test]
    fn clock_difference_beyond_two_seconds_is_found() {
        const DATE: &str = "Sun, 06 Nov 1994 08:49:37 GMT";
        const DATE_MS: i64 = 784_111_777_000;
        let difference =
            |at, took| exchange_with_headers(at, took, &[("date", DATE)]).clock_difference_ms();
        assert_eq!(difference(DATE_MS - 2_000, 0), None);
        assert_eq!(difference(DATE_MS - 2_001, 0), Some(2_001));
        assert_eq!(
            difference(DATE_MS - 30_000, 29_000),
            None,
            "the reply took that long"
        );
        assert_eq!(difference(DATE_MS - 30_000, 10_000), Some(20_000));
        assert_eq!(difference(DATE_MS + 2_000, 500), None);
        assert_eq!(difference(DATE_MS + 90_000, 500), Some(-90_000));
        assert_eq!(
            exchange_with_headers(0, 0, &[("date", "now")]).clock_difference_ms(),
            None
        );
        assert_eq!(exchange_with_headers(0, 0, &[]).clock_difference_ms(), None);
    }
}
