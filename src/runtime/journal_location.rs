//! Determines the directory of this run's journals. This is done once, before any journal is
//! opened.
//!
//! Each user of the machine has one live journal for real money, a mirror of the journal of each
//! team, and one sandbox journal for each sandbox address. A service at a loopback address gets a
//! sandbox journal only if it proves to be the sandbox.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::inbox::Inbox;
use super::marker::{self, MarkerFile};
use super::sandbox_secret;
use super::team::TeamMirror;
use super::watch::ChangeNotifier;
use crate::app::Msg;
use crate::config::Dirs;
use crate::journal::money::{Files, MoneyJournal};
use crate::journal::{LockGuard, journal_dir};
use crate::locked::Locked;
use crate::service::{BaseUrl, SandboxProof, ServiceKind};
use crate::trade::JournalTrouble;
use crate::trade::withdrawal::Window;
use crate::vault::VaultHandle;

/// The location of the journal of withdrawals. Markers outside the journal record which journal is
/// the live one.
pub struct JournalLocation {
    rule: LocationRule,
    /// The vault that contains the journal's marker. This is always the vault selected at startup,
    /// even after the user switches to keeping credentials in memory, because the marker stays in
    /// this vault. Its calls have a thread of their own, so that a send never waits for the marker
    /// when it reads its credential.
    pub(super) vault: VaultHandle,
    /// A lock that is taken when the journal is first opened. While it is held, no other journal
    /// can become the live one.
    live_lock: Locked<Option<LockGuard>>,
    /// Adds example withdrawals to the empty journal of a demo. `None` outside the demo.
    seed: Locked<Option<SeedWithdrawals>>,
}

enum LocationRule {
    /// The journal of a sandbox or a demo, or a journal that the user specified.
    Fixed(Files),
    Real(RealJournal),
    /// The sandbox journal if the service proves to be the sandbox; otherwise the real one.
    ByProof {
        proof: SandboxProof,
        sandbox: Files,
        real: RealJournal,
    },
}

/// A journal for real money.
pub enum RealJournal {
    Live(LiveJournal),
    Team(Box<TeamMirror>),
}

impl RealJournal {
    fn files(&self) -> Files {
        match self {
            RealJournal::Live(live) => Files::new(live.dir()),
            RealJournal::Team(mirror) => mirror.files().clone(),
        }
    }
}

/// The directories that contain the live journal and its marker file.
pub struct LiveJournal {
    state: PathBuf,
    pub(super) marker: MarkerFile,
}

impl LiveJournal {
    pub fn new(dirs: &Dirs) -> LiveJournal {
        LiveJournal::for_machine(dirs, &marker::machine_id())
    }

    /// The live journal in these directories. Its marker is stored under the machine's name.
    pub(super) fn for_machine(dirs: &Dirs, machine: &str) -> LiveJournal {
        let marker = MarkerFile::new(&dirs.config, machine);
        LiveJournal {
            state: dirs.state.clone(),
            marker,
        }
    }

    pub fn dir(&self) -> PathBuf {
        journal_dir::path_in(&self.state)
    }

    /// The journal's directory with symbolic links resolved. Markers store this path, so that a
    /// changed link is noticed.
    pub(super) fn resolved_dir(&self) -> PathBuf {
        self.dir()
            .canonicalize()
            .or_else(|_| {
                self.state
                    .canonicalize()
                    .map(|state| journal_dir::path_in(&state))
            })
            .unwrap_or_else(|_: io::Error| self.dir())
    }
}

/// A function that adds example withdrawals to the empty journal of a demo, just as the app adds
/// real ones.
pub type SeedWithdrawals = Box<dyn FnOnce(&Mutex<MoneyJournal>, &Window) + Send>;

impl JournalLocation {
    /// Sets the function that adds example withdrawals to an empty journal.
    pub fn set_seed(&self, seed: SeedWithdrawals) {
        *self.seed.lock() = Some(seed);
    }

    /// Adds the example withdrawals of the demo, if there are any and the opened journal is empty.
    pub(super) fn seed_if_empty(&self, journal: MoneyJournal, window: &Window) -> MoneyJournal {
        let seed = self.seed.lock().take();
        let is_empty = journal.trouble().is_none() && journal.events() == 0;
        let Some(seed) = seed.filter(|_| is_empty) else {
            return journal;
        };
        let journal = Mutex::new(journal);
        seed(&journal, window);
        journal.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn fixed(files: Files, vault: VaultHandle) -> JournalLocation {
        JournalLocation::new(LocationRule::Fixed(files), vault)
    }

    /// Removes the directory if it is temporary. All files in it must be closed before.
    pub(super) fn remove_temporary(&self) {
        let files = self.files();
        if files.is_temporary() {
            // Ignore errors, because the directory is removed when the program ends, too.
            let _ = std::fs::remove_dir_all(files.dir());
        }
    }

    pub fn live(live: LiveJournal, vault: VaultHandle) -> JournalLocation {
        JournalLocation::new(LocationRule::Real(RealJournal::Live(live)), vault)
    }

    /// The location of the journal for the service at this address. `team` is the mirror of the
    /// profile's team, if there is one.
    pub fn for_service(
        base: &BaseUrl,
        dirs: &Dirs,
        vault: VaultHandle,
        team: Option<TeamMirror>,
    ) -> JournalLocation {
        let real = match team {
            Some(mirror) => RealJournal::Team(Box::new(mirror)),
            None => RealJournal::Live(LiveJournal::new(dirs)),
        };
        if !base.is_loopback() {
            return JournalLocation::new(LocationRule::Real(real), vault);
        }
        let state = dirs.state.clone();
        let proof = SandboxProof::new(base, move || sandbox_secret::challenge(&state));
        let sandbox = Files::new(dirs.sandbox_journal(&base.origin().0));
        JournalLocation::new(
            LocationRule::ByProof {
                proof,
                sandbox,
                real,
            },
            vault,
        )
    }

    fn new(rule: LocationRule, vault: VaultHandle) -> JournalLocation {
        JournalLocation {
            rule,
            vault,
            live_lock: Locked::new(None),
            seed: Locked::new(None),
        }
    }

    /// The journal for real money, or `None` for a sandbox or a fixed directory. A service counts
    /// as live until it proves to be the sandbox.
    fn real_journal(&self) -> Option<&RealJournal> {
        match &self.rule {
            LocationRule::Fixed(_) => None,
            LocationRule::Real(real) => Some(real),
            LocationRule::ByProof { proof, real, .. } => {
                Some(real).filter(|_| proof.known_kind() != Some(ServiceKind::Sandbox))
            }
        }
    }

    /// The live journal, or `None` for a sandbox, a team or a fixed directory.
    pub(super) fn live_journal(&self) -> Option<&LiveJournal> {
        match self.real_journal()? {
            RealJournal::Live(live) => Some(live),
            RealJournal::Team(_) => None,
        }
    }

    /// The mirror of the team's journal, or `None` if the profile has no team.
    pub fn team_mirror(&self) -> Option<&TeamMirror> {
        match self.real_journal()? {
            RealJournal::Live(_) => None,
            RealJournal::Team(mirror) => Some(mirror),
        }
    }

    /// The journal's files, without asking the service for a proof. A service counts as live until
    /// it has proved to be the sandbox.
    pub fn files(&self) -> Files {
        match &self.rule {
            LocationRule::Fixed(files) => files.clone(),
            LocationRule::Real(real) => real.files(),
            LocationRule::ByProof { sandbox, .. } => self
                .real_journal()
                .map_or_else(|| sandbox.clone(), RealJournal::files),
        }
    }

    /// The directory of the sandbox's journal, if the service failed to prove that it is the
    /// sandbox.
    pub fn unproven_sandbox(&self) -> Option<&Path> {
        match &self.rule {
            LocationRule::ByProof { proof, sandbox, .. }
                if proof.known_kind() == Some(ServiceKind::Live) =>
            {
                Some(sandbox.dir())
            }
            _ => None,
        }
    }

    /// The files for reading the journal. If necessary, first asks the service to prove that it is
    /// the sandbox.
    pub async fn proven_files(&self) -> Files {
        self.prove().await;
        self.files()
    }

    /// The sandbox proof that the service must give, or `None` if no proof is needed.
    pub fn proof(&self) -> Option<SandboxProof> {
        match &self.rule {
            LocationRule::ByProof { proof, .. } => Some(proof.clone()),
            LocationRule::Fixed(_) | LocationRule::Real(_) => None,
        }
    }

    /// True if the service proves to be the sandbox. The proof is requested only once.
    pub(super) async fn is_sandbox(&self) -> bool {
        self.prove().await == Some(ServiceKind::Sandbox)
    }

    async fn prove(&self) -> Option<ServiceKind> {
        Some(self.proof()?.kind().await)
    }

    /// The files for opening the journal or the history.
    ///
    /// If the service must prove that it is the sandbox, first sends the result of the proof to the
    /// app.
    ///
    /// # Errors
    ///
    /// Fails if the state directory cannot be created, or if another process is just making another
    /// journal the live one.
    pub(super) async fn resolve(&self, inbox: &Inbox) -> Result<Files, JournalTrouble> {
        if let Some(kind) = self.prove().await {
            let journal = self.files().dir().display().to_string().into();
            inbox
                .send(Msg::Proven {
                    sandbox: kind == ServiceKind::Sandbox,
                    journal,
                })
                .await;
        }
        if let Some(live) = self.live_journal() {
            let mut live_lock = self.live_lock.lock();
            if live_lock.is_none() {
                *live_lock = Some(journal_dir::lock_shared(&live.state)?);
            }
        }
        Ok(self.files())
    }

    /// Opens the journal for writing. If that fails, opens it read-only, so that the app can show
    /// withdrawals whose outcome is unknown.
    ///
    /// `changes` is notified when the log of the team has new events.
    pub(super) async fn open(
        &self,
        inbox: &Inbox,
        changes: &Arc<ChangeNotifier>,
    ) -> Result<MoneyJournal, JournalTrouble> {
        use JournalTrouble::{MaybeMissing, Missing, OtherVersion};
        let opened = match (self.resolve(inbox).await, self.team_mirror()) {
            (Ok(_), Some(mirror)) => mirror.open(changes, &mut progress_reporter(inbox)).await,
            (Ok(files), None) => self.open_marked(files, inbox).await,
            (Err(trouble), _) => Err(trouble),
        };
        let trouble = match opened {
            Err(trouble) => trouble,
            opened => return opened,
        };
        let must_stay_closed = matches!(trouble, Missing | MaybeMissing(_) | OtherVersion { .. })
            || trouble.ends_with_make_live();
        if must_stay_closed || trouble.is_damage() {
            return Err(trouble);
        }
        let mut report = progress_reporter(inbox);
        match MoneyJournal::open_to_read_reporting(&self.files(), trouble.clone(), &mut report) {
            Ok(read_only) => Ok(read_only.journal),
            // Return the error from reading, because damage or an unknown version is worse than the
            // error from writing.
            Err(read_error)
                if read_error.is_damage()
                    || matches!(read_error, OtherVersion { .. })
                        && !matches!(trouble, JournalTrouble::Busy(_)) =>
            {
                Err(read_error)
            }
            Err(_) => Err(trouble),
        }
    }
}

/// A function that sends the progress of verifying the journal to the app.
pub(super) fn progress_reporter(inbox: &Inbox) -> impl FnMut(u8) {
    |percent| inbox.post(Msg::JournalVerifying { percent })
}

#[cfg(test)]
mod tests;
