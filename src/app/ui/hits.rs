//! Finds the search hits in a list row, and underlines them.

use super::{Line, Role, Span};
use crate::trade::search::searchable;

/// The words of a search text, normalized (case and accents are removed) for [`underline_hits`].
pub fn words(query: &str) -> Vec<String> {
    query
        .split_whitespace()
        .map(searchable)
        .filter(|word| !word.trim().is_empty())
        .collect()
}

/// True if the text contains all of the words. Case, accents and punctuation are ignored in the
/// same way as by [`underline_hits`].
pub fn contains_all_words(text: &str, words: &[String]) -> bool {
    let folded = searchable(text);
    let bare_text = without_punctuation(&folded);
    words.iter().all(|word| {
        let bare_word = without_punctuation(word);
        folded.contains(&**word) || (!bare_word.is_empty() && bare_text.contains(&bare_word))
    })
}

/// Underlines the parts of a line that contain one of the search words. Case and accents are
/// ignored. If a word is not found as typed, punctuation is also ignored: `11144477735` underlines
/// `111.444.777-35`.
pub fn underline_hits(line: Line, words: &[String]) -> Line {
    if words.is_empty() {
        return line;
    }
    let spans = line
        .spans
        .into_iter()
        .flat_map(|span| split_hits(span, words))
        .collect();
    Line { spans, ..line }
}

/// Splits a piece of text into search hits, which are underlined, and the texts between them.
fn split_hits(span: Span, words: &[String]) -> Vec<Span> {
    let mut folded = String::with_capacity(span.text.len());
    // For each byte of the normalized text, the position of the original character in `span.text`.
    let mut starts = Vec::with_capacity(span.text.len() + 1);
    for (at, c) in span.text.char_indices() {
        if c.is_ascii() {
            folded.push(c.to_ascii_lowercase());
        } else {
            folded.push_str(&searchable(c.encode_utf8(&mut [0; 4])));
        }
        starts.resize(folded.len(), at);
    }
    starts.push(span.text.len());
    let mut is_hit = vec![false; span.text.len()];
    let mut mark_hits = |text: &str, starts: &[usize], word: &str| {
        for (at, _) in text.match_indices(word) {
            is_hit[starts[at]..starts[at + word.len()]].fill(true);
        }
    };
    for word in words {
        let bare_word = without_punctuation(word);
        if folded.contains(&**word) || bare_word.is_empty() {
            mark_hits(&folded, &starts, word);
            continue;
        }
        let word_chars = folded
            .char_indices()
            .filter(|(_, c)| !c.is_ascii_punctuation());
        let mut bare_starts: Vec<usize> = word_chars
            .flat_map(|(at, c)| starts[at..at + c.len_utf8()].iter().copied())
            .collect();
        bare_starts.push(span.text.len());
        mark_hits(&without_punctuation(&folded), &bare_starts, &bare_word);
    }
    let mut spans = vec![];
    let mut start = 0;
    for run in is_hit.chunk_by(|hit, next_hit| hit == next_hit) {
        let text = &span.text[start..start + run.len()];
        // In the row under the cursor, keep the cursor's style on top of the underlining.
        let (role, over) = match (run[0], span.over) {
            (false, over) => (span.role, over),
            (true, None) => (span.role, Some(Role::Field)),
            (true, over) => (Some(Role::Field), over),
        };
        spans.push(Span {
            text: text.into(),
            role,
            over,
            link: span.link.clone(),
        });
        start += run.len();
    }
    spans
}

fn without_punctuation(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_punctuation()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(text: &str, query: &str) -> Vec<String> {
        let line = underline_hits(Line::of(Role::Text, text), &words(query));
        assert_eq!(line.to_string(), text);
        let hits = line
            .spans
            .into_iter()
            .filter(|span| span.over == Some(Role::Field));
        hits.map(|span| span.text.into()).collect()
    }

    #[test]
    fn hit_is_marked_whatever_its_case_and_accents() {
        assert_eq!(
            hits("Camiseta AÇÚCAR, açúcar", "acucar"),
            ["AÇÚCAR", "açúcar"]
        );
        assert_eq!(hits("ac\u{327}u\u{301}car", "ACU"), ["ac\u{327}u\u{301}"]);
        assert_eq!(hits("Boné azul", "azul bo"), ["Bo", "azul"]);
        assert_eq!(hits("aaa", "aa"), ["aa"]);
        assert_eq!(
            hits("CPF 111.444.777-35", "11144477735"),
            ["111.444.777-35"]
        );
        assert_eq!(hits("CPF 111.444.777-35, já", "44.77"), ["44.77"]);
        assert_eq!(hits("R$ 1.234,56", "1234,56"), ["1.234,56"]);
        assert_eq!(hits("✓ aceito", "aceito,"), ["aceito"]);
        for (text, query) in [
            ("Boné", ""),
            ("Boné", " "),
            ("Boné", "x"),
            ("", "x"),
            ("ﬁm", "f"),
        ] {
            assert_eq!(hits(text, query), [""; 0], "{text} {query}");
        }
    }
}
