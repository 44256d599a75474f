//! The secret with which `balcao sandbox` proves its identity to this user's other programs.
//!
//! The secret is stored in a file that only this user can read. The file is not used if it is a
//! link, or if others can read or change it.

use std::fs::DirBuilder;
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use uuid::Uuid;

use super::receipt_files;
use crate::journal::safe_open;
use crate::service::ProofQuestion;
use crate::trade::Secret;

/// The number of hexadecimal digits of the secret.
const DIGITS: usize = 64;

/// The reason why the secret in a file cannot be used.
#[derive(Debug)]
pub enum SecretTrouble {
    /// The path is a link or something else that is not a regular file.
    NoFile,
    /// Other users can read or change the file, or another user owns it.
    NotPrivate,
    /// The file does not contain a secret in the expected format.
    Malformed,
    /// The file does not exist or cannot be read.
    Io(io::Error),
}

/// Returns the path of the file that contains the secret.
pub fn path(state: &Path) -> PathBuf {
    state.join("sandbox").join("secret")
}

/// Reads the secret. Returns an error if the file does not exist.
pub fn read(state: &Path) -> Result<Secret, SecretTrouble> {
    let file = safe_open::open_to_read(&path(state)).map_err(|error| match error.kind() {
        io::ErrorKind::Other => SecretTrouble::NoFile,
        _ => SecretTrouble::Io(error),
    })?;
    let there = file.metadata().map_err(SecretTrouble::Io)?;
    let is_own = there.uid() == rustix::process::geteuid().as_raw();
    if !is_own || there.mode() & 0o077 != 0 {
        return Err(SecretTrouble::NotPrivate);
    }
    let mut text = String::with_capacity(2 * DIGITS);
    // Read up to two bytes more than a valid secret has, so that a longer text is detected.
    let read = file.take(DIGITS as u64 + 2).read_to_string(&mut text);
    read.map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => SecretTrouble::Malformed,
        _ => SecretTrouble::Io(error),
    })?;
    let digits = text.strip_suffix('\n').unwrap_or(&text);
    let is_whole = digits.len() == DIGITS && digits.bytes().all(|b| b.is_ascii_hexdigit());
    if is_whole { Ok(Secret::new(digits.to_owned())) } else { Err(SecretTrouble::Malformed) }
}

/// Returns a new challenge that only a sandbox with the same secret can answer, or `None` if this
/// user has no usable secret.
pub fn challenge(state: &Path) -> Option<ProofQuestion> {
    let secret = read(state).ok()?;
    Some(ProofQuestion { secret, nonce: chance() })
}

/// Reads the secret. If the file does not exist, creates it with a new random secret.
pub fn leave(state: &Path) -> Result<Secret, SecretTrouble> {
    match read(state) {
        Err(SecretTrouble::Io(error)) if error.kind() == io::ErrorKind::NotFound => {}
        found => return found,
    }
    make(&path(state)).map_err(SecretTrouble::Io)?;
    // Another sandbox may have created the file meanwhile. Read that file, so that both use the
    // same secret.
    read(state)
}

/// Creates the file together with its content. Does not change an existing file.
fn make(path: &Path) -> io::Result<()> {
    let dir = path.parent().unwrap_or(path);
    DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
    receipt_files::put(dir, path, &format!("{}\n", chance())).map(drop)
}

fn chance() -> String {
    format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn state() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    fn mode(path: &Path) -> u32 {
        fs::symlink_metadata(path).unwrap().mode() & 0o777
    }

    #[test]
    fn stored_secret_is_private_and_reused() {
        let state = state();
        let dir = state.path().join("not/yet/there");
        assert!(matches!(read(&dir), Err(SecretTrouble::Io(_))));
        assert!(!dir.exists(), "reading makes nothing");
        let left = leave(&dir).unwrap();
        assert_eq!(left.len(), DIGITS);
        assert_eq!((mode(&path(&dir)), mode(&dir.join("sandbox"))), (0o600, 0o700));
        assert_eq!(leave(&dir).unwrap().expose(), left.expose());
        assert_eq!(read(&dir).unwrap().expose(), left.expose());
        assert_eq!(fs::read_dir(dir.join("sandbox")).unwrap().count(), 1, "nothing lies beside it");
        let other = self::state();
        assert_ne!(leave(other.path()).unwrap().expose(), left.expose());
    }

    #[test]
    fn challenge_is_new_each_time_and_needs_the_secret() {
        let state = state();
        assert!(challenge(state.path()).is_none());
        let secret = leave(state.path()).unwrap();
        let made = || challenge(state.path()).unwrap();
        assert_eq!(made().secret.expose(), secret.expose());
        assert_ne!(made().nonce, made().nonce);
        let nonce = made().nonce;
        assert!(nonce.len() == 64 && nonce.bytes().all(|b| b.is_ascii_hexdigit()), "{nonce}");
        fs::set_permissions(path(state.path()), fs::Permissions::from_mode(0o644)).unwrap();
        assert!(challenge(state.path()).is_none());
    }

    #[test]
    fn concurrent_creators_share_a_single_secret() {
        let state = state();
        let found: Vec<String> = std::thread::scope(|scope| {
            let all: Vec<_> = (0..8)
                .map(|_| scope.spawn(|| leave(state.path()).unwrap().expose().to_owned()))
                .collect();
            all.into_iter().map(|one| one.join().unwrap()).collect()
        });
        assert!(found.iter().all(|one| *one == found[0]), "{found:?}");
    }

    #[test]
    fn secret_accessible_to_others_is_refused() {
        let state = state();
        leave(state.path()).unwrap();
        let path = path(state.path());
        for wide in [0o640, 0o604, 0o620, 0o602, 0o610, 0o666] {
            fs::set_permissions(&path, fs::Permissions::from_mode(wide)).unwrap();
            let not_private = |found| matches!(found, Err(SecretTrouble::NotPrivate));
            assert!(
                not_private(read(state.path())) && not_private(leave(state.path())),
                "{wide:o}"
            );
            assert_eq!(mode(&path), wide, "it is left as it is");
        }
    }

    #[test]
    fn a_link_or_a_pipe_is_not_used() {
        let (state, elsewhere) = (state(), self::state());
        leave(elsewhere.path()).unwrap();
        let here = path(state.path());
        fs::create_dir(here.parent().unwrap()).unwrap();
        let no_file = || {
            let found = [read(state.path()), leave(state.path())];
            found.iter().all(|one| matches!(one, Err(SecretTrouble::NoFile)))
        };
        symlink(path(elsewhere.path()), &here).unwrap();
        assert!(no_file());
        fs::remove_file(&here).unwrap();
        symlink("nowhere", &here).unwrap();
        assert!(no_file());
        fs::remove_file(&here).unwrap();
        fs::create_dir(&here).unwrap();
        assert!(no_file());
    }

    #[test]
    fn malformed_secret_is_refused_and_unchanged() {
        let state = state();
        leave(state.path()).unwrap();
        let path = path(state.path());
        for text in ["", "\n", "s3cret\n", &"0".repeat(63), &"0".repeat(65), &"g".repeat(64)] {
            fs::write(&path, text).unwrap();
            let malformed = |found| matches!(found, Err(SecretTrouble::Malformed));
            assert!(malformed(read(state.path())) && malformed(leave(state.path())), "{text:?}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        fs::write(&path, [0xff; 64]).unwrap();
        assert!(matches!(read(state.path()), Err(SecretTrouble::Malformed)));
    }
}
