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
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::clocks;
use super::journal_location::JournalLocation;
use crate::contract::Contract;
use crate::har::finding_json;
use crate::journal::money::{EventLookup, ReadOnlyJournal};
use crate::journal::{history, kept_copies, money, requests};
use crate::rows::json_line;
use crate::service::{BaseUrl, Service};
use crate::trade::checkup::{
    self, Agreement, ChangedSetting, Checkup, ContractFound, CredentialFound, DatabaseContents,
    DatabaseFound, DnsLookup, FileOwner, Finding, HostFault, HostReply, JournalFound, PathKind,
    PathState, VaultSource, VaultUse, Verdict,
};
use crate::trade::{
    CredentialName, JournalContents, JournalTrouble, Untrusted, VaultKind, VaultTrouble, Wall,
};
use crate::vault::VaultHandle;

/// The data that is collected for the doctor command when the program starts: paths and the first
/// findings.
#[derive(Debug, Clone, Default)]
pub struct Examiner {
    /// The files and directories of the configuration.
    pub places: Vec<(PathKind, PathBuf)>,
    /// The user's name and home directory, which are hidden in the reported paths.
    pub home: PathRedactor,
    /// The findings that are based on environment variables, mostly about the terminal.
    pub environment: Vec<Finding>,
    /// The findings from reading the settings.
    pub settings: Vec<Finding>,
    /// The settings that differ from the defaults.
    pub changed_settings: Vec<ChangedSetting>,
    /// The reason why this vault is used, such as a flag or the profile.
    pub vault_source: VaultSource,
    /// The external program that stores the credentials, if the seller chose such a vault.
    pub vault_command: Option<Untrusted>,
}

/// The components to examine. A component is `None` if the settings do not determine it.
#[derive(Default)]
pub struct CheckupTargets {
    pub profile: Arc<str>,
    pub contract: Option<Arc<Contract>>,
    /// Whether the seller has agreed to the API contract. `None` if that was not examined.
    pub agreement: Option<Agreement>,
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
    pub async fn examine(&self, window: Finding, targets: &CheckupTargets, now: Wall) -> Checkup {
        let command = self
            .vault_command
            .as_ref()
            .map(|command| Path::new(command.raw()));
        let command = command.map(|path| self.home.redact(path).into());
        let (places, vault, journals, network) = tokio::join!(
            examine_places(self.places.clone(), self.home.clone()),
            examine_vault(self.vault_source, command, targets, now),
            examine_journals(targets.location.clone(), now),
            check_service(targets),
        );
        let mut findings = vec![window];
        findings.extend(self.environment.iter().cloned());
        findings.extend(clocks::unreadable_zone().map(checkup::time_zone));
        findings.extend(places);
        findings.extend(self.settings.iter().cloned());
        findings.extend(vault);
        if let Some(contract) = &targets.contract {
            let mut found = summarize_contract(contract, targets.agreement);
            if self.vault_source == VaultSource::Demo {
                // The contract files of a demo are not the seller's files, so they are not counted.
                found.files = 0;
                found.agreement.differing = 0;
            }
            findings.push(checkup::contract(found));
        }
        findings.extend(journals);
        findings.extend(network);
        findings.push(program_finding());
        Checkup::of(findings)
    }
}

/// The checkup as a JSON object for scripts and support, without personal data.
///
/// Text from files and other programs is left out, because it may contain personal data.
pub fn checkup_json(checkup: &Checkup) -> Value {
    let counts = Verdict::ALL
        .into_iter()
        .map(|verdict| (verdict.name().to_owned(), checkup.count(verdict).into()));
    json!({
        "format": json_line::FORMAT,
        "verdict": checkup.verdict().name(),
        "counts": Value::Object(counts.collect()),
        "findings": checkup.findings().iter().map(finding_json).collect::<Vec<_>>(),
    })
}

/// Summarizes the current API contract: its presets, the number of its files, and whether the
/// seller has agreed to it.
fn summarize_contract(contract: &Contract, agreement: Option<Agreement>) -> ContractFound {
    let (presets, files) = contract.sources();
    let differing = contract.differences().len() as u64;
    let unknown = Agreement {
        differing,
        pending: None,
        is_kept: true,
        is_sandbox: false,
    };
    ContractFound {
        presets,
        files: files as u64,
        agreement: agreement.unwrap_or(unknown),
    }
}

/// The finding about the program: its version, its platform, and the versions of its file formats.
fn program_finding() -> Finding {
    let build = [
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH,
    ];
    let [version, os, arch] = build;
    checkup::program(
        [version, os, arch, rusqlite::version()],
        [money::SCHEMA, history::SCHEMA],
    )
}

/// The time limit for examining all files and directories, because a network file system may hang.
const PLACES_TIMEOUT: Duration = Duration::from_secs(3);

/// The directories that usually contain users' home directories.
const HOME_PARENTS: [&str; 2] = ["/home", "/Users"];

/// The user's name and home directory, which are hidden in the reported paths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PathRedactor {
    pub home: Option<PathBuf>,
    pub user: Option<String>,
}

impl PathRedactor {
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> PathRedactor {
        let non_empty = |name: &str| variable(name).filter(|value| !value.is_empty());
        let home = non_empty("HOME")
            .map(PathBuf::from)
            .filter(|home| home.components().count() > 1);
        PathRedactor {
            home,
            user: non_empty("USER").or_else(|| non_empty("LOGNAME")),
        }
    }

    /// The path without the user's name. The home directory becomes `~`. The user's name and the
    /// names of other home directories become `…`.
    pub fn redact(&self, path: &Path) -> String {
        let below_home = self
            .home
            .as_ref()
            .and_then(|home| path.strip_prefix(home).ok());
        let start = if below_home.is_some() {
            PathBuf::from("~")
        } else {
            PathBuf::new()
        };
        let parts = below_home.unwrap_or(path).components();
        parts
            .fold(start, |path, part| {
                let is_user_name = HOME_PARENTS.iter().any(|homes| path == Path::new(homes));
                let part = if is_user_name {
                    "…".into()
                } else {
                    self.without_name(part.as_os_str())
                };
                path.join(part)
            })
            .display()
            .to_string()
    }

    /// Replaces the user's name in one component of a path, but keeps an extension such as `.toml`.
    fn without_name(&self, part: &OsStr) -> OsString {
        let Some(user) = &self.user else {
            return part.to_owned();
        };
        let text = part.to_string_lossy();
        match text.strip_prefix(user.as_str()) {
            Some(rest) if rest.is_empty() || rest.starts_with('.') => format!("…{rest}").into(),
            _ => part.to_owned(),
        }
    }
}

async fn examine_places(places: Vec<(PathKind, PathBuf)>, home: PathRedactor) -> Vec<Finding> {
    let paths: Vec<PathBuf> = places.iter().map(|(_, path)| path.clone()).collect();
    let reading = spawn_blocking(move || paths.iter().map(|path| file_state(path)).collect());
    let states: Option<Vec<PathState>> = timeout(PLACES_TIMEOUT, reading)
        .await
        .ok()
        .and_then(Result::ok);
    let states = states.unwrap_or_else(|| vec![PathState::Unreadable; places.len()]);
    let findings = places.iter().zip(states);
    let findings = findings
        .map(|((kind, path), state)| checkup::place(*kind, home.redact(path).into(), state));
    findings.collect()
}

/// The state of a file. Symbolic links are followed, as when the program reads the file.
fn file_state(path: &Path) -> PathState {
    place_state(fs::metadata(path), rustix::process::geteuid().as_raw())
}

fn place_state(metadata: io::Result<Metadata>, own_uid: u32) -> PathState {
    match metadata {
        Ok(metadata) => {
            let owner = match metadata.uid() {
                uid if uid == own_uid => FileOwner::Own,
                0 => FileOwner::Root,
                _ => FileOwner::Other,
            };
            PathState::Exists {
                owner,
                mode: metadata.mode() & 0o7777,
            }
        }
        Err(error) if error.kind() == ErrorKind::NotFound => PathState::Absent,
        Err(_) => PathState::Unreadable,
    }
}

/// The time limit for reading a journal. The thread that reads it may continue for longer, which is
/// harmless.
const JOURNAL_TIMEOUT: Duration = Duration::from_secs(15);

/// Checks which credentials are in the vault. Also stores a test entry if the seller chose this
/// vault.
///
/// `command` is the external program that the seller set as the vault, if any.
async fn examine_vault(
    source: VaultSource,
    command: Option<Untrusted>,
    targets: &CheckupTargets,
    now: Wall,
) -> Vec<Finding> {
    let Some(vault) = &targets.vault else {
        return Vec::new();
    };
    let mut credentials = Vec::new();
    let mut trouble = None;
    let mut has_credential = false;
    // Each credential is stored for one service address. Without an address, none can be found.
    for kind in targets
        .contract
        .iter()
        .flat_map(|contract| contract.credentials())
    {
        let Some(base) = &targets.base else { break };
        let profile = targets.profile.clone();
        let origin = base.origin().clone();
        let name = CredentialName {
            profile,
            origin,
            kind,
        };
        let found = match vault.get(name).await {
            Ok(Some(stored)) => CredentialFound::from_expiry(stored.expires, now),
            Ok(None) => CredentialFound::Absent,
            Err(error) => {
                trouble = trouble.or(Some(error));
                CredentialFound::Unknown
            }
        };
        has_credential |= matches!(
            found,
            CredentialFound::Good(_) | CredentialFound::Expired(_)
        );
        credentials.push(checkup::credential(kind, found));
    }
    let state = match trouble {
        Some(trouble) => Err(trouble),
        None => vault_state(vault, source, has_credential).await,
    };
    let command = command.filter(|_| vault.kind() == VaultKind::Helper);
    let found = checkup::vault(vault.kind(), source, state, command);
    std::iter::once(found).chain(credentials).collect()
}

/// Checks that the vault works. If the seller chose this vault, stores a test entry, because a
/// locked keyring can look empty.
async fn vault_state(
    vault: &VaultHandle,
    source: VaultSource,
    has_credential: bool,
) -> Result<VaultUse, VaultTrouble> {
    match (vault.kind(), source) {
        (VaultKind::Environment, _) => Ok(VaultUse::Reads),
        (VaultKind::Memory, _) => Ok(VaultUse::Stores),
        _ if has_credential => Ok(VaultUse::Reads),
        (_, VaultSource::Default) => vault.get_text("checkup").await.map(|_| VaultUse::Reads),
        _ => vault.status().await.map(|_| VaultUse::Stores),
    }
}

/// Examines the journal of withdrawals, the history and the stored requests. Repairs nothing.
async fn examine_journals(location: Option<Arc<JournalLocation>>, now: Wall) -> Vec<Finding> {
    let Some(location) = location else {
        return Vec::new();
    };
    let Ok(files) = timeout(JOURNAL_TIMEOUT, location.proven_files()).await else {
        return vec![checkup::journal(JournalFound::Late)];
    };
    let [dir, history_dir, requests_dir] = [(); 3].map(|()| files.dir().to_owned());
    let copies = spawn_blocking(move || kept_copies(&dir));
    let opened = spawn_blocking(move || ReadOnlyJournal::open(&files));
    let history = examine_database(move || {
        (
            history::examine(&history_dir, now),
            history::list_renamed_files(&history_dir),
        )
    });
    let requests = examine_database(move || {
        (
            requests::examine(&requests_dir),
            requests::list_renamed_files(&requests_dir),
        )
    });
    let (opened, copies, (history, old_histories), (requests, old_requests)) = tokio::join!(
        timeout(JOURNAL_TIMEOUT, opened),
        timeout(JOURNAL_TIMEOUT, copies),
        history,
        requests,
    );
    let journal = match opened {
        Ok(Ok(opened)) => check_journal(&location, opened).await,
        _ => JournalFound::Late,
    };
    let mut findings = vec![
        checkup::journal(journal),
        checkup::history(history, &old_histories),
        checkup::requests(requests, &old_requests),
    ];
    if let Ok(Ok(copies)) = copies
        && !copies.is_empty()
    {
        let names = copies
            .iter()
            .filter_map(|copy| copy.file_name()?.to_str().map(str::to_owned));
        findings.push(checkup::copies(&names.collect::<Vec<_>>()));
    }
    findings
}

/// Runs a check of a database within a time limit. The check also returns the names of damaged
/// files that were renamed.
async fn examine_database(
    check: impl FnOnce() -> (
        Result<Option<DatabaseContents>, JournalTrouble>,
        Vec<String>,
    ) + Send
    + 'static,
) -> (DatabaseFound, Vec<String>) {
    match timeout(JOURNAL_TIMEOUT, spawn_blocking(check)).await {
        Ok(Ok((result, aside))) => (DatabaseFound::from_result(result), aside),
        _ => (DatabaseFound::Late, vec![]),
    }
}

/// The state of the journal, or the problem that the app would report when it opens the journal.
/// Also checks the markers that record which journal is in use.
async fn check_journal(
    location: &JournalLocation,
    result: Result<ReadOnlyJournal, JournalTrouble>,
) -> JournalFound {
    let opened = match result {
        Ok(opened) => Some(opened),
        Err(JournalTrouble::Missing) => None,
        Err(trouble) => return JournalFound::Trouble(trouble),
    };
    let liveness = match location.liveness().await {
        Ok(liveness) => liveness,
        Err(trouble) => return JournalFound::Trouble(trouble),
    };
    let journal = opened
        .as_ref()
        .map(|opened| &opened.journal as &dyn EventLookup);
    if let Err(trouble) = liveness.check(journal) {
        return JournalFound::Trouble(trouble);
    }
    let Some(ReadOnlyJournal {
        journal, is_copy, ..
    }) = opened
    else {
        return JournalFound::None;
    };
    let JournalContents {
        withdrawals, open, ..
    } = journal.contents();
    match journal.schema() {
        Ok(schema) => {
            let is_marked = liveness.can_be_marked;
            JournalFound::Readable {
                schema,
                withdrawals,
                open,
                is_copy,
                is_marked,
            }
        }
        Err(trouble) => JournalFound::Trouble(trouble),
    }
}

/// The time limit for resolving the host name. Without it, the operating system may take minutes.
const NAME_TIMEOUT: Duration = Duration::from_secs(5);

/// The time limit for the health check, including the connection.
const HEALTH_CHECK_TIMEOUT: Duration = Duration::from_secs(10);

/// Resolves the host name and sends a health check to the service at the same time.
async fn check_service(targets: &CheckupTargets) -> Vec<Finding> {
    let Some(base) = &targets.base else {
        return vec![checkup::address(None, false)];
    };
    let address = checkup::address(Some(base.origin()), base.is_loopback());
    // If the connection settings (such as a proxy) cannot be read, send nothing: with the default
    // settings, the request could reach another host.
    let Some(service) = &targets.service else {
        return vec![address];
    };
    let has_proxy = targets
        .contract
        .as_ref()
        .is_some_and(|contract| contract.proxy().is_some());
    let (name, health) = tokio::join!(
        look_up_name(base, has_proxy),
        timeout(HEALTH_CHECK_TIMEOUT, service.health_check())
    );
    let health = health.ok();
    let reply = health.map_or(HostReply::Failed(HostFault::Late), |health| health.reply);
    let mut findings = vec![address, checkup::dns_lookup(name), checkup::service(reply)];
    if let (HostReply::Answered { .. }, Some(health)) = (reply, health) {
        findings.push(checkup::clock(health.ahead));
    }
    findings
}

async fn look_up_name(base: &BaseUrl, has_proxy: bool) -> DnsLookup {
    let Some((name, port)) = base.name_to_look_up() else {
        return DnsLookup::NotNeeded;
    };
    if has_proxy {
        return DnsLookup::ByProxy;
    }
    match timeout(NAME_TIMEOUT, tokio::net::lookup_host((name, port))).await {
        Ok(Ok(addresses)) => count_addresses(addresses),
        Ok(Err(_)) => DnsLookup::Unknown,
        Err(_) => DnsLookup::Late,
    }
}

/// The number of distinct IPv4 and IPv6 addresses.
fn count_addresses(addresses: impl Iterator<Item = SocketAddr>) -> DnsLookup {
    let mut ips: Vec<_> = addresses.map(|address| address.ip()).collect();
    ips.sort_unstable();
    ips.dedup();
    let v4 = ips.iter().filter(|ip| ip.is_ipv4()).count() as u64;
    DnsLookup::Found {
        v4,
        v6: ips.len() as u64 - v4,
    }
}

#[cfg(test)]
mod tests;
