//! Where the journal of this run is, settled once, before it or the history beside it is opened.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::marker_file::{self, MarkerFile};
use super::proof::{self, Kind, Proof};
use super::world::Inbox;
use crate::app::Msg;
use crate::config::Dirs;
use crate::journal::home::{self, Home, PinnedDir};
use crate::journal::money::MoneyJournal;
use crate::journal::{OsDisk, money};
use crate::service::BaseUrl;
use crate::trade::{JournalTrouble, OtherJournal, Wall};
use crate::vault::VaultHandle;

/// Where the money journal is, and who remembers that there was one.
pub struct Place {
    ground: Ground,
    /// Keeps a marker once there is a journal: a missing one is trouble then, never a fresh start.
    ///
    /// It is the vault the program was started with. Whoever keeps a token in memory from now on,
    /// because the keyring is locked, has not said that there never was a journal.
    pub(super) vault: VaultHandle,
    state: Mutex<State>,
}

enum Ground {
    /// A directory of its own: a demo's, a sandbox's, or one that was named.
    Own(PathBuf),
    /// The one live journal of an OS user.
    Live(Live),
    /// The one of the two that the service's kind decides.
    Proven { proof: Proof, sandbox: Sandbox, live: Live },
}

/// The journal of a sandbox, and where an earlier build kept it.
struct Sandbox {
    dir: PathBuf,
    earlier: PathBuf,
}

/// The ground as far as it is known: what was not proved is live.
enum Known<'a> {
    Own(&'a Path),
    Live(&'a Live),
}

/// The live journal, and what may remember it.
pub struct Live {
    home: Home,
    marker: Option<MarkerFile>,
}

enum State {
    Unsettled,
    Settled(PinnedDir),
    /// Another journal is taking the place.
    Moving,
}

impl Live {
    /// The live journal of these places.
    ///
    /// `addresses` are the origins that the configuration names: what an earlier build kept for
    /// one of them, and is gone, is missing now. `unproven` is the sandbox that is none.
    pub fn new(places: &Dirs, addresses: &[String], unproven: Option<&str>) -> Live {
        let mut earlier: Vec<PathBuf> =
            addresses.iter().map(|origin| places.earlier_journal(origin)).collect();
        earlier.extend(unproven.map(|origin| places.earlier_sandbox_journal(origin)));
        let home = Home { state: places.state.clone(), earlier, elsewhere: None };
        let machine = marker_file::machine();
        let marker = machine.map(|machine| MarkerFile::new(&places.config, &machine));
        Live { home, marker }
    }

    /// The live journal of these places on a machine of this name.
    #[cfg(test)]
    pub(super) fn on_a_machine(places: &Dirs, machine: &str) -> Live {
        let live = Live::new(places, &[], None);
        Live { marker: Some(MarkerFile::new(&places.config, machine)), ..live }
    }

    /// The live journal's directory.
    pub fn dir(&self) -> PathBuf {
        self.home.dir()
    }

    /// The home, with the place that the marker names where that is another one.
    fn home(&self) -> Home {
        let marked = self.marker.as_ref().and_then(|marker| marker.journal().ok().flatten());
        let elsewhere = marked.filter(|dir| *dir != self.home.dir() && money::is_there(dir));
        Home { elsewhere, ..self.home.clone() }
    }
}

impl Place {
    /// A place in a directory of its own.
    pub fn at(dir: &Path, vault: VaultHandle) -> Place {
        Place::new(Ground::Own(dir.to_owned()), vault)
    }

    /// The place of the live journal.
    pub fn live(live: Live, vault: VaultHandle) -> Place {
        Place::new(Ground::Live(live), vault)
    }

    /// The place of the journal of the service at this address.
    ///
    /// `addresses` are the origins that the configuration names.
    pub fn of_service(
        base: &BaseUrl,
        places: &Dirs,
        addresses: &[String],
        vault: VaultHandle,
    ) -> Place {
        if !base.is_loopback() {
            return Place::live(Live::new(places, addresses, None), vault);
        }
        let origin = &base.origin().0;
        let proof = Proof::new(base.clone(), places.state.clone(), proof::LIMIT);
        let live = Live::new(places, addresses, Some(origin));
        let (dir, earlier) =
            (places.sandbox_journal(origin), places.earlier_sandbox_journal(origin));
        let sandbox = Sandbox { dir, earlier };
        Place::new(Ground::Proven { proof, sandbox, live }, vault)
    }

    fn new(ground: Ground, vault: VaultHandle) -> Place {
        Place { ground, vault, state: Mutex::new(State::Unsettled) }
    }

    /// The vault that remembers it.
    pub fn vault(&self) -> VaultHandle {
        self.vault.clone()
    }

    fn known(&self) -> Known<'_> {
        match &self.ground {
            Ground::Own(dir) => Known::Own(dir),
            Ground::Live(live) => Known::Live(live),
            Ground::Proven { proof, sandbox, live } => match proof.known() {
                Some(Kind::Sandbox) => Known::Own(&sandbox.dir),
                Some(Kind::Live) | None => Known::Live(live),
            },
        }
    }

    /// The directory as far as it is known, without looking whether a journal belongs there.
    pub fn named_dir(&self) -> PathBuf {
        match self.known() {
            Known::Own(dir) => dir.to_owned(),
            Known::Live(live) => live.dir(),
        }
    }

    /// The directory of a sandbox that did not prove to be one.
    pub fn unproven(&self) -> Option<&Path> {
        match &self.ground {
            Ground::Proven { proof, sandbox, .. } if proof.known() == Some(Kind::Live) => {
                Some(&sandbox.dir)
            }
            _ => None,
        }
    }

    /// Where to read it: nothing is moved for somebody who only reads.
    pub async fn look(&self, now: Wall) -> Result<PathBuf, JournalTrouble> {
        self.prove().await;
        match self.known() {
            Known::Own(dir) => Ok(dir.to_owned()),
            Known::Live(live) => live.home().dir_to_read(now),
        }
    }

    async fn prove(&self) -> Option<Kind> {
        match &self.ground {
            Ground::Proven { proof, .. } => Some(proof.kind().await),
            Ground::Own(_) | Ground::Live(_) => None,
        }
    }

    /// The directory for whoever opens what is in it: settled with the first, and held since then.
    ///
    /// The app hears first what the service proved to be.
    pub(super) async fn find(&self, now: Wall, inbox: &Inbox) -> Result<PathBuf, JournalTrouble> {
        if let Some(kind) = self.prove().await {
            let journal = self.named_dir().display().to_string().into();
            inbox.send(Msg::Proven { sandbox: kind == Kind::Sandbox, journal }).await;
        }
        self.dir(now)
    }

    /// The same once it is proved.
    fn dir(&self, now: Wall) -> Result<PathBuf, JournalTrouble> {
        if let (Ground::Proven { sandbox, .. }, Known::Own(_)) = (&self.ground, self.known()) {
            home::take_over(&sandbox.earlier, &sandbox.dir)?;
        }
        let live = match self.known() {
            Known::Own(dir) => return Ok(dir.to_owned()),
            Known::Live(live) => live,
        };
        let mut state = self.state();
        if let State::Unsettled = *state {
            *state = State::Settled(live.home().pin(now)?);
        }
        match &*state {
            State::Settled(settled) => Ok(settled.dir.clone()),
            State::Unsettled | State::Moving => {
                Err(JournalTrouble::Busy("another journal is taking its place".into()))
            }
        }
    }

    /// The journals beside the live one that hold new withdrawals back.
    pub(super) fn holding_back(&self, now: Wall) -> Vec<OtherJournal> {
        match self.known() {
            Known::Own(_) => Vec::new(),
            Known::Live(live) => {
                let others = live.home().others(now).into_iter();
                others.filter(OtherJournal::holds_back).collect()
            }
        }
    }

    /// From now on nothing is opened here, until another journal took the place.
    pub(super) fn clear(&self) {
        *self.state() = State::Moving;
    }

    /// Puts another journal into the place, of which nothing may be open.
    pub(super) fn pick(&self, dir: &Path, now: Wall) -> Result<(), JournalTrouble> {
        let mut state = self.state();
        *state = State::Unsettled;
        match self.known() {
            Known::Own(_) => Err(JournalTrouble::Missing),
            Known::Live(live) => {
                live.home().pick(dir, now)?;
                // Should that fail, the next withdrawal says it again.
                let _ = self.remember();
                Ok(())
            }
        }
    }

    /// Opens the journal, or only to read it where it cannot be written: what is open must be seen.
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

    /// Nothing is begun while nobody knows whether there was a journal.
    async fn open_to_write(
        &self,
        now: Wall,
        inbox: &Inbox,
    ) -> Result<MoneyJournal, JournalTrouble> {
        let dir = self.find(now, inbox).await?;
        let expected = self.is_expected(&dir).await?;
        MoneyJournal::open(&dir, OsDisk, expected)
    }

    /// The names under which a vault remembers the journal, those of earlier builds too.
    pub(super) fn names(&self) -> Vec<String> {
        let earlier = match self.known() {
            Known::Own(_) => &[][..],
            Known::Live(live) => &live.home.earlier,
        };
        let dirs = std::iter::once(self.named_dir()).chain(earlier.iter().cloned());
        dirs.map(|dir| format!("journal {}", dir.display())).collect()
    }

    /// Whether the configuration says that this machine has a live journal somewhere.
    pub(super) fn is_in_marker_file(&self) -> io::Result<bool> {
        Ok(match self.marker_file() {
            Some(marker) => marker.journal()?.is_some(),
            None => false,
        })
    }

    /// Has the configuration remember the journal, before anything is written in it.
    pub(super) fn remember(&self) -> io::Result<()> {
        self.marker_file().map_or(Ok(()), |marker| marker.put(&self.named_dir()))
    }

    /// Has the configuration forget it.
    pub(super) fn forget_in_file(&self) -> io::Result<()> {
        self.marker_file().map_or(Ok(()), MarkerFile::forget)
    }

    fn marker_file(&self) -> Option<&MarkerFile> {
        match self.known() {
            Known::Own(_) => None,
            Known::Live(live) => live.marker.as_ref(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
