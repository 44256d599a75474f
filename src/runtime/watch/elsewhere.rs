//! Other systems tell of a directory each in its own way, which the library `notify` knows.

use std::io;
use std::path::Path;
use std::sync::Arc;

use notify::event::{Event, EventKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use super::ChangeNotifier;

/// The watch, which has a thread of its own.
pub(super) struct Ear {
    _watcher: RecommendedWatcher,
}

/// Tells of changes from that thread.
pub(super) fn listen(dir: &Path, changes: Arc<ChangeNotifier>) -> io::Result<Ear> {
    let heard = move |event: notify::Result<Event>| match event {
        Ok(event) => tell(&changes, &event),
        Err(_) => changes.notify_both(),
    };
    let mut watcher = notify::recommended_watcher(heard).map_err(io::Error::other)?;
    watcher.watch(dir, RecursiveMode::NonRecursive).map_err(io::Error::other)?;
    Ok(Ear { _watcher: watcher })
}

fn tell(changes: &ChangeNotifier, event: &Event) {
    if event.need_rescan() {
        changes.notify_both();
    }
    // That somebody opened, read or closed a file changes nothing; nor does what is gone.
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

    fn told(kind: EventKind) -> bool {
        let changes = Arc::new(ChangeNotifier::default());
        tell(&changes, &Event::new(kind).add_path(PathBuf::from("/state/money.head")));
        crate::runtime::watch::tests::heard(&changes).0
    }

    #[test]
    fn only_what_is_written_is_told() {
        assert!(told(EventKind::Modify(ModifyKind::Any)));
        assert!(told(EventKind::Create(CreateKind::File)));
        assert!(!told(EventKind::Access(AccessKind::Open(AccessMode::Any))));
        assert!(!told(EventKind::Access(AccessKind::Close(AccessMode::Write))));
        assert!(!told(EventKind::Remove(RemoveKind::File)));
        assert!(!told(EventKind::Other));
    }
}
