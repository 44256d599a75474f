//! The form of a new payment link.

use crate::app::cx::{Cx, Route};
use crate::app::screen::{Info, Screen, ScreenEvent, ScreenLinks, body};
use crate::app::store::{entry, links, teaching};
use crate::app::ui::block::Block;
use crate::app::ui::form::{Choice, ChoiceLabel, Field, Form, Label};
use crate::app::ui::forms::{self, FormPage};
use crate::app::ui::parts::{pair, wrapped};
use crate::app::ui::sent_form::SentForm;
use crate::app::ui::{Action, Area, Line, Page, Role, sent_form};
use crate::app::{Effect, Msg, Pane, Store};
use crate::trade::{
    DomainChoice, Failure, LinkRequest, NoAnswer, Operation, PaymentLink, Untrusted,
};
use crate::words::Words;
use crate::words::failure::{self, Doing};

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

    /// The host that is chosen in the form; none where the service chooses.
    fn host(&self) -> Option<&Untrusted> {
        match self.domains.get(self.sent.form.chosen("domain")?)? {
            DomainChoice::Named(host) => Some(host),
            DomainChoice::Automatic => None,
        }
    }

    /// The amount exactly as it goes into the body, and what the choice of the domain means there.
    fn what_goes(&self, store: &Store, width: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        let contract = &store.setup.contract.create_link;
        if let Some(literal) = self.sent.form.money().and_then(|sum| contract.amount_sent(sum)) {
            lines.extend(pair(&store.text("new-link-json"), &literal, width));
        }
        let hint = match self.host() {
            Some(host) if store.domains.is_pending(host) => "new-link-pending-hint",
            Some(_) => "new-link-named-hint",
            None => "new-link-automatic-hint",
        };
        lines.extend(wrapped(Role::Dim, &store.text(hint), width));
        lines
    }
}

/// The choice of the form that stands for this domain.
fn domain_choice(domain: &DomainChoice) -> Choice {
    match domain {
        DomainChoice::Automatic => Choice::word("", "domain-automatic"),
        DomainChoice::Named(host) => {
            Choice { value: host.raw().into(), label: ChoiceLabel::Theirs(host.clone()) }
        }
    }
}

/// Lays out the failure; beside a refusal what makes a domain active, and the way without one.
fn failed(say: &Words, failure: &Failure, width: usize) -> Block {
    let mut told = failure::describe(say, failure, Doing::Link);
    if matches!(failure, Failure::Refused(refusal) if refusal.status == 400) {
        let ways = ["new-link-domain-how", "new-link-domain-other"];
        told.next = ways.map(|id| say.text(id)).join("\n");
    }
    sent_form::refused(say, &told, width)
}

impl Screen for NewLink {
    fn info(&self) -> Info {
        Info { submits: Some("link"), ..Info::in_pane("new-link", Pane::Links) }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let (say, width) = (store.words(), forms::inside(area));
        let told = self.sent.failure.as_ref().map(|failure| failed(say, failure, width));
        let told = told
            .or_else(|| self.sent.told(store.reader(), "new-link-wait", Doing::Link, width))
            .unwrap_or_else(|| Block::cut(forms::BELOW, 1, self.what_goes(store, width)));
        let aside = entry::at_head(store, self.links(store).needs);
        let form = FormPage::new(say, ["new-link-title", "new-link-submit"], &self.sent.form);
        FormPage { aside, below: vec![told], ..form }.draw(say, area, page);
    }

    body!(Sent(sent));

    fn act(&mut self, cx: &mut Cx, action: Action) {
        if action != Action::Submit || !self.sent.form.check() {
            return;
        }
        let Some(amount) = self.sent.form.money() else { return };
        let description = self.sent.form.value("description");
        let (account, domain) = (cx.store.account(), self.host().cloned());
        let request = LinkRequest { account, amount, description, domain };
        let wanted = self.links(cx.store).needs;
        if let Some(ticket) = entry::begin(cx, &mut self.sent, wanted) {
            cx.perform(Effect::MakeLink { ticket, request });
        }
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
