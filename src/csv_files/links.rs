//! Reads the payment links that a CSV file lists.

use std::collections::BTreeMap;

use csv::{ReaderBuilder, StringRecord};

use super::text::{self, Encoding, TextFault};
use crate::trade::amount::{AmountColumn, CellFault, ColumnFault, Unit};
use crate::trade::search::searchable;
use crate::trade::{MAX_DESCRIPTION_LENGTH, Money};

/// The maximum number of lines below the header. A longer file is refused before it is parsed.
pub const MAX_LINES: usize = 20_000;

/// The characters that may separate the cells of a line.
const DELIMITERS: [u8; 3] = [b';', b',', b'\t'];

/// Appended to the text as a line of its own, to find out whether all quotes are closed.
const END: &str = "end-of-file";

/// A CSV file with payment links to create.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkFile {
    /// The encoding of the file.
    pub encoding: Encoding,
    /// The character between the cells of a line.
    pub delimiter: u8,
    /// The names of the columns, as in the file.
    pub header: Vec<String>,
    /// The lines below the header, in the order of the file.
    pub lines: Vec<FileLine>,
}

/// A line of the file below its header.
#[derive(Debug, Clone, PartialEq)]
pub struct FileLine {
    /// The number of the line in the file, counted from 1. A line with a quoted line break has the
    /// number of its first row.
    pub number: u64,
    /// The cells, as in the file.
    pub cells: Vec<String>,
    /// The link to create, or the reason why the line does not describe one.
    pub link: Result<ListedLink, LineFault>,
}

/// A payment link that a line describes.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedLink {
    /// The amount that the buyer pays.
    pub amount: Money,
    /// The description of the payment.
    pub description: String,
    /// The checkout domain; `None` if the service is to choose one.
    pub domain: Option<String>,
    /// The seller's note, which is not sent.
    pub note: Option<String>,
}

/// The reason why a file cannot be read at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileFault {
    /// The file is too large or not a text.
    #[error(transparent)]
    Text(#[from] TextFault),
    /// The file has more lines than [`MAX_LINES`].
    #[error("the file has {lines} lines")]
    TooManyLines {
        /// The number of lines below the header.
        lines: usize,
    },
    /// The file has no line below its header, or nothing at all.
    #[error("the file has no lines")]
    Empty,
    /// The header names no column with this meaning.
    #[error("no column {0:?}")]
    NoColumn(Meaning),
    /// Two columns have the same meaning. The names are as in the file.
    #[error("the columns {} and {} have the same meaning", .names[0], .names[1])]
    SameMeaning {
        /// The names of the two columns.
        names: [String; 2],
    },
    /// A quoted cell begins in this line and does not end.
    #[error("a quote in line {line} is not closed")]
    OpenQuote {
        /// The line in which the cell begins.
        line: u64,
    },
    /// The amounts of the file contradict each other, or their unit is not known.
    #[error(transparent)]
    Amounts(#[from] ColumnFault),
}

/// The reason why a line does not describe a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LineFault {
    /// All cells are empty. Such a line is skipped and is not an error of the file.
    #[error("empty line")]
    Empty,
    /// The line has more cells than the header.
    #[error("the line has {cells} cells, the header {columns}")]
    ExtraCells {
        /// The number of cells in the line.
        cells: usize,
        /// The number of columns in the header.
        columns: usize,
    },
    /// The last line has an amount and no description, as a total has.
    #[error("looks like a total")]
    Total,
    /// The amount cannot be charged.
    #[error(transparent)]
    Amount(#[from] CellFault),
    /// The description is missing.
    #[error("the description is missing")]
    NoDescription,
    /// The description is too long for the service.
    #[error("the description has {length} characters")]
    LongDescription {
        /// The number of characters.
        length: usize,
    },
}

/// The meaning of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Meaning {
    /// The amount to charge.
    Amount,
    /// The description of the payment.
    Description,
    /// The checkout domain.
    Domain,
    /// The seller's note.
    Note,
}

impl Meaning {
    /// The meaning of a column with this name, in Portuguese or English, in any case and with or
    /// without accents.
    fn of(name: &str) -> Option<Meaning> {
        match &*searchable(name.trim()) {
            "valor" | "valor (r$)" | "amount" => Some(Meaning::Amount),
            "descricao" | "description" => Some(Meaning::Description),
            "dominio" | "domain" => Some(Meaning::Domain),
            "nota" | "note" => Some(Meaning::Note),
            _ => None,
        }
    }
}

impl LineFault {
    /// True if the line has nothing that could have been meant as a link.
    pub fn is_harmless(self) -> bool {
        self == LineFault::Empty
    }
}

impl LinkFile {
    /// Reads a file. `unit` is the seller's answer for a column of whole numbers.
    ///
    /// # Errors
    ///
    /// Returns an error if the file as a whole cannot be understood. A line that cannot be
    /// understood is part of the result.
    pub fn read(bytes: &[u8], unit: Option<Unit>) -> Result<LinkFile, FileFault> {
        let (text, encoding) = text::decode(bytes)?;
        let lines = text.trim_end().lines().count().saturating_sub(1);
        if lines > MAX_LINES {
            return Err(FileFault::TooManyLines { lines });
        }
        let text = Table::of(&text);
        let (delimiter, columns) = text.find_columns()?;
        let mut records = text.records(delimiter)?.into_iter();
        let (_, header) = records.next().ok_or(FileFault::Empty)?;
        let mut records: Vec<_> = records.collect();
        while records.last().is_some_and(|(_, cells)| is_empty(cells)) {
            records.pop();
        }
        if records.is_empty() {
            return Err(FileFault::Empty);
        }
        let reader = LineReader {
            amounts: amount_column(&records, &columns, unit)?,
            columns,
            column_count: header.len(),
            last_line: records.last().map_or(0, |(number, _)| *number),
        };
        let lines = records
            .into_iter()
            .map(|(number, cells)| FileLine {
                number,
                link: reader.read(number, &cells),
                cells,
            })
            .collect();
        Ok(LinkFile {
            encoding,
            delimiter,
            header,
            lines,
        })
    }

    /// The links of the file, each with the number of its line.
    pub fn links(&self) -> impl Iterator<Item = (u64, &ListedLink)> {
        self.lines
            .iter()
            .filter_map(|line| Some((line.number, line.link.as_ref().ok()?)))
    }

    /// The lines that were not understood, with the reasons. Empty lines are not among them.
    pub fn faults(&self) -> impl Iterator<Item = (u64, LineFault)> {
        self.lines.iter().filter_map(|line| {
            let fault = line.link.as_ref().err().copied()?;
            (!fault.is_harmless()).then_some((line.number, fault))
        })
    }
}

/// The positions of the columns that have a meaning.
type Columns = BTreeMap<Meaning, usize>;

/// The cells of a record, with the number of its line.
type NumberedCells = (u64, Vec<String>);

/// The text of the table, without a line such as `sep=;` that Excel writes above it.
struct Table<'t> {
    text: &'t str,
    /// The number of the first line of `text`.
    first_line: u64,
    /// The delimiter that the line above the table names.
    named_delimiter: Option<u8>,
}

impl<'t> Table<'t> {
    fn of(text: &'t str) -> Table<'t> {
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        match first.trim().as_bytes() {
            [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', delimiter] => Table {
                text: rest,
                first_line: 2,
                named_delimiter: Some(*delimiter).filter(|byte| DELIMITERS.contains(byte)),
            },
            _ => Table {
                text,
                first_line: 1,
                named_delimiter: None,
            },
        }
    }

    /// The delimiter with which the header has the most columns of known meaning, and these
    /// columns.
    fn find_columns(&self) -> Result<(u8, Columns), FileFault> {
        let delimiters = match &self.named_delimiter {
            Some(delimiter) => std::slice::from_ref(delimiter),
            None => &DELIMITERS,
        };
        let mut best: Option<(u8, Vec<String>)> = None;
        for delimiter in delimiters {
            let Some(header) = self.header(*delimiter) else {
                continue;
            };
            let known = known_columns(&header);
            if best
                .as_ref()
                .is_none_or(|(_, best)| known > known_columns(best))
            {
                best = Some((*delimiter, header));
            }
        }
        let (delimiter, header) = best.ok_or(FileFault::Empty)?;
        Ok((delimiter, columns(&header)?))
    }

    /// The first record that is not empty.
    fn header(&self, delimiter: u8) -> Option<Vec<String>> {
        reader(self.text, delimiter)
            .into_records()
            .next()?
            .ok()
            .map(|record| cells(&record))
    }

    /// All records with the numbers of their lines, including empty ones.
    fn records(&self, delimiter: u8) -> Result<Vec<NumberedCells>, FileFault> {
        let text = format!("{}\n{END}\n", self.text);
        let mut records = Vec::new();
        let mut line = self.first_line;
        let mut position = 0;
        for record in reader(&text, delimiter).into_records() {
            let Ok(record) = record else { continue };
            let start = record.position().map_or(0, |position| position.byte());
            let start = usize::try_from(start).unwrap_or(text.len());
            line += line_ends(&text[position..start]);
            position = start;
            // The reader skips empty lines, and begins the next record at the first of them.
            while text[position..].starts_with('\n') {
                if !records.is_empty() {
                    records.push((line, Vec::new()));
                }
                line += 1;
                position += 1;
            }
            records.push((line, cells(&record)));
        }
        // The appended line is a record of its own, unless it is inside of an open quote.
        match records.pop() {
            Some((_, cells)) if cells == [END] => Ok(records),
            Some((line, _)) => Err(FileFault::OpenQuote { line }),
            None => Err(FileFault::Empty),
        }
    }
}

fn reader(text: &str, delimiter: u8) -> csv::Reader<&[u8]> {
    ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes())
}

fn cells(record: &StringRecord) -> Vec<String> {
    record.iter().map(str::to_owned).collect()
}

fn is_empty(cells: &[String]) -> bool {
    cells.iter().all(|cell| cell.trim().is_empty())
}

fn line_ends(text: &str) -> u64 {
    text.matches('\n').count() as u64
}

fn known_columns(header: &[String]) -> usize {
    header
        .iter()
        .filter(|name| Meaning::of(name).is_some())
        .count()
}

/// Finds the columns that have a meaning.
fn columns(header: &[String]) -> Result<Columns, FileFault> {
    let mut columns = Columns::new();
    for (position, name) in header.iter().enumerate() {
        let Some(meaning) = Meaning::of(name) else {
            continue;
        };
        if let Some(other) = columns.insert(meaning, position) {
            return Err(FileFault::SameMeaning {
                names: [header[other].clone(), name.clone()],
            });
        }
    }
    let required = [Meaning::Amount, Meaning::Description];
    match required
        .iter()
        .find(|meaning| !columns.contains_key(meaning))
    {
        Some(missing) => Err(FileFault::NoColumn(*missing)),
        None => Ok(columns),
    }
}

/// Decides how the amounts of the file are written. A total takes no part in it.
fn amount_column(
    records: &[NumberedCells],
    columns: &Columns,
    unit: Option<Unit>,
) -> Result<AmountColumn, ColumnFault> {
    let amounts = records.iter().filter_map(|(number, cells)| {
        let position = columns.get(&Meaning::Amount)?;
        Some((*number, cells.get(*position)?.as_str()))
    });
    AmountColumn::of(amounts, unit)
}

struct LineReader {
    columns: Columns,
    column_count: usize,
    amounts: AmountColumn,
    /// The number of the last line that is not empty.
    last_line: u64,
}

impl LineReader {
    fn read(&self, number: u64, cells: &[String]) -> Result<ListedLink, LineFault> {
        if is_empty(cells) {
            return Err(LineFault::Empty);
        }
        // Spreadsheets often write empty cells at the end of a line.
        let cell_count = cells
            .iter()
            .rposition(|cell| !cell.trim().is_empty())
            .map_or(0, |last| last + 1);
        if cell_count > self.column_count {
            return Err(LineFault::ExtraCells {
                cells: cell_count,
                columns: self.column_count,
            });
        }
        let amount = self
            .amounts
            .read(self.cell(cells, Meaning::Amount).unwrap_or_default());
        let Some(description) = self.cell(cells, Meaning::Description) else {
            let is_total = number == self.last_line && amount.is_ok();
            return Err(if is_total {
                LineFault::Total
            } else {
                LineFault::NoDescription
            });
        };
        let length = description.chars().count();
        if length > MAX_DESCRIPTION_LENGTH {
            return Err(LineFault::LongDescription { length });
        }
        Ok(ListedLink {
            amount: amount?,
            // A quoted cell may have line breaks, which the service and the screens do not expect.
            description: description.replace('\n', " "),
            domain: self.cell(cells, Meaning::Domain).map(str::to_lowercase),
            note: self.cell(cells, Meaning::Note).map(str::to_owned),
        })
    }

    /// The cell of a column without spaces around it; `None` if it is empty.
    fn cell<'c>(&self, cells: &'c [String], meaning: Meaning) -> Option<&'c str> {
        let cell = cells.get(*self.columns.get(&meaning)?)?.trim();
        (!cell.is_empty()).then_some(cell)
    }
}
