//! Compares the file of a bank statement with the history and the journal. The command
//! `balcao reconcile` and the app's page share this module.

use std::path::Path;

use super::clocks;
use crate::config::read_at_most;
use crate::csv_files::MAX_FILE_BYTES;
use crate::journal::history::History;
use crate::journal::money::{Files, ReadOnlyJournal};
use crate::statement::matching::MAX_DAYS;
use crate::statement::reconciliation::{ReconcileFault, Reconciliation, reconcile, was_paid_out};
use crate::statement::{self, Entry};
use crate::trade::{ChargeRequest, JournalTrouble, LinkRequest, Sale, Wall, Withdrawal};

/// Reads the lines of a statement file.
pub fn read_lines(path: &Path, now: Wall) -> Result<Vec<Entry>, ReconcileFault> {
    // One byte more than is accepted, so that a larger file is refused.
    let bytes = read_at_most(path, MAX_FILE_BYTES as u64 + 1)
        .map_err(|error| ReconcileFault::File(error.to_string().into()))?;
    statement::read(&bytes, clocks::utc_offset_s(now)).map_err(ReconcileFault::Statement)
}

/// The withdrawals of this journal that were paid out, and whether they were read from a copy. A
/// journal that does not exist has none.
pub fn paid_withdrawals(files: &Files) -> Result<(Vec<Withdrawal>, bool), JournalTrouble> {
    if !files.journal_exists() {
        return Ok((vec![], false));
    }
    let opened = ReadOnlyJournal::open(files)?;
    let mut paid = Vec::new();
    for withdrawal in opened.journal.withdrawals() {
        let withdrawal = withdrawal?;
        if was_paid_out(&withdrawal) {
            paid.push(withdrawal);
        }
    }
    Ok((paid, opened.is_copy))
}

/// Compares the lines of a statement with the sales of the history that have the amount of a line.
pub fn compare(
    history: &History,
    lines: Vec<Entry>,
    withdrawals: &[Withdrawal],
) -> Result<Reconciliation, JournalTrouble> {
    let ids: Vec<_> = lines.iter().map(|line| line.identity).collect();
    let used = history.used_lines(&ids)?;
    let incoming = lines.iter().filter(|line| line.amount.is_positive());
    let mut amounts: Vec<i64> = incoming.filter_map(|line| line.amount.centavos()).collect();
    amounts.sort_unstable();
    amounts.dedup();
    let links = history.unpaid_with_amounts::<LinkRequest>(period_of_links(&lines), &amounts)?;
    // The identifier of a charge counts at any time.
    let always = [Wall(i64::MIN), Wall(i64::MAX)];
    let charges = history.unpaid_with_amounts::<ChargeRequest>(always, &amounts)?;
    let paid_charges = history.paid_charges_with_amounts(&amounts)?;
    let charges = charges.into_iter().chain(paid_charges).map(Sale::Charge);
    let sales = links.into_iter().map(Sale::Link).chain(charges).collect();
    let zone = clocks::zone();
    let local_day = |at: Wall| at.local_day(clocks::utc_offset_in(&zone, at));
    Ok(reconcile(lines, &used, sales, withdrawals, local_day))
}

/// The period in which a link was made if one of these lines may have paid it. It begins and ends a
/// day too far, because a local day may differ from a day in UTC.
fn period_of_links(lines: &[Entry]) -> [Wall; 2] {
    const DAY_MS: i64 = 86_400_000;
    let days = || lines.iter().map(|line| line.day);
    let first = days().min().unwrap_or(0) - MAX_DAYS - 1;
    let last = days().max().unwrap_or(0) + 2;
    [first, last].map(|day| Wall(day.saturating_mul(DAY_MS)))
}

#[cfg(test)]
mod tests;
