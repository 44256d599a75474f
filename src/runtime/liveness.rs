//! Whether the journal that is being opened is the live one, according to its markers.

use std::path::{Path, PathBuf};

use super::journal_location::{JournalLocation, LiveJournal};
use super::marker::{JournalMarker, JournalPlace, MarkerEntry, unreadable};
use crate::journal::money::{self, ChainLink, MoneyJournal, ReadOnlyJournal};
use crate::journal::{OsDisk, journal_dir};
use crate::trade::{JournalTrouble, VaultTrouble};

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
}
