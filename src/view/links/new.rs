//! The form of a new payment link.

use ratatui::Frame;
use ratatui::text::Line;

use crate::app::Model;
use crate::app::form::Entry;
use crate::app::geometry::Area;
use crate::app::layer::{Layer, NewLink};
use crate::trade::{DomainChoice, Failure};
use crate::view::failure::{self, Doing};
use crate::view::parts::{pair, put, title, waiting, wrapped};
use crate::view::{Look, Role, forms, refusals};

/// A new link.
pub(in crate::view) fn new(
    model: &Model,
    look: &Look,
    new: &NewLink,
    layer: &Layer,
    area: Area,
    frame: &mut Frame,
) {
    title(look, &look.say("new-link-title"), Line::default(), area, frame);
    let submit = look.say("new-link-submit");
    let below = forms::draw(look, layer, &new.form, &submit, area, frame);
    let width = usize::from(below.width);
    let lines = match (&new.wait, &new.failure) {
        (Some(wait), _) => vec![waiting(model, look, &look.say("new-link-wait"), *wait)],
        (None, Some(failure)) => failed(look, failure, width, usize::from(below.height)),
        (None, None) => what_goes(model, look, new, width),
    };
    // What went wrong may need every row there is.
    let gap = u16::from(usize::from(below.height) > lines.len());
    put(lines, below.split_top(gap).1, frame);
}

/// What went wrong; beside a refusal what makes a domain active, and the way without one.
fn failed(look: &Look, failure: &Failure, width: usize, rows: usize) -> Vec<Line<'static>> {
    let told = failure::told(look, failure, Doing::Link);
    let next = match failure {
        Failure::Refused(refusal) if refusal.status == 400 => {
            vec![look.say("new-link-domain-how"), look.say("new-link-domain-other")]
        }
        _ => vec![told.next.clone()],
    };
    refusals::lines(look, &told, &next, width, rows)
}

/// The amount exactly as it goes into the body, and what the choice of the domain means there.
fn what_goes(model: &Model, look: &Look, new: &NewLink, width: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let contract = &model.setup.contract.create_link;
    if let Some(literal) = new.form.money().and_then(|amount| contract.unit.wire(amount)) {
        let literal = format!("\"{}\": {literal}", contract.amount);
        lines.extend(pair(look, &look.say("new-link-json"), &literal, width));
    }
    let chosen = new.form.fields.iter().find_map(|field| match field.entry {
        Entry::Choice { chosen, .. } => new.domains.get(chosen),
        _ => None,
    });
    let hint = match chosen {
        Some(DomainChoice::Named(host)) if model.domains.is_pending(host) => {
            "new-link-pending-hint"
        }
        Some(DomainChoice::Named(_)) => "new-link-named-hint",
        Some(DomainChoice::Automatic) | None => "new-link-automatic-hint",
    };
    lines.extend(wrapped(look, Role::Dim, &look.say(hint), width));
    lines
}
