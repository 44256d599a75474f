//! The form of a withdrawal, and the quote of its amount: asked for as the amount is typed, and
//! again when it went stale.

mod destinations;
pub mod known;
pub mod show;

use super::counting::to_next_age;
use std::time::Duration;

use crate::app::cx::Cx;
use crate::app::screen::in_form;
use crate::app::screens::withdrawals::draft::known::{Known, typed_key};
use crate::app::store::entry;
use crate::app::store::withdrawals::QuoteState;
use crate::app::store::withdrawals::answers::Refused;
use crate::app::store::withdrawals::rules::locked;
use crate::app::ui::action::Action;
use crate::app::ui::declared;
use crate::app::ui::form::{Entry, Field, Form, Hint};
use crate::app::{Effect, Store, to_next_second};
use crate::contract::FieldKind;
use crate::trade::withdrawal::{Agreement, Clash, ClashKind};
use crate::trade::{NoQuote, PixKey, Quote, Ticket, Withdrawal};

/// The time the typing rests before the quote is asked for.
pub const REST_MS: u64 = 300;

/// The withdrawal as it is typed.
#[derive(Debug, Clone)]
pub struct Draft {
    /// The contract's declared fields.
    pub form: Form,
    /// The destinations that are offered.
    pub known: Known,
    /// The cost, as far as the service said it.
    pub quote: QuoteState,
    /// The first quote for this amount: a later figure that differs is pointed out.
    pub first_quote: Option<Quote>,
    /// The reason it may not go to the review.
    pub refused: Option<Refused>,
}

impl Draft {
    /// The empty form, or one to the destination of a withdrawal that is repeated: its amount is
    /// typed anew.
    pub fn open(cx: &mut Cx, to: Option<&PixKey>) -> Draft {
        let form = declared::form(&cx.store.setup.contract.withdrawal.form, "withdrawal");
        let refused = locked(cx.store);
        let (known, quote) = (Known::default(), QuoteState::None);
        let mut draft = Draft { form, known, quote, first_quote: None, refused };
        if let Some(key) = to {
            draft.pay_to(&cx.store.setup.contract, key);
            // The amount is what is typed now; nothing of the seller's is lost by leaving yet.
            let is_amount = |field: &Field| matches!(field.entry, Entry::Amount(_));
            draft.form.focus = draft.form.fields.iter().position(is_amount).unwrap_or(0);
            draft.form.touched = false;
        }
        draft.ask_known(cx);
        entry::ask_first(cx, cx.store.setup.contract.withdrawal.call.credential);
        draft
    }

    /// Opens a form with what was agreed before, as if typed, and what is known of its fee now.
    pub fn again(cx: &mut Cx, agreement: &Agreement, quote: QuoteState) -> Draft {
        let spec = &cx.store.setup.contract.withdrawal.form;
        let mut form = declared::form(spec, "withdrawal");
        declared::fill(&mut form, spec, agreement);
        let (known, first_quote) = (Known::default(), agreement.quote.clone());
        let mut draft = Draft { form, known, quote, first_quote, refused: None };
        draft.ask_known(cx);
        draft
    }

    /// The contract was taught: the form is made of its fields, and a quote that failed is asked
    /// for once more.
    pub fn taught(&mut self, store: &Store) {
        let spec = &store.setup.contract.withdrawal.form;
        self.form = declared::renewed(&self.form, spec, "withdrawal");
        self.ask_again(store);
    }

    /// Returns the actions it offers.
    pub fn actions(&self, store: &Store) -> Vec<Action> {
        let mut offered = in_form(&self.form, None);
        if self.named().is_some() {
            // The way on, where it goes no further.
            offered.insert(1, Action::ShowOther);
        }
        let failed = matches!(self.quote, QuoteState::Failed { .. });
        offered.extend(failed.then_some(Action::AskFee));
        if self.has_known_in_view(&store.setup.contract) {
            offered.extend([Action::NextKnown, Action::PrevKnown]);
        }
        offered.extend(self.quote.shown().map(|_| Action::AskFee));
        offered
    }

    /// The other withdrawal that stands in its way.
    pub fn named(&self) -> Option<&Withdrawal> {
        self.clash().map(|clash| &*clash.other)
    }

    fn clash(&self) -> Option<&Clash> {
        match &self.refused {
            Some(Refused::Clash(clash) | Refused::LookAgain(Some(clash))) => Some(clash),
            _ => None,
        }
    }

    /// Something was typed.
    pub fn edited(&mut self, cx: &mut Cx) {
        let contract = cx.store.setup.contract.clone();
        self.narrow_known(&contract);
        declared::hint_kind(&mut self.form, &contract.withdrawal.form, false);
        self.amount_edited(cx)
    }

    /// Says under the key what the seller calls it, where nothing else is to be said there.
    pub fn say_nickname(&mut self, store: &Store) {
        let fields = &store.setup.contract.withdrawal.form.fields;
        let Some(declared) = fields.iter().find(|field| field.kind == FieldKind::PixKey) else {
            return;
        };
        let typed = typed_key(&self.form, &store.setup.contract);
        let name = typed.and_then(|key| store.nicknames.of(&store.account(), &key).cloned());
        let Some(field) = self.form.field_mut(&declared.id) else { return };
        field.hint.take_if(|hint| matches!(hint, Hint::Called(_)));
        if field.hint.is_none() {
            field.hint = name.map(Hint::Called);
        }
    }

    /// The quote follows the amount, and nothing else.
    pub fn amount_edited(&mut self, cx: &mut Cx) {
        self.refused = None;
        let amount = self.form.money();
        if amount == self.quote.amount() {
            return;
        }
        if let Some(ticket) = self.asked() {
            cx.perform(Effect::Cancel(ticket));
        }
        self.first_quote = None;
        self.quote = match amount {
            Some(amount) => QuoteState::Due { amount, at_ms: cx.store.now.boot_ms + REST_MS },
            None => QuoteState::None,
        };
    }

    /// Returns the question for its quote, while it is under way.
    pub fn asked(&self) -> Option<Ticket> {
        match &self.quote {
            QuoteState::Asking { wait, .. } => Some(wait.ticket),
            _ => None,
        }
    }

    /// Asks for the quote when the typing has rested, and again when it went stale.
    pub fn ask_when_due(&mut self, cx: &mut Cx) {
        let wanted = match &self.quote {
            QuoteState::Due { amount, at_ms } if cx.store.now.boot_ms >= *at_ms => *amount,
            QuoteState::Shown(quote) if !quote.is_fresh(cx.store.now.wall) => quote.amount,
            _ => return,
        };
        let wait = cx.store.wait();
        self.quote = QuoteState::Asking { amount: wanted, wait };
        cx.perform(Effect::Quote { ticket: wait.ticket, amount: wanted })
    }

    /// Asks once more for a quote that failed for want of a credential that is there now.
    pub fn ask_once_more(&mut self, store: &Store) {
        if let QuoteState::Failed { amount, why: NoQuote::Failure(_) } = self.quote {
            self.quote = QuoteState::Due { amount, at_ms: store.now.boot_ms };
        }
    }

    /// The seller asks again: for a quote that did not come or made no sense, and for one that is
    /// still good, which is no longer there to be agreed to until the answer comes.
    pub fn ask_again(&mut self, store: &Store) {
        let amount = match &self.quote {
            QuoteState::Failed { amount, .. } => *amount,
            QuoteState::Shown(quote) => quote.amount,
            QuoteState::None | QuoteState::Due { .. } | QuoteState::Asking { .. } => return,
        };
        self.refused = None;
        self.quote = QuoteState::Due { amount, at_ms: store.now.boot_ms };
    }

    /// Takes a quote, or the reason why there is none; true when it was asked for here.
    pub fn quoted(
        &mut self,
        store: &mut Store,
        ticket: Ticket,
        result: &Result<Quote, NoQuote>,
    ) -> bool {
        let QuoteState::Asking { amount, wait } = self.quote else { return false };
        if wait.ticket != ticket {
            return false;
        }
        self.quote = QuoteState::answered(amount, result);
        if matches!(self.refused, Some(Refused::QuoteNotThere | Refused::QuoteWrong(_))) {
            self.refused = None;
        }
        if self.first_quote.is_none() {
            self.first_quote = self.quote.shown().cloned();
        }
        // What is being typed is not interrupted: the way on asks for the login.
        if let QuoteState::Failed { why: NoQuote::Failure(failure), .. } = &self.quote {
            store.session.note(Some(failure));
        }
        true
    }

    /// The first quote of this amount, where the service says something else now.
    pub fn other_quote_before(&self) -> Option<&Quote> {
        let (first, now) = (self.first_quote.as_ref()?, self.quote.shown()?);
        ((first.fee, first.net) != (now.fee, now.net)).then_some(first)
    }

    /// Drops a refusal because of another withdrawal that is open no more.
    pub fn forget_old_refusal(&mut self, store: &Store) {
        let Some(clash) = self.clash() else { return };
        let key = clash.other.agreement.key;
        let is_open = store.withdrawals.open.iter().any(|open| open.agreement.key == key);
        if clash.kind != ClashKind::SameDecided && !is_open {
            self.refused = None;
        }
    }

    /// Returns the time until the quote is to be asked for, or another age of it is shown.
    pub fn next_deadline(&self, store: &Store) -> Option<Duration> {
        let now_ms = store.now.boot_ms;
        match &self.quote {
            QuoteState::Due { at_ms, .. } => {
                Some(Duration::from_millis(at_ms.saturating_sub(now_ms)))
            }
            QuoteState::Asking { wait, .. } => Some(to_next_second(wait.since_ms, now_ms)),
            QuoteState::Shown(quote) => Some(to_next_age(store, quote)),
            QuoteState::None | QuoteState::Failed { .. } => None,
        }
    }
}
