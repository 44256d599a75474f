//! Payment links: the pane, a new one, the details of one.

mod details;
mod new;

use ratatui::Frame;

use super::lists::{self, Row};
use super::parts::{self, put};
use super::text::{columns, split_at};
use super::{Look, Role, dates};
use crate::app::Model;
use crate::app::action::Action;
use crate::app::geometry::{self, Area};
use crate::app::links;
use crate::trade::{LinkOutcome, PaymentLink, Untrusted};

pub(super) use details::{details, text};
pub(super) use new::new;

/// Draws the pane.
pub(super) fn pane(model: &Model, look: &Look, area: Area, frame: &mut Frame) {
    let areas = geometry::pane(model, area);
    let list = &model.links.list;
    let count = lists::count(look, list, "links-count");
    parts::search(look, &list.query, list.searching, &count, areas.top, frame);
    if list.page.total == 0 {
        empty(model, look, areas.list, frame);
        return;
    }
    let row = |link: &PaymentLink| row(model, look, link);
    let total = |day| day_total(model, look, day);
    put(lists::by_day(model, look, list, areas.list, row, total), areas.list, frame);
    let Some(selected) = list.selected() else { return };
    if let Some(aside) = areas.aside {
        details::beside(model, look, selected, aside, frame);
    } else if areas.below.height > 0 {
        below(look, selected, areas.below, frame);
    }
}

fn row(model: &Model, look: &Look, link: &PaymentLink) -> Row {
    Row {
        time: dates::time(model, link.at),
        amount: link.request.amount.to_string(),
        description: Untrusted::from(&*link.request.description).shown(),
        tag: match model.unsaved.has_link(link) {
            true => (look.say("links-not-saved"), Role::Warn),
            false => tag(look, link),
        },
    }
}

/// The domain that was asked for, or why there is no link.
pub(super) fn tag(look: &Look, link: &PaymentLink) -> (String, Role) {
    match link.outcome {
        LinkOutcome::Created { .. } => (domain(look, link), Role::Dim),
        LinkOutcome::Unknown => (look.say("links-unknown"), Role::Warn),
        LinkOutcome::Refused(_) => (look.say("links-refused"), Role::Bad),
        LinkOutcome::NotSent => (look.say("links-not-sent"), Role::Dim),
    }
}

/// The domain that was asked for; none was named where it is automatic.
fn domain(look: &Look, link: &PaymentLink) -> String {
    match &link.request.domain {
        Some(domain) => domain.shown(),
        None => look.say("links-automatic"),
    }
}

/// How many links a day has and what they ask for together, where that was counted.
///
/// Above what a search found it would be read as the sum of that.
fn day_total(model: &Model, look: &Look, day: i64) -> String {
    if !model.links.list.query.value().is_empty() {
        return String::new();
    }
    let offset = model.setup.utc_offset_s;
    let total = model.links.days.iter().find(|t| t.starts.local_day(offset) == day);
    let Some(total) = total else { return String::new() };
    let count = look.words.count("links-made", total.count, &[]);
    format!("{count}   {}", total.sum)
}

/// The address of the link under the cursor in full, from the first column where it is long: so it
/// can be selected without anything else in between.
fn below(look: &Look, link: &PaymentLink, area: Area, frame: &mut Frame) {
    let width = usize::from(area.width);
    let (text, role) = match link.url() {
        Some(url) => (links::marked(url).shown(), Role::Accent),
        None => (look.say(without_url(link)), Role::Dim),
    };
    if columns(&text) + 1 < width || area.height < 2 {
        let (rule, line) = area.split_bottom(1);
        if rule.height > 0 {
            parts::rule(look, rule.row(0), frame);
        }
        let text = super::text::fit(&text, width.saturating_sub(2));
        put(vec![look.line(role, format!(" {text}"))], line, frame);
        return;
    }
    let (first, rest) = split_at(&text, width.saturating_sub(1));
    let rest = super::text::fit(rest, width.saturating_sub(1));
    put(vec![look.line(role, first), look.line(role, rest)], area, frame);
}

fn without_url(link: &PaymentLink) -> &'static str {
    match link.outcome {
        LinkOutcome::Refused(_) => "links-no-url-refused",
        LinkOutcome::NotSent => "links-no-url-not-sent",
        LinkOutcome::Unknown | LinkOutcome::Created { .. } => "links-no-url-unknown",
    }
}

fn empty(model: &Model, look: &Look, area: Area, frame: &mut Frame) {
    let list = &model.links.list;
    let inner = area.narrowed(2).split_top(1).1;
    let width = usize::from(inner.width);
    let lines = if !list.loaded {
        parts::wrapped(look, Role::Dim, &look.say("links-not-loaded"), width)
    } else if !list.query.value().is_empty() {
        lists::none_found(look, "links-none-found", list.query.value(), width)
    } else {
        let words = ["links-empty-title", "links-empty-hint", "links-empty-key"];
        lists::invitation(model, look, words, Some(Action::New), width)
    };
    put(lines, inner, frame);
}
