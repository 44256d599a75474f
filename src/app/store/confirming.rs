//! The lines of the contract that a live service proves, and what only the seller can say.
//!
//! A reply confirms the lines by which it was read, and nothing that is sent: the amount that it
//! repeats would repeat our own mistake about the unit too. The seller who sees the money arrive
//! can tell.

use crate::app::cx::Cx;
use crate::app::store::exchanges;
use crate::app::{Effect, Store};
use crate::contract::{ConfirmedLines, ReadValue, ReplyTree, SoughtLine};
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{Exchange, Money, Operation, Withdrawal};

/// Takes the lines that are confirmed from now on.
pub fn confirmed(store: &mut Store, lines: &ConfirmedLines) {
    let contract = store.setup.contract.confirmed_by(lines);
    store.setup.contract = contract.into();
}

/// Returns true where replies prove something.
///
/// Nobody is paid by a sandbox, which answers as it was told to. It runs on this computer alone,
/// and tells who it is a moment after the start: whatever is on this computer proves nothing.
fn is_live(store: &Store) -> bool {
    !store.sandbox && !store.setup.this_machine
}

/// Confirms the lines by which the reply of this exchange was read.
///
/// A withdrawal's reply proves something only once it was accepted.
pub fn after_exchange(cx: &mut Cx, exchange: &Exchange) {
    match exchange.operation {
        Operation::Withdrawal => {}
        _ => confirm(cx, exchange, |_, _| true),
    }
}

/// Confirms the lines by which the reply to a withdrawal was read that was accepted now.
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
    // What stands where an echo is looked for is one only where it says what was sent.
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

/// Confirms the lines that read something in this reply of a live service, where it is what they
/// say.
fn confirm(cx: &mut Cx, exchange: &Exchange, is_it: impl Fn(&SoughtLine, &ReadValue) -> bool) {
    let (contract, operation) = (&cx.store.setup.contract, exchange.operation);
    let Ok(reply) = &exchange.reply else { return };
    let is_taken = contract.call_of(operation).success.contains(&reply.status);
    if !is_live(cx.store) || !is_taken || !contract.has_to_prove(operation) {
        return;
    }
    let Some(tree) = ReplyTree::read(&reply.body) else { return };
    let lines = contract.proved_by(operation, &tree, is_it);
    if !lines.is_empty() {
        cx.perform(Effect::Confirm(lines));
    }
}

/// Returns true while the seller is asked how much of this withdrawal arrived.
pub fn asks_what_arrived(store: &Store, withdrawal: &Withdrawal) -> bool {
    is_live(store)
        && store.setup.contract.unit_is_assumed()
        && store.state_of(withdrawal) == WithdrawalState::Accepted
        && store.account() == withdrawal.agreement.account
}

/// The sense of what arrived, beside what was to arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "a field is its name")]
pub enum ArrivedAmount {
    /// It is what was to arrive: the unit is right.
    AsExpected,
    /// It is about a hundred times as much, or as little: the unit is wrong.
    OtherUnit,
    /// It is another amount, which says nothing about the unit.
    Other { expected: Money },
}

/// Judges what arrived of a withdrawal.
pub fn judge(withdrawal: &Withdrawal, arrived: Money) -> ArrivedAmount {
    let agreement = &withdrawal.agreement;
    let expected = agreement.quote.as_ref().map_or(agreement.amount, |quote| quote.net);
    // Without a known fee what was asked for is the most that can arrive.
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
