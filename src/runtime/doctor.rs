//! The doctor command (`balcao doctor`), which examines this computer, the program's files and the
//! payment service.
//!
//! The command repairs nothing, does not log in and creates no payment. It reads files, opens the
//! journal read-only, and sends a health check to the service. It stores a test entry in the vault
//! only if the seller chose that vault. A check that exceeds its time limit is reported.

use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::clocks;
use super::journal_location::JournalLocation;
use crate::contract::Contract;
use crate::journal::money::ReadOnlyJournal;
use crate::journal::{history, money, requests};
use crate::service::{BaseUrl, Service};
use crate::trade::checkup::{
    self, Checkup, ContractFound, CredentialFound, FileOwner, Finding, HostFault, HostReply,
    JournalFound, NameFound, PlaceKind, PlaceState, VaultSource, VaultUse,
};
use crate::trade::{CredentialName, JournalTrouble, Untrusted, VaultKind, VaultTrouble, Wall};
use crate::vault::VaultHandle;

/// The data for the doctor command that is collected when the program starts: paths and the first
/// findings.
#[derive(Debug, Clone, Default)]
pub struct Examiner {
    /// The files and directories of the configuration.
    pub places: Vec<(PlaceKind, PathBuf)>,
    /// The user's name and home directory, which are hidden in the reported paths.
    pub home: HomeName,
    /// The findings about the terminal, based on environment variables.
    pub terminal: Vec<Finding>,
    /// The findings from reading the settings.
    pub settings: Vec<Finding>,
    /// The reason why this vault is used, such as a flag or the profile.
    pub vault_source: VaultSource,
    /// The external program that stores the credentials, if the seller chose such a vault.
    pub vault_command: Option<Untrusted>,
}

/// The components to examine. A component is `None` if the settings do not determine it.
#[derive(Default)]
pub struct Examined {
    pub profile: Arc<str>,
    pub contract: Option<Arc<Contract>>,
    /// The number of settings of the API contract that the seller has not agreed to. `None` if the
    /// vault, which stores the agreement, cannot be read.
    pub pending: Option<u64>,
    pub vault: Option<VaultHandle>,
    pub base: Option<BaseUrl>,
    /// The client of the payment service. `None` if the connection settings cannot be read.
    pub service: Option<Service>,
    /// The location of the money journal and the history.
    pub location: Option<Arc<JournalLocation>>,
}

impl Examiner {
    /// Runs all checks and returns their findings. Takes at most about 20 seconds, even if some
    /// checks hang.
    pub async fn examine(&self, window: Finding, all: &Examined, now: Wall) -> Checkup {
        let command = self.vault_command.as_ref().map(|it| Path::new(it.raw()));
        let command = command.map(|path| self.home.shortened(path).into());
        let (places, vault, journals, network) = tokio::join!(
            look_at_places(self.places.clone(), self.home.clone()),
            examine_vault(self.vault_source, command, all, now),
            examine_journals(all.location.clone()),
            ask_service(all),
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
                // The contract files of a demo are not the seller's files, so they are not counted.
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

/// Returns the files that define the current API contract, and the number of its settings that
/// differ from the built-in contract.
fn contract_found(contract: &Contract, pending: Option<u64>) -> ContractFound {
    let (presets, files) = contract.sources();
    ContractFound {
        presets,
        files: files as u64,
        differing: contract.differences().len() as u64,
        pending,
    }
}

/// Returns the finding about the program: its version, its platform, and the versions of its file
/// formats.
fn program() -> Finding {
    let build = [env!("CARGO_PKG_VERSION"), std::env::consts::OS, std::env::consts::ARCH];
    let [version, os, arch] = build;
    checkup::program([version, os, arch, rusqlite::version()], [money::SCHEMA, history::SCHEMA])
}

/// The time limit for examining all files and directories, because a network file system may hang.
const PLACES_LIMIT: Duration = Duration::from_secs(3);

/// The directories that usually contain users' home directories.
const HOMES: [&str; 2] = ["/home", "/Users"];

/// The user's name and home directory, which are hidden in the reported paths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HomeName {
    pub home: Option<PathBuf>,
    pub user: Option<String>,
}

impl HomeName {
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> HomeName {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let home = set("HOME").map(PathBuf::from).filter(|home| home.components().count() > 1);
        HomeName { home, user: set("USER").or_else(|| set("LOGNAME")) }
    }

    /// Returns the path without the user's name. The home directory becomes `~`. The user's name
    /// and the names of other home directories become `…`.
    pub fn shortened(&self, path: &Path) -> String {
        let below = self.home.as_ref().and_then(|home| path.strip_prefix(home).ok());
        let start = if below.is_some() { PathBuf::from("~") } else { PathBuf::new() };
        let parts = below.unwrap_or(path).components();
        let join = |path: PathBuf, part: Component<'_>| {
            let is_name = HOMES.iter().any(|homes| path == Path::new(homes));
            let part = if is_name { "…".into() } else { self.without_name(part.as_os_str()) };
            path.join(part)
        };
        parts.fold(start, join).display().to_string()
    }

    /// Replaces the user's name in one component of a path, but keeps an extension such as `.toml`.
    fn without_name(&self, part: &OsStr) -> OsString {
        let Some(user) = &self.user else { return part.to_owned() };
        let text = part.to_string_lossy();
        match text.strip_prefix(user.as_str()) {
            Some(rest) if rest.is_empty() || rest.starts_with('.') => format!("…{rest}").into(),
            _ => part.to_owned(),
        }
    }
}

async fn look_at_places(places: Vec<(PlaceKind, PathBuf)>, home: HomeName) -> Vec<Finding> {
    let paths: Vec<PathBuf> = places.iter().map(|(_, path)| path.clone()).collect();
    let looked = spawn_blocking(move || paths.iter().map(|path| state(path)).collect());
    let states: Option<Vec<PlaceState>> =
        timeout(PLACES_LIMIT, looked).await.ok().and_then(Result::ok);
    let states = states.unwrap_or_else(|| vec![PlaceState::Unseen; places.len()]);
    let found = places.iter().zip(states);
    let found = found
        .map(|((kind, path), state)| checkup::place(*kind, home.shortened(path).into(), state));
    found.collect()
}

/// Returns the state of a file. Symbolic links are followed, as when the program reads the file.
fn state(path: &Path) -> PlaceState {
    judged(fs::metadata(path), rustix::process::geteuid().as_raw())
}

fn judged(looked: io::Result<Metadata>, own: u32) -> PlaceState {
    match looked {
        Ok(there) => {
            let owner = match there.uid() {
                uid if uid == own => FileOwner::Own,
                0 => FileOwner::Root,
                _ => FileOwner::Other,
            };
            PlaceState::There { owner, mode: there.mode() & 0o7777 }
        }
        Err(error) if error.kind() == ErrorKind::NotFound => PlaceState::Absent,
        Err(_) => PlaceState::Unseen,
    }
}

/// The time limit for reading a journal. The thread that reads it may continue for longer, which is
/// harmless.
const JOURNAL_LIMIT: Duration = Duration::from_secs(15);

/// Checks which credentials are in the vault. Also stores a test entry if the seller chose this
/// vault.
///
/// `command` is the external program that the seller set as the vault, if any.
async fn examine_vault(
    source: VaultSource,
    command: Option<Untrusted>,
    all: &Examined,
    now: Wall,
) -> Vec<Finding> {
    let Some(vault) = &all.vault else { return Vec::new() };
    let mut credentials = Vec::new();
    let (mut trouble, mut holds_any) = (None, false);
    // Each credential is stored for one service address. Without an address, none can be found.
    for kind in all.contract.iter().flat_map(|contract| contract.credentials()) {
        let Some(base) = &all.base else { break };
        let (profile, origin) = (all.profile.clone(), base.origin().clone());
        let name = CredentialName { profile, origin, kind };
        let found = match vault.get(name).await {
            Ok(Some(stored)) => CredentialFound::kept(stored.expires, now),
            Ok(None) => CredentialFound::Absent,
            Err(why) => {
                trouble = trouble.or(Some(why));
                CredentialFound::Unknown
            }
        };
        holds_any |= matches!(found, CredentialFound::Good(_) | CredentialFound::Expired(_));
        credentials.push(checkup::credential(kind, found));
    }
    let state = match trouble {
        Some(trouble) => Err(trouble),
        None => state_of(vault, source, holds_any).await,
    };
    let command = command.filter(|_| vault.kind() == VaultKind::Helper);
    let found = checkup::vault(vault.kind(), source, state, command);
    std::iter::once(found).chain(credentials).collect()
}

/// Checks that the vault works.
///
/// A locked keyring can look empty, and only storing a test entry shows the difference. This is
/// done only if the seller chose the vault.
async fn state_of(
    vault: &VaultHandle,
    source: VaultSource,
    holds_any: bool,
) -> Result<VaultUse, VaultTrouble> {
    match (vault.kind(), source) {
        (VaultKind::Environment, _) => Ok(VaultUse::Reads),
        (VaultKind::Memory, _) => Ok(VaultUse::Stores),
        _ if holds_any => Ok(VaultUse::Reads),
        (_, VaultSource::Nobody) => vault.get_text("checkup").await.map(|_| VaultUse::Reads),
        _ => vault.status().await.map(|_| VaultUse::Stores),
    }
}

/// Examines the journal of withdrawals, the history and the stored requests. Locks and repairs
/// nothing.
async fn examine_journals(location: Option<Arc<JournalLocation>>) -> Vec<Finding> {
    let Some(location) = location else { return Vec::new() };
    let Ok(dir) = timeout(JOURNAL_LIMIT, location.dir_to_read()).await else {
        return vec![checkup::journal(JournalFound::Late)];
    };
    let requests_dir = dir.clone();
    let read = spawn_blocking(move || (ReadOnlyJournal::open(&dir), history::schema_on_disk(&dir)));
    let (read, requests) = tokio::join!(timeout(JOURNAL_LIMIT, read), requests(requests_dir));
    let Ok(Ok((looked, schema))) = read else {
        return vec![checkup::journal(JournalFound::Late), requests];
    };
    let journal = journal_found(&location, looked).await;
    vec![checkup::journal(journal), checkup::history(schema), requests]
}

/// Examines the database of HTTP requests, within a time limit.
async fn requests(dir: PathBuf) -> Finding {
    let read = spawn_blocking(move || (requests::examine(&dir), requests::moved_aside(&dir)));
    let late = || (Err(JournalTrouble::Busy("not read in time".to_owned())), vec![]);
    let read = timeout(JOURNAL_LIMIT, read).await.ok().and_then(Result::ok);
    let (schema, aside) = read.unwrap_or_else(late);
    checkup::requests(schema, &aside)
}

/// Returns the state of the journal, or the problem that the app would report when it opens the
/// journal. Also checks the markers that record which journal is in use.
async fn journal_found(
    location: &JournalLocation,
    looked: Result<ReadOnlyJournal, JournalTrouble>,
) -> JournalFound {
    let look = match looked {
        Ok(look) => Some(look),
        Err(JournalTrouble::Missing) => None,
        Err(trouble) => return JournalFound::Trouble(trouble),
    };
    let liveness = location.liveness().await;
    let journal = look.as_ref().map(|look| &look.journal);
    if let Err(trouble) = liveness.and_then(|liveness| liveness.check(journal)) {
        return JournalFound::Trouble(trouble);
    }
    let Some(ReadOnlyJournal { journal, is_copy, .. }) = look else { return JournalFound::None };
    let (withdrawals, open) = journal.counts();
    match journal.schema() {
        Ok(schema) => {
            let is_marked = location.can_mark();
            JournalFound::Whole { schema, withdrawals, open, is_copy, is_marked }
        }
        Err(trouble) => JournalFound::Trouble(trouble),
    }
}

/// The time limit for resolving the host name. Without it, the operating system may take minutes.
const NAME_LIMIT: Duration = Duration::from_secs(5);

/// The time limit for the health check, including the connection.
const LIFE_LIMIT: Duration = Duration::from_secs(10);

/// Resolves the host name and sends a health check to the service at the same time.
async fn ask_service(all: &Examined) -> Vec<Finding> {
    let Some(base) = &all.base else { return vec![checkup::address(None, false)] };
    let address = checkup::address(Some(base.origin()), base.is_loopback());
    // If the connection settings (such as a proxy) cannot be read, send nothing: with the default
    // settings, the request could reach another host.
    let Some(service) = &all.service else { return vec![address] };
    let has_proxy = all.contract.as_ref().is_some_and(|contract| contract.proxy().is_some());
    let (name, life) =
        tokio::join!(name_found(base, has_proxy), timeout(LIFE_LIMIT, service.health_check()));
    let life = life.ok();
    let reply = life.map_or(HostReply::Failed(HostFault::Late), |life| life.reply);
    let mut findings = vec![address, checkup::name(name), checkup::service(reply)];
    if let (HostReply::Answered { .. }, Some(life)) = (reply, life) {
        findings.push(checkup::clock(life.ahead));
    }
    findings
}

async fn name_found(base: &BaseUrl, has_proxy: bool) -> NameFound {
    let Some((name, port)) = base.name_to_look_up() else { return NameFound::NotNeeded };
    if has_proxy {
        return NameFound::ByProxy;
    }
    match timeout(NAME_LIMIT, tokio::net::lookup_host((name, port))).await {
        Ok(Ok(found)) => counted(found),
        Ok(Err(_)) => NameFound::Unknown,
        Err(_) => NameFound::Late,
    }
}

/// Returns the number of distinct IPv4 and IPv6 addresses.
fn counted(found: impl Iterator<Item = SocketAddr>) -> NameFound {
    let mut all: Vec<_> = found.map(|address| address.ip()).collect();
    all.sort_unstable();
    all.dedup();
    let v4 = all.iter().filter(|ip| ip.is_ipv4()).count() as u64;
    NameFound::Found { v4, v6: all.len() as u64 - v4 }
}

#[cfg(test)]
mod tests;
