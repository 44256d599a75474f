//! The location of this run's journal, settled once, before it or the history beside it is opened.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::inbox::Inbox;
use super::marker_file::{self, MarkerFile};
use super::proof::{self, ServiceKind, ServiceProof};
use crate::app::Msg;
use crate::config::Dirs;
use crate::journal::home::{self, Home, PinnedDir};
use crate::journal::money::MoneyJournal;
use crate::journal::{OsDisk, money};
use crate::service::BaseUrl;
use crate::trade::withdrawal::Window;
use crate::trade::{JournalTrouble, OtherJournal, Wall};
use crate::vault::VaultHandle;

/// The location of the money journal, with the markers that remember it.
pub struct JournalLocation {
    rule: LocationRule,
    /// Keeps a marker once there is a journal: a missing one is trouble then, never a fresh start.
    ///
    /// It is the vault the program was started with. Where the keyring is locked and tokens are
    /// kept in memory from now on, the keyring may still remember a journal.
    pub(super) vault: VaultHandle,
    state: Mutex<LocationState>,
    /// The past that an empty journal begins with; only in the demo.
    past: Mutex<Option<SeedWithdrawals>>,
}

enum LocationRule {
    /// A fixed directory: a demo's, a sandbox's, or one that was named.
    Fixed(PathBuf),
    /// The one live journal of an OS user.
    Live(LiveJournal),
    /// A sandbox's directory if the service proves to be one, else the live journal's.
    ByProof { proof: ServiceProof, sandbox: SandboxDirs, live: LiveJournal },
}

/// The directory of a sandbox's journal, and the one in which an earlier build kept it.
struct SandboxDirs {
    dir: PathBuf,
    earlier: PathBuf,
}

/// The location as far as it is known: a service without a proof is live.
enum ResolvedLocation<'a> {
    Fixed(&'a Path),
    Live(&'a LiveJournal),
}

/// The live journal, and its marker in the configuration.
pub struct LiveJournal {
    home: Home,
    marker: Option<MarkerFile>,
}

enum LocationState {
    Unsettled,
    Settled(PinnedDir),
    /// Another journal is taking the place.
    Moving,
}

impl LiveJournal {
    /// The live journal of these directories.
    ///
    /// `addresses` are the origins that the configuration names: an earlier build may have kept a
    /// journal for each, which is missing where it is gone. `unproven` is the origin of a sandbox
    /// without a proof.
    pub fn new(places: &Dirs, addresses: &[String], unproven: Option<&str>) -> LiveJournal {
        let mut earlier: Vec<PathBuf> =
            addresses.iter().map(|origin| places.earlier_journal(origin)).collect();
        earlier.extend(unproven.map(|origin| places.earlier_sandbox_journal(origin)));
        let home = Home { state: places.state.clone(), earlier, elsewhere: None };
        let machine = marker_file::machine();
        let marker = machine.map(|machine| MarkerFile::new(&places.config, &machine));
        LiveJournal { home, marker }
    }

    /// The live journal of these directories on a machine of this name.
    #[cfg(test)]
    pub(super) fn on_a_machine(places: &Dirs, machine: &str) -> LiveJournal {
        let live = LiveJournal::new(places, &[], None);
        LiveJournal { marker: Some(MarkerFile::new(&places.config, machine)), ..live }
    }

    /// The live journal's directory.
    pub fn dir(&self) -> PathBuf {
        self.home.dir()
    }

    /// The home, with the directory that the marker names where that is another one.
    fn home(&self) -> Home {
        let marked = self.marker.as_ref().and_then(|marker| marker.journal().ok().flatten());
        let elsewhere = marked.filter(|dir| *dir != self.home.dir() && money::is_there(dir));
        Home { elsewhere, ..self.home.clone() }
    }
}

/// The past of a demo: withdrawals that an empty journal begins with, by its own doors.
pub type SeedWithdrawals = Box<dyn FnOnce(&Mutex<MoneyJournal>, &Window) + Send>;

impl JournalLocation {
    /// The same, where a journal that has nothing in it yet begins with this past.
    pub fn beginning_with(self, past: SeedWithdrawals) -> JournalLocation {
        JournalLocation { past: Mutex::new(Some(past)), ..self }
    }

    /// Begins a journal that was just opened with its past, if it is empty and is to have one.
    pub(super) fn begin(&self, journal: MoneyJournal, window: &Window) -> MoneyJournal {
        let past = self.past.lock().unwrap_or_else(PoisonError::into_inner).take();
        let is_empty = journal.trouble().is_none() && journal.events() == 0;
        let Some(past) = past.filter(|_| is_empty) else { return journal };
        let journal = Mutex::new(journal);
        past(&journal, window);
        journal.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// The location in a fixed directory.
    pub fn fixed(dir: &Path, vault: VaultHandle) -> JournalLocation {
        JournalLocation::new(LocationRule::Fixed(dir.to_owned()), vault)
    }

    /// The location of the live journal.
    pub fn live(live: LiveJournal, vault: VaultHandle) -> JournalLocation {
        JournalLocation::new(LocationRule::Live(live), vault)
    }

    /// The location of the journal of the service at this address.
    ///
    /// `addresses` are the origins that the configuration names.
    pub fn for_service(
        base: &BaseUrl,
        places: &Dirs,
        addresses: &[String],
        vault: VaultHandle,
    ) -> JournalLocation {
        if !base.is_loopback() {
            return JournalLocation::live(LiveJournal::new(places, addresses, None), vault);
        }
        let origin = &base.origin().0;
        let proof = ServiceProof::new(base.clone(), places.state.clone(), proof::LIMIT);
        let live = LiveJournal::new(places, addresses, Some(origin));
        let (dir, earlier) =
            (places.sandbox_journal(origin), places.earlier_sandbox_journal(origin));
        let sandbox = SandboxDirs { dir, earlier };
        JournalLocation::new(LocationRule::ByProof { proof, sandbox, live }, vault)
    }

    fn new(rule: LocationRule, vault: VaultHandle) -> JournalLocation {
        let state = Mutex::new(LocationState::Unsettled);
        JournalLocation { rule, vault, state, past: Mutex::new(None) }
    }

    /// The vault that may remember the journal.
    pub fn vault(&self) -> VaultHandle {
        self.vault.clone()
    }

    fn resolved(&self) -> ResolvedLocation<'_> {
        match &self.rule {
            LocationRule::Fixed(dir) => ResolvedLocation::Fixed(dir),
            LocationRule::Live(live) => ResolvedLocation::Live(live),
            LocationRule::ByProof { proof, sandbox, live } => match proof.known() {
                Some(ServiceKind::Sandbox) => ResolvedLocation::Fixed(&sandbox.dir),
                Some(ServiceKind::Live) | None => ResolvedLocation::Live(live),
            },
        }
    }

    /// The directory as far as it is known; nothing is proved, looked for or moved.
    pub fn named_dir(&self) -> PathBuf {
        match self.resolved() {
            ResolvedLocation::Fixed(dir) => dir.to_owned(),
            ResolvedLocation::Live(live) => live.dir(),
        }
    }

    /// The directory of a sandbox that did not prove to be one.
    pub fn unproven(&self) -> Option<&Path> {
        match &self.rule {
            LocationRule::ByProof { proof, sandbox, .. }
                if proof.known() == Some(ServiceKind::Live) =>
            {
                Some(&sandbox.dir)
            }
            _ => None,
        }
    }

    /// The directory to read the journal from; nothing is moved for a reader.
    pub async fn dir_to_read(&self, now: Wall) -> Result<PathBuf, JournalTrouble> {
        self.prove().await;
        match self.resolved() {
            ResolvedLocation::Fixed(dir) => Ok(dir.to_owned()),
            ResolvedLocation::Live(live) => live.home().dir_to_read(now),
        }
    }

    /// Returns true when the service proved to be the sandbox; it is asked once.
    pub(super) async fn is_of_sandbox(&self) -> bool {
        self.prove().await == Some(ServiceKind::Sandbox)
    }

    async fn prove(&self) -> Option<ServiceKind> {
        match &self.rule {
            LocationRule::ByProof { proof, .. } => Some(proof.kind().await),
            LocationRule::Fixed(_) | LocationRule::Live(_) => None,
        }
    }

    /// The directory to open the journal or the history in: settled by the first call, and held
    /// from then on.
    ///
    /// A message tells the app first which kind the service proved to be.
    pub(super) async fn resolve(
        &self,
        now: Wall,
        inbox: &Inbox,
    ) -> Result<PathBuf, JournalTrouble> {
        if let Some(kind) = self.prove().await {
            let journal = self.named_dir().display().to_string().into();
            inbox.send(Msg::Proven { sandbox: kind == ServiceKind::Sandbox, journal }).await;
        }
        self.dir(now)
    }

    /// The directory to open them in, once the service has proved its kind.
    fn dir(&self, now: Wall) -> Result<PathBuf, JournalTrouble> {
        if let (LocationRule::ByProof { sandbox, .. }, ResolvedLocation::Fixed(_)) =
            (&self.rule, self.resolved())
        {
            home::take_over(&sandbox.earlier, &sandbox.dir)?;
        }
        let live = match self.resolved() {
            ResolvedLocation::Fixed(dir) => return Ok(dir.to_owned()),
            ResolvedLocation::Live(live) => live,
        };
        let mut state = self.state();
        if let LocationState::Unsettled = *state {
            *state = LocationState::Settled(live.home().pin(now)?);
        }
        match &*state {
            LocationState::Settled(settled) => Ok(settled.dir.clone()),
            LocationState::Unsettled | LocationState::Moving => {
                Err(JournalTrouble::Busy("another journal is taking its place".into()))
            }
        }
    }

    /// The journals beside the live one that block new withdrawals.
    pub(super) fn blocking_journals(&self, now: Wall) -> Vec<OtherJournal> {
        match self.resolved() {
            ResolvedLocation::Fixed(_) => Vec::new(),
            ResolvedLocation::Live(live) => {
                let others = live.home().others(now).into_iter();
                others.filter(OtherJournal::holds_back).collect()
            }
        }
    }

    /// Opens nothing from now on, until another journal has taken the place.
    pub(super) fn begin_move(&self) {
        *self.state() = LocationState::Moving;
    }

    /// Puts another journal into the place, of which nothing may be open.
    pub(super) fn pick(&self, dir: &Path, now: Wall) -> Result<(), JournalTrouble> {
        let mut state = self.state();
        *state = LocationState::Unsettled;
        match self.resolved() {
            ResolvedLocation::Fixed(_) => Err(JournalTrouble::Missing),
            ResolvedLocation::Live(live) => {
                live.home().pick(dir, now)?;
                // Should that fail, the next withdrawal tries it again.
                let _ = self.remember();
                Ok(())
            }
        }
    }

    /// Opens the journal; for reading only where it cannot be written, to show what is open.
    pub(super) async fn open(
        &self,
        now: Wall,
        inbox: &Inbox,
    ) -> Result<MoneyJournal, JournalTrouble> {
        let trouble = match self.open_to_write(now, inbox).await {
            Err(trouble) => trouble,
            opened => return opened,
        };
        use JournalTrouble::{Damaged, MaybeMissing, Missing, Newer, Several};
        if matches!(trouble, Damaged(_) | Missing | MaybeMissing(_) | Newer { .. } | Several(_)) {
            return Err(trouble);
        }
        match MoneyJournal::open_to_read(&self.named_dir(), trouble.clone()) {
            Ok(look) => Ok(look.journal),
            // Worse than that it cannot be written, and with another way out.
            Err(worse @ (Damaged(_) | Newer { .. })) => Err(worse),
            Err(_) => Err(trouble),
        }
    }

    /// Opens the journal to write; begins none while it is unknown whether there was one.
    async fn open_to_write(
        &self,
        now: Wall,
        inbox: &Inbox,
    ) -> Result<MoneyJournal, JournalTrouble> {
        let dir = self.resolve(now, inbox).await?;
        let expected = self.is_expected(&dir).await?;
        MoneyJournal::open(&dir, OsDisk, expected)
    }

    /// The names under which a vault remembers the journal, those of earlier builds too.
    pub(super) fn names(&self) -> Vec<String> {
        let earlier = match self.resolved() {
            ResolvedLocation::Fixed(_) => &[][..],
            ResolvedLocation::Live(live) => &live.home.earlier,
        };
        let dirs = std::iter::once(self.named_dir()).chain(earlier.iter().cloned());
        dirs.map(|dir| format!("journal {}", dir.display())).collect()
    }

    /// Returns true if the configuration names a live journal of this machine.
    pub(super) fn is_in_marker_file(&self) -> io::Result<bool> {
        Ok(match self.marker_file() {
            Some(marker) => marker.journal()?.is_some(),
            None => false,
        })
    }

    /// Adds the journal to the configuration, before anything is written in it.
    pub(super) fn remember(&self) -> io::Result<()> {
        self.marker_file().map_or(Ok(()), |marker| marker.put(&self.named_dir()))
    }

    /// Deletes the journal from the configuration.
    pub(super) fn forget_in_marker_file(&self) -> io::Result<()> {
        self.marker_file().map_or(Ok(()), MarkerFile::forget)
    }

    fn marker_file(&self) -> Option<&MarkerFile> {
        match self.resolved() {
            ResolvedLocation::Fixed(_) => None,
            ResolvedLocation::Live(live) => live.marker.as_ref(),
        }
    }

    fn state(&self) -> MutexGuard<'_, LocationState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
