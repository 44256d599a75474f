//! Payment links: what all screens know of them, and what may be done with an address.

use crate::app::next::{CodeText, Next, Onward, Question, Route, Step};
use crate::app::store::clip::Clip;
use crate::app::store::copying;
use crate::app::store::notice::Notice;
use crate::app::store::oddity::{oddities, oddities_of};
use crate::app::ui::list::List;
use crate::app::{CopyTrouble, Effect, Store};
use crate::trade::{
    DayTotal, DomainChoice, JournalTrouble, LinkFilter, LinkOutcome, LinkTotals, LinksRead,
    MessageFields, PaymentLink, Ticket, Untrusted,
};

/// Everything the app knows of links.
#[derive(Debug, Clone, Default)]
pub struct LinksState {
    /// The list.
    pub list: List<PaymentLink>,
    /// Those that are listed at all.
    pub filter: LinkFilter,
    /// The totals that were counted last.
    pub last_totals: Option<LinkTotals>,
    /// True when those are the totals of the rows that are here.
    pub is_counted: bool,
}

impl LinksState {
    /// Returns true when some links are left out of the list.
    pub fn is_narrowed(&self) -> bool {
        !self.filter.is_open() || !self.list.query.value().is_empty()
    }

    /// Returns the totals of the rows that are here; `None` while they are being counted.
    pub fn totals(&self) -> Option<&LinkTotals> {
        self.last_totals.as_ref().filter(|_| self.is_counted)
    }
}

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// A window of links came; its totals come with it, or later.
pub fn loaded(store: &mut Store, ticket: Ticket, result: Result<LinksRead, JournalTrouble>) {
    match result {
        Ok(LinksRead { mut page, totals }) => {
            store.unsaved.links.put(&mut page);
            page.total = totals.as_ref().map(|totals| totals.total).or(page.total);
            if store.links.list.take_row(ticket, page, |a, b| a.id == b.id) {
                store.links.list.counting = totals.is_none().then_some(ticket);
                store.links.is_counted = false;
                if let Some(totals) = totals {
                    take_totals(store, totals);
                }
            }
            store.history_trouble = None;
        }
        Err(why) if store.links.list.asked == Some(ticket) => {
            if !store.links.is_narrowed() {
                store.unsaved.links.put_before(&mut store.links.list.page);
            }
            history_failed(store, why);
        }
        Err(_) => {}
    }
}

/// The history could not be read: the panes say why until it can be.
pub fn history_failed(store: &mut Store, why: JournalTrouble) {
    store.history_trouble = Some(why.clone());
    store.say(Notice::History(why));
}

/// Where the history is, and the message that says what works without it.
pub fn without_history(store: &Store) -> (&Untrusted, &'static str) {
    let works = match store.withdrawals.is_locked() {
        false => "history-meanwhile",
        true => "history-meanwhile-locked",
    };
    (&store.journal, works)
}

/// The links of a question were counted.
pub fn counted(store: &mut Store, ticket: Ticket, result: Result<LinkTotals, JournalTrouble>) {
    if store.links.list.counting != Some(ticket) {
        return;
    }
    match result {
        Ok(totals) => take_totals(store, totals),
        Err(why) => history_failed(store, why),
    }
}

fn take_totals(store: &mut Store, mut totals: LinkTotals) {
    let page = &mut store.links.list.page;
    for link in page.rows.iter().filter(|link| store.unsaved.links.has(link)) {
        count(link, &mut totals.days);
    }
    page.total = Some(totals.total);
    (store.links.last_totals, store.links.is_counted) = (Some(totals), true);
}

/// Counts a link that its history does not know to be made on its day.
fn count(link: &PaymentLink, days: &mut [DayTotal]) {
    let is_on = |day: &&mut DayTotal| (0..DAY_MS).contains(&link.at.0.saturating_sub(day.starts.0));
    let Some(day) = days.iter_mut().find(is_on) else { return };
    if let Some(sum) = day.sum.checked_add(link.request.amount) {
        (day.count, day.sum) = (day.count + 1, sum);
    }
}

/// Asks for the rows again.
pub fn reload(store: &mut Store) -> Effect {
    let ticket = store.ticket();
    let mut ask = store.links.list.ask_near(ticket, |link| link.id);
    ask.search.filter = store.links.filter.clone();
    ask.search.utc_offset_s = store.setup.utc_offset_s;
    Effect::LoadLinks(ask)
}

/// Shows those that are not marked as paid, then those that are, then all again.
pub fn filter_by_mark(store: &mut Store) -> Effect {
    store.links.filter.paid = match store.links.filter.paid {
        None => Some(false),
        Some(false) => Some(true),
        Some(true) => None,
    };
    from_the_top(store)
}

/// Shows those of this one's day alone; of every day again where that is so already.
pub fn filter_by_day(store: &mut Store, link: Option<&PaymentLink>) -> Effect {
    let day = link.map(|link| link.at.local_day(store.setup.utc_offset_s));
    let filter = &mut store.links.filter;
    filter.day = if filter.day.is_none() { day } else { None };
    from_the_top(store)
}

/// Shows those on the same domain as this one, whoever chose it; of every domain again where that
/// is so already.
pub fn filter_by_domain(store: &mut Store, link: Option<&PaymentLink>) -> Effect {
    let domain = link.map(|link| {
        let host = PaymentLink::host(&link.request, &link.outcome);
        host.map_or(DomainChoice::Automatic, |host| DomainChoice::Named(host.into()))
    });
    let filter = &mut store.links.filter;
    filter.domain = if filter.domain.is_none() { domain } else { None };
    from_the_top(store)
}

/// Shows all of them again, where some are left out by a filter.
pub fn show_all(store: &mut Store) -> Option<Effect> {
    let filter = std::mem::take(&mut store.links.filter);
    (!filter.is_open()).then(|| from_the_top(store))
}

fn from_the_top(store: &mut Store) -> Effect {
    store.links.list.search_anew();
    reload(store)
}

/// Returns true when a link can be marked: it was made, and the history knows that.
pub fn can_mark(store: &Store, link: &PaymentLink) -> bool {
    link.url().is_some() && !store.unsaved.links.has(link)
}

/// Marks a link as paid, or takes the mark away. Nothing of the service says either.
pub fn mark(store: &Store, link: &PaymentLink) -> Next {
    let paid = if link.paid.is_none() { Some(store.now.wall) } else { None };
    Effect::MarkLink { link: Box::new(link.clone()), paid }.into()
}

/// A link was marked, or not.
pub fn marked(store: &mut Store, result: &Result<Box<PaymentLink>, JournalTrouble>) -> Next {
    match result {
        Ok(link) => {
            store.say(Notice::Marked { paid: link.paid.is_some() });
            let read = reload(store);
            store.links.list.keeps_row = true;
            read.into()
        }
        Err(why) => {
            store.say(Notice::NotMarked(why.clone()));
            Next::none()
        }
    }
}

/// Copies a link's address: the reply's exact bytes, or nothing.
pub fn copy(store: &mut Store, link: &PaymentLink) -> Next {
    let Some(url) = link.url() else { return store.not_copied(CopyTrouble::Nothing) };
    copy_with(store, (Clip::Address, url.clone()), url, link.request.domain.as_ref())
}

/// Says that a link was made, and copies its address where nothing about it is odd and the seller
/// did not switch that off; for the screen in front alone.
pub fn made(store: &Store, link: &PaymentLink) -> Next {
    let Some(url) = link.url() else { return Next::none() };
    let is_odd = CopyTrouble::of(url).is_some() || !oddities(store, link).is_empty();
    let next: Next = match store.setup.links.copies_new && !is_odd {
        true => Effect::Copy(Clip::NewAddress, url.clone()).into(),
        false => Step::Say(Notice::LinkMade { is_odd }).into(),
    };
    Step::InFront(Box::new(next)).into()
}

/// Copies an address of which only the text is known: a link that has it says what was chosen.
pub fn copy_shown(store: &mut Store, url: &Untrusted) -> Next {
    let made = store.links.list.page.rows.iter().find(|link| link.url() == Some(url));
    let chosen = made.and_then(|link| link.request.domain.clone());
    copy_with(store, (Clip::Address, url.clone()), url, chosen.as_ref())
}

/// Copies a message for the buyer: what for, how much, where.
pub fn copy_message(store: &mut Store, link: &PaymentLink) -> Next {
    let Some(url) = link.url() else { return Next::none() };
    let text = message(store, link, url);
    copy_with(store, (Clip::Message, text), url, link.request.domain.as_ref())
}

/// Copies a text with an address in it, or the address alone; asks first when something about it is
/// odd.
fn copy_with(
    store: &mut Store,
    (clip, text): (Clip, Untrusted),
    url: &Untrusted,
    chosen: Option<&Untrusted>,
) -> Next {
    if let Some(trouble) = CopyTrouble::of(url) {
        return store.not_copied(trouble);
    }
    let oddities = oddities_of(store, url, chosen);
    match oddities.is_empty() {
        true => copying::copy(store, clip, text),
        false => Next::ask(Question::CopyOdd { clip, text, url: url.clone(), oddities }),
    }
}

/// The message for the buyer, by the seller's template.
fn message(store: &Store, link: &PaymentLink, url: &Untrusted) -> Untrusted {
    let (description, amount) = (&*link.request.description, link.request.amount);
    let fields = MessageFields { description, amount, payable: url, buyer: "", expiry: "" };
    store.setup.links.message.fill(&fields).into()
}

/// The address that opens WhatsApp with a message, for the seller to choose to whom it goes.
fn whatsapp(message: &Untrusted) -> Untrusted {
    let mut address = String::from("https://wa.me/?text=");
    for byte in message.raw().bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                address.push(byte.into());
            }
            other => address.push_str(&format!("%{other:02X}")),
        }
    }
    address.into()
}

/// Opens the address in the browser, shares a message with it, or shows it as a QR code; asks first
/// where it is odd.
pub fn pass(store: &mut Store, link: &PaymentLink, to: Onward) -> Next {
    let Some(url) = link.url().cloned() else { return Next::none() };
    if let Some(trouble) = CopyTrouble::of(&url) {
        return store.not_copied(trouble);
    }
    let text = match to {
        Onward::Browser | Onward::Qr => url.clone(),
        Onward::WhatsApp => whatsapp(&message(store, link, &url)),
    };
    let oddities = oddities(store, link);
    match oddities.is_empty() {
        true => pass_on(text, to),
        false => Next::ask(Question::PassOdd { to, text, url, oddities }),
    }
}

/// Passes an address on, once nothing about it is odd or the seller agreed to it.
pub fn pass_on(text: Untrusted, to: Onward) -> Next {
    match to {
        Onward::Browser | Onward::WhatsApp => Effect::Browse(text).into(),
        Onward::Qr => Next::open(Route::Qr(CodeText { text, clip: Clip::Address })),
    }
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
