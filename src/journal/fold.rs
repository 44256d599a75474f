//! Texts as a search sees them: without case and accents.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The longest text that is searched; what a hostile reply holds beyond it is not found.
const MOST_FOLDED: usize = 4096;

/// The text in lower case without accents: `Camiseta AÇÚCAR` becomes `camiseta acucar`.
pub(super) fn fold(text: &str) -> String {
    text.chars()
        .take(MOST_FOLDED)
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
        assert_eq!(fold("Camiseta AÇÚCAR"), "camiseta acucar");
        assert_eq!(fold("ac\u{327}u\u{301}car"), "acucar");
        assert_eq!(fold("ÑANDÚ İstanbul"), "nandu istanbul");
        assert_eq!(fold("a\u{0}b\n"), "a b ");
    }
}
