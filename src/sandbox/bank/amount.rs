//! Amounts in requests and replies, as exact JSON numbers.

use std::fmt;

use rust_decimal::{Decimal, RoundingStrategy};
use serde::{Deserialize, Serialize};

/// An amount in reais. It keeps the number of decimal places with which it was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Amount(#[serde(with = "rust_decimal::serde::arbitrary_precision")] pub Decimal);

impl Amount {
    /// Zero, written as `0.00`.
    pub const ZERO: Amount = Amount(Decimal::from_parts(0, 0, 0, false, 2));

    pub fn from_centavos(centavos: i64) -> Amount {
        Amount(Decimal::new(centavos, 2))
    }

    /// Parses the amount in a request. The error text is in Portuguese.
    ///
    /// The amount must be greater than zero and less than one trillion. It must have no exponent
    /// and at most two decimal places. These limits are *assumed*, because section 8 of the API
    /// documentation shows none.
    pub fn parse(text: &str) -> Result<Amount, &'static str> {
        let has_only_digits_and_dots = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        let has_dot_at_an_end = text.starts_with('.') || text.ends_with('.');
        if !has_only_digits_and_dots || has_dot_at_an_end || text.is_empty() {
            return Err("precisa ser um número decimal positivo");
        }
        let value =
            Decimal::from_str_exact(text).map_err(|_| "precisa ser um número decimal positivo")?;
        if value.scale() > 2 {
            return Err("aceita no máximo duas casas decimais");
        }
        if value.is_zero() {
            return Err("precisa ser maior que zero");
        }
        if value >= Decimal::new(1_000_000_000_000, 0) {
            return Err("é alto demais");
        }
        Ok(Amount(value))
    }

    /// Adds two amounts. The sum cannot overflow, because both amounts are far below the maximum of
    /// a `Decimal`.
    pub fn plus(self, other: Amount) -> Amount {
        Amount(self.0.saturating_add(other.0))
    }

    pub fn minus(self, other: Amount) -> Amount {
        Amount(self.0.saturating_sub(other.0))
    }

    /// This percentage of the amount, rounded half up to a centavo.
    pub fn percent(self, percent: Decimal) -> Amount {
        let exact = self.0.saturating_mul(percent) / Decimal::ONE_HUNDRED;
        let mut rounded = exact.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero);
        rounded.rescale(2);
        Amount(rounded)
    }

    /// The amount in Brazilian format, such as `R$ 1.234,56`.
    pub fn to_brl(self) -> String {
        let mut value = self.0;
        value.rescale(2);
        let text = value.abs().to_string();
        let (reais, cents) = text.split_once('.').unwrap_or((&text, "00"));
        let mut grouped = String::new();
        for (position, digit) in reais.chars().enumerate() {
            if position > 0 && (reais.len() - position).is_multiple_of(3) {
                grouped.push('.');
            }
            grouped.push(digit);
        }
        let sign = if value.is_sign_negative() { "-" } else { "" };
        format!("{sign}R$ {grouped},{cents}")
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_keep_their_own_text_on_the_wire() {
        for text in [
            "10.10",
            "0.10",
            "0.1",
            "100",
            "1234567890.12",
            "999999999999.99",
        ] {
            let amount = Amount::parse(text).unwrap();
            assert_eq!(serde_json::to_string(&amount).unwrap(), text);
            assert_eq!(
                serde_json::json!({ "a": amount }).to_string(),
                format!("{{\"a\":{text}}}")
            );
            assert_eq!(serde_json::from_str::<Amount>(text).unwrap(), amount);
        }
    }

    #[test]
    fn invalid_amount_is_refused() {
        for text in [
            "", "-1", "0", "0.00", "1.001", "1e3", ".5", "5.", "1,50", "1.2.3", " 1",
        ] {
            assert!(
                Amount::parse(text).is_err(),
                "{text:?} was read as an amount"
            );
        }
        assert!(Amount::parse("1000000000000").is_err());
        assert!(Amount::parse(&"9".repeat(60)).is_err());
    }

    #[test]
    fn percentages_round_half_up_to_the_centavo() {
        let percent = Decimal::new(105, 2);
        assert_eq!(
            Amount::from_centavos(10_000).percent(percent).to_string(),
            "1.05"
        );
        assert_eq!(
            Amount::from_centavos(143).percent(percent).to_string(),
            "0.02"
        );
        assert_eq!(
            Amount::from_centavos(100)
                .percent(Decimal::new(5, 1))
                .to_string(),
            "0.01"
        );
    }

    #[test]
    fn amounts_are_written_as_brazilians_write_them() {
        assert_eq!(Amount::from_centavos(5).to_brl(), "R$ 0,05");
        assert_eq!(
            Amount::from_centavos(123_456_789).to_brl(),
            "R$ 1.234.567,89"
        );
        assert_eq!(Amount::parse("100").unwrap().to_brl(), "R$ 100,00");
        assert_eq!(Amount::from_centavos(-100_000).to_brl(), "-R$ 1.000,00");
    }
}
