//! One direct payment: the service's answer, and the PIX code to pay it with.

use crate::app::Store;
use crate::app::ui::lists::{DetailPane, in_full, named, not_copied};
use crate::app::ui::parts::{quoted, wrapped};
use crate::app::ui::{Area, Line, Page, Role};
use crate::contract;
use crate::trade::{Charge, ChargeOutcome, Untrusted};
use crate::words::{Words, failure};

/// One direct payment.
pub fn details(store: &Store, say: &Words, charge: &Charge, area: Area, page: &mut Page) {
    laid(store, say, charge, area).draw(store.reader(), "charge-title", page);
}

fn laid(store: &Store, say: &Words, charge: &Charge, area: Area) -> DetailPane {
    let code = charge.pix_code();
    let known = |width| what_is_known(store, say, charge, width);
    let full = |width| code.map_or_else(Vec::new, |code| code_lines(say, code, width));
    let picture = pictured(charge).and_then(|code| store.picture.of(code));
    DetailPane::of(store.reader(), (code, picture), (known, full), area)
}

/// The same beside the list of a wide terminal.
pub fn beside(store: &Store, say: &Words, charge: &Charge, area: Area, page: &mut Page) {
    laid(store, say, charge, area).peek(store.reader(), "charge-title", page);
}

/// The code that is shown as a picture: a picture is a copy too.
pub fn pictured(charge: &Charge) -> Option<&Untrusted> {
    charge.pix_code().filter(|code| code.is_clean())
}

/// The code in full, under its name.
fn code_lines(say: &Words, code: &Untrusted, width: u16) -> Vec<Line> {
    let mut lines = vec![Line::of(Role::Dim, format!(" {}", say.text("charge-code")))];
    lines.extend(in_full(code, width));
    lines
}

fn what_is_known(store: &Store, say: &Words, charge: &Charge, width: usize) -> Vec<Line> {
    let request = &charge.request;
    let mut lines = vec![Line::of(Role::Money, request.amount.to_string())];
    let description = Untrusted::from(&*request.description).shown();
    lines.extend(wrapped(Role::Text, &description, width));
    lines.push(Line::default());
    let is_made = matches!(charge.outcome, ChargeOutcome::Created { .. });
    let when = if is_made { "charge-made" } else { "charge-asked" };
    lines.extend(named(say, when, &store.reader().moment(charge.at), width));
    if let Some(customer) = &request.customer {
        let customer = Untrusted::from(&**customer).shown();
        lines.extend(named(say, "charge-customer", &customer, width));
    }
    lines.extend(outcome(store, say, &charge.outcome, width));
    if store.unsaved.charges.has(charge) {
        lines.push(Line::default());
        lines.extend(wrapped(Role::Bad, &say.text("charge-not-saved"), width));
    }
    lines
}

fn outcome(store: &Store, say: &Words, outcome: &ChargeOutcome, width: usize) -> Vec<Line> {
    let after = |role, id: &str| {
        let mut lines = vec![Line::default()];
        lines.extend(wrapped(role, &say.text(id), width));
        lines
    };
    match outcome {
        ChargeOutcome::Created { id, status, pix_code, expires } => {
            let mut lines = Vec::new();
            if let Some(id) = id {
                lines.extend(named(say, "charge-id", &id.shown_within(120), width));
            }
            if let Some(expires) = expires {
                let theirs = expires.shown_within(60);
                let expires = match contract::rfc3339(&theirs) {
                    Some(at) => store.reader().moment(at),
                    None => say.with("theirs-quote", &[("text", &theirs)]),
                };
                lines.extend(named(say, "charge-expires", &expires, width));
            }
            let status = match status {
                Some(status) => {
                    let status = status.shown_within(60);
                    say.with("charge-status-theirs", &[("word", &status)])
                }
                None => say.text("charge-status-none"),
            };
            lines.extend(named(say, "charge-status", &status, width));
            match pix_code {
                None => lines.extend(after(Role::Warn, "charge-code-none")),
                Some(code) => {
                    let ids = ["charge-code-not-clean", "charge-code-too-long"];
                    lines.extend(not_copied(say, code, ids, width));
                }
            }
            lines
        }
        ChargeOutcome::Unknown => after(Role::Warn, "charge-unknown"),
        ChargeOutcome::NotSent => after(Role::Text, "charge-not-sent"),
        ChargeOutcome::Refused(refusal) => {
            let mut lines = after(Role::Bad, "charge-refused");
            for (label, words) in failure::quotes(say, refusal) {
                lines.extend(quoted(&label, &words, width));
            }
            lines
        }
    }
}
