//! Payment links and direct payments that the service created, but whose reply the program could
//! not read. The reply is read again after the seller has corrected the API contract, so that
//! nothing has to be created twice.

use std::sync::Arc;

use super::WorldContext;
use super::payments::SaleWork;
use crate::app::Msg;
use crate::locked::Locked;
use crate::runtime::history::in_history;
use crate::trade::{
    ChargeRequest, Exchange, ExchangeSubject, LinkRequest, Operation, Outcome, RowId, Ticket,
};

/// A link or direct payment in the history whose reply could not be read.
#[derive(Clone)]
struct UnreadRow {
    /// The ticket of the request that created the row.
    ticket: Ticket,
    row: RowId,
}

/// The last created payment link and the last created direct payment, each only if its reply could
/// not be read.
#[derive(Default)]
pub struct Unread {
    link: Locked<Option<UnreadRow>>,
    charge: Locked<Option<UnreadRow>>,
}

impl Unread {
    fn slot(&self, operation: Operation) -> Option<&Locked<Option<UnreadRow>>> {
        match operation {
            Operation::CreateLink => Some(&self.link),
            Operation::DirectPayment => Some(&self.charge),
            _ => None,
        }
    }

    fn set(&self, operation: Operation, row: Option<UnreadRow>) {
        if let Some(slot) = self.slot(operation) {
            *slot.lock() = row;
        }
    }

    /// Forgets the row of this operation, because a new request is being sent.
    pub fn forget(&self, operation: Operation) {
        self.set(operation, None);
    }

    /// Remembers the row of a link or direct payment whose reply could not be read.
    pub fn remember(&self, operation: Operation, ticket: Ticket, row: RowId) {
        self.set(operation, Some(UnreadRow { ticket, row }));
    }

    /// The remembered row if this HTTP request was sent for it.
    fn row_created_by(&self, exchange: &Exchange) -> Option<UnreadRow> {
        let slot = self.slot(exchange.operation)?;
        let row = slot.lock().clone();
        row.filter(|row| exchange.subject == Some(ExchangeSubject::Sale(row.row)))
    }
}

/// Reads the stored reply again after the API contract was corrected. On success, records the
/// result and returns the message about the created link or direct payment.
pub async fn read_again(context: &WorldContext, exchange: &Exchange) -> Option<Msg> {
    match exchange.operation {
        Operation::CreateLink => read_sale_again::<LinkRequest>(context, exchange).await,
        Operation::DirectPayment => read_sale_again::<ChargeRequest>(context, exchange).await,
        _ => None,
    }
}

async fn read_sale_again<R: SaleWork>(context: &WorldContext, exchange: &Exchange) -> Option<Msg> {
    let unread = context.unread.row_created_by(exchange)?;
    let created = R::read_again(&context.service(), exchange.reply.as_ref().ok()?)?;
    let lacks_payable = R::lacks_payable(&created);
    let row = unread.row;
    let outcome = Outcome::Created(created);
    let sale = in_history(&context.stores.history, move |h| {
        h.settle::<R>(row, &outcome)
    })
    .await
    .ok()?;
    // If the Pix code is still missing, keep the row. The seller may correct the API contract
    // again.
    if !lacks_payable {
        context.unread.forget(exchange.operation);
    }
    let ticket = unread.ticket;
    let operation = R::OPERATION;
    Some(Msg::SaleMade {
        ticket,
        operation,
        result: Ok(Arc::new(sale.into())),
    })
}
