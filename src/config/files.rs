//! Text files that somebody names or keeps for the program, and small files that the program writes
//! for itself, in TOML.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Read, Write};
use std::marker::PhantomData;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use crate::trade::Origin;

/// No such file is longer: what is, was not meant for this program.
const LONGEST: u64 = 4 * 1024 * 1024;

/// Reads a text file whole, as [`read_file`] does.
pub fn read_text(path: &Path) -> io::Result<String> {
    let bytes = read_file(path)?;
    String::from_utf8(bytes).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
}

/// Reads a file whole.
///
/// A link may lead to it, as people link their settings; at its end there must be a file. A named
/// pipe, a socket or a device is refused and never waited on.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut options = OpenOptions::new();
    options.read(true);
    let flags = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    options.custom_flags(flags);
    let file = options.open(path)?;
    if !file.metadata()?.is_file() {
        let why = "it is no file, but a directory, a pipe, a socket or a device";
        return Err(io::Error::new(ErrorKind::InvalidInput, why));
    }
    let mut bytes = Vec::new();
    if file.take(LONGEST + 1).read_to_end(&mut bytes)? as u64 > LONGEST {
        return Err(io::Error::new(ErrorKind::FileTooLarge, "it is longer than 4 MiB"));
    }
    Ok(bytes)
}

/// Replaces a text file whole and durably: no reader ever finds half of it.
///
/// A new file is readable by its owner only, and so is a new directory; an existing file keeps its
/// mode. A link stays a link: the file it leads to is replaced, or created.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    replace_if(path, text, || Ok(true)).map(drop)
}

/// Replaces a text file if this is true just before, when the new text is already on disk; returns
/// whether it was.
pub fn replace_if(
    path: &Path,
    text: &str,
    is_wanted: impl FnOnce() -> io::Result<bool>,
) -> io::Result<bool> {
    let path = followed(path)?;
    let dir = path.parent().unwrap_or(Path::new("."));
    DirBuilder::new().mode(0o700).recursive(true).create(dir)?;
    let mode = fs::metadata(&path).map_or(0o600, |file| file.permissions().mode() & 0o777);
    let mut beside = NamedTempFile::new_in(dir)?;
    beside.write_all(text.as_bytes())?;
    beside.as_file().set_permissions(Permissions::from_mode(mode))?;
    beside.as_file().sync_all()?;
    if !is_wanted()? {
        return Ok(false);
    }
    if let Err(failed) = beside.persist(&path) {
        match failed.error.kind() {
            // The file is a mount of its own, which a rename cannot replace.
            ErrorKind::ResourceBusy => overwrite(&path, text, failed.file)?,
            _ => return Err(failed.error),
        }
    }
    File::open(dir)?.sync_all()?;
    Ok(true)
}

/// The file at the end of the links of a path, also if it or its directory does not exist yet.
fn followed(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        found => return found,
    }
    let (Some(dir), Some(name)) = (path.parent(), path.file_name()) else {
        return Ok(path.to_owned());
    };
    let dir = if dir.as_os_str().is_empty() { Path::new(".") } else { dir };
    match fs::read_link(path) {
        Ok(target) => followed(&dir.join(target)),
        Err(_) => Ok(followed(dir)?.join(name)),
    }
}

/// Overwrites a file in place. The copy beside it is removed only when the whole text is on disk.
fn overwrite(path: &Path, text: &str, copy: NamedTempFile) -> io::Result<()> {
    let write = || {
        let mut file = OpenOptions::new().write(true).open(path)?;
        file.write_all(text.as_bytes())?;
        file.set_len(text.len() as u64)?;
        file.sync_all()
    };
    let Err(error) = write() else { return copy.close() };
    let (_, kept) = copy.keep()?;
    let text = format!("{}: {error} (the whole text: {})", path.display(), kept.display());
    Err(io::Error::new(error.kind(), text))
}

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
    use std::os::unix::fs::symlink;

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    #[test]
    fn regular_file_or_link_is_read_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::write(at("file"), "text").unwrap();
        std::os::unix::fs::symlink(at("file"), at("link")).unwrap();
        mknodat(CWD, at("pipe"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        std::os::unix::fs::symlink("/dev/zero", at("device")).unwrap();
        std::fs::write(at("long"), vec![b' '; LONGEST as usize + 1]).unwrap();
        for name in ["file", "link"] {
            assert_eq!(read_text(&at(name)).unwrap(), "text");
        }
        for name in ["pipe", "device", "."] {
            let error = read_text(&at(name)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidInput, "{name}: {error}");
        }
        assert_eq!(read_text(&at("long")).unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert_eq!(read_text(&at("nothing")).unwrap_err().kind(), ErrorKind::NotFound);
    }

    /// The names in a directory: nothing may be left beside a file.
    fn names(dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn replaced_file_keeps_its_mode_and_its_link() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let mode = |name: &str| fs::metadata(at(name)).unwrap().permissions().mode() & 0o777;
        replace(&at("new/own.toml"), "a = 1\n").unwrap();
        assert_eq!((mode("new"), mode("new/own.toml")), (0o700, 0o600));
        fs::write(at("shared.toml"), "a = 1\n").unwrap();
        fs::set_permissions(at("shared.toml"), Permissions::from_mode(0o644)).unwrap();
        symlink(at("shared.toml"), at("link.toml")).unwrap();
        replace(&at("link.toml"), "a = 2\n").unwrap();
        assert!(at("link.toml").is_symlink());
        assert_eq!(fs::read_to_string(at("shared.toml")).unwrap(), "a = 2\n");
        assert_eq!(mode("shared.toml"), 0o644);
        assert!(!replace_if(&at("link.toml"), "a = 3\n", || Ok(false)).unwrap());
        assert_eq!(fs::read_to_string(at("shared.toml")).unwrap(), "a = 2\n");
        assert_eq!(names(dir.path()), ["link.toml", "new", "shared.toml"]);
    }

    #[test]
    fn link_to_nothing_gets_its_target() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir(at("cfg")).unwrap();
        symlink("../dot/config.toml", at("cfg/config.toml")).unwrap();
        symlink("config.toml", at("cfg/second.toml")).unwrap();
        symlink("dots", at("linked")).unwrap();
        for (link, target) in [
            ("cfg/config.toml", "dot/config.toml"),
            ("cfg/second.toml", "dot/config.toml"),
            ("linked/own/keys.toml", "dots/own/keys.toml"),
        ] {
            let _ = fs::remove_dir_all(at("dot"));
            replace(&at(link), link).unwrap();
            assert_eq!(fs::read_to_string(at(target)).unwrap(), link);
        }
        assert!(
            ["cfg/config.toml", "cfg/second.toml", "linked"].iter().all(|it| at(it).is_symlink())
        );
        assert_eq!(names(&at("cfg")), ["config.toml", "second.toml"]);
        symlink("loop", at("loop")).unwrap();
        assert!(replace(&at("loop"), "").is_err() && at("loop").is_symlink());
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
        // A directory cannot be written: the text is kept, and the error names the place.
        let error = overwrite(dir.path(), "new", copy()).unwrap_err().to_string();
        let kept = names(dir.path()).into_iter().find(|name| name != "config.toml").unwrap();
        assert_eq!(fs::read_to_string(dir.path().join(&kept)).unwrap(), "new");
        assert!(error.contains(&kept), "{error}");
    }

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
