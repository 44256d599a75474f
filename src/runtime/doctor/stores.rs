//! The vault, the credentials in it, and the journals.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::Examined;
use crate::contract::Contract;
use crate::journal::history;
use crate::journal::money::ReadOnlyJournal;
use crate::runtime::journal_location::JournalLocation;
use crate::trade::checkup::{self, CredentialFound, Finding, JournalFound, VaultSource, VaultUse};
use crate::trade::{
    CredentialKind, CredentialName, JournalTrouble, Untrusted, VaultKind, VaultTrouble, Wall,
};
use crate::vault::VaultHandle;

/// The longest time for which a journal is read; the thread goes on, and harms nothing.
const LIMIT: Duration = Duration::from_secs(15);

/// Reads the vault, and has it store something of no value where the seller chose it.
///
/// `command` is the seller's own, which may be the vault.
pub async fn vault(
    source: VaultSource,
    command: Option<Untrusted>,
    all: &Examined,
    now: Wall,
) -> Vec<Finding> {
    let Some(vault) = &all.vault else { return Vec::new() };
    let mut credentials = Vec::new();
    let (mut trouble, mut holds_any) = (None, false);
    // Without an address there is no credential to look for.
    for kind in kinds(all.contract.as_deref()) {
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
        (_, VaultSource::Nobody) => vault.get_text("checkup").await.map(|_| VaultUse::Reads),
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

/// Reads both journals, and mends and locks nothing.
pub async fn journals(location: Option<Arc<JournalLocation>>) -> Vec<Finding> {
    let Some(location) = location else { return Vec::new() };
    let Ok(dir) = timeout(LIMIT, location.dir_to_read()).await else {
        return vec![checkup::journal(JournalFound::Late)];
    };
    let read = spawn_blocking(move || (ReadOnlyJournal::open(&dir), history::schema_on_disk(&dir)));
    let Ok(Ok((looked, schema))) = timeout(LIMIT, read).await else {
        return vec![checkup::journal(JournalFound::Late)];
    };
    let journal = journal(&location, looked).await;
    vec![checkup::journal(journal), checkup::history(schema)]
}

/// The journal, or the trouble that opening it would find; its markers are asked too.
async fn journal(
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
