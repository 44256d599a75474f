//! Payment links and direct payments: their lists, and the actions by which the seller records
//! something about one of them. What differs between the two is in [`SaleKind`].
//!
//! If the link or payment was created, the seller can mark it as paid. If its creation is not
//! confirmed, the seller can remove it. If a request was sent, the seller can also enter the URL or
//! Pix code found at the service.

use std::time::Duration;

use std::collections::BTreeMap;

use crate::app::cx::{Cx, Question, Route};
use crate::app::store::clip::Clip;
use crate::app::store::key_feedback;
use crate::app::store::links::{add_to_day_total, report_history_trouble};
use crate::app::store::list_export::ListKind;
use crate::app::store::notice::Notice;
use crate::app::store::payable::Payable;
use crate::app::store::payable_warnings::PayableWarning;
use crate::app::store::query_expansion::{Searched, expand};
use crate::app::store::story::SellerEvent;
use crate::app::store::unsaved::UnsavedRecords;
use crate::app::ui::action::{Action, Actions};
use crate::app::ui::list::{List, PageRequest};
use crate::app::{Effect, HistoryCommand, Msg, Pane, Store, Wait};
use crate::trade::{
    ChargeRequest, CreatedCharge, CreatedLink, JournalTrouble, LinkFilter, LinkRequest, ListTotals,
    Outcome, PaidSource, Sale, SaleOf, SaleRequest, SalesPage, Search, Ticket, Untrusted, Wall,
};

/// The differences between payment links and direct payments in the app.
pub trait SaleKind: SaleRequest {
    const PANE: Pane;
    const SEARCHED: Searched;

    const LIST: ListKind;

    /// The kind of the text by which the buyer pays: a URL or a Pix code.
    const CLIP: Clip;

    /// The message ids of the notices after the form has created a sale: for a good URL or Pix
    /// code, and for one with warnings.
    const MADE: [&'static str; 2];

    fn state(store: &Store) -> &SalesState<Self>;

    fn state_mut(store: &mut Store) -> &mut SalesState<Self>;

    /// The effect that loads a page of the list.
    fn load(request: PageRequest) -> Effect;

    /// The screen with the details.
    fn details(sale: Box<SaleOf<Self>>) -> Route;

    /// The form for a new sale, filled in like `template`.
    fn form(template: Option<Box<SaleOf<Self>>>) -> Route;

    /// The URL or Pix code by which the buyer pays, if the service returned one.
    fn payable(sale: &SaleOf<Self>) -> Option<&Untrusted>;

    /// The message to the buyer, filled in from the seller's template.
    fn message(store: &Store, sale: &SaleOf<Self>, payable: &Untrusted) -> Untrusted;

    fn warnings(store: &Store, sale: &SaleOf<Self>) -> Vec<PayableWarning>;

    /// The actions that only this kind has. They begin with the most useful.
    fn own_actions(_: &Store, _: &SaleOf<Self>) -> Vec<Action> {
        vec![]
    }

    /// Runs one of [`SaleKind::own_actions`].
    fn act(_: &mut Cx, _: &SaleOf<Self>, _: Action) {}

    /// The host on which the buyer pays, if it is known.
    fn site(_: &SaleOf<Self>) -> Option<String> {
        None
    }

    /// The time when a direct payment expires, if the service returned a valid time.
    fn expires_at(_: &SaleOf<Self>) -> Option<Wall> {
        None
    }
}

/// The list of payment links or of direct payments, with its filters and totals.
#[derive(Debug, Clone)]
pub struct SalesState<R: SaleRequest> {
    pub list: List<SaleOf<R>>,
    /// The filters that decide which payment links are listed. Direct payments have no filters.
    pub filter: LinkFilter,
    /// The totals of the last count. They may belong to an earlier filter or search.
    pub last_totals: Option<ListTotals>,
    /// True if `last_totals` belongs to the rows that are loaded now.
    pub is_counted: bool,
    /// The most frequent host of the loaded links of each local day.
    pub usual_sites: BTreeMap<i64, String>,
    /// The rows of this run that could not be written to the history database.
    pub unsaved: UnsavedRecords<R>,
}

impl<R: SaleRequest> Default for SalesState<R> {
    fn default() -> SalesState<R> {
        SalesState {
            list: List::default(),
            filter: LinkFilter::default(),
            last_totals: None,
            is_counted: false,
            usual_sites: BTreeMap::new(),
            unsaved: UnsavedRecords::default(),
        }
    }
}

impl<R: SaleRequest> SalesState<R> {
    /// True if a filter or a search hides some rows.
    pub fn is_narrowed(&self) -> bool {
        !self.filter.is_open() || !self.list.query.value().is_empty()
    }

    /// The totals of the loaded rows, or `None` while they are still being counted.
    pub fn totals(&self) -> Option<&ListTotals> {
        self.last_totals.as_ref().filter(|_| self.is_counted)
    }
}

/// The most frequent host of each local day.
pub fn usual_sites<R: SaleKind>(rows: &[SaleOf<R>], utc_offset_s: i32) -> BTreeMap<i64, String> {
    let mut counts: BTreeMap<(i64, String), usize> = BTreeMap::new();
    for sale in rows {
        if let Some(site) = R::site(sale) {
            let day = sale.at.local_day(utc_offset_s);
            *counts.entry((day, site)).or_default() += 1;
        }
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| *count);
    // The last site of a day, which is the most frequent one, replaces the others.
    counts
        .into_iter()
        .map(|(day_and_site, _)| day_and_site)
        .collect()
}

/// The search of the list: its search text and its filters.
pub fn search<R: SaleKind>(store: &Store) -> Search {
    let state = R::state(store);
    Search {
        filter: state.filter.clone(),
        ..expand(store, R::SEARCHED, state.list.query.value())
    }
}

/// Loads the list from the history database again.
pub fn reload<R: SaleKind>(cx: &mut Cx) {
    let ticket = cx.store.next_ticket();
    let request = R::state_mut(cx.store)
        .list
        .request_near_row(ticket, |sale| sale.id);
    let request = PageRequest {
        search: search::<R>(cx.store),
        ..request
    };
    R::state_mut(cx.store).list.reading = request.search.reading;
    cx.perform(R::load(request));
}

/// Loads the list again, and keeps the cursor on its row even if rows were added.
pub fn reload_keeping_row<R: SaleKind>(cx: &mut Cx) {
    reload::<R>(cx);
    R::state_mut(cx.store).list.keeps_row = true;
}

/// Removes all filters from the list.
pub fn show_all<R: SaleKind>(cx: &mut Cx) {
    let state = R::state_mut(cx.store);
    if !std::mem::take(&mut state.filter).is_open() {
        state.list.restart_search();
        reload::<R>(cx);
    }
}

/// Stores a page that was loaded from the history database. The totals arrive together with the
/// page, or later.
pub fn loaded<R: SaleKind>(
    store: &mut Store,
    ticket: Ticket,
    result: Result<SalesPage<R>, JournalTrouble>,
) {
    let utc_offset_s = store.setup.utc_offset_s;
    let state = R::state_mut(store);
    match result {
        Ok(SalesPage { mut page, totals }) => {
            page.total = totals.as_ref().map(|totals| totals.total).or(page.total);
            state.unsaved.replace_rows(&mut page);
            let is_latest = state
                .list
                .store_page_keeping_row(ticket, page, SaleOf::is_same);
            if is_latest {
                state.list.counting = totals.is_none().then_some(ticket);
                state.is_counted = false;
                state.usual_sites = usual_sites(&state.list.page.rows, utc_offset_s);
                if let Some(totals) = totals {
                    set_totals(state, totals);
                }
            }
            store.history_trouble = None;
            key_feedback::confirm_refresh(store, Some(ticket));
        }
        Err(trouble) if state.list.pending_ticket == Some(ticket) => {
            if !state.is_narrowed() {
                state.unsaved.prepend_missing(&mut state.list.page);
            }
            report_history_trouble(store, trouble);
        }
        Err(_) => {}
    }
}

/// Stores the totals of the rows that match the filters and the search. Ignores the result of an
/// outdated request.
pub fn counted(store: &mut Store, ticket: Ticket, result: Result<ListTotals, JournalTrouble>) {
    let is_of_links = store.links.list.counting == Some(ticket);
    if !is_of_links && store.charges.list.counting != Some(ticket) {
        return;
    }
    match result {
        Ok(totals) if is_of_links => set_totals(&mut store.links, totals),
        Ok(totals) => set_totals(&mut store.charges, totals),
        Err(trouble) => report_history_trouble(store, trouble),
    }
}

fn set_totals<R: SaleRequest>(state: &mut SalesState<R>, mut totals: ListTotals) {
    let page = &mut state.list.page;
    for sale in page.rows.iter().filter(|sale| state.unsaved.has(sale)) {
        add_to_day_total(sale, &mut totals.days);
    }
    page.total = Some(totals.total);
    (state.last_totals, state.is_counted) = (Some(totals), true);
}

/// Shows a notice that the form has created this sale, or copies its URL at once. Does nothing if
/// the form is no longer the front screen, or if there is no URL or Pix code: the details explain
/// why.
pub fn made<R: SaleKind>(cx: &mut Cx, sale: &SaleOf<R>) {
    let Some(payable) = Payable::of(cx.store, sale).filter(|_| cx.is_front) else {
        return;
    };
    let [id, odd_id] = R::MADE;
    if payable.has_warnings() {
        cx.store.notify(Notice::warn(odd_id));
    } else if R::CLIP == Clip::Address && cx.store.setup.links.copies_new {
        cx.perform(Effect::Copy(Clip::NewAddress, payable.code.text));
        cx.tell_story(SellerEvent::Copy);
    } else {
        cx.store.notify(Notice::WithKey(id, Action::Copy));
    }
}

/// The actions by which the seller can record something about this link or direct payment.
pub fn actions<R: SaleKind>(store: &Store, sale: &SaleOf<R>) -> Vec<Action> {
    let mark_action = can_mark(store, sale).then_some(Action::MarkPaid);
    mark_action
        .into_iter()
        .chain(unconfirmed_actions(&sale.outcome).iter().copied())
        .filter(|action| *action != Action::Discard || !may_be_sent_elsewhere(store, sale))
        .chain(R::own_actions(store, sale))
        .collect()
}

/// The age of a link or direct payment without a response at which its request is over everywhere.
const MAX_REQUEST_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// True if another person of the team may still be waiting for the response about this link or
/// direct payment. Removing it would also remove what the service created.
fn may_be_sent_elsewhere<R: SaleRequest>(store: &Store, sale: &SaleOf<R>) -> bool {
    let Some(team) = &store.withdrawals.team else {
        return false;
    };
    let age = store.now.wall.since(sale.at);
    let is_recent = age.is_none_or(|age| age < MAX_REQUEST_AGE);
    let by = sale.authors.created.as_ref();
    let is_of_other = by.is_some_and(|by| by.role != team.own_role);
    matches!(sale.outcome, Outcome::Unknown) && is_of_other && is_recent
}

/// The actions with their labels, which depend on the link or direct payment: a mark is removed,
/// and a put-away link is brought back.
pub fn label_actions<R: SaleRequest>(actions: Vec<Action>, sale: Option<&SaleOf<R>>) -> Actions {
    let discard = match sale {
        Some(sale) if sale.put_away.is_some() => "bring-back",
        Some(sale) if sale.outcome.created().is_some() => "put-away",
        _ => "remove",
    };
    let actions = Actions::from(actions).word(Action::Discard, discard);
    if sale.is_some_and(|sale| sale.paid.is_some()) {
        actions.word(Action::MarkPaid, "undo")
    } else {
        actions
    }
}

/// Runs an action on a link or direct payment, if it is one of its [`actions`].
pub fn act<R: SaleKind>(cx: &mut Cx, sale: &SaleOf<R>, action: Action) {
    if !actions(cx.store, sale).contains(&action) {
        return;
    }
    if R::own_actions(cx.store, sale).contains(&action) {
        return R::act(cx, sale, action);
    }
    let sale = Box::new(Sale::from(sale.clone()));
    match action {
        Action::MarkPaid => mark(cx, sale),
        Action::Found => cx.open(Route::FoundSale(sale)),
        Action::Discard => cx.ask(Question::RemoveSale(sale)),
        _ => {}
    }
}

/// True if the seller can mark a link or direct payment as paid. The history must contain that it
/// was created, and the sandbox must not have reported it as paid.
fn can_mark<R: SaleKind>(store: &Store, sale: &SaleOf<R>) -> bool {
    let is_reported = sale
        .paid
        .is_some_and(|paid| paid.source == PaidSource::Sandbox);
    let is_created = sale.outcome.created().is_some();
    is_created && !R::state(store).unsaved.has(sale) && !is_reported
}

/// Marks a link or direct payment as paid, or removes the mark. The seller does this by hand,
/// because the API does not report payments.
fn mark(cx: &mut Cx, sale: Box<Sale>) {
    let paid = if sale.paid().is_none() {
        Some(cx.store.now.wall)
    } else {
        None
    };
    cx.perform(Effect::History(HistoryCommand::MarkPaid { sale, paid }));
    cx.tell_story(SellerEvent::Mark);
}

/// True if a link or direct payment that is not confirmed may exist at the service.
pub fn may_exist(sale: &Sale) -> bool {
    let actions = match sale {
        Sale::Link(link) => unconfirmed_actions(&link.outcome),
        Sale::Charge(charge) => unconfirmed_actions(&charge.outcome),
    };
    actions.contains(&Action::Found)
}

/// The actions for a link or direct payment whose creation is not confirmed. The list is empty if
/// it was created.
///
/// Even after a refusal, the seller can enter the URL or Pix code, because the service may have
/// created the link or payment anyway.
fn unconfirmed_actions<C>(outcome: &Outcome<C>) -> &'static [Action] {
    match outcome {
        Outcome::Created(_) => &[],
        Outcome::NotSent => &[Action::Discard],
        Outcome::Unknown | Outcome::Refused(_) => &[Action::Found, Action::Discard],
    }
}

/// The link or direct payment with the outcome "created" and the URL or Pix code `text`, which the
/// seller found at the service.
pub fn with_payable(sale: Sale, text: Untrusted) -> Sale {
    match sale {
        Sale::Link(link) => {
            let outcome = Outcome::Created(CreatedLink { url: text });
            Sale::Link(SaleOf { outcome, ..link })
        }
        Sale::Charge(charge) => {
            let created = CreatedCharge {
                pix_code: Some(text),
                ..CreatedCharge::default()
            };
            Sale::Charge(SaleOf {
                outcome: Outcome::Created(created),
                ..charge
            })
        }
    }
}

/// The warnings about the URL or Pix code that the seller is typing.
pub fn warnings(store: &Store, found: &Sale) -> Vec<PayableWarning> {
    Payable::of_sale(store, found)
        .map(|payable| payable.warnings)
        .unwrap_or_default()
}

/// Saves the URL or Pix code that the seller found at the service.
pub fn record_found(cx: &mut Cx, sale: Sale) -> Wait {
    let wait = cx.store.wait();
    let command = HistoryCommand::FoundSale {
        ticket: wait.ticket,
        sale: Box::new(sale),
    };
    cx.perform(Effect::History(command));
    wait
}

/// Handles a message about one link or direct payment, for example that it was marked as paid, was
/// removed, or could not be saved.
pub fn on_message(cx: &mut Cx, msg: &Msg) {
    match msg {
        Msg::NotSaved(sale) => match &**sale {
            Sale::Link(link) => cx.store.links.unsaved.keep(link.clone()),
            Sale::Charge(charge) => cx.store.charges.unsaved.keep(charge.clone()),
        },
        Msg::MarkedPaid(Ok(sale)) => {
            let message_id = if sale.paid().is_some() {
                "said-marked"
            } else {
                "said-unmarked"
            };
            cx.store.notify(Notice::good(message_id));
            reload_list_of(cx, sale);
        }
        Msg::MarkedPaid(Err(trouble)) => cx.store.notify(Notice::NotMarked(trouble.clone())),
        Msg::StatementMarked {
            result: Ok(count), ..
        } => {
            cx.store.notify(Notice::StatementMarked(*count));
            reload_lists(cx);
        }
        Msg::StatementMarked {
            result: Err(trouble),
            ..
        } => cx.store.notify(Notice::NotMarked(trouble.clone())),
        Msg::StatementUndone {
            result: Ok(undone), ..
        } => {
            cx.store.notify(Notice::StatementUndone(*undone));
            reload_lists(cx);
        }
        Msg::StatementUndone {
            result: Err(trouble),
            ..
        } => cx.store.notify(Notice::History(trouble.clone())),
        Msg::SaleFound {
            result: Ok(sale), ..
        } => {
            replace_in_list(cx, sale);
            reload_list_of(cx, sale);
        }
        Msg::SaleRemoved(Ok(sale)) => {
            cx.store.notify(Notice::good("said-removed"));
            reload_list_of(cx, sale);
        }
        Msg::PutAway(Ok(sale)) => {
            let notice = if sale.is_put_away() {
                Notice::WithKey("said-put-away", Action::FilterPutAway)
            } else {
                Notice::good("said-brought-back")
            };
            cx.store.notify(notice);
            replace_in_list(cx, sale);
            reload_list_of(cx, sale);
        }
        Msg::PutAway(Err(trouble)) => cx.store.notify(Notice::History(trouble.clone())),
        Msg::NoteSaved {
            result: Ok(sale), ..
        } => {
            replace_in_list(cx, sale);
            reload_list_of(cx, sale);
        }
        Msg::SaleRemoved(Err(trouble)) => cx.store.notify(Notice::History(trouble.clone())),
        _ => {}
    }
}

/// Replaces the row of the list, so that open screens show the change before the list is loaded
/// again.
fn replace_in_list(cx: &mut Cx, sale: &Sale) {
    match sale {
        Sale::Link(link) => cx.store.links.list.replace(link, SaleOf::is_same),
        Sale::Charge(charge) => cx.store.charges.list.replace(charge, SaleOf::is_same),
    }
}

fn reload_lists(cx: &mut Cx) {
    reload_keeping_row::<LinkRequest>(cx);
    reload_keeping_row::<ChargeRequest>(cx);
}

fn reload_list_of(cx: &mut Cx, sale: &Sale) {
    match sale {
        Sale::Link(_) => reload_keeping_row::<LinkRequest>(cx),
        Sale::Charge(_) => reload_keeping_row::<ChargeRequest>(cx),
    }
}
