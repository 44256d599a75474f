//! The draft of a withdrawal: its form, the fee quote for its amount, and the earlier destinations
//! to choose from.
//!
//! The fee quote is requested when typing pauses, and again when it becomes outdated.

pub mod show;

use std::time::Duration;

use super::details::until_age_changes;
use crate::app::cx::Cx;
use crate::app::screen::form_actions;
use crate::app::store::withdrawals::QuoteState;
use crate::app::store::withdrawals::Refused;
use crate::app::store::withdrawals::rules::{account, find_lock};
use crate::app::store::{credential_trial, credentials, nicknames, unit};
use crate::app::ui::action::Action;
use crate::app::ui::contract_form;
use crate::app::ui::form::{Entry, Form, Hint};
use crate::app::ui::input::{Code, Key};
use crate::app::ui::known::{Known, KnownValue, normalize};
use crate::app::{Effect, MoneyCommand, Store, to_next_second};
use crate::contract::{self, Contract, FieldKind};
use crate::trade::withdrawal::{Agreement, Blocker, Clash, ClashKind, Destination};
use crate::trade::{
    JournalTrouble, NoQuote, Operation, PixKey, PixKeyKind, Quote, Ticket, Withdrawal,
};
use crate::words::dates;

/// How long typing must pause, in milliseconds, before the fee quote is requested.
pub const TYPING_PAUSE_MS: u64 = 300;

/// The withdrawal that the seller is entering into the form.
#[derive(Debug, Clone)]
pub struct Draft {
    /// The form. The API contract declares its fields.
    pub form: Form,
    /// Destinations from earlier withdrawals, offered to fill in the form.
    pub known_destinations: KnownDestinations,
    pub quote: QuoteState,
    /// The first fee quote for this amount. If a later quote differs from it, the review says so.
    pub first_quote: Option<Quote>,
    /// The reason the review screen could not be opened.
    pub refusal: Option<Refused>,
}

impl Draft {
    /// Opens the form. If `destination` is given, the form is prefilled with it, and the seller
    /// types only the amount.
    pub fn open(cx: &mut Cx, destination: Option<&PixKey>) -> Draft {
        let form = contract_form::form(&cx.store.setup.contract.withdrawal.form, "withdrawal");
        let refused = find_lock(cx.store);
        let known = KnownDestinations::default();
        let quote = QuoteState::None;
        let mut draft = Draft {
            form,
            known_destinations: known,
            quote,
            first_quote: None,
            refusal: refused,
        };
        if let Some(key) = destination {
            draft.fill_destination(&cx.store.setup.contract, key);
            // Only the destination was prefilled, so closing the form loses nothing yet.
            draft.form.focus = draft
                .form
                .fields
                .iter()
                .position(|field| matches!(field.entry, Entry::Amount(_)))
                .unwrap_or(0);
            draft.form.touched = false;
        }
        draft.request_known(cx);
        credentials::open_login_if_missing(cx, cx.store.setup.contract.withdrawal.call.credential);
        draft
    }

    /// Opens the form, prefilled from an earlier withdrawal, with the current state of its fee
    /// quote.
    pub fn from_agreement(cx: &mut Cx, agreement: &Agreement, quote: QuoteState) -> Draft {
        let spec = &cx.store.setup.contract.withdrawal.form;
        let mut form = contract_form::form(spec, "withdrawal");
        contract_form::fill_from_agreement(&mut form, spec, agreement);
        let known = KnownDestinations::default();
        let first_quote = agreement.quote.clone();
        let mut draft = Draft {
            form,
            known_destinations: known,
            quote,
            first_quote,
            refusal: None,
        };
        draft.request_known(cx);
        draft
    }

    /// Rebuilds the form after the seller corrected the API contract, and requests the fee quote
    /// again.
    pub fn on_contract_change(&mut self, store: &Store) {
        let spec = &store.setup.contract.withdrawal.form;
        self.form = contract_form::rebuild_form(&self.form, spec, "withdrawal");
        self.refresh_quote(store);
    }

    pub fn actions(&self, store: &Store) -> Vec<Action> {
        let mut offered = form_actions(&self.form, None);
        if self.quote.blocks() && store.unit.doubt.is_none() {
            // Submitting would be refused because of the fee quote, so offer a new quote instead.
            offered[0] = Action::AskFee;
        }
        if self.blocking_withdrawal().is_some() {
            // Another withdrawal prevents this one from being sent, so offer to open the other one.
            offered.insert(1, Action::ShowOther);
        }
        offered.extend(
            self.quote
                .leaves_the_fee_unknown()
                .then_some(Action::AskFee),
        );
        if self.offers_known(store) {
            offered.extend([Action::NextKnown, Action::PrevKnown]);
        }
        offered.extend(self.quote.arrived().map(|_| Action::AskFee));
        offered
    }

    /// The other withdrawal that prevents this one from being sent.
    pub fn blocking_withdrawal(&self) -> Option<&Withdrawal> {
        self.clash().map(|clash| &*clash.other)
    }

    fn clash(&self) -> Option<&Clash> {
        match &self.refusal {
            Some(Refused::Blocked(Blocker::Clash(clash)) | Refused::ReviewAgain(Some(clash))) => {
                Some(clash)
            }
            _ => None,
        }
    }

    /// Updates the hints, the offered destinations and the fee quote after the seller edited the
    /// form.
    pub fn on_edited(&mut self, cx: &mut Cx) {
        let contract = cx.store.setup.contract.clone();
        self.on_destination_change(cx.store, &contract);
        self.on_amount_change(cx)
    }

    /// Shows a hint below the typed Pix key, unless the field already has another hint: how the
    /// text was read, if it is not written like a key, or else the nickname of the key.
    pub fn show_key_hint(&mut self, cx: &mut Cx) {
        let account = cx.store.account();
        let typed_key = typed_key(&self.form, &cx.store.setup.contract);
        if let Some(key) = &typed_key {
            nicknames::look_up(cx, [(&account, key)]);
        }
        let store = &cx.store;
        let fields = &store.setup.contract.withdrawal.form.fields;
        let Some(declared) = fields.iter().find(|field| field.kind == FieldKind::PixKey) else {
            return;
        };
        let hint = typed_key.and_then(|key| {
            let is_plain = PixKey::parse(key.kind(), &self.form.value(&declared.id)).is_ok();
            match store.nicknames.of(&account, &key) {
                _ if !is_plain => Some(Hint::ReadAs(key)),
                nickname => nickname.cloned().map(Hint::Nickname),
            }
        });
        let Some(field) = self.form.field_mut(&declared.id) else {
            return;
        };
        field
            .hint
            .take_if(|hint| matches!(hint, Hint::Nickname(_) | Hint::ReadAs(_)));
        if field.hint.is_none() {
            field.hint = hint;
        }
    }

    /// If the amount changed, drops the fee quote, cancels the pending request and schedules a new
    /// one. Other fields do not affect the fee.
    pub fn on_amount_change(&mut self, cx: &mut Cx) {
        self.refusal = None;
        let amount = self.form.money();
        if amount == self.quote.amount() {
            return;
        }
        if let Some(ticket) = self.pending_quote_ticket() {
            cx.perform(Effect::Cancel(ticket));
        }
        self.first_quote = None;
        self.quote = match amount {
            Some(amount) => QuoteState::Due {
                amount,
                at_ms: cx.store.now.boot_ms + TYPING_PAUSE_MS,
            },
            None => QuoteState::None,
        };
    }

    /// Marks the fields that are invalid. Returns true if there are none.
    pub fn check(&mut self, store: &Store) -> bool {
        contract_form::check(&mut self.form, &store.setup.contract.withdrawal.form)
    }

    /// The ticket of the pending request for a fee quote.
    pub fn pending_quote_ticket(&self) -> Option<Ticket> {
        match &self.quote {
            QuoteState::Asking { wait, .. } => Some(wait.ticket),
            _ => None,
        }
    }

    /// Requests the fee quote if the typing has paused or the current quote is outdated.
    pub fn request_due_quote(&mut self, cx: &mut Cx) {
        let amount = match &self.quote {
            QuoteState::Due { amount, at_ms } if cx.store.now.boot_ms >= *at_ms => *amount,
            QuoteState::Arrived(quote) if !quote.is_fresh(cx.store.now.wall) => quote.amount,
            _ => return,
        };
        let wait = cx.store.wait();
        self.quote = QuoteState::Asking { amount, wait };
        let has_probe = unit::is_probe_due(cx.store, amount);
        unit::on_quote_requested(cx.store, amount, has_probe);
        cx.perform(Effect::Quote {
            ticket: wait.ticket,
            amount,
            has_probe,
        })
    }

    /// Requests the fee quote again after a failure. Called when a new credential or the seller's
    /// agreement may have removed the cause.
    pub fn retry_failed_quote(&mut self, store: &Store) {
        if let QuoteState::Failed {
            amount,
            why: NoQuote::Failure(_),
        } = self.quote
        {
            self.quote = QuoteState::Due {
                amount,
                at_ms: store.now.boot_ms,
            };
        }
    }

    /// Requests a new fee quote on the seller's request. Until it arrives, the withdrawal cannot be
    /// confirmed.
    pub fn refresh_quote(&mut self, store: &Store) {
        let amount = match &self.quote {
            QuoteState::Failed { amount, .. } => *amount,
            QuoteState::Arrived(quote) => quote.amount,
            QuoteState::None | QuoteState::Due { .. } | QuoteState::Asking { .. } => return,
        };
        self.refusal = None;
        self.quote = QuoteState::Due {
            amount,
            at_ms: store.now.boot_ms,
        };
    }

    /// Requests a new fee quote on the seller's request, or asks whether to try the other
    /// credential for it.
    pub fn ask_fee(&mut self, cx: &mut Cx) {
        if !self.ask_to_try_credential(cx) {
            self.refresh_quote(cx.store);
        }
    }

    /// Stores the reply to a request for a fee quote. Returns true if this draft made the request.
    pub fn on_quote(
        &mut self,
        store: &mut Store,
        ticket: Ticket,
        result: &Result<Quote, NoQuote>,
    ) -> bool {
        let QuoteState::Asking { amount, wait } = self.quote else {
            return false;
        };
        if wait.ticket != ticket {
            return false;
        }
        self.quote = QuoteState::answered(amount, result);
        if matches!(
            self.refusal,
            Some(Refused::QuoteNotThere | Refused::QuoteBlocks { .. })
        ) {
            self.refusal = None;
        }
        if self.first_quote.is_none() {
            self.first_quote = self.quote.arrived().cloned();
        }
        // Do not open the login form now, because that would interrupt the typing. It opens when
        // the withdrawal form is submitted.
        if let QuoteState::Failed {
            why: NoQuote::Failure(failure),
            ..
        } = &self.quote
        {
            credential_trial::note(store, Operation::FeePreview, Some(failure));
        }
        true
    }

    /// Takes the fee quote while the form is open. If the form was submitted before the quote was
    /// there, the review opens now.
    pub fn on_quote_in_form(
        &mut self,
        cx: &mut Cx,
        ticket: Ticket,
        result: &Result<Quote, NoQuote>,
    ) {
        let was_submitted = self.refusal == Some(Refused::QuoteNotThere);
        let is_own = self.on_quote(cx.store, ticket, result);
        if is_own && was_submitted && self.quote.arrived().is_some() && cx.is_front {
            cx.press(Action::Submit);
        }
    }

    /// Asks whether to try the other credential for the fee quote. Returns false if there is
    /// nothing to ask.
    pub fn ask_to_try_credential(&self, cx: &mut Cx) -> bool {
        let QuoteState::Failed {
            why: NoQuote::Failure(failure),
            ..
        } = &self.quote
        else {
            return false;
        };
        credential_trial::ask(cx, Operation::FeePreview, failure)
    }

    /// The first fee quote for this amount, if its fee or net amount differs from the current
    /// quote.
    pub fn first_quote_if_changed(&self) -> Option<&Quote> {
        let first = self.first_quote.as_ref()?;
        let current = self.quote.arrived()?;
        ((first.fee, first.net) != (current.fee, current.net)).then_some(first)
    }

    /// Removes the error about a blocking withdrawal once that withdrawal is no longer open.
    pub fn clear_outdated_refusal(&mut self, store: &Store) {
        self.refusal
            .take_if(|refusal| *refusal == Refused::OtherUnit && !unit::is_refuted(store));
        let Some(clash) = self.clash() else { return };
        let key = clash.other.agreement.key;
        let is_open = store
            .withdrawals
            .open
            .iter()
            .any(|open| open.agreement.key == key);
        let ends_when_decided =
            !matches!(clash.kind, ClashKind::SameDecided | ClashKind::SamePrepared);
        if ends_when_decided && !is_open {
            self.refusal = None;
        }
    }

    /// The time until the fee quote must be requested or drawn again, for example because its
    /// displayed age changes.
    pub fn next_deadline(&self, store: &Store) -> Option<Duration> {
        let now_ms = store.now.boot_ms;
        match &self.quote {
            QuoteState::Due { at_ms, .. } => {
                Some(Duration::from_millis(at_ms.saturating_sub(now_ms)))
            }
            QuoteState::Asking { wait, .. } => Some(to_next_second(wait.since_ms, now_ms)),
            QuoteState::Arrived(quote) => Some(until_age_changes(store, quote)),
            QuoteState::None | QuoteState::Failed { .. } => None,
        }
    }
}

/// The maximum number of earlier destinations that the form offers.
pub const MAX_KNOWN: usize = 200;

/// The destinations of earlier withdrawals.
pub type KnownDestinations = Known<Destination>;

impl KnownValue for Destination {
    type Store = Store;

    fn fits(&self, store: &Store, typed: &str) -> bool {
        let nickname = store.nicknames.of(&store.account(), &self.key);
        normalize(self.key.as_str()).contains(&normalize(typed))
            || nickname.is_some_and(|nickname| nickname.contains(typed))
    }
}

/// The ids of two form fields: the kind of Pix key, and the key.
fn key_field_ids(contract: &Contract) -> Option<[&str; 2]> {
    let fields = contract_form::key_fields(&contract.withdrawal.form)?;
    Some(fields.map(|field| field.id.as_str()))
}

/// True if the form offers the kind of this Pix key.
fn supports_kind(form: &Form, key: &PixKey) -> bool {
    let kind_id = contract::key_kind_id(key.kind());
    form.fields.iter().any(|field| match &field.entry {
        Entry::Choice { options, .. } => options.iter().any(|option| &*option.value == kind_id),
        _ => false,
    })
}

/// The typed Pix key, if it is valid for the chosen kind.
fn typed_key(form: &Form, contract: &Contract) -> Option<PixKey> {
    let [kind, key] = key_field_ids(contract)?;
    let chosen = form.value(kind);
    let kind = PixKeyKind::ALL
        .into_iter()
        .find(|kind| contract::key_kind_id(*kind) == chosen)?;
    PixKey::from_typed(kind, &form.value(key)).ok()
}

impl Draft {
    /// Requests the earlier destinations from the withdrawal journal, unless the API contract has
    /// no fields for a destination.
    pub fn request_known(&mut self, cx: &mut Cx) {
        if key_field_ids(&cx.store.setup.contract).is_none() {
            return;
        }
        let ticket = cx.store.next_ticket();
        let account = account(cx.store);
        self.known_destinations.ticket = Some(ticket);
        cx.perform(Effect::Money(MoneyCommand::LoadDestinations {
            ticket,
            account,
        }))
    }

    /// Stores the earlier destinations. If they could not be loaded, the list stays empty without
    /// an error, because it is only a convenience.
    pub fn on_known_loaded(
        &mut self,
        cx: &mut Cx,
        ticket: Ticket,
        result: &Result<Vec<Destination>, JournalTrouble>,
    ) {
        if self.known_destinations.ticket != Some(ticket) {
            return;
        }
        // Offer only Pix keys of a kind that the API contract supports.
        let destinations: Vec<_> = result
            .iter()
            .flatten()
            .filter(|known| supports_kind(&self.form, &known.key))
            .cloned()
            .collect();
        let account = cx.store.account();
        let keys = destinations.iter().map(|known| (&account, &known.key));
        nicknames::look_up(cx, keys);
        self.known_destinations.all = destinations.into();
        self.known_destinations.cursor = None;
        self.choose_kind_as_before(cx.store);
    }

    /// True if a destination field has the focus and there are earlier destinations to offer.
    pub fn offers_known(&self, store: &Store) -> bool {
        let focused_name = self.form.focused().map(|field| &*field.id);
        let field_names = key_field_ids(&store.setup.contract);
        let is_destination_focused = field_names
            .is_some_and(|field_names| field_names.iter().any(|name| Some(*name) == focused_name));
        is_destination_focused && self.known_destinations.offered(store).next().is_some()
    }

    /// If the seller edited the Pix key, updates its kind and the offered destinations. If the
    /// seller chose the kind of key, updates the hint.
    fn on_destination_change(&mut self, store: &Store, contract: &Contract) {
        let Some([kind, key]) = key_field_ids(contract) else {
            return;
        };
        let focused = self
            .form
            .focused()
            .map(|field| field.id.clone())
            .unwrap_or_default();
        if ![kind, key].contains(&&*focused) {
            return;
        }
        self.known_destinations.chosen = None;
        self.known_destinations.cursor = None;
        if *focused == *key {
            self.known_destinations.typed = self.form.value(key);
        }
        contract_form::recognise_kind(&mut self.form, &contract.withdrawal.form);
        self.choose_kind_as_before(store);
    }

    /// Chooses CPF for eleven digits that could also be a phone number, if an earlier withdrawal of
    /// this account was paid to this CPF. The hint says so, and the seller can change the kind.
    fn choose_kind_as_before(&mut self, store: &Store) {
        let contract = &store.setup.contract;
        let Some([kind, key]) = key_field_ids(contract) else {
            return;
        };
        let typed: String = self
            .form
            .value(key)
            .chars()
            .filter(char::is_ascii_digit)
            .collect();
        match self.form.field(kind).and_then(|field| field.hint.as_ref()) {
            Some(Hint::ChooseKind(_)) => {}
            // The earlier destinations were loaded again, perhaps for another account.
            Some(Hint::KindAsBefore { .. }) => {
                contract_form::recognise_kind(&mut self.form, &contract.withdrawal.form);
            }
            _ => return,
        }
        let Some(field) = self.form.field_mut(kind) else {
            return;
        };
        let known_cpf = self
            .known_destinations
            .all
            .iter()
            .find(|known| known.key.kind() == PixKeyKind::Cpf && known.key.as_str() == typed);
        let Some(known) = known_cpf else {
            return;
        };
        let offset = store.setup.utc_offset_s;
        let Some(day) = dates::without_year(store.words(), known.last, offset) else {
            return;
        };
        field.choose_value(Some(contract::key_kind_id(PixKeyKind::Cpf)));
        field.hint = Some(Hint::KindAsBefore {
            kind: PixKeyKind::Cpf,
            day,
        });
    }

    /// Moves the cursor in the list of earlier destinations below the field of the Pix key, or
    /// fills in the destination under the cursor. Returns false if the key does something else.
    pub fn type_in_known(&mut self, cx: &mut Cx, key: Key) -> bool {
        let row = self.known_destinations.cursor.take();
        let focused = self.form.focused().map(|field| &*field.id);
        let key_field = key_field_ids(&cx.store.setup.contract).map(|[_, key]| key);
        if focused.is_none() || focused != key_field || self.known_destinations.chosen.is_some() {
            return false;
        }
        let count = self.known_destinations.offered(cx.store).count();
        match (key.code, row) {
            (Code::Down, None) if count > 0 => self.known_destinations.cursor = Some(0),
            (Code::Down, Some(row)) => {
                self.known_destinations.cursor = Some((row + 1).min(count.saturating_sub(1)));
            }
            (Code::Up, Some(row)) => self.known_destinations.cursor = row.checked_sub(1),
            (Code::Enter, Some(row)) => {
                let destination = self.known_destinations.offered(cx.store).nth(row).cloned();
                if let Some(destination) = destination {
                    self.choose(cx, row, &destination);
                    self.form.next();
                }
            }
            _ => return false,
        }
        true
    }

    /// Fills the form with the next or previous destination from the list of earlier ones.
    pub fn choose_known(&mut self, cx: &mut Cx, forward: bool) {
        if let Some((index, destination)) = self.known_destinations.next(cx.store, forward) {
            self.choose(cx, index, &destination);
        }
    }

    fn choose(&mut self, cx: &mut Cx, index: usize, destination: &Destination) {
        if !self.fill_destination(&cx.store.setup.contract, &destination.key) {
            return;
        }
        self.known_destinations.chosen = Some(index);
        self.on_amount_change(cx)
    }

    /// Fills a destination into the form. Returns false if the API contract has no fields for a
    /// destination or does not support this kind of Pix key.
    pub fn fill_destination(&mut self, contract: &Contract, destination: &PixKey) -> bool {
        let Some([kind, key]) = key_field_ids(contract) else {
            return false;
        };
        if !supports_kind(&self.form, destination) {
            return false;
        }
        if let Some(field) = self.form.field_mut(kind) {
            field.choose_value(Some(contract::key_kind_id(destination.kind())));
            (field.touched, field.error, field.hint) = (false, None, None);
        }
        self.form.replace(key, destination.as_str());
        true
    }
}
