//! Confirmed settings: settings of the API contract that a live reply, or a payment that arrived,
//! has proven right.
//!
//! Only the program confirms settings. A `confirmed` list in a seller's file is ignored, because
//! any program that can write the file could add one.

use std::collections::BTreeMap;

use super::Contract;
use super::settings::{Provenance, Setting};
use super::teaching::{ReadValue, ReplySetting, ReplyTree};
use crate::trade::Operation;

/// The maximum size of the text in the vault that lists the confirmed settings, in bytes.
const MAX_BYTES: usize = 60_000;

/// The settings for the unit and the format of a withdrawal's amount.
pub(super) const UNIT_SETTINGS: [&str; 2] = ["withdrawal.unit", "withdrawal.amount_sent"];

/// Confirmed settings of the API contract with their values. If the value of a setting changes, the
/// setting counts as assumed again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfirmedSettings(pub(super) BTreeMap<String, String>);

impl ConfirmedSettings {
    /// Returns true if no setting is confirmed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the settings in `newer`. They replace settings with the same name.
    pub fn and(mut self, newer: &ConfirmedSettings) -> ConfirmedSettings {
        self.0.extend(newer.0.iter().map(|(name, value)| (name.clone(), value.clone())));
        self
    }

    /// Returns the confirmed settings as text for the vault, or `None` if the text would be too
    /// long.
    pub fn to_vault_text(&self) -> Option<String> {
        let text = serde_json::to_string(&self.0).ok()?;
        (text.len() <= MAX_BYTES).then_some(text)
    }

    /// Reads confirmed settings from a text in the vault. If the text is invalid, no setting is
    /// confirmed.
    pub fn from_vault_text(text: &str) -> ConfirmedSettings {
        let text = Some(text).filter(|text| text.len() <= MAX_BYTES);
        let settings = text.and_then(|text| serde_json::from_str(text).ok());
        let settings: BTreeMap<String, String> = settings.unwrap_or_default();
        ConfirmedSettings(settings.into_iter().filter(|(name, _)| can_be_confirmed(name)).collect())
    }
}

/// Returns true if a setting with this name can be confirmed. Such a setting reads a value from a
/// reply, or sets the unit or format of a withdrawal's amount.
fn can_be_confirmed(name: &str) -> bool {
    let mut reply_settings = Operation::ALL.into_iter().flat_map(ReplySetting::of);
    UNIT_SETTINGS.contains(&name) || reply_settings.any(|setting| setting.name == name)
}

/// Marks each assumed setting as confirmed if its current value is the confirmed value.
pub(super) fn mark_confirmed(
    settings: &mut BTreeMap<String, Setting>,
    confirmed: &BTreeMap<String, String>,
) {
    for (name, value) in confirmed {
        let Some(setting) = settings.get_mut(name) else { continue };
        if setting.provenance == Provenance::Assumed && setting.value.text() == *value {
            setting.provenance = Provenance::Confirmed;
        }
    }
}

impl Contract {
    /// Returns the API contract with these settings marked as confirmed, except for settings whose
    /// value has changed.
    pub fn confirmed_by(&self, confirmed: &ConfirmedSettings) -> Contract {
        let mut contract = self.clone();
        contract.confirmed = self.confirmed.clone().and(confirmed);
        mark_confirmed(&mut contract.settings, &contract.confirmed.0);
        contract
    }

    /// Returns the assumed settings that this live reply proves right. `is_right` returns true if a
    /// setting reads the right value from the reply.
    pub fn settings_confirmed_by_reply(
        &self,
        operation: Operation,
        reply: &ReplyTree,
        is_right: impl Fn(&ReplySetting, &ReadValue) -> bool,
    ) -> ConfirmedSettings {
        let assumed = ReplySetting::of(operation).filter(|setting| self.is_assumed(setting.name));
        let is_proven = |setting: &&ReplySetting| {
            let value = self.read_value(setting, reply);
            value != ReadValue::Nothing && is_right(setting, &value)
        };
        self.current_values(assumed.filter(is_proven).map(|setting| setting.name))
    }

    /// Returns true if a reply of this operation could prove that an assumed setting is right.
    pub fn can_confirm_settings(&self, operation: Operation) -> bool {
        ReplySetting::of(operation).any(|setting| self.is_assumed(setting.name))
    }

    /// Returns the settings for the unit of a withdrawal's amount, such as reais. They are
    /// confirmed when the seller has checked how much money arrived.
    pub fn unit_settings(&self) -> ConfirmedSettings {
        self.current_values(UNIT_SETTINGS.into_iter())
    }

    /// Returns true if the unit of a withdrawal's amount is not confirmed yet.
    pub fn unit_is_assumed(&self) -> bool {
        UNIT_SETTINGS.iter().any(|name| self.is_assumed(name))
    }

    fn is_assumed(&self, name: &str) -> bool {
        self.provenance(name) == Provenance::Assumed
    }

    fn current_values<'n>(&self, names: impl Iterator<Item = &'n str>) -> ConfirmedSettings {
        let value = |name: &str| Some((name.to_owned(), self.value(name)?.text()));
        ConfirmedSettings(names.filter_map(value).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(body: &str) -> ReplyTree {
        ReplyTree::read(&body.into()).unwrap()
    }

    fn confirmed_names(contract: &Contract, operation: Operation, body: &str) -> Vec<String> {
        contract
            .settings_confirmed_by_reply(operation, &tree(body), |_, _| true)
            .0
            .into_keys()
            .collect()
    }

    #[test]
    fn a_reply_confirms_only_the_settings_that_read_it() {
        let contract = Contract::built_in();
        let fee = r#"{"fee": 2.05, "net": 97.95}"#;
        let lines =
            contract.settings_confirmed_by_reply(Operation::FeePreview, &tree(fee), |_, _| true);
        assert_eq!(lines.0.keys().collect::<Vec<_>>(), ["fee_preview.fee", "fee_preview.net"]);
        let confirmed = contract.confirmed_by(&lines);
        assert_eq!(confirmed.provenance("fee_preview.net"), Provenance::Confirmed);
        for name in ["fee_preview.path", "fee_preview.unit", "withdrawal.unit"] {
            assert_eq!(confirmed.provenance(name), contract.provenance(name), "{name}");
        }
        assert_eq!(confirmed_names(&confirmed, Operation::FeePreview, fee), Vec::<String>::new());
        assert!(!confirmed.can_confirm_settings(Operation::FeePreview));
        assert_eq!(
            confirmed_names(&contract, Operation::FeePreview, r#"{"x": 1}"#),
            Vec::<String>::new()
        );
    }

    #[test]
    fn setting_confirmed_only_with_its_confirmed_value() {
        let contract = Contract::built_in();
        let lines = contract.unit_settings();
        assert!(contract.unit_is_assumed());
        let confirmed = contract.confirmed_by(&lines);
        assert!(!confirmed.unit_is_assumed());
        let centavos = Contract::with(&[("a", "withdrawal.unit = 'centavos'")]).unwrap();
        assert!(centavos.confirmed_by(&lines).unit_is_assumed());
        // If the amount's format changes, the settings are no longer confirmed, as if the unit had
        // changed.
        let comma = Contract::with(&[("a", "withdrawal.amount_sent = 'text-comma'")]);
        if let Ok(comma) = comma {
            assert!(comma.confirmed_by(&lines).unit_is_assumed());
        }
        let unit = crate::contract::TaughtSetting {
            name: "withdrawal.unit".into(),
            value: crate::contract::SettingValue::Text("centavos".into()),
        };
        let taught = confirmed.with_taught(&[unit]).unwrap();
        assert!(taught.unit_is_assumed());
    }

    #[test]
    fn stored_settings_read_back_and_others_dropped() {
        let lines = Contract::built_in().unit_settings();
        assert_eq!(ConfirmedSettings::from_vault_text(&lines.to_vault_text().unwrap()), lines);
        for text in ["", "[]", "{\"withdrawal.unit\": 1}", &"x".repeat(100_000)] {
            assert!(ConfirmedSettings::from_vault_text(text).is_empty(), "{text:.20}");
        }
        let forged = r#"{"withdrawal.path": "/p", "withdrawal.unit": "reais"}"#;
        assert_eq!(
            ConfirmedSettings::from_vault_text(forged).0.into_keys().collect::<Vec<_>>(),
            ["withdrawal.unit"]
        );
    }
}
