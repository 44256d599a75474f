//! Compares the file of a bank statement with the history and the journal. The command
//! `balcao reconcile` and the app's page share this module.

use std::collections::HashSet;
use std::path::Path;

use super::clocks;
use crate::config::read_at_most;
use crate::csv_files::MAX_FILE_BYTES;
use crate::journal::history::History;
use crate::journal::money::{Files, ReadOnlyJournal};
use crate::statement::matching::MAX_DAYS;
use crate::statement::reconciliation::{
    ReconcileFault, Reconciliation, may_be_paid_out, reconcile, was_paid_out,
};
use crate::statement::{self, Entry};
use crate::trade::{EntryId, JournalTrouble, Sale, Wall, Withdrawal};

/// Reads the lines of a statement file.
pub fn read_lines(path: &Path, now: Wall) -> Result<Vec<Entry>, ReconcileFault> {
    // One byte more than is accepted, so that a larger file is refused.
    let bytes = read_at_most(path, MAX_FILE_BYTES as u64 + 1)
        .map_err(|error| ReconcileFault::File(error.to_string().into()))?;
    statement::read(&bytes, clocks::utc_offset_s(now)).map_err(ReconcileFault::Statement)
}

/// The withdrawals of this journal that may have been paid out, and whether they were read from a
/// copy. The ones that are known to be paid come first. A journal that does not exist has none.
pub fn withdrawals(files: &Files) -> Result<(Vec<Withdrawal>, bool), JournalTrouble> {
    if !files.journal_exists() {
        return Ok((vec![], false));
    }
    let opened = ReadOnlyJournal::open(files)?;
    let mut found = Vec::new();
    for withdrawal in opened.journal.withdrawals() {
        let withdrawal = withdrawal?;
        if may_be_paid_out(&withdrawal) {
            found.push(withdrawal);
        }
    }
    found.sort_by_key(|withdrawal| !was_paid_out(withdrawal));
    Ok((found, opened.is_copy))
}

/// The part of the history that concerns a statement.
#[derive(Debug, Default)]
pub struct StoredSales {
    /// The lines that marked a sale before.
    used: HashSet<EntryId>,
    /// The sales that have the amount of a line.
    sales: Vec<Sale>,
}

impl StoredSales {
    /// Reads the sales that the lines of a statement may have paid.
    pub fn read(history: &History, lines: &[Entry]) -> Result<StoredSales, JournalTrouble> {
        let ids: Vec<_> = lines.iter().map(|line| line.identity).collect();
        let incoming = lines.iter().filter(|line| line.amount.is_positive());
        let mut amounts: Vec<i64> = incoming.filter_map(|line| line.amount.centavos()).collect();
        amounts.sort_unstable();
        amounts.dedup();
        let links = history.unpaid_links_with_amounts(period_of_links(lines), &amounts)?;
        // The identifier of a charge counts at any time, and also if the charge has a mark.
        let charges = history.charges_with_amounts(&amounts)?;
        let charges = charges.into_iter().map(Sale::Charge);
        Ok(StoredSales {
            used: history.used_lines(&ids)?,
            sales: links.into_iter().map(Sale::Link).chain(charges).collect(),
        })
    }
}

/// Compares the lines of a statement with stored sales and withdrawals.
pub fn compare(
    lines: Vec<Entry>,
    stored: StoredSales,
    withdrawals: &[Withdrawal],
) -> Reconciliation {
    let zone = clocks::zone();
    let local_day = |at: Wall| at.local_day(clocks::utc_offset_in(&zone, at));
    reconcile(lines, &stored.used, stored.sales, withdrawals, local_day)
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
