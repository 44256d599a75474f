//! The quote of a draft: asked for as the amount is typed, and again when it went stale.

use super::flow::{draft, review_open};
use super::review::{DEAD_MS, look_anew};
use super::{Draft, NoQuote, QuoteState, Refused, send};
use crate::app::layer::Layer;
use crate::app::update::note_entry;
use crate::app::{Effect, Model};
use crate::trade::{Money, Quote, QuoteFault, Ticket};

/// How long the typing rests before the quote is asked for.
pub const REST_MS: u64 = 300;

/// Something was typed: the quote follows the amount, and nothing else.
pub fn edited(model: &mut Model) -> Vec<Effect> {
    let now_ms = model.now.boot_ms;
    let Some(draft) = draft(model) else { return vec![] };
    draft.refused = None;
    let amount = draft.form.money();
    if amount == draft.quote.amount() {
        return vec![];
    }
    let effects = cancel_quote(draft);
    draft.first_quote = None;
    draft.quote = match amount {
        Some(amount) => QuoteState::Due { amount, at_ms: now_ms + REST_MS },
        None => QuoteState::None,
    };
    effects
}

/// Nobody waits for the quote any more.
pub fn cancel_quote(draft: &Draft) -> Vec<Effect> {
    match &draft.quote {
        QuoteState::Asking { wait, .. } => vec![Effect::Cancel(wait.ticket)],
        _ => vec![],
    }
}

/// Asks for the quote when the typing has rested, and again when it went stale.
pub fn pulse(model: &mut Model) -> Vec<Effect> {
    if matches!(model.layers.last(), Some(Layer::Send(_))) {
        return send::pulse(model);
    }
    let now = model.now.clone();
    if !matches!(model.layers.last(), Some(Layer::Withdraw(_))) {
        return vec![];
    }
    let wanted = match draft(model).map(|draft| &draft.quote) {
        Some(QuoteState::Due { amount, at_ms }) if now.boot_ms >= *at_ms => *amount,
        Some(QuoteState::Shown(quote)) if !quote.is_fresh(now.wall) => quote.amount,
        _ => return vec![],
    };
    let wait = model.wait();
    if let Some(draft) = draft(model) {
        draft.quote = QuoteState::Asking { amount: wanted, wait };
    }
    vec![Effect::Quote { ticket: wait.ticket, amount: wanted }]
}

/// Somebody logged in: a quote that failed for want of that is asked for once more.
pub fn ask_quote_again(model: &mut Model) {
    let now_ms = model.now.boot_ms;
    let Some(draft) = draft(model) else { return };
    if let QuoteState::Failed { amount, why: NoQuote::Failure(_) } = draft.quote {
        draft.quote = QuoteState::Due { amount, at_ms: now_ms };
    }
}

/// The seller asks again: for a quote that did not come or made no sense, and for one that is still
/// good, which is no longer there to be agreed to until the answer comes.
pub fn ask_again(model: &mut Model) {
    let now_ms = model.now.boot_ms;
    let Some(draft) = draft(model) else { return };
    let amount = match &draft.quote {
        QuoteState::Failed { amount, .. } => *amount,
        QuoteState::Shown(quote) => quote.amount,
        QuoteState::None | QuoteState::Due { .. } | QuoteState::Asking { .. } => return,
    };
    draft.refused = None;
    draft.quote = QuoteState::Due { amount, at_ms: now_ms };
}

/// A quote came, or the reason why there is none.
pub fn quoted(model: &mut Model, ticket: Ticket, result: Result<Quote, NoQuote>) -> Vec<Effect> {
    if send::quoted(model, ticket, &result) {
        return vec![];
    }
    let armed_at_ms = model.now.boot_ms + DEAD_MS;
    let Some(draft) = draft(model) else { return vec![] };
    let QuoteState::Asking { amount, wait } = draft.quote else { return vec![] };
    if wait.ticket != ticket {
        return vec![];
    }
    draft.quote = match result {
        // An answer for another amount is no answer to this question.
        Ok(quote) if quote.amount == amount => QuoteState::Shown(quote),
        Ok(_) => QuoteState::Failed { amount, why: NoQuote::Fault(QuoteFault::Missing) },
        Err(why) => QuoteState::Failed { amount, why },
    };
    if matches!(draft.refused, Some(Refused::QuoteNotThere | Refused::QuoteWrong(_))) {
        draft.refused = None;
    }
    let quote = draft.quote.clone();
    if draft.first_quote.is_none() {
        draft.first_quote = quote.shown().cloned();
    }
    if let Some(review) = review_open(model) {
        review.armed_at_ms = review.armed_at_ms.max(armed_at_ms);
        review.take_quote(&quote);
        look_anew(model);
    }
    // What is being typed is not interrupted: the way on asks for the login.
    if let QuoteState::Failed { why: NoQuote::Failure(failure), .. } = &quote {
        note_entry(model, Some(failure));
    }
    vec![]
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

impl Draft {
    /// The first quote of this amount, where the service says something else now.
    pub fn other_quote_before(&self) -> Option<&Quote> {
        let (first, now) = (self.first_quote.as_ref()?, self.quote.shown()?);
        ((first.fee, first.net) != (now.fee, now.net)).then_some(first)
    }
}

impl NoQuote {
    /// Whether the fee is simply not known, rather than said in a way that contradicts itself.
    ///
    /// An unknown fee can be agreed to with the amount typed again; a contradiction cannot.
    pub fn leaves_the_fee_unknown(&self) -> bool {
        matches!(self, NoQuote::Failure(_) | NoQuote::Fault(QuoteFault::Missing))
    }
}
