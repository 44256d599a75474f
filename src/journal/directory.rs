//! Checks the directory of the journal: its owner, its permissions, and its file system.

use std::fs::{self, DirBuilder, Metadata};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::safe_open::UnsafePath;
use crate::trade::Wall;

/// Creates the directory and its missing parents with mode 0700.
pub(super) fn create(dir: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    builder.mode(0o700);
    builder.create(dir)
}

/// Checks that the current user owns the directory, and that other users cannot write to it.
///
/// The permissions are never changed, because other programs may use the directory too. Other users
/// may be able to list it, but they cannot read the files, which have mode 0600.
pub(super) fn check_private(dir: &Path) -> io::Result<()> {
    let metadata = fs::metadata(dir)?;
    check_owner(&metadata)?;
    if metadata.mode() & 0o022 != 0 {
        return Err(io::Error::other(UnsafePath::OthersWrite));
    }
    Ok(())
}

pub(super) fn check_owner(metadata: &Metadata) -> io::Result<()> {
    if metadata.uid() == rustix::process::geteuid().as_raw() {
        Ok(())
    } else {
        Err(io::Error::other(UnsafePath::NotOurs))
    }
}

/// Sets a file to mode 0600 if other users have any access to it.
///
/// A restored backup may have wider permissions. Changing them is safe, because no other program
/// uses the file.
pub(super) fn restrict_to_owner(path: &Path) -> io::Result<()> {
    if fs::symlink_metadata(path)?.permissions().mode() & 0o077 != 0 {
        fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
    }
    Ok(())
}

/// An unused path for renaming a damaged file or directory, such as
/// `money.damaged-2026-11-21T054219Z`. A number is appended if the name is taken.
pub(super) fn unused_path(
    dir: &Path,
    [name, ending]: [&str; 2],
    now: Wall,
    is_taken: impl Fn(&Path) -> bool,
) -> PathBuf {
    let when = jiff::Timestamp::from_millisecond(now.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    let when = when.strftime("%Y-%m-%dT%H%M%SZ");
    let mut path = dir.join(format!("{name}-{when}{ending}"));
    let mut number = 2;
    while is_taken(&path) {
        path = dir.join(format!("{name}-{when}-{number}{ending}"));
        number += 1;
    }
    path
}

/// The name of the network file system that contains the directory, such as `NFS`. Returns `None`
/// for a local file system.
///
/// On a network file system, a lock may not exclude processes on other machines, and a sync may not
/// write to disk. The check exists only on Linux. Unknown file systems count as local. FUSE file
/// systems do too, because most of them are local.
pub(super) fn network_file_system(dir: &Path) -> Option<&'static str> {
    #[cfg(target_os = "linux")]
    {
        // Compare 32 bits, as the kernel does. The width and sign of this field depend on the
        // platform.
        file_system_name(rustix::fs::statfs(dir).ok()?.f_type as u32)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = dir;
        None
    }
}

/// The name of the network file system with this magic number (from `include/uapi/linux/magic.h`).
#[cfg_attr(
    not(target_os = "linux"),
    allow(dead_code, reason = "its only caller is Linux's")
)]
fn file_system_name(magic: u32) -> Option<&'static str> {
    Some(match magic {
        0x0000_6969 => "NFS",
        0x0000_517b | 0xff53_4d42 | 0xfe53_4d42 => "SMB",
        0x0102_1997 => "9P",
        0x5346_414f | 0x6b41_4653 => "AFS",
        0x7375_7245 => "Coda",
        0x00c3_6400 => "Ceph",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn directory_writable_by_others_refused_unchanged() {
        let dir = tempfile::tempdir().unwrap();
        for (mode, is_accepted) in [
            (0o700, true),
            (0o755, true),
            (0o775, false),
            (0o722, false),
            (0o1777, false),
        ] {
            fs::set_permissions(dir.path(), fs::Permissions::from_mode(mode)).unwrap();
            let result = check_private(dir.path());
            let reason = result.as_ref().err().map(ToString::to_string);
            assert_eq!(result.is_ok(), is_accepted, "{mode:o}");
            assert!(reason.is_none_or(|reason| reason == "others may write in it"));
            let mode_after = fs::metadata(dir.path()).unwrap().permissions().mode() & 0o7777;
            assert_eq!(mode_after, mode, "nothing is changed");
        }
    }

    #[test]
    fn a_directory_of_another_user_is_refused() {
        // Choose a directory that belongs to another user. For most users, that is root's directory
        // `/`. If root runs this test, give a new directory to another user.
        let root = Path::new("/");
        let dir = tempfile::tempdir().unwrap();
        let foreign = if rustix::process::geteuid().is_root() {
            let owner = Some(rustix::fs::Uid::from_raw(12_345));
            rustix::fs::chown(dir.path(), owner, None).unwrap();
            dir.path()
        } else {
            root
        };
        assert_eq!(
            check_private(foreign).unwrap_err().to_string(),
            "it belongs to another user"
        );
    }

    #[test]
    fn network_file_systems_are_known_by_their_numbers() {
        for (magic, name) in [
            (0x6969, Some("NFS")),
            (0xff53_4d42, Some("SMB")),
            (0xfe53_4d42, Some("SMB")),
            (0x0102_1997, Some("9P")),
            (0xef53, None),
            (0x0102_1994, None),
            (0x6573_5546, None),
        ] {
            assert_eq!(file_system_name(magic), name, "{magic:x}");
        }
        assert_eq!(network_file_system(Path::new("/proc")), None);
        assert_eq!(network_file_system(Path::new("/nowhere/at/all")), None);
    }
}
