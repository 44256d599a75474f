//! Tests of the agreement to the API contract.

use super::*;
use crate::contract::SettingValue;
use crate::runtime::world::jwt_credential;
use crate::trade::{Origin, Wall};
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
        (
            "a",
            "https://x.example",
            "login.field.password.name = 'memo'\nfee_preview.net = []",
        ),
        // The seller agreed to other settings, so even the built-in settings need a new
        // consent.
        ("a", "https://x.example", ""),
    ] {
        let other = consent(&vault, profile, origin, text);
        assert_eq!(
            check_consent(&other).await,
            Err(NotSent::NotAgreed),
            "{profile} {origin}"
        );
    }
}

#[tokio::test]
async fn unreadable_text_is_no_consent() {
    let valid_text = contract(CUSTOM_LINE)
        .all_settings()
        .to_vault_text()
        .unwrap();
    for text in [
        "",
        "yes",
        "{}",
        &valid_text[1..],
        &valid_text[..valid_text.len() - 1],
    ] {
        let vault = VaultHandle::memory();
        let custom = consent(&vault, "a", "https://x.example", CUSTOM_LINE);
        let built_in = consent(&vault, "a", "https://x.example", "");
        vault
            .put_text(&custom.entry_name(), text.into())
            .await
            .unwrap();
        assert_eq!(
            check_consent(&custom).await,
            Err(NotSent::NotAgreed),
            "{text:.20}"
        );
        assert_eq!(check_consent(&built_in).await, Ok(()), "{text:.20}");
    }
}

#[tokio::test]
async fn broken_vault_agrees_to_no_custom_line() {
    let broken = VaultHandle::on_thread(VaultKind::Keyring, || panic!("a keyring that is broken"));
    let custom = consent(&broken, "a", "https://x.example", CUSTOM_LINE);
    assert_eq!(check_consent(&custom).await, Err(NotSent::Vault));
    assert!(custom.agree_to_all().await.is_err());
    let built_in = consent(&broken, "a", "https://x.example", "");
    assert_eq!(check_consent(&built_in).await, Ok(()));
}

#[tokio::test]
async fn window_follows_the_stored_consent() {
    let long = "[withdrawal]\nretention_seconds = 7200\nretention_source = 'https://x'";
    let broken = VaultHandle::on_thread(VaultKind::Keyring, || panic!("a keyring that is broken"));
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
    let taught = [TaughtSetting {
        name: "fee_preview.net".into(),
        value: net,
    }];
    for (text, is_allowed) in [("", true), (CUSTOM_LINE, false)] {
        let vault = VaultHandle::memory();
        let custom = consent(&vault, "a", "https://x.example", text);
        let before = custom.contract.current();
        let agreed = custom.agree_by_teaching(&before, &taught).await;
        custom
            .contract
            .replace(before.with_taught(&taught).unwrap().into());
        assert_eq!(agreed, custom.last_agreed().await.unwrap());
        assert_eq!(check_consent(&custom).await.is_ok(), is_allowed, "{text}");
        assert_eq!(
            custom.agreement().await.pending,
            Some(u64::from(!is_allowed)),
            "{text}"
        );
    }
}

/// A profile whose origin comes from a file, with the built-in contract.
fn at_origin(vault: &VaultHandle, origin: &str) -> ContractConsent {
    let contract = Contract::built_in().with_base_url(origin);
    let vault = ProfileVault::new("a", &Origin(origin.into()), vault.clone());
    ContractConsent::new(vault, Arc::new(contract), Limits::default())
}

async fn store_token(consent: &ContractConsent) {
    let token = jwt_credential(Secret::new("token".into()), None, Wall(0));
    let name = consent.vault.name(CredentialKind::ApiToken);
    consent
        .vault
        .now()
        .put(name, Arc::new(token))
        .await
        .unwrap();
}

#[tokio::test]
async fn origin_is_agreed_to_if_typed_or_logged_in() {
    let vault = VaultHandle::memory();
    let here = at_origin(&vault, "https://x.example");
    assert_eq!(check_consent(&here).await, Err(NotSent::NotAgreed));
    let typed = here.clone().with_start(AgreedAtStart::BaseUrl, None);
    assert_eq!(check_consent(&typed).await, Ok(()));
    assert_eq!(
        check_consent(&here).await,
        Err(NotSent::NotAgreed),
        "typing stores nothing"
    );
    // A token of this profile proves an earlier login, but only at its own origin.
    store_token(&here).await;
    assert_eq!(check_consent(&here).await, Ok(()));
    let elsewhere = at_origin(&vault, "https://y.example");
    assert_eq!(check_consent(&elsewhere).await, Err(NotSent::NotAgreed));
    // The login stores the agreement, which survives a logout.
    here.remember().await;
    here.vault
        .now()
        .delete(here.vault.name(CredentialKind::ApiToken))
        .await
        .unwrap();
    assert_eq!(check_consent(&here).await, Ok(()));
    assert_eq!(check_consent(&elsewhere).await, Err(NotSent::NotAgreed));
}

#[tokio::test]
async fn other_path_of_the_origin_needs_agreement() {
    let vault = VaultHandle::memory();
    let here = at_origin(&vault, "https://x.example");
    let at_path = |path: &str| {
        let consent = here.clone();
        let base_url = format!("https://x.example{path}");
        let contract = Arc::new(Contract::built_in().with_base_url(&base_url));
        ContractConsent {
            contract: contract.into(),
            ..consent
        }
    };
    // The token proves a login at this origin, but not at which path.
    store_token(&here).await;
    assert_eq!(check_consent(&here).await, Ok(()));
    assert_eq!(
        check_consent(&at_path("/thief")).await,
        Err(NotSent::NotAgreed)
    );
    let typed = at_path("/shop").with_start(AgreedAtStart::BaseUrl, None);
    assert_eq!(check_consent(&typed).await, Ok(()));
    typed.remember().await;
    assert_eq!(check_consent(&at_path("/shop")).await, Ok(()));
    assert_eq!(
        check_consent(&at_path("/thief")).await,
        Err(NotSent::NotAgreed)
    );
    assert_eq!(check_consent(&here).await, Err(NotSent::NotAgreed));
    // A variable beside the credentials names only the origin.
    let named = at_path("/thief").with_start(AgreedAtStart::Origin, None);
    assert_eq!(check_consent(&named).await, Err(NotSent::NotAgreed));
}

#[tokio::test]
async fn earlier_agreement_counts_at_its_origin() {
    let vault = VaultHandle::memory();
    let earlier = contract(CUSTOM_LINE)
        .all_settings()
        .to_vault_text()
        .unwrap();
    let with_line = |origin: &str| {
        let custom = consent(&vault, "a", origin, CUSTOM_LINE);
        let contract = contract(CUSTOM_LINE).as_ref().clone();
        custom
            .contract
            .replace(Arc::new(contract.with_base_url(&custom.vault.origin.0)));
        custom
    };
    let here = with_line("https://x.example");
    vault.put_text(&here.entry_name(), earlier).await.unwrap();
    assert_eq!(check_consent(&here).await, Ok(()));
    let elsewhere = with_line("https://y.example");
    assert_eq!(check_consent(&elsewhere).await, Err(NotSent::NotAgreed));
}

#[tokio::test]
async fn first_run_is_remembered_until_something_changes() {
    let vault = VaultHandle::memory();
    let preset = crate::contract::Preset::named("centavos").unwrap();
    let centavos = Contract::with(&[(preset.file, preset.text)]).unwrap();
    let with_preset = |contract: &Contract| {
        let consent = at_origin(&vault, "https://x.example");
        consent.contract.replace(
            contract
                .clone()
                .with_base_url(&consent.vault.origin.0)
                .into(),
        );
        consent
    };
    let chosen = with_preset(&centavos).with_start(AgreedAtStart::FirstRun, None);
    assert_eq!(check_consent(&chosen).await, Ok(()));
    chosen.remember_first_run().await;
    // The next start finds the agreement in the vault.
    assert_eq!(check_consent(&with_preset(&centavos)).await, Ok(()));
    let changed = with_preset(&Contract::built_in());
    assert_eq!(changed.agreement().await.pending, Some(4));
    // A preset that is added to a profile is not remembered by a login.
    let added = with_preset(&centavos).with_start(AgreedAtStart::BaseUrl, None);
    vault.delete_marker(&added.entry_name()).await.unwrap();
    added.remember().await;
    assert_eq!(added.agreement().await.pending, Some(4));
    assert_eq!(check_consent(&added).await, Err(NotSent::NotAgreed));
}

#[tokio::test]
async fn teaching_agrees_to_no_origin() {
    let value = SettingValue::Texts(vec!["/n".into()]);
    let taught = [TaughtSetting {
        name: "fee_preview.net".into(),
        value,
    }];
    let here = at_origin(&VaultHandle::memory(), "https://x.example");
    let before = here.contract.current();
    assert_eq!(here.agree_by_teaching(&before, &taught).await, None);
    here.contract
        .replace(before.with_taught(&taught).unwrap().into());
    assert_eq!(here.agreement().await.pending, Some(2));
}
