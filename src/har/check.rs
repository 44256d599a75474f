//! Searches an exported file for texts, in every encoding that the file may use.
//!
//! The search does not share the mask's rules, so it also finds what the mask missed.

use serde_json::Value;

use crate::contract::from_base64;

/// The characters that a search ignores, because the same number is written with and without them.
const SEPARATORS: [char; 7] = ['.', '-', '/', '(', ')', ' ', '+'];

/// The minimum number of letters and digits in a text to search for. Shorter texts occur by chance.
pub const LEAST_LETTERS: usize = 3;

/// The number of encodings that may be nested, such as base64 in a JSON text in a JSON text.
const DEEPEST: usize = 3;

/// The minimum length, in characters, of a printable run that counts as decoded text. Shorter runs
/// occur by chance in data that is not encoded text.
const LEAST_PRINTABLE: usize = 8;

/// A text to search for.
pub struct Needle(String);

/// The encoding of a text that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// The text itself, in any case, with or without separators.
    Plain,
    /// A JSON string with escapes, inside another text.
    Json,
    /// Percent escapes, as in a URL or a form.
    Percent,
    /// Hexadecimal digits.
    Hex,
    /// Base64, at any of its three offsets.
    Base64,
}

/// A place where a text was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The index of the text in the list of texts to search for.
    pub needle: usize,
    /// The place in the file: a path such as `log.entries[0].request.url`, or a line number if the
    /// file is not JSON.
    pub place: String,
    /// The outermost encoding of the text.
    pub encoding: Encoding,
}

impl Needle {
    /// Prepares the search for a text; `None` if it has fewer than [`LEAST_LETTERS`] letters and
    /// digits.
    pub fn of(text: &str) -> Option<Needle> {
        let letters = text.chars().filter(|c| c.is_alphanumeric()).count();
        (letters >= LEAST_LETTERS).then(|| Needle(folded(text)))
    }

    /// Returns the encoding of the needle in `text`, or `None` if `text` does not contain it.
    pub fn found_in(&self, text: &str) -> Option<Encoding> {
        self.found_in_views(&views(text))
    }

    fn found_in_views(&self, views: &[(Encoding, String)]) -> Option<Encoding> {
        views.iter().find(|(_, view)| view.contains(&self.0)).map(|(encoding, _)| *encoding)
    }
}

/// Searches the text of a file. Returns every place that contains one of the needles.
pub fn check(file: &str, needles: &[Needle]) -> Vec<Hit> {
    let mut hits = Vec::new();
    if let Ok(json) = serde_json::from_str::<Value>(file) {
        walk(&json, String::new(), &mut |place, text| seek(needles, place, text, &mut hits));
        return hits;
    }
    for (at, line) in file.lines().enumerate() {
        seek(needles, &(at + 1).to_string(), line, &mut hits);
    }
    if hits.is_empty() {
        // Some encoders break base64 into lines.
        seek(needles, "1", &file.replace(['\r', '\n'], ""), &mut hits);
    }
    hits
}

fn seek(needles: &[Needle], place: &str, text: &str, hits: &mut Vec<Hit>) {
    let views = views(text);
    for (needle, wanted) in needles.iter().enumerate() {
        let found = wanted.found_in_views(&views);
        hits.extend(found.map(|encoding| Hit { needle, place: place.to_owned(), encoding }));
    }
}

/// Returns the text and all its decodings, each in lower case without separators, and with its
/// outermost encoding.
fn views(text: &str) -> Vec<(Encoding, String)> {
    let mut views = vec![(Encoding::Plain, folded(text))];
    let mut inner = readings(text);
    for _ in 0..DEEPEST {
        views.extend(inner.iter().map(|(encoding, text)| (*encoding, folded(text))));
        let deeper = |(encoding, text): (Encoding, String)| {
            readings(&text).into_iter().map(move |(_, text)| (encoding, text))
        };
        inner = inner.into_iter().flat_map(deeper).collect();
    }
    views
}

/// Calls `visit` for each name and value of a JSON text, with the place.
fn walk(value: &Value, place: String, visit: &mut impl FnMut(&str, &str)) {
    match value {
        Value::Object(members) => {
            for (at, (name, member)) in members.iter().enumerate() {
                let dot = if place.is_empty() { "" } else { "." };
                // An unusual name may itself be the text that is searched for, so do not show it in
                // the place. Show the number of the member instead.
                let is_word =
                    name.len() <= 40 && name.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_');
                let here = match is_word {
                    true => format!("{place}{dot}{name}"),
                    false => format!("{place}{{{at}}}"),
                };
                visit(&here, name);
                walk(member, here, visit);
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                walk(item, format!("{place}[{at}]"), visit);
            }
        }
        Value::String(text) => visit(&place, text),
        Value::Number(number) => visit(&place, &number.to_string()),
        Value::Null | Value::Bool(_) => {}
    }
}

/// Returns the text in lower case, without separators.
fn folded(text: &str) -> String {
    text.chars().filter(|c| !SEPARATORS.contains(c)).flat_map(char::to_lowercase).collect()
}

/// Returns every decoding of a text that differs from the text.
fn readings(text: &str) -> Vec<(Encoding, String)> {
    let mut all = Vec::new();
    if text.contains('\\') {
        all.push((Encoding::Json, unescaped(text)));
    }
    if text.contains('%') {
        all.push((Encoding::Percent, percent_decoded(text)));
    }
    let decoded = [(Encoding::Hex, of_runs(text, u8::is_ascii_hexdigit, 2, hex_decoded))];
    let standard =
        of_runs(text, |b| b.is_ascii_alphanumeric() || b"+/".contains(b), 4, from_base64);
    let of_url = of_runs(text, |b| b.is_ascii_alphanumeric() || b"-_".contains(b), 4, from_base64);
    let of_base64 = [standard, of_url].map(|text| (Encoding::Base64, text));
    all.extend(decoded.into_iter().chain(of_base64).filter(|(_, decoded)| !decoded.is_empty()));
    all
}

/// Decodes JSON escapes. A broken escape is kept.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once('\\') {
        plain.push_str(before);
        let code = escape.strip_prefix('u').and_then(|digits| digits.get(..4));
        let code = code.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        match (code, escape.chars().next()) {
            (Some(code), _) => {
                plain.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                rest = &escape[5..];
            }
            (None, Some(c)) => {
                plain.push(c);
                rest = &escape[c.len_utf8()..];
            }
            (None, None) => rest = "",
        }
    }
    plain + rest
}

/// Decodes percent escapes, and `+` as a space. A broken escape is kept.
pub(super) fn percent_decoded(text: &str) -> String {
    let (bytes, mut plain, mut at) = (text.as_bytes(), Vec::with_capacity(text.len()), 0);
    while let Some(byte) = bytes.get(at) {
        let digits =
            bytes.get(at + 1..at + 3).filter(|_| *byte == b'%').and_then(hex_decoded_bytes);
        at += if digits.is_some() { 3 } else { 1 };
        plain.push(digits.map_or(if *byte == b'+' { b' ' } else { *byte }, |digits| digits[0]));
    }
    String::from_utf8_lossy(&plain).into_owned()
}

/// Decodes every run of characters that can belong to an encoding. Starts at each of the first
/// `offsets` characters of a run. Returns the printable parts, one on each line.
fn of_runs(
    text: &str,
    is_part: impl Fn(&u8) -> bool,
    offsets: usize,
    decode: impl Fn(&str) -> Option<Vec<u8>>,
) -> String {
    let mut plain = String::new();
    for run in text.split(|c: char| !u8::try_from(c).is_ok_and(|b| is_part(&b))) {
        for from in 0..offsets.min(run.len()) {
            let bytes = (0..offsets).find_map(|cut| decode(run.get(from..run.len() - cut)?));
            plain.push_str(&bytes.map(|bytes| printable(&bytes)).unwrap_or_default());
        }
    }
    plain
}

/// Returns the printable parts of decoded bytes that are long enough, one on each line.
fn printable(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let is_other = |c: char| c.is_control() || c == char::REPLACEMENT_CHARACTER;
    let parts = text.split(is_other);
    let is_text = |part: &&str| part.len() == text.len() || part.chars().count() >= LEAST_PRINTABLE;
    parts.filter(is_text).flat_map(|part| [part, "\n"]).collect()
}

fn hex_decoded(text: &str) -> Option<Vec<u8>> {
    hex_decoded_bytes(text.as_bytes())
}

fn hex_decoded_bytes(text: &[u8]) -> Option<Vec<u8>> {
    let digit =
        |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let pair = |pair: &[u8]| Some(digit(&pair[0])? * 16 + digit(&pair[1])?);
    text.len().is_multiple_of(2).then(|| text.chunks(2).map(pair).collect())?
}

#[cfg(test)]
mod tests {
    use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD, Engine};

    use super::*;

    const CPF: &str = "529.982.247-25";

    fn found(file: &str, text: &str) -> Option<(String, Encoding)> {
        let hits = check(file, &[Needle::of("not there").unwrap(), Needle::of(text).unwrap()]);
        assert!(hits.iter().all(|hit| hit.needle == 1), "{hits:?}");
        hits.into_iter().next().map(|hit| (hit.place, hit.encoding))
    }

    fn hex(text: &str) -> String {
        text.bytes().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn text_is_found_in_every_encoding() {
        let percent: String = CPF.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let mut all = vec![
            (CPF.to_owned(), Encoding::Plain),
            ("a52998224725b".to_owned(), Encoding::Plain),
            ("(529) 982/247 25".to_owned(), Encoding::Plain),
            (r"\u0035\u0032998224725".to_owned(), Encoding::Json),
            (percent, Encoding::Percent),
            (hex(CPF), Encoding::Hex),
            (format!("a{}", hex(CPF).to_uppercase()), Encoding::Hex),
        ];
        for before in ["", "x", "xy", "xyz"] {
            let text = format!("{before}{CPF}{before}");
            all.push((BASE64_STANDARD.encode(&text), Encoding::Base64));
            all.push((BASE64_URL_SAFE_NO_PAD.encode(&text), Encoding::Base64));
            all.push((format!("/p/{}/x", BASE64_URL_SAFE_NO_PAD.encode(&text)), Encoding::Base64));
        }
        for (text, encoding) in all {
            for needle in [CPF, "52998224725"] {
                assert_eq!(found(&text, needle), Some(("1".into(), encoding)), "{text}");
                let json = serde_json::json!({ "a": [{ "x": text }] }).to_string();
                assert_eq!(found(&json, needle), Some(("a[0].x".into(), encoding)), "{json}");
                let key = serde_json::json!({ "a": { &*text: 1 } }).to_string();
                assert_eq!(found(&key, needle), Some(("a{0}".into(), encoding)), "{key}");
            }
        }
        assert_eq!(found(r#"{"a":52998224725}"#, CPF), Some(("a".into(), Encoding::Plain)));
        assert_eq!(found("x\nÁNA LIMA\n", "ána lima"), Some(("2".into(), Encoding::Plain)));
    }

    #[test]
    fn nested_and_broken_encodings_are_decoded() {
        let inner = serde_json::json!({ "t": BASE64_STANDARD.encode(CPF) }).to_string();
        let nested = serde_json::json!({ "body": inner }).to_string();
        let file = serde_json::json!({ "log": nested }).to_string();
        assert_eq!(found(&file, CPF), Some(("log".into(), Encoding::Base64)));
        let lines = BASE64_STANDARD.encode(format!("some text before it {CPF}"));
        let lines = [&lines[..30], &lines[30..]].join("\r\n");
        assert_eq!(found(&lines, CPF), Some(("1".into(), Encoding::Base64)));
        for broken in ["\\", "\\u12", "%", "%4", "%zz", "abc\\", "aGk=", "{\"a\":", "é%é"] {
            assert_eq!(found(broken, CPF), None, "{broken}");
        }
    }

    #[test]
    fn short_text_is_not_searched_for() {
        assert!(["", "ab", "1.2", "-- --"].iter().all(|text| Needle::of(text).is_none()));
        assert!(Needle::of("abc").is_some());
        // Three letters do not count if they occur by chance in data that is not text.
        let mut state = 1_u32;
        let mut byte = |_| {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state.to_le_bytes()[1]
        };
        let noise = BASE64_STANDARD.encode((0..60_000).map(&mut byte).collect::<Vec<u8>>());
        let mut views = views(&noise);
        views.retain(|(encoding, _)| *encoding != Encoding::Plain);
        let names = "ana bia leo rui eva ivo lia edu gil ari noa tia 123 777 cpf rua sol luz";
        for name in names.split(' ') {
            assert_eq!(Needle::of(name).unwrap().found_in_views(&views), None, "{name}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_ends_the_search(
            file in "(\\\\u[0-9a-f]{4}|%[0-9a-f]{0,2}|é|\\\\|=|\"|\n){0,12}|\\PC{0,40}",
        ) {
            check(&file, &[Needle::of(CPF).unwrap()]);
        }
    }
}
