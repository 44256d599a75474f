//! What confirms a line: a live reply that was read by it, or the seller who saw the money arrive.

use super::Contract;
use super::confirmed::{ConfirmedLines, UNIT_LINES, vouch};
use super::reply_tree::ReplyTree;
use super::settings::Provenance;
use super::sought::SoughtLine;
use super::teaching::ReadValue;
use crate::trade::Operation;

impl Contract {
    /// The same contract, in which these lines are confirmed while they say what they said then.
    pub fn confirmed_by(&self, lines: &ConfirmedLines) -> Contract {
        let mut contract = self.clone();
        contract.confirmed = self.confirmed.clone().and(lines);
        vouch(&mut contract.settings, &contract.confirmed.0);
        contract
    }

    /// Returns the lines by which something is read in this reply of a live service that `is_it`,
    /// as far as they are assumed.
    pub fn proved_by(
        &self,
        operation: Operation,
        reply: &ReplyTree,
        is_it: impl Fn(&SoughtLine, &ReadValue) -> bool,
    ) -> ConfirmedLines {
        let sought = SoughtLine::of(operation).filter(|line| self.is_assumed(line.name));
        let is_read = |line: &&SoughtLine| {
            let read = self.reads(line, reply);
            read != ReadValue::Nothing && is_it(line, &read)
        };
        self.as_they_are(sought.filter(is_read).map(|line| line.name))
    }

    /// Returns true when a reply of this operation could prove a line that is assumed.
    pub fn has_to_prove(&self, operation: Operation) -> bool {
        SoughtLine::of(operation).any(|line| self.is_assumed(line.name))
    }

    /// The lines of a withdrawal's unit, to be confirmed by who saw how much arrived.
    pub fn unit_lines(&self) -> ConfirmedLines {
        self.as_they_are(UNIT_LINES.into_iter())
    }

    /// Returns true while nobody has seen how the service counts a withdrawal's amount.
    pub fn unit_is_assumed(&self) -> bool {
        UNIT_LINES.iter().any(|name| self.is_assumed(name))
    }

    fn is_assumed(&self, name: &str) -> bool {
        self.provenance(name) == Provenance::Assumed
    }

    fn as_they_are<'n>(&self, names: impl Iterator<Item = &'n str>) -> ConfirmedLines {
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
        contract.proved_by(operation, &tree(body), |_, _| true).0.into_keys().collect()
    }

    #[test]
    fn a_reply_confirms_only_the_lines_that_read_it() {
        let contract = Contract::built_in();
        let fee = r#"{"fee": 2.05, "net": 97.95}"#;
        let lines = contract.proved_by(Operation::FeePreview, &tree(fee), |_, _| true);
        assert_eq!(lines.0.keys().collect::<Vec<_>>(), ["fee_preview.fee", "fee_preview.net"]);
        let confirmed = contract.confirmed_by(&lines);
        assert_eq!(confirmed.provenance("fee_preview.net"), Provenance::Confirmed);
        for line in ["fee_preview.path", "fee_preview.unit", "withdrawal.unit"] {
            assert_eq!(confirmed.provenance(line), contract.provenance(line), "{line}");
        }
        assert_eq!(proved(&confirmed, Operation::FeePreview, fee), Vec::<String>::new());
        assert!(!confirmed.has_to_prove(Operation::FeePreview));
        assert_eq!(proved(&contract, Operation::FeePreview, r#"{"x": 1}"#), Vec::<String>::new());
    }

    #[test]
    fn a_line_with_another_value_is_assumed_again_and_confirmed_with_the_old_one() {
        let contract = Contract::built_in();
        let lines = contract.unit_lines();
        assert!(contract.unit_is_assumed());
        let confirmed = contract.confirmed_by(&lines);
        assert!(!confirmed.unit_is_assumed());
        let centavos = Contract::with(&[("a", "withdrawal.unit = 'centavos'")]).unwrap();
        assert!(centavos.confirmed_by(&lines).unit_is_assumed());
        // A change of how it is written counts as much as the unit.
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
    fn what_is_kept_is_read_again_and_vouches_for_nothing_else() {
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
