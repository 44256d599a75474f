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
    /// The current content of the file.
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
    /// the bank that `fresh` returns.
    pub fn open(
        path: &Path,
        fresh: impl FnOnce() -> Bank,
    ) -> Result<(SandboxRecords, Bank), StoreError> {
        let unusable = |error| StoreError::Unusable(path.to_owned(), error);
        let damaged = |problem| StoreError::Damaged(path.to_owned(), problem);
        let lock = take_lock(path)?;
        let mut store = SandboxRecords { path: path.to_owned(), saved: String::new(), _lock: lock };
        match read_bytes(path) {
            Ok(bytes) => {
                let text = String::from_utf8(bytes);
                store.saved = text.map_err(|_| damaged("it is not text".to_owned()))?;
                let bank = read(&store.saved).map_err(damaged)?;
                Ok((store, bank))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let bank = fresh();
                store.keep(&bank).map_err(unusable)?;
                Ok((store, bank))
            }
            Err(error) => Err(unusable(error)),
        }
    }

    /// Writes the bank's state to the file, unless the file is already up to date.
    pub fn keep(&mut self, bank: &Bank) -> io::Result<()> {
        let file = DataFile { format: FORMAT.to_owned(), bank: bank.clone() };
        let text = serde_json::to_string_pretty(&file)? + "\n";
        if text != self.saved {
            replace(&self.path, text.as_bytes())?;
            self.saved = text;
        }
        Ok(())
    }
}

fn read(text: &str) -> Result<Bank, String> {
    let read: DataFile = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if read.format != FORMAT {
        return Err(format!("its format is {:?}, expected {FORMAT:?}", read.format));
    }
    Ok(read.bank)
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Locks the data file. The lock is held on a separate file, because the data file itself is
/// replaced at every change.
fn take_lock(path: &Path) -> Result<File, StoreError> {
    let unusable = |error| StoreError::Unusable(path.to_owned(), error);
    let lock = open(&mut private(), &beside(path, ".lock")).map_err(unusable)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(StoreError::Busy(path.to_owned())),
        Err(TryLockError::Error(error)) => Err(unusable(error)),
    }
}

/// Replaces the file atomically: writes and syncs a new file, renames it, and syncs the directory.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let next = beside(path, ".next");
    let mut file = open(private().truncate(true), &next)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&next, path)?;
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
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
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no file")),
    }
}

/// Returns options to create a file with mode 0600, because the data file contains a password.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create(true).mode(0o600);
    options
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::bank::scene::{DomainSetup, Scene};

    fn fresh() -> Bank {
        Bank::open(Scene::default(), 1)
    }

    #[test]
    fn the_bank_comes_back_as_it_was_kept() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("bank.json");
        let (mut store, mut bank) = SandboxRecords::open(&path, fresh).unwrap();
        bank.set_domain("nova.localhost", DomainSetup::Active);
        store.keep(&bank).unwrap();
        drop(store);
        let (_store, again) = SandboxRecords::open(&path, || panic!("it was there")).unwrap();
        assert_eq!(again.own_domains(), bank.own_domains());
    }

    #[test]
    fn a_damaged_file_is_an_error_and_stays_as_it_is() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("bank.json");
        drop(SandboxRecords::open(&path, fresh).unwrap());
        let whole = fs::read(&path).unwrap();
        let newer = String::from_utf8(whole.clone()).unwrap().replace(FORMAT, "balcao-sandbox-2");
        let half = whole[..whole.len() / 2].to_vec();
        for damaged in [half, b"".to_vec(), b"\xff".to_vec(), b"{}".to_vec(), newer.into_bytes()] {
            fs::write(&path, &damaged).unwrap();
            let error = SandboxRecords::open(&path, fresh).unwrap_err();
            assert!(matches!(error, StoreError::Damaged(..)), "{error}");
            assert!(error.to_string().contains("bank.json"));
            assert_eq!(fs::read(&path).unwrap(), damaged);
        }
    }

    #[test]
    fn symbolic_links_are_not_followed() {
        use std::os::unix::fs::symlink;
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        fs::write(at("theirs"), "theirs").unwrap();
        for name in ["bank.json", "bank.json.lock", "bank.json.next"] {
            let _ = fs::remove_file(at(name));
            symlink(at("theirs"), at(name)).unwrap();
            let error = SandboxRecords::open(&at("bank.json"), fresh).unwrap_err();
            assert!(matches!(error, StoreError::Unusable(..)), "{name}: {error}");
            assert_eq!(fs::read_to_string(at("theirs")).unwrap(), "theirs", "{name}");
            fs::remove_file(at(name)).unwrap();
        }
        // Opening a named pipe must fail at once instead of blocking.
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        rustix::fs::mknodat(rustix::fs::CWD, at("bank.json"), rustix::fs::FileType::Fifo, mode, 0)
            .unwrap();
        let error = SandboxRecords::open(&at("bank.json"), fresh).unwrap_err();
        assert!(matches!(error, StoreError::Unusable(..)), "{error}");
    }

    #[test]
    fn two_sandboxes_never_share_a_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("bank.json");
        let first = SandboxRecords::open(&path, fresh).unwrap();
        assert!(matches!(SandboxRecords::open(&path, fresh), Err(StoreError::Busy(_))));
        drop(first);
        assert!(SandboxRecords::open(&path, fresh).is_ok());
    }

    #[test]
    fn a_directory_that_is_not_there_is_named() {
        let error =
            SandboxRecords::open(Path::new("/nowhere/at/all/bank.json"), fresh).unwrap_err();
        assert!(error.to_string().contains("/nowhere/at/all/bank.json"), "{error}");
    }
}
