//! Stores which settings of the API contract the seller agreed to, which ones are confirmed, and
//! which ones the seller chose in the app.
//!
//! A contract setting describes an undocumented part of the API. For each profile and origin, the
//! vault stores two texts: the settings that the seller agreed to, and the settings that a live
//! reply or the seller confirmed. Logging out deletes neither text, so the next login asks for
//! consent only to new settings.
//!
//! The origin is agreed to like a setting, because the password is sent there. Without a stored
//! agreement, an origin counts as agreed to if the seller typed it in this start, or if the vault
//! contains an API token of this profile for it: only a login at this origin can have stored that
//! token. The first login stores the agreement, so that it survives a logout. Without a vault that
//! outlives the program, the seller is asked at each start, unless the origin is typed. Files in
//! the state directory count as no agreement, because they are not protected as a vault is.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::watch;

use super::{ProfileVault, WorldContext, unread};
use crate::app::Msg;
use crate::app::message::TaughtContract;
use crate::config::contract_files::TeachError;
use crate::contract::{
    AgreedAtStart, BASE_URL_SETTING, ConfirmedSettings, Contract, ContractInForce,
    ContractSettings, TaughtSetting,
};
use crate::locked::Locked;
use crate::service::{Consent, Limits, SandboxProof, ServiceKind, agreed_window};
use crate::trade::checkup::Agreement;
use crate::trade::withdrawal::{NotSent, Window};
use crate::trade::{
    CredentialKind, Exchange, Operation, Secret, Ticket, Untrusted, VaultKind, VaultTrouble,
};

/// The current API contract, and access to the seller's stored consent to it.
#[derive(Clone)]
pub struct ContractConsent {
    contract: ContractInForce,
    limits: Limits,
    /// The rules for sending a withdrawal again, according to the contract settings that the seller
    /// agreed to.
    window: watch::Sender<Window>,
    vault: ProfileVault,
    /// True if the seller has just chosen the settings on the first-run pages.
    is_first_run: bool,
    /// The settings that the seller chose in this start of the program, if any.
    agreed_at_start: Option<ContractSettings>,
    /// The proof that the service is the sandbox, which needs no consent. `None` if the service is
    /// not on this machine.
    proof: Option<SandboxProof>,
    /// The credential setting that the seller agreed to try, and the operation whose next request
    /// tries it.
    trial: Arc<Locked<Option<(Operation, TaughtSetting)>>>,
}

impl ContractConsent {
    /// Creates access to the consent that the vault stores for a profile. `contract` is the API
    /// contract of the profile's service.
    pub fn new(
        vault: ProfileVault,
        contract: impl Into<ContractInForce>,
        limits: Limits,
    ) -> ContractConsent {
        let contract = contract.into();
        let window = watch::Sender::new(agreed_window(&contract.current(), None, &limits));
        ContractConsent {
            contract,
            limits,
            window,
            vault,
            is_first_run: false,
            agreed_at_start: None,
            proof: None,
            trial: Arc::default(),
        }
    }

    /// Sets what the seller chose in this start, and the proof that the service is the sandbox.
    pub fn with_start(self, agreed: AgreedAtStart, proof: Option<SandboxProof>) -> ContractConsent {
        let is_first_run = agreed == AgreedAtStart::FirstRun;
        let agreed_at_start = self.contract.current();
        let agreed_at_start = agreed_at_start.settings_agreed_at_start(agreed, &self.vault.origin);
        ContractConsent {
            is_first_run,
            agreed_at_start,
            proof,
            ..self
        }
    }

    /// The kind of the vault that stores the agreement.
    pub fn vault_kind(&self) -> VaultKind {
        self.vault.now().kind()
    }

    /// The proof that the service is the sandbox. `None` if the service is not on this machine.
    pub fn proof(&self) -> Option<SandboxProof> {
        self.proof.clone()
    }

    /// A receiver for the rules for sending a withdrawal again. These rules change when the seller
    /// agrees to new contract settings.
    pub fn window(&self) -> watch::Receiver<Window> {
        self.window.subscribe()
    }

    fn entry_name(&self) -> String {
        self.vault.text_name("contract")
    }

    /// The contract settings that the seller last agreed to, or `None` if there was no agreement.
    /// At this user's sandbox, all settings count as agreed to.
    pub async fn last_agreed(&self) -> Result<Option<ContractSettings>, VaultTrouble> {
        let contract = self.contract.current();
        let agreed = self.agreed_outside_sandbox(&contract).await;
        let is_complete = agreed
            .as_ref()
            .is_ok_and(|agreed| contract.settings_to_agree(agreed.as_ref()).is_empty());
        if !is_complete && self.is_sandbox().await {
            return Ok(Some(contract.all_settings()));
        }
        agreed
    }

    async fn agreed_outside_sandbox(
        &self,
        contract: &Contract,
    ) -> Result<Option<ContractSettings>, VaultTrouble> {
        match (self.stored().await, &self.agreed_at_start) {
            (Ok(Some(stored)), _) => Ok(Some(stored)),
            (_, Some(agreed)) => Ok(Some(agreed.clone())),
            (Ok(None), None) => {
                let name = self.vault.name(CredentialKind::ApiToken);
                let has_logged_in = self.vault.now().get(name).await?.is_some();
                let origin =
                    contract.settings_agreed_at_start(AgreedAtStart::Origin, &self.vault.origin);
                Ok(origin.filter(|_| has_logged_in))
            }
            (Err(trouble), None) => Err(trouble),
        }
    }

    /// The agreement that the vault contains. An earlier version stored it without the origin, but
    /// for one origin only: that of the entry's name.
    async fn stored(&self) -> Result<Option<ContractSettings>, VaultTrouble> {
        let text = self.vault.now().get_text(&self.entry_name()).await?;
        let settings = text.and_then(|text| ContractSettings::from_vault_text(&text));
        let origin = self
            .contract
            .current()
            .base_url()
            .map(|_| &*self.vault.origin.0);
        Ok(settings.map(|settings| settings.at_base_url(origin)))
    }

    /// True if the service proves to be this user's sandbox. The proof is requested only once.
    async fn is_sandbox(&self) -> bool {
        match &self.proof {
            Some(proof) => proof.kind().await == ServiceKind::Sandbox,
            None => false,
        }
    }

    /// Stores the agreement after a login, so that a later start does not ask for it again. Does
    /// nothing if an agreement is stored already.
    pub async fn remember(&self) {
        let contract = self.contract.current();
        if contract.base_url().is_none() || !matches!(self.stored().await, Ok(None)) {
            return;
        }
        let Ok(Some(agreed)) = self.agreed_outside_sandbox(&contract).await else {
            return;
        };
        if contract.settings_to_agree(Some(&agreed)).is_empty() {
            // Ignore an error. Its only effect is that the seller is asked at a later start.
            let _ = self.store(&agreed).await;
        }
    }

    /// Stores the agreement to the settings that the seller has just chosen on the first-run pages.
    pub async fn remember_first_run(&self) {
        if self.is_first_run {
            self.remember().await;
        }
    }

    /// Whether the seller has agreed to the current API contract.
    pub async fn agreement(&self) -> Agreement {
        let contract = self.contract.current();
        let last = self.last_agreed().await;
        let differing = contract.differences().len() as u64;
        Agreement {
            differing,
            pending: last
                .as_ref()
                .ok()
                .map(|last| contract.settings_to_agree(last.as_ref()).len() as u64),
            is_kept: last.is_ok() && self.vault_kind().outlives_the_program(),
            // Ask the service for its proof only if the answer depends on it.
            is_sandbox: differing > 0 && self.is_sandbox().await,
        }
    }

    /// Records that the seller agreed to all settings of the current API contract.
    pub async fn agree_to_all(&self) -> Result<(), VaultTrouble> {
        self.store(&self.contract.current().all_settings()).await
    }

    async fn store(&self, lines: &ContractSettings) -> Result<(), VaultTrouble> {
        let text = lines.to_vault_text().filter(|_| !lines.are_too_long());
        let Some(text) = text else {
            return Err(VaultTrouble::Other(
                "the lines are too long to be kept".into(),
            ));
        };
        self.vault.now().put_text(&self.entry_name(), text).await?;
        self.update_window(Some(lines));
        Ok(())
    }

    /// Agrees to try this credential setting in the next request of an operation.
    pub fn begin_trial(&self, operation: Operation, setting: TaughtSetting) {
        *self.trial.lock() = Some((operation, setting));
    }

    /// Ends the trial, because its request has a result.
    pub fn end_trial(&self) {
        *self.trial.lock() = None;
    }

    /// The credential setting that the next request of this operation tries, if any.
    pub fn trial_of(&self, operation: Operation) -> Option<TaughtSetting> {
        let trial = self.trial.lock().clone();
        trial
            .filter(|(tried, _)| *tried == operation)
            .map(|(_, setting)| setting)
    }

    /// True if the seller has agreed to the contract, except for the setting that a trial changes.
    fn is_agreed_for_trial(&self, contract: &Contract, last: Option<&ContractSettings>) -> bool {
        self.trial.lock().clone().is_some_and(|(_, setting)| {
            let agreed = self
                .contract
                .current()
                .agreed_after_teaching(last, &[setting]);
            contract.settings_to_agree(Some(&agreed)).is_empty()
        })
    }

    fn update_window(&self, agreed: Option<&ContractSettings>) {
        self.window.send_replace(agreed_window(
            &self.contract.current(),
            agreed,
            &self.limits,
        ));
    }

    /// Stores the seller's consent to settings that the seller chose in the app, because choosing a
    /// setting means agreeing to it. `before` is the contract without these settings. Returns all
    /// settings that the seller has agreed to.
    pub async fn agree_by_teaching(
        &self,
        before: &Contract,
        taught: &[TaughtSetting],
    ) -> Option<ContractSettings> {
        // If the vault cannot be read, store nothing. The app then shows the changed settings and
        // asks for consent.
        let last = self.last_agreed().await.ok()?;
        let agreed = before.agreed_after_teaching(last.as_ref(), taught);
        // A reply from another origin can be taught too. That is no agreement to this origin.
        if before.base_url().is_some() && agreed.get(BASE_URL_SETTING).is_none() {
            self.update_window(last.as_ref());
            return last;
        }
        match self.store(&agreed).await {
            Ok(()) => Some(agreed),
            Err(_) => {
                self.update_window(last.as_ref());
                last
            }
        }
    }
}

impl Consent for ContractConsent {
    fn check<'a>(&'a self, contract: &'a Contract) -> BoxFuture<'a, Result<(), NotSent>> {
        let check = async {
            let last = match self.last_agreed().await {
                Ok(last) => last,
                // The built-in contract needs no consent, so ignore the vault's error.
                Err(_) if !contract.needs_consent() => return Ok(()),
                Err(_) => return Err(NotSent::Vault),
            };
            let is_agreed = contract.settings_to_agree(last.as_ref()).is_empty()
                || self.is_agreed_for_trial(contract, last.as_ref());
            if is_agreed {
                Ok(())
            } else {
                Err(NotSent::NotAgreed)
            }
        };
        check.boxed()
    }

    fn credentials(&self) -> BoxFuture<'_, Vec<Secret>> {
        self.vault.secrets().boxed()
    }
}

/// Reads the contract settings that the seller last agreed to.
pub async fn read(context: Arc<WorldContext>) -> Msg {
    let last = context.consent.last_agreed().await;
    // If the vault cannot be read, assume that the seller agreed to nothing.
    context
        .consent
        .update_window(last.as_ref().ok().and_then(Option::as_ref));
    Msg::ConsentRead(last)
}

/// Stores the seller's consent to the current API contract.
pub async fn agree(context: Arc<WorldContext>, ticket: Ticket) -> Msg {
    let result = context.consent.agree_to_all().await;
    Msg::ConsentStored { ticket, result }
}

/// The vault entry for the confirmed contract settings.
const CONFIRMED: &str = "confirmed";

/// The contract settings that the profile's vault stores as confirmed.
pub async fn confirmed_lines(vault: &ProfileVault) -> Result<ConfirmedSettings, VaultTrouble> {
    let text = vault.now().get_text(&vault.text_name(CONFIRMED)).await?;
    Ok(text.map_or_else(ConfirmedSettings::default, |text| {
        ConfirmedSettings::from_vault_text(&text)
    }))
}

/// Reads which settings were confirmed in earlier runs, and marks them as confirmed in the current
/// API contract.
pub async fn read_confirmed(context: &WorldContext) {
    // If the vault cannot be read, assume that nothing was confirmed.
    let lines = confirmed_lines(&context.vault).await.unwrap_or_default();
    if !lines.is_empty() {
        context.inbox.post(apply_confirmed(context, lines));
    }
}

/// Marks settings of the current API contract as confirmed, and stores them as confirmed for later
/// runs. If the vault cannot store them, they stay confirmed only until the program ends.
pub async fn confirm(context: Arc<WorldContext>, lines: ConfirmedSettings) -> Msg {
    let vault = &context.vault;
    // Keep the settings that are already stored, because another process may have confirmed them.
    let confirmed = confirmed_lines(vault).await.unwrap_or_default().and(&lines);
    if let Some(text) = confirmed.to_vault_text() {
        let _ = vault
            .now()
            .put_text(&vault.text_name(CONFIRMED), text)
            .await;
    }
    apply_confirmed(&context, confirmed)
}

fn apply_confirmed(context: &WorldContext, lines: ConfirmedSettings) -> Msg {
    let contract = context.contract.current().confirmed_by(&lines);
    context.contract.replace(Arc::new(contract));
    Msg::SettingsConfirmed(lines)
}

/// Applies the contract settings that the seller chose in the app, and writes them to the profile's
/// contract file. Without such a file, as in the demo, they apply only until the program ends.
///
/// Nothing is changed while a withdrawal is in flight. If the reply in `exchange` could not be read
/// before, it is read again with the new settings.
pub async fn teach(
    context: Arc<WorldContext>,
    ticket: Ticket,
    settings: Vec<TaughtSetting>,
    exchange: Arc<Exchange>,
) -> Option<Msg> {
    if !save_taught(&context, ticket, settings).await {
        return None;
    }
    unread::read_again(&context, &exchange).await
}

/// Works like [`teach`], but reads no reply again. Returns false if the settings were refused.
pub async fn save_taught(
    context: &WorldContext,
    ticket: Ticket,
    settings: Vec<TaughtSetting>,
) -> bool {
    let result = if context.stores.money.is_busy() {
        Err("a withdrawal is in flight".into())
    } else {
        apply_taught_settings(context, settings).await
    };
    let is_taught = result.is_ok();
    context.inbox.send(Msg::Taught { ticket, result }).await;
    is_taught
}

async fn apply_taught_settings(
    context: &WorldContext,
    settings: Vec<TaughtSetting>,
) -> Result<TaughtContract, Untrusted> {
    let before = context.contract.current();
    let taught_settings = settings.clone();
    let build_in_memory = |settings: &[TaughtSetting]| {
        before
            .with_taught(settings)
            .map_err(|error| Untrusted::from(error.to_string()))
    };
    let (contract, file): (Contract, _) = match context.setup.profile_contract.clone() {
        None => (build_in_memory(&settings)?, None),
        Some(profile) => {
            let settings_to_write = settings.clone();
            let result =
                tokio::task::spawn_blocking(move || profile.teach(&settings_to_write)).await;
            match result.map_err(|error| Untrusted::from(error.to_string()))? {
                Ok((contract, path)) => (contract, Some(path.display().to_string().into())),
                Err(TeachError::NoProfile(_)) => (build_in_memory(&settings)?, None),
                Err(error) => return Err(Untrusted::from(error.to_string())),
            }
        }
    };
    let contract = Arc::new(contract.with_profile_and_confirmed_of(&before));
    context.contract.replace(contract.clone());
    let agreed = context
        .consent
        .agree_by_teaching(&before, &taught_settings)
        .await;
    Ok(TaughtContract {
        contract,
        agreed,
        file,
    })
}

#[cfg(test)]
mod tests;
