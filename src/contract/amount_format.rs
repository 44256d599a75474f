//! Amounts on the wire: the unit, a number or a text, a point or a comma.
//!
//! No float on the way, in either direction. A text that could mean two amounts is no amount.

use serde::Deserialize;
use serde_json::Value;

use crate::trade::Money;

/// The unit of an amount on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// A decimal number, such as `10.10`.
    Reais,
    /// A whole number a hundred times as large, such as `1010`.
    Centavos,
}

/// The form in which an amount is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SentAmounts {
    /// A number: `10.10`.
    Number,
    /// A text: `"10.10"`.
    Text,
    /// A text with a decimal comma: `"10,10"`.
    TextComma,
}

/// The sign before the decimals of an amount that a reply writes as a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReadAmounts {
    /// `1234.56`.
    Point,
    /// `1234,56` or `1.234,56`.
    Comma,
    /// Either of them; a text that could be read in two ways is no amount.
    Either,
}

/// The ways in which one operation writes and reads amounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AmountFormat {
    /// The unit, both ways.
    pub unit: Unit,
    /// The form in which they are sent.
    pub sent: SentAmounts,
    /// The sign before the decimals in a reply's texts.
    pub read: ReadAmounts,
}

impl AmountFormat {
    /// Numbers in this unit, and texts with a point.
    pub const fn plain(unit: Unit) -> AmountFormat {
        AmountFormat { unit, sent: SentAmounts::Number, read: ReadAmounts::Point }
    }

    /// The amount's exact text, without quotation marks; `None` when centavos cannot hold it.
    pub fn wire(self, amount: Money) -> Option<String> {
        let centavos = amount.centavos()?;
        Some(match (self.unit, self.sent) {
            (Unit::Centavos, _) => centavos.to_string(),
            (Unit::Reais, SentAmounts::TextComma) => amount.wire().replace('.', ","),
            (Unit::Reais, SentAmounts::Number | SentAmounts::Text) => amount.wire(),
        })
    }

    /// The amount exactly as it stands in JSON.
    pub fn literal(self, amount: Money) -> Option<String> {
        let wire = self.wire(amount)?;
        Some(if self.is_text() { format!("\"{wire}\"") } else { wire })
    }

    /// Returns true when amounts are sent as texts.
    pub fn is_text(self) -> bool {
        self.sent != SentAmounts::Number
    }

    /// Reads an amount: a number, or a text that holds one and nothing else.
    pub(super) fn read(self, value: &Value) -> Option<Money> {
        let read = match value {
            Value::Number(number) => Money::parse_wire(&number.to_string())?,
            Value::String(text) => self.read_text(text)?,
            _ => return None,
        };
        match self.unit {
            Unit::Reais => Some(read),
            Unit::Centavos => read.of_centavos(),
        }
    }

    fn read_text(self, text: &str) -> Option<Money> {
        match self.read {
            ReadAmounts::Point => Money::parse_wire(text),
            ReadAmounts::Comma => marked(text, ',', '.'),
            ReadAmounts::Either => match (text.rfind(','), text.rfind('.')) {
                (Some(comma), Some(point)) if comma < point => marked(text, '.', ','),
                (Some(_), Some(_)) => marked(text, ',', '.'),
                (Some(_), None) => alone(text, ','),
                (None, _) => alone(text, '.'),
            },
        }
    }
}

/// A text in which this sign is the only one: one thousand, or one and its decimals.
fn alone(text: &str, sign: char) -> Option<Money> {
    let after = text.split(sign).skip(1);
    // `1.234` is one thousand to one reader and little more than one to another.
    if after.clone().any(|digits| digits.len() == 3) {
        return None;
    }
    Money::parse_wire(&text.replace(sign, "."))
}

/// A text whose decimals begin at `decimal`; `group` parts the thousands before it, all or none.
///
/// Thousands in groups without decimals are refused: their sign may be another writer's decimals.
fn marked(text: &str, decimal: char, group: char) -> Option<Money> {
    let (whole, decimals) = match text.split_once(decimal) {
        Some((whole, decimals)) => (whole, Some(decimals)),
        None => (text, None),
    };
    let digits = whole.trim_start_matches('-');
    let mut groups = digits.split(group);
    let first = groups.next()?;
    let is_grouped = digits.contains(group);
    let is_even = (1..=3).contains(&first.len()) && groups.all(|group| group.len() == 3);
    if is_grouped && (!is_even || decimals.is_none()) {
        return None;
    }
    let whole = whole.replace(group, "");
    match decimals {
        // An exponent beside a comma is nobody's way of writing money.
        Some(digits) if !digits.bytes().all(|b| b.is_ascii_digit()) => None,
        Some(digits) => Money::parse_wire(&[&whole, ".", digits].concat()),
        None => Money::parse_wire(&whole),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(read: ReadAmounts, text: &str) -> Option<String> {
        let format = AmountFormat { read, ..AmountFormat::plain(Unit::Reais) };
        format.read(&Value::from(text)).map(Money::wire)
    }

    #[test]
    fn a_text_is_read_exactly_or_not_at_all() {
        use ReadAmounts::{Comma, Either, Point};
        for (text, point, comma, either) in [
            ("97.95", Some("97.95"), None, Some("97.95")),
            ("97,95", None, Some("97.95"), Some("97.95")),
            ("1.234,56", None, Some("1234.56"), Some("1234.56")),
            ("1,234.56", None, None, Some("1234.56")),
            ("12.345.678,90", None, Some("12345678.90"), Some("12345678.90")),
            ("1.234", Some("1.234"), None, None),
            ("1,234", None, Some("1.234"), None),
            ("1.234.567", None, None, None),
            ("100", Some("100"), Some("100"), Some("100")),
            ("0,1", None, Some("0.1"), Some("0.1")),
            ("-0,50", None, Some("-0.50"), Some("-0.50")),
            ("12.34,56", None, None, None),
            ("1.2345,6", None, None, None),
            (".234,56", None, None, None),
            ("1,234,56", None, None, None),
            ("1.234,56.78", None, None, None),
            ("97,", None, None, None),
            (",95", None, None, None),
            ("1,2e3", None, None, None),
            ("R$ 97,95", None, None, None),
            (" 97,95", None, None, None),
            ("97,95 ", None, None, None),
            ("", None, None, None),
            ("***", None, None, None),
        ] {
            let found = [Point, Comma, Either].map(|style| read(style, text));
            assert_eq!(found, [point, comma, either].map(|o| o.map(str::to_owned)), "{text:?}");
        }
    }

    #[test]
    fn an_amount_is_sent_as_it_is_declared() {
        let amount = Money::from_centavos(123_450);
        for (unit, sent, wire, literal) in [
            (Unit::Reais, SentAmounts::Number, "1234.50", "1234.50"),
            (Unit::Reais, SentAmounts::Text, "1234.50", "\"1234.50\""),
            (Unit::Reais, SentAmounts::TextComma, "1234,50", "\"1234,50\""),
            (Unit::Centavos, SentAmounts::Number, "123450", "123450"),
            (Unit::Centavos, SentAmounts::Text, "123450", "\"123450\""),
        ] {
            let format = AmountFormat { sent, ..AmountFormat::plain(unit) };
            assert_eq!(format.wire(amount).as_deref(), Some(wire));
            assert_eq!(format.literal(amount).as_deref(), Some(literal));
        }
        let fine = Money::parse_wire("1.005").unwrap();
        assert_eq!(AmountFormat::plain(Unit::Reais).wire(fine), None);
    }

    /// The digits of an amount in groups of three.
    fn grouped(whole: u64, decimals: u64, group: &str, decimal: &str) -> String {
        let digits = whole.to_string();
        let mut text = String::new();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                text.push_str(group);
            }
            text.push(digit);
        }
        format!("{text}{decimal}{decimals:02}")
    }

    proptest! {
        #[test]
        fn all_two_decimal_notations_read_as_same_amount(
            whole in 0..1_000_000_000_000_u64,
            decimals in 0..100_u64,
        ) {
            let exact = Some(format!("{whole}.{decimals:02}"));
            for text in [grouped(whole, decimals, ".", ","), grouped(whole, decimals, "", ",")] {
                prop_assert_eq!(read(ReadAmounts::Comma, &text), exact.clone());
                prop_assert_eq!(read(ReadAmounts::Either, &text), exact.clone());
            }
            let american = grouped(whole, decimals, ",", ".");
            prop_assert_eq!(read(ReadAmounts::Either, &american), exact);
        }

        #[test]
        fn no_text_is_two_amounts(text in "-?[0-9]{0,4}[.,]?[0-9]{0,4}[.,]?[0-9]{0,4}") {
            // What the lenient way reads, the two strict ones do not read as another amount.
            if let Some(either) = read(ReadAmounts::Either, &text) {
                for strict in [ReadAmounts::Point, ReadAmounts::Comma] {
                    if let Some(other) = read(strict, &text) {
                        prop_assert_eq!(&either, &other);
                    }
                }
            }
        }
    }
}
