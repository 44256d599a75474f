//! Reads the buyers of earlier direct payments. The form for a new direct payment suggests them.

use rusqlite::{Connection, params};

use super::table::parse_json;
use crate::trade::{Account, ChargeRequest, KnownBuyer, Wall};

/// Buyers are collected only from this number of the latest direct payments. The limit keeps the
/// form fast.
const MAX_PAYMENTS: i64 = 2_000;

/// The buyers of an account. The buyer with the most direct payments comes first. Among equals, the
/// buyer with the latest payment comes first.
pub(super) fn read(
    connection: &Connection,
    account: &Account,
) -> rusqlite::Result<Vec<KnownBuyer>> {
    let mut statement = connection.prepare_cached(
        "SELECT at, request FROM (SELECT * FROM charge ORDER BY id DESC LIMIT ?)
         WHERE origin = ? AND identity = ? ORDER BY id DESC",
    )?;
    let mut rows = statement.query(params![
        MAX_PAYMENTS,
        &*account.origin.0,
        &*account.identity
    ])?;
    let mut buyers: Vec<KnownBuyer> = Vec::new();
    while let Some(row) = rows.next()? {
        let request: ChargeRequest = parse_json(row.get_ref(1)?.as_str()?)?;
        let Some(customer) = request.customer else {
            continue;
        };
        // A row that an older version of the program wrote has only the buyer's name. Count such a
        // row for a known buyer with the same name.
        let same = buyers.iter_mut().find(|known| {
            known.customer == customer && (request.buyer.is_empty() || known.buyer == request.buyer)
        });
        match same {
            Some(known) => known.count += 1,
            None => {
                let last = Wall(row.get(0)?);
                buyers.push(KnownBuyer {
                    customer,
                    buyer: request.buyer,
                    count: 1,
                    last,
                });
            }
        }
    }
    // The sort is stable, so buyers with equal counts stay sorted by their latest payment.
    buyers.sort_by_key(|known| std::cmp::Reverse(known.count));
    Ok(buyers)
}
