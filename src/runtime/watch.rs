//! Hears from the file system that another window of the program wrote something.
//!
//! One thread sleeps until a file of the journal's directory changes, and rings one of two bells. A
//! bell that rings while its listener is busy rings once: many file events of one write, or of ten,
//! are one look at the journal. Whether there is anything new is for the listener to find out, who
//! also knows its own writes.

use std::path::Path;
use std::sync::Arc;

use notify::event::{Event, EventKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::Notify;

/// What rings when something changed on disk.
#[derive(Debug, Default)]
pub struct Bells {
    /// An event was added to the money journal.
    pub money: Notify,
    /// The history changed.
    pub history: Notify,
}

impl Bells {
    /// Rings what this event is about; most are about nothing.
    fn ring(&self, event: &Event) {
        if event.need_rescan() {
            // Some events were lost, and nobody knows which.
            self.money.notify_one();
            self.history.notify_one();
        }
        // That somebody opened, read or closed a file changes nothing; nor does what is gone.
        if !matches!(event.kind, EventKind::Any | EventKind::Create(_) | EventKind::Modify(_)) {
            return;
        }
        for name in event.paths.iter().filter_map(|path| path.file_name()?.to_str()) {
            match name {
                // Renamed into place after each event of the database: the write is over then.
                "money.head" => self.money.notify_one(),
                "history.db" | "history.db-wal" => self.history.notify_one(),
                // Locks, SQLite's own files beside the database, heads that are being written.
                _ => {}
            }
        }
    }
}

/// Listens until it is dropped.
pub struct Watch {
    _watcher: RecommendedWatcher,
}

impl Watch {
    /// Listens to a directory; a system that has run out of watches says so.
    pub fn start(dir: &Path, bells: Arc<Bells>) -> Result<Watch, notify::Error> {
        let heard = move |event: notify::Result<Event>| match event {
            Ok(event) => bells.ring(&event),
            // Something was not understood: looking once too often does no harm.
            Err(_) => bells.money.notify_one(),
        };
        let mut watcher = notify::recommended_watcher(heard)?;
        // Nothing is in the directories below, and the directory outlives every file in it.
        watcher.watch(dir, RecursiveMode::NonRecursive)?;
        Ok(Watch { _watcher: watcher })
    }
}

#[cfg(test)]
mod tests;
