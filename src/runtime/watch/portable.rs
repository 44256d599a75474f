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
        let mut watcher = notify::recommended_watcher(move |event| match event {
            Ok(event) => notify_for_event(&changes, &event),
            Err(_) => changes.notify_both(),
        })
        .map_err(io::Error::other)?;
        watcher
            .watch(dir, RecursiveMode::NonRecursive)
            .map_err(io::Error::other)?;
        Ok(Watch { _watcher: watcher })
    }
}

fn notify_for_event(changes: &ChangeNotifier, event: &Event) {
    if event.need_rescan() {
        changes.notify_both();
    }
    // Ignore events about files being opened, read, closed or removed, because they add no content.
    if matches!(
        event.kind,
        EventKind::Any | EventKind::Create(_) | EventKind::Modify(_)
    ) {
        let names = event
            .paths
            .iter()
            .filter_map(|path| path.file_name()?.to_str());
        names.for_each(|name| changes.notify(name));
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use notify::event::{AccessKind, AccessMode, CreateKind, ModifyKind, RemoveKind};

    use super::*;

    fn notifies(kind: EventKind) -> bool {
        let changes = Arc::new(ChangeNotifier::default());
        notify_for_event(
            &changes,
            &Event::new(kind).add_path(PathBuf::from("/state/money.head")),
        );
        crate::runtime::watch::tests::take_notifications(&changes).0
    }

    #[test]
    fn only_writes_notify() {
        assert!(notifies(EventKind::Modify(ModifyKind::Any)));
        assert!(notifies(EventKind::Create(CreateKind::File)));
        assert!(!notifies(EventKind::Access(AccessKind::Open(
            AccessMode::Any
        ))));
        assert!(!notifies(EventKind::Access(AccessKind::Close(
            AccessMode::Write
        ))));
        assert!(!notifies(EventKind::Remove(RemoveKind::File)));
        assert!(!notifies(EventKind::Other));
    }
}
