//! Finds readable text in decoded bytes: as UTF-8, Latin-1 or UTF-16, and compressed.

use miniz_oxide::inflate::{
    TINFLStatus, decompress_to_vec_with_limit, decompress_to_vec_zlib_with_limit,
};

use super::decode::PART_END;
use crate::contract::{from_hex, utf8_or_latin1};

/// The minimum length, in characters, of printable text in decoded bytes. Shorter printable parts
/// occur by chance in bytes that do not encode text.
const MIN_PRINTABLE: usize = 8;

/// The minimum length of a part in Latin-1, in which almost every byte is a character.
const MIN_LATIN1: usize = 16;

/// The minimum length if all bytes are text in Latin-1.
const MIN_WHOLE_LATIN1: usize = MIN_PRINTABLE;

/// The minimum number of characters in UTF-16 text. Its zero bytes are rare in other data.
const MIN_UTF_16: usize = 4;

/// The maximum number of bytes that are unpacked in one search.
const MAX_UNPACKED: usize = 64 * 1024 * 1024;

/// The maximum number of compressed parts inside each other.
const MAX_PACKED_DEPTH: usize = 3;

/// The minimum length, in digits or symbols, of encoded text.
const MIN_HEX_RUN: usize = 6;
const MIN_BASE64_RUN: usize = 4;

/// The symbols of both base64 alphabets that are not letters or digits.
const BASE64_SYMBOLS: &[u8] = b"+/-_";

/// The first bytes of gzip data.
const GZIP: [u8; 3] = [0x1f, 0x8b, 8];

/// The number of bytes that may still be unpacked, because a small file may contain endless text.
pub struct Unpacked {
    left: usize,
}

impl Unpacked {
    pub fn none() -> Unpacked {
        Unpacked { left: MAX_UNPACKED }
    }

    /// Unpacks gzip or zlib data. Of damaged gzip data, returns the text before the damage.
    pub fn unpack(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        if self.left == 0 {
            return None;
        }
        let unpacked = match gzip_content(bytes) {
            Some(deflated) => decompress_to_vec_with_limit(deflated, self.left)
                .unwrap_or_else(|error| error.output),
            None => unpack_zlib(bytes, self.left)?,
        };
        self.left -= unpacked.len().min(self.left);
        Some(unpacked).filter(|unpacked| !unpacked.is_empty())
    }
}

/// Unpacks zlib data. Other bytes may begin like it by chance, so damaged data is not unpacked.
fn unpack_zlib(bytes: &[u8], limit: usize) -> Option<Vec<u8>> {
    let header = u16::from_be_bytes([*bytes.first()?, *bytes.get(1)?]);
    if bytes[0] & 0x0f != 8 || !header.is_multiple_of(31) {
        return None;
    }
    match decompress_to_vec_zlib_with_limit(bytes, limit) {
        Ok(unpacked) => Some(unpacked),
        Err(error) if error.status == TINFLStatus::HasMoreOutput => Some(error.output),
        Err(_) => None,
    }
}

/// The compressed content after the header of gzip data.
fn gzip_content(bytes: &[u8]) -> Option<&[u8]> {
    const HAS_CHECKSUM: u8 = 2;
    const HAS_EXTRA: u8 = 4;
    const HAS_NAME: u8 = 8;
    const HAS_COMMENT: u8 = 16;
    let flags = *bytes.get(3).filter(|_| bytes.starts_with(&GZIP))?;
    let mut content = bytes.get(10..)?;
    if flags & HAS_EXTRA != 0 {
        let length = content.get(..2)?;
        content = content.get(2 + usize::from(u16::from_le_bytes([length[0], length[1]]))..)?;
    }
    for flag in [HAS_NAME, HAS_COMMENT] {
        if flags & flag != 0 {
            let end = content.iter().position(|byte| *byte == 0)?;
            content = &content[end + 1..];
        }
    }
    if flags & HAS_CHECKSUM != 0 {
        content.get(2..)
    } else {
        Some(content)
    }
}

/// The readable parts of decoded bytes. Each part ends with a mark.
pub(super) struct ReadableParts<'a> {
    text: String,
    unpacked: &'a mut Unpacked,
    /// The bytes of one run. The memory is used again, because a text may have many short runs.
    buffer: Vec<u8>,
}

impl<'a> ReadableParts<'a> {
    fn new(unpacked: &'a mut Unpacked) -> ReadableParts<'a> {
        ReadableParts {
            text: String::new(),
            unpacked,
            buffer: vec![],
        }
    }

    /// Adds the readable parts of the bytes in the buffer.
    fn push_buffer(&mut self) {
        let bytes = std::mem::take(&mut self.buffer);
        // A short run is readable only as a whole.
        if bytes.len() >= MIN_PRINTABLE || !bytes.iter().any(|byte| is_unprintable(*byte)) {
            self.push_bytes(&bytes, 0);
        }
        self.buffer = bytes;
    }

    fn push_bytes(&mut self, bytes: &[u8], depth: usize) {
        self.push_utf8(bytes);
        self.push_latin1(bytes);
        self.push_binary(bytes, depth);
    }

    fn push_binary(&mut self, bytes: &[u8], depth: usize) {
        if bytes.len() >= MIN_PRINTABLE && bytes.contains(&0) {
            self.push_utf_16(bytes, 0);
            self.push_utf_16(bytes, 1);
        }
        if depth == MAX_PACKED_DEPTH {
            return;
        }
        // Only gzip has a beginning that does not occur by chance, so look for it everywhere.
        let mut starts = bytes
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == GZIP[0]);
        let gzip = starts.find(|(start, _)| bytes[*start..].starts_with(&GZIP));
        let packed = &bytes[gzip.map_or(0, |(start, _)| start)..];
        if let Some(content) = self.unpacked.unpack(packed) {
            self.push_bytes(&content, depth + 1);
        }
    }

    fn push_part(&mut self, part: &str) {
        self.text.push_str(part);
        self.text.push(PART_END);
    }

    /// Adds the printable parts, without short ones.
    fn push_utf8(&mut self, bytes: &[u8]) {
        for chunk in bytes.utf8_chunks() {
            for part in chunk
                .valid()
                .split(|c: char| c.is_control() && !c.is_whitespace())
            {
                let is_whole = part.len() == bytes.len() && !part.is_empty();
                let is_long = part.len() >= MIN_PRINTABLE && part.chars().count() >= MIN_PRINTABLE;
                if is_whole || is_long {
                    self.push_part(part);
                }
            }
        }
    }

    /// Adds the parts that are text in Latin-1: mostly ASCII, with some letters.
    fn push_latin1(&mut self, bytes: &[u8]) {
        if bytes.is_ascii() || str::from_utf8(bytes).is_ok() {
            return;
        }
        for part in bytes.split(|byte| !is_latin1_text(*byte)) {
            let is_whole = part.len() == bytes.len() && part.len() >= MIN_WHOLE_LATIN1;
            if !is_whole && part.len() < MIN_LATIN1 {
                continue;
            }
            let accented = part.iter().filter(|byte| !byte.is_ascii()).count();
            // In random bytes almost half of such characters are letters with accents.
            let letters_per_accent = if is_whole { 4 } else { 8 };
            if accented > 0 && accented * letters_per_accent <= part.len() {
                self.push_part(&utf8_or_latin1(part));
            }
        }
    }

    /// Adds the parts that are text in UTF-16, with the high byte of each character at `high`: 1
    /// for little endian, 0 for big endian. The text may start at any byte.
    fn push_utf_16(&mut self, bytes: &[u8], high: usize) {
        let mut part = String::new();
        let mut rest = bytes;
        while let [first, second, ..] = rest {
            let pair = [*first, *second];
            let c = match pair[high] {
                0 if !is_unprintable(pair[1 - high]) => Some(char::from(pair[1 - high])),
                // Dashes, quotation marks and emoji only separate words.
                0x20 | 0xd8..=0xdf => Some(' '),
                _ => None,
            };
            rest = if c.is_some() { &rest[2..] } else { &rest[1..] };
            part.extend(c);
            if c.is_none() || rest.len() < 2 {
                if part.chars().count() >= MIN_UTF_16 {
                    self.push_part(&part);
                }
                part.clear();
            }
        }
    }
}

fn is_latin1_text(byte: u8) -> bool {
    let c = char::from(byte);
    !is_unprintable(byte) && (c.is_ascii() || c.is_alphabetic())
}

fn is_unprintable(byte: u8) -> bool {
    let c = char::from(byte);
    c.is_control() && !c.is_whitespace()
}

/// The parts of decoded bytes that are readable only as UTF-16, or after unpacking.
pub(super) fn binary_parts(bytes: &[u8], unpacked: &mut Unpacked) -> String {
    let mut parts = ReadableParts::new(unpacked);
    parts.push_binary(bytes, 0);
    parts.text
}

/// Decodes every run of hexadecimal digits. A letter before the encoded text may be a digit too, so
/// decoding starts at the first digit and at the second.
pub(super) fn decode_hex_runs(text: &str, unpacked: &mut Unpacked) -> String {
    let mut parts = ReadableParts::new(unpacked);
    let runs = text.as_bytes().split(|byte| !byte.is_ascii_hexdigit());
    for run in runs.filter(|run| run.len() >= MIN_HEX_RUN) {
        for start in [0, 1] {
            parts.buffer = from_hex(&run[start..]);
            parts.push_buffer();
        }
    }
    parts.text
}

/// True if hexadecimal digits encode readable text.
pub(in crate::har) fn encodes_text(digits: &str) -> bool {
    let mut unpacked = Unpacked::none();
    let mut parts = ReadableParts::new(&mut unpacked);
    for start in [0, 1] {
        let digits = digits.as_bytes().get(start..).unwrap_or_default();
        parts.push_utf8(&from_hex(digits));
    }
    !parts.text.is_empty()
}

/// Decodes every run of base64, in both alphabets. The encoded text may start at any of the first
/// four symbols of a run, because letters before it may be symbols too.
pub(super) fn decode_base64_runs(text: &str, unpacked: &mut Unpacked) -> String {
    let mut parts = ReadableParts::new(unpacked);
    for run in text
        .as_bytes()
        .split(|byte| !byte.is_ascii_alphanumeric() && !BASE64_SYMBOLS.contains(byte))
    {
        if run.len() < MIN_BASE64_RUN {
            continue;
        }
        if !run.iter().any(|byte| BASE64_SYMBOLS.contains(byte)) {
            decode_base64_run(run, &mut parts);
            continue;
        }
        // A symbol of the other alphabet may be a separator, such as a slash in a URL.
        for other_alphabet in [b"-_", b"+/"] {
            for run in run.split(|byte| other_alphabet.contains(byte)) {
                decode_base64_run(run, &mut parts);
            }
        }
    }
    parts.text
}

fn decode_base64_run(run: &[u8], parts: &mut ReadableParts<'_>) {
    for start in 0..4 {
        if run.len() >= MIN_BASE64_RUN + start {
            parts.buffer.clear();
            decode_base64(&run[start..], &mut parts.buffer);
            parts.push_buffer();
        }
    }
}

/// Decodes symbols of base64. Symbols at the end that make no whole byte are ignored.
fn decode_base64(symbols: &[u8], decoded: &mut Vec<u8>) {
    for group in symbols.chunks(4) {
        let mut bits = 0_u32;
        for index in 0..4 {
            bits = (bits << 6) | group.get(index).map_or(0, |symbol| sextet(*symbol));
        }
        decoded.extend_from_slice(&bits.to_be_bytes()[1..group.len()]);
    }
}

/// The value of each base64 symbol, of both alphabets.
const SEXTETS: [u32; 256] = {
    let symbols = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut values = [0; 256];
    let mut value = 0;
    while value < 64 {
        values[symbols[value] as usize] = value as u32;
        value += 1;
    }
    values[b'-' as usize] = 62;
    values[b'_' as usize] = 63;
    values
};

fn sextet(symbol: u8) -> u32 {
    SEXTETS[usize::from(symbol)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpacked_bytes_are_limited_in_all() {
        let packed = miniz_oxide::deflate::compress_to_vec_zlib(&[b'0'; 4_000], 9);
        let mut unpacked = Unpacked { left: 6_000 };
        let sizes = [(); 3].map(|()| unpacked.unpack(&packed).map(|bytes| bytes.len()));
        assert_eq!(sizes, [Some(4_000), Some(2_000), None]);
    }
}
