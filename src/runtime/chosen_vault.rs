//! Remembers, for the next start, which vault (such as the system's keyring) the last login used.
//!
//! The choice is stored in `vaults.toml` in the state directory. The file contains only the kind of
//! vault, no secret. If that vault does not respond, the program reports an error instead of trying
//! another one.

use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::config::{ProfileState, StateFileKind};
use crate::trade::{Origin, VaultKind};

/// The file that records which vault the last login used, for one profile at one service.
#[derive(Debug, Clone)]
pub struct VaultFile(ProfileState);

impl VaultFile {
    pub fn new(state: &Path, profile: &str, origin: &Origin) -> VaultFile {
        VaultFile(ProfileState::new(
            state,
            StateFileKind::Vaults,
            profile,
            origin,
        ))
    }

    /// The kind of vault that the last login used, or `None` if the file contains none.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or names an unknown vault.
    pub fn kind(&self) -> io::Result<Option<VaultKind>> {
        let Some(name) = self.0.get()? else {
            return Ok(None);
        };
        let kind = VaultKind::of_name(&name).filter(|kind| kind.outlives_the_program());
        kind.map(Some)
            .ok_or_else(|| self.0.unreadable_with_advice())
    }

    /// The origins at which this profile has logged in. Returns none if the file cannot be read.
    pub fn origins(&self) -> Arc<[Origin]> {
        self.0.origins().unwrap_or_default().into()
    }

    /// Stores which vault the last login used. Does nothing for a vault that keeps credentials only
    /// in memory.
    pub fn put(&self, kind: VaultKind) -> io::Result<()> {
        if kind.outlives_the_program() {
            self.0.put(Some(kind.name()))
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn file(state: &Path) -> VaultFile {
        VaultFile::new(state, "loja", &Origin("https://a.example".into()))
    }

    #[test]
    fn vault_that_ends_with_the_program_is_not_remembered() {
        let dir = tempfile::tempdir().unwrap();
        let file = file(dir.path());
        assert_eq!(file.kind().unwrap(), None);
        for kind in [VaultKind::Keyutils, VaultKind::Helper, VaultKind::Keyring] {
            file.put(kind).unwrap();
            file.put(VaultKind::Memory).unwrap();
            file.put(VaultKind::Environment).unwrap();
            assert_eq!(file.kind().unwrap(), Some(kind));
        }
    }

    #[test]
    fn unknown_vault_is_an_error_and_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("vaults.toml");
        for vault in ["plain", "memory"] {
            let text =
                format!("[[entry]]\nprofile='loja'\norigin='https://a.example'\nvalue='{vault}'");
            fs::write(&path, &text).unwrap();
            assert!(file(dir.path()).kind().is_err(), "{vault}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }
}
