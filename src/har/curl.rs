//! Writes an HTTP request as a curl command, without its credential and without personal data.

use std::fmt::Write;

use serde_json::Value;

use super::file::method;
use super::mask::StrictMask;
use crate::contract::{Contract, CredentialHeader, FieldKind};
use crate::trade::{CredentialKind, Exchange, HeaderUse, Operation, Untrusted};

/// The characters that stand for the shell variables of a withdrawal while its body is built. They
/// have no meaning in any text.
const KEY_MARK: char = '\u{f0000}';
const DESTINATION_MARK: char = '\u{f0001}';

/// The texts in a command, in the user's language.
#[derive(Debug, Clone, Copy)]
pub struct CurlWords<'a> {
    /// The reason why the curl command of a withdrawal must not be run unchanged.
    pub warning: &'a str,
    /// The shell's message if the variable `WITHDRAWAL_CODE` (the idempotency key) is not set.
    pub key: &'a str,
    /// The shell's message if the variable `DESTINATION` (of the money) is not set.
    pub destination: &'a str,
}

/// A curl command that repeats a request.
///
/// A command that is run by hand could pay twice, because the journal does not record it. So the
/// command for a withdrawal begins with a warning, and has shell variables instead of the
/// idempotency key and the destination. The shell refuses to run it until they are set.
pub fn command(
    exchange: &Exchange,
    contract: &Contract,
    mask: &mut StrictMask,
    words: CurlWords<'_>,
) -> String {
    mask.keep_public(exchange);
    mask.set_request_time(exchange.at);
    let is_withdrawal = exchange.operation == Operation::Withdrawal;
    let mut command = String::new();
    if is_withdrawal {
        command += &shell_comment(words.warning);
        // A withdrawal need not have a key or a destination in its request.
        let _ = write!(
            command,
            ": {} && ",
            required_variable("WITHDRAWAL_CODE", words.key)
        );
    }
    // Use `--globoff`, because braces and brackets in a URL are special to curl.
    let method = method(exchange);
    let url = shell_quoted(&mask.mask_url(&exchange.url));
    let _ = write!(
        command,
        "curl --globoff --request {} --url {url}",
        shell_quoted(&method)
    );
    for (name, value) in &exchange.request_headers {
        let name = name.as_str();
        let value = value.as_str();
        // Leave out the headers that curl adds by itself.
        if HeaderUse::Transport.applies_to(name) {
            continue;
        }
        let (masked_name, masked_value) = mask.mask_header(name, value);
        let value = match credential_header(contract, exchange, name) {
            Some(header) => {
                let variable = credential_variable(contract, exchange);
                header_with_variable(&masked_name, header, variable)
            }
            None if is_withdrawal && is_key_header(contract, mask, name, value) => {
                let header = format!("{}: {KEY_MARK}", without_marks(&masked_name));
                with_variables(&shell_quoted(&header), words)
            }
            None => shell_quoted(&format!("{masked_name}: {masked_value}")),
        };
        let _ = write!(command, " \\\n  --header {value}");
    }
    if let Some(body) = &exchange.request_body {
        let body = if is_withdrawal {
            let body = without_key_and_destination(body, contract, mask);
            with_variables(&shell_quoted(&body), words)
        } else {
            shell_quoted(&mask.mask_body(body))
        };
        let _ = write!(command, " \\\n  --data-raw {body}");
    }
    Untrusted::with_shown_masks(&command) + "\n"
}

/// The contract's declaration of the header `name`, if this header carries the request's
/// credential.
fn credential_header<'c>(
    contract: &'c Contract,
    exchange: &Exchange,
    name: &str,
) -> Option<&'c CredentialHeader> {
    let headers = &contract.call_of(exchange.operation).credential_headers;
    headers
        .iter()
        .find(|header| header.name.eq_ignore_ascii_case(name))
}

/// The environment variable from which the command takes the request's credential.
fn credential_variable(contract: &Contract, exchange: &Exchange) -> &'static str {
    match contract.call_of(exchange.operation).credential {
        Some(CredentialKind::Jwt) => "BALCAO_JWT",
        _ => "BALCAO_TOKEN",
    }
}

/// A header with a shell variable instead of the credential. If the header contains only the part
/// of the credential before or after a colon, the shell extracts that part.
fn header_with_variable(name: &str, header: &CredentialHeader, variable: &str) -> String {
    let example = header.value("a:b").unwrap_or_default();
    let value = match () {
        _ if example == header.masked("a").into_bytes() => format!("${{{variable}%%:*}}"),
        _ if example == header.masked("b").into_bytes() => format!("${{{variable}#*:}}"),
        _ => format!("${variable}"),
    };
    let text = header.masked(Untrusted::MASKED);
    let (before, after) = text.split_once(Untrusted::MASKED).unwrap_or((&text, ""));
    let after = if after.is_empty() {
        String::new()
    } else {
        shell_quoted(after)
    };
    format!(
        "{}\"{value}\"{after}",
        shell_quoted(&format!("{name}: {before}"))
    )
}

fn is_key_header(contract: &Contract, mask: &StrictMask, name: &str, value: &str) -> bool {
    contract.withdrawal_only.has_header(name) || mask.is_idempotency_key(value)
}

/// A withdrawal's masked body, with marks for the Pix key and the idempotency key. If the body is
/// not JSON, the mark for the destination replaces all of it.
fn without_key_and_destination(body: &str, contract: &Contract, mask: &mut StrictMask) -> String {
    let masked = without_marks(&mask.mask_body(body));
    let Ok(mut json) = serde_json::from_str::<Value>(&masked) else {
        return DESTINATION_MARK.to_string();
    };
    for field in &contract.withdrawal.form.fields {
        let mark = match field.kind {
            FieldKind::PixKey => DESTINATION_MARK,
            FieldKind::RequestKey => KEY_MARK,
            _ => continue,
        };
        let pointer = field
            .name
            .split('/')
            .map(|name| format!("/{}", mask.mask_name(name)));
        if let Some(value) = json.pointer_mut(&pointer.collect::<String>()) {
            *value = mark.to_string().into();
        }
    }
    json.to_string()
}

fn without_marks(text: &str) -> String {
    text.replace([KEY_MARK, DESTINATION_MARK], "")
}

/// Replaces the marks in a quoted shell word with variables that must be set.
fn with_variables(quoted: &str, words: CurlWords<'_>) -> String {
    let variables = [
        (KEY_MARK, required_variable("WITHDRAWAL_CODE", words.key)),
        (
            DESTINATION_MARK,
            required_variable("DESTINATION", words.destination),
        ),
    ];
    variables
        .into_iter()
        .fold(quoted.to_owned(), |text, (mark, variable)| {
            text.replace(mark, &format!("'{variable}'"))
        })
}

/// A shell variable without which the shell prints the message and runs nothing.
fn required_variable(name: &str, message: &str) -> String {
    let message: String = message.chars().filter(|c| is_safe_in_shell(*c)).collect();
    format!("\"${{{name}:?{message}}}\"")
}

/// A text as comment lines. Characters that are special in a shell are replaced, because some
/// shells do not recognise comments in pasted lines.
fn shell_comment(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let safe = line.chars().map(|c| match c {
            '\'' | '’' => '’',
            c if c.is_control() => ' ',
            c if is_safe_in_shell(c) => c,
            _ => ' ',
        });
        format!("# {}\n", safe.collect::<String>())
    });
    lines.collect()
}

fn is_safe_in_shell(c: char) -> bool {
    c.is_alphanumeric() || " _.,:-–—“”".contains(c)
}

/// The text as one shell word. Control characters become spaces, because a pasted line break could
/// run a command.
fn shell_quoted(text: &str) -> String {
    let one_line: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    format!("'{}'", one_line.replace('\'', r"'\''"))
}
