//! Small files that the program writes for itself, in TOML.

use std::io::{self, ErrorKind};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::plain::{read_text, replace};
use crate::trade::Origin;

/// The longest file that is read.
const MAX_BYTES: usize = 64 * 1024;

/// The most profiles that are remembered: those that changed last.
const MAX_PROFILES: usize = 100;

/// A file with contents of one type, which is replaced whole and durably.
///
/// A file that the program did not write is an error, and is left as it is.
#[derive(Debug, Clone)]
pub struct StateFile<T> {
    path: PathBuf,
    /// The comment at the beginning of the file.
    head: &'static str,
    contents: PhantomData<fn() -> T>,
}

impl<T: Default + Serialize + DeserializeOwned> StateFile<T> {
    /// Names the file, which does not need to exist.
    pub fn new(path: PathBuf, head: &'static str) -> StateFile<T> {
        StateFile { path, head, contents: PhantomData }
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the contents; those of a missing file are the default.
    pub fn read(&self) -> io::Result<T> {
        match read_text(&self.path) {
            Ok(text) if text.len() <= MAX_BYTES => {
                toml::from_str(&text).map_err(|_| self.none_of_ours())
            }
            Ok(_) => Err(self.none_of_ours()),
            // Below a file there is no directory, and no file of ours either.
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                Ok(T::default())
            }
            Err(error) => Err(error),
        }
    }

    /// Writes the contents; they are durable when it returns.
    pub fn write(&self, contents: &T) -> io::Result<()> {
        let text = toml::to_string(contents).map_err(io::Error::other)?;
        replace(&self.path, &format!("{}{text}", self.head))
    }

    /// The error for contents that the program did not write.
    pub fn none_of_ours(&self) -> io::Error {
        let text = format!("{} is not what balcao wrote", self.path.display());
        io::Error::new(ErrorKind::InvalidData, text)
    }
}

/// A text that is remembered for a profile at a service.
#[derive(Debug, Clone)]
pub struct ProfileState {
    file: StateFile<ProfileEntries>,
    profile: String,
    origin: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProfileEntries {
    #[serde(default)]
    entry: Vec<ProfileEntry>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProfileEntry {
    profile: String,
    origin: String,
    value: String,
}

impl ProfileState {
    /// The text of this profile at this service, in a file with one of each.
    pub fn new(path: PathBuf, head: &'static str, profile: &str, origin: &Origin) -> ProfileState {
        let origin = origin.0.to_string();
        ProfileState { file: StateFile::new(path, head), profile: profile.to_owned(), origin }
    }

    /// The remembered text, if there is one.
    pub fn get(&self) -> io::Result<Option<String>> {
        let mut entries = self.read()?.entry.into_iter();
        Ok(entries.find(|entry| self.is_ours(entry)).map(|entry| entry.value))
    }

    /// Remembers a text, or forgets it.
    pub fn put(&self, value: Option<&str>) -> io::Result<()> {
        let mut entries = self.read()?;
        let before = entries.entry.iter().find(|entry| self.is_ours(entry));
        if before.map(|entry| &*entry.value) == value {
            return Ok(());
        }
        entries.entry.retain(|entry| !self.is_ours(entry));
        entries.entry.truncate(MAX_PROFILES - 1);
        if let Some(value) = value {
            let (profile, origin) = (self.profile.clone(), self.origin.clone());
            entries.entry.insert(0, ProfileEntry { profile, origin, value: value.to_owned() });
        }
        self.file.write(&entries)
    }

    /// The error for a text that the program did not write: only a comfort is lost with it.
    pub fn none_of_ours(&self) -> io::Error {
        let text = format!("{}; delete it", self.file.none_of_ours());
        io::Error::new(ErrorKind::InvalidData, text)
    }

    fn read(&self) -> io::Result<ProfileEntries> {
        self.file.read().map_err(|error| match error.kind() {
            ErrorKind::InvalidData => self.none_of_ours(),
            _ => error,
        })
    }

    fn is_ours(&self, entry: &ProfileEntry) -> bool {
        entry.profile == self.profile && entry.origin == self.origin
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn state(dir: &Path, profile: &str, origin: &str) -> ProfileState {
        ProfileState::new(dir.join("texts.toml"), "# Texts.\n", profile, &Origin(origin.into()))
    }

    #[test]
    fn each_profile_and_service_has_its_own_text() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().join("state");
        let one = state(&dir, "loja", "https://a.example");
        let others = [("outra", "https://a.example"), ("loja", "https://b.example")]
            .map(|(profile, origin)| state(&dir, profile, origin));
        assert_eq!(one.get().unwrap(), None);
        one.put(Some("first")).unwrap();
        for other in &others {
            assert_eq!(other.get().unwrap(), None);
            other.put(Some("theirs")).unwrap();
        }
        one.put(Some("second")).unwrap();
        assert_eq!(one.get().unwrap().as_deref(), Some("second"));
        one.put(None).unwrap();
        assert_eq!(one.get().unwrap(), None);
        assert_eq!(others[1].get().unwrap().as_deref(), Some("theirs"));
        let text = fs::read_to_string(dir.join("texts.toml")).unwrap();
        assert!(text.starts_with("# Texts.\n"), "{text}");
        assert_eq!(fs::read_dir(&dir).unwrap().count(), 1, "nothing is left beside it");
    }

    #[test]
    fn file_of_another_program_is_an_error_and_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let one = state(dir.path(), "loja", "https://a.example");
        let path = dir.path().join("texts.toml");
        let long = format!("#{}", "x".repeat(100_000));
        for hostile in [&b"\xff\xfe"[..], b"entry = 3", b"other = 1", long.as_bytes()] {
            fs::write(&path, hostile).unwrap();
            assert!(one.get().is_err() && one.put(Some("x")).is_err());
            assert_eq!(fs::read(&path).unwrap(), hostile);
        }
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert!(one.get().is_err() && one.put(Some("x")).is_err());
    }

    #[test]
    fn hundred_profiles_are_remembered_and_no_more() {
        let dir = tempfile::tempdir().unwrap();
        let of = |n: usize| state(dir.path(), &n.to_string(), "https://a.example");
        (0..=MAX_PROFILES).for_each(|n| of(n).put(Some("x")).unwrap());
        assert_eq!((of(0).get().unwrap(), of(1).get().unwrap().as_deref()), (None, Some("x")));
    }
}
