//! Finds the recorded HTTP exchange (request and response) from which the seller can correct the
//! API contract.

pub mod suggestion;

use std::sync::Arc;

use crate::app::Store;
use crate::app::store::exchanges::bodies::MAX_IMMEDIATE_BYTES;
use crate::app::store::exchanges::is_attempt_of;
use crate::contract::{ReadValue, ReplySetting, ReplyTree};
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{Charge, ChargeOutcome, Exchange, Failure, MaskedReply, Operation, Withdrawal};

/// Returns true if the seller may now change the API contract's settings for this operation.
///
/// While a withdrawal is being sent, the settings of all operations are locked. While a withdrawal
/// is open (its outcome is unknown), the settings for withdrawals are locked, because a change
/// would apply only to the next withdrawal.
pub fn can_be_taught(store: &Store, operation: Operation) -> bool {
    let is_open = operation == Operation::Withdrawal && !store.withdrawals.open.is_empty();
    store.withdrawals.in_flight.is_none() && !is_open
}

/// Returns the newest HTTP exchange of an operation. Returns `None` if the newest exchange got no
/// response, even if an older one did.
fn newest_exchange(store: &Store, operation: Operation) -> Option<Arc<Exchange>> {
    let exchange = store.exchanges.iter().find(|exchange| exchange.operation == operation)?;
    exchange.reply.is_ok().then(|| exchange.clone())
}

/// Returns true if the service apparently refused this request because of a setting of the API
/// contract, such as a wrong field name. An ordinary refusal, such as an insufficient balance, does
/// not count.
fn is_contract_refusal(store: &Store, exchange: &Exchange) -> bool {
    suggestion::of(&store.setup.contract, exchange).is_some()
}

/// Returns the newest HTTP exchange of the operation, if this failure may be fixed by correcting
/// the API contract.
pub fn after(
    store: &Store,
    failure: Option<&Failure>,
    operation: Operation,
) -> Option<Arc<Exchange>> {
    let exchange = newest_exchange(store, operation)?;
    let is_fixable = match failure? {
        Failure::Unreadable { can_be_taught, .. } => *can_be_taught,
        Failure::Unauthorized { .. } | Failure::Refused(_) => is_contract_refusal(store, &exchange),
        _ => false,
    };
    is_fixable.then_some(exchange)
}

/// Returns the newest withdrawal exchange, if it sent this withdrawal and the service definitely
/// refused it because of a setting of the API contract.
pub fn after_withdrawal(store: &Store, withdrawal: &Withdrawal) -> Option<Arc<Exchange>> {
    let exchange = newest_exchange(store, Operation::Withdrawal)?;
    let is_refused = store.state_of(withdrawal) == WithdrawalState::Rejected;
    let sent_withdrawal = is_refused && is_attempt_of(&exchange, withdrawal);
    (sent_withdrawal && is_contract_refusal(store, &exchange)).then_some(exchange)
}

/// Returns the newest HTTP exchange of a direct payment, if it created this payment and its reply
/// may contain a Pix code that the settings of the API contract did not find.
pub fn of_charge(store: &Store, charge: &Charge) -> Option<Arc<Exchange>> {
    let ChargeOutcome::Created { id: Some(id), pix_code: None, .. } = &charge.outcome else {
        return None;
    };
    let exchange = newest_exchange(store, Operation::DirectPayment)?;
    let (contract, tree) = (&store.setup.contract, tree(&exchange)?);
    let created_charge =
        contract.read_value(&ReplySetting::CHARGE_ID, &tree) == ReadValue::Text(id.clone());
    (created_charge && contract.can_be_taught(&ReplySetting::PIX_CODE, &tree)).then_some(exchange)
}

/// Whether the last successful login of this run returned a JWT in its reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JwtInLogin {
    /// In this run no login has succeeded, and the API contract has no setting that locates a JWT
    /// in the reply.
    NoLogin,
    /// The reply has no JWT.
    Absent,
    /// The reply contains a text that may be the JWT, but no setting of the API contract locates
    /// it.
    Unread,
    /// A setting of the API contract finds the JWT in the reply, so the next login provides it.
    /// Also used if no login has succeeded in this run, but there is a setting that locates a JWT.
    Found,
}

/// Returns whether the last successful login returned a JWT, together with the login's HTTP
/// exchange.
pub fn jwt_in_login(store: &Store) -> (JwtInLogin, Option<Arc<Exchange>>) {
    let contract = &store.setup.contract;
    let mut logins =
        store.exchanges.iter().filter(|exchange| exchange.operation == Operation::Login);
    let Some((exchange, tree)) = logins.find_map(|login| Some((login.clone(), tree(login)?)))
    else {
        let has_setting = !contract.login.jwt.is_empty();
        return (if has_setting { JwtInLogin::Found } else { JwtInLogin::NoLogin }, None);
    };
    let jwt = match contract.read_value(&ReplySetting::JWT, &tree) != ReadValue::Nothing {
        true => JwtInLogin::Found,
        false if contract.can_be_taught(&ReplySetting::JWT, &tree) => JwtInLogin::Unread,
        false => JwtInLogin::Absent,
    };
    (jwt, Some(exchange))
}

/// Returns true if the next login will provide the JWT. In the demo, every login provides it.
pub fn login_gives_jwt(store: &Store) -> bool {
    store.setup.demo.is_some() || jwt_in_login(store).0 == JwtInLogin::Found
}

/// Parses the JSON reply of an HTTP exchange. Returns `None` if the reply is not a success or not
/// JSON. A long reply counts as not JSON: no service sends one to a login or a direct payment, and
/// it would be parsed for every frame.
fn tree(exchange: &Exchange) -> Option<ReplyTree> {
    let is_read = |reply: &&MaskedReply| {
        (200..300).contains(&reply.status) && reply.body.len() <= MAX_IMMEDIATE_BYTES
    };
    ReplyTree::read(&exchange.reply.as_ref().ok().filter(is_read)?.body)
}
