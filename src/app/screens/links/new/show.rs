//! The form of a new payment link.

use crate::app::Store;
use crate::app::screen::Screen;
use crate::app::screens::links::NewLink;
use crate::app::store::entry;
use crate::app::ui::block::Block;
use crate::app::ui::forms::{self, FormPage};
use crate::app::ui::parts::{pair, wrapped};
use crate::app::ui::{Area, Line, Page, Role, refusals};
use crate::trade::{DomainChoice, Failure};
use crate::words::Words;
use crate::words::failure::{self, Doing};

pub fn new(store: &Store, say: &Words, new: &NewLink, area: Area, page: &mut Page) {
    let width = forms::inside(area);
    let told = match &new.sent.failure {
        Some(failure) => Some(failed(say, failure, width)),
        None => new.sent.told(store.reader(), "new-link-wait", Doing::Link, width),
    };
    let goes = || Block::cut(forms::BELOW, 1, what_goes(store, say, new, width));
    let (aside, below) =
        (entry::at_head(store, new.links(store).needs), vec![told.unwrap_or_else(goes)]);
    let form = FormPage::new(say, ["new-link-title", "new-link-submit"], &new.sent.form);
    FormPage { aside, below, ..form }.draw(say, area, page);
}

/// Lays out the failure; beside a refusal what makes a domain active, and the way without one.
fn failed(say: &Words, failure: &Failure, width: usize) -> Block {
    let told = failure::describe(say, failure, Doing::Link);
    let next = match failure {
        Failure::Refused(refusal) if refusal.status == 400 => {
            vec![say.text("new-link-domain-how"), say.text("new-link-domain-other")]
        }
        _ => vec![told.next.clone()],
    };
    refusals::told(say, &told, &next, width)
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
