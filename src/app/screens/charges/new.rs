//! The form of a new direct payment.

mod show;

use crate::app::next::{Next, Route, Step};
use crate::app::screen::{Kind, Screen};
use crate::app::store::{charges, entry};
use crate::app::ui::action::Action;
use crate::app::ui::form::{Entry, Field, Form};
use crate::app::ui::{Area, Page, declared};
use crate::app::{Effect, Msg, Pane, Stamp, Store, Wait};
use crate::contract::DirectPaymentSpec;
use crate::trade::{ChargeRequest, Failure, NoAnswer};
use crate::words::Words;

/// A new direct payment.
#[derive(Debug, Clone)]
pub struct NewCharge {
    /// The contract's declared fields.
    pub form: Form,
    /// It is being asked for.
    pub wait: Option<Wait>,
    /// The reason it was not made.
    pub failure: Option<Failure>,
}

impl NewCharge {
    /// The empty form.
    pub fn open(store: &Store) -> (NewCharge, Next) {
        let spec = &store.setup.contract.direct_payment;
        let form = declared::form(&spec.form, "charge");
        let asked = entry::ask_jwt_first(store, spec.call.credential);
        (NewCharge { form, wait: None, failure: None }, asked)
    }
}

/// Returns what the history says it is for: the field of that name, else the first other text.
fn described(form: &Form, declared: &DirectPaymentSpec) -> String {
    let text = |field: &&Field| {
        matches!(field.entry, Entry::Text { .. }) && *field.name != *declared.customer
    };
    let described = form.field("description").or_else(|| form.fields.iter().find(text));
    described.map(Field::value).unwrap_or_default()
}

impl Screen for NewCharge {
    fn kind(&self) -> Kind {
        Kind::in_pane("new-charge", Pane::Charges)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::new(store, Words::of(store.setup.lang), self, area, page);
    }

    fn word(&self, _: &Store, action: Action) -> Option<&'static str> {
        (action == Action::Submit).then_some("charge")
    }

    fn form(&self) -> Option<&Form> {
        Some(&self.form)
    }

    fn form_mut(&mut self) -> Option<&mut Form> {
        Some(&mut self.form)
    }

    fn submit(&mut self, store: &mut Store, _: &Stamp) -> Next {
        let account = store.account();
        let wait = store.wait();
        let spec = &store.setup.contract.direct_payment;
        let missing = store.missing(spec.call.credential);
        if !self.form.check() {
            return Next::none();
        }
        let built = declared::body(&mut self.form, &spec.form);
        let Some(body) = built else { return Next::none() };
        let Some(amount) = self.form.money_or_fault() else { return Next::none() };
        self.failure = None;
        if let Some(missing) = missing {
            return entry::ask(store, missing, Failure::NoCredential(missing));
        }
        self.wait = Some(wait);
        let customer = Some(self.form.value(&spec.customer));
        let request = ChargeRequest {
            account,
            amount,
            description: described(&self.form, spec),
            customer: customer.filter(|name| !name.is_empty()),
        };
        Effect::MakeCharge { ticket: wait.ticket, request, body: body.bytes }.into()
    }

    fn wait(&self) -> Option<Wait> {
        self.wait
    }

    fn cancel(&mut self, store: &mut Store) -> Next {
        (self.wait, self.failure) = (None, Some(Failure::NoAnswer(NoAnswer::Left)));
        charges::reload(store).into()
    }

    fn hear(&mut self, store: &mut Store, msg: &Msg, _: &Stamp) -> Next {
        let Msg::ChargeMade { ticket, result } = msg else { return Next::none() };
        if self.wait.is_none_or(|wait| wait.ticket != *ticket) {
            return Next::none();
        }
        match result {
            Ok(charge) => Step::Become(Route::Charge(Box::new(charge.clone()))).into(),
            Err(failure) => {
                (self.wait, self.failure) = (None, Some(failure.clone()));
                entry::mend(store, failure)
            }
        }
    }
}
