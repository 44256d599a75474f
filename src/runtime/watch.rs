//! Watches the file system for writes of another window of the program.
//!
//! One thread sleeps until a file of the journal's directory changes, and wakes one of two
//! listeners. A listener that is busy meanwhile is woken once: many file events of one write, or of
//! ten, are one look at the journal. The listener, which also knows its own writes, finds out if
//! there is anything new.

#[cfg(target_os = "linux")]
mod inotify;
#[cfg(not(target_os = "linux"))]
mod portable;

use tokio::sync::Notify;

#[cfg(target_os = "linux")]
pub use inotify::Watch;
#[cfg(not(target_os = "linux"))]
pub use portable::Watch;

/// Wakes the listeners for changes on disk.
#[derive(Debug, Default)]
pub struct ChangeNotifier {
    /// An event was added to the money journal.
    pub money: Notify,
    /// The history changed.
    pub history: Notify,
}

impl ChangeNotifier {
    /// Wakes the listener for a file of this name; most names have none.
    fn notify(&self, name: &str) {
        match name {
            // Renamed into place after each event of the database: the write is over then.
            "money.head" => self.money.notify_one(),
            "history.db" | "history.db-wal" => self.history.notify_one(),
            // Locks, SQLite's own files beside the database, heads that are being written.
            _ => {}
        }
    }

    /// Wakes both where an event was lost: looking once too often does no harm.
    fn notify_both(&self) {
        self.money.notify_one();
        self.history.notify_one();
    }
}

#[cfg(test)]
mod tests;
