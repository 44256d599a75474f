//! Replaces the program's symbols with ASCII characters, for fonts without these symbols.

use ratatui::buffer::Buffer;

/// The symbols used by the screens, with their ASCII replacements.
const SIGNS: [(&str, &str); 39] = [
    ("␣", "_"),
    ("─", "-"),
    ("━", "="),
    ("│", "|"),
    ("┌", "+"),
    ("┐", "+"),
    ("└", "+"),
    ("┘", "+"),
    ("▌", ">"),
    ("●", "*"),
    ("○", "o"),
    ("−", "-"),
    ("·", "-"),
    ("…", "~"),
    ("\u{201c}", "\""),
    ("\u{201d}", "\""),
    ("•", "*"),
    ("→", ">"),
    ("‹", "<"),
    ("›", ">"),
    // This replacement is only for texts from outside. The program's own texts use the wider `ok`
    // (see `Catalogue::sign`).
    ("✓", "v"),
    ("‼", "#"),
    ("×", "x"),
    ("◆", "*"),
    ("▲", "^"),
    ("▼", "v"),
    ("—", "-"),
    ("≠", "!"),
    ("–", "-"),
    ("↑", "^"),
    ("↓", "v"),
    ("▁", "_"),
    ("▂", "."),
    ("▃", ":"),
    ("▄", "-"),
    ("▅", "="),
    ("▆", "+"),
    ("▇", "*"),
    ("█", "#"),
];

/// Replaces the symbols in the buffer with ASCII characters. Accented letters are kept.
pub(super) fn to_ascii(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        if let Some((_, plain)) = SIGNS.iter().find(|(sign, _)| *sign == cell.symbol()) {
            cell.set_symbol(plain);
        }
    }
}
