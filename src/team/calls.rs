//! The queries of a team's journal. Each takes one round trip.

use std::future::{Future, poll_fn};
use std::pin::pin;

use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Error, Row};
use uuid::Uuid;

use super::{FORMAT, sql};
use crate::journal::money::{Checksum, EventRow};
use crate::trade::{IdempotencyKey, Wall};

/// Appends rows, and announces the last of them.
pub(super) async fn append(
    client: &Client,
    rows: &[EventRow],
    before: &Checksum,
) -> Result<(), Error> {
    let last = rows.last().map(|row| row.n.to_string()).unwrap_or_default();
    announced(client, &last, send_rows(client, rows, before)).await
}

/// Makes an append, and sends a notification with this payload.
pub(super) async fn announced<T>(
    client: &Client,
    payload: &str,
    append: impl Future<Output = T>,
) -> T {
    let mut append = pin!(append);
    let mut announce = pin!(notify(client, payload));
    // The announcement is sent right behind the rows, but not waited for. If the rows are refused,
    // other machines pull in vain, which does no harm.
    let mut is_announced = false;
    poll_fn(|cx| {
        let appended = append.as_mut().poll(cx);
        if !is_announced {
            is_announced = true;
            let _ = announce.as_mut().poll(cx);
        }
        appended
    })
    .await
}

async fn send_rows(client: &Client, rows: &[EventRow], before: &Checksum) -> Result<(), Error> {
    let sums = rows.iter().map(|row| &row.sum[..]);
    let befores: Vec<&[u8]> = [&before[..]].into_iter().chain(sums.clone()).collect();
    let columns: [(&(dyn ToSql + Sync), Type); 11] = [
        (&column(rows, |row| row.n), Type::INT8_ARRAY),
        (&&befores[..rows.len()], Type::BYTEA_ARRAY),
        (&column(rows, |row| row.at.0), Type::INT8_ARRAY),
        (&column(rows, |row| row.key.0), Type::UUID_ARRAY),
        (&column(rows, |row| &*row.kind), Type::TEXT_ARRAY),
        (&column(rows, |row| row.who.as_deref()), Type::TEXT_ARRAY),
        (&column(rows, |row| &*row.plain), Type::TEXT_ARRAY),
        (
            &column(rows, |row| row.personal.as_deref()),
            Type::TEXT_ARRAY,
        ),
        (
            &column(rows, |row| row.personal_sum.as_ref().map(|sum| &sum[..])),
            Type::BYTEA_ARRAY,
        ),
        (&sums.collect::<Vec<_>>(), Type::BYTEA_ARRAY),
        (&FORMAT, Type::INT4),
    ];
    client
        .execute_typed(sql::APPEND, &columns)
        .await
        .map(|_| ())
}

/// The values of a column, for a query that takes whole columns.
pub(super) fn column<'r, R, T>(rows: &'r [R], value: impl Fn(&'r R) -> T) -> Vec<T> {
    rows.iter().map(value).collect()
}

/// The rows after row number `n`, in order, at most `most` of them.
pub(super) async fn after(client: &Client, n: i64, most: i64) -> Result<Vec<EventRow>, Error> {
    let parameters: [(&(dyn ToSql + Sync), Type); 2] = [(&n, Type::INT8), (&most, Type::INT8)];
    let rows = client.query_typed(sql::AFTER, &parameters).await?;
    rows.iter().map(read_row).collect()
}

fn read_row(row: &Row) -> Result<EventRow, Error> {
    let personal_sum: Option<&[u8]> = row.try_get(6)?;
    Ok(EventRow {
        n: row.try_get(0)?,
        at: Wall(row.try_get(1)?),
        key: IdempotencyKey(row.try_get::<_, Uuid>(2)?),
        kind: row.try_get(3)?,
        plain: row.try_get(4)?,
        personal: row.try_get(5)?,
        personal_sum: personal_sum.map(checksum),
        who: row.try_get(7)?,
        written_by: row.try_get(8)?,
        sum: checksum(row.try_get(9)?),
    })
}

/// A checksum of the log. The table only accepts checksums of the right length; any other would not
/// match the chain.
fn checksum(bytes: &[u8]) -> Checksum {
    Checksum::try_from(bytes).unwrap_or_default()
}

/// Deletes the personal data of all withdrawals that have a `purged` event.
pub(super) async fn erase_purged(client: &Client) -> Result<(), Error> {
    client
        .execute_typed(sql::ERASE_PURGED, &[])
        .await
        .map(|_| ())
}

/// Sends a notification to all connections that listen.
pub(super) async fn notify(client: &Client, payload: &str) -> Result<(), Error> {
    let parameters: [(&(dyn ToSql + Sync), Type); 1] = [(&payload, Type::TEXT)];
    client
        .execute_typed(sql::NOTIFY, &parameters)
        .await
        .map(|_| ())
}

/// The only row of a query without parameters.
pub(super) async fn query_row(client: &Client, query: &str) -> Result<Row, Error> {
    client.query_typed_one(query, &[]).await
}
