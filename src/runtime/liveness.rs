//! Whether the journal that is being opened is the live one, according to its markers and to
//! `money.machine` beside it.

use std::path::{Path, PathBuf};

use tokio::sync::watch;

use super::inbox::Inbox;
use super::journal_location::{JournalLocation, LiveJournal, progress_reporter};
use super::marker::{JournalMarker, JournalPlace, MarkerEntry, VaultEntry, unreadable};
use crate::journal::journal_dir;
use crate::journal::money::{ChainLink, EventLookup, Files, MoneyJournal, ReadOnlyJournal};
use crate::trade::{JournalTrouble, VaultTrouble};

/// The marker that is stored in the vault.
#[derive(Debug, Clone, PartialEq, Eq)]
enum VaultMarker {
    /// No vault can be used, or its entries do not last.
    NoVault,
    /// The vault contains no marker.
    Nothing,
    Names(VaultEntry),
    /// The vault is locked or does not respond, so its marker is unknown.
    Unknown(VaultTrouble),
}

/// The conclusion from both markers.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Markers {
    /// No marker exists, so there is no live journal yet. A journal that contains events has lost
    /// its markers.
    New,
    /// No marker exists, because neither the vault nor the configuration directory can hold one.
    Unmarkable,
    /// The journal being opened is the live one. The value contains the events of this journal that
    /// the markers recorded.
    Live(Vec<ChainLink>),
    /// The markers name a directory that no longer contains a journal.
    Gone(Option<MovedJournal>),
    /// The live journal is in this other directory.
    Elsewhere(PathBuf),
    /// The marker in the vault is needed, but the vault cannot be read.
    Unknown(VaultTrouble),
}

/// The marker of a journal that may have been moved. If the journal being opened contains the
/// recorded events, it was moved here.
#[derive(Debug, Clone, PartialEq, Eq)]
struct MovedJournal {
    /// The entry in the marker file. Its event is the last one, while the vault's may be older.
    file: MarkerEntry,
    in_vault: Option<ChainLink>,
}

/// Whether the journal that is being opened is the live one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Liveness {
    markers: Markers,
    /// True if the journal was last in use on another machine.
    is_of_other_machine: bool,
    /// True if the configuration directory or the vault can hold a marker.
    pub can_be_marked: bool,
}

/// Combines the marker file with the marker in the vault. `place` compares a marker's path with the
/// journal that is being opened.
fn combine_markers(
    file: Option<MarkerEntry>,
    vault: VaultMarker,
    place: impl Fn(&Path) -> JournalPlace,
) -> Markers {
    use JournalPlace::{Elsewhere, Gone, Here};
    let file_marker = file.map(|entry| (place(&entry.journal), entry));
    if let Some((Elsewhere, entry)) = file_marker {
        return Markers::Elsewhere(entry.journal);
    }
    let vault_marker = match vault {
        VaultMarker::Names(entry) => match place(&entry.journal) {
            Elsewhere => return Markers::Elsewhere(entry.journal),
            place => Some((place, entry)),
        },
        VaultMarker::Unknown(trouble) => {
            return match file_marker {
                Some((Here, entry)) => Markers::Live(vec![entry.event]),
                _ => Markers::Unknown(trouble),
            };
        }
        VaultMarker::Nothing | VaultMarker::NoVault => None,
    };
    let in_vault = vault_marker.as_ref().and_then(|(_, entry)| entry.event);
    match (file_marker, vault_marker) {
        (None, None) => Markers::New,
        (None, Some((Here, _))) => Markers::Live(in_vault.into_iter().collect()),
        // The vault's event may be older than the journal's last one, so it cannot show that a
        // journal in another directory is the whole one.
        (None, Some(_)) => Markers::Gone(None),
        (Some((Here, file)), None | Some((Here, _))) => {
            Markers::Live([file.event].into_iter().chain(in_vault).collect())
        }
        (Some((_, file)), None | Some((Here, _))) => {
            Markers::Gone(Some(MovedJournal { file, in_vault }))
        }
        (Some((Gone, file)), Some((_, entry))) if file.journal == entry.journal => {
            Markers::Gone(Some(MovedJournal { file, in_vault }))
        }
        // The marker file and the vault name different directories.
        (Some(_), Some((_, entry))) => Markers::Elsewhere(entry.journal),
    }
}

impl Markers {
    /// Like [`Liveness::check`], but compares the journal only with its markers.
    fn check(&self, journal: Option<&dyn EventLookup>) -> Result<(), JournalTrouble> {
        match self {
            Markers::New => {
                let contents = journal.map(EventLookup::contents);
                match contents.filter(|contents| contents.withdrawals > 0) {
                    Some(contents) => Err(JournalTrouble::Unmarked(contents)),
                    None => Ok(()),
                }
            }
            Markers::Unmarkable => Ok(()),
            Markers::Elsewhere(path) => Err(JournalTrouble::Elsewhere(path.clone())),
            Markers::Unknown(trouble) => Err(JournalTrouble::MaybeMissing(trouble.clone())),
            Markers::Live(events) => journal
                .ok_or(JournalTrouble::Missing)?
                .check_contains_all(events),
            Markers::Gone(moved) => {
                let (journal, moved) =
                    journal.zip(moved.as_ref()).ok_or(JournalTrouble::Missing)?;
                // Event 0 is the same in every journal, so it cannot show that this journal is the
                // live one.
                if moved.file.event.n == 0 {
                    return Err(JournalTrouble::Missing);
                }
                let events: Vec<_> = [moved.file.event]
                    .into_iter()
                    .chain(moved.in_vault)
                    .collect();
                journal
                    .check_contains_all(&events)
                    .map_err(|_| JournalTrouble::Missing)
            }
        }
    }
}

impl Liveness {
    /// An error if the markers alone show that the journal must not be used. In this case, the
    /// journal need not be read.
    pub fn check_unopened(&self) -> Result<(), JournalTrouble> {
        match &self.markers {
            Markers::Elsewhere(_) | Markers::Unknown(_) => self.markers.check(None),
            Markers::New | Markers::Unmarkable | Markers::Live(_) | Markers::Gone(_) => Ok(()),
        }
    }

    /// An error unless `journal` is the live one. `None` means that the directory contains no
    /// journal.
    pub fn check(&self, journal: Option<&dyn EventLookup>) -> Result<(), JournalTrouble> {
        let result = self.markers.check(journal);
        match journal {
            // A copy of another machine's journal usually has no marker on this machine. A copy
            // without events needs no question, because nothing in it can be paid twice.
            Some(journal)
                if self.is_of_other_machine
                    && journal.contents().withdrawals > 0
                    && matches!(result, Ok(()) | Err(JournalTrouble::Unmarked(_))) =>
            {
                Err(JournalTrouble::OtherMachine(journal.contents()))
            }
            _ => result,
        }
    }
}

impl JournalLocation {
    /// Reads and combines both markers of the live journal, and the name of its machine. A sandbox
    /// journal has neither.
    pub async fn liveness(&self) -> Result<Liveness, JournalTrouble> {
        let Some(live) = self.live_journal() else {
            let markers = Markers::Unmarkable;
            return Ok(Liveness {
                markers,
                is_of_other_machine: false,
                can_be_marked: true,
            });
        };
        let file = live.marker.entry().map_err(unreadable)?;
        let vault = self.read_vault_marker(live).await;
        let can_be_marked = vault != VaultMarker::NoVault || live.marker.is_writable();
        let opened_dir = live.resolved_dir();
        let markers = combine_markers(file, vault, |marked_dir| {
            JournalPlace::compare(marked_dir, &opened_dir)
        });
        let markers = match markers {
            Markers::New if !can_be_marked => Markers::Unmarkable,
            markers => markers,
        };
        let is_of_other_machine = self.files().names_other_machine(live.marker.machine())?;
        Ok(Liveness {
            markers,
            is_of_other_machine,
            can_be_marked,
        })
    }

    async fn read_vault_marker(&self, live: &LiveJournal) -> VaultMarker {
        match self.vault.get_text(&live.marker.name_in_vault()).await {
            Ok(Some(text)) => VaultMarker::Names(VaultEntry::parse(&text)),
            Ok(None) if self.vault.kind().outlives_the_session() => VaultMarker::Nothing,
            Ok(None) | Err(VaultTrouble::Absent | VaultTrouble::Denied) => VaultMarker::NoVault,
            Err(trouble) => VaultMarker::Unknown(trouble),
        }
    }

    /// Opens the journal for writing. Creates a new journal only if neither a marker nor a file
    /// shows that there was an earlier one. While a long journal is verified, sends the progress to
    /// the app.
    pub(super) async fn open_marked(
        &self,
        files: Files,
        inbox: &Inbox,
    ) -> Result<MoneyJournal, JournalTrouble> {
        let liveness = self.liveness().await?;
        liveness.check_unopened()?;
        // An empty database without `money.head` is an interrupted first start. In this case a new
        // journal may be created.
        let may_be_new = matches!(liveness.markers, Markers::New | Markers::Unmarkable);
        let is_expected = !may_be_new || files.has_head();
        let mut report = progress_reporter(inbox);
        let mut journal = MoneyJournal::open_reporting(files.clone(), is_expected, &mut report)?;
        let Some(live) = self.live_journal() else {
            return Ok(journal);
        };
        liveness.check(Some(&journal))?;
        files.record_machine(live.marker.machine())?;
        let resolved_dir = live.resolved_dir();
        let mut moved_from = None;
        if let Markers::Gone(moved) = liveness.markers {
            // Write the vault's marker before the marker file. If the program stopped after writing
            // only the file, the next start would refuse this journal.
            self.put_in_vault(live, &resolved_dir, journal.last_event())
                .await?;
            moved_from = moved.map(|moved| moved.file.journal);
        }
        let file = live.marker.clone();
        journal.attach_marker(Box::new(JournalMarker {
            file,
            journal: resolved_dir,
            moved_from,
        }))?;
        Ok(journal)
    }

    /// The events that the markers recorded for the journal at this location.
    pub async fn marked_events(&self) -> Result<Vec<ChainLink>, JournalTrouble> {
        match self.liveness().await?.markers {
            Markers::Live(events) => Ok(events),
            _ => Ok(Vec::new()),
        }
    }

    /// Stores each value of `last_event` in the vault's marker, until the sender is dropped.
    ///
    /// The money thread sends the values but never waits for this task or for the vault. While the
    /// vault is slow, newer values replace waiting ones, so its marker may name an older event of
    /// the journal.
    pub(super) async fn follow_in_vault(&self, mut last_event: watch::Receiver<ChainLink>) {
        let Some(live) = self.live_journal() else {
            return;
        };
        loop {
            let event = *last_event.borrow_and_update();
            // An empty journal needs no marker. But if only the vault can hold one, store it now: a
            // journal with events and without a marker would be refused at the next start.
            let needs_marker = event.n > 0 || !live.marker.is_writable();
            if needs_marker
                && self.is_vault_marker_older(live, &event).await
                && self
                    .put_in_vault(live, &live.resolved_dir(), event)
                    .await
                    .is_err()
            {
                // Stop after a failure, because a locked keyring may show a prompt each time.
                return;
            }
            if last_event.changed().await.is_err() {
                return;
            }
        }
    }

    /// True if the vault contains no marker, or an older marker of the journal at this location.
    /// Returns false if its marker names another journal or cannot be read.
    async fn is_vault_marker_older(&self, live: &LiveJournal, event: &ChainLink) -> bool {
        match self.read_vault_marker(live).await {
            VaultMarker::Nothing | VaultMarker::NoVault => true,
            VaultMarker::Names(entry) => {
                let place = JournalPlace::compare(&entry.journal, &live.resolved_dir());
                place == JournalPlace::Here && entry.event.is_none_or(|known| known.n < event.n)
            }
            VaultMarker::Unknown(_) => false,
        }
    }

    /// Makes the journal at this location the live one on this machine, at the user's request and
    /// even if the markers name another journal. If there is no journal here, deletes both markers,
    /// so that the next start creates a new journal.
    pub async fn make_live(&self) -> Result<(), JournalTrouble> {
        let Some(live) = self.live_journal() else {
            return Ok(());
        };
        let markers = self.liveness().await?.markers;
        // Lock the previous live journal, so that no other process can continue to use it.
        let _lock = match &markers {
            Markers::Elsewhere(path) => journal_dir::lock_exclusive(path)?,
            _ => None,
        };
        let files = self.files();
        if !files.journal_exists() {
            return self.delete_markers(live).await;
        }
        let resolved_dir = live.resolved_dir();
        let event = ReadOnlyJournal::open(&files)?.journal.last_event();
        // Name the machine last, because a journal with both markers but with another machine's
        // name is still refused.
        self.put_in_vault(live, &resolved_dir, event).await?;
        if markers != Markers::Unmarkable {
            live.marker
                .put(&MarkerEntry {
                    journal: resolved_dir,
                    event,
                })
                .map_err(unreadable)?;
        }
        files.record_machine(live.marker.machine())
    }

    /// Deletes both markers of a journal that was moved aside because it was damaged. Fails if the
    /// markers name another journal.
    pub async fn delete_markers_of_set_aside(&self) -> Result<(), JournalTrouble> {
        let Some(live) = self.live_journal() else {
            return Ok(());
        };
        let _lock = journal_dir::lock_exclusive(&live.dir())?;
        self.liveness().await?.check_unopened()?;
        self.delete_markers(live).await
    }

    async fn delete_markers(&self, live: &LiveJournal) -> Result<(), JournalTrouble> {
        ignore_missing_vault(self.vault.delete_marker(&live.marker.name_in_vault()).await)?;
        live.marker.forget().map_err(unreadable)
    }

    async fn put_in_vault(
        &self,
        live: &LiveJournal,
        dir: &Path,
        event: ChainLink,
    ) -> Result<(), JournalTrouble> {
        let text = VaultEntry {
            journal: dir.to_owned(),
            event: Some(event),
        }
        .to_text();
        ignore_missing_vault(
            self.vault
                .put_marker(&live.marker.name_in_vault(), &text)
                .await,
        )
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
        let places = [
            ("/here", Here),
            ("/other", Elsewhere),
            ("/gone", Gone),
            ("/lost", Gone),
        ];
        let place = |path: &Path| {
            places
                .iter()
                .find(|(name, _)| Path::new(name) == path)
                .expect("a place")
                .1
        };
        let [event, in_vault] = [7, 5].map(|n| ChainLink {
            n,
            sum: [n as u8; 32],
        });
        let file = |name: &str| MarkerEntry {
            journal: name.into(),
            event,
        };
        let vault_entry = |name: &str, event| VaultEntry {
            journal: name.into(),
            event,
        };
        let files = places
            .iter()
            .map(|(name, _)| Some(file(name)))
            .chain([None]);
        for file_marker in files {
            let locked = || VaultMarker::Unknown(VaultTrouble::Locked);
            let vaults = places.iter().flat_map(|(name, _)| {
                [None, Some(in_vault)].map(|event| VaultMarker::Names(vault_entry(name, event)))
            });
            for vault_marker in vaults.chain([VaultMarker::Nothing, VaultMarker::NoVault, locked()])
            {
                let markers = combine_markers(file_marker.clone(), vault_marker.clone(), place);
                let file_path = file_marker.as_ref().map(|entry| &*entry.journal);
                let (vault_path, in_vault) = match &vault_marker {
                    VaultMarker::Names(entry) => (Some(&*entry.journal), entry.event),
                    _ => (None, None),
                };
                let is_named =
                    |name: &str| [file_path, vault_path].contains(&Some(Path::new(name)));
                let case = format!("{file_marker:?} {vault_marker:?}: {markers:?}");
                if is_named("/other") {
                    assert_eq!(markers, Markers::Elsewhere("/other".into()), "{case}");
                } else if vault_marker == locked() && file_path != Some(Path::new("/here")) {
                    assert_eq!(markers, Markers::Unknown(VaultTrouble::Locked), "{case}");
                } else if file_path.is_none() && vault_path.is_none() {
                    assert_eq!(markers, Markers::New, "{case}");
                } else if !is_named("/gone") && !is_named("/lost") {
                    let events = file_path
                        .map(|_| event)
                        .into_iter()
                        .chain(in_vault)
                        .collect();
                    assert_eq!(markers, Markers::Live(events), "{case}");
                } else if file_path.is_none() {
                    assert_eq!(markers, Markers::Gone(None), "{case}");
                } else if vault_path
                    .is_none_or(|vault_path| Some(vault_path) == file_path || is_named("/here"))
                    && file_path != Some(Path::new("/here"))
                {
                    let file = file_marker.clone().expect("a path");
                    let moved = MovedJournal { file, in_vault };
                    assert_eq!(markers, Markers::Gone(Some(moved)), "{case}");
                } else {
                    let disagrees = Markers::Elsewhere(vault_path.expect("a path").to_owned());
                    assert_eq!(markers, disagrees, "{case}");
                }
            }
        }
    }
}
