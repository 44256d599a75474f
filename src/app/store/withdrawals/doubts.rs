//! The unusual things about a withdrawal, for which its amount is typed again.

use crate::app::Store;
use crate::app::store::withdrawals::Past;
use crate::app::store::withdrawals::rules::{open_here, other_open, same_open_elsewhere};
use crate::trade::withdrawal::{Agreement, WithdrawalState};
use crate::trade::{AmountField, Money, Quote, Withdrawal};

/// The amount is to be typed again, because something is not as usual.
#[derive(Debug, Clone, PartialEq)]
pub struct Retype {
    /// Everything that is not as usual.
    pub why: Vec<WhyRetype>,
    /// The amount as far as it was typed.
    pub field: AmountField,
}

/// A reason to type the amount again.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "figures are called as the service calls them")]
pub enum WhyRetype {
    /// There is no quote: the fee is unknown, the service deducts it.
    NoQuote,
    /// The receiver gets nothing, or less, by the quote.
    NothingArrives { net: Money },
    /// Fee or net have a part below a centavo.
    FinerThanCentavos { fee: Money, net: Money },
    /// Another withdrawal is open: this may be a second payment.
    AnotherOpen(Box<Withdrawal>),
    /// One of the same amount and destination is open under another login or address.
    SameOpenElsewhere(Box<Withdrawal>),
    /// One of the same amount and destination was decided within a day, under whichever login.
    SameWithinADay(Box<Withdrawal>),
}

impl Retype {
    /// The amount is to be typed for these reasons; nothing, where there are none.
    pub fn of(why: Vec<WhyRetype>) -> Option<Retype> {
        (!why.is_empty()).then(|| Retype { why, field: AmountField::default() })
    }
}

/// Everything that is not as usual about a new one, the gravest first.
pub fn of_new(store: &Store, agreement: &Agreement, past: Option<&Past>) -> Vec<WhyRetype> {
    let mut why = of_others(store, open_here(store), agreement, past);
    why.extend(of_quote(agreement.quote.as_ref()));
    why
}

/// Everything that is not as usual about sending one that is stored, the gravest first.
pub fn of_stored(store: &Store, withdrawal: &Withdrawal, past: Option<&Past>) -> Vec<WhyRetype> {
    let agreement = &withdrawal.agreement;
    let mut why = of_others(store, other_open(store, withdrawal), agreement, past);
    if store.state_of(withdrawal) == WithdrawalState::Prepared {
        why.extend(of_quote(agreement.quote.as_ref()));
    }
    why
}

/// Returns the other withdrawals that are a reason to hesitate; `open` are those of its account.
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

/// Returns the unusual things about the figures.
fn of_quote(quote: Option<&Quote>) -> Vec<WhyRetype> {
    let Some(quote) = quote else { return vec![WhyRetype::NoQuote] };
    let Quote { fee, net, .. } = *quote;
    let nothing = quote.leaves_nothing().then_some(WhyRetype::NothingArrives { net });
    let finer = WhyRetype::FinerThanCentavos { fee, net };
    let finer = quote.is_finer_than_centavos().then_some(finer);
    nothing.into_iter().chain(finer).collect()
}

impl WhyRetype {
    /// The other withdrawal it is about.
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

    /// Returns true when both are the same reason about the same withdrawal, or the same figures.
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
