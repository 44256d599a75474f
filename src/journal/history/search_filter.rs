//! A search as SQL: the ways to the rows it finds, newest first, and the way to count them.
//!
//! Rows are shown before they are counted. A page therefore never sorts what was found: each way
//! walks an index or the table in the order of the row numbers, and stops when the page is full.

use rusqlite::Connection;
use rusqlite::types::Value;

use super::table::{COLUMNS, TableRow, label_number};
use crate::trade::search::{Called, Moments, Term, searchable};
use crate::trade::{DomainChoice, Search, Wall};

/// The trigram index finds words of at least so many characters.
const SHORTEST_INDEXED: usize = 3;

/// The most places of a shorter text that are read from the index; a text with more is found
/// sooner by walking through the rows. Few in tests, so that short lists are found both ways.
const MOST_PLACES: i64 = if cfg!(test) { 40 } else { 5_000 };

/// A moment where the seller is, as a search knows it: `21/11/2026 10:42`.
const FIGURES: &str = "strftime('%d/%m/%Y %H:%M', l.at / 1000 + ?, 'unixepoch')";

/// A search of one table.
pub(super) struct SearchFilter {
    /// The ways that find its rows together, in the order of their numbers.
    pub ways: Vec<Way>,
    /// One way that finds each row once, in any order.
    pub all: Way,
}

/// A condition, and the values for its question marks. A row is `l`, its text is `t`, and its entry
/// in the index of words is `w`.
#[derive(Debug, Clone, Default)]
struct Condition {
    sql: String,
    values: Vec<Value>,
}

/// A statement that finds rows.
#[derive(Debug, Clone)]
pub(super) struct Way {
    source: Source,
    condition: Condition,
}

/// What a way walks through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// The index of words.
    Words,
    /// The texts of the rows.
    Texts,
    /// The rows, with the index that gives them in the order of their numbers.
    Rows(RowIndex),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RowIndex {
    /// The table itself.
    Number,
    /// The row numbers in a subquery.
    List,
    Time,
    Host,
    Label,
    Totals,
    /// Whichever SQLite chooses.
    Any,
}

impl Condition {
    fn new(sql: impl Into<String>, values: impl Into<Vec<Value>>) -> Condition {
        Condition { sql: sql.into(), values: values.into() }
    }

    /// All of these conditions, or any of them.
    fn joined(conditions: impl IntoIterator<Item = Condition>, word: &str) -> Condition {
        let mut joined = Condition::default();
        for condition in conditions {
            if !joined.sql.is_empty() {
                joined.sql.push_str(word);
            }
            joined.sql.push_str(&condition.sql);
            joined.values.extend(condition.values);
        }
        joined
    }

    fn holds_text(text: &str) -> Condition {
        Condition::new("instr(t.c0, ?) > 0", [Value::Text(text.into())])
    }

    fn is_about(&self, table: char) -> bool {
        let name = format!("{table}.");
        self.sql.split([' ', '(']).any(|word| word.starts_with(&name))
    }
}

impl Way {
    /// The statement for rows, with two more question marks: the number of a row, and the most.
    pub fn rows(&self, table: &str, is: &str, order: &str) -> String {
        let (key, from, condition) = (self.key(), self.from(table, true), self.condition());
        format!(
            "SELECT {COLUMNS} FROM {from}{condition} AND {key} {is} ?
             ORDER BY {key} {order} LIMIT ?"
        )
    }

    /// The statement that counts.
    pub fn count(&self, table: &str) -> String {
        let from = self.from(table, self.condition.is_about('l'));
        format!("SELECT count(*) FROM {from}{}", self.condition())
    }

    /// The statement that adds up the rows that the service made: all of them, then those that are
    /// marked as paid; how many, how many have an amount that adds up, and the sum.
    pub fn sums(&self, table: &str) -> String {
        let mut from = self.from(table, true);
        if !self.condition.is_about('l') && !matches!(self.source, Source::Rows(_)) {
            let row = format!(" {table} l ");
            from = from.replace(&row, &format!("{row}INDEXED BY {table}_totals "));
        }
        format!(
            "SELECT count(*), count(l.centavos), coalesce(sum(l.centavos), 0), count(l.paid_at),
                 count(CASE WHEN l.paid_at IS NOT NULL THEN l.centavos END),
                 coalesce(sum(CASE WHEN l.paid_at IS NOT NULL THEN l.centavos END), 0)
             FROM {from}{} AND l.created",
            self.condition()
        )
    }

    /// The values for the question marks of each statement.
    pub fn values(&self) -> impl Iterator<Item = Value> {
        self.condition.values.iter().cloned()
    }

    fn condition(&self) -> String {
        let condition = &self.condition.sql;
        format!(" WHERE {}", if condition.is_empty() { "1" } else { condition })
    }

    /// The column with the number of a row.
    fn key(&self) -> &'static str {
        match self.source {
            Source::Words => "w.rowid",
            Source::Texts => "t.id",
            Source::Rows(_) => "l.id",
        }
    }

    fn from(&self, table: &str, needs_row: bool) -> String {
        let key = self.key();
        let mut from = match self.source {
            Source::Words => format!("{table}_words w"),
            Source::Texts => format!("{table}_words_content t"),
            Source::Rows(index) => format!("{table} l{}", index.hint(table)),
        };
        if self.source != Source::Texts && self.condition.is_about('t') {
            from.push_str(&format!(" CROSS JOIN {table}_words_content t ON t.id = {key}"));
        }
        if !matches!(self.source, Source::Rows(_)) && needs_row {
            from.push_str(&format!(" CROSS JOIN {table} l ON l.id = {key}"));
        }
        from
    }
}

impl RowIndex {
    fn hint(self, table: &str) -> String {
        match self {
            RowIndex::Number => " NOT INDEXED".to_owned(),
            RowIndex::List | RowIndex::Any => String::new(),
            RowIndex::Time => format!(" INDEXED BY {table}_by_time"),
            RowIndex::Host => format!(" INDEXED BY {table}_by_host"),
            RowIndex::Label => format!(" INDEXED BY {table}_by_label"),
            RowIndex::Totals => format!(" INDEXED BY {table}_totals"),
        }
    }
}

/// One thing that a search requires of each row.
struct Clause {
    rank: Rank,
    /// The condition on a row, whichever way it was found.
    condition: Condition,
    /// The ways that find its rows together: what each walks through, and its condition there. None
    /// where all rows are walked through.
    leads: Vec<(Source, Condition)>,
}

/// The kinds of clauses; the one that most likely leaves the fewest rows leads a search.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// A text of one or two letters that few rows have.
    Rare,
    Day,
    /// The words that the index finds.
    Words,
    /// A word that some rows have in another way.
    Meanings,
    Paid,
    Host,
    /// Any other text of one or two letters.
    Short,
}

impl SearchFilter {
    /// Works out how the rows of a search are found.
    ///
    /// One clause leads, and the others are conditions.
    pub fn of<R: TableRow>(
        connection: &Connection,
        search: &Search,
    ) -> rusqlite::Result<SearchFilter> {
        let clauses = clauses::<R>(connection, search)?;
        let conditions = |but: Option<usize>| {
            let others = clauses.iter().enumerate().filter(move |(n, _)| Some(*n) != but);
            others.map(|(_, clause)| clause.condition.clone())
        };
        let leads = clauses.iter().enumerate().filter(|(_, clause)| !clause.leads.is_empty());
        let ways = match leads.min_by_key(|(_, clause)| clause.rank) {
            Some((n, leader)) => {
                let way = |(source, lead): &(Source, Condition)| {
                    let all = [lead.clone()].into_iter().chain(conditions(Some(n)));
                    Way { source: *source, condition: Condition::joined(all, " AND ") }
                };
                leader.leads.iter().map(way).collect()
            }
            None => vec![Way {
                source: Source::Rows(RowIndex::Number),
                condition: Condition::joined(conditions(None), " AND "),
            }],
        };
        let all = match &ways[..] {
            [way @ Way { source: Source::Words | Source::Texts, .. }]
            | [way @ Way { source: Source::Rows(RowIndex::List), .. }] => way.clone(),
            _ => {
                let is_filter =
                    |it: &Clause| matches!(it.rank, Rank::Day | Rank::Paid | Rank::Host);
                let index = match clauses.iter().all(is_filter) {
                    true => RowIndex::Any,
                    false => RowIndex::Number,
                };
                let condition = Condition::joined(conditions(None), " AND ");
                Way { source: Source::Rows(index), condition }
            }
        };
        Ok(SearchFilter { ways, all })
    }
}

/// All that a search requires.
fn clauses<R: TableRow>(connection: &Connection, search: &Search) -> rusqlite::Result<Vec<Clause>> {
    let mut clauses = filters(search);
    let mut indexed = Vec::new();
    for term in &search.terms {
        // A word that has no letter without its accents and signs requires nothing.
        for word in searchable(&term.text).split_whitespace() {
            if term.means_more() {
                clauses.push(Clause::of_meanings::<R>(term, word, search.utc_offset_s));
            } else if is_indexed(word) {
                indexed.push(word.to_owned());
            } else {
                clauses.push(Clause::of_short::<R>(connection, word)?);
            }
        }
    }
    if !indexed.is_empty() {
        let holds = indexed.iter().map(|word| Condition::holds_text(word));
        clauses.push(Clause {
            rank: Rank::Words,
            condition: Condition::joined(holds, " AND "),
            leads: vec![(Source::Words, matches::<R>(&indexed))],
        });
    }
    Ok(clauses)
}

/// The conditions on which rows are listed at all.
fn filters(search: &Search) -> Vec<Clause> {
    let only = &search.filter;
    let filter = |rank, index, condition: Condition| {
        let leads = vec![(Source::Rows(index), condition.clone())];
        Clause { rank, condition, leads }
    };
    let paid = only.paid.map(|paid| {
        let is = if paid { "IS NOT" } else { "IS" };
        let condition = Condition::new(format!("l.created AND l.paid_at {is} NULL"), []);
        filter(Rank::Paid, RowIndex::Totals, condition)
    });
    let day = only.day.map(|day| {
        let begins = [day, day.saturating_add(1)];
        let begins = begins.map(|day| Wall::of_local_day(day, search.utc_offset_s));
        let within = begins.map(|at| Value::Integer(at.0));
        let condition = Condition::new("l.at >= ? AND l.at < ?", within);
        filter(Rank::Day, RowIndex::Time, condition)
    });
    let host = only.domain.as_ref().map(|domain| {
        let condition = match domain {
            DomainChoice::Automatic => Condition::new("l.host IS NULL", []),
            DomainChoice::Named(host) => {
                Condition::new("l.host = ?", [Value::Text(host.raw().to_lowercase())])
            }
        };
        filter(Rank::Host, RowIndex::Host, condition)
    });
    [paid, day, host].into_iter().flatten().collect()
}

fn is_indexed(word: &str) -> bool {
    word.chars().count() >= SHORTEST_INDEXED
}

/// The rows in whose words all of these are.
fn matches<R: TableRow>(words: &[String]) -> Condition {
    // In quotes, so that none of it is taken for the index's own language.
    let quoted: Vec<_> =
        words.iter().map(|word| format!("\"{}\"", word.replace('"', "\"\""))).collect();
    Condition::new(format!("w.{}_words MATCH ?", R::TABLE), [Value::Text(quoted.join(" AND "))])
}

impl Clause {
    /// A text of one or two letters; its places are read from the index if they are few.
    fn of_short<R: TableRow>(connection: &Connection, text: &str) -> rusqlite::Result<Clause> {
        let grams = format!("{}_grams WHERE term >= ? AND term < ?", R::TABLE);
        let places = format!("SELECT count(*) FROM (SELECT 1 FROM {grams} LIMIT {MOST_PLACES})");
        // No letter is greater than this one, in the order of bytes.
        let values = [text.to_owned(), format!("{text}\u{10ffff}\u{10ffff}\u{10ffff}")];
        let places: i64 =
            connection.prepare_cached(&places)?.query_row(values.each_ref(), |row| row.get(0))?;
        let condition = Condition::holds_text(text);
        Ok(match places < MOST_PLACES {
            true => {
                let sql = format!("l.id IN (SELECT doc FROM {grams})");
                let few = Condition::new(sql, values.map(Value::Text));
                let leads = vec![(Source::Rows(RowIndex::List), few)];
                Clause { rank: Rank::Rare, condition, leads }
            }
            false => {
                let leads = vec![(Source::Texts, condition.clone())];
                Clause { rank: Rank::Short, condition, leads }
            }
        })
    }

    /// A word of a term that stands for more: a row has the word itself, a label, the mark as paid
    /// or a moment that looks like it.
    fn of_meanings<R: TableRow>(term: &Term, word: &str, utc_offset_s: i32) -> Clause {
        let mut any = vec![Condition::holds_text(word)];
        let mut leads = vec![match is_indexed(word) {
            true => (Source::Words, matches::<R>(&[word.to_owned()])),
            false => (Source::Texts, any[0].clone()),
        }];
        for called in &term.called {
            let (index, condition) = match (called, label_number(*called)) {
                (Called::MarkedPaid, _) => {
                    (RowIndex::Totals, Condition::new("l.created AND l.paid_at IS NOT NULL", []))
                }
                (_, Some(label)) => {
                    (RowIndex::Label, Condition::new("l.label = ?", [Value::Integer(label)]))
                }
                (_, None) => continue,
            };
            any.push(condition.clone());
            leads.push((Source::Rows(index), condition));
        }
        for moments in &term.moments {
            let (text, place) = match moments {
                Moments::Begin(with) => (with, "= 1"),
                Moments::Have(part) => (part, "> 0"),
            };
            let values = [Value::Integer(utc_offset_s.into()), Value::Text(text.clone())];
            any.push(Condition::new(format!("instr({FIGURES}, ?) {place}"), values));
            // No index has them.
            leads.clear();
        }
        let Condition { sql, values } = Condition::joined(any, " OR ");
        let condition = Condition { sql: format!("( {sql})"), values };
        Clause { rank: Rank::Meanings, condition, leads }
    }
}
