//! The vault that the last login was stored in, kept from one run to the next.
//!
//! A small file beside the journals, with a line for each profile and service. No secret is in it,
//! and it only says where one is looked for: a vault that does not answer is still no other one.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::config::{read_text, replace};
use crate::trade::{Origin, VaultKind};

/// The most profiles that are remembered: those of the latest logins.
const MAX_PROFILES: usize = 100;

const HEAD: &str = "# Where each profile's last login is stored. balcao writes this.\n";

/// The file, and the profile and origin whose line in it counts.
#[derive(Debug, Clone)]
pub struct VaultFile {
    path: PathBuf,
    profile: String,
    origin: String,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct VaultFileContents {
    #[serde(default)]
    login: Vec<RememberedVault>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RememberedVault {
    profile: String,
    origin: String,
    vault: String,
}

impl VaultFile {
    /// The file in the directory of what the program remembers.
    pub fn new(state: &Path, profile: &str, origin: &Origin) -> VaultFile {
        let origin = origin.0.to_string();
        VaultFile { path: state.join("vaults.toml"), profile: profile.to_owned(), origin }
    }

    /// The vault of the last login, if one is remembered.
    pub fn kind(&self) -> io::Result<Option<VaultKind>> {
        let line = self.read()?.login.into_iter().find(|line| self.is_ours(line));
        match line {
            None => Ok(None),
            Some(line) => match VaultKind::of_name(&line.vault) {
                Some(kind) if kind.outlives_the_program() => Ok(Some(kind)),
                _ => Err(self.none_of_ours()),
            },
        }
    }

    /// Remembers the vault of a login, unless it ends with the program.
    pub fn put(&self, kind: VaultKind) -> io::Result<()> {
        if !kind.outlives_the_program() {
            return Ok(());
        }
        let mut lines = self.read()?;
        if lines.login.iter().any(|line| self.is_ours(line) && line.vault == kind.name()) {
            return Ok(());
        }
        lines.login.retain(|line| !self.is_ours(line));
        lines.login.truncate(MAX_PROFILES - 1);
        let (profile, origin) = (self.profile.clone(), self.origin.clone());
        lines.login.insert(0, RememberedVault { profile, origin, vault: kind.name().into() });
        let text = toml::to_string(&lines).map_err(io::Error::other)?;
        replace(&self.path, &format!("{HEAD}{text}"))
    }

    fn is_ours(&self, line: &RememberedVault) -> bool {
        line.profile == self.profile && line.origin == self.origin
    }

    fn read(&self) -> io::Result<VaultFileContents> {
        match read_text(&self.path) {
            Ok(text) => toml::from_str(&text).map_err(|_| self.none_of_ours()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(VaultFileContents::default()),
            Err(error) => Err(error),
        }
    }

    fn none_of_ours(&self) -> io::Error {
        let text = format!("{} is not what balcao wrote; delete it", self.path.display());
        io::Error::new(ErrorKind::InvalidData, text)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn each_profile_at_each_address_has_its_own_vault() {
        let dir = tempfile::tempdir().unwrap();
        let state = dir.path().join("state");
        let file =
            |profile: &str, origin: &str| VaultFile::new(&state, profile, &Origin(origin.into()));
        let (here, there) = (file("loja", "https://a.example"), file("loja", "https://b.example"));
        assert_eq!(here.kind().unwrap(), None);
        for kind in [VaultKind::Keyutils, VaultKind::Helper, VaultKind::Keyring] {
            here.put(kind).unwrap();
            // What ends with the program is no answer for the next start.
            here.put(VaultKind::Memory).unwrap();
            here.put(VaultKind::Environment).unwrap();
            assert_eq!((here.kind().unwrap(), there.kind().unwrap()), (Some(kind), None));
        }
        there.put(VaultKind::Helper).unwrap();
        assert_eq!(file("filial", "https://a.example").kind().unwrap(), None);
        assert_eq!(here.kind().unwrap(), Some(VaultKind::Keyring));
    }

    #[test]
    fn a_file_that_says_something_else_is_an_error_and_left_as_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let file = VaultFile::new(dir.path(), "loja", &Origin("https://a.example".into()));
        let line = |vault: &str| {
            format!("[[login]]\nprofile='loja'\norigin='https://a.example'\nvault='{vault}'")
        };
        for text in ["login", &line("plain"), &line("memory")] {
            fs::write(&file.path, text).unwrap();
            assert!(file.kind().is_err(), "{text}");
            assert_eq!(fs::read_to_string(&file.path).unwrap(), text);
        }
    }
}
