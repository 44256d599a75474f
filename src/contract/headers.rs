//! The headers of a request: those that it needs for itself, and those that a contract adds.

/// Names in small letters that mean something to the request, the connection or the credential.
const RESERVED: [&str; 13] = [
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

/// The prefixes of whole families of such headers. By some of them a request reaches another path,
/// or does something else there, than its first line says.
const FAMILIES: [&str; 8] = [
    "accept-",
    "content-",
    "proxy-",
    "x-forwarded-",
    "x-http-method",
    "x-method-",
    "x-original-",
    "x-rewrite-",
];

/// Says that a header of this name has a use of its own, so that no key may be put in it.
///
/// A key in one of them replaces the value that belongs there, or is removed on the way: then money
/// is sent without its key. Gateways read `_` as `-`: the two are one name here.
pub fn is_reserved_header(name: &str) -> bool {
    let name = name.to_ascii_lowercase().replace('_', "-");
    RESERVED.contains(&&*name) || FAMILIES.iter().any(|family| name.starts_with(family))
}

/// One header that carries a credential, or a part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CredentialHeader {
    /// Its name.
    pub name: String,
    before: String,
    part: CredentialPart,
    after: String,
}

/// The part of a credential that stands in a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CredentialPart {
    Whole,
    /// The part before its first colon.
    First,
    /// The part after it.
    Second,
}

/// One header that always has the same value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixedHeader {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

impl CredentialHeader {
    /// Reads `Authorization: Bearer {}`; `None` when it is no header, has another use, or has not
    /// exactly one of `{}`, `{1}` and `{2}`.
    pub(super) fn parse(text: &str) -> Option<CredentialHeader> {
        let FixedHeader { name, value } = FixedHeader::parse(text)?;
        if is_reserved_header(&name) && !is_same_header(&name, "Authorization") {
            return None;
        }
        let parts = [
            ("{}", CredentialPart::Whole),
            ("{1}", CredentialPart::First),
            ("{2}", CredentialPart::Second),
        ];
        let mut found =
            parts.iter().filter_map(|(sign, part)| Some((value.split_once(sign)?, *part)));
        let (Some(((before, after), part)), None) = (found.next(), found.next()) else {
            return None;
        };
        if before.contains(['{', '}']) || after.contains(['{', '}']) {
            return None;
        }
        let (before, after) = (before.to_owned(), after.to_owned());
        Some(CredentialHeader { name, before, part, after })
    }

    /// Its value for this credential; `None` for one that has no such part.
    ///
    pub fn value(&self, credential: &str) -> Option<Vec<u8>> {
        let part = match self.part {
            CredentialPart::Whole => credential,
            CredentialPart::First => credential.split_once(':')?.0,
            CredentialPart::Second => credential.split_once(':')?.1,
        };
        if part.is_empty() {
            return None;
        }
        let length = self.before.len() + part.len() + self.after.len();
        let mut value = Vec::with_capacity(length);
        for piece in [&self.before, part, &self.after] {
            value.extend_from_slice(piece.as_bytes());
        }
        Some(value)
    }

    /// Its value with this mark in the place of the credential.
    pub fn masked(&self, mark: &str) -> String {
        [&self.before, mark, &self.after].concat()
    }
}

impl FixedHeader {
    /// Reads `X-Store: 12`; `None` when it is no header.
    pub(super) fn parse(text: &str) -> Option<FixedHeader> {
        let (name, value) = text.split_once(':')?;
        let value = value.trim();
        let is_plain =
            !value.is_empty() && value.bytes().all(|b| b == b' ' || b.is_ascii_graphic());
        (is_header_name(name) && is_plain)
            .then(|| FixedHeader { name: name.to_owned(), value: value.to_owned() })
    }
}

/// Returns true for the name of a header, in the letters that every gateway lets through.
pub(super) fn is_header_name(name: &str) -> bool {
    let is_letter = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    !name.is_empty() && name.bytes().all(is_letter)
}

/// Returns true when two names are one header to some gateway.
pub fn is_same_header(one: &str, other: &str) -> bool {
    let folded = |name: &str| name.to_ascii_lowercase().replace('_', "-");
    folded(one) == folded(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(template: &str, credential: &str) -> Option<String> {
        let header = CredentialHeader::parse(template).expect(template);
        let value = header.value(credential)?;
        Some(format!("{}={}", header.name, String::from_utf8_lossy(&value)))
    }

    #[test]
    fn a_credential_stands_where_its_header_says() {
        for (template, wanted) in [
            ("Authorization: Bearer {}", Some("Authorization=Bearer a:b:c")),
            ("Authorization: Token token=\"{}\"", Some("Authorization=Token token=\"a:b:c\"")),
            ("Authorization:{}", Some("Authorization=a:b:c")),
            ("X-Api-Key: {}", Some("X-Api-Key=a:b:c")),
            ("X-Public-Key: {1}", Some("X-Public-Key=a")),
            ("X-Secret-Key: {2}", Some("X-Secret-Key=b:c")),
        ] {
            assert_eq!(value(template, "a:b:c").as_deref(), wanted);
        }
        assert_eq!(value("X-Secret-Key: {2}", "whole"), None);
        assert_eq!(value("X-Secret-Key: {2}", "whole:"), None);
        let header = CredentialHeader::parse("Authorization: Bearer {}").unwrap();
        assert_eq!(header.masked("…"), "Bearer …");
    }

    #[test]
    fn what_is_no_header_for_a_credential_is_refused() {
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
}
