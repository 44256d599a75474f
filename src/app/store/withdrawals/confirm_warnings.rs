//! The reasons why the seller must type a withdrawal's amount again before confirming it. Start
//! reading at [`reasons_for_new`] and [`reasons_for_stored`].

use crate::app::Store;
use crate::app::store::withdrawals::Past;
use crate::app::store::withdrawals::rules::{open_here, other_open, same_open_elsewhere};
use crate::trade::withdrawal::{Agreement, WithdrawalState};
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
    /// There is no fee quote. The service will deduct a fee, but the amount of the fee is unknown.
    NoQuote,
    /// According to the fee quote, the receiver would get nothing, or less than nothing.
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
    pub fn of(why: Vec<WhyRetype>) -> Option<Retype> {
        (!why.is_empty()).then(|| Retype { why, field: AmountField::default() })
    }
}

/// Returns the reasons why the amount of a new withdrawal must be typed again, the most serious
/// first.
pub fn reasons_for_new(
    store: &Store,
    agreement: &Agreement,
    past: Option<&Past>,
) -> Vec<WhyRetype> {
    let mut why = of_others(store, open_here(store), agreement, past);
    why.extend(of_quote(agreement.quote.as_ref()));
    why
}

/// Returns the reasons why the amount of a stored withdrawal must be typed again before the
/// withdrawal is sent, the most serious first.
pub fn reasons_for_stored(
    store: &Store,
    withdrawal: &Withdrawal,
    past: Option<&Past>,
) -> Vec<WhyRetype> {
    let agreement = &withdrawal.agreement;
    let mut why = of_others(store, other_open(store, withdrawal), agreement, past);
    if store.state_of(withdrawal) == WithdrawalState::Prepared {
        why.extend(of_quote(agreement.quote.as_ref()));
    }
    why
}

/// Returns the reasons that concern other withdrawals, such as a possible second payment. `open`
/// yields the other open withdrawals of the account.
fn of_others<'a>(
    store: &'a Store,
    open: impl Iterator<Item = &'a Withdrawal>,
    agreement: &'a Agreement,
    past: Option<&'a Past>,
) -> Vec<WhyRetype> {
    let open = open.map(|open| WhyRetype::AnotherOpen(Box::new(open.clone())));
    let elsewhere = same_open_elsewhere(store, agreement);
    let elsewhere = elsewhere.map(|same| WhyRetype::SameOpenElsewhere(Box::new(same.clone())));
    let past = past.into_iter().flat_map(|past| &past.similar);
    let past = past.filter(|same| same.agreement.key != agreement.key);
    let same = past.map(|same| WhyRetype::SameWithinADay(Box::new(same.clone())));
    open.chain(elsewhere).chain(same).collect()
}

/// Returns the reasons that concern the figures in the fee quote.
fn of_quote(quote: Option<&Quote>) -> Vec<WhyRetype> {
    let Some(quote) = quote else { return vec![WhyRetype::NoQuote] };
    let Quote { fee, net, .. } = *quote;
    let nothing = quote.leaves_nothing().then_some(WhyRetype::NothingArrives { net });
    let finer = WhyRetype::FinerThanCentavos { fee, net };
    let finer = quote.is_finer_than_centavos().then_some(finer);
    nothing.into_iter().chain(finer).collect()
}

impl WhyRetype {
    /// Returns the other withdrawal that this reason is about, if any.
    pub fn other(&self) -> Option<&Withdrawal> {
        match self {
            WhyRetype::NoQuote
            | WhyRetype::NothingArrives { .. }
            | WhyRetype::FinerThanCentavos { .. } => None,
            WhyRetype::AnotherOpen(other)
            | WhyRetype::SameOpenElsewhere(other)
            | WhyRetype::SameWithinADay(other) => Some(other),
        }
    }

    /// Returns true if both reasons are of the same kind, and are about the same withdrawal or the
    /// same figures.
    pub fn is_same(&self, said: &WhyRetype) -> bool {
        match (self.other(), said.other()) {
            (Some(one), Some(other)) => {
                std::mem::discriminant(self) == std::mem::discriminant(said)
                    && one.agreement.key == other.agreement.key
            }
            _ => self == said,
        }
    }
}
