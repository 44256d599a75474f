//! The markers of the live journal: one for each user and machine, in the vault and in the
//! configuration.
//!
//! Both name the directory of the live journal. A copy of that directory, an emptied one and
//! another state directory are found by them: no second journal begins beside the first. Only a
//! person's own word lets another journal take its place.

use std::path::{Path, PathBuf};

use super::journal_location::{JournalLocation, LiveJournal};
use super::marker_file::{JournalMarker, MarkerEntry, Standing, unreadable};
use crate::journal::money::{self, ChainLink, MoneyJournal, ReadOnlyJournal};
use crate::journal::{OsDisk, home};
use crate::trade::{JournalTrouble, VaultTrouble};

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
}
