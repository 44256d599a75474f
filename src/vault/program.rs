//! Finds programs in `PATH`, and kills child processes.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::Child;
use tokio::time::timeout;

/// Finds a program in the directories of `PATH`. Relative directories are skipped, because they
/// depend on the working directory, where anybody may have put a program.
pub fn find(name: impl AsRef<Path>, path: &OsStr) -> Option<PathBuf> {
    let directories = std::env::split_paths(path).filter(|directory| directory.is_absolute());
    directories
        .map(|directory| directory.join(&name))
        .find(|program| is_executable(program))
}

/// True if the path is an executable file.
pub(super) fn is_executable(program: &Path) -> bool {
    program
        .metadata()
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

/// Kills a child process that leads a process group, and all other processes in this group.
pub async fn kill(child: &mut Child, limit: Duration) {
    let group = child
        .id()
        .and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
    if let Some(group) = group {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.start_kill();
    let _ = timeout(limit, child.wait()).await;
}
