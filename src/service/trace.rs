//! Exchanges as they may be looked at, each with its mask on.

use std::time::Duration;

use super::exchange::{ApiRequest, plain_headers};
use super::mask::{MASKED, Mask, is_secret_name};
use super::raw_reply::{BodyEnd, RawReply};
use crate::trade::{Exchange, Failure, ReplySeen, Untrusted, Wall};

/// The reply's headers that are shown; all others are masked.
const SHOWN_HEADERS: [&str; 14] = [
    "allow",
    "cache-control",
    "connection",
    "content-encoding",
    "content-language",
    "content-length",
    "content-type",
    "date",
    "location",
    "retry-after",
    "server",
    "transfer-encoding",
    "via",
    "x-request-id",
];

/// Builds the one record of an exchange that leaves this room.
pub(super) fn seen(
    api_request: &ApiRequest<'_>,
    reply: &Result<RawReply, Failure>,
    at: Wall,
    took: Duration,
) -> Exchange {
    let plain = plain_headers(api_request).into_iter();
    let mut request_headers: Vec<_> =
        plain.map(|(name, value)| (name.as_str().to_owned(), value.to_owned())).collect();
    for header in &api_request.call.fixed_headers {
        // A key that somebody wrote into a contract is one all the same.
        let value = if is_secret_name(&header.name) { MASKED } else { &header.value };
        request_headers.push((header.name.to_ascii_lowercase(), value.to_owned()));
    }
    if api_request.credential.is_some() {
        for header in &api_request.call.credential_headers {
            request_headers.push((header.name.to_ascii_lowercase(), header.masked(MASKED)));
        }
    }
    if let Some((name, key)) = api_request.key {
        request_headers.push((name.to_ascii_lowercase(), key.to_owned()));
    }
    Exchange {
        at,
        operation: api_request.operation,
        method: api_request.method.as_str().into(),
        url: api_request.url.as_str().into(),
        request_headers,
        request_body: api_request.body.map(|(_, masked)| masked.to_owned()),
        reply: match reply {
            Ok(reply) => Ok(seen_reply(&api_request.mask, reply)),
            Err(failure) => Err(failure.clone()),
        },
        took,
    }
}

fn seen_reply(mask: &Mask<'_>, reply: &RawReply) -> ReplySeen {
    let headers = reply.headers.iter().map(|(name, value)| {
        let is_shown = SHOWN_HEADERS.contains(&name.as_str());
        let value = if is_shown { mask.text(value) } else { MASKED.to_owned() };
        (name.clone(), Untrusted::from(value))
    });
    let body = match reply.end {
        BodyEnd::Encoded => Untrusted::from(MASKED),
        _ => mask.body(reply),
    };
    ReplySeen { status: reply.status, headers: headers.collect(), body }
}

#[cfg(test)]
mod tests {

    use super::*;

    fn reply(status: u16, body: &str) -> RawReply {
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        RawReply {
            status,
            headers: vec![
                header("content-type", "application/json"),
                header("location", "/x?of=tok-123"),
                header("set-cookie", "s=1"),
                header("x-anything", "else"),
            ],
            body: body.as_bytes().to_vec(),
            end: BodyEnd::Whole,
        }
    }

    #[test]
    fn only_headers_on_the_list_are_shown_and_no_secret_in_them() {
        let mask = Mask { secrets: vec!["tok-123"], ..Mask::default() };
        let seen = seen_reply(&mask, &reply(200, "{}"));
        let values: Vec<_> = seen.headers.iter().map(|(_, value)| value.raw()).collect();
        assert_eq!(values, ["application/json", "/x?of=…", "…", "…"]);
    }
}
