//! The list of payment links: loads it, filters it, and counts its totals. Also writes the message
//! to the buyer.

use crate::app::cx::Cx;
use crate::app::store::clip::Clip;
use crate::app::store::key_feedback;
use crate::app::store::notice::Notice;
use crate::app::store::payable::Payable;
use crate::app::store::query_expansion::{Searched, expand_request};
use crate::app::store::story::SellerEvent;
use crate::app::store::unsaved::{HistoryRecord, UnsavedRecords};
use crate::app::ui::Action;
use crate::app::ui::list::List;
use crate::app::{Effect, Store};
use crate::trade::{
    DayTotal, DomainChoice, JournalTrouble, LinkFilter, LinkOutcome, LinkTotals, LinksPage,
    ListPage, LostHistory, MessageFields, PaymentLink, Ticket, Untrusted,
};

/// The list of payment links, with its filters and totals.
#[derive(Debug, Clone, Default)]
pub struct LinksState {
    pub list: List<PaymentLink>,
    /// The filters that decide which payment links are listed.
    pub filter: LinkFilter,
    /// The totals of the last count. They may belong to an earlier filter or search.
    pub last_totals: Option<LinkTotals>,
    /// True if `last_totals` belongs to the rows that are loaded now.
    pub is_counted: bool,
}

impl LinksState {
    /// Returns true if a filter or a search hides some payment links.
    pub fn is_narrowed(&self) -> bool {
        !self.filter.is_open() || !self.list.query.value().is_empty()
    }

    /// Returns the totals of the loaded rows, or `None` while they are still being counted.
    pub fn totals(&self) -> Option<&LinkTotals> {
        self.last_totals.as_ref().filter(|_| self.is_counted)
    }
}

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// Stores a page of payment links that was loaded from the history database. The totals arrive
/// together with the page, or later.
pub fn loaded(store: &mut Store, ticket: Ticket, result: Result<LinksPage, JournalTrouble>) {
    let is_narrowed = store.links.is_narrowed();
    let (result, totals) = match result {
        Ok(LinksPage { page, totals }) => {
            let total = totals.as_ref().map(|totals| totals.total).or(page.total);
            (Ok(ListPage { total, ..page }), totals)
        }
        Err(trouble) => (Err(trouble), None),
    };
    let is_latest = store_rows(store, ticket, result, is_narrowed, |store| {
        (&mut store.links.list, &store.unsaved.links)
    });
    if is_latest {
        store.links.list.counting = totals.is_none().then_some(ticket);
        store.links.is_counted = false;
        if let Some(totals) = totals {
            set_totals(store, totals);
        }
    }
}

/// Stores a page of rows that was loaded from the history database, or handles the error. Returns
/// true if the rows are the result of the latest request.
///
/// `is_narrowed` is true if a filter or search hides some rows.
pub fn store_rows<T: HistoryRecord>(
    store: &mut Store,
    ticket: Ticket,
    result: Result<ListPage<T>, JournalTrouble>,
    is_narrowed: bool,
    list_of: fn(&mut Store) -> (&mut List<T>, &UnsavedRecords<T>),
) -> bool {
    let (list, unsaved) = list_of(store);
    match result {
        Ok(mut page) => {
            unsaved.replace_rows(&mut page);
            let is_latest = list.store_page_keeping_row(ticket, page, T::is_same);
            store.history_trouble = None;
            key_feedback::confirm_refresh(store, Some(ticket));
            is_latest
        }
        Err(trouble) if list.pending_ticket == Some(ticket) => {
            if !is_narrowed {
                unsaved.prepend_missing(&mut list.page);
            }
            report_history_trouble(store, trouble);
            false
        }
        Err(_) => false,
    }
}

/// Records why the history database could not be read. The panes show the reason until a read
/// succeeds.
pub fn report_history_trouble(store: &mut Store, trouble: JournalTrouble) {
    store.history_trouble = Some(trouble.clone());
    store.notify(Notice::History(trouble));
}

/// Records that the history database lacks the rows of an earlier one. `is_new` is true if a
/// damaged database was replaced by an empty one in this run.
pub fn history_lost(store: &mut Store, lost: &LostHistory, is_new: bool) {
    store.lost_history = Some(lost.clone());
    if is_new {
        store.notify(Notice::warn("said-history-anew"));
    }
}

/// Returns the directory of the history database, and a message id. The message explains what still
/// works while the database cannot be used.
pub fn without_history(store: &Store) -> (&Untrusted, &'static str) {
    let message_id = match store.withdrawals.is_locked() {
        false => "history-meanwhile",
        true => "history-meanwhile-locked",
    };
    (&store.journal_path, message_id)
}

/// Stores the totals of the payment links that match the filters and the search.
pub fn counted(store: &mut Store, ticket: Ticket, result: Result<LinkTotals, JournalTrouble>) {
    if store.links.list.counting != Some(ticket) {
        return;
    }
    match result {
        Ok(totals) => set_totals(store, totals),
        Err(trouble) => report_history_trouble(store, trouble),
    }
}

fn set_totals(store: &mut Store, mut totals: LinkTotals) {
    let page = &mut store.links.list.page;
    for link in page.rows.iter().filter(|link| store.unsaved.links.has(link)) {
        add_to_day_total(link, &mut totals.days);
    }
    page.total = Some(totals.total);
    (store.links.last_totals, store.links.is_counted) = (Some(totals), true);
}

/// Adds a payment link to the totals of its day. The history database did not count the link,
/// because it could not record that the link was created.
fn add_to_day_total(link: &PaymentLink, days: &mut [DayTotal]) {
    let is_same_day =
        |day: &&mut DayTotal| (0..DAY_MS).contains(&link.at.0.saturating_sub(day.starts.0));
    let Some(day) = days.iter_mut().find(is_same_day) else { return };
    if let Some(sum) = day.sum.checked_add(link.request.amount) {
        (day.count, day.sum) = (day.count + 1, sum);
    }
}

/// Reloads the list of payment links from the history database.
pub fn reload(cx: &mut Cx) {
    let ticket = cx.store.next_ticket();
    let request = cx.store.links.list.request_near_row(ticket, |link| link.id);
    let mut request = expand_request(cx.store, Searched::Links, request);
    request.search.filter = cx.store.links.filter.clone();
    request.search.utc_offset_s = cx.store.setup.utc_offset_s;
    cx.perform(Effect::LoadLinks(request));
}

/// Changes which links are listed: first only unpaid links, at the next key press only paid links,
/// and then all links again.
pub fn filter_by_mark(cx: &mut Cx) {
    cx.store.links.filter.paid = match cx.store.links.filter.paid {
        None => Some(false),
        Some(false) => Some(true),
        Some(true) => None,
    };
    reload_from_top(cx);
}

/// Filters the list to the links that were created on the same day as this link. If a day filter is
/// already active, removes that filter instead.
pub fn filter_by_day(cx: &mut Cx, link: Option<&PaymentLink>) {
    let day = link.map(|link| link.at.local_day(cx.store.setup.utc_offset_s));
    let filter = &mut cx.store.links.filter;
    filter.day = if filter.day.is_none() { day } else { None };
    reload_from_top(cx);
}

/// Filters the list to the links on the same checkout domain as this link. The seller or the
/// service may have chosen the domain. If a domain filter is already active, removes that filter
/// instead.
pub fn filter_by_domain(cx: &mut Cx, link: Option<&PaymentLink>) {
    let domain = link.map(|link| {
        let host = PaymentLink::host(&link.request, &link.outcome);
        host.map_or(DomainChoice::Automatic, |host| DomainChoice::Named(host.into()))
    });
    let filter = &mut cx.store.links.filter;
    filter.domain = if filter.domain.is_none() { domain } else { None };
    reload_from_top(cx);
}

/// Removes all filters from the list of links.
pub fn show_all(cx: &mut Cx) {
    if !std::mem::take(&mut cx.store.links.filter).is_open() {
        reload_from_top(cx);
    }
}

fn reload_from_top(cx: &mut Cx) {
    cx.store.links.list.restart_search();
    reload(cx);
}

/// Copies the URL of a new payment link, if its form is still the front screen. Shows a notice
/// instead if there are warnings about the URL, or if the seller turned automatic copying off.
pub fn made(cx: &mut Cx, link: &PaymentLink) {
    let Some(payable) = Payable::of_link(cx.store, link).filter(|_| cx.is_front) else { return };
    let has_warnings = payable.has_warnings();
    match cx.store.setup.links.copies_new && !has_warnings {
        true => {
            cx.perform(Effect::Copy(Clip::NewAddress, payable.code.text));
            cx.tell_story(SellerEvent::Copy);
        }
        false if has_warnings => cx.store.notify(Notice::warn("said-link-made-odd")),
        false => cx.store.notify(Notice::WithKey("said-link-made", Action::Copy)),
    }
}

/// Returns the message to the buyer, filled in from the seller's template.
pub fn message(store: &Store, link: &PaymentLink, url: &Untrusted) -> Untrusted {
    let (description, amount) = (&*link.request.description, link.request.amount);
    let fields = MessageFields { description, amount, payable: url, buyer: "", expiry: "" };
    store.setup.links.message.fill(&fields).into()
}

impl PaymentLink {
    /// Returns the link's URL, if the service returned one.
    pub fn url(&self) -> Option<&Untrusted> {
        match &self.outcome {
            LinkOutcome::Created { url } => Some(url),
            _ => None,
        }
    }
}
