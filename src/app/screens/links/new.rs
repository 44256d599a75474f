//! The form for a new payment link.

use crate::app::cx::Cx;
use crate::app::screen::sales::{form_links, form_status, on_form_event};
use crate::app::screen::{Actions, Info, Screen, ScreenEvent, ScreenLinks, body, form_actions};
use crate::app::screens::links::note;
use crate::app::store::credentials;
use crate::app::ui::block::Block;
use crate::app::ui::form::{Choice, ChoiceLabel, Entry, Field, Form, Label};
use crate::app::ui::form_page::{self, FormPage};
use crate::app::ui::known::{Known, KnownValue};
use crate::app::ui::parts::{pair, wrapped};
use crate::app::ui::sent_form::SentForm;
use crate::app::ui::table::Column;
use crate::app::ui::{Action, Area, Line, Page, Role, Span, panel, sent_form};
use crate::app::{Effect, HistoryCommand, Msg, Pane, Store};
use crate::trade::search::searchable;
use crate::trade::{
    DomainChoice, Failure, KnownLink, LinkRequest, MAX_DESCRIPTION_LENGTH, Money, PaymentLink,
    Untrusted,
};
use crate::words::Catalogue;
use crate::words::failure::{self, Activity};

#[derive(Debug, Clone)]
pub struct NewLink {
    pub sent: SentForm,
    /// The options of the domain field. `Automatic` is the first.
    pub domains: Vec<DomainChoice>,
    /// The domain of the link that the form is prefilled from, if any.
    template_domain: Option<DomainChoice>,
    /// The descriptions of earlier links, offered to fill in the form.
    pub known_links: Known<KnownLink>,
    /// The amount that came with a chosen description. Another description replaces it.
    known_amount: Option<Money>,
}

impl NewLink {
    /// Opens the form. If `template` is given, the form is prefilled from that payment link.
    pub fn open(cx: &mut Cx, template: Option<&PaymentLink>) -> NewLink {
        let mut form = Form::new(vec![
            Field::amount("amount", Label::Word("field-amount")),
            Field::text(
                "description",
                Label::Word("field-description"),
                true,
                MAX_DESCRIPTION_LENGTH,
            ),
            Field::choice("domain", Label::Word("field-domain"), vec![]),
            note::field(),
        ]);
        if let Some(link) = template {
            form.propose_amount("amount", link.request.amount);
            if let Some(field) = form.field_mut("description") {
                field.fill(&link.request.description);
            }
        }
        credentials::open_login_if_missing(cx, cx.store.setup.contract.create_link.call.credential);
        let template_domain = template.map(|link| match link.request.domain.clone() {
            Some(host) => DomainChoice::Named(host),
            None => DomainChoice::Automatic,
        });
        let sent = SentForm::for_history(form, cx.store.history_trouble.as_ref());
        let ticket = cx.store.next_ticket();
        let account = cx.store.account();
        cx.perform(Effect::History(HistoryCommand::LoadKnownLinks {
            ticket,
            account,
        }));
        let mut new = NewLink {
            sent,
            domains: vec![],
            template_domain,
            known_links: Known {
                ticket: Some(ticket),
                ..Known::default()
            },
            known_amount: None,
        };
        new.offer_domains(cx.store);
        new
    }

    /// Updates the offered domains, because the service's list may arrive while the form is open.
    /// Keeps the seller's choice.
    fn offer_domains(&mut self, store: &Store) {
        let Some(field) = self.sent.form.field_mut("domain") else {
            return;
        };
        let Entry::Choice { options, chosen } = &mut field.entry else {
            return;
        };
        let chosen_before = chosen
            .and_then(|at| self.domains.get(at))
            .filter(|_| field.touched);
        let chosen_before = chosen_before.or(self.template_domain.as_ref());
        let preferred = chosen_before.unwrap_or(&store.domains.choice).clone();
        let usable = store
            .domains
            .usable()
            .map(|domain| DomainChoice::Named(domain.host.clone()));
        let mut domains: Vec<_> = std::iter::once(DomainChoice::Automatic)
            .chain(usable)
            .collect();
        // Offer the preferred domain even if the service does not list it, because the service
        // decides whether to accept it.
        let index = domains.iter().position(|domain| *domain == preferred);
        *chosen = Some(index.unwrap_or(domains.len()));
        domains.extend(index.is_none().then_some(preferred));
        if domains != self.domains {
            *options = domains.iter().map(domain_choice).collect();
            self.domains = domains;
        }
    }

    /// The chosen domain; `None` if the service is to choose one.
    fn chosen_host(&self) -> Option<&Untrusted> {
        match self.domains.get(self.sent.form.chosen("domain")?)? {
            DomainChoice::Named(host) => Some(host),
            DomainChoice::Automatic => None,
        }
    }

    /// True if the description has the focus and earlier links can be offered.
    fn offers_known_links(&self, store: &Store) -> bool {
        let focused = self.sent.form.focused();
        focused.is_some_and(|field| &*field.id == "description")
            && self.sent.wait.is_none()
            && self.known_links.offered(store).next().is_some()
    }

    /// Fills in the next or previous description from the list of earlier links. Fills in its
    /// latest amount too, unless the seller has typed one.
    fn choose_known_link(&mut self, store: &Store, forward: bool) {
        if !self.offers_known_links(store) {
            return;
        }
        let Some((index, known)) = self.known_links.next(store, forward) else {
            return;
        };
        let form = &mut self.sent.form;
        form.replace("description", &known.description);
        let amount = form.money();
        if amount.is_none() || amount == self.known_amount {
            form.propose_amount("amount", known.amount);
            self.known_amount = Some(known.amount);
        }
        self.known_links.chosen = Some(index);
    }

    /// Lays out the amount as it will be written in the request body, and a hint about the note or
    /// the chosen domain.
    fn request_preview(&self, store: &Store, width: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        let contract = &store.setup.contract.create_link;
        if let Some(literal) = self
            .sent
            .form
            .money()
            .and_then(|sum| contract.amount_sent(sum))
        {
            lines.extend(pair(&store.text("new-link-json"), &literal, width));
        }
        let focused = self.sent.form.focused();
        let is_at_note = focused.is_some_and(|field| &*field.id == note::FIELD);
        let hint = match self.chosen_host() {
            _ if is_at_note => "new-link-note-hint",
            Some(host) if store.domains.is_pending(host) => "new-link-pending-hint",
            Some(_) => "new-link-named-hint",
            None => "new-link-automatic-hint",
        };
        lines.extend(wrapped(Role::Dim, &store.text(hint), width));
        lines
    }
}

impl KnownValue for KnownLink {
    type Store = Store;

    /// The typed text must begin the description or one of its words.
    fn fits(&self, _: &Store, typed: &str) -> bool {
        let typed = searchable(typed);
        let description = searchable(&self.description);
        description.starts_with(&typed) || description.contains(&format!(" {typed}"))
    }
}

/// The columns of the list of earlier links: the description, the latest amount, and how often the
/// description was used.
const COLUMNS: [Column<Store, KnownLink>; 3] = [
    Column {
        min_width: 16,
        fills: true,
        ..Column::new(0, &[known_description])
    },
    Column {
        is_right: true,
        ..Column::new(1, &[known_amount])
    },
    Column::new(2, &[known_usage]),
];

fn known_description(_: &Store, known: &KnownLink, _: usize) -> Span {
    Span::of(Role::Text, Untrusted::shown_of(&known.description))
}

fn known_amount(_: &Store, known: &KnownLink, _: usize) -> Span {
    Span::of(Role::Text, known.amount.text())
}

fn known_usage(store: &Store, known: &KnownLink, _: usize) -> Span {
    let when = store.render_cx().day_of(known.last);
    let values = [("when", &*when)];
    let text = store
        .words()
        .count("known-used-short", known.count, &values);
    Span::of(Role::Dim, text)
}

/// The option for this domain in the form's domain field.
fn domain_choice(domain: &DomainChoice) -> Choice {
    match domain {
        DomainChoice::Automatic => Choice::from_message("", "domain-automatic"),
        DomainChoice::Named(host) => Choice {
            value: host.raw().into(),
            label: ChoiceLabel::External(host.clone()),
        },
    }
}

/// Lays out the failure to create a link. For HTTP status 400, adds advice on activating a domain
/// and on getting paid without a domain.
fn failure_block(words: &Catalogue, failure: &Failure, width: usize) -> Block {
    let mut text = failure::describe(words, failure, Activity::Link);
    if matches!(failure, Failure::Refused(refusal) if refusal.status == 400) {
        let advice_ids = ["new-link-domain-how", "new-link-domain-other"];
        text.next = advice_ids.map(|id| words.text(id)).join("\n");
    }
    sent_form::failure_block(words, &text, width)
}

/// The steps in the panel beside the form.
fn steps(store: &Store) -> [&'static str; 3] {
    let create = if store.setup.links.copies_new {
        "new-link-steps-copy"
    } else {
        "new-link-steps-create"
    };
    let paid = if store.setup.demo.is_some() {
        "link-paid-says"
    } else {
        "link-never-paid"
    };
    [create, "new-link-steps-send", paid]
}

impl Screen for NewLink {
    fn info(&self) -> Info {
        Info::in_pane("new-link", Pane::Links)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let words = store.words();
        let area = panel::put_steps(store.render_cx(), &steps(store), area, page);
        let width = form_page::inner_width(area);
        let preview = self.request_preview(store, width);
        let status = form_status(
            store,
            &self.sent,
            "new-link-wait",
            |failure| failure_block(words, failure, width),
            preview,
            width,
        );
        let known = self.offers_known_links(store).then(|| {
            let key = store.render_cx().first_key(Action::NextKnown);
            let title = store.with("known-links-title", &[("key", key)]);
            self.known_links
                .block((store, words), &COLUMNS, &title, width)
        });
        let aside = credentials::expiry_warning(store, self.links(store).needs);
        let form = FormPage::new(
            words,
            ["new-link-title", "new-link-submit"],
            &self.sent.form,
        );
        FormPage {
            aside,
            below: [status].into_iter().chain(known).collect(),
            ..form
        }
        .draw(words, area, page);
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        let mut offered = form_actions(&self.sent.form, self.sent.wait);
        if self.offers_known_links(store) {
            offered.extend([Action::NextKnown, Action::PrevKnown]);
        }
        let actions = Actions::from(offered).word(Action::Submit, "link");
        actions.word(Action::NextKnown, "links")
    }

    body!(Sent(sent));

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match action {
            Action::NextKnown | Action::PrevKnown => {
                return self.choose_known_link(cx.store, action == Action::NextKnown);
            }
            Action::Submit if self.sent.form.check() => {}
            _ => return,
        }
        let Ok(note) = note::read(&mut self.sent.form) else {
            return;
        };
        let Some(amount) = self.sent.form.money() else {
            return;
        };
        let description = self.sent.form.value("description");
        let account = cx.store.account();
        let domain = self.chosen_host().cloned();
        let request = LinkRequest {
            account,
            amount,
            description,
            domain,
        };
        let credential = self.links(cx.store).needs;
        if let Some(ticket) = credentials::begin(cx, &mut self.sent, credential) {
            cx.perform(Effect::MakeLink {
                ticket,
                request,
                note,
            });
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::StoreChanged if self.sent.wait.is_none() => self.offer_domains(cx.store),
            ScreenEvent::Edited => {
                let focused = self.sent.form.focused();
                if let Some(field) = focused.filter(|field| &*field.id == "description") {
                    (self.known_links.typed, self.known_links.chosen) = (field.value(), None);
                }
            }
            ScreenEvent::Message(Msg::KnownLinksLoaded {
                ticket,
                result: Ok(links),
            }) if self.known_links.ticket == Some(*ticket) => {
                self.known_links.all = links.as_slice().into();
            }
            event => return on_form_event::<LinkRequest>(&mut self.sent, cx, &event),
        }
        true
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        form_links::<LinkRequest>(store, &self.sent)
    }
}
