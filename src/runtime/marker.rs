//! The markers of the live journal: one for each user and machine, in the vault and in a file of
//! the configuration.
//!
//! Both name the directory of the live journal. A copy of that directory, an emptied one and
//! another state directory are found by them: no second journal begins beside the first. Only a
//! person's own word lets another journal take its place.
//!
//! A computer without a keyring would take an emptied state directory for a first start, and a copy
//! of the directory for the journal itself. The configuration is another directory, and is often
//! copied from machine to machine: each entry of the file names its machine, and the entries of
//! other machines are left alone.

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
use crate::journal::money::{self, ChainLink, Marker, MoneyJournal, ReadOnlyJournal, Sum};
use crate::journal::{OsDisk, home};
use crate::trade::{JournalTrouble, VaultTrouble};

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
    /// The file.
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

/// The marker in the vault.
#[derive(Debug, Clone, PartialEq, Eq)]
enum InVault {
    /// The vault names no journal, or there is no vault that could.
    Nothing,
    Names(PathBuf),
    /// The vault is locked or silent.
    Unknown(VaultTrouble),
}

/// The markers' word about the journal here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Liveness {
    /// No journal was ever remembered.
    New,
    /// This is the live journal; with the last event that is remembered of it.
    Live(Option<ChainLink>),
    /// The live journal was in this directory, in which there is none any more; this one is the
    /// same if it contains that event.
    Gone(Option<(PathBuf, ChainLink)>),
    /// Another journal is the live one.
    Elsewhere(PathBuf),
    /// The vault would have to tell, and does not.
    Unknown(VaultTrouble),
}

/// Judges both markers by what is found at the paths that they name.
fn judge(
    file: Option<MarkerEntry>,
    vault: InVault,
    standing: impl Fn(&Path) -> Standing,
) -> Liveness {
    use Standing::{Elsewhere, Gone, Here};
    let of_file = file.map(|entry| (standing(&entry.journal), entry));
    if let Some((Elsewhere, entry)) = of_file {
        return Liveness::Elsewhere(entry.journal);
    }
    let of_vault = match vault {
        InVault::Names(path) => match standing(&path) {
            Elsewhere => return Liveness::Elsewhere(path),
            standing => Some((standing, path)),
        },
        InVault::Unknown(trouble) => {
            return match of_file {
                Some((Here, entry)) => Liveness::Live(Some(entry.event)),
                _ => Liveness::Unknown(trouble),
            };
        }
        InVault::Nothing => None,
    };
    match (of_file, of_vault) {
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
        // The two disagree.
        (Some(_), Some((_, path))) => Liveness::Elsewhere(path),
    }
}

impl Liveness {
    /// Checks what the markers tell without the journal being read.
    pub fn check_unopened(&self) -> Result<(), JournalTrouble> {
        match self {
            Liveness::Elsewhere(_) | Liveness::Unknown(_) => self.check(None),
            Liveness::New | Liveness::Live(_) | Liveness::Gone(_) => Ok(()),
        }
    }

    /// Checks that a journal that was opened to be read is the live one; `None` is no journal.
    pub fn check(&self, journal: Option<&MoneyJournal>) -> Result<(), JournalTrouble> {
        match self {
            Liveness::New => Ok(()),
            Liveness::Elsewhere(path) => Err(JournalTrouble::Elsewhere(path.clone())),
            Liveness::Unknown(trouble) => Err(JournalTrouble::MaybeMissing(trouble.clone())),
            Liveness::Live(event) => {
                let journal = journal.ok_or(JournalTrouble::Missing)?;
                event.map_or(Ok(()), |event| journal.holds(&event))
            }
            Liveness::Gone(remembered) => {
                let (journal, (_, event)) =
                    journal.zip(remembered.as_ref()).ok_or(JournalTrouble::Missing)?;
                // Any journal contains what was remembered before the first event.
                if event.n == 0 {
                    return Err(JournalTrouble::Missing);
                }
                journal.holds(event).map_err(|_| JournalTrouble::Missing)
            }
        }
    }
}

impl JournalLocation {
    /// Reads both markers of the live journal, and judges them. No other journal has any.
    pub async fn liveness(&self) -> Result<Liveness, JournalTrouble> {
        let Some(live) = self.live_journal() else { return Ok(Liveness::New) };
        let file = live.marker.entry().map_err(unreadable)?;
        let vault = match self.vault.get_text(&live.marker.name_in_vault()).await {
            Ok(Some(path)) => InVault::Names(path.into()),
            // A machine without a keyring remembers nothing in it.
            Ok(None) | Err(VaultTrouble::Absent | VaultTrouble::Denied) => InVault::Nothing,
            Err(trouble) => InVault::Unknown(trouble),
        };
        let here = live.here();
        Ok(judge(file, vault, |named| Standing::of(named, &here)))
    }

    /// Opens the journal to write. None begins where there was one, or may have been one.
    pub(super) async fn open_marked(&self, dir: &Path) -> Result<MoneyJournal, JournalTrouble> {
        let liveness = self.liveness().await?;
        liveness.check_unopened()?;
        // A first start that was cut short leaves a database without a head.
        let is_expected = liveness != Liveness::New || money::has_head(dir);
        let mut journal = match self.is_temporary() {
            true => MoneyJournal::open_temporary(dir, is_expected)?,
            false => MoneyJournal::open(dir, OsDisk, is_expected)?,
        };
        let Some(live) = self.live_journal() else { return Ok(journal) };
        let here = live.here();
        let mut moved_from = None;
        if let Liveness::Gone(remembered) = &liveness {
            liveness.check(Some(&journal))?;
            // The vault first: the file alone would disagree with it.
            self.put_in_vault(live, &here).await?;
            moved_from = remembered.as_ref().map(|(path, _)| path.clone());
        }
        let file = live.marker.clone();
        journal.follow(Box::new(JournalMarker { file, journal: here, moved_from }))?;
        Ok(journal)
    }

    /// The last event that the configuration remembers of the journal here.
    pub fn remembered_event(&self) -> Result<Option<ChainLink>, JournalTrouble> {
        let Some(live) = self.live_journal() else { return Ok(None) };
        let entry = live.marker.entry().map_err(unreadable)?;
        let is_here = |named: &Path| Standing::of(named, &live.here()) == Standing::Here;
        Ok(entry.filter(|entry| is_here(&entry.journal)).map(|entry| entry.event))
    }

    /// Returns true if the configuration takes the marker; without it only the vault remembers.
    pub fn can_mark(&self) -> bool {
        self.live_journal().is_none_or(|live| live.marker.is_writable())
    }

    /// Stores the journal in the vault, unless the vault names one already.
    pub(super) async fn remember_in_vault(&self) {
        let Some(live) = self.live_journal() else { return };
        if let Ok(None) = self.vault.get_text(&live.marker.name_in_vault()).await {
            let _ = self.put_in_vault(live, &live.here()).await;
        }
    }

    /// Makes the journal here the live one by a person's word, whatever the markers named. Where
    /// there is no journal, both markers are deleted, and the next start begins one.
    pub async fn make_live(&self) -> Result<(), JournalTrouble> {
        let Some(live) = self.live_journal() else { return Ok(()) };
        // No window goes on with the other one.
        let _closed = match self.liveness().await? {
            Liveness::Elsewhere(path) => home::close(&path)?,
            _ => None,
        };
        let (dir, here) = (self.named_dir(), live.here());
        if !money::is_there(&dir) {
            return self.delete_markers(live).await;
        }
        let event = ReadOnlyJournal::open(&dir)?.journal.last();
        self.put_in_vault(live, &here).await?;
        live.marker.put(&MarkerEntry { journal: here, event }).map_err(unreadable)
    }

    /// Deletes both markers of a journal that was set aside; those of another one stay.
    pub async fn forget_set_aside(&self) -> Result<(), JournalTrouble> {
        let Some(live) = self.live_journal() else { return Ok(()) };
        let _closed = home::close(&live.dir())?;
        self.liveness().await?.check_unopened()?;
        self.delete_markers(live).await
    }

    async fn delete_markers(&self, live: &LiveJournal) -> Result<(), JournalTrouble> {
        vault_answer(self.vault.delete_marker(&live.marker.name_in_vault()).await)?;
        live.marker.forget().map_err(unreadable)
    }

    async fn put_in_vault(&self, live: &LiveJournal, here: &Path) -> Result<(), JournalTrouble> {
        let here = here.display().to_string();
        vault_answer(self.vault.put_marker(&live.marker.name_in_vault(), &here).await)
    }
}

/// A machine without a keyring keeps no marker in it.
fn vault_answer(answer: Result<(), VaultTrouble>) -> Result<(), JournalTrouble> {
    match answer {
        Ok(()) | Err(VaultTrouble::Absent | VaultTrouble::Denied) => Ok(()),
        Err(trouble) => Err(JournalTrouble::MaybeMissing(trouble)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_journal_is_live_beside_a_marked_one() {
        use Standing::{Elsewhere, Gone, Here};
        let places = [("/here", Here), ("/other", Elsewhere), ("/gone", Gone), ("/lost", Gone)];
        let standing = |path: &Path| {
            places.iter().find(|(name, _)| Path::new(name) == path).expect("a place").1
        };
        let event = ChainLink { n: 7, sum: [7; 32] };
        let file = |name: &str| MarkerEntry { journal: name.into(), event };
        let files = places.iter().map(|(name, _)| Some(file(name))).chain([None]);
        for in_file in files {
            let locked = || InVault::Unknown(VaultTrouble::Locked);
            let vaults = places.iter().map(|(name, _)| InVault::Names(name.into()));
            for in_vault in vaults.chain([InVault::Nothing, locked()]) {
                let liveness = judge(in_file.clone(), in_vault.clone(), standing);
                let named = in_file.as_ref().map(|entry| &*entry.journal);
                let vault = match &in_vault {
                    InVault::Names(path) => Some(&**path),
                    _ => None,
                };
                let names = |name: &str| [named, vault].contains(&Some(Path::new(name)));
                let case = format!("{in_file:?} {in_vault:?}: {liveness:?}");
                if names("/other") {
                    assert_eq!(liveness, Liveness::Elsewhere("/other".into()), "{case}");
                } else if in_vault == locked() && named != Some(Path::new("/here")) {
                    assert_eq!(liveness, Liveness::Unknown(VaultTrouble::Locked), "{case}");
                } else if named.is_none() && vault.is_none() {
                    assert_eq!(liveness, Liveness::New, "{case}");
                } else if !names("/gone") && !names("/lost") {
                    let remembered = named.map(|_| event);
                    assert_eq!(liveness, Liveness::Live(remembered), "{case}");
                } else if named.is_none() {
                    assert_eq!(liveness, Liveness::Gone(None), "{case}");
                } else if vault.is_none_or(|vault| Some(vault) == named || names("/here"))
                    && named != Some(Path::new("/here"))
                {
                    let remembered = named.map(|path| (path.to_owned(), event));
                    assert_eq!(liveness, Liveness::Gone(remembered), "{case}");
                } else {
                    let disagrees = Liveness::Elsewhere(vault.expect("a path").to_owned());
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
        assert_eq!(Standing::of(&at("link"), &at("one")), Standing::Here);
        assert_eq!(Standing::of(&at("two"), &at("one")), Standing::Elsewhere);
        assert_eq!(Standing::of(&at("three"), &at("one")), Standing::Gone);
        // What cannot be examined may be a journal.
        assert_eq!(Standing::of(&at("one/money.db/journal"), &at("one")), Standing::Elsewhere);
    }
}
