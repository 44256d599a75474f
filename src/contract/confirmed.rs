//! Confirmed settings: settings of the API contract that a live reply, or a payment that arrived,
//! has proven right.
//!
//! Only the program confirms settings. A `confirmed` list in a seller's file is ignored, because
//! any program that can write the file could add one.

use std::collections::BTreeMap;

use super::members::members;
use super::reply_setting::ReplySetting;
use super::reply_tree::ReplyTree;
use super::settings::{Provenance, Setting};
use super::teaching::ReadValue;
use super::{Contract, FieldKind};
use crate::trade::{Money, Operation};

/// The maximum size of the text in the vault that lists the confirmed settings, in bytes.
const MAX_BYTES: usize = 60_000;

/// The settings for the unit and the format of a withdrawal's amount.
pub(super) const UNIT_SETTINGS: [&str; 2] = ["withdrawal.unit", "withdrawal.amount_sent"];

/// The name under which the program remembers that it looked for a wrong unit. The value is the
/// checksum of the settings at that time.
const LOOKED_AT: &str = "fee_preview.looked_at_unit";

/// The name under which the program remembers the unit settings that an arrived amount refuted.
const REFUTED: &str = "withdrawal.refuted_unit";

/// Confirmed settings of the API contract with their values. If the value of a setting changes, the
/// setting counts as assumed again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfirmedSettings(pub(super) BTreeMap<String, String>);

impl ConfirmedSettings {
    /// True if no setting is confirmed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the settings in `newer`. They replace settings with the same name.
    pub fn and(mut self, newer: &ConfirmedSettings) -> ConfirmedSettings {
        self.0.extend(
            newer
                .0
                .iter()
                .map(|(name, value)| (name.clone(), value.clone())),
        );
        self
    }

    /// The confirmed settings as text for the vault, or `None` if the text would be too long.
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
        ConfirmedSettings(
            settings
                .into_iter()
                .filter(|(name, _)| can_be_confirmed(name))
                .collect(),
        )
    }
}

/// True if a setting with this name can be confirmed. Such a setting reads a value from a reply, or
/// sets the unit or format of a withdrawal's amount. The text in the vault also contains what is
/// known about a wrong unit; earlier versions of the program ignore these names.
fn can_be_confirmed(name: &str) -> bool {
    let mut reply_settings = Operation::ALL.into_iter().flat_map(ReplySetting::of);
    [UNIT_SETTINGS[0], UNIT_SETTINGS[1], LOOKED_AT, REFUTED].contains(&name)
        || reply_settings.any(|setting| setting.name == name)
}

/// Marks each assumed setting as confirmed if its current value is the confirmed value.
pub(super) fn mark_confirmed(
    settings: &mut BTreeMap<String, Setting>,
    confirmed: &BTreeMap<String, String>,
) {
    for (name, value) in confirmed {
        let is_same = value_to_confirm(settings, name).as_ref() == Some(value);
        let Some(setting) = settings.get_mut(name).filter(|_| is_same) else {
            continue;
        };
        if setting.provenance == Provenance::Assumed {
            setting.provenance = Provenance::Confirmed;
        }
    }
}

/// Marks each confirmed setting as assumed if its current value is not the confirmed value.
pub(super) fn unmark_changed(
    settings: &mut BTreeMap<String, Setting>,
    confirmed: &BTreeMap<String, String>,
) {
    for (name, value) in confirmed {
        let is_same = value_to_confirm(settings, name).as_ref() == Some(value);
        let Some(setting) = settings.get_mut(name).filter(|_| !is_same) else {
            continue;
        };
        if setting.provenance == Provenance::Confirmed {
            setting.provenance = Provenance::Assumed;
        }
    }
}

/// The value of a setting as it is confirmed. The places in a reply depend on the setting `under`
/// of the operation too: if `under` changes, they must be confirmed again.
fn value_to_confirm(settings: &BTreeMap<String, Setting>, name: &str) -> Option<String> {
    let value = settings.get(name)?.value.text();
    let (operation, _) = name.split_once('.')?;
    match settings.get(&format!("{operation}.under")) {
        Some(under) if !under.is_built_in() && !UNIT_SETTINGS.contains(&name) => {
            Some(format!("{value} under {}", under.value.text()))
        }
        _ => Some(value),
    }
}

impl Contract {
    /// The API contract with these settings marked as confirmed, except for settings whose value
    /// has changed.
    pub fn confirmed_by(&self, confirmed: &ConfirmedSettings) -> Contract {
        let mut contract = self.clone();
        contract.confirmed = self.confirmed.clone().and(confirmed);
        mark_confirmed(&mut contract.settings, &contract.confirmed.0);
        contract
    }

    /// The assumed settings that this live reply proves right. `is_right` returns true if a setting
    /// reads the right value from the reply.
    pub fn settings_confirmed_by_reply(
        &self,
        operation: Operation,
        reply: &ReplyTree,
        is_right: impl Fn(&ReplySetting, &ReadValue) -> bool,
    ) -> ConfirmedSettings {
        let assumed = ReplySetting::of(operation).filter(|setting| self.is_assumed(setting.name));
        let proven = assumed.filter(|setting| {
            let value = self.read_value(setting, reply);
            value != ReadValue::Nothing && is_right(setting, &value)
        });
        self.current_values(proven.map(|setting| setting.name))
    }

    /// True if a reply of this operation could prove that an assumed setting is right.
    pub fn can_confirm_settings(&self, operation: Operation) -> bool {
        ReplySetting::of(operation).any(|setting| self.is_assumed(setting.name))
    }

    /// The settings for the unit of a withdrawal's amount, such as reais. They are confirmed when
    /// the seller has checked how much money arrived. This also takes back that an earlier answer
    /// refuted them.
    pub fn unit_settings(&self) -> ConfirmedSettings {
        let not_refuted = remembered(REFUTED, String::new());
        self.current_values(UNIT_SETTINGS.into_iter())
            .and(&not_refuted)
    }

    /// Returns what to remember after an amount of another unit arrived.
    pub fn refuted_unit(&self) -> ConfirmedSettings {
        remembered(REFUTED, self.unit_values())
    }

    /// True if an amount of another unit arrived for the present unit.
    pub fn unit_is_refuted(&self) -> bool {
        self.confirmed.0.get(REFUTED) == Some(&self.unit_values())
    }

    /// Returns what to remember after the program has looked for a wrong unit.
    pub fn looked_at_unit(&self) -> ConfirmedSettings {
        remembered(LOOKED_AT, self.unit_checksum())
    }

    /// True if the program has looked for a wrong unit with the present settings.
    pub fn unit_was_looked_at(&self) -> bool {
        self.confirmed.0.get(LOOKED_AT) == Some(&self.unit_checksum())
    }

    /// The checksum of the unit settings and of all settings of the fee preview.
    pub fn unit_checksum(&self) -> String {
        self.all_settings()
            .checksum_of(|name| name.starts_with("fee_preview.") || UNIT_SETTINGS.contains(&name))
    }

    /// The settings for the unit of a withdrawal's amount as text.
    fn unit_values(&self) -> String {
        let values = self.current_values(UNIT_SETTINGS.into_iter());
        values.0.into_values().collect::<Vec<_>>().join(" ")
    }

    /// True if the body of a withdrawal of this amount is written in the present unit, or if its
    /// amount cannot be found.
    pub fn is_in_present_unit(&self, body: &str, amount: Money) -> bool {
        let form = &self.withdrawal.form;
        let members = members(body);
        let written = members.iter().find(|member| {
            member
                .field(form)
                .is_some_and(|field| field.kind == FieldKind::Amount)
        });
        written.is_none_or(|it| form.amounts.read_sent(it.value.text()) == Some(amount))
    }

    /// True if the unit of a withdrawal's amount is not confirmed yet.
    pub fn unit_is_assumed(&self) -> bool {
        UNIT_SETTINGS.iter().any(|name| self.is_assumed(name))
    }

    fn is_assumed(&self, name: &str) -> bool {
        self.provenance(name) == Provenance::Assumed
    }

    fn current_values<'n>(&self, names: impl Iterator<Item = &'n str>) -> ConfirmedSettings {
        let values = names
            .filter_map(|name| Some((name.to_owned(), value_to_confirm(&self.settings, name)?)));
        ConfirmedSettings(values.collect())
    }
}

fn remembered(name: &str, value: String) -> ConfirmedSettings {
    ConfirmedSettings(BTreeMap::from([(name.to_owned(), value)]))
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
        assert_eq!(
            lines.0.keys().collect::<Vec<_>>(),
            ["fee_preview.fee", "fee_preview.net"]
        );
        let confirmed = contract.confirmed_by(&lines);
        assert_eq!(
            confirmed.provenance("fee_preview.net"),
            Provenance::Confirmed
        );
        for name in ["fee_preview.path", "fee_preview.unit", "withdrawal.unit"] {
            assert_eq!(
                confirmed.provenance(name),
                contract.provenance(name),
                "{name}"
            );
        }
        assert_eq!(
            confirmed_names(&confirmed, Operation::FeePreview, fee),
            Vec::<String>::new()
        );
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
    fn place_below_other_members_is_confirmed_again() {
        let contract = Contract::built_in();
        let names = ["withdrawal.echo_amount", "withdrawal.unit"];
        let confirmed = contract.confirmed_by(&contract.current_values(names.into_iter()));
        assert_eq!(names.map(|name| confirmed.is_assumed(name)), [false, false]);
        let under = crate::contract::TaughtSetting {
            name: "withdrawal.under".into(),
            value: crate::contract::SettingValue::Texts(vec!["/data".into(), "/fee".into()]),
        };
        let taught = confirmed.with_taught(&[under]).unwrap();
        assert_eq!(names.map(|name| taught.is_assumed(name)), [true, false]);
        let again = taught.confirmed_by(&taught.current_values(names.into_iter()));
        assert_eq!(names.map(|name| again.is_assumed(name)), [false, false]);
    }

    #[test]
    fn other_unit_is_remembered_for_its_settings() {
        let contract = Contract::built_in();
        assert!(!contract.unit_is_refuted() && !contract.unit_was_looked_at());
        let known = contract.refuted_unit().and(&contract.looked_at_unit());
        let stored = ConfirmedSettings::from_vault_text(&known.to_vault_text().unwrap());
        let refuted = contract.confirmed_by(&stored);
        assert!(refuted.unit_is_refuted() && refuted.unit_was_looked_at());
        assert!(refuted.unit_is_assumed(), "nothing is proved by it");
        let teach = |name: &str, text: &str| {
            let value = crate::contract::SettingValue::Text(text.into());
            refuted
                .with_taught(&[super::super::TaughtSetting {
                    name: name.into(),
                    value,
                }])
                .unwrap()
        };
        let centavos = teach("withdrawal.unit", "centavos");
        assert!(!centavos.unit_is_refuted() && !centavos.unit_was_looked_at());
        assert!(teach("withdrawal.unit", "reais").unit_is_refuted());
        let renamed = teach("fee_preview.amount", "valor");
        assert!(renamed.unit_is_refuted() && !renamed.unit_was_looked_at());
        // The right amount takes the wrong answer back.
        let proved = refuted.confirmed_by(&refuted.unit_settings());
        assert!(!proved.unit_is_refuted() && !proved.unit_is_assumed());
    }

    #[test]
    fn body_shows_in_which_unit_it_was_written() {
        let reais = Contract::built_in();
        let centavos = Contract::with(&[("a", "withdrawal.unit = 'centavos'")]).unwrap();
        let amount = Money::from_centavos(10_000);
        for (body, in_reais, in_centavos) in [
            (r#"{"amount":100.00}"#, true, false),
            (r#"{"amount":10000}"#, false, true),
            (r#"{"valor":10000}"#, true, true),
            ("{}", true, true),
        ] {
            assert_eq!(reais.is_in_present_unit(body, amount), in_reais, "{body}");
            assert_eq!(
                centavos.is_in_present_unit(body, amount),
                in_centavos,
                "{body}"
            );
        }
    }

    #[test]
    fn stored_settings_read_back_and_others_dropped() {
        let lines = Contract::built_in().unit_settings();
        assert_eq!(
            ConfirmedSettings::from_vault_text(&lines.to_vault_text().unwrap()),
            lines
        );
        for text in ["", "[]", "{\"withdrawal.unit\": 1}", &"x".repeat(100_000)] {
            assert!(
                ConfirmedSettings::from_vault_text(text).is_empty(),
                "{text:.20}"
            );
        }
        let forged = r#"{"withdrawal.path": "/p", "withdrawal.unit": "reais"}"#;
        assert_eq!(
            ConfirmedSettings::from_vault_text(forged)
                .0
                .into_keys()
                .collect::<Vec<_>>(),
            ["withdrawal.unit"]
        );
    }
}
