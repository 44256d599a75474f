//! The list of HTTP requests. Requests that are not stored yet come first, and the rows of the
//! requests database follow.
//!
//! An HTTP exchange (a request with its reply) is loaded only for the row under the cursor. Loaded
//! exchanges are only shown on the screen. The app makes decisions only from the exchanges of this
//! run (`Store::exchanges`), except that the reply to an open withdrawal can be taught from.

use std::sync::Arc;

use crate::app::cx::{Cx, Route};
use crate::app::store::notice::Notice;
use crate::app::store::query_expansion::{Searched, expand_request};
use crate::app::store::teaching::{self, TeachScope};
use crate::app::store::unstored_exchanges::UnstoredExchange;
use crate::app::store::{confirming, credential_trial, exchanges, key_feedback};
use crate::app::ui::Action;
use crate::app::ui::list::List;
use crate::app::{Effect, HistoryCommand, MoneyCommand, Msg, Pane, Store};
use crate::trade::withdrawal::NotSent;
use crate::trade::{
    Exchange, ExchangeSubject, Failure, JournalTrouble, ListPage, Operation, RequestQuery,
    RequestRow, RequestsPage, RowId, Sale, SaleOf, SaleRequest, SubjectFilter, Ticket, Wall,
    Withdrawal,
};

/// The list of HTTP requests, its filter, and the HTTP exchange of the row under the cursor.
#[derive(Debug, Clone, Default)]
pub struct RequestsState {
    pub list: List<RequestRow>,
    /// The filter: the link, direct payment or withdrawal whose requests are listed. `None` lists
    /// all requests.
    pub filter: Option<SubjectFilter>,
    /// The time of the oldest request in the list.
    pub since: Option<Wall>,
    /// The number of requests that another version of the program stored. They are not listed.
    pub of_other_version: u64,
    /// True if HTTP requests are stored for later runs of the program.
    pub is_kept: bool,
    /// True if a damaged requests database was replaced in this run. A notice about it is shown
    /// only once.
    is_replaced: bool,
    /// The reason the requests of this run are not stored on disk, if any.
    pub not_kept: Option<JournalTrouble>,
    /// The error of the last query to the requests database, if it failed.
    pub trouble: Option<JournalTrouble>,
    /// The row under the cursor, with its HTTP exchange (a request with its reply).
    pub opened: Option<OpenedRequest>,
    /// The HTTP exchange that the seller marked in order to compare it with another exchange.
    pub marked: Option<Arc<Exchange>>,
    /// The number of listed requests that are not stored yet. They come before the stored requests.
    unstored_count: u64,
    /// The ticket of the pending query that finds the link, direct payment or withdrawal of a
    /// request.
    find_ticket: Option<Ticket>,
}

/// The row under the cursor, with its HTTP exchange (a request with its reply).
#[derive(Debug, Clone)]
pub struct OpenedRequest {
    row: RequestRow,
    pub exchange: LoadedExchange,
    /// The action to run as soon as the HTTP exchange is loaded, if any.
    then: Option<Action>,
}

/// The HTTP exchange of the row under the cursor, or the reason why it is not available.
#[derive(Debug, Clone)]
pub enum LoadedExchange {
    Loading,
    Loaded(Arc<Exchange>),
    /// The HTTP exchange was deleted, or cannot be read.
    Lost,
}

/// Handles an HTTP exchange that has just ended. Adds it to the list of requests, and confirms
/// settings of the API contract from its reply.
pub fn arrived(cx: &mut Cx, exchange: &Arc<Exchange>) {
    cx.store.unproven |= exchange.reply == Err(Failure::NotSent(NotSent::Unproven));
    add(cx.store, exchange.clone());
    credential_trial::after_exchange(cx.store, exchange);
    confirming::after_exchange(cx, exchange)
}

/// Adds an HTTP exchange of this run to the list of requests.
pub fn add(store: &mut Store, exchange: Arc<Exchange>) {
    exchanges::keep(store, exchange.clone());
    store.unstored_exchanges.push(UnstoredExchange {
        exchange,
        has_ended: false,
    });
    if store.pane == Pane::Exchanges {
        insert_unstored(store, true);
    }
}

/// Inserts the requests that are not stored yet before the loaded rows. If `keeps_row` is true, the
/// cursor stays on the same request.
fn insert_unstored(store: &mut Store, keeps_row: bool) {
    let new_rows = unstored_rows(store);
    let state = &mut store.requests;
    let old_count = state.unstored_count;
    let mut page = state.list.page.clone();
    page.rows = page
        .rows
        .iter()
        .filter(|row| row.id.0 > 0)
        .cloned()
        .collect();
    page.total = page.total.map(|total| total.saturating_sub(old_count));
    page.first = page.first.saturating_sub(old_count);
    state.unstored_count = new_rows.len() as u64;
    prepend_rows(&mut page, new_rows);
    let selected = state.list.selected().filter(|_| keeps_row);
    let selected = selected.and_then(|selected| {
        page.rows
            .iter()
            .position(|row| row.exchange == selected.exchange)
    });
    if let Some(row) = selected {
        state.list.cursor = page.first + row as u64;
    }
    state.list.page = page;
}

/// The rows of the requests that are not stored yet, newest first. Returns no rows if the list is
/// searched or filtered.
fn unstored_rows(store: &Store) -> Vec<RequestRow> {
    let is_narrowed = is_narrowed(store);
    let unstored = store
        .unstored_exchanges
        .iter()
        .rev()
        .filter(|_| !is_narrowed);
    let owner = (store.setup.profile.clone(), store.setup.origin.clone());
    unstored
        .map(|unstored| RequestRow::of(owner.clone(), &unstored.exchange))
        .collect()
}

/// Inserts the rows that are not stored yet before the rows from the database.
fn prepend_rows(page: &mut ListPage<RequestRow>, mut new_rows: Vec<RequestRow>) {
    let count = new_rows.len() as u64;
    page.total = page.total.map(|total| total + count);
    if page.first > 0 {
        page.first += count;
    } else {
        new_rows.extend(page.rows.iter().cloned());
        page.rows = new_rows.into();
    }
}

/// True if a filter or a search hides some requests.
fn is_narrowed(store: &Store) -> bool {
    let state = &store.requests;
    state.filter.is_some() || !state.list.query.value().is_empty()
}

/// Loads the list of requests again. If `keeps_row` is true, the cursor stays on the same request
/// even if rows were added.
pub fn reload(cx: &mut Cx, keeps_row: bool) {
    let effect = load(cx.store, keeps_row);
    cx.perform(effect);
}

fn load(store: &mut Store, keeps_row: bool) -> Effect {
    let ticket = store.next_ticket();
    let request = store.requests.list.request_rows(ticket);
    store.requests.list.keeps_row = keeps_row;
    let request = expand_request(store, Searched::Requests, request);
    store.requests.list.reading = request.search.reading;
    let of = store.requests.filter;
    let first = request.first.saturating_sub(store.requests.unstored_count);
    Effect::LoadRequests(RequestQuery {
        ticket,
        search: request.search,
        subject_filter: of,
        first,
        rows: request.rows,
    })
}

/// Loads the list of requests because its pane was opened, or because the search or the cursor has
/// changed.
pub fn on_load(cx: &mut Cx) {
    if !cx.store.requests.list.has_stale_rows {
        insert_unstored(cx.store, cx.store.requests.list.cursor > 0);
    }
    let keeps_row = cx.store.requests.list.cursor > 0;
    reload(cx, keeps_row)
}

/// The effect that loads the list of requests again, or `None` if the list is not shown. Used after
/// exchanges were stored.
pub fn load_if_shown(store: &mut Store) -> Option<Effect> {
    (store.pane == Pane::Exchanges && !store.leaving).then(|| load(store, true))
}

/// Handles a message that concerns the list of requests or a stored HTTP exchange.
pub fn on_message(cx: &mut Cx, msg: &Msg) {
    match msg {
        Msg::RequestsLoaded { ticket, result } => loaded(cx.store, *ticket, result),
        Msg::ExchangeLoaded { id, result } => exchange_loaded(cx, *id, result),
        Msg::ObjectFound { ticket, result } => object_found(cx, *ticket, result),
        _ => {}
    }
}

/// Stores a page of the list of requests that was loaded from the database.
fn loaded(store: &mut Store, ticket: Ticket, result: &Result<RequestsPage, JournalTrouble>) {
    let unstored = unstored_rows(store);
    let state = &mut store.requests;
    if state.list.pending_ticket != Some(ticket) {
        return;
    }
    match result {
        Ok(loaded) => {
            let mut page = loaded.page.clone();
            state.unstored_count = unstored.len() as u64;
            let oldest = unstored.last().map(|row| row.at);
            prepend_rows(&mut page, unstored);
            state
                .list
                .store_page_keeping_row(ticket, page, |row, other| row.exchange == other.exchange);
            (state.since, state.is_kept) = (loaded.since.or(oldest), loaded.is_persistent);
            state.of_other_version = loaded.of_other_version;
            state.trouble = None;
            let is_first_time =
                loaded.is_replaced && !std::mem::replace(&mut state.is_replaced, true);
            let was_kept = std::mem::replace(&mut state.not_kept, loaded.trouble.clone()).is_none();
            key_feedback::confirm_refresh(store, Some(ticket));
            if is_first_time {
                store.notify(Notice::warn("said-requests-anew"));
            }
            if let Some(trouble) = loaded.trouble.as_ref().filter(|_| was_kept) {
                store.notify(Notice::Requests(trouble.clone()));
            }
        }
        Err(trouble) => state.trouble = Some(trouble.clone()),
    }
}

/// Updates the opened request after the cursor has moved to another row. If the row's exchange is
/// not in memory, returns the effect that loads it.
///
/// `is_covered` is true if another screen covers the list. In that case, an action that was waiting
/// for the exchange is cancelled.
pub fn follow_cursor(store: &mut Store, is_covered: bool) -> Option<Effect> {
    let row = store
        .requests
        .list
        .selected()
        .filter(|_| store.pane == Pane::Exchanges);
    let Some(row) = row.cloned() else {
        store.requests.opened = None;
        return None;
    };
    let opened = store.requests.opened.as_mut();
    if let Some(opened) = opened.filter(|opened| opened.row.exchange == row.exchange) {
        opened.row = row;
        if is_covered {
            opened.then = None;
        }
        return None;
    }
    let unstored = store
        .unstored_exchanges
        .iter()
        .map(|unstored| &unstored.exchange);
    let mut in_memory = unstored.chain(&store.exchanges);
    let found = in_memory
        .find(|exchange| exchange.id == row.exchange)
        .cloned();
    let id = row.id;
    let is_in_memory = found.is_some();
    let exchange = found.map_or(LoadedExchange::Loading, LoadedExchange::Loaded);
    store.requests.opened = Some(OpenedRequest {
        row,
        exchange,
        then: None,
    });
    (!is_in_memory).then_some(Effect::LoadExchange(id))
}

/// The HTTP exchange of the row under the cursor, or `None` if it is not loaded.
pub fn selected(store: &Store) -> Option<&Arc<Exchange>> {
    match &store.requests.opened.as_ref()?.exchange {
        LoadedExchange::Loaded(exchange) => Some(exchange),
        LoadedExchange::Loading | LoadedExchange::Lost => None,
    }
}

/// The suffix of a message id, such as `mark`. The message is the label of the compare key: mark
/// this request, remove its mark, or compare it with the marked one.
pub fn compare_word(store: &Store, exchange: &Exchange) -> &'static str {
    match &store.requests.marked {
        None => "mark",
        Some(marked) if marked.id == exchange.id => "unmark",
        Some(_) => "with",
    }
}

/// Marks an HTTP exchange. If another exchange is already marked, compares both, and keeps the mark
/// for further comparisons. If this exchange itself is marked, removes the mark.
pub fn mark_or_compare(cx: &mut Cx, exchange: &Arc<Exchange>) {
    match cx.store.requests.marked.take() {
        Some(marked) if marked.id == exchange.id => {}
        None => {
            cx.store.requests.marked = Some(exchange.clone());
            cx.store
                .notify(Notice::WithKey("said-request-marked", Action::Compare));
        }
        Some(marked) => {
            cx.store.requests.marked = Some(marked.clone());
            cx.open(Route::Comparison([marked, exchange.clone()]));
        }
    }
}

/// Remembers this action, and runs it as soon as the HTTP exchange under the cursor is loaded.
pub fn run_when_loaded(store: &mut Store, action: Action) {
    if let Some(opened) = &mut store.requests.opened {
        opened.then = Some(action);
    }
}

/// This exchange if the seller can use it to correct the API contract. The exchange must have a
/// reply, and be from this run or have sent the withdrawal that is open.
///
/// Other exchanges of earlier runs are excluded because the clock may have been set back between
/// two runs. An old reply could then be mistaken for the reply to a newer link. A withdrawal is
/// recognized by its idempotency key.
pub fn usable_for_teaching(store: &Store, exchange: &Arc<Exchange>) -> Option<Arc<Exchange>> {
    let is_usable = store
        .exchanges
        .iter()
        .any(|recent| Arc::ptr_eq(recent, exchange))
        || teaching::scope(store, exchange) == Ok(TeachScope::OpenWithdrawal);
    (is_usable && exchange.reply.is_ok()).then(|| exchange.clone())
}

fn exchange_loaded(cx: &mut Cx, id: RowId, result: &Result<Option<Arc<Exchange>>, JournalTrouble>) {
    let opened = cx
        .store
        .requests
        .opened
        .as_mut()
        .filter(|opened| opened.row.id == id);
    let Some(opened) = opened else { return };
    // If a damaged database was replaced, the row's id may now belong to another request. Compare
    // the times.
    let found = result
        .as_ref()
        .ok()
        .and_then(Option::as_ref)
        .filter(|exchange| exchange.at == opened.row.at);
    opened.exchange = found
        .cloned()
        .map_or(LoadedExchange::Lost, LoadedExchange::Loaded);
    if let Some(action) = opened.then.take() {
        cx.press(action);
    }
}

/// The link, direct payment or withdrawal that a request was sent for.
#[derive(Debug, Clone, PartialEq)]
pub enum RequestObject {
    Sale(Box<Sale>),
    Withdrawal(Box<Withdrawal>),
}

/// The suffix of a message id, such as `link`. The message is the label of the key that opens the
/// link, direct payment or withdrawal of the row under the cursor.
///
/// Returns `None` if the row belongs to none of these. Also returns `None` if `exchange` is not the
/// exchange of that row.
pub fn object_word(store: &Store, exchange: Option<&Arc<Exchange>>) -> Option<&'static str> {
    let row = &store.requests.opened.as_ref()?.row;
    let is_row_exchange = exchange.is_none_or(|exchange| {
        selected(store).is_some_and(|selected| Arc::ptr_eq(selected, exchange))
    });
    let word = match (row.subject.filter(|_| is_row_exchange)?, row.operation) {
        (ExchangeSubject::Withdrawal(_), _) => "withdrawal",
        (ExchangeSubject::Sale(_), Operation::DirectPayment) => "charge",
        (ExchangeSubject::Sale(_), _) => "link",
    };
    Some(word)
}

/// Opens the details of the link, direct payment or withdrawal to which the row under the cursor
/// belongs.
pub fn open_object(cx: &mut Cx) {
    let Some(row) = cx
        .store
        .requests
        .opened
        .as_ref()
        .map(|opened| opened.row.clone())
    else {
        return;
    };
    let ticket = cx.store.next_ticket();
    let effect = match (row.subject, row.operation) {
        (None, _) => return,
        (Some(ExchangeSubject::Withdrawal(key)), _) => {
            Effect::Money(MoneyCommand::Find { ticket, key })
        }
        (Some(ExchangeSubject::Sale(id)), operation) => Effect::History(HistoryCommand::Find {
            ticket,
            operation,
            id,
            by: row.at,
        }),
    };
    cx.store.requests.find_ticket = Some(ticket);
    cx.perform(effect);
}

fn object_found(
    cx: &mut Cx,
    ticket: Ticket,
    result: &Result<Option<RequestObject>, JournalTrouble>,
) {
    let is_latest = cx
        .store
        .requests
        .find_ticket
        .take_if(|latest| *latest == ticket)
        .is_some();
    if !is_latest || cx.store.pane != Pane::Exchanges {
        return;
    }
    match result {
        Ok(Some(found)) => cx.open(match found {
            RequestObject::Sale(sale) => match &**sale {
                Sale::Link(link) => Route::Link(Box::new(link.clone())),
                Sale::Charge(charge) => Route::Charge(Box::new(charge.clone())),
            },
            RequestObject::Withdrawal(withdrawal) => Route::Withdrawal(withdrawal.clone()),
        }),
        Ok(None) => cx.store.notify(Notice::warn("said-object-gone")),
        Err(trouble) => cx.store.notify(Notice::History(trouble.clone())),
    }
}

/// Filters the list to the requests of one link, direct payment or withdrawal.
fn show_requests(cx: &mut Cx, operation: Operation, subject: ExchangeSubject, since: Wall) {
    cx.store.requests.list.query.reset();
    cx.store.requests.filter = Some(SubjectFilter {
        operation,
        subject,
        since,
    });
    cx.store.requests.list.restart_search();
    cx.show(Pane::Exchanges);
}

/// Filters the list to the requests that created this link or direct payment, or tried to.
pub fn show_of_sale<R: SaleRequest>(cx: &mut Cx, sale: &SaleOf<R>) {
    show_requests(cx, R::OPERATION, ExchangeSubject::Sale(sale.id), sale.at);
}

/// Filters the list to the requests that sent this withdrawal, or tried to.
pub fn show_of_withdrawal(cx: &mut Cx, withdrawal: &Withdrawal) {
    let subject = ExchangeSubject::Withdrawal(withdrawal.agreement.key);
    show_requests(cx, Operation::Withdrawal, subject, Wall(i64::MIN));
}

/// Lists all requests again.
pub fn show_all(cx: &mut Cx) {
    if cx.store.requests.filter.take().is_some() {
        cx.store.requests.list.restart_search();
        reload(cx, false);
    }
}
