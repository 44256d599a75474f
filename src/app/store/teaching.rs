//! Finds the recorded HTTP exchange (request and response) that the seller can use now to correct
//! the API contract.

pub mod suggestion;

use std::sync::Arc;

use crate::app::Store;
use crate::app::store::exchanges::is_of;
use crate::contract::{ReadValue, ReplyLine, ReplyTree};
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{Charge, ChargeOutcome, Exchange, Failure, Operation, Withdrawal};

/// Returns true if the contract's settings for this operation may be changed now.
///
/// Nothing may be changed while a withdrawal is being sent. The settings for withdrawals may not be
/// changed while a withdrawal is open, because a change applies only to the next review.
pub fn may_be_taught(store: &Store, operation: Operation) -> bool {
    let is_open = operation == Operation::Withdrawal && !store.withdrawals.open.is_empty();
    store.withdrawals.in_flight.is_none() && !is_open
}

/// Returns the newest exchange of an operation, or `None` if that exchange got no response.
fn newest(store: &Store, operation: Operation) -> Option<Arc<Exchange>> {
    let newest = store.exchanges.iter().find(|exchange| exchange.operation == operation)?;
    newest.reply.is_ok().then(|| newest.clone())
}

/// Returns true if the service apparently refused this request because of a contract setting, such
/// as a wrong field name. An ordinary refusal, such as an insufficient balance, does not count.
fn is_about_contract(store: &Store, exchange: &Exchange) -> bool {
    suggestion::of(&store.setup.contract, exchange).is_some()
}

/// Returns the newest exchange of the operation, if correcting the contract may fix this failure.
pub fn after(
    store: &Store,
    failure: Option<&Failure>,
    operation: Operation,
) -> Option<Arc<Exchange>> {
    let exchange = newest(store, operation)?;
    let may_fix = match failure? {
        Failure::Unreadable { may_be_taught, .. } => *may_be_taught,
        Failure::Unauthorized { .. } | Failure::Refused(_) => is_about_contract(store, &exchange),
        _ => false,
    };
    may_fix.then_some(exchange)
}

/// Returns the newest withdrawal exchange, if it belongs to this withdrawal and the service
/// definitely refused the withdrawal because of a contract setting.
pub fn after_withdrawal(store: &Store, withdrawal: &Withdrawal) -> Option<Arc<Exchange>> {
    let exchange = newest(store, Operation::Withdrawal)?;
    let is_refused = store.state_of(withdrawal) == WithdrawalState::Rejected;
    let is_own = is_refused && is_of(&exchange, withdrawal);
    (is_own && is_about_contract(store, &exchange)).then_some(exchange)
}

/// Returns the newest exchange of a direct payment, if its reply created this payment but the
/// contract found no Pix code in it.
pub fn of_charge(store: &Store, charge: &Charge) -> Option<Arc<Exchange>> {
    let ChargeOutcome::Created { id: Some(id), pix_code: None, .. } = &charge.outcome else {
        return None;
    };
    let exchange = newest(store, Operation::DirectPayment)?;
    let (contract, tree) = (&store.setup.contract, tree(&exchange)?);
    let is_own = contract.reads(&ReplyLine::CHARGE_ID, &tree) == ReadValue::Text(id.clone());
    (is_own && contract.may_be_taught(&ReplyLine::PIX_CODE, &tree)).then_some(exchange)
}

/// Whether the reply to the last successful login of this run contains the JWT.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JwtInLogin {
    /// No login succeeded in this run, and the contract has no setting that locates a JWT.
    NoLogin,
    /// The reply has no JWT.
    Absent,
    /// The reply has a text that may be the JWT, but the contract does not read it.
    Unread,
    /// The contract finds the JWT in the reply, so the next login provides it. If no login
    /// succeeded in this run, the contract at least has a setting that locates a JWT.
    Found,
}

/// Returns whether the reply to the last successful login contains the JWT, with the exchange.
pub fn jwt_in_login(store: &Store) -> (JwtInLogin, Option<Arc<Exchange>>) {
    let contract = &store.setup.contract;
    let mut logins = store.exchanges.iter().filter(|one| one.operation == Operation::Login);
    let Some((exchange, tree)) = logins.find_map(|login| Some((login.clone(), tree(login)?)))
    else {
        let is_known = !contract.login.jwt.is_empty();
        return (if is_known { JwtInLogin::Found } else { JwtInLogin::NoLogin }, None);
    };
    let found = match contract.reads(&ReplyLine::JWT, &tree) != ReadValue::Nothing {
        true => JwtInLogin::Found,
        false if contract.may_be_taught(&ReplyLine::JWT, &tree) => JwtInLogin::Unread,
        false => JwtInLogin::Absent,
    };
    (found, Some(exchange))
}

/// Returns true if the next login provides the JWT. In the demo every login does.
pub fn login_gives_jwt(store: &Store) -> bool {
    store.setup.demo.is_some() || jwt_in_login(store).0 == JwtInLogin::Found
}

/// Parses the reply of an exchange. Returns `None` if the reply is not a success or not JSON.
fn tree(exchange: &Exchange) -> Option<ReplyTree> {
    let reply = exchange.reply.as_ref().ok().filter(|it| (200..300).contains(&it.status))?;
    ReplyTree::read(&reply.body)
}
