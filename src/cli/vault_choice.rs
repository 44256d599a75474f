//! The vault of a run: the one that is named, and no other in its place.

use super::complaint::Complaint;
use super::{ChosenProfile, shown};
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

impl ChosenProfile {
    /// The vault for this run: the flag's, then the profile's, then that of the last login, then
    /// the system's keyring.
    pub(super) fn vault(&self, origin: &Origin) -> Result<VaultHandle, Complaint> {
        self.vault_and_source(origin).map(|(vault, _)| vault)
    }

    /// The same, with the source that chose it.
    pub(super) fn vault_and_source(
        &self,
        origin: &Origin,
    ) -> Result<(VaultHandle, VaultSource), Complaint> {
        let remembered = || {
            let kind = VaultFile::new(&self.settings.places.state, &self.name, origin).kind();
            kind.map_err(|error| {
                Complaint::about("complaint-vault-file", [("why", error.to_string().into())])
            })
        };
        let (kind, source) = match (self.args.vault, self.profile.vault) {
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
            VaultKind::Helper => VaultHandle::helper(self.helper()?),
            VaultKind::Environment => self.environment(origin)?,
            VaultKind::Memory => VaultHandle::memory(),
        };
        Ok((vault, source))
    }

    /// The credentials of the environment: they are for the one address of this run.
    fn environment(&self, origin: &Origin) -> Result<VaultHandle, Complaint> {
        let secrets = &self.args.environment;
        let now = MachineClocks::new().now().wall;
        // Files of variables keep the quotation marks around a value.
        let is_around = |c: char| c.is_whitespace() || matches!(c, '"' | '\'');
        let login = std::env::var(LOGIN).unwrap_or_default();
        let login = Some(login.trim_matches(is_around)).filter(|login| !login.is_empty());
        if secrets.jwt.as_ref().is_some_and(|jwt| !is_jwt(jwt.expose())) {
            // A contract that cannot be read is complained about by whoever needs it.
            if self.contract().is_ok_and(|contract| contract.jwt_looks_like_one) {
                return Err(Complaint::about(
                    "complaint-environment-jwt",
                    [("variable", JWT.into())],
                ));
            }
        }
        let mut credentials = Vec::new();
        for (kind, secret) in
            [(CredentialKind::ApiToken, &secrets.token), (CredentialKind::Jwt, &secrets.jwt)]
        {
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
            credentials
                .push((self.credential(origin, kind), StoredCredential { identity, ..read }));
        }
        Ok(VaultHandle::environment(credentials))
    }

    /// The seller's own command, as the profile names it.
    fn helper(&self) -> Result<HelperCommand, Complaint> {
        let file = ("file", shown(&self.settings.places.config_file()));
        let Some(command) = &self.profile.vault_helper else {
            let profile = ("profile", self.name.as_str().into());
            return Err(Complaint::about("complaint-no-helper", [file, profile]));
        };
        let wrong =
            || Complaint::about("complaint-helper", [file, ("command", command.as_str().into())]);
        HelperCommand::new(command, std::env::var_os::<&str>).ok_or_else(wrong)
    }

    /// The name of a credential in the vault.
    pub(super) fn credential(&self, origin: &Origin, kind: CredentialKind) -> CredentialName {
        CredentialName { profile: self.name.as_str().into(), origin: origin.clone(), kind }
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
