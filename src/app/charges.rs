//! Direct payments: the list, a new one, its PIX code.

use super::copying::{self, Clip};
use super::form::{Entry, Field, Form};
use super::layer::{Layer, NewCharge};
use super::login::waiting_at;
use super::update::{ask_entry, ask_jwt_first, mend_entry, missing_entry, note_entry, say};
use super::{CopyTrouble, Effect, Model, Said, act, declared};
use crate::contract;
use crate::trade::{
    Charge, ChargeOutcome, ChargeRequest, Failure, JournalTrouble, ListPage, Ticket, Untrusted,
};

/// Opens the form.
pub fn new(model: &mut Model) -> Vec<Effect> {
    let form = declared::form(&model.setup.contract.direct_payment.form, "charge");
    act::open(model, Layer::NewCharge(Box::new(NewCharge { form, wait: None, failure: None })));
    ask_jwt_first(model, model.setup.contract.direct_payment.call.credential)
}

/// Asks the service for the payment.
pub fn submit(model: &mut Model) -> Vec<Effect> {
    let account = model.account();
    let wait = model.wait();
    let contract = model.setup.contract.clone();
    let missing = missing_entry(model, contract.direct_payment.call.credential);
    let Some(Layer::NewCharge(charge)) = model.layers.last_mut() else { return vec![] };
    if !charge.form.check() {
        return vec![];
    }
    let built = declared::body(&mut charge.form, &contract.direct_payment.form);
    let Some(body) = built else { return vec![] };
    let Some(amount) = charge.form.money_or_fault() else { return vec![] };
    charge.failure = None;
    if let Some(missing) = missing {
        return ask_entry(model, missing, Failure::NoCredential(missing));
    }
    charge.wait = Some(wait);
    let customer = Some(charge.form.value(&contract.direct_payment.customer));
    let request = ChargeRequest {
        account,
        amount,
        description: described(&charge.form, &contract.direct_payment),
        customer: customer.filter(|name| !name.is_empty()),
    };
    vec![Effect::MakeCharge { ticket: wait.ticket, request, body: body.bytes }]
}

/// What the history says it is for: the field of that name, else the first other line of text.
fn described(form: &Form, declared: &contract::DirectPaymentSpec) -> String {
    let text = |field: &&Field| {
        matches!(field.entry, Entry::Text { .. }) && *field.name != *declared.customer
    };
    let described = form.field("description").or_else(|| form.fields.iter().find(text));
    described.map(Field::value).unwrap_or_default()
}

/// Asking for a direct payment ended.
pub fn made(model: &mut Model, ticket: Ticket, result: Result<Charge, Failure>) -> Vec<Effect> {
    let reload = model.ticket();
    let mut effects = vec![Effect::LoadCharges(model.charges.ask(reload))];
    let Some(at) = waiting_at(model, ticket) else {
        note_entry(model, result.as_ref().err());
        return effects;
    };
    match result {
        Ok(charge) => model.layers[at] = Layer::Charge(Box::new(charge)),
        Err(failure) => {
            if let Layer::NewCharge(charge) = &mut model.layers[at] {
                (charge.wait, charge.failure) = (None, Some(failure.clone()));
            }
            effects.extend(mend_entry(model, &failure));
        }
    }
    effects
}

/// A window of direct payments came.
pub fn loaded(
    model: &mut Model,
    ticket: Ticket,
    result: Result<ListPage<Charge>, JournalTrouble>,
) -> Vec<Effect> {
    match result {
        Ok(mut page) => {
            model.unsaved.into_charges(&mut page);
            model.charges.take_row(ticket, page, |a, b| a.id == b.id);
            vec![]
        }
        Err(why) if model.charges.asked == Some(ticket) => {
            if model.charges.query.value().is_empty() {
                let store = &mut model.store;
                store.unsaved.before_charges(&mut store.charges.page);
            }
            say(model, Said::History(why))
        }
        Err(_) => vec![],
    }
}

/// Copies the PIX code: its exact bytes, or nothing.
pub fn copy(model: &mut Model, charge: &Charge) -> Vec<Effect> {
    match charge.pix_code() {
        Some(code) => match CopyTrouble::of(code) {
            None => copying::copy(model, Clip::PixCode, code.clone()),
            Some(trouble) => say(model, Said::NotCopied(trouble)),
        },
        None => say(model, Said::NotCopied(CopyTrouble::Nothing)),
    }
}

impl Charge {
    /// The PIX copy-and-paste code, if the service gave one.
    pub fn pix_code(&self) -> Option<&Untrusted> {
        match &self.outcome {
            ChargeOutcome::Created { pix_code, .. } => pix_code.as_ref(),
            _ => None,
        }
    }
}
