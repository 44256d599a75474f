//! The form for a new direct payment. Its fields are declared by the API contract (`direct_payment`
//! in `assets/contract.toml`).

use crate::app::cx::{Cx, Route};
use crate::app::screen::{Info, Screen, ScreenEvent, ScreenLinks, body};
use crate::app::store::{charges, credentials, teaching};
use crate::app::ui::block::Block;
use crate::app::ui::form::{Entry, Field, Form};
use crate::app::ui::form_page::{self, FormPage};
use crate::app::ui::parts::{labelled, wrapped};
use crate::app::ui::sent_form::SentForm;
use crate::app::ui::{Action, Area, Line, Page, Role, declared, sent_form};
use crate::app::{Effect, Msg, Pane, Store};
use crate::contract::{DirectPaymentSpec, Encoding};
use crate::trade::{ChargeRequest, Failure, NoAnswer, Operation};
use crate::words::failure::{self, Activity};

#[derive(Debug, Clone)]
pub struct NewCharge {
    pub sent: SentForm,
}

impl NewCharge {
    pub fn open(cx: &mut Cx) -> NewCharge {
        let spec = &cx.store.setup.contract.direct_payment;
        let form = declared::form(&spec.form, "charge").with_personal(&spec.customer);
        credentials::ask_first(cx, spec.call.credential);
        NewCharge { sent: SentForm::for_history(form, cx.store.history_trouble.as_ref()) }
    }

    /// Lays out the amount as it will be written in the request body, and a hint about direct
    /// payments.
    fn request_preview(&self, store: &Store, labels: usize, width: usize) -> Vec<Line> {
        let form = &store.setup.contract.direct_payment.form;
        let literal = self.sent.form.money().and_then(|amount| match form.encoding {
            Encoding::Json => form.amounts.literal(amount),
            Encoding::Form => form.amounts.wire(amount),
        });
        let mut lines = Vec::new();
        if let Some(literal) = literal {
            lines.extend(labelled((&store.text("new-charge-json"), labels), &literal, width));
        }
        lines.extend(wrapped(Role::Dim, &store.text("new-charge-hint"), width));
        lines
    }
}

/// Returns the description that the history database stores: the field `description`, or else the
/// first text field that is not the customer's name.
fn described(form: &Form, declared: &DirectPaymentSpec) -> String {
    let text = |field: &&Field| {
        matches!(field.entry, Entry::Text { .. }) && *field.name != *declared.customer
    };
    let described = form.field("description").or_else(|| form.fields.iter().find(text));
    described.map(Field::value).unwrap_or_default()
}

impl Screen for NewCharge {
    fn info(&self) -> Info {
        Info { submits: Some("charge"), ..Info::in_pane("new-charge", Pane::Charges) }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let (say, width) = (store.words(), form_page::inside(area));
        let failed = |failure| {
            sent_form::refused(say, &failure::describe(say, failure, Activity::Charge), width)
        };
        let labels = form_page::label_columns(say, &self.sent.form, area);
        let failure = self.sent.failure.as_ref();
        let told = credentials::renewed(store, failure)
            .map(|said| Block::new(wrapped(Role::Good, &said, width)))
            .or_else(|| failure.map(failed))
            .or_else(|| {
                self.sent.told(store.render_cx(), "new-charge-wait", Activity::Charge, width)
            })
            // Even if the form has many fields, keep one row for the amount.
            .unwrap_or_else(|| {
                Block::cut(form_page::BELOW, 1, self.request_preview(store, labels, width))
            });
        let aside = credentials::at_head(store, self.links(store).needs);
        let form = FormPage::new(say, ["new-charge-title", "new-charge-submit"], &self.sent.form);
        FormPage { aside, below: vec![told], ..form }.draw(say, area, page);
    }

    body!(Sent(sent));

    fn act(&mut self, cx: &mut Cx, action: Action) {
        if action != Action::Submit || !self.sent.form.check() {
            return;
        }
        let spec = &cx.store.setup.contract.direct_payment;
        let built = declared::body(&mut self.sent.form, &spec.form, None);
        let Some(body) = built else { return };
        let Some(amount) = self.sent.form.money_or_fault() else { return };
        let customer = Some(self.sent.form.value(&spec.customer));
        let request = ChargeRequest {
            account: cx.store.account(),
            amount,
            description: described(&self.sent.form, spec),
            customer: customer.filter(|name| !name.is_empty()),
        };
        let wanted = spec.call.credential;
        if let Some(ticket) = credentials::begin(cx, &mut self.sent, wanted) {
            cx.perform(Effect::MakeCharge { ticket, request, body: body.bytes })
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Cancelled => {
                self.sent.fail(Failure::NoAnswer(NoAnswer::Left));
                charges::reload(cx);
            }
            ScreenEvent::Message(Msg::Taught { result: Ok(_), .. }) => {
                let spec = &cx.store.setup.contract.direct_payment.form;
                self.sent.form = declared::rebuilt(&self.sent.form, spec, "charge");
                // A payment whose reply could not be read may exist. Show that until the reply has
                // been read again.
                self.sent.failure.take_if(|why| !matches!(why, Failure::Unreadable { .. }));
            }
            ScreenEvent::Message(Msg::ChargeMade { ticket, result }) => {
                match self.sent.answer(*ticket, result) {
                    Some(Ok(charge)) => {
                        cx.replace_with(Route::Charge(Box::new(charge.clone())));
                        charges::made(cx, charge);
                    }
                    Some(Err(failure)) => credentials::renew_refused(cx, failure),
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
