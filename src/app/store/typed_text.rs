//! Text that arrives as key presses, such as the row of a spreadsheet that the console of a virtual
//! machine or a password manager types key by key.
//!
//! Such a text may contain Tab and Enter, which would confirm a dialog. Its keys may come as slowly
//! as those of a person, so their pace does not identify it. But it does not pause: after a typed
//! character, nothing can be confirmed until a whole second has passed without any key.

use std::time::Duration;

/// How long, in milliseconds, no key may be pressed after typed text before a confirming button can
/// be pressed.
pub const QUIET_MS: u64 = 1_000;

/// The time of the last key of a typed text.
#[derive(Debug, Clone, Copy, Default)]
pub struct TypedText {
    /// When the last key of the text was pressed, in milliseconds of the boot clock. `None` if no
    /// text was typed.
    last_key_ms: Option<u64>,
}

impl TypedText {
    /// Begins a text with a typed character, or continues it.
    pub fn add_character(&mut self, now_ms: u64) {
        self.last_key_ms = Some(now_ms);
    }

    /// Counts any other key as part of the text, unless the text has ended before it.
    pub fn add_key(&mut self, now_ms: u64) {
        if self.time_left(now_ms).is_some() {
            self.last_key_ms = Some(now_ms);
        }
    }

    /// Ends the text at once.
    pub fn end(&mut self) {
        self.last_key_ms = None;
    }

    /// The time until the text counts as ended if no other key is pressed; `None` if it has ended.
    pub fn time_left(self, now_ms: u64) -> Option<Duration> {
        let end_ms = self.last_key_ms?.saturating_add(QUIET_MS);
        end_ms
            .checked_sub(now_ms)
            .filter(|left_ms| *left_ms > 0)
            .map(Duration::from_millis)
    }
}
