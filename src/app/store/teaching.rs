//! The exchange that can be taught about now, and when there is none.

use std::sync::Arc;

use crate::app::Store;
use crate::app::store::exchanges::is_of;
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{Exchange, Failure, Operation, Withdrawal};

/// Returns true when lines of this operation may change now.
///
/// While an attempt is in flight nothing changes; while a withdrawal is open nothing about
/// withdrawals does: what was taught serves the next review.
pub fn may_be_taught(store: &Store, operation: Operation) -> bool {
    let is_open = operation == Operation::Withdrawal && !store.withdrawals.open.is_empty();
    store.withdrawals.in_flight.is_none() && !is_open
}

/// Returns the newest exchange of an operation, where there is a reply to learn from.
fn newest(store: &Store, operation: Operation) -> Option<Arc<Exchange>> {
    let newest = store.exchanges.iter().find(|exchange| exchange.operation == operation)?;
    newest.reply.is_ok().then(|| newest.clone())
}

/// Returns true when a failure is one that teaching may mend.
fn may_mend(failure: &Failure) -> bool {
    match failure {
        Failure::Unreadable { .. } | Failure::Unauthorized { .. } => true,
        Failure::Refused(refusal) => matches!(refusal.status, 200..300 | 400..500),
        _ => false,
    }
}

/// Returns the exchange that failed in this way, where teaching may mend that.
pub fn after(
    store: &Store,
    failure: Option<&Failure>,
    operation: Operation,
) -> Option<Arc<Exchange>> {
    failure.filter(|failure| may_mend(failure)).and_then(|_| newest(store, operation))
}

/// Returns the exchange of a withdrawal that the service refused for good, while it is the newest
/// of all withdrawals: what is learned from it serves the next review.
pub fn after_withdrawal(store: &Store, withdrawal: &Withdrawal) -> Option<Arc<Exchange>> {
    let exchange = newest(store, Operation::Withdrawal)?;
    let is_refused = store.state_of(withdrawal) == WithdrawalState::Rejected;
    (is_refused && is_of(&exchange, withdrawal)).then_some(exchange)
}
