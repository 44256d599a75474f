//! Masks secrets in requests and replies before they are shown or stored.

use reqwest::header::{CONTENT_LENGTH, HOST};
use serde_json::Value;

use super::exchange::{ApiRequest, common_headers};
use super::raw_reply::{BodyEnd, RawReply, Received};
use super::secret_names::{is_secret_name, mask_members};
use crate::contract::{JsonPaths, decodings, is_jwt, read_json};
use crate::trade::{Exchange, Failure, HeaderUse, MaskedReply, Secret, Untrusted};

/// The text that replaces a masked value.
pub(super) const MASKED: &str = Untrusted::MASKED;

/// Inside text for display, only secrets with at least this many bytes are masked. A shorter secret
/// could be a part of an ordinary word.
const MIN_SECRET_IN_DISPLAY: usize = 4;

/// Inside values that the program uses, such as ids and URLs, only secrets with at least this many
/// bytes are masked. A shorter secret could occur by chance, and a mask would damage the value.
const MIN_SECRET_IN_VALUES: usize = 8;

/// The secrets to mask in one request and its reply.
#[derive(Default)]
pub(super) struct Mask<'a> {
    /// The secret texts, such as a token.
    pub(super) secrets: Vec<&'a str>,
    /// The part of the credential before the colon, such as a login. It is masked only for display.
    /// In a reply, the program may need the same text, for example as a host name.
    pub(super) identity: Option<&'a str>,
    /// The JSON paths at which a reply's body contains secrets.
    pub(super) secret_paths: Vec<&'a JsonPaths>,
    /// True for a login. The token may be anywhere in the reply to a login, so every text in a
    /// successful reply is masked.
    pub(super) every_text: bool,
}

impl<'a> Mask<'a> {
    /// Creates a mask for this credential. If the credential has two parts, such as
    /// `login:password`, each part is masked too.
    pub(super) fn of(secret: &'a Secret) -> Mask<'a> {
        let credential = secret.expose();
        let (identity, password) = credential.split_once(':').unzip();
        let secrets = [Some(credential), password]
            .into_iter()
            .flatten()
            .filter(|text| !text.is_empty());
        let identity = identity.filter(|text| !text.is_empty());
        Mask {
            secrets: secrets.collect(),
            identity,
            ..Mask::default()
        }
    }

    /// Creates a mask for all these credentials.
    pub(super) fn of_all(credentials: &'a [Secret]) -> Mask<'a> {
        let secrets = credentials
            .iter()
            .flat_map(|credential| Mask::of(credential).secrets);
        Mask {
            secrets: secrets.collect(),
            ..Mask::default()
        }
    }

    /// A reply's body for display, with its secrets masked.
    pub(super) fn masked_body(&self, reply: &RawReply) -> Untrusted {
        let every_text = self.every_text && !(400..600).contains(&reply.status);
        if let Some(mut json) = read_json(&reply.body) {
            let before = json.clone();
            for pointer in self.secret_paths.iter().flat_map(|paths| &paths.pointers) {
                if let Some(value) = json.pointer_mut(pointer.as_str())
                    && !value.is_null()
                {
                    *value = Value::from(MASKED);
                }
            }
            self.mask_displayed_json(&mut json, every_text);
            // Parsing drops repeated JSON members. If nothing was masked, show the original text
            // instead.
            if json == before && !every_text {
                return Untrusted::from(self.masked_text(&String::from_utf8_lossy(&reply.body)));
            }
            return Untrusted::from(self.masked_text(&json.to_string()));
        }
        if every_text && !reply.body.is_empty() {
            return Untrusted::from(MASKED);
        }
        let text = self.masked_text(&String::from_utf8_lossy(&reply.body));
        let secrets = self.secrets.iter().copied().chain(self.identity);
        let text = if reply.end == BodyEnd::Whole {
            text
        } else {
            mask_cut_secret(secrets, text)
        };
        Untrusted::from(mask_members(&text, MASKED))
    }

    /// Masks the secrets in a reply, before the program uses the values in the reply.
    pub(super) fn mask_reply(&self, reply: &mut RawReply) {
        let before = read_json(&reply.body);
        let masked = match before.clone() {
            Some(mut json) => {
                self.mask_json(&mut json);
                (Some(&json) != before.as_ref()).then(|| json.to_string())
            }
            None => {
                let text = String::from_utf8_lossy(&reply.body);
                let masked = mask_secrets(&self.secrets, &text, MIN_SECRET_IN_VALUES);
                let is_whole = reply.end == BodyEnd::Whole;
                let secrets = self.secrets.iter().copied();
                let masked = if is_whole {
                    masked
                } else {
                    mask_cut_secret(secrets, masked)
                };
                Some(masked).filter(|masked| *masked != text)
            }
        };
        if let Some(masked) = masked {
            reply.body = masked.into_bytes();
        }
    }

    fn mask_json(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = mask_secrets(&self.secrets, text, MIN_SECRET_IN_VALUES),
            Value::Array(items) => items.iter_mut().for_each(|item| self.mask_json(item)),
            Value::Object(members) => {
                for (name, mut member) in std::mem::take(members) {
                    self.mask_json(&mut member);
                    members.insert(
                        mask_secrets(&self.secrets, &name, MIN_SECRET_IN_VALUES),
                        member,
                    );
                }
            }
            Value::Number(number) if self.secrets.contains(&number.to_string().as_str()) => {
                *value = Value::from(MASKED);
            }
            _ => {}
        }
    }

    /// Masks the secrets in a text, and anything that looks like a JWT.
    pub(super) fn masked_text(&self, text: &str) -> String {
        let secrets: Vec<&str> = self.secrets.iter().copied().chain(self.identity).collect();
        mask_jwts(&mask_secrets(&secrets, text, MIN_SECRET_IN_DISPLAY))
    }

    fn mask_displayed_json(&self, value: &mut Value, every_text: bool) {
        match value {
            Value::String(text) if every_text => *value = Value::from(login_text_mask(text)),
            Value::String(text) => *text = self.masked_text(text),
            Value::Array(items) => {
                items
                    .iter_mut()
                    .for_each(|item| self.mask_displayed_json(item, every_text));
            }
            Value::Object(members) => {
                for (name, member) in members {
                    let is_secret = is_secret_name(name);
                    let is_leaf = !(member.is_object() || member.is_array());
                    if is_secret && is_leaf && !(every_text && member.is_string()) {
                        *member = Value::from(MASKED);
                    } else {
                        self.mask_displayed_json(member, every_text || is_secret);
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

/// The mask for a text in the reply to a login. A JWT has a mask of its own, so that the seller can
/// recognise it when correcting the API contract.
fn login_text_mask(text: &str) -> &'static str {
    let text = text.trim();
    let token = text.strip_prefix("Bearer ").unwrap_or(text);
    if is_jwt(token) {
        Untrusted::MASKED_JWT
    } else {
        MASKED
    }
}

/// Masks the secrets in a text, in any letter case. If the text contains a secret in encoded form,
/// the whole text is masked.
///
/// A secret with fewer than `min_bytes` bytes is masked only if it is the whole text.
fn mask_secrets(secrets: &[&str], text: &str, min_bytes: usize) -> String {
    let whole = text.trim().to_lowercase();
    if secrets.iter().any(|secret| secret.to_lowercase() == whole) {
        return MASKED.to_owned();
    }
    let maskable = secrets.iter().filter(|secret| secret.len() >= min_bytes);
    let maskable: Vec<String> = maskable.map(|secret| secret.to_lowercase()).collect();
    let masked = maskable
        .iter()
        .fold(text.to_owned(), |text, secret| mask_secret(secret, text));
    let is_secret = |text: &String| {
        let text = text.to_lowercase();
        maskable.iter().any(|secret| text.contains(secret))
    };
    if is_secret(&masked) || decodings(&masked).iter().any(is_secret) {
        return MASKED.to_owned();
    }
    masked
}

/// Masks a secret, given in lower case, wherever it occurs in a text. Only ASCII letters may have
/// another case, because the position of other letters may differ in lower case.
fn mask_secret(secret: &str, text: String) -> String {
    let lower = text.to_ascii_lowercase();
    let mut masked = String::new();
    let mut end = 0;
    for (start, found) in lower.match_indices(secret) {
        masked.push_str(&text[end..start]);
        masked.push_str(MASKED);
        end = start + found.len();
    }
    masked.push_str(&text[end..]);
    masked
}

/// Masks the beginning of a secret at the end of an incomplete text, in any letter case.
fn mask_cut_secret<'a>(secrets: impl Iterator<Item = &'a str>, text: String) -> String {
    let lower = text.to_ascii_lowercase();
    let starts = secrets.filter_map(|secret| {
        let secret = secret.to_ascii_lowercase();
        let ends = secret.char_indices().map(|(at, _)| at).rev();
        let mut ends = ends.take_while(|end| *end >= MIN_SECRET_IN_DISPLAY);
        ends.find(|end| lower.ends_with(&secret[..*end]))
            .map(|end| text.len() - end)
    });
    match starts.min() {
        Some(start) => text[..start].to_owned() + MASKED,
        None => text,
    }
}

/// Masks everything that looks like a JWT: text that contains a dot and begins with `eyJ`, the
/// base64 form of `{"`.
fn mask_jwts(text: &str) -> String {
    if !text.contains("eyJ") {
        return text.to_owned();
    }
    let mut masked = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("eyJ") {
        let (before, candidate) = rest.split_at(start);
        let end = candidate
            .find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_' | '.'))
            .unwrap_or(candidate.len());
        masked.push_str(before);
        masked.push_str(if candidate[..end].contains('.') {
            MASKED
        } else {
            &candidate[..end]
        });
        rest = &candidate[end..];
    }
    masked + rest
}

/// Creates the record of a request and its reply. Secrets are masked, and the times are not set.
pub(super) fn exchange_record(
    api_request: &ApiRequest<'_>,
    reply: &Result<Received, Failure>,
) -> Exchange {
    let plain = common_headers(api_request).into_iter();
    let mut request_headers: Vec<_> = plain
        .map(|(name, value)| (name.as_str().to_owned(), value.to_owned()))
        .collect();
    for header in &api_request.call.fixed_headers {
        // Mask a fixed header of the API contract if its name, such as `api-key`, indicates a
        // secret.
        let value = if is_secret_name(&header.name) {
            MASKED
        } else {
            &header.value
        };
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
    // The HTTP library adds two headers by itself. Record them too.
    if let Some(host) = api_request.url.host_str() {
        let port = api_request
            .url
            .port()
            .map(|port| format!(":{port}"))
            .unwrap_or_default();
        request_headers.push((HOST.as_str().to_owned(), format!("{host}{port}")));
    }
    let request_bytes = api_request.body.map_or(0, |(body, _)| body.len() as u64);
    if request_bytes > 0 {
        request_headers.push((
            CONTENT_LENGTH.as_str().to_owned(),
            request_bytes.to_string(),
        ));
    }
    let reply = match reply {
        Ok(received) => Ok(reply_record(&api_request.mask, received)),
        Err(failure) => Err(failure.clone()),
    };
    let method = api_request.method.as_str();
    let url = api_request.url.as_str();
    Exchange {
        subject: api_request.subject,
        request_headers,
        request_bytes,
        request_body: api_request.body.map(|(_, masked)| masked.to_owned()),
        ..Exchange::new(api_request.operation, method, url, reply)
    }
}

fn reply_record(mask: &Mask<'_>, received: &Received) -> MaskedReply {
    let reply = &received.reply;
    let headers = reply.headers.iter().map(|(name, value)| {
        let is_recorded = HeaderUse::Recorded.applies_to(name);
        let value = if is_recorded {
            mask.masked_text(value)
        } else {
            MASKED.to_owned()
        };
        (name.clone(), Untrusted::from(value))
    });
    let body = match reply.end {
        BodyEnd::Encoded => Untrusted::from(MASKED),
        _ => mask.masked_body(reply),
    };
    MaskedReply {
        end: reply.end,
        received: received.bytes,
        announced: received.announced,
        ..MaskedReply::new(reply.status, headers.collect(), body)
    }
}

#[cfg(test)]
mod tests;
