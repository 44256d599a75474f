//! Writes an HTTP request as a curl command, without its credential and without personal data.

use std::fmt::Write;

use serde_json::Value;

use super::file::method;
use super::mask::StrictMask;
use crate::contract::{Contract, CredentialHeader, FieldKind};
use crate::trade::{Exchange, Operation, Untrusted};

/// The environment variable from which the curl command takes the credential.
const TOKEN_VARIABLE: &str = "BALCAO_TOKEN";

/// The headers that curl adds by itself.
const AUTOMATIC_HEADERS: [&str; 4] = ["host", "content-length", "connection", "transfer-encoding"];

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
/// command for a withdrawal begins with a warning, and has placeholders instead of the idempotency
/// key and the destination.
pub fn command(
    exchange: &Exchange,
    contract: &Contract,
    mask: &mut StrictMask,
    words: CurlWords<'_>,
) -> String {
    mask.keep_host_public(&exchange.url);
    mask.set_request_time(exchange.at);
    let is_withdrawal = exchange.operation == Operation::Withdrawal;
    let mut command = String::new();
    if is_withdrawal {
        command += &shell_comment(words.warning);
    }
    // Use `--globoff`, because braces and brackets in a URL are special to curl.
    let (method, url) = (method(exchange), shell_quoted(&mask.mask_url(&exchange.url)));
    let _ = write!(command, "curl --globoff --request {} --url {url}", shell_quoted(&method));
    for (name, value) in &exchange.request_headers {
        let (name, value) = (name.as_str(), value.as_str());
        if AUTOMATIC_HEADERS.iter().any(|automatic| name.eq_ignore_ascii_case(automatic)) {
            continue;
        }
        let (masked_name, masked_value) = mask.mask_header(name, value);
        let value = match credential_header(contract, exchange, name) {
            Some(header) => header_with_variable(&masked_name, header),
            None if is_withdrawal && is_key_header(contract, mask, name, value) => {
                shell_quoted(&format!("{masked_name}: {}", words.key))
            }
            None => shell_quoted(&format!("{masked_name}: {masked_value}")),
        };
        let _ = write!(command, " \\\n  --header {value}");
    }
    if let Some(body) = &exchange.request_body {
        let body = match is_withdrawal {
            true => without_key_and_destination(body, contract, mask, words),
            false => mask.mask_body(body),
        };
        let _ = write!(command, " \\\n  --data-raw {}", shell_quoted(&body));
    }
    command + "\n"
}

/// Returns the contract's declaration of the header `name`, if this header carries the request's
/// credential.
fn credential_header<'c>(
    contract: &'c Contract,
    exchange: &Exchange,
    name: &str,
) -> Option<&'c CredentialHeader> {
    let headers = &contract.call_of(exchange.operation).credential_headers;
    headers.iter().find(|header| header.name.eq_ignore_ascii_case(name))
}

/// Returns a header with a shell variable instead of the credential. If the header contains only
/// the part of the credential before or after a colon, the shell extracts that part.
fn header_with_variable(name: &str, header: &CredentialHeader) -> String {
    let masked_bytes = |part: &str| header.masked(part).into_bytes();
    let example = header.value("a:b").unwrap_or_default();
    let variable = match () {
        _ if example == masked_bytes("a") => format!("${{{TOKEN_VARIABLE}%%:*}}"),
        _ if example == masked_bytes("b") => format!("${{{TOKEN_VARIABLE}#*:}}"),
        _ => format!("${TOKEN_VARIABLE}"),
    };
    let text = header.masked(Untrusted::MASKED);
    let (before, after) = text.split_once(Untrusted::MASKED).unwrap_or((&text, ""));
    let after = if after.is_empty() { String::new() } else { shell_quoted(after) };
    format!("{}\"{variable}\"{after}", shell_quoted(&format!("{name}: {before}")))
}

fn is_key_header(contract: &Contract, mask: &StrictMask, name: &str, value: &str) -> bool {
    contract.withdrawal_only.has_header(name) || mask.is_idempotency_key(value)
}

/// Returns a withdrawal's masked body, with placeholders for the Pix key and the idempotency key.
/// If the body is not JSON, the placeholder for the destination replaces all of it.
fn without_key_and_destination(
    body: &str,
    contract: &Contract,
    mask: &mut StrictMask,
    words: CurlWords<'_>,
) -> String {
    let Ok(mut json) = serde_json::from_str::<Value>(&mask.mask_body(body)) else {
        return words.destination.to_owned();
    };
    for field in &contract.withdrawal.form.fields {
        let placeholder = match field.kind {
            FieldKind::PixKey => words.destination,
            FieldKind::RequestKey => words.key,
            _ => continue,
        };
        let pointer = field.name.split('/').map(|name| format!("/{}", mask.mask_name(name)));
        if let Some(value) = json.pointer_mut(&pointer.collect::<String>()) {
            *value = placeholder.into();
        }
    }
    json.to_string()
}

/// Returns a text as comment lines. Characters that are special in a shell are replaced, because
/// some shells do not recognise comments in pasted lines.
fn shell_comment(text: &str) -> String {
    let safe_character = |c: char| match c {
        '\'' | '’' => '’',
        c if c.is_control() => ' ',
        c if c.is_alphanumeric() || " .,:-–—“”".contains(c) => c,
        _ => ' ',
    };
    text.lines()
        .map(|line| format!("# {}\n", line.chars().map(safe_character).collect::<String>()))
        .collect()
}

/// Returns the text as one shell word. Control characters become spaces, because a pasted line
/// break could run a command.
fn shell_quoted(text: &str) -> String {
    let one_line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("'{}'", one_line.replace('\'', r"'\''"))
}
