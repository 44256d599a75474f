//! What the seller agreed to of the contract: read, kept, and looked at just before money leaves.
//!
//! It stands in the vault, one text for each profile and origin. Logging out leaves it there: the
//! next seller at this profile is asked about what is new, and about nothing else.

use std::sync::Arc;

use super::Outside;
use crate::app::Msg;
use crate::contract::{Contract, MoneyLines};
use crate::runtime::money::WindowNow;
use crate::service::{Limits, window_agreed};
use crate::trade::withdrawal::NotSent;
use crate::trade::{Origin, Ticket, VaultTrouble};
use crate::vault::VaultHandle;

/// What is to be agreed to, and where that is kept.
#[derive(Clone)]
pub struct Agreements {
    name: Arc<str>,
    contract: Arc<Contract>,
    limits: Limits,
    window: WindowNow,
}

impl Agreements {
    /// Those of this profile at this origin, about this contract.
    pub fn new(
        profile: &str,
        origin: &Origin,
        contract: Arc<Contract>,
        limits: Limits,
    ) -> Agreements {
        let window = window_agreed(&contract, None, &limits).into();
        // An origin has no spaces, so no two of them have one name.
        let name = format!("contract {} {profile}", origin.0).into();
        Agreements { name, contract, limits, window }
    }

    /// The window that follows what was agreed to.
    pub fn window(&self) -> &WindowNow {
        &self.window
    }

    /// What was agreed to last; what cannot be read is nothing.
    async fn last(&self, vault: &VaultHandle) -> Result<Option<MoneyLines>, VaultTrouble> {
        let text = vault.get_text(self.name.to_string()).await?;
        Ok(text.and_then(|text| MoneyLines::read(&text)))
    }

    /// Keeps the lines in force as agreed to.
    async fn keep(&self, vault: &VaultHandle) -> Result<(), VaultTrouble> {
        let lines = self.contract.money_lines();
        let text = lines.kept().filter(|_| !lines.are_too_long());
        let Some(text) = text else {
            return Err(VaultTrouble::Other("the lines are too long to be kept".into()));
        };
        vault.put_text(self.name.to_string(), text).await?;
        self.follow(Some(&lines));
        Ok(())
    }

    fn follow(&self, agreed: Option<&MoneyLines>) {
        self.window.set(window_agreed(&self.contract, agreed, &self.limits));
    }

    /// Whether money may leave under these lines, as the vault knows it in this moment.
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

/// Reads what was agreed to last.
pub async fn read(outside: Arc<Outside>) -> Msg {
    let last = outside.agreements.last(&outside.vault()).await;
    // Where the vault does not say, nothing was agreed to.
    outside.agreements.follow(last.as_ref().ok().and_then(Option::as_ref));
    Msg::LinesRead(last)
}

/// Keeps what the seller agreed to just now.
pub async fn agree(outside: Arc<Outside>, ticket: Ticket) -> Msg {
    let result = outside.agreements.keep(&outside.vault()).await;
    Msg::LinesAgreed { ticket, result }
}

/// Remembers the program's own lines with the first withdrawal under them, so that the lines an
/// upgrade changes are shown.
///
/// Nobody is asked, and nothing is said: there is nothing in them that a seller could know better.
/// A vault that cannot is no reason to stop.
pub async fn remember_own(outside: Arc<Outside>) -> Option<Msg> {
    let (agreements, vault) = (&outside.agreements, outside.vault());
    if !agreements.contract.own_changes().is_empty() {
        return None;
    }
    if let Ok(None) = agreements.last(&vault).await {
        let _ = agreements.keep(&vault).await;
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

    fn agreements(profile: &str, origin: &str, text: &str) -> Agreements {
        Agreements::new(profile, &Origin(origin.into()), contract(text), Limits::default())
    }

    async fn allowed(agreements: &Agreements, vault: &VaultHandle) -> Result<(), NotSent> {
        agreements.allow(vault, &agreements.contract).await
    }

    #[tokio::test]
    async fn what_was_agreed_to_counts_in_its_profile_and_at_its_origin() {
        let vault = VaultHandle::memory();
        let here = agreements("a", "https://x.example", OWN);
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
            let other = agreements(profile, origin, text);
            assert_eq!(
                allowed(&other, &vault).await,
                Err(NotSent::NotAgreed),
                "{profile} {origin}"
            );
        }
    }

    #[tokio::test]
    async fn what_cannot_be_read_is_nothing_agreed_to() {
        let here = agreements("a", "https://x.example", OWN);
        let own = agreements("a", "https://x.example", "");
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
            let here = agreements("a", "https://x.example", text);
            assert_eq!(allowed(&here, &broken).await, Err(NotSent::Vault));
            assert!(here.keep(&broken).await.is_err());
        }
    }

    #[tokio::test]
    async fn the_money_threads_window_follows_what_is_kept() {
        let long = "[withdrawal]\nretention_seconds = 7200\nretention_source = 'https://x'";
        let here = agreements("a", "https://x.example", long);
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
        let here = agreements("a", "https://x.example", &long);
        assert!(here.keep(&vault).await.is_err());
        assert_eq!(allowed(&here, &vault).await, Err(NotSent::NotAgreed));
    }
}
