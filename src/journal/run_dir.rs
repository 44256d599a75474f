//! A directory for the files of one run. It is removed when the run ends, or by the next run if the
//! process was killed.
//!
//! All runs of a user have their directories in one parent directory, and each run locks its own. A
//! new run removes every directory whose lock is free.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use tempfile::TempDir;

use super::directory;
use super::lock::{LockGuard, lock_dir};
use super::safe_open::UnsafePath;

/// The directory of a run. It is deleted on drop.
#[derive(Debug)]
pub struct RunDir {
    // Fields are dropped in this order. The directory must be deleted before it is unlocked.
    dir: TempDir,
    _lock: LockGuard,
    /// The number of other runs that were active when this one began.
    pub other_runs: usize,
}

impl RunDir {
    /// Removes the directories of killed runs, and creates a directory for this run. The parent
    /// directory is created if it does not exist.
    ///
    /// The parent directory is locked until this run has locked its own directory. Otherwise,
    /// another run could remove the new directory before it is locked.
    ///
    /// # Errors
    ///
    /// Fails if the parent directory is a symbolic link, belongs to another user or is accessible
    /// to other users. Also fails if another run keeps it locked for several seconds.
    pub fn create(parent: &Path) -> io::Result<RunDir> {
        let _parent_lock = lock_dir(open_parent(parent)?)?.ok_or(io::ErrorKind::TimedOut)?;
        let entries = fs::read_dir(parent)?.flatten();
        let others = entries.filter(|entry| is_running(&entry.path())).count();
        let owner_only = fs::Permissions::from_mode(0o700);
        let dir = tempfile::Builder::new()
            .prefix("")
            .permissions(owner_only)
            .tempdir_in(parent)?;
        let lock = lock_dir(open_dir(dir.path())?)?.ok_or(io::ErrorKind::TimedOut)?;
        Ok(RunDir {
            dir,
            _lock: lock,
            other_runs: others,
        })
    }
}

impl AsRef<Path> for RunDir {
    fn as_ref(&self) -> &Path {
        self.dir.path()
    }
}

fn open_dir(dir: &Path) -> io::Result<File> {
    use rustix::fs::OFlags;
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW;
    OpenOptions::new()
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(dir)
}

/// Opens the parent directory, and creates it if necessary. Checks its owner and mode.
fn open_parent(parent: &Path) -> io::Result<File> {
    match DirBuilder::new().mode(0o700).create(parent) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    // Check the open directory, not its path, which may already refer to a different one.
    let file = open_dir(parent)?;
    let metadata = file.metadata()?;
    directory::check_owner(&metadata)?;
    match metadata.mode() & 0o077 {
        0 => Ok(file),
        _ => Err(io::Error::other(UnsafePath::OthersWrite)),
    }
}

/// True if a process holds the lock of a run's directory. If no process holds it, deletes the
/// directory.
///
/// Errors are ignored. The run itself may be deleting its directory, and a leftover directory does
/// no harm.
fn is_running(dir: &Path) -> bool {
    let Ok(file) = open_dir(dir) else {
        return false;
    };
    let is_running = file.try_lock().is_err();
    if !is_running {
        let _ = fs::remove_dir_all(dir);
    }
    is_running
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn count_runs(parent: &Path) -> usize {
        fs::read_dir(parent).unwrap().count()
    }

    #[test]
    fn ended_runs_are_removed_and_running_ones_stay() {
        let base = tempfile::tempdir().unwrap();
        let parent = base.path().join("runs");
        let first = RunDir::create(&parent).unwrap();
        fs::write(first.as_ref().join("money.db"), "1").unwrap();
        // The directory of a killed process is not locked.
        let killed = parent.join("killed");
        fs::create_dir_all(killed.join("journal/requests")).unwrap();
        fs::write(killed.join("journal/requests/requests.db"), "1").unwrap();
        let elsewhere = base.path().join("elsewhere");
        fs::create_dir(&elsewhere).unwrap();
        symlink(&elsewhere, parent.join("link")).unwrap();
        let second = RunDir::create(&parent).unwrap();
        assert!(!killed.exists() && elsewhere.exists());
        assert!(
            first.as_ref().join("money.db").exists(),
            "a running one stays"
        );
        assert_eq!((first.other_runs, second.other_runs), (0, 1));
        drop(first);
        drop(second);
        assert_eq!(count_runs(&parent), 1, "only the link is left");
    }

    #[test]
    fn run_that_dies_is_removed_by_the_next() {
        let base = tempfile::tempdir().unwrap();
        let parent = base.path().join("runs");
        let RunDir {
            dir, _lock: lock, ..
        } = RunDir::create(&parent).unwrap();
        let leftover = dir.keep();
        drop(RunDir::create(&parent).unwrap());
        assert!(leftover.exists(), "its lock is held");
        drop(lock);
        drop(RunDir::create(&parent).unwrap());
        assert!(!leftover.exists());
    }

    #[test]
    fn many_runs_begin_at_once_and_keep_their_directory() {
        let base = tempfile::tempdir().unwrap();
        let parent = base.path().join("runs");
        let start_run = || {
            let run = RunDir::create(&parent).unwrap();
            fs::write(run.as_ref().join("file"), "1").unwrap();
            run
        };
        let runs: Vec<RunDir> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..20).map(|_| scope.spawn(start_run)).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .collect()
        });
        assert!(runs.iter().all(|run| run.as_ref().join("file").exists()));
        drop(runs);
        assert_eq!(count_runs(&parent), 0);
    }

    #[test]
    fn unsafe_parent_is_refused_and_not_used() {
        let base = tempfile::tempdir().unwrap();
        let path_of = |name: &str| base.path().join(name);
        let set_mode =
            |path: &Path, mode| fs::set_permissions(path, PermissionsExt::from_mode(mode));
        for name in ["real", "open", "foreign"] {
            DirBuilder::new().mode(0o700).create(path_of(name)).unwrap();
        }
        symlink(path_of("real"), path_of("link")).unwrap();
        symlink(path_of("nowhere"), path_of("dangling")).unwrap();
        fs::write(path_of("file"), "").unwrap();
        set_mode(&path_of("open"), 0o755).unwrap();
        let mut unsafe_parents = vec!["link", "dangling", "file", "open"];
        if rustix::process::geteuid().is_root() {
            let owner = Some(rustix::fs::Uid::from_raw(12_345));
            rustix::fs::chown(path_of("foreign"), owner, None).unwrap();
            unsafe_parents.push("foreign");
        }
        for name in unsafe_parents {
            assert!(RunDir::create(&path_of(name)).is_err(), "{name}");
        }
        assert!(
            !path_of("nowhere").exists()
                && count_runs(&path_of("real")) == 0
                && count_runs(&path_of("open")) == 0
        );
    }
}
