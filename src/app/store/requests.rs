//! The list of HTTP requests: first the requests that are not stored yet, then the rows of the
//! requests database.
//!
//! An exchange (a request with its reply) is loaded only for the row under the cursor. Stored
//! exchanges are for viewing only; all decisions use the exchanges of this run
//! (`Store::exchanges`).

use std::sync::Arc;

use crate::app::cx::{Cx, Route};
use crate::app::store::notice::Notice;
use crate::app::store::query_expansion::{Searched, expand_request};
use crate::app::store::unstored_exchanges::UnstoredExchange;
use crate::app::store::{confirming, exchanges, key_feedback};
use crate::app::ui::Action;
use crate::app::ui::list::List;
use crate::app::{Effect, HistoryCommand, MoneyCommand, Msg, Pane, Store};
use crate::trade::withdrawal::NotSent;
use crate::trade::{
    Charge, Exchange, ExchangeSubject, Failure, JournalTrouble, ListPage, Operation, PaymentLink,
    RequestQuery, RequestRow, RequestsOf, RequestsRead, RowId, Sale, Ticket, Wall, Withdrawal,
};

/// The list of HTTP requests, with its filter and the exchange of the row under the cursor.
#[derive(Debug, Clone, Default)]
pub struct RequestsState {
    pub list: List<RequestRow>,
    /// The link, direct payment or withdrawal whose requests are listed; `None` lists all requests.
    pub of: Option<RequestsOf>,
    /// The time of the oldest request in the list.
    pub since: Option<Wall>,
    /// True if the requests are kept for later runs of the program.
    pub is_kept: bool,
    /// True if a damaged requests database was replaced in this run. It is reported only once.
    is_replaced: bool,
    /// The error of the last query, if it failed.
    pub trouble: Option<JournalTrouble>,
    /// The row under the cursor, with its HTTP exchange.
    pub opened: Option<OpenedRequest>,
    /// The HTTP exchange that the seller marked, to compare it with another.
    pub marked: Option<Arc<Exchange>>,
    /// The link and the direct payment that the history recorded most recently, each before its
    /// request was sent: the operation, the row id and the time.
    begun: Vec<(Operation, RowId, Wall)>,
    /// The number of requests in the list that are not stored yet. They come before the stored
    /// rows.
    in_front: u64,
    /// The number of exchanges that arrived in this run. Until an exchange is stored, the id of its
    /// row is the negative of its number.
    arrived: i64,
    /// The ticket of the pending query for the link, direct payment or withdrawal of a request.
    sought: Option<Ticket>,
}

/// The row under the cursor, with its HTTP exchange.
#[derive(Debug, Clone)]
pub struct OpenedRequest {
    row: RequestRow,
    pub exchange: LoadedExchange,
    /// The action to run as soon as the exchange is loaded.
    then: Option<Action>,
}

/// The HTTP exchange of the row under the cursor.
#[derive(Debug, Clone)]
pub enum LoadedExchange {
    Loading,
    Loaded(Arc<Exchange>),
    /// The exchange was deleted or cannot be read.
    Lost,
}

/// Handles an HTTP exchange that just ended: adds it to the list of requests, and marks the
/// contract settings that its reply confirms.
pub fn arrived(cx: &mut Cx, exchange: &Arc<Exchange>) {
    cx.store.unproven |= exchange.reply == Err(Failure::NotSent(NotSent::Unproven));
    add(cx.store, exchange.clone());
    confirming::after_exchange(cx, exchange)
}

/// Adds an HTTP exchange of this run to the list of requests.
pub fn add(store: &mut Store, exchange: Arc<Exchange>) {
    store.requests.arrived += 1;
    let owner = (store.setup.profile.clone(), store.setup.origin.clone());
    let mut row = RequestRow::of(RowId(-store.requests.arrived), owner, &exchange);
    // The request belongs to the link or direct payment that was recorded last, even if the request
    // failed. If it began before that record, it was a cancelled earlier request.
    let is_its = |(operation, _, at): &&(Operation, RowId, Wall)| {
        *operation == row.operation && *at <= row.at
    };
    let begun = store.requests.begun.iter().find(is_its);
    row.subject = begun.map(|(_, id, _)| ExchangeSubject::Sale(*id));
    exchanges::keep(store, exchange.clone());
    store.unstored_exchanges.push(UnstoredExchange::new(row, exchange));
    if store.pane == Pane::Exchanges {
        put_in_front(store, true);
    }
}

/// Inserts the rows that are not stored yet before the loaded page. With `keeps_row`, the cursor
/// stays on its row.
fn put_in_front(store: &mut Store, keeps_row: bool) {
    let front = in_front(store);
    let state = &mut store.requests;
    let (was, mut page) = (state.in_front, state.list.page.clone());
    page.rows = page.rows.iter().filter(|row| row.id.0 > 0).cloned().collect();
    page.total = page.total.map(|total| total.saturating_sub(was));
    page.first = page.first.saturating_sub(was);
    state.in_front = front.len() as u64;
    with_front(&mut page, front);
    let kept = state.list.selected().filter(|_| keeps_row);
    let kept = kept.and_then(|kept| page.rows.iter().position(|row| row.is_same(kept)));
    if let Some(row) = kept {
        state.list.cursor = page.first + row as u64;
    }
    state.list.page = page;
}

/// Returns the rows that are not stored yet, newest first; none if the list is searched or
/// filtered.
fn in_front(store: &Store) -> Vec<RequestRow> {
    let is_narrowed = is_narrowed(store);
    let rows = store.unstored_exchanges.iter().rev().filter(|_| !is_narrowed);
    rows.map(|one| one.row.clone()).collect()
}

/// Inserts the rows that are not stored yet before the rows of the database.
fn with_front(page: &mut ListPage<RequestRow>, mut front: Vec<RequestRow>) {
    let count = front.len() as u64;
    page.total = page.total.map(|total| total + count);
    if page.first > 0 {
        page.first += count;
    } else {
        front.extend(page.rows.iter().cloned());
        page.rows = front.into();
    }
}

/// Returns true if the list does not show all requests because of a filter or a search.
fn is_narrowed(store: &Store) -> bool {
    let state = &store.requests;
    state.of.is_some() || !state.list.query.value().is_empty()
}

/// Loads the list again. With `keeps_row`, the cursor stays on its row even if rows were added.
pub fn reload(cx: &mut Cx, keeps_row: bool) {
    let effect = load(cx.store, keeps_row);
    cx.perform(effect);
}

fn load(store: &mut Store, keeps_row: bool) -> Effect {
    let ticket = store.ticket();
    let ask = store.requests.list.ask(ticket);
    store.requests.list.keeps_row = keeps_row;
    let ask = expand_request(store, Searched::Requests, ask);
    let (of, first) = (store.requests.of, ask.first.saturating_sub(store.requests.in_front));
    Effect::LoadRequests(RequestQuery { ticket, search: ask.search, of, first, rows: ask.rows })
}

/// Loads the list because its pane was opened, or because its search or cursor has changed.
pub fn on_load(cx: &mut Cx) {
    if !cx.store.requests.list.has_stale_rows {
        put_in_front(cx.store, cx.store.requests.list.cursor > 0);
    }
    let keeps_row = cx.store.requests.list.cursor > 0;
    reload(cx, keeps_row)
}

/// Returns the effect that loads the list again after exchanges were stored, if the list is shown.
pub fn load_if_shown(store: &mut Store) -> Option<Effect> {
    (store.pane == Pane::Exchanges && !store.leaving).then(|| load(store, true))
}

/// Handles a message about the list of requests or a stored exchange.
pub fn on_message(cx: &mut Cx, msg: &Msg) {
    match msg {
        Msg::RequestsLoaded { ticket, result } => loaded(cx.store, *ticket, result),
        Msg::ExchangeLoaded { id, result } => exchange_loaded(cx, *id, result),
        Msg::SaleBegun { operation, id, at } => {
            let begun = &mut cx.store.requests.begun;
            begun.retain(|(other, ..)| other != operation);
            begun.push((*operation, *id, *at));
        }
        Msg::ObjectFound { ticket, result } => object_found(cx, *ticket, result),
        _ => {}
    }
}

/// Stores a page of the list that was loaded from the requests database.
fn loaded(store: &mut Store, ticket: Ticket, result: &Result<RequestsRead, JournalTrouble>) {
    let front = in_front(store);
    let state = &mut store.requests;
    if state.list.asked != Some(ticket) {
        return;
    }
    match result {
        Ok(read) => {
            let mut page = read.page.clone();
            state.in_front = front.len() as u64;
            let oldest = front.last().map(|row| row.at);
            with_front(&mut page, front);
            state.list.store_page_keeping_row(ticket, page, RequestRow::is_same);
            (state.since, state.is_kept) = (read.since.or(oldest), read.is_kept);
            state.trouble = None;
            let is_news = read.is_replaced && !std::mem::replace(&mut state.is_replaced, true);
            key_feedback::confirm_refresh(store, Some(ticket));
            if is_news {
                store.notify(Notice::warn("said-requests-anew"));
            }
        }
        Err(why) => state.trouble = Some(why.clone()),
    }
}

/// Handles a cursor move to another row. Returns the effect that loads the row's exchange if it is
/// not in memory.
///
/// `is_covered` is true if a screen is open over the pane. In that case an action that waits for
/// the exchange is dropped.
pub fn follow_cursor(store: &mut Store, is_covered: bool) -> Option<Effect> {
    let row = store.requests.list.selected().filter(|_| store.pane == Pane::Exchanges);
    let Some(row) = row.cloned() else {
        store.requests.opened = None;
        return None;
    };
    if let Some(opened) = store.requests.opened.as_mut().filter(|one| one.row.is_same(&row)) {
        opened.row = row;
        if is_covered {
            opened.then = None;
        }
        return None;
    }
    let mut unstored = store.unstored_exchanges.iter().map(|one| &one.exchange);
    let known = unstored.find(|one| row.is_of(one));
    let known = known.or_else(|| store.exchanges.iter().find(|one| row.is_of(one))).cloned();
    let (id, is_known) = (row.id, known.is_some());
    let exchange = known.map_or(LoadedExchange::Loading, LoadedExchange::Loaded);
    store.requests.opened = Some(OpenedRequest { row, exchange, then: None });
    (!is_known).then_some(Effect::LoadExchange(id))
}

/// Returns the exchange of the row under the cursor, if it is loaded.
pub fn selected(store: &Store) -> Option<&Arc<Exchange>> {
    match &store.requests.opened.as_ref()?.exchange {
        LoadedExchange::Loaded(exchange) => Some(exchange),
        LoadedExchange::Loading | LoadedExchange::Lost => None,
    }
}

/// Returns the suffix of the message id for the label of the compare action.
pub fn compare_word(store: &Store, exchange: &Exchange) -> &'static str {
    match &store.requests.marked {
        None => "mark",
        Some(marked) if is_same(marked, exchange) => "unmark",
        Some(_) => "with",
    }
}

/// Marks an exchange, or compares it with the marked one. The mark stays for further comparisons.
/// On the marked exchange itself, removes the mark.
pub fn mark_or_compare(cx: &mut Cx, exchange: &Arc<Exchange>) {
    match cx.store.requests.marked.take() {
        Some(marked) if is_same(&marked, exchange) => {}
        None => {
            cx.store.requests.marked = Some(exchange.clone());
            cx.store.notify(Notice::WithKey("said-request-marked", Action::Compare));
        }
        Some(marked) => {
            cx.store.requests.marked = Some(marked.clone());
            cx.open(Route::Comparison([marked, exchange.clone()]));
        }
    }
}

/// Returns true if both are the same exchange. A stored exchange may be in memory twice.
fn is_same(one: &Exchange, other: &Exchange) -> bool {
    let facts = |it: &Exchange| (it.at, it.operation, it.took.as_millis(), it.bytes());
    facts(one) == facts(other) && one.url == other.url
}

/// Runs this action as soon as the exchange of the row under the cursor is loaded.
pub fn run_when_loaded(store: &mut Store, action: Action) {
    if let Some(opened) = &mut store.requests.opened {
        opened.then = Some(action);
    }
}

/// Returns this exchange if the seller may use it to correct the contract: it must have a reply and
/// be from this run.
///
/// Exchanges of earlier runs are excluded because the clock may have been set back between two
/// runs. A reply could then be mistaken for the reply to a newer link.
pub fn taught_from(store: &Store, exchange: &Arc<Exchange>) -> Option<Arc<Exchange>> {
    let is_of_run = store.exchanges.iter().any(|one| Arc::ptr_eq(one, exchange));
    (is_of_run && exchange.reply.is_ok()).then(|| exchange.clone())
}

fn exchange_loaded(cx: &mut Cx, id: RowId, result: &Result<Option<Arc<Exchange>>, JournalTrouble>) {
    let opened = cx.store.requests.opened.as_mut().filter(|opened| opened.row.id == id);
    let Some(opened) = opened else { return };
    // If the damaged database was replaced, another request may have the row's id now.
    let is_of_row = |exchange: &&Arc<Exchange>| exchange.at == opened.row.at;
    let found = result.as_ref().ok().and_then(Option::as_ref).filter(is_of_row);
    opened.exchange = found.cloned().map_or(LoadedExchange::Lost, LoadedExchange::Loaded);
    if let Some(action) = opened.then.take() {
        cx.press(action);
    }
}

/// The link, direct payment or withdrawal for which a request was sent.
#[derive(Debug, Clone, PartialEq)]
pub enum RequestObject {
    Sale(Sale),
    Withdrawal(Withdrawal),
}

/// Returns the suffix of the message id for the action that opens the row's link, direct payment or
/// withdrawal. `None` if the row has none, or if `exchange` is given and is not the row's exchange.
pub fn object_word(store: &Store, exchange: Option<&Arc<Exchange>>) -> Option<&'static str> {
    let row = &store.requests.opened.as_ref()?.row;
    let is_its_row = exchange
        .is_none_or(|one| selected(store).is_some_and(|selected| Arc::ptr_eq(selected, one)));
    let word = match (row.subject.filter(|_| is_its_row)?, row.operation) {
        (ExchangeSubject::Withdrawal(_), _) => "withdrawal",
        (ExchangeSubject::Sale(_), Operation::DirectPayment) => "charge",
        (ExchangeSubject::Sale(_), _) => "link",
    };
    Some(word)
}

/// Opens the details of the link, direct payment or withdrawal of the row under the cursor.
pub fn open_object(cx: &mut Cx) {
    let Some(row) = cx.store.requests.opened.as_ref().map(|opened| opened.row.clone()) else {
        return;
    };
    let ticket = cx.store.ticket();
    let effect = match (row.subject, row.operation) {
        (None, _) => return,
        (Some(ExchangeSubject::Withdrawal(key)), _) => {
            Effect::Money(MoneyCommand::Find { ticket, key })
        }
        (Some(ExchangeSubject::Sale(id)), operation) => {
            Effect::History(HistoryCommand::Find { ticket, operation, id, by: row.at })
        }
    };
    cx.store.requests.sought = Some(ticket);
    cx.perform(effect);
}

fn object_found(
    cx: &mut Cx,
    ticket: Ticket,
    result: &Result<Option<Box<RequestObject>>, JournalTrouble>,
) {
    let is_sought = cx.store.requests.sought.take_if(|sought| *sought == ticket).is_some();
    if !is_sought || cx.store.pane != Pane::Exchanges {
        return;
    }
    match result {
        Ok(Some(found)) => cx.open(match &**found {
            RequestObject::Sale(Sale::Link(link)) => Route::Link(Box::new(link.clone())),
            RequestObject::Sale(Sale::Charge(charge)) => Route::Charge(Box::new(charge.clone())),
            RequestObject::Withdrawal(withdrawal) => {
                Route::Withdrawal(Box::new(withdrawal.clone()))
            }
        }),
        Ok(None) => cx.store.notify(Notice::warn("said-object-gone")),
        Err(why) => cx.store.notify(Notice::History(why.clone())),
    }
}

/// Lists only the requests of one link, direct payment or withdrawal.
fn show_requests(cx: &mut Cx, operation: Operation, subject: ExchangeSubject, since: Wall) {
    cx.store.requests.list.query.reset();
    cx.store.requests.of = Some(RequestsOf { operation, subject, since });
    cx.store.requests.list.restart_search();
    cx.show(Pane::Exchanges);
}

/// Lists only the requests for creating this payment link.
pub fn show_of_link(cx: &mut Cx, link: &PaymentLink) {
    show_requests(cx, Operation::CreateLink, ExchangeSubject::Sale(link.id), link.at);
}

/// Lists only the requests for creating this direct payment.
pub fn show_of_charge(cx: &mut Cx, charge: &Charge) {
    show_requests(cx, Operation::DirectPayment, ExchangeSubject::Sale(charge.id), charge.at);
}

/// Lists only the requests for sending this withdrawal.
pub fn show_of_withdrawal(cx: &mut Cx, withdrawal: &Withdrawal) {
    let subject = ExchangeSubject::Withdrawal(withdrawal.agreement.key);
    show_requests(cx, Operation::Withdrawal, subject, Wall(i64::MIN));
}

/// Lists all requests again.
pub fn show_all(cx: &mut Cx) {
    if cx.store.requests.of.take().is_some() {
        cx.store.requests.list.restart_search();
        reload(cx, false);
    }
}
