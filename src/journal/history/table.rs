//! The tables of payment links and of direct payments. This module writes rows and reads pages of
//! rows. Each table has a trigram index of its searchable text.

use std::collections::BTreeMap;

use rusqlite::types::{FromSqlError, Type, Value};
use rusqlite::{Connection, Row, Transaction, TransactionBehavior, params, params_from_iter};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::search_filter::SearchFilter;
use crate::trade::search::{RowLabel, amount_words, searchable};
use crate::trade::{
    Account, Charge, ChargeOutcome, ChargeRequest, LinkOutcome, LinkRequest, ListPage, Money,
    PagePosition, Paid, PaidSource, PaymentLink, RowId, Search, Untrusted, Wall,
};

/// A record, such as a payment link, that is stored as a row of its own table.
pub(super) trait TableRow: Sized {
    const TABLE: &'static str;

    type Request: Serialize + DeserializeOwned;
    type Outcome: Serialize + DeserializeOwned;

    /// Reads a record from a row with the columns [`COLUMNS`].
    fn read(row: &Row<'_>) -> rusqlite::Result<Self>;

    /// Returns the id of the record's row.
    fn id(&self) -> RowId;

    /// Returns the account and the amount of a request.
    fn account_and_amount(request: &Self::Request) -> (&Account, Money);

    /// Returns the values that a search compares with its terms and filters.
    fn search_values(request: &Self::Request, outcome: &Self::Outcome) -> SearchValues;
}

/// The columns that [`TableRow::read`] expects.
pub(super) const COLUMNS: &str = "l.id, l.at, l.request, l.outcome, l.paid_at, l.sandbox_paid";

/// The values of a row that a search compares with its terms and filters.
pub(super) struct SearchValues {
    /// True if the service has created the payment link or direct payment.
    is_created: bool,
    /// The status label that the list shows for this row. `None` if the list shows something more
    /// specific instead, such as a checkout domain.
    label: Option<RowLabel>,
    /// The time at which a direct payment expires.
    expires: Option<Wall>,
    /// The host name that is compared with the search's domain filter.
    host: Option<String>,
    words: String,
}

/// Returns the number that represents a status label in the database. Returns `None` for labels
/// that payment links and direct payments never have.
pub(super) fn label_number(label: RowLabel) -> Option<i64> {
    match label {
        RowLabel::Created => Some(0),
        RowLabel::MayExist => Some(1),
        RowLabel::Refused => Some(2),
        RowLabel::NotSent => Some(3),
        RowLabel::OddCode => Some(4),
        _ => None,
    }
}

impl TableRow for PaymentLink {
    const TABLE: &'static str = "link";

    type Request = LinkRequest;
    type Outcome = LinkOutcome;

    fn read(row: &Row<'_>) -> rusqlite::Result<PaymentLink> {
        let (request, outcome) = (parse_column(row, 2)?, parse_column(row, 3)?);
        let (id, at, paid) = (RowId(row.get(0)?), Wall(row.get(1)?), read_paid(row)?);
        Ok(PaymentLink { id, at, request, outcome, paid })
    }

    fn id(&self) -> RowId {
        self.id
    }

    fn account_and_amount(request: &LinkRequest) -> (&Account, Money) {
        (&request.account, request.amount)
    }

    fn search_values(request: &LinkRequest, outcome: &LinkOutcome) -> SearchValues {
        let (label, url) = match outcome {
            LinkOutcome::Unknown => (Some(RowLabel::MayExist), None),
            LinkOutcome::Refused(_) => (Some(RowLabel::Refused), None),
            LinkOutcome::NotSent => (Some(RowLabel::NotSent), None),
            // If the seller requested a checkout domain, the row shows that domain instead of a
            // status label.
            LinkOutcome::Created { url } => {
                (request.domain.is_none().then_some(RowLabel::Created), Some(url))
            }
        };
        let texts = [request.domain.as_ref(), url].map(|it| it.map(Untrusted::raw));
        SearchValues {
            is_created: url.is_some(),
            label,
            expires: None,
            host: PaymentLink::host(request, outcome),
            words: searchable_text(&request.description, request.amount, &texts),
        }
    }
}

impl TableRow for Charge {
    const TABLE: &'static str = "charge";

    type Request = ChargeRequest;
    type Outcome = ChargeOutcome;

    fn read(row: &Row<'_>) -> rusqlite::Result<Charge> {
        let (request, outcome) = (parse_column(row, 2)?, parse_column(row, 3)?);
        let (id, at, paid) = (RowId(row.get(0)?), Wall(row.get(1)?), read_paid(row)?);
        Ok(Charge { id, at, request, outcome, paid })
    }

    fn id(&self) -> RowId {
        self.id
    }

    fn account_and_amount(request: &ChargeRequest) -> (&Account, Money) {
        (&request.account, request.amount)
    }

    fn search_values(request: &ChargeRequest, outcome: &ChargeOutcome) -> SearchValues {
        let (label, id, status) = match outcome {
            ChargeOutcome::Unknown => (Some(RowLabel::MayExist), None, None),
            ChargeOutcome::Refused(_) => (Some(RowLabel::Refused), None, None),
            ChargeOutcome::NotSent => (Some(RowLabel::NotSent), None, None),
            // If the service sent a status word, the row shows that word instead of a label. A
            // warning about the Pix code has priority over both.
            ChargeOutcome::Created { id, status, .. } => {
                let label = match outcome.has_odd_code(request.amount) {
                    true => Some(RowLabel::OddCode),
                    false => status.is_none().then_some(RowLabel::Created),
                };
                (label, id.as_ref(), status.as_ref())
            }
        };
        let [id, status] = [id, status].map(|it| it.map(Untrusted::raw));
        SearchValues {
            is_created: matches!(outcome, ChargeOutcome::Created { .. }),
            label,
            expires: outcome.expires_at(),
            host: None,
            words: searchable_text(
                &request.description,
                request.amount,
                &[request.customer.as_deref(), id, status],
            ),
        }
    }
}

fn read_paid(row: &Row<'_>) -> rusqlite::Result<Option<Paid>> {
    let source = if row.get(5)? { PaidSource::Sandbox } else { PaidSource::Seller };
    Ok(row.get::<_, Option<i64>>(4)?.map(|at| Paid { at: Wall(at), source }))
}

fn searchable_text(description: &str, amount: Money, more: &[Option<&str>]) -> String {
    let amount = amount_words(amount);
    let words = [description, &amount].into_iter().chain(more.iter().copied().flatten());
    words.collect::<Vec<_>>().join(" ")
}

pub(super) fn to_json<T: Serialize>(value: &T) -> rusqlite::Result<String> {
    serde_json::to_string(value)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
}

fn parse_column<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    parse_json(row.get_ref(column)?.as_str()?)
}

pub(super) fn parse_json<T: DeserializeOwned>(text: &str) -> rusqlite::Result<T> {
    serde_json::from_str(text).map_err(|error| {
        let unreadable = FromSqlError::Other(Box::new(error));
        rusqlite::Error::FromSqlConversionFailure(0, Type::Text, Box::new(unreadable))
    })
}

/// Determines the row at which reading starts, and whether reading continues to older or newer
/// rows.
#[derive(Debug, Clone, Copy)]
pub(super) enum ReadStart {
    Newest,
    Oldest,
    /// Rows older than this row, newest first.
    Below(RowId),
    /// This row and older rows, newest first.
    From(RowId),
    /// Rows newer than this row, oldest first.
    Above(RowId),
}

impl ReadStart {
    /// Returns the three parts of the SQL: the comparison operator, the row id to compare with, and
    /// the sort order.
    fn sql(self) -> (&'static str, i64, &'static str) {
        match self {
            ReadStart::Newest => ("<=", i64::MAX, "DESC"),
            ReadStart::Oldest => (">=", i64::MIN, "ASC"),
            ReadStart::Below(RowId(id)) => ("<", id, "DESC"),
            ReadStart::From(RowId(id)) => ("<=", id, "DESC"),
            ReadStart::Above(RowId(id)) => (">", id, "ASC"),
        }
    }
}

/// The maximum amount that is added to a total, in centavos. An SQLite integer can hold the sum of
/// nine million such amounts.
const MAX_CENTAVOS: i64 = 1_000_000_000_000;

fn centavos(amount: Money) -> Option<i64> {
    amount.centavos().filter(|centavos| (0..=MAX_CENTAVOS).contains(centavos))
}

/// Converts the searchable text of a row to the form that the trigram index contains.
fn index_text(words: &str) -> String {
    searchable(words) + "  "
}

/// A row to insert: its time, its request, the outcome, and the time and source of the payment, if
/// it was paid.
pub(super) type NewRow<'a, R> =
    (Wall, &'a <R as TableRow>::Request, &'a <R as TableRow>::Outcome, Option<Paid>);

/// Inserts rows in one transaction, oldest first. Returns their ids.
pub(super) fn insert_rows<'a, R: TableRow + 'a>(
    connection: &mut Connection,
    rows: impl Iterator<Item = NewRow<'a, R>>,
) -> rusqlite::Result<Vec<RowId>> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let ids = rows.map(|row| insert::<R>(&tx, row));
    let ids = ids.collect::<Result<_, _>>()?;
    tx.commit()?;
    Ok(ids)
}

fn insert<R: TableRow>(
    tx: &Transaction<'_>,
    (at, request, outcome, paid): NewRow<'_, R>,
) -> rusqlite::Result<RowId> {
    let (table, (account, amount)) = (R::TABLE, R::account_and_amount(request));
    let SearchValues { is_created, label, expires, host, words } =
        R::search_values(request, outcome);
    let insert = format!(
        "INSERT INTO {table}
             (at, origin, identity, centavos, created, label, paid_at, sandbox_paid,
              expires_at, host, request, outcome)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    );
    tx.prepare_cached(&insert)?.execute(params![
        at.0,
        &*account.origin.0,
        &*account.identity,
        centavos(amount),
        is_created,
        label.and_then(label_number),
        paid.map(|paid| paid.at.0),
        paid.is_some_and(|paid| paid.source == PaidSource::Sandbox),
        expires.map(|at| at.0),
        host,
        to_json(request)?,
        to_json(outcome)?,
    ])?;
    let id = tx.last_insert_rowid();
    tx.prepare_cached(&format!("INSERT INTO {table}_words (rowid, folded) VALUES (?, ?)"))?
        .execute(params![id, index_text(&words)])?;
    Ok(RowId(id))
}

/// Stores the outcome of a request in its row, and returns the complete record.
pub(super) fn settle<R: TableRow>(
    connection: &mut Connection,
    id: RowId,
    outcome: &R::Outcome,
) -> rusqlite::Result<R> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let settled = settle_in_transaction(&tx, id, outcome)?;
    tx.commit()?;
    Ok(settled)
}

/// Stores an outcome like [`settle`], but fails if the service has already confirmed that it
/// created the payment link or direct payment.
pub(super) fn settle_uncreated<R: TableRow>(
    connection: &mut Connection,
    row: (RowId, Wall, &Account),
    outcome: &R::Outcome,
) -> rusqlite::Result<R> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let select = format!("SELECT id FROM {} WHERE {SAME_ROW} AND NOT created", R::TABLE);
    let id = tx.query_row(
        &select,
        params![row.0.0, row.1.0, &*row.2.origin.0, &*row.2.identity],
        |row| row.get(0).map(RowId),
    )?;
    let settled = settle_in_transaction(&tx, id, outcome)?;
    tx.commit()?;
    Ok(settled)
}

/// Deletes a row, but fails if the service has confirmed that it created the payment link or direct
/// payment.
pub(super) fn delete_uncreated<R: TableRow>(
    connection: &mut Connection,
    row: (RowId, Wall, &Account),
) -> rusqlite::Result<()> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let delete = format!("DELETE FROM {} WHERE {SAME_ROW} AND NOT created", R::TABLE);
    if tx.execute(&delete, params![row.0.0, row.1.0, &*row.2.origin.0, &*row.2.identity])? == 0 {
        return Err(rusqlite::Error::QueryReturnedNoRows);
    }
    tx.execute(&format!("DELETE FROM {}_words WHERE rowid = ?", R::TABLE), [row.0.0])?;
    tx.commit()
}

/// The SQL condition that identifies a row. Its parameters are the values that
/// [`Sale::identity`](crate::trade::Sale::identity) returns.
pub(super) const SAME_ROW: &str = "id = ? AND at = ? AND origin = ? AND identity = ?";

fn settle_in_transaction<R: TableRow>(
    tx: &Transaction<'_>,
    id: RowId,
    outcome: &R::Outcome,
) -> rusqlite::Result<R> {
    let table = R::TABLE;
    let request: R::Request =
        tx.query_row(&format!("SELECT request FROM {table} WHERE id = ?"), [id.0], |row| {
            parse_column(row, 0)
        })?;
    let SearchValues { is_created, label, expires, host, words } =
        R::search_values(&request, outcome);
    let update = format!(
        "UPDATE {table} SET created = ?, label = ?, expires_at = ?, host = ?, outcome = ?
         WHERE id = ?"
    );
    let (label, expires) = (label.and_then(label_number), expires.map(|at| at.0));
    tx.execute(&update, params![is_created, label, expires, host, to_json(outcome)?, id.0])?;
    tx.execute(
        &format!("UPDATE {table}_words SET folded = ? WHERE rowid = ?"),
        params![index_text(&words), id.0],
    )?;
    let select = format!("SELECT {COLUMNS} FROM {table} l WHERE l.id = ?");
    tx.query_row(&select, [id.0], R::read)
}

/// Returns a page of the rows that a search finds, newest first.
///
/// `cached_total` is the number of all found rows, or `None` if it is not cached. In that case the
/// rows are counted only for the last page, because the position of that page depends on their
/// number.
pub(super) fn page<R: TableRow>(
    connection: &Connection,
    search: &Search,
    place: PagePosition,
    n: u64,
    cached_total: Option<u64>,
) -> rusqlite::Result<ListPage<R>> {
    // Read everything in one transaction, so that other writers cannot make the page inconsistent.
    #[expect(
        clippy::disallowed_methods,
        reason = "it only reads: deferred, it waits for no window that writes"
    )]
    let tx = connection.unchecked_transaction()?;
    let filter = SearchFilter::of::<R>(&tx, search)?;
    let nearby_page = match place {
        PagePosition::Near { id, position, first } => {
            read_page_near(&tx, &filter, (id, position, first), n)?
        }
        PagePosition::Top | PagePosition::End => None,
    };
    if let Some(mut page) = nearby_page {
        page.total = cached_total;
        return Ok(page);
    }
    let is_end = place == PagePosition::End;
    let start = if is_end { ReadStart::Oldest } else { ReadStart::Newest };
    let mut rows = read_rows(&tx, &filter, start, n, 0)?;
    let len = rows.len() as u64;
    if is_end {
        rows.reverse();
    }
    let total = match cached_total {
        _ if len < n => Some(len),
        None if is_end => Some(total::<R>(&tx, search)?),
        cached_total => cached_total,
    };
    let first = if is_end { total.unwrap_or(len).saturating_sub(len) } else { 0 };
    Ok(ListPage { rows: rows.into(), total, first })
}

/// Reads the page that begins at position `first` of the list. Reading starts from a known row with
/// this `id`, which is at position `position`. Returns `None` if the list is too short.
fn read_page_near<R: TableRow>(
    connection: &Connection,
    filter: &SearchFilter,
    (id, position, first): (RowId, u64, u64),
    n: u64,
) -> rusqlite::Result<Option<ListPage<R>>> {
    let (above, skipped) = (position.saturating_sub(first), first.saturating_sub(position));
    let expected = above.min(n);
    let mut rows = read_rows(connection, filter, ReadStart::Above(id), expected, above - expected)?;
    if (rows.len() as u64) < expected {
        return Ok(None);
    }
    rows.reverse();
    rows.extend(read_rows(connection, filter, ReadStart::From(id), n - expected, skipped)?);
    let page = ListPage { rows: rows.into(), total: None, first };
    Ok((!page.rows.is_empty()).then_some(page))
}

/// Starting at `start`, skips `skipped` rows and returns up to `n` of the next rows.
///
/// If the filter has several queries, the first rows of each query are merged and sorted.
fn read_rows<R: TableRow>(
    connection: &Connection,
    filter: &SearchFilter,
    start: ReadStart,
    n: u64,
    skipped: u64,
) -> rusqlite::Result<Vec<R>> {
    if n == 0 {
        return Ok(vec![]);
    }
    let (comparison, id, order) = start.sql();
    let limit = Value::Integer(i64::try_from(n.saturating_add(skipped)).unwrap_or(i64::MAX));
    let mut rows_by_id = BTreeMap::new();
    for query in &filter.page_queries {
        let sql = query.rows(R::TABLE, comparison, order);
        let values = query.values().chain([Value::Integer(id), limit.clone()]);
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query(params_from_iter(values))?;
        while let Some(row) = rows.next()? {
            rows_by_id.insert(row.get::<_, i64>(0)?, R::read(row)?);
        }
    }
    let rows: Box<dyn Iterator<Item = R>> = match order {
        "ASC" => Box::new(rows_by_id.into_values()),
        _ => Box::new(rows_by_id.into_values().rev()),
    };
    let skipped = usize::try_from(skipped).unwrap_or(usize::MAX);
    Ok(rows.skip(skipped).take(usize::try_from(n).unwrap_or(usize::MAX)).collect())
}

/// Returns up to `n` rows, starting at `start`. No search is applied.
pub(super) fn read_unfiltered<R: TableRow>(
    connection: &Connection,
    start: ReadStart,
    n: u64,
) -> rusqlite::Result<Vec<R>> {
    let filter = SearchFilter::of::<R>(connection, &Search::default())?;
    read_rows(connection, &filter, start, n, 0)
}

/// Counts the rows that a search finds.
pub(super) fn total<R: TableRow>(
    connection: &Connection,
    search: &Search,
) -> rusqlite::Result<u64> {
    let filter = SearchFilter::of::<R>(connection, search)?;
    let mut statement = connection.prepare_cached(&filter.total_query.count(R::TABLE))?;
    let count =
        statement.query_row(params_from_iter(filter.total_query.values()), |row| row.get(0));
    count.map(i64::unsigned_abs)
}
