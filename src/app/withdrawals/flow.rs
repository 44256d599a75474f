//! The way of a withdrawal from a form to an outcome.
//!
//! One key for one agreement: it is minted when the review opens and never again. A changed draft
//! is a new [`review`](super::review) and a new key; a resend is the same agreement and the same
//! key.

use crate::app::declared;
use crate::app::layer::{Layer, Question};
use crate::app::update::{ask_jwt_first, reload_withdrawals};
use crate::app::{Effect, Model, Wait, act};
use crate::trade::withdrawal::{Agreement, Attempt, Clash, ClashKind, NotSent, WithdrawalState};
use crate::trade::{
    Account, CredentialKind, Failure, IdempotencyKey, JournalTrouble, Ticket, Withdrawal,
};

use super::destinations::{self, Known};
use super::{Draft, Flow, Outcome, QuoteState, Refused, Review, quote, send};

/// Opens the form.
pub fn new(model: &mut Model) -> Vec<Effect> {
    let form = declared::form(&model.setup.contract.withdrawal.form, "withdrawal");
    let refused = locked(model);
    let (known, quote) = (Known::default(), QuoteState::None);
    let draft = Draft { form, known, quote, first_quote: None, refused };
    act::open(model, Layer::Withdraw(Flow::Form(Box::new(draft))));
    let mut effects = destinations::ask(model);
    effects.extend(ask_jwt_first(model, model.setup.contract.withdrawal.call.credential));
    effects
}

/// Why no withdrawal at all can go on now.
pub(super) fn locked(model: &Model) -> Option<Refused> {
    if let Some(trouble) = &model.withdrawals.trouble {
        return Some(Refused::Journal(trouble.clone()));
    }
    if !model.withdrawals.beside.is_empty() {
        return Some(Refused::OtherJournal);
    }
    if let Some(network) = model.withdrawals.network {
        return Some(Refused::Journal(JournalTrouble::Network(network.to_owned())));
    }
    let mismatch =
        open_here(model).find(|w| matches!(model.state_of(w), WithdrawalState::Mismatch(_)));
    mismatch.map(|other| Refused::Clash(clash(ClashKind::Mismatch, other)))
}

/// Whose money a withdrawal takes: the credential that it is sent with says so, and no other.
pub(super) fn account(model: &Model) -> Account {
    let kind = model.setup.contract.withdrawal.call.credential;
    let identity = kind.and_then(|kind| model.session.credential(kind).identity());
    Account { origin: model.setup.origin.clone(), identity: identity.unwrap_or_default().into() }
}

/// The credential that withdrawals are sent with, if it is not at hand.
///
/// Unlike elsewhere an unread vault counts as none: the agreement names whose money it is.
pub(super) fn missing_entry(model: &Model) -> Option<CredentialKind> {
    let kind = model.setup.contract.withdrawal.call.credential;
    kind.filter(|kind| !model.session.credential(*kind).is_good(model.now.wall))
}

/// Where a withdrawal may be sent from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Belongs {
    /// Here, as far as anybody knows: this address, and no other login.
    Here,
    /// To another login at this address.
    OtherLogin,
    /// To another address.
    OtherAddress,
}

/// Where a withdrawal may be sent from: its own address, as it was written, and its own login.
pub fn belongs(model: &Model, withdrawal: &Withdrawal) -> Belongs {
    let (wanted, here) = (&withdrawal.agreement.account, account(model));
    if wanted.origin != here.origin {
        return Belongs::OtherAddress;
    }
    let kind = model.setup.contract.withdrawal.call.credential;
    let is_in = kind.is_some_and(|kind| model.session.credential(kind).identity().is_some());
    if is_in && wanted.identity != here.identity { Belongs::OtherLogin } else { Belongs::Here }
}

/// The open withdrawals of the account that is logged in.
pub(super) fn open_here(model: &Model) -> impl Iterator<Item = &Withdrawal> {
    let account = account(model);
    model.withdrawals.open.iter().filter(move |w| w.agreement.account.has_owner_of(&account))
}

pub(super) fn clash(kind: ClashKind, other: &Withdrawal) -> Clash {
    Clash { kind, other: Box::new(other.clone()) }
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
            let meanwhile = match &refused {
                Refused::LookAgain(Some(clash)) => Some((*clash.other).clone()),
                _ => None,
            };
            if let Flow::Preparing { draft, .. } = flow {
                let mut draft = draft.clone();
                draft.refused = Some(refused);
                *flow = Flow::Form(draft);
            }
            if let Some(other) = meanwhile {
                let is_open = model.state_of(&other).is_open();
                model.withdrawals.note(&other, is_open);
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

/// Whether what comes of a withdrawal will be shown, since its sending was not left.
pub fn is_watched(model: &Model, key: IdempotencyKey) -> bool {
    model.layers.iter().any(|layer| match layer {
        Layer::Withdraw(flow @ (Flow::Sending { .. } | Flow::Outcome(_))) => {
            flow.key() == Some(key)
        }
        _ => false,
    })
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
    send::follow(model, &withdrawal);
}

/// Something was typed into the form.
pub fn edited(model: &mut Model) -> Vec<Effect> {
    destinations::edited(model);
    let contract = model.setup.contract.clone();
    if let Some(draft) = draft(model) {
        declared::hint_kind(&mut draft.form, &contract.withdrawal.form, false);
    }
    quote::edited(model)
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

/// What would be agreed to in the review that is open, or sent by the question that is.
pub fn agreement_in_review(model: &Model) -> Option<&Agreement> {
    model.layers.iter().rev().find_map(|layer| match layer {
        Layer::Withdraw(Flow::Review(review)) => Some(&review.agreement),
        Layer::Send(question) => Some(&question.withdrawal.agreement),
        _ => None,
    })
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
