//! Looks up a single payment link or direct payment.

use super::table::{ReadStart, TableRow, read_unfiltered};
use super::{History, map_error};
use crate::trade::{Charge, JournalTrouble, Operation, PaymentLink, RowId, Sale};

impl History {
    /// Returns the payment link or direct payment in the row `id`, or `None` if there is no such
    /// row. `operation` determines which table is read.
    pub fn sale(&self, operation: Operation, id: RowId) -> Result<Option<Sale>, JournalTrouble> {
        let result = match operation {
            Operation::CreateLink => self.row::<PaymentLink>(id).map(|row| row.map(Sale::Link)),
            Operation::DirectPayment => self.row::<Charge>(id).map(|row| row.map(Sale::Charge)),
            _ => Ok(None),
        };
        map_error(&self.path, result)
    }

    fn row<R: TableRow>(&self, id: RowId) -> rusqlite::Result<Option<R>> {
        let rows = read_unfiltered::<R>(&self.connection, ReadStart::From(id), 1)?;
        Ok(rows.into_iter().find(|row| row.id() == id))
    }
}
