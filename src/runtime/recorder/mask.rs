//! Masks the rows of a recorded screen: only the program's own words, amounts, dates, times and
//! short numbers stay readable.
//!
//! The mask is applied to the drawn cells, so a text cannot miss it, and every text keeps its
//! place. What the seller sees is not masked by it.

use std::ops::Range;

use ratatui::buffer::{Buffer, Cell};

use crate::trade::personal::{is_amount, starts_with_date};
use crate::words::vocabulary::has_only_own_words;

/// The symbol of a masked character, and how many of them replace a word.
const MASK: char = '•';
const MASK_LENGTH: usize = 3;

/// The maximum number of digits of a number that stays readable, if it is no amount, date or time.
const MAX_DIGITS: usize = 4;

/// The number of digits from which several groups of digits are one number, such as that of a
/// telephone.
const MIN_NUMBER_DIGITS: usize = 8;

/// Masks a row of a screen.
pub fn mask_row(row: &mut Buffer) {
    let words = words(&row.content);
    let mut private: Vec<bool> = words.iter().map(|word| is_private(&word.text)).collect();
    for group in groups_of_digits(&words) {
        let digits = words[group.clone()]
            .iter()
            .map(|word| count_digits(&word.text));
        if digits.sum::<usize>() >= MIN_NUMBER_DIGITS {
            private[group].fill(true);
        }
    }
    let private = words.iter().zip(private).filter(|(_, private)| *private);
    for (word, _) in private {
        for (index, cell) in row.content[word.cells.clone()].iter_mut().enumerate() {
            cell.set_char(if index < MASK_LENGTH { MASK } else { ' ' });
        }
    }
}

/// A text between spaces and lines.
struct Word {
    text: String,
    cells: Range<usize>,
}

fn words(cells: &[Cell]) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut is_inside = false;
    for (index, cell) in cells.iter().enumerate() {
        let symbol = cell.symbol();
        if is_gap(symbol) {
            is_inside = false;
            continue;
        }
        match words.last_mut().filter(|_| is_inside) {
            Some(word) => {
                word.text.push_str(symbol);
                word.cells.end = index + 1;
            }
            None => words.push(Word {
                text: symbol.to_owned(),
                cells: index..index + 1,
            }),
        }
        is_inside = true;
    }
    words
}

/// True for a cell between words: a space, or a part of a box or a chart.
fn is_gap(symbol: &str) -> bool {
    symbol
        .chars()
        .all(|c| c.is_whitespace() || ('\u{2500}'..='\u{259f}').contains(&c))
}

/// The groups of numbers with one space between them.
fn groups_of_digits(words: &[Word]) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = vec![];
    let is_part = |word: &Word| {
        let is_number = |c: char| c.is_numeric() || "()+-./".contains(c);
        word.text.chars().all(is_number)
            && count_digits(&word.text) > 0
            && !is_date(&word.text)
            && !is_amount(&word.text)
    };
    let parts = words.iter().enumerate();
    for (index, _) in parts.filter(|(_, word)| is_part(word)) {
        match groups.last_mut() {
            Some(group)
                if group.end == index
                    && words[index - 1].cells.end + 1 == words[index].cells.start =>
            {
                group.end = index + 1;
            }
            _ => groups.push(index..index + 1),
        }
    }
    groups
}

fn count_digits(text: &str) -> usize {
    text.chars().filter(|c| c.is_numeric()).count()
}

/// True if the word may be personal: it is no own word of the program, and no amount, date, time or
/// short number. The dots of a secret are private, because their number is.
fn is_private(text: &str) -> bool {
    if text.contains(['@', MASK]) {
        return true;
    }
    let text = text.trim_matches(|c: char| !c.is_alphanumeric());
    if text.chars().all(|c| !c.is_alphabetic()) {
        return count_digits(text) > MAX_DIGITS
            && !is_amount(text)
            && !is_date(text)
            && !is_time(text);
    }
    let parts = text.split(|c: char| !c.is_alphanumeric());
    let is_private_part = |part: &str| {
        let is_number = part.chars().all(|c| c.is_ascii_digit());
        !is_number && !is_function_key(part) && !has_only_own_words(part)
    };
    count_digits(text) > MAX_DIGITS || parts.into_iter().any(is_private_part)
}

/// True for the name of a key such as `F8`.
fn is_function_key(text: &str) -> bool {
    let number = text.strip_prefix('F').unwrap_or_default();
    matches!(number.len(), 1 | 2) && number.chars().all(|c| c.is_ascii_digit())
}

/// True for a date such as `2026-11-24`, `21/11/2026` or `21/11`.
fn is_date(text: &str) -> bool {
    let is_part = |part: &str| matches!(part.len(), 2 | 4) && count_digits(part) == part.len();
    starts_with_date(text) && text.len() == 10
        || text.split('/').count() <= 3 && text.contains('/') && text.split('/').all(is_part)
}

/// True for a time such as `10:42` or `10:42:07`.
fn is_time(text: &str) -> bool {
    let is_part = |part: &str| part.len() == 2 && count_digits(part) == 2;
    text.contains(':') && text.split(':').all(is_part)
}

#[cfg(test)]
mod tests {
    use ratatui::style::Style;

    use super::*;

    fn masked(text: &str) -> String {
        let mut row = Buffer::with_lines([text]);
        row.set_style(row.area, Style::new().bold());
        mask_row(&mut row);
        row.content.iter().map(Cell::symbol).collect()
    }

    #[test]
    fn own_words_and_amounts_stay_readable() {
        for text in [
            " Saques ·1   R$ 1.234,56   hoje, 10:42:07  n novo",
            " 21/11/2026, 10:42  21/11 10:42  2026-11-24  HTTP 404  3 de 120",
            "│ OUTCOME UNKNOWN │ resend ──  Ctrl-C  F8 ",
        ] {
            assert_eq!(masked(text), text);
        }
    }

    #[test]
    fn everything_else_is_masked_in_its_place() {
        for (text, expected) in [
            ("Bia Souza  R$ 49,90", "••• •••    R$ 49,90"),
            ("Camiseta azul, hoje", "•••      •••   hoje"),
            ("111.444.777-35 novo", "•••            novo"),
            ("(11) 91234-5678 x", "•••  •••        x"),
            ("11 91234 5678  12", "•• •••   •••   12"),
            ("11144477735", "•••        "),
            ("ana@loja.example", "•••             "),
            ("https://x.co/novo", "•••              "),
            ("●●  ••••••••••  ok", "●●  •••         ok"),
            ("3f2a-novo 12345", "•••       •••  "),
            ("loja-da-ana", "•••        "),
            ("你 novo", "•  novo"),
        ] {
            assert_eq!(masked(text), expected, "{text}");
        }
    }
}
