//! Performs the effects of the setup at the first start: checks a service address, tests vaults and
//! writes the profile.
//!
//! All other effects are ignored, because there is no journal, no credential and no service yet.

use std::future::Future;
use std::path::{Path, PathBuf};

use toml::Table;

use super::{EffectHandler, Inbox, SecretFields};
use crate::app::store::first_run::{ConnectionResult, SetUpAnswer, SetUpCommand, SetupAnswers};
use crate::app::{Effect, Msg};
use crate::config::edit::{EditError, read_if_any, replace_file, with_line};
use crate::contract::SettingValue;
use crate::service::{self, BaseUrl, Client, add_missing_scheme};
use crate::trade::{Ticket, VaultKind};
use crate::vault::VaultHandle;

pub struct FirstRunWorld {
    client: Client,
    config: PathBuf,
    inbox: Inbox,
    secrets: SecretFields,
}

impl FirstRunWorld {
    /// Creates the effect handler of the setup. `client` checks service addresses. `config` is the
    /// settings file to which the new profile is added.
    pub fn new(client: Client, config: PathBuf, inbox: Inbox) -> FirstRunWorld {
        FirstRunWorld {
            client,
            config,
            inbox,
            secrets: SecretFields::default(),
        }
    }

    fn spawn<F>(&self, ticket: Ticket, work: F)
    where
        F: Future<Output = SetUpAnswer> + Send + 'static,
    {
        let inbox = self.inbox.clone();
        tokio::spawn(async move {
            let answer = work.await;
            inbox.send(Msg::SetUp { ticket, answer }).await;
        });
    }

    fn check_address(&self, ticket: Ticket, address: &str) {
        let base = BaseUrl::parse(address);
        let checked = base
            .as_ref()
            .map(|_| add_missing_scheme(address).into())
            .map_err(|error| *error);
        let answer = SetUpAnswer::AddressChecked(checked);
        self.inbox.post(Msg::SetUp { ticket, answer });
        if let Ok(base) = base {
            let client = self.client.clone();
            self.spawn(ticket, async move {
                let is_encrypted = !base.as_str().starts_with("http:");
                let reached = service::ping(&client, &base).await;
                SetUpAnswer::Reached(reached.map(|duration| {
                    let millis = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
                    ConnectionResult {
                        is_encrypted,
                        millis,
                    }
                }))
            });
        }
    }
}

impl EffectHandler for FirstRunWorld {
    fn perform(&mut self, effect: Effect) {
        let Effect::SetUp(command) = effect else {
            return;
        };
        match command {
            SetUpCommand::CheckAddress { ticket, address } => self.check_address(ticket, &address),
            SetUpCommand::TryVaults(ticket) => self.spawn(ticket, try_vaults()),
            SetUpCommand::Write { ticket, answers } => {
                let config = self.config.clone();
                self.spawn(ticket, async move {
                    let result = tokio::task::spawn_blocking(move || {
                        write_profile(&config, &answers).map_err(|error| error.to_string())
                    })
                    .await;
                    let result = result.unwrap_or_else(|error| Err(error.to_string()));
                    SetUpAnswer::Written(result.map_err(Into::into))
                });
            }
        }
    }

    fn secrets(&mut self) -> &mut SecretFields {
        &mut self.secrets
    }
}

/// The vaults that the setup offers, because they need no further settings.
pub const SETUP_VAULTS: [VaultKind; 3] =
    [VaultKind::Keyring, VaultKind::Keyutils, VaultKind::Memory];

/// Tests which of the vaults that the setup offers can be used, each with a time limit. The
/// in-memory vault is not tested, because it always works.
async fn try_vaults() -> SetUpAnswer {
    let keyring = VaultHandle::keyring();
    let keyutils = VaultHandle::keyutils();
    let (keyring, keyutils) = tokio::join!(keyring.status(), keyutils.status());
    let mut usable = Vec::new();
    usable.extend(keyring.ok());
    usable.extend(keyutils.ok());
    usable.push(VaultKind::Memory);
    SetUpAnswer::Vaults(usable)
}

/// Adds the new profile to the settings file, without changing the rest of the file.
///
/// Fails if the file already contains a profile of this name: another program must have added that
/// profile, because the setup accepts only new names.
fn write_profile(path: &Path, answers: &SetupAnswers) -> Result<(), EditError> {
    let before = read_if_any(path)?;
    let existing: Table = before
        .as_deref()
        .and_then(|text| text.parse().ok())
        .unwrap_or_default();
    if existing
        .get("profiles")
        .and_then(|profiles| profiles.get(&answers.name))
        .is_some()
    {
        return Err(EditError::Changed);
    }
    let mut lines = vec![("base-url", SettingValue::Text(answers.address.clone()))];
    if !answers.contract.is_empty() {
        lines.push(("contract", SettingValue::Text(answers.contract.clone())));
    }
    if !answers.vault.is_empty() {
        lines.push(("vault", SettingValue::Text(answers.vault.clone())));
    }
    let mut after = before.clone().unwrap_or_default();
    for (key, value) in &lines {
        after = with_line(&after, &["profiles", &answers.name, key], value)?;
    }
    replace_file(path, before.as_deref(), &after)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn answers(name: &str) -> SetupAnswers {
        SetupAnswers {
            step: 4,
            name: name.into(),
            address: "https://x.example/\"a\\".into(),
            contract: "snake-case".into(),
            vault: "memory".into(),
        }
    }

    #[test]
    fn any_profile_name_is_added_and_rest_kept_exactly() {
        let dir = tempfile::tempdir().unwrap();
        let before = "# cores\ntheme = 'mono' # de noite\n\n  [links]\ncopy=true   # sempre\n";
        let names = [
            "loja",
            "a.b",
            "x]\nvault = 'env'",
            "\u{202e}\"",
            "é [profiles]",
            "#",
        ];
        for (n, name) in names.into_iter().enumerate() {
            let path = dir.path().join(format!("{n}.toml"));
            std::fs::write(&path, before).unwrap();
            write_profile(&path, &answers(name)).unwrap();
            let after = std::fs::read_to_string(&path).unwrap();
            let mut read: Table = after.parse().unwrap();
            let profiles = read.remove("profiles").unwrap();
            assert_eq!(profiles.as_table().unwrap().len(), 1, "{after}");
            let profile = &profiles[name];
            assert_eq!(
                profile["base-url"].as_str(),
                Some("https://x.example/\"a\\")
            );
            assert_eq!(profile["contract"].as_str(), Some("snake-case"));
            assert_eq!(profile["vault"].as_str(), Some("memory"));
            assert_eq!(read, before.parse().unwrap());
            assert!(after.starts_with(before), "{after}");
        }
    }

    #[test]
    fn new_file_is_private_and_concurrent_edit_is_kept() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("new/config.toml");
        write_profile(&path, &answers("loja")).unwrap();
        assert_eq!(
            std::fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
        let theirs = "profiles.loja.base-url = 'https://theirs.example'\n";
        std::fs::write(&path, theirs).unwrap();
        assert!(matches!(
            write_profile(&path, &answers("loja")),
            Err(EditError::Changed)
        ));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), theirs);
    }
}
