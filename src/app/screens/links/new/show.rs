//! The form of a new payment link.

use crate::app::Store;
use crate::app::screen::Screen;
use crate::app::screens::links::NewLink;
use crate::app::store::entry;
use crate::app::ui::form_rows::places;
use crate::app::ui::parts::{pair, put, title, waiting, wrapped};
use crate::app::ui::{Area, Line, Page, Role, forms, refusals};
use crate::trade::{DomainChoice, Failure};
use crate::words::Words;
use crate::words::failure::{self, Doing};

pub fn new(store: &Store, say: &Words, new: &NewLink, area: Area, page: &mut Page) {
    let aside = entry::at_head(store, new.links(store).needs);
    title(&say.text("new-link-title"), aside, area, page);
    let submit = say.text("new-link-submit");
    let places = places(&new.sent.form, new.sent.around(2), area);
    let below = forms::draw(say, &new.sent.form, &submit, &places, page);
    let width = usize::from(below.width);
    let lines = match (&new.sent.wait, &new.sent.failure) {
        (Some(wait), _) => vec![waiting(store.reader(), &say.text("new-link-wait"), *wait)],
        (None, Some(failure)) => failed(say, failure, width, usize::from(below.height)),
        (None, None) => what_goes(store, say, new, width),
    };
    // What went wrong may need every row there is.
    let gap = u16::from(usize::from(below.height) > lines.len());
    put(lines, below.split_top(gap).1, page);
}

/// Lays out the failure; beside a refusal what makes a domain active, and the way without one.
fn failed(say: &Words, failure: &Failure, width: usize, rows: usize) -> Vec<Line> {
    let told = failure::describe(say, failure, Doing::Link);
    let next = match failure {
        Failure::Refused(refusal) if refusal.status == 400 => {
            vec![say.text("new-link-domain-how"), say.text("new-link-domain-other")]
        }
        _ => vec![told.next.clone()],
    };
    refusals::lines(say, &told, &next, width, rows)
}

/// The amount exactly as it goes into the body, and what the choice of the domain means there.
fn what_goes(store: &Store, say: &Words, new: &NewLink, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let contract = &store.setup.contract.create_link;
    if let Some(literal) = new.sent.form.money().and_then(|amount| contract.amount_sent(amount)) {
        lines.extend(pair(&say.text("new-link-json"), &literal, width));
    }
    let hint = match new.domain() {
        Some(DomainChoice::Named(host)) if store.domains.is_pending(host) => {
            "new-link-pending-hint"
        }
        Some(DomainChoice::Named(_)) => "new-link-named-hint",
        Some(DomainChoice::Automatic) | None => "new-link-automatic-hint",
    };
    lines.extend(wrapped(Role::Dim, &say.text(hint), width));
    lines
}
