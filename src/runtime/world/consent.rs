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
use crate::contract::{ConfirmedLines, Contract, ContractInForce, ContractLines, TaughtLine};
use crate::service::{Consent, Limits, window_agreed};
use crate::trade::withdrawal::{NotSent, Window};
use crate::trade::{Exchange, Secret, Ticket, Untrusted, VaultTrouble};

/// The current API contract, and access to the seller's stored consent to it.
#[derive(Clone)]
pub struct ContractConsent {
    contract: ContractInForce,
    limits: Limits,
    /// How long a withdrawal may be sent again, according to the contract settings that the seller
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
        let window = watch::Sender::new(window_agreed(&contract.now(), None, &limits));
        ContractConsent { contract, limits, window, vault }
    }

    /// Returns a receiver for the time during which a withdrawal may be sent again. This time
    /// changes when the seller agrees to new contract settings.
    pub fn window(&self) -> watch::Receiver<Window> {
        self.window.subscribe()
    }

    fn name(&self) -> String {
        self.vault.text_name("contract")
    }

    /// Returns the contract settings that the seller last agreed to. Returns `None` if the vault
    /// contains no valid text for them.
    pub async fn last(&self) -> Result<Option<ContractLines>, VaultTrouble> {
        let text = self.vault.now().get_text(&self.name()).await?;
        Ok(text.and_then(|text| ContractLines::read(&text)))
    }

    /// Returns the number of settings of the current API contract that the seller has not agreed to
    /// yet.
    pub async fn pending(&self) -> Result<u64, VaultTrouble> {
        let last = self.last().await?;
        Ok(self.contract.now().to_agree(last.as_ref()).len() as u64)
    }

    /// Records that the seller agreed to all settings of the current API contract.
    pub async fn keep(&self) -> Result<(), VaultTrouble> {
        self.store(&self.contract.now().lines()).await
    }

    async fn store(&self, lines: &ContractLines) -> Result<(), VaultTrouble> {
        let text = lines.stored().filter(|_| !lines.are_too_long());
        let Some(text) = text else {
            return Err(VaultTrouble::Other("the lines are too long to be kept".into()));
        };
        self.vault.now().put_text(&self.name(), text).await?;
        self.follow(Some(lines));
        Ok(())
    }

    fn follow(&self, agreed: Option<&ContractLines>) {
        self.window.send_replace(window_agreed(&self.contract.now(), agreed, &self.limits));
    }

    /// Stores the seller's consent to settings that the seller chose in the app, because choosing a
    /// setting means agreeing to it. `before` is the contract without these settings. Returns all
    /// settings that the seller has agreed to.
    pub async fn agree_by_teaching(
        &self,
        before: &Contract,
        taught: &[TaughtLine],
    ) -> Option<ContractLines> {
        // If the vault cannot be read, store nothing. The app then shows the changed settings and
        // asks for consent.
        let last = self.last().await.ok()?;
        let agreed = before.agreed_by_teaching(last.as_ref(), taught);
        match self.store(&agreed).await {
            Ok(()) => Some(agreed),
            Err(_) => {
                self.follow(last.as_ref());
                last
            }
        }
    }
}

impl Consent for ContractConsent {
    fn check<'a>(&'a self, contract: &'a Contract) -> BoxFuture<'a, Result<(), NotSent>> {
        let check = async {
            let last = match self.last().await {
                Ok(last) => last,
                // The built-in contract needs no consent, so ignore the vault's error.
                Err(_) if !contract.needs_consent() => return Ok(()),
                Err(_) => return Err(NotSent::Vault),
            };
            match contract.to_agree(last.as_ref()).is_empty() {
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
    let last = context.consent.last().await;
    // If the vault cannot be read, assume that the seller agreed to nothing.
    context.consent.follow(last.as_ref().ok().and_then(Option::as_ref));
    Msg::ConsentRead(last)
}

/// Stores the seller's consent to the current API contract.
pub async fn agree(context: Arc<WorldContext>, ticket: Ticket) -> Msg {
    let result = context.consent.keep().await;
    Msg::ConsentStored { ticket, result }
}

/// The name of the vault entry for the confirmed contract settings.
const CONFIRMED: &str = "confirmed";

/// Returns the contract settings that the vault stores as confirmed, for a profile and its service.
pub async fn confirmed_lines(vault: &ProfileVault) -> Result<ConfirmedLines, VaultTrouble> {
    let text = vault.now().get_text(&vault.text_name(CONFIRMED)).await?;
    Ok(text.map_or_else(ConfirmedLines::default, |text| ConfirmedLines::read(&text)))
}

/// Reads which settings were confirmed in earlier runs, and marks them as confirmed in the current
/// API contract.
pub async fn read_confirmed(context: &WorldContext) {
    // If the vault cannot be read, assume that nothing was confirmed.
    let lines = confirmed_lines(&context.vault).await.unwrap_or_default();
    if !lines.is_empty() {
        context.inbox.post(in_force(context, lines));
    }
}

/// Marks settings of the current API contract as confirmed, and stores this for later runs.
///
/// If the vault cannot store them, they stay confirmed only until the program ends.
pub async fn confirm(context: Arc<WorldContext>, lines: ConfirmedLines) -> Msg {
    let vault = &context.vault;
    // Keep the settings that are already stored, because another process may have confirmed them.
    let all = confirmed_lines(vault).await.unwrap_or_default().and(&lines);
    if let Some(text) = all.kept() {
        let _ = vault.now().put_text(&vault.text_name(CONFIRMED), text).await;
    }
    in_force(&context, all)
}

fn in_force(context: &WorldContext, lines: ConfirmedLines) -> Msg {
    let contract = context.contract.now().confirmed_by(&lines);
    context.contract.replace(Arc::new(contract));
    Msg::LinesConfirmed(lines)
}

/// Writes contract settings that the seller chose in the app into the profile's contract file, and
/// applies them at once. Choosing a setting also counts as consent to it.
///
/// Without a contract file, as in the demo, the settings apply only until the program ends. Nothing
/// is changed while a withdrawal is in flight. If `exchange` created a link or direct payment and
/// its reply could not be read, the reply is then read again with the new settings.
pub async fn teach(
    context: Arc<WorldContext>,
    ticket: Ticket,
    lines: Vec<TaughtLine>,
    exchange: Arc<Exchange>,
) -> Option<Msg> {
    let result = match context.stores.now().money.is_busy() {
        true => Err("a withdrawal is in flight".into()),
        false => write(&context, lines).await,
    };
    let is_taught = result.is_ok();
    context.inbox.send(Msg::Taught { ticket, result }).await;
    if is_taught { unread::read_again(&context, &exchange).await } else { None }
}

async fn write(
    context: &WorldContext,
    lines: Vec<TaughtLine>,
) -> Result<TaughtContract, Untrusted> {
    let now = context.contract.now();
    let told = |error: String| Untrusted::from(error);
    let taught_lines = lines.clone();
    let for_the_run = |lines: &[TaughtLine]| now.taught(lines).map_err(|e| told(e.to_string()));
    let (contract, file): (Contract, _) = match context.setup.profile_contract.clone() {
        None => (for_the_run(&lines)?, None),
        Some(profile) => {
            let taught = lines.clone();
            let written = tokio::task::spawn_blocking(move || profile.teach(&taught)).await;
            match written.map_err(|error| told(error.to_string()))? {
                Ok((contract, path)) => (contract, Some(path.display().to_string().into())),
                Err(TeachError::NoProfile(_)) => (for_the_run(&lines)?, None),
                Err(error) => return Err(told(error.to_string())),
            }
        }
    };
    let contract = Arc::new(contract.in_place_of(&now));
    context.contract.replace(contract.clone());
    let agreed = context.consent.agree_by_teaching(&now, &taught_lines).await;
    Ok(TaughtContract { contract, agreed, file })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::SettingValue;
    use crate::trade::{Origin, VaultKind};
    use crate::vault::VaultHandle;

    const OWN: &str = "login.field.password.name = 'memo'";

    fn contract(text: &str) -> Arc<Contract> {
        let files = [("loja.toml", text)];
        Arc::new(Contract::with(if text.is_empty() { &[] } else { &files }).unwrap())
    }

    fn consent(vault: &VaultHandle, profile: &str, origin: &str, text: &str) -> ContractConsent {
        let vault = ProfileVault::new(profile, &Origin(origin.into()), vault.clone());
        ContractConsent::new(vault, contract(text), Limits::default())
    }

    async fn allowed(consent: &ContractConsent) -> Result<(), NotSent> {
        consent.check(&consent.contract.now()).await
    }

    #[tokio::test]
    async fn consent_counts_in_its_profile_and_at_its_origin() {
        let vault = VaultHandle::memory();
        let here = consent(&vault, "a", "https://x.example", OWN);
        assert_eq!(allowed(&here).await, Err(NotSent::NotAgreed));
        here.keep().await.unwrap();
        assert_eq!(allowed(&here).await, Ok(()));
        for (profile, origin, text) in [
            ("b", "https://x.example", OWN),
            ("a", "https://y.example", OWN),
            ("a b", "https://x.example", OWN),
            ("a", "https://x.example", "login.field.password.name = 'memo'\nfee_preview.net = []"),
            // The stored consent is to other settings, so even the built-in ones need a new
            // consent.
            ("a", "https://x.example", ""),
        ] {
            let other = consent(&vault, profile, origin, text);
            assert_eq!(allowed(&other).await, Err(NotSent::NotAgreed), "{profile} {origin}");
        }
    }

    #[tokio::test]
    async fn unreadable_text_is_no_consent() {
        let all = contract(OWN).lines().stored().unwrap();
        for text in ["", "yes", "{}", &all[1..], &all[..all.len() - 1]] {
            let vault = VaultHandle::memory();
            let here = consent(&vault, "a", "https://x.example", OWN);
            let built_in = consent(&vault, "a", "https://x.example", "");
            vault.put_text(&here.name(), text.into()).await.unwrap();
            assert_eq!(allowed(&here).await, Err(NotSent::NotAgreed), "{text:.20}");
            assert_eq!(allowed(&built_in).await, Ok(()), "{text:.20}");
        }
    }

    #[tokio::test]
    async fn silent_vault_consents_to_no_line_of_a_seller() {
        let broken = VaultHandle::over(VaultKind::Keyring, || panic!("a keyring that is broken"));
        let own = consent(&broken, "a", "https://x.example", OWN);
        assert_eq!(allowed(&own).await, Err(NotSent::Vault));
        assert!(own.keep().await.is_err());
        let built_in = consent(&broken, "a", "https://x.example", "");
        assert_eq!(allowed(&built_in).await, Ok(()));
    }

    #[tokio::test]
    async fn window_follows_what_is_stored() {
        let long = "[withdrawal]\nretention_seconds = 7200\nretention_source = 'https://x'";
        let broken = VaultHandle::over(VaultKind::Keyring, || panic!("a keyring that is broken"));
        let seconds = |here: &ContractConsent| here.window().borrow().retention.as_secs();
        let here = consent(&broken, "a", "https://x.example", long);
        assert!(here.keep().await.is_err());
        assert_eq!(seconds(&here), 600);
        let here = consent(&VaultHandle::memory(), "a", "https://x.example", long);
        assert_eq!(seconds(&here), 600);
        here.keep().await.unwrap();
        assert_eq!(seconds(&here), 7_200);
    }

    #[tokio::test]
    async fn lines_too_long_to_read_are_not_stored() {
        let long = format!("withdrawal.field.key.label.en = '{}'", "x".repeat(2_000));
        let here = consent(&VaultHandle::memory(), "a", "https://x.example", &long);
        assert!(here.keep().await.is_err());
        assert_eq!(allowed(&here).await, Err(NotSent::NotAgreed));
    }

    #[tokio::test]
    async fn teaching_is_stored_as_consent() {
        let net = SettingValue::Texts(vec!["/n".into()]);
        let taught = [TaughtLine { name: "fee_preview.net".into(), value: net }];
        for (text, is_allowed) in [("", true), (OWN, false)] {
            let vault = VaultHandle::memory();
            let here = consent(&vault, "a", "https://x.example", text);
            let before = here.contract.now();
            let agreed = here.agree_by_teaching(&before, &taught).await;
            here.contract.replace(before.taught(&taught).unwrap().into());
            assert_eq!(agreed, here.last().await.unwrap());
            assert_eq!(allowed(&here).await.is_ok(), is_allowed, "{text}");
            assert_eq!(here.pending().await, Ok(u64::from(!is_allowed)), "{text}");
        }
    }
}
