//! One direct payment: the service's answer, and the Pix code to pay it with.

use crate::app::store::{charges, code_oddity};
use crate::app::ui::lists::{DetailPane, Look, in_full, named, not_copied};
use crate::app::ui::parts::{all_quoted, paragraph, point, wrapped};
use crate::app::ui::{Area, Line, Page, Role, mark};
use crate::app::{CopyTrouble, Store};
use crate::trade::{BrCode, Charge, ChargeOutcome, Untrusted};
use crate::words::{Words, dates, failure, personal};

pub fn details(
    store: &Store,
    say: &Words,
    charge: &Charge,
    (area, look): (Area, Look),
    page: &mut Page,
) {
    laid(store, say, charge, area).draw(store.reader(), "charge-title", look, page);
}

fn laid(store: &Store, say: &Words, charge: &Charge, area: Area) -> DetailPane {
    let code = charge.pix_code();
    let known = |width| what_is_known(store, say, charge, width);
    let full = |width| code.map_or_else(Vec::new, |code| code_lines(say, code, width));
    let picture = pictured(charge).and_then(|code| store.picture.place_of(code));
    DetailPane::of(store.reader(), (code, picture), (known, full), area)
}

/// The code that is shown as a picture: a copy too, and an odd one is not copied unasked.
pub fn pictured(charge: &Charge) -> Option<&Untrusted> {
    let code = charge.pix_code().filter(|code| CopyTrouble::of(code).is_none())?;
    code_oddity::of_charge(charge).is_empty().then_some(code)
}

/// The code in full, under its name, which begins where it does.
fn code_lines(say: &Words, code: &Untrusted, width: u16) -> Vec<Line> {
    let mut lines = in_full(code, width);
    let indent = if lines.len() == 1 { " " } else { "" };
    lines.insert(0, Line::of(Role::Dim, format!("{indent}{}", say.text("charge-code"))));
    lines
}

fn what_is_known(store: &Store, say: &Words, charge: &Charge, width: usize) -> Vec<Line> {
    let request = &charge.request;
    let mut lines = vec![Line::of(Role::Money, request.amount.to_string())];
    let description = Untrusted::shown_of(&request.description);
    lines.extend(wrapped(Role::Text, &description, width));
    lines.extend(odd(say, charge, width));
    lines.push(Line::default());
    let is_made = matches!(charge.outcome, ChargeOutcome::Created { .. });
    let when = if is_made { "charge-made" } else { "charge-asked" };
    lines.extend(named(say, when, &store.reader().moment(charge.at), width));
    if let Some(customer) = &request.customer {
        let customer = personal::name(say, customer).shown();
        lines.extend(named(say, "charge-customer", &customer, width));
    }
    lines.extend(outcome(store, say, charge, width));
    if store.unsaved.charges.has(charge) {
        lines.extend(paragraph(Role::Bad, &say.text("charge-not-saved"), width));
    }
    lines
}

/// Says what is odd about the code and what to do about it, before everything else.
fn odd(say: &Words, charge: &Charge, width: usize) -> Vec<Line> {
    let oddities = code_oddity::of_charge(charge);
    let Some(first) = oddities.first() else { return vec![] };
    let mut lines = vec![Line::default(), mark::CHECK.span(say.text("code-odd-title")).into()];
    for oddity in &oddities {
        lines.extend(point(oddity.role(), &oddity.describe(say), width));
    }
    let what_to_do = if first.contradicts() { "code-odd-do" } else { "code-unreadable-do" };
    lines.extend(wrapped(Role::Text, &say.text(what_to_do), width));
    lines
}

/// Says what stands in the code: how much, and for whom; who sees it pays by that.
fn in_code(say: &Words, code: &Untrusted, width: usize) -> Vec<Line> {
    let Some(read) = BrCode::parse(code) else { return vec![] };
    let receiver = personal::name(say, &read.receiver.shown()).shown_within(60);
    let said = match read.amount {
        Some(amount) if read.is_in_reais => {
            let values = [("amount", &*amount.to_string()), ("receiver", &*receiver)];
            say.with("charge-code-pays", &values)
        }
        _ => say.with("charge-code-for", &[("receiver", &receiver)]),
    };
    let mut lines = named(say, "charge-in-code", &said, width);
    if read.amount.is_none() {
        let id = if read.is_dynamic { "charge-code-dynamic" } else { "charge-code-open" };
        lines.extend(wrapped(Role::Warn, &say.text(id), width));
    }
    lines
}

/// Says until when it can be paid, and for how long that is yet; or since when it cannot.
fn expiry(
    store: &Store,
    say: &Words,
    charge: &Charge,
    theirs: &Untrusted,
) -> (&'static str, String) {
    let (to, now) = (store.reader(), store.now.wall);
    let Some(at) = charge.expires_at() else {
        return (
            "charge-expires",
            say.with("theirs-quote", &[("text", &personal::theirs(say, theirs).shown_within(60))]),
        );
    };
    match at.since(now).filter(|left| !left.is_zero()) {
        Some(left) => {
            let values = [("moment", &*to.moment(at)), ("left", &*dates::left(left))];
            ("charge-expires", say.with("charge-expires-in", &values))
        }
        None => ("charge-expired", to.moment(at)),
    }
}

fn outcome(store: &Store, say: &Words, charge: &Charge, width: usize) -> Vec<Line> {
    let after = |role, id: &str| paragraph(role, &say.text(id), width);
    match &charge.outcome {
        ChargeOutcome::Created { id, status, pix_code, expires } => {
            let mut lines = Vec::new();
            if let Some(id) = id {
                lines.extend(named(
                    say,
                    "charge-id",
                    &personal::theirs(say, id).shown_within(120),
                    width,
                ));
            }
            if let Some(expires) = expires {
                let (name, when) = expiry(store, say, charge, expires);
                lines.extend(named(say, name, &when, width));
            }
            let theirs =
                status.as_ref().map(|status| personal::theirs(say, status).shown_within(60));
            let status = match theirs {
                Some(word) => say.with("charge-status-theirs", &[("word", &word)]),
                None => say.text("charge-status-none"),
            };
            let status = match charges::is_expired(store, charge) {
                true => format!("{} · {status}", say.text("charges-expired")),
                false => status,
            };
            lines.extend(named(say, "charge-status", &status, width));
            match pix_code {
                None => lines.extend(after(Role::Warn, "charge-code-none")),
                Some(code) => {
                    lines.extend(in_code(say, code, width));
                    let ids =
                        ["charge-code-not-clean", "charge-code-too-long", "charge-code-masked"];
                    lines.extend(not_copied(say, code, ids, width));
                }
            }
            lines
        }
        ChargeOutcome::Unknown => after(Role::Warn, "charge-unknown"),
        ChargeOutcome::NotSent => after(Role::Text, "charge-not-sent"),
        ChargeOutcome::Refused(refusal) => {
            let quotes = all_quoted(&failure::quotes(say, refusal), width);
            [after(Role::Bad, "charge-refused"), quotes].concat()
        }
    }
}
