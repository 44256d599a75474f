//! The search of a list, as plain values.
//!
//! A row says more than what is written down of it: its state has a word, its day a name, and both
//! are in the language of the screen. What the typed words mean there is worked out before the
//! journal is asked; the journal knows no language.

use std::sync::Arc;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::{Account, DomainChoice, IdempotencyKey, Money, PixKey, PixKeyKind};

/// The longest text that is searched; what a hostile reply holds beyond it is not found.
const MOST_SEARCHED: usize = 4096;

/// A search of a list: each of its terms must be found in a row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Search {
    /// The words, in the order in which they were typed.
    pub terms: Vec<Term>,
    /// Of links, those that are listed at all.
    pub filter: LinkFilter,
    /// Seconds the seller's clock stands east of UTC: it says on which day something happened.
    pub utc_offset_s: i32,
}

/// The links that are listed at all, whatever is searched for; all of them by default.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LinkFilter {
    /// Only those that were made and are marked as paid, or only those that are not.
    pub paid: Option<bool>,
    /// Only those of this day at the seller's place, as [`Wall`](super::Wall::local_day) counts it.
    pub day: Option<i64>,
    /// Only those that are on this domain, or were to be.
    pub domain: Option<DomainChoice>,
}

impl Search {
    /// Returns true when it may leave rows out.
    pub fn is_narrowed(&self) -> bool {
        !self.terms.is_empty() || !self.filter.is_open()
    }
}

impl LinkFilter {
    /// Returns true when it leaves nothing out.
    pub fn is_open(&self) -> bool {
        *self == LinkFilter::default()
    }
}

/// One word, and what on the screen has it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Term {
    /// As it was typed: what is written down of a row may have it.
    pub text: Arc<str>,
    /// The labels of rows that it stands for.
    pub called: Vec<Called>,
    /// The open withdrawals whose state is called that way now.
    pub open: Vec<IdempotencyKey>,
    /// The destinations whose nickname has it, each of the owner who gave it.
    pub destinations: Vec<(Account, PixKey)>,
    /// The moments that are shown that way.
    pub moments: Vec<Moments>,
}

/// The label of a row, as far as that needs no clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Called {
    /// A withdrawal of which nothing was taken yet.
    Prepared,
    /// The service accepted it.
    Accepted,
    /// The service refused it, and nothing else may have paid.
    Rejected,
    /// Retired before anything was taken.
    Discarded,
    /// A person found it paid.
    FoundPaid,
    /// A person stated that it was not paid.
    StatedNotPaid,
    /// A withdrawal to a PIX key of this kind.
    To(PixKeyKind),
    /// A withdrawal that names no PIX key.
    OnFile,
    /// A link or a charge that was made, of which the row says nothing more exact.
    Made,
    /// A link or a charge that may exist.
    MayExist,
    /// A link or a charge that was refused.
    Refused,
    /// A link or a charge that never reached the service.
    NotSent,
    /// A link that a person marked as paid.
    MarkedPaid,
}

/// Moments by what they look like in figures: `21/11/2026 10:42`, in every language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moments {
    /// Those that begin with this text.
    Begin(String),
    /// Those that have it anywhere.
    Have(String),
}

impl Moments {
    /// Returns true when a moment that looks like this is among them.
    pub fn hold(&self, figures: &str) -> bool {
        match self {
            Moments::Begin(with) => figures.starts_with(&**with),
            Moments::Have(part) => figures.contains(&**part),
        }
    }
}

impl Term {
    /// Returns true when it stands for more than its letters.
    pub fn means_more(&self) -> bool {
        !(self.called.is_empty() && self.open.is_empty() && self.moments.is_empty())
    }
}

impl From<&str> for Search {
    /// The words of a text, by which nothing but these letters is meant.
    fn from(text: &str) -> Search {
        let term = |word: &str| Term { text: word.into(), ..Term::default() };
        Search { terms: text.split_whitespace().map(term).collect(), ..Search::default() }
    }
}

/// An amount as people type it: with its points, without them, and as the wire has it.
pub fn amount_words(amount: Money) -> String {
    let shown = amount.to_string();
    format!("{shown} {} {}", shown.replace('.', ""), amount.wire())
}

/// A text as a search sees it, without case and accents: `Camiseta AÇÚCAR` is `camiseta acucar`.
pub fn searchable(text: &str) -> String {
    text.chars()
        .take(MOST_SEARCHED)
        .flat_map(char::to_lowercase)
        .nfkd()
        .filter(|c| !is_combining_mark(*c))
        // A NUL in a query would end it early for SQLite, which takes the rest for a mistake.
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_accents_do_not_count() {
        assert_eq!(searchable("Camiseta AÇÚCAR"), "camiseta acucar");
        assert_eq!(searchable("ac\u{327}u\u{301}car"), "acucar");
        assert_eq!(searchable("ÑANDÚ İstanbul"), "nandu istanbul");
        assert_eq!(searchable("a\u{0}b\n"), "a b ");
    }
}
