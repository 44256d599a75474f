//! Direct payments: what their pane and their details show.
//!
//! The form for a new direct payment is [`NewCharge`].

mod new;

pub use new::NewCharge;

use std::sync::Arc;

use compact_str::CompactStringExt;

use crate::app::Store;
use crate::app::screen::sales::{SaleScreen, SaleTexts, description, offered_actions};
use crate::app::store::payable_warnings::{self, PayableWarning};
use crate::app::store::{charges, paid, teaching};
use crate::app::ui::geometry::{self, PaneAreas};
use crate::app::ui::list_pane::{self, in_full, named_pair, not_copied};
use crate::app::ui::parts::{paragraph, point, wrapped};
use crate::app::ui::table::{Column, MIN_WIDE_LIST, TEXT_GAP};
use crate::app::ui::{Action, Area, Line, Page, Role, Span, symbols};
use crate::trade::{BrCode, Charge, ChargeRequest, CreatedCharge, Exchange, Untrusted};
use crate::words::{Catalogue, dates, names, personal};

/// The text beside the search field: the number of charges and, in a search, their sums.
fn count_text(store: &Store, top: Area) -> String {
    let words = store.words();
    let charges = &store.charges;
    let list = &charges.list;
    let count = list_pane::count(words, list, "charges-count");
    let found = charges.totals().and_then(|totals| totals.found.as_ref());
    let Some(found) = found.filter(|_| charges.is_narrowed() && !count.is_empty()) else {
        return list_pane::count_and_reading(store.render_cx(), list, count, top);
    };
    let rows = list.page.total.unwrap_or_default();
    let sums = list_pane::sum_texts(words, "charges-made", found, rows, true);
    let variants = [
        [vec![count.clone()], sums.clone()].concat(),
        sums.clone(),
        sums.into_iter().take(1).collect(),
        vec![count],
    ];
    let texts = variants.iter().map(|parts| parts.join(" · "));
    let room = usize::from(top.width).saturating_sub(list_pane::SEARCH_TEXT_WIDTH);
    list_pane::with_reading(store.render_cx(), &list.reading, [texts], room).into()
}

impl SaleScreen for ChargeRequest {
    const TEXTS: SaleTexts = SaleTexts {
        names: ["charges", "charge"],
        is_personal: true,
        none_found: ["charges-none-found"; 2],
        empty: [
            "charges-empty-title",
            "charges-empty-hint",
            "charges-empty-key",
        ],
        title: "charge-title",
        times: ["charge-made", "charge-asked"],
        unknown: "charge-unknown",
        not_sent: "charge-not-sent",
        refused: "charge-refused",
    };

    const USES: &'static [Action] = &[Action::Copy, Action::CopyMessage, Action::Qr, Action::Share];

    const WORDS: &'static [(Action, &'static str)] = &[
        (Action::Copy, "code"),
        (Action::New, "charge"),
        (Action::Save, "list"),
    ];

    /// The columns of the list: time, amount, description, buyer and state.
    const COLUMNS: &'static [Column<Store, Charge>] = &[
        Column::new(
            3,
            &[|store, charge, _| Span::of(Role::Dim, store.render_cx().time(charge.at))],
        ),
        Column {
            padded_width: 11,
            is_right: true,
            ..Column::new(
                0,
                &[|_, charge, _| Span::of(Role::Text, charge.request.amount.text())],
            )
        },
        Column {
            gap: TEXT_GAP,
            min_width: 12,
            fills: true,
            widths: 0..MIN_WIDE_LIST,
            ..Column::new(2, &[description_and_buyer])
        },
        Column {
            gap: TEXT_GAP,
            min_width: 12,
            fills: true,
            widths: MIN_WIDE_LIST..usize::MAX,
            ..Column::new(2, &[description])
        },
        Column {
            widths: MIN_WIDE_LIST..usize::MAX,
            min_width: 12,
            ..Column::new(4, &[buyer])
        },
        Column {
            min_width: 18,
            ..Column::new(1, &[state, short_state])
        },
    ];

    fn areas(_: &Store, body: Area) -> PaneAreas {
        geometry::list_pane(body)
    }

    fn draw_head(store: &Store, areas: &PaneAreas, page: &mut Page) {
        let words = store.words();
        let list = &store.charges.list;
        let count = count_text(store, areas.top);
        list.field(true).draw(words, &count, areas.top, page);
    }

    fn pane_actions(store: &Store, charge: Option<&Charge>) -> Vec<Action> {
        let Some(charge) = charge else {
            return vec![Action::New];
        };
        let mut offered = vec![Action::New, Action::Open];
        offered.extend(offered_actions(store, charge));
        offered.push(Action::Repeat);
        offered
    }

    fn is_prominent(store: &Store, charge: &Charge) -> bool {
        !charges::is_expired(store, charge)
    }

    /// Lays out the warnings about a suspicious or expired Pix code, and the advice on what to do.
    fn warning_lines(store: &Store, charge: &Charge, width: usize) -> Vec<Line> {
        let words = store.words();
        let mut warnings = payable_warnings::charge_warnings(store, charge);
        // If the payment is marked as paid, do not warn that the Pix code expired.
        warnings.retain(|warning| charge.paid.is_none() || *warning != PayableWarning::Expired);
        let (Some(first), Some(code)) = (warnings.first(), charge.pix_code()) else {
            return vec![];
        };
        let mut lines = vec![
            Line::default(),
            symbols::CHECK.span(words.text("code-odd-title")).into(),
        ];
        for warning in &warnings {
            lines.extend(point(warning.role(), &warning.describe(words, code), width));
        }
        let gravest = warnings
            .iter()
            .find(|warning| !matches!(warning, PayableWarning::Broken(_)))
            .unwrap_or(first);
        let advice = match gravest {
            PayableWarning::Broken(_) => words.text("code-broken-do"),
            PayableWarning::Expired => store
                .render_cx()
                .with_key("code-expired-do", Action::Repeat),
            first if first.contradicts() => words.text("code-odd-do"),
            _ => words.text("code-unreadable-do"),
        };
        lines.extend(wrapped(Role::Text, &advice, width));
        lines
    }

    fn request_lines(store: &Store, charge: &Charge, width: usize) -> Vec<Line> {
        let words = store.words();
        let Some(customer) = &charge.request.customer else {
            return vec![];
        };
        let customer = personal::name(words, customer).shown();
        named_pair(words, "charge-customer", &customer, width)
    }

    fn created_lines(
        store: &Store,
        charge: &Charge,
        CreatedCharge {
            id,
            status,
            pix_code,
            expires,
        }: &CreatedCharge,
        width: usize,
    ) -> Vec<Line> {
        let words = store.words();
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
            None => lines.extend(paragraph(
                Role::Warn,
                &words.text("charge-code-none"),
                width,
            )),
            Some(code) => {
                lines.extend(code_content_lines(words, code, width));
                let ids = [
                    "charge-code-not-clean",
                    "charge-code-too-long",
                    "charge-code-masked",
                ];
                lines.extend(not_copied(words, code, ids, width));
            }
        }
        if let Some(paid) = charge.paid {
            lines.extend(paragraph(
                Role::Good,
                &paid::mark_text(store, paid, charge.authors.paid.as_ref()),
                width,
            ));
        }
        if store.charges.unsaved.has(charge) {
            lines.extend(paragraph(Role::Bad, &words.text("charge-not-saved"), width));
        }
        lines
    }

    fn payable_lines(store: &Store, charge: &Charge, width: u16) -> Vec<Line> {
        let Some(code) = charge.pix_code() else {
            return vec![];
        };
        let mut lines = in_full(code, width);
        let indent = if lines.len() == 1 { " " } else { "" };
        lines.insert(
            0,
            Line::of(Role::Dim, format!("{indent}{}", store.text("charge-code"))),
        );
        lines
    }

    fn exchange(store: &Store, charge: &Charge) -> Option<Arc<Exchange>> {
        teaching::of_charge(store, charge)
    }
}

fn buyer(store: &Store, charge: &Charge, _: usize) -> Span {
    let customer = charge.request.customer.as_ref();
    let name = customer.map(|customer| personal::name(store.words(), customer).shown());
    Span::of(Role::Text, name.unwrap_or_default())
}

fn description_and_buyer(store: &Store, charge: &Charge, room: usize) -> Span {
    let description = description(store, charge, room);
    let buyer = buyer(store, charge, room);
    match (description.text.is_empty(), buyer.text.is_empty()) {
        (_, true) => description,
        (true, _) => buyer,
        _ => Span::of(
            Role::Text,
            [&description.text, " · ", &buyer.text].concat_compact(),
        ),
    }
}

/// The state of a direct payment: the program's own wording if there is one, or else the service's
/// word in quotes.
fn state(store: &Store, charge: &Charge, _: usize) -> Span {
    let words = store.words();
    if let Some((id, role)) = state_text_id(store, charge) {
        return Span::of(role, words.text(id));
    }
    let status = charge
        .outcome
        .created()
        .and_then(|created| created.status.as_ref());
    status.map_or(Span::plain(""), |status| {
        let text = names::short_service_status(words, "charge-status-theirs", status);
        Span::of(Role::Quote, text)
    })
}

fn short_state(store: &Store, charge: &Charge, room: usize) -> Span {
    match state_text_id(store, charge) {
        Some((id @ "links-marked", role)) => Span::of(role, store.text(&format!("{id}.short"))),
        _ => state(store, charge, room),
    }
}

/// The text id and the style of a payment's state, or `None` to show the service's own word. The
/// checks are in order of importance: unsaved, marked as paid, suspicious, expired, outcome.
fn state_text_id(store: &Store, charge: &Charge) -> Option<(&'static str, Role)> {
    if store.charges.unsaved.has(charge) {
        return Some(("links-not-saved", symbols::CHECK.role));
    }
    if let Some(paid) = charge.paid {
        return Some((names::paid_message(paid.source), Role::Good));
    }
    if let Some(mark) = charges::code_mark(charge) {
        return Some((mark, symbols::CHECK.role));
    }
    if charges::is_expired(store, charge) {
        return Some(("charges-expired", symbols::DROPPED.role));
    }
    if let Some(created) = charge.outcome.created() {
        return created
            .status
            .is_none()
            .then_some(("charges-created", Role::Dim));
    }
    Some((
        names::outcome_message(charge)?,
        symbols::outcome(&charge.outcome)?.role,
    ))
}

/// Lays out the amount and the receiver that the Pix code contains. The buyer's bank app uses these
/// values, even if the service's reply contains others.
fn code_content_lines(words: &Catalogue, code: &Untrusted, width: usize) -> Vec<Line> {
    let Some(parsed_code) = BrCode::parse(code) else {
        return vec![];
    };
    let receiver = parsed_code.receiver.shown_within(60);
    let text = match parsed_code.amount {
        Some(amount) if parsed_code.is_in_reais => {
            let values = [("amount", &*amount.to_string()), ("receiver", &*receiver)];
            words.with("charge-code-pays", &values)
        }
        _ => words.with("charge-code-for", &[("receiver", &receiver)]),
    };
    let mut lines = named_pair(words, "charge-in-code", &text, width);
    if parsed_code.amount.is_none() {
        let id = if parsed_code.is_dynamic {
            "charge-code-dynamic"
        } else {
            "charge-code-open"
        };
        lines.extend(wrapped(Role::Warn, &words.text(id), width));
    }
    lines
}

/// The label and the text about the expiry of a direct payment. Before the expiry, the text
/// includes the remaining time.
fn expiry_label_and_text(
    store: &Store,
    charge: &Charge,
    service_text: &Untrusted,
) -> (&'static str, String) {
    let render = store.render_cx();
    let now = store.now.wall;
    let Some(expires_at) = charge.expires_at() else {
        let text = personal::service_text(store.words(), service_text).shown_within(60);
        return (
            "charge-expires",
            store.with("theirs-quote", &[("text", &text)]),
        );
    };
    match expires_at.since(now).filter(|left| !left.is_zero()) {
        Some(left) => {
            let values = [
                ("moment", &*render.moment(expires_at)),
                ("left", &*dates::left(left)),
            ];
            ("charge-expires", store.with("charge-expires-in", &values))
        }
        None => ("charge-expired", render.moment(expires_at)),
    }
}
