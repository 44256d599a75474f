//! What is not as usual about a withdrawal, so that its amount is typed again.

use super::Past;
use super::rules::{open_here, other_open, same_open_elsewhere};
use crate::app::Store;
use crate::trade::withdrawal::{Agreement, WithdrawalState};
use crate::trade::{AmountField, Money, Quote, Withdrawal};

/// The amount is to be typed again, because something is not as usual.
#[derive(Debug, Clone, PartialEq)]
pub struct Retype {
    /// Everything that is not as usual.
    pub why: Vec<WhyRetype>,
    /// What was typed so far.
    pub field: AmountField,
}

/// Why the amount is to be typed again.
#[derive(Debug, Clone, PartialEq)]
pub enum WhyRetype {
    /// There is no quote: the fee is unknown, the service deducts it.
    NoQuote,
    /// The receiver gets nothing, or less, by the quote.
    NothingArrives {
        /// What the service says the receiver gets.
        net: Money,
    },
    /// Fee or net have a part below a centavo.
    FinerThanCentavos {
        /// The fee.
        fee: Money,
        /// What the receiver gets.
        net: Money,
    },
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

    /// Whether these are the reasons that are there already.
    pub fn is_of(retype: Option<&Retype>, why: &[WhyRetype]) -> bool {
        let there = retype.map(|retype| &retype.why[..]).unwrap_or_default();
        there.len() == why.len() && there.iter().zip(why).all(|(there, why)| there.is_same(why))
    }
}

/// Everything that is not as usual about a new one, the gravest first.
pub fn of_new(store: &Store, agreement: &Agreement, past: Option<&Past>) -> Vec<WhyRetype> {
    let open = open_here(store).map(|open| WhyRetype::AnotherOpen(Box::new(open.clone())));
    let elsewhere = same_open_elsewhere(store, agreement);
    let elsewhere = elsewhere.map(|same| WhyRetype::SameOpenElsewhere(Box::new(same.clone())));
    let past = past.iter().flat_map(|past| &past.similar);
    let same = past.map(|same| WhyRetype::SameWithinADay(Box::new(same.clone())));
    open.chain(elsewhere).chain(same).chain(of_quote(agreement.quote.as_ref())).collect()
}

/// Everything that is not as usual about sending one that is stored, the gravest first.
pub fn of_stored(store: &Store, withdrawal: &Withdrawal, past: Option<&Past>) -> Vec<WhyRetype> {
    let agreement = &withdrawal.agreement;
    let beside = other_open(store, withdrawal);
    let beside = beside.map(|other| WhyRetype::AnotherOpen(Box::new(other.clone())));
    let elsewhere = same_open_elsewhere(store, agreement);
    let elsewhere = elsewhere.map(|same| WhyRetype::SameOpenElsewhere(Box::new(same.clone())));
    let past = past.iter().flat_map(|past| &past.similar);
    let past = past.filter(|same| same.agreement.key != agreement.key);
    let same = past.map(|same| WhyRetype::SameWithinADay(Box::new(same.clone())));
    let is_first = store.state_of(withdrawal) == WithdrawalState::Prepared;
    let quote = if is_first { of_quote(agreement.quote.as_ref()) } else { vec![] };
    beside.chain(elsewhere).chain(same).chain(quote).collect()
}

/// What is not as usual about the figures.
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

    /// Whether both say the same of the same withdrawal, or of the same figures.
    fn is_same(&self, said: &WhyRetype) -> bool {
        match (self.other(), said.other()) {
            (None, None) => self == said,
            (one, other) => {
                let key = |it: Option<&Withdrawal>| it.map(|it| it.agreement.key);
                let kind = std::mem::discriminant(self) == std::mem::discriminant(said);
                kind && key(one) == key(other)
            }
        }
    }
}
