//! The question before a withdrawal is sent from the list or from its details.
//!
//! What it shows are the stored bytes, which no send can change. Whether it may be sent at all is
//! said by one function, [`against`]: what is offered, what is remarked and what a key does follow
//! from it.

use crate::app::declared;
use crate::app::layer::Layer;
use crate::app::money_lines::{self, Purpose};
use crate::app::update::{ask_entry, missing_entry as known_to_be_missing, note_entry};
use crate::app::update::{reload_withdrawals, say};
use crate::app::{Effect, Model, Pane, Said, Stamp, Wait, act, leave, offers, seen};
use crate::contract::{Contract, FieldKind, members};
use crate::trade::withdrawal::{Agreement, Decision, NoSend, WithdrawalState};
use crate::trade::{
    AmountField, CredentialKind, Failure, IdempotencyKey, JournalTrouble, PixKey, Quote, Ticket,
    Wall, Withdrawal,
};

use super::destinations::{self, Known};
use super::flow::{Belongs, belongs, missing_entry};
use super::review::{self, DEAD_MS, of_quote, same_open_elsewhere};
use super::{Draft, Flow, NoQuote, Past, QuoteState, Retype, ReviewFocus, WhyRetype};

/// What is to be sent, and everything that is known of it.
#[derive(Debug, Clone)]
pub struct SendQuestion {
    /// The withdrawal, as the journal has it.
    pub withdrawal: Withdrawal,
    /// Whether the fee is still the one that was agreed.
    pub fee: Fee,
    /// Where the focus stands.
    pub focus: ReviewFocus,
    /// Before this reading of the boot clock the button is dead.
    pub armed_at_ms: u64,
    /// Why the amount must be typed again, if it must.
    pub retype: Option<Retype>,
    /// What the journal knows of the past that matters here, once it has answered.
    pub past: Option<Past>,
    /// It is being discarded, for another one at the fee of now.
    pub discarding: bool,
}

/// Whether the fee is still the one that was agreed.
#[derive(Debug, Clone, PartialEq)]
pub enum Fee {
    /// Nobody has to ask: it is fresh, there was none, or a send may have gone through at it.
    AsAgreed,
    /// It is being asked for again.
    Asking(Wait),
    /// It is the same.
    Same(Quote),
    /// It is another one, or there is none where there was one.
    Other(QuoteState),
}

/// Why a withdrawal may not be sent now.
#[derive(Debug, Clone, PartialEq)]
pub enum Against {
    /// In its state nothing is sent.
    State,
    /// The journal is in trouble.
    Locked,
    /// Something is being sent, by this window.
    Busy,
    /// Another window is sending something of its account.
    BusyElsewhere,
    /// Another login made it: that one is needed, with this credential.
    OtherLogin(CredentialKind),
    /// It was made at another address, and is only sent from there.
    OtherAddress,
    /// Another one of its account is open, and nobody was asked about that.
    OtherOpen,
    /// The attempt before may still be worked on.
    Wait,
    /// The window is over.
    Window(NoSend),
    /// The service asked to be left alone until then.
    Later(Wall),
    /// Its bytes pay to another destination than the one that is written beside them.
    OtherDestination,
    /// A credential is missing.
    Entry(CredentialKind),
}

/// What speaks against sending this withdrawal now; the one place that says so.
pub fn against(model: &Model, withdrawal: &Withdrawal) -> Option<Against> {
    let state = model.state_of(withdrawal);
    if !matches!(state, WithdrawalState::Prepared | WithdrawalState::Unknown) {
        return Some(Against::State);
    }
    let withdrawals = &model.withdrawals;
    if withdrawals.trouble.is_some() {
        return Some(Against::Locked);
    }
    if withdrawals.in_flight.is_some() {
        return Some(Against::Busy);
    }
    if withdrawals.is_busy_elsewhere(&withdrawal.agreement.account) {
        return Some(Against::BusyElsewhere);
    }
    let wanted = model.setup.contract.withdrawal.call.credential;
    match (belongs(model, withdrawal), wanted) {
        (Belongs::Here, _) | (Belongs::OtherLogin, None) => {}
        (Belongs::OtherLogin, Some(kind)) => return Some(Against::OtherLogin(kind)),
        (Belongs::OtherAddress, _) => return Some(Against::OtherAddress),
    }
    if state == WithdrawalState::Prepared && another_open(model, withdrawal).is_some() {
        return Some(Against::OtherOpen);
    }
    if let Err(why) = model.setup.window.left(&withdrawal.attempts, &model.now) {
        return Some(Against::Window(why));
    }
    if let Some(until) = offers::throttled_until(withdrawal).filter(|at| model.now.wall < *at) {
        return Some(Against::Later(until));
    }
    if !offers::resend_wait(model, withdrawal).is_zero() {
        return Some(Against::Wait);
    }
    if other_destination(&model.setup.contract, &withdrawal.agreement).is_some() {
        return Some(Against::OtherDestination);
    }
    known_to_be_missing(model, wanted).map(Against::Entry)
}

/// Another open one of the same account.
fn another_open<'a>(model: &'a Model, withdrawal: &Withdrawal) -> Option<&'a Withdrawal> {
    other_open(model, withdrawal).next()
}

fn other_open<'a>(model: &'a Model, one: &Withdrawal) -> impl Iterator<Item = &'a Withdrawal> {
    let (key, owner) = (one.agreement.key, one.agreement.account.owner());
    model
        .withdrawals
        .open
        .iter()
        .filter(move |open| open.agreement.key != key && open.agreement.account.owner() == owner)
}

/// The destination that the bytes say, where it is not the one that is written beside them.
///
/// Both are kept apart: whoever prepared it under a contract of their own could have the one say
/// something else than the other.
pub fn other_destination(contract: &Contract, agreement: &Agreement) -> Option<String> {
    let form = &contract.withdrawal.form;
    let members = members(&agreement.body);
    let is_stored = |text: &str| agreement.destination.as_ref().is_some_and(|key| is(key, text));
    let is_key = |kind: FieldKind| kind == FieldKind::PixKey;
    let mut keys = members.iter().filter(|one| one.field(form).is_some_and(|f| is_key(f.kind)));
    if let Some(other) = keys.find(|one| !is_stored(one.value.text())) {
        return Some(other.value.text().to_owned());
    }
    // Another contract may have named it otherwise; somewhere in the bytes it must be.
    let is_missing =
        agreement.destination.is_some() && !members.iter().any(|one| is_stored(one.value.text()));
    is_missing.then(String::new)
}

/// Whether a text of the wire is this key: a telephone number may be sent without its plus.
pub fn is(key: &PixKey, text: &str) -> bool {
    text == key.as_str() || text == key.as_str().trim_start_matches('+')
}

/// Asks before the withdrawal in front is sent.
pub fn open(model: &mut Model) -> Vec<Effect> {
    let Some(withdrawal) = in_front(model).cloned() else { return vec![] };
    if !matches!(against(model, &withdrawal), None | Some(Against::OtherDestination)) {
        return vec![];
    }
    if let Some(missing) = missing_entry(model) {
        return ask_entry(model, missing, Failure::NoCredential(missing));
    }
    // The bytes are as they were agreed; how their reply is read, and for how long they may leave,
    // is the contract's.
    if money_lines::come_first(model, Purpose::Resend) {
        return vec![];
    }
    let looked_up = Effect::LookUpPast(Box::new(withdrawal.agreement.clone()));
    let question = SendQuestion {
        withdrawal,
        fee: Fee::AsAgreed,
        focus: ReviewFocus::Back,
        // Dead until the journal was asked for what should be mentioned.
        armed_at_ms: u64::MAX,
        retype: None,
        past: None,
        discarding: false,
    };
    act::open(model, Layer::Send(Box::new(question)));
    look_anew(model);
    let mut effects = vec![looked_up];
    effects.extend(pulse(model));
    effects
}

/// The withdrawal whose details are in front, or that stands under the cursor of the list.
pub fn in_front(model: &Model) -> Option<&Withdrawal> {
    match model.layers.last() {
        Some(Layer::Withdrawal(withdrawal)) => Some(withdrawal),
        Some(Layer::Withdraw(Flow::Outcome(outcome))) => Some(&outcome.withdrawal),
        None if model.pane == Pane::Withdrawals => model.withdrawals.list.selected(),
        _ => None,
    }
}

/// The question that is open, also while the help lies over it.
pub fn question(model: &mut Model) -> Option<&mut SendQuestion> {
    model.layers.iter_mut().rev().find_map(|layer| match layer {
        Layer::Send(question) => Some(&mut **question),
        _ => None,
    })
}

/// Asks for the fee again where the one that was agreed went stale.
pub fn pulse(model: &mut Model) -> Vec<Effect> {
    let now = model.now.wall;
    let Some(Layer::Send(open)) = model.layers.last() else { return vec![] };
    let is_prepared = model.state_of(&open.withdrawal) == WithdrawalState::Prepared;
    let is_due = open.standing().is_some_and(|quote| !quote.is_fresh(now));
    if !is_prepared || !is_due {
        return vec![];
    }
    let (wait, amount) = (model.wait(), open_amount(model));
    if let Some(question) = question(model) {
        question.fee = Fee::Asking(wait);
    }
    amount.map(|amount| Effect::Quote { ticket: wait.ticket, amount }).into_iter().collect()
}

fn open_amount(model: &mut Model) -> Option<crate::trade::Money> {
    question(model).map(|question| question.withdrawal.agreement.amount)
}

/// The fee came, or the reason why there is none; false when nobody asked for it here.
pub fn quoted(model: &mut Model, ticket: Ticket, result: &Result<Quote, NoQuote>) -> bool {
    let armed_at_ms = model.now.boot_ms + DEAD_MS;
    let Some(question) = question(model) else { return false };
    if !matches!(question.fee, Fee::Asking(wait) if wait.ticket == ticket) {
        return false;
    }
    let amount = question.withdrawal.agreement.amount;
    let agreed = question.withdrawal.agreement.quote.as_ref();
    let is_same = |quote: &Quote| agreed.is_some_and(|a| (a.fee, a.net) == (quote.fee, quote.net));
    question.fee = match result {
        Ok(quote) if quote.amount == amount && is_same(quote) => Fee::Same(quote.clone()),
        Ok(quote) if quote.amount == amount => Fee::Other(QuoteState::Shown(quote.clone())),
        Ok(_) => {
            let why = NoQuote::Fault(crate::trade::QuoteFault::Missing);
            Fee::Other(QuoteState::Failed { amount, why })
        }
        Err(why) => Fee::Other(QuoteState::Failed { amount, why: why.clone() }),
    };
    question.focus = ReviewFocus::Back;
    question.armed_at_ms = question.armed_at_ms.max(armed_at_ms);
    look_anew(model);
    if let Err(NoQuote::Failure(failure)) = result {
        note_entry(model, Some(failure));
    }
    true
}

/// The journal answered what should be mentioned; `None` when it was asked for something else.
pub fn reviewed(
    model: &mut Model,
    key: IdempotencyKey,
    past: &Result<Past, JournalTrouble>,
) -> Option<Vec<Effect>> {
    let armed_at_ms = model.now.boot_ms + DEAD_MS;
    let question = question(model).filter(|open| open.withdrawal.agreement.key == key)?;
    match past {
        Ok(past) => {
            question.past = Some(past.clone());
            question.armed_at_ms = armed_at_ms;
            look_anew(model);
            Some(vec![])
        }
        Err(trouble) => {
            let may_pass = trouble.may_pass();
            model.withdrawals.trouble = Some(trouble.clone());
            model.layers.retain(|layer| !matches!(layer, Layer::Send(_)));
            say(model, Said::Sending(Failure::Journal(trouble.clone())));
            Some(if may_pass { reload_withdrawals(model) } else { vec![] })
        }
    }
}

/// Something was heard that the question may have to say, or to say no more.
pub fn look_anew(model: &mut Model) {
    let Some(open) = question(model).map(|open| open.clone()) else { return };
    let why = reasons(model, &open);
    let said: Vec<_> = open.retype.iter().flat_map(|retype| &retype.why).collect();
    if said.len() == why.len() && said.iter().zip(&why).all(|(said, why)| said.is_same(why)) {
        return;
    }
    let armed_at_ms = model.now.boot_ms + DEAD_MS;
    if let Some(open) = question(model) {
        // What was typed before this was known agreed to something else.
        open.retype = (!why.is_empty()).then(|| Retype { why, field: AmountField::default() });
        open.focus = ReviewFocus::Back;
        open.armed_at_ms = open.armed_at_ms.max(armed_at_ms);
    }
}

/// Everything that is not as usual, the gravest first.
fn reasons(model: &Model, open: &SendQuestion) -> Vec<WhyRetype> {
    if matches!(open.fee, Fee::Other(_)) {
        // It is not sent: the review that comes then says its own.
        return vec![];
    }
    let beside = other_open(model, &open.withdrawal);
    let beside = beside.map(|other| WhyRetype::AnotherOpen(Box::new(other.clone())));
    let past = open.past.iter().flat_map(|past| &past.similar);
    let key = open.withdrawal.agreement.key;
    let elsewhere = same_open_elsewhere(model, &open.withdrawal.agreement);
    let elsewhere = elsewhere.map(|same| WhyRetype::SameOpenElsewhere(Box::new(same.clone())));
    let past = past.filter(|same| same.agreement.key != key);
    let same = past.map(|same| WhyRetype::SameWithinADay(Box::new(same.clone())));
    let is_first = model.state_of(&open.withdrawal) == WithdrawalState::Prepared;
    let quote = open.withdrawal.agreement.quote.as_ref();
    let quote = if is_first { of_quote(quote) } else { vec![] };
    beside.chain(elsewhere).chain(same).chain(quote).collect()
}

/// The withdrawal was heard of: the question is about what it is now, or is gone.
pub fn follow(model: &mut Model, now: &Withdrawal) {
    if let Some(open) = question(model).filter(|open| {
        open.withdrawal.agreement.key == now.agreement.key && open.withdrawal != *now
    }) {
        open.withdrawal.clone_from(now);
    }
}

/// Takes the question away when nothing can be sent any more.
pub fn drop_what_is_over(model: &mut Model) {
    let Some(open) = question(model).map(|open| open.clone()) else { return };
    let is_over =
        matches!(against(model, &open.withdrawal), Some(Against::State | Against::Window(_)));
    if is_over && !open.discarding {
        model.layers.retain(|layer| !matches!(layer, Layer::Send(_)));
    }
}

/// Moves the focus around.
pub fn move_focus(open: &mut SendQuestion, forward: bool) {
    open.focus = open.focus.moved(open.retype.is_some(), forward);
}

/// Presses what has the focus.
pub fn press(model: &mut Model) -> Vec<Effect> {
    let (can_agree, is_seen) = (offers::can_agree(model), seen::may_press(model));
    let now = model.now.clone();
    let Some(Layer::Send(open)) = model.layers.last_mut() else { return vec![] };
    match open.focus {
        ReviewFocus::Back => leave::drop_top(model),
        ReviewFocus::Amount => {
            open.focus = ReviewFocus::Confirm;
            vec![]
        }
        ReviewFocus::Confirm if can_agree && is_seen && open.may_confirm(now.boot_ms, now.wall) => {
            confirm(model)
        }
        ReviewFocus::Confirm => vec![],
    }
}

fn confirm(model: &mut Model) -> Vec<Effect> {
    let Some(open) = question(model).map(|open| open.clone()) else { return vec![] };
    let key = open.withdrawal.agreement.key;
    match against(model, &open.withdrawal) {
        None | Some(Against::Entry(_)) => {}
        Some(_) => return vec![],
    }
    if matches!(open.fee, Fee::Other(_)) {
        if let Some(open) = question(model) {
            open.discarding = true;
        }
        return vec![Effect::Decide { key, choice: Decision::Discarded }];
    }
    if let Some(missing) = missing_entry(model) {
        return ask_entry(model, missing, Failure::NoCredential(missing));
    }
    let is_its = |layer: &Layer| match layer {
        Layer::Send(_) => true,
        Layer::Withdrawal(shown) => shown.agreement.key == key,
        Layer::Withdraw(Flow::Outcome(outcome)) => outcome.withdrawal.agreement.key == key,
        _ => false,
    };
    model.layers.retain(|layer| !is_its(layer));
    let wait = model.wait();
    let withdrawal = Box::new(open.withdrawal);
    model.layers.push(Layer::Withdraw(Flow::Sending { withdrawal, wait }));
    model.withdrawals.in_flight = Some(key);
    vec![Effect::Attempt(key)]
}

/// The old one is discarded: the same is reviewed anew, at the fee of now and under a new key.
pub fn replaced(model: &mut Model, key: IdempotencyKey, stamp: &Stamp) -> Vec<Effect> {
    let is_it = |layer: &Layer| match layer {
        Layer::Send(open) => open.discarding && open.withdrawal.agreement.key == key,
        _ => false,
    };
    let Some(at) = model.layers.iter().position(is_it) else { return vec![] };
    let is_on_top = at + 1 == model.layers.len();
    let Layer::Send(open) = model.layers.remove(at) else { return vec![] };
    let draft = draft(&model.setup.contract, &open);
    model.layers.insert(at, Layer::Withdraw(Flow::Form(Box::new(draft))));
    let mut effects = destinations::ask(model);
    if is_on_top {
        effects.extend(review::open(model, stamp));
    }
    effects
}

/// The old one could not be discarded: nothing has changed.
pub fn not_replaced(model: &mut Model, key: IdempotencyKey) {
    if let Some(open) = question(model).filter(|open| open.withdrawal.agreement.key == key) {
        open.discarding = false;
    }
}

/// What was agreed, as if it had been typed.
fn draft(contract: &Contract, open: &SendQuestion) -> Draft {
    let agreement = &open.withdrawal.agreement;
    let mut form = declared::form(&contract.withdrawal.form, "withdrawal");
    declared::fill(&mut form, &contract.withdrawal.form, agreement);
    let quote = match &open.fee {
        Fee::Other(quote) => quote.clone(),
        _ => QuoteState::None,
    };
    let (known, first_quote) = (Known::default(), agreement.quote.clone());
    Draft { form, known, quote, first_quote, refused: None }
}

impl SendQuestion {
    /// The quote that stands: the one that was agreed, or the same as it was said again.
    pub fn standing(&self) -> Option<&Quote> {
        match &self.fee {
            Fee::AsAgreed => self.withdrawal.agreement.quote.as_ref(),
            Fee::Same(quote) => Some(quote),
            Fee::Asking(_) | Fee::Other(_) => None,
        }
    }

    /// Whether the button would do it now, where it is in sight.
    pub fn may_confirm(&self, now_ms: u64, now: Wall) -> bool {
        let is_first = !self.may_have_left();
        let fee_stands = match &self.fee {
            Fee::Asking(_) => false,
            Fee::Other(_) => true,
            Fee::AsAgreed | Fee::Same(_) => {
                !is_first || self.standing().is_none_or(|quote| quote.is_fresh(now))
            }
        };
        now_ms >= self.armed_at_ms && fee_stands && self.is_retyped() && !self.discarding
    }

    /// The other withdrawal that is named first.
    pub fn named(&self) -> Option<&Withdrawal> {
        self.retype.as_ref()?.why.iter().find_map(WhyRetype::other)
    }

    /// Whether a send of it may have gone through.
    pub fn may_have_left(&self) -> bool {
        self.withdrawal.attempts.iter().any(crate::trade::withdrawal::Attempt::is_unclear)
    }

    /// Whether the amount was typed again, where it must be.
    pub fn is_retyped(&self) -> bool {
        let amount = self.withdrawal.agreement.amount;
        self.retype.as_ref().is_none_or(|retype| retype.field.money() == Some(amount))
    }
}
