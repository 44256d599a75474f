//! The domains pane: what the service lists, and which one new links use.

use ratatui::Frame;
use ratatui::text::Line;

use super::failure::{self, Doing};
use super::parts::{first_key, first_line, put, row, waiting, wrapped};
use super::scrolled::Text;
use super::text::{columns, exactly};
use super::{Look, Role};
use crate::app::action::Action;
use crate::app::geometry::{self, Area, ListLine};
use crate::app::{Model, offers};
use crate::trade::{CheckoutDomain, DomainChoice, DomainState};

/// The least columns of a domain's name, so that most lists look alike.
const LEAST_NAME: usize = 24;

/// Draws the pane.
pub(super) fn pane(model: &Model, look: &Look, scroll: u16, area: Area, frame: &mut Frame) {
    let areas = geometry::pane(model, area);
    let asked_again = model.domains.wait.filter(|_| model.domains.listed.is_some());
    let asking = asked_again.map(|wait| waiting(model, look, &look.say("domains-wait"), wait));
    let top = look.line(Role::Dim, format!(" {}", look.say("domains-top")));
    first_line(top, asking.unwrap_or_default(), areas.top, frame);
    let lines = geometry::list_lines(model, areas.list.height);
    let width = usize::from(areas.list.width);
    let lines = lines.into_iter().filter_map(|line| match line {
        ListLine::Row(n) => Some(domain_row(model, look, usize::try_from(n).ok()?, width)),
        ListLine::Day(_) | ListLine::Group(_) => None,
    });
    put(lines.collect(), areas.list, frame);
    text(model, look, area).draw(model, look, scroll, frame);
}

/// What is said below the list.
pub(super) fn text(model: &Model, look: &Look, area: Area) -> Text {
    let below = geometry::pane(model, area).below.narrowed(2);
    let lines = explanation(model, look, usize::from(below.width));
    Text { down: Action::PageDown, ..Text::tight(lines, below) }
}

fn domain_row(model: &Model, look: &Look, n: usize, width: usize) -> Line<'static> {
    let domains = &model.domains;
    let under_cursor = domains.cursor == n;
    let listed = domains.listed.as_deref().unwrap_or_default();
    let domain = n.checked_sub(1).and_then(|n| listed.get(n));
    let (name, state, chosen) = match domain {
        None => (
            look.say("domain-automatic"),
            (Role::Dim, look.say("domain-automatic.what")),
            domains.choice == DomainChoice::Automatic,
        ),
        Some(domain) => (
            domain.host.shown(),
            state(look, domain),
            domains.choice == DomainChoice::Named(domain.host.clone()),
        ),
    };
    let mark = if chosen { "●" } else { "○" };
    let name_width = listed.iter().map(|domain| columns(&domain.host.shown())).max().unwrap_or(0);
    // Beside short names there is room for all that is said of a domain.
    let name_width = name_width.max(LEAST_NAME).min((width / 2).saturating_sub(6));
    let state_width = width.saturating_sub(name_width + 6);
    let mut text = state.1;
    if chosen {
        text = format!("{} · {text}", look.say("domain-chosen"));
    }
    row(
        look,
        under_cursor,
        vec![
            look.span(if chosen { Role::Accent } else { Role::Dim }, format!("{mark} ")),
            look.span(Role::Text, exactly(&name, name_width)),
            look.span(state.0, format!("  {}", super::text::fit(&text, state_width))),
        ],
    )
}

fn state(look: &Look, domain: &CheckoutDomain) -> (Role, String) {
    let (role, mut text) = match &domain.state {
        DomainState::Usable => (Role::Good, look.say("domain-usable")),
        DomainState::Active => (Role::Good, look.say("domain-active")),
        DomainState::Pending(None) => (Role::Warn, look.say("domain-pending")),
        DomainState::Pending(Some(word)) => {
            let word = word.shown_within(24);
            (Role::Warn, look.words.with("domain-pending-word", &[("word", &word)]))
        }
    };
    if domain.is_default {
        text = format!("{text} · {}", look.say("domain-default"));
    }
    (role, text)
}

/// What is known, what makes a domain active, and the way that needs none.
fn explanation(model: &Model, look: &Look, width: usize) -> Vec<Line<'static>> {
    let domains = &model.domains;
    let missing = offers::missing_entry(model, model.setup.contract.domains.call.credential);
    let mut lines = vec![Line::default()];
    if let Some(failure) = &domains.failure {
        lines.extend(failure::lines(look, failure, Doing::Question, width));
        lines.push(Line::default());
    } else {
        match (&domains.listed, domains.wait) {
            (None, Some(wait)) => {
                lines.push(waiting(model, look, &look.say("domains-wait"), wait));
                return lines;
            }
            (None, None) => {
                lines.extend(wrapped(look, Role::Strong, &look.say("domains-not-asked"), width));
            }
            (Some(listed), _) if listed.is_empty() => {
                lines.extend(wrapped(look, Role::Strong, &look.say("domains-none"), width));
            }
            (Some(listed), _) if listed.iter().all(CheckoutDomain::is_usable) => {
                lines.extend(wrapped(look, Role::Dim, &look.say("domains-pick"), width));
                return lines;
            }
            _ => {}
        }
    }
    if let Some(kind) = missing {
        let entry = offers::entry(model, kind);
        let id = if entry == Action::PasteJwt { "domains-paste-jwt" } else { "domains-log-in" };
        let key = first_key(model, look, entry);
        lines.extend(wrapped(look, Role::Text, &look.words.with(id, &[("key", &key)]), width));
        lines.push(Line::default());
    }
    lines.extend(wrapped(look, Role::Text, &look.say("domains-active-how"), width));
    let key = first_key(model, look, Action::Charges);
    let text = look.words.with("domains-way-out", &[("key", &key)]);
    lines.extend(wrapped(look, Role::Text, &text, width));
    lines
}
