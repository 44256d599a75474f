//! Statements: reads the entries of a bank's or the service's own statement, and compares them with
//! links, charges and withdrawals.
//!
//! A statement is evidence for proposals, and never a fact: a link that was paid through the
//! service may not be in any bank's statement.

#![warn(missing_docs)]

mod csv;
pub mod matching;
mod ofx;
pub mod reconciliation;

use sha2::{Digest, Sha256};

use crate::csv_files::{TextFault, text};
use crate::trade::amount::ColumnFault;
use crate::trade::search::searchable;
use crate::trade::{EntryId, Money};

/// The maximum number of entries. A file with more is refused before it is parsed.
pub const MAX_ENTRIES: usize = 100_000;

/// An entry of a statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The local day, numbered as in [`Wall::local_day`](crate::trade::Wall::local_day).
    pub day: i64,
    /// The amount; negative if money left the account.
    pub amount: Money,
    /// The text of the entry. It may name other people and is never stored.
    pub memo: String,
    /// The identity of the entry, by which it is recognized in another file.
    pub identity: EntryId,
}

/// The reason why a statement cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StatementFault {
    /// The file is too large or not a text.
    #[error(transparent)]
    Text(#[from] TextFault),
    /// The file has more entries than [`MAX_ENTRIES`].
    #[error("the statement has {entries} entries")]
    TooManyEntries {
        /// The number of entries.
        entries: usize,
    },
    /// The file is neither OFX nor a CSV file with a column for the date and one for the amount.
    #[error("not a statement")]
    Unknown,
    /// The amounts of the file contradict each other.
    #[error(transparent)]
    Amounts(#[from] ColumnFault),
}

/// An entry as it was found in the file.
struct RawEntry {
    account: String,
    day: i64,
    amount: String,
    id: String,
    memo: String,
}

/// Reads a statement. Rows that only tell a balance are left out. `utc_offset_s` is the seller's
/// UTC offset, for entries whose time has a zone.
///
/// # Errors
///
/// Returns an error if the file is too large or not a statement.
pub fn read(bytes: &[u8], utc_offset_s: i32) -> Result<Vec<Entry>, StatementFault> {
    let (text, _) = text::decode(bytes)?;
    let entries = if text.to_ascii_uppercase().contains("<OFX>") {
        ofx::entries(&text, utc_offset_s)?
    } else {
        csv::entries(&text)?
    };
    identified(entries)
}

/// Reads the amounts, and gives each entry its identity.
fn identified(entries: Vec<RawEntry>) -> Result<Vec<Entry>, StatementFault> {
    use crate::trade::amount::{AmountColumn, Unit};
    let amounts = (1..).zip(entries.iter().map(|entry| &*entry.amount));
    let column = AmountColumn::of(amounts, Some(Unit::Reais))?;
    let mut equal_entries = std::collections::HashMap::new();
    let mut read = Vec::with_capacity(entries.len());
    for entry in entries {
        let Ok(amount) = column.read_signed(&entry.amount) else {
            continue;
        };
        if amount.is_zero() || is_balance(&entry.memo) {
            continue;
        }
        let day = entry.day.to_string();
        let parts = [
            &*entry.account,
            &day,
            &amount.wire(),
            &entry.id,
            &entry.memo,
        ];
        let parts = parts.map(str::to_owned);
        let count = equal_entries.entry(parts.clone()).or_insert(0_u32);
        *count += 1;
        read.push(Entry {
            day: entry.day,
            amount,
            memo: entry.memo,
            identity: identity(&parts, *count),
        });
    }
    Ok(read)
}

fn identity(parts: &[String], number: u32) -> EntryId {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.update(number.to_le_bytes());
    let mut id = [0; 16];
    id.copy_from_slice(&hash.finalize()[..16]);
    EntryId(id)
}

/// True if the entry tells a balance. Some banks write balances as transactions.
fn is_balance(memo: &str) -> bool {
    let memo = searchable(memo).replace([' ', '.'], "");
    memo.starts_with("saldo")
}

#[cfg(test)]
mod tests;
