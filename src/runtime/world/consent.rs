//! The seller's consent to the contract: read, stored, and checked just before a request is sent.
//!
//! The vault stores it, one text for each profile and origin. Logging out leaves it there: the next
//! seller at this profile is asked about new lines only.

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::WorldContext;
use crate::app::Msg;
use crate::contract::{Contract, ContractInForce, ContractLines, TaughtLine};
use crate::runtime::money::SharedWindow;
use crate::service::{Consent, Limits, window_agreed};
use crate::trade::withdrawal::NotSent;
use crate::trade::{Origin, Ticket, VaultTrouble};
use crate::vault::VaultHandle;

/// The contract to consent to, and the vault entry that holds the consent.
#[derive(Clone)]
pub struct ContractConsent {
    name: Arc<str>,
    contract: ContractInForce,
    limits: Limits,
    window: SharedWindow,
    vault: Arc<Mutex<VaultHandle>>,
}

impl ContractConsent {
    /// Returns the consent of this profile at this origin to this contract.
    pub fn new(
        (profile, origin): (&str, &Origin),
        contract: impl Into<ContractInForce>,
        limits: Limits,
        vault: Arc<Mutex<VaultHandle>>,
    ) -> ContractConsent {
        let contract = contract.into();
        let window = window_agreed(&contract.now(), None, &limits).into();
        // An origin has no spaces: no two pairs share a name.
        let name = format!("contract {} {profile}", origin.0).into();
        ContractConsent { name, contract, limits, window, vault }
    }

    /// The window that follows the lines agreed to.
    pub fn window(&self) -> &SharedWindow {
        &self.window
    }

    fn vault(&self) -> VaultHandle {
        self.vault.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the lines agreed to last; a text that cannot be read counts as none.
    pub async fn last(&self) -> Result<Option<ContractLines>, VaultTrouble> {
        let text = self.vault().get_text(&self.name).await?;
        Ok(text.and_then(|text| ContractLines::read(&text)))
    }

    /// Returns the number of lines in force that wait to be agreed to.
    pub async fn pending(&self) -> Result<u64, VaultTrouble> {
        let last = self.last().await?;
        Ok(self.contract.now().to_agree(last.as_ref()).len() as u64)
    }

    /// Stores the lines in force as agreed to.
    pub async fn keep(&self) -> Result<(), VaultTrouble> {
        self.store(&self.contract.now().lines()).await
    }

    async fn store(&self, lines: &ContractLines) -> Result<(), VaultTrouble> {
        let text = lines.stored().filter(|_| !lines.are_too_long());
        let Some(text) = text else {
            return Err(VaultTrouble::Other("the lines are too long to be kept".into()));
        };
        self.vault().put_text(&self.name, text).await?;
        self.follow(Some(lines));
        Ok(())
    }

    fn follow(&self, agreed: Option<&ContractLines>) {
        self.window.set(window_agreed(&self.contract.now(), agreed, &self.limits));
    }

    /// Stores the agreement that teaching these lines is, under the contract before them, and
    /// returns what is agreed to then.
    pub async fn agree_by_teaching(
        &self,
        before: &Contract,
        taught: &[TaughtLine],
    ) -> Option<ContractLines> {
        // Where the vault gives no answer, the lines are asked about like others.
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
                // Nobody has to agree to the program's own lines, so no vault has to say so.
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
}

/// Reads the lines agreed to last.
pub async fn read(context: Arc<WorldContext>) -> Msg {
    let last = context.consent.last().await;
    // Where the vault gives no answer, nothing was agreed to.
    context.consent.follow(last.as_ref().ok().and_then(Option::as_ref));
    Msg::ConsentRead(last)
}

/// Stores the lines that the seller agreed to just now.
pub async fn agree(context: Arc<WorldContext>, ticket: Ticket) -> Msg {
    let result = context.consent.keep().await;
    Msg::ConsentStored { ticket, result }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::SettingValue;
    use crate::trade::VaultKind;

    const OWN: &str = "login.field.password.name = 'memo'";

    fn contract(text: &str) -> Arc<Contract> {
        let files = [("loja.toml", text)];
        Arc::new(Contract::with(if text.is_empty() { &[] } else { &files }).unwrap())
    }

    fn consent(vault: &VaultHandle, profile: &str, origin: &str, text: &str) -> ContractConsent {
        let (origin, vault) = (Origin(origin.into()), Arc::new(Mutex::new(vault.clone())));
        ContractConsent::new((profile, &origin), contract(text), Limits::default(), vault)
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
            // Back to what comes with the program is a change too, where something was agreed to.
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
            vault.put_text(&here.name, text.into()).await.unwrap();
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
        let seconds = |here: &ContractConsent| here.window().get().retention.as_secs();
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
