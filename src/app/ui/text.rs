//! Functions for text that is measured in terminal columns. They compute its width, and wrap,
//! shorten and align it.

use compact_str::{CompactString, format_compact};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The number of terminal columns that a text takes.
pub fn columns(text: &str) -> usize {
    // Fast path: most texts are plain ASCII, which takes one column for each byte.
    if text.bytes().all(|b| matches!(b, b' '..=b'~')) {
        return text.len();
    }
    // The width of a character can depend on its neighbors. Only the library measures this
    // correctly, but the library is slow, so use it only if necessary.
    let count = text
        .chars()
        .try_fold(0, |count, c| is_one_cell(c).then_some(count + 1));
    count.unwrap_or_else(|| text.width())
}

/// True if a character always takes one column, whatever its neighbors are. These are the letters
/// of Western Europe (except the soft hyphen), and the most common symbols of the screens.
pub fn is_one_cell(c: char) -> bool {
    let is_letter = matches!(c, ' '..='~' | '\u{a0}'..='\u{ac}' | '\u{ae}'..='\u{ff}');
    is_letter || matches!(c, '─' | '│' | '▌' | '●' | '○' | '✓' | '…' | '–' | '↑' | '↓')
}

/// Shortens the text to at most `max` columns. If the text was cut, it ends in an ellipsis.
pub fn fit(text: &str, max: usize) -> CompactString {
    if columns(text) <= max {
        return text.into();
    }
    let (head, _) = split_at(text, max.saturating_sub(1));
    if max == 0 {
        CompactString::default()
    } else {
        format_compact!("{head}…")
    }
}

/// Shortens the text at its beginning to at most `max` columns. If the text was cut, it begins with
/// an ellipsis.
pub fn fit_end(text: &str, max: usize) -> CompactString {
    let excess = columns(text).saturating_sub(max);
    if excess == 0 {
        return text.into();
    }
    let (_, tail) = split_at(text, excess + 1);
    if max == 0 {
        CompactString::default()
    } else {
        format_compact!("…{tail}")
    }
}

/// The first of several texts that fits into `max` columns. If no text fits, shortens the last one.
pub fn first_fitting<T: AsRef<str>>(
    texts: impl IntoIterator<Item = T>,
    max: usize,
) -> CompactString {
    let mut last = None;
    for text in texts {
        if columns(text.as_ref()) <= max {
            return text.as_ref().into();
        }
        last = Some(text);
    }
    last.map_or_else(CompactString::default, |text| fit(text.as_ref(), max))
}

/// The text with its first letter in upper case.
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string());
    format!("{}{}", first.unwrap_or_default(), chars.as_str())
}

/// Adds spaces on the left, until the text is `width` columns wide.
pub fn align_right(text: &str, width: usize) -> CompactString {
    let blank_count = width.saturating_sub(columns(text));
    let mut aligned = CompactString::with_capacity(text.len() + blank_count);
    push_blanks(&mut aligned, blank_count);
    aligned.push_str(text);
    aligned
}

/// Adds spaces on the right, until the text is `width` columns wide.
pub fn align_left(text: &str, width: usize) -> CompactString {
    pad_right(text, columns(text), width)
}

/// Makes the text exactly `width` columns wide, by shortening it or by adding spaces.
pub fn exactly(text: &str, width: usize) -> CompactString {
    let text_width = columns(text);
    // If the cut goes through a wide character, `fit` returns a text that is one column too short,
    // so add a space.
    if text_width > width {
        align_left(&fit(text, width), width)
    } else {
        pad_right(text, text_width, width)
    }
}

fn pad_right(text: &str, text_width: usize, width: usize) -> CompactString {
    let blank_count = width.saturating_sub(text_width);
    let mut padded = CompactString::with_capacity(text.len() + blank_count);
    padded.push_str(text);
    push_blanks(&mut padded, blank_count);
    padded
}

/// A long string of spaces, from which spaces are copied. Adding spaces one by one took an eighth
/// of the time for a frame.
const BLANKS: &str = "                                                                ";

fn push_blanks(text: &mut CompactString, mut count: usize) {
    while count > 0 {
        let chunk_len = count.min(BLANKS.len());
        text.push_str(&BLANKS[..chunk_len]);
        count -= chunk_len;
    }
}

/// Wraps the text into lines of at most `width` columns. Lines are broken between words if
/// possible.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    text.lines()
        .flat_map(|line| wrap_line(line, width.max(1)))
        .collect()
}

fn wrap_line(line: &str, width: usize) -> Vec<String> {
    // All lines are indented like the original line.
    let words = line.trim_start_matches(' ');
    let indent = " ".repeat((line.len() - words.len()).min(width / 2));
    let lines = wrap_words(words, width - indent.len());
    lines
        .into_iter()
        .map(|line| format!("{indent}{line}"))
        .collect()
}

fn wrap_words(line: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut current = String::new();
    for word in words(line) {
        let gap = usize::from(!current.is_empty());
        if columns(&current) + gap + columns(word) <= width {
            if gap == 1 {
                current.push(' ');
            }
            current.push_str(word);
            continue;
        }
        if !current.is_empty() {
            lines.push(std::mem::take(&mut current));
        }
        let mut pieces = break_word(word, width);
        current.push_str(pieces.pop().unwrap_or_default());
        lines.extend(pieces.into_iter().map(str::to_owned));
    }
    lines.push(current);
    lines
}

const ADDRESS_BREAKS: [char; 5] = ['/', '-', '.', '?', '&'];

/// Splits a long word into pieces of at most `width` columns. A URL or other address is split
/// between its parts.
pub fn break_word(word: &str, width: usize) -> Vec<&str> {
    let is_address = is_address(word);
    let mut pieces = Vec::new();
    let mut rest = word;
    // Split off the pieces one by one. Measuring the whole rest of the text for each piece would
    // take quadratic time.
    loop {
        let (head, tail) = split_at(rest, width);
        if head.is_empty() || tail.is_empty() {
            pieces.push(rest);
            return pieces;
        }
        let piece_len = head
            .rfind(ADDRESS_BREAKS)
            .filter(|_| is_address)
            .map_or(head.len(), |at| at + 1);
        let (piece, tail_of_rest) = rest.split_at(piece_len);
        pieces.push(piece);
        rest = tail_of_rest;
    }
}

/// True if the word is a URL, path, host or e-mail address. Figures and Pix codes are not
/// addresses.
fn is_address(word: &str) -> bool {
    // Skip a leading bracket or quotation mark.
    let word = word.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '/');
    let is_name = |part: &str| part.starts_with(|c: char| c.is_ascii_lowercase());
    word.starts_with('/')
        || word.starts_with(|c: char| c.is_ascii_alphabetic())
            && (word.contains(['/', '@']) || word.split('.').skip(1).any(is_name))
}

/// The width of the widest word, in columns.
pub fn widest_word(text: &str) -> usize {
    text.lines().flat_map(words).map(columns).max().unwrap_or(0)
}

/// The text without its last word and the space before that word. Returns `None` if the text has
/// only one word.
pub fn without_last_word(text: &str) -> Option<&str> {
    let last = words(text).last()?;
    let before = text.strip_suffix(last)?.trim_end_matches(' ');
    (!before.is_empty()).then_some(before)
}

/// The units that may follow a figure, as in "24 h".
const UNITS: [&str; 6] = ["ms", "s", "min", "h", "kB", "KiB"];

/// The words of a line. An amount, a figure with its unit, and a phone number each count as a
/// single word.
///
/// No-break spaces are not used for this purpose, because users copy and search the texts, and some
/// fonts do not have that character.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(line);
    std::iter::from_fn(move || {
        let line = rest?;
        let gaps = line.match_indices(' ').map(|(at, _)| at);
        let gap = gaps
            .into_iter()
            .find(|at| !is_unbreakable(&line[..*at], &line[at + 1..]));
        rest = gap.map(|at| &line[at + 1..]);
        Some(gap.map_or(line, |at| &line[..at]))
    })
}

/// True if a line must not be broken between these two texts. The break would split a figure or a
/// phone number.
fn is_unbreakable(before: &str, after: &str) -> bool {
    is_in_figure(before, after) || is_in_phone(before, after)
}

/// True if a line break between these two texts would split a phone number, such as
/// `+55 11 98765-4321`. The number may be masked.
fn is_in_phone(before: &str, after: &str) -> bool {
    let area = before.rsplit_once("+55").map(|(_, area)| area);
    let has_begun = area
        .is_some_and(|area| area.is_empty() || area.strip_prefix(' ').is_some_and(is_area_code));
    has_begun && after.starts_with(is_phone_digit)
}

fn is_area_code(text: &str) -> bool {
    text.chars().count() == 2 && text.chars().all(is_phone_digit)
}

fn is_phone_digit(c: char) -> bool {
    c.is_ascii_digit() || c == '•'
}

/// True if a line break between these two texts would separate `R$` from its figure, or a figure
/// from its unit.
fn is_in_figure(before: &str, after: &str) -> bool {
    let word_end = after
        .find(|c: char| !c.is_alphanumeric())
        .unwrap_or(after.len());
    before.ends_with("R$") && after.starts_with(|c: char| c.is_ascii_digit())
        || before.ends_with(|c: char| c.is_ascii_digit()) && UNITS.contains(&&after[..word_end])
}

/// Splits the text into two parts. The first part has as many characters as fit into `max` columns.
pub fn split_at(text: &str, max: usize) -> (&str, &str) {
    let mut width_so_far = 0;
    for (at, c) in text.char_indices() {
        width_so_far += c.width().unwrap_or(0);
        if width_so_far > max {
            return text.split_at(at);
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A pattern for generating test texts. It contains letters, symbols of the screens, combining,
    /// wide and invisible characters, and parts of emoji.
    const TEXT: &str = "([ -~]|[\u{a0}-\u{ff}]|[─│▌●○✓…–↑↓]|\
        [á日\u{301}\u{200d}\u{fe0f}\u{ad}\r\n👩🏽🇧©]){0,4}";

    proptest! {
        #[test]
        fn columns_equals_the_width_from_the_library(
            text in TEXT,
        ) {
            prop_assert_eq!(columns(&text), text.width());
        }
    }

    #[test]
    fn single_cell_characters_have_width_one() {
        let single_cell = ('\0'..='\u{ffff}').filter(|c| is_one_cell(*c));
        assert!(single_cell.clone().count() > 180);
        assert!(single_cell.into_iter().all(|c| c.width() == Some(1)));
    }

    #[test]
    fn wraps_between_words_and_splits_long_words() {
        assert_eq!(
            wrap("o dinheiro pode ter saído", 12),
            ["o dinheiro", "pode ter", "saído"]
        );
        assert_eq!(wrap("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(wrap("a\n\nb", 10), ["a", "", "b"]);
        assert_eq!(wrap("日本語", 1), ["日本語"]);
        assert_eq!(wrap("  \"a\": 1 234", 8), ["  \"a\": 1", "  234"]);
    }

    #[test]
    fn address_split_between_parts_but_number_is_not() {
        let url = "https://loja.example/checkout/link-7f3k2q?de=ana&x=1";
        assert_eq!(
            break_word(url, 24),
            [
                "https://loja.example/",
                "checkout/link-7f3k2q?",
                "de=ana&x=1"
            ]
        );
        assert_eq!(
            break_word("loja-da-ana.localhost", 12),
            ["loja-da-ana.", "localhost"]
        );
        assert_eq!(break_word("1.234.567", 4), ["1.23", "4.56", "7"]);
        assert_eq!(
            break_word("0014br.gov.bcb.pix", 12),
            ["0014br.gov.b", "cb.pix"]
        );
        assert_eq!(
            break_word("https://aaaaaaaaaaaa", 10),
            ["https://", "aaaaaaaaaa", "aa"]
        );
        assert_eq!(break_word("", 4), [""]);
        assert_eq!(wrap(&format!("veja {url}"), 54), ["veja", url]);
    }

    #[test]
    fn address_after_punctuation_split_between_parts() {
        let quoted = "veja \u{201c}https://loja.example/checkout/link-7f3k2q\u{201d}";
        assert_eq!(
            wrap(quoted, 26),
            [
                "veja",
                "\u{201c}https://loja.example/",
                "checkout/link-7f3k2q\u{201d}"
            ]
        );
        assert_eq!(
            wrap("(api.loja.example/v1)", 14),
            ["(api.loja.", "example/v1)"]
        );
        let json = "{\"url\":\"https://loja.example/a\"}";
        assert_eq!(wrap(json, 18), ["{\"url\":\"https://", "loja.example/a\"}"]);
        // A quotation mark before a Pix code does not make the code an address.
        assert_eq!(
            wrap("\"0014br.gov.bcb.pix\"", 13),
            ["\"0014br.gov.b", "cb.pix\""]
        );
    }

    #[test]
    fn wrapping_a_long_word_takes_linear_time() {
        // If `wrap` measured the whole rest of the text for each line, this test would take hours.
        let lines = wrap(&"x".repeat(4_000_003), 10);
        assert_eq!(lines.len(), 400_001);
        assert_eq!((lines[0].len(), lines[400_000].as_str()), (10, "xxx"));
    }

    #[test]
    fn amount_is_not_split_by_wrapping() {
        assert_eq!(
            wrap("custa R$ 10,00 hoje", 12),
            ["custa", "R$ 10,00", "hoje"]
        );
        assert_eq!(wrap("em R$ ou não", 6), ["em R$", "ou não"]);
        assert_eq!(wrap("R$ 1.234.567,89", 8), ["R$ 1.234", ".567,89"]);
    }

    #[test]
    fn last_word_is_removed_as_a_whole() {
        assert_eq!(without_last_word("a taxa será"), Some("a taxa"));
        assert_eq!(without_last_word("custa R$ 10,00"), Some("custa"));
        assert_eq!(without_last_word("3f0e6c1c"), None);
        assert_eq!(without_last_word("  3f0e6c1c"), None);
        assert_eq!(without_last_word(""), None);
    }

    #[test]
    fn phone_number_is_not_split_by_wrapping() {
        assert_eq!(
            wrap("telefone +55 11 98765-4321 (Conta PJ)", 24),
            ["telefone", "+55 11 98765-4321 (Conta", "PJ)"]
        );
        assert_eq!(
            wrap("telefone +55 •• •••••-4321", 18),
            ["telefone", "+55 •• •••••-4321"]
        );
        assert_eq!(
            wrap("+55 11 98765-4321 3 vezes", 18),
            ["+55 11 98765-4321", "3 vezes"],
            "it has an end"
        );
        assert_eq!(
            wrap("+5511987654321 3 vezes", 16),
            ["+5511987654321 3", "vezes"]
        );
    }

    #[test]
    fn figure_stays_with_its_unit_in_wrapping() {
        assert_eq!(
            wrap("Mais de 24 h conta como 24 h.", 10),
            ["Mais de", "24 h conta", "como 24 h."]
        );
        assert_eq!(
            wrap("espera 30 s, no máximo", 9),
            ["espera", "30 s, no", "máximo"]
        );
        assert_eq!(wrap("há 2 min", 5), ["há", "2 min"]);
        assert_eq!(wrap("tem 64 KiB", 7), ["tem", "64 KiB"]);
        // “horas” begins with “h” but is not the unit “h”, so the line may break before it.
        assert_eq!(wrap("as 24 horas", 6), ["as 24", "horas"]);
        assert_eq!(wrap("linha 24 h-3", 8), ["linha", "24 h-3"]);
        assert!(
            !wrap("Mais de 24 h", 40).concat().contains('\u{a0}'),
            "copied as it is read"
        );
    }

    #[test]
    fn text_is_padded_or_cut_with_ellipsis() {
        assert_eq!(fit("Camiseta azul", 9), "Camiseta…");
        assert_eq!(fit("日本語", 5), "日本…");
        assert_eq!(fit("abc", 3), "abc");
        assert_eq!(fit("abc", 0), "");
        assert_eq!(exactly("ab", 4), "ab  ");
        assert_eq!(align_right("R$ 1,00", 9), "  R$ 1,00");
        for width in [0, 1, 63, 64, 65, 200] {
            assert_eq!(align_right("é", width), format!("{:>width$}", "é"));
            assert_eq!(align_left("é", width), format!("{:width$}", "é"));
        }
    }
}
