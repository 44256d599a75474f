//! Text from outside the program, and functions that make such text safe to show.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use super::personal::masked_text;
use serde::{Deserialize, Deserializer, Serialize};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The maximum number of characters to show from a one-line text.
const MAX_SHOWN: usize = 4096;

/// The maximum number of characters to show from a multi-line text, such as a response body.
const MAX_SHOWN_IN_LINES: usize = 256 * 1024;

/// The maximum number of combining marks on one letter. No language needs more than four.
const MAX_MARKS: usize = 4;

/// Text that comes from outside the program: from a server, a file, the environment or a paste.
///
/// The text may contain control characters that the terminal would execute, invisible characters,
/// and characters that change the reading direction. The `shown` methods replace such characters by
/// visible marks. The type does not implement `Display`, so that no code bypasses these methods.
///
/// Most `shown` methods also mask personal data while [`masking`](Untrusted::masking) is on.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Untrusted(String);

impl Untrusted {
    /// The text as one line that is safe to show.
    pub fn shown(&self) -> String {
        Untrusted::shown_of(&self.0)
    }

    /// A plain string made safe to show on one line.
    pub fn shown_of(raw: &str) -> String {
        show(&masked(raw), MAX_SHOWN, LineBreaks::One)
    }

    /// Calls `show`. If `is_on` is true, the `shown` methods mask personal data during this call.
    ///
    /// The setting applies to all text that `show` displays on the current thread, so that no
    /// screen can forget to mask.
    pub fn masking<T>(is_on: bool, show: impl FnOnce() -> T) -> T {
        let _guard = MaskingGuard(IS_MASKING.replace(is_on));
        show()
    }

    /// Calls the function `show` without masking. Use this for text that the seller copies and
    /// passes on, such as the URL of a payment link.
    pub fn without_masking<T>(show: impl FnOnce() -> T) -> T {
        Untrusted::masking(false, show)
    }

    /// True if personal data is being masked on the current thread.
    pub fn is_masking() -> bool {
        IS_MASKING.get()
    }

    /// The whole text as one line that is safe to show. The text is never shortened or masked. Use
    /// this for terms that the seller agrees to.
    pub fn shown_whole(&self) -> String {
        show(&self.0, usize::MAX, LineBreaks::One)
    }

    /// The text as one line that is safe to show, shortened to at most `max_columns` columns.
    pub fn shown_within(&self, max_columns: usize) -> String {
        shorten_to_columns(self.shown(), max_columns)
    }

    /// The text as several lines that are safe to show. Line breaks are kept, and tabs become
    /// spaces.
    pub fn shown_lines(&self) -> String {
        show(&masked(&self.0), MAX_SHOWN_IN_LINES, LineBreaks::Many)
    }

    /// The first part of the text, with at most this number of bytes.
    pub fn start(&self, bytes: usize) -> Untrusted {
        Untrusted::from(&self.0[..self.0.floor_char_boundary(bytes)])
    }

    /// The original text. Use this for requests, comparisons and parsers, but never to show the
    /// text.
    pub fn raw(&self) -> &str {
        &self.0
    }

    /// True if [`shown`](Untrusted::shown) returns the text unchanged while masking is off.
    pub fn is_clean(&self) -> bool {
        show(&self.0, MAX_SHOWN, LineBreaks::One) == self.0
    }

    /// The mark that replaces a secret in a recorded text. It is a character without a meaning, and
    /// the client replaces it in every response, so no text from outside contains it. It is shown
    /// as [`SHOWN_MASK`](Untrusted::SHOWN_MASK).
    pub const MASKED: &str = "\u{FDEF}";

    /// The text that replaces a JWT in the reply to a login. It discloses nothing, because every
    /// JWT begins with these letters.
    pub const MASKED_JWT: &str = "eyJ\u{FDEF}";

    /// The ellipsis that is shown, and written to exported files, for each
    /// [`MASKED`](Untrusted::MASKED). Services write this character too.
    pub const SHOWN_MASK: &str = "…";

    /// The text that is shown, and written to exported files, for
    /// [`MASKED_JWT`](Untrusted::MASKED_JWT).
    pub const SHOWN_JWT_MASK: &str = "eyJ…";

    /// Replaces the marks of secrets in a text that leaves the program by what is shown for them.
    pub fn with_shown_masks(text: &str) -> String {
        text.replace(Untrusted::MASKED, Untrusted::SHOWN_MASK)
    }

    /// True if the text contains [`MASKED`](Untrusted::MASKED), which means that a secret was
    /// replaced and the text differs from the service's original.
    pub fn is_masked(&self) -> bool {
        self.0.contains(Untrusted::MASKED)
    }

    /// The maximum number of characters to show from a one-line text.
    pub const MAX_SHOWN: usize = MAX_SHOWN;

    /// True if the text is longer than [`MAX_SHOWN`](Untrusted::MAX_SHOWN) characters.
    pub fn is_too_long(&self) -> bool {
        self.0.len() > MAX_SHOWN && self.0.chars().count() > MAX_SHOWN
    }

    /// The length of the text in bytes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if the text is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<String> for Untrusted {
    fn from(text: String) -> Untrusted {
        Untrusted(text)
    }
}

impl From<&str> for Untrusted {
    fn from(text: &str) -> Untrusted {
        Untrusted(text.to_owned())
    }
}

impl<'de> Deserialize<'de> for Untrusted {
    /// Reads a stored text. Earlier versions stored the ellipsis for a masked value. It can be part
    /// of any other text, so it is a mask only if it is the whole value.
    fn deserialize<D: Deserializer<'de>>(stored: D) -> Result<Untrusted, D::Error> {
        let text = String::deserialize(stored)?;
        Ok(Untrusted(match &*text {
            Untrusted::SHOWN_MASK => Untrusted::MASKED.to_owned(),
            Untrusted::SHOWN_JWT_MASK => Untrusted::MASKED_JWT.to_owned(),
            _ => text,
        }))
    }
}

impl fmt::Debug for Untrusted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Untrusted({:?})",
            show(&self.0, MAX_SHOWN, LineBreaks::One)
        )
    }
}

thread_local! {
    static IS_MASKING: Cell<bool> = const { Cell::new(false) };
}

/// A guard that restores the previous masking setting when it is dropped, even after a panic.
struct MaskingGuard(bool);

impl Drop for MaskingGuard {
    fn drop(&mut self) {
        IS_MASKING.set(self.0);
    }
}

/// The text with personal data masked, if masking is on.
fn masked(raw: &str) -> Cow<'_, str> {
    if IS_MASKING.get() {
        masked_text(raw).into()
    } else {
        raw.into()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LineBreaks {
    One,
    Many,
}

/// At most `max` characters of the text in a form that is safe to show. A shortened text ends with
/// an ellipsis.
fn show(raw: &str, max: usize, lines: LineBreaks) -> String {
    // Fast path: all these characters are visible and none of them combines with its neighbours.
    if raw.len() <= max && raw.chars().all(|c| matches!(c, ' '..='~' | 'À'..='ÿ')) {
        return raw.to_owned();
    }
    let mut output = ShownText {
        text: String::with_capacity(raw.len().min(max)),
        ..ShownText::default()
    };
    let mut rest = raw.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\r' if lines == LineBreaks::Many && rest.peek() == Some(&'\n') => continue,
            '\n' if lines == LineBreaks::Many => output.push_line_break(),
            '\t' if lines == LineBreaks::Many => output.push_text("    "),
            _ if Untrusted::MASKED.starts_with(c) => output.push_text(Untrusted::SHOWN_MASK),
            _ => output.push(c, rest.peek().copied()),
        }
        if output.count > max {
            return output.shortened(max);
        }
    }
    output.text
}

/// The text that `show` has built so far, and the state that it needs for the next combining mark.
#[derive(Default)]
struct ShownText {
    text: String,
    count: usize,
    /// The character that the next combining mark would change. `None` if no mark may follow.
    base: Option<char>,
    marks: usize,
}

impl ShownText {
    fn push(&mut self, c: char, next: Option<char>) {
        if let Some(symbol) = control_picture(c) {
            self.push_symbol(symbol);
        } else if self.joins_emoji(c, next) {
            self.text.push(c);
            self.count += 1;
            self.base = None;
        } else if self.is_keycap_style(c, next) {
            // Add nothing to the text. The colour selector is dropped, because the keycap character
            // after it has the same effect.
        } else if is_deceptive(c) {
            if !self.is_emoji_style(c) {
                self.push_code_point(c);
            }
            self.marks = MAX_MARKS;
        } else if c.width() == Some(0) {
            self.push_combining_mark(c);
        } else {
            self.text.push(c);
            self.count += 1;
            self.base = Some(c);
            self.marks = 0;
        }
    }

    /// Adds a combining mark to the letter before it. If there is no such letter, adds the mark's
    /// code point, such as `‹U+0301›`. Otherwise the terminal would draw the mark on unrelated text
    /// to the left.
    fn push_combining_mark(&mut self, c: char) {
        if self.base.is_none() || self.marks >= MAX_MARKS {
            self.push_code_point(c);
            return;
        }
        self.text.push(c);
        self.count += 1;
        self.marks += 1;
    }

    /// True if the character is a zero-width joiner between two emoji. In any other position a
    /// joiner is invisible and therefore deceptive.
    fn joins_emoji(&self, c: char, next: Option<char>) -> bool {
        let emoji = self
            .base
            .filter(|&base| is_emoji(base) && self.text.ends_with(base));
        c == '\u{200D}' && emoji.is_some() && next.is_some_and(is_emoji)
    }

    /// True if the character is a colour selector between a digit, `#` or `*` and a keycap
    /// character, as in `1️⃣`.
    fn is_keycap_style(&self, c: char, next: Option<char>) -> bool {
        let keycap = self
            .base
            .filter(|&base| matches!(base, '0'..='9' | '#' | '*') && self.marks == 0);
        c == '\u{FE0F}' && keycap.is_some() && next == Some('\u{20E3}')
    }

    /// True if the character is a colour selector after an emoji. The caller drops such a selector.
    fn is_emoji_style(&self, c: char) -> bool {
        let Some(base) = self.base.filter(|base| !base.is_ascii() && self.marks == 0) else {
            return false;
        };
        c == '\u{FE0F}' && (is_emoji(base) || Some(emoji_width(base)) != base.width())
    }

    fn push_symbol(&mut self, symbol: char) {
        self.text.push(symbol);
        self.count += 1;
        self.base = None;
    }

    fn push_code_point(&mut self, c: char) {
        self.push_text(&format!("‹U+{:04X}›", u32::from(c)));
    }

    fn push_text(&mut self, text: &str) {
        self.text.push_str(text);
        self.count += text.chars().count();
        self.base = None;
    }

    fn push_line_break(&mut self) {
        self.text.push('\n');
        self.count += 1;
        self.base = None;
    }

    fn shortened(self, max: usize) -> String {
        with_ellipsis(self.text.chars().take(max.saturating_sub(1)))
    }
}

/// Appends an ellipsis to a shortened text. Removes a joiner at the end first, because it would
/// join the ellipsis to an emoji.
fn with_ellipsis(text: impl Iterator<Item = char>) -> String {
    let text: String = text.collect();
    format!("{}…", text.trim_end_matches('\u{200D}'))
}

/// Shortens a text to at most `max_columns` columns on the screen. A shortened text ends with an
/// ellipsis.
fn shorten_to_columns(text: String, max_columns: usize) -> String {
    // Joined characters may take fewer columns than the sum of their widths, but never more.
    if text.chars().map(|c| c.width().unwrap_or(0)).sum::<usize>() <= max_columns {
        return text;
    }
    if max_columns == 0 {
        return String::new();
    }
    let mut columns_used = 1;
    let fitting = text.chars().take_while(|&c| {
        columns_used += c.width().unwrap_or(0);
        columns_used <= max_columns
    });
    with_ellipsis(fitting)
}

/// The visible symbol for an ASCII control character, such as `␛` for ESC.
fn control_picture(c: char) -> Option<char> {
    match c {
        '\0'..='\u{1F}' => char::from_u32(0x2400 + u32::from(c)),
        '\u{7F}' => Some('␡'),
        _ => None,
    }
}

/// True if the character is an emoji, which a zero-width joiner may join with another emoji.
fn is_emoji(c: char) -> bool {
    let is_in_emoji_block = matches!(c,
        '\u{2194}'..='\u{2195}'     // arrows, as in head shaking
        | '\u{2600}'..='\u{27BF}'   // symbols, such as hearts and gender signs
        | '\u{2B00}'..='\u{2BFF}'   // coloured squares, stars
        | '\u{1F300}'..='\u{1FAFF}' // pictures
    );
    is_in_emoji_block && emoji_width(c) == 2
}

/// The number of columns of the character when it is drawn as a coloured emoji.
fn emoji_width(c: char) -> usize {
    [c, '\u{FE0F}'].iter().collect::<String>().width()
}

/// True if the character could deceive a reader: it is invisible, unassigned or for private use, or
/// it changes how its neighbours are read.
fn is_deceptive(c: char) -> bool {
    is_hidden(c) || is_unassigned_or_private(c)
}

/// True if the character is invisible or only changes how neighbouring characters are read.
pub(super) fn is_hidden(c: char) -> bool {
    is_direction_or_break(c) || is_invisible(c)
}

fn is_direction_or_break(c: char) -> bool {
    matches!(c,
        '\u{80}'..='\u{9F}'         // C1 controls: U+009B starts an escape sequence
        | '\u{061C}'                // Arabic letter mark
        | '\u{200E}'..='\u{200F}'   // direction marks
        | '\u{2028}'..='\u{2029}'   // line and paragraph separator
        | '\u{202A}'..='\u{202E}'   // embeddings and overrides
        | '\u{2066}'..='\u{2069}'   // isolates
    )
}

/// True if Unicode classifies the character as ignorable. Also returns true for a few other
/// characters that terminals do not draw.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{00AD}'                  // soft hyphen
        | '\u{034F}'                // combining grapheme joiner
        | '\u{115F}'..='\u{1160}'   // Hangul fillers
        | '\u{17B4}'..='\u{17B5}'   // Khmer inherent vowels
        | '\u{180B}'..='\u{180F}'   // Mongolian selectors and separator
        | '\u{200B}'..='\u{200D}'   // zero-width space, non-joiner, joiner
        | '\u{2060}'..='\u{2065}'   // word joiner, invisible operators
        | '\u{206A}'..='\u{206F}'   // deprecated format characters
        | '\u{2800}'                // blank braille pattern
        | '\u{3164}'                // Hangul filler
        | '\u{FE00}'..='\u{FE0F}'   // variation selectors
        | '\u{FEFF}'                // byte order mark
        | '\u{FFA0}'                // half-width Hangul filler
        | '\u{FFF0}'..='\u{FFFC}'   // unassigned, annotation marks, object replacement
        | '\u{13430}'..='\u{13440}' // hieroglyph format controls
        | '\u{16FE4}'               // Khitan filler
        | '\u{1BCA0}'..='\u{1BCA3}' // shorthand controls
        | '\u{1D159}'               // null notehead
        | '\u{1D173}'..='\u{1D17A}' // musical controls
        | '\u{E0000}'..='\u{EFFFF}' // tags, more variation selectors
    )
}

/// True for private-use characters and unassigned code points.
fn is_unassigned_or_private(c: char) -> bool {
    let code = u32::from(c);
    code & 0xFFFE == 0xFFFE
        || matches!(c,
            '\u{E000}'..='\u{F8FF}'
            | '\u{FDD0}'..='\u{FDEF}'
            | '\u{40000}'..='\u{DFFFF}'
            | '\u{F0000}'..='\u{10FFFF}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown_text(raw: &str) -> String {
        Untrusted::from(raw).shown()
    }

    #[test]
    fn harmless_text_is_unchanged() {
        for text in [
            "",
            "Camiseta azul, tamanho M",
            "Domínio de checkout obrigatório. Ação à espera: R$\u{a0}1.234,56 – “sim”, 2ª via",
            "ac\u{327}a\u{303}o decomposto",
            "Привет, 日本語, हिन्दी, ไทย, שלום",
            "💙 🇧🇷 👍🏽",
            "{\"amount\": 10.10}",
        ] {
            assert_eq!(shown_text(text), text);
            assert!(Untrusted::from(text).is_clean(), "{text}");
            assert_eq!(Untrusted::from(text).raw(), text);
        }
    }

    #[test]
    fn terminal_control_characters_are_marked() {
        assert_eq!(shown_text("a\x1b[2Jb"), "a␛[2Jb");
        assert_eq!(shown_text("\0\r\n\t\x07\x7f"), "␀␍␊␉␇␡");
        assert_eq!(shown_text("\u{9b}2J\u{85}"), "‹U+009B›2J‹U+0085›");
        assert!(!Untrusted::from("a\nb").is_clean());
    }

    #[test]
    fn invisible_and_direction_characters_are_marked() {
        assert_eq!(shown_text("conta\u{202e}gpj.exe"), "conta‹U+202E›gpj.exe");
        let invisible = concat!(
            "\u{ad}\u{34f}\u{61c}\u{115f}\u{180e}\u{200b}\u{200d}\u{200f}\u{2028}\u{2029}",
            "\u{202a}\u{2060}\u{2066}\u{2069}\u{2800}\u{3164}\u{e000}\u{fdd0}\u{fe0e}",
            "\u{fe0f}\u{feff}\u{ffa0}\u{fff9}\u{ffff}\u{1d173}\u{50000}\u{e0041}\u{e01ef}",
            "\u{f0000}\u{10fffe}",
        );
        for invisible in invisible.chars() {
            let code = format!("a‹U+{:04X}›b", u32::from(invisible));
            assert_eq!(shown_text(&format!("a{invisible}b")), code);
        }
    }

    #[test]
    fn emoji_colour_selector_is_removed() {
        assert_eq!(shown_text("Amor ❤\u{fe0f}!"), "Amor ❤!");
        assert_eq!(shown_text("❤\u{fe0f}\u{fe0f}"), "❤‹U+FE0F›");
        assert_eq!(shown_text("1\u{fe0f}"), "1‹U+FE0F›");
        // Phones append the colour selector U+FE0F to all three symbols, although the first two are
        // drawn as wide emoji without it.
        assert_eq!(shown_text("⭐\u{fe0f}☕\u{fe0f}©\u{fe0f}"), "⭐☕©");
        assert_eq!(
            shown_text("1\u{fe0f}\u{20e3} #\u{fe0f}\u{20e3}"),
            "1\u{20e3} #\u{20e3}"
        );
        assert_eq!(shown_text("a\u{fe0f}\u{20e3}"), "a‹U+FE0F›‹U+20E3›");
        assert_eq!(
            shown_text("1\u{fe0f}\u{fe0f}\u{20e3}"),
            "1‹U+FE0F›‹U+FE0F›‹U+20E3›"
        );
    }

    #[test]
    fn joiner_is_allowed_only_between_emoji() {
        for allowed in [
            "👩\u{200d}🍳",
            "👩🏽\u{200d}🔧!",
            "👨\u{200d}👩\u{200d}👧",
            "a 🐈\u{200d}⬛ b",
        ] {
            assert_eq!(shown_text(allowed), allowed);
            assert!(Untrusted::from(allowed).is_clean());
        }
        assert_eq!(shown_text("🏃\u{200d}♀\u{fe0f}"), "🏃\u{200d}♀");
        assert_eq!(shown_text("❤\u{fe0f}\u{200d}🔥"), "❤\u{200d}🔥");
        assert_eq!(shown_text("🏳\u{fe0f}\u{200d}🌈"), "🏳\u{200d}🌈");
        for (raw, marked) in [
            ("pay\u{200d}pal", "pay‹U+200D›pal"),
            ("👩\u{200d}a", "👩‹U+200D›a"),
            ("a\u{200d}👩", "a‹U+200D›👩"),
            ("👩\u{200d}", "👩‹U+200D›"),
            ("\u{200d}👩", "‹U+200D›👩"),
            ("👩\u{200d}\u{200d}🍳", "👩‹U+200D›‹U+200D›🍳"),
            ("👩\u{301}\u{200d}🍳", "👩\u{301}‹U+200D›🍳"),
            ("🇧\u{200d}🇷", "🇧‹U+200D›🇷"),
            ("→\u{200d}→", "→‹U+200D›→"),
            ("日\u{200d}本", "日‹U+200D›本"),
            ("1\u{200d}1", "1‹U+200D›1"),
        ] {
            assert_eq!(shown_text(raw), marked);
        }
    }

    #[test]
    fn shortened_emoji_does_not_join_the_ellipsis() {
        let cook = Untrusted::from("ab👩\u{200d}🍳🍳");
        assert_eq!(cook.shown_within(5), "ab👩…");
        let many = Untrusted::from(format!("{}👩\u{200d}🍳", "a".repeat(4_093)));
        assert_eq!(many.shown_whole().chars().count(), 4_096);
        assert_eq!(many.shown().chars().count(), 4_096);
        let longer = Untrusted::from(format!("{}👩\u{200d}🍳🍳", "a".repeat(4_093)));
        assert!(longer.shown().ends_with("a👩…"));
    }

    #[test]
    fn combining_marks_are_limited_and_need_a_base() {
        assert_eq!(shown_text("\u{301}a"), "‹U+0301›a");
        assert_eq!(shown_text("\x1b\u{301}"), "␛‹U+0301›");
        let pile = format!("e{}", "\u{301}".repeat(6));
        let four = format!("e{}", "\u{301}".repeat(4));
        assert_eq!(shown_text(&pile), format!("{four}‹U+0301›‹U+0301›"));
    }

    #[test]
    fn a_long_text_is_cut_with_an_ellipsis() {
        assert_eq!(shown_text(&"a".repeat(4096)), "a".repeat(4096));
        assert_eq!(
            shown_text(&"a".repeat(4097)),
            format!("{}…", "a".repeat(4095))
        );
        assert_eq!(shown_text(&"é".repeat(4096)), "é".repeat(4096));
        assert_eq!(
            shown_text(&"\u{202e}".repeat(100_000)).chars().count(),
            4096
        );
        assert!(!Untrusted::from("a".repeat(4097)).is_clean());
    }

    #[test]
    fn text_is_shortened_to_its_columns() {
        let within = |raw: &str, columns| Untrusted::from(raw).shown_within(columns);
        assert_eq!(within("camiseta", 8), "camiseta");
        assert_eq!(within("camiseta", 7), "camise…");
        assert_eq!(within("camiseta", 1), "…");
        assert_eq!(within("camiseta", 0), "");
        assert_eq!(within("", 0), "");
        assert_eq!(within("日本語", 6), "日本語");
        assert_eq!(within("日本語", 5), "日本…");
        assert_eq!(within("日本語", 4), "日…");
    }

    #[test]
    fn shown_lines_keeps_line_breaks() {
        let lines = |raw: &str| Untrusted::from(raw).shown_lines();
        assert_eq!(lines("{\r\n\t\"a\": 1\n}"), "{\n    \"a\": 1\n}");
        assert_eq!(lines("a\rb\x1b\u{2028}c"), "a␍b␛‹U+2028›c");
        assert_eq!(lines("a\n\u{301}"), "a\n‹U+0301›");
        assert_eq!(
            lines(&"x\n".repeat(300_000)).chars().count(),
            MAX_SHOWN_IN_LINES
        );
    }

    #[test]
    fn masking_ends_with_its_function() {
        let text = Untrusted::from("fale com ana@loja.example");
        let masked = Untrusted::masking(true, || {
            assert!(
                text.is_clean() && Untrusted::without_masking(|| text.shown()).contains("ana@")
            );
            [text.shown(), text.shown_within(80), text.shown_lines()]
        });
        assert_eq!(masked, ["fale com •••"; 3].map(str::to_owned));
        std::panic::catch_unwind(|| Untrusted::masking(true, || panic!("in a frame"))).unwrap_err();
        assert!(text.shown().contains("ana@"));
    }

    #[test]
    fn mark_is_shown_as_an_ellipsis_and_is_not_one() {
        let link = Untrusted::from("https://loja.example/?t=\u{FDEF}");
        assert_eq!(
            [link.shown(), link.shown_whole()],
            ["https://loja.example/?t=…"; 2]
        );
        assert!(link.is_masked() && !link.is_clean());
        let code = Untrusted::from("Bolo…");
        assert!(!code.is_masked() && code.is_clean());
    }

    #[test]
    fn stored_ellipsis_is_a_mask_only_as_the_whole_value() {
        let stored = |json| serde_json::from_str::<Untrusted>(json).unwrap();
        assert_eq!(stored("\"…\""), Untrusted::from(Untrusted::MASKED));
        assert_eq!(stored("\"eyJ…\""), Untrusted::from(Untrusted::MASKED_JWT));
        assert!(!stored("\"https://loja.example/bolo…\"").is_masked());
    }

    #[test]
    fn debug_is_safe_and_serde_keeps_the_text() {
        assert_eq!(
            format!("{:?}", Untrusted::from("a\x1b\u{202e}")),
            "Untrusted(\"a␛‹U+202E›\")"
        );
        let text: Untrusted = serde_json::from_str("\"a\\u001b\"").unwrap();
        assert_eq!(text, Untrusted::from("a\x1b"));
        assert_eq!(serde_json::to_string(&text).unwrap(), "\"a\\u001b\"");
        assert!(Untrusted::default().is_empty());
    }

    /// True if a character may be shown. This test function uses its own list of code points, not
    /// the tables above.
    fn is_showable(c: char) -> bool {
        let code = u32::from(c);
        !c.is_control()
            && !matches!(code, 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x206F)
            && !matches!(code, 0xFE00..=0xFE0F | 0xAD | 0x61C | 0x180E | 0xFEFF)
            && !matches!(code, 0xE000..=0xF8FF | 0xE0000..)
    }

    /// True if every character of the text may be shown. A zero-width joiner may be shown only
    /// between two emoji.
    fn is_text_showable(text: &str) -> bool {
        let is_emoji = |c: char| !c.is_alphanumeric() && format!("{c}\u{fe0f}").width() == 2;
        let chars: Vec<char> = text.chars().collect();
        let joins = |index: usize| {
            let neighbours =
                [index.wrapping_sub(1), index + 1].map(|index| chars.get(index).copied());
            chars[index] == '\u{200D}' && neighbours.iter().all(|c| c.is_some_and(is_emoji))
        };
        (0..chars.len()).all(|index| is_showable(chars[index]) || joins(index))
    }

    /// Generates texts with as many hostile characters as letters.
    fn hostile_text() -> impl Strategy<Value = String> {
        let character = prop_oneof![
            any::<char>(),
            proptest::char::range('\0', '\u{ff}'),
            proptest::char::range('\u{300}', '\u{36f}'),
            proptest::char::range('\u{2000}', '\u{206f}'),
            proptest::char::range('\u{fe00}', '\u{feff}'),
            proptest::char::range('\u{e0000}', '\u{e01ff}'),
            proptest::char::range('\u{1f300}', '\u{1f9ff}'),
            Just('❤'),
            Just('\u{200d}'),
            Just('👩'),
        ];
        proptest::collection::vec(character, 0..80).prop_map(|chars| chars.into_iter().collect())
    }

    proptest! {
        #[test]
        fn hostile_characters_are_never_shown(raw in hostile_text()) {
            let text = Untrusted::from(raw);
            prop_assert!(is_text_showable(&text.shown()));
            let lines = text.shown_lines();
            prop_assert!(lines.split('\n').all(is_text_showable));
        }

        #[test]
        fn shown_text_is_shown_unchanged_again(raw in hostile_text()) {
            let once = shown_text(&raw);
            prop_assert_eq!(shown_text(&once), once);
        }

        #[test]
        fn columns_are_never_exceeded(raw in hostile_text(), columns in 0_usize..100) {
            let text = Untrusted::from(raw);
            prop_assert!(text.shown_within(columns).width() <= columns);
            prop_assert_eq!(text.shown_within(100_000), text.shown());
        }

        #[test]
        fn portuguese_text_is_unchanged(
            text in "[ -~áàâãéêíóôõúüçÁÀÂÃÉÊÍÓÔÕÚÜÇºª°–—“”‘’…€]{0,200}",
        ) {
            prop_assert!(Untrusted::from(text).is_clean());
        }
    }
}
