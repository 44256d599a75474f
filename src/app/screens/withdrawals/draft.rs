//! The draft of a withdrawal: its form, the fee quote for its amount, and the earlier destinations
//! to choose from.
//!
//! The fee quote is requested when typing pauses, and again when it becomes outdated.

pub mod show;

use std::time::Duration;

use super::details::to_next_age;
use crate::app::cx::Cx;
use crate::app::screen::in_form;
use crate::app::store::credentials;
use crate::app::store::withdrawals::QuoteState;
use crate::app::store::withdrawals::Refused;
use crate::app::store::withdrawals::rules::{account, locked};
use crate::app::ui::action::Action;
use crate::app::ui::declared;
use crate::app::ui::form::{Entry, Field, Form, Hint};
use crate::app::ui::known::{Known, KnownValue, letters};
use crate::app::{Effect, MoneyCommand, Store, to_next_second};
use crate::contract::{self, Contract, FieldKind};
use crate::trade::withdrawal::{Agreement, Clash, ClashKind, Destination};
use crate::trade::{JournalTrouble, NoQuote, PixKey, PixKeyKind, Quote, Ticket, Withdrawal};

/// How long typing must pause, in milliseconds, before the fee quote is requested.
pub const REST_MS: u64 = 300;

/// The withdrawal that the seller is entering into the form.
#[derive(Debug, Clone)]
pub struct Draft {
    /// The form. The API contract declares its fields.
    pub form: Form,
    /// The destinations of earlier withdrawals that the seller can choose from.
    pub known: KnownDestinations,
    pub quote: QuoteState,
    /// The first fee quote for this amount, so that the form can point out a later quote that
    /// differs.
    pub first_quote: Option<Quote>,
    /// The reason the review screen could not be opened.
    pub refused: Option<Refused>,
}

impl Draft {
    /// Opens the form. If `to` is given, the form is prefilled with this destination, and the
    /// seller types only the amount.
    pub fn open(cx: &mut Cx, to: Option<&PixKey>) -> Draft {
        let form = declared::form(&cx.store.setup.contract.withdrawal.form, "withdrawal");
        let refused = locked(cx.store);
        let (known, quote) = (KnownDestinations::default(), QuoteState::None);
        let mut draft = Draft { form, known, quote, first_quote: None, refused };
        if let Some(key) = to {
            draft.pay_to(&cx.store.setup.contract, key);
            // Only the destination was prefilled, so closing the form loses nothing yet.
            let is_amount = |field: &Field| matches!(field.entry, Entry::Amount(_));
            draft.form.focus = draft.form.fields.iter().position(is_amount).unwrap_or(0);
            draft.form.touched = false;
        }
        draft.ask_known(cx);
        credentials::ask_first(cx, cx.store.setup.contract.withdrawal.call.credential);
        draft
    }

    /// Opens the form, prefilled from an earlier withdrawal, with the current state of its fee
    /// quote.
    pub fn again(cx: &mut Cx, agreement: &Agreement, quote: QuoteState) -> Draft {
        let spec = &cx.store.setup.contract.withdrawal.form;
        let mut form = declared::form(spec, "withdrawal");
        declared::fill(&mut form, spec, agreement);
        let (known, first_quote) = (KnownDestinations::default(), agreement.quote.clone());
        let mut draft = Draft { form, known, quote, first_quote, refused: None };
        draft.ask_known(cx);
        draft
    }

    /// Rebuilds the form after the seller corrected the API contract, and requests the fee quote
    /// again.
    pub fn taught(&mut self, store: &Store) {
        let spec = &store.setup.contract.withdrawal.form;
        self.form = declared::rebuilt(&self.form, spec, "withdrawal");
        self.refresh_quote(store);
    }

    pub fn actions(&self, store: &Store) -> Vec<Action> {
        let mut offered = in_form(&self.form, None);
        if self.quote.blocks() {
            // Submitting would be refused because of the fee quote, so offer a new quote instead.
            offered[0] = Action::AskFee;
        }
        if self.named().is_some() {
            // Another withdrawal prevents sending this one, so offer to open it.
            offered.insert(1, Action::ShowOther);
        }
        offered.extend(self.quote.leaves_the_fee_unknown().then_some(Action::AskFee));
        if self.has_known_in_view(store) {
            offered.extend([Action::NextKnown, Action::PrevKnown]);
        }
        offered.extend(self.quote.shown().map(|_| Action::AskFee));
        offered
    }

    /// Returns the other withdrawal that prevents sending this one.
    pub fn named(&self) -> Option<&Withdrawal> {
        self.clash().map(|clash| &*clash.other)
    }

    fn clash(&self) -> Option<&Clash> {
        match &self.refused {
            Some(Refused::Clash(clash) | Refused::LookAgain(Some(clash))) => Some(clash),
            _ => None,
        }
    }

    /// Updates the hints, the offered destinations and the fee quote after the form was edited.
    pub fn edited(&mut self, cx: &mut Cx) {
        let contract = cx.store.setup.contract.clone();
        self.destination_edited(&contract);
        self.amount_edited(cx)
    }

    /// Shows the nickname of the typed Pix key as a hint below the field, unless the field already
    /// has another hint.
    pub fn show_nickname_hint(&mut self, store: &Store) {
        let fields = &store.setup.contract.withdrawal.form.fields;
        let Some(declared) = fields.iter().find(|field| field.kind == FieldKind::PixKey) else {
            return;
        };
        let typed = typed_key(&self.form, &store.setup.contract);
        let name = typed.and_then(|key| store.nicknames.of(&store.account(), &key).cloned());
        let Some(field) = self.form.field_mut(&declared.id) else { return };
        field.hint.take_if(|hint| matches!(hint, Hint::Nickname(_)));
        if field.hint.is_none() {
            field.hint = name.map(Hint::Nickname);
        }
    }

    /// If the amount changed, drops the fee quote, cancels the pending request and schedules a new
    /// one. Other fields do not affect the fee.
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

    /// Marks the fields that are invalid. Returns true if there are none.
    pub fn check(&mut self, store: &Store) -> bool {
        declared::check(&mut self.form, &store.setup.contract.withdrawal.form)
    }

    /// Returns the ticket of the pending request for a fee quote.
    pub fn asked(&self) -> Option<Ticket> {
        match &self.quote {
            QuoteState::Asking { wait, .. } => Some(wait.ticket),
            _ => None,
        }
    }

    /// Requests the fee quote if the typing has paused or the current quote is outdated.
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

    /// Requests the fee quote again after a failure. Called when a new credential or the seller's
    /// agreement may have removed the cause.
    pub fn retry_failed_quote(&mut self, store: &Store) {
        if let QuoteState::Failed { amount, why: NoQuote::Failure(_) } = self.quote {
            self.quote = QuoteState::Due { amount, at_ms: store.now.boot_ms };
        }
    }

    /// Requests a new fee quote on the seller's request. Until it arrives, the withdrawal cannot be
    /// confirmed.
    pub fn refresh_quote(&mut self, store: &Store) {
        let amount = match &self.quote {
            QuoteState::Failed { amount, .. } => *amount,
            QuoteState::Shown(quote) => quote.amount,
            QuoteState::None | QuoteState::Due { .. } | QuoteState::Asking { .. } => return,
        };
        self.refused = None;
        self.quote = QuoteState::Due { amount, at_ms: store.now.boot_ms };
    }

    /// Stores the reply to a request for a fee quote. Returns true if this draft made the request.
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
        if matches!(self.refused, Some(Refused::QuoteNotThere | Refused::QuoteBlocks { .. })) {
            self.refused = None;
        }
        if self.first_quote.is_none() {
            self.first_quote = self.quote.shown().cloned();
        }
        // Do not open the login form now, because that would interrupt the typing. It opens when
        // the withdrawal form is submitted.
        if let QuoteState::Failed { why: NoQuote::Failure(failure), .. } = &self.quote {
            store.session.note(Some(failure));
        }
        true
    }

    /// Returns the first fee quote for this amount, if its fee or net amount differs from the
    /// current quote.
    pub fn other_quote_before(&self) -> Option<&Quote> {
        let (first, now) = (self.first_quote.as_ref()?, self.quote.shown()?);
        ((first.fee, first.net) != (now.fee, now.net)).then_some(first)
    }

    /// Removes the error about a blocking withdrawal once that withdrawal is no longer open.
    pub fn forget_old_refusal(&mut self, store: &Store) {
        let Some(clash) = self.clash() else { return };
        let key = clash.other.agreement.key;
        let is_open = store.withdrawals.open.iter().any(|open| open.agreement.key == key);
        if clash.kind != ClashKind::SameDecided && !is_open {
            self.refused = None;
        }
    }

    /// Returns the time until the next change of the fee quote: a request that is due, or a
    /// displayed age that changes.
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

/// The maximum number of earlier destinations that the form offers.
pub const MOST_KNOWN: usize = 200;

/// The destinations of earlier withdrawals.
pub type KnownDestinations = Known<Destination>;

impl KnownValue for Destination {
    type Store = Store;

    fn fits(&self, store: &Store, typed: &str) -> bool {
        let name = store.nicknames.of(&store.account(), &self.key);
        letters(self.key.as_str()).contains(&letters(typed))
            || name.is_some_and(|name| name.contains(typed))
    }
}

/// Returns the ids of the form fields for the kind of Pix key and for the key itself.
fn fields(contract: &Contract) -> Option<[&str; 2]> {
    let fields = declared::key_fields(&contract.withdrawal.form)?;
    Some(fields.map(|field| field.id.as_str()))
}

/// Returns true if the form can pay to a Pix key of this kind.
fn has_kind(form: &Form, to: &PixKey) -> bool {
    let id = contract::key_kind_id(to.kind());
    form.fields.iter().any(|field| match &field.entry {
        Entry::Choice { options, .. } => options.iter().any(|option| &*option.value == id),
        _ => false,
    })
}

/// Returns the typed Pix key, if it is valid for the chosen kind.
fn typed_key(form: &Form, contract: &Contract) -> Option<PixKey> {
    let [kind, key] = fields(contract)?;
    let chosen = form.value(kind);
    let kind = PixKeyKind::ALL.into_iter().find(|kind| contract::key_kind_id(*kind) == chosen)?;
    PixKey::parse(kind, &form.value(key)).ok()
}

impl Draft {
    /// Requests the earlier destinations from the withdrawal journal, unless the API contract has
    /// no fields for a destination.
    pub fn ask_known(&mut self, cx: &mut Cx) {
        if fields(&cx.store.setup.contract).is_none() {
            return;
        }
        let (ticket, account) = (cx.store.ticket(), account(cx.store));
        self.known.asked = Some(ticket);
        cx.perform(Effect::Money(MoneyCommand::LoadDestinations { ticket, account }))
    }

    /// Stores the earlier destinations. If they could not be loaded, the list stays empty without
    /// an error, because it is only a convenience.
    pub fn known_loaded(
        &mut self,
        ticket: Ticket,
        result: &Result<Vec<Destination>, JournalTrouble>,
    ) {
        if self.known.asked != Some(ticket) {
            return;
        }
        // Offer only Pix keys of a kind that the API contract supports.
        let payable = |known: &&Destination| has_kind(&self.form, &known.key);
        let all: Vec<_> = result.iter().flatten().filter(payable).cloned().collect();
        self.known.all = all.into();
    }

    /// Returns true if a destination field has the focus and there are earlier destinations to
    /// offer.
    pub fn has_known_in_view(&self, store: &Store) -> bool {
        let focused = self.form.focused().map(|field| &*field.name);
        let names = fields(&store.setup.contract);
        let here = names.is_some_and(|names| names.iter().any(|name| Some(*name) == focused));
        here && self.known.offered(store).next().is_some()
    }

    /// After the Pix key was edited, updates its kind and the offered destinations. After its kind
    /// was chosen, updates the hint.
    fn destination_edited(&mut self, contract: &Contract) {
        let Some([kind, key]) = fields(contract) else { return };
        let focused = self.form.focused().map(|field| field.name.clone()).unwrap_or_default();
        if ![kind, key].contains(&&*focused) {
            return;
        }
        self.known.chosen = None;
        if *focused == *key {
            self.known.typed = self.form.value(key);
        }
        declared::recognise_kind(&mut self.form, &contract.withdrawal.form);
    }

    /// Fills the form with the next or previous destination from the list of earlier ones.
    pub fn choose_known(&mut self, cx: &mut Cx, forward: bool) {
        let Some((at, destination)) = self.known.next(cx.store, forward) else { return };
        if !self.pay_to(&cx.store.setup.contract, &destination.key) {
            return;
        }
        self.known.chosen = Some(at);
        self.amount_edited(cx)
    }

    /// Fills a destination into the form. Returns false if the API contract has no fields for a
    /// destination or does not support this kind of Pix key.
    pub fn pay_to(&mut self, contract: &Contract, to: &PixKey) -> bool {
        let Some([kind, key]) = fields(contract) else { return false };
        if !has_kind(&self.form, to) {
            return false;
        }
        if let Some(field) = self.form.field_mut(kind) {
            field.choose_value(Some(contract::key_kind_id(to.kind())));
            (field.touched, field.error, field.hint) = (false, None, None);
        }
        self.form.replace(key, to.as_str());
        true
    }
}
