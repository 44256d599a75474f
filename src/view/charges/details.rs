//! One direct payment: what the service said, and the PIX code to pay it with.

use ratatui::Frame;
use ratatui::text::Line;

use crate::app::Model;
use crate::app::geometry::Area;
use crate::contract;
use crate::trade::{Charge, ChargeOutcome, Untrusted};
use crate::view::lists::{Details, code_below, in_full, named, not_copied};
use crate::view::parts::{put, quoted, wrapped};
use crate::view::scrolled::Text;
use crate::view::{Look, Role, dates, failure};

/// One direct payment.
pub(in crate::view) fn details(
    model: &Model,
    look: &Look,
    charge: &Charge,
    scroll: u16,
    area: Area,
    frame: &mut Frame,
) {
    laid(model, look, charge, area).draw(model, look, ("charge-title", scroll), frame);
}

/// What is known of one direct payment.
pub(in crate::view) fn text(model: &Model, look: &Look, charge: &Charge, area: Area) -> Text {
    laid(model, look, charge, area).words
}

fn laid(model: &Model, look: &Look, charge: &Charge, area: Area) -> Details {
    let code = charge.pix_code();
    let known = |width| what_is_known(model, look, charge, width);
    let full = |width| code.map_or_else(Vec::new, |code| code_lines(look, code, width));
    Details::of(model, look, (code, true), (known, full), area)
}

/// The same beside the list of a wide terminal.
pub(super) fn beside(model: &Model, look: &Look, charge: &Charge, area: Area, frame: &mut Frame) {
    let mut lines = what_is_known(model, look, charge, usize::from(area.width));
    if let Some(code) = charge.pix_code() {
        lines.push(Line::default());
        lines.extend(code_lines(look, code, area.width));
    }
    let rows = u16::try_from(lines.len() + 1).unwrap_or(u16::MAX);
    put(lines, area, frame);
    code_below(look, charge.pix_code(), area.split_top(rows).1, frame);
}

/// The code in full, under its name.
fn code_lines(look: &Look, code: &Untrusted, width: u16) -> Vec<Line<'static>> {
    let mut lines = vec![look.line(Role::Dim, format!(" {}", look.say("charge-code")))];
    lines.extend(in_full(look, code, width));
    lines
}

fn what_is_known(model: &Model, look: &Look, charge: &Charge, width: usize) -> Vec<Line<'static>> {
    let request = &charge.request;
    let mut lines = vec![look.line(Role::Money, request.amount.to_string())];
    let description = Untrusted::from(&*request.description).shown();
    lines.extend(wrapped(look, Role::Text, &description, width));
    lines.push(Line::default());
    let is_made = matches!(charge.outcome, ChargeOutcome::Created { .. });
    let when = if is_made { "charge-made" } else { "charge-asked" };
    lines.extend(named(look, when, &dates::moment(model, look, charge.at), width));
    if let Some(customer) = &request.customer {
        let customer = Untrusted::from(&**customer).shown();
        lines.extend(named(look, "charge-customer", &customer, width));
    }
    lines.extend(outcome(model, look, &charge.outcome, width));
    if model.unsaved.has_charge(charge) {
        lines.push(Line::default());
        lines.extend(wrapped(look, Role::Bad, &look.say("charge-not-saved"), width));
    }
    lines
}

fn outcome(
    model: &Model,
    look: &Look,
    outcome: &ChargeOutcome,
    width: usize,
) -> Vec<Line<'static>> {
    let after = |role, id: &str| {
        let mut lines = vec![Line::default()];
        lines.extend(wrapped(look, role, &look.say(id), width));
        lines
    };
    match outcome {
        ChargeOutcome::Created { id, status, pix_code, expires } => {
            let mut lines = Vec::new();
            if let Some(id) = id {
                lines.extend(named(look, "charge-id", &id.shown_within(120), width));
            }
            if let Some(expires) = expires {
                let theirs = expires.shown_within(60);
                let expires = match contract::rfc3339(&theirs) {
                    Some(at) => dates::moment(model, look, at),
                    None => look.words.with("theirs-quote", &[("text", &theirs)]),
                };
                lines.extend(named(look, "charge-expires", &expires, width));
            }
            let status = match status {
                Some(status) => {
                    let status = status.shown_within(60);
                    look.words.with("charge-status-theirs", &[("word", &status)])
                }
                None => look.say("charge-status-none"),
            };
            lines.extend(named(look, "charge-status", &status, width));
            match pix_code {
                None => lines.extend(after(Role::Warn, "charge-code-none")),
                Some(code) => {
                    let ids = ["charge-code-not-clean", "charge-code-too-long"];
                    lines.extend(not_copied(look, code, ids, width));
                }
            }
            lines
        }
        ChargeOutcome::Unknown => after(Role::Warn, "charge-unknown"),
        ChargeOutcome::NotSent => after(Role::Text, "charge-not-sent"),
        ChargeOutcome::Refused(refusal) => {
            let mut lines = after(Role::Bad, "charge-refused");
            for (label, words) in failure::quotes(look, refusal) {
                lines.extend(quoted(look, &label, &words, width));
            }
            lines
        }
    }
}
