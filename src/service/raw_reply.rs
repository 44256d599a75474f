//! An HTTP reply as it was received, with functions that read its dates and its character set.

use std::time::Duration;

use crate::contract::windows_1252_char;
pub use crate::trade::BodyEnd;
use crate::trade::{Untrusted, Wall};

/// An HTTP reply as it was received.
pub struct RawReply {
    /// The HTTP status.
    pub status: u16,
    /// The names and values of the headers. Names are in lower case.
    pub headers: Vec<(String, String)>,
    /// The bytes of the body that were read.
    pub body: Vec<u8>,
    /// The reason why reading the body ended.
    pub end: BodyEnd,
}

/// A reply as it was read from the network, with the length of its body.
pub(super) struct Received {
    /// The reply. If the announced length is too large, its body contains only the first bytes.
    pub(super) reply: RawReply,
    /// The number of bytes that were read from the body.
    pub(super) bytes: u64,
    /// The length of the body in bytes, as the reply announced it.
    pub(super) announced: Option<u64>,
    /// True if the announced length exceeds the limit.
    pub(super) is_too_large: bool,
}

impl Received {
    /// The reply that the program uses. If the announced length was too large, the body is empty,
    /// because the first bytes were read only for display.
    pub(super) fn into_reply(self) -> RawReply {
        let mut reply = self.reply;
        if self.is_too_large {
            reply.body.clear();
        }
        reply
    }
}

impl RawReply {
    /// Replaces the mark of masked secrets, so that no text of the service counts as masked. A
    /// JSON text may contain it as an escape.
    pub(super) fn drop_marks(&mut self) {
        const REPLACEMENT: &str = "\u{FFFD}";
        let mark = Untrusted::MASKED.as_bytes();
        let escaped_mark = br"\ufdef";
        for (_, value) in &mut self.headers {
            *value = value.replace(Untrusted::MASKED, REPLACEMENT);
        }
        for at in 0..self.body.len() {
            let rest = &mut self.body[at..];
            if rest.starts_with(mark) {
                rest[..mark.len()].copy_from_slice(REPLACEMENT.as_bytes());
            } else if let Some(escape) = rest.get_mut(..escaped_mark.len())
                && escape.eq_ignore_ascii_case(escaped_mark)
            {
                escape.copy_from_slice(br"\ufffd");
            }
        }
    }

    /// The value of the first header with this name, in any letter case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers
            .find(|(header_name, _)| header_name.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// The time in the server's `Date` header, if it is valid.
    pub fn date(&self) -> Option<Wall> {
        Wall::parse_http_date(self.header("date")?)
    }

    /// The time to wait from the `Retry-After` header. If the header contains a date, the wait is
    /// counted from the reply's `Date` header. Without that header, it is counted from `at`.
    pub(super) fn retry_delay(&self, at: Wall) -> Option<Duration> {
        retry_after(self.header("retry-after")?, self.date().unwrap_or(at))
    }
}

/// The maximum time to wait. If a `Retry-After` header contains a longer time, this maximum is used
/// instead.
const MAX_RETRY_WAIT: Duration = Duration::from_secs(86_400);

/// The time to wait from a `Retry-After` header. The header contains a number of seconds or a date.
/// For a date, the wait is counted from `now`.
fn retry_after(text: &str, now: Wall) -> Option<Duration> {
    let text = text.trim();
    if text.is_empty() || !text.is_ascii() {
        return None;
    }
    if text.bytes().all(|b| b.is_ascii_digit()) {
        let seconds = text.parse().map_or(MAX_RETRY_WAIT, Duration::from_secs);
        return Some(seconds.min(MAX_RETRY_WAIT));
    }
    let until = Wall::parse_http_date(text)?;
    Some(until.since(now).unwrap_or_default().min(MAX_RETRY_WAIT))
}

/// Converts the body of a reply to UTF-8. `content_type` is the value of the `Content-Type` header.
///
/// A valid UTF-8 body is not changed, even if the header names another character set. For any other
/// body, the character set in the header is used if it is UTF-8 or a Latin set.
///
/// Without such a character set, the body of an error reply is decoded as Windows-1252, so that
/// people can read it. This is not done if parts of the body are valid UTF-8 beyond ASCII. In all
/// other bodies, invalid bytes become U+FFFD. The program does not use values that contain this
/// character.
pub(super) fn to_utf8(body: Vec<u8>, content_type: &str, status: u16) -> Vec<u8> {
    if std::str::from_utf8(&body).is_ok() {
        return body;
    }
    let content_type = content_type.to_ascii_lowercase();
    let charset = content_type
        .split_once("charset=")
        .map(|(_, name)| name.trim_matches(['"', ' ']));
    let is_utf8 = match charset {
        Some(name) if name.starts_with("utf-8") => true,
        Some(name)
            if ["iso-8859", "windows", "latin", "cp1252"]
                .iter()
                .any(|prefix| name.starts_with(prefix)) =>
        {
            false
        }
        _ => status < 400 || body.utf8_chunks().any(|chunk| !chunk.valid().is_ascii()),
    };
    // In UTF-8, each of these characters takes at most three bytes.
    let mut text = Vec::with_capacity(3 * body.len());
    let mut push = |c: char| text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    if is_utf8 {
        for chunk in body.utf8_chunks() {
            chunk.valid().chars().for_each(&mut push);
            if !chunk.invalid().is_empty() {
                push(char::REPLACEMENT_CHARACTER);
            }
        }
    } else {
        for &byte in body.iter() {
            push(windows_1252_char(byte));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_seconds_or_a_date() {
        let now = Wall(784_111_777_000);
        assert_eq!(retry_after("30", now), Some(Duration::from_secs(30)));
        assert_eq!(retry_after(" 0 ", now), Some(Duration::ZERO));
        assert_eq!(
            retry_after("Sun, 06 Nov 1994 08:50:37 GMT", now),
            Some(Duration::from_secs(60))
        );
        assert_eq!(
            retry_after("Sun, 06 Nov 1994 08:00:00 GMT", now),
            Some(Duration::ZERO)
        );
        assert_eq!(
            retry_after("99999999999999999999999", now),
            Some(MAX_RETRY_WAIT)
        );
        for wrong in ["", "soon", "-1", "1.5", "٣"] {
            assert_eq!(retry_after(wrong, now), None, "{wrong}");
        }
    }

    fn decode(body: &[u8], content_type: &str, status: u16) -> String {
        let text = to_utf8(body.to_vec(), content_type, status);
        String::from_utf8(text.to_vec()).unwrap()
    }

    #[test]
    fn body_is_read_by_its_label_or_by_its_bytes() {
        let json = "application/json";
        for (body, content_type, text) in [
            (
                &b"Dom\xEDnio"[..],
                "application/json; charset=iso-8859-1",
                "Domínio",
            ),
            (
                b"Dom\xEDnio",
                "application/json; charset=\"ISO-8859-1\"",
                "Domínio",
            ),
            (
                b"Dom\xEDnio \x80 \x81",
                "text/html; Charset=windows-1252",
                "Domínio € \u{FFFD}",
            ),
            (b"Dom\xEDnio", json, "Domínio"),
            (b"Dom\xEDnio", "", "Domínio"),
            (
                b"Dom\xEDnio",
                "application/json; charset=utf-8",
                "Dom\u{FFFD}nio",
            ),
            // The body is valid UTF-8, so the character set in the header is ignored.
            (
                "Domínio".as_bytes(),
                "application/json; charset=iso-8859-1",
                "Domínio",
            ),
            // The last character of this UTF-8 body, an emoji, is cut off.
            (b"Caf\xC3\xA9 \xF0\x9F\x91", json, "Café \u{FFFD}"),
            (
                b"Caf\xC3\xA9 \xE9",
                "application/json; charset=latin1",
                "CafÃ© é",
            ),
        ] {
            assert_eq!(decode(body, content_type, 400), text, "{content_type}");
        }
        assert_eq!(
            decode(b"Dom\xEDnio", "text/plain; charset=latin1", 201),
            "Domínio"
        );
        assert_eq!(decode(b"Dom\xEDnio", json, 201), "Dom\u{FFFD}nio");
    }
}
