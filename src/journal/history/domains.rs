//! Stores the time at which each checkout domain of an account entered its current state.

use rusqlite::{Connection, TransactionBehavior, params};

use crate::trade::{Account, CheckoutDomain, DomainState, Wall};

/// The maximum number of checkout domains to store per account. The limit is necessary because a
/// service may list any number.
const MOST: usize = 200;

/// A table row: the host, its state, and the time when it entered that state, in milliseconds.
type SeenRow = (String, String, i64);

/// Stores the checkout domains that the service lists. Returns each domain with the time when it
/// entered its current state, such as usable.
///
/// A domain that is no longer listed is deleted. If it is listed again later, it counts as new.
/// Unchanged domains are not written, because every write wakes all other processes.
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
        // Never return a time in the future. The stored time is in the future if the clock was set
        // back.
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

/// Returns a text that identifies the state of a domain. Different states have different texts.
fn state_of(domain: &CheckoutDomain) -> String {
    match &domain.state {
        DomainState::Usable => "usable".to_owned(),
        DomainState::Active => "active".to_owned(),
        DomainState::Pending(None) => "pending".to_owned(),
        DomainState::Pending(Some(word)) => format!("pending:{}", word.raw()),
    }
}
