//! Reads the buyers of earlier direct payments, whom the form for a new one suggests.

use rusqlite::{Connection, params};

use super::table::parse;
use crate::trade::{Account, ChargeRequest, KnownBuyer, Wall};

/// The number of latest direct payments that are searched for buyers. The limit keeps the form
/// fast.
const LATEST: i64 = 2_000;

/// Returns the buyers of an account. Buyers with more direct payments come first, then those with
/// later ones.
pub(super) fn read(
    connection: &Connection,
    account: &Account,
) -> rusqlite::Result<Vec<KnownBuyer>> {
    let mut statement = connection.prepare_cached(
        "SELECT at, request FROM (SELECT * FROM charge ORDER BY id DESC LIMIT ?)
         WHERE origin = ? AND identity = ? ORDER BY id DESC",
    )?;
    let mut rows = statement.query(params![LATEST, &*account.origin.0, &*account.identity])?;
    let mut known: Vec<KnownBuyer> = Vec::new();
    while let Some(row) = rows.next()? {
        let request: ChargeRequest = parse(row.get_ref(1)?.as_str()?)?;
        let Some(customer) = request.customer else { continue };
        // A row of an older version has only the buyer's name, so count it for a newer buyer of the
        // same name.
        let is_same = |one: &&mut KnownBuyer| {
            one.customer == customer && (request.buyer.is_empty() || one.buyer == request.buyer)
        };
        match known.iter_mut().find(is_same) {
            Some(one) => one.count += 1,
            None => {
                let last = Wall(row.get(0)?);
                known.push(KnownBuyer { customer, buyer: request.buyer, count: 1, last });
            }
        }
    }
    // The sort is stable, so buyers with equal counts stay sorted by their latest payment.
    known.sort_by_key(|one| std::cmp::Reverse(one.count));
    Ok(known)
}
