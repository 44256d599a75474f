//! The vault, the credentials in it, and the journals.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::Examined;
use crate::contract::Contract;
use crate::journal::history;
use crate::journal::money::MoneyJournal;
use crate::runtime::journal_location::JournalLocation;
use crate::trade::checkup::{
    CheckupFinding, CredentialFound, HistoryFound, JournalFound, VaultFound, VaultSource, VaultUse,
};
use crate::trade::{
    CredentialKind, CredentialName, JournalTrouble, Origin, VaultKind, VaultTrouble, Wall,
};
use crate::vault::VaultHandle;

/// The longest time for which a journal is read; the thread goes on, and harms nothing.
const LIMIT: Duration = Duration::from_secs(15);

/// Reads the vault, and has it store something of no value where the seller chose it.
pub async fn vault(source: VaultSource, all: &Examined, now: Wall) -> Vec<CheckupFinding> {
    let Some(vault) = &all.vault else { return Vec::new() };
    let kinds = kinds(all.contract.as_deref());
    let origin = all.base.as_ref().map(|base| base.origin().clone());
    let mut credentials = Vec::new();
    let (mut trouble, mut holds_any) = (None, false);
    for kind in kinds.into_iter().filter(|_| origin.is_some()) {
        let found = match credential(vault, all, &origin, kind, now).await {
            Ok(found) => found,
            Err(why) => {
                trouble = trouble.or(Some(why));
                CredentialFound::Unknown
            }
        };
        holds_any |= matches!(found, CredentialFound::Good(_) | CredentialFound::Expired(_));
        credentials.push(CheckupFinding::Credential(kind, found));
    }
    let state = match trouble {
        Some(trouble) => Err(trouble),
        None => state_of(vault, source, holds_any).await,
    };
    let found = CheckupFinding::Vault(VaultFound { kind: vault.kind(), source, state });
    std::iter::once(found).chain(credentials).collect()
}

/// Proves that the vault works.
///
/// An empty keyring and a locked one answer alike, and only storing tells them apart. One that
/// nobody chose is asked whether it answers, and nothing is stored in it.
async fn state_of(
    vault: &VaultHandle,
    source: VaultSource,
    holds_any: bool,
) -> Result<VaultUse, VaultTrouble> {
    match (vault.kind(), source) {
        (VaultKind::Environment, _) => Ok(VaultUse::Reads),
        (VaultKind::Memory, _) => Ok(VaultUse::Stores),
        _ if holds_any => Ok(VaultUse::Reads),
        (_, VaultSource::Nobody) => vault.has_marker("checkup").await.map(|_| VaultUse::Reads),
        _ => vault.status().await.map(|_| VaultUse::Stores),
    }
}

/// The credentials that the contract names.
fn kinds(contract: Option<&Contract>) -> Vec<CredentialKind> {
    let Some(contract) = contract else { return Vec::new() };
    let named = [
        &contract.domains.call,
        &contract.create_link.call,
        &contract.direct_payment.call,
        &contract.fee_preview.call,
        &contract.withdrawal.call,
    ];
    let is_named = |kind: &CredentialKind| named.iter().any(|call| call.credential == Some(*kind));
    [CredentialKind::ApiToken, CredentialKind::Jwt].into_iter().filter(is_named).collect()
}

async fn credential(
    vault: &VaultHandle,
    all: &Examined,
    origin: &Option<Origin>,
    kind: CredentialKind,
    now: Wall,
) -> Result<CredentialFound, VaultTrouble> {
    let Some(origin) = origin.clone() else { return Ok(CredentialFound::Unknown) };
    let name = CredentialName { profile: all.profile.clone(), origin, kind };
    Ok(match vault.get(name).await? {
        Some(stored) => CredentialFound::kept(stored.expires, now),
        None => CredentialFound::Absent,
    })
}

/// Reads both journals, and moves, mends and locks nothing.
pub async fn journals(location: Option<Arc<JournalLocation>>, now: Wall) -> Vec<CheckupFinding> {
    let Some(location) = location else { return Vec::new() };
    let dir = match timeout(LIMIT, location.dir_to_read(now)).await {
        Ok(Ok(dir)) => dir,
        Ok(Err(trouble)) => return vec![CheckupFinding::Journal(JournalFound::Trouble(trouble))],
        Err(_) => return vec![CheckupFinding::Journal(JournalFound::Late)],
    };
    let read = spawn_blocking(move || (journal(&dir, now), history(&dir)));
    let Ok(Ok((journal, history))) = timeout(LIMIT, read).await else {
        return vec![CheckupFinding::Journal(JournalFound::Late)];
    };
    let journal = match journal {
        JournalFound::None => missing(&location).await,
        found => found,
    };
    vec![CheckupFinding::Journal(journal), CheckupFinding::History(history)]
}

/// No journal, or one that is missing: only its markers tell.
async fn missing(location: &JournalLocation) -> JournalFound {
    match location.is_missing().await {
        Ok(false) => JournalFound::None,
        Ok(true) => JournalFound::Trouble(JournalTrouble::Missing),
        Err(trouble) => JournalFound::Trouble(JournalTrouble::MaybeMissing(trouble)),
    }
}

fn journal(dir: &Path, now: Wall) -> JournalFound {
    let why = JournalTrouble::ReadOnly("it was opened to be read".into());
    let look = match MoneyJournal::open_to_read(dir, why) {
        Ok(look) => look,
        Err(JournalTrouble::Missing) => return JournalFound::None,
        Err(trouble) => return JournalFound::Trouble(trouble),
    };
    let summary = look.journal.summary(dir, now);
    match look.journal.schema() {
        Ok(schema) => JournalFound::Whole {
            schema,
            withdrawals: summary.withdrawals,
            open: summary.open,
            is_copy: look.is_copy,
        },
        Err(trouble) => JournalFound::Trouble(trouble),
    }
}

fn history(dir: &Path) -> HistoryFound {
    match history::schema_on_disk(dir) {
        Ok(Some(schema)) => HistoryFound::There(schema),
        Ok(None) => HistoryFound::None,
        Err(trouble) => HistoryFound::Trouble(trouble),
    }
}
