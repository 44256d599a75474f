//! Stores the time at which each checkout domain of an account entered its current state.

use rusqlite::{Connection, TransactionBehavior, params};

use crate::trade::{Account, CheckoutDomain, DomainState, Wall};

/// The maximum number of checkout domains to store per account. The limit is necessary because a
/// service may list any number.
const MAX_DOMAINS: usize = 200;

/// A row of the table `domain_seen`: host, state, and the time when the host entered that state.
type DomainRow = (String, String, i64);

/// Stores the checkout domains that the service lists. Returns each domain with the time when it
/// entered its current state, such as usable.
///
/// A domain that is no longer listed is deleted. If it is listed again later, it counts as new.
/// Unchanged domains are not written, because every write wakes all other processes.
pub(super) fn record(
    connection: &mut Connection,
    account: &Account,
    listed: &[CheckoutDomain],
    now: Wall,
) -> rusqlite::Result<Vec<(CheckoutDomain, Wall)>> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let stored_rows = read(&tx, account)?;
    let mut rows: Vec<DomainRow> = Vec::new();
    let mut result = Vec::new();
    for domain in listed.iter().take(MAX_DOMAINS) {
        let host = domain.host.raw().to_owned();
        let state = state_text(domain);
        let stored = stored_rows
            .iter()
            .find(|(known, known_state, _)| *known == host && *known_state == state);
        // If the clock was set back, the stored time is in the future. Then use the current time.
        let at = stored.map_or(now.0, |(.., since)| (*since).min(now.0));
        result.push((domain.clone(), Wall(at)));
        if !rows.iter().any(|(known, ..)| *known == host) {
            rows.push((host, state, at));
        }
    }
    rows.sort();
    if rows != stored_rows {
        write(&tx, account, &rows)?;
        tx.commit()?;
    }
    Ok(result)
}

fn read(connection: &Connection, account: &Account) -> rusqlite::Result<Vec<DomainRow>> {
    let mut statement = connection.prepare_cached(
        "SELECT host, state, since FROM domain_seen WHERE origin = ? AND identity = ? ORDER BY 1",
    )?;
    statement
        .query_map(params![&*account.origin.0, &*account.identity], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })?
        .collect()
}

fn write(connection: &Connection, account: &Account, rows: &[DomainRow]) -> rusqlite::Result<()> {
    let origin = &*account.origin.0;
    let identity = &*account.identity;
    connection.execute(
        "DELETE FROM domain_seen WHERE origin = ? AND identity = ?",
        params![origin, identity],
    )?;
    let mut insert = connection.prepare_cached(
        "INSERT INTO domain_seen (origin, identity, host, state, since) VALUES (?, ?, ?, ?, ?)",
    )?;
    for (host, state, since) in rows {
        insert.execute(params![origin, identity, host, state, since])?;
    }
    Ok(())
}

/// A text that identifies the state of a domain. A state that is not read counts as usable.
fn state_text(domain: &CheckoutDomain) -> String {
    match &domain.state {
        DomainState::Usable | DomainState::Unread => "usable".to_owned(),
        DomainState::Active => "active".to_owned(),
        DomainState::Pending(None) => "pending".to_owned(),
        DomainState::Pending(Some(word)) => format!("pending:{}", word.raw()),
    }
}
