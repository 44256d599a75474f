//! One payment link: its address in full, its host, and its QR code.

use crate::app::store::{oddity, paid, reach};
use crate::app::ui::lists::{DetailPane, Look, in_full, named, not_copied};
use crate::app::ui::parts::{all_quoted, paragraph, point, wrapped};
use crate::app::ui::{Area, Line, Page, Role, mark};
use crate::app::{CopyTrouble, Store};
use crate::trade::{LinkOutcome, PaymentLink, Untrusted};
use crate::words::{Words, failure, names};

pub fn details(
    store: &Store,
    say: &Words,
    link: &PaymentLink,
    (area, look): (Area, Look),
    page: &mut Page,
) {
    laid(store, say, link, area).draw(store.reader(), "link-title", look, page);
}

fn laid(store: &Store, say: &Words, link: &PaymentLink, area: Area) -> DetailPane {
    let url = link.url();
    let known = |width| what_is_known(store, say, link, width);
    let full = |width| url.map_or_else(Vec::new, |url| in_full(&oddity::marked(url), width));
    let code = pictured(store, link).and_then(|url| store.picture.place_of(url));
    DetailPane::of(store.reader(), (url, code), (known, full), area)
}

/// The address that is shown as a picture: a copy too, and an odd one is not copied unasked.
pub fn pictured<'l>(store: &Store, link: &'l PaymentLink) -> Option<&'l Untrusted> {
    let may_be = |url: &&Untrusted| CopyTrouble::of(url).is_none();
    link.url().filter(may_be).filter(|_| oddity::oddities(store, link).is_empty())
}

/// Everything but the address itself.
fn what_is_known(store: &Store, say: &Words, link: &PaymentLink, width: usize) -> Vec<Line> {
    let request = &link.request;
    let description = Untrusted::shown_of(&request.description);
    let mut lines = vec![Line::of(Role::Money, request.amount.to_string())];
    lines.extend(wrapped(Role::Text, &description, width));
    lines.push(Line::default());
    let is_made = matches!(link.outcome, LinkOutcome::Created { .. });
    let when = if is_made { "link-made" } else { "link-asked" };
    lines.extend(named(say, when, &store.reader().moment(link.at), width));
    lines.extend(named(say, "link-domain", &names::link_domain(say, link), width));
    match &link.outcome {
        LinkOutcome::Created { url } => lines.extend(made(store, say, link, url, width)),
        LinkOutcome::Unknown => lines.extend(after(say, Role::Warn, "link-unknown", width)),
        LinkOutcome::NotSent => lines.extend(after(say, Role::Text, "link-not-sent", width)),
        LinkOutcome::Refused(refusal) => {
            lines.extend(after(say, Role::Bad, "link-refused", width));
            lines.extend(all_quoted(&failure::quotes(say, refusal), width));
        }
    }
    lines
}

/// The host, what is odd about the address, and what this list never says.
fn made(
    store: &Store,
    say: &Words,
    link: &PaymentLink,
    url: &Untrusted,
    width: usize,
) -> Vec<Line> {
    let host = oddity::host(url).unwrap_or_else(|| say.text("link-host-unreadable"));
    let mut lines = named(say, "link-host", &Untrusted::from(host).shown(), width);
    if let Some(only) = reach::only_here(store, say, url) {
        lines.extend(paragraph(Role::Text, &only, width));
    }
    if store.unsaved.links.has(link) {
        lines.extend(after(say, Role::Bad, "link-not-saved", width));
    }
    let ids = ["link-not-clean", "link-too-long", "link-masked"];
    lines.extend(not_copied(say, url, ids, width));
    let oddities = oddity::oddities(store, link);
    if !oddities.is_empty() {
        lines.extend([Line::default(), mark::CHECK.span(say.text("oddity-title")).into()]);
    }
    for oddity in oddities {
        lines.extend(point(Role::Warn, &oddity.describe(say, url), width));
    }
    // Who says that it was paid stands with each mark.
    let is_paid = store.paid.has(link);
    if is_paid {
        lines.push(Line::default());
        lines.push(Line::of(paid::role(store, Some(url)), say.text("links-paid")));
        lines.extend(after(say, Role::Dim, "link-paid-says", width));
    }
    if let Some(at) = link.paid {
        let marked = say.with("link-marked", &[("when", &store.reader().moment(at))]);
        lines.extend(paragraph(Role::Good, &marked, width));
    }
    if !is_paid && link.paid.is_none() {
        lines.extend(after(say, Role::Dim, "link-never-paid", width));
    }
    lines
}

fn after(say: &Words, role: Role, id: &str, width: usize) -> Vec<Line> {
    paragraph(role, &say.text(id), width)
}
