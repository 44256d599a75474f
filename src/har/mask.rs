//! The strict mask for files that leave this computer: exported requests and curl commands.
//!
//! This mask is stricter than the mask on the screen, because files can be searched and combined.
//! It works by a whitelist: structure, amounts, states, times, sizes and request ids stay readable,
//! and every other value is replaced by its kind and a number, such as `‹cpf 1›`. Equal values get
//! equal masks within one export, so the numbers have no meaning elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::check::{Needle, encoding_in, percent_decoded};
use super::fragments;
use super::kind::Kind;
use super::whitelist::{Whitelist, is_public_header_word};
use crate::contract::{Contract, read_json};
use crate::trade::known_words::{is_message_name, text_parts};
use crate::trade::personal::is_personal_name;
use crate::trade::{
    Exchange, ExchangeSubject, HeaderUse, IdempotencyKey, KeyFormat, Secret, Untrusted, Wall,
};

/// The maximum number of digits in a header that is masked word by word. A value with more digits
/// is masked as a whole.
const MAX_DIGITS: usize = 8;

/// The minimum length, in bytes, of a secret that is searched for inside other text.
const MIN_SECRET: usize = 4;

/// The mask for one export. It remembers the masked values, because equal values get equal numbers.
pub struct StrictMask {
    pub(super) whitelist: Whitelist,
    secrets: Vec<(Secret, Option<Needle>)>,
    idempotency_keys: BTreeSet<String>,
    numbers: BTreeMap<Kind, usize>,
    masks: BTreeMap<(Kind, String), String>,
}

impl StrictMask {
    /// Creates the mask for one export.
    ///
    /// `secrets` are the known credentials, which are masked even inside harmless values.
    pub fn new(contract: &Contract, secrets: &[Secret]) -> StrictMask {
        StrictMask {
            whitelist: Whitelist::of(contract),
            secrets: secrets
                .iter()
                .map(|secret| (secret.duplicate(), Needle::of(secret.expose())))
                .collect(),
            idempotency_keys: BTreeSet::new(),
            numbers: BTreeMap::new(),
            masks: BTreeMap::new(),
        }
    }

    /// Masks also the states, the codes and the words of messages.
    pub fn without_words(mut self) -> StrictMask {
        self.whitelist.drop_words();
        self
    }

    /// The number of different values that were masked so far, of each kind.
    pub fn masked_counts(&self) -> Vec<(Kind, u64)> {
        let counts = self.numbers.iter();
        counts.map(|(kind, count)| (*kind, *count as u64)).collect()
    }

    /// Leaves the service's host and the withdrawal's idempotency key, in every key format,
    /// readable from now on.
    pub(super) fn keep_public(&mut self, exchange: &Exchange) {
        self.keep_host_public(&exchange.url);
        if let Some(ExchangeSubject::Withdrawal(key)) = exchange.subject {
            self.keep_key_public(key);
        }
    }

    pub(super) fn keep_key_public(&mut self, key: IdempotencyKey) {
        let formats = [KeyFormat::Plain, KeyFormat::Quoted, KeyFormat::Simple];
        self.idempotency_keys
            .extend(formats.map(|format| key.header(format)));
    }

    /// Leaves the host of this URL readable from now on. Pass only the URL of a request, because
    /// its host is that of a service.
    pub fn keep_host_public(&mut self, url: &str) {
        let after_scheme = url
            .split_once("://")
            .map_or("", |(_, after_scheme)| after_scheme);
        let authority = after_scheme
            .split(['/', '?', '#'])
            .next()
            .unwrap_or_default();
        let host_and_port = authority.rsplit('@').next().unwrap_or_default();
        self.whitelist.add_host(split_port(host_and_port).0);
    }

    /// Sets the time of the request whose values are masked next, because dates near that time stay
    /// readable.
    pub(super) fn set_request_time(&mut self, time: Wall) {
        self.whitelist.set_request_time(time);
    }

    /// True if the text is the idempotency key of an exported withdrawal.
    pub(super) fn is_idempotency_key(&self, text: &str) -> bool {
        self.idempotency_keys.contains(text)
    }

    /// A request or response body with its values masked.
    ///
    /// JSON stays JSON. In a form, the names stay readable. In any other text, such as an HTML page
    /// or cut off JSON, only punctuation and words on the whitelist stay readable.
    pub fn mask_body(&mut self, body: &str) -> String {
        if let Some(json) = read_json(body.as_bytes()) {
            return self.mask_json("", false, json).to_string();
        }
        if is_form(body) {
            self.mask_pairs(body)
        } else {
            fragments::mask_fragments(self, body)
        }
    }

    /// Masks the values in a JSON value. `name` is the name of the member that contains it.
    /// `is_message` is true if that member, or one around it, contains messages of the service.
    fn mask_json(&mut self, name: &str, is_message: bool, value: Value) -> Value {
        match value {
            Value::String(text) => self.mask_json_text(name, is_message, &text).into(),
            Value::Number(number) => {
                let text = number.to_string();
                if self.is_public_value(name, &text, true) {
                    Value::Number(number)
                } else {
                    self.mask_value(&text).into()
                }
            }
            Value::Array(items) => items
                .into_iter()
                .map(|item| self.mask_json(name, is_message, item))
                .collect(),
            Value::Object(members) => {
                let mut masked = Map::new();
                let mut counts = BTreeMap::new();
                for (name, member) in members {
                    // The text of a member such as `name` is no message, even inside `error`.
                    let is_private_text = member.is_string() && is_personal_name(&name);
                    let is_message = is_message_name(&name) || is_message && !is_private_text;
                    let member = self.mask_json(&name, is_message, member);
                    let mut name = self.mask_name(&name);
                    // Different names may get the same mask, so add a number to keep them apart.
                    let count = counts.entry(name.clone()).or_insert(0);
                    *count += 1;
                    if *count > 1 {
                        name = format!("{name} ({count})");
                    }
                    masked.insert(name, member);
                }
                masked.into()
            }
            Value::Null | Value::Bool(_) => value,
        }
    }

    /// Masks a text unless it is harmless. `name` is the name of its JSON member or header.
    pub(super) fn mask_text(&mut self, name: &str, text: &str) -> String {
        self.mask_json_text(name, is_message_name(name), text)
    }

    fn mask_json_text(&mut self, name: &str, is_message: bool, text: &str) -> String {
        let shortened = truncate_to_milliseconds(text);
        match () {
            _ if is_empty_or_masked(text) || self.is_idempotency_key(text) => text.to_owned(),
            _ if text.contains("://") && !text.contains(char::is_whitespace) => self.mask_url(text),
            _ if self.is_public_value(name, &shortened, false) => shortened,
            // Convert to lower case, so that all spellings of the word get the same mask. The
            // contract ignores letter case too.
            _ if self.whitelist.is_private_state(text) => self.mask_value(&text.to_lowercase()),
            _ if self.contains_secret(text) => self.mask_value(text),
            _ if self.whitelist.is_public_state(text) || self.whitelist.has_host(text) => {
                text.to_owned()
            }
            _ if is_message && self.whitelist.keeps_words() => self.mask_unknown_words(text),
            _ => self.mask_value(text),
        }
    }

    /// Masks the words of a message that are not in the list of known words.
    fn mask_unknown_words(&mut self, text: &str) -> String {
        let parts = text_parts(text).into_iter();
        parts
            .map(|part| {
                if part.is_private {
                    self.mask_value(part.text)
                } else {
                    part.text.to_owned()
                }
            })
            .collect()
    }

    /// True if a value with this name is neither personal nor a known secret. For example, the
    /// value of `netAmount` may be an amount.
    pub(super) fn is_public_value(&self, name: &str, text: &str, is_unquoted: bool) -> bool {
        self.whitelist.is_public_value(name, text, is_unquoted) && !self.contains_secret(text)
    }

    /// Masks a member name unless it is on the whitelist or consists of known words.
    pub(super) fn mask_name(&mut self, name: &str) -> String {
        if self.whitelist.is_public_name(name) && !self.contains_secret(name) {
            name.to_owned()
        } else {
            self.mask_value(name)
        }
    }

    /// Masks a URL. Only its scheme, the host of a known service, and the shape of its path stay
    /// readable.
    pub fn mask_url(&mut self, url: &str) -> String {
        let Some((scheme, after_scheme)) = url.split_once("://") else {
            return self.mask_value(url);
        };
        if !["http", "https"].contains(&&*scheme.to_lowercase()) {
            return self.mask_value(url);
        }
        let (authority, after_host) = after_scheme.split_at(
            after_scheme
                .find(['/', '?', '#'])
                .unwrap_or(after_scheme.len()),
        );
        let (user, host_and_port) = match authority.rsplit_once('@') {
            Some((user, host_and_port)) => (self.mask_value_in_url(user) + "@", host_and_port),
            None => (String::new(), authority),
        };
        let (host, port) = split_port(host_and_port);
        let host = if self.whitelist.has_host(host) && !self.contains_secret(host) {
            host.to_owned()
        } else {
            to_url_form(&self.numbered_mask(Kind::Host, host))
        };
        format!(
            "{scheme}://{user}{host}{port}{}",
            self.mask_path(after_host)
        )
    }

    /// Masks a path with its query and fragment. Path segments from the contract stay readable.
    pub(super) fn mask_path(&mut self, path: &str) -> String {
        let (path, fragment) = path
            .split_once('#')
            .map_or((path, None), |(p, f)| (p, Some(f)));
        let (path, query) = path
            .split_once('?')
            .map_or((path, None), |(p, q)| (p, Some(q)));
        let segments: Vec<String> = path
            .split('/')
            .map(|part| self.mask_segment(part))
            .collect();
        let query = query.map(|query| format!("?{}", self.mask_pairs(query)));
        let fragment = fragment.map(|text| format!("#{}", self.mask_value_in_url(text)));
        segments.join("/") + &query.unwrap_or_default() + &fragment.unwrap_or_default()
    }

    fn mask_segment(&mut self, segment: &str) -> String {
        let is_public = segment.is_empty() || self.whitelist.has_segment(segment);
        if is_public && !self.contains_secret(segment) {
            segment.to_owned()
        } else {
            self.mask_value_in_url(segment)
        }
    }

    /// Masks the values of a form or query, such as `name=value&name=value`.
    fn mask_pairs(&mut self, pairs: &str) -> String {
        let masked = pairs.split('&').map(|pair| match pair.split_once('=') {
            Some((name, value)) => {
                let value = self.mask_pair_value(name, value);
                format!("{}={value}", self.mask_pair_name(name))
            }
            None if pair.is_empty() => String::new(),
            None => self.mask_value_in_url(pair),
        });
        masked.collect::<Vec<_>>().join("&")
    }

    fn mask_pair_value(&mut self, name: &str, value: &str) -> String {
        let name = percent_decoded(name);
        let decoded = percent_decoded(value);
        let last_name_part = name
            .trim_end_matches(']')
            .rsplit('[')
            .next()
            .unwrap_or_default();
        let is_public = is_empty_or_masked(&decoded)
            || self.is_public_value(last_name_part, &decoded, true)
            || self.is_idempotency_key(&decoded);
        let is_state = self.whitelist.is_public_state(&decoded)
            && decoded == value
            && !self.contains_secret(&decoded);
        if is_public || is_state {
            value.to_owned()
        } else {
            self.mask_value_in_url(value)
        }
    }

    /// Masks the name in a name-value pair, such as `customer[name]`.
    fn mask_pair_name(&mut self, name: &str) -> String {
        let decoded = percent_decoded(name);
        let parts: Vec<&str> = decoded
            .split(['[', ']'])
            .filter(|part| !part.is_empty())
            .collect();
        let masked: Vec<String> = parts
            .into_iter()
            .map(|part| to_url_form(&self.mask_name(part)))
            .collect();
        match masked.split_first() {
            Some((first, rest)) => rest
                .iter()
                .fold(first.clone(), |name, part| format!("{name}[{part}]")),
            None => String::new(),
        }
    }

    /// Masks the value of a header unless the header is on the list of harmless ones.
    pub fn mask_header(&mut self, name: &str, value: &str) -> (String, String) {
        let masked_name = self.mask_header_name(name);
        let lower = name.to_ascii_lowercase();
        let max_digits = if lower == "content-length" { 7 } else { 6 };
        let is_count = value.len() <= max_digits && value.bytes().all(|b| b.is_ascii_digit());
        let value = match &*lower {
            _ if is_empty_or_masked(value) || self.is_idempotency_key(value) => value.to_owned(),
            _ if self.contains_secret(value) => self.numbered_mask(Kind::Token, value),
            "location" | "content-location" if value.starts_with('/') => self.mask_path(value),
            "host" => self.mask_host(value),
            "content-length" | "age" | "retry-after" if is_count => value.to_owned(),
            "date" | "expires" | "last-modified" | "retry-after"
                if self.whitelist.is_near_http_date(value) =>
            {
                value.to_owned()
            }
            // Mask word by word: the header has harmless words, or its credential was already
            // masked when the request was recorded.
            _ if HeaderUse::WordByWord.applies_to(name) || value.contains(Untrusted::MASKED) => {
                if value.chars().filter(|c| c.is_numeric()).count() > MAX_DIGITS {
                    self.mask_value(value)
                } else {
                    self.mask_header_words(value)
                }
            }
            _ => self.mask_text(&lower, value),
        };
        (masked_name, value)
    }

    /// Masks the name of a header unless it is harmless. A masked name, such as `X-text-1`, is
    /// still a valid header name, because a replay needs it.
    pub(super) fn mask_header_name(&mut self, name: &str) -> String {
        if self.whitelist.is_public_header(name) && !self.contains_secret(name) {
            name.to_owned()
        } else {
            let mask = to_url_form(&self.mask_value(&name.to_ascii_lowercase()));
            format!("X-{}", mask.trim_matches('*'))
        }
    }

    fn mask_host(&mut self, host_and_port: &str) -> String {
        let (host, port) = split_port(host_and_port);
        if self.whitelist.has_host(host) {
            host_and_port.to_owned()
        } else {
            self.numbered_mask(Kind::Host, host) + port
        }
    }

    /// Masks every word in the value of a header, except words with a meaning in HTTP.
    pub(super) fn mask_header_words(&mut self, text: &str) -> String {
        const SEPARATORS: [char; 10] = [' ', ',', ';', ':', '=', '/', '"', '(', ')', '*'];
        let mut masked = String::new();
        let mut offset = 0;
        for part in text.split_inclusive(SEPARATORS) {
            let word = part.trim_end_matches(SEPARATORS);
            let is_public =
                is_public_header_word(&text[..offset], word) && !self.contains_secret(word);
            masked += &if is_public || is_empty_or_masked(word) {
                word.to_owned()
            } else {
                self.mask_value_in_url(word)
            };
            masked += &part[word.len()..];
            offset += part.len();
        }
        masked
    }

    /// Masks the texts that contain a secret in a JSON value. All other values stay readable.
    pub fn mask_secrets(&mut self, value: Value) -> Value {
        match value {
            Value::String(text) if self.contains_secret(&text) => self.mask_value(&text).into(),
            Value::Array(items) => items
                .into_iter()
                .map(|item| self.mask_secrets(item))
                .collect(),
            Value::Object(members) => {
                let masked = members
                    .into_iter()
                    .map(|(name, value)| (name, self.mask_secrets(value)));
                Value::Object(masked.collect())
            }
            value => value,
        }
    }

    /// Masks a value, even if it is harmless.
    pub(super) fn mask_value(&mut self, text: &str) -> String {
        self.numbered_mask(Kind::of(text), text)
    }

    /// Masks a part of a URL, using only characters that a URL may have.
    fn mask_value_in_url(&mut self, part: &str) -> String {
        to_url_form(&self.mask_value(&percent_decoded(part)))
    }

    fn numbered_mask(&mut self, kind: Kind, text: &str) -> String {
        let key = (kind, kind.normal(text));
        if let Some(mask) = self.masks.get(&key) {
            return mask.clone();
        }
        let number = self.numbers.entry(kind).or_default();
        *number += 1;
        let mask = kind.mask(*number, text);
        self.masks.insert(key, mask.clone());
        mask
    }

    /// True if the text is a known secret or contains one, in any encoding.
    pub(super) fn contains_secret(&self, text: &str) -> bool {
        if text.is_empty() {
            return false;
        }
        self.secrets.iter().any(|(secret, needle)| {
            let secret = secret.expose();
            // The search above skips very short secrets, and short secrets that are written in
            // hexadecimal digits. Both may occur in an id, so look for them here.
            secret == text
                || needle
                    .as_ref()
                    .is_some_and(|needle| encoding_in(text, needle).is_some())
                || secret.len() >= MIN_SECRET
                    && (text.contains(secret) || text.replace('-', "").contains(&hex(secret)))
        })
    }
}

/// True for an empty text, and for text that was already masked when the request was recorded.
pub(super) fn is_empty_or_masked(text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || text == Untrusted::MASKED || text == Untrusted::MASKED_JWT
}

/// Removes the digits after the milliseconds from a time, because they could be any number.
fn truncate_to_milliseconds(text: &str) -> String {
    let time = text.split_once('.').filter(|_| text.contains(':'));
    let Some((before, after)) = time else {
        return text.to_owned();
    };
    let after_digits = after.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &after[..after.len() - after_digits.len()];
    format!("{before}.{}{after_digits}", &digits[..digits.len().min(3)])
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

/// True for text such as `name=value&name=value`, without spaces and line breaks.
fn is_form(body: &str) -> bool {
    let mut pairs = body.split('&').map(|pair| pair.split_once('='));
    body.chars()
        .all(|c| !c.is_whitespace() && !"<>{}\"'".contains(c))
        && pairs.all(|pair| {
            pair.is_some_and(|(name, value)| {
                // Base64 may end with equals signs. It must not be taken for a form.
                let is_base64 = value.starts_with('=') || value.is_empty() && !body.contains('&');
                !name.is_empty() && !is_base64
            })
        })
}

/// Splits a host into its name and its port. The port keeps its colon.
fn split_port(host_and_port: &str) -> (&str, &str) {
    let port = host_and_port.rfind(':').filter(|at| {
        let digits = &host_and_port[at + 1..];
        digits.len() <= 5 && digits.bytes().all(|b| b.is_ascii_digit())
    });
    host_and_port.split_at(port.unwrap_or(host_and_port.len()))
}

/// Rewrites a mask with characters that a URL may have. For example, `‹text 1, 4 letters›` becomes
/// `*text-1*`.
pub(super) fn to_url_form(mask: &str) -> String {
    let Some(inner) = mask.strip_prefix('‹') else {
        return mask.to_owned();
    };
    let inner = inner
        .trim_end_matches('›')
        .split(',')
        .next()
        .unwrap_or_default();
    format!("*{}*", inner.replace(' ', "-"))
}
