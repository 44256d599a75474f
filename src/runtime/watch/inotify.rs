//! Watches a directory on Linux, using inotify.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use rustix::fs::inotify::{CreateFlags, ReadFlags, Reader, WatchFlags, add_watch, init};
use rustix::fs::inotify::{Event, remove_watch};
use rustix::io::Errno;

use super::ChangeNotifier;

/// The size of the event buffer in bytes. A few dozen file events fit into it.
const EVENT_BUFFER_BYTES: usize = 4 * 1024;

/// Watches a directory until this value is dropped. A thread reads the file events.
pub struct Watch {
    events: Arc<OwnedFd>,
    watch: i32,
}

impl Watch {
    /// Watches a directory, but not its subdirectories.
    ///
    /// # Errors
    ///
    /// Fails if the system's limit on the number of watches is reached.
    pub fn start(dir: &Path, changes: Arc<ChangeNotifier>) -> io::Result<Watch> {
        let events = Arc::new(init(CreateFlags::CLOEXEC).map_err(describe_limit_error)?);
        // Do not watch for files being opened, read or closed. Otherwise, a process that only reads
        // files would wake the other processes.
        let write_flags = WatchFlags::CREATE | WatchFlags::MODIFY | WatchFlags::MOVED_TO;
        let watch = add_watch(&events, dir, write_flags | WatchFlags::ONLYDIR)
            .map_err(describe_limit_error)?;
        let watcher = Watch {
            events: Arc::clone(&events),
            watch,
        };
        thread::Builder::new()
            .name("watch".into())
            .spawn(move || notify_on_change(&events, &changes))?;
        Ok(watcher)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // Removing the watch causes a last event, which ends the reading thread.
        let _ = remove_watch(&self.events, self.watch);
    }
}

fn notify_on_change(events: &OwnedFd, changes: &ChangeNotifier) {
    let mut buffer = [MaybeUninit::uninit(); EVENT_BUFFER_BYTES];
    let mut reader = Reader::new(events, &mut buffer);
    loop {
        match reader.next() {
            Ok(event) if event.events().contains(ReadFlags::IGNORED) => return,
            Ok(event) => notify_for_event(changes, &event),
            Err(Errno::INTR) => {}
            Err(_) => return changes.notify_both(),
        }
    }
}

fn notify_for_event(changes: &ChangeNotifier, event: &Event<'_>) {
    if event.events().contains(ReadFlags::QUEUE_OVERFLOW) {
        changes.notify_both();
    } else if let Some(Ok(name)) = event.file_name().map(|name| name.to_str()) {
        changes.notify(name);
    }
}

/// Converts an error of inotify. If a limit was reached, the new message names the limit, because
/// the system's own text would be about a full disk or too many open files.
fn describe_limit_error(error: Errno) -> io::Error {
    match error {
        Errno::NOSPC => io::Error::other("the limit fs.inotify.max_user_watches is reached"),
        Errno::MFILE => io::Error::other("the limit fs.inotify.max_user_instances is reached"),
        error => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn limit_error_names_the_limit() {
        assert!(
            describe_limit_error(Errno::NOSPC)
                .to_string()
                .contains("max_user_watches")
        );
        assert!(
            describe_limit_error(Errno::MFILE)
                .to_string()
                .contains("max_user_instances")
        );
        assert_eq!(
            describe_limit_error(Errno::NOENT).kind(),
            io::ErrorKind::NotFound
        );
    }

    #[tokio::test]
    async fn thread_ends_with_its_watch() {
        let folder = tempfile::tempdir().unwrap();
        let changes = Arc::new(ChangeNotifier::default());
        let watcher = Watch::start(folder.path(), Arc::clone(&changes)).unwrap();
        let events = Arc::downgrade(&watcher.events);
        std::fs::write(folder.path().join("money.head"), "1").unwrap();
        changes.money.notified().await;
        drop(watcher);
        let closed = async {
            while events.strong_count() > 0 {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(30), closed)
            .await
            .expect("nothing is kept open");
    }

    #[tokio::test]
    async fn unreadable_events_notify_all_stores() {
        let folder = tempfile::tempdir().unwrap();
        let changes = Arc::new(ChangeNotifier::default());
        let read_only = std::fs::File::create(folder.path().join("no inotify")).unwrap();
        notify_on_change(&read_only.into(), &changes);
        changes.money.notified().await;
        changes.history.notified().await;
    }
}
