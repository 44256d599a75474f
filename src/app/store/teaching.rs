//! Finds the recorded HTTP exchange (request and response) that the seller can use now to correct
//! the contract.

use std::sync::Arc;

use crate::app::Store;
use crate::app::store::exchanges::is_of;
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{Exchange, Failure, Operation, Withdrawal};

/// Returns true if the contract's lines for this operation may be changed now.
///
/// No line may be changed while a withdrawal is being sent. The lines for withdrawals may not be
/// changed while a withdrawal is open, because a corrected line applies only to the next review.
pub fn may_be_taught(store: &Store, operation: Operation) -> bool {
    let is_open = operation == Operation::Withdrawal && !store.withdrawals.open.is_empty();
    store.withdrawals.in_flight.is_none() && !is_open
}

/// Returns the newest exchange of an operation, or `None` if that exchange has no response.
fn newest(store: &Store, operation: Operation) -> Option<Arc<Exchange>> {
    let newest = store.exchanges.iter().find(|exchange| exchange.operation == operation)?;
    newest.reply.is_ok().then(|| newest.clone())
}

/// Returns true if a correction of the contract may fix this failure.
fn may_fix(failure: &Failure) -> bool {
    match failure {
        Failure::Unreadable { .. } | Failure::Unauthorized { .. } => true,
        Failure::Refused(refusal) => matches!(refusal.status, 200..300 | 400..500),
        _ => false,
    }
}

/// Returns the newest exchange of the operation, if correcting the contract may fix this failure.
pub fn after(
    store: &Store,
    failure: Option<&Failure>,
    operation: Operation,
) -> Option<Arc<Exchange>> {
    failure.filter(|failure| may_fix(failure)).and_then(|_| newest(store, operation))
}

/// Returns the newest withdrawal exchange, if it belongs to this withdrawal and the service
/// definitely refused the withdrawal.
pub fn after_withdrawal(store: &Store, withdrawal: &Withdrawal) -> Option<Arc<Exchange>> {
    let exchange = newest(store, Operation::Withdrawal)?;
    let is_refused = store.state_of(withdrawal) == WithdrawalState::Rejected;
    (is_refused && is_of(&exchange, withdrawal)).then_some(exchange)
}
