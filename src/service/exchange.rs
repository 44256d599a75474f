//! Sends one API request and reads its reply. All operations use this module to send their
//! requests.

use std::time::{Duration, Instant};

use reqwest::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, USER_AGENT};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use tokio::time::timeout;
use url::Url;

use super::base_url::{check_transport, origin_of};
use super::client::Client;
use super::mask::{Mask, exchange_record};
use super::raw_reply::{BodyEnd, RawReply, Received, to_utf8};
use super::send_condition::SendCondition;
use super::{BoundCredential, Service, request_check};
use crate::contract::{Call, Contract, Encoding, Method};
use crate::trade::withdrawal::NotSent;
use crate::trade::{Exchange, ExchangeSubject, Failure, Operation};

/// A request to the API, before it is sent.
pub(super) struct ApiRequest<'a> {
    /// The service. `None` for a withdrawal, because a withdrawal is sent to the URL that is stored
    /// with it.
    pub(super) service: Option<&'a Service>,
    pub(super) operation: Operation,
    /// The payment link, direct payment or withdrawal that the request is sent for, if any.
    pub(super) subject: Option<ExchangeSubject>,
    /// The API contract that determined the request. Nothing is sent unless the seller has agreed
    /// to this contract.
    pub(super) contract: &'a Contract,
    pub(super) call: &'a Call,
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) credential: Option<BoundCredential<'a>>,
    /// The header with the idempotency key (its name and value), if there is one.
    pub(super) key: Option<(&'a str, &'a str)>,
    /// The body to send, and the same body with its secrets masked.
    pub(super) body: Option<(&'a str, &'a str)>,
    pub(super) max_reply_bytes: usize,
    pub(super) mask: Mask<'a>,
}

impl Service {
    /// Creates a request for this operation, without a body.
    pub(super) fn api_request<'a>(
        &'a self,
        operation: Operation,
        credential: Option<BoundCredential<'a>>,
    ) -> ApiRequest<'a> {
        let call = self.contract.call_of(operation);
        ApiRequest {
            service: Some(self),
            operation,
            subject: None,
            contract: &self.contract,
            call,
            method: call.method,
            url: self.operation_url(operation),
            credential,
            key: None,
            body: None,
            max_reply_bytes: self.client.limits().max_reply_bytes,
            mask: credential
                .map(|bound| Mask::of(bound.secret))
                .unwrap_or_default(),
        }
    }

    pub(super) fn operation_url(&self, operation: Operation) -> Url {
        self.base.join(&self.contract.call_of(operation).path)
    }
}

/// The headers that every request has. They contain no data about the seller.
pub(super) fn common_headers(api_request: &ApiRequest<'_>) -> Vec<(HeaderName, &'static str)> {
    let mut headers = vec![
        (ACCEPT, "application/json"),
        (ACCEPT_ENCODING, "identity"),
        (USER_AGENT, concat!("balcao/", env!("CARGO_PKG_VERSION"))),
    ];
    if let Some((body, _)) = api_request.body {
        headers.push((CONTENT_TYPE, Encoding::of(body).content_type()));
    }
    headers
}

/// Sends a request once and reads the reply. Sends nothing if the seller has not agreed to the API
/// contract.
pub(super) async fn exchange(
    client: &Client,
    api_request: &ApiRequest<'_>,
    condition: SendCondition,
) -> Result<RawReply, Failure> {
    client.check_consent(api_request.contract).await?;
    // Load the stored credentials before sending, because they must be masked in the reply. Loading
    // them after sending could delay writing the reply to the journal. A login sends no credential,
    // so it skips this step.
    let stored_credentials = match api_request.credential {
        Some(_) => client.stored_credentials().await,
        None => vec![],
    };
    #[expect(
        clippy::disallowed_methods,
        reason = "how long it took is shown to the seller and decides nothing"
    )]
    let start = Instant::now();
    let at = client.now();
    let connecting = condition.connecting();
    let mut reply = send_and_read(client, api_request, condition).await;
    if let (Ok(received), Some(_)) = (&mut reply, api_request.credential) {
        // The caller may store and show texts of the reply. Mask also the credential that was sent,
        // because the reply may repeat it.
        let mut mask = Mask::of_all(&stored_credentials);
        mask.secrets.extend(&api_request.mask.secrets);
        mask.mask_reply(&mut received.reply);
    }
    let connecting = connecting.get().copied();
    let record = Exchange {
        at,
        connecting,
        took: start.elapsed(),
        ..exchange_record(api_request, &reply)
    };
    client.trace(record);
    reply.map(Received::into_reply)
}

async fn send_and_read(
    client: &Client,
    api_request: &ApiRequest<'_>,
    condition: SendCondition,
) -> Result<Received, Failure> {
    if client.limits().is_read_only && !is_read_only(api_request) {
        return Err(Failure::NotSent(NotSent::ReadOnly));
    }
    let request = build_request(api_request)?;
    let http = client.http(request.url()).await?;
    request_check::check(api_request, request.headers())?;
    let response = condition.send(http, request).await?;
    Ok(read_reply(response, api_request.max_reply_bytes).await)
}

/// True if the request is allowed in read-only mode. Allowed are a login at a path where nothing is
/// created or paid, and a `GET` without a body that does not create or pay anything.
///
/// A `POST` is never allowed, because it may change data at the service even if it is meant for
/// reading.
fn is_read_only(api_request: &ApiRequest<'_>) -> bool {
    let is_plain_get = api_request.method == Method::Get && api_request.body.is_none();
    match api_request.operation {
        Operation::Login => api_request
            .service
            .is_some_and(|service| !service.creates_or_pays_at(&api_request.url)),
        operation => is_plain_get && !operation.creates_or_pays(),
    }
}

/// Creates the request for the HTTP library, and checks its URL, headers and credential.
pub(super) fn build_request(api_request: &ApiRequest<'_>) -> Result<reqwest::Request, Failure> {
    check_transport(&api_request.url).map_err(|_| Failure::NotSent(NotSent::Tls))?;
    let method = reqwest::Method::from_bytes(api_request.method.as_str().as_bytes());
    let method = method.expect("every method of a contract is one of HTTP");
    let mut request = reqwest::Request::new(method, api_request.url.clone());
    let headers = request.headers_mut();
    for (name, value) in common_headers(api_request) {
        headers.insert(name, HeaderValue::from_static(value));
    }
    for header in &api_request.call.fixed_headers {
        headers.insert(
            header_name(&header.name)?,
            header_value(header.value.as_bytes().to_vec())?,
        );
    }
    if let Some((name, key)) = api_request.key {
        // This error never occurs, because the journal creates only idempotency keys that are valid
        // header values.
        headers.insert(
            header_name(name)?,
            HeaderValue::from_str(key).map_err(|_| Failure::NotSent(NotSent::BodyChanged))?,
        );
    }
    add_credential_headers(api_request, headers)?;
    if let Some((body, _)) = api_request.body {
        *request.body_mut() = Some(reqwest::Body::from(body.as_bytes().to_vec()));
    }
    Ok(request)
}

/// Adds the headers that contain the credential. Returns an error if the credential has the wrong
/// kind or belongs to another origin.
fn add_credential_headers(
    api_request: &ApiRequest<'_>,
    headers: &mut HeaderMap,
) -> Result<(), Failure> {
    let Some(credential) = api_request.credential else {
        return match api_request.call.credential {
            Some(kind) => Err(Failure::NoCredential(kind)),
            None => Ok(()),
        };
    };
    let origin = origin_of(&api_request.url).ok_or(Failure::NotSent(NotSent::OtherAccount))?;
    credential.check(api_request.call.credential, &origin)?;
    let secret = credential.secret.expose();
    for header in &api_request.call.credential_headers {
        let text = header
            .value(secret)
            .ok_or(Failure::NoCredential(credential.kind))?;
        // A text with line breaks or other invalid characters cannot be a credential.
        let mut value =
            HeaderValue::try_from(text).map_err(|_| Failure::NoCredential(credential.kind))?;
        value.set_sensitive(true);
        headers.insert(header_name(&header.name)?, value);
    }
    Ok(())
}

fn header_name(name: &str) -> Result<HeaderName, Failure> {
    HeaderName::from_bytes(name.as_bytes()).map_err(|_| Failure::NotSent(NotSent::Headers))
}

fn header_value(value: Vec<u8>) -> Result<HeaderValue, Failure> {
    HeaderValue::try_from(value).map_err(|_| Failure::NotSent(NotSent::Headers))
}

/// The number of bytes that are read from a body whose announced length is too large.
const MAX_BYTES_OF_TOO_LARGE: usize = 64 * 1024;

/// The maximum time for reading a body whose announced length is too large. The request has failed
/// anyway, so its failure must be reported soon.
const TOO_LARGE_TIMEOUT: Duration = Duration::from_secs(1);

/// Reads a reply in chunks. Stops after `max_bytes` bytes of the body.
pub(super) async fn read_reply(mut response: reqwest::Response, max_bytes: usize) -> Received {
    let headers: Vec<_> = response
        .headers()
        .iter()
        .map(|(name, value)| {
            let text = String::from_utf8_lossy(value.as_bytes()).into_owned();
            (name.as_str().to_owned(), text)
        })
        .collect();
    let status = response.status().as_u16();
    let announced = response.content_length();
    let length = announced.and_then(|length| usize::try_from(length).ok());
    let mut reply = RawReply {
        status,
        headers,
        body: Vec::new(),
        end: BodyEnd::TooLarge,
    };
    let is_too_large = length.is_some_and(|length| length > max_bytes);
    if is_too_large {
        let reading = read_beginning(&mut response, &mut reply.body);
        // Ignore a timeout, and keep the bytes that have arrived so far.
        _ = timeout(TOO_LARGE_TIMEOUT, reading).await;
        let bytes = reply.body.len() as u64;
        reply.drop_marks();
        return Received {
            reply,
            bytes,
            announced,
            is_too_large,
        };
    }
    reply.body.reserve(length.unwrap_or(0));
    reply.end = loop {
        match response.chunk().await {
            Ok(Some(chunk)) if reply.body.len() + chunk.len() > max_bytes => {
                break BodyEnd::TooLarge;
            }
            Ok(Some(chunk)) => reply.body.extend_from_slice(&chunk),
            Ok(None) => break BodyEnd::Whole,
            Err(error) if error.is_timeout() => break BodyEnd::Timeout,
            Err(_) => break BodyEnd::Cut,
        }
    };
    let bytes = reply.body.len() as u64;
    let encoding = reply.header("content-encoding").unwrap_or("identity");
    if reply.end == BodyEnd::Whole && !encoding.trim().eq_ignore_ascii_case("identity") {
        reply.end = BodyEnd::Encoded;
    }
    if reply.end == BodyEnd::Whole {
        let body = std::mem::take(&mut reply.body);
        reply.body = to_utf8(
            body,
            reply.header("content-type").unwrap_or_default(),
            status,
        );
    }
    reply.drop_marks();
    Received {
        reply,
        bytes,
        announced,
        is_too_large,
    }
}

/// Reads at most the first `MAX_BYTES_OF_TOO_LARGE` bytes of a body.
async fn read_beginning(response: &mut reqwest::Response, body: &mut Vec<u8>) {
    while let Ok(Some(chunk)) = response.chunk().await {
        let room = MAX_BYTES_OF_TOO_LARGE - body.len();
        body.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if body.len() == MAX_BYTES_OF_TOO_LARGE {
            return;
        }
    }
}
