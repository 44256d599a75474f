//! The condition that a search puts on the rows of a table.

use rusqlite::Connection;
use rusqlite::types::Value;

use super::record::{TableRow, parse};
use crate::trade::search::{Called, Moments, Term, searchable};
use crate::trade::{Account, DomainChoice, LinkFilter, Search, Wall};

/// The trigram index finds words of at least so many characters.
const SHORTEST_INDEXED: usize = 3;

/// A moment where the seller is, as a search knows it: `21/11/2026 10:42`.
const FIGURES: &str = "strftime('%d/%m/%Y %H:%M', at / 1000 + ?, 'unixepoch')";

/// A condition in SQL, and its values.
#[derive(Default)]
pub(super) struct SearchFilter {
    /// With its `WHERE`; empty where all rows are.
    pub condition: String,
    /// For its question marks.
    pub values: Vec<Value>,
}

impl SearchFilter {
    fn and(&mut self, condition: &str) {
        self.condition.push_str(if self.condition.is_empty() { "WHERE " } else { " AND " });
        self.condition.push_str(condition);
    }

    fn value(&mut self, text: impl Into<String>) {
        self.values.push(Value::Text(text.into()));
    }

    /// The rows of an account in which each term is found.
    pub fn of<R: TableRow>(
        connection: &Connection,
        account: Option<&Account>,
        search: &Search,
    ) -> rusqlite::Result<SearchFilter> {
        let mut filter = SearchFilter::default();
        if let Some(account) = account {
            filter.and("origin = ? AND identity = ?");
            filter.value(&*account.origin.0);
            filter.value(&*account.identity);
        }
        filter.only::<R>(&search.filter, search.utc_offset_s);
        for term in &search.terms {
            // What is no word of its own without accents and signs asks for nothing.
            for word in searchable(&term.text).split_whitespace() {
                let mut found = filter.with_word(R::TABLE, word);
                if term.means_more() {
                    found.push_str(" UNION ");
                    found.push_str(&filter.meant::<R>(connection, term, search)?);
                }
                filter.and(&format!("id IN ({found})"));
            }
        }
        Ok(filter)
    }

    /// Leaves out what is not listed at all.
    fn only<R: TableRow>(&mut self, only: &LinkFilter, utc_offset_s: i32) {
        if let Some(paid) = only.paid {
            let is = if paid { "IS NOT" } else { "IS" };
            self.and(&format!("created AND {} {is} NULL", R::PAID_AT));
        }
        if let Some(day) = only.day {
            let starts = Wall::of_local_day(day, utc_offset_s);
            let ends = Wall::of_local_day(day.saturating_add(1), utc_offset_s);
            self.and("at >= ? AND at < ?");
            self.values.extend([starts, ends].map(|at| Value::Integer(at.0)));
        }
        match &only.domain {
            Some(DomainChoice::Automatic) => self.and(&format!("{} IS NULL", R::HOST)),
            Some(DomainChoice::Named(host)) => {
                self.and(&format!("{} = lower(?)", R::HOST));
                self.value(host.raw());
            }
            None => {}
        }
    }

    /// The rows in whose words this one is.
    fn with_word(&mut self, table: &str, word: &str) -> String {
        if word.chars().count() < SHORTEST_INDEXED {
            self.value(word);
            return format!("SELECT rowid FROM {table}_words WHERE instr(folded, ?) > 0");
        }
        // In quotes, so that none of it is taken for the index's own language.
        self.value(format!("\"{}\"", word.replace('"', "\"\"")));
        format!("SELECT rowid FROM {table}_words WHERE {table}_words MATCH ?")
    }

    /// The rows that say this in other words.
    fn meant<R: TableRow>(
        &mut self,
        connection: &Connection,
        term: &Term,
        search: &Search,
    ) -> rusqlite::Result<String> {
        let mut conditions = vec![format!("id IN ({})", called::<R>(connection, &term.called)?)];
        if term.called.contains(&Called::Made) {
            conditions.push(R::MADE.to_owned());
        }
        if term.called.contains(&Called::MarkedPaid) {
            conditions.push(format!("{} IS NOT NULL", R::PAID_AT));
        }
        for moments in &term.moments {
            self.values.push(Value::Integer(search.utc_offset_s.into()));
            let (text, place) = match moments {
                Moments::Begin(with) => (with, "= 1"),
                Moments::Have(part) => (part, "> 0"),
            };
            self.value(text);
            conditions.push(format!("instr({FIGURES}, ?) {place}"));
        }
        Ok(format!("SELECT id FROM {} WHERE {}", R::TABLE, conditions.join(" OR ")))
    }
}

/// Returns the ids of the rows that have one of these labels. Few were not made; their stored
/// outcome may mean something else by now, which is why each is read.
fn called<R: TableRow>(connection: &Connection, called: &[Called]) -> rusqlite::Result<String> {
    let not_made = [Called::MayExist, Called::Refused, Called::NotSent];
    if !called.iter().any(|called| not_made.contains(called)) {
        return Ok(String::new());
    }
    let sql = format!("SELECT id, outcome FROM {} WHERE NOT created", R::TABLE);
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([])?;
    let mut ids = Vec::new();
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        let is_called = R::called(parse(row.get_ref(1)?.as_str()?)?);
        if is_called.is_some_and(|is_called| called.contains(&is_called)) {
            ids.push(id.to_string());
        }
    }
    Ok(ids.join(","))
}
