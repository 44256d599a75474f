//! Translates a search to SQL. Some of the queries return a page of rows, newest first. Another
//! query counts the rows.
//!
//! A page is shown before the rows are counted, so its queries must be fast. They never sort all
//! found rows. They scan the table or an index in the order of the row ids, and stop when the page
//! is full.

use rusqlite::Connection;
use rusqlite::types::Value;

use super::table::{COLUMNS, SaleTable, label_number};
use crate::trade::search::{
    AmountBound, AmountRange, Period, RowLabel, Term, TimeMatch, searchable,
};
use crate::trade::{DomainChoice, Search, Wall};

/// The minimum length of a text in a trigram index, in characters.
const MIN_INDEXED_CHARS: usize = 3;

/// A search text of one or two letters is looked up in the index only if it occurs less often than
/// this. If it is more frequent, a scan of the rows is faster. The limit is low in tests, to test
/// both methods.
const MAX_OCCURRENCES: i64 = if cfg!(test) { 40 } else { 5_000 };

/// An SQL expression for the local time of a row, in the format that a search term may have:
/// `21/11/2026 10:42`.
const LOCAL_TIME_SQL: &str = "strftime('%d/%m/%Y %H:%M', l.at / 1000 + ?, 'unixepoch')";

/// A search of one table, translated to SQL.
pub(super) struct SearchFilter {
    /// The queries for a page. Together they find all matching rows. Each query returns its rows
    /// sorted by row id.
    pub page_queries: Vec<RowQuery>,
    /// The query for counts and sums. It finds each matching row once, in no particular order. It
    /// also finds the put-away rows that `put_away_query` finds.
    total_query: RowQuery,
    /// The query for the matching put-away rows, which are subtracted from the totals. `None` if
    /// the totals do not include such rows.
    put_away_query: Option<RowQuery>,
}

/// An SQL condition with the values of its parameters. The SQL uses the alias `l` for the table of
/// rows, `t` for the table of searchable texts, and `w` for the trigram index.
#[derive(Debug, Clone, Default)]
struct Condition {
    sql: String,
    values: Vec<Value>,
}

/// A query for rows: the source to scan, and the condition that rows must meet.
#[derive(Debug, Clone)]
pub(super) struct RowQuery {
    source: Source,
    condition: Condition,
}

/// The table or index that a query scans.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// The trigram index of the searchable texts.
    Words,
    /// The searchable texts of the rows.
    Texts,
    /// The rows themselves, read through an index that returns them sorted by id.
    Rows(RowIndex),
}

impl Source {
    /// The column that contains the row id.
    fn key(self) -> &'static str {
        match self {
            Source::Words => "w.rowid",
            Source::Texts => "t.id",
            Source::Rows(_) => "l.id",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RowIndex {
    /// No index: the table itself, sorted by row id.
    Number,
    /// The condition lists the ids of the rows.
    List,
    Host,
    Label,
    Expiry,
    Mark,
    Sandbox,
    Totals,
    PutAway,
    /// Whichever index SQLite chooses.
    Any,
}

impl Condition {
    fn new(sql: impl Into<String>, values: impl Into<Vec<Value>>) -> Condition {
        Condition {
            sql: sql.into(),
            values: values.into(),
        }
    }

    /// Joins conditions with `word`, which is `AND` or `OR`.
    fn join(conditions: impl IntoIterator<Item = Condition>, word: &str) -> Condition {
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

    fn contains_text(text: &str) -> Condition {
        Condition::new("instr(t.c0, ?) > 0", [Value::Text(text.into())])
    }

    fn uses_table(&self, table: char) -> bool {
        let name = format!("{table}.");
        self.sql
            .split([' ', '('])
            .any(|word| word.starts_with(&name))
    }
}

impl RowQuery {
    /// A query for the rows that meet all conditions and have an id within `ids`.
    fn new(
        source: Source,
        ids: Option<[i64; 2]>,
        conditions: impl IntoIterator<Item = Condition>,
    ) -> RowQuery {
        let within = format!("{} BETWEEN ? AND ?", source.key());
        let within = ids.map(|ids| Condition::new(within, ids.map(Value::Integer)));
        RowQuery {
            source,
            condition: Condition::join(within.into_iter().chain(conditions), " AND "),
        }
    }

    /// Adds a condition that rows must meet too.
    fn add(&mut self, condition: Condition) {
        let old = std::mem::take(&mut self.condition);
        let both = [old, condition];
        let conditions = both.into_iter().filter(|one| !one.sql.is_empty());
        self.condition = Condition::join(conditions, " AND ");
    }

    /// The SQL that reads rows. Its parameters are the parameters of the condition, a row id to
    /// compare with, and the maximum number of rows.
    pub fn rows(&self, table: &str, comparison: &str, order: &str) -> String {
        let key = self.source.key();
        let from = self.from(table, true);
        let condition = self.condition();
        format!(
            "SELECT {COLUMNS} FROM {from}{condition} AND {key} {comparison} ?
             ORDER BY {key} {order} LIMIT ?"
        )
    }

    /// The SQL that counts the matching rows.
    fn count(&self, table: &str) -> String {
        let from = self.from(table, self.condition.uses_table('l'));
        format!("SELECT count(*) FROM {from}{}", self.condition())
    }

    /// The SQL for the totals of the matching rows that the service created.
    fn sums<R: SaleTable>(&self) -> String {
        let table = R::TABLE;
        let mut from = self.from(table, true);
        if R::HAS_SUMS && !self.condition.uses_table('l') && !matches!(self.source, Source::Rows(_))
        {
            let row = format!(" {table} l ");
            from = from.replace(&row, &format!("{row}INDEXED BY {table}_totals "));
        }
        format!(
            "SELECT count(*) AS n, count(l.centavos) AS exact, coalesce(sum(l.centavos), 0) AS sum,
                 count(l.paid_at) AS paid,
                 count(CASE WHEN l.paid_at IS NOT NULL THEN l.centavos END) AS exact_paid,
                 coalesce(sum(CASE WHEN l.paid_at IS NOT NULL THEN l.centavos END), 0) AS sum_paid
             FROM {from}{} AND l.created",
            self.condition()
        )
    }

    /// The values of the condition's parameters.
    pub fn values(&self) -> impl Iterator<Item = Value> {
        self.condition.values.iter().cloned()
    }

    fn condition(&self) -> String {
        let condition = &self.condition.sql;
        format!(
            " WHERE {}",
            if condition.is_empty() { "1" } else { condition }
        )
    }

    fn from(&self, table: &str, needs_row: bool) -> String {
        let key = self.source.key();
        let mut from = match self.source {
            Source::Words => format!("{table}_words w"),
            Source::Texts => format!("{table}_words_content t"),
            Source::Rows(index) => format!("{table} l{}", index.hint(table)),
        };
        if self.source != Source::Texts && self.condition.uses_table('t') {
            from.push_str(&format!(
                " CROSS JOIN {table}_words_content t ON t.id = {key}"
            ));
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
            RowIndex::Host => format!(" INDEXED BY {table}_by_host"),
            RowIndex::Label => format!(" INDEXED BY {table}_by_label"),
            RowIndex::Expiry => format!(" INDEXED BY {table}_by_expiry"),
            RowIndex::Mark => format!(" INDEXED BY {table}_by_mark"),
            RowIndex::Sandbox => format!(" INDEXED BY {table}_by_sandbox"),
            RowIndex::Totals => format!(" INDEXED BY {table}_totals"),
            RowIndex::PutAway => format!(" INDEXED BY {table}_put_away"),
        }
    }
}

/// A condition of a search: one search term or one filter.
struct Clause {
    rank: Rank,
    condition: Condition,
    /// The table or index to scan and the condition for each query. Together, the queries find all
    /// rows that match. The list is empty if no index helps, so that all rows must be scanned.
    lead_queries: Vec<(Source, Condition)>,
}

/// An estimate of how many rows a clause finds, from few to many. The clause with the lowest rank
/// finds the rows, and the other clauses filter them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// The put-away links, which a seller has put away one by one.
    PutAway,
    /// A text of one or two letters that occurs in few rows.
    Rare,
    /// The links of one batch.
    Batch,
    /// Words for the trigram index, which are longer than two letters.
    Words,
    /// A word that may also match the labels, the time or the paid mark of a row.
    Meanings,
    Amount,
    Paid,
    Host,
    /// Any other text of one or two letters.
    Short,
    /// A period. It never finds the rows, because the index by time does not sort them by id.
    Period,
}

impl Rank {
    /// True if totals of only such clauses are in the indexes for totals.
    fn is_of_filter(self) -> bool {
        matches!(self, Rank::Period | Rank::Amount | Rank::Paid | Rank::Host)
    }
}

impl SearchFilter {
    /// Builds the queries for a search.
    ///
    /// The clause that is expected to find the fewest rows determines which table or index is
    /// scanned. The other clauses become conditions.
    pub fn of<R: SaleTable>(
        connection: &Connection,
        search: &Search,
    ) -> rusqlite::Result<SearchFilter> {
        let clauses = clauses::<R>(connection, search)?;
        let ids = span(search).map(|span| ids_within::<R>(connection, span));
        let ids = ids.transpose()?;
        let conditions_except = |excluded: Option<usize>| {
            let others = clauses
                .iter()
                .enumerate()
                .filter(move |(n, _)| Some(*n) != excluded);
            others.map(|(_, clause)| clause.condition.clone())
        };
        let leads = clauses
            .iter()
            .enumerate()
            .filter(|(_, clause)| !clause.lead_queries.is_empty());
        let mut page_queries: Vec<RowQuery> = match leads.min_by_key(|(_, clause)| clause.rank) {
            Some((n, leader)) => leader
                .lead_queries
                .iter()
                .map(|(source, lead)| {
                    let conditions = [lead.clone()].into_iter().chain(conditions_except(Some(n)));
                    RowQuery::new(*source, ids, conditions)
                })
                .collect(),
            None => vec![RowQuery::new(
                Source::Rows(RowIndex::Number),
                ids,
                conditions_except(None),
            )],
        };
        let total_query = match &page_queries[..] {
            [
                query @ RowQuery {
                    source: Source::Words | Source::Texts | Source::Rows(RowIndex::List),
                    ..
                },
            ] => query.clone(),
            [
                query @ RowQuery {
                    source: Source::Rows(RowIndex::PutAway),
                    ..
                },
            ] => query.clone(),
            _ if clauses.iter().all(|clause| clause.rank.is_of_filter()) => {
                RowQuery::new(Source::Rows(RowIndex::Any), None, conditions_except(None))
            }
            _ => {
                let source = Source::Rows(RowIndex::Number);
                RowQuery::new(source, ids, conditions_except(None))
            }
        };
        let mut put_away_query = None;
        if R::HAS_PUT_AWAY && !search.filter.put_away {
            for query in &mut page_queries {
                query.add(Condition::new("l.put_away_at IS NULL", []));
            }
            let mut query = RowQuery::new(
                Source::Rows(RowIndex::PutAway),
                None,
                conditions_except(None),
            );
            query.add(put_away_condition());
            put_away_query = Some(query);
        }
        Ok(SearchFilter {
            page_queries,
            total_query,
            put_away_query,
        })
    }

    /// The SQL that counts the rows that the search finds. Its parameters are [`total_values`].
    ///
    /// [`total_values`]: SearchFilter::total_values
    pub fn count(&self, table: &str) -> String {
        let found = self.total_query.count(table);
        match &self.put_away_query {
            Some(query) => format!("SELECT ({found}) - ({})", query.count(table)),
            None => found,
        }
    }

    /// The SQL for the totals of the found rows that the service created. Three columns contain the
    /// number of rows, how many of them have an exact amount, and the sum. Three more columns
    /// contain the same totals for paid rows only.
    pub fn sums<R: SaleTable>(&self) -> String {
        let found = self.total_query.sums::<R>();
        match &self.put_away_query {
            Some(query) => format!(
                "SELECT f.n - p.n, f.exact - p.exact, f.sum - p.sum, f.paid - p.paid,
                     f.exact_paid - p.exact_paid, f.sum_paid - p.sum_paid
                 FROM ({found}) f CROSS JOIN ({}) p",
                query.sums::<R>()
            ),
            None => found,
        }
    }

    /// The values of the parameters for counts and sums.
    pub fn total_values(&self) -> impl Iterator<Item = Value> {
        let queries = std::iter::once(&self.total_query).chain(&self.put_away_query);
        queries.flat_map(RowQuery::values)
    }
}

fn put_away_condition() -> Condition {
    Condition::new("l.put_away_at IS NOT NULL", [])
}

/// A clause for each filter and each search term.
fn clauses<R: SaleTable>(
    connection: &Connection,
    search: &Search,
) -> rusqlite::Result<Vec<Clause>> {
    let mut clauses = filters::<R>(search);
    let mut indexed = Vec::new();
    for term in &search.terms {
        // A word without any searchable letter matches every row, so it needs no clause.
        for word in searchable(&term.text).split_whitespace() {
            if term.matches_screen_text() {
                clauses.push(Clause::of_meanings::<R>(term, word, search.utc_offset_s));
            } else if is_indexed(word) {
                indexed.push(word.to_owned());
            } else {
                clauses.push(Clause::of_short::<R>(connection, word)?);
            }
        }
    }
    if !indexed.is_empty() {
        let conditions = indexed.iter().map(|word| Condition::contains_text(word));
        clauses.push(Clause {
            rank: Rank::Words,
            condition: Condition::join(conditions, " AND "),
            lead_queries: vec![(Source::Words, matches::<R>(&indexed))],
        });
    }
    Ok(clauses)
}

/// A clause for the period, for the amounts, and for each other active filter: put-away, paid,
/// domain and batch.
/// Only the list of payment links has filters.
fn filters<R: SaleTable>(search: &Search) -> Vec<Clause> {
    let only = &search.filter;
    let paid = only.paid.map(|paid| {
        let is = if paid { "IS NOT" } else { "IS" };
        let condition = Condition::new(format!("l.created AND l.paid_at {is} NULL"), []);
        filter_clause(Rank::Paid, RowIndex::Totals, condition)
    });
    let period = span(search).map(|span| Clause {
        rank: Rank::Period,
        condition: Condition::new(
            "l.at >= ? AND l.at < ?",
            span.map(|at| Value::Integer(at.0)),
        ),
        lead_queries: Vec::new(),
    });
    let host = only.domain.as_ref().map(|domain| {
        let condition = match domain {
            DomainChoice::Automatic => Condition::new("l.host IS NULL", []),
            DomainChoice::Named(host) => {
                Condition::new("l.host = ?", [Value::Text(host.raw().to_lowercase())])
            }
        };
        filter_clause(Rank::Host, RowIndex::Host, condition)
    });
    let batch = only.newest_batch.as_ref().map(|account| {
        let texts = [&*account.origin.0, &*account.identity];
        let condition = Condition::new(
            "l.id IN (SELECT link FROM batch_line WHERE link IS NOT NULL AND batch =
                 (SELECT max(id) FROM batch WHERE origin = ? AND identity = ?))",
            texts.map(|text| Value::Text(text.to_owned())),
        );
        filter_clause(Rank::Batch, RowIndex::List, condition)
    });
    let amounts = amounts_clause::<R>(&search.reading.amounts);
    let put_away = only
        .put_away
        .then(|| filter_clause(Rank::PutAway, RowIndex::PutAway, put_away_condition()));
    [put_away, paid, period, host, batch, amounts]
        .into_iter()
        .flatten()
        .collect()
}

/// The clause for a range of amounts. The amounts of created links are read in the index for
/// totals; the few other links are found by their labels.
fn amounts_clause<R: SaleTable>(amounts: &AmountRange) -> Option<Clause> {
    let bounds = [(amounts.min, '>'), (amounts.max, '<')];
    let bounds = bounds.into_iter().filter_map(|(bound, sign)| {
        let AmountBound {
            amount,
            is_included,
        } = bound?;
        let equal = if is_included { "=" } else { "" };
        let centavos = Value::Integer(amount.centavos()?);
        Some(Condition::new(
            format!("l.centavos {sign}{equal} ?"),
            [centavos],
        ))
    });
    let condition = Condition::join(bounds, " AND ");
    if condition.sql.is_empty() {
        return None;
    }
    let labels = [RowLabel::MayExist, RowLabel::Refused, RowLabel::NotSent];
    let others = labels.into_iter().filter_map(label_number).map(|label| {
        let label = Condition::new("l.label = ?", [Value::Integer(label)]);
        (RowIndex::Label, label)
    });
    let created = (RowIndex::Totals, Condition::new("l.created", []));
    let lead_queries = std::iter::once(created).chain(others).map(|(index, rows)| {
        let lead = Condition::join([rows, condition.clone()], " AND ");
        (Source::Rows(index), lead)
    });
    Some(Clause {
        rank: Rank::Amount,
        // Direct payments have no index for totals.
        lead_queries: lead_queries.filter(|_| R::HAS_SUMS).collect(),
        condition,
    })
}

/// The span of time in which rows must be: the searched period, the day of the filter, or what both
/// have in common.
fn span(search: &Search) -> Option<[Wall; 2]> {
    let day = search.filter.day.map(|day| Period {
        first: day,
        last: day,
    });
    let spans = [search.reading.period, day].into_iter().flatten();
    spans
        .map(|period| period.span(search.utc_offset_s))
        .reduce(|a, b| [a[0].max(b[0]), a[1].min(b[1])])
}

/// The lowest and the highest id of the rows within a span of time. Rows are usually stored in the
/// order of their times. A query that reads rows in the order of their ids can therefore begin and
/// end at these ids, and finds a full page at once.
fn ids_within<R: SaleTable>(
    connection: &Connection,
    span: [Wall; 2],
) -> rusqlite::Result<[i64; 2]> {
    let table = R::TABLE;
    let sql = format!(
        "SELECT coalesce(min(id), 1), coalesce(max(id), 0)
         FROM {table} INDEXED BY {table}_by_time WHERE at >= ? AND at < ?"
    );
    connection
        .prepare_cached(&sql)?
        .query_row(span.map(|at| at.0), |row| Ok([row.get(0)?, row.get(1)?]))
}

fn filter_clause(rank: Rank, index: RowIndex, condition: Condition) -> Clause {
    let lead_queries = vec![(Source::Rows(index), condition.clone())];
    Clause {
        rank,
        condition,
        lead_queries,
    }
}

fn is_indexed(word: &str) -> bool {
    word.chars().count() >= MIN_INDEXED_CHARS
}

/// A condition for the trigram index: the text of a row must contain all of these words.
fn matches<R: SaleTable>(words: &[String]) -> Condition {
    // Quote the words, because FTS5 would otherwise read them as query syntax.
    let quoted: Vec<_> = words
        .iter()
        .map(|word| format!("\"{}\"", word.replace('"', "\"\"")))
        .collect();
    Condition::new(
        format!("w.{}_words MATCH ?", R::TABLE),
        [Value::Text(quoted.join(" AND "))],
    )
}

impl Clause {
    /// Creates the clause for a search text of one or two letters. The trigram index is used only
    /// if the text is rare.
    fn of_short<R: SaleTable>(connection: &Connection, text: &str) -> rusqlite::Result<Clause> {
        let grams = format!("{}_grams WHERE term >= ? AND term < ?", R::TABLE);
        let occurrences =
            format!("SELECT count(*) FROM (SELECT 1 FROM {grams} LIMIT {MAX_OCCURRENCES})");
        // All trigrams that begin with the text are between these two values. U+10FFFF is the
        // greatest character, so it sorts last.
        let values = [
            text.to_owned(),
            format!("{text}\u{10ffff}\u{10ffff}\u{10ffff}"),
        ];
        let occurrences: i64 = connection
            .prepare_cached(&occurrences)?
            .query_row(values.each_ref(), |row| row.get(0))?;
        let condition = Condition::contains_text(text);
        Ok(if occurrences < MAX_OCCURRENCES {
            let sql = format!("l.id IN (SELECT doc FROM {grams})");
            let id_condition = Condition::new(sql, values.map(Value::Text));
            let lead_queries = vec![(Source::Rows(RowIndex::List), id_condition)];
            Clause {
                rank: Rank::Rare,
                condition,
                lead_queries,
            }
        } else {
            let lead_queries = vec![(Source::Texts, condition.clone())];
            Clause {
                rank: Rank::Short,
                condition,
                lead_queries,
            }
        })
    }

    /// Creates the clause for a word that may also match labels, times or the paid mark. A row
    /// matches if its text, a label, a time or the mark matches the word.
    fn of_meanings<R: SaleTable>(term: &Term, word: &str, utc_offset_s: i32) -> Clause {
        let mut alternatives = vec![Condition::contains_text(word)];
        let mut lead_queries = vec![if is_indexed(word) {
            (Source::Words, matches::<R>(&[word.to_owned()]))
        } else {
            (Source::Texts, alternatives[0].clone())
        }];
        for label in &term.labels {
            let (index, condition) = match (label, label_number(*label)) {
                (RowLabel::MarkedPaid, _) => {
                    let sql = "l.paid_at IS NOT NULL AND NOT l.sandbox_paid";
                    (RowIndex::Mark, Condition::new(sql, []))
                }
                (RowLabel::SandboxPaid, _) => {
                    (RowIndex::Sandbox, Condition::new("l.sandbox_paid", []))
                }
                (RowLabel::Expired(by), _) => {
                    let sql = "l.expires_at <= ? AND l.paid_at IS NULL";
                    (
                        RowIndex::Expiry,
                        Condition::new(sql, [Value::Integer(by.0)]),
                    )
                }
                (RowLabel::NotSaved(id), _) => (
                    RowIndex::List,
                    Condition::new("l.id = ?", [Value::Integer(id.0)]),
                ),
                (_, Some(label)) => (
                    RowIndex::Label,
                    Condition::new("l.label = ?", [Value::Integer(label)]),
                ),
                (_, None) => continue,
            };
            alternatives.push(condition.clone());
            lead_queries.push((Source::Rows(index), condition));
        }
        for time_match in &term.moments {
            let (text, comparison) = match time_match {
                TimeMatch::StartsWith(prefix) => (prefix, "= 1"),
                TimeMatch::Contains(part) => (part, "> 0"),
            };
            let values = [
                Value::Integer(utc_offset_s.into()),
                Value::Text(text.clone()),
            ];
            alternatives.push(Condition::new(
                format!("instr({LOCAL_TIME_SQL}, ?) {comparison}"),
                values,
            ));
            // All rows must be scanned, because no index contains the times as text.
            lead_queries.clear();
        }
        let Condition { sql, values } = Condition::join(alternatives, " OR ");
        let condition = Condition {
            sql: format!("( {sql})"),
            values,
        };
        Clause {
            rank: Rank::Meanings,
            condition,
            lead_queries,
        }
    }
}
