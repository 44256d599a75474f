//! The domain that new links ask for, kept from one run to the next.
//!
//! A small file beside the journals, with a line for each profile and service. It is a comfort and
//! no secret: one that cannot be read counts as none, and is left as it is. The app checks the
//! domain in it like all text from outside.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::app::Msg;
use crate::config::replace;
use crate::trade::{DomainChoice, Origin, Untrusted};

/// The longest file that is read; a longer one is none of ours.
const MAX_BYTES: u64 = 64 * 1024;

/// The most profiles that are remembered: those of the latest choices.
const MAX_PROFILES: usize = 100;

const HEAD: &str =
    "# The domain that new links ask for, as it was chosen last. balcao writes this.\n";

/// The file, and the profile and origin whose line in it counts.
#[derive(Debug, Clone)]
pub struct DomainFile {
    path: PathBuf,
    profile: String,
    origin: String,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DomainFileContents {
    #[serde(default)]
    chosen: Vec<ChosenDomain>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChosenDomain {
    profile: String,
    origin: String,
    host: String,
}

impl DomainFile {
    /// The file in the directory of what the program remembers.
    pub fn new(state: &Path, profile: &str, origin: &Origin) -> DomainFile {
        let origin = origin.0.to_string();
        DomainFile { path: state.join("domains.toml"), profile: profile.to_owned(), origin }
    }

    /// The domain that was chosen last, if one was.
    pub fn host(&self) -> io::Result<Option<Untrusted>> {
        let mut lines = self.read()?.chosen.into_iter();
        Ok(lines.find(|line| self.is_ours(line)).map(|line| line.host.into()))
    }

    /// Stores the chosen domain.
    pub fn put(&self, host: Option<&str>) -> io::Result<()> {
        let mut lines = self.read()?;
        lines.chosen.retain(|line| !self.is_ours(line));
        lines.chosen.truncate(MAX_PROFILES - 1);
        if let Some(host) = host {
            let (profile, origin) = (self.profile.clone(), self.origin.clone());
            lines.chosen.insert(0, ChosenDomain { profile, origin, host: host.to_owned() });
        }
        let text = toml::to_string(&lines).map_err(io::Error::other)?;
        replace(&self.path, &format!("{HEAD}{text}"))
    }

    fn is_ours(&self, line: &ChosenDomain) -> bool {
        line.profile == self.profile && line.origin == self.origin
    }

    fn read(&self) -> io::Result<DomainFileContents> {
        match fs::metadata(&self.path) {
            Ok(file) if file.is_file() && file.len() <= MAX_BYTES => {}
            Ok(_) => return Err(self.none_of_ours()),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(DomainFileContents::default());
            }
            Err(error) => return Err(error),
        }
        toml::from_str(&fs::read_to_string(&self.path)?).map_err(|_| self.none_of_ours())
    }

    fn none_of_ours(&self) -> io::Error {
        let text = format!("{} is not what balcao wrote", self.path.display());
        io::Error::new(ErrorKind::InvalidData, text)
    }
}

/// Looks up which domain was chosen when the program ran last.
pub async fn read(file: Option<DomainFile>) -> Msg {
    let host = tokio::task::spawn_blocking(move || file.and_then(|file| file.host().ok()?)).await;
    Msg::DomainRead(host.unwrap_or_default())
}

/// Stores the chosen domain; returns a message where that did not work.
pub async fn keep(file: Option<DomainFile>, choice: DomainChoice) -> Option<Msg> {
    let file = file?;
    let host = match choice {
        // A host that is not shown as it is would be refused when it is read again.
        DomainChoice::Named(host) if host.is_clean() => Some(host.shown()),
        DomainChoice::Named(_) | DomainChoice::Automatic => None,
    };
    let put = tokio::task::spawn_blocking(move || file.put(host.as_deref()));
    let why = match put.await {
        Ok(Ok(())) => return None,
        Ok(Err(error)) => error.to_string(),
        Err(error) => error.to_string(),
    };
    Some(Msg::DomainNotKept(why))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(state: &Path, profile: &str, origin: &str) -> DomainFile {
        DomainFile::new(state, profile, &Origin(origin.into()))
    }

    #[test]
    fn each_profile_and_service_has_its_own() {
        let dir = tempfile::tempdir().unwrap();
        let state = dir.path().join("state");
        let one = file(&state, "loja", "https://a.example");
        let others =
            [file(&state, "outra", "https://a.example"), file(&state, "loja", "https://b.example")];
        assert_eq!(one.host().unwrap(), None);
        one.put(Some("loja.example")).unwrap();
        for (n, other) in others.iter().enumerate() {
            assert_eq!(other.host().unwrap(), None);
            other.put(Some(&format!("outra-{n}.example"))).unwrap();
        }
        assert_eq!(one.host().unwrap(), Some("loja.example".into()));
        one.put(Some("nova.example")).unwrap();
        assert_eq!(one.host().unwrap(), Some("nova.example".into()));
        one.put(None).unwrap();
        assert_eq!(one.host().unwrap(), None);
        assert_eq!(others[1].host().unwrap(), Some("outra-1.example".into()));
        let names = fs::read_dir(&state).unwrap().count();
        assert_eq!(names, 1, "nothing is left beside it");
    }

    #[test]
    fn what_this_program_did_not_write_says_nothing_and_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let one = file(dir.path(), "loja", "https://a.example");
        let path = dir.path().join("domains.toml");
        let long = format!("#{}", "x".repeat(100_000));
        for hostile in [&b"\xff\xfe"[..], b"chosen = 3", b"other = 1", long.as_bytes()] {
            fs::write(&path, hostile).unwrap();
            assert!(one.host().is_err() && one.put(Some("x.example")).is_err());
            assert_eq!(fs::read(&path).unwrap(), hostile);
        }
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert!(one.host().is_err() && one.put(Some("x.example")).is_err());
    }

    #[test]
    fn a_hundred_profiles_are_remembered_and_no_more() {
        let dir = tempfile::tempdir().unwrap();
        for n in 0..=MAX_PROFILES {
            file(dir.path(), &n.to_string(), "https://a.example").put(Some("x.example")).unwrap();
        }
        let host = |n: usize| file(dir.path(), &n.to_string(), "https://a.example").host().unwrap();
        assert_eq!((host(0), host(1)), (None, Some("x.example".into())));
    }
}
