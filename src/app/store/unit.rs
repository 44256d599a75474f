//! The unit of amounts: reais or centavos. Only the seller proves it, by saying how much money of
//! an accepted withdrawal arrived.
//!
//! Until then, the program looks for a wrong unit: beside a fee quote, it asks for the fee of an
//! amount that differs by one centavo. The two answers may lead to a question, but prove nothing.

use std::sync::Arc;

use crate::app::cx::{Cx, Route};
use crate::app::store::confirming::should_ask_arrived_amount;
use crate::app::store::teaching::suggestion;
use crate::app::{Effect, Store};
use crate::contract::Method;
use crate::trade::unit_check::{self, UnitSign, hundredfolds, probe_amount};
use crate::trade::withdrawal::Agreement;
use crate::trade::{Exchange, IdempotencyKey, Money, NoQuote, Operation, Quote, Wall, Withdrawal};

/// The largest amount that is proposed for the first withdrawal, in centavos: R$ 10,00.
const MAX_PROPOSED: i64 = 1_000;

/// The knowledge of this run about the unit of amounts.
#[derive(Debug, Clone, Default)]
pub struct UnitState {
    /// The amount of the probe that is being asked for.
    probing: Option<Money>,
    /// The checksum of the settings whose unit was looked at in this run.
    looked_at: Option<String>,
    /// The answers that raised a doubt, until the seller has answered.
    pub doubt: Option<UnitDoubt>,
    /// The newest accepted withdrawal that is known.
    accepted: Option<Withdrawal>,
    /// The accepted withdrawal about which the seller has answered, without proving the unit: its
    /// money has not arrived yet, or with another amount.
    answered: Option<IdempotencyKey>,
}

/// Two answers of the service that do not fit the unit of amounts.
#[derive(Debug, Clone)]
pub struct UnitDoubt {
    /// The amount of the fee quote.
    pub amount: Money,
    /// The amount that the service may have read.
    pub other_amount: Money,
    /// The exchange of the fee quote, and that of the probe.
    pub exchanges: [Arc<Exchange>; 2],
}

/// True if the seller has not proved the unit yet. In the sandbox no money moves.
pub fn is_unproved(store: &Store) -> bool {
    !store.sandbox && store.setup.contract.unit_is_assumed()
}

/// True if an amount of the other unit arrived, so withdrawals wait for another unit.
pub fn is_refuted(store: &Store) -> bool {
    is_unproved(store) && store.setup.contract.unit_is_refuted()
}

/// True if this withdrawal, which was not accepted yet, is written in a wrong unit.
pub fn is_wrong_in(store: &Store, agreement: &Agreement) -> bool {
    let contract = &store.setup.contract;
    is_refuted(store) || !contract.is_in_present_unit(&agreement.body, agreement.amount)
}

/// True if a fee quote for this amount should be followed by a probe: once for the present
/// settings, and only if asking for a fee is a plain GET.
pub fn is_probe_due(store: &Store, amount: Money) -> bool {
    let contract = &store.setup.contract;
    let is_known = contract.unit_was_looked_at()
        || store.unit.looked_at == Some(contract.unit_checksum())
        || store.unit.doubt.is_some();
    let is_plain_get = contract.fee_preview.call.method == Method::Get;
    is_unproved(store) && !is_known && is_plain_get && probe_amount(amount).is_some()
}

/// Remembers that a fee quote is requested, and whether it is followed by a probe.
pub fn on_quote_requested(store: &mut Store, amount: Money, has_probe: bool) {
    store.unit.probing = probe_amount(amount).filter(|_| has_probe);
}

/// True if this exchange asked for the fee of a probe. It confirms no settings.
pub fn is_probe(store: &Store, exchange: &Exchange) -> bool {
    exchange.operation == Operation::FeePreview
        && store.unit.probing.is_some()
        && store.setup.contract.sent_values(exchange).amount == store.unit.probing
}

/// Compares the answers to a fee quote and to its probe.
pub fn on_probed(
    cx: &mut Cx,
    amount: Money,
    quote: &Result<Quote, NoQuote>,
    probe: &Result<Quote, NoQuote>,
) {
    let odd_amount = probe_amount(amount);
    if odd_amount.is_none() || cx.store.unit.probing != odd_amount {
        return;
    }
    let [Some(quote_exchange), Some(probe_exchange)] =
        [Some(amount), odd_amount].map(|amount| newest_preview(cx.store, amount))
    else {
        return;
    };
    let contract = cx.store.setup.contract.clone();
    cx.store.unit.looked_at = Some(contract.unit_checksum());
    let is_limit = suggestion::mentions_limit(&probe_exchange);
    match unit_check::compare(amount, quote, probe, is_limit) {
        UnitSign::NoPair => {}
        UnitSign::None => cx.perform(Effect::Confirm(contract.looked_at_unit())),
        UnitSign::Doubt => {
            let [hundredth, hundred] = hundredfolds(amount);
            let is_reais = contract.fee_preview.amounts.unit == crate::contract::Unit::Reais;
            let other_amount = if is_reais { hundredth } else { hundred };
            cx.store.unit.doubt = other_amount.map(|other_amount| UnitDoubt {
                amount,
                other_amount,
                exchanges: [quote_exchange, probe_exchange],
            });
        }
    }
}

/// The newest exchange that asked for the fee of this amount.
fn newest_preview(store: &Store, amount: Option<Money>) -> Option<Arc<Exchange>> {
    store
        .exchanges
        .iter()
        .find(|exchange| {
            exchange.operation == Operation::FeePreview
                && store.setup.contract.sent_values(exchange).amount == amount
        })
        .cloned()
}

/// Ends the doubt because the seller says that the service read the right amount. The unit stays
/// unproved.
pub fn dismiss_doubt(cx: &mut Cx) {
    cx.store.unit.doubt = None;
    let lines = cx.store.setup.contract.looked_at_unit();
    cx.perform(Effect::Confirm(lines));
}

/// Drops the doubt after the seller corrected the API contract, if the doubt was about other
/// settings.
pub fn on_contract_change(store: &mut Store) {
    if store.unit.looked_at != Some(store.setup.contract.unit_checksum()) {
        store.unit.doubt = None;
    }
}

/// The exchange with which the seller can correct the unit: a fee preview that was answered.
pub fn exchange_to_teach(store: &Store) -> Option<Arc<Exchange>> {
    if let Some(doubt) = &store.unit.doubt {
        return Some(doubt.exchanges[0].clone());
    }
    store
        .exchanges
        .iter()
        .find(|exchange| exchange.operation == Operation::FeePreview && exchange.reply.is_ok())
        .cloned()
}

/// True if the seller corrects the unit next, with an exchange of this operation.
pub fn is_asked_when_teaching(store: &Store, operation: Operation) -> bool {
    operation == Operation::FeePreview && (store.unit.doubt.is_some() || is_refuted(store))
}

/// Remembers the newest accepted withdrawal. A search may hide its row later.
pub fn note_accepted(store: &mut Store) {
    if let Some(accepted) = accepted(store).cloned() {
        store.unit.accepted = Some(accepted);
    }
}

fn accepted_at(withdrawal: &Withdrawal) -> Option<Wall> {
    Some(withdrawal.attempts.last()?.end.as_ref()?.at)
}

/// The accepted withdrawal about which the seller must be asked before the next review.
pub fn arrival_to_ask(store: &Store) -> Option<&Withdrawal> {
    accepted(store).filter(|it| store.unit.answered != Some(it.agreement.key))
}

/// The newest accepted withdrawal that can prove the unit.
fn accepted(store: &Store) -> Option<&Withdrawal> {
    let withdrawals = &store.withdrawals;
    let known = withdrawals.list.page.rows.iter().chain(&withdrawals.shown);
    let known = known.chain(&store.unit.accepted);
    let accepted = known.filter(|withdrawal| should_ask_arrived_amount(store, withdrawal));
    accepted.max_by_key(|withdrawal| accepted_at(withdrawal))
}

/// True if money was sent in the present unit, but what arrived has not proved the unit.
pub fn is_arrival_unknown(store: &Store) -> bool {
    accepted(store).is_some()
}

/// Records that the seller's answer about this withdrawal does not prove the unit. The next
/// withdrawal can be made if its amount is typed again.
pub fn set_answered(store: &mut Store, withdrawal: &Withdrawal) {
    store.unit.answered = Some(withdrawal.agreement.key);
}

/// True if a smaller first withdrawal is proposed before this amount is withdrawn.
pub fn proposes_smaller(store: &Store, amount: Money) -> bool {
    accepted(store).is_none() && amount > Money::from_centavos(MAX_PROPOSED)
}

/// Opens the question how much money of the last withdrawal arrived, if it comes before the next
/// review.
pub fn open_question(cx: &mut Cx) -> bool {
    let Some(withdrawal) = arrival_to_ask(cx.store).cloned() else {
        return false;
    };
    cx.open(Route::Arrived {
        withdrawal: Box::new(withdrawal),
        is_before_review: true,
    });
    true
}
