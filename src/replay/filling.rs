//! Replaces the masks in a recorded reply by values that fit the new request.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use serde_json::{Map, Value};
use url::form_urlencoded;

use super::made;
use super::matching::Pairs;
use super::recording::Reply;
use crate::contract::Contract;
use crate::contract::reply_setting::{EXPIRES_IN, JWT};
use crate::trade::{HeaderUse, Money, Operation, Untrusted};

/// The values that replace the masks in one recorded reply. A mask is a text such as `‹text 1, 9
/// letters›` in place of a private value.
pub(super) struct MaskFiller<'a> {
    contract: &'a Contract,
    address: SocketAddr,
    /// The new value for each value in the recorded request. The key for a masked value is the name
    /// of its mask, such as `cpf 1`. The key for an unmasked value is the value itself.
    echoes: BTreeMap<String, Value>,
    amount: Option<Money>,
    lifetime: Option<Duration>,
    /// The number of bytes that are left for the values that replace masks. They are limited
    /// because an untrusted file may repeat a short mask very often, and each mask may become a
    /// long value.
    remaining_bytes: usize,
}

/// The maximum total length of the values that replace the masks in one reply, in bytes.
const MAX_FILLED_BYTES: usize = 8 * 1024 * 1024;

/// A mask, which replaced a private value in a recorded text.
struct Mask<'t> {
    /// The kind of the masked value and a number, such as `pix code 1`.
    name: String,
    kind: Cow<'t, str>,
    /// The length of the original text, if the mask contains it.
    length: Option<usize>,
}

impl<'a> MaskFiller<'a> {
    /// Prepares the values that replace the masks. Each of the `pairs` is a value in the recorded
    /// request and the value at the same place in the new request.
    pub(super) fn new(contract: &'a Contract, address: SocketAddr, pairs: Pairs) -> MaskFiller<'a> {
        let mut echoes = BTreeMap::new();
        for (recorded, new) in pairs {
            let Value::String(recorded) = recorded else {
                continue;
            };
            let name = match Mask::parse(&recorded) {
                Some(mask) => mask.name,
                // Skip other unmasked texts, such as states and amounts. A reply may contain the
                // same text by coincidence.
                None if is_uuid(&recorded) => recorded,
                None => continue,
            };
            echoes.entry(name).or_insert(new);
        }
        MaskFiller {
            contract,
            address,
            echoes,
            amount: None,
            lifetime: None,
            remaining_bytes: MAX_FILLED_BYTES,
        }
    }

    /// The headers and the body of the reply to send, with the masks replaced by values.
    pub(super) fn fill_reply(
        mut self,
        operation: Option<Operation>,
        reply: &Reply,
        request_body: &str,
    ) -> (Vec<(String, String)>, String) {
        if operation == Some(Operation::DirectPayment) {
            let contract = self.contract;
            self.amount =
                contract.requested_amount(Operation::DirectPayment, "", Some(request_body));
        }
        let Ok(mut json) = serde_json::from_str::<Value>(&reply.body) else {
            return (self.fill_headers(reply), self.fill_masks(&reply.body));
        };
        if operation == Some(Operation::Login) {
            self.lifetime = self.recorded_lifetime(&json);
            self.fill_jwts(&mut json);
        }
        (self.fill_headers(reply), self.fill_value(json).to_string())
    }

    fn recorded_lifetime(&self, json: &Value) -> Option<Duration> {
        let pointers = &self.contract.paths(EXPIRES_IN).pointers;
        let seconds = pointers
            .iter()
            .find_map(|pointer| json.pointer(pointer.as_str())?.as_u64());
        seconds.map(Duration::from_secs)
    }

    /// Replaces each masked JWT in the reply to a login by a new JWT. The API contract gives the
    /// paths of the JWTs.
    fn fill_jwts(&mut self, json: &mut Value) {
        for pointer in &self.contract.paths(JWT).pointers {
            if let Some(value) = json.pointer_mut(pointer.as_str())
                && value.as_str() == Some(Untrusted::SHOWN_MASK)
            {
                *value = made::jwt(self.lifetime).into();
            }
        }
    }

    fn fill_value(&mut self, value: Value) -> Value {
        match value {
            Value::String(text) => self.fill_text(text),
            Value::Array(items) => items
                .into_iter()
                .map(|item| self.fill_value(item))
                .collect(),
            Value::Object(members) => {
                let filled = members.into_iter().map(|(name, member)| {
                    let name = into_text(self.fill_text(name));
                    (name, self.fill_value(member))
                });
                Value::Object(filled.collect::<Map<_, _>>())
            }
            other => other,
        }
    }

    fn fill_text(&mut self, text: String) -> Value {
        if let Some(mask) = Mask::parse(&text) {
            return self.mask_value(&mask).unwrap_or_else(|| text.into());
        }
        let generated = match &*text {
            Untrusted::SHOWN_MASK => Some(made::token().into()),
            Untrusted::SHOWN_JWT_MASK => Some(made::jwt(self.lifetime).into()),
            _ if text.contains("://") && !text.contains(char::is_whitespace) => {
                return self.local_url(&text).into();
            }
            _ => self.echoes.get(&text).cloned(),
        };
        let generated = generated.and_then(|value| self.within_limit(value));
        generated.unwrap_or_else(|| self.fill_masks(&text).into())
    }

    /// The value that replaces a mask. Returns `None` if the mask stays visible in the reply.
    fn mask_value(&mut self, mask: &Mask<'_>) -> Option<Value> {
        let value = match (self.echoes.get(&mask.name), &*mask.kind) {
            (Some(echo), _) => echo.clone(),
            (None, "token") => made::token_named(&mask.name, mask.length.unwrap_or(32)).into(),
            (None, "host") => localhost_name(&mask.name).into(),
            (None, "pix code") => made::pix_code(&mask.name, self.amount).into(),
            (None, _) => return None,
        };
        self.within_limit(value)
    }

    /// The value unchanged, or `None` if the reply would become too long with this value.
    fn within_limit(&mut self, value: Value) -> Option<Value> {
        let length = value
            .as_str()
            .map_or_else(|| value.to_string().len(), str::len);
        self.remaining_bytes = self.remaining_bytes.checked_sub(length)?;
        Some(value)
    }

    /// A text in which the masks are replaced by values.
    fn fill_masks(&mut self, text: &str) -> String {
        let mut filled = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find('‹') {
            let end = rest[start..]
                .find('›')
                .map_or(rest.len(), |index| start + index + '›'.len_utf8());
            let mask = Mask::parse(&rest[start..end]);
            filled += &rest[..start];
            match mask.and_then(|mask| self.mask_value(&mask)) {
                Some(value) => filled += &into_text(value),
                None => filled += &rest[start..end],
            }
            rest = &rest[end..];
        }
        filled + rest
    }

    /// A URL with the recorded path and a host on this machine. An unmasked host is the host of the
    /// recorded service, so it is replaced by the replay's address.
    fn local_url(&mut self, url: &str) -> String {
        let Some((_, rest)) = url.split_once("://") else {
            return url.to_owned();
        };
        let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        let host_and_port = authority.rsplit('@').next().unwrap_or_default();
        let host = match host_and_port.split(':').next().and_then(Mask::parse) {
            Some(mask) => self.local_host(&mask),
            None => self.address.ip().to_string(),
        };
        format!(
            "http://{host}:{}{}",
            self.address.port(),
            self.fill_url_part(path)
        )
    }

    /// The host that replaces a masked host in a URL: the domain chosen in the new request, or a
    /// name of this machine.
    fn local_host(&self, mask: &Mask<'_>) -> String {
        let echo = self
            .echoes
            .get(&mask.name)
            .and_then(Value::as_str)
            .filter(|host| {
                host.ends_with(".localhost")
                    && host
                        .bytes()
                        .all(|b| b.is_ascii_alphanumeric() || b"-.".contains(&b))
            });
        echo.map_or_else(|| localhost_name(&mask.name), str::to_owned)
    }

    /// Replaces the masks in a part of a URL. A mask whose value is unknown becomes plain words.
    fn fill_url_part(&mut self, part: &str) -> String {
        let mut filled = String::with_capacity(part.len());
        let mut rest = part;
        while let Some(start) = rest.find('*') {
            filled += &rest[..start];
            let inner = &rest[start + 1..];
            let Some(end) = inner.find('*') else {
                rest = inner;
                break;
            };
            let mask = Mask::parse(&rest[start..start + end + 2]);
            let echo = mask.and_then(|mask| self.echoes.get(&mask.name).cloned());
            match echo.and_then(|echo| self.within_limit(echo)) {
                Some(echo) => {
                    let echo = into_text(echo);
                    filled.extend(form_urlencoded::byte_serialize(echo.as_bytes()));
                }
                None => filled += &inner[..end],
            }
            rest = &inner[end + 1..];
        }
        filled + rest
    }

    fn fill_headers(&mut self, reply: &Reply) -> Vec<(String, String)> {
        // Leave out these headers, because the server writes them itself. Leave out `Date` too,
        // because it would make this computer's clock look wrong. Keep `Date` if `Retry-After`
        // contains a date, which is relative to it.
        let keeps_date = reply
            .headers
            .iter()
            .any(|(name, value)| name.eq_ignore_ascii_case("retry-after") && value.contains(':'));
        let token_header = self
            .contract
            .login
            .token_header
            .as_deref()
            .unwrap_or_default();
        reply
            .headers
            .iter()
            .filter_map(|(name, value)| {
                let is_dropped_date = name.eq_ignore_ascii_case("date") && !keeps_date;
                let value = match &**value {
                    _ if HeaderUse::Transport.applies_to(name) || is_dropped_date => None,
                    Untrusted::SHOWN_MASK if name.eq_ignore_ascii_case(token_header) => {
                        Some(made::token())
                    }
                    // Leave out a masked header, because the app does not read it.
                    Untrusted::SHOWN_MASK => None,
                    value => Some(into_text(self.fill_text(value.to_owned()))),
                };
                Some((name.clone(), value?))
            })
            .collect()
    }
}

impl<'t> Mask<'t> {
    /// Parses a text that is a mask: `‹text 1, 4 letters›`, or `*text-1*` in a URL.
    fn parse(text: &'t str) -> Option<Mask<'t>> {
        let body_mask = text
            .strip_prefix('‹')
            .and_then(|text| text.strip_suffix('›'));
        let (kind, number, length): (Cow<'t, str>, _, _) = match body_mask {
            Some(inner) => {
                let (name, length) = inner.split_once(',').unwrap_or((inner, ""));
                let (kind, number) = name.rsplit_once(' ')?;
                let length = length
                    .trim_start()
                    .split(' ')
                    .next()
                    .and_then(|n| n.parse().ok());
                (kind.into(), number, length)
            }
            None => {
                let (kind, number) = text
                    .strip_prefix('*')
                    .and_then(|text| text.strip_suffix('*'))?
                    .rsplit_once('-')?;
                (kind.replace('-', " ").into(), number, None)
            }
        };
        let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        is_number.then(|| Mask {
            name: format!("{kind} {number}"),
            kind,
            length,
        })
    }
}

/// The name of this machine that replaces a masked host: `host-1.localhost` for `host 1`.
fn localhost_name(name: &str) -> String {
    format!("{}.localhost", name.replace(' ', "-"))
}

fn into_text(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

/// True for an idempotency key, which is a UUID and is never masked in an export.
fn is_uuid(text: &str) -> bool {
    uuid::Uuid::parse_str(text.trim_matches('"')).is_ok()
}
