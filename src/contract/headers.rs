//! Checks the header names and URL paths in an API contract.
//!
//! A contract must not set headers that the HTTP client, the credential or the idempotency key
//! uses. It must not contain paths that servers interpret differently. Only the withdrawal
//! operation may use the withdrawal's path, and only the login may use the login's path.

use super::Contract;
use super::decode::percent_bytes;
use super::settings::{ContractError, Section};

/// Headers that HTTP, a proxy or the credential uses, in lower case. An API contract must not set
/// them.
const RESERVED_NAMES: [&str; 13] = [
    "accept",
    "authorization",
    "connection",
    "cookie",
    "expect",
    "forwarded",
    "host",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
];

/// The prefixes of other headers that an API contract must not set.
///
/// On some servers, headers such as `X-Original-URL` override the path or method of the request.
const RESERVED_PREFIXES: [&str; 8] = [
    "accept-",
    "content-",
    "proxy-",
    "x-forwarded-",
    "x-http-method",
    "x-method-",
    "x-original-",
    "x-rewrite-",
];

/// True if a header of this name is reserved and must not carry the idempotency key.
///
/// The client may overwrite a reserved header and a proxy may remove it, so the withdrawal could
/// arrive without its key. Some gateways treat `_` as `-`, so the two characters count as equal
/// here.
pub fn is_reserved_header(name: &str) -> bool {
    let name = name.to_ascii_lowercase().replace('_', "-");
    RESERVED_NAMES.contains(&&*name)
        || RESERVED_PREFIXES
            .iter()
            .any(|prefix| name.starts_with(prefix))
}

/// A header that contains a credential or a part of a credential.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CredentialHeader {
    /// The name of the header.
    pub name: String,
    before: String,
    /// The placeholder for the credential: `{}` for the whole credential, `{1}` for the part before
    /// its first colon, `{2}` for the part after it.
    placeholder: &'static str,
    after: String,
}

/// A header that always has the same value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixedHeader {
    /// The name of the header.
    pub name: String,
    /// The value of the header.
    pub value: String,
}

impl CredentialHeader {
    /// Parses a template such as `Authorization: Bearer {}`.
    ///
    /// The text must be a header that is not reserved, with exactly one of the placeholders `{}`,
    /// `{1}` and `{2}`. Otherwise, returns `None`.
    pub(super) fn parse(text: &str) -> Option<CredentialHeader> {
        let FixedHeader { name, value } = FixedHeader::parse(text)?;
        if is_reserved_header(&name) && !is_same_header(&name, "Authorization") {
            return None;
        }
        let placeholder = ["{}", "{1}", "{2}"]
            .into_iter()
            .find(|it| value.contains(it))?;
        let (before, after) = value.split_once(placeholder)?;
        if [before, after].iter().any(|rest| rest.contains(['{', '}'])) {
            return None;
        }
        let before = before.to_owned();
        let after = after.to_owned();
        Some(CredentialHeader {
            name,
            before,
            placeholder,
            after,
        })
    }

    /// The header's value with this credential. Returns `None` if the credential does not have the
    /// required part.
    pub fn value(&self, credential: &str) -> Option<Vec<u8>> {
        let part = match self.placeholder {
            "{1}" => credential.split_once(':')?.0,
            "{2}" => credential.split_once(':')?.1,
            _ => credential,
        };
        (!part.is_empty()).then(|| [&self.before, part, &self.after].concat().into_bytes())
    }

    /// The header's value with `mark` in place of the credential.
    pub fn masked(&self, mark: &str) -> String {
        [&self.before, mark, &self.after].concat()
    }
}

impl FixedHeader {
    /// Parses a header such as `X-Store: 12`. Returns `None` if the text is not a header.
    pub(super) fn parse(text: &str) -> Option<FixedHeader> {
        let (name, value) = text.split_once(':')?;
        let value = value.trim();
        let is_plain =
            !value.is_empty() && value.bytes().all(|b| b == b' ' || b.is_ascii_graphic());
        (is_header_name(name) && is_plain).then(|| FixedHeader {
            name: name.to_owned(),
            value: value.to_owned(),
        })
    }
}

/// True if a header name contains only characters that every gateway accepts.
pub(super) fn is_header_name(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

/// True if some gateways would treat both names as the same header, such as `X_Key` and `x-key`.
pub fn is_same_header(one: &str, other: &str) -> bool {
    normalize_name(one) == normalize_name(other)
}

fn normalize_name(name: &str) -> String {
    name.to_ascii_lowercase().replace('_', "-")
}

/// The path and the key header of a withdrawal in the API documentation (section 4.4).
const DOCUMENTED: (&str, &str) = ("/api/v1/integrations/withdrawals", "Idempotency-Key");

/// The paths at which the built-in contract creates a link and a direct payment.
pub(super) const BUILT_IN_CREATING: [&str; 2] = ["/api/v1/payment-links", "/api/v1/direct/payment"];

/// Bytes with a meaning in a URL: separators, and the `%` of an encoded byte.
const URL_SYNTAX: &[u8] = b"/\\%?#;";

/// A path in a normal form, for comparing two paths.
///
/// Letter case, a trailing slash, a file extension and percent-encoding of ordinary characters make
/// no difference. Returns `None` for a path that servers interpret differently: with `//`, `;`, a
/// backslash, or a segment of dots (encoded or not).
///
/// The comparison makes sure that no other operation uses the path of the withdrawal or the login.
pub fn normalize_path(path: &str) -> Option<String> {
    let relative = path.strip_prefix('/')?;
    if relative.is_empty() {
        return Some(String::new());
    }
    let segments = relative.strip_suffix('/').unwrap_or(relative).split('/');
    let mut segments = segments
        .map(normalize_segment)
        .collect::<Option<Vec<String>>>()?;
    if let Some(last) = segments.last_mut()
        && let Some((name, _)) = last.rsplit_once('.')
        && !name.is_empty()
    {
        *last = name.to_owned();
    }
    Some(segments.join("/"))
}

/// True if some server could treat both paths as the same. A query makes no difference.
pub(super) fn is_same_path(one: &str, other: &str) -> bool {
    let paths = [one, other].map(|path| path.split('?').next().and_then(normalize_path));
    match paths {
        [Some(one), Some(other)] => one == other,
        _ => true,
    }
}

/// Decodes a path segment and converts it to lower case. Removes trailing dots and spaces, because
/// Windows ignores them.
fn normalize_segment(text: &str) -> Option<String> {
    let decoded: Vec<_> = percent_bytes(text).collect();
    let are_ordinary = decoded.iter().all(|(byte, is_encoded)| match byte {
        b' ' => *is_encoded,
        b'.' => !*is_encoded,
        // Accept only ASCII, because some servers convert other characters to ASCII letters or
        // dots.
        byte => byte.is_ascii_graphic() && !URL_SYNTAX.contains(byte),
    });
    if !are_ordinary {
        return None;
    }
    let text: String = decoded.iter().map(|(byte, _)| char::from(*byte)).collect();
    let text = text.trim_end_matches(['.', ' ']).to_ascii_lowercase();
    Some(text).filter(|text| !text.is_empty())
}

/// The paths and key headers that only the withdrawal request may use.
///
/// If an API contract moves the withdrawal to a new path, the documented path stays reserved as
/// well.
#[derive(Debug, Clone, PartialEq)]
pub struct WithdrawalOnly {
    paths: [String; 2],
    key_headers: [String; 2],
}

impl WithdrawalOnly {
    pub(super) fn read(withdrawal: &Section<'_>) -> Result<WithdrawalOnly, ContractError> {
        Ok(WithdrawalOnly {
            paths: [withdrawal.get("path")?, DOCUMENTED.0.to_owned()],
            key_headers: [withdrawal.get("key_header")?, DOCUMENTED.1.to_owned()],
        })
    }

    /// True if some server could treat a request to this path as a withdrawal.
    pub fn has_path(&self, path: &str) -> bool {
        self.paths
            .iter()
            .any(|reserved| is_same_path(reserved, path))
    }

    /// True if some gateways would treat a header of this name as the idempotency key.
    pub fn has_header(&self, name: &str) -> bool {
        self.key_headers
            .iter()
            .any(|reserved| is_same_header(reserved, name))
    }
}

impl Contract {
    /// True if some server could create or pay something at this path.
    pub fn creates_or_pays_at(&self, path: &str) -> bool {
        let creating = [&self.create_link.call, &self.direct_payment.call].map(|call| &*call.path);
        let mut creating = creating.into_iter().chain(BUILT_IN_CREATING);
        creating.any(|reserved| is_same_path(reserved, path)) || self.withdrawal_only.has_path(path)
    }
}

/// True if a header of a reply with this name may carry a token. A cookie never counts, because a
/// browser would keep it.
pub fn may_carry_token(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let is_other = ["cookie", "csrf", "xsrf", "www-"]
        .iter()
        .any(|other| name.contains(other));
    !is_other && ["token", "auth"].iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(template: &str, credential: &str) -> Option<String> {
        let header = CredentialHeader::parse(template).expect(template);
        let value = header.value(credential)?;
        Some(format!(
            "{}={}",
            header.name,
            String::from_utf8_lossy(&value)
        ))
    }

    #[test]
    fn credential_replaces_its_placeholder() {
        for (template, expected) in [
            (
                "Authorization: Bearer {}",
                Some("Authorization=Bearer a:b:c"),
            ),
            (
                "Authorization: Token token=\"{}\"",
                Some("Authorization=Token token=\"a:b:c\""),
            ),
            ("Authorization:{}", Some("Authorization=a:b:c")),
            ("X-Api-Key: {}", Some("X-Api-Key=a:b:c")),
            ("X-Public-Key: {1}", Some("X-Public-Key=a")),
            ("X-Secret-Key: {2}", Some("X-Secret-Key=b:c")),
        ] {
            assert_eq!(value(template, "a:b:c").as_deref(), expected);
        }
        assert_eq!(value("X-Secret-Key: {2}", "whole"), None);
        assert_eq!(value("X-Secret-Key: {2}", "whole:"), None);
        let header = CredentialHeader::parse("Authorization: Bearer {}").unwrap();
        assert_eq!(header.masked("…"), "Bearer …");
    }

    #[test]
    fn invalid_header_templates_are_refused() {
        for text in [
            "Authorization",
            "Authorization:",
            "Authorization: Bearer",
            "Authorization: {} {}",
            "Authorization: {1}:{2}",
            "Authorization: {3}",
            "Host: {}",
            "Cookie: token={}",
            "Content-Type: {}",
            "X Key: {}",
            ": {}",
            "X-Key: é{}",
            "X-Key: {}\r\nHost: evil",
        ] {
            assert_eq!(CredentialHeader::parse(text), None, "{text}");
        }
        assert!(FixedHeader::parse("X-Store: 12").is_some());
        for text in ["X-Store", "X-Store: ", "X-Store: a\nb", "X-Störe: 1"] {
            assert_eq!(FixedHeader::parse(text), None, "{text}");
        }
    }

    #[test]
    fn reserved_paths_and_header_are_the_built_in_ones() {
        let contract = Contract::built_in();
        let withdrawal = contract.withdrawal;
        assert_eq!(
            (&*withdrawal.call.path, &*withdrawal.key_header),
            DOCUMENTED
        );
        let creating = [
            contract.create_link.call.path,
            contract.direct_payment.call.path,
        ];
        assert_eq!(creating, BUILT_IN_CREATING);
    }

    #[test]
    fn spellings_of_one_path_are_equal() {
        for path in [
            "/api/v1/withdrawals",
            "/api/v1/withdrawals/",
            "/API/v1/Withdrawals",
            "/api/v1/%77ithdrawal%73",
            "/api/v1/withdrawals.json",
            "/api/v1/withdrawals.",
            "/api/v1./withdrawals%20",
        ] {
            assert_eq!(
                normalize_path(path).as_deref(),
                Some("api/v1/withdrawals"),
                "{path}"
            );
        }
        assert_eq!(
            (normalize_path("/"), normalize_path("/.well-known")),
            (Some("".into()), Some(".well-known".into()))
        );
        for other in [
            "/api/v1/withdrawals/fee-preview",
            "/api/v1",
            "/api/v11/withdrawals",
        ] {
            assert_ne!(normalize_path(other).as_deref(), Some("api/v1/withdrawals"));
        }
    }

    #[test]
    fn path_of_the_login_is_refused_elsewhere() {
        let login = "/api/v1/api-auth/login";
        let error_text = |text: &str| {
            Contract::with(&[("mine.toml", text)])
                .unwrap_err()
                .to_string()
        };
        for name in ["domains", "create_link", "direct_payment", "fee_preview"] {
            for path in [login, "/API/v1/api-auth/%6Cogin/?as=shop"] {
                let error = error_text(&format!("# mine\n{name}.path = '{path}'"));
                let expected = format!("mine.toml, line 2: `{name}.path` takes a path that is not");
                assert!(error.starts_with(&expected), "{error}");
            }
            let moved = format!("login.path = '/entrar'\n{name}.path = '/Entrar.json'");
            assert!(error_text(&moved).contains("not the login's"), "{name}");
        }
        // The error names the line of the setting that moves the login to the path of a link.
        let moved = error_text("\nlogin.path = '/api/v1/payment-links'");
        assert!(
            moved.starts_with("mine.toml, line 2: `create_link.path` takes"),
            "{moved}"
        );
        // The built-in path of a link stays reserved even if the API contract moves the links.
        for (name, path) in [
            ("create_link", "/api/v1/Payment-Links/"),
            ("direct_payment", "/api/v1/direct/payment?x=1"),
        ] {
            let error = error_text(&format!("{name}.path = '/novo'\nlogin.path = '{path}'"));
            let expected = "mine.toml, line 2: `login.path` takes a path at which nothing is";
            assert!(error.starts_with(expected), "{error}");
        }
        assert!(Contract::with(&[("mine.toml", "login.path = '/entrar'")]).is_ok());
    }

    #[test]
    fn ambiguous_paths_have_no_normal_form() {
        for path in [
            "",
            "api",
            "//api",
            "/api//v1",
            "/api/v1//",
            "/api/./v1",
            "/api/../v1",
            "/api/..",
            "/api/%2e/v1",
            "/api/.%2E/v1",
            "/api/..;/v1",
            "/api/..%3b/v1",
            "/api/v1;a=1",
            "/api/.../v1",
            "/api/%20/v1",
            "/api%2fv1",
            "/api%5Cv1",
            "/api\\v1",
            "/api/%252e%252e/v1",
            "/api/%c0%ae%c0%ae/v1",
            "/api/v1%00",
            "/api/v1%0a",
            "/api/v1\t",
            "/api/v1%3fa",
            "/api/v1%23",
            "/api/v1#a",
            "/api/%u002e/v1",
            "/api/%2",
            "/api/%+1",
            "/apí",
            "/caf%c3%a9",
            "/api/%E2%80%A4%E2%80%A4/v1",
            "/%EF%BD%97ithdrawals",
        ] {
            assert_eq!(normalize_path(path), None, "{path:?}");
        }
    }
}
