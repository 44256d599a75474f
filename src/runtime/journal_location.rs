//! The location of this run's journal, settled once, before it or the history beside it is opened.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::inbox::Inbox;
use super::marker::{self, MarkerFile};
use super::sandbox_secret;
use crate::app::Msg;
use crate::config::Dirs;
use crate::journal::money::MoneyJournal;
use crate::journal::{LockGuard, home};
use crate::service::{BaseUrl, SandboxProof, ServiceKind};
use crate::trade::JournalTrouble;
use crate::trade::withdrawal::Window;
use crate::vault::VaultHandle;

/// The location of the money journal, with the markers that remember it.
pub struct JournalLocation {
    rule: LocationRule,
    /// Keeps a marker once there is a journal: a missing one is trouble then, never a fresh start.
    ///
    /// It is the vault the program was started with. Where the keyring is locked and tokens are
    /// kept in memory from now on, the keyring may still remember a journal.
    pub(super) vault: VaultHandle,
    /// Held from the first opening on: no other journal becomes the live one meanwhile.
    pinned: Mutex<Option<LockGuard>>,
    /// The past that an empty journal begins with; only in the demo.
    past: Mutex<Option<SeedWithdrawals>>,
}

enum LocationRule {
    /// A fixed directory: a sandbox's, or one that was named.
    Fixed(PathBuf),
    /// A demo's directory, which is removed when the program ends.
    Temporary(PathBuf),
    /// The one live journal of an OS user.
    Live(LiveJournal),
    /// A sandbox's directory if the service proves to be one, else the live journal's.
    ByProof { proof: SandboxProof, sandbox: PathBuf, live: LiveJournal },
}

/// The live journal, and its marker in the configuration.
pub struct LiveJournal {
    state: PathBuf,
    pub(super) marker: MarkerFile,
}

impl LiveJournal {
    /// The live journal of these directories.
    pub fn new(places: &Dirs) -> LiveJournal {
        LiveJournal::on_a_machine(places, &marker::machine())
    }

    /// The live journal of these directories on a machine of this name.
    pub(super) fn on_a_machine(places: &Dirs, machine: &str) -> LiveJournal {
        let marker = MarkerFile::new(&places.config, machine);
        LiveJournal { state: places.state.clone(), marker }
    }

    /// The live journal's directory.
    pub fn dir(&self) -> PathBuf {
        home::dir(&self.state)
    }

    /// The directory as markers name it: without links, so that a link that leads elsewhere by now
    /// is noticed.
    pub(super) fn here(&self) -> PathBuf {
        let of_state = |_| self.state.canonicalize().map(|state| home::dir(&state));
        self.dir().canonicalize().or_else(of_state).unwrap_or_else(|_: io::Error| self.dir())
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

    /// The location in a directory that is removed when the program ends.
    pub fn temporary(dir: &Path, vault: VaultHandle) -> JournalLocation {
        JournalLocation::new(LocationRule::Temporary(dir.to_owned()), vault)
    }

    /// Returns true when the directory is removed when the program ends.
    pub(super) fn is_temporary(&self) -> bool {
        matches!(self.rule, LocationRule::Temporary(_))
    }

    /// The location of the live journal.
    pub fn live(live: LiveJournal, vault: VaultHandle) -> JournalLocation {
        JournalLocation::new(LocationRule::Live(live), vault)
    }

    /// The location of the journal of the service at this address.
    pub fn for_service(base: &BaseUrl, places: &Dirs, vault: VaultHandle) -> JournalLocation {
        let live = LiveJournal::new(places);
        if !base.is_loopback() {
            return JournalLocation::live(live, vault);
        }
        let state = places.state.clone();
        let proof = SandboxProof::new(base, move || sandbox_secret::challenge(&state));
        let sandbox = places.sandbox_journal(&base.origin().0);
        JournalLocation::new(LocationRule::ByProof { proof, sandbox, live }, vault)
    }

    fn new(rule: LocationRule, vault: VaultHandle) -> JournalLocation {
        JournalLocation { rule, vault, pinned: Mutex::new(None), past: Mutex::new(None) }
    }

    /// The vault that may remember the journal.
    pub fn vault(&self) -> VaultHandle {
        self.vault.clone()
    }

    /// The live journal, if it is the one at this location as far as that is known: a service
    /// without a proof is live.
    pub(super) fn live_journal(&self) -> Option<&LiveJournal> {
        match &self.rule {
            LocationRule::Fixed(_) | LocationRule::Temporary(_) => None,
            LocationRule::Live(live) => Some(live),
            LocationRule::ByProof { proof, live, .. } => {
                Some(live).filter(|_| proof.known() != Some(ServiceKind::Sandbox))
            }
        }
    }

    /// The directory as far as it is known; nothing is proved.
    pub fn named_dir(&self) -> PathBuf {
        match &self.rule {
            LocationRule::Fixed(dir) | LocationRule::Temporary(dir) => dir.clone(),
            LocationRule::Live(live) => live.dir(),
            LocationRule::ByProof { sandbox, .. } => {
                self.live_journal().map_or_else(|| sandbox.clone(), LiveJournal::dir)
            }
        }
    }

    /// The directory of a sandbox that did not prove to be one.
    pub fn unproven(&self) -> Option<&Path> {
        match &self.rule {
            LocationRule::ByProof { proof, sandbox, .. }
                if proof.known() == Some(ServiceKind::Live) =>
            {
                Some(sandbox)
            }
            _ => None,
        }
    }

    /// The directory to read the journal from.
    pub async fn dir_to_read(&self) -> PathBuf {
        self.prove().await;
        self.named_dir()
    }

    /// Returns the proof of a service that may be the sandbox.
    pub(super) fn proof(&self) -> Option<SandboxProof> {
        match &self.rule {
            LocationRule::ByProof { proof, .. } => Some(proof.clone()),
            LocationRule::Fixed(_) | LocationRule::Temporary(_) | LocationRule::Live(_) => None,
        }
    }

    /// Returns true when the service proved to be the sandbox; it is asked once.
    pub(super) async fn is_of_sandbox(&self) -> bool {
        self.prove().await == Some(ServiceKind::Sandbox)
    }

    async fn prove(&self) -> Option<ServiceKind> {
        Some(self.proof()?.kind().await)
    }

    /// The directory to open the journal or the history in.
    ///
    /// A message tells the app first which kind the service proved to be.
    pub(super) async fn resolve(&self, inbox: &Inbox) -> Result<PathBuf, JournalTrouble> {
        if let Some(kind) = self.prove().await {
            let journal = self.named_dir().display().to_string().into();
            inbox.send(Msg::Proven { sandbox: kind == ServiceKind::Sandbox, journal }).await;
        }
        if let Some(live) = self.live_journal() {
            let mut pinned = self.pinned.lock().unwrap_or_else(PoisonError::into_inner);
            if pinned.is_none() {
                *pinned = Some(home::pin(&live.state)?);
            }
        }
        Ok(self.named_dir())
    }

    /// Opens the journal; for reading only where it cannot be written, to show what is open.
    pub(super) async fn open(&self, inbox: &Inbox) -> Result<MoneyJournal, JournalTrouble> {
        use JournalTrouble::{Elsewhere, MaybeMissing, Missing, OtherVersion};
        let opened = match self.resolve(inbox).await {
            Ok(dir) => self.open_marked(&dir).await,
            Err(trouble) => Err(trouble),
        };
        let trouble = match opened {
            Err(trouble) => trouble,
            opened => return opened,
        };
        let is_final =
            matches!(trouble, Missing | MaybeMissing(_) | OtherVersion { .. } | Elsewhere(_));
        if is_final || trouble.is_damage() {
            return Err(trouble);
        }
        match MoneyJournal::open_to_read(&self.named_dir(), trouble.clone()) {
            Ok(look) => Ok(look.journal),
            // Worse than that it cannot be written, and with another way out.
            Err(worse) if worse.is_damage() || matches!(worse, OtherVersion { .. }) => Err(worse),
            Err(_) => Err(trouble),
        }
    }
}

#[cfg(test)]
mod tests;
