//! The contract of a profile and the way to its service, with complaints in the seller's language.

use std::path::Path;
use std::time::Duration;

use super::complaint::Complaint;
use super::{ChosenProfile, shown, unreadable};
use crate::config::contract_files::{self, ContractFilesError};
use crate::config::{Dirs, Profile, read_text};
use crate::contract::{Contract, PRESETS, Preset};
use crate::service::{NetworkError, NetworkSettings};

impl ChosenProfile {
    /// The contract: the built-in one with the profile's lines in place of its own.
    pub(super) fn contract(&self) -> Result<Contract, Complaint> {
        self.contract_and_way().map(|(contract, _)| contract)
    }

    /// The same, and the way to its service.
    pub(super) fn contract_and_way(&self) -> Result<(Contract, NetworkSettings), Complaint> {
        let (places, config) = (&self.settings.places, &self.settings.config);
        let connection = connection(places, &self.profile)?;
        let contract = contract_files::read(places, &self.profile.contract).map_err(complaint)?;
        let mut lines = connection.lines().clone();
        lines.extend(config.message_lines());
        let mut contract = contract.of_profile(&lines);
        // For the machines that kill the program hundreds of times and send again each time. A
        // release has no such door.
        if cfg!(debug_assertions) && std::env::var_os("BALCAO_TEST_RESEND_AT_ONCE").is_some() {
            contract.withdrawal.resend_after = Duration::ZERO;
        }
        Ok((contract, connection))
    }
}

/// The way to the service: its further certificates, and its proxy.
pub fn connection(places: &Dirs, profile: &Profile) -> Result<NetworkSettings, Complaint> {
    let mut connection = NetworkSettings::default();
    if let Some(name) = &profile.ca_file {
        let path = places.config.join(name);
        let text = read_text(&path).map_err(|error| unreadable(&path, error))?;
        let wrong = |why| wrong_way(&path, why);
        connection = connection.trusting(name, text.as_bytes()).map_err(wrong)?;
    }
    if let Some(proxy) = &profile.proxy {
        // It is not quoted: what is wrong with it may be a password in it.
        let wrong = |why| wrong_way(&places.config_file(), why);
        connection = connection.through(proxy).map_err(wrong)?;
    }
    Ok(connection)
}

/// The complaint about the certificates or the proxy of a profile, which this file names.
fn wrong_way(file: &Path, why: NetworkError) -> Complaint {
    let id = match why {
        NetworkError::NoCertificates => "complaint-ca-file",
        NetworkError::ProxyAddress => "complaint-proxy",
        NetworkError::ProxySecret => "complaint-proxy-secret",
    };
    Complaint::about(id, [("file", shown(file))])
}

fn complaint(error: ContractFilesError) -> Complaint {
    match error {
        ContractFilesError::NoSuch(name) => {
            let known: Vec<_> = PRESETS.iter().map(|preset| preset.name).collect();
            Complaint::no_such("complaint-contract", &name, Preset::nearest(&name), &known)
        }
        ContractFilesError::Unreadable { path, error } => unreadable(&path, error),
        ContractFilesError::Wrong(error) => Complaint::of(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ContractNames;
    use crate::words::{Lang, Words};

    /// The complaint about the contract or the way of a profile.
    fn told(profile: Profile) -> String {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("empty.pem"), "no certificate").unwrap();
        let places = Dirs { config: dir.path().into(), state: dir.path().into() };
        let read = contract_files::read(&places, &profile.contract).map_err(complaint);
        let told = connection(&places, &profile).map(drop).and(read.map(drop));
        told.unwrap_err().describe(Words::of(Lang::En))
    }

    fn named(name: &str) -> Profile {
        Profile { contract: ContractNames(vec![name.to_owned()]), ..Profile::default() }
    }

    #[test]
    fn a_wrong_name_is_told_with_the_nearest_one_and_all_of_them() {
        let wrong = told(named("snake_case"));
        assert!(
            wrong.contains("snake_case") && wrong.contains("did you mean snake-case?"),
            "{wrong}"
        );
        assert!(wrong.contains("key-headers, no-content, centavos"), "{wrong}");
        assert!(!told(named("woovi")).contains("did you mean"));
        let no_file = told(named("theirs.toml"));
        assert!(no_file.contains("theirs.toml") && !no_file.contains("snake-case"), "{no_file}");
    }

    #[test]
    fn a_way_that_cannot_be_taken_is_told_and_a_password_in_it_is_not() {
        let ca_file = |name: &str| Profile { ca_file: Some(name.into()), ..Profile::default() };
        let empty = told(ca_file("empty.pem"));
        assert!(empty.contains("empty.pem") && empty.contains("no certificate"), "{empty}");
        assert!(told(ca_file("none.pem")).contains("none.pem"));
        let proxy = |text: &str| Profile { proxy: Some(text.into()), ..Profile::default() };
        let secret = told(proxy("http://ana:canary@proxy.example:3128"));
        assert!(secret.contains("config.toml") && secret.contains("password"), "{secret}");
        assert!(!secret.contains("canary"), "{secret}");
        assert!(told(proxy("proxy.example")).contains("http://proxy.example:3128"));
    }
}
