//! Personal data as it is said: in full to its owner, masked where others look at the screen.

use super::Words;
use crate::trade::{Untrusted, personal};

/// The name of a person, a login or a place that a seller named.
pub fn name(words: &Words, name: &str) -> Untrusted {
    masked(words, &name.into(), personal::masked_name)
}

/// The value of a member of a reply.
pub fn member(words: &Words, name: &Untrusted, value: &Untrusted) -> Untrusted {
    match words.masks() && personal::is_personal_name(&name.shown()) {
        true => personal::MASKED.into(),
        false => text(words, value),
    }
}

/// A text that somebody wrote freely, the service among others.
pub fn text(words: &Words, text: &Untrusted) -> Untrusted {
    masked(words, text, personal::masked_text)
}

/// What somebody typed where a key or a name may stand, which need not be one.
pub fn typed(words: &Words, typed: &Untrusted) -> Untrusted {
    masked(words, typed, personal::masked_typing)
}

fn masked(words: &Words, text: &Untrusted, mask: fn(&str) -> String) -> Untrusted {
    match words.masks() {
        true => mask(text.raw()).into(),
        false => text.clone(),
    }
}

/// A body with a member on each line, or one that is no JSON.
pub fn body(words: &Words, body: String) -> String {
    match words.masks() {
        true => personal::masked_body(&body),
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
