//! The markers that record which journal of withdrawals is in use (the live one). Each user has two
//! markers on each machine: one in the vault and one in the configuration directory.
//!
//! Both markers store the path of the live journal's directory. The markers show whether that
//! directory was copied or emptied, or whether the state directory changed. So no second live
//! journal is created by accident. Another journal becomes the live one only if the user explicitly
//! requests it.
//!
//! On a computer without a keyring, the marker file is the only marker. It distinguishes an emptied
//! state directory from a first start, and a copy of the journal from the live journal. The
//! configuration directory is often copied between machines, so the file has an entry for each
//! machine, and entries of other machines are never changed.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::Access;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::journal_location::{JournalLocation, LiveJournal};
use crate::config::StateFile;
use crate::journal::money::{self, ChainLink, Checksum, Marker, MoneyJournal, ReadOnlyJournal};
use crate::journal::{OsDisk, journal_dir};
use crate::trade::{JournalTrouble, VaultTrouble};

const FILE_HEADER: &str = "\
# Where each machine keeps its live journal of withdrawals, and the journal's last event. balcao
# writes this, so that it notices a journal that is gone, a second one, and an older copy.
";

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
    /// Returns the marker file in this configuration directory. Only the entry of the named machine
    /// is used.
    ///
    /// The file stores a hash of the machine's name, not the name itself, because users often
    /// publish their configuration files.
    pub fn new(config: &Path, machine: &str) -> MarkerFile {
        let sum = Sha256::digest(format!("balcao live journal\n{machine}"));
        let file = StateFile::new(config.join("live-journal.toml"), FILE_HEADER);
        MarkerFile { file, machine: hex(&sum[..8]) }
    }

    /// Returns the name of the vault entry that contains this machine's marker.
    pub fn name_in_vault(&self) -> String {
        format!("live journal {}", self.machine)
    }

    /// Returns this machine's entry in the marker file.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or was not written by this program.
    pub fn entry(&self) -> io::Result<Option<MarkerEntry>> {
        let mut contents = self.file.read()?;
        let Some(entry) = contents.machines.remove(&self.machine) else { return Ok(None) };
        let sum = parse_sum(&entry.sum).filter(|_| entry.event >= 0);
        let event =
            ChainLink { n: entry.event, sum: sum.ok_or_else(|| self.file.unreadable_error())? };
        Ok(Some(MarkerEntry { journal: entry.journal, event }))
    }

    /// Stores this machine's entry in the marker file, and waits until it is safely on disk.
    pub fn put(&self, entry: &MarkerEntry) -> io::Result<()> {
        let mut contents = self.file.read()?;
        let event = entry.event;
        let written =
            EntryText { journal: entry.journal.clone(), event: event.n, sum: hex(&event.sum) };
        let before = contents.machines.insert(self.machine.clone(), written.clone());
        if before == Some(written) { Ok(()) } else { self.file.write(&contents) }
    }

    pub fn forget(&self) -> io::Result<()> {
        let mut contents = self.file.read()?;
        match contents.machines.remove(&self.machine) {
            Some(_) => self.file.write(&contents),
            None => Ok(()),
        }
    }

    /// Returns true if the permissions of the directory allow this program to replace the marker
    /// file.
    pub fn is_writable(&self) -> bool {
        let dir = self.file.path().ancestors().skip(1).find(|dir| dir.symlink_metadata().is_ok());
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
        let Some(entry) = self.file.entry().map_err(unreadable)? else { return Ok(None) };
        let is_ours = self.moved_from.as_ref() == Some(&entry.journal)
            || JournalPlace::compare(&entry.journal, &self.journal) == JournalPlace::Here;
        if is_ours { Ok(Some(entry.event)) } else { Err(JournalTrouble::Elsewhere(entry.journal)) }
    }

    fn store(&self, last: &ChainLink) -> io::Result<()> {
        self.file.put(&MarkerEntry { journal: self.journal.clone(), event: *last })
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
        let id = |dir: &Path| fs::metadata(dir).ok().map(|dir| (dir.dev(), dir.ino()));
        if marked_dir == opened_dir
            || id(marked_dir).is_some_and(|marked_dir| Some(marked_dir) == id(opened_dir))
        {
            JournalPlace::Here
        } else if money::journal_exists(marked_dir) {
            JournalPlace::Elsewhere
        } else {
            JournalPlace::Gone
        }
    }
}

/// Returns an identifier of this machine: its machine id, or its host name if there is no id.
pub fn machine_id() -> String {
    let id = ["/etc/machine-id", "/var/lib/dbus/machine-id"];
    let id = id.iter().find_map(|path| fs::read_to_string(path).ok());
    let id = id.map(|id| id.trim().to_owned()).filter(|id| !id.is_empty());
    id.unwrap_or_else(|| rustix::system::uname().nodename().to_string_lossy().into_owned())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Parses a checksum that was written by [`hex`].
fn parse_sum(text: &str) -> Option<Checksum> {
    let mut sum = Checksum::default();
    for (i, byte) in sum.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * i..2 * i + 2)?, 16).ok()?;
    }
    (hex(&sum) == text).then_some(sum)
}

/// The marker that is stored in the vault.
#[derive(Debug, Clone, PartialEq, Eq)]
enum VaultMarker {
    /// The vault contains no marker, or no vault can be used.
    Nothing,
    Names(PathBuf),
    /// The vault is locked or does not respond, so its marker is unknown.
    Unknown(VaultTrouble),
}

/// The conclusion from the markers: whether the journal that is being opened is the live one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Liveness {
    /// No marker exists, so there is no live journal yet.
    New,
    /// The journal being opened is the live one. The value is the last event of this journal that a
    /// marker recorded, if any.
    Live(Option<ChainLink>),
    /// The markers name a directory that no longer contains a journal. If the journal being opened
    /// contains the recorded event, it was moved here from that directory.
    Gone(Option<(PathBuf, ChainLink)>),
    /// The live journal is in this other directory.
    Elsewhere(PathBuf),
    /// The marker in the vault is needed, but the vault cannot be read.
    Unknown(VaultTrouble),
}

/// Combines the marker file with the marker in the vault. `place` compares a marker's path with the
/// journal that is being opened.
fn combine_markers(
    file: Option<MarkerEntry>,
    vault: VaultMarker,
    place: impl Fn(&Path) -> JournalPlace,
) -> Liveness {
    use JournalPlace::{Elsewhere, Gone, Here};
    let file_marker = file.map(|entry| (place(&entry.journal), entry));
    if let Some((Elsewhere, entry)) = file_marker {
        return Liveness::Elsewhere(entry.journal);
    }
    let vault_marker = match vault {
        VaultMarker::Names(path) => match place(&path) {
            Elsewhere => return Liveness::Elsewhere(path),
            place => Some((place, path)),
        },
        VaultMarker::Unknown(trouble) => {
            return match file_marker {
                Some((Here, entry)) => Liveness::Live(Some(entry.event)),
                _ => Liveness::Unknown(trouble),
            };
        }
        VaultMarker::Nothing => None,
    };
    match (file_marker, vault_marker) {
        (None, None) => Liveness::New,
        (None, Some((Here, _))) => Liveness::Live(None),
        (None, Some(_)) => Liveness::Gone(None),
        (Some((Here, entry)), None | Some((Here, _))) => Liveness::Live(Some(entry.event)),
        (Some((_, entry)), None | Some((Here, _))) => {
            Liveness::Gone(Some((entry.journal, entry.event)))
        }
        (Some((Gone, entry)), Some((_, path))) if entry.journal == path => {
            Liveness::Gone(Some((entry.journal, entry.event)))
        }
        // The marker file and the vault name different directories.
        (Some(_), Some((_, path))) => Liveness::Elsewhere(path),
    }
}

impl Liveness {
    /// Returns an error if the markers alone show that the journal must not be used. In this case,
    /// the journal need not be read.
    pub fn check_unopened(&self) -> Result<(), JournalTrouble> {
        match self {
            Liveness::Elsewhere(_) | Liveness::Unknown(_) => self.check(None),
            Liveness::New | Liveness::Live(_) | Liveness::Gone(_) => Ok(()),
        }
    }

    /// Returns an error unless `journal`, which was opened for reading, is the live one. `None`
    /// means that the directory contains no journal.
    pub fn check(&self, journal: Option<&MoneyJournal>) -> Result<(), JournalTrouble> {
        match self {
            Liveness::New => Ok(()),
            Liveness::Elsewhere(path) => Err(JournalTrouble::Elsewhere(path.clone())),
            Liveness::Unknown(trouble) => Err(JournalTrouble::MaybeMissing(trouble.clone())),
            Liveness::Live(event) => {
                let journal = journal.ok_or(JournalTrouble::Missing)?;
                event.map_or(Ok(()), |event| journal.check_contains(&event))
            }
            Liveness::Gone(remembered) => {
                let (journal, (_, event)) =
                    journal.zip(remembered.as_ref()).ok_or(JournalTrouble::Missing)?;
                // Event 0 is the same in every journal, so it cannot show that this journal is the
                // live one.
                if event.n == 0 {
                    return Err(JournalTrouble::Missing);
                }
                journal.check_contains(event).map_err(|_| JournalTrouble::Missing)
            }
        }
    }
}

impl JournalLocation {
    /// Reads and combines both markers of the live journal. A sandbox journal has no markers.
    pub async fn liveness(&self) -> Result<Liveness, JournalTrouble> {
        let Some(live) = self.live_journal() else { return Ok(Liveness::New) };
        let file = live.marker.entry().map_err(unreadable)?;
        let vault = match self.vault.get_text(&live.marker.name_in_vault()).await {
            Ok(Some(path)) => VaultMarker::Names(path.into()),
            // Without a usable keyring, there is no marker in the vault.
            Ok(None) | Err(VaultTrouble::Absent | VaultTrouble::Denied) => VaultMarker::Nothing,
            Err(trouble) => VaultMarker::Unknown(trouble),
        };
        let opened_dir = live.resolved_dir();
        Ok(combine_markers(file, vault, |marked_dir| {
            JournalPlace::compare(marked_dir, &opened_dir)
        }))
    }

    /// Opens the journal for writing. Creates a new journal only if neither a marker nor a file
    /// shows that there was an earlier one.
    pub(super) async fn open_marked(&self, dir: &Path) -> Result<MoneyJournal, JournalTrouble> {
        let liveness = self.liveness().await?;
        liveness.check_unopened()?;
        // An empty database without `money.head` is an interrupted first start. In this case a new
        // journal may be created.
        let is_expected = liveness != Liveness::New || money::has_head(dir);
        let mut journal = match self.is_temporary() {
            true => MoneyJournal::open_temporary(dir, is_expected)?,
            false => MoneyJournal::open(dir, OsDisk, is_expected)?,
        };
        let Some(live) = self.live_journal() else { return Ok(journal) };
        let resolved_dir = live.resolved_dir();
        let mut moved_from = None;
        if let Liveness::Gone(remembered) = &liveness {
            liveness.check(Some(&journal))?;
            // Write the vault's marker before the marker file. If the program stopped after writing
            // only the file, the next start would refuse this journal.
            self.put_in_vault(live, &resolved_dir).await?;
            moved_from = remembered.as_ref().map(|(path, _)| path.clone());
        }
        let file = live.marker.clone();
        journal.attach_marker(Box::new(JournalMarker {
            file,
            journal: resolved_dir,
            moved_from,
        }))?;
        Ok(journal)
    }

    /// Returns the last event that the marker file recorded for the journal at this location.
    pub fn marked_event(&self) -> Result<Option<ChainLink>, JournalTrouble> {
        let Some(live) = self.live_journal() else { return Ok(None) };
        let entry = live.marker.entry().map_err(unreadable)?;
        let is_here = |marked_dir: &Path| {
            JournalPlace::compare(marked_dir, &live.resolved_dir()) == JournalPlace::Here
        };
        Ok(entry.filter(|entry| is_here(&entry.journal)).map(|entry| entry.event))
    }

    /// Returns true if the marker file can be written. Otherwise only the vault can contain a
    /// marker.
    pub fn is_marker_writable(&self) -> bool {
        self.live_journal().is_none_or(|live| live.marker.is_writable())
    }

    /// Stores the journal's directory in the vault, unless the vault already contains a marker.
    pub(super) async fn remember_in_vault(&self) {
        let Some(live) = self.live_journal() else { return };
        if let Ok(None) = self.vault.get_text(&live.marker.name_in_vault()).await {
            let _ = self.put_in_vault(live, &live.resolved_dir()).await;
        }
    }

    /// Makes the journal at this location the live one, at the user's request and even if the
    /// markers name another journal. If there is no journal here, deletes both markers, so that the
    /// next start creates a new journal.
    pub async fn make_live(&self) -> Result<(), JournalTrouble> {
        let Some(live) = self.live_journal() else { return Ok(()) };
        // Lock the previous live journal, so that no other process can continue to use it.
        let _lock = match self.liveness().await? {
            Liveness::Elsewhere(path) => journal_dir::lock_exclusive(&path)?,
            _ => None,
        };
        let (dir, resolved_dir) = (self.current_dir(), live.resolved_dir());
        if !money::journal_exists(&dir) {
            return self.delete_markers(live).await;
        }
        let event = ReadOnlyJournal::open(&dir)?.journal.last_event();
        self.put_in_vault(live, &resolved_dir).await?;
        live.marker.put(&MarkerEntry { journal: resolved_dir, event }).map_err(unreadable)
    }

    /// Deletes both markers of a journal that was moved aside because it was damaged. Fails if the
    /// markers name another journal.
    pub async fn delete_markers_of_set_aside(&self) -> Result<(), JournalTrouble> {
        let Some(live) = self.live_journal() else { return Ok(()) };
        let _lock = journal_dir::lock_exclusive(&live.dir())?;
        self.liveness().await?.check_unopened()?;
        self.delete_markers(live).await
    }

    async fn delete_markers(&self, live: &LiveJournal) -> Result<(), JournalTrouble> {
        ignore_missing_vault(self.vault.delete_marker(&live.marker.name_in_vault()).await)?;
        live.marker.forget().map_err(unreadable)
    }

    async fn put_in_vault(&self, live: &LiveJournal, dir: &Path) -> Result<(), JournalTrouble> {
        let dir = dir.display().to_string();
        ignore_missing_vault(self.vault.put_marker(&live.marker.name_in_vault(), &dir).await)
    }
}

/// Converts the result of changing a marker in the vault. A missing keyring counts as success,
/// because it contains no marker.
fn ignore_missing_vault(result: Result<(), VaultTrouble>) -> Result<(), JournalTrouble> {
    match result {
        Ok(()) | Err(VaultTrouble::Absent | VaultTrouble::Denied) => Ok(()),
        Err(trouble) => Err(JournalTrouble::MaybeMissing(trouble)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_journal_is_live_beside_a_marked_one() {
        use JournalPlace::{Elsewhere, Gone, Here};
        let places = [("/here", Here), ("/other", Elsewhere), ("/gone", Gone), ("/lost", Gone)];
        let place = |path: &Path| {
            places.iter().find(|(name, _)| Path::new(name) == path).expect("a place").1
        };
        let event = ChainLink { n: 7, sum: [7; 32] };
        let file = |name: &str| MarkerEntry { journal: name.into(), event };
        let files = places.iter().map(|(name, _)| Some(file(name))).chain([None]);
        for file_marker in files {
            let locked = || VaultMarker::Unknown(VaultTrouble::Locked);
            let vaults = places.iter().map(|(name, _)| VaultMarker::Names(name.into()));
            for vault_marker in vaults.chain([VaultMarker::Nothing, locked()]) {
                let liveness = combine_markers(file_marker.clone(), vault_marker.clone(), place);
                let file_path = file_marker.as_ref().map(|entry| &*entry.journal);
                let vault_path = match &vault_marker {
                    VaultMarker::Names(path) => Some(&**path),
                    _ => None,
                };
                let is_named =
                    |name: &str| [file_path, vault_path].contains(&Some(Path::new(name)));
                let case = format!("{file_marker:?} {vault_marker:?}: {liveness:?}");
                if is_named("/other") {
                    assert_eq!(liveness, Liveness::Elsewhere("/other".into()), "{case}");
                } else if vault_marker == locked() && file_path != Some(Path::new("/here")) {
                    assert_eq!(liveness, Liveness::Unknown(VaultTrouble::Locked), "{case}");
                } else if file_path.is_none() && vault_path.is_none() {
                    assert_eq!(liveness, Liveness::New, "{case}");
                } else if !is_named("/gone") && !is_named("/lost") {
                    let remembered = file_path.map(|_| event);
                    assert_eq!(liveness, Liveness::Live(remembered), "{case}");
                } else if file_path.is_none() {
                    assert_eq!(liveness, Liveness::Gone(None), "{case}");
                } else if vault_path
                    .is_none_or(|vault_path| Some(vault_path) == file_path || is_named("/here"))
                    && file_path != Some(Path::new("/here"))
                {
                    let remembered = file_path.map(|path| (path.to_owned(), event));
                    assert_eq!(liveness, Liveness::Gone(remembered), "{case}");
                } else {
                    let disagrees = Liveness::Elsewhere(vault_path.expect("a path").to_owned());
                    assert_eq!(liveness, disagrees, "{case}");
                }
            }
        }
    }
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
        assert_eq!(JournalPlace::compare(&at("link"), &at("one")), JournalPlace::Here);
        assert_eq!(JournalPlace::compare(&at("two"), &at("one")), JournalPlace::Elsewhere);
        assert_eq!(JournalPlace::compare(&at("three"), &at("one")), JournalPlace::Gone);
        // A path that cannot be examined may lead to another journal, so it counts as another
        // journal.
        assert_eq!(
            JournalPlace::compare(&at("one/money.db/journal"), &at("one")),
            JournalPlace::Elsewhere
        );
    }
}
