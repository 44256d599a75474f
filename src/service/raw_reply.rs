//! A reply as it came, byte for byte, and how the reading of it ended; its dates and characters.

use std::time::{Duration, SystemTime};

use httpdate::parse_http_date;

use crate::trade::{NoAnswer, Wall};

/// A reply as it came.
pub struct RawReply {
    /// The status.
    pub status: u16,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The bytes of the body that were read.
    pub body: Vec<u8>,
    /// The end of the reading: whole, or cut in some way.
    pub end: BodyEnd,
}

/// The end of reading a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyEnd {
    /// All of it is there.
    Whole,
    /// The connection ended before it was whole.
    Cut,
    /// It was not whole at the deadline.
    Timeout,
    /// It is longer than is read.
    TooLarge,
    /// It is compressed or otherwise encoded, which was not asked for.
    Encoded,
}

impl BodyEnd {
    /// The failure that a body is which is not all there.
    pub(super) fn no_answer(self) -> Option<NoAnswer> {
        match self {
            BodyEnd::Cut => Some(NoAnswer::Cut),
            BodyEnd::Timeout => Some(NoAnswer::Timeout),
            BodyEnd::TooLarge => Some(NoAnswer::TooLarge),
            BodyEnd::Whole | BodyEnd::Encoded => None,
        }
    }
}

impl RawReply {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut all = self.headers.iter();
        all.find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The server's own date, where it can be read.
    pub fn date(&self) -> Option<Wall> {
        read_date(self.header("date")?)
    }
}

/// A wait longer than this is not believed.
const LONGEST_WAIT: Duration = Duration::from_secs(86_400);

/// The length of `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that is still written (RFC 9110).
const LENGTH: usize = 29;

/// Reads a date in that form, with the weekday that it was.
///
/// The two older forms have other lengths and are left out: one of them does not say the century.
pub(super) fn read_date(text: &str) -> Option<Wall> {
    let text = text.trim();
    let date = parse_http_date(text).ok().filter(|_| text.len() == LENGTH)?;
    let since_1970 = date.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Some(Wall(i64::try_from(since_1970.as_millis()).ok()?))
}

/// Reads a `Retry-After`: seconds, or a date seen from `now`.
pub(super) fn retry_after(text: &str, now: Wall) -> Option<Duration> {
    let text = text.trim();
    if text.is_empty() || !text.is_ascii() {
        return None;
    }
    if text.bytes().all(|b| b.is_ascii_digit()) {
        let seconds = text.parse().map_or(LONGEST_WAIT, Duration::from_secs);
        return Some(seconds.min(LONGEST_WAIT));
    }
    let until = read_date(text)?;
    Some(until.since(now).unwrap_or_default().min(LONGEST_WAIT))
}

/// The characters of Windows-1252 from 0x80 to 0x9F, which ISO-8859-1 does not have.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{FFFD}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{FFFD}', 'Ž',
    '\u{FFFD}', '\u{FFFD}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{FFFD}',
    'ž', 'Ÿ',
];

/// Returns the body of a reply with this status as UTF-8; `content_type` is the header that may
/// name another character set.
///
/// Bytes that are UTF-8 are taken for it, whatever the header says. Without a name, other bytes of
/// a success become U+FFFD, and a value with one is not believed. Those of an error are read by a
/// person: they are Windows-1252, of which ISO-8859-1 is a part, unless the rest is UTF-8.
pub(super) fn utf8(body: Vec<u8>, content_type: &str, status: u16) -> Vec<u8> {
    if std::str::from_utf8(&body).is_ok() {
        return body;
    }
    let label = content_type.to_ascii_lowercase();
    let label = label.split_once("charset=").map(|(_, name)| name.trim_matches(['"', ' ']));
    let is_utf8 = match label {
        Some(name) if name.starts_with("utf-8") => true,
        Some(name)
            if ["iso-8859", "windows", "latin", "cp1252"].iter().any(|of| name.starts_with(of)) =>
        {
            false
        }
        _ => status < 400 || body.utf8_chunks().any(|chunk| !chunk.valid().is_ascii()),
    };
    // No character takes more than three bytes.
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
            push(match byte {
                0x80..=0x9F => WINDOWS_1252[usize::from(byte - 0x80)],
                byte => char::from(byte),
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_as_servers_write_it() {
        assert_eq!(read_date("Sun, 06 Nov 1994 08:49:37 GMT"), Some(Wall(784_111_777_000)));
        for wrong in [
            "",
            "06 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT",
            "Mon, 06 Nov 1994 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
            "Sun, 31 Feb 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun, 06 Nov +994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMT more",
        ] {
            assert_eq!(read_date(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_wait_is_seconds_or_a_date() {
        let now = Wall(784_111_777_000);
        assert_eq!(retry_after("30", now), Some(Duration::from_secs(30)));
        assert_eq!(retry_after(" 0 ", now), Some(Duration::ZERO));
        assert_eq!(
            retry_after("Sun, 06 Nov 1994 08:50:37 GMT", now),
            Some(Duration::from_secs(60))
        );
        assert_eq!(retry_after("Sun, 06 Nov 1994 08:00:00 GMT", now), Some(Duration::ZERO));
        assert_eq!(retry_after("99999999999999999999999", now), Some(LONGEST_WAIT));
        for wrong in ["", "soon", "-1", "1.5", "٣"] {
            assert_eq!(retry_after(wrong, now), None, "{wrong}");
        }
    }

    fn read(body: &[u8], label: &str, status: u16) -> String {
        let text = utf8(body.to_vec(), label, status);
        String::from_utf8(text.to_vec()).unwrap()
    }

    #[test]
    fn body_is_read_by_its_label_or_by_its_bytes() {
        let json = "application/json";
        for (body, label, text) in [
            (&b"Dom\xEDnio"[..], "application/json; charset=iso-8859-1", "Domínio"),
            (b"Dom\xEDnio", "application/json; charset=\"ISO-8859-1\"", "Domínio"),
            (b"Dom\xEDnio \x80 \x81", "text/html; Charset=windows-1252", "Domínio € \u{FFFD}"),
            (b"Dom\xEDnio", json, "Domínio"),
            (b"Dom\xEDnio", "", "Domínio"),
            (b"Dom\xEDnio", "application/json; charset=utf-8", "Dom\u{FFFD}nio"),
            // What is UTF-8 is not taken for anything else.
            ("Domínio".as_bytes(), "application/json; charset=iso-8859-1", "Domínio"),
            // An emoji that was cut in a text of UTF-8.
            (b"Caf\xC3\xA9 \xF0\x9F\x91", json, "Café \u{FFFD}"),
            (b"Caf\xC3\xA9 \xE9", "application/json; charset=latin1", "CafÃ© é"),
        ] {
            assert_eq!(read(body, label, 400), text, "{label}");
        }
        assert_eq!(read(b"Dom\xEDnio", "text/plain; charset=latin1", 201), "Domínio");
        assert_eq!(read(b"Dom\xEDnio", json, 201), "Dom\u{FFFD}nio");
    }
}
