//! Reads the seller's language from a file of exported requests.

use std::path::Path;

use super::recording::read_file;

#[derive(serde::Deserialize)]
struct HarFile {
    log: HarLog,
}

#[derive(serde::Deserialize)]
struct HarLog {
    #[serde(rename = "_environment")]
    environment: Environment,
}

#[derive(serde::Deserialize)]
struct Environment {
    language: String,
}

/// The tag of the language of the seller's screens, such as `pt-BR`. Returns `None` if the file
/// does not contain it.
pub fn read_language(path: &Path) -> Option<String> {
    let bytes = read_file(path).ok()?;
    let bytes = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(&bytes);
    Some(
        serde_json::from_slice::<HarFile>(bytes)
            .ok()?
            .log
            .environment
            .language,
    )
}
