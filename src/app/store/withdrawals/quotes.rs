//! The cost of an amount, as far as it is known.

use crate::app::Wait;
use crate::trade::{Money, NoQuote, Quote, QuoteFault, Wall};

/// The cost of the amount that stands in the form, as far as it is known.
#[derive(Debug, Clone, PartialEq, Default)]
#[expect(missing_docs, reason = "each but the first is about one amount")]
pub enum QuoteState {
    /// No amount yet.
    #[default]
    None,
    /// It will be asked for when the typing has rested, at this reading of the boot clock.
    Due { amount: Money, at_ms: u64 },
    /// It is being asked for.
    Asking { amount: Money, wait: Wait },
    /// It is here.
    Shown(Quote),
    /// There is none, and why.
    Failed { amount: Money, why: NoQuote },
}

impl QuoteState {
    /// The cost of this amount, as the service answered; an answer for another amount is none.
    pub fn answered(amount: Money, result: &Result<Quote, NoQuote>) -> QuoteState {
        match result.clone() {
            Ok(quote) if quote.amount == amount => QuoteState::Shown(quote),
            Ok(_) => QuoteState::Failed { amount, why: NoQuote::Fault(QuoteFault::Missing) },
            Err(why) => QuoteState::Failed { amount, why },
        }
    }

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

    /// Returns true when neither the quote nor a reason why there is none is here yet.
    pub fn is_coming(&self) -> bool {
        matches!(self, QuoteState::None | QuoteState::Due { .. } | QuoteState::Asking { .. })
    }

    /// The figures as they are agreed to: asked for again they are the same as long as they say the
    /// same.
    pub fn as_terms(&self) -> QuoteState {
        match self {
            QuoteState::Shown(quote) => QuoteState::Shown(Quote { at: Wall(0), ..quote.clone() }),
            QuoteState::Failed { .. } => self.clone(),
            QuoteState::None | QuoteState::Due { .. } | QuoteState::Asking { .. } => {
                QuoteState::None
            }
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

/// Returns true when the fee is simply unknown, and no contradiction stands in the quote.
///
/// An unknown fee can be agreed to with the amount typed again; a contradiction cannot.
pub fn leaves_the_fee_unknown(why: &NoQuote) -> bool {
    matches!(why, NoQuote::Failure(_) | NoQuote::Fault(QuoteFault::Missing))
}
