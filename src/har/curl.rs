//! Writes an HTTP request as a curl command, without its credential and without personal data.

use std::fmt::Write;

use serde_json::Value;

use super::file::method;
use super::mask::StrictMask;
use crate::contract::{Contract, CredentialHeader, FieldKind};
use crate::trade::{Exchange, Operation, Untrusted};

/// The environment variable from which the curl command takes the credential.
const TOKEN: &str = "BALCAO_TOKEN";

/// The headers that curl adds by itself.
const OF_CURL: [&str; 4] = ["host", "content-length", "connection", "transfer-encoding"];

/// The texts in a command, in the user's language.
#[derive(Debug, Clone, Copy)]
pub struct CurlWords<'a> {
    /// The reason why the curl command of a withdrawal must not be run unchanged.
    pub warning: &'a str,
    /// The placeholder for the idempotency key.
    pub key: &'a str,
    /// The placeholder for the destination of the money.
    pub destination: &'a str,
}

/// Returns a curl command that repeats a request.
///
/// A command that is run by hand could pay twice, because the journal does not record it. So the
/// command for a withdrawal begins with a warning, and has placeholders instead of its key and
/// destination.
pub fn command(
    exchange: &Exchange,
    contract: &Contract,
    mask: &mut StrictMask,
    words: CurlWords<'_>,
) -> String {
    mask.keep_host_of(&exchange.url);
    mask.set_time(exchange.at);
    let is_withdrawal = exchange.operation == Operation::Withdrawal;
    let mut command = String::new();
    if is_withdrawal {
        command += &comment(words.warning);
    }
    // Use `--globoff`, because braces and brackets in a URL are special to curl.
    let (method, url) = (method(exchange), quoted(&mask.address(&exchange.url)));
    let _ = write!(command, "curl --globoff --request {} --url {url}", quoted(&method));
    for (name, value) in &exchange.request_headers {
        let (name, value) = (name.as_str(), value.as_str());
        if OF_CURL.iter().any(|own| name.eq_ignore_ascii_case(own)) {
            continue;
        }
        let (masked, kept) = mask.header(name, value);
        let value = match credential(contract, exchange, name) {
            Some(header) => header_of(&masked, header),
            None if is_withdrawal && is_key(contract, mask, name, value) => {
                quoted(&format!("{masked}: {}", words.key))
            }
            None => quoted(&format!("{masked}: {kept}")),
        };
        let _ = write!(command, " \\\n  --header {value}");
    }
    if let Some(body) = &exchange.request_body {
        let body = match is_withdrawal {
            true => without_key_and_destination(body, contract, mask, words),
            false => mask.body(body),
        };
        let _ = write!(command, " \\\n  --data-raw {}", quoted(&body));
    }
    command + "\n"
}

/// Returns the contract's declaration of this header if it carries the credential of the request.
fn credential<'c>(
    contract: &'c Contract,
    exchange: &Exchange,
    name: &str,
) -> Option<&'c CredentialHeader> {
    let headers = &contract.call_of(exchange.operation).credential_headers;
    headers.iter().find(|header| header.name.eq_ignore_ascii_case(name))
}

/// Returns a header with a shell variable instead of the credential. The shell extracts the part
/// before or after a colon, if the header has only that part.
fn header_of(name: &str, header: &CredentialHeader) -> String {
    let value = |part: &str| header.masked(part).into_bytes();
    let sent = header.value("a:b").unwrap_or_default();
    let variable = match () {
        _ if sent == value("a") => format!("${{{TOKEN}%%:*}}"),
        _ if sent == value("b") => format!("${{{TOKEN}#*:}}"),
        _ => format!("${TOKEN}"),
    };
    let text = header.masked(Untrusted::MASKED);
    let (before, after) = text.split_once(Untrusted::MASKED).unwrap_or((&text, ""));
    let after = if after.is_empty() { String::new() } else { quoted(after) };
    format!("{}\"{variable}\"{after}", quoted(&format!("{name}: {before}")))
}

fn is_key(contract: &Contract, mask: &StrictMask, name: &str, value: &str) -> bool {
    contract.withdrawal_only.has_header(name) || mask.is_code(value)
}

/// Returns a withdrawal's masked body, with placeholders for the Pix key and the idempotency key.
/// If the body is not JSON, the placeholder for the destination replaces all of it.
fn without_key_and_destination(
    body: &str,
    contract: &Contract,
    mask: &mut StrictMask,
    words: CurlWords<'_>,
) -> String {
    let Ok(mut json) = serde_json::from_str::<Value>(&mask.body(body)) else {
        return words.destination.to_owned();
    };
    for field in &contract.withdrawal.form.fields {
        let placeholder = match field.kind {
            FieldKind::PixKey => words.destination,
            FieldKind::RequestKey => words.key,
            _ => continue,
        };
        let place = field.name.split('/').map(|name| format!("/{}", mask.name(name)));
        if let Some(value) = json.pointer_mut(&place.collect::<String>()) {
            *value = placeholder.into();
        }
    }
    json.to_string()
}

/// Returns a text as comment lines. Characters that are special in a shell are replaced, because
/// some shells do not recognise comments in pasted lines.
fn comment(text: &str) -> String {
    let plain = |c: char| match c {
        '\'' | '’' => '’',
        c if c.is_control() => ' ',
        c if c.is_alphanumeric() || " .,:-–—“”".contains(c) => c,
        _ => ' ',
    };
    text.lines()
        .map(|line| format!("# {}\n", line.chars().map(plain).collect::<String>()))
        .collect()
}

/// Returns the text as one shell word. Control characters become spaces, because a pasted line
/// break could run a command.
fn quoted(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("'{}'", plain.replace('\'', r"'\''"))
}
