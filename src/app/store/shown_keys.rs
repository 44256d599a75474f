//! The most recently pressed keys. A demo can show them to its audience.

use std::time::Duration;

use compact_str::CompactString;

use super::{Store, kiosk};
use crate::app::ui::input::Key;

/// How long the pressed keys are shown after the last key press, in milliseconds.
const VISIBLE_MS: u64 = 2_000;

/// The maximum number of pressed keys that are shown.
const MAX_KEYS: usize = 8;

/// The mark that is shown instead of a key that was pressed in a secret field.
const SECRET_MARK: &str = "•";

/// The names of the most recently pressed keys, the latest key last.
#[derive(Debug, Clone, Default)]
pub struct ShownKeys {
    keys: Vec<CompactString>,
    /// The time of the last key press, in milliseconds since the computer started.
    last_press_ms: u64,
}

impl ShownKeys {
    /// The names of the pressed keys that are shown now.
    pub fn now(&self, boot_ms: u64) -> &[CompactString] {
        if self.left(boot_ms).is_some() {
            &self.keys
        } else {
            &[]
        }
    }

    /// The time until the pressed keys disappear, or `None` if no keys are shown.
    pub fn left(&self, boot_ms: u64) -> Option<Duration> {
        let remaining_ms = (self.last_press_ms + VISIBLE_MS)
            .checked_sub(boot_ms)
            .filter(|remaining_ms| *remaining_ms > 0);
        remaining_ms
            .filter(|_| !self.keys.is_empty())
            .map(Duration::from_millis)
    }
}

/// Shows a pressed key. `None` means that the key was typed into a secret field. Several such keys
/// in a row get a single mark, to hide the length of the secret.
pub fn press(store: &mut Store, key: Option<Key>) {
    if !is_enabled(store) {
        return;
    }
    let name = key.map_or(CompactString::const_new(SECRET_MARK), |key| {
        store.render_cx().key_name(key)
    });
    let now = store.now.boot_ms;
    let shown_keys = &mut store.shown_keys;
    if shown_keys.left(now).is_none() {
        shown_keys.keys.clear();
    }
    // Any number of keys typed into a secret field are shown as a single mark.
    if key.is_some()
        || shown_keys
            .keys
            .last()
            .is_none_or(|last| last != SECRET_MARK)
    {
        shown_keys.keys.push(name);
    }
    let excess = shown_keys.keys.len().saturating_sub(MAX_KEYS);
    shown_keys.keys.drain(..excess);
    shown_keys.last_press_ms = now;
}

/// True if pressed keys are shown. A story that plays by itself always shows its keys.
fn is_enabled(store: &Store) -> bool {
    store.setup.demo.as_ref().is_some_and(|demo| demo.show_keys)
        || kiosk::is_story_autoplaying(store)
}
