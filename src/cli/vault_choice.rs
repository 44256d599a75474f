//! The vault of a run: the one that is named, and no other in its place.

use super::complaint::Complaint;
use super::{GlobalArgs, Settings, shown};
use crate::config::Profile;
use crate::trade::VaultKind;
use crate::vault::{HelperCommand, VaultHandle};

impl GlobalArgs {
    /// The vault for this run: the flag's, then the profile's, then the system's keyring.
    pub(super) fn vault(
        &self,
        settings: &Settings,
        (name, profile): (&str, &Profile),
    ) -> Result<VaultHandle, Complaint> {
        let kind = self.vault.or(profile.vault).unwrap_or(VaultKind::Keyring);
        Ok(match kind {
            VaultKind::Keyring => VaultHandle::keyring(),
            VaultKind::Keyutils => VaultHandle::keyutils(),
            VaultKind::Helper => VaultHandle::helper(helper(settings, name, profile)?),
            VaultKind::Memory => VaultHandle::memory(),
        })
    }
}

/// The seller's own command, as the profile names it.
fn helper(settings: &Settings, name: &str, profile: &Profile) -> Result<HelperCommand, Complaint> {
    let file = || shown(&settings.places.config_file());
    let Some(command) = &profile.vault_helper else {
        return Err(Complaint::NoHelper { profile: name.into(), file: file() });
    };
    let wrong = || Complaint::HelperName { file: file(), command: command.as_str().into() };
    HelperCommand::new(command, std::env::var_os::<&str>).ok_or_else(wrong)
}
