//! Reads the amounts of a whole column of a file, such as a price list.
//!
//! A single cell may be ambiguous: `1.234` may be one real or a thousand. The other cells of the
//! column often decide, because one program wrote all of them in the same way.

use std::collections::BTreeMap;

use super::{MAX_CENTAVOS, MAX_DIGITS, remove_thousands_separators};
use crate::trade::Money;

/// The unit of a column that contains only whole numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// `4990` is R$ 4.990,00.
    Reais,
    /// `4990` is R$ 49,90.
    Centavos,
}

/// The way in which the amounts of a column are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AmountColumn {
    /// The decimal separator; `None` if no cell shows which of comma and point it is.
    decimal: Option<char>,
    /// The unit of whole numbers.
    unit: Unit,
}

/// The reason why the amounts of a column cannot be read at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ColumnFault {
    /// The comma is the decimal separator in one line, and the point in another. The line numbers
    /// are in the order of comma and point.
    #[error("line {} has a decimal comma, line {} a decimal point", .lines[0], .lines[1])]
    TwoDecimals {
        /// The numbers of the two lines.
        lines: [u64; 2],
    },
    /// All amounts are whole numbers, and the unit is not given. The readings are in the order
    /// of reais and centavos.
    #[error("whole numbers may be reais or centavos")]
    UnitUnknown {
        /// The line of the first amount.
        line: u64,
        /// The readings of the first amount.
        readings: [Money; 2],
    },
}

/// The reason why a cell is not accepted as an amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CellFault {
    /// The cell is empty, or contains only a currency or a dash.
    #[error("the amount is missing")]
    Missing,
    /// The cell is not a number, or its separators are not those of an amount.
    #[error("not an amount of money")]
    NotAnAmount,
    /// The separator may mark thousands or decimal places. The larger reading is first.
    #[error("the amount may mean {} or {}", .readings[0], .readings[1])]
    Ambiguous {
        /// The two possible amounts.
        readings: [Money; 2],
    },
    /// The amount is zero.
    #[error("the amount is zero")]
    Zero,
    /// The amount is below zero.
    #[error("the amount is negative")]
    Negative,
    /// The amount has more digits than the forms of the app accept.
    #[error("the amount is too large")]
    TooLarge,
    /// The amount has more than two decimal places.
    #[error("the amount has a fraction of a centavo")]
    Fraction,
}

/// A cell without its currency and sign.
struct Figure<'c> {
    text: &'c str,
    has_currency: bool,
    is_negative: bool,
}

/// The fact that a cell shows about the column.
#[derive(PartialEq)]
enum Evidence {
    /// This character is the decimal separator.
    Decimal(char),
    /// The cell has no separator, and no currency that would show its unit.
    WholeNumber,
    /// The amounts are in reais, but nothing is known about the decimal separator.
    Reais,
    /// The cell is not an amount.
    Nothing,
}

impl AmountColumn {
    /// Decides how the amounts of a column are written. `cells` are the texts of the cells with
    /// their line numbers. `unit` is the seller's answer for a column of whole numbers.
    ///
    /// # Errors
    ///
    /// Returns an error if two cells contradict each other, or if all cells are whole numbers and
    /// `unit` is `None`.
    pub fn of<'c>(
        cells: impl IntoIterator<Item = (u64, &'c str)>,
        unit: Option<Unit>,
    ) -> Result<AmountColumn, ColumnFault> {
        let mut first_lines = BTreeMap::new();
        let mut first_whole = None;
        let mut is_in_reais = false;
        for (line, cell) in cells {
            match Figure::of(cell).evidence() {
                Evidence::Decimal(mark) => {
                    first_lines.entry(mark).or_insert(line);
                }
                Evidence::WholeNumber => {
                    first_whole = first_whole.or(Some((line, cell)));
                }
                Evidence::Reais => is_in_reais = true,
                Evidence::Nothing => {}
            }
        }
        if let (Some(comma), Some(point)) = (first_lines.get(&','), first_lines.get(&'.')) {
            return Err(ColumnFault::TwoDecimals {
                lines: [*comma, *point],
            });
        }
        let decimal = first_lines.keys().next().copied();
        let is_unit_open = decimal.is_none() && !is_in_reais;
        let Some((line, cell)) = first_whole.filter(|_| is_unit_open) else {
            return Ok(AmountColumn {
                decimal,
                unit: Unit::Reais,
            });
        };
        match unit {
            Some(unit) => Ok(AmountColumn { decimal, unit }),
            None => Err(ColumnFault::UnitUnknown {
                line,
                readings: whole_readings(cell),
            }),
        }
    }

    /// Reads a cell of the column.
    ///
    /// # Errors
    ///
    /// Returns an error if the cell is not an amount that can be charged.
    pub fn read(self, cell: &str) -> Result<Money, CellFault> {
        let amount = self.read_signed(cell)?;
        if amount.is_zero() {
            return Err(CellFault::Zero);
        }
        if amount.is_negative() {
            return Err(CellFault::Negative);
        }
        Ok(amount)
    }

    /// Reads a cell that may be zero or negative, such as an entry of a statement.
    ///
    /// # Errors
    ///
    /// Returns an error if the cell is not an amount.
    pub fn read_signed(self, cell: &str) -> Result<Money, CellFault> {
        let figure = Figure::of(cell);
        if figure.text.is_empty() {
            return Err(CellFault::Missing);
        }
        let amount = self.magnitude(&figure)?;
        match amount.centavos() {
            Some(centavos) if centavos > MAX_CENTAVOS => Err(CellFault::TooLarge),
            Some(centavos) if figure.is_negative => Ok(Money::from_centavos(-centavos)),
            Some(_) => Ok(amount),
            None => Err(CellFault::Fraction),
        }
    }

    /// The amount without its sign.
    fn magnitude(self, figure: &Figure<'_>) -> Result<Money, CellFault> {
        let separators = figure.text.matches([',', '.']).count();
        if separators == 0 {
            let in_reais = decimal(figure.text, "")?;
            let is_in_centavos = self.unit == Unit::Centavos && !figure.has_currency;
            if !is_in_centavos {
                return Ok(in_reais);
            }
            return in_reais.centavos_to_reais().ok_or(CellFault::TooLarge);
        }
        let Some(mark) = self.decimal else {
            // Only cells like `1.234` are left: other separators decide the column.
            return Err(figure.ambiguity().unwrap_or(CellFault::NotAnAmount));
        };
        match figure.text.rsplit_once(mark) {
            Some((whole, fraction)) if !fraction.is_empty() => {
                decimal(&without_separators(whole, mark)?, fraction)
            }
            Some(_) => Err(CellFault::NotAnAmount),
            None => decimal(&without_separators(figure.text, mark)?, ""),
        }
    }
}

impl<'c> Figure<'c> {
    /// Splits the currency and the sign off. Spreadsheets write a negative amount with a minus sign
    /// before or after `R$`, or in parentheses.
    fn of(cell: &'c str) -> Figure<'c> {
        let mut text = cell.trim();
        let inner = text
            .strip_prefix('(')
            .and_then(|text| text.strip_suffix(')'));
        let mut is_negative = inner.is_some();
        text = inner.unwrap_or(text);
        let mut has_currency = false;
        loop {
            text = text.trim();
            if let Some(rest) = text.strip_prefix(['-', '\u{2212}']) {
                is_negative = true;
                text = rest;
            } else if let Some(rest) = text.strip_prefix('+') {
                text = rest;
            } else if let Some(rest) = text.strip_prefix("R$").or_else(|| text.strip_prefix("r$")) {
                has_currency = true;
                text = rest;
            } else {
                break;
            }
        }
        Figure {
            text,
            has_currency,
            is_negative,
        }
    }

    fn evidence(&self) -> Evidence {
        let is_figure = self.text.starts_with(|c: char| c.is_ascii_digit())
            && self
                .text
                .chars()
                .all(|c| c.is_ascii_digit() || matches!(c, ',' | '.'));
        if !is_figure {
            return Evidence::Nothing;
        }
        let Some((whole, fraction)) = self.text.rsplit_once([',', '.']) else {
            return if self.has_currency {
                Evidence::Reais
            } else {
                Evidence::WholeNumber
            };
        };
        let mark = if self.text[whole.len()..].starts_with(',') {
            ','
        } else {
            '.'
        };
        let other = if mark == ',' { '.' } else { ',' };
        if whole.contains(mark) {
            // A separator that occurs more than once separates thousands.
            return Evidence::Decimal(other);
        }
        if whole.contains(other) || fraction.len() != 3 {
            return Evidence::Decimal(mark);
        }
        Evidence::Reais
    }

    /// The fault of a figure such as `1.234`, with its two readings.
    fn ambiguity(&self) -> Option<CellFault> {
        let (whole, fraction) = self.text.split_once([',', '.'])?;
        let thousands = decimal(&format!("{whole}{fraction}"), "").ok()?;
        let decimals = Money::parse_wire(&format!("{whole}.{fraction}"))?;
        Some(CellFault::Ambiguous {
            readings: [thousands, decimals],
        })
    }
}

/// Removes the thousands separators, which are the other character than the decimal separator.
fn without_separators(whole: &str, decimal_mark: char) -> Result<String, CellFault> {
    if whole.contains(decimal_mark) {
        return Err(CellFault::NotAnAmount);
    }
    if whole.contains([',', '.']) {
        return remove_thousands_separators(whole).ok_or(CellFault::NotAnAmount);
    }
    Ok(whole.to_owned())
}

/// Builds an amount from the digits before and after its decimal separator.
fn decimal(whole: &str, fraction: &str) -> Result<Money, CellFault> {
    let has_only_digits = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !has_only_digits(whole) || !has_only_digits(fraction) {
        return Err(CellFault::NotAnAmount);
    }
    let significant = whole.trim_start_matches('0');
    if significant.len() > MAX_DIGITS as usize {
        return Err(CellFault::TooLarge);
    }
    let fraction = fraction.trim_end_matches('0');
    if fraction.len() > 2 {
        return Err(CellFault::Fraction);
    }
    Money::parse_wire(&format!("{significant:0>1}.{fraction:0<2}")).ok_or(CellFault::NotAnAmount)
}

/// The readings of a whole number, in reais and in centavos.
fn whole_readings(cell: &str) -> [Money; 2] {
    [Unit::Reais, Unit::Centavos].map(|unit| {
        let column = AmountColumn {
            decimal: None,
            unit,
        };
        column.magnitude(&Figure::of(cell)).unwrap_or(Money::ZERO)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn column(cells: &[&str]) -> Result<AmountColumn, ColumnFault> {
        AmountColumn::of((2..).zip(cells.iter().copied()), None)
    }

    fn read(cells: &[&str]) -> Vec<String> {
        let column = column(cells).unwrap();
        cells
            .iter()
            .map(|cell| match column.read(cell) {
                Ok(amount) => amount.wire(),
                Err(fault) => fault.to_string(),
            })
            .collect()
    }

    #[test]
    fn single_amounts_are_read_as_people_do() {
        for (cell, expected) in [
            ("49,90", "49.90"),
            ("49.90", "49.90"),
            ("49,9", "49.90"),
            ("R$ 1.234,56", "1234.56"),
            ("R$\u{a0}1.234,56", "1234.56"),
            (" r$1,234.56 ", "1234.56"),
            ("1.234.567,8", "1234567.80"),
            ("1.234.567", "1234567.00"),
            ("R$ 50", "50.00"),
            ("0049,90", "49.90"),
            ("0,50", "0.50"),
            ("49,9000", "49.90"),
        ] {
            let amount = column(&[cell]).unwrap().read(cell).unwrap();
            assert_eq!(amount, Money::parse_wire(expected).unwrap(), "{cell}");
        }
    }

    #[test]
    fn cell_that_is_no_price_has_its_own_fault() {
        for (cell, fault) in [
            ("", CellFault::Missing),
            ("  ", CellFault::Missing),
            ("R$", CellFault::Missing),
            ("0,00", CellFault::Zero),
            ("R$ 0", CellFault::Zero),
            ("-5,00", CellFault::Negative),
            ("R$ -5,00", CellFault::Negative),
            ("-R$ 5,00", CellFault::Negative),
            ("(5,00)", CellFault::Negative),
            ("10000000000,00", CellFault::TooLarge),
            ("99999999999999999999,00", CellFault::TooLarge),
            ("49,905", CellFault::Fraction),
            ("grátis", CellFault::NotAnAmount),
            ("49,90 cada", CellFault::NotAnAmount),
            ("1.23.456,00", CellFault::NotAnAmount),
            ("49,", CellFault::NotAnAmount),
            (",90", CellFault::NotAnAmount),
            ("1e3", CellFault::NotAnAmount),
            ("٤٩,٩٠", CellFault::NotAnAmount),
            ("#REF!", CellFault::NotAnAmount),
        ] {
            let column = column(&["10,00", cell]).unwrap();
            assert_eq!(column.read(cell), Err(fault), "{cell}");
        }
    }

    #[test]
    fn signed_amounts_keep_their_sign() {
        for (cell, centavos) in [
            ("+49,90", 4_990),
            ("-49,90", -4_990),
            ("(1.234,56)", -123_456),
            ("-R$ 0,00", 0),
            ("R$ -5,00", -500),
        ] {
            let amount = column(&["10,00", cell]).unwrap().read_signed(cell);
            assert_eq!(amount, Ok(Money::from_centavos(centavos)), "{cell}");
        }
    }

    #[test]
    fn other_cells_decide_an_ambiguous_one() {
        assert_eq!(
            read(&["1.234", "49,90", "50"]),
            ["1234.00", "49.90", "50.00"]
        );
        assert_eq!(
            read(&["1,234", "49.90", "50"]),
            ["1234.00", "49.90", "50.00"]
        );
        assert_eq!(
            read(&["1.234", "49.90"]),
            ["the amount has a fraction of a centavo", "49.90"]
        );
        assert_eq!(read(&["1.234", "1.234.567"]), ["1234.00", "1234567.00"]);
    }

    #[test]
    fn undecided_cell_is_refused_and_others_are_read() {
        let ambiguous = "the amount may mean R$ 1.234,00 or R$ 1,234";
        assert_eq!(read(&["1.234", "R$ 50", "7"]), [ambiguous, "50.00", "7.00"]);
    }

    #[test]
    fn contradicting_lines_are_both_named() {
        let fault = column(&["10", "49,90", "5,5", "49.90"]).unwrap_err();
        assert_eq!(fault, ColumnFault::TwoDecimals { lines: [3, 5] });
    }

    #[test]
    fn whole_numbers_need_a_unit() {
        let cells = ["4990", "", "total", "100"];
        let [reais, centavos] = ["4990.00", "49.90"].map(|text| Money::parse_wire(text).unwrap());
        assert_eq!(
            column(&cells),
            Err(ColumnFault::UnitUnknown {
                line: 2,
                readings: [reais, centavos],
            })
        );
        let lines = (2..).zip(cells);
        for (unit, expected) in [(Unit::Reais, reais), (Unit::Centavos, centavos)] {
            let column = AmountColumn::of(lines.clone(), Some(unit)).unwrap();
            assert_eq!(column.read("4990"), Ok(expected));
        }
    }

    #[test]
    fn unit_is_ignored_if_the_column_shows_reais() {
        let cells = [(2, "49,90"), (3, "50")];
        let column = AmountColumn::of(cells, Some(Unit::Centavos)).unwrap();
        assert_eq!(
            column.read("50"),
            Money::parse_wire("50.00").ok_or(CellFault::Zero)
        );
        let cells = [(2, "R$ 49"), (3, "50")];
        let column = AmountColumn::of(cells, Some(Unit::Centavos)).unwrap();
        assert_eq!(
            column.read("50"),
            Money::parse_wire("50.00").ok_or(CellFault::Zero)
        );
    }

    proptest! {
        #[test]
        fn written_amounts_are_read_back(
            centavos in proptest::collection::vec(1..=MAX_CENTAVOS, 1..20),
            has_currency: bool,
        ) {
            let amounts: Vec<_> = centavos.into_iter().map(Money::from_centavos).collect();
            let cells: Vec<String> = amounts
                .iter()
                .map(Money::to_string)
                .map(|amount| match amount.strip_prefix("R$ ") {
                    Some(figure) if !has_currency => figure.to_owned(),
                    _ => amount,
                })
                .collect();
            let column = AmountColumn::of((2..).zip(cells.iter().map(String::as_str)), None);
            let column = column.unwrap();
            for (cell, amount) in cells.iter().zip(amounts) {
                prop_assert_eq!(column.read(cell), Ok(amount));
            }
        }

        #[test]
        fn any_text_is_read_or_refused(cells in proptest::collection::vec(".{0,12}", 1..5)) {
            let lines = || (2..).zip(cells.iter().map(String::as_str));
            if let Ok(column) = AmountColumn::of(lines(), Some(Unit::Reais)) {
                for cell in &cells {
                    if let Ok(amount) = column.read(cell) {
                        prop_assert!(amount.is_positive());
                    }
                }
            }
        }
    }
}
