//! Marks of sales as paid that are made from the lines of a bank's statement.

use super::exchange::Operation;
use super::{Account, Money, RowId, Sale, Wall};

/// The checksum of everything that identifies a line of a statement: account, day, amount, id,
/// text, and its number among equal lines of the day. The position in the file is not part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryId(pub [u8; 16]);

/// Identifies a row of the history: a payment link or a direct payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaleRow {
    /// The operation that created it, which determines the table.
    pub operation: Operation,
    /// The id of the row.
    pub id: RowId,
    /// The time of its request.
    pub at: Wall,
    /// The account that it belongs to.
    pub account: Account,
}

/// A line of a statement that shows the payment of a sale.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementMark {
    /// The checksum of the line. Nothing else of its text is stored.
    pub line: EntryId,
    /// The local day of the line.
    pub day: i64,
    /// The amount of the line.
    pub amount: Money,
    /// The sale to mark as paid.
    pub sale: SaleRow,
}

/// The marks that the seller accepted from one statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementMarks {
    /// The time when the statement was read. It identifies the import, so marks that are accepted
    /// one by one can be undone together.
    pub read_at: Wall,
    /// The time of the marks.
    pub at: Wall,
    /// The lines with their sales.
    pub marks: Vec<StatementMark>,
}

/// The result of undoing the marks of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UndoneMarks {
    /// The number of marks that were removed.
    pub removed: u64,
    /// The number of marks that were kept, because they were changed since.
    pub kept: u64,
}

impl SaleRow {
    /// The row of this sale.
    pub fn of(sale: &Sale) -> SaleRow {
        let (id, at, account) = sale.identity();
        let operation = match sale {
            Sale::Link(_) => Operation::CreateLink,
            Sale::Charge(_) => Operation::DirectPayment,
        };
        SaleRow {
            operation,
            id,
            at,
            account: account.clone(),
        }
    }
}
