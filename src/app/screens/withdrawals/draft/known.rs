//! The destinations a form offers: those that withdrawals of this account were paid to.

use std::sync::Arc;

use crate::app::cx::Cx;
use crate::app::screens::withdrawals::Draft;
use crate::app::store::withdrawals::rules::account;
use crate::app::ui::form::{Entry, Form};
use crate::app::{Effect, MoneyCommand};
use crate::contract::{self, Contract, FieldKind};
use crate::trade::withdrawal::Destination;
use crate::trade::{JournalTrouble, PixKey, PixKeyKind, Ticket};

/// The most destinations that are offered: a list in the model is a window.
pub const MOST: usize = 200;

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
pub fn typed_key(form: &Form, contract: &Contract) -> Option<PixKey> {
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
