//! Parses the amounts that sellers enter, typed digit by digit or pasted.
//!
//! Start with [`AmountField`], the state of an amount input, and [`read_pasted`].

mod column;

use std::fmt;

use super::money::Money;

pub use column::{AmountColumn, CellFault, ColumnFault, Unit};

/// The maximum number of digits in a typed amount. With 12 digits, the largest amount is R$
/// 9.999.999.999,99.
pub const MAX_DIGITS: u32 = 12;

const MAX_CENTAVOS: i64 = 10_i64.pow(MAX_DIGITS) - 1;

/// A pasted text with this number of bytes or more is rejected as too long.
const PASTE_LIMIT: usize = 64;

/// The state of an amount input. As in Brazilian bank apps, digits fill the amount from the right,
/// so `4990` is R$ 49,90.
///
/// Typing `,` or `.` switches to text mode, which parses the whole input by the rules of
/// [`read_pasted`]. An input that cannot be parsed has no amount.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AmountField {
    centavos: i64,
    /// The text as typed or pasted; `None` if the input is not in text mode.
    text: Option<String>,
    /// True if the program filled in the amount, or the seller pasted it.
    is_prefilled: bool,
    /// True if the program proposed the amount, and nothing was typed since.
    is_proposed: bool,
    must_be_checked: bool,
}

impl AmountField {
    /// The largest amount that can be entered.
    pub fn max_amount() -> Money {
        Money::from_centavos(MAX_CENTAVOS)
    }

    /// Adds a typed character. Outside text mode, characters other than digits and separators are
    /// ignored. A digit replaces a proposed amount.
    ///
    /// Returns false and changes nothing if the amount would have more than `MAX_DIGITS` digits,
    /// or if the text would be too long.
    pub fn push(&mut self, typed: char) -> bool {
        self.replace_proposal(typed);
        // A text without separators nearly always began as a group. A digit after it may continue
        // the group, or begin the whole amount again, because the group was refused.
        let is_after_group = self
            .text
            .as_ref()
            .is_some_and(|text| !text.contains([',', '.']));
        self.must_be_checked |= is_after_group && typed.is_ascii_digit();
        self.append(typed)
    }

    /// Empties the input before the first digit, if it has a proposed amount: digits after it would
    /// make an amount that nobody means.
    fn replace_proposal(&mut self, typed: char) {
        if self.is_proposed && typed.is_ascii_digit() {
            self.clear();
        }
    }

    fn append(&mut self, typed: char) -> bool {
        self.is_proposed = false;
        if self.text.is_none() && matches!(typed, ',' | '.') {
            self.text = Some(if self.is_prefilled {
                Money::from_centavos(self.centavos).format_number()
            } else {
                self.centavos.to_string()
            });
        }
        if let Some(text) = &mut self.text {
            let is_known = typed.is_ascii_digit() || matches!(typed, ',' | '.' | 'R' | 'r' | '$');
            let normalized = if typed.is_whitespace() { ' ' } else { typed };
            if text.len() >= PASTE_LIMIT {
                return false;
            }
            // Replace a character that cannot be part of an amount with `?`, which makes the text
            // invalid.
            text.push(if is_known || normalized == ' ' {
                normalized
            } else {
                '?'
            });
            self.parse_text();
            return true;
        }
        let Some(digit) = typed.to_digit(10) else {
            return true;
        };
        let centavos = self.centavos * 10 + i64::from(digit);
        if centavos > MAX_CENTAVOS {
            return false;
        }
        self.centavos = centavos;
        true
    }

    /// Adds a character of a group: several characters that arrived together. Either they were
    /// pasted, or a slow connection delivered several key presses at once. `begins` is true for the
    /// first character of the group.
    ///
    /// A group that begins an empty input is a text, which is parsed like a paste. A group that
    /// arrives in an input with content is added like typed characters, because nothing that was
    /// typed may be lost. The amount [must then be checked](AmountField::must_be_checked).
    ///
    /// Returns false in the same cases as [`AmountField::push`].
    pub fn push_grouped(&mut self, typed: char, begins: bool) -> bool {
        let was_proposed = self.is_proposed;
        self.replace_proposal(typed);
        if self.is_empty() {
            self.text = Some(String::new());
            self.must_be_checked = was_proposed;
        } else if begins {
            self.must_be_checked = true;
        }
        self.append(typed)
    }

    /// Removes the last typed character.
    pub fn backspace(&mut self) {
        self.is_proposed = false;
        if let Some(text) = &mut self.text {
            text.pop();
            self.parse_text();
            return;
        }
        self.centavos /= 10;
        if self.is_empty() {
            self.clear();
        }
    }

    /// Empties the input and ends text mode.
    pub fn clear(&mut self) {
        *self = AmountField::default();
    }

    fn parse_text(&mut self) {
        match self.text.as_deref() {
            None | Some("") => self.clear(),
            Some(text) => {
                let centavos = read_typed(text).ok().and_then(Money::centavos);
                self.centavos = centavos.unwrap_or_default();
            }
        }
    }

    /// The reason the text cannot be parsed as an amount. Returns `None` if it can be parsed or if
    /// the input is not in text mode.
    pub fn fault(&self) -> Option<PasteError> {
        read_typed(self.text.as_deref()?).err()
    }

    /// Sets the input to a given amount.
    ///
    /// Returns false and changes nothing if the amount is negative, too large, or has a fraction of
    /// a centavo.
    pub fn set(&mut self, amount: Money) -> bool {
        match amount.centavos() {
            Some(centavos) if (0..=MAX_CENTAVOS).contains(&centavos) => {
                *self = AmountField {
                    centavos,
                    is_prefilled: true,
                    ..AmountField::default()
                };
                true
            }
            _ => false,
        }
    }

    /// Proposes an amount, such as that of an earlier payment. The first typed digit replaces it.
    pub fn propose(&mut self, amount: Money) {
        self.is_proposed = self.set(amount);
    }

    /// True if the next digit replaces the amount.
    pub fn is_proposed(&self) -> bool {
        self.is_proposed
    }

    /// True if nothing was entered. A typed `0` leaves the input empty.
    pub fn is_empty(&self) -> bool {
        self.centavos == 0 && self.text.is_none()
    }

    /// True if the input consists of a group of characters and other characters. The seller may
    /// have pasted the group, and may not have meant to join it with the other characters.
    pub fn must_be_checked(&self) -> bool {
        self.must_be_checked
    }

    /// The amount entered so far; `None` if it is zero or the text cannot be parsed.
    pub fn money(&self) -> Option<Money> {
        (self.centavos > 0).then(|| Money::from_centavos(self.centavos))
    }
}

/// Formats the amount without `R$`, such as `49,90`. An empty input is formatted as `0,00`. Text
/// that cannot be parsed is returned as typed.
impl fmt::Display for AmountField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(text) = self.text.as_ref().filter(|_| self.fault().is_some()) {
            return f.pad(text);
        }
        f.pad(&Money::from_centavos(self.centavos).format_number())
    }
}

/// The reason a text was not accepted as an amount.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PasteError {
    /// The text is ambiguous. For example, `1.000` may be one real or a thousand reais.
    #[error("the amount may mean {} or {}", .readings[0], .readings[1])]
    Ambiguous {
        /// The two possible amounts, the larger first. The smaller one may have a fraction of a
        /// centavo.
        readings: [Money; 2],
    },
    /// The text is not an amount: it is negative, has more than two decimal places, or is not a
    /// number.
    #[error("not an amount of money")]
    NotAnAmount,
    /// The amount has more digits than can be entered.
    #[error("the amount has too many digits")]
    TooLarge,
}

/// Parses a pasted amount if the text has only one possible meaning.
///
/// `R$ 1.234,56`, `1.234,56`, `1,234.56` and `1234.56` have only one meaning. `1.234` and `1,234`
/// have two, because the separator may mark thousands or decimal places. `4990` has two, because it
/// may be in reais or in centavos.
///
/// # Errors
///
/// Returns [`PasteError::Ambiguous`] with both amounts if the text has two meanings. A whole number
/// after `R$` has only one meaning, because it is in reais.
pub fn read_pasted(text: &str) -> Result<Money, PasteError> {
    if text.len() >= PASTE_LIMIT {
        return Err(PasteError::NotAnAmount);
    }
    let text = text.trim();
    let currency = text.strip_prefix("R$").or_else(|| text.strip_prefix("r$"));
    let figure = currency.unwrap_or(text).trim_start();
    let separators: Vec<usize> = figure
        .char_indices()
        .filter(|(_, c)| matches!(c, '.' | ','))
        .map(|(i, _)| i)
        .collect();
    let Some((&last, earlier)) = separators.split_last() else {
        return parse_whole_number(figure, currency.is_some());
    };
    let whole = &figure[..last];
    let fraction = &figure[last + 1..];
    let decimal_mark = &figure[last..=last];
    if fraction.is_empty() {
        return Err(PasteError::NotAnAmount);
    }
    if earlier.is_empty() {
        return parse_with_one_separator(whole, fraction);
    }
    if whole.contains(decimal_mark) {
        // A separator that occurs more than once can only separate thousands, as in 1.234.567.
        let digits = remove_thousands_separators(figure).ok_or(PasteError::NotAnAmount)?;
        return build_amount(&digits, "");
    }
    let digits = remove_thousands_separators(whole).ok_or(PasteError::NotAnAmount)?;
    build_amount(&digits, fraction)
}

/// Parses an amount that the seller is still typing, so decimal places may be missing after a final
/// separator: `49,` is read as 49.00.
fn read_typed(text: &str) -> Result<Money, PasteError> {
    if text.ends_with([',', '.']) {
        read_pasted(&format!("{text}00"))
    } else {
        read_pasted(text)
    }
}

/// Parses a number without separators. A number after `R$` is in reais. Any other number is
/// ambiguous, because it may be in reais or in centavos.
fn parse_whole_number(digits: &str, has_currency: bool) -> Result<Money, PasteError> {
    let reais = build_amount(digits, "")?;
    if has_currency || reais.is_zero() {
        return Ok(reais);
    }
    let centavos: i64 = digits.parse().map_err(|_| PasteError::TooLarge)?;
    Err(PasteError::Ambiguous {
        readings: [reais, Money::from_centavos(centavos)],
    })
}

/// Parses a number with one separator. `49,90` has decimal places, but `1.234` is ambiguous: its
/// separator may mark decimal places or thousands.
fn parse_with_one_separator(whole: &str, fraction: &str) -> Result<Money, PasteError> {
    if fraction.len() != 3 {
        return build_amount(whole, fraction);
    }
    let digits = remove_thousands_separators(&format!("{whole}.{fraction}"))
        .ok_or(PasteError::NotAnAmount)?;
    let thousands = build_amount(&digits, "")?;
    let decimal =
        Money::parse_wire(&format!("{whole}.{fraction}")).ok_or(PasteError::NotAnAmount)?;
    Err(PasteError::Ambiguous {
        readings: [thousands, decimal],
    })
}

/// Removes the thousands separators from a number such as `1.234.567` or `1,234,567`. Returns
/// `None` if any group after the first does not have exactly three digits.
fn remove_thousands_separators(grouped: &str) -> Option<String> {
    let separator = grouped.chars().find(|c| matches!(c, '.' | ','))?;
    let mut groups = grouped.split(separator);
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

/// Builds an amount from the digits before and after its decimal separator.
fn build_amount(whole: &str, fraction: &str) -> Result<Money, PasteError> {
    if fraction.len() > 2 {
        return Err(PasteError::NotAnAmount);
    }
    let text = format!("{whole}.{fraction:0<2}");
    if text.contains(|c: char| c != '.' && !c.is_ascii_digit()) {
        return Err(PasteError::NotAnAmount);
    }
    if whole.len() > MAX_DIGITS as usize {
        return Err(PasteError::TooLarge);
    }
    let money = Money::parse_wire(&text).ok_or(PasteError::NotAnAmount)?;
    match money.centavos() {
        Some(centavos) if centavos <= MAX_CENTAVOS => Ok(money),
        _ => Err(PasteError::TooLarge),
    }
}

#[cfg(test)]
mod tests;
