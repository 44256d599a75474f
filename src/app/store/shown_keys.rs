//! The keys that were pressed last, which a demo can show to its audience.

use std::time::Duration;

use compact_str::CompactString;

use super::{Store, kiosk};
use crate::app::ui::input::Key;

/// How long the keys are shown after the last key press, in milliseconds.
const LASTS_MS: u64 = 2_000;

/// The maximum number of keys that are shown.
const MOST: usize = 8;

/// The mark for a key that was pressed in a secret field.
const SECRET: &str = "•";

/// The names of the keys that were pressed last. The latest key is at the end.
#[derive(Debug, Clone, Default)]
pub struct ShownKeys {
    keys: Vec<CompactString>,
    /// The time of the last key press, in milliseconds since the computer started.
    at_ms: u64,
}

impl ShownKeys {
    /// Returns the key names to show now.
    pub fn now(&self, boot_ms: u64) -> &[CompactString] {
        if self.left(boot_ms).is_some() { &self.keys } else { &[] }
    }

    /// Returns the time until the keys disappear; `None` if no keys are shown.
    pub fn left(&self, boot_ms: u64) -> Option<Duration> {
        let left = (self.at_ms + LASTS_MS).checked_sub(boot_ms).filter(|left| *left > 0);
        left.filter(|_| !self.keys.is_empty()).map(Duration::from_millis)
    }
}

/// Shows a key that was pressed. `None` is a key typed into a secret field. Several such keys share
/// a single mark, which hides the length of the secret.
pub fn press(store: &mut Store, key: Option<Key>) {
    if !is_on(store) {
        return;
    }
    let name = key.map_or(CompactString::const_new(SECRET), |key| store.render_cx().key_name(key));
    let (now, shown) = (store.now.boot_ms, &mut store.shown_keys);
    if shown.left(now).is_none() {
        shown.keys.clear();
    }
    // Show a single mark for any number of keys typed into a secret field.
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
