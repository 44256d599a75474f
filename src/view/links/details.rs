//! One payment link: its address in full, its host, and its QR code.

use ratatui::Frame;
use ratatui::text::Line;

use crate::app::Model;
use crate::app::geometry::Area;
use crate::app::links;
use crate::trade::{LinkOutcome, PaymentLink, Untrusted};
use crate::view::ask;
use crate::view::lists::{Details, code_below, in_full, named, not_copied};
use crate::view::parts::{put, quoted, wrapped};
use crate::view::scrolled::Text;
use crate::view::{Look, Role, dates, failure};

/// One link.
pub(in crate::view) fn details(
    model: &Model,
    look: &Look,
    link: &PaymentLink,
    scroll: u16,
    area: Area,
    frame: &mut Frame,
) {
    laid(model, look, link, area).draw(model, look, ("link-title", scroll), frame);
}

/// What is known of one link.
pub(in crate::view) fn text(model: &Model, look: &Look, link: &PaymentLink, area: Area) -> Text {
    laid(model, look, link, area).words
}

fn laid(model: &Model, look: &Look, link: &PaymentLink, area: Area) -> Details {
    let url = link.url();
    let known = |width| what_is_known(model, look, link, width);
    let full = |width| url.map_or_else(Vec::new, |url| in_full(look, &links::marked(url), width));
    // A picture is a copy too: of an odd address it is there once somebody said so.
    let is_odd = !links::oddities(model, link).is_empty();
    Details::of(model, look, (url, !is_odd), (known, full), area)
}

/// The same beside the list of a wide terminal.
pub(super) fn beside(
    model: &Model,
    look: &Look,
    link: &PaymentLink,
    area: Area,
    frame: &mut Frame,
) {
    let mut lines = what_is_known(model, look, link, usize::from(area.width));
    if let Some(url) = link.url() {
        lines.push(Line::default());
        lines.extend(in_full(look, &links::marked(url), area.width));
    }
    let rows = u16::try_from(lines.len() + 1).unwrap_or(u16::MAX);
    put(lines, area, frame);
    let url = link.url().filter(|_| links::oddities(model, link).is_empty());
    code_below(look, url, area.split_top(rows).1, frame);
}

/// Everything but the address itself.
fn what_is_known(
    model: &Model,
    look: &Look,
    link: &PaymentLink,
    width: usize,
) -> Vec<Line<'static>> {
    let request = &link.request;
    let description = Untrusted::from(&*request.description).shown();
    let mut lines = vec![look.line(Role::Money, request.amount.to_string())];
    lines.extend(wrapped(look, Role::Text, &description, width));
    lines.push(Line::default());
    let is_made = matches!(link.outcome, LinkOutcome::Created { .. });
    let when = if is_made { "link-made" } else { "link-asked" };
    lines.extend(named(look, when, &dates::moment(model, look, link.at), width));
    lines.extend(named(look, "link-domain", &super::domain(look, link), width));
    match &link.outcome {
        LinkOutcome::Created { url } => lines.extend(made(model, look, link, url, width)),
        LinkOutcome::Unknown => lines.extend(after(look, Role::Warn, "link-unknown", width)),
        LinkOutcome::NotSent => lines.extend(after(look, Role::Text, "link-not-sent", width)),
        LinkOutcome::Refused(refusal) => {
            lines.extend(after(look, Role::Bad, "link-refused", width));
            for (label, words) in failure::quotes(look, refusal) {
                lines.extend(quoted(look, &label, &words, width));
            }
        }
    }
    lines
}

/// The host, what is odd about the address, and what this list never says.
fn made(
    model: &Model,
    look: &Look,
    link: &PaymentLink,
    url: &Untrusted,
    width: usize,
) -> Vec<Line<'static>> {
    let host = links::host(url).unwrap_or_else(|| look.say("link-host-unreadable"));
    let mut lines = named(look, "link-host", &Untrusted::from(host).shown(), width);
    if model.unsaved.has_link(link) {
        lines.extend(after(look, Role::Bad, "link-not-saved", width));
    }
    lines.extend(not_copied(look, url, ["link-not-clean", "link-too-long"], width));
    let oddities = links::oddities(model, link);
    if !oddities.is_empty() {
        lines.extend(after(look, Role::Strong, "oddity-title", width));
    }
    for oddity in oddities {
        let text = format!("• {}", ask::oddity(look, oddity, url));
        lines.extend(wrapped(look, Role::Warn, &text, width));
    }
    lines.extend(after(look, Role::Dim, "link-never-paid", width));
    lines
}

/// A paragraph of its own.
fn after(look: &Look, role: Role, id: &str, width: usize) -> Vec<Line<'static>> {
    let mut lines = vec![Line::default()];
    lines.extend(wrapped(look, role, &look.say(id), width));
    lines
}
