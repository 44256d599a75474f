//! The second marker: a file in the configuration with the path of each machine's live journal.
//!
//! A computer without a keyring would take an emptied state directory for a first start. The
//! configuration stands elsewhere, and is often copied from machine to machine. Therefore each line
//! names its machine, and those of others are left alone.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The longest file that is read; a longer one is none of ours.
const MAX_BYTES: u64 = 64 * 1024;

const HEAD: &str = "\
# Where each machine keeps its live journal of withdrawals. balcao writes this, so that a journal
# that is gone is missed, and never begun anew.
";

/// The lines of all machines, of which one is this machine's.
#[derive(Debug, Clone)]
pub struct MarkerFile {
    path: PathBuf,
    machine: String,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct MarkerFileContents {
    #[serde(default)]
    machines: BTreeMap<String, PathBuf>,
}

impl MarkerFile {
    /// The marker in a configuration directory, for the machine of this name.
    ///
    /// The name is kept as a checksum: a configuration is shown around.
    pub fn new(config: &Path, machine: &str) -> MarkerFile {
        let sum = Sha256::digest(format!("balcao live journal\n{machine}"));
        let machine = sum[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        MarkerFile { path: config.join("live-journal.toml"), machine }
    }

    /// The last path of this machine's live journal; a file that cannot be read is an error.
    pub fn journal(&self) -> io::Result<Option<PathBuf>> {
        Ok(self.read()?.machines.remove(&self.machine))
    }

    /// Stores the path of this machine's live journal; durable when it returns.
    pub fn put(&self, journal: &Path) -> io::Result<()> {
        let mut lines = self.read()?;
        if lines.machines.get(&self.machine).is_some_and(|known| known == journal) {
            return Ok(());
        }
        lines.machines.insert(self.machine.clone(), journal.to_owned());
        self.write(&lines)
    }

    /// Forgets this machine's live journal.
    pub fn forget(&self) -> io::Result<()> {
        let mut lines = self.read()?;
        match lines.machines.remove(&self.machine) {
            Some(_) => self.write(&lines),
            None => Ok(()),
        }
    }

    fn read(&self) -> io::Result<MarkerFileContents> {
        let length = match fs::metadata(&self.path) {
            Ok(file) if file.is_file() => file.len(),
            Ok(_) => return Err(self.none_of_ours()),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(MarkerFileContents::default());
            }
            Err(error) => return Err(error),
        };
        if length > MAX_BYTES {
            return Err(self.none_of_ours());
        }
        toml::from_str(&fs::read_to_string(&self.path)?).map_err(|_| self.none_of_ours())
    }

    fn none_of_ours(&self) -> io::Error {
        let text = format!("{} is not what balcao wrote", self.path.display());
        io::Error::new(ErrorKind::InvalidData, text)
    }

    /// Writes a file beside it first, then renames it: never half of it.
    fn write(&self, lines: &MarkerFileContents) -> io::Result<()> {
        let text = toml::to_string(lines).map_err(io::Error::other)?;
        let dir = self.path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(dir)?;
        let mut beside = tempfile::NamedTempFile::new_in(dir)?;
        beside.write_all(HEAD.as_bytes())?;
        beside.write_all(text.as_bytes())?;
        beside.as_file().sync_all()?;
        beside.persist(&self.path)?;
        fs::File::open(dir)?.sync_all()
    }
}

/// The name of this machine; `None` where it has none.
pub fn machine() -> Option<String> {
    let id = ["/etc/machine-id", "/var/lib/dbus/machine-id"];
    let id = id.iter().find_map(|path| fs::read_to_string(path).ok());
    let id = id.map(|id| id.trim().to_owned()).filter(|id| !id.is_empty());
    id.or_else(host)
}

fn host() -> Option<String> {
    let name = rustix::system::uname().nodename().to_str().ok()?.to_owned();
    Some(name).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_machine_has_its_own_line_and_leaves_the_others_alone() {
        let dir = tempfile::tempdir().unwrap();
        let config = dir.path().join("config");
        let [one, two] = ["one", "two"].map(|name| MarkerFile::new(&config, name));
        assert_eq!(one.journal().unwrap(), None);
        one.put(Path::new("/srv/ana/journal")).unwrap();
        assert_eq!(two.journal().unwrap(), None);
        two.put(Path::new("/srv/journal")).unwrap();
        one.put(Path::new("/srv/ana/other")).unwrap();
        assert_eq!(one.journal().unwrap(), Some("/srv/ana/other".into()));
        one.forget().unwrap();
        assert_eq!(one.journal().unwrap(), None);
        assert_eq!(two.journal().unwrap(), Some("/srv/journal".into()));
        let text = fs::read_to_string(config.join("live-journal.toml")).unwrap();
        assert!(text.starts_with("# Where each") && !text.contains("two"), "{text}");
    }

    #[test]
    fn a_file_that_cannot_be_read_is_no_answer_and_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let marker = MarkerFile::new(dir.path(), "one");
        let path = dir.path().join("live-journal.toml");
        for hostile in [b"\xff\xfe".to_vec(), b"machines = 3".to_vec(), vec![b'#'; 100_000]] {
            fs::write(&path, &hostile).unwrap();
            assert!(marker.journal().is_err() && marker.put(Path::new("/j")).is_err());
            assert_eq!(fs::read(&path).unwrap(), hostile);
        }
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert!(marker.journal().is_err());
    }
}
