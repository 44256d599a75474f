//! The checkup: examines this computer, the files of the program and the service.
//!
//! Nothing is created, paid, logged in or mended. Files are read, the journal is opened for reading
//! only, the service is asked for a sign of life, and a vault stores something of no value only
//! where the seller chose it. Every look has a limit in time; one that does not end is said not to
//! have ended.

mod network;
mod places;
mod stores;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::contract::{Contract, PRESETS};
use crate::journal::{history, money};
use crate::runtime::clocks;
use crate::runtime::journal_location::JournalLocation;
use crate::service::{BaseUrl, Service};
use crate::trade::checkup::{self, Checkup, ContractFound, Finding, PlaceKind, VaultSource};
use crate::trade::{Untrusted, Wall};
use crate::vault::VaultHandle;

pub use places::HomeName;

/// The facts that were known when the program started, and the files to look at.
#[derive(Debug, Clone, Default)]
pub struct Examiner {
    /// The files and directories of the configuration.
    pub places: Vec<(PlaceKind, PathBuf)>,
    /// What is left out of their paths.
    pub home: HomeName,
    /// What the environment says of the terminal.
    pub terminal: Vec<Finding>,
    /// What was found when the settings were read.
    pub settings: Vec<Finding>,
    /// The source that chose the vault.
    pub vault_source: VaultSource,
    /// The command that is the vault, if one is.
    pub vault_command: Option<Untrusted>,
}

/// The parts that are examined, as far as the settings led to them.
#[derive(Default)]
pub struct Examined {
    /// The name of the profile.
    pub profile: Arc<str>,
    /// The contract.
    pub contract: Option<Arc<Contract>>,
    /// The number of its lines that wait to be agreed to; none where the vault does not say.
    pub pending: Option<u64>,
    /// The vault of the credentials.
    pub vault: Option<VaultHandle>,
    /// The address of the service.
    pub base: Option<BaseUrl>,
    /// The service, where the way to it is known.
    pub service: Option<Service>,
    /// The location of the journals.
    pub location: Option<Arc<JournalLocation>>,
}

impl Examiner {
    /// Examines everything; ends within some twenty seconds, whatever hangs.
    pub async fn examine(&self, window: Finding, all: &Examined, now: Wall) -> Checkup {
        let command = self.vault_command.as_ref().map(|it| Path::new(it.raw()));
        let command = command.map(|path| self.home.shortened(path).into());
        let (places, vault, journals, network) = tokio::join!(
            places::look(self.places.clone(), self.home.clone()),
            stores::vault(self.vault_source, command, all, now),
            stores::journals(all.location.clone()),
            network::ask(all),
        );
        let mut findings = vec![window];
        findings.extend(self.terminal.iter().cloned());
        findings.extend(clocks::unreadable_zone().map(checkup::time_zone));
        findings.extend(places);
        findings.extend(self.settings.iter().cloned());
        findings.extend(vault);
        if let Some(contract) = &all.contract {
            let mut found = contract_found(contract, all.pending);
            if self.vault_source == VaultSource::Demo {
                // The demo's own file is none of the seller's.
                (found.files, found.differing) = (0, 0);
            }
            findings.push(checkup::contract(found));
        }
        findings.extend(journals);
        findings.extend(network);
        findings.push(program());
        Checkup::of(findings)
    }
}

/// The contract in force: where its lines come from, and how many differ.
fn contract_found(contract: &Contract, pending: Option<u64>) -> ContractFound {
    let used = |file: &str| contract.settings().values().any(|line| *line.file == *file);
    let presets = PRESETS.iter().filter(|preset| used(preset.file));
    let mut own: Vec<&str> = contract
        .settings()
        .values()
        .filter(|line| !line.is_built_in())
        .map(|line| &*line.file)
        .collect();
    own.retain(|file| PRESETS.iter().all(|preset| preset.file != *file));
    own.sort_unstable();
    own.dedup();
    ContractFound {
        presets: presets.map(|preset| preset.name).collect(),
        files: own.len() as u64,
        differing: contract.differences().len() as u64,
        pending,
    }
}

/// The program, and what it writes.
fn program() -> Finding {
    let build = [env!("CARGO_PKG_VERSION"), std::env::consts::OS, std::env::consts::ARCH];
    let [version, os, arch] = build;
    checkup::program([version, os, arch, rusqlite::version()], [money::SCHEMA, history::SCHEMA])
}

#[cfg(test)]
mod tests;
