//! Other systems tell of a directory each in its own way, which the library `notify` knows.

use std::io;
use std::path::Path;
use std::sync::Arc;

use notify::event::{Event, EventKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use super::Bells;

/// The watch, which has a thread of its own.
pub(super) struct Ear {
    _watcher: RecommendedWatcher,
}

/// Rings the bells from that thread.
pub(super) fn listen(dir: &Path, bells: Arc<Bells>) -> io::Result<Ear> {
    let heard = move |event: notify::Result<Event>| match event {
        Ok(event) => ring(&bells, &event),
        Err(_) => bells.ring_both(),
    };
    let mut watcher = notify::recommended_watcher(heard).map_err(io::Error::other)?;
    watcher.watch(dir, RecursiveMode::NonRecursive).map_err(io::Error::other)?;
    Ok(Ear { _watcher: watcher })
}

fn ring(bells: &Bells, event: &Event) {
    if event.need_rescan() {
        bells.ring_both();
    }
    // That somebody opened, read or closed a file changes nothing; nor does what is gone.
    if matches!(event.kind, EventKind::Any | EventKind::Create(_) | EventKind::Modify(_)) {
        let names = event.paths.iter().filter_map(|path| path.file_name()?.to_str());
        names.for_each(|name| bells.ring(name));
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use notify::event::{AccessKind, AccessMode, CreateKind, ModifyKind, RemoveKind};

    use super::*;

    fn rings(kind: EventKind) -> bool {
        let bells = Arc::new(Bells::default());
        ring(&bells, &Event::new(kind).add_path(PathBuf::from("/state/money.head")));
        crate::runtime::watch::tests::heard(&bells).0
    }

    #[test]
    fn only_what_is_written_rings() {
        assert!(rings(EventKind::Modify(ModifyKind::Any)));
        assert!(rings(EventKind::Create(CreateKind::File)));
        assert!(!rings(EventKind::Access(AccessKind::Open(AccessMode::Any))));
        assert!(!rings(EventKind::Access(AccessKind::Close(AccessMode::Write))));
        assert!(!rings(EventKind::Remove(RemoveKind::File)));
        assert!(!rings(EventKind::Other));
    }
}
