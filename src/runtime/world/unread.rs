//! Payment links and direct payments that the service created, but whose reply the program could
//! not read. The reply is read again after the seller has corrected the API contract, so that
//! nothing has to be created twice.

use std::sync::{Mutex, PoisonError};

use super::WorldContext;
use super::payments::in_history;
use crate::app::Msg;
use crate::journal::history::History;
use crate::runtime::history::HistoryWorker;
use crate::trade::{Exchange, LinkOutcome, Operation, RowId, Ticket, Wall};

/// A link or direct payment in the history whose reply could not be read.
#[derive(Clone)]
struct UnreadRow {
    /// The ticket of the request that created the row.
    ticket: Ticket,
    row: RowId,
    /// The time just before the request was sent.
    at: Wall,
    history: HistoryWorker,
}

/// The last created payment link and the last created direct payment, each only if its reply could
/// not be read.
#[derive(Default)]
pub struct Unread {
    link: Mutex<Option<UnreadRow>>,
    charge: Mutex<Option<UnreadRow>>,
}

impl Unread {
    fn slot(&self, operation: Operation) -> Option<&Mutex<Option<UnreadRow>>> {
        match operation {
            Operation::CreateLink => Some(&self.link),
            Operation::DirectPayment => Some(&self.charge),
            _ => None,
        }
    }

    fn set(&self, operation: Operation, row: Option<UnreadRow>) {
        if let Some(slot) = self.slot(operation) {
            *slot.lock().unwrap_or_else(PoisonError::into_inner) = row;
        }
    }

    /// Forgets the row of this operation, because a new request is being sent.
    pub fn forget(&self, operation: Operation) {
        self.set(operation, None);
    }

    /// Remembers the row of a link or direct payment whose reply could not be read.
    pub fn remember(
        &self,
        operation: Operation,
        ticket: Ticket,
        (row, at): (RowId, Wall),
        history: &HistoryWorker,
    ) {
        let history = history.clone();
        self.set(operation, Some(UnreadRow { ticket, row, at, history }));
    }

    /// Returns the remembered row if this HTTP request created it. Returns `None` if the request is
    /// older than the row.
    fn row_created_by(&self, exchange: &Exchange) -> Option<UnreadRow> {
        let slot = self.slot(exchange.operation)?;
        let row = slot.lock().unwrap_or_else(PoisonError::into_inner).clone();
        row.filter(|row| exchange.at >= row.at)
    }
}

/// Reads the stored reply again after the API contract was corrected. On success, records the
/// result and returns the message about the created link or direct payment.
pub async fn read_again(context: &WorldContext, exchange: &Exchange) -> Option<Msg> {
    let unread = context.unread.row_created_by(exchange)?;
    let reply = exchange.reply.as_ref().ok()?;
    let (ticket, row, service) = (unread.ticket, unread.row, context.service());
    match exchange.operation {
        Operation::CreateLink => {
            let outcome = LinkOutcome::Created { url: service.read_link_again(reply)? };
            let settle = move |h: &mut History| h.settle_link(row, &outcome);
            let link = in_history(&unread.history, settle).await.ok()?;
            context.unread.forget(exchange.operation);
            Some(Msg::LinkMade { ticket, result: Ok(link) })
        }
        _ => {
            let outcome = service.read_charge_again(reply)?;
            let settle = move |h: &mut History| h.settle_charge(row, &outcome);
            let charge = in_history(&unread.history, settle).await.ok()?;
            // If the Pix code is still missing, keep the row. The seller may correct the API
            // contract again.
            if !charge.outcome.lacks_code() {
                context.unread.forget(exchange.operation);
            }
            Some(Msg::ChargeMade { ticket, result: Ok(charge) })
        }
    }
}
