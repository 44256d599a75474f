//! The seller's consent to the contract: read, stored, and checked just before money leaves.
//!
//! It stands in the vault, one text for each profile and origin. Logging out leaves it there: the
//! next seller at this profile is asked about new lines, and about nothing else.

use std::sync::Arc;

use super::WorldContext;
use crate::app::Msg;
use crate::contract::{Contract, ContractInForce, MoneyLines};
use crate::runtime::money::SharedWindow;
use crate::service::{Limits, window_agreed};
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
}

impl ContractConsent {
    /// The consent of this profile at this origin, to this contract.
    pub fn new(
        profile: &str,
        origin: &Origin,
        contract: impl Into<ContractInForce>,
        limits: Limits,
    ) -> ContractConsent {
        let contract = contract.into();
        let window = window_agreed(&contract.now(), None, &limits).into();
        // An origin has no spaces: no two pairs share a name.
        let name = format!("contract {} {profile}", origin.0).into();
        ContractConsent { name, contract, limits, window }
    }

    /// The window that follows the lines agreed to.
    pub fn window(&self) -> &SharedWindow {
        &self.window
    }

    /// The lines agreed to last; a text that cannot be read counts as none.
    async fn last(&self, vault: &VaultHandle) -> Result<Option<MoneyLines>, VaultTrouble> {
        let text = vault.get_text(self.name.to_string()).await?;
        Ok(text.and_then(|text| MoneyLines::read(&text)))
    }

    /// Returns the number of lines in force that wait to be agreed to.
    pub async fn pending(&self, vault: &VaultHandle) -> Result<u64, VaultTrouble> {
        let last = self.last(vault).await?;
        Ok(self.contract.now().to_agree(last.as_ref()).len() as u64)
    }

    /// Stores the lines in force as agreed to.
    async fn keep(&self, vault: &VaultHandle) -> Result<(), VaultTrouble> {
        let lines = self.contract.now().money_lines();
        let text = lines.kept().filter(|_| !lines.are_too_long());
        let Some(text) = text else {
            return Err(VaultTrouble::Other("the lines are too long to be kept".into()));
        };
        vault.put_text(self.name.to_string(), text).await?;
        self.follow(Some(&lines));
        Ok(())
    }

    fn follow(&self, agreed: Option<&MoneyLines>) {
        self.window.set(window_agreed(&self.contract.now(), agreed, &self.limits));
    }

    /// Allows money to leave under these lines, if the vault holds the consent at this moment.
    pub(super) async fn allow(
        &self,
        vault: &VaultHandle,
        contract: &Contract,
    ) -> Result<(), NotSent> {
        let last = self.last(vault).await.map_err(|_| NotSent::Vault)?;
        match contract.to_agree(last.as_ref()).is_empty() {
            true => Ok(()),
            false => Err(NotSent::NotAgreed),
        }
    }
}

/// Reads the lines agreed to last.
pub async fn read(context: Arc<WorldContext>) -> Msg {
    let last = context.consent.last(&context.vault()).await;
    // Where the vault gives no answer, nothing was agreed to.
    context.consent.follow(last.as_ref().ok().and_then(Option::as_ref));
    Msg::LinesRead(last)
}

/// Follows the lines agreed to last, under the contract that is in force now.
pub async fn follow_last(context: &WorldContext) {
    let last = context.consent.last(&context.vault()).await;
    context.consent.follow(last.ok().flatten().as_ref());
}

/// Stores the lines that the seller agreed to just now.
pub async fn agree(context: Arc<WorldContext>, ticket: Ticket) -> Msg {
    let result = context.consent.keep(&context.vault()).await;
    Msg::LinesAgreed { ticket, result }
}

/// Stores the program's own lines with the first withdrawal under them: after an upgrade the lines
/// that changed are shown.
///
/// The seller is not asked: there is nothing in them that a seller could know better. A vault that
/// cannot store them is no reason to stop.
pub async fn remember_own(context: Arc<WorldContext>) -> Option<Msg> {
    let (consent, vault) = (&context.consent, context.vault());
    if !consent.contract.now().own_changes().is_empty() {
        return None;
    }
    if let Ok(None) = consent.last(&vault).await {
        let _ = consent.keep(&vault).await;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trade::VaultKind;

    const OWN: &str = "withdrawal.unit = 'centavos'";

    fn contract(text: &str) -> Arc<Contract> {
        let files = [("loja.toml", text)];
        Arc::new(Contract::with(if text.is_empty() { &[] } else { &files }).unwrap())
    }

    fn consent(profile: &str, origin: &str, text: &str) -> ContractConsent {
        ContractConsent::new(profile, &Origin(origin.into()), contract(text), Limits::default())
    }

    async fn allowed(consent: &ContractConsent, vault: &VaultHandle) -> Result<(), NotSent> {
        consent.allow(vault, &consent.contract.now()).await
    }

    #[tokio::test]
    async fn what_was_agreed_to_counts_in_its_profile_and_at_its_origin() {
        let vault = VaultHandle::memory();
        let here = consent("a", "https://x.example", OWN);
        assert_eq!(allowed(&here, &vault).await, Err(NotSent::NotAgreed));
        here.keep(&vault).await.unwrap();
        assert_eq!(allowed(&here, &vault).await, Ok(()));
        for (profile, origin, text) in [
            ("b", "https://x.example", OWN),
            ("a", "https://y.example", OWN),
            ("a b", "https://x.example", OWN),
            ("a", "https://x.example", "withdrawal.unit = 'centavos'\nfee_preview.net = []"),
            // Back to what comes with the program is a change too, where something was agreed to.
            ("a", "https://x.example", ""),
        ] {
            let other = consent(profile, origin, text);
            assert_eq!(
                allowed(&other, &vault).await,
                Err(NotSent::NotAgreed),
                "{profile} {origin}"
            );
        }
    }

    #[tokio::test]
    async fn what_cannot_be_read_is_nothing_agreed_to() {
        let here = consent("a", "https://x.example", OWN);
        let own = consent("a", "https://x.example", "");
        let all = contract(OWN).money_lines().kept().unwrap();
        for text in ["", "yes", "{}", &all[1..], &all[..all.len() - 1]] {
            let vault = VaultHandle::memory();
            vault.put_text(here.name.to_string(), text.into()).await.unwrap();
            assert_eq!(allowed(&here, &vault).await, Err(NotSent::NotAgreed), "{text:.20}");
            assert_eq!(allowed(&own, &vault).await, Ok(()), "{text:.20}");
        }
    }

    #[tokio::test]
    async fn a_vault_that_does_not_answer_allows_nothing() {
        let broken = VaultHandle::over(VaultKind::Keyring, || panic!("a keyring that is broken"));
        for text in ["", OWN] {
            let here = consent("a", "https://x.example", text);
            assert_eq!(allowed(&here, &broken).await, Err(NotSent::Vault));
            assert!(here.keep(&broken).await.is_err());
        }
    }

    #[tokio::test]
    async fn the_money_threads_window_follows_what_is_kept() {
        let long = "[withdrawal]\nretention_seconds = 7200\nretention_source = 'https://x'";
        let here = consent("a", "https://x.example", long);
        let seconds = || here.window().get().retention.as_secs();
        assert_eq!(seconds(), 600);
        let broken = VaultHandle::over(VaultKind::Keyring, || panic!("a keyring that is broken"));
        assert!(here.keep(&broken).await.is_err());
        assert_eq!(seconds(), 600);
        here.keep(&VaultHandle::memory()).await.unwrap();
        assert_eq!(seconds(), 7_200);
    }

    #[tokio::test]
    async fn lines_that_nobody_can_read_are_not_kept() {
        let long = format!("withdrawal.field.key.label.en = '{}'", "x".repeat(2_000));
        let vault = VaultHandle::memory();
        let here = consent("a", "https://x.example", &long);
        assert!(here.keep(&vault).await.is_err());
        assert_eq!(allowed(&here, &vault).await, Err(NotSent::NotAgreed));
    }
}
