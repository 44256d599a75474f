//! The forms of a report: a text for the terminal, JSON, and CSV for a spreadsheet.

use std::io::{self, Stdout, Write};

use serde_json::{Value, json};

use super::{By, ReportRow, RowFigures, span};
use crate::app::ui::text::{align_right, exactly};
use crate::cli::complaint::Complaint;
use crate::cli::output::{is_output_closed, print_wrapped};
use crate::csv_files::CsvWriter;
use crate::rows::json_line::{FORMAT, amount_json, format_utc, to_line};
use crate::trade::personal::masked_text;
use crate::trade::report::{SaleFigures, StateFigures, WithdrawalFigures};
use crate::trade::search::Period;
use crate::trade::{LinksTotal, Money, Untrusted, date_of};
use crate::words::{Catalogue, dates};

/// The form in which a report is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Text,
    Json,
    /// CSV as a spreadsheet in Portuguese reads it: semicolons and decimal commas.
    Csv,
    /// CSV with commas and decimal points.
    PlainCsv,
}

/// Prints the rows of a report. Its methods return false if the reader, such as `head`, has closed
/// the output.
pub struct ReportWriter {
    words: &'static Catalogue,
    form: Form,
    by: By,
    csv: Option<CsvWriter<Stdout>>,
}

const LIST_WIDTH: usize = 80;
const COUNT_WIDTH: usize = 6;
const SUM_WIDTH: usize = 13;

/// The columns of a CSV file after the name of the row, by the attributes of their messages.
const SALE_COLUMNS: [&str; 7] = [
    "made",
    "made_sum",
    "marked",
    "marked_sum",
    "unmarked",
    "unmarked_sum",
    "inexact",
];
const WITHDRAWAL_COLUMNS: [&str; 9] = [
    "accepted",
    "accepted_sum",
    "fees",
    "net",
    "without_fee",
    "inexact",
    "found_paid",
    "open",
    "unknown",
];
const STATE_COLUMNS: [&str; 3] = ["count", "sum", "inexact"];

impl ReportWriter {
    pub fn new(words: &'static Catalogue, form: Form, by: By) -> ReportWriter {
        ReportWriter {
            words,
            form,
            by,
            csv: None,
        }
    }

    /// Prints the figures of the whole period.
    pub fn whole(&mut self, row: &ReportRow, put_away: u64) -> Result<bool, Complaint> {
        if self.form == Form::Json {
            let value = self.json(row, "period", Some(put_away));
            return self.print(&to_line(&value));
        }
        let RowFigures::Days {
            links,
            charges,
            withdrawals,
        } = &row.figures
        else {
            return Ok(true);
        };
        let lines = whole_lines(
            self.words,
            row.days,
            [links, charges],
            withdrawals,
            put_away,
        );
        if !self.print(&lines.join("\n"))? {
            return Ok(false);
        }
        print_wrapped(&self.words.text("report-mark-means"))?;
        Ok(true)
    }

    /// Prints the heading of the rows.
    pub fn heading(&mut self) -> Result<bool, Complaint> {
        let words = self.words;
        match self.form {
            Form::Json => Ok(true),
            Form::Text => {
                let names = self
                    .text_columns()
                    .map(|id| words.text(&format!("report-column.{id}")));
                let name = words.text(&format!("report-by.{}", self.by.name()));
                let line = text_line(&name, &names.collect::<Vec<_>>());
                self.print(&format!("\n{line}"))
            }
            Form::Csv | Form::PlainCsv => {
                let csv = match self.form {
                    Form::Csv => CsvWriter::new(io::stdout(), b';'),
                    _ => Ok(CsvWriter::plain(io::stdout(), b',')),
                };
                let csv = match csv {
                    Ok(csv) => csv,
                    Err(error) => return is_output_closed(Err(error)).map(|closed| !closed),
                };
                self.csv = Some(csv);
                let heading = self.csv_heading();
                self.csv_line(&heading)
            }
        }
    }

    /// Prints a row.
    pub fn row(&mut self, row: &ReportRow) -> Result<bool, Complaint> {
        match self.form {
            Form::Json => {
                let value = self.json(row, self.by.name(), None);
                self.print(&to_line(&value))
            }
            Form::Text => {
                let name = self.row_name(row);
                let line = text_line(&name, &self.text_cells(row));
                self.print(&line)
            }
            Form::Csv | Form::PlainCsv => {
                let cells = self.csv_cells(row);
                self.csv_line(&cells)
            }
        }
    }

    /// Writes everything to the output.
    pub fn finish(self) -> Result<(), Complaint> {
        let result = self.csv.map_or(Ok(()), CsvWriter::finish);
        is_output_closed(result).map(drop)
    }

    fn print(&self, text: &str) -> Result<bool, Complaint> {
        is_output_closed(writeln!(io::stdout(), "{text}")).map(|closed| !closed)
    }

    fn csv_line(&mut self, cells: &[String]) -> Result<bool, Complaint> {
        let Some(csv) = &mut self.csv else {
            return Ok(true);
        };
        let result = csv.line(cells.iter().map(String::as_str));
        is_output_closed(result).map(|closed| !closed)
    }

    /// The text that names a row: its days, its domain, its description or its state.
    fn row_name(&self, row: &ReportRow) -> String {
        match self.by {
            By::Day | By::Week | By::Month => days_text(self.words, row.days),
            By::State => {
                let state = row.name.as_deref().unwrap_or_default();
                self.words.text(&format!("report-state.{state}"))
            }
            By::Domain | By::Description => match &row.name {
                Some(name) => Untrusted::from(&**name).shown(),
                None => self.words.text("report-no-domain"),
            },
        }
    }

    /// The columns of the text after the name: their message attributes.
    fn text_columns(&self) -> impl Iterator<Item = &'static str> {
        let columns: &[&str] = match self.by {
            By::Day | By::Week | By::Month => {
                &["links", "links_sum", "marked", "charges_sum", "withdrawals"]
            }
            By::Domain => &["links", "links_sum", "marked"],
            By::Description => &["links", "links_sum", "marked", "charges_sum"],
            By::State => &["links", "links_sum", "charges_sum", "withdrawals"],
        };
        columns.iter().copied()
    }

    fn text_cells(&self, row: &ReportRow) -> Vec<String> {
        let sale_cells = |links: &SaleFigures| {
            vec![
                links.made.count.to_string(),
                links.made.sum.format_number(),
                links.marked.sum.format_number(),
            ]
        };
        match &row.figures {
            RowFigures::Days {
                links,
                charges,
                withdrawals,
            } => {
                let sums = [charges.made.sum, withdrawals.accepted.sum];
                [sale_cells(links), sums.map(Money::format_number).to_vec()].concat()
            }
            RowFigures::Domain(links) => sale_cells(links),
            RowFigures::Description { links, charges } => {
                [sale_cells(links), vec![charges.made.sum.format_number()]].concat()
            }
            RowFigures::State {
                links,
                charges,
                withdrawals,
            } => {
                let sum = |figures: &Option<StateFigures>| {
                    figures.map_or_else(String::new, |figures| figures.total.sum.format_number())
                };
                let count = links.map_or_else(String::new, |links| links.total.count.to_string());
                vec![count, sum(links), sum(charges), sum(withdrawals)]
            }
        }
    }

    fn csv_heading(&self) -> Vec<String> {
        let words = self.words;
        let mut ids: Vec<String> = match self.by {
            By::Day | By::Week | By::Month => {
                vec!["report-csv.from".into(), "report-csv.to".into()]
            }
            by => vec![format!("report-by.{}", by.name())],
        };
        let kinds: &[(&str, &[&str])] = match self.by {
            By::Day | By::Week | By::Month => &[
                ("links", &SALE_COLUMNS),
                ("charges", &SALE_COLUMNS),
                ("withdrawals", &WITHDRAWAL_COLUMNS),
            ],
            By::Domain => &[("links", &SALE_COLUMNS)],
            By::Description => &[("links", &SALE_COLUMNS), ("charges", &SALE_COLUMNS)],
            By::State => &[
                ("links", &STATE_COLUMNS),
                ("charges", &STATE_COLUMNS),
                ("withdrawals", &STATE_COLUMNS),
            ],
        };
        for (kind, columns) in kinds {
            ids.extend(
                columns
                    .iter()
                    .map(|column| format!("report-csv-{kind}.{column}")),
            );
        }
        ids.iter().map(|id| words.text(id)).collect()
    }

    fn csv_cells(&self, row: &ReportRow) -> Vec<String> {
        let mut cells = match self.by {
            By::Day | By::Week | By::Month => [row.days.first, row.days.last]
                .map(|day| self.csv_day(day))
                .to_vec(),
            _ => vec![self.row_name(row)],
        };
        match &row.figures {
            RowFigures::Days {
                links,
                charges,
                withdrawals,
            } => {
                self.push_sales(&mut cells, links);
                self.push_sales(&mut cells, charges);
                self.push_withdrawals(&mut cells, withdrawals);
            }
            RowFigures::Domain(links) => self.push_sales(&mut cells, links),
            RowFigures::Description { links, charges } => {
                self.push_sales(&mut cells, links);
                self.push_sales(&mut cells, charges);
            }
            RowFigures::State {
                links,
                charges,
                withdrawals,
            } => {
                for figures in [links, charges, withdrawals] {
                    match figures {
                        Some(StateFigures { total, inexact }) => {
                            self.push_total(&mut cells, total);
                            cells.push(inexact.to_string());
                        }
                        None => cells.extend([const { String::new() }; 3]),
                    }
                }
            }
        }
        cells
    }

    fn push_sales(&self, cells: &mut Vec<String>, figures: &SaleFigures) {
        for total in [&figures.made, &figures.marked, &figures.unmarked] {
            self.push_total(cells, total);
        }
        cells.push(figures.inexact.to_string());
    }

    fn push_withdrawals(&self, cells: &mut Vec<String>, figures: &WithdrawalFigures) {
        self.push_total(cells, &figures.accepted);
        cells.extend([figures.fees, figures.net].map(|sum| self.csv_sum(sum)));
        let counts = [
            figures.without_fee,
            figures.inexact,
            figures.found_paid,
            figures.open,
            figures.unknown,
        ];
        cells.extend(counts.map(|count| count.to_string()));
    }

    fn push_total(&self, cells: &mut Vec<String>, total: &LinksTotal) {
        cells.extend([total.count.to_string(), self.csv_sum(total.sum)]);
    }

    /// A sum without separators of thousands, because a program reads it.
    fn csv_sum(&self, sum: Money) -> String {
        match self.form {
            Form::PlainCsv => sum.wire(),
            _ => sum.wire().replace('.', ","),
        }
    }

    /// A date as programs read it, or as the seller writes it.
    fn csv_day(&self, day: i64) -> String {
        let Some(date) = date_of(day) else {
            return String::new();
        };
        match self.form {
            Form::PlainCsv => date.to_string(),
            _ => date.strftime("%d/%m/%Y").to_string(),
        }
    }

    fn masked(&self, text: &str) -> String {
        if self.words.masks() {
            masked_text(text)
        } else {
            text.to_owned()
        }
    }

    /// A row as JSON. Every row has the same members; a member that does not apply is null.
    fn json(&self, row: &ReportRow, by: &str, put_away: Option<u64>) -> Value {
        let [from, until] = span(row.days).map(format_utc);
        let null = Value::Null;
        let [links, charges, withdrawals] = match &row.figures {
            RowFigures::Days {
                links,
                charges,
                withdrawals,
            } => [
                sales_json(links),
                sales_json(charges),
                withdrawals_json(withdrawals),
            ],
            RowFigures::Domain(links) => [sales_json(links), null.clone(), null],
            RowFigures::Description { links, charges } => {
                [sales_json(links), sales_json(charges), null]
            }
            RowFigures::State {
                links,
                charges,
                withdrawals,
            } => [links, charges, withdrawals].map(|figures| {
                figures.map_or(Value::Null, |StateFigures { total, inexact }| {
                    json!({
                        "count": total.count,
                        "sum": amount_json(total.sum),
                        "inexact": inexact,
                    })
                })
            }),
        };
        let [description, name] = match self.by {
            By::Description => [row.name.as_deref().map(|text| self.masked(text)), None],
            _ => [None, row.name.clone()],
        };
        let [domain, state] = match self.by {
            By::State => [None, name],
            _ => [name, None],
        };
        json!({
            "format": FORMAT,
            "by": by,
            "from": from,
            "until": until,
            "domain": domain,
            "description": description,
            "state": state,
            "links": links,
            "charges": charges,
            "withdrawals": withdrawals,
            "putAway": put_away,
        })
    }
}

fn total_json(total: &LinksTotal) -> Value {
    json!({ "count": total.count, "sum": amount_json(total.sum) })
}

fn sales_json(figures: &SaleFigures) -> Value {
    json!({
        "made": total_json(&figures.made),
        "marked": total_json(&figures.marked),
        "unmarked": total_json(&figures.unmarked),
        "inexact": figures.inexact,
    })
}

fn withdrawals_json(figures: &WithdrawalFigures) -> Value {
    json!({
        "accepted": total_json(&figures.accepted),
        "fees": amount_json(figures.fees),
        "net": amount_json(figures.net),
        "withoutFee": figures.without_fee,
        "inexact": figures.inexact,
        "foundPaid": figures.found_paid,
        "open": figures.open,
        "unknown": figures.unknown,
    })
}

/// The days as dates. None is a word such as "today", because the text may be read on another day.
fn days_text(words: &Catalogue, days: Period) -> String {
    dates::days(words, i64::MAX, days)
}

/// A line of the text: the name, and the other cells at the right edge.
fn text_line(name: &str, cells: &[String]) -> String {
    let cells: Vec<_> = cells
        .iter()
        .enumerate()
        .map(|(n, cell)| align_right(cell, if n == 0 { COUNT_WIDTH } else { SUM_WIDTH }))
        .collect();
    let cells = cells.join(" ");
    let room = LIST_WIDTH.saturating_sub(cells.chars().count() + 1);
    format!("{} {cells}", exactly(name, room))
        .trim_end()
        .to_owned()
}

/// The lines with the figures of the whole period. What is not in a sum is counted below it.
fn whole_lines(
    words: &Catalogue,
    days: Period,
    [links, charges]: [&SaleFigures; 2],
    withdrawals: &WithdrawalFigures,
    put_away: u64,
) -> Vec<String> {
    let line = |id: &str, count: Option<u64>, sum: Money| {
        let count = count.map_or_else(String::new, |count| count.to_string());
        let id = format!("report-line.{id}");
        let name = words.text(&id);
        format!(
            "{} {} {}",
            exactly(&name, 36),
            align_right(&count, COUNT_WIDTH),
            align_right(&sum.to_string(), 20)
        )
    };
    let mut lines = vec![days_text(words, days), String::new()];
    for (kind, figures) in [("links", links), ("charges", charges)] {
        let total = |part: &str, total: &LinksTotal| {
            line(&format!("{kind}-{part}"), Some(total.count), total.sum)
        };
        lines.extend([
            total("made", &figures.made),
            total("marked", &figures.marked),
            total("unmarked", &figures.unmarked),
        ]);
    }
    let accepted = &withdrawals.accepted;
    lines.extend([
        line("accepted", Some(accepted.count), accepted.sum),
        line("fees", None, withdrawals.fees),
        line("net", None, withdrawals.net),
        String::new(),
    ]);
    let beside = [
        (
            "report-inexact",
            links.inexact + charges.inexact + withdrawals.inexact,
        ),
        ("report-without-fee", withdrawals.without_fee),
        ("report-found-paid", withdrawals.found_paid),
        ("report-open", withdrawals.open),
        ("report-unknown", withdrawals.unknown),
        ("report-put-away", put_away),
    ];
    let beside = beside.into_iter().filter(|(_, count)| *count > 0);
    let beside: Vec<_> = beside
        .map(|(id, count)| words.count(id, count, &[]))
        .collect();
    if !beside.is_empty() {
        lines.extend(beside);
        lines.push(String::new());
    }
    lines
}
