//! Links that a person marked as paid: the mark, and what marked and other links come to.

use rusqlite::{Connection, params, params_from_iter};

use super::search_filter::SearchFilter;
use crate::trade::{FoundTotals, LinksTotal, Money, PaymentLink, Search, Wall};

/// Marks a link as paid, or takes the mark away.
///
/// It is known by its number, its moment and its account together: a number alone may be another
/// link's where a new history was begun.
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

/// Returns what the links that a search finds come to; nothing where that cannot be held exactly.
pub(super) fn found_totals(
    connection: &Connection,
    search: &Search,
) -> rusqlite::Result<Option<FoundTotals>> {
    let SearchFilter { condition, values } =
        SearchFilter::of::<PaymentLink>(connection, None, search)?;
    let and = if condition.is_empty() { "WHERE" } else { "AND" };
    let mut statement = connection.prepare_cached(&format!(
        "SELECT paid_at IS NOT NULL, count(*), count(centavos), coalesce(sum(centavos), 0)
         FROM link {condition} {and} created GROUP BY 1"
    ))?;
    let nothing = LinksTotal { count: 0, sum: Money::ZERO };
    let mut totals = FoundTotals { paid: nothing, unpaid: nothing };
    let mut rows = statement.query(params_from_iter(&values))?;
    while let Some(row) = rows.next()? {
        let (is_paid, count, counted): (bool, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        if counted != count {
            return Ok(None);
        }
        let sum = Money::from_centavos(row.get(3)?);
        let total = LinksTotal { count: count.unsigned_abs(), sum };
        *if is_paid { &mut totals.paid } else { &mut totals.unpaid } = total;
    }
    Ok(Some(totals))
}
