//! The form of a withdrawal, and the quote of its amount: asked for as the amount is typed, and
//! again when it went stale.

pub mod show;

use std::sync::Arc;
use std::time::Duration;

use super::details::to_next_age;
use crate::app::cx::Cx;
use crate::app::screen::in_form;
use crate::app::store::entry;
use crate::app::store::withdrawals::QuoteState;
use crate::app::store::withdrawals::Refused;
use crate::app::store::withdrawals::rules::{account, locked};
use crate::app::ui::action::Action;
use crate::app::ui::declared;
use crate::app::ui::form::{Entry, Field, Form, Hint};
use crate::app::{Effect, MoneyCommand, Store, to_next_second};
use crate::contract::{self, Contract, FieldKind};
use crate::trade::withdrawal::{Agreement, Clash, ClashKind, Destination};
use crate::trade::{JournalTrouble, NoQuote, PixKey, PixKeyKind, Quote, Ticket, Withdrawal};

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

/// The most destinations that are offered: a list in the model is a window.
pub const MOST_KNOWN: usize = 200;

/// The destinations that are offered, the most used first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Known {
    /// The journal was asked.
    asked: Option<Ticket>,
    /// All of them.
    pub all: Arc<[Destination]>,
    /// The text that was typed as the key: only those that hold it are offered.
    typed: String,
    /// The place, among the offered ones, of the one that stands in the form now.
    pub chosen: Option<usize>,
}

impl Known {
    /// Returns those that are offered: they hold what was typed.
    pub fn offered(&self) -> impl Iterator<Item = &Destination> {
        let typed = letters(&self.typed);
        self.all.iter().filter(move |known| letters(known.key.as_str()).contains(&typed))
    }

    /// Makes the destinations of a model for the tests of the screens.
    pub fn new(all: Vec<Destination>, chosen: Option<usize>) -> Known {
        Known { all: all.into(), chosen, ..Known::default() }
    }
}

/// Without the points and dashes that are typed or not.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric() || *c == '@').flat_map(char::to_lowercase).collect()
}

/// The names of the fields for the kind and the key; `None` where the service has a key on file.
fn fields(contract: &Contract) -> Option<[&str; 2]> {
    let fields = &contract.withdrawal.form.fields;
    let named = |kind| fields.iter().find(|field| field.kind == kind).map(|field| &*field.id);
    Some([named(FieldKind::PixKeyKind)?, named(FieldKind::PixKey)?])
}

/// Returns the place of this destination's kind among the kinds of the form.
fn kind_at(form: &Form, to: &PixKey) -> Option<usize> {
    let id = contract::key_kind_id(to.kind());
    form.fields.iter().find_map(|field| match &field.entry {
        Entry::Choice { options, .. } => options.iter().position(|option| &*option.value == id),
        _ => None,
    })
}

/// Returns the key that stands in the form, where it is one of the chosen kind.
fn typed_key(form: &Form, contract: &Contract) -> Option<PixKey> {
    let [kind, key] = fields(contract)?;
    let chosen = form.value(kind);
    let kind = PixKeyKind::ALL.into_iter().find(|kind| contract::key_kind_id(*kind) == chosen)?;
    PixKey::parse(kind, &form.value(key)).ok()
}

impl Draft {
    /// Asks the journal for them, where the contract has a destination at all.
    pub fn ask_known(&mut self, cx: &mut Cx) {
        if fields(&cx.store.setup.contract).is_none() {
            return;
        }
        let (ticket, account) = (cx.store.ticket(), account(cx.store));
        self.known.asked = Some(ticket);
        cx.perform(Effect::Money(MoneyCommand::LoadDestinations { ticket, account }))
    }

    /// Takes the journal's answer; a trouble of it is shown where it stands in the way.
    pub fn known_loaded(
        &mut self,
        ticket: Ticket,
        result: &Result<Vec<Destination>, JournalTrouble>,
    ) {
        if self.known.asked != Some(ticket) {
            return;
        }
        // A kind that the contract has no word for cannot be paid to.
        let payable = |known: &&Destination| kind_at(&self.form, &known.key).is_some();
        let all: Vec<_> = result.iter().flatten().filter(payable).cloned().collect();
        self.known.all = all.into();
    }

    /// Returns true when the focus stands where a destination is typed or chosen.
    pub fn has_known_in_view(&self, contract: &Contract) -> bool {
        let focused = self.form.focused().map(|field| &*field.name);
        let here =
            fields(contract).is_some_and(|names| names.iter().any(|name| Some(*name) == focused));
        here && self.known.offered().next().is_some()
    }

    /// Something was typed: a key that is typed narrows what is offered.
    pub fn narrow_known(&mut self, contract: &Contract) {
        let Some(names) = fields(contract) else { return };
        let focused = self.form.focused().map(|field| field.name.clone()).unwrap_or_default();
        if names.contains(&&*focused) {
            self.known.chosen = None;
        }
        if *focused == *names[1] {
            self.known.typed = self.form.value(names[1]);
        }
    }

    /// Puts the next offered destination, or the one before, into the form: its kind and its key.
    pub fn choose_known(&mut self, cx: &mut Cx, forward: bool) {
        let count = self.known.offered().count();
        let Some(last) = count.checked_sub(1) else { return };
        let at = match (self.known.chosen, forward) {
            (None, true) => 0,
            (None, false) => last,
            (Some(at), true) => (at + 1) % count,
            (Some(at), false) => at.checked_sub(1).unwrap_or(last),
        };
        let Some(destination) = self.known.offered().nth(at).cloned() else { return };
        if !self.pay_to(&cx.store.setup.contract, &destination.key) {
            return;
        }
        self.known.chosen = Some(at);
        self.amount_edited(cx)
    }

    /// Puts a destination into the form, its kind and its key; false where the contract has no
    /// fields for them, or no word for the kind.
    pub fn pay_to(&mut self, contract: &Contract, to: &PixKey) -> bool {
        let Some([kind, key]) = fields(contract) else { return false };
        let Some(kind_at) = kind_at(&self.form, to) else { return false };
        self.form.choose(kind, kind_at);
        self.form.replace(key, to.as_str());
        true
    }
}
