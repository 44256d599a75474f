//! The destinations a form offers: those that withdrawals of this account were paid to.

use std::sync::Arc;

use super::flow::{account, draft};
use super::{Draft, quote};
use crate::app::form::{Entry, Form};
use crate::app::{Effect, Model};
use crate::contract::{self, Contract, FieldKind};
use crate::trade::withdrawal::Destination;
use crate::trade::{JournalTrouble, Ticket};

/// The most destinations that are offered: a list in the model is a window.
pub const MOST: usize = 200;

/// The destinations that are offered, the most used first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Known {
    /// The journal was asked.
    asked: Option<Ticket>,
    /// All of them.
    pub all: Arc<[Destination]>,
    /// What was typed as the key: only those that hold it are offered.
    typed: String,
    /// Which of the offered ones stands in the form now.
    pub chosen: Option<usize>,
}

impl Known {
    /// What is offered: those that hold what was typed.
    pub fn offered(&self) -> impl Iterator<Item = &Destination> {
        let typed = letters(&self.typed);
        self.all.iter().filter(move |known| letters(known.key.as_str()).contains(&typed))
    }

    /// What a model of the screens is made from.
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

/// Asks the journal, where the contract has a destination at all.
pub fn ask(model: &mut Model) -> Vec<Effect> {
    if fields(&model.setup.contract).is_none() {
        return vec![];
    }
    if draft(model).is_none() {
        return vec![];
    }
    let (ticket, account) = (model.ticket(), account(model));
    if let Some(draft) = draft(model) {
        draft.known.asked = Some(ticket);
    }
    vec![Effect::LoadDestinations { ticket, account }]
}

/// The journal answered; what is wrong with it is said where it stands in the way.
pub fn loaded(
    model: &mut Model,
    ticket: Ticket,
    result: Result<Vec<Destination>, JournalTrouble>,
) -> Vec<Effect> {
    let Some(draft) = draft(model).filter(|draft| draft.known.asked == Some(ticket)) else {
        return vec![];
    };
    // A kind that the contract has no word for cannot be paid to.
    let payable = |known: &Destination| kind_at(&draft.form, known).is_some();
    let all: Vec<_> = result.unwrap_or_default().into_iter().filter(payable).collect();
    draft.known.all = all.into();
    vec![]
}

/// Where this destination's kind stands among the kinds of the form.
fn kind_at(form: &Form, known: &Destination) -> Option<usize> {
    let id = contract::key_kind_id(known.key.kind());
    form.fields.iter().find_map(|field| match &field.entry {
        Entry::Choice { options, .. } => options.iter().position(|option| &*option.value == id),
        _ => None,
    })
}

/// Whether the focus stands where a destination is typed or chosen.
pub fn are_in_view(draft: &Draft, contract: &Contract) -> bool {
    let focused = draft.form.focused().map(|field| &*field.name);
    let here =
        fields(contract).is_some_and(|names| names.iter().any(|name| Some(*name) == focused));
    here && draft.known.offered().next().is_some()
}

/// Something was typed: a key that is typed narrows what is offered.
pub fn edited(model: &mut Model) {
    let contract = model.setup.contract.clone();
    let Some(names) = fields(&contract) else { return };
    let Some(draft) = draft(model) else { return };
    let focused = draft.form.focused().map(|field| field.name.clone()).unwrap_or_default();
    if names.contains(&&*focused) {
        draft.known.chosen = None;
    }
    if *focused == *names[1] {
        draft.known.typed = draft.form.value(names[1]);
    }
}

/// Puts the next offered destination, or the one before, into the form: its kind and its key.
pub fn choose(model: &mut Model, forward: bool) -> Vec<Effect> {
    let chosen = draft(model).and_then(|draft| {
        let count = draft.known.offered().count();
        let last = count.checked_sub(1)?;
        Some(match (draft.known.chosen, forward) {
            (None, true) => 0,
            (None, false) => last,
            (Some(at), true) => (at + 1) % count,
            (Some(at), false) => at.checked_sub(1).unwrap_or(last),
        })
    });
    chosen.map(|at| take(model, at)).unwrap_or_default()
}

/// Puts the offered destination of this number into the form.
pub fn take(model: &mut Model, at: usize) -> Vec<Effect> {
    let contract = model.setup.contract.clone();
    let Some([kind, key]) = fields(&contract) else { return vec![] };
    let Some(draft) = draft(model) else { return vec![] };
    let Some(destination) = draft.known.offered().nth(at).cloned() else { return vec![] };
    let Some(kind_at) = kind_at(&draft.form, &destination) else { return vec![] };
    draft.form.choose(kind, kind_at);
    draft.form.replace(key, destination.key.as_str());
    draft.known.chosen = Some(at);
    quote::edited(model)
}
