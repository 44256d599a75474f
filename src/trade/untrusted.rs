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
mod tests;
