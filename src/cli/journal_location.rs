//! The location of a service's journal: the one live journal, or a sandbox's own.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::complaint::Complaint;
use super::output::print_note;
use super::{ChosenProfile, Settings, block_on, shown};
use crate::config::Dirs;
use crate::demo;
use crate::journal::money::{self, ReadOnlyJournal};
use crate::runtime::journal_location::{JournalLocation, LiveJournal};
use crate::service::BaseUrl;
use crate::trade::Untrusted;
use crate::vault::VaultHandle;
use crate::words::Words;

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
    let Ok(mut look) = ReadOnlyJournal::open(dir) else { return false };
    match look.journal.page(None, "", 0, u64::MAX) {
        Ok(all) => all.rows.iter().all(|one| &*one.agreement.profile == demo::PROFILE),
        Err(_) => false,
    }
}

impl ChosenProfile {
    /// The directory of the journal of the profile's service.
    pub(super) fn journal_dir(&self, words: &Words) -> Result<PathBuf, Complaint> {
        let base = self.base_url()?;
        // It is only read: no vault is asked for its marker.
        let location = self.settings.journal_location(&base, VaultHandle::memory());
        let dir = block_on(location.dir_to_read())?;
        if let Some(sandbox) = location.unproven().filter(|sandbox| sandbox.is_dir())
            && dir != *sandbox
        {
            let (address, folder) = (Untrusted::from(base.as_str()), shown(sandbox));
            let values = [("address", &*address.shown()), ("folder", &folder.shown())];
            print_note(&words.with("unproven-loopback", &values));
        }
        Ok(dir)
    }
}
