//! Asks for the seller's consent to the API contract (the description of the service's API) before
//! a command sends a request.
//!
//! At a terminal, the seller reads the contract settings and types a word to agree. A script passes
//! the checksum of the settings instead.

use std::io::{self, IsTerminal};

use super::complaint::{self, Complaint};
use super::output::{print_wrapped, prompt};
use crate::app::ui::setting_changes;
use crate::contract::{self, Contract, SettingChange};
use crate::runtime::world::ContractConsent;
use crate::trade::{Failure, Origin};
use crate::words::Catalogue;
use crate::words::failure::Activity;

/// Asks the seller to agree to the API contract, unless the seller has already agreed to it.
/// Returns an error if the seller does not agree. A script agrees by passing the checksum of the
/// contract settings as `agree`. `earlier` is the origin that the profile used
/// before, if it has moved.
pub(super) async fn require(
    words: &Catalogue,
    contract: &Contract,
    consent: &ContractConsent,
    earlier: Option<&Origin>,
    agree: Option<&str>,
) -> Result<(), Complaint> {
    let vault_error = |trouble| {
        let failure = Failure::Vault(trouble);
        Complaint::text(complaint::describe_failure(
            words,
            &failure,
            Activity::Question,
        ))
    };
    let last_agreed = match consent.last_agreed().await {
        Ok(last_agreed) => last_agreed,
        // If the stored consent cannot be read, continue only if this contract needs no consent.
        Err(_) if !contract.needs_consent() => return Ok(()),
        Err(trouble) => return Err(vault_error(trouble)),
    };
    if contract.settings_to_agree(last_agreed.as_ref()).is_empty() {
        return Ok(());
    }
    let checksum = contract.all_settings().checksum();
    let mut changes = contract.settings_to_review(last_agreed.as_ref());
    contract::add_earlier_origin(&mut changes, earlier);
    let text = consent_text(words, &changes);
    let refuse = |id: &str| {
        // A vault that ends with the program cannot store the agreement for the next command.
        let is_kept = consent.vault_kind().outlives_the_program();
        let unkept = (!is_kept).then(|| words.text("consent-unkept"));
        let parts = [Some(text.clone()), Some(words.text(id)), unkept];
        let parts: Vec<_> = parts.into_iter().flatten().collect();
        Err(Complaint::text(parts.join("\n\n")))
    };
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
    consent.agree_to_all().await.map_err(vault_error)
}

/// Formats settings of the API contract as text, grouped by section.
fn consent_text(words: &Catalogue, changes: &[SettingChange]) -> String {
    let mut rows = vec![words.text(setting_changes::reason(changes))];
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
        rows.push(format!(
            "  {}",
            setting_changes::escape_look_alikes(&change.name)
        ));
        if change.old != change.new {
            rows.push(format!("    {}: {old}", words.text("consent-old")));
        }
        rows.push(format!("    {}: {new}", words.text("consent-new")));
        let warnings = setting_changes::warnings(words, change);
        rows.extend(warnings.iter().map(|warning| format!("    {warning}")));
    }
    rows.join("\n")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::contract::AgreedAtStart;
    use crate::runtime::world::ProfileVault;
    use crate::service::Limits;
    use crate::trade::VaultKind;
    use crate::vault::VaultHandle;
    use crate::words::Lang;

    const SELLER_FILE: &str = "login.field.password.name = 'memo'";

    /// A run of a command in a script, which has no terminal.
    struct Script<'a> {
        contract: Contract,
        vault: &'a VaultHandle,
        agreed_at_start: AgreedAtStart,
        earlier: Option<Origin>,
    }

    impl<'a> Script<'a> {
        /// Creates a script for a contract file at this origin, which comes from a file.
        fn new(text: &str, origin: &str, vault: &'a VaultHandle) -> Script<'a> {
            let files = [("loja.toml", text)];
            let contract = Contract::with(if text.is_empty() { &[] } else { &files }).unwrap();
            let contract = contract.with_base_url(origin);
            Script {
                contract,
                vault,
                agreed_at_start: AgreedAtStart::Nothing,
                earlier: None,
            }
        }

        fn with_typed_origin(self) -> Script<'a> {
            Script {
                agreed_at_start: AgreedAtStart::BaseUrl,
                ..self
            }
        }

        fn checksum(&self) -> String {
            self.contract.all_settings().checksum()
        }

        /// Requires the consent. Returns the error message if it is missing.
        async fn require(&self, agree: Option<&str>) -> Result<(), String> {
            let words = Catalogue::of(Lang::Pt);
            let origin = Origin(self.contract.base_url().unwrap().into());
            let vault = ProfileVault::new("loja", &origin, self.vault.clone());
            let contract = Arc::new(self.contract.clone());
            let consent = ContractConsent::new(vault, contract, Limits::default())
                .with_start(self.agreed_at_start, None);
            let result = require(
                words,
                &self.contract,
                &consent,
                self.earlier.as_ref(),
                agree,
            )
            .await;
            result.map_err(|complaint| complaint.describe(words))
        }
    }

    const ORIGIN: &str = "https://api.loja.example";

    const THIEF: &str = "https://api.ladrao.example";

    fn broken_vault() -> VaultHandle {
        VaultHandle::on_thread(VaultKind::Keyring, || panic!("broken"))
    }

    #[tokio::test]
    async fn script_must_pass_the_right_checksum() {
        let vault = VaultHandle::memory();
        let script = Script::new(SELLER_FILE, ORIGIN, &vault).with_typed_origin();
        let checksum = script.checksum();
        let other = Script::new("", ORIGIN, &vault).checksum();
        for agree in [None, Some(&*other), Some(""), Some(&checksum[..16])] {
            let message = script.require(agree).await.unwrap_err();
            assert!(message.contains("login.field.password.name"), "{message}");
            assert!(message.contains("enviada com o nome “memo”"), "{message}");
            assert!(message.contains("balcao contract show"), "{message}");
            assert!(
                message.contains("passe --agree em cada comando"),
                "{message}"
            );
            // The error omits the checksum. Otherwise, a script could copy it without showing the
            // settings to anybody.
            assert!(!message.contains(&checksum), "{message}");
        }
        assert_eq!(script.require(Some(&checksum)).await, Ok(()));
        assert_eq!(script.require(None).await, Ok(()), "it is stored");
        let changed = Script::new("login.field.password.name = 'x'", ORIGIN, &vault);
        assert!(changed.with_typed_origin().require(None).await.is_err());
    }

    #[tokio::test]
    async fn checksum_of_another_origin_is_refused() {
        let vault = VaultHandle::memory();
        let own = Script::new("", ORIGIN, &vault);
        let checksum = own.checksum();
        assert_eq!(own.require(Some(&checksum)).await, Ok(()));
        let earlier = Some(Origin(ORIGIN.into()));
        let moved = Script {
            earlier,
            ..Script::new("", THIEF, &vault)
        };
        for agree in [None, Some(&*checksum)] {
            let message = moved.require(agree).await.unwrap_err();
            for part in [
                "Confira o endereço do serviço",
                "profile.base-url",
                ORIGIN,
                THIEF,
            ] {
                assert!(message.contains(part), "{part} in {message}");
            }
        }
        assert_eq!(moved.require(Some(&moved.checksum())).await, Ok(()));
    }

    #[tokio::test]
    async fn built_in_contract_at_typed_origin_is_accepted() {
        for vault in [VaultHandle::memory(), broken_vault()] {
            let built_in = Script::new("", ORIGIN, &vault).with_typed_origin();
            assert_eq!(built_in.require(None).await, Ok(()));
            let seller_file = Script::new(SELLER_FILE, ORIGIN, &vault).with_typed_origin();
            assert!(seller_file.require(None).await.is_err());
        }
        // Without a readable vault, nobody knows whether an origin from a file was agreed to.
        assert!(
            Script::new("", ORIGIN, &broken_vault())
                .require(None)
                .await
                .is_err()
        );
    }
}
