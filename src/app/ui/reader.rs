//! The reader of the screen: the language, the keys, the clock, the font.

use compact_str::{CompactString, ToCompactString};

use super::Action;
use super::input::{Code, Key, Size};
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
    /// The whole window.
    pub size: Size,
}

impl<'a> Reader<'a> {
    /// `10:42`
    pub fn time(self, at: Wall) -> CompactString {
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
    pub fn key_name(self, key: Key) -> CompactString {
        self.arrow(key).map_or_else(|| key.to_compact_string(), CompactString::const_new)
    }

    fn arrow(self, key: Key) -> Option<&'static str> {
        let arrow = match key.code {
            Code::Up => "↑",
            Code::Down => "↓",
            Code::Left => "←",
            Code::Right => "→",
            _ => return None,
        };
        (!self.ascii && !key.ctrl && !key.alt).then_some(arrow)
    }

    /// The first key of an action; empty when it has none.
    pub fn first_key(self, action: Action) -> &'a str {
        let arrow = self.keys.keys(action).first().and_then(|key| self.arrow(*key));
        arrow.unwrap_or_else(|| self.keys.first_name(action))
    }

    /// A message that names the first key of an action.
    pub fn with_key(self, id: &str, action: Action) -> String {
        self.words.with(id, &[("key", self.first_key(action))])
    }
}
