//! The location of a service's journal: the one live journal, or a sandbox's own.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::complaint::Complaint;
use super::output::print_note;
use super::{GlobalArgs, Settings, address, block_on, commands, profile_contract, shown};
use crate::config::Dirs;
use crate::contract::Contract;
use crate::demo;
use crate::journal::money::{self, MoneyJournal};
use crate::runtime::journal_location::{JournalLocation, LiveJournal};
use crate::service::BaseUrl;
use crate::trade::{JournalTrouble, Untrusted};
use crate::vault::VaultHandle;

impl Settings {
    /// The location of a service's journal.
    pub(super) fn journal_location(&self, base: &BaseUrl, vault: VaultHandle) -> JournalLocation {
        JournalLocation::for_service(base, &self.places, vault)
    }
}

/// The location of a directory that was named: it may be the live journal's.
pub(super) fn named(places: &Dirs, dir: &Path, vault: VaultHandle) -> JournalLocation {
    let live = LiveJournal::new(places);
    if live.dir() == dir {
        JournalLocation::live(live, vault)
    } else {
        JournalLocation::fixed(dir, vault)
    }
}

/// Refuses a directory for a demo that holds the seller's own journals.
///
/// The demo's bank would answer for withdrawals of a real service.
pub(super) fn only_for_demo(places: &Dirs, dir: &Path) -> Result<(), Complaint> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let absolute = std::path::absolute(dir).map_err(Complaint::of)?;
    let is_own = real(&absolute).starts_with(real(&places.state));
    if is_own || money::is_there(dir) && !is_a_demos(dir) {
        return Err(Complaint::about("complaint-not-a-demo", [("dir", shown(dir))]));
    }
    Ok(())
}

/// The directory of a demo that is not kept.
pub(super) fn temporary_for_demo() -> Result<TempDir, Complaint> {
    let dir = |_| ("dir", shown(&std::env::temp_dir()));
    demo::temporary().map_err(|error| Complaint::about("complaint-temporary", [dir(error)]))
}

/// Returns true if every withdrawal in a journal is a demo's; false if it cannot be read.
fn is_a_demos(dir: &Path) -> bool {
    let reading = JournalTrouble::ReadOnly("it was opened to be read".into());
    let Ok(mut look) = MoneyJournal::open_to_read(dir, reading) else { return false };
    match look.journal.page(None, "", 0, u64::MAX) {
        Ok(all) => all.rows.iter().all(|one| &*one.agreement.profile == demo::PROFILE),
        Err(_) => false,
    }
}

impl GlobalArgs {
    /// The journal in a named directory, which must be there, or that of the named service; with
    /// the service's contract.
    pub(super) fn journal(&self, named: Option<PathBuf>) -> Result<(PathBuf, Contract), Complaint> {
        let settings = self.settings()?;
        let (name, profile) = self.profile(&settings.config)?;
        let contract = profile_contract::read(&settings, &profile)?;
        if let Some(dir) = named {
            let missing = || Complaint::about("complaint-no-folder", [("folder", shown(&dir))]);
            return if dir.is_dir() { Ok((dir, contract)) } else { Err(missing()) };
        }
        let base = address::base_url(self, &settings, (&name, &profile))?;
        // It is only read: no vault is asked for its marker.
        let location = settings.journal_location(&base, VaultHandle::memory());
        let dir = block_on(location.dir_to_read())?;
        if let Some(sandbox) = location.unproven().filter(|sandbox| sandbox.is_dir())
            && dir != *sandbox
        {
            let words = self.words(&settings)?;
            let (address, folder) = (Untrusted::from(base.as_str()), shown(sandbox));
            let values = [("address", &*address.shown()), ("folder", &folder.shown())];
            print_note(&words.with("unproven-loopback", &values));
        }
        Ok((dir, contract))
    }
    /// Notes that a journal which was opened to be read is not the live one, or an older copy of
    /// it, as far as the configuration knows. No vault is read: that may raise a window.
    pub(super) fn note_if_not_live(
        &self,
        dir: &Path,
        journal: &MoneyJournal,
    ) -> Result<(), Complaint> {
        let settings = self.settings()?;
        let dir = std::path::absolute(dir).map_err(Complaint::of)?;
        let location = named(&settings.places, &dir, VaultHandle::memory());
        let liveness = block_on(location.liveness())?;
        match liveness.and_then(|liveness| liveness.check(Some(journal))) {
            Err(trouble)
                if trouble.is_damage() || matches!(trouble, JournalTrouble::Elsewhere(_)) =>
            {
                print_note(&commands::trouble(self.words(&settings)?, &shown(&dir), &trouble));
            }
            _ => {}
        }
        Ok(())
    }
}
