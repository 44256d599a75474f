//! Confirms assumed contract settings (guesses about undocumented parts of the API), either by
//! replies of a live service or by the seller.
//!
//! A reply confirms only the settings used to read it, not the settings used to build the request.
//! For example, if the unit of the sent amount is wrong, the amount that the reply repeats is wrong
//! in the same way. Only a seller who sees the money arrive can confirm the unit.

use crate::app::cx::Cx;
use crate::app::store::exchanges;
use crate::app::{Effect, Store};
use crate::contract::{ConfirmedLines, ReadValue, ReplyLine, ReplyTree};
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{Exchange, Money, Operation, Withdrawal};

/// Records that these contract settings are confirmed from now on.
pub fn confirmed(store: &mut Store, lines: &ConfirmedLines) {
    let contract = store.setup.contract.confirmed_by(lines);
    store.setup.contract = contract.into();
}

/// Returns true if the replies of this service can confirm contract settings.
///
/// A sandbox replies as it was configured, so its replies prove nothing. Shortly after the start a
/// sandbox may not be recognized yet, so replies from any service on this computer are ignored.
fn is_live(store: &Store) -> bool {
    !store.sandbox && !store.setup.this_machine
}

/// Marks the contract settings used to read this reply as confirmed.
///
/// [`after_withdrawal`] does this for withdrawals, once they are accepted.
pub fn after_exchange(cx: &mut Cx, exchange: &Exchange) {
    match exchange.operation {
        Operation::Withdrawal => {}
        _ => confirm(cx, exchange, |_, _| true),
    }
}

/// If this withdrawal was accepted, marks the contract settings used to read its reply as
/// confirmed.
pub fn after_withdrawal(cx: &mut Cx, withdrawal: &Withdrawal) {
    if cx.store.state_of(withdrawal) != WithdrawalState::Accepted {
        return;
    }
    let mut sent = cx.store.exchanges.iter();
    let Some(exchange) = sent.find(|one| exchanges::is_of(one, withdrawal)).cloned() else {
        return;
    };
    let amount = withdrawal.agreement.amount;
    let destination = withdrawal.agreement.destination.as_ref();
    // If the reply repeats the amount or the destination, the setting that locates it in the reply
    // is confirmed only if the value equals the sent value.
    confirm(cx, &exchange, |line, read| match (line.name, read) {
        ("withdrawal.echo_amount", ReadValue::Amount(got)) => {
            got.differs_by_less(Money::NOISE, amount)
        }
        ("withdrawal.echo_amount", _) => false,
        ("withdrawal.echo_destination", ReadValue::Text(got)) => {
            destination.is_some_and(|key| *got == key.as_str().into())
        }
        _ => true,
    })
}

/// Confirms the contract settings that located a value in a successful reply of a live service. A
/// setting is confirmed only if `is_it` returns true for it and its value.
fn confirm(cx: &mut Cx, exchange: &Exchange, is_it: impl Fn(&ReplyLine, &ReadValue) -> bool) {
    let (contract, operation) = (&cx.store.setup.contract, exchange.operation);
    let Ok(reply) = &exchange.reply else { return };
    let is_taken = contract.call_of(operation).success.contains(&reply.status);
    if !is_live(cx.store) || !is_taken || !contract.can_confirm_lines(operation) {
        return;
    }
    let Some(tree) = ReplyTree::read(&reply.body) else { return };
    let lines = contract.confirmed_by_reply(operation, &tree, is_it);
    if !lines.is_empty() {
        cx.perform(Effect::Confirm(lines));
    }
}

/// Returns true if the program should ask the seller how much of this withdrawal arrived in the
/// bank account, to confirm the unit of amounts.
pub fn asks_what_arrived(store: &Store, withdrawal: &Withdrawal) -> bool {
    is_live(store)
        && store.setup.contract.unit_is_assumed()
        && store.state_of(withdrawal) == WithdrawalState::Accepted
        && store.account() == withdrawal.agreement.account
}

/// The result of comparing the amount that arrived in the bank account with the expected amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArrivedAmount {
    /// The expected amount arrived, so the unit of amounts (such as centavos) is right.
    AsExpected,
    /// At least ten times the sent amount or at most a tenth of it arrived, so the unit of amounts
    /// is wrong.
    OtherUnit,
    /// Some other amount arrived, which proves nothing about the unit of amounts.
    Other { expected: Money },
}

/// Compares the amount that arrived with the expected amount of the withdrawal.
pub fn judge(withdrawal: &Withdrawal, arrived: Money) -> ArrivedAmount {
    let agreement = &withdrawal.agreement;
    let expected = agreement.quote.as_ref().map_or(agreement.amount, |quote| quote.net);
    // The full amount counts as expected, too, although the fee quote may contain a fee.
    if arrived.differs_by_less(Money::NOISE, expected) || arrived == agreement.amount {
        return ArrivedAmount::AsExpected;
    }
    let [Some(got), Some(sent)] = [arrived, agreement.amount].map(Money::centavos) else {
        return ArrivedAmount::Other { expected };
    };
    match got >= sent.saturating_mul(10) || got.saturating_mul(10) <= sent {
        true => ArrivedAmount::OtherUnit,
        false => ArrivedAmount::Other { expected },
    }
}
