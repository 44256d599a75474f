//! The form of a new direct payment.

mod show;

use crate::app::cx::{Cx, Route};
use crate::app::screen::{
    Actions, BodyMut, Info, Screen, ScreenBody, ScreenEvent, ScreenLinks, in_form,
};
use crate::app::store::{charges, entry, teaching};
use crate::app::ui::form::{Entry, Field, Form};
use crate::app::ui::sent_form::SentForm;
use crate::app::ui::{Action, Area, Page, declared};
use crate::app::{Effect, Msg, Pane, Store};
use crate::contract::DirectPaymentSpec;
use crate::trade::{ChargeRequest, Failure, NoAnswer, Operation};

/// A new direct payment.
#[derive(Debug, Clone)]
pub struct NewCharge {
    /// The form.
    pub sent: SentForm,
}

impl NewCharge {
    /// The empty form.
    pub fn open(cx: &mut Cx) -> NewCharge {
        let spec = &cx.store.setup.contract.direct_payment;
        let form = declared::form(&spec.form, "charge").with_personal(&spec.customer);
        entry::ask_first(cx, spec.call.credential);
        NewCharge { sent: SentForm::noted(form, cx.store.history_trouble.as_ref()) }
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
    fn info(&self) -> Info {
        Info::in_pane("new-charge", Pane::Charges)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::new(store, store.words(), self, area, page);
    }

    fn actions(&self, _: &Store, _: bool) -> Actions {
        Actions::from(in_form(&self.sent.form, self.sent.wait)).word(Action::Submit, "charge")
    }

    fn body(&self) -> ScreenBody<'_> {
        ScreenBody::Sent(&self.sent)
    }

    fn body_mut(&mut self) -> BodyMut<'_> {
        BodyMut::Sent(&mut self.sent)
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        if action != Action::Submit {
            return;
        }
        let account = cx.store.account();
        let wait = cx.store.wait();
        let spec = &cx.store.setup.contract.direct_payment;
        let missing = entry::lacking(cx.store, spec.call.credential);
        if !self.sent.form.check() {
            return;
        }
        let built = declared::body(&mut self.sent.form, &spec.form, None);
        let Some(body) = built else { return };
        let Some(amount) = self.sent.form.money_or_fault() else { return };
        self.sent.failure = None;
        if let Some(missing) = missing {
            return entry::ask(cx, missing, Failure::NoCredential(missing));
        }
        self.sent.wait = Some(wait);
        let customer = Some(self.sent.form.value(&spec.customer));
        let request = ChargeRequest {
            account,
            amount,
            description: described(&self.sent.form, spec),
            customer: customer.filter(|name| !name.is_empty()),
        };
        cx.perform(Effect::MakeCharge { ticket: wait.ticket, request, body: body.bytes })
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Cancelled => {
                self.sent.fail(Failure::NoAnswer(NoAnswer::Left));
                charges::reload(cx);
            }
            ScreenEvent::Message(Msg::Taught { result: Ok(_), .. }) => {
                let spec = &cx.store.setup.contract.direct_payment.form;
                self.sent.form = declared::renewed(&self.sent.form, spec, "charge");
                self.sent.failure = None;
            }
            ScreenEvent::Message(Msg::ChargeMade { ticket, result }) => {
                match self.sent.answer(*ticket, result) {
                    Some(Ok(charge)) => {
                        cx.replace_with(Route::Charge(Box::new(charge.clone())));
                        charges::made(cx, charge);
                    }
                    Some(Err(failure)) => entry::mend(cx, failure),
                    None => {}
                }
            }
            _ => return false,
        }
        true
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let failure = self.sent.failure.as_ref();
        ScreenLinks {
            needs: store.setup.contract.direct_payment.call.credential,
            exchange: teaching::after(store, failure, Operation::DirectPayment),
            ..ScreenLinks::default()
        }
    }
}
