//! Payment links: what all screens know of them, and what may be done with an address.

use crate::app::cx::Cx;
use crate::app::store::clip::Clip;
use crate::app::store::habits;
use crate::app::store::meaning::{Searched, understood};
use crate::app::store::notice::Notice;
use crate::app::store::passing::Payable;
use crate::app::store::story::SellerEvent;
use crate::app::store::unsaved::{Noted, UnsavedRecords};
use crate::app::ui::Action;
use crate::app::ui::list::List;
use crate::app::{Effect, Store};
use crate::trade::{
    DayTotal, DomainChoice, JournalTrouble, LinkFilter, LinkOutcome, LinkTotals, LinksRead,
    ListPage, MessageFields, PaymentLink, Ticket, Untrusted,
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
    let is_narrowed = store.links.is_narrowed();
    let (result, totals) = match result {
        Ok(LinksRead { page, totals }) => {
            let total = totals.as_ref().map(|totals| totals.total).or(page.total);
            (Ok(ListPage { total, ..page }), totals)
        }
        Err(why) => (Err(why), None),
    };
    let is_wanted = rows_came(store, ticket, result, is_narrowed, |store| {
        (&mut store.links.list, &store.unsaved.links)
    });
    if is_wanted {
        store.links.list.counting = totals.is_none().then_some(ticket);
        store.links.is_counted = false;
        if let Some(totals) = totals {
            take_totals(store, totals);
        }
    }
}

/// A window of the history's rows came, or not: the panes say why until it can be read.
///
/// Returns true when these rows are wanted; `is_narrowed` is true if some are left out of the list.
pub fn rows_came<T: Noted>(
    store: &mut Store,
    ticket: Ticket,
    result: Result<ListPage<T>, JournalTrouble>,
    is_narrowed: bool,
    list: fn(&mut Store) -> (&mut List<T>, &UnsavedRecords<T>),
) -> bool {
    let (list, unsaved) = list(store);
    match result {
        Ok(mut page) => {
            unsaved.put(&mut page);
            let is_wanted = list.take_row(ticket, page, T::is_same);
            store.history_trouble = None;
            habits::refreshed(store, Some(ticket));
            is_wanted
        }
        Err(why) if list.asked == Some(ticket) => {
            if !is_narrowed {
                unsaved.put_before(&mut list.page);
            }
            history_failed(store, why);
            false
        }
        Err(_) => false,
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
pub fn reload(cx: &mut Cx) {
    let ticket = cx.store.ticket();
    let ask = cx.store.links.list.ask_near(ticket, |link| link.id);
    let mut ask = understood(cx.store, Searched::Links, ask);
    ask.search.filter = cx.store.links.filter.clone();
    ask.search.utc_offset_s = cx.store.setup.utc_offset_s;
    cx.perform(Effect::LoadLinks(ask));
}

/// Shows those that are not marked as paid, then those that are, then all again.
pub fn filter_by_mark(cx: &mut Cx) {
    cx.store.links.filter.paid = match cx.store.links.filter.paid {
        None => Some(false),
        Some(false) => Some(true),
        Some(true) => None,
    };
    from_the_top(cx);
}

/// Shows those of this one's day alone; of every day again where that is so already.
pub fn filter_by_day(cx: &mut Cx, link: Option<&PaymentLink>) {
    let day = link.map(|link| link.at.local_day(cx.store.setup.utc_offset_s));
    let filter = &mut cx.store.links.filter;
    filter.day = if filter.day.is_none() { day } else { None };
    from_the_top(cx);
}

/// Shows those on the same domain as this one, whoever chose it; of every domain again where that
/// is so already.
pub fn filter_by_domain(cx: &mut Cx, link: Option<&PaymentLink>) {
    let domain = link.map(|link| {
        let host = PaymentLink::host(&link.request, &link.outcome);
        host.map_or(DomainChoice::Automatic, |host| DomainChoice::Named(host.into()))
    });
    let filter = &mut cx.store.links.filter;
    filter.domain = if filter.domain.is_none() { domain } else { None };
    from_the_top(cx);
}

/// Shows all of them again, where some are left out by a filter.
pub fn show_all(cx: &mut Cx) {
    if !std::mem::take(&mut cx.store.links.filter).is_open() {
        from_the_top(cx);
    }
}

fn from_the_top(cx: &mut Cx) {
    cx.store.links.list.search_anew();
    reload(cx);
}

/// Returns true when a link can be marked: it was made, and the history knows that.
pub fn can_mark(store: &Store, link: &PaymentLink) -> bool {
    link.url().is_some() && !store.unsaved.links.has(link)
}

/// Marks a link as paid, or takes the mark away. Nothing of the service says either.
pub fn mark(cx: &mut Cx, link: &PaymentLink) {
    let paid = if link.paid.is_none() { Some(cx.store.now.wall) } else { None };
    cx.perform(Effect::MarkLink { link: Box::new(link.clone()), paid });
    cx.tell_story(SellerEvent::Mark);
}

/// A link was marked, or not.
pub fn marked(cx: &mut Cx, result: &Result<Box<PaymentLink>, JournalTrouble>) {
    match result {
        Ok(link) => {
            let said = if link.paid.is_some() { "said-marked" } else { "said-unmarked" };
            cx.store.say(Notice::good(said));
            reload(cx);
            cx.store.links.list.keeps_row = true;
        }
        Err(why) => cx.store.say(Notice::NotMarked(why.clone())),
    }
}

/// Says that a link was made, and copies its address where nothing about it is odd and the seller
/// did not switch that off; for the screen in front alone.
pub fn made(cx: &mut Cx, link: &PaymentLink) {
    let Some(payable) = Payable::of_link(cx.store, link).filter(|_| cx.is_front) else { return };
    let is_odd = payable.is_odd();
    match cx.store.setup.links.copies_new && !is_odd {
        true => {
            cx.perform(Effect::Copy(Clip::NewAddress, payable.code.text));
            cx.tell_story(SellerEvent::Copy);
        }
        false if is_odd => cx.store.say(Notice::warn("said-link-made-odd")),
        false => cx.store.say(Notice::WithKey("said-link-made", Action::Copy)),
    }
}

/// The message for the buyer, by the seller's template.
pub fn message(store: &Store, link: &PaymentLink, url: &Untrusted) -> Untrusted {
    let (description, amount) = (&*link.request.description, link.request.amount);
    let fields = MessageFields { description, amount, payable: url, buyer: "", expiry: "" };
    store.setup.links.message.fill(&fields).into()
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
