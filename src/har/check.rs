//! Searches an exported file for texts, in the encodings that such a file may use.
//!
//! The search uses none of the mask's rules, so it can find personal data that the mask missed.

mod bytes;
mod decode;
mod needle;

use std::collections::HashSet;

use serde_json::Value;

pub use needle::{Extent, MIN_LETTERS, Needle};

use crate::contract::{decode_text, json_parts};
use bytes::Unpacked;
use decode::views;
use needle::Folded;

pub(super) use bytes::encodes_text;
pub(super) use decode::percent_decoded;

/// The maximum length of a text that is remembered as searched, in bytes.
const MAX_REMEMBERED: usize = 200;

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
    /// UTF-8 that was read as Latin-1, such as `JosÃ©`.
    Latin1,
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
    /// How much of the text was found.
    pub extent: Extent,
}

/// The text of a file, which may be compressed with gzip, and may be in UTF-8, UTF-16 or Latin-1.
/// Returns `None` for other files.
pub fn file_text(bytes: Vec<u8>) -> Option<String> {
    let bytes = Unpacked::none().unpack(&bytes).unwrap_or(bytes);
    Some(decode_text(&bytes)).filter(|text| !text.contains('\0'))
}

/// Searches the text of a file, and returns all places that contain a needle. Places that contain
/// only a part of a needle are last.
pub fn check(file: &str, needles: &[Needle]) -> Vec<Hit> {
    let mut search = Search {
        needles,
        hits: vec![],
        unpacked: Unpacked::none(),
        clean: HashSet::new(),
    };
    let file = file.trim_start_matches('\u{feff}');
    if serde_json::from_str::<Value>(file).is_ok() {
        visit_values("", file.trim(), &mut |place, text| {
            search.find_in(place, text)
        });
    } else {
        for (index, line) in file.lines().enumerate() {
            search.find_in(&(index + 1).to_string(), line);
        }
        if search.hits.iter().all(|hit| hit.extent == Extent::Part) {
            // Search the file as a whole, because a text or its encoding may extend over several
            // lines.
            search.find_in("1", file);
        }
    }
    search.hits.sort_by_key(|hit| hit.extent);
    search.hits
}

/// The encoding in which `text` contains all of the needle, or `None` if it does not.
pub(super) fn encoding_in(text: &str, needle: &Needle) -> Option<Encoding> {
    let views = views(text, &mut Unpacked::none());
    let found = views
        .into_iter()
        .find(|view| needle.is_whole_in(&Folded::of(&view.text)));
    found.map(|view| view.encoding)
}

/// A search for several texts in one file.
struct Search<'a> {
    needles: &'a [Needle],
    hits: Vec<Hit>,
    unpacked: Unpacked,
    /// Short texts without a hit, because the same names and values occur in most entries.
    clean: HashSet<String>,
}

impl Search<'_> {
    /// Adds the hits in one text of the file, at most one for each needle.
    fn find_in(&mut self, place: &str, text: &str) {
        if self.clean.contains(text) {
            return;
        }
        let mut found: Vec<Option<(Extent, Encoding)>> = vec![None; self.needles.len()];
        for view in views(text, &mut self.unpacked) {
            let folded = Folded::of(&view.text);
            for (found, needle) in found.iter_mut().zip(self.needles) {
                let extent = needle.extent_in(&folded);
                if extent.is_some_and(|extent| found.is_none_or(|(known, _)| extent < known)) {
                    *found = extent.map(|extent| (extent, view.encoding));
                }
            }
        }
        if text.len() <= MAX_REMEMBERED && found.iter().all(Option::is_none) {
            self.clean.insert(text.to_owned());
        }
        for (needle, found) in found.into_iter().enumerate() {
            let Some((extent, encoding)) = found else {
                continue;
            };
            self.hits.push(Hit {
                needle,
                place: place.to_owned(),
                encoding,
                extent,
            });
        }
    }
}

/// Calls `visit` for each name and value in a JSON text, with its path. A repeated name is visited
/// each time.
fn visit_values(place: &str, json: &str, visit: &mut impl FnMut(&str, &str)) {
    let is_object = json.starts_with('{');
    for (index, (name, value)) in json_parts(json).into_iter().enumerate() {
        let inner_place = if is_object {
            member_place(place, index, &name)
        } else {
            format!("{place}[{index}]")
        };
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

/// The path of a member of an object. An unusual member name may itself be the private text, so the
/// path then contains the index of the member instead.
fn member_place(place: &str, index: usize, name: &str) -> String {
    let is_word = (1..=40).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_');
    if !is_word {
        format!("{place}{{{index}}}")
    } else if place.is_empty() {
        name.to_owned()
    } else {
        format!("{place}.{name}")
    }
}

#[cfg(test)]
mod tests {
    use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD, Engine};

    use super::*;

    const CPF: &str = "529.982.247-25";

    fn find(file: &str, text: &str) -> Option<(String, Encoding)> {
        let hits = check(
            file,
            &[Needle::of("not there").unwrap(), Needle::of(text).unwrap()],
        );
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
            cases.push((
                format!("/p/{}/x", BASE64_URL_SAFE_NO_PAD.encode(&text)),
                Encoding::Base64,
            ));
        }
        for (text, encoding) in cases {
            for needle in [CPF, "52998224725"] {
                assert_eq!(find(&text, needle), Some(("1".into(), encoding)), "{text}");
                let json = serde_json::json!({ "a": [{ "x": text }] }).to_string();
                assert_eq!(
                    find(&json, needle),
                    Some(("a[0].x".into(), encoding)),
                    "{json}"
                );
                let key = serde_json::json!({ "a": { &*text: 1 } }).to_string();
                assert_eq!(find(&key, needle), Some(("a{0}".into(), encoding)), "{key}");
            }
        }
        assert_eq!(
            find(r#"{"a":52998224725}"#, CPF),
            Some(("a".into(), Encoding::Plain))
        );
        assert_eq!(
            find("x\nÁNA LIMA\n", "ána lima"),
            Some(("2".into(), Encoding::Plain))
        );
    }

    #[test]
    fn repeated_member_is_found() {
        for (file, place) in [
            (r#"{"a":"529.982.247-25","a":"x"}"#, "a"),
            (r#"{"a":52998224725,"a":1}"#, "a"),
            (
                r#"{ "x" : [ {}, { "b" : {"529.982.247-25" : 1}, "b":2 } ] }"#,
                "x[1].b{0}",
            ),
            (
                r#"{"log":[[],{"c\"d":1,"e":"\"529.982.247-25"}],"log":[]}"#,
                "log[1].e",
            ),
        ] {
            assert_eq!(
                find(file, CPF),
                Some((place.into(), Encoding::Plain)),
                "{file}"
            );
        }
        let long_number = "5299822472512345678901";
        assert!(find(&format!(r#"{{"a":{long_number}}}"#), long_number).is_some());
    }

    #[test]
    fn accents_and_case_do_not_count() {
        let decomposed = "Jose\u{301} Arau\u{301}jo";
        for text in [
            "José Araújo",
            "JOSE ARAUJO",
            decomposed,
            "Jos&eacute; Ara&uacute;jo",
        ] {
            for needle in ["José Araújo", "jose araujo", decomposed] {
                assert!(find(text, needle).is_some(), "{needle} in {text}");
                let json = serde_json::json!({ "a": text }).to_string();
                assert!(find(&json, needle).is_some(), "{needle} in {json}");
            }
        }
        let page = r#"{"a":"ana&#64;loja.example"}"#;
        assert_eq!(
            find(page, "ana@loja.example"),
            Some(("a".into(), Encoding::Html))
        );
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
            assert!(
                find(&format!(r#"{{"a":{text:?}}}"#), needle).is_some(),
                "{needle} in {text}"
            );
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
        for lines in [
            [&long[..76], &long[76..]].join("\r\n"),
            long[..].replace('e', "e\n "),
        ] {
            let file = serde_json::json!({ "a": lines }).to_string();
            assert_eq!(
                find(&file, CPF),
                Some(("a".into(), Encoding::Base64)),
                "{lines}"
            );
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
        assert_eq!(
            find("José\nAraújo", "José Araújo"),
            Some(("1".into(), Encoding::Plain))
        );
        for broken in [
            "\\", "\\u12", "%", "%4", "%zz", "abc\\", "aGk=", "{\"a\":", "é%é",
        ] {
            assert_eq!(find(broken, CPF), None, "{broken}");
        }
    }

    /// Random bytes in base64.
    fn noise(count: usize) -> String {
        let mut state = 1_u32;
        let mut byte = |_| {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state.to_le_bytes()[1]
        };
        BASE64_STANDARD.encode((0..count).map(&mut byte).collect::<Vec<u8>>())
    }

    fn gzip(text: &str) -> Vec<u8> {
        let mut bytes = vec![0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3];
        bytes.extend_from_slice(b"a.json\0");
        bytes.extend(miniz_oxide::deflate::compress_to_vec(text.as_bytes(), 6));
        bytes
    }

    fn zlib(text: &str) -> Vec<u8> {
        miniz_oxide::deflate::compress_to_vec_zlib(text.as_bytes(), 6)
    }

    fn latin1(text: &str) -> Vec<u8> {
        text.chars().map(|c| u8::try_from(c).unwrap()).collect()
    }

    #[test]
    fn compressed_text_is_found() {
        let body = r#"{"document":{"name":"Ana","cpf":"529.982.247-25"}}"#;
        let damaged = gzip(&format!("{body}{}", noise(500)));
        for bytes in [
            gzip(body),
            zlib(body),
            [b"x\x1f".to_vec(), gzip(body)].concat(),
            gzip(&BASE64_STANDARD.encode(gzip(body))),
            damaged[..damaged.len() - 50].to_vec(),
        ] {
            for text in [
                BASE64_STANDARD.encode(&bytes),
                BASE64_URL_SAFE_NO_PAD.encode(&bytes),
                format!(
                    "data:application/gzip;base64,{}",
                    BASE64_STANDARD.encode(&bytes)
                ),
                bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
                bytes.iter().map(|byte| format!("%{byte:02x}")).collect(),
                bytes.iter().map(|byte| char::from(*byte)).collect(),
            ] {
                let json = serde_json::json!({ "a": text }).to_string();
                assert_eq!(find(&json, CPF).unwrap().0, "a", "{json}");
            }
        }
        let gzip_of_http = [
            "H4sIAAAAAAACA6tWysvPTVWyUnLMS1QIzi+tSlTSUUouSAOKmBpZWloYGZmYG5kq1QIA06bm",
            "6igAAAA=",
        ];
        assert_eq!(
            find(&gzip_of_http.concat(), CPF),
            Some(("1".into(), Encoding::Base64))
        );
    }

    #[test]
    fn other_character_sets_are_found() {
        let name = "José Araújo";
        let utf_16 = |unit: fn(u16) -> [u8; 2]| name.encode_utf16().flat_map(unit).collect();
        let little: Vec<u8> = utf_16(u16::to_le_bytes);
        let big: Vec<u8> = utf_16(u16::to_be_bytes);
        let percent = |bytes: &[u8]| {
            bytes
                .iter()
                .map(|byte| format!("%{byte:02X}"))
                .collect::<String>()
        };
        for text in [
            "Jos%E9+Ara%FAjo".to_owned(),
            "Jos=E9 Ara=FAjo".to_owned(),
            BASE64_STANDARD.encode(latin1(name)),
            BASE64_STANDARD.encode(latin1(&format!("{{\"nome\":\"{name}\"}}"))),
            BASE64_STANDARD.encode(&little),
            BASE64_STANDARD.encode(&big),
            BASE64_STANDARD.encode([b"x", &little[..]].concat()),
            percent(&little),
            percent(&big),
            "JosÃ© AraÃºjo".to_owned(),
            "JosÃƒÂ© AraÃƒÂºjo".to_owned(),
            latin1(name)
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect(),
        ] {
            assert!(find(&text, name).is_some(), "{text}");
            let json = serde_json::json!({ "a": text }).to_string();
            assert!(find(&json, name).is_some(), "{json}");
        }
        assert_eq!(
            find("JosÃ© AraÃºjo", name),
            Some(("1".into(), Encoding::Latin1))
        );
    }

    #[test]
    fn name_in_html_tags_is_found() {
        for text in [
            "<b>Ana</b> <i>Souza</i>",
            "&lt;b&gt;Ana&lt;/b&gt; Souza",
            "a > b <p>Ana Souza",
        ] {
            let hits = check(text, &[Needle::of("Ana Souza").unwrap()]);
            assert!(
                hits.iter().any(|hit| hit.extent == Extent::Whole),
                "{text}: {hits:?}"
            );
        }
    }

    #[test]
    fn date_is_found_in_both_orders() {
        for (text, needle) in [
            ("1990-02-03", "03/02/1990"),
            ("03/02/1990", "1990-02-03"),
            ("19900203", "03021990"),
            ("03.02.1990", "03/02/1990"),
        ] {
            assert!(find(text, needle).is_some(), "{needle} in {text}");
        }
        assert_eq!(find("1990-03-02", "03/02/1990"), None);
    }

    #[test]
    fn part_of_a_text_is_a_weaker_hit() {
        let extent = |text: &str, needle: &str| {
            check(text, &[Needle::of(needle).unwrap()])
                .first()
                .map(|hit| hit.extent)
        };
        for (text, needle) in [
            (r#"{"ddd":"11","numero":"912345678"}"#, "+55 11 91234-5678"),
            (r#"{"numero":"91234-5678"}"#, "(11) 91234-5678"),
            ("3333-4444", "+55 11 3333-4444"),
            (r#"{"firstName":"Ana","lastName":"Souza"}"#, "Ana Souza"),
            ("Souza, Ana", "Ana Souza"),
            ("c291emE=", "Ana Souza"),
        ] {
            assert_eq!(
                extent(text, needle),
                Some(Extent::Part),
                "{needle} in {text}"
            );
        }
        for (text, needle) in [
            ("Ana Lima", "Ana Souza"),
            ("souzas", "Ana Souza"),
            ("247-25", CPF),
            ("123", "Rua 123"),
            ("loja.example", "ana@loja.example"),
        ] {
            assert_eq!(extent(text, needle), None, "{needle} in {text}");
        }
        let both = "x Souza\nAna Souza";
        let hits = check(both, &[Needle::of("Ana Souza").unwrap()]);
        let places: Vec<_> = hits.iter().map(|hit| (&*hit.place, hit.extent)).collect();
        assert_eq!(places, [("2", Extent::Whole), ("1", Extent::Part)]);
    }

    #[test]
    fn decoding_takes_bounded_work() {
        for part in [
            r#"{"a":"b c","x":49.90}, "#,
            r#"\u0041&amp;%41=41\x41 <b>Ana</b> Ã©"#,
            "%2541%25253d&#37;34=3D41",
            "a=12&b=%20x/y+z_w-1:2f:3a ",
            "Pedido à vista, nº 12 & <i>x</i> ",
        ] {
            for text in [
                part.repeat(1_000),
                BASE64_STANDARD.encode(part.repeat(1_000)),
            ] {
                let views = views(&text, &mut Unpacked::none());
                let decoded: usize = views.iter().map(|view| view.text.len()).sum();
                assert!(
                    decoded <= 25 * text.len(),
                    "{part}: {} times",
                    decoded / text.len()
                );
            }
        }
    }

    #[test]
    fn short_text_is_not_searched_for() {
        assert!(
            ["", "ab", "1.2", "-- --"]
                .iter()
                .all(|text| Needle::of(text).is_none())
        );
        assert!(Needle::of("abc").is_some());
        // Three letters that occur by chance in random bytes must not count as a hit.
        let noise = noise(60_000);
        let mut views = views(&noise, &mut Unpacked::none());
        views.retain(|view| view.encoding != Encoding::Plain);
        let views: Vec<Folded> = views.iter().map(|view| Folded::of(&view.text)).collect();
        let names = "ana bia leo rui eva ivo lia edu gil ari noa tia 123 777 cpf rua sol luz";
        for name in names.split(' ') {
            let needle = Needle::of(name).unwrap();
            assert!(
                views.iter().all(|view| needle.extent_in(view).is_none()),
                "{name}"
            );
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
