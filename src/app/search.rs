//! What the words of a search mean on the screen.

use std::fmt;
use std::sync::Arc;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::{Effect, Model};
use crate::trade::Search;

/// A list that can be searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "a list is its name")]
pub enum Searched {
    Links,
    Charges,
    Withdrawals,
}

/// What typed words mean in a list.
///
/// What a state or a day is called depends on the language and is the view's to say; it comes in
/// with the setup, as a function of the model and of nothing else.
#[derive(Clone)]
pub struct Meaning(Arc<Means>);

type Means = dyn Fn(&Model, Searched, &str) -> Search + Send + Sync;

impl Meaning {
    /// What this says of a list and of what was typed.
    pub fn new(
        means: impl Fn(&Model, Searched, &str) -> Search + Send + Sync + 'static,
    ) -> Meaning {
        Meaning(Arc::new(means))
    }
}

impl fmt::Debug for Meaning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Meaning")
    }
}

/// Gives every question for rows the meaning of its words as of now.
pub fn understand(model: &Model, effects: &mut [Effect]) {
    for effect in effects {
        let (list, ask) = match effect {
            Effect::LoadLinks(ask) => (Searched::Links, ask),
            Effect::LoadCharges(ask) => (Searched::Charges, ask),
            Effect::LoadWithdrawals(ask) => (Searched::Withdrawals, ask),
            _ => continue,
        };
        if !ask.query.trim().is_empty() {
            ask.search = (model.setup.meaning.0)(model, list, &ask.query);
        }
    }
}

/// A text without regard to case and accents.
pub fn plain(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).nfkd().filter(|c| !is_combining_mark(*c)).collect()
}
