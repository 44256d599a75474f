//! Looks up a single payment link or direct payment.

use super::table::{ALL_TIME, SaleTable, read_period};
use super::{History, map_error};
use crate::trade::{ChargeRequest, JournalTrouble, LinkRequest, Operation, RowId, Sale, SaleOf};

impl History {
    /// The payment link or direct payment in the row `id`, or `None` if there is no such row.
    /// `operation` determines which table is read.
    pub fn sale(&self, operation: Operation, id: RowId) -> Result<Option<Sale>, JournalTrouble> {
        let result = match operation {
            Operation::CreateLink => self.row::<LinkRequest>(id).map(|row| row.map(Sale::Link)),
            Operation::DirectPayment => self
                .row::<ChargeRequest>(id)
                .map(|row| row.map(Sale::Charge)),
            _ => Ok(None),
        };
        map_error(&self.path, result)
    }

    fn row<R: SaleTable>(&self, id: RowId) -> rusqlite::Result<Option<SaleOf<R>>> {
        let below = RowId(id.0.saturating_add(1));
        let rows = read_period::<R>(&self.connection, ALL_TIME, below, 1)?;
        Ok(rows.into_iter().find(|row| row.id == id))
    }
}
