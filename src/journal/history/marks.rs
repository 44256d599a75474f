//! Links that the seller marked as paid, and totals of paid and unpaid links.

use rusqlite::{Connection, Row, params, params_from_iter};

use super::search_filter::SearchFilter;
use crate::trade::{
    DayTotal, LinksTotal, Money, PaymentLink, RecentTotals, Search, SearchTotals, Wall,
};

/// Marks a link as paid, or removes the mark.
///
/// The link must match by id, time and account. The id alone does not identify a link, because ids
/// start again at 1 when a damaged history is replaced.
pub(super) fn mark(
    connection: &Connection,
    link: &PaymentLink,
    paid: Option<Wall>,
) -> rusqlite::Result<()> {
    let account = &link.request.account;
    let changed = connection.execute(
        "UPDATE link SET paid_at = ?
         WHERE id = ? AND at = ? AND origin = ? AND identity = ? AND created",
        params![paid.map(|at| at.0), link.id.0, link.at.0, &*account.origin.0, &*account.identity],
    )?;
    if changed == 0 { Err(rusqlite::Error::QueryReturnedNoRows) } else { Ok(()) }
}

/// Returns the totals of the links of the last weeks; `None` if a sum is not exact.
pub(super) fn figures(
    connection: &Connection,
    now: Wall,
    utc_offset_s: i32,
) -> rusqlite::Result<Option<RecentTotals>> {
    let Some(mut figures) = RecentTotals::on(now, utc_offset_s) else { return Ok(None) };
    let from = Wall::of_local_day(figures.begins(), utc_offset_s);
    let mut statement = connection.prepare_cached(FIGURES)?;
    let mut rows = statement.query(params![utc_offset_s, from.0])?;
    while let Some(row) = rows.next()? {
        let Some(links) = counted(row, 2)? else { return Ok(None) };
        if figures.count(row.get(0)?, row.get(1)?, links).is_none() {
            return Ok(None);
        }
    }
    Ok(Some(figures))
}

pub(super) const FIGURES: &str = "SELECT (at / 1000 + ?1) / 86400, paid_at IS NOT NULL,
         count(*), count(centavos), coalesce(sum(centavos), 0)
     FROM link INDEXED BY link_time_totals WHERE created AND at >= ?2 GROUP BY 1, 2";

pub(super) const DAY_TOTAL: &str = "SELECT count(*), count(centavos), coalesce(sum(centavos), 0)
     FROM link INDEXED BY link_time_totals WHERE created AND at >= ? AND at < ?";

/// Returns the number and sum of the links that the service created on each of these days. A day is
/// omitted if its sum is not exact.
pub(super) fn day_totals(
    connection: &Connection,
    days: &[(Wall, Wall)],
) -> rusqlite::Result<Vec<DayTotal>> {
    let mut statement = connection.prepare_cached(DAY_TOTAL)?;
    let mut totals = vec![];
    for (starts, ends) in days {
        let links = statement.query_row([starts.0, ends.0], |row| counted(row, 0))?;
        let total = |LinksTotal { count, sum }| DayTotal { starts: *starts, count, sum };
        totals.extend(links.map(total));
    }
    Ok(totals)
}

/// Reads three columns: the number of links, the number of links with an exact amount, and the sum.
/// Returns `None` if some amounts are not exact.
fn counted(row: &Row<'_>, first: usize) -> rusqlite::Result<Option<LinksTotal>> {
    let (count, adding): (i64, i64) = (row.get(first)?, row.get(first + 1)?);
    let sum = Money::from_centavos(row.get(first + 2)?);
    Ok((adding == count).then_some(LinksTotal { count: count.unsigned_abs(), sum }))
}

/// Returns the totals of the links that a search finds; `None` if a sum is not exact.
pub(super) fn found_totals(
    connection: &Connection,
    search: &Search,
) -> rusqlite::Result<Option<SearchTotals>> {
    let all = SearchFilter::of::<PaymentLink>(connection, search)?.all;
    let mut statement = connection.prepare_cached(&all.sums("link"))?;
    statement.query_row(params_from_iter(all.values()), |row| {
        let (Some(both), Some(paid)) = (counted(row, 0)?, counted(row, 3)?) else {
            return Ok(None);
        };
        let rest = both.sum.checked_sub(paid.sum);
        Ok(rest.map(|sum| SearchTotals {
            paid,
            unpaid: LinksTotal { count: both.count - paid.count, sum },
        }))
    })
}
