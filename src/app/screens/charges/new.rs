//! The form for a new direct payment. Its fields are declared by the API contract (`direct_payment`
//! in `assets/contract.toml`).

use std::collections::BTreeMap;

use crate::app::cx::Cx;
use crate::app::screen::sales::{form_links, form_status, on_form_event};
use crate::app::screen::{Actions, Info, Screen, ScreenEvent, ScreenLinks, body, form_actions};
use crate::app::store::credentials;
use crate::app::ui::form::{Entry, Field, Form};
use crate::app::ui::form_page::{self, FormPage};
use crate::app::ui::known::{Known, KnownValue, normalize};
use crate::app::ui::parts::{labelled, wrapped};
use crate::app::ui::sent_form::SentForm;
use crate::app::ui::table::Column;
use crate::app::ui::{Action, Area, Line, Page, Role, Span, contract_form, panel, sent_form};
use crate::app::{Effect, HistoryCommand, Msg, Pane, Store};
use crate::contract::DirectPaymentSpec;
use crate::trade::{Charge, ChargeRequest, Failure, KnownBuyer};
use crate::words::failure::{self, Activity};
use crate::words::personal;

#[derive(Debug, Clone)]
pub struct NewCharge {
    pub sent: SentForm,
    /// Buyers from earlier direct payments, offered to fill in the form.
    pub known_buyers: Known<KnownBuyer>,
}

impl NewCharge {
    /// Opens the form. If `template` is given, the form is prefilled from that direct payment.
    pub fn open(cx: &mut Cx, template: Option<&Charge>) -> NewCharge {
        let spec = &cx.store.setup.contract.direct_payment;
        let mut form = contract_form::form(&spec.form, "charge").with_personal(&spec.customer);
        if let Some(Charge { request, .. }) = template {
            if let Some(amount) = form.fields.iter_mut().find_map(Field::amount_mut) {
                amount.set(request.amount);
            }
            if let Some(field) = description_field(&mut form, spec) {
                field.fill(&request.description);
            }
            fill_buyer(
                &mut form,
                spec,
                (request.customer.as_deref(), &request.buyer),
            );
            // The seller has typed nothing, so closing the form loses nothing.
            form.touched = false;
        }
        credentials::open_login_if_missing(cx, spec.call.credential);
        let sent = SentForm::for_history(form, cx.store.history_trouble.as_ref());
        let ticket = cx.store.next_ticket();
        let account = cx.store.account();
        cx.perform(Effect::History(HistoryCommand::LoadBuyers {
            ticket,
            account,
        }));
        let known = Known {
            ticket: Some(ticket),
            ..Known::default()
        };
        NewCharge {
            sent,
            known_buyers: known,
        }
    }

    /// True if a field about the buyer has the focus and earlier buyers can be offered.
    fn offers_known_buyers(&self, store: &Store) -> bool {
        let is_about_buyer = self.sent.form.focused().is_some_and(|field| field.personal);
        is_about_buyer
            && self.sent.wait.is_none()
            && self.known_buyers.offered(store).next().is_some()
    }

    /// Fills the form with the next or previous buyer from the list of earlier buyers.
    fn choose_known_buyer(&mut self, store: &Store, forward: bool) {
        if !self.offers_known_buyers(store) {
            return;
        }
        let Some((index, buyer)) = self.known_buyers.next(store, forward) else {
            return;
        };
        let form = &mut self.sent.form;
        // Clear all fields about the buyer first, so that no value of the previous buyer remains.
        form.fields
            .iter_mut()
            .filter(|field| field.personal)
            .for_each(|field| field.fill(""));
        let spec = &store.setup.contract.direct_payment;
        fill_buyer(form, spec, (Some(&buyer.customer), &buyer.buyer));
        self.known_buyers.chosen = Some(index);
    }

    /// Lays out the amount as it will be written in the request body, and a hint about direct
    /// payments.
    fn request_preview(&self, store: &Store, label_width: usize, width: usize) -> Vec<Line> {
        let form = &store.setup.contract.direct_payment.form;
        let literal = self
            .sent
            .form
            .money()
            .and_then(|amount| form.amount_sent(amount));
        let mut lines = Vec::new();
        if let Some(literal) = literal {
            lines.extend(labelled(
                (&store.text("new-charge-json"), label_width),
                &literal,
                width,
            ));
        }
        lines.extend(wrapped(Role::Dim, &store.text("new-charge-hint"), width));
        lines
    }
}

/// The field whose text is stored as the payment's description. This is the field `description` or,
/// if the form has no such field, the first text field except the customer's name.
fn description_field<'f>(form: &'f mut Form, spec: &DirectPaymentSpec) -> Option<&'f mut Field> {
    let named_index = form
        .fields
        .iter()
        .position(|field| &*field.id == "description");
    let index = named_index.or_else(|| {
        form.fields.iter().position(|field| {
            matches!(field.entry, Entry::Text { .. }) && *field.id != *spec.customer
        })
    })?;
    form.fields.get_mut(index)
}

/// Fills in the fields about the buyer, as if the seller had typed them.
fn fill_buyer(
    form: &mut Form,
    spec: &DirectPaymentSpec,
    (customer, buyer): (Option<&str>, &BTreeMap<String, String>),
) {
    let name = customer.map(|customer| (&*spec.customer, customer));
    let values = buyer.iter().map(|(id, value)| (&**id, &**value));
    for (id, value) in name.into_iter().chain(values) {
        if let Some(field) = form.field_mut(id) {
            field.fill(value);
            (field.touched, field.error) = (true, None);
        }
    }
    form.touched = true;
}

impl KnownValue for KnownBuyer {
    type Store = Store;

    fn fits(&self, _: &Store, typed: &str) -> bool {
        let typed = normalize(typed);
        let mut texts = self.buyer.values().chain([&self.customer]);
        texts.any(|text| normalize(text).contains(&typed))
    }
}

/// The columns of the list of earlier buyers: the name, one detail such as the email address, and
/// how often the buyer was charged.
const COLUMNS: [Column<Store, KnownBuyer>; 3] = [
    Column {
        min_width: 16,
        fills: true,
        ..Column::new(0, &[name])
    },
    Column {
        min_width: 16,
        fills: true,
        ..Column::new(2, &[detail])
    },
    Column::new(1, &[usage]),
];

fn name(store: &Store, known: &KnownBuyer, _: usize) -> Span {
    Span::of(
        Role::Text,
        personal::name(store.words(), &known.customer).shown(),
    )
}

fn detail(store: &Store, known: &KnownBuyer, room: usize) -> Span {
    let spec = &store.setup.contract.direct_payment;
    let others = spec
        .form
        .fields
        .iter()
        .filter(|field| field.id != spec.customer);
    let value = others.filter_map(|field| known.buyer.get(&field.id)).next();
    let text =
        value.map(|value| personal::typed_within(store.words(), &value.as_str().into(), room));
    Span::of(Role::Dim, text.unwrap_or_default())
}

fn usage(store: &Store, known: &KnownBuyer, _: usize) -> Span {
    let when = store.render_cx().day_of(known.last);
    let text = store
        .words()
        .count("known-used-short", known.count, &[("when", &when)]);
    Span::of(Role::Dim, text)
}

/// The steps in the panel beside the form.
const STEPS: [&str; 3] = [
    "new-charge-steps-code",
    "new-charge-steps-send",
    "link-never-paid",
];

impl Screen for NewCharge {
    fn info(&self) -> Info {
        Info::in_pane("new-charge", Pane::Charges)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let words = store.words();
        let area = panel::put_steps(store.render_cx(), &STEPS, area, page);
        let width = form_page::inner_width(area);
        let failed = |failure: &Failure| {
            let text = failure::describe(words, failure, Activity::Charge);
            sent_form::failure_block(words, &text, width)
        };
        let label_width = form_page::label_columns(words, &self.sent.form, area);
        let preview = self.request_preview(store, label_width, width);
        let status = form_status(store, &self.sent, "new-charge-wait", failed, preview, width);
        let known = self.offers_known_buyers(store).then(|| {
            let key = store.render_cx().first_key(Action::NextKnown);
            let title = store.with("known-buyers-title", &[("key", key)]);
            self.known_buyers
                .block((store, words), &COLUMNS, &title, width)
        });
        let aside = credentials::expiry_warning(store, self.links(store).needs);
        let form = FormPage::new(
            words,
            ["new-charge-title", "new-charge-submit"],
            &self.sent.form,
        );
        let below = [status].into_iter().chain(known).collect();
        FormPage {
            aside,
            below,
            ..form
        }
        .draw(words, area, page);
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        let mut offered = form_actions(&self.sent.form, self.sent.wait);
        if self.offers_known_buyers(store) {
            offered.extend([Action::NextKnown, Action::PrevKnown]);
        }
        let actions = Actions::from(offered).word(Action::Submit, "charge");
        actions.word(Action::NextKnown, "buyers")
    }

    body!(Sent(sent));

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match action {
            Action::NextKnown | Action::PrevKnown => {
                return self.choose_known_buyer(cx.store, action == Action::NextKnown);
            }
            Action::Submit if self.sent.form.check() => {}
            _ => return,
        }
        let spec = &cx.store.setup.contract.direct_payment;
        let body = contract_form::body(&mut self.sent.form, &spec.form, None);
        let Some(body) = body else { return };
        let Some(amount) = self.sent.form.money_or_fault() else {
            return;
        };
        let customer = Some(self.sent.form.value(&spec.customer));
        let description = description_field(&mut self.sent.form, spec).map(|field| field.value());
        let buyer = self.sent.form.fields.iter().filter(|field| field.personal);
        let buyer = buyer.map(|field| (field.id.to_string(), field.value()));
        let request = ChargeRequest {
            account: cx.store.account(),
            amount,
            description: description.unwrap_or_default(),
            customer: customer.filter(|name| !name.is_empty()),
            buyer: buyer.filter(|(_, value)| !value.is_empty()).collect(),
        };
        let credential = spec.call.credential;
        if let Some(ticket) = credentials::begin(cx, &mut self.sent, credential) {
            cx.perform(Effect::MakeCharge {
                ticket,
                request,
                body: body.bytes,
            })
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Message(Msg::Taught { result: Ok(_), .. }) => {
                let spec = &cx.store.setup.contract.direct_payment.form;
                self.sent.form = contract_form::rebuild_form(&self.sent.form, spec, "charge");
                // After an unreadable reply, the payment may exist. Keep showing that failure until
                // the reply has been read again; remove any other failure.
                self.sent
                    .failure
                    .take_if(|failure| !matches!(failure, Failure::Unreadable { .. }));
            }
            ScreenEvent::Edited => {
                if let Some(field) = self.sent.form.focused().filter(|field| field.personal) {
                    (self.known_buyers.typed, self.known_buyers.chosen) = (field.value(), None);
                }
            }
            ScreenEvent::Message(Msg::BuyersLoaded {
                ticket,
                result: Ok(buyers),
            }) if self.known_buyers.ticket == Some(*ticket) => {
                self.known_buyers.all = buyers.as_slice().into();
            }
            event => return on_form_event::<ChargeRequest>(&mut self.sent, cx, &event),
        }
        true
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        form_links::<ChargeRequest>(store, &self.sent)
    }
}
