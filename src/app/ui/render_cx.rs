//! The settings that affect how a page looks: language, keys, time, font and terminal size.

use compact_str::{CompactString, ToCompactString};

use super::Action;
use super::input::{Code, Key, Size};
use super::keys::Keymap;
use crate::trade::Wall;
use crate::words::{Catalogue, dates};

/// The settings on which the look of a page depends, besides its own contents.
#[derive(Clone, Copy)]
pub struct RenderCx<'a> {
    pub words: &'static Catalogue,
    pub keys: &'a Keymap,
    pub now: Wall,
    /// The boot clock, in milliseconds. It is used to measure waiting times.
    pub boot_ms: u64,
    /// The difference between the seller's local time and UTC, in seconds. It is positive east of
    /// Greenwich.
    pub utc_offset_s: i32,
    /// True if pages must contain only ASCII characters, because the font has no other characters.
    pub ascii: bool,
    pub size: Size,
}

impl<'a> RenderCx<'a> {
    /// Formats a time as local time, such as `10:42`.
    pub fn time(self, at: Wall) -> CompactString {
        dates::time(at, self.utc_offset_s)
    }

    /// Formats a time as local time with seconds, such as `10:42:07`.
    pub fn time_exact(self, at: Wall) -> String {
        dates::time_exact(at, self.utc_offset_s)
    }

    /// Formats a day as `hoje` (today), `ontem` (yesterday) or the date. `day` is a number from
    /// [`Wall::local_day`].
    pub fn day(self, day: i64) -> String {
        dates::day(self.words, self.now.local_day(self.utc_offset_s), day)
    }

    /// Formats the local day of a point in time, in the same way as [`day`](Self::day).
    pub fn day_of(self, at: Wall) -> String {
        self.day(at.local_day(self.utc_offset_s))
    }

    /// Formats a point in time, such as `hoje, 10:42:07` or `21/11/2026, 10:42:07`.
    pub fn moment(self, at: Wall) -> String {
        dates::moment(self.words, (self.now, self.utc_offset_s), at)
    }

    /// The name of a key for the screen. Arrow keys are shown as arrows if the font contains them.
    pub fn key_name(self, key: Key) -> CompactString {
        self.arrow(key)
            .map_or_else(|| key.to_compact_string(), CompactString::const_new)
    }

    /// The panes in which an action works, each with the key that opens it, such as
    /// `1 Links, 3 Saques`.
    pub fn places(self, action: Action) -> String {
        let places = action.panes().iter().map(|pane| {
            format!(
                "{} {}",
                self.first_key(pane.action()),
                pane.name(self.words.lang())
            )
        });
        places.collect::<Vec<_>>().join(", ")
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

    /// The name of an action's first key. The name is empty if the action has no key.
    pub fn first_key(self, action: Action) -> &'a str {
        let arrow = self
            .keys
            .keys(action)
            .first()
            .and_then(|key| self.arrow(*key));
        arrow.unwrap_or_else(|| self.keys.first_key_name(action))
    }

    /// A message in which the name of the action's first key is filled in.
    pub fn with_key(self, id: &str, action: Action) -> String {
        self.words.with(id, &[("key", self.first_key(action))])
    }
}
