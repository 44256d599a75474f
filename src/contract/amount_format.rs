//! Formats of amounts in requests and replies: the unit, the JSON type and the decimal separator.
//!
//! Amounts never become floating-point numbers. A text that could mean two different amounts, such
//! as `1.234`, is rejected.

use serde::Deserialize;
use serde_json::Value;

use super::Encoding;
use crate::trade::Money;

/// The unit of the amounts in a request or a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Reais, with decimals: `10.10`.
    Reais,
    /// Centavos, as a whole number: `1010`.
    Centavos,
}

impl Unit {
    /// The other unit.
    pub fn other(self) -> Unit {
        match self {
            Unit::Reais => Unit::Centavos,
            Unit::Centavos => Unit::Reais,
        }
    }

    /// The name of the unit in a contract file.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Reais => "reais",
            Unit::Centavos => "centavos",
        }
    }
}

/// How amounts are written in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SentAmounts {
    /// A JSON number: `10.10`.
    Number,
    /// A JSON string: `"10.10"`.
    Text,
    /// A JSON string with a decimal comma: `"10,10"`.
    TextComma,
}

/// The decimal separator of the amounts that a reply contains as JSON strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReadAmounts {
    /// A decimal point: `1234.56`.
    Point,
    /// A decimal comma: `1234,56` or `1.234,56`.
    Comma,
    /// Either separator. A text that could mean two different amounts, such as `1.234`, is
    /// rejected.
    Either,
}

/// How one operation writes and reads amounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AmountFormat {
    /// The unit of amounts in requests and replies, such as centavos.
    pub unit: Unit,
    /// How amounts are written in a request.
    pub sent: SentAmounts,
    /// The decimal separator of strings in a reply.
    pub read: ReadAmounts,
}

impl AmountFormat {
    /// The format for amounts that are sent as JSON numbers and read with a decimal point.
    pub const fn plain(unit: Unit) -> AmountFormat {
        AmountFormat {
            unit,
            sent: SentAmounts::Number,
            read: ReadAmounts::Point,
        }
    }

    /// This format, but for replies in which strings have a decimal comma.
    pub(super) fn with_comma(self) -> AmountFormat {
        AmountFormat {
            read: ReadAmounts::Comma,
            ..self
        }
    }

    /// Formats an amount as text for a request, such as `10.10`, without quotation marks. Returns
    /// `None` if the amount includes a fraction of a centavo.
    pub fn wire(self, amount: Money) -> Option<String> {
        let centavos = amount.centavos()?;
        Some(match (self.unit, self.sent) {
            (Unit::Centavos, _) => centavos.to_string(),
            (Unit::Reais, SentAmounts::TextComma) => amount.wire().replace('.', ","),
            (Unit::Reais, SentAmounts::Number | SentAmounts::Text) => amount.wire(),
        })
    }

    /// Formats an amount as JSON, such as `10.10`, or `"10.10"` if amounts are sent as strings.
    pub fn literal(self, amount: Money) -> Option<String> {
        let wire = self.wire(amount)?;
        Some(if self.is_text() {
            format!("\"{wire}\"")
        } else {
            wire
        })
    }

    /// Formats an amount with its name as in a request body, such as `"amount":10.10`.
    pub(super) fn member(self, encoding: Encoding, name: &str, amount: Money) -> Option<String> {
        Some(match encoding {
            Encoding::Json => format!("\"{name}\":{}", self.literal(amount)?),
            Encoding::Form => format!("{name}={}", self.wire(amount)?),
        })
    }

    /// Reads an amount that a request sent in this format, without quotation marks.
    pub(super) fn read_sent(self, text: &str) -> Option<Money> {
        let has_comma = self.sent == SentAmounts::TextComma;
        let read = if has_comma {
            ReadAmounts::Comma
        } else {
            ReadAmounts::Point
        };
        AmountFormat { read, ..self }.read(&Value::from(text))
    }

    /// True if amounts are sent as JSON strings.
    pub fn is_text(self) -> bool {
        self.sent != SentAmounts::Number
    }

    /// Reads an amount from a JSON number, or from a JSON string that contains nothing else.
    pub fn read(self, value: &Value) -> Option<Money> {
        let amount = match value {
            Value::Number(number) => Money::parse_wire(&number.to_string())?,
            Value::String(text) => self.read_text(text)?,
            _ => return None,
        };
        match self.unit {
            Unit::Reais => Some(amount),
            Unit::Centavos => amount.centavos_to_reais(),
        }
    }

    fn read_text(self, text: &str) -> Option<Money> {
        match self.read {
            ReadAmounts::Point => Money::parse_wire(text),
            ReadAmounts::Comma => parse_grouped(text, ',', '.'),
            ReadAmounts::Either => match (text.rfind(','), text.rfind('.')) {
                (Some(comma), Some(point)) if comma < point => parse_grouped(text, '.', ','),
                (Some(_), Some(_)) => parse_grouped(text, ',', '.'),
                (Some(_), None) => parse_ungrouped(text, ','),
                (None, _) => parse_ungrouped(text, '.'),
            },
        }
    }
}

/// Reads an amount without separators of thousands. `decimal` is its decimal separator.
fn parse_ungrouped(text: &str, decimal: char) -> Option<Money> {
    let after = text.split(decimal).skip(1);
    // Reject three decimals: `1.234` could mean 1234 or 1.234.
    if after.clone().any(|digits| digits.len() == 3) {
        return None;
    }
    Money::parse_wire(&text.replace(decimal, "."))
}

/// Reads an amount with `decimal` as the decimal separator and `group` as an optional separator of
/// thousands.
///
/// An amount with groups but without decimals is rejected, because `group` could be the decimal
/// separator.
fn parse_grouped(text: &str, decimal: char, group: char) -> Option<Money> {
    let (whole, decimals) = match text.split_once(decimal) {
        Some((whole, decimals)) => (whole, Some(decimals)),
        None => (text, None),
    };
    let digits = whole.trim_start_matches('-');
    let mut groups = digits.split(group);
    let first = groups.next()?;
    let is_grouped = digits.contains(group);
    let are_groups_valid = (1..=3).contains(&first.len()) && groups.all(|group| group.len() == 3);
    if is_grouped && (!are_groups_valid || decimals.is_none()) {
        return None;
    }
    let whole = whole.replace(group, "");
    match decimals {
        // Only digits may follow the decimal separator, so exponents such as `1.5e3` are rejected.
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
        let format = AmountFormat {
            read,
            ..AmountFormat::plain(Unit::Reais)
        };
        format.read(&Value::from(text)).map(Money::wire)
    }

    #[test]
    fn ambiguous_texts_are_rejected() {
        use ReadAmounts::{Comma, Either, Point};
        for (text, point, comma, either) in [
            ("97.95", Some("97.95"), None, Some("97.95")),
            ("97,95", None, Some("97.95"), Some("97.95")),
            ("1.234,56", None, Some("1234.56"), Some("1234.56")),
            ("1,234.56", None, None, Some("1234.56")),
            (
                "12.345.678,90",
                None,
                Some("12345678.90"),
                Some("12345678.90"),
            ),
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
            let amounts = [Point, Comma, Either].map(|style| read(style, text));
            assert_eq!(
                amounts,
                [point, comma, either].map(|o| o.map(str::to_owned)),
                "{text:?}"
            );
        }
    }

    #[test]
    fn amount_is_sent_in_the_declared_format() {
        let amount = Money::from_centavos(123_450);
        for (unit, sent, wire, literal) in [
            (Unit::Reais, SentAmounts::Number, "1234.50", "1234.50"),
            (Unit::Reais, SentAmounts::Text, "1234.50", "\"1234.50\""),
            (
                Unit::Reais,
                SentAmounts::TextComma,
                "1234,50",
                "\"1234,50\"",
            ),
            (Unit::Centavos, SentAmounts::Number, "123450", "123450"),
            (Unit::Centavos, SentAmounts::Text, "123450", "\"123450\""),
        ] {
            let format = AmountFormat {
                sent,
                ..AmountFormat::plain(unit)
            };
            assert_eq!(format.wire(amount).as_deref(), Some(wire));
            assert_eq!(format.literal(amount).as_deref(), Some(literal));
        }
        let fine = Money::parse_wire("1.005").unwrap();
        assert_eq!(AmountFormat::plain(Unit::Reais).wire(fine), None);
    }

    /// Formats an amount with its digits in groups of three, such as `1.234.567,89`.
    fn format_grouped(whole: u64, decimals: u64, group: &str, decimal: &str) -> String {
        let digits = whole.to_string();
        let mut text = String::new();
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
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
            for text in [
                format_grouped(whole, decimals, ".", ","),
                format_grouped(whole, decimals, "", ","),
            ] {
                prop_assert_eq!(read(ReadAmounts::Comma, &text), exact.clone());
                prop_assert_eq!(read(ReadAmounts::Either, &text), exact.clone());
            }
            let american = format_grouped(whole, decimals, ",", ".");
            prop_assert_eq!(read(ReadAmounts::Either, &american), exact);
        }

        #[test]
        fn no_text_gives_two_amounts(text in "-?[0-9]{0,4}[.,]?[0-9]{0,4}[.,]?[0-9]{0,4}") {
            // If `Either` reads an amount, then `Point` and `Comma` must not read a different
            // amount from the same text.
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
