//! Searches data for secrets. A single pass finds a secret in many encodings.

use std::fs;
use std::path::Path;

use aho_corasick::AhoCorasick;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD, Engine};

/// The length of the fragments that are searched for, in characters. A screen may wrap or cut a
/// secret, so finding one fragment of it is enough.
const FRAGMENT_LENGTH: usize = 12;

/// The minimum length of a secret, in characters. Shorter texts could occur by chance.
const MIN_SECRET_LENGTH: usize = 8;

/// Characters that may be between the digits of a number, as in a phone number.
const SEPARATORS: [char; 7] = ['.', '-', '/', '(', ')', ' ', '+'];

/// The beginning of every API token that a sandbox creates.
const API_TOKEN_PREFIX: &str = "api_";

/// The header (the first part) of every JWT that a sandbox creates.
const JWT_HEADER: &str = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9";

pub struct SecretSearch {
    search: AhoCorasick,
    /// The name of the encoding of each search pattern, in the order of the patterns.
    encoding_names: Vec<&'static str>,
}

impl SecretSearch {
    /// Prepares a search for these secrets and their fragments, in all encodings.
    ///
    /// The search also finds every sandbox token by its beginning. A demo creates its tokens inside
    /// the app, where a test cannot read them.
    pub fn new<'a>(secrets: impl IntoIterator<Item = &'a str>) -> SecretSearch {
        let mut patterns = vec![("the beginning of an API token", API_TOKEN_PREFIX.to_owned())];
        patterns.extend(encodings(JWT_HEADER));
        for secret in secrets.into_iter().map(secret_part) {
            patterns.extend(encodings(secret));
            let characters: Vec<char> = secret.chars().collect();
            // Search for a short secret (at most `FRAGMENT_LENGTH` characters) only as a whole,
            // because its parts could occur by chance.
            assert!(
                characters.len() >= MIN_SECRET_LENGTH,
                "too short to be like nothing else"
            );
            let length = FRAGMENT_LENGTH.min(characters.len());
            let fragments = characters
                .windows(length)
                .map(|letters| letters.iter().collect());
            patterns.extend(fragments.map(|fragment| ("a piece of the text", fragment)));
        }
        let search = AhoCorasick::new(patterns.iter().map(|(_, text)| text)).expect("texts");
        SecretSearch {
            search,
            encoding_names: patterns.into_iter().map(|(name, _)| name).collect(),
        }
    }

    /// Prepares a search for personal data such as documents and names, in all encodings. The
    /// search includes each text with and without separators, and in lower and upper case.
    pub fn for_personal_data<'a>(texts: impl IntoIterator<Item = &'a str>) -> SecretSearch {
        let cases = |text: &str| [text.to_owned(), text.to_lowercase(), text.to_uppercase()];
        let spellings = |text: &str| {
            let bare = text.replace(SEPARATORS, "");
            [cases(text), cases(&bare)].concat()
        };
        let all: Vec<String> = texts.into_iter().flat_map(spellings).collect();
        SecretSearch::new(all.iter().map(String::as_str))
    }

    /// Searches these bytes for secrets. Returns the encoding of a secret that was found, if any.
    pub fn find_in(&self, bytes: &[u8]) -> Option<&'static str> {
        let found = self.find_without_decoding(bytes);
        // Search the decoded text too, because any character can be percent-escaped in a URL.
        let in_decoded = || self.find_without_decoding(&decode_percent_escapes(bytes)?);
        found.or_else(in_decoded)
    }

    fn find_without_decoding(&self, bytes: &[u8]) -> Option<&'static str> {
        let is_token = |after: &[u8]| {
            after.len() >= FRAGMENT_LENGTH
                && after[..FRAGMENT_LENGTH].iter().all(u8::is_ascii_hexdigit)
        };
        let hits = self.search.find_iter(bytes);
        let mut secrets = hits.filter(|hit| {
            hit.pattern().as_usize() > 0 || is_token(bytes.get(hit.end()..).unwrap_or_default())
        });
        secrets.next().map(|hit| self.encoding_names[hit.pattern()])
    }

    /// Searches the names and contents of all files in a folder. Returns a message for each file
    /// that contains a secret. Skips the contents of a file for which `is_allowed` returns true.
    pub fn find_in_folder(&self, folder: &Path, is_allowed: &dyn Fn(&Path) -> bool) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(current) = folders.pop() {
            // Ignore errors, because a running app may delete files at the same time.
            for entry in fs::read_dir(&current).into_iter().flatten().flatten() {
                let path = entry.path();
                let Ok(kind) = entry.file_type() else {
                    continue;
                };
                if kind.is_dir() {
                    folders.push(path.clone());
                }
                let relative = path.strip_prefix(folder).expect("below it");
                let mut bytes = relative.as_os_str().as_encoded_bytes().to_vec();
                if kind.is_file() && !is_allowed(relative) {
                    bytes.push(b'\n');
                    bytes.extend(fs::read(&path).unwrap_or_default());
                }
                let encoding = self.find_in(&bytes);
                found.extend(encoding.map(|encoding| {
                    format!("{encoding} of a secret is in {}", relative.display())
                }));
            }
        }
        found
    }
}

/// Decodes percent escapes, as in URLs. Returns `None` if there are no escapes.
fn decode_percent_escapes(bytes: &[u8]) -> Option<Vec<u8>> {
    let escape = |text: &[u8]| match text {
        [b'%', digits @ ..] => {
            let digits = std::str::from_utf8(digits.get(..2)?).ok()?;
            u8::from_str_radix(digits, 16).ok()
        }
        _ => None,
    };
    bytes.contains(&b'%').then(|| {
        let mut text = Vec::with_capacity(bytes.len());
        let mut position = 0;
        while position < bytes.len() {
            let byte = escape(&bytes[position..]);
            text.push(byte.unwrap_or(bytes[position]));
            position += if byte.is_some() { 3 } else { 1 };
        }
        text
    })
}

/// Returns the secret part of a token. In a JWT, only the signature is secret, because the app may
/// show the user and the expiry time from the other parts.
fn secret_part(secret: &str) -> &str {
    match secret.rsplit_once('.') {
        Some((before, signature)) if before.contains(JWT_HEADER) => signature,
        _ => secret,
    }
}

/// Returns several encodings of a secret, with their names: plain text, JSON, hexadecimal, form
/// value, and base64 at each of the three alignments.
fn encodings(secret: &str) -> Vec<(&'static str, String)> {
    let hex = |upper: bool| -> String {
        let byte = |byte: u8| {
            if upper {
                format!("{byte:02X}")
            } else {
                format!("{byte:02x}")
            }
        };
        secret.bytes().map(byte).collect()
    };
    let json = serde_json::to_string(secret).expect("a text");
    let mut encoded = vec![
        ("the text", secret.to_owned()),
        ("the JSON", json[1..json.len() - 1].to_owned()),
        ("the hexadecimal", hex(false)),
        ("the hexadecimal", hex(true)),
        ("the text of a form", secret.replace(' ', "+")),
    ];
    // Base64 encodes groups of three bytes, so the result depends on the secret's position in its
    // group. Try all three positions. Leave out the outermost characters, because they depend on
    // the adjacent bytes.
    for before in ["", "x", "xy"] {
        let text = format!("{before}{secret}");
        let full_groups = &text.as_bytes()[..text.len() / 3 * 3];
        let skipped = if before.is_empty() { 0 } else { 4 };
        for engine in [&BASE64_STANDARD, &BASE64_URL_SAFE_NO_PAD] {
            encoded.push((
                "the base64",
                engine.encode(full_groups)[skipped..].to_owned(),
            ));
        }
    }
    encoded
}
