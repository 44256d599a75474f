//! Marks payment links and direct payments as paid when the seller or the sandbox reports it.
//! Computes the totals of paid and unpaid payment links.

use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, params, params_from_iter};

use super::search_filter::SearchFilter;
use super::statements::forget_line;
use super::table::{COLUMNS, SAME_ROW, SaleTable, read, to_json};
use crate::trade::{
    Account, DayTotal, LinksTotal, Money, Origin, PaymentLink, RecentTotals, SaleOf, Search,
    SearchTotals, Untrusted, Wall,
};

/// Marks a payment link or direct payment as paid, or removes the mark. A mark brings a put-away
/// link back to the list.
///
/// The row must have the same id, time and account, and the service must have created the payment
/// link or direct payment. A payment that the sandbox reported is not changed. If the mark is
/// removed and was made from a line of a statement, the line can be proposed again.
pub(super) fn mark<R: SaleTable>(
    connection: &mut Connection,
    sale: &SaleOf<R>,
    paid: Option<Wall>,
) -> rusqlite::Result<()> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let (id, at, account) = sale.identity();
    let table = R::TABLE;
    let changed = tx.execute(
        &format!(
            "UPDATE {table} SET paid_at = ?, statement_day = NULL,
                 put_away_at = iif(?, NULL, put_away_at)
             WHERE {SAME_ROW} AND created AND NOT sandbox_paid"
        ),
        params![
            paid.map(|at| at.0),
            paid.is_some(),
            id.0,
            at.0,
            &*account.origin.0,
            &*account.identity
        ],
    )?;
    if changed == 0 {
        return Err(rusqlite::Error::QueryReturnedNoRows);
    }
    if paid.is_none() {
        forget_line(&tx, table, id.0)?;
    }
    tx.commit()
}

/// Marks the payment links with these URLs as paid, as the sandbox at `origin` reported. Links that
/// are already marked keep their time of payment.
pub(super) fn record_sandbox_payments(
    connection: &Connection,
    origin: &Origin,
    urls: &[Untrusted],
    at: Wall,
) -> rusqlite::Result<()> {
    let record = "UPDATE link SET paid_at = ?, sandbox_paid = 1, put_away_at = NULL
         WHERE created AND NOT sandbox_paid AND origin = ?
           AND outcome ->> '$.created.url' IN (SELECT value FROM json_each(?))";
    connection
        .execute(record, params![at.0, &*origin.0, to_json(&urls)?])
        .map(drop)
}

/// The newest payment link that the service at `origin` created with this URL.
pub(super) fn link_at(
    connection: &Connection,
    origin: &Origin,
    url: &Untrusted,
) -> rusqlite::Result<Option<PaymentLink>> {
    let select = format!(
        "SELECT {COLUMNS} FROM link l WHERE l.created AND l.origin = ?
           AND l.outcome ->> '$.created.url' IN (SELECT value FROM json_each(?))
         ORDER BY l.id DESC LIMIT 1"
    );
    let row = connection.query_row(&select, params![&*origin.0, to_json(&[url])?], read);
    row.optional()
}

/// The totals of the last weeks' payment links, or `None` if a sum is not exact.
pub(super) fn recent_totals(
    connection: &Connection,
    now: Wall,
    utc_offset_s: i32,
) -> rusqlite::Result<Option<RecentTotals>> {
    let Some(mut totals) = RecentTotals::on(now, utc_offset_s) else {
        return Ok(None);
    };
    let mut statement = connection.prepare_cached(RECENT_TOTALS)?;
    for day in totals.first_day()..=totals.today {
        let span = Wall::span_of_local_day(day, utc_offset_s);
        let mut rows = statement.query(span.map(|at| at.0))?;
        while let Some(row) = rows.next()? {
            let Some(links) = read_links_total(row, 1)? else {
                return Ok(None);
            };
            if totals.add_links(day, row.get(0)?, links).is_none() {
                return Ok(None);
            }
        }
    }
    Ok(Some(totals))
}

/// The totals of one day. SQL computes no days, because its division truncates.
pub(super) const RECENT_TOTALS: &str = "SELECT paid_at IS NOT NULL, count(*), count(centavos),
         coalesce(sum(centavos), 0)
     FROM link INDEXED BY link_time_totals WHERE created AND at >= ? AND at < ?
         AND id NOT IN (SELECT id FROM link WHERE put_away_at IS NOT NULL)
     GROUP BY 1";

/// The accounts in which a payment link was paid since `since`, according to the seller or the
/// sandbox.
pub(super) fn marking_accounts(
    connection: &Connection,
    since: Wall,
) -> rusqlite::Result<Vec<Account>> {
    let mut statement = connection.prepare_cached(MARKING_ACCOUNTS)?;
    let accounts = statement.query_map([since.0], |row| {
        Ok(Account {
            origin: Origin(row.get::<_, String>(0)?.into()),
            identity: row.get::<_, String>(1)?.into(),
        })
    })?;
    accounts.collect()
}

/// Reads a limited number of marked links, the newest first, however long the history is.
pub(super) const MARKING_ACCOUNTS: &str = "SELECT DISTINCT origin, identity FROM (
         SELECT * FROM (SELECT origin, identity, paid_at FROM link INDEXED BY link_by_mark
             WHERE paid_at IS NOT NULL AND NOT sandbox_paid ORDER BY id DESC LIMIT 200)
         UNION ALL
         SELECT * FROM (SELECT origin, identity, paid_at FROM link INDEXED BY link_by_sandbox
             WHERE sandbox_paid ORDER BY id DESC LIMIT 200)
     ) WHERE paid_at >= ?";

pub(super) const DAY_TOTAL: &str = "SELECT count(*), count(centavos), coalesce(sum(centavos), 0),
         coalesce(sum(CASE WHEN paid_at IS NOT NULL THEN centavos END), 0)
     FROM link INDEXED BY link_time_totals WHERE created AND at >= ? AND at < ?
         AND id NOT IN (SELECT id FROM link WHERE put_away_at IS NOT NULL)";

/// The number and sum of the payment links that the service created on each of these days. Days
/// with an inexact sum are omitted.
pub(super) fn day_totals(
    connection: &Connection,
    days: &[[Wall; 2]],
) -> rusqlite::Result<Vec<DayTotal>> {
    let mut statement = connection.prepare_cached(DAY_TOTAL)?;
    let mut totals = vec![];
    for [starts, ends] in days {
        let total = statement.query_row([starts.0, ends.0], |row| {
            let paid = Money::from_centavos(row.get(3)?);
            let total = read_links_total(row, 0)?;
            Ok(total.map(|LinksTotal { count, sum }| DayTotal {
                starts: *starts,
                count,
                sum,
                paid,
            }))
        })?;
        totals.extend(total);
    }
    Ok(totals)
}

/// Reads three columns: the number of payment links, the number with an exact amount, and the sum.
/// Returns `None` if the two numbers differ, because the sum is then not exact.
fn read_links_total(row: &Row<'_>, first: usize) -> rusqlite::Result<Option<LinksTotal>> {
    let count: i64 = row.get(first)?;
    let exact_count: i64 = row.get(first + 1)?;
    let sum = Money::from_centavos(row.get(first + 2)?);
    Ok((exact_count == count).then_some(LinksTotal {
        count: count.unsigned_abs(),
        sum,
    }))
}

/// The totals of the links or direct payments that a search finds, or `None` if a sum is not exact.
pub(super) fn found_totals<R: SaleTable>(
    connection: &Connection,
    search: &Search,
) -> rusqlite::Result<Option<SearchTotals>> {
    let filter = SearchFilter::of::<R>(connection, search)?;
    let mut statement = connection.prepare_cached(&filter.sums::<R>())?;
    statement.query_row(params_from_iter(filter.total_values()), |row| {
        let (Some(all_links), Some(paid)) = (read_links_total(row, 0)?, read_links_total(row, 3)?)
        else {
            return Ok(None);
        };
        let unpaid_sum = all_links.sum.checked_sub(paid.sum);
        Ok(unpaid_sum.map(|sum| SearchTotals {
            paid,
            unpaid: LinksTotal {
                count: all_links.count - paid.count,
                sum,
            },
        }))
    })
}
