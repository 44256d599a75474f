//! The way of a withdrawal from a form to an outcome.
//!
//! One key for one agreement: it is minted when the review opens and never again. A changed draft
//! is a new review and a new key; a resend is the same agreement and the same key.

use crate::app::declared;
use crate::app::input::{Code, Key};
use crate::app::layer::{Layer, Question};
use crate::app::update::{ask_entry, reload_withdrawals};
use crate::app::{Effect, Model, Stamp, Wait, act, offers};
use crate::trade::withdrawal::{Agreement, Attempt, NotSent, State};
use crate::trade::{
    Account, AmountField, CredentialKind, Failure, IdempotencyKey, Ticket, Withdrawal,
};

use super::{
    Draft, Flow, NoQuote, Outcome, QuoteState, Refused, Retype, Review, ReviewFocus, WhyRetype,
};

/// How long the confirming key is dead after the review appears, a paste or a new quote.
pub const DEAD_MS: u64 = 500;

/// Opens the form.
pub fn new(model: &mut Model) -> Vec<Effect> {
    let form = declared::form(&model.setup.contract.withdrawal.form, "withdrawal");
    let refused = locked(model);
    let draft = Draft { form, quote: QuoteState::None, refused };
    act::open(model, Layer::Withdraw(Flow::Form(Box::new(draft))))
}

/// Why no withdrawal at all can go on now.
fn locked(model: &Model) -> Option<Refused> {
    if let Some(trouble) = &model.withdrawals.trouble {
        return Some(Refused::Journal(trouble.clone()));
    }
    let mismatch = open_here(model).find(|w| matches!(model.state_of(w), State::Mismatch(_)));
    mismatch.map(|withdrawal| Refused::Mismatch(withdrawal.agreement.key))
}

/// Whose money a withdrawal takes: the credential that it is sent with says so, and no other.
fn account(model: &Model) -> Account {
    let kind = model.setup.contract.withdrawal.call.credential;
    let identity = kind.and_then(|kind| model.session.credential(kind).identity());
    Account { origin: model.setup.origin.clone(), identity: identity.unwrap_or_default().into() }
}

/// The credential that withdrawals are sent with, if it is not at hand.
///
/// Unlike elsewhere an unread vault counts as none: the agreement names whose money it is.
fn missing_entry(model: &Model) -> Option<CredentialKind> {
    let kind = model.setup.contract.withdrawal.call.credential;
    kind.filter(|kind| !model.session.credential(*kind).is_good(model.now.wall))
}

/// The open withdrawals of the account that is logged in.
fn open_here(model: &Model) -> impl Iterator<Item = &Withdrawal> {
    let account = account(model);
    model.withdrawals.open.iter().filter(move |w| w.agreement.account == account)
}

/// From the form to the review: the bytes are made, the key is minted.
pub fn review(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    if let Some(draft) = draft(model) {
        // Looked at anew: what still stands in the way is said again.
        draft.refused = None;
        if draft.form.check()
            && let Some(missing) = missing_entry(model)
        {
            return ask_entry(model, missing, Failure::NoCredential(missing));
        }
    }
    match agree(model, stamp) {
        Ok(review) => {
            let looked_up = Effect::LookUpSimilar(Box::new(review.agreement.clone()));
            model.layers.pop();
            model.layers.push(Layer::Withdraw(Flow::Review(Box::new(review))));
            vec![looked_up]
        }
        Err(None) => vec![],
        Err(Some(refused)) => {
            if let Some(draft) = draft(model) {
                draft.refused = Some(refused);
            }
            vec![]
        }
    }
}

/// What would be agreed; `Err(None)` when a field is wrong and says so itself.
fn agree(model: &mut Model, stamp: &Stamp) -> Result<Review, Option<Refused>> {
    let contract = model.setup.contract.clone();
    let account = account(model);
    let draft = draft(model).ok_or(None)?;
    if !draft.form.check() {
        return Err(None);
    }
    let body = declared::body(&mut draft.form, &contract.withdrawal.form).ok_or(None)?;
    let amount = draft.form.money_or_fault().ok_or(None)?;
    let draft = draft.clone();
    if let Some(refused) = locked(model) {
        return Err(Some(refused));
    }
    let destination = body.destination;
    let same = open_here(model)
        .find(|w| w.agreement.amount == amount && w.agreement.destination == destination);
    if let Some(same) = same {
        return Err(Some(Refused::SameOpen(same.agreement.key)));
    }
    let why = retype_reason(model, &draft.quote)?;
    let key = stamp.fresh_key;
    let call = &contract.withdrawal.call;
    let agreement = Agreement {
        key,
        account,
        profile: model.setup.profile.clone(),
        method: call.method.as_str().into(),
        url: format!("{}{}", model.setup.base_url, call.path).into(),
        key_header: key.header(contract.withdrawal.key_format).into(),
        body: body.bytes,
        amount,
        destination,
        quote: draft.quote.shown().cloned(),
        agreed: stamp.clocks.clone(),
    };
    let retype = why.map(|why| Retype { why, field: AmountField::default() });
    // Dead until the journal was asked for what the review should mention.
    Ok(Review { draft, agreement, focus: ReviewFocus::Back, armed_at_ms: u64::MAX, retype })
}

/// Why the amount must be typed again; an error when there may be no review yet.
fn retype_reason(model: &Model, quote: &QuoteState) -> Result<Option<WhyRetype>, Option<Refused>> {
    let without = match quote {
        QuoteState::Shown(_) => false,
        QuoteState::Failed { why, .. } if why.leaves_the_fee_unknown() => true,
        QuoteState::Failed { why: NoQuote::Fault(fault), .. } => {
            return Err(Some(Refused::QuoteWrong(fault.clone())));
        }
        QuoteState::Failed { why: NoQuote::Failure(_), .. } => true,
        QuoteState::None | QuoteState::Due { .. } | QuoteState::Asking { .. } => {
            return Err(Some(Refused::QuoteNotThere));
        }
    };
    let another = open_here(model).next().map(|w| WhyRetype::AnotherOpen(w.agreement.key));
    Ok(another.or_else(|| without.then_some(WhyRetype::NoQuote)))
}

/// The journal answered what the review should mention.
pub fn reviewed(model: &mut Model, key: IdempotencyKey, similar: Option<Box<Withdrawal>>) {
    let armed_at_ms = model.now.boot_ms + DEAD_MS;
    let Some(review) = review_open(model).filter(|review| review.agreement.key == key) else {
        return;
    };
    review.armed_at_ms = armed_at_ms;
    // It is named before any other reason: a missing quote shows beside the figures, and another
    // open one in the banner.
    if let Some(similar) = similar {
        let why = WhyRetype::SameWithinADay(similar);
        review.retype = Some(Retype { why, field: AmountField::default() });
    }
}

/// Back to the form, with everything that was typed; the key of that review is never used.
pub fn back_to_form(model: &mut Model) {
    if let Some(Layer::Withdraw(Flow::Review(review))) = model.layers.pop() {
        model.layers.push(Layer::Withdraw(Flow::Form(Box::new(review.draft))));
    }
}

/// Moves the focus of a review around.
pub fn move_focus(review: &mut Review, forward: bool) {
    use ReviewFocus::*;
    review.focus = match (review.focus, review.retype.is_some(), forward) {
        (Back, true, true) | (Confirm, true, false) => Amount,
        (Back, _, _) | (Amount, _, true) => Confirm,
        (Amount, _, false) | (Confirm, _, _) => Back,
    };
}

/// Puts the focus on the button of this number: 0 is the way back.
pub fn focus_button(review: &mut Review, button: usize) {
    review.focus = if button == 0 { ReviewFocus::Back } else { ReviewFocus::Confirm };
}

/// Types into the field that wants the amount again; false when the key is not for it.
pub fn retype(review: &mut Review, key: Key) -> bool {
    let Some(retype) = &mut review.retype else { return false };
    match key.code {
        Code::Char(c) if key.text().is_some() => {
            retype.field.push_digit(c);
            true
        }
        Code::Backspace => {
            retype.field.backspace();
            true
        }
        _ => false,
    }
}

/// Presses what has the focus.
pub fn press(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    let now = model.now.clone();
    let Some(Layer::Withdraw(Flow::Review(review))) = model.layers.last_mut() else {
        return vec![];
    };
    match review.focus {
        ReviewFocus::Back => {
            back_to_form(model);
            vec![]
        }
        ReviewFocus::Amount => {
            review.focus = ReviewFocus::Confirm;
            vec![]
        }
        ReviewFocus::Confirm if review.may_confirm(now.boot_ms, now.wall) => confirm(model, stamp),
        ReviewFocus::Confirm => vec![],
    }
}

/// The seller confirmed: the agreement goes to the journal, and nowhere else yet.
fn confirm(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    let wait = model.wait();
    let Some(Layer::Withdraw(Flow::Review(review))) = model.layers.pop() else { return vec![] };
    let mut agreement = review.agreement;
    agreement.agreed = stamp.clocks.clone();
    // For the journal a typed amount answers that the seller was told of another withdrawal;
    // where only the quote was missing, nobody was told of any.
    let told = review.retype.as_ref().filter(|retype| retype.why != WhyRetype::NoQuote);
    let retyped = told.and_then(|retype| retype.field.money());
    let agreement = Box::new(agreement);
    let flow =
        Flow::Preparing { agreement: agreement.clone(), draft: Box::new(review.draft), wait };
    model.layers.push(Layer::Withdraw(flow));
    vec![Effect::Prepare { agreement, retyped }]
}

/// The journal made it durable, or refused.
pub fn prepared(
    model: &mut Model,
    key: IdempotencyKey,
    result: Result<Box<Withdrawal>, Refused>,
) -> Vec<Effect> {
    let wait = model.wait();
    let in_flight = model.withdrawals.in_flight;
    let here = model.layers.iter_mut().find_map(|layer| match layer {
        Layer::Withdraw(flow @ Flow::Preparing { .. }) if flow.key() == Some(key) => Some(flow),
        _ => None,
    });
    let Some(flow) = here else { return reload_withdrawals(model) };
    match result {
        // One at a time: it stays prepared until the other one has ended.
        Ok(withdrawal) if in_flight.is_some() => {
            let trouble = Some(Failure::NotSent(NotSent::Busy));
            *flow = Flow::Outcome(Box::new(Outcome { withdrawal: *withdrawal, trouble }));
            reload_withdrawals(model)
        }
        Ok(withdrawal) => {
            *flow = Flow::Sending { withdrawal, wait };
            model.withdrawals.in_flight = Some(key);
            vec![Effect::Attempt(key)]
        }
        Err(refused) => {
            if let Flow::Preparing { draft, .. } = flow {
                let mut draft = draft.clone();
                draft.refused = Some(refused);
                *flow = Flow::Form(draft);
            }
            // The journal knows more than the list: the next review is to know it too.
            reload_withdrawals(model)
        }
    }
}

/// An attempt is durable and on its way: from here on it may have paid.
pub fn began(model: &mut Model, key: IdempotencyKey, n: u32) {
    let attempt = Attempt { n, began: model.now.clone(), end: None };
    for layer in &mut model.layers {
        if let Layer::Withdraw(Flow::Sending { withdrawal, .. }) = layer
            && withdrawal.agreement.key == key
            && withdrawal.attempts.iter().all(|known| known.n < n)
        {
            withdrawal.attempts.push(attempt.clone());
        }
    }
}

/// Sends the same key and the same bytes again; only by a key press, and only while it is safe.
pub fn send_again(model: &mut Model) -> Vec<Effect> {
    let withdrawal = match model.layers.last() {
        Some(Layer::Withdrawal(withdrawal)) => withdrawal.clone(),
        Some(Layer::Withdraw(Flow::Outcome(outcome))) => Box::new(outcome.withdrawal.clone()),
        _ => return vec![],
    };
    let safe = offers::with_withdrawal(model, &withdrawal);
    if !safe.contains(&crate::app::action::Action::Refresh) {
        return vec![];
    }
    if let Some(missing) = missing_entry(model) {
        return ask_entry(model, missing, Failure::NoCredential(missing));
    }
    let key = withdrawal.agreement.key;
    let wait = model.wait();
    model.layers.pop();
    model.layers.push(Layer::Withdraw(Flow::Sending { withdrawal, wait }));
    model.withdrawals.in_flight = Some(key);
    vec![Effect::Attempt(key)]
}

/// An attempt ended; the journal has it.
pub fn settled(model: &mut Model, withdrawal: Box<Withdrawal>, trouble: Option<Failure>) {
    let key = withdrawal.agreement.key;
    if model.withdrawals.in_flight == Some(key) {
        model.withdrawals.in_flight = None;
        // Nothing is in flight any more: the question has lost its reason.
        model.layers.retain(
            |layer| !matches!(layer, Layer::Ask(ask) if ask.question == Question::LeaveInFlight),
        );
    }
    for layer in &mut model.layers {
        match layer {
            Layer::Withdraw(flow @ (Flow::Sending { .. } | Flow::Outcome(_)))
                if flow.key() == Some(key) =>
            {
                let outcome =
                    Outcome { withdrawal: (*withdrawal).clone(), trouble: trouble.clone() };
                *flow = Flow::Outcome(Box::new(outcome));
            }
            Layer::Withdrawal(shown) if shown.agreement.key == key => *shown = withdrawal.clone(),
            _ => {}
        }
    }
}

/// The draft that is open, also while the help or a question lies over it.
pub(super) fn draft(model: &mut Model) -> Option<&mut Draft> {
    model.layers.iter_mut().rev().find_map(|layer| match layer {
        Layer::Withdraw(Flow::Form(draft)) => Some(&mut **draft),
        Layer::Withdraw(Flow::Review(review)) => Some(&mut review.draft),
        _ => None,
    })
}

/// The review that is open, also while the help lies over it.
pub(super) fn review_open(model: &mut Model) -> Option<&mut Review> {
    model.layers.iter_mut().rev().find_map(|layer| match layer {
        Layer::Withdraw(Flow::Review(review)) => Some(&mut **review),
        _ => None,
    })
}

/// What would be agreed to in the review that is open.
pub fn agreement_in_review(model: &Model) -> Option<&Agreement> {
    model.layers.iter().rev().find_map(|layer| match layer {
        Layer::Withdraw(Flow::Review(review)) => Some(&review.agreement),
        _ => None,
    })
}

impl Review {
    /// Whether pressing the confirming button would move money now.
    pub fn may_confirm(&self, now_ms: u64, now: crate::trade::Wall) -> bool {
        let quote_stands = match &self.draft.quote {
            QuoteState::Shown(quote) => {
                quote.is_fresh(now) && self.agreement.quote.as_ref() == Some(quote)
            }
            QuoteState::Failed { why, .. } => why.leaves_the_fee_unknown() && self.retype.is_some(),
            QuoteState::None | QuoteState::Due { .. } | QuoteState::Asking { .. } => false,
        };
        let retyped = self
            .retype
            .as_ref()
            .is_none_or(|retype| retype.field.money() == Some(self.agreement.amount));
        now_ms >= self.armed_at_ms && quote_stands && retyped
    }

    /// A new quote is in view: it is the one that would be confirmed.
    pub(super) fn take_quote(&mut self, quote: &QuoteState) {
        self.agreement.quote = quote.shown().cloned();
        if matches!(quote, QuoteState::Failed { why, .. } if why.leaves_the_fee_unknown()) {
            // What was typed before this was known agreed to something else.
            let why = self.retype.take().map_or(WhyRetype::NoQuote, |retype| retype.why);
            self.retype = Some(Retype { why, field: AmountField::default() });
        }
        self.focus = ReviewFocus::Back;
    }
}

impl Flow {
    /// The withdrawal's name, once it has one.
    pub fn key(&self) -> Option<IdempotencyKey> {
        match self {
            Flow::Form(_) => None,
            Flow::Review(review) => Some(review.agreement.key),
            Flow::Preparing { agreement, .. } => Some(agreement.key),
            Flow::Sending { withdrawal, .. } => Some(withdrawal.agreement.key),
            Flow::Outcome(outcome) => Some(outcome.withdrawal.agreement.key),
        }
    }
}

impl Wait {
    /// A wait that begins now.
    pub fn new(ticket: Ticket, now_ms: u64) -> Wait {
        Wait { ticket, since_ms: now_ms }
    }
}
