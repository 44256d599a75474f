//! A text without the escapes in which forms, URLs, JSON and pages say back what was sent.

use url::form_urlencoded;

use crate::contract::from_base64;

/// Eleven letters of base64 hold eight bytes, the shortest secret that is looked for in a value.
const SHORTEST_BASE64: usize = 11;

/// The letters that are looked into; no secret is as long.
const LONGEST_BASE64: usize = 32 * 1024;

/// The names by which pages escape characters that mean something to them.
const NAMED: [(&str, char); 5] =
    [("quot", '"'), ("amp", '&'), ("lt", '<'), ("gt", '>'), ("apos", '\'')];

/// Every reading of a text in which something was escaped.
pub(super) fn readings(text: &str) -> Vec<String> {
    let mut readings = Vec::new();
    if text.contains(['%', '+']) {
        // In a path a plus is one; in a form it is a space.
        for text in [text, &text.replace('+', "%2B")] {
            let pairs = form_urlencoded::parse(text.as_bytes());
            readings.extend(pairs.flat_map(|(name, value)| [name.into(), value.into()]));
        }
    }
    readings.extend(of_base64(text));
    if text.contains('\\') {
        readings.push(of_json(text));
    }
    if text.contains('&') {
        readings.push(of_page(text));
    }
    readings
}

/// Every stretch of a text that may be base64: in an address a slash also parts it from others.
fn of_base64(text: &str) -> impl Iterator<Item = String> {
    let of = |more: &'static str| {
        let is_in = move |c: char| c.is_ascii_alphanumeric() || more.contains(c);
        let parts = text.split(move |c| !is_in(c)).filter(|part| part.len() >= SHORTEST_BASE64);
        parts.map(|part| &part[..part.len().min(LONGEST_BASE64)])
    };
    of("+/").chain(of("-_")).filter_map(|part| {
        let bytes = from_base64(part)?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    })
}

fn of_json(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once('\\') {
        plain.push_str(before);
        let code = escape.strip_prefix('u').and_then(|digits| digits.get(..4));
        let code = code.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        if let Some(c) = code.and_then(char::from_u32) {
            plain.push(c);
            rest = &escape[5..];
        } else {
            // Every other one stands for itself, or for a control character, which none has.
            let mut chars = escape.chars();
            plain.extend(chars.next());
            rest = chars.as_str();
        }
    }
    plain + rest
}

fn of_page(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once('&') {
        plain.push_str(before);
        let named = escape.split_once(';').and_then(|(name, after)| Some((named(name)?, after)));
        let (c, after) = named.unwrap_or(('&', escape));
        plain.push(c);
        rest = after;
    }
    plain + rest
}

fn named(name: &str) -> Option<char> {
    if let Some((_, c)) = NAMED.iter().find(|(named, _)| *named == name) {
        return Some(*c);
    }
    let code = name.strip_prefix('#')?;
    let code = match code.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => code.parse(),
    };
    char::from_u32(code.ok()?)
}
