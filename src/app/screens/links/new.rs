//! The form of a new payment link.

mod show;

use crate::app::cx::{Cx, Route};
use crate::app::screen::{
    Actions, BodyMut, Info, Screen, ScreenBody, ScreenEvent, ScreenLinks, in_form,
};
use crate::app::store::{entry, links, teaching};
use crate::app::ui::form::{Choice, ChoiceLabel, Field, Form, Label};
use crate::app::ui::sent_form::SentForm;
use crate::app::ui::{Action, Area, Page};
use crate::app::{Effect, Msg, Pane, Store};
use crate::trade::{DomainChoice, Failure, LinkRequest, NoAnswer, Operation, PaymentLink};

/// The longest description that is sent.
const DESCRIPTION_MAX: usize = 140;

/// A new payment link.
#[derive(Debug, Clone)]
pub struct NewLink {
    /// The form.
    pub sent: SentForm,
    /// The domains the form's choice was made from, `Automatic` first.
    pub domains: Vec<DomainChoice>,
}

impl NewLink {
    /// The form for a new link, or for the same one again.
    pub fn open(cx: &mut Cx, like: Option<&PaymentLink>) -> NewLink {
        let mut domains = vec![DomainChoice::Automatic];
        domains.extend(cx.store.domains.usable().map(|one| DomainChoice::Named(one.host.clone())));
        // A domain that was chosen once is offered without the list: the service decides.
        let wanted = match like.and_then(|link| link.request.domain.clone()) {
            Some(host) => DomainChoice::Named(host),
            None if like.is_some() => DomainChoice::Automatic,
            None => cx.store.domains.choice.clone(),
        };
        if !domains.contains(&wanted) {
            domains.push(wanted.clone());
        }
        let options = domains.iter().map(domain_choice).collect();
        let mut form = Form::new(vec![
            Field::amount("amount", Label::Word("field-amount")),
            Field::text("description", Label::Word("field-description"), true, DESCRIPTION_MAX),
            Field::choice("domain", Label::Word("field-domain"), options),
        ]);
        form.choose("domain", domains.iter().position(|domain| *domain == wanted).unwrap_or(0));
        if let Some(link) = like {
            form.set_amount("amount", link.request.amount);
            if let Some(field) = form.field_mut("description") {
                field.fill(&link.request.description);
            }
        }
        entry::ask_first(cx, cx.store.setup.contract.create_link.call.credential);
        NewLink { sent: SentForm::noted(form, cx.store.history_trouble.as_ref()), domains }
    }

    /// The domain that is chosen in the form.
    fn domain(&self) -> Option<&DomainChoice> {
        self.domains.get(self.sent.form.chosen("domain")?)
    }
}

/// The choice of the form that stands for this domain.
fn domain_choice(domain: &DomainChoice) -> Choice {
    let (value, label) = match domain {
        DomainChoice::Automatic => ("", ChoiceLabel::Label(Label::Word("domain-automatic"))),
        DomainChoice::Named(host) => (host.raw(), ChoiceLabel::Theirs(host.clone())),
    };
    Choice { value: value.into(), label }
}

impl Screen for NewLink {
    fn info(&self) -> Info {
        Info::in_pane("new-link", Pane::Links)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::new(store, store.words(), self, area, page);
    }

    fn actions(&self, _: &Store, _: bool) -> Actions {
        Actions::from(in_form(&self.sent.form, self.sent.wait)).word(Action::Submit, "link")
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
        let (account, wait) = (cx.store.account(), cx.store.wait());
        if !self.sent.form.check() {
            return;
        }
        let Some(amount) = self.sent.form.money() else { return };
        let domain = match self.domain() {
            Some(DomainChoice::Named(host)) => Some(host.clone()),
            Some(DomainChoice::Automatic) | None => None,
        };
        let description = self.sent.form.value("description");
        let request = LinkRequest { account, amount, description, domain };
        self.sent.failure = None;
        // A request without its credential is not sent.
        let wanted = cx.store.setup.contract.create_link.call.credential;
        if let Some(missing) = entry::lacking(cx.store, wanted) {
            return entry::ask(cx, missing, Failure::NoCredential(missing));
        }
        self.sent.wait = Some(wait);
        cx.perform(Effect::MakeLink { ticket: wait.ticket, request })
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Cancelled => {
                self.sent.fail(Failure::NoAnswer(NoAnswer::Left));
                // It was noted before it was asked for: the list shows it as unknown.
                links::reload(cx);
            }
            ScreenEvent::Message(Msg::LinkMade { ticket, result }) => {
                match self.sent.answer(*ticket, result) {
                    Some(Ok(link)) => {
                        cx.replace_with(Route::Link(Box::new(link.clone())));
                        links::made(cx, link);
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
            needs: store.setup.contract.create_link.call.credential,
            exchange: teaching::after(store, failure, Operation::CreateLink),
            ..ScreenLinks::default()
        }
    }
}
