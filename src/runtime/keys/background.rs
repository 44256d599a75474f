//! The query for the terminal's background colour, and the parser of the reply.
//!
//! The reply may arrive between key presses, at any time or never, so nothing waits for it. Only
//! bytes that match the format of the reply are stored, so that the buffer never contains other
//! input, such as a typed password.

/// The query (OSC 11) that asks the terminal for its background colour.
pub const QUERY: &[u8] = b"\x1b]11;?\x1b\\";

/// The maximum length of a reply in bytes: `]11;rgba:` and four colour parts of up to four digits.
const MAX_REPLY_BYTES: usize = 32;

const REPLY_PREFIX: &[u8] = b"]11;rgb";

/// Collects the bytes of a reply that reports the background colour.
#[derive(Default)]
pub struct BackgroundReply {
    bytes: [u8; MAX_REPLY_BYTES],
    len: usize,
    /// True if the bytes received so far cannot be a reply to the query.
    is_invalid: bool,
}

impl BackgroundReply {
    /// Starts to collect a new reply. Its first byte is `kind`.
    pub fn begin(&mut self, kind: u8) {
        (self.len, self.is_invalid) = (0, false);
        self.push(kind);
    }

    /// Adds the next byte of the reply.
    pub fn push(&mut self, byte: u8) {
        let is_expected = match (self.len, REPLY_PREFIX.get(self.len)) {
            (MAX_REPLY_BYTES.., _) => false,
            (_, Some(expected)) => byte == *expected,
            (_, None) => byte.is_ascii_hexdigit() || matches!(byte, b':' | b'/'),
        };
        if self.is_invalid || !is_expected {
            return self.erase();
        }
        self.bytes[self.len] = byte;
        self.len += 1;
    }

    /// Ends the reply and returns the colour (red, green, blue); `None` if it is not a valid reply.
    pub fn end(&mut self) -> Option<[u8; 3]> {
        let result = if self.is_invalid {
            None
        } else {
            parse_colour(&self.bytes[..self.len])
        };
        self.erase();
        result
    }

    /// Erases the bytes that were received so far.
    pub fn erase(&mut self) {
        (self.bytes, self.len, self.is_invalid) = ([0; MAX_REPLY_BYTES], 0, true);
    }
}

/// Parses a reply such as `]11;rgb:rrrr/gggg/bbbb`, with one to four digits for each colour part.
/// The opacity in `rgba:` is ignored.
fn parse_colour(reply: &[u8]) -> Option<[u8; 3]> {
    let text = std::str::from_utf8(reply).ok()?.strip_prefix("]11;")?;
    let (parts, count) = match text.strip_prefix("rgb:") {
        Some(parts) => (parts, 3),
        None => (text.strip_prefix("rgba:")?, 4),
    };
    let parts = parts
        .split('/')
        .map(parse_part)
        .collect::<Option<Vec<u8>>>()?;
    match parts.as_slice() {
        [red, green, blue, ..] if parts.len() == count => Some([*red, *green, *blue]),
        _ => None,
    }
}

/// Converts one part of a colour, which has one to four hexadecimal digits, to a number of 8 bits.
fn parse_part(digits: &str) -> Option<u8> {
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let max = match digits.len() {
        1..=4 if is_hex => (1_u32 << (4 * digits.len())) - 1,
        _ => return None,
    };
    let value = u32::from_str_radix(digits, 16).ok()?;
    u8::try_from((value * 255 + max / 2) / max).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_reply(text: &str) -> Option<[u8; 3]> {
        let mut reply = BackgroundReply::default();
        let (kind, rest) = text.as_bytes().split_first().unwrap();
        reply.begin(*kind);
        rest.iter().for_each(|byte| reply.push(*byte));
        let colour = reply.end();
        assert_eq!(reply.bytes, [0; MAX_REPLY_BYTES], "nothing of it stays");
        colour
    }

    #[test]
    fn every_colour_format_is_read() {
        assert_eq!(
            read_reply("]11;rgb:1d1d/1f1f/2121"),
            Some([0x1d, 0x1f, 0x21])
        );
        assert_eq!(read_reply("]11;rgb:FFFF/ffff/0000"), Some([0xff, 0xff, 0]));
        assert_eq!(read_reply("]11;rgb:ff/80/00"), Some([0xff, 0x80, 0]));
        assert_eq!(read_reply("]11;rgb:f/8/0"), Some([0xff, 0x88, 0]));
        assert_eq!(read_reply("]11;rgb:fff/800/000"), Some([0xff, 0x80, 0]));
        assert_eq!(read_reply("]11;rgba:ffff/ffff/ffff/8000"), Some([0xff; 3]));
    }

    #[test]
    fn invalid_colour_replies_return_none() {
        for text in [
            "]11;?",
            "]11;rgb:",
            "]11;rgb://",
            "]11;rgb:ff/ff",
            "]11;rgb:ff/ff/ff/ff",
            "]11;rgba:ff/ff/ff",
            "]11;rgb:fffff/00/00",
            "]11;rgb:+f/00/00",
            "]11;rgb:gg/00/00",
            "]11;rgb:ff/ff/ff ",
            "]10;rgb:ff/ff/ff",
            "]111;rgb:ff/ff/ff",
            "P11;rgb:ff/ff/ff",
            "]52;c;cHJvY3VyYWRv",
            "]11;rgb:00000000000000000000000000000000/ff/ff",
        ] {
            assert_eq!(read_reply(text), None, "{text}");
        }
    }
}
