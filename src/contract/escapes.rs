//! Decodes form data, URLs, base64, JSON and HTML, so that a secret is found even if a reply or a
//! file contains it in encoded form.

use url::form_urlencoded;

use super::from_base64;

/// The minimum length of base64 text to decode, in characters. 11 characters encode 8 bytes, as
/// long as the shortest secret that is searched for.
const MIN_BASE64_LENGTH: usize = 11;

/// The maximum length of base64 text to decode, in characters. All secrets are shorter.
const MAX_BASE64_LENGTH: usize = 32 * 1024;

/// The named HTML escapes, such as `quot` for `&quot;`, with their characters.
const NAMED_ESCAPES: [(&str, char); 5] =
    [("quot", '"'), ("amp", '&'), ("lt", '<'), ("gt", '>'), ("apos", '\'')];

/// The endings of HTML escapes for letters with accents, such as `&eacute;`.
const ACCENT_SUFFIXES: [&str; 7] = ["acute", "grave", "circ", "tilde", "uml", "ring", "cedil"];

/// Returns all possible decodings of a text. Several are tried, because the encoding of the text is
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
    let parts_in_alphabet = |symbols: &'static str| {
        let is_base64 = move |c: char| c.is_ascii_alphanumeric() || symbols.contains(c);
        let parts =
            text.split(move |c| !is_base64(c)).filter(|part| part.len() >= MIN_BASE64_LENGTH);
        parts.map(|part| &part[..part.len().min(MAX_BASE64_LENGTH)])
    };
    parts_in_alphabet("+/").chain(parts_in_alphabet("-_")).filter_map(|part| {
        let bytes = from_base64(part)?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
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
            plain.extend(chars.next().map(|c| if "bfnrt".contains(c) { ' ' } else { c }));
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
        let decoded = escape.split_once(';');
        let decoded = decoded.and_then(|(name, after)| Some((decode_html_name(name)?, after)));
        let (c, after) = decoded.unwrap_or(('&', escape));
        plain.push(c);
        rest = after;
    }
    plain + rest
}

fn decode_html_name(name: &str) -> Option<char> {
    if let Some((_, c)) = NAMED_ESCAPES.iter().find(|(known, _)| *known == name) {
        return Some(*c);
    }
    let Some(code) = name.strip_prefix('#') else {
        let accented = ACCENT_SUFFIXES.iter().find_map(|accent| name.strip_suffix(accent));
        let letter =
            accented.filter(|letter| letter.len() == 1).and_then(|letter| letter.chars().next());
        let is_name =
            (2..=8).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric());
        return letter.or(is_name.then_some(' '));
    };
    let code = match code.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => code.parse(),
    };
    char::from_u32(code.ok()?)
}
