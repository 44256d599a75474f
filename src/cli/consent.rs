//! Asks for the seller's consent to the API contract (the description of the service's API) before
//! a command sends a request.
//!
//! At a terminal, the seller reads the contract settings and types a word to agree. A script passes
//! the checksum of the settings instead.

use std::io::{self, IsTerminal};
use std::sync::Arc;

use super::complaint::{self, Complaint};
use super::output::{print_wrapped, prompt};
use crate::app::ui::consent_lines;
use crate::contract::{Contract, LineChange};
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
    let trouble = |trouble| {
        let failure = Failure::Vault(trouble);
        Complaint::text(complaint::failure(words, &failure, Activity::Question))
    };
    let last = match consent.last().await {
        Ok(last) => last,
        // The stored consent could not be read, but this API contract needs no consent.
        Err(_) if !contract.needs_consent() => return Ok(Arc::new(consent)),
        Err(why) => return Err(trouble(why)),
    };
    if contract.to_agree(last.as_ref()).is_empty() {
        return Ok(Arc::new(consent));
    }
    let sum = contract.lines().sum();
    let text = text(words, &contract.to_read(last.as_ref()));
    let refused = |id: &str| Err(Complaint::text(format!("{text}\n\n{}", words.text(id))));
    if contract.lines().are_too_long() {
        return refused("consent-too-long");
    }
    match agree {
        Some(named) if *named == sum => {}
        Some(_) => return refused("consent-other-sum"),
        None if io::stdin().is_terminal() && io::stdout().is_terminal() => {
            print_wrapped(&text)?;
            let word = words.text("purge-yes");
            if prompt(&words.with("consent-ask", &[("word", &*word)]))?.as_deref()
                != Some(word.as_str())
            {
                return Err(Complaint::text(words.text("consent-given-up")));
            }
        }
        None => return refused("consent-name-sum"),
    }
    consent.keep().await.map_err(trouble)?;
    Ok(Arc::new(consent))
}

/// Formats settings of the API contract as text, grouped by section.
fn text(words: &Catalogue, lines: &[LineChange]) -> String {
    let mut rows = vec![words.text("consent-why")];
    let mut last = None;
    for line in lines {
        if last != Some((line.changed_since_agreement, line.part)) {
            last = Some((line.changed_since_agreement, line.part));
            let news = if line.changed_since_agreement {
                words.text("consent-news-mark")
            } else {
                String::new()
            };
            let heading = words.text(line.part);
            rows.extend([String::new(), format!("{heading}{news}")]);
        }
        let [old, new] = consent_lines::values(words, line);
        rows.push(format!("  {}", consent_lines::shown(&line.name)));
        rows.push(format!("    {}: {old}", words.text("consent-old")));
        rows.push(format!("    {}: {new}", words.text("consent-new")));
        let warnings = consent_lines::warnings(words, line);
        rows.extend(warnings.iter().map(|warning| format!("    {warning}")));
    }
    rows.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Lang;

    const OWN: &str = "login.field.password.name = 'memo'";

    fn contract(text: &str) -> Arc<Contract> {
        Arc::new(Contract::with(&[("loja.toml", text)]).unwrap())
    }

    /// Asks for consent without a terminal, as in a script. Returns the error message if consent is
    /// missing.
    async fn asked(text: &str, vault: &VaultHandle, agree: Option<&str>) -> Result<(), String> {
        let words = Catalogue::of(Lang::Pt);
        let origin = Origin("https://x.example".into());
        let consent = require(words, &contract(text), ("loja", &origin), vault, agree).await;
        consent.map(drop).map_err(|complaint| complaint.describe(words))
    }

    #[tokio::test]
    async fn script_names_the_sum_and_no_other() {
        let (sum, other) = (contract(OWN).lines().sum(), contract("").lines().sum());
        let vault = VaultHandle::memory();
        for agree in [None, Some(&*other), Some(""), Some(&sum[..16])] {
            let told = asked(OWN, &vault, agree).await.unwrap_err();
            assert!(told.contains("login.field.password.name"), "{told}");
            assert!(told.contains("enviada com o nome “memo”"), "{told}");
            assert!(told.contains("balcao contract show"), "{told}");
            // The error omits the checksum. Otherwise, a script could copy it without showing the
            // settings to anybody.
            assert!(!told.contains(&sum), "{told}");
        }
        assert_eq!(asked(OWN, &vault, Some(&sum)).await, Ok(()));
        assert_eq!(asked(OWN, &vault, None).await, Ok(()), "it is stored");
        assert!(asked("login.field.password.name = 'x'", &vault, None).await.is_err());
    }

    #[tokio::test]
    async fn built_in_contract_needs_no_sum() {
        assert_eq!(asked("", &VaultHandle::memory(), None).await, Ok(()));
        let vault = VaultHandle::over(crate::trade::VaultKind::Keyring, || panic!("broken"));
        let built_in = Arc::new(Contract::built_in());
        let (words, origin) = (Catalogue::of(Lang::En), Origin("https://x.example".into()));
        assert!(require(words, &built_in, ("loja", &origin), &vault, None).await.is_ok());
        assert!(asked(OWN, &vault, None).await.is_err());
    }
}
