//! The most recently pressed keys. A demo can show them to its audience.

use std::time::Duration;

use compact_str::CompactString;

use super::{Store, kiosk};
use crate::app::ui::input::Key;

/// How long the pressed keys are shown after the last key press, in milliseconds.
const LASTS_MS: u64 = 2_000;

/// The maximum number of pressed keys that are shown.
const MOST: usize = 8;

/// The mark that is shown instead of a key that was pressed in a secret field.
const SECRET: &str = "•";

/// The names of the most recently pressed keys, the latest key last.
#[derive(Debug, Clone, Default)]
pub struct ShownKeys {
    keys: Vec<CompactString>,
    /// The time of the last key press, in milliseconds since the computer started.
    at_ms: u64,
}

impl ShownKeys {
    /// Returns the names of the pressed keys that are shown now.
    pub fn now(&self, boot_ms: u64) -> &[CompactString] {
        if self.left(boot_ms).is_some() { &self.keys } else { &[] }
    }

    /// Returns the time until the pressed keys disappear, or `None` if no keys are shown.
    pub fn left(&self, boot_ms: u64) -> Option<Duration> {
        let left = (self.at_ms + LASTS_MS).checked_sub(boot_ms).filter(|left| *left > 0);
        left.filter(|_| !self.keys.is_empty()).map(Duration::from_millis)
    }
}

/// Shows a pressed key. `None` means that the key was typed into a secret field. Several such keys
/// in a row get a single mark, to hide the length of the secret.
pub fn press(store: &mut Store, key: Option<Key>) {
    if !is_on(store) {
        return;
    }
    let name = key.map_or(CompactString::const_new(SECRET), |key| store.render_cx().key_name(key));
    let (now, shown) = (store.now.boot_ms, &mut store.shown_keys);
    if shown.left(now).is_none() {
        shown.keys.clear();
    }
    // Any number of keys typed into a secret field are shown as a single mark.
    if key.is_some() || shown.keys.last().is_none_or(|last| last != SECRET) {
        shown.keys.push(name);
    }
    let extra = shown.keys.len().saturating_sub(MOST);
    shown.keys.drain(..extra);
    shown.at_ms = now;
}

/// Returns true if pressed keys are shown. A story that plays by itself always shows its keys.
fn is_on(store: &Store) -> bool {
    store.setup.demo.as_ref().is_some_and(|demo| demo.show_keys) || kiosk::plays_alone(store)
}
