//! Payment links: what all screens know of them, and what may be done with an address.

use super::copying::{self, Clip};
use super::list::List;
use super::screen::route::{CodeText, Next, Onward, Question, Route};
use super::{CopyTrouble, Effect, Said, Store};
use crate::trade::{
    DayTotal, JournalTrouble, LinkOutcome, ListPage, PaymentLink, Ticket, Untrusted,
};

/// Everything the app knows of links.
#[derive(Debug, Clone, Default)]
pub struct LinksState {
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

/// A window of links came.
pub fn loaded(
    store: &mut Store,
    ticket: Ticket,
    result: Result<(ListPage<PaymentLink>, Vec<DayTotal>), JournalTrouble>,
) {
    match result {
        Ok((mut page, mut days)) => {
            store.unsaved.into_links(&mut page, &mut days);
            if store.links.list.take_row(ticket, page, |a, b| a.id == b.id) {
                store.links.days = days;
            }
        }
        Err(why) if store.links.list.asked == Some(ticket) => {
            if store.links.list.query.value().is_empty() {
                store.unsaved.before_links(&mut store.links.list.page);
            }
            store.say(Said::History(why));
        }
        Err(_) => {}
    }
}

/// Asks for the rows again.
pub fn reload(store: &mut Store) -> Effect {
    let ticket = store.ticket();
    Effect::LoadLinks(store.links.list.ask(ticket))
}

/// Copies a link's address: the reply's exact bytes, or nothing.
pub fn copy(store: &mut Store, link: &PaymentLink) -> Next {
    match link.url() {
        Some(url) => copy_url(store, url, link.request.domain.as_ref()),
        None => store.not_copied(CopyTrouble::Nothing),
    }
}

/// Copies an address that is on the screen, and asks first when something about it is odd.
pub fn copy_url(store: &mut Store, url: &Untrusted, chosen: Option<&Untrusted>) -> Next {
    if let Some(trouble) = CopyTrouble::of(url) {
        return store.not_copied(trouble);
    }
    let (clip, url, oddities) = (Clip::Address, url.clone(), oddities_of(store, url, chosen));
    match oddities.is_empty() {
        true => copying::copy(store, clip, url),
        false => Next::ask(Question::CopyOdd { clip, url, oddities }),
    }
}

/// Copies an address of which only the text is known: a link that has it says what was chosen.
pub fn copy_shown(store: &mut Store, url: &Untrusted) -> Next {
    let made = store.links.list.page.rows.iter().find(|link| link.url() == Some(url));
    let chosen = made.and_then(|link| link.request.domain.clone());
    copy_url(store, url, chosen.as_ref())
}

/// Copies a message for the buyer: what for, how much, where.
pub fn copy_message(store: &mut Store, link: &PaymentLink) -> Next {
    let Some(url) = link.url() else { return Next::none() };
    if let Some(trouble) = CopyTrouble::of(url) {
        return store.not_copied(trouble);
    }
    let message = format!("{}\n{}\n{}", link.request.description, link.request.amount, url.raw());
    let (clip, url, oddities) = (Clip::Message, message.into(), oddities(store, link));
    match oddities.is_empty() {
        true => copying::copy(store, clip, url),
        false => Next::ask(Question::CopyOdd { clip, url, oddities }),
    }
}

/// Opens the address in the browser, or shows it as a QR code; asks first where it is odd.
pub fn pass(store: &mut Store, link: &PaymentLink, to: Onward) -> Next {
    let Some(url) = link.url().cloned() else { return Next::none() };
    if let Some(trouble) = CopyTrouble::of(&url) {
        return store.not_copied(trouble);
    }
    let oddities = oddities(store, link);
    match oddities.is_empty() {
        true => pass_on(url, to),
        false => Next::ask(Question::PassOdd { to, url, oddities }),
    }
}

/// Passes an address on, once nothing about it is odd or somebody said that it may be.
pub fn pass_on(url: Untrusted, to: Onward) -> Next {
    match to {
        Onward::Browser => Effect::Browse(url).into(),
        Onward::Qr => Next::open(Route::Qr(CodeText { text: url, clip: Clip::Address })),
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
pub fn oddities(store: &Store, link: &PaymentLink) -> Vec<Oddity> {
    let chosen = link.request.domain.as_ref();
    link.url().map(|url| oddities_of(store, url, chosen)).unwrap_or_default()
}

fn oddities_of(store: &Store, address: &Untrusted, chosen: Option<&Untrusted>) -> Vec<Oddity> {
    let signs = (!shell_signs(address).is_empty()).then_some(Oddity::ShellSigns);
    let Some(url) = url::Url::parse(address.raw()).ok().filter(|url| url.has_host()) else {
        return std::iter::once(Oddity::NotAnAddress).chain(signs).collect();
    };
    let host = url.host_str().unwrap_or_default();
    let loopback = is_loopback(&url);
    let api_host = url::Url::parse(&store.setup.base_url);
    let chosen = chosen.is_some_and(|domain| is_host(domain, host));
    let known = chosen || store.domains.usable().any(|domain| is_host(&domain.host, host));
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
