//! Writes exchanges as a HAR 1.2 file, the format that browsers use to export HTTP requests.
//!
//! Members that are not part of the HAR format begin with `_`. An entry may have `_operation`,
//! `_code` (the idempotency key of a withdrawal) and `_error`. The log has `_contract` (the
//! contract settings), and `_environment` (the computer and the program's settings) if it is known.

use std::time::Duration;

use hyper::StatusCode;
use serde_json::{Map, Value, json};

use super::check::percent_decoded;
use super::environment::Environment;
use super::mask::StrictMask;
use crate::contract::Contract;
use crate::trade::{Exchange, Failure, NoAnswer, Untrusted, Wall};

/// The value for an unknown duration or size, according to the HAR format.
const UNKNOWN: i64 = -1;

/// The text of a HAR file with these requests and responses. All values go through the mask.
pub fn file(exchanges: &[&Exchange], contract: &Contract, mask: &mut StrictMask) -> String {
    format_log(log(exchanges, contract, mask))
}

/// Like [`file()`], but also describes the computer and the program's settings.
pub fn file_with(
    environment: &Environment,
    exchanges: &[&Exchange],
    contract: &Contract,
    mask: &mut StrictMask,
) -> String {
    let mut log = log(exchanges, contract, mask);
    log["_environment"] = environment.to_json(exchanges, mask);
    format_log(log)
}

fn format_log(log: Value) -> String {
    Untrusted::with_shown_masks(&format!("{:#}\n", json!({ "log": log })))
}

fn log(exchanges: &[&Exchange], contract: &Contract, mask: &mut StrictMask) -> Value {
    for exchange in exchanges {
        mask.keep_public(exchange);
    }
    let entries: Vec<Value> = exchanges
        .iter()
        .map(|exchange| {
            mask.set_request_time(exchange.at);
            entry(exchange, mask)
        })
        .collect();
    json!({
        "version": "1.2",
        "creator": { "name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION") },
        "entries": entries,
        "_contract": contract_lines(contract, mask),
    })
}

/// The settings of the contract that differ from the built-in ones, with their values masked.
pub fn contract_lines(contract: &Contract, mask: &mut StrictMask) -> Vec<String> {
    let settings = contract.shared_settings();
    let lines = settings.iter();
    lines
        .map(|line| mask.mask_contract_line(&line.text))
        .collect()
}

fn entry(exchange: &Exchange, mask: &mut StrictMask) -> Value {
    let mut entry = json!({
        "startedDateTime": iso(exchange.at),
        "time": milliseconds(exchange.took),
        "request": request(exchange, mask),
        "response": response(exchange, mask),
        "cache": {},
        "timings": timings(exchange),
        "_operation": exchange.operation.name(),
    });
    let code = exchange
        .request_headers
        .iter()
        .find(|(_, value)| mask.is_idempotency_key(value));
    if let Some((_, code)) = code {
        entry["_code"] = code.trim_matches('"').into();
    }
    let failure = exchange.reply.as_ref().map_or_else(
        |failure| Some(failure.clone()),
        |reply| reply.end.no_answer().map(Failure::NoAnswer),
    );
    if let Some(failure) = failure {
        entry["_error"] = error(&failure).into();
    }
    entry
}

fn request(exchange: &Exchange, mask: &mut StrictMask) -> Value {
    let url = mask.mask_url(&exchange.url);
    let query: Vec<Value> = query(&url);
    let mut headers = headers(
        exchange.request_headers.iter().map(|(n, v)| (&**n, &**v)),
        mask,
    );
    let body = exchange
        .request_body
        .as_ref()
        .map(|body| mask.mask_body(body));
    let size = body.as_ref().map_or(0, String::len);
    set_content_length(&mut headers, size);
    let mut request = json!({
        "method": method(exchange),
        "url": url,
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": headers,
        "queryString": query,
        "headersSize": UNKNOWN,
        "bodySize": size,
    });
    if let Some(body) = body {
        let mime_type = header_value(&headers, "content-type");
        request["postData"] = json!({ "mimeType": mime_type, "text": body });
    }
    request
}

fn response(exchange: &Exchange, mask: &mut StrictMask) -> Value {
    let (status, reply_headers, body) = match &exchange.reply {
        Ok(reply) => (reply.status, &reply.headers[..], &reply.body),
        Err(Failure::Unreadable { status, body, .. }) => (*status, &[][..], body),
        Err(_) => {
            return json!({
                "status": 0, "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [],
                "headers": [], "content": { "size": 0, "mimeType": "" }, "redirectURL": "",
                "headersSize": UNKNOWN, "bodySize": UNKNOWN,
            });
        }
    };
    let mut headers = headers(
        reply_headers
            .iter()
            .map(|(name, value)| (&**name, value.raw())),
        mask,
    );
    let body = mask.mask_body(body.raw());
    let size = body.len();
    set_content_length(&mut headers, size);
    let mime_type = header_value(&headers, "content-type");
    json!({
        "status": status,
        "statusText": status_text(status),
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": headers,
        "content": { "size": size, "mimeType": mime_type, "text": body },
        "redirectURL": header_value(&headers, "location"),
        "headersSize": UNKNOWN,
        "bodySize": size,
    })
}

/// The HTTP method in capital letters. Other characters are dropped.
pub(super) fn method(exchange: &Exchange) -> String {
    exchange
        .method
        .chars()
        .filter(char::is_ascii_uppercase)
        .collect()
}

/// The durations of a request's phases. The time after connecting counts as waiting.
fn timings(exchange: &Exchange) -> Value {
    let connect = exchange.connecting.map(milliseconds);
    let wait = exchange
        .took
        .saturating_sub(exchange.connecting.unwrap_or_default());
    json!({
        "blocked": UNKNOWN, "dns": UNKNOWN, "ssl": UNKNOWN,
        "connect": connect.map_or_else(|| UNKNOWN.into(), Value::from),
        "send": 0, "wait": milliseconds(wait), "receive": 0,
    })
}

fn milliseconds(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}

/// Formats a time in UTC with milliseconds. A time outside the years 1 to 9999 becomes the start of
/// 1970.
pub(super) fn iso(time: Wall) -> String {
    let time = time.local(0).or_else(|| Wall(0).local(0));
    time.map(|time| time.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string())
        .unwrap_or_default()
}

fn headers<'a>(
    headers: impl Iterator<Item = (&'a str, &'a str)>,
    mask: &mut StrictMask,
) -> Vec<Map<String, Value>> {
    headers
        .map(|(name, value)| {
            let (name, value) = mask.mask_header(name, value);
            Map::from_iter([("name".into(), name.into()), ("value".into(), value.into())])
        })
        .collect()
}

/// Replaces the length of the body by the length of the masked body, because programs that read the
/// file compare them.
fn set_content_length(headers: &mut [Map<String, Value>], length: usize) {
    for header in headers {
        let name = header["name"].as_str().unwrap_or_default();
        if name.eq_ignore_ascii_case("content-length") {
            header["value"] = length.to_string().into();
        }
    }
}

/// The standard reason phrase of an HTTP status, such as `Bad Gateway`.
fn status_text(status: u16) -> &'static str {
    let status = StatusCode::from_u16(status).ok();
    status
        .and_then(|status| status.canonical_reason())
        .unwrap_or_default()
}

fn header_value(headers: &[Map<String, Value>], expected: &str) -> String {
    let header = headers.iter().find(|header| {
        let name = header["name"].as_str();
        name.is_some_and(|name| name.eq_ignore_ascii_case(expected))
    });
    let value = header.and_then(|header| header["value"].as_str());
    value.unwrap_or_default().to_owned()
}

/// The name-value pairs in the query of a masked URL.
fn query(url: &str) -> Vec<Value> {
    let query = url.split('#').next().and_then(|url| url.split_once('?'));
    let pairs = query
        .map_or("", |(_, query)| query)
        .split('&')
        .filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            json!({ "name": percent_decoded(name), "value": percent_decoded(value) })
        })
        .collect()
}

/// Describes in a few words why there is no response, such as `timeout`.
fn error(failure: &Failure) -> String {
    match failure {
        Failure::NotSent(reason) => format!("not sent: {}", format!("{reason:?}").to_lowercase()),
        Failure::NoAnswer(NoAnswer::Timeout) => "timeout".to_owned(),
        Failure::NoAnswer(NoAnswer::Cut) => "connection lost".to_owned(),
        Failure::NoAnswer(NoAnswer::TooLarge) => "too large".to_owned(),
        Failure::NoAnswer(NoAnswer::Encoded) => "encoded".to_owned(),
        Failure::NoAnswer(NoAnswer::NotHttp) => "not HTTP".to_owned(),
        Failure::NoAnswer(NoAnswer::Left) => "cancelled while waiting".to_owned(),
        Failure::Cancelled => "cancelled".to_owned(),
        Failure::Unreadable { .. } => "unreadable".to_owned(),
        _ => "failed".to_owned(),
    }
}
