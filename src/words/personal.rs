//! Shows personal data in full, or masks it while other people can see the screen.
//!
//! `Untrusted` masks text that looks personal. This module masks values that always count as
//! personal, such as names and texts from the service.

use super::Catalogue;
use crate::trade::known_words;
use crate::trade::personal::{self, BodyMask};
use crate::trade::{HeaderUse, Untrusted};

/// A name for display, such as a person's name or a login name. Masks the name if masking is
/// switched on in `words`.
pub fn name(words: &Catalogue, name: &str) -> Untrusted {
    masked(words, &name.into(), personal::masked_name)
}

/// The name of a person of a team for display, masked like any other [`name`].
pub fn person(words: &Catalogue, name: &Untrusted) -> Untrusted {
    masked(words, name, personal::masked_name)
}

/// An id or a text from the service for display. If masking is switched on in `words`, masks the
/// whole text, because it may contain names or balances, unless all its words are known.
pub fn service_text(words: &Catalogue, text: &Untrusted) -> Untrusted {
    masked(words, text, |text| {
        if known_words::is_known_text(text) {
            text
        } else {
            personal::MASKED
        }
        .to_owned()
    })
}

/// The seller's note about a payment link for display. If masking is switched on in `words`, masks
/// the whole text, because it may contain names.
pub fn note(words: &Catalogue, note: &str) -> Untrusted {
    masked(words, &note.into(), |note| {
        let mask = if note.is_empty() {
            ""
        } else {
            personal::MASKED
        };
        mask.to_owned()
    })
}

/// The value of an HTTP header for display. Never masks an impersonal header. Masks any other value
/// completely if `hides_all` is true. Otherwise masks only personal data in the value, if masking
/// is switched on in `words`.
pub fn header(words: &Catalogue, hides_all: bool, name: &str, value: &Untrusted) -> String {
    let is_plain = HeaderUse::Impersonal.applies_to(name);
    // An idempotency key looks like a random Pix key, but is not personal.
    let is_shown = is_plain || !hides_all && (!words.masks() || personal::is_uuid(value.raw()));
    match (is_shown, hides_all) {
        (true, _) => Untrusted::without_masking(|| value.shown()),
        (false, true) => personal::MASKED.to_owned(),
        (false, false) => Untrusted::masking(true, || value.shown()),
    }
}

/// The id that the service gave to a request. It is masked in the same way as the HTTP header that
/// contains it.
pub fn request_id(words: &Catalogue, hides_all: bool, id: &Untrusted) -> String {
    header(words, hides_all, "X-Request-Id", id)
}

/// A Pix key or name for display, exactly as the user typed it, even if it is not valid. Masks the
/// text if masking is switched on in `words`.
pub fn typed(words: &Catalogue, text: &Untrusted) -> Untrusted {
    masked(words, text, personal::masked_typing)
}

/// Like [`typed`], but shortened to a number of columns. The text is not masked a second time.
pub fn typed_within(words: &Catalogue, text: &Untrusted, columns: usize) -> String {
    let masked = self::typed(words, text);
    Untrusted::without_masking(|| masked.shown_within(columns))
}

fn masked(words: &Catalogue, text: &Untrusted, mask: fn(&str) -> String) -> Untrusted {
    if words.masks() {
        mask(text.raw()).into()
    } else {
        text.clone()
    }
}

/// Returns how a request or response body is masked for display. If masking is switched on in
/// `words`, that is the personal data in the body, or all its texts if `hides_all` is true.
pub fn body_mask(words: &Catalogue, hides_all: bool) -> BodyMask {
    if !words.masks() {
        BodyMask::None
    } else if hides_all {
        BodyMask::Strict
    } else {
        BodyMask::Personal
    }
}

/// The start of a request or response body for display, shortened to a number of columns. If
/// masking is switched on in `words`, masks the whole text.
pub fn excerpt(words: &Catalogue, body: &Untrusted, columns: usize) -> String {
    if words.masks() {
        personal::MASKED.to_owned()
    } else {
        body.shown_within(columns)
    }
}
