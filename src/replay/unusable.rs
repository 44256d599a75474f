//! Finds out why a file cannot be read as a file of exported requests (HAR).

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::recording::RecordingError;
use super::recording::har::MAX_ENTRIES;

/// The outer members of a HAR file. The requests are only counted.
#[derive(Deserialize)]
struct Outline {
    log: Option<LogOutline>,
}

#[derive(Deserialize)]
struct LogOutline {
    entries: Option<Vec<IgnoredAny>>,
}

/// The reason why this text is not a usable HAR file. `error` is the error of the parser.
pub(super) fn explain(text: &str, error: serde_json::Error) -> RecordingError {
    if let Ok(outline) = serde_json::from_str::<Outline>(text)
        && let Some(entries) = outline.log.and_then(|log| log.entries)
    {
        return match entries.len() {
            n if n > MAX_ENTRIES => RecordingError::TooMany(n),
            _ => RecordingError::NotHar(error),
        };
    }
    match serde_json::from_str::<IgnoredAny>(text) {
        Ok(_) => RecordingError::NoEntries,
        Err(_) => RecordingError::NotHar(error),
    }
}
