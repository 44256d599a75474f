//! Hears from the file system that another window of the program wrote something.
//!
//! One thread sleeps until a file of the journal's directory changes, and wakes one of two
//! listeners. A listener that is busy meanwhile is woken once: many file events of one write, or of
//! ten, are one look at the journal. Whether there is anything new is for the listener to find out,
//! who also knows its own writes.

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod inotify;

use std::io;
use std::path::Path;
use std::sync::Arc;

use tokio::sync::Notify;

#[cfg(not(target_os = "linux"))]
use elsewhere::{Ear, listen};
#[cfg(target_os = "linux")]
use inotify::{Ear, listen};

/// Wakes those who listen for what changed on disk.
#[derive(Debug, Default)]
pub struct ChangeNotifier {
    /// An event was added to the money journal.
    pub money: Notify,
    /// The history changed.
    pub history: Notify,
}

impl ChangeNotifier {
    /// Wakes whom a file of this name is about; most are about nothing.
    fn notify(&self, name: &str) {
        match name {
            // Renamed into place after each event of the database: the write is over then.
            "money.head" => self.money.notify_one(),
            "history.db" | "history.db-wal" => self.history.notify_one(),
            // Locks, SQLite's own files beside the database, heads that are being written.
            _ => {}
        }
    }

    /// Something was not heard, and nobody knows what: looking once too often does no harm.
    fn notify_both(&self) {
        self.money.notify_one();
        self.history.notify_one();
    }
}

/// Listens until it is dropped.
pub struct Watch {
    _ear: Ear,
}

impl Watch {
    /// Listens to a directory, and to none below it; a system that has run out of watches says so.
    pub fn start(dir: &Path, changes: Arc<ChangeNotifier>) -> io::Result<Watch> {
        Ok(Watch { _ear: listen(dir, changes)? })
    }
}

#[cfg(test)]
mod tests;
