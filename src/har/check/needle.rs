//! A text to search for, in the spellings in which a file may contain it.

use super::decode::PART_END;
use crate::trade::search::searchable_in_full;

/// The minimum number of letters and digits in a text to search for. Shorter texts would be found
/// by chance.
pub const MIN_LETTERS: usize = 3;

/// The minimum number of letters in a word that is also searched for without the rest of its text.
const MIN_WORD: usize = 4;

/// A text to search for. Letter case, accents and separators make no difference.
pub struct Needle {
    /// The letters and digits of the text, in each spelling: a date has two.
    spellings: Vec<String>,
    /// The telephone number without its area code.
    local_number: Option<String>,
    /// The words of a text with several words, such as the names of a person.
    words: Vec<String>,
}

/// How much of a text was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    /// All of it.
    Whole,
    /// Only a word of it, or a telephone number without its area code.
    Part,
}

/// A text in the form that needles are compared with.
pub(super) struct Folded {
    /// Lower case, without accents.
    text: String,
    /// Only the letters and digits of `text`.
    letters: String,
}

impl Folded {
    pub(super) fn of(text: &str) -> Folded {
        let text = searchable_in_full(text);
        let letters = text
            .chars()
            .filter(|c| c.is_alphanumeric() || *c == PART_END)
            .collect();
        Folded { text, letters }
    }
}

impl Needle {
    /// Prepares a text for the search. Returns `None` for fewer than [`MIN_LETTERS`] letters and
    /// digits.
    ///
    /// A long number is searched for without the country code 55 and without leading zeros: a file
    /// may contain a telephone number without its country code, or a CPF as a JSON number.
    pub fn of(text: &str) -> Option<Needle> {
        let letters = Folded::of(text).letters;
        let is_long_number = letters.len() >= 11 && letters.bytes().all(|b| b.is_ascii_digit());
        let is_phone = is_long_number && (12..=13).contains(&letters.len());
        let national = letters
            .strip_prefix("55")
            .filter(|_| is_phone)
            .unwrap_or(&letters);
        let short = if is_long_number {
            national.trim_start_matches('0')
        } else {
            national
        };
        if short.chars().count() < MIN_LETTERS {
            return None;
        }
        let spellings = [short.to_owned()]
            .into_iter()
            .chain(other_date_order(&letters))
            .collect();
        let local_number = local_number(text, short);
        Some(Needle {
            spellings,
            local_number,
            words: words(text),
        })
    }

    /// Returns how much of the needle a text contains, or `None` if it contains nothing of it.
    pub(super) fn extent_in(&self, folded: &Folded) -> Option<Extent> {
        if self.is_whole_in(folded) {
            return Some(Extent::Whole);
        }
        let has_number = self
            .local_number
            .as_ref()
            .is_some_and(|number| folded.letters.contains(&**number));
        let has_word = self
            .words
            .iter()
            .any(|word| contains_word(&folded.text, word));
        (has_number || has_word).then_some(Extent::Part)
    }

    pub(super) fn is_whole_in(&self, folded: &Folded) -> bool {
        self.spellings
            .iter()
            .any(|spelling| folded.letters.contains(&**spelling))
    }
}

/// A date of eight digits in the other order: `03021990` for `19900203`, and the other way round.
fn other_date_order(digits: &str) -> Option<String> {
    if digits.len() != 8 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    if is_date(&digits[..2], &digits[2..4], &digits[4..]) {
        return Some(format!("{}{}{}", &digits[4..], &digits[2..4], &digits[..2]));
    }
    is_date(&digits[6..], &digits[4..6], &digits[..4])
        .then(|| format!("{}{}{}", &digits[6..], &digits[4..6], &digits[..4]))
}

fn is_date(day: &str, month: &str, year: &str) -> bool {
    let is_recent = year.starts_with("19") || year.starts_with("20");
    ("01"..="31").contains(&day) && ("01"..="12").contains(&month) && is_recent
}

/// A Brazilian telephone number without its area code. `national` is its digits without the country
/// code.
fn local_number(text: &str, national: &str) -> Option<String> {
    let is_number = national.bytes().all(|b| b.is_ascii_digit()) && !text.contains(['.', '/']);
    let local = national.get(2..).filter(|_| is_number)?;
    let is_mobile = local.len() == 9 && local.starts_with('9');
    let is_landline = local.len() == 8 && !local.starts_with(['0', '1']);
    (!national[..2].contains('0') && (is_mobile || is_landline)).then(|| local.to_owned())
}

/// The longer words of a text that has several words. Numbers are left out, because short ones
/// would be found by chance.
fn words(text: &str) -> Vec<String> {
    let folded = searchable_in_full(text);
    let words: Vec<&str> = folded.split_whitespace().collect();
    if words.len() < 2 {
        return vec![];
    }
    let trimmed = words
        .into_iter()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    trimmed
        .filter(|word| word.chars().count() >= MIN_WORD && word.chars().all(char::is_alphabetic))
        .map(str::to_owned)
        .collect()
}

fn contains_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(start, _)| {
        !text[..start]
            .chars()
            .next_back()
            .is_some_and(char::is_alphanumeric)
            && !text[start + word.len()..]
                .chars()
                .next()
                .is_some_and(char::is_alphanumeric)
    })
}
