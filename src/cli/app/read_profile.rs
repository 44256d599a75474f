//! A profile as the files and the flags have it, read before its run begins.

use std::sync::Arc;
use std::thread::{self, JoinHandle};

use crate::app::OtherProfile;
use crate::app::ui::keys::Keymap;
use crate::cli::complaint::Complaint;
use crate::cli::{ChosenProfile, GlobalArgs, Settings, keymap};
use crate::contract::Contract;
use crate::service::{BaseUrl, NetworkSettings};
use crate::trade::{Origin, VaultKind};

/// A profile, and the settings it was found in.
pub struct ReadProfile {
    /// The profile, with the flags as far as they are meant for it.
    pub chosen: ChosenProfile,
    /// The address of the service.
    pub base: BaseUrl,
    /// The keys.
    pub keys: Arc<Keymap>,
    /// Its contract and the way to its service, read beside everything else: that takes as long as
    /// all the rest together, and the first frame waits for both.
    pub reading: JoinHandle<Result<(Contract, NetworkSettings), Complaint>>,
}

impl ReadProfile {
    /// The profile that the flags name, or the one that counts where they name none.
    pub fn of_flags(args: &GlobalArgs) -> Result<ReadProfile, Complaint> {
        let chosen = args.chosen()?;
        let base = chosen.base_url()?;
        ReadProfile::found(chosen, base)
    }

    /// The profile of this name in the file, as it is now.
    ///
    /// The address and the secrets that the program was started with are for the first run's
    /// profile and address alone; its other flags hold for every run.
    pub fn named(
        args: &GlobalArgs,
        name: &str,
        first: &(String, Origin),
    ) -> Result<ReadProfile, Complaint> {
        let named = GlobalArgs { profile: Some(name.into()), base_url: None, ..args.clone() };
        let mut chosen = named.chosen()?;
        let base = chosen.base_url()?;
        if (&chosen.name, base.origin()) != (&first.0, &first.1) {
            chosen.args = without_secrets(named);
        }
        ReadProfile::found(chosen, base)
    }

    fn found(chosen: ChosenProfile, base: BaseUrl) -> Result<ReadProfile, Complaint> {
        let read = chosen.clone();
        let reading = thread::spawn(move || read.contract_and_way());
        let keys = keymap(&chosen.settings)?;
        Ok(ReadProfile { chosen, base, keys, reading })
    }
}

/// The flags without the secrets of the environment, which are for one address.
fn without_secrets(args: GlobalArgs) -> GlobalArgs {
    let vault = args.vault.filter(|kind| *kind != VaultKind::Environment);
    GlobalArgs { vault, environment: Arc::default(), ..args }
}

/// The profiles of the file but the one that runs at this address.
pub fn others(settings: &Settings, name: &str, origin: &Origin) -> Arc<[OtherProfile]> {
    let profiles = settings.config.file.profiles.iter().map(|(name, profile)| {
        let base = profile.base_url.as_deref().and_then(|url| BaseUrl::parse(url).ok());
        let origin = base.map(|base| base.origin().clone());
        OtherProfile { name: name.as_str().into(), origin }
    });
    let runs = |one: &OtherProfile| *one.name == *name && one.origin.as_ref() == Some(origin);
    profiles.filter(|one| !runs(one)).collect()
}
