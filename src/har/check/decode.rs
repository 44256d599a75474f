//! Decodes a text in every way in which a file may encode it.

use super::Encoding;
use super::bytes::{Unpacked, binary_parts, decode_base64_runs, decode_hex_runs};
use crate::contract::{
    hex_byte, latin1_byte, percent_bytes, unescape_html, unescape_json, utf8_or_latin1,
};

/// The maximum number of nested encodings, such as base64 in a JSON text inside another JSON text.
const MAX_DEPTH: usize = 3;

/// Marks the end of a decoded part. The search does not skip this character, so no text is found
/// across two parts.
pub(super) const PART_END: char = '\u{e000}';

/// A text, or one of its decodings.
pub(super) struct View {
    /// The outermost encoding.
    pub(super) encoding: Encoding,
    pub(super) text: String,
    /// The number of encodings around the text.
    depth: usize,
    /// True if the text is not decoded further, because another view covers that.
    is_leaf: bool,
}

/// The text and all its decodings.
///
/// Escapes of different kinds may be combined in any order. To decode each order would multiply
/// the work, so each kind is decoded alone, and then all kinds together; only the latter is decoded
/// further.
pub(super) fn views(text: &str, unpacked: &mut Unpacked) -> Vec<View> {
    let plain = View {
        encoding: Encoding::Plain,
        text: text.to_owned(),
        depth: 0,
        is_leaf: false,
    };
    let mut views = vec![plain];
    let mut next = 0;
    while let Some(view) = views.get(next) {
        next += 1;
        if view.is_leaf || view.depth == MAX_DEPTH {
            continue;
        }
        let depth = view.depth + 1;
        let outermost = view.encoding;
        for decoding in decodings(&view.text, unpacked) {
            let encoding = if depth == 1 {
                decoding.encoding
            } else {
                outermost
            };
            match views.iter_mut().find(|view| view.text == decoding.text) {
                Some(same) => same.is_leaf &= decoding.is_leaf,
                None => views.push(View {
                    encoding,
                    depth,
                    ..decoding
                }),
            }
        }
    }
    views
}

/// The decodings of a text that differ from it, one level deep.
fn decodings(text: &str, unpacked: &mut Unpacked) -> Vec<View> {
    let mut decodings = Vec::new();
    let mut all_kinds = text.to_owned();
    let mut first_kind = None;
    for (encoding, decode) in ESCAPES {
        if let Some(decoded) = decode(text) {
            decodings.push(View {
                encoding,
                text: decoded,
                depth: 0,
                is_leaf: true,
            });
        }
        if let Some(decoded) = decode(&all_kinds) {
            first_kind.get_or_insert(encoding);
            all_kinds = decoded;
        }
    }
    let mut add = |encoding, text: String, is_leaf| {
        if !text.is_empty() {
            decodings.push(View {
                encoding,
                text,
                depth: 0,
                is_leaf,
            });
        }
    };
    // Equals signs are common outside of quoted-printable, so decode them last.
    let quoted = decode_quoted_printable(&all_kinds);
    let quoted_alone = decode_quoted_printable(text);
    for decoded in [quoted_alone, quoted].into_iter().flatten() {
        add(Encoding::Percent, decoded, false);
    }
    if let Some(without_tags) = strip_tags(&all_kinds) {
        add(Encoding::Html, without_tags, true);
    }
    if let Some(encoding) = first_kind {
        add(encoding, all_kinds, false);
    }
    if text.contains('%') {
        add(
            Encoding::Percent,
            binary_parts(&percent_decoded_bytes(text), unpacked),
            false,
        );
    }
    if let Some(bytes) = latin1_bytes(text) {
        add(Encoding::Latin1, binary_parts(&bytes, unpacked), false);
    }
    for (encoding, decoded) in decode_all_runs(text, unpacked) {
        add(encoding, decoded, false);
    }
    decodings
}

type Decode = fn(&str) -> Option<String>;

/// The kinds of escapes. Each function returns `None` if the text has no escapes of its kind.
const ESCAPES: [(Encoding, Decode); 5] = [
    (Encoding::Json, |text| {
        decode_if_contained(text, '\\', unescape_json)
    }),
    (Encoding::Html, |text| {
        decode_if_contained(text, '&', unescape_html)
    }),
    (Encoding::Percent, |text| decode_hex_escapes(text, "%")),
    (Encoding::Percent, |text| decode_hex_escapes(text, "\\x")),
    (Encoding::Latin1, undo_latin1),
];

fn decode_if_contained(text: &str, mark: char, decode: fn(&str) -> String) -> Option<String> {
    if !text.contains(mark) {
        return None;
    }
    Some(decode(text)).filter(|decoded| decoded != text)
}

/// Decodes escapes such as `%40`, with another mark than a percent sign: programs write `\x40`.
fn decode_hex_escapes(text: &str, mark: &str) -> Option<String> {
    let mut marks = text.match_indices(mark);
    if !marks.any(|(at, _)| hex_byte(&text.as_bytes()[at + mark.len()..]).is_some()) {
        return None;
    }
    Some(percent_decoded(&if mark == "%" {
        text.to_owned()
    } else {
        text.replace(mark, "%")
    }))
}

/// Decodes the escapes of e-mails, such as `=40`.
fn decode_quoted_printable(text: &str) -> Option<String> {
    decode_hex_escapes(text, "=")
}

/// Removes HTML tags.
fn strip_tags(text: &str) -> Option<String> {
    let (before, mut rest) = text.split_once('<')?;
    let mut plain = before.to_owned();
    loop {
        let Some((_, after)) = rest.split_once('>') else {
            return Some(plain);
        };
        let Some((between, next)) = after.split_once('<') else {
            return Some(plain + after);
        };
        plain.push_str(between);
        rest = next;
    }
}

/// Repairs UTF-8 that was read as Latin-1 or Windows-1252, such as `JosÃ©`.
fn undo_latin1(text: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let mut repaired = String::with_capacity(text.len());
    let mut bytes = Vec::new();
    for c in text.chars() {
        if let Some(byte) = latin1_byte(c) {
            bytes.push(byte);
            continue;
        }
        repaired.push_str(&utf8_or_latin1(&bytes));
        bytes.clear();
        repaired.push(c);
    }
    repaired.push_str(&utf8_or_latin1(&bytes));
    Some(repaired).filter(|repaired| repaired != text)
}

/// The bytes of compressed data that was stored as text, one character a byte.
fn latin1_bytes(text: &str) -> Option<Vec<u8>> {
    if !text.starts_with(['\u{1f}', 'x']) || text.is_ascii() {
        return None;
    }
    text.chars().map(|c| u8::try_from(c).ok()).collect()
}

/// Decodes percent escapes, and `+` as a space. Invalid escapes stay as they are, and bytes that
/// are not UTF-8 are read as Latin-1.
pub(in crate::har) fn percent_decoded(text: &str) -> String {
    utf8_or_latin1(&percent_decoded_bytes(text))
}

fn percent_decoded_bytes(text: &str) -> Vec<u8> {
    percent_bytes(text)
        .map(|(byte, is_encoded)| match byte {
            b'+' if !is_encoded => b' ',
            byte => byte,
        })
        .collect()
}

/// Decodes the runs of hexadecimal digits and of base64.
fn decode_all_runs(text: &str, unpacked: &mut Unpacked) -> [(Encoding, String); 3] {
    // Remove spaces, because encoded text may be broken into lines or groups.
    let joined;
    let text = if text.contains(char::is_whitespace) {
        joined = text.split_whitespace().collect::<String>();
        &joined
    } else {
        text
    };
    let hex = decode_hex_runs(text, unpacked);
    let grouped_hex = if has_grouped_hex(text) {
        decode_hex_runs(&text.replace([':', '-'], ""), unpacked)
    } else {
        String::new()
    };
    let base64 = decode_base64_runs(text, unpacked);
    [
        (Encoding::Hex, hex),
        (Encoding::Hex, grouped_hex),
        (Encoding::Base64, base64),
    ]
}

/// True if the text contains bytes in hexadecimal with separators, such as `61:6e:61`.
fn has_grouped_hex(text: &str) -> bool {
    text.as_bytes().windows(6).any(|bytes| {
        let mut separators = [2, 5].into_iter();
        let mut digits = [0, 1, 3, 4].into_iter();
        separators.all(|index| [b':', b'-'].contains(&bytes[index]))
            && digits.all(|index: usize| bytes[index].is_ascii_hexdigit())
    })
}
