//! Direct payments: the pane with their list, and the screen with the details of one payment.
//!
//! The form for a new direct payment is [`NewCharge`].

mod new;

pub use new::NewCharge;

use std::time::Duration;

use compact_str::CompactStringExt;

use crate::app::cx::{Cx, Route};
use crate::app::screen::{Actions, Info, ListAccess, Screen, ScreenBody, ScreenEvent, ScreenLinks};
use crate::app::store::links::without_history;
use crate::app::store::payable::{Payable, PayableUse, use_payable};
use crate::app::store::payable_warnings::{self, PayableWarning};
use crate::app::store::unsaved::HistoryRecord;
use crate::app::store::{charges, requests, sales, teaching};
use crate::app::ui::geometry::list_pane;
use crate::app::ui::list::{ListLine, ShownRows};
use crate::app::ui::list_pane::{self, Look, in_full, named_pair, not_copied};
use crate::app::ui::parts::{all_quoted, paragraph, point, wrapped};
use crate::app::ui::table::{self, Column};
use crate::app::ui::{Action, Area, Line, Page, Role, Span, symbols};
use crate::app::{CopyTrouble, Msg, Pane, Store};
use crate::trade::{BrCode, Charge, ChargeOutcome, Paid, Sale, Untrusted};
use crate::words::{Catalogue, dates, failure, names, personal};

#[derive(Debug, Clone, Copy)]
pub struct ChargesPane;

/// Returns the actions that are offered for a direct payment, both in the list and on its details
/// screen.
fn charge_actions(store: &Store, charge: &Charge) -> Vec<Action> {
    let mut offered = match charge.pix_code() {
        Some(_) => vec![Action::Copy, Action::CopyMessage, Action::Qr, Action::Share],
        None => vec![],
    };
    offered.extend(sales::actions(store, &Sale::Charge(charge.clone())));
    offered.push(Action::Repeat);
    offered
}

/// Labels the actions of a direct payment, such as "copy code".
fn label_actions(charge: Option<&Charge>, offered: Vec<Action>) -> Actions {
    let is_marked = charge.is_some_and(|charge| charge.paid.is_some());
    sales::label_actions(offered, is_marked).word(Action::Copy, "code")
}

/// Runs an action on a direct payment, both in the list and on its details screen.
fn act_on(cx: &mut Cx, charge: &Charge, action: Action) {
    let payable = Payable::of_charge(cx.store, charge);
    match action {
        Action::Repeat => cx.open(Route::NewCharge(Some(Box::new(charge.clone())))),
        Action::Copy => use_payable(cx, payable, PayableUse::Copy),
        Action::CopyMessage => use_payable(cx, payable, PayableUse::Message),
        Action::Qr => use_payable(cx, payable, PayableUse::Qr),
        Action::Share => use_payable(cx, payable, PayableUse::WhatsApp),
        Action::Related => requests::show_of_charge(cx, charge),
        action => sales::act(cx, Sale::Charge(charge.clone()), action),
    }
}

impl Screen for ChargesPane {
    fn info(&self) -> Info {
        Info::list("charges", Pane::Charges)
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let needs = store.setup.contract.direct_payment.call.credential;
        ScreenLinks { needs, ..ScreenLinks::default() }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let words = store.words();
        let areas = list_pane(area);
        let list = &store.charges;
        let count = list_pane::count(words, list, "charges-count");
        list.field(true).draw(words, &count, areas.top, page);
        if list.is_empty() {
            draw_empty_list(store, words, areas.list, page);
            return;
        }
        let Some(rows) = self.rows(store, area) else { return };
        let heading = |line, width| match line {
            // Direct payments have no daily totals; only payment links do.
            ListLine::Day(day) => list_pane::day(store.render_cx(), day, "", width),
            _ => Line::default(),
        };
        table::put_list(store, (list, &COLUMNS), rows, (heading, |_: &Charge| None), page);
        if let (Some(aside), Some(selected)) = (areas.aside, list.selected()) {
            draw_details(store, selected, (aside, Look::Beside), page);
        }
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        let (row, mut offered) = (store.charges.selected(), vec![Action::New]);
        if let Some(charge) = row {
            offered.push(Action::Open);
            offered.extend(charge_actions(store, charge));
        }
        offered.extend([Action::Search, Action::Refresh]);
        offered.extend(row.map(|_| Action::Related));
        label_actions(row, offered).word(Action::New, "charge")
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match (action, cx.store.charges.selected().cloned()) {
            (Action::New, _) => cx.open(Route::NewCharge(None)),
            (Action::Refresh, _) => charges::reload(cx),
            (Action::Open, Some(charge)) => cx.open(Route::Charge(Box::new(charge))),
            (action, Some(charge)) => act_on(cx, &charge, action),
            (_, None) => {}
        }
    }

    fn body(&self) -> ScreenBody<'_> {
        ScreenBody::List(ListAccess {
            get: |store| &store.charges,
            get_mut: |store| &mut store.charges,
        })
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Load => charges::reload(cx),
            ScreenEvent::Message(Msg::HistoryChanged) => {
                charges::reload(cx);
                cx.store.charges.keeps_row = true;
            }
            _ => return false,
        }
        true
    }

    fn rows(&self, store: &Store, area: Area) -> Option<ShownRows> {
        let day = |charge: &Charge| ListLine::Day(charge.at.local_day(store.setup.utc_offset_s));
        Some(store.charges.shown(list_pane(area).list, day))
    }

    fn next_deadline(&self, store: &Store, _: bool) -> Option<Duration> {
        let aside = list_pane(store.areas(store.size)?.body).aside;
        let selected = store.charges.selected().filter(|_| aside.is_some());
        let selected_change = selected.and_then(|charge| charges::next_change(store, charge));
        let list_change = charges::next_expiry(store, &store.charges.page.rows);
        selected_change.into_iter().chain(list_change).min()
    }

    fn qr_text<'s>(&'s self, store: &'s Store) -> Option<&'s Untrusted> {
        list_pane(store.areas(store.size)?.body).aside?;
        qr_code_text(store, store.charges.selected()?)
    }
}

/// The minimum list width, in columns, for a separate buyer column.
const MIN_WIDE_LIST: usize = 97;

/// The columns of the list: time, amount, description, buyer and state.
const COLUMNS: [Column<Store, Charge>; 6] = [
    Column::new(3, &[|store, charge, _| Span::of(Role::Dim, store.render_cx().time(charge.at))]),
    Column {
        padded_width: 11,
        is_right: true,
        ..Column::new(0, &[|_, charge, _| Span::of(Role::Money, charge.request.amount.text())])
    },
    Column {
        gap: 3,
        min_width: 12,
        fills: true,
        widths: 0..MIN_WIDE_LIST,
        ..Column::new(2, &[description_and_buyer])
    },
    Column {
        gap: 3,
        min_width: 12,
        fills: true,
        widths: MIN_WIDE_LIST..usize::MAX,
        ..Column::new(2, &[description])
    },
    Column { widths: MIN_WIDE_LIST..usize::MAX, min_width: 12, ..Column::new(4, &[buyer]) },
    Column { min_width: 18, ..Column::new(1, &[state, short_state]) },
];

fn description(_: &Store, charge: &Charge, _: usize) -> Span {
    Span::of(Role::Text, Untrusted::shown_of(&charge.request.description))
}

fn buyer(store: &Store, charge: &Charge, _: usize) -> Span {
    let customer = charge.request.customer.as_ref();
    let name = customer.map(|customer| personal::name(store.words(), customer).shown());
    Span::of(Role::Text, name.unwrap_or_default())
}

fn description_and_buyer(store: &Store, charge: &Charge, room: usize) -> Span {
    let (description, buyer) = (description(store, charge, room), buyer(store, charge, room));
    match (description.text.is_empty(), buyer.text.is_empty()) {
        (_, true) => description,
        (true, _) => buyer,
        _ => Span::of(Role::Text, [&description.text, " · ", &buyer.text].concat_compact()),
    }
}

/// Returns the state of a direct payment: the program's own wording if there is one, or else the
/// service's word in quotes.
fn state(store: &Store, charge: &Charge, _: usize) -> Span {
    let words = store.words();
    match (state_text_id(store, charge), &charge.outcome) {
        (Some((id, role)), _) => Span::of(role, words.text(id)),
        (None, ChargeOutcome::Created { status: Some(status), .. }) => {
            let text = personal::service_text(words, status).shown_within(20);
            Span::of(Role::Quote, words.with("theirs-quote", &[("text", &text)]))
        }
        (None, _) => Span::plain(""),
    }
}

fn short_state(store: &Store, charge: &Charge, room: usize) -> Span {
    match state_text_id(store, charge) {
        Some((id @ "links-marked", role)) => Span::of(role, store.text(&format!("{id}.short"))),
        _ => state(store, charge, room),
    }
}

/// Returns the text id and the style of a payment's state, or `None` to show the service's own
/// word. The checks are in order of importance: unsaved, marked as paid, suspicious, expired,
/// outcome.
fn state_text_id(store: &Store, charge: &Charge) -> Option<(&'static str, Role)> {
    if store.unsaved.charges.has(charge) {
        return Some(("links-not-saved", symbols::CHECK.role));
    }
    if let Some(paid) = charge.paid {
        return Some((names::paid_message(paid.source), Role::Good));
    }
    if charge.has_odd_code() {
        return Some(("charges-odd-code", symbols::CHECK.role));
    }
    if charges::is_expired(store, charge) {
        return Some(("charges-expired", symbols::DROPPED.role));
    }
    let id = match &charge.outcome {
        ChargeOutcome::Created { status: Some(_), .. } => return None,
        ChargeOutcome::Created { status: None, .. } => "charges-created",
        ChargeOutcome::Unknown => "links-unknown",
        ChargeOutcome::Refused(_) => "charges-refused",
        ChargeOutcome::NotSent => "charges-not-sent",
    };
    Some((id, symbols::charge(&charge.outcome).map_or(Role::Dim, |mark| mark.role)))
}

fn draw_empty_list(store: &Store, words: &Catalogue, area: Area, page: &mut Page) {
    let (list, key) = (&store.charges, Some(Action::New));
    let lines = |width| {
        if list.is_reading() {
            let trouble = store.history_trouble.as_ref();
            return list_pane::not_loaded(words, trouble, without_history(store), width);
        }
        if let Some(lines) = list_pane::none_found(words, (list, true), "charges-none-found", width)
        {
            return lines;
        }
        if let Some(lost) = &store.lost_history {
            return list_pane::lost_history(words, lost, width);
        }
        let message_ids = ["charges-empty-title", "charges-empty-hint", "charges-empty-key"];
        list_pane::invitation(store.render_cx(), message_ids, key, width)
    };
    list_pane::put_empty_list(area, lines, page);
}

#[derive(Debug, Clone)]
pub struct ChargeDetails(pub Charge);

impl Screen for ChargeDetails {
    fn info(&self) -> Info {
        Info::detail("charge", Pane::Charges)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        draw_details(store, &self.0, (area, Look::Entered), page);
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        let mut offered = charge_actions(store, &self.0);
        offered.push(Action::Related);
        label_actions(Some(&self.0), offered)
    }

    /// Shows changes of the direct payment that were made here or by another instance of the
    /// program. Closes the screen if the payment was removed.
    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        let current = match event {
            ScreenEvent::StoreChanged => {
                cx.store.charges.page.rows.iter().find(|row| row.is_same(&self.0))
            }
            ScreenEvent::Message(Msg::ChargeMade { result: Ok(charge), .. }) => {
                if charge.is_same(&self.0) {
                    self.0 = charge.clone();
                }
                return true;
            }
            ScreenEvent::Message(
                Msg::SaleFound { result: Ok(sale), .. } | Msg::MarkedPaid(Ok(sale)),
            ) => match &**sale {
                Sale::Charge(charge) if charge.is_same(&self.0) => Some(charge),
                _ => return true,
            },
            ScreenEvent::Message(Msg::SaleRemoved(Ok(sale))) => {
                if sale.is_same(&Sale::Charge(self.0.clone())) {
                    cx.close();
                }
                return true;
            }
            _ => return false,
        };
        if let Some(current) = current {
            self.0 = current.clone();
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
        qr_code_text(store, &self.0)
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let selected = store.charges.selected();
        let is_under_cursor = selected.is_some_and(|charge| charge.is_same(&self.0));
        let exchange = teaching::of_charge(store, &self.0);
        ScreenLinks { exchange, is_under_cursor, ..ScreenLinks::default() }
    }
}

fn draw_details(store: &Store, charge: &Charge, (area, look): (Area, Look), page: &mut Page) {
    let code = charge.pix_code();
    let details = |width| detail_lines(store, charge, width);
    let code_text = |width| code.map_or_else(Vec::new, |code| pix_code_lines(store, code, width));
    let picture = qr_code_text(store, charge).and_then(|code| store.qr_code.place_of(code));
    let title = ("charge-title", look);
    list_pane::put_details(
        store.render_cx(),
        title,
        (code, picture),
        (details, code_text),
        area,
        page,
    );
}

/// Returns the Pix code that is shown as a QR code.
///
/// Returns `None` for a suspicious or expired code. Copying such a code requires a confirmation,
/// which a QR code would bypass.
fn qr_code_text<'c>(store: &Store, charge: &'c Charge) -> Option<&'c Untrusted> {
    let code = charge.pix_code().filter(|code| CopyTrouble::of(code).is_none())?;
    payable_warnings::charge_warnings(store, charge).is_empty().then_some(code)
}

fn pix_code_lines(store: &Store, code: &Untrusted, width: u16) -> Vec<Line> {
    let mut lines = in_full(code, width);
    let indent = if lines.len() == 1 { " " } else { "" };
    lines.insert(0, Line::of(Role::Dim, format!("{indent}{}", store.text("charge-code"))));
    lines
}

fn detail_lines(store: &Store, charge: &Charge, width: usize) -> Vec<Line> {
    let (words, request) = (store.words(), &charge.request);
    let mut lines = vec![Line::of(Role::Money, request.amount.to_string())];
    lines.extend(wrapped(Role::Text, &Untrusted::shown_of(&request.description), width));
    lines.extend(warning_lines(store, charge, width));
    lines.push(Line::default());
    let is_created = matches!(charge.outcome, ChargeOutcome::Created { .. });
    let time_label = if is_created { "charge-made" } else { "charge-asked" };
    lines.extend(named_pair(words, time_label, &store.render_cx().moment(charge.at), width));
    if let Some(customer) = &request.customer {
        let customer = personal::name(words, customer).shown();
        lines.extend(named_pair(words, "charge-customer", &customer, width));
    }
    lines.extend(outcome_lines(store, charge, width));
    if store.unsaved.charges.has(charge) {
        lines.extend(paragraph(Role::Bad, &words.text("charge-not-saved"), width));
    }
    lines
}

/// Lays out the warnings about a suspicious or expired Pix code, and the advice on what to do.
fn warning_lines(store: &Store, charge: &Charge, width: usize) -> Vec<Line> {
    let (words, mut warnings) = (store.words(), payable_warnings::charge_warnings(store, charge));
    // If the payment is marked as paid, do not warn that the Pix code expired.
    warnings.retain(|warning| charge.paid.is_none() || *warning != PayableWarning::Expired);
    let (Some(first), Some(code)) = (warnings.first(), charge.pix_code()) else { return vec![] };
    let mut lines = vec![Line::default(), symbols::CHECK.span(words.text("code-odd-title")).into()];
    for warning in &warnings {
        lines.extend(point(warning.role(), &warning.describe(words, code), width));
    }
    let is_about_banks = |warning: &&PayableWarning| matches!(warning, PayableWarning::Broken(_));
    let gravest = warnings.iter().find(|warning| !is_about_banks(warning)).unwrap_or(first);
    let advice = match gravest {
        PayableWarning::Broken(_) => words.text("code-broken-do"),
        PayableWarning::Expired => store.render_cx().with_key("code-expired-do", Action::Repeat),
        first if first.contradicts() => words.text("code-odd-do"),
        _ => words.text("code-unreadable-do"),
    };
    lines.extend(wrapped(Role::Text, &advice, width));
    lines
}

/// Lays out the amount and the receiver that the Pix code contains. The buyer's bank app uses these
/// values, even if the service's reply contains others.
fn code_content_lines(words: &Catalogue, code: &Untrusted, width: usize) -> Vec<Line> {
    let Some(parsed_code) = BrCode::parse(code) else { return vec![] };
    let receiver = personal::name(words, &parsed_code.receiver.shown()).shown_within(60);
    let text = match parsed_code.amount {
        Some(amount) if parsed_code.is_in_reais => {
            let values = [("amount", &*amount.to_string()), ("receiver", &*receiver)];
            words.with("charge-code-pays", &values)
        }
        _ => words.with("charge-code-for", &[("receiver", &receiver)]),
    };
    let mut lines = named_pair(words, "charge-in-code", &text, width);
    if parsed_code.amount.is_none() {
        let id = if parsed_code.is_dynamic { "charge-code-dynamic" } else { "charge-code-open" };
        lines.extend(wrapped(Role::Warn, &words.text(id), width));
    }
    lines
}

/// Returns the label and the text about the expiry of a direct payment. Before the expiry, the text
/// includes the remaining time.
fn expiry_label_and_text(
    store: &Store,
    charge: &Charge,
    service_text: &Untrusted,
) -> (&'static str, String) {
    let (render, now) = (store.render_cx(), store.now.wall);
    let Some(expires_at) = charge.expires_at() else {
        let text = personal::service_text(store.words(), service_text).shown_within(60);
        return ("charge-expires", store.with("theirs-quote", &[("text", &text)]));
    };
    match expires_at.since(now).filter(|left| !left.is_zero()) {
        Some(left) => {
            let values = [("moment", &*render.moment(expires_at)), ("left", &*dates::left(left))];
            ("charge-expires", store.with("charge-expires-in", &values))
        }
        None => ("charge-expired", render.moment(expires_at)),
    }
}

fn outcome_lines(store: &Store, charge: &Charge, width: usize) -> Vec<Line> {
    let words = store.words();
    let paragraph_of = |role, id: &str| paragraph(role, &words.text(id), width);
    let (id, status, pix_code, expires) = match &charge.outcome {
        ChargeOutcome::Created { id, status, pix_code, expires } => (id, status, pix_code, expires),
        ChargeOutcome::Unknown => return paragraph_of(Role::Warn, "charge-unknown"),
        ChargeOutcome::NotSent => return paragraph_of(Role::Text, "charge-not-sent"),
        ChargeOutcome::Refused(refusal) => {
            let quotes = all_quoted(&failure::quotes(words, refusal), width);
            return [paragraph_of(Role::Bad, "charge-refused"), quotes].concat();
        }
    };
    let mut lines = Vec::new();
    if let Some(id) = id {
        let id = personal::service_text(words, id).shown_within(120);
        lines.extend(named_pair(words, "charge-id", &id, width));
    }
    if let Some(expires) = expires {
        let (name, when) = expiry_label_and_text(store, charge, expires);
        lines.extend(named_pair(words, name, &when, width));
    }
    let mut status_text = match status {
        Some(status) => names::service_status(words, "charge-status-theirs", status),
        None => words.text("charge-status-none"),
    };
    if charges::is_expired(store, charge) && charge.paid.is_none() {
        status_text = format!("{} · {status_text}", words.text("charges-expired"));
    }
    lines.extend(named_pair(words, "charge-status", &status_text, width));
    match pix_code {
        None => lines.extend(paragraph_of(Role::Warn, "charge-code-none")),
        Some(code) => {
            lines.extend(code_content_lines(words, code, width));
            let ids = ["charge-code-not-clean", "charge-code-too-long", "charge-code-masked"];
            lines.extend(not_copied(words, code, ids, width));
        }
    }
    if let Some(Paid { at, .. }) = charge.paid {
        let marked = words.with("link-marked", &[("when", &store.render_cx().moment(at))]);
        lines.extend(paragraph(Role::Good, &marked, width));
    }
    lines
}
