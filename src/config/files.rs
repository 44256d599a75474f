//! Reads text files, and replaces files durably.
//!
//! [`StateFile`] is a small TOML file that only the program writes. [`ProfileState`] is a text that
//! such a file stores for one profile.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Read, Write};
use std::marker::PhantomData;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use crate::trade::Origin;

/// The maximum size of a file that is read, in bytes.
const MAX_FILE_BYTES: u64 = 4 * 1024 * 1024;

/// Reads a text file. Like [`read_file`], accepts only regular files of at most 4 MiB.
pub fn read_text(path: &Path) -> io::Result<String> {
    let bytes = read_file(path)?;
    String::from_utf8(bytes).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
}

/// Reads a regular file, at most 4 MiB. It is opened as by [`read_at_most`].
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let bytes = read_at_most(path, MAX_FILE_BYTES + 1)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(io::Error::new(
            ErrorKind::FileTooLarge,
            "it is longer than 4 MiB",
        ));
    }
    Ok(bytes)
}

/// Reads at most this number of bytes of a regular file.
///
/// Symbolic links are followed, because some users keep their files elsewhere. Named pipes,
/// sockets and devices are refused, so that reading cannot block.
pub fn read_at_most(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut options = OpenOptions::new();
    options.read(true);
    let flags = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    options.custom_flags(flags);
    let file = options.open(path)?;
    if !file.metadata()?.is_file() {
        let message = "it is no file, but a directory, a pipe, a socket or a device";
        return Err(io::Error::new(ErrorKind::InvalidInput, message));
    }
    let mut bytes = Vec::new();
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Replaces a text file atomically and durably, so no reader ever sees a partial file.
///
/// A new file or directory is accessible to its owner only; an existing file keeps its mode. If the
/// path is a symbolic link, its target is replaced or created.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    replace_if(path, text, || Ok(true)).map(drop)
}

/// Like [`replace`], but calls `condition` after the new text is on disk, and replaces the file
/// only if it returns true. Returns true if the file was replaced.
pub fn replace_if(
    path: &Path,
    text: &str,
    condition: impl FnOnce() -> io::Result<bool>,
) -> io::Result<bool> {
    let path = resolve_links(path)?;
    let dir = path.parent().unwrap_or(Path::new("."));
    DirBuilder::new().mode(0o700).recursive(true).create(dir)?;
    let mode = fs::metadata(&path).map_or(0o600, |file| file.permissions().mode() & 0o777);
    let mut temporary = NamedTempFile::new_in(dir)?;
    temporary.write_all(text.as_bytes())?;
    temporary
        .as_file()
        .set_permissions(Permissions::from_mode(mode))?;
    temporary.as_file().sync_all()?;
    if !condition()? {
        return Ok(false);
    }
    if let Err(persist_error) = temporary.persist(&path) {
        match persist_error.error.kind() {
            // A file that is a mount point, as in a container, cannot be replaced by renaming.
            // Overwrite it in place instead.
            ErrorKind::ResourceBusy => overwrite(&path, text, persist_error.file)?,
            _ => return Err(persist_error.error),
        }
    }
    File::open(dir)?.sync_all()?;
    Ok(true)
}

/// Resolves symbolic links, even if the file or its directory does not exist yet.
fn resolve_links(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        result => return result,
    }
    let (Some(dir), Some(name)) = (path.parent(), path.file_name()) else {
        return Ok(path.to_owned());
    };
    let dir = if dir.as_os_str().is_empty() {
        Path::new(".")
    } else {
        dir
    };
    match fs::read_link(path) {
        Ok(target) => resolve_links(&dir.join(target)),
        Err(_) => Ok(resolve_links(dir)?.join(name)),
    }
}

/// Overwrites a file in place. `copy` is a temporary file with the new text. It is deleted
/// afterwards, but kept if the write fails.
fn overwrite(path: &Path, text: &str, copy: NamedTempFile) -> io::Result<()> {
    let Err(error) = write_in_place(path, text) else {
        return copy.close();
    };
    let (_, copy_path) = copy.keep()?;
    let text = format!(
        "{}: {error} (the whole text: {})",
        path.display(),
        copy_path.display()
    );
    Err(io::Error::new(error.kind(), text))
}

fn write_in_place(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    file.write_all(text.as_bytes())?;
    file.set_len(text.len() as u64)?;
    file.sync_all()
}

/// The maximum size of a state file, in bytes.
const MAX_STATE_BYTES: usize = 64 * 1024;

/// The maximum number of profiles in a state file. If there are more, the profiles that changed
/// longest ago are dropped.
const MAX_PROFILES: usize = 100;

/// A small TOML file that only this program writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StateFileKind {
    /// The checkout domain that each profile uses for new links, in the state directory.
    Domains,
    /// The vault with the last login of each profile, in the state directory.
    Vaults,
    /// The unfinished first-run setup, in the state directory.
    FirstRun,
    /// The place and the last event of each machine's live journal, in the configuration directory.
    LiveJournal,
}

impl StateFileKind {
    /// The path of the file in its directory.
    pub fn path_in(self, dir: &Path) -> PathBuf {
        dir.join(match self {
            StateFileKind::Domains => "domains.toml",
            StateFileKind::Vaults => "vaults.toml",
            StateFileKind::FirstRun => "first-run.toml",
            StateFileKind::LiveJournal => "live-journal.toml",
        })
    }

    /// The comment at the start of the file.
    fn header(self) -> &'static str {
        match self {
            StateFileKind::Domains => {
                "# The domain that new links ask for, as it was chosen last. balcao writes this.\n"
            }
            StateFileKind::Vaults => {
                "# Where each profile's last login is stored. balcao writes this.\n"
            }
            StateFileKind::FirstRun => "",
            StateFileKind::LiveJournal => {
                "\
# Where each machine keeps its live journal of withdrawals, and the journal's last event. balcao
# writes this, so that it notices a journal that is gone, a second one, and an older copy.
"
            }
        }
    }
}

/// A TOML file with contents of type `T`. Only this program writes it, and always as a whole.
///
/// If the file contains anything else, reading it fails.
#[derive(Debug, Clone)]
pub struct StateFile<T> {
    path: PathBuf,
    /// A comment that is written at the start of the file.
    header: &'static str,
    contents: PhantomData<fn() -> T>,
}

impl<T: Default + Serialize + DeserializeOwned> StateFile<T> {
    /// A handle for the file, which need not exist yet.
    pub fn new(dir: &Path, kind: StateFileKind) -> StateFile<T> {
        StateFile {
            path: kind.path_in(dir),
            header: kind.header(),
            contents: PhantomData,
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the contents. A missing file gives the default contents.
    pub fn read(&self) -> io::Result<T> {
        match read_text(&self.path) {
            Ok(text) if text.len() <= MAX_STATE_BYTES => {
                toml::from_str(&text).map_err(|_| self.unreadable_error())
            }
            Ok(_) => Err(self.unreadable_error()),
            // `NotADirectory` means that a part of the path is a regular file. So this file does
            // not exist.
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                Ok(T::default())
            }
            Err(error) => Err(error),
        }
    }

    pub fn write(&self, contents: &T) -> io::Result<()> {
        let text = toml::to_string(contents).map_err(io::Error::other)?;
        replace(&self.path, &format!("{}{text}", self.header))
    }

    /// The error for a file that this program did not write.
    pub fn unreadable_error(&self) -> io::Error {
        let text = format!("{} is not what balcao wrote", self.path.display());
        io::Error::new(ErrorKind::InvalidData, text)
    }
}

/// A text in a state file, stored for one profile and one service.
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
    pub fn new(dir: &Path, kind: StateFileKind, profile: &str, origin: &Origin) -> ProfileState {
        let origin = origin.0.to_string();
        ProfileState {
            file: StateFile::new(dir, kind),
            profile: profile.to_owned(),
            origin,
        }
    }

    /// The stored text, if there is one.
    pub fn get(&self) -> io::Result<Option<String>> {
        let mut entries = self.read()?.entry.into_iter();
        Ok(entries
            .find(|entry| self.is_own_entry(entry))
            .map(|entry| entry.value))
    }

    /// All origins for which a text of this profile is stored.
    pub fn origins(&self) -> io::Result<Vec<Origin>> {
        let mut entries = self.read()?.entry;
        entries.retain(|entry| entry.profile == self.profile);
        Ok(entries
            .into_iter()
            .map(|entry| Origin(entry.origin.into()))
            .collect())
    }

    /// Stores a text, or removes it if `value` is `None`.
    pub fn put(&self, value: Option<&str>) -> io::Result<()> {
        let mut entries = self.read()?;
        let stored = entries.entry.iter().find(|entry| self.is_own_entry(entry));
        if stored.map(|entry| &*entry.value) == value {
            return Ok(());
        }
        entries.entry.retain(|entry| !self.is_own_entry(entry));
        entries.entry.truncate(MAX_PROFILES - 1);
        if let Some(value) = value {
            let profile = self.profile.clone();
            let origin = self.origin.clone();
            entries.entry.insert(
                0,
                ProfileEntry {
                    profile,
                    origin,
                    value: value.to_owned(),
                },
            );
        }
        self.file.write(&entries)
    }

    /// The error for a file that this program did not write, with advice to delete it.
    pub fn unreadable_with_advice(&self) -> io::Error {
        let text = format!("{}; delete it", self.file.unreadable_error());
        io::Error::new(ErrorKind::InvalidData, text)
    }

    fn read(&self) -> io::Result<ProfileEntries> {
        self.file.read().map_err(|error| match error.kind() {
            ErrorKind::InvalidData => self.unreadable_with_advice(),
            _ => error,
        })
    }

    fn is_own_entry(&self, entry: &ProfileEntry) -> bool {
        entry.profile == self.profile && entry.origin == self.origin
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    #[test]
    fn regular_file_or_link_is_read_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let path_of = |name: &str| dir.path().join(name);
        std::fs::write(path_of("file"), "text").unwrap();
        std::os::unix::fs::symlink(path_of("file"), path_of("link")).unwrap();
        mknodat(
            CWD,
            path_of("pipe"),
            FileType::Fifo,
            Mode::RUSR | Mode::WUSR,
            0,
        )
        .unwrap();
        std::os::unix::fs::symlink("/dev/zero", path_of("device")).unwrap();
        std::fs::write(path_of("long"), vec![b' '; MAX_FILE_BYTES as usize + 1]).unwrap();
        for name in ["file", "link"] {
            assert_eq!(read_text(&path_of(name)).unwrap(), "text");
        }
        for name in ["pipe", "device", "."] {
            let error = read_text(&path_of(name)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidInput, "{name}: {error}");
        }
        assert_eq!(
            read_text(&path_of("long")).unwrap_err().kind(),
            ErrorKind::FileTooLarge
        );
        assert_eq!(
            read_text(&path_of("nothing")).unwrap_err().kind(),
            ErrorKind::NotFound
        );
    }

    /// The file names in a directory. Tests use them to check that no temporary file is left.
    fn names(dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn replaced_file_keeps_its_mode_and_its_link() {
        let dir = tempfile::tempdir().unwrap();
        let path_of = |name: &str| dir.path().join(name);
        let mode = |name: &str| fs::metadata(path_of(name)).unwrap().permissions().mode() & 0o777;
        replace(&path_of("new/own.toml"), "a = 1\n").unwrap();
        assert_eq!((mode("new"), mode("new/own.toml")), (0o700, 0o600));
        fs::write(path_of("shared.toml"), "a = 1\n").unwrap();
        fs::set_permissions(path_of("shared.toml"), Permissions::from_mode(0o644)).unwrap();
        symlink(path_of("shared.toml"), path_of("link.toml")).unwrap();
        replace(&path_of("link.toml"), "a = 2\n").unwrap();
        assert!(path_of("link.toml").is_symlink());
        assert_eq!(
            fs::read_to_string(path_of("shared.toml")).unwrap(),
            "a = 2\n"
        );
        assert_eq!(mode("shared.toml"), 0o644);
        assert!(!replace_if(&path_of("link.toml"), "a = 3\n", || Ok(false)).unwrap());
        assert_eq!(
            fs::read_to_string(path_of("shared.toml")).unwrap(),
            "a = 2\n"
        );
        assert_eq!(names(dir.path()), ["link.toml", "new", "shared.toml"]);
    }

    #[test]
    fn link_to_nothing_gets_its_target() {
        let dir = tempfile::tempdir().unwrap();
        let path_of = |name: &str| dir.path().join(name);
        fs::create_dir(path_of("cfg")).unwrap();
        symlink("../dot/config.toml", path_of("cfg/config.toml")).unwrap();
        symlink("config.toml", path_of("cfg/second.toml")).unwrap();
        symlink("dots", path_of("linked")).unwrap();
        for (link, target) in [
            ("cfg/config.toml", "dot/config.toml"),
            ("cfg/second.toml", "dot/config.toml"),
            ("linked/own/keys.toml", "dots/own/keys.toml"),
        ] {
            let _ = fs::remove_dir_all(path_of("dot"));
            replace(&path_of(link), link).unwrap();
            assert_eq!(fs::read_to_string(path_of(target)).unwrap(), link);
        }
        assert!(
            ["cfg/config.toml", "cfg/second.toml", "linked"]
                .iter()
                .all(|link| path_of(link).is_symlink())
        );
        assert_eq!(names(&path_of("cfg")), ["config.toml", "second.toml"]);
        symlink("loop", path_of("loop")).unwrap();
        assert!(replace(&path_of("loop"), "").is_err() && path_of("loop").is_symlink());
    }

    #[test]
    fn overwriting_in_place_keeps_a_copy_until_it_is_done() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("config.toml");
        let copy = || {
            let mut copy = NamedTempFile::new_in(dir.path()).unwrap();
            copy.write_all(b"new").unwrap();
            copy
        };
        fs::write(&path, "longer than before").unwrap();
        overwrite(&path, "new", copy()).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(dir.path()), ["config.toml"]);
        // If the write fails, the temporary copy is kept, and the error message contains its path.
        let error = overwrite(dir.path(), "new", copy())
            .unwrap_err()
            .to_string();
        let copy_name = names(dir.path())
            .into_iter()
            .find(|name| name != "config.toml")
            .unwrap();
        assert_eq!(
            fs::read_to_string(dir.path().join(&copy_name)).unwrap(),
            "new"
        );
        assert!(error.contains(&copy_name), "{error}");
    }

    fn state(dir: &Path, profile: &str, origin: &str) -> ProfileState {
        ProfileState::new(dir, StateFileKind::Domains, profile, &Origin(origin.into()))
    }

    #[test]
    fn each_profile_and_service_has_its_own_text() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().join("state");
        let own = state(&dir, "loja", "https://a.example");
        let others = [
            ("outra", "https://a.example"),
            ("loja", "https://b.example"),
        ]
        .map(|(profile, origin)| state(&dir, profile, origin));
        assert_eq!(own.get().unwrap(), None);
        own.put(Some("first")).unwrap();
        for other in &others {
            assert_eq!(other.get().unwrap(), None);
            other.put(Some("theirs")).unwrap();
        }
        own.put(Some("second")).unwrap();
        assert_eq!(own.get().unwrap().as_deref(), Some("second"));
        own.put(None).unwrap();
        assert_eq!(own.get().unwrap(), None);
        assert_eq!(others[1].get().unwrap().as_deref(), Some("theirs"));
        let text = fs::read_to_string(dir.join("domains.toml")).unwrap();
        assert!(text.starts_with("# The domain"), "{text}");
        assert_eq!(
            fs::read_dir(&dir).unwrap().count(),
            1,
            "nothing is left beside it"
        );
    }

    #[test]
    fn file_of_another_program_is_an_error_and_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let state_text = state(dir.path(), "loja", "https://a.example");
        let path = dir.path().join("domains.toml");
        let long = format!("#{}", "x".repeat(100_000));
        for contents in [
            &b"\xff\xfe"[..],
            b"entry = 3",
            b"other = 1",
            long.as_bytes(),
        ] {
            fs::write(&path, contents).unwrap();
            assert!(state_text.get().is_err() && state_text.put(Some("x")).is_err());
            assert_eq!(fs::read(&path).unwrap(), contents);
        }
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert!(state_text.get().is_err() && state_text.put(Some("x")).is_err());
    }

    #[test]
    fn hundred_profiles_are_remembered_and_no_more() {
        let dir = tempfile::tempdir().unwrap();
        let profile_state = |n: usize| state(dir.path(), &n.to_string(), "https://a.example");
        (0..=MAX_PROFILES).for_each(|n| profile_state(n).put(Some("x")).unwrap());
        assert_eq!(
            (
                profile_state(0).get().unwrap(),
                profile_state(1).get().unwrap().as_deref()
            ),
            (None, Some("x"))
        );
    }
}
