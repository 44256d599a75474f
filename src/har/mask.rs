//! The strict mask for files that leave this computer: exported requests and curl commands.
//!
//! This mask is stricter than the mask on the screen, because files can be searched and combined.
//! It works by a whitelist: structure, amounts, states, times, sizes and request ids stay readable,
//! and every other value is replaced by its kind and a number, such as `‹cpf 1›`. Equal values get
//! equal masks within one export, so the numbers have no meaning elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::check::{Needle, percent_decoded};
use super::fragments;
use super::kind::Kind;
use super::whitelist::{Whitelist, has, is_harmless, keeps_header_word};
use crate::contract::{Contract, read_json};
use crate::trade::{IdempotencyKey, KeyFormat, Secret, Untrusted, Wall};

/// The headers whose values are masked word by word, so that harmless words stay readable.
const WORDY_HEADERS: &str = "\
    accept accept-encoding allow cache-control connection content-encoding content-language \
    content-type keep-alive server transfer-encoding user-agent via";

/// The maximum number of digits in a header that is masked word by word. A value with more digits
/// is masked as a whole.
const MOST_DIGITS: usize = 8;

/// The minimum length, in bytes, of a secret that is searched for inside other text.
const LEAST_SECRET: usize = 4;

/// The contract settings with a value that is one of a few words, such as `unit`.
const CHOICE_LINES: &str = "\
    method credential encoding unit amount_sent amount_read key_format kind shape entries pages";

/// The contract settings whose values are names of body members or query parameters.
const NAME_LINES: &str = "name amount description domain key_in_body page_parameter";

/// The contract settings whose values may be any text.
const TEXT_LINES: &str =
    "retention_source default choices words label active_words failed_words pattern";

/// The placeholders for a credential in a contract setting, as in `Authorization: Bearer {}`.
const PLACEHOLDERS: [&str; 3] = ["{}", "{1}", "{2}"];

/// The mask for one export. It remembers the masked values, because equal values get equal numbers.
pub struct StrictMask {
    pub(super) kept: Whitelist,
    secrets: Vec<(Secret, Option<Needle>)>,
    codes: BTreeSet<String>,
    numbers: BTreeMap<Kind, usize>,
    masks: BTreeMap<(Kind, String), String>,
}

impl StrictMask {
    /// Creates the mask for one export.
    ///
    /// `secrets` are the known credentials, which are masked even inside harmless values. `codes`
    /// are the journal's idempotency keys, which stay readable in every key format.
    pub fn new(contract: &Contract, secrets: &[Secret], codes: &[IdempotencyKey]) -> StrictMask {
        let formats = [KeyFormat::Plain, KeyFormat::Quoted, KeyFormat::Simple];
        let secret = |secret: &Secret| (secret.duplicate(), Needle::of(secret.expose()));
        StrictMask {
            kept: Whitelist::of(contract),
            secrets: secrets.iter().map(secret).collect(),
            codes: codes
                .iter()
                .flat_map(|code| formats.map(|format| code.header(format)))
                .collect(),
            numbers: BTreeMap::new(),
            masks: BTreeMap::new(),
        }
    }

    /// Leaves the host of this URL readable. Pass only the URL of a request, because its host is
    /// that of a service.
    pub fn keep_host_of(&mut self, url: &str) {
        let rest = url.split_once("://").map_or("", |(_, rest)| rest);
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let place = authority.rsplit('@').next().unwrap_or_default();
        self.kept.add_host(split_port(place).0);
    }

    /// Sets the time of the request whose values are masked next, because dates near that time stay
    /// readable.
    pub(super) fn set_time(&mut self, at: Wall) {
        self.kept.set_time(at);
    }

    /// Returns true if the text is an idempotency key of the journal.
    pub(super) fn is_code(&self, text: &str) -> bool {
        self.codes.contains(text)
    }

    /// Returns a request or response body with its values masked.
    ///
    /// JSON stays JSON. In a form, the names stay readable. In any other text, such as an HTML page
    /// or cut off JSON, only punctuation and the words on the whitelist do.
    pub fn body(&mut self, body: &str) -> String {
        if let Some(json) = read_json(body.as_bytes()) {
            return self.json("", json).to_string();
        }
        match is_form(body) {
            true => self.pairs(body),
            false => fragments::masked(self, body),
        }
    }

    /// Masks the values in JSON. `name` is the name of the member that contains it.
    fn json(&mut self, name: &str, value: Value) -> Value {
        match value {
            Value::String(text) => self.text(name, &text).into(),
            Value::Number(number) => {
                let text = number.to_string();
                match self.keeps(name, &text, true) {
                    true => Value::Number(number),
                    false => self.masked(&text).into(),
                }
            }
            Value::Array(items) => items.into_iter().map(|item| self.json(name, item)).collect(),
            Value::Object(members) => {
                let (mut masked, mut counts) = (Map::new(), BTreeMap::new());
                for (name, member) in members {
                    let member = self.json(&name, member);
                    let mut name = self.name(&name);
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

    /// Masks a text unless it is harmless. `name` is the name of its JSON member.
    pub(super) fn text(&mut self, name: &str, text: &str) -> String {
        let cut = without_microseconds(text);
        match () {
            _ if is_blank(text) || self.is_code(text) => text.to_owned(),
            _ if text.contains("://") && !text.contains(char::is_whitespace) => self.address(text),
            _ if self.keeps(name, &cut, false) => cut,
            // Convert to lower case, because the contract ignores the case of these words.
            _ if self.kept.is_own_word(text) => self.masked(&text.to_lowercase()),
            _ if (self.kept.is_state(text) || self.kept.has_host(text))
                && !self.is_secret(text) =>
            {
                text.to_owned()
            }
            _ => self.masked(text),
        }
    }

    /// Returns true if the name of a value shows that the value is not personal, such as
    /// `netAmount`.
    pub(super) fn keeps(&self, name: &str, text: &str, is_bare: bool) -> bool {
        self.kept.keeps_value(name, text, is_bare) && !self.is_secret(text)
    }

    /// Masks a member name unless it is on the whitelist or a plain word.
    pub(super) fn name(&mut self, name: &str) -> String {
        match self.kept.keeps_name(name) && !self.is_secret(name) {
            true => name.to_owned(),
            false => self.masked(name),
        }
    }

    /// Masks a URL. Only its scheme, the host of a known service, and the shape of its path stay
    /// readable.
    pub fn address(&mut self, address: &str) -> String {
        let Some((scheme, rest)) = address.split_once("://") else { return self.masked(address) };
        if !["http", "https"].contains(&&*scheme.to_lowercase()) {
            return self.masked(address);
        }
        let (authority, tail) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        let (user, place) = match authority.rsplit_once('@') {
            Some((user, place)) => (self.masked_in_url(user) + "@", place),
            None => (String::new(), authority),
        };
        let (host, port) = split_port(place);
        let host = match self.kept.has_host(host) && !self.is_secret(host) {
            true => host.to_owned(),
            false => in_url(&self.numbered(Kind::Host, host)),
        };
        format!("{scheme}://{user}{host}{port}{}", self.path(tail))
    }

    /// Masks a path with its query and fragment. Path segments from the contract stay readable.
    pub(super) fn path(&mut self, path: &str) -> String {
        let (path, fragment) = path.split_once('#').map_or((path, None), |(p, f)| (p, Some(f)));
        let (path, query) = path.split_once('?').map_or((path, None), |(p, q)| (p, Some(q)));
        let segments: Vec<String> = path.split('/').map(|part| self.segment(part)).collect();
        let query = query.map(|query| format!("?{}", self.pairs(query)));
        let fragment = fragment.map(|text| format!("#{}", self.masked_in_url(text)));
        segments.join("/") + &query.unwrap_or_default() + &fragment.unwrap_or_default()
    }

    fn segment(&mut self, segment: &str) -> String {
        let is_kept = segment.is_empty() || self.kept.has_segment(segment);
        match is_kept && !self.is_secret(segment) {
            true => segment.to_owned(),
            false => self.masked_in_url(segment),
        }
    }

    /// Masks the values of a form or query, such as `name=value&name=value`.
    fn pairs(&mut self, pairs: &str) -> String {
        let masked = pairs.split('&').map(|pair| match pair.split_once('=') {
            Some((name, value)) => {
                let value = self.value_of(name, value);
                format!("{}={value}", self.pair_name(name))
            }
            None if pair.is_empty() => String::new(),
            None => self.masked_in_url(pair),
        });
        masked.collect::<Vec<_>>().join("&")
    }

    fn value_of(&mut self, name: &str, value: &str) -> String {
        let (name, plain) = (percent_decoded(name), percent_decoded(value));
        let last = name.trim_end_matches(']').rsplit('[').next().unwrap_or_default();
        let is_kept = is_blank(&plain) || self.keeps(last, &plain, true) || self.is_code(&plain);
        let is_state = self.kept.is_state(&plain) && plain == value && !self.is_secret(&plain);
        if is_kept || is_state { value.to_owned() } else { self.masked_in_url(value) }
    }

    /// Masks the name in a name-value pair, such as `customer[name]`.
    fn pair_name(&mut self, name: &str) -> String {
        let plain = percent_decoded(name);
        let parts: Vec<&str> = plain.split(['[', ']']).filter(|part| !part.is_empty()).collect();
        let masked: Vec<String> = parts.into_iter().map(|part| in_url(&self.name(part))).collect();
        match masked.split_first() {
            Some((first, rest)) => {
                rest.iter().fold(first.clone(), |name, part| format!("{name}[{part}]"))
            }
            None => String::new(),
        }
    }

    /// Masks the value of a header unless the header is on the list of harmless ones.
    pub fn header(&mut self, name: &str, value: &str) -> (String, String) {
        let kept_name = self.header_name(name);
        let lower = name.to_ascii_lowercase();
        let most = if lower == "content-length" { 7 } else { 6 };
        let is_count = value.len() <= most && value.bytes().all(|b| b.is_ascii_digit());
        let value = match &*lower {
            _ if is_blank(value) || self.is_code(value) => value.to_owned(),
            _ if self.is_secret(value) => self.numbered(Kind::Token, value),
            "location" | "content-location" if value.starts_with('/') => self.path(value),
            "host" => self.host(value),
            "content-length" | "age" | "retry-after" if is_count => value.to_owned(),
            "date" | "expires" | "last-modified" | "retry-after"
                if self.kept.is_near_in_http(value) =>
            {
                value.to_owned()
            }
            // The value contains the mask of a credential, which was masked when the request was
            // recorded.
            _ if has(WORDY_HEADERS, &lower) || value.contains(Untrusted::MASKED) => {
                match value.chars().filter(|c| c.is_numeric()).count() > MOST_DIGITS {
                    true => self.masked(value),
                    false => self.words(value),
                }
            }
            _ => self.text(&lower, value),
        };
        (kept_name, value)
    }

    /// Masks the name of a header if necessary. A masked name, such as `X-text-1`, is still valid,
    /// because a replay needs it. Upper and lower case count as equal.
    fn header_name(&mut self, name: &str) -> String {
        match self.kept.keeps_header(name) && !self.is_secret(name) {
            true => name.to_owned(),
            false => {
                let mask = in_url(&self.masked(&name.to_ascii_lowercase()));
                format!("X-{}", mask.trim_matches('*'))
            }
        }
    }

    fn host(&mut self, place: &str) -> String {
        let (host, port) = split_port(place);
        match self.kept.has_host(host) {
            true => place.to_owned(),
            false => self.numbered(Kind::Host, host) + port,
        }
    }

    /// Masks personal data in a contract setting, so that the setting can be shared.
    ///
    /// The result is still a valid setting, but a list of allowed characters becomes a comment.
    /// Paths, pointers and names get the same masks as in the requests and replies.
    pub fn contract_line(&mut self, line: &str) -> String {
        let values = line.match_indices(" = ").find_map(|(at, mark)| {
            let value = serde_json::from_str::<Value>(&line[at + mark.len()..]).ok()?;
            Some((&line[..at], value))
        });
        let values = values.filter(|(name, _)| !name.ends_with(".pattern"));
        let Some((name, value)) = values else { return format!("# {}", self.masked(line)) };
        let masked = match value {
            Value::String(text) => self.line_text(name, &text).into(),
            Value::Array(items) => {
                let item = |item: Value| match item {
                    Value::String(text) => self.line_text(name, &text).into(),
                    other => other,
                };
                items.into_iter().map(item).collect()
            }
            other => other,
        };
        let kept = format!("{} = {masked}", self.line_name(name));
        // Check the whole setting: a secret with dots is not found in the parts of its name.
        if self.is_secret(&kept) { format!("# {}", self.masked(line)) } else { kept }
    }

    fn line_name(&mut self, name: &str) -> String {
        let parts = name.split('.').map(|part| {
            let bare = part.trim_matches('"');
            match is_harmless(bare) && !self.is_secret(bare) {
                true => part.to_owned(),
                false => in_url(&self.masked(bare)).replace('*', ""),
            }
        });
        parts.collect::<Vec<_>>().join(".")
    }

    fn line_text(&mut self, name: &str, text: &str) -> String {
        let last = name.rsplit('.').next().unwrap_or_default();
        match last {
            "path" => self.path(text),
            "body" | "identity" | "customer" | "confirmed" => self.line_name(text),
            "key_header" | "token_header" => self.header_name(text),
            "headers" => self.line_header(text),
            // This is an empty text or a `?` that replaced a private value.
            _ if text.chars().count() <= 1 || has(CHOICE_LINES, last) => text.to_owned(),
            _ if name.split('.').any(|part| has(TEXT_LINES, part)) => {
                match self.kept.is_state(text) && !self.is_secret(text) {
                    true => text.to_owned(),
                    false => self.masked(&text.to_lowercase()),
                }
            }
            _ if text.starts_with('/') || has(NAME_LINES, last) => {
                let part = |part: &str| match part {
                    "" => String::new(),
                    part => self.name(part),
                };
                text.split('/').map(part).collect::<Vec<_>>().join("/")
            }
            _ => self.masked(text),
        }
    }

    /// Masks a header in a contract setting, such as `Authorization: Bearer {}`.
    fn line_header(&mut self, text: &str) -> String {
        let (name, value) = text.split_once(": ").unwrap_or((text, ""));
        let place = PLACEHOLDERS.into_iter().find(|place| value.contains(place));
        let name = self.header_name(name);
        let value = match place.and_then(|place| Some((place, value.split_once(place)?))) {
            Some((place, (before, after))) => {
                [&self.words(before), place, &self.words(after)].concat()
            }
            None if value == "?" => value.to_owned(),
            None => self.words(value),
        };
        format!("{name}: {value}")
    }

    /// Masks every word in the value of a header, except words with a meaning in HTTP.
    fn words(&mut self, text: &str) -> String {
        const BETWEEN: [char; 10] = [' ', ',', ';', ':', '=', '/', '"', '(', ')', '*'];
        let (mut masked, mut at) = (String::new(), 0);
        for part in text.split_inclusive(BETWEEN) {
            let word = part.trim_end_matches(BETWEEN);
            let is_kept = keeps_header_word(&text[..at], word) && !self.is_secret(word);
            masked += &match is_kept || is_blank(word) {
                true => word.to_owned(),
                false => self.masked_in_url(word),
            };
            masked += &part[word.len()..];
            at += part.len();
        }
        masked
    }

    /// Returns the mask of a value, even if the value is harmless.
    pub(super) fn masked(&mut self, text: &str) -> String {
        self.numbered(Kind::of(text), text)
    }

    /// Masks a part of a URL, using only characters that a URL may have.
    fn masked_in_url(&mut self, part: &str) -> String {
        in_url(&self.masked(&percent_decoded(part)))
    }

    fn numbered(&mut self, kind: Kind, text: &str) -> String {
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

    /// Returns true if the text is a known secret or contains one, in any encoding.
    pub(super) fn is_secret(&self, text: &str) -> bool {
        let is_in_text = |(secret, needle): &(Secret, Option<Needle>)| {
            let secret = secret.expose();
            // The search above skips very short secrets, and short secrets in hexadecimal digits.
            // Either may occur in an id, so look for them here.
            let hex = || secret.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
            let is_inside = || text.contains(secret) || text.replace('-', "").contains(&hex());
            secret == text
                || needle.as_ref().is_some_and(|needle| needle.found_in(text).is_some())
                || secret.len() >= LEAST_SECRET && is_inside()
        };
        !text.is_empty() && self.secrets.iter().any(is_in_text)
    }
}

/// Returns true for an empty text, and for text that was already masked when the request was
/// recorded.
pub(super) fn is_blank(text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || text == Untrusted::MASKED || text == Untrusted::MASKED_JWT
}

/// Removes the digits after the milliseconds from a time, because they could be any number.
fn without_microseconds(text: &str) -> String {
    let time = text.split_once('.').filter(|_| text.contains(':'));
    let Some((before, after)) = time else { return text.to_owned() };
    let rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &after[..after.len() - rest.len()];
    format!("{before}.{}{rest}", &digits[..digits.len().min(3)])
}

/// Returns true for text such as `name=value&name=value`, without spaces and line breaks.
fn is_form(body: &str) -> bool {
    // Base64 may end with equals signs. It must not be taken for a form.
    let is_value =
        |value: &str| !value.starts_with('=') && (!value.is_empty() || body.contains('&'));
    let is_pair = |pair: &str| {
        pair.split_once('=').is_some_and(|(name, value)| !name.is_empty() && is_value(value))
    };
    let is_part = |c: char| !c.is_whitespace() && !"<>{}\"'".contains(c);
    body.chars().all(is_part) && body.split('&').all(is_pair)
}

/// Splits a host into its name and its port. The port keeps its colon.
fn split_port(place: &str) -> (&str, &str) {
    let port = place.rfind(':').filter(|at| {
        let digits = &place[at + 1..];
        digits.len() <= 5 && digits.bytes().all(|b| b.is_ascii_digit())
    });
    place.split_at(port.unwrap_or(place.len()))
}

/// Rewrites a mask with characters that a URL may have: `‹text 1, 4 letters›` becomes `*text-1*`.
fn in_url(mask: &str) -> String {
    let Some(inner) = mask.strip_prefix('‹') else { return mask.to_owned() };
    let inner = inner.trim_end_matches('›').split(',').next().unwrap_or_default();
    format!("*{}*", inner.replace(' ', "-"))
}
