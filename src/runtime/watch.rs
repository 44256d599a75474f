//! Watches the journal's directory for writes of other balcao processes.
//!
//! One thread sleeps until a file changes, and then notifies the money thread or the history task.
//! Several changes may cause only one notification. The program's own writes cause notifications
//! too, so the receiver must check whether there is new content.

#[cfg(target_os = "linux")]
mod inotify;
#[cfg(not(target_os = "linux"))]
mod portable;

use tokio::sync::Notify;

#[cfg(target_os = "linux")]
pub use inotify::Watch;
#[cfg(not(target_os = "linux"))]
pub use portable::Watch;

/// Notifies tasks of file changes.
#[derive(Debug, Default)]
pub struct ChangeNotifier {
    /// Notified when an event was added to the journal of withdrawals.
    pub money: Notify,
    /// Notified when the log of the team has new events, or is connected again.
    pub team: Notify,
    /// Notified when the history (links and direct payments) has changed.
    pub history: Notify,
    /// Notified when the history may have changes that the log of the team lacks.
    pub unshared: Notify,
    /// Notified when the log of the team's history has new records, or is connected again.
    pub records: Notify,
}

impl ChangeNotifier {
    /// Notifies the task that reads the changed file. Ignores files that no task reads.
    fn notify(&self, name: &str) {
        match name {
            // The journal writes the event to its database first and then replaces `money.head`, so
            // the event is complete now.
            "money.head" => self.money.notify_one(),
            "history.db" | "history.db-wal" => self.history.notify_one(),
            // Ignore locks, SQLite's auxiliary files, and temporary files.
            _ => {}
        }
    }

    /// Notifies both tasks after file events were lost. A notification without a change does no
    /// harm.
    fn notify_both(&self) {
        self.money.notify_one();
        self.history.notify_one();
    }
}

#[cfg(test)]
mod tests;
