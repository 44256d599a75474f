//! Asks for the seller's consent to the API contract (the description of the service's API) before
//! a command sends a request.
//!
//! At a terminal, the seller reads the contract settings and types a word to agree. A script passes
//! the checksum of the settings instead.

use std::io::{self, IsTerminal};
use std::sync::Arc;

use super::complaint::{self, Complaint};
use super::output::{print_wrapped, prompt};
use crate::app::ui::setting_changes;
use crate::contract::{Contract, SettingChange};
use crate::runtime::world::{ContractConsent, ProfileVault};
use crate::service::Limits;
use crate::trade::{Failure, Origin};
use crate::vault::VaultHandle;
use crate::words::Catalogue;
use crate::words::failure::Activity;

/// Asks the seller to agree to the API contract, unless the seller has already agreed to it.
/// Returns an error if the seller does not agree. A script agrees by passing the checksum of the
/// contract settings as `agree`.
pub(super) async fn require(
    words: &Catalogue,
    contract: &Arc<Contract>,
    profile: (&str, &Origin),
    vault: &VaultHandle,
    agree: Option<&str>,
) -> Result<Arc<ContractConsent>, Complaint> {
    let vault = ProfileVault::new(profile.0, profile.1, vault.clone());
    let consent = ContractConsent::new(vault, contract.clone(), Limits::default());
    let vault_error = |trouble| {
        let failure = Failure::Vault(trouble);
        Complaint::text(complaint::describe_failure(words, &failure, Activity::Question))
    };
    let last_agreed = match consent.last_agreed().await {
        Ok(last_agreed) => last_agreed,
        // If the stored consent cannot be read, continue only if this contract needs no consent.
        Err(_) if !contract.needs_consent() => return Ok(Arc::new(consent)),
        Err(trouble) => return Err(vault_error(trouble)),
    };
    if contract.settings_to_agree(last_agreed.as_ref()).is_empty() {
        return Ok(Arc::new(consent));
    }
    let checksum = contract.all_settings().checksum();
    let text = consent_text(words, &contract.settings_to_review(last_agreed.as_ref()));
    let refuse = |id: &str| Err(Complaint::text(format!("{text}\n\n{}", words.text(id))));
    if contract.all_settings().are_too_long() {
        return refuse("consent-too-long");
    }
    match agree {
        Some(given) if *given == checksum => {}
        Some(_) => return refuse("consent-other-sum"),
        None if io::stdin().is_terminal() && io::stdout().is_terminal() => {
            print_wrapped(&text)?;
            let word = words.text("purge-yes");
            if prompt(&words.with("consent-ask", &[("word", &*word)]))?.as_deref()
                != Some(word.as_str())
            {
                return Err(Complaint::text(words.text("consent-given-up")));
            }
        }
        None => return refuse("consent-name-sum"),
    }
    consent.agree_to_all().await.map_err(vault_error)?;
    Ok(Arc::new(consent))
}

/// Formats settings of the API contract as text, grouped by section.
fn consent_text(words: &Catalogue, changes: &[SettingChange]) -> String {
    let mut rows = vec![words.text("consent-why")];
    let mut last_section = None;
    for change in changes {
        if last_section != Some((change.changed_since_agreement, change.section)) {
            last_section = Some((change.changed_since_agreement, change.section));
            let new_mark = if change.changed_since_agreement {
                words.text("consent-news-mark")
            } else {
                String::new()
            };
            let heading = words.text(change.section);
            rows.extend([String::new(), format!("{heading}{new_mark}")]);
        }
        let [old, new] = setting_changes::old_and_new_value(words, change);
        rows.push(format!("  {}", setting_changes::escape_look_alikes(&change.name)));
        rows.push(format!("    {}: {old}", words.text("consent-old")));
        rows.push(format!("    {}: {new}", words.text("consent-new")));
        let warnings = setting_changes::warnings(words, change);
        rows.extend(warnings.iter().map(|warning| format!("    {warning}")));
    }
    rows.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Lang;

    const SELLER_FILE: &str = "login.field.password.name = 'memo'";

    fn contract(text: &str) -> Arc<Contract> {
        Arc::new(Contract::with(&[("loja.toml", text)]).unwrap())
    }

    /// Asks for consent without a terminal, as in a script. Returns the error message if consent is
    /// missing.
    async fn require_in_script(
        text: &str,
        vault: &VaultHandle,
        agree: Option<&str>,
    ) -> Result<(), String> {
        let words = Catalogue::of(Lang::Pt);
        let origin = Origin("https://x.example".into());
        let consent = require(words, &contract(text), ("loja", &origin), vault, agree).await;
        consent.map(drop).map_err(|complaint| complaint.describe(words))
    }

    #[tokio::test]
    async fn script_must_pass_the_right_checksum() {
        let (checksum, other) = (
            contract(SELLER_FILE).all_settings().checksum(),
            contract("").all_settings().checksum(),
        );
        let vault = VaultHandle::memory();
        for agree in [None, Some(&*other), Some(""), Some(&checksum[..16])] {
            let message = require_in_script(SELLER_FILE, &vault, agree).await.unwrap_err();
            assert!(message.contains("login.field.password.name"), "{message}");
            assert!(message.contains("enviada com o nome “memo”"), "{message}");
            assert!(message.contains("balcao contract show"), "{message}");
            // The error omits the checksum. Otherwise, a script could copy it without showing the
            // settings to anybody.
            assert!(!message.contains(&checksum), "{message}");
        }
        assert_eq!(require_in_script(SELLER_FILE, &vault, Some(&checksum)).await, Ok(()));
        assert_eq!(require_in_script(SELLER_FILE, &vault, None).await, Ok(()), "it is stored");
        assert!(require_in_script("login.field.password.name = 'x'", &vault, None).await.is_err());
    }

    #[tokio::test]
    async fn built_in_contract_needs_no_checksum() {
        assert_eq!(require_in_script("", &VaultHandle::memory(), None).await, Ok(()));
        let vault = VaultHandle::on_thread(crate::trade::VaultKind::Keyring, || panic!("broken"));
        let built_in = Arc::new(Contract::built_in());
        let (words, origin) = (Catalogue::of(Lang::En), Origin("https://x.example".into()));
        assert!(require(words, &built_in, ("loja", &origin), &vault, None).await.is_ok());
        assert!(require_in_script(SELLER_FILE, &vault, None).await.is_err());
    }
}
