//! The one question to the terminal, the colour of its background, and the reading of its answer.
//!
//! The answer comes among the keys, whenever it likes, or never: nothing waits for it. Only its own
//! spelling is kept, byte by byte as it comes, so that no other text (a password typed after a
//! stray escape, a clipboard) stands in this buffer.

/// The one who hears the colour of the background (red, green, blue), at most once.
pub type HearBackground = Box<dyn FnOnce([u8; 3]) + Send>;

/// Asks for the colour: OSC 11.
pub const QUESTION: &[u8] = b"\x1b]11;?\x1b\\";

/// The longest answer: `]11;rgba:` and four parts of four digits.
const LONGEST: usize = 32;

/// The beginning of every answer to it.
const BEGINS: &[u8] = b"]11;rgb";

/// An answer while it comes in.
#[derive(Default)]
pub struct BackgroundAnswer {
    bytes: [u8; LONGEST],
    len: usize,
    /// Set where it is the answer to something else, or cannot be read.
    is_lost: bool,
    told: Option<[u8; 3]>,
}

impl BackgroundAnswer {
    /// A text of this kind begins.
    pub fn begin(&mut self, kind: u8) {
        (self.len, self.is_lost) = (0, false);
        self.push(kind);
    }

    /// Takes its next byte.
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

    /// It came to its end.
    pub fn end(&mut self) {
        if !self.is_lost {
            self.told = colour(&self.bytes[..self.len]).or(self.told);
        }
        self.forget();
    }

    /// Nothing of it is kept.
    pub fn forget(&mut self) {
        (self.bytes, self.len, self.is_lost) = ([0; LONGEST], 0, true);
    }

    /// The colour that was told, once.
    pub fn take(&mut self) -> Option<[u8; 3]> {
        self.told.take()
    }
}

/// Reads `]11;rgb:rrrr/gggg/bbbb`, with one to four digits a part; how much shines through, in
/// `rgba:`, says nothing of the colour.
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

/// A part of a colour, of as many digits as the terminal likes, in 8 bits.
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
        answer.end();
        assert_eq!(answer.bytes, [0; LONGEST], "nothing of it stays");
        answer.take()
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
