//! Masks bodies that cannot be parsed as JSON: cut off or broken JSON, HTML pages and plain text.

use super::mask::{StrictMask, is_empty_or_masked};

/// The characters that stay unmasked, because they separate names and values in JSON, HTML and
/// forms.
const PUNCTUATION: &str = "{}[]\"':,;<>=&()\n\r\t";

/// Masks a text except for punctuation, and words and values on the whitelist. Each other run of
/// characters is replaced by a mask.
pub(super) fn mask_fragments(mask: &mut StrictMask, text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut name = String::new();
    let mut remaining = text;
    while !remaining.is_empty() {
        let end = amount_end(mask, &name, remaining);
        let end = end.unwrap_or_else(|| run_length(remaining));
        let (run, after) = remaining.split_at(end);
        let word = run.trim_matches([' ', '/', '\\']);
        let start = run.find(word).unwrap_or(0);
        let is_public = word.is_empty()
            || is_empty_or_masked(word)
            || mask.is_idempotency_key(word)
            || mask.is_public_value(&name, word, true)
            || (mask.whitelist.is_public_word(word) && !mask.contains_secret(word));
        masked += &run[..start];
        masked += &if is_public {
            word.to_owned()
        } else {
            mask.mask_value(word)
        };
        masked += &run[start + word.len()..];
        if !word.is_empty() {
            name = word.to_owned();
        }
        let next = after
            .find(|c| !PUNCTUATION.contains(c))
            .unwrap_or(after.len());
        masked += &after[..next];
        // The name before a value applies only if there is a colon or an equals sign between them.
        if !word.is_empty() && !after[..next].contains([':', '=']) {
            name.clear();
        }
        remaining = &after[next..];
    }
    masked
}

/// The length of the run at the start of `text`: the characters before the next punctuation. An
/// apostrophe between letters, as in "didn't", does not end a run.
fn run_length(text: &str) -> usize {
    text.char_indices()
        .find(|(index, c)| {
            let is_inside_word = *c == '\''
                && text[..*index].ends_with(char::is_alphabetic)
                && text[index + 1..].starts_with(char::is_alphabetic);
            PUNCTUATION.contains(*c) && !is_inside_word
        })
        .map_or(text.len(), |(index, _)| index)
}

/// The length of the amount at the start of `text`, if `name` is the name of an amount. Amounts may
/// contain commas, which otherwise end a run.
fn amount_end(mask: &StrictMask, name: &str, text: &str) -> Option<usize> {
    let start = text.len() - text.trim_start_matches(' ').len();
    let amount = &text[start..];
    let end = amount.find(|c: char| !(c.is_ascii_digit() || ".,".contains(c)));
    let amount = amount[..end.unwrap_or(amount.len())].trim_end_matches([',', '.']);
    let end = start + amount.len();
    let is_complete =
        text[end..].is_empty() || text[end..].starts_with(|c| PUNCTUATION.contains(c));
    (!amount.is_empty() && is_complete && mask.is_public_value(name, amount, true)).then_some(end)
}
