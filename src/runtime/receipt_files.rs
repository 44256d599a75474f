//! Writes receipts, exported requests and support files to files that only this user can read.
//! Existing files are never replaced.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::app::message::ReceiptFiles;
use crate::trade::Untrusted;

/// The maximum number of files with the same base name. The second file gets the suffix `-2`.
const MAX_COPIES: u32 = 99;

/// Saves a receipt as two files with the same name: a text and an SVG picture. If one of the files
/// already exists, adds a number to the name.
pub fn save(dir: &Path, files: &ReceiptFiles) -> io::Result<[PathBuf; 2]> {
    for n in 1..=MAX_COPIES {
        let name = if n == 1 {
            files.name.clone()
        } else {
            format!("{}-{n}", files.name)
        };
        let [text, svg] = ["txt", "svg"].map(|ending| dir.join(format!("{name}.{ending}")));
        if !create_file(dir, &text, &files.text)? {
            continue;
        }
        match create_file(dir, &svg, &files.svg) {
            Ok(true) => return Ok([text, svg]),
            // The picture's name is taken. Remove the text and try the next number, because both
            // files need the same name.
            Ok(false) => std::fs::remove_file(&text)?,
            Err(error) => {
                let _ = std::fs::remove_file(&text);
                return Err(error);
            }
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// Saves a file that only this user can read. If the name is taken, adds a number to it.
pub fn save_file(
    dir: &Path,
    name_and_extension: (&str, &str),
    content: impl AsRef<[u8]>,
) -> io::Result<PathBuf> {
    let mut file = NewFile::begin(dir)?;
    file.write(content.as_ref())?;
    file.keep(dir, name_and_extension)
}

/// A file that is being written and that only this user can read. Until it is complete, it has a
/// temporary name, and is deleted when this value is dropped.
pub(super) struct NewFile(NamedTempFile);

impl NewFile {
    pub fn begin(dir: &Path) -> io::Result<NewFile> {
        NamedTempFile::with_prefix_in(".balcao-", dir).map(NewFile)
    }

    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    /// Gives the complete file its name in the directory in which it was begun. If the name is
    /// taken, adds a number to it. Returns the path.
    pub fn keep(self, dir: &Path, (name, extension): (&str, &str)) -> io::Result<PathBuf> {
        let mut temporary = self.0;
        temporary.as_file().sync_all()?;
        for n in 1..=MAX_COPIES {
            let number = if n == 1 {
                String::new()
            } else {
                format!("-{n}")
            };
            let path = dir.join(format!("{name}{number}.{extension}"));
            match persist(temporary, &path)? {
                None => return Ok(path),
                Some(unnamed) => temporary = unnamed,
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }
}

/// Renames a temporary file, unless the path exists, even as a broken link. In that case returns
/// the file.
fn persist(temporary: NamedTempFile, path: &Path) -> io::Result<Option<NamedTempFile>> {
    match temporary.persist_noclobber(path) {
        Ok(_) => Ok(None),
        Err(failure) if failure.error.kind() == ErrorKind::AlreadyExists => Ok(Some(failure.file)),
        Err(failure) => Err(failure.error),
    }
}

/// Creates a file with this content, either completely or not at all. Returns false if the path
/// already exists, even as a broken link.
///
/// The content is first written to a temporary file that only this user can read. The file is then
/// renamed, unless the path exists by now.
pub fn create_file(dir: &Path, path: &Path, content: impl AsRef<[u8]>) -> io::Result<bool> {
    let mut temporary = NamedTempFile::with_prefix_in(".balcao-", dir)?;
    temporary.write_all(content.as_ref())?;
    temporary.as_file().sync_all()?;
    Ok(persist(temporary, path)?.is_none())
}

/// Saves a receipt, and returns the absolute paths of its files.
pub fn save_receipt(dir: &Path, files: &ReceiptFiles) -> Result<[Untrusted; 2], String> {
    let saved = std::path::absolute(dir).and_then(|dir| save(&dir, files));
    saved
        .map(|paths| paths.map(|path| Untrusted::from(path.display().to_string())))
        .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn files() -> ReceiptFiles {
        ReceiptFiles {
            name: "comprovante-1".into(),
            text: "text".into(),
            svg: "<svg/>".into(),
        }
    }

    fn names(dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn saved_files_are_private_and_the_only_ones() {
        let dir = tempfile::tempdir().unwrap();
        let paths = save(dir.path(), &files()).unwrap();
        assert_eq!(
            names(dir.path()),
            ["comprovante-1.svg", "comprovante-1.txt"]
        );
        for (path, content) in paths.iter().zip(["text", "<svg/>"]) {
            assert_eq!(fs::read_to_string(path).unwrap(), content);
            assert_eq!(
                fs::metadata(path).unwrap().permissions().mode() & 0o777,
                0o600
            );
        }
    }

    #[test]
    fn existing_files_and_links_are_not_written() {
        let dir = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at("comprovante-1.txt"), "mine").unwrap();
        symlink(elsewhere.path().join("planted"), at("comprovante-1-2.svg")).unwrap();
        symlink(elsewhere.path(), at("comprovante-1-3.txt")).unwrap();
        let paths = save(dir.path(), &files()).unwrap();
        assert_eq!(
            paths,
            ["txt", "svg"].map(|ending| at(&format!("comprovante-1-4.{ending}")))
        );
        assert_eq!(fs::read_to_string(at("comprovante-1.txt")).unwrap(), "mine");
        assert_eq!(names(elsewhere.path()), Vec::<String>::new());
        let all = names(dir.path());
        assert_eq!(all.len(), 5, "{all:?}");
    }

    #[test]
    fn unfinished_file_is_deleted_and_never_named() {
        let dir = tempfile::tempdir().unwrap();
        let mut file = NewFile::begin(dir.path()).unwrap();
        file.write(b"half").unwrap();
        drop(file);
        assert_eq!(names(dir.path()), Vec::<String>::new());
        fs::write(dir.path().join("links.csv"), "mine").unwrap();
        let path = save_file(dir.path(), ("links", "csv"), "new").unwrap();
        assert_eq!(path, dir.path().join("links-2.csv"));
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(names(dir.path()), ["links-2.csv", "links.csv"]);
    }

    #[test]
    fn missing_or_full_directory_fails_without_files() {
        let dir = tempfile::tempdir().unwrap();
        assert!(save_receipt(&dir.path().join("none"), &files()).is_err());
        for n in 1..=MAX_COPIES {
            let name = if n == 1 {
                "comprovante-1".into()
            } else {
                format!("comprovante-1-{n}")
            };
            fs::write(dir.path().join(format!("{name}.svg")), "").unwrap();
        }
        assert!(save_receipt(dir.path(), &files()).is_err());
        assert_eq!(names(dir.path()).len(), 99);
    }
}
