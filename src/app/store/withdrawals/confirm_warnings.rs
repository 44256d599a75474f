//! The reasons why the seller must type a withdrawal's amount again before confirming it. Start
//! reading at [`reasons_for_new`] and [`reasons_for_stored`].

use crate::app::Store;
use crate::app::store::unit;
use crate::app::store::withdrawals::PastPayments;
use crate::app::store::withdrawals::rules::open_clashes;
use crate::trade::withdrawal::{Agreement, ClashKind, WithdrawalState};
use crate::trade::{AmountField, Money, Quote, Withdrawal};

/// A request to the seller to type a withdrawal's amount again, because something about the
/// withdrawal is unusual.
#[derive(Debug, Clone, PartialEq)]
pub struct Retype {
    /// All reasons why the amount must be typed again.
    pub why: Vec<WhyRetype>,
    /// The input field in which the seller types the amount again.
    pub field: AmountField,
}

/// A reason why a withdrawal's amount must be typed again.
#[derive(Debug, Clone, PartialEq)]
pub enum WhyRetype {
    /// No earlier withdrawal has proved the unit of amounts yet by what arrived, so the unit
    /// may be wrong.
    ArrivalUnknown,
    /// There is no fee quote. The service will deduct a fee, but the amount of the fee is unknown.
    NoQuote,
    /// According to the fee quote, the receiver would get nothing.
    NothingArrives { net: Money },
    /// The fee or the net amount is not a whole number of centavos.
    FinerThanCentavos { fee: Money, net: Money },
    /// Another withdrawal of the account is open (its outcome is unknown). The new withdrawal may
    /// therefore pay a second time.
    AnotherOpen(Box<Withdrawal>),
    /// A withdrawal of the same amount to the same destination is open under another login or
    /// service address.
    SameOpenElsewhere(Box<Withdrawal>),
    /// A withdrawal of the same amount to the same destination got its final outcome within the
    /// last 24 hours, under any login.
    SameWithinADay(Box<Withdrawal>),
}

impl Retype {
    /// Creates a request to type the amount again, or returns `None` if there is no reason for it.
    pub fn of(reasons: Vec<WhyRetype>) -> Option<Retype> {
        (!reasons.is_empty()).then(|| Retype {
            why: reasons,
            field: AmountField::default(),
        })
    }
}

/// The reasons why the amount of a new withdrawal must be typed again, the most serious first.
pub fn reasons_for_new(
    store: &Store,
    agreement: &Agreement,
    past: Option<&PastPayments>,
) -> Vec<WhyRetype> {
    let mut reasons = reasons_about_others(store, agreement, past);
    reasons.extend(unit::is_arrival_unknown(store).then_some(WhyRetype::ArrivalUnknown));
    reasons.extend(reasons_about_quote(agreement.quote.as_ref()));
    reasons
}

/// The reasons why the amount of a stored withdrawal must be typed again before the withdrawal is
/// sent, the most serious first.
pub fn reasons_for_stored(
    store: &Store,
    withdrawal: &Withdrawal,
    past: Option<&PastPayments>,
) -> Vec<WhyRetype> {
    let agreement = &withdrawal.agreement;
    let mut reasons = reasons_about_others(store, agreement, past);
    if store.state_of(withdrawal) == WithdrawalState::Prepared {
        reasons.extend(unit::is_arrival_unknown(store).then_some(WhyRetype::ArrivalUnknown));
        reasons.extend(reasons_about_quote(agreement.quote.as_ref()));
    }
    reasons
}

/// The reasons to type the amount again because of other withdrawals, for example because the
/// withdrawal may pay a second time.
fn reasons_about_others(
    store: &Store,
    agreement: &Agreement,
    past: Option<&PastPayments>,
) -> Vec<WhyRetype> {
    let open = open_clashes(store, agreement)
        .into_iter()
        .map(|clash| match clash.kind {
            ClashKind::SameOpenElsewhere => WhyRetype::SameOpenElsewhere(clash.other),
            _ => WhyRetype::AnotherOpen(clash.other),
        });
    let similar = past.into_iter().flat_map(|past| &past.similar);
    let similar = similar.filter(|same| same.agreement.key != agreement.key);
    let same_within_a_day = similar.map(|same| WhyRetype::SameWithinADay(Box::new(same.clone())));
    open.chain(same_within_a_day).collect()
}

/// The reasons that concern the figures in the fee quote.
fn reasons_about_quote(quote: Option<&Quote>) -> Vec<WhyRetype> {
    let Some(quote) = quote else {
        return vec![WhyRetype::NoQuote];
    };
    let Quote { fee, net, .. } = *quote;
    let nothing_arrives = quote
        .leaves_nothing()
        .then_some(WhyRetype::NothingArrives { net });
    let finer_than_centavos = WhyRetype::FinerThanCentavos { fee, net };
    let finer_than_centavos = quote
        .is_finer_than_centavos()
        .then_some(finer_than_centavos);
    nothing_arrives
        .into_iter()
        .chain(finer_than_centavos)
        .collect()
}

impl WhyRetype {
    /// The other withdrawal that this reason is about, if any.
    pub fn other_withdrawal(&self) -> Option<&Withdrawal> {
        match self {
            WhyRetype::ArrivalUnknown
            | WhyRetype::NoQuote
            | WhyRetype::NothingArrives { .. }
            | WhyRetype::FinerThanCentavos { .. } => None,
            WhyRetype::AnotherOpen(other)
            | WhyRetype::SameOpenElsewhere(other)
            | WhyRetype::SameWithinADay(other) => Some(other),
        }
    }

    /// True if both reasons are of the same kind, and are about the same withdrawal or the same
    /// figures.
    pub fn is_same(&self, other: &WhyRetype) -> bool {
        match (self.other_withdrawal(), other.other_withdrawal()) {
            (Some(first), Some(second)) => {
                std::mem::discriminant(self) == std::mem::discriminant(other)
                    && first.agreement.key == second.agreement.key
            }
            _ => self == other,
        }
    }
}
