//! Searches an exported file for texts, in every encoding that the file may use.
//!
//! The search uses none of the mask's rules, so it can find personal data that the mask missed.

use serde_json::Value;

use crate::contract::{from_base64, json_parts, unescape_html, unescape_json};
use crate::trade::search::searchable_in_full;

/// The minimum number of letters and digits in a text to search for. Shorter texts would be found
/// by chance.
pub const MIN_LETTERS: usize = 3;

/// The maximum number of nested encodings, such as base64 in a JSON text inside another JSON text.
const MAX_DEPTH: usize = 3;

/// The minimum length, in characters, of printable text in decoded bytes. Shorter printable parts
/// occur by chance in bytes that do not encode text.
const MIN_PRINTABLE: usize = 8;

/// Marks the end of a decoded part. The search does not skip this character, so no text is found
/// across two parts.
const PART_END: char = '\u{e000}';

/// A text to search for: its letters and digits, in lower case and without accents.
pub struct Needle(String);

/// The encoding in which a text was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// No encoding: the text is in the file as it is. Letter case, accents and separators make no
    /// difference.
    Plain,
    /// JSON string escapes, such as `\u0040`.
    Json,
    /// HTML escapes, such as `&#64;`.
    Html,
    /// Percent escapes, as in a URL or a form.
    Percent,
    /// Hexadecimal digits.
    Hex,
    /// Base64. The text may start at any of the three offsets within a group.
    Base64,
}

/// A place in the file where a text was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The index of the text in the given list of needles.
    pub needle: usize,
    /// The place in the file: a path such as `log.entries[0].request.url`, or a line number if the
    /// file is not JSON.
    pub place: String,
    /// The encoding in which the text was found. If encodings are nested, this is the outermost
    /// one.
    pub encoding: Encoding,
}

impl Needle {
    /// Prepares a text for the search. Returns `None` for fewer than [`MIN_LETTERS`] letters and
    /// digits.
    ///
    /// A long number is searched for without the country code 55 and without leading zeros: a file
    /// may contain a telephone number without its country code, or a CPF as a JSON number.
    pub fn of(text: &str) -> Option<Needle> {
        let normalized = normalize(text);
        let is_long_number =
            normalized.len() >= 11 && normalized.bytes().all(|b| b.is_ascii_digit());
        let is_phone = is_long_number && (12..=13).contains(&normalized.len());
        let national = normalized.strip_prefix("55").filter(|_| is_phone).unwrap_or(&normalized);
        let short = if is_long_number { national.trim_start_matches('0') } else { national };
        (short.chars().count() >= MIN_LETTERS).then(|| Needle(short.to_owned()))
    }

    /// Returns the encoding in which `text` contains the needle, or `None` if it does not.
    pub fn found_in(&self, text: &str) -> Option<Encoding> {
        self.find_in_views(&views(text))
    }

    fn find_in_views(&self, views: &[(Encoding, String)]) -> Option<Encoding> {
        views.iter().find(|(_, view)| view.contains(&self.0)).map(|(encoding, _)| *encoding)
    }
}

/// Searches the text of a file, and returns all places that contain a needle.
pub fn check(file: &str, needles: &[Needle]) -> Vec<Hit> {
    let mut hits = Vec::new();
    let file = file.trim_start_matches('\u{feff}');
    if serde_json::from_str::<Value>(file).is_ok() {
        visit_values("", file.trim(), &mut |place, text| {
            find_needles(needles, place, text, &mut hits)
        });
        return hits;
    }
    for (index, line) in file.lines().enumerate() {
        find_needles(needles, &(index + 1).to_string(), line, &mut hits);
    }
    if hits.is_empty() {
        // Search the file as a whole, because a text or its encoding may extend over several lines.
        find_needles(needles, "1", file, &mut hits);
    }
    hits
}

fn find_needles(needles: &[Needle], place: &str, text: &str, hits: &mut Vec<Hit>) {
    let views = views(text);
    for (needle, text_to_find) in needles.iter().enumerate() {
        let encoding = text_to_find.find_in_views(&views);
        hits.extend(encoding.map(|encoding| Hit { needle, place: place.to_owned(), encoding }));
    }
}

/// Returns the text and all its decodings, each normalized and with its outermost encoding.
fn views(text: &str) -> Vec<(Encoding, String)> {
    let mut views = vec![(Encoding::Plain, normalize(text))];
    let mut nested = decodings(text);
    for _ in 0..MAX_DEPTH {
        views.extend(nested.iter().map(|(encoding, text)| (*encoding, normalize(text))));
        let decode_again = |(encoding, text): (Encoding, String)| {
            decodings(&text).into_iter().map(move |(_, text)| (encoding, text))
        };
        nested = nested.into_iter().flat_map(decode_again).collect();
    }
    views
}

/// Calls `visit` for each name and value in a JSON text, with its path. A repeated name is visited
/// each time.
fn visit_values(place: &str, json: &str, visit: &mut impl FnMut(&str, &str)) {
    let is_object = json.starts_with('{');
    for (index, (name, value)) in json_parts(json).into_iter().enumerate() {
        let inner_place =
            if is_object { member_place(place, index, &name) } else { format!("{place}[{index}]") };
        if is_object {
            visit(&inner_place, &name);
        }
        visit_values(&inner_place, value.get(), visit);
    }
    if !json.starts_with(['{', '[']) {
        let text: Option<String> = serde_json::from_str(json).ok();
        visit(place, text.as_deref().unwrap_or(json));
    }
}

/// Returns the path of a member of an object. An unusual member name may itself be the private
/// text, so the path then contains the index of the member instead.
fn member_place(place: &str, index: usize, name: &str) -> String {
    let is_word = (1..=40).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_');
    match is_word {
        true if place.is_empty() => name.to_owned(),
        true => format!("{place}.{name}"),
        false => format!("{place}{{{index}}}"),
    }
}

/// Returns the letters and digits of a text, in lower case and without accents. All other
/// characters are dropped.
fn normalize(text: &str) -> String {
    let mut text = searchable_in_full(text);
    text.retain(|c| c.is_alphanumeric() || c == PART_END);
    text
}

/// Returns all decodings of a text that differ from the text itself.
fn decodings(text: &str) -> Vec<(Encoding, String)> {
    let mut decodings = Vec::new();
    if text.contains('\\') {
        decodings.push((Encoding::Json, unescape_json(text)));
    }
    if text.contains('&') {
        decodings.push((Encoding::Html, unescape_html(text)));
    }
    // Some formats write the escape `%40` differently: e-mails as `=40`, programs as `\x40`.
    for mark in ["%", "=", "\\x"].into_iter().filter(|mark| text.contains(mark)) {
        decodings.push((Encoding::Percent, percent_decoded(&text.replace(mark, "%"))));
    }
    // Remove spaces, because encoded text may be broken into lines or groups.
    let without_spaces: String = text.split_whitespace().collect();
    decodings.push((Encoding::Hex, decode_hex_runs(&without_spaces)));
    if without_spaces.contains([':', '-']) {
        decodings.push((Encoding::Hex, decode_hex_runs(&without_spaces.replace([':', '-'], ""))));
    }
    for extra_symbols in [b"+/", b"-_"] {
        let is_symbol = |b: &u8| b.is_ascii_alphanumeric() || extra_symbols.contains(b);
        decodings.push((Encoding::Base64, decode_runs(&without_spaces, is_symbol, 4, from_base64)));
    }
    decodings.retain(|(_, decoded)| !decoded.is_empty());
    decodings
}

/// Returns true if hexadecimal digits encode readable text.
pub(super) fn encodes_text(digits: &str) -> bool {
    !decode_hex_runs(digits).is_empty()
}

fn decode_hex_runs(text: &str) -> String {
    decode_runs(text, u8::is_ascii_hexdigit, 2, |run| hex_decoded(run.as_bytes()))
}

/// Decodes percent escapes, and `+` as a space. Invalid escapes stay as they are.
pub(super) fn percent_decoded(text: &str) -> String {
    let (bytes, mut decoded, mut offset) = (text.as_bytes(), Vec::with_capacity(text.len()), 0);
    while let Some(byte) = bytes.get(offset) {
        let digits =
            bytes.get(offset + 1..offset + 3).filter(|_| *byte == b'%').and_then(hex_decoded);
        offset += if digits.is_some() { 3 } else { 1 };
        decoded.push(digits.map_or(if *byte == b'+' { b' ' } else { *byte }, |digits| digits[0]));
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

/// Finds each run of characters that may be encoded text. Decodes the run several times, starting
/// at each of its first `offsets` characters. Returns the printable parts.
fn decode_runs(
    text: &str,
    is_symbol: impl Fn(&u8) -> bool,
    offsets: usize,
    decode: impl Fn(&str) -> Option<Vec<u8>>,
) -> String {
    let mut decoded = String::new();
    for run in text.split(|c: char| !u8::try_from(c).is_ok_and(|b| is_symbol(&b))) {
        for start in 0..offsets.min(run.len()) {
            let bytes = (0..offsets).find_map(|cut| decode(run.get(start..run.len() - cut)?));
            decoded.push_str(&bytes.map(|bytes| printable_parts(&bytes)).unwrap_or_default());
        }
    }
    decoded
}

/// Returns the printable parts of decoded bytes, without short ones. Each part ends with a mark.
fn printable_parts(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let is_unprintable =
        |c: char| (c.is_control() && !c.is_whitespace()) || c == char::REPLACEMENT_CHARACTER;
    let parts = text.split(is_unprintable);
    let is_text = |part: &&str| part.len() == text.len() || part.chars().count() >= MIN_PRINTABLE;
    parts.filter(is_text).map(|part| format!("{part}{PART_END}")).collect()
}

fn hex_decoded(text: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let pair = |pair: &[u8]| u8::try_from(digit(pair[0])? * 16 + digit(pair[1])?).ok();
    text.len().is_multiple_of(2).then(|| text.chunks(2).map(pair).collect())?
}

#[cfg(test)]
mod tests {
    use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD, Engine};

    use super::*;

    const CPF: &str = "529.982.247-25";

    fn find(file: &str, text: &str) -> Option<(String, Encoding)> {
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
        let mut cases = vec![
            (CPF.to_owned(), Encoding::Plain),
            ("a52998224725b".to_owned(), Encoding::Plain),
            ("(529) 982/247 25".to_owned(), Encoding::Plain),
            ("529_982\u{a0}247\u{2013}25".to_owned(), Encoding::Plain),
            ("５２９.９８２.２４７-２５".to_owned(), Encoding::Plain),
            ("&#53;&#x32;9982247&nbsp;25".to_owned(), Encoding::Html),
            (r"\u0035\u0032998224725".to_owned(), Encoding::Json),
            (percent, Encoding::Percent),
            (hex(CPF), Encoding::Hex),
            (format!("a{}", hex(CPF).to_uppercase()), Encoding::Hex),
        ];
        for before in ["", "x", "xy", "xyz"] {
            let text = format!("{before}{CPF}{before}");
            cases.push((BASE64_STANDARD.encode(&text), Encoding::Base64));
            cases.push((BASE64_URL_SAFE_NO_PAD.encode(&text), Encoding::Base64));
            cases
                .push((format!("/p/{}/x", BASE64_URL_SAFE_NO_PAD.encode(&text)), Encoding::Base64));
        }
        for (text, encoding) in cases {
            for needle in [CPF, "52998224725"] {
                assert_eq!(find(&text, needle), Some(("1".into(), encoding)), "{text}");
                let json = serde_json::json!({ "a": [{ "x": text }] }).to_string();
                assert_eq!(find(&json, needle), Some(("a[0].x".into(), encoding)), "{json}");
                let key = serde_json::json!({ "a": { &*text: 1 } }).to_string();
                assert_eq!(find(&key, needle), Some(("a{0}".into(), encoding)), "{key}");
            }
        }
        assert_eq!(find(r#"{"a":52998224725}"#, CPF), Some(("a".into(), Encoding::Plain)));
        assert_eq!(find("x\nÁNA LIMA\n", "ána lima"), Some(("2".into(), Encoding::Plain)));
    }

    #[test]
    fn repeated_member_is_found() {
        for (file, place) in [
            (r#"{"a":"529.982.247-25","a":"x"}"#, "a"),
            (r#"{"a":52998224725,"a":1}"#, "a"),
            (r#"{ "x" : [ {}, { "b" : {"529.982.247-25" : 1}, "b":2 } ] }"#, "x[1].b{0}"),
            (r#"{"log":[[],{"c\"d":1,"e":"\"529.982.247-25"}],"log":[]}"#, "log[1].e"),
        ] {
            assert_eq!(find(file, CPF), Some((place.into(), Encoding::Plain)), "{file}");
        }
        let long_number = "5299822472512345678901";
        assert!(find(&format!(r#"{{"a":{long_number}}}"#), long_number).is_some());
    }

    #[test]
    fn accents_and_case_do_not_count() {
        let decomposed = "Jose\u{301} Arau\u{301}jo";
        for text in ["José Araújo", "JOSE ARAUJO", decomposed, "Jos&eacute; Ara&uacute;jo"] {
            for needle in ["José Araújo", "jose araujo", decomposed] {
                assert!(find(text, needle).is_some(), "{needle} in {text}");
                let json = serde_json::json!({ "a": text }).to_string();
                assert!(find(&json, needle).is_some(), "{needle} in {json}");
            }
        }
        let page = r#"{"a":"ana&#64;loja.example"}"#;
        assert_eq!(find(page, "ana@loja.example"), Some(("a".into(), Encoding::Html)));
        let nested = serde_json::json!({ "a": r#"{"b":"Ana\nSouza 😀 \ud83d\ude00 x"}"# });
        assert!(find(&nested.to_string(), "Ana Souza x").is_some());
    }

    #[test]
    fn number_is_found_without_zero_and_country() {
        for (text, needle) in [
            ("1234567890", "012.345.678-90"),
            ("01234567890", "012.345.678-90"),
            ("11912345678", "+55 11 91234-5678"),
            ("+55 (11) 91234-5678", "11912345678"),
            ("+55 (11) 91234-5678", "5511912345678"),
            ("1133334444", "+55 11 3333-4444"),
        ] {
            assert!(find(&format!(r#"{{"a":{text:?}}}"#), needle).is_some(), "{needle} in {text}");
        }
        assert!(find(r#"{"a":1234567890}"#, "012.345.678-90").is_some());
    }

    #[test]
    fn nested_and_broken_encodings_are_decoded() {
        let inner = serde_json::json!({ "t": BASE64_STANDARD.encode(CPF) }).to_string();
        let nested = serde_json::json!({ "body": inner }).to_string();
        let file = serde_json::json!({ "log": nested }).to_string();
        assert_eq!(find(&file, CPF), Some(("log".into(), Encoding::Base64)));
        let lines = BASE64_STANDARD.encode(format!("some text before it {CPF}"));
        let lines = [&lines[..30], &lines[30..]].join("\r\n");
        assert_eq!(find(&lines, CPF), Some(("1".into(), Encoding::Base64)));
        let long =
            BASE64_STANDARD.encode(format!("{}José {CPF}{}", "x".repeat(50), "y".repeat(50)));
        for lines in [[&long[..76], &long[76..]].join("\r\n"), long[..].replace('e', "e\n ")] {
            let file = serde_json::json!({ "a": lines }).to_string();
            assert_eq!(find(&file, CPF), Some(("a".into(), Encoding::Base64)), "{lines}");
        }
        for mail in ["x ana=40loja.exam=\nple", r"\x61na\x40loja.example"] {
            let file = serde_json::json!({ "a": mail }).to_string();
            assert!(find(&file, "ana@loja.example").is_some(), "{mail}");
        }
        let groups: Vec<String> = CPF.bytes().map(|byte| format!("{byte:02x}")).collect();
        for between in [" ", ":", "-"] {
            let hex = groups.join(between);
            assert_eq!(find(&hex, CPF), Some(("1".into(), Encoding::Hex)), "{hex}");
        }
        assert_eq!(find("José\nAraújo", "José Araújo"), Some(("1".into(), Encoding::Plain)));
        for broken in ["\\", "\\u12", "%", "%4", "%zz", "abc\\", "aGk=", "{\"a\":", "é%é"] {
            assert_eq!(find(broken, CPF), None, "{broken}");
        }
    }

    #[test]
    fn short_text_is_not_searched_for() {
        assert!(["", "ab", "1.2", "-- --"].iter().all(|text| Needle::of(text).is_none()));
        assert!(Needle::of("abc").is_some());
        // Three letters that occur by chance in random bytes must not count as a hit.
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
            assert_eq!(Needle::of(name).unwrap().find_in_views(&views), None, "{name}");
        }
    }

    proptest::proptest! {
        #[test]
        fn search_never_panics(
            file in "(\\\\u[0-9a-f]{4}|%[0-9a-f]{0,2}|é|\\\\|=|\"|\n){0,12}|\\PC{0,40}",
        ) {
            check(&file, &[Needle::of(CPF).unwrap()]);
        }
    }
}
