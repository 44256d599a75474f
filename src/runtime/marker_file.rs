//! The marker file: for each machine, where its live journal is and what its last event is.
//!
//! A computer without a keyring would take an emptied state directory for a first start, and a copy
//! of the directory for the journal itself. The configuration is another directory, and is often
//! copied from machine to machine. Therefore each entry names its machine, and the entries of other
//! machines are left alone.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::Access;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::config::StateFile;
use crate::journal::money::{self, ChainLink, Marker, Sum};
use crate::trade::JournalTrouble;

const HEAD: &str = "\
# Where each machine keeps its live journal of withdrawals, and the journal's last event. balcao
# writes this, so that it notices a journal that is gone, a second one, and an older copy.
";

/// The entries of all machines, one of which is this machine's.
#[derive(Debug, Clone)]
pub struct MarkerFile {
    file: StateFile<Contents>,
    machine: String,
}

/// One machine's live journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkerEntry {
    /// The journal's directory.
    pub journal: PathBuf,
    /// Its last event when the entry was written.
    pub event: ChainLink,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Contents {
    #[serde(default)]
    machines: BTreeMap<String, EntryText>,
}

/// An entry as it is written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct EntryText {
    journal: PathBuf,
    event: i64,
    sum: String,
}

impl MarkerFile {
    /// The marker file in a configuration directory, with the entry of the machine of this name.
    ///
    /// The name is kept as a checksum: a configuration is shown around.
    pub fn new(config: &Path, machine: &str) -> MarkerFile {
        let sum = Sha256::digest(format!("balcao live journal\n{machine}"));
        let file = StateFile::new(config.join("live-journal.toml"), HEAD);
        MarkerFile { file, machine: hex(&sum[..8]) }
    }

    /// The name of this machine's marker in a vault.
    pub fn name_in_vault(&self) -> String {
        format!("live journal {}", self.machine)
    }

    /// This machine's entry; a file that cannot be read is an error.
    pub fn entry(&self) -> io::Result<Option<MarkerEntry>> {
        let mut contents = self.file.read()?;
        let Some(written) = contents.machines.remove(&self.machine) else { return Ok(None) };
        let sum = sum(&written.sum).filter(|_| written.event >= 0);
        let event =
            ChainLink { n: written.event, sum: sum.ok_or_else(|| self.file.none_of_ours())? };
        Ok(Some(MarkerEntry { journal: written.journal, event }))
    }

    /// Stores this machine's entry; durable when it returns.
    pub fn put(&self, entry: &MarkerEntry) -> io::Result<()> {
        let mut contents = self.file.read()?;
        let event = entry.event;
        let written =
            EntryText { journal: entry.journal.clone(), event: event.n, sum: hex(&event.sum) };
        let before = contents.machines.insert(self.machine.clone(), written.clone());
        if before == Some(written) { Ok(()) } else { self.file.write(&contents) }
    }

    /// Deletes this machine's entry.
    pub fn forget(&self) -> io::Result<()> {
        let mut contents = self.file.read()?;
        match contents.machines.remove(&self.machine) {
            Some(_) => self.file.write(&contents),
            None => Ok(()),
        }
    }

    /// Returns true if the file can be replaced, as far as its directory's rights tell.
    pub fn is_writable(&self) -> bool {
        let dir = self.file.path().ancestors().skip(1).find(|dir| dir.symlink_metadata().is_ok());
        dir.is_some_and(|dir| {
            dir.is_dir() && rustix::fs::access(dir, Access::WRITE_OK | Access::EXEC_OK).is_ok()
        })
    }
}

/// The marker file as the marker of one journal.
pub struct JournalMarker {
    pub file: MarkerFile,
    /// The journal's directory.
    pub journal: PathBuf,
    /// The directory from which it was moved, if the entry still names that.
    pub moved_from: Option<PathBuf>,
}

impl Marker for JournalMarker {
    fn event(&self) -> Result<Option<ChainLink>, JournalTrouble> {
        let Some(entry) = self.file.entry().map_err(unreadable)? else { return Ok(None) };
        let is_ours = self.moved_from.as_ref() == Some(&entry.journal)
            || Standing::of(&entry.journal, &self.journal) == Standing::Here;
        if is_ours { Ok(Some(entry.event)) } else { Err(JournalTrouble::Elsewhere(entry.journal)) }
    }

    fn put(&self, last: &ChainLink) -> io::Result<()> {
        self.file.put(&MarkerEntry { journal: self.journal.clone(), event: *last })
    }
}

/// The trouble of a marker file that cannot be read: it may name another journal.
pub fn unreadable(error: io::Error) -> JournalTrouble {
    JournalTrouble::Io(error.to_string())
}

/// What is found at the path that a marker names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// The journal that is being opened.
    Here,
    /// Another journal, or something that cannot be examined.
    Elsewhere,
    /// Nothing.
    Gone,
}

impl Standing {
    /// Examines a path for the journal in the directory `here`.
    pub fn of(named: &Path, here: &Path) -> Standing {
        let id = |dir: &Path| fs::metadata(dir).ok().map(|dir| (dir.dev(), dir.ino()));
        if named == here || id(named).is_some_and(|named| Some(named) == id(here)) {
            Standing::Here
        } else if money::is_there(named) {
            Standing::Elsewhere
        } else {
            Standing::Gone
        }
    }
}

/// The name of this machine; empty where it has none.
pub fn machine() -> String {
    let id = ["/etc/machine-id", "/var/lib/dbus/machine-id"];
    let id = id.iter().find_map(|path| fs::read_to_string(path).ok());
    let id = id.map(|id| id.trim().to_owned()).filter(|id| !id.is_empty());
    id.unwrap_or_else(|| rustix::system::uname().nodename().to_string_lossy().into_owned())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads what [`hex`] writes.
fn sum(text: &str) -> Option<Sum> {
    let mut sum = Sum::default();
    for (i, byte) in sum.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * i..2 * i + 2)?, 16).ok()?;
    }
    (hex(&sum) == text).then_some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(journal: &str, n: i64) -> MarkerEntry {
        MarkerEntry { journal: journal.into(), event: ChainLink { n, sum: [n as u8; 32] } }
    }

    #[test]
    fn each_machine_has_an_entry_and_leaves_others_alone() {
        let dir = tempfile::tempdir().unwrap();
        let config = dir.path().join("config");
        let [one, two] = ["one", "two"].map(|name| MarkerFile::new(&config, name));
        assert_eq!(one.entry().unwrap(), None);
        one.put(&entry("/srv/ana/journal", 1)).unwrap();
        assert_eq!(two.entry().unwrap(), None);
        two.put(&entry("/srv/journal", 7)).unwrap();
        one.put(&entry("/srv/ana/journal", 2)).unwrap();
        assert_eq!(one.entry().unwrap(), Some(entry("/srv/ana/journal", 2)));
        one.forget().unwrap();
        assert_eq!(one.entry().unwrap(), None);
        assert_eq!(two.entry().unwrap(), Some(entry("/srv/journal", 7)));
        let text = fs::read_to_string(config.join("live-journal.toml")).unwrap();
        assert!(text.starts_with("# Where each") && !text.contains("two"), "{text}");
        assert_eq!(fs::read_dir(&config).unwrap().count(), 1, "nothing is left beside it");
    }

    #[test]
    fn unreadable_file_is_an_error_and_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let marker = MarkerFile::new(dir.path(), "one");
        let path = dir.path().join("live-journal.toml");
        let entry = entry("/j", 1);
        for hostile in [b"\xff\xfe".to_vec(), b"machines = 3".to_vec(), vec![b'#'; 100_000]] {
            fs::write(&path, &hostile).unwrap();
            assert!(marker.entry().is_err() && marker.put(&entry).is_err());
            assert_eq!(fs::read(&path).unwrap(), hostile);
        }
        fs::remove_file(&path).unwrap();
        marker.put(&entry).unwrap();
        let written = fs::read_to_string(&path).unwrap();
        for wrong in [written.replace("0101", "01zz"), written.replace("= 1\n", "= -1\n")] {
            assert_ne!(wrong, written);
            fs::write(&path, wrong).unwrap();
            assert!(marker.entry().is_err());
        }
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert!(marker.entry().is_err());
    }

    #[test]
    fn directory_that_takes_no_files_is_not_writable() {
        let dir = tempfile::tempdir().unwrap();
        assert!(MarkerFile::new(&dir.path().join("a/b"), "one").is_writable());
        fs::write(dir.path().join("a"), "a file").unwrap();
        let below_a_file = MarkerFile::new(&dir.path().join("a/b"), "one");
        assert!(!below_a_file.is_writable() && below_a_file.put(&entry("/j", 1)).is_err());
    }

    #[test]
    fn path_through_a_link_is_the_same_journal() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for name in ["one", "two"] {
            fs::create_dir(at(name)).unwrap();
            fs::write(at(name).join("money.db"), "").unwrap();
        }
        std::os::unix::fs::symlink(at("one"), at("link")).unwrap();
        assert_eq!(Standing::of(&at("link"), &at("one")), Standing::Here);
        assert_eq!(Standing::of(&at("two"), &at("one")), Standing::Elsewhere);
        assert_eq!(Standing::of(&at("three"), &at("one")), Standing::Gone);
        // What cannot be examined may be a journal.
        assert_eq!(Standing::of(&at("one/money.db/journal"), &at("one")), Standing::Elsewhere);
    }
}
