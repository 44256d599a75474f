//! The query for the terminal's background colour, and the parser of the reply.
//!
//! The reply may arrive between key presses, at any time or never, so nothing waits for it. Only
//! bytes that match the format of the reply are stored, so that the buffer never contains other
//! input, such as a typed password.

/// The query (OSC 11) that asks the terminal for its background colour.
pub const QUESTION: &[u8] = b"\x1b]11;?\x1b\\";

/// The maximum length of a reply in bytes: `]11;rgba:` and four colour parts of up to four digits.
const LONGEST: usize = 32;

const BEGINS: &[u8] = b"]11;rgb";

/// Collects the bytes of a reply that reports the background colour.
#[derive(Default)]
pub struct BackgroundAnswer {
    bytes: [u8; LONGEST],
    len: usize,
    /// True if the bytes received so far cannot be a reply to the query.
    is_lost: bool,
}

impl BackgroundAnswer {
    /// Starts to collect a new reply. Its first byte is `kind`.
    pub fn begin(&mut self, kind: u8) {
        (self.len, self.is_lost) = (0, false);
        self.push(kind);
    }

    /// Adds the next byte of the reply.
    pub fn push(&mut self, byte: u8) {
        let is_right = match (self.len, BEGINS.get(self.len)) {
            (LONGEST.., _) => false,
            (_, Some(wanted)) => byte == *wanted,
            (_, None) => byte.is_ascii_hexdigit() || matches!(byte, b':' | b'/'),
        };
        if self.is_lost || !is_right {
            return self.forget();
        }
        self.bytes[self.len] = byte;
        self.len += 1;
    }

    /// Ends the reply and returns the colour (red, green, blue); `None` if it is not a valid reply.
    pub fn end(&mut self) -> Option<[u8; 3]> {
        let told = if self.is_lost { None } else { colour(&self.bytes[..self.len]) };
        self.forget();
        told
    }

    /// Erases the bytes that were received so far.
    pub fn forget(&mut self) {
        (self.bytes, self.len, self.is_lost) = ([0; LONGEST], 0, true);
    }
}

/// Parses a reply such as `]11;rgb:rrrr/gggg/bbbb`, with one to four digits for each colour part.
/// The opacity in `rgba:` is ignored.
fn colour(answer: &[u8]) -> Option<[u8; 3]> {
    let text = std::str::from_utf8(answer).ok()?.strip_prefix("]11;")?;
    let (parts, count) = match text.strip_prefix("rgb:") {
        Some(parts) => (parts, 3),
        None => (text.strip_prefix("rgba:")?, 4),
    };
    let parts = parts.split('/').map(part).collect::<Option<Vec<u8>>>()?;
    match parts.as_slice() {
        [red, green, blue, ..] if parts.len() == count => Some([*red, *green, *blue]),
        _ => None,
    }
}

/// Converts one part of a colour, which has one to four hexadecimal digits, to a number of 8 bits.
fn part(digits: &str) -> Option<u8> {
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let most = match digits.len() {
        1..=4 if is_hex => (1_u32 << (4 * digits.len())) - 1,
        _ => return None,
    };
    let value = u32::from_str_radix(digits, 16).ok()?;
    u8::try_from((value * 255 + most / 2) / most).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Option<[u8; 3]> {
        let mut answer = BackgroundAnswer::default();
        let (kind, rest) = text.as_bytes().split_first().unwrap();
        answer.begin(*kind);
        rest.iter().for_each(|byte| answer.push(*byte));
        let told = answer.end();
        assert_eq!(answer.bytes, [0; LONGEST], "nothing of it stays");
        told
    }

    #[test]
    fn every_spelling_of_a_colour_is_read() {
        assert_eq!(told("]11;rgb:1d1d/1f1f/2121"), Some([0x1d, 0x1f, 0x21]));
        assert_eq!(told("]11;rgb:FFFF/ffff/0000"), Some([0xff, 0xff, 0]));
        assert_eq!(told("]11;rgb:ff/80/00"), Some([0xff, 0x80, 0]));
        assert_eq!(told("]11;rgb:f/8/0"), Some([0xff, 0x88, 0]));
        assert_eq!(told("]11;rgb:fff/800/000"), Some([0xff, 0x80, 0]));
        assert_eq!(told("]11;rgba:ffff/ffff/ffff/8000"), Some([0xff; 3]));
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
            assert_eq!(told(text), None, "{text}");
        }
    }
}
