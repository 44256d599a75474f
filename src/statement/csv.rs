//! Reads statements in CSV files.
//!
//! Banks write a heading of their own above the table, so the first line that names a date and an
//! amount begins it.

use csv::ReaderBuilder;
use jiff::civil::Date;

use super::{MAX_ENTRIES, RawEntry, StatementFault};
use crate::trade::search::searchable;

/// The number of lines in which the names of the columns are looked for.
const MAX_HEADING: usize = 40;

/// The positions of the columns.
#[derive(Default, Clone, Copy)]
struct Columns {
    date: Option<usize>,
    amount: Option<usize>,
    credit: Option<usize>,
    debit: Option<usize>,
    id: Option<usize>,
    texts: [Option<usize>; 3],
}

/// The entries of a CSV file, in the order of the file.
pub(super) fn entries(text: &str) -> Result<Vec<RawEntry>, StatementFault> {
    let lines = text.lines().count();
    if lines > MAX_ENTRIES + MAX_HEADING {
        return Err(StatementFault::TooManyEntries { entries: lines });
    }
    let tables = [b';', b',', b'\t'].map(|delimiter| table(text, delimiter));
    // The delimiter with which the most columns are known.
    let best = tables
        .into_iter()
        .flatten()
        .max_by_key(|(columns, _)| columns.count());
    let (columns, rows) = best.ok_or(StatementFault::Unknown)?;
    let is_month_first = rows.iter().any(|row| {
        let date = cell(row, columns.date);
        parse_date(date, false).is_none() && parse_date(date, true).is_some()
    });
    Ok(rows
        .iter()
        .filter_map(|row| entry(row, &columns, is_month_first))
        .collect())
}

type Cells = Vec<String>;

/// The columns, and the rows below their names. Returns `None` if no line names a date and an
/// amount.
fn table(text: &str, delimiter: u8) -> Option<(Columns, Vec<Cells>)> {
    let reader = ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut rows = reader.into_records().filter_map(|record| {
        let record = record.ok()?;
        Some(record.iter().map(str::to_owned).collect::<Cells>())
    });
    let columns = rows
        .by_ref()
        .take(MAX_HEADING)
        .find_map(|row| Columns::of(&row))?;
    Some((columns, rows.collect()))
}

impl Columns {
    fn of(names: &[String]) -> Option<Columns> {
        let mut columns = Columns::default();
        for (position, name) in names.iter().enumerate() {
            let name = searchable(name.trim());
            let slot = match &*name {
                "data" | "date" | "data lancamento" | "data do lancamento" | "data mov."
                | "data movimento" | "dt lancamento" => &mut columns.date,
                "valor" | "amount" | "valor (r$)" | "value" | "quantia" => &mut columns.amount,
                "credito" | "credito (r$)" | "entrada" | "entradas" | "credit" => {
                    &mut columns.credit
                }
                "debito" | "debito (r$)" | "saida" | "saidas" | "debit" => &mut columns.debit,
                "identificador" | "id" | "documento" | "docto." | "numero do documento" => {
                    &mut columns.id
                }
                "descricao" | "description" | "lancamento" => &mut columns.texts[0],
                "historico" | "memo" | "titulo" | "title" | "detalhe" | "detalhes" => {
                    &mut columns.texts[1]
                }
                "favorecido" | "nome" | "name" | "pagador" => &mut columns.texts[2],
                _ => continue,
            };
            slot.get_or_insert(position);
        }
        let has_amount = columns.amount.or(columns.credit).is_some();
        (columns.date.is_some() && has_amount).then_some(columns)
    }

    fn count(&self) -> usize {
        let single = [self.date, self.amount, self.credit, self.debit, self.id];
        single.iter().chain(&self.texts).flatten().count()
    }
}

fn cell(row: &[String], column: Option<usize>) -> &str {
    column
        .and_then(|column| row.get(column))
        .map_or("", |cell| cell.trim())
}

/// The entry of a row; `None` if it has no date.
fn entry(row: &[String], columns: &Columns, is_month_first: bool) -> Option<RawEntry> {
    let date = parse_date(cell(row, columns.date), is_month_first)?;
    let texts = columns.texts.map(|column| cell(row, column));
    let texts: Vec<_> = texts.into_iter().filter(|text| !text.is_empty()).collect();
    Some(RawEntry {
        account: String::new(),
        day: i64::from((date - Date::constant(1970, 1, 1)).get_days()),
        amount: amount(row, columns),
        id: cell(row, columns.id).to_owned(),
        memo: texts.join(" "),
    })
}

/// The text of the amount, with a minus sign if money left the account. Banks write it with a sign,
/// in a column for debits, or with the letter C or D.
fn amount(row: &[String], columns: &Columns) -> String {
    let debit = cell(row, columns.debit);
    if !debit.is_empty() {
        return format!("-{}", debit.trim_start_matches('-'));
    }
    let amount = cell(row, columns.amount.or(columns.credit));
    if let Some(figure) = amount.strip_suffix(['D', 'd']) {
        return format!("-{}", figure.trim().trim_start_matches('-'));
    }
    amount.trim_end_matches(['C', 'c']).trim().to_owned()
}

/// Parses a date such as `12/11/2026`, `12/11/26`, `2026-11-12` or `12-11-2026`, which may be
/// followed by a time.
fn parse_date(text: &str, is_month_first: bool) -> Option<Date> {
    let date = text.split([' ', 'T']).next()?;
    let parts: Vec<i16> = date
        .split(['/', '-', '.'])
        .map(|part| part.parse().ok())
        .collect::<Option<_>>()?;
    let [first, second, third] = parts[..] else {
        return None;
    };
    let [year, month, day] = if first > 31 {
        [first, second, third]
    } else if is_month_first {
        [third, first, second]
    } else {
        [third, second, first]
    };
    let year = if year < 100 { year + 2_000 } else { year };
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}
