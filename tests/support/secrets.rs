//! The search for secrets: all forms in which one may hide, found in one pass.

use std::fs;
use std::path::Path;

use aho_corasick::AhoCorasick;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD, Engine};

/// So many letters of a secret are a secret: a screen breaks lines, and cuts them.
const PIECE: usize = 12;

/// The beginning of the API tokens that every sandbox gives out.
const API: &str = "api_";

/// The first part of the JWTs that every sandbox gives out.
const JWT: &str = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9";

/// Secrets that are looked for.
pub struct Wanted {
    search: AhoCorasick,
    /// The name of each form that is looked for, in the order of the search.
    names: Vec<&'static str>,
}

impl Wanted {
    /// These secrets, in all their forms and pieces.
    ///
    /// Looked for beside them is what every sandbox's tokens have in common: those of a demo, which
    /// lives in the program that is tested, are known to nobody else.
    pub fn of<'a>(secrets: impl IntoIterator<Item = &'a str>) -> Wanted {
        let mut all = vec![("the beginning of an API token", API.to_owned())];
        all.extend(forms(JWT));
        for secret in secrets.into_iter().map(secret_part) {
            assert!(secret.chars().count() >= PIECE, "too short to be like nothing else");
            all.extend(forms(secret));
            let letters: Vec<char> = secret.chars().collect();
            let pieces = letters.windows(PIECE).map(|piece| piece.iter().collect());
            all.extend(pieces.map(|piece| ("a piece of the text", piece)));
        }
        let search = AhoCorasick::new(all.iter().map(|(_, text)| text)).expect("texts");
        Wanted { search, names: all.into_iter().map(|(name, _)| name).collect() }
    }

    /// The form of a secret that is in these bytes.
    pub fn found_in(&self, bytes: &[u8]) -> Option<&'static str> {
        let found = self.found_as_it_is(bytes);
        // Who writes URLs chooses which letters to escape.
        let in_url = || self.found_as_it_is(&unescaped(bytes)?);
        found.or_else(in_url)
    }

    fn found_as_it_is(&self, bytes: &[u8]) -> Option<&'static str> {
        let is_token =
            |after: &[u8]| after.len() >= PIECE && after[..PIECE].iter().all(u8::is_ascii_hexdigit);
        let found = self.search.find_iter(bytes);
        let mut found = found.filter(|it| {
            it.pattern().as_usize() > 0 || is_token(bytes.get(it.end()..).unwrap_or_default())
        });
        found.next().map(|it| self.names[it.pattern()])
    }

    /// Every file below a folder that has a secret in it or in its name, but for those that may.
    pub fn found_below(&self, folder: &Path, may: &dyn Fn(&Path) -> bool) -> Vec<String> {
        let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
        while let Some(next) = folders.pop() {
            // A program that still runs may take away what was here a moment ago.
            for entry in fs::read_dir(&next).into_iter().flatten().flatten() {
                let path = entry.path();
                let Ok(kind) = entry.file_type() else { continue };
                if kind.is_dir() {
                    folders.push(path.clone());
                }
                let own = path.strip_prefix(folder).expect("below it");
                let mut bytes = own.as_os_str().as_encoded_bytes().to_vec();
                if kind.is_file() && !may(own) {
                    bytes.push(b'\n');
                    bytes.extend(fs::read(&path).unwrap_or_default());
                }
                let form = self.found_in(&bytes);
                found
                    .extend(form.map(|form| format!("{form} of a secret is in {}", own.display())));
            }
        }
        found
    }
}

/// A URL's text without its escapes; `None` where it has none.
fn unescaped(bytes: &[u8]) -> Option<Vec<u8>> {
    let escape = |at: &[u8]| match at {
        [b'%', digits @ ..] => {
            let digits = std::str::from_utf8(digits.get(..2)?).ok()?;
            u8::from_str_radix(digits, 16).ok()
        }
        _ => None,
    };
    bytes.contains(&b'%').then(|| {
        let (mut text, mut at) = (Vec::with_capacity(bytes.len()), 0);
        while at < bytes.len() {
            let byte = escape(&bytes[at..]);
            text.push(byte.unwrap_or(bytes[at]));
            at += if byte.is_some() { 3 } else { 1 };
        }
        text
    })
}

/// The part of it that nobody can know: what stands before the signature of a JWT says only who
/// and until when, which the app says too.
fn secret_part(secret: &str) -> &str {
    match secret.rsplit_once('.') {
        Some((before, signature)) if before.contains(JWT) => signature,
        _ => secret,
    }
}

/// A secret as it is, in base64 wherever it begins in it, in hexadecimal, in a form and in JSON.
fn forms(secret: &str) -> Vec<(&'static str, String)> {
    let hex = |upper: bool| -> String {
        let byte = |byte: u8| if upper { format!("{byte:02X}") } else { format!("{byte:02x}") };
        secret.bytes().map(byte).collect()
    };
    let json = serde_json::to_string(secret).expect("a text");
    let mut all = vec![
        ("the text", secret.to_owned()),
        ("the JSON", json[1..json.len() - 1].to_owned()),
        ("the hexadecimal", hex(false)),
        ("the hexadecimal", hex(true)),
        ("the text of a form", secret.replace(' ', "+")),
    ];
    // Three letters become four: what stands before the secret moves it. The letters at both ends
    // hold something of their neighbours.
    for before in ["", "x", "xy"] {
        let text = format!("{before}{secret}");
        let whole = &text.as_bytes()[..text.len() / 3 * 3];
        let from = if before.is_empty() { 0 } else { 4 };
        for engine in [&BASE64_STANDARD, &BASE64_URL_SAFE_NO_PAD] {
            all.push(("the base64", engine.encode(whole)[from..].to_owned()));
        }
    }
    all
}
