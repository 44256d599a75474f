//! Exact amounts of Brazilian money. The whole program uses them, from the API client to the
//! screens.

use std::fmt;

use compact_str::{CompactString, ToCompactString};
use rust_decimal::Decimal;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The map key that `serde_json` uses to pass the exact text of a number to a deserializer.
const NUMBER_TEXT: &str = "$serde_json::private::Number";

/// The maximum length of an amount in a response, in bytes. Real amounts are shorter, but a
/// malicious response could contain megabytes.
const MAX_TEXT_BYTES: usize = 64;

/// An exact amount in reais, with any number of decimal places.
///
/// Amounts are compared and hashed by value: `10.1` equals `10.10`. A parsed amount keeps its
/// number of decimal places in JSON. Amounts are never rounded: an operation without an exact
/// result returns `None` or an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Money(Decimal);

impl Money {
    /// The amount `0.00`.
    pub const ZERO: Money = Money(Decimal::from_parts(0, 0, 0, false, 2));

    /// The smallest amount that can be paid, one centavo.
    pub const CENTAVO: Money = Money(Decimal::from_parts(1, 0, 0, false, 2));

    /// Half a centavo. Two amounts that differ by less are treated as equal, because some services
    /// compute with floating-point numbers.
    pub const HALF_CENTAVO: Money = Money(Decimal::from_parts(5, 0, 0, false, 3));

    /// Creates an amount from centavos, with two decimal places.
    pub fn from_centavos(centavos: i64) -> Money {
        Money(Decimal::new(centavos, 2))
    }

    /// Creates an amount from reais, with the same number of decimal places.
    ///
    /// Negative zero becomes zero, so that no screen shows `-0,00`.
    pub fn from_decimal(mut reais: Decimal) -> Money {
        if reais.is_zero() {
            reais.set_sign_positive(true);
        }
        Money(reais)
    }

    /// The amount in centavos. Returns `None` if it has a fraction of a centavo or is too large.
    pub fn centavos(self) -> Option<i64> {
        let mantissa = self.0.mantissa();
        let scale = self.0.scale();
        let centavos = if scale <= 2 {
            mantissa.checked_mul(10_i128.pow(2 - scale))?
        } else {
            let divisor = 10_i128.pow(scale - 2);
            if mantissa % divisor != 0 {
                return None;
            }
            mantissa / divisor
        };
        i64::try_from(centavos).ok()
    }

    /// Parses an amount in the format of a JSON number, without rounding. The text may come from a
    /// JSON number or a JSON string in a response.
    ///
    /// Returns `None` for any other text, and for a number with too many digits to be represented.
    pub fn parse_wire(text: &str) -> Option<Money> {
        if text.len() > MAX_TEXT_BYTES {
            return None;
        }
        let (negative, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (number, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((number, exponent)) => (number, parse_exponent(exponent)?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = match number.split_once('.') {
            Some((_, "")) => return None,
            Some(parts) => parts,
            None => (number, ""),
        };
        if !is_digits(whole) || whole.len() > 1 && whole.starts_with('0') {
            return None;
        }
        if !fraction.is_empty() && !is_digits(fraction) {
            return None;
        }
        let mantissa: i128 = format!("{whole}{fraction}").parse().ok()?;
        let scale = i32::try_from(fraction.len()).ok()? - exponent;
        from_mantissa(if negative { -mantissa } else { mantissa }, scale)
    }

    /// The exact amount as the text of a JSON number, such as `49.90`.
    pub fn wire(self) -> String {
        self.0.to_string()
    }

    /// The exact sum, or `None` if it cannot be represented.
    pub fn checked_add(self, other: Money) -> Option<Money> {
        let scale = self.0.scale().max(other.0.scale());
        let sum = self
            .rescaled_mantissa(scale)?
            .checked_add(other.rescaled_mantissa(scale)?)?;
        from_mantissa(sum, i32::try_from(scale).ok()?)
    }

    /// The exact difference, or `None` if it cannot be represented.
    pub fn checked_sub(self, other: Money) -> Option<Money> {
        self.checked_add(Money::from_decimal(-other.0))
    }

    /// True if the difference between `self` and `from` is less than `than`.
    pub fn differs_by_less(self, than: Money, from: Money) -> bool {
        self.checked_sub(from)
            .is_some_and(|difference| difference.0.abs() < than.0)
    }

    /// Converts an amount given in centavos to reais, such as 4990 to 49.90.
    ///
    /// Returns `None` if the amount is not close to a whole number of centavos (see
    /// [`HALF_CENTAVO`](Money::HALF_CENTAVO)), or if the result cannot be represented.
    pub fn centavos_to_reais(self) -> Option<Money> {
        match self.centavos() {
            Some(centavos) if centavos % 100 == 0 => Some(Money::from_centavos(centavos / 100)),
            _ => {
                let scale = i32::try_from(self.0.scale()).ok()? + 2;
                let reais = from_mantissa(self.0.mantissa(), scale)?;
                Money(reais.0.round_dp(2))
                    .differs_by_less(Money::HALF_CENTAVO, reais)
                    .then_some(reais)
            }
        }
    }

    /// True if the amount is greater than zero.
    pub fn is_positive(self) -> bool {
        self > Money::ZERO
    }

    /// True if the amount is zero.
    pub fn is_zero(self) -> bool {
        self.0.is_zero()
    }

    /// True if the amount is less than zero.
    pub fn is_negative(self) -> bool {
        self < Money::ZERO
    }

    /// Formats the amount in Brazilian notation without `R$`: `1.234,56`.
    ///
    /// The result has at least two decimal places. More decimal places are kept and not rounded.
    pub fn format_number(self) -> String {
        self.format_with("").into()
    }

    /// Formats the amount in Brazilian notation with `R$`: `R$ 1.234,56`. List rows call this
    /// method because it is faster than `Display`.
    pub fn text(self) -> CompactString {
        self.format_with("R$ ")
    }

    /// Formats the amount in Brazilian notation, with `unit` between the sign and the digits.
    fn format_with(self, unit: &str) -> CompactString {
        // Remove trailing zeros, but keep at least two decimal places.
        let trimmed = if self.0.scale() > 2 {
            self.0.normalize()
        } else {
            self.0
        };
        let scale = trimmed.scale().max(2);
        let digits = trimmed.mantissa().unsigned_abs() * 10_u128.pow(scale - trimmed.scale());
        let digits = digits.to_compact_string();
        let scale = scale as usize;
        // Add leading zeros, because at least one digit must precede the comma.
        let zeros = (scale + 1).saturating_sub(digits.len());
        let (whole, fraction) = match zeros {
            0 => digits.split_at(digits.len() - scale),
            _ => ("0", &*digits),
        };
        let mut text = CompactString::with_capacity(unit.len() + digits.len() * 4 / 3 + 4);
        if self.is_negative() {
            text.push('-');
        }
        text.push_str(unit);
        // Split the digits into groups of three from the right. The first group has one to three
        // digits.
        let (first, mut rest) = whole.split_at((whole.len() + 2) % 3 + 1);
        text.push_str(first);
        while !rest.is_empty() {
            let (group, remaining) = rest.split_at(3);
            text.push('.');
            text.push_str(group);
            rest = remaining;
        }
        text.push(',');
        text.extend(std::iter::repeat_n('0', zeros.saturating_sub(1)));
        text.push_str(fraction);
        text
    }

    fn rescaled_mantissa(self, scale: u32) -> Option<i128> {
        let added_digits = scale.checked_sub(self.0.scale())?;
        self.0
            .mantissa()
            .checked_mul(10_i128.checked_pow(added_digits)?)
    }
}

/// Formats the amount as `R$ 1.234,56`, or as `-R$ 1.234,56` if it is negative.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text())
    }
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        rust_decimal::serde::arbitrary_precision::serialize(&self.0, serializer)
    }
}

/// Parses the exact text of a JSON number. The deserializer of the decimal library is not used,
/// because it rounds after 28 digits.
impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Money, D::Error> {
        deserializer.deserialize_any(NumberVisitor)
    }
}

struct NumberVisitor;

impl<'de> Visitor<'de> for NumberVisitor {
    type Value = Money;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an amount of money as a number")
    }

    fn visit_i64<E: serde::de::Error>(self, reais: i64) -> Result<Money, E> {
        Ok(Money(Decimal::from(reais)))
    }

    fn visit_u64<E: serde::de::Error>(self, reais: u64) -> Result<Money, E> {
        Ok(Money(Decimal::from(reais)))
    }

    /// Parses a number that `serde_json::Value` has stored as a float.
    ///
    /// A float with more than 15 digits is rejected, because its text may differ from the original
    /// amount by a centavo.
    fn visit_f64<E: serde::de::Error>(self, reais: f64) -> Result<Money, E> {
        Money::parse_wire(&reais.to_string())
            .filter(|amount| amount.0.mantissa().abs() < 10_i128.pow(f64::DIGITS))
            .ok_or_else(|| E::custom("an amount of money that cannot be kept exactly"))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Money, A::Error> {
        match map.next_entry::<String, String>()? {
            Some((key, text)) if key == NUMBER_TEXT => Money::parse_wire(&text)
                .ok_or_else(|| A::Error::custom("an amount of money that cannot be kept exactly")),
            _ => Err(A::Error::custom("expected an amount of money as a number")),
        }
    }
}

/// `mantissa` divided by 10 to the power of `scale`; `None` if the result cannot be represented
/// exactly.
fn from_mantissa(mantissa: i128, scale: i32) -> Option<Money> {
    let (mantissa, scale) = match u32::try_from(scale) {
        Ok(scale) => (mantissa, scale),
        Err(_) => (
            mantissa.checked_mul(10_i128.checked_pow(scale.unsigned_abs())?)?,
            0,
        ),
    };
    Decimal::try_from_i128_with_scale(mantissa, scale)
        .ok()
        .map(Money::from_decimal)
}

fn parse_exponent(text: &str) -> Option<i32> {
    let (negative, digits) = match text.strip_prefix(['+', '-']) {
        Some(digits) => (text.starts_with('-'), digits),
        None => (false, text),
    };
    // Accept at most four digits, so that the exponent cannot overflow an `i32`.
    if !is_digits(digits) || digits.len() > 4 {
        return None;
    }
    let exponent: i32 = digits.parse().ok()?;
    Some(if negative { -exponent } else { exponent })
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use proptest::prelude::*;

    fn money(text: &str) -> Money {
        Money::parse_wire(text).unwrap()
    }

    #[test]
    fn wire_text_is_exact() {
        for (centavos, text) in [
            (0, "0.00"),
            (10, "0.10"),
            (1010, "10.10"),
            (123_456_789_012, "1234567890.12"),
            (-123_450, "-1234.50"),
            (i64::MAX, "92233720368547758.07"),
            (i64::MIN, "-92233720368547758.08"),
        ] {
            let amount = Money::from_centavos(centavos);
            assert_eq!(amount.wire(), text);
            assert_eq!(serde_json::to_string(&amount).unwrap(), text);
            assert_eq!(serde_json::from_str::<Money>(text).unwrap().wire(), text);
            assert_eq!(money(text), amount);
            assert_eq!(amount.centavos(), Some(centavos));
        }
        assert_eq!(Money::ZERO.wire(), "0.00");
    }

    #[test]
    fn parsed_amount_keeps_its_scale() {
        for text in [
            "0",
            "10",
            "10.1",
            "10.100",
            "0.005",
            "79228162514264337593543950335",
        ] {
            assert_eq!(money(text).wire(), text);
            assert_eq!(serde_json::from_str::<Money>(text).unwrap().wire(), text);
        }
        for (text, wire) in [
            ("1e3", "1000"),
            ("1.5E+1", "15"),
            ("125e-2", "1.25"),
            ("-0.00", "0.00"),
            ("-0", "0"),
        ] {
            assert_eq!(money(text).wire(), wire);
            assert_eq!(serde_json::from_str::<Money>(text).unwrap().wire(), wire);
        }
    }

    #[test]
    fn inexact_or_invalid_number_is_refused() {
        for text in [
            "0.12345678901234567890123456789012",
            "79228162514264337593543950336",
            "1e29",
            "1e-29",
            "1e9999",
            "1e99999999999",
            "",
            "-",
            "+1",
            "1_000",
            "1,5",
            ".5",
            "5.",
            "01",
            "1e",
            "1e+-1",
            "1.2.3",
            "1.e1",
            " 1",
            "0x10",
            "NaN",
            "１０",
        ] {
            assert_eq!(Money::parse_wire(text), None, "{text}");
            assert!(serde_json::from_str::<Money>(text.trim_start()).is_err() || text == " 1");
        }
        assert_eq!(Money::parse_wire(&"1".repeat(1_000_000)), None);
        for json in ["\"10.10\"", "null", "true", "[1]", "{\"a\":1}", "{}"] {
            assert!(serde_json::from_str::<Money>(json).is_err(), "{json}");
        }
    }

    #[test]
    fn records_with_unknown_fields_keep_exact_money() {
        #[derive(Serialize, Deserialize)]
        struct Record {
            amount: Money,
            net: Option<Money>,
            #[serde(flatten)]
            rest: std::collections::BTreeMap<String, serde_json::Value>,
        }
        let json = r#"{"amount":10.10,"net":49.9,"fee":0.20}"#;
        let record: Record = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::to_string(&record).unwrap(), json);
        let value: serde_json::Value = serde_json::from_str(json).unwrap();
        let record: Record = serde_json::from_value(value).unwrap();
        assert_eq!(serde_json::to_string(&record).unwrap(), json);
    }

    #[test]
    fn amounts_are_compared_by_value() {
        assert_eq!(money("10.1"), money("10.10"));
        assert!(money("10.09") < money("10.1"));
        let set = HashSet::from([money("10.1"), money("10.10"), money("1010e-2")]);
        assert_eq!(set.len(), 1);
        assert!(money("0.001").is_positive() && money("-0.001").is_negative());
        let zero = money("-0.0");
        assert!(zero.is_zero() && !zero.is_positive() && !zero.is_negative());
        assert_eq!(zero, Money::ZERO);
    }

    #[test]
    fn centavos_are_whole() {
        assert_eq!(money("0.005").centavos(), None);
        assert_eq!(money("0.0500").centavos(), Some(5));
        assert_eq!(money("7").centavos(), Some(700));
        assert_eq!(money("79228162514264337593543950335").centavos(), None);
        assert_eq!(money("1e17").centavos(), None);
    }

    #[test]
    fn figures_are_brazilian() {
        for (text, expected) in [
            ("0", "R$ 0,00"),
            ("0.1", "R$ 0,10"),
            ("-0.00", "R$ 0,00"),
            ("0.005", "R$ 0,005"),
            ("10.100", "R$ 10,10"),
            ("999.99", "R$ 999,99"),
            ("1000", "R$ 1.000,00"),
            ("1234.56", "R$ 1.234,56"),
            ("-1234.5", "-R$ 1.234,50"),
            ("123456.7", "R$ 123.456,70"),
            ("1234567890.125", "R$ 1.234.567.890,125"),
            (
                "79228162514264337593543950335",
                "R$ 79.228.162.514.264.337.593.543.950.335,00",
            ),
            (
                "-7.9228162514264337593543950335",
                "-R$ 7,9228162514264337593543950335",
            ),
        ] {
            assert_eq!(money(text).to_string(), expected);
        }
        assert_eq!(money("1234.56").format_number(), "1.234,56");
        assert_eq!(money("-1234.56").format_number(), "-1.234,56");
        assert_eq!(format!("{:>10}|", money("5")), "   R$ 5,00|");
    }

    #[test]
    fn sums_are_exact_or_none() {
        assert_eq!(
            money("0.1").checked_add(money("0.20")).unwrap().wire(),
            "0.30"
        );
        assert_eq!(
            money("10.00").checked_sub(money("10.01")).unwrap().wire(),
            "-0.01"
        );
        assert_eq!(
            money("1.50").checked_sub(money("1.5")).unwrap().wire(),
            "0.00"
        );
        let max = money("79228162514264337593543950335");
        assert_eq!(max.checked_add(money("1")), None);
        assert_eq!(max.checked_add(money("0.1")), None);
        assert_eq!(max.checked_sub(max).unwrap(), Money::ZERO);
    }

    /// Deserializes an amount from a `serde_json::Value`, which may store a number as an inexact
    /// float.
    fn via_json_value(value: serde_json::Value) -> Option<Money> {
        let digits = value.to_string().bytes().filter(u8::is_ascii_digit).count();
        let amount = serde_json::from_value::<Money>(value).ok();
        assert!(
            amount.is_some() || digits > 15,
            "only where a float has too few digits"
        );
        amount
    }

    #[test]
    fn ambiguous_float_amount_is_refused() {
        for text in ["238221600748132.62", "238221600748132.63"] {
            assert_eq!(serde_json::from_str::<Money>(text).unwrap().wire(), text);
            let parsed = via_json_value(serde_json::from_str(text).unwrap());
            assert!(parsed.is_none_or(|parsed| parsed == money(text)), "{text}");
        }
        let plain = serde_json::from_str("1234.56").unwrap();
        assert_eq!(via_json_value(plain), Some(money("1234.56")));
    }

    proptest! {
        #[test]
        fn centavos_survive_the_wire(centavos: i64) {
            let amount = Money::from_centavos(centavos);
            let json = serde_json::to_string(&amount).unwrap();
            prop_assert_eq!(serde_json::from_str::<Money>(&json).unwrap().wire(), amount.wire());
            let parsed = via_json_value(serde_json::to_value(amount).unwrap());
            prop_assert!(parsed.is_none_or(|parsed| parsed.wire() == amount.wire()));
            prop_assert_eq!(amount.centavos(), Some(centavos));
        }

        #[test]
        fn decimal_text_is_kept_exactly(
            text in "-?(0|[1-9][0-9]{0,14})(\\.[0-9]{1,12})?"
        ) {
            let amount = money(&text);
            let sign_of_zero = if amount.is_zero() { text.trim_start_matches('-') } else { &text };
            prop_assert_eq!(amount.wire(), sign_of_zero);
            let expected = Decimal::from_str_exact(&text).unwrap();
            prop_assert_eq!(amount.0, expected);
            let by_value = via_json_value(serde_json::from_str(&text).unwrap());
            prop_assert!(by_value.is_none_or(|by_value| by_value == amount));
        }

        #[test]
        fn sums_equal_sums_of_centavos(a in -1_i64 << 60..1 << 60, b in -1_i64 << 60..1 << 60) {
            let first = Money::from_centavos(a);
            let second = Money::from_centavos(b);
            prop_assert_eq!(first.checked_add(second).unwrap().centavos(), Some(a + b));
            prop_assert_eq!(first.checked_sub(second).unwrap().centavos(), Some(a - b));
            prop_assert_eq!(first.cmp(&second), a.cmp(&b));
        }

        #[test]
        fn figure_can_be_parsed_back(mantissa in -1_i64 << 60..1 << 60, scale in 0_u32..10) {
            let amount = Money::from_decimal(Decimal::new(mantissa, scale));
            let parsed = amount.format_number().replace('.', "").replace(',', ".");
            prop_assert_eq!(money(&parsed), amount);
        }

        #[test]
        fn no_text_panics(text in ".{0,70}", number in "[-+0-9.eE]{0,20}") {
            let _ = Money::parse_wire(&text);
            let _ = Money::parse_wire(&number);
        }
    }
}
