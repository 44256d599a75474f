//! Confirms settings of the API contract that are assumed (guesses about undocumented parts of the
//! API). A setting is confirmed by replies of a live service, or by the seller.
//!
//! A reply confirms only the settings used to read the reply, not those used to build the request.
//! For example, if the amount was sent in the wrong unit, the reply repeats the amount in the same
//! wrong unit. Only a seller who sees the money arrive can confirm the unit.

use std::sync::Arc;

use crate::app::cx::Cx;
use crate::app::store::exchanges::bodies::{Bodies, BodiesRequest};
use crate::app::store::{exchanges, unit};
use crate::app::{Effect, Store};
use crate::contract::reply_setting::{ECHO_AMOUNT, ECHO_DESTINATION};
use crate::contract::{ConfirmedSettings, ReadValue, ReplySetting, ReplyTree};
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{Exchange, Money, Operation, Ticket, Withdrawal};

/// Marks these settings of the API contract as confirmed.
pub fn confirmed(store: &mut Store, lines: &ConfirmedSettings) {
    let contract = store.setup.contract.confirmed_by(lines);
    store.setup.contract = contract.into();
}

/// True if replies of this service can confirm settings of the API contract. Replies of a sandbox
/// prove nothing, and a service on this computer may be a sandbox.
fn is_live(store: &Store) -> bool {
    !store.sandbox && !store.setup.this_machine
}

/// Confirms the settings of the API contract that were used to read this reply.
///
/// Replies to withdrawals are ignored here: [`after_withdrawal`] handles them once the withdrawal
/// is accepted.
///
/// A long reply is first read by the runtime.
pub fn after_exchange(cx: &mut Cx, exchange: &Arc<Exchange>) {
    let is_ignored =
        exchange.operation == Operation::Withdrawal || unit::is_probe(cx.store, exchange);
    if is_ignored || !can_confirm(cx.store, exchange) {
        return;
    }
    let exchanges = vec![exchange.clone()];
    if Bodies::are_short(&exchanges) {
        return confirm(cx, exchange, |_, _| true);
    }
    let ticket = cx.store.next_ticket();
    let contract = cx.store.setup.contract.clone();
    let request = BodiesRequest {
        ticket,
        exchanges,
        contract,
        whole_reply: true,
    };
    cx.store.confirming = Some(request.clone());
    cx.perform(Effect::ReadBodies(request));
}

/// Confirms settings of the API contract after the runtime has read a long reply.
pub fn on_reply_read(cx: &mut Cx, ticket: Ticket, bodies: &Bodies) {
    let Some(request) = cx
        .store
        .confirming
        .take_if(|request| request.ticket == ticket)
    else {
        return;
    };
    // If the settings have changed since, the reply was not read with them.
    let is_current = Arc::ptr_eq(&request.contract, &cx.store.setup.contract);
    let operation = request.exchanges.first().map(|exchange| exchange.operation);
    if let (Some(operation), Some(tree), true) = (operation, &bodies.whole_reply, is_current) {
        confirm_settings(cx, operation, tree, |_, _| true);
    }
}

/// If this withdrawal was accepted, confirms the settings of the API contract that were used to
/// read its reply.
pub fn after_withdrawal(cx: &mut Cx, withdrawal: &Withdrawal) {
    if cx.store.state_of(withdrawal) != WithdrawalState::Accepted {
        return;
    }
    let mut recent_exchanges = cx.store.exchanges.iter();
    let Some(exchange) = recent_exchanges
        .find(|exchange| exchanges::is_attempt_of(exchange, withdrawal))
        .cloned()
    else {
        return;
    };
    let amount = withdrawal.agreement.amount;
    let destination = withdrawal.agreement.destination.as_ref();
    // The reply may repeat the amount and the destination. Confirm the setting that locates such a
    // value only if the value equals what was sent.
    confirm(cx, &exchange, |line, value| match (line, value) {
        (ECHO_AMOUNT, ReadValue::Amount(got)) => got.differs_by_less(Money::HALF_CENTAVO, amount),
        (ECHO_AMOUNT, _) => false,
        (ECHO_DESTINATION, ReadValue::Text(got)) => {
            destination.is_some_and(|key| *got == key.as_str().into())
        }
        _ => true,
    })
}

/// Confirms the settings of the API contract that found a value in a successful reply of a live
/// service. `is_confirmed` is called with each setting and the value it found, and decides whether
/// the setting is confirmed.
fn confirm(
    cx: &mut Cx,
    exchange: &Exchange,
    is_confirmed: impl Fn(&ReplySetting, &ReadValue) -> bool,
) {
    let Some(reply) = exchange
        .reply
        .as_ref()
        .ok()
        .filter(|_| can_confirm(cx.store, exchange))
    else {
        return;
    };
    if let Some(tree) = ReplyTree::read(&reply.body) {
        confirm_settings(cx, exchange.operation, &tree, is_confirmed);
    }
}

/// True if the reply is a success of a live service, and may confirm settings that are assumed.
fn can_confirm(store: &Store, exchange: &Exchange) -> bool {
    let contract = &store.setup.contract;
    let operation = exchange.operation;
    let Ok(reply) = &exchange.reply else {
        return false;
    };
    let is_success = contract.call_of(operation).success.contains(&reply.status);
    is_live(store) && is_success && contract.can_confirm_settings(operation)
}

fn confirm_settings(
    cx: &mut Cx,
    operation: Operation,
    tree: &ReplyTree,
    is_confirmed: impl Fn(&ReplySetting, &ReadValue) -> bool,
) {
    let contract = &cx.store.setup.contract;
    let settings = contract.settings_confirmed_by_reply(operation, tree, is_confirmed);
    if !settings.is_empty() {
        cx.perform(Effect::Confirm(settings));
    }
}

/// True if the program should ask the seller how much money arrived in the bank account. The answer
/// confirms whether amounts are sent in the right unit, so the withdrawal must have been written in
/// the present unit.
pub fn should_ask_arrived_amount(store: &Store, withdrawal: &Withdrawal) -> bool {
    let agreement = &withdrawal.agreement;
    unit::is_unproved(store)
        && store.state_of(withdrawal) == WithdrawalState::Accepted
        && store.account() == agreement.account
        && store
            .setup
            .contract
            .is_in_present_unit(&agreement.body, agreement.amount)
}

/// The result of comparing the amount that arrived in the bank account with the expected amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArrivedAmount {
    /// The expected amount arrived, so amounts are sent in the right unit (such as centavos).
    AsExpected,
    /// About a hundred times the sent amount arrived, or a hundredth of it, so amounts are sent in
    /// the wrong unit. Fifty times is enough, because a fee may be deducted.
    OtherUnit,
    /// Some other amount arrived. This proves nothing about the unit of amounts.
    Other { expected: Money },
}

/// Compares the amount that arrived in the bank account with the withdrawal's expected amount.
pub fn compare_arrived_amount(withdrawal: &Withdrawal, arrived: Money) -> ArrivedAmount {
    let agreement = &withdrawal.agreement;
    let expected = agreement
        .quote
        .as_ref()
        .map_or(agreement.amount, |quote| quote.net);
    // The fee quote may contain a fee that was not deducted, so the full amount counts as expected,
    // too.
    if arrived.differs_by_less(Money::HALF_CENTAVO, expected) || arrived == agreement.amount {
        return ArrivedAmount::AsExpected;
    }
    let [Some(got), Some(sent)] = [arrived, agreement.amount].map(Money::centavos) else {
        return ArrivedAmount::Other { expected };
    };
    if got >= sent.saturating_mul(50) || got.saturating_mul(50) <= sent {
        return ArrivedAmount::OtherUnit;
    }
    ArrivedAmount::Other { expected }
}
