//! The tables of payment links and of direct payments. This module writes rows and reads pages of
//! rows. Each table has a trigram index of its searchable text.

use std::collections::BTreeMap;
use std::slice;

use rusqlite::types::{FromSqlError, Type, Value};
use rusqlite::{
    Connection, Row, ToSql, Transaction, TransactionBehavior, params, params_from_iter,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::authors::read_authors;
use super::search_filter::SearchFilter;
use super::shared::new_row;
use super::statements::forget_line;
use crate::trade::search::{RowLabel, amount_words, searchable};
use crate::trade::{
    ChargeOutcome, ChargeRequest, LinkOutcome, LinkRequest, ListPage, Money, Outcome, PagePosition,
    Paid, PaidSource, RowId, SaleAuthors, SaleOf, SaleRequest, Search, Untrusted, Wall,
};

/// A request whose rows are stored in a table of their own: the payment links or the direct
/// payments.
pub trait SaleTable: SaleRequest {
    /// The name of the table.
    const TABLE: &'static str;

    /// True if the table has indexes for totals. The totals of days are then computed, too.
    const HAS_SUMS: bool;

    /// True if the seller can put rows away, which keeps them out of the list and its totals.
    const HAS_PUT_AWAY: bool;

    /// The parts of a row that a search compares with its terms and filters.
    fn searched_parts<'s>(&'s self, outcome: &'s Outcome<Self::Created>) -> SearchedParts<'s>;
}

/// The columns that [`read`] expects.
pub(super) const COLUMNS: &str = "l.id, l.at, l.request, l.outcome, l.paid_at,
    l.sandbox_paid, l.statement_day, l.note, l.put_away_at";

/// The parts of a row that a search compares with its terms and filters.
pub struct SearchedParts<'s> {
    /// The status label that the list shows for a created link or payment. `None` if the list shows
    /// something more specific instead, such as a checkout domain.
    created_label: Option<RowLabel>,
    /// The time at which a direct payment expires.
    expires: Option<Wall>,
    /// The host name that is compared with the search's domain filter.
    host: Option<String>,
    /// The searchable texts apart from the description and the amount.
    texts: [Option<&'s str>; 3],
}

/// The number that represents a status label in the database. Returns `None` for labels that
/// payment links and direct payments never have.
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

impl SaleTable for LinkRequest {
    const TABLE: &'static str = "link";
    const HAS_SUMS: bool = true;
    const HAS_PUT_AWAY: bool = true;

    fn searched_parts<'s>(&'s self, outcome: &'s LinkOutcome) -> SearchedParts<'s> {
        let url = outcome.created().map(|created| &created.url);
        let [domain, url] = [self.domain.as_ref(), url].map(|text| text.map(Untrusted::raw));
        SearchedParts {
            // If the seller requested a checkout domain, the row shows that domain instead of a
            // status label.
            created_label: self.domain.is_none().then_some(RowLabel::Created),
            expires: None,
            host: self.host(outcome),
            texts: [domain, url, None],
        }
    }
}

impl SaleTable for ChargeRequest {
    const TABLE: &'static str = "charge";
    const HAS_SUMS: bool = false;
    const HAS_PUT_AWAY: bool = false;

    fn searched_parts<'s>(&'s self, outcome: &'s ChargeOutcome) -> SearchedParts<'s> {
        let created = outcome.created();
        let id = created.and_then(|created| created.id.as_ref());
        let status = created.and_then(|created| created.status.as_ref());
        // If the service sent a status word, the row shows that word instead of a label. A warning
        // about the Pix code has priority over both.
        let created_label = if outcome.has_odd_code(self.amount) {
            Some(RowLabel::OddCode)
        } else {
            status.is_none().then_some(RowLabel::Created)
        };
        let [id, status] = [id, status].map(|text| text.map(Untrusted::raw));
        SearchedParts {
            created_label,
            expires: outcome.expires_at(),
            host: None,
            texts: [self.customer.as_deref(), id, status],
        }
    }
}

/// Reads a payment link or direct payment from a row with the columns [`COLUMNS`].
pub(super) fn read<R: SaleTable>(row: &Row<'_>) -> rusqlite::Result<SaleOf<R>> {
    Ok(SaleOf {
        id: RowId(row.get(0)?),
        at: Wall(row.get(1)?),
        request: parse_column(row, 2)?,
        outcome: parse_column(row, 3)?,
        paid: read_paid(row)?,
        note: row.get(7)?,
        put_away: row.get::<_, Option<i64>>(8)?.map(Wall),
        authors: SaleAuthors::default(),
    })
}

fn read_paid(row: &Row<'_>) -> rusqlite::Result<Option<Paid>> {
    let source = match (row.get(5)?, row.get(6)?) {
        (true, _) => PaidSource::Sandbox,
        (false, Some(day)) => PaidSource::Statement(day),
        (false, None) => PaidSource::Seller,
    };
    Ok(row.get::<_, Option<i64>>(4)?.map(|at| Paid {
        at: Wall(at),
        source,
    }))
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
    /// This row and older rows, newest first.
    From(RowId),
    /// Rows newer than this row, oldest first.
    Above(RowId),
}

impl ReadStart {
    /// The three parts of the SQL: the comparison operator, the row id to compare with, and the
    /// sort order.
    fn sql(self) -> (&'static str, i64, &'static str) {
        match self {
            ReadStart::Newest => ("<=", i64::MAX, "DESC"),
            ReadStart::Oldest => (">=", i64::MIN, "ASC"),
            ReadStart::From(RowId(id)) => ("<=", id, "DESC"),
            ReadStart::Above(RowId(id)) => (">", id, "ASC"),
        }
    }
}

/// The maximum amount that is added to a total, in centavos. An SQLite integer can hold the sum of
/// nine million such amounts.
const MAX_CENTAVOS: i64 = 1_000_000_000_000;

fn centavos(amount: Money) -> Option<i64> {
    amount
        .centavos()
        .filter(|centavos| (0..=MAX_CENTAVOS).contains(centavos))
}

/// The columns of a row that change when its outcome is stored, and its searchable text.
struct OutcomeColumns {
    created: bool,
    label: Option<i64>,
    expires_at: Option<i64>,
    host: Option<String>,
    outcome: String,
    folded: String,
}

impl OutcomeColumns {
    fn of<R: SaleTable>(
        request: &R,
        outcome: &Outcome<R::Created>,
        note: Option<&str>,
    ) -> rusqlite::Result<OutcomeColumns> {
        let SearchedParts {
            created_label,
            expires,
            host,
            texts,
        } = request.searched_parts(outcome);
        let label = match outcome {
            Outcome::Created(_) => created_label,
            Outcome::Unknown => Some(RowLabel::MayExist),
            Outcome::Refused(_) => Some(RowLabel::Refused),
            Outcome::NotSent => Some(RowLabel::NotSent),
        };
        let amount = amount_words(request.amount());
        let words = [request.description(), &amount]
            .into_iter()
            .chain(texts.into_iter().flatten())
            .chain(note);
        let words: Vec<&str> = words.collect();
        Ok(OutcomeColumns {
            created: outcome.created().is_some(),
            label: label.and_then(label_number),
            expires_at: expires.map(|at| at.0),
            host,
            outcome: to_json(outcome)?,
            // The trigram index contains two spaces after the text.
            folded: searchable(&words.join(" ")) + "  ",
        })
    }
}

/// Inserts rows in one transaction, oldest first. Their ids are new, not those of `sales`. Returns
/// the new ids.
pub(super) fn insert_rows<R: SaleTable>(
    connection: &mut Connection,
    sales: &[SaleOf<R>],
) -> rusqlite::Result<Vec<RowId>> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let ids = sales
        .iter()
        .map(|sale| insert(&tx, sale))
        .collect::<Result<_, _>>()?;
    tx.commit()?;
    Ok(ids)
}

/// Inserts a row with a new id, which is not the one of `sale`. Returns the new id.
pub(super) fn insert<R: SaleTable>(
    tx: &Transaction<'_>,
    sale: &SaleOf<R>,
) -> rusqlite::Result<RowId> {
    let id = new_row(tx, R::TABLE, sale.at)?;
    insert_with_id(tx, id, sale)
}

/// Inserts a row with this id. If it is `None`, SQLite chooses the id.
pub(super) fn insert_with_id<R: SaleTable>(
    tx: &Connection,
    id: Option<i64>,
    sale: &SaleOf<R>,
) -> rusqlite::Result<RowId> {
    let table = R::TABLE;
    let SaleOf {
        at, request, paid, ..
    } = sale;
    let statement_day = match paid.map(|paid| paid.source) {
        Some(PaidSource::Statement(day)) => Some(day),
        Some(PaidSource::Seller | PaidSource::Sandbox) | None => None,
    };
    let columns = OutcomeColumns::of(request, &sale.outcome, sale.note.as_deref())?;
    let insert = format!(
        "INSERT INTO {table}
             (id, at, origin, identity, centavos, created, label, paid_at, sandbox_paid,
              expires_at, host, request, outcome, statement_day, note, put_away_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    );
    tx.prepare_cached(&insert)?.execute(params![
        id,
        at.0,
        &*request.account().origin.0,
        &*request.account().identity,
        centavos(request.amount()),
        columns.created,
        columns.label,
        paid.map(|paid| paid.at.0),
        paid.is_some_and(|paid| paid.source == PaidSource::Sandbox),
        columns.expires_at,
        columns.host,
        to_json(request)?,
        columns.outcome,
        statement_day,
        sale.note,
        sale.put_away.map(|at| at.0),
    ])?;
    let id = tx.last_insert_rowid();
    tx.prepare_cached(&format!(
        "INSERT INTO {table}_words (rowid, folded) VALUES (?, ?)"
    ))?
    .execute(params![id, columns.folded])?;
    Ok(RowId(id))
}

/// Stores the outcome of a request in its row, and returns the complete record.
pub(super) fn settle<R: SaleTable>(
    connection: &mut Connection,
    id: RowId,
    outcome: &Outcome<R::Created>,
) -> rusqlite::Result<SaleOf<R>> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let settled = settle_in_transaction(&tx, id, outcome)?;
    tx.commit()?;
    Ok(settled)
}

/// Stores an outcome like [`settle`], but fails if the service has already confirmed that it
/// created the payment link or direct payment.
pub(super) fn settle_uncreated<R: SaleTable>(
    connection: &mut Connection,
    sale: &SaleOf<R>,
) -> rusqlite::Result<SaleOf<R>> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let select = format!(
        "SELECT id FROM {} WHERE {SAME_ROW} AND NOT created",
        R::TABLE
    );
    let (id, at, account) = sale.identity();
    let row = params![id.0, at.0, &*account.origin.0, &*account.identity];
    let id = tx.query_row(&select, row, |row| row.get(0).map(RowId))?;
    let settled = settle_in_transaction(&tx, id, &sale.outcome)?;
    tx.commit()?;
    Ok(settled)
}

/// Deletes a row, but fails if the service has confirmed that it created the payment link or direct
/// payment.
pub(super) fn delete_uncreated<R: SaleTable>(
    connection: &mut Connection,
    sale: &SaleOf<R>,
) -> rusqlite::Result<()> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let delete = format!("DELETE FROM {} WHERE {SAME_ROW} AND NOT created", R::TABLE);
    let (id, at, account) = sale.identity();
    if tx.execute(
        &delete,
        params![id.0, at.0, &*account.origin.0, &*account.identity],
    )? == 0
    {
        return Err(rusqlite::Error::QueryReturnedNoRows);
    }
    tx.execute(
        &format!("DELETE FROM {}_words WHERE rowid = ?", R::TABLE),
        [id.0],
    )?;
    // In a team, a row may be marked although the last outcome says that it was not created.
    forget_line(&tx, R::TABLE, id.0)?;
    tx.commit()
}

/// The SQL condition that identifies a row. Its parameters are the values that
/// [`Sale::identity`](crate::trade::Sale::identity) returns.
pub(super) const SAME_ROW: &str = "id = ? AND at = ? AND origin = ? AND identity = ?";

pub(super) fn settle_in_transaction<R: SaleTable>(
    tx: &Connection,
    id: RowId,
    outcome: &Outcome<R::Created>,
) -> rusqlite::Result<SaleOf<R>> {
    let table = R::TABLE;
    let (request, note): (R, Option<String>) = tx.query_row(
        &format!("SELECT request, note FROM {table} WHERE id = ?"),
        [id.0],
        |row| Ok((parse_column(row, 0)?, row.get(1)?)),
    )?;
    let columns = OutcomeColumns::of(&request, outcome, note.as_deref())?;
    let update = format!(
        "UPDATE {table} SET created = ?, label = ?, expires_at = ?, host = ?, outcome = ?
         WHERE id = ?"
    );
    let OutcomeColumns {
        created,
        label,
        expires_at,
        host,
        outcome,
        folded,
    } = columns;
    tx.execute(
        &update,
        params![created, label, expires_at, host, outcome, id.0],
    )?;
    update_words::<R>(tx, id, &folded)?;
    read_row(tx, id)
}

fn update_words<R: SaleTable>(tx: &Connection, id: RowId, folded: &str) -> rusqlite::Result<()> {
    let update = format!("UPDATE {}_words SET folded = ? WHERE rowid = ?", R::TABLE);
    tx.execute(&update, params![folded, id.0]).map(drop)
}

fn read_row<R: SaleTable>(connection: &Connection, id: RowId) -> rusqlite::Result<SaleOf<R>> {
    let select = format!("SELECT {COLUMNS} FROM {} l WHERE l.id = ?", R::TABLE);
    let mut sale = connection.query_row(&select, [id.0], read)?;
    read_authors(connection, slice::from_mut(&mut sale))?;
    Ok(sale)
}

/// Stores the seller's note about a payment link or direct payment, or removes it, and makes the
/// row searchable by the note. Returns the changed record.
pub(super) fn set_note<R: SaleTable>(
    connection: &mut Connection,
    sale: &SaleOf<R>,
    note: Option<&str>,
) -> rusqlite::Result<SaleOf<R>> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let changed = update_row(&tx, sale, ("note", note), "1")?;
    update_words_of_note(&tx, &changed)?;
    tx.commit()?;
    Ok(changed)
}

/// Stores a note like [`set_note`], in the row with this id.
pub(super) fn set_note_in_transaction<R: SaleTable>(
    tx: &Connection,
    id: RowId,
    note: Option<&str>,
) -> rusqlite::Result<()> {
    let update = format!("UPDATE {} SET note = ? WHERE id = ?", R::TABLE);
    tx.prepare_cached(&update)?.execute(params![note, id.0])?;
    update_words_of_note(tx, &read_row::<R>(tx, id)?)
}

fn update_words_of_note<R: SaleTable>(tx: &Connection, row: &SaleOf<R>) -> rusqlite::Result<()> {
    let columns = OutcomeColumns::of(&row.request, &row.outcome, row.note.as_deref())?;
    update_words::<R>(tx, row.id, &columns.folded)
}

/// Puts a row away, which keeps it out of the list and its totals, or brings it back if `since` is
/// `None`. Fails if the service has not confirmed the creation. Returns the changed record.
pub(super) fn put_away<R: SaleTable>(
    connection: &mut Connection,
    sale: &SaleOf<R>,
    since: Option<Wall>,
) -> rusqlite::Result<SaleOf<R>> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let since = since.map(|at| at.0);
    let changed = update_row(&tx, sale, ("put_away_at", since), "created")?;
    tx.commit()?;
    Ok(changed)
}

/// Sets a column of the row of `sale`, and returns the changed record. Fails if the row is gone or
/// does not meet the condition.
fn update_row<R: SaleTable, V: ToSql>(
    tx: &Transaction<'_>,
    sale: &SaleOf<R>,
    (column, value): (&str, V),
    condition: &str,
) -> rusqlite::Result<SaleOf<R>> {
    let table = R::TABLE;
    let update = format!("UPDATE {table} SET {column} = ? WHERE {SAME_ROW} AND {condition}");
    let (id, at, account) = sale.identity();
    let row = params![value, id.0, at.0, &*account.origin.0, &*account.identity];
    if tx.execute(&update, row)? == 0 {
        return Err(rusqlite::Error::QueryReturnedNoRows);
    }
    read_row(tx, id)
}

/// A page of the rows that a search finds, newest first.
///
/// `cached_total` is the number of all found rows, or `None` if it is not cached. In that case the
/// rows are counted only for the last page, because the position of that page depends on their
/// number.
pub(super) fn page<R: SaleTable>(
    connection: &Connection,
    search: &Search,
    place: PagePosition,
    n: u64,
    cached_total: Option<u64>,
) -> rusqlite::Result<ListPage<SaleOf<R>>> {
    // Read everything in one transaction, so that other writers cannot make the page inconsistent.
    #[expect(
        clippy::disallowed_methods,
        reason = "it only reads: deferred, it waits for no window that writes"
    )]
    let tx = connection.unchecked_transaction()?;
    let filter = SearchFilter::of::<R>(&tx, search)?;
    let nearby_page = match place {
        PagePosition::Near {
            id,
            position,
            first,
        } => read_page_near(&tx, &filter, (id, position, first), n)?,
        PagePosition::Top | PagePosition::End => None,
    };
    if let Some(mut page) = nearby_page {
        page.total = cached_total;
        return Ok(page);
    }
    let is_end = place == PagePosition::End;
    let start = if is_end {
        ReadStart::Oldest
    } else {
        ReadStart::Newest
    };
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
    let first = if is_end {
        total.unwrap_or(len).saturating_sub(len)
    } else {
        0
    };
    Ok(ListPage {
        rows: rows.into(),
        total,
        first,
    })
}

/// Reads the page that begins at position `first` of the list. Reading starts from a known row with
/// this `id`, which is at position `position`. Returns `None` if the list is too short.
fn read_page_near<R: SaleTable>(
    connection: &Connection,
    filter: &SearchFilter,
    (id, position, first): (RowId, u64, u64),
    n: u64,
) -> rusqlite::Result<Option<ListPage<SaleOf<R>>>> {
    let above = position.saturating_sub(first);
    let skipped = first.saturating_sub(position);
    let expected = above.min(n);
    let mut rows = read_rows(
        connection,
        filter,
        ReadStart::Above(id),
        expected,
        above - expected,
    )?;
    if (rows.len() as u64) < expected {
        return Ok(None);
    }
    rows.reverse();
    rows.extend(read_rows(
        connection,
        filter,
        ReadStart::From(id),
        n - expected,
        skipped,
    )?);
    let page = ListPage {
        rows: rows.into(),
        total: None,
        first,
    };
    Ok((!page.rows.is_empty()).then_some(page))
}

/// Starting at `start`, skips `skipped` rows and returns up to `n` of the next rows.
///
/// If the filter has several queries, the first rows of each query are merged and sorted.
fn read_rows<R: SaleTable>(
    connection: &Connection,
    filter: &SearchFilter,
    start: ReadStart,
    n: u64,
    skipped: u64,
) -> rusqlite::Result<Vec<SaleOf<R>>> {
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
            rows_by_id.insert(row.get::<_, i64>(0)?, read(row)?);
        }
    }
    let rows: Box<dyn Iterator<Item = SaleOf<R>>> = match order {
        "ASC" => Box::new(rows_by_id.into_values()),
        _ => Box::new(rows_by_id.into_values().rev()),
    };
    let skipped = usize::try_from(skipped).unwrap_or(usize::MAX);
    let n = usize::try_from(n).unwrap_or(usize::MAX);
    let mut rows: Vec<_> = rows.skip(skipped).take(n).collect();
    read_authors(connection, &mut rows)?;
    Ok(rows)
}

/// Up to `n` rows that a search finds and that are older than the row `below`, newest first.
pub(super) fn read_below<R: SaleTable>(
    connection: &Connection,
    search: &Search,
    below: RowId,
    n: u64,
) -> rusqlite::Result<Vec<SaleOf<R>>> {
    let filter = SearchFilter::of::<R>(connection, search)?;
    let start = ReadStart::From(RowId(below.0.saturating_sub(1)));
    read_rows(connection, &filter, start, n, 0)
}

/// The period that contains every row.
pub(super) const ALL_TIME: [Wall; 2] = [Wall(i64::MIN), Wall(i64::MAX)];

/// Up to `n` rows of a period that are older than the row `below`, newest first. The end of the
/// period is exclusive.
pub(super) fn read_period<R: SaleTable>(
    connection: &Connection,
    [since, until]: [Wall; 2],
    below: RowId,
    n: u64,
) -> rusqlite::Result<Vec<SaleOf<R>>> {
    // Scan the rows by id. An index of the times would have to sort the whole period for each
    // batch.
    let sql = format!(
        "SELECT {COLUMNS} FROM {} l NOT INDEXED WHERE l.id < ? AND l.at >= ? AND l.at < ?
         ORDER BY l.id DESC LIMIT ?",
        R::TABLE
    );
    let limit = i64::try_from(n).unwrap_or(i64::MAX);
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map(params![below.0, since.0, until.0, limit], read)?;
    let mut rows: Vec<_> = rows.collect::<Result<_, _>>()?;
    read_authors(connection, &mut rows)?;
    Ok(rows)
}

/// Counts the rows that a search finds.
pub(super) fn total<R: SaleTable>(
    connection: &Connection,
    search: &Search,
) -> rusqlite::Result<u64> {
    let filter = SearchFilter::of::<R>(connection, search)?;
    let mut statement = connection.prepare_cached(&filter.count(R::TABLE))?;
    let count = statement.query_row(params_from_iter(filter.total_values()), |row| row.get(0));
    count.map(i64::unsigned_abs)
}
