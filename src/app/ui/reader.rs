//! The reader of the screen: the language, the keys, the clock, the font.

use super::Action;
use super::input::{Code, Key};
use super::keys::Keymap;
use crate::trade::Wall;
use crate::words::{Words, dates};

/// Everything that a page depends on beside its own content.
#[derive(Clone, Copy)]
#[expect(missing_docs, reason = "a field is its name, or says more")]
pub struct Reader<'a> {
    pub words: &'static Words,
    pub keys: &'a Keymap,
    pub now: Wall,
    /// The boot clock, by which waiting is measured.
    pub boot_ms: u64,
    /// Seconds the seller's clock stands east of UTC.
    pub utc_offset_s: i32,
    /// True when the font has nothing but letters.
    pub ascii: bool,
}

impl Reader<'_> {
    /// `10:42`
    pub fn time(self, at: Wall) -> String {
        dates::time(at, self.utc_offset_s)
    }

    /// `10:42:07`
    pub fn time_exact(self, at: Wall) -> String {
        dates::time_exact(at, self.utc_offset_s)
    }

    /// `hoje`, `ontem`, or the date; `day` is as [`Wall::local_day`] has it.
    pub fn day(self, day: i64) -> String {
        dates::day(self.words, self.now.local_day(self.utc_offset_s), day)
    }

    /// The day of a moment, in words where it is near.
    pub fn day_of(self, at: Wall) -> String {
        self.day(at.local_day(self.utc_offset_s))
    }

    /// `hoje, 10:42:07` or `21/11/2026, 10:42:07`
    pub fn moment(self, at: Wall) -> String {
        dates::moment(self.words, (self.now, self.utc_offset_s), at)
    }

    /// A key as it is shown: arrows are arrows where the font has them.
    pub fn key_name(self, key: Key) -> String {
        let arrow = match key.code {
            Code::Up => "↑",
            Code::Down => "↓",
            Code::Left => "←",
            Code::Right => "→",
            _ => return key.to_string(),
        };
        if self.ascii || key.ctrl || key.alt { key.to_string() } else { arrow.to_owned() }
    }

    /// The first key of an action; empty when it has none.
    pub fn first_key(self, action: Action) -> String {
        self.keys.keys(action).first().map(|key| self.key_name(*key)).unwrap_or_default()
    }

    /// A message that names the first key of an action.
    pub fn with_key(self, id: &str, action: Action) -> String {
        self.words.with(id, &[("key", &self.first_key(action))])
    }
}
