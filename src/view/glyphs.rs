//! Our own signs in plain ASCII, for fonts that have nothing else.

use ratatui::buffer::Buffer;

/// Each sign the screens use, and what stands for it.
const SIGNS: [(&str, &str); 38] = [
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
    ("✓", "v"),
    ("‼", "#"),
    ("×", "x"),
    ("◆", "*"),
    ("▲", "^"),
    ("▼", "v"),
    ("—", "-"),
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

/// Puts plain characters where our signs stand; letters with accents stay.
pub(super) fn to_ascii(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        if let Some((_, plain)) = SIGNS.iter().find(|(sign, _)| *sign == cell.symbol()) {
            cell.set_symbol(plain);
        }
    }
}
