//! The last look before money moves: what will be agreed, and everything that is not as usual.
//!
//! What is not as usual is worked out anew whenever something is heard that it depends on: the
//! journal's answer, a quote, another withdrawal that is open or is so no more. An amount that was
//! typed before answers nothing that was said after it.

use crate::app::declared;
use crate::app::layer::Layer;
use crate::app::money_lines::{self, Purpose};
use crate::app::update::{ask_entry, reload_withdrawals};
use crate::app::{Effect, Model, Stamp, offers, seen};
use crate::trade::withdrawal::{Agreement, ClashKind, Retyped};
use crate::trade::{AmountField, Failure, IdempotencyKey, JournalTrouble, Quote, Wall, Withdrawal};

use super::flow::{account, clash, draft, locked, missing_entry, open_here, review_open};
use super::{
    Draft, Flow, NoQuote, Past, QuoteState, Refused, Retype, Review, ReviewFocus, WhyRetype, send,
};

/// How long the confirming key is dead after the review appears, a paste or a new quote.
pub const DEAD_MS: u64 = 500;

/// From the form to the review: the bytes are made, the key is minted.
pub fn open(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
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
        // The key that was minted for it is never used.
        Ok(_) if money_lines::come_first(model, Purpose::Review) => vec![],
        Ok(review) => {
            let looked_up = Effect::LookUpPast(Box::new(review.agreement.clone()));
            model.layers.pop();
            model.layers.push(Layer::Withdraw(Flow::Review(Box::new(review))));
            look_anew(model);
            vec![looked_up]
        }
        Err(None) => vec![],
        Err(Some(refused)) => {
            let is_clash = matches!(refused, Refused::Clash(_));
            let may_pass = matches!(&refused, Refused::Journal(trouble) if trouble.may_pass());
            if let Some(draft) = draft(model) {
                draft.refused = Some(refused);
            }
            // Another window may have settled it since the list was read, or let the journal go.
            if is_clash || may_pass { reload_withdrawals(model) } else { vec![] }
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
    // What the journal says was agreed is what the bytes say.
    let Some(amount) = body.amount else {
        draft.form.money_or_fault();
        return Err(None);
    };
    let draft = draft.clone();
    let key = stamp.fresh_key;
    let call = &contract.withdrawal.call;
    let agreement = Agreement {
        key,
        account,
        profile: model.setup.profile.clone(),
        method: call.method.as_str().into(),
        url: format!("{}{}", model.setup.base_url, call.path).into(),
        key_header: key.header(contract.withdrawal.key_format).into(),
        key_header_name: Some(contract.withdrawal.key_header.as_str().into()),
        body: body.bytes,
        untyped: body.untyped,
        amount,
        destination: body.destination,
        quote: draft.quote.shown().cloned(),
        agreed: stamp.clocks.clone(),
    };
    if let Some(refused) = wall(model, &agreement).or_else(|| not_quoted(&draft.quote)) {
        return Err(Some(refused));
    }
    // Dead until the journal was asked for what the review should mention.
    let (focus, armed_at_ms) = (ReviewFocus::Back, u64::MAX);
    Ok(Review { draft, agreement, focus, armed_at_ms, retype: None, past: None })
}

/// What no typing answers: a mismatch, and the same amount and destination being open.
fn wall(model: &Model, agreement: &Agreement) -> Option<Refused> {
    let same = |other: &&Withdrawal| is_same_payment(&other.agreement, agreement);
    locked(model).or_else(|| {
        let same = open_here(model).find(same);
        same.map(|same| Refused::Clash(clash(ClashKind::SameOpen, same)))
    })
}

/// Open ones of the same amount and destination that are not of this account.
pub(super) fn same_open_elsewhere<'a>(
    model: &'a Model,
    agreement: &'a Agreement,
) -> impl Iterator<Item = &'a Withdrawal> {
    let owner = agreement.account.owner();
    model.withdrawals.open.iter().filter(move |other| {
        is_same_payment(&other.agreement, agreement) && other.agreement.account.owner() != owner
    })
}

fn is_same_payment(one: &Agreement, other: &Agreement) -> bool {
    one.amount == other.amount && one.destination == other.destination
}

/// Why there may be no review yet: what the amount costs is not known to be unknown.
fn not_quoted(quote: &QuoteState) -> Option<Refused> {
    match quote {
        QuoteState::Shown(_) => None,
        QuoteState::Failed { why, .. } if why.leaves_the_fee_unknown() => None,
        QuoteState::Failed { why: NoQuote::Fault(fault), .. } => {
            Some(Refused::QuoteWrong(fault.clone()))
        }
        QuoteState::Failed { why: NoQuote::Failure(_), .. } => None,
        QuoteState::None | QuoteState::Due { .. } | QuoteState::Asking { .. } => {
            Some(Refused::QuoteNotThere)
        }
    }
}

/// The journal answered what the review should mention.
pub fn reviewed(
    model: &mut Model,
    key: IdempotencyKey,
    past: Result<Past, JournalTrouble>,
) -> Vec<Effect> {
    if let Some(effects) = send::reviewed(model, key, &past) {
        return effects;
    }
    let armed_at_ms = model.now.boot_ms + DEAD_MS;
    let Some(review) = review_open(model).filter(|review| review.agreement.key == key) else {
        return vec![];
    };
    match past {
        Ok(past) => {
            review.past = Some(past);
            review.armed_at_ms = armed_at_ms;
            look_anew(model);
            vec![]
        }
        Err(trouble) => {
            let may_pass = trouble.may_pass();
            model.withdrawals.trouble = Some(trouble.clone());
            refuse(model, Refused::Journal(trouble));
            if may_pass { reload_withdrawals(model) } else { vec![] }
        }
    }
}

/// Something was heard that a form or a review may have to say, or to say no more.
pub fn look_anew(model: &mut Model) {
    send::look_anew(model);
    forget_old_refusal(model);
    let Some(review) = review_open(model) else { return };
    let review = review.clone();
    if let Some(Refused::Clash(clash)) = wall(model, &review.agreement) {
        return refuse(model, Refused::LookAgain(Some(clash)));
    }
    let why = reasons(model, &review);
    let said: Vec<_> = review.retype.iter().flat_map(|retype| &retype.why).collect();
    if said.len() == why.len() && said.iter().zip(&why).all(|(said, why)| said.is_same(why)) {
        return;
    }
    let armed_at_ms = model.now.boot_ms + DEAD_MS;
    if let Some(review) = review_open(model) {
        // What was typed before this was known agreed to something else.
        review.retype = (!why.is_empty()).then(|| Retype { why, field: AmountField::default() });
        review.focus = ReviewFocus::Back;
        review.armed_at_ms = review.armed_at_ms.max(armed_at_ms);
    }
}

/// A withdrawal that is open no more stands in nobody's way.
fn forget_old_refusal(model: &mut Model) {
    let open: Vec<_> = model.withdrawals.open.iter().map(|open| open.agreement.key).collect();
    let Some(draft) = draft(model) else { return };
    let clash = match &draft.refused {
        Some(Refused::Clash(clash) | Refused::LookAgain(Some(clash))) => clash,
        _ => return,
    };
    if clash.kind != ClashKind::SameDecided && !open.contains(&clash.other.agreement.key) {
        draft.refused = None;
    }
}

/// Back to the form from wherever the review lies, with the reason.
fn refuse(model: &mut Model, refused: Refused) {
    for layer in &mut model.layers {
        if let Layer::Withdraw(flow) = layer
            && let Flow::Review(review) = flow
        {
            let draft = Draft { refused: Some(refused), ..review.draft.clone() };
            *flow = Flow::Form(Box::new(draft));
            return;
        }
    }
}

/// Everything that is not as usual, the gravest first.
fn reasons(model: &Model, review: &Review) -> Vec<WhyRetype> {
    let open = open_here(model).map(|open| WhyRetype::AnotherOpen(Box::new(open.clone())));
    let elsewhere = same_open_elsewhere(model, &review.agreement);
    let elsewhere = elsewhere.map(|same| WhyRetype::SameOpenElsewhere(Box::new(same.clone())));
    let past = review.past.iter().flat_map(|past| &past.similar);
    let same = past.map(|same| WhyRetype::SameWithinADay(Box::new(same.clone())));
    let quote = of_quote(review.agreement.quote.as_ref());
    open.chain(elsewhere).chain(same).chain(quote).collect()
}

/// What is not as usual about the figures.
pub(super) fn of_quote(quote: Option<&Quote>) -> Vec<WhyRetype> {
    let Some(quote) = quote else { return vec![WhyRetype::NoQuote] };
    let Quote { fee, net, .. } = *quote;
    let nothing = quote.leaves_nothing().then_some(WhyRetype::NothingArrives { net });
    let finer = WhyRetype::FinerThanCentavos { fee, net };
    let finer = quote.is_finer_than_centavos().then_some(finer);
    nothing.into_iter().chain(finer).collect()
}

/// Back to the form, with everything that was typed; the key of that review is never used.
pub fn back_to_form(model: &mut Model) {
    if let Some(Layer::Withdraw(Flow::Review(review))) = model.layers.pop() {
        model.layers.push(Layer::Withdraw(Flow::Form(Box::new(review.draft))));
    }
}

/// Moves the focus of a review around.
pub fn move_focus(review: &mut Review, forward: bool) {
    review.focus = review.focus.moved(review.retype.is_some(), forward);
}

/// Presses what has the focus.
pub fn press(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    let now = model.now.clone();
    let can_agree = offers::can_agree(model) && seen::may_press(model);
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
        ReviewFocus::Confirm if can_agree && review.may_confirm(now.boot_ms, now.wall) => {
            confirm(model, stamp)
        }
        ReviewFocus::Confirm => vec![],
    }
}

/// The seller confirmed: the agreement goes to the journal, and nowhere else yet.
fn confirm(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    let wait = model.wait();
    let Some(Layer::Withdraw(Flow::Review(review))) = model.layers.pop() else { return vec![] };
    let retyped = review.retyped();
    let mut agreement = review.agreement;
    agreement.agreed = stamp.clocks.clone();
    let agreement = Box::new(agreement);
    let flow =
        Flow::Preparing { agreement: agreement.clone(), draft: Box::new(review.draft), wait };
    model.layers.push(Layer::Withdraw(flow));
    vec![Effect::Prepare { agreement, retyped }]
}

impl Review {
    /// Whether the confirming button would move money now, where it is in sight.
    pub fn may_confirm(&self, now_ms: u64, now: Wall) -> bool {
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

    /// For the journal a typed amount answers for the withdrawals that were named here, and no
    /// others; where only the quote was missing, nobody was told of any.
    fn retyped(&self) -> Option<Retyped> {
        let retype = self.retype.as_ref()?;
        let told: Vec<_> = retype.why.iter().filter_map(WhyRetype::other).collect();
        let told: Vec<_> = told.into_iter().map(|other| other.agreement.key).collect();
        let amount = retype.field.money().filter(|_| !told.is_empty())?;
        Some(Retyped { amount, told })
    }

    /// A new quote is in view: it is the one that would be confirmed.
    pub(super) fn take_quote(&mut self, quote: &QuoteState) {
        self.agreement.quote = quote.shown().cloned();
        self.focus = ReviewFocus::Back;
    }

    /// The other withdrawal that is named first.
    pub fn named(&self) -> Option<&Withdrawal> {
        self.retype.as_ref()?.why.iter().find_map(WhyRetype::other)
    }
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
    pub(super) fn is_same(&self, said: &WhyRetype) -> bool {
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
