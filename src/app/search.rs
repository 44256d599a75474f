//! What the words of a search mean on the screen.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::{Effect, Store};

pub use super::meaning::meaning;

/// A list that can be searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "a list is its name")]
pub enum Searched {
    Links,
    Charges,
    Withdrawals,
}

/// Gives every question for rows the meaning of its words as of now.
pub fn understand(store: &Store, effects: &mut [Effect]) {
    for effect in effects {
        let (list, ask) = match effect {
            Effect::LoadLinks(ask) => (Searched::Links, ask),
            Effect::LoadCharges(ask) => (Searched::Charges, ask),
            Effect::LoadWithdrawals(ask) => (Searched::Withdrawals, ask),
            _ => continue,
        };
        if !ask.query.trim().is_empty() {
            ask.search = meaning(store, list, &ask.query);
        }
    }
}

/// A text without regard to case and accents.
pub fn plain(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).nfkd().filter(|c| !is_combining_mark(*c)).collect()
}
