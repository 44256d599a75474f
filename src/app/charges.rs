//! Direct payments: the list, a new one, its PIX code.

use super::layer::{Layer, NewCharge};
use super::login::waiting_at;
use super::update::{mend_entry, say};
use super::{CopyTrouble, Effect, Model, Said, act, declared};
use crate::trade::{
    Charge, ChargeOutcome, ChargeRequest, CredentialKind, Failure, JournalTrouble, Page, Ticket,
    Untrusted,
};

/// Opens the form.
pub fn new(model: &mut Model) -> Vec<Effect> {
    let form = declared::form(&model.setup.contract.direct_payment.form, "charge");
    act::open(model, Layer::NewCharge(Box::new(NewCharge { form, wait: None, failure: None })))
}

/// Asks the service for the payment.
pub fn submit(model: &mut Model) -> Vec<Effect> {
    let account = model.account();
    let wait = model.wait();
    let contract = model.setup.contract.clone();
    let kind = contract.direct_payment.call.credential;
    let has_entry = kind.is_none_or(|kind| model.session.credential(kind).is_good(model.now.wall));
    let Some(Layer::NewCharge(charge)) = model.layers.last_mut() else { return vec![] };
    if !charge.form.check() {
        return vec![];
    }
    let built = declared::body(&mut charge.form, &contract.direct_payment.form);
    let (Some(body), Some(amount)) = (built, charge.form.money()) else { return vec![] };
    charge.failure = None;
    if !has_entry {
        let failure = Failure::NoCredential(kind.unwrap_or(CredentialKind::Jwt));
        return mend_entry(model, &failure);
    }
    charge.wait = Some(wait);
    let customer = Some(charge.form.value(&contract.direct_payment.customer));
    let request = ChargeRequest {
        account,
        amount,
        description: charge.form.value("description"),
        customer: customer.filter(|name| !name.is_empty()),
    };
    vec![Effect::MakeCharge { ticket: wait.ticket, request, body: body.bytes }]
}

/// Asking for a direct payment ended.
pub fn made(model: &mut Model, ticket: Ticket, result: Result<Charge, Failure>) -> Vec<Effect> {
    let reload = model.ticket();
    let mut effects = vec![Effect::LoadCharges(model.charges.ask(reload))];
    let Some(at) = waiting_at(model, ticket) else { return effects };
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
    result: Result<Page<Charge>, JournalTrouble>,
) -> Vec<Effect> {
    match result {
        Ok(page) => {
            model.charges.take(ticket, page);
            vec![]
        }
        Err(why) => say(model, Said::History(why)),
    }
}

/// Copies the PIX code: its exact bytes, or nothing.
pub fn copy(model: &mut Model, charge: &Charge) -> Vec<Effect> {
    match charge.pix_code() {
        Some(code) if code.is_clean() => vec![Effect::Copy(code.clone())],
        Some(_) => say(model, Said::NotCopied(CopyTrouble::NotClean)),
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
