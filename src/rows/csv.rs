//! Converts the rows of a list to CSV for a spreadsheet in Portuguese, with semicolons, decimal
//! commas and local times. The headings and states are in the language of the screen.
//!
//! The cells come from the JSON of the rows, so both formats contain the same, and the personal
//! data of both is masked in the same way.

use std::io;

use jiff::Timestamp;
use serde_json::Value;

use crate::csv_files::CsvWriter;
use crate::trade::{Untrusted, Wall};
use crate::words::Catalogue;

/// The columns of payment links, by their names in JSON.
pub const LINKS: &[&str] = &[
    "at",
    "account",
    "amount",
    "description",
    "checkoutDomain",
    "state",
    "outcome",
    "url",
    "message",
    "markedPaid",
    "sandboxPaid",
    "note",
    "putAway",
];

/// The columns of direct payments.
pub const CHARGES: &[&str] = &[
    "at",
    "account",
    "amount",
    "description",
    "customer",
    "buyer",
    "state",
    "serviceState",
    "outcome",
    "id",
    "status",
    "pixCode",
    "expires",
    "message",
    "markedPaid",
];

/// The columns of withdrawals.
pub const WITHDRAWALS: &[&str] = &[
    "agreed",
    "key",
    "state",
    "serviceState",
    "open",
    "account",
    "origin",
    "amount",
    "fee",
    "net",
    "destination",
    "nickname",
    "description",
    "attempts",
];

const DELIMITER: u8 = b';';

/// The rows of a list as CSV.
#[derive(Clone, Copy)]
pub struct CsvRows {
    /// The texts of headings and states.
    pub words: &'static Catalogue,
    /// The columns, by their names in JSON.
    pub columns: &'static [&'static str],
    pub utc_offset_s: i32,
}

impl CsvRows {
    /// The line with the headings, after a byte order mark.
    ///
    /// # Errors
    ///
    /// Never fails, because the text is in memory.
    pub fn heading(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut writer = CsvWriter::new(&mut bytes, DELIMITER)?;
        let headings = self
            .columns
            .iter()
            .map(|name| self.words.text(&format!("rows-csv.{name}")));
        let headings: Vec<String> = headings.collect();
        writer.line(headings.iter().map(String::as_str))?;
        writer.finish()?;
        Ok(bytes)
    }

    /// The lines of some rows, which are the JSON of [`json_line`](super::json_line).
    ///
    /// # Errors
    ///
    /// Never fails, because the text is in memory.
    pub fn lines(&self, rows: &[Value]) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut writer = CsvWriter::plain(&mut bytes, DELIMITER);
        for row in rows {
            let cells = self.columns.iter().map(|name| self.cell(name, &row[*name]));
            let cells: Vec<String> = cells.collect();
            writer.line(cells.iter().map(String::as_str))?;
        }
        writer.finish()?;
        Ok(bytes)
    }

    fn cell(&self, name: &str, value: &Value) -> String {
        match (name, value) {
            ("state", Value::String(text)) => self.words.text(&format!("report-state.{text}")),
            ("outcome", Value::String(text)) => {
                self.words.text(&format!("rows-csv-outcome.{text}"))
            }
            ("at" | "agreed" | "markedPaid" | "sandboxPaid" | "putAway", Value::String(text)) => {
                self.local_time(text)
            }
            (_, Value::Null) => String::new(),
            (_, Value::Bool(true)) => self.words.text("rows-csv-yes"),
            (_, Value::Bool(false)) => self.words.text("rows-csv-no"),
            (_, Value::Number(number)) => number.to_string().replace('.', ","),
            (_, Value::String(text)) => one_line(text),
            // The attempts of a withdrawal are only counted.
            (_, Value::Array(items)) => items.len().to_string(),
            // The fields of a buyer, which differ between services.
            (_, Value::Object(members)) => {
                let fields = members
                    .iter()
                    .filter_map(|(name, value)| Some(format!("{name}: {}", value.as_str()?)));
                one_line(&fields.collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// The local time of a time in UTC, as a spreadsheet in Portuguese reads it.
    fn local_time(&self, utc: &str) -> String {
        let at = utc.parse::<Timestamp>().ok();
        let at = at.and_then(|at| Wall(at.as_millisecond()).local(self.utc_offset_s));
        at.map_or_else(
            || one_line(utc),
            |at| at.strftime("%d/%m/%Y %H:%M:%S").to_string(),
        )
    }
}

/// A text on one line, without characters that could deceive a reader or change a terminal's state.
fn one_line(text: &str) -> String {
    Untrusted::from(text).shown_whole()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::words::Lang;

    fn rows(columns: &'static [&'static str], lang: Lang) -> CsvRows {
        CsvRows {
            words: Catalogue::of(lang),
            columns,
            utc_offset_s: -3 * 3_600,
        }
    }

    fn lines(columns: &'static [&'static str], row: Value) -> String {
        let lines = rows(columns, Lang::Pt).lines(&[row]).unwrap();
        String::from_utf8(lines).unwrap()
    }

    #[test]
    fn heading_has_bom_and_the_language_of_the_screen() {
        for (lang, heading) in [
            (Lang::Pt, "\u{feff}criado em;valor (R$);endereço\r\n"),
            (Lang::En, "\u{feff}created;amount (R$);address\r\n"),
        ] {
            let bytes = rows(&["at", "amount", "url"], lang).heading().unwrap();
            assert_eq!(String::from_utf8(bytes).unwrap(), heading);
        }
        for columns in [LINKS, CHARGES, WITHDRAWALS] {
            for lang in Lang::ALL {
                let bytes = rows(columns, lang).heading().unwrap();
                let text = String::from_utf8(bytes).unwrap();
                assert!(!text.contains("rows-csv"), "{text}");
            }
        }
    }

    #[test]
    fn cells_are_local_and_never_a_formula() {
        let row = json!({
            "at": "2026-11-21T02:30:00.000Z",
            "amount": 1234.5,
            "description": "=SUM(A1)",
            "state": "created",
            "outcome": "created",
            "note": "a\u{1b}[2J\nb;c",
            "url": null,
        });
        let columns = &[
            "at",
            "amount",
            "description",
            "state",
            "outcome",
            "note",
            "url",
        ];
        let line = lines(columns, row);
        assert_eq!(
            line.split(';').take(5).collect::<Vec<_>>(),
            [
                "20/11/2026 23:30:00",
                "1234,5",
                "'=SUM(A1)",
                "criado, sem marca",
                "criado"
            ]
        );
        assert!(
            !line.contains('\u{1b}') && line.ends_with(";\r\n"),
            "{line:?}"
        );
        assert_eq!(line.lines().count(), 1, "{line:?}");
    }

    #[test]
    fn buyer_and_attempts_are_one_cell_each() {
        let row = json!({
            "buyer": { "name": "Bia", "document": "529" },
            "attempts": [{}, {}],
            "open": true,
        });
        assert_eq!(
            lines(&["buyer", "attempts", "open"], row),
            "name: Bia, document: 529;2;sim\r\n"
        );
    }
}
