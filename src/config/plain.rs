//! Text files that somebody names or keeps for the program.

use std::fs::OpenOptions;
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// No such file is longer: what is, was not meant for this program.
const LONGEST: u64 = 4 * 1024 * 1024;

/// Reads a text file whole.
///
/// A link may lead to it, as people link their settings; at its end there must be a file. A named
/// pipe, a socket or a device is refused and never waited on.
pub fn read_text(path: &Path) -> io::Result<String> {
    let mut options = OpenOptions::new();
    options.read(true);
    let flags = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    options.custom_flags(flags);
    let file = options.open(path)?;
    if !file.metadata()?.is_file() {
        let why = "it is no file, but a directory, a pipe, a socket or a device";
        return Err(io::Error::new(ErrorKind::InvalidInput, why));
    }
    let mut text = String::new();
    if file.take(LONGEST + 1).read_to_string(&mut text)? as u64 > LONGEST {
        return Err(io::Error::new(ErrorKind::FileTooLarge, "it is longer than 4 MiB"));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    #[test]
    fn a_file_is_read_also_behind_a_link_and_nothing_else_is() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::write(at("file"), "text").unwrap();
        std::os::unix::fs::symlink(at("file"), at("link")).unwrap();
        mknodat(CWD, at("pipe"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        std::os::unix::fs::symlink("/dev/zero", at("device")).unwrap();
        std::fs::write(at("long"), vec![b' '; LONGEST as usize + 1]).unwrap();
        for name in ["file", "link"] {
            assert_eq!(read_text(&at(name)).unwrap(), "text");
        }
        for name in ["pipe", "device", "."] {
            let error = read_text(&at(name)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidInput, "{name}: {error}");
        }
        assert_eq!(read_text(&at("long")).unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert_eq!(read_text(&at("nothing")).unwrap_err().kind(), ErrorKind::NotFound);
    }
}
