//! Confirmed settings: settings of the API contract that a live reply, or a payment that arrived,
//! has proven right.
//!
//! Only the program confirms settings. A `confirmed` list in a seller's file is ignored, because
//! any program that can write the file could add one.

use std::collections::BTreeMap;

use super::Contract;
use super::settings::{Provenance, Setting};
use super::teaching::{ReadValue, ReplyLine, ReplyTree};
use crate::trade::Operation;

/// The maximum size of the text in the vault that lists the confirmed settings, in bytes.
const MOST_BYTES: usize = 60_000;

/// The settings for the unit and the format of a withdrawal's amount.
pub(super) const UNIT_LINES: [&str; 2] = ["withdrawal.unit", "withdrawal.amount_sent"];

/// Confirmed settings of the API contract with their values. If the value of a setting changes, the
/// setting counts as assumed again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfirmedLines(pub(super) BTreeMap<String, String>);

impl ConfirmedLines {
    /// Returns true if no setting is confirmed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the settings in `newer`. They replace settings with the same name.
    pub fn and(mut self, newer: &ConfirmedLines) -> ConfirmedLines {
        self.0.extend(newer.0.iter().map(|(name, value)| (name.clone(), value.clone())));
        self
    }

    /// Returns the confirmed settings as text for the vault, or `None` if the text would be too
    /// long.
    pub fn kept(&self) -> Option<String> {
        let text = serde_json::to_string(&self.0).ok()?;
        (text.len() <= MOST_BYTES).then_some(text)
    }

    /// Reads confirmed settings from a text in the vault. If the text is invalid, no setting is
    /// confirmed.
    pub fn read(text: &str) -> ConfirmedLines {
        let short = Some(text).filter(|text| text.len() <= MOST_BYTES);
        let lines = short.and_then(|text| serde_json::from_str(text).ok());
        let lines: BTreeMap<String, String> = lines.unwrap_or_default();
        ConfirmedLines(lines.into_iter().filter(|(name, _)| may_be_confirmed(name)).collect())
    }
}

/// Returns true if a setting with this name can be confirmed. Such a setting tells where a reply
/// has a value, or sets the unit or format of a withdrawal's amount.
fn may_be_confirmed(name: &str) -> bool {
    let mut sought = Operation::ALL.into_iter().flat_map(ReplyLine::of);
    UNIT_LINES.contains(&name) || sought.any(|line| line.name == name)
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
    pub fn confirmed_by(&self, lines: &ConfirmedLines) -> Contract {
        let mut contract = self.clone();
        contract.confirmed = self.confirmed.clone().and(lines);
        mark_confirmed(&mut contract.settings, &contract.confirmed.0);
        contract
    }

    /// Returns the assumed settings that this live reply proves to be right. `is_it` returns true
    /// if the value that a setting reads from the reply is the right value.
    pub fn confirmed_by_reply(
        &self,
        operation: Operation,
        reply: &ReplyTree,
        is_it: impl Fn(&ReplyLine, &ReadValue) -> bool,
    ) -> ConfirmedLines {
        let sought = ReplyLine::of(operation).filter(|line| self.is_assumed(line.name));
        let is_read = |line: &&ReplyLine| {
            let read = self.reads(line, reply);
            read != ReadValue::Nothing && is_it(line, &read)
        };
        self.current_values(sought.filter(is_read).map(|line| line.name))
    }

    /// Returns true if a reply of this operation could prove that an assumed setting is right.
    pub fn can_confirm_lines(&self, operation: Operation) -> bool {
        ReplyLine::of(operation).any(|line| self.is_assumed(line.name))
    }

    /// Returns the settings for the unit of a withdrawal's amount, such as reais. They are
    /// confirmed when the seller has checked how much money arrived.
    pub fn unit_lines(&self) -> ConfirmedLines {
        self.current_values(UNIT_LINES.into_iter())
    }

    /// Returns true if the unit of a withdrawal's amount is not confirmed yet.
    pub fn unit_is_assumed(&self) -> bool {
        UNIT_LINES.iter().any(|name| self.is_assumed(name))
    }

    fn is_assumed(&self, name: &str) -> bool {
        self.provenance(name) == Provenance::Assumed
    }

    fn current_values<'n>(&self, names: impl Iterator<Item = &'n str>) -> ConfirmedLines {
        let value = |name: &str| Some((name.to_owned(), self.value(name)?.text()));
        ConfirmedLines(names.filter_map(value).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(body: &str) -> ReplyTree {
        ReplyTree::read(&body.into()).unwrap()
    }

    fn proved(contract: &Contract, operation: Operation, body: &str) -> Vec<String> {
        contract.confirmed_by_reply(operation, &tree(body), |_, _| true).0.into_keys().collect()
    }

    #[test]
    fn a_reply_confirms_only_the_lines_that_read_it() {
        let contract = Contract::built_in();
        let fee = r#"{"fee": 2.05, "net": 97.95}"#;
        let lines = contract.confirmed_by_reply(Operation::FeePreview, &tree(fee), |_, _| true);
        assert_eq!(lines.0.keys().collect::<Vec<_>>(), ["fee_preview.fee", "fee_preview.net"]);
        let confirmed = contract.confirmed_by(&lines);
        assert_eq!(confirmed.provenance("fee_preview.net"), Provenance::Confirmed);
        for line in ["fee_preview.path", "fee_preview.unit", "withdrawal.unit"] {
            assert_eq!(confirmed.provenance(line), contract.provenance(line), "{line}");
        }
        assert_eq!(proved(&confirmed, Operation::FeePreview, fee), Vec::<String>::new());
        assert!(!confirmed.can_confirm_lines(Operation::FeePreview));
        assert_eq!(proved(&contract, Operation::FeePreview, r#"{"x": 1}"#), Vec::<String>::new());
    }

    #[test]
    fn line_confirmed_only_with_its_confirmed_value() {
        let contract = Contract::built_in();
        let lines = contract.unit_lines();
        assert!(contract.unit_is_assumed());
        let confirmed = contract.confirmed_by(&lines);
        assert!(!confirmed.unit_is_assumed());
        let centavos = Contract::with(&[("a", "withdrawal.unit = 'centavos'")]).unwrap();
        assert!(centavos.confirmed_by(&lines).unit_is_assumed());
        // After a change of the amount's format, the settings need a new confirmation, as after a
        // change of the unit.
        let texts = Contract::with(&[("a", "withdrawal.amount_sent = 'text-comma'")]);
        if let Ok(texts) = texts {
            assert!(texts.confirmed_by(&lines).unit_is_assumed());
        }
        let unit = crate::contract::TaughtLine {
            name: "withdrawal.unit".into(),
            value: crate::contract::SettingValue::Text("centavos".into()),
        };
        let taught = confirmed.taught(&[unit]).unwrap();
        assert!(taught.unit_is_assumed());
    }

    #[test]
    fn stored_lines_read_back_and_others_are_dropped() {
        let lines = Contract::built_in().unit_lines();
        assert_eq!(ConfirmedLines::read(&lines.kept().unwrap()), lines);
        for text in ["", "[]", "{\"withdrawal.unit\": 1}", &"x".repeat(100_000)] {
            assert!(ConfirmedLines::read(text).is_empty(), "{text:.20}");
        }
        let stolen = r#"{"withdrawal.path": "/p", "withdrawal.unit": "reais"}"#;
        assert_eq!(
            ConfirmedLines::read(stolen).0.into_keys().collect::<Vec<_>>(),
            ["withdrawal.unit"]
        );
    }
}
