//! Masks bodies that cannot be parsed as JSON: cut off or broken JSON, HTML pages and plain text.

use super::mask::{StrictMask, is_blank};

/// The characters that stay unmasked, because they separate names and values in JSON, HTML and
/// forms.
const PUNCTUATION: &str = "{}[]\"':,;<>=&()\n\r\t";

/// Masks a text. Punctuation, and words and values on the whitelist, stay readable. A mask replaces
/// each other run of characters.
pub(super) fn masked(mask: &mut StrictMask, text: &str) -> String {
    let is_mark = |c: char| PUNCTUATION.contains(c);
    let (mut masked, mut name, mut rest) = (String::with_capacity(text.len()), String::new(), text);
    while !rest.is_empty() {
        let end = amount_end(mask, &name, rest);
        let end = end.unwrap_or_else(|| rest.find(is_mark).unwrap_or(rest.len()));
        let (run, after) = rest.split_at(end);
        let word = run.trim_matches([' ', '/', '\\']);
        let start = run.find(word).unwrap_or(0);
        let is_kept = word.is_empty()
            || is_blank(word)
            || mask.is_code(word)
            || mask.keeps(&name, word, true)
            || (mask.kept.keeps_word(word) && !mask.is_secret(word));
        masked += &run[..start];
        masked += &if is_kept { word.to_owned() } else { mask.masked(word) };
        masked += &run[start + word.len()..];
        if !word.is_empty() {
            name = word.to_owned();
        }
        let next = after.find(|c| !is_mark(c)).unwrap_or(after.len());
        masked += &after[..next];
        // The name before a value applies only if there is a colon or an equals sign between them.
        if !word.is_empty() && !after[..next].contains([':', '=']) {
            name.clear();
        }
        rest = &after[next..];
    }
    masked
}

/// Returns the length of the amount at the start of `text`, if `name` is the name of an amount.
/// Amounts may contain commas, which otherwise end a run.
fn amount_end(mask: &StrictMask, name: &str, text: &str) -> Option<usize> {
    let from = text.len() - text.trim_start_matches(' ').len();
    let amount = &text[from..];
    let end = amount.find(|c: char| !(c.is_ascii_digit() || ".,".contains(c)));
    let amount = amount[..end.unwrap_or(amount.len())].trim_end_matches([',', '.']);
    let end = from + amount.len();
    let is_whole = text[end..].is_empty() || text[end..].starts_with(|c| PUNCTUATION.contains(c));
    (!amount.is_empty() && is_whole && mask.keeps(name, amount, true)).then_some(end)
}
