//! Reads the descriptions of earlier payment links. The form for a new link suggests them.

use rusqlite::{Connection, params};

use super::table::parse_json;
use crate::trade::{Account, KnownLink, LinkRequest, Wall};

/// Descriptions are collected only from this number of the latest payment links. The limit keeps
/// the form fast.
const MAX_LINKS: i64 = 2_000;

/// The maximum number of descriptions that the form suggests.
const MAX_DESCRIPTIONS: usize = 200;

/// The descriptions of an account's created links that are not put away. The most frequent comes
/// first. Among equals, the description of the latest link comes first.
pub(super) fn read(connection: &Connection, account: &Account) -> rusqlite::Result<Vec<KnownLink>> {
    let mut statement = connection.prepare_cached(
        "SELECT at, request FROM (SELECT * FROM link ORDER BY id DESC LIMIT ?)
         WHERE origin = ? AND identity = ? AND created AND put_away_at IS NULL ORDER BY id DESC",
    )?;
    let mut rows = statement.query(params![MAX_LINKS, &*account.origin.0, &*account.identity])?;
    let mut links: Vec<KnownLink> = Vec::new();
    while let Some(row) = rows.next()? {
        let request: LinkRequest = parse_json(row.get_ref(1)?.as_str()?)?;
        let same = links
            .iter_mut()
            .find(|known| known.description == request.description);
        match same {
            Some(known) => known.count += 1,
            None => links.push(KnownLink {
                description: request.description,
                amount: request.amount,
                count: 1,
                last: Wall(row.get(0)?),
            }),
        }
    }
    // The sort is stable, so descriptions with equal counts stay sorted by their latest link.
    links.sort_by_key(|known| std::cmp::Reverse(known.count));
    links.truncate(MAX_DESCRIPTIONS);
    Ok(links)
}
