//! The settings that affect how a page looks: language, keys, time, font and window size.

use compact_str::{CompactString, ToCompactString};

use super::Action;
use super::action::Pane;
use super::input::{Code, Key, Size};
use super::keys::Keymap;
use crate::trade::Wall;
use crate::words::{Catalogue, dates};

/// The settings that a page depends on, besides its own content.
#[derive(Clone, Copy)]
pub struct RenderCx<'a> {
    pub words: &'static Catalogue,
    pub keys: &'a Keymap,
    pub now: Wall,
    /// The boot clock, in milliseconds. Waiting times are measured with it.
    pub boot_ms: u64,
    /// The offset of the seller's local time from UTC, in seconds east.
    pub utc_offset_s: i32,
    /// True if pages must use only ASCII characters, because the font has no others.
    pub ascii: bool,
    pub size: Size,
}

impl<'a> RenderCx<'a> {
    /// Formats a local time as `10:42`.
    pub fn time(self, at: Wall) -> CompactString {
        dates::time(at, self.utc_offset_s)
    }

    /// Formats a local time as `10:42:07`.
    pub fn time_exact(self, at: Wall) -> String {
        dates::time_exact(at, self.utc_offset_s)
    }

    /// Formats a day as `hoje`, `ontem` or the date. `day` is numbered as by [`Wall::local_day`].
    pub fn day(self, day: i64) -> String {
        dates::day(self.words, self.now.local_day(self.utc_offset_s), day)
    }

    /// Formats the local day of a time, like [`day`](Self::day).
    pub fn day_of(self, at: Wall) -> String {
        self.day(at.local_day(self.utc_offset_s))
    }

    /// Formats a time as `hoje, 10:42:07` or `21/11/2026, 10:42:07`.
    pub fn moment(self, at: Wall) -> String {
        dates::moment(self.words, (self.now, self.utc_offset_s), at)
    }

    /// Returns the name of a key as the screen shows it. Arrow keys are shown as arrows if the font
    /// has arrows.
    pub fn key_name(self, key: Key) -> CompactString {
        self.arrow(key).map_or_else(|| key.to_compact_string(), CompactString::const_new)
    }

    /// Returns the panes where an action works, each with its key: `1 Links, 3 Saques`.
    pub fn places(self, action: Action) -> String {
        let place = |pane: &Pane| {
            format!("{} {}", self.first_key(pane.action()), pane.name(self.words.lang()))
        };
        action.panes().iter().map(place).collect::<Vec<_>>().join(", ")
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

    /// Returns the name of an action's first key; empty if the action has no key.
    pub fn first_key(self, action: Action) -> &'a str {
        let arrow = self.keys.keys(action).first().and_then(|key| self.arrow(*key));
        arrow.unwrap_or_else(|| self.keys.first_name(action))
    }

    /// Returns a message that contains the name of the action's first key.
    pub fn with_key(self, id: &str, action: Action) -> String {
        self.words.with(id, &[("key", self.first_key(action))])
    }
}
