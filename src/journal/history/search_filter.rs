//! A search as SQL: the ways to the rows it finds, newest first, and the way to count them.
//!
//! Rows are shown before they are counted. A page therefore never sorts what was found: each way
//! walks an index or the table in the order of the row numbers, and stops when the page is full.

use rusqlite::Connection;
use rusqlite::types::Value;

use super::record::{TableRow, label_number};
use crate::trade::search::{Called, Moments, Term, searchable};
use crate::trade::{DomainChoice, Search, Wall};

/// The trigram index finds words of at least so many characters.
const SHORTEST_INDEXED: usize = 3;

/// The most places of a shorter text that are read from the index; a text with more is found
/// sooner by walking through the rows. Few in tests, so that short lists are found both ways.
const MOST_PLACES: i64 = if cfg!(test) { 40 } else { 5_000 };

/// The most rows of moments that are sorted.
const MOST_SORTED: i64 = if cfg!(test) { 10 } else { 20_000 };

/// The most days that are compared with a part of a date, and the most spans of them in a query.
const MOST_DAYS: i64 = 4_000;
const MOST_SPANS: usize = 16;

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
#[derive(Debug)]
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
    fn joined(conditions: &[Condition], word: &str) -> Condition {
        let sql: Vec<_> = conditions.iter().map(|one| &*one.sql).collect();
        let values = conditions.iter().flat_map(|one| one.values.clone()).collect();
        match &sql[..] {
            [] => Condition::default(),
            _ => Condition { sql: sql.join(word), values },
        }
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
        let key = match self.source {
            Source::Words => "w.rowid",
            Source::Texts => "t.id",
            Source::Rows(_) => "l.id",
        };
        format!(
            "SELECT l.id, l.at, l.request, l.outcome, l.paid_at FROM {}{} AND {key} {is} ?
             ORDER BY {key} {order} LIMIT ?",
            self.from(table, true),
            self.condition()
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

    fn from(&self, table: &str, needs_row: bool) -> String {
        let text = match self.condition.is_about('t') {
            true => format!(" CROSS JOIN {table}_words_content t ON t.id = "),
            false => String::new(),
        };
        match self.source {
            Source::Words if needs_row => {
                let text = if text.is_empty() { text } else { text + "w.rowid" };
                format!("{table}_words w{text} CROSS JOIN {table} l ON l.id = w.rowid")
            }
            Source::Words if text.is_empty() => format!("{table}_words w"),
            Source::Words => format!("{table}_words w{text}w.rowid"),
            Source::Texts if needs_row => {
                format!("{table}_words_content t CROSS JOIN {table} l ON l.id = t.id")
            }
            Source::Texts => format!("{table}_words_content t"),
            Source::Rows(index) => {
                let text = if text.is_empty() { text } else { text + "l.id" };
                format!("{table} l{}{text}", index.hint(table))
            }
        }
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
enum Clause {
    /// A word that the index finds.
    Indexed(String),
    /// A shorter text.
    Short(String),
    /// A word that some rows have in another way.
    Either(Vec<WordMatch>),
    /// A filter, and the index that gives its rows.
    Filter(RowIndex, Condition),
}

/// One way in which a row has a word: by the word itself, by its label, by the mark as paid, by a
/// moment within a span of days whose rows are few, or by one that looks like the word.
struct WordMatch {
    condition: Condition,
    /// What a way walks through that is led by this meaning.
    source: Source,
    /// The condition of such a way.
    lead: Condition,
}

impl SearchFilter {
    /// Works out how the rows of a search are found.
    pub fn of<R: TableRow>(
        connection: &Connection,
        search: &Search,
    ) -> rusqlite::Result<SearchFilter> {
        let mut clauses = filters(search);
        for term in &search.terms {
            // A word that has no letter without its accents and signs requires nothing.
            for word in searchable(&term.text).split_whitespace() {
                clauses.push(Clause::of::<R>(connection, term, word, search.utc_offset_s)?);
            }
        }
        let ways = ways::<R>(connection, &clauses)?;
        let conditions: Vec<_> = clauses.iter().map(Clause::condition).collect();
        let all = match &ways[..] {
            [Way { source: Source::Rows(RowIndex::List), condition }] => {
                Way { source: Source::Rows(RowIndex::List), condition: condition.clone() }
            }
            [Way { source: source @ (Source::Words | Source::Texts), condition }] => {
                Way { source: *source, condition: condition.clone() }
            }
            _ => {
                let index = match clauses.iter().all(Clause::is_filter) {
                    true => RowIndex::Any,
                    false => RowIndex::Number,
                };
                let condition = Condition::joined(&conditions, " AND ");
                Way { source: Source::Rows(index), condition }
            }
        };
        Ok(SearchFilter { ways, all })
    }
}

/// The conditions on which rows are listed at all.
fn filters(search: &Search) -> Vec<Clause> {
    let only = &search.filter;
    let paid = only.paid.map(|paid| {
        let is = if paid { "IS NOT" } else { "IS" };
        Clause::Filter(
            RowIndex::Totals,
            Condition::new(format!("l.created AND l.paid_at {is} NULL"), []),
        )
    });
    let day =
        only.day.map(|day| Clause::Filter(RowIndex::Time, within(day, day, search.utc_offset_s)));
    let host = only.domain.as_ref().map(|domain| {
        let condition = match domain {
            DomainChoice::Automatic => Condition::new("l.host IS NULL", []),
            DomainChoice::Named(host) => {
                Condition::new("l.host = ?", [Value::Text(host.raw().to_lowercase())])
            }
        };
        Clause::Filter(RowIndex::Host, condition)
    });
    [paid, day, host].into_iter().flatten().collect()
}

/// The rows that were asked for from one day to another.
fn within(first: i64, last: i64, utc_offset_s: i32) -> Condition {
    let starts = Wall::of_local_day(first, utc_offset_s);
    let ends = Wall::of_local_day(last.saturating_add(1), utc_offset_s);
    Condition::new("l.at >= ? AND l.at < ?", [starts, ends].map(|at| Value::Integer(at.0)))
}

/// The ways to the rows that fulfil each of these clauses.
///
/// The clause that most likely leaves the fewest rows leads, and the others are conditions.
fn ways<R: TableRow>(connection: &Connection, clauses: &[Clause]) -> rusqlite::Result<Vec<Way>> {
    let without = |led: &dyn Fn(&Clause) -> bool| -> Vec<Condition> {
        clauses.iter().filter(|one| !led(one)).map(Clause::condition).collect()
    };
    let way = |source, mut lead: Vec<Condition>, others: Vec<Condition>| {
        lead.extend(others);
        vec![Way { source, condition: Condition::joined(&lead, " AND ") }]
    };
    for clause in clauses {
        if let Clause::Short(text) = clause
            && let Some(rare) = rare::<R>(connection, text)?
        {
            let is_led = |one: &Clause| matches!(one, Clause::Short(other) if other == text);
            return Ok(way(Source::Rows(RowIndex::List), vec![rare], without(&is_led)));
        }
    }
    let is_filtered_by =
        |index| clauses.iter().any(|one| matches!(one, Clause::Filter(by, _) if *by == index));
    if is_filtered_by(RowIndex::Time) {
        return Ok(way(Source::Rows(RowIndex::Time), vec![], without(&|_| false)));
    }
    let words: Vec<&str> = clauses.iter().filter_map(Clause::indexed).collect();
    if !words.is_empty() {
        let others = without(&|one| one.indexed().is_some());
        return Ok(way(Source::Words, vec![matches::<R>(&words)], others));
    }
    let either = clauses.iter().position(|one| matches!(one, Clause::Either(_)));
    if let Some(at) = either
        && let Clause::Either(meanings) = &clauses[at]
        && !meanings.iter().any(|one| one.source == Source::Rows(RowIndex::Number))
    {
        let others = clauses.iter().enumerate().filter(|(n, _)| *n != at);
        let others: Vec<_> = others.map(|(_, one)| one.condition()).collect();
        let ways = meanings
            .iter()
            .flat_map(|meaning| way(meaning.source, vec![meaning.lead.clone()], others.clone()));
        return Ok(ways.collect());
    }
    let all = without(&|_| false);
    let source = if is_filtered_by(RowIndex::Totals) {
        Source::Rows(RowIndex::Totals)
    } else if is_filtered_by(RowIndex::Host) {
        Source::Rows(RowIndex::Host)
    } else if clauses.iter().any(|one| matches!(one, Clause::Short(_))) {
        Source::Texts
    } else {
        Source::Rows(RowIndex::Number)
    };
    Ok(way(source, vec![], all))
}

/// The rows in whose words all of these are.
fn matches<R: TableRow>(words: &[&str]) -> Condition {
    // In quotes, so that none of it is taken for the index's own language.
    let quoted: Vec<_> =
        words.iter().map(|word| format!("\"{}\"", word.replace('"', "\"\""))).collect();
    Condition::new(format!("w.{}_words MATCH ?", R::TABLE), [Value::Text(quoted.join(" AND "))])
}

/// The rows that have a text of one or two letters, if its places are few enough to be read.
fn rare<R: TableRow>(connection: &Connection, text: &str) -> rusqlite::Result<Option<Condition>> {
    let grams = format!("{}_grams WHERE term >= ?1 AND term < ?2", R::TABLE);
    let places = format!("SELECT count(*) FROM (SELECT 1 FROM {grams} LIMIT {MOST_PLACES})");
    // No letter is greater than this one, in the order of bytes.
    let values = [text.to_owned(), format!("{text}\u{10ffff}\u{10ffff}\u{10ffff}")];
    let places: i64 =
        connection.prepare_cached(&places)?.query_row(values.each_ref(), |row| row.get(0))?;
    let grams = grams.replace("?1", "?").replace("?2", "?");
    let condition =
        Condition::new(format!("l.id IN (SELECT doc FROM {grams})"), values.map(Value::Text));
    Ok((places < MOST_PLACES).then_some(condition))
}

impl Clause {
    /// A word of a term, and everything else that the term stands for.
    fn of<R: TableRow>(
        connection: &Connection,
        term: &Term,
        word: &str,
        utc_offset_s: i32,
    ) -> rusqlite::Result<Clause> {
        if !term.means_more() {
            return Ok(match word.chars().count() < SHORTEST_INDEXED {
                true => Clause::Short(word.to_owned()),
                false => Clause::Indexed(word.to_owned()),
            });
        }
        let mut meanings = vec![WordMatch::of_word::<R>(word)];
        meanings.extend(term.called.iter().filter_map(|called| match called {
            Called::MarkedPaid => {
                let paid = Condition::new("l.created AND l.paid_at IS NOT NULL", []);
                Some(WordMatch::of_rows(RowIndex::Totals, paid))
            }
            called => label_number(*called).map(|label| {
                let has_label = Condition::new("l.label = ?", [Value::Integer(label)]);
                WordMatch::of_rows(RowIndex::Label, has_label)
            }),
        }));
        for moments in &term.moments {
            meanings.extend(WordMatch::of_moments::<R>(connection, moments, utc_offset_s)?);
        }
        Ok(Clause::Either(meanings))
    }

    fn indexed(&self) -> Option<&str> {
        match self {
            Clause::Indexed(word) => Some(word),
            _ => None,
        }
    }

    fn is_filter(&self) -> bool {
        matches!(self, Clause::Filter(..))
    }

    /// The condition on a row, whichever way it was found.
    fn condition(&self) -> Condition {
        match self {
            Clause::Indexed(text) | Clause::Short(text) => Condition::holds_text(text),
            Clause::Filter(_, condition) => condition.clone(),
            Clause::Either(meanings) => {
                let any: Vec<_> = meanings.iter().map(|one| one.condition.clone()).collect();
                let Condition { sql, values } = Condition::joined(&any, " OR ");
                Condition { sql: format!("( {sql})"), values }
            }
        }
    }
}

impl WordMatch {
    fn of_word<R: TableRow>(word: &str) -> WordMatch {
        let condition = Condition::holds_text(word);
        let (source, lead) = match word.chars().count() >= SHORTEST_INDEXED {
            true => (Source::Words, matches::<R>(&[word])),
            false => (Source::Texts, condition.clone()),
        };
        WordMatch { condition, source, lead }
    }

    fn of_rows(index: RowIndex, condition: Condition) -> WordMatch {
        WordMatch { lead: condition.clone(), source: Source::Rows(index), condition }
    }

    /// The moments that look like this: spans of days, if that is what the text is about and the
    /// rows of all of them are few.
    fn of_moments<R: TableRow>(
        connection: &Connection,
        moments: &Moments,
        utc_offset_s: i32,
    ) -> rusqlite::Result<Vec<WordMatch>> {
        let (text, place) = match moments {
            Moments::Begin(with) => (with, "= 1"),
            Moments::Have(part) => (part, "> 0"),
        };
        let values = [Value::Integer(utc_offset_s.into()), Value::Text(text.clone())];
        let looks = Condition::new(format!("instr({FIGURES}, ?) {place}"), values);
        let spans = match text.contains('/') {
            true => spans::<R>(connection, moments, utc_offset_s)?,
            false => None,
        };
        let looks = vec![WordMatch::of_rows(RowIndex::Number, looks)];
        let Some(spans) = spans else { return Ok(looks) };
        let mut left = MOST_SORTED;
        for span in &spans {
            let count = format!(
                "SELECT count(*) FROM (SELECT 1 FROM {} l WHERE {} LIMIT {left})",
                R::TABLE,
                span.sql
            );
            let values = rusqlite::params_from_iter(&span.values);
            left -= connection.query_row(&count, values, |row| row.get::<_, i64>(0))?;
        }
        let within = |span| WordMatch::of_rows(RowIndex::Time, span);
        Ok(if left > 0 { spans.into_iter().map(within).collect() } else { looks })
    }
}

/// The spans of days of the table that look like this; `None` if they are too many for a query.
fn spans<R: TableRow>(
    connection: &Connection,
    moments: &Moments,
    utc_offset_s: i32,
) -> rusqlite::Result<Option<Vec<Condition>>> {
    let end = |end: &str| -> rusqlite::Result<Option<i64>> {
        connection.query_row(&format!("SELECT {end}(at) FROM {}", R::TABLE), [], |row| row.get(0))
    };
    let (Some(first), Some(last)) = (end("min")?, end("max")?) else { return Ok(Some(vec![])) };
    let day = |at| Wall(at).local_day(utc_offset_s);
    let (first, last) = (day(first), day(last));
    if last.saturating_sub(first) > MOST_DAYS {
        return Ok(None);
    }
    let mut spans: Vec<(i64, i64)> = vec![];
    for day in first..=last {
        let local = Wall::of_local_day(day, utc_offset_s).local(utc_offset_s);
        let looks = local.map(|at| at.strftime("%d/%m/%Y ").to_string());
        if looks.is_none_or(|looks| !moments.hold(&looks)) {
            continue;
        }
        match spans.last_mut() {
            Some((_, last)) if *last + 1 == day => *last = day,
            _ => spans.push((day, day)),
        }
    }
    let within = |(first, last)| within(first, last, utc_offset_s);
    Ok((spans.len() <= MOST_SPANS).then(|| spans.into_iter().map(within).collect()))
}
