//! The screens of payment links and direct payments: the pane with their list, the details of one
//! of them, and the end of the request that a form has sent. What differs between the two is in
//! [`SaleScreen`].

use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use super::{Actions, Info, ListAccess, Screen, ScreenBody, ScreenEvent, ScreenLinks};
use crate::app::cx::{Cx, Route};
use crate::app::store::clip::Clip;
use crate::app::store::links::{self, without_history};
use crate::app::store::payable::{Payable, PayableUse, use_payable};
use crate::app::store::sales::{self, SaleKind};
use crate::app::store::{charges, credentials, paid, requests, teaching};
use crate::app::ui::block::Block;
use crate::app::ui::form_page;
use crate::app::ui::geometry::PaneAreas;
use crate::app::ui::list::{ListLine, ShownRows};
use crate::app::ui::list_pane::{self, Look, named_pair, put_details};
use crate::app::ui::parts::{all_quoted, paragraph, waiting, wrapped};
use crate::app::ui::sent_form::SentForm;
use crate::app::ui::table::{self, Column, Heading, RowWeight};
use crate::app::ui::{Action, Area, Line, Page, Role, Span};
use crate::app::{CopyTrouble, Msg, Store};
use crate::trade::{Exchange, Failure, NoAnswer, Outcome, SaleOf, SaleRequest, Untrusted};
use crate::words::{Catalogue, failure, names};

/// The differences between the screens of payment links and the screens of direct payments.
pub trait SaleScreen: SaleKind {
    const TEXTS: SaleTexts;

    /// The actions by which the URL or Pix code is shared, the most useful first.
    const USES: &'static [Action];

    /// The labels of actions that are more specific than the usual ones.
    const WORDS: &'static [(Action, &'static str)];

    /// The actions of the pane that are offered after the actions of every list.
    const RARE_ACTIONS: &'static [Action] = &[];

    /// The columns of the list.
    const COLUMNS: &'static [Column<Store, SaleOf<Self>>];

    fn areas(store: &Store, body: Area) -> PaneAreas;

    /// Draws what is above the list: the search field and the number of rows.
    fn draw_head(store: &Store, areas: &PaneAreas, page: &mut Page);

    /// The heading of a day in the list.
    fn day_heading(store: &Store, day: i64) -> Heading {
        list_pane::day(store.render_cx(), day)
    }

    /// True if a created link or payment that is not paid must be bold.
    fn is_prominent(store: &Store, sale: &SaleOf<Self>) -> bool;

    /// Draws what is below a list that has no details beside it.
    fn draw_below(_: &Store, _: &SaleOf<Self>, _: Area, _: &mut Page) {}

    /// The text for a list in which the filters hide all rows.
    fn filtered_text(_: &Store, _: usize) -> Option<Vec<Line>> {
        None
    }

    /// The actions of the pane before the actions of every list. `sale` is under the cursor.
    fn pane_actions(store: &Store, sale: Option<&SaleOf<Self>>) -> Vec<Action>;

    /// The warnings that the details show below the description.
    fn warning_lines(_: &Store, _: &SaleOf<Self>, _: usize) -> Vec<Line> {
        vec![]
    }

    /// The domain or the buyer of the request.
    fn request_lines(store: &Store, sale: &SaleOf<Self>, width: usize) -> Vec<Line>;

    /// The details of a created link or payment.
    fn created_lines(
        store: &Store,
        sale: &SaleOf<Self>,
        created: &Self::Created,
        width: usize,
    ) -> Vec<Line>;

    /// The whole URL or Pix code. Without one, returns no lines.
    fn payable_lines(store: &Store, sale: &SaleOf<Self>, width: u16) -> Vec<Line>;

    /// The HTTP exchange from which the seller can teach where the Pix code is.
    fn exchange(_: &Store, _: &SaleOf<Self>) -> Option<Arc<Exchange>> {
        None
    }
}

/// The names of the screens, and their message ids.
pub struct SaleTexts {
    /// The names of the pane and of the details.
    pub names: [&'static str; 2],
    /// True if the seller may search the list for personal data, such as names.
    pub is_personal: bool,
    /// Nothing was found, without and with active filters.
    pub none_found: [&'static str; 2],
    /// The list is empty: a title, its purpose, and the key for the first row.
    pub empty: [&'static str; 3],
    pub title: &'static str,
    /// The labels of the time of a created link or payment, and of another request.
    pub times: [&'static str; 2],
    pub unknown: &'static str,
    pub not_sent: &'static str,
    pub refused: &'static str,
}

/// The column with the description.
pub fn description<R: SaleRequest>(_: &Store, sale: &SaleOf<R>, _: usize) -> Span {
    Span::of(Role::Text, Untrusted::shown_of(sale.request.description()))
}

/// The pane with the list.
#[derive(Debug)]
pub struct SalesPane<R>(PhantomData<R>);

impl<R> Default for SalesPane<R> {
    fn default() -> SalesPane<R> {
        SalesPane(PhantomData)
    }
}

/// The URL of a payment link, which can be opened in a browser.
fn url<R: SaleKind>(sale: &SaleOf<R>) -> Option<&Untrusted> {
    R::payable(sale).filter(|_| R::CLIP == Clip::Address)
}

/// The actions that are offered for a link or direct payment, both in the list and in its details.
pub fn offered_actions<R: SaleScreen>(store: &Store, sale: &SaleOf<R>) -> Vec<Action> {
    let uses = if R::payable(sale).is_some() {
        R::USES
    } else {
        &[]
    };
    uses.iter()
        .copied()
        .chain(sales::actions(store, sale))
        .collect()
}

fn label_actions<R: SaleScreen>(offered: Vec<Action>, sale: Option<&SaleOf<R>>) -> Actions {
    let words = R::WORDS
        .iter()
        .filter(|(action, _)| offered.contains(action));
    let words: Vec<_> = words.copied().collect();
    let actions = sales::label_actions(offered, sale);
    words.into_iter().fold(actions, |actions, (action, word)| {
        actions.word(action, word)
    })
}

/// Runs an action on a link or direct payment, both in the list and in its details.
fn act_on<R: SaleScreen>(cx: &mut Cx, sale: &SaleOf<R>, action: Action) {
    let to = match action {
        Action::Repeat => return cx.open(R::form(Some(Box::new(sale.clone())))),
        Action::Related => return requests::show_of_sale(cx, sale),
        Action::Copy => PayableUse::Copy,
        Action::CopyMessage => PayableUse::Message,
        Action::Browse if url(sale).is_some() => PayableUse::Browser,
        Action::Qr => PayableUse::Qr,
        Action::Share => PayableUse::WhatsApp,
        action => return sales::act(cx, sale, action),
    };
    use_payable(cx, Payable::of(cx.store, sale), to);
}

impl<R: SaleScreen> Screen for SalesPane<R> {
    fn info(&self) -> Info {
        Info::list(R::TEXTS.names[0], R::PANE)
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let needs = store.setup.contract.call_of(R::OPERATION).credential;
        let url = R::state(store).list.selected().and_then(url);
        ScreenLinks {
            needs,
            url,
            ..ScreenLinks::default()
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let areas = R::areas(store, area);
        let list = &R::state(store).list;
        R::draw_head(store, &areas, page);
        if list.is_empty() {
            list_pane::put_empty_list(&areas, |width| empty_list_lines::<R>(store, width), page);
            return;
        }
        let heading = |line| match line {
            ListLine::Day(day) => R::day_heading(store, day),
            _ => Heading::default(),
        };
        let rows = shown_rows::<R>(store, &areas);
        table::put_list(
            store,
            (list, R::COLUMNS),
            rows,
            (heading, |sale: &SaleOf<R>| weight(store, sale)),
            page,
        );
        let Some(selected) = list.selected() else {
            return;
        };
        match areas.divided_aside(page) {
            Some(aside) => draw_details(store, selected, (aside, Look::Beside), page),
            None => R::draw_below(store, selected, areas.below, page),
        }
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        let selected = R::state(store).list.selected();
        let mut offered = R::pane_actions(store, selected);
        offered.extend([Action::Search, Action::Refresh]);
        offered.extend(R::RARE_ACTIONS);
        offered.extend(selected.map(|_| Action::Related));
        let can_export = selected.is_some() && store.setup.kiosk().is_none();
        offered.extend(can_export.then_some(Action::Save));
        label_actions(offered, selected)
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        let selected = R::state(cx.store).list.selected().cloned();
        match (action, selected) {
            (Action::New, _) => cx.open(R::form(None)),
            (Action::Refresh, _) => sales::reload::<R>(cx),
            (Action::Import, _) => cx.open(Route::Import),
            (
                Action::FilterPaid
                | Action::FilterDay
                | Action::FilterDomain
                | Action::FilterPutAway
                | Action::FilterBatch,
                _,
            ) => links::filter(cx, action),
            (Action::Reconcile, _) => cx.open(Route::Reconcile),
            (Action::Save, _) => cx.open(Route::ExportList(R::LIST)),
            (Action::Open, Some(sale)) => cx.open(R::details(Box::new(sale))),
            (action, Some(sale)) => act_on(cx, &sale, action),
            (_, None) => {}
        }
    }

    fn body(&self) -> ScreenBody<'_> {
        ScreenBody::List(ListAccess {
            get: |store| &R::state(store).list,
            get_mut: |store| &mut R::state_mut(store).list,
        })
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Load => sales::reload::<R>(cx),
            ScreenEvent::FilterCleared => sales::show_all::<R>(cx),
            ScreenEvent::Message(Msg::HistoryChanged) => sales::reload_keeping_row::<R>(cx),
            _ => return false,
        }
        true
    }

    fn rows(&self, store: &Store, area: Area) -> Option<ShownRows> {
        Some(shown_rows::<R>(store, &R::areas(store, area)))
    }

    fn next_deadline(&self, store: &Store, _: bool) -> Option<Duration> {
        let list = &R::state(store).list;
        let aside = R::areas(store, store.areas(store.size)?.body).aside;
        let selected = list.selected().filter(|_| aside.is_some());
        let selected_change = selected.and_then(|sale| charges::next_change(store, sale));
        selected_change
            .into_iter()
            .chain(charges::next_expiry(store, &list.page.rows))
            .min()
    }

    fn qr_text<'s>(&'s self, store: &'s Store) -> Option<&'s Untrusted> {
        R::areas(store, store.areas(store.size)?.body).aside?;
        qr_text(store, R::state(store).list.selected()?)
    }
}

/// A row is bold if the seller has to find out what became of it.
fn weight<R: SaleScreen>(store: &Store, sale: &SaleOf<R>) -> RowWeight {
    if paid::is_highlighted(store, R::payable(sale)) {
        return RowWeight::New;
    }
    if R::state(store).unsaved.has(sale) {
        return RowWeight::Strong;
    }
    if sale.paid.is_some() {
        return RowWeight::Done;
    }
    match sale.outcome {
        Outcome::Unknown => RowWeight::Strong,
        Outcome::Created(_) if R::is_prominent(store, sale) => RowWeight::Strong,
        Outcome::Created(_) | Outcome::Refused(_) | Outcome::NotSent => RowWeight::Plain,
    }
}

fn shown_rows<R: SaleScreen>(store: &Store, areas: &PaneAreas) -> ShownRows {
    let offset = store.setup.utc_offset_s;
    R::state(store)
        .list
        .shown(areas.list, |sale| ListLine::Day(sale.at.local_day(offset)))
}

fn empty_list_lines<R: SaleScreen>(store: &Store, width: usize) -> Vec<Line> {
    let words = store.words();
    let state = R::state(store);
    if state.list.is_reading() {
        let trouble = store.history_trouble.as_ref();
        return list_pane::not_loaded(words, trouble, without_history(store), width);
    }
    let [unfiltered, filtered] = R::TEXTS.none_found;
    let id = if state.filter.is_open() {
        unfiltered
    } else {
        filtered
    };
    let searched = (&state.list, R::TEXTS.is_personal);
    if let Some(lines) = list_pane::none_found(words, searched, id, width) {
        return lines;
    }
    if let Some(lines) = R::filtered_text(store, width) {
        return lines;
    }
    if let Some(lost) = &store.lost_history {
        return list_pane::lost_history(words, lost, width);
    }
    list_pane::invitation(store.render_cx(), R::TEXTS.empty, Some(Action::New), width)
}

/// The details of a payment link or direct payment: its whole URL or Pix code, its QR code, and its
/// outcome.
#[derive(Debug, Clone)]
pub struct SaleDetails<R: SaleRequest>(pub SaleOf<R>);

impl<R: SaleScreen> Screen for SaleDetails<R> {
    fn info(&self) -> Info {
        Info::detail(R::TEXTS.names[1], R::PANE)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        draw_details(store, &self.0, (area, Look::Entered), page);
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        let mut offered = offered_actions(store, &self.0);
        offered.extend([Action::Repeat, Action::Related]);
        label_actions(offered, Some(&self.0))
    }

    /// Shows changes that were made here or by another instance of the program. Closes the screen
    /// if the link or payment was removed.
    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        let current = match event {
            ScreenEvent::StoreChanged => R::state(cx.store)
                .list
                .page
                .rows
                .iter()
                .find(|row| row.is_same(&self.0)),
            ScreenEvent::Message(
                Msg::SaleMade {
                    result: Ok(sale), ..
                }
                | Msg::SaleFound {
                    result: Ok(sale), ..
                }
                | Msg::MarkedPaid(Ok(sale))
                | Msg::PutAway(Ok(sale))
                | Msg::NoteSaved {
                    result: Ok(sale), ..
                }
                | Msg::SandboxPaymentsRecorded(Ok(Some(sale))),
            ) => R::of_sale(sale).filter(|sale| sale.is_same(&self.0)),
            ScreenEvent::Message(Msg::SaleRemoved(Ok(sale))) => {
                if R::of_sale(sale).is_some_and(|sale| sale.is_same(&self.0)) {
                    cx.close();
                }
                return true;
            }
            _ => return false,
        };
        if let Some(current) = current {
            if R::payable(&self.0).is_none() {
                self.0.outcome = current.outcome.clone();
            }
            self.0.paid = current.paid;
            self.0.put_away = current.put_away;
            self.0.note.clone_from(&current.note);
            self.0.authors.clone_from(&current.authors);
        }
        true
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        act_on(cx, &self.0, action);
    }

    fn next_deadline(&self, store: &Store, _: bool) -> Option<Duration> {
        store.areas(store.size)?;
        charges::next_change(store, &self.0)
    }

    fn qr_text<'s>(&'s self, store: &'s Store) -> Option<&'s Untrusted> {
        qr_text(store, &self.0)
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let selected = R::state(store).list.selected();
        ScreenLinks {
            url: url(&self.0),
            exchange: R::exchange(store, &self.0),
            is_under_cursor: selected.is_some_and(|sale| sale.is_same(&self.0)),
            ..ScreenLinks::default()
        }
    }
}

fn draw_details<R: SaleScreen>(
    store: &Store,
    sale: &SaleOf<R>,
    (area, look): (Area, Look),
    page: &mut Page,
) {
    let payable = R::payable(sale);
    let full = |width| R::payable_lines(store, sale, width);
    let code = qr_text(store, sale).and_then(|text| store.qr_code.place_of(text));
    let title = (R::TEXTS.title, look);
    put_details(
        store.render_cx(),
        title,
        (payable, code),
        (|width| detail_lines(store, sale, width), full),
        area,
        page,
    );
}

/// The URL or Pix code that is shown as a QR code.
///
/// Returns `None` if there are warnings about it. Copying it then requires a confirmation, which a
/// QR code would bypass.
fn qr_text<'s, R: SaleScreen>(store: &Store, sale: &'s SaleOf<R>) -> Option<&'s Untrusted> {
    let payable = R::payable(sale).filter(|payable| CopyTrouble::of(payable).is_none())?;
    R::warnings(store, sale).is_empty().then_some(payable)
}

/// Lays out everything about the link or direct payment except its whole URL or Pix code.
fn detail_lines<R: SaleScreen>(store: &Store, sale: &SaleOf<R>, width: usize) -> Vec<Line> {
    let words = store.words();
    let request = &sale.request;
    let texts = R::TEXTS;
    let paragraph_of = |role, id: &str| paragraph(role, &words.text(id), width);
    let mut lines = vec![Line::of(Role::Money, request.amount().to_string())];
    lines.extend(wrapped(
        Role::Text,
        &Untrusted::shown_of(request.description()),
        width,
    ));
    lines.extend(R::warning_lines(store, sale, width));
    lines.push(Line::default());
    let [made, asked] = texts.times;
    let time_label = if sale.outcome.created().is_some() {
        made
    } else {
        asked
    };
    lines.extend(named_pair(
        words,
        time_label,
        &store.render_cx().moment(sale.at),
        width,
    ));
    lines.extend(R::request_lines(store, sale, width));
    lines.extend(author_lines(words, sale, width));
    match &sale.outcome {
        Outcome::Created(created) => lines.extend(R::created_lines(store, sale, created, width)),
        Outcome::Unknown => lines.extend(paragraph_of(Role::Warn, texts.unknown)),
        Outcome::NotSent => lines.extend(paragraph_of(Role::Text, texts.not_sent)),
        Outcome::Refused(refusal) => {
            lines.extend(paragraph_of(Role::Bad, texts.refused));
            lines.extend(all_quoted(&failure::quotes(words, refusal), width));
        }
    }
    lines
}

/// Lays out who made and noted a link or direct payment of a team. Without a team, returns no
/// lines.
fn author_lines<R: SaleScreen>(words: &Catalogue, sale: &SaleOf<R>, width: usize) -> Vec<Line> {
    let authors = &sale.authors;
    let mut acts = Vec::new();
    if let Some(author) = &authors.created {
        let who = names::author(words, author);
        acts.push(words.with("team-who.created", &[("who", &who)]));
    }
    if let Some(author) = authors.note.as_ref().filter(|_| sale.note.is_some()) {
        let who = names::author(words, author);
        acts.push(words.with("team-who.note", &[("who", &who)]));
    }
    if acts.is_empty() {
        return vec![];
    }
    named_pair(words, "team-who", &acts.join(" · "), width)
}

/// Handles an event of the form for a new link or direct payment: the end of its request. Returns
/// false for other events.
pub fn on_form_event<R: SaleKind>(sent: &mut SentForm, cx: &mut Cx, event: &ScreenEvent) -> bool {
    match event {
        ScreenEvent::Cancelled => {
            sent.fail(Failure::NoAnswer(NoAnswer::Left));
            // The sale was recorded before the request was sent, so load the list again to show it
            // as unknown.
            sales::reload::<R>(cx);
        }
        ScreenEvent::Message(Msg::SaleMade { ticket, result, .. }) => {
            match sent.answer(*ticket, result) {
                Some(Ok(sale)) => {
                    if let Some(sale) = R::of_sale(sale) {
                        cx.replace_with(R::details(Box::new(sale.clone())));
                        sales::made(cx, sale);
                    }
                }
                Some(Err(failure)) => {
                    credentials::renew_refused(cx, R::OPERATION, failure);
                    let refused = form_links::<R>(cx.store, sent).exchange;
                    teaching::ask_after_refusal(cx, refused);
                }
                None => {}
            }
        }
        _ => return false,
    }
    true
}

/// The text below the button of the form: the state of its request, or else the preview.
pub fn form_status(
    store: &Store,
    sent: &SentForm,
    waits_for: &str,
    failed: impl FnOnce(&Failure) -> Block,
    preview: Vec<Line>,
    width: usize,
) -> Block {
    if let Some(notice) = credentials::renewal_message(store, sent.failure.as_ref()) {
        return Block::new(wrapped(Role::Good, &notice, width));
    }
    if let Some(failure) = &sent.failure {
        return failed(failure);
    }
    match sent.wait {
        Some(wait) => Block::new(vec![waiting(
            store.render_cx(),
            &store.text(waits_for),
            wait,
        )]),
        // If the form leaves little room, keep at least the first row of the preview. It shows the
        // amount as it will be sent.
        None => Block::cut(form_page::BELOW_PRIORITY, 1, preview),
    }
}

/// The links of the form for a new link or direct payment.
pub fn form_links<'s, R: SaleKind>(store: &Store, sent: &SentForm) -> ScreenLinks<'s> {
    ScreenLinks {
        needs: store.setup.contract.call_of(R::OPERATION).credential,
        exchange: teaching::after(store, sent.failure.as_ref(), R::OPERATION),
        ..ScreenLinks::default()
    }
}
