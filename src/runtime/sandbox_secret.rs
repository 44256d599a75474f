//! The secret with which `balcao sandbox` proves its identity to this user's other programs.
//!
//! The secret is stored in a file that only this user can read. The file is not used if it is a
//! link, or if others can read or change it.

use std::fs::{DirBuilder, File};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use uuid::Uuid;

use super::receipt_files;
use crate::journal::safe_open;
use crate::service::ProofChallenge;
use crate::trade::Secret;

/// The number of hexadecimal digits of the secret.
const DIGITS: usize = 64;

/// The path in the state directory of the empty file that marks the directory of a replay.
const REPLAY_MARKER: &str = "sandbox/replay";

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

/// The path of the file that contains the secret.
pub fn path(state: &Path) -> PathBuf {
    state.join("sandbox").join("secret")
}

/// Reads the secret. Returns an error if the file does not exist.
pub fn read(state: &Path) -> Result<Secret, SecretTrouble> {
    let file = safe_open::open_to_read(&path(state)).map_err(|error| match error.kind() {
        io::ErrorKind::Other => SecretTrouble::NoFile,
        _ => SecretTrouble::Io(error),
    })?;
    let metadata = file.metadata().map_err(SecretTrouble::Io)?;
    let is_own = metadata.uid() == rustix::process::geteuid().as_raw();
    if !is_own || metadata.mode() & 0o077 != 0 {
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
    let is_valid = digits.len() == DIGITS && digits.bytes().all(|b| b.is_ascii_hexdigit());
    if is_valid {
        Ok(Secret::new(digits.to_owned()))
    } else {
        Err(SecretTrouble::Malformed)
    }
}

/// A new challenge that only a sandbox with the same secret can answer, or `None` if this user has
/// no usable secret.
pub fn challenge(state: &Path) -> Option<ProofChallenge> {
    let secret = read(state).ok()?;
    Some(ProofChallenge {
        secret,
        nonce: random_hex(),
    })
}

/// Reads the secret. If the file does not exist, creates it with a new random secret.
pub fn read_or_create(state: &Path) -> Result<Secret, SecretTrouble> {
    match read(state) {
        Err(SecretTrouble::Io(error)) if error.kind() == io::ErrorKind::NotFound => {}
        found => return found,
    }
    create(&path(state)).map_err(SecretTrouble::Io)?;
    // Another sandbox may have created the file meanwhile. Read that file, so that both use the
    // same secret.
    read(state)
}

/// Creates the secret of a replay in its own, empty state directory. Only this replay can prove
/// itself with it.
pub fn create_for_replay(state: &Path) -> Result<Secret, SecretTrouble> {
    let secret = read_or_create(state)?;
    let marker = File::create(state.join(REPLAY_MARKER));
    marker.map_err(SecretTrouble::Io)?;
    Ok(secret)
}

/// True if the secret in this state directory is that of a replay.
pub fn is_of_replay(state: &Path) -> bool {
    state.join(REPLAY_MARKER).exists()
}

/// Creates the file together with its content. Does not change an existing file.
fn create(path: &Path) -> io::Result<()> {
    let dir = path.parent().unwrap_or(path);
    DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
    receipt_files::create_file(dir, path, format!("{}\n", random_hex())).map(drop)
}

fn random_hex() -> String {
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
        let created = read_or_create(&dir).unwrap();
        assert_eq!(created.len(), DIGITS);
        assert_eq!(
            (mode(&path(&dir)), mode(&dir.join("sandbox"))),
            (0o600, 0o700)
        );
        assert_eq!(read_or_create(&dir).unwrap().expose(), created.expose());
        assert_eq!(read(&dir).unwrap().expose(), created.expose());
        assert_eq!(
            fs::read_dir(dir.join("sandbox")).unwrap().count(),
            1,
            "nothing lies beside it"
        );
        let other = self::state();
        assert_ne!(
            read_or_create(other.path()).unwrap().expose(),
            created.expose()
        );
    }

    #[test]
    fn challenge_is_new_each_time_and_needs_the_secret() {
        let state = state();
        assert!(challenge(state.path()).is_none());
        let secret = read_or_create(state.path()).unwrap();
        let new_challenge = || challenge(state.path()).unwrap();
        assert_eq!(new_challenge().secret.expose(), secret.expose());
        assert_ne!(new_challenge().nonce, new_challenge().nonce);
        let nonce = new_challenge().nonce;
        assert!(
            nonce.len() == 64 && nonce.bytes().all(|b| b.is_ascii_hexdigit()),
            "{nonce}"
        );
        fs::set_permissions(path(state.path()), fs::Permissions::from_mode(0o644)).unwrap();
        assert!(challenge(state.path()).is_none());
    }

    #[test]
    fn concurrent_creators_share_a_single_secret() {
        let state = state();
        let secrets: Vec<String> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|_| scope.spawn(|| read_or_create(state.path()).unwrap().expose().to_owned()))
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .collect()
        });
        assert!(
            secrets.iter().all(|secret| *secret == secrets[0]),
            "{secrets:?}"
        );
    }

    #[test]
    fn secret_accessible_to_others_is_refused() {
        let state = state();
        read_or_create(state.path()).unwrap();
        let path = path(state.path());
        for mode_bits in [0o640, 0o604, 0o620, 0o602, 0o610, 0o666] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode_bits)).unwrap();
            let is_not_private = |result| matches!(result, Err(SecretTrouble::NotPrivate));
            assert!(
                is_not_private(read(state.path())) && is_not_private(read_or_create(state.path())),
                "{mode_bits:o}"
            );
            assert_eq!(mode(&path), mode_bits, "it is left as it is");
        }
    }

    #[test]
    fn link_or_directory_is_not_used() {
        let state = state();
        let other_state = self::state();
        read_or_create(other_state.path()).unwrap();
        let secret_file = path(state.path());
        fs::create_dir(secret_file.parent().unwrap()).unwrap();
        let is_no_file = || {
            let results = [read(state.path()), read_or_create(state.path())];
            results
                .iter()
                .all(|result| matches!(result, Err(SecretTrouble::NoFile)))
        };
        symlink(path(other_state.path()), &secret_file).unwrap();
        assert!(is_no_file());
        fs::remove_file(&secret_file).unwrap();
        symlink("nowhere", &secret_file).unwrap();
        assert!(is_no_file());
        fs::remove_file(&secret_file).unwrap();
        fs::create_dir(&secret_file).unwrap();
        assert!(is_no_file());
    }

    #[test]
    fn malformed_secret_is_refused_and_unchanged() {
        let state = state();
        read_or_create(state.path()).unwrap();
        let path = path(state.path());
        for text in [
            "",
            "\n",
            "s3cret\n",
            &"0".repeat(63),
            &"0".repeat(65),
            &"g".repeat(64),
        ] {
            fs::write(&path, text).unwrap();
            let is_malformed = |result| matches!(result, Err(SecretTrouble::Malformed));
            assert!(
                is_malformed(read(state.path())) && is_malformed(read_or_create(state.path())),
                "{text:?}"
            );
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        fs::write(&path, [0xff; 64]).unwrap();
        assert!(matches!(read(state.path()), Err(SecretTrouble::Malformed)));
    }
}
