//! Stores which settings of the API contract the seller agreed to, which ones are confirmed, and
//! which ones the seller chose in the app.
//!
//! A contract setting describes an undocumented part of the API. For each profile and origin, the
//! vault stores two texts: the settings that the seller agreed to, and the settings that a live
//! reply or the seller confirmed. Logging out deletes neither text, so the next login asks for
//! consent only to new settings.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::watch;

use super::{ProfileVault, WorldContext, unread};
use crate::app::Msg;
use crate::app::message::TaughtContract;
use crate::config::contract_files::TeachError;
use crate::contract::{
    ConfirmedSettings, Contract, ContractInForce, ContractSettings, TaughtSetting,
};
use crate::service::{Consent, Limits, agreed_window};
use crate::trade::withdrawal::{NotSent, Window};
use crate::trade::{Exchange, Secret, Ticket, Untrusted, VaultTrouble};

/// The current API contract, and access to the seller's stored consent to it.
#[derive(Clone)]
pub struct ContractConsent {
    contract: ContractInForce,
    limits: Limits,
    /// The rules for sending a withdrawal again, according to the contract settings that the seller
    /// agreed to.
    window: watch::Sender<Window>,
    vault: ProfileVault,
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
        ContractConsent { contract, limits, window, vault }
    }

    /// Returns a receiver for the rules for sending a withdrawal again. These rules change when the
    /// seller agrees to new contract settings.
    pub fn window(&self) -> watch::Receiver<Window> {
        self.window.subscribe()
    }

    fn entry_name(&self) -> String {
        self.vault.text_name("contract")
    }

    /// Returns the contract settings that the seller last agreed to. Returns `None` if the vault
    /// contains no valid text for them.
    pub async fn last_agreed(&self) -> Result<Option<ContractSettings>, VaultTrouble> {
        let text = self.vault.now().get_text(&self.entry_name()).await?;
        Ok(text.and_then(|text| ContractSettings::from_vault_text(&text)))
    }

    /// Returns the number of settings of the current API contract that the seller has not agreed to
    /// yet.
    pub async fn pending(&self) -> Result<u64, VaultTrouble> {
        let last = self.last_agreed().await?;
        Ok(self.contract.current().settings_to_agree(last.as_ref()).len() as u64)
    }

    /// Records that the seller agreed to all settings of the current API contract.
    pub async fn agree_to_all(&self) -> Result<(), VaultTrouble> {
        self.store(&self.contract.current().all_settings()).await
    }

    async fn store(&self, lines: &ContractSettings) -> Result<(), VaultTrouble> {
        let text = lines.to_vault_text().filter(|_| !lines.are_too_long());
        let Some(text) = text else {
            return Err(VaultTrouble::Other("the lines are too long to be kept".into()));
        };
        self.vault.now().put_text(&self.entry_name(), text).await?;
        self.update_window(Some(lines));
        Ok(())
    }

    fn update_window(&self, agreed: Option<&ContractSettings>) {
        self.window.send_replace(agreed_window(&self.contract.current(), agreed, &self.limits));
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
            match contract.settings_to_agree(last.as_ref()).is_empty() {
                true => Ok(()),
                false => Err(NotSent::NotAgreed),
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
    context.consent.update_window(last.as_ref().ok().and_then(Option::as_ref));
    Msg::ConsentRead(last)
}

/// Stores the seller's consent to the current API contract.
pub async fn agree(context: Arc<WorldContext>, ticket: Ticket) -> Msg {
    let result = context.consent.agree_to_all().await;
    Msg::ConsentStored { ticket, result }
}

/// The vault entry for the confirmed contract settings.
const CONFIRMED: &str = "confirmed";

/// Returns the contract settings that the profile's vault stores as confirmed.
pub async fn confirmed_lines(vault: &ProfileVault) -> Result<ConfirmedSettings, VaultTrouble> {
    let text = vault.now().get_text(&vault.text_name(CONFIRMED)).await?;
    Ok(text
        .map_or_else(ConfirmedSettings::default, |text| ConfirmedSettings::from_vault_text(&text)))
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
        let _ = vault.now().put_text(&vault.text_name(CONFIRMED), text).await;
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
    let result = match context.stores.now().money.is_busy() {
        true => Err("a withdrawal is in flight".into()),
        false => apply_taught_settings(&context, settings).await,
    };
    let is_taught = result.is_ok();
    context.inbox.send(Msg::Taught { ticket, result }).await;
    if is_taught { unread::read_again(&context, &exchange).await } else { None }
}

async fn apply_taught_settings(
    context: &WorldContext,
    settings: Vec<TaughtSetting>,
) -> Result<TaughtContract, Untrusted> {
    let before = context.contract.current();
    let untrusted = |error: String| Untrusted::from(error);
    let taught_settings = settings.clone();
    let build_in_memory = |settings: &[TaughtSetting]| {
        before.with_taught(settings).map_err(|error| untrusted(error.to_string()))
    };
    let (contract, file): (Contract, _) = match context.setup.profile_contract.clone() {
        None => (build_in_memory(&settings)?, None),
        Some(profile) => {
            let settings_to_write = settings.clone();
            let result =
                tokio::task::spawn_blocking(move || profile.teach(&settings_to_write)).await;
            match result.map_err(|error| untrusted(error.to_string()))? {
                Ok((contract, path)) => (contract, Some(path.display().to_string().into())),
                Err(TeachError::NoProfile(_)) => (build_in_memory(&settings)?, None),
                Err(error) => return Err(untrusted(error.to_string())),
            }
        }
    };
    let contract = Arc::new(contract.with_profile_and_confirmed_of(&before));
    context.contract.replace(contract.clone());
    let agreed = context.consent.agree_by_teaching(&before, &taught_settings).await;
    Ok(TaughtContract { contract, agreed, file })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::SettingValue;
    use crate::trade::{Origin, VaultKind};
    use crate::vault::VaultHandle;

    const CUSTOM_LINE: &str = "login.field.password.name = 'memo'";

    fn contract(text: &str) -> Arc<Contract> {
        let files = [("loja.toml", text)];
        Arc::new(Contract::with(if text.is_empty() { &[] } else { &files }).unwrap())
    }

    fn consent(vault: &VaultHandle, profile: &str, origin: &str, text: &str) -> ContractConsent {
        let vault = ProfileVault::new(profile, &Origin(origin.into()), vault.clone());
        ContractConsent::new(vault, contract(text), Limits::default())
    }

    async fn check_consent(consent: &ContractConsent) -> Result<(), NotSent> {
        consent.check(&consent.contract.current()).await
    }

    #[tokio::test]
    async fn consent_counts_in_its_profile_and_at_its_origin() {
        let vault = VaultHandle::memory();
        let agreed = consent(&vault, "a", "https://x.example", CUSTOM_LINE);
        assert_eq!(check_consent(&agreed).await, Err(NotSent::NotAgreed));
        agreed.agree_to_all().await.unwrap();
        assert_eq!(check_consent(&agreed).await, Ok(()));
        for (profile, origin, text) in [
            ("b", "https://x.example", CUSTOM_LINE),
            ("a", "https://y.example", CUSTOM_LINE),
            ("a b", "https://x.example", CUSTOM_LINE),
            ("a", "https://x.example", "login.field.password.name = 'memo'\nfee_preview.net = []"),
            // The seller agreed to other settings, so even the built-in settings need a new
            // consent.
            ("a", "https://x.example", ""),
        ] {
            let other = consent(&vault, profile, origin, text);
            assert_eq!(check_consent(&other).await, Err(NotSent::NotAgreed), "{profile} {origin}");
        }
    }

    #[tokio::test]
    async fn unreadable_text_is_no_consent() {
        let valid_text = contract(CUSTOM_LINE).all_settings().to_vault_text().unwrap();
        for text in ["", "yes", "{}", &valid_text[1..], &valid_text[..valid_text.len() - 1]] {
            let vault = VaultHandle::memory();
            let custom = consent(&vault, "a", "https://x.example", CUSTOM_LINE);
            let built_in = consent(&vault, "a", "https://x.example", "");
            vault.put_text(&custom.entry_name(), text.into()).await.unwrap();
            assert_eq!(check_consent(&custom).await, Err(NotSent::NotAgreed), "{text:.20}");
            assert_eq!(check_consent(&built_in).await, Ok(()), "{text:.20}");
        }
    }

    #[tokio::test]
    async fn broken_vault_agrees_to_no_custom_line() {
        let broken =
            VaultHandle::on_thread(VaultKind::Keyring, || panic!("a keyring that is broken"));
        let custom = consent(&broken, "a", "https://x.example", CUSTOM_LINE);
        assert_eq!(check_consent(&custom).await, Err(NotSent::Vault));
        assert!(custom.agree_to_all().await.is_err());
        let built_in = consent(&broken, "a", "https://x.example", "");
        assert_eq!(check_consent(&built_in).await, Ok(()));
    }

    #[tokio::test]
    async fn window_follows_the_stored_consent() {
        let long = "[withdrawal]\nretention_seconds = 7200\nretention_source = 'https://x'";
        let broken =
            VaultHandle::on_thread(VaultKind::Keyring, || panic!("a keyring that is broken"));
        let seconds = |custom: &ContractConsent| custom.window().borrow().retention.as_secs();
        let custom = consent(&broken, "a", "https://x.example", long);
        assert!(custom.agree_to_all().await.is_err());
        assert_eq!(seconds(&custom), 600);
        let custom = consent(&VaultHandle::memory(), "a", "https://x.example", long);
        assert_eq!(seconds(&custom), 600);
        custom.agree_to_all().await.unwrap();
        assert_eq!(seconds(&custom), 7_200);
    }

    #[tokio::test]
    async fn lines_too_long_to_read_are_not_stored() {
        let long = format!("withdrawal.field.key.label.en = '{}'", "x".repeat(2_000));
        let long_consent = consent(&VaultHandle::memory(), "a", "https://x.example", &long);
        assert!(long_consent.agree_to_all().await.is_err());
        assert_eq!(check_consent(&long_consent).await, Err(NotSent::NotAgreed));
    }

    #[tokio::test]
    async fn teaching_is_stored_as_consent() {
        let net = SettingValue::Texts(vec!["/n".into()]);
        let taught = [TaughtSetting { name: "fee_preview.net".into(), value: net }];
        for (text, is_allowed) in [("", true), (CUSTOM_LINE, false)] {
            let vault = VaultHandle::memory();
            let custom = consent(&vault, "a", "https://x.example", text);
            let before = custom.contract.current();
            let agreed = custom.agree_by_teaching(&before, &taught).await;
            custom.contract.replace(before.with_taught(&taught).unwrap().into());
            assert_eq!(agreed, custom.last_agreed().await.unwrap());
            assert_eq!(check_consent(&custom).await.is_ok(), is_allowed, "{text}");
            assert_eq!(custom.pending().await, Ok(u64::from(!is_allowed)), "{text}");
        }
    }
}
