//! Searches the list of HTTP requests with SQL.
//!
//! The file contains at most 2,000 rows. A query can therefore scan all rows, and needs no index.

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, params_from_iter};

use super::{COLUMNS, RequestOwner, readable, row_of};
use crate::trade::search::{RowLabel, Term, TimeMatch, searchable, searchable_in_full};
use crate::trade::{Exchange, ExchangeSubject, ListPage, RequestQuery, RequestsRead, Wall};

/// An SQL expression for the local time of a row, in the format that a search term may have:
/// `21/11/2026 10:42`.
const LOCAL_TIME: &str = "strftime('%d/%m/%Y %H:%M', at / 1000 + ?, 'unixepoch')";

/// Returns the searchable text of a request and its reply: the status, the path, the service's id
/// and both bodies. The host is left out, because most requests have the same one.
pub(super) fn words(exchange: &Exchange) -> String {
    let path = exchange.url.splitn(4, '/').nth(3).unwrap_or_default();
    let (status, body) = match &exchange.reply {
        Ok(reply) => (reply.status.to_string(), reply.body.raw()),
        Err(_) => (String::new(), ""),
    };
    let id = exchange.request_id().map_or("", |id| id.raw());
    let sent = exchange.request_body.as_deref().unwrap_or_default();
    let method = &exchange.method;
    searchable_in_full(&format!("{status} {method} /{path} {id}\n{sent}\n{body}"))
}

/// An SQL condition and the values of its parameters.
#[derive(Default)]
struct Condition {
    sql: String,
    values: Vec<Value>,
}

impl Condition {
    fn add(&mut self, sql: &str, values: impl IntoIterator<Item = Value>) {
        self.sql.push_str(sql);
        self.values.extend(values);
    }
}

/// Reads a page of the requests that a query finds. The caller must set `is_kept` and
/// `is_replaced`.
pub(super) fn page(
    connection: &Connection,
    owner: &RequestOwner,
    query: &RequestQuery,
) -> rusqlite::Result<RequestsRead> {
    let Condition { sql, values } = condition(owner, query);
    let sql = format!("SELECT id, at FROM request WHERE {sql} ORDER BY id DESC");
    let mut found = connection.prepare_cached(&sql)?;
    let found = found.query_map(params_from_iter(values), |row| Ok((row.get(0)?, row.get(1)?)))?;
    let found: Vec<(i64, i64)> = found.collect::<rusqlite::Result<_>>()?;
    let first = usize::try_from(query.first).unwrap_or(usize::MAX);
    let most = usize::try_from(query.rows).unwrap_or(usize::MAX);
    // If the list has become too short for this page, return its last rows.
    let first = first.min(found.len().saturating_sub(most));
    let mut read =
        connection.prepare_cached(&format!("SELECT {COLUMNS} FROM request WHERE id = ?"))?;
    let mut rows = vec![];
    for (id, _) in found.iter().skip(first).take(most) {
        // Skip a row that another process has just deleted.
        let Some(row) = read.query_row([id], |row| Ok(row_of(row))).optional()? else { continue };
        match readable(row)? {
            Some(row) => rows.push(row),
            None => {
                // Delete a row that cannot be read, so that the counts and positions of the other
                // rows are right.
                connection.execute("DELETE FROM request WHERE id = ?", [id])?;
                return page(connection, owner, query);
            }
        }
    }
    let total = Some(found.len() as u64);
    let page = ListPage { rows: rows.into(), total, first: first as u64 };
    let since = found.last().map(|(_, at)| Wall(*at));
    Ok(RequestsRead { page, since, ..RequestsRead::default() })
}

fn condition(owner: &RequestOwner, query: &RequestQuery) -> Condition {
    let mut all = Condition::default();
    let text = |text: &str| Value::Text(text.to_owned());
    all.add("profile = ? AND origin = ?", [text(&owner.profile), text(&owner.origin.0)]);
    if let Some(of) = query.of {
        all.add(
            " AND operation = ? AND at >= ?",
            [text(of.operation.name()), Value::Integer(of.since.0)],
        );
        match of.subject {
            ExchangeSubject::Sale(id) => all.add(" AND sale = ?", [Value::Integer(id.0)]),
            ExchangeSubject::Withdrawal(key) => {
                all.add(" AND withdrawal = ?", [Value::Text(key.to_string())]);
            }
        }
    }
    for term in &query.search.terms {
        add_term(&mut all, term, query.search.utc_offset_s);
    }
    all
}

/// Adds the condition that a row matches a search term: by its text, a label or a time.
fn add_term(all: &mut Condition, term: &Term, utc_offset_s: i32) {
    all.add(" AND (instr(words, ?) > 0", [Value::Text(searchable(&term.text))]);
    for label in &term.labels {
        match label {
            RowLabel::Sends(operation) => {
                all.add(" OR operation = ?", [Value::Text(operation.name().to_owned())]);
            }
            RowLabel::EndsWith(result) => {
                let name = result.failure_name().unwrap_or_default();
                all.add(" OR failure = ?", [Value::Text(name.to_owned())]);
            }
            // All other labels are used only in other lists, never for HTTP requests.
            _ => {}
        }
    }
    for moment in &term.moments {
        let (figures, is) = match moment {
            TimeMatch::Begin(figures) => (figures, "= 1"),
            TimeMatch::Have(figures) => (figures, "> 0"),
        };
        let offset = Value::Integer(utc_offset_s.into());
        let sql = format!(" OR instr({LOCAL_TIME}, ?) {is}");
        all.add(&sql, [offset, Value::Text(figures.clone())]);
    }
    all.add(")", []);
}
