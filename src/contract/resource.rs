//! Paths of requests: which ones are refused, and which ones reach the same resource.
//!
//! Servers and gateways read one path in different ways. A path that some of them read as another
//! one is refused. The rest is compared in its loosest reading, so that no other operation reaches
//! the resource that pays.

use super::headers::is_same_header;
use super::settings::{ContractError, ContractSettings};

/// The documented path and key header of a withdrawal.
const DOCUMENTED: (&str, &str) = ("/api/v1/integrations/withdrawals", "Idempotency-Key");

/// Bytes that end a path or a part of it, or change how the rest is read.
const MEANINGFUL: &[u8] = b"/\\%?#;";

/// Returns the resource that a path reaches, in the one spelling by which resources are compared.
///
/// Capital letters, a slash at the end, the ending of a file name and the percent-encoding of
/// ordinary letters make no difference. The result is `None` for a path that some server reads as
/// another one: with `//`, `;`, a backslash or a segment of dots, encoded or not.
pub fn resource(path: &str) -> Option<String> {
    let below = path.strip_prefix('/')?;
    if below.is_empty() {
        return Some(String::new());
    }
    let segments = below.strip_suffix('/').unwrap_or(below).split('/');
    let mut segments = segments.map(segment).collect::<Option<Vec<String>>>()?;
    if let Some(last) = segments.last_mut()
        && let Some((name, _)) = last.rsplit_once('.')
        && !name.is_empty()
    {
        *last = name.to_owned();
    }
    Some(segments.join("/"))
}

/// Reads one segment: decoded, in small letters, without the dots and spaces that Windows drops.
fn segment(text: &str) -> Option<String> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let hex = [bytes.next()?, bytes.next()?];
            let digits = std::str::from_utf8(&hex).ok()?;
            let encoded = u8::from_str_radix(digits, 16).ok()?;
            // Some servers read letters and dots of other scripts as those of this one.
            let is_printable = encoded == b' ' || encoded.is_ascii_graphic();
            let is_ordinary = is_printable && encoded != b'.';
            decoded.push(Some(encoded).filter(|b| is_ordinary && !MEANINGFUL.contains(b))?);
        } else {
            let is_ordinary = byte.is_ascii_graphic() && !MEANINGFUL.contains(&byte);
            decoded.push(Some(byte).filter(|_| is_ordinary)?);
        }
    }
    let text = String::from_utf8(decoded).ok()?.to_lowercase();
    let text = text.trim_end_matches(['.', ' ']);
    (!text.is_empty()).then(|| text.to_owned())
}

/// The paths and headers that no request but the withdrawal may have.
///
/// These are the withdrawal's own path and key header, and the documented ones: a contract that
/// moves the withdrawal elsewhere must not give its documented path to another operation.
#[derive(Debug, Clone, PartialEq)]
pub struct WithdrawalOnly {
    paths: [String; 2],
    key_headers: [String; 2],
}

impl WithdrawalOnly {
    pub(super) fn read(settings: &ContractSettings) -> Result<WithdrawalOnly, ContractError> {
        Ok(WithdrawalOnly {
            paths: [settings.get("withdrawal.path")?, DOCUMENTED.0.to_owned()],
            key_headers: [settings.get("withdrawal.key_header")?, DOCUMENTED.1.to_owned()],
        })
    }

    /// Returns true if this path, below the address of the service, reaches the withdrawal.
    pub fn has_path(&self, path: &str) -> bool {
        let without_query = |path: &str| path.split('?').next().and_then(resource);
        let Some(reached) = without_query(path) else { return true };
        self.paths.iter().any(|own| without_query(own).as_ref() == Some(&reached))
    }

    /// Returns true if some gateway takes a header of this name for the withdrawal's key.
    pub fn has_header(&self, name: &str) -> bool {
        self.key_headers.iter().any(|own| is_same_header(own, name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documented_path_and_header_are_the_built_in_ones() {
        let withdrawal = crate::contract::Contract::built_in().withdrawal;
        assert_eq!((&*withdrawal.call.path, &*withdrawal.key_header), DOCUMENTED);
    }

    #[test]
    fn spellings_of_one_resource_are_equal() {
        for path in [
            "/api/v1/withdrawals",
            "/api/v1/withdrawals/",
            "/API/v1/Withdrawals",
            "/api/v1/%77ithdrawal%73",
            "/api/v1/withdrawals.json",
            "/api/v1/withdrawals.",
            "/api/v1./withdrawals%20",
        ] {
            assert_eq!(resource(path).as_deref(), Some("api/v1/withdrawals"), "{path}");
        }
        assert_eq!(
            (resource("/"), resource("/.well-known")),
            (Some("".into()), Some(".well-known".into()))
        );
        for other in ["/api/v1/withdrawals/fee-preview", "/api/v1", "/api/v11/withdrawals"] {
            assert_ne!(resource(other).as_deref(), Some("api/v1/withdrawals"));
        }
    }

    #[test]
    fn ambiguous_paths_have_no_resource() {
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
            assert_eq!(resource(path), None, "{path:?}");
        }
    }
}
