//! Amounts as people enter them: typed digit by digit, or pasted.

use std::fmt;

use super::money::Money;

/// The most digits an amount is typed with: R$ 9.999.999.999,99.
pub const MOST_DIGITS: u32 = 12;

const MOST_CENTAVOS: i64 = 10_i64.pow(MOST_DIGITS) - 1;

/// A pasted figure is never longer than this.
const LONGEST_PASTE: usize = 64;

/// An amount being typed as in Brazilian bank apps: digits fill from the right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AmountField {
    centavos: i64,
}

impl AmountField {
    /// Takes one more digit on the right.
    ///
    /// False, and nothing changes, when it is not a digit from `0` to `9` or the field is full.
    pub fn push_digit(&mut self, typed: char) -> bool {
        let Some(digit) = typed.to_digit(10) else { return false };
        let longer = self.centavos * 10 + i64::from(digit);
        if longer > MOST_CENTAVOS {
            return false;
        }
        self.centavos = longer;
        true
    }

    /// Takes the rightmost digit away.
    pub fn backspace(&mut self) {
        self.centavos /= 10;
    }

    /// Empties the field.
    pub fn clear(&mut self) {
        self.centavos = 0;
    }

    /// Shows an amount that is already known.
    ///
    /// False, and nothing changes, when it is negative, finer than a centavo or too long to type.
    pub fn set(&mut self, amount: Money) -> bool {
        match amount.centavos() {
            Some(centavos) if (0..=MOST_CENTAVOS).contains(&centavos) => {
                self.centavos = centavos;
                true
            }
            _ => false,
        }
    }

    /// The amount typed so far; `None` when that is nothing.
    pub fn money(&self) -> Option<Money> {
        (self.centavos > 0).then(|| Money::from_centavos(self.centavos))
    }

    /// Whether nothing but zeros was typed.
    pub fn is_empty(&self) -> bool {
        self.centavos == 0
    }
}

/// The figure alone, `49,90`; an empty field is `0,00`.
impl fmt::Display for AmountField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&Money::from_centavos(self.centavos).figure())
    }
}

/// Why a pasted text was not taken as an amount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PasteError {
    /// It can be read in two ways, and a guess may be wrong a hundredfold.
    Ambiguous {
        /// Both ways, the larger one first. The smaller one may be finer than a centavo.
        readings: [Money; 2],
    },
    /// It is not an amount above or at zero with at most two places.
    NotAnAmount,
    /// It is an amount with more digits than can be typed.
    TooLarge,
}

impl fmt::Display for PasteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PasteError::Ambiguous { readings: [larger, smaller] } => {
                write!(f, "the amount may mean {larger} or {smaller}")
            }
            PasteError::NotAnAmount => f.write_str("not an amount of money"),
            PasteError::TooLarge => f.write_str("the amount has too many digits"),
        }
    }
}

impl std::error::Error for PasteError {}

/// Reads an amount that was pasted, when it can be read in one way only.
///
/// `R$ 1.234,56`, `1.234,56`, `1,234.56` and `1234.56` have one reading. `1.234` and `1,234` may be
/// thousands or three places, and a bare `4990` may be reais or centavos: these are refused with
/// both readings. After `R$` a whole number is reais.
pub fn read_pasted(text: &str) -> Result<Money, PasteError> {
    if text.len() > LONGEST_PASTE {
        return Err(PasteError::NotAnAmount);
    }
    let text = text.trim();
    let currency = text.strip_prefix("R$").or_else(|| text.strip_prefix("r$"));
    let figure = currency.unwrap_or(text).trim_start();
    let separators: Vec<usize> =
        figure.char_indices().filter(|(_, c)| matches!(c, '.' | ',')).map(|(i, _)| i).collect();
    let Some((&last, before)) = separators.split_last() else {
        return whole_number(figure, currency.is_some());
    };
    let (whole, fraction) = (&figure[..last], &figure[last + 1..]);
    let decimal_mark = &figure[last..=last];
    if before.is_empty() {
        return one_separator(whole, fraction);
    }
    if whole.contains(decimal_mark) {
        // The same mark again can only part thousands: 1.234.567.
        let digits = ungrouped(figure).ok_or(PasteError::NotAnAmount)?;
        return amount(&digits, "");
    }
    let digits = ungrouped(whole).ok_or(PasteError::NotAnAmount)?;
    amount(&digits, fraction)
}

/// `100`: reais after `R$`; otherwise reais, or centavos as they are typed here.
fn whole_number(digits: &str, has_currency: bool) -> Result<Money, PasteError> {
    let reais = amount(digits, "")?;
    if has_currency || reais.is_zero() {
        return Ok(reais);
    }
    let centavos: i64 = digits.parse().map_err(|_| PasteError::TooLarge)?;
    Err(PasteError::Ambiguous { readings: [reais, Money::from_centavos(centavos)] })
}

/// `49,90` has places; `1.234` has places or thousands.
fn one_separator(whole: &str, fraction: &str) -> Result<Money, PasteError> {
    if fraction.len() != 3 {
        return amount(whole, fraction);
    }
    let digits = ungrouped(&format!("{whole}.{fraction}")).ok_or(PasteError::NotAnAmount)?;
    let thousands = amount(&digits, "")?;
    let places =
        Money::parse_wire(&format!("{whole}.{fraction}")).ok_or(PasteError::NotAnAmount)?;
    Err(PasteError::Ambiguous { readings: [thousands, places] })
}

/// The digits of `1.234.567` or `1,234,567`; `None` when the groups are not thousands.
fn ungrouped(grouped: &str) -> Option<String> {
    let mark = grouped.chars().find(|c| matches!(c, '.' | ','))?;
    let mut groups = grouped.split(mark);
    let first = groups.next()?;
    if !(1..=3).contains(&first.len()) || first.starts_with('0') {
        return None;
    }
    let mut digits = first.to_owned();
    for group in groups {
        if group.len() != 3 {
            return None;
        }
        digits.push_str(group);
    }
    digits.bytes().all(|b| b.is_ascii_digit()).then_some(digits)
}

/// Reais and at most two places, both as bare digits.
fn amount(whole: &str, places: &str) -> Result<Money, PasteError> {
    if places.len() > 2 {
        return Err(PasteError::NotAnAmount);
    }
    let text = format!("{whole}.{places:0<2}");
    if text.contains(|c: char| c != '.' && !c.is_ascii_digit()) {
        return Err(PasteError::NotAnAmount);
    }
    let money = Money::parse_wire(&text).ok_or(PasteError::NotAnAmount)?;
    match money.centavos() {
        Some(centavos) if centavos <= MOST_CENTAVOS => Ok(money),
        _ => Err(PasteError::TooLarge),
    }
}
