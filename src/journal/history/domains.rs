//! Since when each checkout domain of an account has been seen in its state.

use rusqlite::{Connection, TransactionBehavior, params};

use crate::trade::{Account, CheckoutDomain, DomainState, Wall};

/// The most domains that are noted: a service may list any number.
const MOST: usize = 200;

/// A domain, its state, and since when, as the table has them.
type SeenRow = (String, String, i64);

/// Notes what the service lists now; returns since when each of them has been seen as it is.
///
/// A domain that is listed no more is forgotten: what comes back later is new. Nothing is written
/// where nothing changed, so that no window wakes the others for it.
pub(super) fn seen(
    connection: &mut Connection,
    account: &Account,
    listed: &[CheckoutDomain],
    now: Wall,
) -> rusqlite::Result<Vec<(CheckoutDomain, Wall)>> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let before = read(&tx, account)?;
    let since = |host: &str, state: &str| {
        let known = before.iter().find(|(known, was, _)| known == host && was == state);
        // A clock that was set back does not see the future.
        known.map_or(now.0, |(.., since)| (*since).min(now.0))
    };
    let mut rows: Vec<SeenRow> = Vec::new();
    let mut seen = Vec::new();
    for domain in listed.iter().take(MOST) {
        let (host, state) = (domain.host.raw().to_owned(), state_of(domain));
        let at = since(&host, &state);
        seen.push((domain.clone(), Wall(at)));
        if !rows.iter().any(|(known, ..)| *known == host) {
            rows.push((host, state, at));
        }
    }
    rows.sort();
    if rows != before {
        write(&tx, account, &rows)?;
        tx.commit()?;
    }
    Ok(seen)
}

fn read(connection: &Connection, account: &Account) -> rusqlite::Result<Vec<SeenRow>> {
    let mut statement = connection.prepare_cached(
        "SELECT host, state, since FROM domain_seen WHERE origin = ? AND identity = ? ORDER BY 1",
    )?;
    let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    statement.query_map(params![&*account.origin.0, &*account.identity], row)?.collect()
}

fn write(connection: &Connection, account: &Account, rows: &[SeenRow]) -> rusqlite::Result<()> {
    let (origin, identity) = (&*account.origin.0, &*account.identity);
    connection.execute(
        "DELETE FROM domain_seen WHERE origin = ? AND identity = ?",
        params![origin, identity],
    )?;
    let mut put = connection.prepare_cached(
        "INSERT INTO domain_seen (origin, identity, host, state, since) VALUES (?, ?, ?, ?, ?)",
    )?;
    for (host, state, since) in rows {
        put.execute(params![origin, identity, host, state, since])?;
    }
    Ok(())
}

/// A state as it is compared: the service's own word is a part of it.
fn state_of(domain: &CheckoutDomain) -> String {
    match &domain.state {
        DomainState::Usable => "usable".to_owned(),
        DomainState::Active => "active".to_owned(),
        DomainState::Pending(None) => "pending".to_owned(),
        DomainState::Pending(Some(word)) => format!("pending:{}", word.raw()),
    }
}
