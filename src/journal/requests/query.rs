//! Searches the list of HTTP requests with SQL.
//!
//! The file contains at most 2,000 rows. A query can therefore scan all rows, and needs no index.

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::{COLUMNS, RequestOwner, read_row, skip_invalid};
use crate::trade::search::{RowLabel, Term, TimeMatch, searchable, searchable_in_full};
use crate::trade::{Exchange, ExchangeSubject, ListPage, RequestQuery, RequestsPage};

/// An SQL expression for the local time of a row, in the format that a search term may have:
/// `21/11/2026 10:42`.
const LOCAL_TIME: &str = "strftime('%d/%m/%Y %H:%M', at / 1000 + ?, 'unixepoch')";

/// The searchable text of a request and its reply: the status, the path, the service's id and both
/// bodies. The host is left out, because most requests have the same one.
pub(super) fn searchable_text(exchange: &Exchange) -> String {
    let path = exchange.url.splitn(4, '/').nth(3).unwrap_or_default();
    let (status, body) = match &exchange.reply {
        Ok(reply) => (reply.status.to_string(), reply.body.raw()),
        Err(_) => (String::new(), ""),
    };
    let id = exchange.request_id().map_or("", |id| id.raw());
    let request_body = exchange.request_body.as_deref().unwrap_or_default();
    let method = &exchange.method;
    searchable_in_full(&format!(
        "{status} {method} /{path} {id}\n{request_body}\n{body}"
    ))
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

/// Reads a page of the requests that a query finds. The caller must set `is_persistent`
/// and `is_replaced`.
pub(super) fn page(
    connection: &Connection,
    owner: &RequestOwner,
    query: &RequestQuery,
) -> rusqlite::Result<RequestsPage> {
    let Condition { sql, values } = condition(owner, query);
    let sql = format!("SELECT {COLUMNS} FROM request WHERE {sql} ORDER BY id DESC");
    let mut search = connection.prepare_cached(&sql)?;
    let mut rows = vec![];
    let mut of_other_version = 0;
    for row in search.query_map(params_from_iter(values), |row| Ok(read_row(row)))? {
        match skip_invalid(row?)? {
            Some(row) => rows.push(row),
            None => of_other_version += 1,
        }
    }
    let total = rows.len();
    let since = rows.last().map(|row| row.at);
    let first = usize::try_from(query.first).unwrap_or(usize::MAX);
    let limit = usize::try_from(query.rows).unwrap_or(usize::MAX);
    // If the list no longer has enough rows for this page, return the last rows of the list.
    let first = first.min(total.saturating_sub(limit));
    let rows = rows.into_iter().skip(first).take(limit).collect();
    let page = ListPage {
        rows,
        total: Some(total as u64),
        first: first as u64,
    };
    Ok(RequestsPage {
        page,
        since,
        of_other_version,
        ..RequestsPage::default()
    })
}

fn condition(owner: &RequestOwner, query: &RequestQuery) -> Condition {
    let mut condition = Condition::default();
    condition.add(
        "profile = ? AND origin = ?",
        [&owner.profile, &owner.origin.0].map(|text| Value::Text(text.to_string())),
    );
    if let Some(scope) = query.subject_filter {
        condition.add(
            " AND operation = ? AND at >= ?",
            [
                Value::Text(scope.operation.name().to_owned()),
                Value::Integer(scope.since.0),
            ],
        );
        match scope.subject {
            ExchangeSubject::Sale(id) => condition.add(" AND sale = ?", [Value::Integer(id.0)]),
            ExchangeSubject::Withdrawal(key) => {
                condition.add(" AND withdrawal = ?", [Value::Text(key.to_string())]);
            }
        }
    }
    if let Some(period) = query.search.reading.period {
        let span = period.span(query.search.utc_offset_s);
        condition.add(
            " AND at >= ? AND at < ?",
            span.map(|at| Value::Integer(at.0)),
        );
    }
    for term in &query.search.terms {
        add_term(&mut condition, term, query.search.utc_offset_s);
    }
    condition
}

/// Adds the condition that the text, a label or the time of a row matches a search term.
fn add_term(condition: &mut Condition, term: &Term, utc_offset_s: i32) {
    condition.add(
        " AND (instr(words, ?) > 0",
        [Value::Text(searchable(&term.text))],
    );
    for label in &term.labels {
        match label {
            RowLabel::ForOperation(operation) => {
                condition.add(
                    " OR operation = ?",
                    [Value::Text(operation.name().to_owned())],
                );
            }
            RowLabel::WithResult(result) => {
                let name = result.failure_name().unwrap_or_default();
                condition.add(" OR failure = ?", [Value::Text(name.to_owned())]);
            }
            // No HTTP request has any other label. The other labels belong to other lists.
            _ => {}
        }
    }
    for time_match in &term.moments {
        let (text, comparison) = match time_match {
            TimeMatch::StartsWith(text) => (text, "= 1"),
            TimeMatch::Contains(text) => (text, "> 0"),
        };
        let offset = Value::Integer(utc_offset_s.into());
        let sql = format!(" OR instr({LOCAL_TIME}, ?) {comparison}");
        condition.add(&sql, [offset, Value::Text(text.clone())]);
    }
    condition.add(")", []);
}
