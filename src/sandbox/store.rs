//! The data file that stores the state of the simulated bank. A later sandbox can continue with
//! this state.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::bank::Bank;

/// The identifier of the file format, stored in the file.
const FORMAT: &str = "balcao-sandbox-1";

/// The open data file of a running sandbox.
#[derive(Debug)]
pub struct SandboxRecords {
    path: PathBuf,
    /// The text that the file contains now.
    saved: String,
    /// The lock file. It stays locked while the sandbox runs, so that no other sandbox writes to
    /// the same data file.
    _lock: File,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DataFile {
    format: String,
    bank: Bank,
}

/// The reason why a data file cannot be used. An existing file is not changed in any of these
/// cases.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another sandbox is using the file.
    #[error("another sandbox is using {}: stop it or name another file", .0.display())]
    Busy(PathBuf),
    /// The file exists, but its content is not valid.
    #[error(
        "{} is no sandbox data file that this version reads ({}); it was left as it is: move it \
         away or name another file",
        .0.display(), .1
    )]
    Damaged(PathBuf, String),
    /// The file or its directory cannot be read or written.
    #[error("the sandbox data file {} cannot be used: {}", .0.display(), .1)]
    Unusable(PathBuf, io::Error),
}

impl SandboxRecords {
    /// Opens the data file and returns the stored bank. If the file does not exist, creates it with
    /// the bank that `new_bank` returns.
    pub fn open(
        path: &Path,
        new_bank: impl FnOnce() -> Bank,
    ) -> Result<(SandboxRecords, Bank), StoreError> {
        let unusable = |error| StoreError::Unusable(path.to_owned(), error);
        let damaged = |problem| StoreError::Damaged(path.to_owned(), problem);
        let lock = take_lock(path)?;
        let mut store = SandboxRecords {
            path: path.to_owned(),
            saved: String::new(),
            _lock: lock,
        };
        match read_bytes(path) {
            Ok(bytes) => {
                let text = String::from_utf8(bytes);
                store.saved = text.map_err(|_| damaged("it is not text".to_owned()))?;
                let bank = parse(&store.saved).map_err(damaged)?;
                Ok((store, bank))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let bank = new_bank();
                store.save(&bank).map_err(unusable)?;
                Ok((store, bank))
            }
            Err(error) => Err(unusable(error)),
        }
    }

    /// Writes the bank's state to the file, unless the file is already up to date.
    pub fn save(&mut self, bank: &Bank) -> io::Result<()> {
        let file = DataFile {
            format: FORMAT.to_owned(),
            bank: bank.clone(),
        };
        let text = serde_json::to_string_pretty(&file)? + "\n";
        if text != self.saved {
            replace_file(&self.path, text.as_bytes())?;
            self.saved = text;
        }
        Ok(())
    }
}

fn parse(text: &str) -> Result<Bank, String> {
    let file: DataFile = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if file.format != FORMAT {
        return Err(format!(
            "its format is {:?}, expected {FORMAT:?}",
            file.format
        ));
    }
    Ok(file.bank)
}

fn path_with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Locks the data file. The lock is held on a separate file, because the data file itself is
/// replaced at every change.
fn take_lock(path: &Path) -> Result<File, StoreError> {
    let unusable = |error| StoreError::Unusable(path.to_owned(), error);
    let lock = open(
        &mut private_file_options(),
        &path_with_suffix(path, ".lock"),
    )
    .map_err(unusable)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(StoreError::Busy(path.to_owned())),
        Err(TryLockError::Error(error)) => Err(unusable(error)),
    }
}

/// Replaces the file atomically: writes and syncs a new file, renames it, and syncs the directory.
fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let new_path = path_with_suffix(path, ".next");
    let mut file = open(private_file_options().truncate(true), &new_path)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&new_path, path)?;
    let directory = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    File::open(directory.unwrap_or(Path::new(".")))?.sync_all()
}

fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(OpenOptions::new().read(true), path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Opens a regular file. Symbolic links are refused. Opening a named pipe does not block.
fn open(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    options.custom_flags(flags.bits().cast_signed());
    let file = options.open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no file"))
    }
}

/// Options to create a file with mode 0600, because the data file contains a password.
fn private_file_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create(true).mode(0o600);
    options
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::bank::scene::{DomainSetup, Scene};

    fn new_bank() -> Bank {
        Bank::open(Scene::default(), 1)
    }

    #[test]
    fn saved_bank_is_restored() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("bank.json");
        let (mut store, mut bank) = SandboxRecords::open(&path, new_bank).unwrap();
        bank.set_domain("nova.localhost", DomainSetup::Active);
        store.save(&bank).unwrap();
        drop(store);
        let (_store, again) = SandboxRecords::open(&path, || panic!("it was there")).unwrap();
        assert_eq!(again.own_domains(), bank.own_domains());
    }

    #[test]
    fn damaged_file_is_an_error_and_is_not_changed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("bank.json");
        drop(SandboxRecords::open(&path, new_bank).unwrap());
        let valid = fs::read(&path).unwrap();
        let newer = String::from_utf8(valid.clone())
            .unwrap()
            .replace(FORMAT, "balcao-sandbox-2");
        let truncated = valid[..valid.len() / 2].to_vec();
        for damaged in [
            truncated,
            b"".to_vec(),
            b"\xff".to_vec(),
            b"{}".to_vec(),
            newer.into_bytes(),
        ] {
            fs::write(&path, &damaged).unwrap();
            let error = SandboxRecords::open(&path, new_bank).unwrap_err();
            assert!(matches!(error, StoreError::Damaged(..)), "{error}");
            assert!(error.to_string().contains("bank.json"));
            assert_eq!(fs::read(&path).unwrap(), damaged);
        }
    }

    #[test]
    fn symbolic_links_are_not_followed() {
        use std::os::unix::fs::symlink;
        let directory = tempfile::tempdir().unwrap();
        let path_of = |name: &str| directory.path().join(name);
        fs::write(path_of("theirs"), "theirs").unwrap();
        for name in ["bank.json", "bank.json.lock", "bank.json.next"] {
            let _ = fs::remove_file(path_of(name));
            symlink(path_of("theirs"), path_of(name)).unwrap();
            let error = SandboxRecords::open(&path_of("bank.json"), new_bank).unwrap_err();
            assert!(matches!(error, StoreError::Unusable(..)), "{name}: {error}");
            assert_eq!(
                fs::read_to_string(path_of("theirs")).unwrap(),
                "theirs",
                "{name}"
            );
            fs::remove_file(path_of(name)).unwrap();
        }
        // Opening a named pipe must fail at once instead of blocking.
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        rustix::fs::mknodat(
            rustix::fs::CWD,
            path_of("bank.json"),
            rustix::fs::FileType::Fifo,
            mode,
            0,
        )
        .unwrap();
        let error = SandboxRecords::open(&path_of("bank.json"), new_bank).unwrap_err();
        assert!(matches!(error, StoreError::Unusable(..)), "{error}");
    }

    #[test]
    fn data_file_in_use_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("bank.json");
        let first = SandboxRecords::open(&path, new_bank).unwrap();
        assert!(matches!(
            SandboxRecords::open(&path, new_bank),
            Err(StoreError::Busy(_))
        ));
        drop(first);
        assert!(SandboxRecords::open(&path, new_bank).is_ok());
    }

    #[test]
    fn error_contains_the_missing_path() {
        let error =
            SandboxRecords::open(Path::new("/nowhere/at/all/bank.json"), new_bank).unwrap_err();
        assert!(
            error.to_string().contains("/nowhere/at/all/bank.json"),
            "{error}"
        );
    }
}
