//! What is known of the cost of an amount.

use crate::app::Wait;
use crate::trade::{Money, NoQuote, Quote, QuoteFault};

/// What is known of the cost of the amount that stands in the form.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum QuoteState {
    /// No amount yet.
    #[default]
    None,
    /// It will be asked for when the typing has rested.
    Due {
        /// For this amount.
        amount: Money,
        /// At this reading of the boot clock.
        at_ms: u64,
    },
    /// It is being asked for.
    Asking {
        /// For this amount.
        amount: Money,
        /// Which question.
        wait: Wait,
    },
    /// It is here.
    Shown(Quote),
    /// There is none, and why.
    Failed {
        /// For this amount.
        amount: Money,
        /// Why.
        why: NoQuote,
    },
}

impl QuoteState {
    /// The amount it is about.
    pub fn amount(&self) -> Option<Money> {
        match self {
            QuoteState::None => None,
            QuoteState::Due { amount, .. }
            | QuoteState::Asking { amount, .. }
            | QuoteState::Failed { amount, .. } => Some(*amount),
            QuoteState::Shown(quote) => Some(quote.amount),
        }
    }

    /// The quote, if it is here.
    pub fn shown(&self) -> Option<&Quote> {
        match self {
            QuoteState::Shown(quote) => Some(quote),
            _ => None,
        }
    }
}

/// Whether the fee is simply not known, rather than said in a way that contradicts itself.
///
/// An unknown fee can be agreed to with the amount typed again; a contradiction cannot.
pub fn leaves_the_fee_unknown(why: &NoQuote) -> bool {
    matches!(why, NoQuote::Failure(_) | NoQuote::Fault(QuoteFault::Missing))
}
