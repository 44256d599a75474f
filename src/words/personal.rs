//! Personal data as it is said: in full to its owner, masked where others look at the screen.
//!
//! What looks personal in a text from outside is masked by `Untrusted` itself. Here is what is
//! known to be personal, whatever it looks like: names, and what the service writes.

use super::Words;
use crate::trade::{Untrusted, personal};

/// The name of a person, a login or a place that a seller named.
pub fn name(words: &Words, name: &str) -> Untrusted {
    masked(words, &name.into(), personal::masked_name)
}

/// A word, an id or a sentence of the service, which may name anybody and state any balance.
pub fn theirs(words: &Words, text: &Untrusted) -> Untrusted {
    masked(words, text, |_| personal::MASKED.to_owned())
}

/// Headers whose values are about the exchange itself.
const PLAIN_HEADERS: [&str; 10] = [
    "Accept",
    "Cache-Control",
    "Connection",
    "Content-Length",
    "Content-Type",
    "Date",
    "Retry-After",
    "Server",
    "Transfer-Encoding",
    "User-Agent",
];

/// The value of a header. Support needs it; where others look, it may be anything.
pub fn header(others_look: bool, name: &str, value: &Untrusted) -> String {
    let is_plain = PLAIN_HEADERS.iter().any(|plain| name.eq_ignore_ascii_case(plain));
    match others_look && !is_plain {
        true => personal::MASKED.to_owned(),
        // The code of a withdrawal is a header too, and looks like a random key.
        false => Untrusted::in_full(|| value.shown()),
    }
}

/// What somebody typed where a key or a name may stand, which need not be one.
pub fn typed(words: &Words, typed: &Untrusted) -> Untrusted {
    masked(words, typed, personal::masked_typing)
}

/// The same in so many columns: what is left of it is not masked once more.
pub fn typed_within(words: &Words, typed: &Untrusted, columns: usize) -> String {
    let masked = self::typed(words, typed);
    Untrusted::in_full(|| masked.shown_within(columns))
}

fn masked(words: &Words, text: &Untrusted, mask: fn(&str) -> String) -> Untrusted {
    match words.masks() {
        true => mask(text.raw()).into(),
        false => text.clone(),
    }
}

/// A body with a member on each line, or one that is no JSON; if others look, no text in it stays.
pub fn body(words: &Words, body: String, others_look: bool) -> String {
    match words.masks() {
        true => personal::masked_body(&body, others_look),
        false => body,
    }
}

/// The beginning of a body in so many columns; where it is masked, nothing of it is told apart.
pub fn taste(words: &Words, body: &Untrusted, columns: usize) -> String {
    match words.masks() {
        true => personal::MASKED.to_owned(),
        false => body.shown_within(columns),
    }
}
