//! Large digits: draws an amount in three rows of half blocks, so that it is the first thing that
//! is seen on a screen.

use crate::app::ui::text::columns;
use crate::app::ui::{Line, Role, Span};

/// The number of rows of a large amount.
const ROWS: usize = 3;

/// The pixels of the characters, from top to bottom. Each row of the screen shows two rows of
/// pixels. The last row of pixels has only the tail of the comma.
///
/// Two rows of the screen are too few: the figure eight would look like a zero.
const GLYPHS: [(char, [&str; 2 * ROWS]); 12] = [
    ('0', ["###", "# #", "# #", "# #", "###", "   "]),
    ('1', [" # ", "## ", " # ", " # ", "###", "   "]),
    ('2', ["###", "  #", "###", "#  ", "###", "   "]),
    ('3', ["###", "  #", "###", "  #", "###", "   "]),
    ('4', ["# #", "# #", "###", "  #", "  #", "   "]),
    ('5', ["###", "#  ", "###", "  #", "###", "   "]),
    ('6', ["###", "#  ", "###", "# #", "###", "   "]),
    ('7', ["###", "  #", "  #", "  #", "  #", "   "]),
    ('8', ["###", "# #", "###", "# #", "###", "   "]),
    ('9', ["###", "# #", "###", "  #", "###", "   "]),
    ('.', [" ", " ", " ", " ", "#", " "]),
    (',', [" ", " ", " ", " ", "#", "#"]),
];

/// Draws an amount such as `R$ 1.000,00` in the middle of `width` columns. The currency stays
/// ordinary text before the digits. Returns `None` if the amount does not fit, or if it has a
/// character without a glyph.
pub fn lines(amount: &str, width: usize) -> Option<Vec<Line>> {
    let (currency, digits) = amount.split_once(' ')?;
    let glyphs = digits
        .chars()
        .map(|c| GLYPHS.iter().find(|(name, _)| *name == c))
        .collect::<Option<Vec<_>>>()?;
    let rows: [String; ROWS] = std::array::from_fn(|row| {
        let cells = glyphs.iter().map(|(_, glyph)| cells(glyph, row));
        cells.collect::<Vec<_>>().join(" ")
    });
    let currency_width = columns(currency) + 2;
    let indent = width.checked_sub(currency_width + columns(&rows[0]))? / 2;
    let lines = rows.into_iter().zip(["", currency, ""]);
    let lines = lines.map(|(cells, currency)| {
        let before = format!("{:indent$}{currency:currency_width$}", "");
        Line::from(vec![
            Span::of(Role::Dim, before),
            Span::of(Role::Money, cells),
        ])
    });
    Some(lines.collect())
}

/// The part of a glyph that is in this row of the screen.
fn cells(glyph: &[&str; 2 * ROWS], row: usize) -> String {
    let [upper, lower] = [glyph[2 * row], glyph[2 * row + 1]];
    upper
        .chars()
        .zip(lower.chars())
        .map(|halves| match halves {
            ('#', '#') => '█',
            ('#', _) => '▀',
            (_, '#') => '▄',
            _ => ' ',
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trade::Money;

    /// Reads large digits back from the characters on the screen.
    fn read(lines: &[Line]) -> String {
        let rows: Vec<Vec<char>> = lines
            .iter()
            .map(|line| line.to_string().chars().collect())
            .collect();
        let width = rows.iter().map(Vec::len).max().unwrap();
        let cell = |row: usize, x: usize| rows[row].get(x).copied().unwrap_or(' ');
        let is_ink = |y: usize, x: usize| match cell(y / 2, x) {
            '█' => true,
            '▀' => y.is_multiple_of(2),
            '▄' => !y.is_multiple_of(2),
            _ => false,
        };
        let text: String = rows[1].iter().filter(|c| !"█▀▄".contains(**c)).collect();
        let mut digits = String::new();
        let has_ink: Vec<bool> = (0..width)
            .map(|x| (0..2 * ROWS).any(|y| is_ink(y, x)))
            .collect();
        let mut start = 0;
        for run in has_ink.chunk_by(|ink, next_ink| ink == next_ink) {
            let end = start + run.len();
            if run[0] {
                let pixels: Vec<String> = (0..2 * ROWS)
                    .map(|y| {
                        let ink = |x| if is_ink(y, x) { '#' } else { ' ' };
                        (start..end).map(ink).collect()
                    })
                    .collect();
                let same: Vec<char> = GLYPHS
                    .iter()
                    .filter(|(_, glyph)| glyph.iter().eq(&pixels))
                    .map(|(c, _)| *c)
                    .collect();
                assert_eq!(same.len(), 1, "{pixels:?}");
                digits.push(same[0]);
            }
            start = end;
        }
        format!("{} {digits}", text.trim())
    }

    #[test]
    fn drawn_amounts_read_back_as_the_same_text() {
        for digits in [
            "123456789018",
            "908765432100",
            "888888888888",
            "111111111111",
        ] {
            for count in 1..=12 {
                let centavos = digits[..count].parse().unwrap();
                let amount = Money::from_centavos(centavos).to_string();
                let lines = lines(&amount, 76).unwrap();
                assert_eq!(lines.len(), ROWS);
                assert_eq!(read(&lines), amount);
            }
        }
    }

    #[test]
    fn large_amount_is_in_the_middle_or_not_drawn() {
        let amount = "R$ 1.000,00";
        let drawn = lines(amount, 60).unwrap();
        let row = drawn[1].to_string();
        assert_eq!(row.chars().take_while(|c| *c == ' ').count(), 14);
        assert!(drawn.iter().all(|line| line.width() == 14 + 4 + 27));
        assert!(lines(amount, 31).is_some());
        assert_eq!(lines(amount, 30), None, "too narrow");
        assert_eq!(lines("R$ −1,00", 60), None, "no such glyph");
    }
}
