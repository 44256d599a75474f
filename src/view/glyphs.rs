//! Replaces the program's symbols with ASCII characters, because some fonts do not have these
//! symbols.

use ratatui::buffer::Buffer;

/// The symbols that the screens use, each with the ASCII character that replaces it.
const SIGNS: [(&str, &str); 41] = [
    ("␣", "_"),
    ("─", "-"),
    ("━", "="),
    ("╌", "-"),
    ("│", "|"),
    ("┌", "+"),
    ("┐", "+"),
    ("└", "+"),
    ("┘", "+"),
    ("▌", ">"),
    ("▎", ">"),
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
    // This replacement applies only to text from outside, such as a reply. In the program's own
    // texts, `✓` is replaced by `ok` (see `Catalogue::sign`).
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
