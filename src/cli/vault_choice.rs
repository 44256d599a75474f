//! The vault of a run: the one that is named, and no other in its place.

use super::complaint::Complaint;
use super::{GlobalArgs, Settings, profile_contract, shown};
use crate::config::Profile;
use crate::contract::is_jwt;
use crate::runtime::chosen_vault::VaultFile;
use crate::runtime::clocks::MachineClocks;
use crate::runtime::environment_secrets::{EnvironmentFault, JWT};
use crate::runtime::world::jwt_credential;
use crate::trade::checkup::VaultSource;
use crate::trade::{CredentialKind, CredentialName, Origin, VaultKind};
use crate::vault::{HelperCommand, StoredCredential, VaultHandle};

/// The account that the token of the environment belongs to, where the token does not say.
const LOGIN: &str = "BALCAO_LOGIN";

impl GlobalArgs {
    /// The vault for this run: the flag's, then the profile's, then that of the last login, then
    /// the system's keyring.
    pub(super) fn vault(
        &self,
        settings: &Settings,
        profile: (&str, &Profile),
        origin: &Origin,
    ) -> Result<VaultHandle, Complaint> {
        self.vault_and_source(settings, profile, origin).map(|(vault, _)| vault)
    }

    /// The same, with the source that chose it.
    pub(super) fn vault_and_source(
        &self,
        settings: &Settings,
        (name, profile): (&str, &Profile),
        origin: &Origin,
    ) -> Result<(VaultHandle, VaultSource), Complaint> {
        let remembered = || {
            let kind = VaultFile::new(&settings.places.state, name, origin).kind();
            kind.map_err(|error| {
                Complaint::about("complaint-vault-file", [("why", error.to_string().into())])
            })
        };
        let (kind, source) = match (self.vault, profile.vault) {
            (Some(kind), _) => (kind, VaultSource::Flag),
            (None, Some(kind)) => (kind, VaultSource::Profile),
            (None, None) => match remembered()? {
                Some(kind) => (kind, VaultSource::LastLogin),
                None => (VaultKind::Keyring, VaultSource::Nobody),
            },
        };
        let vault = match kind {
            VaultKind::Keyring => VaultHandle::keyring(),
            VaultKind::Keyutils => VaultHandle::keyutils(),
            VaultKind::Helper => VaultHandle::helper(helper(settings, name, profile)?),
            VaultKind::Environment => self.environment(settings, (name, profile), origin)?,
            VaultKind::Memory => VaultHandle::memory(),
        };
        Ok((vault, source))
    }

    /// The credentials of the environment: they are for the one address of this run.
    fn environment(
        &self,
        settings: &Settings,
        (name, profile): (&str, &Profile),
        origin: &Origin,
    ) -> Result<VaultHandle, Complaint> {
        let now = MachineClocks::new().now().wall;
        // Files of variables keep the quotation marks around a value.
        let is_around = |c: char| c.is_whitespace() || matches!(c, '"' | '\'');
        let login = std::env::var(LOGIN).unwrap_or_default();
        let login = Some(login.trim_matches(is_around)).filter(|login| !login.is_empty());
        if self.environment.jwt.as_ref().is_some_and(|jwt| !is_jwt(jwt.expose())) {
            // A contract that cannot be read is complained about by whoever needs it.
            let contract = profile_contract::read(settings, profile);
            if contract.is_ok_and(|contract| contract.jwt_looks_like_one) {
                return Err(Complaint::about(
                    "complaint-environment-jwt",
                    [("variable", JWT.into())],
                ));
            }
        }
        let mut credentials = Vec::new();
        for (kind, secret) in [
            (CredentialKind::ApiToken, &self.environment.token),
            (CredentialKind::Jwt, &self.environment.jwt),
        ] {
            let Some(secret) = secret else { continue };
            let read = jwt_credential(secret.duplicate(), None, now);
            let identity = match (login, kind) {
                // A withdrawal is sent again by its own login alone: which one must be known.
                (None, CredentialKind::ApiToken) if read.identity.is_empty() => {
                    return Err(Complaint::about("complaint-environment-login", []));
                }
                (Some(login), CredentialKind::ApiToken) => login.into(),
                _ => read.identity.clone(),
            };
            let place = CredentialName { profile: name.into(), origin: origin.clone(), kind };
            credentials.push((place, StoredCredential { identity, ..read }));
        }
        Ok(VaultHandle::environment(credentials))
    }
}

/// The complaint about an environment that could not be cleaned.
pub(super) fn complaint(fault: EnvironmentFault) -> Complaint {
    match fault {
        EnvironmentFault::NotAToken(name) => {
            Complaint::about("complaint-environment-value", [("variable", name.into())])
        }
        EnvironmentFault::Failed(error) => {
            Complaint::about("complaint-environment", [("why", error.to_string().into())])
        }
    }
}

/// The seller's own command, as the profile names it.
fn helper(settings: &Settings, name: &str, profile: &Profile) -> Result<HelperCommand, Complaint> {
    let file = ("file", shown(&settings.places.config_file()));
    let Some(command) = &profile.vault_helper else {
        return Err(Complaint::about("complaint-no-helper", [file, ("profile", name.into())]));
    };
    let wrong =
        || Complaint::about("complaint-helper", [file, ("command", command.as_str().into())]);
    HelperCommand::new(command, std::env::var_os::<&str>).ok_or_else(wrong)
}
