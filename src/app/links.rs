//! Payment links: the list, a new one, and what may be done with a url.

use super::copying::{self, Clip};
use super::form::{Choice, ChoiceLabel, Field, Form, Label};
use super::layer::{Layer, NewLink, Question};
use super::list::List;
use super::login::waiting_at;
use super::update::{ask_entry, ask_jwt_first, mend_entry, missing_entry, note_entry, say};
use super::{CopyTrouble, Effect, Model, Said, act};
use crate::trade::{
    DayTotal, DomainChoice, Failure, JournalTrouble, LinkOutcome, LinkRequest, ListPage,
    PaymentLink, Ticket, Untrusted,
};

/// Everything the app knows of links.
#[derive(Debug, Clone, Default)]
pub struct State {
    /// The list.
    pub list: List<PaymentLink>,
    /// How many and how much, for each day that is in the window.
    pub days: Vec<DayTotal>,
}

/// Something about an address that a person should know before passing it on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Oddity {
    /// It cannot be read as a web address.
    NotAnAddress,
    /// It holds a user name or a password.
    UserInfo,
    /// Its host is a number.
    IpLiteral,
    /// It is not encrypted.
    Http,
    /// It is neither https nor http.
    NotWeb,
    /// Its host is the API's own.
    ApiHost,
    /// Its host is neither the chosen domain nor one of the known usable ones.
    UnknownHost,
    /// It holds white space, or a sign that a shell acts on and that is not usual in an address.
    ShellSigns,
}

/// Signs that a shell acts on, and that hardly any address holds.
///
/// Others are signs of a shell too (`? & # ~ % = [ ]`), and usual in addresses: to ask about each
/// of them would teach people to say yes.
const SHELL_SIGNS: &str = ";|$`<>(){}'\"\\*!^";

/// How white space in an address is shown: nobody would see it there.
const SPACE: char = '\u{2423}';

/// What an address is passed on to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Onward {
    /// The browser.
    Browser,
    /// A QR code, which a camera reads.
    Qr,
}

/// The longest description that is sent.
const DESCRIPTION_MAX: usize = 140;

/// Opens the form for a new link, or for the same one again.
pub fn new(model: &mut Model, like: Option<&PaymentLink>) -> Vec<Effect> {
    let mut domains = vec![DomainChoice::Automatic];
    domains.extend(model.domains.usable().map(|domain| DomainChoice::Named(domain.host.clone())));
    // A domain that was chosen once is offered although the list is not here: the service decides.
    let wanted = match like.and_then(|link| link.request.domain.clone()) {
        Some(host) => DomainChoice::Named(host),
        None if like.is_some() => DomainChoice::Automatic,
        None => model.domains.choice.clone(),
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
    let layer = NewLink { form, domains, wait: None, failure: None };
    act::open(model, Layer::NewLink(Box::new(layer)));
    ask_jwt_first(model, model.setup.contract.create_link.call.credential)
}

fn domain_choice(domain: &DomainChoice) -> Choice {
    match domain {
        DomainChoice::Automatic => {
            Choice { value: "".into(), label: ChoiceLabel::Label(Label::Word("domain-automatic")) }
        }
        DomainChoice::Named(host) => {
            Choice { value: host.raw().into(), label: ChoiceLabel::Theirs(host.clone()) }
        }
    }
}

/// Asks the service for the link.
pub fn submit(model: &mut Model) -> Vec<Effect> {
    let account = model.account();
    let wait = model.wait();
    let Some(Layer::NewLink(link)) = model.layers.last_mut() else { return vec![] };
    if !link.form.check() {
        return vec![];
    }
    let Some(amount) = link.form.money() else { return vec![] };
    let chosen = link.form.chosen("domain").and_then(|at| link.domains.get(at));
    let domain = match chosen {
        Some(DomainChoice::Named(host)) => Some(host.clone()),
        Some(DomainChoice::Automatic) | None => None,
    };
    let description = link.form.value("description");
    let request = LinkRequest { account, amount, description, domain };
    link.failure = None;
    // A request without its credential is not sent.
    if let Some(missing) = missing_entry(model, model.setup.contract.create_link.call.credential) {
        return ask_entry(model, missing, Failure::NoCredential(missing));
    }
    if let Some(Layer::NewLink(link)) = model.layers.last_mut() {
        link.wait = Some(wait);
    }
    vec![Effect::MakeLink { ticket: wait.ticket, request }]
}

/// Asking for a link ended.
pub fn made(
    model: &mut Model,
    ticket: Ticket,
    result: Result<PaymentLink, Failure>,
) -> Vec<Effect> {
    let mut effects = reload(model);
    // Nobody waits for it any more; the list has it.
    let Some(at) = waiting_at(model, ticket) else {
        note_entry(model, result.as_ref().err());
        return effects;
    };
    match result {
        Ok(link) => model.layers[at] = Layer::Link(Box::new(link)),
        Err(failure) => {
            if let Layer::NewLink(link) = &mut model.layers[at] {
                (link.wait, link.failure) = (None, Some(failure.clone()));
            }
            effects.extend(mend_entry(model, &failure));
        }
    }
    effects
}

fn reload(model: &mut Model) -> Vec<Effect> {
    let ticket = model.ticket();
    vec![Effect::LoadLinks(model.links.list.ask(ticket))]
}

/// A window of links came.
pub fn loaded(
    model: &mut Model,
    ticket: Ticket,
    result: Result<(ListPage<PaymentLink>, Vec<DayTotal>), JournalTrouble>,
) -> Vec<Effect> {
    match result {
        Ok((mut page, mut days)) => {
            model.unsaved.into_links(&mut page, &mut days);
            if model.links.list.take_row(ticket, page, |a, b| a.id == b.id) {
                model.links.days = days;
            }
            vec![]
        }
        Err(why) if model.links.list.asked == Some(ticket) => {
            if model.links.list.query.value().is_empty() {
                let store = &mut model.store;
                store.unsaved.before_links(&mut store.links.list.page);
            }
            say(model, Said::History(why))
        }
        Err(_) => vec![],
    }
}

/// The link the person is looking at.
pub fn subject(model: &Model) -> Option<&PaymentLink> {
    match model.layers.last() {
        Some(Layer::Link(link)) => Some(link),
        Some(_) => None,
        None if model.pane == super::Pane::Links => model.links.list.selected(),
        None => None,
    }
}

/// Copies the url: the reply's exact bytes, or nothing.
pub fn copy(model: &mut Model) -> Vec<Effect> {
    match subject(model).and_then(PaymentLink::url).cloned() {
        Some(url) => copy_url(model, url),
        None => say(model, Said::NotCopied(CopyTrouble::Nothing)),
    }
}

/// Copies an address that is on the screen, and asks first when something about it is odd.
pub fn copy_url(model: &mut Model, url: Untrusted) -> Vec<Effect> {
    if let Some(trouble) = CopyTrouble::of(&url) {
        return say(model, Said::NotCopied(trouble));
    }
    let below = model.layers.iter().rev().find_map(|layer| match layer {
        Layer::Link(link) => Some(&**link),
        _ => None,
    });
    let listed = model.links.list.page.rows.iter();
    let made = below.into_iter().chain(listed).find(|link| link.url() == Some(&url));
    let chosen = made.and_then(|link| link.request.domain.as_ref());
    let oddities = oddities_of(model, &url, chosen);
    if oddities.is_empty() {
        copying::copy(model, Clip::Address, url)
    } else {
        act::ask(model, Question::CopyOdd { clip: Clip::Address, url, oddities })
    }
}

impl CopyTrouble {
    /// Why a text is not copied: only what can be seen in full, as it came, is.
    pub fn of(text: &Untrusted) -> Option<CopyTrouble> {
        match text.is_clean() {
            true => None,
            false if text.is_too_long() => Some(CopyTrouble::NotInFull),
            false => Some(CopyTrouble::NotClean),
        }
    }
}

/// Copies a message for the buyer: what for, how much, where.
pub fn copy_message(model: &mut Model) -> Vec<Effect> {
    let Some(link) = subject(model) else { return vec![] };
    let Some(url) = link.url() else { return vec![] };
    if let Some(trouble) = CopyTrouble::of(url) {
        return say(model, Said::NotCopied(trouble));
    }
    let message = format!("{}\n{}\n{}", link.request.description, link.request.amount, url.raw());
    let oddities = oddities(model, link);
    let message = Untrusted::from(message);
    if oddities.is_empty() {
        copying::copy(model, Clip::Message, message)
    } else {
        act::ask(model, Question::CopyOdd { clip: Clip::Message, url: message, oddities })
    }
}

/// Opens the address in the browser, or shows it as a QR code; asks first where it is odd.
pub fn pass(model: &mut Model, to: Onward) -> Vec<Effect> {
    let Some(link) = subject(model) else { return vec![] };
    let Some(url) = link.url().cloned() else { return vec![] };
    if let Some(trouble) = CopyTrouble::of(&url) {
        return say(model, Said::NotCopied(trouble));
    }
    let oddities = oddities(model, link);
    match oddities.is_empty() {
        true => pass_on(model, url, to),
        false => act::ask(model, Question::PassOdd { to, url, oddities }),
    }
}

/// Passes an address on, once nothing about it is odd or somebody said that it may be.
pub fn pass_on(model: &mut Model, url: Untrusted, to: Onward) -> Vec<Effect> {
    match to {
        Onward::Browser => vec![Effect::Browse(url)],
        Onward::Qr => act::open(model, Layer::Qr(url)),
    }
}

/// The address with its white space to be seen; of a message, its last line.
pub fn marked(address: &Untrusted) -> Untrusted {
    let shown = address.shown();
    let (before, last) = last_line(address, &shown);
    let last = last.replace(char::is_whitespace, &SPACE.to_string());
    format!("{before}{last}").into()
}

/// The unusual signs in an address, each once.
pub fn shell_signs(address: &Untrusted) -> String {
    let shown = address.shown();
    let mut signs: Vec<char> = Vec::new();
    for c in last_line(address, &shown).1.chars() {
        let sign = if c.is_whitespace() { SPACE } else { c };
        if (sign == SPACE || SHELL_SIGNS.contains(sign)) && !signs.contains(&sign) {
            signs.push(sign);
        }
    }
    signs.iter().map(char::to_string).collect::<Vec<_>>().join(" ")
}

/// What stands before the address, and the address: only a message has lines.
fn last_line<'s>(address: &Untrusted, shown: &'s str) -> (&'s str, &'s str) {
    match shown.rfind('\u{240a}').filter(|_| !address.is_clean()) {
        Some(at) => shown.split_at(at + '\u{240a}'.len_utf8()),
        None => ("", shown),
    }
}

/// The host of an address as it would be looked up, in ASCII.
pub fn host(url: &Untrusted) -> Option<String> {
    url::Url::parse(url.raw()).ok()?.host_str().map(str::to_owned)
}

/// What is odd about a link's address.
///
/// Plain http and numbers are allowed to the machine itself, for the sandbox.
pub fn oddities(model: &Model, link: &PaymentLink) -> Vec<Oddity> {
    let chosen = link.request.domain.as_ref();
    link.url().map(|url| oddities_of(model, url, chosen)).unwrap_or_default()
}

fn oddities_of(model: &Model, address: &Untrusted, chosen: Option<&Untrusted>) -> Vec<Oddity> {
    let signs = (!shell_signs(address).is_empty()).then_some(Oddity::ShellSigns);
    let Some(url) = url::Url::parse(address.raw()).ok().filter(|url| url.has_host()) else {
        return std::iter::once(Oddity::NotAnAddress).chain(signs).collect();
    };
    let host = url.host_str().unwrap_or_default();
    let loopback = is_loopback(&url);
    let api_host = url::Url::parse(&model.setup.base_url);
    let chosen = chosen.is_some_and(|domain| is_host(domain, host));
    let known = chosen || model.domains.usable().any(|domain| is_host(&domain.host, host));
    let by_number = !matches!(url.host(), Some(url::Host::Domain(_)));
    let is_api = api_host.is_ok_and(|api| api.host_str() == Some(host));
    let found = [
        (!url.username().is_empty() || url.password().is_some(), Oddity::UserInfo),
        (by_number && !loopback, Oddity::IpLiteral),
        (url.scheme() == "http" && !loopback, Oddity::Http),
        (!matches!(url.scheme(), "https" | "http"), Oddity::NotWeb),
        (is_api, Oddity::ApiHost),
        (!known && !is_api, Oddity::UnknownHost),
    ];
    let found = found.into_iter().filter(|(is_so, _)| *is_so).map(|(_, oddity)| oddity);
    found.chain(signs).collect()
}

fn is_loopback(url: &url::Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

fn is_host(domain: &Untrusted, host: &str) -> bool {
    let listed = url::Host::parse(domain.raw()).map(|host| host.to_string());
    listed.is_ok_and(|listed| listed == host)
}

impl PaymentLink {
    /// The address, if the service gave one.
    pub fn url(&self) -> Option<&Untrusted> {
        match &self.outcome {
            LinkOutcome::Created { url } => Some(url),
            _ => None,
        }
    }
}
