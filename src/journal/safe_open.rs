//! Opens only regular files. Symbolic links, directories, pipes, sockets and devices are refused.
//!
//! Files are opened without blocking, because a named pipe without a writer would block the program
//! forever.

use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The reason why a file or its directory is refused as unsafe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum UnsafePath {
    /// The file is a symbolic link. SQLite would create its related files beside the link, not
    /// beside the target of the link.
    #[error("it is a link to another place; the file itself must be here")]
    Link,
    /// The path is not a file but a directory, a named pipe, a socket or a device.
    #[error("it is no file, but a directory, a pipe, a socket or a device")]
    NotAFile,
    /// Other users can write to the directory, so they could replace the files in it.
    #[error("others may write in it")]
    OthersWrite,
    /// The directory belongs to another user.
    #[error("it belongs to another user")]
    NotOurs,
}

/// Opens a file, but only if it is a regular file.
///
/// # Errors
///
/// Fails if the file cannot be opened, or if it is not a regular file.
pub fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    use rustix::fs::OFlags;
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    options.custom_flags(flags.bits().cast_signed());
    match options.open(path) {
        // Check the open file, not its path, which may already refer to a different file.
        Ok(file) => check_regular_file(file.metadata()?.file_type()).map(|()| file),
        Err(error) => Err(regular_file_exists(path).err().unwrap_or(error)),
    }
}

/// Options for writing a file that only its owner can access (mode 0600).
pub(super) fn private_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).mode(0o600);
    options
}

/// Opens a regular file for reading.
pub fn open_to_read(path: &Path) -> io::Result<File> {
    open(path, OpenOptions::new().read(true))
}

/// True for a regular file, and false if nothing exists at the path. Fails for anything else, such
/// as a directory.
///
/// The file is not opened, because it may belong to SQLite. Under POSIX, closing any handle to a
/// file releases all locks that the process holds on that file.
pub(super) fn regular_file_exists(path: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(metadata) => check_regular_file(metadata.file_type()).map(|()| true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn check_regular_file(file_type: FileType) -> io::Result<()> {
    match file_type {
        file_type if file_type.is_file() => Ok(()),
        file_type if file_type.is_symlink() => Err(io::Error::other(UnsafePath::Link)),
        _ => Err(io::Error::other(UnsafePath::NotAFile)),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    use rustix::fs::{CWD, FileType as Node, Mode, mknodat};

    use super::*;

    fn unsafe_path(error: io::Error) -> UnsafePath {
        let inner = error
            .get_ref()
            .and_then(|inner| inner.downcast_ref::<UnsafePath>());
        *inner.unwrap_or_else(|| panic!("{error:?}"))
    }

    #[test]
    fn only_regular_files_open_and_nothing_blocks() {
        let dir = tempfile::tempdir().unwrap();
        let path_of = |name: &str| dir.path().join(name);
        fs::write(path_of("file"), "text").unwrap();
        mknodat(CWD, path_of("pipe"), Node::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        let _socket = UnixListener::bind(path_of("socket")).unwrap();
        fs::create_dir(path_of("directory")).unwrap();
        symlink(path_of("file"), path_of("link")).unwrap();
        symlink(path_of("nowhere"), path_of("dangling")).unwrap();
        symlink("/dev/zero", path_of("device")).unwrap();
        let non_files = ["pipe", "socket", "directory"].map(|name| (name, UnsafePath::NotAFile));
        let links = ["link", "dangling", "device"].map(|name| (name, UnsafePath::Link));
        for (name, reason) in non_files.into_iter().chain(links) {
            let path = path_of(name);
            assert_eq!(
                unsafe_path(regular_file_exists(&path).unwrap_err()),
                reason,
                "{name}"
            );
            assert_eq!(
                unsafe_path(open_to_read(&path).unwrap_err()),
                reason,
                "{name}"
            );
            let mut create = OpenOptions::new();
            create.read(true).write(true).create(true);
            assert_eq!(
                unsafe_path(open(&path, &mut create).unwrap_err()),
                reason,
                "{name}"
            );
            let mut truncate = OpenOptions::new();
            truncate.write(true).create(true).truncate(true);
            assert_eq!(
                unsafe_path(open(&path, &mut truncate).unwrap_err()),
                reason,
                "{name}"
            );
        }
        assert!(
            regular_file_exists(&path_of("file")).unwrap()
                && !regular_file_exists(&path_of("nothing")).unwrap()
        );
        assert_eq!(
            io::read_to_string(open_to_read(&path_of("file")).unwrap()).unwrap(),
            "text"
        );
        let absent = open_to_read(&path_of("nothing")).unwrap_err();
        assert_eq!(absent.kind(), ErrorKind::NotFound);
        assert!(
            !path_of("nowhere").exists(),
            "nothing was made behind a link"
        );
    }
}
