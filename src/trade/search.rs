//! A search in a list of payment links, withdrawals or requests, as plain values.
//!
//! A search word may match text that is stored in a row. It may also match text that only the
//! screen shows, such as the name of a state, a date or a nickname. The journal does not know the
//! language of the screen. The app therefore looks up the matching labels and times before it
//! queries the journal.

pub mod reading;

use std::collections::HashMap;
use std::sync::Arc;

use unicode_normalization::char::{decompose_compatible, is_combining_mark};

use super::{
    Account, DomainChoice, IdempotencyKey, Money, Operation, PixKey, PixKeyKind, RequestResult,
    RowId, Wall,
};
pub use reading::{AmountBound, AmountRange, Period, Reading};

/// The maximum number of characters of a stored text that a search reads. Only a hostile server
/// would send a longer text.
const MAX_SEARCHED_CHARS: usize = 4096;

/// A search in a list. A row matches if it matches every search word.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Search {
    /// The search words, in the order typed.
    pub terms: Vec<Term>,
    /// The period and the amounts that were read in the search text. A row must be within both.
    pub reading: Reading,
    /// The filter on payment links. A link must match both the filter and the search words.
    pub filter: LinkFilter,
    /// The seller's UTC offset, in seconds east. It determines on which local day a time falls.
    pub utc_offset_s: i32,
}

/// A filter on payment links. The default filter accepts all links that are not put away.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LinkFilter {
    /// Accepts only paid links if `Some(true)`, only other created links if `Some(false)`, and all
    /// links if `None`. Links count as paid if the seller or the sandbox reported them as paid.
    pub paid: Option<bool>,
    /// Accepts only links created on this local day, numbered as in [`Wall::local_day`].
    pub day: Option<i64>,
    /// Accepts only links on this checkout domain, including links that were requested for it but
    /// not created.
    pub domain: Option<DomainChoice>,
    /// Accepts only put-away links if true, and only other links if false.
    pub put_away: bool,
    /// Accepts only links of the newest batch of this account.
    pub newest_batch: Option<Account>,
}

impl Search {
    /// True if the search words or the filter may exclude some rows.
    pub fn is_narrowed(&self) -> bool {
        !(self.terms.is_empty() && self.reading.is_empty() && self.filter.is_open())
    }
}

impl LinkFilter {
    /// True if the filter accepts every row of the usual list.
    pub fn is_open(&self) -> bool {
        *self == LinkFilter::default()
    }
}

/// A search word, with everything it matches on the screen: row labels, open withdrawals, Pix keys
/// with a nickname, and times.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Term {
    /// The word as typed. It is compared with the stored text of a row.
    pub text: Arc<str>,
    /// The row labels that match the word.
    pub labels: Vec<RowLabel>,
    /// The idempotency keys of open withdrawals whose state, as shown on the screen, matches the
    /// word.
    pub open: Vec<IdempotencyKey>,
    /// The Pix keys whose nickname matches the word, each with the accounts that gave the nickname.
    /// The history contains the nicknames, so the app leaves this empty.
    pub destinations: HashMap<PixKey, Vec<Account>>,
    /// The times whose text on the screen matches the word.
    pub moments: Vec<TimeMatch>,
}

/// A label or state of a row in a list. A search compares these values instead of the texts on the
/// screen, because those are translated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowLabel {
    /// A withdrawal that is prepared but not accepted by the service yet.
    Prepared,
    /// A withdrawal that the service accepted.
    Accepted,
    /// A withdrawal that the service refused. None of its attempts may have paid.
    Rejected,
    /// A withdrawal that the seller discarded before the service accepted it.
    Discarded,
    /// A withdrawal that the seller found to be paid.
    FoundPaid,
    /// A withdrawal that the seller has declared unpaid.
    StatedNotPaid,
    /// A withdrawal to a Pix key of this kind.
    To(PixKeyKind),
    /// A withdrawal without a Pix key, which the service pays to the key that it has on file.
    OnFile,
    /// A created link or direct payment to which no other label applies.
    Created,
    /// A link or direct payment whose outcome is unknown.
    MayExist,
    /// A link or direct payment that the service refused.
    Refused,
    /// A link or direct payment whose request did not reach the service.
    NotSent,
    /// A link or direct payment that the seller marked as paid.
    MarkedPaid,
    /// A payment link that was paid according to the sandbox.
    SandboxPaid,
    /// A direct payment whose Pix code is inconsistent or does not match the requested amount.
    OddCode,
    /// A direct payment that had expired by this time and was not marked as paid.
    Expired(Wall),
    /// The link or direct payment with this row id, whose outcome could not be saved.
    NotSaved(RowId),
    /// An HTTP request for this API operation.
    ForOperation(Operation),
    /// An HTTP request with this result.
    WithResult(RequestResult),
}

/// A set of times, given by a part of their text, such as `21/11` for `21/11/2026 10:42`. The
/// format of the text is the same in every language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TimeMatch {
    /// The times whose text begins with this string.
    StartsWith(String),
    /// The times whose text contains this string.
    Contains(String),
}

impl TimeMatch {
    /// True if the set contains a time with the text `figures`, such as `21/11/2026 10:42`.
    pub fn matches(&self, figures: &str) -> bool {
        match self {
            TimeMatch::StartsWith(prefix) => figures.starts_with(&**prefix),
            TimeMatch::Contains(part) => figures.contains(&**part),
        }
    }
}

impl Term {
    /// True if the word matches something that is only shown on the screen: a label, the state of
    /// an open withdrawal, or a time.
    pub fn matches_screen_text(&self) -> bool {
        !(self.labels.is_empty() && self.open.is_empty() && self.moments.is_empty())
    }
}

impl From<&str> for Search {
    /// Creates a search for all words of the text. The words are compared only with stored text.
    fn from(text: &str) -> Search {
        let terms = text.split_whitespace().map(|word| Term {
            text: word.into(),
            ..Term::default()
        });
        Search {
            terms: terms.collect(),
            ..Search::default()
        }
    }
}

/// The spellings of this amount that people type in a search: `R$ 1.234,56`, the same without
/// thousands separators, and `1234.56`.
pub fn amount_words(amount: Money) -> String {
    let text = amount.to_string();
    format!("{text} {} {}", text.replace('.', ""), amount.wire())
}

/// Normalises a text for searching by removing case and accents: `Camiseta AÇÚCAR` becomes
/// `camiseta acucar`.
pub fn searchable(text: &str) -> String {
    let end = text
        .char_indices()
        .nth(MAX_SEARCHED_CHARS)
        .map_or(text.len(), |(at, _)| at);
    searchable_in_full(&text[..end])
}

/// Normalises a text like [`searchable`], but without a limit on its length.
pub fn searchable_in_full(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    // Replace control characters. A NUL character would end the SQLite query early and cause a
    // syntax error.
    let mut push = |c: char| folded.push(if c.is_control() { ' ' } else { c });
    for c in text.chars() {
        // Decomposing is slow, and most characters are ASCII.
        if c.is_ascii() {
            push(c.to_ascii_lowercase());
            continue;
        }
        for lower in c.to_lowercase() {
            decompose_compatible(lower, |part| {
                if !is_combining_mark(part) {
                    push(part);
                }
            });
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use unicode_normalization::UnicodeNormalization;

    use super::*;

    #[test]
    fn case_and_accents_are_ignored() {
        assert_eq!(searchable("Camiseta AÇÚCAR"), "camiseta acucar");
        assert_eq!(searchable("ac\u{327}u\u{301}car"), "acucar");
        assert_eq!(searchable_in_full("A\tÇÚCAR"), "a cucar");
        assert_eq!(searchable_in_full("A\t{}"), "a {}");
        assert_eq!(searchable("ÑANDÚ İstanbul"), "nandu istanbul");
        assert_eq!(searchable("a\u{0}b\n"), "a b ");
    }

    proptest::proptest! {
        #[test]
        fn text_is_folded_like_its_decomposition(text in "[a-zA-Z\u{0}-\u{ff}ȧ̧ñİßﬁ한가ἀΣ½Å]{0,40}") {
            let lower = text.chars().flat_map(char::to_lowercase);
            let decomposed = lower.nfkd().filter(|c| !is_combining_mark(*c));
            let expected: String =
                decomposed.map(|c| if c.is_control() { ' ' } else { c }).collect();
            proptest::prop_assert_eq!(searchable(&text), expected);
        }
    }
}
