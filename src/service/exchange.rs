//! One request and its reply: the only place where this program speaks to a service.

use std::error::Error;
use std::io;
use std::time::Instant;

use bytes::Bytes;
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue,
    USER_AGENT,
};
use url::Url;
use zeroize::Zeroizing;

use super::base_url::{check_transport, origin_of};
use super::client::Client;
use super::in_time::{InTime, TooLate};
use super::trace::{self, Mask};
use super::{BoundCredential, finished, http_date};
use crate::contract::Call;
use crate::trade::withdrawal::NotSent;
use crate::trade::{Failure, NoAnswer, Operation, Wall};

/// A reply as it came.
pub struct RawReply {
    /// The status.
    pub status: u16,
    /// The headers, names in lower case.
    pub headers: Vec<(String, Zeroizing<String>)>,
    /// The bytes of the body that were read.
    pub body: Zeroizing<Vec<u8>>,
    /// The end of the reading: whole, or cut in some way.
    pub end: BodyEnd,
}

/// The end of reading a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyEnd {
    /// All of it is there.
    Whole,
    /// The connection ended before it was whole.
    Cut,
    /// It was not whole at the deadline.
    Timeout,
    /// It is longer than is read.
    TooLarge,
    /// It is compressed or otherwise encoded, which was not asked for.
    Encoded,
}

/// One request, before it is sent.
pub(super) struct ApiRequest<'a> {
    pub(super) operation: Operation,
    pub(super) call: &'a Call,
    pub(super) url: Url,
    pub(super) credential: Option<BoundCredential<'a>>,
    /// The idempotency key's header and value.
    pub(super) key: Option<(&'a str, &'a str)>,
    /// The body's exact text, and the same as it may be looked at.
    pub(super) body: Option<(&'a str, &'a str)>,
    /// The most bytes of the reply that are read.
    pub(super) most: usize,
    pub(super) mask: Mask<'a>,
}

impl RawReply {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut all = self.headers.iter();
        all.find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The server's own date, where it can be read.
    pub fn date(&self) -> Option<Wall> {
        http_date::read(self.header("date")?)
    }
}

/// Sends one request once, and reads its reply.
pub(super) async fn exchange(
    client: &Client,
    api_request: &ApiRequest<'_>,
) -> Result<RawReply, Failure> {
    exchange_in_time(client, api_request, InTime::always()).await
}

/// The same, of a request that may come too late to leave.
pub(super) async fn exchange_in_time(
    client: &Client,
    api_request: &ApiRequest<'_>,
    in_time: InTime,
) -> Result<RawReply, Failure> {
    #[expect(
        clippy::disallowed_methods,
        reason = "how long it took is shown to the seller and decides nothing"
    )]
    let began = Instant::now();
    let at = client.now();
    let reply = attempt(client, api_request, in_time).await;
    client.trace(trace::seen(api_request, &reply, at, began.elapsed()));
    reply
}

async fn attempt(
    client: &Client,
    api_request: &ApiRequest<'_>,
    in_time: InTime,
) -> Result<RawReply, Failure> {
    let request = request(api_request)?;
    let http = client.http(request.url()).await?;
    finished::check(api_request, request.headers())?;
    let response = in_time.send(http, request).await?;
    Ok(read(response, api_request.most).await)
}

/// The request in the library's own shape; everything about it is checked before.
pub(super) fn request(api_request: &ApiRequest<'_>) -> Result<reqwest::Request, Failure> {
    check_transport(&api_request.url).map_err(|_| Failure::NotSent(NotSent::Tls))?;
    let method = match api_request.call.method {
        crate::contract::Method::Get => reqwest::Method::GET,
        crate::contract::Method::Post => reqwest::Method::POST,
    };
    let mut request = reqwest::Request::new(method, api_request.url.clone());
    let headers = request.headers_mut();
    for (name, value) in plain_headers(api_request) {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Some((name, key)) = api_request.key {
        // A key that cannot be written is a key the journal never made.
        let unusable = |_| Failure::NotSent(NotSent::BodyChanged);
        let name = HeaderName::from_bytes(name.as_bytes())
            .map_err(|_| Failure::NotSent(NotSent::Headers))?;
        headers.insert(name, HeaderValue::from_str(key).map_err(unusable)?);
    }
    authorize(api_request, headers)?;
    if let Some((body, _)) = api_request.body {
        let own = Zeroizing::new(body.as_bytes().to_vec());
        *request.body_mut() = Some(reqwest::Body::from(Bytes::from_owner(own)));
    }
    Ok(request)
}

/// The headers that hold nothing of anybody's.
pub(super) fn plain_headers(api_request: &ApiRequest<'_>) -> Vec<(HeaderName, &'static str)> {
    let mut headers = vec![
        (ACCEPT, "application/json"),
        (ACCEPT_ENCODING, "identity"),
        (USER_AGENT, concat!("balcao/", env!("CARGO_PKG_VERSION"))),
    ];
    if api_request.body.is_some() {
        headers.push((CONTENT_TYPE, "application/json"));
    }
    headers
}

/// Adds the credential, if it is the right one and belongs to where the request goes.
fn authorize(api_request: &ApiRequest<'_>, headers: &mut HeaderMap) -> Result<(), Failure> {
    let Some(credential) = api_request.credential else {
        return match api_request.call.credential {
            Some(kind) => Err(Failure::NoCredential(kind)),
            None => Ok(()),
        };
    };
    let origin = origin_of(&api_request.url).ok_or(Failure::NotSent(NotSent::OtherAccount))?;
    credential.check(api_request.call.credential, &origin)?;
    let secret = credential.secret.expose();
    let mut text = Zeroizing::new(Vec::with_capacity(secret.len() + 7));
    text.extend_from_slice(b"Bearer ");
    text.extend_from_slice(secret.as_bytes());
    // What cannot stand in a header is no credential: a token cut out of a page, for example.
    let mut value = HeaderValue::from_maybe_shared(Bytes::from_owner(text))
        .map_err(|_| Failure::NoCredential(credential.kind))?;
    value.set_sensitive(true);
    headers.insert(AUTHORIZATION, value);
    Ok(())
}

/// Translates a missing reply into a failure. Only a certain case counts as not sent.
pub(super) fn failure(error: &reqwest::Error) -> Failure {
    if error.is_connect() {
        // The request is handed over only once a connection stands.
        return Failure::NotSent(match error {
            error if was_too_late(error) => NotSent::NotSafe,
            error if error.is_dns() => NotSent::Dns,
            error if was_tls(error) => NotSent::Tls,
            _ => NotSent::Connect,
        });
    }
    if error.is_timeout() {
        return Failure::NoAnswer(NoAnswer::Timeout);
    }
    Failure::NoAnswer(NoAnswer::Cut)
}

fn was_too_late(error: &reqwest::Error) -> bool {
    sources(error).any(|source| source.is::<TooLate>())
}

/// The TLS library reports through input errors that say "invalid data".
fn was_tls(error: &reqwest::Error) -> bool {
    let mut inputs = sources(error).filter_map(|source| source.downcast_ref::<io::Error>());
    inputs.any(holds_invalid_data)
}

/// Iterates over the causes of an error.
fn sources(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(error.source(), |&error| error.source())
}

/// An input error inside another is not its source, and is looked for by itself.
fn holds_invalid_data(error: &io::Error) -> bool {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<io::Error>());
    error.kind() == io::ErrorKind::InvalidData || inner.is_some_and(holds_invalid_data)
}

/// Reads a reply piece by piece, and never more than `most` bytes of its body.
pub(super) async fn read(mut response: reqwest::Response, most: usize) -> RawReply {
    let headers: Vec<_> = response
        .headers()
        .iter()
        .map(|(name, value)| {
            let text = String::from_utf8_lossy(value.as_bytes()).into_owned();
            (name.as_str().to_owned(), Zeroizing::new(text))
        })
        .collect();
    let status = response.status().as_u16();
    let announced = response.content_length().and_then(|length| usize::try_from(length).ok());
    let mut reply = RawReply { status, headers, body: Zeroizing::default(), end: BodyEnd::Whole };
    if announced.is_some_and(|length| length > most) {
        reply.end = BodyEnd::TooLarge;
        return reply;
    }
    reply.body.reserve(announced.unwrap_or(0));
    reply.end = loop {
        match response.chunk().await {
            Ok(Some(chunk)) if reply.body.len() + chunk.len() > most => break BodyEnd::TooLarge,
            Ok(Some(chunk)) => reply.body.extend_from_slice(&chunk),
            Ok(None) => break BodyEnd::Whole,
            Err(error) if error.is_timeout() => break BodyEnd::Timeout,
            Err(_) => break BodyEnd::Cut,
        }
    };
    let encoding = reply.header("content-encoding").unwrap_or("identity");
    if reply.end == BodyEnd::Whole && !encoding.trim().eq_ignore_ascii_case("identity") {
        reply.end = BodyEnd::Encoded;
    }
    reply
}
