//! Decodes form data, URLs, base64, hexadecimal digits, JSON and HTML, so that a secret is found
//! even if a reply or a file contains it in encoded form.

use url::form_urlencoded;

use super::from_base64;

/// The minimum length of base64 text to decode, in characters. 11 characters encode 8 bytes, as
/// long as the shortest secret that is searched for.
const MIN_BASE64_LENGTH: usize = 11;

/// The maximum length of base64 text to decode, in characters. All secrets are shorter.
const MAX_BASE64_LENGTH: usize = 32 * 1024;

/// The minimum length of hexadecimal text to decode, in digits. It encodes 4 bytes, as long as the
/// shortest secret that is searched for inside a text.
const MIN_HEX_LENGTH: usize = 8;

/// The separators between two bytes in hexadecimal, such as `74:6f`.
const HEX_SEPARATORS: [char; 3] = [' ', ':', '-'];

/// The named HTML escapes, such as `quot` for `&quot;`, with their characters.
const NAMED_ESCAPES: [(&str, char); 5] = [
    ("quot", '"'),
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("apos", '\''),
];

/// The endings of HTML escapes for letters with accents, such as `&eacute;`.
const ACCENT_SUFFIXES: [&str; 7] = ["acute", "grave", "circ", "tilde", "uml", "ring", "cedil"];

/// The maximum length of the name of an HTML escape without a number, in bytes.
const MAX_HTML_NAME_LENGTH: usize = 8;

/// All possible decodings of a text. Several are tried, because the encoding of the text is
/// unknown.
pub fn decodings(text: &str) -> Vec<String> {
    let mut decodings = Vec::new();
    if text.contains(['%', '+']) {
        // A `+` means a space in form data but a plus sign in a URL path, so decode both ways.
        for text in [text, &text.replace('+', "%2B")] {
            let pairs = form_urlencoded::parse(text.as_bytes());
            decodings.extend(pairs.flat_map(|(name, value)| [name.into(), value.into()]));
        }
    }
    decodings.extend(decode_base64_parts(text));
    decodings.extend(decode_hex_parts(text));
    if text.contains(HEX_SEPARATORS) {
        decodings.extend(decode_hex_parts(&text.replace(HEX_SEPARATORS, "")));
    }
    if text.contains('\\') {
        decodings.push(unescape_json(text));
    }
    if text.contains('&') {
        decodings.push(unescape_html(text));
    }
    decodings
}

/// Decodes every part of a text that may be base64. A slash may belong to the base64 or may be a
/// separator, so both are tried.
fn decode_base64_parts(text: &str) -> impl Iterator<Item = String> {
    parts_in_alphabet(text, "+/")
        .chain(parts_in_alphabet(text, "-_"))
        .filter_map(|part| {
            let bytes = from_base64(part)?;
            Some(String::from_utf8_lossy(&bytes).into_owned())
        })
}

/// The parts that may be Base64 with these two symbols.
fn parts_in_alphabet<'t>(text: &'t str, symbols: &'static str) -> impl Iterator<Item = &'t str> {
    text.split(move |c: char| !c.is_ascii_alphanumeric() && !symbols.contains(c))
        .filter(|part| part.len() >= MIN_BASE64_LENGTH)
        .map(|part| &part[..part.len().min(MAX_BASE64_LENGTH)])
}

/// Decodes every part of a text that may be hexadecimal. A letter before the encoded text may be a
/// hexadecimal digit too, so decoding starts at the first digit and at the second.
fn decode_hex_parts(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| !c.is_ascii_hexdigit());
    let parts = parts.filter(|part| part.len() >= MIN_HEX_LENGTH);
    let starts = parts.flat_map(|part| [part, &part[1..]]);
    starts
        .map(|part| String::from_utf8_lossy(&from_hex(part.as_bytes())).into_owned())
        .collect()
}

/// Decodes pairs of hexadecimal digits, up to the first other character.
pub fn from_hex(digits: &[u8]) -> Vec<u8> {
    digits.chunks_exact(2).map_while(hex_byte).collect()
}

/// Reads the two hexadecimal digits at the start of the text.
pub fn hex_byte(text: &[u8]) -> Option<u8> {
    let high = char::from(*text.first()?).to_digit(16)?;
    let low = char::from(*text.get(1)?).to_digit(16)?;
    u8::try_from(high * 16 + low).ok()
}

/// Decodes percent escapes. Returns each byte with a flag that is true if the byte was encoded.
/// Invalid escapes stay as they are.
pub fn percent_bytes(text: &str) -> impl Iterator<Item = (u8, bool)> {
    let mut rest = text.as_bytes();
    std::iter::from_fn(move || {
        let (byte, after) = rest.split_first()?;
        let decoded = if *byte == b'%' { hex_byte(after) } else { None };
        rest = if decoded.is_some() {
            &after[2..]
        } else {
            after
        };
        Some((decoded.unwrap_or(*byte), decoded.is_some()))
    })
}

/// Decodes JSON escapes such as `\u00e9`. Invalid escapes stay as they are.
pub fn unescape_json(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once('\\') {
        plain.push_str(before);
        let code = escape.strip_prefix('u').and_then(|digits| digits.get(..4));
        let code = code.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        if let Some(code) = code {
            plain.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            rest = &escape[5..];
        } else {
            // Replace an escaped control character, such as `\n`, with a space. In any other
            // escape, keep the character after the backslash.
            let mut chars = escape.chars();
            plain.extend(
                chars
                    .next()
                    .map(|c| if "bfnrt".contains(c) { ' ' } else { c }),
            );
            rest = chars.as_str();
        }
    }
    plain + rest
}

/// Decodes HTML escapes such as `&amp;`. Letters lose their accents, and unknown named escapes
/// become spaces.
pub fn unescape_html(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once('&') {
        plain.push_str(before);
        let decoded = split_html_name(escape)
            .and_then(|(name, after)| Some((decode_html_name(name)?, after)));
        let (c, after) = decoded.unwrap_or(('&', escape));
        plain.push(c);
        rest = after;
    }
    plain + rest
}

/// Splits the text after a `&` into the name of the escape and the text after its `;`.
fn split_html_name(escape: &str) -> Option<(&str, &str)> {
    let length = html_name_length(escape);
    let after = escape.get(length..)?.strip_prefix(';')?;
    Some((&escape[..length], after))
}

/// The length of the name of an HTML escape at the start of the text, in bytes.
///
/// The search ends at the first character that cannot belong to a name. If it looked for the next
/// `;` instead, a text of `&` would take quadratic time.
fn html_name_length(escape: &str) -> usize {
    let bytes = escape.bytes();
    if escape.starts_with('#') {
        // A number may have any number of leading zeros.
        1 + bytes
            .skip(1)
            .take_while(|b| b.is_ascii_alphanumeric() || *b == b'+')
            .count()
    } else {
        bytes
            .take(MAX_HTML_NAME_LENGTH)
            .take_while(|b| *b != b';')
            .count()
    }
}

fn decode_html_name(name: &str) -> Option<char> {
    if let Some((_, c)) = NAMED_ESCAPES.iter().find(|(known, _)| *known == name) {
        return Some(*c);
    }
    let Some(code) = name.strip_prefix('#') else {
        let accented = ACCENT_SUFFIXES
            .iter()
            .find_map(|accent| name.strip_suffix(accent));
        let letter = accented
            .filter(|letter| letter.len() == 1)
            .and_then(|letter| letter.chars().next());
        let is_name = (2..=MAX_HTML_NAME_LENGTH).contains(&name.len())
            && name.bytes().all(|b| b.is_ascii_alphanumeric());
        return letter.or(is_name.then_some(' '));
    };
    let code = match code.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => code.parse(),
    };
    char::from_u32(code.ok()?)
}

/// Decodes the bytes of a text file: UTF-16, or UTF-8 in which single bytes may be Latin-1.
pub fn decode_text(bytes: &[u8]) -> String {
    match bytes {
        [0xff, 0xfe, rest @ ..] => decode_utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => decode_utf16(rest, u16::from_be_bytes),
        _ if has_zeros(bytes, 1) => decode_utf16(bytes, u16::from_le_bytes),
        _ if has_zeros(bytes, 0) => decode_utf16(bytes, u16::from_be_bytes),
        _ => utf8_or_latin1(bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes)),
    }
}

/// True if at least half of every second byte from `start` on is zero.
fn has_zeros(bytes: &[u8], start: usize) -> bool {
    let every_second = bytes.iter().skip(start).step_by(2);
    bytes.len() >= 2 && every_second.filter(|b| **b == 0).count() * 4 >= bytes.len()
}

fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units)
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

/// The characters of Windows-1252 for the bytes from 0x80 to 0x9f. The unused ones are NUL. In
/// ISO-8859-1 these bytes are control characters.
const WINDOWS_1252: [char; 32] = [
    '€', '\0', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\0', 'Ž', '\0', '\0', '‘',
    '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\0', 'ž', 'Ÿ',
];

/// Decodes a byte of Windows-1252. An unused byte becomes U+FFFD.
pub fn windows_1252_char(byte: u8) -> char {
    match byte {
        0x80..=0x9F => match WINDOWS_1252[usize::from(byte - 0x80)] {
            '\0' => char::REPLACEMENT_CHARACTER,
            c => c,
        },
        byte => char::from(byte),
    }
}

/// The byte of a character in Latin-1 or Windows-1252.
pub fn latin1_byte(c: char) -> Option<u8> {
    if let Ok(byte) = u8::try_from(c) {
        return Some(byte);
    }
    let index = WINDOWS_1252.iter().position(|other| *other == c)?;
    Some(0x80 + u8::try_from(index).ok()?)
}

/// Decodes UTF-8. A byte that is not valid is read as Latin-1.
pub fn utf8_or_latin1(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|byte| char::from(*byte)));
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Unescapes HTML like [`unescape_html`], but looks for the end of a name in the whole text.
    fn unescape_with_any_name(text: &str) -> String {
        let Some((before, escape)) = text.split_once('&') else {
            return text.to_owned();
        };
        let decoded = escape.split_once(';');
        let decoded = decoded.and_then(|(name, after)| Some((decode_html_name(name)?, after)));
        let (c, after) = decoded.unwrap_or(('&', escape));
        format!("{before}{c}{}", unescape_with_any_name(after))
    }

    proptest! {
        #[test]
        fn every_html_escape_is_decoded(
            text in "(&|&#|&#[xX]|;|[0-9]{1,3}|0{9}|[+ xa-f]|acute|[lg]t|quot|amp|é|a{8}){0,16}"
        ) {
            prop_assert_eq!(unescape_html(&text), unescape_with_any_name(&text));
        }
    }

    #[test]
    fn html_escape_may_have_leading_zeros() {
        let zeros = "0".repeat(10_000);
        assert_eq!(unescape_html(&format!("&#{zeros}65;&#x{zeros}42;")), "AB");
    }

    #[test]
    fn unescaping_html_takes_linear_time() {
        for part in ["&", "&#", "&a", "&#0", "&abcdefgh", "&#x1f", "&é"] {
            let text = part.repeat(1_000);
            let escapes = text.match_indices('&').map(|(at, _)| &text[at + 1..]);
            let read: usize = escapes.map(html_name_length).sum();
            assert!(read <= MAX_HTML_NAME_LENGTH * text.len(), "{part}: {read}");
        }
    }
}
