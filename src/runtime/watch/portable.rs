//! Watches a directory on systems other than Linux, using the `notify` crate.

use std::io;
use std::path::Path;
use std::sync::Arc;

use notify::event::{Event, EventKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use super::ChangeNotifier;

/// Watches a directory until this value is dropped. The `notify` crate runs its own thread for
/// this.
pub struct Watch {
    _watcher: RecommendedWatcher,
}

impl Watch {
    /// Watches a directory, but not its subdirectories.
    ///
    /// # Errors
    ///
    /// Fails if the system's limit on the number of watches is reached.
    pub fn start(dir: &Path, changes: Arc<ChangeNotifier>) -> io::Result<Watch> {
        let heard = move |event: notify::Result<Event>| match event {
            Ok(event) => tell(&changes, &event),
            Err(_) => changes.notify_both(),
        };
        let mut watcher = notify::recommended_watcher(heard).map_err(io::Error::other)?;
        watcher.watch(dir, RecursiveMode::NonRecursive).map_err(io::Error::other)?;
        Ok(Watch { _watcher: watcher })
    }
}

fn tell(changes: &ChangeNotifier, event: &Event) {
    if event.need_rescan() {
        changes.notify_both();
    }
    // Ignore events about files being opened, read, closed or removed, because they add no content.
    if matches!(event.kind, EventKind::Any | EventKind::Create(_) | EventKind::Modify(_)) {
        let names = event.paths.iter().filter_map(|path| path.file_name()?.to_str());
        names.for_each(|name| changes.notify(name));
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use notify::event::{AccessKind, AccessMode, CreateKind, ModifyKind, RemoveKind};

    use super::*;

    fn notified(kind: EventKind) -> bool {
        let changes = Arc::new(ChangeNotifier::default());
        tell(&changes, &Event::new(kind).add_path(PathBuf::from("/state/money.head")));
        crate::runtime::watch::tests::heard(&changes).0
    }

    #[test]
    fn only_what_is_written_is_told() {
        assert!(notified(EventKind::Modify(ModifyKind::Any)));
        assert!(notified(EventKind::Create(CreateKind::File)));
        assert!(!notified(EventKind::Access(AccessKind::Open(AccessMode::Any))));
        assert!(!notified(EventKind::Access(AccessKind::Close(AccessMode::Write))));
        assert!(!notified(EventKind::Remove(RemoveKind::File)));
        assert!(!notified(EventKind::Other));
    }
}
