//! The forms in which a secret may hide.

use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD, Engine};

/// A secret as it is, in base64 wherever it begins in it, in hexadecimal, in a URL and in JSON.
pub fn forms(secret: &str) -> Vec<(&'static str, String)> {
    let hex = |upper: bool| -> String {
        let byte = |byte: u8| if upper { format!("{byte:02X}") } else { format!("{byte:02x}") };
        secret.bytes().map(byte).collect()
    };
    let escaped = |plain: &str| -> String {
        let byte = |byte: u8| match char::from(byte) {
            c if c.is_ascii_alphanumeric() || plain.contains(c) => c.to_string(),
            _ => format!("%{byte:02X}"),
        };
        secret.bytes().map(byte).collect()
    };
    let json = serde_json::to_string(secret).expect("a text");
    let mut all = vec![
        ("the text", secret.to_owned()),
        ("the JSON", json[1..json.len() - 1].to_owned()),
        ("the hexadecimal", hex(false)),
        ("the hexadecimal", hex(true)),
        ("the URL", escaped("-_.~")),
        ("the URL", escaped("")),
        ("the URL of a form", escaped("*-._").replace("%20", "+")),
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
