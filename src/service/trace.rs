//! Exchanges as they may be looked at: what is not known to be harmless is masked.

use std::time::Duration;

use serde_json::Value;

use super::exchange::{Ask, BodyEnd, RawReply, plain_headers};
use crate::contract::{Places, read_json};
use crate::trade::{Exchange, Failure, ReplySeen, Untrusted, Wall};

/// What stands where something is masked.
pub const MASKED: &str = "…";

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

/// Members whose names say that nobody should read them, in lower case.
const SECRET_NAMES: [&str; 10] = [
    "token",
    "secret",
    "password",
    "senha",
    "passwd",
    "jwt",
    "authorization",
    "apikey",
    "api_key",
    "credential",
];

/// A shorter text would also be found where it is not meant.
const SHORTEST_FOUND: usize = 4;

/// What must be masked in one exchange.
#[derive(Default)]
pub(super) struct Mask<'a> {
    /// Texts that came out of secrets.
    pub(super) secrets: Vec<&'a str>,
    /// Where a reply holds secrets.
    pub(super) places: Vec<&'a Places>,
    /// Whether every text of a success is taken for a secret: a login's token may stand anywhere.
    pub(super) every_text: bool,
}

impl Mask<'_> {
    /// A reply's body with its secrets masked.
    pub(super) fn body(&self, reply: &RawReply) -> Untrusted {
        let every_text = self.every_text && !(400..600).contains(&reply.status);
        if let Some(mut json) = read_json(&reply.body) {
            let before = json.clone();
            for pointer in self.places.iter().flat_map(|places| &places.pointers) {
                if let Some(value) = json.pointer_mut(pointer.as_str())
                    && !value.is_null()
                {
                    *value = Value::from(MASKED);
                }
            }
            self.mask_value(&mut json, every_text);
            if json == before {
                return Untrusted::from(String::from_utf8_lossy(&reply.body).into_owned());
            }
            return Untrusted::from(json.to_string());
        }
        if every_text && !reply.body.is_empty() {
            return Untrusted::from(MASKED);
        }
        Untrusted::from(self.text(&String::from_utf8_lossy(&reply.body)))
    }

    /// A text with every secret in it masked.
    pub(super) fn text(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for secret in &self.secrets {
            if text == *secret {
                return MASKED.to_owned();
            }
            if secret.len() >= SHORTEST_FOUND {
                text = text.replace(secret, MASKED);
            }
        }
        mask_jwts(&text)
    }

    fn mask_value(&self, value: &mut Value, every_text: bool) {
        match value {
            Value::String(_) if every_text => *value = Value::from(MASKED),
            Value::String(text) => *text = self.text(text),
            Value::Array(items) => {
                items.iter_mut().for_each(|item| self.mask_value(item, every_text));
            }
            Value::Object(members) => {
                for (name, member) in members {
                    if is_secret_name(name) && !(member.is_object() || member.is_array()) {
                        *member = Value::from(MASKED);
                    } else {
                        self.mask_value(member, every_text || is_secret_name(name));
                    }
                }
            }
            Value::Number(number) if self.secrets.contains(&number.to_string().as_str()) => {
                *value = Value::from(MASKED);
            }
            _ => {}
        }
    }
}

/// Builds the one record of an exchange that leaves this room.
pub(super) fn seen(
    ask: &Ask<'_>,
    reply: &Result<RawReply, Failure>,
    at: Wall,
    took: Duration,
) -> Exchange {
    let plain = plain_headers(ask).into_iter();
    let mut request_headers: Vec<_> =
        plain.map(|(name, value)| (name.as_str().to_owned(), value.to_owned())).collect();
    if ask.credential.is_some() {
        request_headers.push(("authorization".to_owned(), format!("Bearer {MASKED}")));
    }
    if let Some((name, key)) = ask.key {
        request_headers.push((name.to_ascii_lowercase(), key.to_owned()));
    }
    Exchange {
        at,
        operation: ask.operation,
        method: ask.call.method.as_str().into(),
        url: ask.url.as_str().into(),
        request_headers,
        request_body: ask.body.map(|(_, masked)| masked.to_owned()),
        reply: match reply {
            Ok(reply) => Ok(seen_reply(&ask.mask, reply)),
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

fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SECRET_NAMES.iter().any(|secret| name.contains(secret))
}

/// Masks what looks like a JWT wherever it stands: three parts, the first of which begins `{"`.
fn mask_jwts(text: &str) -> String {
    if !text.contains("eyJ") {
        return text.to_owned();
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let mut masked = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("eyJ") {
        let (before, from) = rest.split_at(at);
        let end = from.find(|c| !is_part(c)).unwrap_or(from.len());
        masked.push_str(before);
        masked.push_str(if from[..end].contains('.') { MASKED } else { &from[..end] });
        rest = &from[end..];
    }
    masked + rest
}
