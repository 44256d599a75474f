//! The markers that record which journal of withdrawals is in use (the live one). Each user has two
//! markers on each machine: one in the vault and one in the configuration directory.
//!
//! Both markers store the path of the live journal's directory, and an event of the journal. The
//! markers show whether that directory was copied or emptied or contains an older state, or whether
//! the state directory changed. So no second live journal is created by accident. Another journal
//! becomes the live one only if the user explicitly requests it.
//!
//! On a computer without a keyring, the marker file is the only marker. It distinguishes an emptied
//! state directory from a first start, and a copy of the journal from the live journal. The
//! configuration directory is often copied between machines, so the file has an entry for each
//! machine, and entries of other machines are never changed.
//!
//! The marker file is often cleaned away together with other files that the user did not create.
//! The event in the vault then still shows that an older state was put back. The vault's event may
//! be older than the journal's last one, because no withdrawal waits for the vault.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::Access;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::config::{StateFile, StateFileKind};
use crate::journal::money::{ChainLink, Files, Marker};
use crate::trade::JournalTrouble;

/// The marker file, which contains one entry for each machine. Only this machine's entry is read
/// and written.
#[derive(Debug, Clone)]
pub struct MarkerFile {
    file: StateFile<Contents>,
    machine: String,
}

/// An entry of the marker file: the live journal of one machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkerEntry {
    /// The directory of the live journal.
    pub journal: PathBuf,
    /// The last event in the journal at the time when this entry was written.
    pub event: ChainLink,
}

/// The marker in the vault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VaultEntry {
    /// The directory of the live journal.
    pub journal: PathBuf,
    /// An event that the journal contains. `None` if an earlier version of the program, which
    /// stored only the path, wrote the entry.
    pub event: Option<ChainLink>,
}

impl VaultEntry {
    /// The text that is stored in the vault: the event, and the path in the next line.
    pub fn to_text(&self) -> String {
        let path = self.journal.display();
        match &self.event {
            Some(event) => format!("{event}\n{path}"),
            None => path.to_string(),
        }
    }

    /// Parses a text from the vault. A text without an event is a path, which begins with a slash.
    pub fn parse(text: &str) -> VaultEntry {
        let event_and_path = text.split_once('\n');
        let parsed =
            event_and_path.and_then(|(event, path)| Some((ChainLink::parse(event)?, path)));
        match parsed {
            Some((event, path)) => VaultEntry {
                journal: path.into(),
                event: Some(event),
            },
            None => VaultEntry {
                journal: text.into(),
                event: None,
            },
        }
    }
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Contents {
    #[serde(default)]
    machines: BTreeMap<String, EntryText>,
}

/// A [`MarkerEntry`] in the form in which the marker file stores it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct EntryText {
    journal: PathBuf,
    event: i64,
    sum: String,
}

impl MarkerFile {
    /// The marker file in this configuration directory. Only the entry of the named machine is
    /// used.
    ///
    /// The file stores a hash of the machine's name, not the name itself, because users often
    /// publish their configuration files.
    pub fn new(config: &Path, machine: &str) -> MarkerFile {
        let sum = Sha256::digest(format!("balcao live journal\n{machine}"));
        let file = StateFile::new(config, StateFileKind::LiveJournal);
        let machine = sum[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        MarkerFile { file, machine }
    }

    /// The hash of the machine's name.
    pub fn machine(&self) -> &str {
        &self.machine
    }

    /// The name of the vault entry that contains this machine's marker.
    pub fn name_in_vault(&self) -> String {
        format!("live journal {}", self.machine)
    }

    /// This machine's entry in the marker file.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or was not written by this program.
    pub fn entry(&self) -> io::Result<Option<MarkerEntry>> {
        let mut contents = self.file.read()?;
        let Some(entry) = contents.machines.remove(&self.machine) else {
            return Ok(None);
        };
        let event = ChainLink::from_sum_text(entry.event, &entry.sum)
            .ok_or_else(|| self.file.unreadable_error())?;
        Ok(Some(MarkerEntry {
            journal: entry.journal,
            event,
        }))
    }

    /// Stores this machine's entry in the marker file, and waits until it is safely on disk.
    pub fn put(&self, entry: &MarkerEntry) -> io::Result<()> {
        let mut contents = self.file.read()?;
        let event = entry.event;
        let written = EntryText {
            journal: entry.journal.clone(),
            event: event.n,
            sum: event.sum_text(),
        };
        let before = contents
            .machines
            .insert(self.machine.clone(), written.clone());
        if before == Some(written) {
            Ok(())
        } else {
            self.file.write(&contents)
        }
    }

    pub fn forget(&self) -> io::Result<()> {
        let mut contents = self.file.read()?;
        match contents.machines.remove(&self.machine) {
            Some(_) => self.file.write(&contents),
            None => Ok(()),
        }
    }

    /// True if the permissions of the directory allow this program to replace the marker file.
    pub fn is_writable(&self) -> bool {
        let dir = self
            .file
            .path()
            .ancestors()
            .skip(1)
            .find(|dir| dir.symlink_metadata().is_ok());
        dir.is_some_and(|dir| {
            dir.is_dir() && rustix::fs::access(dir, Access::WRITE_OK | Access::EXEC_OK).is_ok()
        })
    }
}

/// The entry for an open journal in the marker file.
pub struct JournalMarker {
    pub file: MarkerFile,
    pub journal: PathBuf,
    /// The journal's former directory, if the marker file still contains it.
    pub moved_from: Option<PathBuf>,
}

impl Marker for JournalMarker {
    fn last_event(&self) -> Result<Option<ChainLink>, JournalTrouble> {
        let Some(entry) = self.file.entry().map_err(unreadable)? else {
            return Ok(None);
        };
        let is_ours = self.moved_from.as_ref() == Some(&entry.journal)
            || JournalPlace::compare(&entry.journal, &self.journal) == JournalPlace::Here;
        if is_ours {
            Ok(Some(entry.event))
        } else {
            Err(JournalTrouble::Elsewhere(entry.journal))
        }
    }

    fn store(&self, last: &ChainLink) -> io::Result<()> {
        self.file.put(&MarkerEntry {
            journal: self.journal.clone(),
            event: *last,
        })
    }
}

/// Converts the error from a marker file that cannot be read. The journal must not be used in this
/// case, because the file may name another live journal.
pub fn unreadable(error: io::Error) -> JournalTrouble {
    JournalTrouble::Io(error.to_string())
}

/// The result of comparing the path in a marker with the journal that is being opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JournalPlace {
    /// The marker's path leads to the journal that is being opened.
    Here,
    /// The marker's path leads to another journal, or to a place that cannot be examined.
    Elsewhere,
    /// The marker's path leads to no journal.
    Gone,
}

impl JournalPlace {
    /// Compares the directory in a marker with the directory of the journal that is being opened.
    pub fn compare(marked_dir: &Path, opened_dir: &Path) -> JournalPlace {
        if marked_dir == opened_dir
            || file_id(marked_dir).is_some_and(|marked_dir| Some(marked_dir) == file_id(opened_dir))
        {
            JournalPlace::Here
        } else if Files::new(marked_dir).journal_exists() {
            JournalPlace::Elsewhere
        } else {
            JournalPlace::Gone
        }
    }
}

/// The device and the number of a directory. `None` if it cannot be examined.
fn file_id(dir: &Path) -> Option<(u64, u64)> {
    let metadata = fs::metadata(dir).ok()?;
    Some((metadata.dev(), metadata.ino()))
}

/// An identifier of this machine: its machine id, or its host name if there is no id.
///
/// A container often has no machine id, and its host name may change. It then counts as another
/// machine, because it cannot be told apart from one to which the journal was copied.
pub fn machine_id() -> String {
    let id = ["/etc/machine-id", "/var/lib/dbus/machine-id"];
    let id = id.iter().find_map(|path| fs::read_to_string(path).ok());
    let id = id
        .map(|id| id.trim().to_owned())
        .filter(|id| !id.is_empty());
    id.unwrap_or_else(machine_name)
}

/// The host name of this machine.
pub fn machine_name() -> String {
    rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(journal: &str, n: i64) -> MarkerEntry {
        MarkerEntry {
            journal: journal.into(),
            event: ChainLink {
                n,
                sum: [n as u8; 32],
            },
        }
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
        assert!(
            text.starts_with("# Where each") && !text.contains("two"),
            "{text}"
        );
        assert_eq!(
            fs::read_dir(&config).unwrap().count(),
            1,
            "nothing is left beside it"
        );
    }

    #[test]
    fn unreadable_file_is_an_error_and_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let marker = MarkerFile::new(dir.path(), "one");
        let path = dir.path().join("live-journal.toml");
        let entry = entry("/j", 1);
        for hostile in [
            b"\xff\xfe".to_vec(),
            b"machines = 3".to_vec(),
            vec![b'#'; 100_000],
        ] {
            fs::write(&path, &hostile).unwrap();
            assert!(marker.entry().is_err() && marker.put(&entry).is_err());
            assert_eq!(fs::read(&path).unwrap(), hostile);
        }
        fs::remove_file(&path).unwrap();
        marker.put(&entry).unwrap();
        let written = fs::read_to_string(&path).unwrap();
        for wrong in [
            written.replace("0101", "01zz"),
            written.replace("= 1\n", "= -1\n"),
        ] {
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
    fn vault_entry_keeps_its_event_and_any_path() {
        let event = ChainLink {
            n: 12,
            sum: [0xab; 32],
        };
        for path in ["/srv/ana/journal", "/srv/two\nlines"] {
            for event in [None, Some(event)] {
                let entry = VaultEntry {
                    journal: path.into(),
                    event,
                };
                assert_eq!(VaultEntry::parse(&entry.to_text()), entry);
            }
        }
        // An entry of an earlier version contains only the path.
        let entry = VaultEntry::parse("/srv/ana/journal");
        assert_eq!(
            (entry.journal.as_path(), entry.event),
            (Path::new("/srv/ana/journal"), None)
        );
        let broken = VaultEntry::parse("12 abc\n/srv/ana/journal");
        assert_eq!(broken.event, None);
        assert_ne!(broken.journal, Path::new("/srv/ana/journal"));
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
        assert_eq!(
            JournalPlace::compare(&at("link"), &at("one")),
            JournalPlace::Here
        );
        assert_eq!(
            JournalPlace::compare(&at("two"), &at("one")),
            JournalPlace::Elsewhere
        );
        assert_eq!(
            JournalPlace::compare(&at("three"), &at("one")),
            JournalPlace::Gone
        );
        // A path that cannot be examined may lead to another journal, so it counts as another
        // journal.
        assert_eq!(
            JournalPlace::compare(&at("one/money.db/journal"), &at("one")),
            JournalPlace::Elsewhere
        );
    }
}
