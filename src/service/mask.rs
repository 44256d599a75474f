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
mod tests {
    use super::*;
    use crate::service::raw_reply::BodyEnd;

    fn masked_body(mask: &Mask<'_>, status: u16, body: &str) -> String {
        let body = body.as_bytes().to_vec();
        let reply = RawReply {
            status,
            headers: vec![],
            body,
            end: BodyEnd::Whole,
        };
        Untrusted::with_shown_masks(mask.masked_body(&reply).raw())
    }

    fn shown_masks(reply: RawReply) -> String {
        Untrusted::with_shown_masks(&String::from_utf8(reply.body).unwrap())
    }

    #[test]
    fn known_secret_is_masked_everywhere() {
        let mask = Mask {
            secrets: vec!["tok-123", "12", "77"],
            ..Mask::default()
        };
        for (body, expected) in [
            (
                r#"{"a":"x tok-123 y","b":["tok-123"]}"#,
                r#"{"a":"x … y","b":["…"]}"#,
            ),
            (r#"{"a":"tok\u002d123"}"#, r#"{"a":"…"}"#),
            (
                r#"{"a":"12","b":"2012","c":77}"#,
                r#"{"a":"…","b":"2012","c":"…"}"#,
            ),
            ("<p>tok-123</p>", "<p>…</p>"),
            ("{ \"amount\": 10.10 }", "{ \"amount\": 10.10 }"),
        ] {
            assert_eq!(masked_body(&mask, 200, body), expected);
        }
    }

    #[test]
    fn escaped_echo_of_a_secret_is_masked() {
        let mask = Mask {
            secrets: vec!["a/7Qx+\"44 ç"],
            ..Mask::default()
        };
        for body in [
            r#"bad body: {"senha":"a/7Qx+\"44 ç"}"#,
            r#"bad body: {"senha":"a\/7Qx\u002b\"44 \u00E7"}"#,
            "bad body: email=a%40x&senha=a%2F7Qx%2B%2244+%C3%A7",
            "bad address: /login?senha=a/7Qx+%2244%20%c3%a7",
            "<p>senha: a/7Qx+&quot;44 ç</p>",
            "<p>senha: a&#x2F;7Qx&#43;&#34;44 ç</p>",
        ] {
            assert_eq!(masked_body(&mask, 400, body), "…", "{body}");
            let inside = Value::from(vec![body]).to_string();
            assert_eq!(masked_body(&mask, 400, &inside), r#"["…"]"#, "{inside}");
        }
        for body in [
            r#"100% \u00"#,
            "a+b=c&d %",
            "<p>a/7Qx &amp; &#x110000; &#; &quot</p>",
        ] {
            assert_eq!(
                masked_body(&mask, 400, body),
                body,
                "nothing of it is there"
            );
        }
    }

    #[test]
    fn secret_in_hex_or_another_case_is_masked() {
        let mask = Mask {
            secrets: vec!["tok-123aB", "9F3aç"],
            ..Mask::default()
        };
        for (body, expected) in [
            (r#"{"a":"x TOK-123AB y"}"#, r#"{"a":"x … y"}"#),
            (r#"{"a":" Tok-123ab"}"#, r#"{"a":"…"}"#),
            (r#"{"a":"x 9f3AÇ y"}"#, r#"{"a":"…"}"#),
            (r#"{"a":"x 746f6b2d3132336142 y"}"#, r#"{"a":"…"}"#),
            (r#"{"a":"id746F6B2D3132336142ff"}"#, r#"{"a":"…"}"#),
            (r#"{"a":"0x746f6b2d3132336142"}"#, r#"{"a":"…"}"#),
            (r#"{"a":"74 6f 6b 2d 31 32 33 61 42"}"#, r#"{"a":"…"}"#),
            (r#"{"a":"74:6F:6B:2D:31:32:33:61:42"}"#, r#"{"a":"…"}"#),
            (r#"{"a":"544f4b2d3132336162"}"#, r#"{"a":"…"}"#),
            (r#"{"746f6b2d3132336142":1}"#, "…"),
            ("<p>Tok-123AB</p>", "<p>…</p>"),
            ("<p>746f6b2d3132336142</p>", "…"),
            (
                r#"{"a":"746f6b2d313233","b":"tok-123"}"#,
                r#"{"a":"746f6b2d313233","b":"tok-123"}"#,
            ),
        ] {
            assert_eq!(masked_body(&mask, 400, body), expected, "{body}");
        }
        let secret = Secret::new("loja-1:S3nha-longa".into());
        let mut values = reply(
            200,
            r#"{"a":"s3NHA-longa","b":"53336e68612d6c6f6e6761","c":"x"}"#,
        );
        Mask::of(&secret).mask_reply(&mut values);
        assert_eq!(shown_masks(values), r#"{"a":"…","b":"…","c":"x"}"#);
        let mut cut = RawReply {
            end: BodyEnd::TooLarge,
            ..reply(200, "[\"LOJA-1:s3nha")
        };
        Mask::of(&secret).mask_reply(&mut cut);
        assert_eq!(shown_masks(cut), "[\"…");
    }

    #[test]
    fn values_are_masked_in_every_encoding() {
        let token = "a/7Qx+\"44 ç";
        let parts = "loja-1:s3nha-longa";
        let masked = |secret: &str, body: &str| {
            let secret = Secret::new(secret.to_owned());
            let body = body.as_bytes().to_vec();
            let mut reply = RawReply {
                status: 200,
                headers: vec![],
                body,
                end: BodyEnd::Whole,
            };
            Mask::of(&secret).mask_reply(&mut reply);
            shown_masks(reply)
        };
        for (secret, body, expected) in [
            ("tok-12345", r#"{"id":"tok-12345"}"#, r#"{"id":"…"}"#),
            ("tok-12345", r#"{"id":" tok-12345\n"}"#, r#"{"id":"…"}"#),
            (
                "tok-12345",
                r#"{"url":"https://a.b/?t=tok-12345"}"#,
                r#"{"url":"https://a.b/?t=…"}"#,
            ),
            (
                "tok-12345",
                r#"{"id":"tok-123","n":1.50}"#,
                r#"{"id":"tok-123","n":1.50}"#,
            ),
            (
                "12345678",
                r#"{"id":12345678,"a":[1234567.8]}"#,
                r#"{"id":"…","a":[1234567.8]}"#,
            ),
            ("tok-12345", r#"{"tok-12345":{"x":1}}"#, r#"{"…":{"x":1}}"#),
            ("tok-12345", r#"{"id":"dG9rLTEyMzQ1"}"#, r#"{"id":"…"}"#),
            (
                "tok-12345",
                r#"{"url":"https://a.b/p/dG9rLTEyMzQ1?x"}"#,
                r#"{"url":"…"}"#,
            ),
            (
                parts,
                r#"{"a":"bG9qYS0xOnMzbmhhLWxvbmdh","b":"s3nha-longa"}"#,
                r#"{"a":"…","b":"…"}"#,
            ),
            (
                token,
                r#"{"url":"https://a.b/?t=a%2F7Qx%2B%2244%20%C3%A7"}"#,
                r#"{"url":"…"}"#,
            ),
            // The part before the colon is a login or the name of a shop. It is not masked in a
            // value that the program may need.
            (
                "loja-da-ana:s3nha-longa",
                r#"{"host":"loja-da-ana.example","by":"loja-da-ana"}"#,
                r#"{"host":"loja-da-ana.example","by":"loja-da-ana"}"#,
            ),
            // A short secret is masked only if it is the whole value.
            (
                "tok-123",
                r#"{"id":"tok-123","url":"https://a.b/tok-123"}"#,
                r#"{"id":"…","url":"https://a.b/tok-123"}"#,
            ),
            // A JWT that is not the credential is not masked, because it may be part of a URL that
            // the program needs.
            (
                "tok-12345",
                r#"{"url":"https://a.b/eyJh.eyJz.x"}"#,
                r#"{"url":"https://a.b/eyJh.eyJz.x"}"#,
            ),
        ] {
            assert_eq!(masked(secret, body), expected, "{secret}");
        }
    }

    #[test]
    fn secret_in_a_name_or_in_a_lost_member_is_not_shown() {
        let mask = Mask {
            secrets: vec!["tok-12345"],
            ..Mask::default()
        };
        for (body, expected) in [
            (r#"{"a":"tok-12345","a":"x"}"#, r#"{"a":"…","a":"x"}"#),
            (r#"{"tok-12345":"x"}"#, r#"{"…":"x"}"#),
        ] {
            assert_eq!(masked_body(&mask, 200, body), expected);
        }
        let login = Mask {
            every_text: true,
            ..Mask::default()
        };
        assert_eq!(
            masked_body(&login, 200, r#"{"a":"new","a":5}"#),
            r#"{"a":5}"#
        );
    }

    #[test]
    fn unknown_token_like_text_is_masked() {
        let mask = Mask::default();
        for (body, expected) in [
            (
                r#"{"refreshToken":"r","x":{"Senha":1}}"#,
                r#"{"refreshToken":"…","x":{"Senha":"…"}}"#,
            ),
            (
                r#"{"tokens":{"access":"r","n":1}}"#,
                r#"{"tokens":{"access":"…","n":1}}"#,
            ),
            (r#"{"a":"eyJh.eyJz.x-_9, e"}"#, r#"{"a":"…, e"}"#),
            ("eyJh.eyJz.x und eyJ", "… und eyJ"),
        ] {
            assert_eq!(masked_body(&mask, 200, body), expected);
        }
    }

    #[test]
    fn incomplete_body_loses_secrets_by_name_and_end() {
        let mask = Mask {
            secrets: vec!["tok-12345"],
            ..Mask::default()
        };
        for (body, expected) in [
            (
                r#"{"refreshToken":"r","n":1"#,
                r#"{"refreshToken":"…","n":1"#,
            ),
            (r#"{"a":"tok-1234"#, r#"{"a":"…"#),
            (r#"{"a":"tok-"#, r#"{"a":"…"#),
            (r#"{"a":"tok"#, r#"{"a":"tok"#),
        ] {
            let reply = |end| RawReply {
                end,
                ..reply(200, body)
            };
            assert_eq!(mask.masked_body(&reply(BodyEnd::Cut)).shown(), expected);
        }
        let secret = Secret::new("tok-12345".into());
        let mut cut = RawReply {
            end: BodyEnd::TooLarge,
            ..reply(200, "[\"tok-123")
        };
        Mask::of(&secret).mask_reply(&mut cut);
        assert_eq!(shown_masks(cut), "[\"…");
    }

    #[test]
    fn every_text_is_masked_except_in_errors() {
        let mask = Mask {
            every_text: true,
            ..Mask::default()
        };
        let body = r#"{"a":"x","n":1,"b":[true,"y"]}"#;
        assert_eq!(
            masked_body(&mask, 200, body),
            r#"{"a":"…","n":1,"b":[true,"…"]}"#
        );
        assert_eq!(
            masked_body(&mask, 302, body),
            r#"{"a":"…","n":1,"b":[true,"…"]}"#
        );
        assert_eq!(masked_body(&mask, 400, body), body);
        assert_eq!(masked_body(&mask, 200, "half a {tok"), "…");
        // A JWT has its own mask, in every JSON member, with and without `Bearer`.
        let jwt = "eyJhbGciOiJub25lIn0.e30.c2ln";
        let body = format!(r#"{{"web":"{jwt}","token":"Bearer {jwt}","x":"eyJ"}}"#);
        let expected = r#"{"token":"eyJ…","web":"eyJ…","x":"…"}"#;
        let masked: Value = serde_json::from_str(&masked_body(&mask, 200, &body)).unwrap();
        assert_eq!(masked, serde_json::from_str::<Value>(expected).unwrap());
    }

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
    fn ids_and_times_for_support_are_recorded() {
        for (name, value) in [
            ("cf-ray", "8f14e45fceea467f-GRU"),
            (
                "traceparent",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            ),
            ("X-Amzn-RequestId", "8f14e45f-ceea-467f-a8d3-1a2b3c4d5e6f"),
            (
                "x-amzn-trace-id",
                "Root=1-5759e988-bd862e3fe1be46a994272793",
            ),
            ("age", "12"),
            ("expires", "Sat, 21 Nov 2026 15:00:00 GMT"),
            ("last-modified", "Sat, 21 Nov 2026 15:00:00 GMT"),
        ] {
            assert_eq!(recorded_header(name, value), value);
            assert_eq!(recorded_header(name, "tok-123"), "…", "{name}");
        }
    }

    #[test]
    fn header_that_may_be_secret_is_never_recorded() {
        let names = "set-cookie cookie authorization proxy-authorization www-authenticate \
                     x-api-key x-auth-token x-csrf-token x-amz-security-token etag x-unknown";
        for name in names.split(' ') {
            assert_eq!(recorded_header(name, "harmless"), "…", "{name}");
        }
        let mut recorded = HeaderUse::Recorded.names();
        assert!(recorded.all(|name| !is_secret_name(name)));
    }

    /// Returns what is recorded of a reply's header, as it is shown.
    fn recorded_header(name: &str, value: &str) -> String {
        let mask = Mask {
            secrets: vec!["tok-123"],
            ..Mask::default()
        };
        let headers = vec![(name.to_owned(), value.to_owned())];
        let reply = RawReply {
            headers,
            ..reply(200, "{}")
        };
        let received = Received {
            reply,
            bytes: 2,
            announced: None,
            is_too_large: false,
        };
        reply_record(&mask, &received).headers[0].1.shown()
    }

    #[test]
    fn only_listed_headers_are_shown_without_secrets() {
        let mask = Mask {
            secrets: vec!["tok-123"],
            ..Mask::default()
        };
        let bytes = 2;
        let announced = None;
        let is_too_large = false;
        let received = Received {
            reply: reply(200, "{}"),
            bytes,
            announced,
            is_too_large,
        };
        let record = reply_record(&mask, &received);
        let values: Vec<_> = record
            .headers
            .iter()
            .map(|(_, value)| value.shown())
            .collect();
        assert_eq!(values, ["application/json", "/x?of=…", "…", "…"]);
    }
}
